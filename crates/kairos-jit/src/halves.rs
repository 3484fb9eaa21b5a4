//! Native code of a small model in two halves: what its motion and its events need, and the rest once that is in use.

use crate::module::{Means, compile, compile_again, compile_tapes, kept};
use crate::native::Code;
use kairos_machine::run::Frame;
use kairos_machine::{Native, Ran};
use kairos_program::Program;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// So often the rest is interpreted before it is worth code: rows and logs ask for it, most runs without them do not.
const PATIENCE: u32 = 300;

struct Halves {
    first: Code,
    rest: Arc<OnceLock<Code>>,
    missed: AtomicU32,
    program: Arc<Program>,
    means: Means,
}

/// The code that a run needs first, or all of it where that cannot be told apart.
pub fn begin(program: &Arc<Program>, means: &Means) -> Result<Box<dyn Native>, String> {
    let Some(tapes) = program.lively_tapes() else { return Ok(Box::new(compile(program, means)?)) };
    let first = compile_tapes(program, tapes, program.fields().collect(), means)?;
    Ok(Halves::new(first, program, means))
}

/// The same from an earlier run, if there is any.
pub fn begin_again(program: &Arc<Program>, means: &Means) -> Option<Box<dyn Native>> {
    let Some(tapes) = program.lively_tapes() else { return Some(Box::new(compile_again(program, means)?)) };
    let first = kept(program, tapes, program.fields().collect(), means.shelf.as_ref()?)?;
    Some(Halves::new(first, program, means))
}

impl Halves {
    fn new(first: Code, program: &Arc<Program>, means: &Means) -> Box<Self> {
        let means = Means { threads: Some(1), ..means.clone() };
        let (rest, program) = (Arc::default(), program.clone());
        Box::new(Halves { first, rest, missed: AtomicU32::new(0), program, means })
    }

    #[inline(never)]
    fn run_rest(&self, id: u32, program: &Program, frame: &mut Frame) -> Ran {
        if let Some(rest) = self.rest.get() {
            return rest.run(id, program, frame);
        }
        if self.missed.fetch_add(1, Ordering::Relaxed) == PATIENCE {
            let (rest, program, means) = (self.rest.clone(), self.program.clone(), self.means.clone());
            crate::aside(move || {
                let known: Vec<u32> =
                    program.lively_tapes().into_iter().flatten().map(|tape| tape.id).collect();
                let mut tapes = program.repeated_tapes();
                tapes.retain(|tape| !known.contains(&tape.id));
                // Nobody else holds it any more: the run is over.
                if Arc::strong_count(&rest) > 1
                    && let Ok(code) = compile_tapes(&program, tapes, Vec::new(), &means)
                {
                    let _ = rest.set(code);
                }
            });
        }
        Ran::Not
    }
}

impl Native for Halves {
    fn run(&self, id: u32, program: &Program, frame: &mut Frame) -> Ran {
        match self.first.has(id) {
            true => self.first.run(id, program, frame),
            false => self.run_rest(id, program, frame),
        }
    }

    fn run_field(
        &self,
        id: u32,
        memory: &mut [f64],
        time: f64,
        states: &[f64],
        results: &mut [f64],
    ) -> Option<bool> {
        self.first.run_field(id, memory, time, states, results)
    }
}
