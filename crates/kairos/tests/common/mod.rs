//! What the source-level tests share: a recorded run, and a guard against runs that do not end.
#![allow(dead_code)] // Each test binary uses a part of it.

pub mod cases;
mod plain;

use kairos::results::{Column, Kind, Role};
use kairos::{
    Compilation, Diagnostic, Disk, EventKind, Finished, Goal, Request, RunRequest, Streams, Table, World,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder of fixtures.
pub fn suite() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite")
}

/// Can C code be compiled here?
pub fn c_compiler() -> bool {
    let works = |name: &str| std::process::Command::new(name).arg("--version").output().is_ok();
    ["cc", "gcc", "clang"].iter().any(|name| works(name))
}

/// A world of one file.
pub struct Text(pub String);

impl Text {
    pub const NAME: &str = "text.mo";
}

impl World for Text {
    fn read(&self, path: &str) -> std::io::Result<String> {
        match path {
            Text::NAME => Ok(self.0.clone()),
            _ => Err(std::io::ErrorKind::NotFound.into()),
        }
    }

    fn list(&self, _: &str) -> std::io::Result<Vec<String>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

/// All Modelica files below a folder, in order.
pub fn models_below(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder of models").flatten().map(|entry| entry.path()).collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(models_below(&path));
        } else if path.extension().is_some_and(|end| end == "mo") {
            found.push(path);
        }
    }
    found
}

pub fn blessing() -> bool {
    std::env::var_os("KAIROS_BLESS").is_some_and(|value| value == "1")
}

/// The same numbers in every run.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.roll()
    }
    pub fn list(&mut self, count: usize, low: f64, high: f64) -> Vec<f64> {
        (0..count).map(|_| self.between(low, high)).collect()
    }
    /// A place in a list of so many.
    pub fn pick(&mut self, count: usize) -> usize {
        (self.roll() * count as f64) as usize
    }
}

/// A result in memory: the names of the numeric columns, where their values stand, and the rows.
#[derive(Default)]
pub struct Recorded {
    pub names: Vec<(String, usize, bool)>,
    pub rows: Vec<Vec<f64>>,
}

impl Table for Recorded {
    fn begin(&mut self, columns: &[Column]) -> Result<(), String> {
        let mut places: Vec<Option<(usize, bool)>> = Vec::new();
        let mut count = 0;
        for column in columns {
            let place = match column.role {
                Role::Varying if column.kind != Kind::String => {
                    count += 1;
                    Some((count, false))
                }
                Role::Alias { of, negated } => places[of].map(|(place, other)| (place, other != negated)),
                _ => None,
            };
            places.push(place);
            if let Some((place, negated)) = place {
                self.names.push((column.name.clone(), place, negated));
            }
        }
        Ok(())
    }

    fn row(&mut self, time: f64, numbers: &[f64], _texts: &[&str]) -> Result<(), String> {
        self.rows.push(std::iter::once(time).chain(numbers.iter().copied()).collect());
        Ok(())
    }
}

impl Recorded {
    /// The right limit of a variable: the last row whose time is `t`.
    pub fn value(&self, name: &str, t: f64, span: f64) -> Result<f64, String> {
        let column = self.names.iter().find(|(n, ..)| n == name);
        let (_, place, negated) = column.ok_or_else(|| format!("{name} is not in the result"))?;
        let near = |row: &&Vec<f64>| (row[0] - t).abs() <= 1e-9 * span.abs().max(t.abs()).max(1e-30);
        let row = self.rows.iter().rev().find(near).ok_or_else(|| format!("no output at t={t}"))?;
        Ok(if *negated { -row[*place] } else { row[*place] })
    }

    /// All values of a variable with their times.
    pub fn column(&self, name: &str) -> Result<Vec<(f64, f64)>, String> {
        let column = self.names.iter().find(|(n, ..)| n == name);
        let (_, place, negated) = column.ok_or_else(|| format!("{name} is not in the result"))?;
        let sign = if *negated { -1.0 } else { 1.0 };
        Ok(self.rows.iter().map(|row| (row[0], sign * row[*place])).collect())
    }

    pub fn last_time(&self) -> f64 {
        self.rows.last().map_or(f64::NEG_INFINITY, |row| row[0])
    }
}

/// A compilation and, where it came so far, a run.
pub struct Ran {
    pub compiled: Compilation,
    pub recorded: Recorded,
    /// Time and kind of the events.
    pub events: Vec<(f64, String)>,
    /// Those records of the event log that tell of impulses or have notes.
    pub told: Vec<serde_json::Value>,
    pub finished: Option<Finished>,
}

impl Ran {
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let later = self.finished.iter().flat_map(|finished| &finished.diagnostics);
        self.compiled.diagnostics.iter().chain(later)
    }

    /// Everything that a user would read on the terminal.
    pub fn said(&self) -> String {
        let all: Vec<Diagnostic> = self.diagnostics().cloned().collect();
        kairos::render_text(&all, &self.compiled.sources, false)
    }

    pub fn failed(&self) -> bool {
        self.diagnostics().any(Diagnostic::is_error)
    }
}

/// Compiles and runs.
pub fn run(request: &Request, wanted: &RunRequest) -> Ran {
    run_compiled(kairos::compile(&Disk, request, Goal::Machine), wanted)
}

/// Runs what was compiled.
pub fn run_compiled(compiled: Compilation, wanted: &RunRequest) -> Ran {
    let mut recorded = Recorded::default();
    let mut log = Vec::new();
    let mut streams = Streams { table: Some(&mut recorded), events: Some(&mut log), ..Streams::default() };
    let finished = match compiled.has_errors() {
        true => None,
        false => kairos::run(&compiled, wanted, &mut streams),
    };
    let (mut events, mut told) = (Vec::new(), Vec::new());
    for line in String::from_utf8_lossy(&log).lines() {
        let Ok(record) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        if let (Some(time), Some(kind)) = (record["time"].as_f64(), record["kind"].as_str()) {
            events.push((time, kind.to_string()));
        }
        if record.get("impulses").is_some() || record.get("notes").is_some() {
            told.push(record);
        }
    }
    Ran { compiled, recorded, events, told, finished }
}

/// Bookkeeping that is not a change of a relation, when or sample.
pub fn is_quiet(kind: &str) -> bool {
    let quiet = [EventKind::Initial, EventKind::Terminal, EventKind::SlidingEnter, EventKind::SlidingExit];
    quiet.iter().any(|k| k.name() == kind) || kind.starts_with(EventKind::Zeno.name())
}

/// The outcome of a test from the faults that were found.
pub fn verdict(faults: Vec<String>) -> Result<(), libtest_mimic::Failed> {
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

/// Does something that may break down or never end; its fate in words.
pub fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (send, receive) = std::sync::mpsc::channel();
    let builder = std::thread::Builder::new().stack_size(16 << 20);
    let spawned = builder.spawn(move || {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        let _ = send.send(done);
    });
    spawned.map_err(|e| e.to_string())?;
    match receive.recv_timeout(limit) {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(panic)) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
            Err(format!("broke down: {}", text.unwrap_or_default()))
        }
        Err(_) => Err(format!("no answer in {} s", limit.as_secs_f64())),
    }
}
