//! The body of a class: its elements, sections, external call and annotation.

use super::cursor::{Parser, ends_section, starts_declaration};
use super::{Fault, Parsed};
use crate::ast::*;
use crate::diagnostics as say;
use crate::literal::decode_string;
use crate::token::TokenKind as T;
use kairos_base::Span;

impl Parser<'_> {
    /// Everything from the description to `end Name`; it always comes to its end.
    pub fn composition(&mut self, name: Ident) -> Composition {
        let mut body = Composition {
            extends_modifier: None,
            is_class_extends: false,
            description: Description::default(),
            elements: Vec::new(),
            equations: Vec::new(),
            algorithms: Vec::new(),
            external: None,
            annotation: None,
        };
        match self.description() {
            Ok(description) => body.description = description,
            Err(Fault) => self.recover(),
        }
        let mut protected = false;
        let mut in_section = false;
        loop {
            let before = self.position();
            match self.peek() {
                T::End if self.at_stray_end() => self.stray_end(),
                T::End | T::Eof => break,
                T::Public | T::Protected => {
                    protected = self.at(T::Protected);
                    in_section = false;
                    self.bump();
                    continue;
                }
                T::Annotation => self.class_annotation(&mut body),
                T::External => match self.external() {
                    Ok(external) => {
                        body.external = Some(external);
                        self.end_of_item();
                    }
                    Err(Fault) => self.recover(),
                },
                T::Equation | T::Algorithm => {
                    self.section(&mut body, false);
                    in_section = true;
                }
                T::Initial if matches!(self.peek_at(1), T::Equation | T::Algorithm) => {
                    self.bump();
                    self.section(&mut body, true);
                    in_section = true;
                }
                T::Initial if self.peek_at(1) != T::LeftParen => {
                    self.report(say::initial_alone(self.span()));
                    self.bump();
                    let start = self.span();
                    let equations = self.equations();
                    body.equations.push(EquationSection {
                        initial: true,
                        equations,
                        span: self.since(start),
                    });
                    in_section = true;
                }
                _ => {
                    if in_section && starts_declaration(self.peek()) {
                        self.report(say::misplaced_element(self.span()));
                        in_section = false;
                    }
                    match self.element(protected) {
                        Ok(element) => {
                            body.elements.push(element);
                            self.end_of_item();
                        }
                        Err(Fault) => self.recover(),
                    }
                }
            }
            if self.position() == before {
                self.bump();
            }
        }
        self.end_of_class(name);
        body.elements.shrink_to_fit();
        body
    }

    /// Whether an `end if` or the like stands here, where no block is open.
    fn at_stray_end(&self) -> bool {
        self.at(T::End) && ends_block(self.peek_at(1))
    }

    fn stray_end(&mut self) {
        self.report(say::stray_end(self.text_at(1), self.span()));
        self.bump();
        self.bump();
        self.eat(T::Semicolon);
    }

    fn class_annotation(&mut self, body: &mut Composition) {
        let place = self.span();
        match self.annotation() {
            Ok(Some(annotation)) => {
                self.end_of_item();
                let last = matches!(self.peek(), T::End | T::Eof);
                match &mut body.annotation {
                    Some(first) => first.args.extend(annotation.args),
                    none => *none = Some(annotation),
                }
                if !last {
                    self.report(say::annotation_not_last(place));
                }
            }
            _ => self.recover(),
        }
    }

    fn section(&mut self, body: &mut Composition, initial: bool) {
        let start = self.span();
        if self.eat(T::Equation) {
            let mut equations = self.equations();
            while self.at_stray_end() {
                self.stray_end();
                equations.extend(self.equations());
            }
            body.equations.push(EquationSection { initial, equations, span: self.since(start) });
        } else {
            self.bump();
            let mut statements = self.statements();
            while self.at_stray_end() {
                self.stray_end();
                statements.extend(self.statements());
            }
            body.algorithms.push(AlgorithmSection { initial, statements, span: self.since(start) });
        }
    }

    /// `external "C" y = f(a, b) annotation(…)`
    fn external(&mut self) -> Parsed<External> {
        let start = self.bump();
        let mut language = None;
        if self.at(T::String) {
            let span = self.bump();
            let text = self.slice(span);
            language = Some(decode_string(text, span, &mut self.diagnostics).into());
        }
        let (mut output, mut function, mut args) = (None, None, Vec::new());
        if matches!(self.peek(), T::Ident | T::Dot) {
            if self.peek_at(1) != T::LeftParen {
                output = Some(self.component_ref()?);
                self.expect(T::Equal)?;
            }
            function = Some(self.ident("the name of the external function")?);
            let opened = self.expect(T::LeftParen)?;
            if !self.at(T::RightParen) {
                args = self.expression_list()?;
            }
            self.close(T::LeftParen, T::RightParen, opened)?;
        }
        let annotation = self.annotation()?;
        Ok(External { language, output, function, args, annotation, span: self.since(start) })
    }

    /// Whether a list of equations or statements ends here.
    pub fn at_end_of_list(&self) -> bool {
        let kind = self.peek();
        ends_section(kind)
            || matches!(kind, T::Else | T::Elseif | T::Elsewhen)
            || (kind == T::Initial && matches!(self.peek_at(1), T::Equation | T::Algorithm))
            || kind == T::Annotation
            || (starts_declaration(kind) && !(kind == T::Pure && self.peek_at(1) == T::LeftParen))
    }

    /// `end word` of an `if`, `for`, `when` or `while`; a different `end` is left to whom it belongs.
    pub fn end_of_block(&mut self, word: T, opened: Span, else_if: bool) -> Parsed<()> {
        if self.at(T::End) && self.peek_at(1) == word {
            self.bump();
            self.bump();
            return Ok(());
        }
        let found = match self.at(T::End) {
            true => format!("`end {}`", self.text_at(1)),
            false => self.found(),
        };
        self.report(say::unclosed_block(word.text(), &found, else_if, self.span(), opened));
        // `end while` for `end if` is most likely a slip of the pen.
        if self.at_stray_end() {
            self.bump();
            self.bump();
            return Ok(());
        }
        Err(Fault)
    }
}

/// Words that close a block after `end`.
fn ends_block(kind: T) -> bool {
    matches!(kind, T::If | T::For | T::When | T::While)
}
