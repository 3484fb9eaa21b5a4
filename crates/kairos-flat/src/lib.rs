//! From an instance to one flat, scalar hybrid system of equations.

mod clocks;
mod connections;
mod connectors;
mod diagnostics;
mod equations;
mod expand;
mod flatten;
mod incidence;
mod outline;
mod print;
mod rates;
mod rational;
mod statements;
mod states;
mod streams;
mod suspects;
mod tree;
mod variables;

pub use flatten::{Balance, balance, flatten};
pub use print::print;
