//! Runs a case as users would, and judges the answer.

use crate::{Case, Expected};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What came of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Right,
    /// The engine says why it has no answer.
    Refused(String),
    Wrong(String),
    /// No answer in time.
    Hung,
    /// It ended without a message of its own.
    Crashed(String),
}

/// Longer runs count as endless.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs a case with the command `kairos`; `folder` is for its files.
pub fn judge(kairos: &Path, folder: &Path, case: &Case, extra: &[String]) -> std::io::Result<Verdict> {
    let (model, result) = (folder.join("M.mo"), folder.join("M.csv"));
    std::fs::write(&model, &case.text)?;
    let _ = std::fs::remove_file(&result);
    let mut times: Vec<f64> = case.expected.iter().map(|e| e.time).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let at: Vec<String> = times.iter().map(|t| t.to_string()).collect();
    let errors = folder.join("M.err");
    let mut child = Command::new(kairos)
        .arg("run")
        .arg(&model)
        .args(["--model", "M", "--stop", &case.stop.to_string()])
        .args(["--tolerance", &case.tolerance.to_string(), "--at", &at.join(",")])
        .args(["--intervals", "0", "--output"])
        .arg(&result)
        .args(&case.options)
        .args(extra)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(&errors)?)
        .spawn()?;
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begun.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(Verdict::Hung);
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    if !status.success() {
        let said = std::fs::read_to_string(&errors)?;
        let line = said.lines().find(|line| line.starts_with("error")).map(str::to_string);
        return Ok(match (line, status.code()) {
            (Some(line), Some(1)) => Verdict::Refused(line),
            _ => Verdict::Crashed(format!("{status}: {}", said.lines().next().unwrap_or_default())),
        });
    }
    let table = std::fs::read_to_string(&result)?;
    Ok(match wrong(&table, case) {
        None => Verdict::Right,
        Some(text) => Verdict::Wrong(text),
    })
}

/// The first value that is not what it must be.
fn wrong(table: &str, case: &Case) -> Option<String> {
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    let names = fields(lines.next()?);
    let rows: Vec<Vec<String>> = lines.map(fields).collect();
    let mut worst: Option<(f64, String)> = None;
    for Expected { variable, time, value, within } in &case.expected {
        let Some(column) = names.iter().position(|name| name == variable) else {
            return Some(format!("there is no `{variable}`"));
        };
        let near = |row: &&Vec<String>| {
            row[0].parse::<f64>().is_ok_and(|t| (t - time).abs() <= 1e-9 * case.stop.max(time.abs()))
        };
        let got = rows.iter().rev().find(near).and_then(|row| number(&row[column]));
        let off = got.map_or(f64::INFINITY, |got| (got - value).abs() / within);
        if off.is_nan() || off > worst.as_ref().map_or(1.0, |(most, _)| *most) {
            worst = Some((off, format!("{variable}({time}) = {got:?}, expected {value} ± {within:.1e}")));
        }
    }
    worst.map(|(_, text)| text)
}

fn number(cell: &str) -> Option<f64> {
    match cell {
        "true" => Some(1.0),
        "false" => Some(0.0),
        cell => cell.parse().ok(),
    }
}

/// The cells of a line; names with commas are in quotes.
fn fields(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            c => out.last_mut().expect("a cell").push(c),
        }
    }
    out
}
