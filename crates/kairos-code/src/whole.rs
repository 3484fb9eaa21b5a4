//! Systems that are there before tearing, too: where unknowns that are eliminated one by the other magnify round-off, the
//! whole system is solved instead.

use crate::diagnostics;
use crate::machine::{Eval, EvalError};
use crate::newton::Damping;
use crate::program::{Program, Solve};
use crate::run::Frame;
use crate::space::{Space, Way};

/// Where the torn and the whole system differ by more, relative to the unknowns, the whole one is right.
const DRIFT: f64 = 1e-8;
/// The same where changes of the unknowns come out so many times as large in what is eliminated by them.
const GROWTH: f64 = 1e9;
/// From so many eliminated unknowns on both are solved, and compared, at the first solution.
pub const DEEP: usize = 12;
/// After so many solutions the growth is looked at again, and after some early ones; so it is where an event has changed a
/// matrix that else stays as it is.
const AGAIN: u64 = 64;
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
        if space.way == Way::Whole {
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
                // There may be other reasons for a failure than what round-off does.
                if space.way == Way::Untried || self.grows(program, solve, whole)? {
                    space.way = Way::Whole;
                }
                return Ok(());
            }
            done => done?,
        }
        space.solutions += 1;
        let renewed = std::mem::take(&mut space.renewed);
        let due = renewed || space.solutions.is_power_of_two() || space.solutions.is_multiple_of(AGAIN);
        if due && self.grows(program, solve, whole)? && self.take_whole(program, whole)? {
            space.way = Way::Whole;
            return Ok(());
        }
        if space.way == Way::Untried {
            let deep = whole.unknowns.len() - solve.unknowns.len() >= DEEP;
            let better = deep && self.whole_is_better(program, whole)?;
            space.way = if better { Way::Whole } else { Way::Torn };
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

    /// Does a small change of the unknowns become a large one of what is eliminated by them? So does their round-off, though
    /// at one point it may happen to be none.
    fn grows(&mut self, program: &Program, solve: &Solve, whole: &Solve) -> Eval<bool> {
        const CHANGE: f64 = 1e-6;
        let solved = self.values_of(whole);
        for (k, (&slot, &nominal)) in solve.unknowns.iter().zip(&solve.nominal).enumerate() {
            let size = self.get(slot).abs() + self.get(nominal).abs();
            // Not all the same way: what has a sum of zero might hide it.
            let share = [1.0, -0.7, 0.4, -0.9, 0.6][k % 5];
            self.set(slot, self.get(slot) + share * CHANGE * size);
        }
        let moved = self.run(program, &solve.tape).is_ok();
        let far = whole.unknowns.iter().zip(&whole.nominal).zip(&solved).any(|((&slot, &nominal), x)| {
            let size = x.abs() + self.get(nominal).abs();
            (self.get(slot) - x).abs() > GROWTH * CHANGE * size
        });
        // Also what the tape leaves elsewhere is that of the solution again.
        self.place(whole, &solved);
        self.run(program, &solve.tape)?;
        self.place(whole, &solved);
        Ok(moved && far)
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
