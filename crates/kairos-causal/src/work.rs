//! The system while it is being worked on: rows over variables, events made explicit.

mod acting;
mod translate;

use crate::model::{Effect, Relation, Role, Sampler, nowhere};
use crate::variables::role;
use kairos_base::Diagnostic;
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, Node, RelationId, Scalar, Store, Value, VarId};
use kairos_model::{Action, Origin, ScalarModel, Variable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// What an equation can determine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// A continuous Real unknown.
    Continuous,
    /// A discrete variable; evaluated at events.
    Discrete,
    /// A held relation.
    Relation(RelationId),
    /// A variable of a clocked partition; evaluated when the flag is true.
    Clocked(VarId),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub lhs: ExprId,
    pub rhs: ExprId,
    /// Both sides in the initial system, where they differ.
    pub initial: Option<(ExprId, ExprId)>,
    pub kind: Kind,
    /// The variable it assigns, where there is no choice.
    pub target: Option<VarId>,
    pub origin: Origin,
    pub differentiated: u32,
}

impl Row {
    /// An equation as it was written: the same in the initial system, for any of its variables.
    pub fn new(lhs: ExprId, rhs: ExprId, kind: Kind, origin: Origin) -> Row {
        Row { lhs, rhs, initial: None, kind, target: None, origin, differentiated: 0 }
    }
}

/// Actions of one when-clause by fire flag.
#[derive(Clone, Serialize, Deserialize)]
pub struct When {
    pub branches: Vec<(VarId, Vec<Action>)>,
    pub origin: Origin,
}

/// Steps that evaluations of one model may still take at this stage; a copy has as many as the model began with. Where
/// they are used up the value is not known, and the run computes it.
pub(crate) struct Budget(AtomicU64);

impl Budget {
    pub fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub fn leave(&self, steps: u64) {
        self.0.store(steps, Ordering::Relaxed);
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget(kairos_base::limits::STEPS.into())
    }
}

impl Clone for Budget {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Values of parameters, found once; a copy has a memory of its own.
#[derive(Default)]
pub(crate) struct ParameterValues(std::sync::Mutex<BTreeMap<VarId, Value>>);

impl ParameterValues {
    pub fn get(&self, v: VarId) -> Option<Value> {
        self.0.lock().ok()?.get(&v).cloned()
    }

    pub fn insert(&self, v: VarId, value: Value) {
        if let Ok(mut known) = self.0.lock() {
            known.insert(v, value);
        }
    }
}

impl Clone for ParameterValues {
    fn clone(&self) -> Self {
        Self::default()
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Work {
    pub store: Store,
    pub vars: Vec<Variable>,
    pub roles: Vec<Role>,
    pub pre: Vec<Option<VarId>>,
    pub der: Vec<Option<VarId>>,
    pub relations: Vec<Relation>,
    pub samplers: Vec<Sampler>,
    pub rows: Vec<Row>,
    pub initial_rows: Vec<Row>,
    pub whens: Vec<When>,
    pub effects: Vec<Effect>,
    pub diagnostics: Vec<Diagnostic>,
    pub report: Vec<String>,
    pub reinit: Vec<VarId>,
    /// How many variables the model declares; the compiler's own follow.
    pub declared: usize,
    /// Variables that a when-clause, an algorithm or a clocked partition determines.
    pub(crate) assigned: std::collections::BTreeSet<VarId>,
    /// Variables in initial equations.
    pub initial_targets: std::collections::BTreeSet<VarId>,
    pub initial_flag: VarId,
    pub terminal_flag: VarId,
    pub lambda: VarId,
    pub(crate) relation_ids: BTreeMap<(u8, ExprId, ExprId), RelationId>,
    pub(crate) sampler_ids: BTreeMap<(ExprId, ExprId), u32>,
    pub(crate) held: BTreeMap<ExprId, VarId>,
    fires: BTreeMap<Vec<Vec<ExprId>>, Vec<VarId>>,
    pub(crate) with_events: ExprMap<ExprId>,
    pub(crate) without_events: ExprMap<ExprId>,
    pub(crate) varying: ExprMap<bool>,
    /// Values of parameters that were needed so far.
    #[serde(skip)]
    pub(crate) parameter_values: ParameterValues,
    #[serde(skip)]
    pub(crate) budget: Budget,
    pub(crate) here: Origin,
    pub(crate) clocks: Vec<kairos_model::ClockPartition>,
    /// The flag that tells when each partition ticks, once it is needed.
    pub(crate) ticks: Vec<Option<crate::clocks::Tick>>,
    /// Ticks of base clocks without a constant interval.
    pub(crate) base_ticks: BTreeMap<u32, crate::clocks::Tick>,
    pub(crate) ticked: BTreeMap<VarId, VarId>,
    pub(crate) start_time: f64,
    /// Sides of equations as they were before functions with inverses were written out.
    pub(crate) invertible: ExprMap<ExprId>,
}

impl Work {
    /// Translates the equations; relations, samplers and when-clauses become unknowns and rows of their own.
    pub fn new(model: ScalarModel, eliminated: &[bool]) -> Work {
        let ScalarModel { store, vars, equations, initial_equations, clocks, experiment, .. } = model;
        let count = vars.len();
        let mut work = Work {
            roles: vars.iter().zip(eliminated).map(|(v, &gone)| role(v, gone)).collect(),
            vars,
            pre: vec![None; count],
            der: vec![None; count],
            declared: count,
            ticks: vec![None; clocks.len()],
            clocks,
            start_time: experiment.start.unwrap_or(0.0),
            ..Work::bare(store, nowhere())
        };
        work.add_flags();
        work.mark_discrete(&equations);
        work.follow_inputs();
        for equation in &equations {
            work.here = equation.origin;
            if !equation.clock.is_some_and(|clock| work.is_discretised(clock)) {
                work.equation(equation);
            }
        }
        work.discretise(&equations, &initial_equations);
        for equation in &initial_equations {
            work.here = equation.origin;
            if work.discretised_condition(equation).is_none() {
                work.initial_equation(equation);
            }
        }
        for row in &work.initial_rows {
            work.initial_targets.extend(work.store.variables(&[row.lhs, row.rhs]));
        }
        work.lower_actions();
        for k in 0..work.vars.len() {
            work.attributes(k);
        }
        work.split_homotopy();
        work
    }

    /// A system without variables and equations.
    pub fn bare(store: Store, here: Origin) -> Work {
        Work {
            store,
            roles: Vec::new(),
            vars: Vec::new(),
            pre: Vec::new(),
            der: Vec::new(),
            relations: Vec::new(),
            samplers: Vec::new(),
            rows: Vec::new(),
            initial_rows: Vec::new(),
            whens: Vec::new(),
            effects: Vec::new(),
            diagnostics: Vec::new(),
            report: Vec::new(),
            reinit: Vec::new(),
            declared: 0,
            assigned: Default::default(),
            initial_targets: Default::default(),
            initial_flag: VarId(0),
            terminal_flag: VarId(0),
            lambda: VarId(0),
            relation_ids: BTreeMap::new(),
            sampler_ids: BTreeMap::new(),
            held: BTreeMap::new(),
            fires: BTreeMap::new(),
            with_events: ExprMap::default(),
            without_events: ExprMap::default(),
            varying: ExprMap::default(),
            parameter_values: ParameterValues::default(),
            budget: Budget::default(),
            here,
            ticked: BTreeMap::new(),
            ticks: Vec::new(),
            base_ticks: BTreeMap::new(),
            clocks: Vec::new(),
            start_time: 0.0,
            invertible: ExprMap::default(),
        }
    }

    /// The variables that the run itself sets.
    pub fn add_flags(&mut self) {
        self.initial_flag = self.new_var("initial()", Scalar::Bool, Role::InitialFlag);
        self.terminal_flag = self.new_var("terminal()", Scalar::Bool, Role::TerminalFlag);
        self.lambda = self.new_var("homotopy parameter", Scalar::Real, Role::Lambda);
    }

    /// A discrete equation of the compiler's own.
    pub fn define(&mut self, var: VarId, value: ExprId) {
        self.assign(var, value, self.here);
    }

    pub fn assign(&mut self, var: VarId, value: ExprId, origin: Origin) {
        let lhs = self.var_expr(var);
        self.rows.push(Row { target: Some(var), ..Row::new(lhs, value, Kind::Discrete, origin) });
    }

    fn attributes(&mut self, k: usize) {
        let var = &self.vars[k];
        let old = [var.binding, var.start, var.nominal];
        let new = old.map(|e| e.map(|e| self.lower(e, false)));
        let var = &mut self.vars[k];
        [var.binding, var.start, var.nominal] = new;
    }

    /// Between events `homotopy` is its first argument; while initialising it blends both.
    fn split_homotopy(&mut self) {
        let lambda = self.var_expr(self.lambda);
        let one = self.store.real(1.0);
        let actual = self.store.compare(BinOp::Ge, lambda, one);
        let rest = self.store.minus(one, lambda);
        let (mut plain, mut blend) = (ExprMap::default(), ExprMap::default());
        let mut strip = |store: &mut Store, e: ExprId| {
            store.rewrite(e, &mut plain, &mut |store, e| match store.node(e) {
                Node::Builtin(Builtin::Homotopy, args) => args[0],
                _ => store.simplify_node(e),
            })
        };
        let mut mix = |store: &mut Store, e: ExprId| {
            store.rewrite(e, &mut blend, &mut |store, e| match store.node(e).clone() {
                Node::Builtin(Builtin::Homotopy, args) => {
                    let (a, b) = (store.times(lambda, args[0]), store.times(rest, args[1]));
                    let both = store.plus(a, b);
                    store.choose(actual, args[0], both)
                }
                _ => store.simplify_node(e),
            })
        };
        for row in self.rows.iter_mut().chain(&mut self.initial_rows) {
            let (lhs, rhs) = (strip(&mut self.store, row.lhs), strip(&mut self.store, row.rhs));
            if (lhs, rhs) != (row.lhs, row.rhs) {
                row.initial = Some((mix(&mut self.store, row.lhs), mix(&mut self.store, row.rhs)));
                (row.lhs, row.rhs) = (lhs, rhs);
            }
        }
        for relation in &mut self.relations {
            relation.lhs = strip(&mut self.store, relation.lhs);
            relation.rhs = strip(&mut self.store, relation.rhs);
        }
    }
}
