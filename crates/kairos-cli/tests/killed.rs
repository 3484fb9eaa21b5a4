//! A run that is killed leaves a result that reads up to what was flushed.

use kairos::results::{ReadError, Table, read_csv, read_mat, read_parquet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const MODEL: &str = "model Long\n  Real x(start = 1, fixed = true), y = 2*x, z[20] = {k*x for k in 1:20};\nequation\n\
                     \x20 der(x) = cos(time);\nend Long;\n";

fn read(path: &Path) -> Result<Table, ReadError> {
    let file = File::open(path).map_err(ReadError::Io)?;
    match path.extension().and_then(|end| end.to_str()) {
        Some("csv") => read_csv(BufReader::new(file), None),
        Some("mat") => std::fs::read(path).map_err(ReadError::Io).and_then(|bytes| read_mat(&bytes)),
        _ => read_parquet(file),
    }
}

/// Starts a long run, kills it a while after its first flush and reads the result that it leaves.
fn killed(folder: &Path, name: &str, after: Duration) -> Table {
    let (model, out) = (folder.join("Long.mo"), folder.join(name));
    let part = folder.join(format!("{name}.part"));
    std::fs::write(&model, MODEL).expect("file for a test");
    let _ = std::fs::remove_file(&part);
    let mut run = Command::new(env!("CARGO_BIN_EXE_kairos"))
        .args(["run", "--quiet", "--stop", "1e4", "--interval", "1e-3", "--max-step", "0.01"])
        .arg("--output")
        .args([&out, &model])
        .env("KAIROS_CACHE", "")
        .stdout(Stdio::null())
        .spawn()
        .expect("the command starts");
    // Not before the beginning of the file is complete, however busy the machine is. That of a Parquet file is short; the
    // long waits are to see some of its rows.
    let short = name.ends_with("parquet") && after < Duration::from_millis(100);
    let begun = if short { 1 } else { 100_000 };
    while std::fs::metadata(&part).map_or(0, |file| file.len()) < begun {
        assert!(run.try_wait().expect("a child").is_none(), "the run ended by itself");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(after);
    run.kill().expect("a running child");
    run.wait().expect("a child");
    // What has the name of a result is whole.
    assert!(!out.exists());
    std::fs::rename(&part, &out).expect("the part");
    let table = read(&out);
    let _ = std::fs::remove_file(&out);
    table.unwrap_or_else(|error| panic!("{name} after {after:?}: {error}"))
}

/// Every row that is there is whole: the second variable is twice the first.
fn check(table: &Table, what: &str) {
    let series = |name: &str| table.values(name).expect("column");
    let (x, y, last) = (series("x"), series("y"), series("z[20]"));
    assert!(x.len() == table.time.len() && y.len() == x.len() && last.len() == x.len(), "{what}");
    for k in 0..x.len() {
        assert!((y[k] - 2.0 * x[k]).abs() < 1e-9 && (last[k] - 20.0 * x[k]).abs() < 1e-9, "{what}, row {k}");
    }
    assert!(table.time.windows(2).all(|pair| pair[0] <= pair[1]), "{what}");
}

#[test]
fn a_killed_run_leaves_a_readable_result() {
    let folder = std::env::temp_dir().join(format!("kairos-killed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("folder for a test");
    let mut rows = [0, 0, 0];
    for wait in [0, 3, 20, 70, 150, 400] {
        for (name, rows) in ["r.csv", "r.mat", "r.parquet"].into_iter().zip(&mut rows) {
            let table = killed(&folder, name, Duration::from_millis(wait));
            check(&table, name);
            *rows += table.time.len();
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(rows.iter().all(|&rows| rows > 100), "hardly anything was left: {rows:?}");
}
