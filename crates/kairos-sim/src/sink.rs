//! Where the rows and the events of a run go.

use crate::EventRecord;
use kairos_base::Span;
use kairos_machine::Machine;
use std::ops::{Deref, DerefMut};

/// Receives a run while it happens. An error text ends the run.
pub trait Sink: Send {
    /// Once, after initialisation: dimensions and parameters are final.
    fn begin(&mut self, _machine: &dyn Machine) -> Result<(), String> {
        Ok(())
    }

    /// All values are consistent at `time`; events give two rows with one time.
    fn row(&mut self, time: f64, machine: &dyn Machine) -> Result<(), String>;

    fn event(&mut self, _record: &EventRecord) -> Result<(), String> {
        Ok(())
    }

    /// An assertion of level warning failed.
    fn warning(&mut self, _time: f64, _text: &str, _span: Span) {}

    /// The next row stands for a mixture of modes, along a switching surface.
    fn mixture(&mut self) {}

    /// Are rows wanted? Without them nothing is evaluated for output.
    fn wants_rows(&self) -> bool {
        true
    }

    /// Are event records wanted? Without them none are built.
    fn wants_events(&self) -> bool {
        true
    }

    /// Now and then, with the simulated time and the number of events so far; an error ends the run.
    fn progress(&mut self, _time: f64, _events: u64) -> Result<(), String> {
        Ok(())
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn begin(&mut self, machine: &dyn Machine) -> Result<(), String> {
        (**self).begin(machine)
    }

    fn row(&mut self, time: f64, machine: &dyn Machine) -> Result<(), String> {
        (**self).row(time, machine)
    }

    fn event(&mut self, record: &EventRecord) -> Result<(), String> {
        (**self).event(record)
    }

    fn warning(&mut self, time: f64, text: &str, span: Span) {
        (**self).warning(time, text, span);
    }

    fn mixture(&mut self) {
        (**self).mixture();
    }

    fn wants_rows(&self) -> bool {
        (**self).wants_rows()
    }

    fn wants_events(&self) -> bool {
        (**self).wants_events()
    }

    fn progress(&mut self, time: f64, events: u64) -> Result<(), String> {
        (**self).progress(time, events)
    }
}

/// Keeps everything in memory.
#[derive(Default)]
pub struct Recorder {
    pub names: Vec<String>,
    /// Time, then the variables in the order of `names`.
    pub rows: Vec<Vec<f64>>,
    pub events: Vec<EventRecord>,
    pub warnings: Vec<(f64, String)>,
}

impl Recorder {
    /// The right limit of a variable at a recorded time.
    pub fn value(&self, name: &str, time: f64) -> Option<f64> {
        let column = self.names.iter().position(|n| n == name)?;
        let near = |row: &&Vec<f64>| (row[0] - time).abs() <= 1e-9 * time.abs().max(1e-3);
        self.rows.iter().rev().find(near).map(|row| row[column + 1])
    }

    /// Instants of the events that are neither the first nor the last.
    pub fn event_times(&self) -> Vec<f64> {
        use crate::EventKind::{Initial, Terminal};
        self.events.iter().filter(|e| !matches!(e.kind, Initial | Terminal)).map(|e| e.time).collect()
    }
}

impl Sink for Recorder {
    fn begin(&mut self, machine: &dyn Machine) -> Result<(), String> {
        self.names = machine.info().vars.iter().map(|var| var.name.clone()).collect();
        Ok(())
    }

    fn row(&mut self, time: f64, machine: &dyn Machine) -> Result<(), String> {
        let values = machine.values();
        let mut row = Vec::with_capacity(self.names.len() + 1);
        row.push(time);
        row.extend(machine.info().vars.iter().map(|var| {
            let value = values[var.slot as usize];
            if var.negated { -value } else { value }
        }));
        self.rows.push(row);
        Ok(())
    }

    fn event(&mut self, record: &EventRecord) -> Result<(), String> {
        self.events.push(record.clone());
        Ok(())
    }

    fn warning(&mut self, time: f64, text: &str, _span: Span) {
        self.warnings.push((time, text.to_string()));
    }
}

/// Keeps nothing.
pub struct Nowhere;

impl Sink for Nowhere {
    fn row(&mut self, _time: f64, _machine: &dyn Machine) -> Result<(), String> {
        Ok(())
    }

    fn wants_rows(&self) -> bool {
        false
    }

    fn wants_events(&self) -> bool {
        false
    }
}

/// The sink that a run tells. A clone of the run tells nobody until it has a sink of its own.
pub(crate) struct Output<'a>(pub Box<dyn Sink + 'a>);

impl Clone for Output<'_> {
    fn clone(&self) -> Self {
        Self(Box::new(Nowhere))
    }
}

impl<'a> Deref for Output<'a> {
    type Target = dyn Sink + 'a;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for Output<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}
