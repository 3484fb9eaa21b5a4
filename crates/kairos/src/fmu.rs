//! FMUs of others in the pipeline: an FMU is a machine that nobody here has compiled.

use crate::pipeline::Compilation;
use crate::request::{Goal, Request};
use kairos_base::{Diagnostic, World};

/// How the name of an FMU ends.
pub const ENDING: &str = ".fmu";

/// How the name of a system of FMUs ends.
pub const SYSTEM_ENDING: &str = ".ssp";

/// Does a request ask for an FMU, or for a system of them?
pub(crate) fn is_fmu(request: &Request) -> bool {
    request.file.as_deref().is_some_and(|file| file.ends_with(ENDING) || file.ends_with(SYSTEM_ENDING))
}

/// Loads the FMU of a request. Whoever names it wants its code to run; whoever only looks does not.
pub(crate) fn load(world: &dyn World, request: &Request, goal: Goal) -> Compilation {
    let mut product = Compilation::default();
    let looking = matches!(request.access, crate::request::Access::Look);
    if goal != Goal::Machine || looking || request.portable {
        let text = "an FMU does not contain its equations, only code that computes them";
        let help = "`kairos run` simulates it, `kairos fmu info` shows what it is";
        product.diagnostics.push(Diagnostic::error("not-in-fmu", text).help(help));
        return product;
    }
    let loaded = product.timed("load", |product| with::load(world, request, product));
    product.diagnostics.extend(loaded.err());
    product
}

#[cfg(feature = "fmi")]
mod with {
    use super::*;
    use crate::request::FmuKind;
    use crate::settings::{self, Value};
    use kairos_base::SourceMap;
    use kairos_fmi_import::{Archive, Kind};
    use kairos_machine::Given;

    pub fn load(world: &dyn World, request: &Request, product: &mut Compilation) -> Result<(), Diagnostic> {
        let file = request.file.as_deref().unwrap_or_default();
        if file.ends_with(SYSTEM_ENDING) {
            return load_system(file, request, product);
        }
        let archive = match std::path::Path::new(file).is_file() {
            true => Archive::open(file)?,
            false => match world.read_bytes(file) {
                Ok(bytes) => Archive::of_bytes(file, bytes)?,
                Err(error) => {
                    let text = format!("`{file}` cannot be read: {error}");
                    return Err(Diagnostic::error("cannot-read", text).help("check the path"));
                }
            },
        };
        let mut sources = SourceMap::default();
        sources.add(file, "");
        product.sources = sources;
        let kind = request.kind.map(|kind| match kind {
            FmuKind::ModelExchange => Kind::ModelExchange,
            FmuKind::CoSimulation => Kind::CoSimulation,
        });
        let mut machine = kairos_fmi_import::open(archive, kind)?;
        product.name.clone_from(&machine.fmu().0.name);
        product.experiment = machine.fmu().0.experiment.clone();
        let built_in = settings::apply(&mut machine, &request.settings, &mut product.diagnostics);
        for (name, value) in &built_in.starts {
            let given = match value {
                Value::Number(number) => Given::Number(*number),
                Value::Text(text) => Given::Text(text),
            };
            if !machine.set_start(name, given) {
                product.diagnostics.push(fixed(name));
            }
        }
        product.diagnostics.extend(built_in.modifications.iter().map(|(name, _)| fixed(name)));
        product.settings.clone_from(&request.settings);
        product.machine = Some(Box::new(machine));
        Ok(())
    }

    fn load_system(file: &str, request: &Request, product: &mut Compilation) -> Result<(), Diagnostic> {
        let package = kairos_fmi_import::Package::open(file)?;
        product.sources.add(file, "");
        product.name.clone_from(&package.system.name);
        product.experiment = package.system.experiment.clone();
        let mut machine = kairos_fmi_import::open_system(package)?;
        let built_in = settings::apply(&mut machine, &request.settings, &mut product.diagnostics);
        product.diagnostics.extend(built_in.names.iter().map(|name| fixed(name)));
        product.settings.clone_from(&request.settings);
        product.machine = Some(Box::new(machine));
        Ok(())
    }

    fn fixed(name: &str) -> Diagnostic {
        let text = format!("`{name}` cannot be set: the FMU determines it");
        let help =
            "set a parameter, an input, or a variable with a start value; `kairos fmu info` lists them";
        Diagnostic::error("setting-is-built-in", text).help(help)
    }
}

#[cfg(not(feature = "fmi"))]
mod with {
    use super::*;

    pub fn load(_: &dyn World, _: &Request, _: &mut Compilation) -> Result<(), Diagnostic> {
        let text = "this build of Kairos does not run FMUs";
        Err(Diagnostic::error("not-in-fmu", text).help("use one with the feature `fmi`"))
    }
}
