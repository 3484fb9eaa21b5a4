//! Unit strings by the grammar of MLS 19.1.

use crate::{DENOMINATOR, Dimension, Unit, symbols};

/// Why a string is no unit.
#[derive(Clone, PartialEq, Debug)]
pub enum UnitError {
    /// A symbol that nobody knows, and what was probably meant.
    Symbol(String, Option<String>),
    /// The text from here on is not as units are written.
    Syntax(String),
    /// A logarithmic or perceived quantity, which is no product of SI units.
    Logarithmic,
}

/// Reads a unit string; the empty one has no unit and is not one.
pub fn parse(text: &str) -> Result<Unit, UnitError> {
    if symbols::LOGARITHMIC.contains(&text) {
        return Err(UnitError::Logarithmic);
    }
    let mut parser = Parser { rest: text };
    let unit = parser.expression(0)?;
    if !parser.rest.is_empty() {
        return Err(UnitError::Syntax(parser.rest.to_string()));
    }
    Ok(unit)
}

/// Parentheses deeper than this are nobody's unit.
const MAX_DEPTH: usize = 20;

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn expression(&mut self, depth: usize) -> Result<Unit, UnitError> {
        if depth > MAX_DEPTH {
            return Err(self.wrong());
        }
        let numerator = self.numerator(depth)?;
        if !self.take('/') {
            return Ok(numerator);
        }
        let denominator = if self.take('(') { self.closed(depth)? } else { self.factor()? };
        product(numerator, denominator, -DENOMINATOR).ok_or_else(|| self.wrong())
    }

    fn numerator(&mut self, depth: usize) -> Result<Unit, UnitError> {
        if self.take('(') {
            return self.closed(depth);
        }
        if let Some(rest) = self.rest.strip_prefix('1') {
            self.rest = rest;
            return Ok(Unit::ONE);
        }
        let mut unit = self.factor()?;
        while self.take('.') {
            let next = self.factor()?;
            unit = product(unit, next, DENOMINATOR).ok_or_else(|| self.wrong())?;
        }
        Ok(unit)
    }

    fn closed(&mut self, depth: usize) -> Result<Unit, UnitError> {
        let inside = self.expression(depth + 1)?;
        if self.take(')') { Ok(inside) } else { Err(self.wrong()) }
    }

    fn factor(&mut self) -> Result<Unit, UnitError> {
        let length = self.rest.find(|c: char| c.is_ascii_digit() || "+-./()^* ".contains(c));
        let (symbol, rest) = self.rest.split_at(length.unwrap_or(self.rest.len()));
        if symbol.is_empty() {
            return Err(self.wrong());
        }
        let unit = symbols::find(symbol)
            .ok_or_else(|| UnitError::Symbol(symbol.to_string(), symbols::nearest(symbol)))?;
        self.rest = rest;
        match self.exponent()? {
            None => Ok(unit),
            Some(e) => product(Unit::ONE, unit, e).ok_or_else(|| self.wrong()),
        }
    }

    /// In sixtieths.
    fn exponent(&mut self) -> Result<Option<i32>, UnitError> {
        let before = self.rest;
        let sign = if self.take('-') {
            -1
        } else {
            self.take('+');
            1
        };
        let signed = before.len() != self.rest.len();
        if let Some(n) = self.number() {
            return self.sixtieths(sign * n, 1).map(Some);
        }
        if self.rest.starts_with('(') {
            self.take('(');
            let top = self.number().ok_or_else(|| self.wrong())?;
            let bottom = match self.take('/') {
                true => self.number().ok_or_else(|| self.wrong())?,
                false => 1,
            };
            if !self.take(')') {
                return Err(self.wrong());
            }
            return self.sixtieths(sign * top, bottom).map(Some);
        }
        if signed { Err(UnitError::Syntax(before.to_string())) } else { Ok(None) }
    }

    fn sixtieths(&self, top: i32, bottom: i32) -> Result<i32, UnitError> {
        let whole = top.checked_mul(DENOMINATOR).filter(|n| bottom != 0 && n % bottom == 0);
        whole.map(|n| n / bottom).ok_or_else(|| self.wrong())
    }

    fn number(&mut self) -> Option<i32> {
        let length = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let value = self.rest[..length].parse().ok()?;
        self.rest = &self.rest[length..];
        Some(value)
    }

    fn take(&mut self, c: char) -> bool {
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn wrong(&self) -> UnitError {
        UnitError::Syntax(self.rest.to_string())
    }
}

/// `a * b^(exponent / 60)`; in a product a temperature is a difference and has no offset.
fn product(a: Unit, b: Unit, exponent: i32) -> Option<Unit> {
    let dimension = a.dimension.times(&b.dimension, exponent)?;
    let factor = a.factor * b.factor.powf(f64::from(exponent) / f64::from(DENOMINATOR));
    Some(Unit { dimension: Dimension(dimension.0), factor, offset: 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) {
        let (a, b) = (parse(a).unwrap(), parse(b).unwrap());
        assert_eq!(a.dimension, b.dimension);
        assert!((a.factor / b.factor - 1.0).abs() < 1e-12, "{} {}", a.factor, b.factor);
    }

    #[test]
    fn spellings_of_one_unit_agree() {
        same("N.m", "kg.m2/s2");
        same("J/(kg.K)", "J.kg-1.K-1");
        same("V", "W/A");
        same("Ohm", "V/A");
        same("F", "C/V");
        same("Wb", "V.s");
        same("T", "Wb/m2");
        same("H", "Wb/A");
        same("lx", "lm/m2");
        same("km/h", "km.h-1");
        same("(Pa.s2)/m6", "Pa.s2/m6");
        same("V/Hz(1/2)", "V.s(1/2)");
        same("rad/s", "1/s");
    }

    #[test]
    fn symbols_come_before_prefixes() {
        assert_eq!(parse("min").unwrap().factor, 60.0);
        assert_eq!(parse("cd").unwrap().factor, 1.0);
        assert_eq!(parse("Pa").unwrap().factor, 1.0);
        assert_eq!(parse("dag").unwrap().factor, 1e-2);
        assert!((parse("mm2").unwrap().factor - 1e-6).abs() < 1e-18);
        assert!((parse("km/h").unwrap().factor - 1.0 / 3.6).abs() < 1e-15);
    }

    #[test]
    fn what_is_no_unit_says_why() {
        let meant = |text: &str| match parse(text) {
            Err(UnitError::Symbol(_, meant)) => meant,
            other => panic!("{other:?}"),
        };
        assert_eq!(meant("Ohms"), Some("Ohm".into()));
        assert_eq!(meant("Nm"), Some("N.m".into()));
        assert_eq!(meant("sec"), Some("s".into()));
        for wrong in ["m/s/s", "m^2", "m s", "", "m.", "m-", "J/(kg.K", "m2)"] {
            assert!(matches!(parse(wrong), Err(UnitError::Syntax(_))), "{wrong}");
        }
        assert_eq!(parse("dB"), Err(UnitError::Logarithmic));
    }
}
