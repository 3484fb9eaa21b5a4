//! The differential equations that integrators accept.

use crate::Eval;
use crate::linear::{Matrix, Pattern};

/// `x' = f(t, x)`.
pub trait Ode {
    fn dimension(&self) -> usize;

    /// Writes `f(t, x)`.
    fn rhs(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Eval>;

    /// Where `∂f/∂x` can be nonzero; without it Jacobians are dense.
    fn pattern(&self) -> Option<&Pattern> {
        None
    }

    /// Writes `∂f/∂x` over zeros, in the storage that `pattern` implies; false if it is to be found by differences.
    fn jacobian(&mut self, _t: f64, _x: &[f64], _jacobian: &mut Matrix) -> Result<bool, Eval> {
        Ok(false)
    }

    /// A whole step of the explicit pair from `t`, as module `leap` says, where that costs less than its stages one by one;
    /// false where it is left to these, as wherever something fails.
    fn leap(&mut self, _t: f64, _from: &[f64], _to: &mut [f64]) -> bool {
        false
    }

    /// How many numbers of its own a leap writes after those that the method asks for.
    fn beyond(&self) -> usize {
        0
    }

    /// A last look at a step before it is accepted, for bounds; a recoverable failure rejects it.
    fn accept(&mut self, _t: f64, _x: &[f64]) -> Result<(), Eval> {
        Ok(())
    }
}
