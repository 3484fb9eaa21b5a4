//! Classes as editors see them: layers of inheritance, parts with their declarations, values as they were written.
//!
//! Nothing is instantiated beyond what is asked for, and nothing is reported: a class that is incomplete, or wrong in
//! parts, can be looked at all the same.

use crate::inst::Decl;
use crate::mods::BindExpr;
use crate::resolve::Scope;
use crate::{CompId, InstId, Sema};
use kairos_base::{Name, Span};
use kairos_expr::Value;
use kairos_syntax::ast::{
    Annotation, Class, ClassBody, ClassKind, Component, ComponentClause, ElementKind, Expr,
};

/// The text of one class in the order of inheritance.
#[derive(Clone, Copy)]
pub struct Layer<'a> {
    pub class: &'a Class,
    /// Names in the text are looked up here.
    pub scope: InstId,
    /// The annotation of the extends clause by which the next class takes this one in.
    pub extends: Option<&'a Annotation>,
    /// Is it a base, and not the class itself?
    pub inherited: bool,
}

impl<'a> Layer<'a> {
    /// The annotation of the class.
    pub fn annotation(&self) -> Option<&'a Annotation> {
        class_annotation(self.class)
    }
}

/// The annotation of a class, wherever its form has it.
pub fn class_annotation(class: &Class) -> Option<&Annotation> {
    match &class.body {
        ClassBody::Long(body) => body.annotation.as_ref(),
        ClassBody::Short(short) => short.comment.annotation.as_ref(),
        ClassBody::Enumeration(_, comment) | ClassBody::Derivative(_, _, comment) => {
            comment.annotation.as_ref()
        }
    }
}

/// The description of a class, wherever its form has it.
pub fn class_description(class: &Class) -> &str {
    let description = match &class.body {
        ClassBody::Long(body) => &body.description,
        ClassBody::Short(short) => &short.comment.description,
        ClassBody::Enumeration(_, comment) | ClassBody::Derivative(_, _, comment) => &comment.description,
    };
    description.text.as_deref().unwrap_or("")
}

impl<'a> Sema<'a> {
    /// The class as a component without a name, whose parts can be asked for one by one.
    pub fn look_at(&mut self, class: InstId) -> CompId {
        let mark = self.diagnostics.len();
        let root = self.root_comp(class, &Default::default());
        self.forget(mark);
        root
    }

    /// The declared parts of a component, those of its bases first.
    pub fn declared_parts(&mut self, comp: CompId) -> Vec<CompId> {
        let mark = self.diagnostics.len();
        // An array of components is seen through its first element.
        let comp = self.comp(comp).elements.first().copied().unwrap_or(comp);
        let parts = self.parts(comp);
        self.forget(mark);
        parts.iter().copied().filter(|part| !self.comp(*part).virtual_member).collect()
    }

    /// The part called `name`, as a value or a text asks for it.
    pub fn part(&mut self, comp: CompId, name: &str) -> Option<CompId> {
        let mark = self.diagnostics.len();
        let comp = self.comp(comp).elements.first().copied().unwrap_or(comp);
        let part = self.child(comp, Name::new(name));
        self.forget(mark);
        part
    }

    /// The class of a component, with its modifications.
    pub fn class_of(&self, comp: CompId) -> Option<InstId> {
        let comp = self.comp(comp);
        let first = comp.elements.first().and_then(|first| self.comp(*first).class);
        first.or(comp.class)
    }

    /// The qualified name of a class.
    pub fn class_name(&self, class: InstId) -> String {
        self.inst_path(class)
    }

    /// The kind of a class.
    pub fn class_kind(&self, class: InstId) -> ClassKind {
        self.inst(class).kind
    }

    /// How a part is declared, and where names in the declaration are looked up.
    pub fn declaration(&self, comp: CompId) -> Option<(&'a ComponentClause, &'a Component, InstId)> {
        let elem = self.elem(self.comp(comp).elem?);
        match elem.decl {
            Decl::Component(clause, component) => Some((clause, component, elem.scope)),
            _ => None,
        }
    }

    /// The texts of a class: its bases in order, each after its own bases, then the class itself.
    pub fn layers(&self, class: InstId) -> Vec<Layer<'a>> {
        let mut layers = Vec::new();
        self.collect_layers(class, None, 0, &mut layers);
        layers
    }

    fn collect_layers(
        &self,
        id: InstId,
        extends: Option<&'a Annotation>,
        depth: usize,
        layers: &mut Vec<Layer<'a>>,
    ) {
        let inst = self.inst(id);
        let Some(class) = inst.class else { return };
        if depth > MAX_BASES {
            return;
        }
        let clauses: Vec<Option<&'a Annotation>> = match &class.body {
            ClassBody::Long(body) => {
                let clause = |e: &'a kairos_syntax::ast::Element| match &e.kind {
                    ElementKind::Extends(extends) => Some(extends.annotation.as_ref()),
                    _ => None,
                };
                body.elements.iter().filter_map(clause).collect()
            }
            _ => Vec::new(),
        };
        // A base that was not found leaves no instance; the clauses that remain are counted from the end.
        let missing = clauses.len().saturating_sub(inst.bases.len());
        for (k, base) in inst.bases.iter().enumerate() {
            let annotation = clauses.get(k + missing).copied().flatten();
            self.collect_layers(*base, annotation, depth + 1, layers);
        }
        layers.push(Layer { class, scope: id, extends, inherited: depth > 0 });
    }

    /// The value of an expression in the scope of a class, if it can be known without a simulation.
    pub fn value_in(&mut self, scope: InstId, expr: &'a Expr) -> Option<Value> {
        let mark = self.diagnostics.len();
        let e = self.expr(&mut Scope::new(scope), expr);
        let value = if self.is_error(e) { None } else { self.try_constant(e) };
        self.forget(mark);
        value
    }

    /// What a component was given as its value, as it was written: by the outermost modifier or by its declaration.
    pub fn given_value(&self, comp: CompId) -> Option<&'a Expr> {
        match self.comp(comp).mods.value()?.what {
            BindExpr::Source(e) => Some(e),
            BindExpr::Made(_) | BindExpr::None => None,
        }
    }

    /// Where a class is written.
    pub fn class_place(&self, class: InstId) -> Option<Span> {
        self.inst(class).class.map(|class| class.span)
    }
}

/// Inheritance deeper than this goes in circles.
const MAX_BASES: usize = 100;
