//! Parses and formats every Modelica file below the directory that KAIROS_LIBRARY_DIR names, if any.

mod common;

use common::{modelica_files, same_tokens};
use kairos_base::{FileId, SourceMap, render_text};
use kairos_syntax::{format, parse};
use std::path::Path;

#[test]
fn a_library_parses_and_formats() {
    let Some(root) = std::env::var_os("KAIROS_LIBRARY_DIR") else {
        return;
    };
    let files = modelica_files(Path::new(&root));
    assert!(!files.is_empty(), "no Modelica files below {root:?}");
    let mut failures = Vec::new();
    for (path, text) in &files {
        if let Err(why) = check(path, text) {
            failures.push(format!("{path}: {why}"));
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), files.len(), failures.join("\n"));
}

fn check(path: &str, text: &str) -> Result<(), String> {
    let (_, diagnostics) = parse(FileId::new(0), text);
    if !diagnostics.is_empty() {
        let mut sources = SourceMap::default();
        sources.add(path, text);
        return Err(render_text(&diagnostics, &sources, false));
    }
    let once = format(text).map_err(|_| "not formatted")?;
    same_tokens(text, &once)?;
    let twice = format(&once).map_err(|_| "not formatted twice")?;
    match once.lines().zip(twice.lines()).position(|(a, b)| a != b) {
        Some(line) => Err(format!(
            "not idempotent at line {}:\n  {}\n  {}",
            line + 1,
            once.lines().nth(line).unwrap_or(""),
            twice.lines().nth(line).unwrap_or("")
        )),
        None if once.len() != twice.len() => Err("not idempotent in length".to_string()),
        None => Ok(()),
    }
}
