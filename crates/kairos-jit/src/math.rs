//! Functions that native code calls: those of the interpreter, so that both give the same bits.

use kairos_expr::Builtin;
use kairos_program::operation as run;

pub type Unary = extern "C" fn(f64) -> f64;

macro_rules! unary {
    ($($name:ident $builtin:ident;)*) => {
        $(extern "C" fn $name(a: f64) -> f64 {
            run::function1(Builtin::$builtin, a)
        })*

        /// Functions of one number that have no instruction.
        pub const UNARY: &[(Builtin, Unary)] = &[$((Builtin::$builtin, $name)),*];
    };
}

unary! {
    sin Sin;
    cos Cos;
    tan Tan;
    asin Asin;
    acos Acos;
    atan Atan;
    sinh Sinh;
    cosh Cosh;
    tanh Tanh;
    exp Exp;
    log Log;
    log10 Log10;
    sign Sign;
}

/// The one of these for a function of the language.
pub fn function1(f: Builtin) -> Option<Unary> {
    UNARY.iter().find(|(builtin, _)| *builtin == f).map(|&(_, function)| function)
}

pub extern "C" fn power(a: f64, b: f64) -> f64 {
    run::power(a, b)
}

pub extern "C" fn atan2(a: f64, b: f64) -> f64 {
    a.atan2(b)
}
