//! `kairos plot`: draws variables of a result.

use crate::output;
use crate::reading::read;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::results::Table;
use kairos_plot::{Drawing, Form, Lane, Pane, Series, render, render_text};
use std::collections::BTreeMap;
use std::io::IsTerminal;

#[derive(Args)]
pub struct Plot {
    /// The result: .csv, .mat or .parquet.
    result: String,

    /// Variables to draw: `a,b` share a pane, further arguments are further panes.
    #[arg(required = true, value_name = "VARS")]
    vars: Vec<String>,

    /// Another result whose variables of the same names are drawn over these; may be given several times.
    #[arg(long = "with", value_name = "RESULT")]
    others: Vec<String>,

    /// A file to draw into; without it the drawing goes to the terminal.
    #[arg(long, short, value_name = "FILE.svg|.png|.pdf|.html")]
    output: Option<String>,

    /// Show an interactive page in the browser.
    #[arg(long)]
    open: bool,

    /// What to draw the variables over, such as the parameter of a sweep; time by default.
    #[arg(long, value_name = "NAME")]
    x: Option<String>,

    /// Logarithmic axes: `x`, `y` or `xy`.
    #[arg(long, value_name = "AXES", value_parser = ["x", "y", "xy"])]
    log: Option<String>,

    /// Values in the units of the model, not in display units.
    #[arg(long)]
    si: bool,

    /// Title of the drawing; by default the name of the result.
    #[arg(long)]
    title: Option<String>,

    /// No marks at events.
    #[arg(long)]
    no_events: bool,
}

impl Plot {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let mut tables = Vec::new();
        for result in std::iter::once(&self.result).chain(&self.others) {
            let Some(table) = read(result, shell) else { return Status::WrongUsage };
            tables.push(table);
        }
        let mut drawing = Drawing::default();
        for (k, table) in tables.iter().enumerate() {
            let mut one = match draw_table(table, &self.vars, self.x.as_deref()) {
                Ok(drawing) => drawing,
                Err(name) => {
                    let known = table.signals.iter().map(|signal| signal.name.as_str());
                    let unknown = kairos::unknown_variable("the result", &name, known);
                    shell.show(&[unknown], &kairos::SourceMap::default());
                    return Status::WrongUsage;
                }
            };
            if tables.len() > 1 {
                let from = if k == 0 { &self.result } else { &self.others[k - 1] };
                let series = one.panes.iter_mut().flat_map(|pane| &mut pane.series);
                series.for_each(|series| series.name = format!("{} ({from})", series.name));
            }
            match k {
                0 => drawing = one,
                _ => drawing.panes.iter_mut().zip(one.panes).for_each(|(p, new)| p.series.extend(new.series)),
            }
        }
        if let Some(name) = &self.x {
            drawing.across = Some(name.clone());
            let page = self.open || self.output.as_deref().is_some_and(|path| path.ends_with(".html"));
            if page && tables[0].values(name).is_some_and(|values| !values.is_sorted()) {
                let text = format!("the values of `{name}` do not ascend, which the interactive page needs");
                shell.complain("not-ascending", text, "draw into .svg, .png or .pdf");
                return Status::WrongUsage;
            }
        }
        let log = self.log.as_deref().unwrap_or("");
        drawing.log = (log.contains('x'), log.contains('y'));
        drawing.display_units = !self.si;
        drawing.title = self.title.clone().unwrap_or_else(|| self.result.clone());
        if self.no_events {
            drawing.marks.clear();
        }
        show(&drawing, self.output.as_deref(), self.open, shell)
    }
}

/// Draws to a file, to the browser, or else to the terminal.
pub fn show(drawing: &Drawing, output: Option<&str>, open: bool, shell: &ShellOptions) -> Status {
    if output.is_none() && !open {
        let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        return output::print(&render_text(drawing, colours), shell);
    }
    let page = std::env::temp_dir().join(format!("kairos-{}.html", std::process::id()));
    let path = output.map_or_else(|| page.to_string_lossy().into_owned(), str::to_string);
    let Some(form) = Form::of(&path) else {
        let text = format!("`{path}` does not say what form the drawing is to have");
        shell.complain("unknown-format", text, "end the name in .svg, .png, .pdf or .html");
        return Status::WrongUsage;
    };
    if let Err(unwritten) = output::write(&path, render(drawing, form)) {
        return output::complain(&unwritten, shell);
    }
    if open && !start_viewer(&path) {
        let help = format!("open {path} in a browser");
        shell.complain("no-viewer", "found no program that shows the page".into(), &help);
        return Status::WrongUsage;
    }
    Status::Success
}

fn start_viewer(path: &str) -> bool {
    let programs: &[&str] = match std::env::consts::OS {
        "macos" => &["open"],
        "windows" => &["explorer"],
        _ => &["xdg-open", "x-www-browser", "firefox", "chromium"],
    };
    let quiet = std::process::Stdio::null;
    let start = |program: &&str| {
        let mut command = std::process::Command::new(program);
        command.arg(path).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_ok()
    };
    programs.iter().any(start)
}

/// The drawing of a table; of the dataset of a sweep each run is a line of its own.
fn draw_table(table: &Table, lists: &[String], across: Option<&str>) -> Result<Drawing, String> {
    match runs(table) {
        Some(runs) if across.is_none() => family(table, lists, &runs),
        _ => drawing(table, lists, across),
    }
}

/// The rows of each run of a sweep that kept trajectories, with what the run was given.
fn runs(table: &Table) -> Option<Vec<(String, Vec<usize>)>> {
    let numbers = table.values("run")?;
    let mut rows: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (k, number) in numbers.iter().enumerate() {
        rows.entry(*number as i64).or_default().push(k);
    }
    if rows.len() < 2 || rows.values().all(|list| list.len() < 2) {
        return None;
    }
    // What is the same in all rows of a run, but not in all runs, was given to it.
    let given: Vec<(&str, Vec<f64>)> = table
        .signals
        .iter()
        .filter(|signal| signal.name != "run")
        .filter_map(|signal| Some((signal.name.as_str(), table.values(&signal.name)?)))
        .filter(|(_, values)| {
            let held =
                |list: &Vec<usize>| list.iter().all(|k| values[*k].to_bits() == values[list[0]].to_bits());
            rows.values().all(held) && values.windows(2).any(|w| w[0].to_bits() != w[1].to_bits())
        })
        .collect();
    let label = |(number, list): (i64, Vec<usize>)| {
        let named: Vec<String> =
            given.iter().map(|(name, values)| format!("{name}={}", values[list[0]])).collect();
        (if named.is_empty() { format!("run {number}") } else { named.join(", ") }, list)
    };
    Some(rows.into_iter().map(label).collect())
}

/// Lines that a legend can name; of more runs the first and the last are named.
const NAMED: usize = 40;

/// A line for each run and variable.
fn family(table: &Table, lists: &[String], runs: &[(String, Vec<usize>)]) -> Result<Drawing, String> {
    let mut panes = Vec::new();
    for list in lists {
        let mut series = Vec::new();
        let whole = pane(table, list, &table.time)?;
        let count = whole.series.len() * runs.len();
        for line in whole.series {
            for (k, (label, rows)) in runs.iter().enumerate() {
                let points: Vec<(f64, f64)> = rows.iter().map(|row| line.points[*row]).collect();
                let named = count <= NAMED || k == 0 || k + 1 == runs.len();
                let name = if named { format!("{}, {label}", line.name) } else { String::new() };
                series.push(Series { name, points, lane: None, ..line.clone() });
            }
        }
        panes.push(Pane { series });
    }
    Ok(Drawing { panes, ..Drawing::default() })
}

/// One pane per list of names over time or another variable, with the instants that have a left and a right limit
/// marked; else the name that is not there.
pub fn drawing(table: &Table, lists: &[String], across: Option<&str>) -> Result<Drawing, String> {
    let values = |name: &str| table.values(name).ok_or_else(|| name.to_string());
    let x = across.map_or(Ok(table.time.clone()), values)?;
    let panes = lists.iter().map(|list| pane(table, list, &x)).collect::<Result<_, _>>()?;
    if across.is_some() {
        return Ok(Drawing { panes, ..Drawing::default() });
    }
    let mut marks: Vec<f64> = table.time.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
    marks.dedup();
    Ok(Drawing { panes, marks, ..Drawing::default() })
}

/// Names separated by commas; a comma within brackets or quotes belongs to a name.
pub fn names(list: &str) -> Vec<String> {
    let (mut names, mut depth, mut quoted) = (vec![String::new()], 0i32, false);
    for c in list.chars() {
        quoted ^= c == '\'';
        depth += i32::from(matches!(c, '[' | '(')) - i32::from(matches!(c, ']' | ')'));
        match (c, names.last_mut()) {
            (',', _) if depth == 0 && !quoted => names.push(String::new()),
            (c, Some(name)) if quoted || !c.is_whitespace() => name.push(c),
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The names of several such lists.
pub fn all_names(lists: &[String]) -> Vec<String> {
    lists.iter().flat_map(|list| names(list)).collect()
}

/// What a name, an array or a pattern with `*` and `?` stands for among what is known; the name if for nothing.
pub fn expand<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Result<Vec<String>, String> {
    let found: Vec<String> =
        known.filter(|known| kairos::stands_for(name, known)).map(str::to_string).collect();
    if found.is_empty() { Err(name.to_string()) } else { Ok(found) }
}

fn pane(table: &Table, list: &str, x: &[f64]) -> Result<Pane, String> {
    let mut series = Vec::new();
    let wanted = names(list);
    if wanted.is_empty() {
        return Err(list.to_string());
    }
    for name in wanted {
        for name in expand(&name, table.signals.iter().map(|signal| signal.name.as_str()))? {
            let values = table.values(&name).ok_or_else(|| name.clone())?;
            let unit = table.signal(&name).map_or("", |signal| signal.unit.as_str());
            let display = table.signal(&name).map_or("", |signal| signal.display_unit.as_str());
            let lane = table.signal(&name).and_then(|signal| match signal.literals.as_slice() {
                [] => signal.is_boolean.then_some(Lane::Boolean),
                literals => Some(Lane::Literals(literals.to_vec())),
            });
            series.push(Series { lane, ..Series::new(&name, unit, x, &values).shown_in(display) });
        }
    }
    Ok(Pane { series })
}

#[cfg(test)]
mod tests {
    #[test]
    fn commas_in_brackets_belong_to_names() {
        assert_eq!(super::names("a[1,2], der(b) ,c"), ["a[1,2]", "der(b)", "c"]);
        assert_eq!(super::names("'x, y'[1],z"), ["'x, y'[1]", "z"]);
    }
}
