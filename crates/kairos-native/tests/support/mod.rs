//! What the tests of native functions share.
#![allow(dead_code)]

pub mod matrix;

use kairos_native::{Arg, Context, Permissions, lookup};

/// A context in which everything is allowed.
pub fn trusted() -> Context {
    Context::silent().permit(Permissions::all())
}

/// Calls a function and gives back its result with the arguments as it left them.
pub fn call(name: &str, arguments: Vec<Arg>) -> (Option<Arg>, Vec<Arg>) {
    call_in(&mut trusted(), name, arguments)
}

pub fn call_in(context: &mut Context, name: &str, mut arguments: Vec<Arg>) -> (Option<Arg>, Vec<Arg>) {
    let function = lookup(name).unwrap_or_else(|| panic!("{name} is not known"));
    let result = function.call(context, &mut arguments).unwrap_or_else(|reason| panic!("{name}: {reason}"));
    (result, arguments)
}

pub fn failure(name: &str, mut arguments: Vec<Arg>) -> String {
    lookup(name).unwrap().call(&mut trusted(), &mut arguments).expect_err("an error is expected")
}

pub fn real(value: &Option<Arg>) -> f64 {
    match value {
        Some(Arg::Real(value)) => *value,
        other => panic!("expected a Real, got {other:?}"),
    }
}

pub fn int(value: &Arg) -> i64 {
    match value {
        Arg::Int(value) => *value,
        other => panic!("expected an Integer, got {other:?}"),
    }
}

pub fn reals(value: &Arg) -> Vec<f64> {
    match value {
        Arg::RealArray { data, .. } => data.to_vec(),
        other => panic!("expected Reals, got {other:?}"),
    }
}

pub fn text(value: &Arg) -> String {
    match value {
        Arg::Str(text) => text.to_string(),
        other => panic!("expected a String, got {other:?}"),
    }
}

pub fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

/// Numbers between -1 and 1 that are the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn take(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.next()).collect()
    }
}
