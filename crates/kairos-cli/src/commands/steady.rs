//! `kairos steady`: values at which a model rests.

use super::experiment::ExperimentOptions;
use super::plot;
use super::target::Target;
use crate::output;
use crate::shell::{ShellOptions, Status};
use crate::trust::TrustOptions;
use clap::Args;
use kairos::{Disk, Model, Options, Request};
use kairos_analysis::steady_state;
use std::fmt::Write;

#[derive(Args)]
pub struct Steady {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    experiment: ExperimentOptions,

    #[command(flatten)]
    trust: TrustOptions,

    /// Variables to show, with `*` and `?`; the states by default.
    #[arg(long, value_name = "PATTERN")]
    vars: Vec<String>,
}

impl Steady {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let request = Request { access: self.trust.access(), ..self.target.request() };
        let options = Options::from(self.experiment.request());
        let found = Model::compile(Disk, request).and_then(|model| {
            shell.show(model.warnings(), model.sources());
            steady_state(&model, &options)
        });
        let steady = match found {
            Ok(steady) => steady,
            Err(error) => {
                shell.show(error.diagnostics(), error.sources());
                return Status::of(error.diagnostics());
            }
        };
        let patterns = plot::all_names(&self.vars);
        let shown = match patterns.is_empty() {
            true => steady.states,
            false => {
                let named = |name: &str| patterns.iter().any(|pattern| kairos::stands_for(pattern, name));
                steady.variables.into_iter().filter(|(name, _)| named(name)).collect()
            }
        };
        let mut out = format!("at rest after {} steps\n", steady.steps);
        for (name, value) in shown {
            let _ = writeln!(out, "  {name} = {value}");
        }
        output::print(&out, shell)
    }
}
