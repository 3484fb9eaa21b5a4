//! Exported FMUs, driven through their C functions in both versions and kinds, compared with closed forms.
#![allow(unsafe_code, reason = "the functions of a shared library are called as its importer does")]

use libloading::Library;
use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_void};
use std::io::Read;
use std::path::PathBuf;
use std::process::Command;

/// A decay with an input, a counter of ticks, a threshold and a text.
const MODEL: &str = "model M
  input Real u(start = 0);
  parameter Real k = 2;
  parameter Real twice = 2*k;
  parameter String title = \"a & b\";
  output Real y;
  Real x(start = 1, fixed = true, unit = \"m\");
  Integer n(start = 0, fixed = true);
  Boolean low(start = false, fixed = true);
equation
  der(x) = -k*x + u;
  y = 3*x + u;
  low = x < 0.5;
  when sample(0.25, 0.25) then
    n = pre(n) + 1;
  end when;
end M;
";

type Handle = *mut c_void;
type Log2 = unsafe extern "C" fn(*mut c_void, *const c_char, i32, *const c_char, *const c_char, ...);

#[repr(C)]
struct Callbacks {
    logger: Option<Log2>,
    rest: [*mut c_void; 4],
}

#[repr(C)]
#[derive(Default)]
struct EventInfo {
    flags: [i32; 5],
    next: f64,
}

/// An unpacked FMU with its library.
struct Fmu {
    folder: PathBuf,
    library: Library,
    version: u32,
    xml: String,
    references: BTreeMap<String, u32>,
}

impl Drop for Fmu {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn export(name: &str, text: &str, version: u32) -> Fmu {
    let folder = std::env::temp_dir().join(format!("kairos-fmu-{name}-{version}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("M.mo"), text).expect("a model");
    let (model, path) = (folder.join("M.mo"), folder.join("M.fmu"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
    command.args(["fmu", "export", &model.to_string_lossy(), "--fmi", &version.to_string(), "-o"]).arg(&path);
    let done = command.arg("--quiet").output().expect("the command starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&path).expect("an FMU")).expect("a zip file");
    archive.extract(&folder).expect("files");
    let mut xml = String::new();
    archive.by_name("modelDescription.xml").expect("a description").read_to_string(&mut xml).expect("text");
    let library = (0..archive.len()).find_map(|k| {
        let name = archive.by_index(k).ok()?.name().ok()?.to_string();
        name.starts_with("binaries/").then(|| folder.join(name))
    });
    let library = unsafe { Library::new(library.expect("a library")) }.expect("a library that loads");
    let references = references(&xml);
    Fmu { folder, library, version, xml, references }
}

/// The value references by name.
fn references(xml: &str) -> BTreeMap<String, u32> {
    let value = |line: &str, name: &str| {
        let rest = line.split_once(&format!(" {name}=\""))?.1;
        rest.split_once('"').map(|(value, _)| value.to_string())
    };
    let lines = xml.lines().filter_map(|line| Some((value(line, "name")?, value(line, "valueReference")?)));
    lines.map(|(name, reference)| (name, reference.parse().expect("a number"))).collect()
}

unsafe extern "C" fn log3(_: *mut c_void, _: i32, _: *const c_char, message: *const c_char) {
    eprintln!("{}", unsafe { std::ffi::CStr::from_ptr(message) }.to_string_lossy());
}

impl Fmu {
    fn token(&self) -> String {
        let name = if self.version == 2 { "guid=\"" } else { "instantiationToken=\"" };
        self.xml.split_once(name).expect("a token").1.split('"').next().unwrap_or_default().to_string()
    }

    fn reference(&self, name: &str) -> u32 {
        self.references[name]
    }

    fn function<T: Copy>(&self, name: &str) -> T {
        let name = format!("fmi{}{name}", self.version);
        *unsafe { self.library.get::<T>(name.as_bytes()) }.unwrap_or_else(|_| panic!("no function {name}"))
    }

    fn make(&self, exchange: bool, token: &str) -> Handle {
        self.make_told(exchange, token, std::ptr::null_mut(), std::ptr::null_mut())
    }

    /// With the environment and the function for the way through a step of co-simulation, of FMI 3.0.
    fn make_told(&self, exchange: bool, token: &str, environment: Handle, intermediate: Handle) -> Handle {
        let resources = self.folder.join("resources");
        let (name, token) = (CString::new("one").expect("text"), CString::new(token).expect("text"));
        unsafe {
            if self.version == 2 {
                let uri = CString::new(format!("file://{}", resources.display())).expect("text");
                let callbacks =
                    Box::leak(Box::new(Callbacks { logger: None, rest: [std::ptr::null_mut(); 4] }));
                let make: unsafe extern "C" fn(
                    *const c_char,
                    i32,
                    *const c_char,
                    *const c_char,
                    *const Callbacks,
                    i32,
                    i32,
                ) -> Handle = self.function("Instantiate");
                return make(
                    name.as_ptr(),
                    i32::from(!exchange),
                    token.as_ptr(),
                    uri.as_ptr(),
                    callbacks,
                    0,
                    0,
                );
            }
            let path = CString::new(resources.to_string_lossy().into_owned()).expect("text");
            type Log3 = unsafe extern "C" fn(*mut c_void, i32, *const c_char, *const c_char);
            if exchange {
                let make: unsafe extern "C" fn(
                    *const c_char,
                    *const c_char,
                    *const c_char,
                    bool,
                    bool,
                    Handle,
                    Log3,
                ) -> Handle = self.function("InstantiateModelExchange");
                return make(
                    name.as_ptr(),
                    token.as_ptr(),
                    path.as_ptr(),
                    false,
                    false,
                    std::ptr::null_mut(),
                    log3,
                );
            }
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
                Log3,
                Handle,
            ) -> Handle = self.function("InstantiateCoSimulation");
            let early = !intermediate.is_null();
            make(
                name.as_ptr(),
                token.as_ptr(),
                path.as_ptr(),
                false,
                false,
                false,
                early,
                std::ptr::null(),
                0,
                environment,
                log3,
                intermediate,
            )
        }
    }

    fn free(&self, c: Handle) {
        let free: unsafe extern "C" fn(Handle) = self.function("FreeInstance");
        unsafe { free(c) }
    }

    /// A function of the instance alone.
    fn call(&self, name: &str, c: Handle) {
        let call: unsafe extern "C" fn(Handle) -> i32 = self.function(name);
        assert_eq!(unsafe { call(c) }, 0, "{name}");
    }

    fn begin(&self, c: Handle) {
        if self.version == 2 {
            let set_up: unsafe extern "C" fn(Handle, i32, f64, f64, i32, f64) -> i32 =
                self.function("SetupExperiment");
            assert_eq!(unsafe { set_up(c, 1, 1e-9, 0.0, 0, 0.0) }, 0);
            self.call("EnterInitializationMode", c);
        } else {
            let enter: unsafe extern "C" fn(Handle, bool, f64, f64, bool, f64) -> i32 =
                self.function("EnterInitializationMode");
            assert_eq!(unsafe { enter(c, true, 1e-9, 0.0, false, 0.0) }, 0);
        }
    }

    fn get(&self, c: Handle, name: &str) -> f64 {
        let (reference, mut value) = (self.reference(name), f64::NAN);
        let status = unsafe {
            if self.version == 2 {
                let get: unsafe extern "C" fn(Handle, *const u32, usize, *mut f64) -> i32 =
                    self.function("GetReal");
                get(c, &reference, 1, &mut value)
            } else {
                let get: unsafe extern "C" fn(Handle, *const u32, usize, *mut f64, usize) -> i32 =
                    self.function("GetFloat64");
                get(c, &reference, 1, &mut value, 1)
            }
        };
        assert_eq!(status, 0, "get {name}");
        value
    }

    fn get_integer(&self, c: Handle, name: &str) -> i32 {
        let (reference, mut value) = (self.reference(name), i32::MIN);
        let status = unsafe {
            if self.version == 2 {
                let get: unsafe extern "C" fn(Handle, *const u32, usize, *mut i32) -> i32 =
                    self.function("GetInteger");
                get(c, &reference, 1, &mut value)
            } else {
                let get: unsafe extern "C" fn(Handle, *const u32, usize, *mut i32, usize) -> i32 =
                    self.function("GetInt32");
                get(c, &reference, 1, &mut value, 1)
            }
        };
        assert_eq!(status, 0, "get {name}");
        value
    }

    fn set(&self, c: Handle, name: &str, value: f64) -> i32 {
        let reference = self.reference(name);
        unsafe {
            if self.version == 2 {
                let set: unsafe extern "C" fn(Handle, *const u32, usize, *const f64) -> i32 =
                    self.function("SetReal");
                set(c, &reference, 1, &value)
            } else {
                let set: unsafe extern "C" fn(Handle, *const u32, usize, *const f64, usize) -> i32 =
                    self.function("SetFloat64");
                set(c, &reference, 1, &value, 1)
            }
        }
    }

    fn step(&self, c: Handle, from: f64, by: f64) {
        self.step_told(c, from, by);
    }

    /// With FMI 3.0 whether the step has ended early, and where.
    fn step_told(&self, c: Handle, from: f64, by: f64) -> (bool, f64) {
        let (mut flags, mut last) = ([false; 3], 0.0);
        let status = unsafe {
            if self.version == 2 {
                let step: unsafe extern "C" fn(Handle, f64, f64, i32) -> i32 = self.function("DoStep");
                step(c, from, by, 1)
            } else {
                let [event, ended, early] = &mut flags;
                let step: unsafe extern "C" fn(
                    Handle,
                    f64,
                    f64,
                    bool,
                    *mut bool,
                    *mut bool,
                    *mut bool,
                    *mut f64,
                ) -> i32 = self.function("DoStep");
                step(c, from, by, true, event, ended, early, &mut last)
            }
        };
        assert_eq!(status, 0, "step from {from}");
        (flags[2], last)
    }

    /// The event at the present point; the next planned instant.
    fn update(&self, c: Handle) -> f64 {
        self.call("EnterEventMode", c);
        let next = unsafe {
            if self.version == 2 {
                let mut info = EventInfo::default();
                let update: unsafe extern "C" fn(Handle, *mut EventInfo) -> i32 =
                    self.function("NewDiscreteStates");
                assert_eq!(update(c, &mut info), 0);
                if info.flags[4] != 0 { info.next } else { f64::INFINITY }
            } else {
                let (mut flags, mut next) = ([false; 5], 0.0);
                let [a, b, n, v, defined] = &mut flags;
                let update: unsafe extern "C" fn(
                    Handle,
                    *mut bool,
                    *mut bool,
                    *mut bool,
                    *mut bool,
                    *mut bool,
                    *mut f64,
                ) -> i32 = self.function("UpdateDiscreteStates");
                assert_eq!(update(c, a, b, n, v, defined, &mut next), 0);
                if *defined { next } else { f64::INFINITY }
            }
        };
        self.call("EnterContinuousTimeMode", c);
        next
    }

    fn set_time(&self, c: Handle, time: f64) {
        let set: unsafe extern "C" fn(Handle, f64) -> i32 = self.function("SetTime");
        assert_eq!(unsafe { set(c, time) }, 0);
    }

    fn put(&self, name: &str, c: Handle, x: f64) {
        let put: unsafe extern "C" fn(Handle, *const f64, usize) -> i32 = self.function(name);
        assert_eq!(unsafe { put(c, &x, 1) }, 0, "{name}");
    }

    fn take(&self, name: &str, c: Handle) -> f64 {
        let mut value = f64::NAN;
        let take: unsafe extern "C" fn(Handle, *mut f64, usize) -> i32 = self.function(name);
        assert_eq!(unsafe { take(c, &mut value, 1) }, 0, "{name}");
        value
    }

    fn derivative(&self, c: Handle, of: &str, by: &str) -> f64 {
        let (of, by, seed, mut out) = (self.reference(of), self.reference(by), 1.0, f64::NAN);
        let status = unsafe {
            if self.version == 2 {
                let ask: unsafe extern "C" fn(
                    Handle,
                    *const u32,
                    usize,
                    *const u32,
                    usize,
                    *const f64,
                    *mut f64,
                ) -> i32 = self.function("GetDirectionalDerivative");
                ask(c, &of, 1, &by, 1, &seed, &mut out)
            } else {
                let ask: unsafe extern "C" fn(
                    Handle,
                    *const u32,
                    usize,
                    *const u32,
                    usize,
                    *const f64,
                    usize,
                    *mut f64,
                    usize,
                ) -> i32 = self.function("GetDirectionalDerivative");
                ask(c, &of, 1, &by, 1, &seed, 1, &mut out, 1)
            }
        };
        assert_eq!(status, 0);
        out
    }

    /// The present state as bytes.
    fn save(&self, c: Handle) -> Vec<u8> {
        let word = if self.version == 2 { "FMUstate" } else { "FMUState" };
        let (mut state, mut size) = (std::ptr::null_mut(), 0);
        unsafe {
            let get: unsafe extern "C" fn(Handle, *mut Handle) -> i32 = self.function(&format!("Get{word}"));
            assert_eq!(get(c, &mut state), 0);
            let measure: unsafe extern "C" fn(Handle, Handle, *mut usize) -> i32 =
                self.function(&format!("Serialized{word}Size"));
            assert_eq!(measure(c, state, &mut size), 0);
            let mut bytes = vec![0u8; size];
            let write: unsafe extern "C" fn(Handle, Handle, *mut u8, usize) -> i32 =
                self.function(&format!("Serialize{word}"));
            assert_eq!(write(c, state, bytes.as_mut_ptr(), size), 0);
            let free: unsafe extern "C" fn(Handle, *mut Handle) -> i32 =
                self.function(&format!("Free{word}"));
            assert_eq!(free(c, &mut state), 0);
            assert!(state.is_null());
            bytes
        }
    }

    fn restore(&self, c: Handle, bytes: &[u8]) -> i32 {
        let (read, word) =
            if self.version == 2 { ("DeSerialize", "FMUstate") } else { ("Deserialize", "FMUState") };
        let mut state = std::ptr::null_mut();
        unsafe {
            let read: unsafe extern "C" fn(Handle, *const u8, usize, *mut Handle) -> i32 =
                self.function(&format!("{read}{word}"));
            let status = read(c, bytes.as_ptr(), bytes.len(), &mut state);
            if status != 0 {
                return status;
            }
            let set: unsafe extern "C" fn(Handle, Handle) -> i32 = self.function(&format!("Set{word}"));
            assert_eq!(set(c, state), 0);
            let free: unsafe extern "C" fn(Handle, *mut Handle) -> i32 =
                self.function(&format!("Free{word}"));
            free(c, &mut state)
        }
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

/// The decay with rate `k` and input `u` over a time.
fn decay(x: f64, k: f64, u: f64, time: f64) -> f64 {
    u / k + (x - u / k) * (-k * time).exp()
}

/// What the way through a step tells: times, and the instant at which the step shall end.
#[derive(Default)]
struct Way {
    times: Vec<f64>,
    end_at: f64,
}

unsafe extern "C" fn on_the_way(
    environment: *mut c_void,
    time: f64,
    _set: bool,
    get: bool,
    finished: bool,
    may_end: bool,
    early: *mut bool,
    early_time: *mut f64,
) {
    let way = unsafe { &mut *environment.cast::<Way>() };
    assert!(get && finished && may_end);
    way.times.push(time);
    unsafe {
        *early = time == way.end_at;
        *early_time = time;
    }
}

/// `x` passes one half at `log(2)/2`, the counter ticks every quarter.
#[test]
fn the_importer_is_told_of_events_within_a_step() {
    let fmu = export("way", MODEL, 3);
    let mut way = Way { end_at: 1.25, ..Way::default() };
    let environment = std::ptr::from_mut(&mut way).cast();
    let c = fmu.make_told(false, &fmu.token(), environment, on_the_way as *mut c_void);
    fmu.begin(c);
    fmu.call("ExitInitializationMode", c);
    assert_eq!(fmu.step_told(c, 0.0, 1.0), (false, 1.0));
    let told = fmu.step_told(c, 1.0, 1.0);
    assert_eq!(told, (true, 1.25), "{:?}", way.times);
    assert!(close(fmu.get(c, "x"), (-2.5f64).exp()));
    fmu.free(c);
    let expected = [0.25, 0.5 * 2f64.ln(), 0.5, 0.75, 1.0, 1.25];
    assert_eq!(way.times.len(), expected.len(), "{:?}", way.times);
    assert!(way.times.iter().zip(expected).all(|(a, b)| close(*a, b)), "{:?}", way.times);
}

#[test]
fn co_simulation_follows_the_closed_form() {
    for version in [2, 3] {
        let fmu = export("cs", MODEL, version);
        let token = fmu.token();
        assert!(fmu.make(false, "{wrong}").is_null());
        // Two instances do not disturb each other.
        let [one, two] = [fmu.make(false, &token), fmu.make(false, &token)];
        assert_eq!((fmu.set(one, "k", 1.0), fmu.set(one, "x", 2.0)), (0, 0));
        assert_ne!(fmu.set(one, "y", 2.0), 0);
        for c in [one, two] {
            fmu.begin(c);
        }
        assert_eq!((fmu.get(one, "x"), fmu.get(one, "y"), fmu.get(one, "twice")), (2.0, 6.0, 2.0));
        for c in [one, two] {
            fmu.call("ExitInitializationMode", c);
        }
        for step in 0..11 {
            fmu.step(one, 0.1 * f64::from(step), 0.1);
            fmu.step(two, 0.1 * f64::from(step), 0.1);
        }
        let (x, y) = (decay(2.0, 1.0, 0.0, 1.1), decay(1.0, 2.0, 0.0, 1.1));
        assert!(close(fmu.get(one, "x"), x) && close(fmu.get(two, "x"), y), "{} {x}", fmu.get(one, "x"));
        assert_eq!(fmu.get_integer(one, "n"), 4);
        // An input holds until it is set again.
        let saved = fmu.save(one);
        assert_eq!(fmu.set(one, "u", 1.0), 0);
        let end = |c| {
            assert_eq!(fmu.set(c, "u", 1.0), 0);
            fmu.step(c, 1.1, 0.5);
            fmu.get(c, "x")
        };
        let first = end(one);
        assert!(close(first, decay(x, 1.0, 1.0, 0.5)), "{first}");
        assert_eq!(fmu.restore(one, &saved), 0);
        assert_eq!(end(one).to_bits(), first.to_bits());
        // In another instance, too; damaged bytes are refused.
        assert_eq!(fmu.restore(two, &saved), 0);
        assert_eq!(end(two).to_bits(), first.to_bits());
        assert_eq!(fmu.restore(two, &saved[..saved.len() - 1]), 3);
        fmu.call("Terminate", one);
        fmu.call("Reset", one);
        assert_eq!(fmu.get(one, "x"), 1.0);
        fmu.free(one);
        fmu.free(two);
    }
}

#[test]
fn model_exchange_follows_the_closed_form() {
    for version in [2, 3] {
        let fmu = export("me", MODEL, version);
        let c = fmu.make(true, &fmu.token());
        assert!(!c.is_null());
        fmu.begin(c);
        fmu.call("ExitInitializationMode", c);
        let mut next = fmu.update(c);
        let derivatives = if version == 2 { "GetDerivatives" } else { "GetContinuousStateDerivatives" };
        let slope = |time: f64, x: f64| {
            fmu.set_time(c, time);
            fmu.put("SetContinuousStates", c, x);
            fmu.take(derivatives, c)
        };
        assert_eq!((fmu.take("GetContinuousStates", c), next), (1.0, 0.25));
        let (mut t, mut x, mut indicator) = (0.0, 1.0, f64::NAN);
        let mut crossed = None;
        // The classical method of order four with steps that end at events.
        while t < 1.0 - 1e-12 {
            let h = f64::min(0.005, next - t);
            let a = slope(t, x);
            let b = slope(t + h / 2.0, x + h / 2.0 * a);
            let d = slope(t + h / 2.0, x + h / 2.0 * b);
            let e = slope(t + h, x + h * d);
            x += h / 6.0 * (a + 2.0 * b + 2.0 * d + e);
            t += h;
            slope(t, x);
            let z = fmu.take("GetEventIndicators", c);
            if z * indicator < 0.0 && crossed.is_none() {
                crossed = Some(t);
            }
            if z * indicator < 0.0 || t >= next - 1e-12 {
                next = fmu.update(c);
            }
            indicator = fmu.take("GetEventIndicators", c);
        }
        assert!(close(x, decay(1.0, 2.0, 0.0, 1.0)), "{x}");
        assert_eq!(fmu.get_integer(c, "n"), 4);
        // 0.5 = exp(-2 t) at the time that the indicator tells.
        let expected = 0.5 * 2f64.ln();
        assert!(crossed.is_some_and(|t| (t - expected).abs() <= 0.0051), "{crossed:?}");
        let slopes = [("der(x)", "x"), ("der(x)", "u"), ("y", "x"), ("y", "u")];
        assert_eq!(slopes.map(|(of, by)| fmu.derivative(c, of, by)), [-2.0, 1.0, 3.0, 1.0]);
        assert_eq!(fmu.set(c, "u", 4.0), 0);
        assert!(close(fmu.get(c, "y"), 3.0 * x + 4.0));
        fmu.call("Terminate", c);
        fmu.free(c);
    }
}

#[test]
fn the_description_says_what_depends_on_what() {
    let fmu = export("xml", MODEL, 3);
    let line =
        |part: &str| fmu.xml.lines().find(|line| line.contains(part)).unwrap_or_default().trim().to_string();
    let [x, u] = ["x", "u"].map(|name| fmu.reference(name));
    assert!(line("<Output ").contains(&format!("dependencies=\"{u} {x}\"")), "{}", line("<Output "));
    assert!(line("<ContinuousStateDerivative").contains(&format!("dependencies=\"{u} {x}\"")));
    assert!(
        line("name=\"k\"").contains("causality=\"parameter\"") && line("name=\"k\"").contains("start=\"2\"")
    );
    assert!(line("name=\"twice\"").contains("causality=\"calculatedParameter\""));
    assert!(line("name=\"x\"").contains("unit=\"m\"") && line("name=\"x\"").contains("initial=\"exact\""));
    assert!(line("name=\"der(x)\"").contains(&format!("derivative=\"{x}\"")));
    assert!(line("<Start ").contains("a &amp; b"));
    assert!(!fmu.xml.contains("x.start"), "start values are hidden");
}

#[test]
fn changing_structure_is_for_co_simulation() {
    let text = "model M\n  Real x(start = 1, fixed = true), y, i;\n  Boolean tied(start = false, fixed = true);\nequation\n  \
                der(x) = -x + i;\n  der(y) = -2*y - i;\n  tied = time > 0.5;\n  0 = if tied then x - y else i;\n\
                initial equation\n  y = 0;\nend M;\n";
    let fmu = export("modes", text, 2);
    assert!(!fmu.xml.contains("<ModelExchange") && fmu.xml.contains("<CoSimulation"), "{}", fmu.xml);
    assert!(fmu.make(true, &fmu.token()).is_null());
    let c = fmu.make(false, &fmu.token());
    fmu.begin(c);
    fmu.call("ExitInitializationMode", c);
    fmu.step(c, 0.0, 1.0);
    // Both together hold half of what is left of x, and then decay with the mean of their rates.
    let expected = 0.5 * (-0.5f64).exp() * (-1.5f64 * 0.5).exp();
    assert!(close(fmu.get(c, "x"), expected) && close(fmu.get(c, "y"), expected), "{}", fmu.get(c, "x"));
    fmu.free(c);
}

#[test]
fn instances_leave_nothing_behind() {
    let fmu = export("leak", MODEL, 3);
    let token = fmu.token();
    let once = || {
        let c = fmu.make(false, &token);
        fmu.begin(c);
        fmu.call("ExitInitializationMode", c);
        fmu.step(c, 0.0, 0.3);
        fmu.free(c);
    };
    let used = || {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0)
    };
    // Other tests use memory meanwhile, but a leak of one kilobyte an instance would be 100 pages every time.
    let grown = (0..5).map(|_| {
        let before = used();
        (0..400).for_each(|_| once());
        used().saturating_sub(before)
    });
    let least = grown.min().unwrap_or_default();
    assert!(least < 25, "{least} pages more");
}

#[test]
fn two_fmus_run_in_two_threads() {
    let other = MODEL.replace("k = 2", "k = 5");
    std::thread::scope(|scope| {
        for (name, text, k, version) in [("one", MODEL, 2.0, 2), ("other", other.as_str(), 5.0, 3)] {
            scope.spawn(move || {
                let fmu = export(name, text, version);
                for _ in 0..5 {
                    let c = fmu.make(false, &fmu.token());
                    fmu.begin(c);
                    fmu.call("ExitInitializationMode", c);
                    (0..20).for_each(|step| fmu.step(c, 0.05 * f64::from(step), 0.05));
                    let x = fmu.get(c, "x");
                    assert!(close(x, decay(1.0, k, 0.0, 1.0)), "{x}");
                    fmu.free(c);
                }
            });
        }
    });
}

/// With `der(x) = -2*x + u` and `y = 3*x + u`.
#[test]
fn adjoint_derivatives_are_the_transposed_ones() {
    let fmu = export("adjoint", MODEL, 3);
    let c = fmu.make(true, &fmu.token());
    fmu.begin(c);
    fmu.call("ExitInitializationMode", c);
    fmu.call("EnterContinuousTimeMode", c);
    type Adjoint = unsafe extern "C" fn(
        Handle,
        *const u32,
        usize,
        *const u32,
        usize,
        *const f64,
        usize,
        *mut f64,
        usize,
    ) -> i32;
    let adjoint: Adjoint = fmu.function("GetAdjointDerivative");
    let unknowns = [fmu.reference("der(x)"), fmu.reference("y")];
    let knowns = [fmu.reference("x"), fmu.reference("u")];
    let (seed, mut out) = ([10.0, 1.0], [0.0; 2]);
    let status = unsafe {
        adjoint(c, unknowns.as_ptr(), 2, knowns.as_ptr(), 2, seed.as_ptr(), 2, out.as_mut_ptr(), 2)
    };
    assert_eq!((status, out), (0, [-17.0, 11.0]));
    fmu.free(c);
}
