//! Constraints that no single equation shows: combinations of equations in which all highest derivatives cancel.

use crate::index::{self, Structure, structure};
use crate::model::Role;
use crate::work::{Row, Work};
use kairos_base::hash::HashMap;
use kairos_expr::{ExprId, ExprMap, Node, VarId};
use kairos_graph::{Incidence, Matching, block_triangular, pantelides};
use kairos_numerics::linear::{LinearSystem, Matrix, Pattern};
use std::collections::{BTreeMap, BTreeSet};

/// A combination may bring further ones to light, as often as the index of the system says.
const ROUNDS: usize = 8;
/// What is this small beside the terms of its sum is zero.
const ZERO: f64 = 1e-11;
/// A matrix with stronger pivots is regular whatever round-off did; others are looked at closely.
const REGULAR: f64 = 1e-6;
/// Elimination ends where one more step would touch this many numbers: what is left is no network.
const DENSE: usize = 20_000;

/// Replaces equations by the constraints that they hide, so that index reduction sees these. The currents into a part
/// of a circuit that is connected nowhere else add up to zero, whatever happens inside.
pub fn expose(work: &mut Work) {
    for _ in 0..ROUNDS {
        let found = constraints(work);
        if found.is_empty() {
            return;
        }
        // All at once if that leaves a system that can be solved, which takes a look at the whole model.
        if !replace(work, &found) {
            for constraint in &found {
                replace(work, std::slice::from_ref(constraint));
            }
        }
        work.varying.clear();
    }
}

/// Puts constraints in the places of their rows, unless the equations then leave something undetermined.
fn replace(work: &mut Work, constraints: &[Constraint]) -> bool {
    let lhs = work.store.zero();
    let old: Vec<Row> = constraints.iter().map(|c| work.rows[c.row].clone()).collect();
    for (constraint, old) in constraints.iter().zip(&old) {
        work.rows[constraint.row] = Row { lhs, rhs: constraint.residual, ..old.clone() };
    }
    if !index::is_solvable(work) {
        constraints.iter().zip(old).for_each(|(constraint, old)| work.rows[constraint.row] = old);
        return false;
    }
    for constraint in constraints {
        let text = work.row_text(&work.rows[constraint.row]);
        work.report.push(format!("{} equations together say: {text}", constraint.of));
        work.freeze(constraint.parameters.iter().copied());
    }
    true
}

struct Constraint {
    /// The row that it replaces.
    row: usize,
    residual: ExprId,
    /// What the factors were computed from.
    parameters: BTreeSet<VarId>,
    /// The number of equations combined.
    of: usize,
}

fn constraints(work: &mut Work) -> Vec<Constraint> {
    let Structure { vars, rows, incidence, derivative, .. } = structure(work);
    let Ok(reduction) = pantelides(&incidence, &derivative) else { return Vec::new() };
    let chains: Vec<Place> = (0..vars.len() as u32)
        .map(|number| {
            let (mut top, mut below) = (number, 0);
            while let Some(next) = reduction.variable_derivative[top as usize] {
                (top, below) = (next, below + 1);
            }
            Place { top, below }
        })
        .collect();
    let mut place: Vec<Option<Place>> = vec![None; work.vars.len()];
    vars.iter().zip(&chains).for_each(|(v, chain)| place[v.index()] = Some(*chain));
    let highest = |(equation, row): (usize, &Vec<u32>)| -> Vec<u32> {
        let places = row.iter().map(|&v| chains[v as usize]);
        places.filter(|p| p.below == reduction.differentiations[equation]).map(|p| p.top).collect()
    };
    let graph =
        Incidence::from_rows(reduction.variable_derivative.len(), incidence.iter().enumerate().map(highest));
    let level = |equation: u32| reduction.differentiations[equation as usize];
    if !any_singular(work, &graph, &rows, &level, &place) {
        return Vec::new();
    }
    let most = reduction.differentiations.iter().copied().max().unwrap_or(0);
    let mut found = Vec::new();
    for level in 0..=most {
        let here = (0..rows.len()).filter(|&e| reduction.differentiations[e] == level).map(|e| rows[e]);
        let linear: Vec<Linear> = here.filter_map(|row| Linear::new(work, row, level, &place)).collect();
        for (row, combination) in cancelling(&linear) {
            let row = linear[row as usize].row;
            found.extend(constraint(work, row, &linear, &combination));
        }
    }
    found
}

/// Only if a system of several equations is singular by itself can any combination of equations be a constraint: in
/// block triangular form the last system that takes part stands alone with its unknowns. Factors that are zero are out
/// of the equations already.
fn any_singular(
    work: &mut Work,
    graph: &Incidence,
    rows: &[usize],
    level: &dyn Fn(u32) -> u32,
    place: &[Option<Place>],
) -> bool {
    let matching = Matching::maximum(graph);
    let blocks = block_triangular(graph, &matching);
    blocks.iter().filter(|block| block.len() > 1).any(|block| {
        let columns = block.iter().filter_map(|&row| matching.column_of(row));
        let own: HashMap<u32, u32> = columns.zip(0..).collect();
        let (mut linear, mut others) = (Vec::new(), Vec::new());
        for &equation in block {
            match Linear::new(work, rows[equation as usize], level(equation), place) {
                Some(mut row) => {
                    row.highest.retain(|column, _| own.contains_key(column));
                    linear.push(row);
                }
                None => others.push(graph.row(equation)),
            }
        }
        !linear.is_empty() && !is_regular(&linear, &others, &own) && !cancelling(&linear).is_empty()
    })
}

/// Are these rows independent for certain? So they are if some values of the other equations of their block, which stand for
/// factors that are not known, make its matrix regular. Sparse factors tell that of a large network in no time.
fn is_regular(linear: &[Linear], others: &[&[u32]], own: &HashMap<u32, u32>) -> bool {
    let mut triples: Vec<(u32, u32, f64)> = Vec::new();
    for (k, row) in (0..).zip(linear) {
        triples.extend(row.highest.iter().map(|(column, &value)| (k, own[column], value)));
    }
    for (k, row) in (linear.len() as u32..).zip(others) {
        let columns = row.iter().filter_map(|column| own.get(column));
        triples.extend(columns.map(|&column| (k, column, generic(k, column))));
    }
    let n = own.len();
    if linear.len() + others.len() != n {
        return false;
    }
    let places: Vec<(u32, u32)> = triples.iter().map(|&(row, column, _)| (row, column)).collect();
    let Ok(mut system) = LinearSystem::sparse(&Pattern::from_entries(n, &places)) else { return false };
    if let Matrix::Sparse(csc) = system.matrix_mut() {
        triples.iter().for_each(|&(row, column, value)| csc.add(row, column as usize, value));
    }
    system.factor() && system.weakest_pivot() > REGULAR
}

/// Between 0.5 and 1.5, another number at each place.
fn generic(row: u32, column: u32) -> f64 {
    let place = (u64::from(row) << 32 | u64::from(column)) + 1;
    0.5 + (place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64 / (1u64 << 53) as f64
}

/// Where a variable stands in its chain of derivatives.
#[derive(Clone, Copy)]
struct Place {
    top: u32,
    below: u32,
}

/// An equation whose highest derivatives have factors that do not change.
struct Linear {
    row: usize,
    /// By the number of the highest derivative, or of what becomes one when the equation is differentiated.
    highest: BTreeMap<u32, f64>,
    /// All variables with such factors.
    terms: BTreeMap<VarId, f64>,
    parameters: BTreeSet<VarId>,
}

impl Linear {
    fn new(work: &mut Work, r: usize, level: u32, place: &[Option<Place>]) -> Option<Linear> {
        let row = work.rows[r].clone();
        if row.initial.is_some() {
            return None;
        }
        let factors = work.factors(&row, &|v| place[v.index()].is_some()).of;
        let mut linear =
            Linear { row: r, highest: BTreeMap::new(), terms: BTreeMap::new(), parameters: BTreeSet::new() };
        for v in work.store.variables(&[row.lhs, row.rhs]) {
            let Some(Place { top, below }) = place[v.index()] else { continue };
            let value = factors.get(&v).and_then(|&factor| Some((factor, work.parameter_value(factor)?)));
            match value.filter(|(_, value)| value.is_finite()) {
                Some((factor, value)) => {
                    linear.parameters.extend(work.store.variables(&[factor]));
                    linear.terms.insert(v, value);
                    if below == level && value != 0.0 {
                        linear.highest.insert(top, value);
                    }
                }
                None if below > level => {}
                None => return None,
            }
            if below < level {
                return None;
            }
        }
        Some(linear)
    }
}

/// The sum of some rows, if it is a constraint between continuous variables.
fn constraint(work: &mut Work, row: usize, rows: &[Linear], combination: &Sparse) -> Option<Constraint> {
    let (mut terms, mut sizes) = (BTreeMap::<VarId, f64>::new(), BTreeMap::<VarId, f64>::new());
    let mut parameters = BTreeSet::new();
    let mut sum = work.store.zero();
    let zero = sum;
    for (&k, &factor) in combination {
        let Linear { row: from, terms: own, parameters: read, .. } = &rows[k as usize];
        for (&v, &value) in own {
            *terms.entry(v).or_default() += factor * value;
            let size = sizes.entry(v).or_default();
            *size = size.max((factor * value).abs());
        }
        parameters.extend(read);
        let residual = work.store.minus(work.rows[*from].lhs, work.rows[*from].rhs);
        let mut memo = ExprMap::default();
        let rest =
            work.store.substitute(residual, &mut memo, &mut |_, v| own.contains_key(&v).then_some(zero));
        let scale = work.store.real(factor);
        let rest = work.store.times(scale, rest);
        sum = work.store.plus(sum, rest);
    }
    for (v, value) in terms {
        if value.abs() > ZERO * sizes[&v] {
            let (factor, v) = (work.store.real(value), work.var_expr(v));
            let term = work.store.times(factor, v);
            sum = work.store.plus(sum, term);
        }
    }
    // What branches on its own unknowns is no plain constraint, and what has no unknown left is none at all. Steps by time and
    // by discrete values are: where they happen a region restarts (`modes/stepping.rs`).
    let jumps = |e: ExprId| match work.store.node(e) {
        Node::Relation(r) => work.relations.get(r.index()).is_none_or(|r| r.time.is_none()),
        Node::Var(v) => {
            !matches!(work.roles[v.index()], Role::Algebraic | Role::State | Role::Parameter | Role::Discrete)
        }
        _ => false,
    };
    let steady = !work.store.post_order(&[sum], |_| false).into_iter().any(jumps);
    let unknown = work.store.variables(&[sum]).iter().any(|v| work.roles[v.index()] == Role::Algebraic);
    (steady && unknown).then_some(Constraint { row, residual: sum, parameters, of: combination.len() })
}

type Sparse = BTreeMap<u32, f64>;

/// Rows that are combinations of others as far as highest derivatives go, each with the factors of the sum in which
/// nothing of these is left. Sparse elimination, the rarest unknown first.
fn cancelling(rows: &[Linear]) -> Vec<(u32, Sparse)> {
    let mut matrix: Vec<Sparse> = rows.iter().map(|row| row.highest.clone()).collect();
    let mut record: Vec<Sparse> = (0..rows.len() as u32).map(|k| Sparse::from([(k, 1.0)])).collect();
    let mut users = Users::new(&matrix);
    let mut null: Vec<u32> = (0..rows.len() as u32).filter(|&k| matrix[k as usize].is_empty()).collect();
    while let Some((column, rows)) = users.rarest() {
        let largest = |k: u32| matrix[k as usize].values().fold(0.0f64, |m, x| m.max(x.abs()));
        let weak = |k: u32| matrix[k as usize][&column].abs() < 1e-3 * largest(k);
        let Some(pivot) = rows.iter().copied().min_by_key(|&k| (weak(k), matrix[k as usize].len())) else {
            continue;
        };
        if rows.len() * matrix[pivot as usize].len() > DENSE {
            break;
        }
        let mut with = std::mem::take(&mut matrix[pivot as usize]);
        let trace = std::mem::take(&mut record[pivot as usize]);
        let Some(divisor) = with.remove(&column) else { continue };
        with.keys().for_each(|&c| users.leave(c, pivot));
        for &k in rows.iter().filter(|&&k| k != pivot) {
            let row = &mut matrix[k as usize];
            let factor = -row.remove(&column).unwrap_or(0.0) / divisor;
            for (&c, &x) in &with {
                match add(row, c, factor * x) {
                    true => users.enter(c, k),
                    false => users.leave(c, k),
                }
            }
            trace.iter().for_each(|(&c, &x)| {
                add(&mut record[k as usize], c, factor * x);
            });
            if matrix[k as usize].is_empty() {
                null.push(k);
            }
        }
    }
    null.into_iter().map(|k| (k, std::mem::take(&mut record[k as usize]))).collect()
}

/// Adds to an entry; is there anything left of it?
fn add(row: &mut Sparse, at: u32, x: f64) -> bool {
    let before = row.get(&at).copied().unwrap_or(0.0);
    let sum = before + x;
    if sum.abs() <= ZERO * before.abs().max(x.abs()) {
        row.remove(&at);
        return false;
    }
    row.insert(at, sum);
    true
}

/// The rows of each column, and the columns by the number of their rows.
struct Users {
    of: BTreeMap<u32, BTreeSet<u32>>,
    order: BTreeSet<(usize, u32)>,
}

impl Users {
    fn new(matrix: &[Sparse]) -> Users {
        let mut of: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for (k, row) in matrix.iter().enumerate() {
            for &column in row.keys() {
                of.entry(column).or_default().insert(k as u32);
            }
        }
        let order = of.iter().map(|(&column, rows)| (rows.len(), column)).collect();
        Users { of, order }
    }

    /// Takes out the column with the fewest rows.
    fn rarest(&mut self) -> Option<(u32, BTreeSet<u32>)> {
        let (_, column) = self.order.pop_first()?;
        Some((column, self.of.remove(&column)?))
    }

    fn enter(&mut self, column: u32, row: u32) {
        self.change(column, |rows| rows.insert(row));
    }

    fn leave(&mut self, column: u32, row: u32) {
        self.change(column, |rows| rows.remove(&row));
    }

    fn change(&mut self, column: u32, change: impl FnOnce(&mut BTreeSet<u32>) -> bool) {
        if let Some(rows) = self.of.get_mut(&column) {
            let before = rows.len();
            if change(rows) {
                self.order.remove(&(before, column));
                self.order.insert((rows.len(), column));
            }
        }
    }
}
