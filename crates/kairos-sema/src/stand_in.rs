//! References into arrays of components that have no elements: what stands for their class says types and inner sizes.

use crate::comps::What;
use crate::resolve::Scope;
use crate::selection::Selection;
use crate::{CompId, Sema};
use kairos_expr::{Dim, ExprId, Node, Scalar, Sub, Type};
use kairos_syntax::ast;

impl<'a> Sema<'a> {
    /// Like `apply_subscripts` where no component is left: only the sizes and types count.
    pub(crate) fn subscripts_of_none(
        &mut self,
        scope: &mut Scope,
        selection: &mut Selection,
        part: &'a ast::RefPart,
    ) -> Option<()> {
        let Some(at) = selection.stand_in else { return Some(()) };
        let (dims, what) = (self.comp(at).dims.clone(), self.comp(at).what);
        selection.subs.resize(selection.dims.len(), Sub::All);
        if what != What::Array {
            if !part.subscripts.is_empty() {
                let whole = self.var(at);
                let subs = self.subscripts(scope, whole, &part.subscripts)?;
                selection.subs.extend(subs);
            }
            return Some(());
        }
        let whole = Type::array(Scalar::Int, dims.clone());
        let whole = self.store.add(Node::Array([].into()), whole);
        let subs = self.subscripts(scope, whole, &part.subscripts)?;
        for (k, dim) in dims.iter().enumerate() {
            match subs.get(k) {
                Some(Sub::At(i)) if self.store.ty(*i).dims.is_empty() => {}
                _ => selection.dims.push(dim.known().unwrap_or(0)),
            }
        }
        selection.subs.resize(selection.dims.len(), Sub::All);
        selection.stand_in = self.element_class(at);
        Some(())
    }

    /// What stands for the class of the elements of an array of components.
    pub(crate) fn element_class(&mut self, array: CompId) -> Option<CompId> {
        let class = self.comp(array).class?;
        Some(self.package_comp(class))
    }

    /// An array without elements, which has a type and inner sizes all the same (MLS 10.7).
    pub(crate) fn none_of(&mut self, class: CompId, selection: Selection) -> ExprId {
        let mut ty = match self.comp(class).what {
            What::Package => {
                let record = self.comp(class).class.and_then(|class| self.record_of(class));
                Type::scalar(record.map_or(Scalar::Error, Scalar::Record))
            }
            _ => self.comp_type(class),
        };
        if ty.scalar == Scalar::Error {
            return self.error_expr();
        }
        ty.dims.splice(0..0, selection.dims.iter().map(|n| Dim::Known(*n as u32)));
        let e = self.store.add(Node::Array([].into()), ty);
        self.index_typed(e, selection.subs)
    }
}
