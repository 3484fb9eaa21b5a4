//! Sine and cosine: in place for small angles, by the C library for others.
//!
//! Polynomials of up to an eighth of a turn, those of Sun's `fdlibm`, are right to 0.8 units in the last place. They are
//! written once for any arithmetic: numbers here, instructions in native code, and so both give the same bits.

/// The upper half of the largest small angle: an eighth of a turn.
pub const SMALL: u32 = 0x3fe9_21fb;

const SINE: [f64; 6] = [
    -0.166_666_666_666_666_32,
    0.008_333_333_333_322_49,
    -0.000_198_412_698_298_579_5,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];

const COSINE: [f64; 6] = [
    0.041_666_666_666_666_6,
    -0.001_388_888_888_887_411,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// What the polynomials are computed with.
pub trait Arithmetic {
    type Number: Copy;
    fn constant(&mut self, value: f64) -> Self::Number;
    fn add(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn sub(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn mul(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// A positive number or zero with the sign of `b`, a negative one as it is.
    fn signed(&mut self, a: Self::Number, b: Self::Number) -> Self::Number;
}

#[inline]
pub fn sin(x: f64) -> f64 {
    if is_small(x) { small_sine(&mut Numbers, x) } else { x.sin() }
}

#[inline]
pub fn cos(x: f64) -> f64 {
    if is_small(x) { small_cosine(&mut Numbers, x) } else { x.cos() }
}

/// The exponent of what is no number is the largest of all.
fn is_small(x: f64) -> bool {
    (x.to_bits() >> 32) as u32 & !(1 << 31) <= SMALL
}

/// The sine of a small angle: `x + x³ (s₁ + x² r)`.
#[inline(always)]
pub fn small_sine<A: Arithmetic>(a: &mut A, x: A::Number) -> A::Number {
    let square = a.mul(x, x);
    let fourth = a.mul(square, square);
    let low = polynomial(a, &SINE[1..4], square);
    let high = polynomial(a, &SINE[4..], square);
    let high = a.mul(fourth, high);
    let high = a.mul(square, high);
    let rest = a.add(low, high);
    let inner = step(a, SINE[0], square, rest);
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
    let low = polynomial(a, &COSINE[..3], square);
    let low = a.mul(square, low);
    let high = polynomial(a, &COSINE[3..], square);
    let eighth = a.mul(fourth, fourth);
    let high = a.mul(eighth, high);
    let rest = a.add(low, high);
    let (half, one) = (a.constant(0.5), a.constant(1.0));
    let bend = a.mul(square, half);
    let main = a.sub(one, bend);
    let lost = a.sub(one, main);
    let lost = a.sub(lost, bend);
    let rest = a.mul(square, rest);
    let rest = a.add(lost, rest);
    a.add(main, rest)
}

/// Coefficients of rising powers, by Horner's scheme.
#[inline(always)]
fn polynomial<A: Arithmetic>(a: &mut A, coefficients: &[f64], x: A::Number) -> A::Number {
    let [first @ .., last] = coefficients else { return a.constant(0.0) };
    let last = a.constant(*last);
    first.iter().rev().fold(last, |rest, &first| step(a, first, x, rest))
}

#[inline(always)]
fn step<A: Arithmetic>(a: &mut A, first: f64, x: A::Number, rest: A::Number) -> A::Number {
    let product = a.mul(x, rest);
    let first = a.constant(first);
    a.add(product, first)
}

struct Numbers;

impl Arithmetic for Numbers {
    type Number = f64;
    #[inline(always)]
    fn constant(&mut self, value: f64) -> f64 {
        value
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
        f64::from_bits(a.to_bits() | b.to_bits() & (1 << 63))
    }
}
