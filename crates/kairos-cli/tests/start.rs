//! What a newcomer meets first: a new model or library, drawings after a run, completions, and runs on every save.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kairos-start-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("folder for a test");
        Self(path)
    }

    /// The command inside the folder.
    fn kairos(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
        command.args(arguments).current_dir(&self.0).env("KAIROS_HOME", self.0.join("home"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.kairos(arguments).output().expect("the command starts")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn succeeds(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_new_model_is_formatted_and_runs() {
    let folder = Folder::new("model");
    let told = succeeds(&folder.run(&["new", "Motor"]));
    assert!(told.contains("kairos run Motor.mo"), "{told}");
    succeeds(&folder.run(&["run", "Motor.mo"]));
    succeeds(&folder.run(&["fmt", "--check", "Motor.mo"]));
    let text = std::fs::read_to_string(folder.0.join("Motor.csv")).expect("a result");
    let last = text.lines().last().expect("rows");
    assert!(last.starts_with("1.5,"), "the experiment of the model: {last}");
    let again = folder.run(&["new", "Motor"]);
    assert_eq!(again.status.code(), Some(2), "nothing is overwritten");
}

#[test]
fn a_new_library_is_formatted_and_its_example_runs() {
    let folder = Folder::new("library");
    let told = succeeds(&folder.run(&["new", "Plant", "--library"]));
    let command = told.lines().find_map(|line| line.trim().strip_prefix("kairos ")).expect("a command");
    let arguments: Vec<&str> = command.split_whitespace().collect();
    succeeds(&folder.run(&arguments));
    succeeds(&folder.run(&["fmt", "--check", "Plant"]));
    assert!(folder.0.join("Plant.Examples.StepResponse.csv").exists());
}

#[test]
fn names_that_are_none_are_refused() {
    let folder = Folder::new("names");
    for name in ["2nd", "a-b", "a.b", "", "model", "Real", "../x"] {
        assert_eq!(folder.run(&["new", name]).status.code(), Some(2), "{name}");
    }
}

#[test]
fn a_run_draws_what_it_is_asked_for() {
    let folder = Folder::new("draw");
    succeeds(&folder.run(&["new", "Motor"]));
    let shown = succeeds(&folder.run(&["run", "Motor.mo", "--plot", "x,u", "--quiet", "--output", "none"]));
    assert!(shown.contains("time in s, 0 … 1.5: a x, b u") && shown.lines().count() > 10, "{shown}");
    let arguments =
        ["run", "Motor.mo", "--vars", "u", "--plot", "x", "--plot", "T,u", "--plot-output", "r.svg"];
    succeeds(&folder.run(&arguments));
    let drawn = std::fs::read_to_string(folder.0.join("r.svg")).expect("a drawing");
    assert_eq!(drawn.matches("class=\"pane\"").count(), 2);
    assert_eq!(drawn.matches("class=\"series\"").count(), 3);
    let unknown = folder.run(&["run", "Motor.mo", "--plot", "y"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert_eq!(folder.run(&["run", "Motor.mo", "--plot-output", "r.svg"]).status.code(), Some(2));
}

#[test]
fn outcomes_are_drawn_over_what_was_varied() {
    let folder = Folder::new("over");
    succeeds(&folder.run(&["new", "Motor"]));
    let sweep = ["sweep", "Motor.mo", "--vary", "T=lin(0.1,1,10)", "--outcome", "max(x)", "-o", "r.parquet"];
    succeeds(&folder.run(&sweep));
    let shown = succeeds(&folder.run(&["plot", "r.parquet", "max(x)", "--x", "T"]));
    assert!(shown.contains("T, 0.1 … 1: max(x)"), "{shown}");
    let falling = ["plot", "r.parquet", "T", "--x", "max(x)", "-o", "r.html"];
    assert_eq!(folder.run(&falling).status.code(), Some(2), "a slower lag ends lower");
}

#[test]
fn shells_complete_every_command() {
    let folder = Folder::new("shells");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = succeeds(&folder.run(&["completions", shell]));
        for word in ["sweep", "explain", "tolerance", "plot-output"] {
            assert!(script.contains(word), "{shell} knows {word}");
        }
    }
    assert_eq!(folder.run(&["completions", "csh"]).status.code(), Some(2));
}

#[test]
fn the_version_is_one_line() {
    let folder = Folder::new("version");
    let told = succeeds(&folder.run(&["--version"]));
    assert!(told.starts_with(concat!("kairos ", env!("CARGO_PKG_VERSION"))), "{told}");
    assert_eq!(told.lines().count(), 1);
}

#[test]
fn a_watched_model_runs_again_when_it_is_saved() {
    let folder = Folder::new("watch");
    succeeds(&folder.run(&["new", "Motor"]));
    let mut command = folder.kairos(&["run", "Motor.mo", "--watch"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let mut told = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
    let mut wait = |text: &str| told.any(|line| line.contains(text));
    // The output ends with the command, so that the test ends even if the second run never comes.
    let child = Arc::new(Mutex::new(child));
    let late = Arc::clone(&child);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(60));
        let _ = late.lock().map(|mut child| child.kill());
    });
    let first = wait("time 0 to 1.5");
    let path = folder.0.join("Motor.mo");
    let text = std::fs::read_to_string(&path).expect("the model");
    std::fs::write(&path, text.replace("StopTime=1.5", "StopTime=2.5")).expect("saved");
    let second = first && wait("time 0 to 2.5");
    let mut child = child.lock().expect("nobody broke down");
    let _ = child.kill();
    let _ = child.wait();
    assert!(first && second);
}

/// The last value of a variable after a run with a setting.
fn after(folder: &Folder, setting: &str, variable: &str) -> String {
    succeeds(&folder.run(&["run", "Kinds.mo", "--set", setting, "--vars", variable, "--output", "r.csv"]));
    let text = std::fs::read_to_string(folder.0.join("r.csv")).expect("a result");
    let (head, last) = (text.lines().next().unwrap_or_default(), text.lines().last().unwrap_or_default());
    let at = head.split(',').position(|name| name.trim_matches('"') == variable).expect("the variable");
    last.split(',').nth(at).unwrap_or_default().trim_matches('"').to_string()
}

#[test]
fn every_kind_of_parameter_can_be_set() {
    let folder = Folder::new("kinds");
    let text = "model Kinds\n  type Colour = enumeration(red, green, blue);\n  record Point\n    Real x = 1;\n    \
                Real y = 2;\n  end Point;\n  parameter Real k = 1;\n  parameter Integer m = 1;\n  \
                parameter Boolean on = false;\n  parameter Real a[3] = {1, 2, 3};\n  parameter Point p;\n  \
                parameter Colour c = Colour.red;\n  parameter String s = \"short\";\n  \
                parameter Integer n = 2;\n  Real z[n](each start = 1, each fixed = true);\n  \
                Real sk = k + time, sm = m + time, sa = a[2] + time, sp = p.y + time, sz = sum(z);\n  \
                Boolean son = on and time >= 0, green = c == Colour.green and time >= 0;\n  \
                Boolean long = s == \"long\" and time >= 0;\n  Real x(start = 1, fixed = true);\nequation\n  \
                der(x) = 0;\n  der(z) = zeros(n);\nend Kinds;\n";
    std::fs::write(folder.0.join("Kinds.mo"), text).expect("a model");
    let value = |setting: &str, variable: &str| after(&folder, setting, variable);
    assert_eq!(value("k=2.5", "sk"), "3.5");
    assert_eq!(value("m=4", "sm"), "5");
    assert_eq!(value("on=true", "son"), "1");
    assert_eq!(value("a[2]=-1", "sa"), "0");
    assert_eq!(value("p.y=7", "sp"), "8");
    assert_eq!(value("c=green", "green"), "1");
    assert_eq!(value("c=Colour.green", "green"), "1");
    assert_eq!(value("s=\"long\"", "long"), "1");
    assert_eq!(value("n=5", "sz"), "5", "another number of unknowns");
    assert_eq!(value("x=3", "x"), "3", "a start value");
    assert_eq!(value("x.start=3", "x"), "3", "the same by its full name");
    assert_eq!(value("z[1]=2", "sz"), "3", "a start value of an element");
    let wrong = [("kk=1", "`k`"), ("p.z=1", "`p."), ("a[4]=1", "`a["), ("c=pink", "green")];
    for (wrong, near) in wrong {
        let output = folder.run(&["run", "Kinds.mo", "--set", wrong, "--output", "none"]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(near), "{wrong}: {said}");
    }
}

#[test]
fn native_code_is_kept_where_it_is_asked_for() {
    let folder = Folder::new("kept");
    succeeds(&folder.run(&["new", "Motor"]));
    let kept = |place: &str| {
        let entries = std::fs::read_dir(folder.0.join(place)).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "code")).count()
    };
    let run = |cache: Option<&str>| {
        let mut command = folder.kairos(&["run", "Motor.mo", "--machine", "jit"]);
        cache.map(|cache| command.env("KAIROS_CACHE", cache));
        succeeds(&command.output().expect("the command starts"));
    };
    for (cache, place) in [(None, "home/cache"), (Some("mine"), "mine")] {
        run(cache);
        assert!(kept(place) > 0, "{place}");
        std::fs::remove_dir_all(folder.0.join(place)).expect("the folder of code");
    }
    run(Some(""));
    assert_eq!(kept("home/cache"), 0);
}
