//! Grouping the columns of a sparse Jacobian so that one evaluation yields a whole group.

use super::Pattern;

/// Groups of columns that share no row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Colouring {
    start: Vec<u32>,
    columns: Vec<u32>,
}

impl Colouring {
    /// Colours greedily, columns with many entries first.
    pub fn new(pattern: &Pattern, rows: usize) -> Self {
        let n = pattern.columns();
        let mut uses_start = vec![0u32; rows + 1];
        pattern.rows.iter().for_each(|&row| uses_start[row as usize + 1] += 1);
        for row in 0..rows {
            uses_start[row + 1] += uses_start[row];
        }
        let mut next = uses_start.clone();
        let mut uses = vec![0u32; pattern.len()];
        for column in 0..n {
            for &row in pattern.column(column) {
                uses[next[row as usize] as usize] = column as u32;
                next[row as usize] += 1;
            }
        }
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|&column| std::cmp::Reverse(pattern.column(column as usize).len()));
        let mut colour = vec![u32::MAX; n];
        let mut taken: Vec<u32> = Vec::new();
        let mut count = 0;
        for &column in &order {
            for &row in pattern.column(column as usize) {
                let row = row as usize;
                for &other in &uses[uses_start[row] as usize..uses_start[row + 1] as usize] {
                    if colour[other as usize] != u32::MAX {
                        taken[colour[other as usize] as usize] = column;
                    }
                }
            }
            let free = taken.iter().position(|&by| by != column);
            let chosen = free.unwrap_or_else(|| {
                taken.push(u32::MAX);
                taken.len() - 1
            });
            colour[column as usize] = chosen as u32;
            count = count.max(chosen + 1);
        }
        let mut start = vec![0u32; count + 1];
        colour.iter().for_each(|&c| start[c as usize + 1] += 1);
        for c in 0..count {
            start[c + 1] += start[c];
        }
        let mut next = start.clone();
        let mut columns = vec![0u32; n];
        for (column, &c) in colour.iter().enumerate() {
            columns[next[c as usize] as usize] = column as u32;
            next[c as usize] += 1;
        }
        Colouring { start, columns }
    }

    /// One group per column.
    pub fn trivial(n: usize) -> Self {
        Colouring { start: (0..=n as u32).collect(), columns: (0..n as u32).collect() }
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn group(&self, index: usize) -> &[u32] {
        &self.columns[self.start[index] as usize..self.start[index + 1] as usize]
    }
}
