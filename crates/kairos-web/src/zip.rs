//! Reads zips: the directory at the end, then single files as they are asked for.
//!
//! What libraries come in is small and plain: files that are stored or deflated, without encryption, below 4 GB. Crates for all
//! that a zip can be ask the browser for random numbers, which reading does not need.

use flate2::read::DeflateDecoder;
use std::io::{self, Read};

/// A file in a zip.
struct Entry {
    name: String,
    method: u16,
    packed: usize,
    size: usize,
    /// Where its own header begins.
    header: usize,
}

/// A zip in memory.
pub struct Zip {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

/// No text or picture of a library is larger.
const LARGEST: usize = 1 << 28;

impl Zip {
    /// Reads the directory; an error says what is wrong.
    pub fn new(bytes: Vec<u8>) -> Result<Self, &'static str> {
        let cut = "it is cut off";
        // The end record has 22 bytes and a comment of at most 65535.
        let from = bytes.len().saturating_sub(22 + 0xffff);
        let end =
            (from..bytes.len().saturating_sub(21)).rev().find(|&k| bytes[k..].starts_with(b"PK\x05\x06"));
        let end = end.ok_or("it has no directory")?;
        let count = u16_at(&bytes, end + 10).ok_or(cut)?;
        let mut at = u32_at(&bytes, end + 16).ok_or(cut)?;
        let mut entries = Vec::new();
        for _ in 0..count {
            if !bytes.get(at..).is_some_and(|rest| rest.starts_with(b"PK\x01\x02")) {
                return Err("its directory is damaged");
            }
            let number = |k: usize| u16_at(&bytes, at + k).ok_or(cut);
            let long = |k: usize| u32_at(&bytes, at + k).ok_or(cut);
            let (length, extra, comment) = (number(28)?, number(30)?, number(32)?);
            let name = bytes.get(at + 46..at + 46 + usize::from(length)).ok_or(cut)?;
            entries.push(Entry {
                name: String::from_utf8_lossy(name).replace('\\', "/"),
                method: number(10)?,
                packed: long(20)?,
                size: long(24)?,
                header: long(42)?,
            });
            at += 46 + usize::from(length) + usize::from(extra) + usize::from(comment);
        }
        Ok(Self { bytes, entries })
    }

    /// The names of all files, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// The content of a file, by its place in the order.
    pub fn read(&self, place: usize) -> io::Result<Vec<u8>> {
        let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_string());
        let entry = self.entries.get(place).ok_or_else(|| wrong("there is no such file"))?;
        if entry.size > LARGEST {
            return Err(wrong("the file is too large"));
        }
        let number = |k: usize| u16_at(&self.bytes, entry.header + k).map(usize::from);
        let data = number(26).zip(number(28)).and_then(|(name, extra)| {
            let from = entry.header + 30 + name + extra;
            self.bytes.get(from..from.checked_add(entry.packed)?)
        });
        let data = data.ok_or_else(|| wrong("the file is cut off"))?;
        match entry.method {
            0 => Ok(data.to_vec()),
            8 => {
                let mut content = Vec::with_capacity(entry.size);
                DeflateDecoder::new(data).take(LARGEST as u64).read_to_end(&mut content)?;
                Ok(content)
            }
            _ => Err(wrong("the file is packed in a way that is not known here")),
        }
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)).ok()
}
