//! Interned identifiers: cheap to copy and compare, resolved only for display.

use crate::hash::HashMap;
use std::fmt;
use std::sync::{LazyLock, RwLock};

/// An interned identifier. The order of names is the order of first use and has no meaning;
/// compare texts (`as_str`) where an order is shown to users.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name(u32);

#[derive(Default)]
struct Table {
    ids: HashMap<&'static str, u32>,
    texts: Vec<&'static str>,
}

// The one process-wide table: names outlive every library and model, like the program's own symbols.
static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(Default::default);

impl Name {
    pub fn new(text: &str) -> Self {
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
