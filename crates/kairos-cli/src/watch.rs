//! What a compilation read, so that it can be done again when some of it has changed.

use kairos::{Disk, World};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, SystemTime};

/// The file system with a memory of what was asked for.
#[derive(Default)]
pub struct Watched {
    seen: RefCell<BTreeMap<String, Seen>>,
}

#[derive(Clone, PartialEq, Eq)]
enum Seen {
    /// When a file was written last; none if it is not there.
    File(Option<SystemTime>),
    /// The folders and Modelica files in a folder: results may come and go.
    Folder(Vec<String>),
}

/// How often to look.
const PAUSE: Duration = Duration::from_millis(200);

impl Watched {
    pub fn len(&self) -> usize {
        self.seen.borrow().len()
    }

    /// Waits until something is different; gives its path.
    pub fn wait(&self) -> String {
        loop {
            std::thread::sleep(PAUSE);
            let seen = self.seen.borrow();
            let changed = |(path, then): &(&String, &Seen)| match then {
                Seen::File(_) => **then != file(path),
                Seen::Folder(_) => **then != folder(&Disk.list(path).unwrap_or_default()),
            };
            if let Some((path, _)) = seen.iter().find(changed) {
                return path.clone();
            }
        }
    }
}

impl World for Watched {
    fn read(&self, path: &str) -> io::Result<String> {
        // The time before reading: what is saved meanwhile counts as a change.
        self.seen.borrow_mut().insert(path.to_string(), file(path));
        Disk.read(path)
    }

    fn read_bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        self.seen.borrow_mut().insert(path.to_string(), file(path));
        Disk.read_bytes(path)
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let names = Disk.list(path);
        self.seen.borrow_mut().insert(path.to_string(), folder(names.as_deref().unwrap_or_default()));
        names
    }
}

fn file(path: &str) -> Seen {
    Seen::File(std::fs::metadata(path).and_then(|meta| meta.modified()).ok())
}

fn folder(names: &[String]) -> Seen {
    Seen::Folder(names.iter().filter(|name| name.ends_with('/') || name.ends_with(".mo")).cloned().collect())
}
