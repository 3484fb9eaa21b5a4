//! A run's rows and events on their way to a table and a log.

use crate::bounds::{self, Watch};
use kairos_base::{Diagnostic, SourceMap, Span};
use kairos_expr::Scalar;
use kairos_machine::Machine;
use kairos_program::MachineInfo;
use kairos_results::{Column, Kind, Role, Value};
use kairos_sim::{EventRecord, Sink};
use std::collections::BTreeMap;
use std::io::Write;

/// Receives the columns chosen, row by row.
pub trait Table: Send {
    /// Once, before all rows.
    fn begin(&mut self, columns: &[Column]) -> Result<(), String>;
    /// The varying columns: first the numbers, then the texts.
    fn row(&mut self, time: f64, numbers: &[f64], texts: &[&str]) -> Result<(), String>;
}

/// Where the parts of a run go; what is absent is not computed.
#[derive(Default)]
pub struct Streams<'a> {
    pub table: Option<&'a mut dyn Table>,
    /// What variables that are left out can be computed from later.
    pub states: Option<&'a mut (dyn FnMut(f64, &[f64]) -> std::io::Result<()> + Send)>,
    /// One JSON object per event.
    pub events: Option<&'a mut (dyn Write + Send)>,
    /// The same story for people.
    pub event_text: Option<&'a mut (dyn Write + Send)>,
    /// Simulated time and number of events, now and then.
    pub progress: Option<&'a mut (dyn FnMut(f64, u64) + Send)>,
    /// Patterns of the variables wanted; none: all.
    pub patterns: Vec<String>,
    /// Warnings where variables leave the ranges of their declarations.
    pub bounds: bool,
}

/// Fills a table with the columns chosen.
#[derive(Default)]
pub(crate) struct Rows {
    /// Slots of the varying columns.
    numbers: Vec<(u32, bool)>,
    texts: Vec<u32>,
    row: Vec<f64>,
}

impl Rows {
    pub fn begin(
        &mut self,
        machine: &dyn Machine,
        patterns: &[String],
        table: &mut dyn Table,
    ) -> Result<(), String> {
        let chosen = choose(machine.info(), patterns);
        let columns = declare(machine, &chosen, patterns, &mut self.numbers, &mut self.texts);
        table.begin(&columns)
    }

    pub fn row(&mut self, time: f64, machine: &dyn Machine, table: &mut dyn Table) -> Result<(), String> {
        let values = machine.values();
        self.row.clear();
        self.row.extend(self.numbers.iter().map(|&(slot, negated)| {
            let value = values[slot as usize];
            if negated { -value } else { value }
        }));
        if self.texts.is_empty() {
            return table.row(time, &self.row, &[]);
        }
        let texts: Vec<&str> = self.texts.iter().map(|&slot| machine.string(slot)).collect();
        table.row(time, &self.row, &texts)
    }
}

pub(crate) struct StreamSink<'a, 'b> {
    pub streams: &'a mut Streams<'b>,
    pub sources: &'a SourceMap,
    pub diagnostics: &'a mut Vec<Diagnostic>,
    rows: Rows,
    snapshot: Vec<f64>,
    mixture: bool,
    watch: Option<Watch>,
}

impl<'a, 'b> StreamSink<'a, 'b> {
    pub fn new(
        streams: &'a mut Streams<'b>,
        sources: &'a SourceMap,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Self {
            streams,
            sources,
            diagnostics,
            rows: Rows::default(),
            snapshot: Vec::new(),
            mixture: false,
            watch: None,
        }
    }
}

/// At most so many warnings of one run are kept.
const WARNINGS: usize = 100;

/// Keeps a warning of the model about itself.
pub(crate) fn warn(diagnostics: &mut Vec<Diagnostic>, time: f64, text: &str, span: Span) {
    if diagnostics.len() < WARNINGS {
        let message = format!("at time {time}: {text}");
        diagnostics.push(Diagnostic::warning("assertion-warning", message).at(span));
    }
}

impl Sink for StreamSink<'_, '_> {
    fn begin(&mut self, machine: &dyn Machine) -> Result<(), String> {
        self.diagnostics.extend(bounds::before(machine).into_iter().chain(bounds::left_open(machine)));
        self.watch = self.streams.bounds.then(|| Watch::new(machine));
        let Some(table) = &mut self.streams.table else { return Ok(()) };
        self.rows.begin(machine, &self.streams.patterns, &mut **table)
    }

    fn row(&mut self, time: f64, machine: &dyn Machine) -> Result<(), String> {
        if let Some(states) = &mut self.streams.states {
            self.snapshot.clear();
            // A mixture of modes follows from no equations of the model; an empty snapshot says so.
            if std::mem::take(&mut self.mixture) || machine.snapshot(&mut self.snapshot) {
                states(time, &self.snapshot).map_err(|e| e.to_string())?;
            }
        }
        if let Some(watch) = &mut self.watch {
            watch.look(time, machine, self.diagnostics);
        }
        let Some(table) = &mut self.streams.table else { return Ok(()) };
        self.rows.row(time, machine, &mut **table)
    }

    fn event(&mut self, record: &EventRecord) -> Result<(), String> {
        if let Some(events) = &mut self.streams.events {
            writeln!(events, "{}", record.json(self.sources)).map_err(|e| e.to_string())?;
        }
        if let Some(text) = &mut self.streams.event_text {
            text.write_all(record.text(self.sources).as_bytes()).map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    fn warning(&mut self, time: f64, text: &str, span: Span) {
        warn(self.diagnostics, time, text, span);
    }

    fn mixture(&mut self) {
        self.mixture = true;
    }

    fn wants_rows(&self) -> bool {
        self.streams.table.is_some() || self.streams.bounds
    }

    fn wants_events(&self) -> bool {
        self.streams.events.is_some() || self.streams.event_text.is_some()
    }

    fn progress(&mut self, time: f64, events: u64) -> Result<(), String> {
        if let Some(progress) = &mut self.streams.progress {
            progress(time, events);
        }
        Ok(())
    }
}

/// Columns for the variables chosen. A variable that shares its value with an earlier one is its alias; parameters are
/// constants, which tables without room for them leave out, except those that the run itself finds or that are asked for
/// by name. Fills in the slots of what has a value in every row.
fn declare(
    machine: &dyn Machine,
    chosen: &[usize],
    patterns: &[String],
    numbers: &mut Vec<(u32, bool)>,
    texts: &mut Vec<u32>,
) -> Vec<Column> {
    let info = machine.info();
    let mut first: BTreeMap<(bool, u32), (usize, bool)> = BTreeMap::new();
    let mut columns = Vec::new();
    for &k in chosen {
        let var = &info.vars[k];
        let kind = kind(var.ty);
        let text = kind == Kind::String;
        let shown = var.is_found || patterns.contains(&var.name);
        let role = if var.is_parameter() && !shown {
            Role::Constant(constant(machine, k, kind))
        } else if let Some(&(of, negated)) = first.get(&(text, var.slot)) {
            Role::Alias { of, negated: negated != var.negated }
        } else {
            first.insert((text, var.slot), (columns.len(), var.negated));
            if text {
                texts.push(var.slot)
            } else {
                numbers.push((var.slot, var.negated))
            }
            Role::Varying
        };
        columns.push(Column {
            name: var.name.clone(),
            unit: var.unit.clone(),
            display_unit: var.display_unit.clone(),
            description: var.description.clone(),
            kind,
            literals: var.literals.clone(),
            role,
        });
    }
    columns
}

/// The type of a variable as results have it.
pub fn kind_of(var: &kairos_program::VarInfo) -> Kind {
    kind(var.ty)
}

pub(crate) fn kind(ty: Scalar) -> Kind {
    match ty {
        Scalar::Bool => Kind::Boolean,
        Scalar::Int | Scalar::Enum(_) => Kind::Integer,
        Scalar::Str => Kind::String,
        _ => Kind::Real,
    }
}

fn constant(machine: &dyn Machine, k: usize, kind: Kind) -> Value {
    let var = &machine.info().vars[k];
    if kind == Kind::String {
        return Value::Text(machine.string(var.slot).to_string());
    }
    let value = machine.values()[var.slot as usize] * if var.negated { -1.0 } else { 1.0 };
    match kind {
        Kind::Boolean => Value::Boolean(value != 0.0),
        Kind::Integer => Value::Integer(value as i64),
        _ => Value::Real(value),
    }
}

/// The variables that patterns name; `*` stands for any text, `?` for one character.
pub(crate) fn choose(info: &MachineInfo, patterns: &[String]) -> Vec<usize> {
    let wanted = |k: &usize| {
        let var = &info.vars[*k];
        match patterns.is_empty() {
            true => true,
            false => patterns.iter().any(|pattern| stands_for(pattern, &var.name)),
        }
    };
    (0..info.vars.len()).filter(wanted).collect()
}

/// Does a pattern name a variable? `x` also stands for all elements of the array `x`.
pub fn stands_for(pattern: &str, name: &str) -> bool {
    let element = |rest: &str| rest.starts_with('[') && rest.find(']') == Some(rest.len() - 1);
    matches(pattern.as_bytes(), name.as_bytes()) || name.strip_prefix(pattern).is_some_and(element)
}

/// The patterns that name none of the variables.
pub fn strangers<'a>(info: &MachineInfo, patterns: &'a [String]) -> Vec<&'a String> {
    let known = |pattern: &&String| info.vars.iter().any(|var| stands_for(pattern, &var.name));
    patterns.iter().filter(|pattern| !known(pattern)).collect()
}

fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if p < pattern.len() && (pattern[p] == b'?' || pattern[p] == name[n]) && pattern[p] != b'*' {
            (p, n) = (p + 1, n + 1);
        } else if p < pattern.len() && pattern[p] == b'*' {
            star = Some((p, n));
            p += 1;
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            (p, n) = (at + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_names() {
        let check = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        assert!(check("*", "a.b") && check("a.*", "a.b") && check("*.b", "a.b") && check("a?b", "a.b"));
        assert!(check("der(*)", "der(x)") && check("x[1]", "x[1]") && check("*a*b", "xaxaxb"));
        assert!(!check("a", "ab") && !check("a.*", "b.a") && !check("*c", "a.b") && !check("", "a"));
    }
}
