//! Index reduction: Pantelides' differentiations and a static choice of states by dummy derivatives.

use crate::diagnostics::{self, Imbalance};
use crate::model::{Role, State};
use crate::work::{Kind, Row, Work};
use kairos_expr::{ExprId, ExprMap, Node, Undifferentiable, VarId};
use kairos_flat::StateSelect;
use kairos_graph::{Incidence, Matching, UnionFind, dulmage_mendelsohn, pantelides};
use std::collections::BTreeMap;

/// Differentiates what must be, chooses the states and marks their role; `None` after an error.
pub fn reduce(work: &mut Work) -> Option<Vec<State>> {
    let (vars, rows, incidence, derivative) = structure(work);
    if !balanced(work, &rows, &vars, &incidence, &derivative) {
        return None;
    }
    let reduction = match pantelides(&incidence, &derivative) {
        Ok(reduction) => reduction,
        Err(singular) => {
            let part = imbalance(
                work,
                singular.rows.iter().map(|&r| rows[r as usize]),
                singular.columns.iter().map(|&c| vars[c as usize]),
            );
            work.diagnostics.push(diagnostics::over_determined(&part));
            return None;
        }
    };
    let mut system = System { vars, rows, ..System::default() };
    // Derivatives of variables first, then the equations in the order of their numbers.
    for v in 0..reduction.variable_derivative.len() {
        if let Some(d) = reduction.variable_derivative[v]
            && d as usize >= system.vars.len()
        {
            system.vars.resize(d as usize + 1, VarId(u32::MAX));
        }
    }
    for v in 0..reduction.variable_derivative.len() {
        if let Some(d) = reduction.variable_derivative[v] {
            system.vars[d as usize] = work.der_var(system.vars[v]);
        }
    }
    let known = work.vars.len();
    let mut memo = ExprMap::default();
    for e in 0..reduction.equation_derivative.len() {
        if let Some(d) = reduction.equation_derivative[e] {
            let row = differentiate(work, system.rows[e], &mut memo)?;
            if system.rows.len() <= d as usize {
                system.rows.resize(d as usize + 1, usize::MAX);
            }
            system.rows[d as usize] = work.rows.len();
            work.rows.push(row);
        }
    }
    // A derivative that an annotation left out is read by nobody.
    let zero = work.store.zero();
    for v in known..work.vars.len() {
        if !system.vars.contains(&VarId::new(v)) {
            work.roles[v] = Role::Parameter;
            work.vars[v].binding = Some(zero);
        }
    }
    system.pick_dummies(work, &reduction);
    Some(system.states(work, &reduction.variable_derivative))
}

/// Would the reduction find an equation for every unknown?
pub fn is_solvable(work: &mut Work) -> bool {
    let (vars, rows, incidence, derivative) = structure(work);
    let said = work.diagnostics.len();
    let fine = balanced(work, &rows, &vars, &incidence, &derivative);
    work.diagnostics.truncate(said);
    fine
}

pub(crate) type Structure = (Vec<VarId>, Vec<usize>, Vec<Vec<u32>>, Vec<Option<u32>>);

/// Unknowns, rows, incidence and derivatives of the continuous part.
pub(crate) fn structure(work: &mut Work) -> Structure {
    let vars: Vec<VarId> =
        (0..work.vars.len()).filter(|&v| work.roles[v] == Role::Algebraic).map(VarId::new).collect();
    let mut column = vec![u32::MAX; work.vars.len()];
    vars.iter().enumerate().for_each(|(at, v)| column[v.index()] = at as u32);
    let rows: Vec<usize> = (0..work.rows.len()).filter(|&r| work.rows[r].kind == Kind::Continuous).collect();
    // Functions that are inlined later may read less than their arguments; their annotations stay for now.
    let mut memo = ExprMap::default();
    let incidence: Vec<Vec<u32>> = rows
        .iter()
        .map(|&r| {
            let sides = [work.rows[r].lhs, work.rows[r].rhs];
            let sides = sides.map(|e| work.store.inline_calls(e, &mut memo, true));
            let found = work.store.variables(&sides);
            found.into_iter().map(|v| column[v.index()]).filter(|&c| c != u32::MAX).collect()
        })
        .collect();
    let derivative: Vec<Option<u32>> =
        vars.iter().map(|v| work.der[v.index()].map(|d| column[d.index()])).collect();
    (vars, rows, incidence, derivative)
}

/// Are there as many equations as unknowns, counting each chain of derivatives once?
fn balanced(
    work: &mut Work,
    rows: &[usize],
    vars: &[VarId],
    incidence: &[Vec<u32>],
    derivative: &[Option<u32>],
) -> bool {
    let mut base: Vec<u32> = (0..vars.len() as u32).collect();
    let mut is_derivative = vec![false; vars.len()];
    derivative.iter().flatten().for_each(|&d| is_derivative[d as usize] = true);
    for start in (0..vars.len()).filter(|&v| !is_derivative[v]) {
        let mut here = start;
        while let Some(next) = derivative[here] {
            base[next as usize] = start as u32;
            here = next as usize;
        }
    }
    let mut number = vec![u32::MAX; vars.len()];
    let mut chains = Vec::new();
    for v in 0..vars.len() {
        if !is_derivative[v] {
            number[v] = chains.len() as u32;
            chains.push(vars[v]);
        }
    }
    let collapsed = incidence.iter().map(|row| {
        let mut row: Vec<u32> = row.iter().map(|&c| number[base[c as usize] as usize]).collect();
        row.sort_unstable();
        row.dedup();
        row
    });
    let graph = Incidence::from_rows(chains.len(), collapsed);
    let matching = Matching::maximum(&graph);
    let loose_row = (0..rows.len() as u32).any(|r| matching.column_of(r).is_none());
    let loose_chain = (0..chains.len() as u32).any(|c| matching.row_of(c).is_none());
    if !loose_row && !loose_chain {
        return true;
    }
    let parts = dulmage_mendelsohn(&graph, &matching);
    if loose_row {
        let part = imbalance(
            work,
            parts.over.rows.iter().map(|&r| rows[r as usize]),
            parts.over.columns.iter().map(|&c| chains[c as usize]),
        );
        work.diagnostics.push(diagnostics::over_determined(&part));
    }
    if loose_chain {
        let part = imbalance(
            work,
            parts.under.rows.iter().map(|&r| rows[r as usize]),
            parts.under.columns.iter().map(|&c| chains[c as usize]),
        );
        work.diagnostics.push(diagnostics::under_determined(&part));
    }
    false
}

pub(crate) fn imbalance(
    work: &Work,
    rows: impl Iterator<Item = usize>,
    vars: impl Iterator<Item = VarId>,
) -> Imbalance {
    Imbalance {
        equations: rows.map(|r| (work.row_text(&work.rows[r]), work.rows[r].origin.span)).collect(),
        unknowns: vars.map(|v| (work.vars[v.index()].name.clone(), work.vars[v.index()].span)).collect(),
    }
}

pub(crate) type Memo = ExprMap<Result<Option<ExprId>, Undifferentiable>>;

pub(crate) fn differentiate(work: &mut Work, row: usize, memo: &mut Memo) -> Option<Row> {
    let row = work.rows[row].clone();
    // Every continuous variable in a differentiated equation has its derivative by now.
    let vars = work.store.variables(&[row.lhs, row.rhs]);
    let mut known: BTreeMap<VarId, Result<ExprId, Undifferentiable>> = BTreeMap::new();
    for v in vars {
        match work.roles[v.index()] {
            Role::Algebraic | Role::State => {
                let d = work.der_var(v);
                known.insert(v, Ok(work.var_expr(d)));
            }
            Role::Input => {
                known.insert(v, Err(Undifferentiable::Variable));
            }
            _ => {}
        }
    }
    let mut sides = [row.lhs, row.rhs];
    for side in &mut sides {
        let derivative = work.store.differentiate(*side, memo, &mut |store, leaf| match *store.node(leaf) {
            Node::Var(v) => known.get(&v).copied().transpose(),
            Node::Time => Ok(Some(store.real(1.0))),
            _ => Ok(None),
        });
        match derivative {
            Ok(d) => *side = d.unwrap_or_else(|| work.store.zero()),
            Err(why) => {
                work.diagnostics.push(diagnostics::not_differentiable(row.origin.span, &why, "index"));
                return None;
            }
        }
    }
    Some(Row { lhs: sides[0], rhs: sides[1], initial: None, differentiated: row.differentiated + 1, ..row })
}

/// Equations and variables of the continuous part by their numbers in the reduction.
#[derive(Default)]
struct System {
    vars: Vec<VarId>,
    rows: Vec<usize>,
    dummy: Vec<bool>,
}

impl System {
    /// Walks down from the highest derivatives; at each level as many derivatives become dummies as there are
    /// differentiated equations (Mattsson and Söderlind).
    fn pick_dummies(&mut self, work: &mut Work, reduction: &kairos_graph::IndexReduction) {
        let (count, rows) = (self.vars.len(), self.rows.len());
        self.dummy = vec![false; count];
        let mut pred_var = vec![None; count];
        for (v, d) in reduction.variable_derivative.iter().enumerate() {
            if let Some(d) = d {
                pred_var[*d as usize] = Some(v as u32);
            }
        }
        let mut pred_row = vec![None; rows];
        for (e, d) in reduction.equation_derivative.iter().enumerate() {
            if let Some(d) = d {
                pred_row[*d as usize] = Some(e as u32);
            }
        }
        let mut equations: Vec<u32> = (0..rows as u32)
            .filter(|&e| {
                reduction.equation_derivative[e as usize].is_none() && pred_row[e as usize].is_some()
            })
            .collect();
        let mut candidates: Vec<u32> = (0..count as u32)
            .filter(|&v| reduction.variable_derivative.get(v as usize).copied().flatten().is_none())
            .filter(|&v| pred_var[v as usize].is_some())
            .collect();
        while !equations.is_empty() {
            let chosen = self.choose(work, &equations, &candidates, &pred_var);
            chosen.iter().for_each(|&v| self.dummy[v as usize] = true);
            equations = equations
                .iter()
                .filter_map(|&e| pred_row[e as usize])
                .filter(|&e| pred_row[e as usize].is_some())
                .collect();
            candidates = chosen
                .iter()
                .filter_map(|&v| pred_var[v as usize])
                .filter(|&v| pred_var[v as usize].is_some())
                .collect();
        }
    }

    fn choose(
        &self,
        work: &mut Work,
        equations: &[u32],
        candidates: &[u32],
        pred: &[Option<u32>],
    ) -> Vec<u32> {
        // Independent parts are small even where there are many.
        let at: BTreeMap<VarId, usize> =
            candidates.iter().enumerate().map(|(k, &c)| (self.vars[c as usize], k)).collect();
        let mut sets = UnionFind::new(equations.len() + candidates.len());
        let mut entries: Vec<Vec<(usize, f64)>> = Vec::new();
        for (e, &equation) in equations.iter().enumerate() {
            let row = work.rows[self.rows[equation as usize]].clone();
            let mut list = Vec::new();
            for v in work.store.variables(&[row.lhs, row.rhs]) {
                if let Some(&k) = at.get(&v) {
                    list.push((k, work.slope_value(&row, v)));
                    sets.union(e as u32, (equations.len() + k) as u32);
                }
            }
            entries.push(list);
        }
        let mut parts: BTreeMap<u32, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for e in 0..equations.len() {
            parts.entry(sets.find(e as u32)).or_default().0.push(e);
        }
        for k in 0..candidates.len() {
            if let Some(part) = parts.get_mut(&sets.find((equations.len() + k) as u32)) {
                part.1.push(k);
            }
        }
        let mut chosen = Vec::new();
        for (rows, mut columns) in parts.into_values() {
            columns.sort_by_key(|&k| {
                let v = candidates[k] as usize;
                work.state_rank(self.vars[pred[v].map_or(v, |p| p as usize)])
            });
            let position: BTreeMap<usize, usize> = rows.iter().enumerate().map(|(at, &e)| (e, at)).collect();
            let mut basis: Vec<(usize, Vec<f64>)> = Vec::new();
            for k in columns {
                if basis.len() == rows.len() {
                    break;
                }
                let mut column = vec![0.0; rows.len()];
                for &e in &rows {
                    for &(c, value) in &entries[e] {
                        if c == k {
                            column[position[&e]] += value;
                        }
                    }
                }
                let size = column.iter().fold(0.0f64, |m, x| m.max(x.abs()));
                for (pivot, b) in &basis {
                    let factor = column[*pivot] / b[*pivot];
                    column.iter_mut().zip(b).for_each(|(x, y)| *x -= factor * y);
                }
                let best = (0..column.len()).max_by(|&a, &b| column[a].abs().total_cmp(&column[b].abs()));
                if let Some(best) = best
                    && column[best].abs() > 1e-9 * size
                    && size > 0.0
                {
                    basis.push((best, column));
                    chosen.push(candidates[k]);
                }
            }
        }
        chosen
    }

    fn states(&self, work: &mut Work, derivative: &[Option<u32>]) -> Vec<State> {
        let mut states = Vec::new();
        let reduced = self.dummy.contains(&true);
        for (v, &var) in self.vars.iter().enumerate() {
            let Some(d) = derivative.get(v).copied().flatten() else { continue };
            let info = work.vars[var.index()].clone();
            if self.dummy[d as usize] {
                if info.state_select == StateSelect::Always {
                    work.diagnostics.push(diagnostics::state_always(&info.name, info.span));
                }
                work.report
                    .push(format!("`{}` is computed from other states, so it is not a state", info.name));
                continue;
            }
            if info.state_select == StateSelect::Never {
                work.diagnostics.push(diagnostics::state_never(&info.name, info.span));
            }
            let reason = match info.state_select {
                StateSelect::Always => "stateSelect = always",
                StateSelect::Prefer => "stateSelect = prefer",
                _ if reduced && info.fixed == Some(true) => "fixed start value",
                _ => "its derivative occurs",
            };
            states.push(State { var, derivative: self.vars[d as usize], reason: reason.into() });
        }
        for state in &states {
            work.roles[state.var.index()] = Role::State;
        }
        work.varying.clear();
        for row in work.rows.iter().filter(|r| r.differentiated > 0) {
            let text = work.row_text(row);
            let times = row.differentiated;
            work.report.push(format!("differentiated {times} time(s): {text}"));
        }
        states
    }
}

impl Work {
    /// How much a variable deserves to be a state; smaller ones give way first.
    fn state_rank(&self, v: VarId) -> impl Ord + use<> {
        let var = &self.vars[v.index()];
        let declared = !var.protected || !var.name.starts_with("der(");
        (
            var.state_select,
            self.reinit.contains(&v),
            var.fixed == Some(true),
            var.start.is_some(),
            declared,
            std::cmp::Reverse(v),
        )
    }

    /// A representative value of the derivative of a row with respect to a variable.
    fn slope_value(&mut self, row: &Row, v: VarId) -> f64 {
        let mut memo = ExprMap::default();
        let mut part = |work: &mut Work, e: ExprId| {
            work.store.differentiate(e, &mut memo, &mut |store, leaf| match *store.node(leaf) {
                Node::Var(w) if w == v => Ok(Some(store.real(1.0))),
                _ => Ok(None),
            })
        };
        let (l, r) = (part(self, row.lhs), part(self, row.rhs));
        match (l, r) {
            (Ok(l), Ok(r)) => {
                let zero = self.store.zero();
                let slope = self.store.minus(l.unwrap_or(zero), r.unwrap_or(zero));
                self.representative(slope)
            }
            _ => 1.0,
        }
    }
}
