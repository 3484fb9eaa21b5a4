//! The fixtures of `tests/suite`: Modelica files whose first lines say what must come of them. Each of these lines is a test,
//! named after file and line: `cargo test -p kairos --test suite -- events/Ball`.
//!
//! A line is `// ` and clauses separated by ` ; `:
//!
//! - `run: stop=2 tolerance=1e-9 method=rk4 step=0.1 model=M lib=DIR external=c` simulates (all optional); with `external=c` C code
//!   may run, and the fixture is left out where there is no compiler;
//! - `check: x(1.5)=0.3±1e-6` a value at a time; `check: x(end)=…` at the stop time;
//! - `effort: steps<=100 state_events=3 restarts<=5` the effort;
//! - `compile: model=M` goes as far as a machine, `print: flat` and `print: causal` compare with `NAME.flat`, `NAME.causal`.
//!
//! Messages are asserted where they point: `//~ error[code] some words` at the end of the line. All errors must be
//! asserted. `KAIROS_BLESS=1` rewrites the expected texts beside the models.

mod common;

use common::{Ran, blessing, models_below, run, suite, verdict, within};
use kairos::{Access, Compilation, Disk, Engine, Goal, Method, Request, RunRequest, Summary, Trust};
use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn main() {
    let folder = suite();
    let mut all = Vec::new();
    for file in models_below(&folder) {
        let text = std::fs::read_to_string(&file).expect("fixture");
        let name = file.strip_prefix(&folder).unwrap_or(&file).with_extension("");
        for (number, directive) in text.lines().map_while(|line| line.strip_prefix("// ")).enumerate() {
            if !["run", "compile", "print:", "check:"].iter().any(|word| directive.starts_with(word)) {
                break;
            }
            let name = format!("{}:{}", name.display(), number + 1);
            let (file, text, directive) = (file.clone(), text.clone(), directive.to_string());
            all.push(Trial::test(name, move || hold(file, text, directive, number + 1)));
        }
    }
    assert!(all.len() > 300, "only {} fixtures were found", all.len());
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), all).exit();
}

fn hold(file: PathBuf, text: String, directive: String, line: usize) -> Result<(), Failed> {
    let place = format!("{}:{line}", file.display());
    let found = within(Duration::from_secs(120), move || judge(&file, &text, &directive));
    let faults = found.unwrap_or_else(|fate| vec![fate]);
    verdict(faults.into_iter().map(|fault| format!("{place}: {fault}")).collect())
}

#[derive(Default)]
struct Directive {
    runs: bool,
    request: Request,
    wanted: RunRequest,
    checks: Vec<(String, Option<f64>, f64, f64)>,
    effort: Vec<(String, bool, u64)>,
    prints: Vec<String>,
}

fn judge(path: &Path, text: &str, directive: &str) -> Vec<String> {
    let directive = match parse(path, directive) {
        Ok(directive) => directive,
        Err(fault) => return vec![fault],
    };
    if matches!(directive.request.access, Access::Run(Trust::Everybody)) && !common::c_compiler() {
        println!("{}: there is no C compiler, so it is left out", path.display());
        return Vec::new();
    }
    let mut faults = Vec::new();
    for print in &directive.prints {
        faults.extend(compare_text(path, &directive.request, print));
    }
    if directive.runs {
        for engine in [Engine::Interpreter, Engine::Jit] {
            let access = match &directive.request.access {
                Access::Look | Access::Pack => Access::Run(Trust::Nobody),
                given => given.clone(),
            };
            let ran = run(&Request { engine, access, ..directive.request.clone() }, &directive.wanted);
            let found = messages(text, ran.diagnostics(), &ran.compiled).into_iter();
            let found = found.chain(numbers(&directive, &ran));
            faults.extend(found.map(|fault| format!("{fault} ({engine:?})")));
        }
    } else {
        let compiled = kairos::compile(&Disk, &directive.request, goal(&directive.prints));
        faults.extend(messages(text, compiled.diagnostics.iter(), &compiled));
    }
    faults
}

fn goal(prints: &[String]) -> Goal {
    match prints.iter().map(String::as_str).max() {
        Some("flat") => Goal::Flat,
        Some(_) => Goal::Causal,
        None => Goal::Machine,
    }
}

fn parse(path: &Path, text: &str) -> Result<Directive, String> {
    let mut directive = Directive::default();
    directive.request.file = Some(path.to_string_lossy().into_owned());
    for clause in text.split(" ; ") {
        let (word, rest) = clause.split_once(':').unwrap_or((clause, ""));
        match word.trim() {
            "run" => {
                directive.runs = true;
                rest.split_whitespace().try_for_each(|item| option(&mut directive, path, item))?;
            }
            "check" => {
                directive.runs = true;
                directive.checks.push(check(rest.trim()).ok_or_else(|| format!("cannot read `{clause}`"))?);
            }
            "effort" => {
                for item in rest.split_whitespace() {
                    let wrong = || format!("cannot read `{item}`");
                    let (name, count) = item.split_once('=').ok_or_else(wrong)?;
                    let bound = name.ends_with('<');
                    let name = name.trim_end_matches('<').to_string();
                    directive.effort.push((name, bound, count.parse().map_err(|_| wrong())?));
                }
            }
            "print" => directive.prints.extend(rest.split_whitespace().map(String::from)),
            "compile" => rest.split_whitespace().try_for_each(|item| option(&mut directive, path, item))?,
            other => return Err(format!("unknown clause `{other}`")),
        }
    }
    let at = directive.checks.iter().filter_map(|(_, t, _, _)| *t).collect();
    directive.wanted.at = at;
    Ok(directive)
}

fn option(directive: &mut Directive, path: &Path, item: &str) -> Result<(), String> {
    let wrong = || format!("cannot read `{item}`");
    let (name, value) = item.split_once('=').ok_or_else(wrong)?;
    let number = || value.parse::<f64>().map(Some).map_err(|_| wrong());
    let wanted = &mut directive.wanted;
    match name {
        "start" => wanted.start = number()?,
        "stop" => wanted.stop = number()?,
        "tolerance" => wanted.tolerance = number()?,
        "step" => wanted.step = number()?,
        "interval" => wanted.interval = number()?,
        "method" => wanted.method = Method::from_name(value).ok_or_else(wrong)?,
        "model" => directive.request.model = Some(value.into()),
        "set" => {
            let (name, value) = value.split_once('=').ok_or_else(wrong)?;
            directive.request.settings.push((name.into(), value.into()));
        }
        "lib" => {
            let folder = path.parent().unwrap_or(path).join(value);
            directive.request.libraries.push(folder.to_string_lossy().into_owned());
        }
        "external" if value == "c" => directive.request.access = Access::Run(Trust::Everybody),
        _ => return Err(wrong()),
    }
    Ok(())
}

/// `x(1.5)=0.3±1e-6`
fn check(text: &str) -> Option<(String, Option<f64>, f64, f64)> {
    let (left, right) = text.rsplit_once('=')?;
    let (name, time) = left.trim().strip_suffix(')')?.rsplit_once('(')?;
    let time = if time == "end" { None } else { Some(time.parse().ok()?) };
    let (value, tolerance) = right.split_once('±').unwrap_or((right, "0"));
    Some((name.into(), time, value.trim().parse().ok()?, tolerance.trim().parse().ok()?))
}

fn numbers(directive: &Directive, ran: &Ran) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(finished) = &ran.finished else { return faults };
    let stop = finished.options.stop;
    for (name, time, value, tolerance) in &directive.checks {
        match ran.recorded.value(name, time.unwrap_or(stop), stop) {
            Ok(got) if (got - value).abs() <= *tolerance => {}
            Ok(got) => {
                let t = time.unwrap_or(stop);
                faults.push(format!("{name}({t}) is {got}, expected {value} ± {tolerance}"));
            }
            Err(fault) => faults.push(fault),
        }
    }
    if let Ok(summary) = &finished.outcome {
        for (name, bound, count) in &directive.effort {
            match effort(summary, name) {
                Some(got) if got == *count || *bound && got < *count => {}
                Some(got) => faults.push(format!("{name} is {got}, expected {count}")),
                None => faults.push(format!("no effort is called {name}")),
            }
        }
    }
    faults
}

fn effort(summary: &Summary, name: &str) -> Option<u64> {
    Some(match name {
        "steps" => summary.steps,
        "evaluations" => summary.evaluations,
        "jacobians" => summary.jacobians,
        "state_events" => summary.state_events,
        "time_events" => summary.time_events,
        "event_iterations" => summary.event_iterations,
        "restarts" => summary.restarts,
        "warnings" => summary.warnings,
        _ => return None,
    })
}

/// Compares messages with the comments on the lines they point at.
fn messages<'a>(
    text: &str,
    found: impl Iterator<Item = &'a kairos::Diagnostic>,
    compiled: &Compilation,
) -> Vec<String> {
    let mut wanted: Vec<(usize, &str, &str)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some((_, comment)) = line.split_once("//~ ")
            && let Some((code, words)) = comment.trim().split_once(']')
        {
            let code = code.trim_start_matches("error[").trim_start_matches("warning[");
            // A comment that stands alone speaks of the line above.
            let alone = line.trim_start().starts_with("//~");
            wanted.push((number + 1 - usize::from(alone), code, words.trim()));
        }
    }
    let mut faults = Vec::new();
    for diagnostic in found {
        let line = diagnostic.labels.first().map(|label| {
            let (line, _) = compiled.sources.position(label.span.file, label.span.start);
            line
        });
        let place = wanted.iter().position(|(number, code, words)| {
            diagnostic.code == *code
                && diagnostic.message.contains(words)
                && line.is_none_or(|line| line == *number)
        });
        match place {
            Some(place) => {
                wanted.remove(place);
            }
            None if diagnostic.is_error() => {
                let shown = kairos::render_text(std::slice::from_ref(diagnostic), &compiled.sources, false);
                faults.push(format!("unexpected message: {}", shown.trim()));
            }
            None => {}
        }
    }
    faults.extend(wanted.iter().map(|(line, code, words)| format!("no [{code}] {words} on line {line}")));
    faults
}

fn compare_text(path: &Path, request: &Request, print: &str) -> Option<String> {
    let (goal, extension) = match print {
        "flat" => (Goal::Flat, "flat"),
        "causal" => (Goal::Causal, "causal"),
        other => return Some(format!("nothing is printed as `{other}`")),
    };
    let compiled = kairos::compile(&Disk, request, goal);
    let text = if goal == Goal::Flat { compiled.flat } else { compiled.explanation };
    let text = text.unwrap_or_default();
    let beside = path.with_extension(extension);
    if blessing() {
        return std::fs::write(&beside, text).err().map(|e| e.to_string());
    }
    let expected = std::fs::read_to_string(&beside).unwrap_or_default();
    let differs = expected.lines().zip(text.lines()).position(|(a, b)| a != b);
    let differs = differs.or((expected.lines().count() != text.lines().count()).then_some(usize::MAX));
    differs.map(|line| match line {
        usize::MAX => format!("{print} has another length than expected"),
        line => {
            format!("{print} differs in line {}: `{}`", line + 1, text.lines().nth(line).unwrap_or_default())
        }
    })
}
