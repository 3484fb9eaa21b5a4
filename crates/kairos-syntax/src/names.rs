//! A parse-local cache in front of the process-wide table of names, which takes a lock.

use kairos_base::Name;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

pub struct NameCache<'a> {
    names: HashMap<&'a str, Name, BuildHasherDefault<WordHasher>>,
}

impl<'a> NameCache<'a> {
    pub fn new() -> Self {
        Self { names: HashMap::with_capacity_and_hasher(256, BuildHasherDefault::default()) }
    }

    pub fn intern(&mut self, text: &'a str) -> Name {
        *self.names.entry(text).or_insert_with(|| match text.starts_with('\'') && text.contains('\\') {
            true => Name::new(&without_redundant_escapes(text)),
            false => Name::new(text),
        })
    }
}

/// MLS A.1: `\?` and `\"` in a quoted name are the same as `?` and `"`.
fn without_redundant_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('?' | '"')) => {}
            ('\\', Some(&next)) => {
                out.push(c);
                out.push(next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

/// A multiplicative hash over 8-byte words: the keys are short and come from one text.
#[derive(Default)]
struct WordHasher(u64);

impl WordHasher {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.mix(u64::from_le_bytes(word.try_into().unwrap_or_default()));
        }
        let tail = words.remainder();
        if !tail.is_empty() {
            self.mix(tail.iter().fold(tail.len() as u64, |acc, &b| acc << 8 | u64::from(b)));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.mix(u64::from(byte));
    }

    fn finish(&self) -> u64 {
        // The table takes its bucket from the low bits and its tag from the high ones.
        self.0 ^ (self.0 >> 29)
    }
}
