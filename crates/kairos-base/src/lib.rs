//! Ids, names, spans and diagnostics that every stage shares.

mod arena;
mod diagnostic;
pub mod hash;
pub mod json;
pub mod keyed;
pub mod limits;
mod literal;
mod name;
pub mod private;
mod source;
pub mod spelling;
pub mod stored;
mod world;

pub use arena::Arena;
pub use diagnostic::{Checked, Code, Diagnostic, Label, Severity, render_json, render_text};
pub use literal::string_literal;
pub use name::Name;
pub use source::{FileId, Places, SourceMap, Span};
pub use world::{Disk, STANDARD_INPUT, World};

#[doc(hidden)]
pub use serde;

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

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_u32(self.0)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                <u32 as $crate::serde::Deserialize>::deserialize(from).map(Self)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    };
}

/// Declares a 32-bit id into a large table: an option of it takes no more room than the id.
#[macro_export]
macro_rules! compact_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(std::num::NonZeroU32);

        impl $name {
            pub const fn index(self) -> usize {
                self.number() as usize
            }
            /// The index as it stands in tables of numbers.
            pub const fn number(self) -> u32 {
                self.0.get() - 1
            }
            pub fn new(index: usize) -> Self {
                let next = u32::try_from(index + 1).ok().and_then(std::num::NonZeroU32::new);
                Self(next.expect("table fits 32-bit ids"))
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_u32(self.number())
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let number = <u32 as $crate::serde::Deserialize>::deserialize(from)?;
                let next = number.checked_add(1).and_then(std::num::NonZeroU32::new);
                next.map(Self).ok_or_else(|| $crate::serde::de::Error::custom("an id out of range"))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.number())
            }
        }
    };
}
