//! Statements of algorithms (MLS A.2.6).

use super::cursor::Parser;
use super::{Fault, Parsed};
use crate::ast::*;
use crate::diagnostics as say;
use crate::token::TokenKind as T;

impl Parser<'_> {
    /// Statements up to whatever ends their list.
    pub fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        while !self.at_end_of_list() {
            let before = self.position();
            match self.nested(Self::statement) {
                Ok(statement) => {
                    statements.push(statement);
                    self.end_of_item();
                }
                Err(Fault) => self.recover(),
            }
            if self.position() == before {
                self.bump();
            }
        }
        statements.shrink_to_fit();
        statements
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.span();
        let kind = match self.peek() {
            T::If => self.if_statement()?,
            T::For => {
                let opened = self.bump();
                let indices = self.for_indices()?;
                self.expect(T::Loop)?;
                let body = self.statements();
                self.end_of_block(T::For, opened, false)?;
                StatementKind::For { indices, body }
            }
            T::While => {
                let opened = self.bump();
                let condition = Box::new(self.expression()?);
                self.expect(T::Loop)?;
                let body = self.statements();
                self.end_of_block(T::While, opened, false)?;
                StatementKind::While(condition, body)
            }
            T::When => self.when_statement()?,
            T::Break => {
                self.bump();
                StatementKind::Break
            }
            T::Return => {
                self.bump();
                StatementKind::Return
            }
            _ => self.simple_statement()?,
        };
        let span = self.since(start);
        Ok(Statement { span, kind, comment: self.comment()? })
    }

    fn simple_statement(&mut self) -> Parsed<StatementKind> {
        let left = self.postfix_expression()?;
        if self.at(T::Equal) {
            self.report(say::equation_in_algorithm(self.span()));
        }
        if self.eat(T::Assign) || self.eat(T::Equal) {
            let right = Box::new(self.expression()?);
            return self.assignment(left, right);
        }
        match left.kind {
            ExprKind::Call { .. } => Ok(StatementKind::Call(Box::new(left))),
            ExprKind::Ref(_) if self.at(T::Ident) && self.misspelt_keyword().is_none() => {
                self.report(say::misplaced_element(left.span.to(self.span())));
                Err(Fault)
            }
            _ if matches!(self.peek(), T::Semicolon | T::String | T::Annotation) => {
                let way_out = "assign it, as in `a := b`, or call a function";
                self.report(say::not_a_statement("a statement", way_out, left.span));
                Err(Fault)
            }
            _ => self.unexpected("`:=`"),
        }
    }

    fn assignment(&mut self, left: Expr, right: Box<Expr>) -> Parsed<StatementKind> {
        match left.kind {
            ExprKind::Ref(target) => Ok(StatementKind::Assign(Box::new(target), right)),
            ExprKind::Tuple(targets) => {
                if !matches!(right.kind, ExprKind::Call { .. } | ExprKind::Error) {
                    self.report(say::assigned_not_call(right.span));
                }
                Ok(StatementKind::AssignTuple(targets, right))
            }
            // MLS 3.7: `der(x) := …`; the one target is no plain reference.
            ExprKind::Call { ref function, .. } if is_der(function) => {
                Ok(StatementKind::AssignTuple(vec![Some(left)], right))
            }
            _ => {
                self.report(say::unexpected_token("a variable to assign to", "an expression", left.span));
                Err(Fault)
            }
        }
    }

    fn if_statement(&mut self) -> Parsed<StatementKind> {
        let opened = self.bump();
        let branches = self.branches(T::Elseif, Self::statements)?;
        let else_if = self.at(T::Else) && self.peek_at(1) == T::If;
        let otherwise = match self.eat(T::Else) {
            true => self.statements(),
            false => Vec::new(),
        };
        self.end_of_block(T::If, opened, else_if)?;
        Ok(StatementKind::If { branches, otherwise })
    }

    fn when_statement(&mut self) -> Parsed<StatementKind> {
        let opened = self.bump();
        let branches = self.branches(T::Elsewhen, Self::statements)?;
        self.end_of_block(T::When, opened, false)?;
        Ok(StatementKind::When { branches })
    }
}

fn is_der(function: &ComponentRef) -> bool {
    matches!(&function.parts[..], [part] if part.name.name == "der")
}
