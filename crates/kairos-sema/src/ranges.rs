//! Ranges of loops, reductions and array constructors, the ones that subscripts imply included (MLS 11.2.2).

use crate::comps::What;
use crate::inst::{Basic, Decl};
use crate::resolve::Scope;
use crate::{CompId, InstId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::{Builtin, Dim, ExprId, Node, Scalar, Type};
use kairos_syntax::References;
use kairos_syntax::ast::{self, ComponentRef, Expr, ExprKind, Subscript};

/// What an iterator runs over: the text that may imply its range.
#[derive(Clone, Copy)]
pub(crate) enum Loop<'a> {
    Equations(&'a [ast::Equation]),
    Statements(&'a [ast::Statement]),
    Expr(&'a Expr),
}

impl<'a> Sema<'a> {
    /// The iterators of an expression, the one of the outermost dimension first.
    pub(crate) fn iterators(
        &mut self,
        scope: &Scope,
        indices: impl Iterator<Item = &'a ast::ForIndex>,
        body: &'a Expr,
    ) -> (Scope, Vec<(kairos_expr::IterId, ExprId)>) {
        let mut inner = scope.clone();
        let mut iters = Vec::new();
        for index in indices {
            self.check_shadow(scope.inst, &index.name);
            let range = self.loop_range(&mut inner, index, Loop::Expr(body));
            let mut ty = self.store.ty(range).clone();
            if ty.dims.is_empty() && ty.scalar != Scalar::Error {
                self.report(diagnostics::not_a_vector(index.name.span));
            }
            ty = ty.element();
            let iter = self.store.new_iterator(index.name.name);
            let node = self.store.add(Node::Iter(iter), ty);
            inner.iterators.push((index.name.name, node));
            iters.push((iter, range));
        }
        (inner, iters)
    }

    /// Says that an iterator hides a component of the class it stands in.
    pub(crate) fn check_shadow(&mut self, scope: InstId, name: &ast::Ident) {
        let Some(&e) = self.inst(scope).table.get(&name.name) else { return };
        if !self.elem(e).is_class() {
            let told = diagnostics::shadowed_name(name.name, name.span, self.elem(e).span);
            if !self.diagnostics.contains(&told) {
                self.report(told);
            }
        }
    }

    /// A range of a loop: a vector, or the name of an enumeration or of Boolean.
    pub(crate) fn range_expr(&mut self, scope: &mut Scope, e: &'a Expr) -> ExprId {
        match self.type_range(scope.inst, e) {
            Some(range) => range,
            None => self.expr(scope, e),
        }
    }

    /// All values of an enumeration or of Boolean, if the expression names one.
    fn type_range(&mut self, scope: InstId, e: &Expr) -> Option<ExprId> {
        let ExprKind::Ref(r) = &e.kind else { return None };
        let class = self.quiet_class(scope, r)?;
        match self.inst(class).basic? {
            Basic::Enumeration(t) => {
                let n = self.store.enumeration(t).literals.len() as u32;
                let (a, b) = (self.store.literal(t, 1), self.store.literal(t, n));
                let ty = Type::array(Scalar::Enum(t), vec![Dim::Known(n)]);
                Some(self.store.add(Node::Range(a, None, b), ty))
            }
            Basic::Boolean => {
                let (a, b) = (self.store.bool(false), self.store.bool(true));
                let ty = Type::array(Scalar::Bool, vec![Dim::Known(2)]);
                Some(self.store.add(Node::Range(a, None, b), ty))
            }
            _ => None,
        }
    }

    pub(crate) fn comprehension(
        &mut self,
        body: ExprId,
        iters: Vec<(kairos_expr::IterId, ExprId)>,
    ) -> ExprId {
        if self.is_error(body) || iters.iter().any(|(_, r)| self.is_error(*r)) {
            return self.error_expr();
        }
        let mut dims: Vec<Dim> = iters
            .iter()
            .map(|(_, r)| self.store.ty(*r).dims.first().copied().unwrap_or(Dim::Known(1)))
            .collect();
        let ty = self.store.ty(body).clone();
        dims.extend(ty.dims);
        self.store.add(Node::Comprehension(body, iters.into()), Type { scalar: ty.scalar, dims })
    }

    pub(crate) fn range(&mut self, a: ExprId, step: Option<ExprId>, b: ExprId, span: Span) -> ExprId {
        let types: Vec<Scalar> =
            [Some(a), step, Some(b)].iter().flatten().map(|e| self.store.ty(*e).scalar).collect();
        if types.contains(&Scalar::Error) {
            return self.error_expr();
        }
        let scalar = if types.iter().all(|t| *t == Scalar::Int) {
            Scalar::Int
        } else if types.iter().all(|t| t.is_numeric()) {
            Scalar::Real
        } else if types.iter().all(|t| *t == types[0]) && matches!(types[0], Scalar::Enum(_) | Scalar::Bool) {
            types[0]
        } else {
            self.report(diagnostics::range_type(span));
            return self.error_expr();
        };
        let e = self.store.add(Node::Range(a, step, b), Type::array(scalar, vec![Dim::Unknown]));
        // The number of elements is part of the type wherever it can be known; inside functions it often cannot.
        let simple = self.depends_on_simulation(e);
        let size = if simple { None } else { self.constant(e).ok().and_then(|v| v.dims().first().copied()) };
        match size {
            Some(n) => {
                self.store.add(Node::Range(a, step, b), Type::array(scalar, vec![Dim::Known(n as u32)]))
            }
            None => e,
        }
    }

    /// The range of an iterator, given or implied.
    pub(crate) fn loop_range(
        &mut self,
        scope: &mut Scope,
        index: &'a ast::ForIndex,
        body: Loop<'a>,
    ) -> ExprId {
        match &index.range {
            Some(range) => self.range_expr(scope, range),
            None => self.implied_range(scope, index, body),
        }
    }

    /// An iterator without a range runs over the dimension that it subscripts; all such dimensions must agree
    /// (MLS 11.2.2.1).
    fn implied_range(&mut self, scope: &mut Scope, index: &'a ast::ForIndex, body: Loop<'a>) -> ExprId {
        let name = index.name.name;
        let mut uses: Vec<(&'a ComponentRef, usize, usize)> = Vec::new();
        let mut visit = |r: &'a ComponentRef| {
            for (k, part) in r.parts.iter().enumerate() {
                let hits = part.subscripts.iter().enumerate().filter(|(_, sub)| is_name(sub, name));
                uses.extend(hits.map(|(d, _)| (r, k, d)));
            }
        };
        let mut walk = References { visit: &mut visit, shadowed: Some(name) };
        match body {
            Loop::Equations(list) => walk.equations(list),
            Loop::Statements(list) => walk.statements(list),
            Loop::Expr(e) => walk.expr(e),
        }
        let mut found: Option<(ExprId, Span)> = None;
        for (r, part, dim) in uses {
            let Some(range) = self.subscripted_range(scope, r, part, dim) else { continue };
            match found {
                None => found = Some((range, r.span)),
                Some((first, _)) if first == range => {}
                Some((first, place)) => {
                    let unknown = |e: ExprId| self.store.ty(e).dims.first() == Some(&Dim::Unknown);
                    if !unknown(first) && !unknown(range) {
                        self.report(diagnostics::implied_ranges_differ(name, place, r.span));
                        return self.error_expr();
                    }
                }
            }
        }
        match found {
            Some((range, _)) => range,
            None => {
                self.report(diagnostics::implicit_range(name, index.name.span));
                self.error_expr()
            }
        }
    }

    /// All indices of dimension `dim` of what the reference names up to `part`.
    fn subscripted_range(
        &mut self,
        scope: &mut Scope,
        r: &'a ComponentRef,
        part: usize,
        dim: usize,
    ) -> Option<ExprId> {
        let mut head = ComponentRef { global: r.global, parts: r.parts[..=part].to_vec(), span: r.span };
        head.parts[part].subscripts = std::sync::Arc::new([]);
        let head: &'a ComponentRef = self.keep_ref(head);
        let first = head.parts[0].name.name;
        let local = scope.locals.as_ref().is_some_and(|l| l.contains_key(&first))
            || scope.iterators.iter().any(|(n, _)| *n == first);
        if local {
            let array = self.reference(scope, head);
            let dims = self.store.ty(array).dims.clone();
            let at = dims.len().checked_sub(r.parts[part].subscripts.len().max(1))? + dim;
            return match dims.get(at)? {
                Dim::Known(n) => Some(self.counted(*n)),
                Dim::Unknown => {
                    let k = self.store.int(at as i64 + 1);
                    let size = Node::Builtin(Builtin::Size, [array, k].into());
                    let (one, size) = (self.store.int(1), self.store.add(size, Type::scalar(Scalar::Int)));
                    let ty = Type::array(Scalar::Int, vec![Dim::Unknown]);
                    Some(self.store.add(Node::Range(one, None, size), ty))
                }
            };
        }
        let selection = self.select_whole(scope, head)?;
        let Some(&comp) = selection.comps.first() else { return Some(self.counted(0)) };
        if let Some(range) = self.index_type_range(comp, dim) {
            return Some(range);
        }
        let n = match self.comp(comp).what {
            // The elements of an array of components were selected one by one.
            What::Parts => *selection.dims.get(selection.dims.len().checked_sub(self.rank(comp))? + dim)?,
            _ => self.comp(comp).dims.get(dim)?.known()?,
        };
        Some(self.counted(n as u32))
    }

    /// The number of dimensions of the array that an element belongs to.
    fn rank(&self, element: CompId) -> usize {
        self.comp(element).subscripts.len()
    }

    /// `1:n`
    fn counted(&mut self, n: u32) -> ExprId {
        let (one, n_literal) = (self.store.int(1), self.store.int(i64::from(n)));
        self.store.add(Node::Range(one, None, n_literal), Type::array(Scalar::Int, vec![Dim::Known(n)]))
    }

    /// The literals of the type that a dimension was declared with: `Real x[Color]`.
    pub(crate) fn index_type_range(&mut self, comp: CompId, dim: usize) -> Option<ExprId> {
        let elem = self.elem(self.comp(comp).elem?).clone();
        let Decl::Component(clause, component) = elem.decl else { return None };
        let sub = component.dims.iter().chain(&clause.dims).nth(dim)?;
        let Subscript::Expr(e) = sub else { return None };
        self.type_range(elem.scope, e)
    }
}

fn is_name(sub: &Subscript, name: Name) -> bool {
    match sub {
        Subscript::Expr(Expr { kind: ExprKind::Ref(r), .. }) => {
            !r.global
                && r.parts.len() == 1
                && r.parts[0].name.name == name
                && r.parts[0].subscripts.is_empty()
        }
        _ => false,
    }
}
