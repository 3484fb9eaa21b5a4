//! What acts at events: flags of when-clauses, their actions, asserts and held relations.

use super::{Kind, Row, When, Work};
use crate::model::{Effect, Relation, Role};
use kairos_expr::{BinOp, ExprId, Node, RelationId, Scalar, Type, VarId};
use kairos_model::{Action, GuardedAction, Origin};

impl Work {
    /// What initial sections ask for or call is a matter of the start alone.
    pub fn act_at_start(&mut self, action: Action, origin: Origin) {
        let initial = self.var_expr(self.initial_flag);
        let fires = self.fire_flags(&[vec![initial]], origin);
        let branches = fires.into_iter().map(|fire| (fire, vec![action.clone()])).collect();
        self.whens.push(When { branches, origin });
    }

    pub fn assert(&mut self, condition: ExprId, message: ExprId, warning: bool, origin: Origin) {
        let condition = self.lower(condition, false);
        let message = self.lower(message, false);
        if !matches!(self.store.node(condition), Node::Bool(true)) {
            self.effects.push(Effect::Assert { condition, message, warning, origin });
        }
    }

    pub fn call(&mut self, call: ExprId, origin: Origin) {
        let call = self.lower(call, false);
        self.effects.push(Effect::Call(call, origin));
    }

    /// One flag for each branch of a when-clause: true at the event where the branch acts.
    pub fn fire_flags(&mut self, branches: &[Vec<ExprId>], origin: Origin) -> Vec<VarId> {
        if let Some(known) = self.fires.get(branches) {
            return known.clone();
        }
        let mut flags = Vec::new();
        let mut earlier = self.store.bool(false);
        let mut earlier_initial = false;
        for conditions in branches {
            let mut fire = self.store.bool(false);
            let mut initial = false;
            for &condition in conditions {
                let condition = self.lower(condition, true);
                let edge = match *self.store.node(condition) {
                    Node::Var(v) if v == self.initial_flag => {
                        initial = true;
                        continue;
                    }
                    Node::Bool(_) => continue,
                    Node::Var(v) if matches!(self.roles[v.index()], Role::Sampler(_)) => condition,
                    Node::Var(v) if self.is_discrete(v) || v == self.terminal_flag => self.edge(v),
                    _ => {
                        let name = format!("when condition {}", self.fires.len() + 1);
                        let v = self.new_var(&name, Scalar::Bool, Role::Helper);
                        self.assign(v, condition, origin);
                        self.edge(v)
                    }
                };
                fire = self.store.or(fire, edge);
            }
            let free = self.store.not(earlier);
            let value = self.store.and(fire, free);
            let flag = self.new_var("when clause acts", Scalar::Bool, Role::Helper);
            self.assign(flag, value, origin);
            let start = self.store.bool(initial && !earlier_initial);
            let e = self.var_expr(flag);
            if let Some(row) = self.rows.last_mut() {
                row.initial = Some((e, start));
            }
            earlier_initial |= initial;
            earlier = self.store.or(earlier, e);
            flags.push(flag);
        }
        self.fires.insert(branches.to_vec(), flags.clone());
        flags
    }

    /// The actions of a when-clause. One behind a condition has a flag of its own, since it must leave no trace where the
    /// condition does not hold: setting a state to the value it has would overrule another action, or a restart.
    pub(super) fn act_when(
        &mut self,
        fires: &[VarId],
        branches: &[(Vec<ExprId>, Vec<GuardedAction>)],
        origin: Origin,
    ) {
        let (mut plain, mut guarded) = (Vec::new(), Vec::new());
        for (&fire, (_, actions)) in fires.iter().zip(branches) {
            let mut own = Vec::new();
            for GuardedAction { guard, action, span } in actions {
                match guard {
                    None => own.push(action.clone()),
                    Some(guard) => guarded.push((fire, *guard, action.clone(), *span)),
                }
            }
            plain.push((fire, own));
        }
        self.whens.push(When { branches: plain, origin });
        for (fire, guard, action, span) in guarded {
            let origin = Origin { span, ..origin };
            let (fire, never) = (self.var_expr(fire), self.store.bool(false));
            let guard = self.lower(guard, false);
            // A choice, not an `and`: conditions of clauses that do not act are not evaluated.
            let value = self.store.choose(fire, guard, never);
            self.reach(action, value, origin);
        }
    }

    /// An action for the events at which the given value is true.
    pub fn reach(&mut self, action: Action, value: ExprId, origin: Origin) {
        let reached = self.new_var("statement is reached", Scalar::Bool, Role::Helper);
        self.assign(reached, value, origin);
        self.whens.push(When { branches: vec![(reached, vec![action])], origin });
    }

    /// The actions of when-clauses become effects.
    pub(super) fn lower_actions(&mut self) {
        for when in std::mem::take(&mut self.whens) {
            self.here = when.origin;
            let mut branches = Vec::new();
            for (fire, actions) in when.branches {
                let actions = actions.into_iter().map(|action| match action {
                    Action::Reinit(v, e) => Action::Reinit(v, self.lower(e, false)),
                    Action::Assert { condition, message, warning } => Action::Assert {
                        condition: self.lower(condition, false),
                        message: self.lower(message, false),
                        warning,
                    },
                    Action::Terminate(condition, message) => {
                        Action::Terminate(self.lower(condition, false), self.lower(message, false))
                    }
                    Action::Call(e) => Action::Call(self.lower(e, false)),
                });
                branches.push((fire, actions.collect()));
            }
            self.effects.push(Effect::When { branches, origin: when.origin });
        }
    }

    pub fn relation_expr(&mut self, relation: RelationId) -> ExprId {
        self.store.add(Node::Relation(relation), Type::scalar(Scalar::Bool))
    }

    /// The held value of `lhs op rhs`.
    pub fn relation(&mut self, op: BinOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        let key = (op as u8, lhs, rhs);
        if let Some(&known) = self.relation_ids.get(&key) {
            return self.relation_expr(known);
        }
        let id = RelationId::new(self.relations.len());
        let difference = self.store.minus(lhs, rhs);
        let time = self.store.affine(difference, &Node::Time).and_then(|split| {
            let slope = split.slope?;
            (!self.varies(slope) && !self.varies(split.rest)).then_some((slope, split.rest))
        });
        self.relations.push(Relation { op, lhs, rhs, origin: self.here, time, demand: None });
        self.relation_ids.insert(key, id);
        let e = self.relation_expr(id);
        let value = self.store.scalar_binary(op, lhs, rhs);
        self.rows.push(Row::new(e, value, Kind::Relation(id), self.here));
        e
    }
}
