//! Functions in shared libraries, called as C does.
//!
//! A caller is compiled for each signature: it takes the arguments from a row of words, so that no C compiler is needed.

use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use kairos_expr::{ExternalCall, Foreign, Passing, Resources, Scalar, Stop, Value};
use libloading::Library;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The shared libraries that external functions name.
pub struct SharedLibraries {
    resources: Resources,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    /// By the names and the folder that a function gives.
    libraries: BTreeMap<(Vec<String>, String), Arc<Vec<Library>>>,
    callers: BTreeMap<Shape, Arc<Caller>>,
}

/// Which arguments are floating-point numbers, and what comes back.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    floats: Vec<bool>,
    result: Word,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Nothing,
    Float,
    Integer,
    Pointer,
}

/// What a constructor has returned.
struct Pointer(usize);

type Entry = extern "C" fn(*const u8, *const u64, *mut u64);

struct Caller {
    entry: Entry,
    /// Keeps the code.
    _module: Mutex<JITModule>,
}

impl SharedLibraries {
    pub fn new(resources: Resources) -> Self {
        Self { resources, open: Mutex::default() }
    }

    fn address(&self, open: &mut Open, call: &ExternalCall) -> Result<*const u8, Stop> {
        let key = (call.libraries.clone(), call.library_directory.clone());
        let libraries = match open.libraries.get(&key) {
            Some(known) => known.clone(),
            None => {
                let found = Arc::new(self.load(call)?);
                open.libraries.insert(key, found.clone());
                found
            }
        };
        let fortran = call.language.starts_with("FORTRAN");
        let symbol = if fortran { format!("{}_", call.symbol.to_lowercase()) } else { call.symbol.clone() };
        for library in libraries.iter() {
            // SAFETY: only the address is taken; what it means is in the model's declaration, as in C.
            if let Ok(symbol) = unsafe { library.get::<*const u8>(symbol.as_bytes()) } {
                return Ok(*symbol);
            }
        }
        Err(Stop::error(match call.libraries.as_slice() {
            [] => format!(
                "the external function `{symbol}` is not available: name the shared library that has it with the annotation \
                 `Library`"
            ),
            names => format!("the external function `{symbol}` is not in the library {}", names.join(", ")),
        }))
    }

    /// Opens every library that a function names; without a name, the program itself, which has the C library.
    fn load(&self, call: &ExternalCall) -> Result<Vec<Library>, Stop> {
        if call.libraries.is_empty() {
            #[cfg(unix)]
            return Ok(vec![libloading::os::unix::Library::this().into()]);
            #[cfg(not(unix))]
            return Ok(Vec::new());
        }
        let mut list = Vec::new();
        for name in &call.libraries {
            let places = self.places(name, &call.library_directory);
            // SAFETY: a model that names a library asks for its code to be run, as linking it does in other tools.
            let found = places.iter().find_map(|place| unsafe { Library::new(place) }.ok());
            let Some(library) = found else {
                let tried: Vec<String> =
                    places.iter().map(|place| format!("`{}`", place.display())).collect();
                return Err(Stop::error(format!(
                    "the library `{name}` of the external function `{}` is not found; tried {}",
                    call.symbol,
                    tried.join(", ")
                )));
            };
            list.push(library);
        }
        Ok(list)
    }

    /// Where a library may be: in the folder given, in its part for this platform, where the system looks.
    fn places(&self, name: &str, folder: &str) -> Vec<PathBuf> {
        let platform = match (cfg!(target_os = "windows"), cfg!(target_os = "macos")) {
            (true, _) => "win64",
            (_, true) => "darwin64",
            _ => "linux64",
        };
        let file = libloading::library_filename(name);
        let folder = match folder.starts_with("modelica://") {
            true => self.resources.resolve(folder),
            false => Some(PathBuf::from(folder.strip_prefix("file://").unwrap_or(folder))),
        };
        let mut places = Vec::new();
        if let Some(folder) = folder {
            places.push(folder.join(platform).join(&file));
            places.push(folder.join(&file));
        }
        places.push(PathBuf::from(file));
        places
    }
}

impl Foreign for SharedLibraries {
    fn call(&self, call: &ExternalCall, args: &mut [Value]) -> Result<Option<Value>, Stop> {
        let mut open = self.open.lock().map_err(|_| Stop::error("the shared libraries are in use"))?;
        let target = self.address(&mut open, call)?;
        let by_reference = call.language.starts_with("FORTRAN");
        let mut passed = Vec::with_capacity(args.len());
        for (k, arg) in args.iter().enumerate() {
            let output = call.passing.get(k) == Some(&Passing::Reference);
            passed.push(Passed::new(arg, output || by_reference)?);
        }
        let result = match call.returns {
            None => Word::Nothing,
            Some(Scalar::Real) => Word::Float,
            Some(Scalar::Str | Scalar::Object(_)) => Word::Pointer,
            Some(_) => Word::Integer,
        };
        let shape = Shape { floats: passed.iter().map(|p| matches!(p, Passed::Float(_))).collect(), result };
        let caller = match open.callers.get(&shape) {
            Some(caller) => caller.clone(),
            None => {
                let caller = Arc::new(Caller::new(&shape).map_err(Stop::error)?);
                open.callers.insert(shape, caller.clone());
                caller
            }
        };
        let words: Vec<u64> = passed.iter_mut().map(Passed::word).collect();
        let mut returned = 0u64;
        (caller.entry)(target, words.as_ptr(), &mut returned);
        for (k, (arg, passed)) in args.iter_mut().zip(passed).enumerate() {
            if call.passing.get(k) == Some(&Passing::Reference) {
                *arg = passed.value(arg)?;
            }
        }
        Ok(match call.returns {
            None => None,
            Some(Scalar::Real) => Some(Value::Real(f64::from_bits(returned))),
            Some(Scalar::Bool) => Some(Value::Bool(returned as i32 != 0)),
            Some(Scalar::Str) => Some(text(returned as *const c_char)?),
            Some(Scalar::Enum(e)) => Some(Value::Enum(e, returned as u32)),
            Some(Scalar::Object(_)) => Some(Value::Object(Arc::new(Pointer(returned as usize)))),
            Some(_) => Some(Value::Int(i64::from(returned as i32))),
        })
    }
}

/// An argument as C sees it, and the memory it stands in.
enum Passed {
    Float(f64),
    Integer(i64),
    Floats(Vec<f64>),
    Integers(Vec<i32>),
    /// The texts, and where they are.
    Texts(#[expect(dead_code, reason = "kept alive")] Vec<CString>, Vec<*const c_char>),
    Text(CString),
}

impl Passed {
    fn new(value: &Value, by_reference: bool) -> Result<Self, Stop> {
        let c_text = |text: &str| CString::new(text).map_err(|_| Stop::error("a text with a zero character"));
        Ok(match value {
            Value::Real(x) if by_reference => Passed::Floats(vec![*x]),
            Value::Real(x) => Passed::Float(*x),
            Value::Str(text) if by_reference => Passed::texts(vec![c_text(text)?]),
            Value::Str(text) => Passed::Text(c_text(text)?),
            Value::Object(any) => match any.downcast_ref::<Pointer>() {
                Some(pointer) => Passed::Integer(pointer.0 as i64),
                None => return Err(Stop::error("an external object of another library")),
            },
            Value::Array(array) => match array.data.first() {
                Some(Value::Real(_)) => {
                    Passed::Floats(array.data.iter().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect())
                }
                Some(Value::Str(_)) => {
                    let list: Result<Vec<_>, _> =
                        array.data.iter().map(|v| c_text(v.as_str().unwrap_or(""))).collect();
                    Passed::texts(list?)
                }
                _ => Passed::Integers(array.data.iter().map(|v| whole(v).unwrap_or(0) as i32).collect()),
            },
            other => match whole(other) {
                Some(number) if by_reference => Passed::Integers(vec![number as i32]),
                Some(number) => Passed::Integer(number),
                None => {
                    return Err(Stop::error(format!("{other:?} cannot be passed to an external function")));
                }
            },
        })
    }

    fn texts(list: Vec<CString>) -> Self {
        let places = list.iter().map(|text| text.as_ptr()).collect();
        Passed::Texts(list, places)
    }

    fn word(&mut self) -> u64 {
        match self {
            Passed::Float(x) => x.to_bits(),
            // Good for `int` and for `size_t`: the lower half is the same.
            Passed::Integer(i) => *i as u64,
            Passed::Floats(list) => list.as_mut_ptr() as u64,
            Passed::Integers(list) => list.as_mut_ptr() as u64,
            Passed::Texts(_, places) => places.as_mut_ptr() as u64,
            Passed::Text(text) => text.as_ptr() as u64,
        }
    }

    /// What was written, in the form of what stood there.
    fn value(self, like: &Value) -> Result<Value, Stop> {
        let number = |like: &Value, i: i32| match like {
            Value::Bool(_) => Value::Bool(i != 0),
            Value::Enum(e, _) => Value::Enum(*e, i as u32),
            _ => Value::Int(i64::from(i)),
        };
        let list: Vec<Value> = match self {
            Passed::Floats(list) => list.into_iter().map(Value::Real).collect(),
            Passed::Integers(list) => {
                let element = match like {
                    Value::Array(array) => array.data.first().cloned().unwrap_or(Value::Int(0)),
                    other => other.clone(),
                };
                list.into_iter().map(|i| number(&element, i)).collect()
            }
            Passed::Texts(_, places) => places.into_iter().map(text).collect::<Result<_, _>>()?,
            Passed::Float(_) | Passed::Integer(_) | Passed::Text(_) => return Ok(like.clone()),
        };
        Ok(match like {
            Value::Array(array) => Value::array(array.dims.clone(), list),
            _ => list.into_iter().next().unwrap_or_else(|| like.clone()),
        })
    }
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(b) => Some(i64::from(*b)),
        other => other.as_index(),
    }
}

fn text(place: *const c_char) -> Result<Value, Stop> {
    if place.is_null() {
        return Err(Stop::error("the external function gave no text"));
    }
    // SAFETY: a function declared to give a text gives one that ends in a zero character and lives on.
    Ok(Value::str(&unsafe { CStr::from_ptr(place) }.to_string_lossy()))
}

impl Caller {
    fn new(shape: &Shape) -> Result<Self, String> {
        let fault = |error: &dyn std::fmt::Display| format!("no caller can be compiled: {error}");
        let mut flags = settings::builder();
        flags.set("is_pic", "false").map_err(|e| fault(&e))?;
        let isa = cranelift_native::builder()
            .map_err(|e| fault(&e))?
            .finish(settings::Flags::new(flags))
            .map_err(|e| fault(&e))?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let pointer = module.target_config().pointer_type();
        let mut target = Signature::new(module.target_config().default_call_conv);
        let kind = |float: bool| if float { types::F64 } else { types::I64 };
        target.params.extend(shape.floats.iter().map(|&float| AbiParam::new(kind(float))));
        match shape.result {
            Word::Nothing => {}
            Word::Float => target.returns.push(AbiParam::new(types::F64)),
            Word::Integer => target.returns.push(AbiParam::new(types::I32)),
            Word::Pointer => target.returns.push(AbiParam::new(types::I64)),
        }
        let mut context = module.make_context();
        context.func.signature.params.extend([AbiParam::new(pointer); 3]);
        let mut shared = FunctionBuilderContext::new();
        let mut code = FunctionBuilder::new(&mut context.func, &mut shared);
        let block = code.create_block();
        code.append_block_params_for_function_params(block);
        code.switch_to_block(block);
        code.seal_block(block);
        let [function, words, result] = [0, 1, 2].map(|k| code.block_params(block)[k]);
        let mut given = Vec::new();
        for (k, &float) in shape.floats.iter().enumerate() {
            given.push(code.ins().load(kind(float), MemFlagsData::trusted(), words, 8 * k as i32));
        }
        let signature = code.import_signature(target);
        let call = code.ins().call_indirect(signature, function, &given);
        if let Some(&value) = code.inst_results(call).first() {
            code.ins().store(MemFlagsData::trusted(), value, result, 0);
        }
        code.ins().return_(&[]);
        code.finalize(module.target_config());
        let id = module
            .declare_function("call", Linkage::Export, &context.func.signature)
            .map_err(|e| fault(&e))?;
        module.define_function(id, &mut context).map_err(|e| fault(&e))?;
        module.finalize_definitions().map_err(|e| fault(&e))?;
        let address = module.get_finalized_function(id);
        // SAFETY: the function was made with the signature of `Entry`.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        Ok(Caller { entry, _module: Mutex::new(module) })
    }
}
