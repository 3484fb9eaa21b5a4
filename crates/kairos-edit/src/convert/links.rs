//! The names of classes in `modelica://` links of documentation, icons and values.

use super::project::Source;
use super::rules::Rules;
use crate::patch::Patch;
use kairos_syntax::TokenKind;

const SCHEME: &str = "modelica://";

/// Patches the names of classes that links in texts lead to.
pub(super) fn convert(source: &Source, rules: &Rules, patches: &mut Vec<Patch>) {
    for token in source.tokens.iter().filter(|t| t.kind == TokenKind::String) {
        let (start, end) = (token.start as usize, token.end as usize);
        let mut at = start;
        while let Some(found) = source.text[at..end].find(SCHEME) {
            let begin = at + found + SCHEME.len();
            let rest = &source.text[begin..end];
            let length =
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
            let name = rest[..length].trim_end_matches('.');
            at = begin + length;
            let full: Vec<String> = name.split('.').map(String::from).collect();
            if let Some(new) = rules.class(&full)
                && new != name
                && !patches.iter().any(|p| p.start <= start && p.end >= end)
            {
                patches.push(Patch::replace(begin, begin + name.len(), new));
            }
        }
    }
}
