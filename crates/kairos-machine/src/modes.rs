//! The search for relation values that agree with the solution they lead to.

use crate::diagnostics;
use crate::machine::{Eval, EvalError};
use crate::run::Frame;
use kairos_program::program::{Code, MixedCode, Program, Solve};
use kairos_program::tape::Slot;
use std::sync::Arc;

/// Differences below this have no meaning.
const TINY: f64 = 1e-18;
/// The residue that an event location leaves in a state.
const SMALL_BAND: f64 = 1e-12;
/// How many assignments of relations are tried before giving up, where the rest is linear and where it is not.
const MODES: usize = 1 << 15;
const NONLINEAR_MODES: usize = 1 << 5;
/// More relations than this are not tried in all assignments before those that leave something open.
const LARGE: usize = 12;
/// Changes while pivoting, for each relation.
const PIVOTS: usize = 12;
/// How often relations may follow each other at one iterate.
const FOLLOWED: usize = 4;

/// Which of the relations that disagree changes.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    First,
    Last,
    Any,
}

impl Frame {
    /// Finds relation values that agree with the solution they lead to.
    pub fn mixed(&mut self, program: &Program, mixed: &MixedCode) -> Eval {
        let mut start: Vec<f64> = mixed.relations.iter().map(|&r| self.get(r)).collect();
        let mut slots = Vec::new();
        Code::guesses(&mixed.continuous, &mut slots);
        let guesses: Vec<(Slot, f64)> = slots.iter().map(|&slot| (slot, self.get(slot))).collect();
        let mut seen: Vec<Vec<f64>> = Vec::new();
        let mut current = start.clone();
        let mut failed = None;
        let mut solved = false;
        let mut fallback = None;
        // What the values held lead to.
        let mut next: Option<Vec<f64>> = None;
        // From the last values, each evaluation decides the next; most blocks settle at once.
        while !seen.contains(&current) && seen.len() < 4 * current.len() + 8 {
            match self.try_mode(program, mixed, &current, 0.0) {
                // Many relations are not searched for another mode.
                Ok(true) if !self.singular || current.len() > LARGE => return Ok(()),
                Ok(true) => {
                    // It leaves something open; a mode that does not is better where both fit.
                    fallback = Some(current.clone());
                    break;
                }
                Ok(false) => solved = true,
                Err(EvalError::Recoverable(fault)) => {
                    let first = failed.is_none() && seen.is_empty();
                    failed = Some(fault);
                    match first.then(|| self.relations_at(program, mixed, &guesses)).flatten() {
                        Some(at_guess) if at_guess != current => {
                            current = at_guess;
                            start.clone_from(&current);
                            continue;
                        }
                        _ => break,
                    }
                }
                Err(fatal) => return Err(fatal),
            }
            seen.push(std::mem::take(&mut current));
            current = mixed.decided.iter().map(|&d| self.get(d)).collect();
            next.get_or_insert_with(|| current.clone());
        }
        if !guesses.is_empty() && fallback.is_none() && self.solve_free(program, mixed, &start, &guesses)? {
            return Ok(());
        }
        // Where everything is zero, signs of round-off contradict each other: then a relation whose sides differ
        // by less than any meaningful number may have either value.
        let bands = if fallback.is_some() { &[0.0, TINY][..] } else { &[0.0, TINY, SMALL_BAND] };
        for &band in bands {
            if self.pivot(program, mixed, &start, &guesses, (band, true))? {
                return Ok(());
            }
        }
        // What leaves something open is found by pivoting, too, long before all assignments of many relations are tried.
        if start.len() > LARGE && self.pivot(program, mixed, &start, &guesses, (SMALL_BAND, false))? {
            return Ok(());
        }
        for &band in bands {
            if self.search(program, mixed, &start, &guesses, (band, true), &mut solved)? {
                return Ok(());
            }
        }
        if let Some(relations) = fallback
            && self.try_mode(program, mixed, &relations, 0.0)?
        {
            return Ok(());
        }
        if self.search(program, mixed, &start, &guesses, (SMALL_BAND, false), &mut solved)? {
            return Ok(());
        }
        let fault = match failed {
            // The equations themselves cannot be solved, whatever the relations are.
            Some(fault) if !solved => fault,
            _ => diagnostics::no_mode(&mixed.texts, mixed.span),
        };
        // Conditions with hysteresis are meant to be passed on from evaluation to evaluation: `pre(start) and s > 1`
        // holds only once `start` has come from `s > peak`, which ends by starting.
        if self.lenient
            && let Some(next) = next.filter(|next| *next != start)
        {
            guesses.iter().for_each(|&(slot, x)| self.set(slot, x));
            match self.try_mode(program, mixed, &next, 0.0) {
                Ok(_) => {
                    self.contradiction.get_or_insert_with(|| Box::new(fault));
                    return Ok(());
                }
                Err(EvalError::Recoverable(_)) => {}
                Err(fatal) => return Err(fatal),
            }
        }
        Err(EvalError::Recoverable(fault))
    }

    /// What the relations are where the unknowns of a nonlinear block stand first. Those that are held may be of
    /// another place, or of none at the start, and choose equations that have no value here.
    fn relations_at(
        &mut self,
        program: &Program,
        mixed: &MixedCode,
        guesses: &[(Slot, f64)],
    ) -> Option<Vec<f64>> {
        if guesses.is_empty() {
            return None;
        }
        guesses.iter().for_each(|&(slot, x)| self.set(slot, x));
        let mut found: Vec<f64> = Vec::new();
        for _ in 0..FOLLOWED {
            self.decide_mixed(program, mixed).ok()?;
            let decided: Vec<f64> = mixed.decided.iter().map(|&d| self.get(d)).collect();
            if decided == found {
                break;
            }
            mixed.relations.iter().zip(&decided).for_each(|(&slot, &x)| self.set(slot, x));
            self.run_all(program, &mixed.discrete).ok()?;
            found = decided;
        }
        Some(found)
    }

    /// Solves a nonlinear block with relations that are decided anew at every iterate. Held ones may choose branches that
    /// have no solution; where the branches meet, none needs to be chosen beforehand.
    fn solve_free(
        &mut self,
        program: &Program,
        mixed: &MixedCode,
        start: &[f64],
        guesses: &[(Slot, f64)],
    ) -> Eval<bool> {
        let [Code::Solve(_)] = &mixed.continuous[..] else { return Ok(false) };
        guesses.iter().for_each(|&(slot, x)| self.set(slot, x));
        mixed.relations.iter().zip(start).for_each(|(&slot, &held)| self.set(slot, held));
        self.run_all(program, &mixed.discrete)?;
        self.free = Some(Arc::new(mixed.clone()));
        let solved = self.run_all(program, &mixed.continuous);
        self.free = None;
        match solved {
            Ok(()) => {
                let relations: Vec<f64> = mixed.relations.iter().map(|&r| self.get(r)).collect();
                match self.try_mode(program, mixed, &relations, 0.0) {
                    Err(EvalError::Recoverable(_)) => Ok(false),
                    confirmed => confirmed,
                }
            }
            Err(EvalError::Recoverable(_)) => Ok(false),
            Err(fatal) => Err(fatal),
        }
    }

    /// Brings the relations of a block to where an iterate of its system says.
    pub fn follow_relations(&mut self, program: &Program, solve: &Solve, mixed: &MixedCode) -> Eval {
        for _ in 0..FOLLOWED {
            self.decide_mixed(program, mixed)?;
            let mut moved = false;
            for (&held, &decided) in mixed.relations.iter().zip(&mixed.decided) {
                let now = self.get(decided);
                moved |= now != self.get(held);
                self.set(held, now);
            }
            if !moved {
                return Ok(());
            }
            self.run_all(program, &mixed.discrete)?;
            self.run(program, &solve.tape)?;
        }
        Ok(())
    }

    /// Solves the block under given relation values; does it confirm them?
    fn try_mode(&mut self, program: &Program, mixed: &MixedCode, relations: &[f64], band: f64) -> Eval<bool> {
        self.singular = false;
        for (&slot, &value) in mixed.relations.iter().zip(relations) {
            let value = self.pinned(slot).unwrap_or(value);
            self.set(slot, value);
        }
        // Discrete variables may read Real ones directly; then a second round settles them.
        for _ in 0..4 {
            self.run_all(program, &mixed.discrete)?;
            self.run_all(program, &mixed.continuous)?;
            let before: Vec<f64> = mixed.variables.iter().map(|&v| self.get(v)).collect();
            self.run_all(program, &mixed.discrete)?;
            let stable = mixed.variables.iter().zip(&before).all(|(&v, &b)| self.get(v) == b);
            if stable {
                self.decide_mixed(program, mixed)?;
                let agrees = |k: usize| {
                    let (left, right) = mixed.sides[k];
                    self.get(mixed.decided[k]) == relations[k]
                        || (self.get(left) - self.get(right)).abs() < band
                        || self.pinned(mixed.relations[k]).is_some()
                };
                return Ok((0..relations.len()).all(agrees));
            }
        }
        self.decide_mixed(program, mixed)?;
        Ok(false)
    }

    fn decide_mixed(&mut self, program: &Program, mixed: &MixedCode) -> Eval {
        self.run(program, &mixed.decide)?;
        for (&relation, &decided) in mixed.relations.iter().zip(&mixed.decided) {
            if let Some(value) = self.pinned(relation) {
                self.set(decided, value);
            }
        }
        Ok(())
    }

    /// From the values held one relation after the other changes, of those that disagree: always the first, always the last, then any.
    /// The first ends for every complementarity problem with a unique solution (Murty), of which friction, diodes and limiters consist;
    /// where solutions are not unique, as with three brakes that hold each other, chance leads out of circles.
    fn pivot(
        &mut self,
        program: &Program,
        mixed: &MixedCode,
        start: &[f64],
        guesses: &[(Slot, f64)],
        (band, regular): (f64, bool),
    ) -> Eval<bool> {
        let most = if guesses.is_empty() { PIVOTS * start.len() } else { NONLINEAR_MODES };
        let mut dice = 0x2545_f491u32;
        for rule in [Rule::First, Rule::Last, Rule::Any] {
            let mut relations = start.to_vec();
            let mut seen: Vec<Vec<f64>> = Vec::new();
            for _ in 0..most {
                if rule != Rule::Any && seen.contains(&relations) {
                    break;
                }
                guesses.iter().for_each(|&(slot, x)| self.set(slot, x));
                self.brief = true;
                let tried = self.try_mode(program, mixed, &relations, band);
                self.brief = false;
                match tried {
                    Ok(true) if !(regular && self.singular) => return Ok(true),
                    Ok(_) => {}
                    Err(EvalError::Recoverable(_)) => break,
                    Err(fatal) => return Err(fatal),
                }
                let differs = |k: &usize| {
                    let (left, right) = mixed.sides[*k];
                    self.get(mixed.decided[*k]) != relations[*k]
                        && (self.get(left) - self.get(right)).abs() >= band
                        && self.pinned(mixed.relations[*k]).is_none()
                };
                let list: Vec<usize> = (0..relations.len()).filter(differs).collect();
                dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let next = match rule {
                    Rule::First => list.first(),
                    Rule::Last => list.last(),
                    Rule::Any => list.get((dice >> 8) as usize % list.len().max(1)),
                };
                let Some(&next) = next else { break };
                seen.push(relations.clone());
                relations[next] = 1.0 - relations[next];
            }
        }
        Ok(false)
    }

    /// What is held first, then single flips, then every assignment in Gray-code order. Tells whether any could be solved.
    fn search(
        &mut self,
        program: &Program,
        mixed: &MixedCode,
        start: &[f64],
        guesses: &[(Slot, f64)],
        (band, regular): (f64, bool),
        solved: &mut bool,
    ) -> Eval<bool> {
        let n = start.len();
        let mut attempt = |frame: &mut Frame, relations: &[f64]| {
            guesses.iter().for_each(|&(slot, x)| frame.set(slot, x));
            frame.brief = true;
            let tried = frame.try_mode(program, mixed, relations, band);
            frame.brief = false;
            match tried {
                Ok(fits) => {
                    *solved = true;
                    Ok(fits && !(regular && frame.singular))
                }
                Err(EvalError::Recoverable(_)) => Ok(false),
                Err(fatal) => Err(fatal),
            }
        };
        let mut relations = start.to_vec();
        if attempt(self, &relations)? {
            return Ok(true);
        }
        for k in 0..n {
            relations[k] = 1.0 - relations[k];
            if attempt(self, &relations)? {
                return Ok(true);
            }
            relations[k] = 1.0 - relations[k];
        }
        let most = if guesses.is_empty() { MODES } else { NONLINEAR_MODES };
        let count = if n < usize::BITS as usize { 1usize << n } else { usize::MAX };
        for code in 1..count.min(most) {
            let bit = code.trailing_zeros() as usize;
            relations[bit] = 1.0 - relations[bit];
            if attempt(self, &relations)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
