//! Tearing: few iteration variables from which the rest of a block follows explicitly.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A variable in an equation of the block; `solvable` if the equation can be solved for it explicitly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub column: u32,
    pub solvable: bool,
}

/// A torn block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tearing {
    /// Columns to iterate on.
    pub iteration: Vec<u32>,
    /// Rows whose residuals are driven to zero.
    pub residuals: Vec<u32>,
    /// Row and the column it is solved for, in order of evaluation, given the iteration variables.
    pub causal: Vec<(u32, u32)>,
    /// As `causal`, but needed by no residual: evaluated once after the iteration.
    pub afterwards: Vec<(u32, u32)>,
}

/// Tears a block after Cellier: solve what is determined, else iterate on the variable that determines most.
///
/// Each row names a column at most once. Columns of higher `preference` (missing ones count 0) are iterated
/// on first.
pub fn tear(columns: usize, rows: &[Vec<Edge>], preference: &[i32]) -> Tearing {
    let mut state = State::new(columns, rows, preference);
    loop {
        state.propagate();
        let Some(column) = state.choose() else { break };
        state.tearing.iteration.push(column);
        state.know(column);
    }
    let mut tearing = state.tearing;
    tearing.residuals = (0..rows.len() as u32).filter(|&row| state.row_open[row as usize]).collect();
    tearing.afterwards.reverse();
    tearing
}

struct State<'a> {
    rows: &'a [Vec<Edge>],
    preference: &'a [i32],
    /// Where each column stands in the rows, as compressed columns.
    start: Vec<u32>,
    uses: Vec<(u32, bool)>,
    row_open: Vec<bool>,
    column_open: Vec<bool>,
    /// Open columns in each row, open rows of each column.
    row_degree: Vec<u32>,
    column_degree: Vec<u32>,
    /// How many open rows would be left with one solvable column if this column were known.
    gain: Vec<u32>,
    ready_rows: Vec<u32>,
    ready_columns: Vec<u32>,
    heap: BinaryHeap<(i32, u32, u32, Reverse<u32>)>,
    tearing: Tearing,
}

impl<'a> State<'a> {
    fn new(columns: usize, rows: &'a [Vec<Edge>], preference: &'a [i32]) -> Self {
        let mut start = vec![0u32; columns + 1];
        for edge in rows.iter().flatten() {
            start[edge.column as usize + 1] += 1;
        }
        let column_degree = start[1..].to_vec();
        for column in 0..columns {
            start[column + 1] += start[column];
        }
        let mut next = start.clone();
        let mut uses = vec![(0, false); start[columns] as usize];
        for (row, edges) in rows.iter().enumerate() {
            for edge in edges {
                let slot = &mut next[edge.column as usize];
                uses[*slot as usize] = (row as u32, edge.solvable);
                *slot += 1;
            }
        }
        let mut state = State {
            rows,
            preference,
            start,
            uses,
            row_open: vec![true; rows.len()],
            column_open: vec![true; columns],
            row_degree: rows.iter().map(|row| row.len() as u32).collect(),
            column_degree,
            gain: vec![0; columns],
            ready_rows: Vec::new(),
            ready_columns: Vec::new(),
            heap: BinaryHeap::new(),
            tearing: Tearing::default(),
        };
        for row in 0..rows.len() as u32 {
            match state.row_degree[row as usize] {
                1 => state.ready_rows.push(row),
                2 => state.credit(row, 1),
                _ => {}
            }
        }
        state.ready_rows.reverse();
        state.ready_columns =
            (0..columns as u32).rev().filter(|&c| state.column_degree[c as usize] == 1).collect();
        for column in 0..columns as u32 {
            state.rank(column);
        }
        state
    }

    fn uses_of(&self, column: u32) -> std::ops::Range<usize> {
        self.start[column as usize] as usize..self.start[column as usize + 1] as usize
    }

    /// Solves everything that is determined, from the front and from the back.
    fn propagate(&mut self) {
        loop {
            if let Some(row) = self.ready_rows.pop() {
                let open = |edge: &&Edge| self.column_open[edge.column as usize];
                if !self.row_open[row as usize] || self.row_degree[row as usize] != 1 {
                    continue;
                }
                if let Some(edge) = self.rows[row as usize].iter().find(open).copied()
                    && edge.solvable
                {
                    self.take(row);
                    self.know(edge.column);
                    self.tearing.causal.push((row, edge.column));
                }
            } else if let Some(column) = self.ready_columns.pop() {
                if !self.column_open[column as usize] || self.column_degree[column as usize] != 1 {
                    continue;
                }
                let only =
                    self.uses_of(column).map(|at| self.uses[at]).find(|use_| self.row_open[use_.0 as usize]);
                if let Some((row, true)) = only {
                    self.take(row);
                    self.know(column);
                    self.tearing.afterwards.push((row, column));
                }
            } else {
                return;
            }
        }
    }

    /// The open column that determines most.
    fn choose(&mut self) -> Option<u32> {
        while let Some((_, gain, degree, Reverse(column))) = self.heap.pop() {
            let here = column as usize;
            if self.column_open[here] && self.gain[here] == gain && self.column_degree[here] == degree {
                return Some(column);
            }
        }
        None
    }

    fn rank(&mut self, column: u32) {
        let here = column as usize;
        if self.column_open[here] {
            let preference = self.preference.get(here).copied().unwrap_or(0);
            self.heap.push((preference, self.gain[here], self.column_degree[here], Reverse(column)));
        }
    }

    /// A column's value is available from here on.
    fn know(&mut self, column: u32) {
        self.column_open[column as usize] = false;
        for at in self.uses_of(column) {
            let (row, _) = self.uses[at];
            let degree = self.row_degree[row as usize];
            self.row_degree[row as usize] = degree - 1;
            if !self.row_open[row as usize] {
                continue;
            }
            match degree - 1 {
                // The pair's gains counted while two were open; one of them is the column just closed.
                1 => {
                    self.credit(row, -1);
                    self.ready_rows.push(row);
                }
                2 => self.credit(row, 1),
                _ => {}
            }
        }
    }

    /// A row is used up.
    fn take(&mut self, row: u32) {
        if self.row_degree[row as usize] == 2 {
            self.credit(row, -1);
        }
        self.row_open[row as usize] = false;
        for index in 0..self.rows[row as usize].len() {
            let column = self.rows[row as usize][index].column;
            self.column_degree[column as usize] -= 1;
            if self.column_open[column as usize] {
                if self.column_degree[column as usize] == 1 {
                    self.ready_columns.push(column);
                }
                self.rank(column);
            }
        }
    }

    fn credit(&mut self, row: u32, by: i32) {
        for index in 0..self.rows[row as usize].len() {
            let column = self.rows[row as usize][index].column;
            if self.column_open[column as usize] {
                let gain = &mut self.gain[column as usize];
                *gain = gain.saturating_add_signed(by);
                self.rank(column);
            }
        }
    }
}
