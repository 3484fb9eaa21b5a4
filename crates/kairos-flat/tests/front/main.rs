//! What connections, streams and clocks become in flat models, by fixtures of `tests/suite/flat`.

mod clocks;
mod common;
mod connectors;
mod graph;
mod streams;
