//! Clocked partitions as discrete equations that act when a sampler ticks.

use crate::diagnostics;
use crate::model::Role;
use crate::work::{Kind, Row, Work};
use kairos_expr::{Builtin, ExprId, ExprMap, Node, Scalar, VarId};
use kairos_flat::{ClockKind, Equation, EquationKind};

impl Work {
    /// An equation of a partition with a constant interval; other clocks are refused for now.
    pub fn clocked(&mut self, equation: &Equation, clock: u32) {
        let origin = equation.origin;
        let Some((tick, interval)) = self.tick(clock) else {
            self.diagnostics.push(diagnostics::clocked(origin.span));
            return;
        };
        match &equation.kind {
            EquationKind::Equal(l, r) => {
                let lhs = self.clocked_expr(*l, tick, interval);
                let rhs = self.clocked_expr(*r, tick, interval);
                for v in self.store.variables(&[lhs, rhs]) {
                    if self.vars[v.index()].clock.is_some() {
                        self.pre_var(v);
                    }
                }
                self.rows.push(Row {
                    lhs,
                    rhs,
                    initial: None,
                    kind: Kind::Clocked(tick),
                    target: None,
                    origin,
                    differentiated: 0,
                });
            }
            EquationKind::Assert { condition, message, warning } => {
                let condition = self.clocked_expr(*condition, tick, interval);
                self.assert(condition, *message, *warning, origin);
            }
            _ => self.diagnostics.push(diagnostics::clocked(origin.span)),
        }
    }

    /// The flag and the interval of a partition: one sampler for each, its instants by multiplication.
    fn tick(&mut self, clock: u32) -> Option<(VarId, ExprId)> {
        let partition = self.clocks[clock as usize].clone();
        if partition.solver.is_some() {
            return None;
        }
        let base = match partition.kind {
            ClockKind::Periodic { interval } => interval,
            ClockKind::Rational { counter, resolution } => self.store.over(counter, resolution),
            ClockKind::Event { .. } => return None,
        };
        let base = self.lower(base, false);
        if !self.store.variables(&[base]).iter().all(|v| self.roles[v.index()] == Role::Parameter) {
            return None;
        }
        let times = |work: &mut Work, (top, bottom): (i64, i64)| {
            let (top, bottom) = (work.store.int(top), work.store.int(bottom));
            let product = work.store.times(top, base);
            work.store.over(product, bottom)
        };
        let interval = times(self, partition.factor);
        let shift = times(self, partition.shift);
        let begin = self.store.real(self.start_time);
        let start = self.store.plus(begin, shift);
        let flag = self.sampler(start, interval);
        let Node::Var(tick) = *self.store.node(flag) else { return None };
        self.ticks[clock as usize] = Some(tick);
        Some((tick, interval))
    }

    /// `previous`, `sample`, `interval` and `firstTick` in terms of left limits.
    fn clocked_expr(&mut self, e: ExprId, tick: VarId, interval: ExprId) -> ExprId {
        let mut first = None;
        if self.store.any(e, |n| matches!(n, Node::Builtin(Builtin::FirstTick, _))) {
            first = Some(self.first_tick(tick));
        }
        let mut memo = ExprMap::default();
        let plain = self.store.rewrite(e, &mut memo, &mut |store, e| match store.node(e).clone() {
            Node::Builtin(Builtin::Interval, _) => interval,
            Node::Builtin(Builtin::FirstTick, _) => first.unwrap_or(e),
            Node::Builtin(Builtin::Previous | Builtin::ClockedSample, args) => {
                store.scalar_builtin(Builtin::Pre, &args[..1])
            }
            _ => e,
        });
        self.lower(plain, false)
    }

    /// True at the first tick: nothing has ticked before.
    fn first_tick(&mut self, tick: VarId) -> ExprId {
        let now = self.var_expr(tick);
        let ticked = match self.ticked.get(&tick) {
            Some(&known) => known,
            None => {
                let v = self.new_var("has ticked", Scalar::Bool, Role::Helper);
                let before = self.pre_expr(v);
                let value = self.store.or(now, before);
                self.define(v, value);
                self.ticked.insert(tick, v);
                v
            }
        };
        let before = self.pre_expr(ticked);
        let fresh = self.store.not(before);
        self.store.and(now, fresh)
    }
}
