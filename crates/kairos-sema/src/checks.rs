//! Restrictions of specialised classes and declarations.

use crate::inst::Elem;
use crate::resolve::Selection;
use crate::{InstId, Sema, diagnostics};
use kairos_syntax::ast::{self, ClassKind};

impl<'a> Sema<'a> {
    /// Can this class be simulated at all?
    pub(crate) fn check_model(&mut self, class: InstId) -> bool {
        let inst = self.inst(class);
        let (kind, partial, name) = (inst.kind, inst.partial, self.inst_path(class));
        let span = inst.span.unwrap_or(self.no_span);
        if !matches!(kind, ClassKind::Model | ClassKind::Block | ClassKind::Class) {
            self.report(diagnostics::not_a_model(&name, span));
            return false;
        }
        if partial {
            self.report(diagnostics::partial_model(&name, span));
            return false;
        }
        true
    }

    /// Can a component be of this class?
    pub(crate) fn check_component_class(
        &mut self,
        class: InstId,
        elem: &Elem<'a>,
        clause: &ast::ComponentClause,
    ) {
        let inst = self.inst(class);
        let (kind, partial) = (inst.kind, inst.class.is_some_and(|c| c.partial));
        let path = self.inst_path(class);
        let declared = inst.span.unwrap_or(self.no_span);
        if partial && !elem.prefix.outer && kind != ClassKind::Function {
            self.report(diagnostics::partial_component(elem.name, &path, clause.type_name.span, declared));
        }
        if matches!(kind, ClassKind::Package | ClassKind::Operator) {
            self.report(diagnostics::component_of_package(elem.name, &path, clause.type_name.span));
        }
    }

    /// `c`, `c.d` or `m.c` with connectors c, d and a component m (MLS 9.1).
    pub(crate) fn check_connector_reference(&mut self, s: &Selection, r: &ast::ComponentRef) -> bool {
        let mut current = s.comps.first().copied();
        for k in (0..r.parts.len()).rev() {
            let Some(comp) = current else { return true };
            current = self.comp(comp).parent;
            let in_bus = current.is_some_and(|p| self.is_expandable(p));
            let must = k > 0 || r.parts.len() == 1;
            if must && !in_bus && !self.is_connector(comp) {
                let path = self.comp_path(comp);
                self.report(diagnostics::not_a_connector(&path, r.span));
                return false;
            }
        }
        true
    }
}
