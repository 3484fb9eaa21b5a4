//! Component instances, made when a name or the walk over the model first reaches them.

use crate::inst::{Basic, Decl, Elem};
use crate::mods::{Bind, BindExpr, Mods};
use crate::name_map::NameMap;
use crate::resolve::Scope;
use crate::{CompId, ElemId, InstId, Sema, annotations, diagnostics};
use kairos_base::hash::HashSet;
use kairos_base::{Name, Span};
use kairos_expr::{Dim, ExprId, Scalar, Stop, Type, Value};
use kairos_syntax::ast::{self, ClassKind, Direction, ExprKind};
use std::fmt::Write;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Variability {
    Constant,
    Parameter,
    Discrete,
    Continuous,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A variable of a predefined type, perhaps an array.
    Variable(Scalar),
    /// A component with parts.
    Parts,
    /// An array of components with parts; `elements` are in row-major order.
    Array,
    /// Stands for the constants of a package.
    Package,
    /// A declaration in error.
    Broken,
}

/// A lazily computed fact that may depend on itself by mistake.
#[derive(Clone, Debug)]
pub(crate) enum Lazy<T> {
    Unknown,
    Busy,
    Known(T),
}

pub struct Comp<'a> {
    pub name: Name,
    pub parent: Option<CompId>,
    pub elem: Option<ElemId>,
    /// Position in an array of components, from 1.
    pub subscripts: Vec<u32>,
    pub what: What,
    pub dims: Vec<Dim>,
    pub class: Option<InstId>,
    pub mods: Mods<'a>,
    pub variability: Variability,
    pub direction: Option<Direction>,
    pub flow: bool,
    pub stream: bool,
    pub inner: bool,
    /// For an outer component: the inner one it stands for.
    pub outer: Option<CompId>,
    pub protected: bool,
    pub is_final: bool,
    pub disabled: bool,
    /// Declared with a condition, whatever its value.
    pub conditional: bool,
    pub evaluate: bool,
    pub structural: bool,
    pub span: Span,
    pub children: NameMap<CompId>,
    /// The inner sides of `inner outer` parts; `children` has the outer ones.
    pub inner_sides: Option<Box<NameMap<CompId>>>,
    /// All parts in order, once they were asked for.
    pub(crate) parts: Option<Rc<[CompId]>>,
    pub elements: Vec<CompId>,
    /// A connector of an expandable bus that was added by a connect.
    pub virtual_member: bool,
    pub(crate) binding: Lazy<Option<ExprId>>,
    pub(crate) value: Lazy<Box<Result<Value, Stop>>>,
}

const MAX_DEPTH: usize = 120;

impl<'a> Sema<'a> {
    pub fn comp(&self, id: CompId) -> &Comp<'a> {
        &self.comps[id.index()]
    }

    fn push_comp(&mut self, comp: Comp<'a>) -> CompId {
        self.comps.push(comp);
        CompId::new(self.comps.len() - 1)
    }

    fn blank(&self, name: Name, parent: Option<CompId>, span: Span) -> Comp<'a> {
        Comp {
            name,
            parent,
            elem: None,
            subscripts: Vec::new(),
            what: What::Broken,
            dims: Vec::new(),
            class: None,
            mods: Mods::none(),
            variability: Variability::Continuous,
            direction: None,
            flow: false,
            stream: false,
            inner: false,
            outer: None,
            protected: false,
            is_final: false,
            disabled: false,
            conditional: false,
            evaluate: false,
            structural: false,
            span,
            children: NameMap::default(),
            inner_sides: None,
            parts: None,
            elements: Vec::new(),
            virtual_member: false,
            binding: Lazy::Unknown,
            value: Lazy::Unknown,
        }
    }

    /// What its declaration says of a component.
    pub fn description(&self, id: CompId) -> &'a str {
        match self.comp(id).elem.map(|e| &self.elem(e).decl) {
            Some(Decl::Component(_, component)) => {
                component.comment.description.text.as_deref().unwrap_or("")
            }
            _ => "",
        }
    }

    /// The whole model as a component without a name.
    pub(crate) fn root_comp(&mut self, class: InstId, mods: &Mods<'a>) -> CompId {
        let span = self.inst(class).span.unwrap_or(self.no_span);
        let mut comp = self.blank(Name::EMPTY, None, span);
        comp.what = What::Parts;
        let id = self.push_comp(comp);
        let class = self.specialise(class, mods, Some(id));
        self.comps[id.index()].class = Some(class);
        id
    }

    /// The component that stands for a package's constants.
    pub(crate) fn package_comp(&mut self, inst: InstId) -> CompId {
        if let Some(comp) = self.inst(inst).comp {
            return comp;
        }
        let span = self.inst(inst).span.unwrap_or(self.no_span);
        let mut comp = self.blank(Name::new(&self.inst_path(inst)), None, span);
        comp.what = What::Package;
        comp.class = Some(inst);
        let id = self.push_comp(comp);
        self.insts[inst.index()].comp = Some(id);
        let mut todo = self.inst(inst).bases.clone();
        while let Some(base) = todo.pop() {
            if self.inst(base).comp.is_none() {
                self.insts[base.index()].comp = Some(id);
                todo.extend(self.inst(base).bases.iter().copied());
            }
        }
        id
    }

    /// The part called `name`; an outer component shows the parts of its inner one.
    pub fn child(&mut self, comp: CompId, name: Name) -> Option<CompId> {
        let comp = self.comp(comp).outer.unwrap_or(comp);
        if let Some(&child) = self.comp(comp).children.get(&name) {
            return Some(child);
        }
        let class = self.comp(comp).class?;
        let &e = self.inst(class).table.get(&name)?;
        if self.elem(e).is_class() {
            return None;
        }
        let child = self.make_comp(comp, e);
        self.set_child(comp, name, child);
        Some(child)
    }

    pub(crate) fn set_child(&mut self, comp: CompId, name: Name, child: CompId) {
        let comp = &mut self.comps[comp.index()];
        comp.children.insert(name, child);
        comp.parts = None;
    }

    /// All parts in order of declaration.
    pub fn parts(&mut self, comp: CompId) -> Rc<[CompId]> {
        if let Some(known) = &self.comp(comp).parts {
            return known.clone();
        }
        let parts: Rc<[CompId]> = self.find_parts(comp).into();
        self.comps[comp.index()].parts = Some(parts.clone());
        parts
    }

    fn find_parts(&mut self, comp: CompId) -> Vec<CompId> {
        let Some(class) = self.comp(comp).class else { return Vec::new() };
        let names: Vec<Name> = self
            .inst(class)
            .elements
            .iter()
            .filter(|e| !self.elem(**e).is_class())
            .map(|e| self.elem(*e).name)
            .collect();
        let mut parts: Vec<CompId> = names.into_iter().filter_map(|n| self.child(comp, n)).collect();
        // Two declarations of one name, a mistake, are one part.
        if !parts.is_sorted_by(|a, b| a < b) {
            let mut seen = HashSet::default();
            parts.retain(|part| seen.insert(*part));
        }
        let c = self.comp(comp);
        let mut extra: Vec<CompId> =
            c.children.values().copied().filter(|c| self.comp(*c).virtual_member).collect();
        extra.extend(c.inner_sides.iter().flat_map(|sides| sides.values()));
        extra.sort();
        parts.extend(extra);
        parts
    }

    fn depth(&self, comp: CompId) -> usize {
        std::iter::successors(Some(comp), |c| self.comp(*c).parent).count()
    }

    /// `inner outer` makes two components of one name: the inner one for the parts below, with the modifications, and
    /// the outer one for this class (MLS 5.5).
    fn make_inner_outer(&mut self, parent: CompId, e: ElemId) -> CompId {
        let elem = self.elem(e).clone();
        let prefix = ast::ElementPrefix { outer: false, ..elem.prefix };
        self.elems.push(Elem { prefix, ..elem.clone() });
        let inner = self.make_comp(parent, ElemId::new(self.elems.len() - 1));
        let mut comp = self.blank(elem.name, Some(parent), elem.span);
        comp.elem = Some(e);
        let outer = self.push_comp(comp);
        if !self.find_inner(outer, self.comp(parent).parent, &elem) {
            return inner;
        }
        self.set_child(parent, elem.name, outer);
        self.comps[parent.index()].inner_sides.get_or_insert_default().insert(elem.name, inner);
        outer
    }

    fn make_comp(&mut self, parent: CompId, e: ElemId) -> CompId {
        let elem = self.elem(e).clone();
        if elem.prefix.inner && elem.prefix.outer {
            return self.make_inner_outer(parent, e);
        }
        let Decl::Component(clause, component) = elem.decl else { unreachable!("only components are made") };
        let mut comp = self.blank(elem.name, Some(parent), elem.span);
        comp.elem = Some(e);
        comp.protected = elem.protected || self.comp(parent).protected;
        comp.inner = elem.prefix.inner;
        let annotation = component.comment.annotation.as_ref();
        comp.evaluate = annotations::flag(annotation, "Evaluate").unwrap_or(false);
        comp.is_final = elem.prefix.is_final || elem.mods.is_final();
        let id = self.push_comp(comp);
        // Known before its own declaration is read, so that a cycle ends.
        self.set_child(parent, elem.name, id);
        if self.recursive || self.depth(id) > MAX_DEPTH {
            if !self.recursive {
                self.report(diagnostics::cyclic_components(elem.name, elem.span));
            }
            self.recursive = true;
            return id;
        }
        if elem.prefix.outer && self.link_outer(id, parent, &elem) {
            return id;
        }
        let Some(ty) = self.lookup_class(elem.scope, &clause.type_name) else { return id };
        self.check_component_class(ty, &elem, clause);
        self.check_prefixes(ty, clause);
        self.check_final(&elem, ty);
        if elem.replaced.is_some() || elem.constraining.is_some() {
            self.check_constraint(ty, &elem);
        }
        let declared = self.declared_mods(&elem, component);
        let mods = self.merge(&elem.mods, &declared);
        let prefix = self.declared_prefix(&elem, clause);
        self.set_prefixes(id, parent, ty, prefix);
        let original = self.original(&elem);
        // A redeclaration keeps the condition and the dimensions that it does not give itself (MLS 7.3).
        let condition = component.condition.as_deref().map(|c| (c, elem.scope));
        let condition = condition.or_else(|| match original {
            Some((_, old, scope)) => old.condition.as_deref().map(|c| (c, scope)),
            None => None,
        });
        let enabled = match condition {
            Some((condition, scope)) => self.condition_holds(condition, scope),
            None => true,
        };
        self.comps[id.index()].disabled = !enabled;
        self.comps[id.index()].conditional = condition.is_some();
        self.comps[id.index()].mods = mods.clone();
        let mut subs: Vec<(&'a ast::Subscript, InstId)> =
            component.dims.iter().chain(&clause.dims).map(|d| (d, elem.scope)).collect();
        if let (true, Some((old_clause, old, scope))) = (subs.is_empty(), original) {
            subs.extend(old.dims.iter().chain(&old_clause.dims).map(|d| (d, scope)));
        }
        self.expand(ty);
        subs.extend(self.inst(ty).dims.clone());
        match self.inst(ty).basic {
            Some(basic) => {
                self.comps[id.index()].class = Some(ty);
                let name = match basic {
                    Basic::ExternalObject => Name::new(&self.inst_path(ty)),
                    _ => self.inst(ty).name,
                };
                self.comps[id.index()].what = What::Variable(scalar_of(basic, name));
                self.set_dims(id, &subs, enabled);
            }
            None if self.is_external_object(ty) => {
                let name = Name::new(&self.inst_path(ty));
                self.comps[id.index()].class = Some(ty);
                self.comps[id.index()].what = What::Variable(Scalar::Object(name));
            }
            None => {
                if enabled {
                    self.set_dims(id, &subs, enabled);
                }
                self.make_parts(id, ty, &mods);
            }
        }
        if prefix.flow && enabled {
            self.check_flow(id);
        }
        id
    }

    /// The first declaration of an element that was redeclared.
    fn original(&self, elem: &Elem<'a>) -> Option<(&'a ast::ComponentClause, &'a ast::Component, InstId)> {
        let mut earlier = self.elem(elem.replaced?);
        while let Some(older) = earlier.replaced {
            earlier = self.elem(older);
        }
        match earlier.decl {
            Decl::Component(clause, component) => Some((clause, component, earlier.scope)),
            _ => None,
        }
    }

    /// The declaration's own modification, and below it what survives of a replaced one (MLS 7.3.2).
    fn declared_mods(&mut self, elem: &Elem<'a>, component: &'a ast::Component) -> Mods<'a> {
        let mut mods = self.modification(component.modification.as_ref(), elem.scope);
        if let Some((constraining, scope)) = elem.constraining {
            let inner = self.arguments(&constraining.mods, scope, constraining.base.span);
            return self.merge(&mods, &inner.left_open_by(&mods));
        }
        if let Some(original) = elem.replaced {
            let mut original = self.elem(original).clone();
            // Modifiers of an intermediate redeclaration do not survive.
            while let Some(earlier) = original.replaced {
                original = self.elem(earlier).clone();
            }
            if let Decl::Component(_, old) = original.decl {
                let inner = self.modification(old.modification.as_ref(), original.scope);
                mods = self.merge(&mods, &inner);
            }
        }
        mods
    }

    /// The prefixes of a declaration; a redeclaration keeps those that it does not give (MLS 7.3).
    pub(crate) fn declared_prefix(&self, elem: &Elem<'a>, clause: &ast::ComponentClause) -> ast::TypePrefix {
        let mut prefix = clause.type_prefix;
        let mut original = elem.replaced;
        while let Some(e) = original {
            let old = self.elem(e);
            if let Decl::Component(clause, _) = old.decl {
                prefix.flow |= clause.type_prefix.flow;
                prefix.stream |= clause.type_prefix.stream;
                prefix.variability = prefix.variability.or(clause.type_prefix.variability);
                prefix.direction = prefix.direction.or(clause.type_prefix.direction);
            }
            original = old.replaced;
        }
        prefix
    }

    fn set_prefixes(&mut self, id: CompId, parent: CompId, ty: InstId, own: ast::TypePrefix) {
        let class = self.inst(ty).prefix;
        self.check_prefix_conflict(
            id,
            parent,
            ast::TypePrefix {
                flow: own.flow || class.flow,
                stream: own.stream || class.stream,
                direction: own.direction.or(class.direction),
                variability: None,
            },
        );
        let up = self.comp(parent);
        let (flow, stream, up_variability, up_direction) = (up.flow, up.stream, up.variability, up.direction);
        let up_is_package = up.what == What::Package;
        let declared = own.variability.or(class.variability).map(|v| match v {
            ast::Variability::Constant => Variability::Constant,
            ast::Variability::Parameter => Variability::Parameter,
            ast::Variability::Discrete => Variability::Discrete,
        });
        let comp = &mut self.comps[id.index()];
        comp.flow = own.flow || class.flow || flow;
        comp.stream = own.stream || class.stream || stream;
        comp.direction = up_direction.or(own.direction).or(class.direction);
        comp.variability = declared.unwrap_or(Variability::Continuous);
        if !up_is_package {
            comp.variability = comp.variability.min(up_variability);
        }
    }

    fn set_dims(&mut self, id: CompId, subs: &[(&'a ast::Subscript, InstId)], enabled: bool) {
        let mut dims = Vec::with_capacity(subs.len());
        for (k, (sub, scope)) in subs.iter().enumerate() {
            let dim = match sub {
                ast::Subscript::Expr(e) => match self.dimension(e, *scope) {
                    Some(n) => Dim::Known(n),
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
        self.comps[id.index()].dims = dims;
    }

    /// A size: a whole number, or an enumeration or Boolean as index type.
    pub(crate) fn dimension(&mut self, e: &'a ast::Expr, scope: InstId) -> Option<u32> {
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

    /// Is it a field of a class of records, not of one record? The class leaves open what each of them has.
    fn is_field_of_class(&self, id: CompId) -> bool {
        let mut at = id;
        while let Some(up) = self.comp(at).parent {
            let (what, class) = (self.comp(up).what, self.comp(up).class);
            if what == What::Package {
                return class.is_some_and(|class| self.is_record(class));
            }
            at = up;
        }
        false
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
                Err(stop) => {
                    self.report_stop(stop, span, "an array size");
                    Dim::Known(0)
                }
            },
            None => Dim::Known(0),
        }
    }

    fn condition_holds(&mut self, condition: &'a ast::Expr, scope: InstId) -> bool {
        let e = self.expr(&mut Scope::new(scope), condition);
        if self.is_error(e) {
            return true;
        }
        match self.constant(e) {
            Ok(Value::Bool(b)) => b,
            Ok(_) => {
                self.report(diagnostics::not_boolean(condition.span));
                true
            }
            Err(stop) => {
                self.report_stop(stop, condition.span, "the condition of a component");
                true
            }
        }
    }

    fn make_parts(&mut self, id: CompId, ty: InstId, mods: &Mods<'a>) {
        if self.comp(id).disabled {
            // The parts of a disabled component are never reached; its class must still exist.
            self.comps[id.index()].what = What::Parts;
            self.comps[id.index()].class = Some(ty);
            return;
        }
        if self.comp(id).dims.is_empty() {
            let class = self.specialise(ty, mods, Some(id));
            self.comps[id.index()].what = What::Parts;
            self.comps[id.index()].class = Some(class);
            self.check_modified_names(class, mods);
            return;
        }
        self.comps[id.index()].what = What::Array;
        self.comps[id.index()].class = Some(ty);
        let sizes: Vec<u32> = self.comp(id).dims.iter().map(|d| d.known().unwrap_or(0) as u32).collect();
        let count: usize = sizes.iter().map(|s| *s as usize).product();
        let shared = mods.is_uniform().then(|| mods.element(&[]));
        for k in 0..count {
            let index = subscripts_of(k, &sizes);
            let from = self.comp(id);
            let one = Comp {
                what: What::Parts,
                dims: Vec::new(),
                mods: shared.clone().unwrap_or_else(|| mods.element(&index)),
                subscripts: index,
                elem: from.elem,
                variability: from.variability,
                direction: from.direction,
                flow: from.flow,
                stream: from.stream,
                inner: from.inner,
                protected: from.protected,
                is_final: from.is_final,
                ..self.blank(from.name, from.parent, from.span)
            };
            let element = self.push_comp(one);
            let element_mods = self.comp(element).mods.clone();
            let class = self.specialise(ty, &element_mods, Some(element));
            self.comps[element.index()].class = Some(class);
            self.comps[id.index()].elements.push(element);
            if k == 0 {
                self.check_modified_names(class, mods);
            }
        }
    }

    /// Every modified name must exist and be public (MLS 7.2).
    fn check_modified_names(&mut self, class: InstId, mods: &Mods<'a>) {
        for (name, sub) in mods.subs() {
            if let (Some(&e), Some(node)) = (self.inst(class).table.get(name), sub.node())
                && self.elem(e).protected
            {
                let (span, place) = (node.span, self.elem(e).span);
                self.report(diagnostics::protected_access(*name, span, place));
            }
            if !self.inst(class).table.contains_key(name)
                && let Some(node) = sub.node()
            {
                let known: Vec<Name> = self.inst(class).elements.iter().map(|e| self.elem(*e).name).collect();
                let path = self.inst_path(class);
                let span = node.span;
                self.report(diagnostics::unknown_modified(*name, &path, span, &known));
            }
        }
    }

    /// Links an outer component to the inner one of its name, seen upwards from `from`.
    fn find_inner(&mut self, id: CompId, from: Option<CompId>, elem: &Elem<'a>) -> bool {
        let mut up = from;
        while let Some(at) = up {
            if let Some(class) = self.comp(at).class
                && let Some(&e) = self.inst(class).table.get(&elem.name)
                && self.elem(e).prefix.inner
                && let Some(found) = self.child(at, elem.name)
                && found != id
            {
                let found = self
                    .comp(at)
                    .inner_sides
                    .as_ref()
                    .and_then(|sides| sides.get(&elem.name))
                    .copied()
                    .unwrap_or(found);
                self.comps[id.index()].outer = Some(found);
                self.copy_facts(id, found);
                self.check_outer(id, found, elem);
                return true;
            }
            up = self.comp(at).parent;
        }
        false
    }

    /// Finds the inner component of an outer one (MLS 5.4); a missing one is made at the top.
    fn link_outer(&mut self, id: CompId, parent: CompId, elem: &Elem<'a>) -> bool {
        if self.find_inner(id, Some(parent), elem) {
            return true;
        }
        let Some(top) = self.model_root else { return false };
        let name = elem.name;
        // A class that is only looked into, as that of a component which is switched off, sees what the model has.
        if !self.is_within(parent, top) {
            return self.find_inner(id, Some(top), elem);
        }
        if let Some(&known) = self.missing_inner.get(&name) {
            self.comps[id.index()].outer = Some(known);
            self.copy_facts(id, known);
            return true;
        }
        self.report(diagnostics::missing_inner(name, elem.span));
        let plain = Elem { prefix: ast::ElementPrefix { inner: true, ..Default::default() }, ..elem.clone() };
        self.elems.push(plain);
        let e = ElemId::new(self.elems.len() - 1);
        let made = self.make_comp(top, e);
        self.comps[made.index()].virtual_member = true;
        self.comps[top.index()].parts = None;
        self.missing_inner.insert(name, made);
        self.comps[id.index()].outer = Some(made);
        self.copy_facts(id, made);
        true
    }

    fn is_within(&self, comp: CompId, whole: CompId) -> bool {
        std::iter::successors(Some(comp), |c| self.comp(*c).parent).any(|c| c == whole)
    }

    fn copy_facts(&mut self, id: CompId, from: CompId) {
        let f = self.comp(from);
        let (what, dims, class, variability) = (f.what, f.dims.clone(), f.class, f.variability);
        let elements = f.elements.clone();
        let me = &mut self.comps[id.index()];
        me.what = what;
        me.dims = dims;
        me.class = class;
        me.variability = variability;
        me.elements = elements;
    }

    pub(crate) fn is_external_object(&self, class: InstId) -> bool {
        let is_base = |b: &InstId| self.inst(*b).basic == Some(Basic::ExternalObject);
        self.inst(class).bases.iter().any(is_base) || self.inst(class).basic == Some(Basic::ExternalObject)
    }

    /// The type of a reference to a whole component.
    pub fn comp_type(&mut self, id: CompId) -> Type {
        let comp = self.comp(id);
        let dims = comp.dims.clone();
        match comp.what {
            What::Variable(scalar) => Type { scalar, dims },
            What::Parts | What::Array => match comp.class {
                Some(class) => {
                    let class = match comp.elements.first() {
                        Some(first) => self.comp(*first).class.unwrap_or(class),
                        None => class,
                    };
                    match self.record_of(class) {
                        Some(record) => Type { scalar: Scalar::Record(record), dims },
                        None => Type { scalar: Scalar::Error, dims },
                    }
                }
                None => Type { scalar: Scalar::Error, dims },
            },
            What::Package | What::Broken => Type { scalar: Scalar::Error, dims },
        }
    }

    /// Records, and connectors that are one: `connector C = output Complex`.
    pub(crate) fn is_record(&self, class: InstId) -> bool {
        let inst = self.inst(class);
        matches!(inst.kind, ClassKind::Record | ClassKind::OperatorRecord)
            || inst.bases.iter().any(|b| self.is_record(*b))
    }

    /// The value given to a variable or whole record, resolved on first use.
    pub fn binding(&mut self, id: CompId) -> Option<ExprId> {
        match &self.comp(id).binding {
            Lazy::Known(e) => return *e,
            Lazy::Busy => return None,
            Lazy::Unknown => {}
        }
        self.comps[id.index()].binding = Lazy::Busy;
        let mods = self.comp(id).mods.clone();
        // A record that is given as a whole decides over the values that its class declares, constants apart.
        let constant = self.declared_constant(id) && mods.value().is_some();
        let whole = if constant { None } else { self.binding_from_parent(id) };
        let found = match whole {
            Some(e) => Some(e),
            None => mods.value().and_then(|bind| self.bound(bind)),
        };
        self.comps[id.index()].binding = Lazy::Known(found);
        found
    }

    /// Does its own declaration, not only that of the record around it, make it a constant?
    fn declared_constant(&self, id: CompId) -> bool {
        match self.comp(id).elem.map(|e| &self.elem(e).decl) {
            Some(Decl::Component(clause, _)) => {
                clause.type_prefix.variability == Some(ast::Variability::Constant)
            }
            _ => self.comp(id).variability == Variability::Constant,
        }
    }

    /// A part of a record that is bound as a whole takes its field.
    fn binding_from_parent(&mut self, id: CompId) -> Option<ExprId> {
        let parent = self.comp(id).parent?;
        let class = self.comp(parent).class?;
        if self.comp(parent).what != What::Parts || !self.is_record(class) {
            return None;
        }
        let whole = self.binding(parent)?;
        let Scalar::Record(record) = self.store.ty(whole).scalar else { return None };
        let field = self.store.record(record).field(self.comp(id).name)?;
        let mut e = self.field_of(whole, field);
        if self.comp(id).what == What::Parts && !self.comp(id).subscripts.is_empty() {
            let index = self.comp(id).subscripts.clone();
            e = self.index_constant(e, &index);
        }
        Some(e)
    }

    /// The expression of a bound value, in its own scope and for its own element.
    pub(crate) fn bound(&mut self, bind: &Bind<'a>) -> Option<ExprId> {
        let e = match bind.what {
            BindExpr::Source(e) => self.expr(&mut Scope::new(bind.scope), e),
            BindExpr::Made(e) => e,
            BindExpr::None => return None,
        };
        if self.is_error(e) {
            return None;
        }
        // A function without results gives none.
        let e = if self.store.ty(e).scalar == Scalar::Tuple { self.item_of(e, 0) } else { e };
        // A value with fewer dimensions than the array of components is the same for every element.
        let depth = self.store.ty(e).dims.len().min(bind.index.len());
        let index = &bind.index[..depth];
        Some(if index.is_empty() { e } else { self.index_constant(e, index) })
    }

    /// An attribute such as `start`, from the component's modification or its type.
    pub fn attribute(&mut self, id: CompId, name: Name) -> Option<ExprId> {
        let own = self.comp(id).mods.sub(name);
        let bind = match own.value() {
            Some(bind) => bind.clone(),
            None => {
                let class = self.comp(id).class?;
                self.basic_attribute(class, name)?
            }
        };
        self.bound(&bind)
    }

    fn basic_attribute(&self, class: InstId, name: Name) -> Option<Bind<'a>> {
        let inst = self.inst(class);
        inst.mods
            .sub(name)
            .value()
            .cloned()
            .or_else(|| inst.bases.iter().find_map(|b| self.basic_attribute(*b, name)))
    }

    /// The dotted name as results show it.
    pub fn comp_path(&self, id: CompId) -> String {
        let mut path = String::with_capacity(32);
        self.write_path(id, &mut path);
        path
    }

    fn write_path(&self, id: CompId, path: &mut String) {
        let comp = self.comp(id);
        if let Some(parent) = comp.parent {
            self.write_path(parent, path);
        }
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(comp.name.as_str());
        write_subscripts(&comp.subscripts, path);
    }
}

/// Appends `[1,2]`, or nothing for no subscripts.
pub fn write_subscripts(subscripts: &[u32], path: &mut String) {
    for (k, subscript) in subscripts.iter().enumerate() {
        path.push(if k == 0 { '[' } else { ',' });
        write!(path, "{subscript}").expect("text can be written");
    }
    if !subscripts.is_empty() {
        path.push(']');
    }
}

/// Subscripts from 1 of a row-major position.
pub fn subscripts_of(k: usize, sizes: &[u32]) -> Vec<u32> {
    let mut rest = k;
    let mut index = vec![0; sizes.len()];
    for (i, size) in sizes.iter().enumerate().rev() {
        index[i] = (rest % *size as usize) as u32 + 1;
        rest /= *size as usize;
    }
    index
}

pub(crate) fn scalar_of(basic: Basic, name: Name) -> Scalar {
    match basic {
        Basic::Real => Scalar::Real,
        Basic::Integer => Scalar::Int,
        Basic::Boolean => Scalar::Bool,
        Basic::String => Scalar::Str,
        Basic::Clock => Scalar::Clock,
        Basic::Enumeration(e) => Scalar::Enum(e),
        Basic::ExternalObject => Scalar::Object(name),
    }
}
