//! The runs of a sweep that share their equations: compiled once, by the thread that comes first.

use super::outcome::{Gatherer, Place};
use super::{Quantity, Reduce, SweepRequest, SweptRun, Wanted, settings_at};
use crate::pipeline::Compilation;
use crate::settings;
use kairos_base::Diagnostic;
use kairos_machine::Machine;
use kairos_model::Experiment;
use kairos_program::VarInfo;
use kairos_results::Kind;
use kairos_sim::simulate;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Points that differ only in what leaves the equations as they are.
pub struct Group {
    values: Vec<String>,
    pub points: Vec<u64>,
    template: Mutex<Option<Template>>,
    /// Has a thread taken on to make the template fast? The others begin meanwhile.
    quickened: AtomicBool,
    /// Points without a result. With the last of them the template goes: a sweep over sizes has many.
    left: AtomicUsize,
}

impl Group {
    pub fn new(values: Vec<String>, points: Vec<u64>, known: Option<Template>) -> Self {
        let left = AtomicUsize::new(points.len());
        let quickened = AtomicBool::new(false);
        Self { values, points, template: Mutex::new(known), quickened, left }
    }

    /// A copy for a thread of its own.
    pub fn template(&self, compiled: impl FnOnce(&[String]) -> Template) -> Template {
        let mut template = self.template.lock().unwrap_or_else(PoisonError::into_inner);
        let copy = template.get_or_insert_with(|| compiled(&self.values)).copy();
        drop(template);
        if let Template::Model { machine, .. } = &copy
            && !self.quickened.swap(true, Ordering::Relaxed)
        {
            machine.quicken();
        }
        copy
    }

    pub fn finished(&self) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            *self.template.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}

/// A model as it is before each of its runs, or why there is none.
pub enum Template {
    Model {
        machine: Box<dyn Machine>,
        experiment: Experiment,
        quantities: Arc<[Quantity]>,
        places: Arc<[Place]>,
    },
    Mistake {
        code: String,
        message: String,
    },
}

impl Template {
    pub fn new(compilation: &Compilation, wanted: &Wanted) -> Self {
        let mistake = |found: Option<&Diagnostic>| match found {
            Some(found) => Template::Mistake { code: found.code.to_string(), message: found.message.clone() },
            None => Template::Mistake {
                code: "not-compiled".into(),
                message: "the model does not compile with these values".into(),
            },
        };
        let Some(machine) = compilation.machine.as_deref().filter(|_| !compilation.has_errors()) else {
            return mistake(compilation.diagnostics.iter().find(|d| d.is_error()));
        };
        match select(machine, wanted) {
            Ok(selected) => {
                let (quantities, places): (Vec<_>, Vec<_>) = selected.into_iter().unzip();
                let experiment = compilation.experiment.clone();
                let (quantities, places) = (quantities.into(), places.into());
                Template::Model { machine: machine.clone_machine(), experiment, quantities, places }
            }
            Err(found) => mistake(Some(&found)),
        }
    }

    fn copy(&self) -> Self {
        match self {
            Template::Model { machine, experiment, quantities, places } => Template::Model {
                machine: machine.clone_machine(),
                experiment: experiment.clone(),
                quantities: quantities.clone(),
                places: places.clone(),
            },
            Template::Mistake { code, message } => {
                Template::Mistake { code: code.clone(), message: message.clone() }
            }
        }
    }

    pub fn run(&self, request: &SweepRequest, structural: &[usize], index: u64) -> SweptRun {
        let failed = |quantities: Arc<[Quantity]>, failure| {
            let rows = vec![f64::NAN; 1 + quantities.len()];
            SweptRun { index, quantities, rows, failure: Some(failure) }
        };
        let (machine, experiment, quantities, places) = match self {
            Template::Model { machine, experiment, quantities, places } => {
                (machine, experiment, quantities, places)
            }
            Template::Mistake { code, message } => {
                return failed(Arc::new([]), (code.clone(), message.clone()));
            }
        };
        let mut machine = machine.clone_machine();
        let mut mistakes = Vec::new();
        let settings = settings_at(&request.plan, index).into_iter().enumerate();
        let settings = settings.filter(|(k, _)| !structural.contains(k)).map(|(_, setting)| setting);
        settings::apply(&mut *machine, &settings.collect::<Vec<_>>(), &mut mistakes);
        if let Some(mistake) = mistakes.iter().find(|mistake| mistake.is_error()) {
            return failed(quantities.clone(), (mistake.code.to_string(), mistake.message.clone()));
        }
        let reduces: Option<Vec<Reduce>> = match &request.wanted {
            Wanted::Outcomes(outcomes) => Some(outcomes.iter().map(|outcome| outcome.reduce).collect()),
            Wanted::Ends => Some(vec![Reduce::Last; places.len()]),
            Wanted::Trajectories(_) => None,
        };
        let mut gatherer = Gatherer::new(places, reduces.as_deref());
        let options = request.run.options(experiment);
        let machine = request.run.inputs.attach(machine, options.start, &mut mistakes);
        if let Some(mistake) = mistakes.into_iter().find(Diagnostic::is_error) {
            return failed(quantities.clone(), (mistake.code.to_string(), mistake.message));
        }
        let failure = simulate(machine, &options, &mut gatherer).err().map(|error| {
            let diagnostic = error.diagnostic();
            (diagnostic.code.to_string(), diagnostic.message)
        });
        SweptRun { index, quantities: quantities.clone(), rows: gatherer.finish(), failure }
    }
}

/// The variables wanted, with their places; texts cannot be kept.
pub fn select(machine: &dyn Machine, wanted: &Wanted) -> Result<Vec<(Quantity, Place)>, Box<Diagnostic>> {
    let vars = &machine.info().vars;
    let quantity =
        |var: &VarInfo, name: String| (Quantity { name, unit: var.unit.clone() }, (var.slot, var.negated));
    let matching = |patterns: &[String]| {
        let chosen = crate::sink::choose(machine.info(), patterns).into_iter().map(|k| &vars[k]);
        let chosen = chosen.filter(|var| !var.is_parameter() && crate::sink::kind(var.ty) != Kind::String);
        chosen.map(|var| quantity(var, var.name.clone())).collect()
    };
    match wanted {
        Wanted::Outcomes(outcomes) => outcomes
            .iter()
            .map(|outcome| match vars.iter().find(|var| var.name == outcome.variable) {
                Some(var) if crate::sink::kind(var.ty) == Kind::String => {
                    let text = format!("`{}` is a text: a sweep keeps numbers", outcome.variable);
                    Err(Box::new(
                        Diagnostic::error("wrong-outcome", text).help("name a variable of another type"),
                    ))
                }
                Some(var) => Ok(quantity(var, outcome.name())),
                None => {
                    let names = vars.iter().map(|var| var.name.as_str());
                    Err(Box::new(settings::unknown("the model", &outcome.variable, names)))
                }
            })
            .collect(),
        Wanted::Trajectories(patterns) => Ok(matching(patterns)),
        Wanted::Ends => Ok(matching(&[])),
    }
}
