//! The first tick of a discretised partition: its initial conditions solved together with its equations.

use super::Partition;
use super::instance::Instance;
use crate::diagnostics;
use crate::sort::Columns;
use crate::work::{Row, Work};
use kairos_expr::{ExprId, VarId};
use kairos_graph::{Incidence, Matching};
use std::collections::BTreeMap;

impl Partition {
    /// The value of each state at the first tick.
    pub fn starts(&self, work: &mut Work, first: ExprId) -> BTreeMap<VarId, ExprId> {
        if !self.asks_for_more() && !self.fixes_others(work) {
            // At its first tick a state has its start value, which is its `previous`.
            let again = work.clocks[self.clock as usize].state.is_some();
            let begin = |work: &mut Work, v: VarId| {
                let start = work.start_expr(v);
                if again { work.lower(start, false) } else { work.pre_expr(v) }
            };
            return self.states.iter().map(|s| (s.var, begin(work, s.var))).collect();
        }
        let rows = self.conditions_met(work);
        let clock = self.subordinate(work, first, "clock starts");
        let instance = Instance::beside(work, self, "at the first tick", clock);
        instance.equations(work, self);
        instance.repeat(work, &rows);
        self.states.iter().map(|s| (s.var, instance.image(s.var))).collect()
    }

    /// Start values alone are enough, unless there are initial equations or constraints between the states.
    fn asks_for_more(&self) -> bool {
        !self.conditions.is_empty() || self.rows.iter().any(|row| row.differentiated > 0)
    }

    fn fixes_others(&self, work: &Work) -> bool {
        let is_state = |v: VarId| self.states.iter().any(|s| s.var == v);
        self.unknown.iter().any(|&v| work.vars[v.index()].fixed == Some(true) && !is_state(v))
    }

    /// Initial equations, fixed start values and, as far as these leave something open, other start values.
    fn conditions_met(&self, work: &mut Work) -> Vec<Row> {
        let columns = Columns::new(work, |v| self.unknown.contains(&v));
        let mut edges: Vec<Vec<u32>> = Vec::new();
        for row in self.rows.iter().chain(&self.conditions) {
            let incidence = columns.incidence(work, row);
            edges.push(columns.candidates(work, row, &incidence));
        }
        // In stages, so that an equation of the model never gives way to a condition.
        let count = columns.unknown.len();
        let mut matching = Matching::default();
        matching.extend(&Incidence::from_rows(count, edges[..self.rows.len()].iter()));
        matching.extend(&Incidence::from_rows(count, edges.iter()));
        let mut met = Vec::new();
        let mut redundant = Vec::new();
        for (k, row) in self.conditions.iter().enumerate() {
            match matching.column_of((self.rows.len() + k) as u32) {
                Some(_) => met.push(row.clone()),
                None => redundant.push(row.clone()),
            }
        }
        let is_fixed = |work: &Work, v: VarId| work.vars[v.index()].fixed == Some(true);
        for (v, fixed) in self.start_values(work) {
            let free = |c: &u32| columns.unknown[*c as usize] && matching.row_of(*c).is_none();
            if !fixed && !(0..count as u32).any(|c| free(&c)) {
                break;
            }
            let row = self.start_row(work, v);
            edges.push(vec![columns.of_var(v)]);
            match matching.augment(edges.len() as u32 - 1, &edges, |_, _| true).is_ok() {
                true => met.push(row),
                false => {
                    edges.pop();
                    if is_fixed(work, v) {
                        redundant.push(row);
                    }
                }
            }
        }
        for row in redundant {
            let text = work.row_text(&row);
            work.diagnostics.push(diagnostics::clocked_start(&text, row.origin.span));
        }
        met
    }

    /// Variables whose start values may be taken, in the order in which they are asked.
    fn start_values(&self, work: &Work) -> Vec<(VarId, bool)> {
        let fixed = |v: VarId| work.vars[v.index()].fixed == Some(true);
        let given = |v: VarId| work.vars[v.index()].start.is_some();
        let states: Vec<VarId> = self.states.iter().map(|s| s.var).collect();
        let others = || self.unknown.iter().copied().filter(|v| !states.contains(v));
        let mut list: Vec<VarId> = states.iter().copied().filter(|&v| fixed(v)).collect();
        list.extend(others().filter(|&v| fixed(v)));
        list.extend(states.iter().copied().filter(|&v| !fixed(v) && given(v)));
        list.extend(states.iter().copied().filter(|&v| !fixed(v) && !given(v)));
        list.extend(others().filter(|&v| !fixed(v) && given(v)));
        list.into_iter().map(|v| (v, fixed(v))).collect()
    }

    fn start_row(&self, work: &mut Work, v: VarId) -> Row {
        let (lhs, start) = (work.var_expr(v), work.start_expr(v));
        let rhs = work.lower(start, false);
        let origin = kairos_model::Origin { span: work.vars[v.index()].span, ..self.origin };
        let kind = crate::work::Kind::Clocked(self.tick.flag);
        Row { target: Some(v), ..Row::new(lhs, rhs, kind, origin) }
    }
}
