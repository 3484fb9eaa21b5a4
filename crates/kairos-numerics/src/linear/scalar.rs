//! The numbers that matrices are made of: real and complex.

use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// What a factorisation needs from its numbers.
pub trait Scalar:
    Copy
    + Default
    + Debug
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    fn real(value: f64) -> Self;
    /// The absolute value, or for complex numbers a cheap norm.
    fn size(self) -> f64;
    fn scale(self, by: f64) -> Self;
}

impl Scalar for f64 {
    fn real(value: f64) -> Self {
        value
    }

    fn size(self) -> f64 {
        self.abs()
    }

    fn scale(self, by: f64) -> Self {
        self * by
    }
}

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Scalar for Complex {
    fn real(value: f64) -> Self {
        Complex { re: value, im: 0.0 }
    }

    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }

    fn scale(self, by: f64) -> Self {
        Complex { re: self.re * by, im: self.im * by }
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

impl Div for Complex {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let square = other.re * other.re + other.im * other.im;
        Complex {
            re: (self.re * other.re + self.im * other.im) / square,
            im: (self.im * other.re - self.re * other.im) / square,
        }
    }
}

impl Neg for Complex {
    type Output = Self;
    fn neg(self) -> Self {
        Complex { re: -self.re, im: -self.im }
    }
}

impl AddAssign for Complex {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Complex {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
