//! External functions in terms of values.

use crate::{EnumId, ExternalCall, Stop, Value};
use kairos_native::{Arg, Context, Effect, FromCode, Object, lookup};
pub use kairos_native::{Channel, Permissions, Resources, Trust};
use std::sync::{Arc, Mutex};

/// Functions in libraries that others have compiled.
pub trait Foreign: Send + Sync {
    /// As `Natives::call`; `say` takes what the code has to tell.
    fn call(
        &self,
        call: &ExternalCall,
        args: &mut [Value],
        say: &mut dyn FnMut(Channel, &str),
    ) -> Result<Option<Value>, Stop>;

    /// The library whose code has a function `usertab`, which gives tables.
    fn table_owner(&self) -> Option<String> {
        None
    }

    /// The table of that name: rows, columns and the numbers row by row. Kinds are those of `FromCode`.
    fn table(&self, name: &str, _kind: i32, _say: &mut dyn FnMut(Channel, &str)) -> Result<UserTable, Stop> {
        Err(Stop::error(format!("no C code gives the table \"{name}\"")))
    }
}

/// Numbers that C code gave for a table, row by row.
pub struct UserTable {
    pub rows: usize,
    pub columns: usize,
    pub data: Vec<f64>,
}

/// The native implementations with their state (random streams, open files), and whom to ask for others.
pub struct Natives {
    context: Mutex<Context>,
    foreign: Option<Arc<dyn Foreign>>,
}

impl Default for Natives {
    fn default() -> Self {
        Self::new(Context::silent())
    }
}

impl Natives {
    pub fn new(context: Context) -> Self {
        Self { context: Mutex::new(context), foreign: None }
    }

    /// Without a console, but with the folders that `modelica://` names lead into, and with what is allowed.
    pub fn silent(resources: Resources, permissions: Permissions) -> Self {
        let mut context = Context::silent().permit(permissions);
        context.set_resources(resources);
        Self::new(context)
    }

    /// Whom to ask for functions that are not among the native ones; whether they may run is asked here before each call.
    pub fn with_foreign(self, foreign: Arc<dyn Foreign>) -> Self {
        Self { foreign: Some(foreign), ..self }
    }

    /// Calls an external function: arguments in the order of the external call, outputs overwritten in place.
    pub fn call(&self, call: &ExternalCall, args: &mut [Value]) -> Result<Option<Value>, Stop> {
        let Some(native) = lookup(&call.symbol) else { return self.foreign(call, args) };
        let mut given = Vec::with_capacity(args.len());
        for arg in args.iter() {
            given.push(to_native(arg)?);
        }
        let from_code = self.table_from_code(call, &mut given)?;
        let mut context =
            self.context.lock().map_err(|_| Stop::error("the external functions are in use"))?;
        let result = native.call(&mut context, &mut given).map_err(Stop::error)?;
        if from_code {
            return Ok(result.map(|r| from_native(r, &Value::Int(0))));
        }
        for (arg, new) in args.iter_mut().zip(given) {
            // An object is the same before and after: what changes is inside of it.
            if !matches!((&*arg, &new), (Value::Object(_), Arg::Object(_))) {
                *arg = from_native(new, arg);
            }
        }
        Ok(result.map(|r| from_native(r, &Value::Int(0))))
    }

    /// What the native functions remember between calls, as bytes.
    pub fn save(&self) -> Vec<u8> {
        self.context.lock().map(|context| context.save()).unwrap_or_default()
    }

    /// They remember what these bytes say.
    pub fn restore(&self, from: &[u8]) -> Result<(), String> {
        let mut context = self.context.lock().map_err(|_| "the external functions are in use")?;
        context.restore(from)
    }

    /// Puts the numbers of a table that C code gives in their place. Was it one?
    fn table_from_code(&self, call: &ExternalCall, given: &mut [Arg]) -> Result<bool, Stop> {
        let Some(wanted) = FromCode::of(&call.symbol, given) else { return Ok(false) };
        let Some(foreign) = &self.foreign else { return Ok(false) };
        let Some(owner) = foreign.table_owner() else { return Ok(false) };
        let mut context =
            self.context.lock().map_err(|_| Stop::error("the external functions are in use"))?;
        let what = format!("`usertab`, C code that gives the table \"{}\"", wanted.name);
        context
            .permissions()
            .ask(Effect::Foreign { owner: &owner, what: &what })
            .map_err(|message| Stop::Error { message, span: Some(call.span) })?;
        let table =
            foreign.table(&wanted.name, wanted.kind, &mut |channel, text| context.say(channel, text))?;
        FromCode::give(given, table.rows, table.columns, table.data);
        Ok(true)
    }

    fn foreign(&self, call: &ExternalCall, args: &mut [Value]) -> Result<Option<Value>, Stop> {
        let what = match call.code.libraries.as_slice() {
            _ if !call.code.includes.is_empty() => {
                format!("`{}`, C code that the function `{}` includes", call.symbol, call.function)
            }
            [] => format!("`{}` of the C library", call.symbol),
            names => format!("`{}` of the library {}", call.symbol, names.join(", ")),
        };
        let mut context =
            self.context.lock().map_err(|_| Stop::error("the external functions are in use"))?;
        context
            .permissions()
            .ask(Effect::Foreign { owner: &call.owner, what: &what })
            .map_err(|message| Stop::Error { message, span: Some(call.span) })?;
        let answer = match &self.foreign {
            Some(foreign) => foreign.call(call, args, &mut |channel, text| context.say(channel, text)),
            None => Err(Stop::error(format!("the external function `{}` is not available", call.symbol))),
        };
        answer.map_err(|stop| match stop {
            Stop::Error { message, span } => Stop::Error { message, span: span.or(Some(call.span)) },
            other => other,
        })
    }
}

/// Is this an external object of the native functions? They never change, so what they were made from says all.
pub fn is_native(value: &Value) -> bool {
    matches!(value, Value::Object(any) if any.is::<Object>())
}

fn to_native(value: &Value) -> Result<Arg, Stop> {
    Ok(match value {
        Value::Real(x) => Arg::Real(*x),
        Value::Int(i) => Arg::Int(*i),
        Value::Bool(b) => Arg::Bool(*b),
        Value::Str(s) => Arg::Str(s.clone()),
        Value::Enum(_, i) => Arg::Int(i64::from(*i)),
        Value::Object(any) => match any.downcast_ref::<Object>() {
            Some(object) => Arg::Object(object.clone()),
            None => return Err(Stop::error("an external object of another kind")),
        },
        Value::Array(a) => {
            let dims = a.dims.clone();
            match a.data.first() {
                Some(Value::Int(_) | Value::Enum(..))
                    if a.data.iter().all(|v| !matches!(v, Value::Real(_))) =>
                {
                    let data = a.data.iter().map(|v| v.as_index().unwrap_or(0)).collect::<Vec<_>>();
                    Arg::IntArray { dims, data: data.into() }
                }
                Some(Value::Bool(_)) => {
                    let data = a.data.iter().map(|v| v.as_bool().unwrap_or(false)).collect::<Vec<_>>();
                    Arg::BoolArray { dims, data: data.into() }
                }
                Some(Value::Str(_)) => {
                    let data = a.data.iter().map(|v| v.as_str().unwrap_or("").into()).collect::<Vec<_>>();
                    Arg::StrArray { dims, data: data.into() }
                }
                _ => {
                    let data = a.data.iter().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect::<Vec<_>>();
                    Arg::RealArray { dims, data: data.into() }
                }
            }
        }
        other => return Err(Stop::error(format!("{other:?} cannot be passed to an external function"))),
    })
}

/// A result, as an enumeration where the placeholder was one.
fn from_native(arg: Arg, like: &Value) -> Value {
    let number = |i: i64| match like {
        Value::Enum(t, _) => Value::Enum(EnumId(t.0), i as u32),
        Value::Real(_) => Value::Real(i as f64),
        Value::Bool(_) => Value::Bool(i != 0),
        _ => Value::Int(i),
    };
    match arg {
        Arg::Real(x) => Value::Real(x),
        Arg::Int(i) => number(i),
        Arg::Bool(b) => Value::Bool(b),
        Arg::Str(s) => Value::Str(s),
        Arg::RealArray { dims, data } => Value::array(dims, data.iter().map(|x| Value::Real(*x)).collect()),
        Arg::IntArray { dims, data } => {
            let real = matches!(like, Value::Array(a) if matches!(a.data.first(), Some(Value::Real(_))));
            let item = |i: &i64| if real { Value::Real(*i as f64) } else { Value::Int(*i) };
            Value::array(dims, data.iter().map(item).collect())
        }
        Arg::BoolArray { dims, data } => Value::array(dims, data.iter().map(|b| Value::Bool(*b)).collect()),
        Arg::StrArray { dims, data } => {
            Value::array(dims, data.iter().map(|s| Value::Str(s.clone())).collect())
        }
        Arg::Object(object) => Value::Object(std::sync::Arc::new(object)),
    }
}
