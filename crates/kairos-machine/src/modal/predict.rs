//! The mode of a region as the solution of a linear complementarity problem.
//!
//! A condition whose branches meet where it changes (`off = s < 0`, `u = if off then s else 0`, `i = if off then 0 else s`)
//! splits its difference into two parts that are not negative, and of which one is zero: `s = s⁺ - s⁻`. Everything else of
//! the region is linear for a short implicit step, in which `der(x)` is `(x - x⁻)/h`; a step conserves charge and momentum,
//! so that jumps are part of it. Elimination leaves one equation for each pair, and Lemke's method finds the pairs, for a
//! hundred diodes as for one. For passive networks their signs are the mode right after the instant (Camlibel, Heemels and
//! Schumacher). Nothing rests on it: the mode is looked at as any other before it is entered.

use super::Maker;
use super::region::{Copies, Part, copy};
use crate::interpreter::Interpreter;
use crate::machine::Machine;
use kairos_causal::{Region, Residuals};
use kairos_expr::VarId;
use kairos_numerics::complementarity::lemke;
use kairos_numerics::linear::Dense;

/// The steps tried, in parts of the present time.
const STEPS: [f64; 3] = [1e-6, 1e-8, 1e-4];
/// Coefficients below this beside the largest of their row are round-off.
const ROUND_OFF: f64 = 1e-11;
/// Branches that differ by less where they should meet do meet.
const MEET: f64 = 1e-9;
/// Values beyond this stand for pulses.
const HUGE: f64 = 1e12;
/// Larger regions are not examined: the examination is dense.
const LARGEST: usize = 400;

/// A mode that is likely right after an instant.
#[derive(Clone, PartialEq)]
pub(super) struct Prediction {
    pub mode: Vec<bool>,
    /// Conditions whose difference is and stays zero, so that they may have either value.
    pub ties: Vec<usize>,
}

/// The residuals of a region as a machine.
pub(super) struct Predictor {
    machine: Box<Interpreter>,
    known: Copies,
    unknown: Copies,
    rows: Vec<u32>,
    /// Condition, the slot of its value, the slot of its difference.
    gaps: Vec<(usize, u32, u32)>,
    /// Conditions that something discrete makes true as well, and whether they are taken for pairs nevertheless.
    partly: Vec<bool>,
    boldly: bool,
    /// Differentiated variables and their derivatives among the unknowns.
    rates: Vec<(usize, usize)>,
}

/// The region's equations where no pair has a negative part: `rows·z = rows_at`, `gaps·z - s⁺ + s⁻ = gaps_at`, and the factor
/// of each negative part in each row.
struct Linear {
    rows: Vec<Vec<f64>>,
    rows_at: Vec<f64>,
    gaps: Vec<Vec<f64>>,
    gaps_at: Vec<f64>,
    falls: Vec<Vec<f64>>,
    /// The conditions of the pairs.
    pairs: Vec<usize>,
    now: Vec<f64>,
}

impl Part {
    /// Modes to be tried first, for the differentiated variables as they stand. Conditions that are no pairs keep the
    /// given values.
    pub fn predict(
        &mut self,
        region: &Region,
        values: &[bool],
        time: f64,
        base: &Interpreter,
        make: &Maker,
    ) -> Vec<Prediction> {
        let predictor = self.predictor.get_or_insert_with(|| Predictor::new(region, base, make));
        let Some(predictor) = predictor else { return Vec::new() };
        let mut found: Vec<Prediction> = Vec::new();
        for part in STEPS {
            let step = part * time.abs().max(1e-3);
            let ways: &[bool] = if predictor.partly.contains(&true) { &[true, false] } else { &[false] };
            for &boldly in ways {
                predictor.boldly = boldly;
                if let Some(mode) = predictor.mode(values, time, step, base)
                    && !found.contains(&mode)
                {
                    found.push(mode);
                }
            }
        }
        found
    }
}

impl Predictor {
    fn new(region: &Region, base: &Interpreter, make: &Maker) -> Option<Predictor> {
        let Residuals { model, unknown, rows, gaps } = region.residuals()?;
        if unknown.len() + gaps.len() > LARGEST {
            return None;
        }
        let machine = make(model);
        let slots = machine.info().slots.clone();
        let inner = |v: &VarId| slots[v.index()];
        let link = |list: &[VarId]| -> Copies {
            list.iter().map(|v| (base.info().slots[region.outer[v.index()].index()], inner(v))).collect()
        };
        let place = |v: VarId| unknown.iter().position(|&u| u == v);
        let rates = unknown.iter().enumerate();
        Some(Predictor {
            known: link(&region.known),
            unknown: link(&unknown),
            rows: rows.iter().map(inner).collect(),
            gaps: gaps.iter().map(|g| (g.condition, inner(&g.holds), inner(&g.difference))).collect(),
            partly: gaps.iter().map(|g| g.partly).collect(),
            boldly: false,
            rates: rates.filter_map(|(x, &v)| Some((x, place(region.derivative(v)?)?))).collect(),
            machine,
        })
    }

    fn mode(&mut self, values: &[bool], time: f64, step: f64, base: &Interpreter) -> Option<Prediction> {
        copy(&self.known, base.values(), self.machine.values_mut());
        copy(&self.unknown, base.values(), self.machine.values_mut());
        // Pulses stand there as huge numbers. Where the equations are linear any point serves.
        for &(_, slot) in &self.unknown {
            let value = &mut self.machine.values_mut()[slot as usize];
            if value.is_nan() || value.abs() > HUGE {
                *value = 0.0;
            }
        }
        let linear = self.linearise(values, time + step)?;
        let negative = solve(&linear, &self.rates, step)?;
        let mut found = Prediction { mode: values.to_vec(), ties: Vec::new() };
        for (&k, below) in linear.pairs.iter().zip(negative) {
            // Where both parts are zero, nothing is transmitted: what blocks leaves nothing open.
            found.mode[k] = below.unwrap_or(true);
            found.ties.extend(below.is_none().then_some(k));
        }
        Some(found)
    }

    fn set(&mut self, slot: u32, value: f64) {
        self.machine.values_mut()[slot as usize] = value;
    }

    /// Residuals of the rows, and differences of the gaps.
    fn evaluate(&mut self, time: f64) -> Option<(Vec<f64>, Vec<f64>)> {
        self.machine.set_time(time);
        self.machine.outputs().ok()?;
        let values = self.machine.values();
        let rows: Vec<f64> = self.rows.iter().map(|&slot| values[slot as usize]).collect();
        let gaps: Vec<f64> = self.gaps.iter().map(|&(_, _, slot)| values[slot as usize]).collect();
        rows.iter().chain(&gaps).all(|x| x.is_finite()).then_some((rows, gaps))
    }

    /// The same with one unknown moved by `by`.
    fn beside(&mut self, unknown: usize, by: f64, time: f64) -> Option<(Vec<f64>, Vec<f64>)> {
        let slot = self.unknown[unknown].1;
        let here = self.machine.values()[slot as usize];
        self.set(slot, here + by);
        let found = self.evaluate(time);
        self.set(slot, here);
        found
    }

    fn linearise(&mut self, values: &[bool], time: f64) -> Option<Linear> {
        let conditions: Vec<(usize, u32)> = self.gaps.iter().map(|&(k, holds, _)| (k, holds)).collect();
        conditions.iter().for_each(|&(_, holds)| self.set(holds, 0.0));
        let falls = self.falls(time)?;
        for (&(k, holds), fall) in conditions.iter().zip(&falls) {
            self.set(holds, f64::from(u8::from(fall.is_none() && values[k])));
        }
        let now: Vec<f64> =
            self.unknown.iter().map(|&(_, slot)| self.machine.values()[slot as usize]).collect();
        let (rows_now, gaps_now) = self.evaluate(time)?;
        let is_pair: Vec<usize> = (0..falls.len()).filter(|&g| falls[g].is_some()).collect();
        let mut linear = Linear {
            rows: vec![vec![0.0; now.len()]; rows_now.len()],
            rows_at: rows_now.iter().map(|r| -r).collect(),
            gaps: vec![vec![0.0; now.len()]; is_pair.len()],
            gaps_at: is_pair.iter().map(|&g| -gaps_now[g]).collect(),
            pairs: is_pair.iter().map(|&g| conditions[g].0).collect(),
            falls: falls.into_iter().flatten().collect(),
            now,
        };
        for j in 0..linear.now.len() {
            let by = linear.now[j].abs().max(1.0);
            let (rows, gaps) = self.beside(j, by, time)?;
            for (i, (after, before)) in rows.iter().zip(&rows_now).enumerate() {
                linear.rows[i][j] = (after - before) / by;
                linear.rows_at[i] += linear.rows[i][j] * linear.now[j];
            }
            for (p, &g) in is_pair.iter().enumerate() {
                linear.gaps[p][j] = (gaps[g] - gaps_now[g]) / by;
                linear.gaps_at[p] += linear.gaps[p][j] * linear.now[j];
            }
        }
        Some(linear)
    }

    /// For each condition the factor of its difference by which its branches differ in each row; `None` where they do not
    /// meet at the zero of the difference. All conditions are false.
    fn falls(&mut self, time: f64) -> Option<Vec<Option<Vec<f64>>>> {
        let (rows, gaps) = self.evaluate(time)?;
        let mut moves: Vec<Option<(usize, f64)>> = vec![None; gaps.len()];
        for j in 0..self.unknown.len() {
            let (_, moved) = self.beside(j, 1.0, time)?;
            for g in 0..gaps.len() {
                let slope = moved[g] - gaps[g];
                if slope.abs() > moves[g].map_or(1e-6, |(_, most)| most.abs()) {
                    moves[g] = Some((j, slope));
                }
            }
        }
        let mut found = Vec::new();
        for (g, moved) in moves.into_iter().enumerate() {
            let Some((j, slope)) = moved.filter(|_| self.boldly || !self.partly[g]) else {
                found.push(None);
                continue;
            };
            let holds = self.gaps[g].1;
            let (there, _) = self.beside(j, 1.0, time)?;
            self.set(holds, 1.0);
            let other = self.evaluate(time).zip(self.beside(j, 1.0, time));
            self.set(holds, 0.0);
            let ((other, _), (other_there, _)) = other?;
            let (mut fall, mut meets) = (Vec::new(), true);
            for i in 0..rows.len() {
                let (here, beside) = (other[i] - rows[i], other_there[i] - there[i]);
                let factor = (beside - here) / slope;
                let size = here.abs().max((factor * gaps[g]).abs()).max(1.0);
                meets &= (here - factor * gaps[g]).abs() <= MEET * size;
                fall.push(factor);
            }
            found.push(meets.then_some(fall));
        }
        Some(found)
    }
}

/// For each pair whether its negative part is there; `None` of it where neither is.
fn solve(linear: &Linear, rates: &[(usize, usize)], step: f64) -> Option<Vec<Option<bool>>> {
    let (n, m) = (linear.now.len(), linear.pairs.len());
    let width = n + 2 * m + 1;
    let mut table: Vec<Vec<f64>> = Vec::new();
    for (i, row) in linear.rows.iter().enumerate() {
        let mut line = row.clone();
        line.resize(width, 0.0);
        // A negative difference is the negative part with a minus.
        for (p, fall) in linear.falls.iter().enumerate() {
            line[n + m + p] = -fall[i];
        }
        line[width - 1] = linear.rows_at[i];
        table.push(line);
    }
    for (p, gap) in linear.gaps.iter().enumerate() {
        let mut line = gap.clone();
        line.resize(width, 0.0);
        (line[n + p], line[n + m + p], line[width - 1]) = (-1.0, 1.0, linear.gaps_at[p]);
        table.push(line);
    }
    for &(x, rate) in rates {
        let mut line = vec![0.0; width];
        (line[x], line[rate], line[width - 1]) = (1.0, -step, linear.now[x]);
        table.push(line);
    }
    let mut open: Vec<usize> = (0..table.len()).collect();
    for column in 0..n {
        scale(&mut table, &open, width - 1);
        if let Some(&row) =
            open.iter().max_by(|&&a, &&b| table[a][column].abs().total_cmp(&table[b][column].abs()))
            && table[row][column].abs() > ROUND_OFF
        {
            open.retain(|&r| r != row);
            pivot(&mut table, row, column, &open);
        }
    }
    // One part of each pair in terms of the others: a complementary basis.
    let mut basis: Vec<Option<(usize, bool)>> = vec![None; m];
    while !open.is_empty() {
        scale(&mut table, &open, width - 1);
        let free = (0..m).filter(|&p| basis[p].is_none()).flat_map(|p| [(p, false), (p, true)]);
        let entries = free.flat_map(|part| open.iter().map(move |&row| (row, part)));
        let column = |(p, negative): (usize, bool)| if negative { n + m + p } else { n + p };
        let size = |&(row, part): &(usize, (usize, bool))| table[row][column(part)].abs();
        let Some((row, part)) = entries.max_by(|a, b| size(a).total_cmp(&size(b))) else { break };
        if size(&(row, part)) <= ROUND_OFF {
            break;
        }
        open.retain(|&r| r != row);
        let others: Vec<usize> =
            open.iter().copied().chain(basis.iter().flatten().map(|&(row, _)| row)).collect();
        pivot(&mut table, row, column(part), &others);
        basis[part.0] = Some((row, part.1));
    }
    let taken: Vec<usize> = (0..m).filter(|&p| basis[p].is_some()).collect();
    let mut matrix = Dense::new(taken.len(), taken.len());
    let mut offsets = vec![0.0; taken.len()];
    for (a, &p) in taken.iter().enumerate() {
        let (row, _) = basis[p]?;
        offsets[a] = table[row][width - 1];
        for (b, &q) in taken.iter().enumerate() {
            let (_, negative) = basis[q]?;
            let complement = if negative { n + q } else { n + m + q };
            matrix[(a, b)] = -table[row][complement];
        }
    }
    let given = linear.rows_at.iter().chain(&linear.gaps_at).chain(&linear.now);
    let nothing = ROUND_OFF * given.fold(0.0f64, |most, x| most.max(x.abs()));
    offsets.iter_mut().filter(|q| q.abs() < nothing).for_each(|q| *q = 0.0);
    let parts = lemke(&matrix, &offsets)?;
    let mut found = vec![None; m];
    for (a, &p) in taken.iter().enumerate() {
        let (_, negative) = basis[p]?;
        let row: f64 = (0..taken.len()).map(|b| matrix[(a, b)] * parts[b]).sum();
        let size =
            (0..taken.len()).map(|b| (matrix[(a, b)] * parts[b]).abs()).fold(offsets[a].abs(), f64::max);
        let slack = offsets[a] + row;
        found[p] = match (parts[a] > nothing, slack > (ROUND_OFF * size).max(nothing)) {
            (true, _) => Some(!negative),
            (false, true) => Some(negative),
            (false, false) => None,
        };
    }
    Some(found)
}

/// Rows of one size, but for the right side.
fn scale(table: &mut [Vec<f64>], rows: &[usize], last: usize) {
    for &row in rows {
        let largest = table[row][..last].iter().fold(0.0f64, |most, x| most.max(x.abs()));
        if largest > 0.0 {
            table[row].iter_mut().for_each(|x| *x /= largest);
        }
    }
}

/// Solves a row for a column, and puts it into others.
fn pivot(table: &mut [Vec<f64>], row: usize, column: usize, others: &[usize]) {
    let factor = table[row][column];
    table[row].iter_mut().for_each(|x| *x /= factor);
    let line = table[row].clone();
    for &other in others {
        let factor = table[other][column];
        if factor != 0.0 {
            for (x, y) in table[other].iter_mut().zip(&line) {
                let size = x.abs().max((factor * y).abs());
                *x -= factor * y;
                if x.abs() <= 1e-14 * size {
                    *x = 0.0;
                }
            }
            table[other][column] = 0.0;
        }
    }
}
