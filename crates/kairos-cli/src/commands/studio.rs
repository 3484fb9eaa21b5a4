//! `kairos studio`: models in a browser, drawn, run and looked into.

use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::World;
use kairos_studio::{Server, Setup, SharedWorld, Store};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

    /// Write the playground into this folder: the page and the compiler, for any web server.
    #[arg(long, value_name = "DIR")]
    export: Option<String>,

    /// The compiler for `--export`, which `web/build.sh` builds; looked for beside the program if not said.
    #[arg(long, value_name = "FILE", requires = "export")]
    compiler: Option<String>,
}

impl Studio {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if let Some(folder) = &self.export {
            return self.export(folder, shell);
        }
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
            shelf: crate::store::shelf(),
            clock: kairos_studio::clock,
            spawn: kairos_studio::spawn,
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

    /// Writes the playground.
    fn export(&self, folder: &str, shell: &ShellOptions) -> Status {
        let places = match &self.compiler {
            Some(file) => vec![PathBuf::from(file)],
            None => beside(COMPILER_FILE),
        };
        let Some(compiler) = places.iter().find_map(|place| std::fs::read(place).ok()) else {
            let looked: Vec<String> = places.iter().map(|place| format!("`{}`", place.display())).collect();
            let text = format!("the compiler for browsers is not there: looked for {}", looked.join(", "));
            let help = "build it with `web/build.sh` in the sources of Kairos, or name it with `--compiler`";
            shell.complain("no-browser-compiler", text, help);
            return Status::ModelFailed;
        };
        let files = kairos_studio::playground(compiler);
        let size: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
        for (name, bytes) in &files {
            let path = Path::new(folder).join(name);
            let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, bytes));
            if let Err(error) = written {
                let text = format!("`{}` cannot be written: {error}", path.display());
                shell.complain("file-not-written", text, "give a folder that can be written");
                return Status::ModelFailed;
            }
        }
        let text = format!(
            "{folder}: {} files, {:.1} MB; hand them out with any web server\n",
            files.len(),
            size as f64 / 1e6
        );
        output::print(&text, shell)
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

/// The name of the packed compiler beside the program.
const COMPILER_FILE: &str = "kairos-web.wasm.gz";

/// Where a file that belongs to the program may lie: beside it, or in the folder for shared files of an installation.
fn beside(name: &str) -> Vec<PathBuf> {
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.parent().unwrap_or(Path::new("."));
    vec![folder.join(name), folder.join("../share/kairos").join(name)]
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

    fn read_bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        kairos::Disk.read_bytes(path)
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

    fn shared(&self) -> SharedWorld {
        Arc::new(kairos::Disk)
    }
}

/// Asks the desktop to show a page; where there is none the printed address is enough.
fn open_browser(address: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = std::process::Stdio::null;
    let _ = std::process::Command::new(program).arg(address).stdout(quiet()).stderr(quiet()).spawn();
}
