//! What the compiler did, as JSON for tools.

use crate::explain::{alias_text, name};
use crate::model::{Assign, Block, CausalModel, EquationInfo};
use kairos_base::json::{list, quote};
use kairos_expr::RelationId;
use std::fmt::Write;

/// The same as `explain`, one object.
pub fn explain_json(model: &CausalModel) -> String {
    let states = model.states.iter().map(|s| {
        let derivative = quote(name(model, s.derivative));
        let (state, reason) = (quote(name(model, s.var)), quote(&s.reason));
        format!(r#"{{"name":{state},"derivative":{derivative},"reason":{reason}}}"#)
    });
    let sets = model.state_sets.iter().map(|set| {
        let candidates = set.candidates.iter().map(|&c| quote(name(model, c)));
        format!(r#"{{"states":{},"candidates":{}}}"#, set.states.len(), list(candidates))
    });
    let relations = model.relations.iter().enumerate().map(|(k, r)| {
        let text = quote(&model.relation_text(RelationId::new(k)));
        format!(r#"{{"relation":{text},"by_time":{}}}"#, r.time.is_some())
    });
    let aliases = (0..model.vars.len()).filter_map(|v| alias_text(model, v)).map(|a| quote(&a));
    let mut out = String::new();
    let _ = write!(out, r#"{{"model":{},"states":{}"#, quote(&model.name), list(states));
    let _ = write!(out, r#","state_sets":{},"relations":{}"#, list(sets), list(relations));
    let _ = write!(out, r#","blocks":{}"#, blocks(model, &model.equations, &model.blocks));
    let _ = write!(out, r#","initial":{}"#, blocks(model, &model.initial.equations, &model.initial.blocks));
    let _ = write!(out, r#","assumed":{}"#, list(model.initial.report.iter().map(|line| quote(line))));
    let _ = write!(out, r#","index_reduction":{}"#, list(model.report.iter().map(|line| quote(line))));
    let _ = writeln!(out, r#","aliases":{}}}"#, list(aliases));
    out
}

fn blocks(model: &CausalModel, equations: &[EquationInfo], blocks: &[Block]) -> String {
    list(blocks.iter().map(|b| block(model, equations, b)))
}

fn assign(model: &CausalModel, a: &Assign) -> String {
    format!(r#"{{"unknown":{},"value":{}}}"#, quote(name(model, a.var)), quote(&model.text(a.value)))
}

fn block(model: &CausalModel, equations: &[EquationInfo], it: &Block) -> String {
    match it {
        Block::Assign(a) => format!(r#"{{"assign":{}}}"#, assign(model, a)),
        Block::Relation(r) => format!(r#"{{"decide":{}}}"#, quote(&model.relation_text(*r))),
        Block::Torn(torn) => {
            let size = torn.inner.len() + torn.residuals.len();
            let iteration = list(torn.iteration.iter().map(|&v| quote(name(model, v))));
            let inner = list(torn.inner.iter().map(|a| assign(model, a)));
            let residuals =
                list(torn.residuals.iter().map(|r| quote(&model.equation_text(&equations[r.1 as usize]))));
            format!(
                r#"{{"loop":{{"linear":{},"size":{size},"torn":{},"iteration":{iteration},"inner":{inner},"residuals":{residuals}}}}}"#,
                torn.linear,
                torn.iteration.len()
            )
        }
        Block::Mixed(mixed) => {
            let decide = list(mixed.relations.iter().map(|&r| quote(&model.relation_text(r))));
            format!(
                r#"{{"mixed":{{"decide":{decide},"continuous":{},"discrete":{}}}}}"#,
                blocks(model, equations, &mixed.continuous),
                blocks(model, equations, &mixed.discrete)
            )
        }
    }
}
