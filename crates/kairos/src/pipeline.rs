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

/// The code of a count of equations that does not match the unknowns; sorting tells more about it.
const UNBALANCED: &str = "unbalanced-model";

fn stages(world: &dyn World, request: &Request, goal: Goal, product: &mut Compilation) -> Option<()> {
    let scalar = product.timed("flatten", |product| front(world, request, product))?;
    product.name.clone_from(&scalar.name);
    product.experiment = scalar.experiment.clone();
    if goal == Goal::Flat {
        product.flat = Some(kairos_flat::print(&scalar));
        return Some(());
    }
    let checked = product.timed("causalise", |_| kairos_causal::causalise(scalar, &Default::default()));
    // What is wrong in particular says more than the count of equations.
    if checked.diagnostics.iter().any(|d| d.code == "when-conflict") {
        product.diagnostics.retain(|d| !(d.is_error() && d.code == UNBALANCED));
    }
    let causal = checked.accept(&mut product.diagnostics)?;
    if product.has_errors() {
        return None;
    }
    if goal == Goal::Causal {
        product.explanation = Some(kairos_causal::explain(&causal));
        return Some(());
    }
    let mut machine = product.timed("assemble", |_| {
        let program = std::sync::Arc::new(kairos_code::assemble(causal));
        kairos_code::Interpreter::new(program, std::sync::Arc::new(kairos_expr::Natives::default()))
    });
    settings::apply(&mut machine, &request.settings, &mut product.diagnostics);
    let _ = request.engine == Engine::Jit;
    product.machine = Some(Box::new(machine));
    Some(())
}

/// Text to scalar equations.
fn front(world: &dyn World, request: &Request, product: &mut Compilation) -> Option<ScalarModel> {
    let trees = kairos_sema::Trees::default();
    let made = kairos_sema::MadeRefs::default();
    let library = kairos_sema::Library::new(&trees, world, request.libraries.clone());
    let mut last = None;
    if let Some(file) = &request.file {
        match library.add_file(file) {
            Ok(names) => last = names.last().map(|n| n.to_string()),
            Err(error) => {
                let message = format!("`{file}` cannot be read: {error}");
                product.diagnostics.push(Diagnostic::error("cannot-read", message));
                return None;
            }
        }
    }
    let name = request.model.clone().or(last)?;
    let (sema, root, diagnostics) = kairos_sema::instantiate(&library, &made, &name);
    product.diagnostics.extend(diagnostics);
    let scalar = match root {
        Some(root) if !product.has_errors() => {
            let checked = kairos_flat::flatten(sema, root);
            let hopeless = checked.diagnostics.iter().any(|d| d.is_error() && d.code != UNBALANCED);
            product.diagnostics.extend(checked.diagnostics);
            checked.value.filter(|_| !hopeless)
        }
        _ => None,
    };
    product.sources = library.sources().clone();
    scalar
}
