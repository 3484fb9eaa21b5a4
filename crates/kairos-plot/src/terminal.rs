//! A quick drawing in the terminal, in Braille dots.

use crate::axis::ticks;
use crate::drawing::Pane;
use std::fmt::Write;

const COLUMNS: usize = 72;
const ROWS: usize = 16;

pub fn draw(pane: &Pane, across: &str) -> String {
    let (left, right, bottom, top) = pane.bounds();
    let (width, height) = (2 * COLUMNS, 4 * ROWS);
    let mut dots = vec![0u8; COLUMNS * ROWS];
    let place = |(t, v): (f64, f64)| {
        let x = (t - left) / (right - left) * (width - 1) as f64;
        let y = (top - v) / (top - bottom) * (height - 1) as f64;
        (x, y)
    };
    for series in &pane.series {
        let points: Vec<(f64, f64)> = series.corners().into_iter().map(place).collect();
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let steps = (x1 - x0).abs().max((y1 - y0).abs()).ceil().max(1.0);
            for k in 0..=steps as usize {
                let part = k as f64 / steps;
                dot(&mut dots, x0 + part * (x1 - x0), y0 + part * (y1 - y0));
            }
        }
    }
    let labels = ticks(bottom, top, 8);
    let mut out = String::new();
    for row in 0..ROWS {
        let span = (top - bottom) / ROWS as f64;
        let (high, low) = (top - row as f64 * span, top - (row + 1) as f64 * span);
        let label = labels.iter().find(|(v, _)| *v <= high && *v > low).map_or("", |(_, text)| text);
        let line: String = dots[row * COLUMNS..(row + 1) * COLUMNS]
            .iter()
            .map(|&bits| char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' '))
            .collect();
        let _ = writeln!(out, "{label:>10} │{line}");
    }
    let names: Vec<&str> = pane.series.iter().map(|s| s.name.as_str()).collect();
    let _ = writeln!(out, "{:>10} └{}", "", "─".repeat(COLUMNS));
    let _ = writeln!(out, "{:>12}{across}, {left} … {right}: {}", "", names.join(", "));
    out
}

fn dot(dots: &mut [u8], x: f64, y: f64) {
    const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
    let (x, y) = (x.round().max(0.0) as usize, y.round().max(0.0) as usize);
    let (column, row) = (x / 2, y / 4);
    if column < COLUMNS && row < ROWS {
        dots[row * COLUMNS + column] |= BITS[x % 2][y % 4];
    }
}

#[cfg(test)]
mod tests {
    use crate::{Pane, Series};

    #[test]
    fn a_ramp_goes_up() {
        let points = (0..100).map(|i| (f64::from(i), f64::from(i))).collect();
        let series = vec![Series { name: "x".into(), points, ..Series::default() }];
        let text = super::draw(&Pane { series }, "s");
        let first = text.lines().next().unwrap_or_default();
        assert!(first.trim_end_matches('⠀').ends_with(|c: char| c != '│' && c != ' '), "{text}");
        assert!(text.contains("s, 0 … 99: x"));
    }
}
