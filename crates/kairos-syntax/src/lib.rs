//! Modelica source text to trees, and back by the formatter.

pub mod ast;
mod diagnostics;
mod lexer;
mod literal;
mod names;
mod parser;
mod scan;
mod token;

pub use parser::{parse, parse_expression};
