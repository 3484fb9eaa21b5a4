//! Expressions by operator precedence (MLS 3.2 and A.2.7).

use super::cursor::{MAX_HEIGHT, Parser};
use super::{Fault, Parsed};
use crate::ast::*;
use crate::diagnostics as say;
use crate::token::TokenKind as T;

/// Binding strengths, loosest first.
mod level {
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const NOT: u8 = 3;
    pub const RELATION: u8 = 4;
    pub const ADD: u8 = 5;
    pub const MUL: u8 = 6;
    pub const POWER: u8 = 7;
}

impl Parser<'_> {
    pub fn expression(&mut self) -> Parsed<Expr> {
        // Most expressions are one literal or name, or a negative number: no need to go down all the levels.
        let leaf = matches!(self.peek(), T::Integer | T::Real | T::String | T::Ident | T::True | T::False);
        if leaf && ends_expression(self.peek_at(1)) {
            self.height = self.height.max(1);
            return self.primary();
        }
        if self.at(T::Minus) && is_number(self.peek_at(1)) && ends_expression(self.peek_at(2)) {
            self.height = self.height.max(2);
            let start = self.bump();
            let operand = Box::new(self.primary()?);
            return Ok(Expr { span: self.since(start), kind: ExprKind::Unary(UnaryOp::Minus, operand) });
        }
        self.nested(|p| match p.at(T::If) {
            true => p.if_expression(),
            false => p.range(),
        })
    }

    // Apart from `expression`, which is on the stack once for every level of brackets.
    #[inline(never)]
    fn if_expression(&mut self) -> Parsed<Expr> {
        let start = self.bump();
        let mut branches = Vec::new();
        loop {
            let condition = self.expression()?;
            self.expect_of_if(T::Then)?;
            branches.push((condition, self.expression()?));
            if !self.eat(T::Elseif) {
                break;
            }
        }
        self.expect_of_if(T::Else)?;
        let otherwise = Box::new(self.expression()?);
        Ok(Expr { span: self.since(start), kind: ExprKind::If { branches, otherwise } })
    }

    /// Takes `then` or `else`; the message says how an `if` is written here.
    fn expect_of_if(&mut self, word: T) -> Parsed<()> {
        if self.at(word) || self.misspelt_keyword().is_some() {
            return self.expect(word).map(|_| ());
        }
        self.report(say::if_needs(word.text(), &self.found(), self.span()));
        Err(Fault)
    }

    /// `a`, `a:b` or `a:step:b`
    fn range(&mut self) -> Parsed<Expr> {
        let start = self.operation(level::OR)?;
        match self.at(T::Colon) {
            true => self.range_after(start),
            false => Ok(start),
        }
    }

    // Apart for the same reason.
    #[inline(never)]
    fn range_after(&mut self, start: Expr) -> Parsed<Expr> {
        self.bump();
        let mut stop = Box::new(self.operation(level::OR)?);
        let mut step = None;
        if self.eat(T::Colon) {
            step = Some(stop);
            stop = Box::new(self.operation(level::OR)?);
        }
        let span = start.span.to(stop.span);
        self.height += 1;
        Ok(Expr { span, kind: ExprKind::Range { start: Box::new(start), step, stop } })
    }

    /// Operators that bind at least as strongly as `least`.
    fn operation(&mut self, least: u8) -> Parsed<Expr> {
        let outer = std::mem::take(&mut self.height);
        let mut left = match self.peek() {
            T::Not => self.unary(UnaryOp::Not, level::NOT, least)?,
            T::Plus => self.unary(UnaryOp::Plus, level::ADD, least)?,
            T::Minus => self.unary(UnaryOp::Minus, level::ADD, least)?,
            T::DotPlus => self.unary(UnaryOp::ElementPlus, level::ADD, least)?,
            T::DotMinus => self.unary(UnaryOp::ElementMinus, level::ADD, least)?,
            _ => self.postfix_expression()?,
        };
        let mut height = self.height;
        let mut last = 0;
        while let Some((op, strength)) = binary_operator(self.peek()).filter(|&(_, s)| s >= least) {
            if strength == last && matches!(strength, level::RELATION | level::POWER) {
                // MLS A.2.7: relations and powers do not chain.
                let instead = "which of the two operators comes first, as in `(a^b)^c`";
                self.report(say::needs_parentheses(&self.found(), instead, self.span()));
            }
            last = strength;
            self.bump();
            self.height = 0;
            let right = self.operation(strength + 1)?;
            height = height.max(self.height) + 1;
            let span = left.span.to(right.span);
            left = Expr { span, kind: ExprKind::Binary(op, Box::new(left), Box::new(right)) };
            if height > MAX_HEIGHT {
                self.report(say::chain_too_long(MAX_HEIGHT, span));
                left.kind = ExprKind::Error;
                height = 0;
            }
        }
        self.height = outer.max(height);
        Ok(left)
    }

    fn unary(&mut self, op: UnaryOp, strength: u8, least: u8) -> Parsed<Expr> {
        if strength < least {
            let (what, instead) = match op {
                UnaryOp::Not => ("`not`", "`(not a)`"),
                _ => ("a sign after an operator", "`(-a)` or `(+a)`"),
            };
            self.report(say::needs_parentheses(what, instead, self.span()));
        }
        let start = self.bump();
        let operand = self.nested(|p| p.operation((strength + 1).max(least)))?;
        let span = start.to(operand.span);
        Ok(Expr { span, kind: ExprKind::Unary(op, Box::new(operand)) })
    }
}

fn is_number(kind: T) -> bool {
    matches!(kind, T::Integer | T::Real)
}

fn ends_expression(kind: T) -> bool {
    matches!(kind, T::Comma | T::RightParen | T::RightBrace | T::RightBracket | T::Semicolon)
}

fn binary_operator(kind: T) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        T::Or => (BinaryOp::Or, level::OR),
        T::And => (BinaryOp::And, level::AND),
        T::Less => (BinaryOp::Less, level::RELATION),
        T::LessEqual => (BinaryOp::LessEqual, level::RELATION),
        T::Greater => (BinaryOp::Greater, level::RELATION),
        T::GreaterEqual => (BinaryOp::GreaterEqual, level::RELATION),
        T::EqualEqual => (BinaryOp::Equal, level::RELATION),
        T::NotEqual => (BinaryOp::NotEqual, level::RELATION),
        T::Plus => (BinaryOp::Add, level::ADD),
        T::Minus => (BinaryOp::Sub, level::ADD),
        T::DotPlus => (BinaryOp::ElementAdd, level::ADD),
        T::DotMinus => (BinaryOp::ElementSub, level::ADD),
        T::Star => (BinaryOp::Mul, level::MUL),
        T::Slash => (BinaryOp::Div, level::MUL),
        T::DotStar => (BinaryOp::ElementMul, level::MUL),
        T::DotSlash => (BinaryOp::ElementDiv, level::MUL),
        T::Caret => (BinaryOp::Pow, level::POWER),
        T::DotCaret => (BinaryOp::ElementPow, level::POWER),
        _ => return None,
    })
}
