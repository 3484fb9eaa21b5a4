//! One text of C for the external functions of a library: the code they include, and a function around each call.
//!
//! The function around a call takes its arguments from a row of words, and gives 1 where the code has told an error: that jumps
//! back into it. As the call stands in C, prototypes, macros and `static` functions mean what they mean there.

use super::compiler::{self, Failure, Linked, Source};
use crate::shelf::Shelf;
use kairos_expr::{Carrier, Channel, ExternalCall, ForeignCode, Resources, Scalar};
use libloading::Library;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, c_char, c_int};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Runs a call: words with the arguments, and where the result goes.
pub type Entry = extern "C" fn(*mut u64, *mut u64) -> c_int;

/// What tells two calls apart.
pub type Identity = (String, Vec<Carrier>, Returned, ForeignCode);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Returned {
    Nothing,
    Number,
    Whole,
    Pointer,
    Structure,
}

pub fn identity(call: &ExternalCall) -> Identity {
    let returned = match call.returns {
        None => Returned::Nothing,
        Some(Scalar::Real) => Returned::Number,
        Some(Scalar::Str | Scalar::Object(_)) => Returned::Pointer,
        Some(Scalar::Record(_)) => Returned::Structure,
        Some(_) => Returned::Whole,
    };
    (call.symbol.clone(), call.carriers.clone(), returned, call.code.clone())
}

/// Compiled code that is loaded.
pub struct Unit {
    entries: BTreeMap<Identity, Entry>,
    error: extern "C" fn() -> *const c_char,
    release: extern "C" fn(),
    retain: extern "C" fn(),
    /// Keeps the code.
    _library: Library,
}

thread_local! {
    static SAID: RefCell<Vec<(Channel, String)>> = const { RefCell::new(Vec::new()) };
}

/// What the code has told since this was asked.
pub fn said() -> Vec<(Channel, String)> {
    SAID.with(|said| std::mem::take(&mut *said.borrow_mut()))
}

extern "C" fn say(kind: c_int, text: *const c_char) {
    /// No more than this is remembered of one call.
    const MOST: usize = 1000;
    if text.is_null() {
        return;
    }
    // SAFETY: the code of `after.c` passes a text that ends in a zero character.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy().trim_end_matches('\n').to_string();
    let channel = if kind == 0 { Channel::Message } else { Channel::Warning };
    SAID.with(|said| {
        if let Ok(mut said) = said.try_borrow_mut()
            && said.len() < MOST
        {
            said.push((channel, text));
        }
    });
}

impl Unit {
    /// Compiles and loads the code of several functions.
    pub fn new(
        calls: &[&ExternalCall],
        resources: &Resources,
        shelf: Option<&Shelf>,
    ) -> Result<Self, Failure> {
        let source = source(calls, resources).map_err(Failure::Told)?;
        let library = compiler::library(&source, shelf)?;
        let told = |error: libloading::Error| Failure::Told(error.to_string());
        // SAFETY: these functions are in the text, with these types.
        unsafe {
            let connect: extern "C" fn(extern "C" fn(c_int, *const c_char)) =
                *library.get(b"kairos_connect\0").map_err(told)?;
            connect(say);
            let mut entries = BTreeMap::new();
            for (k, identity) in distinct(calls).into_keys().enumerate() {
                entries
                    .insert(identity, *library.get(format!("kairos_call_{k}\0").as_bytes()).map_err(told)?);
            }
            let error = *library.get(b"kairos_error\0").map_err(told)?;
            let release = *library.get(b"kairos_release\0").map_err(told)?;
            let retain = *library.get(b"kairos_retain\0").map_err(told)?;
            Ok(Self { entries, error, release, retain, _library: library })
        }
    }

    pub fn entry(&self, identity: &Identity) -> Option<Entry> {
        self.entries.get(identity).copied()
    }

    /// What the code gave as the reason for its error.
    pub fn reason(&self) -> String {
        // SAFETY: the text is in the memory of the library, and ends in a zero character.
        let text = unsafe { CStr::from_ptr((self.error)()) }.to_string_lossy();
        text.trim_end().to_string()
    }

    /// Gives the texts back that the last call has allocated; those that an object may point to live on.
    pub fn tidy(&self, made_an_object: bool) {
        if made_an_object { (self.retain)() } else { (self.release)() }
    }
}

fn distinct<'a>(calls: &[&'a ExternalCall]) -> BTreeMap<Identity, &'a ExternalCall> {
    calls.iter().map(|call| (identity(call), *call)).collect()
}

fn source(calls: &[&ExternalCall], resources: &Resources) -> Result<Source, String> {
    let mut source = Source {
        text: include_str!("before.c").to_string(),
        include_folders: Vec::new(),
        files: Vec::new(),
        libraries: Vec::new(),
    };
    let distinct = distinct(calls);
    let mut included = BTreeSet::new();
    for call in distinct.values() {
        // The same text is included once (MLS 12.9.4).
        for text in call.code.includes.iter().filter(|text| included.insert(*text)) {
            let name = call.function.to_string().replace(['"', '\\'], "_");
            let _ = writeln!(source.text, "#line 1 \"annotation Include of {name}\"\n{text}");
        }
        add_folders(&mut source, call, resources)?;
        add_libraries(&mut source, call, resources)?;
    }
    let _ = writeln!(source.text, "#line 1 \"call\"");
    for (k, (identity, call)) in distinct.iter().enumerate() {
        let (symbol, carriers, returned, _) = identity;
        if call.code.includes.is_empty() {
            prototype(&mut source.text, symbol, carriers, *returned);
        }
        around(&mut source.text, k, symbol, carriers, *returned);
    }
    source.text.push_str(include_str!("after.c"));
    Ok(source)
}

/// Where no code is included the declaration in Modelica says how the function is called.
fn prototype(text: &mut String, symbol: &str, carriers: &[Carrier], returned: Returned) {
    let kind = match returned {
        Returned::Nothing => "void",
        Returned::Number => "double",
        Returned::Whole => "int",
        Returned::Pointer | Returned::Structure => "void *",
    };
    let one = |carrier: &Carrier| match carrier {
        Carrier::Number => "double",
        Carrier::Whole => "int",
        Carrier::Pointer => "void *",
    };
    let list: Vec<&str> = carriers.iter().map(one).collect();
    let list = if list.is_empty() { "void".to_string() } else { list.join(", ") };
    let _ = writeln!(text, "extern {kind} {symbol}({list});");
}

fn around(text: &mut String, k: usize, symbol: &str, carriers: &[Carrier], returned: Returned) {
    let one = |(k, carrier): (usize, &Carrier)| match carrier {
        Carrier::Number => format!("kairos_words[{k}].kairos_number"),
        Carrier::Whole => format!("kairos_words[{k}].kairos_whole"),
        Carrier::Pointer => format!("kairos_words[{k}].kairos_place"),
    };
    let list: Vec<String> = carriers.iter().enumerate().map(one).collect();
    let call = format!("{symbol}({})", list.join(", "));
    let statement = match returned {
        Returned::Nothing => format!("{call};"),
        Returned::Number => format!("kairos_result->kairos_number = {call};"),
        Returned::Whole => format!("kairos_result->kairos_whole = (int)({call});"),
        Returned::Pointer => format!("kairos_result->kairos_place = (void *)({call});"),
        Returned::Structure => format!(
            "{{ __typeof__({call}) kairos_value = {call}; memcpy(kairos_result, &kairos_value, sizeof kairos_value); }}"
        ),
    };
    let _ = writeln!(
        text,
        "KAIROS_EXPORT int kairos_call_{k}(kairos_word *kairos_words, kairos_word *kairos_result) {{\n  \
           kairos_guard kairos_here;\n  \
           kairos_here.kairos_outer = kairos_current;\n  \
           if (setjmp(kairos_here.kairos_way_back)) {{ kairos_current = kairos_here.kairos_outer; return 1; }}\n  \
           kairos_current = &kairos_here;\n  \
           (void)kairos_words; (void)kairos_result;\n  \
           {statement}\n  \
           kairos_current = kairos_here.kairos_outer;\n  \
           return 0;\n}}"
    );
}

fn add_folders(source: &mut Source, call: &ExternalCall, resources: &Resources) -> Result<(), String> {
    let usual = format!("modelica://{}/Resources/Include", call.owner);
    let named = call.code.include_folders.iter().chain([&usual]).chain(&call.code.source_folders);
    let mut folders: Vec<PathBuf> = named
        .map(|name| folder(name, resources))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect();
    // A model in a single file has its code beside it.
    folders.extend(resources.home(&call.owner).map(|(folder, _)| folder));
    for folder in folders {
        if folder.is_dir() && !source.include_folders.contains(&folder) {
            source.include_folders.push(folder);
        }
    }
    Ok(())
}

/// The folder that a name means; nothing for a library that is not in use.
pub fn folder(name: &str, resources: &Resources) -> Result<Option<PathBuf>, String> {
    if Resources::leaves(name) {
        return Err(format!("\"{name}\" leads out of its library: write a name without `..`"));
    }
    let found = match name.starts_with("modelica://") {
        true => resources.resolve(name),
        false => Some(PathBuf::from(name.strip_prefix("file://").unwrap_or(name))),
    };
    // The compiler works in another folder.
    Ok(found.map(|path| path.canonicalize().unwrap_or(path)))
}

/// The folders in which libraries for this platform are, the most particular one first (MLS 12.9.4).
pub fn library_folders(code: &ForeignCode, resources: &Resources) -> Result<Vec<PathBuf>, String> {
    let platform = match (cfg!(target_os = "windows"), cfg!(target_os = "macos")) {
        (true, _) => "win64",
        (_, true) => "darwin64",
        _ => "linux64",
    };
    let mut list = Vec::new();
    for name in &code.library_folders {
        if let Some(folder) = folder(name, resources)? {
            list.extend([folder.join(platform), folder]);
        }
    }
    Ok(list)
}

fn add_libraries(source: &mut Source, call: &ExternalCall, resources: &Resources) -> Result<(), String> {
    let folders = library_folders(&call.code, resources)?;
    for name in &call.code.libraries {
        let files = [
            libloading::library_filename(name).into(),
            PathBuf::from(format!("lib{name}.a")),
            PathBuf::from(format!("{name}.lib")),
            PathBuf::from(name),
        ];
        let found = folders
            .iter()
            .flat_map(|folder| files.iter().map(|file| folder.join(file)))
            .find(|p| p.is_file());
        let linked = match found {
            Some(file) => Linked::File(file),
            None => {
                let files = sources(name, &call.code, resources)?;
                if !files.is_empty() {
                    let new = files.into_iter().filter(|file| !source.files.contains(file));
                    let new: Vec<PathBuf> = new.collect();
                    source.files.extend(new);
                    continue;
                }
                Linked::Name(name.clone())
            }
        };
        let known = source.libraries.iter().any(|known| match (known, &linked) {
            (Linked::File(a), Linked::File(b)) => a == b,
            (Linked::Name(a), Linked::Name(b)) => a == b,
            _ => false,
        });
        if !known {
            source.libraries.push(linked);
        }
    }
    Ok(())
}

/// The files of C from which a library is made that is not there: those in a folder of its name, the one of its name, or all.
fn sources(library: &str, code: &ForeignCode, resources: &Resources) -> Result<Vec<PathBuf>, String> {
    for name in &code.source_folders {
        let Some(folder) = folder(name, resources)? else { continue };
        let single = folder.join(format!("{library}.c"));
        let found = match (c_files(&folder.join(library)), single.is_file()) {
            (files, _) if !files.is_empty() => files,
            (_, true) => vec![single],
            _ => c_files(&folder),
        };
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    files.sort();
    files
}
