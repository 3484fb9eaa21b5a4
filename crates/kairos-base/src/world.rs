//! The compiler's view of the file system.

use std::io;

/// Reads files and lists folders. Paths use `/`.
pub trait World {
    /// The text of a file.
    fn read(&self, path: &str) -> io::Result<String>;

    /// A file as it is; by default only texts can be had.
    fn read_bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        self.read(path).map(String::into_bytes)
    }

    /// Names of the entries of a folder, sorted; folders end in `/`.
    fn list(&self, path: &str) -> io::Result<Vec<String>>;
}

/// The name by which the standard input is read as a file.
pub const STANDARD_INPUT: &str = "-";

/// The standard input, which can be read only once, kept for whoever asks again.
fn standard_input() -> io::Result<Vec<u8>> {
    static KEPT: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    if KEPT.get().is_none() {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::stdin(), &mut bytes)?;
        let _ = KEPT.set(bytes);
    }
    Ok(KEPT.get().cloned().unwrap_or_default())
}

/// The real file system, and the standard input as `-`.
pub struct Disk;

impl World for Disk {
    fn read(&self, path: &str) -> io::Result<String> {
        let bytes = self.read_bytes(path)?;
        if bytes.contains(&0) {
            let what = "it is no text: binary, encrypted, or of two bytes a character";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        Ok(String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().iter().map(|&b| b as char).collect()))
    }

    fn read_bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        if path == STANDARD_INPUT {
            return standard_input();
        }
        std::fs::read(path)
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            let mut name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_dir() {
                name.push('/');
            }
            names.push(name);
        }
        names.sort();
        Ok(names)
    }
}
