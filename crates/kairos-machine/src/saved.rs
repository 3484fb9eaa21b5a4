//! The state of a machine as bytes.
//!
//! A machine is its program, which never changes, and what its run has made of it. Only the second is saved, and it is
//! read into a machine of the same program. Whoever adds a field to a machine decides there which of the two it is: the
//! functions that save take machines apart field by field, without a rest, so that they do not compile until then.

use kairos_expr::Value;
use serde::{Deserialize, Serialize};

/// Appends one thing.
pub fn put<T: Serialize + ?Sized>(to: &mut Vec<u8>, thing: &T) -> Result<(), String> {
    *to = postcard::to_extend(thing, std::mem::take(to)).map_err(|error| error.to_string())?;
    Ok(())
}

/// Takes one thing from the front.
pub fn get<'a, T: Deserialize<'a>>(from: &mut &'a [u8]) -> Result<T, String> {
    let (thing, rest) = postcard::take_from_bytes(from).map_err(|_| misfit())?;
    *from = rest;
    Ok(thing)
}

/// Takes a list from the front that must be as long as the one it replaces.
pub fn get_list<'a, T: Deserialize<'a>>(from: &mut &'a [u8], list: &mut Vec<T>) -> Result<(), String> {
    let read: Vec<T> = get(from)?;
    if read.len() != list.len() {
        return Err(misfit());
    }
    *list = read;
    Ok(())
}

/// What is told where bytes are not those of such a machine.
pub fn misfit() -> String {
    "the bytes are not those of a run of this model".into()
}

/// A value as it is saved; `None` for an external object of Kairos itself, which follows from the parameters.
pub fn portable(value: &Value) -> Result<Option<&Value>, String> {
    match value {
        Value::Object(_) if kairos_expr::is_native(value) => Ok(None),
        Value::Object(_) => {
            Err("an external object of a foreign library is part of it, whose state nobody else knows".into())
        }
        Value::Array(array) => whole(value, &array.data),
        Value::Record(_, parts) | Value::Tuple(parts) => whole(value, parts),
        other => Ok(Some(other)),
    }
}

/// A composed value, unless an object is among its parts.
fn whole<'a>(value: &'a Value, parts: &[Value]) -> Result<Option<&'a Value>, String> {
    for part in parts {
        if portable(part)?.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(value))
}
