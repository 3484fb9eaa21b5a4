//! How one variable comes to its value: the equation that gives it, what that reads, and who reads it in turn.

use crate::explain::{alias_text, name};
use crate::model::{Alias, Assign, Block, CausalModel, EquationInfo};
use kairos_base::SourceMap;
use kairos_expr::VarId;
use std::fmt::Write;

/// More names than this are counted, not listed.
const LISTED: usize = 12;

/// Explains a variable by its name; `None` if the model has none of that name.
pub fn explain_variable(model: &CausalModel, wanted: &str, sources: &SourceMap) -> Option<String> {
    let number = model.vars.iter().position(|var| var.name == wanted)?;
    let mut out = String::new();
    let var = &model.vars[number];
    let unit = if var.unit.as_str().is_empty() { String::new() } else { format!(" in {}", var.unit) };
    let _ = writeln!(out, "{wanted}{unit}{}", place(var.span, sources, ", declared at "));
    let mut v = VarId::new(number);
    if let Some(text) = alias_text(model, number) {
        let _ = writeln!(out, "  is another name: {text}");
        match model.aliases[number] {
            Some(Alias::Of { var, .. }) => v = var,
            _ => return Some(out),
        }
    }
    if let Some((_, value)) = model.parameters.iter().find(|(p, _)| *p == v) {
        let _ = writeln!(out, "  is constant over a run: {} = {}", name(model, v), model.text(*value));
    }
    if let Some(state) = model.states.iter().find(|state| state.var == v) {
        let _ = writeln!(
            out,
            "  is a state ({}): integrated from {}",
            state.reason,
            name(model, state.derivative)
        );
        if let Some(found) = find(&model.blocks, state.derivative) {
            tell(model, &model.equations, state.derivative, &found, sources, &mut out);
        }
    } else if let Some(found) = find(&model.blocks, v) {
        tell(model, &model.equations, v, &found, sources, &mut out);
    } else if model.modes.is_some() {
        let _ = writeln!(
            out,
            "  is determined by each mode in its own way: see `kairos explain` for the regions"
        );
    }
    if let Some(found) = find(&model.initial.blocks, v) {
        let _ = writeln!(out, "at the start");
        tell(model, &model.initial.equations, v, &found, sources, &mut out);
    }
    let readers = readers(model, v);
    if !readers.is_empty() {
        let _ = writeln!(out, "read by {}", names(&readers));
    }
    Some(out)
}

/// Where a variable is determined.
enum Found<'m> {
    Assigned(&'m Assign),
    /// Iterated in a system, with all unknowns of it, its equations, and whether it is linear.
    System {
        unknowns: Vec<VarId>,
        equations: Vec<u32>,
        linear: bool,
    },
}

fn find(blocks: &[Block], v: VarId) -> Option<Found<'_>> {
    blocks.iter().find_map(|block| match block {
        Block::Assign(assign) if assign.var == v => Some(Found::Assigned(assign)),
        Block::Torn(torn) if torn.iteration.contains(&v) || torn.inner.iter().any(|a| a.var == v) => {
            let inner = torn.inner.iter();
            Some(Found::System {
                unknowns: torn.iteration.iter().copied().chain(inner.clone().map(|a| a.var)).collect(),
                equations: inner.map(|a| a.equation).chain(torn.residuals.iter().map(|r| r.1)).collect(),
                linear: torn.linear,
            })
        }
        Block::Mixed(mixed) => find(&mixed.continuous, v).or_else(|| find(&mixed.discrete, v)),
        _ => None,
    })
}

fn tell(
    model: &CausalModel,
    equations: &[EquationInfo],
    v: VarId,
    found: &Found,
    sources: &SourceMap,
    out: &mut String,
) {
    match found {
        Found::Assigned(assign) => {
            let _ = writeln!(out, "  [{}] = {}", name(model, v), model.text(assign.value));
            if let Some(equation) = equations.get(assign.equation as usize) {
                from(model, equation, sources, out);
            }
            let read: Vec<&str> =
                model.store.variables(&[assign.value]).into_iter().map(|v| name(model, v)).collect();
            if !read.is_empty() {
                let _ = writeln!(out, "  reads {}", names(&read));
            }
        }
        Found::System { unknowns, equations: rows, linear } => {
            let kind = if *linear { "linear" } else { "nonlinear" };
            let with: Vec<&str> = unknowns.iter().filter(|u| **u != v).map(|u| name(model, *u)).collect();
            let _ =
                writeln!(out, "  is solved in a {kind} system of {} with {}", unknowns.len(), names(&with));
            for row in rows.iter().take(LISTED) {
                if let Some(equation) = equations.get(*row as usize) {
                    from(model, equation, sources, out);
                }
            }
        }
    }
}

fn from(model: &CausalModel, equation: &EquationInfo, sources: &SourceMap, out: &mut String) {
    let times = match equation.differentiated {
        0 => String::new(),
        1 => ", differentiated".to_string(),
        n => format!(", differentiated {n} times"),
    };
    let at = place(equation.origin.span, sources, " at ");
    let _ = writeln!(out, "  from `{}`{at}{times}", model.equation_text(equation));
}

fn place(span: kairos_base::Span, sources: &SourceMap, before: &str) -> String {
    if sources.slice(span).is_empty() {
        return String::new();
    }
    let (line, _) = sources.position(span.file, span.start);
    format!("{before}{}:{line}", sources.path(span.file))
}

fn readers(model: &CausalModel, v: VarId) -> Vec<&str> {
    let mut found = Vec::new();
    let mut todo: Vec<&Block> = model.blocks.iter().collect();
    while let Some(block) = todo.pop() {
        match block {
            Block::Assign(assign) if model.store.variables(&[assign.value]).contains(&v) => {
                found.push(name(model, assign.var));
            }
            Block::Torn(torn) => {
                let inner = torn.inner.iter().map(|assign| assign.value);
                let all: Vec<_> = inner.chain(torn.residuals.iter().map(|r| r.0)).collect();
                let own = torn.iteration.contains(&v) || torn.inner.iter().any(|assign| assign.var == v);
                if !own && model.store.variables(&all).contains(&v) {
                    found.extend(torn.iteration.iter().map(|&u| name(model, u)));
                }
            }
            Block::Mixed(mixed) => todo.extend(mixed.continuous.iter().chain(&mixed.discrete)),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn names(list: &[&str]) -> String {
    let shown = list[..list.len().min(LISTED)].join(", ");
    match list.len() > LISTED {
        true => format!("{shown} and {} more", list.len() - LISTED),
        false => shown,
    }
}
