//! What connections, streams and clocks become in flat models, by fixtures of `tests/suite/flat`.

mod clocks;
mod common;
mod graph;
mod streams;
