//! The files of a browser's project in memory, with what was changed since the page last kept them.

use crate::archive::Archive;
use kairos_base::World;
use kairos_studio::{SharedWorld, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Files and libraries; clones share them.
#[derive(Clone, Default)]
pub struct Files(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    texts: BTreeMap<String, String>,
    archives: Vec<Archive>,
    /// New texts by their paths; none for a file that is gone.
    changes: BTreeMap<String, Option<String>>,
}

impl Files {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts all texts in the place of those that were there: as the page has kept them.
    pub fn put(&self, texts: BTreeMap<String, String>) {
        self.inner().texts = texts;
    }

    /// The Modelica files of a folder.
    pub fn models(&self, folder: &str) -> Vec<String> {
        let inside = format!("{folder}/");
        let model = |path: &&String| {
            path.strip_prefix(&inside).is_some_and(|rest| rest.ends_with(".mo") && !rest.contains('/'))
        };
        self.inner().texts.keys().filter(model).cloned().collect()
    }

    /// Adds an archive of libraries; gives the folders that hold them.
    pub fn add(&self, archive: Archive) -> Vec<String> {
        let roots = archive.roots();
        let mut inner = self.inner();
        inner.archives.retain(|known| known.name() != archive.name());
        inner.archives.push(archive);
        roots
    }

    /// What has changed since this was last asked.
    pub fn take_changes(&self) -> BTreeMap<String, Option<String>> {
        std::mem::take(&mut self.inner().changes)
    }
}

impl World for Files {
    fn read(&self, path: &str) -> io::Result<String> {
        if let Some(text) = self.inner().texts.get(path) {
            return Ok(text.clone());
        }
        let bytes = self.read_bytes(path)?;
        Ok(String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().iter().map(|&b| b as char).collect()))
    }

    fn read_bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        let inner = self.inner();
        if let Some(text) = inner.texts.get(path) {
            return Ok(text.clone().into_bytes());
        }
        let found = inner.archives.iter().find_map(|archive| archive.read(path));
        found.unwrap_or_else(|| Err(io::ErrorKind::NotFound.into()))
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let inner = self.inner();
        let folder = format!("{}/", path.trim_end_matches('/'));
        let below = inner.texts.range(folder.clone()..).map_while(|(name, _)| name.strip_prefix(&folder));
        let entry = |rest: &str| rest.split_once('/').map_or(rest.into(), |(first, _)| format!("{first}/"));
        let mut entries: BTreeSet<String> = below.map(entry).collect();
        entries.extend(inner.archives.iter().filter_map(|archive| archive.list(path)).flatten().cloned());
        match entries.is_empty() {
            true => Err(io::ErrorKind::NotFound.into()),
            false => Ok(entries.into_iter().collect()),
        }
    }
}

impl Store for Files {
    fn write(&self, path: &str, text: &str) -> io::Result<()> {
        let mut inner = self.inner();
        inner.texts.insert(path.into(), text.into());
        inner.changes.insert(path.into(), Some(text.into()));
        Ok(())
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let mut inner = self.inner();
        if inner.texts.remove(path).is_some() {
            inner.changes.insert(path.into(), None);
        }
        Ok(())
    }

    fn shared(&self) -> SharedWorld {
        Arc::new(self.clone())
    }
}
