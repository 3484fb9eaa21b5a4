//! Evaluation of only what an event can reach: cells that run when something they read has changed.
//!
//! A cell is a block of the sorted system with code of its own. At an event the cells that read what fired run, then
//! those that read what these have changed, in sorted order; a cell that reads something that moves with time first
//! has it brought to the present. What nobody reaches keeps its value, which is the value that it would get.

mod graph;
mod island;
mod scope;

pub use island::{Body, Clause, Clock, Instant, Island, LONGEST, Next, is_plain, island};
pub use scope::{Part, Scope};

use crate::describe::inputs;
use crate::info::Source;
use crate::program::Memory;
use crate::sequence::Sequence;
use crate::structure::{Needs, Seen};
use crate::tape::Slot;
use graph::{Class, Graph};
use kairos_causal::{CausalModel, Role};
use kairos_expr::{ExprId, VarId};

/// What a cell does.
#[derive(Clone, Debug)]
pub enum Work {
    Code(Sequence),
    /// An assert, a call for what it does, a when-clause, the instant of a time relation: by their numbers.
    Assert(u32),
    Call(u32),
    When(u32),
    Plan(u32),
}

/// A number that a cell gives.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    pub slot: Slot,
    pub kind: WriteKind,
    /// Where its left limit is kept.
    pub before: Option<Slot>,
    /// Somebody reads that.
    pub read: bool,
    pub seen: Seen,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteKind {
    Moving,
    /// A variable whose change makes another iteration.
    Discrete,
    /// One of the compiler's own.
    Helper,
    /// A flag of which each truth counts.
    Acts,
    /// A relation by its number.
    Relation(u32),
    /// No number, and not compared.
    Text,
}

#[derive(Clone, Debug)]
pub struct Cell {
    pub work: Work,
    /// Range in `Reach::writes`.
    pub writes: (u32, u32),
    /// Cells that give it what moves with time.
    pub support: Vec<u32>,
    /// Gives numbers that move.
    pub moves: bool,
    /// Its place in `Program::definitions`.
    pub definition: Option<u32>,
}

/// The cells of a program and how they hang together.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// In the order of evaluation; plans last.
    pub cells: Vec<Cell>,
    pub writes: Vec<Write>,
    /// Of the states, in their order, then of what is set from outside.
    pub states: Vec<Write>,
    /// The latter by their slots, ascending, with their numbers in `states`.
    pub inputs: Vec<(Slot, u32)>,
    /// The first plan.
    pub plans: u32,
    /// Cells that are evaluated at every event: discrete equations that read motion.
    pub always: Vec<u32>,
    readers: Readers,
    pub samplers: Vec<Scope>,
    pub relations: Vec<Scope>,
    pub islands: Vec<Island>,
}

/// The cells that read each slot.
#[derive(Clone, Debug, Default)]
struct Readers {
    first: Vec<u32>,
    cells: Vec<u32>,
}

impl Readers {
    fn new(slots: usize, pairs: &mut [(Slot, u32)]) -> Self {
        pairs.sort_unstable();
        let mut first = vec![0; slots + 1];
        pairs.iter().for_each(|(slot, _)| first[*slot as usize + 1] += 1);
        for k in 0..slots {
            first[k + 1] += first[k];
        }
        Self { first, cells: pairs.iter().map(|(_, cell)| *cell).collect() }
    }

    fn of(&self, slot: Slot) -> &[u32] {
        match self.first.get(slot as usize + 1) {
            Some(&end) => &self.cells[self.first[slot as usize] as usize..end as usize],
            None => &[],
        }
    }
}

/// What is known about the slots besides the equations.
pub struct Ledger {
    /// Where the left limit of a slot is kept, and of what a slot is the left limit, if that moves.
    before: Vec<Option<Slot>>,
    limit_of: Vec<Option<Slot>>,
    /// A change makes another iteration.
    watched: Vec<bool>,
    /// Holds no number.
    text: Vec<bool>,
    seen: Vec<Seen>,
    /// The left limit is read.
    read: Vec<bool>,
    /// Read by a crossing function.
    crossed: Vec<bool>,
    state: Vec<Option<u32>>,
    time: Slot,
}

impl Ledger {
    /// From pairs of slots and left limits, of discrete variables and of others; `read`: the left limit of a variable
    /// is read otherwise than to keep it.
    pub fn new(
        model: &CausalModel,
        memory: &Memory,
        needs: &Needs,
        read: &[bool],
        discrete: &[(Slot, Slot)],
        pre: &[(Slot, Slot)],
    ) -> Self {
        let slots = memory.slots.len();
        let mut ledger = Ledger {
            before: vec![None; slots],
            limit_of: vec![None; slots],
            watched: vec![false; slots],
            text: vec![false; slots],
            seen: vec![Seen::Nobody; slots],
            read: vec![false; slots],
            crossed: vec![false; slots],
            state: vec![None; slots],
            time: memory.time,
        };
        for &(now, before) in discrete {
            ledger.before[now as usize] = Some(before);
            ledger.watched[now as usize] = true;
        }
        for &(now, before) in pre {
            ledger.before[now as usize] = Some(before);
            ledger.read[now as usize] = true;
        }
        let slot = |v: VarId| memory.slot_of[v.index()] as usize;
        for v in (0..model.vars.len()).map(VarId::new) {
            ledger.read[slot(v)] |= read[v.index()];
            ledger.text[slot(v)] |= memory.other_of[v.index()].is_some();
            let seen = &mut ledger.seen[slot(v)];
            *seen = (*seen).max(needs.seen(model, v));
            if let Role::Pre(now) = model.roles[v.index()]
                && matches!(model.roles[now.index()], Role::State | Role::Algebraic | Role::Input)
            {
                ledger.limit_of[slot(v)] = Some(slot(now) as Slot);
            }
        }
        for (r, relation) in model.relations.iter().enumerate() {
            ledger.seen[memory.relations as usize + r] = needs.relations[r];
            if relation.time.is_none() {
                let read: Vec<ExprId> = relation.reads().collect();
                for v in model.store.variables(&read) {
                    ledger.crossed[slot(v)] = true;
                    if let Role::Pre(now) = model.roles[v.index()] {
                        ledger.crossed[slot(now)] = true;
                    }
                }
            }
        }
        for (k, state) in model.states.iter().enumerate() {
            ledger.state[slot(state.var)] = Some(k as u32);
        }
        ledger
    }

    fn write(&self, graph: &Graph, relations: std::ops::Range<Slot>, slot: Slot) -> Write {
        let at = slot as usize;
        let kind = match graph.class[at] {
            _ if relations.contains(&slot) => WriteKind::Relation(slot - relations.start),
            _ if self.text[at] => WriteKind::Text,
            Class::Moving => WriteKind::Moving,
            _ if self.watched[at] => WriteKind::Discrete,
            _ if graph.acts[at] => WriteKind::Acts,
            _ => WriteKind::Helper,
        };
        Write { slot, kind, before: self.before[at], read: self.read[at], seen: self.seen[at] }
    }
}

impl Reach {
    /// Finds what every source of events reaches, and makes cells of it; `definitions` has the place of each block's
    /// variable in `Program::definitions`. Gives also the blocks whose code the first cells need.
    pub fn new(
        model: &CausalModel,
        memory: &Memory,
        ledger: &Ledger,
        definitions: &[Option<u32>],
    ) -> (Reach, Vec<usize>) {
        let count = (model.samplers.len(), model.relations.len());
        if count == (0, 0) || memory.has_past() {
            let whole = |count: usize| vec![Scope::Whole; count];
            let reach = Reach { samplers: whole(count.0), relations: whole(count.1), ..Reach::default() };
            return (reach, Vec::new());
        }
        let graph = graph::graph(model, memory);
        let relations = memory.relations..memory.relations + count.1 as Slot;
        let flags: Vec<Slot> = model.samplers.iter().map(|s| memory.slot_of[s.flag.index()]).collect();
        let mut scopes = scope::scopes(&graph, ledger, &flags, relations.start);
        let numbers = scopes.number(graph.blocks);
        let mut reach = Reach { samplers: scopes.samplers, relations: scopes.relations, ..Reach::default() };
        let (mut pairs, mut blocks) = (Vec::new(), Vec::new());
        for (u, unit) in graph.units.iter().enumerate().take(graph.blocks) {
            let Some(cell) = numbers.units[u] else { continue };
            blocks.push(u);
            let first = reach.writes.len() as u32;
            reach
                .writes
                .extend(unit.writes.iter().map(|&slot| ledger.write(&graph, relations.clone(), slot)));
            pairs.extend(unit.events.iter().chain(&unit.moving).map(|&slot| (slot, cell)));
            if unit.volatile {
                reach.always.push(cell);
            }
            reach.cells.push(Cell {
                work: Work::Code(Sequence::default()),
                writes: (first, reach.writes.len() as u32),
                support: numbers.support(&graph, &unit.moving),
                moves: unit.moves,
                definition: definitions[u],
            });
        }
        for (k, assert) in graph.asserts.iter().enumerate() {
            let read = assert.events.iter().chain(&assert.moving);
            reach.effect(Work::Assert(k as u32), numbers.support(&graph, &assert.moving), read, &mut pairs);
        }
        for (k, call) in graph.calls.iter().enumerate() {
            let read = call.events.iter().chain(&call.moving);
            reach.effect(Work::Call(k as u32), numbers.support(&graph, &call.moving), read, &mut pairs);
        }
        for (k, when) in graph.whens.iter().enumerate() {
            let support = numbers.support(&graph, &when.moving);
            reach.effect(Work::When(k as u32), support, when.events.iter(), &mut pairs);
        }
        reach.plans = reach.cells.len() as u32;
        for (r, plan) in graph.plans.iter().enumerate() {
            let own = relations.start + r as Slot;
            reach.effect(Work::Plan(r as u32), Vec::new(), plan.iter().chain([&own]), &mut pairs);
        }
        let state = |s: &kairos_causal::State| memory.slot_of[s.var.index()];
        let states = model.states.iter().map(state);
        let inputs = inputs(model).map(|v| memory.slot_of[v.index()]);
        reach.states =
            states.chain(inputs).map(|slot| ledger.write(&graph, relations.clone(), slot)).collect();
        let inputs = reach.states.iter().enumerate().skip(model.states.len());
        reach.inputs = inputs.map(|(k, write)| (write.slot, k as u32)).collect();
        reach.inputs.sort_unstable();
        reach.readers = Readers::new(graph.class.len(), &mut pairs);
        (reach, blocks)
    }

    fn effect<'a>(
        &mut self,
        work: Work,
        support: Vec<u32>,
        read: impl Iterator<Item = &'a Slot>,
        pairs: &mut Vec<(Slot, u32)>,
    ) {
        let (cell, end) = (self.cells.len() as u32, self.writes.len() as u32);
        pairs.extend(read.map(|&slot| (slot, cell)));
        self.cells.push(Cell { work, writes: (end, end), support, moves: false, definition: None });
    }

    pub fn scope(&self, source: Source) -> &Scope {
        match source {
            Source::Sampler(k) => &self.samplers[k as usize],
            Source::Relation(r) => &self.relations[r as usize],
        }
    }

    pub fn scope_mut(&mut self, source: Source) -> &mut Scope {
        match source {
            Source::Sampler(k) => &mut self.samplers[k as usize],
            Source::Relation(r) => &mut self.relations[r as usize],
        }
    }

    /// What cells give, and the time relations whose instants are computed from it.
    pub fn given(&self, cells: &[u32]) -> (Vec<Write>, Vec<u32>) {
        let (mut writes, mut plans) = (Vec::<Write>::new(), Vec::new());
        for &cell in cells {
            let (first, end) = self.cells[cell as usize].writes;
            writes.extend(&self.writes[first as usize..end as usize]);
        }
        for slot in writes.iter().flat_map(|write| [Some(write.slot), write.before]).flatten() {
            plans.extend(self.readers.of(slot).iter().filter(|cell| **cell >= self.plans));
        }
        plans.sort_unstable();
        plans.dedup();
        (writes, plans)
    }

    /// The cells that read a slot.
    pub fn readers_of(&self, slot: Slot) -> &[u32] {
        self.readers.of(slot)
    }

    /// The code of all cells.
    pub fn codes(&self) -> impl Iterator<Item = &Sequence> {
        self.cells.iter().filter_map(|cell| match &cell.work {
            Work::Code(codes) => Some(codes),
            _ => None,
        })
    }

    pub fn codes_mut(&mut self) -> impl Iterator<Item = &mut Sequence> {
        self.cells.iter_mut().filter_map(|cell| match &mut cell.work {
            Work::Code(codes) => Some(codes),
            _ => None,
        })
    }
}
