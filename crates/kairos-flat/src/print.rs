//! A scalar model as flat Modelica text.

use crate::scalar::{Action, Causality, EquationKind, ScalarModel, StateSelect, Variability, Variable};
use kairos_expr::{ExprId, LValue, Names, Scalar, Stmt, Target, VarId, print as expression};
use std::fmt::Write;

struct Quoted<'m>(&'m ScalarModel);

impl Names for Quoted<'_> {
    fn var(&self, var: VarId) -> String {
        self.0.vars.get(var.index()).map_or_else(|| format!("'var {}'", var.0), |v| quoted(&v.name))
    }
}

/// Dotted and subscripted names become quoted identifiers.
fn quoted(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain { name.to_string() } else { format!("'{}'", name.replace('\'', "\\'")) }
}

pub fn print(model: &ScalarModel) -> String {
    let mut out = String::new();
    let name = quoted(&model.name);
    let _ = writeln!(out, "model {name}");
    for v in &model.vars {
        declaration(model, v, &mut out);
    }
    for (section, list) in [("initial equation", &model.initial_equations), ("equation", &model.equations)] {
        let mut open = false;
        for eq in list.iter().filter(|e| !matches!(e.kind, EquationKind::Algorithm { .. })) {
            if !std::mem::replace(&mut open, true) {
                let _ = writeln!(out, "{section}");
            }
            equation(model, &eq.kind, &mut out);
        }
        for eq in list.iter() {
            if let EquationKind::Algorithm { statements, .. } = &eq.kind {
                let initial = if section == "equation" { "" } else { "initial " };
                let _ = writeln!(out, "{initial}algorithm");
                statements_text(model, statements, 1, &mut out);
            }
        }
    }
    let _ = writeln!(out, "end {name};");
    out
}

fn text(model: &ScalarModel, e: ExprId) -> String {
    expression(&model.store, e, &Quoted(model))
}

fn declaration(model: &ScalarModel, v: &Variable, out: &mut String) {
    let prefix = match v.variability {
        Variability::Constant => "constant ",
        Variability::Parameter => "parameter ",
        Variability::Discrete if v.ty == Scalar::Real => "discrete ",
        _ => "",
    };
    let direction = match v.causality {
        Causality::Input => "input ",
        Causality::Output => "output ",
        Causality::Local => "",
    };
    let ty = match v.ty {
        Scalar::Int => "Integer".to_string(),
        Scalar::Bool => "Boolean".to_string(),
        Scalar::Str => "String".to_string(),
        Scalar::Clock => "Clock".to_string(),
        Scalar::Enum(e) => model.store.enumeration(e).name.to_string(),
        Scalar::Object(name) => name.to_string(),
        _ => "Real".to_string(),
    };
    let mut mods = Vec::new();
    let quote = |s: &str| format!("{s:?}");
    if !v.unit.is_empty() {
        mods.push(format!("unit = {}", quote(&v.unit)));
    }
    for (name, e) in [("start", v.start), ("nominal", v.nominal), ("min", v.min), ("max", v.max)] {
        if let Some(e) = e {
            mods.push(format!("{name} = {}", text(model, e)));
        }
    }
    if let Some(fixed) = v.fixed {
        mods.push(format!("fixed = {fixed}"));
    }
    let select = match v.state_select {
        StateSelect::Never => "never",
        StateSelect::Avoid => "avoid",
        StateSelect::Default => "",
        StateSelect::Prefer => "prefer",
        StateSelect::Always => "always",
    };
    if !select.is_empty() {
        mods.push(format!("stateSelect = StateSelect.{select}"));
    }
    let mods = if mods.is_empty() { String::new() } else { format!("({})", mods.join(", ")) };
    let value = v.binding.map_or(String::new(), |e| format!(" = {}", text(model, e)));
    let description =
        if v.description.is_empty() { String::new() } else { format!(" {}", quote(&v.description)) };
    let _ = writeln!(out, "  {prefix}{direction}{ty} {}{mods}{value}{description};", quoted(&v.name));
}

fn conditions(model: &ScalarModel, list: &[ExprId]) -> String {
    match list {
        [one] => text(model, *one),
        many => format!("{{{}}}", many.iter().map(|c| text(model, *c)).collect::<Vec<_>>().join(", ")),
    }
}

fn equation(model: &ScalarModel, kind: &EquationKind, out: &mut String) {
    let word = |k: usize| if k == 0 { "when" } else { "elsewhen" };
    match kind {
        EquationKind::Equal(l, r) => {
            let _ = writeln!(out, "  {} = {};", text(model, *l), text(model, *r));
        }
        EquationKind::WhenAssign { var, branches } => {
            let name = Quoted(model).var(*var);
            for (k, (c, e)) in branches.iter().enumerate() {
                let _ = writeln!(
                    out,
                    "  {} {} then\n    {name} = {};",
                    word(k),
                    conditions(model, c),
                    text(model, *e)
                );
            }
            let _ = writeln!(out, "  end when;");
        }
        EquationKind::WhenDo(branches) => {
            for (k, (c, actions)) in branches.iter().enumerate() {
                let _ = writeln!(out, "  {} {} then", word(k), conditions(model, c));
                for action in actions {
                    let _ = writeln!(out, "    {};", action_text(model, action));
                }
            }
            let _ = writeln!(out, "  end when;");
        }
        EquationKind::Assert { condition, message, warning } => {
            let _ = writeln!(out, "  {};", assert_text(model, *condition, *message, *warning));
        }
        EquationKind::Call(e) => {
            let _ = writeln!(out, "  {};", text(model, *e));
        }
        EquationKind::Algorithm { .. } => {}
    }
}

fn assert_text(model: &ScalarModel, condition: ExprId, message: ExprId, warning: bool) -> String {
    let level = if warning { ", AssertionLevel.warning" } else { "" };
    format!("assert({}, {}{level})", text(model, condition), text(model, message))
}

fn action_text(model: &ScalarModel, action: &Action) -> String {
    match action {
        Action::Reinit(v, e) => format!("reinit({}, {})", Quoted(model).var(*v), text(model, *e)),
        Action::Assert { condition, message, warning } => assert_text(model, *condition, *message, *warning),
        Action::Terminate(e) => format!("terminate({})", text(model, *e)),
        Action::Call(e) => text(model, *e),
    }
}

fn target(model: &ScalarModel, t: &LValue) -> String {
    match t.target {
        Target::Var(v) => Quoted(model).var(v),
        Target::Local(l) => format!("'local {}'", l.0),
    }
}

fn statements_text(model: &ScalarModel, list: &[Stmt], depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    for s in list {
        match s {
            Stmt::Assign(t, e, _) => {
                let _ = writeln!(out, "{pad}{} := {};", target(model, t), text(model, *e));
            }
            Stmt::AssignTuple(ts, e, _) => {
                let ts: Vec<String> =
                    ts.iter().map(|t| t.as_ref().map_or(String::new(), |t| target(model, t))).collect();
                let _ = writeln!(out, "{pad}({}) := {};", ts.join(", "), text(model, *e));
            }
            Stmt::Call(e, _) => {
                let _ = writeln!(out, "{pad}{};", text(model, *e));
            }
            Stmt::If(branches, otherwise) => {
                for (k, (c, body)) in branches.iter().enumerate() {
                    let word = if k == 0 { "if" } else { "elseif" };
                    let _ = writeln!(out, "{pad}{word} {} then", text(model, *c));
                    statements_text(model, body, depth + 1, out);
                }
                if !otherwise.is_empty() {
                    let _ = writeln!(out, "{pad}else");
                    statements_text(model, otherwise, depth + 1, out);
                }
                let _ = writeln!(out, "{pad}end if;");
            }
            Stmt::For(iter, range, body, _) => {
                let name = model.store.iterator_name(*iter);
                let _ = writeln!(out, "{pad}for {name} in {} loop", text(model, *range));
                statements_text(model, body, depth + 1, out);
                let _ = writeln!(out, "{pad}end for;");
            }
            Stmt::While(c, body, _) => {
                let _ = writeln!(out, "{pad}while {} loop", text(model, *c));
                statements_text(model, body, depth + 1, out);
                let _ = writeln!(out, "{pad}end while;");
            }
            Stmt::When(branches, _) => {
                for (k, (c, body)) in branches.iter().enumerate() {
                    let word = if k == 0 { "when" } else { "elsewhen" };
                    let _ = writeln!(out, "{pad}{word} {} then", text(model, *c));
                    statements_text(model, body, depth + 1, out);
                }
                let _ = writeln!(out, "{pad}end when;");
            }
            Stmt::Assert { condition, message, .. } => {
                let _ = writeln!(out, "{pad}assert({}, {});", text(model, *condition), text(model, *message));
            }
            Stmt::Terminate(e, _) => {
                let _ = writeln!(out, "{pad}terminate({});", text(model, *e));
            }
            Stmt::Reinit(v, e, _) => {
                let _ = writeln!(out, "{pad}reinit({}, {});", Quoted(model).var(*v), text(model, *e));
            }
            Stmt::Break => {
                let _ = writeln!(out, "{pad}break;");
            }
            Stmt::Return => {
                let _ = writeln!(out, "{pad}return;");
            }
        }
    }
}
