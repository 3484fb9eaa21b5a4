//! A mode at an instant: all its variables for given values of what is differentiated, constraints or not.

use super::levels::Levels;
use super::staged::{Stage, solve};
use crate::diagnostics;
use crate::model::{Block, Role};
use crate::work::{Row, Work};
use kairos_expr::VarId;

/// Sorts the most differentiated equations for the highest derivatives. Variables of lower order that are no states
/// follow from the equations themselves, from those without conditions first: those hold on both sides of a switch.
/// What is left over are the constraints that the states as they stand may violate.
pub(super) fn instant(
    work: &mut Work,
    levels: &Levels,
    states: &[VarId],
    conditional: &[bool],
    by_parameters: bool,
) -> Option<(Vec<Row>, Vec<Block>)> {
    for &x in states {
        work.roles[x.index()] = Role::Input;
    }
    let tops = levels.tops(work.vars.len());
    let lower: Vec<bool> = tops.iter().map(|top| !top).collect();
    let mut stages = [(&tops, true), (&lower, false), (&lower, false)].map(|(may, hard)| Stage {
        rows: Vec::new(),
        may: may.clone(),
        hard,
    });
    for (i, list) in levels.rows.iter().enumerate() {
        let Some((&last, earlier)) = list.split_last() else { continue };
        stages[0].rows.push(work.rows[last].clone());
        let stage = if conditional[i] { 2 } else { 1 };
        stages[stage].rows.extend(earlier.iter().map(|&r| work.rows[r].clone()));
    }
    match solve(work, stages.into_iter().collect(), by_parameters) {
        Ok(done) => Some(done),
        Err(over) => {
            over_determined(work, &over);
            None
        }
    }
}

/// Says which equations are too many.
pub(super) fn over_determined(work: &mut Work, rows: &[Row]) {
    let part = diagnostics::Imbalance::of(work, rows.iter(), std::iter::empty());
    work.diagnostics.push(diagnostics::over_determined(&part));
}
