//! Families of random hybrid models, each with an answer that shares no code with the engine.
//!
//! A family turns a seed into a model's text and into values that the model must have at some times, found by another
//! method: time stepping with projections, closed forms, event-exact algebra. The engine is run as a command, as users run
//! it, and every answer is judged: right, refused with a message, wrong, or without an end.

pub mod automata;
pub mod bends;
pub mod bounces;
pub mod buffers;
pub mod carriages;
pub mod circuits;
pub mod clockwork;
pub mod contacts;
mod dense;
pub mod drives;
pub mod flow;
pub mod friction;
pub mod gears;
pub mod kinks;
pub mod limiters;
pub mod networks;
pub mod peaks;
pub mod petri;
pub mod random;
pub mod relays;
pub mod run;
pub mod sampled;
pub mod touches;

use random::Random;

/// A model with values that no simulator of ours has produced.
pub struct Case {
    /// The text of a model with the name `M`.
    pub text: String,
    pub stop: f64,
    pub tolerance: f64,
    pub expected: Vec<Expected>,
    /// Further options of the command.
    pub options: Vec<String>,
}

/// What a variable is at a time, give or take.
pub struct Expected {
    pub variable: String,
    pub time: f64,
    pub value: f64,
    pub within: f64,
}

/// Makes a case from a seed; `None` where the other method is not sure of its own answer.
pub type Generator = fn(&mut Random) -> Option<Case>;

/// All families by name.
pub const FAMILIES: &[(&str, Generator)] = &[
    ("automata", automata::case),
    ("bends", bends::case),
    ("bounces", bounces::case),
    ("buffers", buffers::case),
    ("carriages", carriages::case),
    ("circuits", circuits::case),
    ("clockwork", clockwork::case),
    ("contacts", contacts::case),
    ("drives", drives::case),
    ("friction", friction::case),
    ("gears", gears::case),
    ("kinks", kinks::case),
    ("limiters", limiters::case),
    ("networks", networks::case),
    ("peaks", peaks::case),
    ("petri", petri::case),
    ("relays", relays::case),
    ("sampled", sampled::case),
    ("touches", touches::case),
];
