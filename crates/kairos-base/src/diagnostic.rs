//! Messages to the user, and their renderings for people and for programs.

use crate::json::{is_invisible, quote};
use crate::limits::MESSAGE;
use crate::{SourceMap, Span};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Severity {
    Error,
    Warning,
}

/// A second place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// A stable kebab-case word that names a kind of message.
pub type Code = &'static str;

/// One message: a stable kebab-case code, what was found, where, and a way out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    #[serde(with = "crate::stored::code")]
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    /// The first label is the place of the message; without labels it concerns the whole input.
    pub labels: Vec<Label>,
    pub notes: Vec<String>,
    pub help: Vec<String>,
}

impl Diagnostic {
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    pub fn at(self, span: Span) -> Self {
        self.label(span, "")
    }

    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// What a stage returns: its product, if it could make one, and everything it has to say.
#[derive(Debug)]
pub struct Checked<T> {
    pub value: Option<T>,
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Checked<T> {
    pub fn ok(value: T) -> Self {
        Self { value: Some(value), diagnostics: Vec::new() }
    }

    pub fn failed(diagnostics: Vec<Diagnostic>) -> Self {
        Self { value: None, diagnostics }
    }

    /// The product, unless there is an error among the diagnostics; warnings are kept in `seen`.
    pub fn accept(self, seen: &mut Vec<Diagnostic>) -> Option<T> {
        let wrong = self.diagnostics.iter().any(Diagnostic::is_error);
        seen.extend(self.diagnostics);
        self.value.filter(|_| !wrong)
    }
}

/// Renders diagnostics as text with source excerpts.
pub fn render_text(diagnostics: &[Diagnostic], sources: &SourceMap, colour: bool) -> String {
    let paint = |code: &str, text: &str| match colour {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_string(),
    };
    let mut out = String::new();
    for d in diagnostics {
        let (word, shade) = match d.severity {
            Severity::Error => ("error", "1;31"),
            Severity::Warning => ("warning", "1;33"),
        };
        let head = paint(shade, &format!("{word}[{}]", d.code));
        let _ = writeln!(out, "{head}: {}", plain(&d.message));
        for label in &d.labels {
            let file = label.span.file;
            let (line, column) = sources.position(file, label.span.start);
            let _ = writeln!(out, "  --> {}:{line}:{column}", plain(sources.path(file)));
            let Some(text) = sources.line(file, line) else {
                if !label.text.is_empty() {
                    let _ = writeln!(out, "   |   {}", plain(&label.text));
                }
                continue;
            };
            let (text, column, width) = excerpt(text, column, label.span, sources);
            let _ = writeln!(out, "   |   {text}");
            let pad: String =
                text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            let marks = "^".repeat(width.min(text.chars().count().saturating_sub(column - 1).max(1)));
            let _ = writeln!(out, "   |   {pad}{} {}", paint(shade, &marks), plain(&label.text));
        }
        for note in &d.notes {
            let _ = writeln!(out, "   = note: {}", plain(note));
        }
        for help in &d.help {
            let _ = writeln!(out, "   = help: {}", plain(help));
        }
    }
    let trimmed: Vec<&str> = out.lines().map(str::trim_end).collect();
    trimmed.join("\n") + if out.is_empty() { "" } else { "\n" }
}

/// A text that steers no terminal: what is not to be seen is written as an escape, and of very long ones the middle is left out.
fn plain(text: &str) -> String {
    let count = text.chars().count();
    let visible = |c: char| match c {
        '\n' | '\t' => c.to_string(),
        c if c.is_control() || is_invisible(c) => c.escape_unicode().to_string(),
        c => c.to_string(),
    };
    if count <= MESSAGE {
        return text.chars().map(visible).collect();
    }
    let (head, tail) = (MESSAGE * 3 / 4, MESSAGE / 4);
    let first: String = text.chars().take(head).map(visible).collect();
    let last: String = text.chars().skip(count - tail).map(visible).collect();
    format!("{first} … ({} more characters) … {last}", count - head - tail)
}

/// The part of a line that is shown, the column in it, and how many characters are meant.
fn excerpt(line: &str, column: usize, span: Span, sources: &SourceMap) -> (String, usize, usize) {
    const LONGEST: usize = 400;
    let width = sources.slice(span).lines().next().map_or(1, |s| s.chars().take(LONGEST).count().max(1));
    let begin = (column - 1).saturating_sub(LONGEST / 4);
    let skip = if line.chars().nth(LONGEST).is_some() { begin } else { 0 };
    let seen = |c: char| if c.is_control() && c != '\t' || is_invisible(c) { '\u{fffd}' } else { c };
    let text: String = line.chars().skip(skip).take(LONGEST).map(seen).collect();
    (text, column - skip, width)
}

/// Renders diagnostics as JSON, one object a line.
pub fn render_json(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let mut out = String::new();
    for d in diagnostics {
        let labels: Vec<String> = d.labels.iter().map(|l| json_label(l, sources)).collect();
        let list = |items: &[String]| items.iter().map(|s| quote(s)).collect::<Vec<_>>().join(",");
        let _ = writeln!(
            out,
            r#"{{"severity":"{}","code":"{}","message":{},"labels":[{}],"notes":[{}],"help":[{}]}}"#,
            if d.is_error() { "error" } else { "warning" },
            d.code,
            quote(&d.message),
            labels.join(","),
            list(&d.notes),
            list(&d.help),
        );
    }
    out
}

fn json_label(label: &Label, sources: &SourceMap) -> String {
    let (line, column) = sources.position(label.span.file, label.span.start);
    let (end_line, end_column) = sources.position(label.span.file, label.span.end);
    format!(
        r#"{{"file":{},"line":{line},"column":{column},"end_line":{end_line},"end_column":{end_column},"text":{}}}"#,
        quote(sources.path(label.span.file)),
        quote(&label.text)
    )
}
