//! A walk over all component references in expressions, equations and statements.

use crate::ast::{
    Args, ComponentRef, Equation, EquationKind, Expr, ExprKind, ForIndex, Statement, StatementKind, Subscript,
};
use kairos_base::Name;

/// Receives references; those where `shadowed` is the name of an inner iterator are left out.
pub struct References<'t, 'v> {
    pub visit: &'v mut dyn FnMut(&'t ComponentRef),
    /// Loops over this name hide what is looked for.
    pub shadowed: Option<Name>,
}

impl<'t> References<'t, '_> {
    pub fn equations(&mut self, list: &'t [Equation]) {
        for equation in list {
            match &equation.kind {
                EquationKind::Equal(a, b) | EquationKind::Connect(a, b) => {
                    self.expr(a);
                    self.expr(b);
                }
                EquationKind::If { branches, otherwise } => {
                    for (condition, body) in branches {
                        self.expr(condition);
                        self.equations(body);
                    }
                    self.equations(otherwise);
                }
                EquationKind::When { branches } => {
                    for (condition, body) in branches {
                        self.expr(condition);
                        self.equations(body);
                    }
                }
                EquationKind::For { indices, body } => {
                    if !self.indices(indices) {
                        self.equations(body);
                    }
                }
                EquationKind::Call(call) => self.expr(call),
            }
        }
    }

    pub fn statements(&mut self, list: &'t [Statement]) {
        for statement in list {
            match &statement.kind {
                StatementKind::Assign(target, value) => {
                    self.reference(target);
                    self.expr(value);
                }
                StatementKind::AssignTuple(targets, call) => {
                    targets.iter().flatten().for_each(|e| self.expr(e));
                    self.expr(call);
                }
                StatementKind::Call(call) => self.expr(call),
                StatementKind::If { branches, otherwise } => {
                    for (condition, body) in branches {
                        self.expr(condition);
                        self.statements(body);
                    }
                    self.statements(otherwise);
                }
                StatementKind::When { branches } => {
                    for (condition, body) in branches {
                        self.expr(condition);
                        self.statements(body);
                    }
                }
                StatementKind::For { indices, body } => {
                    if !self.indices(indices) {
                        self.statements(body);
                    }
                }
                StatementKind::While(condition, body) => {
                    self.expr(condition);
                    self.statements(body);
                }
                StatementKind::Break | StatementKind::Return => {}
            }
        }
    }

    pub fn expr(&mut self, e: &'t Expr) {
        match &e.kind {
            ExprKind::Ref(r) => self.reference(r),
            ExprKind::Unary(_, a) | ExprKind::Field(a, _) => self.expr(a),
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::If { branches, otherwise } => {
                for (condition, value) in branches {
                    self.expr(condition);
                    self.expr(value);
                }
                self.expr(otherwise);
            }
            ExprKind::Range { start, step, stop } => {
                self.expr(start);
                step.iter().for_each(|e| self.expr(e));
                self.expr(stop);
            }
            ExprKind::Call { args, .. } => self.args(args),
            ExprKind::Array(items) => items.iter().for_each(|e| self.expr(e)),
            ExprKind::ArrayComprehension(body, indices) => {
                if !self.indices(indices) {
                    self.expr(body);
                }
            }
            ExprKind::Matrix(rows) => rows.iter().flatten().for_each(|e| self.expr(e)),
            ExprKind::Tuple(items) => items.iter().flatten().for_each(|e| self.expr(e)),
            ExprKind::Index(a, subs) => {
                self.expr(a);
                self.subscripts(subs);
            }
            ExprKind::Partial { args, .. } => args.iter().for_each(|a| self.expr(&a.value)),
            ExprKind::Real(_)
            | ExprKind::Integer(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::End
            | ExprKind::Error => {}
        }
    }

    fn args(&mut self, args: &'t Args) {
        if !self.indices(&args.iterators) {
            args.positional.iter().for_each(|e| self.expr(e));
            args.named.iter().for_each(|a| self.expr(&a.value));
        }
    }

    fn reference(&mut self, r: &'t ComponentRef) {
        (self.visit)(r);
        r.parts.iter().for_each(|part| self.subscripts(&part.subscripts));
    }

    fn subscripts(&mut self, subs: &'t [Subscript]) {
        for sub in subs {
            if let Subscript::Expr(e) = sub {
                self.expr(e);
            }
        }
    }

    /// Visits the ranges; true if one of the iterators hides the name looked for.
    fn indices(&mut self, indices: &'t [ForIndex]) -> bool {
        indices.iter().filter_map(|i| i.range.as_ref()).for_each(|range| self.expr(range));
        self.shadowed.is_some_and(|name| indices.iter().any(|i| i.name.name == name))
    }
}
