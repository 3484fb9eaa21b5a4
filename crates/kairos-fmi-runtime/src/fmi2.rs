//! The C functions of FMI 2.0.
#![allow(
    unsafe_code,
    reason = "C functions take and give pointers; every one trusts its importer as the standard says"
)]
#![allow(non_snake_case, clippy::missing_safety_doc)]

use crate::instance::{Crossing, Failed, Instance, Kind, Stepped};
use crate::pointers::{Handle, Logger, Status, c_text, folder_of, free, list, list_mut, put, text, with};
use crate::state::Kept;
use std::ffi::{c_char, c_void};

type Component = *mut c_void;
type Boolean = i32;
type Log = unsafe extern "C" fn(*mut c_void, *const c_char, i32, *const c_char, *const c_char, ...);

/// What the importer lends.
#[repr(C)]
pub struct Callbacks {
    logger: Option<Log>,
    allocate: *const c_void,
    free: *const c_void,
    step_finished: *const c_void,
    environment: *mut c_void,
}

/// What event mode reports.
#[repr(C)]
pub struct EventInfo {
    new_discrete_states_needed: Boolean,
    terminate: Boolean,
    nominals_changed: Boolean,
    values_changed: Boolean,
    next_event_time_defined: Boolean,
    next_event_time: f64,
}

const TERMINATED: i32 = 3;

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: i32,
    guid: *const c_char,
    resources: *const c_char,
    functions: *const Callbacks,
    _visible: Boolean,
    _logging: Boolean,
) -> Component {
    // SAFETY: the importer's texts and callbacks, as the standard says.
    let (name, guid, resources) = unsafe { (text(name), text(guid), text(resources)) };
    let callbacks = unsafe { functions.as_ref() };
    let (log, environment) = callbacks.map_or((None, std::ptr::null_mut()), |c| (c.logger, c.environment));
    let name = c_text(name);
    let logger: Logger = Box::new(move |status, message| {
        if let Some(log) = log {
            let category = if status == 1 { c"logStatusWarning" } else { c"logStatusError" };
            // The message is a format; importers that cannot read arguments print it as it is.
            let message = c_text(&message.replace('%', "%%"));
            // SAFETY: the importer's function, called as the standard says.
            unsafe { log(environment, name.as_ptr(), status, category.as_ptr(), message.as_ptr()) };
        }
    });
    let kind = if kind == 0 { Kind::ModelExchange } else { Kind::CoSimulation };
    Handle::make(kind, guid, folder_of(resources), logger)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeInstance(c: Component) {
    unsafe { free(c) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetDebugLogging(
    _c: Component,
    _on: Boolean,
    _count: usize,
    _categories: *const *const c_char,
) -> i32 {
    Status::Ok as i32
}

/// Does something that gives nothing.
unsafe fn run(c: Component, work: impl FnOnce(&mut Instance) -> Result<(), Failed>) -> i32 {
    unsafe { with(c, |instance| work(instance).map(|()| Status::Ok)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetupExperiment(
    c: Component,
    tolerance_defined: Boolean,
    tolerance: f64,
    start: f64,
    stop_defined: Boolean,
    stop: f64,
) -> i32 {
    let tolerance = (tolerance_defined != 0 && tolerance > 0.0).then_some(tolerance);
    unsafe { run(c, |instance| instance.set_up(tolerance, start, (stop_defined != 0).then_some(stop))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterInitializationMode(c: Component) -> i32 {
    unsafe { run(c, Instance::enter_initialisation) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2ExitInitializationMode(c: Component) -> i32 {
    unsafe { run(c, |instance| instance.exit_initialisation().map(|_| ())) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Terminate(c: Component) -> i32 {
    unsafe { run(c, Instance::terminate) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Reset(c: Component) -> i32 {
    unsafe {
        run(c, |instance| {
            instance.reset();
            Ok(())
        })
    }
}

/// Gives numbers.
unsafe fn get<T: Copy>(c: Component, vr: *const u32, n: usize, out: *mut T, cast: impl Fn(f64) -> T) -> i32 {
    let (references, values) = unsafe { (list(vr, n), list_mut(out, n)) };
    unsafe {
        run(c, |instance| {
            for (reference, value) in references.iter().zip(values) {
                match instance.get(*reference)? {
                    Crossing::Number(number) => *value = cast(number),
                    Crossing::Text(_) => return instance.fail("a text is no number"),
                }
            }
            Ok(())
        })
    }
}

/// Takes numbers.
unsafe fn set<T: Copy>(
    c: Component,
    vr: *const u32,
    n: usize,
    given: *const T,
    cast: impl Fn(T) -> f64,
) -> i32 {
    let (references, values) = unsafe { (list(vr, n), list(given, n)) };
    unsafe {
        run(c, |instance| {
            let mut pairs = references.iter().zip(values);
            pairs.try_for_each(|(reference, value)| instance.set(*reference, Crossing::Number(cast(*value))))
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(c: Component, vr: *const u32, n: usize, value: *mut f64) -> i32 {
    unsafe { get(c, vr, n, value, |x| x) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetInteger(c: Component, vr: *const u32, n: usize, value: *mut i32) -> i32 {
    unsafe { get(c, vr, n, value, |x| x as i32) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBoolean(c: Component, vr: *const u32, n: usize, value: *mut Boolean) -> i32 {
    unsafe { get(c, vr, n, value, |x| Boolean::from(x != 0.0)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetString(
    c: Component,
    vr: *const u32,
    n: usize,
    value: *mut *const c_char,
) -> i32 {
    unsafe { get_texts(c, vr, n, value, n) }
}

/// Gives texts, which stay until the next call that gives some.
pub(crate) unsafe fn get_texts(
    c: Component,
    vr: *const u32,
    n: usize,
    out: *mut *const c_char,
    count: usize,
) -> i32 {
    let (references, values) = unsafe { (list(vr, n), list_mut(out, count)) };
    unsafe {
        run(c, |instance| {
            let mut texts = Vec::new();
            for reference in &instance.elements(references) {
                match instance.get(*reference)? {
                    Crossing::Text(text) => texts.push(c_text(&text)),
                    Crossing::Number(_) => return instance.fail("a number is no text"),
                }
            }
            instance.texts = texts;
            values.iter_mut().zip(&instance.texts).for_each(|(value, text)| *value = text.as_ptr());
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(c: Component, vr: *const u32, n: usize, value: *const f64) -> i32 {
    unsafe { set(c, vr, n, value, |x| x) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetInteger(c: Component, vr: *const u32, n: usize, value: *const i32) -> i32 {
    unsafe { set(c, vr, n, value, f64::from) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetBoolean(
    c: Component,
    vr: *const u32,
    n: usize,
    value: *const Boolean,
) -> i32 {
    unsafe { set(c, vr, n, value, |x| f64::from(u8::from(x != 0))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetString(
    c: Component,
    vr: *const u32,
    n: usize,
    value: *const *const c_char,
) -> i32 {
    unsafe { set_texts(c, vr, n, value, n) }
}

/// Takes texts.
pub(crate) unsafe fn set_texts(
    c: Component,
    vr: *const u32,
    n: usize,
    given: *const *const c_char,
    count: usize,
) -> i32 {
    let (references, values) = unsafe { (list(vr, n), list(given, count)) };
    unsafe {
        run(c, |instance| {
            let references = instance.elements(references);
            let mut pairs = references.iter().zip(values);
            pairs.try_for_each(|(reference, value)| {
                instance.set(*reference, Crossing::Text(text(*value).to_string()))
            })
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetFMUstate(c: Component, state: *mut *mut c_void) -> i32 {
    unsafe { keep(c, state) }
}

/// Keeps the present state, in the place of another one if there is one.
pub(crate) unsafe fn keep(c: Component, state: *mut *mut c_void) -> i32 {
    unsafe {
        run(c, |instance| {
            let kept: *mut Kept = Box::into_raw(Box::new(instance.keep()?));
            if let Some(state) = state.as_mut() {
                forget(*state);
                *state = kept.cast();
            }
            Ok(())
        })
    }
}

/// Frees a kept state.
unsafe fn forget(state: *mut c_void) {
    if !state.is_null() {
        // SAFETY: a state that `keep` or `take` has given.
        drop(unsafe { Box::from_raw(state.cast::<Kept>()) });
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetFMUstate(c: Component, state: *mut c_void) -> i32 {
    unsafe {
        run(c, |instance| match state.cast::<Kept>().as_ref() {
            Some(kept) => instance.go_back(kept),
            None => instance.fail("there is no state to go back to"),
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeFMUstate(_c: Component, state: *mut *mut c_void) -> i32 {
    unsafe {
        if let Some(state) = state.as_mut() {
            forget(*state);
            *state = std::ptr::null_mut();
        }
    }
    Status::Ok as i32
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializedFMUstateSize(
    c: Component,
    state: *mut c_void,
    size: *mut usize,
) -> i32 {
    unsafe {
        run(c, |instance| match state.cast::<Kept>().as_ref() {
            Some(kept) => instance.write(kept).map(|bytes| put(size, bytes.len())),
            None => instance.fail("there is no state to write down"),
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializeFMUstate(
    c: Component,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> i32 {
    unsafe {
        run(c, |instance| {
            let Some(kept) = state.cast::<Kept>().as_ref() else {
                return instance.fail("there is no state to write down");
            };
            let written = instance.write(kept)?;
            if written.len() > size {
                return instance.fail("there is not enough room for the state");
            }
            list_mut(bytes, size)[..written.len()].copy_from_slice(&written);
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
    c: Component,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> i32 {
    unsafe {
        run(c, |instance| {
            let kept: *mut Kept = Box::into_raw(Box::new(instance.read(list(bytes, size))?));
            if let Some(state) = state.as_mut() {
                forget(*state);
                *state = kept.cast();
            }
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
    c: Component,
    unknown: *const u32,
    unknowns: usize,
    known: *const u32,
    knowns: usize,
    seed: *const f64,
    sensitivity: *mut f64,
) -> i32 {
    unsafe {
        let (unknown, known) = (list(unknown, unknowns), list(known, knowns));
        let (seed, out) = (list(seed, knowns), list_mut(sensitivity, unknowns));
        run(c, |instance| instance.directional(unknown, known, seed, out))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterEventMode(_c: Component) -> i32 {
    Status::Ok as i32
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2NewDiscreteStates(c: Component, info: *mut EventInfo) -> i32 {
    unsafe {
        run(c, |instance| {
            let update = instance.update()?;
            let reported = EventInfo {
                new_discrete_states_needed: 0,
                terminate: Boolean::from(update.terminate),
                nominals_changed: 0,
                values_changed: Boolean::from(update.states_changed),
                next_event_time_defined: Boolean::from(update.next.is_some()),
                next_event_time: update.next.unwrap_or(0.0),
            };
            put(info, reported);
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterContinuousTimeMode(_c: Component) -> i32 {
    Status::Ok as i32
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CompletedIntegratorStep(
    c: Component,
    _no_set_before: Boolean,
    enter_event_mode: *mut Boolean,
    terminate: *mut Boolean,
) -> i32 {
    unsafe {
        run(c, |instance| {
            let event = instance.complete_step()?;
            put(enter_event_mode, Boolean::from(event));
            put(terminate, 0);
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetTime(c: Component, time: f64) -> i32 {
    unsafe {
        run(c, |instance| {
            instance.set_time(time);
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetContinuousStates(c: Component, x: *const f64, n: usize) -> i32 {
    unsafe {
        run(c, |instance| {
            instance.set_states(list(x, n));
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDerivatives(c: Component, dx: *mut f64, n: usize) -> i32 {
    unsafe { discard(c, |instance| instance.derivatives(list_mut(dx, n))) }
}

/// Does something that may fail at this point and not at others: the importer may try a shorter step.
pub(crate) unsafe fn discard(c: Component, work: impl FnOnce(&mut Instance) -> Result<(), Failed>) -> i32 {
    unsafe { with(c, |i| Ok::<_, Failed>(if work(i).is_ok() { Status::Ok } else { Status::Discard })) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetEventIndicators(c: Component, z: *mut f64, n: usize) -> i32 {
    unsafe { discard(c, |instance| instance.indicators(list_mut(z, n))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetContinuousStates(c: Component, x: *mut f64, n: usize) -> i32 {
    unsafe {
        run(c, |instance| {
            instance.states(list_mut(x, n));
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetNominalsOfContinuousStates(c: Component, x: *mut f64, n: usize) -> i32 {
    unsafe {
        run(c, |instance| {
            instance.nominals(list_mut(x, n));
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetRealInputDerivatives(
    c: Component,
    _vr: *const u32,
    _n: usize,
    _order: *const i32,
    _value: *const f64,
) -> i32 {
    unsafe {
        run(c, |instance| instance.fail("inputs are held during a step: their derivatives are not used"))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealOutputDerivatives(
    c: Component,
    _vr: *const u32,
    _n: usize,
    _order: *const i32,
    _value: *mut f64,
) -> i32 {
    unsafe { run(c, |instance| instance.fail("derivatives of outputs are not given")) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DoStep(c: Component, from: f64, by: f64, _no_set_before: Boolean) -> i32 {
    unsafe {
        with(c, |instance| {
            let stepped = instance.step(from, by, false)?;
            Ok::<_, Failed>(if stepped == Stepped::Ended { Status::Discard } else { Status::Ok })
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CancelStep(c: Component) -> i32 {
    unsafe { run(c, |instance| instance.fail("steps are made at once: there is none to be cancelled")) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStatus(_c: Component, _kind: i32, _value: *mut i32) -> i32 {
    Status::Discard as i32
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealStatus(c: Component, _kind: i32, value: *mut f64) -> i32 {
    unsafe {
        run(c, |instance| {
            put(value, instance.time());
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetIntegerStatus(_c: Component, _kind: i32, _value: *mut i32) -> i32 {
    Status::Discard as i32
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBooleanStatus(c: Component, kind: i32, value: *mut Boolean) -> i32 {
    unsafe {
        run(c, |instance| {
            put(value, Boolean::from(kind == TERMINATED && instance.has_terminated()));
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStringStatus(_c: Component, _kind: i32, _value: *mut *const c_char) -> i32 {
    Status::Discard as i32
}
