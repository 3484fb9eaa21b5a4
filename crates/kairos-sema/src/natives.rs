//! External functions that constant evaluation may call.

use kairos_expr::{ExternalCall, Stop, Value};

/// The native implementations, with their state.
#[derive(Default)]
pub struct Natives;

impl Natives {
    pub fn call(&self, call: &ExternalCall, _args: &mut [Value]) -> Result<Option<Value>, Stop> {
        Err(Stop::error(format!("the external function `{}` cannot be evaluated here", call.symbol)))
    }
}
