//! The only way out of a model: files, environment, clock and commands, each after its permission was asked.
//!
//! No other module of this crate touches the operating system; a test reads their text to see that it stays so.

use crate::context::Context;
use crate::permissions::Effect;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A place that may be read.
pub(crate) struct Readable(PathBuf);

/// A place that may be changed.
pub(crate) struct Writable(PathBuf);

/// What is at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Nothing,
    File,
    Folder,
    Other,
}

impl Context {
    pub(crate) fn readable(&self, name: &str) -> Result<Readable, String> {
        let path = self.path(name)?;
        self.permissions().ask(Effect::Read(&path))?;
        self.note(name, &path);
        Ok(Readable(path))
    }

    pub(crate) fn writable(&self, name: &str) -> Result<Writable, String> {
        let path = self.path(name)?;
        self.permissions().ask(Effect::Write(&path))?;
        Ok(Writable(path))
    }

    /// A variable of the environment around the program.
    pub(crate) fn outer_variable(&self, name: &str) -> Result<Option<String>, String> {
        self.permissions().ask(Effect::Environment(name))?;
        // The standard library rejects such names by panicking on some systems.
        let usable = !name.is_empty() && !name.contains(['=', '\0']);
        Ok(if usable { std::env::var(name).ok() } else { None })
    }

    /// The time since 1970.
    pub(crate) fn clock(&self) -> Result<Duration, String> {
        self.permissions().ask(Effect::Moment)?;
        if cfg!(target_family = "wasm") {
            return Err("there is no clock here".into());
        }
        Ok(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }

    pub(crate) fn process(&self) -> Result<u32, String> {
        self.permissions().ask(Effect::Moment)?;
        Ok(std::process::id())
    }

    /// A place for temporary files that nobody uses yet.
    pub(crate) fn unused_name(&mut self) -> Result<PathBuf, String> {
        self.permissions().ask(Effect::Moment)?;
        loop {
            let name = format!("kairos-{}-{}", std::process::id(), self.next_serial());
            let path = std::env::temp_dir().join(name);
            if found(&path) == Found::Nothing {
                return Ok(path);
            }
        }
    }

    /// Runs a command of the operating system; its status, or -1 if a signal ended it.
    pub(crate) fn command(&self, command: &str) -> Result<i64, String> {
        self.permissions().ask(Effect::Command(command))?;
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let status = std::process::Command::new(shell)
            .args([flag, command])
            .current_dir(self.directory())
            .envs(&self.environment)
            .status()
            .map_err(|error| format!("command \"{command}\" cannot be run: {error}"))?;
        Ok(status.code().map_or(-1, i64::from))
    }
}

/// The folder in which the program was started.
pub(crate) fn working_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}

impl Readable {
    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn found(&self) -> Found {
        found(&self.0)
    }

    /// The content of a regular file: pipes and devices have no end.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        match fs::metadata(&self.0)?.is_file() {
            true => fs::read(&self.0),
            false => Err(io::Error::other("it is not a regular file")),
        }
    }

    /// Names in a folder, sorted so that results do not depend on the file system.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    pub fn full(&self) -> PathBuf {
        let absolute = || std::path::absolute(&self.0).unwrap_or_else(|_| self.0.clone());
        self.0.canonicalize().unwrap_or_else(|_| absolute())
    }
}

impl Writable {
    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn append(&self, text: &str) -> io::Result<()> {
        OpenOptions::new().create(true).append(true).open(&self.0)?.write_all(text.as_bytes())
    }

    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        fs::write(&self.0, bytes)
    }

    pub fn make_folder(&self) -> io::Result<()> {
        fs::create_dir(&self.0)
    }

    pub fn remove_folder(&self) -> io::Result<()> {
        fs::remove_dir(&self.0)
    }

    pub fn remove_file(&self) -> io::Result<()> {
        fs::remove_file(&self.0)
    }

    pub fn rename(&self, to: &Writable) -> io::Result<()> {
        fs::rename(&self.0, &to.0)
    }

    /// Takes over a regular file; what is there already is never overwritten.
    pub fn copy_from(&self, from: &Readable) -> io::Result<()> {
        if found(&self.0) != Found::Nothing {
            return Err(io::Error::other("the target exists, remove it first"));
        }
        if from.found() != Found::File {
            return Err(io::Error::other("the source is not a regular file"));
        }
        fs::copy(&from.0, &self.0).map(|_| ())
    }
}

fn found(path: &Path) -> Found {
    match fs::metadata(path) {
        Err(_) => Found::Nothing,
        Ok(data) if data.is_file() => Found::File,
        Ok(data) if data.is_dir() => Found::Folder,
        Ok(_) => Found::Other,
    }
}

#[cfg(test)]
mod tests {
    /// Whoever adds a function that touches the operating system finds that it has to go through here.
    #[test]
    fn no_other_module_reaches_outside() {
        let mut folders = vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.file_name().unwrap().to_str().unwrap();
                if ["outside.rs", "permissions.rs"].contains(&name) {
                    continue;
                }
                seen += 1;
                let text = std::fs::read_to_string(&path).unwrap();
                let product = text.split("#[cfg(test)]").next().unwrap();
                for word in
                    ["std::fs", "std::process", "std::env", "std::net", "SystemTime", "std::os", "unsafe"]
                {
                    assert!(
                        !product.contains(word),
                        "{name} uses {word}: put that into outside.rs, behind an Effect"
                    );
                }
            }
        }
        assert!(seen > 10, "the modules are elsewhere");
    }
}
