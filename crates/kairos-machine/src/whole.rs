//! Systems that are there before tearing, too: where unknowns that are eliminated one by the other magnify round-off, the
//! whole system is solved instead.

use crate::diagnostics;
use crate::machine::{Eval, EvalError};
use crate::newton::Damping;
use crate::run::Frame;
use crate::space::{Space, Way};
use kairos_program::program::{DEEP, Program, Solve};

/// Where the torn and the whole system differ by more, relative to the unknowns, the whole one is right.
const DRIFT: f64 = 1e-8;
/// The same where changes of the unknowns come out so many times as large in what is eliminated by them.
const GROWTH: f64 = 1e9;
/// The same where the torn system is not solved any more, and the whole one is.
const FAILING: f64 = 1e4;
/// For that it must have failed so many times in a row.
const STREAK: u32 = 3;
/// So many solutions go by at most until a whole system that was not solved is tried again.
const LONGEST: u32 = 1023;
/// Tangents of unknowns that are smaller, or larger than its inverse, start from one.
const LEAST_SEED: f64 = 1e-60;
/// What the equations before tearing may be off by, relative to their largest term, in a solution that only the torn ones have.
const HOLDS: f64 = 1e-7;

impl Frame {
    /// Solves a system in the form that is right for it.
    pub fn solve_either(
        &mut self,
        program: &Program,
        solve: &Solve,
        whole: &Solve,
        space: &mut Space,
    ) -> Eval {
        space.before.clear();
        space.before.extend(whole.unknowns.iter().map(|&slot| self.get(slot)));
        // Looks learn for looks only, and nothing that the motion knows already.
        let at = usize::from(self.looks);
        let learns = !self.looks || space.known[0].way == Way::Untried;
        if space.way(self.looks) == Way::Whole {
            if self.solve_whole(program, whole)? {
                return Ok(());
            }
            // The torn one knows more ways to a solution, which is good for a start. It stands only if the equations before
            // tearing hold for it as well, which may be so where their matrix is singular.
            self.place(whole, &space.before);
            self.solve_torn(program, solve, space)?;
            if self.take_whole(program, whole)? || self.holds(program, whole)? {
                return Ok(());
            }
            self.residuals(program, solve, &mut space.residual)?;
            let why = "round-off grows as its unknowns are eliminated, and without that Newton's method does not converge";
            let fault = diagnostics::not_solved(solve, &self.values, &space.residual, why);
            return Err(EvalError::Recoverable(fault));
        }
        match self.solve_torn(program, solve, space) {
            Err(EvalError::Recoverable(fault)) => {
                self.place(whole, &space.before);
                if self.brief || !self.solve_whole(program, whole)? {
                    return Err(EvalError::Recoverable(fault));
                }
                if !learns {
                    return Ok(());
                }
                // There may be other reasons for a failure than what elimination does.
                space.known[at].failures += 1;
                let again = space.known[at].failures >= STREAK && self.growth(solve, space) > FAILING;
                if space.known[at].way == Way::Untried || again {
                    space.known[at].way = Way::Whole;
                }
                return Ok(());
            }
            done => done?,
        }
        if !learns {
            return Ok(());
        }
        space.known[at].failures = 0;
        let (wait, last) = space.known[at].vain;
        if wait > 0 {
            space.known[at].vain.0 -= 1;
        } else if self.growth(solve, space) > GROWTH {
            if self.take_whole(program, whole)? {
                space.known[at].way = Way::Whole;
                return Ok(());
            }
            // Its matrix may be singular, and nominal values much too large may look like growth: it is tried ever less often.
            let wait = (2 * last + 1).min(LONGEST);
            space.known[at].vain = (wait, wait);
        }
        if space.known[at].way == Way::Untried {
            let deep = whole.unknowns.len() - solve.unknowns.len() >= DEEP;
            let better = deep && self.whole_is_better(program, whole)?;
            space.known[at].way = if better { Way::Whole } else { Way::Torn };
        }
        Ok(())
    }

    /// Takes the solution of the whole system, from where the torn one has its own on; false: that stays.
    fn take_whole(&mut self, program: &Program, whole: &Solve) -> Eval<bool> {
        let torn = self.values_of(whole);
        let solved = self.solve_whole(program, whole)?;
        if !solved {
            self.place(whole, &torn);
        }
        Ok(solved)
    }

    /// Solves a system without eliminating any of its unknowns; false if that fails.
    fn solve_whole(&mut self, program: &Program, whole: &Solve) -> Eval<bool> {
        let mut space = self.take_space(whole);
        self.make_finite(whole);
        let done = match whole.linear && self.solve_by_factors(program, whole, &mut space)? {
            true => Ok(()),
            false => {
                space.kept = None;
                self.newton(program, whole, &mut space, Damping::Descent, None)
            }
        };
        self.spaces[whole.id as usize] = Some(space);
        match done {
            Ok(()) => Ok(true),
            Err(EvalError::Recoverable(_)) => Ok(false),
            Err(fatal) => Err(fatal),
        }
    }

    /// Solves a linear system with the factors that it has as long as its matrix is the same; false where the solution is none,
    /// since equations that are linear after elimination need not be so before.
    fn solve_by_factors(&mut self, program: &Program, whole: &Solve, space: &mut Space) -> Eval<bool> {
        match self.solve_linear(program, whole, space) {
            Ok(()) => {}
            Err(EvalError::Recoverable(_)) => return Ok(false),
            Err(fatal) => return Err(fatal),
        }
        // The last step was a refinement.
        let settled = |((&slot, &nominal), step): ((&u32, &u32), &f64)| {
            step.abs() <= DRIFT * (self.get(slot).abs() + self.get(nominal).abs())
        };
        Ok(whole.unknowns.iter().zip(&whole.nominal).zip(&space.step).all(settled))
    }

    /// Does the whole system have another solution than the one of the torn system, from which it starts? Then it has its own
    /// afterwards, else everything is as it was.
    fn whole_is_better(&mut self, program: &Program, whole: &Solve) -> Eval<bool> {
        let torn = self.values_of(whole);
        let solved = self.solve_whole(program, whole)?;
        let off = |frame: &Frame, k: usize| {
            let (x, nominal) = (frame.get(whole.unknowns[k]), frame.get(whole.nominal[k]).abs());
            let drift = (x - torn[k]).abs();
            drift.is_nan() || drift > DRIFT * (x.abs() + nominal)
        };
        if solved && (0..torn.len()).any(|k| off(self, k)) {
            return Ok(true);
        }
        self.place(whole, &torn);
        Ok(false)
    }

    /// What a tangent starts from: one, or the size of the unknown where those of what is eliminated are looked at. A power of
    /// two leaves all digits of the Jacobian as they are.
    pub(crate) fn seed(&self, solve: &Solve, column: usize, space: &Space) -> f64 {
        if solve.spread.is_empty() {
            return 1.0;
        }
        // A linear system is asked where its unknowns are zero; it comes from what they were.
        let size = self.get(solve.unknowns[column]).abs().max(space.start[column].abs());
        let size = size + self.get(solve.nominal[column]).abs();
        // Without its sign and its digits a number is the power of two below it.
        let power = f64::from_bits(size.to_bits() & f64::INFINITY.to_bits());
        if LEAST_SEED < power && power < 1.0 / LEAST_SEED { power } else { 1.0 }
    }

    /// How many times as large a small change of the unknowns is in what is eliminated by them, as is their round-off; at
    /// least one.
    pub(crate) fn growth(&self, solve: &Solve, space: &Space) -> f64 {
        let Some(whole) = &solve.whole else { return 1.0 };
        let sizes = whole.unknowns.iter().zip(&whole.nominal);
        let sizes = sizes.map(|(&x, &nominal)| self.get(x).abs() + self.get(nominal).abs());
        space.spread.iter().zip(sizes).fold(1.0, |growth, (far, size)| f64::max(growth, far / size))
    }

    /// Do the equations hold as they stand, up to what round-off may do to their largest terms?
    fn holds(&mut self, program: &Program, whole: &Solve) -> Eval<bool> {
        let mut space = self.take_space(whole);
        let done = self.is_small(program, whole, &mut space);
        self.spaces[whole.id as usize] = Some(space);
        done
    }

    fn is_small(&mut self, program: &Program, whole: &Solve, space: &mut Space) -> Eval<bool> {
        if !self.residuals(program, whole, &mut space.residual)? {
            return Ok(false);
        }
        self.jacobian_of(program, whole, space)?;
        let size = |(&slot, &nominal)| self.get(slot).abs() + self.get(nominal).abs();
        let sizes: Vec<f64> = whole.unknowns.iter().zip(&whole.nominal).map(size).collect();
        space.scale_rows(&sizes);
        Ok(space.residual.iter().zip(&space.scale).all(|(residual, scale)| (residual * scale).abs() <= HOLDS))
    }

    fn values_of(&self, solve: &Solve) -> Vec<f64> {
        solve.unknowns.iter().map(|&slot| self.get(slot)).collect()
    }
}
