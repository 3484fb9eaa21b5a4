//! Base classes: their elements become those of the class that extends them.

use super::Decl;
use crate::mods::{self, Declared, Mods, Redeclare};
use crate::{ElemId, InstId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_syntax::ast::{self, ClassKind, TypePrefix};

impl<'a> Sema<'a> {
    pub(super) fn expand_extends(&mut self, id: InstId, extends: &'a ast::Extends, redeclared: &[ElemId]) {
        self.check_base_name(id, &extends.base);
        let Some(base) = self.lookup_base(id, &extends.base, Some(id)) else { return };
        let general = base;
        if self.inst(base).kind == ClassKind::OperatorRecord {
            self.report(diagnostics::operator_record_extended(&self.inst_path(base), extends.base.span));
        }
        let own = self.arguments(&extends.mods, id, extends.base.span);
        let base = self.expand_base(id, base, own, redeclared);
        // An icon in the wrong kind of class adds nothing that could be wrong (MLS 7.1.4: empty classes).
        if !self.is_empty(base) {
            self.check_base_kind(id, general, extends.base.span);
        }
        self.insts[base.index()].broken = extends.breaks.iter().collect();
        self.insts[base.index()].span = Some(extends.base.span);
        self.remove_broken(id, extends);
    }

    /// Inherits from `base` under the modifiers of the extends clause and what surrounds it.
    pub(super) fn expand_base(
        &mut self,
        id: InstId,
        base: InstId,
        own: Mods<'a>,
        redeclared: &[ElemId],
    ) -> InstId {
        let mut own = own;
        // Redeclarations in the body act like modifiers on what is inherited (MLS 7.3.1).
        for &e in redeclared {
            let elem = self.elem(e).clone();
            let redeclare = match elem.decl {
                Decl::Class(class) => {
                    let replaceable = elem.prefix.replaceable;
                    let constraining = elem.constraining.map(|(c, _)| c);
                    Declared::Class { class, scope: id, replaceable, constraining }
                }
                Decl::Component(clause, component) => {
                    Declared::Component { clause, component, scope: id, index: Vec::new() }
                }
                Decl::Unread => continue,
            };
            let node = mods::ModNode {
                span: elem.span,
                each: false,
                is_final: elem.prefix.is_final,
                value: None,
                subs: Vec::new(),
                redeclares: vec![Redeclare { what: redeclare, beneath: Mods::none(), of_part: false }],
            };
            let redeclaration = Mods::none().with_sub(elem.name, Mods::new(node), elem.span);
            own = self.merge(&redeclaration, &own);
        }
        let outer = self.inst(id).mods.clone();
        let mods = self.merge(&outer, &own);
        self.inherit(id, base, &mods)
    }

    /// Takes away what `extends A(break x)` leaves out (MLS 7.4).
    fn remove_broken(&mut self, id: InstId, extends: &'a ast::Extends) {
        let removed: Vec<Name> = extends
            .breaks
            .iter()
            .filter_map(|b| match b {
                ast::Break::Component(name) => Some(name.name),
                ast::Break::Connect(..) => None,
            })
            .collect();
        if !removed.is_empty() {
            let me = &mut self.insts[id.index()];
            removed.iter().for_each(|n| {
                me.table.remove(n);
            });
            let keep: Vec<ElemId> = me
                .elements
                .clone()
                .into_iter()
                .filter(|e| !removed.contains(&self.elems[e.index()].name))
                .collect();
            self.insts[id.index()].elements = keep;
        }
    }

    /// Makes `base` a base of `id` under `mods`, and takes over its elements.
    pub(super) fn inherit(&mut self, id: InstId, base: InstId, mods: &Mods<'a>) -> InstId {
        let comp = self.inst(id).comp;
        let base = if self.is_expanding(base) {
            let (span, name) = (self.inst(id).span, self.inst(base).name);
            if let Some(span) = span {
                self.report(diagnostics::cyclic_inheritance(name, span));
            }
            return base;
        } else {
            self.specialise(base, mods, comp)
        };
        let inherited = self.inst(base).elements.clone();
        for e in inherited {
            let name = self.elem(e).name;
            match self.inst(id).table.get(&name).copied() {
                None => {
                    let me = &mut self.insts[id.index()];
                    me.table.insert(name, e);
                    me.elements.push(e);
                }
                Some(old) if self.elem(old).redeclares && self.elem(old).scope == id => {
                    self.insts[id.index()].table.insert(name, e);
                    self.insts[id.index()].elements.push(e);
                }
                Some(old) => self.check_same_element(e, old),
            }
        }
        let from = self.inst(base);
        let (basic, dims, prefix, kind) = (from.basic, from.dims.clone(), from.prefix, from.kind);
        let me = &mut self.insts[id.index()];
        me.bases.push(base);
        me.basic = me.basic.or(basic);
        me.dims.extend(dims);
        merge_prefix(&mut me.prefix, prefix);
        if me.kind == ClassKind::Class || (me.kind == ClassKind::Record && kind == ClassKind::OperatorRecord)
        {
            me.kind = kind;
        }
        base
    }

    /// An element inherited twice must be the same declaration (MLS 7.1).
    fn check_same_element(&mut self, new: ElemId, old: ElemId) {
        let (a, b) = (self.elem(new), self.elem(old));
        let same = match (&a.decl, &b.decl) {
            (Decl::Class(x), Decl::Class(y)) => {
                // Replaceable classes of one name may carry different annotations; what counts is what they become.
                std::ptr::eq(*x, *y)
                    || (a.prefix.replaceable && b.prefix.replaceable)
                    || self.same_text(x.span, y.span)
            }
            (Decl::Component(c, x), Decl::Component(d, y)) => {
                std::ptr::eq(*x, *y)
                    || (self.same_text(a.span, b.span)
                        && (self.same_text(c.type_name.span, d.type_name.span)
                            || self.same_type_name(&c.type_name, &d.type_name))
                        && x.dims.len() + c.dims.len() == y.dims.len() + d.dims.len())
            }
            (Decl::Unread, Decl::Unread) => true,
            _ => false,
        };
        if !same {
            let (name, s, t) = (a.name, a.span, b.span);
            self.report(diagnostics::duplicate_element(name, s, t));
        }
    }

    /// Names that end alike may be written from different scopes.
    fn same_type_name(&self, a: &ast::Path, b: &ast::Path) -> bool {
        a.parts.last().map(|p| p.name) == b.parts.last().map(|p| p.name)
    }

    pub(super) fn same_text(&self, a: Span, b: Span) -> bool {
        let sources = self.lib.sources();
        let words = |s| sources.slice(s).split_whitespace().collect::<Vec<_>>();
        words(a) == words(b)
    }
}

pub(super) fn merge_prefix(own: &mut TypePrefix, inherited: TypePrefix) {
    own.flow |= inherited.flow;
    own.stream |= inherited.stream;
    own.variability = own.variability.or(inherited.variability);
    own.direction = own.direction.or(inherited.direction);
}
