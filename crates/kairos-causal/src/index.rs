//! Index reduction: Pantelides' differentiations, made symbolically as they are found to be needed.

use crate::dependent;
use crate::diagnostics::{self, Imbalance};
use crate::model::{Role, State, StateSet};
use crate::preferred;
use crate::states::{self, Choice, System};
use crate::work::{Kind, Row, Work};
use kairos_expr::{Derivative, ExprId, ExprMap, Inliner, Node, Stage, Undifferentiable, VarId};
use kairos_graph::{
    Differentiate, Failure, Incidence, IndexReduction, Matching, dulmage_mendelsohn, reduce_index,
};
use std::collections::BTreeMap;

const NONE: u32 = u32::MAX;

/// Differentiates what must be, chooses the states and marks their role; `None` after an error.
pub fn reduce(work: &mut Work) -> Option<(Vec<State>, Vec<StateSet>)> {
    preferred::offer(work);
    dependent::expose(work);
    let (system, reduction) = differentiate(work)?;
    Some(states::select(work, &system, &reduction, Choice::AsItRuns))
}

/// The same where nothing can choose other states later.
pub fn reduce_for_good(work: &mut Work) -> Option<Vec<State>> {
    preferred::offer(work);
    dependent::expose(work);
    let (system, reduction) = differentiate(work)?;
    Some(states::select(work, &system, &reduction, Choice::ForGood).0)
}

/// Adds the derivatives of equations and variables that make the highest derivatives solvable.
pub fn differentiate(work: &mut Work) -> Option<(System, IndexReduction)> {
    let Structure { vars, rows, column, incidence, derivative } = structure(work);
    if !balanced(work, &rows, &vars, &incidence, &derivative) {
        return None;
    }
    let known = work.vars.len();
    let mut rules = Rules {
        work,
        vars,
        rows,
        column,
        memo: ExprMap::default(),
        plain: Inliner::new(Stage::Derivative),
        early: Inliner::new(Stage::Early),
        late: Inliner::new(Stage::Late),
        steps: Vec::new(),
    };
    let found = reduce_index(&incidence, &derivative, &mut rules);
    let Rules { work, vars, rows, column, steps, .. } = rules;
    let reduction = match found {
        Ok(reduction) => reduction,
        Err(Failure::Singular(singular)) => {
            let part = Imbalance::of(
                work,
                singular.rows.iter().map(|&r| &work.rows[rows[r as usize]]),
                singular.columns.iter().map(|&c| vars[c as usize]),
            );
            work.diagnostics.push(diagnostics::over_determined(&part));
            return None;
        }
        Err(Failure::Equation(())) => return None,
    };
    // A derivative that an annotation left out is read by nobody.
    let zero = work.store.zero();
    for v in known..work.vars.len() {
        if column.get(v).copied().unwrap_or(NONE) == NONE && work.roles[v] == Role::Algebraic {
            work.roles[v] = Role::Parameter;
            work.vars[v].binding = Some(zero);
        }
    }
    work.report.extend(steps);
    crate::inline_late(work);
    let mut differentiated: Vec<bool> = derivative.iter().map(Option::is_some).collect();
    differentiated.resize(vars.len(), false);
    Some((System { vars, rows, differentiated }, reduction))
}

/// The equations and variables behind the numbers of the graph algorithm.
struct Rules<'a> {
    work: &'a mut Work,
    vars: Vec<VarId>,
    rows: Vec<usize>,
    column: Vec<u32>,
    memo: ExprMap<Derivative>,
    plain: Inliner,
    early: Inliner,
    late: Inliner,
    steps: Vec<String>,
}

impl Rules<'_> {
    fn note(&mut self, v: VarId, number: u32) {
        self.vars.resize(self.vars.len().max(number as usize + 1), VarId(NONE));
        self.vars[number as usize] = v;
        self.column.resize(self.column.len().max(v.index() + 1), NONE);
        self.column[v.index()] = number;
    }

    fn differentiate(&mut self, row: usize) -> Option<Row> {
        let mut row = self.work.rows[row].clone();
        row.lhs = self.plain.apply(&mut self.work.store, row.lhs);
        row.rhs = self.plain.apply(&mut self.work.store, row.rhs);
        let work = &mut *self.work;
        let vars = work.store.variables(&[row.lhs, row.rhs]);
        let mut known: BTreeMap<VarId, Derivative> = BTreeMap::new();
        for v in vars {
            match work.roles[v.index()] {
                Role::Algebraic | Role::State => {
                    let d = work.der_var(v);
                    known.insert(v, Ok(Some(work.var_expr(d))));
                }
                Role::Input => {
                    // What a region determines has its derivative there, too.
                    let given = |d: &VarId| work.roles[d.index()] == Role::Input;
                    let rate = work.der[v.index()].filter(given).map(|d| work.var_expr(d));
                    known.insert(v, rate.map(Some).ok_or(Undifferentiable::Variable));
                }
                _ => {}
            }
        }
        let mut sides = [row.lhs, row.rhs];
        for side in &mut sides {
            let mut derive = |work: &mut Work, side: ExprId| {
                work.store.differentiate(side, &mut self.memo, &mut |store, leaf| match *store.node(leaf) {
                    Node::Var(v) => known.get(&v).copied().unwrap_or(Ok(None)),
                    Node::Time => Ok(Some(store.real(1.0))),
                    _ => Ok(None),
                })
            };
            let derivative = derive(work, *side).or_else(|why| match work.decided(*side) {
                Some(decided) => derive(work, decided),
                None => Err(why),
            });
            match derivative {
                Ok(d) => *side = d.unwrap_or_else(|| work.store.zero()),
                Err(why) => {
                    work.diagnostics.push(diagnostics::not_differentiable(row.origin.span, &why, "index"));
                    return None;
                }
            }
        }
        // A derivative that is written in terms of annotated functions is differentiated through them again.
        let sides = sides.map(|e| self.early.apply(&mut work.store, e));
        Some(Row {
            lhs: sides[0],
            rhs: sides[1],
            initial: None,
            differentiated: row.differentiated + 1,
            ..row
        })
    }
}

impl Differentiate for Rules<'_> {
    type Error = ();

    fn variable(&mut self, of: u32, new: u32) {
        let derivative = self.work.der_var(self.vars[of as usize]);
        self.note(derivative, new);
    }

    fn equation(&mut self, of: u32, new: u32, fresh: &mut dyn FnMut(u32) -> u32) -> Result<Vec<u32>, ()> {
        let source = self.rows[of as usize];
        let before = &self.work.rows[source];
        let (times, text) = (before.differentiated + 1, self.work.row_text(before));
        self.steps.push(match times {
            1 => format!("differentiated: {text}"),
            _ => format!("differentiated {times} times, the last time: {text}"),
        });
        let row = self.differentiate(source).ok_or(())?;
        self.rows.resize(self.rows.len().max(new as usize + 1), usize::MAX);
        self.rows[new as usize] = self.work.rows.len();
        let sides = [row.lhs, row.rhs].map(|e| self.late.apply(&mut self.work.store, e));
        let (lhs, rhs) = (self.work.rows[source].lhs, self.work.rows[source].rhs);
        let old = self.work.store.variables(&[lhs, rhs]);
        self.work.rows.push(row);
        let mut incidence = Vec::new();
        let mut unknown = Vec::new();
        for v in self.work.store.variables(&sides) {
            match self.column.get(v.index()).copied().unwrap_or(NONE) {
                NONE if self.work.roles[v.index()] == Role::Algebraic => unknown.push(v),
                NONE => {}
                number => incidence.push(number),
            }
        }
        if !unknown.is_empty() {
            for v in old {
                let base = self.column.get(v.index()).copied().unwrap_or(NONE);
                if let Some(d) = self.work.der[v.index()]
                    && base != NONE
                    && unknown.contains(&d)
                {
                    let number = fresh(base);
                    self.note(d, number);
                    incidence.push(number);
                }
            }
        }
        incidence.sort_unstable();
        incidence.dedup();
        Ok(incidence)
    }
}

/// Would the reduction find an equation for every unknown?
pub fn is_solvable(work: &mut Work) -> bool {
    let Structure { vars, rows, incidence, derivative, .. } = structure(work);
    let said = work.diagnostics.len();
    let fine = balanced(work, &rows, &vars, &incidence, &derivative);
    work.diagnostics.truncate(said);
    fine
}

/// Unknowns, rows, incidence and derivatives of the continuous part.
pub(crate) struct Structure {
    pub vars: Vec<VarId>,
    pub rows: Vec<usize>,
    /// The number of each variable.
    column: Vec<u32>,
    pub incidence: Vec<Vec<u32>>,
    pub derivative: Vec<Option<u32>>,
}

impl Structure {
    /// The column of a variable.
    pub fn number(&self, v: VarId) -> Option<u32> {
        self.column.get(v.index()).copied().filter(|&c| c != NONE)
    }
}

pub(crate) fn structure(work: &mut Work) -> Structure {
    let vars: Vec<VarId> =
        (0..work.vars.len()).filter(|&v| work.roles[v] == Role::Algebraic).map(VarId::new).collect();
    let mut column = vec![NONE; work.vars.len()];
    vars.iter().enumerate().for_each(|(at, v)| column[v.index()] = at as u32);
    let rows: Vec<usize> = (0..work.rows.len()).filter(|&r| work.rows[r].kind == Kind::Continuous).collect();
    // Functions that are inlined later may read less than their arguments; their annotations stay for now.
    let mut late = Inliner::new(Stage::Late);
    let incidence: Vec<Vec<u32>> = rows
        .iter()
        .map(|&r| {
            let sides = [work.rows[r].lhs, work.rows[r].rhs];
            let sides = sides.map(|e| late.apply(&mut work.store, e));
            let found = work.store.variables(&sides);
            found.into_iter().map(|v| column[v.index()]).filter(|&c| c != NONE).collect()
        })
        .collect();
    let derivative: Vec<Option<u32>> =
        vars.iter().map(|v| work.der[v.index()].map(|d| column[d.index()]).filter(|&d| d != NONE)).collect();
    Structure { vars, rows, column, incidence, derivative }
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
    let part = |rows_of: &[u32], columns_of: &[u32]| {
        let equations = rows_of.iter().map(|&r| &work.rows[rows[r as usize]]);
        Imbalance::of(work, equations, columns_of.iter().map(|&c| chains[c as usize]))
    };
    let over = loose_row.then(|| part(&parts.over.rows, &parts.over.columns));
    let under = loose_chain.then(|| part(&parts.under.rows, &parts.under.columns));
    work.diagnostics.extend(diagnostics::imbalance(over, under));
    false
}
