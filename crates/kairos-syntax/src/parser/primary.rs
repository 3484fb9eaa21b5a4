//! Literals, references, calls, brackets: the operands of expressions.

use super::Parsed;
use super::cursor::Parser;
use crate::ast::*;
use crate::diagnostics as say;
use crate::literal::{decode_integer, decode_real, decode_string};
use crate::token::TokenKind as T;
use kairos_base::Span;

impl Parser<'_> {
    /// An operand with the one subscript or field that may follow parentheses.
    pub fn postfix_expression(&mut self) -> Parsed<Expr> {
        let operand = self.primary()?;
        if !matches!(self.peek(), T::LeftBracket | T::Dot) {
            return Ok(operand);
        }
        match operand.kind {
            ExprKind::Tuple(_) => {}
            ExprKind::Call { .. } => {
                self.report(say::call_postfix(&self.found(), self.span()));
            }
            _ => return Ok(operand),
        }
        self.postfix_after(operand)
    }

    // Apart, to keep the stack small where brackets nest.
    #[inline(never)]
    fn postfix_after(&mut self, operand: Expr) -> Parsed<Expr> {
        let start = operand.span;
        self.height += 1;
        let kind = match self.at(T::LeftBracket) {
            true => ExprKind::Index(Box::new(operand), self.subscript_list()?),
            false => {
                self.bump();
                ExprKind::Field(Box::new(operand), self.ident("the name of a field")?)
            }
        };
        Ok(Expr { span: self.since(start), kind })
    }

    pub fn primary(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let kind = match self.peek() {
            T::Ident => return self.reference_or_call(),
            T::Dot if self.peek_at(1) == T::Ident => return self.reference_or_call(),
            T::Real => {
                self.bump();
                ExprKind::Real(decode_real(self.slice(span), span, &mut self.diagnostics))
            }
            T::Integer => {
                self.bump();
                match decode_integer(self.slice(span), span, &mut self.diagnostics) {
                    Some(value) => ExprKind::Integer(value),
                    None => ExprKind::Error,
                }
            }
            T::String => {
                self.bump();
                ExprKind::String(decode_string(self.slice(span), span, &mut self.diagnostics).into())
            }
            T::True | T::False => {
                let value = self.at(T::True);
                self.bump();
                ExprKind::Bool(value)
            }
            T::LeftParen => self.tuple()?,
            T::LeftBrace => self.array()?,
            T::LeftBracket => self.matrix()?,
            T::Time => {
                let name = self.keyword_ident();
                let reference = self.lone_ref(name);
                ExprKind::Ref(reference)
            }
            T::Der | T::Initial | T::Pure | T::Impure if self.peek_at(1) == T::LeftParen => {
                let name = self.keyword_ident();
                let function = self.lone_ref(name);
                ExprKind::Call { function, args: self.call_args()? }
            }
            T::End if self.subscripts > 0 => {
                self.bump();
                ExprKind::End
            }
            T::End if !matches!(self.peek_at(1), T::Ident | T::If | T::For | T::When | T::While) => {
                self.report(say::end_outside_subscript(span));
                self.bump();
                ExprKind::Error
            }
            T::If => {
                let what = "an `if` expression after an operator";
                self.report(say::needs_parentheses(what, "`(if a then b else c)`", span));
                return self.expression();
            }
            T::Semicolon | T::Comma | T::RightParen | T::RightBracket | T::RightBrace | T::Then | T::Loop => {
                // Only the expression is missing: what follows can still be read.
                let _ = self.unexpected::<()>("an expression");
                ExprKind::Error
            }
            _ => return self.unexpected("an expression"),
        };
        Ok(Expr { span: self.since(span), kind })
    }

    fn reference_or_call(&mut self) -> Parsed<Expr> {
        let function = self.component_ref()?;
        let start = function.span;
        if !self.at(T::LeftParen) {
            return Ok(Expr { span: start, kind: ExprKind::Ref(function) });
        }
        let args = self.call_args()?;
        Ok(Expr { span: self.since(start), kind: ExprKind::Call { function, args } })
    }

    fn lone_ref(&self, name: Ident) -> ComponentRef {
        let parts = vec![RefPart { name, subscripts: self.no_subscripts.clone() }];
        ComponentRef { global: false, parts, span: name.span }
    }

    /// `.a[1].b`
    pub fn component_ref(&mut self) -> Parsed<ComponentRef> {
        let start = self.span();
        let global = self.eat(T::Dot);
        let from = self.lists.parts.len();
        loop {
            let name = self.ident("a name")?;
            let subscripts = match self.at(T::LeftBracket) {
                true => self.subscript_list()?.into(),
                false => self.no_subscripts.clone(),
            };
            self.lists.parts.push(RefPart { name, subscripts });
            if !self.eat(T::Dot) {
                let parts = self.lists.parts.drain(from..).collect();
                return Ok(ComponentRef { global, parts, span: self.since(start) });
            }
        }
    }

    pub fn optional_subscripts(&mut self) -> Parsed<Vec<Subscript>> {
        match self.at(T::LeftBracket) {
            true => self.subscript_list(),
            false => Ok(Vec::new()),
        }
    }

    /// `[a, :, end]`
    pub fn subscript_list(&mut self) -> Parsed<Vec<Subscript>> {
        let opened = self.bump();
        self.subscripts += 1;
        let result = self.nested(|p| p.open_subscripts(opened));
        self.subscripts -= 1;
        result
    }

    fn open_subscripts(&mut self, opened: Span) -> Parsed<Vec<Subscript>> {
        let mut subscripts = Vec::new();
        loop {
            subscripts.push(match self.at(T::Colon) {
                true => Subscript::All(self.bump()),
                false => Subscript::Expr(self.expression()?),
            });
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.close(T::LeftBracket, T::RightBracket, opened)?;
        Ok(subscripts)
    }

    /// `(a, , b)`
    fn tuple(&mut self) -> Parsed<ExprKind> {
        let opened = self.bump();
        let mut items = Vec::new();
        loop {
            items.push(match self.peek() {
                T::Comma | T::RightParen => None,
                _ => Some(self.expression()?),
            });
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.close(T::LeftParen, T::RightParen, opened)?;
        Ok(ExprKind::Tuple(items))
    }

    /// `{a, b}` or `{e for i in r}`
    fn array(&mut self) -> Parsed<ExprKind> {
        let opened = self.bump();
        if self.at(T::RightBrace) {
            self.report(say::empty_brackets("`{}`", opened.to(self.span())));
            self.bump();
            return Ok(ExprKind::Array(Vec::new()));
        }
        let first = self.expression()?;
        if self.eat(T::For) {
            let indices = self.for_indices()?;
            self.close(T::LeftBrace, T::RightBrace, opened)?;
            return Ok(ExprKind::ArrayComprehension(Box::new(first), indices));
        }
        let items = self.expressions_after(first)?;
        self.close(T::LeftBrace, T::RightBrace, opened)?;
        Ok(ExprKind::Array(items))
    }

    /// `[a, b; c, d]`
    fn matrix(&mut self) -> Parsed<ExprKind> {
        let opened = self.bump();
        if self.at(T::RightBracket) {
            self.report(say::empty_brackets("`[]`", opened.to(self.span())));
            self.bump();
            return Ok(ExprKind::Matrix(Vec::new()));
        }
        let mut rows = vec![self.expression_list()?];
        while self.eat(T::Semicolon) {
            rows.push(self.expression_list()?);
        }
        self.close(T::LeftBracket, T::RightBracket, opened)?;
        Ok(ExprKind::Matrix(rows))
    }

    pub fn expression_list(&mut self) -> Parsed<Vec<Expr>> {
        let first = self.expression()?;
        self.expressions_after(first)
    }

    fn expressions_after(&mut self, first: Expr) -> Parsed<Vec<Expr>> {
        let from = self.lists.exprs.len();
        self.lists.exprs.push(first);
        while self.eat(T::Comma) {
            let item = self.expression()?;
            self.lists.exprs.push(item);
        }
        Ok(self.lists.exprs.drain(from..).collect())
    }
}
