//! `kairos doc`: the documentation of a library as a folder of pages.

use super::target::Target;
use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::Disk;
use kairos_studio::{Pages, PagesError};
use std::path::Path;

#[derive(Args)]
pub struct Doc {
    #[command(flatten)]
    target: Target,

    /// The folder for the pages.
    #[arg(short, long, value_name = "DIR")]
    output: String,
}

impl Doc {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let request = self.target.request();
        let class = match (&request.model, &request.file) {
            (Some(class), _) => class.clone(),
            (None, Some(file)) => match kairos::top_class(&Disk, file) {
                Some(class) => class,
                None => {
                    let text = format!("`{file}` has no class to document");
                    shell.complain("no-model", text, "give a file with a class, or the name of a library");
                    return Status::WrongUsage;
                }
            },
            (None, None) => String::new(),
        };
        let read = |path: &Path| std::fs::read(path).ok();
        let pages = Pages { libraries: request.libraries, file: request.file, class, read: &read };
        let root = Path::new(&self.output);
        let mut write = |file: &str, text: &str| {
            let place = root.join(file);
            if let Some(folder) = place.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(place, text)
        };
        match pages.make(&Disk, &mut write) {
            Ok(count) => shell.say(&format!("{count} pages in {}, begin with index.html", self.output)),
            Err(PagesError::NoClass(name)) => {
                let text = format!("there is no class `{name}`");
                let help = "give the name of a library or a class in it, and its library with `--lib`";
                shell.complain("no-such-model", text, help);
                Status::ModelFailed
            }
            Err(PagesError::Unwritten(file, error)) => {
                output::complain(&(format!("{}/{file}", self.output), error), shell)
            }
        }
    }
}
