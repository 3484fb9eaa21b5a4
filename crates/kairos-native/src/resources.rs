//! Where `modelica://Library/…` names of files lead (MLS 13.5).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The folders of the libraries that are in use. Clones share one table, which grows as libraries are read.
#[derive(Clone, Default)]
pub struct Resources(Arc<Mutex<BTreeMap<String, PathBuf>>>);

impl Resources {
    /// The folder of a library: that of its `package.mo`, or the one that holds its single file.
    pub fn add(&self, library: &str, folder: impl Into<PathBuf>) {
        if let Ok(mut table) = self.0.lock() {
            table.insert(library.to_string(), folder.into());
        }
    }

    /// The file that a `modelica://` name means; `None` for other names and for libraries that are not in use.
    pub fn resolve(&self, name: &str) -> Option<PathBuf> {
        let rest = name.strip_prefix("modelica://")?;
        let (class, file) = rest.split_once('/').unwrap_or((rest, ""));
        let mut parts = class.split('.');
        let table = self.0.lock().ok()?;
        let mut folder = table.get(parts.next()?)?.clone();
        // A class of a folder package has a folder of its own; others share that of the package around them.
        for part in parts {
            let inner = folder.join(part);
            if !inner.is_dir() {
                break;
            }
            folder = inner;
        }
        Some(folder.join(file))
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
        assert_eq!(found("modelica://Other/a.txt"), None);
        assert_eq!(found("a.txt"), None);
    }
}
