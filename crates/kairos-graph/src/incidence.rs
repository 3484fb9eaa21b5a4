//! The incidence of rows and columns, stored as compressed rows.

/// Which columns each row touches. Rows can be appended at any time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incidence {
    columns: usize,
    start: Vec<u32>,
    entries: Vec<u32>,
}

impl Default for Incidence {
    fn default() -> Self {
        Incidence::new(0)
    }
}

impl Incidence {
    /// An incidence without rows.
    pub fn new(columns: usize) -> Self {
        Incidence { columns, start: vec![0], entries: Vec::new() }
    }

    /// Collects rows; the number of columns grows to fit what they mention.
    pub fn from_rows<R: AsRef<[u32]>>(columns: usize, rows: impl IntoIterator<Item = R>) -> Self {
        let mut incidence = Incidence::new(columns);
        for row in rows {
            incidence.push_row(row.as_ref());
        }
        incidence
    }

    /// Appends a row and returns its number.
    pub fn push_row(&mut self, columns: &[u32]) -> u32 {
        for &column in columns {
            self.columns = self.columns.max(column as usize + 1);
        }
        self.entries.extend_from_slice(columns);
        self.start.push(self.entries.len() as u32);
        self.rows() as u32 - 1
    }

    /// Makes room for columns that no row mentions yet.
    pub fn grow_columns(&mut self, columns: usize) {
        self.columns = self.columns.max(columns);
    }

    pub fn rows(&self) -> usize {
        self.start.len() - 1
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of entries in all rows.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The columns of a row, in the order they were given.
    pub fn row(&self, row: u32) -> &[u32] {
        &self.entries[self.start[row as usize] as usize..self.start[row as usize + 1] as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.start.windows(2).map(|pair| &self.entries[pair[0] as usize..pair[1] as usize])
    }

    /// The rows of each column, ascending.
    pub fn transpose(&self) -> Incidence {
        let mut start = vec![0u32; self.columns + 1];
        for &column in &self.entries {
            start[column as usize + 1] += 1;
        }
        for column in 0..self.columns {
            start[column + 1] += start[column];
        }
        let mut next = start.clone();
        let mut entries = vec![0; self.entries.len()];
        for (row, columns) in self.iter().enumerate() {
            for &column in columns {
                let slot = &mut next[column as usize];
                entries[*slot as usize] = row as u32;
                *slot += 1;
            }
        }
        Incidence { columns: self.rows(), start, entries }
    }
}
