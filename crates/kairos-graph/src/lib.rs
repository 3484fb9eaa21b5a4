//! Graph algorithms of the compiler, on integers only.
//!
//! Rows are equations and columns are variables throughout; every result is deterministic, every walk is
//! iterative (no recursion depth to exhaust) and, for sparse graphs, close to linear in the number of edges.

mod dulmage;
mod incidence;
mod matching;
mod offsets;
mod pantelides;
mod scc;
mod tearing;
mod topological;
mod union_find;

pub use dulmage::{DulmageMendelsohn, Part, dulmage_mendelsohn};
pub use incidence::Incidence;
pub use matching::{Matching, Singular};
pub use offsets::{Chains, chains, serves};
pub use pantelides::{Differentiate, Failure, IndexReduction, pantelides, reduce_index};
pub use scc::{Blocks, block_triangular, strongly_connected};
pub use tearing::{Edge, Tearing, tear};
pub use topological::topological_sort;
pub use union_find::UnionFind;
