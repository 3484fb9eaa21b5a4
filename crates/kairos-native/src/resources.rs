//! Where `modelica://Library/…` names of files lead (MLS 13.5).

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Where a library is.
#[derive(Clone)]
struct Home {
    folder: PathBuf,
    /// Its file, if it is a single one.
    file: Option<PathBuf>,
    /// The folder once all links are followed; `None` for libraries that are not on the disk.
    full: Option<PathBuf>,
}

/// The folders of the libraries that are in use. Clones share one table, which grows as libraries are read.
#[derive(Clone, Default)]
pub struct Resources(Arc<Mutex<BTreeMap<String, Home>>>, Arc<Mutex<Files>>);

/// Files by the names that models call them.
#[derive(Default)]
struct Files {
    /// Those that were asked for, and where they are.
    asked: BTreeMap<String, PathBuf>,
    /// Those that are elsewhere now.
    moved: BTreeMap<String, PathBuf>,
}

impl Resources {
    /// The folder of a library: that of its `package.mo`, or the one that holds its single file.
    pub fn add(&self, library: &str, folder: impl Into<PathBuf>) {
        self.insert(library, folder.into(), None);
    }

    /// A library that is a single file.
    pub fn add_file(&self, library: &str, folder: impl Into<PathBuf>, file: impl Into<PathBuf>) {
        self.insert(library, folder.into(), Some(file.into()));
    }

    fn insert(&self, library: &str, folder: PathBuf, file: Option<PathBuf>) {
        let there = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let full = there.canonicalize().ok();
        if let Ok(mut table) = self.0.lock() {
            table.insert(library.to_string(), Home { folder, file, full });
        }
    }

    /// The folder of a library, and its file if it is a single one.
    pub fn home(&self, library: &str) -> Option<(PathBuf, Option<PathBuf>)> {
        let table = self.0.lock().ok()?;
        let home = table.get(library)?;
        Some((home.full.clone()?, home.file.clone()))
    }

    /// All libraries: name, folder, and file of one that is a single file.
    pub fn homes(&self) -> Vec<(String, PathBuf, Option<PathBuf>)> {
        let Ok(table) = self.0.lock() else { return Vec::new() };
        let homes = table.iter().map(|(library, home)| {
            let folder = home.full.clone().unwrap_or_else(|| home.folder.clone());
            (library.clone(), folder, home.file.clone())
        });
        homes.collect()
    }

    /// The folders of all libraries, with links followed.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.0
            .lock()
            .map(|table| table.values().filter_map(|home| home.full.clone()).collect())
            .unwrap_or_default()
    }

    /// The file that a `modelica://` name means; `None` for other names and for libraries that are not in use.
    pub fn resolve(&self, name: &str) -> Option<PathBuf> {
        let rest = name.strip_prefix("modelica://")?;
        let (class, file) = rest.split_once('/').unwrap_or((rest, ""));
        let mut parts = class.split('.');
        let table = self.0.lock().ok()?;
        let mut folder = table.get(parts.next()?)?.folder.clone();
        // A class of a folder package has a folder of its own; others share that of the package around them.
        for part in parts {
            let inner = folder.join(part);
            if !inner.is_dir() {
                break;
            }
            folder = inner;
        }
        // `//` means what `/` means; by itself it would lead to the root of all files.
        Some(folder.join(file.trim_start_matches('/')))
    }

    /// A file that was moved is found where it is now, under the name that it had.
    pub fn redirect(&self, name: &str, to: PathBuf) {
        if let Ok(mut files) = self.1.lock() {
            files.moved.insert(name.to_string(), to);
        }
    }

    /// Where a file has been moved.
    pub(crate) fn moved(&self, name: &str) -> Option<PathBuf> {
        self.1.lock().ok()?.moved.get(name).cloned()
    }

    /// Notes that a file was asked for.
    pub(crate) fn note(&self, name: &str, path: &Path) {
        if let Ok(mut files) = self.1.lock() {
            files.asked.insert(name.to_string(), path.to_path_buf());
        }
    }

    /// What was asked for so far: names as models call them, and where they lead.
    pub fn asked(&self) -> Vec<(String, PathBuf)> {
        self.1.lock().map_or(Vec::new(), |files| files.asked.clone().into_iter().collect())
    }

    /// Does a `modelica://` name lead out of the library that it names?
    pub fn leaves(name: &str) -> bool {
        let Some(rest) = name.strip_prefix("modelica://") else { return false };
        let (_, file) = rest.split_once('/').unwrap_or((rest, ""));
        let file = file.trim_start_matches('/');
        let mut depth = 0i32;
        Path::new(file).components().any(|part| {
            depth += match part {
                Component::Normal(_) => 1,
                Component::CurDir => 0,
                Component::ParentDir => -1,
                Component::Prefix(_) | Component::RootDir => return true,
            };
            depth < 0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_into_the_folders_of_libraries() {
        let resources = Resources::default();
        resources.add("Lib", "/somewhere/Lib 1.0");
        let found = |name: &str| resources.resolve(name).map(|p| p.to_string_lossy().into_owned());
        assert_eq!(
            found("modelica://Lib/Resources/a.txt").as_deref(),
            Some("/somewhere/Lib 1.0/Resources/a.txt")
        );
        assert_eq!(found("modelica://Lib.Sub.Class/a.txt").as_deref(), Some("/somewhere/Lib 1.0/a.txt"));
        assert_eq!(found("modelica://Lib//etc/a").as_deref(), Some("/somewhere/Lib 1.0/etc/a"));
        assert_eq!(found("modelica://Other/a.txt"), None);
        assert_eq!(found("a.txt"), None);
    }

    #[test]
    fn names_that_lead_out_of_their_library_are_known() {
        for name in ["modelica://Lib/../a", "modelica://Lib/b/../../a", "modelica://Lib//../a"] {
            assert!(Resources::leaves(name), "{name}");
        }
        for name in ["modelica://Lib/b/../a", "modelica://Lib", "modelica://Lib/./a", "../a"] {
            assert!(!Resources::leaves(name), "{name}");
        }
    }
}
