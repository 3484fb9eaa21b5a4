//! Component instances, made when a name or the walk over the model first reaches them.

mod making;
mod outer;
mod sizes;
mod values;

use crate::inst::{Basic, Decl};
use crate::mods::Mods;
use crate::name_map::NameMap;
use crate::{CompId, ElemId, InstId, Sema};
use kairos_base::hash::HashSet;
use kairos_base::{Name, Span};
pub use kairos_expr::Variability;
use kairos_expr::{Dim, ExprId, Scalar, Stop, Type, Value};
use kairos_syntax::ast::{ClassKind, Direction};
use std::fmt::Write;
use std::rc::Rc;

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

    pub(crate) fn push_comp(&mut self, comp: Comp<'a>) -> CompId {
        self.comps.push(comp);
        CompId::new(self.comps.len() - 1)
    }

    /// One of which nothing is known yet.
    pub(crate) fn blank(&self, name: Name, parent: Option<CompId>, span: Span) -> Comp<'a> {
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
        if self.elem(e).is_class() || self.awaits_size(class, e) {
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
        // One that was declared with an open size is there already.
        let added = |c: &CompId| self.comp(*c).virtual_member && !parts.contains(c);
        let mut extra: Vec<CompId> = c.children.values().copied().filter(added).collect();
        extra.extend(c.inner_sides.iter().flat_map(|sides| sides.values()));
        extra.sort();
        parts.extend(extra);
        parts
    }

    fn depth(&self, comp: CompId) -> usize {
        std::iter::successors(Some(comp), |c| self.comp(*c).parent).count()
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
