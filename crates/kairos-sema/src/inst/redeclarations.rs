//! Redeclared elements (MLS 7.3).

use super::{Decl, Elem};
use crate::mods::{Mods, Redeclare};
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
        for redeclare in redeclares.into_iter().rev() {
            let elem = self.elem(e).clone();
            self.check_redeclarable(&elem, span);
            let original = self.new_elem(elem.clone());
            if !elem.prefix.replaceable && !self.only_restricts(&elem, &redeclare) {
                match redeclare {
                    // Whether it is the same class is known when all have been read.
                    Redeclare::Class { .. } => self.repeated_classes.push((original, e, span)),
                    _ => self.report(diagnostics::not_replaceable(elem.name, span, elem.span)),
                }
            }
            self.elems[e.index()] = match redeclare {
                Redeclare::Class { class, scope, replaceable, constraining } => {
                    let prefix = ElementPrefix { replaceable, ..elem.prefix };
                    let span = class.name.span;
                    let constraining = constraining.map(|c| (c, scope)).or(elem.constraining);
                    let (decl, replaced) = (Decl::Class(class), Some(original));
                    Elem { decl, scope, prefix, replaced, constraining, span, ..elem }
                }
                Redeclare::Component { clause, component, scope } => Elem {
                    decl: Decl::Component(clause, component),
                    scope,
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
    fn only_restricts(&self, elem: &Elem<'a>, redeclare: &Redeclare<'a>) -> bool {
        match (&elem.decl, redeclare) {
            (Decl::Component(old, _), Redeclare::Component { clause, .. }) => {
                self.same_text(old.type_name.span, clause.type_name.span)
            }
            _ => false,
        }
    }

    /// The modifiers of the constraining clause, or of the first declaration where there is none: they hold for the
    /// declaration and survive redeclaration, except what the new class says itself (MLS 7.3.2).
    pub(super) fn constraining_mods(&mut self, elem: &Elem<'a>, class: &'a Class) -> Mods<'a> {
        let first = std::iter::successors(elem.replaced, |e| self.elem(*e).replaced).last();
        let first = first.map(|e| (self.elem(e).decl.clone(), self.elem(e).scope));
        let limit = match (elem.constraining, first) {
            (Some((constraining, scope)), _) => {
                self.arguments(&constraining.mods, scope, constraining.base.span)
            }
            (None, Some((Decl::Class(Class { body: ClassBody::Short(short), .. }), scope))) => {
                self.arguments(&short.mods, scope, short.base.span)
            }
            _ => return Mods::none(),
        };
        let own = match &class.body {
            ClassBody::Short(short) => self.arguments(&short.mods, elem.scope, short.base.span),
            _ => Mods::none(),
        };
        limit.left_open_by(&own)
    }
}
