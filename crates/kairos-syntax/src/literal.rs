//! The values of number and string literals.

use crate::diagnostics as say;
use kairos_base::{Diagnostic, Span};
use std::borrow::Cow;

/// The value of a string token, quotes included in `text`; unknown escapes stay as they are.
pub fn decode_string<'a>(text: &'a str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Cow<'a, str> {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    if !inner.as_bytes().contains(&b'\\') {
        return Cow::Borrowed(inner);
    }
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escaped = rest[at + 1..].chars().next();
        let plain = match escaped {
            Some(c @ ('\'' | '"' | '?' | '\\')) => Some(c),
            Some('a') => Some('\x07'),
            Some('b') => Some('\x08'),
            Some('f') => Some('\x0c'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('v') => Some('\x0b'),
            _ => None,
        };
        let length = 1 + escaped.map_or(0, char::len_utf8);
        match plain {
            Some(c) => out.push(c),
            None => {
                let sequence = &rest[at..at + length];
                out.push_str(sequence);
                let start = span.start + 1 + (inner.len() - rest.len() + at) as u32;
                let place = Span { start, end: start + length as u32, ..span };
                diagnostics.push(say::invalid_escape(sequence, place));
            }
        }
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

pub fn decode_real(text: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> f64 {
    let value: f64 = text.parse().unwrap_or(f64::NAN);
    if value.is_finite() {
        return value;
    }
    diagnostics.push(say::real_too_large(text, span));
    f64::MAX
}

/// The value, or `None` (and a diagnostic) where it does not fit.
pub fn decode_integer(text: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Option<i64> {
    let value = text.parse().ok();
    if value.is_none() {
        diagnostics.push(say::integer_too_large(text, span));
    }
    value
}
