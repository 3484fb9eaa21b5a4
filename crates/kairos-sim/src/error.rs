//! Failures of a run in the user's terms, and their wording.

use kairos_base::{Diagnostic, Span};
use kairos_machine::{EvalError, Fault};

/// Why a run ended early: with the time, the place and the values that explain it.
#[derive(Clone, Debug, PartialEq)]
pub struct SimError {
    pub code: &'static str,
    pub message: String,
    pub time: f64,
    /// Places that explain it, the first one to blame.
    pub places: Vec<(Span, String)>,
    pub values: Vec<(String, f64)>,
    pub notes: Vec<String>,
    pub help: Vec<String>,
}

impl SimError {
    pub fn new(code: &'static str, time: f64, message: String) -> Self {
        Self {
            code,
            message,
            time,
            places: Vec::new(),
            values: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// A failed evaluation that no smaller step can avoid.
    #[cold]
    pub fn evaluation(time: f64, error: EvalError) -> Self {
        let fault = match error {
            EvalError::Recoverable(fault) | EvalError::Fatal(fault) => fault,
        };
        Self::fault(time, fault)
    }

    fn fault(time: f64, fault: Fault) -> Self {
        Self {
            places: fault.span.map(|span| (span, String::new())).into_iter().collect(),
            values: fault.values,
            help: fault.help,
            ..Self::new(fault.code, time, fault.message)
        }
    }

    /// The integrator gave up; `cause` is the last failure of the model, if one made it give up.
    #[cold]
    pub(crate) fn step(time: f64, step: f64, cause: Option<Fault>, culprit: Option<Culprit>) -> Self {
        let note = format!("the step size had shrunk to {step:e}");
        if let Some(fault) = cause {
            let mut error = Self::fault(time, fault);
            error.notes.push(note);
            return error;
        }
        let mut error =
            Self::new("step-too-small", time, "the integration cannot meet the tolerance".to_string());
        error.notes.push(note);
        let mut help = "look for a singularity at this time, loosen the tolerance, or try another method";
        if let Some(Culprit { name, value, span }) = culprit {
            if value.is_nan() || value.abs() >= ENDLESS {
                error.message = format!("`{name}` grows without bound");
                help = "its equation feeds it with itself: look for a wrong sign, or stop before this time";
            }
            error.places.extend(span.map(|span| (span, format!("`{name}` is what changes too fast"))));
            error.values.push((name, value));
        }
        error.help.push(help.into());
        error
    }

    #[cold]
    /// What takes the results cannot take more, for this reason.
    pub fn sink(time: f64, text: String) -> Self {
        Self::new("result-not-written", time, text)
    }

    /// A run that cannot be written down.
    pub(crate) fn not_saved(time: f64, why: &str) -> Self {
        let mut error = Self::new("run-not-saved", time, format!("the run cannot be saved: {why}"));
        error.help.push("let it run to its end in one go".to_string());
        error
    }

    /// Bytes that are not those of a run of this model.
    pub(crate) fn not_restored(why: &str) -> Self {
        let mut error = Self::new("run-not-restored", f64::NAN, format!("the run cannot go on: {why}"));
        let help =
            "give a run that the same Kairos has saved, of the same model compiled with the same values";
        error.help.push(help.to_string());
        error
    }

    pub(crate) fn option(message: String, help: &str) -> Self {
        let mut error = Self::new("wrong-option", f64::NAN, message);
        error.help.push(help.to_string());
        error
    }

    /// The message as every shell shows it.
    pub fn diagnostic(&self) -> Diagnostic {
        let when = if self.time.is_nan() { String::new() } else { format!("at time {}: ", self.time) };
        let mut d = Diagnostic::error(self.code, format!("{when}{}", self.message));
        for (span, text) in &self.places {
            d = d.label(*span, text.clone());
        }
        if !self.values.is_empty() {
            let list: Vec<String> =
                self.values.iter().map(|(name, value)| format!("{name} = {}", shown(*value))).collect();
            d = d.note(format!("where {}", list.join(", ")));
        }
        d.notes.extend(self.notes.iter().cloned());
        d.help.extend(self.help.iter().cloned());
        d
    }
}

/// The state that made the integrator give up.
pub(crate) struct Culprit {
    pub name: String,
    pub value: f64,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// A state beyond this, in its own unit, is on its way to infinity: no quantity of physics comes near.
const ENDLESS: f64 = 1e100;

/// A number as people read it: very large and very small ones with an exponent.
fn shown(value: f64) -> String {
    let plain = value == 0.0 || !value.is_finite() || (1e-6..1e15).contains(&value.abs());
    if plain { value.to_string() } else { format!("{value:e}") }
}
