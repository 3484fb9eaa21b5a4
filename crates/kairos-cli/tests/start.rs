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
        command.args(arguments).current_dir(&self.0);
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
    assert!(shown.contains("time in s, 0 … 1.5: x, u") && shown.lines().count() > 10, "{shown}");
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
