//! What prefixes, redeclarations and inner declarations must respect, beyond the class restrictions of `checks.rs`.

use crate::comps::{Variability, What};
use crate::inst::{Basic, Decl, Elem, is_class_extends};
use crate::mods::Mods;
use crate::{CompId, ElemId, InstId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::Scalar;
use kairos_syntax::ast::{self, ClassKind};

/// What variables of the predefined types have (MLS 4.9), of any of them: libraries give units to Booleans.
const ATTRIBUTES: [&str; 10] = [
    "quantity",
    "unit",
    "displayUnit",
    "min",
    "max",
    "start",
    "fixed",
    "nominal",
    "unbounded",
    "stateSelect",
];

impl<'a> Sema<'a> {
    /// Type prefixes stand before types, records and connectors only (MLS 4.4.2.2).
    pub(crate) fn check_prefixes(&mut self, class: InstId, clause: &ast::ComponentClause) {
        let prefixed = clause.type_prefix != ast::TypePrefix::default();
        if prefixed && matches!(self.inst(class).kind, ClassKind::Model | ClassKind::Block) {
            let path = self.inst_path(class);
            self.report(diagnostics::prefix_on_model(&path, clause.type_name.span));
        }
    }

    /// A prefix of a whole may not meet the same kind of prefix on a part (MLS 4.4.2.2).
    pub(crate) fn check_prefix_conflict(&mut self, id: CompId, parent: CompId, own: ast::TypePrefix) {
        let up = self.comp(parent);
        let word = match () {
            _ if up.flow && own.flow => "flow",
            _ if up.stream && own.stream => "stream",
            _ if up.direction.is_some() && own.direction.is_some() => "input or output",
            _ => return,
        };
        let (name, span) = (self.comp(id).name, self.comp(id).span);
        let place = self.comp(parent).span;
        self.report(diagnostics::prefix_conflict(word, name, span, place));
    }

    /// Flows add up to zero: they are Real, or records with addition, negation and zero (MLS 9.1).
    pub(crate) fn check_flow(&mut self, id: CompId) {
        let comp = self.comp(id);
        let (span, name) = (comp.span, comp.name);
        match (comp.what, comp.class) {
            (What::Variable(scalar), _) if scalar != Scalar::Real => {
                self.report(diagnostics::flow_type(name, span));
            }
            (What::Parts | What::Array, Some(class))
                if self.inst(class).kind == ClassKind::OperatorRecord =>
            {
                for operator in ["'+'", "'-'", "'0'"] {
                    if self.operator_functions(class, Name::new(operator)).is_empty() {
                        let path = self.inst_path(class);
                        self.report(diagnostics::flow_operator(&path, operator, span));
                    }
                }
            }
            _ => {}
        }
    }

    /// Final elements stay as they are (MLS 7.2.6).
    pub(crate) fn check_final(&mut self, elem: &Elem<'a>, class: InstId) {
        let Some(node) = elem.mods.node() else { return };
        let span = node.span;
        let changes = node.value.is_some() || !node.subs.is_empty();
        if elem.prefix.is_final && changes && !elem.redeclares && elem.replaced.is_none() {
            self.report(diagnostics::final_modified(span, elem.span));
        }
        self.check_final_attributes(&elem.mods, class);
    }

    /// Modifiers of a declaration leave alone what its type makes final (MLS 7.2.6).
    pub(crate) fn check_final_attributes(&mut self, mods: &Mods<'a>, class: InstId) {
        for (name, sub) in mods.subs() {
            if let (Some(place), Some(node)) = (self.final_attribute(class, *name), sub.node()) {
                let span = node.span;
                self.report(diagnostics::final_modified(span, place));
            }
        }
    }

    /// A modification of a variable names an attribute (MLS 4.9).
    pub(crate) fn check_attribute_names(&mut self, mods: &Mods<'a>, class: InstId) {
        let Some(basic) = self.inst(class).basic else { return };
        if matches!(basic, Basic::ExternalObject) {
            return;
        }
        for (name, sub) in mods.subs() {
            if ATTRIBUTES.iter().any(|known| *name == **known) {
                continue;
            }
            if let Some(node) = sub.node() {
                let (span, known) = (node.span, ATTRIBUTES.map(Name::new));
                let path = self.inst_path(class);
                self.report(diagnostics::unknown_modified(*name, &path, span, &known));
            }
        }
    }

    /// Where a type makes one of its attributes final.
    fn final_attribute(&self, class: InstId, name: Name) -> Option<Span> {
        let inst = self.inst(class);
        inst.basic?;
        let own = inst.mods.sub(name);
        match own.node().filter(|n| n.is_final) {
            Some(node) => Some(node.span),
            None => inst.bases.iter().find_map(|b| self.final_attribute(*b, name)),
        }
    }

    /// An outer declaration adds nothing to the inner one, whose type it must fit (MLS 5.4).
    pub(crate) fn check_outer(&mut self, id: CompId, inner: CompId, elem: &Elem<'a>) {
        let Decl::Component(clause, component) = elem.decl else { return };
        if let Some(m) = &component.modification
            && !elem.prefix.inner
        {
            self.report(diagnostics::outer_modified(elem.name, m.span));
        }
        if let Some(node) = elem.mods.node()
            && !elem.prefix.inner
            && (node.value.is_some() || !node.subs.is_empty())
        {
            let span = node.span;
            self.report(diagnostics::outer_modified(elem.name, span));
        }
        let Some(class) = self.lookup_class(elem.scope, &clause.type_name) else { return };
        self.expand(class);
        let (Some(outer), What::Variable(scalar)) = (self.inst(class).basic, self.comp(inner).what) else {
            return;
        };
        let rank = component.dims.len() + clause.dims.len() + self.inst(class).dims.len();
        let fits = outer.scalar(self.inst(class).name) == scalar
            || matches!((outer, scalar), (Basic::ExternalObject, Scalar::Object(_)));
        let sizes = self.literal_sizes(clause, component);
        let same = sizes.iter().zip(&self.comp(inner).dims).all(|(a, b)| a.is_none() || *a == b.known());
        if !fits || rank != self.comp(inner).dims.len() || !same {
            let (span, place) = (self.comp(id).span, self.comp(inner).span);
            self.report(diagnostics::outer_type(elem.name, span, place));
        }
    }

    fn literal_sizes(&self, clause: &ast::ComponentClause, component: &ast::Component) -> Vec<Option<usize>> {
        let literal = |sub: &ast::Subscript| match sub {
            ast::Subscript::Expr(ast::Expr { kind: ast::ExprKind::Integer(n), .. }) => {
                usize::try_from(*n).ok()
            }
            _ => None,
        };
        component.dims.iter().chain(&clause.dims).map(literal).collect()
    }

    /// Redeclarations that are never allowed (MLS 7.3.3).
    pub(crate) fn check_redeclarable(&mut self, elem: &Elem<'a>, span: Span) {
        if elem.prefix.is_final {
            self.report(diagnostics::final_modified(span, elem.span));
        }
        if let Decl::Component(clause, _) = elem.decl
            && clause.type_prefix.variability == Some(ast::Variability::Constant)
        {
            self.report(diagnostics::constant_redeclared(elem.name, span, elem.span));
        }
    }

    /// A redeclaration in a class body is public or protected like what it replaces (MLS 7.3.3).
    pub(crate) fn check_same_visibility(&mut self, new: ElemId, old: ElemId) {
        let (a, b) = (self.elem(new), self.elem(old));
        if a.protected != b.protected {
            let (name, word, s, t) =
                (a.name, if b.protected { "protected" } else { "public" }, a.span, b.span);
            self.report(diagnostics::visibility_changed(name, word, s, t));
        }
    }

    /// The class of a replaceable element has everything that its constraining class has (MLS 6.4, 7.3.2).
    pub(crate) fn check_constraint(&mut self, class: InstId, elem: &Elem<'a>) {
        let limit = match (elem.constraining, elem.replaced) {
            (Some((constraining, scope)), _) => self.lookup_class(scope, &constraining.base),
            // A redeclaration between keeps the constraining type of the original (MLS 7.3.2).
            (None, Some(original)) => {
                let first = std::iter::successors(Some(original), |e| self.elem(*e).replaced).last();
                first.and_then(|original| self.declared_class(original))
            }
            (None, None) => None,
        };
        let Some(limit) = limit else { return };
        self.expand(class);
        self.expand(limit);
        let data = self.inst(limit).kind != ClassKind::Package;
        // A redeclaration may narrow the constraining class, not widen it (MLS 7.3.2).
        if let (true, Some(_), Some((old, scope))) =
            (data, elem.constraining, elem.replaced.and_then(|e| self.elem(e).constraining))
            && let Some(old) = self.lookup_class(scope, &old.base)
        {
            self.expand(old);
            if let Some(missing) = self.missing_element(limit, old) {
                let (path, wanted) = (self.inst_path(limit), self.inst_path(old));
                self.report(diagnostics::not_a_subtype(elem.name, &path, &wanted, missing, elem.span));
            }
        }
        // Dimensions of the declaration itself are those of the constraining type, too (MLS 7.3.2).
        let own = match elem.decl {
            Decl::Class(ast::Class { body: ast::ClassBody::Short(short), .. }) => short.dims.len(),
            _ => 0,
        };
        if elem.constraining.is_some() && self.inst(limit).basic.is_some() {
            let [rank, wanted] = [class, limit].map(|c| self.inst(c).dims.len());
            if rank != wanted + own {
                let wanted = self.inst_path(limit);
                self.report(diagnostics::constraint_rank(elem.name, &wanted, elem.span));
            }
        }
        if let Some(missing) = self.missing_element(class, limit) {
            let (path, wanted) = (self.inst_path(class), self.inst_path(limit));
            self.report(diagnostics::not_a_subtype(elem.name, &path, &wanted, missing, elem.span));
        }
    }

    /// A class element that is not replaceable may only be declared again as the class that it is (MLS 7.3.4).
    pub(crate) fn check_repeated_classes(&mut self) {
        for e in std::mem::take(&mut self.narrowed_classes) {
            self.elem_class(e);
        }
        for (original, e, span) in std::mem::take(&mut self.repeated_classes) {
            let (old, new) = (self.declared_class(original), self.elem_class(e));
            let old = old.and_then(|class| self.behind_aliases(class));
            let new = new.and_then(|class| self.behind_aliases(class));
            let same = matches!((old, new), (Some((a, p)), Some((b, q))) if std::ptr::eq(a, b) && p == q);
            if !same {
                let (name, place) = (self.elem(original).name, self.elem(original).span);
                let first = std::iter::successors(Some(original), |e| self.elem(*e).replaced).last();
                // Libraries redeclare functions and packages of media again and again: the first declaration allowed it.
                let written = match self.elem(e).decl {
                    Decl::Class(class) => self.elem(e).prefix.redeclare || !is_class_extends(class),
                    _ => false,
                };
                let meant =
                    written && first.is_some_and(|e| e != original && self.elem(e).prefix.replaceable);
                self.report(match meant {
                    true => diagnostics::kept_replaceable(name, span, place),
                    false => diagnostics::not_replaceable(name, span, place),
                });
            }
        }
    }

    /// The text of a class and where it stands, through short classes that change nothing.
    fn behind_aliases(&self, class: InstId) -> Option<(&'a ast::Class, Option<InstId>)> {
        let mut at = class;
        loop {
            let inst = self.inst(at);
            let text = inst.class?;
            match (&text.body, &inst.bases[..]) {
                (ast::ClassBody::Short(short), [base]) if short.mods.is_empty() && *base != at => at = *base,
                _ => return Some((text, inst.parent)),
            }
        }
    }

    /// A class that inherits an array or a prefixed class has nothing else (MLS 7.1.3).
    pub(crate) fn check_simple_base(&mut self, id: InstId, class: &ast::Class) {
        let inst = self.inst(id);
        let special = |b: &InstId| {
            let base = self.inst(*b);
            !base.dims.is_empty() || base.prefix != ast::TypePrefix::default()
        };
        let component = |e: &ElemId| !self.elem(*e).is_class() && self.elem(*e).scope == id;
        if inst.bases.iter().any(special)
            && inst.basic.is_none()
            && (inst.bases.len() > 1 || inst.elements.iter().any(component))
        {
            self.report(diagnostics::simple_base(class.name.name, class.name.span));
        }
    }

    /// Outside of packages only encapsulated classes can be reached by name (MLS 5.3.2).
    pub(crate) fn check_inside(&mut self, class: InstId, e: ElemId, span: Span) {
        if self.is_expanding(class) || self.is_package_like(class) {
            return;
        }
        let open = matches!(self.elem(e).decl, Decl::Class(c) if !c.encapsulated);
        if open {
            let (name, path) = (self.elem(e).name, self.inst_path(class));
            self.report(diagnostics::inside_of_class(name, &path, span));
        }
    }

    /// The class of an element as it was first declared.
    fn declared_class(&mut self, e: ElemId) -> Option<InstId> {
        let elem = self.elem(e).clone();
        match elem.decl {
            Decl::Component(clause, _) => self.lookup_class(elem.scope, &clause.type_name),
            Decl::Class(class) if crate::inst::is_class_extends(class) => None,
            Decl::Class(_) => self.elem_class(e),
            Decl::Unread => None,
        }
    }

    /// A public element of `limit` that `class` lacks.
    fn missing_element(&self, class: InstId, limit: InstId) -> Option<Name> {
        let (sub, sup) = (self.inst(class), self.inst(limit));
        if class == limit || sup.class.is_some_and(|base| self.inherits(class, base)) {
            return None;
        }
        if self.is_expanding(class) || self.is_expanding(limit) {
            return None;
        }
        if let Some(basic) = sup.basic {
            // `enumeration(:)` stands for any enumeration.
            let enums = |b: Basic| matches!(b, Basic::Enumeration(_));
            let fits = sub.basic.is_some_and(|own| own == basic || enums(own) && enums(basic));
            return (!fits).then_some(sup.name);
        }
        if sub.basic.is_some() {
            return None;
        }
        let public = sup.elements.iter().map(|e| self.elem(*e)).filter(|e| !e.protected);
        let lacks = |e: &&Elem<'a>| match sub.table.get(&e.name) {
            Some(have) => self.elem(*have).protected || self.elem(*have).is_class() != e.is_class(),
            None => true,
        };
        public.filter(|e| !e.is_class() || sup.kind == ClassKind::Package).find(lacks).map(|e| e.name)
    }

    /// The variables of a block's connectors have a direction (MLS 4.7).
    pub(crate) fn check_block(&mut self, block: CompId, class: InstId) {
        if self.inst(class).kind != ClassKind::Block {
            return;
        }
        for &part in self.parts(block).iter() {
            let c = self.comp(part);
            if c.protected
                || c.disabled
                || c.outer.is_some()
                || !self.is_connector(part)
                || self.is_expandable(part)
            {
                continue;
            }
            if let Some(bare) = self.undirected(part) {
                let (path, span) = (self.comp_path(bare), self.comp(part).span);
                self.report(diagnostics::undirected(&path, span));
            }
        }
    }

    fn undirected(&mut self, comp: CompId) -> Option<CompId> {
        let c = self.comp(comp);
        match c.what {
            What::Variable(_) => {
                (c.direction.is_none() && c.variability > Variability::Parameter).then_some(comp)
            }
            What::Array => c.elements.first().copied().and_then(|e| self.undirected(e)),
            What::Parts if c.direction.is_some() => None,
            What::Parts => self.parts(comp).iter().find_map(|p| self.undirected(*p)),
            What::Package | What::Broken => None,
        }
    }
}
