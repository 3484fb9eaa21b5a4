//! From an instance to one flat, scalar hybrid system of equations.

mod clocks;
mod connections;
mod connectors;
mod diagnostics;
mod equations;
mod expand;
mod flatten;
mod habits;
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
mod units;
mod variables;

pub use flatten::{Balance, Checks, balance, flatten, flatten_with};
pub use habits::habits;
pub use print::print;
