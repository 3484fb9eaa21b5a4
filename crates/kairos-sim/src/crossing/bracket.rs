//! Finding an interval in which a crossing function changes its sign, from samples of the curve.

use super::{Curve, Point, Sampler, Watch};
use kairos_machine::Eval;

/// How often an interval that hides something is halved.
const DEPTH: usize = 9;

/// Where a change is looked for.
#[derive(Clone, Copy)]
pub(super) struct Interval<'a> {
    /// A known point beside it, which tells how well the samples resolve the functions.
    pub outside: Option<Point<'a>>,
    pub a: Point<'a>,
    pub b: Point<'a>,
    /// It ends changed.
    pub hit: bool,
    pub depth: usize,
}

impl<'a> Interval<'a> {
    fn first_half(&self, m: Point<'a>, hit: bool) -> Interval<'a> {
        Interval { outside: Some(self.b), a: self.a, b: m, hit, depth: self.depth + 1 }
    }

    fn second_half(&self, m: Point<'a>) -> Interval<'a> {
        Interval { outside: Some(self.a), a: m, b: self.b, hit: self.hit, depth: self.depth + 1 }
    }
}

enum Doubt {
    None,
    /// The samples do not resolve the function.
    Unclear,
    /// An extremum towards zero is expected here.
    Dip(f64),
}

impl Watch {
    /// An interval that starts unchanged and ends changed, the earliest that sampling shows.
    #[inline(always)]
    pub(super) fn bracket(
        &mut self,
        curve: &mut Sampler<impl Curve>,
        interval: &Interval,
    ) -> Eval<Option<(f64, f64)>> {
        let Interval { a, b, hit, .. } = interval;
        let (a, b, hit) = (a, b, *hit);
        let m = a.0 + 0.5 * (b.0 - a.0);
        if !(a.0 < m && m < b.0) {
            return Ok(hit.then(|| self.keep(*a, *b)));
        }
        let mut zm = self.buffer();
        curve.at(m, &mut zm)?;
        // Mostly nothing comes near zero.
        let calm = !hit && !self.any_changed(&zm) && matches!(self.doubt(interval, &zm), Doubt::None);
        let found = match calm {
            true => Ok(None),
            false => self.within(curve, interval, (m, &zm)),
        };
        self.pool.push(zm);
        found
    }

    /// The same with a sample between the ends.
    #[inline(never)]
    fn within(
        &mut self,
        curve: &mut Sampler<impl Curve>,
        interval: &Interval,
        m: Point,
    ) -> Eval<Option<(f64, f64)>> {
        if self.any_changed(m.1) {
            let earlier = match interval.depth < DEPTH {
                true => self.bracket(curve, &interval.first_half(m, true))?,
                false => None,
            };
            return Ok(earlier.or_else(|| Some(self.keep(interval.a, m))));
        }
        self.halves(curve, interval, m)
    }

    /// The same with a sample that has not changed.
    #[inline(never)]
    fn halves(
        &mut self,
        curve: &mut Sampler<impl Curve>,
        interval: &Interval,
        m: Point,
    ) -> Eval<Option<(f64, f64)>> {
        let &Interval { a, b, hit, .. } = interval;
        let doubt = self.doubt(interval, m.1);
        if let Doubt::Dip(v) = doubt
            && a.0 < v
            && v < b.0
        {
            // The slope changes its sign: look at the extremum.
            let mut zv = self.buffer();
            curve.at(v, &mut zv)?;
            if self.any_changed(&zv) {
                let found = self.keep(if v > m.0 { m } else { a }, (v, &zv));
                self.pool.push(zv);
                return Ok(Some(found));
            }
            self.pool.push(zv);
        }
        if interval.depth < DEPTH && !matches!(doubt, Doubt::None) {
            if let Some(found) = self.bracket(curve, &interval.first_half(m, false))? {
                return Ok(Some(found));
            }
            if let Some(found) = self.bracket(curve, &interval.second_half(m))? {
                return Ok(Some(found));
            }
        }
        Ok(hit.then(|| self.keep(m, b)))
    }

    /// Can a function have touched zero between the samples, all of which lie on its old side?
    fn doubt(&self, interval: &Interval, zm: &[f64]) -> Doubt {
        let Interval { outside, a: (a, za), b: (b, zb), .. } = interval;
        let (a, b) = (*a, *b);
        let mut worst = Doubt::None;
        for &r in &self.relations {
            let r = r as usize;
            let sense = &self.senses[r];
            if sense.side == 0 || sense.changed(zb[r]) {
                continue;
            }
            let s = f64::from(sense.side);
            let (ua, um, ub) = (s * za[r], s * zm[r], s * zb[r]);
            let bend = ua - 2.0 * um + ub;
            let error = match outside {
                Some((t, z)) => (um - quadratic((*t, s * z[r]), (a, ua), (b, ub), 0.5 * (a + b))).abs(),
                None => (0.5 * bend.abs()).max(0.1 * (ub - ua).abs()),
            };
            let margin = 2.0 * error;
            if ua.min(ub) > margin && um > margin + bend.abs() {
                // Wherever the least value of the parabola is.
                continue;
            }
            let (slope_a, slope_b) = (4.0 * um - 3.0 * ua - ub, 3.0 * ub - 4.0 * um + ua);
            let left = ua > margin || slope_a > 12.0 * error;
            let right = ub > margin || -slope_b > 12.0 * error;
            let vertex = if bend > 0.0 { 0.5 - (ub - ua) / (4.0 * bend) } else { -1.0 };
            let inside = vertex > 0.0 && vertex < 1.0;
            let least = um - (ub - ua) * (ub - ua) / (8.0 * bend);
            if inside && least <= margin.max(0.125 * bend) {
                return Doubt::Dip(a + vertex * (b - a));
            }
            if !(left && right && um > margin) {
                worst = Doubt::Unclear;
            }
        }
        worst
    }

    /// Without a sample between: the last three points say that no function can come near zero.
    pub(super) fn clearly_apart(&self, earlier: Option<Point>, (a, za): Point, (b, zb): Point) -> bool {
        let Some((t, z)) = earlier else { return false };
        self.relations.iter().all(|&r| {
            let r = r as usize;
            let s = f64::from(self.senses[r].side);
            let (ua, ub) = (s * za[r], s * zb[r]);
            let m = 0.5 * (a + b);
            let bend = (quadratic((t, s * z[r]), (a, ua), (b, ub), m) - 0.5 * (ua + ub)).abs();
            self.senses[r].side == 0 || ua.min(ub) > (8.0 * bend).max(0.5 * self.senses[r].largest)
        })
    }

    fn keep(&mut self, (l, zl): Point, (r, zr): Point) -> (f64, f64) {
        self.left.copy_from_slice(zl);
        self.right.copy_from_slice(zr);
        (l, r)
    }
}

/// The parabola through three points.
fn quadratic((t0, y0): (f64, f64), (t1, y1): (f64, f64), (t2, y2): (f64, f64), t: f64) -> f64 {
    let d01 = (y1 - y0) / (t1 - t0);
    let d12 = (y2 - y1) / (t2 - t1);
    let d012 = (d12 - d01) / (t2 - t0);
    y0 + (t - t0) * (d01 + (t - t1) * d012)
}
