//! Numbers with units as people type them: `4.7kOhm`, `3h`, `20 degC`.

use crate::{Unit, UnitError, parse};

/// A number followed by a unit; the number as a value of that unit.
pub fn parse_quantity(text: &str) -> Option<(f64, Result<Unit, UnitError>, &str)> {
    let text = text.trim();
    let mut end = 0;
    let bytes = text.as_bytes();
    for (i, c) in text.char_indices() {
        let before = i.checked_sub(1).map(|k| bytes[k]);
        let exponent = matches!(c, 'e' | 'E')
            && text[i + 1..].trim_start_matches(['+', '-']).starts_with(|d: char| d.is_ascii_digit());
        let sign = matches!(c, '+' | '-') && (i == 0 || matches!(before, Some(b'e' | b'E')));
        if !(c.is_ascii_digit() || c == '.' || exponent || sign) {
            break;
        }
        end = i + c.len_utf8();
    }
    let number: f64 = text[..end].parse().ok()?;
    let unit = text[end..].trim();
    (!unit.is_empty()).then(|| (number, parse(unit), unit))
}

/// A value in one unit as a value in another of the same dimension.
pub fn convert(value: f64, from: &Unit, to: &Unit) -> Option<f64> {
    (from.dimension == to.dimension).then(|| to.of_si(from.to_si(value)))
}

/// The unit in which a span of time is read best, and how many seconds that is.
pub fn duration_unit(seconds: f64) -> (&'static str, f64) {
    match seconds.abs() {
        s if s >= 3.0 * 86400.0 => ("d", 86400.0),
        s if s >= 2.0 * 3600.0 => ("h", 3600.0),
        s if s >= 600.0 => ("min", 60.0),
        _ => ("s", 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dimension;

    #[test]
    fn numbers_with_units() {
        let si = |text: &str| {
            let (value, unit, _) = parse_quantity(text)?;
            Some(unit.ok()?.to_si(value))
        };
        assert_eq!(si("4.7kOhm"), Some(4700.0));
        assert_eq!(si("3h"), Some(10800.0));
        assert_eq!(si("-1e-3 A"), Some(-1e-3));
        assert_eq!(si("20degC"), Some(293.15));
        assert_eq!(si("2eV"), Some(2.0 * 1.602_176_634e-19));
        assert_eq!(parse_quantity("4.7"), None);
        assert_eq!(parse_quantity("R1"), None);
        let degrees = parse("degC").unwrap();
        assert_eq!(convert(300.0, &parse("K").unwrap(), &degrees).map(f64::round), Some(27.0));
        assert_eq!(convert(1.0, &degrees, &Unit { dimension: Dimension::SECOND, ..Unit::ONE }), None);
    }
}
