//! Clocked partitions as discrete equations that act when their clock ticks.

use crate::algorithm;
use crate::diagnostics;
use crate::model::Role;
use crate::work::{Kind, Row, Work};
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, Node, Scalar, VarId};
use kairos_model::{ClockKind, ClockPartition, Equation, EquationKind, Origin};
use serde::{Deserialize, Serialize};

/// The flag that is true in the one evaluation in which a partition acts, and the time since it last did.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Tick {
    pub flag: VarId,
    pub interval: ExprId,
}

impl Work {
    pub fn clocked(&mut self, equation: &Equation, clock: u32) {
        let origin = equation.origin;
        let Some(tick) = self.tick(clock, origin) else { return };
        for (lhs, rhs, target) in self.clocked_sides(equation, tick) {
            self.clocked_row(lhs, rhs, tick.flag, target, origin);
        }
    }

    /// What an equation of a partition says at a tick: both sides, and the variable it assigns where there is no choice.
    pub(crate) fn clocked_sides(
        &mut self,
        equation: &Equation,
        tick: Tick,
    ) -> Vec<(ExprId, ExprId, Option<VarId>)> {
        let origin = equation.origin;
        match &equation.kind {
            EquationKind::Equal(l, r) => {
                let lhs = self.clocked_expr(*l, tick);
                let rhs = self.clocked_expr(*r, tick);
                vec![(lhs, rhs, None)]
            }
            EquationKind::WhenAssign { var, branches } => {
                let (target, mut value) = (self.var_expr(*var), self.pre_expr(*var));
                for (fires, e) in self.clocked_edges(branches, equation, tick).into_iter().rev() {
                    let e = self.clocked_expr(e, tick);
                    value = self.store.choose(fires, e, value);
                }
                vec![(target, value, Some(*var))]
            }
            EquationKind::Algorithm { statements, outputs } => {
                match algorithm::execute(self, statements, outputs, origin, false) {
                    Ok(done) => {
                        let mut sides = Vec::new();
                        for (v, value) in done.values {
                            let value = self.clocked_expr(value, tick);
                            sides.push((self.var_expr(v), value, Some(v)));
                        }
                        sides
                    }
                    Err(refusal) => {
                        self.refuse(refusal);
                        Vec::new()
                    }
                }
            }
            EquationKind::Assert { condition, message, warning } => {
                let condition = self.clocked_expr(*condition, tick);
                self.assert(condition, *message, *warning, origin);
                Vec::new()
            }
            _ => {
                self.diagnostics.push(diagnostics::clocked(origin.span));
                Vec::new()
            }
        }
    }

    /// The branches of a when-clause with a Boolean condition: each acts at the tick at which its condition becomes
    /// true, unless an earlier one does. At the first tick there is nothing to become true from.
    fn clocked_edges(
        &mut self,
        branches: &[(Vec<ExprId>, ExprId)],
        equation: &Equation,
        tick: Tick,
    ) -> Vec<(ExprId, ExprId)> {
        let first = self.first_tick(tick.flag);
        let mut open = self.store.not(first);
        let mut edges = Vec::with_capacity(branches.len());
        for (conditions, value) in branches {
            let mut acts = self.store.bool(false);
            for &condition in conditions {
                let condition = self.clocked_expr(condition, tick);
                let watched = self.new_var("when condition", Scalar::Bool, Role::Discrete);
                self.vars[watched.index()].clock = equation.clock;
                let now = self.var_expr(watched);
                self.clocked_row(now, condition, tick.flag, Some(watched), equation.origin);
                let edge = self.edge(watched);
                acts = self.store.or(acts, edge);
            }
            edges.push((self.store.and(open, acts), *value));
            let others = self.store.not(acts);
            open = self.store.and(open, others);
        }
        edges
    }

    pub(crate) fn clocked_row(
        &mut self,
        lhs: ExprId,
        rhs: ExprId,
        tick: VarId,
        target: Option<VarId>,
        origin: Origin,
    ) {
        for v in self.store.variables(&[lhs, rhs]) {
            if self.vars[v.index()].clock.is_some() {
                self.pre_var(v);
            }
        }
        let kind = Kind::Clocked(tick);
        self.rows.push(Row { lhs, rhs, initial: None, kind, target, origin, differentiated: 0 });
    }

    pub(crate) fn tick(&mut self, clock: u32, origin: Origin) -> Option<Tick> {
        if let Some(known) = self.ticks[clock as usize] {
            return Some(known);
        }
        let partition = self.clocks[clock as usize].clone();
        // What is made for the ticks belongs to the first equation that asks for them.
        let around = std::mem::replace(&mut self.here, origin);
        let mut tick = self.plain_tick(&partition, origin);
        self.here = around;
        if let (Some(around), Some(state)) = (tick, partition.state) {
            let (ticks, active) = (self.var_expr(around.flag), self.lower(state.active, false));
            let both = self.store.and(ticks, active);
            let flag = self.new_var("state acts", Scalar::Bool, Role::Helper);
            self.assign(flag, both, origin);
            tick = Some(Tick { flag, ..around });
        }
        if tick.is_none() {
            self.diagnostics.push(diagnostics::clocked(origin.span));
        }
        self.ticks[clock as usize] = tick;
        tick
    }

    /// The ticks of the clock itself, whatever is active.
    fn plain_tick(&mut self, partition: &ClockPartition, origin: Origin) -> Option<Tick> {
        match partition.kind.clone() {
            ClockKind::Periodic { interval } if self.is_fixed(interval) => {
                self.periodic(interval, partition.factor, partition.shift)
            }
            ClockKind::Rational { counter, resolution } if self.is_fixed(counter) => {
                let interval = self.store.over(counter, resolution);
                self.periodic(interval, partition.factor, partition.shift)
            }
            kind => {
                let base = match self.base_ticks.get(&partition.base) {
                    Some(&known) => known,
                    None => {
                        let made = self.aperiodic(kind, origin);
                        self.base_ticks.insert(partition.base, made);
                        made
                    }
                };
                self.every(base, partition.factor, partition.shift, origin)
            }
        }
    }

    fn is_fixed(&mut self, e: ExprId) -> bool {
        let e = self.lower(e, false);
        self.store.variables(&[e]).iter().all(|v| self.roles[v.index()] == Role::Parameter)
    }

    /// Ticks of a constant interval: a sampler, whose instants are computed by multiplication.
    fn periodic(&mut self, base: ExprId, factor: (i64, i64), shift: (i64, i64)) -> Option<Tick> {
        let base = self.lower(base, false);
        let times = |work: &mut Work, (top, bottom): (i64, i64)| {
            let (top, bottom) = (work.store.int(top), work.store.int(bottom));
            let product = work.store.times(top, base);
            work.store.over(product, bottom)
        };
        let interval = times(self, factor);
        let shift = times(self, shift);
        let begin = self.store.real(self.start_time);
        let start = self.store.plus(begin, shift);
        let flag = self.sampler(start, interval);
        let Node::Var(flag) = *self.store.node(flag) else { return None };
        Some(Tick { flag, interval })
    }

    /// Ticks that a condition or the last tick decides.
    fn aperiodic(&mut self, kind: ClockKind, origin: Origin) -> Tick {
        let flag = self.new_var("clock ticks", Scalar::Bool, Role::Helper);
        let last = self.new_var("last tick", Scalar::Real, Role::Helper);
        let (now, before) = (self.store.time(), self.pre_expr(last));
        let since = self.store.minus(now, before);
        let ticks = self.var_expr(flag);
        let kept = self.store.choose(ticks, now, before);
        self.assign(last, kept, origin);
        let first = self.first_tick(flag);
        let (value, start_interval) = match kind {
            ClockKind::Event { condition, start_interval } => {
                let condition = self.lower(condition, true);
                let watched = self.new_var("clock condition", Scalar::Bool, Role::Helper);
                self.assign(watched, condition, origin);
                // MLS 16.3: it ticks when `edge(pre(condition))` becomes true. `pre(condition)` is false in the initial
                // system, so that a condition which holds from the start ticks at the first event there.
                let seen = self.new_var("clock condition before", Scalar::Bool, Role::Helper);
                let (holds, no) = (self.var_expr(watched), self.store.bool(false));
                self.assign(seen, holds, origin);
                let own = self.var_expr(seen);
                if let Some(row) = self.rows.last_mut() {
                    row.initial = Some((own, no));
                }
                let before = self.pre_expr(seen);
                let fresh = self.store.not(before);
                (self.store.and(holds, fresh), start_interval)
            }
            ClockKind::Periodic { interval } => {
                let next = self.new_var("next tick", Scalar::Real, Role::Helper);
                let planned = self.pre_expr(next);
                // The interval is computed at the tick, for the next one.
                let tick = Tick { flag, interval: since };
                let interval = self.clocked_expr(interval, tick);
                let after = self.store.plus(now, interval);
                let value = self.store.choose(ticks, after, planned);
                self.assign(next, value, origin);
                self.begin(next, self.start_time);
                (self.compare_events(BinOp::Ge, now, planned), None)
            }
            ClockKind::Rational { counter, resolution } => {
                let count = self.new_var("ticks of the resolution", Scalar::Int, Role::Helper);
                let passed = self.pre_expr(count);
                let tick = Tick { flag, interval: since };
                let counter = self.clocked_expr(counter, tick);
                let more = self.store.plus(passed, counter);
                let value = self.store.choose(ticks, more, passed);
                self.assign(count, value, origin);
                let begin = self.store.real(self.start_time);
                let elapsed = self.store.over(passed, resolution);
                let planned = self.store.plus(begin, elapsed);
                (self.compare_events(BinOp::Ge, now, planned), None)
            }
        };
        self.assign(flag, value, origin);
        let no = self.store.bool(false);
        if let Some(row) = self.rows.last_mut() {
            // Nothing ticks in the initial system; the first event does that.
            row.initial = Some((ticks, no));
        }
        let start = start_interval.unwrap_or(self.store.zero());
        let start = self.lower(start, false);
        Tick { flag, interval: self.store.choose(first, start, since) }
    }

    fn compare_events(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let relation = self.store.compare(op, a, b);
        self.lower(relation, true)
    }

    fn begin(&mut self, v: VarId, start: f64) {
        self.vars[v.index()].start = Some(self.store.real(start));
        self.vars[v.index()].fixed = Some(true);
    }

    /// Every n-th tick of a base clock, the first s left out.
    fn every(&mut self, base: Tick, factor: (i64, i64), shift: (i64, i64), origin: Origin) -> Option<Tick> {
        match (factor, shift) {
            ((1, 1), (0, 1)) => return Some(base),
            ((_, 1), (_, 1)) => {}
            _ => return None,
        }
        let count = self.new_var("ticks before", Scalar::Int, Role::Helper);
        let (ticks, before) = (self.var_expr(base.flag), self.pre_expr(count));
        let one = self.store.int(1);
        let next = self.store.plus(before, one);
        let value = self.store.choose(ticks, next, before);
        self.assign(count, value, origin);
        let (factor, shift) = (self.store.int(factor.0), self.store.int(shift.0));
        let position = self.store.minus(before, shift);
        let rest = self.store.scalar_builtin(Builtin::Mod, &[position, factor]);
        let zero = self.store.int(0);
        let begun = self.store.compare(BinOp::Ge, before, shift);
        let turn = self.store.compare(BinOp::Eq, rest, zero);
        let turn = self.store.and(begun, turn);
        let turn = self.store.and(ticks, turn);
        let flag = self.new_var("clock ticks", Scalar::Bool, Role::Helper);
        self.assign(flag, turn, origin);
        let last = self.new_var("last tick", Scalar::Real, Role::Helper);
        let (now, before) = (self.store.time(), self.pre_expr(last));
        let mine = self.var_expr(flag);
        let kept = self.store.choose(mine, now, before);
        self.assign(last, kept, origin);
        let first = self.first_tick(flag);
        let since = self.store.minus(now, before);
        Some(Tick { flag, interval: self.store.choose(first, base.interval, since) })
    }

    /// `previous`, `sample`, `interval` and `firstTick` in terms of left limits.
    pub(crate) fn clocked_expr(&mut self, e: ExprId, tick: Tick) -> ExprId {
        let mut first = None;
        if self.store.any(e, |n| matches!(n, Node::Builtin(Builtin::FirstTick, _))) {
            first = Some(self.first_tick(tick.flag));
        }
        let named = self.name_sampled(e);
        let mut memo = ExprMap::default();
        let plain = self.store.rewrite(e, &mut memo, &mut |store, e| match store.node(e).clone() {
            Node::Builtin(Builtin::Interval, _) => tick.interval,
            Node::Builtin(Builtin::FirstTick, _) => first.unwrap_or(e),
            Node::Builtin(Builtin::ClockedSample, args) if named.iter().any(|(arg, _)| *arg == args[0]) => {
                let variable = named.iter().find(|(arg, _)| *arg == args[0]).map_or(args[0], |(_, v)| *v);
                store.scalar_builtin(Builtin::Pre, &[variable])
            }
            Node::Builtin(Builtin::Previous | Builtin::ClockedSample, args) => {
                store.scalar_builtin(Builtin::Pre, &args[..1])
            }
            _ => e,
        });
        self.lower(plain, false)
    }

    /// Gives names to sampled expressions that compare time: their left limit at a tick is not what the left limits of their variables
    /// make of the time of the tick (MLS 16.5.1).
    fn name_sampled(&mut self, e: ExprId) -> Vec<(ExprId, ExprId)> {
        let mut sampled = Vec::new();
        self.store.any(e, |node| {
            if let Node::Builtin(Builtin::ClockedSample, args) = node {
                sampled.push(args[0]);
            }
            false
        });
        sampled.retain(|&arg| {
            let is_time = |node: &Node| matches!(node, Node::Time);
            self.store.any(arg, |node| matches!(node, Node::If(..))) && self.store.any(arg, is_time)
        });
        let mut named = Vec::new();
        for arg in sampled {
            let ty = self.store.ty(arg).clone();
            if !ty.is_scalar() || named.iter().any(|(known, _)| *known == arg) {
                continue;
            }
            // It belongs to the continuous part, where conditions raise events.
            let value = self.lower(arg, true);
            let real = ty.scalar == Scalar::Real;
            let role = if real { Role::Algebraic } else { Role::Helper };
            let v = self.new_var("sampled expression", ty.scalar, role);
            let lhs = self.var_expr(v);
            match real {
                true => self.rows.push(Row::new(lhs, value, Kind::Continuous, self.here)),
                false => self.define(v, value),
            }
            named.push((arg, lhs));
        }
        named
    }

    /// True at the first tick: nothing has ticked before.
    pub(crate) fn first_tick(&mut self, tick: VarId) -> ExprId {
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

    /// What a continuous equation sees of a clocked expression. A condition that makes the clock tick may read what its
    /// ticks hold; it sees a new value in the next evaluation of the instant.
    pub fn held_value(&mut self, e: ExprId) -> ExprId {
        let by_condition = |work: &Work, v: &VarId| {
            work.vars[v.index()]
                .clock
                .is_some_and(|clock| matches!(work.clocks[clock as usize].kind, ClockKind::Event { .. }))
        };
        match self.store.variables(&[e]).iter().any(|v| by_condition(self, v)) {
            true => self.left_limit(e),
            false => e,
        }
    }
}
