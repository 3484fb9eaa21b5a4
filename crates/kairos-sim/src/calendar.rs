//! The calendar of time events: the earliest of many instants, by a binary heap with removal, or of few at a glance.

use serde::{Deserialize, Serialize};

/// Each source (a sampler, a time relation) has at most one pending instant. No operation allocates.
#[derive(Clone, Serialize, Deserialize)]
pub struct Calendar {
    /// The earliest pending instant, infinity if there is none.
    earliest: f64,
    /// Instant of each source; infinity: none pending.
    times: Vec<f64>,
    /// Sources ordered as a heap by their instants; empty where there are few.
    heap: Vec<u32>,
    /// Where a source stands in the heap.
    places: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;
/// So few instants are looked through faster than they are kept in order.
const FEW: usize = 6;

impl Calendar {
    pub fn new(sources: usize) -> Self {
        Self {
            earliest: f64::INFINITY,
            times: vec![f64::INFINITY; sources],
            heap: Vec::with_capacity(sources),
            places: vec![ABSENT; sources],
        }
    }

    /// The earliest pending instant, infinity if there is none.
    #[inline(always)]
    pub fn next(&self) -> f64 {
        self.earliest
    }

    fn has_few(&self) -> bool {
        self.times.len() <= FEW
    }

    /// The source of the earliest instant, and the earliest instant of all others.
    pub fn first(&self) -> Option<(usize, f64)> {
        if self.has_few() {
            let source = self.source_at(self.earliest)?;
            let others = self.times.iter().enumerate().filter(|(other, _)| *other != source);
            return Some((source, others.fold(f64::INFINITY, |least, (_, &time)| least.min(time))));
        }
        let source = *self.heap.first()? as usize;
        let time = |place: usize| self.heap.get(place).map_or(f64::INFINITY, |&s| self.times[s as usize]);
        Some((source, time(1).min(time(2))))
    }

    pub fn time_of(&self, source: usize) -> f64 {
        self.times[source]
    }

    /// Plans, moves or (at infinity) removes the instant of a source.
    pub fn set(&mut self, source: usize, time: f64) {
        let time = if time.is_nan() { f64::INFINITY } else { time };
        if self.has_few() {
            self.times[source] = time;
            self.look_through();
        } else {
            self.put(source, time);
            self.look_up();
        }
    }

    /// Takes out the earliest source if its instant is not after `limit`.
    pub fn pop_until(&mut self, limit: f64) -> Option<usize> {
        if self.earliest > limit {
            return None;
        }
        if self.has_few() {
            let source = self.source_at(self.earliest)?;
            self.times[source] = f64::INFINITY;
            self.look_through();
            return Some(source);
        }
        let source = *self.heap.first()? as usize;
        self.remove(source);
        self.look_up();
        Some(source)
    }

    /// The lowest source that is pending at this instant.
    fn source_at(&self, time: f64) -> Option<usize> {
        self.times.iter().position(|&pending| pending == time && pending < f64::INFINITY)
    }

    fn look_through(&mut self) {
        let earlier = |least: f64, time: &f64| if *time < least { *time } else { least };
        self.earliest = self.times.iter().fold(f64::INFINITY, earlier);
    }

    fn look_up(&mut self) {
        self.earliest = self.heap.first().map_or(f64::INFINITY, |&source| self.times[source as usize]);
    }

    fn put(&mut self, source: usize, time: f64) {
        let pending = self.places[source] != ABSENT;
        if time == f64::INFINITY {
            if pending {
                self.remove(source);
            }
            return;
        }
        let earlier = time < self.times[source];
        self.times[source] = time;
        if !pending {
            self.places[source] = self.heap.len() as u32;
            self.heap.push(source as u32);
            self.rise(self.heap.len() - 1);
        } else if earlier {
            self.rise(self.places[source] as usize);
        } else {
            self.sink(self.places[source] as usize);
        }
    }

    fn remove(&mut self, source: usize) {
        let place = self.places[source] as usize;
        self.times[source] = f64::INFINITY;
        self.places[source] = ABSENT;
        let last = self.heap.len() - 1;
        let moved = self.heap[last];
        self.heap.truncate(last);
        if place < last {
            self.heap[place] = moved;
            self.places[moved as usize] = place as u32;
            self.rise(place);
            self.sink(self.places[moved as usize] as usize);
        }
    }

    // Ties go to the lower source number, so that the order never depends on history.
    fn before(&self, a: u32, b: u32) -> bool {
        (self.times[a as usize], a) < (self.times[b as usize], b)
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.places[self.heap[a] as usize] = a as u32;
        self.places[self.heap[b] as usize] = b as u32;
    }

    fn rise(&mut self, mut place: usize) {
        while place > 0 {
            let parent = (place - 1) / 2;
            if !self.before(self.heap[place], self.heap[parent]) {
                break;
            }
            self.swap(place, parent);
            place = parent;
        }
    }

    fn sink(&mut self, mut place: usize) {
        loop {
            let mut least = place;
            for child in [2 * place + 1, 2 * place + 2] {
                if child < self.heap.len() && self.before(self.heap[child], self.heap[least]) {
                    least = child;
                }
            }
            if least == place {
                break;
            }
            self.swap(place, least);
            place = least;
        }
    }
}

/// The instants of one `sample` operator: products of an integer tick, so that they neither drift nor repeat.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Sampler {
    pub start: f64,
    pub interval: f64,
    tick: u64,
}

impl Sampler {
    /// Positioned at its first instant not before `now`.
    pub fn new(start: f64, interval: f64, now: f64) -> Self {
        let mut sampler = Self { start, interval, tick: 0 };
        if start < now && interval > 0.0 {
            sampler.tick = ((now - start) / interval).ceil().max(0.0) as u64;
            while sampler.tick > 0 && same_instant(sampler.at(sampler.tick - 1), now) {
                sampler.tick -= 1;
            }
            while !same_instant(sampler.next(), now) && sampler.next() < now {
                sampler.tick += 1;
            }
        }
        sampler
    }

    pub fn next(&self) -> f64 {
        self.at(self.tick)
    }

    /// The number of the next tick.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// So many ticks have been dealt with.
    pub fn skip(&mut self, ticks: u64) {
        self.tick += ticks;
    }

    /// Goes to the first tick that lies after `now`, and gives its instant.
    pub fn advance(&mut self, now: f64) -> f64 {
        self.tick += 1;
        while self.next() <= now || same_instant(self.next(), now) {
            self.tick += 1;
        }
        self.next()
    }

    fn at(&self, tick: u64) -> f64 {
        self.start + tick as f64 * self.interval
    }
}

/// Instants that differ by rounding only are one.
#[inline(always)]
pub fn same_instant(a: f64, b: f64) -> bool {
    let (distance, size) = ((a - b).abs(), if a.abs() < b.abs() { b.abs() } else { a.abs() });
    distance <= 4.0 * f64::EPSILON * size && distance < f64::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_in_order_after_moves_and_removals() {
        let mut calendar = Calendar::new(5);
        for (source, time) in [(0, 5.0), (1, 1.0), (2, 3.0), (3, 4.0), (4, 2.0)] {
            calendar.set(source, time);
        }
        calendar.set(1, 6.0);
        calendar.set(2, f64::INFINITY);
        calendar.set(0, 0.5);
        let order: Vec<_> = std::iter::from_fn(|| calendar.pop_until(10.0)).collect();
        assert_eq!(order, [0, 4, 3, 1]);
        assert_eq!(calendar.next(), f64::INFINITY);
    }

    #[test]
    fn agrees_with_sorting_on_pseudo_random_use() {
        for count in [1, FEW, FEW + 1, 40] {
            agrees_with_sorting(count);
        }
    }

    fn agrees_with_sorting(count: usize) {
        let mut calendar = Calendar::new(count);
        let mut plain = vec![f64::INFINITY; count];
        let mut seed = 12345u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize
        };
        for _ in 0..10_000 {
            let source = random() % count;
            let time = if random() % 4 == 0 { f64::INFINITY } else { (random() % 100) as f64 };
            calendar.set(source, time);
            plain[source] = time;
            let least = plain.iter().copied().fold(f64::INFINITY, f64::min);
            assert_eq!(calendar.next(), least);
            let first = plain.iter().position(|&time| time == least && time < f64::INFINITY);
            let others = (0..count).filter(|&other| Some(other) != first).map(|other| plain[other]);
            let second = others.fold(f64::INFINITY, f64::min);
            assert_eq!(calendar.first(), first.map(|first| (first, second)));
            if random() % 3 == 0 {
                assert_eq!(calendar.pop_until(least), first);
                first.into_iter().for_each(|first| plain[first] = f64::INFINITY);
            }
        }
    }

    #[test]
    fn ticks_neither_drift_nor_repeat() {
        let mut sampler = Sampler::new(0.0, 0.1, 0.0);
        for k in 1..100_000u64 {
            let now = sampler.next();
            assert_eq!(sampler.advance(now), k as f64 * 0.1);
        }
        assert_eq!(Sampler::new(0.0, 0.1, 0.3).next(), 3.0 * 0.1);
        assert_eq!(Sampler::new(-1.0, 0.25, 0.3).next(), 0.5);
        assert_eq!(Sampler::new(0.05, 0.1, 0.0).next(), 0.05);
    }
}
