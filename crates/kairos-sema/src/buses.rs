//! Expandable connectors: members appear when something is connected to them (MLS 9.1.3).

use crate::comps::{Comp, Lazy, What};
use crate::inst::Decl;
use crate::mods::Mods;
use crate::resolve::Scope;
use crate::selection::Selection;
use crate::{CompId, ElemId, InstId, Sema, diagnostics};
use kairos_base::hash::HashMap;
use kairos_base::{Name, Span};
use kairos_expr::{Dim, Sub};
use kairos_syntax::ast::{self, ClassKind, ComponentRef};

/// A connect whose bus member did not exist when it was met.
pub(crate) struct OpenConnect<'a> {
    scope: Scope,
    a: &'a ComponentRef,
    b: &'a ComponentRef,
    span: Span,
    owner: CompId,
}

impl<'a> Sema<'a> {
    /// A connector reference, silently absent if it names a member that a bus does not have yet.
    pub(crate) fn connector(&mut self, scope: &mut Scope, r: &'a ComponentRef) -> Option<Selection> {
        if self.missing_member(scope, r).is_some() {
            return None;
        }
        self.select(scope, r)
    }

    /// The bus and the position in the reference of the member that does not exist yet.
    fn missing_member(&mut self, scope: &mut Scope, r: &'a ComponentRef) -> Option<(CompId, usize)> {
        if !self.buses || r.parts.len() < 2 {
            return None;
        }
        let owner = self.inst(scope.inst).comp?;
        let mut comp = self.child(owner, r.parts[0].name.name)?;
        for k in 1..r.parts.len() {
            comp = self.comp(comp).outer.unwrap_or(comp);
            if self.comp(comp).what == What::Array {
                // A literal position in an array of buses.
                let head = ComponentRef { global: false, parts: r.parts[..k].to_vec(), span: r.span };
                let head: &'a ComponentRef = self.keep_ref(head);
                comp = *self.select(scope, head)?.comps.first()?;
            }
            if self.comp(comp).disabled {
                return None;
            }
            match self.child(comp, r.parts[k].name.name) {
                Some(child) => comp = child,
                None if self.is_expandable(comp) => return Some((comp, k)),
                None => return None,
            }
        }
        None
    }

    pub fn is_expandable(&self, comp: CompId) -> bool {
        let class = self.comp(comp).class;
        self.buses && class.is_some_and(|c| self.class_is(c, &[ClassKind::ExpandableConnector]))
    }

    /// Is it a member of a bus that has its size from what is connected to it (MLS 9.1.3)? It is no member before.
    pub(crate) fn awaits_size(&self, class: InstId, e: ElemId) -> bool {
        let elem = self.elem(e);
        let Decl::Component(clause, component) = elem.decl else { return false };
        let open = |s: &ast::Subscript| matches!(s, ast::Subscript::All(_));
        let valued = component.modification.as_ref().is_some_and(|m| m.value.is_some());
        self.buses
            && clause.dims.iter().chain(&component.dims).any(open)
            && !valued
            && elem.mods.value().is_none()
            && self.class_is(class, &[ClassKind::ExpandableConnector])
    }

    pub(crate) fn connect_bus(
        &mut self,
        scope: &mut Scope,
        a: &'a ComponentRef,
        b: &'a ComponentRef,
        span: Span,
        owner: CompId,
    ) {
        let open = OpenConnect { scope: scope.clone(), a, b, span, owner };
        if self.missing_member(scope, a).is_some() || self.missing_member(scope, b).is_some() {
            self.open_connects.push(open);
        }
    }

    /// Adds bus members until nothing changes, then makes the connections that waited for them.
    pub(crate) fn elaborate_buses(&mut self) {
        let sizes = self.member_sizes();
        loop {
            let mut changed = false;
            for open in std::mem::take(&mut self.open_connects) {
                let mut scope = open.scope.clone();
                let (x, y) = (self.connector(&mut scope, open.a), self.connector(&mut scope, open.b));
                let disabled = |s: &Option<Selection>| {
                    s.as_ref().is_some_and(|s| s.comps.iter().any(|c| self.is_disabled(*c)))
                };
                match (x, y) {
                    // A disabled component takes its connections with it (MLS 4.4.5): it adds nothing to a bus.
                    (x, y) if disabled(&x) || disabled(&y) => changed = true,
                    (Some(x), Some(y)) => {
                        self.connect_selected(x, y, (open.a, open.b), open.span, open.owner, scope.inst);
                        changed = true;
                    }
                    (Some(x), None) => changed |= self.add_member(&mut scope, open.b, &x, open, &sizes),
                    (None, Some(y)) => changed |= self.add_member(&mut scope, open.a, &y, open, &sizes),
                    (None, None) => self.open_connects.push(open),
                }
            }
            changed |= self.unify_buses();
            if !changed {
                break;
            }
        }
        for open in std::mem::take(&mut self.open_connects) {
            self.report(diagnostics::bus_member_unknown(open.span));
        }
    }

    /// Members that are only potentially present have no value to be changed (MLS 9.1.3).
    pub(crate) fn check_bus_values(&mut self, mods: &Mods<'a>, class: InstId) {
        if !self.class_is(class, &[ClassKind::ExpandableConnector]) {
            return;
        }
        for (name, sub) in mods.subs() {
            let Some(&e) = self.inst(class).table.get(name) else { continue };
            let Decl::Component(clause, _) = self.elem(e).decl else { continue };
            let moves = clause.type_prefix.variability.is_none_or(|v| v == ast::Variability::Discrete);
            if let (true, Some(node)) = (moves, sub.node().filter(|n| n.value.is_some())) {
                let span = node.span;
                self.report(diagnostics::bus_value(*name, span));
            }
        }
    }

    /// Vectors that are no member of their bus yet are as long as the greatest subscript of a connect says (MLS 9.1.3).
    fn member_sizes(&mut self) -> HashMap<(CompId, Name), u32> {
        let mut sizes = HashMap::default();
        let ends: Vec<(Scope, &'a ComponentRef)> = self
            .open_connects
            .iter()
            .flat_map(|o| [(o.scope.clone(), o.a), (o.scope.clone(), o.b)])
            .collect();
        for (mut scope, r) in ends {
            let Some((bus, k)) = self.missing_member(&mut scope, r) else { continue };
            let [ast::Subscript::Expr(at)] = &r.parts[k].subscripts[..] else { continue };
            let at = self.expr(&mut scope, at);
            let Some(at) = self.constant(at).ok().and_then(|v| v.as_index()) else { continue };
            let Ok(at) = u32::try_from(at) else { continue };
            let size = sizes.entry((bus, r.parts[k].name.name)).or_insert(at);
            *size = at.max(*size);
        }
        sizes
    }

    fn add_member(
        &mut self,
        scope: &mut Scope,
        r: &'a ComponentRef,
        like: &Selection,
        open: OpenConnect<'a>,
        sizes: &HashMap<(CompId, Name), u32>,
    ) -> bool {
        let Some((bus, k)) = self.missing_member(scope, r) else {
            self.open_connects.push(open);
            return false;
        };
        let last = k + 1 == r.parts.len();
        let Some(&sample) = like.comps.first() else { return false };
        if last {
            let name = r.parts[k].name.name;
            if !r.parts[k].subscripts.is_empty() {
                let size = sizes.get(&(bus, name)).copied();
                let (Some(size), [one]) = (size, &like.comps[..]) else {
                    self.report(diagnostics::bus_array_member(r.span));
                    return false;
                };
                let like = Selection {
                    comps: vec![*one; size as usize],
                    dims: vec![size as usize],
                    ..Selection::default()
                };
                match self.comp(*one).what {
                    What::Variable(_) => {
                        let member = self.make_member(bus, name, *one);
                        self.comps[member.index()].dims = vec![Dim::Known(size)];
                    }
                    _ => self.make_member_array(bus, name, &like),
                }
                self.open_connects.push(open);
                return true;
            }
            match like.dims.is_empty()
                || matches!(self.comp(sample).what, What::Variable(_)) && like.comps.len() == 1
            {
                true => {
                    let member = self.make_member(bus, name, sample);
                    self.comps[member.index()].dims = self.selected_dims(like, sample);
                }
                false => self.make_member_array(bus, name, like),
            }
        } else {
            self.report(diagnostics::bus_member_unknown(r.span));
            return false;
        }
        self.open_connects.push(open);
        true
    }

    /// The sizes of what is connected: an element of an array has fewer than the array.
    fn selected_dims(&self, like: &Selection, sample: CompId) -> Vec<Dim> {
        let own = &self.comp(sample).dims;
        let subs = like.subs.get(like.dims.len()..).unwrap_or(&[]);
        let sizes = own.iter().enumerate().filter_map(|(k, dim)| match subs.get(k) {
            None | Some(Sub::All) => Some(*dim),
            Some(Sub::At(i)) => self.store.ty(*i).dims.first().copied(),
        });
        sizes.collect()
    }

    /// A member of a bus with the type of what is connected to it.
    fn make_member(&mut self, bus: CompId, name: Name, like: CompId) -> CompId {
        let from = self.comp(like);
        let comp = Comp {
            elem: from.elem,
            what: from.what,
            dims: from.dims.clone(),
            class: from.class,
            variability: from.variability,
            flow: from.flow,
            stream: from.stream,
            virtual_member: true,
            binding: Lazy::Known(None),
            ..self.blank(name, Some(bus), from.span)
        };
        let id = self.push_comp(comp);
        if let (What::Parts, Some(class)) = (self.comp(id).what, self.comp(id).class) {
            let copy = self.specialise(class, &Default::default(), Some(id));
            self.comps[id.index()].class = Some(copy);
        }
        self.set_child(bus, name, id);
        id
    }

    /// An array of members, one for each of the connected connectors.
    fn make_member_array(&mut self, bus: CompId, name: Name, like: &Selection) {
        let Some(&sample) = like.comps.first() else { return };
        let sizes: Vec<u32> = like.dims.iter().map(|d| *d as u32).collect();
        let whole = self.make_member(bus, name, sample);
        self.comps[whole.index()].what = What::Array;
        self.comps[whole.index()].dims = sizes.iter().map(|d| Dim::Known(*d)).collect();
        for (k, &from) in like.comps.iter().enumerate() {
            let one = self.make_member(bus, name, from);
            self.comps[one.index()].subscripts = crate::comps::subscripts_of(k, &sizes);
            self.comps[whole.index()].elements.push(one);
        }
        self.set_child(bus, name, whole);
    }

    /// The same member, or array of members, in another bus.
    fn copy_member(&mut self, bus: CompId, name: Name, from: CompId) {
        if self.comp(from).what != What::Array {
            self.make_member(bus, name, from);
            return;
        }
        let dims = self.comp(from).dims.iter().map(|d| d.known().unwrap_or(0)).collect();
        let comps = self.comp(from).elements.clone();
        let like = Selection { comps, dims, ..Selection::default() };
        self.make_member_array(bus, name, &like);
    }

    /// Connected buses have the same members.
    fn unify_buses(&mut self) -> bool {
        let mut changed = false;
        let pairs: Vec<(CompId, CompId)> = self.connects.iter().map(|c| (c.a.comp, c.b.comp)).collect();
        for (a, b) in pairs {
            changed |= self.unify(a, b);
        }
        changed
    }

    fn unify(&mut self, a: CompId, b: CompId) -> bool {
        if !self.is_expandable(a) || !self.is_expandable(b) {
            return false;
        }
        let mut changed = false;
        for (from, to) in [(a, b), (b, a)] {
            for &part in self.parts(from).iter() {
                let name = self.comp(part).name;
                match self.child(to, name) {
                    None => {
                        self.copy_member(to, name, part);
                        changed = true;
                    }
                    Some(other) => changed |= self.unify(part, other),
                }
            }
        }
        changed
    }

    /// Keeps a reference made here as long as the trees.
    pub(crate) fn keep_ref(&mut self, r: ComponentRef) -> &'a ComponentRef {
        self.made_refs.alloc(r)
    }
}

/// References made while buses are elaborated and ranges are implied.
pub type MadeRefs = typed_arena::Arena<ast::ComponentRef>;
