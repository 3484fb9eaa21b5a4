//! What the compiler did, in the user's variables.

use crate::model::{Alias, Assign, Block, CausalModel, EquationInfo, Torn};
use crate::modes::Region;
use kairos_expr::VarId;
use std::fmt::Write;

/// States, blocks, loops, differentiations and aliases as text.
pub fn explain(model: &CausalModel) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}: {} states, {} blocks", model.name, model.states.len(), model.blocks.len());
    if !model.states.is_empty() {
        let _ = writeln!(out, "\nstates");
        for state in &model.states {
            let _ = writeln!(out, "  {} ({})", name(model, state.var), state.reason);
        }
    }
    if !model.relations.is_empty() {
        let _ = writeln!(out, "\nrelations");
        for (k, relation) in model.relations.iter().enumerate() {
            let kind = if relation.time.is_some() { "time event" } else { "state event" };
            let text = model.relation_text(kairos_expr::RelationId::new(k));
            let _ = writeln!(out, "  {text} ({kind})");
        }
    }
    let _ = writeln!(out, "\nsorted equations, the unknown in brackets");
    for block in &model.blocks {
        show(model, &model.equations, block, 1, &mut out);
    }
    let _ = writeln!(out, "\ninitial system");
    for block in &model.initial.blocks {
        show(model, &model.initial.equations, block, 1, &mut out);
    }
    for line in &model.initial.report {
        let _ = writeln!(out, "  note: {line}");
    }
    if !model.report.is_empty() {
        let _ = writeln!(out, "\nindex reduction");
        for line in &model.report {
            let _ = writeln!(out, "  {line}");
        }
    }
    if let Some(modes) = &model.modes {
        for region in &modes.regions {
            show_region(region, &mut out);
        }
    }
    let eliminated: Vec<String> = (0..model.vars.len()).filter_map(|v| alias_text(model, v)).collect();
    if !eliminated.is_empty() {
        let _ = writeln!(out, "\naliases");
        eliminated.iter().for_each(|line| out.push_str(&format!("  {line}\n")));
    }
    out
}

/// A region's conditions, each with what its two values make of the region while the others are false.
fn show_region(region: &Region, out: &mut String) {
    let names: Vec<&str> = region.owned.iter().map(|&v| region.name(v)).collect();
    let _ = writeln!(out, "\nregion of changing structure: {}", names.join(", "));
    for (k, condition) in region.conditions.iter().enumerate() {
        let _ = writeln!(out, "  structural condition {}", condition.text);
        for value in [false, true] {
            let mut values = vec![false; region.conditions.len()];
            values[k] = value;
            let checked = region.mode(&values);
            let _ = match checked.value {
                None => writeln!(out, "    {value}: the equations cannot be solved"),
                Some(mode) => {
                    let states: Vec<&str> = mode.run.states.iter().map(|s| name(&mode.run, s.var)).collect();
                    let states = if states.is_empty() { "none".to_string() } else { states.join(", ") };
                    let _ = writeln!(out, "    {value}: states {states}");
                    mode.run.report.iter().try_for_each(|line| writeln!(out, "      {line}"))
                }
            };
        }
    }
}

pub fn name(model: &CausalModel, v: VarId) -> &str {
    &model.vars[v.index()].name
}

pub fn alias_text(model: &CausalModel, v: usize) -> Option<String> {
    let name = &model.vars[v].name;
    Some(match model.aliases[v]? {
        Alias::Of { var, negated } => {
            let sign = if negated { "-" } else { "" };
            format!("{name} = {sign}{}", model.vars[var.index()].name)
        }
        Alias::Constant(value) => format!("{name} = {}", model.text(value)),
    })
}

fn show(model: &CausalModel, equations: &[EquationInfo], block: &Block, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    match block {
        Block::Assign(assign) => {
            let _ = writeln!(out, "{pad}{}", assign_text(model, assign));
        }
        Block::Relation(r) => {
            let _ = writeln!(out, "{pad}decide {}", model.relation_text(*r));
        }
        Block::Torn(torn) => torn_text(model, equations, torn, depth, out),
        Block::Mixed(mixed) => {
            let (n, m) = (mixed.unknowns.len(), mixed.relations.len());
            let _ = writeln!(out, "{pad}mixed block of {n} unknowns and {m} relations");
            for inner in mixed.discrete.iter().chain(&mixed.continuous) {
                show(model, equations, inner, depth + 1, out);
            }
            for &r in &mixed.relations {
                let _ = writeln!(out, "{pad}  decide {}", model.relation_text(r));
            }
        }
    }
}

fn assign_text(model: &CausalModel, assign: &Assign) -> String {
    format!("[{}] = {}", name(model, assign.var), model.text(assign.value))
}

fn torn_text(model: &CausalModel, equations: &[EquationInfo], torn: &Torn, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    let kind = if torn.linear { "linear" } else { "nonlinear" };
    let (size, rest) = (torn.inner.len() + torn.residuals.len(), torn.residuals.len());
    let _ = writeln!(out, "{pad}{kind} loop of {size}, {rest} after tearing");
    let iteration: Vec<&str> = torn.iteration.iter().map(|&v| name(model, v)).collect();
    let _ = writeln!(out, "{pad}  iterate on [{}]", iteration.join(", "));
    for assign in &torn.inner {
        let _ = writeln!(out, "{pad}  {}", assign_text(model, assign));
    }
    for (_, equation) in &torn.residuals {
        let _ = writeln!(out, "{pad}  until {}", model.equation_text(&equations[*equation as usize]));
    }
}
