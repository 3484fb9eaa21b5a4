//! A folder of native code from earlier runs: files that say what they were made from, the oldest of which go.

use kairos_base::hash::Fx;
use std::fs::{self, File};
use std::hash::Hasher;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, SystemTime};

/// The first bytes of a file; another form has another number.
const MARK: [u8; 8] = *b"kairosN1";
/// All files together take no more than this.
const CAPACITY: u64 = 256 << 20;
/// Longer files are not kept: a few of them would drive out all others.
const LONGEST: usize = 32 << 20;
/// After one of so many new files the folder is tidied.
const SELDOM: u64 = 16;
const ENDING: &str = "code";
/// What is being written, or was when its program ended.
const UNFINISHED: &str = "part";
const ABANDONED: Duration = Duration::from_secs(3600);
/// A file that was used counts as new, which is noted once in this time.
const RECENT: Duration = Duration::from_secs(24 * 3600);

/// The threads that write.
static WRITING: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

/// Waits until what is being kept is on its shelf. A program that ends without this leaves a file that is not finished.
pub fn put_away() {
    let writing = std::mem::take(&mut *WRITING.lock().unwrap_or_else(PoisonError::into_inner));
    writing.into_iter().for_each(|thread| drop(thread.join()));
}

#[derive(Clone, Debug)]
pub struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    pub fn new(folder: PathBuf) -> Self {
        Shelf { folder }
    }

    fn path(&self, key: &[u8]) -> PathBuf {
        self.folder.join(format!("{:016x}.{ENDING}", sum(key)))
    }

    /// The code that was made from this.
    pub fn take(&self, key: &[u8]) -> Option<Vec<u8>> {
        let path = self.path(key);
        let mut file = fs::read(&path).ok()?;
        let body = body(&file, key)?;
        let begin = file.len() - body.len();
        if let Ok(opened) = File::options().append(true).open(&path) {
            let age = opened.metadata().and_then(|data| data.modified()).map(age);
            if age.is_ok_and(|age| age > RECENT) {
                let _ = opened.set_modified(SystemTime::now());
            }
        }
        Some(file.split_off(begin))
    }

    /// As `put`, beside the run, which does not wait for it.
    pub fn put_aside(&self, key: Vec<u8>, code: Vec<u8>) {
        let shelf = self.clone();
        if let Ok(thread) = Builder::new().spawn(move || shelf.put(&key, &code)) {
            let mut writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
            writing.retain(|other| !other.is_finished());
            writing.push(thread);
        }
    }

    /// Keeps code for later runs. It is no matter if that fails: it will be made again.
    pub fn put(&self, key: &[u8], code: &[u8]) {
        if key.len() + code.len() > LONGEST {
            return;
        }
        let _ = self.try_put(key, code);
        // To look through the folder takes as long as it is full.
        if sum(key).is_multiple_of(SELDOM) {
            let _ = self.tidy();
        }
    }

    fn try_put(&self, key: &[u8], code: &[u8]) -> std::io::Result<()> {
        make(&self.folder)?;
        let path = self.path(key);
        // Several programs may write the same at once: what they write is equal, and a file that is not whole is none. With one
        // name for all of them no more than one is left where they are killed.
        let part = path.with_extension(UNFINISHED);
        let mut file = File::create(&part)?;
        let mut bytes = Vec::with_capacity(key.len() + code.len() + 24);
        bytes.extend(MARK);
        bytes.extend(sum(code).to_le_bytes());
        bytes.extend((key.len() as u64).to_le_bytes());
        bytes.extend(key);
        bytes.extend(code);
        file.write_all(&bytes)?;
        fs::rename(&part, &path)
    }

    /// Takes the oldest files away where there are too many, and what was never finished.
    fn tidy(&self) -> std::io::Result<()> {
        let mut kept = Vec::new();
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let (path, data) = (entry.path(), entry.metadata()?);
            let changed = data.modified()?;
            match path.extension().and_then(|ending| ending.to_str()) {
                Some(ENDING) => kept.push((changed, data.len(), path)),
                Some(UNFINISHED) if age(changed) > ABANDONED => fs::remove_file(path)?,
                _ => {}
            }
        }
        let mut total: u64 = kept.iter().map(|(_, length, _)| length).sum();
        kept.sort();
        for (_, length, path) in kept {
            if total <= CAPACITY {
                break;
            }
            fs::remove_file(path)?;
            total -= length;
        }
        Ok(())
    }
}

/// The code in a file, if it is whole and made from this.
fn body<'a>(file: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let rest = file.strip_prefix(&MARK)?;
    let (expected, rest) = rest.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    if u64::from_le_bytes(*length) != key.len() as u64 {
        return None;
    }
    let code = rest.strip_prefix(key)?;
    (u64::from_le_bytes(*expected) == sum(code)).then_some(code)
}

fn sum(bytes: &[u8]) -> u64 {
    let mut hash = Fx::default();
    hash.write(bytes);
    hash.write_usize(bytes.len());
    hash.finish()
}

fn age(changed: SystemTime) -> Duration {
    SystemTime::now().duration_since(changed).unwrap_or_default()
}

/// A folder for its owner only: what is in it will be run.
fn make(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf(name: &str) -> Shelf {
        let folder = std::env::temp_dir().join(format!("kairos-shelf-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Shelf::new(folder)
    }

    #[test]
    fn gives_back_what_was_made_from_the_same() {
        let shelf = shelf("same");
        assert_eq!(shelf.take(b"model"), None);
        shelf.put(b"model", b"its code");
        assert_eq!(shelf.take(b"model").as_deref(), Some(&b"its code"[..]));
        assert_eq!(shelf.take(b"other"), None);
        // A file under the name of another model, as two keys with the same sum would have.
        fs::copy(shelf.path(b"model"), shelf.path(b"other")).unwrap();
        assert_eq!(shelf.take(b"other"), None);
        shelf.put(b"large", &vec![1; LONGEST]);
        assert_eq!(shelf.take(b"large"), None);
        fs::remove_dir_all(shelf.folder).unwrap();
    }

    #[test]
    fn the_oldest_files_go_and_what_was_never_finished() {
        let shelf = shelf("full");
        make(&shelf.folder).unwrap();
        let long_ago = |hours: u64| SystemTime::now() - Duration::from_secs(3600 * hours);
        let write = |name: &str, length: u64, age: u64| {
            let file = File::create(shelf.folder.join(name)).unwrap();
            file.set_len(length).unwrap();
            file.set_modified(long_ago(age)).unwrap();
        };
        write("a.code", CAPACITY / 2, 3);
        write("b.code", CAPACITY / 2, 5);
        write("c.code", CAPACITY / 4, 1);
        write("d.part", 10, 2);
        write("e.part", 10, 0);
        write("notes.txt", CAPACITY, 9);
        shelf.tidy().unwrap();
        let entries = fs::read_dir(&shelf.folder).unwrap().flatten();
        let mut left: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        left.sort();
        assert_eq!(left, ["a.code", "c.code", "e.part", "notes.txt"]);
        fs::remove_dir_all(shelf.folder).unwrap();
    }

    #[test]
    fn damaged_files_are_left_alone() {
        let shelf = shelf("damaged");
        shelf.put(b"model", b"its code");
        let whole = fs::read(shelf.path(b"model")).unwrap();
        for cut in 0..whole.len() {
            fs::write(shelf.path(b"model"), &whole[..cut]).unwrap();
            assert_eq!(shelf.take(b"model"), None, "cut at {cut}");
            let mut changed = whole.clone();
            changed[cut] ^= 0x10;
            fs::write(shelf.path(b"model"), changed).unwrap();
            assert_eq!(shelf.take(b"model"), None, "changed at {cut}");
        }
        fs::remove_dir_all(shelf.folder).unwrap();
    }
}
