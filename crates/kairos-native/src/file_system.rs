//! Functions of `Modelica.Utilities.Files` on files and directories.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::context::Context;
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("ModelicaInternal_mkdir", Kind::Impure, |c, a| {
        change(c, a, "made", |path| fs::create_dir(path))
    }),
    NativeFn::new("ModelicaInternal_rmdir", Kind::Impure, |c, a| {
        change(c, a, "removed", |path| fs::remove_dir(path))
    }),
    NativeFn::new("ModelicaInternal_removeFile", Kind::Impure, |c, a| {
        change(c, a, "removed", |path| fs::remove_file(path))
    }),
    NativeFn::new("ModelicaInternal_stat", Kind::Impure, |context, a| {
        Ok(Some(Arg::Int(file_type(&context.path(&a.text(0)?)))))
    }),
    NativeFn::new("ModelicaInternal_exist", Kind::Impure, |context, a| {
        Ok(Some(Arg::Bool(context.path(&a.text(0)?).exists())))
    }),
    NativeFn::new("ModelicaInternal_rename", Kind::Impure, |c, a| {
        transfer(c, a, "renamed", |old, new| fs::rename(old, new))
    }),
    NativeFn::new("ModelicaInternal_copyFile", Kind::Impure, |c, a| transfer(c, a, "copied", copy)),
    NativeFn::new("ModelicaInternal_getNumberOfFiles", Kind::Impure, |context, a| {
        Ok(Some(Arg::Int(names(&context.path(&a.text(0)?))?.len() as i64)))
    }),
    NativeFn::new("ModelicaInternal_readDirectory", Kind::Impure, read_directory),
    NativeFn::new("ModelicaInternal_fullPathName", Kind::Impure, full_path_name),
    NativeFn::new("ModelicaInternal_temporaryFileName", Kind::Impure, temporary_file_name),
];

const NO_FILE: i64 = 1;
const REGULAR_FILE: i64 = 2;
const DIRECTORY: i64 = 3;
const SPECIAL_FILE: i64 = 4;

/// `Modelica.Utilities.Types.FileType`.
fn file_type(path: &Path) -> i64 {
    match fs::metadata(path) {
        Err(_) => NO_FILE,
        Ok(data) if data.is_file() => REGULAR_FILE,
        Ok(data) if data.is_dir() => DIRECTORY,
        Ok(_) => SPECIAL_FILE,
    }
}

fn change(
    context: &mut Context,
    a: &mut Args<'_>,
    verb: &str,
    act: impl Fn(&Path) -> std::io::Result<()>,
) -> Result<Option<Arg>, String> {
    let path = context.path(&a.text(0)?);
    context.open_files.remove(&path);
    act(&path).map_err(|error| format!("\"{}\" cannot be {verb}: {error}", path.display()))?;
    Ok(None)
}

// (old, new)
fn transfer(
    context: &mut Context,
    a: &mut Args<'_>,
    verb: &str,
    act: impl Fn(&Path, &Path) -> std::io::Result<()>,
) -> Result<Option<Arg>, String> {
    let (old, new) = (context.path(&a.text(0)?), context.path(&a.text(1)?));
    context.open_files.remove(&old);
    let failed =
        |reason: &str| format!("\"{}\" cannot be {verb} to \"{}\": {reason}", old.display(), new.display());
    act(&old, &new).map_err(|error| failed(&error.to_string()))?;
    Ok(None)
}

/// Copies a regular file; an existing target is never overwritten.
fn copy(old: &Path, new: &Path) -> std::io::Result<()> {
    let refused = |reason: &str| Err(std::io::Error::other(reason.to_string()));
    if file_type(new) != NO_FILE {
        return refused("the target exists, remove it first");
    }
    if file_type(old) != REGULAR_FILE {
        return refused("the source is not a regular file");
    }
    fs::copy(old, new).map(|_| ())
}

/// Names in a directory, sorted so that results do not depend on the file system.
fn names(directory: &Path) -> Result<Vec<String>, String> {
    let failed =
        |error: std::io::Error| format!("directory \"{}\" cannot be read: {error}", directory.display());
    let entries = fs::read_dir(directory).map_err(failed)?;
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

// (directory, nNames, &names)
fn read_directory(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (directory, wanted) = (context.path(&a.text(0)?), a.size(1)?);
    let names = names(&directory)?;
    if names.len() != wanted {
        return Err(format!(
            "directory \"{}\" has {} entries, {wanted} were expected: it has changed in between",
            directory.display(),
            names.len()
        ));
    }
    a.set(2, Arg::strs(names.iter().map(|name| Arc::from(name.as_str())).collect()))?;
    Ok(None)
}

// (name) -> absolute name; a trailing slash stays.
fn full_path_name(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let name = a.text(0)?;
    let path = context.path(&name);
    let full = path.canonicalize().or_else(|_| std::path::absolute(&path)).unwrap_or(path);
    let mut full = slashed(&full);
    if name.ends_with('/') && !full.ends_with('/') {
        full.push('/');
    }
    Ok(Some(Arg::str(&full)))
}

fn temporary_file_name(context: &mut Context, _: &mut Args<'_>) -> Result<Option<Arg>, String> {
    loop {
        let name = format!("kairos-{}-{}", std::process::id(), context.next_serial());
        let path: PathBuf = std::env::temp_dir().join(name);
        if file_type(&path) == NO_FILE {
            return Ok(Some(path_arg(&path)));
        }
    }
}

pub(crate) fn path_arg(path: &Path) -> Arg {
    Arg::str(&slashed(path))
}

/// Modelica writes paths with forward slashes everywhere.
fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}
