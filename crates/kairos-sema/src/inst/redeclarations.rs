//! Redeclared elements (MLS 7.3).

use super::{Decl, Elem};
use crate::mods::{Declared, Mods};
use crate::{ElemId, Sema, diagnostics};
use kairos_syntax::ast::{Class, ClassBody, ElementPrefix};

impl<'a> Sema<'a> {
    /// Replaces the declaration of an element by the redeclarations in its modification, innermost first.
    pub(super) fn apply_redeclare(&mut self, e: ElemId) {
        if self.elem(e).redeclares {
            return;
        }
        let redeclares = self.elem(e).mods.redeclares().to_vec();
        if redeclares.is_empty() {
            return;
        }
        self.elems[e.index()].mods = self.elem(e).mods.without_redeclare();
        let span = self.elem(e).mods.node().map_or(self.elem(e).span, |n| n.span);
        let mut overridden = false;
        for redeclare in redeclares.into_iter().rev() {
            let elem = self.elem(e).clone();
            self.check_redeclarable(&elem, span);
            let original = self.new_elem(elem.clone());
            let beneath = self.merge(&redeclare.beneath, &elem.beneath);
            let replaceable = elem.prefix.replaceable || overridden;
            overridden = replaceable && redeclare.of_part;
            let redeclare = redeclare.what;
            if !replaceable && !self.only_restricts(&elem, &redeclare) {
                match redeclare {
                    // Whether it is the same class is known when all have been read.
                    Declared::Class { .. } => self.repeated_classes.push((original, e, span)),
                    _ => self.report(diagnostics::not_replaceable(elem.name, span, elem.span)),
                }
            }
            self.elems[e.index()] = match redeclare {
                Declared::Class { class, scope, replaceable, constraining } => {
                    let prefix = ElementPrefix { replaceable, ..elem.prefix };
                    let span = class.name.span;
                    let constraining = constraining.map(|c| (c, scope)).or(elem.constraining);
                    let (decl, replaced) = (Decl::Class(class), Some(original));
                    // The redeclaration before this one has a constraining class of its own.
                    let stated = |e: &Elem<'a>| e.constraining.map(|(c, _)| std::ptr::from_ref(c));
                    if elem.replaced.is_some_and(|older| stated(self.elem(older)) != stated(&elem)) {
                        self.narrowed_classes.push(e);
                    }
                    Elem { decl, scope, beneath, prefix, replaced, constraining, span, ..elem }
                }
                Declared::Component { clause, component, scope, index } => Elem {
                    index,
                    decl: Decl::Component(clause, component),
                    scope,
                    beneath,
                    prefix: ElementPrefix {
                        replaceable: clause.prefix.replaceable,
                        inner: clause.prefix.inner || elem.prefix.inner,
                        outer: clause.prefix.outer || elem.prefix.outer,
                        is_final: clause.prefix.is_final || elem.prefix.is_final,
                        ..elem.prefix
                    },
                    constraining: clause.constraining.as_deref().map(|c| (c, scope)).or(elem.constraining),
                    replaced: Some(original),
                    span: component.name.span,
                    ..elem
                },
            };
        }
    }

    /// Only a new type asks for a replaceable element; the same one may give sizes, or restrict (MLS 7.3.4).
    fn only_restricts(&self, elem: &Elem<'a>, redeclare: &Declared<'a>) -> bool {
        match (&elem.decl, redeclare) {
            (Decl::Component(old, _), Declared::Component { clause, .. }) => {
                self.same_text(old.type_name.span, clause.type_name.span)
            }
            _ => false,
        }
    }

    /// What holds for a class element besides what surrounds it and what its class says itself (MLS 7.3.2).
    pub(super) fn class_mods(&mut self, elem: &Elem<'a>, class: &'a Class) -> Mods<'a> {
        let own = match &class.body {
            ClassBody::Short(short) => self.arguments(&short.mods, elem.scope, short.base.span),
            _ => Mods::none(),
        };
        let beneath = elem.beneath.left_open_by(&own);
        let limit = self.constraining_mods(elem).left_open_by(&own);
        self.merge(&beneath, &limit.left_open_by(&beneath))
    }

    /// The modifiers of the constraining type: they hold for the declaration and survive redeclaration. A redeclaration
    /// that has a constraining clause of its own adds to those of the one that it replaces; the first declaration's
    /// own modifiers count where it has no clause (MLS 7.3.2).
    pub(crate) fn constraining_mods(&mut self, elem: &Elem<'a>) -> Mods<'a> {
        let mut limit = Mods::none();
        let mut at = elem.clone();
        loop {
            let older = at.replaced.map(|e| self.elem(e).clone());
            let inherited = older.as_ref().and_then(|o| o.constraining).map(|(c, _)| c);
            let further = match (at.constraining, &older) {
                (Some((c, _)), _) if inherited.is_some_and(|i| std::ptr::eq(i, c)) => Mods::none(),
                (Some((c, scope)), _) => self.arguments(&c.mods, scope, c.base.span),
                (None, None) if elem.replaced.is_some() => self.declaration_mods(&at),
                _ => Mods::none(),
            };
            limit = self.merge(&limit, &further.left_open_by(&limit));
            match older {
                Some(older) => at = older,
                None => return limit,
            }
        }
    }

    /// The modifiers that a declaration itself has.
    fn declaration_mods(&mut self, elem: &Elem<'a>) -> Mods<'a> {
        match elem.decl {
            Decl::Component(_, component) => self.modification(component.modification.as_ref(), elem.scope),
            Decl::Class(Class { body: ClassBody::Short(short), .. }) => {
                self.arguments(&short.mods, elem.scope, short.base.span)
            }
            _ => Mods::none(),
        }
    }
}
