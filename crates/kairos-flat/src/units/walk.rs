//! The places where units must agree: declarations, equations, statements and connections.

use super::term::{Agreement, Term};
use super::{Checker, Declared, U};
use kairos_expr::{ExprId, LValue, Node, Scalar, Step, Stmt, Target};
use kairos_sema::{CompId, Connect, Eq, EqKind, What};

impl Checker<'_, '_, '_> {
    pub(super) fn declaration(&mut self, d: &Declared) {
        self.memo.clear();
        let c = self.x.sema.comp(d.comp);
        self.span = self.x.sema.binding_span(d.comp);
        if !matches!(c.what, What::Variable(Scalar::Real)) {
            d.binding.into_iter().for_each(|e| drop(self.unit(e)));
            return;
        }
        let unit = self.comp(d.comp);
        for value in [d.binding, d.start].into_iter().flatten() {
            let given = self.unit(value);
            self.agree_binding(d.comp, &unit, value, &given);
        }
    }

    pub(super) fn equation(&mut self, eq: &Eq) {
        self.memo.clear();
        self.span = eq.span;
        match &eq.kind {
            EqKind::Equal(a, b) => self.sides(*a, *b),
            EqKind::If(branches, otherwise) => {
                // A variable may mean something else in another branch.
                for (condition, _) in branches {
                    self.unit(*condition);
                }
                for list in branches.iter().map(|(_, list)| list).chain([otherwise]) {
                    let mark = self.solver.begin_tentative();
                    list.iter().for_each(|eq| self.equation(eq));
                    self.solver.end_tentative(mark);
                }
            }
            EqKind::When(branches) => {
                for (condition, list) in branches {
                    self.span = eq.span;
                    self.unit(*condition);
                    list.iter().for_each(|eq| self.equation(eq));
                }
            }
            EqKind::Algorithm(statements) => self.statements(statements),
            EqKind::Assert { condition, .. } => drop(self.unit(*condition)),
            EqKind::Reinit(a, b) => self.sides(*a, *b),
            EqKind::Call(e) => drop(self.unit(*e)),
            EqKind::Terminate(_) => {}
        }
    }

    /// The sides of an equation; arrays that are written out are compared element by element.
    fn sides(&mut self, a: ExprId, b: ExprId) {
        let store = &self.x.sema.store;
        if let (Node::Array(p), Node::Array(q)) = (store.node(a), store.node(b))
            && p.len() == q.len()
        {
            let pairs: Vec<(ExprId, ExprId)> = p.iter().copied().zip(q.iter().copied()).collect();
            pairs.into_iter().for_each(|(a, b)| self.sides(a, b));
            return;
        }
        // `0 = if closed then v else i` has one equation for each case.
        for (zero, other) in [(a, b), (b, a)] {
            if let (true, &Node::If(condition, yes, no)) =
                (self.is_literal(zero), self.x.sema.store.node(other))
            {
                self.unit(condition);
                self.sides(zero, yes);
                self.sides(zero, no);
                return;
            }
        }
        let (p, q) = (self.unit(a), self.unit(b));
        self.agree_sides((a, &p), (b, &q));
    }

    pub(super) fn statements(&mut self, list: &[Stmt]) {
        for statement in list {
            match statement {
                Stmt::Assign(target, e, span) => {
                    self.span = *span;
                    let given = self.unit(*e);
                    let unit = self.target(target);
                    self.agree_assigned(target, &unit, *e, &given);
                }
                Stmt::AssignTuple(targets, e, span) => {
                    self.span = *span;
                    let Node::Call(f, args) = self.x.sema.store.node(*e).clone() else { continue };
                    for (k, target) in targets.iter().enumerate() {
                        let Some(target) = target else { continue };
                        let given = self.call(f, &args, k);
                        let unit = self.target(target);
                        self.agree_assigned(target, &unit, *e, &given);
                    }
                }
                Stmt::Reinit(var, e, span) => {
                    self.span = *span;
                    let comp = CompId::new(var.index());
                    let (unit, given) = (self.comp(comp), self.unit(*e));
                    self.agree_binding(comp, &unit, *e, &given);
                }
                Stmt::For(_, e, _, span) | Stmt::While(e, _, span) | Stmt::Call(e, span) => {
                    self.span = *span;
                    self.unit(*e);
                }
                Stmt::If(branches, _) | Stmt::When(branches, _) => {
                    branches.iter().for_each(|(condition, _)| drop(self.unit(*condition)));
                }
                Stmt::Assert { condition, span, .. } => {
                    self.span = *span;
                    self.unit(*condition);
                }
                Stmt::Terminate(..) | Stmt::Break | Stmt::Return => {}
            }
            statement.bodies().into_iter().for_each(|body| self.statements(body));
        }
    }

    /// The unit of what an assignment changes.
    fn target(&mut self, target: &LValue) -> U {
        let (mut unit, mut comp, mut scalar) = match target.target {
            Target::Local(l) => {
                let known = self.frame.as_ref().and_then(|f| f.locals.get(l.index()).cloned());
                (known.unwrap_or(U::Unknown), None, self.local_scalar(l))
            }
            Target::Var(v) => {
                let comp = CompId::new(v.index());
                let scalar = self.x.sema.comp_type(comp).scalar;
                (self.comp(comp), Some(comp), scalar)
            }
        };
        for step in &target.path {
            let Step::Field(k) = step else { continue };
            let Scalar::Record(record) = scalar else { return U::Unknown };
            let (name, ty) = self.x.sema.store.record(record).fields[*k as usize].clone();
            scalar = ty.scalar;
            if let U::Term(_) = unit {
                continue;
            }
            comp = comp.and_then(|comp| self.x.sema.child(comp, name));
            unit = match comp {
                Some(comp) => self.comp(comp),
                None => U::Unknown,
            };
        }
        unit
    }

    pub(super) fn connection(&mut self, c: &Connect) {
        self.span = c.span;
        self.join(c, c.a.comp, c.b.comp, 0);
    }

    fn join(&mut self, c: &Connect, a: CompId, b: CompId, depth: usize) {
        let outer = |comp: CompId, me: &Self| me.x.sema.comp(comp).outer.unwrap_or(comp);
        let (a, b) = (outer(a, self), outer(b, self));
        if depth > 20 || self.x.sema.comp(a).disabled || self.x.sema.comp(b).disabled {
            return;
        }
        match (self.x.sema.comp(a).what, self.x.sema.comp(b).what) {
            (What::Variable(Scalar::Real), What::Variable(Scalar::Real)) => {
                let (U::Term(p), U::Term(q)) = (self.comp(a), self.comp(b)) else { return };
                let agreement = self.solver.unify(&p, &q, self.span);
                if agreement != Agreement::Same {
                    self.tell_connected(c, (a, &p), (b, &q), agreement);
                }
            }
            (What::Parts, What::Parts) => {
                for &part in self.x.sema.parts(a).iter() {
                    let name = self.x.sema.comp(part).name;
                    if let Some(other) = self.x.sema.child(b, name) {
                        self.join(c, part, other, depth + 1);
                    }
                }
            }
            (What::Array, What::Array) => {
                let (p, q) = (self.x.sema.comp(a).elements.clone(), self.x.sema.comp(b).elements.clone());
                p.into_iter().zip(q).for_each(|(p, q)| self.join(c, p, q, depth + 1));
            }
            _ => {}
        }
    }

    /// Compares known units and tells where they differ.
    pub(super) fn compare(&mut self, a: &U, b: &U) -> Option<Agreement> {
        let solid = |unit: &U| match unit {
            U::Term(term) => Some(term.clone()),
            U::Time => Some(Term::second()),
            _ => None,
        };
        let agreement = match (a, b) {
            (U::Time, U::Time) => return None,
            _ => self.solver.unify(&solid(a)?, &solid(b)?, self.span),
        };
        (agreement != Agreement::Same).then_some(agreement)
    }
}
