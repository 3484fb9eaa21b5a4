//! Every fixture gives exactly the diagnostics that its comments announce.
//!
//! `// error[code]` expects one on its line, `// next: error[code]` on the line below.

mod common;

use common::{modelica_files, same_tokens, suite};
use kairos_base::{Severity, SourceMap, render_text};
use kairos_syntax::{format, parse};

#[test]
fn fixtures_give_the_announced_diagnostics() {
    let files = modelica_files(&suite());
    assert!(files.len() > 5, "fixtures not found");
    let mut failures = String::new();
    for (path, text) in files {
        let mut sources = SourceMap::default();
        let file = sources.add(path.as_str(), text.as_str());
        let (_, diagnostics) = parse(file, &text);
        let mut found: Vec<(usize, String)> = diagnostics
            .iter()
            .map(|d| {
                let line = d.labels.first().map_or(0, |l| sources.position(file, l.span.start).0);
                let word = if d.severity == Severity::Error { "error" } else { "warning" };
                (line, format!("{word}[{}]", d.code))
            })
            .collect();
        found.sort();
        let expected = announced(&text);
        if found != expected {
            failures += &format!("{path}\n expected {expected:?}\n found    {found:?}\n");
            failures += &render_text(&diagnostics, &sources, false);
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn every_error_names_a_place_and_rejected_files_have_a_way_out() {
    for (path, text) in modelica_files(&suite().join("reject")) {
        let mut sources = SourceMap::default();
        let file = sources.add(path.as_str(), text.as_str());
        for d in parse(file, &text).1 {
            assert!(!d.labels.is_empty(), "{path}: {d:?}");
            assert!(d.code == "unexpected-token" || !d.help.is_empty(), "{path}: {d:?}");
        }
    }
}

#[test]
fn formatting_keeps_tokens_and_happens_once() {
    for (path, text) in modelica_files(&suite()) {
        let Ok(once) = format(&text) else {
            assert!(text.contains("error["), "{path} was not formatted");
            continue;
        };
        same_tokens(&text, &once).unwrap_or_else(|why| panic!("{path}: {why}"));
        assert_eq!(format(&once).as_ref(), Ok(&once), "{path}: formatting again changes it");
    }
}

/// `Name.mo` in the format directory is written as `Name.formatted`; KAIROS_BLESS=1 rewrites those.
#[test]
fn formatted_texts_are_as_expected() {
    let bless = std::env::var_os("KAIROS_BLESS").is_some();
    for (path, text) in modelica_files(&suite().join("format")) {
        let beside = path.replace(".mo", ".formatted");
        let formatted = format(&text).unwrap_or_else(|d| panic!("{path}: {d:?}"));
        if bless {
            std::fs::write(&beside, &formatted).expect("the fixtures can be written");
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        assert_eq!(formatted, expected, "{path}");
    }
}

fn announced(text: &str) -> Vec<(usize, String)> {
    let mut expected = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let Some((_, comment)) = line.split_once("// ") else { continue };
        let below = usize::from(comment.starts_with("next: "));
        let words = comment.trim_start_matches("next: ").split_whitespace();
        for word in words.take_while(|w| w.starts_with("error[") || w.starts_with("warning[")) {
            expected.push((at + 1 + below, word.to_string()));
        }
    }
    expected.sort();
    expected
}
