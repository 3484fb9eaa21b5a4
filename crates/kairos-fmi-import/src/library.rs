//! The functions of an FMU's shared library.
#![allow(unsafe_code, reason = "the functions of an FMU are those of C")]

use crate::description::Version;
use crate::formatted::{Arguments, formatted};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

pub type Handle = *mut c_void;
pub type Text = *const c_char;

/// What an instance has said, with the status that it gave it.
#[derive(Default)]
pub struct Said(Mutex<Vec<(c_int, String)>>);

/// More messages than these are of no use to anybody.
const MOST: usize = 1000;

impl Said {
    fn push(&self, status: c_int, text: String) {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if said.len() < MOST {
            said.push((status, text.trim().to_string()));
        }
    }

    /// What was said since this was last asked.
    pub fn take(&self) -> Vec<(c_int, String)> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What an FMU of FMI 2.0 may call.
#[repr(C)]
pub struct Callbacks {
    logger: *const c_void,
    allocate: unsafe extern "C" fn(usize, usize) -> *mut c_void,
    release: unsafe extern "C" fn(*mut c_void),
    step_finished: *const c_void,
    environment: *const Said,
}

unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

impl Callbacks {
    pub fn new(said: &Said) -> Self {
        Self {
            logger: log_two as *const c_void,
            allocate: calloc,
            release: free,
            step_finished: std::ptr::null(),
            environment: said,
        }
    }
}

#[cfg(all(target_arch = "x86_64", unix))]
unsafe extern "C" fn log_two(
    said: *const Said,
    _name: Text,
    status: c_int,
    _category: Text,
    message: Text,
    whole: u64,
    r0: f64,
    r1: f64,
    r2: f64,
    r3: f64,
    r4: f64,
    r5: f64,
    r6: f64,
    r7: f64,
    s0: u64,
    s1: u64,
    s2: u64,
    s3: u64,
    s4: u64,
    s5: u64,
    s6: u64,
    s7: u64,
    s8: u64,
    s9: u64,
) {
    let arguments = Arguments {
        wholes: &[whole],
        reals: &[r0, r1, r2, r3, r4, r5, r6, r7],
        rest: &[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9],
    };
    // SAFETY: the environment is the one that was given with the function, and the rest is as `printf` has it.
    unsafe {
        if !message.is_null() && !said.is_null() {
            let message = CStr::from_ptr(message).to_string_lossy();
            (*said).push(status, formatted(&message, arguments));
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", unix)))]
unsafe extern "C" fn log_two(said: *const Said, _name: Text, status: c_int, _category: Text, message: Text) {
    let _ = formatted; // Where arguments come from is another question here.
    let _ = |rest| Arguments { wholes: &[], reals: &[], rest };
    // SAFETY: the environment is the one that was given with the function.
    unsafe {
        if !message.is_null() && !said.is_null() {
            (*said).push(status, CStr::from_ptr(message).to_string_lossy().into_owned());
        }
    }
}

/// The logger of FMI 3.0.
pub unsafe extern "C" fn log_three(said: *mut c_void, status: c_int, _category: Text, message: Text) {
    // SAFETY: the environment is the one that was given with the function.
    unsafe {
        if !message.is_null() && !said.is_null() {
            let message = CStr::from_ptr(message).to_string_lossy().into_owned();
            (*said.cast::<Said>()).push(status, message);
        }
    }
}

/// Declares tables of functions: a field for each, with its name in the library.
macro_rules! table {
    ($(#[$doc:meta])* $table:ident { $($field:ident = $name:literal: fn($($argument:ty),*) $(-> $result:ty)?;)* }
     optional { $($may:ident = $may_name:literal: fn($($may_argument:ty),*) $(-> $may_result:ty)?;)* }) => {
        $(#[$doc])*
        pub struct $table {
            $(pub $field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            $(pub $may: Option<unsafe extern "C" fn($($may_argument),*) $(-> $may_result)?>,)*
        }

        impl $table {
            unsafe fn load(library: &Library) -> Result<Self, String> {
                let missing = |name: &str| format!("it has no function `{name}`");
                Ok(Self {
                    $($field: *unsafe { library.get($name.as_bytes()) }.map_err(|_| missing($name))?,)*
                    $($may: unsafe { library.get($may_name.as_bytes()) }.ok().map(|found| *found),)*
                })
            }
        }
    };
}

/// What event mode gives in FMI 2.0.
#[repr(C)]
#[derive(Default)]
pub struct EventInfo {
    pub again: c_int,
    pub terminate: c_int,
    pub nominals: c_int,
    pub states: c_int,
    pub next_defined: c_int,
    pub next: f64,
}

table! {
    /// FMI 2.0
    Two {
        instantiate = "fmi2Instantiate": fn(Text, c_int, Text, Text, *const Callbacks, c_int, c_int) -> Handle;
        release = "fmi2FreeInstance": fn(Handle);
        set_up = "fmi2SetupExperiment": fn(Handle, c_int, f64, f64, c_int, f64) -> c_int;
        enter_initialisation = "fmi2EnterInitializationMode": fn(Handle) -> c_int;
        exit_initialisation = "fmi2ExitInitializationMode": fn(Handle) -> c_int;
        terminate = "fmi2Terminate": fn(Handle) -> c_int;
        get_reals = "fmi2GetReal": fn(Handle, *const u32, usize, *mut f64) -> c_int;
        get_integers = "fmi2GetInteger": fn(Handle, *const u32, usize, *mut c_int) -> c_int;
        get_booleans = "fmi2GetBoolean": fn(Handle, *const u32, usize, *mut c_int) -> c_int;
        get_strings = "fmi2GetString": fn(Handle, *const u32, usize, *mut Text) -> c_int;
        set_reals = "fmi2SetReal": fn(Handle, *const u32, usize, *const f64) -> c_int;
        set_integers = "fmi2SetInteger": fn(Handle, *const u32, usize, *const c_int) -> c_int;
        set_booleans = "fmi2SetBoolean": fn(Handle, *const u32, usize, *const c_int) -> c_int;
        set_strings = "fmi2SetString": fn(Handle, *const u32, usize, *const Text) -> c_int;
    }
    optional {
        get_state = "fmi2GetFMUstate": fn(Handle, *mut Handle) -> c_int;
        set_state = "fmi2SetFMUstate": fn(Handle, Handle) -> c_int;
        free_state = "fmi2FreeFMUstate": fn(Handle, *mut Handle) -> c_int;
        state_size = "fmi2SerializedFMUstateSize": fn(Handle, Handle, *mut usize) -> c_int;
        write_state = "fmi2SerializeFMUstate": fn(Handle, Handle, *mut u8, usize) -> c_int;
        read_state = "fmi2DeSerializeFMUstate": fn(Handle, *const u8, usize, *mut Handle) -> c_int;
        directional = "fmi2GetDirectionalDerivative":
            fn(Handle, *const u32, usize, *const u32, usize, *const f64, *mut f64) -> c_int;
        enter_events = "fmi2EnterEventMode": fn(Handle) -> c_int;
        update = "fmi2NewDiscreteStates": fn(Handle, *mut EventInfo) -> c_int;
        enter_time = "fmi2EnterContinuousTimeMode": fn(Handle) -> c_int;
        complete = "fmi2CompletedIntegratorStep": fn(Handle, c_int, *mut c_int, *mut c_int) -> c_int;
        set_time = "fmi2SetTime": fn(Handle, f64) -> c_int;
        set_states = "fmi2SetContinuousStates": fn(Handle, *const f64, usize) -> c_int;
        derivatives = "fmi2GetDerivatives": fn(Handle, *mut f64, usize) -> c_int;
        indicators = "fmi2GetEventIndicators": fn(Handle, *mut f64, usize) -> c_int;
        get_states = "fmi2GetContinuousStates": fn(Handle, *mut f64, usize) -> c_int;
        nominals = "fmi2GetNominalsOfContinuousStates": fn(Handle, *mut f64, usize) -> c_int;
        step = "fmi2DoStep": fn(Handle, f64, f64, c_int) -> c_int;
        real_status = "fmi2GetRealStatus": fn(Handle, c_int, *mut f64) -> c_int;
        boolean_status = "fmi2GetBooleanStatus": fn(Handle, c_int, *mut c_int) -> c_int;
    }
}

type Getter<T> = unsafe extern "C" fn(Handle, *const u32, usize, *mut T, usize) -> c_int;
type Setter<T> = unsafe extern "C" fn(Handle, *const u32, usize, *const T, usize) -> c_int;
pub type Log3 = unsafe extern "C" fn(*mut c_void, c_int, Text, Text);

table! {
    /// FMI 3.0
    Three {
        release = "fmi3FreeInstance": fn(Handle);
        enter_initialisation = "fmi3EnterInitializationMode": fn(Handle, bool, f64, f64, bool, f64) -> c_int;
        exit_initialisation = "fmi3ExitInitializationMode": fn(Handle) -> c_int;
        terminate = "fmi3Terminate": fn(Handle) -> c_int;
        get_f64 = "fmi3GetFloat64": fn(Handle, *const u32, usize, *mut f64, usize) -> c_int;
        get_f32 = "fmi3GetFloat32": fn(Handle, *const u32, usize, *mut f32, usize) -> c_int;
        get_i8 = "fmi3GetInt8": fn(Handle, *const u32, usize, *mut i8, usize) -> c_int;
        get_u8 = "fmi3GetUInt8": fn(Handle, *const u32, usize, *mut u8, usize) -> c_int;
        get_i16 = "fmi3GetInt16": fn(Handle, *const u32, usize, *mut i16, usize) -> c_int;
        get_u16 = "fmi3GetUInt16": fn(Handle, *const u32, usize, *mut u16, usize) -> c_int;
        get_i32 = "fmi3GetInt32": fn(Handle, *const u32, usize, *mut i32, usize) -> c_int;
        get_u32 = "fmi3GetUInt32": fn(Handle, *const u32, usize, *mut u32, usize) -> c_int;
        get_i64 = "fmi3GetInt64": fn(Handle, *const u32, usize, *mut i64, usize) -> c_int;
        get_u64 = "fmi3GetUInt64": fn(Handle, *const u32, usize, *mut u64, usize) -> c_int;
        get_bool = "fmi3GetBoolean": fn(Handle, *const u32, usize, *mut bool, usize) -> c_int;
        get_string = "fmi3GetString": fn(Handle, *const u32, usize, *mut Text, usize) -> c_int;
        set_f64 = "fmi3SetFloat64": fn(Handle, *const u32, usize, *const f64, usize) -> c_int;
        set_f32 = "fmi3SetFloat32": fn(Handle, *const u32, usize, *const f32, usize) -> c_int;
        set_i8 = "fmi3SetInt8": fn(Handle, *const u32, usize, *const i8, usize) -> c_int;
        set_u8 = "fmi3SetUInt8": fn(Handle, *const u32, usize, *const u8, usize) -> c_int;
        set_i16 = "fmi3SetInt16": fn(Handle, *const u32, usize, *const i16, usize) -> c_int;
        set_u16 = "fmi3SetUInt16": fn(Handle, *const u32, usize, *const u16, usize) -> c_int;
        set_i32 = "fmi3SetInt32": fn(Handle, *const u32, usize, *const i32, usize) -> c_int;
        set_u32 = "fmi3SetUInt32": fn(Handle, *const u32, usize, *const u32, usize) -> c_int;
        set_i64 = "fmi3SetInt64": fn(Handle, *const u32, usize, *const i64, usize) -> c_int;
        set_u64 = "fmi3SetUInt64": fn(Handle, *const u32, usize, *const u64, usize) -> c_int;
        set_bool = "fmi3SetBoolean": fn(Handle, *const u32, usize, *const bool, usize) -> c_int;
        set_string = "fmi3SetString": fn(Handle, *const u32, usize, *const Text, usize) -> c_int;
    }
    optional {
        exchange = "fmi3InstantiateModelExchange": fn(Text, Text, Text, bool, bool, *mut c_void, Log3) -> Handle;
        cosimulation = "fmi3InstantiateCoSimulation":
            fn(Text, Text, Text, bool, bool, bool, bool, *const u32, usize, *mut c_void, Log3, *const c_void) -> Handle;
        get_state = "fmi3GetFMUState": fn(Handle, *mut Handle) -> c_int;
        set_state = "fmi3SetFMUState": fn(Handle, Handle) -> c_int;
        free_state = "fmi3FreeFMUState": fn(Handle, *mut Handle) -> c_int;
        state_size = "fmi3SerializedFMUStateSize": fn(Handle, Handle, *mut usize) -> c_int;
        write_state = "fmi3SerializeFMUState": fn(Handle, Handle, *mut u8, usize) -> c_int;
        read_state = "fmi3DeserializeFMUState": fn(Handle, *const u8, usize, *mut Handle) -> c_int;
        directional = "fmi3GetDirectionalDerivative":
            fn(Handle, *const u32, usize, *const u32, usize, *const f64, usize, *mut f64, usize) -> c_int;
        enter_configuration = "fmi3EnterConfigurationMode": fn(Handle) -> c_int;
        exit_configuration = "fmi3ExitConfigurationMode": fn(Handle) -> c_int;
        enter_events = "fmi3EnterEventMode": fn(Handle) -> c_int;
        update = "fmi3UpdateDiscreteStates":
            fn(Handle, *mut bool, *mut bool, *mut bool, *mut bool, *mut bool, *mut f64) -> c_int;
        enter_time = "fmi3EnterContinuousTimeMode": fn(Handle) -> c_int;
        enter_steps = "fmi3EnterStepMode": fn(Handle) -> c_int;
        complete = "fmi3CompletedIntegratorStep": fn(Handle, bool, *mut bool, *mut bool) -> c_int;
        set_time = "fmi3SetTime": fn(Handle, f64) -> c_int;
        set_states = "fmi3SetContinuousStates": fn(Handle, *const f64, usize) -> c_int;
        derivatives = "fmi3GetContinuousStateDerivatives": fn(Handle, *mut f64, usize) -> c_int;
        indicators = "fmi3GetEventIndicators": fn(Handle, *mut f64, usize) -> c_int;
        get_states = "fmi3GetContinuousStates": fn(Handle, *mut f64, usize) -> c_int;
        nominals = "fmi3GetNominalsOfContinuousStates": fn(Handle, *mut f64, usize) -> c_int;
        step = "fmi3DoStep":
            fn(Handle, f64, f64, bool, *mut bool, *mut bool, *mut bool, *mut f64) -> c_int;
    }
}

/// Reads numbers of one type as ours.
pub unsafe fn read<T: Copy + Default>(
    get: Getter<T>,
    handle: Handle,
    references: &[u32],
    out: &mut [f64],
    number: fn(T) -> f64,
) -> c_int {
    let mut values = vec![T::default(); out.len()];
    let status =
        unsafe { get(handle, references.as_ptr(), references.len(), values.as_mut_ptr(), values.len()) };
    out.iter_mut().zip(values).for_each(|(out, value)| *out = number(value));
    status
}

/// Writes our numbers as those of one type.
pub unsafe fn write<T: Copy>(
    set: Setter<T>,
    handle: Handle,
    references: &[u32],
    values: &[f64],
    number: fn(f64) -> T,
) -> c_int {
    let values: Vec<T> = values.iter().map(|value| number(*value)).collect();
    unsafe { set(handle, references.as_ptr(), references.len(), values.as_ptr(), values.len()) }
}

/// The functions of one version.
pub enum Functions {
    Two(Box<Two>),
    Three(Box<Three>),
}

/// A loaded library.
pub struct Loaded {
    pub functions: Functions,
    /// The functions live as long as this.
    _library: Library,
}

impl Loaded {
    /// Loads a library: its code runs from here on.
    pub fn open(path: &Path, version: Version) -> Result<Loaded, String> {
        // SAFETY: whoever runs an FMU has decided to run its code.
        unsafe {
            let library = Library::new(path).map_err(|error| error.to_string())?;
            let functions = match version {
                Version::Two => Functions::Two(Box::new(Two::load(&library)?)),
                Version::Three => Functions::Three(Box::new(Three::load(&library)?)),
            };
            Ok(Loaded { functions, _library: library })
        }
    }
}
