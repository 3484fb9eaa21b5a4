//! What each source of events can reach, found once for a model.

use super::graph::{Class, Graph};
use super::{Ledger, Readers};
use crate::structure::Seen;
use crate::tape::Slot;

/// What an event that starts from one source has to look at.
#[derive(Clone, Debug, PartialEq)]
pub enum Scope {
    /// So much of the model that evaluating all of it is cheaper.
    Whole,
    Part(Part),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Cells to begin with, where the source is a relation.
    pub seeds: Vec<u32>,
    /// Variables that move whose left limits are read, with the places of these, and the cells that give them.
    pub limits: Vec<(Slot, Slot)>,
    pub limit_cells: Vec<u32>,
    /// The states that are read on the way.
    pub states: Vec<u32>,
    /// The regions that are read, set or told something.
    pub regions: Vec<u32>,
    /// Nothing that it reaches is seen by derivatives or crossing functions, sets a state or ends the run.
    pub quiet: bool,
    /// All cells that it reaches, if it is quiet, nothing is done beside, and nothing that moves but time is read.
    pub own: Vec<u32>,
    /// The island of these cells, if they make one.
    pub island: Option<u32>,
}

/// Reaches up to this size are followed whatever the size of the model; but a model of this size is evaluated as a
/// whole where the motion sees the event.
const SMALL: u32 = 256;
/// Larger ones are followed if they are at most this part of the model: whole evaluations have better code.
const SHARE: u32 = 4;
/// So many steps may be taken in all for each block of the model, and besides.
const EFFORT: usize = 200;
const EFFORT_BESIDES: usize = 1_000_000;

/// Scopes by source, in terms of units; `Numbers` turns them into cells.
pub(super) struct Scopes {
    pub samplers: Vec<Scope>,
    pub relations: Vec<Scope>,
    wanted: Vec<bool>,
}

/// The cell of each unit that some scope contains.
pub(super) struct Numbers {
    pub units: Vec<Option<u32>>,
}

pub(super) fn scopes(graph: &Graph, ledger: &Ledger, flags: &[Slot], first_relation: Slot) -> Scopes {
    let mut search = Search::new(graph, ledger);
    let samplers = flags.iter().map(|&flag| search.scope(Vec::new(), Some(flag))).collect();
    let relations = (0..graph.sides.len()).map(|r| {
        let held = |slot: &&Slot| {
            let writer = graph.writer[**slot as usize];
            writer.is_some_and(|u| !graph.units[u as usize].moving.is_empty())
        };
        let own = first_relation + r as Slot;
        // What a relation is compared with may be read off motion itself: a whole number that is held.
        let slots = graph.sides[r].iter().filter(held).chain([&own]);
        let mut seeds: Vec<u32> = slots.filter_map(|&slot| graph.writer[slot as usize]).collect();
        seeds.sort_unstable();
        seeds.dedup();
        search.scope(seeds, None)
    });
    let relations = relations.collect();
    Scopes { samplers, relations, wanted: search.wanted }
}

impl Scopes {
    /// Numbers the blocks that are wanted, in their order, and names them so in all scopes.
    pub fn number(&mut self, blocks: usize) -> Numbers {
        let mut count = 0;
        let units = self.wanted.iter().enumerate().map(|(u, wanted)| {
            (*wanted && u < blocks).then(|| {
                count += 1;
                count - 1
            })
        });
        let numbers = Numbers { units: units.collect() };
        for scope in self.samplers.iter_mut().chain(&mut self.relations) {
            if let Scope::Part(part) = scope {
                for list in [&mut part.seeds, &mut part.limit_cells, &mut part.own] {
                    *list = list.iter().filter_map(|&u| numbers.units[u as usize]).collect();
                }
            }
        }
        numbers
    }
}

impl Numbers {
    /// The cells that give what moves.
    pub fn support(&self, graph: &Graph, moving: &[Slot]) -> Vec<u32> {
        let writers = moving.iter().filter_map(|&slot| graph.writer[slot as usize]);
        let mut cells: Vec<u32> = writers.filter_map(|u| self.units[u as usize]).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

struct Search<'a> {
    graph: &'a Graph,
    ledger: &'a Ledger,
    /// Units, then effects.
    readers: Readers,
    always: Vec<u32>,
    whole: u32,
    effort: usize,
    wanted: Vec<bool>,
    /// The search that last came to a unit or slot, forwards or for its numbers.
    reached: Vec<u32>,
    needed: Vec<u32>,
    asked: Vec<u32>,
    count: u32,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, ledger: &'a Ledger) -> Self {
        let observed = observed(graph);
        let mut pairs = Vec::new();
        let mut always = Vec::new();
        for (u, unit) in graph.units.iter().enumerate().filter(|(u, _)| observed[*u]) {
            pairs.extend(unit.events.iter().chain(&unit.moving).map(|&slot| (slot, u as u32)));
            if unit.volatile {
                always.push(u as u32);
            }
        }
        for (k, effect) in graph.effects().enumerate() {
            let at = (graph.units.len() + k) as u32;
            pairs.extend(effect.events.iter().chain(&effect.moving).map(|&slot| (slot, at)));
        }
        let slots = graph.class.len();
        let nodes = graph.units.len() + graph.effects().count();
        Self {
            graph,
            ledger,
            readers: Readers::new(slots, &mut pairs),
            always,
            whole: graph.units.iter().map(|unit| unit.size).sum(),
            effort: EFFORT_BESIDES + EFFORT * graph.units.len(),
            wanted: vec![false; graph.units.len()],
            reached: vec![0; nodes],
            needed: vec![0; graph.units.len()],
            asked: vec![0; slots],
            count: 0,
        }
    }

    /// Forwards from the seeds and from what reads a slot; backwards to all that this needs.
    fn scope(&mut self, seeds: Vec<u32>, slot: Option<Slot>) -> Scope {
        self.count += 1;
        let mut part = Part { quiet: true, seeds: seeds.clone(), ..Part::default() };
        let mut stack = seeds;
        stack.extend(&self.always);
        stack.extend(slot.map_or(&[][..], |slot| self.readers.of(slot)));
        let (mut units, mut size) = (Vec::new(), 0);
        let mut plain = self.always.is_empty();
        let mut moving: Vec<Slot> = Vec::new();
        while let Some(u) = stack.pop() {
            if std::mem::replace(&mut self.reached[u as usize], self.count) == self.count {
                continue;
            }
            let Some(unit) = self.graph.units.get(u as usize) else {
                let k = u as usize - self.graph.units.len();
                if let Some(effect) = self.graph.effects().nth(k) {
                    moving.extend(&effect.moving);
                    part.quiet &= !effect.intervenes;
                    plain &= !effect.acts;
                    for &slot in &effect.sets {
                        self.changed(slot, &mut stack);
                        stack.extend(self.graph.writer[slot as usize]);
                    }
                }
                continue;
            };
            size += unit.size;
            units.push(u);
            moving.extend(&unit.moving);
            part.quiet &= (u as usize) < self.graph.blocks;
            for &slot in &unit.writes {
                part.quiet &=
                    self.ledger.seen[slot as usize] < Seen::Motion && !self.ledger.crossed[slot as usize];
                self.changed(slot, &mut stack);
            }
            if !self.afford(unit.writes.len() + unit.moving.len() + 1) || self.too_large(size) {
                return Scope::Whole;
            }
        }
        if plain && part.quiet && moving.iter().all(|&slot| slot == self.ledger.time) {
            part.own.clone_from(&units);
            part.own.sort_unstable();
        }
        while let Some(slot) = moving.pop() {
            if std::mem::replace(&mut self.asked[slot as usize], self.count) == self.count {
                continue;
            }
            if let Some(state) = self.ledger.state[slot as usize] {
                part.states.push(state);
            }
            let mut source = slot;
            if let Some(now) = self.ledger.limit_of[slot as usize] {
                part.limits.push((now, slot));
                part.limit_cells.extend(self.graph.writer[now as usize]);
                part.states.extend(self.ledger.state[now as usize]);
                source = now;
            }
            let Some(u) = self.graph.writer[source as usize] else { continue };
            if std::mem::replace(&mut self.needed[u as usize], self.count) == self.count {
                continue;
            }
            let unit = &self.graph.units[u as usize];
            if self.reached[u as usize] != self.count {
                size += unit.size;
                units.push(u);
            }
            moving.extend(&unit.moving);
            if !self.afford(unit.moving.len() + 1) || self.too_large(size) {
                return Scope::Whole;
            }
        }
        if !part.quiet && self.whole <= SMALL {
            return Scope::Whole;
        }
        units.iter().for_each(|&u| self.wanted[u as usize] = true);
        let blocks = self.graph.blocks as u32;
        part.regions.extend(units.iter().filter_map(|u| u.checked_sub(blocks)));
        part.regions.sort_unstable();
        part.states.sort_unstable();
        part.states.dedup();
        Scope::Part(part)
    }

    /// Those that read a number, or its left limit.
    fn changed(&self, slot: Slot, stack: &mut Vec<u32>) {
        stack.extend(self.readers.of(slot));
        if let Some(before) = self.ledger.before[slot as usize] {
            stack.extend(self.readers.of(before));
        }
    }

    fn afford(&mut self, steps: usize) -> bool {
        self.effort = self.effort.saturating_sub(steps);
        self.effort > 0
    }

    fn too_large(&self, size: u32) -> bool {
        size > SMALL && size > self.whole / SHARE
    }
}

/// Blocks that decide something, or from which something is decided.
fn observed(graph: &Graph) -> Vec<bool> {
    let units = graph.units.iter().enumerate();
    let mut observed: Vec<bool> = units.map(|(u, unit)| unit.decides || u >= graph.blocks).collect();
    let mark = |observed: &mut Vec<bool>, slots: &[Slot]| {
        for &slot in slots {
            if let Some(u) = graph.writer[slot as usize] {
                observed[u as usize] = true;
            }
        }
    };
    for effect in graph.effects() {
        mark(&mut observed, &effect.moving);
    }
    for (u, unit) in graph.units.iter().enumerate().rev() {
        if observed[u] {
            debug_assert!(unit.moving.iter().all(|&slot| graph.class[slot as usize] == Class::Moving));
            mark(&mut observed, &unit.moving);
        }
    }
    observed
}
