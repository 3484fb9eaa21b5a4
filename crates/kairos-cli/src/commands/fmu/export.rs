//! `kairos fmu export`: models as FMUs.

use crate::commands::draw;
use crate::commands::target::Target;
use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::{Args, ValueEnum};
use kairos::{Disk, Goal, Request, Ticking, View};
use kairos_fmi::{Carried, Pictures, Runtime, Version};

/// The runtime of FMUs for this platform; empty where the program was only checked, not built.
const RUNTIME: &[u8] = include_bytes!(env!("KAIROS_FMI_RUNTIME"));

#[derive(Args)]
pub struct Export {
    #[command(flatten)]
    target: Target,

    /// The version of the standard.
    #[arg(long, value_enum, default_value = "2")]
    fmi: Standard,

    /// A further platform that the FMU is to run on, such as `x86_64-windows`, whose runtime is installed; may be given several times.
    #[arg(long, value_name = "PLATFORM")]
    platform: Vec<String>,

    /// Parameters that can be changed while the FMU runs.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    tunable: Vec<String>,

    /// What importers have to do with clocks of the model, with FMI 3.0.
    #[arg(long, value_enum, default_value = "output")]
    clocks: Clocks,

    /// The file to write; by default the last part of the model's name with `.fmu`.
    #[arg(long, short, value_name = "FILE.fmu")]
    output: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Standard {
    /// FMI 2.0
    #[value(name = "2")]
    Two,
    /// FMI 3.0
    #[value(name = "3")]
    Three,
}

#[derive(Clone, Copy, ValueEnum)]
enum Clocks {
    /// They tick by themselves, and importers are told when
    Output,
    /// Importers make those tick whose instants are planned
    Input,
    /// Importers do not know of them
    None,
}

impl Export {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let request = Request {
            access: kairos::Access::Pack,
            portable: true,
            open_starts: true,
            tunable: self.tunable.clone(),
            ticking: match (self.fmi, self.clocks) {
                (Standard::Two, _) | (_, Clocks::None) => Ticking::Silent,
                (Standard::Three, Clocks::Output) => Ticking::Counted,
                (Standard::Three, Clocks::Input) => Ticking::FromOutside,
            },
            ..self.target.request()
        };
        let compiled = kairos::compile(&Disk, &request, Goal::Machine);
        shell.show(&compiled.diagnostics, &compiled.sources);
        if compiled.has_errors() || compiled.machine.is_none() {
            return Status::of(&compiled.diagnostics);
        }
        let version = match self.fmi {
            Standard::Two => Version::Two,
            Standard::Three => Version::Three,
        };
        let mut remarks = Vec::new();
        let Some(runtimes) = self.runtimes(shell) else { return Status::WrongUsage };
        let carried = Carried { runtimes, pictures: self.pictures(), tunable: self.tunable.clone() };
        let exported = kairos_fmi::export(&compiled, version, &carried, &mut remarks);
        shell.show(&remarks, &compiled.sources);
        let bytes = match exported {
            Ok(bytes) => bytes,
            Err(wrong) => {
                shell.show(&[wrong], &compiled.sources);
                return Status::ModelFailed;
            }
        };
        let last = compiled.name.rsplit('.').next().unwrap_or(&compiled.name);
        let path = self.output.clone().unwrap_or_else(|| format!("{last}.fmu"));
        match output::write(&path, bytes) {
            Ok(()) => shell.say(&format!("{}: exported to {path}", compiled.name)),
            Err(unwritten) => output::complain(&unwritten, shell),
        }
    }

    /// The runtime of this platform, and of those that are asked for. What is missing is told.
    fn runtimes(&self, shell: &ShellOptions) -> Option<Vec<Runtime>> {
        let mut runtimes = vec![Runtime { platform: kairos_fmi::platform(), bytes: RUNTIME.to_vec() }];
        let folder = crate::store::home().map(|home| home.join("runtimes"));
        for platform in &self.platform {
            if runtimes.iter().any(|runtime| runtime.platform == *platform) {
                continue;
            }
            let plain = platform.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
            let path = folder.as_ref().filter(|_| plain).map(|folder| folder.join(platform));
            match path.as_ref().map(std::fs::read) {
                Some(Ok(bytes)) => runtimes.push(Runtime { platform: platform.clone(), bytes }),
                _ => {
                    let text = format!("there is no runtime for `{platform}`");
                    let help = "build it from the sources of Kairos with `scripts/runtime.sh PLATFORM`, which puts it into \
                                `runtimes` of the user's data folder (or `$KAIROS_HOME`)";
                    shell.complain("no-runtime", text, help);
                    return None;
                }
            }
        }
        Some(runtimes)
    }

    /// Icon and diagram, if the class has them.
    fn pictures(&self) -> Pictures {
        let drawn = |view| {
            let svg = kairos::draw(&Disk, &self.target.request(), view, &draw::read).svg.unwrap_or_default();
            let shows = ["<path", "<rect", "<poly", "<line", "<ellipse", "<text", "<image"];
            if shows.iter().any(|shape| svg.contains(shape)) { svg } else { String::new() }
        };
        Pictures { icon: drawn(View::Icon), diagram: drawn(View::Diagram) }
    }
}
