//! Many runs of one model with different values: compiled once, run on all cores.
//!
//! Every run starts from the same compiled machine, so that its result depends neither on the number of cores nor on
//! the order in which runs happen.

mod design;
mod group;
mod indices;
mod outcome;
mod plan;
mod random;
mod sobol;

pub use design::Design;
pub use indices::{Index, indices};
pub use outcome::{Outcome, Reduce};
pub use plan::{Given, Plan, Spread, Variation};

use crate::clock::Begun;
use crate::pipeline::{Compilation, compile};
use crate::request::{Engine, Goal, Request};
use crate::session::RunRequest;
use crate::settings;
use group::{Group, Template};
use kairos_base::World;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// A thread hands its runs over this often: for each of them would be too often where they are short.
const SHARE: Duration = Duration::from_millis(50);
/// Runs are delivered, or that there are none, at least this often.
const DELIVERY: Duration = Duration::from_millis(100);
/// A sweep of so many points is long enough for native code from the start.
const MANY: u64 = 32;

/// What to keep of each run.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    Outcomes(Vec<Outcome>),
    /// The variables whose names match one of the patterns, at all output points.
    Trajectories(Vec<String>),
    /// What every variable is at the end.
    Ends,
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
    /// What stands in the rows; models of other sizes have other variables.
    pub quantities: Arc<[Quantity]>,
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
    world: &'a (dyn World + Sync),
    request: &'a SweepRequest,
    first: Compilation,
    /// The varied parameters that shape the equations.
    structural: Vec<usize>,
}

impl<'a> Sweep<'a> {
    /// Compiles the model for the first point. What is wrong is among the diagnostics.
    pub fn prepare(world: &'a (dyn World + Sync), request: &'a SweepRequest) -> Result<Self, Compilation> {
        let mut first = compile(world, &worthwhile(request, request.jobs), Goal::Machine);
        let Some(machine) = first.machine.as_deref().filter(|_| !first.has_errors()) else {
            return Err(first);
        };
        let mut probe = machine.clone_machine();
        let mut diagnostics = Vec::new();
        let fixed = settings::apply(&mut *probe, &settings_at(&request.plan, 0), &mut diagnostics);
        let options = request.run.options(&first.experiment);
        request.run.inputs.attach(probe, options.start, &mut diagnostics);
        let names = request.plan.variations.iter().map(|v| &v.name);
        let structural =
            names.enumerate().filter(|(_, name)| fixed.names.contains(name)).map(|(k, _)| k).collect();
        if let Err(mistake) = group::select(machine, &request.wanted) {
            diagnostics.push(*mistake);
        }
        first.diagnostics.append(&mut diagnostics);
        if first.has_errors() {
            return Err(first);
        }
        Ok(Self { world, request, first, structural })
    }

    pub fn compilation(&self) -> &Compilation {
        &self.first
    }

    /// Runs every point for which `wanted` holds and hands them over a few at a time, in any order, and none from time to
    /// time where they take long; stops early when
    /// `deliver` says so.
    pub fn run(&self, wanted: impl Fn(u64) -> bool, mut deliver: impl FnMut(Vec<SweptRun>) -> bool) {
        let groups = self.groups(wanted);
        let points: Vec<(&Group, u64)> =
            groups.iter().flat_map(|group| group.points.iter().map(move |&index| (group, index))).collect();
        if cfg!(target_family = "wasm") {
            return self.one_by_one(&points, deliver);
        }
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (world, request, structural) = (self.world, self.request, &self.structural[..]);
        let jobs = request.jobs.clamp(1, points.len().max(1));
        let (send, receive) = mpsc::sync_channel(4 * jobs);
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                let (send, points, next, stop) = (send.clone(), &points, &next, &stop);
                scope.spawn(move || {
                    let (mut done, mut last) = (Vec::new(), Begun::now());
                    let mut at: Option<(&Group, Template)> = None;
                    while !stop.load(Ordering::Relaxed) {
                        let Some(&(group, index)) = points.get(next.fetch_add(1, Ordering::Relaxed)) else {
                            break;
                        };
                        if !at.as_ref().is_some_and(|(before, _)| std::ptr::eq(*before, group)) {
                            let compiled = |values: &[String]| compiled(world, request, structural, values);
                            at = Some((group, group.template(compiled)));
                        }
                        let Some((_, template)) = &at else { break };
                        done.push(template.run(request, structural, index));
                        group.finished();
                        if last.elapsed() >= SHARE {
                            last = Begun::now();
                            if send.send(std::mem::take(&mut done)).is_err() {
                                return;
                            }
                        }
                    }
                    let _ = send.send(done);
                });
            }
            drop(send);
            loop {
                let done = match receive.recv_timeout(DELIVERY) {
                    Ok(done) => done,
                    Err(RecvTimeoutError::Timeout) => Vec::new(),
                    Err(RecvTimeoutError::Disconnected) => return,
                };
                if !deliver(done) {
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
    }

    /// The same on targets without threads.
    fn one_by_one(&self, points: &[(&Group, u64)], mut deliver: impl FnMut(Vec<SweptRun>) -> bool) {
        let mut at: Option<(&Group, Template)> = None;
        for &(group, index) in points {
            if !at.as_ref().is_some_and(|(before, _)| std::ptr::eq(*before, group)) {
                let make = |values: &[String]| compiled(self.world, self.request, &self.structural, values);
                at = Some((group, group.template(make)));
            }
            let Some((_, template)) = &at else { return };
            let run = template.run(self.request, &self.structural, index);
            group.finished();
            if !deliver(vec![run]) {
                return;
            }
        }
    }

    /// The points by the values of what shapes the equations.
    fn groups(&self, wanted: impl Fn(u64) -> bool) -> Vec<Group> {
        let plan = &self.request.plan;
        let mut groups: BTreeMap<Vec<String>, Vec<u64>> = BTreeMap::new();
        for index in (0..plan.count).filter(|index| wanted(*index)) {
            let point = if self.structural.is_empty() { Vec::new() } else { plan.point(index) };
            groups
                .entry(self.structural.iter().map(|&k| point[k].to_string()).collect())
                .or_default()
                .push(index);
        }
        let known = || self.structural.is_empty().then(|| Template::new(&self.first, &self.request.wanted));
        groups.into_iter().map(|(values, points)| Group::new(values, points, known())).collect()
    }
}

/// The model for values of the parameters that shape its equations.
fn compiled(world: &dyn World, sweep: &SweepRequest, structural: &[usize], values: &[String]) -> Template {
    let mut request = worthwhile(sweep, 1);
    let names = structural.iter().map(|&k| sweep.plan.variations[k].name.clone());
    request.settings.extend(names.zip(values.iter().cloned()));
    Template::new(&compile(world, &request, Goal::Machine), &sweep.wanted)
}

/// The model of a sweep, on the machine that suits its length; so many threads make it.
fn worthwhile(request: &SweepRequest, threads: usize) -> Request {
    let mut model = request.model.clone();
    model.threads = Some(threads);
    if model.engine == Engine::Auto && request.plan.count >= MANY {
        model.engine = if request.jobs > 1 { Engine::Shared } else { Engine::Jit };
    }
    model
}

fn settings_at(plan: &Plan, index: u64) -> Vec<(String, String)> {
    let values = plan.point(index).into_iter().map(|value| value.to_string());
    plan.variations.iter().map(|v| v.name.clone()).zip(values).collect()
}
