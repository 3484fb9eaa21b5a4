//! `kairos convert`: brings models to the version of a library that is there, by the rules that the library carries.

use super::fmt::collect;
use crate::output;
use crate::shell::{ShellOptions, Status};
use crate::store;
use clap::Args;
use kairos::{ConversionRules, LibraryHead, SourceMap};
use kairos_base::{Diagnostic, FileId};
use kairos_edit::convert::{self, Rules, Source};
use kairos_edit::{Patch, apply};
use std::path::{Path, PathBuf};

mod diff;

#[derive(Args)]
pub struct Convert {
    /// Files to convert together; of folders all Modelica files below them.
    #[arg(required = true, value_name = "FILE.mo|DIR")]
    paths: Vec<PathBuf>,

    /// A folder that holds libraries, or a library's own folder; searched before MODELICAPATH and installed ones.
    #[arg(long = "lib", value_name = "DIR")]
    libraries: Vec<String>,

    /// The version to come to: `Library=version`; by default the highest one that has rules for what is used now.
    #[arg(long = "to", value_name = "LIBRARY=VERSION")]
    targets: Vec<String>,

    /// Rules in a file, instead of those that libraries carry.
    #[arg(long, value_name = "FILE.mos")]
    script: Vec<PathBuf>,

    /// Change nothing; say which files would change, and end with status 1 if there are any.
    #[arg(long)]
    check: bool,

    /// Change nothing; print what would change.
    #[arg(long)]
    diff: bool,
}

/// One step: rules, and the library with the version that they lead to.
struct Step {
    rules: Rules,
    to: Option<(String, String)>,
}

/// A library that was found: what its file says, and its folder.
struct Known {
    head: LibraryHead,
    folder: PathBuf,
}

impl Convert {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let mut files = Vec::new();
        for path in &self.paths {
            if let Err(error) = collect(path, &mut files) {
                let message = format!("`{}` cannot be read: {error}", path.display());
                shell.complain("cannot-read", message, "check the path");
                return Status::WrongUsage;
            }
        }
        let mut texts = Vec::new();
        for file in &files {
            match std::fs::read_to_string(file) {
                Ok(text) => texts.push(text),
                Err(error) => {
                    let message = format!("`{}` cannot be read: {error}", file.display());
                    shell.complain("cannot-read", message, "check the path, and that the file is UTF-8");
                    return Status::WrongUsage;
                }
            }
        }
        let steps = match self.steps(&texts, shell) {
            Ok(steps) => steps,
            Err(status) => return status,
        };
        let before = texts.clone();
        for step in &steps {
            if !take(step, &files, &mut texts, shell) {
                return Status::ModelFailed;
            }
        }
        self.finish(&files, &before, &texts, shell)
    }

    /// What is to be done, in order.
    fn steps(&self, texts: &[String], shell: &ShellOptions) -> Result<Vec<Step>, Status> {
        if !self.script.is_empty() {
            let read = |path: &PathBuf| self.script_step(path, shell).ok_or(Status::WrongUsage);
            return self.script.iter().map(read).collect();
        }
        let mut steps = Vec::new();
        let known = find(&store::search_path(&self.libraries));
        for (name, version) in used(texts) {
            steps.extend(self.steps_of(&name, &version, &known, shell)?);
        }
        Ok(steps)
    }

    fn script_step(&self, path: &Path, shell: &ShellOptions) -> Option<Step> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                let message = format!("`{}` cannot be read: {error}", path.display());
                shell.complain("cannot-read", message, "check the path");
                return None;
            }
        };
        Some(Step { rules: read(&path.display().to_string(), &text, shell), to: None })
    }

    /// The steps from the version of a library that is used to the one that is wanted or there.
    fn steps_of(
        &self,
        name: &str,
        version: &str,
        known: &[Known],
        shell: &ShellOptions,
    ) -> Result<Vec<Step>, Status> {
        let asked = self.targets.iter().find_map(|t| t.split_once('=').filter(|(of, _)| *of == name));
        let here: Vec<&Known> = known.iter().filter(|k| k.head.name == name).collect();
        let fits = |k: &&&Known| match asked {
            Some((_, wanted)) => k.head.version.as_deref() == Some(wanted),
            None => k.head.way(version).is_some_and(|way| !way.is_empty()),
        };
        let best = here.iter().filter(fits).max_by_key(|k| numbers(k.head.version.as_deref().unwrap_or("")));
        let there = || {
            let list: Vec<&str> =
                here.iter().map(|k| k.head.version.as_deref().unwrap_or("without")).collect();
            if list.is_empty() { "none".to_string() } else { list.join(", ") }
        };
        let Some(best) = best else {
            let settled = asked.is_none() && here.iter().any(|k| k.head.serves(version));
            if settled || (asked.is_none() && here.is_empty()) {
                return Ok(Vec::new());
            }
            let wanted = asked.map_or(String::new(), |(_, wanted)| format!(" to {wanted}"));
            let text = format!(
                "there is no conversion of `{name}` from {version}{wanted}: versions there: {}",
                there()
            );
            shell.complain(
                "no-conversion",
                text,
                "give the folder of a version with rules by `--lib`, or rules by `--script`",
            );
            return Err(Status::WrongUsage);
        };
        let Some(way) = best.head.way(version) else {
            let wanted = best.head.version.as_deref().unwrap_or("");
            let text = format!("`{name}` {wanted} has no conversion from {version}");
            shell.complain("no-conversion", text, "give rules by `--script`");
            return Err(Status::WrongUsage);
        };
        let own = best.head.version.clone().unwrap_or_default();
        let mut steps = Vec::new();
        for conversion in way {
            let (place, text) = match &conversion.rules {
                ConversionRules::Text(text) => (best.folder.display().to_string(), text.clone()),
                ConversionRules::Script(address) => {
                    let path = place_of(address, name, &best.folder);
                    match std::fs::read_to_string(&path) {
                        Ok(text) => (path.display().to_string(), text),
                        Err(error) => {
                            let text = format!("the rules `{}` cannot be read: {error}", path.display());
                            shell.complain("cannot-read", text, "check that the library is whole");
                            return Err(Status::WrongUsage);
                        }
                    }
                }
            };
            let to = conversion.to.clone().unwrap_or_else(|| own.clone());
            steps.push(Step { rules: read(&place, &text, shell), to: Some((name.to_string(), to)) });
        }
        // What needs no conversion from the last version asks for the newest all the same.
        if let Some(Step { to: Some((_, to)), .. }) = steps.last_mut() {
            *to = own;
        } else {
            steps.push(Step { rules: Rules::default(), to: Some((name.to_string(), own)) });
        }
        Ok(steps)
    }

    /// Writes or shows what came of it.
    fn finish(&self, files: &[PathBuf], before: &[String], after: &[String], shell: &ShellOptions) -> Status {
        let mut changed = 0;
        for (file, (old, new)) in files.iter().zip(before.iter().zip(after)) {
            if old == new {
                continue;
            }
            changed += 1;
            let shown = file.display().to_string();
            if self.diff {
                output::print(&diff::unified(&shown, old, new), shell);
            } else if self.check {
                output::print(&format!("{shown} would change\n"), shell);
            } else if let Err(error) = output::replace(file, new) {
                let message = format!("`{shown}` cannot be written: {error}");
                shell.complain("cannot-write", message, "check the permissions");
                return Status::ModelFailed;
            }
        }
        let dry = self.check || self.diff;
        let verb = if dry { "would change" } else { "changed" };
        if !self.diff {
            shell.say(&format!("{changed} of {} files {verb}", files.len()));
        }
        if dry && changed > 0 { Status::ModelFailed } else { Status::Success }
    }
}

/// Applies one step to all texts; false if one of them cannot be read.
fn take(step: &Step, files: &[PathBuf], texts: &mut [String], shell: &ShellOptions) -> bool {
    let (mut sources, mut messages) = (SourceMap::default(), Vec::new());
    let ids: Vec<FileId> =
        files.iter().zip(&*texts).map(|(f, t)| sources.add(f.display().to_string(), t.as_str())).collect();
    let parsed: Vec<Option<Source>> =
        ids.iter().map(|&id| Source::parse(id, &sources, &mut messages)).collect();
    if parsed.iter().any(Option::is_none) {
        shell.show(&messages, &sources);
        return false;
    }
    let parsed: Vec<Source> = parsed.into_iter().flatten().collect();
    let conversion = convert::convert(&parsed, &step.rules);
    for ((text, source), mut patches) in texts.iter_mut().zip(&parsed).zip(conversion.patches) {
        if let Some((library, version)) = &step.to {
            let uses: Vec<Patch> = convert::use_version(source, library, version);
            patches.extend(uses);
        }
        if !patches.is_empty() {
            *text = apply(text, &patches);
        }
    }
    shell.show(&conversion.messages, &sources);
    true
}

/// Reads rules and shows what is not understood of them.
fn read(place: &str, text: &str, shell: &ShellOptions) -> Rules {
    let mut sources = SourceMap::default();
    let file = sources.add(place, text);
    let (rules, messages): (Rules, Vec<Diagnostic>) = Rules::read(file, text);
    shell.show(&messages, &sources);
    rules
}

/// The libraries that texts use, with the versions they ask for.
fn used(texts: &[String]) -> Vec<(String, String)> {
    let mut list: Vec<(String, String)> = Vec::new();
    for text in texts.iter().filter(|text| text.contains("uses")) {
        for used in kairos::library_head(text).map_or(Vec::new(), |head| head.uses) {
            if !list.contains(&used) {
                list.push(used);
            }
        }
    }
    list
}

/// The libraries in folders: those that hold them, and those that are one.
fn find(folders: &[String]) -> Vec<Known> {
    let mut list = Vec::new();
    for folder in folders.iter().map(Path::new) {
        let entries =
            std::fs::read_dir(folder).map_or(Vec::new(), |e| e.flatten().map(|e| e.path()).collect());
        for place in std::iter::once(folder.to_path_buf()).chain(entries) {
            let file = if place.is_dir() { place.join("package.mo") } else { place.clone() };
            if file.extension().is_none_or(|e| e != "mo") {
                continue;
            }
            let head = std::fs::read_to_string(&file).ok().and_then(|text| kairos::library_head(&text));
            if let (Some(head), Some(folder)) = (head, file.parent()) {
                list.push(Known { head, folder: folder.to_path_buf() });
            }
        }
    }
    list
}

/// The file of a script: `modelica://Library/…`, or a path from the folder of the library.
fn place_of(address: &str, library: &str, folder: &Path) -> PathBuf {
    let inside = address.strip_prefix("modelica://").and_then(|rest| rest.strip_prefix(library));
    folder.join(inside.unwrap_or(address).trim_start_matches('/'))
}

fn numbers(version: &str) -> Vec<u64> {
    version.split(['.', '-', '+', ' ']).map(|part| part.parse().unwrap_or(0)).collect()
}
