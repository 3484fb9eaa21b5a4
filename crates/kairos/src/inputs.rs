//! What the inputs of a model do over a run: tables, functions of time and constant values, by the names of the inputs.

use kairos_base::Diagnostic;
use kairos_expr::Scalar;
use kairos_machine::{Given, Machine, Samples, Signal, drive};
use kairos_program::{MachineInfo, VarInfo};
use kairos_results::Table;
use std::fmt;
use std::sync::Arc;

/// Signals for the inputs of a model; inputs without one keep their start values, or what was set.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    tables: Vec<FromTable>,
    signals: Vec<(String, Signal)>,
}

#[derive(Clone)]
struct FromTable {
    /// What the table is called in messages.
    origin: String,
    table: Arc<Table>,
    hold: bool,
}

impl Inputs {
    /// Inputs take the columns of a table that have their names. Reals go from row to row in lines, or, with `hold`, keep
    /// each value up to the next row, as Integers and Booleans always do. Two rows with the same time are a jump. Before
    /// the first row and after the last one the values of these rows hold. `origin` is what messages call the table.
    pub fn table(mut self, origin: &str, table: Table, hold: bool) -> Self {
        self.tables.push(FromTable { origin: origin.into(), table: Arc::new(table), hold });
        self
    }

    /// An input is a function of time, smooth but for jumps at the given instants.
    pub fn function(
        mut self,
        name: &str,
        f: impl Fn(f64) -> f64 + Send + Sync + 'static,
        jumps: &[f64],
    ) -> Self {
        let mut jumps = jumps.to_vec();
        jumps.sort_by(f64::total_cmp);
        self.signals.push((name.into(), Signal::Function(Arc::new(f), jumps.into())));
        self
    }

    /// Is there any?
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.signals.is_empty()
    }

    /// A machine whose inputs follow the signals from `start` on. What is wrong with them is among the diagnostics, and
    /// then errors; inputs that no table has are told in a warning.
    pub fn attach(
        &self,
        mut machine: Box<dyn Machine>,
        start: f64,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Box<dyn Machine> {
        if self.is_empty() {
            return machine;
        }
        let (constants, signals) = self.resolve(machine.info(), diagnostics);
        for (slot, value) in constants {
            machine.set(slot, Given::Number(value));
        }
        drive(machine, signals, start)
    }

    /// Inputs that neither these, nor `settings`, nor a declared start value give anything: they stay at zero.
    pub fn left_alone(&self, info: &MachineInfo, settings: &[(String, String)]) -> Option<Diagnostic> {
        let known = |var: &VarInfo| {
            var.start.is_some()
                || settings.iter().any(|(name, _)| *name == var.name)
                || self.signals.iter().any(|(name, _)| *name == var.name)
        };
        // What tables leave out is told with the tables.
        if !self.tables.is_empty() {
            return None;
        }
        let alone: Vec<&VarInfo> = given(info).map(|(var, _)| var).filter(|var| !known(var)).collect();
        let first = alone.first()?;
        let names: Vec<String> = alone.iter().take(5).map(|var| format!("`{}`", var.name)).collect();
        let more = if alone.len() > 5 { format!(" and {} more", alone.len() - 5) } else { String::new() };
        let (rest, word) = if alone.len() == 1 { ("it stays", "input") } else { ("they stay", "inputs") };
        let text = format!("nothing gives the {word} {}{more} a value: {rest} at zero", names.join(", "));
        let help =
            format!("give a value with `--set {}=…`, a course with `--input FILE`, or a `start`", first.name);
        Some(Diagnostic::warning("input-not-given", text).at(first.span).help(help))
    }

    /// Constants and signals by the slots of the inputs.
    fn resolve(
        &self,
        info: &MachineInfo,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> (Vec<(u32, f64)>, Vec<(u32, Signal)>) {
        let (mut constants, mut signals) = (Vec::new(), Vec::new());
        for (name, signal) in &self.signals {
            match find(info, name) {
                Ok((_, slot)) => signals.push((slot, signal.clone())),
                Err(wrong) => diagnostics.push(*wrong),
            }
        }
        for from in &self.tables {
            let mut some = false;
            for (var, slot) in given(info) {
                if !from.table.signals.iter().any(|signal| signal.name == var.name) {
                    continue;
                }
                some = true;
                match from.signal(var) {
                    Ok(Signal::Table(samples)) if samples.is_constant() => {
                        constants.push((slot, samples.first()));
                    }
                    Ok(signal) => signals.push((slot, signal)),
                    Err(wrong) => diagnostics.push(*wrong),
                }
            }
            if !some {
                diagnostics.push(from.nothing(info));
            }
        }
        signals.sort_by_key(|(slot, _)| *slot);
        if let Some(pair) = signals.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let name = given(info).find(|(_, slot)| *slot == pair[0].0).map_or("", |(var, _)| &var.name);
            let text = format!("the input `{name}` is given more than once");
            diagnostics
                .push(Diagnostic::error("wrong-input", text).help("leave it out of all tables but one"));
        }
        let missing: Vec<String> = given(info)
            .filter(|(_, slot)| {
                let known = constants.iter().map(|c| &c.0).chain(signals.iter().map(|s| &s.0));
                !known.into_iter().any(|known| known == slot)
            })
            .map(|(var, _)| format!("`{}`", var.name))
            .collect();
        if !missing.is_empty() && !self.tables.is_empty() && !diagnostics.iter().any(Diagnostic::is_error) {
            let text = format!("no column gives the input {}", missing.join(", "));
            let help = "it keeps its start value, or what `--set` gives it";
            diagnostics.push(Diagnostic::warning("input-not-given", text).help(help));
        }
        (constants, signals)
    }
}

/// Tells tables apart without telling all of them: a sweep is known again by what this says.
impl fmt::Debug for FromTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.table.series.iter().flatten().chain(&self.table.time);
        let mix = |sum: u64, number: &f64| (sum ^ number.to_bits()).wrapping_mul(0x0100_0000_01b3);
        let digest = numbers.fold(0xcbf2_9ce4_8422_2325, mix);
        write!(f, "{} {digest:x} {}", self.origin, self.hold)
    }
}

impl FromTable {
    fn signal(&self, var: &VarInfo) -> Result<Signal, Box<Diagnostic>> {
        let wrong = |text: String, help: &str| {
            Err(Box::new(Diagnostic::error("wrong-input", text).help(help.to_string())))
        };
        if var.ty == Scalar::Str {
            let text = format!("the input `{}` is a text, which a table cannot give", var.name);
            return wrong(text, "set it with `--set`");
        }
        let Some(values) = self.table.values(&var.name) else {
            return wrong(format!("`{}` has no column `{}`", self.origin, var.name), "name an input");
        };
        let hold = self.hold || var.is_discrete;
        match Samples::new(self.table.time.clone(), values, hold) {
            Some(samples) => Ok(Signal::Table(Arc::new(samples))),
            None => {
                let text =
                    format!("the column `{}` of `{}` has values that are no numbers", var.name, self.origin);
                wrong(text, "give a number in every row")
            }
        }
    }

    fn nothing(&self, info: &MachineInfo) -> Diagnostic {
        let names: Vec<String> = given(info).take(3).map(|(var, _)| format!("`{}`", var.name)).collect();
        let text = format!("no column of `{}` has the name of an input", self.origin);
        let help = match names.is_empty() {
            true => {
                "the model has no inputs: a variable is one if it is declared `input` at the top".to_string()
            }
            false => format!("name columns after the inputs of the model: {}", names.join(", ")),
        };
        Diagnostic::error("wrong-input", text).help(help)
    }
}

/// The inputs of a model, with the slots that take their values.
pub(crate) fn given(info: &MachineInfo) -> impl Iterator<Item = (&VarInfo, u32)> {
    info.vars.iter().filter_map(|var| Some((var, var.given?)))
}

/// An input by its name, and the slot that takes its values.
pub(crate) fn find<'a>(info: &'a MachineInfo, name: &str) -> Result<(&'a VarInfo, u32), Box<Diagnostic>> {
    if let Some(found) = given(info).find(|(var, _)| var.name == name) {
        return Ok(found);
    }
    let known = given(info).map(|(var, _)| var.name.as_str());
    if info.vars.iter().any(|var| var.name == name) {
        let text = format!("`{name}` is no input: the equations determine it");
        let names: Vec<String> = known.take(3).map(|name| format!("`{name}`")).collect();
        let help = match names.is_empty() {
            true => "declare it `input` at the top of the model, and give it no equation".to_string(),
            false => format!("the inputs are {}", names.join(", ")),
        };
        return Err(Box::new(Diagnostic::error("wrong-input", text).help(help)));
    }
    Err(Box::new(crate::settings::unknown("the model", name, known)))
}
