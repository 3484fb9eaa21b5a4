//! The user's library folder: what is installed there, and how a library gets in whole or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The file in an installed library that says where it comes from.
const RECORD: &str = ".kairos-library";
/// Folders with this prefix are being made or thrown away.
const STAGE: &str = ".stage-";
/// Folders with this one hold a library that is being replaced.
const OLD: &str = ".stage-old-";

/// A folder that the environment names.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Where native code is kept for later runs: `$KAIROS_CACHE`, nowhere if that is empty; else `$KAIROS_HOME/cache`, else
/// `kairos` in the user's cache folder.
pub fn shelf() -> Option<PathBuf> {
    if std::env::var_os("KAIROS_CACHE").is_some() {
        return variable("KAIROS_CACHE");
    }
    variable("KAIROS_HOME").map(|home| home.join("cache")).or_else(|| {
        let cache = variable("XDG_CACHE_HOME")
            .or_else(|| variable("HOME").map(|home| home.join(".cache")))
            .or_else(|| variable("LOCALAPPDATA"));
        Some(cache?.join("kairos"))
    })
}

/// What belongs to the user: `$KAIROS_HOME`, else `kairos` in the user's data folder.
pub fn home() -> Option<PathBuf> {
    variable("KAIROS_HOME").or_else(|| {
        let data = variable("XDG_DATA_HOME")
            .or_else(|| variable("HOME").map(|home| home.join(".local").join("share")))
            .or_else(|| variable("APPDATA"));
        Some(data?.join("kairos"))
    })
}

/// Where installed libraries are.
pub fn folder() -> Option<PathBuf> {
    home().map(|home| home.join("libraries"))
}

/// The library folder, if there is one; what an interrupted replacement took away is back in its place.
pub fn repaired() -> Option<PathBuf> {
    let folder = folder().filter(|folder| folder.is_dir())?;
    let mut names = fs::read_dir(&folder).ok()?.flatten().map(|entry| entry.file_name());
    if names.any(|name| name.to_string_lossy().starts_with(OLD))
        && let Ok(lock) = File::create(folder.join(".lock"))
        && lock.try_lock().is_ok()
    {
        // What cannot be put back now is put back by the next installation.
        let _ = Store { folder: folder.clone(), _lock: lock }.sweep();
    }
    Some(folder)
}

/// Folders of libraries for every command: those given, then `MODELICAPATH`, then the installed ones.
pub fn search_path(given: &[String]) -> Vec<String> {
    let mut list = given.to_vec();
    if let Some(path) = std::env::var_os("MODELICAPATH") {
        let entries = std::env::split_paths(&path).filter(|p| !p.as_os_str().is_empty());
        list.extend(entries.map(|p| p.to_string_lossy().into_owned()));
    }
    list.extend(repaired().map(|f| f.to_string_lossy().into_owned()));
    list
}

/// What is known about an installed library.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    pub name: String,
    pub version: String,
    /// The commit, for a library from a git repository.
    pub revision: String,
    /// The repository or folder it came from.
    pub source: String,
}

impl Record {
    fn text(&self) -> String {
        let Record { name, version, revision, source } = self;
        format!("name = {name}\nversion = {version}\nrevision = {revision}\nsource = {source}\n")
    }

    fn parse(text: &str) -> Record {
        let field = |key: &str| {
            let line = text.lines().find_map(|l| l.strip_prefix(key)?.trim_start().strip_prefix('='));
            line.map_or(String::new(), |value| value.trim().to_string())
        };
        Record {
            name: field("name"),
            version: field("version"),
            revision: field("revision"),
            source: field("source"),
        }
    }

    /// The name of the library's folder, as the search for libraries understands it.
    fn folder_name(&self) -> String {
        match self.version.starts_with(|c: char| c.is_ascii_digit()) {
            true => format!("{} {}", self.name, self.version),
            false => self.name.clone(),
        }
    }
}

/// The library folder, locked against other processes that change it.
pub struct Store {
    folder: PathBuf,
    _lock: File,
}

impl Store {
    /// Opens the folder, making it if need be, and sweeps away what an interrupted installation left.
    pub fn open(folder: PathBuf) -> io::Result<Store> {
        fs::create_dir_all(&folder)?;
        let lock = File::create(folder.join(".lock"))?;
        lock.lock()?;
        let store = Store { folder, _lock: lock };
        store.sweep()?;
        Ok(store)
    }

    /// Puts back what was being replaced and removes work in progress, of which none can be under way while the folder
    /// is locked.
    fn sweep(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Some(place) = name.strip_prefix(OLD).map(|name| self.folder.join(name))
                && !place.exists()
                && entry.path().join("library").is_dir()
            {
                fs::rename(entry.path().join("library"), place)?;
            }
            if name.starts_with(STAGE) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    /// An empty folder for work in progress, on the same file system as the libraries.
    pub fn stage(&self, name: &str) -> io::Result<PathBuf> {
        let stage = self.folder.join(format!("{STAGE}{name}"));
        fs::create_dir(&stage)?;
        Ok(stage)
    }

    /// Puts the library in `from` (a folder package or a single file) into its place, in one step. A library of the
    /// same name and version is replaced.
    pub fn place(&self, from: &Path, record: &Record) -> io::Result<PathBuf> {
        let stage = self.stage(&format!("new-{}", record.folder_name()))?;
        let made = stage.join("library");
        match from.is_dir() {
            true => copy_tree(from, &made, &from.canonicalize()?)?,
            false => {
                fs::create_dir(&made)?;
                fs::copy(from, made.join("package.mo"))?;
            }
        }
        fs::write(made.join(RECORD), record.text())?;
        let place = self.folder.join(record.folder_name());
        if place.exists() {
            let old = self.stage(&format!("old-{}", record.folder_name()))?;
            fs::rename(&place, old.join("library"))?;
            fs::rename(&made, &place)?;
            fs::remove_dir_all(old)?;
        } else {
            fs::rename(&made, &place)?;
        }
        fs::remove_dir_all(stage)?;
        Ok(place)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // What cannot be removed now is removed the next time.
        let _ = self.sweep();
    }
}

/// The libraries of a folder, sorted by name and version.
pub fn installed(folder: &Path) -> Vec<(Record, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut list = Vec::new();
    for entry in entries.flatten() {
        let place = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') || !place.join("package.mo").is_file() {
            continue;
        }
        let record = match fs::read_to_string(place.join(RECORD)) {
            Ok(text) => Record::parse(&text),
            Err(_) => described(&place),
        };
        list.push((record, place));
    }
    list.sort_by(|a, b| (&a.0.name, &a.0.version).cmp(&(&b.0.name, &b.0.version)));
    list
}

/// A library that was put there by hand.
fn described(place: &Path) -> Record {
    let text = fs::read_to_string(place.join("package.mo")).unwrap_or_default();
    let head = kairos::library_head(&text);
    let name = head.as_ref().map(|h| h.name.clone());
    Record {
        name: name.unwrap_or_else(|| place.file_name().unwrap_or_default().to_string_lossy().into_owned()),
        version: head.and_then(|h| h.version).unwrap_or_default(),
        ..Record::default()
    }
}

/// Copies a folder without the data of version control. Links are followed as far as they stay inside `root`.
fn copy_tree(from: &Path, to: &Path, root: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == ".git" {
            continue;
        }
        let refused = |why: &str| Err(io::Error::other(format!("`{}` {why}", source.display())));
        if entry.file_type()?.is_symlink() {
            let Ok(full) = source.canonicalize() else { return refused("is a link that leads nowhere") };
            if !full.starts_with(root) {
                return refused("is a link that leads out of the library");
            }
            if from.canonicalize()?.starts_with(&full) {
                return refused("is a link to a folder that it is in");
            }
        }
        let data = source.metadata()?;
        if data.is_dir() {
            copy_tree(&source, &target, root)?;
        } else if data.is_file() {
            fs::copy(&source, &target)?;
        } else {
            return refused("is neither a file nor a folder");
        }
    }
    Ok(())
}
