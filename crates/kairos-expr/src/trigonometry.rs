//! Sine and cosine: in place for small angles, by the C library for others.
//!
//! Polynomials of up to an eighth of a turn, those of Sun's `fdlibm`, are right to 0.6 units in the last place. They are
//! written once for any arithmetic: numbers here, instructions in native code, and so both give the same bits.

use std::f64::consts::FRAC_PI_4;

/// Angles up to here are small.
pub const SMALL: f64 = FRAC_PI_4;

/// The numbers that the polynomials need.
pub static COEFFICIENTS: [f64; 14] = [
    -0.166_666_666_666_666_32,
    0.008_333_333_333_322_49,
    -0.000_198_412_698_298_579_5,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
    0.041_666_666_666_666_6,
    -0.001_388_888_888_887_411,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
    0.5,
    1.0,
];

/// What the polynomials are computed with.
pub trait Arithmetic {
    type Number: Copy;
    /// One of `COEFFICIENTS`.
    fn coefficient(&mut self, k: usize) -> Self::Number;
    fn add(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn sub(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn mul(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// `a` with the sign of `b`.
    fn signed(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
}

#[inline]
pub fn sin(x: f64) -> f64 {
    // Not so for a value that is no number.
    if x.abs() <= SMALL { small_sine(&mut Numbers, x) } else { x.sin() }
}

#[inline]
pub fn cos(x: f64) -> f64 {
    if x.abs() <= SMALL { small_cosine(&mut Numbers, x) } else { x.cos() }
}

/// The sine of a small angle: `x + x³ (s₁ + x² r)`.
#[inline(always)]
pub fn small_sine<A: Arithmetic>(a: &mut A, x: A::Number) -> A::Number {
    let square = a.mul(x, x);
    let fourth = a.mul(square, square);
    let low = line(a, 2, 3, square);
    let low = step(a, 1, square, low);
    let high = line(a, 4, 5, square);
    let high = a.mul(fourth, high);
    let high = a.mul(square, high);
    let rest = a.add(low, high);
    let inner = step(a, 0, square, rest);
    let cube = a.mul(square, x);
    let correction = a.mul(cube, inner);
    let sum = a.add(x, correction);
    // The sum of zeros of both signs has lost its own.
    a.signed(sum, x)
}

/// The cosine of a small angle: `1 - x²/2 + x⁴ r`, with what is lost of the first two terms added to the third.
#[inline(always)]
pub fn small_cosine<A: Arithmetic>(a: &mut A, x: A::Number) -> A::Number {
    let square = a.mul(x, x);
    let fourth = a.mul(square, square);
    let low = line(a, 7, 8, square);
    let low = step(a, 6, square, low);
    let low = a.mul(square, low);
    let high = line(a, 10, 11, square);
    let high = step(a, 9, square, high);
    let eighth = a.mul(fourth, fourth);
    let high = a.mul(eighth, high);
    let rest = a.add(low, high);
    let (half, one) = (a.coefficient(12), a.coefficient(13));
    let bend = a.mul(half, square);
    let main = a.sub(one, bend);
    let lost = a.sub(one, main);
    let lost = a.sub(lost, bend);
    let rest = a.mul(square, rest);
    let rest = a.add(lost, rest);
    a.add(main, rest)
}

/// Coefficient `k` and `times` another one.
#[inline(always)]
fn line<A: Arithmetic>(a: &mut A, k: usize, other: usize, times: A::Number) -> A::Number {
    let other = a.coefficient(other);
    step(a, k, times, other)
}

/// Coefficient `k` and `times` the rest.
#[inline(always)]
fn step<A: Arithmetic>(a: &mut A, k: usize, times: A::Number, rest: A::Number) -> A::Number {
    let product = a.mul(times, rest);
    let first = a.coefficient(k);
    a.add(product, first)
}

struct Numbers;

impl Arithmetic for Numbers {
    type Number = f64;
    #[inline(always)]
    fn coefficient(&mut self, k: usize) -> f64 {
        COEFFICIENTS[k]
    }
    #[inline(always)]
    fn add(&mut self, a: f64, b: f64) -> f64 {
        a + b
    }
    #[inline(always)]
    fn sub(&mut self, a: f64, b: f64) -> f64 {
        a - b
    }
    #[inline(always)]
    fn mul(&mut self, a: f64, b: f64) -> f64 {
        a * b
    }
    #[inline(always)]
    fn signed(&mut self, a: f64, b: f64) -> f64 {
        a.copysign(b)
    }
}
