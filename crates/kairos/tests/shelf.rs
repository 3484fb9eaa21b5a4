//! Native code that is kept for later runs: the same rows as those of the interpreter, bit for bit.

mod common;

use common::run;
use kairos::{Engine, Request, RunRequest};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Everything that native code refers to: functions of its own, of Rust and of the interpreter, constants, and lists of places.
const REFERENCES: &str = "model References\n  \
    function spread\n    input Real u;\n    output Real y;\n  protected\n    constant Real c[5] = {1, 0.5, 0.25, 2, 3};\n  algorithm\n    \
    y := 0;\n    for i in 1:5 loop\n      if u > 0.1*i then\n        y := y + c[mod(i + integer(3*u), 5) + 1]*u^(0.5 + c[i]);\n      end if;\n    end for;\n  \
    end spread;\n  constant Integer n = 300;\n  constant Real c[n] = {1 + mod(i*i, 7) for i in 1:n};\n  \
    parameter Real g = 1;\n  Real x[n](start = {cos(i) for i in 1:n}, each fixed = true);\n  Real y[n];\n  Real z(start = 1, fixed = true), w;\n  \
    discrete Real s(start = 0, fixed = true);\n\
    equation\n  for i in 1:n loop\n    y[i] = x[i]*x[150] + x[n + 1 - i];\n    \
    der(x[i]) = if mod(i, 3) == 0 then c[i] - x[i] else -x[i] + y[mod(7*i, n) + 1]/(1 + x[i]^2);\n  end for;\n  \
    w = spread(abs(x[1])) + delay(z, 0.05) + exp(-z) + atan2(z, 1 + x[2]^2) + sin(400*time);\n  der(z) = cos(1000*z) - g*w;\n  \
    when sample(0, 0.1) then\n    s = pre(s) + w;\n  end when;\nend References;\n";

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("kairos-kept-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// All numbers of a result.
fn rows(file: &Path, engine: Engine, shelf: Option<&Path>, settings: &[(&str, &str)]) -> Vec<u64> {
    let request = Request {
        file: Some(file.to_string_lossy().into_owned()),
        settings: settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        engine,
        shelf: shelf.map(Path::to_path_buf),
        ..Request::default()
    };
    let ran = run(&request, &RunRequest { stop: Some(0.5), intervals: Some(20), ..RunRequest::default() });
    // A folder that cannot be used is worth a note, and nothing else happens.
    let unexpected = ran.diagnostics().find(|d| d.code != "cache-not-used");
    assert!(unexpected.is_none(), "{}", ran.said());
    let rows = &ran.recorded.rows;
    assert!(rows.len() > 20);
    rows.iter().flatten().map(|number| number.to_bits()).collect()
}

/// The files that are kept, with the times of their last change, once there are so many.
fn files(shelf: &Path, count: usize) -> Vec<(PathBuf, SystemTime)> {
    let begun = Instant::now();
    loop {
        let entries = std::fs::read_dir(shelf).into_iter().flatten().flatten();
        let whole = entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "code"));
        let changed =
            |entry: std::fs::DirEntry| Some((entry.path(), entry.metadata().ok()?.modified().ok()?));
        let mut found: Vec<_> = whole.filter_map(changed).collect();
        if found.len() >= count {
            found.sort();
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is kept");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn kept_code_does_what_it_did_when_it_was_made() {
    let folder = folder("same");
    let (file, shelf) = (folder.join("References.mo"), folder.join("shelf"));
    std::fs::write(&file, REFERENCES).expect("a file");
    let interpreted = rows(&file, Engine::Interpreter, None, &[]);
    assert_eq!(rows(&file, Engine::Jit, Some(&shelf), &[]), interpreted, "made");
    let made = files(&shelf, 1);
    assert_eq!(rows(&file, Engine::Jit, Some(&shelf), &[]), interpreted, "kept");
    // Another value of a parameter is the same code; another model is not.
    rows(&file, Engine::Jit, Some(&shelf), &[("g", "0.5")]);
    assert_eq!(files(&shelf, 1), made, "it was made anew");
    std::fs::write(&file, REFERENCES.replace("0.5 + c[i]", "0.75 + c[i]")).expect("a file");
    let changed = rows(&file, Engine::Jit, Some(&shelf), &[]);
    assert_eq!(changed, rows(&file, Engine::Interpreter, None, &[]), "of another model");
    assert_ne!(changed, interpreted);
    assert_eq!(files(&shelf, 2).len(), 2);
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn damaged_code_is_made_again() {
    let folder = folder("damaged");
    let (file, shelf) = (folder.join("References.mo"), folder.join("shelf"));
    std::fs::write(&file, REFERENCES).expect("a file");
    let first = rows(&file, Engine::Jit, Some(&shelf), &[]);
    let (path, _) = files(&shelf, 1).remove(0);
    let mut bytes = std::fs::read(&path).expect("a file");
    let last = bytes.len() - 100;
    bytes[last] ^= 0xff;
    std::fs::write(&path, &bytes).expect("a file");
    assert_eq!(rows(&file, Engine::Jit, Some(&shelf), &[]), first);
    std::fs::write(&path, &bytes[..last]).expect("a file");
    assert_eq!(rows(&file, Engine::Jit, Some(&shelf), &[]), first);
    // A folder that cannot be used is as good as none.
    let wall = folder.join("wall");
    std::fs::write(&wall, "no folder").expect("a file");
    assert_eq!(rows(&file, Engine::Jit, Some(&wall.join("shelf")), &[]), first);
    let _ = std::fs::remove_dir_all(folder);
}
