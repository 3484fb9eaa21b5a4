//! Elements: imports, extends clauses, nested classes and component declarations (MLS A.2.2 to A.2.4).

use super::cursor::{Parser, starts_class};
use super::{Fault, Parsed};
use crate::ast::*;
use crate::diagnostics as say;
use crate::literal::decode_string;
use crate::token::TokenKind as T;

impl Parser<'_> {
    pub fn element(&mut self, protected: bool) -> Parsed<Element> {
        let start = self.span();
        let kind = match self.peek() {
            T::Import => ElementKind::Import(self.import()?),
            T::Extends => ElementKind::Extends(self.extends()?),
            _ => self.declaration()?,
        };
        Ok(Element { span: self.since(start), protected, kind })
    }

    fn declaration(&mut self) -> Parsed<ElementKind> {
        let prefix = self.element_prefix();
        let kind = self.peek();
        if starts_class(kind) {
            let class = self.class_definition()?;
            let constraining = self.constraining(prefix.replaceable)?;
            return Ok(ElementKind::Class(ClassElement { prefix, class, constraining }));
        }
        let mut clause = self.component_clause(prefix)?;
        clause.constraining = self.constraining(prefix.replaceable)?;
        Ok(ElementKind::Components(clause))
    }

    /// `redeclare final inner outer replaceable`; a wrong order is reported and taken all the same.
    fn element_prefix(&mut self) -> ElementPrefix {
        let mut prefix = ElementPrefix::default();
        let mut last = 0;
        loop {
            let (rank, flag) = match self.peek() {
                T::Redeclare => (1, &mut prefix.redeclare),
                T::Final => (2, &mut prefix.is_final),
                T::Inner => (3, &mut prefix.inner),
                T::Outer => (4, &mut prefix.outer),
                T::Replaceable => (5, &mut prefix.replaceable),
                _ => return prefix,
            };
            *flag = true;
            self.take_prefix(rank, &mut last, say::ELEMENT_PREFIXES);
        }
    }

    /// `flow|stream discrete|parameter|constant input|output`
    pub fn type_prefix(&mut self) -> TypePrefix {
        let mut prefix = TypePrefix::default();
        let mut last = 0;
        loop {
            let rank = match self.peek() {
                T::Flow | T::Stream => 1,
                T::Discrete | T::Parameter | T::Constant => 2,
                T::Input | T::Output => 3,
                _ => return prefix,
            };
            match self.peek() {
                T::Flow => prefix.flow = true,
                T::Stream => prefix.stream = true,
                T::Discrete => prefix.variability = Some(Variability::Discrete),
                T::Parameter => prefix.variability = Some(Variability::Parameter),
                T::Constant => prefix.variability = Some(Variability::Constant),
                T::Input => prefix.direction = Some(Direction::Input),
                _ => prefix.direction = Some(Direction::Output),
            }
            self.take_prefix(rank, &mut last, say::TYPE_PREFIXES);
        }
    }

    /// Takes a prefix; those of lower rank should have come before it.
    pub fn take_prefix(&mut self, rank: u8, last: &mut u8, order: &str) {
        if rank <= *last {
            let before = self.slice(self.last_span());
            self.report(say::misplaced_prefix(self.text_at(0), before, order, self.span()));
        }
        *last = rank.max(*last);
        self.bump();
    }

    fn import(&mut self) -> Parsed<Import> {
        self.bump();
        let mut renamed = None;
        if self.at(T::Ident) && self.peek_at(1) == T::Equal {
            renamed = Some(self.ident("a name")?);
            self.bump();
        }
        if self.at(T::Dot) {
            self.report(say::import_with_dot(self.span()));
            self.bump();
        }
        let path = self.path("the name to import")?;
        let kind = match renamed {
            Some(name) => ImportKind::Renamed(name),
            None => self.import_tail()?,
        };
        Ok(Import { path, kind, comment: self.comment()? })
    }

    fn import_tail(&mut self) -> Parsed<ImportKind> {
        if self.eat(T::DotStar) {
            return Ok(ImportKind::All);
        }
        if !self.eat(T::Dot) {
            return Ok(ImportKind::Qualified);
        }
        if self.eat(T::Star) {
            return Ok(ImportKind::All);
        }
        if !self.at(T::LeftBrace) {
            return self.unexpected("a name, `*` or `{`");
        }
        let opened = self.bump();
        let mut names = vec![self.ident("a name to import")?];
        while self.eat(T::Comma) {
            names.push(self.ident("a name to import")?);
        }
        self.close(T::LeftBrace, T::RightBrace, opened)?;
        Ok(ImportKind::List(names))
    }

    fn extends(&mut self) -> Parsed<Extends> {
        self.bump();
        let base = self.path("the name of the base class")?;
        let (mods, breaks) = self.inheritance_modification()?;
        let annotation = self.annotation()?;
        Ok(Extends { base, mods, breaks, annotation })
    }

    /// `constrainedby B(mods) "comment"`, after a replaceable element only.
    pub fn constraining(&mut self, allowed: bool) -> Parsed<Option<Box<Constraining>>> {
        if !self.at(T::Constrainedby) {
            return Ok(None);
        }
        if !allowed {
            self.report(say::constrained_not_replaceable(self.span()));
        }
        self.bump();
        let base = self.path("the name of the constraining class")?;
        let mods = self.optional_class_modification()?;
        let comment = self.comment()?;
        Ok(Some(Box::new(Constraining { base, mods, comment })))
    }

    fn component_clause(&mut self, prefix: ElementPrefix) -> Parsed<ComponentClause> {
        let type_prefix = self.type_prefix();
        let type_name = self.path("a declaration")?;
        let dims = self.optional_subscripts()?;
        let mut components = vec![self.component(true)?];
        while self.eat(T::Comma) {
            components.push(self.component(true)?);
        }
        Ok(ComponentClause { prefix, type_prefix, type_name, dims, components, constraining: None })
    }

    /// A declaration in a modifier: one component, no dimensions of the type, no condition.
    pub fn single_component_clause(&mut self, prefix: ElementPrefix) -> Parsed<ComponentClause> {
        let type_prefix = self.type_prefix();
        let type_name = self.path("a declaration")?;
        let dims = self.optional_subscripts()?;
        let components = vec![self.component(false)?];
        Ok(ComponentClause { prefix, type_prefix, type_name, dims, components, constraining: None })
    }

    fn component(&mut self, conditional: bool) -> Parsed<Component> {
        if matches!(self.peek(), T::Integer | T::Real) {
            self.report(say::comma_in_declaration(self.span()));
            return Err(Fault);
        }
        let name = self.ident("the name of the component")?;
        let dims = self.optional_subscripts()?;
        let modification = self.modification()?;
        let condition = match conditional && self.eat(T::If) {
            true => Some(Box::new(self.expression()?)),
            false => None,
        };
        let comment = self.comment()?;
        Ok(Component { name, dims, modification, condition, comment })
    }

    /// `"text" + "text" annotation(…)`, each optional.
    pub fn comment(&mut self) -> Parsed<Comment> {
        let description = self.description()?;
        let annotation = self.annotation()?;
        Ok(Comment { description, annotation })
    }

    pub fn description(&mut self) -> Parsed<Description> {
        if !self.at(T::String) {
            return Ok(Description::default());
        }
        let start = self.bump();
        let first = decode_string(self.slice(start), start, &mut self.diagnostics);
        if !self.at(T::Plus) {
            return Ok(Description { text: Some(first.into()), span: Some(start) });
        }
        let mut text = first.into_owned();
        while self.eat(T::Plus) {
            let span = self.expect(T::String)?;
            text.push_str(&decode_string(self.slice(span), span, &mut self.diagnostics));
        }
        Ok(Description { text: Some(text.into()), span: Some(self.since(start)) })
    }

    pub fn annotation(&mut self) -> Parsed<Option<Annotation>> {
        if !self.at(T::Annotation) {
            return Ok(None);
        }
        let start = self.bump();
        let outer = std::mem::replace(&mut self.in_annotation, true);
        let args = self.class_modification();
        self.in_annotation = outer;
        let args = args?;
        Ok(Some(Annotation { args, span: self.since(start) }))
    }
}
