//! Modifiers: values, nested arguments, redeclarations, selective extension (MLS A.2.5, 7.4).

use super::Parsed;
use super::cursor::{Parser, starts_class};
use crate::ast::*;
use crate::diagnostics as say;
use crate::token::TokenKind as T;

impl Parser<'_> {
    /// `(args) = value`, each part optional.
    pub fn modification(&mut self) -> Parsed<Option<Modification>> {
        let start = self.span();
        let args = match self.peek() {
            T::LeftParen => self.class_modification()?,
            T::Equal | T::Assign => Vec::new(),
            _ => return Ok(None),
        };
        if self.at(T::Assign) {
            self.report(say::assignment_in_declaration(self.span()));
        }
        let value = match self.eat(T::Equal) || self.eat(T::Assign) {
            true if self.at(T::Break) => Some(ModValue::Break(self.bump())),
            true => Some(ModValue::Expr(Box::new(self.expression()?))),
            false => None,
        };
        Ok(Some(Modification { args, value, span: self.since(start) }))
    }

    pub fn optional_class_modification(&mut self) -> Parsed<Vec<Argument>> {
        match self.at(T::LeftParen) {
            true => self.class_modification(),
            false => Ok(Vec::new()),
        }
    }

    /// `(args)`
    pub fn class_modification(&mut self) -> Parsed<Vec<Argument>> {
        let mut breaks = Vec::new();
        let args = self.argument_list(&mut breaks)?;
        if let Some(Break::Connect(_, _, span) | Break::Component(Ident { span, .. })) = breaks.first() {
            self.report(say::break_outside_extends(*span));
        }
        Ok(args)
    }

    /// The modifier of an `extends`, which may deselect elements.
    pub fn inheritance_modification(&mut self) -> Parsed<(Vec<Argument>, Vec<Break>)> {
        let mut breaks = Vec::new();
        let args = match self.at(T::LeftParen) {
            true => self.argument_list(&mut breaks)?,
            false => Vec::new(),
        };
        Ok((args, breaks))
    }

    fn argument_list(&mut self, breaks: &mut Vec<Break>) -> Parsed<Vec<Argument>> {
        let opened = self.expect(T::LeftParen)?;
        self.nested(|p| {
            let from = p.lists.arguments.len();
            if !p.at(T::RightParen) {
                loop {
                    if p.at(T::Break) {
                        breaks.push(p.deselection()?);
                    } else {
                        let argument = p.argument()?;
                        p.lists.arguments.push(argument);
                    }
                    if !p.eat(T::Comma) {
                        break;
                    }
                }
            }
            p.close(T::LeftParen, T::RightParen, opened)?;
            Ok(p.lists.arguments.drain(from..).collect())
        })
    }

    /// `break name` or `break connect(a, b)`
    fn deselection(&mut self) -> Parsed<Break> {
        let start = self.bump();
        if self.at(T::Connect) {
            let (a, b) = self.connect()?;
            return Ok(Break::Connect(Box::new(a), Box::new(b), self.since(start)));
        }
        Ok(Break::Component(self.ident("the name of an inherited element or `connect`")?))
    }

    fn argument(&mut self) -> Parsed<Argument> {
        let start = self.span();
        let (mut redeclare, mut each, mut is_final) = (false, false, false);
        let mut last = 0;
        loop {
            let (rank, flag) = match self.peek() {
                T::Redeclare => (1, &mut redeclare),
                T::Each => (2, &mut each),
                T::Final => (3, &mut is_final),
                _ => break,
            };
            *flag = true;
            self.take_prefix(rank, &mut last, say::MODIFIER_PREFIXES);
        }
        let kind = match redeclare || self.at(T::Replaceable) {
            true => self.redeclaration(redeclare, is_final)?,
            false => self.element_modification()?,
        };
        Ok(Argument { span: self.since(start), each, is_final, kind })
    }

    fn element_modification(&mut self) -> Parsed<ArgumentKind> {
        let mut path = vec![self.ident("a modifier such as `name = value`")?];
        while self.eat(T::Dot) {
            path.push(self.ident("a name")?);
        }
        if self.in_annotation && self.at(T::LeftParen) && matches!(self.peek_at(1), T::String | T::LeftBrace)
        {
            return self.rule(path);
        }
        let modification = self.modification()?;
        let description = self.description()?;
        Ok(ArgumentKind::Modify { path, modification, description })
    }

    /// `convertClass("A", "B")` in `change(…)` of an annotation (MLS 18.8.2): a call, which is kept as the value of its name.
    fn rule(&mut self, path: Vec<Ident>) -> Parsed<ArgumentKind> {
        let span = path[0].span;
        let part = |name: &Ident| RefPart { name: *name, subscripts: Vec::new().into() };
        let function = ComponentRef { global: false, parts: path.iter().map(part).collect(), span };
        let args = self.call_args()?;
        let span = self.since(span);
        let call = Expr { span, kind: ExprKind::Call { function, args } };
        let modification =
            Modification { args: Vec::new(), value: Some(ModValue::Expr(Box::new(call))), span };
        let description = Description::default();
        Ok(ArgumentKind::Modify { path, modification: Some(modification), description })
    }

    fn redeclaration(&mut self, redeclare: bool, is_final: bool) -> Parsed<ArgumentKind> {
        let replaceable = self.eat(T::Replaceable);
        if starts_class(self.peek()) {
            let head = self.class_head()?;
            let class = Box::new(self.class_specifier(head, false)?);
            let constraining = self.constraining(replaceable)?;
            return Ok(ArgumentKind::Class { redeclare, replaceable, class, constraining });
        }
        let prefix = ElementPrefix { redeclare, is_final, replaceable, ..ElementPrefix::default() };
        let mut clause = self.single_component_clause(prefix)?;
        clause.constraining = self.constraining(replaceable)?;
        Ok(ArgumentKind::Component { redeclare, replaceable, clause: Box::new(clause) })
    }
}
