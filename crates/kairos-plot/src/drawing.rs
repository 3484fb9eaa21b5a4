//! What a drawing shows: panes of lines and lanes, and the instants of events.

/// A unit to show values in: `shown = (value - offset) / factor`.
#[derive(Clone, Debug, PartialEq)]
pub struct Display {
    pub unit: String,
    pub factor: f64,
    pub offset: f64,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    pub name: String,
    pub unit: String,
    pub points: Vec<(f64, f64)>,
    /// The value holds until the next point instead of moving towards it.
    pub stepped: bool,
    /// True and false, or the names of literals from ordinal 1: drawn as a bar in a lane of its own.
    pub lane: Option<Lane>,
    /// The unit that people read it in, where that is another one.
    pub display: Option<Display>,
    /// The points are marked one by one, and no line goes through them.
    pub marker: Option<Marker>,
}

/// How a single point is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    Cross,
    Circle,
}

impl Marker {
    /// The strokes of a mark around a place.
    pub(crate) fn strokes(self, (x, y): (f64, f64)) -> Vec<Vec<(f64, f64)>> {
        const R: f64 = 4.5;
        match self {
            Marker::Cross => vec![vec![(x - R, y - R), (x + R, y + R)], vec![(x - R, y + R), (x + R, y - R)]],
            Marker::Circle => {
                let corner = |k: i32| {
                    let turn = std::f64::consts::TAU * f64::from(k) / 24.0;
                    (x + R * turn.cos(), y + R * turn.sin())
                };
                vec![(0..=24).map(corner).collect()]
            }
        }
    }
}

/// What the values of a lane mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lane {
    Boolean,
    Literals(Vec<String>),
}

impl Series {
    /// A line through values at times; a signal of whole numbers that repeat holds its value between points.
    pub fn new(name: impl Into<String>, unit: impl Into<String>, time: &[f64], values: &[f64]) -> Self {
        let points: Vec<(f64, f64)> = time.iter().copied().zip(values.iter().copied()).collect();
        let whole = points.iter().all(|p| p.1.fract() == 0.0);
        let moves = points.windows(2).filter(|w| w[0].1 != w[1].1).count();
        let stepped = whole && moves > 0 && 2 * moves < points.len();
        Self {
            name: name.into(),
            unit: unit.into(),
            points,
            stepped,
            lane: None,
            display: None,
            marker: None,
        }
    }

    /// Gives the line the unit that people read it in; one that is unknown or of another dimension is left out.
    pub fn shown_in(mut self, display_unit: &str) -> Self {
        let parsed = (kairos_units::parse(&self.unit), kairos_units::parse(display_unit));
        if let (Ok(from), Ok(to)) = parsed
            && from.dimension == to.dimension
            && display_unit != self.unit
        {
            let (factor, offset) = (to.factor / from.factor, (to.offset - from.offset) / from.factor);
            self.display = Some(Display { unit: display_unit.to_string(), factor, offset });
        }
        self
    }

    /// The name with its unit.
    pub fn label(&self) -> String {
        match self.unit.as_str() {
            "" => self.name.clone(),
            unit => format!("{} [{unit}]", self.name),
        }
    }

    /// The same line in the unit that people read.
    pub(crate) fn converted(&self) -> Series {
        let Some(Display { unit, factor, offset }) = &self.display else { return self.clone() };
        let points = self.points.iter().map(|(t, v)| (*t, (v - offset) / factor)).collect();
        Series { unit: unit.clone(), points, display: None, ..self.clone() }
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

    /// Intervals of one value each, the last of equal instants counting: from, to, value.
    pub(crate) fn stretches(&self) -> Vec<(f64, f64, f64)> {
        let finite = self.points.iter().copied().filter(|p| p.0.is_finite() && p.1.is_finite());
        let mut list: Vec<(f64, f64, f64)> = Vec::new();
        for (t, v) in finite {
            match list.last_mut() {
                Some(last) if last.2 == v => last.1 = t,
                Some(last) => {
                    last.1 = t;
                    list.push((t, t, v));
                }
                None => list.push((t, t, v)),
            }
        }
        list.retain(|(from, to, _)| from < to);
        list
    }
}

/// Lines that share their axes, and lanes below them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pane {
    pub series: Vec<Series>,
}

impl Pane {
    /// The lines that share the vertical axis.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &Series)> {
        self.series.iter().enumerate().filter(|(_, s)| s.lane.is_none())
    }

    /// The lanes.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = (usize, &Series)> {
        self.series.iter().enumerate().filter(|(_, s)| s.lane.is_some())
    }

    /// Some of it are points of their own.
    pub(crate) fn is_marked(&self) -> bool {
        self.series.iter().any(|series| series.marker.is_some())
    }

    /// The interval of the horizontal axis; never empty.
    pub(crate) fn span(&self) -> (f64, f64) {
        let all = self.series.iter().flat_map(|s| &s.points).map(|p| p.0).filter(|t| t.is_finite());
        widen(all.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v))))
    }

    /// The interval of the values of all lines; never empty.
    pub(crate) fn range(&self) -> (f64, f64) {
        let points = self.lines().flat_map(|(_, s)| &s.points).filter(|p| p.0.is_finite() && p.1.is_finite());
        widen(points.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), p| (lo.min(p.1), hi.max(p.1))))
    }

    /// The unit of all lines, if they share one.
    pub(crate) fn unit(&self) -> Option<&str> {
        let unit = self.lines().next()?.1.unit.as_str();
        (!unit.is_empty() && self.lines().all(|(_, s)| s.unit == unit)).then_some(unit)
    }

    /// The same pane in the units that people read.
    pub(crate) fn converted(&self) -> Pane {
        Pane { series: self.series.iter().map(Series::converted).collect() }
    }
}

fn widen((lo, hi): (f64, f64)) -> (f64, f64) {
    match lo < hi {
        true => (lo, hi),
        false if lo.is_finite() => (lo - 0.5 * lo.abs().max(1.0), lo + 0.5 * lo.abs().max(1.0)),
        false => (0.0, 1.0),
    }
}

/// Panes one below the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    pub title: String,
    /// What the horizontal axes show; `None`: time in seconds, or in a larger unit where that reads better.
    pub across: Option<String>,
    pub panes: Vec<Pane>,
    /// Instants to mark, such as events.
    pub marks: Vec<f64>,
    /// The horizontal axis is logarithmic; the vertical ones are.
    pub log: (bool, bool),
    /// Values are shown in the units that people read, where the series have one.
    pub display_units: bool,
}

impl Default for Drawing {
    fn default() -> Self {
        Self {
            title: String::new(),
            across: None,
            panes: Vec::new(),
            marks: Vec::new(),
            log: (false, false),
            display_units: true,
        }
    }
}

impl Drawing {
    /// The panes as they are shown: in the units that people read, if these are wanted, and over time in a fitting unit.
    pub(crate) fn shown(&self) -> Drawing {
        let mut shown = self.clone();
        if self.display_units {
            shown.panes = self.panes.iter().map(Pane::converted).collect();
        }
        let (unit, seconds) = self.time_unit();
        if self.across.is_none() && seconds != 1.0 {
            let points = shown.panes.iter_mut().flat_map(|pane| &mut pane.series).flat_map(|s| &mut s.points);
            points.for_each(|p| p.0 /= seconds);
            shown.marks.iter_mut().for_each(|t| *t /= seconds);
        }
        shown.across = Some(self.across.clone().unwrap_or_else(|| format!("time in {unit}")));
        shown
    }

    /// The unit of the time axis, and how many seconds it has.
    pub(crate) fn time_unit(&self) -> (&'static str, f64) {
        if self.across.is_some() {
            return ("", 1.0);
        }
        let spans = self.panes.iter().filter(|pane| !pane.series.is_empty()).map(Pane::span);
        let longest = spans.map(|(lo, hi)| hi - lo).fold(0.0, f64::max);
        kairos_units::duration_unit(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_is_drawn_as_steps_and_a_ramp_is_not() {
        let time: Vec<f64> = (0..9).map(f64::from).collect();
        let counter = Series::new("n", "", &time, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
        assert!(counter.stepped && counter.lane.is_none());
        assert_eq!(counter.corners()[3..5], [(3.0, 0.0), (3.0, 1.0)]);
        assert!(!Series::new("t", "s", &time, &time).stepped);
    }

    #[test]
    fn a_switch_has_stretches() {
        let time: Vec<f64> = (0..6).map(f64::from).collect();
        let switch = Series::new("b", "", &time, &[0.0, 0.0, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!(switch.stretches(), [(0.0, 2.0, 0.0), (2.0, 5.0, 1.0)]);
    }

    #[test]
    fn a_pane_has_a_unit_only_if_its_lines_share_it() {
        let line = |unit: &str| Series { unit: unit.into(), ..Series::default() };
        assert_eq!(Pane { series: vec![line("V"), line("V")] }.unit(), Some("V"));
        assert_eq!(Pane { series: vec![line("V"), line("A")] }.unit(), None);
    }

    #[test]
    fn a_week_is_shown_in_days_and_temperatures_as_people_read_them() {
        let time = [0.0, 604_800.0];
        let warm = Series::new("T", "K", &time, &[293.15, 300.15]).shown_in("degC");
        let drawing = Drawing { panes: vec![Pane { series: vec![warm] }], ..Drawing::default() };
        let shown = drawing.shown();
        assert_eq!(shown.across.as_deref(), Some("time in d"));
        let points = &shown.panes[0].series[0].points;
        assert!((points[1].0 - 7.0).abs() < 1e-12 && (points[1].1 - 27.0).abs() < 1e-9, "{points:?}");
        assert_eq!(shown.panes[0].unit(), Some("degC"));
        let strange = Series::new("T", "K", &time, &[1.0, 2.0]).shown_in("bar");
        assert_eq!(strange.display, None, "a unit of another dimension is left out");
    }
}
