//! When native code is made: at once, or beside the interpreter as soon as a run turns out to be long.

use crate::compile;
use crate::module::compile_loops;
use kairos_code::{Attached, Codes, Native, Program};
use std::sync::Arc;
use std::time::Duration;

/// A run that is shorter than this is not worth any native code.
const PATIENCE: Duration = Duration::from_millis(40);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tier {
    /// The code is there before the run starts.
    Native,
    /// The interpreter starts; a thread compiles meanwhile, and the run goes on in native code.
    #[default]
    Background,
}

/// Gives a program native code. What cannot be compiled stays interpreted; only `Tier::Native` says why.
pub fn attach(program: &Arc<Program>, tier: Tier) -> Result<Attached, String> {
    let for_loops = program.clone();
    let make_loops = move || {
        let code = compile_loops(&for_loops).ok()?;
        Some(Box::new(code) as Box<dyn Native>)
    };
    let attached = Attached::new(Codes::new(Box::new(make_loops)));
    match tier {
        Tier::Native => finish(program, &attached)?,
        Tier::Background => {
            let (program, target) = (program.clone(), attached.clone());
            std::thread::spawn(move || {
                std::thread::sleep(PATIENCE);
                // Nobody else holds it any more: the run is over.
                if Arc::strong_count(&target) > 1 {
                    let _ = finish(&program, &target);
                }
            });
        }
    }
    Ok(attached)
}

fn finish(program: &Arc<Program>, attached: &Attached) -> Result<(), String> {
    let code = compile(program)?;
    attached.set(Box::new(code));
    Ok(())
}
