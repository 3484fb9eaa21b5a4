//! Statements of algorithms and functions.

use crate::ranges::Loop;
use crate::resolve::Scope;
use crate::{Sema, diagnostics};
use kairos_base::Span;
use kairos_expr::{Builtin, ExprId, LValue, Node, Scalar, Step, Stmt, Target, VarId};
use kairos_syntax::ast::{self, ComponentRef, ExprKind, StatementKind};

impl<'a> Sema<'a> {
    pub(crate) fn statements(&mut self, scope: &mut Scope, list: &'a [ast::Statement]) -> Vec<Stmt> {
        list.iter().flat_map(|s| self.statement(scope, s)).collect()
    }

    fn statement(&mut self, scope: &mut Scope, s: &'a ast::Statement) -> Vec<Stmt> {
        let span = s.span;
        match &s.kind {
            StatementKind::Assign(target, value) => {
                self.check_input_unassigned(scope, target);
                let Some((lhs, target)) = self.target(scope, target) else { return Vec::new() };
                let value = self.expr(scope, value);
                if !self.check_assignment(lhs, value, span) {
                    return self.unresolved(span);
                }
                let to = self.store.ty(lhs).clone();
                let value = self.arranged(&to, value);
                vec![Stmt::Assign(target, value, span)]
            }
            StatementKind::AssignTuple(targets, call) => {
                let call = self.results(scope, call);
                if self.is_error(call) {
                    return self.unresolved(span);
                }
                if let Node::Builtin(f @ Builtin::SpatialDistribution, _) = self.store.node(call) {
                    self.report(diagnostics::operator_in_algorithm(f.name(), span));
                    return Vec::new();
                }
                if !self.check_results(call, targets.len(), span) {
                    return Vec::new();
                }
                let mut list = Vec::with_capacity(targets.len());
                for (k, target) in targets.iter().enumerate() {
                    let target = match target {
                        Some(ast::Expr { kind: ExprKind::Ref(r), .. }) => {
                            let Some((lhs, target)) = self.target(scope, r) else { return Vec::new() };
                            let value = self.item_of(call, k);
                            if !self.check_assignment(lhs, value, span) {
                                return Vec::new();
                            }
                            Some(target)
                        }
                        Some(other) => {
                            self.report(diagnostics::not_assignable(other.span));
                            return Vec::new();
                        }
                        None => None,
                    };
                    list.push(target);
                }
                vec![Stmt::AssignTuple(list, call, span)]
            }
            StatementKind::Call(call) => self.call_statement(scope, call, span),
            StatementKind::If { branches, otherwise } => {
                let mut list = Vec::with_capacity(branches.len());
                for (condition, body) in branches {
                    let c = self.expr(scope, condition);
                    self.want_boolean(c, condition.span);
                    let mark = self.diagnostics.len();
                    let mut body = self.statements(scope, body);
                    // What is never reached need not fit sizes for which it is not meant.
                    if self.in_function == 0 && self.diagnostics.len() > mark && self.never_holds(c) {
                        self.forget(mark);
                        body = Vec::new();
                    }
                    list.push((c, body));
                }
                vec![Stmt::If(list, self.statements(scope, otherwise))]
            }
            StatementKind::For { indices, body } => {
                self.in_loop += 1;
                let list = self.for_statement(scope, indices, body, span);
                self.in_loop -= 1;
                list
            }
            StatementKind::While(condition, body) => {
                let c = self.expr(scope, condition);
                self.want_boolean(c, condition.span);
                self.in_loop += 1;
                let body = self.statements(scope, body);
                self.in_loop -= 1;
                vec![Stmt::While(c, body, span)]
            }
            StatementKind::When { branches } => {
                if self.in_function > 0 {
                    self.report(diagnostics::when_in_function(span));
                }
                if std::mem::replace(&mut self.in_when, true) {
                    self.report(diagnostics::nested_when(span));
                }
                let mut list = Vec::with_capacity(branches.len());
                for (condition, body) in branches {
                    let c = self.expr(scope, condition);
                    self.want_when_condition(c, condition.span);
                    list.push((c, self.statements(scope, body)));
                }
                self.in_when = false;
                vec![Stmt::When(list, span)]
            }
            StatementKind::Break => {
                if self.in_loop == 0 {
                    self.report(diagnostics::break_outside(span));
                }
                vec![Stmt::Break]
            }
            StatementKind::Return => {
                if self.in_function == 0 {
                    self.report(diagnostics::return_outside(span));
                }
                vec![Stmt::Return]
            }
        }
    }

    fn never_holds(&mut self, condition: ExprId) -> bool {
        !self.is_error(condition)
            && !self.depends_on_simulation(condition)
            && matches!(self.constant(condition), Ok(kairos_expr::Value::Bool(false)))
    }

    fn for_statement(
        &mut self,
        scope: &mut Scope,
        indices: &'a [ast::ForIndex],
        body: &'a [ast::Statement],
        span: Span,
    ) -> Vec<Stmt> {
        let Some((index, rest)) = indices.split_first() else { return self.statements(scope, body) };
        self.check_shadow(scope.inst, &index.name);
        let range = self.loop_range(scope, index, Loop::Statements(body));
        if self.is_error(range) {
            return Vec::new();
        }
        if self.store.ty(range).dims.is_empty() {
            self.report(diagnostics::not_a_vector(index.name.span));
            return Vec::new();
        }
        // In a model every loop has known bounds, and its components may be addressed by the iterator: unroll it.
        if self.in_function == 0
            && !contains_break(body)
            && let Ok(values) = self.constant(range)
        {
            let mut list = Vec::new();
            for value in values.elements() {
                let literal = self.value_expr(value);
                let mut inner = scope.with_iterator(index.name.name, literal);
                list.extend(self.for_statement(&mut inner, rest, body, span));
            }
            return list;
        }
        let ty = self.store.ty(range).element();
        let iter = self.store.new_iterator(index.name.name);
        let node = self.store.add(Node::Iter(iter), ty);
        let mut inner = scope.with_iterator(index.name.name, node);
        let body = self.for_statement(&mut inner, rest, body, span);
        vec![Stmt::For(iter, range, body, span)]
    }

    fn call_statement(&mut self, scope: &mut Scope, call: &'a ast::Expr, span: Span) -> Vec<Stmt> {
        let ExprKind::Call { function, args } = &call.kind else {
            self.report(diagnostics::not_a_call(span));
            return Vec::new();
        };
        let name = if function.parts.len() == 1 { function.parts[0].name.name.as_str() } else { "" };
        match name {
            "assert" => match self.assert_args(scope, args, span) {
                Some((condition, message, warning)) => {
                    vec![Stmt::Assert { condition, message, warning, span }]
                }
                None => Vec::new(),
            },
            "terminate" => {
                let list = self.positional(scope, &args.positional);
                list.into_iter().take(1).map(|m| Stmt::Terminate(m, span)).collect()
            }
            "reinit" => {
                let list = self.positional(scope, &args.positional);
                match list.as_slice() {
                    &[x, value] => match *self.store.node(x) {
                        Node::Var(v) => vec![Stmt::Reinit(v, value, span)],
                        _ => {
                            self.report(diagnostics::not_assignable(span));
                            Vec::new()
                        }
                    },
                    _ => {
                        self.report(diagnostics::argument_count("reinit", list.len(), 2, 2, span));
                        Vec::new()
                    }
                }
            }
            _ => {
                let e = self.results(scope, call);
                if self.is_error(e) { self.unresolved(span) } else { vec![Stmt::Call(e, span)] }
            }
        }
    }

    /// What an assignment changes, also as an expression for its type.
    fn target(&mut self, scope: &mut Scope, r: &'a ComponentRef) -> Option<(ExprId, LValue)> {
        let e = {
            let expr = self.reference_for_target(scope, r);
            if self.is_error(expr) {
                return None;
            }
            expr
        };
        let mut path = Vec::new();
        let mut current = e;
        let target = loop {
            match self.store.node(current).clone() {
                Node::Local(l) => {
                    break Target::Local(l);
                }
                Node::Var(v) => {
                    let comp = crate::CompId::new(v.index());
                    if self.comp(comp).variability == crate::Variability::Constant {
                        let path = self.comp_path(comp);
                        self.report(diagnostics::constant_assigned(&path, r.span));
                        return None;
                    }
                    break Target::Var(VarId(v.0));
                }
                Node::Index(inner, subs) => {
                    path.push(Step::Index(subs));
                    current = inner;
                }
                Node::Field(inner, k) => {
                    path.push(Step::Field(k));
                    current = inner;
                }
                _ => {
                    self.report(diagnostics::not_assignable(r.span));
                    return None;
                }
            }
        };
        path.reverse();
        Some((e, LValue { target, path }))
    }

    /// Inputs keep the value they are called with (MLS 12.2).
    fn check_input_unassigned(&mut self, scope: &Scope, r: &ComponentRef) {
        let name = r.parts[0].name.name;
        let local = self.in_function > 0 && scope.locals.as_ref().is_some_and(|l| l.contains_key(&name));
        if !local || scope.iterators.iter().any(|(n, _)| *n == name) {
            return;
        }
        if let Some(&e) = self.inst(scope.inst).table.get(&name)
            && let crate::inst::Decl::Component(clause, _) = self.elem(e).decl
            && clause.type_prefix.direction == Some(ast::Direction::Input)
        {
            let place = self.elem(e).span;
            self.report(diagnostics::input_assigned(name, r.span, place));
        }
    }

    fn reference_for_target(&mut self, scope: &mut Scope, r: &'a ComponentRef) -> ExprId {
        self.reference(scope, r)
    }

    fn check_assignment(&mut self, target: ExprId, value: ExprId, span: Span) -> bool {
        let (to, from) = (self.store.ty(target).clone(), self.store.ty(value).clone());
        if from.scalar == Scalar::Error || to.scalar == Scalar::Error {
            return false;
        }
        // Sizes of flexible arrays are found out when the function runs.
        let shape = to.dims.len() == from.dims.len();
        let loose = kairos_expr::Type { scalar: to.scalar, dims: from.dims.clone() };
        let fits = if self.in_function > 0 {
            shape && self.assignable(&loose, &from)
        } else {
            self.assignable(&to, &from)
        };
        if !fits {
            let (s, t) = (self.type_text(&to), self.type_text(&from));
            self.report(diagnostics::assignment_types(&s, &t, span));
        }
        fits
    }
}

fn contains_break(list: &[ast::Statement]) -> bool {
    list.iter().any(|s| match &s.kind {
        StatementKind::Break | StatementKind::Return => true,
        StatementKind::If { branches, otherwise } => {
            branches.iter().any(|(_, b)| contains_break(b)) || contains_break(otherwise)
        }
        _ => false,
    })
}
