//! The search for relation values that agree with the solution they lead to.

use crate::diagnostics;
use crate::machine::{Eval, EvalError};
use crate::program::{MixedCode, Program};
use crate::run::Frame;

/// Differences below this have no meaning.
const TINY: f64 = 1e-18;
/// The residue that an event location leaves in a state.
const SMALL_BAND: f64 = 1e-12;
/// How many assignments of relations are tried before giving up.
const MODES: usize = 1 << 17;

impl Frame {
    /// Finds relation values that agree with the solution they lead to.
    pub fn mixed(&mut self, program: &Program, mixed: &MixedCode) -> Eval {
        let start: Vec<f64> = mixed.relations.iter().map(|&r| self.get(r)).collect();
        let mut seen: Vec<Vec<f64>> = Vec::new();
        let mut current = start.clone();
        let mut failed = None;
        let mut fallback = None;
        // From the last values, each evaluation decides the next; most blocks settle at once.
        while !seen.contains(&current) && seen.len() < 4 * current.len() + 8 {
            match self.try_mode(program, mixed, &current, 0.0) {
                Ok(true) if !self.singular => return Ok(()),
                Ok(true) => {
                    // It leaves something open; a mode that does not is better where both fit.
                    fallback = Some(current.clone());
                    break;
                }
                Ok(false) => {}
                Err(EvalError::Recoverable(fault)) => {
                    failed = Some(fault);
                    break;
                }
                Err(fatal) => return Err(fatal),
            }
            seen.push(std::mem::take(&mut current));
            current = mixed.decided.iter().map(|&d| self.get(d)).collect();
        }
        // Where everything is zero, signs of round-off contradict each other: then a relation whose sides differ
        // by less than any meaningful number may have either value.
        let bands = if fallback.is_some() { &[0.0, TINY][..] } else { &[0.0, TINY, SMALL_BAND] };
        for &band in bands {
            if self.search(program, mixed, &start, band, true)? {
                return Ok(());
            }
        }
        if let Some(relations) = fallback
            && self.try_mode(program, mixed, &relations, 0.0)?
        {
            return Ok(());
        }
        if self.search(program, mixed, &start, SMALL_BAND, false)? {
            return Ok(());
        }
        Err(EvalError::Recoverable(match failed {
            Some(fault) if mixed.relations.is_empty() => fault,
            _ => diagnostics::no_mode(&mixed.texts, mixed.span),
        }))
    }

    /// Solves the block under given relation values; does it confirm them?
    fn try_mode(&mut self, program: &Program, mixed: &MixedCode, relations: &[f64], band: f64) -> Eval<bool> {
        self.singular = false;
        for (&slot, &value) in mixed.relations.iter().zip(relations) {
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
                self.run(program, &mixed.decide)?;
                let agrees = |k: usize| {
                    let (left, right) = mixed.sides[k];
                    self.get(mixed.decided[k]) == relations[k]
                        || (self.get(left) - self.get(right)).abs() < band
                };
                return Ok((0..relations.len()).all(agrees));
            }
        }
        self.run(program, &mixed.decide)?;
        Ok(false)
    }

    /// What is held first, then single flips, then every assignment in Gray-code order.
    fn search(
        &mut self,
        program: &Program,
        mixed: &MixedCode,
        start: &[f64],
        band: f64,
        regular: bool,
    ) -> Eval<bool> {
        let n = start.len();
        let attempt =
            |frame: &mut Frame, relations: &[f64]| match frame.try_mode(program, mixed, relations, band) {
                Ok(fits) => Ok(fits && !(regular && frame.singular)),
                Err(EvalError::Recoverable(_)) => Ok(false),
                Err(fatal) => Err(fatal),
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
        let count = if n < 17 { 1usize << n } else { MODES };
        for code in 1..count {
            let bit = code.trailing_zeros() as usize;
            relations[bit] = 1.0 - relations[bit];
            if attempt(self, &relations)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
