//! Copies of a partition's equations over variables of their own, for an instant other than its tick.

use super::Partition;
use crate::model::Role;
use crate::work::{Row, Work};
use kairos_expr::{ExprId, ExprMap, Node, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// What stands for the variables of the partition, and the equations that say so.
pub struct Instance {
    pub flag: VarId,
    images: BTreeMap<VarId, ExprId>,
    time: ExprId,
    /// Rows of the partition to be repeated.
    rows: Vec<usize>,
}

impl Instance {
    /// Everything that `wanted` depends on, a share `at` of the interval after the last tick. Inputs that move are taken
    /// on the line between both ticks; what changes at ticks only keeps its value until the next one (MLS 16.8.2).
    pub fn between(
        work: &mut Work,
        partition: &Partition,
        order: &BTreeMap<VarId, usize>,
        wanted: &[VarId],
        at: f64,
        clock: u32,
        number: usize,
    ) -> Instance {
        let mut images = BTreeMap::new();
        let make = |work: &mut Work, v: VarId| copy(work, v, &format!("stage {number}"), clock);
        for state in &partition.states {
            images.insert(state.var, make(work, state.var));
        }
        for (&v, &moves) in &partition.inputs {
            let (before, now) = (work.pre_expr(v), work.var_expr(v));
            let value = match moves {
                _ if at == 1.0 => now,
                true => {
                    let way = work.store.minus(now, before);
                    let share = work.store.real(at);
                    let part = work.store.times(share, way);
                    work.store.plus(before, part)
                }
                false => before,
            };
            images.insert(v, value);
        }
        let mut rows = BTreeSet::new();
        let mut todo = wanted.to_vec();
        while let Some(v) = todo.pop() {
            let Some(&row) = order.get(&v).filter(|_| !images.contains_key(&v)) else { continue };
            if partition.remembers(work, row) {
                let settled = at == 1.0 && !partition.follows(work, order, v);
                let value = if settled { work.var_expr(v) } else { work.pre_expr(v) };
                images.insert(v, value);
                continue;
            }
            images.insert(v, make(work, v));
            rows.insert(row);
            let Row { lhs, rhs, .. } = partition.rows[row];
            todo.extend(work.store.variables(&[lhs, rhs]));
        }
        let rest = work.store.real(1.0 - at);
        let rest = work.store.times(rest, partition.tick.interval);
        let now = work.store.time();
        let time = work.store.minus(now, rest);
        Instance { flag: flag(work, clock), images, time, rows: rows.into_iter().collect() }
    }

    /// All of the partition's unknowns once more, at the tick itself.
    pub fn beside(work: &mut Work, partition: &Partition, name: &str, clock: u32) -> Instance {
        let mut images = BTreeMap::new();
        for &v in &partition.unknown {
            images.insert(v, copy(work, v, name, clock));
        }
        let time = work.store.time();
        Instance { flag: flag(work, clock), images, time, rows: (0..partition.rows.len()).collect() }
    }

    pub fn image(&self, v: VarId) -> ExprId {
        self.images[&v]
    }

    pub fn equations(&self, work: &mut Work, partition: &Partition) {
        let rows = self.rows.iter().map(|&r| partition.rows[r].clone()).collect::<Vec<_>>();
        self.repeat(work, &rows);
    }

    /// The rows in terms of this instance.
    pub fn repeat(&self, work: &mut Work, rows: &[Row]) {
        let mut memo = ExprMap::default();
        for row in rows {
            let [lhs, rhs] = [row.lhs, row.rhs].map(|e| {
                work.store.rewrite(e, &mut memo, &mut |store, e| match *store.node(e) {
                    Node::Var(v) => self.images.get(&v).copied().unwrap_or(e),
                    Node::Time => self.time,
                    _ => store.simplify_node(e),
                })
            });
            let target = row.target.and_then(|v| match *work.store.node(*self.images.get(&v)?) {
                Node::Var(image) => Some(image),
                _ => None,
            });
            work.clocked_row(lhs, rhs, self.flag, target, row.origin);
        }
    }
}

fn flag(work: &Work, clock: u32) -> VarId {
    work.ticks[clock as usize].expect("a subordinate clock has its tick").flag
}

fn copy(work: &mut Work, v: VarId, name: &str, clock: u32) -> ExprId {
    let var = &work.vars[v.index()];
    let (name, ty) = (format!("{} ({name})", var.name), var.ty);
    let (start, nominal, min, max) = (var.start, var.nominal, var.min, var.max);
    let made = work.new_var(&name, ty, Role::Discrete);
    let var = &mut work.vars[made.index()];
    (var.start, var.nominal, var.min, var.max) = (start, nominal, min, max);
    var.clock = Some(clock);
    work.var_expr(made)
}

impl Partition {
    /// Does a row look back to the last tick?
    fn remembers(&self, work: &Work, row: usize) -> bool {
        let Row { lhs, rhs, .. } = self.rows[row];
        work.store.variables(&[lhs, rhs]).iter().any(|v| matches!(work.roles[v.index()], Role::Pre(_)))
    }

    /// Does a variable depend on the states at this tick?
    fn follows(&self, work: &Work, order: &BTreeMap<VarId, usize>, v: VarId) -> bool {
        let (mut seen, mut todo) = (BTreeSet::new(), vec![v]);
        while let Some(v) = todo.pop() {
            if self.states.iter().any(|s| s.var == v) {
                return true;
            }
            if let Some(&row) = order.get(&v).filter(|_| seen.insert(v)) {
                todo.extend(work.store.variables(&[self.rows[row].lhs, self.rows[row].rhs]));
            }
        }
        false
    }
}
