//! Broken texts: the parser and the formatter come to an end with a tree and without a panic.
//!
//! By default some thousand mutations of the fixtures. KAIROS_FUZZ_DIR names a directory with more
//! texts, KAIROS_FUZZ_COUNT the number of inputs.

mod common;

use common::{Random, modelica_files, same_tokens, suite};
use kairos_base::FileId;
use kairos_syntax::{format, parse, parse_expression};
use std::path::PathBuf;

/// Texts are cut to this size, so that many inputs take little time.
const WINDOW: usize = 6000;

const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\\",
    ".",
    "=",
    ":=",
    "end ",
    "end if;",
    "if ",
    "then ",
    "else ",
    "for ",
    "loop ",
    "when ",
    "model ",
    "extends ",
    "annotation(",
    "equation\n",
    "algorithm\n",
    "redeclare ",
    "break ",
    "function ",
    "1e",
    "0.",
    "é",
    "\u{feff}",
    "\0",
    "\r",
    "-",
    "not ",
    "^",
    "der(",
    "enumeration(",
    "external ",
    "import ",
    "within ",
    "constrainedby ",
    "protected\n",
    ":",
];

#[test]
fn mutated_texts_do_not_break_the_parser() {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<usize>().ok());
    let directory = std::env::var_os("KAIROS_FUZZ_DIR").map(PathBuf::from);
    let count = number("KAIROS_FUZZ_COUNT").unwrap_or(3000);
    let texts: Vec<String> =
        modelica_files(&directory.unwrap_or_else(suite)).into_iter().map(|(_, text)| text).collect();
    assert!(!texts.is_empty(), "no texts to start from");
    let mut random = Random::new(1);
    let mut formatted = 0;
    for round in 0..count {
        let mut text = window(&texts[random.below(texts.len())], &mut random);
        for _ in 0..1 + random.below(6) {
            text = mutate(text, &texts, &mut random);
        }
        check(&text);
        if round % 4 == 0 {
            let _ = parse_expression(FileId::new(0), &text);
        }
        if let Ok(once) = format(&text) {
            same_tokens(&text, &once).unwrap_or_else(|why| panic!("{why} in\n{text}"));
            assert_eq!(format(&once).as_ref(), Ok(&once), "formatting again changes\n{text}");
            formatted += 1;
        }
    }
    println!("{count} inputs, {formatted} of them still correct");
}

#[test]
fn truncated_texts_do_not_break_the_parser() {
    for (_, text) in modelica_files(&suite()) {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            check(&text[..end]);
        }
    }
}

/// Spans lie in the text, on character boundaries; there is never a flood of messages.
fn check(text: &str) {
    let (tree, diagnostics) = parse(FileId::new(0), text);
    assert!(diagnostics.len() <= 101);
    let spans = diagnostics.iter().flat_map(|d| d.labels.iter().map(|l| l.span));
    for span in spans.chain(tree.comments.iter().copied()).chain(tree.classes.iter().map(|c| c.span)) {
        let range = span.start as usize..span.end as usize;
        assert!(text.get(range.clone()).is_some(), "span {range:?} in\n{text}");
    }
}

fn window(text: &str, random: &mut Random) -> String {
    if text.len() <= WINDOW || random.below(4) == 0 {
        return text.chars().take(2 * WINDOW).collect();
    }
    let start = text.floor_char_boundary(random.below(text.len() - WINDOW));
    text[start..text.floor_char_boundary(start + WINDOW)].to_string()
}

fn mutate(text: String, texts: &[String], random: &mut Random) -> String {
    let a = text.floor_char_boundary(random.below(text.len() + 1));
    let near = a + random.below(40);
    let b = text.floor_char_boundary(near.min(text.len()));
    let (head, middle, tail) = (&text[..a], &text[a..b], &text[b..]);
    match random.below(8) {
        0 => head.to_string(),
        1 => tail.to_string(),
        2 => format!("{head}{tail}"),
        3 => format!("{head}{middle}{middle}{tail}"),
        4 => {
            let other = &texts[random.below(texts.len())];
            let from = other.floor_char_boundary(random.below(other.len() + 1));
            let to = other.floor_char_boundary((from + random.below(60)).min(other.len()));
            format!("{head}{}{tail}", &other[from..to])
        }
        5 => {
            let piece = PIECES[random.below(PIECES.len())];
            format!("{head}{}{middle}{tail}", piece.repeat(1 + random.below(3)))
        }
        _ => format!("{head}{}{tail}", PIECES[random.below(PIECES.len())]),
    }
}
