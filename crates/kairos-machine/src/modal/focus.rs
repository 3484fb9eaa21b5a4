//! Events of a machine with modes that concern only some of its regions.

use super::ModalMachine;
use super::region::Part;
use crate::interpreter::Interpreter;
use crate::machine::{Eval, Machine, Source, Trigger};
use crate::shortcuts::{LocalEvents, Reached};

/// What each source of events can reach, relations first.
#[derive(Clone)]
pub(super) struct Scopes {
    relations: usize,
    list: Vec<Scope>,
    /// The base has no states of its own.
    alone: bool,
}

#[derive(Clone)]
struct Scope {
    /// Regions; `None`: all of the model.
    regions: Option<Vec<usize>>,
    /// Their states, where they stand in the present modes.
    states: Vec<u32>,
}

impl Scopes {
    pub fn new(base: &Interpreter) -> Self {
        let info = base.info();
        let relations = (0..info.relations.len() as u32).map(Source::Relation);
        let sources = relations.chain((0..info.samplers.len() as u32).map(Source::Sampler));
        let list = sources.map(|source| {
            let regions = base.reached(source).regions;
            let regions = regions.map(|list| list.iter().map(|&r| r as usize).collect());
            Scope { regions, states: Vec::new() }
        });
        Self { relations: info.relations.len(), list: list.collect(), alone: info.states.is_empty() }
    }

    /// The states of the regions are others now.
    pub fn locate(&mut self, parts: &[Part]) {
        for scope in &mut self.list {
            scope.states.clear();
            for &r in scope.regions.iter().flatten() {
                let part = &parts[r];
                scope.states.extend(part.first as u32..(part.first + part.count) as u32);
            }
        }
    }

    fn of(&self, source: Source) -> &Scope {
        match source {
            Source::Relation(r) => &self.list[r as usize],
            Source::Sampler(k) => &self.list[self.relations + k as usize],
        }
    }

    pub fn reached(&self, source: Source, base: &Interpreter) -> Reached<'_> {
        let scope = self.of(source);
        let part = self.alone && scope.regions.is_some();
        let known = part && base.reached(source).states.is_some();
        let states = known.then_some(scope.states.as_slice());
        Reached { quiet: false, states, regions: part.then_some(&[]) }
    }
}

impl ModalMachine {
    /// Begins an event: only what is reached from the trigger will be evaluated, and only regions that it reaches
    /// will be looked at.
    pub(super) fn follow(&mut self, trigger: Option<&Trigger>) -> Eval<bool> {
        self.focus = None;
        let regions = trigger.filter(|_| self.scopes.alone).and_then(|trigger| self.regions(trigger));
        let (Some(trigger), Some(regions)) = (trigger, regions) else { return self.base.focus(None) };
        // An evaluation that is compared with one of everything needs all of them.
        let all = trigger.sources().any(|source| self.base.reached(source).states.is_none());
        for r in 0..self.parts.len() {
            let part = &mut self.parts[r];
            if part.is_read() && (all || regions.contains(&r)) {
                part.run(self.now, self.base.as_mut())?;
            }
        }
        let part = self.base.focus(Some(trigger))?;
        self.focus = part.then_some(regions);
        Ok(part)
    }

    /// The regions that the sources of a trigger reach.
    fn regions(&self, trigger: &Trigger) -> Option<Vec<usize>> {
        let mut regions = Vec::new();
        for source in trigger.sources() {
            regions.extend(self.scopes.of(source).regions.as_ref()?);
        }
        regions.sort_unstable();
        regions.dedup();
        Some(regions)
    }

    /// The regions that the present event may concern.
    pub(super) fn concerned(&self) -> Vec<usize> {
        match &self.focus {
            Some(regions) => regions.clone(),
            None => (0..self.parts.len()).collect(),
        }
    }

    /// Those of them of which the base reads more than differentiated variables.
    pub(super) fn showing(&self) -> Vec<usize> {
        match &self.focus {
            Some(regions) => regions.iter().copied().filter(|r| self.showing.contains(r)).collect(),
            None => self.showing.clone(),
        }
    }
}
