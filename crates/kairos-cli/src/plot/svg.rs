//! A drawing as SVG: panes one below the other, with axes, grid and legend.

use super::axis::ticks;
use super::{Pane, Series};
use std::fmt::Write;

const COLOURS: [&str; 8] =
    ["#1b6ca8", "#d1495b", "#2e8b57", "#e08e0b", "#7a4fa3", "#4d4d4d", "#0f9d9d", "#b5651d"];
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 40.0;

pub fn draw(title: &str, panes: &[Pane]) -> String {
    let height = panes.len() as f64 * (HEIGHT + TOP + BOTTOM) + 10.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        escape(title)
    );
    for (k, pane) in panes.iter().enumerate() {
        draw_pane(&mut out, pane, k as f64 * (HEIGHT + TOP + BOTTOM));
    }
    out.push_str("</svg>\n");
    out
}

fn draw_pane(out: &mut String, pane: &Pane, offset: f64) {
    let (left, right, bottom, top) = pane.bounds();
    let (x0, x1) = (LEFT, WIDTH - RIGHT);
    let (y0, y1) = (offset + TOP + HEIGHT, offset + TOP);
    let x = |t: f64| x0 + (t - left) / (right - left) * (x1 - x0);
    let y = |v: f64| y0 - (v - bottom) / (top - bottom) * (y0 - y1);
    let _ = writeln!(out, "<g class=\"pane\">");
    for (t, label) in ticks(left, right, 8) {
        let x = x(t);
        let _ =
            writeln!(out, "<line x1=\"{x:.2}\" y1=\"{y0}\" x2=\"{x:.2}\" y2=\"{y1}\" stroke=\"#e5e5e5\"/>");
        let _ = writeln!(
            out,
            "<text class=\"tick\" x=\"{x:.2}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            y0 + 16.0
        );
    }
    for (v, label) in ticks(bottom, top, 5) {
        let y = y(v);
        let _ =
            writeln!(out, "<line x1=\"{x0}\" y1=\"{y:.2}\" x2=\"{x1}\" y2=\"{y:.2}\" stroke=\"#e5e5e5\"/>");
        let _ = writeln!(
            out,
            "<text class=\"tick\" x=\"{}\" y=\"{:.2}\" text-anchor=\"end\">{label}</text>",
            x0 - 6.0,
            y + 4.0
        );
    }
    let _ = writeln!(
        out,
        "<rect x=\"{x0}\" y=\"{y1}\" width=\"{}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#808080\"/>",
        x1 - x0
    );
    let _ = writeln!(
        out,
        "<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">time in s</text>",
        0.5 * (x0 + x1),
        y0 + 32.0
    );
    let mut legend = x0;
    for (k, series) in pane.series.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let _ = write!(
            out,
            "<polyline class=\"series\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\""
        );
        for (t, v) in thin(series, x1 - x0) {
            let _ = write!(out, "{:.2},{:.2} ", x(t), y(v));
        }
        let _ = writeln!(out, "\"/>");
        let _ = writeln!(
            out,
            "<text class=\"legend\" x=\"{legend:.1}\" y=\"{}\" fill=\"{colour}\">{}</text>",
            y1 - 8.0,
            escape(&series.name)
        );
        legend += 14.0 + 7.5 * series.name.chars().count() as f64;
    }
    let _ = writeln!(out, "</g>");
}

/// At most first, last, lowest and highest of all points that fall on a quarter of a pixel.
fn thin(series: &Series, pixels: f64) -> Vec<(f64, f64)> {
    let points: Vec<(f64, f64)> =
        series.points.iter().copied().filter(|p| p.0.is_finite() && p.1.is_finite()).collect();
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

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_has_its_parts() {
        let line = |name: &str, k: f64| Series {
            name: name.into(),
            points: (0..50).map(|i| (f64::from(i), k * f64::from(i))).collect(),
        };
        let text = draw(
            "a & b",
            &[Pane { series: vec![line("x", 1.0), line("y<1>", -1.0)] }, Pane { series: vec![] }],
        );
        assert_eq!(text.matches("class=\"series\"").count(), 2);
        assert_eq!(text.matches("class=\"pane\"").count(), 2);
        assert!(text.contains("y&lt;1&gt;") && text.contains("a &amp; b") && text.ends_with("</svg>\n"));
    }

    #[test]
    fn many_points_are_thinned_but_keep_their_extremes() {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|i| (f64::from(i), 0.0)).collect();
        points[54_321].1 = 9.0;
        let thinned = thin(&Series { name: "x".into(), points }, 700.0);
        assert!(thinned.len() < 15_000 && thinned.iter().any(|p| p.1 == 9.0));
    }
}
