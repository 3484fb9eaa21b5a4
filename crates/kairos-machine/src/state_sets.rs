//! State sets at run time: which candidates are states now, and whether others serve better.

use crate::machine::Eval;
use crate::run::Frame;
use kairos_program::tape::Slot;
use kairos_program::{Program, SetCode};

/// The choice is kept until its constraints are this much worse conditioned than they could be.
const WORSE: f64 = 0.2;

impl Frame {
    /// The choice to begin with.
    pub fn begin_sets(&mut self, program: &Program) {
        for set in &program.state_sets {
            self.pick(set, &set.chosen);
        }
    }

    fn pick(&mut self, set: &SetCode, chosen: &[u32]) {
        for (row, &choice) in set.selectors.iter().zip(chosen) {
            for (k, &slot) in row.iter().enumerate() {
                self.set(slot, f64::from(u8::from(k as u32 == choice)));
            }
        }
    }

    /// Chooses anew where the present states come close to being dependent; says whether anything has changed.
    pub fn reselect(&mut self, program: &Program) -> Eval<bool> {
        let mut changed = false;
        for set in &program.state_sets {
            self.run(program, &set.tape)?;
            let present: Vec<u32> =
                set.selectors.iter().map(|row| self.selected(row)).collect::<Option<_>>().unwrap_or_default();
            let mut matrix = Matrix::new(set, &self.values);
            matrix.eliminate(0..set.others);
            let mut best = matrix.clone();
            let dummies = best.eliminate(set.others..set.others + set.candidates.len());
            let kept: Vec<usize> = (0..set.candidates.len())
                .filter(|k| !present.contains(&(*k as u32)))
                .map(|k| set.others + k)
                .collect();
            let full = matrix.eliminate(kept).len() == dummies.len();
            if full && matrix.volume >= WORSE * best.volume || !best.volume.is_finite() {
                continue;
            }
            let states: Vec<u32> = (0..set.candidates.len() as u32)
                .filter(|k| !dummies.contains(&(set.others + *k as usize)))
                .collect();
            if states.len() != present.len() {
                continue;
            }
            // Candidates that stay keep their place.
            let mut new = states.iter().copied().filter(|k| !present.contains(k));
            let next: Vec<u32> = present
                .iter()
                .map(|&k| if states.contains(&k) { k } else { new.next().unwrap_or(k) })
                .collect();
            if next != present {
                self.pick(set, &next);
                for (&state, &choice) in set.states.iter().zip(&next) {
                    let value = self.get(set.candidates[choice as usize]);
                    self.set(state, value);
                }
                changed = true;
            }
        }
        Ok(changed)
    }

    /// The candidate that a state of a set is at present.
    pub fn candidate(&self, program: &Program, state: Slot) -> Option<Slot> {
        let places = program.state_sets.iter().flat_map(|set| (0..set.states.len()).map(move |k| (set, k)));
        let (set, k) = places.into_iter().find(|(set, k)| set.states[*k] == state)?;
        self.selected(&set.selectors[k]).map(|choice| set.candidates[choice as usize])
    }

    fn selected(&self, row: &[Slot]) -> Option<u32> {
        row.iter().position(|&s| self.get(s) != 0.0).map(|k| k as u32)
    }
}

#[derive(Clone)]
struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f64>,
    /// Rows that have given a pivot.
    used: Vec<bool>,
    /// The product of the pivots.
    volume: f64,
}

impl Matrix {
    /// Columns scaled by the nominal values of the candidates.
    fn new(set: &SetCode, values: &[f64]) -> Self {
        let columns = set.others + set.candidates.len();
        let mut matrix = Matrix {
            rows: set.rows,
            columns,
            values: vec![0.0; set.rows * columns],
            used: vec![false; set.rows],
            volume: 1.0,
        };
        for &(row, column, slot) in &set.entries {
            let scale = match (column as usize).checked_sub(set.others) {
                Some(k) => values[set.nominal[k] as usize].abs(),
                None => 1.0,
            };
            let scale = if scale > 0.0 && scale.is_finite() { scale } else { 1.0 };
            matrix.values[row as usize * columns + column as usize] += values[slot as usize] * scale;
        }
        matrix
    }

    /// Complete pivoting over the given columns and the unused rows; returns the columns that gave a pivot.
    fn eliminate(&mut self, columns: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut open: Vec<usize> = columns.into_iter().collect();
        let mut taken = Vec::new();
        while self.used.contains(&false) && !open.is_empty() {
            let mut best = (0.0, 0, 0);
            for row in (0..self.rows).filter(|&r| !self.used[r]) {
                for (at, &column) in open.iter().enumerate() {
                    let size = self.values[row * self.columns + column].abs();
                    if size > best.0 {
                        best = (size, row, at);
                    }
                }
            }
            let (size, pivot, at) = best;
            if size == 0.0 {
                break;
            }
            let column = open.swap_remove(at);
            self.volume *= size;
            self.used[pivot] = true;
            taken.push(column);
            for row in (0..self.rows).filter(|&r| !self.used[r]) {
                let factor =
                    self.values[row * self.columns + column] / self.values[pivot * self.columns + column];
                if factor != 0.0 {
                    for k in 0..self.columns {
                        self.values[row * self.columns + k] -= factor * self.values[pivot * self.columns + k];
                    }
                }
            }
        }
        taken
    }
}
