//! Functions of `Modelica.Utilities.Files` on files and directories.

use std::path::Path;
use std::sync::Arc;

use crate::context::Context;
use crate::outside::{Found, Readable, Writable};
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("ModelicaInternal_mkdir", Kind::Impure, |c, a| change(c, a, "made", Writable::make_folder)),
    NativeFn::new("ModelicaInternal_rmdir", Kind::Impure, |c, a| {
        change(c, a, "removed", Writable::remove_folder)
    }),
    NativeFn::new("ModelicaInternal_removeFile", Kind::Impure, |c, a| {
        change(c, a, "removed", Writable::remove_file)
    }),
    NativeFn::new("ModelicaInternal_stat", Kind::Impure, |context, a| {
        Ok(Some(Arg::Int(file_type(&context.readable(&a.text(0)?)?))))
    }),
    NativeFn::new("ModelicaInternal_exist", Kind::Impure, |context, a| {
        Ok(Some(Arg::Bool(context.readable(&a.text(0)?)?.found() != Found::Nothing)))
    }),
    NativeFn::new("ModelicaInternal_rename", Kind::Impure, rename),
    NativeFn::new("ModelicaInternal_copyFile", Kind::Impure, copy),
    NativeFn::new("ModelicaInternal_getNumberOfFiles", Kind::Impure, |context, a| {
        Ok(Some(Arg::Int(names(&context.readable(&a.text(0)?)?)?.len() as i64)))
    }),
    NativeFn::new("ModelicaInternal_readDirectory", Kind::Impure, read_directory),
    NativeFn::new("ModelicaInternal_fullPathName", Kind::Impure, full_path_name),
    NativeFn::new("ModelicaInternal_temporaryFileName", Kind::Impure, |context, _| {
        Ok(Some(path_arg(&context.unused_name()?)))
    }),
];

/// `Modelica.Utilities.Types.FileType`.
fn file_type(place: &Readable) -> i64 {
    match place.found() {
        Found::Nothing => 1,
        Found::File => 2,
        Found::Folder => 3,
        Found::Other => 4,
    }
}

fn change(
    context: &mut Context,
    a: &mut Args<'_>,
    verb: &str,
    act: impl Fn(&Writable) -> std::io::Result<()>,
) -> Result<Option<Arg>, String> {
    let place = context.writable(&a.text(0)?)?;
    context.open_files.remove(place.path());
    act(&place).map_err(|error| format!("\"{}\" cannot be {verb}: {error}", place.path().display()))?;
    Ok(None)
}

// (old, new)
fn rename(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (old, new) = (context.writable(&a.text(0)?)?, context.writable(&a.text(1)?)?);
    context.open_files.remove(old.path());
    old.rename(&new).map_err(|error| not_moved("renamed", old.path(), new.path(), &error))?;
    Ok(None)
}

// (old, new)
fn copy(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (old, new) = (context.readable(&a.text(0)?)?, context.writable(&a.text(1)?)?);
    context.open_files.remove(new.path());
    new.copy_from(&old).map_err(|error| not_moved("copied", old.path(), new.path(), &error))?;
    Ok(None)
}

fn not_moved(verb: &str, old: &Path, new: &Path, error: &std::io::Error) -> String {
    format!("\"{}\" cannot be {verb} to \"{}\": {error}", old.display(), new.display())
}

fn names(directory: &Readable) -> Result<Vec<String>, String> {
    let shown = directory.path().display();
    directory.names().map_err(|error| format!("directory \"{shown}\" cannot be read: {error}"))
}

// (directory, nNames, &names)
fn read_directory(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (directory, wanted) = (context.readable(&a.text(0)?)?, a.size(1)?);
    let names = names(&directory)?;
    if names.len() != wanted {
        return Err(format!(
            "directory \"{}\" has {} entries, {wanted} were expected: it has changed in between",
            directory.path().display(),
            names.len()
        ));
    }
    a.set(2, Arg::strs(names.iter().map(|name| Arc::from(name.as_str())).collect()))?;
    Ok(None)
}

// (name) -> absolute name; a trailing slash stays.
fn full_path_name(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let name = a.text(0)?;
    let full = context.readable(&name)?.full();
    let mut full = slashed(&full);
    if name.ends_with('/') && !full.ends_with('/') {
        full.push('/');
    }
    Ok(Some(Arg::str(&full)))
}

pub(crate) fn path_arg(path: &Path) -> Arg {
    Arg::str(&slashed(path))
}

/// Modelica writes paths with forward slashes everywhere.
fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}
