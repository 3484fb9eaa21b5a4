//! `kairos plot`: draws variables of a result.

use crate::output;
use crate::reading::read;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::results::Table;
use kairos_plot::{Drawing, Form, Pane, Series, render, render_text};

#[derive(Args)]
pub struct Plot {
    /// The result: .csv, .mat or .parquet.
    result: String,

    /// Variables to draw: `a,b` share a pane, further arguments are further panes.
    #[arg(required = true, value_name = "VARS")]
    vars: Vec<String>,

    /// A file to draw into; without it the drawing goes to the terminal.
    #[arg(long, short, value_name = "FILE.svg|.png|.html")]
    output: Option<String>,

    /// Show an interactive page in the browser.
    #[arg(long)]
    open: bool,

    /// What to draw the variables over, such as the parameter of a sweep; time by default.
    #[arg(long, value_name = "NAME")]
    x: Option<String>,

    /// Title of the drawing; by default the name of the result.
    #[arg(long)]
    title: Option<String>,

    /// No marks at events.
    #[arg(long)]
    no_events: bool,
}

impl Plot {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let Some(table) = read(&self.result, shell) else { return Status::WrongUsage };
        let mut drawing = match drawing(&table, &self.vars, self.x.as_deref()) {
            Ok(drawing) => drawing,
            Err(name) => {
                let known = table.signals.iter().map(|signal| signal.name.as_str());
                let unknown = kairos::unknown_variable("the result", &name, known);
                shell.show(&[unknown], &kairos::SourceMap::default());
                return Status::WrongUsage;
            }
        };
        if let Some(name) = &self.x {
            drawing.across.clone_from(name);
            let page = self.open || self.output.as_deref().is_some_and(|path| path.ends_with(".html"));
            if page && table.values(name).is_some_and(|values| !values.is_sorted()) {
                let text = format!("the values of `{name}` do not ascend, which the interactive page needs");
                shell.complain("not-ascending", text, "draw into .svg or .png");
                return Status::WrongUsage;
            }
        }
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
        return output::print(&render_text(drawing), shell);
    }
    let page = std::env::temp_dir().join(format!("kairos-{}.html", std::process::id()));
    let path = output.map_or_else(|| page.to_string_lossy().into_owned(), str::to_string);
    let Some(form) = Form::of(&path) else {
        let text = format!("`{path}` does not say what form the drawing is to have");
        shell.complain("unknown-format", text, "end the name in .svg, .png or .html");
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
            series.push(Series::new(&name, unit, x, &values));
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
