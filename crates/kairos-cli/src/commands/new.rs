//! `kairos new`: begins a model or a library with something that runs.

use crate::shell::{ShellOptions, Status};
use clap::Args;
use std::path::Path;

#[derive(Args)]
pub struct New {
    /// The name of the model or library.
    name: String,

    /// Begin a library: a folder with a package, a component and an example.
    #[arg(long)]
    library: bool,
}

impl New {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if let Err(why) = check_name(&self.name) {
            let help =
                "begin with a capital letter and go on with letters, digits and underscores: `MyModel`";
            shell.complain("not-a-name", format!("`{}` {why}", self.name), help);
            return Status::WrongUsage;
        }
        let (root, files, run) = match self.library {
            true => (
                self.name.clone(),
                LIBRARY,
                format!("kairos run {}.Examples.StepResponse --lib .", self.name),
            ),
            false => (format!("{}.mo", self.name), MODEL, format!("kairos run {}.mo --plot x,u", self.name)),
        };
        if Path::new(&root).exists() {
            let help = "choose another name, or move what is there away";
            shell.complain("already-exists", format!("`{root}` exists already"), help);
            return Status::WrongUsage;
        }
        for (path, text) in files {
            let path = path.replace("NAME", &self.name);
            if let Err(error) = write(Path::new(&path), &text.replace("NAME", &self.name)) {
                return crate::output::complain(&(path, error), shell);
            }
        }
        shell.say(&format!("{root} is there; try it with\n  {run}"))
    }
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}

/// A name that Modelica takes without quotes, and that hides nothing.
fn check_name(name: &str) -> Result<(), &'static str> {
    let letters = name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    if !letters || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err("is not a name in Modelica");
    }
    let reserved = kairos::format(&format!("model {name} end {name};")).is_err();
    if reserved || ["Real", "Integer", "Boolean", "String", "Clock"].contains(&name) {
        return Err("has a meaning in Modelica already");
    }
    Ok(())
}

const MODEL: &[(&str, &str)] = &[(
    "NAME.mo",
    r#"model NAME "Follows a step with a delay"
  parameter Real T(unit="s", min=0) = 0.2 "Time constant";
  Real u "What is followed";
  Real x(start=0, fixed=true) "What follows";
equation
  u = if time < 0.1 then 0 else 1;
  T*der(x) = u - x;
  annotation(experiment(StopTime=1.5));
end NAME;
"#,
)];

const LIBRARY: &[(&str, &str)] = &[
    (
        "NAME/package.mo",
        r#"package NAME "What this library is for"
  annotation(version="0.1.0");
end NAME;
"#,
    ),
    ("NAME/package.order", "Lag\nExamples\n"),
    (
        "NAME/Lag.mo",
        r#"within NAME;
block Lag "The output follows the input with a delay"
  parameter Real T(unit="s", min=0) = 0.2 "Time constant";
  input Real u "What is followed";
  output Real y(start=0, fixed=true) "What follows";
equation
  T*der(y) = u - y;
end Lag;
"#,
    ),
    (
        "NAME/Examples/package.mo",
        r#"within NAME;
package Examples "Models that run"
end Examples;
"#,
    ),
    ("NAME/Examples/package.order", "StepResponse\n"),
    (
        "NAME/Examples/StepResponse.mo",
        r#"within NAME.Examples;
model StepResponse "A lag after a step"
  Lag lag(T=0.2, u=if time < 0.1 then 0 else 1);
  annotation(experiment(StopTime=1.5));
end StepResponse;
"#,
    ),
];
