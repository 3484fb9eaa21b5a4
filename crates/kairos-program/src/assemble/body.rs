//! The equations of an island, parted: what every round evaluates, and what stands still unless a flag acts.

use super::Assembler;
use crate::lower::Target;
use crate::reach::{Body, Clause, Write, WriteKind};
use crate::tape::{Destination, Slot};
use kairos_expr::{BinOp, ExprId, Node, UnOp};
use std::collections::{BTreeMap, BTreeSet};

/// A variable that keeps its left limit unless something acts.
struct Guarded {
    /// The flag and the value with it, if there is only one.
    acts: Option<(Slot, ExprId)>,
    held: (Slot, Slot),
}

/// What is written, by slot.
type Writes = BTreeMap<Slot, Write>;

impl Assembler {
    /// `truths` are the slots of Booleans.
    pub(super) fn body(&mut self, targets: &[Target], writes: &[Write], truths: &BTreeSet<Slot>) -> Body {
        let own = writes.iter().flat_map(|write| [Some(write.slot), write.before]).flatten();
        let truths = own.filter(|slot| truths.contains(slot)).collect();
        let acts = writes.iter().filter(|write| write.kind == WriteKind::Acts).map(|write| write.slot);
        let acts: Vec<Slot> = acts.collect();
        let writes: Writes = writes.iter().map(|write| (write.slot, *write)).collect();
        let guards: Vec<Option<Guarded>> =
            targets.iter().map(|target| self.guarded(target, &writes)).collect();
        let (head, rest) = self.parted(targets, &guards);
        Body {
            held: rest.iter().filter_map(|&k| guards[k].as_ref()).map(|guarded| guarded.held).collect(),
            head: self.clauses(targets, &guards, &head),
            rest: self.clauses(targets, &guards, &rest),
            acts,
            truths,
            calm: targets.iter().all(|target| self.is_calm(target, &writes)),
        }
    }

    /// Is the equation `if acts then … else pre(x)`, perhaps with several flags?
    fn guarded(&self, target: &Target, writes: &Writes) -> Option<Guarded> {
        let Destination::Number(slot) = target.to else { return None };
        let write = writes.get(&slot).filter(|write| write.kind == WriteKind::Discrete)?;
        let (before, store) = (write.before?, &self.model.store);
        let mut flags = Vec::new();
        let mut here = target.value;
        while let Node::If(condition, value, otherwise) = *store.node(here) {
            let flag = self.variable(condition)?;
            writes.get(&flag).filter(|write| write.kind == WriteKind::Acts)?;
            flags.push((flag, value));
            here = otherwise;
        }
        if flags.is_empty() || self.variable(here) != Some(before) {
            return None;
        }
        let acts = flags.first().copied().filter(|_| flags.len() == 1);
        Some(Guarded { acts, held: (slot, before) })
    }

    fn variable(&self, e: ExprId) -> Option<Slot> {
        match self.model.store.node(e) {
            Node::Var(v) => Some(self.slot(*v)),
            _ => None,
        }
    }

    /// Equations for every round and those behind flags; none of these where others read them in the same round.
    fn parted(&self, targets: &[Target], guards: &[Option<Guarded>]) -> (Vec<usize>, Vec<usize>) {
        let held: BTreeSet<Slot> = guards.iter().flatten().map(|guarded| guarded.held.0).collect();
        let (rest, head): (Vec<usize>, Vec<usize>) = (0..targets.len()).partition(|&k| guards[k].is_some());
        let reads = |&k: &usize| {
            let read = self.model.store.variables(&[targets[k].value]);
            read.into_iter().any(|v| held.contains(&self.slot(v)))
        };
        if head.iter().any(reads) { ((0..targets.len()).collect(), Vec::new()) } else { (head, rest) }
    }

    /// Neighbours behind one flag share its question.
    fn clauses(&mut self, targets: &[Target], guards: &[Option<Guarded>], list: &[usize]) -> Vec<Clause> {
        let flag = |k: usize| guards[k].as_ref().and_then(|guarded| guarded.acts).map(|(flag, _)| flag);
        let runs = list.chunk_by(|&a, &b| flag(a) == flag(b));
        let clauses = runs.map(|run| {
            let behind = |&k: &usize| {
                let value = guards[k].as_ref().and_then(|guarded| guarded.acts).map(|(_, value)| value);
                Target { value: value.unwrap_or(targets[k].value), ..targets[k] }
            };
            let tape = self.lower(&run.iter().map(behind).collect::<Vec<Target>>());
            match flag(run[0]) {
                None => Clause::Always(tape),
                Some(acts) => {
                    let held = run.iter().filter_map(|&k| guards[k].as_ref()).map(|guarded| guarded.held);
                    Clause::When { acts, tape, held: held.collect() }
                }
            }
        });
        clauses.collect()
    }

    /// Does the equation see left limits of conditions only in edges that make something act? After a round in which
    /// nothing acts and no variable changes it then has the same value again.
    fn is_calm(&self, target: &Target, writes: &Writes) -> bool {
        let limits = writes.values().filter(|write| write.kind != WriteKind::Discrete);
        let limits: BTreeSet<Slot> = limits.filter_map(|write| write.before).collect();
        let is_flag = match target.to {
            Destination::Number(slot) => writes.get(&slot).is_some_and(|write| write.kind == WriteKind::Acts),
            Destination::Other(_) => false,
        };
        let mut stack = vec![target.value];
        while let Some(e) = stack.pop() {
            match *self.model.store.node(e) {
                Node::Binary(BinOp::And, a, b)
                    if is_flag && (self.is_edge(a, b, writes) || self.is_edge(b, a, writes)) => {}
                Node::Binary(BinOp::And | BinOp::Or, a, b) if is_flag => stack.extend([a, b]),
                _ => {
                    let read = self.model.store.variables(&[e]);
                    if read.into_iter().any(|v| limits.contains(&self.slot(v))) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Is it `now and not before`, of one variable?
    fn is_edge(&self, now: ExprId, before: ExprId, writes: &Writes) -> bool {
        let Node::Unary(UnOp::Not, before) = *self.model.store.node(before) else { return false };
        let write = self.variable(now).and_then(|now| writes.get(&now));
        write.is_some_and(|write| write.before.is_some() && write.before == self.variable(before))
    }
}
