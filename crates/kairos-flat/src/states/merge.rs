//! What states do to equations: one definition of variables that several states define, and memories that are reset.

use super::semantics::Counters;
use super::{Machine, Made, States};
use crate::diagnostics;
use crate::expand::{Expander, SCALARS};
use kairos_base::hash::HashMap;
use kairos_base::{Name, Span};
use kairos_expr::{Builtin, ExprId, ExprMap, Node, Scalar, Type, VarId};
use kairos_model::{Equation, Variable};
use kairos_sema::{CompId, What};
use std::collections::{BTreeMap, BTreeSet};

/// Rewrites the equations of the model for the states that they stand in.
pub fn states(
    x: &mut Expander,
    vars: &mut Vec<Variable>,
    equations: &mut Vec<Equation>,
    states: &States,
    machines: &[Machine],
    counters: &[Counters],
) {
    let same = inner_sides(x, states);
    for equation in equations.iter_mut() {
        let state = states.around(equation.origin.path.as_str());
        let span = equation.origin.span;
        equation.visit_vars_mut(&mut |v| *v = outermost(&same, *v));
        equation.visit_exprs_mut(&mut |e| *e = plain(x, vars, states, counters, &same, state, span, *e));
    }
    let definitions = definitions(x, equations, states, &same);
    let mut copies: HashMap<(usize, VarId), VarId> = HashMap::default();
    let span = x.span;
    let mut made = Made { x, vars, equations: Vec::new(), span };
    for (&v, definers) in &definitions {
        merged(&mut made, states, machines, v, definers, &mut copies);
    }
    for (&inner, _) in same.iter().collect::<BTreeMap<_, _>>() {
        let name = made.vars[(inner.0 - SCALARS) as usize].name.clone();
        let value = made.value(outermost(&same, inner));
        made.define(inner, value);
        own_path(&mut made, states, &name);
    }
    let added = made.equations;
    for equation in equations.iter_mut() {
        let Some(state) = states.around(equation.origin.path.as_str()) else { continue };
        equation.visit_vars_mut(&mut |v| *v = copies.get(&(state, *v)).copied().unwrap_or(*v));
        equation.visit_exprs_mut(&mut |e| *e = own(x, &copies, state, *e));
    }
    equations.extend(added);
    look_back(x, vars, equations, states);
}

/// The last equation made stands in the state that declares the variable.
fn own_path(made: &mut Made, states: &States, name: &str) {
    let path = states.of_variable(name).map_or("", |s| &states.list[s].path);
    if let Some(equation) = made.equations.last_mut() {
        equation.origin.path = Name::new(path);
    }
}

/// `v = if active(a) then what a says elseif … else its last value`, and a variable for what each state says.
fn merged(
    made: &mut Made,
    states: &States,
    machines: &[Machine],
    v: VarId,
    definers: &BTreeMap<usize, Span>,
    copies: &mut HashMap<(usize, VarId), VarId>,
) {
    let var = made.vars[(v.0 - SCALARS) as usize].clone();
    let list: Vec<(usize, Span)> = definers.iter().map(|(s, span)| (*s, *span)).collect();
    apart(made, states, machines, &var.name, &list);
    made.span = var.span;
    let mut value = made.previous(v);
    for &(state, _) in list.iter().rev() {
        let name = format!("{}.$says({})", states.list[state].path, var.name);
        let copy = made.variable(name, var.ty, var.start);
        copies.insert((state, v), copy);
        let (acts, says) = (made.value(states.list[state].active), made.value(copy));
        value = made.x.sema.store.choose(acts, says, value);
    }
    made.define(v, value);
    own_path(made, states, &var.name);
}

/// States that define one variable must never be active at once.
pub fn apart(made: &mut Made, states: &States, machines: &[Machine], name: &str, list: &[(usize, Span)]) {
    for (k, (a, first)) in list.iter().enumerate() {
        for (b, second) in &list[k + 1..] {
            if !exclude_each_other(states, machines, *a, *b) {
                made.x.diagnostics.push(diagnostics::parallel_states(name, *second, *first));
            }
        }
    }
}

/// Some machine is in one state for the one and in another for the other.
fn exclude_each_other(states: &States, machines: &[Machine], a: usize, b: usize) -> bool {
    let chain = |mut state: usize| {
        let mut list = vec![(states.list[state].machine, state)];
        while let Some(around) = machines[states.list[state].machine].around {
            list.push((states.list[around].machine, around));
            state = around;
        }
        list
    };
    let other = chain(b);
    chain(a).iter().any(|(machine, state)| other.iter().any(|(m, s)| m == machine && s != state))
}

/// `inner outer` makes two variables of one name; in a state they are one, since states say what outer ones are.
fn inner_sides(x: &mut Expander, states: &States) -> HashMap<VarId, VarId> {
    let mut same = HashMap::default();
    for state in &states.list {
        let comp = x.sema.comp(state.comp);
        let Some(sides) = &comp.inner_sides else { continue };
        let pairs: Vec<(CompId, CompId)> = (sides.iter())
            .filter_map(|(name, inner)| Some((*inner, x.sema.comp(*comp.children.get(&name)?).outer?)))
            .collect();
        for (inner, outer) in pairs {
            same.extend(scalars(x, inner).into_iter().zip(scalars(x, outer)));
        }
    }
    same
}

fn outermost(same: &HashMap<VarId, VarId>, mut v: VarId) -> VarId {
    while let Some(&outer) = same.get(&v) {
        v = outer;
    }
    v
}

fn scalars(x: &Expander, comp: CompId) -> Vec<VarId> {
    let Some(first) = x.first(comp) else { return Vec::new() };
    let count: usize = x.sema.comp(comp).dims.iter().map(|d| d.known().unwrap_or(0)).product();
    (0..count as u32).map(|k| VarId(first.0 + k)).collect()
}

/// Variables that are outer outputs of states, and the states whose equations mention them.
fn definitions(
    x: &mut Expander,
    equations: &[Equation],
    states: &States,
    same: &HashMap<VarId, VarId>,
) -> BTreeMap<VarId, BTreeMap<usize, Span>> {
    let mut declared = BTreeSet::new();
    for (s, state) in states.list.iter().enumerate() {
        let mut todo = vec![state.comp];
        while let Some(comp) = todo.pop() {
            for &part in x.sema.parts(comp).iter() {
                let c = x.sema.comp(part);
                match c.outer {
                    Some(inner) if x.sema.is_declared_output(part) => {
                        declared.extend(scalars(x, inner).into_iter().map(|v| (s, outermost(same, v))));
                    }
                    None if c.what == What::Parts && !states.list.iter().any(|s| s.comp == part) => {
                        todo.push(part);
                    }
                    _ => {}
                }
            }
        }
    }
    let mut found: BTreeMap<VarId, BTreeMap<usize, Span>> = BTreeMap::new();
    for equation in equations {
        let Some(state) = states.around(equation.origin.path.as_str()) else { continue };
        let mut equation = equation.clone();
        let mut mentioned = Vec::new();
        equation.visit_vars_mut(&mut |v| mentioned.push(*v));
        let store = &x.sema.store;
        equation.visit_exprs_mut(&mut |e| {
            let remembered = |e| matches!(store.node(e), Node::Builtin(Builtin::Previous, _));
            for e in store.post_order(&[*e], remembered) {
                if let Node::Var(v) = store.node(e) {
                    mentioned.push(*v);
                }
            }
        });
        for v in mentioned.into_iter().filter(|v| declared.contains(&(state, *v))) {
            found.entry(v).or_default().entry(state).or_insert(equation.origin.span);
        }
    }
    found
}

/// In a state its outputs are what it says of them; their last values are those of the variables.
fn own(x: &mut Expander, copies: &HashMap<(usize, VarId), VarId>, state: usize, e: ExprId) -> ExprId {
    let mut memo = ExprMap::default();
    for node in x.sema.store.post_order(&[e], |_| false) {
        match *x.sema.store.node(node) {
            Node::Builtin(Builtin::Previous, _) => {
                memo.insert(node, node);
            }
            Node::Var(v) => {
                if let Some(&copy) = copies.get(&(state, v)) {
                    let ty = x.sema.store.ty(node).clone();
                    let copy = x.sema.store.var(copy, ty);
                    memo.insert(node, copy);
                }
            }
            _ => {}
        }
    }
    x.sema.store.rewrite(e, &mut memo, &mut |_, e| e)
}

/// `previous(v)` of a variable in a state is its start value where the state begins again.
pub fn look_back(x: &mut Expander, vars: &[Variable], equations: &mut [Equation], states: &States) {
    let mut memo = ExprMap::default();
    for equation in equations {
        equation.visit_exprs_mut(&mut |e| {
            for node in x.sema.store.post_order(&[*e], |e| memo.contains_key(&e)) {
                let Node::Builtin(Builtin::Previous, args) = x.sema.store.node(node) else { continue };
                let Node::Var(v) = *x.sema.store.node(args[0]) else { continue };
                let Some(var) = v.0.checked_sub(SCALARS).map(|k| &vars[k as usize]) else { continue };
                let Some(state) = states.of_variable(&var.name) else { continue };
                let reset = x.sema.store.var(states.list[state].reset, Type::scalar(Scalar::Bool));
                let start = var.start.unwrap_or_else(|| default(x, var.ty));
                let value = x.sema.store.choose(reset, start, node);
                memo.insert(node, value);
            }
            *e = x.sema.store.rewrite(*e, &mut memo, &mut |_, e| e);
        });
    }
}

fn default(x: &mut Expander, ty: Scalar) -> ExprId {
    let store = &mut x.sema.store;
    match ty {
        Scalar::Bool => store.bool(false),
        Scalar::Int => store.int(0),
        Scalar::Str => store.str(""),
        Scalar::Enum(ty) => store.literal(ty, 1),
        _ => store.real(0.0),
    }
}

/// The state that `activeState` asks for.
pub fn state_named(x: &Expander, states: &States, e: ExprId) -> Option<usize> {
    let Node::Builtin(Builtin::ActiveState, args) = x.sema.store.node(e) else { return None };
    let Node::Str(path) = x.sema.store.node(args[0]) else { return None };
    states.list.iter().position(|s| s.path == path.as_str())
}

/// An expression of the model without operators of state machines and inner sides of variables.
#[allow(clippy::too_many_arguments)]
fn plain(
    x: &mut Expander,
    vars: &[Variable],
    states: &States,
    counters: &[Counters],
    same: &HashMap<VarId, VarId>,
    state: Option<usize>,
    span: Span,
    e: ExprId,
) -> ExprId {
    let mut memo = ExprMap::default();
    for node in x.sema.store.post_order(&[e], |_| false) {
        let value = match x.sema.store.node(node).clone() {
            Node::Var(v) if same.contains_key(&v) => outermost(same, v),
            Node::Builtin(f @ (Builtin::TicksInState | Builtin::TimeInState), _) => {
                let Some(state) = state else {
                    x.diagnostics.push(diagnostics::not_in_machine(f.name(), span));
                    continue;
                };
                let counters = &counters[states.list[state].machine];
                if f == Builtin::TicksInState { counters.ticks } else { counters.seconds }
            }
            Node::Builtin(Builtin::ActiveState, _) => match state_named(x, states, node) {
                Some(state) => states.list[state].active,
                None => {
                    x.diagnostics.push(diagnostics::not_in_machine("activeState", span));
                    continue;
                }
            },
            _ => continue,
        };
        let ty = vars[(value.0 - SCALARS) as usize].ty;
        let value = x.sema.store.var(value, Type::scalar(ty));
        memo.insert(node, value);
    }
    x.sema.store.rewrite(e, &mut memo, &mut |_, e| e)
}
