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
    let (over_row, over_column) =
        reached(graph, |row| matching.column_of(row), |column| matching.row_of(column));
    let columns_of = graph.transpose();
    let (under_column, under_row) =
        reached(&columns_of, |column| matching.row_of(column), |row| matching.column_of(row));

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

/// What alternating paths reach from the nodes without a partner: nodes of their own side, then of the other.
fn reached(
    graph: &Incidence,
    partner: impl Fn(u32) -> Option<u32>,
    partner_across: impl Fn(u32) -> Option<u32>,
) -> (Vec<bool>, Vec<bool>) {
    let (mut here, mut across) = (vec![false; graph.rows()], vec![false; graph.columns()]);
    let mut stack: Vec<u32> = (0..graph.rows() as u32).filter(|&row| partner(row).is_none()).collect();
    stack.iter().for_each(|&row| here[row as usize] = true);
    while let Some(row) = stack.pop() {
        for &column in graph.row(row) {
            if std::mem::replace(&mut across[column as usize], true) {
                continue;
            }
            if let Some(owner) = partner_across(column)
                && !std::mem::replace(&mut here[owner as usize], true)
            {
                stack.push(owner);
            }
        }
    }
    (here, across)
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
