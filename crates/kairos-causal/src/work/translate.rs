//! Equations of the scalar model as rows: what is discrete, what acts, and what holds at the start.

use super::{Kind, Row, Work};
use crate::algorithm::{self, Refusal};
use crate::diagnostics;
use crate::model::Role;
use kairos_base::Span;
use kairos_expr::{ExprId, Node, Scalar, VarId};
use kairos_model::{Action, Equation, EquationKind, GuardedAction, Origin};
use std::collections::BTreeMap;

impl Work {
    /// What is assigned in a when-clause changes at events only.
    pub(super) fn mark_discrete(&mut self, equations: &[Equation]) {
        let mut owner: BTreeMap<VarId, Span> = BTreeMap::new();
        let clocked = (0..self.vars.len()).filter(|&v| self.vars[v].clock.is_some());
        self.assigned.extend(clocked.map(VarId::new));
        for equation in equations {
            let mark = |work: &mut Work, v: VarId| {
                if work.roles[v.index()] == Role::Algebraic {
                    work.roles[v.index()] = Role::Discrete;
                }
            };
            match &equation.kind {
                EquationKind::WhenAssign { var, .. } => {
                    mark(self, *var);
                    self.assigned.insert(*var);
                    if let Some(first) = owner.insert(*var, equation.origin.span) {
                        let name = self.vars[var.index()].name.clone();
                        self.diagnostics.push(diagnostics::when_conflict(&name, first, equation.origin.span));
                    }
                }
                EquationKind::WhenDo(branches) => {
                    let actions = branches.iter().flat_map(|(_, actions)| actions);
                    self.reinit.extend(actions.filter_map(|a| match &a.action {
                        Action::Reinit(v, _) => Some(*v),
                        _ => None,
                    }));
                }
                EquationKind::Algorithm { statements, outputs } => {
                    self.assigned.extend(outputs);
                    let mut targets = Vec::new();
                    when_targets(statements, false, &mut targets, &mut self.reinit);
                    targets.into_iter().for_each(|v| mark(self, v));
                }
                _ => {}
            }
        }
    }

    pub(super) fn equation(&mut self, equation: &Equation) {
        let origin = equation.origin;
        if let Some(clock) = equation.clock {
            self.clocked(equation, clock);
            return;
        }
        match &equation.kind {
            EquationKind::Equal(l, r) => {
                let lhs = self.lower(*l, true);
                let rhs = self.lower(*r, true);
                self.equal(lhs, rhs, origin);
            }
            EquationKind::WhenAssign { var, branches } => {
                let conditions: Vec<Vec<ExprId>> = branches.iter().map(|(c, _)| c.clone()).collect();
                let fires = self.fire_flags(&conditions, origin);
                let mut value = self.pre_expr(*var);
                for ((_, e), &fire) in branches.iter().zip(&fires).rev() {
                    let e = self.lower(*e, false);
                    let fire = self.var_expr(fire);
                    value = self.store.choose(fire, e, value);
                }
                self.assign(*var, value, origin);
            }
            EquationKind::WhenDo(branches) => {
                let conditions: Vec<Vec<ExprId>> = branches.iter().map(|(c, _)| c.clone()).collect();
                let fires = self.fire_flags(&conditions, origin);
                let at_start = conditions.iter().position(|c| c.iter().any(|&c| self.is_initial(c)));
                self.reinit_at_start(at_start.map_or(&[][..], |k| &branches[k].1), origin);
                self.act_when(&fires, branches, origin);
            }
            EquationKind::Algorithm { statements, outputs } => {
                match algorithm::execute(self, statements, outputs, origin, false) {
                    Ok(done) => {
                        for (v, value) in done.values {
                            let value = self.lower(value, true);
                            match self.is_discrete(v) {
                                true => self.assign(v, value, origin),
                                false => {
                                    let lhs = self.var_expr(v);
                                    self.equal(lhs, value, origin);
                                }
                            }
                        }
                    }
                    Err(refusal) => self.refuse(refusal),
                }
            }
            EquationKind::Assert { condition, message, warning } => {
                self.assert(*condition, *message, *warning, origin);
            }
            EquationKind::Call(e) => self.call(*e, origin),
        }
    }

    fn is_initial(&mut self, condition: ExprId) -> bool {
        let condition = self.lower(condition, true);
        matches!(*self.store.node(condition), Node::Var(v) if v == self.initial_flag)
    }

    /// MLS 8.6: a `reinit(x, e)` that acts at the start is the initial equation `x = e`. Of several behind conditions that
    /// one counts whose condition holds.
    fn reinit_at_start(&mut self, actions: &[GuardedAction], origin: Origin) {
        let mut values: Vec<(VarId, ExprId)> = Vec::new();
        for GuardedAction { guard, action, .. } in actions {
            let Action::Reinit(v, value) = action else { continue };
            let value = self.lower(*value, false);
            let known = values.iter().position(|(known, _)| known == v);
            let otherwise = known.map_or_else(|| self.pre_expr(*v), |at| values[at].1);
            let value = match guard {
                Some(guard) => {
                    let guard = self.lower(*guard, false);
                    self.store.choose(guard, value, otherwise)
                }
                None => value,
            };
            match known {
                Some(at) => values[at].1 = value,
                None => values.push((*v, value)),
            }
        }
        for (v, value) in values {
            // Behind a condition that does not hold nothing is set.
            if value != self.pre_expr(v) {
                let lhs = self.var_expr(v);
                self.initial_rows.push(Row::new(lhs, value, Kind::Continuous, origin));
            }
        }
    }

    pub(crate) fn refuse(&mut self, refusal: Refusal) {
        self.diagnostics.push(match refusal {
            Refusal::Loop(span) => diagnostics::loop_in_algorithm(span),
            Refusal::Target(span) => diagnostics::target_in_algorithm(span),
        });
    }

    fn equal(&mut self, lhs: ExprId, rhs: ExprId, origin: Origin) {
        let lone = |work: &Work, e: ExprId| match *work.store.node(e) {
            Node::Var(v) => {
                let free = work.is_discrete(v) && !work.assigned.contains(&v);
                (free && work.vars[v.index()].ty == Scalar::Real).then_some(v)
            }
            _ => None,
        };
        let mut row = Row::new(lhs, rhs, Kind::Continuous, origin);
        let (left, right) = (self.store.ty(lhs).scalar, self.store.ty(rhs).scalar);
        let logical = |s: Scalar| s.is_discrete() && s != Scalar::Int;
        if logical(left) || logical(right) || left.is_discrete() && right.is_discrete() {
            row.kind = Kind::Discrete;
        } else if let Some(v) = lone(self, lhs).or(lone(self, rhs)) {
            if lone(self, lhs).is_none() {
                (row.lhs, row.rhs) = (rhs, lhs);
            }
            row.kind = Kind::Discrete;
            row.target = Some(v);
        }
        self.rows.push(row);
    }

    pub(super) fn initial_equation(&mut self, equation: &Equation) {
        let origin = equation.origin;
        let push = |work: &mut Work, lhs, rhs| {
            // The zero of `0 = x - y` is an Integer, the equation is not.
            let real = [lhs, rhs].iter().any(|&e| !work.store.ty(e).scalar.is_discrete());
            let kind = if real { Kind::Continuous } else { Kind::Discrete };
            work.initial_rows.push(Row::new(lhs, rhs, kind, origin));
        };
        match &equation.kind {
            EquationKind::Equal(l, r) => {
                let lhs = self.lower(*l, false);
                let rhs = self.lower(*r, false);
                push(self, lhs, rhs);
            }
            EquationKind::Algorithm { statements, outputs } => {
                match algorithm::execute(self, statements, outputs, origin, true) {
                    Ok(done) => {
                        for (v, value) in done.values {
                            let value = self.lower(value, false);
                            let lhs = self.var_expr(v);
                            push(self, lhs, value);
                        }
                    }
                    Err(refusal) => self.refuse(refusal),
                }
            }
            EquationKind::Assert { condition, message, warning } => {
                let (condition, message, warning) = (*condition, *message, *warning);
                self.act_at_start(Action::Assert { condition, message, warning }, origin);
            }
            EquationKind::Call(e) => self.act_at_start(Action::Call(*e), origin),
            _ => {}
        }
    }
}

fn when_targets(
    statements: &[kairos_expr::Stmt],
    inside: bool,
    targets: &mut Vec<VarId>,
    reinit: &mut Vec<VarId>,
) {
    use kairos_expr::{Stmt, Target};
    let note = |lvalue: &kairos_expr::LValue| match lvalue.target {
        Target::Var(v) if inside => Some(v),
        _ => None,
    };
    for statement in statements {
        match statement {
            Stmt::Assign(lvalue, ..) => targets.extend(note(lvalue)),
            Stmt::AssignTuple(lvalues, ..) => targets.extend(lvalues.iter().flatten().filter_map(note)),
            Stmt::Reinit(v, ..) => reinit.push(*v),
            _ => {
                let inside = inside || matches!(statement, Stmt::When(..));
                statement.bodies().into_iter().for_each(|body| when_targets(body, inside, targets, reinit));
            }
        }
    }
}
