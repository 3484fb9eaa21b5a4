//! The formatter: the same tokens and comments in a uniform layout.
//!
//! It works on tokens, not on the tree, so it cannot lose or change anything but white space. All
//! decisions follow from the tokens and from how comments relate to line ends; what it writes
//! reproduces both, so formatting twice is formatting once.

mod layout;
mod lexeme;
mod lines;
mod measure;
mod spacing;
mod tree;

use crate::lexer::lex;
use crate::parser::parse;
use kairos_base::{Diagnostic, FileId};

/// Formats a Modelica file; a text with syntax errors is left alone and its errors are returned.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let file = FileId::new(0);
    let (_, diagnostics) = parse(file, text);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let tokens = lex(file, text);
    let mut lexemes = lexeme::attach_comments(text, &tokens);
    spacing::decide_spaces(&mut lexemes);
    let newline = match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    };
    let mut printer = layout::Printer::new(newline);
    for line in lines::split(&lexemes) {
        let nodes = tree::build(line.lexemes, line.is_header);
        printer.logical_line(&nodes, line.indent, line.comment_indent, line.blank_before);
    }
    Ok(printer.finish())
}
