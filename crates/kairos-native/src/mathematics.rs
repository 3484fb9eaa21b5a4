//! The functions of the C library's `math.h` that models call by name: pure, so that nobody has to trust anybody for them.

use crate::registry::{Kind, NativeFn};
use crate::value::Arg;

macro_rules! one {
    ($name:literal, $f:expr) => {
        NativeFn::new($name, Kind::Pure, |_, a| {
            let f: fn(f64) -> f64 = $f;
            Ok(Some(Arg::Real(f(a.real(0)?))))
        })
    };
}

macro_rules! two {
    ($name:literal, $f:expr) => {
        NativeFn::new($name, Kind::Pure, |_, a| {
            let f: fn(f64, f64) -> f64 = $f;
            Ok(Some(Arg::Real(f(a.real(0)?, a.real(1)?))))
        })
    };
}

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    one!("sin", f64::sin),
    one!("cos", f64::cos),
    one!("tan", f64::tan),
    one!("asin", f64::asin),
    one!("acos", f64::acos),
    one!("atan", f64::atan),
    one!("sinh", f64::sinh),
    one!("cosh", f64::cosh),
    one!("tanh", f64::tanh),
    one!("asinh", f64::asinh),
    one!("acosh", f64::acosh),
    one!("atanh", f64::atanh),
    one!("exp", f64::exp),
    one!("exp2", f64::exp2),
    one!("expm1", f64::exp_m1),
    one!("log", f64::ln),
    one!("log10", f64::log10),
    one!("log2", f64::log2),
    one!("log1p", f64::ln_1p),
    one!("sqrt", f64::sqrt),
    one!("cbrt", f64::cbrt),
    one!("fabs", f64::abs),
    one!("floor", f64::floor),
    one!("ceil", f64::ceil),
    one!("trunc", f64::trunc),
    one!("round", f64::round),
    two!("atan2", f64::atan2),
    two!("pow", f64::powf),
    two!("fmod", |x, y| x % y),
    two!("hypot", f64::hypot),
    two!("fmax", f64::max),
    two!("fmin", f64::min),
];
