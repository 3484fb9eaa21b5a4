//! A quick drawing in the terminal, in Braille dots.
//!
//! Lines differ by colour where the terminal has colours, by gaps everywhere, and each has a letter at its right end and in
//! the legend.

use crate::axis::ticks;
use crate::drawing::{Drawing, Pane, Series};
use std::fmt::Write;

const COLUMNS: usize = 72;
const ROWS: usize = 16;

/// Colours of the terminal, in the order of the lines.
const COLOURS: [&str; 6] = ["34", "31", "32", "33", "35", "36"];

/// A cell of the drawing: dots, and the line that has the last of them.
#[derive(Clone, Copy, Default)]
struct Cell {
    dots: u8,
    line: usize,
    letter: Option<char>,
}

/// Draws all panes.
pub fn draw(drawing: &Drawing, colours: bool) -> String {
    let shown = drawing.shown();
    let across = shown.across.clone().unwrap_or_default();
    shown.panes.iter().map(|pane| draw_pane(pane, &across, colours)).collect()
}

fn draw_pane(pane: &Pane, across: &str, colours: bool) -> String {
    let ((left, right), (low, high)) = (pane.span(), values(pane));
    let room = 0.05 * (high - low);
    let (bottom, top) = (low - room, high + room);
    let (width, height) = (2 * COLUMNS, 4 * ROWS);
    let mut cells = vec![Cell::default(); COLUMNS * ROWS];
    let place = |(t, v): (f64, f64)| {
        let x = (t - left) / (right - left) * (width - 1) as f64;
        let y = (top - v) / (top - bottom) * (height - 1) as f64;
        (x, y)
    };
    let several = pane.series.len() > 1;
    let mut letters: Vec<(usize, usize, char, usize)> = Vec::new();
    for (k, series) in pane.series.iter().enumerate() {
        let points: Vec<(f64, f64)> = series.corners().into_iter().map(place).collect();
        let mut walked = 0;
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let steps = (x1 - x0).abs().max((y1 - y0).abs()).ceil().max(1.0);
            for j in 0..=steps as usize {
                let part = j as f64 / steps;
                walked += usize::from(j > 0);
                if shows(k, walked) {
                    dot(&mut cells, x0 + part * (x1 - x0), y0 + part * (y1 - y0), k);
                }
            }
        }
        if let (true, Some(&(x, y))) = (several, points.last()) {
            let column = ((x.round().max(0.0) as usize) / 2).min(COLUMNS - 1);
            letters.push((column, ((y.round().max(0.0) as usize) / 4).min(ROWS - 1), letter(k), k));
        }
    }
    for (column, row, letter, k) in letters {
        // Lines that end at the same place have their letters side by side.
        let free = (0..=column).rev().find(|c| cells[row * COLUMNS + c].letter.is_none());
        if let Some(column) = free {
            cells[row * COLUMNS + column] = Cell { letter: Some(letter), line: k, dots: 0 };
        }
    }
    let labels = ticks(bottom, top, 8);
    let mut out = String::new();
    for row in 0..ROWS {
        let span = (top - bottom) / ROWS as f64;
        let (high, low) = (top - row as f64 * span, top - (row + 1) as f64 * span);
        let label = labels.iter().find(|(v, _)| *v <= high && *v > low).map_or("", |(_, text)| text);
        let line = paint(&cells[row * COLUMNS..(row + 1) * COLUMNS], colours && several);
        let _ = writeln!(out, "{label:>10} │{line}");
    }
    let _ = writeln!(out, "{:>10} └{}", "", "─".repeat(COLUMNS));
    let names: Vec<String> = pane.series.iter().enumerate().map(|(k, s)| named(k, s, several)).collect();
    let _ = writeln!(out, "{:>12}{across}, {left} … {right}: {}", "", names.join(", "));
    out
}

fn named(k: usize, series: &Series, several: bool) -> String {
    if several { format!("{} {}", letter(k), series.name) } else { series.name.clone() }
}

fn letter(k: usize) -> char {
    char::from(b"abcdefghijklmnopqrstuvwxyz"[k % 26])
}

/// Which steps of a line are drawn: the first line all, others with gaps of their own.
fn shows(line: usize, step: usize) -> bool {
    match line % 4 {
        0 => true,
        1 => step % 8 < 5,
        2 => step % 4 < 2,
        _ => step % 10 < 5 || step % 10 == 7,
    }
}

/// The values that the vertical axis spans, those of lanes included.
fn values(pane: &Pane) -> (f64, f64) {
    let whole = Pane { series: pane.series.iter().map(|s| Series { lane: None, ..s.clone() }).collect() };
    whole.range()
}

fn paint(cells: &[Cell], colours: bool) -> String {
    let mut out = String::new();
    let mut current = None;
    for cell in cells {
        let c = cell.letter.unwrap_or_else(|| char::from_u32(0x2800 + u32::from(cell.dots)).unwrap_or(' '));
        let wanted =
            (colours && (cell.dots > 0 || cell.letter.is_some())).then(|| COLOURS[cell.line % COLOURS.len()]);
        if wanted != current {
            out.push_str(if wanted.is_none() { "\u{1b}[0m" } else { "" });
            if let Some(colour) = wanted {
                let _ = write!(out, "\u{1b}[{colour}m");
            }
            current = wanted;
        }
        out.push(c);
    }
    if current.is_some() {
        out.push_str("\u{1b}[0m");
    }
    out
}

fn dot(cells: &mut [Cell], x: f64, y: f64, line: usize) {
    const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
    let (x, y) = (x.round().max(0.0) as usize, y.round().max(0.0) as usize);
    let (column, row) = (x / 2, y / 4);
    if column < COLUMNS && row < ROWS {
        let cell = &mut cells[row * COLUMNS + column];
        cell.dots |= BITS[x % 2][y % 4];
        cell.line = line;
    }
}

#[cfg(test)]
mod tests {
    use crate::{Drawing, Pane, Series};

    fn ramp(name: &str, factor: f64) -> Series {
        let points = (0..100).map(|i| (f64::from(i), factor * f64::from(i))).collect();
        Series { name: name.into(), points, ..Series::default() }
    }

    #[test]
    fn a_ramp_goes_up() {
        let panes = vec![Pane { series: vec![ramp("x", 1.0)] }];
        let text = super::draw(&Drawing { panes, across: Some("s".into()), ..Drawing::default() }, false);
        let first = text.lines().next().unwrap_or_default();
        assert!(first.trim_end_matches('⠀').ends_with(|c: char| c != '│' && c != ' '), "{text}");
        assert!(text.contains("s, 0 … 99: x"));
    }

    #[test]
    fn two_lines_are_told_apart_without_and_with_colours() {
        let panes = vec![Pane { series: vec![ramp("x", 1.0), ramp("y", -1.0)] }];
        let drawing = Drawing { panes, ..Drawing::default() };
        let plain = super::draw(&drawing, false);
        assert!(plain.contains(": a x, b y") && !plain.contains('\u{1b}'));
        let first = plain.lines().find(|line| line.ends_with('a'));
        assert!(first.is_some(), "the letter stands at the end of the line:\n{plain}");
        let coloured = super::draw(&drawing, true);
        assert!(coloured.contains("\u{1b}[34m") && coloured.contains("\u{1b}[31m"));
    }
}
