//! Class instances: a class with the modifications it is used under, and the table of its elements.

use crate::mods::{self, Mods, Redeclare};
use crate::name_map::NameMap;
use crate::{CompId, ElemId, InstId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::EnumId;
use kairos_syntax::ast::{self, Class, ClassBody, ClassKind, ElementKind, ElementPrefix, TypePrefix};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basic {
    Real,
    Integer,
    Boolean,
    String,
    Clock,
    Enumeration(EnumId),
    /// The predefined base of external objects.
    ExternalObject,
}

/// Classes within bases within classes deeper than this contain themselves.
const MAX_EXPANSION: usize = 200;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    New,
    Expanding,
    Done,
}

pub struct Inst<'a> {
    pub class: Option<&'a Class>,
    pub name: Name,
    pub kind: ClassKind,
    /// The lexically enclosing class.
    pub parent: Option<InstId>,
    pub mods: Mods<'a>,
    /// The component (or the package itself) that this class describes.
    pub comp: Option<CompId>,
    progress: Progress,
    /// Own and inherited elements, in order.
    pub elements: Vec<ElemId>,
    pub table: NameMap<ElemId>,
    pub imports: Vec<&'a ast::Import>,
    pub bases: Vec<InstId>,
    /// Set when this is one of the predefined types, perhaps with attributes.
    pub basic: Option<Basic>,
    /// Dimensions that a `type A = B[n]` adds, with the scope of their expressions.
    pub dims: Vec<(&'a ast::Subscript, InstId)>,
    pub prefix: TypePrefix,
    pub partial: bool,
    /// `extends B(break x, break connect(a, b))`: what this inherited class leaves out.
    pub broken: Vec<&'a ast::Break>,
    /// For `model extends A`: the inherited element that this class replaces and extends.
    pub extends_replaced: Option<ElemId>,
    /// Where the extends clause or the definition stands.
    pub span: Option<Span>,
}

#[derive(Clone)]
pub enum Decl<'a> {
    Class(&'a Class),
    /// A member of a folder package that is not read yet.
    Unread,
    Component(&'a ast::ComponentClause, &'a ast::Component),
}

/// A named element of a class instance.
#[derive(Clone)]
pub struct Elem<'a> {
    pub name: Name,
    pub decl: Decl<'a>,
    /// The instance whose text declares it: names in the declaration are looked up there.
    pub scope: InstId,
    /// What surrounding classes say about it.
    pub mods: Mods<'a>,
    pub prefix: ElementPrefix,
    pub protected: bool,
    pub constraining: Option<(&'a ast::Constraining, InstId)>,
    /// For `class extends` and redeclarations: the element that it replaces.
    pub replaced: Option<ElemId>,
    pub span: Span,
    /// The instance of a class element, once made.
    pub inst: Option<InstId>,
    /// A redeclaration in a class body: it acts as a modifier on the inherited element of this name.
    pub redeclares: bool,
}

impl<'a> Elem<'a> {
    pub fn is_class(&self) -> bool {
        !matches!(self.decl, Decl::Component(..))
    }
}

impl<'a> Sema<'a> {
    pub(crate) fn inst(&self, id: InstId) -> &Inst<'a> {
        &self.insts[id.index()]
    }

    pub(crate) fn elem(&self, id: ElemId) -> &Elem<'a> {
        &self.elems[id.index()]
    }

    pub(crate) fn new_inst(
        &mut self,
        class: Option<&'a Class>,
        parent: Option<InstId>,
        mods: Mods<'a>,
        comp: Option<CompId>,
    ) -> InstId {
        let id = InstId::new(self.insts.len());
        self.buses |= class.is_some_and(|c| c.kind == ClassKind::ExpandableConnector);
        self.insts.push(Inst {
            class,
            name: class.map_or(Name::EMPTY, |c| c.name.name),
            kind: class.map_or(ClassKind::Package, |c| c.kind),
            parent,
            mods,
            comp,
            progress: Progress::New,
            elements: Vec::new(),
            table: NameMap::default(),
            imports: Vec::new(),
            bases: Vec::new(),
            basic: None,
            dims: Vec::new(),
            prefix: TypePrefix::default(),
            partial: class.is_some_and(|c| c.partial),
            broken: Vec::new(),
            extends_replaced: None,
            span: class.map(|c| c.name.span),
        });
        id
    }

    /// The same class under further modifications, as the class of a component.
    pub(crate) fn specialise(&mut self, base: InstId, mods: &Mods<'a>, comp: Option<CompId>) -> InstId {
        let merged = self.merge(mods, &self.inst(base).mods.clone());
        let (class, parent) = (self.inst(base).class, self.inst(base).parent);
        let (basic, name, kind) = (self.inst(base).basic, self.inst(base).name, self.inst(base).kind);
        let id = self.new_inst(class, parent, merged, comp);
        self.insts[id.index()].extends_replaced = self.inst(base).extends_replaced;
        if class.is_none() {
            self.insts[id.index()].basic = basic;
            self.insts[id.index()].name = name;
            self.insts[id.index()].kind = kind;
        }
        self.expand(id);
        id
    }

    pub(crate) fn merge(&mut self, outer: &Mods<'a>, inner: &Mods<'a>) -> Mods<'a> {
        let mut clashes = Vec::new();
        let merged = outer.over(inner, &mut |new, old| clashes.push((new, old)));
        for (new, old) in clashes {
            self.report(diagnostics::final_modified(new, old));
        }
        merged
    }

    pub(crate) fn arguments(&mut self, args: &'a [ast::Argument], scope: InstId, span: Span) -> Mods<'a> {
        let mut twice = Vec::new();
        let mods = mods::from_arguments(args, scope, span, &mut |n, a, b| twice.push((n, a, b)));
        twice.into_iter().for_each(|(n, a, b)| self.report(diagnostics::modified_twice(n, a, b)));
        mods
    }

    pub(crate) fn modification(&mut self, m: Option<&'a ast::Modification>, scope: InstId) -> Mods<'a> {
        let mut twice = Vec::new();
        let mods = mods::from_modification(m, scope, &mut |n, a, b| twice.push((n, a, b)));
        twice.into_iter().for_each(|(n, a, b)| self.report(diagnostics::modified_twice(n, a, b)));
        mods
    }

    /// Fills the element table. While it runs, lookups in this instance see what is there already.
    pub(crate) fn expand(&mut self, id: InstId) {
        if self.inst(id).progress != Progress::New {
            return;
        }
        self.insts[id.index()].progress = Progress::Expanding;
        if let Some(class) = self.inst(id).class {
            self.expand_depth += 1;
            if self.expand_depth > MAX_EXPANSION {
                self.report(diagnostics::cyclic_inheritance(class.name.name, class.name.span));
                self.endless = true;
            } else if !self.endless {
                self.expand_body(id, class);
            }
            self.expand_depth -= 1;
            self.endless &= self.expand_depth > 0;
        }
        self.insts[id.index()].progress = Progress::Done;
    }

    pub(crate) fn is_expanding(&self, id: InstId) -> bool {
        self.inst(id).progress == Progress::Expanding
    }

    fn expand_body(&mut self, id: InstId, class: &'a Class) {
        match &class.body {
            ClassBody::Long(body) => {
                if self.checked_bodies.insert(class) {
                    self.check_body(class);
                }
                self.expand_long(id, class, body);
            }
            ClassBody::Short(short) => {
                let parent = self.inst(id).parent.unwrap_or(self.root);
                let span = class.span;
                let own = self.arguments(&short.mods, parent, span);
                let Some(base) = self.lookup_base(parent, &short.base, Some(id)) else { return };
                let outer = self.inst(id).mods.clone();
                let mods = self.merge(&outer, &own);
                self.inherit(id, base, &mods);
                let me = &mut self.insts[id.index()];
                // The dimensions of an array of `B` come before those of `B` itself.
                me.dims.splice(0..0, short.dims.iter().map(|d| (d, parent)));
                merge_prefix(&mut me.prefix, short.prefix);
            }
            ClassBody::Enumeration(literals, _) => {
                let literals = literals.as_deref().unwrap_or(&[]);
                let names: Vec<Name> = literals.iter().map(|l| l.name.name).collect();
                for (i, literal) in literals.iter().enumerate() {
                    // MLS 4.9.5: the attributes of enumerations are no literals.
                    if matches!(literal.name.name.as_str(), "quantity" | "min" | "max" | "start" | "fixed") {
                        self.report(diagnostics::attribute_as_literal(literal.name.name, literal.name.span));
                    }
                    if let Some(first) = names[..i].iter().position(|n| *n == literal.name.name) {
                        let old = literals[first].name.span;
                        self.report(diagnostics::duplicate_element(
                            literal.name.name,
                            literal.name.span,
                            old,
                        ));
                    }
                }
                let enumeration = self.enumeration(id, class, names);
                self.insts[id.index()].basic = Some(Basic::Enumeration(enumeration));
            }
            ClassBody::Derivative(..) => {}
        }
    }

    fn expand_long(&mut self, id: InstId, class: &'a Class, body: &'a ast::Composition) {
        // Own names first: they are what the lookup of base classes may see (MLS 5.6.1.4).
        let mut redeclared = Vec::new();
        let mut order: Vec<Result<Vec<ElemId>, (&'a ast::Extends, bool)>> = Vec::new();
        for element in &body.elements {
            match &element.kind {
                ElementKind::Import(import) => {
                    self.check_import(id, import);
                    self.insts[id.index()].imports.push(import);
                }
                ElementKind::Extends(extends) => order.push(Err((extends, element.protected))),
                ElementKind::Class(c) => {
                    let redeclares = c.prefix.redeclare || is_class_extends(&c.class);
                    let e = self.class_element(id, element, c);
                    match redeclares {
                        true => redeclared.push(e),
                        false => order.push(Ok(vec![e])),
                    }
                }
                ElementKind::Components(clause) => {
                    let list = self.component_elements(id, element, clause);
                    match clause.prefix.redeclare {
                        true => redeclared.extend(list),
                        false => order.push(Ok(list)),
                    }
                }
            }
        }
        for e in order.iter().flatten().flatten().copied() {
            self.enter(id, e);
        }
        for name in self.lib.member_names(class) {
            self.unread_element(id, class, name);
        }
        // The redeclared names can be found while the bases are looked up.
        for &e in &redeclared {
            let name = self.elem(e).name;
            if !self.inst(id).table.contains_key(&name) {
                self.insts[id.index()].table.insert(name, e);
            }
        }
        let own = std::mem::take(&mut self.insts[id.index()].elements);
        let mut all: Vec<ElemId> = Vec::new();
        if let Some(original) = self.inst(id).extends_replaced
            && let Some(base) = self.elem_class(original)
        {
            // `model extends A`: the inherited class of the same name is the first base (MLS 7.3.1).
            let args = body.extends_modifier.as_deref().unwrap_or(&[]);
            let own = self.arguments(args, id, class.name.span);
            self.expand_base(id, base, own, &redeclared);
            all.extend(std::mem::take(&mut self.insts[id.index()].elements));
        }
        for item in order {
            match item {
                Ok(list) => all.extend(list),
                Err((extends, protected)) => {
                    self.expand_extends(id, extends, &redeclared);
                    let inherited = std::mem::take(&mut self.insts[id.index()].elements);
                    if protected {
                        inherited.iter().for_each(|e| self.elems[e.index()].protected = true);
                    }
                    all.extend(inherited);
                }
            }
        }
        let members: Vec<ElemId> =
            own.into_iter().filter(|e| matches!(self.elem(*e).decl, Decl::Unread)).collect();
        all.extend(members);
        for e in redeclared {
            let name = self.elem(e).name;
            let known = all.iter().copied().find(|x| self.elem(*x).name == name);
            if let Some(old) = known {
                self.check_same_visibility(e, old);
            } else {
                let span = self.elem(e).span;
                self.report(diagnostics::nothing_to_redeclare(name, span));
                all.push(e);
            }
        }
        self.insts[id.index()].elements = all;
        self.check_simple_base(id, class);
    }

    fn expand_extends(&mut self, id: InstId, extends: &'a ast::Extends, redeclared: &[ElemId]) {
        self.check_base_name(id, &extends.base);
        let Some(base) = self.lookup_base(id, &extends.base, Some(id)) else { return };
        self.check_base_kind(id, base, extends.base.span);
        if self.inst(base).kind == ClassKind::OperatorRecord {
            self.report(diagnostics::operator_record_extended(&self.inst_path(base), extends.base.span));
        }
        let own = self.arguments(&extends.mods, id, extends.base.span);
        let base = self.expand_base(id, base, own, redeclared);
        self.insts[base.index()].broken = extends.breaks.iter().collect();
        self.insts[base.index()].span = Some(extends.base.span);
        self.remove_broken(id, extends);
    }

    /// Inherits from `base` under the modifiers of the extends clause and what surrounds it.
    fn expand_base(&mut self, id: InstId, base: InstId, own: Mods<'a>, redeclared: &[ElemId]) -> InstId {
        let outer = self.inst(id).mods.clone();
        let mut mods = self.merge(&outer, &own);
        // Redeclarations in the body act like modifiers on what is inherited (MLS 7.3.1).
        for &e in redeclared {
            let elem = self.elem(e).clone();
            let redeclare = match elem.decl {
                Decl::Class(class) => {
                    let replaceable = elem.prefix.replaceable;
                    let constraining = elem.constraining.map(|(c, _)| c);
                    Redeclare::Class { class, scope: id, replaceable, constraining }
                }
                Decl::Component(clause, component) => Redeclare::Component { clause, component, scope: id },
                Decl::Unread => continue,
            };
            let node = mods::ModNode {
                span: elem.span,
                each: false,
                is_final: elem.prefix.is_final,
                value: None,
                subs: Vec::new(),
                redeclares: vec![redeclare],
            };
            mods = mods.with_sub(elem.name, Mods::new(node), elem.span);
        }
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
    fn inherit(&mut self, id: InstId, base: InstId, mods: &Mods<'a>) -> InstId {
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

    fn same_text(&self, a: Span, b: Span) -> bool {
        let sources = self.lib.sources();
        let words = |s| sources.slice(s).split_whitespace().collect::<Vec<_>>();
        words(a) == words(b)
    }

    fn enter(&mut self, id: InstId, e: ElemId) {
        let (name, span) = (self.elem(e).name, self.elem(e).span);
        if let Some(&old) = self.inst(id).table.get(&name) {
            let old = self.elem(old).span;
            self.report(diagnostics::duplicate_element(name, span, old));
            return;
        }
        self.overdetermined |= name == Name::EQUALITY_CONSTRAINT;
        self.insts[id.index()].table.insert(name, e);
    }

    fn unread_element(&mut self, id: InstId, class: &'a Class, name: Name) {
        if self.inst(id).table.contains_key(&name) {
            return;
        }
        let e = self.new_elem(Elem {
            name,
            decl: Decl::Unread,
            scope: id,
            mods: self.inst(id).mods.sub(name),
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

    fn class_element(&mut self, id: InstId, element: &'a ast::Element, c: &'a ast::ClassElement) -> ElemId {
        let name = c.class.name.name;
        let elem = Elem {
            name,
            decl: Decl::Class(&c.class),
            scope: id,
            mods: self.inst(id).mods.sub(name),
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

    fn component_elements(
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

    /// Replaces the declaration of an element by the redeclarations in its modification, innermost first.
    fn apply_redeclare(&mut self, e: ElemId) {
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

    fn new_elem(&mut self, elem: Elem<'a>) -> ElemId {
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
        let beneath = self.constraining_mods(&elem, class);
        let mods = self.merge(&elem.mods.clone(), &beneath);
        if let Some(alias) = self.plain_alias(class, &mods, elem.scope) {
            self.elems[e.index()].inst = Some(alias);
            self.expand(alias);
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

    /// The modifiers of the constraining clause, or of the first declaration where there is none: they hold for the
    /// declaration and survive redeclaration, except what the new class says itself (MLS 7.3.2).
    fn constraining_mods(&mut self, elem: &Elem<'a>, class: &'a Class) -> Mods<'a> {
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

    /// The qualified name of a class instance.
    pub(crate) fn inst_path(&self, id: InstId) -> String {
        let inst = self.inst(id);
        match inst.parent {
            Some(parent) if parent != self.root => format!("{}.{}", self.inst_path(parent), inst.name),
            _ => inst.name.to_string(),
        }
    }

    /// Does `id` equal or inherit from a class with the text of `base`?
    pub(crate) fn inherits(&self, id: InstId, base: &Class) -> bool {
        let inst = self.inst(id);
        inst.class.is_some_and(|c| std::ptr::eq(c, base))
            || inst.bases.iter().any(|b| self.inherits(*b, base))
    }
}

pub(crate) fn is_class_extends(class: &Class) -> bool {
    matches!(&class.body, ClassBody::Long(body) if body.is_class_extends)
}

fn merge_prefix(own: &mut TypePrefix, inherited: TypePrefix) {
    own.flow |= inherited.flow;
    own.stream |= inherited.stream;
    own.variability = own.variability.or(inherited.variability);
    own.direction = own.direction.or(inherited.direction);
}
