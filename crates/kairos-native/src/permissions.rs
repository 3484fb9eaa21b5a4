//! What a model may do to the machine it runs on: the one policy that every effect asks.
//!
//! Three rules. Whoever looks at a model (`Permissions::looking`) reads below the folders of the model and its libraries, and
//! nothing else happens. Whoever runs it (`Permissions::running`) also reads and writes below the working folder. All the rest
//! needs a library that the user trusts.

use crate::resources::Resources;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Something that reaches beyond the numbers of a model. A new kind of effect is a new variant here, so that `ask` has to
/// decide about it.
#[derive(Clone, Copy, Debug)]
pub enum Effect<'a> {
    /// A file or folder is read, or asked for.
    Read(&'a Path),
    /// A file or folder is made, changed or removed.
    Write(&'a Path),
    /// A command of the operating system runs.
    Command(&'a str),
    /// A variable of the environment is read.
    Environment(&'a str),
    /// The clock, the number of the process, names that nobody else uses: harmless, but different every time.
    Moment,
    /// Code that others have compiled, or that is compiled from text in an annotation, runs in this process on behalf of a
    /// function of the library `owner`.
    Foreign { owner: &'a str, what: &'a str },
}

/// Whom the user trusts: asked with the name of a library, the folder it is in, and its file if it is a single one.
pub type Asked = dyn Fn(&str, &Path, Option<&Path>) -> bool + Send + Sync;

/// Whose models and libraries may do everything.
#[derive(Clone, Default)]
pub enum Trust {
    #[default]
    Nobody,
    Everybody,
    Some(Arc<Asked>),
}

impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trust::Nobody => "Nobody",
            Trust::Everybody => "Everybody",
            Trust::Some(_) => "Some",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The text is looked at: nothing happens.
    Looking,
    Running,
}

/// What one model may do.
#[derive(Clone)]
pub struct Permissions {
    stage: Stage,
    /// The libraries in use; below their folders everybody may read.
    resources: Resources,
    /// The folder in which a run may write.
    working: Option<PathBuf>,
    /// The top-level name of the model, in whose name commands and files elsewhere are asked for.
    model: String,
    trust: Trust,
}

impl Permissions {
    /// For those who look at a model: it reads below the folders of its libraries.
    pub fn looking(resources: Resources) -> Self {
        Self { stage: Stage::Looking, resources, working: None, model: String::new(), trust: Trust::Nobody }
    }

    /// The same, and below the working folder: for those who take a model elsewhere with the files that it reads.
    pub fn packing(resources: Resources) -> Self {
        let working = std::env::current_dir().and_then(|folder| folder.canonicalize()).ok();
        Self { working, ..Self::looking(resources) }
    }

    /// For a run of the model with this dotted name.
    pub fn running(resources: Resources, model: &str, trust: Trust) -> Self {
        let model = model.split('.').next().unwrap_or_default().to_string();
        let working = std::env::current_dir().and_then(|folder| folder.canonicalize()).ok();
        Self { stage: Stage::Running, resources, working, model, trust }
    }

    /// What a run may do while its model is still compiled: read, and nothing else.
    pub fn compiling(self) -> Self {
        Self { stage: Stage::Looking, ..self }
    }

    /// For programs that have decided to trust what they call.
    pub fn all() -> Self {
        Self {
            trust: Trust::Everybody,
            ..Self { stage: Stage::Running, ..Self::looking(Resources::default()) }
        }
    }

    /// May this happen? If not, why, and what to do about it.
    pub fn ask(&self, effect: Effect<'_>) -> Result<(), String> {
        let looking = self.stage == Stage::Looking;
        match effect {
            Effect::Read(path) => {
                let full = whole(path)?;
                if self.readable(&full) || self.trusts(&self.model) {
                    return Ok(());
                }
                Err(self.refusal(
                    &format!("reads \"{}\", outside the folders of its libraries", full.display()),
                    &self.model,
                ))
            }
            Effect::Write(path) if !looking => {
                let full = whole(path)?;
                if self.writable(&full) || self.trusts(&self.model) {
                    return Ok(());
                }
                let where_ = "which is not a plain place below the working folder";
                Err(self.refusal(&format!("writes to \"{}\", {where_}", full.display()), &self.model))
            }
            Effect::Moment if !looking => Ok(()),
            Effect::Command(_) | Effect::Environment(_) if !looking && self.trusts(&self.model) => Ok(()),
            Effect::Foreign { owner, .. } if !looking && self.trusts(owner) => Ok(()),
            Effect::Write(path) => {
                Err(self.refusal(&format!("writes to \"{}\"", path.display()), &self.model))
            }
            Effect::Moment => Err(self.refusal("asks for the time or the process", &self.model)),
            Effect::Command(text) => Err(self.refusal(&format!("runs the command \"{text}\""), &self.model)),
            Effect::Environment(name) => {
                Err(self.refusal(&format!("reads the environment variable \"{name}\""), &self.model))
            }
            Effect::Foreign { owner, what } => {
                Err(self.refusal(&format!("calls {what}, code that Kairos does not know"), owner))
            }
        }
    }

    fn refusal(&self, what: &str, owner: &str) -> String {
        match self.stage {
            Stage::Looking => {
                format!("it {what}, and nothing happens while a model is only looked at or compiled")
            }
            Stage::Running => format!("it {what}; `--trust {owner}` allows that, if you trust `{owner}`"),
        }
    }

    fn trusts(&self, library: &str) -> bool {
        match &self.trust {
            Trust::Nobody => false,
            Trust::Everybody => true,
            Trust::Some(asked) => match self.resources.home(library) {
                Some((folder, file)) => asked(library, &folder, file.as_deref()),
                None => false,
            },
        }
    }

    fn readable(&self, full: &Path) -> bool {
        self.working.iter().any(|folder| full.starts_with(folder))
            || self.resources.folders().iter().any(|folder| full.starts_with(folder))
    }

    /// Below the working folder, unless a part of the name is hidden: such files steer other programs.
    fn writable(&self, full: &Path) -> bool {
        let below = self.working.as_ref().and_then(|folder| full.strip_prefix(folder).ok());
        below.is_some_and(|rest| {
            let hidden = |part: Component<'_>| part.as_os_str().to_string_lossy().starts_with('.');
            rest.components().next().is_some() && !rest.components().any(hidden)
        })
    }
}

/// The place that a path means once all links are followed. What does not exist yet is named below what does.
fn whole(path: &Path) -> Result<PathBuf, String> {
    if let Ok(full) = path.canonicalize() {
        return Ok(full);
    }
    let absolute = std::path::absolute(path).map_err(|error| format!("\"{}\": {error}", path.display()))?;
    // A link that leads nowhere would be followed by whoever makes the file.
    if absolute.symlink_metadata().is_ok_and(|data| data.is_symlink()) {
        return Err(format!("\"{}\" is a link that leads nowhere", path.display()));
    }
    match (absolute.parent(), absolute.file_name()) {
        (Some(parent), Some(name)) => Ok(whole(parent)?.join(name)),
        // A name that ends in `..` below a folder that does not exist.
        _ => Err(format!("\"{}\" is no place", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let place =
                std::env::temp_dir().join(format!("kairos-permissions-{name}-{}", std::process::id()));
            let _ = std::fs::remove_dir_all(&place);
            std::fs::create_dir_all(place.join("lib/Resources")).unwrap();
            std::fs::create_dir_all(place.join("work/.git")).unwrap();
            std::fs::write(place.join("secret"), "s").unwrap();
            std::fs::write(place.join("lib/Resources/data"), "d").unwrap();
            Folder(place.canonicalize().unwrap())
        }

        fn resources(&self) -> Resources {
            let resources = Resources::default();
            resources.add("Lib", self.0.join("lib"));
            resources
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn looking_reads_below_the_libraries_and_nothing_else() {
        let folder = Folder::new("looking");
        let looking = Permissions::looking(folder.resources());
        looking.ask(Effect::Read(&folder.0.join("lib/Resources/data"))).unwrap();
        looking.ask(Effect::Read(&folder.0.join("lib/Resources/none"))).unwrap();
        for effect in [
            Effect::Read(&folder.0.join("secret")),
            Effect::Read(&folder.0.join("lib/../secret")),
            Effect::Read(&folder.0.join("lib/none/../../secret")),
            Effect::Write(&folder.0.join("lib/Resources/data")),
            Effect::Command("true"),
            Effect::Environment("HOME"),
            Effect::Moment,
            Effect::Foreign { owner: "Lib", what: "`f`" },
        ] {
            let said = looking.ask(effect).expect_err("refused");
            assert!(said.contains("nothing happens") || said.contains("is no place"), "{said}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out() {
        let folder = Folder::new("links");
        std::os::unix::fs::symlink(folder.0.join("secret"), folder.0.join("lib/link")).unwrap();
        std::os::unix::fs::symlink(folder.0.join("new"), folder.0.join("work/dangling")).unwrap();
        let mut running = Permissions::running(folder.resources(), "Lib.M", Trust::Nobody);
        running.working = Some(folder.0.join("work"));
        assert!(running.ask(Effect::Read(&folder.0.join("lib/link"))).is_err());
        assert!(running.ask(Effect::Write(&folder.0.join("work/dangling"))).is_err());
    }

    #[test]
    fn running_writes_below_the_working_folder() {
        let folder = Folder::new("running");
        let mut running = Permissions::running(folder.resources(), "Lib.M", Trust::Nobody);
        running.working = Some(folder.0.join("work"));
        running.ask(Effect::Write(&folder.0.join("work/new"))).unwrap();
        running.ask(Effect::Moment).unwrap();
        for place in
            ["secret", "work/.profile", "work/.git/hook", "work", "lib/Resources/data", "work/../new"]
        {
            let said = running.ask(Effect::Write(&folder.0.join(place))).expect_err(place);
            assert!(said.contains("`--trust Lib`"), "{said}");
        }
        assert!(running.ask(Effect::Command("true")).is_err());
        assert!(running.clone().compiling().ask(Effect::Write(&folder.0.join("work/new"))).is_err());
        running.trust = Trust::Some(Arc::new(|library, _, _| library == "Lib"));
        running.ask(Effect::Command("true")).unwrap();
        running.ask(Effect::Foreign { owner: "Lib", what: "`f`" }).unwrap();
        assert!(running.ask(Effect::Foreign { owner: "Other", what: "`f`" }).is_err());
    }
}
