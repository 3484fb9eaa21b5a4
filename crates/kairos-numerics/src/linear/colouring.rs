//! Grouping the columns of a sparse Jacobian so that one evaluation yields a whole group.

use serde::{Deserialize, Serialize};

/// Groups of columns that share no row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Colouring {
    start: Vec<u32>,
    columns: Vec<u32>,
}

impl Colouring {
    /// Colours greedily, columns with many entries first; a column is the list of its rows.
    pub fn new<'a>(columns: impl Iterator<Item = &'a [u32]>) -> Self {
        let lists: Vec<&[u32]> = columns.collect();
        let rows = lists.iter().flat_map(|list| list.iter()).max().map_or(0, |&row| row as usize + 1);
        let mut order: Vec<u32> = (0..lists.len() as u32).collect();
        order.sort_by_key(|&column| std::cmp::Reverse(lists[column as usize].len()));
        // The groups that have a column in a row, as bits: full patterns cost their entries times a word for 64 columns.
        let mut used: Vec<Vec<u64>> = vec![Vec::new(); rows];
        let mut taken: Vec<u64> = Vec::new();
        let mut group_of = vec![0u32; lists.len()];
        let mut count = 0;
        for column in order {
            let list = lists[column as usize];
            taken.clear();
            taken.resize(count / 64 + 1, 0);
            for &row in list {
                taken.iter_mut().zip(&used[row as usize]).for_each(|(all, here)| *all |= here);
            }
            // There is a word with room: the last one has bits past the count.
            let word = taken.iter().position(|word| *word != u64::MAX).unwrap_or(count / 64);
            let group = 64 * word + taken[word].trailing_ones() as usize;
            count = count.max(group + 1);
            group_of[column as usize] = group as u32;
            for &row in list {
                let used = &mut used[row as usize];
                used.resize(used.len().max(group / 64 + 1), 0);
                used[group / 64] |= 1 << (group % 64);
            }
        }
        let mut start = vec![0u32; count + 1];
        group_of.iter().for_each(|&group| start[group as usize + 1] += 1);
        for group in 0..count {
            start[group + 1] += start[group];
        }
        let mut next = start.clone();
        let mut columns = vec![0u32; lists.len()];
        for (column, &group) in group_of.iter().enumerate() {
            columns[next[group as usize] as usize] = column as u32;
            next[group as usize] += 1;
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

    pub fn groups(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|index| self.group(index))
    }
}
