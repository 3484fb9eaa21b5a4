//! Discretised partitions (MLS 16.8): their differential equations, of lowest index, integrated from tick to tick.

mod instance;
mod method;
mod start;

pub use method::NAMES;

use crate::clocks::Tick;
use crate::model::{Role, State};
use crate::sort::Columns;
use crate::work::{Kind, Row, Work};
use crate::{diagnostics, index, rates};
use instance::Instance;
use kairos_expr::{Builtin, ExprId, ExprMap, Node, Scalar, VarId};
use kairos_graph::{Incidence, Matching};
use kairos_model::{Equation, EquationKind, Origin};
use method::{Method, Slope, Weights};
use std::collections::{BTreeMap, BTreeSet};

/// A partition after index reduction, before it is integrated.
pub struct Partition {
    clock: u32,
    tick: Tick,
    origin: Origin,
    /// All equations, differentiated ones included.
    rows: Vec<Row>,
    states: Vec<State>,
    /// What the equations determine, states included.
    unknown: BTreeSet<VarId>,
    /// Variables that carry what comes from elsewhere: true if it moves between ticks.
    inputs: BTreeMap<VarId, bool>,
    /// Initial equations, as the equations have become.
    conditions: Vec<Row>,
}

impl Work {
    /// Is the partition one whose differential equations are integrated by a solver method?
    pub fn is_discretised(&self, clock: u32) -> bool {
        self.clocks[clock as usize].solver.is_some()
    }

    /// Does an initial equation speak of a discretised partition? Its first tick is then what it is about.
    pub fn discretised_condition(&self, equation: &Equation) -> Option<u32> {
        let EquationKind::Equal(l, r) = equation.kind else { return None };
        let clocks = self.store.variables(&[l, r]).into_iter().filter_map(|v| self.vars[v.index()].clock);
        clocks.into_iter().find(|&clock| self.is_discretised(clock))
    }

    /// Translates the equations of all discretised partitions.
    pub fn discretise(&mut self, equations: &[Equation], initial: &[Equation]) {
        for clock in 0..self.clocks.len() as u32 {
            let Some(name) = self.clocks[clock as usize].solver.clone() else { continue };
            let list: Vec<&Equation> = equations.iter().filter(|e| e.clock == Some(clock)).collect();
            let Some(first) = list.first() else { continue };
            let Some(method) = Method::named(&name) else {
                self.diagnostics.push(diagnostics::solver_method(&name, first.origin.span));
                continue;
            };
            let Some(tick) = self.tick(clock, first.origin) else { continue };
            let conditions: Vec<&Equation> =
                initial.iter().filter(|e| self.discretised_condition(e) == Some(clock)).collect();
            self.here = first.origin;
            if let Some(partition) = self.reduced(clock, tick, &list, &conditions) {
                partition.integrate(self, &method);
            }
        }
    }

    /// The equations of one partition as a system by itself, its index reduced.
    fn reduced(
        &mut self,
        clock: u32,
        tick: Tick,
        equations: &[&Equation],
        conditions: &[&Equation],
    ) -> Option<Partition> {
        let origin = self.here;
        let tick = self.steady_interval(clock, tick, origin);
        let length = self.store.variables(&[tick.interval]);
        let mut feeds = Feeds { clock, tick, memo: ExprMap::default(), inputs: BTreeMap::new() };
        let mut own: Vec<Equation> = equations.iter().map(|&e| e.clone()).collect();
        let mut conditions: Vec<Equation> = conditions.iter().map(|&e| e.clone()).collect();
        for equation in own.iter_mut().chain(&mut conditions) {
            let origin = equation.origin;
            equation.visit_exprs_mut(&mut |e| *e = feeds.through(self, *e, origin));
        }
        let elsewhere = std::mem::take(&mut self.rows);
        let roles = self.roles.clone();
        let known = self.vars.len();
        self.enter(clock, &feeds.inputs, &length, &own);
        for equation in &own {
            self.here = equation.origin;
            for (lhs, rhs, target) in self.clocked_sides(equation, tick) {
                let discrete = target.is_some_and(|v| self.is_discrete(v)) || self.is_logical(lhs, rhs);
                let (kind, target) = match discrete {
                    true => (Kind::Clocked(tick.flag), target),
                    false => (Kind::Continuous, None),
                };
                let origin = equation.origin;
                self.rows.push(Row { target, ..Row::new(lhs, rhs, kind, origin) });
            }
        }
        rates::merge(self);
        let mut at_start = Vec::new();
        for condition in &conditions {
            self.here = condition.origin;
            for (lhs, rhs, target) in self.clocked_sides(condition, tick) {
                let (kind, origin) = (Kind::Clocked(tick.flag), condition.origin);
                at_start.push(Row { target, ..Row::new(lhs, rhs, kind, origin) });
            }
        }
        let states = index::reduce_for_good(self);
        let mut rows = std::mem::replace(&mut self.rows, elsewhere);
        rows.iter_mut().for_each(|row| row.kind = Kind::Clocked(tick.flag));
        // Everything in it acts at ticks, as other variables of clocked partitions do.
        let reduced = std::mem::replace(&mut self.roles, roles);
        for (v, role) in reduced.into_iter().enumerate().skip(known) {
            let own = role == Role::Algebraic || role == Role::State;
            self.roles.push(if own { Role::Discrete } else { role });
            if own {
                self.vars[v].clock = Some(clock);
            }
        }
        self.varying.clear();
        let states = states?;
        let mine = |v: &VarId| {
            let given = feeds.inputs.contains_key(v) || length.contains(v);
            self.vars[v.index()].clock == Some(clock) && self.is_discrete(*v) && !given
        };
        let unknown = self.store.variables(&rows.iter().flat_map(|r| [r.lhs, r.rhs]).collect::<Vec<_>>());
        // A state that only its derivative knows of occurs in no row.
        let unknown = unknown.into_iter().filter(mine).chain(states.iter().map(|s| s.var)).collect();
        Some(Partition {
            clock,
            tick,
            origin,
            rows,
            states,
            unknown,
            inputs: feeds.inputs,
            conditions: at_start,
        })
    }

    /// Real variables of the partition are unknowns, those of all other equations are none.
    fn enter(&mut self, clock: u32, inputs: &BTreeMap<VarId, bool>, given: &[VarId], equations: &[Equation]) {
        let mut held: BTreeSet<VarId> = given.iter().copied().collect();
        for equation in equations {
            if let EquationKind::WhenAssign { var, .. } = equation.kind {
                held.insert(var);
            }
        }
        for v in (0..self.vars.len()).map(VarId::new) {
            let var = &self.vars[v.index()];
            let moves = match inputs.get(&v) {
                Some(true) => Some(Role::Input),
                Some(false) => None,
                None if var.clock == Some(clock) && var.ty == Scalar::Real && !held.contains(&v) => {
                    Some(Role::Algebraic)
                }
                None => None,
            };
            let role = &mut self.roles[v.index()];
            match (*role, moves) {
                (Role::Discrete, Some(moves)) => *role = moves,
                (Role::Algebraic, _) => *role = Role::Input,
                _ => {}
            }
        }
        self.varying.clear();
    }

    fn is_logical(&self, lhs: ExprId, rhs: ExprId) -> bool {
        let (left, right) = (self.store.ty(lhs).scalar, self.store.ty(rhs).scalar);
        let logical = |s: Scalar| s.is_discrete() && s != Scalar::Int;
        logical(left) || logical(right) || left.is_discrete() && right.is_discrete()
    }

    /// The interval as a variable where it depends on the time of the tick, which stages between ticks must not shift.
    fn steady_interval(&mut self, clock: u32, tick: Tick, origin: Origin) -> Tick {
        if !self.store.any(tick.interval, |n| *n == Node::Time) {
            return tick;
        }
        let v = self.new_var("interval", Scalar::Real, Role::Discrete);
        self.vars[v.index()].clock = Some(clock);
        let length = self.var_expr(v);
        self.clocked_row(length, tick.interval, tick.flag, Some(v), origin);
        Tick { interval: length, ..tick }
    }
}

/// Variables for what a partition is fed with, so that their values at the last tick are known, too.
struct Feeds {
    clock: u32,
    tick: Tick,
    memo: ExprMap<ExprId>,
    /// True for what moves between the ticks; what does not keeps its value of the last tick until this one.
    inputs: BTreeMap<VarId, bool>,
}

impl Feeds {
    /// The expression with variables for samples and for values of other partitions.
    fn through(&mut self, work: &mut Work, e: ExprId, origin: Origin) -> ExprId {
        for node in work.store.post_order(&[e], |e| self.memo.contains_key(&e)) {
            let moves = match work.store.node(node) {
                Node::Builtin(Builtin::ClockedSample, args) => {
                    let value = work.lower(args[0], true);
                    work.varies(value)
                }
                Node::Var(v) => match work.vars[v.index()].clock {
                    Some(other) if other != self.clock => work.is_discretised(other),
                    _ => continue,
                },
                _ => continue,
            };
            let ty = work.store.ty(node).scalar;
            let input = work.new_var("input", ty, Role::Discrete);
            work.vars[input.index()].clock = Some(self.clock);
            let (lhs, rhs) = (work.var_expr(input), work.clocked_expr(node, self.tick));
            work.clocked_row(lhs, rhs, self.tick.flag, Some(input), origin);
            self.inputs.insert(input, moves && ty == Scalar::Real);
            self.memo.insert(node, lhs);
        }
        work.store.rewrite(e, &mut self.memo, &mut |_, e| e)
    }
}

/// The states of a step: where they come from, and what they move along.
struct Step<'a> {
    partition: &'a Partition,
    /// Derivatives of the states in each stage.
    slopes: Vec<BTreeMap<VarId, ExprId>>,
}

impl Step<'_> {
    /// The state at the last tick, moved over the interval along a sum of slopes.
    fn moved(&self, work: &mut Work, state: &State, weights: &Weights) -> ExprId {
        let mut sum = work.store.zero();
        for &(slope, weight) in weights {
            let slope = match slope {
                Slope::Before => work.pre_expr(state.derivative),
                Slope::Stage(k) => self.slopes[k][&state.var],
                Slope::Now => work.var_expr(state.derivative),
            };
            let weight = work.store.real(weight);
            let term = work.store.times(weight, slope);
            sum = work.store.plus(sum, term);
        }
        let before = work.pre_expr(state.var);
        let change = work.store.times(self.partition.tick.interval, sum);
        work.store.plus(before, change)
    }
}

impl Partition {
    /// The equations at the tick, those of the stages before it, and the states from both.
    fn integrate(self, work: &mut Work, method: &Method) {
        for row in &self.rows {
            work.clocked_row(row.lhs, row.rhs, self.tick.flag, row.target, row.origin);
        }
        if self.states.is_empty() {
            return;
        }
        let first = self.begins(work);
        let starts = self.starts(work, first);
        let mut step = Step { partition: &self, slopes: Vec::new() };
        if !method.stages.is_empty() {
            let Some(order) = self.order(work) else { return };
            let flag = work.store.not(first);
            let clock = self.subordinate(work, flag, "clock steps");
            // A stage may need the slopes of later ones, so all have their variables first.
            let wanted: Vec<VarId> = self.states.iter().map(|s| s.derivative).collect();
            let mut stages = Vec::new();
            for (k, stage) in method.stages.iter().enumerate() {
                let instance = Instance::between(work, &self, &order, &wanted, stage.at, clock, k + 1);
                let slope = |s: &State| (s.var, instance.image(s.derivative));
                step.slopes.push(self.states.iter().map(slope).collect());
                stages.push(instance);
            }
            for (stage, instance) in method.stages.iter().zip(stages) {
                for state in &self.states {
                    let (lhs, rhs) = (instance.image(state.var), step.moved(work, state, &stage.weights));
                    work.clocked_row(lhs, rhs, instance.flag, None, self.origin);
                }
                instance.equations(work, &self);
            }
        }
        for state in &self.states {
            let moved = step.moved(work, state, &method.weights);
            let value = work.store.choose(first, starts[&state.var], moved);
            let now = work.var_expr(state.var);
            work.clocked_row(now, value, self.tick.flag, None, self.origin);
        }
    }

    /// True at the first tick, and where a state machine says that its state begins again.
    fn begins(&self, work: &mut Work) -> ExprId {
        let first = work.first_tick(self.tick.flag);
        match work.clocks[self.clock as usize].state {
            Some(state) => {
                let reset = work.lower(state.reset, false);
                let ticks = work.var_expr(self.tick.flag);
                let again = work.store.and(ticks, reset);
                work.store.or(first, again)
            }
            None => first,
        }
    }

    /// A clock that ticks with this one where the condition is true.
    fn subordinate(&self, work: &mut Work, condition: ExprId, name: &str) -> u32 {
        let flag = work.new_var(name, Scalar::Bool, Role::Helper);
        let ticks = work.var_expr(self.tick.flag);
        let value = work.store.and(ticks, condition);
        work.assign(flag, value, self.origin);
        let mut clock = work.clocks[self.clock as usize].clone();
        clock.solver = None;
        work.clocks.push(clock);
        work.ticks.push(Some(Tick { flag, ..self.tick }));
        work.clocks.len() as u32 - 1
    }

    /// Which equation determines which unknown where the states are known; `None` if the equations are not enough, which
    /// is said when all equations are sorted.
    fn order(&self, work: &Work) -> Option<BTreeMap<VarId, usize>> {
        let is_state = |v: &VarId| self.states.iter().any(|s| s.var == *v);
        let columns = Columns::new(work, |v| self.unknown.contains(&v) && !is_state(&v));
        let mut edges = Incidence::new(columns.unknown.len());
        for row in &self.rows {
            let incidence = columns.incidence(work, row);
            edges.push_row(&columns.candidates(work, row, &incidence));
        }
        let matching = Matching::maximum(&edges);
        let mut order = BTreeMap::new();
        for r in 0..self.rows.len() {
            order.insert(columns.var(matching.column_of(r as u32)?)?, r);
        }
        Some(order)
    }
}
