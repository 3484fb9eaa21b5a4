//! Units of measure: the strings of MLS chapter 19, their dimensions, factors and offsets, and how they are printed.

mod dimension;
mod parse;
mod print;
mod quantity;
mod symbols;

pub use dimension::{DENOMINATOR, Dimension};
pub use parse::{UnitError, parse};
pub use print::name_of;
pub use quantity::{convert, duration_unit, parse_quantity};

/// A unit: `value in SI = value * factor + offset`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unit {
    pub dimension: Dimension,
    /// How many SI units one of these is.
    pub factor: f64,
    /// What zero of this unit is in SI units; other than zero for temperatures only.
    pub offset: f64,
}

impl Unit {
    /// The unit `1`.
    pub const ONE: Unit = Unit { dimension: Dimension::NONE, factor: 1.0, offset: 0.0 };

    /// The value in SI units.
    pub fn to_si(&self, value: f64) -> f64 {
        value * self.factor + self.offset
    }

    /// The value in this unit of one in SI units.
    pub fn of_si(&self, value: f64) -> f64 {
        (value - self.offset) / self.factor
    }
}
