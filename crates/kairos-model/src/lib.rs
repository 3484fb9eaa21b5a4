//! The scalar hybrid model: the last product of the front end and the input of causalisation.

mod invariants;

use kairos_base::{Name, Span};
pub use kairos_expr::Variability;
use kairos_expr::{ExprId, Scalar, Stmt, Store, VarId};
use serde::{Deserialize, Serialize};

/// One synchronous system of scalar equations over scalar variables.
///
/// Expressions in it are scalar and free of comprehensions; arrays and records occur only as arguments of calls
/// (`Node::Call`) and, with `Index`, `Field` and `Item`, as selections from the value of a call. Two selections
/// from one call share its node, so the call is evaluated once.
pub struct ScalarModel {
    /// Qualified class name.
    pub name: String,
    pub store: Store,
    pub vars: Vec<Variable>,
    pub equations: Vec<Equation>,
    pub initial_equations: Vec<Equation>,
    pub experiment: Experiment,
    pub clocks: Vec<ClockPartition>,
}

impl ScalarModel {
    /// Every expression of the model, equations first.
    pub fn visit_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        let equations = self.equations.iter_mut().chain(&mut self.initial_equations);
        equations.for_each(|e| e.visit_exprs_mut(visit));
        self.vars.iter_mut().for_each(|v| v.visit_exprs_mut(visit));
        self.clocks.iter_mut().for_each(|c| c.visit_exprs_mut(visit));
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Causality {
    Local,
    Input,
    Output,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum StateSelect {
    Never,
    Avoid,
    #[default]
    Default,
    Prefer,
    Always,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// The dotted name with subscripts, as results show it: `a.b[1].c[2,3]`.
    pub name: String,
    pub ty: Scalar,
    pub variability: Variability,
    pub causality: Causality,
    /// The value of a constant or parameter; other bindings are equations.
    pub binding: Option<ExprId>,
    pub start: Option<ExprId>,
    /// As declared; the default is true for parameters and constants only. `None`: not declared.
    pub fixed: Option<bool>,
    pub nominal: Option<ExprId>,
    pub min: Option<ExprId>,
    pub max: Option<ExprId>,
    pub state_select: StateSelect,
    pub unit: Name,
    pub display_unit: Name,
    pub description: Name,
    pub protected: bool,
    /// The potential of a connector that also has flow variables.
    pub potential: bool,
    /// A structural parameter: its value is built into the equations and cannot be changed in a run.
    pub structural: bool,
    /// Declared or modified as final.
    pub is_final: bool,
    /// Index into `ScalarModel::clocks` for a variable of a clocked partition.
    pub clock: Option<u32>,
    pub span: Span,
}

impl Variable {
    /// The expressions of the attributes.
    pub fn visit_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        let attributes =
            [&mut self.binding, &mut self.start, &mut self.nominal, &mut self.min, &mut self.max];
        attributes.into_iter().flatten().for_each(visit);
    }

    /// A variable that the compiler needs and no source declares.
    pub fn made(name: &str, ty: Scalar, span: Span) -> Variable {
        Variable {
            name: name.to_string(),
            ty,
            variability: if ty == Scalar::Real { Variability::Continuous } else { Variability::Discrete },
            causality: Causality::Local,
            binding: None,
            start: None,
            fixed: None,
            nominal: None,
            min: None,
            max: None,
            state_select: StateSelect::Default,
            unit: Name::EMPTY,
            display_unit: Name::EMPTY,
            description: Name::EMPTY,
            protected: true,
            potential: false,
            structural: false,
            is_final: false,
            clock: None,
            span,
        }
    }
}

/// Where an equation comes from: the source text and the instance that contains it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Origin {
    pub span: Span,
    /// The instance path, empty at the top.
    pub path: Name,
}

#[derive(Clone, Debug)]
pub struct Equation {
    pub kind: EquationKind,
    pub origin: Origin,
    /// Index into `ScalarModel::clocks` for an equation of a clocked partition.
    pub clock: Option<u32>,
}

#[derive(Clone, Debug)]
pub enum EquationKind {
    /// `lhs = rhs`; if-equations are `0 = if c then … else …` unless all branches define the same variable.
    Equal(ExprId, ExprId),
    /// `when c1 then v = e1; elsewhen c2 then v = e2; end when`: a vector condition is a list of conditions.
    WhenAssign { var: VarId, branches: Vec<(Vec<ExprId>, ExprId)> },
    /// The first branch whose condition has an edge acts; a branch of an elsewhen that does not act is empty.
    WhenDo(Vec<(Vec<ExprId>, Vec<GuardedAction>)>),
    /// An algorithm section: defines `outputs` together, from statements over scalar or array element targets.
    Algorithm { statements: Vec<Stmt>, outputs: Vec<VarId> },
    /// Checked whenever its condition can have changed.
    Assert { condition: ExprId, message: ExprId, warning: bool },
    /// A call for its effect.
    Call(ExprId),
}

/// An action of a when-clause with the condition of the if-equations around it. Where that does not hold at the event,
/// the action does not take place.
#[derive(Clone, Debug)]
pub struct GuardedAction {
    pub guard: Option<ExprId>,
    pub action: Action,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Action {
    Reinit(VarId, ExprId),
    Assert {
        condition: ExprId,
        message: ExprId,
        warning: bool,
    },
    /// Where this holds, with a message.
    Terminate(ExprId, ExprId),
    Call(ExprId),
}

impl Action {
    pub fn visit_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        match self {
            Action::Reinit(_, e) | Action::Call(e) => visit(e),
            Action::Terminate(condition, message) => {
                visit(condition);
                visit(message);
            }
            Action::Assert { condition, message, .. } => {
                visit(condition);
                visit(message);
            }
        }
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Experiment {
    pub start: Option<f64>,
    pub stop: Option<f64>,
    pub interval: Option<f64>,
    pub tolerance: Option<f64>,
}

/// A clocked sub-partition (MLS 16.7) with its exact ticks.
///
/// # When it ticks
///
/// Partitions with the same `base` hang on one base clock, which `kind` repeats for each of them, and are
/// synchronised exactly; different base clocks are independent. The base clock's intervals are numbered from its
/// first tick, and tick k = 0, 1, … of the partition is at position `shift + k * factor` of them. For
/// `ClockKind::Rational` with a literal counter and for `ClockKind::Event`, factor and shift are whole numbers;
/// otherwise a fractional position p stands for the point that divides the interval from tick ⌊p⌋ to the next in
/// that proportion. For a periodic clock the time of a tick is `start + (shift + k * factor) * interval`, to be
/// computed by multiplication from the integers, never by accumulation.
///
/// # What happens at a tick
///
/// All equations with the same `base` are one synchronous system: they are sorted together, and at an instant those
/// whose partition ticks are evaluated once, before the unclocked system and without event iteration. No relation
/// or event function in them raises an event. Their variables have the same number in `Variable::clock`.
///
/// - A variable of another partition stands for its most recent value, this instant included, and for its start
///   value before its first tick. That is what `subSample`, `superSample`, `shiftSample`, `backSample` and `noClock`
///   mean; these operators do not occur in the model.
/// - `previous(v)` is the value of `v` at the last tick of its partition, its start value at the first.
/// - `sample(u)` has one argument left, an expression of the unclocked system, and is its left limit.
/// - `hold(v)` stands in unclocked equations only: the most recent value of `v`, its start value before the first tick.
/// - `interval()` is the time since the partition's last tick, and at the first one `factor` times the base interval
///   (`start_interval` of an event clock, zero if absent). `firstTick()` is true at the first tick only. Neither has
///   an argument.
/// - `Assert` and `Call` equations with a clock act at every tick of their partition.
///
/// # Discretised partitions
///
/// If `solver` is given, `der(x)` in the partition is discretised with that method over `interval()` (MLS 16.8.2);
/// at the first tick states have their start values. Other partitions contain no `der`, and all their variables have
/// the variability `Discrete`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClockPartition {
    /// Number of the base clock.
    pub base: u32,
    pub kind: ClockKind,
    /// Numerator and positive denominator, in lowest terms.
    pub factor: (i64, i64),
    pub shift: (i64, i64),
    /// `solverMethod` of a discretised partition.
    pub solver: Option<String>,
    /// For the equations of a state of a state machine (MLS 17.3.4): a Boolean variable of the machine's partition without
    /// which they do not act at a tick.
    pub state: Option<ActiveState>,
}

/// When the equations of a state act, and when its discretised variables begin again; both are Boolean variables.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ActiveState {
    pub active: ExprId,
    pub reset: ExprId,
}

impl ClockPartition {
    pub fn visit_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        self.kind.visit_exprs_mut(visit);
        if let Some(state) = &mut self.state {
            visit(&mut state.active);
            visit(&mut state.reset);
        }
    }
}

/// The base clock of a partition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ClockKind {
    /// A real interval in seconds. An expression of parameters is evaluated once; a clocked variable is evaluated at
    /// each base tick and gives the time to the next.
    Periodic { interval: ExprId },
    /// An interval of `counter / resolution` seconds: exact literals, or a clocked counter as above.
    Rational { counter: ExprId, resolution: ExprId },
    /// Ticks when the unclocked condition becomes true, one event iteration later: at `edge(pre(condition))`.
    Event { condition: ExprId, start_interval: Option<ExprId> },
}

impl ClockKind {
    pub fn visit_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        match self {
            ClockKind::Periodic { interval } => visit(interval),
            ClockKind::Rational { counter, resolution } => {
                visit(counter);
                visit(resolution);
            }
            ClockKind::Event { condition, start_interval } => {
                visit(condition);
                start_interval.iter_mut().for_each(visit);
            }
        }
    }
}

impl Equation {
    /// The variables that stand outside expressions: targets of assignments.
    pub fn visit_vars_mut(&mut self, visit: &mut dyn FnMut(&mut VarId)) {
        match &mut self.kind {
            EquationKind::WhenAssign { var, .. } => visit(var),
            EquationKind::WhenDo(branches) => {
                for action in branches.iter_mut().flat_map(|(_, actions)| actions) {
                    if let Action::Reinit(var, _) = &mut action.action {
                        visit(var);
                    }
                }
            }
            EquationKind::Algorithm { statements, outputs } => {
                outputs.iter_mut().for_each(&mut *visit);
                statements.iter_mut().for_each(|s| s.visit_vars_mut(visit));
            }
            EquationKind::Equal(..) | EquationKind::Assert { .. } | EquationKind::Call(_) => {}
        }
    }

    /// Every expression of the equation.
    pub fn visit_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        match &mut self.kind {
            EquationKind::Equal(a, b) => {
                visit(a);
                visit(b);
            }
            EquationKind::WhenAssign { branches, .. } => {
                for (conditions, value) in branches {
                    conditions.iter_mut().for_each(&mut *visit);
                    visit(value);
                }
            }
            EquationKind::WhenDo(branches) => {
                for (conditions, actions) in branches {
                    conditions.iter_mut().for_each(&mut *visit);
                    for GuardedAction { guard, action, .. } in actions {
                        guard.iter_mut().for_each(&mut *visit);
                        action.visit_exprs_mut(visit);
                    }
                }
            }
            EquationKind::Algorithm { statements, .. } => {
                statements.iter_mut().for_each(|s| s.visit_exprs_mut(visit));
            }
            EquationKind::Assert { condition, message, .. } => {
                visit(condition);
                visit(message);
            }
            EquationKind::Call(e) => visit(e),
        }
    }
}
