//! `kairos run`: simulates a model and writes its result.

use super::experiment::ExperimentOptions;
use super::inputs::InputOptions;
use super::plot;
use super::recompute::states_of;
use super::target::Target;
use crate::gathering::Rows;
use crate::interrupt;
use crate::output::{self, Output, Unwritten};
use crate::pace::{self, Pace};
use crate::shell::{ShellOptions, Status};
use crate::trust::TrustOptions;
use crate::watch::Watched;
use clap::{Args, ValueEnum};
use kairos::results::{Column, METADATA_ENDING, SnapshotWriter, metadata};
use kairos::{
    Checkpoints, Compilation, Diagnostic, Disk, Finished, Format, Goal, ResultFile, Streams, World,
};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct Run {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    experiment: ExperimentOptions,

    #[command(flatten)]
    inputs: InputOptions,

    #[command(flatten)]
    trust: TrustOptions,

    /// What an FMU is used as; by default model exchange if it has that.
    #[arg(long, value_enum, value_name = "me|cs")]
    kind: Option<Kind>,

    /// What to do with start values that the equations contradict.
    #[arg(long, value_enum, default_value = "solve")]
    init: Init,

    /// The result file: .csv, .mat or .parquet; `-` for CSV on the standard output, `none` for none. By default the model's
    /// name with `.csv`.
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,

    /// Variables to write, with `*` and `?`; all by default.
    #[arg(long, value_name = "PATTERN")]
    vars: Vec<String>,

    /// Do not store the states from which `kairos recompute` finds what `--vars` leaves out.
    #[arg(long)]
    no_states: bool,

    /// Check after every event whether all equations hold, and tell which one does so worst.
    #[arg(long)]
    verify: bool,

    /// Tell the energy that flows into a component, or a connector, as the variable `balance(NAME)`; may be given several times.
    #[arg(long, value_name = "NAME")]
    balance: Vec<String>,

    /// Warn where a variable leaves the `min` and `max` of its declaration.
    #[arg(long)]
    bounds: bool,

    /// One JSON object per event.
    #[arg(long, value_name = "FILE")]
    events: Option<String>,

    /// The summary as JSON.
    #[arg(long, value_name = "FILE")]
    stats: Option<String>,

    /// What to tell while running.
    #[arg(long, value_enum, value_delimiter = ',')]
    log: Vec<Log>,

    /// Draw variables after the run: `a,b` share a pane, each further `--plot` is a further pane.
    #[arg(long, value_name = "VARS")]
    plot: Vec<String>,

    /// A file to draw into; without it the drawing goes to the terminal.
    #[arg(long, value_name = "FILE.svg|.png|.html", requires = "plot")]
    plot_output: Option<String>,

    /// Save the run at the first point of its own at or after this time; needs `--save`.
    #[arg(long, value_name = "TIME", requires = "save", allow_hyphen_values = true)]
    save_at: Option<f64>,

    /// A file for the saved run, from which `--resume` goes on; at the end of the run if `--save-at` is not given.
    #[arg(long, value_name = "FILE")]
    save: Option<String>,

    /// Go on from a saved run of the same model, with the experiment it was begun with.
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    resume: Option<String>,

    /// Run no faster than the clock, or than FACTOR times it, and tell which output points came late.
    #[arg(long, value_name = "FACTOR", num_args = 0..=1, default_missing_value = "1", value_parser = pace::factor)]
    realtime: Option<f64>,

    /// Run again whenever a file that was read is saved.
    #[arg(long)]
    watch: bool,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
enum Init {
    /// Report the contradiction.
    Solve,
    /// Move the start values as conservation laws demand.
    Projection,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
enum Kind {
    /// Model exchange: our solvers integrate it.
    Me,
    /// Co-simulation: it integrates itself.
    Cs,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
enum Log {
    Events,
}

impl Run {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if !self.watch {
            return self.once(&Disk, shell);
        }
        loop {
            let world = Watched::default();
            self.once(&world, shell);
            let _ = writeln!(std::io::stderr(), "watching {} files; Ctrl-C ends", world.len());
            let path = world.wait();
            let _ = writeln!(std::io::stderr(), "{path} has changed");
        }
    }

    fn once(&self, world: &dyn World, shell: &ShellOptions) -> Status {
        let projection = self.init == Init::Projection;
        let access = self.trust.access();
        let kind = self.kind.map(|kind| match kind {
            Kind::Me => kairos::FmuKind::ModelExchange,
            Kind::Cs => kairos::FmuKind::CoSimulation,
        });
        let request = kairos::Request {
            projection,
            verify: self.verify,
            balance: self.balance.clone(),
            access,
            kind,
            ..self.target.request()
        };
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        if self.target.is_fmu() && self.trust.denies() {
            let text = "an FMU is code of others, and `--external deny` trusts nobody";
            shell.complain("fmu-denied", text.into(), "run it without `--external deny`, if you trust it");
            return Status::ModelFailed;
        }
        let mut compiled = kairos::compile(world, &request, Goal::Machine);
        shell.show(&compiled.diagnostics, &compiled.sources);
        if compiled.has_errors() || compiled.machine.is_none() {
            return Status::of(&compiled.diagnostics);
        }
        // What is wrong with the options is said before an earlier result is lost.
        let wrong = kairos::check_options(&self.experiment.request().options(&compiled.experiment));
        if let Err(wrong) = wrong {
            shell.show(&[wrong.diagnostic()], &compiled.sources);
            return Status::WrongUsage;
        }
        let (drawn, remarks) = match self.named(&compiled) {
            Ok(named) => named,
            Err(wrong) => {
                shell.show(&[*wrong], &compiled.sources);
                return Status::WrongUsage;
            }
        };
        shell.show(&remarks, &compiled.sources);
        let mut doubts: Vec<Diagnostic> =
            unstable(&compiled, &self.experiment.request().options(&compiled.experiment))
                .into_iter()
                .collect();
        request.judge(&mut doubts);
        shell.show(&doubts, &compiled.sources);
        let Some(inputs) = self.inputs.read(shell) else { return Status::WrongUsage };
        let machine = compiled.machine.as_ref().filter(|_| !self.target.is_fmu());
        let alone = machine.and_then(|machine| inputs.left_alone(machine.info(), &request.settings));
        shell.show(alone.as_slice(), &compiled.sources);
        let wanted = kairos::RunRequest { inputs, ..self.experiment.request() };
        match self.simulate(shell, &request, &mut compiled, &wanted, drawn) {
            Ok(status) => status,
            Err(unwritten) => output::complain(&unwritten, shell),
        }
    }

    /// The variables to draw, and remarks about names and times that lead to nothing.
    fn named(&self, compiled: &Compilation) -> Result<(Vec<String>, Vec<Diagnostic>), Box<Diagnostic>> {
        let mut remarks = self.experiment.remarks(&compiled.experiment);
        // FMUs that integrate themselves go by communication steps.
        remarks.retain(|remark| !(self.target.is_fmu() && remark.message.starts_with("`--step`")));
        let Some(machine) = &compiled.machine else { return Ok((Vec::new(), remarks)) };
        let known = || machine.info().vars.iter().map(|var| var.name.as_str());
        let mut drawn = Vec::new();
        for list in &self.plot {
            let names = plot::names(list);
            let names = if names.is_empty() { vec![list.clone()] } else { names };
            for name in names {
                let unknown = |name: String| kairos::unknown_variable("the model", &name, known());
                drawn.extend(plot::expand(&name, known()).map_err(unknown)?);
            }
        }
        let vars = plot::all_names(&self.vars);
        for pattern in kairos::strangers(machine.info(), &vars) {
            let unknown = kairos::unknown_variable("the model", pattern, known());
            remarks.push(Diagnostic { severity: kairos::Severity::Warning, ..unknown });
        }
        Ok((drawn, remarks))
    }

    fn states(
        &self,
        request: &kairos::Request,
        compiled: &Compilation,
        output: &str,
    ) -> Result<(Output, States), Unwritten> {
        let path = states_of(output);
        let header = kairos::states_header(request, compiled);
        let (place, file) = Output::create(&path)?;
        Ok((place, SnapshotWriter::new(file, &header).map_err(|e| (path, e))?))
    }

    fn simulate(
        &self,
        shell: &ShellOptions,
        request: &kairos::Request,
        compiled: &mut Compilation,
        wanted: &kairos::RunRequest,
        drawn: Vec<String>,
    ) -> Result<Status, Unwritten> {
        let resume = match self.resume.as_ref().map(|path| (path, std::fs::read(path))) {
            Some((path, Err(error))) => {
                shell.complain("cannot-read", format!("`{path}` cannot be read: {error}"), "check the path");
                return Ok(Status::WrongUsage);
            }
            Some((_, Ok(bytes))) => Some(bytes),
            None => None,
        };
        let output = self.output.clone().unwrap_or_else(|| format!("{}.csv", compiled.name));
        let (place, file) = match (output.as_str(), Format::of(&output)) {
            ("none", _) => (None, None),
            (STANDARD_OUTPUT, _) => {
                let (place, file) = Output::standard()?;
                (Some(place), Some(ResultFile::new(Format::Csv, file)))
            }
            (path, Some(format)) => {
                let (place, file) = Output::create(path)?;
                (Some(place), Some(ResultFile::new(format, file)))
            }
            (path, None) => {
                let text = format!("`{path}` does not say what format it is to have");
                shell.complain("unknown-format", text, "end the name in .csv, .mat or .parquet");
                return Ok(Status::WrongUsage);
            }
        };
        // What is drawn is written, too.
        let mut patterns = plot::all_names(&self.vars);
        if !patterns.is_empty() {
            patterns.extend_from_slice(&drawn);
        }
        let mut states = match file.is_some() && !patterns.is_empty() && !self.no_states {
            true => Some(self.states(request, compiled, &output)?),
            false => None,
        };
        let mut keep = |time: f64, values: &[f64]| match &mut states {
            Some((_, states)) => states.push(time, values),
            None => Ok(()),
        };
        let energies = self.balance.iter().map(|part| kairos::balance_of(part));
        let mut rows = Rows::new(file, drawn.into_iter().chain(energies).collect());
        rows.pace = self.realtime.map(Pace::new);
        if rows.wanted() && !self.watch {
            interrupt::note();
        }
        let (events_place, mut events) = self.events.as_deref().map(Output::create).transpose()?.unzip();
        let mut text = self.log.contains(&Log::Events).then_some(Terminal);
        let mut bar = Progress::new(shell, wanted.options(&compiled.experiment).stop);
        let mut progress = |time: f64, events: u64| bar.show(time, events);
        let mut streams = Streams {
            table: rows.wanted().then_some(&mut rows as _),
            states: Some(&mut keep),
            events: events.as_mut().map(|e| e as _),
            event_text: text.as_mut().map(|t| t as _),
            progress: Some(&mut progress),
            patterns,
            bounds: self.bounds,
        };
        let mut keep = |_: f64, bytes: Vec<u8>| match &self.save {
            Some(path) => {
                output::write(path, bytes).map_err(|(path, error)| format!("cannot write {path}: {error}"))
            }
            None => Ok(()),
        };
        let at = self.save.iter().map(|_| self.save_at.unwrap_or(f64::INFINITY)).collect();
        let checkpoints = Checkpoints { resume: resume.as_deref(), at, keep: Some(&mut keep) };
        let Some(finished) = kairos::run_between(compiled, wanted, &mut streams, checkpoints) else {
            return Ok(Status::ModelFailed);
        };
        bar.clear();
        let whole = finished.outcome.is_ok();
        let mut left = String::new();
        let mut settle = |place: Option<Output>| match place {
            Some(place) if whole => place.settle(),
            Some(place) => {
                if let Some(path) = place.left() {
                    left = format!("{left}{}{path}", if left.is_empty() { "" } else { ", " });
                }
                Ok(())
            }
            None => Ok(()),
        };
        // What could not be written is more to the point than that the run was ended because of it.
        if let Some(file) = rows.file.take() {
            file.finish().map_err(|e| (output.clone(), e))?;
        }
        settle(place)?;
        if whole && Format::of(&output) == Some(Format::Csv) {
            describe(&output, &rows.columns)?;
        }
        if let Some((place, states)) = states {
            states.finish().map_err(|e| (states_of(&output), e))?;
            settle(Some(place))?;
        }
        if let (Some(mut events), Some(path)) = (events, &self.events) {
            events.flush().map_err(|e| (path.clone(), e))?;
            settle(events_place)?;
        }
        let mut finished = finished;
        request.judge(&mut finished.diagnostics);
        for error in
            finished.diagnostics.iter_mut().filter(|d| d.code == "result-not-written" && !interrupt::asked())
        {
            let files =
                [Some(&output), self.events.as_ref()].into_iter().flatten().filter(|name| *name != "none");
            let names: Vec<&str> = files.map(String::as_str).collect();
            error.message = format!("{}: cannot write {}", error.message, names.join(" or "));
        }
        let stopped = finished.outcome.as_ref().err().map(|error| error.time).filter(|_| interrupt::asked());
        if let Some(time) = stopped {
            finished.diagnostics.retain(|d| !d.is_error());
            let text = format!("at time {time}: ended by Ctrl-C");
            finished.diagnostics.push(Diagnostic::error("run-interrupted", text));
        }
        shell.show(&finished.diagnostics, &compiled.sources);
        if let Some(path) = &self.stats {
            crate::output::write(path, stats(compiled, &finished, rows.pace.as_ref()))?;
        }
        let mut status = Status::of(&finished.diagnostics);
        if !shell.quiet && output != STANDARD_OUTPUT {
            let shown = match (whole, output.as_str()) {
                (true, "none") => String::new(),
                (true, path) => format!("result in {path}"),
                (false, _) if left.is_empty() => String::new(),
                (false, _) => format!("what was computed up to there in {left}"),
            };
            let mut text = summary(compiled, &finished, &shown, rows.pace.as_ref());
            text.extend(self.balance.iter().filter_map(|part| balance(&rows.drawn, part)));
            status = status.and(crate::output::print(&text, shell));
        }
        if !self.plot.is_empty()
            && let Ok(mut drawing) = plot::drawing(&rows.drawn, &self.plot, None)
        {
            drawing.title.clone_from(&compiled.name);
            let shown = plot::show(&drawing, self.plot_output.as_deref(), false, shell);
            if shown != Status::Success {
                return Ok(shown);
            }
        }
        Ok(match stopped {
            Some(_) => Status::Interrupted,
            None => status,
        })
    }
}

/// What the rows say of the energy that flowed into a part.
fn balance(rows: &kairos::results::Table, part: &str) -> Option<String> {
    let values = rows.values(&kairos::balance_of(part))?;
    let (last, end) = (values.last()?, rows.time.last()?);
    let least = values.iter().zip(&rows.time).min_by(|a, b| a.0.total_cmp(b.0))?;
    Some(format!(
        "  energy into {part}: {last} from the start to time {end}; least {} at time {}\n",
        least.0, least.1
    ))
}

/// The name of the standard output as a result file.
const STANDARD_OUTPUT: &str = "-";

/// Writes units and descriptions beside a CSV file; one from an earlier run that says nothing of this one goes.
fn describe(output: &str, columns: &[Column]) -> Result<(), Unwritten> {
    let beside = format!("{output}{METADATA_ENDING}");
    let name = std::path::Path::new(output).file_name().map(|name| name.to_string_lossy().into_owned());
    let special = std::fs::metadata(output).is_ok_and(|data| !data.is_file());
    match metadata(name.as_deref().unwrap_or(output), columns) {
        Some(text) if !special => output::write(&beside, text),
        _ => {
            let _ = std::fs::remove_file(beside);
            Ok(())
        }
    }
}

/// A fixed step that makes the numbers grow is said before they do.
fn unstable(compiled: &Compilation, options: &kairos::SimOptions) -> Option<Diagnostic> {
    let step = options.step.unwrap_or(options.interval);
    let found = kairos_analysis::too_long(compiled.machine.as_deref()?, options.method, step, options.start)?;
    let text = format!(
        "steps of {step} s are too long for this model: `{}` settles within {:.1e} s, and the steps make it grow instead",
        found.state,
        1.0 / found.rate
    );
    let help = format!(
        "use steps below {:.2e} s with `--step`, or `--method auto`, which chooses them",
        found.longest
    );
    Some(Diagnostic::warning("step-too-long", text).help(help))
}

/// The file for the states of a run.
type States = SnapshotWriter<BufWriter<File>>;

fn summary(compiled: &Compilation, finished: &Finished, files: &str, pace: Option<&Pace>) -> String {
    let mut out = String::new();
    let phases = compiled.timings.iter().chain([&finished.timing]);
    let phases: Vec<String> = phases.map(|t| format!("{} {}", t.phase, seconds(t.time))).collect();
    if let Ok(s) = &finished.outcome {
        let _ = writeln!(out, "{}: time {} to {}", compiled.name, finished.options.start, s.end);
        if let Some(text) = &s.terminated {
            let _ = writeln!(out, "  terminated: {text}");
        }
        for assumption in &s.assumptions {
            let _ = writeln!(out, "  {assumption}");
        }
        let _ = writeln!(
            out,
            "  {} steps ({} rejected), {} evaluations, {} Jacobians",
            s.steps, s.rejected_steps, s.evaluations, s.jacobians
        );
        let _ = writeln!(
            out,
            "  {} state events, {} time events, {} restarts",
            s.state_events, s.time_events, s.restarts
        );
        if let Some(worst) = &s.residual {
            let _ = writeln!(
                out,
                "  {} instants verified; largest residual {:.1e} at time {}: {}",
                worst.events, worst.size, worst.time, worst.equation
            );
        }
    }
    let _ = writeln!(out, "  {}", phases.join(", "));
    out.extend(pace.map(Pace::text));
    if !files.is_empty() {
        let rows = finished.outcome.as_ref().map_or(String::new(), |s| format!(" ({} rows)", s.rows));
        let _ = writeln!(out, "  {files}{rows}");
    }
    out
}

fn stats(compiled: &Compilation, finished: &Finished, pace: Option<&Pace>) -> String {
    let phases = compiled.timings.iter().chain([&finished.timing]);
    let phases: Vec<String> = phases.map(|t| format!("\"{}\":{:?}", t.phase, t.time.as_secs_f64())).collect();
    let mut out = format!("{{\"success\":{},\"seconds\":{{{}}}", finished.outcome.is_ok(), phases.join(","));
    match &finished.outcome {
        Ok(s) => {
            let counts = [
                ("steps", s.steps),
                ("rejected_steps", s.rejected_steps),
                ("evaluations", s.evaluations),
                ("jacobians", s.jacobians),
                ("newton_iterations", s.newton_iterations),
                ("crossing_evaluations", s.crossing_evaluations),
                ("state_events", s.state_events),
                ("time_events", s.time_events),
                ("event_iterations", s.event_iterations),
                ("restarts", s.restarts),
                ("rows", s.rows),
                ("warnings", s.warnings),
            ];
            let _ = write!(out, ",\"end\":{:?},\"terminated\":{}", s.end, s.terminated.is_some());
            for (name, count) in counts {
                let _ = write!(out, ",\"{name}\":{count}");
            }
            if let Some(worst) = &s.residual {
                let _ = write!(out, ",\"verified\":{},\"residual\":{:?}", worst.events, worst.size);
            }
        }
        Err(error) if error.time.is_finite() => {
            let _ = write!(out, ",\"end\":{:?},\"error\":\"{}\"", error.time, error.code);
        }
        Err(error) => {
            let _ = write!(out, ",\"error\":\"{}\"", error.code);
        }
    }
    if let Some(pace) = pace {
        let _ = write!(out, ",{}", pace.json());
    }
    out.push_str("}\n");
    out
}

fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.0} µs", s * 1e6),
    }
}

/// The standard output; a reader that has gone away is no failure of the run.
struct Terminal;

impl Write for Terminal {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        unless_gone(std::io::stdout().write_all(text)).map(|()| text.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        unless_gone(std::io::stdout().flush())
    }
}

fn unless_gone(written: std::io::Result<()>) -> std::io::Result<()> {
    match written {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A line that shows how far a long run is, on a terminal only.
struct Progress {
    shown: bool,
    enabled: bool,
    begun: Instant,
    last: Instant,
    calls: u32,
    stop: f64,
}

impl Progress {
    fn new(shell: &ShellOptions, stop: f64) -> Self {
        let now = Instant::now();
        let enabled = !shell.quiet && std::io::stderr().is_terminal();
        Self { shown: false, enabled, begun: now, last: now, calls: 0, stop }
    }

    fn show(&mut self, time: f64, events: u64) {
        self.calls = self.calls.wrapping_add(1);
        if !self.enabled || !self.calls.is_multiple_of(64) || self.last.elapsed() < Duration::from_millis(200)
        {
            return;
        }
        let elapsed = self.begun.elapsed().as_secs_f64();
        if elapsed < 0.5 {
            return;
        }
        self.last = Instant::now();
        self.shown = true;
        let rate = events as f64 / elapsed;
        let _ = write!(std::io::stderr(), "\r\x1b[Ktime {time:.6} of {}, {rate:.0} events/s", self.stop);
    }

    fn clear(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
