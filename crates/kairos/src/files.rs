//! A world in memory: files as texts, for tests, browsers and servers.
#![deny(missing_docs)]

use kairos_base::World;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Files in memory, by their paths with `/` between folders.
///
/// ```
/// use kairos::{Files, Model, Request};
///
/// let files = Files::default()
///     .with("Lib/package.mo", "package Lib constant Real g = 9.81; end Lib;")
///     .with("Fall.mo", "model Fall Real v(start = 0, fixed = true); equation der(v) = -Lib.g; end Fall;");
/// let request = Request { file: Some("Fall.mo".into()), libraries: vec![".".into()], ..Request::default() };
/// let model = Model::compile(files, request)?;
/// assert_eq!(model.name(), "Fall");
/// # Ok::<(), kairos::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Files {
    texts: BTreeMap<String, Vec<u8>>,
}

impl Files {
    /// The same files with one more, or with another text for it.
    pub fn with(mut self, path: &str, text: &str) -> Self {
        self.texts.insert(plain(path), text.as_bytes().to_vec());
        self
    }

    /// The same files with one more that is no text.
    pub fn with_bytes(mut self, path: &str, bytes: &[u8]) -> Self {
        self.texts.insert(plain(path), bytes.to_vec());
        self
    }
}

/// A path without `.` and empty steps.
fn plain(path: &str) -> String {
    path.split('/').filter(|step| !matches!(*step, "" | ".")).collect::<Vec<_>>().join("/")
}

impl World for Files {
    fn read(&self, path: &str) -> io::Result<String> {
        let wrong = |_| io::Error::new(io::ErrorKind::InvalidData, "it is no text");
        String::from_utf8(self.read_bytes(path)?).map_err(wrong)
    }

    fn read_bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        self.texts.get(&plain(path)).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let folder = match plain(path) {
            folder if folder.is_empty() => folder,
            folder => format!("{folder}/"),
        };
        let below = self.texts.keys().filter_map(|path| path.strip_prefix(&folder));
        let entry = |rest: &str| rest.split_once('/').map_or(rest.into(), |(first, _)| format!("{first}/"));
        let entries: BTreeSet<String> = below.map(entry).collect();
        if entries.is_empty() {
            Err(io::ErrorKind::NotFound.into())
        } else {
            Ok(entries.into_iter().collect())
        }
    }
}
