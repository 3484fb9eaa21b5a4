//! Pieces of text that replace others.

/// One piece: the bytes from `start` to `end` become `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    pub start: usize,
    pub end: usize,
    pub text: String,
}

impl Patch {
    /// New text at a place.
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Patch { start: at, end: at, text: text.into() }
    }

    /// Other text for a range.
    pub fn replace(start: usize, end: usize, text: impl Into<String>) -> Self {
        Patch { start, end, text: text.into() }
    }

    /// Nothing for a range.
    pub fn remove(start: usize, end: usize) -> Self {
        Patch { start, end, text: String::new() }
    }
}

/// The text with its patches. They refer to the text as it was and do not overlap; what does is left out.
pub fn apply(text: &str, patches: &[Patch]) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for patch in in_order(text, patches) {
        out.push_str(&text[at..patch.start]);
        out.push_str(&patch.text);
        at = patch.end;
    }
    out.push_str(&text[at..]);
    out
}

/// The patches that lead from the patched text back to `text`.
pub fn invert(text: &str, patches: &[Patch]) -> Vec<Patch> {
    let (mut back, mut shift) = (Vec::with_capacity(patches.len()), 0isize);
    for patch in in_order(text, patches) {
        let start = patch.start.wrapping_add_signed(shift);
        back.push(Patch::replace(start, start + patch.text.len(), &text[patch.start..patch.end]));
        shift += patch.text.len() as isize - (patch.end - patch.start) as isize;
    }
    back
}

/// The patches that can be applied, from the first to the last.
fn in_order<'p>(text: &str, patches: &'p [Patch]) -> Vec<&'p Patch> {
    let fits = |p: &&Patch| p.start <= p.end && text.get(p.start..p.end).is_some();
    let mut list: Vec<&Patch> = patches.iter().filter(fits).collect();
    list.sort_by_key(|p| (p.start, p.end));
    let mut end = 0;
    list.retain(|p| {
        let free = p.start >= end;
        if free {
            end = p.end;
        }
        free
    });
    list
}
