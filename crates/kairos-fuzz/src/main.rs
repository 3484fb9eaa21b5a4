//! `kairos-fuzz`: feeds rubbish to the compiler, the interpreter and the readers of results, and tells what they cannot bear.
//!
//! `cargo run --release -p kairos-fuzz -- [--count N] [--seed S] [--kind NAME] [--folder DIR]`. Every input follows from its
//! number, so that `--seed S --count 1` makes it again. A worker process does the work; if it dies or hangs, its input is kept.

mod dice;
mod results;
mod stored;
mod texts;
mod worker;

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// What is asked for.
#[derive(Clone)]
pub struct Options {
    pub count: u64,
    pub seed: u64,
    pub kind: Option<String>,
    /// Where inputs are kept that something could not bear.
    pub folder: PathBuf,
    /// Folders of models to begin with.
    pub corpus: PathBuf,
    worker: bool,
}

fn options() -> Result<Options, String> {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut options = Options {
        count: 2000,
        seed: 1,
        kind: None,
        folder: std::env::temp_dir().join(format!("kairos-fuzz-{}", std::process::id())),
        corpus: tests,
        worker: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let mut value = || args.next().ok_or(format!("{name} needs a value"));
        let number = |text: String| text.parse().map_err(|_| format!("`{text}` is not a number"));
        match name.as_str() {
            "--count" => options.count = number(value()?)?,
            "--seed" => options.seed = number(value()?)?,
            "--kind" => options.kind = Some(value()?),
            "--folder" => options.folder = value()?.into(),
            "--corpus" => options.corpus = value()?.into(),
            "--worker" => options.worker = true,
            other => return Err(format!("`{other}` is unknown")),
        }
    }
    if let Some(kind) = &options.kind
        && !worker::KINDS.iter().any(|(name, _)| name == kind)
    {
        let known: Vec<&str> = worker::KINDS.iter().map(|(name, _)| *name).collect();
        return Err(format!("there is no kind `{kind}`: {}", known.join(", ")));
    }
    Ok(options)
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(text) => {
            eprintln!("{text}");
            return ExitCode::from(2);
        }
    };
    if options.worker {
        return worker::work(&options);
    }
    match supervise(&options) {
        Ok(0) => {
            println!("{} inputs from seed {}: nothing found", options.count, options.seed);
            ExitCode::SUCCESS
        }
        Ok(found) => {
            println!("{found} inputs that could not be borne are in {}", options.folder.display());
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Starts workers until all inputs are done; one that dies is followed by one that goes on after its last input.
fn supervise(options: &Options) -> std::io::Result<u64> {
    std::fs::create_dir_all(&options.folder)?;
    let last = options.seed + options.count;
    let mut next = options.seed;
    let mut found = 0;
    while next < last {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--worker", "--seed", &next.to_string(), "--count", &(last - next).to_string()]);
        command.arg("--folder").arg(&options.folder).arg("--corpus").arg(&options.corpus);
        if let Some(kind) = &options.kind {
            command.args(["--kind", kind]);
        }
        let done = command.stdout(Stdio::inherit()).status()?;
        let at = std::fs::read_to_string(options.folder.join("at")).unwrap_or_default();
        let reached: u64 = at.trim().parse().unwrap_or(last);
        if done.success() {
            break;
        }
        // The worker itself says what it finds and goes on; here it has died of an input.
        println!(
            "seed {reached}: the process died ({done}), --seed {reached} --count 1 makes the input again"
        );
        found += 1;
        next = reached + 1;
    }
    let kept = std::fs::read_dir(&options.folder)?
        .flatten()
        .filter(|e| e.path().extension().is_some_and(|x| x == "found"));
    Ok(found + kept.count() as u64)
}
