//! Expressions of the source to typed expressions.

use crate::comps::Variability;
use crate::inst::Basic;
use crate::lookup::Found;
use crate::{CompId, InstId, Sema, diagnostics};
use kairos_base::hash::HashMap;
use kairos_base::{Name, Span};
use kairos_expr::{BinOp, Builtin, Dim, ExprId, LocalId, Node, Scalar, Type, TypeId, UnOp, Value};
use kairos_syntax::ast::{BinaryOp, ComponentRef, Expr, ExprKind, UnaryOp};
use std::rc::Rc;

/// Where an expression stands.
#[derive(Clone)]
pub struct Scope {
    pub inst: InstId,
    /// Iterators, innermost last: symbolic or already a literal.
    pub iterators: Vec<(Name, ExprId)>,
    /// The locals of the function being resolved.
    pub locals: Option<Rc<HashMap<Name, (LocalId, TypeId)>>>,
    /// What `end` means in the subscripts being resolved.
    pub(crate) ends: Vec<ExprId>,
}

impl Scope {
    pub fn new(inst: InstId) -> Self {
        Self { inst, iterators: Vec::new(), locals: None, ends: Vec::new() }
    }

    pub fn with_iterator(&self, name: Name, value: ExprId) -> Scope {
        let mut inner = self.clone();
        inner.iterators.push((name, value));
        inner
    }
}

impl<'a> Sema<'a> {
    pub(crate) fn error_expr(&mut self) -> ExprId {
        self.store.add(Node::Real(kairos_expr::F64::new(f64::NAN)), Type::scalar(Scalar::Error))
    }

    pub(crate) fn is_error(&self, e: ExprId) -> bool {
        self.store.ty(e).scalar == Scalar::Error
    }

    /// Resolves and types an expression; mistakes are reported and give an expression of type `Error`.
    pub fn expr(&mut self, scope: &mut Scope, e: &'a Expr) -> ExprId {
        let value = self.results(scope, e);
        // Of several results the first is meant (MLS 12.4.3).
        let several = match self.store.node(value) {
            Node::Call(f, _) => self.store.function(*f).outputs.len() > 1,
            _ => self.store.ty(value).scalar == Scalar::Tuple,
        };
        if several { self.item_of(value, 0) } else { value }
    }

    /// The same, with all results of a call that has several.
    pub(crate) fn results(&mut self, scope: &mut Scope, e: &'a Expr) -> ExprId {
        match &e.kind {
            ExprKind::Real(x) => self.store.real(*x),
            ExprKind::Integer(i) => self.store.int(*i),
            ExprKind::String(s) => self.store.str(s),
            ExprKind::Bool(b) => self.store.bool(*b),
            ExprKind::Ref(r) => self.reference(scope, r),
            ExprKind::Unary(op, a) => {
                let x = self.expr(scope, a);
                self.unary(*op, x, e.span)
            }
            ExprKind::Binary(op, a, b) => {
                let x = self.expr(scope, a);
                let y = self.expr(scope, b);
                self.binary(binary_op(*op), x, y, e.span)
            }
            ExprKind::If { branches, otherwise } => self.if_expr(scope, branches, otherwise, e.span),
            ExprKind::Range { start, step, stop } => {
                let a = self.expr(scope, start);
                let s = step.as_ref().map(|s| self.expr(scope, s));
                let b = self.expr(scope, stop);
                self.range(a, s, b, e.span)
            }
            ExprKind::Call { function, args } => self.call(scope, function, args, e.span),
            ExprKind::Array(items) => {
                let items: Vec<ExprId> = items.iter().map(|i| self.expr(scope, i)).collect();
                self.array(items, e.span)
            }
            // MLS 10.4.1.2: `{e for i in a, j in b}` is `{{e for i in a} for j in b}`.
            ExprKind::ArrayComprehension(body, indices) => {
                let (mut inner, iters) = self.iterators(scope, indices.iter().rev(), body);
                let body = self.expr(&mut inner, body);
                self.comprehension(body, iters)
            }
            ExprKind::Matrix(rows) => self.matrix(scope, rows, e.span),
            ExprKind::Tuple(items) => match items.as_slice() {
                [Some(one)] => self.expr(scope, one),
                _ => {
                    self.report(diagnostics::tuple_here(e.span));
                    self.error_expr()
                }
            },
            ExprKind::Index(a, subs) => {
                let x = self.expr(scope, a);
                self.indexed(scope, x, subs, e.span)
            }
            ExprKind::Field(a, name) => {
                let x = self.expr(scope, a);
                self.named_field(x, name)
            }
            ExprKind::End => match scope.ends.last() {
                Some(end) => *end,
                None => {
                    self.report(diagnostics::end_outside(e.span));
                    self.error_expr()
                }
            },
            ExprKind::Partial { function, args } => self.partial(scope, function, args, e.span),
            ExprKind::Error => self.error_expr(),
        }
    }

    fn if_expr(
        &mut self,
        scope: &mut Scope,
        branches: &'a [(Expr, Expr)],
        otherwise: &'a Expr,
        span: Span,
    ) -> ExprId {
        let mut chain = Vec::with_capacity(branches.len());
        for (condition, value) in branches {
            let c = self.expr(scope, condition);
            self.want_boolean(c, condition.span);
            if !self.store.ty(c).dims.is_empty() {
                return self.error_expr();
            }
            // A condition that is fixed at translation leaves only one branch, which may differ in size.
            if scope.locals.is_none()
                && let Some(Value::Bool(b)) = self.settled_condition(c)
            {
                if b {
                    let last = self.expr(scope, value);
                    return self.chain(chain, last, span);
                }
                continue;
            }
            let mark = self.diagnostics.len();
            let v = self.expr(scope, value);
            match self.is_error(v).then(|| self.known_choice(c)).flatten() {
                Some(false) => self.forget(mark),
                Some(true) => return self.chain(chain, v, span),
                None => chain.push((c, v)),
            }
        }
        let mark = self.diagnostics.len();
        let last = self.expr(scope, otherwise);
        if self.is_error(last)
            && let Some(taken) = chain.iter().position(|(c, _)| self.known_choice(*c) == Some(true))
        {
            self.forget(mark);
            let last = chain[taken].1;
            chain.truncate(taken);
            return self.chain(chain, last, span);
        }
        self.chain(chain, last, span)
    }

    /// What a condition of parameters is, for a branch that means nothing where it is excluded.
    fn known_choice(&mut self, c: ExprId) -> Option<bool> {
        if self.in_function > 0 || self.is_error(c) || self.depends_on_simulation(c) {
            return None;
        }
        match self.constant(c) {
            Ok(Value::Bool(b)) => Some(b),
            _ => None,
        }
    }

    /// The value of a condition over constants, literals and final structural parameters only.
    pub(crate) fn settled_condition(&mut self, c: ExprId) -> Option<Value> {
        self.is_settled(c).then(|| self.constant(c).ok()).flatten()
    }

    fn is_settled(&mut self, e: ExprId) -> bool {
        let mut todo = vec![e];
        let mut seen = kairos_base::hash::HashSet::default();
        while let Some(e) = todo.pop() {
            if !seen.insert(e) {
                continue;
            }
            match self.store.node(e) {
                Node::Var(v) => {
                    let id = CompId::new(v.index());
                    let comp = self.comp(id);
                    let comp = comp.outer.map_or(comp, |o| self.comp(o));
                    let fixed = comp.variability == Variability::Constant
                        || (comp.variability == Variability::Parameter
                            && (comp.evaluate || comp.structural || comp.is_final));
                    if !fixed {
                        return false;
                    }
                    if comp.variability == Variability::Parameter
                        && comp.is_final
                        && !comp.evaluate
                        && !comp.structural
                    {
                        // Final parameters may still depend on ones that a run can change.
                        match self.binding(id) {
                            Some(b) => todo.push(b),
                            None => return false,
                        }
                    }
                }
                Node::Time | Node::Local(_) | Node::Iter(_) | Node::Relation(_) => return false,
                // Sizes are fixed, whatever the elements are.
                Node::Builtin(Builtin::Size, args) if self.has_known_size(args[0]) => {
                    todo.extend(args.get(1))
                }
                Node::Builtin(Builtin::Cardinality | Builtin::IsRoot | Builtin::Rooted, _)
                    if self.forest.is_resolved() => {}
                Node::Builtin(
                    Builtin::Initial
                    | Builtin::Terminal
                    | Builtin::Sample
                    | Builtin::Pre
                    | Builtin::Der
                    | Builtin::Edge
                    | Builtin::Change
                    | Builtin::Cardinality
                    | Builtin::IsRoot
                    | Builtin::Rooted,
                    _,
                ) => return false,
                _ => self.store.children(e, |c| todo.push(c)),
            }
        }
        true
    }

    fn has_known_size(&self, e: ExprId) -> bool {
        !self.store.ty(e).dims.contains(&Dim::Unknown)
    }

    fn chain(&mut self, chain: Vec<(ExprId, ExprId)>, last: ExprId, span: Span) -> ExprId {
        let mut result = last;
        for (c, v) in chain.into_iter().rev() {
            if self.is_error(c) || self.is_error(v) || self.is_error(result) {
                return self.error_expr();
            }
            let Some(ty) = self.common_type(v, result) else {
                // Branches of different size: the condition has to be known now.
                if self.in_function == 0
                    && !self.depends_on_simulation(c)
                    && let Ok(Value::Bool(b)) = self.constant(c)
                {
                    result = if b { v } else { result };
                    continue;
                }
                let (a, b) = (self.show_type(v), self.show_type(result));
                self.report(diagnostics::branches_differ(&a, &b, span));
                return self.error_expr();
            };
            result = self.store.add(Node::If(c, v, result), ty);
        }
        result
    }

    /// The condition of a when-clause, which may be a vector (MLS 8.3.5); others are one value.
    pub(crate) fn want_when_condition(&mut self, e: ExprId, span: Span) {
        let ty = self.store.ty(e);
        if ty.scalar != Scalar::Error && (ty.scalar != Scalar::Bool || ty.dims.len() > 1) {
            let clocked = matches!(self.store.node(e), Node::Builtin(Builtin::ClockedSample, _));
            self.report(if clocked {
                diagnostics::sample_as_condition(span)
            } else {
                diagnostics::not_boolean(span)
            });
        }
    }

    pub(crate) fn want_boolean(&mut self, e: ExprId, span: Span) {
        let ty = self.store.ty(e);
        if ty.scalar != Scalar::Error && (ty.scalar != Scalar::Bool || !ty.dims.is_empty()) {
            self.report(diagnostics::not_boolean(span));
        }
    }

    /// A class by reference, without a message when there is none.
    pub(crate) fn quiet_class(&mut self, scope: InstId, r: &ComponentRef) -> Option<InstId> {
        let first = r.parts.first()?;
        let name = first.name.name;
        let found = if r.global { self.lookup_top(name) } else { self.lookup_first(scope, name) };
        let mut class = match found? {
            Found::Class(class) => class,
            Found::Element(_, e, _) if self.elem(e).is_class() => self.elem_class(e)?,
            Found::Element(..) => return None,
        };
        for part in &r.parts[1..] {
            self.expand(class);
            let &e = self.inst(class).table.get(&part.name.name)?;
            class = self.elem_class(e)?;
        }
        Some(class)
    }

    pub(crate) fn reference(&mut self, scope: &mut Scope, r: &'a ComponentRef) -> ExprId {
        let first = &r.parts[0];
        if !r.global {
            if let Some((_, e)) = scope.iterators.iter().rev().find(|(n, _)| *n == first.name.name) {
                let e = *e;
                return self.select_rest(scope, e, r);
            }
            if let Some(locals) = scope.locals.clone()
                && let Some(&(local, ty)) = locals.get(&first.name.name)
            {
                let e = self.store.local(local, ty);
                return self.select_rest(scope, e, r);
            }
        }
        if r.parts.len() == 1 && first.name.name == self.names.time && first.subscripts.is_empty() {
            self.check_time(scope, first.name.span);
            return self.store.time();
        }
        if let Some(literal) = self.enum_literal(scope.inst, r) {
            return literal;
        }
        match self.select(scope, r) {
            Some(selection) => self.selected(selection, r.parts.len() == 1, r.span),
            None => self.error_expr(),
        }
    }

    /// Time passes in models and blocks only (MLS 3.6.7).
    fn check_time(&mut self, scope: &Scope, span: Span) {
        use kairos_syntax::ast::ClassKind::*;
        let kind = self.inst(scope.inst).kind;
        if matches!(kind, Function | OperatorFunction | Record | OperatorRecord | Connector | Package) {
            self.report(diagnostics::time_outside_model(span));
        }
    }

    /// `E.a` where `E` is an enumeration type, or `a` where an import names it.
    fn enum_literal(&mut self, scope: InstId, r: &ComponentRef) -> Option<ExprId> {
        let n = r.parts.len();
        if n == 1 && !r.global && r.parts[0].subscripts.is_empty() {
            let (t, position) = self.imported_literal(scope, r.parts[0].name.name)?;
            return Some(self.store.literal(t, position as u32 + 1));
        }
        if n < 2 || r.parts.iter().any(|p| !p.subscripts.is_empty()) {
            return None;
        }
        let head = ComponentRef { global: r.global, parts: r.parts[..n - 1].to_vec(), span: r.span };
        let class = self.quiet_class(scope, &head)?;
        let Some(Basic::Enumeration(t)) = self.inst(class).basic else { return None };
        let name = r.parts[n - 1].name.name;
        let position = self.store.enumeration(t).literals.iter().position(|l| *l == name);
        match position {
            Some(i) => Some(self.store.literal(t, i as u32 + 1)),
            None => {
                let known = self.store.enumeration(t).literals.clone();
                let path = self.inst_path(class);
                self.report(diagnostics::unknown_member(name, &path, r.parts[n - 1].name.span, &known));
                Some(self.error_expr())
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, a: ExprId, span: Span) -> ExprId {
        let scalar = self.store.ty(a).scalar;
        if scalar == Scalar::Error {
            return a;
        }
        if let Scalar::Record(_) = scalar {
            return self.overloaded_unary(op, a, span);
        }
        match op {
            UnaryOp::Not if scalar == Scalar::Bool => self.store.unary(UnOp::Not, a),
            UnaryOp::Plus | UnaryOp::ElementPlus if scalar.is_numeric() => a,
            UnaryOp::Minus | UnaryOp::ElementMinus if scalar.is_numeric() => match *self.store.node(a) {
                Node::Int(i) => self.store.int(-i),
                Node::Real(x) => self.store.real(-x.get()),
                _ => self.store.unary(UnOp::Neg, a),
            },
            _ => {
                let ty = self.show_type(a);
                self.report(diagnostics::operator_type(
                    if op == UnaryOp::Not { "not" } else { "-" },
                    &ty,
                    span,
                ));
                self.error_expr()
            }
        }
    }

    /// Does an expression read locals, iterators, time or variables of the simulation?
    pub(crate) fn depends_on_simulation(&self, e: ExprId) -> bool {
        self.reads_simulation(e, true)
    }

    /// Does it read locals, time or variables of the simulation? An iterator has its values when the model is flat.
    pub(crate) fn varies_in_simulation(&self, e: ExprId) -> bool {
        self.reads_simulation(e, false)
    }

    fn reads_simulation(&self, e: ExprId, iterators: bool) -> bool {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            match self.store.node(e) {
                Node::Local(_) | Node::Time => return true,
                Node::Iter(_) if iterators => return true,
                Node::Var(v) if self.comp(CompId::new(v.index())).variability > Variability::Parameter => {
                    return true;
                }
                Node::Builtin(Builtin::Size, args) => todo.extend(args.get(1)),
                _ => self.store.children(e, |c| todo.push(c)),
            }
        }
        false
    }
}

pub(crate) fn binary_op(op: BinaryOp) -> BinOp {
    match op {
        BinaryOp::Add => BinOp::Add,
        BinaryOp::Sub => BinOp::Sub,
        BinaryOp::Mul => BinOp::Mul,
        BinaryOp::Div => BinOp::Div,
        BinaryOp::Pow => BinOp::Pow,
        BinaryOp::ElementAdd => BinOp::ElementAdd,
        BinaryOp::ElementSub => BinOp::ElementSub,
        BinaryOp::ElementMul => BinOp::ElementMul,
        BinaryOp::ElementDiv => BinOp::ElementDiv,
        BinaryOp::ElementPow => BinOp::ElementPow,
        BinaryOp::Less => BinOp::Lt,
        BinaryOp::LessEqual => BinOp::Le,
        BinaryOp::Greater => BinOp::Gt,
        BinaryOp::GreaterEqual => BinOp::Ge,
        BinaryOp::Equal => BinOp::Eq,
        BinaryOp::NotEqual => BinOp::Ne,
        BinaryOp::And => BinOp::And,
        BinaryOp::Or => BinOp::Or,
    }
}
