//! `kairos install`: puts a library from a git repository or a folder into the user's library folder.

use crate::shell::{ShellOptions, Status};
use crate::store::{self, Record, Store};
use clap::Args;
use kairos::LibraryHead;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Args)]
pub struct Install {
    /// The library, and the version if not the newest: a tag, branch or commit of the repository.
    #[arg(value_name = "NAME[@VERSION]")]
    library: String,

    /// A git repository (local, bare or a URL) or a folder that holds the library. By default, where an installed
    /// version of it came from, or the repository that is known for it.
    #[arg(long, value_name = "GIT-URL-OR-DIR")]
    from: Option<String>,
}

/// Repositories of public libraries: one `NAME URL` a line.
const SOURCES: &str = include_str!("../../data/sources.txt");

/// Why an installation failed: a message and a way out.
struct Failure(String, String);

type Outcome<T> = Result<T, Failure>;

fn failed<T>(message: impl Into<String>, help: impl Into<String>) -> Outcome<T> {
    Err(Failure(message.into(), help.into()))
}

impl Install {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        match self.install(shell) {
            Ok(()) => Status::Success,
            Err(Failure(message, help)) => {
                shell.complain("not-installed", message, &help);
                Status::ModelFailed
            }
        }
    }

    fn install(&self, shell: &ShellOptions) -> Outcome<()> {
        let (name, version) = match self.library.split_once('@') {
            Some((name, version)) => (name, Some(version)),
            None => (self.library.as_str(), None),
        };
        let Some(folder) = store::folder() else {
            return failed("there is no user's data folder", "set KAIROS_HOME to a folder of yours");
        };
        let source = self.source(name, &folder)?;
        let store = Store::open(folder.clone()).or_else(|e| {
            failed(
                format!("`{}` cannot be used: {e}", folder.display()),
                "set KAIROS_HOME to a folder that you can write to",
            )
        })?;
        let (root, revision) = checkout(&store, &source, version)?;
        let found = find(&root, name, version)?;
        if let Some(version) = version
            && revision.is_empty()
            && found.1.version.as_deref() != Some(version)
        {
            let have = found.1.version.as_deref().unwrap_or("no version");
            return failed(
                format!("`{source}` holds {have} of `{name}`, not {version}"),
                "name another source",
            );
        }
        // What the library uses comes along if it has the same home.
        let mut todo = vec![found];
        let mut done: Vec<String> = Vec::new();
        while let Some((place, head)) = todo.pop() {
            if done.contains(&head.name) {
                continue;
            }
            let record = Record {
                name: head.name.clone(),
                version: head.version.clone().unwrap_or_default(),
                revision: revision.clone(),
                source: source.clone(),
            };
            let to = store.place(&place, &record).or_else(|e| {
                failed(
                    format!("`{}` cannot be installed: {e}", head.name),
                    "check the space and rights of the folder",
                )
            })?;
            shell.say(&format!("installed {} {} in {}", record.name, record.version, to.display()));
            done.push(head.name.clone());
            todo.extend(head.uses.iter().filter_map(|(used, version)| {
                find(&root, used, Some(version)).or_else(|_| find(&root, used, None)).ok()
            }));
        }
        Ok(())
    }

    fn source(&self, name: &str, folder: &Path) -> Outcome<String> {
        if let Some(source) = &self.from {
            // What is recorded has to be found again from anywhere.
            let absolute = std::fs::canonicalize(source).map(|p| p.to_string_lossy().into_owned());
            return Ok(absolute.unwrap_or_else(|_| source.clone()));
        }
        let recorded = store::installed(folder).into_iter().rev().find(|(r, _)| r.name == name);
        if let Some((record, _)) = recorded.filter(|(r, _)| !r.source.is_empty()) {
            return Ok(record.source);
        }
        let known = SOURCES.lines().filter_map(|line| line.split_once(' ')).find(|(known, _)| *known == name);
        match known {
            Some((_, url)) => Ok(url.trim().to_string()),
            None => failed(
                format!("no source is known for `{name}`"),
                format!("say where it is: `kairos install {name} --from GIT-URL-OR-DIR`"),
            ),
        }
    }
}

/// The files of a source, and the commit if it is a git repository.
fn checkout(store: &Store, source: &str, version: Option<&str>) -> Outcome<(PathBuf, String)> {
    let path = Path::new(source);
    let repository = !path.is_dir()
        || path.join(".git").exists()
        || (path.join("HEAD").is_file() && path.join("objects").is_dir());
    if !repository {
        return Ok((path.to_path_buf(), String::new()));
    }
    let stage =
        store.stage("clone").or_else(|e| failed(e.to_string(), "check the rights of the library folder"))?;
    let clone = stage.join("clone");
    let text = clone.to_string_lossy();
    git(&["clone", "--quiet", "--no-checkout", "--", source, &text], None, source)?;
    let wanted: Vec<String> = match version {
        Some(v) => vec![
            format!("refs/tags/v{v}"),
            format!("refs/tags/{v}"),
            format!("refs/remotes/origin/{v}"),
            v.into(),
        ],
        None => match newest_tag(&clone) {
            Some(tag) => vec![format!("refs/tags/{tag}")],
            None => vec!["HEAD".into()],
        },
    };
    let commit = |name: &String| {
        let spec = format!("{name}^{{commit}}");
        git(&["rev-parse", "--verify", "--quiet", &spec], Some(&clone), source).ok()
    };
    let Some(revision) = wanted.iter().find_map(commit) else {
        let version = version.unwrap_or("HEAD");
        return failed(
            format!("`{source}` has no version `{version}`"),
            format!("see its tags with `git ls-remote --tags {source}`"),
        );
    };
    git(&["checkout", "--quiet", "--detach", &revision], Some(&clone), source)?;
    Ok((clone, revision))
}

/// The tag with the highest version number; those with a suffix such as `-beta` are passed over.
fn newest_tag(clone: &Path) -> Option<String> {
    let tags = git(&["tag", "--list"], Some(clone), "").ok()?;
    let numbers = |tag: &str| {
        let parts: Option<Vec<u64>> =
            tag.trim_start_matches('v').split('.').map(|p| p.parse().ok()).collect();
        parts
    };
    let versions = tags.lines().filter_map(|tag| Some((numbers(tag)?, tag.to_string())));
    versions.max().map(|(_, tag)| tag)
}

fn git(args: &[&str], inside: Option<&Path>, source: &str) -> Outcome<String> {
    let mut command = Command::new("git");
    if let Some(folder) = inside {
        command.arg("-C").arg(folder);
    }
    // Nobody is there to type a password.
    let run = command.args(args).env("GIT_TERMINAL_PROMPT", "0").output();
    match run {
        Ok(done) if done.status.success() => Ok(String::from_utf8_lossy(&done.stdout).trim().to_string()),
        Ok(done) => {
            let said = String::from_utf8_lossy(&done.stderr);
            let why = said.lines().last().unwrap_or("git failed").trim().to_string();
            failed(
                format!("`{source}` cannot be fetched: {why}"),
                "check the address, or give a folder with `--from`",
            )
        }
        Err(error) => failed(
            format!("git cannot be run: {error}"),
            "install git, or download the library and give its folder with `--from`",
        ),
    }
}

/// The library in a folder: the folder itself, `NAME/`, `NAME VERSION/` or `NAME.mo`, at most one folder deep.
fn find(root: &Path, name: &str, version: Option<&str>) -> Outcome<(PathBuf, LibraryHead)> {
    let mut places = vec![root.to_path_buf()];
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let Ok(list) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut list: Vec<PathBuf> = list.flatten().map(|e| e.path()).collect();
        list.sort();
        list
    };
    for entry in entries(root) {
        if entry.is_dir() {
            places.extend(entries(&entry));
        }
        places.push(entry);
    }
    let mut found: Vec<(PathBuf, LibraryHead)> = Vec::new();
    for place in places {
        let stem = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let named = stem == format!("{name}.mo")
            || stem == name
            || stem.starts_with(&format!("{name} "))
            || place == root;
        let file = if place.is_dir() { place.join("package.mo") } else { place.clone() };
        if !named || !file.is_file() {
            continue;
        }
        let text = std::fs::read(&file).unwrap_or_default();
        if let Some(head) = kairos::library_head(&String::from_utf8_lossy(&text))
            && head.name == name
        {
            found.push((place, head));
        }
    }
    let exact = found.iter().position(|(_, head)| version.is_some() && head.version.as_deref() == version);
    match found.is_empty() {
        true => failed(
            format!("no library `{name}` is in `{}`", root.display()),
            format!("the source must hold `{name}/package.mo` or `{name}.mo`"),
        ),
        false => Ok(found.swap_remove(exact.unwrap_or(0))),
    }
}
