//! What a program tells about its model: variables, states, relations, samplers, sparsity.

use kairos_base::Span;
use kairos_expr::{Scalar, Variability};
use kairos_model::Causality;

/// A variable as results show it.
#[derive(Clone, Debug)]
pub struct VarInfo {
    pub name: String,
    pub ty: Scalar,
    pub unit: String,
    pub display_unit: String,
    pub description: String,
    pub protected: bool,
    /// As declared: an input or output is one of the whole model.
    pub causality: Causality,
    /// As declared; what a variable does in this model `is_discrete` says.
    pub variability: Variability,
    pub start: Option<Attribute>,
    pub min: Option<Attribute>,
    pub max: Option<Attribute>,
    pub nominal: Option<Attribute>,
    /// Where it is declared.
    pub span: Span,
    /// A parameter that the initial problem determines.
    pub is_found: bool,
    /// The model does not allow another value.
    pub is_final: bool,
    /// Changes at events only.
    pub is_discrete: bool,
    /// Can be set before a run without compiling anew.
    pub settable: bool,
    /// Of an input: the slot that takes its value from outside.
    pub given: Option<u32>,
    /// Where the value stands in `Machine::values`, and the sign of an alias.
    pub slot: u32,
    pub negated: bool,
    /// The names of an enumeration's literals, from ordinal 1.
    pub literals: Vec<String>,
    /// The qualified name of the enumeration.
    pub enumeration: String,
}

impl VarInfo {
    /// Constant over the run.
    pub fn is_parameter(&self) -> bool {
        self.variability <= Variability::Parameter
    }

    /// Declared as a constant.
    pub fn is_constant(&self) -> bool {
        self.variability == Variability::Constant
    }
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    Number(f64),
    /// The parameter in this slot of `Machine::values`.
    Parameter(u32),
    /// Any other expression, as the user wrote it.
    Text(String),
}

/// A relation that raises events.
#[derive(Clone, Debug)]
pub struct RelationInfo {
    /// As the user wrote it, in the model's variables.
    pub text: String,
    pub span: Span,
    /// Depends on time and discrete values only: `Machine::plan` computes its instant.
    pub by_time: bool,
    /// The sign of the crossing function with which the relation is true; zero for `==` and `<>`.
    pub true_side: i8,
    /// Whether the relation holds where its crossing function is zero.
    pub at_zero: bool,
}

#[derive(Clone, Debug, Default)]
pub struct MachineInfo {
    pub name: String,
    /// Value slots of the states and of their derivatives, in the order of the state vector.
    pub states: Vec<u32>,
    pub derivatives: Vec<u32>,
    pub state_names: Vec<String>,
    /// Absolute scale of each state.
    pub nominal: Vec<f64>,
    pub vars: Vec<VarInfo>,
    pub relations: Vec<RelationInfo>,
    /// `sample` operators: text and place.
    pub samplers: Vec<(String, Span)>,
    /// Sparsity of the state Jacobian: for each column the rows, sorted.
    pub jacobian_columns: Vec<Vec<u32>>,
    /// Sets of candidates whose states are chosen while the simulation runs: `StateSets::reselect`.
    pub state_sets: usize,
    /// Does any equation use `delay` or `spatialDistribution`?
    pub needs_history: bool,
    /// Has the model conditions to be checked at steps where no row asks for its variables?
    pub asserts: bool,
    /// The slot of every variable by its number, the compiler's own included, and of the first relation.
    pub slots: Vec<u32>,
    pub relation_slot: u32,
    /// Slots of variables that are set from outside. A `reinit` of one counts them after the states.
    pub inputs: Vec<u32>,
    /// Slots that take values of the model's own inputs from outside, sorted: `VarInfo::given`.
    pub given: Vec<u32>,
    /// The relations whose crossing functions `Motion::leap` tells.
    pub glances: Vec<u32>,
    /// Slots of the residuals of equations, and the equations, where a run is to check itself.
    pub residuals: Vec<(u32, String)>,
    /// Parts that do not act on each other between events; empty: the system is one.
    pub parts: Vec<PartInfo>,
}

/// A part of the continuous system with a machine of its own: `Machine::part`.
#[derive(Clone, Debug, Default)]
pub struct PartInfo {
    /// Where its states stand.
    pub states: std::ops::Range<usize>,
    /// Relations of the whole that are decided by its variables, in the order of its own relations.
    pub relations: Vec<u32>,
}

/// What can raise an event: a `sample` operator or a relation, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Sampler(u32),
    Relation(u32),
}
