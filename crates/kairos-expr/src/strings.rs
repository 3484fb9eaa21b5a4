//! `String(…)` conversions (MLS 3.7.1.1).

use crate::{Store, Value};

/// `String(value, minimumLength, leftJustified, significantDigits)`; absent options are filled in by the front end
/// as `Int`, `Bool` and `Int`, or as one format string.
pub fn string_of(store: &Store, args: &[Value]) -> Result<Value, String> {
    let mut text = match &args[0] {
        Value::Str(s) => s.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Enum(t, i) => {
            let literals = &store.enumeration(*t).literals;
            literals
                .get((*i as usize).wrapping_sub(1))
                .map_or_else(|| i.to_string(), |n| n.as_str().to_string())
        }
        Value::Real(x) => match args.get(1) {
            Some(Value::Str(format)) if args.len() == 2 => formatted(format, *x)?,
            _ => {
                let digits = args.get(3).and_then(Value::as_index).unwrap_or(6);
                significant(*x, digits.clamp(1, 40) as usize)
            }
        },
        other => return Err(format!("String() of {other:?}")),
    };
    if !matches!(args.get(1), Some(Value::Str(_))) {
        let width = args.get(1).and_then(Value::as_index).unwrap_or(0).clamp(0, 10_000) as usize;
        let left = args.get(2).and_then(Value::as_bool).unwrap_or(true);
        text = if left { format!("{text:<width$}") } else { format!("{text:>width$}") };
    }
    Ok(Value::str(&text))
}

/// C's `%.<digits>g`.
pub fn significant(x: f64, digits: usize) -> String {
    if x == 0.0 {
        return "0".into();
    }
    if !x.is_finite() {
        return if x.is_nan() {
            "nan".into()
        } else if x > 0.0 {
            "inf".into()
        } else {
            "-inf".into()
        };
    }
    let scientific = format!("{:.*e}", digits - 1, x);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |s: &str| match s.contains('.') {
        true => s.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => s.to_string(),
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trim(mantissa), exponent.abs())
    } else {
        trim(&format!("{:.*}", (digits as i32 - 1 - exponent).max(0) as usize, x))
    }
}

/// A C format such as `.3f`, `8.4g` or `e`.
fn formatted(format: &str, x: f64) -> Result<String, String> {
    let spec = format.trim_start_matches('%');
    let kind = spec.chars().last().unwrap_or('g');
    let body = &spec[..spec.len() - kind.len_utf8()];
    let left = body.starts_with('-');
    let body = body.trim_start_matches(['-', '+', '0', ' ', '#']);
    let (width, precision) = body.split_once('.').unwrap_or((body, ""));
    let width: usize = width.parse().unwrap_or(0);
    let precision: usize = precision.parse().unwrap_or(6);
    let text = match kind {
        'f' | 'F' => format!("{x:.precision$}"),
        'e' | 'E' => {
            let s = format!("{x:.precision$e}");
            let (m, e) = s.split_once('e').unwrap_or((&s, "0"));
            let e: i32 = e.parse().unwrap_or(0);
            format!("{m}{}{}{:02}", kind, if e < 0 { '-' } else { '+' }, e.abs())
        }
        'g' | 'G' => significant(x, precision.max(1)),
        'd' | 'i' => format!("{}", x as i64),
        _ => return Err(format!("`{format}` is not a number format")),
    };
    Ok(if left { format!("{text:<width$}") } else { format!("{text:>width$}") })
}
