//! Comments and line ends anywhere between tokens survive formatting, and formatting twice is once.
//!
//! KAIROS_FUZZ_DIR and KAIROS_FUZZ_COUNT work as for the broken texts.

mod common;

use common::{Random, modelica_files, same_tokens, suite};
use kairos_base::FileId;
use kairos_syntax::{format, lex};
use std::path::PathBuf;

const GAPS: &[&str] = &[
    " ",
    " ",
    " ",
    " ",
    "  \n",
    "\n\n\n",
    "\t",
    " // note\n",
    "\n// own line\n",
    " /* a */ ",
    "\n/* b */",
    " /* c */\n",
    "\r\n\r\n",
    " // k\r",
    "\n  /* d\n   two lines */\n",
    " /* e */ /* f */ // g\n",
    "\n\n// h\n\n/* i */ // j\n\n",
];

#[test]
fn comments_anywhere_survive_formatting() {
    let directory = std::env::var_os("KAIROS_FUZZ_DIR").map(PathBuf::from);
    let count = std::env::var("KAIROS_FUZZ_COUNT").ok().and_then(|v| v.parse().ok()).unwrap_or(400);
    let texts: Vec<String> = modelica_files(&directory.unwrap_or_else(suite))
        .into_iter()
        .map(|(_, text)| text)
        .filter(|text| text.len() < 20_000 && format(text).is_ok())
        .collect();
    let mut random = Random::new(3);
    for _ in 0..count {
        let rate = 2 + random.below(40);
        let text = &texts[random.below(texts.len())];
        let scattered = scatter(text, rate, &mut random);
        let once = format(&scattered).unwrap_or_else(|d| panic!("{d:?} in\n{scattered}"));
        same_tokens(&scattered, &once).unwrap_or_else(|why| panic!("{why} in\n{scattered}"));
        let twice = format(&once).unwrap_or_else(|d| panic!("{d:?} in\n{once}"));
        assert!(once == twice, "formatting again changes\n{once}\nto\n{twice}");
    }
}

/// The tokens of a text with other white space and comments between them.
fn scatter(text: &str, rate: usize, random: &mut Random) -> String {
    let mut out = String::new();
    for token in lex(FileId::new(0), text).tokens {
        out.push_str(&text[token.start as usize..token.end as usize]);
        out.push_str(if random.below(rate) == 0 { GAPS[random.below(GAPS.len())] } else { " " });
    }
    out
}
