//! Modelica source text to trees, and back by the formatter.

pub mod ast;
mod diagnostics;
mod format;
mod lexer;
mod literal;
mod names;
mod parser;
mod references;
mod scan;
mod suggest;
mod token;
mod unparse;

pub use format::format;
pub use lexer::{Tokens, lex};
pub use parser::{parse, parse_expression};
pub use references::References;
pub use token::{Token, TokenKind};
pub use unparse::{expr_to_string, path_to_string, reference_to_string};
