//! Whom the user trusts: options, and a list that remembers libraries by a digest of their files.

use crate::store;
use clap::{Args, ValueEnum};
use kairos::{Access, Trust};
use kairos_base::keyed::Keyed;
use kairos_base::private;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

#[derive(Args, Clone)]
#[command(next_help_heading = "Trust")]
pub struct TrustOptions {
    /// A library or model that may do everything: run commands, use compiled code, all files and the environment. It is
    /// remembered until one of its files changes. `all` trusts everything for this time.
    #[arg(long, value_name = "NAME|all")]
    trust: Vec<String>,

    /// One switch for all such questions, whatever is remembered.
    #[arg(long, value_enum, value_name = "deny|allow", conflicts_with = "trust")]
    external: Option<External>,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
enum External {
    /// Nobody is trusted.
    Deny,
    /// Everybody is.
    Allow,
}

const ALL: &str = "all";

impl TrustOptions {
    /// Is nobody trusted, not even what is named?
    pub fn denies(&self) -> bool {
        self.external == Some(External::Deny)
    }

    /// What a run may do.
    pub fn access(&self) -> Access {
        Access::Run(match self.external {
            Some(External::Deny) => Trust::Nobody,
            Some(External::Allow) => Trust::Everybody,
            None => {
                let (given, standing) = (self.trust.clone(), standing());
                if given.iter().chain(&standing).any(|name| name == ALL) {
                    return Access::Run(Trust::Everybody);
                }
                let list = store::home().map(List);
                let known = Mutex::new(Vec::new());
                Trust::Some(Arc::new(move |name: &str, folder: &Path, file: Option<&Path>| {
                    // A digest of all files is made once, however often a model asks.
                    let mut known = known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    if let Some((_, answer)) = known.iter().find(|(asked, _)| asked == name) {
                        return *answer;
                    }
                    let wanted = given.iter().any(|given| given == name);
                    let answer = match &list {
                        Some(list) if wanted => {
                            // Trusted for this run even where it cannot be remembered.
                            let _ = list.remember(name, folder, file);
                            true
                        }
                        _ if standing.iter().any(|trusted| trusted == name) => true,
                        Some(list) => list.remembers(name, folder, file).unwrap_or(false),
                        None => wanted,
                    };
                    known.push((name.to_string(), answer));
                    answer
                }))
            }
        })
    }
}

/// The names that the user trusts in every run: those in `$KAIROS_TRUST`, else those in the file `trust` of the Kairos folder.
fn standing() -> Vec<String> {
    let text = match std::env::var("KAIROS_TRUST") {
        Ok(text) => text,
        Err(_) => {
            let file = store::home().map(|home| home.join("trust"));
            let bytes = file.and_then(|file| private::read(&file, LONGEST).ok()).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        }
    };
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    lines
        .flat_map(|line| line.split([',', ' ', '\t']))
        .filter(|name| !name.is_empty())
        .map(String::from)
        .collect()
}

/// The libraries that were trusted before: one `DIGEST NAME` a line, in a folder of the user.
struct List(PathBuf);

/// Nobody trusts so many.
const LONGEST: u64 = 1 << 20;

impl List {
    fn file(&self) -> PathBuf {
        self.0.join("trusted")
    }

    fn remembers(&self, name: &str, folder: &Path, file: Option<&Path>) -> io::Result<bool> {
        let text = String::from_utf8_lossy(&private::read(&self.file(), LONGEST)?).into_owned();
        let mut digests =
            text.lines().filter_map(|line| line.split_once(' ')).filter(|(_, of)| *of == name).peekable();
        if digests.peek().is_none() {
            return Ok(false);
        }
        let digest = self.digest(folder, file)?;
        Ok(digests.any(|(known, _)| known == digest))
    }

    fn remember(&self, name: &str, folder: &Path, file: Option<&Path>) -> io::Result<()> {
        if self.remembers(name, folder, file).unwrap_or(false) {
            return Ok(());
        }
        private::make_folder(&self.0)?;
        let line = format!("{} {name}\n", self.digest(folder, file)?);
        if private::read(&self.file(), LONGEST).is_err() {
            return private::create(&self.file())?.write_all(line.as_bytes());
        }
        OpenOptions::new().append(true).open(self.file())?.write_all(line.as_bytes())
    }

    /// Of every file of a library: those in its folder, or its one file with the code that lies beside it.
    fn digest(&self, folder: &Path, file: Option<&Path>) -> io::Result<String> {
        let mut keyed = Keyed::new(&private::secret(&self.0)?);
        match file {
            None => digest_tree(&mut keyed, folder)?,
            Some(file) => {
                digest_file(&mut keyed, file)?;
                let resources = folder.join("Resources");
                if resources.is_dir() {
                    digest_tree(&mut keyed, &resources)?;
                }
                let mut beside: Vec<PathBuf> =
                    fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
                beside.retain(|path| {
                    path.is_file()
                        && path.extension().is_some_and(|end| end == "c" || end == "h" || end == "fmu")
                });
                beside.sort();
                for code in beside {
                    keyed.write_whole(code.as_os_str().as_encoded_bytes());
                    digest_file(&mut keyed, &code)?;
                }
            }
        }
        Ok(keyed.finish().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

fn digest_tree(keyed: &mut Keyed, folder: &Path) -> io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    entries.sort();
    keyed.write_whole(&entries.len().to_le_bytes());
    for entry in entries {
        keyed.write_whole(entry.file_name().unwrap_or_default().as_encoded_bytes());
        let data = fs::symlink_metadata(&entry)?;
        if data.is_symlink() {
            keyed.write_whole(fs::read_link(&entry)?.as_os_str().as_encoded_bytes());
            if entry.is_file() {
                digest_file(keyed, &entry)?;
            }
        } else if data.is_dir() && entry.file_name().is_some_and(|name| name != ".git") {
            digest_tree(keyed, &entry)?;
        } else if data.is_file() {
            digest_file(keyed, &entry)?;
        }
    }
    Ok(())
}

fn digest_file(keyed: &mut Keyed, path: &Path) -> io::Result<()> {
    let mut file = fs::File::open(path)?;
    let mut piece = vec![0; 1 << 16];
    let mut total = 0u64;
    loop {
        match file.read(&mut piece)? {
            0 => break,
            count => {
                keyed.write(&piece[..count]);
                total += count as u64;
            }
        }
    }
    keyed.write(&total.to_le_bytes());
    Ok(())
}
