//! Dimensions: exponents of the SI base units.
//!
//! An exponent is a multiple of 1/60, exact for halves, thirds, quarters, fifths, sixths and tenths, which is what
//! physical formulae take roots of. An operation whose result is no such multiple gives `None`, and the caller knows
//! nothing about that unit, instead of something nearly right.

/// Exponents count in these parts of one.
pub const DENOMINATOR: i32 = 60;

/// Exponents of m, kg, s, A, K, mol and cd, in sixtieths. Angles have no dimension, as in the SI.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dimension(pub(crate) [i16; 7]);

/// The base units in the order of the exponents.
pub(crate) const BASE: [&str; 7] = ["m", "kg", "s", "A", "K", "mol", "cd"];

impl Dimension {
    pub const NONE: Dimension = Dimension([0; 7]);
    /// That of time.
    pub const SECOND: Dimension = Dimension([0, 0, DENOMINATOR as i16, 0, 0, 0, 0]);

    /// With whole exponents.
    pub(crate) const fn whole(e: [i16; 7]) -> Self {
        let mut list = [0; 7];
        let mut i = 0;
        while i < 7 {
            list[i] = e[i] * DENOMINATOR as i16;
            i += 1;
        }
        Dimension(list)
    }

    /// The exponents of m, kg, s, A, K, mol and cd, if they are whole numbers.
    pub fn exponents(&self) -> Option<[i32; 7]> {
        let whole = self.0.iter().all(|e| i32::from(*e) % DENOMINATOR == 0);
        whole.then(|| self.0.map(|e| i32::from(e) / DENOMINATOR))
    }

    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// The dimension of `self * other^(exponent / 60)`.
    pub fn times(&self, other: &Dimension, exponent: i32) -> Option<Dimension> {
        let mut list = self.0;
        for (a, b) in list.iter_mut().zip(other.0) {
            let part = i32::from(b) * exponent;
            if part % DENOMINATOR != 0 {
                return None;
            }
            *a = i16::try_from(i32::from(*a) + part / DENOMINATOR).ok()?;
        }
        Some(Dimension(list))
    }

    /// The dimension of `self^(exponent / 60)`.
    pub fn power(&self, exponent: i32) -> Option<Dimension> {
        Self::NONE.times(self, exponent)
    }
}
