//! Two texts side by side: the lines that differ, with some around them, as `patch` reads them.

use std::fmt::Write;

/// Lines shown before and behind a change.
const AROUND: usize = 3;

/// A run of lines that differ: where in the old text, where in the new one.
struct Change {
    old: std::ops::Range<usize>,
    new: std::ops::Range<usize>,
}

/// The difference of two texts in unified form.
pub fn unified(name: &str, old: &str, new: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let changes = changes(&a, &b);
    let mut out = format!("--- {name}\n+++ {name}\n");
    let mut at = 0;
    while at < changes.len() {
        let mut last = at;
        while last + 1 < changes.len() && changes[last + 1].old.start <= changes[last].old.end + 2 * AROUND {
            last += 1;
        }
        let (first, end) = (&changes[at], &changes[last]);
        let before = first.old.start.min(AROUND);
        let behind = (a.len() - end.old.end).min(AROUND);
        let (from, to) = (first.old.start - before, first.new.start - before);
        let counts = (end.old.end + behind - from, end.new.end + behind - to);
        let _ = writeln!(out, "@@ -{},{} +{},{} @@", from + 1, counts.0, to + 1, counts.1);
        let mut line = from;
        for change in &changes[at..=last] {
            a[line..change.old.start].iter().for_each(|text| out.extend([" ", text, "\n"]));
            a[change.old.clone()].iter().for_each(|text| out.extend(["-", text, "\n"]));
            b[change.new.clone()].iter().for_each(|text| out.extend(["+", text, "\n"]));
            line = change.old.end;
        }
        a[line..end.old.end + behind].iter().for_each(|text| out.extend([" ", text, "\n"]));
        at = last + 1;
    }
    out
}

/// The runs of lines that differ. After a difference the nearest line that both have goes on: a conversion changes lines in
/// their places, so that there is nothing to gain from a search for the shortest difference.
fn changes(a: &[&str], b: &[&str]) -> Vec<Change> {
    let (mut i, mut j, mut list) = (0, 0, Vec::new());
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let (start, begin) = (i, j);
        (i, j) = meeting(a, b, i, j);
        list.push(Change { old: start..i, new: begin..j });
    }
    list
}

/// The nearest place behind `i` and `j` where both texts go on alike.
fn meeting(a: &[&str], b: &[&str], i: usize, j: usize) -> (usize, usize) {
    let longest = a.len() - i + (b.len() - j);
    for distance in 1..longest {
        // As many lines on both sides first, since most changes keep their number.
        let mut splits: Vec<usize> = (0..=distance).collect();
        splits.sort_by_key(|&down| (2 * down).abs_diff(distance));
        for down in splits {
            let (x, y) = (i + down, j + distance - down);
            if x < a.len() && y < b.len() && a[x] == b[y] {
                return (x, y);
            }
        }
    }
    (a.len(), b.len())
}
