//! Location of sign changes of crossing functions on the dense output of a step.

use kairos_numerics::Eval;

/// Values this close to zero are zero: a band of the smallest numbers, not of any tolerance.
const BAND: f64 = 1e-300;
/// Part of a step over which a crossing function's slope is measured.
const SLOPE_PART: f64 = 1e-4;

/// A cursor that moves through time from crossing to crossing.
///
/// A function that is zero at a reset is watched on both sides: leaving zero either way is a crossing, staying
/// there is none. A function that only touches zero at the end of a search keeps the side it came from.
#[derive(Clone, Debug)]
pub struct RootFinder {
    t: f64,
    left: Vec<f64>,
    right: Vec<f64>,
    probe: Vec<f64>,
    slope_left: Vec<f64>,
    slope_right: Vec<f64>,
    have_slope: bool,
    /// The side of zero each function is on; 0 where it started at zero and has not left.
    sides: Vec<i8>,
}

impl RootFinder {
    pub fn new(count: usize) -> Self {
        RootFinder {
            t: 0.0,
            left: vec![0.0; count],
            right: vec![0.0; count],
            probe: vec![0.0; count],
            slope_left: vec![0.0; count],
            slope_right: vec![0.0; count],
            have_slope: false,
            sides: vec![0; count],
        }
    }

    /// Starts at a time with known values, after an event or at the beginning.
    pub fn reset(&mut self, t: f64, values: &[f64]) {
        self.t = t;
        self.left.copy_from_slice(values);
        self.sides.iter_mut().zip(values).for_each(|(side, &value)| *side = sign(value));
        self.have_slope = false;
    }

    /// Moves on to the first crossing up to `to`, or to `to` itself if there is none.
    ///
    /// The time returned is just past the crossing: there all functions that cross have their new sign.
    pub fn search(
        &mut self,
        to: f64,
        evaluate: &mut dyn FnMut(f64, &mut [f64]) -> Result<(), Eval>,
    ) -> Result<Option<f64>, Eval> {
        if to <= self.t || self.left.is_empty() {
            self.t = self.t.max(to);
            return Ok(None);
        }
        evaluate(to, &mut self.right)?;
        let end = self.find_pairs(to, evaluate)?;
        if !self.changed() {
            self.advance(end);
            return Ok(None);
        }
        let at = self.narrow(end, evaluate)?;
        let at = self.gather(at, to, evaluate)?;
        self.have_slope = false;
        self.advance(at);
        Ok(Some(at))
    }

    fn advance(&mut self, to: f64) {
        self.t = to;
        std::mem::swap(&mut self.left, &mut self.right);
        for (side, &value) in self.sides.iter_mut().zip(&self.left) {
            let new = sign(value);
            if new != 0 {
                *side = new;
            }
        }
    }

    fn crosses(&self, index: usize, value: f64) -> bool {
        let new = sign(value);
        new != 0 && new != self.sides[index]
    }

    fn changed(&self) -> bool {
        (0..self.right.len()).any(|index| self.crosses(index, self.right[index]))
    }

    /// Shrinks the bracket around the first change to a few units in the last place.
    fn narrow(
        &mut self,
        end: f64,
        evaluate: &mut dyn FnMut(f64, &mut [f64]) -> Result<(), Eval>,
    ) -> Result<f64, Eval> {
        let (mut a, mut b) = (self.t, end);
        // Illinois: halve the weight of an end that stays put; bisect whenever that does not shrink the bracket.
        let (mut weight_a, mut weight_b) = (1.0, 1.0);
        let mut last_side = 0;
        let mut width = b - a;
        let scale = 1e-3 * width;
        let mut slow = 0;
        // Values at `a` live in `slope_left` from here on; slopes are measured anew after a crossing.
        self.slope_left.copy_from_slice(&self.left);
        loop {
            // Near time zero the step's length sets the scale, or the search would count down through all exponents.
            let tolerance = 4.0 * f64::EPSILON * a.abs().max(b.abs()).max(scale);
            if b - a <= tolerance {
                return Ok(b);
            }
            let mut middle = b;
            for index in 0..self.left.len() {
                if self.crosses(index, self.right[index]) {
                    let (low, high) = (self.slope_left[index] * weight_a, self.right[index] * weight_b);
                    let part = low / (low - high);
                    let guess =
                        if part.is_finite() && part > 0.0 { a + part * (b - a) } else { a + 0.5 * (b - a) };
                    middle = middle.min(guess);
                }
            }
            if slow >= 3 {
                middle = a + 0.5 * (b - a);
                slow = 0;
            }
            // Step over a root that is already located from one side.
            let margin = (0.5 * tolerance).min(0.25 * (b - a));
            middle = middle.max(a + margin).min(b - margin);
            if !(middle > a && middle < b) {
                middle = a + 0.5 * (b - a);
                if !(middle > a && middle < b) {
                    return Ok(b);
                }
            }
            evaluate(middle, &mut self.probe)?;
            if (0..self.left.len()).any(|index| self.crosses(index, self.probe[index])) {
                b = middle;
                std::mem::swap(&mut self.right, &mut self.probe);
                weight_b = 1.0;
                weight_a = if last_side == 1 { weight_a * 0.5 } else { 1.0 };
                last_side = 1;
            } else {
                a = middle;
                std::mem::swap(&mut self.slope_left, &mut self.probe);
                weight_a = 1.0;
                weight_b = if last_side == -1 { weight_b * 0.5 } else { 1.0 };
                last_side = -1;
            }
            slow = if b - a > 0.5 * width { slow + 1 } else { 0 };
            width = b - a;
        }
    }

    /// Takes in crossings that differ from the first by round-off only.
    fn gather(
        &mut self,
        at: f64,
        to: f64,
        evaluate: &mut dyn FnMut(f64, &mut [f64]) -> Result<(), Eval>,
    ) -> Result<f64, Eval> {
        let near = (at + 16.0 * f64::EPSILON * at.abs()).min(to);
        if near <= at || self.left.len() == 1 {
            return Ok(at);
        }
        evaluate(near, &mut self.probe)?;
        let kept = (0..self.left.len())
            .all(|index| !self.crosses(index, self.right[index]) || self.crosses(index, self.probe[index]));
        let more = (0..self.left.len())
            .any(|index| !self.crosses(index, self.right[index]) && self.crosses(index, self.probe[index]));
        if kept && more {
            std::mem::swap(&mut self.right, &mut self.probe);
            return Ok(near);
        }
        Ok(at)
    }

    /// Shortens the window to an extremum where a function has crossed zero unseen; `right` holds values there.
    fn find_pairs(
        &mut self,
        to: f64,
        evaluate: &mut dyn FnMut(f64, &mut [f64]) -> Result<(), Eval>,
    ) -> Result<f64, Eval> {
        let from = self.t;
        let part = SLOPE_PART * (to - from);
        if !(from + part > from && to - part < to) {
            return Ok(to);
        }
        if !self.have_slope {
            evaluate(from + part, &mut self.probe)?;
            for index in 0..self.left.len() {
                self.slope_left[index] = (self.probe[index] - self.left[index]) / part;
            }
        }
        evaluate(to - part, &mut self.probe)?;
        for index in 0..self.left.len() {
            self.slope_right[index] = (self.right[index] - self.probe[index]) / part;
        }
        let mut end = to;
        for index in 0..self.left.len() {
            let side = f64::from(self.sides[index]);
            let turns = side * self.slope_left[index] < 0.0 && side * self.slope_right[index] > 0.0;
            // Later functions are compared at the shortened window's end, where their slope is unknown.
            let value = self.right[index];
            if turns && end == to && !self.crosses(index, value) {
                end = self.dip(index, from, to, evaluate)?;
            }
        }
        std::mem::swap(&mut self.slope_left, &mut self.slope_right);
        self.have_slope = end == to;
        Ok(end)
    }

    /// Follows a function to its extremum nearest zero; returns a time past its crossing, or `to`.
    fn dip(
        &mut self,
        index: usize,
        from: f64,
        to: f64,
        evaluate: &mut dyn FnMut(f64, &mut [f64]) -> Result<(), Eval>,
    ) -> Result<f64, Eval> {
        let side = f64::from(self.sides[index]);
        let (mut a, mut b) = (from, to);
        let (mut fa, mut fb) = (side * self.left[index], side * self.right[index]);
        let (mut da, mut db) = (side * self.slope_left[index], side * self.slope_right[index]);
        // What round-off of the function could feign is no dip.
        let noise = 1e-14 * self.left[index].abs().max(self.right[index].abs());
        for round in 0..30 {
            let h = b - a;
            let part = SLOPE_PART * h;
            if !(a + part > a && b - part < b) {
                break;
            }
            // The tangents bound a convex function from below; where they stay positive there is no dip to zero.
            // A function may be convex only near its minimum, so come closer before trusting them.
            let touch = (fb - fa + da * a - db * b) / (da - db);
            let bound = fa + da * (touch - a);
            if round >= 2 && bound > 0.0 && touch.is_finite() {
                break;
            }
            let guess = a + h * cubic_minimum(fa, da * h, fb, db * h);
            let middle = guess.max(a + 0.01 * h).min(b - 0.01 * h);
            evaluate(middle, &mut self.probe)?;
            let value = side * self.probe[index];
            if self.crosses(index, self.probe[index]) && self.probe[index].abs() > noise {
                std::mem::swap(&mut self.right, &mut self.probe);
                return Ok(middle);
            }
            evaluate(middle + part, &mut self.probe)?;
            if self.crosses(index, self.probe[index]) && self.probe[index].abs() > noise {
                std::mem::swap(&mut self.right, &mut self.probe);
                return Ok(middle + part);
            }
            let slope = (side * self.probe[index] - value) / part;
            if slope < 0.0 {
                (a, fa, da) = (middle, value, slope);
            } else {
                (b, fb, db) = (middle, value, slope);
            }
        }
        Ok(to)
    }
}

/// Where a cubic with given end values and slopes (falling, then rising) is smallest, as part of the interval.
fn cubic_minimum(fa: f64, da: f64, fb: f64, db: f64) -> f64 {
    let c = 3.0 * (fb - fa) - 2.0 * da - db;
    let d = da + db - 2.0 * (fb - fa);
    // Root of da + 2 c s + 3 d s² with rising slope, in the form without cancellation.
    let root = (c * c - 3.0 * d * da).max(0.0).sqrt();
    let s = -da / (c + root);
    if s > 0.0 && s < 1.0 { s } else { 0.5 }
}

fn sign(value: f64) -> i8 {
    if value > BAND {
        1
    } else if value < -BAND {
        -1
    } else {
        0
    }
}
