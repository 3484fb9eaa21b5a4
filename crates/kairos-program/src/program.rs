//! The program: tapes and blocks as plain data, for any machine to run.

use crate::closed::Closed;
use crate::field::Field;
use crate::info::MachineInfo;
use crate::reach::Reach;
use crate::routine::Routines;
use crate::sequence::Sequence;
use crate::slots::Slots;
use crate::sparsity::Sparsity;
use crate::state_set::SetCode;
use crate::structure::Seen;
use crate::tape::{CallSite, DelaySite, Destination, Evaluation, Op, Slot, TangentSite, Tape, TransportSite};
use crate::through::Through;
use kairos_base::Span;
use kairos_expr::{BinOp, ExprId, Scalar, Store, Value, VarId};
use kairos_numerics::linear::Colouring;
use std::sync::Arc;

/// The layout of the memory, and what tapes refer to beside it.
#[derive(Clone, Default)]
pub struct Memory {
    pub time: Slot,
    /// The first relation; they follow each other.
    pub relations: Slot,
    /// Of every variable; aliases share.
    pub slot_of: Vec<Slot>,
    /// Strings and external objects live outside the numbers.
    pub other_of: Vec<Option<u32>>,
    pub others: Vec<Value>,
    /// Their numbers: a text has one by which it is told from others.
    pub other_slots: Vec<Slot>,
    /// The numbers.
    pub slots: Slots,
    /// User functions as numeric code.
    pub routines: Routines,
    pub calls: Vec<CallSite>,
    pub tangents: Vec<TangentSite>,
    pub evaluations: Vec<Evaluation>,
    pub delays: Vec<DelaySite>,
    pub transports: Vec<TransportSite>,
    /// How many tapes there are.
    pub tapes: u32,
    /// How many results of calls are kept, and how many systems are solved.
    pub results: u32,
    pub solves: Vec<u32>,
}

impl Memory {
    /// Are there operators that remember accepted points?
    pub fn has_past(&self) -> bool {
        !self.delays.is_empty() || !self.transports.is_empty()
    }

    pub fn temporary(&mut self) -> Slot {
        self.slots.temporary()
    }

    /// A tape of this program.
    pub fn tape(&mut self, ops: Vec<Op>) -> Tape {
        self.tapes += 1;
        Tape { ops, id: self.tapes }
    }

    pub fn constant(&mut self, value: f64) -> Slot {
        self.slots.constant(value)
    }
}

/// The limits of an unknown that has none.
pub const NO_LIMITS: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// Systems with this many eliminated unknowns are solved torn and whole at their first solution, and compared.
pub const DEEP: usize = 12;

/// Equations that are solved together by Newton's method, one step if they are linear.
#[derive(Clone, Debug)]
pub struct Solve {
    /// Its own number, for the work space that a machine keeps.
    pub id: u32,
    pub linear: bool,
    pub unknowns: Vec<Slot>,
    pub names: Vec<String>,
    /// The typical size of each unknown.
    pub nominal: Vec<Slot>,
    /// The least and greatest value that the model gives each unknown.
    pub limits: Vec<(f64, f64)>,
    pub residuals: Vec<Slot>,
    /// Computes the residuals from the unknowns.
    pub tape: Tape,
    /// The same with tangents: set one seed to one, read a column of the Jacobian.
    pub tangent: Tape,
    pub seeds: Vec<Slot>,
    pub columns: Vec<Slot>,
    /// The same system with all its unknowns, where many were eliminated: to eliminate can be unstable.
    pub whole: Option<Arc<Solve>>,
    /// The tangents of what was eliminated there.
    pub spread: Vec<Slot>,
    /// Is it such a system, of which nobody is told?
    pub is_whole: bool,
    /// Which entries the Jacobian has, where that is worth knowing.
    pub sparsity: Option<Sparsity>,
    /// All of the solution in one tape, for few unknowns that occur linearly.
    pub closed: Option<Closed>,
    /// What the Jacobian is computed from, where that is no unknown and changes at events at most.
    pub matrix_inputs: Option<Vec<Slot>>,
    /// Text and place of each residual's equation.
    pub equations: Vec<(String, Span)>,
    /// Texts of equations that the unknowns were eliminated from, some of them.
    pub eliminated: Vec<String>,
    /// Discrete values that choose between branches in it, with their texts.
    pub conditions: Vec<(String, Slot)>,
}

/// Real and discrete unknowns solved together at events.
#[derive(Clone, Debug)]
pub struct MixedCode {
    pub continuous: Vec<Code>,
    pub discrete: Vec<Code>,
    /// Decides the relations literally into `decided`.
    pub decide: Tape,
    pub relations: Vec<Slot>,
    pub decided: Vec<Slot>,
    /// Both sides of each relation.
    pub sides: Vec<(Slot, Slot)>,
    /// Discrete variables that must come out as they went in.
    pub variables: Vec<Slot>,
    pub texts: Vec<String>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Code {
    Tape(Tape),
    Solve(Box<Solve>),
    Mixed(Box<MixedCode>),
}

impl Code {
    /// All systems in a list.
    pub fn solves(list: &mut [Code], visit: &mut dyn FnMut(&mut Solve)) {
        for code in list {
            match code {
                Code::Tape(_) => {}
                Code::Solve(solve) => visit(solve),
                Code::Mixed(mixed) => {
                    Code::solves(&mut mixed.continuous, visit);
                    Code::solves(&mut mixed.discrete, visit);
                }
            }
        }
    }

    /// The unknowns of nonlinear systems, which are solved from where they stand.
    pub fn guesses(list: &[Code], slots: &mut Vec<Slot>) {
        for code in list {
            match code {
                // All of its unknowns where it may be solved before tearing.
                Code::Solve(solve) if !solve.linear => {
                    slots.extend(&solve.whole.as_deref().unwrap_or(solve).unknowns)
                }
                Code::Mixed(mixed) => Code::guesses(&mixed.continuous, slots),
                _ => {}
            }
        }
    }
}

/// A part of the derivatives' directional derivative; positions refer to `Program::derivatives`.
#[derive(Clone, Debug)]
pub enum JacobianCode {
    Tape(Tape),
    /// The implicit function theorem: solve for the tangents of the unknowns, then run the tape with them.
    Solve {
        code: u32,
        tape: Tape,
        unknowns: Vec<Slot>,
        residuals: Vec<Slot>,
    },
}

/// The state Jacobian by compressed directions.
#[derive(Clone, Debug, Default)]
pub struct JacobianPlan {
    pub codes: Vec<JacobianCode>,
    /// The tangent of each state and of each derivative.
    pub seeds: Vec<Slot>,
    pub derivatives: Vec<Slot>,
    /// States whose columns share no row.
    pub groups: Colouring,
}

/// A relation as the machine evaluates it.
#[derive(Clone, Debug)]
pub struct RelationCode {
    pub op: BinOp,
    /// Slots of both sides after the crossing tape.
    pub left: Slot,
    pub right: Slot,
    /// For a time relation: computes slope, rest and the literal value at the time slot.
    pub time: Option<(Tape, Slot, Slot, Slot)>,
}

/// What a failed condition of a when-clause or an assert leads to.
#[derive(Clone, Debug)]
pub enum ActionCode {
    Reinit { state: u32, value: Slot, tape: Tape },
    Assert { condition: Slot, tape: Tape, message: ExprId, warning: bool, span: Span },
    Terminate { condition: Slot, tape: Tape, message: ExprId },
    Call { tape: Tape },
}

#[derive(Clone, Debug)]
pub struct WhenCode {
    pub fire: Slot,
    pub actions: Vec<ActionCode>,
    pub span: Span,
}

/// An assert outside of when-clauses.
#[derive(Clone, Debug)]
pub struct AssertCode {
    pub condition: Slot,
    pub tape: Tape,
    pub message: ExprId,
    pub warning: bool,
    pub span: Span,
    /// Names and places of the variables in the condition.
    pub values: Vec<(String, Slot)>,
}

/// The equation that gives a variable its value.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    pub var: VarId,
    pub slot: Slot,
    pub value: ExprId,
    pub span: Span,
}

/// A check after initialisation.
#[derive(Clone, Debug)]
pub struct Check {
    pub tape: Tape,
    pub left: Slot,
    pub right: Slot,
    pub text: String,
    pub span: Span,
}

/// Parameters that are computed together.
#[derive(Clone, Debug)]
pub struct ParameterCode {
    pub to: Vec<Destination>,
    pub tape: Tape,
    /// Name and place of each.
    pub places: Vec<(String, Span)>,
}

/// A compiled model. Machines share it and differ in their memory.
#[derive(Clone)]
pub struct Program {
    pub store: Arc<Store>,
    pub memory: Memory,
    pub info: MachineInfo,
    /// Types of all variables, for values handed to functions.
    pub types: Vec<Scalar>,
    /// Each after those it depends on.
    pub parameters: Vec<ParameterCode>,
    /// Computes what delays and transports record.
    pub history: Tape,
    /// Start values as guesses and for display, before the initial system runs.
    pub starts: Tape,
    pub initial: Vec<Code>,
    pub checks: Vec<Check>,
    pub report: Vec<String>,
    pub has_homotopy: bool,
    /// What follows from parameters and discrete values alone, for the motion.
    pub settled: Tape,
    /// What the derivatives need; what the relations need besides; everything else.
    pub derivatives: Sequence,
    pub jacobian: JacobianPlan,
    pub crossings: Sequence,
    pub outputs: Sequence,
    /// The derivatives, and the crossing functions, as functions of time and states.
    pub motion: Option<Field>,
    pub watched: Option<Field>,
    /// A step of the explicit method.
    pub leap: Option<Field>,
    /// Unknowns between events that are assigned; each must come out finite.
    pub definitions: Vec<Definition>,
    /// Names of all variables, for messages.
    pub names: Vec<String>,
    /// Both sides of the relations.
    pub crossing_tape: Tape,
    /// Decides which relations nobody reads as things stand, by the slots of those that may be unread.
    pub demands: (Tape, Vec<(u32, Slot)>),
    pub event: Sequence,
    /// The same until nothing changes, where that is one tape.
    pub through: Option<Through>,
    pub whens: Vec<WhenCode>,
    pub asserts: Vec<AssertCode>,
    pub calls: Vec<Tape>,
    pub relations: Vec<RelationCode>,
    /// Computes start and interval of each sampler.
    pub samplers: Vec<(Tape, Slot, Slot)>,
    pub sampler_flags: Vec<Slot>,
    /// Left limits: from, to.
    pub pre: Vec<(Slot, Slot)>,
    /// Discrete variables that users see change, with the left limit to compare with.
    pub discrete: Vec<(Slot, Slot)>,
    /// Does anybody read the left limit of each of `discrete`? Those of `pre` are there for that.
    pub discrete_read: Vec<bool>,
    /// Who reads each of `discrete`, and each relation, between events.
    pub discrete_seen: Vec<Seen>,
    pub relation_seen: Vec<Seen>,
    /// The same equations as `event`, to evaluate only what an event reaches.
    pub reach: Reach,
    pub initial_flag: Slot,
    pub terminal_flag: Slot,
    pub lambda: Slot,
    pub state_sets: Vec<SetCode>,
    /// What no evaluation between events computes, parameters aside.
    pub carried: Vec<Slot>,
    pub vars: Vec<VarId>,
}

impl Program {
    /// Everything that runs again and again, and whether parameters and discrete values are held meanwhile and what
    /// follows from them is known; and the memory.
    pub fn sequences_mut(&mut self) -> (impl Iterator<Item = (&mut Sequence, bool)>, &mut Memory) {
        let motion = [&mut self.derivatives, &mut self.crossings].into_iter();
        let others = [&mut self.outputs, &mut self.event].into_iter().chain(self.reach.codes_mut());
        let all = motion.map(|sequence| (sequence, true)).chain(others.map(|sequence| (sequence, false)));
        (all, &mut self.memory)
    }
}
