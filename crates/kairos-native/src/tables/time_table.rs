//! Interpolation of table columns over time, with discontinuities at repeated points.

use super::curve::{Curve, End, Order, interval, wrap};
use super::grid::Grid;
use super::kinds::{Extrapolation, Smoothness, TimeEvents};
use super::table1d::{Column, curve};

/// Points closer than this, relative to their size, are one point with a jump.
const SAME_POINT: f64 = 1e-10;

/// `Modelica.Blocks.Types.ExternalCombiTimeTable`.
///
/// Nothing is remembered between calls: the event interval in which a value is taken follows from the next
/// event that the caller passes, so that evaluation can be repeated, restarted and shared.
#[derive(Clone, Debug)]
pub struct CombiTimeTable {
    x: Vec<f64>,
    curves: Vec<Curve>,
    /// Row spans between events, in order; the last one ends with the table.
    spans: Vec<Span>,
    extrapolation: Extrapolation,
    options: TimeOptions,
}

/// How a table lies in time.
#[derive(Clone, Copy, Debug)]
pub struct TimeOptions {
    /// Before this time the outputs are zero.
    pub start_time: f64,
    /// The time at which the table's abscissa is zero.
    pub shift_time: f64,
    pub events: TimeEvents,
}

/// The rows between two events, both ends included.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: usize,
    last: usize,
}

/// Where to evaluate after time has been shifted, wrapped and confined to its event interval.
enum Place {
    Interval(usize, f64),
    /// The right end of an interval, seen from inside.
    LeftLimit(usize),
    Beyond(End, f64),
}

impl CombiTimeTable {
    /// `columns` are 1-based column numbers of the grid; its first column holds the time.
    pub fn new(
        grid: &Grid,
        columns: &[i64],
        smoothness: Smoothness,
        extrapolation: Extrapolation,
        options: TimeOptions,
    ) -> Result<CombiTimeTable, String> {
        grid.require_size(1, 2, "interpolation over time")?;
        let columns = grid.checked_columns(columns)?;
        let mut x = grid.column(0, 0);
        grid.require_increasing(&x, "first column", smoothness.is_spline())?;
        if x.len() > 1 && extrapolation == Extrapolation::Periodic && x[x.len() - 1] <= x[0] {
            return Err(format!(
                "table \"{}\" has no positive period: with periodic extrapolation its last time must exceed its first",
                grid.name
            ));
        }
        if !smoothness.is_spline() {
            merge_repeated(&mut x);
        }
        let curves = columns.iter().map(|&c| Curve::new(&x, grid.column(c, 0), smoothness)).collect();
        // Splines are smooth inside; a period of them may still want its events.
        let events = match extrapolation {
            Extrapolation::Periodic => options.events,
            _ if smoothness.is_spline() => TimeEvents::Never,
            _ => options.events,
        };
        let spans = event_spans(&x, events);
        Ok(CombiTimeTable { x, curves, spans, extrapolation, options })
    }

    /// The value at time `t`, given the next time event and its value before the current event.
    ///
    /// While both agree the integrator is approaching the event and sees the limit from the left; once the
    /// next event has moved on, the limit from the right.
    pub fn value(&self, column: Column, t: f64, next_event: f64, pre_next_event: f64) -> Result<f64, String> {
        self.evaluate(column, t, next_event, pre_next_event, Order::Value)
    }

    pub fn derivative(
        &self,
        column: Column,
        t: f64,
        next_event: f64,
        pre_next_event: f64,
        der_t: f64,
    ) -> Result<f64, String> {
        Ok(self.evaluate(column, t, next_event, pre_next_event, Order::First)? * der_t)
    }

    pub fn second_derivative(
        &self,
        column: Column,
        t: f64,
        next_event: f64,
        pre_next_event: f64,
        der_t: f64,
        der2_t: f64,
    ) -> Result<f64, String> {
        let first = self.evaluate(column, t, next_event, pre_next_event, Order::First)?;
        let second = self.evaluate(column, t, next_event, pre_next_event, Order::Second)?;
        Ok(second * der_t * der_t + first * der2_t)
    }

    pub fn minimum_time(&self) -> f64 {
        self.x[0]
    }

    pub fn maximum_time(&self) -> f64 {
        self.x[self.x.len() - 1]
    }

    /// The first time event after `t`, or the largest Real when there is none.
    pub fn next_time_event(&self, t: f64) -> f64 {
        let TimeOptions { start_time, shift_time, .. } = self.options;
        if t < start_time {
            return start_time;
        }
        if self.x.len() == 1 {
            return f64::MAX;
        }
        let (low, high) = (self.minimum_time(), self.maximum_time());
        // An event that has been reached up to rounding must not be announced again.
        let tolerance = 8.0 * f64::EPSILON * t.abs().max(shift_time.abs()).max(low.abs()).max(high.abs());
        let reached = |event: f64| event <= t + tolerance;
        if self.extrapolation != Extrapolation::Periodic {
            if !reached(low + shift_time) {
                return low + shift_time;
            }
            let mut ends = self.spans.iter().map(|span| self.x[span.last] + shift_time);
            return ends.find(|&end| !reached(end)).unwrap_or(f64::MAX);
        }
        let period = high - low;
        let turn = ((t - shift_time - low) / period).floor();
        // Rounding of the quotient can hide one period on either side.
        for turn in [turn - 1.0, turn, turn + 1.0, turn + 2.0] {
            let mut ends = self.spans.iter().map(|span| self.x[span.last] + turn * period + shift_time);
            if let Some(end) = ends.find(|&end| !reached(end)) {
                return end;
            }
        }
        f64::MAX
    }

    fn evaluate(
        &self,
        column: Column,
        t: f64,
        next: f64,
        pre_next: f64,
        order: Order,
    ) -> Result<f64, String> {
        let curve = curve(&self.curves, column)?;
        let start = self.options.start_time;
        let waits_for_start = next < f64::MAX && next == pre_next && start >= next;
        if t < start || waits_for_start {
            return Ok(0.0);
        }
        if self.x.len() == 1 {
            return Ok(if order == Order::Value { curve.value_at_node(0) } else { 0.0 });
        }
        match self.place(t, next) {
            Place::Interval(i, u) => Ok(curve.at(&self.x, i, u, order)),
            Place::LeftLimit(i) => Ok(curve.left_limit(&self.x, i, order)),
            Place::Beyond(..) if self.extrapolation == Extrapolation::Forbidden => Err(format!(
                "time {t} is outside of the time table's range {} to {}: \
                 extend the table or choose another extrapolation than NoExtrapolation",
                self.minimum_time() + self.options.shift_time,
                self.maximum_time() + self.options.shift_time
            )),
            Place::Beyond(end, u) => Ok(curve.beyond(&self.x, end, u, self.extrapolation, order)),
        }
    }

    fn place(&self, t: f64, next: f64) -> Place {
        let u = t - self.options.shift_time;
        let next = next - self.options.shift_time;
        let (low, high) = (self.minimum_time(), self.maximum_time());
        if self.extrapolation == Extrapolation::Periodic {
            let rounding = 8.0 * f64::EPSILON * next.abs();
            return match self.span_ending_at(wrap_end(next, low, high, rounding), rounding) {
                Some(span) => {
                    // The same number of periods leads from the event and from the argument into the table.
                    let event = self.x[span.last];
                    self.confine(span, event - (next - u))
                }
                None => {
                    let u = wrap(u, low, high);
                    Place::Interval(interval(&self.x, u), u)
                }
            };
        }
        if u < low {
            return Place::Beyond(End::Left, u);
        }
        match self.span_ending_at(next, 0.0) {
            Some(span) => self.confine(span, u),
            None if same_point(next, low) && self.extrapolation != Extrapolation::Forbidden => {
                Place::Beyond(End::Left, low)
            }
            None if u > high || (u == high && self.extrapolation != Extrapolation::Forbidden) => {
                Place::Beyond(End::Right, u)
            }
            None => Place::Interval(interval(&self.x, u), u),
        }
    }

    fn span_ending_at(&self, event: f64, rounding: f64) -> Option<Span> {
        let at = self.spans.partition_point(|span| self.x[span.last] < event);
        let near = |span: &Span| {
            let end = self.x[span.last];
            same_point(end, event) || (end - event).abs() <= rounding
        };
        let below = at.checked_sub(1).and_then(|at| self.spans.get(at)).copied().filter(near);
        self.spans.get(at).copied().filter(near).or(below)
    }

    fn confine(&self, span: Span, u: f64) -> Place {
        let nodes = &self.x[span.first..=span.last];
        let i = span.first + interval(nodes, u);
        if u >= self.x[span.last] { Place::LeftLimit(i) } else { Place::Interval(i, u.max(nodes[0])) }
    }
}

fn same_point(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME_POINT * a.abs().max(b.abs()).max(SAME_POINT)
}

fn merge_repeated(x: &mut [f64]) {
    for i in 1..x.len() {
        if same_point(x[i - 1], x[i]) {
            x[i] = x[i - 1];
        }
    }
}

/// Moves an event time by whole periods to where a span can end: into the table, its lower end excluded.
fn wrap_end(event: f64, low: f64, high: f64, rounding: f64) -> f64 {
    let wrapped = wrap(event, low, high);
    if same_point(wrapped, low) || wrapped - low <= rounding { high } else { wrapped }
}

fn event_spans(x: &[f64], events: TimeEvents) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut first = 0;
    let last_row = x.len() - 1;
    for i in 0..last_row {
        let jump = x[i] == x[i + 1];
        let ends_here = match events {
            TimeEvents::Always => jump || x[i] > x[first],
            TimeEvents::AtDiscontinuities => jump,
            TimeEvents::Never => false,
        };
        if ends_here {
            if x[i] > x[first] {
                spans.push(Span { first, last: i });
            }
            first = if jump { i + 1 } else { i };
        }
    }
    if x[last_row] > x[first] || spans.is_empty() {
        spans.push(Span { first, last: last_row });
    }
    spans
}
