//! Source files and positions in them.

use std::sync::Arc;

crate::id! {
    /// A file in the `SourceMap`.
    FileId
}

/// A byte range of a source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    text: Arc<str>,
    /// Byte offsets of the line starts.
    lines: Vec<u32>,
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
        self.files.push(File { path: path.into(), text, lines });
        FileId::new(self.files.len() - 1)
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

    pub fn text(&self, file: FileId) -> Arc<str> {
        self.files[file.index()].text.clone()
    }

    /// The text that a span covers.
    pub fn slice(&self, span: Span) -> &str {
        let text = &self.files[span.file.index()].text;
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of an offset, both from 1; columns count characters.
    pub fn position(&self, file: FileId, offset: u32) -> (usize, usize) {
        let file = &self.files[file.index()];
        let line = file.lines.partition_point(|&start| start <= offset) - 1;
        let before = file.text.get(file.lines[line] as usize..offset as usize).unwrap_or("");
        (line + 1, before.chars().count() + 1)
    }

    /// A line's text without its end, numbered from 1.
    pub fn line(&self, file: FileId, line: usize) -> &str {
        let file = &self.files[file.index()];
        let start = file.lines[line - 1] as usize;
        let end = file.lines.get(line).map_or(file.text.len(), |&end| end as usize);
        file.text[start..end].trim_end_matches(['\n', '\r'])
    }
}
