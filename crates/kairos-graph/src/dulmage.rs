//! The coarse Dulmage–Mendelsohn decomposition: which part of a system has too much, too little or enough.

use crate::{Incidence, Matching};

/// Rows and columns that belong together, both ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    pub rows: Vec<u32>,
    pub columns: Vec<u32>,
}

/// The three parts of any system; they do not depend on the matching that found them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DulmageMendelsohn {
    /// More equations than unknowns.
    pub over: Part,
    /// As many equations as unknowns, all matched.
    pub well: Part,
    /// Fewer equations than unknowns.
    pub under: Part,
}

/// Decomposes a graph with the help of a maximum matching of it.
pub fn dulmage_mendelsohn(graph: &Incidence, matching: &Matching) -> DulmageMendelsohn {
    let (mut over_row, mut over_column) = (vec![false; graph.rows()], vec![false; graph.columns()]);
    let mut stack: Vec<u32> =
        (0..graph.rows() as u32).filter(|&row| matching.column_of(row).is_none()).collect();
    stack.iter().for_each(|&row| over_row[row as usize] = true);
    while let Some(row) = stack.pop() {
        for &column in graph.row(row) {
            if std::mem::replace(&mut over_column[column as usize], true) {
                continue;
            }
            if let Some(owner) = matching.row_of(column)
                && !std::mem::replace(&mut over_row[owner as usize], true)
            {
                stack.push(owner);
            }
        }
    }

    let (mut under_row, mut under_column) = (vec![false; graph.rows()], vec![false; graph.columns()]);
    let rows_of = graph.transpose();
    let mut stack: Vec<u32> =
        (0..graph.columns() as u32).filter(|&column| matching.row_of(column).is_none()).collect();
    stack.iter().for_each(|&column| under_column[column as usize] = true);
    while let Some(column) = stack.pop() {
        for &row in rows_of.row(column) {
            if std::mem::replace(&mut under_row[row as usize], true) {
                continue;
            }
            if let Some(owned) = matching.column_of(row)
                && !std::mem::replace(&mut under_column[owned as usize], true)
            {
                stack.push(owned);
            }
        }
    }

    let mut parts = DulmageMendelsohn::default();
    for row in 0..graph.rows() {
        let part = parts.pick(over_row[row], under_row[row]);
        part.rows.push(row as u32);
    }
    for column in 0..graph.columns() {
        let part = parts.pick(over_column[column], under_column[column]);
        part.columns.push(column as u32);
    }
    parts
}

impl DulmageMendelsohn {
    fn pick(&mut self, over: bool, under: bool) -> &mut Part {
        match (over, under) {
            (true, _) => &mut self.over,
            (_, true) => &mut self.under,
            _ => &mut self.well,
        }
    }
}
