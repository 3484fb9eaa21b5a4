//! What native functions remember between calls of one simulation, with the console they speak to.

use crate::permissions::Permissions;
use crate::resources::Resources;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
///
/// Working directory and environment belong to the context too, so that a model that changes them changes
/// nothing for its neighbours.
pub struct Context {
    console: Box<dyn FnMut(Channel, &str) + Send>,
    directory: PathBuf,
    resources: Resources,
    permissions: Permissions,
    /// Environment variables that the model has set.
    pub(crate) environment: BTreeMap<String, String>,
    /// Lines of files that are being read one by one.
    pub(crate) open_files: BTreeMap<PathBuf, Arc<Vec<String>>>,
    /// Generators of impure random numbers by their identity: words and position.
    pub(crate) generators: BTreeMap<i64, ([u64; 16], i64)>,
    /// Numbers handed out for temporary files and automatic seeds.
    pub(crate) serial: u64,
}

impl Context {
    /// A context in which nothing happens beyond the console; `permit` allows more.
    pub fn new(console: impl FnMut(Channel, &str) + Send + 'static) -> Context {
        Context {
            console: Box::new(console),
            directory: crate::outside::working_folder(),
            resources: Resources::default(),
            permissions: Permissions::looking(Resources::default()),
            environment: BTreeMap::new(),
            open_files: BTreeMap::new(),
            generators: BTreeMap::new(),
            serial: 0,
        }
    }

    /// A context whose messages nobody reads: constant evaluation, tests.
    pub fn silent() -> Context {
        Context::new(|_, _| {})
    }

    pub fn say(&mut self, channel: Channel, text: &str) {
        (self.console)(channel, text);
    }

    /// The directory against which relative file names are read.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub fn set_directory(&mut self, directory: impl Into<PathBuf>) {
        self.directory = directory.into();
    }

    /// Where `modelica://` names lead.
    pub fn set_resources(&mut self, resources: Resources) {
        self.resources = resources;
    }

    /// From now on this is allowed.
    pub fn permit(mut self, permissions: Permissions) -> Context {
        self.permissions = permissions;
        self
    }

    pub fn permissions(&self) -> &Permissions {
        &self.permissions
    }

    /// What a name means; whether anybody may go there is for `permissions` to say.
    pub(crate) fn path(&self, name: &str) -> Result<PathBuf, String> {
        if Resources::leaves(name) {
            return Err(format!("\"{name}\" leads out of its library: write a name without `..`"));
        }
        if let Some(moved) = self.resources.moved(name) {
            return Ok(moved);
        }
        Ok(self.resources.resolve(name).unwrap_or_else(|| self.directory.join(name)))
    }

    /// Remembers that a file is read, for those who take a model elsewhere.
    pub(crate) fn note(&self, name: &str, path: &std::path::Path) {
        self.resources.note(name, path);
    }

    /// What the functions of a run remember, as bytes. Files that are being read are read again where they are needed.
    pub fn save(&self) -> Vec<u8> {
        let directory = (self.directory != crate::outside::working_folder()).then_some(&self.directory);
        let Context { environment, generators, serial, .. } = self;
        postcard::to_stdvec(&(directory, environment, generators, serial)).unwrap_or_default()
    }

    /// Remembers what `save` has written down.
    pub fn restore(&mut self, from: &[u8]) -> Result<(), String> {
        let wrong = |_| "the bytes do not say what external functions remember".to_string();
        let directory: Option<PathBuf>;
        (directory, self.environment, self.generators, self.serial) =
            postcard::from_bytes(from).map_err(wrong)?;
        self.directory = directory.unwrap_or_else(crate::outside::working_folder);
        self.open_files.clear();
        Ok(())
    }

    pub(crate) fn next_serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }
}
