//! Cases: models with values that no simulator produced, and the judgement whether a run holds them.
//!
//! `NAME.json` says what the models in `NAME.mo` must do: one case, or a list of cases. Every case is a test for each way of
//! running it.

use super::plain::Plain;
use super::{Ran, is_quiet, run_compiled, suite, verdict, within};
use kairos::{Disk, Engine, Goal, Machine, Method, Request, RunRequest};
use libtest_mimic::Trial;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// Another machine around the one of a model.
type Wrap = fn(Box<dyn Machine>) -> Box<dyn Machine>;

/// The tests of a folder's cases: interpreted and in native code.
pub fn trials(folder: &str) -> Vec<Trial> {
    let engines = [("interpreter", Engine::Interpreter), ("native", Engine::Jit)];
    let mut all = Vec::new();
    for (file, case) in cases(&suite().join(folder)) {
        for (way, engine) in engines {
            let name = format!("{folder}::{}::{way}", model(&case));
            let (file, case) = (file.clone(), case.clone());
            all.push(Trial::test(name, move || verdict(judge(file, case, engine, None))));
        }
    }
    all
}

/// The tests of a folder's cases with machines that have no shortcuts.
pub fn plain_trials(folder: &str) -> Vec<Trial> {
    let mut all = Vec::new();
    for (file, mut case) in cases(&suite().join(folder)) {
        // A condition on what only the mixture along a surface says needs relations that can be given a value.
        if case["plain"] == "unsupported" {
            continue;
        }
        // It may take more events, as where sides of surfaces are looked for by moving the states.
        case["max_events"] = Value::Null;
        // Conditions beside a motion along a surface need relations that can be given a value.
        if let Some(code) = case["plain_refusal"].as_str() {
            case["must_fail"] = code.into();
        }
        let name = format!("{folder}::{}::plain", model(&case));
        all.push(Trial::test(name, move || {
            verdict(judge(file, case, Engine::Interpreter, Some(Plain::around)))
        }));
    }
    all
}

fn model(case: &Value) -> &str {
    case["model"].as_str().expect("model")
}

/// The cases of a folder with the files that hold their models; a case without a file is of a library.
pub fn cases(folder: &Path) -> Vec<(Option<String>, Value)> {
    let mut stems: Vec<String> = std::fs::read_dir(folder)
        .expect("folder of cases")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".json").map(String::from))
        .collect();
    stems.sort();
    let mut all = Vec::new();
    for stem in stems {
        let text = std::fs::read_to_string(folder.join(format!("{stem}.json"))).expect("case");
        let file = Some(folder.join(format!("{stem}.mo"))).filter(|file| file.exists());
        let file = file.map(|file| file.to_string_lossy().into_owned());
        match serde_json::from_str(&text).expect("case is JSON") {
            Value::Array(list) => all.extend(list.into_iter().map(|case| (file.clone(), case))),
            case => all.push((file, case)),
        }
    }
    all
}

/// What a case falls short of.
fn judge(file: Option<String>, case: Value, engine: Engine, wrap: Option<Wrap>) -> Vec<String> {
    let model = case["model"].as_str().map(String::from);
    let needs = case["requires"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let projection = needs.into_iter().any(|need| need == "projected-init");
    let request = Request { file, model, projection, engine, ..Request::default() };
    let wanted = wanted(&case);
    let limit = case["max_wall_seconds"].as_f64().unwrap_or(60.0);
    let work = move || {
        let mut compiled = kairos::compile(&Disk, &request, Goal::Machine);
        if let Some(wrap) = wrap {
            compiled.machine = compiled.machine.map(wrap);
        }
        (run_compiled(compiled, &wanted), case)
    };
    match within(Duration::from_secs_f64(limit), work) {
        Ok((ran, case)) => compare(&case, &ran),
        Err(fate) => vec![fate],
    }
}

/// The experiment of a case.
pub fn wanted(case: &Value) -> RunRequest {
    let mut at = vec![case["stop"].as_f64().expect("stop")];
    at.extend(checks(case).chain(checks(&case["alternative"])).map(|c| c["t"].as_f64().expect("t")));
    let solver = &case["solver"];
    RunRequest {
        stop: case["stop"].as_f64(),
        tolerance: Some(1e-9),
        at,
        method: solver["method"].as_str().and_then(Method::from_name).unwrap_or_default(),
        step: solver["step"].as_f64(),
        ..RunRequest::default()
    }
}

fn checks(case: &Value) -> impl Iterator<Item = &Value> {
    case["checks"].as_array().into_iter().flatten()
}

fn compare(case: &Value, ran: &Ran) -> Vec<String> {
    if ran.recorded.rows.iter().flatten().any(|value| !value.is_finite()) {
        return vec!["NaN or infinity in the result".into()];
    }
    let must_fail = case["must_fail"].as_str();
    if ran.failed() && (must_fail.is_some() || !case["may_fail"].is_null()) {
        return compare_failure(case, must_fail.unwrap_or_default(), ran);
    }
    if ran.failed() {
        return vec![format!("failed: {}", ran.said().trim())];
    }
    let alternative = &case["alternative"];
    if let Some(text) = must_fail
        && alternative.is_null()
    {
        return vec![format!("accepted, but must fail ({text})")];
    }
    let mut faults = values(checks(case), case, ran, f64::INFINITY);
    faults.extend(zeros(case, ran));
    faults.extend(untold(case, ran));
    if must_fail.is_none() {
        faults.extend(unsaid(case, ran));
    }
    if must_fail.is_some() {
        faults.extend(values(checks(alternative), case, ran, f64::INFINITY));
    } else {
        faults.extend(events(case, ran));
    }
    faults
}

fn compare_failure(case: &Value, must_fail: &str, ran: &Ran) -> Vec<String> {
    let mut faults = unsaid(case, ran);
    if must_fail.starts_with("compile") && !ran.recorded.rows.is_empty() {
        faults.push("rejected only after integration began".into());
    }
    if must_fail.starts_with("run time") {
        faults.extend(values(checks(case), case, ran, ran.recorded.last_time()));
    }
    faults
}

/// Names that a message should contain but does not.
fn unsaid(case: &Value, ran: &Ran) -> Vec<String> {
    let said = ran.said();
    let names = case["diagnostic"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing = names.filter(|name| !said.contains(name));
    missing.map(|name| format!("the message does not name {name}: {}", said.trim())).collect()
}

fn values<'a>(checks: impl Iterator<Item = &'a Value>, case: &Value, ran: &Ran, until: f64) -> Vec<String> {
    let number = |check: &Value, key: &str| check[key].as_f64().expect("number in a check");
    let mut faults = Vec::new();
    for check in checks {
        let (t, value, tol) = (number(check, "t"), number(check, "value"), number(check, "tol"));
        let var = check["var"].as_str().expect("variable in a check");
        if t >= until {
            continue;
        }
        match ran.recorded.value(var, t, number(case, "stop")) {
            Ok(got) if (got - value).abs() <= tol + 1e-12 * value.abs() => {}
            Ok(got) => faults.push(format!("{var}({t:.6}) = {got:.9}, expected {value:.9} ± {tol:e}")),
            Err(fault) => faults.push(fault),
        }
    }
    faults
}

/// `zero` names differences from a closed form that the model itself computes, each with its tolerance.
fn zeros(case: &Value, ran: &Ran) -> Vec<String> {
    let mut faults = Vec::new();
    for (var, tol) in case["zero"].as_object().into_iter().flatten() {
        let tol = tol.as_f64().expect("tolerance");
        let Ok(column) = ran.recorded.column(var) else {
            faults.push(format!("{var} is not in the result"));
            continue;
        };
        let far = column.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        if let Some((t, value)) = far.filter(|(_, value)| value.abs() > tol) {
            faults.push(format!("{var}({t:.6}) = {value:e}, expected 0 ± {tol:e}"));
        }
    }
    faults
}

/// `logged_impulses` (variable, time, area) and `logged_notes` that the event log must have.
fn untold(case: &Value, ran: &Ran) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut faults = Vec::new();
    for impulse in list(&case["logged_impulses"]) {
        let (t, area) = (impulse["t"].as_f64().expect("t"), impulse["area"].as_f64().expect("area"));
        let near = |record: &&Value| record["time"].as_f64().is_some_and(|time| (time - t).abs() < 1e-9);
        let told = ran.told.iter().filter(near).flat_map(|record| list(&record["impulses"]));
        let same = |pulse: &Value| {
            let size = pulse["area"].as_f64().unwrap_or(f64::NAN);
            pulse["name"] == impulse["var"] && (size - area).abs() <= 1e-6 * area.abs().max(1.0)
        };
        if !told.into_iter().any(|pulse| same(&pulse)) {
            faults.push(format!("no impulse of {} with the area {area} at t={t}", impulse["var"]));
        }
    }
    for note in list(&case["logged_notes"]) {
        if !ran.told.iter().flat_map(|record| list(&record["notes"])).any(|told| told == note) {
            faults.push(format!("the event log does not say {note}"));
        }
    }
    faults
}

fn events(case: &Value, ran: &Ran) -> Vec<String> {
    let mut faults = Vec::new();
    let wanted: Vec<(f64, f64, &str)> = (case["events"].as_array().into_iter().flatten())
        .map(|e| {
            (e["t"].as_f64().expect("t"), e["tol"].as_f64().expect("tol"), e["what"].as_str().unwrap_or(""))
        })
        .collect();
    let counted: Vec<f64> = ran.events.iter().filter(|(_, kind)| !is_quiet(kind)).map(|(t, _)| *t).collect();
    for (t, tol, what) in &wanted {
        if !ran.events.iter().any(|(event, _)| (event - t).abs() <= *tol) {
            faults.push(format!("no event at t={t:.9} ({what})"));
        }
    }
    if case["events_complete"].as_bool() == Some(true) {
        for event in &counted {
            if !wanted.iter().any(|(t, tol, _)| (event - t).abs() <= *tol) {
                faults.push(format!("unexpected event at t={event:.9}"));
            }
        }
    }
    if let Some(most) = case["max_events"].as_u64()
        && counted.len() as u64 > most
    {
        faults.push(format!("{} events, at most {most} expected", counted.len()));
    }
    if let Some(count) = case["event_count"].as_u64()
        && counted.len() as u64 != count
    {
        faults.push(format!("{} events, exactly {count} expected", counted.len()));
    }
    faults
}
