//! Which discrete equations get a tape that runs all their events.

use super::Assembler;
use crate::info::Source;
use crate::lower::Target;
use crate::program::RelationCode;
use crate::reach::{self, Instant, Next, Reach, Scope};
use crate::tape::{Destination, Slot};
use kairos_causal::Block;
use kairos_expr::Scalar;
use std::collections::BTreeMap;

impl Assembler {
    /// Tapes for the cells that are reached by their own sources alone, as long as they are no more than the model.
    pub(super) fn islands(&mut self, reach: &mut Reach, blocks: &[usize], relations: &[RelationCode]) {
        let mut groups: BTreeMap<Vec<u32>, Vec<Source>> = BTreeMap::new();
        let samplers = (0..reach.samplers.len() as u32).map(Source::Sampler);
        for source in samplers.chain((0..reach.relations.len() as u32).map(Source::Relation)) {
            if let Scope::Part(part) = reach.scope(source)
                && !part.own.is_empty()
            {
                groups.entry(part.own.clone()).or_default().push(source);
            }
        }
        if groups.is_empty() {
            return;
        }
        let booleans = self.model.vars.iter().zip(&self.memory.slot_of).filter(|(v, _)| v.ty == Scalar::Bool);
        let relations_of_model = (0..relations.len() as Slot).map(|r| self.memory.relations + r);
        let truths = booleans.map(|(_, slot)| *slot).chain(relations_of_model).collect();
        let mut left = 2 * blocks.len() + reach::LONGEST;
        for (cells, sources) in groups {
            if cells.len() > left {
                continue;
            }
            left -= cells.len();
            let targets = cells.iter().map(|&cell| self.plain_target(blocks[cell as usize]));
            let Some(targets) = targets.collect::<Option<Vec<Target>>>() else { continue };
            let (writes, plans) = reach.given(&cells);
            let body = self.body(&targets, &writes, &truths);
            if !body.is_plain() {
                continue;
            }
            let by_time = |cell: &u32| relations[(cell - reach.plans) as usize].time.is_some();
            let plans: Vec<u32> = plans.into_iter().filter(by_time).collect();
            let next = match *sources.as_slice() {
                [Source::Sampler(k)] if plans.is_empty() => Next::Sampler(self.flag(k)),
                [Source::Relation(r)] if plans == [reach.plans + r] => match &relations[r as usize].time {
                    Some((tape, slope, rest, literal)) if reach::is_plain(tape) => {
                        let relation = self.memory.relations + r;
                        let (slope, rest, literal) = (*slope, *rest, *literal);
                        Next::Relation(Instant { tape, slope, rest, literal, relation })
                    }
                    _ => Next::Unknown,
                },
                _ => Next::Unknown,
            };
            let flags = sources.iter().filter_map(|source| match source {
                Source::Sampler(k) => Some(self.flag(*k)),
                Source::Relation(_) => None,
            });
            let flags = flags.collect();
            let mut island = reach::island(&mut self.memory, &body, &writes, flags, next);
            (island.cells, island.plans) = (cells, plans);
            let number = reach.islands.len() as u32;
            reach.islands.push(island);
            for source in sources {
                if let Scope::Part(part) = reach.scope_mut(source) {
                    part.island = Some(number);
                }
            }
        }
    }

    fn flag(&self, sampler: u32) -> Slot {
        self.slot(self.model.samplers[sampler as usize].flag)
    }

    /// An equation that gives a number directly, or the decision of a relation.
    fn plain_target(&mut self, block: usize) -> Option<Target> {
        match self.model.blocks[block] {
            Block::Assign(assign) if self.memory.other_of[assign.var.index()].is_none() => {
                Some(self.assign(assign.var, assign.value))
            }
            Block::Relation(r) => {
                let to = Destination::Number(self.memory.relations + r.0);
                Some(Target { to, value: self.literal(r) })
            }
            _ => None,
        }
    }
}
