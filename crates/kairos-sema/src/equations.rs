//! The walk over an instance that collects its equations, algorithms and connections.

mod conditions;
mod connects;

use crate::comps::What;
use crate::ranges::Loop;
use crate::resolve::Scope;
use crate::{CompId, InstId, Sema, diagnostics};
use kairos_base::Span;
use kairos_expr::{ExprId, Node, Scalar, Stmt};
use kairos_syntax::ast::{self, ClassBody, EquationKind, ExprKind};

/// An equation with the instance it belongs to.
#[derive(Clone, Debug)]
pub struct Eq {
    pub kind: EqKind,
    pub span: Span,
    pub owner: CompId,
}

#[derive(Clone, Debug)]
pub enum EqKind {
    Equal(ExprId, ExprId),
    If(Vec<(ExprId, Vec<Eq>)>, Vec<Eq>),
    When(Vec<(ExprId, Vec<Eq>)>),
    Algorithm(Vec<Stmt>),
    Assert { condition: ExprId, message: ExprId, level: ExprId },
    Terminate(ExprId),
    Reinit(ExprId, ExprId),
    Call(ExprId),
}

/// One side of a connection: a connector, or an element of a connector that is an array of variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Endpoint {
    pub comp: CompId,
    /// Row-major position, for an element of an array variable.
    pub element: Option<u32>,
}

/// `connect(a, b)` between single connectors, seen from `owner`.
#[derive(Clone, Debug)]
pub struct Connect {
    pub a: Endpoint,
    pub b: Endpoint,
    /// Is the connector one of the owner itself, rather than of a part?
    pub a_outside: bool,
    pub b_outside: bool,
    pub owner: CompId,
    pub span: Span,
}

/// `Connections.branch`, `root`, `uniqueRoot` and `potentialRoot` (MLS 9.4).
#[derive(Clone, Debug)]
pub enum GraphFact {
    Branch(CompId, CompId),
    Root(CompId),
    /// A definite root that no connection may join to the tree of another one.
    UniqueRoot(CompId),
    PotentialRoot(CompId, i64),
}

/// An if-equation that has to wait until all connections are known.
pub(crate) struct Deferred<'a> {
    equation: &'a ast::Equation,
    scope: Scope,
    owner: CompId,
    initial: bool,
}

impl<'a> Sema<'a> {
    /// Collects everything below a component.
    pub(crate) fn walk(&mut self, comp: CompId) {
        let c = self.comp(comp);
        if c.disabled || c.outer.is_some() {
            return;
        }
        match c.what {
            What::Array => {
                for element in self.comp(comp).elements.clone() {
                    self.walk(element);
                }
            }
            What::Parts => {
                let Some(class) = self.comp(comp).class else { return };
                // Parts deep inside may ask for an inner one that is missing, which is added at the end of the list.
                let mut next = 0;
                while let Some(&part) = self.parts(comp).get(next) {
                    self.walk(part);
                    next += 1;
                }
                self.check_block(comp, class);
                self.sections(class, comp);
            }
            What::Variable(_) => self.check_binding(comp),
            What::Package | What::Broken => {}
        }
    }

    /// The sections of a class, inherited ones first.
    fn sections(&mut self, inst: InstId, owner: CompId) {
        for base in self.inst(inst).bases.clone() {
            self.sections(base, owner);
        }
        let Some(ast::Class { body: ClassBody::Long(body), .. }) = self.inst(inst).class else { return };
        let scope = Scope::new(inst);
        for section in &body.equations {
            self.broken_connects = self.inst(inst).broken.clone();
            let list = self.equations(&scope, &section.equations, owner, section.initial);
            let into = if section.initial { &mut self.initial_equations } else { &mut self.equations };
            into.extend(list);
        }
        for section in &body.algorithms {
            self.in_section = true;
            let statements = self.statements(&mut scope.clone(), &section.statements);
            self.in_section = false;
            if statements.is_empty() {
                continue;
            }
            let eq = Eq { kind: EqKind::Algorithm(statements), span: section.span, owner };
            let into = if section.initial { &mut self.initial_equations } else { &mut self.equations };
            into.push(eq);
        }
    }

    /// Resolves the equations that had to wait for the connection graph.
    pub(crate) fn resolve_deferred(&mut self) {
        for d in std::mem::take(&mut self.deferred) {
            self.final_conditions = true;
            let list = self.equation(&d.scope, d.equation, d.owner, d.initial);
            let into = if d.initial { &mut self.initial_equations } else { &mut self.equations };
            into.extend(list);
        }
    }

    fn equations(
        &mut self,
        scope: &Scope,
        list: &'a [ast::Equation],
        owner: CompId,
        initial: bool,
    ) -> Vec<Eq> {
        list.iter().flat_map(|e| self.equation(scope, e, owner, initial)).collect()
    }

    fn equation(&mut self, scope: &Scope, e: &'a ast::Equation, owner: CompId, initial: bool) -> Vec<Eq> {
        let mut at = scope.clone();
        let one = |kind| vec![Eq { kind, span: e.span, owner }];
        match &e.kind {
            EquationKind::Equal(lhs, rhs) => self.equal(&mut at, lhs, rhs, e.span, owner),
            EquationKind::For { indices, body } => self.for_equation(&at, indices, body, owner, initial),
            EquationKind::If { branches, otherwise } => {
                self.if_equation(&at, e, branches, otherwise, owner, initial)
            }
            EquationKind::When { branches } => {
                let mut list = Vec::with_capacity(branches.len());
                for (condition, body) in branches {
                    self.forbid_connections(body, "a when-equation");
                    self.forbid_parts_of_models(scope, body);
                    let c = self.expr(&mut at, condition);
                    if self.store.ty(c).scalar != Scalar::Clock {
                        self.want_when_condition(c, condition.span);
                    }
                    list.push((c, self.equations(&at, body, owner, initial)));
                }
                if initial {
                    self.report(diagnostics::when_in_initial(e.span));
                }
                one(EqKind::When(list))
            }
            EquationKind::Connect(a, b) => {
                self.connect(&mut at, a, b, e.span, owner);
                Vec::new()
            }
            EquationKind::Call(call) => self.call_equation(&mut at, call, e.span, owner),
        }
    }

    /// A model or block determines its variables itself: a when-equation around it may not (MLS chapter 4, discrete-time variables).
    fn forbid_parts_of_models(&mut self, scope: &Scope, list: &'a [ast::Equation]) {
        for e in list {
            match &e.kind {
                EquationKind::Equal(lhs, _) => match &lhs.kind {
                    ExprKind::Ref(r) => self.forbid_part_of_model(scope, r),
                    ExprKind::Tuple(items) => items.iter().flatten().for_each(|item| {
                        if let ExprKind::Ref(r) = &item.kind {
                            self.forbid_part_of_model(scope, r);
                        }
                    }),
                    _ => {}
                },
                EquationKind::If { branches, otherwise } => {
                    branches.iter().for_each(|(_, body)| self.forbid_parts_of_models(scope, body));
                    self.forbid_parts_of_models(scope, otherwise);
                }
                EquationKind::For { body, .. } => self.forbid_parts_of_models(scope, body),
                EquationKind::When { .. } | EquationKind::Connect(..) | EquationKind::Call(_) => {}
            }
        }
    }

    fn forbid_part_of_model(&mut self, scope: &Scope, r: &ast::ComponentRef) {
        let Some(mut comp) = self.inst(scope.inst).comp.filter(|_| !r.global) else { return };
        for part in r.parts.split_last().map_or(&[][..], |(_, before)| before) {
            let Some(next) = self.child(comp, part.name.name) else { return };
            comp = next;
            let class = self.comp(comp).class.filter(|_| self.comp(comp).outer.is_none());
            let Some(class) = class else { return };
            if matches!(self.inst(class).kind, ast::ClassKind::Model | ast::ClassKind::Block) {
                let path = self.inst_path(class);
                self.report(diagnostics::when_in_part(part.name.name, &path, r.span));
                return;
            }
        }
    }

    fn equal(
        &mut self,
        scope: &mut Scope,
        lhs: &'a ast::Expr,
        rhs: &'a ast::Expr,
        span: Span,
        owner: CompId,
    ) -> Vec<Eq> {
        if let ExprKind::Tuple(items) = &lhs.kind
            && !matches!(items.as_slice(), [Some(_)])
        {
            let call = self.results(scope, rhs);
            if self.is_error(call) {
                return self.unresolved(span);
            }
            if !self.check_results(call, items.len(), span) {
                return Vec::new();
            }
            let mut list = Vec::new();
            for (k, item) in items.iter().enumerate() {
                let Some(item) = item else { continue };
                let target = self.expr(scope, item);
                let value = self.item_of(call, k);
                if !self.check_equal(target, value, span) {
                    return self.unresolved(span);
                }
                list.push(Eq { kind: EqKind::Equal(target, value), span, owner });
            }
            return list;
        }
        let a = self.expr(scope, lhs);
        let b = self.expr(scope, rhs);
        if !self.check_equal(a, b, span) {
            if self.diagnostics.is_empty() {
                self.report(diagnostics::not_a_value(span));
            }
            return self.unresolved(span);
        }
        let (x, y) = (self.store.ty(a).clone(), self.store.ty(b).clone());
        let (a, b) = match self.assignable(&x, &y) {
            true => (a, self.arranged(&x, b)),
            false => (self.arranged(&y, a), b),
        };
        vec![Eq { kind: EqKind::Equal(a, b), span, owner }]
    }

    fn check_equal(&mut self, a: ExprId, b: ExprId, span: Span) -> bool {
        let (x, y) = (self.store.ty(a).clone(), self.store.ty(b).clone());
        if x.scalar == Scalar::Error || y.scalar == Scalar::Error {
            return false;
        }
        let fits = self.assignable(&x, &y) || self.assignable(&y, &x);
        if !fits {
            let (s, t) = (self.type_text(&x), self.type_text(&y));
            self.report(diagnostics::equation_types(&s, &t, span));
        }
        fits
    }

    fn for_equation(
        &mut self,
        scope: &Scope,
        indices: &'a [ast::ForIndex],
        body: &'a [ast::Equation],
        owner: CompId,
        initial: bool,
    ) -> Vec<Eq> {
        let Some((index, rest)) = indices.split_first() else {
            return self.equations(scope, body, owner, initial);
        };
        self.check_shadow(scope.inst, &index.name);
        let e = self.loop_range(&mut scope.clone(), index, Loop::Equations(body));
        let place = index.range.as_ref().map_or(index.name.span, |range| range.span);
        if self.is_error(e) {
            return self.unresolved(place);
        }
        if self.store.ty(e).dims.is_empty() {
            self.report(diagnostics::not_a_vector(place));
            return Vec::new();
        }
        let values = match self.constant(e) {
            Ok(values) => values,
            Err(stop) => {
                self.report_stop(stop, place, "the range of a for-equation");
                return Vec::new();
            }
        };
        let mut list = Vec::new();
        for value in values.elements() {
            let literal = self.value_expr(value);
            let inner = scope.with_iterator(index.name.name, literal);
            list.extend(self.for_equation(&inner, rest, body, owner, initial));
        }
        list
    }

    fn call_equation(
        &mut self,
        scope: &mut Scope,
        call: &'a ast::Expr,
        span: Span,
        owner: CompId,
    ) -> Vec<Eq> {
        let ExprKind::Call { function, args } = &call.kind else {
            self.report(diagnostics::not_a_call(span));
            return Vec::new();
        };
        let dotted: Vec<&str> = function.parts.iter().map(|p| p.name.name.as_str()).collect();
        let one = |kind| vec![Eq { kind, span, owner }];
        match dotted.join(".").as_str() {
            "assert" => match self.assert_args(scope, args, span) {
                Some((condition, message, level)) => one(EqKind::Assert { condition, message, level }),
                None => Vec::new(),
            },
            "terminate" => match self.positional(scope, &args.positional).as_slice() {
                [message] => one(EqKind::Terminate(*message)),
                list => {
                    self.report(diagnostics::argument_count("terminate", list.len(), 1, 1, span));
                    Vec::new()
                }
            },
            "reinit" => match self.positional(scope, &args.positional).as_slice() {
                &[x, value] => {
                    if !self.check_equal(x, value, span) {
                        return Vec::new();
                    }
                    self.check_reinit(x, span);
                    one(EqKind::Reinit(x, value))
                }
                list => {
                    self.report(diagnostics::argument_count("reinit", list.len(), 2, 2, span));
                    Vec::new()
                }
            },
            "Connections.branch"
            | "Connections.root"
            | "Connections.uniqueRoot"
            | "Connections.potentialRoot" => {
                self.graph_call(scope, dotted[1], args, span);
                Vec::new()
            }
            "transition" => {
                self.transition(scope, args, span);
                Vec::new()
            }
            "initialState" => {
                self.initial_state(scope, args, span);
                Vec::new()
            }
            _ => {
                let e = self.results(scope, call);
                if self.is_error(e) { self.unresolved(span) } else { one(EqKind::Call(e)) }
            }
        }
    }

    pub(crate) fn assert_args(
        &mut self,
        scope: &mut Scope,
        args: &'a ast::Args,
        span: Span,
    ) -> Option<(ExprId, ExprId, ExprId)> {
        let named = |n: &str| args.named.iter().find(|a| a.name.name == *n).map(|a| &a.value);
        let condition = args.positional.first().or_else(|| named("condition"));
        let message = args.positional.get(1).or_else(|| named("message"));
        let level = args.positional.get(2).or_else(|| named("level"));
        let (Some(condition), Some(message)) = (condition, message) else {
            self.report(diagnostics::argument_count("assert", args.positional.len(), 2, 3, span));
            return None;
        };
        let c = self.expr(scope, condition);
        self.want_boolean(c, condition.span);
        let m = self.expr(scope, message);
        let level = match level {
            Some(e) => {
                let e = self.expr(scope, e);
                let warning = self.store.literal(self.assertion_level, 1);
                let ty = kairos_expr::Type::scalar(Scalar::Bool);
                self.store.add(Node::Binary(kairos_expr::BinOp::Eq, e, warning), ty)
            }
            None => self.store.bool(false),
        };
        let wrong = self.is_error(c) || self.is_error(m);
        if wrong {
            self.unresolved::<()>(span);
        }
        (!wrong).then_some((c, m, level))
    }
}
