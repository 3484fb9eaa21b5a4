//! Edits of Modelica text as minimal patches: what an edit does not concern keeps its bytes.
//!
//! A diagram editor thinks in parts, placements and connections; its user's text has comments, an order and a layout that
//! are his. So an edit looks the place up in the tree, changes the tokens that say the thing, and nothing else. The result
//! is a list of patches; a document that was edited is parsed again, which takes milliseconds.
//!
//! Invariant: a document that parsed without errors parses without errors after any edit, and the edit's own inverse
//! (`invert`) gives back the text byte by byte.

mod components;
mod connections;
pub mod convert;
mod document;
mod modifiers;
mod patch;

pub use components::{NewComponent, Placement};
pub use connections::Line;
pub use document::{Document, Unfit};
pub use patch::{Patch, apply, invert};
