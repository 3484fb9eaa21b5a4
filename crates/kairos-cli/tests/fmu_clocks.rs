//! Clocks of exported FMUs of FMI 3.0: those that tick by themselves, and those that an importer activates.
#![allow(unsafe_code, reason = "the functions of a shared library are called as its importer does")]

use libloading::Library;
use std::ffi::{CString, c_char, c_void};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A sum of what an input was at its ticks, a count of every third tick, and a count of a condition's.
const MODEL: &str = "model M
  parameter Real T = 0.1;
  input Real u(start = 1);
  output Real y;
  output Real s(start = 0);
  Integer n(start = 0);
  Integer m(start = 0);
  Real x(start = 0, fixed = true);
  Clock every = Clock(T);
  Clock third = subSample(every, 3);
  Clock late = Clock(x > 0.55);
equation
  der(x) = 1;
  when every then
    s = previous(s) + sample(u)*interval(every)/T;
  end when;
  when third then
    n = previous(n) + 1;
  end when;
  when late then
    m = previous(m) + 1;
  end when;
  y = hold(s);
end M;
";

/// What a clock from outside does: it takes an input that belongs to it, and tells how long it was not there.
const OUTSIDE: &str = "model M
  input Clock c;
  input Real u(start = 0);
  output Real s(start = 0);
  output Real since;
equation
  when c then
    s = previous(s) + u;
    since = interval(c);
  end when;
end M;
";

type Handle = *mut c_void;
type Log = unsafe extern "C" fn(*mut c_void, i32, *const c_char, *const c_char);

unsafe extern "C" fn log(_: *mut c_void, _: i32, _: *const c_char, message: *const c_char) {
    eprintln!("{}", unsafe { std::ffi::CStr::from_ptr(message) }.to_string_lossy());
}

struct Fmu {
    folder: PathBuf,
    library: Library,
    xml: String,
}

impl Drop for Fmu {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn export(name: &str, text: &str, options: &[&str]) -> Fmu {
    let folder = std::env::temp_dir().join(format!("kairos-clocks-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("M.mo"), text).expect("a model");
    let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
    command.current_dir(&folder).args(["fmu", "export", "M.mo", "--fmi", "3", "-o", "M.fmu", "--quiet"]);
    let done = command.args(options).output().expect("the command starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut archive =
        zip::ZipArchive::new(std::fs::File::open(folder.join("M.fmu")).expect("an FMU")).expect("a zip file");
    archive.extract(&folder).expect("files");
    let mut xml = String::new();
    archive.by_name("modelDescription.xml").expect("a description").read_to_string(&mut xml).expect("text");
    let library = (0..archive.len()).find_map(|k| {
        let name = archive.by_index(k).ok()?.name().ok()?.to_string();
        name.starts_with("binaries/").then_some(name)
    });
    let library = library.expect("a library");
    let library = unsafe { Library::new(Path::new(&folder).join(library)) }.expect("a library that loads");
    Fmu { folder, library, xml }
}

/// Flags and the time that a step or an event tells.
#[derive(Debug, Default)]
struct Told {
    event: bool,
    time: f64,
}

impl Fmu {
    /// The element of a variable.
    fn element(&self, name: &str) -> &str {
        let mark = format!(" name=\"{name}\" ");
        self.xml
            .lines()
            .find(|line| line.contains(&mark))
            .unwrap_or_else(|| panic!("no {name} in {}", self.xml))
    }

    fn reference(&self, name: &str) -> u32 {
        let rest = self.element(name).split_once("valueReference=\"").expect("a reference").1;
        rest.split('"').next().and_then(|text| text.parse().ok()).expect("a number")
    }

    fn function<T: Copy>(&self, name: &str) -> T {
        let name = format!("fmi3{name}");
        *unsafe { self.library.get::<T>(name.as_bytes()) }.unwrap_or_else(|_| panic!("no function {name}"))
    }

    /// An instance that has left its initialisation: in event mode.
    fn start(&self, exchange: bool) -> Handle {
        let text = |text: &str| CString::new(text).expect("text");
        let token = self.xml.split_once("instantiationToken=\"").expect("a token").1;
        let (name, token) = (text("one"), text(token.split('"').next().unwrap_or_default()));
        let path = text(&self.folder.join("resources").to_string_lossy());
        let none = std::ptr::null_mut();

        let (name, token, path) = (name.as_ptr(), token.as_ptr(), path.as_ptr());
        unsafe {
            let c = if exchange {
                let make: unsafe extern "C" fn(
                    *const c_char,
                    *const c_char,
                    *const c_char,
                    bool,
                    bool,
                    Handle,
                    Log,
                ) -> Handle = self.function("InstantiateModelExchange");
                make(name, token, path, false, false, none, log)
            } else {
                let make: unsafe extern "C" fn(
                    *const c_char,
                    *const c_char,
                    *const c_char,
                    bool,
                    bool,
                    bool,
                    bool,
                    *const u32,
                    usize,
                    Handle,
                    Log,
                    Handle,
                ) -> Handle = self.function("InstantiateCoSimulation");
                make(name, token, path, false, false, true, true, std::ptr::null(), 0, none, log, none)
            };
            assert!(!c.is_null());
            let enter: unsafe extern "C" fn(Handle, bool, f64, f64, bool, f64) -> i32 =
                self.function("EnterInitializationMode");
            assert_eq!(enter(c, true, 1e-9, 0.0, false, 0.0), 0);
            self.call("ExitInitializationMode", c);
            c
        }
    }

    fn call(&self, name: &str, c: Handle) {
        let call: unsafe extern "C" fn(Handle) -> i32 = self.function(name);
        assert_eq!(unsafe { call(c) }, 0, "{name}");
    }

    fn free(&self, c: Handle) {
        let free: unsafe extern "C" fn(Handle) = self.function("FreeInstance");
        unsafe { free(c) }
    }

    fn get(&self, c: Handle, name: &str) -> f64 {
        let (reference, mut value) = (self.reference(name), f64::NAN);
        let kind = if self.element(name).contains("<Int32") { "GetInt32" } else { "GetFloat64" };
        let mut whole = 0i32;
        unsafe {
            if kind == "GetInt32" {
                let get: unsafe extern "C" fn(Handle, *const u32, usize, *mut i32, usize) -> i32 =
                    self.function(kind);
                assert_eq!(get(c, &reference, 1, &mut whole, 1), 0, "{name}");
                return f64::from(whole);
            }
            let get: unsafe extern "C" fn(Handle, *const u32, usize, *mut f64, usize) -> i32 =
                self.function(kind);
            assert_eq!(get(c, &reference, 1, &mut value, 1), 0, "{name}");
        }
        value
    }

    fn set(&self, c: Handle, name: &str, value: f64) {
        let set: unsafe extern "C" fn(Handle, *const u32, usize, *const f64, usize) -> i32 =
            self.function("SetFloat64");
        assert_eq!(unsafe { set(c, &self.reference(name), 1, &value, 1) }, 0, "{name}");
    }

    fn is_active(&self, c: Handle, name: &str) -> bool {
        let ask: unsafe extern "C" fn(Handle, *const u32, usize, *mut bool) -> i32 =
            self.function("GetClock");
        let mut active = false;
        assert_eq!(unsafe { ask(c, &self.reference(name), 1, &mut active) }, 0, "{name}");
        active
    }

    fn activate(&self, c: Handle, name: &str) -> i32 {
        let set: unsafe extern "C" fn(Handle, *const u32, usize, *const bool) -> i32 =
            self.function("SetClock");
        unsafe { set(c, &self.reference(name), 1, &true) }
    }

    /// The time that `GetIntervalDecimal` or `GetShiftDecimal` tells.
    fn planned(&self, c: Handle, name: &str) -> (f64, f64) {
        let (reference, mut interval, mut qualifier, mut shift) =
            (self.reference(name), f64::NAN, 0, f64::NAN);
        unsafe {
            let ask: unsafe extern "C" fn(Handle, *const u32, usize, *mut f64, *mut i32) -> i32 =
                self.function("GetIntervalDecimal");
            assert_eq!(ask(c, &reference, 1, &mut interval, &mut qualifier), 0);
            let ask: unsafe extern "C" fn(Handle, *const u32, usize, *mut f64) -> i32 =
                self.function("GetShiftDecimal");
            assert_eq!(ask(c, &reference, 1, &mut shift), 0);
        }
        assert_eq!(qualifier, 2, "the interval is known");
        (interval, shift)
    }

    /// The next planned instant.
    fn update(&self, c: Handle) -> f64 {
        let (mut flags, mut next) = ([false; 5], 0.0);
        let [a, b, n, v, defined] = &mut flags;
        type Update = unsafe extern "C" fn(
            Handle,
            *mut bool,
            *mut bool,
            *mut bool,
            *mut bool,
            *mut bool,
            *mut f64,
        ) -> i32;
        let update: Update = self.function("UpdateDiscreteStates");
        assert_eq!(unsafe { update(c, a, b, n, v, defined, &mut next) }, 0);
        if *defined { next } else { f64::INFINITY }
    }

    fn step(&self, c: Handle, from: f64, by: f64) -> Told {
        type Step =
            unsafe extern "C" fn(Handle, f64, f64, bool, *mut bool, *mut bool, *mut bool, *mut f64) -> i32;
        let step: Step = self.function("DoStep");
        let (mut flags, mut time) = ([false; 3], 0.0);
        let [event, ended, early] = &mut flags;
        assert_eq!(unsafe { step(c, from, by, true, event, ended, early, &mut time) }, 0);
        Told { event: *event, time }
    }
}

/// Every tenth from zero the first clock ticks, every three tenths the second, once at 0.55 the third.
#[test]
fn importers_are_told_which_clocks_have_ticked() {
    let fmu = export("told", MODEL, &[]);
    let clocks = |c: Handle| ["clock1", "clock2", "clock3"].map(|name| fmu.is_active(c, name));
    for (name, causality) in [("clock1", "output"), ("clock2", "local"), ("clock3", "local")] {
        let element = fmu.element(name);
        assert!(element.contains(&format!("causality=\"{causality}\"")), "{element}");
        assert!(element.contains("intervalVariability=\"triggered\""), "{element}");
    }
    assert!(
        fmu.element("s").contains(&format!("clocks=\"{}\"", fmu.reference("clock1"))),
        "{}",
        fmu.element("s")
    );
    assert!(!fmu.element("y").contains("clocks="), "a held value belongs to no clock");
    let initial = |name: &str| {
        fmu.xml.contains(&format!("<InitialUnknown valueReference=\"{}\"/>", fmu.reference(name)))
    };
    assert!(
        initial("clock1") && initial("y") && !initial("s"),
        "clocked variables have no value before their first tick"
    );
    // Co-simulation stops at every event.
    let c = fmu.start(false);
    assert_eq!(clocks(c), [true, true, false], "at the start");
    fmu.update(c);
    assert_eq!(clocks(c), [false; 3], "after the update");
    fmu.call("EnterStepMode", c);
    let (mut time, mut seen) = (0.0, Vec::new());
    while time < 0.75 {
        let told = fmu.step(c, time, 0.75 - time);
        time = told.time;
        if told.event {
            fmu.call("EnterEventMode", c);
            let active = clocks(c);
            if active.contains(&true) {
                seen.push((time, active));
            }
            fmu.update(c);
            assert_eq!(clocks(c), [false; 3]);
            fmu.call("EnterStepMode", c);
        }
    }
    let ticks: Vec<[bool; 3]> = seen.iter().map(|(_, active)| *active).collect();
    let one = [true, false, false];
    assert_eq!(
        ticks,
        [one, one, [true, true, false], one, one, [false, false, true], [true, true, false], one],
        "{seen:?}"
    );
    let instants = [0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.7];
    assert!(seen.iter().zip(instants).all(|((time, _), instant)| (time - instant).abs() < 1e-6), "{seen:?}");
    assert_eq!((fmu.get(c, "n"), fmu.get(c, "m"), fmu.get(c, "y")), (3.0, 1.0, 8.0));
    fmu.free(c);
    // Model exchange: before an event is updated, it is told what will tick, and clocked values are the new ones.
    let c = fmu.start(true);
    assert_eq!(clocks(c), [true, true, false]);
    let next = fmu.update(c);
    assert!((next - 0.1).abs() < 1e-12 && clocks(c) == [false; 3]);
    fmu.call("EnterContinuousTimeMode", c);
    let set_time: unsafe extern "C" fn(Handle, f64) -> i32 = fmu.function("SetTime");
    let put: unsafe extern "C" fn(Handle, *const f64, usize) -> i32 = fmu.function("SetContinuousStates");
    unsafe {
        assert_eq!(set_time(c, next), 0);
        assert_eq!(put(c, &next, 1), 0);
    }
    assert_eq!(fmu.get(c, "s"), 1.0);
    fmu.call("EnterEventMode", c);
    assert_eq!(clocks(c), [true, false, false]);
    assert_eq!(fmu.get(c, "s"), 2.0);
    fmu.update(c);
    assert_eq!((clocks(c), fmu.get(c, "s")), ([false; 3], 2.0));
    fmu.free(c);
}

/// An importer that does what it is told gets what the model does by itself.
#[test]
fn importers_make_planned_clocks_tick() {
    let fmu = export("given", MODEL, &["--clocks", "input"]);
    assert!(
        fmu.element("clock1")
            .contains("causality=\"input\" variability=\"discrete\" intervalVariability=\"fixed\"")
    );
    assert!(fmu.element("clock3").contains("intervalVariability=\"triggered\""));
    let constant = export(
        "constant",
        &MODEL.replace("Clock(T)", "Clock(0.1)").replace("/T", "/0.1"),
        &["--clocks", "input"],
    );
    assert!(
        constant.element("clock2").contains("intervalVariability=\"constant\" intervalDecimal=\"0.3"),
        "{}",
        constant.element("clock2")
    );
    let c = fmu.start(false);
    assert_eq!(fmu.planned(c, "clock1"), (0.1, 0.0));
    assert!((fmu.planned(c, "clock2").0 - 0.3).abs() < 1e-15);
    assert_eq!(fmu.get(c, "s"), 0.0, "nothing ticks by itself");
    let mut time = 0.0;
    for k in 0..10 {
        if k > 0 {
            // The condition's clock still ticks by itself.
            while time < 0.1 * f64::from(k) - 1e-12 {
                let told = fmu.step(c, time, 0.1 * f64::from(k) - time);
                time = told.time;
            }
            fmu.call("EnterEventMode", c);
        }
        assert_eq!(fmu.activate(c, "clock1"), 0);
        if k % 3 == 0 {
            assert_eq!(fmu.activate(c, "clock2"), 0);
        }
        assert_ne!(fmu.activate(c, "clock3"), 0, "it ticks by itself");
        assert!(fmu.is_active(c, "clock1"));
        assert!((fmu.get(c, "s") - f64::from(k + 1)).abs() < 1e-12);
        fmu.update(c);
        assert!(!fmu.is_active(c, "clock1"));
        fmu.call("EnterStepMode", c);
    }
    assert!((fmu.get(c, "s") - 10.0).abs() < 1e-12);
    assert_eq!((fmu.get(c, "n"), fmu.get(c, "m")), (4.0, 1.0));
    fmu.free(c);
    // A run of ours would never activate them, and says so.
    let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
    let done = command
        .current_dir(&fmu.folder)
        .args(["run", "M.fmu", "--quiet"])
        .output()
        .expect("the command starts");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(
        !done.status.success() && said.contains("error[fmu-clocks]") && said.contains("`clock1`"),
        "{said}"
    );
}

/// A clock that the model declares as an input is a triggered one; the input that belongs to it is read as the clock ticks.
#[test]
fn clocks_of_the_model_are_triggered_from_outside() {
    let fmu = export("outside", OUTSIDE, &[]);
    let element = fmu.element("c");
    assert!(
        element.contains("<Clock ")
            && element.contains("causality=\"input\"")
            && element.contains("\"triggered\""),
        "{element}"
    );
    assert!(fmu.element("u").contains("clocks="), "{}", fmu.element("u"));
    for exchange in [false, true] {
        let c = fmu.start(exchange);
        fmu.update(c);
        let mut sum = 0.0;
        for (k, time) in [(1, 0.25), (2, 0.75), (3, 1.0)] {
            if exchange {
                fmu.call("EnterContinuousTimeMode", c);
                let set_time: unsafe extern "C" fn(Handle, f64) -> i32 = fmu.function("SetTime");
                assert_eq!(unsafe { set_time(c, time) }, 0);
            } else {
                fmu.call("EnterStepMode", c);
                let from = [0.0, 0.25, 0.75][k - 1];
                fmu.step(c, from, time - from);
            }
            fmu.call("EnterEventMode", c);
            assert_eq!(fmu.activate(c, "c"), 0);
            fmu.set(c, "u", k as f64);
            sum += k as f64;
            assert_eq!(fmu.get(c, "s"), sum, "exchange {exchange}, at {time}");
            fmu.update(c);
            assert_eq!(fmu.get(c, "s"), sum);
            let since = [0.0, 0.5, 0.25][k - 1];
            assert!((fmu.get(c, "since") - since).abs() < 1e-12, "exchange {exchange}, at {time}");
        }
        fmu.free(c);
    }
}
