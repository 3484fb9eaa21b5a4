//! Interned identifiers: cheap to copy and compare, resolved only for display.

use crate::hash::HashMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::{LazyLock, RwLock};

/// An interned identifier. The order of names is the order of first use and has no meaning;
/// compare texts (`as_str`) where an order is shown to users.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name(u32);

struct Table {
    ids: HashMap<&'static str, u32>,
    texts: Vec<&'static str>,
}

impl Default for Table {
    fn default() -> Self {
        let texts = KNOWN.to_vec();
        Table { ids: texts.iter().copied().zip(0..).collect(), texts }
    }
}

/// Names that the compiler itself speaks of for every variable, with their place in the table.
macro_rules! known {
    ($($constant:ident = $text:literal,)*) => {
        const KNOWN: &[&str] = &[$($text),*];

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Known { $($constant),* }

        impl Name {
            $(pub const $constant: Name = Name(Known::$constant as u32);)*
        }
    };
}

known! {
    EMPTY = "",
    START = "start",
    FIXED = "fixed",
    NOMINAL = "nominal",
    MIN = "min",
    MAX = "max",
    STATE_SELECT = "stateSelect",
    UNIT = "unit",
    DISPLAY_UNIT = "displayUnit",
    EQUALITY_CONSTRAINT = "equalityConstraint",
}

// The one process-wide table: names outlive every library and model, like the program's own symbols.
static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(Default::default);

impl Name {
    pub fn new(text: &str) -> Self {
        if text.is_empty() {
            return Self::EMPTY;
        }
        if let Some(&id) = TABLE.read().expect("interner").ids.get(text) {
            return Self(id);
        }
        let mut table = TABLE.write().expect("interner");
        if let Some(&id) = table.ids.get(text) {
            return Self(id);
        }
        let id = u32::try_from(table.texts.len()).expect("fewer than 2^32 names");
        let text: &'static str = Box::leak(text.into());
        table.texts.push(text);
        table.ids.insert(text, id);
        Self(id)
    }

    pub fn as_str(self) -> &'static str {
        TABLE.read().expect("interner").texts[self.0 as usize]
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

// A number means nothing in another process: names travel as their texts.
impl Serialize for Name {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        <&str>::deserialize(from).map(Name::new)
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}
