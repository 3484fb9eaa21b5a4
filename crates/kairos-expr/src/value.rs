//! Values of expressions.

use crate::{EnumId, FunctionId, RecordId, Scalar, Store, Type};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, Serialize, Deserialize)]
pub enum Value {
    Real(f64),
    Int(i64),
    Bool(bool),
    Str(Arc<str>),
    Enum(EnumId, u32),
    Array(Arc<Array>),
    Record(RecordId, Arc<Vec<Value>>),
    /// The outputs of a function that has none or several.
    Tuple(Arc<Vec<Value>>),
    /// A function with some of its inputs bound.
    Function(FunctionId, Arc<Vec<(u32, Value)>>),
    /// An external object, which exists in this process only.
    #[serde(skip)]
    Object(Arc<dyn Any + Send + Sync>),
    /// Known only in a simulation: an environment may answer so, to learn what does not depend on it.
    Unknown,
}

/// Elements in row-major order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Array {
    pub dims: Vec<usize>,
    pub data: Vec<Value>,
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Real(x) => write!(f, "{x:?}"),
            Value::Int(i) => write!(f, "{i}"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Str(s) => write!(f, "{s:?}"),
            Value::Enum(_, i) => write!(f, "#{i}"),
            Value::Array(a) => write!(f, "{:?}{:?}", a.dims, a.data),
            Value::Record(_, v) | Value::Tuple(v) => write!(f, "({v:?})"),
            Value::Function(g, _) => write!(f, "{g:?}"),
            Value::Object(_) => write!(f, "<object>"),
            Value::Unknown => write!(f, "?"),
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Real(a), Value::Real(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Real(a), Value::Int(b)) | (Value::Int(b), Value::Real(a)) => *a == *b as f64,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Enum(t, a), Value::Enum(u, b)) => t == u && a == b,
            (Value::Array(a), Value::Array(b)) => a == b,
            (Value::Record(_, a), Value::Record(_, b)) | (Value::Tuple(a), Value::Tuple(b)) => a == b,
            (Value::Function(f, a), Value::Function(g, b)) => f == g && a == b,
            (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Value {
    pub fn str(text: &str) -> Value {
        Value::Str(text.into())
    }

    pub fn array(dims: Vec<usize>, data: Vec<Value>) -> Value {
        debug_assert_eq!(dims.iter().product::<usize>(), data.len());
        Value::Array(Arc::new(Array { dims, data }))
    }

    pub fn vector(data: Vec<Value>) -> Value {
        Value::array(vec![data.len()], data)
    }

    pub fn reals(data: impl IntoIterator<Item = f64>) -> Value {
        Value::vector(data.into_iter().map(Value::Real).collect())
    }

    /// A number, Boolean or ordinal as a float.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Real(x) => Some(*x),
            Value::Int(i) => Some(*i as f64),
            Value::Bool(b) => Some(f64::from(u8::from(*b))),
            Value::Enum(_, i) => Some(f64::from(*i)),
            Value::Array(a) if a.data.len() == 1 => a.data[0].as_f64(),
            _ => None,
        }
    }

    /// A whole number; enumerations by their ordinal, Booleans as 1 (false) and 2 (true) as they index arrays.
    pub fn as_index(&self) -> Option<i64> {
        match self {
            Value::Int(i) => Some(*i),
            Value::Enum(_, i) => Some(i64::from(*i)),
            Value::Bool(b) => Some(1 + i64::from(*b)),
            Value::Real(x) if x.fract() == 0.0 && x.abs() < 9e15 => Some(*x as i64),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// Is it, or a part of it, unknown?
    pub fn has_unknown(&self) -> bool {
        match self {
            Value::Unknown => true,
            Value::Array(a) => a.data.iter().any(Value::has_unknown),
            Value::Record(_, parts) | Value::Tuple(parts) => parts.iter().any(Value::has_unknown),
            _ => false,
        }
    }

    /// What is known of a value that is one of two.
    pub fn join(self, other: &Value) -> Value {
        match (self, other) {
            (Value::Array(a), Value::Array(b)) if a.dims == b.dims => {
                Value::array(a.dims.clone(), join_all(&a.data, &b.data))
            }
            (Value::Record(r, a), Value::Record(_, b)) => Value::Record(r, Arc::new(join_all(&a, b))),
            (Value::Tuple(a), Value::Tuple(b)) => Value::Tuple(Arc::new(join_all(&a, b))),
            (one, other) if one == *other => one,
            _ => Value::Unknown,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(s) => Some(s),
            _ => None,
        }
    }

    pub fn dims(&self) -> &[usize] {
        match self {
            Value::Array(a) => &a.dims,
            _ => &[],
        }
    }

    /// The elements in row-major order; a scalar is its own one element.
    pub fn elements(&self) -> &[Value] {
        match self {
            Value::Array(a) => &a.data,
            other => std::slice::from_ref(other),
        }
    }

    /// The part with the given first index, from 0.
    pub fn part(&self, index: usize) -> Option<Value> {
        let Value::Array(a) = self else { return None };
        if index >= *a.dims.first()? {
            return None;
        }
        if a.dims.len() == 1 {
            return Some(a.data[index].clone());
        }
        let size: usize = a.dims[1..].iter().product();
        Some(Value::array(a.dims[1..].to_vec(), a.data[index * size..(index + 1) * size].to_vec()))
    }

    /// Joins equally shaped parts along a new first dimension.
    pub fn stack(parts: Vec<Value>) -> Value {
        match parts.first() {
            Some(Value::Array(first)) => {
                let mut dims = vec![parts.len()];
                dims.extend(&first.dims);
                let data: Vec<Value> = parts.iter().flat_map(|p| p.elements().to_vec()).collect();
                if dims.iter().product::<usize>() != data.len() {
                    return Value::array(vec![data.len()], data);
                }
                Value::array(dims, data)
            }
            _ => Value::vector(parts),
        }
    }

    /// What a variable of this type holds before anything is assigned.
    pub fn default(store: &Store, ty: &Type) -> Value {
        let one = match ty.scalar {
            Scalar::Int => Value::Int(0),
            Scalar::Bool => Value::Bool(false),
            Scalar::Str => Value::str(""),
            Scalar::Enum(e) => Value::Enum(e, 1),
            Scalar::Record(r) => {
                let fields = store.record(r).fields.iter().map(|(_, t)| Value::default(store, t)).collect();
                Value::Record(r, Arc::new(fields))
            }
            _ => Value::Real(0.0),
        };
        if ty.dims.is_empty() {
            return one;
        }
        let dims: Vec<usize> = ty.dims.iter().map(|d| d.known().unwrap_or(0)).collect();
        let count = dims.iter().product();
        Value::array(dims, vec![one; count])
    }
}

fn join_all(a: &[Value], b: &[Value]) -> Vec<Value> {
    a.iter().zip(b).map(|(a, b)| a.clone().join(b)).collect()
}
