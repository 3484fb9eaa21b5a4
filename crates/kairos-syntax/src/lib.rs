//! Modelica source text to trees, and back by the formatter.

pub mod ast;
