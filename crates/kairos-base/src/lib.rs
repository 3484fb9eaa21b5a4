//! Ids, names, spans and diagnostics that every stage shares.

mod diagnostic;
pub mod hash;
pub mod json;
mod literal;
mod name;
mod source;
mod world;

pub use diagnostic::{Checked, Diagnostic, Label, Severity, render_json, render_text};
pub use literal::string_literal;
pub use name::Name;
pub use source::{FileId, SourceMap, Span};
pub use world::{Disk, World};

/// Declares a `u32` id into some table.
#[macro_export]
macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("table fits 32-bit ids"))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    };
}
