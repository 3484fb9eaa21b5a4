//! Libraries in a zip: files are unpacked when they are read.

use crate::zip::Zip;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Archives are seen below this folder, each in a folder of its own.
const FOLDER: &str = "libraries";

/// An archive, seen as the folder `libraries/NAME`.
pub struct Archive {
    name: String,
    zip: Zip,
    /// Files by their paths, with their places in the archive.
    files: BTreeMap<String, usize>,
    /// What every folder holds; folders end in `/`.
    folders: BTreeMap<String, BTreeSet<String>>,
}

impl Archive {
    /// Reads what an archive holds; `file` is its name on the user's disk.
    pub fn new(file: &str, bytes: Vec<u8>) -> Result<Self, String> {
        let zip = Zip::new(bytes).map_err(|what| format!("`{file}` is no zip that can be read: {what}"))?;
        let name = file.strip_suffix(".zip").unwrap_or(file).replace('/', "_");
        let names: Vec<(usize, String)> = zip.names().map(str::to_string).enumerate().collect();
        let mut archive = Self { name, files: BTreeMap::new(), folders: BTreeMap::new(), zip };
        for (k, inner) in names {
            if !inner.ends_with('/') {
                archive.note(k, &format!("{FOLDER}/{}/{inner}", archive.name));
            }
        }
        if archive.roots().is_empty() {
            return Err(format!("`{file}` holds no Modelica library: a folder with `package.mo`"));
        }
        Ok(archive)
    }

    fn note(&mut self, place: usize, path: &str) {
        self.files.insert(path.into(), place);
        let (mut inner, mut entry) = (path, String::new());
        while let Some((folder, name)) = inner.rsplit_once('/') {
            let known = self.folders.entry(folder.into()).or_default();
            if !known.insert(format!("{name}{entry}")) && !entry.is_empty() {
                return;
            }
            (inner, entry) = (folder, "/".into());
        }
    }

    /// The archive's own name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The folders that hold libraries: those around the outermost packages.
    pub fn roots(&self) -> Vec<String> {
        let packages = self.files.keys().filter_map(|path| path.strip_suffix("/package.mo"));
        let depth = |path: &str| path.matches('/').count();
        let least = packages.clone().map(depth).min();
        let outer = packages.filter(|path| Some(depth(path)) == least);
        let roots: BTreeSet<&str> = outer.filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
        roots.into_iter().map(str::to_string).collect()
    }

    /// The bytes of a file, if the archive has it.
    pub fn read(&self, path: &str) -> Option<io::Result<Vec<u8>>> {
        let place = *self.files.get(path)?;
        Some(self.zip.read(place))
    }

    /// The entries of a folder, if the archive has it.
    pub fn list(&self, path: &str) -> Option<&BTreeSet<String>> {
        self.folders.get(path.trim_end_matches('/'))
    }
}
