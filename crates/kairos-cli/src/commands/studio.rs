//! `kairos studio`: models in a browser, drawn, run and looked into.

use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::World;
use kairos_studio::{Server, Setup, Store};
use std::io;
use std::path::Path;

#[derive(Args)]
pub struct Studio {
    /// Modelica files to open, or the folder of a project; the working folder if not said.
    #[arg(value_name = "FILE.mo|DIR")]
    paths: Vec<String>,

    /// A folder that holds libraries, or a library's own folder; searched before MODELICAPATH and installed ones.
    #[arg(long = "lib", value_name = "DIR")]
    libraries: Vec<String>,

    /// The port of the loopback address; any free one if not said.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    port: u16,

    /// Print the address, but do not open a browser.
    #[arg(long)]
    no_open: bool,

    /// Show the page from this folder, for those who work on it.
    #[arg(long, value_name = "DIR")]
    page: Option<String>,
}

impl Studio {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let (folder, files) = match self.project() {
            Ok(found) => found,
            Err((path, error)) => {
                let text = format!("`{path}` cannot be opened: {error}");
                shell.complain("cannot-read", text, "give Modelica files, or the folder of a project");
                return Status::ModelFailed;
            }
        };
        let setup = Setup {
            store: Box::new(Files),
            folder,
            files,
            libraries: crate::store::search_path(&self.libraries),
            read: |path| std::fs::read(path).ok(),
            shelf: crate::store::shelf(),
        };
        let studio = match kairos_studio::Studio::new(setup) {
            Ok(studio) => studio,
            Err(refusal) => {
                shell.complain(refusal.code, refusal.message, "check the path");
                return Status::ModelFailed;
            }
        };
        let server = match Server::new(studio, self.port) {
            Ok(server) => server,
            Err(error) => {
                let text = format!("the studio cannot listen on port {}: {}", self.port, error.0);
                shell.complain("no-port", text, "leave `--port` out, or give a free one");
                return Status::ModelFailed;
            }
        };
        let server = match &self.page {
            Some(folder) => server.with_page(folder),
            None => server,
        };
        let address = server.address();
        let printed = output::print(&format!("{address}\n"), shell);
        if !self.no_open {
            open_browser(&address);
        }
        server.serve();
        printed
    }

    /// The folder of the project and the files to open.
    fn project(&self) -> Result<(String, Vec<String>), (String, io::Error)> {
        let mut folder = None;
        let mut files = Vec::new();
        for path in &self.paths {
            if Path::new(path).is_dir() {
                let trimmed = path.trim_end_matches('/').to_string();
                files.extend(models_in(&trimmed).map_err(|e| (path.clone(), e))?);
                folder.get_or_insert(trimmed);
            } else {
                std::fs::metadata(path).map_err(|e| (path.clone(), e))?;
                let parent = path.rsplit_once('/').map_or(".", |(parent, _)| parent);
                folder.get_or_insert(parent.to_string());
                files.push(path.clone());
            }
        }
        if self.paths.is_empty() {
            files = models_in(".").map_err(|e| (".".to_string(), e))?;
        }
        Ok((folder.unwrap_or_else(|| ".".into()), files))
    }
}

/// The Modelica files of a folder, or the package that it is.
fn models_in(folder: &str) -> io::Result<Vec<String>> {
    let entries = kairos::Disk.list(folder)?;
    if entries.iter().any(|entry| entry == "package.mo") {
        return Ok(vec![format!("{folder}/package.mo")]);
    }
    Ok(entries.iter().filter(|e| e.ends_with(".mo")).map(|e| format!("{folder}/{e}")).collect())
}

/// The files of the user.
struct Files;

impl World for Files {
    fn read(&self, path: &str) -> io::Result<String> {
        kairos::Disk.read(path)
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        kairos::Disk.list(path)
    }
}

impl Store for Files {
    fn write(&self, path: &str, text: &str) -> io::Result<()> {
        if Path::new(path).exists() {
            return output::replace(Path::new(path), text);
        }
        if let Some(folder) = Path::new(path).parent() {
            std::fs::create_dir_all(folder)?;
        }
        output::write(path, text).map_err(|(_, error)| error)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }
}

/// Asks the desktop to show a page; where there is none the printed address is enough.
fn open_browser(address: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = std::process::Stdio::null;
    let _ = std::process::Command::new(program).arg(address).stdout(quiet()).stderr(quiet()).spawn();
}
