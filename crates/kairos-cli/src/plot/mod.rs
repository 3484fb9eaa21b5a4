//! Drawings of variables over time.

mod axis;
pub mod svg;
pub mod terminal;

/// One line of a drawing.
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// Lines that share their axes.
pub struct Pane {
    pub series: Vec<Series>,
}

impl Pane {
    /// The smallest rectangle around all points: left, right, bottom, top; never empty.
    fn bounds(&self) -> (f64, f64, f64, f64) {
        let points =
            || self.series.iter().flat_map(|s| &s.points).filter(|p| p.0.is_finite() && p.1.is_finite());
        let fold = |pick: fn(&(f64, f64)) -> f64| {
            points().map(pick).fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)))
        };
        let widen = |(lo, hi): (f64, f64)| match lo < hi {
            true => (lo, hi),
            false if lo.is_finite() => (lo - 0.5 * lo.abs().max(1.0), lo + 0.5 * lo.abs().max(1.0)),
            false => (0.0, 1.0),
        };
        let ((left, right), (bottom, top)) = (widen(fold(|p| p.0)), widen(fold(|p| p.1)));
        let room = 0.05 * (top - bottom);
        (left, right, bottom - room, top + room)
    }
}
