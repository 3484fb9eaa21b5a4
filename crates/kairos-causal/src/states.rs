//! The choice of states by dummy derivatives: once and for all where that is safe, else during the simulation.

use crate::model::{Role, State, StateSet};
use crate::work::{Kind, Row, Work};
use crate::{diagnostics, model};
use kairos_expr::{ExprId, ExprMap, Node, Scalar, VarId};
use kairos_graph::{IndexReduction, UnionFind};
use kairos_model::StateSelect;
use std::collections::BTreeMap;

/// Equations and variables of the continuous part by their numbers in the reduction.
pub struct System {
    pub vars: Vec<VarId>,
    pub rows: Vec<usize>,
    /// Does the model itself contain the derivative of the variable?
    pub differentiated: Vec<bool>,
}

/// How gladly a variable is taken as a state; the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Priority {
    Never,
    /// Its derivative exists only because index reduction asked for it.
    Introduced,
    Avoid,
    Default,
    Prefer,
    Always,
}

/// What happens where only factors that may vanish are left to choose from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The simulation chooses, and chooses again.
    AsItRuns,
    /// What has the largest factor at a generic point is computed, the rest are states.
    ForGood,
}

/// Marks the states; derivatives of all others are unknowns like any other (Mattsson and Söderlind).
pub fn select(
    work: &mut Work,
    system: &System,
    reduction: &IndexReduction,
    choice: Choice,
) -> (Vec<State>, Vec<StateSet>) {
    let count = system.vars.len();
    let derivative = |v: usize| reduction.variable_derivative.get(v).copied().flatten();
    let mut below = vec![None; count];
    (0..count).for_each(|v| {
        if let Some(d) = derivative(v) {
            below[d as usize] = Some(v as u32);
        }
    });
    let mut source = vec![None; system.rows.len()];
    for (e, d) in reduction.equation_derivative.iter().enumerate() {
        if let Some(d) = d {
            source[*d as usize] = Some(e as u32);
        }
    }
    let mut equations: Vec<u32> = (0..system.rows.len() as u32)
        .filter(|&e| reduction.equation_derivative[e as usize].is_none() && source[e as usize].is_some())
        .collect();
    let mut candidates: Vec<u32> = (0..count as u32)
        .filter(|&v| derivative(v as usize).is_none() && below[v as usize].is_some())
        .collect();
    let mut dummy = vec![false; count];
    let mut plans = Vec::new();
    // From the highest derivatives down: at each level as many dummies as differentiated equations. Equations and
    // variables that are not derivatives themselves come along: a `derivative` annotation may have brought a
    // variable in, as the angular velocity into the derivative of a position, and its equation takes it out again.
    while equations.iter().any(|&e| source[e as usize].is_some()) {
        let level =
            Level { system, below: &below, source: &source, equations: &equations, candidates: &candidates };
        let mut chosen = Vec::new();
        for part in level.parts(work) {
            part.choose(&mut chosen, &mut plans, choice);
        }
        chosen.iter().for_each(|&v| dummy[v as usize] = true);
        let next = |list: &[u32], from: &[Option<u32>]| -> Vec<u32> {
            list.iter().filter_map(|&x| from[x as usize]).collect()
        };
        equations = next(&equations, &source);
        candidates = next(&chosen, &below);
    }
    let mut states = Vec::new();
    let sets: Vec<StateSet> = plans
        .into_iter()
        .enumerate()
        .map(|(k, plan)| plan.install(work, system, &below, k + 1, &mut states))
        .collect();
    let moving: Vec<VarId> = sets.iter().flat_map(|s| s.candidates.iter().copied()).collect();
    let reduced = dummy.contains(&true);
    for (v, &var) in system.vars.iter().enumerate() {
        let Some(d) = derivative(v) else { continue };
        let info = &work.vars[var.index()];
        let (name, span, select) = (info.name.clone(), info.span, info.state_select);
        if dummy[d as usize] {
            let kept = moving.contains(&var);
            if select == StateSelect::Always && !kept {
                work.diagnostics.push(diagnostics::state_always(&name, span));
            }
            if !kept && var.index() < work.declared {
                work.report.push(format!("`{name}` is computed from other states, so it is not a state"));
            }
            continue;
        }
        if select == StateSelect::Never {
            work.diagnostics.push(diagnostics::state_never(&name, span));
        }
        let reason = match select {
            StateSelect::Always => "stateSelect = always",
            StateSelect::Prefer => "stateSelect = prefer",
            _ if reduced && info.fixed == Some(true) => "fixed start value",
            _ => "its derivative occurs",
        };
        states.push(State { var, derivative: system.vars[d as usize], reason: reason.into() });
    }
    for state in &states {
        work.roles[state.var.index()] = Role::State;
    }
    work.varying.clear();
    (states, sets)
}

/// Differentiated equations and the derivatives in them that may become dummies.
struct Level<'a> {
    system: &'a System,
    below: &'a [Option<u32>],
    source: &'a [Option<u32>],
    equations: &'a [u32],
    candidates: &'a [u32],
}

/// An independent part of a level.
struct Part {
    /// Is the row a derivative itself? Others only express what is not.
    rows: Vec<bool>,
    columns: Vec<Column>,
}

/// A derivative that may become a dummy.
struct Column {
    number: u32,
    /// `None`: no derivative, so there is no choice.
    select: Option<Priority>,
    /// By position in `Part::rows`: the factor, its value at a generic point, and whether it never changes.
    entries: Vec<(usize, ExprId, f64, bool)>,
}

impl Level<'_> {
    /// What `stateSelect` says; a derivative that the model does not name is as welcome as its variable.
    fn priority(&self, work: &Work, number: u32) -> Priority {
        let var = |number: u32| self.system.vars[number as usize];
        if work.reinit.contains(&var(number)) {
            // MLS 8.3.6: `reinit` makes its variable a state.
            return Priority::Always;
        }
        let mut named = number;
        while let Some(below) = self.below[named as usize]
            && var(named).index() >= work.declared
        {
            named = below;
        }
        match work.vars[var(named).index()].state_select {
            StateSelect::Never => Priority::Never,
            StateSelect::Avoid => Priority::Avoid,
            // MLS 4.9.7.1: without its derivative in the model it is no candidate by itself. The rate of a variable
            // that is differentiated goes with it: an angle is no good state without its angular velocity.
            StateSelect::Default if !self.named(number) && !self.is_rate(number) => Priority::Introduced,
            StateSelect::Default => Priority::Default,
            StateSelect::Prefer => Priority::Prefer,
            StateSelect::Always => Priority::Always,
        }
    }

    /// Does the model itself contain the derivative?
    fn named(&self, number: u32) -> bool {
        self.system.differentiated[number as usize]
    }

    /// Is it the derivative of a variable that the model differentiates?
    fn is_rate(&self, number: u32) -> bool {
        self.below[number as usize].is_some_and(|below| self.named(below))
    }

    /// Equations that share candidates, with candidates in the order in which they give way.
    fn parts(&self, work: &mut Work) -> Vec<Part> {
        let at: BTreeMap<VarId, usize> =
            self.candidates.iter().enumerate().map(|(k, &c)| (self.system.vars[c as usize], k)).collect();
        let mut sets = UnionFind::new(self.equations.len() + self.candidates.len());
        let mut entries: Vec<Vec<(usize, ExprId, f64, bool)>> = vec![Vec::new(); self.candidates.len()];
        let mut samples = ExprMap::default();
        for (e, &equation) in self.equations.iter().enumerate() {
            let row = work.rows[self.system.rows[equation as usize]].clone();
            for v in work.store.variables(&[row.lhs, row.rhs]) {
                if let Some(&k) = at.get(&v) {
                    let slope = work.slope(&row, v);
                    let value = work.sample(slope, &mut samples);
                    entries[k].push((e, slope, value, work.is_parametric(slope)));
                    sets.union(e as u32, (self.equations.len() + k) as u32);
                }
            }
        }
        let mut groups: BTreeMap<u32, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for e in 0..self.equations.len() {
            groups.entry(sets.find(e as u32)).or_default().0.push(e);
        }
        for k in 0..self.candidates.len() {
            if let Some(group) = groups.get_mut(&sets.find((self.equations.len() + k) as u32)) {
                group.1.push(k);
            }
        }
        let mut parts = Vec::new();
        let mut position = vec![0; self.equations.len()];
        for (rows, members) in groups.into_values() {
            rows.iter().enumerate().for_each(|(k, &e)| position[e] = k);
            let mut columns = Vec::new();
            for k in members {
                let number = self.candidates[k];
                let list =
                    entries[k].iter().map(|&(e, slope, x, fixed)| (position[e], slope, x, fixed)).collect();
                let below = self.below[number as usize];
                let select = below.map(|below| self.priority(work, below));
                let candidate = below.unwrap_or(number);
                // Among equals those give way first whose derivative the model does not contain.
                let rank = (self.named(candidate), work.state_rank(self.system.vars[candidate as usize]));
                columns.push((rank, Column { number, select, entries: list }));
            }
            columns.sort_by(|(a, x), (b, y)| x.select.cmp(&y.select).then_with(|| a.cmp(b)));
            let rows = rows.iter().map(|&e| self.source[self.equations[e] as usize].is_some()).collect();
            parts.push(Part { rows, columns: columns.into_iter().map(|(_, c)| c).collect() });
        }
        parts
    }
}

/// A factor at a generic point, and whether it keeps its value over a run.
#[derive(Clone, Copy)]
struct Factor {
    value: f64,
    constant: bool,
}

/// What is left of the rows of a part while dummies are taken out of it.
struct Elimination {
    /// Factors by column.
    rows: Vec<BTreeMap<usize, Factor>>,
    /// Rows with a factor in each column, some of them gone since.
    users: Vec<Vec<usize>>,
    /// Rows that have determined a dummy.
    used: Vec<bool>,
    derived: Vec<bool>,
}

impl Elimination {
    /// The row in which the column stands best, if any; `constant` accepts only factors that never vanish.
    fn pivot(&self, column: usize, derived: bool, constant: bool) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for &row in &self.users[column] {
            let open = !self.used[row] && self.derived[row] == derived;
            let Some(factor) = self.rows[row].get(&column).filter(|_| open) else { continue };
            let size = factor.value.abs();
            if (factor.constant || !constant) && best.is_none_or(|(known, _)| size > known) {
                best = Some((size, row));
            }
        }
        best.filter(|&(size, _)| size > 0.0).map(|(_, row)| row)
    }

    fn take(&mut self, pivot: usize, column: usize) {
        self.used[pivot] = true;
        let source = self.rows[pivot].clone();
        let top = source[&column];
        for row in self.users[column].clone() {
            let Some(factor) = self.rows[row].get(&column).copied().filter(|_| !self.used[row]) else {
                continue;
            };
            let share = factor.value / top.value;
            let constant = factor.constant && top.constant;
            for (&k, from) in &source {
                let old = self.rows[row].get(&k).copied();
                let (before, steady) = old.map_or((0.0, true), |f| (f.value, f.constant));
                let value = before - share * from.value;
                // What cancels at a generic point cancels always.
                if k == column || value.abs() <= 1e-9 * before.abs().max((share * from.value).abs()) {
                    self.rows[row].remove(&k);
                    continue;
                }
                let constant = constant && steady && from.constant;
                self.rows[row].insert(k, Factor { value, constant });
                if old.is_none() {
                    self.users[k].push(row);
                }
            }
        }
    }
}

impl Part {
    /// Takes dummies by priority; where only factors that may vanish are left to choose from, the simulation chooses.
    fn choose(mut self, chosen: &mut Vec<u32>, plans: &mut Vec<Plan>, choice: Choice) {
        self.admit_introduced();
        let mut open = Elimination {
            rows: vec![BTreeMap::new(); self.rows.len()],
            users: vec![Vec::new(); self.columns.len()],
            used: vec![false; self.rows.len()],
            derived: self.rows.clone(),
        };
        for (k, column) in self.columns.iter().enumerate() {
            for &(row, _, value, constant) in &column.entries {
                open.rows[row].insert(k, Factor { value, constant });
                open.users[k].push(row);
            }
        }
        let mut taken = vec![false; self.columns.len()];
        let mut first = 0;
        while first < self.columns.len() {
            let same = |k: &usize| self.columns[*k].select == self.columns[first].select;
            let class: Vec<usize> = (first..self.columns.len()).take_while(same).collect();
            first += class.len();
            let derived = self.columns[class[0]].select.is_some();
            for constant in [true, false] {
                // What others leave behind may have become constant, so start over after each success.
                let mut left: Vec<usize> = class.iter().copied().filter(|&k| !taken[k]).collect();
                let statics: Vec<usize> = (0..taken.len()).filter(|&k| taken[k]).collect();
                let fixed = constant || !derived || choice == Choice::ForGood;
                let groups = if fixed { Vec::new() } else { self.groups(&open, &left) };
                while let Some(at) = left.iter().position(|&k| open.pivot(k, derived, constant).is_some()) {
                    let k = left.remove(at);
                    if let Some(pivot) = open.pivot(k, derived, constant) {
                        open.take(pivot, k);
                        taken[k] = true;
                    }
                }
                for group in groups {
                    let free = group.iter().any(|&k| !taken[k]);
                    if free && group.iter().any(|&k| taken[k]) {
                        let rows: Vec<bool> =
                            (0..self.rows.len()).map(|r| self.rows[r] || open.used[r]).collect();
                        plans.push(self.plan(&rows, &statics, &group, &taken));
                        // All candidates of a set are computed, some from its states.
                        chosen.extend(group.iter().filter(|&&k| !taken[k]).map(|&k| self.columns[k].number));
                    }
                }
            }
        }
        chosen.extend((0..taken.len()).filter(|&k| taken[k]).map(|k| self.columns[k].number));
    }

    /// Where variables that only index reduction differentiates have factors that may vanish, and a choice among the others
    /// would rest on these factors, they are candidates like the others: an angle that gives two coordinates is the better
    /// state than either of them.
    fn admit_introduced(&mut self) {
        let of = |select: Priority| self.columns.iter().filter(move |c| c.select == Some(select));
        let (introduced, others) = (of(Priority::Introduced).count(), of(Priority::Default).count());
        let rows = self.rows.iter().filter(|derived| **derived).count();
        let vanishing = of(Priority::Introduced).any(|c| c.entries.iter().all(|&(.., constant)| !constant));
        if vanishing && rows > introduced && rows - introduced < others {
            for column in &mut self.columns {
                if column.select == Some(Priority::Introduced) {
                    column.select = Some(Priority::Default);
                }
            }
            self.columns.sort_by_key(|column| column.select);
        }
    }

    /// Columns that still share rows.
    fn groups(&self, open: &Elimination, left: &[usize]) -> Vec<Vec<usize>> {
        let mut sets = UnionFind::new(self.rows.len() + self.columns.len());
        let live: Vec<usize> =
            left.iter().copied().filter(|&k| open.pivot(k, true, false).is_some()).collect();
        for &k in &live {
            let live = |r: &&usize| !open.used[**r] && open.derived[**r] && open.rows[**r].contains_key(&k);
            for &row in open.users[k].iter().filter(live) {
                sets.union(row as u32, (self.rows.len() + k) as u32);
            }
        }
        let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for k in live {
            groups.entry(sets.find((self.rows.len() + k) as u32)).or_default().push(k);
        }
        groups.into_values().collect()
    }

    fn plan(&self, rows: &[bool], others: &[usize], group: &[usize], taken: &[bool]) -> Plan {
        let mut jacobian = vec![Vec::new(); self.rows.len()];
        for (at, &k) in others.iter().chain(group).enumerate() {
            for &(row, slope, ..) in self.columns[k].entries.iter().filter(|entry| rows[entry.0]) {
                jacobian[row].push((at as u32, slope));
            }
        }
        jacobian.retain(|row| !row.is_empty());
        Plan {
            derivatives: group.iter().map(|&k| self.columns[k].number).collect(),
            chosen: (0..group.len() as u32).filter(|&m| !taken[group[m as usize]]).collect(),
            others: others.len() as u32,
            jacobian,
        }
    }
}

/// A state set before its variables exist.
struct Plan {
    derivatives: Vec<u32>,
    chosen: Vec<u32>,
    others: u32,
    jacobian: Vec<Vec<(u32, ExprId)>>,
}

impl Plan {
    /// Adds `x = A c` and `der(x) = A der(c)` with selectors `A` that the simulation sets.
    fn install(
        self,
        work: &mut Work,
        system: &System,
        below: &[Option<u32>],
        number: usize,
        states: &mut Vec<State>,
    ) -> StateSet {
        let derivatives: Vec<VarId> = self.derivatives.iter().map(|&d| system.vars[d as usize]).collect();
        let candidates: Vec<VarId> =
            self.derivatives.iter().map(|&d| system.vars[below[d as usize].unwrap_or(d) as usize]).collect();
        let names: Vec<String> =
            candidates.iter().map(|c| format!("`{}`", work.vars[c.index()].name)).collect();
        let names = names.join(", ");
        work.report.push(format!(
            "{} of {names} are states, chosen anew during the simulation where the equations demand it",
            self.chosen.len()
        ));
        let (mut xs, mut selectors) = (Vec::new(), Vec::new());
        for i in 1..=self.chosen.len() {
            let x = work.new_var(&format!("state set {number}[{i}]"), Scalar::Real, Role::State);
            let dx = work.der_var(x);
            let row: Vec<VarId> = (1..=candidates.len())
                .map(|j| work.new_var(&format!("selector {number}[{i},{j}]"), Scalar::Real, Role::Selector))
                .collect();
            let origin =
                kairos_model::Origin { span: work.vars[candidates[0].index()].span, ..model::nowhere() };
            for (left, list) in [(x, &candidates), (dx, &derivatives)] {
                let lhs = work.var_expr(left);
                let mut rhs = work.store.zero();
                for (&a, &c) in row.iter().zip(list) {
                    let (a, c) = (work.var_expr(a), work.var_expr(c));
                    let term = work.store.times(a, c);
                    rhs = work.store.plus(rhs, term);
                }
                work.rows.push(Row::new(lhs, rhs, Kind::Continuous, origin));
            }
            let reason = format!("one of {names}, chosen during the simulation");
            states.push(State { var: x, derivative: dx, reason });
            xs.push(x);
            selectors.push(row);
        }
        StateSet {
            candidates,
            states: xs,
            selectors,
            chosen: self.chosen,
            others: self.others,
            jacobian: self.jacobian,
        }
    }
}

impl Work {
    /// How much a variable deserves to be a state; smaller ones give way first.
    fn state_rank(&self, v: VarId) -> impl Ord + use<> {
        let var = &self.vars[v.index()];
        let declared = !var.protected || !var.name.starts_with("der(");
        (
            self.reinit.contains(&v),
            var.fixed == Some(true),
            var.start.is_some(),
            declared,
            std::cmp::Reverse(v),
        )
    }

    /// Does the expression keep its value over a run?
    fn is_parametric(&self, e: ExprId) -> bool {
        self.store.post_order(&[e], |_| false).into_iter().all(|e| match self.store.node(e) {
            Node::Var(v) => matches!(self.roles[v.index()], Role::Parameter | Role::FreeParameter),
            Node::Time | Node::Relation(_) => false,
            _ => true,
        })
    }

    /// The derivative of a row with respect to a variable; one where it cannot be written.
    fn slope(&mut self, row: &Row, v: VarId) -> ExprId {
        let mut memo = ExprMap::default();
        let mut part = |work: &mut Work, e: ExprId| {
            work.store.differentiate(e, &mut memo, &mut |store, leaf| match *store.node(leaf) {
                Node::Var(w) if w == v => Ok(Some(store.real(1.0))),
                _ => Ok(None),
            })
        };
        match (part(self, row.lhs), part(self, row.rhs)) {
            (Ok(l), Ok(r)) => {
                let zero = self.store.zero();
                self.store.minus(l.unwrap_or(zero), r.unwrap_or(zero))
            }
            _ => self.store.real(1.0),
        }
    }
}
