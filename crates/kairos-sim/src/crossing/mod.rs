//! Finding the first instant in an interval at which a crossing function changes its sign.

mod bracket;
mod locate;
mod rest;

use bracket::Interval;
use kairos_machine::{Eval, EvalError, Fault};
use serde::{Deserialize, Serialize};

/// Crossing functions along the dense output of a step, with frozen relations.
pub(crate) trait Curve: FnMut(f64, &mut [f64]) -> Eval {}

impl<C: FnMut(f64, &mut [f64]) -> Eval> Curve for C {}

/// An instant and all crossing functions there.
type Point<'a> = (f64, &'a [f64]);

/// Half-width of the band around an exact zero: of the order of the smallest numbers, not of the tolerance.
const BAND: f64 = 1e-290;
/// So many hits in a row may change nothing before they are mistrusted: near a switch the next point decides.
const PATIENCE: u32 = 3;
/// So many hits that nobody reads, one soon after the other, put a relation to sleep.
const RESTLESS: u32 = 8;
/// Solutions of systems inside the model are no worse than this, beside the largest value that a function has had.
const DOUBTFUL: f64 = 1e-3;
/// Relative size of round-off.
const NOISE: f64 = 1e-13;
/// A function this near zero, compared with what it has been, belongs to a motion along its zero.
const CLOSE: f64 = 1e-6;
/// Motion along a surface leaves it by errors of this size.
const SLID: f64 = 1e-9;
/// Round-off separates instants by so many times the resolution at most.
const TOGETHER: f64 = 256.0;

/// What is known of a crossing function, and what would be a change of it.
#[derive(Clone, Serialize, Deserialize)]
struct Sense {
    /// Sign at the left end; zero: inside the band.
    side: i8,
    /// The sign that goes with a true relation; zero: not yet known.
    orientation: i8,
    band: f64,
    /// On its way from zero to the side where it belongs: until it is clear of the round-off of its arguments, that does not lead
    /// it back.
    slack: f64,
    /// Inside the band a function must come as far as this to be believed that it leaves; then the instant is sought
    /// at which it left the band.
    far: f64,
    leaving: bool,
    /// On the zero, and not on its way from there: until it is far, only errors of integration move it.
    rests: bool,
    /// How far it might come before the present event, if it rested.
    rested: f64,
    /// How far it must come to be believed after hits that changed nothing; zero: at once.
    mistrust: f64,
    /// The largest magnitude seen.
    largest: f64,
    /// Hits in quick succession while nobody read them, and the instant of the last one.
    idle_hits: (u32, f64),
}

impl Sense {
    const NEW: Sense = Sense {
        side: 0,
        orientation: 0,
        band: BAND,
        slack: 0.0,
        far: BAND,
        leaving: false,
        rests: false,
        rested: 0.0,
        mistrust: 0.0,
        largest: 0.0,
        idle_hits: (0, f64::NEG_INFINITY),
    };

    /// Has it changed sides with the value `z`?
    #[inline(always)]
    fn changed(&self, z: f64) -> bool {
        match self.side {
            0 => z.abs() > if self.leaving { self.band } else { self.far },
            side => f64::from(side) * z <= -self.slack,
        }
    }

    /// Values below this are zero up to round-off.
    #[inline(always)]
    fn noise(&self) -> f64 {
        NOISE * self.size()
    }

    /// The largest magnitude that it has had, or what counts as such.
    #[inline(always)]
    fn size(&self) -> f64 {
        if self.largest > 1e-2 { self.largest } else { 1e-2 }
    }

    /// Is it so near zero that its relation may be switching here, too?
    #[inline(always)]
    fn is_close(&self, z: f64) -> bool {
        z.abs() <= CLOSE * self.size()
    }

    fn stand(&mut self, side: i8, band: f64, far: f64) {
        (self.side, self.band, self.far, self.slack) = (side, band, far, 0.0);
    }

    /// The side on which the function belongs, with its relation held like this.
    #[inline(always)]
    fn expected(&self, held: bool) -> i8 {
        if held { self.orientation } else { -self.orientation }
    }
}

/// Watches the crossing functions of all relations that are located by search.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Watch {
    /// The relations watched; time relations are computed, not searched.
    pub relations: Vec<u32>,
    /// Nobody reads their values before the next event.
    pub unread: Vec<bool>,
    /// Crossing functions at the left end of the next search, indexed by relation.
    pub z: Vec<f64>,
    /// Their values one search earlier, where the curve is smooth in between.
    before: Option<f64>,
    z_before: Vec<f64>,
    /// What is known of each function.
    senses: Vec<Sense>,
    some_leave: bool,
    some_rest: bool,
    /// Relations whose functions were zero, up to round-off, when the watch began anew, and whether one of them goes to the
    /// side where its relation does not belong.
    pub edges: Vec<u32>,
    astray: bool,
    /// Relations whose functions, near zero as they are, the equations do not accelerate from there.
    calm: Vec<u32>,
    /// Relations at zero whose side was decided by how the motion goes on: round-off does not decide again until they are clear.
    decided: Vec<u32>,
    /// The end of the integrator's step, which is most exact there.
    pub step_end: f64,
    /// Some function was near zero when the watch began anew.
    on_edge: bool,
    /// Hits in a row that changed nothing.
    vain: u32,
    /// After a hit: the crossing functions just before and at it.
    left: Vec<f64>,
    right: Vec<f64>,
    /// Times closer than this are not told apart.
    pub resolution: f64,
    /// A function that leaves the round-off within this time is on its way.
    horizon: f64,
    /// Relative tolerance of the integration.
    tolerance: f64,
    pool: Vec<Vec<f64>>,
    pub evaluations: u64,
}

impl Watch {
    /// `total` relations, of which `relations` are watched, over a time of the length `range`
    /// with a relative tolerance.
    pub fn new(total: usize, relations: Vec<u32>, range: f64, tolerance: f64) -> Self {
        Self {
            relations,
            unread: vec![false; total],
            z: vec![0.0; total],
            before: None,
            z_before: vec![0.0; total],
            senses: vec![Sense::NEW; total],
            some_leave: false,
            some_rest: false,
            edges: Vec::new(),
            astray: false,
            calm: Vec::new(),
            decided: Vec::new(),
            step_end: f64::NEG_INFINITY,
            on_edge: false,
            vain: 0,
            left: vec![0.0; total],
            right: vec![0.0; total],
            resolution: 0.1 * f64::EPSILON * range,
            horizon: 1e-5 * range,
            tolerance,
            pool: Vec::new(),
            evaluations: 0,
        }
    }

    /// Makes room for functions that are no relations.
    pub fn widen(&mut self, total: usize) {
        for list in [&mut self.z, &mut self.z_before, &mut self.left, &mut self.right] {
            list.resize(total, 0.0);
        }
        self.senses.resize(total, Sense::NEW);
        self.unread.resize(total, false);
        self.pool.clear();
    }

    /// Tells the side on which each relation is true, where that is known.
    pub fn orient(&mut self, sides: impl Iterator<Item = i8>) {
        self.senses.iter_mut().zip(sides).for_each(|(sense, side)| sense.orientation = side);
    }

    pub fn is_idle(&self) -> bool {
        self.relations.is_empty()
    }

    /// Is some function so near zero that it may return to it just after the start?
    pub fn is_on_edge(&self) -> bool {
        self.on_edge
    }

    /// Does some function at zero go to the side where its relation does not belong?
    pub fn goes_astray(&self) -> bool {
        self.astray
    }

    /// Is there a function at zero that its rate does not take from there?
    pub fn some_slow(&self, rates: &[f64]) -> bool {
        self.edges.iter().any(|&r| self.is_slow(r, rates))
    }

    /// Those functions.
    pub fn slow(&self, rates: &[f64]) -> Vec<u32> {
        self.edges.iter().copied().filter(|&r| self.is_slow(r, rates)).collect()
    }

    fn is_slow(&self, r: u32, rates: &[f64]) -> bool {
        rates[r as usize].abs() * self.horizon <= self.senses[r as usize].noise()
    }

    /// A relation that switches to and fro where nobody reads it is left alone until somebody does.
    fn is_asleep(&self, r: usize) -> bool {
        self.unread[r] && self.senses[r].idle_hits.0 >= RESTLESS
    }

    /// Counts the hits that nobody will take notice of.
    pub fn count_idle_hits(&mut self, time: f64) {
        for k in 0..self.relations.len() {
            let r = self.relations[k] as usize;
            if self.unread[r] && self.changed(r, self.right[r]) {
                let (count, last) = self.senses[r].idle_hits;
                let soon = time - last <= 0.1 * self.horizon;
                self.senses[r].idle_hits = (if soon { count + 1 } else { 1 }, time);
            }
        }
    }

    /// Is a function so near zero that its relation may be switching here, too?
    pub fn is_close(&self, r: u32) -> bool {
        self.senses[r as usize].is_close(self.z[r as usize])
    }

    /// Is a function zero up to round-off?
    pub fn is_at_zero(&self, r: u32) -> bool {
        self.z[r as usize].abs() <= self.senses[r as usize].noise()
    }

    /// How the motion goes on has decided the sides of these relations at zero, and of no others.
    pub fn decide(&mut self, relations: Vec<u32>) {
        self.decided = relations;
    }

    pub fn some_decided(&self) -> bool {
        !self.decided.is_empty()
    }

    /// Those relations.
    pub fn decided(&self) -> &[u32] {
        &self.decided
    }

    /// Those whose functions are clear of zero by now follow them again.
    pub fn review(&mut self, z: &[f64]) {
        let senses = &self.senses;
        self.decided.retain(|&r| z[r as usize].abs() <= SLID * senses[r as usize].size());
    }

    /// A function has gone where it does not belong: its relation is what it says.
    pub fn undecide(&mut self, relation: u32) {
        self.decided.retain(|&r| r != relation);
    }

    /// Learns what another watch knows of functions that it has by other numbers.
    pub fn take_over(&mut self, other: &Watch, numbers: &[u32]) {
        self.evaluations += other.evaluations;
        for (k, r) in numbers.iter().map(|&r| r as usize).enumerate() {
            self.senses[r].largest = self.senses[r].largest.max(other.senses[k].largest);
            self.senses[r].orientation = other.senses[k].orientation;
        }
    }

    /// The largest magnitude that a function has had.
    pub fn largest(&self, r: u32) -> f64 {
        self.senses[r as usize].size()
    }

    /// Starts anew from `z` as it stands, with the relation values held from here on; `rate` tells how fast a function
    /// changes, where it is known, and what round-off of its arguments makes of it. Is some function zero up to round-off, so that only its rate tells where it goes?
    pub fn rearm(&mut self, held: &[bool], rate: Option<&dyn Fn(usize) -> (f64, f64)>) -> bool {
        let mut near_zero = false;
        self.before = None;
        self.stay();
        (self.on_edge, self.some_rest, self.astray) = (false, false, false);
        self.edges.clear();
        for &r in &self.relations {
            let r = r as usize;
            let asleep = self.is_asleep(r);
            let (sense, z) = (&mut self.senses[r], self.z[r]);
            let (sign, noise, expected) = (sign(z), sense.noise(), sense.expected(held[r]));
            // An event that has nothing to do with it does not end a rest.
            if rate.is_none() {
                sense.rested = if sense.rests { sense.far } else { 0.0 };
            }
            sense.rests = false;
            let calm = !self.calm.is_empty() && self.calm.contains(&(r as u32));
            let far = if calm { sense.rested.min(sense.drift(self.tolerance)) } else { 0.0 };
            let still = far > 0.0 && z.abs() <= far;
            if asleep {
                sense.stand(0, f64::INFINITY, f64::INFINITY);
                continue;
            }
            // What is clear of zero is released before the next event (`review`), with its pin.
            let decided = self.decided.contains(&(r as u32)) && z.abs() <= SLID * sense.size();
            if decided && expected != 0 {
                sense.stand(expected, BAND, BAND);
                sense.slack = noise.max(2.0 * z.abs());
                continue;
            }
            sense.stand(sign, BAND, BAND);
            let band = |sense: &Sense| noise.max(1e-3 * self.tolerance * sense.largest);
            let near = still || z.abs() <= if calm { band(sense) } else { noise };
            if near {
                near_zero = true;
                self.edges.push(r as u32);
            }
            let (rate, grain) = if near { rate.map_or((0.0, 0.0), |rate| rate(r)) } else { (0.0, 0.0) };
            // The rate of what is moved by errors has an error itself.
            let slow = if still { noise.max(1e2 * sense.round_off()) } else { noise };
            if near && rate.abs() * self.horizon <= slow {
                // At rest on the zero: leaving it either way is seen, the errors of integration are not.
                let least = noise.max(10.0 * self.tolerance * sense.largest);
                sense.stand(0, band(sense), if still { far.max(least) } else { least });
                (sense.rests, self.some_rest) = (true, true);
            } else if z.abs() > noise {
                if expected == -sign {
                    // Decided on another iterate of a loop: not an event unless it grows.
                    sense.stand(0, 4.0 * z.abs(), 4.0 * z.abs());
                }
            } else {
                let heading: i8 = if rate > 0.0 { 1 } else { -1 };
                if expected == heading {
                    (sense.side, sense.slack) = (heading, grain);
                } else if expected != 0 {
                    sense.side = -heading;
                    self.astray |= rate != 0.0;
                }
            }
            if z.abs() < sense.mistrust {
                sense.stand(0, sense.mistrust, sense.mistrust);
            }
            self.on_edge |= sense.side == 0 || sense.is_close(z);
        }
        near_zero
    }

    /// A hit changed nothing: systems inside the model are solved to a tolerance, and their round-off has decided
    /// otherwise at the event. The functions must now come clear of zero, farther each time.
    pub fn mistrust_hits(&mut self) {
        self.vain += 1;
        if self.vain < PATIENCE {
            return;
        }
        for k in 0..self.relations.len() {
            let r = self.relations[k] as usize;
            let z = self.right[r];
            // What is far from zero is no round-off: to wait for it to come clear would miss its next crossing.
            let far = DOUBTFUL * self.senses[r].size();
            if self.changed(r, z) && z.abs() < far {
                let clear = 8.0 * self.senses[r].mistrust.max(z.abs()).max(BAND);
                self.senses[r].mistrust = clear.min(far);
            }
        }
    }

    /// A hit was an event.
    pub fn trust(&mut self) {
        if self.vain > 0 {
            self.senses.iter_mut().for_each(|sense| sense.mistrust = 0.0);
        }
        self.vain = 0;
    }

    /// Did a function jump over zero at the hit, which a continuous one cannot do?
    pub fn jumped(&self) -> bool {
        self.relations.iter().any(|&r| {
            let (left, right) = (self.left[r as usize], self.right[r as usize]);
            self.changed(r as usize, right)
                && (right - left).abs() > CLOSE * self.senses[r as usize].largest.max(1e-3)
        })
    }

    /// Another search has found a hit; the functions are these there.
    pub fn found(&mut self, z: &[f64]) {
        self.left.copy_from_slice(&self.z);
        self.right.copy_from_slice(z);
    }

    /// Relations that have changed sides at a hit, with the direction.
    pub fn hits(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        let changed = |r: &u32| self.changed(*r as usize, self.right[*r as usize]);
        self.relations.iter().copied().filter(changed).map(|r| {
            let (left, right) = (self.left[r as usize], self.right[r as usize]);
            (r, right > left)
        })
    }

    /// Instants closer than this are told apart by round-off only.
    pub fn round_off(&self, t: f64) -> f64 {
        TOGETHER * self.resolvable(t)
    }

    /// Is some function that has not changed sides so near zero that it may do so at once?
    pub fn is_about_to_cross(&self) -> bool {
        self.relations.iter().any(|&r| {
            let (sense, z) = (&self.senses[r as usize], self.z[r as usize]);
            sense.is_close(z) && sense.side != 0 && (z == 0.0 || !sense.changed(z))
        })
    }

    /// Relations that have not changed sides where the last search ended, but have with `z`.
    pub fn crossed(&self, z: &[f64]) -> Vec<u32> {
        let crossed = |r: &u32| self.is_ahead(*r) && self.is_beyond(*r, z);
        self.relations.iter().copied().filter(crossed).collect()
    }

    fn is_ahead(&self, r: u32) -> bool {
        self.senses[r as usize].side != 0 && !self.is_beyond(r, &self.z)
    }

    /// Is a function on the other side of zero?
    pub fn is_beyond(&self, r: u32, z: &[f64]) -> bool {
        z[r as usize] != 0.0 && self.changed(r as usize, z[r as usize])
    }

    /// The last search ended at the hit it found.
    pub fn stand_at_hit(&mut self) {
        self.z.copy_from_slice(&self.right);
    }

    /// Have all functions that changed sides at the hit done so with `z`, too?
    pub fn stays_hit(&self, z: &[f64]) -> bool {
        let changed = |r: u32, z: &[f64]| self.changed(r as usize, z[r as usize]);
        self.relations.iter().all(|&r| !changed(r, &self.right) || changed(r, z))
    }

    /// Adds the relations that may have another value than the one held: at a hit, or where the last search ended.
    pub fn suspects(&self, held: &[bool], at_hit: bool, out: &mut Vec<u32>) {
        let z = if at_hit { &self.right } else { &self.z };
        for &relation in &self.relations {
            let r = relation as usize;
            let sense = &self.senses[r];
            let apart = z[r].abs() > sense.noise() && sign(z[r]) == sense.expected(held[r]);
            if !apart || at_hit && self.changed(r, z[r]) {
                out.push(relation);
            }
        }
    }

    /// The earliest instant in `(a, b]` at which some function has changed sides. Without one, `b` becomes the left
    /// end of the next search.
    pub fn search(&mut self, a: f64, b: f64, held: &[bool], curve: &mut impl Curve) -> Eval<Option<f64>> {
        let (za, mut zb) = (std::mem::take(&mut self.z), self.buffer());
        self.stay();
        let mut sampler = Sampler { curve, count: 0 };
        let found = sampler.at(b, &mut zb).and_then(|()| self.first(&mut sampler, (a, &za), (b, &zb), held));
        self.evaluations += sampler.count;
        match found {
            Ok(None) => {
                self.before = Some(a);
                self.z = zb;
                self.pool.push(std::mem::replace(&mut self.z_before, za));
                Ok(None)
            }
            other => {
                self.z = za;
                self.pool.push(zb);
                other
            }
        }
    }

    /// As `search`, but the left end stays where it is.
    pub fn peek(&mut self, a: f64, b: f64, held: &[bool], curve: &mut impl Curve) -> Eval<Option<f64>> {
        let mut here = self.buffer();
        here.copy_from_slice(&self.z);
        let found = self.search(a, b, held, curve);
        std::mem::swap(&mut self.z, &mut here);
        self.pool.push(here);
        self.before = None;
        found
    }

    fn first(
        &mut self,
        curve: &mut Sampler<impl Curve>,
        (a, za): Point,
        (b, zb): Point,
        held: &[bool],
    ) -> Eval<Option<f64>> {
        let (a_z, b_z) = ((a, za), (b, zb));
        let found =
            if self.some_rest { self.beyond_rest(curve, a_z, b_z) } else { self.between(curve, a_z, b_z) };
        let Some((mut l, r)) = found? else {
            self.learn(zb, held);
            return Ok(None);
        };
        for k in 0..self.relations.len() {
            let at = self.relations[k] as usize;
            self.senses[at].leaving = self.senses[at].side == 0 && self.changed(at, self.right[at]);
            self.some_leave |= self.senses[at].leaving;
            if self.senses[at].leaving && l > a {
                // It may have left its band long before it was far enough to be believed.
                l = a;
                self.left.copy_from_slice(za);
            }
        }
        let right = self.locate(curve, l, r)?;
        self.step_clear(curve, right, b).map(Some)
    }

    /// An interval that starts unchanged and ends changed, if there is one.
    #[inline(always)]
    fn between(
        &mut self,
        curve: &mut Sampler<impl Curve>,
        (a, za): Point,
        (b, zb): Point,
    ) -> Eval<Option<(f64, f64)>> {
        let z_before = std::mem::take(&mut self.z_before);
        let earlier = self.before.map(|t| (t, z_before.as_slice()));
        let hit = self.any_changed(zb);
        let found = if !hit && self.clearly_apart(earlier, (a, za), (b, zb)) {
            Ok(None)
        } else {
            self.bracket(curve, &Interval { outside: earlier, a: (a, za), b: (b, zb), hit, depth: 0 })
        };
        self.z_before = z_before;
        found
    }

    /// A relation's sense is read off where its function is clearly away from zero.
    #[inline]
    fn learn(&mut self, z: &[f64], held: &[bool]) {
        for &r in &self.relations {
            let r = r as usize;
            let (sense, size) = (&mut self.senses[r], z[r].abs());
            if size > sense.largest {
                sense.largest = size;
            }
            if size > sense.slack {
                sense.slack = 0.0;
            }
            if sense.orientation == 0 && size > BAND && sense.side != 0 {
                sense.orientation = if held[r] { sign(z[r]) } else { -sign(z[r]) };
            }
        }
    }

    #[inline]
    fn any_changed(&self, z: &[f64]) -> bool {
        self.relations.iter().any(|&r| self.changed(r as usize, z[r as usize]))
    }

    fn any_beyond(&self, z: &[f64]) -> bool {
        self.relations.iter().any(|&r| z[r as usize] != 0.0 && self.changed(r as usize, z[r as usize]))
    }

    fn changed(&self, r: usize, z: f64) -> bool {
        self.senses[r].changed(z)
    }

    /// Nothing leaves its band.
    fn stay(&mut self) {
        if std::mem::take(&mut self.some_leave) {
            self.senses.iter_mut().for_each(|sense| sense.leaving = false);
        }
    }

    fn buffer(&mut self) -> Vec<f64> {
        let total = self.senses.len();
        self.pool.pop().unwrap_or_else(|| vec![0.0; total])
    }
}

struct Sampler<'a, C> {
    curve: &'a mut C,
    count: u64,
}

impl<C: Curve> Sampler<'_, C> {
    #[inline(always)]
    fn at(&mut self, t: f64, z: &mut [f64]) -> Eval {
        self.count += 1;
        (self.curve)(t, z)?;
        if z.iter().fold(false, |any, z| any | z.is_nan()) { Err(not_a_number()) } else { Ok(()) }
    }
}

#[cold]
fn not_a_number() -> EvalError {
    EvalError::Recoverable(Fault {
        code: "not-a-number",
        message: "a condition compares something that is not a number".into(),
        span: None,
        values: Vec::new(),
        help: vec!["look for a division by zero or a root of a negative number in a condition".into()],
    })
}

fn sign(z: f64) -> i8 {
    if z > BAND {
        1
    } else if z < -BAND {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests;
