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
    Command::new(env!("CARGO_BIN_EXE_kairos")).args(arguments).output().expect("the command starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const DECAY: &str = "model Decay\n  parameter Real k = 1;\n  Real x(start = 1, fixed = true);\n  Boolean low = x < 0.5;\n\
                     equation\n  der(x) = -k*x;\nend Decay;\n";

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
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("`k`"), "{}", said(&output));
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
    assert!(folder.read("r.csv").lines().count() > 15);
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
