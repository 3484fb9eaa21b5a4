//! Widths of letters, to fit texts into their boxes without a font at hand.

/// Widths of the printable ASCII characters in thousandths of the height: those of common sans-serif faces.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// The width of a text, in heights of its font.
pub fn width(text: &str) -> f64 {
    let letter = |c: char| match (c as usize).checked_sub(32).and_then(|k| WIDTHS.get(k)) {
        Some(&width) => f64::from(width),
        None => 600.0,
    };
    text.chars().map(letter).sum::<f64>() / 1000.0
}
