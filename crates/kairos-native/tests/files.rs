//! Files: tables and matrices in all formats, text streams, directories.

mod support;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use kairos_native::{Arg, Channel, Context, Permissions, lookup};
use support::{call, call_in, failure, int, real, reals, text, trusted};

fn fixture(name: &str) -> Arg {
    Arg::str(&format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR")))
}

/// A directory for one test, emptied before use.
fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("kairos-native-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn path_arg(path: &Path) -> Arg {
    Arg::str(path.to_str().unwrap())
}

fn table(file: Arg, name: &str, delimiter: &str, header: i64) -> Vec<Arg> {
    let empty = Arg::matrix(0, 2, Vec::new());
    let (zero, one) = (Arg::Int(0), Arg::Int(1));
    let columns = Arg::ints(vec![2]);
    vec![
        file,
        Arg::str(name),
        empty,
        zero,
        Arg::Int(2),
        columns,
        one.clone(),
        one.clone(),
        one,
        Arg::Bool(false),
        Arg::str(delimiter),
        Arg::Int(header),
    ]
}

#[test]
fn tables_in_every_format() {
    for (file, delimiter, header) in [
        ("tables.txt", ",", 0),
        ("semicolon.csv", ";", 2),
        ("v4.mat", ",", 0),
        ("v6.mat", ",", 0),
        ("v7.mat", ",", 0),
    ] {
        let (object, _) = call(
            "ModelicaStandardTables_CombiTable1D_init3",
            table(fixture(file), "tab1", delimiter, header),
        );
        let object = object.unwrap();
        for (u, y) in [(0.5, 0.5), (2.0, 4.0), (3.0, 9.5)] {
            let (value, _) = call(
                "ModelicaStandardTables_CombiTable1D_getValue",
                vec![object.clone(), Arg::Int(1), Arg::Real(u)],
            );
            assert_eq!(real(&value), y, "{file}");
        }
        call("ModelicaStandardTables_CombiTable1D_close", vec![object]);
    }
}

#[test]
fn reading_goes_wrong_with_reasons() {
    let init = "ModelicaStandardTables_CombiTable1D_init3";
    let reason = failure(init, table(fixture("missing.txt"), "tab1", ",", 0));
    assert!(reason.contains("missing.txt") && reason.contains("tab1") && reason.contains("loadResource"));
    let reason = failure(init, table(fixture("tables.txt"), "tab9", ",", 0));
    assert!(reason.contains("no matrix \"tab9\" but tab1, wide"));
    assert!(failure(init, table(fixture("v7.mat"), "tab9", ",", 0)).contains("tab1"));
    assert!(failure(init, table(fixture("semicolon.csv"), "Values", ";", 0)).contains("nHeaderLines"));
    assert!(failure(init, table(fixture("tables.txt"), "NoName", ",", 0)).contains("tableName"));
    assert!(failure(init, table(Arg::str("NoName"), "tab1", ",", 0)).contains("fileName"));
    assert!(failure(init, vec![Arg::Int(1)]).contains("argument 1 must be a String, got an Integer"));
}

#[test]
fn an_announced_file_is_mentioned() {
    let said = Arc::new(Mutex::new(Vec::new()));
    let heard = said.clone();
    let mut context =
        Context::new(move |channel, text| heard.lock().unwrap().push((channel, text.to_string())))
            .permit(Permissions::all());
    let mut arguments = table(fixture("tables.txt"), "tab1", ",", 0);
    arguments[9] = Arg::Bool(true);
    call_in(&mut context, "ModelicaStandardTables_CombiTable1D_init3", arguments);
    call_in(&mut context, "ModelicaInternal_print", vec![Arg::str("hello"), Arg::str("")]);
    let said = said.lock().unwrap();
    assert!(said[0].0 == Channel::Message && said[0].1.contains("loading \"tab1\""));
    assert_eq!(said[1], (Channel::Output, "hello".to_string()));
}

fn read(file: Arg, name: &str) -> (Vec<i64>, Vec<f64>) {
    let (_, out) =
        call("ModelicaIO_readMatrixSizes", vec![file.clone(), Arg::str(name), Arg::ints(vec![0, 0])]);
    let Arg::IntArray { data: sizes, .. } = &out[2] else { panic!() };
    let (rows, columns) = (sizes[0], sizes[1]);
    let empty = Arg::matrix(rows as usize, columns as usize, vec![0.0; (rows * columns) as usize]);
    let (_, out) = call(
        "ModelicaIO_readRealMatrix",
        vec![file, Arg::str(name), empty, Arg::Int(rows), Arg::Int(columns), Arg::Bool(false)],
    );
    (sizes.to_vec(), reals(&out[2]))
}

#[test]
fn matrices_of_other_types_and_in_structures() {
    for file in ["v4.mat", "v6.mat", "v7.mat"] {
        assert_eq!(read(fixture(file), "counts"), (vec![2, 3], vec![1.0, -2.0, 3.0, 4.0, 5.0, -600.0]));
        let sizes = vec![fixture(file), Arg::str("z"), Arg::ints(vec![0, 0])];
        assert!(failure("ModelicaIO_readMatrixSizes", sizes).contains("complex"));
    }
    for file in ["v6.mat", "v7.mat"] {
        assert_eq!(read(fixture(file), "single"), (vec![1, 2], vec![0.5, 0.25]));
        assert_eq!(read(fixture(file), "s.inner.m"), (vec![3, 2], vec![1.5, 2.5, 3.5, 4.5, 5.5, 6.5]));
        assert_eq!(read(fixture(file), "s.other"), (vec![1, 1], vec![7.0]));
        let sizes = vec![fixture(file), Arg::str("s.none"), Arg::ints(vec![0, 0])];
        assert!(failure("ModelicaIO_readMatrixSizes", sizes).contains("inner, other"));
    }
}

#[test]
fn matrices_survive_writing_and_appending() {
    let directory = scratch("mat");
    for version in ["4", "6", "7"] {
        let file = path_arg(&directory.join(format!("v{version}.mat")));
        let write = |name: &str, data: Vec<f64>, append: bool| {
            let rows = data.len() / 2;
            let arguments = vec![
                file.clone(),
                Arg::str(name),
                Arg::matrix(rows, 2, data),
                Arg::Int(rows as i64),
                Arg::Int(2),
                Arg::Bool(append),
                Arg::str(version),
            ];
            assert_eq!(call("ModelicaIO_writeRealMatrix", arguments).0, Some(Arg::Bool(true)));
        };
        write("first", vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], false);
        write("second_name", vec![7.0, 8.0], true);
        write("first", vec![9.0, 10.0], true);
        assert_eq!(read(file.clone(), "first"), (vec![1, 2], vec![9.0, 10.0]));
        assert_eq!(read(file.clone(), "second_name"), (vec![1, 2], vec![7.0, 8.0]));
    }
    let arguments = vec![
        path_arg(&directory.join("v4.mat")),
        Arg::str("x"),
        Arg::matrix(1, 1, vec![1.0]),
        Arg::Int(1),
        Arg::Int(1),
        Arg::Bool(true),
        Arg::str("7"),
    ];
    assert!(failure("ModelicaIO_writeRealMatrix", arguments).contains("format \"4\""));
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn damaged_files_are_errors() {
    let directory = scratch("damage");
    for file in ["v4.mat", "v6.mat", "v7.mat"] {
        let Arg::Str(name) = fixture(file) else { panic!() };
        let whole = std::fs::read(&*name).unwrap();
        let path = directory.join(file);
        for length in (0..whole.len()).step_by(7) {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut arguments = vec![path_arg(&path), Arg::str("nowhere"), Arg::ints(vec![0, 0])];
            let function = lookup("ModelicaIO_readMatrixSizes").unwrap();
            assert!(function.call(&mut trusted(), &mut arguments).is_err());
        }
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn text_streams() {
    let directory = scratch("streams");
    let mut context = trusted();
    let name = Arg::str("lines.txt");
    call_in(&mut context, "ModelicaInternal_chdir", vec![path_arg(&directory)]);
    for line in ["one", "", "three"] {
        call_in(&mut context, "ModelicaInternal_print", vec![Arg::str(line), name.clone()]);
    }
    assert_eq!(call_in(&mut context, "ModelicaInternal_countLines", vec![name.clone()]).0, Some(Arg::Int(3)));
    for (number, expected, end) in [(1, "one", false), (3, "three", false), (2, "", false), (4, "", true)] {
        let (line, out) = call_in(
            &mut context,
            "ModelicaInternal_readLine",
            vec![name.clone(), Arg::Int(number), Arg::Bool(false)],
        );
        assert_eq!((text(&line.unwrap()), &out[2]), (expected.to_string(), &Arg::Bool(end)));
    }
    let (_, out) = call_in(
        &mut context,
        "ModelicaInternal_readFile",
        vec![name.clone(), Arg::strs(vec!["".into(); 3]), Arg::Int(3)],
    );
    assert_eq!(out[1], Arg::strs(vec!["one".into(), "".into(), "three".into()]));
    call_in(&mut context, "ModelicaStreams_closeFile", vec![name]);
    assert!(
        failure("ModelicaInternal_countLines", vec![Arg::str("/nowhere/at all")]).contains("/nowhere/at all")
    );
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn files_and_directories() {
    let directory = scratch("files");
    let mut context = trusted();
    context.set_directory(&directory);
    let mut run = |name: &str, arguments: Vec<Arg>| call_in(&mut context, name, arguments);
    run("ModelicaInternal_mkdir", vec![Arg::str("sub")]);
    run("ModelicaInternal_print", vec![Arg::str("x"), Arg::str("sub/b.txt")]);
    run("ModelicaInternal_copyFile", vec![Arg::str("sub/b.txt"), Arg::str("sub/a.txt")]);
    let copy = vec![path_arg(&directory.join("sub/b.txt")), path_arg(&directory.join("sub/a.txt"))];
    assert!(failure("ModelicaInternal_copyFile", copy).contains("target exists"));
    let mut kind = |name: &str| int(&run("ModelicaInternal_stat", vec![Arg::str(name)]).0.unwrap());
    assert_eq!((kind("none"), kind("sub/a.txt"), kind("sub")), (1, 2, 3));
    assert_eq!(run("ModelicaInternal_getNumberOfFiles", vec![Arg::str("sub")]).0, Some(Arg::Int(2)));
    let (_, out) = run(
        "ModelicaInternal_readDirectory",
        vec![Arg::str("sub"), Arg::Int(2), Arg::strs(vec!["".into(); 2])],
    );
    assert_eq!(out[2], Arg::strs(vec!["a.txt".into(), "b.txt".into()]));
    run("ModelicaInternal_removeFile", vec![Arg::str("sub/a.txt")]);
    run("ModelicaInternal_rename", vec![Arg::str("sub/b.txt"), Arg::str("c.txt")]);
    run("ModelicaInternal_rmdir", vec![Arg::str("sub")]);
    assert_eq!(run("ModelicaInternal_exist", vec![Arg::str("c.txt")]).0, Some(Arg::Bool(true)));
    let full = text(&run("ModelicaInternal_fullPathName", vec![Arg::str("c.txt")]).0.unwrap());
    assert!(full.ends_with("/c.txt") && full.starts_with('/') || cfg!(windows));
    let temporary = text(&run("ModelicaInternal_temporaryFileName", vec![]).0.unwrap());
    assert!(!Path::new(&temporary).exists());
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn environment_and_clock() {
    let mut context = trusted();
    let name = Arg::str("KAIROS_NATIVE_TEST");
    let ask = |context: &mut Context| {
        let (_, out) = call_in(
            context,
            "ModelicaInternal_getenv",
            vec![name.clone(), Arg::Bool(false), Arg::str(""), Arg::Bool(false)],
        );
        (out[2].clone(), out[3].clone())
    };
    assert_eq!(ask(&mut context), (Arg::str(""), Arg::Bool(false)));
    call_in(&mut context, "ModelicaInternal_setenv", vec![name.clone(), Arg::str("set"), Arg::Bool(false)]);
    assert_eq!(ask(&mut context), (Arg::str("set"), Arg::Bool(true)));
    let (_, out) = call("ModelicaInternal_getTime", vec![Arg::Int(-1); 7]);
    assert!(int(&out[6]) >= 2024 && (1..=12).contains(&int(&out[5])) && (1..=31).contains(&int(&out[4])));
    assert_eq!(failure("ModelicaError", vec![Arg::str("stop")]), "stop");
    let format = vec![Arg::str("x = %lf, %s 100%%"), Arg::Real(0.5), Arg::str("y")];
    assert_eq!(failure("ModelicaFormatError", format), "x = 0.5, y 100%");
}
