//! `kairos libraries`: lists the installed libraries and those on the search path.

use crate::output::print;
use crate::shell::{ShellOptions, Status};
use crate::store;
use clap::Args;
use std::path::Path;

#[derive(Args)]
pub struct Libraries {
    /// Further folders that hold libraries.
    #[arg(long = "lib", value_name = "DIR")]
    libraries: Vec<String>,
}

impl Libraries {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let folders = store::search_path(&self.libraries);
        let found: Vec<_> = folders.iter().flat_map(|folder| store::installed(Path::new(folder))).collect();
        if found.is_empty() {
            let help = "`kairos install NAME --from GIT-URL-OR-DIR` gets one";
            return print(&format!("no libraries are installed: {help}\n"), shell);
        }
        let shown = |text: &str| if text.is_empty() { "-".to_string() } else { text.to_string() };
        let rows: Vec<[String; 4]> = found
            .iter()
            .map(|(record, place)| {
                let revision: String = record.revision.chars().take(12).collect();
                [shown(&record.name), shown(&record.version), shown(&revision), place.display().to_string()]
            })
            .collect();
        let head = ["NAME", "VERSION", "REVISION", "PLACE"].map(String::from);
        let width =
            |k: usize| rows.iter().chain([&head]).map(|row| row[k].chars().count()).max().unwrap_or(0);
        let (a, b, c) = (width(0), width(1), width(2));
        let line = |[name, version, revision, place]: &[String; 4]| {
            format!("{name:a$}  {version:b$}  {revision:c$}  {place}\n")
        };
        let lines: String = [&head].into_iter().chain(&rows).map(line).collect();
        print(&lines, shell)
    }
}
