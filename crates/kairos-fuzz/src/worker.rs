//! One process of fuzzing: makes inputs one after the other, and keeps those that break something.

use crate::dice::Dice;
use crate::results::Wholes;
use crate::stored::Kept;
use crate::{Options, texts};
use kairos::{Engine, Goal, Request, RunRequest, Streams, World};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The kinds of inputs, and how often each comes among a hundred.
pub const KINDS: [(&str, usize); 6] =
    [("bytes", 15), ("tokens", 25), ("splices", 20), ("grammar", 30), ("results", 7), ("stored", 3)];

/// No input may take longer.
const LONGEST: Duration = Duration::from_secs(10);
/// No input may take more memory than this, in kilobytes.
const MOST: u64 = 2 << 20;
const STACK: usize = 1 << 30;

/// A world of one text.
struct One(String);

const NAME: &str = "input.mo";

impl World for One {
    fn read(&self, path: &str) -> io::Result<String> {
        if path == NAME { Ok(self.0.clone()) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    fn list(&self, _: &str) -> io::Result<Vec<String>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// The input that is being worked on, and when it began, in milliseconds; for the guard.
static AT: AtomicU64 = AtomicU64::new(0);
static BEGUN: AtomicU64 = AtomicU64::new(0);

pub fn work(options: &Options) -> ExitCode {
    let options = options.clone();
    let begun = Instant::now();
    std::thread::spawn(move || guard(begun));
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || all(&options, begun));
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
        _ => ExitCode::FAILURE,
    }
}

/// Ends the process when an input takes too long or too much.
fn guard(begun: Instant) {
    loop {
        std::thread::sleep(Duration::from_millis(200));
        let since = begun.elapsed().as_millis() as u64
            - BEGUN.load(Ordering::Relaxed).min(begun.elapsed().as_millis() as u64);
        let seed = AT.load(Ordering::Relaxed);
        if since > LONGEST.as_millis() as u64 {
            println!("seed {seed}: takes more than {LONGEST:?}");
            std::process::exit(1);
        }
        if memory().is_some_and(|kilobytes| kilobytes > MOST) {
            println!("seed {seed}: takes more than 2 GB");
            std::process::exit(1);
        }
    }
}

/// The memory in use, in kilobytes, where the system tells.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn all(options: &Options, begun: Instant) -> io::Result<()> {
    let corpus = models(&options.corpus);
    let wholes = Wholes::new(&options.folder)?;
    let kept = Kept::new().map_err(|error| io::Error::other(error.to_string()))?;
    std::panic::set_hook(Box::new(|_| {}));
    for seed in options.seed..options.seed + options.count {
        AT.store(seed, Ordering::Relaxed);
        BEGUN.store(begun.elapsed().as_millis() as u64, Ordering::Relaxed);
        std::fs::write(options.folder.join("at"), seed.to_string())?;
        let mut dice = Dice::new(seed);
        let kind = kind(options, &mut dice);
        if kind == "results" {
            if catch_unwind(AssertUnwindSafe(|| wholes.read(&mut dice, &options.folder))).is_err() {
                keep(options, seed, kind, "the reader of a damaged result broke down")?;
            }
            continue;
        }
        if kind == "stored" {
            if catch_unwind(AssertUnwindSafe(|| kept.open(&mut dice))).is_err() {
                println!("seed {seed} (stored): a damaged model or run broke something down");
            }
            continue;
        }
        let text = text(kind, &mut dice, &corpus);
        std::fs::write(options.folder.join("input.mo"), &text)?;
        match catch_unwind(AssertUnwindSafe(|| bear(&text, dice.one_in(8)))) {
            Ok(Ok(())) => {}
            Ok(Err(what)) => keep(options, seed, kind, &what)?,
            Err(payload) => {
                let what = payload.downcast_ref::<String>().map(String::as_str);
                let what = what.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
                keep(options, seed, kind, &format!("broke down: {what}"))?;
            }
        }
    }
    Ok(())
}

fn kind(options: &Options, dice: &mut Dice) -> &'static str {
    let mut at = dice.below(KINDS.iter().map(|(_, share)| share).sum());
    for (name, share) in KINDS {
        match &options.kind {
            Some(wanted) if wanted == name => return name,
            Some(_) => {}
            None if at < share => return name,
            None => at -= share,
        }
    }
    "grammar"
}

fn text(kind: &str, dice: &mut Dice, corpus: &[String]) -> String {
    if kind == "grammar" || corpus.is_empty() {
        return texts::grammar(dice);
    }
    let base = dice.pick(corpus).clone();
    match kind {
        "bytes" => texts::bytes(dice, &base),
        "tokens" => texts::tokens(dice, &base),
        _ => {
            let other = dice.pick(corpus);
            texts::splice(dice, &base, other)
        }
    }
}

/// Formats, compiles and runs a text for a moment; what comes out of a run that succeeds is a number. `both`: and the same
/// numbers in native code.
fn bear(text: &str, both: bool) -> Result<(), String> {
    if let Ok(formatted) = kairos::format(text)
        && kairos::format(&formatted).as_ref().ok() != Some(&formatted)
    {
        return Err("formatting twice gives another text".into());
    }
    let request = Request { file: Some(NAME.into()), engine: Engine::Interpreter, ..Request::default() };
    let compiled = kairos::compile(&One(text.to_string()), &request, Goal::Machine);
    let shown = kairos::render_text(&compiled.diagnostics, &compiled.sources, false);
    if shown.len() > 1 << 20 {
        return Err(format!("{} bytes of messages", shown.len()));
    }
    if compiled.machine.is_none() && !compiled.has_errors() {
        return Err("neither a model nor a mistake".into());
    }
    if compiled.has_errors() {
        return Ok(());
    }
    let (fine, numbers) = run(&compiled);
    if fine && let Some(wrong) = numbers.wrong {
        return Err(format!("a run that succeeds has the value {wrong}"));
    }
    if both && fine {
        let request = Request { engine: Engine::Jit, ..request };
        let native = kairos::compile(&One(text.to_string()), &request, Goal::Machine);
        let (fine, others) = run(&native);
        if !fine && Instant::now() < others.until || fine && others.sum != numbers.sum {
            return Err("native code gives other numbers than the interpreter".into());
        }
    }
    Ok(())
}

/// Whether a short run succeeds, and what its numbers are.
fn run(compiled: &kairos::Compilation) -> (bool, Numbers) {
    let mut numbers = Numbers { wrong: None, sum: 0, until: Instant::now() + Duration::from_secs(1) };
    let mut streams = Streams { table: Some(&mut numbers), ..Streams::default() };
    let wanted =
        RunRequest { start: Some(0.0), stop: Some(0.3), intervals: Some(10), ..RunRequest::default() };
    let ran = kairos::run(compiled, &wanted, &mut streams);
    (ran.is_some_and(|ran| ran.outcome.is_ok()), numbers)
}

struct Numbers {
    wrong: Option<f64>,
    /// A fingerprint of all bits.
    sum: u64,
    /// A run may go on for long with reason; here it ends.
    until: Instant,
}

impl kairos::Table for Numbers {
    fn begin(&mut self, _: &[kairos::results::Column]) -> Result<(), String> {
        Ok(())
    }

    fn row(&mut self, time: f64, numbers: &[f64], _: &[&str]) -> Result<(), String> {
        for number in std::iter::once(&time).chain(numbers) {
            self.sum = (self.sum ^ number.to_bits()).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        }
        self.wrong = self.wrong.or(numbers.iter().copied().find(|number| !number.is_finite()));
        if Instant::now() > self.until { Err("enough".into()) } else { Ok(()) }
    }
}

fn keep(options: &Options, seed: u64, kind: &str, what: &str) -> io::Result<()> {
    let line = what.lines().next().unwrap_or_default();
    println!("seed {seed} ({kind}): {line}");
    let from = options.folder.join(if kind == "results" { "damaged" } else { "input.mo" });
    std::fs::copy(from, options.folder.join(format!("{seed}.found"))).map(|_| ())
}

/// The texts of all models below a folder that are not long.
fn models(folder: &Path) -> Vec<String> {
    let mut folders = vec![folder.to_path_buf()];
    let mut found: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "mo") {
                found.push(path);
            }
        }
    }
    found.sort();
    let texts = found.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    texts.filter(|text| text.len() < 20_000).collect()
}
