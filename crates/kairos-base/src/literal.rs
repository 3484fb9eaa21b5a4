//! Modelica's string literals.

/// The characters that a literal writes with a backslash, and what follows it.
const ESCAPES: [(char, char); 9] = [
    ('"', '"'),
    ('\\', '\\'),
    ('\n', 'n'),
    ('\r', 'r'),
    ('\t', 't'),
    ('\x07', 'a'),
    ('\x08', 'b'),
    ('\x0b', 'v'),
    ('\x0c', 'f'),
];

/// A text as a Modelica string, with its quotation marks.
pub fn string_literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match ESCAPES.iter().find(|(escaped, _)| *escaped == c) {
            Some((_, letter)) => out.extend(['\\', *letter]),
            None => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_escape_is_written() {
        assert_eq!(super::string_literal("a\"\\\n\r\t\x07\x08\x0b\x0cz"), r#""a\"\\\n\r\t\a\b\v\fz""#);
    }
}
