//! What a drawing shows: panes of lines, and the instants of events.

/// One line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    pub name: String,
    pub unit: String,
    pub points: Vec<(f64, f64)>,
    /// The value holds until the next point instead of moving towards it.
    pub stepped: bool,
}

impl Series {
    /// A line through values at times; a signal of whole numbers that repeat holds its value between points.
    pub fn new(name: impl Into<String>, unit: impl Into<String>, time: &[f64], values: &[f64]) -> Self {
        let points: Vec<(f64, f64)> = time.iter().copied().zip(values.iter().copied()).collect();
        let whole = points.iter().all(|p| p.1.fract() == 0.0);
        let moves = points.windows(2).filter(|w| w[0].1 != w[1].1).count();
        let stepped = whole && moves > 0 && 2 * moves < points.len();
        Self { name: name.into(), unit: unit.into(), points, stepped }
    }

    /// The name with its unit.
    pub fn label(&self) -> String {
        match self.unit.as_str() {
            "" => self.name.clone(),
            unit => format!("{} [{unit}]", self.name),
        }
    }

    /// The points to connect: finite ones only, with the corners of steps.
    pub(crate) fn corners(&self) -> Vec<(f64, f64)> {
        let finite = self.points.iter().copied().filter(|p| p.0.is_finite() && p.1.is_finite());
        if !self.stepped {
            return finite.collect();
        }
        let mut corners: Vec<(f64, f64)> = Vec::new();
        for point in finite {
            if let Some(&last) = corners.last()
                && last.0 < point.0
                && last.1 != point.1
            {
                corners.push((point.0, last.1));
            }
            corners.push(point);
        }
        corners
    }
}

/// Lines that share their axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pane {
    pub series: Vec<Series>,
}

impl Pane {
    /// The smallest rectangle around all points: left, right, bottom, top; never empty.
    pub(crate) fn bounds(&self) -> (f64, f64, f64, f64) {
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

    /// The unit of all lines, if they share one.
    pub(crate) fn unit(&self) -> Option<&str> {
        let unit = self.series.first()?.unit.as_str();
        (!unit.is_empty() && self.series.iter().all(|s| s.unit == unit)).then_some(unit)
    }
}

/// Panes one below the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    pub title: String,
    /// What the horizontal axes show.
    pub across: String,
    pub panes: Vec<Pane>,
    /// Instants to mark, such as events.
    pub marks: Vec<f64>,
}

impl Default for Drawing {
    fn default() -> Self {
        Self { title: String::new(), across: "time in s".into(), panes: Vec::new(), marks: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_is_drawn_as_steps_and_a_ramp_is_not() {
        let time: Vec<f64> = (0..9).map(f64::from).collect();
        let counter = Series::new("n", "", &time, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
        assert!(counter.stepped);
        assert_eq!(counter.corners()[3..5], [(3.0, 0.0), (3.0, 1.0)]);
        assert!(!Series::new("t", "s", &time, &time).stepped);
    }

    #[test]
    fn a_pane_has_a_unit_only_if_its_lines_share_it() {
        let line = |unit: &str| Series { unit: unit.into(), ..Series::default() };
        assert_eq!(Pane { series: vec![line("V"), line("V")] }.unit(), Some("V"));
        assert_eq!(Pane { series: vec![line("V"), line("A")] }.unit(), None);
    }
}
