//! Folders and files that only their owner can change, for what is believed without looking at it again.

use crate::keyed::Key;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// The file with the secret of a folder.
const SECRET: &str = "secret";

/// Makes a folder for its owner only, with those above it.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Is a folder ours, and closed to everybody else's changes? If not, why.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    let data = fs::metadata(folder)?;
    if !data.is_dir() {
        return Err(io::Error::other("it is not a folder"));
    }
    closed(&data)
}

/// Reads a regular file of ours that nobody else can change; never waits, never follows a link, never reads more than `longest`.
pub fn read(path: &Path, longest: u64) -> io::Result<Vec<u8>> {
    let file = open(OpenOptions::new().read(true), path)?;
    let data = file.metadata()?;
    if !data.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    closed(&data)?;
    if data.len() > longest {
        return Err(io::Error::other("it is too long"));
    }
    let mut bytes = Vec::with_capacity(data.len() as usize);
    file.take(longest).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes a new file for its owner only; what stands there under this name, a link or a file, goes.
pub fn create(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    open(&mut options, path)
}

/// The secret of a folder, made at first; the folder has to be ours.
pub fn secret(folder: &Path) -> io::Result<Key> {
    check_folder(folder)?;
    let path = folder.join(SECRET);
    let read = || read(&path, 16).ok().and_then(|bytes| Key::try_from(bytes).ok());
    if let Some(known) = read() {
        return Ok(known);
    }
    let part = folder.join(format!("{SECRET}.{}", std::process::id()));
    let mut file = create(&part)?;
    file.write_all(&random()?)?;
    file.sync_all()?;
    // The first of several programs wins; what is there and cannot be used is replaced.
    if path.symlink_metadata().is_ok() && read().is_none() {
        let _ = fs::remove_file(&path);
    }
    let linked = fs::hard_link(&part, &path);
    fs::remove_file(&part)?;
    match (read(), linked) {
        (Some(key), _) => Ok(key),
        (None, Err(error)) => Err(error),
        (None, Ok(())) => Err(io::Error::other("the secret cannot be read")),
    }
}

#[cfg(unix)]
fn random() -> io::Result<Key> {
    let mut key = Key::default();
    File::open("/dev/urandom")?.read_exact(&mut key)?;
    Ok(key)
}

/// The seeds of the standard library's hash tables come from the system's source of random numbers.
#[cfg(not(unix))]
fn random() -> io::Result<Key> {
    use std::hash::{BuildHasher, RandomState};
    let half = || RandomState::new().hash_one(std::process::id()).to_le_bytes();
    let mut key = Key::default();
    key[..8].copy_from_slice(&half());
    key[8..].copy_from_slice(&half());
    Ok(key)
}

#[cfg(unix)]
fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)
}

#[cfg(not(unix))]
fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    options.open(path)
}

#[cfg(unix)]
fn closed(data: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    // SAFETY: asks for a number and cannot fail.
    #[allow(unsafe_code)]
    let me = unsafe { libc::geteuid() };
    if data.uid() != me {
        return Err(io::Error::other("it belongs to another user"));
    }
    if data.mode() & 0o022 != 0 {
        return Err(io::Error::other("others may write to it"));
    }
    Ok(())
}

#[cfg(not(unix))]
fn closed(_: &Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("kairos-private-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        make_folder(&folder).unwrap();
        folder
    }

    #[test]
    fn the_secret_stays_and_is_closed() {
        let folder = folder("secret");
        let key = secret(&folder).unwrap();
        assert_eq!(secret(&folder).unwrap(), key);
        assert_ne!(key, [0; 16]);
        assert_eq!(fs::metadata(folder.join(SECRET)).unwrap().mode() & 0o777, 0o600);
        fs::write(folder.join(SECRET), "short").unwrap();
        assert_ne!(secret(&folder).unwrap(), key);
        let left: Vec<_> = fs::read_dir(&folder).unwrap().flatten().collect();
        assert_eq!(left.len(), 1);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(secret(&folder).unwrap_err().to_string().contains("others may write"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn only_regular_files_of_ours_are_read() {
        let folder = folder("files");
        fs::write(folder.join("file"), "text").unwrap();
        assert_eq!(read(&folder.join("file"), 4).unwrap(), b"text");
        assert!(read(&folder.join("file"), 3).is_err());
        symlink("/dev/zero", folder.join("link")).unwrap();
        assert!(read(&folder.join("link"), 1 << 20).is_err());
        assert!(read(Path::new("/dev/zero"), 1 << 20).is_err());
        assert!(std::process::Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
        assert!(read(&folder.join("pipe"), 1 << 20).is_err());
        fs::set_permissions(folder.join("file"), fs::Permissions::from_mode(0o666)).unwrap();
        assert!(read(&folder.join("file"), 4).is_err());
        symlink(folder.join("elsewhere"), folder.join("planted")).unwrap();
        create(&folder.join("planted")).unwrap().write_all(b"new").unwrap();
        assert!(!folder.join("elsewhere").exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
