//! Class instances: a class with the modifications it is used under, and the table of its elements.

mod elements;
mod inheritance;
mod redeclarations;

use crate::mods::{self, Mods};
use crate::name_map::NameMap;
use crate::{CompId, ElemId, InstId, Sema, diagnostics};
use inheritance::merge_prefix;
use kairos_base::{Name, Span, limits};
use kairos_expr::{EnumId, Scalar};
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

impl Basic {
    /// The type of its values; external objects of different classes, which have these names, are different.
    pub(crate) fn scalar(self, name: Name) -> Scalar {
        match self {
            Basic::Real => Scalar::Real,
            Basic::Integer => Scalar::Int,
            Basic::Boolean => Scalar::Bool,
            Basic::String => Scalar::Str,
            Basic::Clock => Scalar::Clock,
            Basic::Enumeration(e) => Scalar::Enum(e),
            Basic::ExternalObject => Scalar::Object(name),
        }
    }
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
    /// What was said of the elements that it replaces: less than what it says itself.
    pub beneath: Mods<'a>,
    /// Subscripts that pick the part of its own values for one element of an array of components.
    pub index: Vec<u32>,
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
            if self.insts.len() > limits::CLASSES + limits::BASES * self.comps.len() {
                if !self.endless && !self.recursive {
                    let span = class.name.span;
                    self.report(diagnostics::too_large("the model", limits::CLASSES, "base classes", span));
                }
                (self.endless, self.recursive) = (true, true);
            } else if self.expand_depth > MAX_EXPANSION {
                let (name, span) = (class.name.name, class.name.span);
                let same = |i: &&Inst| {
                    i.progress == Progress::Expanding && i.class.is_some_and(|c| std::ptr::eq(c, class))
                };
                self.report(match self.insts.iter().filter(same).count() {
                    0 | 1 => diagnostics::too_deep(&format!("`{name}` is inherited"), MAX_EXPANSION, span),
                    _ => diagnostics::cyclic_inheritance(name, span),
                });
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
        // Some of them may have been read by the time the bases are known.
        let members = std::mem::take(&mut self.insts[id.index()].elements);
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
