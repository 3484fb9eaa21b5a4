//! Where everything goes: a drawing becomes shapes on a sheet.

use crate::axis::ticks;
use crate::drawing::{Drawing, Pane, Series};

pub const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 40.0;

/// Lines of a pane take these in turn.
pub const COLOURS: [&str; 8] =
    ["#1b6ca8", "#d1495b", "#2e8b57", "#e08e0b", "#7a4fa3", "#4d4d4d", "#0f9d9d", "#b5651d"];
const GRID: &str = "#e5e5e5";
const FRAME: &str = "#808080";
const MARK: &str = "#b0b0b0";
const TEXT: &str = "#000000";

/// More marks than this would hide the lines.
const MARKS: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A stroke or a text, with what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Stroke {
        class: &'static str,
        points: Vec<(f64, f64)>,
        colour: &'static str,
        width: f64,
        dashed: bool,
    },
    Text {
        class: &'static str,
        at: (f64, f64),
        anchor: Anchor,
        upwards: bool,
        colour: &'static str,
        text: String,
    },
}

/// A sheet with shapes, pane by pane.
pub struct Scene {
    pub title: String,
    pub width: f64,
    pub height: f64,
    pub panes: Vec<Vec<Shape>>,
}

pub fn lay_out(drawing: &Drawing) -> Scene {
    let pitch = HEIGHT + TOP + BOTTOM;
    let panes = drawing.panes.iter().enumerate();
    Scene {
        title: drawing.title.clone(),
        width: WIDTH,
        height: drawing.panes.len() as f64 * pitch + 10.0,
        panes: panes.map(|(k, pane)| lay_out_pane(pane, drawing, k as f64 * pitch)).collect(),
    }
}

fn lay_out_pane(pane: &Pane, drawing: &Drawing, offset: f64) -> Vec<Shape> {
    let (left, right, bottom, top) = pane.bounds();
    let (x0, x1) = (LEFT, WIDTH - RIGHT);
    let (y0, y1) = (offset + TOP + HEIGHT, offset + TOP);
    let x = |t: f64| x0 + (t - left) / (right - left) * (x1 - x0);
    let y = |v: f64| y0 - (v - bottom) / (top - bottom) * (y0 - y1);
    let line = |class, from, to, colour| Shape::Stroke {
        class,
        points: vec![from, to],
        colour,
        width: 1.0,
        dashed: class == "mark",
    };
    let text =
        |class, at, anchor, text| Shape::Text { class, at, anchor, upwards: false, colour: TEXT, text };
    let mut shapes = Vec::new();
    for (t, label) in ticks(left, right, 8) {
        shapes.push(line("grid", (x(t), y0), (x(t), y1), GRID));
        shapes.push(text("tick", (x(t), y0 + 16.0), Anchor::Middle, label));
    }
    for (v, label) in ticks(bottom, top, 5) {
        shapes.push(line("grid", (x0, y(v)), (x1, y(v)), GRID));
        shapes.push(text("tick", (x0 - 6.0, y(v) + 4.0), Anchor::End, label));
    }
    if drawing.marks.len() <= MARKS {
        let inside = drawing.marks.iter().filter(|t| (left..=right).contains(*t));
        shapes.extend(inside.map(|&t| line("mark", (x(t), y0), (x(t), y1), MARK)));
    }
    let corners = vec![(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)];
    shapes.push(Shape::Stroke { class: "frame", points: corners, colour: FRAME, width: 1.0, dashed: false });
    shapes.push(text("label", (0.5 * (x0 + x1), y0 + 32.0), Anchor::Middle, drawing.across.clone()));
    let unit = pane.unit();
    if let Some(unit) = unit {
        let (at, text) = ((x0 - 62.0, 0.5 * (y0 + y1)), format!("in {unit}"));
        shapes.push(Shape::Text {
            class: "label",
            at,
            anchor: Anchor::Middle,
            upwards: true,
            colour: TEXT,
            text,
        });
    }
    let mut legend = x0;
    for (k, series) in pane.series.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let points = thin(series, x1 - x0).into_iter().map(|(t, v)| (x(t), y(v))).collect();
        shapes.push(Shape::Stroke { class: "series", points, colour, width: 1.5, dashed: false });
        let text = if unit.is_some() { series.name.clone() } else { series.label() };
        let width = 14.0 + 7.5 * text.chars().count() as f64;
        let (at, anchor) = ((legend, y1 - 8.0), Anchor::Start);
        shapes.push(Shape::Text { class: "legend", at, anchor, upwards: false, colour, text });
        legend += width;
    }
    shapes
}

/// At most first, last, lowest and highest of all points that fall on a quarter of a pixel.
fn thin(series: &Series, pixels: f64) -> Vec<(f64, f64)> {
    let points = series.corners();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return points };
    let cell = (last.0 - first.0) / (4.0 * pixels);
    if cell <= 0.0 || points.len() as f64 <= 16.0 * pixels {
        return points;
    }
    let place = |t: f64| ((t - first.0) / cell) as i64;
    let mut kept = Vec::new();
    for group in points.chunk_by(|a, b| place(a.0) == place(b.0)) {
        let low = group.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
        let high = group.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
        let mut some: Vec<(f64, f64)> =
            [Some(group[0]), low, high, group.last().copied()].into_iter().flatten().collect();
        some.sort_by(|a, b| a.0.total_cmp(&b.0));
        kept.append(&mut some);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_points_are_thinned_but_keep_their_extremes() {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|i| (f64::from(i), 0.0)).collect();
        points[54_321].1 = 9.0;
        let thinned = thin(&Series { points, ..Series::default() }, 700.0);
        assert!(thinned.len() < 15_000 && thinned.iter().any(|p| p.1 == 9.0));
    }
}
