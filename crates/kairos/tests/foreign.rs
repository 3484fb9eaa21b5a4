//! External functions from a shared library that was compiled by others.

mod common;

use kairos::{Access, Request, RunRequest, Trust};
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARY: &str = r#"
use std::ffi::{CStr, c_char, c_double, c_int, c_void};
#[unsafe(no_mangle)]
pub extern "C" fn help_weigh(x: c_double, n: c_int, yes: c_int, y: c_double) -> c_double {
    x * n as f64 + if yes != 0 { y } else { -y }
}
#[unsafe(no_mangle)]
pub extern "C" fn help_split(x: c_double, whole: *mut c_int, rest: *mut c_double) {
    unsafe { *whole = x.floor() as c_int; *rest = x - x.floor(); }
}
#[unsafe(no_mangle)]
pub extern "C" fn help_length(text: *const c_char) -> c_int {
    unsafe { CStr::from_ptr(text) }.to_bytes().len() as c_int
}
#[unsafe(no_mangle)]
pub extern "C" fn help_twice(a: *const c_double, rows: usize, columns: usize, b: *mut c_double) {
    for k in 0..rows * columns { unsafe { *b.add(k) = 2.0 * *a.add(k) } }
}
#[unsafe(no_mangle)]
pub extern "C" fn help_open(start: c_double) -> *mut c_void { Box::into_raw(Box::new(start)) as *mut c_void }
#[unsafe(no_mangle)]
pub extern "C" fn help_read(object: *mut c_void, by: c_double) -> c_double { unsafe { *(object as *mut f64) + by } }
#[unsafe(no_mangle)]
pub extern "C" fn help_close(object: *mut c_void) { drop(unsafe { Box::from_raw(object as *mut f64) }) }
"#;

const MODEL: &str = r#"
package Uses
  function weigh
    input Real x; input Integer n; input Boolean yes; input Real y; output Real z;
    external "C" z = help_weigh(x, n, yes, y) annotation(Library = "LIBRARY");
  end weigh;
  function split
    input Real x; output Integer whole; output Real rest;
    external "C" help_split(x, whole, rest) annotation(Library = "LIBRARY");
  end split;
  function length
    input String text; output Integer n;
    external "C" n = help_length(text) annotation(Library = {"LIBRARY"});
  end length;
  function twice
    input Real a[:, :]; output Real b[size(a, 1), size(a, 2)];
    external "C" help_twice(a, size(a, 1), size(a, 2), b) annotation(Library = "LIBRARY");
  end twice;
  class Store
    extends ExternalObject;
    function constructor
      input Real start; output Store store;
      external "C" store = help_open(start) annotation(Library = "LIBRARY");
    end constructor;
    function destructor
      input Store store;
      external "C" help_close(store) annotation(Library = "LIBRARY");
    end destructor;
  end Store;
  function read
    input Store store; input Real by; output Real y;
    external "C" y = help_read(store, by) annotation(Library = "LIBRARY");
  end read;
  function absent
    input Real x; output Real y;
    external "C" y = help_absent(x) annotation(Library = "LIBRARY");
  end absent;

  model M
    parameter Integer n = length("seven77");
    parameter Store store = Store(4);
    Real w = weigh(time, n, false, 0.5);
    Real b[2, 3] = twice([time, 1, 2; 3, 4, 5]);
    Real r = read(store, time);
    Integer whole;
    Real rest;
    Real x(start = 0, fixed = true);
  equation
    (whole, rest) = split(2.25);
    der(x) = weigh(x, -1, true, 1);
  end M;

  model Absent
    Real y = absent(time);
  end Absent;
end Uses;
"#;

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A package with its library in the folder for this platform.
fn package(name: &str, library: &str) -> Folder {
    let folder = Folder(std::env::temp_dir().join(format!("kairos-foreign-{name}-{}", std::process::id())));
    let platform = if cfg!(target_os = "macos") { "darwin64" } else { "linux64" };
    let libraries = folder.0.join("Resources/Library").join(platform);
    std::fs::create_dir_all(&libraries).expect("folder for a test");
    let source = folder.0.join("help.rs");
    std::fs::write(&source, LIBRARY).expect("file for a test");
    std::fs::write(folder.0.join("Uses.mo"), MODEL.replace("LIBRARY", library)).expect("file for a test");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(compiler)
        .args(["--edition", "2024", "--crate-type", "cdylib", "-o"])
        .arg(libraries.join(format!("{}help{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)))
        .arg(&source)
        .status()
        .expect("the compiler that made this test");
    assert!(built.success());
    folder
}

/// The values at the end, or what was said.
fn end(folder: &Path, model: &str, trust: Trust) -> Result<impl Fn(&str) -> f64, String> {
    let file = folder.join("Uses.mo").to_string_lossy().into_owned();
    let access = Access::Run(trust);
    let request = Request { file: Some(file), model: Some(model.into()), access, ..Request::default() };
    let ran = common::run(&request, &RunRequest::default());
    if ran.failed() {
        return Err(ran.said());
    }
    Ok(move |name: &str| ran.recorded.column(name).expect("variable").last().expect("a row").1)
}

#[test]
fn shared_libraries_are_called() {
    let folder = package("called", "help");
    let value = end(&folder.0, "Uses.M", Trust::Everybody).unwrap_or_else(|said| panic!("{said}"));
    assert_eq!(value("w"), 7.0 - 0.5);
    assert_eq!((value("b[1,1]"), value("b[1,3]"), value("b[2,2]")), (2.0, 4.0, 8.0));
    assert_eq!((value("whole"), value("rest"), value("r")), (2.0, 0.25, 5.0));
    let exact = 1.0 - (-1.0f64).exp();
    assert!((value("x") - exact).abs() < 1e-5, "{}", value("x"));
    let said = end(&folder.0, "Uses.Absent", Trust::Everybody).err().expect("no such function");
    assert!(said.contains("`help_absent` is not in the library help"), "{said}");
}

#[test]
fn a_library_that_is_not_there_is_told_with_the_places_tried() {
    let folder = package("missing", "nowhere");
    let said = end(&folder.0, "Uses.M", Trust::Everybody).err().expect("no such library");
    assert!(said.contains("the library `nowhere`") && said.contains("Resources/Library"), "{said}");
}

#[test]
fn nobody_calls_a_library_that_is_not_trusted() {
    let folder = package("untrusted", "help");
    let said = end(&folder.0, "Uses.M", Trust::Nobody).err().expect("refused");
    assert!(said.contains("of the library help") && said.contains("`--trust Uses`"), "{said}");
}
