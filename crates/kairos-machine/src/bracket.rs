//! A system of one unknown, where Newton's method fails: the change of sign that is nearest to the start.

use crate::machine::{Eval, EvalError};
use crate::run::Frame;
use crate::space::Space;
use kairos_program::program::{NO_LIMITS, Program, Solve};

/// The first look to both sides, relative to the size of the unknown, and how often the distance doubles.
const NEAR: f64 = 1e-6;
const DOUBLINGS: usize = 44;
const BISECTIONS: usize = 200;
/// At a root the residual is small beside what it is at the ends; at a pole it is not.
const ROOT: f64 = 1e-6;

impl Frame {
    /// Looks for a change of sign, nearer ones first, and closes in on it; `false` if there is none. What lies in the
    /// range that the model gives the unknown comes first, and of two at the same distance the greater one.
    pub fn bracket(&mut self, program: &Program, solve: &Solve, space: &mut Space, start: f64) -> Eval<bool> {
        let limits = solve.limits[0];
        let within = limits != NO_LIMITS && (limits.0..=limits.1).contains(&start);
        if within && self.bracket_within(program, solve, space, start, limits)? {
            return Ok(true);
        }
        self.bracket_within(program, solve, space, start, NO_LIMITS)
    }

    /// In a run the solution of one unknown goes on where it was. If Newton's method went farther than the unknown is large, it
    /// may have passed over a solution: a formula such as that of vapour pressure has others far away. The first change of
    /// sign on the way is taken instead, if there is one in its nearer half. Nothing beside the way is looked at.
    pub fn prefer_near(&mut self, program: &Program, solve: &Solve, space: &mut Space, start: f64) -> Eval {
        let slot = solve.unknowns[0];
        let found = self.get(slot);
        let size = start.abs() + self.get(solve.nominal[0]).abs();
        let starting = self.get(program.initial_flag) != 0.0;
        if starting || (found - start).abs() <= size {
            return Ok(());
        }
        let Some(mut here) = self.residual_at(program, solve, space, start)? else {
            return self.put_back(program, solve, space, found);
        };
        let (mut at, mut distance) = (start, NEAR * size);
        while distance < 0.5 * (found - start).abs() {
            let x = start + distance.copysign(found - start);
            let Some(r) = self.residual_at(program, solve, space, x)? else { break };
            if (r < 0.0) != (here < 0.0) && self.close_in(program, solve, space, (at, here), (x, r))? {
                return Ok(());
            }
            (at, here) = (x, r);
            distance *= 2.0;
        }
        self.put_back(program, solve, space, found)
    }

    fn put_back(&mut self, program: &Program, solve: &Solve, space: &mut Space, found: f64) -> Eval {
        self.set(solve.unknowns[0], found);
        self.residuals(program, solve, &mut space.residual)?;
        Ok(())
    }

    fn bracket_within(
        &mut self,
        program: &Program,
        solve: &Solve,
        space: &mut Space,
        start: f64,
        limits: (f64, f64),
    ) -> Eval<bool> {
        let size = start.abs().max(self.get(solve.nominal[0]).abs());
        let Some(here) = self.residual_at(program, solve, space, start)? else { return Ok(false) };
        let mut ends = [(start, here); 2];
        let mut distance = NEAR * size;
        for _ in 0..DOUBLINGS {
            for (side, sign) in [(1, 1.0), (0, -1.0)] {
                let x = (start + sign * distance).clamp(limits.0, limits.1);
                if x == ends[side].0 {
                    continue;
                }
                let Some(r) = self.residual_at(program, solve, space, x)? else { continue };
                let (inner, before) = ends[side];
                if (r < 0.0) != (before < 0.0)
                    && self.close_in(program, solve, space, (inner, before), (x, r))?
                {
                    return Ok(true);
                }
                ends[side] = (x, r);
            }
            distance *= 2.0;
        }
        Ok(false)
    }

    /// Halves an interval with a change of sign; `false` if it belongs to a pole or a jump.
    fn close_in(
        &mut self,
        program: &Program,
        solve: &Solve,
        space: &mut Space,
        (mut a, ra): (f64, f64),
        (mut b, rb): (f64, f64),
    ) -> Eval<bool> {
        let mut last = ra;
        for _ in 0..BISECTIONS {
            let middle = a + 0.5 * (b - a);
            let Some(r) = self.residual_at(program, solve, space, middle)? else { return Ok(false) };
            last = r;
            if r == 0.0 || middle == a || middle == b {
                break;
            }
            if (r < 0.0) == (ra < 0.0) { a = middle } else { b = middle }
        }
        Ok(last.abs() <= ROOT * ra.abs().max(rb.abs()))
    }

    fn residual_at(
        &mut self,
        program: &Program,
        solve: &Solve,
        space: &mut Space,
        x: f64,
    ) -> Eval<Option<f64>> {
        self.set(solve.unknowns[0], x);
        match self.residuals(program, solve, &mut space.residual) {
            Ok(finite) => Ok(finite.then(|| space.residual[0])),
            Err(EvalError::Recoverable(_)) => Ok(None),
            Err(fatal) => Err(fatal),
        }
    }
}
