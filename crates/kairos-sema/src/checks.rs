//! Restrictions of specialised classes and declarations.

use crate::inst::Elem;
use crate::selection::Selection;
use crate::{CompId, InstId, Sema, Variability, What, diagnostics};
use kairos_base::Span;
use kairos_expr::{Builtin, Node, Type};
use kairos_syntax::ast::{self, ClassKind};

impl<'a> Sema<'a> {
    /// Can this class be simulated at all?
    pub(crate) fn check_model(&mut self, class: InstId) -> bool {
        let inst = self.inst(class);
        let (kind, partial, name) = (inst.kind, inst.partial, self.inst_path(class));
        let span = inst.span.unwrap_or(self.no_span);
        if !matches!(kind, ClassKind::Model | ClassKind::Block | ClassKind::Class) {
            self.report(diagnostics::not_a_model(&name, span));
            return false;
        }
        if partial {
            self.report(diagnostics::partial_model(&name, span));
            return false;
        }
        true
    }

    /// Can a component be of this class?
    pub(crate) fn check_component_class(
        &mut self,
        class: InstId,
        elem: &Elem<'a>,
        clause: &ast::ComponentClause,
    ) {
        let inst = self.inst(class);
        let (kind, partial) = (inst.kind, inst.class.is_some_and(|c| c.partial));
        let declared = inst.span.unwrap_or(self.no_span);
        if partial && !elem.prefix.outer && kind != ClassKind::Function {
            let path = self.inst_path(class);
            self.report(diagnostics::partial_component(elem.name, &path, clause.type_name.span, declared));
        }
        if matches!(kind, ClassKind::Package | ClassKind::Operator) {
            let path = self.inst_path(class);
            self.report(diagnostics::component_of_package(elem.name, &path, clause.type_name.span));
        }
    }

    /// `c`, `c.d` or `m.c` with connectors c, d and a component m (MLS 9.1).
    pub(crate) fn check_connector_reference(&mut self, s: &Selection, r: &ast::ComponentRef) -> bool {
        let mut current = s.comps.first().copied();
        if current.is_some_and(|comp| self.is_disabled(comp)) {
            return true;
        }
        for k in (0..r.parts.len()).rev() {
            let Some(comp) = current else { return true };
            current = self.comp(comp).parent;
            let in_bus = current.is_some_and(|p| self.is_expandable(p));
            let must = k > 0 || r.parts.len() == 1;
            if must && !in_bus && !self.is_connector(comp) {
                let path = self.comp_path(comp);
                self.report(diagnostics::not_a_connector(&path, r.span));
                return false;
            }
        }
        true
    }

    /// Is a class without components, equations and algorithms, as its bases are?
    pub(crate) fn is_empty(&self, id: InstId) -> bool {
        let inst = self.inst(id);
        let Some(ast::Class { body: ast::ClassBody::Long(body), .. }) = inst.class else { return false };
        inst.basic.is_none()
            && body.equations.is_empty()
            && body.algorithms.is_empty()
            && body.external.is_none()
            && inst.elements.iter().all(|&e| self.elem(e).is_class())
            && inst.bases.iter().all(|&base| self.is_empty(base))
    }

    /// May a class of this kind inherit from `base` (MLS 7.1.3)?
    pub(crate) fn check_base_kind(&mut self, derived: InstId, base: InstId, span: Span) {
        use ClassKind::*;
        let (own, from) = (self.inst(derived).kind, self.inst(base).kind);
        let fits = match own {
            Class => true,
            Package => matches!(from, Package | Class),
            Operator => matches!(from, Operator | Package | Class),
            Function | OperatorFunction => matches!(from, Function | OperatorFunction | Class),
            Type => matches!(from, Type | Class),
            Record => matches!(from, Record | OperatorRecord | Class),
            OperatorRecord => matches!(from, Record | OperatorRecord | Class),
            Connector | ExpandableConnector => {
                matches!(from, Connector | ExpandableConnector | Type | Record | OperatorRecord | Class)
            }
            Block => matches!(from, Block | Record | Class),
            Model => matches!(from, Model | Block | Record | Class),
        };
        if !fits {
            let (a, b) = (self.inst(derived).name, self.inst_path(base));
            self.report(diagnostics::base_kind(a, kind_word(own), &b, kind_word(from), span));
        }
    }

    /// `class A = B` is no function (MLS 4.7).
    pub(crate) fn check_alias_kind(&mut self, class: &ast::Class, base: InstId, span: Span) {
        let from = self.inst(base).kind;
        let function = matches!(from, ClassKind::Function | ClassKind::OperatorFunction);
        if class.kind == ClassKind::Class && function {
            let path = self.inst_path(base);
            let (own, from) = (kind_word(class.kind), kind_word(from));
            self.report(diagnostics::base_kind(class.name.name, own, &path, from, span));
        }
    }

    /// A base class is found without looking into other bases, and is not replaceable (MLS 5.6.1.4, 7.1.4).
    pub(crate) fn check_base_name(&mut self, derived: InstId, path: &ast::Path) {
        let Some(first) = path.parts.first().filter(|_| !path.global) else { return };
        let Some(&e) = self.inst(derived).table.get(&first.name) else { return };
        if self.elem(e).scope != derived {
            let place = self.elem(e).span;
            self.report(diagnostics::inherited_base(first.name, path.span, place));
        } else if path.parts.len() == 1 && self.elem(e).prefix.replaceable {
            let place = self.elem(e).span;
            self.report(diagnostics::replaceable_base(first.name, path.span, place));
        }
    }

    /// Two imports of one class give different names (MLS 13.2.1).
    pub(crate) fn check_import(&mut self, inst: InstId, import: &'a ast::Import) {
        let Some(name) = import_name(import) else { return };
        let earlier = self.inst(inst).imports.iter().find(|old| import_name(old) == Some(name)).copied();
        if let Some(old) = earlier {
            self.report(diagnostics::duplicate_element(name, import.path.span, old.path.span));
        }
    }

    /// Only states can be given a new value (MLS 8.3.6).
    pub(crate) fn check_reinit(&mut self, x: kairos_expr::ExprId, span: Span) {
        if let Node::Var(v) = *self.store.node(x)
            && self.comp(CompId::new(v.index())).variability <= Variability::Parameter
        {
            let path = self.comp_path(CompId::new(v.index()));
            self.report(diagnostics::reinit_parameter(&path, span));
        }
    }

    /// What the body of a specialised class may contain (MLS 4.7).
    pub(crate) fn check_body(&mut self, class: &'a ast::Class) {
        let ast::ClassBody::Long(body) = &class.body else { return };
        let word = kind_word(class.kind);
        let data = matches!(
            class.kind,
            ClassKind::Record
                | ClassKind::OperatorRecord
                | ClassKind::Connector
                | ClassKind::ExpandableConnector
        );
        let function = matches!(class.kind, ClassKind::Function | ClassKind::OperatorFunction);
        if data || function || class.kind == ClassKind::Package {
            // A section without equations, as editors leave it behind, says nothing.
            for section in body.equations.iter().filter(|s| !s.equations.is_empty()) {
                self.report(diagnostics::misplaced_section("equations", word, section.span));
            }
        }
        if data || class.kind == ClassKind::Package {
            for section in body.algorithms.iter().filter(|s| !s.statements.is_empty()) {
                self.report(diagnostics::misplaced_section("algorithms", word, section.span));
            }
        }
        if function {
            for section in body.algorithms.iter().skip(1) {
                self.report(diagnostics::misplaced_section("a second algorithm", word, section.span));
            }
            for section in body.algorithms.iter().filter(|s| s.initial) {
                self.report(diagnostics::misplaced_section("an initial algorithm", word, section.span));
            }
        }
        for element in &body.elements {
            let ast::ElementKind::Components(clause) = &element.kind else { continue };
            let span = clause.type_name.span;
            let directed = clause.type_prefix.direction.is_some();
            let around = clause.prefix.inner || clause.prefix.outer;
            if data && element.protected {
                self.report(diagnostics::misplaced_section("protected elements", word, element.span));
            }
            if (data || function) && around {
                self.report(diagnostics::misplaced_section("inner or outer components", word, span));
            }
            if matches!(class.kind, ClassKind::Record | ClassKind::OperatorRecord) && directed {
                self.report(diagnostics::misplaced_section("input or output components", word, span));
            }
            let carried = clause.type_prefix.flow || clause.type_prefix.stream;
            if matches!(class.kind, ClassKind::Record | ClassKind::OperatorRecord) && carried {
                self.report(diagnostics::misplaced_section("flow or stream components", word, span));
            }
            if class.kind == ClassKind::Operator {
                self.report(diagnostics::misplaced_section("components", word, span));
            }
            if class.kind == ClassKind::Package
                && clause.type_prefix.variability != Some(ast::Variability::Constant)
            {
                self.report(diagnostics::misplaced_section("components that are not constants", word, span));
            }
            for component in &clause.components {
                self.check_reserved(&component.name);
            }
        }
        self.check_reserved(&class.name);
    }

    /// The predefined types cannot be redefined (MLS 4.9).
    fn check_reserved(&mut self, name: &ast::Ident) {
        if matches!(name.name.as_str(), "Real" | "Integer" | "Boolean" | "String") {
            self.report(diagnostics::reserved_name(name.name, name.span));
        }
    }

    /// The value of a variable must fit its type, and be no more variable than itself (MLS 3.8).
    pub(crate) fn check_binding(&mut self, comp: CompId) {
        let What::Variable(scalar) = self.comp(comp).what else { return };
        if self.comp(comp).variability == Variability::Constant && self.binding(comp).is_none() {
            let (path, span) = (self.comp_path(comp), self.comp(comp).span);
            self.report(diagnostics::constant_without_value(&path, span));
        }
        let Some(bind) = self.comp(comp).mods.value().cloned() else { return };
        if scalar == kairos_expr::Scalar::Real && self.comp(comp).variability == Variability::Discrete {
            let path = self.comp_path(comp);
            self.report(diagnostics::discrete_bound(&path, bind.span));
        }
        let Some(e) = self.binding(comp) else { return };
        let (to, from) = (self.comp_type(comp), self.store.ty(e).clone());
        let path = self.comp_path(comp);
        let broadcast = Type { scalar: to.scalar, dims: from.dims.clone() };
        let shape_open = from.dims.is_empty() && !to.dims.is_empty();
        if !(self.assignable(&to, &from) || shape_open && self.assignable(&broadcast, &from)) {
            let (want, have) = (self.type_text(&to), self.type_text(&from));
            self.report(diagnostics::binding_type(&path, &want, &have, bind.span));
            return;
        }
        let own = self.comp(comp).variability;
        if own > Variability::Parameter {
            return;
        }
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            let found = match self.store.node(e) {
                Node::Time => Some("time".to_string()),
                Node::Var(v) if self.comp(CompId::new(v.index())).variability > own => {
                    Some(self.comp_path(CompId::new(v.index())))
                }
                Node::Builtin(Builtin::Size | Builtin::Ndims, _) => continue,
                _ => None,
            };
            if let Some(name) = found {
                let word = if own == Variability::Constant { "constant" } else { "parameter" };
                self.report(diagnostics::too_variable(&path, word, &name, bind.span));
                return;
            }
            self.store.children(e, |c| todo.push(c));
        }
    }
}

fn import_name(import: &ast::Import) -> Option<kairos_base::Name> {
    match &import.kind {
        ast::ImportKind::Qualified => import.path.parts.last().map(|p| p.name),
        ast::ImportKind::Renamed(name) => Some(name.name),
        ast::ImportKind::List(_) | ast::ImportKind::All => None,
    }
}

/// How the language calls a kind of class.
pub fn kind_word(kind: ClassKind) -> &'static str {
    match kind {
        ClassKind::Class => "class",
        ClassKind::Model => "model",
        ClassKind::Record => "record",
        ClassKind::OperatorRecord => "operator record",
        ClassKind::Block => "block",
        ClassKind::Connector => "connector",
        ClassKind::ExpandableConnector => "expandable connector",
        ClassKind::Type => "type",
        ClassKind::Package => "package",
        ClassKind::Function => "function",
        ClassKind::OperatorFunction => "operator function",
        ClassKind::Operator => "operator",
    }
}
