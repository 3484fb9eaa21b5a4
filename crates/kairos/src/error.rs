//! The one error of the façade: what went wrong, where, and a way out.
#![deny(missing_docs)]

use kairos_base::{Diagnostic, SourceMap, render_text};
use kairos_sim::SimError;
use std::fmt;
use std::sync::Arc;

/// Why a model could not be compiled, set or simulated.
///
/// An error has at least one diagnostic of severity error; warnings that came with it are there, too. It displays
/// itself as the command line would, with the lines of the model that it points to.
#[derive(Clone)]
pub struct Error {
    inner: Box<Inner>,
}

#[derive(Clone)]
struct Inner {
    diagnostics: Vec<Diagnostic>,
    sources: Arc<SourceMap>,
    time: Option<f64>,
    first: Diagnostic,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as it was named.
    pub file: String,
    /// The line, from one.
    pub line: usize,
    /// The column, from one.
    pub column: usize,
}

impl Error {
    /// An error made of diagnostics, one of which should be an error.
    pub(crate) fn new(diagnostics: Vec<Diagnostic>, sources: Arc<SourceMap>) -> Self {
        let first = diagnostics
            .iter()
            .find(|d| d.is_error())
            .cloned()
            .unwrap_or_else(|| Diagnostic::error("not-compiled", "the model does not compile"));
        Self { inner: Box::new(Inner { diagnostics, sources, time: None, first }) }
    }

    /// A failure at run time, after warnings.
    pub(crate) fn of_run(error: &SimError, mut before: Vec<Diagnostic>, sources: Arc<SourceMap>) -> Self {
        before.push(error.diagnostic());
        let mut made = Self::new(before, sources);
        made.inner.time = error.time.is_finite().then_some(error.time);
        made
    }

    /// One mistake without a place.
    pub(crate) fn plain(diagnostic: Diagnostic) -> Self {
        Self::new(vec![diagnostic], Arc::default())
    }

    /// The stable code of the first error, such as `unknown-variable`; `docs/errors.md` lists them.
    pub fn code(&self) -> &'static str {
        self.inner.first.code
    }

    /// What was found, in a sentence.
    pub fn message(&self) -> &str {
        &self.inner.first.message
    }

    /// Ways out.
    pub fn help(&self) -> &[String] {
        &self.inner.first.help
    }

    /// The place in the model's text, where there is one.
    pub fn place(&self) -> Option<Place> {
        let span = self.inner.first.labels.first()?.span;
        let sources = &self.inner.sources;
        if span.file.index() >= sources.len() {
            return None;
        }
        let (line, column) = sources.position(span.file, span.start);
        Some(Place { file: sources.path(span.file).to_string(), line, column })
    }

    /// The simulated time at which a run failed.
    pub fn time(&self) -> Option<f64> {
        self.inner.time
    }

    /// All that was told, warnings included.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.inner.diagnostics
    }

    /// The texts that the diagnostics point into.
    pub fn sources(&self) -> &SourceMap {
        &self.inner.sources
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors: Vec<Diagnostic> =
            self.inner.diagnostics.iter().filter(|d| d.is_error()).cloned().collect();
        f.write_str(render_text(&errors, &self.inner.sources, false).trim_end())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
