//! What a machine tells about the model: names, units, relations, sparsity.

use crate::info::{Attribute, MachineInfo, RelationInfo, VarInfo};
use crate::program::Memory;
use crate::structure::Needs;
use kairos_causal::{Alias, Block, CausalModel, Effect, Role};
use kairos_expr::{BinOp, ExprId, Node, RelationId, Scalar, VarId, Variability};
use kairos_model::Causality;

/// Derivatives of states are results, too, under the name that other tools give them.
fn derivatives(model: &CausalModel, memory: &Memory) -> impl Iterator<Item = VarInfo> {
    let shown = model.states.iter().filter(|state| state.var.index() < model.declared);
    shown.map(|state| {
        let (var, derivative) = (&model.vars[state.var.index()], state.derivative.index());
        let unit = match var.unit.as_str() {
            "" => String::new(),
            unit if unit.contains('/') => format!("({unit})/s"),
            unit => format!("{unit}/s"),
        };
        VarInfo {
            name: format!("der({})", var.name),
            ty: var.ty,
            unit,
            display_unit: String::new(),
            description: String::new(),
            protected: var.protected,
            causality: Causality::Local,
            variability: Variability::Continuous,
            start: None,
            min: None,
            max: None,
            nominal: None,
            span: var.span,
            is_found: false,
            is_final: false,
            is_discrete: false,
            settable: false,
            given: None,
            slot: memory.slot_of[derivative],
            negated: matches!(model.aliases[derivative], Some(Alias::Of { negated: true, .. })),
            literals: Vec::new(),
            enumeration: String::new(),
        }
    })
}

pub fn describe(model: &CausalModel, memory: &Memory, needs: &Needs) -> MachineInfo {
    let slot = |v: VarId| memory.slot_of[v.index()];
    let mut vars: Vec<VarInfo> = Vec::with_capacity(model.declared + model.states.len());
    let given = given(model, memory);
    let declared = (0..model.declared).map(|v| {
        let var = &model.vars[v];
        let base = match model.aliases[v] {
            Some(Alias::Of { var, .. }) => var.index(),
            _ => v,
        };
        let role = model.roles[base];
        let attribute = |e: Option<ExprId>| e.map(|e| attribute(model, memory, e));
        VarInfo {
            name: var.name.clone(),
            ty: var.ty,
            unit: var.unit.to_string(),
            display_unit: var.display_unit.to_string(),
            description: var.description.to_string(),
            protected: var.protected,
            causality: var.causality,
            variability: var.variability,
            start: attribute(var.start),
            min: attribute(var.min),
            max: attribute(var.max),
            nominal: attribute(var.nominal),
            span: var.span,
            is_found: role == Role::FreeParameter,
            is_final: var.is_final,
            is_discrete: role == Role::Discrete,
            settable: role == Role::Parameter && !var.structural && var.variability == Variability::Parameter,
            given: given[v],
            slot: memory.slot_of[v],
            negated: matches!(model.aliases[v], Some(Alias::Of { negated: true, .. })),
            literals: match var.ty {
                Scalar::Enum(e) => {
                    model.store.enumeration(e).literals.iter().map(|l| l.to_string()).collect()
                }
                _ => Vec::new(),
            },
            enumeration: match var.ty {
                Scalar::Enum(e) => model.store.enumeration(e).name.to_string(),
                _ => String::new(),
            },
        }
    });
    vars.extend(declared);
    vars.extend(derivatives(model, memory));
    let mut given: Vec<u32> = given.into_iter().flatten().collect();
    given.sort_unstable();
    let relations = model.relations.iter().enumerate().map(|(k, r)| RelationInfo {
        text: model.relation_text(RelationId::new(k)),
        span: r.origin.span,
        by_time: r.time.is_some(),
        true_side: match r.op {
            BinOp::Lt | BinOp::Le => -1,
            BinOp::Gt | BinOp::Ge => 1,
            _ => 0,
        },
        at_zero: matches!(r.op, BinOp::Le | BinOp::Ge | BinOp::Eq),
    });
    MachineInfo {
        glances: Vec::new(),
        parts: Vec::new(),
        residuals: model.residuals.iter().map(|&v| (slot(v), model.vars[v.index()].name.clone())).collect(),
        name: model.name.clone(),
        states: model.states.iter().map(|s| slot(s.var)).collect(),
        derivatives: model.states.iter().map(|s| slot(s.derivative)).collect(),
        state_names: model.states.iter().map(|s| model.vars[s.var.index()].name.clone()).collect(),
        nominal: model
            .states
            .iter()
            .map(|s| model.vars[s.var.index()].nominal.and_then(|e| model.store.number(e)).unwrap_or(1.0))
            .map(|x| if x != 0.0 && x.is_finite() { x.abs() } else { 1.0 })
            .collect(),
        vars,
        relations: relations.collect(),
        samplers: model
            .samplers
            .iter()
            .map(|s| {
                let text = format!("sample({}, {})", model.text(s.start), model.text(s.interval));
                (text, s.origin.span)
            })
            .collect(),
        jacobian_columns: needs.jacobian.clone(),
        state_sets: model.state_sets.len(),
        needs_history: memory.has_past(),
        asserts: model.effects.iter().any(|effect| matches!(effect, Effect::Assert { .. })),
        slots: memory.slot_of.clone(),
        relation_slot: memory.relations,
        inputs: inputs(model).map(slot).collect(),
        given,
    }
}

fn attribute(model: &CausalModel, memory: &Memory, e: ExprId) -> Attribute {
    if let Some(number) = model.store.number(e) {
        return Attribute::Number(number);
    }
    match *model.store.node(e) {
        Node::Var(p) if model.roles[p.index()] == Role::Parameter && model.aliases[p.index()].is_none() => {
            Attribute::Parameter(memory.slot_of[p.index()])
        }
        _ => Attribute::Text(model.text(e)),
    }
}

/// The slots that take the values of the model's inputs, by variable.
fn given(model: &CausalModel, memory: &Memory) -> Vec<Option<u32>> {
    let mut slots = vec![None; model.declared];
    for v in (0..model.declared).filter(|&v| model.vars[v].causality == Causality::Input) {
        slots[v] = (model.roles[v] == Role::Input).then(|| memory.slot_of[v]);
    }
    // A discrete input follows what is given, one of a clocked partition where its clock ticks.
    let follows = |value: ExprId| match *model.store.node(value) {
        Node::If(_, now, _) => model.store.node(now),
        ref node => node,
    };
    for block in &model.blocks {
        if let Block::Assign(assign) = block
            && model.vars[assign.var.index()].causality == Causality::Input
            && let Node::Var(of) = *follows(assign.value)
            && model.roles[of.index()] == Role::Given
        {
            slots[assign.var.index()] = Some(memory.slot_of[of.index()]);
        }
    }
    slots
}

/// Variables that are set from outside, in order.
pub fn inputs(model: &CausalModel) -> impl Iterator<Item = VarId> + '_ {
    (0..model.vars.len()).filter(|&v| model.roles[v] == Role::Input).map(VarId::new)
}
