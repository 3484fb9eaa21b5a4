//! Edges of domains: a motion that comes to one and stands still there, and the instant at which an assert begins to fail.
//!
//! Problem: `der(h) = -c*sqrt(h)` reaches zero in finite time and stays. No step beyond the edge has values, so steps shrink
//! to the resolution of time, a hair's breadth before it.
//!
//! Idea: the last point on the tangent that has values is the edge, found by bisection to the last bit. If the motion from
//! there has values, too, it goes on from there: it stands still or leads along the edge. Otherwise it leaves the domain,
//! and the message of the failed step stands.
//!
//! Invariant: the point entered differs from the one reached by less than a tenth of the tolerance.
//!
//! Between the ends of a step the polynomial may stray beyond an edge that both ends keep to: rows are then shown on the line
//! between these ends.

use super::Run;
use crate::SimError;
use crate::integrate::nominals;

/// A state may move by this part of its tolerance to come to an edge.
const SHARE: f64 = 0.1;
/// States this small beside their nominal values are tried at zero itself.
const NOTHING: f64 = 1e-20;

impl Run<'_> {
    /// Comes to an edge just ahead and goes on along it; false if there is none, or if the motion leads beyond it.
    #[inline(never)]
    pub(super) fn reach_edge(&mut self) -> bool {
        let end = self.glimpse();
        if self.x.is_empty() || self.surface.is_some() || !self.lookouts.is_empty() || end <= self.t {
            return false;
        }
        self.solver.at(self.t, &mut self.x);
        if self.tangent().is_err() || self.slope.iter().any(|slope| !slope.is_finite()) {
            return false;
        }
        let (t, nominal) = (self.t, nominals(&*self.machine));
        let Run { machine, x, slope, moved, .. } = self;
        let mut beyond = vec![0.0; x.len()];
        let mut is_inside = |point: &[f64], rates: &mut [f64]| {
            machine.derivatives_at(t, point, rates).is_ok() && rates.iter().all(|rate| rate.is_finite())
        };
        let place = |by: f64, moved: &mut [f64]| {
            for ((moved, x), slope) in moved.iter_mut().zip(x.iter()).zip(slope.iter()) {
                *moved = x + by * slope;
            }
        };
        // As far as no state changes by more than a part of its tolerance.
        let allowed = |(x, nominal): (&f64, &f64)| SHARE * self.options.tolerance * (x.abs() + nominal);
        let farthest = x.iter().zip(&nominal).map(allowed).zip(slope.iter());
        let farthest = farthest.fold(f64::INFINITY, |far, (allowed, slope)| far.min(allowed / slope.abs()));
        let (mut inside, mut outside) = (0.0, end - t);
        place(outside, moved);
        while is_inside(moved, &mut beyond) {
            (inside, outside) = (outside, 4.0 * outside);
            if outside > farthest {
                return false;
            }
            place(outside, moved);
        }
        while outside > inside {
            let middle = inside + 0.5 * (outside - inside);
            if middle <= inside || middle >= outside {
                break;
            }
            place(middle, moved);
            if is_inside(moved, &mut beyond) { inside = middle } else { outside = middle }
        }
        place(inside, moved);
        let mut edge = moved.clone();
        for (x, nominal) in edge.iter_mut().zip(&nominal) {
            if x.abs() <= NOTHING * nominal {
                *x = 0.0;
            }
        }
        let mut rates = vec![0.0; edge.len()];
        if !is_inside(&edge, &mut rates) {
            edge.copy_from_slice(moved);
            if !is_inside(&edge, &mut rates) {
                return false;
            }
        }
        let later: Vec<f64> = edge.iter().zip(&rates).map(|(x, rate)| x + (end - t) * rate).collect();
        if !is_inside(&later, &mut beyond) {
            return false;
        }
        self.x.copy_from_slice(&edge);
        self.solver.forget_step();
        self.solver.restart(t, &self.x, &mut *self.machine);
        self.fresh = false;
        true
    }

    /// All variables at a time within the last step, on the line between its ends; false if they have no values there, either.
    #[cold]
    pub(super) fn show_straight(&mut self, time: f64) -> bool {
        let (from, to) = self.solver.span();
        if self.x.is_empty() || to <= from || self.surface.is_some() {
            return false;
        }
        self.solver.at(from, &mut self.moved);
        self.solver.at(to, &mut self.x);
        let part = (time - from) / (to - from);
        for (x, begin) in self.x.iter_mut().zip(&self.moved) {
            *x = begin + part * (*x - begin);
        }
        self.machine.set_states(&self.x);
        self.machine.set_time(time);
        self.machine.outputs().is_ok()
    }

    /// The first instant of the present stretch at which an assert fails that fails at `time`.
    #[cold]
    pub(super) fn first_failure(&mut self, time: f64, error: SimError) -> SimError {
        let began = self.solver.span().0;
        if error.code != "assertion-failed" || self.x.is_empty() || began >= time {
            return error;
        }
        let mut failure = error;
        let mut fails = |run: &mut Self, at: f64| {
            run.go_to(at);
            match run.machine.outputs() {
                Ok(()) => false,
                Err(error) => {
                    failure = SimError::evaluation(at, error);
                    true
                }
            }
        };
        if fails(self, began) {
            return failure;
        }
        let (mut before, mut after) = (began, time);
        while after - before > self.watch.resolution.max(4.0 * f64::EPSILON * after.abs()) {
            let middle = before + 0.5 * (after - before);
            if fails(self, middle) { after = middle } else { before = middle }
        }
        fails(self, after);
        failure
    }
}
