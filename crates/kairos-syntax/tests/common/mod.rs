//! What several tests of the syntax need.

#![allow(dead_code)]

use kairos_base::FileId;
use kairos_syntax::lex;
use std::path::{Path, PathBuf};

/// The directory of the fixtures.
pub fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/syntax")
}

/// The names and texts of all Modelica files below a directory, in the order of their names.
pub fn modelica_files(root: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut pending = vec![root.to_path_buf()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(&path).into_iter().flatten().flatten().map(|e| e.path()));
        } else if path.extension().is_some_and(|e| e == "mo") {
            let bytes = std::fs::read(&path).unwrap_or_default();
            files.push((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    files.sort();
    files
}

/// Whether two texts have the same tokens and comments, in the same order.
pub fn same_tokens(a: &str, b: &str) -> Result<(), String> {
    let (left, right) = (words(a), words(b));
    for (x, y) in left.iter().zip(&right) {
        if x != y {
            return Err(format!("`{x}` became `{y}`"));
        }
    }
    match left.len() == right.len() {
        true => Ok(()),
        false => Err(format!("{} tokens became {}", left.len(), right.len())),
    }
}

/// Tokens and comments in source order; the white space at the end of comments does not count.
fn words(text: &str) -> Vec<&str> {
    let lexed = lex(FileId::new(0), text);
    let mut ranges: Vec<(usize, usize)> =
        lexed.tokens.iter().map(|t| (t.start as usize, t.end as usize)).collect();
    ranges.extend(lexed.comments.iter().map(|c| (c.start as usize, c.end as usize)));
    ranges.sort_unstable();
    ranges.into_iter().map(|(start, end)| text[start..end].trim_end()).collect()
}

/// Small deterministic random numbers (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `limit`; 0 for a limit of 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }
}
