//! When native code is made: at once, or beside the interpreter as soon as a run turns out to be long.

use crate::halves::{begin, begin_again};
use crate::module::{Means, compile, compile_again, compile_loops, compile_wholes, cores};
use crate::native::Code;
use kairos_machine::{Attached, Codes, Makers, Native};
use kairos_program::Program;
use std::sync::Arc;
use std::time::Duration;

/// A run that is shorter than its code takes to compile is not worth any. Where there is another core to compile it, it is
/// begun soon; otherwise so long is waited for each operation, but not less and not more than this.
const COMPILING: Duration = Duration::from_micros(4);
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(40);
/// Of many programs only those are compiled that have run so many tapes: others are tried and left. Those that have not are
/// looked at ever more seldom.
const OFTEN: u32 = 400;
const SELDOM: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tier {
    /// The code is there before the run starts.
    Native,
    /// The interpreter starts; a thread compiles meanwhile, and the run goes on in native code.
    #[default]
    Background,
    /// The same for one of several programs that a run goes through, which it may leave again soon.
    Occasional,
    /// The interpreter starts; whoever has the time makes native code by `Codes::complete`, unless an earlier run has kept it.
    Asked,
}

/// Gives a program native code. What cannot be compiled stays interpreted; only `Tier::Native` says why.
pub fn attach(program: &Arc<Program>, tier: Tier, means: &Means) -> Result<Attached, String> {
    let made = |make: fn(&Arc<Program>, &Means) -> Result<Code, String>| {
        let (program, means) = (program.clone(), means.clone());
        Box::new(move || make(&program, &means).ok().map(|code| Box::new(code) as Box<dyn Native>))
    };
    let attached = Attached::new(Codes::new(Makers {
        all: made(compile),
        loops: made(compile_loops),
        wholes: made(compile_wholes),
    }));
    match tier {
        Tier::Asked => {
            compile_again(program, means).into_iter().for_each(|code| attached.set(Box::new(code)));
        }
        Tier::Native => attached.set(Box::new(compile(program, means)?)),
        Tier::Background | Tier::Occasional => {
            if tier == Tier::Background
                && let Some(code) = begin_again(program, means)
            {
                attached.set(code);
                return Ok(attached);
            }
            let (program, target, means) = (program.clone(), attached.clone(), means.clone());
            crate::aside(move || {
                let mut wait = if tier == Tier::Background { patience(&program) } else { LONGEST };
                loop {
                    std::thread::sleep(wait);
                    // Nobody else holds it any more: the run is over.
                    if Arc::strong_count(&target) <= 1 {
                        return;
                    }
                    if tier == Tier::Background || target.missed() > OFTEN {
                        break;
                    }
                    wait = (2 * wait).min(SELDOM);
                }
                let _ = begin(&program, &means).map(|code| target.set(code));
            });
        }
    }
    Ok(attached)
}

fn patience(program: &Program) -> Duration {
    if cores() > 1 {
        return SHORTEST;
    }
    let tapes = program.lively_tapes().unwrap_or_else(|| program.repeated_tapes());
    let fields = program.fields().map(|field| &field.tape);
    let operations: usize = tapes.into_iter().chain(fields).map(|tape| tape.ops.len()).sum();
    COMPILING.saturating_mul(operations.try_into().unwrap_or(u32::MAX)).clamp(SHORTEST, LONGEST)
}
