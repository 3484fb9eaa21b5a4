//! Sine and cosine against series in twice the precision, and against the C library beyond an eighth of a turn.

use kairos_expr::trigonometry::{SMALL, cos, sin};
use std::f64::consts::FRAC_PI_4;

/// A number as a sum of two, the second below half a unit in the last place of the first.
#[derive(Clone, Copy)]
struct Double(f64, f64);

impl Double {
    fn sum(a: f64, b: f64) -> Double {
        let s = a + b;
        let t = s - a;
        Double(s, (a - (s - t)) + (b - t))
    }

    fn add(self, other: Double) -> Double {
        let Double(s, e) = Double::sum(self.0, other.0);
        Double::sum(s, e + (self.1 + other.1))
    }

    fn mul(self, other: Double) -> Double {
        let p = self.0 * other.0;
        let e = self.0.mul_add(other.0, -p);
        Double::sum(p, e + (self.0 * other.1 + self.1 * other.0))
    }

    fn divided(self, by: f64) -> Double {
        let q = self.0 / by;
        let rest = (-q).mul_add(by, self.0) + self.1;
        Double::sum(q, rest / by)
    }
}

/// The Taylor series that begins with `first`, whose next term has the divisor `(n + 1)(n + 2)`.
fn series(x: f64, first: Double, mut n: f64) -> Double {
    let square = Double(x, 0.0).mul(Double(x, 0.0));
    let (mut term, mut total) = (first, first);
    for _ in 0..16 {
        let next = term.mul(square).divided((n + 1.0) * (n + 2.0));
        term = Double(-next.0, -next.1);
        total = total.add(term);
        n += 2.0;
    }
    total
}

/// How far a result is from the truth, in units of its last place.
fn units(found: f64, truth: Double) -> f64 {
    let unit = f64::from_bits(truth.0.abs().to_bits() + 1) - truth.0.abs();
    (((found - truth.0) - truth.1) / unit).abs()
}

fn angles() -> impl Iterator<Item = f64> {
    let steps = (0..=200_000).map(|k| FRAC_PI_4 * f64::from(k) / 200_000.0);
    // Irrational steps, and small angles of every size.
    let others = (1..100_000).map(|k| (f64::from(k) * 0.618_033_988_749_895).fract() * FRAC_PI_4);
    let tiny = (0..1070).map(|k| 0.7 * 0.5f64.powi(k));
    steps.chain(others).chain(tiny).chain([largest_small(), f64::MIN_POSITIVE, 5e-324])
}

fn largest_small() -> f64 {
    f64::from_bits(u64::from(SMALL) << 32 | 0xffff_ffff)
}

#[test]
fn small_angles_are_right_to_the_last_place() {
    let (mut worst_sine, mut worst_cosine) = (0.0f64, 0.0f64);
    for x in angles() {
        // Below the normal numbers the error terms of products vanish; there the sine is the angle.
        let truth = if x < 1e-100 { Double(x, 0.0) } else { series(x, Double(x, 0.0), 1.0) };
        worst_sine = worst_sine.max(units(sin(x), truth));
        worst_cosine = worst_cosine.max(units(cos(x), series(x, Double(1.0, 0.0), 0.0)));
        assert_eq!(sin(-x).to_bits(), (-sin(x)).to_bits());
        assert_eq!(cos(-x).to_bits(), cos(x).to_bits());
    }
    // A correct rounding has up to 0.5.
    assert!(worst_sine < 0.8 && worst_cosine < 0.8, "{worst_sine} {worst_cosine}");
}

#[test]
fn zeros_keep_their_sign() {
    assert_eq!(sin(0.0).to_bits(), 0.0f64.to_bits());
    assert_eq!(sin(-0.0).to_bits(), (-0.0f64).to_bits());
    assert_eq!(cos(-0.0), 1.0);
}

#[test]
fn large_angles_and_none() {
    // From tables of many digits.
    let known = [
        (1.0, 0.841_470_984_807_896_5, 0.540_302_305_868_139_8),
        (1e22, -0.852_200_849_767_188_8, 0.523_214_785_395_138_9),
        (std::f64::consts::PI, 1.224_646_799_147_353_2e-16, -1.0),
    ];
    for (x, sine, cosine) in known {
        assert!((sin(x) - sine).abs() <= sine.abs() * f64::EPSILON);
        assert!((cos(x) - cosine).abs() <= cosine.abs() * f64::EPSILON);
    }
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(sin(x).is_nan() && cos(x).is_nan());
    }
}
