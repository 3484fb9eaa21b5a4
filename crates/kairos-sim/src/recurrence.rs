//! Events that come back: the history that tells sliding, Zeno points and chattering from plain events.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// What the last event belongs to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Recurrence {
    None,
    /// The relations switch back and forth in no time, between the same modes.
    Sliding(Vec<u32>),
    /// The intervals between jumps shrink geometrically towards this instant.
    Zeno(u32, f64),
    /// The intervals between switchings shrink geometrically towards this instant, and nothing jumps. It may be as good
    /// as reached.
    Accumulation {
        relation: u32,
        limit: f64,
        reached: bool,
    },
    /// Switching in no time that never repeats itself, or that no motion along a surface replaces.
    Chattering(u32),
}

/// Events within this part of the size of times come in no time.
pub(crate) const AT_ONCE: f64 = 1e-9;
/// Events this many times in no time are a fault of the model.
const CHATTERING: u32 = 1_000;
/// So are events of any kind that come without progress of time: so many within this part of it.
const STALLED: [(u32, f64); 3] = [(1_000, 1e-9), (5_000, 1e-6), (50_000, 1e-5)];
/// Sliding is tried at each of so many of them, then at one in so many.
const TRIED: u32 = 512;
/// Intervals that must shrink alike.
const INTERVALS: usize = 5;
/// Intervals below this part of the size of times are round-off.
const RESOLVED: f64 = 4096.0 * f64::EPSILON;
/// Switching or impacts whose limit is so near have come to it: what moves until then is quadratically small, and soon
/// round-off.
const NEARBY: f64 = 1e-6;
/// Impacts grow weaker, but for what else moves between them.
const WEAKER: f64 = 1.01;
/// From here on its modes are kept.
const SUSPECT: f64 = 1e-2;
/// So many modes are remembered: a circle around the intersection of a few surfaces comes back within.
const REMEMBERED: usize = 16;

/// Surfaces that are entered more often than this at one instant are entered and left in a circle.
const ENTRIES: u32 = 200;
/// After so many entries at one instant a surface is one that the motion only touches: where it rests on one side of it, the
/// share of that side is all, and the least error of it ends the sliding that it begins.
const TOUCHES: u32 = 8;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct History {
    /// The length of the run of quick events, and the last instant.
    quick: u32,
    last: f64,
    /// Events since instants that are hardly past.
    stalled: [(u32, f64); STALLED.len()],
    /// The latest of them: which relation it was, and the discrete state after it. Then storage for more.
    recent: VecDeque<(u32, Vec<f64>)>,
    spare: Vec<Vec<f64>>,
    /// How often surfaces were entered at an instant, and which it was.
    entries: (u32, f64),
    /// Per relation: the last instants at which it made states jump, the latest first, and the sizes of these jumps.
    impacts: Vec<(u32, Instants, Instants)>,
    /// Per relation, for either direction and for each: the last instants at which it switched without a jump.
    switches: Vec<[Instants; 3]>,
}

/// The last instants of a kind of event, the latest first.
type Instants = [f64; INTERVALS + 1];
const NEVER: Instants = [f64::NEG_INFINITY; INTERVALS + 1];

/// Takes note of an instant. If the intervals shrink: how much is left to their limit, whether they shrink alike, and
/// the last of them. Where they shrink fast few of them tell, and there are not many until they are round-off.
fn shrink(times: &mut Instants, time: f64) -> Option<(f64, bool, f64)> {
    times.rotate_right(1);
    times[0] = time;
    let interval = |k: usize| times[k] - times[k + 1];
    let count = match interval(0) / interval(1) {
        ratio if ratio < 0.3 => INTERVALS - 2,
        ratio if ratio < 0.6 => INTERVALS - 1,
        _ => INTERVALS,
    };
    if times[count] == f64::NEG_INFINITY || !(1..count).all(|k| interval(k - 1) < interval(k)) {
        return None;
    }
    let overall = (interval(0) / interval(count - 1)).powf(1.0 / (count - 1) as f64);
    let alike = (1..count).all(|k| (interval(k - 1) / interval(k) - overall).abs() < 0.1 * overall);
    Some((interval(0) * overall / (1.0 - overall), alike, interval(0)))
}

impl History {
    /// Is the run of events such that the next one may enter a sliding mode? Then its left side is worth keeping.
    pub fn suspects_sliding(&self, time: f64, scale: f64) -> bool {
        self.quick >= 2 && is_tried(self.quick + 1) && self.is_soon(time, scale)
    }

    fn is_soon(&self, time: f64, scale: f64) -> bool {
        time - self.last <= AT_ONCE * scale
    }

    /// Relations that have switched to and fro since then.
    pub fn switched_since(&self, time: f64) -> Vec<u32> {
        let often = |(_, [any, ..]): &(usize, &[Instants; 3])| any[2] >= time;
        self.switches.iter().enumerate().filter(often).map(|(relation, _)| relation as u32).collect()
    }

    /// Have so many events come without progress of time that they will never end, whatever each of them is?
    /// `few`: a tenth of these is enough.
    pub fn stalls(&mut self, time: f64, scale: f64, few: bool) -> bool {
        let mut stalls = false;
        for ((count, begun), (most, part)) in self.stalled.iter_mut().zip(STALLED) {
            if time - *begun > part * scale {
                (*count, *begun) = (0, time);
            }
            *count += 1;
            stalls |= *count > if few { most / 10 } else { most };
        }
        stalls
    }

    /// Forgets events that came without progress of time.
    pub fn begin_anew(&mut self) {
        self.stalled = Default::default();
        self.calm();
    }

    /// Takes note that surfaces are entered; is that so at one instant without end?
    pub fn enters(&mut self, time: f64) -> bool {
        let (count, last) = self.entries;
        self.entries = (if last == time { count + 1 } else { 0 }, time);
        self.entries.0 > ENTRIES
    }

    /// Were surfaces entered and left at this instant so often that they hold nothing?
    pub fn only_touches(&self, time: f64) -> bool {
        self.entries.1 == time && self.entries.0 > TOUCHES
    }

    /// Forgets the run of quick events.
    pub fn calm(&mut self) {
        self.quick = 0;
        self.spare.extend(self.recent.drain(..).map(|(_, mode)| mode));
    }

    /// Takes note of an event of one relation, whose function went up or down. `scale` is the size of times, `jump` that of the jump of
    /// the states, if they have jumped, `mode` the discrete state after it.
    pub fn note(
        &mut self,
        (relation, up): (u32, bool),
        time: f64,
        scale: f64,
        jump: Option<f64>,
        mode: impl Iterator<Item = f64>,
    ) -> Recurrence {
        if let Some(size) = jump {
            self.calm();
            // What switches between impacts is theirs.
            self.switches.clear();
            return self.impact(relation, time, scale, size);
        }
        let known = self.switches.len().max(relation as usize + 1);
        self.switches.resize(known, [NEVER; 3]);
        let switches = &mut self.switches[relation as usize];
        let both = [0, 1 + usize::from(up)].map(|way| shrink(&mut switches[way], time));
        let alike = both.into_iter().flatten().filter(|&(_, alike, last)| alike && last > RESOLVED * scale);
        let left = alike.map(|(left, ..)| left).fold(f64::INFINITY, f64::min);
        // What goes to and fro in no time is another matter.
        if left < SUSPECT * scale && self.quick < 3 {
            let reached = left < NEARBY * scale;
            return Recurrence::Accumulation { relation, limit: time + left, reached };
        }
        let soon = self.is_soon(time, scale);
        self.last = time;
        if !soon {
            self.calm();
        }
        self.quick += 1;
        let mut now = match self.recent.len() {
            REMEMBERED => self.recent.pop_front().map(|(_, mode)| mode),
            _ => self.spare.pop(),
        }
        .unwrap_or_default();
        now.clear();
        now.extend(mode);
        // The mode was here before: what switched since then goes to and fro.
        let earlier = self.recent.iter().rposition(|(_, mode)| *mode == now);
        self.recent.push_back((relation, now));
        // Sliding that could not be entered so often will not be.
        if self.quick > CHATTERING {
            return Recurrence::Chattering(relation);
        }
        let (Some(earlier), 3..) = (earlier, self.quick) else { return Recurrence::None };
        if !is_tried(self.quick) {
            return Recurrence::None;
        }
        let mut relations: Vec<u32> = self.recent.iter().skip(earlier + 1).map(|(r, _)| *r).collect();
        relations.sort_unstable();
        relations.dedup();
        Recurrence::Sliding(relations)
    }

    fn impact(&mut self, relation: u32, time: f64, scale: f64, size: f64) -> Recurrence {
        let place = match self.impacts.iter().position(|(r, ..)| *r == relation) {
            Some(place) => place,
            None => {
                self.impacts.push((relation, NEVER, NEVER));
                self.impacts.len() - 1
            }
        };
        let (_, times, sizes) = &mut self.impacts[place];
        sizes.rotate_right(1);
        sizes[0] = size;
        let Some((left, alike, last)) = shrink(times, time) else { return Recurrence::None };
        // Impacts that do not become weaker have no limit, however soon they follow each other.
        let fewest = INTERVALS - 2;
        if !(0..fewest).all(|k| sizes[k] <= WEAKER * sizes[k + 1]) || sizes[0] >= sizes[fewest] {
            return Recurrence::None;
        }
        let resolvable = last > RESOLVED * scale;
        if alike && left < NEARBY * scale || !resolvable {
            return Recurrence::Zeno(relation, time + if left.is_finite() { left } else { 0.0 });
        }
        Recurrence::None
    }
}

fn is_tried(count: u32) -> bool {
    count <= TRIED || count.is_multiple_of(TRIED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometric_intervals_are_a_zeno_point() {
        let mut history = History::default();
        let (mut t, mut d) = (0.5, 0.5);
        for _ in 0..100 {
            d *= 0.5;
            t += d;
            if let Recurrence::Zeno(7, limit) = history.note((7, true), t, 1.0, Some(d), std::iter::empty()) {
                assert!((limit - 1.0).abs() < 1e-9, "{limit}");
                return;
            }
        }
        panic!("not detected");
    }

    #[test]
    fn impacts_that_stay_as_strong_have_none() {
        let mut history = History::default();
        let (mut t, mut d) = (0.5, 0.5);
        for _ in 0..60 {
            d *= 0.5;
            t += d;
            let found = history.note((7, true), t, 1.0, Some(1.0), std::iter::empty());
            assert_eq!(found, Recurrence::None);
        }
    }

    #[test]
    fn switching_ever_quicker_has_a_limit() {
        let mut history = History::default();
        let (mut t, mut d) = (0.5, 0.5);
        for k in 0..100 {
            d *= 0.7;
            t += d;
            let found = history.note((k % 2, k % 4 < 2), t, 1.0, None, std::iter::empty());
            if let Recurrence::Accumulation { limit, reached: true, .. } = found {
                assert!((limit - (0.5 + 0.5 * 0.7 / 0.3)).abs() < 1e-9, "{limit}");
                return;
            }
        }
        panic!("not detected");
    }

    #[test]
    fn equal_intervals_are_not() {
        let mut history = History::default();
        for k in 0..1000 {
            let found = history.note((0, true), f64::from(k), 1.0, Some(1.0), std::iter::empty());
            assert_eq!(found, Recurrence::None);
        }
    }

    #[test]
    fn two_alternating_modes_in_no_time_are_sliding() {
        let mut history = History::default();
        let note = |history: &mut History, k: u32| {
            let mode = [f64::from(k % 2), 5.0];
            history.note((3, true), 1.0 + f64::from(k) * 1e-15, 1.0, None, mode.into_iter())
        };
        assert_eq!(note(&mut history, 0), Recurrence::None);
        assert_eq!(note(&mut history, 1), Recurrence::None);
        assert!(history.suspects_sliding(1.0, 1.0));
        assert!(!history.suspects_sliding(1.1, 1.0));
        assert_eq!(note(&mut history, 2), Recurrence::Sliding(vec![3]));
    }

    #[test]
    fn a_circle_of_four_modes_in_no_time_slides_on_two_surfaces() {
        let mut history = History::default();
        let mut note =
            |relation: u32, mode: [f64; 2]| history.note((relation, true), 1.0, 1.0, None, mode.into_iter());
        for (relation, mode) in [(4, [1.0, 0.0]), (2, [1.0, 1.0]), (4, [0.0, 1.0]), (2, [0.0, 0.0])] {
            assert_eq!(note(relation, mode), Recurrence::None);
        }
        assert_eq!(note(4, [1.0, 0.0]), Recurrence::Sliding(vec![2, 4]));
    }

    #[test]
    fn modes_that_alternate_for_too_long_are_chattering() {
        let mut history = History::default();
        let mut note = |k: u32| history.note((3, true), 1.0, 1.0, None, [f64::from(k % 2)].into_iter());
        let before: Vec<Recurrence> = (0..CHATTERING).map(&mut note).collect();
        let tried = before.iter().filter(|found| **found == Recurrence::Sliding(vec![3])).count() as u32;
        assert_eq!(tried, TRIED - 2 + CHATTERING / TRIED - 1);
        assert!(!before.contains(&Recurrence::Chattering(3)));
        assert_eq!(note(0), Recurrence::Chattering(3));
    }

    #[test]
    fn counting_in_no_time_is_chattering() {
        let mut history = History::default();
        let mut found = Recurrence::None;
        for k in 0..=CHATTERING {
            found = history.note((3, true), 1.0, 1.0, None, [f64::from(k)].into_iter());
        }
        assert_eq!(found, Recurrence::Chattering(3));
    }
}
