//! The arguments of function calls (MLS A.2.7).

use super::Parsed;
use super::cursor::Parser;
use crate::ast::*;
use crate::diagnostics as say;
use crate::token::TokenKind as T;

impl Parser<'_> {
    /// `(a, b, x = c)` or `(e for i in r)`
    pub fn call_args(&mut self) -> Parsed<Args> {
        let opened = self.bump();
        let mut iterators = Vec::new();
        if self.eat(T::RightParen) {
            return Ok(Args { positional: Vec::new(), named: Vec::new(), iterators });
        }
        let (exprs, named) = (self.lists.exprs.len(), self.lists.named.len());
        loop {
            if self.at(T::Ident) && self.peek_at(1) == T::Equal {
                let arg = self.named_arg()?;
                self.lists.named.push(arg);
            } else {
                if self.lists.named.len() > named {
                    self.report(say::positional_after_named(self.span()));
                }
                let arg = self.arg()?;
                self.lists.exprs.push(arg);
            }
            let alone = self.lists.exprs.len() == exprs + 1 && self.lists.named.len() == named;
            if alone && self.eat(T::For) {
                iterators = self.for_indices()?;
                break;
            }
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.close(T::LeftParen, T::RightParen, opened)?;
        let positional = self.lists.exprs.drain(exprs..).collect();
        Ok(Args { positional, named: self.lists.named.drain(named..).collect(), iterators })
    }

    fn named_arg(&mut self) -> Parsed<NamedArg> {
        let name = self.ident("the name of an argument")?;
        self.expect(T::Equal)?;
        Ok(NamedArg { name, value: self.arg()? })
    }

    fn arg(&mut self) -> Parsed<Expr> {
        match self.at(T::Function) {
            true => self.nested(Self::partial_application),
            false => self.expression(),
        }
    }

    /// `function f(x = 1)`
    // Apart, to keep the stack small where calls nest.
    #[inline(never)]
    fn partial_application(&mut self) -> Parsed<Expr> {
        let start = self.bump();
        let function = self.path("the name of a function")?;
        let opened = self.expect(T::LeftParen)?;
        let from = self.lists.named.len();
        if !self.at(T::RightParen) {
            loop {
                let arg = self.named_arg()?;
                self.lists.named.push(arg);
                if !self.eat(T::Comma) {
                    break;
                }
            }
        }
        self.close(T::LeftParen, T::RightParen, opened)?;
        let args = self.lists.named.drain(from..).collect();
        Ok(Expr { span: self.since(start), kind: ExprKind::Partial { function, args } })
    }
}
