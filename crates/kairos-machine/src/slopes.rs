//! Derivatives of any variables with respect to states, inputs and parameters, at the present point.
//!
//! Where the machine can linearise its program they are exact (`kairos_program::linear`); otherwise they are central
//! differences, whose error is about 1e-10 of the numbers they are made of.

use crate::calls::External;
use crate::interpreter::Interpreter;
use crate::machine::{Eval, Given, Machine};
use crate::run::Frame;
use crate::shortcuts::{Shortcuts, Slopes};
use crate::space::Way;
use kairos_program::linear::{Linear, LinearCode};
use kairos_program::program::{Code, Program};
use kairos_program::tape::{Destination, Slot};
use std::sync::Arc;

/// The linearised program for the knowns that were asked for last, with a memory to run it in.
#[derive(Default)]
pub(crate) struct Slope {
    linear: Option<Arc<Linear>>,
    frame: Option<Box<Frame>>,
}

/// A copy has no memory yet; what was made is shared.
impl Clone for Slope {
    fn clone(&self) -> Self {
        Self { linear: self.linear.clone(), frame: None }
    }
}

impl Slope {
    /// Makes what is missing for these knowns.
    fn prepare(&mut self, program: &Program, external: &Arc<dyn External>, knowns: &[Slot]) -> Arc<Linear> {
        let known = self.linear.as_ref().filter(|linear| linear.knowns == knowns);
        let linear = match known {
            Some(linear) => linear.clone(),
            None => {
                self.frame = None;
                Arc::new(Linear::new(program, knowns))
            }
        };
        if self.frame.is_none() {
            self.frame = Some(Box::new(Frame::new(&linear.program, external.clone())));
        }
        self.linear = Some(linear.clone());
        linear
    }
}

impl Frame {
    /// Stands where another frame of the same program stands, without its native code.
    fn stand_with(&mut self, other: &Frame) {
        self.values[..other.values.len()].copy_from_slice(&other.values);
        self.others.clone_from(&other.others);
        self.texts.clone_from(&other.texts);
        self.results.clone_from(&other.results);
        self.history.clone_from(&other.history);
        self.transports.clone_from(&other.transports);
    }

    /// Leaves the factors of all systems in their work spaces.
    fn factor_all(&mut self, linear: &Linear) -> Eval {
        for code in &linear.codes {
            if let LinearCode::Solve { part, code, .. } = code
                && let Some(Code::Solve(solve)) = part.codes(&linear.program).get(*code as usize)
            {
                self.factor(&linear.program, solve)?;
            }
        }
        Ok(())
    }

    /// Carries the seeds through; parameters that were set from outside follow nothing.
    fn carry(&mut self, linear: &Linear, overridden: &[bool]) -> Eval {
        for code in &linear.codes {
            match code {
                LinearCode::Parameters { code, tape } => {
                    let before = linear.program.parameters[..*code as usize].iter();
                    let first: usize = before.map(|code| code.to.len()).sum();
                    let to = linear.program.parameters[*code as usize].to.iter().enumerate();
                    let slots = to.filter_map(|(k, to)| match to {
                        Destination::Number(slot) => Some((first + k, *slot)),
                        Destination::Other(_) => None,
                    });
                    let kept: Vec<_> = slots
                        .map(|(k, slot)| (k, slot, self.get(slot), self.tangent(linear, slot)))
                        .collect();
                    self.run(&linear.program, tape)?;
                    for (k, slot, value, tangent) in kept {
                        self.set(slot, value);
                        let given = linear.knowns.contains(&slot);
                        if let Some(to) = linear.tangent(slot).filter(|_| given || overridden[k]) {
                            self.set(to, if given { tangent } else { 0.0 });
                        }
                    }
                }
                LinearCode::Tape(tape) => self.run(&linear.program, tape)?,
                LinearCode::Solve { part, code, tape, unknowns, residuals } => {
                    if let Some(Code::Solve(solve)) = part.codes(&linear.program).get(*code as usize) {
                        self.solve_tangent(&linear.program, solve, tape, unknowns, residuals)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn tangent(&self, linear: &Linear, slot: Slot) -> f64 {
        linear.tangent(slot).map_or(0.0, |tangent| self.get(tangent))
    }
}

impl Slopes for Interpreter {
    fn directional(
        &mut self,
        knowns: &[u32],
        unknowns: &[u32],
        directions: &[f64],
        changes: &mut [f64],
    ) -> Eval<bool> {
        self.outputs()?;
        if self.frame.spaces.iter().flatten().any(|space| space.way(false) == Way::Whole) {
            return Ok(false);
        }
        let mut slope = std::mem::take(&mut self.slope);
        let linear = slope.prepare(&self.program, &self.frame.external, knowns);
        let Some(frame) = slope.frame.as_mut().filter(|_| linear.is_exact) else {
            self.slope = slope;
            return Ok(false);
        };
        frame.stand_with(&self.frame);
        let mut done = frame.factor_all(&linear);
        let pairs = directions.chunks(knowns.len().max(1)).zip(changes.chunks_mut(unknowns.len().max(1)));
        for (direction, changes) in pairs {
            for (&seed, &by) in linear.seeds.iter().zip(direction) {
                frame.set(seed, by);
            }
            done = done.and_then(|()| frame.carry(&linear, &self.overridden));
            for (change, &slot) in changes.iter_mut().zip(unknowns) {
                *change = frame.tangent(&linear, slot);
            }
        }
        self.slope = slope;
        done.map(|()| true)
    }

    fn dependences(&self, knowns: &[u32], unknowns: &[u32]) -> Option<Vec<Vec<u32>>> {
        Some(kairos_program::dependences(&self.program, knowns, unknowns))
    }
}

/// The share of a number by which differences move it: the cube root of the round-off.
const STRIDE: f64 = 6e-6;

/// Derivatives; without the capability they are differences.
impl<'m> dyn Machine + 'm {
    /// Changes of unknowns along directions, at the present point between events: `directions` has one number for each known
    /// after the other, for one direction after the other, and `changes` takes one number for each unknown likewise. Knowns
    /// are slots of states, of inputs that move, and of parameters (none that follows from another of them); discrete
    /// variables are held. Says whether the
    /// changes are exact; otherwise they are differences.
    pub fn directional(
        &mut self,
        knowns: &[u32],
        unknowns: &[u32],
        directions: &[f64],
        changes: &mut [f64],
    ) -> Eval<bool> {
        let slopes = self.shortcuts_mut().and_then(Shortcuts::slopes_mut);
        if let Some(slopes) = slopes
            && slopes.directional(knowns, unknowns, directions, changes)?
        {
            return Ok(true);
        }
        let pairs = directions.chunks(knowns.len().max(1)).zip(changes.chunks_mut(unknowns.len().max(1)));
        for (direction, changes) in pairs {
            self.difference(knowns, unknowns, direction, changes)?;
        }
        Ok(false)
    }

    /// The derivative of each unknown with respect to each known: one row for each known. Says whether they are exact.
    pub fn partials(&mut self, knowns: &[u32], unknowns: &[u32], rows: &mut [f64]) -> Eval<bool> {
        let n = knowns.len();
        let mut unit = vec![0.0; n * n];
        (0..n).for_each(|k| unit[k * n + k] = 1.0);
        self.directional(knowns, unknowns, &unit, rows)
    }

    /// For each unknown the knowns, by their places, that it depends on by structure; `None` where that is not known.
    pub fn dependences(&mut self, knowns: &[u32], unknowns: &[u32]) -> Option<Vec<Vec<u32>>> {
        self.shortcuts_mut().and_then(Shortcuts::slopes_mut)?.dependences(knowns, unknowns)
    }

    fn difference(
        &mut self,
        knowns: &[u32],
        unknowns: &[u32],
        direction: &[f64],
        changes: &mut [f64],
    ) -> Eval {
        self.outputs()?;
        let at: Vec<f64> = knowns.iter().map(|&slot| self.values()[slot as usize]).collect();
        let mut guesses = Vec::new();
        self.guesses(&mut guesses);
        // No known moves by more than its share: of its nominal value where it is a state, of its value where it is a parameter.
        let info = self.info();
        let size = |slot: u32, at: f64| match info.states.iter().position(|&known| known == slot) {
            Some(state) => at.abs().max(info.nominal[state]),
            None if at == 0.0 => 1.0,
            None => at.abs(),
        };
        let moved = knowns.iter().zip(&at).zip(direction).filter(|(_, by)| **by != 0.0);
        let widths = moved.map(|((&slot, &at), by)| STRIDE * size(slot, at) / by.abs());
        let width = widths.fold(f64::INFINITY, f64::min);
        changes.fill(0.0);
        if width == f64::INFINITY {
            return Ok(());
        }
        let mut evaluated = Ok(());
        for side in [1.0, -1.0] {
            let there: Vec<f64> = at.iter().zip(direction).map(|(at, by)| at + side * width * by).collect();
            self.set_guesses(&guesses);
            evaluated = evaluated.and_then(|()| self.put(knowns, &there)).and_then(|()| self.outputs());
            for (change, &slot) in changes.iter_mut().zip(unknowns) {
                *change += side * self.values()[slot as usize] / (2.0 * width);
            }
        }
        self.set_guesses(&guesses);
        self.put(knowns, &at)?;
        self.outputs()?;
        evaluated
    }

    /// Gives states, inputs and parameters their values.
    fn put(&mut self, knowns: &[u32], values: &[f64]) -> Eval {
        let mut parameters = false;
        for (&slot, &value) in knowns.iter().zip(values) {
            let info = self.info();
            if let Some(state) = info.states.iter().position(|&known| known == slot) {
                self.set_state(state as u32, value);
            } else if info.inputs.contains(&slot) {
                self.set_inputs(&[(0, slot)], &[value]);
            } else {
                parameters = true;
                self.set(slot, Given::Number(value));
            }
        }
        if parameters { self.prepare_replay() } else { Ok(()) }
    }
}
