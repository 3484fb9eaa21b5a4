//! Runs: compiled and simulated beside the page, told as they go, stopped when asked.

use crate::answer::Asked;
use crate::results::Kept;
use kairos::{Access, Disk, Goal, Method, Request, RunRequest, Streams, Trust, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How far a run has come.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub phase: &'static str,
    pub time: f64,
    pub start: f64,
    pub stop: f64,
    pub events: u64,
}

/// A run and what became of it.
#[derive(Default)]
pub struct Run {
    pub class: String,
    pub stop: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    progress: Progress,
    finished: bool,
    failed: bool,
    diagnostics: Vec<Value>,
    kept: Option<Arc<Kept>>,
}

/// Everything a run needs to know.
pub struct Job {
    pub request: Request,
    pub run: RunRequest,
    /// Texts that are not saved, by their paths.
    pub texts: BTreeMap<String, String>,
}

impl Job {
    /// Reads the settings of a page.
    pub fn new(asked: Asked<'_>, request: Request, texts: BTreeMap<String, String>) -> Self {
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let settings = asked.0.get("settings").and_then(Value::as_object);
        let settings = settings.map_or(Vec::new(), |s| s.iter().map(|(k, v)| (k.clone(), text(v))).collect());
        let run = RunRequest {
            start: asked.number("start"),
            stop: asked.number("stop"),
            tolerance: asked.number("tolerance"),
            interval: asked.number("interval"),
            intervals: asked.0.get("intervals").and_then(Value::as_u64),
            method: asked.optional("method").and_then(Method::from_name).unwrap_or_default(),
            ..RunRequest::default()
        };
        let access = Access::Run(Trust::default());
        Job { request: Request { settings, access, ..request }, run, texts }
    }
}

impl Run {
    /// A run that has not begun.
    pub fn new(class: &str) -> Self {
        Run { class: class.to_string(), ..Run::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compiles and simulates, here and now.
    pub fn execute(&self, job: &Job, base: &dyn World, tell: &mut (dyn FnMut(&Progress) + Send)) {
        let world = Snapshot { texts: &job.texts, base };
        self.advance("compile", tell);
        let compiled = kairos::compile(&world, &job.request, Goal::Machine);
        let mut told: Vec<Value> = diagnostics(&compiled.diagnostics, &compiled.sources);
        let options = job.run.options(&compiled.experiment);
        {
            let mut state = self.state();
            (state.progress.start, state.progress.time) = (options.start, options.start);
            state.progress.stop = options.stop;
        }
        self.advance("simulate", tell);
        let (mut kept, mut events) = (Kept::default(), Vec::new());
        let mut last = 0;
        let finished = {
            let mut progress = |time: f64, count: u64| {
                let mut state = self.state();
                (state.progress.time, state.progress.events) = (time, count);
                if count > last + 1000 {
                    last = count;
                    tell(&state.progress);
                }
            };
            let mut table = kept.table(&self.stop);
            let mut streams = Streams {
                table: Some(&mut table),
                events: Some(&mut events),
                progress: Some(&mut progress),
                ..Streams::default()
            };
            kairos::run(&compiled, &job.run, &mut streams)
        };
        let failed = finished.as_ref().is_none_or(|f| f.outcome.is_err());
        if let Some(finished) = &finished {
            told.extend(diagnostics(&finished.diagnostics, &compiled.sources));
        }
        kept.events =
            String::from_utf8_lossy(&events).lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
        let mut state = self.state();
        state.kept = Some(Arc::new(kept));
        state.diagnostics = told;
        state.failed = failed;
        state.finished = true;
        state.progress.phase = "done";
        tell(&state.progress);
    }

    fn advance(&self, phase: &'static str, tell: &mut (dyn FnMut(&Progress) + Send)) {
        let mut state = self.state();
        state.progress.phase = phase;
        tell(&state.progress);
    }

    /// What a page shows of it.
    pub fn status(&self, id: u64) -> Value {
        let state = self.state();
        json!({
            "run": id,
            "class": self.class,
            "phase": state.progress.phase,
            "time": state.progress.time,
            "start": state.progress.start,
            "stop": state.progress.stop,
            "events": state.progress.events,
            "finished": state.finished,
            "failed": state.failed,
            "stopped": self.stop.load(Ordering::Relaxed),
            "diagnostics": state.diagnostics,
        })
    }

    /// Its result, as far as it has one.
    pub fn kept(&self) -> Option<Arc<Kept>> {
        self.state().kept.clone()
    }
}

/// Messages as a page shows them.
pub fn diagnostics(list: &[kairos::Diagnostic], sources: &kairos::SourceMap) -> Vec<Value> {
    kairos::render_json(list, sources).lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Unsaved texts before files.
struct Snapshot<'s> {
    texts: &'s BTreeMap<String, String>,
    base: &'s dyn World,
}

impl World for Snapshot<'_> {
    fn read(&self, path: &str) -> io::Result<String> {
        match self.texts.get(path) {
            Some(text) => Ok(text.clone()),
            None => self.base.read(path),
        }
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        self.base.list(path)
    }
}

/// Starts a run beside the page; where there are no threads it is over when this returns.
pub fn begin(run: &Arc<Run>, job: Job, base: &dyn World) {
    #[cfg(not(target_arch = "wasm32"))]
    {
        let _ = base;
        let own = run.clone();
        let work = move || {
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                own.execute(&job, &Disk, &mut |_| {});
            }));
            if caught.is_err() {
                own.give_up();
            }
        };
        let thread = std::thread::Builder::new().name("run".into()).stack_size(1 << 30);
        if thread.spawn(work).is_err() {
            run.give_up();
        }
    }
    #[cfg(target_arch = "wasm32")]
    run.execute(&job, base, &mut |_| {});
}

impl Run {
    /// Ends a run that a bug has ended.
    fn give_up(&self) {
        let mut state = self.state();
        let message = "the run ended because of a bug in Kairos: please report the model";
        state
            .diagnostics
            .push(json!({ "severity": "error", "code": "bug", "message": message, "labels": [] }));
        (state.finished, state.failed, state.progress.phase) = (true, true, "done");
    }
}
