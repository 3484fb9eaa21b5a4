//! Types of expressions: a scalar kind and array dimensions.

use crate::{EnumId, RecordId};
use kairos_base::Name;
use serde::{Deserialize, Serialize};

/// When a value may change (MLS 3.8), from never to always.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Variability {
    Constant,
    Parameter,
    Discrete,
    Continuous,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Scalar {
    Real,
    Int,
    Bool,
    Str,
    Enum(EnumId),
    Record(RecordId),
    Clock,
    /// An external object, by the qualified name of its class.
    Object(Name),
    /// A function passed as an argument.
    Function,
    /// The result of a function with several outputs, or of one without.
    Tuple,
    /// An expression that could not be typed; a diagnostic was given.
    Error,
}

impl Scalar {
    pub fn is_numeric(self) -> bool {
        matches!(self, Scalar::Real | Scalar::Int)
    }

    /// Boolean, Integer, enumeration and String change at events only.
    pub fn is_discrete(self) -> bool {
        !matches!(self, Scalar::Real | Scalar::Record(_))
    }
}

/// One array dimension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Dim {
    Known(u32),
    /// Known only when the function runs.
    Unknown,
}

impl Dim {
    pub fn known(self) -> Option<usize> {
        match self {
            Dim::Known(n) => Some(n as usize),
            Dim::Unknown => None,
        }
    }

    pub fn fits(self, other: Dim) -> bool {
        self == other || self == Dim::Unknown || other == Dim::Unknown
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Type {
    pub scalar: Scalar,
    pub dims: Vec<Dim>,
}

impl Type {
    pub fn scalar(scalar: Scalar) -> Self {
        Self { scalar, dims: Vec::new() }
    }

    pub fn array(scalar: Scalar, dims: impl Into<Vec<Dim>>) -> Self {
        Self { scalar, dims: dims.into() }
    }

    pub fn is_scalar(&self) -> bool {
        self.dims.is_empty()
    }

    /// The number of elements, if all dimensions are known.
    pub fn count(&self) -> Option<usize> {
        self.dims.iter().map(|d| d.known()).product()
    }

    /// The known dimensions as numbers.
    pub fn sizes(&self) -> Option<Vec<usize>> {
        self.dims.iter().map(|d| d.known()).collect()
    }

    /// The type of an element along the first dimension.
    pub fn element(&self) -> Type {
        Self { scalar: self.scalar, dims: self.dims.get(1..).unwrap_or(&[]).to_vec() }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordType {
    /// Qualified name, for display and to tell types apart.
    pub name: Name,
    pub fields: Vec<(Name, Type)>,
    /// Operator records behave as one value in connections and operators.
    pub is_operator: bool,
}

impl RecordType {
    pub fn field(&self, name: Name) -> Option<usize> {
        self.fields.iter().position(|(n, _)| *n == name)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EnumType {
    pub name: Name,
    pub literals: Vec<Name>,
}
