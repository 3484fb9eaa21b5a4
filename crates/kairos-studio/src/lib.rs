//! The studio behind its page: a project with open texts, pictures of classes, edits, runs and their results.
//!
//! Everything a page can ask is one call, `Studio::call(method, parameters)`, from JSON to JSON. The local server and the
//! build for browsers are two transports of the same call, so both do the same. Nothing here evaluates a function with
//! an effect unless the user starts a run (`docs/trust.md`).

mod answer;
mod assets;
mod classes;
mod edits;
mod export;
mod pages;
mod parameters;
mod pictures;
mod project;
mod replaceables;
mod results;
mod runs;
#[cfg(feature = "server")]
mod server;
mod shapes;
mod studio;

pub use answer::Refusal;
pub use assets::{FILES, asset};
pub use export::{COMPILER, playground};
pub use pages::{Pages, PagesError};
pub use project::Store;
pub use runs::{Clock, SharedWorld};
#[cfg(feature = "server")]
pub use server::{Server, ServerError, clock, spawn};
pub use studio::{Setup, Studio, Work};
