//! `kairos draw`: the icon or the diagram of a class as SVG.

use super::target::Target;
use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::{Args, ValueEnum};
use kairos::{Disk, View};
use std::path::Path;

#[derive(Args)]
pub struct Draw {
    #[command(flatten)]
    target: Target,

    /// The layer to draw.
    #[arg(long, value_enum, default_value = "diagram")]
    view: Layer,

    /// The file to write, or a folder that gets a file for each class of a package; without it the picture goes to
    /// standard output.
    #[arg(short, long, value_name = "FILE.svg|DIR/")]
    output: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Layer {
    /// What the class is composed of.
    Diagram,
    /// How the class looks as a part of others.
    Icon,
}

impl Draw {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let view = match self.view {
            Layer::Diagram => View::Diagram,
            Layer::Icon => View::Icon,
        };
        match &self.output {
            Some(folder) if folder.ends_with('/') || Path::new(folder).is_dir() => {
                self.draw_each(folder.trim_end_matches('/'), view, shell)
            }
            file => self.draw(file.as_deref(), view, shell),
        }
    }

    fn draw(&self, file: Option<&str>, view: View, shell: &ShellOptions) -> Status {
        let drawn = kairos::draw(&Disk, &self.target.request(), view, &read);
        shell.show(&drawn.diagnostics, &drawn.sources);
        let written = match (&drawn.svg, file) {
            (None, _) => Status::Success,
            (Some(svg), None) => output::print(svg, shell),
            (Some(svg), Some(file)) => match output::write(file, svg) {
                Ok(()) => Status::Success,
                Err(unwritten) => output::complain(&unwritten, shell),
            },
        };
        Status::of(&drawn.diagnostics).and(written)
    }

    fn draw_each(&self, folder: &str, view: View, shell: &ShellOptions) -> Status {
        if let Err(error) = std::fs::create_dir_all(folder) {
            return output::complain(&(folder.to_string(), error), shell);
        }
        let (mut count, mut failed) = (0, None);
        let drawn = kairos::draw_each(&Disk, &self.target.request(), view, &read, &mut |name, svg| {
            if failed.is_none() {
                let file = file_name(name);
                failed = output::write(&format!("{folder}/{file}.svg"), svg).err();
                count += 1;
            }
        });
        shell.show(&drawn.diagnostics, &drawn.sources);
        let written = match &failed {
            Some(unwritten) => output::complain(unwritten, shell),
            None => output::print(&format!("{count} pictures in {folder}\n"), shell),
        };
        Status::of(&drawn.diagnostics).and(written)
    }
}

/// The file of a bitmap.
pub fn read(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
}

/// The name of a class as that of a file: what file names cannot hold is written as in addresses.
fn file_name(class: &str) -> String {
    let mut name = String::with_capacity(class.len());
    for c in class.chars() {
        match c {
            '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | '%' => {
                name.push_str(&format!("%{:02X}", c as u32))
            }
            c => name.push(c),
        }
    }
    name
}
