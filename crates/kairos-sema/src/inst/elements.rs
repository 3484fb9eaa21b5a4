//! The elements of a class instance: entered by name, and the classes that they are.

use super::{Decl, Elem, is_class_extends};
use crate::mods::Mods;
use crate::{ElemId, InstId, Sema, diagnostics};
use kairos_base::Name;
use kairos_syntax::ast::{self, Class, ClassBody, ClassKind, ElementPrefix, TypePrefix};

impl<'a> Sema<'a> {
    pub(super) fn enter(&mut self, id: InstId, e: ElemId) {
        let (name, span) = (self.elem(e).name, self.elem(e).span);
        if let Some(&old) = self.inst(id).table.get(&name) {
            let old = self.elem(old).span;
            self.report(diagnostics::duplicate_element(name, span, old));
            return;
        }
        self.overdetermined |= name == Name::EQUALITY_CONSTRAINT;
        self.insts[id.index()].table.insert(name, e);
    }

    pub(super) fn unread_element(&mut self, id: InstId, class: &'a Class, name: Name) {
        if self.inst(id).table.contains_key(&name) {
            return;
        }
        let e = self.new_elem(Elem {
            name,
            decl: Decl::Unread,
            scope: id,
            mods: self.inst(id).mods.sub(name),
            beneath: Mods::none(),
            index: Vec::new(),
            prefix: ElementPrefix::default(),
            protected: false,
            constraining: None,
            replaced: None,
            span: class.name.span,
            inst: None,
            redeclares: false,
        });
        self.overdetermined |= name == Name::EQUALITY_CONSTRAINT;
        self.insts[id.index()].table.insert(name, e);
        self.insts[id.index()].elements.push(e);
    }

    pub(super) fn class_element(
        &mut self,
        id: InstId,
        element: &'a ast::Element,
        c: &'a ast::ClassElement,
    ) -> ElemId {
        let name = c.class.name.name;
        let elem = Elem {
            name,
            decl: Decl::Class(&c.class),
            scope: id,
            mods: self.inst(id).mods.sub(name),
            beneath: Mods::none(),
            index: Vec::new(),
            prefix: c.prefix,
            protected: element.protected,
            constraining: c.constraining.as_deref().map(|c| (c, id)),
            replaced: None,
            span: c.class.name.span,
            inst: None,
            redeclares: c.prefix.redeclare || is_class_extends(&c.class),
        };
        let e = self.new_elem(elem);
        self.apply_redeclare(e);
        e
    }

    pub(super) fn component_elements(
        &mut self,
        id: InstId,
        element: &'a ast::Element,
        clause: &'a ast::ComponentClause,
    ) -> Vec<ElemId> {
        let mut list = Vec::with_capacity(clause.components.len());
        for component in &clause.components {
            let name = component.name.name;
            let elem = Elem {
                name,
                decl: Decl::Component(clause, component),
                scope: id,
                mods: self.inst(id).mods.sub(name),
                beneath: Mods::none(),
                index: Vec::new(),
                prefix: clause.prefix,
                protected: element.protected,
                constraining: clause.constraining.as_deref().map(|c| (c, id)),
                replaced: None,
                span: component.name.span,
                inst: None,
                redeclares: clause.prefix.redeclare,
            };
            let e = self.new_elem(elem);
            self.apply_redeclare(e);
            list.push(e);
        }
        list
    }

    pub(super) fn new_elem(&mut self, elem: Elem<'a>) -> ElemId {
        self.elems.push(elem);
        ElemId::new(self.elems.len() - 1)
    }

    /// The instance of a class element.
    pub(crate) fn elem_class(&mut self, e: ElemId) -> Option<InstId> {
        if let Some(inst) = self.elem(e).inst {
            return Some(inst);
        }
        let elem = self.elem(e).clone();
        let class = match elem.decl {
            Decl::Class(class) => class,
            Decl::Unread => {
                let package = self.inst(elem.scope).class?;
                let class = self.lib.member(package, elem.name)?;
                self.elems[e.index()].decl = Decl::Class(class);
                self.elems[e.index()].span = class.name.span;
                class
            }
            Decl::Component(..) => return None,
        };
        if let Some(inner) = self.inner_class(&elem) {
            self.elems[e.index()].inst = Some(inner);
            return Some(inner);
        }
        let beneath = self.class_mods(&elem, class);
        // MLS 7.2.6: objects of a final class have modifiers of their own.
        let mods = self.merge(&elem.mods, &beneath).of_objects();
        if let Some(alias) = self.plain_alias(class, &mods, elem.scope) {
            self.elems[e.index()].inst = Some(alias);
            self.expand(alias);
            if elem.constraining.is_some() && self.inst(alias).kind != ClassKind::Package {
                self.check_constraint(alias, &elem);
            }
            return Some(alias);
        }
        let inst = self.new_inst(Some(class), Some(elem.scope), mods, None);
        self.elems[e.index()].inst = Some(inst);
        if is_class_extends(class)
            && let Some(original) = elem.replaced
        {
            self.insts[inst.index()].extends_replaced = Some(original);
        }
        self.expand(inst);
        if elem.prefix.replaceable || elem.replaced.is_some() {
            self.check_constraint(inst, &elem);
        }
        Some(inst)
    }

    /// For `outer function f`: the class of that name that the instance hierarchy declares inner (MLS 5.4).
    fn inner_class(&mut self, elem: &Elem<'a>) -> Option<InstId> {
        if !elem.prefix.outer || elem.prefix.inner {
            return None;
        }
        let mut up = self.inst(elem.scope).comp.and_then(|c| self.comp(c).parent);
        while let Some(at) = up {
            if let Some(class) = self.comp(at).class
                && let Some(&e) = self.inst(class).table.get(&elem.name)
                && self.elem(e).prefix.inner
                && self.elem(e).is_class()
            {
                return self.elem_class(e);
            }
            up = self.comp(at).parent;
        }
        None
    }

    /// `package A = B` without modifications is the same package, so that its constants and functions are shared.
    fn plain_alias(&mut self, class: &'a Class, mods: &Mods<'a>, scope: InstId) -> Option<InstId> {
        let ClassBody::Short(short) = &class.body else { return None };
        let plain = mods.is_none() && short.mods.is_empty() && short.dims.is_empty();
        if !plain || short.prefix != TypePrefix::default() {
            return None;
        }
        if matches!(class.kind, ClassKind::Connector | ClassKind::ExpandableConnector | ClassKind::Type) {
            return None;
        }
        self.alias_depth += 1;
        let found = if self.alias_depth > 100 {
            self.report(diagnostics::cyclic_inheritance(class.name.name, class.name.span));
            None
        } else {
            self.lookup_base(scope, &short.base, None)
        };
        self.alias_depth -= 1;
        if let Some(base) = found {
            self.check_alias_kind(class, base, short.base.span);
        }
        found
    }
}
