//! Making a component of its declaration: modifications, prefixes, condition and parts.

use super::{Comp, MAX_DEPTH, Variability, What, subscripts_of};
use crate::inst::{Basic, Decl, Elem};
use crate::mods::Mods;
use crate::resolve::Scope;
use crate::{CompId, ElemId, InstId, Sema, annotations, diagnostics};
use kairos_base::{Name, limits};
use kairos_expr::{Scalar, Value};
use kairos_syntax::ast;

impl<'a> Sema<'a> {
    pub(super) fn make_comp(&mut self, parent: CompId, e: ElemId) -> CompId {
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
        if !self.recursive && self.comps.len() > limits::COMPONENTS {
            self.report(diagnostics::too_large("the model", limits::COMPONENTS, "components", elem.span));
            self.recursive = true;
        }
        if self.recursive || self.depth(id) > MAX_DEPTH {
            if !self.recursive {
                self.report(match self.repeats(id) {
                    true => diagnostics::cyclic_components(elem.name, elem.span),
                    false => diagnostics::too_deep("components are nested", MAX_DEPTH, elem.span),
                });
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
        self.check_final_attributes(&declared, ty);
        self.check_bus_values(&declared, ty);
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
                self.check_attribute_names(&mods, ty);
                let name = match basic {
                    Basic::ExternalObject => Name::new(&self.inst_path(ty)),
                    _ => self.inst(ty).name,
                };
                self.comps[id.index()].what = What::Variable(basic.scalar(name));
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

    /// Does a declaration stand several times among the components that a component is part of?
    fn repeats(&self, id: CompId) -> bool {
        let mut seen = kairos_base::hash::HashSet::default();
        let mut at = Some(id);
        while let Some(comp) = at {
            if !seen.insert(self.comp(comp).span) {
                return true;
            }
            at = self.comp(comp).parent;
        }
        false
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
    pub(crate) fn declared_mods(&mut self, elem: &Elem<'a>, component: &'a ast::Component) -> Mods<'a> {
        let own = self.modification(component.modification.as_ref(), elem.scope);
        let own = if elem.index.is_empty() { own } else { own.element(&elem.index) };
        let mods = self.merge(&own, &elem.beneath.left_open_by(&own));
        let limit = self.constraining_mods(elem);
        self.merge(&mods, &limit.left_open_by(&mods))
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
            if self.recursive || self.comps.len() > limits::COMPONENTS {
                let span = self.comp(id).span;
                if !self.recursive {
                    self.report(diagnostics::too_large("the model", limits::COMPONENTS, "components", span));
                }
                self.recursive = true;
                self.comps[id.index()].what = What::Broken;
                return;
            }
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
}
