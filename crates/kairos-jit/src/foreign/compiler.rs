//! The C compiler of the machine: found, called, and its shared libraries kept for later runs.
//!
//! A library is kept on the shelf of native code under the text it was made from, together with a digest of every file that the
//! compiler has read for it. When one of them has changed, it is made again.

use crate::shelf::Shelf;
use kairos_base::keyed::Keyed;
use kairos_base::private;
use libloading::Library;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Text of C, and what it needs to be compiled and linked.
pub struct Source {
    pub text: String,
    pub include_folders: Vec<PathBuf>,
    /// Further files of C.
    pub files: Vec<PathBuf>,
    /// Libraries by their file, or by the name under which the system knows them.
    pub libraries: Vec<Linked>,
}

pub enum Linked {
    File(PathBuf),
    Name(String),
}

/// Why there is no library.
pub enum Failure {
    NoCompiler,
    /// What the compiler or the loader said.
    Told(String),
}

const UTILITIES: (&str, &str) = ("ModelicaUtilities.h", include_str!("ModelicaUtilities.h"));
/// Compilers by the names under which they are found, after the one in `$CC`.
const NAMES: [&str; 4] = ["cc", "gcc", "clang", "tcc"];

/// The shared library of a text: a fresh copy, so that what it remembers belongs to one simulation.
pub fn library(source: &Source, shelf: Option<&Shelf>) -> Result<Library, Failure> {
    let compiler = Compiler::find().ok_or(Failure::NoCompiler)?;
    let key = compiler.key(source);
    let folder = Folder::new(shelf).map_err(|error| Failure::Told(error.to_string()))?;
    let kept = shelf.and_then(|shelf| shelf.take(&key)).and_then(|bytes| unchanged(&bytes));
    let bytes = match kept {
        Some(bytes) => bytes,
        None => {
            let (bytes, read) = compiler.compile(source, &folder.0).map_err(Failure::Told)?;
            if let Some(shelf) = shelf {
                shelf.put_aside(key, with_digests(&bytes, &read, &folder.0));
            }
            bytes
        }
    };
    let place = folder.0.join(format!("loaded{}", std::env::consts::DLL_SUFFIX));
    let told =
        |error: &dyn std::fmt::Display| Failure::Told(format!("the compiled code cannot be loaded: {error}"));
    private::create(&place).and_then(|mut file| file.write_all(&bytes)).map_err(|error| told(&error))?;
    open(&place).map_err(|error| told(&error))
}

/// Opens a library; a function that it lacks is told now, where later the whole program would end.
pub fn open(place: &Path) -> Result<Library, libloading::Error> {
    #[cfg(unix)]
    {
        use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
        // SAFETY: a model that names a library asks for its code to be run, as linking it does in other tools.
        unsafe { Library::open(Some(place), RTLD_NOW | RTLD_LOCAL) }.map(Into::into)
    }
    #[cfg(not(unix))]
    // SAFETY: as above.
    unsafe {
        Library::new(place)
    }
}

struct Compiler {
    program: PathBuf,
    /// Those that `$CC` gives.
    arguments: Vec<String>,
}

impl Compiler {
    fn find() -> Option<Self> {
        let given = std::env::var("CC").unwrap_or_default();
        let mut words = given.split_whitespace().map(String::from);
        if let Some(program) = words.next().and_then(|name| on_path(&name)) {
            return Some(Self { program, arguments: words.collect() });
        }
        let program = NAMES.iter().find_map(|name| on_path(name))?;
        Some(Self { program, arguments: Vec::new() })
    }

    fn is_small(&self) -> bool {
        self.program.file_stem() == Some(OsStr::new("tcc"))
    }

    /// Everything but the files that the text includes.
    fn key(&self, source: &Source) -> Vec<u8> {
        let mut key = b"external C code, form 1\n".to_vec();
        let mut add = |part: &str| {
            key.extend((part.len() as u64).to_le_bytes());
            key.extend(part.as_bytes());
        };
        add(&self.program.to_string_lossy());
        let data = std::fs::metadata(&self.program).ok();
        let changed = data.as_ref().and_then(|data| data.modified().ok());
        add(&format!("{:?} {:?}", data.map(|data| data.len()), changed));
        self.arguments.iter().for_each(|argument| add(argument));
        add(UTILITIES.1);
        add(&source.text);
        source.include_folders.iter().chain(&source.files).for_each(|path| add(&path.to_string_lossy()));
        for linked in &source.libraries {
            match linked {
                Linked::File(path) => add(&path.to_string_lossy()),
                Linked::Name(name) => add(&format!("-l{name}")),
            }
        }
        key
    }

    /// The library, and the files that were read for it.
    fn compile(&self, source: &Source, folder: &Path) -> Result<(Vec<u8>, Vec<PathBuf>), String> {
        let fault = |error: std::io::Error| format!("`{}` cannot be used: {error}", folder.display());
        let write = |name: &str, text: &str| {
            private::create(&folder.join(name))
                .and_then(|mut file| file.write_all(text.as_bytes()))
                .map_err(fault)
        };
        write(UTILITIES.0, UTILITIES.1)?;
        write("unit.c", &source.text)?;
        let mut objects = Vec::new();
        let mut read: Vec<PathBuf> = Vec::new();
        let own = [folder.join("unit.c")];
        for (k, file) in own.iter().chain(&source.files).enumerate() {
            let (object, list) = (folder.join(format!("{k}.o")), folder.join(format!("{k}.d")));
            let mut command = self.command();
            command.args(["-c", "-O2", "-fPIC", "-MD", "-MF"]).arg(&list);
            if !self.is_small() {
                command.args(["-fno-strict-aliasing", "-ffp-contract=off"]);
                // A function without a prototype would be taken for one that gives an `int`: wrong numbers without a word.
                command.arg("-Werror=implicit-function-declaration");
            }
            for include in source.include_folders.iter().map(PathBuf::as_path).chain([folder]) {
                command.arg("-I").arg(include);
            }
            run(command.arg(file).arg("-o").arg(&object).current_dir(folder))?;
            read.extend(dependencies(&std::fs::read_to_string(&list).map_err(fault)?));
            objects.push(object);
        }
        let made = folder.join("unit.made");
        let mut command = self.command();
        command.arg("-shared").args(&objects);
        if cfg!(target_os = "linux") {
            // The code means its own functions, not those of the same name elsewhere in this process.
            command.arg("-Wl,-Bsymbolic");
        }
        for linked in &source.libraries {
            match linked {
                Linked::Name(name) => drop(command.arg(format!("-l{name}"))),
                Linked::File(path) => {
                    command.arg(path);
                    if let Some(parent) = path.parent().filter(|_| cfg!(unix)) {
                        command.arg(format!("-Wl,-rpath,{}", parent.display()));
                    }
                    read.push(path.clone());
                }
            }
        }
        if cfg!(unix) {
            command.arg("-lm");
        }
        run(command.arg("-o").arg(&made).current_dir(folder))?;
        read.sort();
        read.dedup();
        Ok((std::fs::read(&made).map_err(fault)?, read))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        // Messages in English, whatever the language of the user: they are cut to the lines with errors.
        command.args(&self.arguments).env("LC_ALL", "C");
        command
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    if Path::new(name).components().count() > 1 {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("the C compiler cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let wrong =
        |line: &&str| ["error", "undefined reference", "cannot find"].iter().any(|word| line.contains(word));
    let mut lines: Vec<&str> = said.lines().filter(wrong).take(3).collect();
    if lines.is_empty() {
        lines = said.lines().take(3).collect();
    }
    let text = lines.join("; ");
    Err(text.chars().take(600).collect())
}

/// The files in a rule for `make`: `object: file file \ …`, with spaces in names escaped.
fn dependencies(rule: &str) -> Vec<PathBuf> {
    let Some((_, list)) = rule.split_once(": ") else { return Vec::new() };
    let list = list.replace("\\\r\n", " ").replace("\\\n", " ").replace("\\ ", "\0");
    list.split_whitespace().map(|name| PathBuf::from(name.replace('\0', " "))).collect()
}

/// One line for each file that was read, then the library.
fn with_digests(library: &[u8], read: &[PathBuf], own: &Path) -> Vec<u8> {
    let lines = read.iter().filter(|path| !path.starts_with(own)).map(|path| match digest(path) {
        Some(digest) => format!("{digest} {}\n", path.display()),
        // It is gone already: what is kept is never used.
        None => format!("- {}\n", path.display()),
    });
    let list: String = lines.collect();
    let mut bytes = (list.len() as u64).to_le_bytes().to_vec();
    bytes.extend(list.as_bytes());
    bytes.extend(library);
    bytes
}

/// The library, if all files are as they were.
fn unchanged(bytes: &[u8]) -> Option<Vec<u8>> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let (list, library) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    for line in std::str::from_utf8(list).ok()?.lines() {
        let (known, path) = line.split_once(' ')?;
        if digest(Path::new(path))? != known {
            return None;
        }
    }
    Some(library.to_vec())
}

fn digest(path: &Path) -> Option<String> {
    let mut keyed = Keyed::new(b"external C files");
    keyed.write_whole(&std::fs::read(path).ok()?);
    Some(keyed.finish().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A folder of ours for the time of compiling and loading.
struct Folder(PathBuf);

impl Folder {
    fn new(shelf: Option<&Shelf>) -> std::io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let around = shelf.map_or_else(std::env::temp_dir, |shelf| shelf.folder().to_path_buf());
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = around.join(format!("kairos-c-{}-{number}", std::process::id()));
        private::make_folder(&path)?;
        private::check_folder(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_for_make_are_read() {
        let rule = "/x/0.o: /x/unit.c \\\n /lib/a\\ b.h /lib/c.h\n";
        let expected: Vec<PathBuf> =
            ["/x/unit.c", "/lib/a b.h", "/lib/c.h"].iter().map(PathBuf::from).collect();
        assert_eq!(dependencies(rule), expected);
    }
}
