//! The C functions of FMI 3.0.
#![allow(
    unsafe_code,
    reason = "C functions take and give pointers; every one trusts its importer as the standard says"
)]
#![allow(non_snake_case, clippy::missing_safety_doc)]

use crate::fmi2::{discard, get_texts, keep, set_texts};
use crate::fmi2::{
    fmi2DeSerializeFMUstate, fmi2FreeFMUstate, fmi2SerializeFMUstate, fmi2SerializedFMUstateSize,
    fmi2SetFMUstate,
};
use crate::instance::{Crossing, Failed, Instance, Intermediate, Kind, Stepped, Steps};
use crate::pointers::{Handle, Logger, Status, c_text, free, list, list_mut, put, text, with};
use std::ffi::{c_char, c_void};
use std::path::PathBuf;

type Component = *mut c_void;
type Log = unsafe extern "C" fn(*mut c_void, i32, *const c_char, *const c_char);

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetDebugLogging(
    _c: Component,
    _on: bool,
    _count: usize,
    _categories: *const *const c_char,
) -> i32 {
    Status::Ok as i32
}

unsafe fn instantiate(
    kind: Kind,
    token: *const c_char,
    resources: *const c_char,
    environment: *mut c_void,
    log: Option<Log>,
) -> Component {
    let (token, resources) = unsafe { (text(token), text(resources)) };
    let logger: Logger = Box::new(move |status, message| {
        if let Some(log) = log {
            let category = if status == 1 { c"logStatusWarning" } else { c"logStatusError" };
            let message = c_text(message);
            // SAFETY: the importer's function, called as the standard says.
            unsafe { log(environment, status, category.as_ptr(), message.as_ptr()) };
        }
    });
    Handle::make(kind, token, Ok(PathBuf::from(resources)), logger)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    log: Option<Log>,
) -> Component {
    unsafe { instantiate(Kind::ModelExchange, token, resources, environment, log) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging: bool,
    event_mode_used: bool,
    early_return_allowed: bool,
    _required: *const u32,
    _required_count: usize,
    environment: *mut c_void,
    log: Option<Log>,
    intermediate: Option<Intermediate>,
) -> Component {
    unsafe {
        let component = instantiate(Kind::CoSimulation, token, resources, environment, log);
        if !component.is_null() {
            run(component, |instance| {
                instance.steps = Steps {
                    end_at_events: event_mode_used && early_return_allowed,
                    may_end_early: early_return_allowed,
                    intermediate: intermediate.map(|update| (update, environment)),
                };
                Ok(())
            });
        }
        component
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    _name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    log: Option<Log>,
    _clock_update: *const c_void,
    _lock: *const c_void,
    _unlock: *const c_void,
) -> Component {
    if let Some(log) = log {
        let message = c"scheduled execution is not offered: use co-simulation or model exchange";
        unsafe { log(environment, Status::Error as i32, c"logStatusError".as_ptr(), message.as_ptr()) };
    }
    std::ptr::null_mut()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeInstance(c: Component) {
    unsafe { free(c) }
}

/// Does something that gives nothing.
unsafe fn run(c: Component, work: impl FnOnce(&mut Instance) -> Result<(), Failed>) -> i32 {
    unsafe { with(c, |instance| work(instance).map(|()| Status::Ok)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EnterInitializationMode(
    c: Component,
    tolerance_defined: bool,
    tolerance: f64,
    start: f64,
    stop_defined: bool,
    stop: f64,
) -> i32 {
    let tolerance = (tolerance_defined && tolerance > 0.0).then_some(tolerance);
    unsafe {
        run(c, |instance| {
            instance.set_up(tolerance, start, stop_defined.then_some(stop))?;
            instance.enter_initialisation()
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3ExitInitializationMode(c: Component) -> i32 {
    unsafe { run(c, |instance| instance.exit_initialisation().map(|_| ())) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3Terminate(c: Component) -> i32 {
    unsafe { run(c, Instance::terminate) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3Reset(c: Component) -> i32 {
    unsafe {
        run(c, |instance| {
            instance.reset();
            Ok(())
        })
    }
}

const MISCOUNTED: &str = "there are as many values as the variables have elements";

/// Functions for numbers of one type: how a value becomes one, and how one becomes a value.
macro_rules! numbers {
    ($($type:ty: $get:ident $set:ident $out:expr, $in:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $get(
            c: Component,
            vr: *const u32,
            n: usize,
            values: *mut $type,
            count: usize,
        ) -> i32 {
            unsafe {
                let (references, values) = (list(vr, n), list_mut(values, count));
                run(c, |instance| {
                    let out: fn(f64) -> $type = $out;
                    let references = instance.elements(references);
                    if references.len() != values.len() {
                        return instance.fail(MISCOUNTED);
                    }
                    for (reference, value) in references.iter().zip(values) {
                        match instance.get(*reference)? {
                            Crossing::Number(number) => *value = out(number),
                            Crossing::Text(_) => return instance.fail("a text is no number"),
                        }
                    }
                    Ok(())
                })
            }
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $set(
            c: Component,
            vr: *const u32,
            n: usize,
            values: *const $type,
            count: usize,
        ) -> i32 {
            unsafe {
                let (references, values) = (list(vr, n), list(values, count));
                run(c, |instance| {
                    let into: fn($type) -> f64 = $in;
                    let references = instance.elements(references);
                    if references.len() != values.len() {
                        return instance.fail(MISCOUNTED);
                    }
                    let mut pairs = references.iter().zip(values);
                    pairs.try_for_each(|(vr, value)| instance.set(*vr, Crossing::Number(into(*value))))
                })
            }
        }
    )*};
}

numbers! {
    f32: fmi3GetFloat32 fmi3SetFloat32 |x| x as f32, f64::from;
    f64: fmi3GetFloat64 fmi3SetFloat64 |x| x, |x| x;
    i8: fmi3GetInt8 fmi3SetInt8 |x| x as i8, f64::from;
    u8: fmi3GetUInt8 fmi3SetUInt8 |x| x as u8, f64::from;
    i16: fmi3GetInt16 fmi3SetInt16 |x| x as i16, f64::from;
    u16: fmi3GetUInt16 fmi3SetUInt16 |x| x as u16, f64::from;
    i32: fmi3GetInt32 fmi3SetInt32 |x| x as i32, f64::from;
    u32: fmi3GetUInt32 fmi3SetUInt32 |x| x as u32, f64::from;
    i64: fmi3GetInt64 fmi3SetInt64 |x| x as i64, |x| x as f64;
    u64: fmi3GetUInt64 fmi3SetUInt64 |x| x as u64, |x| x as f64;
    bool: fmi3GetBoolean fmi3SetBoolean |x| x != 0.0, |x| f64::from(u8::from(x));
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetString(
    c: Component,
    vr: *const u32,
    n: usize,
    values: *mut *const c_char,
    count: usize,
) -> i32 {
    unsafe { get_texts(c, vr, n, values, count) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetString(
    c: Component,
    vr: *const u32,
    n: usize,
    values: *const *const c_char,
    count: usize,
) -> i32 {
    unsafe { set_texts(c, vr, n, values, count) }
}

/// Functions for what these models do not have.
macro_rules! absent {
    ($($name:ident($($argument:ident: $type:ty),*) $why:literal;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(c: Component, $($argument: $type),*) -> i32 {
            $(let _ = $argument;)*
            unsafe { run(c, |instance| instance.fail($why)) }
        }
    )*};
}

absent! {
    fmi3GetBinary(vr: *const u32, n: usize, sizes: *mut usize, values: *mut *const u8, count: usize)
        "there are no binary variables";
    fmi3SetBinary(vr: *const u32, n: usize, sizes: *const usize, values: *const *const u8, count: usize)
        "there are no binary variables";
    fmi3GetNumberOfVariableDependencies(vr: u32, count: *mut usize) "dependencies do not change while it runs";
    fmi3GetVariableDependencies(
        vr: u32, dependents: *mut usize, independents: *mut u32, of: *mut usize, kinds: *mut i32, count: usize
    ) "dependencies do not change while it runs";
    fmi3EnterConfigurationMode() "there are no structural parameters";
    fmi3ExitConfigurationMode() "there are no structural parameters";
    fmi3GetIntervalFraction(
        vr: *const u32, n: usize, counters: *mut u64, resolutions: *mut u64, qualifiers: *mut i32
    ) "the ticks of clocks are told as decimal numbers, and not changed";
    fmi3GetShiftFraction(vr: *const u32, n: usize, counters: *mut u64, resolutions: *mut u64) "the ticks of clocks are told as decimal numbers, and not changed";
    fmi3SetIntervalDecimal(vr: *const u32, n: usize, intervals: *const f64) "the ticks of clocks are told as decimal numbers, and not changed";
    fmi3SetIntervalFraction(vr: *const u32, n: usize, counters: *const u64, resolutions: *const u64)
        "the ticks of clocks are told as decimal numbers, and not changed";
    fmi3SetShiftDecimal(vr: *const u32, n: usize, shifts: *const f64) "the ticks of clocks are told as decimal numbers, and not changed";
    fmi3SetShiftFraction(vr: *const u32, n: usize, counters: *const u64, resolutions: *const u64)
        "the ticks of clocks are told as decimal numbers, and not changed";
    fmi3GetOutputDerivatives(vr: *const u32, n: usize, orders: *const i32, values: *mut f64, count: usize)
        "derivatives of outputs are not given";
    fmi3ActivateModelPartition(clock: u32, time: f64) "the ticks of clocks are told as decimal numbers, and not changed";
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(c: Component, state: *mut *mut c_void) -> i32 {
    unsafe { keep(c, state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFMUState(c: Component, state: *mut c_void) -> i32 {
    unsafe { fmi2SetFMUstate(c, state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(c: Component, state: *mut *mut c_void) -> i32 {
    unsafe { fmi2FreeFMUstate(c, state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(
    c: Component,
    state: *mut c_void,
    size: *mut usize,
) -> i32 {
    unsafe { fmi2SerializedFMUstateSize(c, state, size) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializeFMUState(
    c: Component,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> i32 {
    unsafe { fmi2SerializeFMUstate(c, state, bytes, size) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    c: Component,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> i32 {
    unsafe { fmi2DeSerializeFMUstate(c, bytes, size, state) }
}

/// Functions for derivatives: along a direction of knowns, or of a weighted sum of unknowns.
macro_rules! derivatives {
    ($($name:ident $ask:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            c: Component,
            unknown: *const u32,
            unknowns: usize,
            known: *const u32,
            knowns: usize,
            seed: *const f64,
            seeds: usize,
            sensitivity: *mut f64,
            sensitivities: usize,
        ) -> i32 {
            unsafe {
                let (unknown, known) = (list(unknown, unknowns), list(known, knowns));
                let (seed, out) = (list(seed, seeds), list_mut(sensitivity, sensitivities));
                run(c, |instance| {
                    let (unknown, known) = (instance.elements(unknown), instance.elements(known));
                    instance.$ask(&unknown, &known, seed, out)
                })
            }
        }
    )*};
}

derivatives! {
    fmi3GetDirectionalDerivative directional;
    fmi3GetAdjointDerivative adjoint;
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetClock(c: Component, vr: *const u32, n: usize, values: *mut bool) -> i32 {
    unsafe { ask(c, vr, n, values, Instance::is_active) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetClock(c: Component, vr: *const u32, n: usize, values: *const bool) -> i32 {
    unsafe {
        let (references, values) = (list(vr, n), list(values, n));
        run(c, |instance| {
            references.iter().zip(values).try_for_each(|(vr, value)| instance.activate(*vr, *value))
        })
    }
}

/// `fmi3IntervalChanged`: the interval is known, and valid from here on.
const INTERVAL_CHANGED: i32 = 2;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetIntervalDecimal(
    c: Component,
    vr: *const u32,
    n: usize,
    intervals: *mut f64,
    qualifiers: *mut i32,
) -> i32 {
    unsafe {
        list_mut(qualifiers, n).fill(INTERVAL_CHANGED);
        ask(c, vr, n, intervals, |instance, vr| instance.planned(vr, false))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetShiftDecimal(
    c: Component,
    vr: *const u32,
    n: usize,
    shifts: *mut f64,
) -> i32 {
    unsafe { ask(c, vr, n, shifts, |instance, vr| instance.planned(vr, true)) }
}

/// Asks something about every clock of a list.
unsafe fn ask<T>(
    c: Component,
    vr: *const u32,
    n: usize,
    out: *mut T,
    answer: impl Fn(&mut Instance, u32) -> Result<T, Failed>,
) -> i32 {
    unsafe {
        let (references, values) = (list(vr, n), list_mut(out, n));
        run(c, |instance| {
            for (reference, value) in references.iter().zip(values) {
                *value = answer(instance, *reference)?;
            }
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EnterEventMode(c: Component) -> i32 {
    unsafe {
        run(c, |instance| {
            instance.enter_event();
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EvaluateDiscreteStates(_c: Component) -> i32 {
    Status::Ok as i32
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3UpdateDiscreteStates(
    c: Component,
    need_update: *mut bool,
    terminate: *mut bool,
    nominals_changed: *mut bool,
    values_changed: *mut bool,
    next_defined: *mut bool,
    next: *mut f64,
) -> i32 {
    unsafe {
        run(c, |instance| {
            let update = match instance.kind() {
                Kind::ModelExchange => instance.update()?,
                Kind::CoSimulation => {
                    instance.finish_event()?;
                    Default::default()
                }
            };
            put(need_update, false);
            put(terminate, update.terminate);
            put(nominals_changed, false);
            put(values_changed, update.states_changed);
            put(next_defined, update.next.is_some());
            put(next, update.next.unwrap_or(0.0));
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EnterContinuousTimeMode(_c: Component) -> i32 {
    Status::Ok as i32
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EnterStepMode(_c: Component) -> i32 {
    Status::Ok as i32
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3CompletedIntegratorStep(
    c: Component,
    _no_set_before: bool,
    enter_event_mode: *mut bool,
    terminate: *mut bool,
) -> i32 {
    unsafe {
        run(c, |instance| {
            let event = instance.complete_step()?;
            put(enter_event_mode, event);
            put(terminate, false);
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetTime(c: Component, time: f64) -> i32 {
    unsafe {
        run(c, |instance| {
            instance.set_time(time);
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetContinuousStates(c: Component, x: *const f64, n: usize) -> i32 {
    unsafe {
        run(c, |instance| {
            instance.set_states(list(x, n));
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetContinuousStateDerivatives(c: Component, dx: *mut f64, n: usize) -> i32 {
    unsafe { discard(c, |instance| instance.derivatives(list_mut(dx, n))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetEventIndicators(c: Component, z: *mut f64, n: usize) -> i32 {
    unsafe { discard(c, |instance| instance.indicators(list_mut(z, n))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetContinuousStates(c: Component, x: *mut f64, n: usize) -> i32 {
    unsafe {
        run(c, |instance| {
            instance.states(list_mut(x, n));
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNominalsOfContinuousStates(c: Component, x: *mut f64, n: usize) -> i32 {
    unsafe {
        run(c, |instance| {
            instance.nominals(list_mut(x, n));
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfEventIndicators(c: Component, count: *mut usize) -> i32 {
    unsafe {
        run(c, |instance| {
            put(count, instance.indicator_count());
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfContinuousStates(c: Component, count: *mut usize) -> i32 {
    unsafe {
        run(c, |instance| {
            put(count, instance.state_count());
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    c: Component,
    from: f64,
    by: f64,
    _no_set_before: bool,
    event_needed: *mut bool,
    terminate: *mut bool,
    early_return: *mut bool,
    last_time: *mut f64,
) -> i32 {
    let end = from + by;
    let (mut here, mut to) = (from, end);
    loop {
        let mut steps = Steps::default();
        let mut stepped = Stepped::Reached;
        let status = unsafe {
            run(c, |instance| {
                steps = instance.steps;
                let to_event = steps.end_at_events || steps.intermediate.is_some();
                stepped = instance.step(here, to - here, to_event)?;
                here = instance.time();
                Ok(())
            })
        };
        if status != Status::Ok as i32 {
            return status;
        }
        // The importer may ask for values meanwhile: the instance is its own again.
        let wanted =
            if stepped == Stepped::Ended { None } else { unsafe { tell_intermediate(&steps, here) } };
        to = wanted.map_or(to, |time| time.clamp(here, to));
        if stepped == Stepped::Event && !steps.end_at_events && here < to {
            continue;
        }
        unsafe {
            put(event_needed, stepped == Stepped::Event && steps.end_at_events);
            put(terminate, stepped == Stepped::Ended);
            put(early_return, here < end);
            put(last_time, here);
        }
        return status;
    }
}

/// Calls the importer's function for the way through a step; the time at which it wants the step to end, if it does.
unsafe fn tell_intermediate(steps: &Steps, time: f64) -> Option<f64> {
    let (update, environment) = steps.intermediate?;
    let (mut early, mut early_time) = (false, time);
    // SAFETY: the importer's function, called as the standard says; nobody borrows the instance.
    unsafe { update(environment, time, false, true, true, steps.may_end_early, &mut early, &mut early_time) };
    (early && steps.may_end_early).then_some(early_time)
}
