//! Maximum matching of rows and columns, grown step by step.

use crate::Incidence;

const NONE: u32 = u32::MAX;

/// A matching; a larger graph extends it without starting over.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    column_of: Vec<u32>,
    row_of: Vec<u32>,
    matched: usize,
    seen: Vec<u32>,
    stamp: u32,
    path: Vec<(u32, u32)>,
}

/// A minimal set of rows that share too few columns: one row too many, and every proper subset is fine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Singular {
    pub rows: Vec<u32>,
    pub columns: Vec<u32>,
}

impl Matching {
    /// A maximum matching (Hopcroft–Karp after a cheap assignment).
    pub fn maximum(graph: &Incidence) -> Self {
        let mut matching = Matching::default();
        matching.extend(graph);
        matching
    }

    /// Grows the matching to a maximum one of a graph that has gained rows, columns or edges.
    pub fn extend(&mut self, graph: &Incidence) {
        self.fit(graph.rows(), graph.columns());
        let mut free = self.assign_cheaply(graph);
        let mut phases = Phases::new(graph.rows());
        while !free.is_empty() && phases.layer(graph, self, &free) {
            let before = free.len();
            free.retain(|&row| !phases.augment(graph, self, row));
            if free.len() == before {
                break;
            }
        }
    }

    /// Pairs what has one choice left before anything else (Karp and Sipser); returns the rows left over.
    fn assign_cheaply(&mut self, graph: &Incidence) -> Vec<u32> {
        let open: Vec<u32> =
            (0..graph.rows() as u32).filter(|&row| self.column_of[row as usize] == NONE).collect();
        let mut row_choices = vec![0u32; graph.rows()];
        let mut column_choices = vec![0u32; graph.columns()];
        for &row in &open {
            for &column in graph.row(row) {
                if self.row_of[column as usize] == NONE {
                    row_choices[row as usize] += 1;
                    column_choices[column as usize] += 1;
                }
            }
        }
        let rows_of = graph.transpose();
        let mut single_rows: Vec<u32> =
            open.iter().rev().copied().filter(|&row| row_choices[row as usize] == 1).collect();
        let mut single_columns: Vec<u32> =
            (0..graph.columns() as u32).rev().filter(|&c| column_choices[c as usize] == 1).collect();
        let mut next = open.iter();
        loop {
            let (row, column) = if let Some(row) = single_rows.pop() {
                if self.column_of[row as usize] != NONE {
                    continue;
                }
                (Some(row), graph.row(row).iter().find(|&&c| self.row_of[c as usize] == NONE).copied())
            } else if let Some(column) = single_columns.pop() {
                if self.row_of[column as usize] != NONE {
                    continue;
                }
                let row = rows_of.row(column).iter().find(|&&row| self.column_of[row as usize] == NONE);
                (row.copied(), Some(column))
            } else if let Some(&row) = next.next() {
                if self.column_of[row as usize] != NONE {
                    continue;
                }
                let free = graph.row(row).iter().filter(|&&c| self.row_of[c as usize] == NONE);
                (Some(row), free.min_by_key(|&&c| column_choices[c as usize]).copied())
            } else {
                break;
            };
            let (Some(row), Some(column)) = (row, column) else { continue };
            self.set(row, column);
            for &column in graph.row(row) {
                column_choices[column as usize] = column_choices[column as usize].saturating_sub(1);
                if column_choices[column as usize] == 1 {
                    single_columns.push(column);
                }
            }
            for &row in rows_of.row(column) {
                row_choices[row as usize] = row_choices[row as usize].saturating_sub(1);
                if row_choices[row as usize] == 1 {
                    single_rows.push(row);
                }
            }
        }
        open.into_iter().filter(|&row| self.column_of[row as usize] == NONE).collect()
    }

    /// Matches one more row along an augmenting path through the edges that `allowed(row, column)` admits.
    ///
    /// On failure the minimal singular set around the row is returned, with the matching unchanged.
    pub fn augment<R: AsRef<[u32]>>(
        &mut self,
        row: u32,
        rows: &[R],
        mut allowed: impl FnMut(u32, u32) -> bool,
    ) -> Result<(), Singular> {
        self.fit(rows.len(), self.row_of.len());
        self.stamp += 1;
        self.path.clear();
        self.path.push((row, 0));
        let mut visited = vec![row];
        let mut columns = Vec::new();
        'walk: while let Some(&(here, at)) = self.path.last() {
            let edges = rows[here as usize].as_ref();
            if at == 0 {
                // A free column ends the path at once; look for one before going deeper.
                for &column in edges {
                    self.fit(0, column as usize + 1);
                    if self.row_of[column as usize] == NONE && allowed(here, column) {
                        self.flip(column);
                        return Ok(());
                    }
                }
            }
            for (index, &column) in edges.iter().enumerate().skip(at as usize) {
                if self.seen[column as usize] == self.stamp || !allowed(here, column) {
                    continue;
                }
                self.seen[column as usize] = self.stamp;
                columns.push(column);
                let next = self.row_of[column as usize];
                visited.push(next);
                if let Some(top) = self.path.last_mut() {
                    top.1 = index as u32 + 1;
                }
                self.path.push((next, 0));
                continue 'walk;
            }
            self.path.pop();
        }
        visited.sort_unstable();
        columns.sort_unstable();
        Err(Singular { rows: visited, columns })
    }

    /// Shifts the matching along the rows of the current path, the last of which takes `column`.
    fn flip(&mut self, column: u32) {
        let mut column = column;
        while let Some((row, _)) = self.path.pop() {
            let old = self.column_of[row as usize];
            if old == NONE {
                self.matched += 1;
            }
            self.column_of[row as usize] = column;
            self.row_of[column as usize] = row;
            column = old;
        }
    }

    /// Records a pair; both must be free.
    pub fn set(&mut self, row: u32, column: u32) {
        self.fit(row as usize + 1, column as usize + 1);
        debug_assert!(self.column_of[row as usize] == NONE && self.row_of[column as usize] == NONE);
        self.column_of[row as usize] = column;
        self.row_of[column as usize] = row;
        self.matched += 1;
    }

    /// Frees a row and its column.
    pub fn clear(&mut self, row: u32) {
        if let Some(column) = self.column_of(row) {
            self.column_of[row as usize] = NONE;
            self.row_of[column as usize] = NONE;
            self.matched -= 1;
        }
    }

    fn fit(&mut self, rows: usize, columns: usize) {
        if self.column_of.len() < rows {
            self.column_of.resize(rows, NONE);
        }
        if self.row_of.len() < columns {
            self.row_of.resize(columns, NONE);
            self.seen.resize(columns, 0);
        }
    }

    pub fn column_of(&self, row: u32) -> Option<u32> {
        self.column_of.get(row as usize).copied().filter(|&column| column != NONE)
    }

    pub fn row_of(&self, column: u32) -> Option<u32> {
        self.row_of.get(column as usize).copied().filter(|&row| row != NONE)
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.matched
    }

    pub fn is_empty(&self) -> bool {
        self.matched == 0
    }

    /// Every row and every column of the graph has its partner.
    pub fn is_perfect(&self, graph: &Incidence) -> bool {
        self.matched == graph.rows() && self.matched == graph.columns()
    }
}

/// The working memory of Hopcroft–Karp.
struct Phases {
    level: Vec<u32>,
    next: Vec<u32>,
    queue: Vec<u32>,
    path: Vec<u32>,
}

impl Phases {
    fn new(rows: usize) -> Self {
        Phases { level: vec![NONE; rows], next: vec![0; rows], queue: Vec::new(), path: Vec::new() }
    }

    /// Distances of the rows from the free ones; false when no free column can be reached.
    fn layer(&mut self, graph: &Incidence, matching: &Matching, free: &[u32]) -> bool {
        self.level.fill(NONE);
        self.next.fill(0);
        self.queue.clear();
        self.queue.extend_from_slice(free);
        for &row in free {
            self.level[row as usize] = 0;
        }
        let mut found = NONE;
        let mut head = 0;
        while head < self.queue.len() {
            let row = self.queue[head];
            head += 1;
            let level = self.level[row as usize];
            if level >= found {
                break;
            }
            for &column in graph.row(row) {
                let next = matching.row_of[column as usize];
                if next == NONE {
                    found = level;
                } else if self.level[next as usize] == NONE {
                    self.level[next as usize] = level + 1;
                    self.queue.push(next);
                }
            }
        }
        found != NONE
    }

    /// One path through the layers from a free row; every edge is tried once per phase.
    fn augment(&mut self, graph: &Incidence, matching: &mut Matching, row: u32) -> bool {
        self.path.clear();
        self.path.push(row);
        while let Some(&here) = self.path.last() {
            let at = self.next[here as usize] as usize;
            let Some(&column) = graph.row(here).get(at) else {
                self.level[here as usize] = NONE;
                self.path.pop();
                continue;
            };
            self.next[here as usize] += 1;
            let owner = matching.row_of[column as usize];
            if owner == NONE {
                let mut column = column;
                while let Some(row) = self.path.pop() {
                    let old = matching.column_of[row as usize];
                    matching.column_of[row as usize] = column;
                    matching.row_of[column as usize] = row;
                    // A row on a used path must not be entered again in this phase.
                    self.level[row as usize] = NONE;
                    column = old;
                }
                matching.matched += 1;
                return true;
            }
            let level = self.level[here as usize];
            if self.level[owner as usize] != NONE && self.level[owner as usize] == level + 1 {
                self.path.push(owner);
            }
        }
        false
    }
}
