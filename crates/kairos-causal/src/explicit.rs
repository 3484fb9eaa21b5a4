//! Small linear systems solved by formula, where the pivots cannot vanish.

use crate::model::{Assign, Role, Torn};
use crate::work::Work;
use kairos_expr::{ExprId, ExprMap, Node};

/// More unknowns than this are cheaper with numbers.
const UNKNOWNS: usize = 3;

/// More expressions than this for each equation of the system are cheaper with numbers.
const GROWTH: usize = 12;

/// Where more unknowns are eliminated one by the other, round-off may grow so much that it takes the whole system to notice.
const LARGEST: usize = 11;

/// The unknowns and what follows from them, in order; none where the system is better solved with numbers.
///
/// One unknown needs a factor that is not zero; several need factors that stay the same while the model runs, so that
/// the order of elimination is good once and for all.
pub fn solve(work: &mut Work, torn: &Torn) -> Option<Vec<Assign>> {
    let count = torn.iteration.len();
    if !torn.linear || count > UNKNOWNS || torn.inner.len() > LARGEST {
        return None;
    }
    let budget = work.store.len() + GROWTH * (torn.inner.len() + count) * count;
    let mut rows = equations(work, torn)?;
    if count > 1 && !rows.iter().flat_map(|row| &row.factors).all(|&a| is_fixed(work, a)) {
        return None;
    }
    let mut order = Vec::new();
    for _ in 0..count {
        let (row, column) = pivot(work, &rows, &order)?;
        let (factor, chosen) = (rows[row].factors[column], rows[row].clone());
        for (at, other) in rows.iter_mut().enumerate() {
            let done = order.iter().any(|&(row, _)| row == at);
            if at != row && !done {
                other.eliminate(work, &chosen, column, factor);
            }
        }
        order.push((row, column));
    }
    let mut out = Vec::new();
    for (at, &(row, column)) in order.iter().enumerate().rev() {
        let mut rest = rows[row].rest;
        for &(_, known) in &order[at + 1..] {
            let value = work.var_expr(torn.iteration[known]);
            let term = work.store.times(rows[row].factors[known], value);
            rest = work.store.plus(rest, term);
        }
        let minus = work.store.negate(rest);
        let value = work.store.over(minus, rows[row].factors[column]);
        out.push(Assign { var: torn.iteration[column], value, equation: torn.residuals[row].1 });
    }
    if work.store.len() > budget {
        return None;
    }
    out.extend(&torn.inner);
    Some(out)
}

/// `factors * unknowns + rest = 0`
#[derive(Clone)]
struct Equation {
    factors: Vec<ExprId>,
    rest: ExprId,
}

impl Equation {
    fn eliminate(&mut self, work: &mut Work, by: &Equation, column: usize, pivot: ExprId) {
        if work.store.is_number(self.factors[column], 0.0) {
            return;
        }
        let ratio = work.store.over(self.factors[column], pivot);
        for (mine, &theirs) in self.factors.iter_mut().zip(&by.factors) {
            let product = work.store.times(ratio, theirs);
            *mine = work.store.minus(*mine, product);
        }
        let product = work.store.times(ratio, by.rest);
        self.rest = work.store.minus(self.rest, product);
        self.factors[column] = work.store.zero();
    }
}

/// The residuals in terms of the unknowns alone.
fn equations(work: &mut Work, torn: &Torn) -> Option<Vec<Equation>> {
    let mut memo = ExprMap::default();
    for inner in &torn.inner {
        let value = work.store.substitute(inner.value, &mut memo, &mut |_, _| None);
        let var = work.var_expr(inner.var);
        memo.insert(var, value);
    }
    let mut rows = Vec::new();
    for &(residual, _) in &torn.residuals {
        let mut rest = work.store.substitute(residual, &mut memo, &mut |_, _| None);
        let mut factors = Vec::new();
        for &v in &torn.iteration {
            let split = work.store.affine(rest, &Node::Var(v))?;
            factors.push(split.slope.unwrap_or_else(|| work.store.zero()));
            rest = split.rest;
        }
        rows.push(Equation { factors, rest });
    }
    Some(rows)
}

/// The largest factor among those left, if one can divide by it.
fn pivot(work: &Work, rows: &[Equation], used: &[(usize, usize)]) -> Option<(usize, usize)> {
    let mut best: Option<(f64, usize, usize)> = None;
    for (row, equation) in rows.iter().enumerate() {
        for (column, &factor) in equation.factors.iter().enumerate() {
            let taken = used.iter().any(|&(r, c)| r == row || c == column);
            if taken || !work.is_safe_divisor(factor) {
                continue;
            }
            let size = work.parameter_value(factor).map_or(0.0, f64::abs);
            if best.is_none_or(|(most, ..)| size > most) {
                best = Some((size, row, column));
            }
        }
    }
    best.map(|(_, row, column)| (row, column))
}

fn is_fixed(work: &Work, e: ExprId) -> bool {
    !work.store.any(e, |node| match node {
        Node::Var(v) => work.roles[v.index()] != Role::Parameter,
        Node::Time | Node::Relation(_) => true,
        _ => false,
    })
}
