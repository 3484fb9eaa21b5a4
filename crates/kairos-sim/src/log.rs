//! The story of an event in the user's terms, as text and as JSON.

use kairos_base::json::{number, quote};
use kairos_base::{SourceMap, Span};
use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    Initial,
    Time,
    State,
    Step,
    Terminal,
    SlidingEnter,
    SlidingExit,
    Zeno,
    ZenoExit,
}

impl EventKind {
    pub fn name(self) -> &'static str {
        match self {
            EventKind::Initial => "initial",
            EventKind::Time => "time",
            EventKind::State => "state",
            EventKind::Step => "step",
            EventKind::Terminal => "terminal",
            EventKind::SlidingEnter => "sliding-enter",
            EventKind::SlidingExit => "sliding-exit",
            EventKind::Zeno => "zeno",
            EventKind::ZenoExit => "zeno-exit",
        }
    }
}

/// What made an event happen.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// The expression as the user wrote it.
    pub text: String,
    pub span: Span,
    /// What became of it, in a word: `true`, `false`, `up`, `down`, `tick`, `set` (of an input).
    pub became: &'static str,
}

/// A variable that differs between the two sides of an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub name: String,
    pub from: f64,
    pub to: f64,
}

/// A variable that was infinite during the instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Pulse {
    pub name: String,
    /// Its integral over the instant.
    pub area: f64,
}

/// One event instant.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRecord {
    pub time: f64,
    pub kind: EventKind,
    pub causes: Vec<Cause>,
    /// Discrete variables.
    pub changes: Vec<Change>,
    /// States that jumped.
    pub jumps: Vec<Change>,
    pub impulses: Vec<Pulse>,
    /// When-clauses that acted.
    pub fired: Vec<Span>,
    pub iterations: u32,
    /// Was the integrator restarted?
    pub restarted: bool,
    pub notes: Vec<String>,
}

impl EventRecord {
    pub fn new(time: f64, kind: EventKind) -> Self {
        Self {
            time,
            kind,
            causes: Vec::new(),
            changes: Vec::new(),
            jumps: Vec::new(),
            impulses: Vec::new(),
            fired: Vec::new(),
            iterations: 0,
            restarted: false,
            notes: Vec::new(),
        }
    }

    /// One line of JSON, without its end.
    pub fn json(&self, sources: &SourceMap) -> String {
        let mut out = format!(r#"{{"time":{},"kind":"{}""#, number(self.time), self.kind.name());
        let causes = join(&self.causes, |cause| {
            let (text, place) = (quote(&cause.text), quote(&place(cause.span, sources)));
            format!(r#"{{"expression":{text},"became":"{}","at":{place}}}"#, cause.became)
        });
        let change = |change: &Change| {
            let (from, to) = (number(change.from), number(change.to));
            format!(r#"{{"name":{},"from":{from},"to":{to}}}"#, quote(&change.name))
        };
        let _ = write!(out, r#","causes":[{causes}],"changes":[{}]"#, join(&self.changes, change));
        let _ = write!(out, r#","jumps":[{}]"#, join(&self.jumps, change));
        if !self.impulses.is_empty() {
            let impulse = |p: &Pulse| format!(r#"{{"name":{},"area":{}}}"#, quote(&p.name), number(p.area));
            let _ = write!(out, r#","impulses":[{}]"#, join(&self.impulses, impulse));
        }
        let _ = write!(out, r#","fired":[{}]"#, join(&self.fired, |span| quote(&place(*span, sources))));
        let _ = write!(out, r#","iterations":{},"restarted":{}"#, self.iterations, self.restarted);
        if !self.notes.is_empty() {
            let _ = write!(out, r#","notes":[{}]"#, join(&self.notes, |note| quote(note)));
        }
        out.push('}');
        out
    }

    /// A few lines for people.
    pub fn text(&self, sources: &SourceMap) -> String {
        let mut out = format!("{} event at time {}", self.kind.name(), self.time);
        if self.iterations > 1 {
            let _ = write!(out, ", {} iterations", self.iterations);
        }
        if self.restarted {
            out.push_str(", integrator restarted");
        }
        out.push('\n');
        for cause in &self.causes {
            let what = match cause.became {
                "up" => "was passed upwards".to_string(),
                "down" => "was passed downwards".to_string(),
                "tick" => "ticked".to_string(),
                "set" => "was set".to_string(),
                "sliding" => "holds the motion on its surface".to_string(),
                "left" => "let the motion go".to_string(),
                "held" => "is held".to_string(),
                became => format!("became {became}"),
            };
            let _ = writeln!(out, "  {} {what} ({})", cause.text, place(cause.span, sources));
        }
        for change in &self.changes {
            let _ = writeln!(out, "  {}: {} -> {}", change.name, change.from, change.to);
        }
        for jump in &self.jumps {
            let _ = writeln!(out, "  {} jumped: {} -> {}", jump.name, jump.from, jump.to);
        }
        for pulse in &self.impulses {
            let _ = writeln!(out, "  {} had an impulse of area {}", pulse.name, pulse.area);
        }
        for note in &self.notes {
            let _ = writeln!(out, "  {note}");
        }
        out
    }
}

/// `file:line:column`, or nothing for a place in no file.
pub fn place(span: Span, sources: &SourceMap) -> String {
    if span.file.index() >= sources.len() {
        return String::new();
    }
    let (line, column) = sources.position(span.file, span.start);
    format!("{}:{line}:{column}", sources.path(span.file))
}

fn join<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(",")
}
