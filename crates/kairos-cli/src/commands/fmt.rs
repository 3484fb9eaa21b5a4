//! `kairos fmt`: formats Modelica files in place, or checks that they are formatted.

use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::SourceMap;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Fmt {
    /// Files to format; of folders all Modelica files below them.
    #[arg(required = true, value_name = "FILE.mo")]
    files: Vec<PathBuf>,

    /// Change nothing; say which files are not formatted.
    #[arg(long)]
    check: bool,
}

impl Fmt {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let mut files = Vec::new();
        for path in &self.files {
            if let Err(error) = collect(path, &mut files) {
                let message = format!("`{}` cannot be read: {error}", path.display());
                shell.complain("cannot-read", message, "check the path");
                return Status::WrongUsage;
            }
        }
        let mut good = true;
        for file in &files {
            good &= self.one(file, shell);
        }
        if good { Status::Success } else { Status::ModelFailed }
    }

    /// Formats one file; false if it is wrong or, when checking, not formatted.
    fn one(&self, file: &Path, shell: &ShellOptions) -> bool {
        let shown = file.display().to_string();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => {
                let help = match error.kind() {
                    std::io::ErrorKind::InvalidData => "save the file as UTF-8",
                    _ => "check the path",
                };
                shell.complain("cannot-read", format!("`{shown}` cannot be read: {error}"), help);
                return false;
            }
        };
        let formatted = match kairos::format(&text) {
            Ok(formatted) => formatted,
            Err(diagnostics) => {
                let mut sources = SourceMap::default();
                sources.add(shown, text);
                shell.show(&diagnostics, &sources);
                return false;
            }
        };
        if formatted == text {
            return true;
        }
        if self.check {
            output::print(&format!("{shown} is not formatted\n"), shell);
            return false;
        }
        match output::replace(file, &formatted) {
            Ok(()) => true,
            Err(error) => {
                let message = format!("`{shown}` cannot be written: {error}");
                shell.complain("cannot-write", message, "check the permissions");
                false
            }
        }
    }
}

/// A file itself, or the Modelica files below a folder in order.
pub fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.metadata()?.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            collect(&entry, files)?;
        } else if entry.extension().is_some_and(|e| e == "mo") {
            files.push(entry);
        }
    }
    Ok(())
}
