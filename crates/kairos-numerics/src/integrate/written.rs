//! Integrators as plain data, so that one behind its trait can be written down and read again.

use super::{Bdf, DormandPrince, Esdirk, FixedStep, Integrator, Radau};
use serde::de::Deserializer;
use serde::ser::{Error, Serializer};
use serde::{Deserialize, Serialize};

/// Every integrator that there is, with its memory.
#[derive(Serialize, Deserialize)]
pub enum Written {
    /// Backward differentiation formulas.
    Bdf(Box<Bdf>),
    /// The explicit pair of Dormand and Prince.
    DormandPrince(Box<DormandPrince>),
    /// The diagonally implicit method.
    Esdirk(Box<Esdirk>),
    /// Steps of fixed length.
    Fixed(Box<FixedStep>),
    /// Radau IIA.
    Radau(Box<Radau>),
}

impl Serialize for Box<dyn Integrator> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.written() {
            Some(written) => written.serialize(to),
            None => Err(S::Error::custom("an integrator that cannot be written down")),
        }
    }
}

impl<'de> Deserialize<'de> for Box<dyn Integrator> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(match Written::deserialize(from)? {
            Written::Bdf(method) => method,
            Written::DormandPrince(method) => method,
            Written::Esdirk(method) => method,
            Written::Fixed(method) => method,
            Written::Radau(method) => method,
        })
    }
}
