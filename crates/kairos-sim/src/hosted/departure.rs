//! Where crossing functions stand at zero after an event, and to which side the motion goes from there.
//!
//! A host sees an event only as a change of sign. A ball that has just been thrown back lies on its floor and rises: its
//! relation `h <= 0` still holds, and if the next flight is shorter than a step of the host, nothing ever changes its
//! sign again. So an event ends with the values that relations have right after it: a relation whose function stands at
//! zero and goes to the other side gets the value of that side, as a second event at the same instant.
//!
//! What a host cannot follow is refused: motion along a surface (on both sides the motion leads back to it) and flights
//! too short to be seen, which is what accumulating events come to.

use crate::SimError;
use kairos_machine::{Eval, Machine};
use serde::{Deserialize, Serialize};

/// The function of a relation is shown to hosts pushed by this to the side of its value: what an event has left at zero
/// changes its sign only where the relation changes.
const BAND: f64 = 1e-10;
/// In tolerances of the run, relative to the size of a crossing function or to one. Hosts see functions as exactly as that:
/// one of less than `AT_ZERO` stands at zero, a flight of less than `UNSEEN` is not seen, and a departure begins `CLEAR`
/// from the zero that the host sees.
const AT_ZERO: f64 = 0.1;
const UNSEEN: f64 = 10.0;
const CLEAR: f64 = 1e-3;
/// The part of the run that the motion is followed for; long enough that its way is more than round-off.
const AHEAD: f64 = 1e-7;
/// A way of less than this is no departure.
const ROUND_OFF: f64 = 1e-13;
/// So many departures of one relation are looked at: the later half of them in less time than the earlier half.
const SEQUENCE: usize = 2;
/// So many events after each other at which both sides lead back, within this part of the run, are motion along a border.
const BORDER: usize = 20;
const SHORT: f64 = 1e-3;

/// Relations that have left zero for a side, and the events of each that came ever sooner.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Departures {
    /// The length of the run, as far as it is known, and its tolerance.
    span: f64,
    tolerance: f64,
    /// Relations that left zero; they keep their values until their functions are elsewhere.
    pinned: Vec<Pin>,
    /// For each relation that ever departed the instants of its last departures.
    instants: Vec<(u32, Vec<f64>)>,
    /// For each relation whose both sides once led back the last instants of that.
    borders: Vec<(u32, Vec<f64>)>,
}

/// A relation that has left zero.
#[derive(Clone, Serialize, Deserialize)]
struct Pin {
    relation: u32,
    value: bool,
    /// By how much its function is pushed for hosts.
    push: f64,
}

/// The crossing functions at a point, and what they change by along the motion.
struct Motion {
    here: Vec<f64>,
    way: Vec<f64>,
    /// The change of the way over one more stretch of the same length.
    bend: Vec<f64>,
}

impl Departures {
    pub fn new(span: f64, tolerance: f64) -> Self {
        Self { span, tolerance, pinned: Vec::new(), instants: Vec::new(), borders: Vec::new() }
    }

    /// By how much a function of this size is pushed to the side of its relation.
    pub fn push(&self, relation: u32, gap: f64) -> f64 {
        let pin = self.pinned.iter().find(|pin| pin.relation == relation);
        pin.map_or(BAND * gap.abs().max(1.0), |pin| pin.push)
    }

    fn pin(&self, machine: &mut dyn Machine) -> bool {
        let values: Vec<(u32, bool)> = self.pinned.iter().map(|pin| (pin.relation, pin.value)).collect();
        machine.pin(&values)
    }

    /// Pins stay while their functions stay where they were left: at zero, or on the side that was taken.
    pub fn before(&mut self, machine: &mut dyn Machine) -> Eval {
        if self.pinned.is_empty() {
            return Ok(());
        }
        let mut gaps = vec![0.0; machine.info().relations.len()];
        machine.crossings(&mut gaps)?;
        let relations = &machine.info().relations;
        self.pinned.retain(|pin| {
            let r = pin.relation as usize;
            let side = f64::from(relations[r].true_side) * if pin.value { 1.0 } else { -1.0 };
            // On the side that was taken the relation has its value by itself; beyond zero an event has come.
            let gap = gaps[r] * side;
            gap <= 0.0 && gap > -pin.push
        });
        self.pin(machine);
        Ok(())
    }

    /// Relations that stand at zero while the motion leaves it on the other side: each with what it comes to there.
    fn leaving(&self, machine: &mut dyn Machine, time: f64) -> Eval<Vec<(Pin, f64)>> {
        let at_zero = AT_ZERO * self.tolerance;
        let Some(Motion { here, way, bend }) = motion(machine, time, AHEAD * self.span, at_zero)? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for (r, relation) in machine.info().relations.iter().enumerate() {
            let value = machine.relations()[r];
            let side = f64::from(relation.true_side) * if value { 1.0 } else { -1.0 };
            let size = here[r].abs().max(1.0);
            let leaves = -way[r] * side;
            let away = here[r].abs() > at_zero * size;
            if relation.by_time || side == 0.0 || away || leaves <= ROUND_OFF * size {
                continue;
            }
            // The flight ends where the bend has used up the way; what it is worth in sizes that a host sees.
            let falls = bend[r] * side;
            let height = if falls > 0.0 { 0.5 * leaves * leaves / falls } else { f64::INFINITY };
            let sunk = here[r].abs() > 0.5 * at_zero * size;
            let seen = if sunk { 0.0 } else { height / (UNSEEN * self.tolerance * size) };
            let push = (here[r] * side).max(0.0) + CLEAR * self.tolerance * size;
            found.push((Pin { relation: r as u32, value: !value, push }, seen));
        }
        Ok(found)
    }

    /// Changes relations that the motion leaves at once: they are pinned in what they come to. `settle` iterates the event of a
    /// machine; is anything pinned, so that the real one has to do that, too?
    ///
    /// It is tried on a copy first: where the motion leads back from the other side as well, nothing is changed. Once is no harm
    /// (what a relation compares may itself depend on it, as with ideal switches); again and again it is motion along a border.
    pub fn depart(
        &mut self,
        machine: &mut dyn Machine,
        time: f64,
        mut settle: impl FnMut(&mut dyn Machine) -> Result<(), SimError>,
    ) -> Result<bool, SimError> {
        let fail = |error| SimError::evaluation(time, error);
        let found = self.leaving(machine, time).map_err(fail)?;
        if found.is_empty() {
            return Ok(false);
        }
        let kept = self.pinned.clone();
        self.pinned.retain(|pin| found.iter().all(|(new, _)| new.relation != pin.relation));
        self.pinned.extend(found.iter().map(|(pin, _)| pin.clone()));
        let mut trial = machine.clone_machine();
        let backs = match self.pin(&mut *trial) && settle(&mut *trial).is_ok() {
            true => self.leaving(&mut *trial, time).map_err(fail)?,
            false => found.clone(),
        };
        let back = |relation: u32| backs.iter().any(|(pin, _)| pin.relation == relation);
        if let Some((pin, _)) = found.iter().find(|(pin, _)| back(pin.relation)) {
            self.pinned = kept;
            let relation = pin.relation;
            return match self.stays(relation, time) {
                false => Ok(false),
                true => Err(refused(machine, relation, time, |text| {
                    format!("the motion stays at the border of `{text}`: both sides lead back to it")
                })),
            };
        }
        for (pin, seen) in &found {
            if self.comes_sooner(pin.relation, time) && *seen < 1.0 {
                return Err(refused(machine, pin.relation, time, |text| {
                    format!("the events of `{text}` come ever sooner: infinitely many lie close ahead")
                }));
            }
        }
        self.pin(machine);
        Ok(true)
    }

    /// Notes that both sides of a relation lead back; does that go on and on without coming forward?
    fn stays(&mut self, relation: u32, time: f64) -> bool {
        let entry = self.borders.iter().position(|(of, _)| *of == relation).unwrap_or_else(|| {
            self.borders.push((relation, Vec::new()));
            self.borders.len() - 1
        });
        let instants = &mut self.borders[entry].1;
        instants.push(time);
        if instants.len() <= BORDER {
            return false;
        }
        instants.remove(0);
        time - instants[0] < SHORT * self.span
    }

    /// Notes a departure; do they follow each other ever faster?
    fn comes_sooner(&mut self, relation: u32, time: f64) -> bool {
        let Some((_, instants)) = self.instants.iter_mut().find(|(of, _)| *of == relation) else {
            self.instants.push((relation, vec![time]));
            return false;
        };
        instants.push(time);
        if instants.len() <= SEQUENCE {
            return false;
        }
        instants.drain(..instants.len() - SEQUENCE - 1);
        let middle = instants[SEQUENCE / 2];
        time - middle < middle - instants[0]
    }
}

const HELP: &str = "use the FMU for co-simulation, which carries the whole engine: model exchange leaves such motion to an \
                    importer that cannot follow it";

/// What model exchange cannot follow, and which relation shows it.
fn refused(machine: &dyn Machine, relation: u32, time: f64, text: impl Fn(&str) -> String) -> SimError {
    let relation = &machine.info().relations[relation as usize];
    let mut error = SimError::new("needs-co-simulation", time, text(&relation.text));
    error.places.push((relation.span, String::new()));
    error.help.push(HELP.into());
    error
}

/// Follows the motion a little; `None` where nothing stands at zero, or the motion cannot be followed there.
fn motion(machine: &mut dyn Machine, time: f64, step: f64, at_zero: f64) -> Eval<Option<Motion>> {
    let (states, count) = (machine.info().states.len(), machine.info().relations.len());
    let mut here = vec![0.0; count];
    machine.crossings(&mut here)?;
    let relations = &machine.info().relations;
    let candidate = |(gap, relation): (&f64, &kairos_machine::RelationInfo)| {
        !relation.by_time && relation.true_side != 0 && gap.abs() <= at_zero * gap.abs().max(1.0)
    };
    if !here.iter().zip(relations).any(candidate) {
        return Ok(None);
    }
    let mut probe = machine.clone_machine();
    let (mut x, mut dx, mut z) = (vec![0.0; states], vec![0.0; states], vec![0.0; count]);
    probe.get_states(&mut x);
    let (mut points, mut halfway) = (vec![here], x.clone());
    for k in 0..2 {
        let from = time + f64::from(k) * step;
        // By the slope in the middle: the error is far below what counts as a way.
        let moved = probe.derivatives(&mut dx).and_then(|()| {
            halfway.iter_mut().zip(&x).zip(&dx).for_each(|((half, x), dx)| *half = x + 0.5 * step * dx);
            probe.set_time(from + 0.5 * step);
            probe.set_states(&halfway);
            probe.derivatives(&mut dx)?;
            x.iter_mut().zip(&dx).for_each(|(x, dx)| *x += step * dx);
            probe.set_time(from + step);
            probe.set_states(&x);
            probe.crossings(&mut z)
        });
        // Beyond a point at which the model cannot be evaluated nothing is known.
        if moved.is_err() {
            return Ok(None);
        }
        points.push(z.clone());
    }
    let [here, one, two] = <[Vec<f64>; 3]>::try_from(points).unwrap_or_default();
    let way: Vec<f64> = one.iter().zip(&here).map(|(one, here)| one - here).collect();
    let bend = two.iter().zip(&one).zip(&way).map(|((two, one), way)| two - one - way).collect();
    Ok(Some(Motion { here, way, bend }))
}
