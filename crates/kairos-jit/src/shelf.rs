//! A folder of native code from earlier runs: files that say what they were made from, the oldest of which go.
//!
//! What is in it will be executed. So the folder has to be the user's own and closed to others, and every file bears a digest
//! that only the holder of the folder's secret can make.

use kairos_base::hash::Fx;
use kairos_base::keyed::{Key, Keyed};
use kairos_base::private;
use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, SystemTime};

/// The first bytes of a file; another form has another number.
const MARK: [u8; 8] = *b"kairosN2";
/// All files together take no more than this.
const CAPACITY: u64 = 256 << 20;
/// Longer files are not kept: a few of them would drive out all others.
const LONGEST: usize = 32 << 20;
/// After one of so many new files the folder is tidied.
const SELDOM: u64 = 16;
/// What stands before the code and what it was made from.
const HEAD: usize = MARK.len() + 16 + 8;
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

#[derive(Clone)]
pub struct Shelf {
    folder: PathBuf,
    secret: Arc<OnceLock<Option<Key>>>,
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Shelf").field(&self.folder).finish()
    }
}

impl Shelf {
    pub fn new(folder: PathBuf) -> Self {
        Shelf { folder, secret: Arc::default() }
    }

    /// Why nothing is kept there, if so.
    pub fn refusal(&self) -> Option<String> {
        match private::check_folder(&self.folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => Some(error.to_string()),
            _ => None,
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The secret of the folder, if that can be used.
    fn secret(&self) -> Option<&Key> {
        self.secret.get_or_init(|| private::secret(&self.folder).ok()).as_ref()
    }

    fn path(&self, key: &[u8]) -> PathBuf {
        self.folder.join(format!("{:016x}.{ENDING}", sum(key)))
    }

    /// The code that was made from this.
    pub fn take(&self, key: &[u8]) -> Option<Vec<u8>> {
        let path = self.path(key);
        if !path.exists() {
            return None;
        }
        let secret = self.secret()?;
        let mut file = private::read(&path, (LONGEST + HEAD) as u64).ok()?;
        let body = body(&file, key, secret)?;
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
        private::make_folder(&self.folder)?;
        let Some(secret) = self.secret() else { return Err(ErrorKind::PermissionDenied.into()) };
        let path = self.path(key);
        // Several programs may write the same at once: what they write is equal, and a file that is not whole is none. With one
        // name for all of them no more than one is left where they are killed.
        let part = path.with_extension(UNFINISHED);
        let mut file = private::create(&part)?;
        let mut bytes = Vec::with_capacity(key.len() + code.len() + HEAD);
        bytes.extend(MARK);
        bytes.extend(seal(key, code, secret));
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
fn body<'a>(file: &'a [u8], key: &[u8], secret: &Key) -> Option<&'a [u8]> {
    let rest = file.strip_prefix(&MARK)?;
    let (expected, rest) = rest.split_first_chunk::<16>()?;
    let (length, rest) = rest.split_first_chunk()?;
    if u64::from_le_bytes(*length) != key.len() as u64 {
        return None;
    }
    let code = rest.strip_prefix(key)?;
    (*expected == seal(key, code, secret)).then_some(code)
}

/// What says that this code was made here from this.
fn seal(key: &[u8], code: &[u8], secret: &Key) -> [u8; 16] {
    let mut keyed = Keyed::new(secret);
    keyed.write_whole(key);
    keyed.write_whole(code);
    keyed.finish()
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
        private::make_folder(&shelf.folder).unwrap();
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

    /// Whoever knows the form of a file but not the secret cannot make one.
    #[test]
    fn forged_files_are_left_alone() {
        let (shelf, other) = (shelf("forged"), self::shelf("forger"));
        shelf.put(b"model", b"its code");
        other.put(b"model", b"evil");
        fs::copy(other.path(b"model"), shelf.path(b"model")).unwrap();
        assert_eq!(shelf.take(b"model"), None);
        fs::remove_dir_all(shelf.folder).unwrap();
        fs::remove_dir_all(other.folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn pipes_links_and_open_folders_are_left_alone() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let shelf = shelf("odd");
        shelf.put(b"model", b"its code");
        let path = shelf.path(b"model");
        fs::rename(&path, path.with_extension("moved")).unwrap();
        symlink(path.with_extension("moved"), &path).unwrap();
        assert_eq!(shelf.take(b"model"), None);
        fs::remove_file(&path).unwrap();
        symlink("/dev/zero", &path).unwrap();
        assert_eq!(shelf.take(b"model"), None);
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert_eq!(shelf.take(b"model"), None);
        fs::remove_file(&path).unwrap();
        fs::rename(path.with_extension("moved"), &path).unwrap();
        assert!(shelf.take(b"model").is_some());
        fs::set_permissions(&shelf.folder, fs::Permissions::from_mode(0o777)).unwrap();
        // Another process looks at the folder anew.
        let later = Shelf::new(shelf.folder.clone());
        assert_eq!(later.take(b"model"), None);
        assert!(later.refusal().is_some_and(|why| why.contains("others")));
        later.put(b"other", b"code");
        assert!(!later.path(b"other").exists());
        fs::remove_dir_all(shelf.folder).unwrap();
    }
}
