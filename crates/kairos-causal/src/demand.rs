//! When each relation is read at all: one that stands only in branches which are not taken need not be searched for.

use crate::model::{Block, CausalModel, Effect, Role};
use kairos_expr::{BinOp, ExprId, ExprMap, Node, UnOp, VarId};
use kairos_model::Action;

/// A condition of more parts than this costs more than the search that it saves.
const LARGEST: usize = 48;

/// Gives each relation the condition, constant between events, under which something reads it.
pub fn find(model: &mut CausalModel) {
    // The conditions of other structures are read outside of these equations.
    if model.modes.is_some() || model.relations.iter().all(|r| r.time.is_some()) {
        return;
    }
    let mut search = Search {
        needs: vec![Need::Never; model.relations.len()],
        carries: ExprMap::default(),
        persists: ExprMap::default(),
        pulses: pulses(model),
    };
    search.follow(model, &roots(model), Need::Always);
    // A relation inside of another one was made before it.
    for r in (0..model.relations.len()).rev() {
        let relation = &model.relations[r];
        let searched = relation.time.is_none();
        let sides = [relation.lhs, relation.rhs];
        // Nobody reads the bounds of whole numbers: they announce that these change.
        let need = match search.needs[r] {
            Need::When(e) if searched => Need::When(e),
            _ => Need::Always,
        };
        if let Need::When(e) = need
            && model.store.post_order(&[e], |_| false).len() <= LARGEST
        {
            model.relations[r].demand = Some(e);
        }
        search.follow(model, &sides, need);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Need {
    Never,
    When(ExprId),
    Always,
}

struct Search {
    /// By relation.
    needs: Vec<Need>,
    /// Does the expression contain relations?
    carries: ExprMap<bool>,
    /// Does the condition keep its value from event to event, and beyond the iteration that gives it?
    persists: ExprMap<bool>,
    /// Variables that may be true for one iteration only.
    pulses: Vec<bool>,
}

impl Search {
    /// Hands the need for the roots down to the relations in them.
    fn follow(&mut self, model: &mut CausalModel, roots: &[ExprId], need: Need) {
        for e in model.store.post_order(roots, |e| self.carries.contains_key(&e)) {
            let mut any = matches!(model.store.node(e), Node::Relation(_));
            model.store.children(e, |c| any |= self.carries.get(&c).copied().unwrap_or(false));
            self.carries.insert(e, any);
        }
        let order = model.store.post_order(roots, |e| !self.carries[&e]);
        let mut needs: ExprMap<Need> = ExprMap::default();
        roots.iter().for_each(|&root| {
            needs.insert(root, need);
        });
        for e in order.into_iter().rev() {
            let need = needs.get(&e).copied().unwrap_or(Need::Never);
            let mut hand = |model: &mut CausalModel, to: ExprId, need: Need| {
                if self.carries[&to] {
                    let known = needs.or_insert_with(to, || Need::Never);
                    *known = either(model, *known, need);
                }
            };
            match *model.store.node(e) {
                Node::Relation(r) => {
                    self.needs[r.index()] = either(model, self.needs[r.index()], need);
                }
                Node::If(condition, a, b) => {
                    hand(model, condition, need);
                    match persists(model, &mut self.persists, &self.pulses, condition) {
                        true => {
                            let (taken, other) = branches(model, need, condition);
                            hand(model, a, taken);
                            hand(model, b, other);
                        }
                        // What acts for one iteration must find its relations decided.
                        false => [a, b].into_iter().for_each(|side| hand(model, side, Need::Always)),
                    }
                }
                Node::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                    // The side without relations decides whether the other one matters.
                    let (first, second) = if self.carries[&a] && !self.carries[&b] { (b, a) } else { (a, b) };
                    hand(model, first, need);
                    let rest = match persists(model, &mut self.persists, &self.pulses, first) {
                        true => {
                            let (taken, other) = branches(model, need, first);
                            if op == BinOp::And { taken } else { other }
                        }
                        false => Need::Always,
                    };
                    hand(model, second, rest);
                }
                _ => {
                    let mut children = Vec::new();
                    model.store.children(e, |c| children.push(c));
                    children.into_iter().for_each(|c| hand(model, c, need));
                }
            }
        }
    }
}

fn either(model: &mut CausalModel, a: Need, b: Need) -> Need {
    match (a, b) {
        (Need::Always, _) | (_, Need::Always) => Need::Always,
        (Need::Never, other) | (other, Need::Never) => other,
        (Need::When(a), Need::When(b)) => Need::When(model.store.or(a, b)),
    }
}

/// The need where the condition is true, and where it is false.
fn branches(model: &mut CausalModel, need: Need, condition: ExprId) -> (Need, Need) {
    let store = &mut model.store;
    let not = store.not(condition);
    match need {
        Need::Never => (Need::Never, Need::Never),
        Need::Always => (Need::When(condition), Need::When(not)),
        Need::When(e) => (Need::When(store.and(e, condition)), Need::When(store.and(e, not))),
    }
}

fn persists(model: &CausalModel, memo: &mut ExprMap<bool>, pulses: &[bool], e: ExprId) -> bool {
    if let Some(&known) = memo.get(&e) {
        return known;
    }
    let steady = |v: VarId| match model.roles[v.index()] {
        Role::Parameter | Role::FreeParameter => true,
        Role::Discrete => !pulses[v.index()],
        _ => false,
    };
    let answer = model.store.post_order(&[e], |_| false).into_iter().all(|e| match *model.store.node(e) {
        Node::Time => false,
        Node::Var(v) => match model.roles[v.index()] {
            Role::Pre(now) => steady(now),
            _ => steady(v),
        },
        _ => true,
    });
    memo.insert(e, answer);
    answer
}

/// Variables that compare the present with the left limit, as `edge` and `change` do.
fn pulses(model: &CausalModel) -> Vec<bool> {
    let mut pulses = vec![false; model.vars.len()];
    let is_limit = |e: ExprId| {
        let inner = match *model.store.node(e) {
            Node::Unary(UnOp::Not, a) => a,
            _ => e,
        };
        matches!(*model.store.node(inner), Node::Var(v) if matches!(model.roles[v.index()], Role::Pre(_)))
    };
    let mut assigns = Vec::new();
    model.blocks.iter().for_each(|block| values(block, &mut |var, value| assigns.push((var, value))));
    for (var, value) in assigns {
        let Some(var) = var else { continue };
        pulses[var.index()] = match *model.store.node(value) {
            Node::Binary(BinOp::And, a, b) => {
                let negated = |e: ExprId| matches!(model.store.node(e), Node::Unary(UnOp::Not, _));
                negated(a) && is_limit(a) || negated(b) && is_limit(b)
            }
            Node::Binary(BinOp::Ne | BinOp::Eq, a, b) => is_limit(a) || is_limit(b),
            _ => false,
        };
    }
    pulses
}

/// Everything that is evaluated in a run.
fn roots(model: &CausalModel) -> Vec<ExprId> {
    let mut roots = Vec::new();
    model.blocks.iter().for_each(|block| values(block, &mut |_, value| roots.push(value)));
    for effect in &model.effects {
        match effect {
            Effect::When { branches, .. } => {
                for action in branches.iter().flat_map(|(_, actions)| actions) {
                    match action {
                        Action::Reinit(_, e) | Action::Call(e) => roots.push(*e),
                        Action::Terminate(condition, message) => roots.extend([*condition, *message]),
                        Action::Assert { condition, message, .. } => roots.extend([*condition, *message]),
                    }
                }
            }
            Effect::Assert { condition, message, .. } => roots.extend([*condition, *message]),
            Effect::Call(e, _) => roots.push(*e),
        }
    }
    roots.extend(model.samplers.iter().flat_map(|sampler| [sampler.start, sampler.interval]));
    roots.extend(model.state_sets.iter().flat_map(|set| &set.jacobian).flatten().map(|(_, e)| *e));
    roots.extend(model.relations.iter().filter_map(|r| r.time).flat_map(|(slope, rest)| [slope, rest]));
    roots
}

/// The expressions of a block, with the variables that get their values.
fn values(block: &Block, visit: &mut dyn FnMut(Option<VarId>, ExprId)) {
    match block {
        Block::Assign(assign) => visit(Some(assign.var), assign.value),
        Block::Relation(_) => {}
        Block::Torn(torn) => {
            torn.inner.iter().for_each(|assign| visit(Some(assign.var), assign.value));
            torn.residuals.iter().for_each(|(residual, _)| visit(None, *residual));
        }
        Block::Mixed(mixed) => {
            mixed.continuous.iter().chain(&mixed.discrete).for_each(|block| values(block, visit));
        }
    }
}
