//! Cases: models with values that no simulator produced, and the judgement whether a run holds them.
//!
//! `NAME.json` says what the models in `NAME.mo` must do: one case, or a list of cases. Cases that fall short are listed
//! with the reason in `pending.txt` beside them; one that passes although listed fails the test, so that the list can
//! only shrink. `KAIROS_BLESS=1` rewrites the list.

use super::plain::Plain;
use super::{Ran, blessing, is_quiet, run_compiled, suite, within};
use kairos::{Disk, Engine, Goal, Machine, Method, Request, RunRequest};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// Another machine around the one of a model.
type Wrap = fn(Box<dyn Machine>) -> Box<dyn Machine>;

/// Judges all cases of a folder of the suite.
pub fn hold(folder: &str) {
    let folder = suite().join(folder);
    let listed = pending(&folder);
    let (mut faults, mut surprises, mut list) = (String::new(), String::new(), String::new());
    let (mut passed, mut count) = (0, 0);
    for (file, case) in cases(&folder) {
        let name = case["model"].as_str().expect("model").to_string();
        let need = needs(&case);
        let mut found = judge(file.clone(), case.clone(), Engine::Interpreter, None);
        if found.is_empty() {
            let native = judge(file, case, Engine::Jit, None);
            found = native.iter().map(|fault| format!("native: {fault}")).collect();
        }
        passed += usize::from(found.is_empty());
        count += 1;
        match (found.first(), listed.get(&name)) {
            (None, Some(_)) => surprises.push_str(&format!("  {name}\n")),
            (Some(_), None) => {
                let _ = writeln!(faults, "  {name}: {}", found.join("; "));
            }
            _ => {}
        }
        if let Some(first) = found.first() {
            let reason: String = first.lines().next().unwrap_or_default().chars().take(100).collect();
            let _ = writeln!(list, "{name}: {need}{reason}");
        }
    }
    println!("{passed} of {count} cases pass, {} pending", listed.len());
    if blessing() {
        std::fs::write(folder.join("pending.txt"), list).expect("list of pending cases");
        return;
    }
    assert!(faults.is_empty(), "cases that fall short:\n{faults}");
    assert!(surprises.is_empty(), "cases that pass although listed in pending.txt:\n{surprises}");
}

/// Judges the cases of a folder with machines that have no shortcuts; those that are pending anyway are left out.
pub fn hold_plainly(folder: &str) {
    let folder = suite().join(folder);
    let listed = pending(&folder);
    let (mut faults, mut count) = (String::new(), 0);
    for (file, mut case) in cases(&folder) {
        let name = case["model"].as_str().expect("model").to_string();
        if listed.contains_key(&name) {
            continue;
        }
        count += 1;
        // It may take more events, as where sides of surfaces are looked for by moving the states.
        case["max_events"] = Value::Null;
        let found = judge(file, case, Engine::Interpreter, Some(Plain::around));
        if !found.is_empty() {
            let _ = writeln!(faults, "  {name}: {}", found.join("; "));
        }
    }
    assert!(count > 0, "there are no cases");
    assert!(faults.is_empty(), "cases of {count} that fall short:\n{faults}");
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

fn pending(folder: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(folder.join("pending.txt")).unwrap_or_default();
    let pair =
        |line: &str| line.split_once(':').map(|(name, reason)| (name.trim().into(), reason.trim().into()));
    text.lines().filter_map(pair).collect()
}

/// The semantics beyond plain Modelica that a case asks for.
fn needs(case: &Value) -> String {
    let list = case["requires"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let list: Vec<&str> = list.collect();
    if list.is_empty() { String::new() } else { format!("needs {}; ", list.join(", ")) }
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
