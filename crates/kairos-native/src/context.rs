//! What native functions remember between calls of one simulation, with the console they speak to.

use std::collections::BTreeMap;

/// Where a text shown to the user comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// `print` to the terminal; the text has no trailing newline.
    Output,
    /// `ModelicaMessage` and notes about files that are read.
    Message,
    /// `ModelicaWarning`.
    Warning,
}

/// The state of native functions: one per simulation, never shared between two.
pub struct Context {
    console: Box<dyn FnMut(Channel, &str) + Send>,
    /// Generators of impure random numbers by their identity.
    pub(crate) generators: BTreeMap<i64, ([u64; 16], i64)>,
    /// Numbers handed out for temporary files and automatic seeds.
    pub(crate) serial: u64,
}

impl Context {
    pub fn new(console: impl FnMut(Channel, &str) + Send + 'static) -> Context {
        Context { console: Box::new(console), generators: BTreeMap::new(), serial: 0 }
    }

    /// A context whose messages nobody reads: constant evaluation, tests.
    pub fn silent() -> Context {
        Context::new(|_, _| {})
    }

    pub fn say(&mut self, channel: Channel, text: &str) {
        (self.console)(channel, text);
    }
}
