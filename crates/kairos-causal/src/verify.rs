//! Residuals of the equations as they were before sorting, computed beside the solution so that a run can check itself.
//!
//! Sorting solves, differentiates and replaces equations; a mode has others again. What came of it is put into the equations
//! as the model has them, aliases and constant factors aside: `lhs - rhs` of each is a variable that nothing reads.

use crate::model::{Assign, Block, Role};
use crate::work::{Kind, Row, Work};
use kairos_expr::{Scalar, VarId};

/// The continuous equations, before anything is made of them.
pub(crate) fn given(work: &Work) -> Vec<Row> {
    work.rows.iter().filter(|row| row.kind == Kind::Continuous && row.initial.is_none()).cloned().collect()
}

/// Adds the residuals of these equations behind all that is sorted; gives their variables, whose names are the equations.
pub(crate) fn add(work: &mut Work, given: Vec<Row>, blocks: &mut Vec<Block>) -> Vec<VarId> {
    let mut residuals = Vec::new();
    for row in given {
        let text = work.row_text(&row);
        let value = work.store.minus(row.lhs, row.rhs);
        let var = work.new_var(&text, Scalar::Real, Role::Algebraic);
        let equation = work.rows.len() as u32;
        blocks.push(Block::Assign(Assign { var, value, equation }));
        let lhs = work.var_expr(var);
        work.rows.push(Row { lhs, rhs: value, target: Some(var), ..row });
        residuals.push(var);
    }
    residuals
}
