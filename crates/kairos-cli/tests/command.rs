//! The command as scripts use it: options, exit status, files.

use std::path::PathBuf;
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kairos-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("folder for a test");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("file for a test");
        path.to_string_lossy().into_owned()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("file written by the command")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn kairos(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
    command.args(arguments).env("KAIROS_CACHE", "").output().expect("the command starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const DECAY: &str = "model Decay\n  parameter Real k = 1;\n  Real x(start = 1, fixed = true);\n  Boolean low = x < 0.5;\n\
                     equation\n  der(x) = -k*x;\nend Decay;\n";

#[test]
fn parameters_that_a_run_finds_or_that_are_named_have_columns() {
    let folder = Folder::new("found");
    // p is the positive root of p^2 = 9 from its start value, q follows from it; k is given.
    let text = "model Found\n  parameter Real k = 2, p(fixed = false, start = 1), q = k*p;\n  Real x(start = 0, fixed = true);\n\
                initial equation\n  p^2 = 9;\nequation\n  der(x) = q;\nend Found;\n";
    let model = folder.write("Found.mo", text);
    for (vars, head, row) in [("*", "time,p,q,x,der(x)", "0,3,6,0,6"), ("k,x", "time,k,x", "0,2,0")] {
        let out = folder.path("r.csv");
        let output = kairos(&["run", &model, "--vars", vars, "--output", &out, "--no-states", "--quiet"]);
        assert!(output.status.success(), "{}", said(&output));
        let result = folder.read("r.csv");
        assert_eq!(result.lines().take(2).collect::<Vec<_>>(), [head, row]);
    }
}

#[test]
fn a_run_writes_rows_events_and_statistics() {
    let folder = Folder::new("run");
    let model = folder.write("Decay.mo", DECAY);
    let (out, events, stats) = (folder.path("r.csv"), folder.path("e.jsonl"), folder.path("s.json"));
    let output = kairos(&[
        "run",
        &model,
        "--model",
        "Decay",
        "--stop",
        "2",
        "--intervals",
        "4",
        "--at",
        "0.3,1.7",
        "--tolerance",
        "1e-9",
        "--output",
        &out,
        "--events",
        &events,
        "--stats",
        &stats,
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let rows = folder.read("r.csv");
    let times: Vec<f64> = rows.lines().skip(1).filter_map(|l| l.split(',').next()?.parse().ok()).collect();
    let half = std::f64::consts::LN_2;
    assert_eq!(times.len(), 10, "{times:?}");
    assert!(times.contains(&0.3) && times.contains(&1.7));
    assert_eq!(times.iter().filter(|t| (**t - half).abs() < 1e-6).count(), 2, "left and right limit");
    let kinds: Vec<serde_json::Value> =
        folder.read("e.jsonl").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let kinds: Vec<&str> = kinds.iter().map(|e| e["kind"].as_str().expect("kind")).collect();
    assert_eq!(kinds, ["initial", "state", "terminal"]);
    let stats: serde_json::Value = serde_json::from_str(&folder.read("s.json")).expect("JSON");
    assert_eq!(stats["success"], true);
    assert_eq!(stats["state_events"], 1);
}

#[test]
fn settings_change_parameters_and_misspelt_ones_are_told() {
    let folder = Folder::new("set");
    let model = folder.write("Decay.mo", DECAY);
    let out = folder.path("r.csv");
    let output = kairos(&["run", &model, "--set", "k=0", "--intervals", "1", "--output", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(
        folder.read("r.csv").lines().last().is_some_and(|line| line.starts_with("1,1")),
        "{}",
        folder.read("r.csv")
    );
    let output = kairos(&["run", &model, "--set", "kk=0", "--output", &out]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("`k`"), "{}", said(&output));
}

const KINDS: &str = "model Kinds\n  type Way = enumeration(up, down);\n  record Pair\n    Real a = 1;\n    Real b[2] = {2, 3};\n\
                     \x20 end Pair;\n  parameter Real v[3] = {1, 2, 3};\n  parameter Pair p[2];\n\
                     \x20 parameter Way way = Way.up annotation(Evaluate = true);\n\
                     \x20 parameter String kind = \"plain\" annotation(Evaluate = true);\n\
                     \x20 parameter Integer sizes[2] = {1, 2};\n  final parameter Real f = 4;\n  constant Real c = 5;\n\
                     \x20 Real x[2](each start = 0, each fixed = true), sum1 = sum(v) + sum(p.b[2]), d = x[1];\n\
                     \x20 Real y[sizes[1]] = fill(1, sizes[1]), z[sizes[2]] = fill(2, sizes[2]);\n\
                     \x20 Real w = (if way == Way.up then 1 else -1)*(if kind == \"plain\" then 1 else 10)*f*c;\n\
                     equation\n  der(x) = {0, 0};\nend Kinds;\n";

#[test]
fn every_kind_of_value_can_be_set() {
    let folder = Folder::new("kinds");
    let model = folder.write("Kinds.mo", KINDS);
    let out = folder.path("r.csv");
    let last = |settings: &[&str]| -> std::collections::BTreeMap<String, String> {
        let mut arguments = vec!["run", &model, "--intervals", "1", "--output", &out];
        settings.iter().for_each(|setting| arguments.extend(["--set", setting]));
        let output = kairos(&arguments);
        assert_eq!(output.status.code(), Some(0), "{settings:?}: {}", said(&output));
        let text = folder.read("r.csv");
        // No name here has a comma of its own.
        let mut lines = text.lines();
        let names = lines.next().expect("a head").split(',').map(str::to_string);
        names.zip(lines.last().expect("a row").split(',').map(str::to_string)).collect()
    };
    let plain = last(&[]);
    assert_eq!((plain["sum1"].as_str(), plain["w"].as_str()), ("12", "20"));
    assert_eq!(last(&["v={4,5,6}"])["sum1"], "21");
    assert_eq!(last(&["v[2]=7", "p[2].b[2]=5"])["sum1"], "19");
    assert_eq!(last(&["p.b={{0,1},{0,2}}"])["sum1"], "9");
    assert_eq!(last(&["x[2]=3"])["x[2]"], "3");
    assert_eq!(last(&["x[1].start=4"])["d"], "4");
    assert_eq!(last(&["x={5,6}"])["x[1]"], "5");
    // Built into the equations: a literal and a text without their types, one element of an array that is a size.
    assert_eq!(last(&["way=down"])["w"], "-20");
    assert_eq!(last(&["kind=other"])["w"], "200");
    let sized = last(&["sizes[2]=3"]);
    assert!(
        sized.contains_key("y[1]") && sized.contains_key("z[3]") && !sized.contains_key("y[2]"),
        "{sized:?}"
    );

    for (setting, words) in [
        ("f=1", "is final"),
        ("c=1", "is a constant"),
        ("v=1", "is an array"),
        ("sizes[1]=1.5", "give a whole number"),
        ("way=left", "one of up, down"),
        ("x[1].fixed=false", "is an attribute"),
        ("der(x[1])=1", "follows from the equations"),
        ("p=1", "it has parts: `p[1].a`"),
    ] {
        let output = kairos(&["run", &model, "--set", setting, "--output", "none"]);
        assert_eq!(output.status.code(), Some(2), "{setting}: {}", said(&output));
        assert!(said(&output).contains(words), "{setting}: {}", said(&output));
    }
    let output = kairos(&["run", &model, "--set", "w=1", "--output", "none"]);
    assert!(output.status.success() && said(&output).contains("only a guess"), "{}", said(&output));
}

#[test]
fn options_that_make_no_sense_are_told_before_a_result_is_lost() {
    let folder = Folder::new("options");
    let model = folder.write("Decay.mo", DECAY);
    let out = folder.write("r.csv", "an earlier result");
    for (option, value, words) in [
        ("--start", "3", "before it begins at 3"),
        ("--stop", "inf", "has no end"),
        ("--interval", "-1", "the interval -1"),
        ("--tolerance", "0", "the tolerance 0"),
        ("--max-step", "-2", "the largest step -2"),
        ("--plot", "", "no variable"),
    ] {
        let output = kairos(&["run", &model, "--stop", "2", option, value, "--output", &out]);
        let output = match option {
            "--stop" => kairos(&["run", &model, "--stop", value, "--output", &out]),
            _ => output,
        };
        assert_eq!(output.status.code(), Some(2), "{option}: {}", said(&output));
        assert!(said(&output).contains(words), "{option}: {}", said(&output));
        assert_eq!(folder.read("r.csv"), "an earlier result", "{option}");
    }
    for (option, value, words) in [
        ("--at", "7", "lies outside"),
        ("--step", "0.1", "fixed steps"),
        ("--vars", "nothing", "no variable `nothing`"),
        ("--lib", "/nowhere/at/all", "is not there"),
    ] {
        let output = kairos(&["run", &model, option, value, "--output", &out]);
        assert_eq!(output.status.code(), Some(0), "{option}: {}", said(&output));
        assert!(said(&output).contains(words), "{option}: {}", said(&output));
    }
    assert_eq!(kairos(&["run", &folder.path("Nothing.mo")]).status.code(), Some(2));
}

#[test]
fn names_with_commas_and_whole_arrays_are_variables() {
    let folder = Folder::new("commas");
    let text = "model Matrix\n  parameter Real k = 1;\n  Real x(start = 1, fixed = true), A[2, 2] = {{x, 2*x}, {3*x, 4*x}};\n\
                \x20 Real 'a, b' = x;\nequation\n  der(x) = 0*k;\nend Matrix;\n";
    let model = folder.write("Matrix.mo", text);
    let out = folder.path("r.csv");
    let head = |text: String| text.lines().next().expect("a head").to_string();
    let vars = "A[1,2],'a, b'";
    let output = kairos(&["run", &model, "--vars", vars, "--intervals", "1", "--output", &out]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(head(folder.read("r.csv")), "time,\"A[1,2]\",\"'a, b'\"");
    let output = kairos(&["recompute", &out, "--vars", "A[2,1]"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(head(folder.read("r.csv")).contains("A[2,1]"), "{}", folder.read("r.csv"));
    assert!(kairos(&["run", &model, "--vars", "A", "--output", &out]).status.success());
    assert_eq!(head(folder.read("r.csv")).matches("A[").count(), 4);
    let drawing = folder.path("r.svg");
    let output = kairos(&["plot", &out, "A", "A[?,1]", "--output", &drawing]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(folder.read("r.svg").matches("A[2,1]").count(), 2);
    let sweep = folder.path("s.parquet");
    let vary = ["sweep", &model, "--vary", "k=1,2", "--output", &sweep];
    let output = kairos(&[&vary[..], &["--outcome", "max(A[2,2]),x"]].concat());
    assert!(output.status.success(), "{}", said(&output));
    let output = kairos(&[&vary[..], &["--vary", "k=3"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("more than once"), "{}", said(&output));
}

#[test]
fn a_file_is_seen_where_its_package_is() {
    let folder = Folder::new("within");
    std::fs::create_dir_all(folder.0.join("Plant/Parts")).expect("folders");
    folder.write("Plant/package.mo", "within ;\npackage Plant\n  constant Real g = 3;\nend Plant;\n");
    folder.write("Plant/Parts/package.mo", "within Plant;\npackage Parts\nend Parts;\n");
    folder
        .write("Plant/Parts/Base.mo", "within Plant.Parts;\npartial model Base\n  Real x = g;\nend Base;\n");
    let text = "within Plant.Parts;\nmodel Whole\n  extends Base;\nend Whole;\n";
    let model = folder.write("Plant/Parts/Whole.mo", text);
    let out = folder.path("r.csv");
    for arguments in [&["run", &model][..], &["run", &model, "--model", "Whole"]] {
        let output = kairos(&[arguments, &["--output", &out, "--intervals", "1"]].concat());
        assert!(output.status.success(), "{}", said(&output));
        assert!(folder.read("r.csv").contains("0,3"), "{}", folder.read("r.csv"));
    }
    let output = kairos(&["check", &folder.path("Plant/")]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 models checked"));

    // The last complete model is meant, whatever stands behind it.
    let text =
        "model A\n  Real x = 1;\nend A;\n\nfunction f\n  input Real x;\n  output Real y = x;\nend f;\n";
    let output = kairos(&["run", &folder.write("Two.mo", text), "--output", "none"]);
    assert!(output.status.success(), "{}", said(&output));
    let text = "package P\n  model A\n    Real x = 1;\n  end A;\nend P;\n";
    let output = kairos(&["run", &folder.write("P.mo", text), "--model", "A", "--output", "none"]);
    assert!(said(&output).contains("did you mean `P.A`?"), "{}", said(&output));
    let output = kairos(&["run", &folder.write("Empty.mo", "// nothing\n"), "--output", "none"]);
    assert!(
        said(&output).contains("there is no model in") && said(&output).contains("Empty.mo"),
        "{}",
        said(&output)
    );
    std::fs::write(folder.0.join("Noise.mo"), [0u8, 159, 146, 150, 7, 1]).expect("written");
    let output = kairos(&["run", &folder.path("Noise.mo"), "--output", "none"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("it is no text"), "{}", said(&output));
}

#[test]
fn exit_status_tells_the_kind_of_failure() {
    let folder = Folder::new("status");
    let broken = folder.write("Broken.mo", "model Broken\n  Real x;\nequation\n  x = y;\nend Broken;\n");
    let output = kairos(&["run", &broken, "--output", "none"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("Broken.mo:4"), "{}", said(&output));
    assert_eq!(kairos(&["run"]).status.code(), Some(2));
    assert_eq!(kairos(&["run", &broken, "--no-such-option"]).status.code(), Some(2));
    let model = folder.write("Decay.mo", DECAY);
    assert_eq!(kairos(&["run", &model, "--output", &folder.path("r.xyz")]).status.code(), Some(2));
}

#[test]
fn rows_up_to_a_failure_are_kept() {
    let folder = Folder::new("failure");
    let text = "model Fails\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = 1;\n\
                \x20 assert(x < 2, \"too far\");\nend Fails;\n";
    let model = folder.write("Fails.mo", text);
    let output =
        kairos(&["run", &model, "--stop", "3", "--intervals", "30", "--output", &folder.path("r.csv")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("too far"), "{}", said(&output));
    assert!(folder.read("r.csv.part").lines().count() > 15);
}

#[test]
fn results_are_drawn_and_compared() {
    let folder = Folder::new("results");
    let model = folder.write("Decay.mo", DECAY);
    for name in ["r.csv", "r.mat"] {
        let output = kairos(&["run", &model, "--output", &folder.path(name)]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    let output = kairos(&["compare", &folder.path("r.csv"), &folder.path("r.mat")]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let output = kairos(&["plot", &folder.path("r.mat"), "x", "low", "--output", &folder.path("r.svg")]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(folder.read("r.svg").matches("class=\"pane\"").count(), 2);
    let output = kairos(&["plot", &folder.path("r.csv"), "x", "--output", &folder.path("r.png")]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(std::fs::read(folder.path("r.png")).expect("written").starts_with(b"\x89PNG"));
    assert_eq!(kairos(&["plot", &folder.path("r.csv"), "x", "-o", "r.xyz"]).status.code(), Some(2));
    let other = folder.write("other.csv", "time,x\n0,1\n0.5,2\n1,3\n");
    let drawn = folder.path("worst.svg");
    let output = kairos(&["compare", &folder.path("r.csv"), &other, "--vars", "x", "--plot", &drawn]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_eq!(folder.read("worst.svg").matches("class=\"series\"").count(), 2);
    assert_eq!(kairos(&["plot", &folder.path("r.csv"), "nothing"]).status.code(), Some(2));
}

/// The values of a column of a dataset.
fn column(path: &str, name: &str) -> Vec<f64> {
    let file = std::fs::File::open(path).expect("a dataset");
    kairos::results::read_parquet(file).expect("readable").values(name).expect("a column")
}

#[test]
fn a_sweep_gives_one_row_per_point_whatever_the_number_of_threads() {
    let folder = Folder::new("sweep");
    let model = folder.write("Decay.mo", DECAY);
    let (one, two) = (folder.path("one.parquet"), folder.path("two.parquet"));
    for (jobs, out) in [("1", &one), ("3", &two)] {
        let output = kairos(&[
            "sweep",
            &model,
            "--vary",
            "k=lin(0.5,4,8)",
            "--outcome",
            "x,min(x),mean(x),low",
            "--jobs",
            jobs,
            "--tolerance",
            "1e-9",
            "--output",
            out,
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    assert_eq!(std::fs::read(&one).expect("written"), std::fs::read(&two).expect("written"));
    let (k, x, mean, low) =
        (column(&one, "k"), column(&one, "x"), column(&one, "mean(x)"), column(&one, "low"));
    assert_eq!(k.len(), 8);
    for at in 0..8 {
        let end = (-k[at]).exp();
        assert!((x[at] - end).abs() < 1e-7, "{} {}", x[at], end);
        assert!((mean[at] - (1.0 - end) / k[at]).abs() < 1e-5, "the mean of a decay");
        assert_eq!(low[at], f64::from(u8::from(end < 0.5)));
    }
    assert!(!std::path::Path::new(&format!("{one}.partial")).exists());
}

#[test]
fn failures_in_a_sweep_are_recorded_and_structural_sizes_compile_anew() {
    let folder = Folder::new("sweep-failures");
    let text = "model Chain\n  parameter Integer n = 2;\n  parameter Real limit = 10;\n  Real x[n](each start = 1, each fixed = true);\n  \
                Real total = sum(x);\nequation\n  for i in 1:n loop\n    der(x[i]) = i;\n  end for;\n  \
                assert(total < limit, \"too much\");\nend Chain;\n";
    let model = folder.write("Chain.mo", text);
    let out = folder.path("r.parquet");
    let output = kairos(&["sweep", &model, "--vary", "n=1:1:4", "--outcome", "total", "--output", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 failed"), "n = 4 ends at 4 + 10");
    let (n, total) = (column(&out, "n"), column(&out, "total"));
    let of = |size: f64| n.iter().position(|v| *v == size).map(|at| total[at]);
    assert!(of(1.0).is_some_and(|total| (total - 2.0).abs() < 1e-6), "1 + 1");
    assert!(of(3.0).is_some_and(|total| (total - 9.0).abs() < 1e-6), "3 + 1 + 2 + 3");
    assert!(of(4.0).is_some_and(|total| total < 10.0), "the last value before the limit");
    let mut sets = Vec::new();
    for jobs in ["1", "3"] {
        let sizes =
            ["sweep", &model, "--vary", "n=3,1,2", "--vars", "x*", "--intervals", "1", "--jobs", jobs];
        let output = kairos(&[&sizes[..], &["--output", &out]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        sets.push(std::fs::read(&out).expect("written"));
    }
    assert_eq!(sets[0], sets[1]);
    let x: Vec<Vec<f64>> = (1..4).map(|k| column(&out, &format!("x[{k}]"))).collect();
    let n = column(&out, "n");
    assert_eq!(n.len(), 9, "three rows of each size: begin, end, and after the last event");
    for row in 0..9 {
        let time = x[0][row] - 1.0;
        for (k, x) in x.iter().enumerate() {
            let right = 1.0 + (k + 1) as f64 * time;
            let there = (k as f64) < n[row];
            assert!(if there { (x[row] - right).abs() < 1e-6 } else { x[row].is_nan() }, "{k}: {x:?}");
        }
    }
    let output = kairos(&["sweep", &model, "--vary", "n=1:1:3", "--output", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(
        (column(&out, "total")[2] - 9.0).abs() < 1e-6,
        "without a choice all is kept as it is at the end"
    );
    assert!(column(&out, "x[2]")[0].is_nan(), "there is no second state in the first");
    let output = kairos(&["sweep", &model, "--vary", "limt=1,2", "--outcome", "total", "--output", &out]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("`limit`"), "{}", said(&output));
    let output = kairos(&["sweep", &model, "--vary", "limit=1:-1:5", "--outcome", "total"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_killed_sweep_goes_on_where_it_was() {
    let folder = Folder::new("sweep-killed");
    let model = folder.write("Decay.mo", DECAY);
    let (whole, resumed) = (folder.path("whole.parquet"), folder.path("resumed.parquet"));
    let arguments = |out: &str| {
        let list =
            ["sweep", &model, "--vary", "k=lin(0.1,4,3000)", "--vars", "x", "--tolerance", "1e-9", "-o", out];
        list.map(str::to_string)
    };
    let command = |out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
        command.args(arguments(out)).env("KAIROS_CACHE", "").stdout(std::process::Stdio::piped());
        command
    };
    assert!(command(&whole).output().expect("ends").status.success());
    let mut child = command(&resumed).spawn().expect("starts");
    let partial = format!("{resumed}.partial");
    while std::fs::metadata(&partial).map_or(0, |m| m.len()) < 100_000
        && child.try_wait().expect("asked").is_none()
    {
        std::thread::yield_now();
    }
    let _ = child.kill();
    let _ = child.wait();
    let output = command(&resumed).output().expect("ends");
    let summary = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && summary.contains("from before"), "{summary}{}", said(&output));
    assert_eq!(std::fs::read(&whole).expect("written"), std::fs::read(&resumed).expect("written"));
}

const THERMOSTAT: &str = "model Thermostat\n  parameter Integer n = 2;\n  parameter Real cold[n] = {10, 12};\n\
  Real T[n](each start = 20, each fixed = true), heat[n], r(start = 1);\n  Boolean on(start = false, fixed = true);\n\
  discrete Real seen(start = 0, fixed = true);\nequation\n  for k in 1:n loop\n    der(T[k]) = heat[k];\n\
    heat[k] = cold[k] - T[k] + (if on then 20 else 0);\n  end for;\n  r^3 + r = T[1];\n\
  on = T[1] < 18 or pre(on) and T[1] < 22;\n  when sample(0, 0.3) then\n    seen = T[2];\n  end when;\n\
  annotation(experiment(StopTime = 3));\nend Thermostat;\n";

#[test]
fn what_a_run_left_out_is_computed_from_its_states() {
    let folder = Folder::new("recompute");
    let model = folder.write("Thermostat.mo", THERMOSTAT);
    let set = ["--set", "cold[2]=11", "--set", "n=2"];
    let run = |out: &str, more: &[&str]| {
        let output = kairos(&[&["run", &model, "--quiet", "--output", out], &set[..], more].concat());
        assert!(output.status.success(), "{}", said(&output));
    };
    let (whole, part, other) = (folder.path("whole.csv"), folder.path("part.csv"), folder.path("other.mat"));
    run(&whole, &[]);
    run(&part, &["--vars", "heat[1]"]);
    assert!(!std::fs::exists(folder.path("whole.csv.states")).expect("folder"));
    let output = kairos(&["recompute", &part, "--vars", "seen,o*", "--output", &other]);
    assert!(output.status.success(), "{}", said(&output));
    let mat = kairos::results::read_mat(&std::fs::read(&other).expect("file")).expect("result");
    assert_eq!(mat.signals.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["on", "seen"]);
    let output = kairos(&["recompute", &part, "--vars", "*"]);
    assert!(output.status.success(), "{}", said(&output));
    let (whole, part) = (numbers(&folder.read("whole.csv")), numbers(&folder.read("part.csv")));
    assert_eq!((whole.0, whole.1.len()), (part.0, part.1.len()));
    for (a, b) in whole.1.iter().zip(&part.1) {
        assert!((a - b).abs() <= 1e-12 * a.abs().max(1.0), "{a} {b}");
    }
}

/// The header, and all numbers of a CSV result.
fn numbers(text: &str) -> (String, Vec<f64>) {
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default().to_string();
    (header, lines.flat_map(|line| line.split(',').map(|n| n.parse().expect("number"))).collect())
}

#[test]
fn states_of_another_model_are_refused() {
    let folder = Folder::new("changed");
    let model = folder.write("Decay.mo", DECAY);
    let part = folder.path("part.csv");
    kairos(&["run", &model, "--quiet", "--vars", "low", "--output", &part]);
    let before = folder.read("part.csv");
    let output = kairos(&["recompute", &part, "--vars", "y"]);
    assert!(
        output.status.code() == Some(2) && said(&output).contains("unknown-variable"),
        "{}",
        said(&output)
    );
    folder.write("Decay.mo", &DECAY.replace("-k*x", "-2*k*x"));
    let output = kairos(&["recompute", &part, "--vars", "x"]);
    assert!(output.status.code() == Some(1) && said(&output).contains("model-changed"), "{}", said(&output));
    assert_eq!(folder.read("part.csv"), before);
}

#[test]
fn modes_are_entered_again_and_mixtures_of_them_are_refused() {
    let folder = Folder::new("replay");
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suite/");
    let (whole, part) = (folder.path("whole.csv"), folder.path("part.csv"));
    let file = format!("{suite}modes/structure.mo");
    let model = ["run", &file, "--model", "structure.Capacitors", "--stop", "3", "--quiet", "--output"];
    for more in [&[&whole[..]][..], &[&part, "--vars", "source"]] {
        let output = kairos(&[&model[..], more].concat());
        assert!(output.status.success(), "{}", said(&output));
    }
    let output = kairos(&["recompute", &part, "--vars", "*"]);
    assert!(output.status.success(), "{}", said(&output));
    let (whole, again) = (numbers(&folder.read("whole.csv")), numbers(&folder.read("part.csv")));
    assert_eq!((whole.0, whole.1.len()), (again.0, again.1.len()));
    assert!(whole.1.iter().zip(&again.1).all(|(a, b)| (a - b).abs() <= 1e-12 * a.abs().max(1.0)));

    let file = format!("{suite}hybrid/sliding_utkin.mo");
    let output = kairos(&["run", &file, "--stop", "3", "--quiet", "--vars", "s", "--output", &part]);
    assert!(output.status.success(), "{}", said(&output));
    let output = kairos(&["recompute", &part, "--vars", "u"]);
    assert!(
        said(&output).contains("not-recomputed") && said(&output).contains("switching surface"),
        "{}",
        said(&output)
    );
}

#[test]
fn a_saved_run_goes_on_in_another_process() {
    let folder = Folder::new("resume");
    let text = "model Ball\n  parameter Real e = 0.7;\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true), x;\n\
                equation\n  der(h) = v;\n  der(v) = -9.81;\n  x^3 + x = h;\n  when h < 0 then\n    reinit(v, -e*pre(v));\n  \
                end when;\nend Ball;\n";
    let (model, stored, run) =
        (folder.write("Ball.mo", text), folder.path("Ball.kairos"), folder.path("half.run"));
    let (whole, first, rest) = (folder.path("whole.csv"), folder.path("first.csv"), folder.path("rest.csv"));
    let done = |arguments: &[&str]| {
        let output = kairos(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    };
    done(&["run", &model, "--stop", "2", "-o", &whole, "-q"]);
    done(&["compile", &model, "-o", &stored, "-q"]);
    done(&["run", &stored, "--stop", "2", "-o", &first, "--save", &run, "--save-at", "0.9", "-q"]);
    done(&["run", &stored, "--resume", &run, "-o", &rest, "-q"]);
    let (whole, first, rest) = (folder.read("whole.csv"), folder.read("first.csv"), folder.read("rest.csv"));
    assert_eq!(whole, first);
    let (rest, all): (Vec<&str>, Vec<&str>) = (rest.lines().collect(), whole.lines().collect());
    assert!(rest.len() > 200 && rest.len() < all.len(), "{} of {} rows", rest.len(), all.len());
    assert_eq!(rest[0], all[0]);
    assert_eq!(rest[1..], all[all.len() - rest.len() + 1..]);
}

#[test]
fn a_run_in_real_time_takes_its_time_and_has_the_same_numbers() {
    let folder = Folder::new("realtime");
    let model = folder.write("M.mo", "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;");
    let (free, paced, stats) = (folder.path("free.csv"), folder.path("paced.csv"), folder.path("stats.json"));
    let common = ["run", model.as_str(), "--stop", "3", "--intervals", "30"];
    assert!(kairos(&[&common[..], &["-o", &free]].concat()).status.success());
    let begun = std::time::Instant::now();
    let run = kairos(&[&common[..], &["-o", &paced, "--stats", &stats, "--realtime", "10"]].concat());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(begun.elapsed().as_secs_f64() >= 0.3, "{:?}", begun.elapsed());
    assert_eq!(folder.read("free.csv"), folder.read("paced.csv"));
    assert!(String::from_utf8_lossy(&run.stdout).contains("real time: "));
    assert!(folder.read("stats.json").contains("\"realtime\":{\"factor\":10.0,\"points\":"));
    // A pace that no machine keeps has overruns.
    let run = kairos(&[&common[..], &["-o", "none", "--realtime=1e9"]].concat());
    let told = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(told.contains("real time: "), "{told}");
    for wrong in ["0", "-1", "fast"] {
        assert_eq!(kairos(&["run", &model, &format!("--realtime={wrong}")]).status.code(), Some(2));
    }
}
