//! Crossing functions that rest on their zeros: what they may come to by errors of integration, which are no motion.

use super::{Curve, Point, Sampler, Sense, Watch, sign};
use kairos_machine::Eval;

/// Errors of integration are so many times the tolerance at most, those of steps that add up included.
const DRIFT: f64 = 100.0;

impl Sense {
    /// What a function at rest may come to by errors of integration, many steps together.
    pub(super) fn drift(&self, tolerance: f64) -> f64 {
        DRIFT * tolerance * self.largest.max(1.0)
    }

    /// What is left of differences of a function's values, whose terms are at least of the order of one.
    pub(super) fn round_off(&self) -> f64 {
        8.0 * f64::EPSILON * self.largest.max(1.0)
    }
}

impl Watch {
    /// Does some function rest on its zero?
    pub fn some_rest(&self) -> bool {
        self.some_rest
    }

    /// Is there a relation that may rest, though its function is farther from zero than round-off? None is known to be calm.
    pub fn some_doubtful(&mut self) -> bool {
        self.calm.clear();
        self.relations.iter().any(|&r| self.is_doubtful(r))
    }

    /// Those relations.
    pub fn doubtful(&self) -> Vec<u32> {
        self.relations.iter().copied().filter(|&r| self.is_doubtful(r)).collect()
    }

    #[inline(always)]
    fn is_doubtful(&self, r: u32) -> bool {
        let (sense, size) = (&self.senses[r as usize], self.z[r as usize].abs());
        sense.rests || size <= 1e-3 * self.tolerance * sense.largest && size > sense.noise()
    }

    /// Takes note of those that are not accelerated: functions now, and one and two horizons later.
    pub fn calm_down(&mut self, doubtful: Vec<u32>, flow: &[Vec<f64>; 3]) {
        self.calm = doubtful;
        let Watch { calm, senses, .. } = self;
        calm.retain(|&r| {
            let ([z, next, later], sense) = (flow.each_ref().map(|z| z[r as usize]), &senses[r as usize]);
            (later - 2.0 * next + z).abs() <= sense.noise().max(sense.round_off())
        });
    }

    /// What leaves the round-off within this time is on its way.
    pub fn horizon(&self) -> f64 {
        self.horizon
    }

    pub fn drift(&self, r: u32) -> f64 {
        self.senses[r as usize].drift(self.tolerance)
    }

    pub fn round_off_of(&self, r: u32) -> f64 {
        self.senses[r as usize].round_off()
    }

    /// Is a function that rests on its zero, with `z`, on the side that is not the one held? Then a little of the other side.
    pub fn contradicts(&self, r: u32, z: &[f64], held: &[bool]) -> Option<f64> {
        let (sense, z) = (&self.senses[r as usize], z[r as usize]);
        let expected = sense.expected(held[r as usize]);
        let other = expected != 0 && sign(z) == -expected;
        (other && sense.rests && z.abs() <= sense.far).then(|| 0.5 * f64::from(expected) * sense.noise())
    }

    /// Relations whose functions rest on their zeros with `z`, and how many they are; then all others near zero.
    pub fn resting(&self, z: &[f64]) -> (usize, Vec<u32>) {
        let rests = |&r: &u32| {
            let sense = &self.senses[r as usize];
            sense.rests && z[r as usize].abs() <= sense.far
        };
        let (mut resting, others): (Vec<u32>, Vec<u32>) = self.relations.iter().copied().partition(rests);
        let count = resting.len();
        resting.extend(others.into_iter().filter(|&r| self.senses[r as usize].is_close(z[r as usize])));
        (count, resting)
    }

    /// As `between`, where something rests.
    #[inline(never)]
    pub(super) fn beyond_rest(
        &mut self,
        curve: &mut Sampler<impl Curve>,
        a: Point,
        b: Point,
    ) -> Eval<Option<(f64, f64)>> {
        let far = self.believe_ends(curve, b);
        let found = self.between(curve, a, b);
        self.senses.iter_mut().zip(far).for_each(|(sense, far)| sense.far = far);
        found
    }

    /// Between its ends a step is less exact: what is still at rest where it ends has been so all the time, and need not be
    /// looked for. Gives how far everything must come otherwise.
    #[cold]
    fn believe_ends(&mut self, curve: &mut Sampler<impl Curve>, (b, zb): Point) -> Vec<f64> {
        let far: Vec<f64> = self.senses.iter().map(|sense| sense.far).collect();
        let mut last = self.buffer();
        last.copy_from_slice(zb);
        let some_leave = self.senses.iter().zip(zb).any(|(sense, &z)| sense.rests && sense.changed(z));
        if some_leave && self.step_end > b && curve.at(self.step_end, &mut last).is_err() {
            last.copy_from_slice(zb);
        }
        for (sense, &z) in self.senses.iter_mut().zip(&last) {
            if sense.rests && !sense.changed(z) {
                sense.far = f64::INFINITY;
            }
        }
        self.pool.push(last);
        far
    }

    /// Relations that seem to have left their zeros at the hit after a rest there, if there is nothing else.
    pub fn leaving_rest(&self) -> Vec<u32> {
        let hits = self.hits().map(|(r, _)| r);
        let leaving: Vec<u32> = if self.some_rest { hits.collect() } else { Vec::new() };
        if leaving.iter().all(|&r| self.senses[r as usize].rests) { leaving } else { Vec::new() }
    }

    /// A function that has come as far as `z` is still at rest, unless it has been allowed as much as that already.
    pub fn still_rests(&mut self, r: u32, z: f64) -> bool {
        let (most, sense) = (2.0 * self.drift(r), &mut self.senses[r as usize]);
        sense.far = 2.0 * sense.far.max(z.abs());
        sense.far <= most
    }
}
