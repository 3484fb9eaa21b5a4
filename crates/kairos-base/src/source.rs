//! Source files and positions in them.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

crate::id! {
    /// A file in the `SourceMap`.
    FileId
}

/// A byte range of a source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Self { file, start: start as u32, end: end as u32 }
    }

    /// From the start of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { end: other.end.max(self.end), ..self }
    }
}

#[derive(Clone)]
struct File {
    path: String,
    /// Absent where only places travelled (`SourceMap::places`).
    text: Option<Arc<str>>,
    /// Byte offsets of the line starts.
    lines: Vec<u32>,
    /// Without a text: byte offsets at which no character begins, in order, and the digest of the text.
    inside: Vec<u32>,
    digest: u64,
}

/// What a file without its text leaves of itself: enough to tell line and column of a span.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Places {
    path: String,
    /// Distances between the starts of the lines, in bytes.
    lines: Vec<u32>,
    /// Distances between the bytes at which no character begins.
    inside: Vec<u32>,
    digest: u64,
}

/// All texts that spans point into.
#[derive(Clone, Default)]
pub struct SourceMap {
    files: Vec<File>,
}

impl SourceMap {
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let text = text.into();
        let lines = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        self.files.push(File { path: path.into(), text: Some(text), lines, inside: Vec::new(), digest: 0 });
        FileId::new(self.files.len() - 1)
    }

    /// All files without their texts; `wanted` tells those in which places are asked for.
    pub fn places(&self, wanted: impl Fn(FileId) -> bool) -> Vec<Places> {
        let of_file = |(k, file): (usize, &File)| {
            let (id, path) = (FileId::new(k), file.path.clone());
            let digest = self.digest(id);
            if !wanted(id) {
                return Places { path, digest, ..Places::default() };
            }
            let inside = match &file.text {
                Some(text) => {
                    let offsets = (0..).zip(text.bytes()).filter(|(_, byte)| byte & 0xc0 == 0x80);
                    offsets.map(|(at, _)| at).collect()
                }
                None => file.inside.clone(),
            };
            Places { path, lines: differences(&file.lines), inside: differences(&inside), digest }
        };
        self.files.iter().enumerate().map(of_file).collect()
    }

    /// The files of `places`, with the same ids.
    pub fn from_places(places: Vec<Places>) -> Self {
        let file = |place: Places| {
            // The first line begins with the file, whatever the bytes say.
            let lines = std::iter::once(0).chain(sums(&place.lines).skip(1)).collect();
            let inside = sums(&place.inside).collect();
            File { path: place.path, text: None, lines, inside, digest: place.digest }
        };
        SourceMap { files: places.into_iter().map(file).collect() }
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub fn ids(&self) -> impl Iterator<Item = FileId> {
        (0..self.files.len()).map(FileId::new)
    }

    pub fn path(&self, file: FileId) -> &str {
        &self.files[file.index()].path
    }

    /// The text of a file; empty where only places are known.
    pub fn text(&self, file: FileId) -> Arc<str> {
        self.files[file.index()].text.clone().unwrap_or_default()
    }

    /// A digest of the text of a file (FNV-1a), also where only places are known: the same for the same text.
    pub fn digest(&self, file: FileId) -> u64 {
        let file = &self.files[file.index()];
        let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        file.text.as_ref().map_or(file.digest, |text| text.bytes().fold(0xcbf2_9ce4_8422_2325, add))
    }

    /// The text that a span covers.
    pub fn slice(&self, span: Span) -> &str {
        let text = self.files[span.file.index()].text.as_deref().unwrap_or("");
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of an offset, both from 1; columns count characters.
    pub fn position(&self, file: FileId, offset: u32) -> (usize, usize) {
        let file = &self.files[file.index()];
        let line = file.lines.partition_point(|&start| start <= offset) - 1;
        let start = file.lines[line];
        let column = match &file.text {
            Some(text) => text.get(start as usize..offset as usize).unwrap_or("").chars().count(),
            None => {
                let before = |at: u32| file.inside.partition_point(|&inside| inside < at);
                (offset - start) as usize - (before(offset) - before(start))
            }
        };
        (line + 1, column + 1)
    }

    /// A line's text without its end, numbered from 1; `None` where only places are known.
    pub fn line(&self, file: FileId, line: usize) -> Option<&str> {
        let file = &self.files[file.index()];
        let text = file.text.as_deref()?;
        let start = file.lines[line - 1] as usize;
        let end = file.lines.get(line).map_or(text.len(), |&end| end as usize);
        Some(text[start..end].trim_end_matches(['\n', '\r']))
    }
}

/// The first of ascending numbers, and the distance of each further one from the one before.
fn differences(list: &[u32]) -> Vec<u32> {
    let before = std::iter::once(0).chain(list.iter().copied());
    list.iter().zip(before).map(|(at, before)| at - before).collect()
}

/// The numbers of which these are the differences; sums that no file reaches stay at the largest.
fn sums(differences: &[u32]) -> impl Iterator<Item = u32> {
    differences.iter().scan(0, |at: &mut u32, step| {
        *at = at.saturating_add(*step);
        Some(*at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_say_the_same_without_the_text() {
        let mut sources = SourceMap::default();
        let text = "model M\n  Real größe \"Länge\"; Real x;\n\nend M;";
        let file = sources.add("M.mo", text);
        let bare = SourceMap::from_places(sources.places(|_| true));
        let again = SourceMap::from_places(bare.places(|_| true));
        for (offset, _) in text.char_indices() {
            let expected = sources.position(file, offset as u32);
            assert_eq!(bare.position(file, offset as u32), expected, "at {offset}");
            assert_eq!(again.position(file, offset as u32), expected, "at {offset}");
        }
        assert_eq!((bare.path(file), bare.line(file, 1)), ("M.mo", None));
        let unwanted = SourceMap::from_places(sources.places(|_| false));
        assert_eq!(unwanted.position(file, 0), (1, 1));
        assert_eq!([&bare, &again, &unwanted].map(|map| map.digest(file)), [sources.digest(file); 3]);
    }
}
