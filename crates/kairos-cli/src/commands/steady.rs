//! `kairos steady`: values at which a model rests.

use super::experiment::ExperimentOptions;
use super::plot;
use super::target::Target;
use crate::output;
use crate::shell::{ShellOptions, Status};
use crate::trust::TrustOptions;
use clap::Args;
use kairos::{Attribute, Disk, Model, Options, Request};
use kairos_analysis::{TrimRequest, steady_state, trim};
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

    /// Inputs and parameters that may move so that the model rests as `--want` says.
    #[arg(long, value_name = "LIST", requires = "want")]
    free: Vec<String>,

    /// A variable and the value it is to have at rest: `h=0.5`.
    #[arg(long, value_name = "NAME=VALUE", requires = "free", value_parser = wanted)]
    want: Vec<(String, f64)>,

    /// Bounds of what may move: `u=0:1`, `u=0:` or `u=:5`; by default its `min` and `max`.
    #[arg(long, value_name = "NAME=LOW:HIGH", requires = "free", allow_hyphen_values = true, value_parser = super::fit::bounds)]
    bounds: Vec<(String, (f64, f64))>,
}

fn wanted(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("expected `name=value`")?;
    let number = value.trim().parse().ok().filter(|v: &f64| v.is_finite());
    number.map(|v| (name.trim().to_string(), v)).ok_or_else(|| format!("`{value}` is not a number"))
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
            match self.free.is_empty() {
                true => Ok((steady_state(&model, &options)?, Vec::new())),
                false => {
                    let found = trim(&model, &self.trimming(&model)?, &options)?;
                    Ok((found.steady, found.values))
                }
            }
        });
        let (steady, moved) = match found {
            Ok(found) => found,
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
        for (name, value) in moved.into_iter().chain(shown) {
            let _ = writeln!(out, "  {name} = {value}");
        }
        output::print(&out, shell)
    }

    fn trimming(&self, model: &Model) -> Result<TrimRequest, kairos::Error> {
        let mut request = TrimRequest { wanted: self.want.clone(), ..TrimRequest::default() };
        for name in plot::all_names(&self.free) {
            let var = model.variable(&name)?;
            let end = |attribute: &Option<Attribute>, open: f64| match attribute {
                Some(Attribute::Number(number)) => *number,
                _ => open,
            };
            let own = (end(&var.min, f64::NEG_INFINITY), end(&var.max, f64::INFINITY));
            let given = self.bounds.iter().find(|(known, _)| *known == name).map(|(_, range)| *range);
            request.free.push((name, given.unwrap_or(own)));
        }
        Ok(request)
    }
}
