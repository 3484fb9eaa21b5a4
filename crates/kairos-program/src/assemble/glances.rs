//! Who looks back at an event: the left limits and ticks that call for another evaluation.

use super::Assembler;
use crate::tape::Slot;
use kairos_causal::{Alias, Block, Effect, Role};
use kairos_expr::{BinOp, ExprId, Node, VarId};
use kairos_model::Action;
use std::collections::HashSet;

/// What is read of the past.
pub(super) struct Glances {
    /// By variable: is its left limit read otherwise than to keep it? To keep a value twice changes nothing.
    pub limits: Vec<bool>,
    /// Conditions that hold only while something ticks. Present if ticks do nothing beside making clauses act: when they
    /// end, these fall, and nothing else changes.
    pub momentary: Option<Vec<Slot>>,
}

impl Assembler {
    pub(super) fn glances(&self) -> Glances {
        let mut look = Look {
            work: self,
            momentary: HashSet::new(),
            own: Vec::new(),
            roots: Vec::new(),
            conditions: Vec::new(),
        };
        self.model.blocks.iter().for_each(|block| look.block(block));
        for effect in &self.model.effects {
            look.effect(effect);
        }
        let mut read = vec![false; self.model.vars.len()];
        let kept = look.own.iter().chain(&look.conditions).copied();
        let all: Vec<ExprId> = look.roots.iter().copied().chain(kept).collect();
        for v in self.model.store.variables(&all).into_iter().map(|v| self.meant(v)) {
            if let Role::Pre(now) = self.model.roles[v.index()] {
                read[now.index()] = true;
            }
        }
        let plain = |condition: &&ExprId| !look.is_momentary(**condition);
        let others = look.conditions.iter().filter(plain).chain(&look.roots);
        let others: Vec<ExprId> = others.copied().collect();
        let ticks = |v: &VarId| look.ticks(*v);
        let seen = self.model.store.variables(&others).iter().any(ticks);
        let momentary = (!seen).then(|| {
            let mut slots: Vec<Slot> = look.momentary.iter().map(|&v| self.slot(v)).collect();
            slots.sort_unstable();
            slots
        });
        Glances { limits: read, momentary }
    }
}

impl Assembler {
    /// The variable that a name stands for.
    fn meant(&self, v: VarId) -> VarId {
        match self.model.aliases[v.index()] {
            Some(Alias::Of { var, .. }) => var,
            _ => v,
        }
    }
}

struct Look<'a> {
    work: &'a Assembler,
    momentary: HashSet<VarId>,
    /// The equations of these.
    own: Vec<ExprId>,
    /// What is read anywhere, but for conditions under which values are kept or not.
    roots: Vec<ExprId>,
    conditions: Vec<ExprId>,
}

impl Look<'_> {
    fn block(&mut self, block: &Block) {
        match block {
            Block::Assign(assign) => self.equation(assign.var, assign.value),
            Block::Relation(r) => self.relation(r.index()),
            Block::Torn(torn) => {
                self.roots.extend(torn.inner.iter().map(|a| a.value));
                self.roots.extend(torn.residuals.iter().map(|r| r.0));
            }
            Block::Mixed(mixed) => {
                mixed.continuous.iter().chain(&mixed.discrete).for_each(|block| self.block(block));
                mixed.relations.iter().for_each(|r| self.relation(r.index()));
            }
        }
    }

    fn relation(&mut self, r: usize) {
        let relation = &self.work.model.relations[r];
        self.roots.extend([relation.lhs, relation.rhs]);
    }

    fn equation(&mut self, var: VarId, value: ExprId) {
        let model = &self.work.model;
        let limit = model.pre[var.index()];
        if model.roles[var.index()] == Role::Helper && limit.is_none() && self.falls(value) {
            self.momentary.insert(var);
            self.own.push(value);
            return;
        }
        // if a then x elseif b then y else pre(v)
        let (mut conditions, mut values, mut here) = (Vec::new(), Vec::new(), value);
        while let Node::If(condition, value, otherwise) = *model.store.node(here) {
            conditions.push(condition);
            values.push(value);
            here = otherwise;
        }
        let keeps = limit.is_some() && matches!(model.store.node(here), Node::Var(v) if Some(*v) == limit);
        if keeps {
            self.conditions.extend(conditions);
            self.roots.extend(values);
        } else {
            self.roots.push(value);
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::When { branches, .. } => {
                for action in branches.iter().flat_map(|(_, actions)| actions) {
                    match action {
                        Action::Reinit(_, e) | Action::Call(e) => self.roots.push(*e),
                        Action::Terminate(condition, message) => {
                            self.roots.extend([*condition, *message]);
                        }
                        Action::Assert { condition, message, .. } => self.roots.extend([condition, message]),
                    }
                }
            }
            Effect::Assert { condition, message, .. } => self.roots.extend([condition, message]),
            Effect::Call(e, _) => self.roots.push(*e),
        }
    }

    /// Is a condition false whenever nothing ticks?
    fn falls(&self, e: ExprId) -> bool {
        match *self.work.model.store.node(e) {
            Node::Var(v) => self.ticks(v),
            Node::Binary(BinOp::And, a, b) => self.falls(a) || self.falls(b),
            Node::Binary(BinOp::Or, a, b) => self.falls(a) && self.falls(b),
            _ => false,
        }
    }

    fn ticks(&self, v: VarId) -> bool {
        let v = self.work.meant(v);
        matches!(self.work.model.roles[v.index()], Role::Sampler(_)) || self.momentary.contains(&v)
    }

    fn is_momentary(&self, condition: ExprId) -> bool {
        matches!(*self.work.model.store.node(condition), Node::Var(v) if self.ticks(v))
    }
}
