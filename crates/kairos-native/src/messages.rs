//! Functions with which external code and models report to the user.

use crate::context::{Channel, Context};
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("ModelicaMessage", Kind::Impure, |c, a| say(c, a, Channel::Message)),
    NativeFn::new("ModelicaFormatMessage", Kind::Impure, |c, a| say(c, a, Channel::Message)),
    NativeFn::new("ModelicaWarning", Kind::Impure, |c, a| say(c, a, Channel::Warning)),
    NativeFn::new("ModelicaFormatWarning", Kind::Impure, |c, a| say(c, a, Channel::Warning)),
    NativeFn::new("ModelicaError", Kind::Impure, |_, a| Err(a.text(0)?.to_string())),
    NativeFn::new("ModelicaFormatError", Kind::Impure, |_, a| formatted(a).and_then(Err)),
];

fn say(context: &mut Context, a: &mut Args<'_>, channel: Channel) -> Result<Option<Arg>, String> {
    let text = formatted(a)?;
    context.say(channel, text.trim_end_matches('\n'));
    Ok(None)
}

/// The text with `%` conversions replaced by the following arguments, written plainly.
fn formatted(a: &Args<'_>) -> Result<String, String> {
    let format = a.text(0)?;
    let mut text = String::new();
    let mut rest = &*format;
    let mut at = 1;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            text.push('%');
            rest = after;
            continue;
        }
        let length =
            after.find(|c: char| c.is_ascii_alphabetic() && c != 'l').map_or(after.len(), |end| end + 1);
        text.push_str(&shown(a, at)?);
        at += 1;
        rest = &after[length..];
    }
    text.push_str(rest);
    Ok(text)
}

fn shown(a: &Args<'_>, at: usize) -> Result<String, String> {
    if let Ok(text) = a.text(at) {
        return Ok(text.to_string());
    }
    a.int(at).map(|value| value.to_string()).or_else(|_| a.real(at).map(|value| value.to_string()))
}
