//! `kairos sweep`: runs a model many times with different values and gathers the outcomes in one dataset.

use super::experiment::ExperimentOptions;
use super::inputs::InputOptions;
use super::plot;
use super::target::Target;
use crate::interrupt;
use crate::journal::Journal;
use crate::shell::{ShellOptions, Status};
use crate::trust::TrustOptions;
use clap::Args;
use kairos::Disk;
use kairos::results::{Column, Kind, ParquetWriter, Writer};
use kairos::sweep::{
    Design, Given, Outcome, Plan, Quantity, SweepRequest, SweptRun, Variation, Wanted, indices,
};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct Sweep {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    experiment: ExperimentOptions,

    #[command(flatten)]
    inputs: InputOptions,

    #[command(flatten)]
    trust: TrustOptions,

    /// Values for a parameter: `R=1,2,5`, `R=10:10:100` (from, step, to), `R=lin(0,1,11)`, `C=log(1e-6,1e-3,20)`;
    /// several give all combinations.
    #[arg(long, required = true, value_name = "NAME=VALUES", allow_hyphen_values = true, value_parser = Variation::parse)]
    vary: Vec<Variation>,

    /// Instead of all combinations so many points, spread over the ranges; `R=uniform(0,1)`, `R=normal(MEAN,DEVIATION)`,
    /// `R=lognormal(MEAN,DEVIATION)` and `R=triangular(FROM,MODE,TO)` too.
    #[arg(long, value_name = "COUNT")]
    sample: Option<u64>,

    /// How the points of a sample are spread: `lhs` (Latin hypercube), `sobol` (Sobol's sequence) or `random`; by default `lhs`, and for
    /// `--indices` `sobol`.
    #[arg(long, requires = "sample", value_parser = Design::from_name)]
    design: Option<Design>,

    /// Tell how much of the variance of each outcome each parameter explains (Sobol indices); for COUNT points and d parameters there
    /// are COUNT (d + 2) runs.
    #[arg(long, requires = "sample", requires = "outcome")]
    indices: bool,

    /// Which random points; the same seed gives the same points.
    #[arg(long, default_value = "1", requires = "sample")]
    seed: u64,

    /// Numbers to keep of each run: `v` or `final(v)`, `min(v)`, `max(v)`, `mean(v)`; by default all variables at the end.
    #[arg(long, value_name = "LIST")]
    outcome: Vec<String>,

    /// Keep the trajectories of these variables instead, with `*` and `?`.
    #[arg(long, value_name = "PATTERN", conflicts_with = "outcome")]
    vars: Vec<String>,

    /// The dataset; by default the model's name with `-sweep.parquet`.
    #[arg(long, short, value_name = "FILE.parquet")]
    output: Option<String>,

    /// How many runs at once; by default one per core.
    #[arg(long, short, value_name = "COUNT")]
    jobs: Option<usize>,

    /// Forget the runs of an interrupted sweep.
    #[arg(long)]
    fresh: bool,
}

impl Sweep {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let settings = self.target.request().settings;
        let twice = self.vary.iter().enumerate().find(|(k, variation)| {
            let given = settings.iter().any(|(name, _)| *name == variation.name);
            given || self.vary[..*k].iter().any(|before| before.name == variation.name)
        });
        if let Some((_, variation)) = twice {
            let text = format!("`{}` is given more than once", variation.name);
            shell.complain(
                "wrong-sweep",
                text,
                "write all its values in one `--vary`, and none with `--set`",
            );
            return Status::WrongUsage;
        }
        let plan = match self.sample {
            Some(base) if self.indices => {
                let design = self.design.unwrap_or(Design::Sobol);
                Plan::for_indices(self.vary.clone(), base, design, self.seed)
            }
            Some(count) => Plan::sample(self.vary.clone(), count, self.design.unwrap_or_default(), self.seed),
            None => Plan::grid(self.vary.clone()),
        };
        let plan = match plan {
            Ok(plan) => plan,
            Err(text) => {
                shell.complain("wrong-sweep", text, "");
                return Status::WrongUsage;
            }
        };
        let outcomes: Result<Vec<Outcome>, String> =
            plot::all_names(&self.outcome).iter().map(|outcome| Outcome::parse(outcome)).collect();
        let outcomes = match outcomes {
            Ok(outcomes) => outcomes,
            Err(text) => {
                shell.complain("wrong-sweep", text, "write `v`, `final(v)`, `min(v)`, `max(v)` or `mean(v)`");
                return Status::WrongUsage;
            }
        };
        let wanted = match (outcomes.is_empty(), self.vars.is_empty()) {
            (true, true) => Wanted::Ends,
            (false, _) => Wanted::Outcomes(outcomes),
            (true, false) => Wanted::Trajectories(plot::all_names(&self.vars)),
        };
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let Some(inputs) = self.inputs.read(shell) else { return Status::WrongUsage };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let request = SweepRequest {
            model: kairos::Request { access: self.trust.access(), ..self.target.request() },
            run: kairos::RunRequest { inputs, ..self.experiment.request() },
            plan,
            wanted,
            jobs: self.jobs.unwrap_or_else(cores).max(1),
        };
        let sweep = match kairos::sweep::Sweep::prepare(&Disk, &request) {
            Ok(sweep) => sweep,
            Err(wrong) => {
                shell.show(&wrong.diagnostics, &wrong.sources);
                return Status::of(&wrong.diagnostics);
            }
        };
        let compiled = sweep.compilation();
        shell.show(&compiled.diagnostics, &compiled.sources);
        let options = request.run.options(&compiled.experiment);
        if let Err(wrong) = kairos::check_options(&options) {
            shell.show(&[wrong.diagnostic()], &compiled.sources);
            return Status::WrongUsage;
        }
        shell.show(&self.experiment.remarks(&compiled.experiment), &compiled.sources);
        let output =
            self.output.clone().unwrap_or_else(|| format!("{}-sweep.parquet", sweep.compilation().name));
        if !output.ends_with(".parquet") {
            shell.complain(
                "unknown-format",
                format!("`{output}` is not a Parquet file"),
                "end the name in .parquet",
            );
            return Status::WrongUsage;
        }
        match self.gather(&sweep, &request, &output, shell) {
            Ok(status) => status,
            Err(error) => crate::output::complain(&(output, error), shell),
        }
    }

    fn gather(
        &self,
        sweep: &kairos::sweep::Sweep,
        request: &SweepRequest,
        output: &str,
        shell: &ShellOptions,
    ) -> io::Result<Status> {
        let begun = Instant::now();
        let journal_path = format!("{output}.partial");
        if self.fresh {
            Journal::remove(&journal_path)?;
        }
        let mut journal = Journal::open(&journal_path, &identity(sweep, request))?;
        let (count, known) = (request.plan.count, journal.len());
        let done: Vec<bool> = (0..count).map(|index| journal.has(index)).collect();
        let mut bar = Bar::new(shell, count);
        let mut trouble = None;
        interrupt::note();
        sweep.run(
            |index| !done[index as usize],
            |runs| {
                let added = journal.add(runs);
                bar.show(journal.len());
                trouble = added.err();
                trouble.is_none() && !interrupt::asked()
            },
        );
        bar.clear();
        if let Some(error) = trouble {
            return Err(error);
        }
        if interrupt::asked() && journal.len() < count {
            journal.write()?;
            let text =
                format!("ended by Ctrl-C: {} of {count} runs are kept in {journal_path}", journal.len());
            let help = "give the same command again, and it goes on with the others; `--fresh` begins anew";
            shell.complain("sweep-interrupted", text, help);
            return Ok(Status::Interrupted);
        }
        let mut kept = Columns { names: Vec::new(), values: Vec::new(), wanted: self.indices };
        let failures = write_dataset(&request.plan, journal, output, &mut kept)?;
        Journal::remove(&journal_path)?;
        if !shell.quiet {
            let taken = if known > 0 { format!(", {known} of them from before") } else { String::new() };
            let mut out =
                format!("{}: {count} runs{taken} in {:.2?}\n", sweep.compilation().name, begun.elapsed());
            if failures > 0 {
                out.push_str(&format!("  {failures} failed: see the columns `failure` and `message`\n"));
            }
            out.push_str(&format!("  dataset in {output}\n"));
            out.push_str(&kept.indices(&request.plan));
            return Ok(crate::output::print(&out, shell));
        }
        Ok(Status::Success)
    }
}

/// What makes a sweep this sweep: the sources, the values, the experiment and what is kept.
fn identity(sweep: &kairos::sweep::Sweep, request: &SweepRequest) -> String {
    let sources = &sweep.compilation().sources;
    let texts: Vec<u64> = sources.ids().map(|file| sources.digest(file)).collect();
    let SweepRequest { model, run, plan, wanted, jobs: _ } = request;
    let points = [0, plan.count / 2, plan.count - 1].map(|k| plan.point(k));
    let (variations, count) = (&plan.variations, plan.count);
    format!(
        "{}|{texts:?}|{:?}|{:?}|{run:?}|{variations:?}|{count}|{points:?}|{wanted:?}",
        env!("CARGO_PKG_VERSION"),
        model.model,
        model.settings
    )
}

/// The outcomes of all runs, for what is told of all of them together.
struct Columns {
    names: Vec<String>,
    values: Vec<Vec<f64>>,
    wanted: bool,
}

impl Columns {
    /// How much of the variance of each outcome each parameter explains.
    fn indices(&self, plan: &Plan) -> String {
        let mut out = String::new();
        let names: Vec<&str> = plan.variations.iter().map(|variation| variation.name.as_str()).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (outcome, values) in self.names.iter().zip(&self.values) {
            let (list, points) = indices(values, names.len());
            out.push_str(&format!("variance of {outcome}, {points} points\n"));
            for (name, index) in names.iter().zip(list) {
                let (first, total) = index.confidence;
                out.push_str(&format!(
                    "  {name:width$}  alone {:6.3} ± {first:.3}  in all {:6.3} ± {total:.3}\n",
                    index.first, index.total
                ));
            }
        }
        out
    }
}

/// Writes all runs in order; gives the number of failed ones. What some models of the sweep do not have is NaN there.
fn write_dataset(plan: &Plan, mut journal: Journal, output: &str, kept: &mut Columns) -> io::Result<u64> {
    let numeric: Vec<bool> = plan.variations.iter().map(Variation::is_numeric).collect();
    let mut columns = vec![Column::varying("run", Kind::Integer)];
    for (variation, numeric) in plan.variations.iter().zip(&numeric) {
        columns.push(Column::varying(&variation.name, if *numeric { Kind::Real } else { Kind::String }));
    }
    let quantities = journal.close()?;
    for quantity in &quantities {
        columns.push(Column { unit: quantity.unit.clone(), ..Column::varying(&quantity.name, Kind::Real) });
    }
    columns.push(Column::varying("failure", Kind::String));
    columns.push(Column::varying("message", Kind::String));
    if kept.wanted {
        kept.names = quantities.iter().map(|quantity| quantity.name.clone()).collect();
        kept.values = vec![Vec::new(); quantities.len()];
    }
    let places: BTreeMap<&str, usize> =
        quantities.iter().enumerate().map(|(k, quantity)| (quantity.name.as_str(), k)).collect();
    let whole = format!("{output}.tmp");
    let mut writer = ParquetWriter::new(BufWriter::new(File::create(&whole)?), &columns)?;
    let mut failures = 0;
    let mut numbers = Vec::new();
    let mut layout: (Arc<[Quantity]>, Vec<usize>) = (Arc::new([]), Vec::new());
    journal.read(|run: SweptRun| {
        let point = plan.point(run.index);
        let (code, message) = run.failure.unwrap_or_default();
        failures += u64::from(!code.is_empty());
        let mut texts: Vec<&str> = Vec::new();
        numbers.clear();
        numbers.push(run.index as f64);
        for (value, numeric) in point.iter().zip(&numeric) {
            match value {
                Given::Text(text) if !numeric => texts.push(text),
                _ => numbers.extend(value.number()),
            }
        }
        let head = numbers.len();
        texts.extend([code.as_str(), message.as_str()]);
        if !Arc::ptr_eq(&layout.0, &run.quantities) {
            let found = run.quantities.iter().map(|quantity| places[quantity.name.as_str()]).collect();
            layout = (run.quantities, found);
        }
        let width = 1 + layout.1.len();
        // A run that failed before its first row is in the dataset, too.
        let rows = if run.rows.is_empty() { vec![f64::NAN; width] } else { run.rows };
        for row in rows.chunks_exact(width) {
            numbers.truncate(head);
            numbers.resize(head + quantities.len(), f64::NAN);
            for (value, place) in row[1..].iter().zip(&layout.1) {
                numbers[head + place] = *value;
            }
            writer.push(row[0], &numbers, &texts)?;
        }
        for (column, value) in kept.values.iter_mut().zip(&numbers[head..]) {
            column.push(if code.is_empty() { *value } else { f64::NAN });
        }
        Ok(())
    })?;
    writer.finish()?;
    std::fs::rename(&whole, output)?;
    Ok(failures)
}

/// A line that shows how many runs are done, on a terminal only.
struct Bar {
    enabled: bool,
    shown: bool,
    count: u64,
    begun: Instant,
    last: Instant,
}

impl Bar {
    fn new(shell: &ShellOptions, count: u64) -> Self {
        let now = Instant::now();
        let enabled = !shell.quiet && io::stderr().is_terminal();
        Self { enabled, shown: false, count, begun: now, last: now }
    }

    fn show(&mut self, done: u64) {
        if !self.enabled || self.begun.elapsed() < Duration::from_millis(500) {
            return;
        }
        if self.shown && self.last.elapsed() < Duration::from_millis(100) {
            return;
        }
        (self.shown, self.last) = (true, Instant::now());
        let filled = (30 * done / self.count.max(1)) as usize;
        let (bar, rest) = ("#".repeat(filled), " ".repeat(30 - filled));
        let _ = write!(io::stderr(), "\r\x1b[K[{bar}{rest}] {done} of {} runs", self.count);
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
