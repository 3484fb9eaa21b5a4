//! The stages of compilation in their order, each timed.

use crate::request::{Engine, Goal, Request};
use crate::settings;
use kairos_base::{Diagnostic, SourceMap, World};
use kairos_code::Machine;
use kairos_flat::scalar::{Experiment, ScalarModel};
use std::time::{Duration, Instant};

/// How long a phase took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    pub phase: &'static str,
    pub time: Duration,
}

/// What compilation yields, as far as it came.
#[derive(Default)]
pub struct Compilation {
    pub sources: SourceMap,
    pub diagnostics: Vec<Diagnostic>,
    pub timings: Vec<Timing>,
    /// The qualified name of the model.
    pub name: String,
    pub experiment: Experiment,
    /// The flat equations as text, for `Goal::Flat`.
    pub flat: Option<String>,
    /// How the model is solved, for `Goal::Causal`.
    pub explanation: Option<String>,
    pub machine: Option<Box<dyn Machine>>,
}

impl Compilation {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    fn timed<T>(&mut self, phase: &'static str, work: impl FnOnce(&mut Self) -> T) -> T {
        let begun = Instant::now();
        let done = work(self);
        self.timings.push(Timing { phase, time: begun.elapsed() });
        done
    }
}

/// Compiles a model as far as `goal`; mistakes are among the diagnostics.
pub fn compile(world: &dyn World, request: &Request, goal: Goal) -> Compilation {
    let mut product = Compilation::default();
    stages(world, request, goal, &mut product);
    product
}

fn stages(world: &dyn World, request: &Request, goal: Goal, product: &mut Compilation) -> Option<()> {
    let scalar = product.timed("flatten", |product| front(world, request, product))?;
    product.name.clone_from(&scalar.name);
    product.experiment = scalar.experiment.clone();
    if goal == Goal::Flat {
        return None;
    }
    let _ = (request.engine == Engine::Jit, settings::apply);
    Some(())
}

/// Text to scalar equations.
fn front(_world: &dyn World, _request: &Request, product: &mut Compilation) -> Option<ScalarModel> {
    let missing = Diagnostic::error("not-built", "this build has no front end yet");
    product.diagnostics.push(missing);
    None
}
