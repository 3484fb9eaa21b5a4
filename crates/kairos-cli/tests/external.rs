//! C code in models: when it is compiled, when it runs, and what is said where it cannot.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, model: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kairos-external-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("work")).expect("folder for a test");
        let folder = Self(path.canonicalize().expect("a folder"));
        folder.write("M.mo", model);
        folder
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join("work").join(name), text).expect("file for a test");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
        command.args(arguments).current_dir(self.0.join("work"));
        command.env("KAIROS_HOME", self.0.join("home")).env_remove("KAIROS_CACHE").env_remove("KAIROS_TRUST");
        command
    }

    fn run(&self, more: &[&str]) -> Output {
        let mut command = self.command(&["run", "M.mo", "--quiet", "--output", "r.csv"]);
        command.args(more).output().expect("the command starts")
    }

    /// A variable at the end of the last run.
    fn last(&self, name: &str) -> f64 {
        let text = std::fs::read_to_string(self.0.join("work/r.csv")).expect("a result");
        let cells =
            |line: &str| line.split(',').map(|cell| cell.trim_matches('"').to_string()).collect::<Vec<_>>();
        let column = cells(text.lines().next().expect("names")).iter().position(|cell| cell == name);
        cells(text.lines().last().expect("a row"))[column.expect("the variable")].parse().expect("a number")
    }

    fn cache(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.join("home/cache")).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn compiler() -> bool {
    let found =
        ["cc", "gcc", "clang"].iter().any(|name| Command::new(name).arg("--version").output().is_ok());
    if !found {
        println!("there is no C compiler, so nothing is tested");
    }
    found
}

const DEED: &str = r##"model M
  function f
    input Real x;
    output Real y;
    external "C" y = f(x) annotation(Include = "#include \"code.h\"");
  end f;
  parameter Real p = f(2);
  Real y = p*time;
end M;
"##;

#[test]
fn c_code_runs_only_where_it_is_trusted() {
    let folder = Folder::new("trust", DEED);
    folder.write(
        "code.h",
        "static double f(double x) { FILE *deed = fopen(\"deed\", \"w\"); fclose(deed); return 3*x; }",
    );
    let deed = || folder.0.join("work/deed").exists();
    for command in ["check", "flat", "explain"] {
        let output = folder.command(&[command, "M.mo"]).output().expect("starts");
        assert!(output.status.success() || command == "explain", "{command}: {}", said(&output));
    }
    let refused = folder.run(&[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("`f`, C code that the function `M.f` includes"), "{}", said(&refused));
    assert!(said(&refused).contains("`--trust M`"), "{}", said(&refused));
    assert!(!folder.run(&["--external", "deny"]).status.success());
    assert!(!deed());
    if !compiler() {
        return;
    }
    let mut by_variable = folder.command(&["run", "M.mo", "--quiet", "--output", "none"]);
    assert!(by_variable.env("KAIROS_TRUST", "Other, M").output().expect("starts").status.success());
    assert!(deed());
    assert!(!folder.run(&[]).status.success(), "the variable is not remembered");
    std::fs::write(folder.0.join("home/trust"), "# mine\nM\n").expect("a file");
    assert!(folder.run(&[]).status.success());
    assert_eq!(folder.last("y"), 6.0);
    std::fs::remove_file(folder.0.join("home/trust")).expect("a file");
    assert!(folder.run(&["--trust", "M"]).status.success());
    assert!(folder.run(&[]).status.success(), "trust is remembered");
    folder.write("code.h", "static double f(double x) { return 4*x; }");
    assert!(!folder.run(&[]).status.success(), "the code has changed");
}

#[test]
fn compiled_code_is_kept_until_what_it_includes_changes() {
    if !compiler() {
        return;
    }
    let folder = Folder::new("kept", DEED);
    folder.write("code.h", "#include \"inner.h\"\nstatic double f(double x) { return FACTOR*x; }");
    folder.write("inner.h", "#define FACTOR 5");
    let run = |expected: f64| {
        let output = folder.run(&["--external", "allow"]);
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(folder.last("y"), expected);
    };
    run(10.0);
    let kept = folder.cache();
    assert!(kept.iter().any(|name| name.ends_with(".code")), "{kept:?}");
    assert!(!kept.iter().any(|name| name.contains("kairos-c-")), "nothing else is left: {kept:?}");
    // A compiler that would be seen if it were called.
    let counted = folder.0.join("count");
    let script = folder.0.join("counting");
    std::fs::write(&script, format!("#!/bin/sh\necho x >> {}\nexec cc \"$@\"\n", counted.display()))
        .expect("a file");
    make_executable(&script);
    let again = || {
        let mut command =
            folder.command(&["run", "M.mo", "--quiet", "--output", "r.csv", "--external", "allow"]);
        assert!(command.env("CC", &script).output().expect("starts").status.success());
        std::fs::read_to_string(&counted).unwrap_or_default().lines().count()
    };
    let first = again();
    assert!(first > 0, "`$CC` is the compiler that is used");
    assert_eq!(again(), first, "the second run finds what the first has made");
    folder.write("inner.h", "#define FACTOR 7");
    assert!(again() > first);
    assert_eq!(folder.last("y"), 14.0);
}

#[cfg(unix)]
fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("a file of ours");
}

#[cfg(not(unix))]
fn make_executable(_: &Path) {}

#[test]
fn without_a_compiler_the_message_says_what_to_install() {
    let folder = Folder::new("none", DEED);
    folder.write("code.h", "static double f(double x) { return x; }");
    let mut command = folder.command(&["run", "M.mo", "--quiet", "--output", "none", "--external", "allow"]);
    let output = command.env("PATH", "").env_remove("CC").output().expect("starts");
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in ["`M.f`", "install", "CC", "M.mo:"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn objects_end_with_the_run_whatever_its_outcome() {
    if !compiler() {
        return;
    }
    let folder = Folder::new("objects", &OBJECTS.replace("FAIL", "false"));
    folder.write("note.h", NOTE);
    assert!(folder.run(&["--external", "allow"]).status.success());
    let ended = || std::fs::read_to_string(folder.0.join("work/ended")).unwrap_or_default();
    assert_eq!(ended(), "a 1 b 1");
    std::fs::remove_file(folder.0.join("work/ended")).expect("a file");
    folder.write("M.mo", &OBJECTS.replace("FAIL", "time > 0.5"));
    assert!(!folder.run(&["--external", "allow"]).status.success());
    assert_eq!(ended(), "a 1 b 1");
}

const NOTE: &str = r#"
static int note_ended[2];
static void *note_open(int k) { int *note = malloc(sizeof(int)); *note = k; return note; }
static double note_read(void *note) { return *(int *)note; }
static void note_close(void *note) {
  FILE *file = fopen("ended", "w");
  note_ended[*(int *)note]++;
  fprintf(file, "a %d b %d", note_ended[0], note_ended[1]);
  fclose(file);
  free(note);
}
"#;

/// Two objects; the file that the last of them writes at its end says how often each has been ended.
const OBJECTS: &str = r##"model M
  class Note
    extends ExternalObject;
    function constructor
      input Integer k;
      output Note note;
      external "C" note = note_open(k) annotation(Include = "#include \"note.h\"");
    end constructor;
    function destructor
      input Note note;
      external "C" note_close(note) annotation(Include = "#include \"note.h\"");
    end destructor;
  end Note;
  function read
    input Note note;
    input Real x;
    output Real y;
    external "C" y = note_read(note) annotation(Include = "#include \"note.h\"");
  end read;
  parameter Note a = Note(0);
  parameter Note b = Note(1);
  Real x(start = 0, fixed = true);
equation
  der(x) = read(a, x) + read(b, x);
  assert(not (FAIL), "enough");
end M;
"##;
