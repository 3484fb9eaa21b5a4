//! `kairos plot`: draws variables of a result.

use crate::plot::{Pane, Series, svg, terminal};
use crate::reading::read;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::results::Table;
use std::io::Write;

#[derive(Args)]
pub struct Plot {
    /// The result, .csv or .mat.
    result: String,

    /// Variables to draw: `a,b` share a pane, further arguments are further panes.
    #[arg(required = true, value_name = "VARS")]
    vars: Vec<String>,

    /// An SVG file; without it the drawing goes to the terminal.
    #[arg(long, short, value_name = "FILE.svg")]
    output: Option<String>,
}

impl Plot {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let Some(table) = read(&self.result, shell) else { return Status::WrongUsage };
        let mut panes = Vec::new();
        for list in &self.vars {
            match pane(&table, list) {
                Ok(pane) => panes.push(pane),
                Err(name) => {
                    let text = format!("`{}` has no variable `{name}`", self.result);
                    shell.complain("unknown-variable", text, &nearest(&table, &name));
                    return Status::WrongUsage;
                }
            }
        }
        match &self.output {
            None => {
                let text: String = panes.iter().map(terminal::draw).collect();
                let _ = std::io::stdout().write_all(text.as_bytes());
            }
            Some(path) => {
                if let Err(error) = std::fs::write(path, svg::draw(&self.result, &panes)) {
                    shell.complain("file-not-written", format!("cannot write {path}: {error}"), "");
                    return Status::WrongUsage;
                }
            }
        }
        Status::Success
    }
}

/// Names separated by commas; a comma within brackets belongs to a name.
fn names(list: &str) -> Vec<String> {
    let (mut names, mut depth) = (vec![String::new()], 0i32);
    for c in list.chars() {
        depth += i32::from(matches!(c, '[' | '(')) - i32::from(matches!(c, ']' | ')'));
        match (c, names.last_mut()) {
            (',', _) if depth == 0 => names.push(String::new()),
            (c, Some(name)) if !c.is_whitespace() => name.push(c),
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn pane(table: &Table, list: &str) -> Result<Pane, String> {
    let mut series = Vec::new();
    for name in names(list) {
        let values = table.values(&name).ok_or_else(|| name.clone())?;
        series.push(Series { name, points: table.time.iter().copied().zip(values).collect() });
    }
    Ok(Pane { series })
}

fn nearest(table: &Table, name: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    let close = table.signals.iter().filter(|s| s.name.contains(last)).take(3);
    let close: Vec<String> = close.map(|s| format!("`{}`", s.name)).collect();
    if close.is_empty() { String::new() } else { format!("there is {}", close.join(", ")) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn commas_in_brackets_belong_to_names() {
        assert_eq!(super::names("a[1,2], der(b) ,c"), ["a[1,2]", "der(b)", "c"]);
    }
}
