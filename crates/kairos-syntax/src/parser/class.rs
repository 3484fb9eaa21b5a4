//! Files, class definitions, short classes and enumerations (MLS A.2.1, A.2.2).

use super::cursor::{Parser, starts_class};
use super::{Fault, Parsed};
use crate::ast::*;
use crate::diagnostics as say;
use crate::token::TokenKind as T;
use kairos_base::Span;

/// What stands before the name of a class.
pub struct ClassHead {
    pub start: Span,
    pub kind: ClassKind,
    pub encapsulated: bool,
    pub partial: bool,
    pub pure: Option<bool>,
}

impl Parser<'_> {
    pub fn stored_definition(&mut self) -> (Option<Path>, Vec<Class>) {
        let within = self.within();
        let mut classes = Vec::new();
        while !self.at(T::Eof) {
            let before = self.position();
            self.eat(T::Final);
            match self.class_definition() {
                Ok(class) => {
                    classes.push(class);
                    self.end_of_item();
                }
                Err(Fault) => self.skip_to_class(before),
            }
        }
        (within, classes)
    }

    fn within(&mut self) -> Option<Path> {
        let start = self.span();
        if !self.eat(T::Within) {
            return None;
        }
        let path = match self.at(T::Semicolon) {
            true => Path { global: false, parts: Vec::new(), span: start },
            false => match self.path("the name of a package") {
                Ok(path) => path,
                Err(Fault) => {
                    self.recover();
                    return None;
                }
            },
        };
        self.end_of_item();
        Some(path)
    }

    /// After an error outside all classes: on to the next class.
    fn skip_to_class(&mut self, before: usize) {
        if self.position() == before {
            self.bump();
        }
        while !self.at(T::Eof) && !starts_class(self.peek()) {
            self.bump();
        }
    }

    pub fn class_definition(&mut self) -> Parsed<Class> {
        let head = self.class_head()?;
        self.class_specifier(head, true)
    }

    /// `[encapsulated] [partial] kind`
    pub fn class_head(&mut self) -> Parsed<ClassHead> {
        let start = self.span();
        let (mut encapsulated, mut partial) = (false, false);
        let mut last = 0;
        loop {
            let (rank, flag) = match self.peek() {
                T::Encapsulated => (1, &mut encapsulated),
                T::Partial => (2, &mut partial),
                _ => break,
            };
            *flag = true;
            self.take_prefix(rank, &mut last, say::CLASS_PREFIXES);
        }
        let pure = match self.peek() {
            T::Pure => Some(true),
            T::Impure => Some(false),
            _ => None,
        };
        if pure.is_some() {
            self.bump();
        }
        let next = self.peek_at(1);
        let (kind, length) = match self.peek() {
            T::Operator if next == T::Function => (ClassKind::OperatorFunction, 2),
            T::Function => (ClassKind::Function, 1),
            _ if pure.is_some() => return self.unexpected("`function`"),
            T::Class => (ClassKind::Class, 1),
            T::Model => (ClassKind::Model, 1),
            T::Operator if next == T::Record => (ClassKind::OperatorRecord, 2),
            T::Operator => (ClassKind::Operator, 1),
            T::Record => (ClassKind::Record, 1),
            T::Block => (ClassKind::Block, 1),
            T::Expandable if next == T::Connector => (ClassKind::ExpandableConnector, 2),
            T::Connector => (ClassKind::Connector, 1),
            T::Type => (ClassKind::Type, 1),
            T::Package => (ClassKind::Package, 1),
            _ => return self.unexpected("a class such as `model`, `package` or `function`"),
        };
        for _ in 0..length {
            self.bump();
        }
        Ok(ClassHead { start, kind, encapsulated, partial, pure })
    }

    /// What follows the head; `long` admits bodies closed by `end`.
    pub fn class_specifier(&mut self, head: ClassHead, long: bool) -> Parsed<Class> {
        let is_class_extends = long && self.eat(T::Extends);
        let name = self.ident("the name of the class")?;
        let body = match self.at(T::Equal) {
            true if !is_class_extends => self.short_body()?,
            _ if !long => return self.unexpected("`=`"),
            // A class takes as much stack as two levels of brackets.
            _ => self.nested(|p| p.nested(|p| p.long_body(name, is_class_extends)))?,
        };
        let ClassHead { start, kind, encapsulated, partial, pure } = head;
        Ok(Class { span: self.since(start), name, kind, encapsulated, partial, pure, body })
    }

    fn long_body(&mut self, name: Ident, is_class_extends: bool) -> Parsed<ClassBody> {
        let extends_modifier = match is_class_extends && self.at(T::LeftParen) {
            true => Some(self.class_modification()?),
            false => None,
        };
        self.open_classes.push(name.name);
        let mut composition = self.composition(name);
        self.open_classes.pop();
        composition.extends_modifier = extends_modifier;
        composition.is_class_extends = is_class_extends;
        Ok(ClassBody::Long(Box::new(composition)))
    }

    /// The `end Name` of a class.
    pub fn end_of_class(&mut self, name: Ident) {
        if !self.at(T::End) {
            let found = self.found();
            self.report(say::unclosed_class(name.name.as_str(), &found, self.span(), name.span));
            return;
        }
        let closing = self.text_at(1);
        if self.peek_at(1) == T::Ident {
            let own = name.name.as_str();
            let outer = self.open_classes.iter().rev().skip(1).any(|n| n.as_str() == closing);
            if closing != own && outer {
                // It closes a class further out, so this one's `end` was forgotten.
                let found = format!("`end {closing}`");
                self.report(say::unclosed_class(own, &found, self.span(), name.span));
                return;
            }
            self.bump();
            let span = self.span();
            match self.ident("the name of the class") {
                Ok(ident) if ident.name != name.name => {
                    self.report(say::end_name_mismatch(own, closing, span, name.span));
                }
                _ => {}
            }
            return;
        }
        self.bump();
        let found = self.found();
        self.report(say::unclosed_class(name.name.as_str(), &found, self.span(), name.span));
        if matches!(self.peek(), T::If | T::For | T::When | T::While) {
            self.bump();
        }
    }

    fn short_body(&mut self) -> Parsed<ClassBody> {
        self.expect(T::Equal)?;
        match self.peek() {
            T::Enumeration => self.enumeration(),
            T::Der => self.derivative(),
            _ => {
                let prefix = self.type_prefix();
                let base = self.path("the name of a class")?;
                let dims = self.optional_subscripts()?;
                let mods = self.optional_class_modification()?;
                let comment = self.comment()?;
                Ok(ClassBody::Short(Box::new(ShortClass { prefix, base, dims, mods, comment })))
            }
        }
    }

    fn enumeration(&mut self) -> Parsed<ClassBody> {
        self.bump();
        let opened = self.expect(T::LeftParen)?;
        let mut literals = Vec::new();
        let open_ended = self.eat(T::Colon);
        if !open_ended && !self.at(T::RightParen) {
            loop {
                let name = self.ident("the name of an enumeration literal")?;
                let comment = self.comment()?;
                literals.push(EnumLiteral { name, comment });
                if !self.eat(T::Comma) {
                    break;
                }
            }
        }
        self.close(T::LeftParen, T::RightParen, opened)?;
        let literals = if open_ended { None } else { Some(literals) };
        Ok(ClassBody::Enumeration(literals, self.comment()?))
    }

    fn derivative(&mut self) -> Parsed<ClassBody> {
        self.bump();
        let opened = self.expect(T::LeftParen)?;
        let function = self.path("the name of a function")?;
        let mut variables = Vec::new();
        while self.eat(T::Comma) {
            variables.push(self.ident("the name of an input")?);
        }
        if variables.is_empty() {
            return self.unexpected("`,` and the inputs to differentiate by");
        }
        self.close(T::LeftParen, T::RightParen, opened)?;
        Ok(ClassBody::Derivative(function, variables, self.comment()?))
    }
}
