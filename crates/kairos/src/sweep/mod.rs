//! Many runs of one model with different values: compiled once, run on all cores.
//!
//! Every run starts from the same compiled machine, so that its result depends neither on the number of cores nor on
//! the order in which runs happen.

mod outcome;
mod plan;
mod random;

pub use outcome::{Outcome, Reduce};
pub use plan::{Given, Plan, Spread, Variation};

use crate::pipeline::{Compilation, compile};
use crate::request::{Engine, Goal, Request};
use crate::session::RunRequest;
use crate::settings;
use kairos_base::{Diagnostic, World};
use kairos_code::{Machine, VarInfo};
use kairos_flat::scalar::Experiment;
use kairos_results::Kind;
use kairos_sim::simulate;
use outcome::{Gatherer, Place};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A thread hands its runs over this often: for each of them would be too often where they are short.
const SHARE: Duration = Duration::from_millis(10);
/// A sweep of so many points is long enough for native code from the start.
const MANY: u64 = 32;

/// What to keep of each run.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    Outcomes(Vec<Outcome>),
    /// The variables whose names match one of the patterns, at all output points.
    Trajectories(Vec<String>),
}

/// A number kept of each run, or at each output point of it; a Boolean is 0 or 1, and where a run failed, it is NaN.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    pub name: String,
    pub unit: String,
}

/// How one run went.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptRun {
    pub index: u64,
    /// Rows of time and quantities, one after the other.
    pub rows: Vec<f64>,
    /// Code and message.
    pub failure: Option<(String, String)>,
}

pub struct SweepRequest {
    pub model: Request,
    pub run: RunRequest,
    pub plan: Plan,
    pub wanted: Wanted,
    /// Threads.
    pub jobs: usize,
}

/// A sweep whose first model is compiled and whose names are known to be right.
pub struct Sweep<'a> {
    world: &'a dyn World,
    request: &'a SweepRequest,
    first: Compilation,
    /// The varied parameters that shape the equations.
    structural: Vec<usize>,
    quantities: Vec<Quantity>,
}

impl<'a> Sweep<'a> {
    /// Compiles the model for the first point. What is wrong is among the diagnostics.
    pub fn prepare(world: &'a dyn World, request: &'a SweepRequest) -> Result<Self, Compilation> {
        let mut first = compile(world, &worthwhile(request), Goal::Machine);
        let Some(machine) = first.machine.as_deref().filter(|_| !first.has_errors()) else {
            return Err(first);
        };
        let mut probe = machine.clone_machine();
        let mut diagnostics = Vec::new();
        let fixed = settings::apply(&mut *probe, &settings_at(&request.plan, 0), &mut diagnostics);
        let names = request.plan.variations.iter().map(|v| &v.name);
        let structural = names
            .enumerate()
            .filter(|(_, name)| fixed.iter().any(|f| f.0 == **name))
            .map(|(k, _)| k)
            .collect();
        let quantities = match select(machine, &request.wanted) {
            Ok(selected) => selected.into_iter().map(|(q, _)| q).collect(),
            Err(mistake) => {
                diagnostics.push(*mistake);
                Vec::new()
            }
        };
        first.diagnostics.append(&mut diagnostics);
        if first.has_errors() {
            return Err(first);
        }
        Ok(Self { world, request, first, structural, quantities })
    }

    pub fn compilation(&self) -> &Compilation {
        &self.first
    }

    pub fn quantities(&self) -> &[Quantity] {
        &self.quantities
    }

    /// Runs every point for which `wanted` holds and hands them over a few at a time, in any order; stops early when
    /// `deliver` says so.
    pub fn run(&self, wanted: impl Fn(u64) -> bool, mut deliver: impl FnMut(Vec<SweptRun>) -> bool) {
        let plan = &self.request.plan;
        let mut groups: BTreeMap<Vec<String>, Vec<u64>> = BTreeMap::new();
        for index in (0..plan.count).filter(|index| wanted(*index)) {
            let point = if self.structural.is_empty() { Vec::new() } else { plan.point(index) };
            groups
                .entry(self.structural.iter().map(|&k| point[k].to_string()).collect())
                .or_default()
                .push(index);
        }
        for (values, points) in groups {
            let compiled;
            let template = if values.is_empty() {
                &self.first
            } else {
                let mut request = worthwhile(self.request);
                let names = self.structural.iter().map(|&k| plan.variations[k].name.clone());
                request.settings.extend(names.zip(values));
                compiled = compile(self.world, &request, Goal::Machine);
                &compiled
            };
            if !self.run_group(template, &points, &mut deliver) {
                return;
            }
        }
    }

    fn run_group(
        &self,
        template: &Compilation,
        points: &[u64],
        deliver: &mut impl FnMut(Vec<SweptRun>) -> bool,
    ) -> bool {
        let selected = template.machine.as_deref().filter(|_| !template.has_errors());
        let selected =
            selected.and_then(|machine| Some((machine, select(machine, &self.request.wanted).ok()?)));
        let Some((machine, selected)) = selected else {
            let mistake = template.diagnostics.iter().find(|d| d.is_error());
            return deliver(points.iter().map(|&k| not_run(&self.request.wanted, k, mistake)).collect());
        };
        let places: Vec<Place> = selected.into_iter().map(|(_, place)| place).collect();
        let task = Task {
            request: self.request,
            structural: &self.structural,
            experiment: &template.experiment,
            places: &places,
        };
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (send, receive) = mpsc::sync_channel(4 * self.request.jobs.max(1));
        std::thread::scope(|scope| {
            for _ in 0..self.request.jobs.clamp(1, points.len().max(1)) {
                let (send, machine, next, stop) = (send.clone(), machine.clone_machine(), &next, &stop);
                scope.spawn(move || {
                    let (mut done, mut last) = (Vec::new(), Instant::now());
                    while !stop.load(Ordering::Relaxed) {
                        let Some(&index) = points.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                        done.push(task.run(&mut *machine.clone_machine(), index));
                        if last.elapsed() >= SHARE {
                            last = Instant::now();
                            if send.send(std::mem::take(&mut done)).is_err() {
                                return;
                            }
                        }
                    }
                    let _ = send.send(done);
                });
            }
            drop(send);
            for done in receive {
                if !deliver(done) {
                    stop.store(true, Ordering::Relaxed);
                    return false;
                }
            }
            true
        })
    }
}

/// What the threads of a sweep share.
#[derive(Clone, Copy)]
struct Task<'a> {
    request: &'a SweepRequest,
    structural: &'a [usize],
    experiment: &'a Experiment,
    places: &'a [Place],
}

impl Task<'_> {
    fn run(&self, machine: &mut dyn Machine, index: u64) -> SweptRun {
        let mut mistakes = Vec::new();
        let settings = settings_at(&self.request.plan, index).into_iter().enumerate();
        let settings = settings.filter(|(k, _)| !self.structural.contains(k)).map(|(_, setting)| setting);
        settings::apply(machine, &settings.collect::<Vec<_>>(), &mut mistakes);
        if let Some(mistake) = mistakes.iter().find(|d| d.is_error()) {
            return not_run(&self.request.wanted, index, Some(mistake));
        }
        let reduces: Option<Vec<Reduce>> = match &self.request.wanted {
            Wanted::Outcomes(outcomes) => Some(outcomes.iter().map(|outcome| outcome.reduce).collect()),
            Wanted::Trajectories(_) => None,
        };
        let mut gatherer = Gatherer::new(self.places, reduces.as_deref());
        let options = self.request.run.options(self.experiment);
        let failure = simulate(machine, &options, &mut gatherer).err().map(|error| {
            let diagnostic = error.diagnostic();
            (diagnostic.code.to_string(), diagnostic.message)
        });
        SweptRun { index, rows: gatherer.finish(), failure }
    }
}

/// The model of a sweep, on the machine that suits its length.
fn worthwhile(request: &SweepRequest) -> Request {
    let mut model = request.model.clone();
    if model.engine == Engine::Auto && request.plan.count >= MANY {
        model.engine = Engine::Jit;
    }
    model
}

/// What stands in for a run that never began.
fn not_run(wanted: &Wanted, index: u64, mistake: Option<&Diagnostic>) -> SweptRun {
    let rows = match wanted {
        Wanted::Outcomes(outcomes) => vec![f64::NAN; 1 + outcomes.len()],
        Wanted::Trajectories(_) => Vec::new(),
    };
    let failure = mistake.map_or_else(
        || ("not-compiled".into(), "the model does not compile with these values".into()),
        |d| (d.code.to_string(), d.message.clone()),
    );
    SweptRun { index, rows, failure: Some(failure) }
}

fn settings_at(plan: &Plan, index: u64) -> Vec<(String, String)> {
    let values = plan.point(index).into_iter().map(|value| value.to_string());
    plan.variations.iter().map(|v| v.name.clone()).zip(values).collect()
}

/// The variables wanted, with their places; texts cannot be kept.
fn select(machine: &dyn Machine, wanted: &Wanted) -> Result<Vec<(Quantity, Place)>, Box<Diagnostic>> {
    let vars = &machine.info().vars;
    let quantity =
        |var: &VarInfo, name: String| (Quantity { name, unit: var.unit.clone() }, (var.slot, var.negated));
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
        Wanted::Trajectories(patterns) => {
            let chosen = crate::sink::choose(machine.info(), patterns).into_iter().map(|k| &vars[k]);
            let chosen = chosen.filter(|var| !var.is_parameter && crate::sink::kind(var.ty) != Kind::String);
            Ok(chosen.map(|var| quantity(var, var.name.clone())).collect())
        }
    }
}
