//! The consistent restart: the equations of a mode integrated over the instant in which it is entered.
//!
//! An equation that index reduction leaves alone is integrated: of its terms those stay that contain a highest
//! derivative, whose integral is the jump of the variable below it, or an algebraic variable that may be infinite
//! during the instant, whose integral is its impulse. An equation that was differentiated is a constraint and holds
//! after the instant, with its derivatives up to the last but one. Both together have the structure of the mode's
//! highest derivatives, so they determine all jumps and impulses.

use super::instant::over_determined;
use super::levels::Levels;
use super::staged::{Stage, solve};
use crate::diagnostics;
use crate::model::{Block, Role};
use crate::work::{Kind, Row, Work};
use kairos_expr::{BinOp, ExprId, ExprMap, Node, Scalar, VarId};

/// Variables of the jump beside those of the mode itself, which hold the values after it.
#[derive(Clone, Debug, Default)]
pub struct JumpVars {
    /// A differentiated variable and its value before.
    pub before: Vec<(VarId, VarId)>,
    /// An algebraic variable and its impulse.
    pub impulses: Vec<(VarId, VarId)>,
    /// A variable that is set from outside, and to what.
    pub given: Vec<(VarId, VarId)>,
    /// A variable of the model that is a derivative: its impulse is the jump of this variable, less what this
    /// external impulse does.
    pub rates: Vec<(VarId, VarId, Option<VarId>)>,
    /// How far the values after the jump are from satisfying each constraint on what impulses do not move, as positions.
    pub violations: Vec<VarId>,
}

/// Builds and sorts the system of the jump. Variables `given` are set by explicit jumps, which take precedence.
pub(super) fn jump(
    work: &mut Work,
    levels: &Levels,
    states: &[VarId],
    given: &[VarId],
    by_parameters: bool,
) -> Option<(Vec<Row>, Vec<Block>, JumpVars)> {
    let mut vars = JumpVars::default();
    let count = work.vars.len();
    // The change of each highest derivative's integral, and whether the system has to find it.
    let mut change: Vec<Option<ExprId>> = vec![None; count];
    let mut middle: Vec<Option<ExprId>> = vec![None; count];
    let mut leading = vec![false; count];
    let mut lower = vec![false; count];
    let mut extra = Vec::new();
    let (settled, direct) = settled(work, levels);
    for chain in levels.chains.iter().filter(|chain| !settled[chain[0].index()]) {
        for v in chain {
            work.roles[v.index()] = Role::Input;
        }
        let [rest @ .., top] = chain.as_slice() else { continue };
        let Some((&below, lowest)) = rest.split_last() else {
            let impulse = new(work, *top, "impulse of ", Role::Algebraic);
            vars.impulses.push((*top, impulse));
            change[top.index()] = Some(work.var_expr(impulse));
            leading.resize(work.vars.len(), false);
            leading[impulse.index()] = true;
            continue;
        };
        work.roles[below.index()] = Role::Algebraic;
        leading[below.index()] = true;
        for v in lowest.iter().filter(|v| !states.contains(v)) {
            work.roles[v.index()] = Role::Algebraic;
            lower[v.index()] = true;
        }
        if !states.contains(&below) {
            continue;
        }
        let before = new(work, below, "before ", Role::Input);
        vars.before.push((below, before));
        let (now, then) = (work.var_expr(below), work.var_expr(before));
        let mut difference = work.store.minus(now, then);
        let mut external = None;
        if given.contains(&below) {
            let value = new(work, below, "given ", Role::Input);
            let push = new(work, below, "external impulse on ", Role::Algebraic);
            leading.resize(work.vars.len(), false);
            leading[push.index()] = true;
            vars.given.push((below, value));
            external = Some(push);
            let (push, value) = (work.var_expr(push), work.var_expr(value));
            difference = work.store.minus(difference, push);
            extra.push((below, now, value));
        }
        if top.index() < work.declared {
            vars.rates.push((*top, below, external));
        }
        change[top.index()] = Some(difference);
        let sum = work.store.plus(now, then);
        let half = work.store.real(0.5);
        middle[below.index()] = Some(work.store.times(half, sum));
    }
    leading.resize(work.vars.len(), false);
    leading.iter_mut().zip(&settled).for_each(|(leading, settled)| *leading |= settled);
    lower.resize(work.vars.len(), false);
    let mut stages = [
        Stage { rows: Vec::new(), may: leading, hard: true },
        Stage { rows: Vec::new(), may: lower, hard: false },
    ];
    for (v, lhs, rhs) in extra {
        let origin = kairos_model::Origin { span: work.vars[v.index()].span, ..crate::model::nowhere() };
        let kind = Kind::Continuous;
        stages[0].rows.push(Row::new(lhs, rhs, kind, origin));
    }
    for list in &levels.rows {
        match list.as_slice() {
            [only] if direct[*only] => stages[0].rows.push(work.rows[*only].clone()),
            [only] => {
                let row = work.rows[*only].clone();
                let row = integrate(work, row, &change, &middle)?;
                stages[0].rows.push(row);
            }
            [earlier @ .., last, _] => {
                stages[0].rows.push(work.rows[*last].clone());
                for &r in earlier {
                    let row = work.rows[r].clone();
                    let off = work.new_var("violation", Scalar::Real, Role::Algebraic);
                    let (lhs, rhs) = (work.var_expr(off), work.store.minus(row.lhs, row.rhs));
                    vars.violations.push(off);
                    let [leading, lower] = &mut stages;
                    leading.may.resize(work.vars.len(), false);
                    leading.may[off.index()] = true;
                    leading.rows.push(Row { lhs, rhs, ..row.clone() });
                    lower.rows.push(row);
                }
            }
            [] => {}
        }
    }
    match solve(work, stages.into_iter().collect(), by_parameters) {
        Ok((rows, blocks)) => Some((rows, blocks, vars)),
        Err(over) => {
            over_determined(work, &over);
            None
        }
    }
}

/// Variables that equations give from time and known values alone, one after the other, and the rows of these equations. They are
/// finite, and their values after the instant are factors of what jumps.
fn settled(work: &Work, levels: &Levels) -> (Vec<bool>, Vec<bool>) {
    let (mut settled, mut direct) = (vec![false; work.vars.len()], vec![false; work.rows.len()]);
    let mut alone = vec![false; work.vars.len()];
    levels.chains.iter().filter(|chain| chain.len() == 1).for_each(|chain| alone[chain[0].index()] = true);
    let rows = levels.rows.iter().filter(|list| list.len() == 1).map(|list| list[0]);
    let mut waiting: Vec<(usize, Vec<VarId>)> = rows
        .map(|r| {
            let mut unknown = work.store.variables(&[work.rows[r].lhs, work.rows[r].rhs]);
            unknown.retain(|v| work.roles[v.index()] == Role::Algebraic);
            (r, unknown)
        })
        .collect();
    loop {
        let found = waiting.iter().position(|(_, unknown)| {
            let mut open = unknown.iter().filter(|v| !settled[v.index()]);
            matches!((open.next(), open.next()), (Some(v), None) if alone[v.index()])
        });
        let Some(found) = found else { return (settled, direct) };
        let (row, unknown) = waiting.swap_remove(found);
        direct[row] = true;
        unknown.iter().for_each(|v| settled[v.index()] = true);
    }
}

fn new(work: &mut Work, of: VarId, prefix: &str, role: Role) -> VarId {
    let name = format!("{prefix}{}", work.vars[of.index()].name);
    let nominal = work.vars[of.index()].nominal;
    let v = work.new_var(&name, Scalar::Real, role);
    work.vars[v.index()].nominal = nominal;
    v
}

/// The sum over highest derivatives and impulsive variables of their factor times their integral. Factors that jump
/// themselves are taken in the middle, which is exact for products.
fn integrate(work: &mut Work, row: Row, change: &[Option<ExprId>], middle: &[Option<ExprId>]) -> Option<Row> {
    let residual = work.store.minus(row.lhs, row.rhs);
    let mut sum = work.store.zero();
    let mut centred = ExprMap::default();
    for v in work.store.variables(&[residual]) {
        let Some(difference) = change.get(v.index()).copied().flatten() else { continue };
        let mut memo = ExprMap::default();
        let slope =
            work.store.differentiate(residual, &mut memo, &mut |store, leaf| match *store.node(leaf) {
                Node::Var(w) if w == v => Ok(Some(store.real(1.0))),
                _ => Ok(None),
            });
        let slope = match slope {
            Ok(Some(slope)) => slope,
            Ok(None) => continue,
            Err(why) => {
                work.diagnostics.push(diagnostics::not_differentiable(row.origin.span, &why, "restart"));
                return None;
            }
        };
        let slope =
            work.store.substitute(slope, &mut centred, &mut |_, w| middle.get(w.index()).copied().flatten());
        let term = work.store.scalar_binary(BinOp::Mul, slope, difference);
        let term = work.store.simplify_node(term);
        sum = work.store.plus(sum, term);
    }
    let zero = work.store.zero();
    Some(Row { lhs: sum, rhs: zero, initial: None, ..row })
}
