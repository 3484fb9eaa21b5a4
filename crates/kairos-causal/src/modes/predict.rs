//! The equations of a region as residuals, conditions open: what a prediction of its mode is computed from.
//!
//! An ideal diode, a stop or a contact is often written with one parameter along its characteristic: `off = s < 0`,
//! `u = if off then s else 0`, `i = if off then 0 else s`. Such a condition compares a variable of the region with zero, and
//! its branches meet where it changes. All of them together are a complementarity problem, whose solution is the mode.

use super::{Region, model};
use crate::model::{Assign, Block, CausalModel, Role};
use crate::work::{Kind, Row, Work};
use kairos_expr::{BinOp, ExprId, Node, Scalar, UnOp, VarId};

/// A condition that compares.
#[derive(Clone, Copy)]
pub struct Gap {
    pub condition: usize,
    pub holds: VarId,
    pub difference: VarId,
    /// Something discrete makes it true as well: a thyristor that was not fired blocks whatever the voltage is.
    pub partly: bool,
}

/// A system that computes how far variables of a region, all of them given, are from satisfying its equations.
pub struct Residuals {
    pub model: CausalModel,
    /// The variables that the region determines.
    pub unknown: Vec<VarId>,
    /// One for each equation.
    pub rows: Vec<VarId>,
    /// For conditions that compare: the number of the condition, the variable that holds its value, and a difference that is
    /// negative where it is true.
    pub gaps: Vec<Gap>,
}

/// How a condition follows from a relation of its region: the relation's place, whether it is inverted, and whether something
/// discrete beside it makes the condition true as well.
pub(super) type Comparison = Option<(usize, bool, bool)>;

/// The relation that a discrete variable equals, among those of a region.
pub(super) fn comparison(work: &Work, condition: VarId, relations: &[usize]) -> Comparison {
    let defines =
        |row: &&Row| row.kind == Kind::Discrete && *work.store.node(row.lhs) == Node::Var(condition);
    let mut value = work.rows.iter().find(defines)?.rhs;
    let (mut inverted, mut partly) = (false, false);
    loop {
        value = match *work.store.node(value) {
            Node::Unary(UnOp::Not, inner) => {
                inverted = !inverted;
                inner
            }
            Node::Binary(BinOp::Or, a, b) if !inverted => {
                partly = true;
                let compares = |e: ExprId| matches!(*work.store.node(e), Node::Relation(r) if relations.contains(&r.index()));
                if compares(a) { a } else { b }
            }
            Node::Relation(relation) => {
                let at = relations.iter().position(|&r| r == relation.index())?;
                return Some((at, inverted, partly));
            }
            _ => return None,
        };
    }
}

impl Region {
    /// The relation of the model that a condition equals, and whether it is inverted.
    pub fn relation(&self, condition: usize) -> Option<(u32, bool)> {
        let (at, inverted, _) = self.comparisons.get(condition).copied().flatten()?;
        Some((self.relations[at], inverted))
    }

    /// `None` if no condition compares variables of the region.
    pub fn residuals(&self) -> Option<Residuals> {
        let mut work = self.extract.work.clone();
        let unknown = (0..work.vars.len()).filter(|&v| work.roles[v] == Role::Algebraic);
        let unknown: Vec<VarId> = unknown.map(VarId::new).collect();
        unknown.iter().for_each(|v| work.roles[v.index()] = Role::Input);
        let (mut rows, mut blocks) = (Vec::new(), Vec::new());
        let mut add = |work: &mut Work, name: &str, lhs: ExprId, rhs: ExprId, row: &Row| {
            let value = work.store.minus(lhs, rhs);
            let var = work.new_var(name, Scalar::Real, Role::Algebraic);
            blocks.push(Block::Assign(Assign { var, value, equation: rows.len() as u32 }));
            rows.push(Row { lhs: work.var_expr(var), rhs: value, target: Some(var), ..row.clone() });
            var
        };
        let given: Vec<Row> = work.rows.iter().filter(|row| row.kind == Kind::Continuous).cloned().collect();
        let first = given.first()?.clone();
        let residuals = given.iter().map(|row| add(&mut work, "residual", row.lhs, row.rhs, row)).collect();
        let mut gaps = Vec::new();
        for (k, comparison) in self.comparisons.iter().enumerate() {
            let Some((at, inverted, partly)) = *comparison else { continue };
            let relation = &self.extract.relations[at];
            let below = match relation.op {
                BinOp::Lt | BinOp::Le => true,
                BinOp::Gt | BinOp::Ge => false,
                _ => continue,
            };
            let (small, large) = match below != inverted {
                true => (relation.lhs, relation.rhs),
                false => (relation.rhs, relation.lhs),
            };
            let Some(holds) = self.outer.iter().position(|&v| v == self.conditions[k].var) else { continue };
            let gap = add(&mut work, "gap", small, large, &first);
            gaps.push(Gap { condition: k, holds: VarId::new(holds), difference: gap, partly });
        }
        if gaps.is_empty() {
            return None;
        }
        let parameters = self.extract.parameters.clone();
        let model = model(work, "prediction", Vec::new(), parameters, rows, blocks);
        Some(Residuals { model, unknown, rows: residuals, gaps })
    }
}
