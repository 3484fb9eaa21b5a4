//! A scalar model as flat Modelica text that reads back as the same model.

mod classes;
mod clocks;
mod names;
mod statements;

use kairos_base::{Name, string_literal};
use kairos_expr::{Builtin, ExprId, Node, Scalar, print as expression};
use kairos_model::{
    Action, Causality, EquationKind, Experiment, GuardedAction, ScalarModel, StateSelect, Variability,
    Variable,
};
use names::{Flat, quoted};
use std::fmt::Write;

pub fn print(model: &ScalarModel) -> String {
    let flat = Flat::new(model);
    let mut out = String::new();
    let name = quoted(&model.name);
    let _ = writeln!(out, "model {name}");
    classes::print(&flat, &mut out);
    clocks::declare(&flat, &mut out);
    for v in &model.vars {
        declaration(&flat, v, &mut out);
    }
    for (initial, list) in [("initial ", &model.initial_equations), ("", &model.equations)] {
        let (algorithms, equations): (Vec<_>, Vec<_>) =
            list.iter().partition(|e| matches!(e.kind, EquationKind::Algorithm { .. }));
        if !equations.is_empty() {
            let _ = writeln!(out, "{initial}equation");
        }
        clocks::group(&flat, &equations, |clock, equations| {
            let flat = flat.at(clock);
            let pad = if clock.is_some() { "    " } else { "  " };
            if let Some(clock) = clock {
                let _ = writeln!(out, "  when {} then", clocks::name(clock));
            }
            for eq in equations {
                match clocks::state(&flat, eq) {
                    Some(active) => in_state(&flat, &eq.kind, active, pad, &mut out),
                    None => equation(&flat, &eq.kind, pad, &mut out),
                }
            }
            if clock.is_some() {
                let _ = writeln!(out, "  end when;");
            }
        });
        for eq in algorithms {
            if let EquationKind::Algorithm { statements, .. } = &eq.kind {
                let _ = writeln!(out, "{initial}algorithm");
                statements::print(&flat.at(eq.clock), statements, 1, &mut out);
            }
        }
    }
    experiment(&model.experiment, &mut out);
    let _ = writeln!(out, "end {name};");
    out
}

fn experiment(experiment: &Experiment, out: &mut String) {
    let Experiment { start, stop, interval, tolerance } = experiment;
    let list = [("StartTime", start), ("StopTime", stop), ("Interval", interval), ("Tolerance", tolerance)];
    let given: Vec<String> =
        list.iter().filter_map(|(name, value)| value.map(|v| format!("{name} = {v:?}"))).collect();
    if !given.is_empty() {
        let _ = writeln!(out, "  annotation(experiment({}));", given.join(", "));
    }
}

fn text(flat: &Flat, e: ExprId) -> String {
    expression(&flat.model.store, e, flat)
}

fn declaration(flat: &Flat, v: &Variable, out: &mut String) {
    let prefix = match v.variability {
        Variability::Constant => "constant ",
        Variability::Parameter => "parameter ",
        // What has a clock is discrete without saying so.
        Variability::Discrete if v.ty == Scalar::Real && v.clock.is_none() => "discrete ",
        _ => "",
    };
    let direction = match v.causality {
        Causality::Input => "input ",
        Causality::Output => "output ",
        Causality::Local => "",
    };
    let ty = flat.scalar(v.ty);
    let mut mods = Vec::new();
    if v.unit != Name::EMPTY {
        mods.push(format!("unit = {}", string_literal(v.unit.as_str())));
    }
    for (name, e) in [("start", v.start), ("nominal", v.nominal), ("min", v.min), ("max", v.max)] {
        if let Some(e) = e {
            mods.push(format!("{name} = {}", text(flat, e)));
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
    let value = v.binding.map_or(String::new(), |e| format!(" = {}", text(flat, e)));
    let description = if v.description == Name::EMPTY {
        String::new()
    } else {
        format!(" {}", string_literal(v.description.as_str()))
    };
    let _ = writeln!(out, "  {prefix}{direction}{ty} {}{mods}{value}{description};", quoted(&v.name));
}

fn conditions(flat: &Flat, list: &[ExprId]) -> String {
    match list {
        [one] => text(flat, *one),
        many => format!("{{{}}}", many.iter().map(|c| text(flat, *c)).collect::<Vec<_>>().join(", ")),
    }
}

/// An equation of a state of a state machine: its variable keeps its value while the state is not active.
fn in_state(flat: &Flat, kind: &EquationKind, active: ExprId, pad: &str, out: &mut String) {
    let active = text(flat, active);
    match kind {
        EquationKind::Equal(l, r) if matches!(flat.model.store.node(*l), Node::Var(_)) => {
            let (left, right) = (text(flat, *l), text(flat, *r));
            let _ = writeln!(out, "{pad}{left} = if {active} then {right} else previous({left});");
        }
        _ => {
            equation(flat, kind, pad, out);
            out.truncate(out.trim_end().len());
            let _ = writeln!(out, " // while {active}");
        }
    }
}

fn equation(flat: &Flat, kind: &EquationKind, pad: &str, out: &mut String) {
    let word = |k: usize| if k == 0 { "when" } else { "elsewhen" };
    match kind {
        EquationKind::Equal(l, r) => {
            let left = match flat.model.store.node(*r) {
                Node::Builtin(Builtin::SpatialDistribution, args)
                    if flat.model.store.number(args[4]) == Some(1.0) =>
                {
                    format!("(, {})", text(flat, *l))
                }
                _ => text(flat, *l),
            };
            let _ = writeln!(out, "{pad}{left} = {};", text(flat, *r));
        }
        EquationKind::WhenAssign { var, branches } => {
            let name = flat.name(*var);
            for (k, (c, e)) in branches.iter().enumerate() {
                let (condition, value) = (conditions(flat, c), text(flat, *e));
                let _ = writeln!(out, "{pad}{} {condition} then\n{pad}  {name} = {value};", word(k));
            }
            let _ = writeln!(out, "{pad}end when;");
        }
        EquationKind::WhenDo(branches) => {
            for (k, (c, actions)) in branches.iter().enumerate() {
                let _ = writeln!(out, "{pad}{} {} then", word(k), conditions(flat, c));
                for action in actions {
                    let _ = writeln!(out, "{pad}  {};", action_text(flat, action));
                }
            }
            let _ = writeln!(out, "{pad}end when;");
        }
        EquationKind::Assert { condition, message, warning } => {
            let _ = writeln!(out, "{pad}{};", assert_text(flat, *condition, *message, *warning));
        }
        EquationKind::Call(e) => {
            let _ = writeln!(out, "{pad}{};", text(flat, *e));
        }
        EquationKind::Algorithm { .. } => {}
    }
}

fn assert_text(flat: &Flat, condition: ExprId, message: ExprId, warning: bool) -> String {
    let level = if warning { ", AssertionLevel.warning" } else { "" };
    format!("assert({}, {}{level})", text(flat, condition), text(flat, message))
}

fn action_text(flat: &Flat, guarded: &GuardedAction) -> String {
    let does = bare_action_text(flat, &guarded.action);
    match guarded.guard {
        Some(guard) => format!("if {} then {does}; end if", text(flat, guard)),
        None => does,
    }
}

fn bare_action_text(flat: &Flat, action: &Action) -> String {
    match action {
        Action::Reinit(v, e) => format!("reinit({}, {})", flat.name(*v), text(flat, *e)),
        Action::Assert { condition, message, warning } => assert_text(flat, *condition, *message, *warning),
        Action::Terminate(condition, e) => {
            let does = format!("terminate({})", text(flat, *e));
            match flat.model.store.node(*condition) {
                Node::Bool(true) => does,
                _ => format!("if {} then {does}; end if", text(flat, *condition)),
            }
        }
        Action::Call(e) => text(flat, *e),
    }
}
