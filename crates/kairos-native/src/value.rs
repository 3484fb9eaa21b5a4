//! The neutral value that crosses the border between a model and a native function.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// One argument or result of an external call. Cloning is cheap: arrays and strings are shared.
///
/// Arrays are row-major, also where the declaration says `FORTRAN 77`: the implementations address
/// matrices by row and column and never see the storage order. Enumerations travel as `Int`, counted from 1.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    Real(f64),
    Int(i64),
    Bool(bool),
    Str(Arc<str>),
    RealArray { dims: Vec<usize>, data: Arc<Vec<f64>> },
    IntArray { dims: Vec<usize>, data: Arc<Vec<i64>> },
    BoolArray { dims: Vec<usize>, data: Arc<Vec<bool>> },
    StrArray { dims: Vec<usize>, data: Arc<Vec<Arc<str>>> },
    Object(Object),
}

/// An instance of a class that extends `ExternalObject`.
#[derive(Clone)]
pub struct Object(Arc<dyn Any + Send + Sync>);

/// The arguments of one call, with the function's name for messages.
pub struct Args<'a> {
    function: &'static str,
    values: &'a mut [Arg],
}

impl Arg {
    pub fn str(text: &str) -> Arg {
        Arg::Str(Arc::from(text))
    }

    pub fn reals(data: Vec<f64>) -> Arg {
        Arg::RealArray { dims: vec![data.len()], data: Arc::new(data) }
    }

    pub fn matrix(rows: usize, columns: usize, data: Vec<f64>) -> Arg {
        debug_assert_eq!(rows * columns, data.len());
        Arg::RealArray { dims: vec![rows, columns], data: Arc::new(data) }
    }

    pub fn ints(data: Vec<i64>) -> Arg {
        Arg::IntArray { dims: vec![data.len()], data: Arc::new(data) }
    }

    pub fn strs(data: Vec<Arc<str>>) -> Arg {
        Arg::StrArray { dims: vec![data.len()], data: Arc::new(data) }
    }

    pub fn object<T: Any + Send + Sync>(value: T) -> Arg {
        Arg::Object(Object::new(value))
    }

    fn kind(&self) -> &'static str {
        match self {
            Arg::Real(_) => "a Real",
            Arg::Int(_) => "an Integer",
            Arg::Bool(_) => "a Boolean",
            Arg::Str(_) => "a String",
            Arg::RealArray { .. } => "a Real array",
            Arg::IntArray { .. } => "an Integer array",
            Arg::BoolArray { .. } => "a Boolean array",
            Arg::StrArray { .. } => "a String array",
            Arg::Object(_) => "an external object",
        }
    }
}

impl Object {
    pub fn new<T: Any + Send + Sync>(value: T) -> Object {
        Object(Arc::new(value))
    }

    /// The native value behind the handle, when it is of type `T`.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }

    /// The shared native value, for callers that keep it (compiled code, caches).
    pub fn share<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.0.clone().downcast().ok()
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Object")
    }
}

impl<'a> Args<'a> {
    pub(crate) fn new(function: &'static str, values: &'a mut [Arg]) -> Args<'a> {
        Args { function, values }
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn real(&self, at: usize) -> Result<f64, String> {
        match self.get(at)? {
            Arg::Real(value) => Ok(*value),
            Arg::Int(value) => Ok(*value as f64),
            // A one-element array stands for a scalar behind a pointer.
            Arg::RealArray { data, .. } if data.len() == 1 => Ok(data[0]),
            other => Err(self.mismatch(at, "a Real", other)),
        }
    }

    pub fn int(&self, at: usize) -> Result<i64, String> {
        match self.get(at)? {
            Arg::Int(value) => Ok(*value),
            Arg::Bool(value) => Ok(i64::from(*value)),
            other => Err(self.mismatch(at, "an Integer", other)),
        }
    }

    /// An Integer that counts something: rows, columns, a size.
    pub fn size(&self, at: usize) -> Result<usize, String> {
        let value = self.int(at)?;
        // Modelica Integers have 32 bits; the bound keeps products of sizes in range.
        let size = i32::try_from(value).ok().and_then(|value| usize::try_from(value).ok());
        size.ok_or_else(|| format!("{}: argument {} is a size and cannot be {value}", self.function, at + 1))
    }

    pub fn bool(&self, at: usize) -> Result<bool, String> {
        match self.get(at)? {
            Arg::Bool(value) => Ok(*value),
            Arg::Int(value) => Ok(*value != 0),
            other => Err(self.mismatch(at, "a Boolean", other)),
        }
    }

    pub fn text(&self, at: usize) -> Result<Arc<str>, String> {
        match self.get(at)? {
            Arg::Str(value) => Ok(value.clone()),
            other => Err(self.mismatch(at, "a String", other)),
        }
    }

    pub fn reals(&self, at: usize) -> Result<Arc<Vec<f64>>, String> {
        match self.get(at)? {
            Arg::RealArray { data, .. } => Ok(data.clone()),
            Arg::IntArray { data, .. } => Ok(Arc::new(data.iter().map(|&value| value as f64).collect())),
            Arg::Real(value) => Ok(Arc::new(vec![*value])),
            other => Err(self.mismatch(at, "a Real array", other)),
        }
    }

    pub fn ints(&self, at: usize) -> Result<Arc<Vec<i64>>, String> {
        match self.get(at)? {
            Arg::IntArray { data, .. } => Ok(data.clone()),
            Arg::Int(value) => Ok(Arc::new(vec![*value])),
            // No element says what type an empty array has.
            Arg::RealArray { data, .. } if data.is_empty() => Ok(Arc::new(Vec::new())),
            other => Err(self.mismatch(at, "an Integer array", other)),
        }
    }

    pub fn bools(&self, at: usize) -> Result<Arc<Vec<bool>>, String> {
        match self.get(at)? {
            Arg::BoolArray { data, .. } => Ok(data.clone()),
            Arg::IntArray { data, .. } => Ok(Arc::new(data.iter().map(|&value| value != 0).collect())),
            Arg::RealArray { data, .. } if data.is_empty() => Ok(Arc::new(Vec::new())),
            other => Err(self.mismatch(at, "a Boolean array", other)),
        }
    }

    /// Rows, columns and row-major data; a vector is one column.
    pub fn matrix(&self, at: usize) -> Result<(usize, usize, Arc<Vec<f64>>), String> {
        let data = self.reals(at)?;
        let (rows, columns) = match self.get(at)? {
            Arg::RealArray { dims, .. } | Arg::IntArray { dims, .. } if dims.len() == 2 => (dims[0], dims[1]),
            _ => (data.len(), 1),
        };
        if rows * columns != data.len() {
            return Err(format!("{}: argument {} is not a full matrix", self.function, at + 1));
        }
        Ok((rows, columns, data))
    }

    pub fn object<T: Any + Send + Sync>(&self, at: usize) -> Result<&T, String> {
        match self.get(at)? {
            Arg::Object(object) => object.get().ok_or_else(|| {
                format!("{}: argument {} is an external object of another class", self.function, at + 1)
            }),
            other => Err(self.mismatch(at, "an external object", other)),
        }
    }

    /// Writes an output argument in place. Arrays keep the shape the caller gave the placeholder.
    pub fn set(&mut self, at: usize, value: Arg) -> Result<(), String> {
        let function = self.function;
        let missing = || format!("{function}: output argument {} is missing", at + 1);
        let slot = self.values.get_mut(at).ok_or_else(missing)?;
        *slot = match (&*slot, value) {
            (Arg::RealArray { dims, .. }, Arg::RealArray { data, .. })
                if dims.iter().product::<usize>() == data.len() =>
            {
                Arg::RealArray { dims: dims.clone(), data }
            }
            (Arg::IntArray { dims, .. }, Arg::IntArray { data, .. })
                if dims.iter().product::<usize>() == data.len() =>
            {
                Arg::IntArray { dims: dims.clone(), data }
            }
            (_, value) => value,
        };
        Ok(())
    }

    fn get(&self, at: usize) -> Result<&Arg, String> {
        self.values.get(at).ok_or_else(|| {
            format!("{}: argument {} is missing, the call has {}", self.function, at + 1, self.values.len())
        })
    }

    fn mismatch(&self, at: usize, expected: &str, found: &Arg) -> String {
        format!("{}: argument {} must be {expected}, got {}", self.function, at + 1, found.kind())
    }
}
