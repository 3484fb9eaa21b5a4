//! Where everything goes: a drawing becomes shapes on a sheet.

use crate::axis::Axis;
use crate::drawing::{Drawing, Lane, Pane, Series};

pub const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
/// Room above a pane for its legend, for each row of it.
const LEGEND: f64 = 18.0;
const BOTTOM: f64 = 44.0;
const TITLE: f64 = 30.0;
/// Height of a lane, and of the bar in it.
const LANE: f64 = 24.0;
const BAR: f64 = 14.0;

/// Lines of a pane take these in turn, then again with dashes: colours that most people tell apart, dark enough for paper.
pub const COLOURS: [&str; 10] = [
    "#1b6ca8", "#d1495b", "#2e8b57", "#e08e0b", "#7a4fa3", "#4d4d4d", "#0f9d9d", "#b5651d", "#c2185b",
    "#6b8e23",
];
/// Lengths of dashes and gaps.
pub const DASHES: [&[f64]; 4] = [&[], &[7.0, 3.0], &[2.0, 2.0], &[8.0, 3.0, 2.0, 3.0]];
const GRID: &str = "#e5e5e5";
const FRAME: &str = "#808080";
const MARK: &str = "#b0b0b0";
const TEXT: &str = "#000000";

/// With more marks than this they are short ticks at the axis; closer ones than this many pixels are one.
const MARKS: usize = 60;
const APART: f64 = 3.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A stroke, an area or a text, with what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Stroke {
        class: &'static str,
        points: Vec<(f64, f64)>,
        colour: &'static str,
        width: f64,
        dashes: &'static [f64],
    },
    Area {
        class: &'static str,
        corner: (f64, f64),
        size: (f64, f64),
        colour: &'static str,
        opacity: f64,
    },
    Text {
        class: &'static str,
        at: (f64, f64),
        anchor: Anchor,
        upwards: bool,
        colour: &'static str,
        size: f64,
        text: String,
    },
}

/// A sheet with shapes, pane by pane.
pub struct Scene {
    pub title: String,
    pub width: f64,
    pub height: f64,
    /// What belongs to no pane: the title.
    pub head: Vec<Shape>,
    pub panes: Vec<Vec<Shape>>,
}

impl Scene {
    /// All shapes, in the order in which they are drawn.
    pub fn shapes(&self) -> impl Iterator<Item = &Shape> {
        self.head.iter().chain(self.panes.iter().flatten())
    }
}

/// Lays a drawing out.
pub fn lay_out(drawing: &Drawing) -> Scene {
    let drawing = drawing.shown();
    let mut offset = 0.0;
    let (mut head, mut panes) = (Vec::new(), Vec::new());
    if !drawing.title.is_empty() {
        offset = TITLE;
        head.push(words("title", (0.5 * WIDTH, 22.0), Anchor::Middle, 15.0, drawing.title.clone()));
    }
    for pane in &drawing.panes {
        let (shapes, height) = lay_out_pane(pane, &drawing, offset);
        panes.push(shapes);
        offset += height;
    }
    Scene { title: drawing.title.clone(), width: WIDTH, height: offset + 10.0, head, panes }
}

/// The colour and the dashes of the line with this number.
pub fn style(k: usize) -> (&'static str, &'static [f64]) {
    (COLOURS[k % COLOURS.len()], DASHES[k / COLOURS.len() % DASHES.len()])
}

fn words(class: &'static str, at: (f64, f64), anchor: Anchor, size: f64, text: String) -> Shape {
    Shape::Text { class, at, anchor, upwards: false, colour: TEXT, size, text }
}

fn line(class: &'static str, from: (f64, f64), to: (f64, f64), colour: &'static str) -> Shape {
    let dashes: &[f64] = if class == "mark" { &[3.0, 3.0] } else { &[] };
    Shape::Stroke { class, points: vec![from, to], colour, width: 1.0, dashes }
}

/// The shapes of a pane that begins at `offset`, and the height that it takes.
fn lay_out_pane(pane: &Pane, drawing: &Drawing, offset: f64) -> (Vec<Shape>, f64) {
    let unit = pane.unit();
    let (legend, rows) = legend(pane, unit, offset);
    let lines = pane.lines().next().is_some() || pane.lanes().next().is_none();
    let lanes = pane.lanes().count();
    let (x0, x1) = (LEFT, WIDTH - RIGHT);
    let y1 = offset + LEGEND * rows as f64 + 12.0;
    let base = y1 + if lines { HEIGHT } else { 0.0 };
    let y0 = base + LANE * lanes as f64;
    let all_x = || pane.series.iter().flat_map(|s| &s.points).map(|p| p.0);
    let all_y = || pane.lines().flat_map(|(_, s)| &s.points).map(|p| p.1);
    let across = if drawing.log.0 {
        Axis::logarithmic(all_x())
    } else {
        Axis::linear(pane.span(), if pane.is_marked() { 0.05 } else { 0.0 })
    };
    let up = if drawing.log.1 { Axis::logarithmic(all_y()) } else { Axis::linear(pane.range(), 0.05) };
    let x = |t: f64| across.place(t).map(|p| x0 + p * (x1 - x0));
    let y = |v: f64| up.place(v).map(|p| base - p * (base - y1));
    let mut shapes = Vec::new();
    for (t, label) in across.ticks(8) {
        let Some(x) = x(t) else { continue };
        shapes.push(line("grid", (x, y0), (x, y1), GRID));
        shapes.push(words("tick", (x, y0 + 16.0), Anchor::Middle, 12.0, label));
    }
    if lines {
        for (v, label) in up.ticks(5) {
            let Some(y) = y(v) else { continue };
            shapes.push(line("grid", (x0, y), (x1, y), GRID));
            shapes.push(words("tick", (x0 - 6.0, y + 4.0), Anchor::End, 12.0, label));
        }
    }
    let inside = drawing.marks.iter().filter(|t| across.holds(**t)).filter_map(|t| x(*t));
    shapes.extend(marks(inside.collect(), y0, y1));
    for (row, (k, series)) in pane.lanes().enumerate() {
        lane(series, k, base + LANE * row as f64, (x0, x1), &x, &mut shapes);
    }
    let corners = vec![(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)];
    shapes.push(Shape::Stroke { class: "frame", points: corners, colour: FRAME, width: 1.0, dashes: &[] });
    let label = drawing.across.clone().unwrap_or_default();
    shapes.push(words("label", (0.5 * (x0 + x1), y0 + 34.0), Anchor::Middle, 12.0, label));
    if let Some(unit) = unit {
        let (at, text) = ((x0 - 62.0, 0.5 * (base + y1)), format!("in {unit}"));
        let (class, anchor) = ("label", Anchor::Middle);
        shapes.push(Shape::Text { class, at, anchor, upwards: true, colour: TEXT, size: 12.0, text });
    }
    for (k, series) in pane.lines() {
        let (colour, dashes) = style(k);
        let placed = |(t, v): (f64, f64)| Some((x(t)?, y(v)?));
        if let Some(marker) = series.marker {
            let places = series.points.iter().copied().filter_map(placed);
            shapes.extend(places.flat_map(|at| marker.strokes(at)).map(|points| mark(points, colour)));
            continue;
        }
        let points: Vec<(f64, f64)> = thin(series, x1 - x0).into_iter().filter_map(placed).collect();
        shapes.push(Shape::Stroke { class: "series", points, colour, width: 1.5, dashes });
    }
    shapes.extend(legend);
    (shapes, y0 + BOTTOM - offset)
}

/// A stroke of a mark at a point.
fn mark(points: Vec<(f64, f64)>, colour: &'static str) -> Shape {
    Shape::Stroke { class: "point", points, colour, width: 1.5, dashes: &[] }
}

/// Names of the lines with samples of them, in as many rows as they need.
fn legend(pane: &Pane, unit: Option<&str>, offset: f64) -> (Vec<Shape>, usize) {
    let (mut shapes, mut at, mut row) = (Vec::new(), LEFT, 1);
    for (k, series) in pane.lines().filter(|(_, series)| !series.name.is_empty()) {
        let (colour, dashes) = style(k);
        let text = if unit.is_some() { series.name.clone() } else { series.label() };
        let width = 42.0 + 6.8 * text.chars().count() as f64;
        if at > LEFT && at + width > WIDTH - RIGHT + 12.0 {
            (at, row) = (LEFT, row + 1);
        }
        let y = offset + LEGEND * row as f64 + 1.0;
        match series.marker {
            Some(marker) => {
                shapes.extend(
                    marker.strokes((at + 15.0, y - 4.0)).into_iter().map(|points| mark(points, colour)),
                );
            }
            None => {
                let points = vec![(at, y - 4.0), (at + 22.0, y - 4.0)];
                shapes.push(Shape::Stroke { class: "sample", points, colour, width: 2.0, dashes });
            }
        }
        let (place, anchor) = ((at + 27.0, y), Anchor::Start);
        shapes.push(Shape::Text {
            class: "legend",
            at: place,
            anchor,
            upwards: false,
            colour,
            size: 12.0,
            text,
        });
        at += width;
    }
    (shapes, row)
}

/// Marks of events: dashed lines, or short ticks at the axis where there are many.
fn marks(mut at: Vec<f64>, y0: f64, y1: f64) -> Vec<Shape> {
    at.sort_by(f64::total_cmp);
    let many = at.len() > MARKS;
    if many {
        at.dedup_by(|b, a| *b - *a < APART);
    }
    let top = if many { y0 - 6.0 } else { y1 };
    at.into_iter()
        .map(|x| match many {
            true => line("event", (x, y0), (x, top), FRAME),
            false => line("mark", (x, y0), (x, top), MARK),
        })
        .collect()
}

/// The bar of a Boolean or of an enumeration, with its name at the left.
fn lane(
    series: &Series,
    k: usize,
    top: f64,
    (x0, x1): (f64, f64),
    x: &dyn Fn(f64) -> Option<f64>,
    shapes: &mut Vec<Shape>,
) {
    let (colour, _) = style(k);
    let middle = top + 0.5 * LANE;
    shapes.push(line("grid", (x0, top), (x1, top), GRID));
    shapes.push(Shape::Text {
        class: "lane",
        at: (x0 - 6.0, middle + 4.0),
        anchor: Anchor::End,
        upwards: false,
        colour,
        size: 11.0,
        text: shortened(&series.name, 11),
    });
    for (from, to, value) in series.stretches() {
        let (Some(a), Some(b)) = (x(from), x(to)) else { continue };
        let name = match &series.lane {
            Some(Lane::Literals(names)) => names.get((value as usize).wrapping_sub(1)).cloned(),
            _ => None,
        };
        let opacity = match (&name, value) {
            (None, 0.0) => continue,
            (None, _) => 0.8,
            // Neighbours in the declaration, and those next to them, look different.
            (Some(_), value) => [0.12, 0.75, 0.25, 0.5][value as usize % 4],
        };
        let (corner, size) = ((a, middle - 0.5 * BAR), ((b - a).max(0.75), BAR));
        shapes.push(Shape::Area { class: "bar", corner, size, colour, opacity });
        if let Some(name) = name
            && 6.5 * name.chars().count() as f64 + 6.0 < b - a
        {
            shapes.push(words("literal", (0.5 * (a + b), middle + 4.0), Anchor::Middle, 11.0, name));
        }
    }
}

/// The end of a long name, which tells more than its beginning.
fn shortened(name: &str, most: usize) -> String {
    let count = name.chars().count();
    if count <= most {
        name.to_string()
    } else {
        format!("…{}", name.chars().skip(count + 1 - most).collect::<String>())
    }
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

    #[test]
    fn forty_lines_have_forty_looks_and_legends_within_the_sheet() {
        let looks: std::collections::BTreeSet<String> = (0..40).map(|k| format!("{:?}", style(k))).collect();
        assert_eq!(looks.len(), 40);
        let series = (0..40)
            .map(|k| Series::new(format!("component{k}.port.signal"), "", &[0.0, 1.0], &[0.0, 0.5]))
            .collect();
        let scene = lay_out(&Drawing { panes: vec![Pane { series }], ..Drawing::default() });
        let mut places = Vec::new();
        for shape in &scene.panes[0] {
            if let Shape::Text { class: "legend", at, text, .. } = shape {
                assert!(at.0 + 6.8 * text.len() as f64 <= WIDTH, "{text} ends outside");
                places.push((at.1 as i64, at.0 as i64));
            }
        }
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 40, "no name hides another");
    }

    #[test]
    fn many_events_thin_out() {
        let at: Vec<f64> = (0..10_000).map(|k| 80.0 + 0.07 * f64::from(k)).collect();
        let marks = marks(at, 300.0, 0.0);
        assert!(marks.len() < 250 && marks.len() > 100, "{}", marks.len());
    }
}
