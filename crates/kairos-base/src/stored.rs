//! Bytes that Kairos writes for itself: what they are, who wrote them, and whether they are whole.
//!
//! A file has a head in plain text, so that `head -c 64` says what it is, then the length and a digest of its body, then
//! the body. Only a program of the same build reads the body: it is laid out as that program's own types are. Whether the
//! body is what was written is known before any of it is read, so that damage is a message and not a surprise.

use crate::keyed::Keyed;
use std::fmt;

/// The first bytes of everything that is stored.
const MARK: &[u8] = b"kairos ";
/// A head is not longer than this.
const HEAD: usize = 256;
/// Larger bodies are refused before they are looked at.
const LARGEST: u64 = 4 << 30;

/// What stands before a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind<'a> {
    /// The sort of thing: `model`, `run`.
    pub name: &'a str,
    /// The program that wrote it: its version and the mark of its sources.
    pub build: &'a str,
}

/// Why bytes are not what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// They do not begin as stored bytes do.
    Foreign,
    /// They are something else that Kairos stores, by this name.
    Other(String),
    /// Another build wrote them, this one.
    Version(String),
    /// Something is missing or changed.
    Damaged,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Foreign => f.write_str("it is not written by Kairos"),
            Unreadable::Other(name) => write!(f, "it holds a {name}"),
            Unreadable::Version(build) => write!(f, "it was written by Kairos {build}"),
            Unreadable::Damaged => f.write_str("it is damaged: its digest does not agree with its content"),
        }
    }
}

/// Puts a head before a body.
pub fn seal(kind: &Kind, body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + HEAD);
    out.extend(MARK);
    out.extend(format!("{} {}\n", kind.name, kind.build).bytes());
    out.extend((body.len() as u64).to_le_bytes());
    out.extend(digest(body));
    out.extend(body);
    out
}

/// The body, if the bytes are of this kind, of this build, and whole.
pub fn open<'a>(kind: &Kind, bytes: &'a [u8]) -> Result<&'a [u8], Unreadable> {
    let rest = bytes.strip_prefix(MARK).ok_or(Unreadable::Foreign)?;
    let end = rest.iter().take(HEAD).position(|&byte| byte == b'\n').ok_or(Unreadable::Damaged)?;
    let head = std::str::from_utf8(&rest[..end]).map_err(|_| Unreadable::Damaged)?;
    let (name, build) = head.split_once(' ').ok_or(Unreadable::Damaged)?;
    if name != kind.name {
        return Err(Unreadable::Other(name.escape_debug().to_string()));
    }
    if build != kind.build {
        return Err(Unreadable::Version(build.escape_debug().to_string()));
    }
    let (length, rest) = rest[end + 1..].split_first_chunk().ok_or(Unreadable::Damaged)?;
    let (expected, body) = rest.split_first_chunk::<16>().ok_or(Unreadable::Damaged)?;
    let length = u64::from_le_bytes(*length);
    let whole = length <= LARGEST && length == body.len() as u64 && *expected == digest(body);
    if whole { Ok(body) } else { Err(Unreadable::Damaged) }
}

/// Do the bytes begin as stored ones do?
pub fn is_stored(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// A digest against damage; whoever wants to can make another file with the right one.
fn digest(body: &[u8]) -> [u8; 16] {
    let mut keyed = Keyed::new(b"kairos: damaged?");
    keyed.write_whole(body);
    keyed.finish()
}

/// Stable texts of the program, as codes of diagnostics, for `#[serde(with = …)]`.
pub mod code {
    use crate::Name;
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes the text.
    pub fn serialize<S: Serializer>(code: &&'static str, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(code)
    }

    /// The text, kept as names are.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
        Name::deserialize(from).map(Name::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind { name: "model", build: "1.2.3 abc" };

    #[test]
    fn what_was_sealed_opens_and_nothing_else_does() {
        let body: Vec<u8> = (0..200).collect();
        let sealed = seal(&KIND, &body);
        assert_eq!(open(&KIND, &sealed), Ok(&body[..]));
        for at in 0..sealed.len() {
            for bit in 0..8 {
                let mut changed = sealed.clone();
                changed[at] ^= 1 << bit;
                assert!(open(&KIND, &changed).is_err(), "bit {bit} of byte {at}");
            }
            assert!(open(&KIND, &sealed[..at]).is_err(), "{at} bytes");
        }
    }

    #[test]
    fn another_kind_or_build_is_named() {
        let sealed = seal(&KIND, &[1, 2]);
        let run = Kind { name: "run", ..KIND };
        assert_eq!(open(&run, &sealed), Err(Unreadable::Other("model".into())));
        let later = Kind { build: "1.2.4 abc", ..KIND };
        assert_eq!(open(&later, &sealed), Err(Unreadable::Version("1.2.3 abc".into())));
        assert_eq!(open(&KIND, b"PK\x03\x04"), Err(Unreadable::Foreign));
    }
}
