//! Equations (MLS A.2.6).

use super::cursor::Parser;
use super::{Fault, Parsed};
use crate::ast::*;
use crate::diagnostics as say;
use crate::token::TokenKind as T;

impl Parser<'_> {
    /// Equations up to whatever ends their list.
    pub fn equations(&mut self) -> Vec<Equation> {
        let mut equations = Vec::new();
        while !self.at_end_of_list() {
            let before = self.position();
            match self.nested(Self::equation) {
                Ok(equation) => {
                    equations.push(equation);
                    self.end_of_item();
                }
                Err(Fault) => self.recover(),
            }
            if self.position() == before {
                self.bump();
            }
        }
        equations.shrink_to_fit();
        equations
    }

    fn equation(&mut self) -> Parsed<Equation> {
        let start = self.span();
        let kind = match self.peek() {
            T::If => self.if_equation()?,
            T::For => {
                let opened = self.bump();
                let indices = self.for_indices()?;
                self.expect(T::Loop)?;
                let body = self.equations();
                self.end_of_block(T::For, opened, false)?;
                EquationKind::For { indices, body }
            }
            T::When => self.when_equation()?,
            T::While => return self.while_equation(),
            T::Connect => {
                let (a, b) = self.connect()?;
                EquationKind::Connect(Box::new(a), Box::new(b))
            }
            _ => self.simple_equation()?,
        };
        let span = self.since(start);
        Ok(Equation { span, kind, comment: self.comment()? })
    }

    fn simple_equation(&mut self) -> Parsed<EquationKind> {
        let left = self.expression()?;
        if self.at(T::Assign) {
            self.report(say::assignment_in_equation(self.span()));
        }
        if self.eat(T::Equal) || self.eat(T::Assign) {
            let right = self.expression()?;
            if self.at(T::Equal) {
                self.report(say::second_equal(self.span()));
                return Err(Fault);
            }
            return Ok(EquationKind::Equal(Box::new(left), Box::new(right)));
        }
        match left.kind {
            ExprKind::Call { .. } => Ok(EquationKind::Call(Box::new(left))),
            ExprKind::Binary(BinaryOp::Equal, a, b) => {
                self.report(say::comparison_as_equation(left.span));
                Ok(EquationKind::Equal(a, b))
            }
            ExprKind::Ref(_) if self.at(T::Ident) && self.misspelt_keyword().is_none() => {
                self.report(say::misplaced_element(left.span.to(self.span())));
                Err(Fault)
            }
            _ if matches!(self.peek(), T::Semicolon | T::String | T::Annotation) => {
                let way_out = "an equation has the form `a = b`";
                self.report(say::not_a_statement("an equation", way_out, left.span));
                Err(Fault)
            }
            _ => self.unexpected("`=`"),
        }
    }

    fn if_equation(&mut self) -> Parsed<EquationKind> {
        let opened = self.bump();
        let branches = self.branches(T::Elseif, Self::equations)?;
        let else_if = self.at(T::Else) && self.peek_at(1) == T::If;
        let otherwise = match self.eat(T::Else) {
            true => self.equations(),
            false => Vec::new(),
        };
        self.end_of_block(T::If, opened, else_if)?;
        Ok(EquationKind::If { branches, otherwise })
    }

    fn when_equation(&mut self) -> Parsed<EquationKind> {
        let opened = self.bump();
        let branches = self.branches(T::Elsewhen, Self::equations)?;
        self.end_of_block(T::When, opened, false)?;
        Ok(EquationKind::When { branches })
    }

    /// A loop of algorithms among equations: it is read to its end, so that what follows is understood.
    fn while_equation<X>(&mut self) -> Parsed<X> {
        let opened = self.bump();
        self.report(say::while_in_equation(opened));
        self.expression()?;
        self.expect(T::Loop)?;
        self.equations();
        self.end_of_block(T::While, opened, false)?;
        Err(Fault)
    }

    /// `condition then items`, repeated after each `again`.
    pub fn branches<X>(&mut self, again: T, items: fn(&mut Self) -> Vec<X>) -> Parsed<Vec<(Expr, Vec<X>)>> {
        let mut branches = Vec::new();
        loop {
            let condition = self.expression()?;
            if !self.eat(T::Then) {
                // Only the word is missing: what follows can still be read.
                self.report(say::missing_then(&self.found(), self.span()));
            }
            branches.push((condition, items(self)));
            if !self.eat(again) {
                return Ok(branches);
            }
        }
    }

    /// `connect(a, b)`
    pub fn connect(&mut self) -> Parsed<(Expr, Expr)> {
        self.bump();
        let opened = self.expect(T::LeftParen)?;
        let a = self.reference()?;
        self.expect(T::Comma)?;
        let b = self.reference()?;
        self.close(T::LeftParen, T::RightParen, opened)?;
        Ok((a, b))
    }

    fn reference(&mut self) -> Parsed<Expr> {
        let reference = self.component_ref()?;
        Ok(Expr { span: reference.span, kind: ExprKind::Ref(reference) })
    }

    /// `i in a:b, j`
    pub fn for_indices(&mut self) -> Parsed<Vec<ForIndex>> {
        let mut indices = Vec::new();
        loop {
            let name = self.ident("the name of the iterator")?;
            if matches!(self.peek(), T::Equal | T::Assign) {
                self.report(say::iterator_without_in(&self.found(), self.span()));
            }
            let range = match self.eat(T::In) || self.eat(T::Equal) || self.eat(T::Assign) {
                true => Some(self.expression()?),
                false => None,
            };
            indices.push(ForIndex { name, range });
            if !self.eat(T::Comma) {
                return Ok(indices);
            }
        }
    }
}
