//! Systems inside the model: Newton's method on torn blocks, and the search for consistent modes.

use crate::diagnostics;
use crate::machine::{Eval, EvalError, Fault};
use crate::run::Frame;
use crate::space::{Space, Way};
use kairos_numerics::linear::Colouring;
use kairos_program::closed::Kept;
use kairos_program::program::{Code, JacobianCode, NO_LIMITS, Program, Solve};
use kairos_program::tape::{Slot, Tape};

/// How the steps of Newton's method are shortened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Damping {
    Off,
    /// Until the residuals become smaller.
    Descent,
    /// As well, and so that no unknown leaves the range that the model gives it.
    Inside,
}

const ITERATIONS: usize = 60;
/// Singular systems up to this size are solved where their equations agree, and up to this one explained.
const EXAMINED: usize = 1_000;
const EXPLAINED: usize = 100;
/// A step this small relative to the unknowns ends the iteration; convergence is quadratic by then.
const SMALL: f64 = 1e-11;
/// What equations of a singular matrix may be off by, relative to their largest term, in a solution of theirs.
const AGREES: f64 = 1e-9;
/// A step this small is accepted if no further progress is possible.
const STALLED: f64 = 1e-7;

impl Frame {
    /// Solves a torn block from where its unknowns stand.
    pub fn solve(&mut self, program: &Program, solve: &Solve) -> Eval {
        if self.solve_closed(program, solve)? {
            return Ok(());
        }
        let id = solve.id as usize;
        let mut space = self.take_space(solve);
        let done = match &solve.whole {
            Some(whole) => self.solve_either(program, solve, whole, &mut space),
            None => self.solve_torn(program, solve, &mut space),
        };
        self.spaces[id] = Some(space);
        done?;
        // The solution is that of every later evaluation with this matrix, in the same bits.
        if solve.closed.as_ref().is_some_and(|closed| closed.kept.is_some()) {
            self.solve_closed(program, solve)?;
        }
        Ok(())
    }

    /// Solves a system by formula or with an inverse that is kept, where there is one; false: it is not solved.
    fn solve_closed(&mut self, program: &Program, solve: &Solve) -> Eval<bool> {
        let Some(closed) = &solve.closed else { return Ok(false) };
        self.run(program, &closed.tape)?;
        Ok(self.get(closed.solved) != 0.0)
    }

    /// Solves a system as it is torn.
    pub(crate) fn solve_torn(&mut self, program: &Program, solve: &Solve, space: &mut Space) -> Eval {
        self.make_finite(solve);
        match solve.linear {
            true => self.solve_linear(program, solve, space),
            false => self.solve_nonlinear(program, solve, space),
        }
    }

    pub(crate) fn make_finite(&mut self, solve: &Solve) {
        for &slot in &solve.unknowns {
            if !self.get(slot).is_finite() {
                self.set(slot, 0.0);
            }
        }
    }

    /// Keeps the inverse of the matrix that was just factored, instead of the one longest known if need be.
    fn keep(&mut self, kept: &Kept, space: &mut Space) {
        let n = space.step.len();
        let count = self.get(kept.count) as usize;
        let place = kept.place(if count < Kept::MOST { count } else { space.inverted % Kept::MOST });
        let inverse = place.start + kept.inputs.len();
        for (to, &(now, _)) in place.zip(&kept.inputs) {
            self.values[to] = self.get(now);
        }
        for column in 0..n {
            space.step.fill(0.0);
            space.step[column] = 1.0;
            space.solve();
            for (row, &entry) in space.step.iter().enumerate() {
                self.values[inverse + row * n + column] = entry;
            }
        }
        space.inverted += 1;
        self.set(kept.count, (count + 1).min(Kept::MOST) as f64);
    }

    /// The memory of a system, out of the frame so that both can be used; made when it is first needed.
    pub(crate) fn take_space(&mut self, solve: &Solve) -> Box<Space> {
        let kept = self.spaces[solve.id as usize].take();
        kept.unwrap_or_else(|| Box::new(Space::new(solve)))
    }

    pub fn residuals(&mut self, program: &Program, solve: &Solve, out: &mut [f64]) -> Eval<bool> {
        self.run_of(program, solve, &solve.tape)?;
        if let Some(mixed) = self.free.clone() {
            self.follow_relations(program, solve, &mixed)?;
        }
        for (r, &slot) in out.iter_mut().zip(&solve.residuals) {
            *r = self.get(slot);
        }
        Ok(out.iter().all(|r| r.is_finite()))
    }

    pub(crate) fn jacobian_of(&mut self, program: &Program, solve: &Solve, space: &mut Space) -> Eval {
        for &seed in &solve.seeds {
            self.set(seed, 0.0);
        }
        space.spread.clear();
        space.spread.resize(solve.spread.len(), 0.0);
        let groups = solve.sparsity.as_ref().map(|sparsity| &sparsity.groups);
        for k in 0..groups.map_or(solve.unknowns.len(), Colouring::len) {
            let alone = [k as u32];
            let group = groups.map_or(&alone[..], |groups| groups.group(k));
            for &column in group {
                self.set(solve.seeds[column as usize], self.seed(solve, column as usize, space));
            }
            self.run_of(program, solve, &solve.tangent)?;
            for (far, &tangent) in space.spread.iter_mut().zip(&solve.spread) {
                *far = far.max(self.get(tangent).abs());
            }
            for &column in group {
                let column = column as usize;
                let inverse = 1.0 / self.get(solve.seeds[column]);
                self.set(solve.seeds[column], 0.0);
                space.put_column(solve, column, |row| self.get(solve.columns[row]) * inverse);
            }
        }
        Ok(())
    }

    /// Factors the Jacobian, or finds the factors still good; `false` if it is singular.
    fn factored(&mut self, program: &Program, solve: &Solve, space: &mut Space) -> Eval<bool> {
        if let (Some(inputs), Some(kept)) = (&solve.matrix_inputs, &space.kept)
            && inputs.iter().zip(kept).all(|(&slot, value)| self.get(slot).to_bits() == value.to_bits())
        {
            return Ok(true);
        }
        space.kept = None;
        self.jacobian_of(program, solve, space)?;
        let regular = space.linear.factor();
        if regular && let Some(inputs) = &solve.matrix_inputs {
            space.kept = Some(inputs.iter().map(|&slot| self.get(slot)).collect());
        }
        Ok(regular)
    }

    /// The Newton step for the residual; `false` if the equations contradict each other.
    fn newton_step(&mut self, solve: &Solve, space: &mut Space) -> bool {
        self.regular_step(space) || !solve.is_whole && self.singular_step(solve, space)
    }

    fn regular_step(&mut self, space: &mut Space) -> bool {
        for (step, residual) in space.step.iter_mut().zip(&space.residual) {
            *step = -residual;
        }
        if !space.linear.factor() {
            return false;
        }
        space.solve();
        space.step.iter().all(|s| s.is_finite())
    }

    /// Singular, but perhaps solvable: the shortest step.
    fn singular_step(&mut self, solve: &Solve, space: &mut Space) -> bool {
        let n = solve.unknowns.len();
        if n > EXAMINED || !space.is_finite() {
            return false;
        }
        let minus: Vec<f64> = space.residual.iter().map(|r| -r).collect();
        let found = space.linear.solve_singular(&minus);
        let matrix = space.linear.matrix().dense();
        space.step.copy_from_slice(&found.x);
        // A residual that is round-off beside the terms it is made of is no contradiction, nor beside those it is made
        // of when the unknowns have their typical size.
        let off = (0..n).any(|row| {
            let (mut product, mut size) = (space.residual[row], 0.0f64);
            for (column, &slot) in solve.unknowns.iter().enumerate() {
                let factor = matrix[(row, column)];
                product += factor * found.x[column];
                let typical = self.get(slot).abs().max(self.get(solve.nominal[column]).abs());
                size = size.max(factor.abs() * typical);
            }
            product.abs() > 1e-9 * (size + space.residual[row].abs()).max(1e-300) && product.abs() > 1e-12
        });
        found.consistent || !off
    }

    /// Is there a step that comes closest to equations which do not agree?
    fn leads_on(&self, space: &Space) -> bool {
        space.is_finite() && space.step.iter().all(|s| s.is_finite()) && space.step.iter().any(|&s| s != 0.0)
    }

    /// Why the equations of a system with a singular matrix have no solution.
    fn dependent(&self, solve: &Solve, space: &Space) -> Fault {
        // Of a system before tearing nobody is told.
        match solve.unknowns.len() > EXPLAINED || solve.is_whole {
            true => diagnostics::not_solved(solve, &self.values, &space.residual, "its Jacobian is singular"),
            false => {
                diagnostics::dependent(solve, &self.values, &space.linear.matrix().dense(), &space.residual)
            }
        }
    }

    pub(crate) fn solve_linear(&mut self, program: &Program, solve: &Solve, space: &mut Space) -> Eval {
        let fail = |frame: &Frame, space: &Space, why: &str| {
            Err(EvalError::Recoverable(diagnostics::not_solved(solve, &frame.values, &space.residual, why)))
        };
        // From zero, so that the result does not depend on what was there before.
        for (k, &slot) in solve.unknowns.iter().enumerate() {
            space.start[k] = self.get(slot);
            self.set(slot, 0.0);
        }
        if !self.residuals(program, solve, &mut space.residual)? {
            return fail(self, space, "an equation is not finite");
        }
        let regular = self.factored(program, solve, space)? && {
            space.step.iter_mut().zip(&space.residual).for_each(|(step, residual)| *step = -residual);
            space.solve();
            space.step.iter().all(|s| s.is_finite())
        };
        if regular && !self.open.is_empty() {
            self.open.retain(|(id, _)| *id != solve.id);
        }
        if !regular {
            space.kept = None;
            if solve.is_whole {
                return fail(self, space, "its matrix is singular");
            }
            self.singular = true;
            // What the equations leave open stays where it is.
            for (k, &slot) in solve.unknowns.iter().enumerate() {
                self.set(slot, space.start[k]);
            }
            self.residuals(program, solve, &mut space.residual)?;
            if !self.singular_step(solve, space) {
                return Err(EvalError::Recoverable(self.dependent(solve, space)));
            }
            self.note_open(solve, space);
        }
        for (k, &slot) in solve.unknowns.iter().enumerate() {
            self.set(slot, self.get(slot) + space.step[k]);
        }
        let mut finite = self.residuals(program, solve, &mut space.residual)?;
        space.step.fill(0.0);
        if regular && finite && space.residual.iter().any(|&r| r != 0.0) {
            // One refinement: what the equations say is exactly equal should come out so.
            for (step, residual) in space.step.iter_mut().zip(&space.residual) {
                *step = -residual;
            }
            space.solve();
            for (k, &slot) in solve.unknowns.iter().enumerate() {
                self.set(slot, self.get(slot) + space.step[k]);
            }
            finite = self.residuals(program, solve, &mut space.residual)?;
        }
        if !finite {
            return fail(self, space, "an equation is not finite");
        }
        if regular && let Some(kept) = solve.closed.as_ref().and_then(|closed| closed.kept.as_ref()) {
            self.keep(kept, space);
        }
        Ok(())
    }

    /// Remembers a system that leaves something open whatever its switches do, for a message at the start.
    fn note_open(&mut self, solve: &Solve, space: &Space) {
        let small = solve.unknowns.len() <= EXPLAINED && solve.conditions.is_empty();
        if small && !self.open.iter().any(|(id, _)| *id == solve.id) {
            let fault = diagnostics::left_open(solve, &space.linear.matrix().dense());
            self.open.push((solve.id, fault));
        }
    }

    /// Damped steps from the last solution; then other ways, for solutions that jump.
    fn solve_nonlinear(&mut self, program: &Program, solve: &Solve, space: &mut Space) -> Eval {
        let start: Vec<f64> = solve.unknowns.iter().map(|&slot| self.get(slot)).collect();
        let first = self.newton(program, solve, space, Damping::Descent, None);
        let Err(EvalError::Recoverable(_)) = &first else {
            if let ([x], Ok(())) = (&start[..], &first) {
                self.prefer_near(program, solve, space, *x)?;
            }
            return first;
        };
        if self.brief {
            return first;
        }
        if let [x] = start[..]
            && self.bracket(program, solve, space, x)?
        {
            return Ok(());
        }
        use Damping::{Descent, Inside, Off};
        let rungs = [(1.0, Inside), (1.0, Off), (0.0, Descent), (0.0, Off), (-1.0, Descent), (-1.0, Off)];
        for (factor, damping) in rungs {
            if damping == Inside && solve.limits.iter().all(|limits| *limits == NO_LIMITS) {
                continue;
            }
            for (&slot, x) in solve.unknowns.iter().zip(&start) {
                self.set(slot, factor * x);
            }
            match self.newton(program, solve, space, damping, None) {
                Err(EvalError::Recoverable(_)) => {}
                done => return done,
            }
        }
        // Where a square or a product vanishes no direction is known: a little beside it there is one.
        for share in [0.1, -0.1] {
            for ((&slot, &nominal), x) in solve.unknowns.iter().zip(&solve.nominal).zip(&start) {
                self.set(slot, x + share * self.get(nominal));
            }
            match self.newton(program, solve, space, Descent, None) {
                Err(EvalError::Recoverable(_)) => {}
                done => return done,
            }
        }
        if self.scatter(program, solve, space, &start)? {
            return Ok(());
        }
        match self.follow(program, solve, space, &start)? {
            true => Ok(()),
            false => first,
        }
    }

    /// Guesses that differ from each other: where two unknowns are equal or zero, quotients and powers of their difference are
    /// not numbers. Of unknowns with a range on both sides, places inside of it. `false` if none leads to a solution.
    fn scatter(&mut self, program: &Program, solve: &Solve, space: &mut Space, start: &[f64]) -> Eval<bool> {
        /// Multiples of the golden ratio fall nowhere close to each other.
        const GOLDEN: f64 = 0.618_033_988_749_895;
        for share in [0.03, 1.0, -0.3] {
            for k in 0..start.len() {
                let part = (GOLDEN * (k + 1) as f64).fract();
                let (least, most) = solve.limits[k];
                let x = match least.is_finite() && most.is_finite() && share == 1.0 {
                    true => least + (0.25 + 0.5 * part) * (most - least),
                    false => {
                        let moved = start[k] + share * (0.5 + part) * self.get(solve.nominal[k]);
                        if least <= most { moved.clamp(least, most) } else { moved }
                    }
                };
                self.set(solve.unknowns[k], x);
            }
            match self.newton(program, solve, space, Damping::Inside, None) {
                Err(EvalError::Recoverable(_)) => {}
                Ok(()) => return Ok(true),
                Err(fatal) => return Err(fatal),
            }
        }
        Ok(false)
    }

    /// The Jacobian by differences, where its formula gives no numbers: the angle of a vector without length has a value
    /// but no slope.
    fn differences(
        &mut self,
        program: &Program,
        solve: &Solve,
        space: &mut Space,
        rest: Option<&[f64]>,
    ) -> Eval {
        const STEP: f64 = 1e-4;
        self.residuals_less(program, solve, space, rest)?;
        let here = space.residual.clone();
        for column in 0..solve.unknowns.len() {
            let slot = solve.unknowns[column];
            let (x, size) = (self.get(slot), self.get(solve.nominal[column]).abs());
            let mut step = STEP * (x.abs() + size);
            for side in [1.0, -1.0] {
                step = side * step.abs();
                self.set(slot, x + step);
                match self.residuals_less(program, solve, space, rest) {
                    Ok(true) => break,
                    Ok(false) | Err(EvalError::Recoverable(_)) => {}
                    Err(fatal) => return Err(fatal),
                }
            }
            let there = space.residual.clone();
            space.put_column(solve, column, |row| (there[row] - here[row]) / step);
            self.set(slot, x);
        }
        self.residuals_less(program, solve, space, rest)?;
        Ok(())
    }

    /// Lets the residuals of the start fade away, and follows the solution meanwhile.
    fn follow(&mut self, program: &Program, solve: &Solve, space: &mut Space, start: &[f64]) -> Eval<bool> {
        const SHORTEST: f64 = 1e-3;
        self.place(solve, start);
        if !self.residuals(program, solve, &mut space.residual)? {
            return Ok(false);
        }
        let whole = space.residual.clone();
        let (mut at, mut step) = (0.0, 0.25);
        let mut here = start.to_vec();
        while at < 1.0 {
            let next = f64::min(at + step, 1.0);
            let rest: Vec<f64> = whole.iter().map(|r| (1.0 - next) * r).collect();
            match self.newton(program, solve, space, Damping::Inside, Some(&rest)) {
                Ok(()) => {
                    (at, step) = (next, 2.0 * step);
                    here.iter_mut().zip(&solve.unknowns).for_each(|(x, &slot)| *x = self.get(slot));
                }
                Err(EvalError::Recoverable(_)) if step > SHORTEST => {
                    step *= 0.3;
                    self.place(solve, &here);
                }
                Err(EvalError::Recoverable(_)) => {
                    self.place(solve, start);
                    return Ok(false);
                }
                Err(fatal) => return Err(fatal),
            }
        }
        Ok(true)
    }

    pub(crate) fn place(&mut self, solve: &Solve, values: &[f64]) {
        for (&slot, &x) in solve.unknowns.iter().zip(values) {
            self.set(slot, x);
        }
    }

    /// Residuals less what is left of those at the start of a continuation.
    fn residuals_less(
        &mut self,
        program: &Program,
        solve: &Solve,
        space: &mut Space,
        rest: Option<&[f64]>,
    ) -> Eval<bool> {
        let finite = self.residuals(program, solve, &mut space.residual)?;
        if let Some(rest) = rest {
            space.residual.iter_mut().zip(rest).for_each(|(r, rest)| *r -= rest);
        }
        Ok(finite)
    }

    pub(crate) fn newton(
        &mut self,
        program: &Program,
        solve: &Solve,
        space: &mut Space,
        damping: Damping,
        rest: Option<&[f64]>,
    ) -> Eval {
        let fail = |frame: &Frame, space: &Space, why: &str| {
            Err(EvalError::Recoverable(diagnostics::not_solved(solve, &frame.values, &space.residual, why)))
        };
        let n = solve.unknowns.len();
        let nominal: Vec<f64> = solve.nominal.iter().map(|&s| self.get(s).abs().max(1e-300)).collect();
        if !self.residuals_less(program, solve, space, rest)? {
            return fail(self, space, "an equation is not finite at the start");
        }
        let mut last = f64::INFINITY;
        for _ in 0..ITERATIONS {
            if space.residual.iter().all(|&r| r == 0.0) {
                return Ok(());
            }
            self.jacobian_of(program, solve, space)?;
            if !space.is_finite() {
                self.differences(program, solve, space, rest)?;
            }
            let sizes = nominal.iter().zip(&solve.unknowns).map(|(n, &slot)| n + self.get(slot).abs());
            space.scale_rows(&sizes.collect::<Vec<_>>());
            // Far from a solution the equations of a singular matrix need not agree: the step that comes closest leads on, and
            // whether they agree in the end is seen there.
            let agrees = self.newton_step(solve, space);
            let leads = !agrees && n > 1 && !solve.is_whole && n <= EXAMINED && self.leads_on(space);
            if !agrees && !leads {
                // One equation without branches depends on nothing but its own slope.
                if n == 1 && solve.eliminated.is_empty() && solve.conditions.is_empty() {
                    return fail(self, space, "its Jacobian is singular");
                }
                return Err(EvalError::Recoverable(self.dependent(solve, space)));
            }
            for (k, &slot) in solve.unknowns.iter().enumerate() {
                space.start[k] = self.get(slot);
            }
            let size =
                (0..n).map(|k| space.step[k].abs() / (space.start[k].abs() + nominal[k])).fold(0.0, f64::max);
            let norm = |space: &Space| -> f64 {
                space.residual.iter().zip(&space.scale).map(|(r, s)| (r * s) * (r * s)).sum::<f64>()
            };
            let before = norm(space);
            let mut factor = if damping == Damping::Inside { space.within(&solve.limits) } else { 1.0 };
            let accepted = loop {
                for (k, &slot) in solve.unknowns.iter().enumerate() {
                    self.set(slot, space.start[k] + factor * space.step[k]);
                }
                let finite = match self.residuals_less(program, solve, space, rest) {
                    Ok(finite) => finite,
                    Err(EvalError::Recoverable(_)) => false,
                    Err(fatal) => return Err(fatal),
                };
                let better = damping == Damping::Off || norm(space) <= before * (1.0 - 1e-4 * factor);
                if finite && (better || size * factor < SMALL) {
                    break true;
                }
                factor *= 0.5;
                if factor < 1e-5 {
                    break false;
                }
            };
            if leads && (size < SMALL || !accepted) {
                let holds =
                    space.residual.iter().zip(&space.scale).all(|(r, scale)| (r * scale).abs() < AGREES);
                return match holds {
                    true => Ok(()),
                    false => Err(EvalError::Recoverable(self.dependent(solve, space))),
                };
            }
            if size < SMALL {
                return Ok(());
            }
            if !accepted {
                // Round-off: the full step is as good as it gets.
                for (k, &slot) in solve.unknowns.iter().enumerate() {
                    self.set(slot, space.start[k]);
                }
                let _ = self.residuals_less(program, solve, space, rest)?;
                // What is eliminated moves farther than the unknowns.
                let growth = self.growth(solve, space);
                if size * growth < STALLED || before * growth * growth < 1e-24 {
                    return Ok(());
                }
                return fail(self, space, "Newton's method makes no progress");
            }
            last = size.min(last);
        }
        if last * self.growth(solve, space) < STALLED {
            return Ok(());
        }
        fail(self, space, "Newton's method does not converge")
    }

    /// The state Jacobian, one direction for each group of columns; false where a system is not solved as it is torn.
    pub fn state_jacobian(&mut self, program: &Program, values: &mut [Vec<f64>]) -> Eval<bool> {
        let plan = &program.jacobian;
        if self.spaces.iter().flatten().any(|space| space.way(false) == Way::Whole) {
            return Ok(false);
        }
        for code in &plan.codes {
            if let JacobianCode::Solve { code, .. } = code
                && let Some(Code::Solve(solve)) = program.derivatives.codes.get(*code as usize)
            {
                self.factor(program, solve)?;
            }
        }
        for &seed in &plan.seeds {
            self.set(seed, 0.0);
        }
        for group in plan.groups.groups() {
            for &state in group {
                self.set(plan.seeds[state as usize], 1.0);
            }
            for code in &plan.codes {
                match code {
                    JacobianCode::Tape(tape) => self.run(program, tape)?,
                    JacobianCode::Solve { code, tape, unknowns, residuals } => {
                        let Some(Code::Solve(solve)) = program.derivatives.codes.get(*code as usize) else {
                            continue;
                        };
                        self.solve_tangent(program, solve, tape, unknowns, residuals)?;
                    }
                }
            }
            for &state in group {
                let column = &mut values[state as usize];
                for (value, &row) in column.iter_mut().zip(&program.info.jacobian_columns[state as usize]) {
                    *value = self.get(plan.derivatives[row as usize]);
                }
                self.set(plan.seeds[state as usize], 0.0);
            }
        }
        Ok(true)
    }

    /// Leaves the factors of the system at its solution in its work space.
    pub(crate) fn factor(&mut self, program: &Program, solve: &Solve) -> Eval {
        let id = solve.id as usize;
        let mut space = self.take_space(solve);
        let done = self.factored(program, solve, &mut space);
        space.singular = !matches!(done, Ok(true));
        self.spaces[id] = Some(space);
        done.map(|_| ())
    }

    pub(crate) fn solve_tangent(
        &mut self,
        program: &Program,
        solve: &Solve,
        tape: &Tape,
        unknowns: &[Slot],
        residuals: &[Slot],
    ) -> Eval {
        for &u in unknowns {
            self.set(u, 0.0);
        }
        self.run(program, tape)?;
        let id = solve.id as usize;
        let mut space = self.take_space(solve);
        for (step, &r) in space.step.iter_mut().zip(residuals) {
            *step = -self.get(r);
        }
        if space.singular {
            let found = space.linear.solve_singular(&space.step);
            space.step.copy_from_slice(&found.x);
        } else {
            space.solve();
        }
        for (&u, &step) in unknowns.iter().zip(&space.step) {
            self.set(u, step);
        }
        self.spaces[id] = Some(space);
        self.run(program, tape)
    }
}
