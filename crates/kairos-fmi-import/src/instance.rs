//! An instance of an FMU as both versions of the standard have it, in safe Rust.
#![allow(unsafe_code, reason = "the functions of an FMU are those of C")]

use crate::archive::Unpacked;
use crate::description::{Description, Kind, Offer, Type, Version};
use crate::diagnostics;
use crate::library::{Callbacks, EventInfo, Functions, Handle, Loaded, Said, Text, log_three, read, write};
use kairos_machine::EvalError;
use std::ffi::{CStr, CString, c_int};
use std::sync::Arc;

/// An FMU that can be instantiated.
pub struct Fmu {
    pub description: Description,
    pub kind: Kind,
    pub offer: Offer,
    pub loaded: Loaded,
    /// After the library: its folder goes when the library is closed.
    pub files: Unpacked,
    /// What messages call it.
    pub path: String,
}

/// How an instance begins.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    pub start: f64,
    pub stop: Option<f64>,
    pub tolerance: Option<f64>,
}

/// What an event leads to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Update {
    pub terminate: bool,
    pub states_changed: bool,
    pub next: Option<f64>,
}

/// How far a step of co-simulation has come.
#[derive(Clone, Copy, Debug)]
pub struct Stepped {
    pub time: f64,
    pub event: bool,
    pub terminate: bool,
}

/// A call that failed.
#[derive(Clone, Debug)]
pub struct Failure {
    pub call: &'static str,
    pub status: c_int,
    pub said: Vec<String>,
}

impl From<Failure> for EvalError {
    fn from(failure: Failure) -> Self {
        let word = match failure.status {
            2 => "discard",
            3 => "error",
            4 => "fatal error",
            _ => "something unknown",
        };
        let fault = diagnostics::call_failed(failure.call, word, &failure.said);
        match failure.status {
            DISCARD => EvalError::Recoverable(fault),
            _ => EvalError::Fatal(fault),
        }
    }
}

type Done<T = ()> = Result<T, Failure>;

const DISCARD: c_int = 2;
const ERROR: c_int = 3;
const FATAL: c_int = 4;
/// FMI 2.0: the questions about a step that was discarded.
const LAST_TIME: c_int = 2;
const TERMINATED: c_int = 3;
/// So many times an event may ask for another round.
const ROUNDS: u32 = 10_000;

/// A kept state of an instance.
pub struct Kept(Handle);

// SAFETY: the standard lets instances and their states go from thread to thread, as long as only one calls at a time.
unsafe impl Send for Kept {}
// SAFETY: as above.
unsafe impl Send for Instance {}

/// An instance. What is read and set goes by references and types.
pub struct Instance {
    handle: Handle,
    pub fmu: Arc<Fmu>,
    said: Box<Said>,
    /// FMI 2.0 keeps the address.
    _callbacks: Box<Callbacks>,
    warnings: Vec<String>,
    /// Co-simulation has an event mode.
    pub event_mode: bool,
    /// After a fatal error nothing may be called any more.
    dead: bool,
}

/// Calls a function that may be missing.
macro_rules! call {
    ($self:expr, $name:expr, $function:expr, $($argument:expr),*) => {{
        let handle = $self.handle;
        let Some(function) = $function else { return Err($self.missing($name)) };
        // SAFETY: the handle is one of this library, and the arguments are as the standard says.
        let status = unsafe { function(handle $(, $argument)*) };
        $self.judge($name, status)
    }};
}

/// Hands a list of numbers to the function of the FMU's version; the names are those of FMI 2.0 and 3.0 without their beginnings.
macro_rules! vector {
    ($self:expr, $function:ident, $two:literal, $three:literal, $list:expr, $count:expr) => {{
        let fmu = $self.fmu.clone();
        match &fmu.loaded.functions {
            Functions::Two(two) => call!($self, concat!("fmi2", $two), two.$function, $list, $count),
            Functions::Three(three) => call!($self, concat!("fmi3", $three), three.$function, $list, $count),
        }
    }};
}

impl Instance {
    /// Makes an instance.
    pub fn new(fmu: &Arc<Fmu>, name: &str) -> Done<Instance> {
        let exchange = fmu.kind == Kind::ModelExchange;
        let events = fmu.offer.event_mode && !exchange;
        let made = Instance::make(fmu, name, events);
        // Some promise an event mode in their description that they do not have.
        if made.is_err() && events { Instance::make(fmu, name, false) } else { made }
    }

    fn make(fmu: &Arc<Fmu>, name: &str, event_mode: bool) -> Done<Instance> {
        let said: Box<Said> = Box::default();
        let callbacks = Box::new(Callbacks::new(&said));
        let c = |text: &str| CString::new(text.replace('\0', "")).unwrap_or_default();
        let (name, token) = (c(name), c(&fmu.description.token));
        let folder = fmu.files.resources();
        let environment = std::ptr::from_ref::<Said>(&said).cast_mut().cast();
        let exchange = fmu.kind == Kind::ModelExchange;
        // SAFETY: all texts live as long as the call, and the callbacks as long as the instance.
        let handle = unsafe {
            match &fmu.loaded.functions {
                Functions::Two(two) => {
                    let resources = c(&uri(&folder.to_string_lossy()));
                    let kind = if exchange { 0 } else { 1 };
                    (two.instantiate)(
                        name.as_ptr(),
                        kind,
                        token.as_ptr(),
                        resources.as_ptr(),
                        &*callbacks,
                        0,
                        0,
                    )
                }
                Functions::Three(three) => {
                    let resources = c(&format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR));
                    let (name, token, resources) = (name.as_ptr(), token.as_ptr(), resources.as_ptr());
                    match (exchange, three.exchange, three.cosimulation) {
                        (true, Some(make), _) => {
                            make(name, token, resources, false, false, environment, log_three)
                        }
                        (false, _, Some(make)) => make(
                            name,
                            token,
                            resources,
                            false,
                            false,
                            event_mode,
                            event_mode,
                            std::ptr::null(),
                            0,
                            environment,
                            log_three,
                            std::ptr::null(),
                        ),
                        _ => std::ptr::null_mut(),
                    }
                }
            }
        };
        if handle.is_null() {
            let said = said.take().into_iter().map(|(_, text)| text).collect();
            return Err(Failure { call: "instantiate", status: ERROR, said });
        }
        Ok(Instance {
            handle,
            fmu: fmu.clone(),
            said,
            _callbacks: callbacks,
            warnings: Vec::new(),
            event_mode,
            dead: false,
        })
    }

    fn missing(&self, call: &'static str) -> Failure {
        Failure { call, status: ERROR, said: vec!["its library has no such function".into()] }
    }

    /// Makes a result of a status, and keeps what was said.
    fn judge(&mut self, call: &'static str, status: c_int) -> Done {
        let said = self.said.take();
        let bad = |(kind, _): &&(c_int, String)| *kind >= DISCARD;
        match status {
            0 | 1 => {
                // What is only told, and what is no more than remarked, is nothing to stop for.
                self.warnings.extend(said.into_iter().filter(|(kind, _)| *kind == 1).map(|(_, text)| text));
                Ok(())
            }
            _ => {
                self.dead |= status == FATAL;
                let chosen: Vec<String> = match said.iter().any(|entry| bad(&entry)) {
                    true => said.iter().filter(bad).map(|(_, text)| text.clone()).collect(),
                    false => said.into_iter().map(|(_, text)| text).collect(),
                };
                let last = chosen.len().saturating_sub(3);
                Err(Failure { call, status, said: chosen[last..].to_vec() })
            }
        }
    }

    /// Warnings since this was last asked.
    pub fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Values are set for the initial problem from here on.
    pub fn enter_initialisation(&mut self, setup: &Setup) -> Done {
        let fmu = self.fmu.clone();
        let (tolerance, stop) = (setup.tolerance.unwrap_or(0.0), setup.stop.unwrap_or(0.0));
        match &fmu.loaded.functions {
            Functions::Two(two) => {
                let (has_tolerance, has_stop) = (setup.tolerance.is_some(), setup.stop.is_some());
                let (has_tolerance, has_stop) = (c_int::from(has_tolerance), c_int::from(has_stop));
                call!(
                    self,
                    "fmi2SetupExperiment",
                    Some(two.set_up),
                    has_tolerance,
                    tolerance,
                    setup.start,
                    has_stop,
                    stop
                )?;
                call!(self, "fmi2EnterInitializationMode", Some(two.enter_initialisation),)
            }
            Functions::Three(three) => call!(
                self,
                "fmi3EnterInitializationMode",
                Some(three.enter_initialisation),
                setup.tolerance.is_some(),
                tolerance,
                setup.start,
                setup.stop.is_some(),
                stop
            ),
        }
    }

    /// Solves the initial problem; an instance with an event mode is in it afterwards.
    pub fn exit_initialisation(&mut self) -> Done {
        let fmu = self.fmu.clone();
        match &fmu.loaded.functions {
            Functions::Two(two) => call!(self, "fmi2ExitInitializationMode", Some(two.exit_initialisation),),
            Functions::Three(three) => {
                call!(self, "fmi3ExitInitializationMode", Some(three.exit_initialisation),)
            }
        }
    }

    /// FMI 3.0: structural parameters are set before initialisation, in a mode of their own.
    pub fn configure(&mut self, enter: bool) -> Done {
        let fmu = self.fmu.clone();
        match &fmu.loaded.functions {
            Functions::Two(_) => Ok(()),
            Functions::Three(three) if enter => {
                call!(self, "fmi3EnterConfigurationMode", three.enter_configuration,)
            }
            Functions::Three(three) => call!(self, "fmi3ExitConfigurationMode", three.exit_configuration,),
        }
    }

    /// The end of the run.
    pub fn terminate(&mut self) -> Done {
        let fmu = self.fmu.clone();
        match &fmu.loaded.functions {
            Functions::Two(two) => call!(self, "fmi2Terminate", Some(two.terminate),),
            Functions::Three(three) => call!(self, "fmi3Terminate", Some(three.terminate),),
        }
    }

    /// Numbers of one type.
    pub fn get(&mut self, ty: Type, references: &[u32], out: &mut [f64]) -> Done {
        let (fmu, h, r) = (self.fmu.clone(), self.handle, references);
        let (pointer, count) = (references.as_ptr(), references.len());
        // SAFETY: as many values as the references have elements, of the type that they have.
        let (name, status) = unsafe {
            match &fmu.loaded.functions {
                Functions::Two(two) => match ty {
                    Type::Float64 | Type::Float32 => {
                        ("fmi2GetReal", (two.get_reals)(h, pointer, count, out.as_mut_ptr()))
                    }
                    _ => {
                        let mut values = vec![0; out.len()];
                        let (name, get) = match ty {
                            Type::Boolean => ("fmi2GetBoolean", two.get_booleans),
                            _ => ("fmi2GetInteger", two.get_integers),
                        };
                        let status = get(h, pointer, count, values.as_mut_ptr());
                        out.iter_mut().zip(values).for_each(|(out, value)| *out = f64::from(value));
                        (name, status)
                    }
                },
                Functions::Three(f) => match ty {
                    Type::Float64 => {
                        let n = out.len();
                        ("fmi3GetFloat64", (f.get_f64)(h, pointer, count, out.as_mut_ptr(), n))
                    }
                    Type::Float32 => ("fmi3GetFloat32", read(f.get_f32, h, r, out, f64::from)),
                    Type::Boolean => {
                        ("fmi3GetBoolean", read(f.get_bool, h, r, out, |b| f64::from(u8::from(b))))
                    }
                    Type::Integer { bits: 8, signed: true } => {
                        ("fmi3GetInt8", read(f.get_i8, h, r, out, f64::from))
                    }
                    Type::Integer { bits: 8, .. } => ("fmi3GetUInt8", read(f.get_u8, h, r, out, f64::from)),
                    Type::Integer { bits: 16, signed: true } => {
                        ("fmi3GetInt16", read(f.get_i16, h, r, out, f64::from))
                    }
                    Type::Integer { bits: 16, .. } => {
                        ("fmi3GetUInt16", read(f.get_u16, h, r, out, f64::from))
                    }
                    Type::Integer { bits: 32, signed: true } => {
                        ("fmi3GetInt32", read(f.get_i32, h, r, out, f64::from))
                    }
                    Type::Integer { bits: 32, .. } => {
                        ("fmi3GetUInt32", read(f.get_u32, h, r, out, f64::from))
                    }
                    Type::Integer { signed: false, .. } => {
                        ("fmi3GetUInt64", read(f.get_u64, h, r, out, |x| x as f64))
                    }
                    _ => ("fmi3GetInt64", read(f.get_i64, h, r, out, |x| x as f64)),
                },
            }
        };
        self.judge(name, status)
    }

    /// Gives variables of one type their values.
    pub fn set(&mut self, ty: Type, references: &[u32], values: &[f64]) -> Done {
        let (fmu, h, r) = (self.fmu.clone(), self.handle, references);
        let (pointer, count) = (references.as_ptr(), references.len());
        // SAFETY: as many values as the references have elements, of the type that they have.
        let (name, status) = unsafe {
            match &fmu.loaded.functions {
                Functions::Two(two) => match ty {
                    Type::Float64 | Type::Float32 => {
                        ("fmi2SetReal", (two.set_reals)(h, pointer, count, values.as_ptr()))
                    }
                    _ => {
                        let values: Vec<c_int> = values.iter().map(|value| *value as c_int).collect();
                        let (name, set) = match ty {
                            Type::Boolean => ("fmi2SetBoolean", two.set_booleans),
                            _ => ("fmi2SetInteger", two.set_integers),
                        };
                        (name, set(h, pointer, count, values.as_ptr()))
                    }
                },
                Functions::Three(f) => match ty {
                    Type::Float64 => {
                        ("fmi3SetFloat64", (f.set_f64)(h, pointer, count, values.as_ptr(), values.len()))
                    }
                    Type::Float32 => ("fmi3SetFloat32", write(f.set_f32, h, r, values, |x| x as f32)),
                    Type::Boolean => ("fmi3SetBoolean", write(f.set_bool, h, r, values, |x| x != 0.0)),
                    Type::Integer { bits: 8, signed: true } => {
                        ("fmi3SetInt8", write(f.set_i8, h, r, values, |x| x as i8))
                    }
                    Type::Integer { bits: 8, .. } => {
                        ("fmi3SetUInt8", write(f.set_u8, h, r, values, |x| x as u8))
                    }
                    Type::Integer { bits: 16, signed: true } => {
                        ("fmi3SetInt16", write(f.set_i16, h, r, values, |x| x as i16))
                    }
                    Type::Integer { bits: 16, .. } => {
                        ("fmi3SetUInt16", write(f.set_u16, h, r, values, |x| x as u16))
                    }
                    Type::Integer { bits: 32, signed: true } => {
                        ("fmi3SetInt32", write(f.set_i32, h, r, values, |x| x as i32))
                    }
                    Type::Integer { bits: 32, .. } => {
                        ("fmi3SetUInt32", write(f.set_u32, h, r, values, |x| x as u32))
                    }
                    Type::Integer { signed: false, .. } => {
                        ("fmi3SetUInt64", write(f.set_u64, h, r, values, |x| x as u64))
                    }
                    _ => ("fmi3SetInt64", write(f.set_i64, h, r, values, |x| x as i64)),
                },
            }
        };
        self.judge(name, status)
    }

    /// Texts of String variables with so many elements together.
    pub fn texts(&mut self, references: &[u32], count: usize) -> Done<Vec<String>> {
        let fmu = self.fmu.clone();
        let mut texts: Vec<Text> = vec![std::ptr::null(); count];
        let (h, pointer, n) = (self.handle, references.as_ptr(), references.len());
        // SAFETY: as many pointers as there are elements; the texts live until the next call.
        let (name, status) = unsafe {
            match &fmu.loaded.functions {
                Functions::Two(two) => {
                    ("fmi2GetString", (two.get_strings)(h, pointer, n, texts.as_mut_ptr()))
                }
                Functions::Three(three) => {
                    ("fmi3GetString", (three.get_string)(h, pointer, n, texts.as_mut_ptr(), count))
                }
            }
        };
        self.judge(name, status)?;
        let text = |text: &Text| match text.is_null() {
            true => String::new(),
            // SAFETY: the FMU has given a text.
            false => unsafe { CStr::from_ptr(*text) }.to_string_lossy().into_owned(),
        };
        Ok(texts.iter().map(text).collect())
    }

    /// Gives String variables their texts.
    pub fn set_texts(&mut self, references: &[u32], texts: &[String]) -> Done {
        let fmu = self.fmu.clone();
        let texts: Vec<CString> =
            texts.iter().map(|text| CString::new(text.replace('\0', "")).unwrap_or_default()).collect();
        let pointers: Vec<Text> = texts.iter().map(|text| text.as_ptr()).collect();
        let (h, pointer, n) = (self.handle, references.as_ptr(), references.len());
        // SAFETY: the texts live as long as the call.
        let (name, status) = unsafe {
            match &fmu.loaded.functions {
                Functions::Two(two) => ("fmi2SetString", (two.set_strings)(h, pointer, n, pointers.as_ptr())),
                Functions::Three(three) => {
                    ("fmi3SetString", (three.set_string)(h, pointer, n, pointers.as_ptr(), pointers.len()))
                }
            }
        };
        self.judge(name, status)
    }

    /// Goes from the motion to event mode.
    pub fn enter_events(&mut self) -> Done {
        let fmu = self.fmu.clone();
        match &fmu.loaded.functions {
            Functions::Two(two) => call!(self, "fmi2EnterEventMode", two.enter_events,),
            Functions::Three(three) => call!(self, "fmi3EnterEventMode", three.enter_events,),
        }
    }

    /// The event at the present point, until nothing changes any more.
    pub fn update(&mut self) -> Done<Update> {
        let fmu = self.fmu.clone();
        let mut all = Update::default();
        for _ in 0..ROUNDS {
            let again = match &fmu.loaded.functions {
                Functions::Two(two) => {
                    let mut info = EventInfo::default();
                    call!(self, "fmi2NewDiscreteStates", two.update, &mut info)?;
                    all.terminate |= info.terminate != 0;
                    all.states_changed |= info.states != 0;
                    all.next = (info.next_defined != 0).then_some(info.next);
                    info.again != 0
                }
                Functions::Three(three) => {
                    let [mut again, mut end, mut nominals, mut states, mut defined] = [false; 5];
                    let mut next = 0.0;
                    call!(
                        self,
                        "fmi3UpdateDiscreteStates",
                        three.update,
                        &mut again,
                        &mut end,
                        &mut nominals,
                        &mut states,
                        &mut defined,
                        &mut next
                    )?;
                    all.terminate |= end;
                    all.states_changed |= states;
                    all.next = defined.then_some(next);
                    again
                }
            };
            if !again || all.terminate {
                return Ok(all);
            }
        }
        let said = vec![format!("its event does not end: it asked for more than {ROUNDS} rounds")];
        Err(Failure { call: "update of discrete states", status: ERROR, said })
    }

    /// Goes from event mode back to the motion, or to steps.
    pub fn leave_events(&mut self) -> Done {
        let fmu = self.fmu.clone();
        match (&fmu.loaded.functions, fmu.kind) {
            (Functions::Two(two), _) => call!(self, "fmi2EnterContinuousTimeMode", two.enter_time,),
            (Functions::Three(three), Kind::ModelExchange) => {
                call!(self, "fmi3EnterContinuousTimeMode", three.enter_time,)
            }
            (Functions::Three(three), Kind::CoSimulation) => {
                call!(self, "fmi3EnterStepMode", three.enter_steps,)
            }
        }
    }

    /// Model exchange: another time.
    pub fn set_time(&mut self, time: f64) -> Done {
        let fmu = self.fmu.clone();
        match &fmu.loaded.functions {
            Functions::Two(two) => call!(self, "fmi2SetTime", two.set_time, time),
            Functions::Three(three) => call!(self, "fmi3SetTime", three.set_time, time),
        }
    }

    /// Model exchange: other states.
    pub fn set_states(&mut self, x: &[f64]) -> Done {
        vector!(self, set_states, "SetContinuousStates", "SetContinuousStates", x.as_ptr(), x.len())
    }

    /// Model exchange: the states as they are.
    pub fn states(&mut self, x: &mut [f64]) -> Done {
        vector!(self, get_states, "GetContinuousStates", "GetContinuousStates", x.as_mut_ptr(), x.len())
    }

    /// Model exchange: the sizes of the states.
    pub fn nominals(&mut self, x: &mut [f64]) -> Done {
        vector!(
            self,
            nominals,
            "GetNominalsOfContinuousStates",
            "GetNominalsOfContinuousStates",
            x.as_mut_ptr(),
            x.len()
        )
    }

    /// Model exchange: the derivatives of the states.
    pub fn derivatives(&mut self, dx: &mut [f64]) -> Done {
        vector!(
            self,
            derivatives,
            "GetDerivatives",
            "GetContinuousStateDerivatives",
            dx.as_mut_ptr(),
            dx.len()
        )
    }

    /// Model exchange: the event indicators.
    pub fn indicators(&mut self, z: &mut [f64]) -> Done {
        vector!(self, indicators, "GetEventIndicators", "GetEventIndicators", z.as_mut_ptr(), z.len())
    }

    /// Model exchange: a step is over. Is there an event; has the FMU come to its end?
    pub fn complete_step(&mut self) -> Done<(bool, bool)> {
        let fmu = self.fmu.clone();
        match &fmu.loaded.functions {
            Functions::Two(two) => {
                let (mut event, mut end) = (0, 0);
                call!(self, "fmi2CompletedIntegratorStep", two.complete, 1, &mut event, &mut end)?;
                Ok((event != 0, end != 0))
            }
            Functions::Three(three) => {
                let (mut event, mut end) = (false, false);
                call!(self, "fmi3CompletedIntegratorStep", three.complete, true, &mut event, &mut end)?;
                Ok((event, end))
            }
        }
    }

    /// The changes of unknowns along a direction of knowns.
    pub fn directional(&mut self, unknowns: &[u32], knowns: &[u32], seed: &[f64], out: &mut [f64]) -> Done {
        let fmu = self.fmu.clone();
        let (u, k) = (unknowns.as_ptr(), knowns.as_ptr());
        match &fmu.loaded.functions {
            Functions::Two(two) => call!(
                self,
                "fmi2GetDirectionalDerivative",
                two.directional,
                u,
                unknowns.len(),
                k,
                knowns.len(),
                seed.as_ptr(),
                out.as_mut_ptr()
            ),
            Functions::Three(three) => call!(
                self,
                "fmi3GetDirectionalDerivative",
                three.directional,
                u,
                unknowns.len(),
                k,
                knowns.len(),
                seed.as_ptr(),
                seed.len(),
                out.as_mut_ptr(),
                out.len()
            ),
        }
    }

    /// Co-simulation: a step. `again`: nobody will go back before its beginning.
    pub fn step(&mut self, from: f64, by: f64, forward: bool) -> Done<Stepped> {
        let fmu = self.fmu.clone();
        match &fmu.loaded.functions {
            Functions::Two(two) => {
                let done = call!(self, "fmi2DoStep", two.step, from, by, c_int::from(forward));
                let Err(failure) = done else {
                    return Ok(Stepped { time: from + by, event: false, terminate: false });
                };
                if failure.status != DISCARD {
                    return Err(failure);
                }
                // The FMU may have asked for the end, and says how far it came.
                let (mut last, mut ended) = (from, 0);
                if let (Some(real), Some(boolean)) = (two.real_status, two.boolean_status) {
                    // SAFETY: both are questions of the standard.
                    unsafe {
                        boolean(self.handle, TERMINATED, &mut ended);
                        real(self.handle, LAST_TIME, &mut last);
                    }
                }
                self.said.take();
                match ended != 0 {
                    true => Ok(Stepped { time: last.clamp(from, from + by), event: false, terminate: true }),
                    false => Err(failure),
                }
            }
            Functions::Three(three) => {
                let [mut event, mut end, mut early] = [false; 3];
                let mut last = from + by;
                call!(
                    self,
                    "fmi3DoStep",
                    three.step,
                    from,
                    by,
                    forward,
                    &mut event,
                    &mut end,
                    &mut early,
                    &mut last
                )?;
                let time = if early || end { last.clamp(from, from + by) } else { from + by };
                Ok(Stepped { time, event, terminate: end })
            }
        }
    }

    /// A copy of all that changes.
    pub fn keep(&mut self) -> Done<Kept> {
        let fmu = self.fmu.clone();
        let mut state = std::ptr::null_mut();
        match &fmu.loaded.functions {
            Functions::Two(two) => call!(self, "fmi2GetFMUstate", two.get_state, &mut state)?,
            Functions::Three(three) => call!(self, "fmi3GetFMUState", three.get_state, &mut state)?,
        }
        Ok(Kept(state))
    }

    /// Goes back to a kept state.
    pub fn go_back(&mut self, kept: &Kept) -> Done {
        let fmu = self.fmu.clone();
        match &fmu.loaded.functions {
            Functions::Two(two) => call!(self, "fmi2SetFMUstate", two.set_state, kept.0),
            Functions::Three(three) => call!(self, "fmi3SetFMUState", three.set_state, kept.0),
        }
    }

    /// Frees a kept state.
    pub fn forget(&mut self, kept: Kept) {
        let mut state = kept.0;
        let fmu = self.fmu.clone();
        let free = match &fmu.loaded.functions {
            Functions::Two(two) => two.free_state,
            Functions::Three(three) => three.free_state,
        };
        if let Some(free) = free.filter(|_| !self.dead && !state.is_null()) {
            // SAFETY: the state is one of this instance, and nobody else has it.
            unsafe { free(self.handle, &mut state) };
        }
    }

    /// A kept state as bytes.
    pub fn write(&mut self, kept: &Kept) -> Done<Vec<u8>> {
        let fmu = self.fmu.clone();
        let mut size = 0;
        match &fmu.loaded.functions {
            Functions::Two(two) => {
                call!(self, "fmi2SerializedFMUstateSize", two.state_size, kept.0, &mut size)?;
                let mut bytes = vec![0; size];
                call!(self, "fmi2SerializeFMUstate", two.write_state, kept.0, bytes.as_mut_ptr(), size)?;
                Ok(bytes)
            }
            Functions::Three(three) => {
                call!(self, "fmi3SerializedFMUStateSize", three.state_size, kept.0, &mut size)?;
                let mut bytes = vec![0; size];
                call!(self, "fmi3SerializeFMUState", three.write_state, kept.0, bytes.as_mut_ptr(), size)?;
                Ok(bytes)
            }
        }
    }

    /// The state that `write` has made bytes of.
    pub fn read(&mut self, bytes: &[u8]) -> Done<Kept> {
        let fmu = self.fmu.clone();
        let mut state = std::ptr::null_mut();
        let (pointer, size) = (bytes.as_ptr(), bytes.len());
        match &fmu.loaded.functions {
            Functions::Two(two) => {
                call!(self, "fmi2DeSerializeFMUstate", two.read_state, pointer, size, &mut state)?;
            }
            Functions::Three(three) => {
                call!(self, "fmi3DeserializeFMUState", three.read_state, pointer, size, &mut state)?;
            }
        }
        Ok(Kept(state))
    }

    /// The version of the standard.
    pub fn version(&self) -> Version {
        self.fmu.description.version
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.dead {
            return;
        }
        // SAFETY: the handle is one of this library and is not used again.
        unsafe {
            match &self.fmu.loaded.functions {
                Functions::Two(two) => (two.release)(self.handle),
                Functions::Three(three) => (three.release)(self.handle),
            }
        }
    }
}

/// The address of a folder as FMI 2.0 wants it.
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b':' => {
                out.push(byte as char);
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
