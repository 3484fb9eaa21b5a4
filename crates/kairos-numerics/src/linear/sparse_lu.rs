//! Sparse LU: block triangular form, minimum degree, Gilbert–Peierls, and refactorisation along known pivots.

use kairos_graph::{Incidence, Matching, block_triangular};

use super::columns::{Columns, apply, subtract, sweep, sweep_back};
use super::{Pattern, Scalar, Singular, minimum_degree};
use serde::{Deserialize, Serialize};

const NONE: u32 = u32::MAX;
/// The matched diagonal is kept as pivot unless it is smaller than this part of the column's largest entry.
const DIAGONAL: f64 = 1e-3;
/// A refactorisation is given up when a pivot falls below this part of the entries it divides.
const GROWTH: f64 = 1e-6;
/// Rows keep their scale as long as pivots do: a weaker one than this may be that of a row that has become small.
const RESCALED: f64 = 1e-8;

/// A factorisation of matrices that share one pattern.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SparseLu<T: Scalar> {
    n: usize,
    pattern: Pattern,
    /// Columns in order of elimination, and the row matched to each before pivoting.
    column_at: Vec<u32>,
    matched_row: Vec<u32>,
    /// Bounds of the diagonal blocks, and for each row the end of the block it is in.
    blocks: Vec<u32>,
    end_of_row: Vec<u32>,
    /// Pivot rows: by place, and the place of each row.
    row_at: Vec<u32>,
    place: Vec<u32>,
    scale: Vec<f64>,
    lower: Columns<T>,
    upper: Columns<T>,
    /// Entries below the diagonal blocks.
    off: Columns<T>,
    pivot: Vec<T>,
    /// How many columns of the lower factor from each on share one pattern, apart from their own triangle.
    run: Vec<u8>,
    /// The same for the upper factor, counted downwards.
    upper_run: Vec<u8>,
    /// The place of each entry of the matrix, in order of elimination.
    target: Vec<u32>,
    factored: bool,
    refactorisations: u64,
    work: Vec<T>,
    stamp: Vec<u32>,
    reach: Vec<u32>,
    stack: Vec<(u32, u32)>,
}

impl<T: Scalar> SparseLu<T> {
    /// Orders a square pattern; fails when no choice of values could make it regular.
    pub fn new(pattern: &Pattern) -> Result<Self, Singular> {
        let n = pattern.columns();
        let columns = Incidence::from_rows(n, pattern.lists());
        let equations = columns.transpose();
        let matching = Matching::maximum(&equations);
        if let Some(column) = (0..n).find(|&column| matching.row_of(column as u32).is_none()) {
            return Err(Singular { column });
        }
        let row_of = |column: u32| matching.row_of(column).unwrap_or(column);
        let column_of = |row: u32| matching.column_of(row).unwrap_or(row);
        let mut lu = SparseLu {
            n,
            pattern: pattern.clone(),
            column_at: Vec::with_capacity(n),
            matched_row: Vec::with_capacity(n),
            blocks: vec![0],
            end_of_row: vec![0; n],
            row_at: vec![NONE; n],
            place: vec![NONE; n],
            scale: vec![1.0; n],
            lower: Columns::default(),
            upper: Columns::default(),
            off: Columns::default(),
            pivot: vec![T::default(); n],
            run: vec![1; n],
            upper_run: vec![1; n],
            target: vec![0; pattern.len()],
            factored: false,
            refactorisations: 0,
            work: vec![T::default(); n],
            stamp: vec![NONE; n],
            reach: Vec::with_capacity(n),
            stack: Vec::with_capacity(n),
        };
        let mut local = vec![NONE; n];
        let mut entries: Vec<(u32, u32)> = Vec::new();
        for block in block_triangular(&equations, &matching).iter() {
            if block.len() > 1 {
                block.iter().enumerate().for_each(|(at, &row)| local[row as usize] = at as u32);
                entries.clear();
                for (at, &row) in block.iter().enumerate() {
                    let rows = pattern.column(column_of(row) as usize).iter();
                    entries.extend(
                        rows.filter(|&&r| local[r as usize] != NONE).map(|&r| (local[r as usize], at as u32)),
                    );
                }
                let order = minimum_degree(&Pattern::from_entries(block.len(), &entries));
                lu.column_at.extend(order.iter().map(|&at| column_of(block[at as usize])));
                block.iter().for_each(|&row| local[row as usize] = NONE);
            } else {
                lu.column_at.push(column_of(block[0]));
            }
            let end = lu.column_at.len() as u32;
            block.iter().for_each(|&row| lu.end_of_row[row as usize] = end);
            lu.blocks.push(end);
        }
        lu.matched_row = lu.column_at.iter().map(|&column| row_of(column)).collect();
        Ok(lu)
    }

    /// Factors a matrix given by the values of the pattern's entries, along the known pivots where they are good.
    pub fn factor(&mut self, values: &[T]) -> Result<(), Singular> {
        if self.factored && self.refactor(values) && self.weakest_pivot() > RESCALED {
            self.refactorisations += 1;
            return Ok(());
        }
        self.factored = false;
        self.factor_afresh(values)?;
        self.factored = true;
        Ok(())
    }

    /// The smallest pivot, relative to the largest entry of its row: near round-off means nearly singular.
    pub fn weakest_pivot(&self) -> f64 {
        self.pivot.iter().fold(1.0, |weakest: f64, pivot| weakest.min(pivot.size()))
    }

    /// How often the known pivots could be used again.
    pub fn refactorisations(&self) -> u64 {
        self.refactorisations
    }

    /// The number of entries in both factors.
    pub fn fill(&self) -> usize {
        self.lower.rows.len() + self.upper.rows.len() + self.n
    }

    fn factor_afresh(&mut self, values: &[T]) -> Result<(), Singular> {
        self.rescale(values);
        self.lower.clear();
        self.upper.clear();
        self.off.clear();
        self.place.fill(NONE);
        self.stamp.fill(NONE);
        for block in 0..self.blocks.len() - 1 {
            for k in self.blocks[block]..self.blocks[block + 1] {
                self.eliminate(k as usize, self.blocks[block + 1], values)?;
            }
        }
        self.lower.settle(&self.place);
        self.off.settle_in_order(&self.place);
        let identity: Vec<u32> = (0..self.n as u32).collect();
        self.upper.settle(&identity);
        self.find_runs();
        let mut next = 0;
        for k in 0..self.n {
            for &row in self.pattern.column(self.column_at[k] as usize) {
                self.target[next] = self.place[row as usize];
                next += 1;
            }
        }
        Ok(())
    }

    /// Neighbouring columns with one pattern are applied together: one index and one store for all of them.
    fn find_runs(&mut self) {
        self.run.fill(1);
        for k in (0..self.n.saturating_sub(1)).rev() {
            let (here, next) = (self.lower.range(k), self.lower.range(k + 1));
            let (here, next) = (&self.lower.rows[here], &self.lower.rows[next]);
            if here.first() == Some(&(k as u32 + 1)) && here[1..] == *next {
                self.run[k] = self.run[k + 1].saturating_add(1).min(4);
            }
        }
        self.upper_run.fill(1);
        for k in 1..self.n {
            let (here, before) = (self.upper.range(k), self.upper.range(k - 1));
            let (here, before) = (&self.upper.rows[here], &self.upper.rows[before]);
            if here.last() == Some(&(k as u32 - 1)) && here[..here.len() - 1] == *before {
                self.upper_run[k] = self.upper_run[k - 1].saturating_add(1).min(4);
            }
        }
    }

    fn rescale(&mut self, values: &[T]) {
        self.scale.fill(0.0);
        for (&row, value) in self.pattern.rows.iter().zip(values) {
            let scale = &mut self.scale[row as usize];
            *scale = scale.max(value.size());
        }
        for scale in &mut self.scale {
            // A power of two scales without rounding.
            *scale = if *scale > 0.0 && scale.is_finite() { (-scale.log2().floor()).exp2() } else { 1.0 };
        }
    }

    /// One column: solve with the columns before it, choose a pivot, store what is left.
    fn eliminate(&mut self, k: usize, end: u32, values: &[T]) -> Result<(), Singular> {
        let column = self.column_at[k] as usize;
        self.reach.clear();
        for at in self.pattern.range(column) {
            let row = self.pattern.rows[at];
            if self.end_of_row[row as usize] == end {
                self.visit(row, k as u32);
            }
        }
        for at in self.pattern.range(column) {
            let row = self.pattern.rows[at];
            let value = values[at].scale(self.scale[row as usize]);
            if self.end_of_row[row as usize] == end {
                self.work[row as usize] = value;
            } else {
                self.off.push(row, value);
            }
        }
        self.off.close();
        // The walk lists a row after everything it leads to; backwards, causes come before effects.
        let (mut best, mut pivot_row) = (0.0, NONE);
        for index in (0..self.reach.len()).rev() {
            let row = self.reach[index] as usize;
            let place = self.place[row];
            let value = self.work[row];
            if place == NONE {
                continue;
            }
            self.upper.push(place, value);
            self.work[row] = T::default();
            if value != T::default() {
                for at in self.lower.range(place as usize) {
                    let factor = self.lower.values[at];
                    self.work[self.lower.rows[at] as usize] -= factor * value;
                }
            }
        }
        self.upper.close();
        for index in (0..self.reach.len()).rev() {
            let row = self.reach[index];
            if self.place[row as usize] == NONE {
                let size = self.work[row as usize].size();
                if size > best || size.is_nan() {
                    (best, pivot_row) = (size, row);
                }
            }
        }
        let matched = self.matched_row[k];
        if self.stamp[matched as usize] == k as u32
            && self.place[matched as usize] == NONE
            && self.work[matched as usize].size() >= DIAGONAL * best
        {
            pivot_row = matched;
        }
        if !(best > 0.0 && best < f64::INFINITY) || pivot_row == NONE {
            self.reach.iter().for_each(|&row| self.work[row as usize] = T::default());
            return Err(Singular { column });
        }
        let pivot = self.work[pivot_row as usize];
        self.pivot[k] = pivot;
        self.place[pivot_row as usize] = k as u32;
        self.row_at[k] = pivot_row;
        for index in 0..self.reach.len() {
            let row = self.reach[index];
            if self.place[row as usize] == NONE {
                self.lower.push(row, self.work[row as usize] / pivot);
            }
            self.work[row as usize] = T::default();
        }
        self.lower.close();
        Ok(())
    }

    /// Collects the rows that a nonzero in `row` spreads to, each after those it spreads to itself.
    fn visit(&mut self, row: u32, k: u32) {
        if self.stamp[row as usize] == k {
            return;
        }
        self.stamp[row as usize] = k;
        self.stack.push((row, 0));
        while let Some(&mut (here, ref mut at)) = self.stack.last_mut() {
            let place = self.place[here as usize];
            let mut deeper = NONE;
            if place != NONE {
                let range = self.lower.range(place as usize);
                let edges = &self.lower.rows[range];
                while (*at as usize) < edges.len() {
                    let next = edges[*at as usize];
                    *at += 1;
                    if self.stamp[next as usize] != k {
                        deeper = next;
                        break;
                    }
                }
            }
            if deeper != NONE {
                self.stamp[deeper as usize] = k;
                self.stack.push((deeper, 0));
            } else {
                self.reach.push(here);
                self.stack.pop();
            }
        }
    }

    /// Fills the known structure with new values; false when a pivot has become too small.
    fn refactor(&mut self, values: &[T]) -> bool {
        let work = &mut self.work[..];
        let mut next = 0;
        let mut next_off = 0;
        for block in 0..self.blocks.len() - 1 {
            let (begin, end) = (self.blocks[block] as usize, self.blocks[block + 1]);
            for k in begin..end as usize {
                for at in self.pattern.range(self.column_at[k] as usize) {
                    let place = self.target[next];
                    let value = values[at].scale(self.scale[self.pattern.rows[at] as usize]);
                    next += 1;
                    if place < end {
                        work[place as usize] = value;
                    } else {
                        self.off.values[next_off] = value;
                        next_off += 1;
                    }
                }
                let entries = self.upper.range(k);
                let mut at = entries.start;
                while at < entries.end {
                    let place = self.upper.rows[at] as usize;
                    // The rows of a run follow one another in every column that meets the first of them.
                    let run = (self.run[place] as usize).min(k - place);
                    let values = &mut self.upper.values[at..];
                    at += match run {
                        4.. => apply::<T, 4>(&self.lower, place, work, values),
                        2.. => apply::<T, 2>(&self.lower, place, work, values),
                        _ => apply::<T, 1>(&self.lower, place, work, values),
                    };
                }
                let pivot = std::mem::take(&mut work[k]);
                let mut largest: f64 = 0.0;
                let range = self.lower.range(k);
                let rows = &self.lower.rows[range.clone()];
                for (&row, factor) in rows.iter().zip(&mut self.lower.values[range]) {
                    let value = std::mem::take(&mut work[row as usize]);
                    largest = largest.max(value.size());
                    *factor = value / pivot;
                }
                let size = pivot.size();
                if !(size > GROWTH * largest && size < f64::INFINITY && largest < f64::INFINITY) {
                    work.fill(T::default());
                    return false;
                }
                self.pivot[k] = pivot;
            }
        }
        true
    }

    /// Overwrites `b` with the solution, or with NaN if there is no factorisation.
    pub fn solve(&mut self, b: &mut [T]) {
        if !self.factored {
            b.fill(T::real(f64::NAN));
            return;
        }
        let work = &mut self.work[..];
        for (place, &row) in self.row_at.iter().enumerate() {
            work[place] = b[row as usize].scale(self.scale[row as usize]);
        }
        for block in 0..self.blocks.len() - 1 {
            let (begin, end) = (self.blocks[block] as usize, self.blocks[block + 1] as usize);
            let mut k = begin;
            while k < end {
                k += match (self.run[k] as usize).min(end - k) {
                    4.. => sweep::<T, 4>(&self.lower, k, work),
                    2.. => sweep::<T, 2>(&self.lower, k, work),
                    _ => sweep::<T, 1>(&self.lower, k, work),
                };
            }
            let mut k = end;
            while k > begin {
                k -= match (self.upper_run[k - 1] as usize).min(k - begin) {
                    4.. => sweep_back::<T, 4>(&self.upper, k - 1, &self.pivot, work),
                    2.. => sweep_back::<T, 2>(&self.upper, k - 1, &self.pivot, work),
                    _ => sweep_back::<T, 1>(&self.upper, k - 1, &self.pivot, work),
                };
            }
            for k in begin..end {
                let value = work[k];
                subtract(&self.off, k, value, work);
            }
        }
        for (place, &column) in self.column_at.iter().enumerate() {
            b[column as usize] = std::mem::take(&mut work[place]);
        }
    }
}
