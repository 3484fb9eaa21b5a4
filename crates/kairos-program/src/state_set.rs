//! Sets of candidates of which some are states, chosen while a simulation runs.

use crate::tape::{Slot, Tape};

/// A set of candidates of which some are states.
#[derive(Clone, Debug)]
pub struct SetCode {
    /// Computes the factors of the constraints.
    pub tape: Tape,
    /// Row, column and place of each factor; the first `others` columns belong to variables that are never states.
    pub entries: Vec<(u32, u32, Slot)>,
    pub rows: usize,
    pub others: usize,
    pub candidates: Vec<Slot>,
    pub nominal: Vec<Slot>,
    pub states: Vec<Slot>,
    /// By state and candidate.
    pub selectors: Vec<Vec<Slot>>,
    /// The candidate of each state to begin with.
    pub chosen: Vec<u32>,
}
