//! The dimensions of components: given, by an index type, or by what they are bound to.

use super::What;
use crate::inst::Basic;
use crate::resolve::Scope;
use crate::{CompId, InstId, Sema, diagnostics};
use kairos_base::{Name, Span, limits};
use kairos_expr::{Dim, Value};
use kairos_syntax::ast::{self, ExprKind};

impl<'a> Sema<'a> {
    pub(super) fn set_dims(&mut self, id: CompId, subs: &[(&'a ast::Subscript, InstId)], enabled: bool) {
        let mut dims = Vec::with_capacity(subs.len());
        for (k, (sub, scope)) in subs.iter().enumerate() {
            let dim = match sub {
                ast::Subscript::Expr(e) => match self.dimension(e, *scope) {
                    Some(n) => Dim::Known(n),
                    None if self.is_field_of_class(id) => Dim::Unknown,
                    None => {
                        if enabled {
                            self.comps[id.index()].what = What::Broken;
                        }
                        Dim::Known(0)
                    }
                },
                ast::Subscript::All(span) => {
                    self.comps[id.index()].dims = vec![Dim::Unknown; subs.len()];
                    self.dimension_from_binding(id, k, *span)
                }
            };
            dims.push(dim);
        }
        let count = dims.iter().try_fold(1usize, |n, d| n.checked_mul(d.known().unwrap_or(1)));
        if count.is_none_or(|n| n > limits::ELEMENTS) {
            let (name, span) = (self.comp(id).name, self.comp(id).span);
            self.report(diagnostics::too_large(
                &format!("the array `{name}`"),
                limits::ELEMENTS,
                "elements",
                span,
            ));
            self.comps[id.index()].what = What::Broken;
            dims.fill(Dim::Known(0));
        }
        self.comps[id.index()].dims = dims;
    }

    /// A size: a whole number, or an enumeration or Boolean as index type.
    pub(crate) fn dimension(&mut self, e: &'a ast::Expr, scope: InstId) -> Option<u32> {
        let open = self.inst(scope).comp.is_some_and(|comp| self.stands_for_class(comp));
        if let ExprKind::Ref(r) = &e.kind
            && let Some(n) = self.index_type(r, scope)
        {
            return Some(n);
        }
        let expr = self.expr(&mut Scope::new(scope), e);
        if self.is_error(expr) {
            return None;
        }
        match self.constant(expr) {
            Ok(value) => match value.as_index() {
                Some(n) if (0..=i64::from(i32::MAX)).contains(&n) && !matches!(value, Value::Bool(_)) => {
                    Some(n as u32)
                }
                _ => {
                    self.report(diagnostics::bad_size(&format!("{value:?}"), e.span));
                    None
                }
            },
            // Each object of the class has its own.
            Err(_) if open => None,
            Err(stop) => {
                self.report_stop(stop, e.span, "an array size");
                None
            }
        }
    }

    /// `Real x[Color]`: the number of literals if the reference names an enumeration or Boolean.
    fn index_type(&mut self, r: &ast::ComponentRef, scope: InstId) -> Option<u32> {
        let class = self.quiet_class(scope, r)?;
        match self.inst(class).basic? {
            Basic::Enumeration(e) => Some(self.store.enumeration(e).literals.len() as u32),
            Basic::Boolean => Some(2),
            _ => None,
        }
    }

    /// Is it part of a class, not of one component of it? The class leaves open what each of them has.
    fn is_field_of_class(&self, id: CompId) -> bool {
        self.comp(id).parent.is_some_and(|up| self.stands_for_class(up))
    }

    /// Is it a class of components as such, or a part of one?
    pub(crate) fn stands_for_class(&self, id: CompId) -> bool {
        let top = std::iter::successors(Some(id), |c| self.comp(*c).parent).last().unwrap_or(id);
        let (what, class) = (self.comp(top).what, self.comp(top).class);
        let package = |class: InstId| self.class_is(class, &[ast::ClassKind::Package]);
        what == What::Package && class.is_some_and(|class| !package(class))
    }

    fn dimension_from_binding(&mut self, id: CompId, k: usize, span: Span) -> Dim {
        let Some(e) = self.binding(id) else {
            // Attributes can give the size as well: `Real x[:](start = {1, 2})`.
            let start = self.attribute(id, Name::START);
            if let Some(Dim::Known(n)) = start.and_then(|e| self.store.ty(e).dims.get(k).copied()) {
                return Dim::Known(n);
            }
            if self.is_field_of_class(id) {
                return Dim::Unknown;
            }
            if !self.comp(id).disabled && !self.in_partial_check {
                let name = self.comp(id).name;
                self.report(diagnostics::unknown_size(name, span));
            }
            return Dim::Known(0);
        };
        match self.store.ty(e).dims.get(k) {
            Some(Dim::Known(n)) => Dim::Known(*n),
            Some(Dim::Unknown) => match self.constant(e) {
                Ok(value) => Dim::Known(value.dims().get(k).copied().unwrap_or(0) as u32),
                Err(_) if self.is_field_of_class(id) => Dim::Unknown,
                Err(stop) => {
                    self.report_stop(stop, span, "an array size");
                    Dim::Known(0)
                }
            },
            None => Dim::Known(0),
        }
    }
}
