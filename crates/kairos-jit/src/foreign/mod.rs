//! External functions whose code is not part of Kairos: in shared libraries, or in C that is compiled here (MLS 12.9).

mod caller;
mod compiler;
mod passed;
mod tables;
mod unit;

use crate::shelf::Shelf;
use caller::{Caller, Shape, Word};
use compiler::Failure;
use kairos_expr::{
    Carrier, Channel, ExternalCall, Foreign, Passing, Resources, Scalar, Stop, UserTable, Value,
};
use libloading::Library;
use passed::{Passed, Pointer};
use std::collections::BTreeMap;
use std::ffi::c_char;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use unit::{Entry, Identity, Unit};

/// Code of others is called by one thread at a time: few libraries of C are made for more.
static TURN: Mutex<()> = Mutex::new(());

/// The code that external functions name.
pub struct SharedLibraries {
    resources: Resources,
    shelf: Option<Shelf>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    /// All calls of the model, by the library that owns them.
    known: BTreeMap<String, BTreeMap<Identity, ExternalCall>>,
    /// The compiled code of each owner.
    units: BTreeMap<String, Vec<Arc<Unit>>>,
    /// By the names and the folders that a function gives.
    libraries: BTreeMap<(Vec<String>, Vec<String>), Arc<Vec<Library>>>,
    callers: BTreeMap<Shape, Arc<Caller>>,
    /// What was tried in vain is not tried at every step.
    failed: BTreeMap<Identity, String>,
}

/// A function that can be called.
#[derive(Clone)]
enum Target {
    InLibrary { address: usize, library: Arc<Vec<Library>> },
    Compiled { entry: Entry, unit: Arc<Unit> },
}

impl SharedLibraries {
    /// Compiled code is kept on the shelf.
    pub fn new(resources: Resources, shelf: Option<Shelf>) -> Self {
        Self { resources, shelf, open: Mutex::default() }
    }

    /// The calls of a model, which are compiled together: their code may share what it remembers.
    pub fn know<'a>(&self, calls: impl Iterator<Item = &'a ExternalCall>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        for call in calls.flat_map(|call| [Some(call), call.destructor.as_deref()]).flatten() {
            if is_c(call) && !call.code.includes.is_empty() {
                let list = open.known.entry(call.owner.clone()).or_default();
                list.insert(unit::identity(call), call.clone());
            }
        }
    }

    fn target(&self, open: &mut Open, call: &ExternalCall) -> Result<Target, Stop> {
        if call.code.includes.is_empty() {
            return match self.in_library(open, call) {
                Err(why) if is_c(call) && !call.code.libraries.is_empty() => {
                    // A library to be linked, one that calls `ModelicaError`, or one whose sources are there.
                    self.compiled(open, call).map_err(|_| why)
                }
                found => found,
            };
        }
        self.compiled(open, call).map_err(Stop::error)
    }

    /// The code of a function: with that of all functions of its library, or by itself where these contradict each other.
    fn compiled(&self, open: &mut Open, call: &ExternalCall) -> Result<Target, String> {
        let identity = unit::identity(call);
        let found = |units: &[Arc<Unit>]| {
            units
                .iter()
                .find_map(|unit| Some(Target::Compiled { entry: unit.entry(&identity)?, unit: unit.clone() }))
        };
        if let Some(target) = open.units.get(&call.owner).and_then(|units| found(units)) {
            return Ok(target);
        }
        if let Some(why) = open.failed.get(&identity) {
            return Err(why.clone());
        }
        let known = open.known.get(&call.owner);
        let together: Vec<&ExternalCall> = known.into_iter().flat_map(BTreeMap::values).collect();
        let alone: Vec<&ExternalCall> = match together.iter().any(|other| other.code == call.code) {
            true => together.iter().copied().filter(|other| other.code == call.code).collect(),
            false => vec![call],
        };
        let first = !open.units.contains_key(&call.owner) && together.len() > alone.len();
        let tries = first.then_some(together.as_slice()).into_iter().chain([alone.as_slice()]);
        let mut failure = None;
        for calls in tries {
            match Unit::new(calls, &self.resources, self.shelf.as_ref()) {
                Ok(unit) if unit.entry(&identity).is_some() => {
                    let units = open.units.entry(call.owner.clone()).or_default();
                    units.push(Arc::new(unit));
                    return found(&units[units.len() - 1..]).ok_or_else(String::new);
                }
                Ok(_) => {}
                Err(why) => failure = Some(why),
            }
        }
        let why = explain(call, failure);
        open.failed.insert(identity, why.clone());
        Err(why)
    }

    fn in_library(&self, open: &mut Open, call: &ExternalCall) -> Result<Target, Stop> {
        let key = (call.code.libraries.clone(), call.code.library_folders.clone());
        let library = match open.libraries.get(&key) {
            Some(known) => known.clone(),
            None => {
                let found = Arc::new(self.load(call)?);
                open.libraries.insert(key, found.clone());
                found
            }
        };
        let fortran = call.language.starts_with("FORTRAN");
        let symbol = if fortran { format!("{}_", call.symbol.to_lowercase()) } else { call.symbol.clone() };
        for one in library.iter() {
            // SAFETY: only the address is taken; what it means is in the model's declaration, as in C.
            if let Ok(symbol) = unsafe { one.get::<*const u8>(symbol.as_bytes()) } {
                return Ok(Target::InLibrary { address: *symbol as usize, library: library.clone() });
            }
        }
        Err(Stop::error(match call.code.libraries.as_slice() {
            [] => format!(
                "the external function `{symbol}` is not available: name the shared library that has it with the annotation \
                 `Library`, or its C code with `Include`"
            ),
            names => format!("the external function `{symbol}` is not in the library {}", names.join(", ")),
        }))
    }

    /// Opens every library that a function names; without a name, the program itself, which has the C library.
    fn load(&self, call: &ExternalCall) -> Result<Vec<Library>, Stop> {
        if call.code.libraries.is_empty() {
            #[cfg(unix)]
            return Ok(vec![libloading::os::unix::Library::this().into()]);
            #[cfg(not(unix))]
            return Ok(Vec::new());
        }
        let folders = unit::library_folders(&call.code, &self.resources).map_err(Stop::error)?;
        let mut list = Vec::new();
        for name in &call.code.libraries {
            let file = libloading::library_filename(name);
            let mut places: Vec<PathBuf> = folders.iter().map(|folder| folder.join(&file)).collect();
            // Where the system looks.
            places.push(PathBuf::from(file));
            let Some(library) = places.iter().find_map(|place| compiler::open(place).ok()) else {
                let tried: Vec<String> =
                    places.iter().map(|place| format!("`{}`", place.display())).collect();
                return Err(Stop::error(format!(
                    "the library `{name}` of the external function `{}` is not found or cannot be loaded; tried {}",
                    call.symbol,
                    tried.join(", ")
                )));
            };
            list.push(library);
        }
        Ok(list)
    }
}

/// Every version of the language is called in the same way.
fn is_c(call: &ExternalCall) -> bool {
    call.language.starts_with('C')
}

fn explain(call: &ExternalCall, failure: Option<Failure>) -> String {
    let what = format!("the C code of the function `{}` (`{}`)", call.function, call.symbol);
    match failure {
        Some(Failure::NoCompiler) => format!(
            "{what} needs a C compiler, and none of `cc`, `gcc`, `clang`, `tcc` is found: install one (`apt install gcc`, \
             `dnf install gcc`, `xcode-select --install`), or name it in the environment variable CC"
        ),
        Some(Failure::Told(said)) => format!("{what} cannot be compiled: {said}"),
        None => format!("{what} cannot be compiled"),
    }
}

impl Target {
    fn call(&self, open: &mut Open, shape: Shape, words: &mut [u64], returned: *mut u64) -> Result<(), Stop> {
        let entry = match self {
            Target::Compiled { entry, .. } => *entry,
            Target::InLibrary { address, .. } => {
                let caller = match open.callers.get(&shape) {
                    Some(caller) => caller.clone(),
                    None => {
                        let caller = Arc::new(Caller::new(&shape).map_err(Stop::error)?);
                        open.callers.insert(shape, caller.clone());
                        caller
                    }
                };
                (caller.entry)(*address as *const u8, words.as_ptr(), returned);
                return Ok(());
            }
        };
        match entry(words.as_mut_ptr(), returned) {
            0 => Ok(()),
            _ => Err(Stop::error(self.reason())),
        }
    }

    fn reason(&self) -> String {
        match self {
            Target::Compiled { unit, .. } => unit.reason(),
            Target::InLibrary { .. } => String::new(),
        }
    }

    fn tidy(&self, made_an_object: bool) {
        if let Target::Compiled { unit, .. } = self {
            unit.tidy(made_an_object);
        }
    }

    /// Ends an object; an error in that is of no consequence any more.
    fn into_end(self) -> Result<Box<dyn Fn(usize) + Send + Sync>, Stop> {
        Ok(match self {
            Target::Compiled { entry, unit } => Box::new(move |object| {
                let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
                entry([object as u64].as_mut_ptr(), &mut 0);
                unit.tidy(false);
                drop(unit::said());
            }),
            Target::InLibrary { address, library } => {
                let caller = Caller::new(&Shape { floats: vec![false], result: Word::Nothing });
                let caller = caller.map_err(Stop::error)?;
                Box::new(move |object| {
                    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
                    let _kept = &library;
                    (caller.entry)(address as *const u8, [object as u64].as_ptr(), &mut 0);
                })
            }
        })
    }
}

impl Foreign for SharedLibraries {
    fn table_owner(&self) -> Option<String> {
        self.table_calls().into_iter().next().map(|call| call.owner)
    }

    fn table(&self, name: &str, kind: i32, say: &mut dyn FnMut(Channel, &str)) -> Result<UserTable, Stop> {
        self.user_table(name, kind, say)
    }

    fn call(
        &self,
        call: &ExternalCall,
        args: &mut [Value],
        say: &mut dyn FnMut(Channel, &str),
    ) -> Result<Option<Value>, Stop> {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut open = self.open.lock().map_err(|_| Stop::error("the shared libraries are in use"))?;
        let target = self.target(&mut open, call)?;
        let by_reference = call.language.starts_with("FORTRAN");
        let mut passed = Vec::with_capacity(args.len());
        for (k, arg) in args.iter_mut().enumerate() {
            if let Some(form) = call.forms.get(k).filter(|form| !passed::is_formed(arg, form)) {
                *arg = passed::formed(arg, form);
            }
            let output = call.passing.get(k) == Some(&Passing::Reference);
            let carrier = call.carriers.get(k).copied().unwrap_or(Carrier::Pointer);
            passed.push(Passed::new(arg, output || by_reference, carrier)?);
        }
        let shape = Shape {
            floats: passed.iter().map(Passed::is_float).collect(),
            result: result_word(call, &target)?,
        };
        let mut words: Vec<u64> = passed.iter_mut().map(Passed::word).collect();
        let mut returned = 0u64;
        let record = call.result_form.as_ref().filter(|form| matches!(form, Value::Record(..)));
        let mut structure = record.map(|form| Passed::new(form, true, Carrier::Pointer)).transpose()?;
        let place = structure.as_mut().map_or(&raw mut returned, |structure| structure.word() as *mut u64);
        let done = target.call(&mut open, shape, &mut words, place);
        for (channel, text) in unit::said() {
            say(channel, &text);
        }
        done?;
        for (k, (arg, passed)) in args.iter_mut().zip(passed).enumerate() {
            if call.passing.get(k) == Some(&Passing::Reference) {
                *arg = passed.value(arg)?;
            }
        }
        let made_an_object = matches!(call.returns, Some(Scalar::Object(_)));
        let result = match (structure, record) {
            (Some(structure), Some(like)) => Some(structure.value(like)?),
            _ if made_an_object => Some(self.object(&mut open, call, returned as usize)?),
            _ => given(call, returned)?,
        };
        target.tidy(made_an_object);
        Ok(result)
    }
}

fn result_word(call: &ExternalCall, target: &Target) -> Result<Word, Stop> {
    Ok(match call.returns {
        None => Word::Nothing,
        Some(Scalar::Real) => Word::Float,
        Some(Scalar::Str | Scalar::Object(_)) => Word::Pointer,
        Some(Scalar::Record(_)) if matches!(target, Target::InLibrary { .. }) => {
            let message = format!(
                "the external function `{}` gives a record: include its header with the annotation `Include`, so that it can be \
                 called by C",
                call.symbol
            );
            return Err(Stop::error(message));
        }
        Some(_) => Word::Integer,
    })
}

fn given(call: &ExternalCall, returned: u64) -> Result<Option<Value>, Stop> {
    Ok(match call.returns {
        None => None,
        Some(Scalar::Real) => Some(Value::Real(f64::from_bits(returned))),
        Some(Scalar::Bool) => Some(Value::Bool(returned as i32 != 0)),
        Some(Scalar::Str) => Some(passed::text(returned as *const c_char)?),
        Some(Scalar::Enum(e)) => Some(Value::Enum(e, returned as u32)),
        Some(_) => Some(Value::Int(i64::from(returned as i32))),
    })
}

impl SharedLibraries {
    /// What a constructor gave, with its end (MLS 12.9.7).
    fn object(&self, open: &mut Open, call: &ExternalCall, address: usize) -> Result<Value, Stop> {
        if address == 0 {
            return Err(Stop::error(format!("`{}` gave no external object", call.symbol)));
        }
        let end = match call.destructor.as_deref().filter(|destructor| destructor.carriers.len() == 1) {
            Some(destructor) => Some(self.target(open, destructor)?.into_end()?),
            None => None,
        };
        Ok(Value::Object(Arc::new(Pointer { address, end })))
    }
}
