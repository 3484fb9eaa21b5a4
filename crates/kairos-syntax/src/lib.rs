//! Modelica source text to trees, and back by the formatter.

pub mod ast;
mod diagnostics;
mod format;
mod lexer;
mod literal;
mod names;
mod parser;
mod scan;
mod token;

pub use format::format;
pub use lexer::{Tokens, lex};
pub use parser::{parse, parse_expression};
pub use token::{Token, TokenKind};
