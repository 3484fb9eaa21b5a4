//! What every block and every effect of a model reads and writes, by slots.

use crate::program::Memory;
use crate::tape::Slot;
use kairos_causal::{Alias, Block, CausalModel, Effect, Region, Role};
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, Node, UnOp, VarId};
use kairos_model::Action;

/// How the number in a slot changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Constant,
    /// At events only.
    Event,
    /// With time.
    Moving,
}

/// A block of the sorted system.
#[derive(Default)]
pub(super) struct Unit {
    /// What it reads that changes at events only, and what moves.
    pub events: Vec<Slot>,
    pub moving: Vec<Slot>,
    pub writes: Vec<Slot>,
    pub size: u32,
    /// Gives numbers that move, or that stand still between events.
    pub moves: bool,
    pub decides: bool,
    /// Discrete, yet read off something that moves: no event announces that it changes.
    pub volatile: bool,
}

/// What is done after an evaluation.
pub(super) struct Aftermath {
    pub events: Vec<Slot>,
    pub moving: Vec<Slot>,
    /// There is something to do, and it sets a state or ends the run.
    pub acts: bool,
    pub intervenes: bool,
    /// What moves and is set.
    pub sets: Vec<Slot>,
}

pub(super) struct Graph {
    /// The blocks, then the regions, which are solved elsewhere.
    pub units: Vec<Unit>,
    pub blocks: usize,
    pub asserts: Vec<Aftermath>,
    /// Calls of functions for what they do.
    pub calls: Vec<Aftermath>,
    pub whens: Vec<Aftermath>,
    /// What a time relation is computed from; nothing for others.
    pub plans: Vec<Vec<Slot>>,
    /// What the sides of each relation read.
    pub sides: Vec<Vec<Slot>>,
    pub class: Vec<Class>,
    /// The unit that writes a slot.
    pub writer: Vec<Option<u32>>,
    /// Slots of flags that tell whether something acts: each truth of them counts, not each change.
    pub acts: Vec<bool>,
}

impl Graph {
    /// Everything that is done after an evaluation: asserts, then calls, then when-clauses.
    pub fn effects(&self) -> impl Iterator<Item = &Aftermath> {
        self.asserts.iter().chain(&self.calls).chain(&self.whens)
    }
}

pub(super) fn graph(model: &CausalModel, memory: &Memory) -> Graph {
    let mut reader = Reader::new(model, memory);
    let mut units: Vec<Unit> = model.blocks.iter().map(|block| reader.unit(block)).collect();
    let regions = model.modes.iter().flat_map(|modes| &modes.regions);
    units.extend(regions.map(|region| reader.region(region)));
    let mut writer = vec![None; reader.class.len()];
    for (u, unit) in units.iter().enumerate() {
        unit.writes.iter().for_each(|&slot| writer[slot as usize] = Some(u as u32));
    }
    let (mut asserts, mut calls, mut whens) = (Vec::new(), Vec::new(), Vec::new());
    let looks =
        |(events, moving)| Aftermath { events, moving, acts: true, intervenes: false, sets: Vec::new() };
    for effect in &model.effects {
        match effect {
            Effect::When { branches, .. } => {
                whens.extend(branches.iter().map(|(fire, actions)| reader.when(*fire, actions)));
            }
            Effect::Assert { condition, message, .. } => {
                asserts.push(looks(reader.reads(&[*condition, *message])));
            }
            Effect::Call(call, _) => calls.push(looks(reader.reads(&[*call]))),
        }
    }
    let plan = |relation: &kairos_causal::Relation| match relation.time {
        Some((slope, rest)) => reader.reads(&[slope, rest, relation.lhs, relation.rhs]).0,
        None => Vec::new(),
    };
    let plans = model.relations.iter().map(plan).collect();
    let sides = model.relations.iter().map(|r| reader.reads(&r.reads().collect::<Vec<_>>()).0).collect();
    let mut acts = vec![false; reader.class.len()];
    for v in (0..model.vars.len()).filter(|&v| model.roles[v] == Role::Helper) {
        acts[memory.slot_of[v] as usize] = reader.value_of[v].is_some_and(|value| reader.is_impulsive(value));
    }
    Graph {
        units,
        blocks: model.blocks.len(),
        asserts,
        calls,
        whens,
        plans,
        sides,
        class: reader.class,
        writer,
        acts,
    }
}

struct Reader<'a> {
    model: &'a CausalModel,
    memory: &'a Memory,
    class: Vec<Class>,
    /// The equation of every discrete variable that has one of its own.
    value_of: Vec<Option<ExprId>>,
    /// How many relations have the expression on their left side.
    bounds: ExprMap<u32>,
    /// Is the variable false whenever nothing acts?
    impulsive: Vec<Option<bool>>,
}

impl<'a> Reader<'a> {
    fn new(model: &'a CausalModel, memory: &'a Memory) -> Self {
        let mut class = vec![Class::Constant; memory.slots.len()];
        class[memory.time as usize] = Class::Moving;
        for v in 0..model.vars.len() {
            if !matches!(model.aliases[v], Some(Alias::Of { .. } | Alias::Constant(_))) {
                class[memory.slot_of[v] as usize] = class_of(model, model.roles[v]);
            }
        }
        for r in 0..model.relations.len() {
            class[memory.relations as usize + r] = Class::Event;
        }
        let mut value_of = vec![None; model.vars.len()];
        for block in &model.blocks {
            if let Block::Assign(assign) = block {
                value_of[assign.var.index()] = Some(assign.value);
            }
        }
        let mut bounds = ExprMap::default();
        for relation in &model.relations {
            *bounds.or_insert_with(relation.lhs, || 0) += 1;
        }
        Self { model, memory, class, value_of, bounds, impulsive: vec![None; model.vars.len()] }
    }

    fn unit(&mut self, block: &Block) -> Unit {
        let mut unit = Unit::default();
        let (mut exprs, mut held) = (Vec::new(), Vec::new());
        self.parts(block, &mut unit, &mut exprs, &mut held);
        unit.size = self.model.store.post_order(&exprs, |_| false).len() as u32;
        (unit.events, unit.moving) = self.reads(&exprs);
        unit.writes.sort_unstable();
        unit.writes.dedup();
        let foreign = |slot: &Slot| unit.writes.binary_search(slot).is_err();
        unit.events.retain(foreign);
        unit.moving.retain(foreign);
        unit.moves = unit.writes.iter().any(|&slot| self.class[slot as usize] == Class::Moving);
        unit.decides = unit.writes.iter().any(|&slot| self.class[slot as usize] != Class::Moving);
        unit.volatile = held.into_iter().any(|value| self.reads_motion(value));
        unit
    }

    /// A part whose structure changes: what decides on its mode and what else it reads, and its own variables.
    fn region(&self, region: &Region) -> Unit {
        let outer = |v: &VarId| self.memory.slot_of[region.outer[v.index()].index()];
        let conditions = region.conditions.iter().map(|c| self.memory.slot_of[c.var.index()]);
        let read = conditions.chain(region.known.iter().map(outer));
        let mut writes: Vec<Slot> = region.owned.iter().map(outer).collect();
        writes.sort_unstable();
        writes.dedup();
        Unit {
            events: read.filter(|&slot| self.class[slot as usize] == Class::Event).collect(),
            size: writes.len() as u32,
            writes,
            moves: true,
            ..Unit::default()
        }
    }

    /// What a block defines, the expressions it evaluates, and those whose value is held between events.
    fn parts(&self, block: &Block, unit: &mut Unit, exprs: &mut Vec<ExprId>, held: &mut Vec<ExprId>) {
        let slot = |v: VarId| self.memory.slot_of[v.index()];
        match block {
            Block::Assign(assign) => {
                unit.writes.push(slot(assign.var));
                exprs.push(assign.value);
                if self.class[slot(assign.var) as usize] != Class::Moving {
                    held.push(assign.value);
                }
            }
            Block::Relation(r) => {
                let relation = &self.model.relations[r.index()];
                unit.writes.push(self.memory.relations + r.0);
                exprs.extend(relation.reads());
            }
            Block::Torn(torn) => {
                unit.writes.extend(torn.iteration.iter().map(|&v| slot(v)));
                unit.writes.extend(torn.inner.iter().map(|a| slot(a.var)));
                let values = torn.inner.iter().map(|a| a.value).chain(torn.residuals.iter().map(|r| r.0));
                exprs.extend(values.clone());
                // A clocked partition may have loops.
                if torn.iteration.iter().any(|&v| self.class[slot(v) as usize] != Class::Moving) {
                    held.extend(values);
                }
            }
            Block::Mixed(mixed) => {
                let blocks = mixed.continuous.iter().chain(&mixed.discrete);
                blocks.for_each(|block| self.parts(block, unit, exprs, held));
                for r in &mixed.relations {
                    let relation = &self.model.relations[r.index()];
                    unit.writes.push(self.memory.relations + r.0);
                    exprs.extend(relation.reads());
                }
            }
        }
    }

    fn when(&self, fire: VarId, actions: &[Action]) -> Aftermath {
        let (mut exprs, mut sets) = (Vec::new(), Vec::new());
        let mut intervenes = false;
        for action in actions {
            match action {
                Action::Reinit(v, e) => {
                    exprs.push(*e);
                    sets.push(self.memory.slot_of[v.index()]);
                    intervenes = true;
                }
                Action::Assert { condition, message, .. } => exprs.extend([*condition, *message]),
                Action::Terminate(condition, message) => {
                    exprs.extend([*condition, *message]);
                    intervenes = true;
                }
                Action::Call(e) => exprs.push(*e),
            }
        }
        let (_, moving) = self.reads(&exprs);
        let events = vec![self.memory.slot_of[fire.index()]];
        Aftermath { events, moving, acts: !actions.is_empty(), intervenes, sets }
    }

    /// Slots that change at events, and slots that move.
    fn reads(&self, exprs: &[ExprId]) -> (Vec<Slot>, Vec<Slot>) {
        let (mut events, mut moving) = (Vec::new(), Vec::new());
        for e in self.model.store.post_order(exprs, |_| false) {
            let slot = match self.model.store.node(e) {
                Node::Var(v) => self.memory.slot_of[v.index()],
                Node::Relation(r) => self.memory.relations + r.0,
                Node::Time => self.memory.time,
                _ => continue,
            };
            match self.class[slot as usize] {
                Class::Constant => {}
                Class::Event => events.push(slot),
                Class::Moving => moving.push(slot),
            }
        }
        for list in [&mut events, &mut moving] {
            list.sort_unstable();
            list.dedup();
        }
        (events, moving)
    }

    /// Can the value of a discrete equation change although nothing acts? Whole numbers that are held have relations
    /// which say when they are left, and those lead to them.
    fn reads_motion(&mut self, value: ExprId) -> bool {
        let model = self.model;
        if let Node::Builtin(Builtin::Floor | Builtin::Ceil, args) = model.store.node(value)
            && self.bounds.get(&args[0]).is_some_and(|&count| count >= 2)
        {
            return false;
        }
        let mut seen = std::collections::HashSet::new();
        let mut stack = vec![value];
        while let Some(e) = stack.pop() {
            if !seen.insert(e) || self.is_impulsive(e) {
                continue;
            }
            match model.store.node(e) {
                Node::Time => return true,
                Node::Var(v) if self.class[self.memory.slot_of[v.index()] as usize] == Class::Moving => {
                    return true;
                }
                Node::If(c, _, otherwise) if self.is_impulsive(*c) => stack.push(*otherwise),
                _ => model.store.children(e, |child| stack.push(child)),
            }
        }
        false
    }

    /// Is a Boolean expression false whenever nothing acts: ticks, edges, and what they are part of?
    fn is_impulsive(&mut self, e: ExprId) -> bool {
        let model = self.model;
        match *model.store.node(e) {
            Node::Var(v) => match model.roles[v.index()] {
                Role::Sampler(_) | Role::InitialFlag | Role::TerminalFlag => true,
                Role::Helper => match (self.impulsive[v.index()], self.value_of[v.index()]) {
                    (Some(known), _) => known,
                    (None, None) => false,
                    (None, Some(value)) => {
                        self.impulsive[v.index()] = Some(false);
                        let answer = self.is_impulsive(value);
                        self.impulsive[v.index()] = Some(answer);
                        answer
                    }
                },
                _ => false,
            },
            Node::Bool(value) => !value,
            Node::Binary(BinOp::And, a, b) => {
                self.is_edge(a, b) || self.is_edge(b, a) || self.is_impulsive(a) || self.is_impulsive(b)
            }
            Node::Binary(BinOp::Or, a, b) => self.is_impulsive(a) && self.is_impulsive(b),
            _ => false,
        }
    }

    fn is_edge(&self, now: ExprId, before: ExprId) -> bool {
        let store = &self.model.store;
        match (store.node(now), store.node(before)) {
            (Node::Var(v), Node::Unary(UnOp::Not, p)) => {
                matches!(store.node(*p), Node::Var(p) if self.model.pre[v.index()] == Some(*p))
            }
            _ => false,
        }
    }
}

fn class_of(model: &CausalModel, role: Role) -> Class {
    match role {
        Role::Parameter | Role::FreeParameter | Role::Lambda | Role::Alias => Class::Constant,
        // An event that sets it evaluates the whole model.
        Role::Given => Class::Constant,
        Role::Input | Role::State | Role::Algebraic | Role::Selector => Class::Moving,
        Role::Discrete | Role::Helper | Role::Sampler(_) | Role::InitialFlag | Role::TerminalFlag => {
            Class::Event
        }
        Role::Pre(v) => class_of(model, model.roles[v.index()]),
    }
}
