//! A program linearised: tapes that carry changes of given numbers through everything that is computed between events.
//!
//! The state Jacobian of a program (`JacobianPlan`) has seeds for the states and goes no farther than the derivatives.
//! This one has seeds for any numbers (states, inputs, parameters) and goes through the outputs, too. It is made when
//! somebody asks, from a copy of the program whose memory has room for the tangents.
//!
//! Idea: tapes run one after the other over one memory, so one table of tangents serves all of them; a system of equations
//! passes tangents on by the implicit function theorem, with the factors of its Jacobian at the solution. Seeds that are
//! parameters first go through the parameters that follow from them and through what is settled between events.
//! Discrete values are held: they have no tangents.
//! Cost: about three times the operations of an evaluation for each direction, and one factorisation for each system.
//! Literature: Griewank and Walther, Evaluating Derivatives, chapters 3 (forward mode) and 15 (implicit functions).

use crate::dependence::hides;
use crate::program::{Code, Program};
use crate::tangent::Tangents;
use crate::tape::{Destination, Slot, Tape};

/// Code that carries tangents.
#[derive(Clone, Debug)]
pub enum LinearCode {
    /// Parameters that follow from others, by their place in `Program::parameters`.
    Parameters {
        code: u32,
        tape: Tape,
    },
    Tape(Tape),
    /// A system, by its sequence and its place there: solve for the tangents of the unknowns, then run the tape with them.
    Solve {
        part: Part,
        code: u32,
        tape: Tape,
        unknowns: Vec<Slot>,
        residuals: Vec<Slot>,
    },
}

/// A sequence of a program that runs between events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Derivatives,
    Crossings,
    Outputs,
}

impl Part {
    /// All of them, in the order in which they run.
    pub const ALL: [Part; 3] = [Part::Derivatives, Part::Crossings, Part::Outputs];

    /// The code of this part.
    pub fn codes(self, program: &Program) -> &[Code] {
        match self {
            Part::Derivatives => &program.derivatives.codes,
            Part::Crossings => &program.crossings.codes,
            Part::Outputs => &program.outputs.codes,
        }
    }
}

/// What carries changes of some numbers through a program.
pub struct Linear {
    /// The program with room for tangents.
    pub program: Program,
    pub codes: Vec<LinearCode>,
    /// The numbers that change, and their tangents.
    pub knowns: Vec<Slot>,
    pub seeds: Vec<Slot>,
    tangents: Tangents,
    /// Everything that changes has a tangent.
    pub is_exact: bool,
}

impl Linear {
    /// Linearises with respect to these numbers: states, inputs or parameters.
    pub fn new(program: &Program, knowns: &[Slot]) -> Linear {
        let mut program = program.clone();
        let mut tangents = Tangents::default();
        let Program { memory, store, parameters, settled, derivatives, crossings, outputs, .. } =
            &mut program;
        let all = [&*derivatives, &*crossings, &*outputs].into_iter().flat_map(|part| &part.codes);
        for code in all {
            match code {
                Code::Tape(tape) => tangents.note_indexed(&memory.slots, tape),
                Code::Solve(solve) => tangents.note_indexed(&memory.slots, &solve.tape),
                Code::Mixed(_) => {}
            }
        }
        let mut is_exact = true;
        let seeds = knowns.iter().map(|&slot| tangents.seed(&mut memory.slots, slot)).collect();
        let mut codes = Vec::new();
        for (k, code) in parameters.iter().enumerate() {
            let numbers =
                |to: &Destination| matches!(to, Destination::Number(slot) if !knowns.contains(slot));
            // External objects are made once.
            if !code.to.iter().any(numbers) || code.to.iter().any(|to| matches!(to, Destination::Other(_))) {
                continue;
            }
            let original = &code.tape;
            let tape = tangents.differentiate(store, memory, original);
            is_exact &= !hides(store, memory, original, |slot| tangents.has(slot));
            let moves =
                code.to.iter().any(|to| matches!(to, Destination::Number(slot) if tangents.has(*slot)));
            if moves {
                codes.push(LinearCode::Parameters { code: k as u32, tape });
            }
        }
        codes.push(LinearCode::Tape(tangents.differentiate(store, memory, settled)));
        is_exact &= !hides(store, memory, settled, |slot| tangents.has(slot));
        for part in Part::ALL {
            let list = match part {
                Part::Derivatives => &derivatives.codes,
                Part::Crossings => &crossings.codes,
                Part::Outputs => &outputs.codes,
            };
            for (k, code) in list.iter().enumerate() {
                match code {
                    Code::Tape(tape) => {
                        codes.push(LinearCode::Tape(tangents.differentiate(store, memory, tape)));
                        is_exact &= !hides(store, memory, tape, |slot| tangents.has(slot));
                    }
                    Code::Solve(solve) => {
                        let seed = |u: &Slot| tangents.seed(&mut memory.slots, *u);
                        let unknowns = solve.unknowns.iter().map(seed).collect();
                        let tape = tangents.differentiate(store, memory, &solve.tape);
                        is_exact &= !hides(store, memory, &solve.tape, |slot| tangents.has(slot));
                        let residual = |r: &Slot| tangents.of(&mut memory.slots, *r);
                        let residuals = solve.residuals.iter().map(residual).collect();
                        codes.push(LinearCode::Solve { part, code: k as u32, tape, unknowns, residuals });
                    }
                    // Between events a mixed block is its continuous part.
                    Code::Mixed(_) => {}
                }
            }
        }
        Linear { program, codes, knowns: knowns.to_vec(), seeds, tangents, is_exact }
    }

    /// The slot of a number's tangent; `None` where the number depends on none that changes.
    pub fn tangent(&self, slot: Slot) -> Option<Slot> {
        self.tangents.get(slot)
    }
}
