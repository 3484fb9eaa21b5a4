//! Messages as C functions format them: a text with places for the arguments that follow it.
//!
//! The logger of FMI 2.0 takes arguments as `printf` does, and Rust cannot define such a function. On processors of
//! x86-64 under Unix they come in the same registers and places of the stack as those of an ordinary function, so that the
//! logger is declared with as many of both kinds as messages ever have; elsewhere the text is told as it is.
#![allow(unsafe_code, reason = "arguments of C functions are read as their format says")]

use std::ffi::{CStr, c_char};
use std::fmt::Write;

/// Arguments in the order in which whole numbers and pointers come, and in which floating-point numbers do.
pub struct Arguments<'a> {
    pub wholes: &'a [u64],
    pub reals: &'a [f64],
    /// What did not fit into registers, of both kinds.
    pub rest: &'a [u64],
}

impl Arguments<'_> {
    fn beyond(&mut self) -> u64 {
        let (first, rest) = self.rest.split_first().map_or((0, self.rest), |(first, rest)| (*first, rest));
        self.rest = rest;
        first
    }

    fn whole(&mut self) -> u64 {
        match self.wholes.split_first() {
            Some((first, rest)) => {
                self.wholes = rest;
                *first
            }
            None => self.beyond(),
        }
    }

    fn real(&mut self) -> f64 {
        match self.reals.split_first() {
            Some((first, rest)) => {
                self.reals = rest;
                *first
            }
            None => f64::from_bits(self.beyond()),
        }
    }
}

/// The text with its arguments in their places.
///
/// # Safety
/// The format is one for these arguments; those that it calls texts end with a zero.
pub unsafe fn formatted(format: &str, mut arguments: Arguments) -> String {
    let mut out = String::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut spec = Spec::default();
        let mut long = false;
        for c in rest.by_ref() {
            match c {
                '-' => spec.left = true,
                '+' | ' ' | '#' => {}
                '0' if spec.width.is_none() && spec.precision.is_none() => spec.zero = true,
                '0'..='9' => {
                    let field = if spec.dot { &mut spec.precision } else { &mut spec.width };
                    let digit = c as usize - '0' as usize;
                    *field = Some((field.unwrap_or(0) * 10 + digit).min(200));
                }
                '.' => (spec.dot, spec.precision) = (true, Some(0)),
                '*' => {
                    let given = (arguments.whole() as i32).clamp(0, 200) as usize;
                    *(if spec.dot { &mut spec.precision } else { &mut spec.width }) = Some(given);
                }
                'l' | 'z' | 'j' | 't' | 'L' => long = true,
                'h' => {}
                '%' => {
                    out.push('%');
                    break;
                }
                _ => {
                    // SAFETY: passed on from the caller.
                    let text = unsafe { spec.one(c, long, &mut arguments) };
                    spec.pad(&text, &mut out);
                    break;
                }
            }
        }
    }
    out
}

#[derive(Default)]
struct Spec {
    left: bool,
    zero: bool,
    dot: bool,
    width: Option<usize>,
    precision: Option<usize>,
}

impl Spec {
    unsafe fn one(&self, conversion: char, long: bool, arguments: &mut Arguments) -> String {
        match conversion {
            'd' | 'i' if long => (arguments.whole() as i64).to_string(),
            'd' | 'i' => (arguments.whole() as i32).to_string(),
            'u' if long => arguments.whole().to_string(),
            'u' => (arguments.whole() as u32).to_string(),
            'x' => format!("{:x}", arguments.whole()),
            'X' => format!("{:X}", arguments.whole()),
            'o' => format!("{:o}", arguments.whole()),
            'p' => format!("0x{:x}", arguments.whole()),
            'c' => char::from(arguments.whole() as u8).to_string(),
            's' => {
                let pointer = arguments.whole() as usize as *const c_char;
                if pointer.is_null() {
                    return "(null)".into();
                }
                // SAFETY: the format calls this argument a text.
                let text = unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned();
                self.precision.map_or(text.clone(), |most| text.chars().take(most).collect())
            }
            'f' | 'F' => format!("{:.*}", self.precision.unwrap_or(6), arguments.real()),
            'e' | 'E' => format!("{:.*e}", self.precision.unwrap_or(6), arguments.real()),
            'g' | 'G' => {
                let number = arguments.real();
                let digits = self.precision.unwrap_or(6).max(1);
                // As many digits as asked for, without those that say nothing.
                let rounded: f64 = format!("{number:.*e}", digits - 1).parse().unwrap_or(number);
                let size = rounded.abs();
                match size != 0.0 && !(1e-4..10f64.powi(digits as i32)).contains(&size) {
                    true => format!("{rounded:e}"),
                    false => rounded.to_string(),
                }
            }
            other => format!("%{other}"),
        }
    }

    fn pad(&self, text: &str, out: &mut String) {
        let width = self.width.unwrap_or(0);
        let _ = match (self.left, self.zero) {
            (true, _) => write!(out, "{text:<width$}"),
            (false, true) => write!(out, "{text:0>width$}"),
            (false, false) => write!(out, "{text:>width$}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_stand_in_their_places() {
        let text = c"nan";
        let wholes = [7u64, u64::from(-3i32 as u32), text.as_ptr() as usize as u64];
        let arguments = Arguments { wholes: &wholes, reals: &[0.5, 1e-9], rest: &[42] };
        let made = unsafe { formatted("%d|%5d|%s|%g|%.3e|100%%|%lu", arguments) };
        assert_eq!(made, "7|   -3|nan|0.5|1.000e-9|100%|42");
    }
}
