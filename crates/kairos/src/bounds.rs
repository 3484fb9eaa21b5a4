//! Values outside of the `min` and `max` of their declarations: parameters and start values before a run, variables as it goes on.

use kairos_base::Diagnostic;
use kairos_machine::Machine;
use kairos_program::VarInfo;
use kairos_program::info::Attribute;

/// The code of a value outside of its declared range.
const CODE: &str = "out-of-range";
/// At most so many values are told one by one.
const SHOWN: usize = 10;
/// A value beyond its bound by less than this part of the bound is at it.
const ROUND_OFF: f64 = 1e-12;

/// Parameters and declared start values outside of their range, after initialisation.
pub(crate) fn before(machine: &dyn Machine) -> Vec<Diagnostic> {
    let info = machine.info();
    let mut found = Vec::new();
    for var in &info.vars {
        let value = match var.is_parameter() {
            true => Some(value_of(machine, var)),
            false => var.start.as_ref().and_then(|start| number(machine, start)),
        };
        let what = if var.is_parameter() { "the parameter" } else { "the start value of" };
        if let Some(value) = value
            && let Some(text) = violation(machine, var, value)
        {
            let message = format!("{what} `{}` is {value}, {text}", var.name);
            let help = "correct the value, or the range in the declaration";
            found.push(Diagnostic::warning(CODE, message).at(var.span).help(help));
        }
    }
    shorten(&mut found);
    found
}

/// Systems of equations that have many solutions, of which initialisation has taken one.
pub(crate) fn left_open(machine: &dyn Machine) -> Vec<Diagnostic> {
    let faults = machine.shortcuts().map_or(Vec::new(), |shortcuts| shortcuts.left_open());
    let told = faults.into_iter().take(SHOWN).map(|fault| {
        let d = Diagnostic::warning(fault.code, fault.message);
        let d = fault.span.into_iter().fold(d, Diagnostic::at);
        fault.help.into_iter().fold(d, Diagnostic::help)
    });
    told.collect()
}

/// Says once of each variable that it leaves its range.
pub(crate) struct Watch {
    /// Places in `MachineInfo::vars` of variables with a range that have kept to it so far.
    watched: Vec<usize>,
    found: usize,
}

impl Watch {
    pub fn new(machine: &dyn Machine) -> Self {
        let ranged =
            |(_, var): &(usize, &VarInfo)| !var.is_parameter() && (var.min.is_some() || var.max.is_some());
        let watched = machine.info().vars.iter().enumerate().filter(ranged).map(|(k, _)| k).collect();
        Self { watched, found: 0 }
    }

    /// Looks at all variables, which are consistent at `time`.
    pub fn look(&mut self, time: f64, machine: &dyn Machine, diagnostics: &mut Vec<Diagnostic>) {
        let info = machine.info();
        let found = &mut self.found;
        self.watched.retain(|&k| {
            let var = &info.vars[k];
            let value = value_of(machine, var);
            let Some(text) = violation(machine, var, value) else { return true };
            *found += 1;
            if *found <= SHOWN {
                let message = format!("at time {time}: `{}` is {value}, {text}", var.name);
                let help = "look for the equation that leads it there, or correct the range";
                diagnostics.push(Diagnostic::warning(CODE, message).at(var.span).help(help));
            }
            false
        });
    }
}

fn shorten(found: &mut Vec<Diagnostic>) {
    if found.len() > SHOWN {
        let more = found.len() - SHOWN;
        found.truncate(SHOWN);
        let message = format!("{more} more values are outside of their ranges");
        found.push(Diagnostic::warning(CODE, message).help("correct the first ones and run again"));
    }
}

fn value_of(machine: &dyn Machine, var: &VarInfo) -> f64 {
    let value = machine.values()[var.slot as usize];
    if var.negated { -value } else { value }
}

fn number(machine: &dyn Machine, attribute: &Attribute) -> Option<f64> {
    match attribute {
        Attribute::Number(value) => Some(*value),
        Attribute::Parameter(slot) => Some(machine.values()[*slot as usize]),
        Attribute::Text(_) => None,
    }
}

/// What a value does to the range of its variable, in words.
fn violation(machine: &dyn Machine, var: &VarInfo, value: f64) -> Option<String> {
    use kairos_expr::Scalar;
    if !matches!(var.ty, Scalar::Real | Scalar::Int) {
        return None;
    }
    let bound = |attribute: &Option<Attribute>| attribute.as_ref().and_then(|a| number(machine, a));
    let slack = |bound: f64| ROUND_OFF * bound.abs();
    match (bound(&var.min), bound(&var.max)) {
        (Some(min), _) if value < min - slack(min) => Some(format!("below its minimum {min}")),
        (_, Some(max)) if value > max + slack(max) => Some(format!("above its maximum {max}")),
        _ => None,
    }
}
