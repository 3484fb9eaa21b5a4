//! What events bring about, and what brings them about: whens, asserts, relations, samplers, left limits.

use super::{Assembler, Use};
use crate::describe::inputs;
use crate::lower::Target;
use crate::program::{ActionCode, AssertCode, RelationCode, WhenCode};
use crate::tape::{Destination, Slot, Tape};
use kairos_base::Span;
use kairos_causal::{Effect, Role};
use kairos_expr::{ExprId, RelationId, Scalar, VarId};
use kairos_model::Action;

impl Assembler {
    pub(super) fn relations(&mut self) -> (Tape, Vec<RelationCode>) {
        let mut targets = Vec::new();
        let mut codes = Vec::new();
        for r in 0..self.model.relations.len() {
            let relation = self.model.relations[r].clone();
            let (left, right) = (self.memory.temporary(), self.memory.temporary());
            let time = relation.time.map(|(slope, rest)| {
                let slots = [self.memory.temporary(), self.memory.temporary(), self.memory.temporary()];
                let literal = self.literal(RelationId::new(r));
                let list = [slope, rest, literal];
                let list: Vec<Target> = slots
                    .iter()
                    .zip(list)
                    .map(|(&to, value)| Target { to: Destination::Number(to), value })
                    .collect();
                (self.lower(&list), slots[0], slots[1], slots[2])
            });
            if time.is_none() {
                targets.push(Target { to: Destination::Number(left), value: relation.lhs });
                targets.push(Target { to: Destination::Number(right), value: relation.rhs });
            }
            codes.push(RelationCode { op: relation.op, left, right, time });
        }
        (self.lower_for(&targets, Use::Motion), codes)
    }

    /// What tells whether relations are wanted, with a slot for each that may not be.
    pub(super) fn demands(&mut self) -> (Tape, Vec<(u32, Slot)>) {
        let (mut targets, mut slots) = (Vec::new(), Vec::new());
        for r in 0..self.model.relations.len() {
            if let Some(value) = self.model.relations[r].demand {
                let to = self.memory.temporary();
                targets.push(Target { to: Destination::Number(to), value });
                slots.push((r as u32, to));
            }
        }
        (self.lower(&targets), slots)
    }

    pub(super) fn samplers(&mut self) -> Vec<(Tape, Slot, Slot)> {
        let list: Vec<(ExprId, ExprId)> = self.model.samplers.iter().map(|s| (s.start, s.interval)).collect();
        list.into_iter()
            .map(|(start, interval)| {
                let (a, b) = (self.memory.temporary(), self.memory.temporary());
                let tape = self.lower(&[
                    Target { to: Destination::Number(a), value: start },
                    Target { to: Destination::Number(b), value: interval },
                ]);
                (tape, a, b)
            })
            .collect()
    }

    /// Arguments of operators with a past may contain such operators.
    pub(super) fn history(&mut self) -> Tape {
        loop {
            let (delays, transports) = (self.memory.delays.clone(), self.memory.transports.clone());
            let delayed = delays.iter().flat_map(|d| [(d.value, d.expr), (d.time, d.by)]);
            let sent = transports.iter().flat_map(|t| t.values.iter().copied().zip(t.args.iter().copied()));
            let target = |(to, value)| Target { to: Destination::Number(to), value };
            let targets: Vec<Target> = delayed.chain(sent).map(target).collect();
            let tape = self.lower(&targets);
            if (self.memory.delays.len(), self.memory.transports.len()) == (delays.len(), transports.len()) {
                return tape;
            }
        }
    }

    pub(super) fn effects(&mut self) -> (Vec<WhenCode>, Vec<AssertCode>, Vec<Tape>) {
        let (mut whens, mut asserts, mut calls) = (Vec::new(), Vec::new(), Vec::new());
        for effect in self.model.effects.clone() {
            match effect {
                Effect::When { branches, origin } => {
                    for (fire, actions) in branches {
                        let actions =
                            actions.into_iter().filter_map(|a| self.action(a, origin.span)).collect();
                        whens.push(WhenCode { fire: self.slot(fire), actions, span: origin.span });
                    }
                }
                Effect::Assert { condition, message, warning, origin } => {
                    let (tape, slot) = self.value(condition);
                    let vars = self.model.store.variables(&[condition]);
                    let values = vars
                        .into_iter()
                        .filter(|v| self.memory.other_of[v.index()].is_none())
                        .map(|v| (self.model.vars[v.index()].name.clone(), self.slot(v)))
                        .collect();
                    asserts.push(AssertCode {
                        condition: slot,
                        tape,
                        message,
                        warning,
                        span: origin.span,
                        values,
                    });
                }
                Effect::Call(e, _) => calls.push(self.value(e).0),
            }
        }
        (whens, asserts, calls)
    }

    pub(super) fn action(&mut self, action: Action, span: Span) -> Option<ActionCode> {
        Some(match action {
            Action::Reinit(v, e) => {
                let states = &self.model.states;
                let input = || Some(states.len() + inputs(&self.model).position(|i| i == v)?);
                let state = states.iter().position(|s| s.var == v).or_else(input)? as u32;
                let (tape, value) = self.value(e);
                ActionCode::Reinit { state, value, tape }
            }
            Action::Assert { condition, message, warning } => {
                let (tape, condition) = self.value(condition);
                ActionCode::Assert { condition, tape, message, warning, span }
            }
            Action::Terminate(condition, message) => {
                let (tape, condition) = self.value(condition);
                ActionCode::Terminate { condition, tape, message }
            }
            Action::Call(e) => ActionCode::Call { tape: self.value(e).0 },
        })
    }

    /// Copies for left limits; and the pairs to compare, with a left limit for every discrete variable.
    pub(super) fn left_limits(&mut self) -> (Vec<(Slot, Slot)>, Vec<(Slot, Slot)>, Vec<VarId>) {
        let (mut pre, mut discrete, mut vars) = (Vec::new(), Vec::new(), Vec::new());
        for v in 0..self.model.vars.len() {
            let object = self.memory.other_of[v].is_some() && self.model.vars[v].ty != Scalar::Str;
            if object || self.model.aliases[v].is_some() {
                continue;
            }
            let watched = self.model.roles[v] == Role::Discrete;
            let copy = match self.model.pre[v] {
                Some(p) => self.slot(p),
                None if watched => self.memory.temporary(),
                None => continue,
            };
            let from = self.memory.slot_of[v];
            match watched {
                true => {
                    discrete.push((from, copy));
                    vars.push(VarId::new(v));
                }
                false => pre.push((from, copy)),
            }
        }
        (pre, discrete, vars)
    }
}
