//! Systems in which some equations come before others: those that find no unknown of their own are left out.

use super::independent::Independent;
use crate::model::{Block, Role};
use crate::sort::{Columns, sort};
use crate::work::{Row, Work};
use kairos_expr::VarId;
use kairos_graph::{Incidence, Matching};

/// Equations with the unknowns that they may determine.
pub(super) struct Stage {
    pub rows: Vec<Row>,
    pub may: Vec<bool>,
    /// Every row must find an unknown.
    pub hard: bool,
}

/// Matches the stages one after the other and sorts what was matched. Unknowns are the variables of role `Algebraic`;
/// one that nothing determines stays as it is. Rows that are not hard are left out, too, where they only repeat of their
/// unknowns what earlier ones say. `Err` names the rows over.
pub(super) fn solve(
    work: &mut Work,
    stages: Vec<Stage>,
    by_parameters: bool,
) -> Result<(Vec<Row>, Vec<Block>), Vec<Row>> {
    let columns = Columns::new(work, |v| work.roles[v.index()] == Role::Algebraic);
    let (mut rows, mut edges, mut incidence) = (Vec::new(), Vec::new(), Vec::new());
    let mut matching = Matching::default();
    let mut over = Vec::new();
    let mut independent = Independent::new(by_parameters);
    for stage in stages {
        for row in stage.rows {
            if !stage.hard && !independent.take(work, &row, &stage.may) {
                continue;
            }
            let all = columns.incidence(work, &row);
            let number = rows.len() as u32;
            let may = |c: &u32| columns.var(*c).is_some_and(|v| stage.may.get(v.index()) == Some(&true));
            edges.push(all.iter().copied().filter(may).collect::<Vec<u32>>());
            if matching.augment(number, &edges, |_, _| true).is_ok() {
                rows.push(row);
                incidence.push(all);
            } else {
                edges.pop();
                if stage.hard {
                    over.push(row);
                }
            }
        }
    }
    if !over.is_empty() {
        return Err(over);
    }
    let open: Vec<VarId> = (0..work.vars.len())
        .map(VarId::new)
        .filter(|&v| work.roles[v.index()] == Role::Algebraic && matching.row_of(v.0).is_none())
        .collect();
    for v in open {
        work.roles[v.index()] = Role::Discrete;
    }
    let columns = Columns::new(work, |v| work.roles[v.index()] == Role::Algebraic);
    let mut graph = Incidence::new(columns.unknown.len());
    for list in &incidence {
        let list: Vec<u32> = list.iter().copied().filter(|&c| columns.unknown[c as usize]).collect();
        graph.push_row(&list);
    }
    match sort(work, &rows, &columns, &graph, &matching) {
        Some(blocks) => Ok((rows, blocks)),
        None => Err(rows),
    }
}
