//! Expressions of the source to typed expressions.

use crate::comps::{Variability, What};
use crate::inst::Basic;
use crate::lookup::Found;
use crate::{CompId, InstId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::{
    BinOp, Builtin, Dim, ExprId, LocalId, Node, Scalar, Sub, Type, TypeId, UnOp, Value, VarId,
};
use kairos_syntax::ast::{self, BinaryOp, ComponentRef, Expr, ExprKind, Subscript, UnaryOp};
use std::collections::HashMap;
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

/// What a reference selects: components in row-major order with dimensions, and subscripts still to be applied.
#[derive(Clone, Default)]
pub(crate) struct Selection {
    pub comps: Vec<CompId>,
    pub dims: Vec<usize>,
    /// One per dimension of `dims`, then those of the variable itself.
    pub subs: Vec<Sub>,
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
            ExprKind::ArrayComprehension(body, indices) => {
                let (mut inner, iters) = self.iterators(scope, indices);
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
            let v = self.expr(scope, value);
            chain.push((c, v));
        }
        let last = self.expr(scope, otherwise);
        self.chain(chain, last, span)
    }

    /// The value of a condition over constants, literals and final structural parameters only.
    pub(crate) fn settled_condition(&mut self, c: ExprId) -> Option<Value> {
        self.is_settled(c).then(|| self.constant(c).ok()).flatten()
    }

    fn is_settled(&mut self, e: ExprId) -> bool {
        let mut todo = vec![e];
        let mut seen = std::collections::HashSet::new();
        while let Some(e) = todo.pop() {
            if !seen.insert(e) {
                continue;
            }
            match self.store.node(e) {
                Node::Var(v) => {
                    let comp = self.comp(CompId(v.0));
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
                        match self.binding(CompId(v_of(self.store.node(e)))) {
                            Some(b) => todo.push(b),
                            None => return false,
                        }
                    }
                }
                Node::Time | Node::Local(_) | Node::Iter(_) | Node::Relation(_) => return false,
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

    pub(crate) fn want_boolean(&mut self, e: ExprId, span: Span) {
        let scalar = self.store.ty(e).scalar;
        if scalar != Scalar::Bool && scalar != Scalar::Error {
            self.report(diagnostics::not_boolean(span));
        }
    }

    pub(crate) fn iterators(
        &mut self,
        scope: &Scope,
        indices: &'a [ast::ForIndex],
    ) -> (Scope, Vec<(kairos_expr::IterId, ExprId)>) {
        let mut inner = scope.clone();
        let mut iters = Vec::new();
        for index in indices {
            let range = match &index.range {
                Some(range) => self.range_expr(&mut inner, range),
                None => {
                    self.report(diagnostics::implicit_range(index.name.name, index.name.span));
                    let one = self.store.int(1);
                    self.store.add(Node::Range(one, None, one), Type::array(Scalar::Int, vec![Dim::Known(1)]))
                }
            };
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

    /// A range of a loop: a vector, or the name of an enumeration or of Boolean.
    pub(crate) fn range_expr(&mut self, scope: &mut Scope, e: &'a Expr) -> ExprId {
        if let ExprKind::Ref(r) = &e.kind
            && let Some(class) = self.quiet_class(scope.inst, r)
        {
            match self.inst(class).basic {
                Some(Basic::Enumeration(t)) => {
                    let n = self.store.enumeration(t).literals.len() as u32;
                    let (a, b) = (self.store.literal(t, 1), self.store.literal(t, n));
                    let ty = Type::array(Scalar::Enum(t), vec![Dim::Known(n)]);
                    return self.store.add(Node::Range(a, None, b), ty);
                }
                Some(Basic::Boolean) => {
                    let (a, b) = (self.store.bool(false), self.store.bool(true));
                    return self
                        .store
                        .add(Node::Range(a, None, b), Type::array(Scalar::Bool, vec![Dim::Known(2)]));
                }
                _ => {}
            }
        }
        self.expr(scope, e)
    }

    fn comprehension(&mut self, body: ExprId, iters: Vec<(kairos_expr::IterId, ExprId)>) -> ExprId {
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
            return self.store.time();
        }
        if let Some(literal) = self.enum_literal(scope.inst, r) {
            return literal;
        }
        match self.select(scope, r) {
            Some(selection) => self.selected(selection, r.span),
            None => self.error_expr(),
        }
    }

    /// `E.a` where `E` is an enumeration type.
    fn enum_literal(&mut self, scope: InstId, r: &ComponentRef) -> Option<ExprId> {
        let n = r.parts.len();
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

    /// The rest of a reference whose head is an expression of its own (a local or an iterator).
    fn select_rest(&mut self, scope: &mut Scope, mut e: ExprId, r: &'a ComponentRef) -> ExprId {
        for (k, part) in r.parts.iter().enumerate() {
            if k > 0 {
                e = self.named_field(e, &part.name);
            }
            if self.is_error(e) {
                return e;
            }
            if !part.subscripts.is_empty() {
                let subs = &*part.subscripts;
                e = self.indexed(scope, e, subs, r.span);
            }
        }
        e
    }

    /// The components that a reference selects, reported if there are none.
    pub(crate) fn select(&mut self, scope: &mut Scope, r: &'a ComponentRef) -> Option<Selection> {
        let first = &r.parts[0];
        let found = match r.global {
            true => self.lookup_top(first.name.name),
            false => self.lookup_first(scope.inst, first.name.name),
        };
        let Some(found) = found else {
            let known = self.visible_names(scope.inst);
            self.report(diagnostics::unknown_name(first.name.name, first.name.span, &known));
            return None;
        };
        let mut k = 0;
        // Walk through packages to the first component.
        let start = match found {
            Found::Element(inst, e, enclosing) if !self.elem(e).is_class() => {
                let owner = self.inst(inst).comp;
                let owner = owner.unwrap_or_else(|| self.package_comp(inst));
                let comp = self.child(owner, first.name.name)?;
                if enclosing
                    && self.comp(comp).variability > Variability::Constant
                    && !self.allows_enclosing(inst)
                {
                    let place = self.comp(comp).span;
                    self.report(diagnostics::enclosing_variable(first.name.name, first.name.span, place));
                }
                comp
            }
            Found::Class(_) | Found::Element(..) => {
                let mut class = match found {
                    Found::Class(class) => class,
                    Found::Element(_, e, _) => self.elem_class(e)?,
                };
                loop {
                    k += 1;
                    let Some(part) = r.parts.get(k) else {
                        self.report(diagnostics::class_as_value(first.name.name, r.span));
                        return None;
                    };
                    self.expand(class);
                    let Some(&e) = self.inst(class).table.get(&part.name.name) else {
                        let known: Vec<Name> =
                            self.inst(class).elements.iter().map(|e| self.elem(*e).name).collect();
                        let path = self.inst_path(class);
                        self.report(diagnostics::unknown_member(
                            part.name.name,
                            &path,
                            part.name.span,
                            &known,
                        ));
                        return None;
                    };
                    if self.elem(e).is_class() {
                        class = self.elem_class(e)?;
                        continue;
                    }
                    let owner = self.package_comp(class);
                    let comp = self.child(owner, part.name.name)?;
                    if self.comp(comp).variability > Variability::Constant
                        && self.comp(owner).what == What::Package
                    {
                        let place = self.comp(comp).span;
                        self.report(diagnostics::not_a_package_constant(
                            part.name.name,
                            part.name.span,
                            place,
                        ));
                    }
                    break comp;
                }
            }
        };
        let mut selection = Selection { comps: vec![start], ..Selection::default() };
        self.apply_subscripts(scope, &mut selection, &r.parts[k])?;
        for part in &r.parts[k + 1..] {
            let mut next = Vec::with_capacity(selection.comps.len());
            for &comp in &selection.comps.clone() {
                if matches!(self.comp(comp).what, What::Broken) {
                    return None;
                }
                match self.child(comp, part.name.name) {
                    Some(child) => {
                        self.check_visible(comp, part);
                        next.push(child);
                    }
                    None => {
                        self.report_no_child(comp, part);
                        return None;
                    }
                }
            }
            selection.comps = next;
            self.apply_subscripts(scope, &mut selection, part)?;
        }
        Some(selection)
    }

    /// Protected elements are seen from inside only (MLS 4.1).
    fn check_visible(&mut self, comp: CompId, part: &ast::RefPart) {
        let class = self.comp(self.comp(comp).outer.unwrap_or(comp)).class;
        if let Some(&e) = class.and_then(|c| self.inst(c).table.get(&part.name.name))
            && self.elem(e).protected
        {
            let place = self.elem(e).span;
            self.report(diagnostics::protected_access(part.name.name, part.name.span, place));
        }
    }

    fn allows_enclosing(&self, inst: InstId) -> bool {
        // The elements of a package are constants whatever their prefix says; that is checked elsewhere.
        self.inst(inst).comp.is_none()
    }

    fn report_no_child(&mut self, comp: CompId, part: &ast::RefPart) {
        if self.comp(comp).disabled {
            let path = self.comp_path(comp);
            self.report(diagnostics::disabled_use(&path, part.name.span));
            return;
        }
        let class = self.comp(comp).class;
        let known: Vec<Name> = match class {
            Some(class) => self.inst(class).elements.iter().map(|e| self.elem(*e).name).collect(),
            None => Vec::new(),
        };
        let path = self.comp_path(comp);
        self.report(diagnostics::unknown_member(part.name.name, &path, part.name.span, &known));
    }

    /// Unfolds an array of components, picks by constant subscripts, keeps symbolic ones for later.
    fn apply_subscripts(
        &mut self,
        scope: &mut Scope,
        selection: &mut Selection,
        part: &'a ast::RefPart,
    ) -> Option<()> {
        let outer: Vec<CompId> = selection.comps.iter().map(|c| self.comp(*c).outer.unwrap_or(*c)).collect();
        selection.comps = outer;
        if selection.comps.iter().any(|c| self.comp(*c).disabled) {
            return Some(());
        }
        let is_array = selection.comps.first().is_some_and(|c| self.comp(*c).what == What::Array);
        let subs = &*part.subscripts;
        if !is_array {
            if subs.is_empty() {
                return Some(());
            }
            let Some(&first) = selection.comps.first() else { return Some(()) };
            let dims = self.comp(first).dims.clone();
            if subs.len() > dims.len() {
                self.report(diagnostics::too_many_subscripts(subs.len(), dims.len(), part.name.span));
                return None;
            }
            let whole = self.var(first);
            let resolved = self.subscripts(scope, whole, subs)?;
            selection.subs.resize(selection.dims.len(), Sub::All);
            selection.subs.extend(resolved);
            return Some(());
        }
        let sizes: Vec<usize> =
            self.comp(selection.comps[0]).dims.iter().map(|d| d.known().unwrap_or(0)).collect();
        if subs.len() > sizes.len() {
            self.report(diagnostics::too_many_subscripts(subs.len(), sizes.len(), part.name.span));
            return None;
        }
        let before = selection.dims.len();
        selection.subs.resize(before, Sub::All);
        let mut picks: Vec<Option<Value>> = Vec::new();
        let mut pending: Vec<Sub> = Vec::new();
        for (d, sub) in subs.iter().enumerate() {
            match sub {
                Subscript::All(_) => {
                    picks.push(None);
                    pending.push(Sub::All);
                }
                Subscript::Expr(e) => {
                    let end = self.store.int(sizes[d] as i64);
                    scope.ends.push(end);
                    let i = self.range_expr(scope, e);
                    scope.ends.pop();
                    if self.is_error(i) {
                        return None;
                    }
                    match self.subscript_value(i, e.span)? {
                        Some(value) => {
                            let scalar = value.dims().is_empty();
                            picks.push(Some(value));
                            if !scalar {
                                pending.push(Sub::All);
                            }
                        }
                        None => {
                            picks.push(None);
                            pending.push(Sub::At(i));
                        }
                    }
                }
            }
        }
        let mut comps = Vec::new();
        let mut kept = Vec::new();
        for (n, comp) in selection.comps.clone().into_iter().enumerate() {
            let elements = self.comp(comp).elements.clone();
            let all =
                Value::array(sizes.clone(), (0..elements.len()).map(|i| Value::Int(i as i64)).collect());
            match kairos_expr::index(&all, &picks) {
                Ok(chosen) => {
                    if n == 0 {
                        kept = chosen.dims().to_vec();
                    }
                    comps.extend(
                        chosen.elements().iter().filter_map(|v| v.as_index()).map(|i| elements[i as usize]),
                    );
                }
                Err(message) => {
                    self.report(diagnostics::bad_subscript(&message, part.name.span));
                    return None;
                }
            }
        }
        pending.resize(kept.len(), Sub::All);
        selection.comps = comps;
        selection.dims.extend(kept);
        selection.subs.extend(pending);
        Some(())
    }

    /// The value of a subscript that does not depend on the simulation; `Some(None)` if it does.
    fn subscript_value(&mut self, i: ExprId, span: Span) -> Option<Option<Value>> {
        match self.constant(i) {
            Ok(value) => Some(Some(value)),
            Err(kairos_expr::Stop::Error { message, .. }) => {
                self.report(diagnostics::evaluation_failed("a subscript", &message, span));
                None
            }
            Err(_) => Some(None),
        }
    }

    /// A reference to a whole component.
    pub(crate) fn var(&mut self, comp: CompId) -> ExprId {
        let comp = self.comp(comp).outer.unwrap_or(comp);
        let ty = self.comp_type(comp);
        self.store.var(VarId(comp.0), ty)
    }

    pub(crate) fn selected(&mut self, selection: Selection, span: Span) -> ExprId {
        for &comp in &selection.comps {
            if self.comp(comp).disabled {
                let path = self.comp_path(comp);
                self.report(diagnostics::disabled_use(&path, span));
                return self.error_expr();
            }
        }
        if let Some(&first) = selection.comps.first()
            && let Some(conditional) = self.conditional_part(first)
        {
            let path = self.comp_path(conditional);
            self.report(diagnostics::conditional_use(&path, span));
            return self.error_expr();
        }
        let items: Vec<ExprId> = selection.comps.iter().map(|c| self.var(*c)).collect();
        let mut e = match selection.dims.is_empty() {
            true => match items.first() {
                Some(e) => *e,
                None => return self.error_expr(),
            },
            false => self.nest(items, &selection.dims),
        };
        if selection.subs.iter().any(|s| *s != Sub::All) || selection.subs.len() > selection.dims.len() {
            e = self.index_typed(e, selection.subs);
        }
        e
    }

    /// The conditional component that a component is or is part of, below the scope's own instance.
    fn conditional_part(&self, comp: CompId) -> Option<CompId> {
        self.comp(comp).conditional.then_some(comp)
    }

    /// Items in row-major order as a nested array.
    pub(crate) fn nest(&mut self, items: Vec<ExprId>, dims: &[usize]) -> ExprId {
        if dims.len() <= 1 || items.is_empty() {
            let mut e = self.store.array(items);
            if self.store.ty(e).dims.len() < dims.len() {
                let ty =
                    Type::array(Scalar::Real, dims.iter().map(|d| Dim::Known(*d as u32)).collect::<Vec<_>>());
                e = self.store.add(Node::Array(Box::new([])), ty);
            }
            return e;
        }
        let size = items.len() / dims[0].max(1);
        let rows =
            (0..dims[0]).map(|i| self.nest(items[i * size..(i + 1) * size].to_vec(), &dims[1..])).collect();
        self.store.array(rows)
    }

    fn subscripts(&mut self, scope: &mut Scope, array: ExprId, subs: &'a [Subscript]) -> Option<Vec<Sub>> {
        let dims = self.store.ty(array).dims.clone();
        let mut resolved = Vec::with_capacity(subs.len());
        for (k, sub) in subs.iter().enumerate() {
            match sub {
                Subscript::All(_) => resolved.push(Sub::All),
                Subscript::Expr(e) => {
                    let end = match dims.get(k) {
                        Some(Dim::Known(n)) => self.store.int(i64::from(*n)),
                        _ => {
                            let at = self.store.int(k as i64 + 1);
                            self.store.add(
                                Node::Builtin(Builtin::Size, [array, at].into()),
                                Type::scalar(Scalar::Int),
                            )
                        }
                    };
                    scope.ends.push(end);
                    let i = self.range_expr(scope, e);
                    scope.ends.pop();
                    if self.is_error(i) {
                        return None;
                    }
                    let ty = self.store.ty(i);
                    if !matches!(ty.scalar, Scalar::Int | Scalar::Enum(_) | Scalar::Bool) || ty.dims.len() > 1
                    {
                        self.report(diagnostics::subscript_type(e.span));
                        return None;
                    }
                    if let (Node::Int(i), Some(Dim::Known(n))) = (self.store.node(i), dims.get(k))
                        && (*i < 1 || *i > i64::from(*n))
                    {
                        let message = format!("subscript {i} is outside 1:{n}");
                        self.report(diagnostics::bad_subscript(&message, e.span));
                        return None;
                    }
                    resolved.push(Sub::At(i));
                }
            }
        }
        Some(resolved)
    }

    pub(crate) fn indexed(
        &mut self,
        scope: &mut Scope,
        e: ExprId,
        subs: &'a [Subscript],
        span: Span,
    ) -> ExprId {
        if self.is_error(e) {
            return e;
        }
        let rank = self.store.ty(e).dims.len();
        if subs.len() > rank {
            self.report(diagnostics::too_many_subscripts(subs.len(), rank, span));
            return self.error_expr();
        }
        match self.subscripts(scope, e, subs) {
            Some(subs) => self.index_typed(e, subs),
            None => self.error_expr(),
        }
    }

    /// `e[subs]` with its type; a literal index into an array constructor is taken at once.
    pub(crate) fn index_typed(&mut self, e: ExprId, subs: Vec<Sub>) -> ExprId {
        if subs.iter().all(|s| *s == Sub::All) {
            return e;
        }
        if let (Node::Array(items), Some(Sub::At(i))) = (self.store.node(e).clone(), subs.first())
            && let Node::Int(k) = *self.store.node(*i)
            && k >= 1
            && k as usize <= items.len()
        {
            return self.index_typed(items[k as usize - 1], subs[1..].to_vec());
        }
        let ty = self.store.ty(e).clone();
        let mut dims = Vec::new();
        for (k, dim) in ty.dims.iter().enumerate() {
            match subs.get(k) {
                None | Some(Sub::All) => dims.push(*dim),
                Some(Sub::At(i)) => dims.extend(self.store.ty(*i).dims.first().copied()),
            }
        }
        self.store.add(Node::Index(e, subs.into()), Type { scalar: ty.scalar, dims })
    }

    pub(crate) fn index_constant(&mut self, e: ExprId, index: &[u32]) -> ExprId {
        let subs = index.iter().map(|i| Sub::At(self.store.int(i64::from(*i)))).collect();
        self.index_typed(e, subs)
    }

    /// `f(x).y`
    fn named_field(&mut self, e: ExprId, name: &ast::Ident) -> ExprId {
        let Scalar::Record(record) = self.store.ty(e).scalar else {
            if !self.is_error(e) {
                self.report(diagnostics::no_parts(name.name, name.span));
            }
            return self.error_expr();
        };
        match self.store.record(record).field(name.name) {
            Some(field) => self.field_of(e, field),
            None => {
                let known: Vec<Name> = self.store.record(record).fields.iter().map(|(n, _)| *n).collect();
                let path = self.store.record(record).name.to_string();
                self.report(diagnostics::unknown_member(name.name, &path, name.span, &known));
                self.error_expr()
            }
        }
    }

    pub(crate) fn field_of(&mut self, e: ExprId, field: usize) -> ExprId {
        let ty = self.store.ty(e).clone();
        let Scalar::Record(record) = ty.scalar else { return self.error_expr() };
        if let Node::Record(_, items) = self.store.node(e) {
            return items[field];
        }
        if let Node::Var(v) = *self.store.node(e) {
            // A field of a component is a component.
            let name = self.store.record(record).fields[field].0;
            if self.comp(CompId(v.0)).what == What::Parts
                && let Some(child) = self.child(CompId(v.0), name)
            {
                return self.var(child);
            }
        }
        let inner = self.store.record(record).fields[field].1.clone();
        let mut dims = ty.dims;
        dims.extend(inner.dims);
        self.store.add(Node::Field(e, field as u32), Type { scalar: inner.scalar, dims })
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

    fn range(&mut self, a: ExprId, step: Option<ExprId>, b: ExprId, span: Span) -> ExprId {
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

    /// Does an expression read locals, iterators, time or variables of the simulation?
    pub(crate) fn depends_on_simulation(&self, e: ExprId) -> bool {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            match self.store.node(e) {
                Node::Local(_) | Node::Iter(_) | Node::Time => return true,
                Node::Var(v) if self.comp(CompId(v.0)).variability > Variability::Parameter => return true,
                Node::Builtin(Builtin::Size, args) => todo.extend(args.get(1)),
                _ => self.store.children(e, |c| todo.push(c)),
            }
        }
        false
    }
}

fn v_of(node: &Node) -> u32 {
    match node {
        Node::Var(v) => v.0,
        _ => 0,
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
