//! Parameters of calls, and refusals.

use serde_json::{Value, json};

/// Why a call gives no answer, in words for the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    pub code: &'static str,
    pub message: String,
}

impl Refusal {
    /// A refusal with a stable code.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Refusal { code, message: message.into() }
    }

    /// The refusal as a page reads it.
    pub fn json(&self) -> Value {
        json!({ "code": self.code, "message": self.message })
    }
}

impl From<kairos_edit::Unfit> for Refusal {
    fn from(unfit: kairos_edit::Unfit) -> Self {
        Refusal::new("cannot-edit", unfit.to_string())
    }
}

/// What a call yields.
pub type Answer = Result<Value, Refusal>;

/// The parameters of a call.
#[derive(Clone, Copy)]
pub struct Asked<'v>(pub &'v Value);

impl<'v> Asked<'v> {
    pub fn text(&self, name: &str) -> Result<&'v str, Refusal> {
        self.optional(name).ok_or_else(|| missing(name, "a text"))
    }

    pub fn optional(&self, name: &str) -> Option<&'v str> {
        self.0.get(name).and_then(Value::as_str)
    }

    pub fn number(&self, name: &str) -> Option<f64> {
        self.0.get(name).and_then(Value::as_f64).filter(|x| x.is_finite())
    }

    pub fn count(&self, name: &str) -> Result<u64, Refusal> {
        self.0.get(name).and_then(Value::as_u64).ok_or_else(|| missing(name, "a whole number"))
    }

    pub fn list(&self, name: &str) -> &'v [Value] {
        self.0.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    pub fn texts(&self, name: &str) -> Vec<&'v str> {
        self.list(name).iter().filter_map(Value::as_str).collect()
    }

    /// `[x, y]`
    pub fn point(&self, name: &str) -> Option<[f64; 2]> {
        point(self.0.get(name)?)
    }

    /// `[[x, y], [x, y]]`
    pub fn extent(&self, name: &str) -> Option<[[f64; 2]; 2]> {
        match self.list(name) {
            [a, b] => Some([point(a)?, point(b)?]),
            _ => None,
        }
    }

    pub fn points(&self, name: &str) -> Option<Vec<[f64; 2]>> {
        self.list(name).iter().map(point).collect()
    }
}

fn point(value: &Value) -> Option<[f64; 2]> {
    match value.as_array()?.as_slice() {
        [x, y] => Some([x.as_f64()?, y.as_f64()?]),
        _ => None,
    }
}

fn missing(name: &str, what: &str) -> Refusal {
    Refusal::new("bad-call", format!("the call needs `{name}`, {what}"))
}
