//! The recursive-descent parser: a tree always, and diagnostics for what did not fit.

mod args;
mod class;
mod composition;
mod cursor;
mod element;
mod equation;
mod expr;
mod modification;
mod primary;
mod statement;

use crate::ast::{Expr, ExprKind, SourceTree};
use crate::diagnostics as say;
use crate::lexer::lex;
use crate::token::TokenKind as T;
use cursor::Parser;
use kairos_base::{Diagnostic, FileId};

/// A diagnostic was given; the nearest list recovers.
struct Fault;

type Parsed<X> = Result<X, Fault>;

/// Parses a file. What could not be read is left out of the tree and reported.
pub fn parse(file: FileId, text: &str) -> (SourceTree, Vec<Diagnostic>) {
    let mut lexed = lex(file, text);
    let comments = std::mem::take(&mut lexed.comments);
    let mut parser = Parser::new(file, text, &mut lexed);
    let (within, classes) = parser.stored_definition();
    (SourceTree { within, classes, comments }, parser.finish())
}

/// Parses a text that is one expression.
pub fn parse_expression(file: FileId, text: &str) -> (Expr, Vec<Diagnostic>) {
    let mut lexed = lex(file, text);
    let mut parser = Parser::new(file, text, &mut lexed);
    let start = parser.span();
    let expr = parser.expression();
    if expr.is_ok() && !parser.at(T::Eof) {
        let found = parser.found();
        parser.report(say::text_after_expression(&found, parser.span()));
    }
    let expr = expr.unwrap_or(Expr { span: start, kind: ExprKind::Error });
    (expr, parser.finish())
}
