//! Functions of `Modelica.Utilities.Strings`; positions count bytes from 1, as in C.

use std::cmp::Ordering;

use crate::context::{Channel, Context};
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("ModelicaStrings_length", Kind::Pure, |_, a| Ok(Some(Arg::Int(a.text(0)?.len() as i64)))),
    NativeFn::new("ModelicaStrings_substring", Kind::Pure, substring),
    NativeFn::new("ModelicaStrings_compare", Kind::Pure, compare),
    NativeFn::new("ModelicaStrings_skipWhiteSpace", Kind::Pure, |_, a| {
        let start = index(a, 1)?;
        Ok(Some(Arg::Int(skip_white_space(a.text(0)?.as_bytes(), start) as i64 + 1)))
    }),
    NativeFn::new("ModelicaStrings_hashString", Kind::Pure, |_, a| {
        Ok(Some(Arg::Int(i64::from(hash(a.text(0)?.as_bytes()) as i32))))
    }),
    NativeFn::new("ModelicaStrings_scanIdentifier", Kind::Pure, |_, a| {
        scan(a, 2, Arg::str(""), scan_identifier)
    }),
    NativeFn::new("ModelicaStrings_scanInteger", Kind::Pure, |_, a| {
        let unsigned = a.bool(2)?;
        scan(a, 3, Arg::Int(0), |text| scan_integer(text, unsigned))
    }),
    NativeFn::new("ModelicaStrings_scanReal", Kind::Pure, |_, a| {
        let unsigned = a.bool(2)?;
        scan(a, 3, Arg::Real(0.0), |text| scan_real(text, unsigned))
    }),
    NativeFn::new("ModelicaStrings_scanString", Kind::Pure, |_, a| scan(a, 2, Arg::str(""), scan_string)),
];

// (string, startIndex, endIndex) -> string
fn substring(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (text, mut start, mut end) = (a.text(0)?, a.int(1)?, a.int(2)?);
    let length = text.len() as i64;
    if start < 1 {
        context.say(Channel::Warning, &format!("substring: startIndex {start} is not positive, 1 is taken"));
        start = 1;
    } else if start > length {
        return Ok(Some(Arg::str("")));
    }
    if end < 0 {
        context.say(Channel::Warning, &format!("substring: endIndex {end} is negative, {start} is taken"));
        end = start;
    }
    let end = end.min(length);
    if end < start {
        return Ok(Some(Arg::str("")));
    }
    let bytes = &text.as_bytes()[start as usize - 1..end as usize];
    Ok(Some(Arg::str(&String::from_utf8_lossy(bytes))))
}

// (string1, string2, caseSensitive) -> 1 less, 2 equal, 3 greater
fn compare(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (left, right) = (a.text(0)?, a.text(1)?);
    let order = if a.bool(2)? {
        left.as_bytes().cmp(right.as_bytes())
    } else {
        let lower = |text: &str| text.bytes().map(|byte| byte.to_ascii_lowercase()).collect::<Vec<u8>>();
        lower(&left).cmp(&lower(&right))
    };
    Ok(Some(Arg::Int(match order {
        Ordering::Less => 1,
        Ordering::Equal => 2,
        Ordering::Greater => 3,
    })))
}

/// Partow's AP hash with the start value of MSL.
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().enumerate().fold(0xAAAA_AAAA, |hash: u32, (i, &byte)| {
        let byte = u32::from(byte);
        hash ^ if i % 2 == 0 {
            (hash << 7) ^ byte.wrapping_mul(hash >> 3)
        } else {
            !(hash << 11).wrapping_add(byte ^ (hash >> 5))
        }
    })
}

/// Scans a token after blanks. Without one the next index stays and the value is empty.
fn scan(
    a: &mut Args<'_>,
    outputs: usize,
    nothing: Arg,
    token: impl Fn(&[u8]) -> Option<(usize, Arg)>,
) -> Result<Option<Arg>, String> {
    let text = a.text(0)?;
    let start = skip_white_space(text.as_bytes(), index(a, 1)?);
    let (next, value) = match token(&text.as_bytes()[start..]) {
        Some((length, value)) => ((start + length) as i64 + 1, value),
        None => (a.int(1)?, nothing),
    };
    a.set(outputs, Arg::Int(next))?;
    a.set(outputs + 1, value)?;
    Ok(None)
}

/// A position in argument `at`, 0-based and inside the text.
fn index(a: &Args<'_>, at: usize) -> Result<usize, String> {
    let index = a.int(at)?;
    let length = a.text(0)?.len();
    usize::try_from(index)
        .ok()
        .filter(|&index| index >= 1)
        .map(|index| (index - 1).min(length))
        .ok_or_else(|| format!("index {index} is outside of a String, positions begin with 1"))
}

fn skip_white_space(text: &[u8], start: usize) -> usize {
    start + count(&text[start..], |byte| byte.is_ascii_whitespace() || byte == 0x0b)
}

fn scan_identifier(text: &[u8]) -> Option<(usize, Arg)> {
    text.first().filter(|byte| byte.is_ascii_alphabetic())?;
    let length = count(text, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Some((length, lossy(&text[..length])))
}

fn scan_integer(text: &[u8], unsigned: bool) -> Option<(usize, Arg)> {
    let sign = sign_length(text);
    if unsigned && sign > 0 {
        return None;
    }
    let length = sign + digits(&text[sign..]);
    // A number that goes on like a Real is not an Integer.
    if length == sign || matches!(text.get(length), Some(b'.' | b'e' | b'E')) {
        return None;
    }
    let value: i64 = std::str::from_utf8(&text[..length]).ok()?.parse().ok()?;
    Some((length, Arg::Int(value)))
}

fn scan_real(text: &[u8], unsigned: bool) -> Option<(usize, Arg)> {
    let mut length = sign_length(text);
    if unsigned && length > 0 {
        return None;
    }
    length += digits(&text[length..]);
    if text.get(length) == Some(&b'.') {
        length += 1;
        length += digits(&text[length..]);
    }
    if matches!(text.get(length), Some(b'e' | b'E')) {
        length += 1;
        length += sign_length(&text[length..]);
        let exponent = digits(&text[length..]);
        if exponent == 0 {
            return None;
        }
        length += exponent;
    }
    let value: f64 = std::str::from_utf8(&text[..length]).ok()?.parse().ok()?;
    Some((length, Arg::Real(value)))
}

fn scan_string(text: &[u8]) -> Option<(usize, Arg)> {
    if text.first() != Some(&b'"') {
        return None;
    }
    let end = (1..text.len()).find(|&i| text[i] == b'"' && text[i - 1] != b'\\')?;
    // MSL: an empty string does not count as one.
    if end == 1 {
        return None;
    }
    Some((end + 1, lossy(&text[1..end])))
}

fn sign_length(text: &[u8]) -> usize {
    usize::from(matches!(text.first(), Some(b'+' | b'-')))
}

fn digits(text: &[u8]) -> usize {
    count(text, |byte| byte.is_ascii_digit())
}

fn count(text: &[u8], matches: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|&&byte| matches(byte)).count()
}

fn lossy(bytes: &[u8]) -> Arg {
    Arg::str(&String::from_utf8_lossy(bytes))
}
