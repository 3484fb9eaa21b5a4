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
        let mut args = Args { positional: Vec::new(), named: Vec::new(), iterators: Vec::new() };
        if self.eat(T::RightParen) {
            return Ok(args);
        }
        loop {
            if self.at(T::Ident) && self.peek_at(1) == T::Equal {
                args.named.push(self.named_arg()?);
            } else {
                if !args.named.is_empty() {
                    self.report(say::positional_after_named(self.span()));
                }
                args.positional.push(self.arg()?);
            }
            if args.positional.len() == 1 && args.named.is_empty() && self.eat(T::For) {
                args.iterators = self.for_indices()?;
                break;
            }
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.close(T::LeftParen, T::RightParen, opened)?;
        Ok(args)
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
    fn partial_application(&mut self) -> Parsed<Expr> {
        let start = self.bump();
        let function = self.path("the name of a function")?;
        let opened = self.expect(T::LeftParen)?;
        let mut args = Vec::new();
        if !self.at(T::RightParen) {
            loop {
                args.push(self.named_arg()?);
                if !self.eat(T::Comma) {
                    break;
                }
            }
        }
        self.close(T::LeftParen, T::RightParen, opened)?;
        Ok(Expr { span: self.since(start), kind: ExprKind::Partial { function, args } })
    }
}
