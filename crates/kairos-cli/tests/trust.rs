//! What strangers' models cannot do: nothing happens unasked, nothing is lost, nothing breaks down.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kairos-trust-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("work")).expect("folder for a test");
        Self(path.canonicalize().expect("a folder"))
    }

    fn work(&self) -> PathBuf {
        self.0.join("work")
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.work().join(name);
        std::fs::write(&path, text).expect("file for a test");
        path
    }

    fn kairos(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
        command.args(arguments).current_dir(self.work());
        command.env("KAIROS_CACHE", "").env("KAIROS_HOME", self.0.join("home"));
        command.output().expect("the command starts")
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.work()).expect("a folder").flatten();
        let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
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

/// Every way for a model to do something, each as the expression of a parameter.
const DEEDS: [(&str, &str); 8] = [
    ("a command", "system(\"touch deed\")"),
    ("a file", "put(\"deed\")"),
    ("a file elsewhere", "put(\"../deed\")"),
    ("removal", "remove(\"victim\")"),
    ("a folder", "folder(\"deed\")"),
    ("reading elsewhere", "lines(\"/etc/hostname\")"),
    ("the C library", "write(1, \"deed\", 4)"),
    ("the environment", "variable(\"HOME\")"),
];

fn hostile(deed: &str, size: bool) -> String {
    let used = if size { "Real x[max(1, n)] = fill(time, max(1, n));" } else { "Real x = n*time;" };
    format!(
        r#"model Hostile
  function system input String c; output Integer r; external "C" r = system(c); end system;
  function print input String s; input String f; external "C" ModelicaInternal_print(s, f); end print;
  function put input String f; output Integer r; algorithm print("x", f); r := 1; end put;
  function unlink input String f; external "C" ModelicaInternal_removeFile(f); end unlink;
  function remove input String f; output Integer r; algorithm unlink(f); r := 1; end remove;
  function mkdir input String f; external "C" ModelicaInternal_mkdir(f); end mkdir;
  function folder input String f; output Integer r; algorithm mkdir(f); r := 1; end folder;
  function lines input String f; output Integer r; external "C" r = ModelicaInternal_countLines(f); end lines;
  function write input Integer d; input String t; input Integer n; output Integer r; external "C" r = write(d, t, n); end write;
  function getenv input String n; input Boolean c; output String t; output Boolean e;
    external "C" ModelicaInternal_getenv(n, c, t, e); end getenv;
  function variable input String n; output Integer r; protected String t; Boolean e;
    algorithm (t, e) := getenv(n, false); r := if e then 1 else 2; end variable;
  parameter Integer n = {deed};
  {used}
end Hostile;
"#
    )
}

#[test]
fn looking_at_a_model_does_nothing() {
    let folder = Folder::new("looking");
    folder.write("victim", "v");
    for (what, deed) in DEEDS {
        for size in [false, true] {
            folder.write("Hostile.mo", &hostile(deed, size));
            for command in ["check", "flat", "explain"] {
                let output = folder.kairos(&[command, "Hostile.mo"]);
                let text = said(&output);
                assert_eq!(output.status.success(), !size, "{command} of {what}: {text}");
                // A size that depends on it is a mistake with a place.
                assert!(
                    !size || text.contains("nothing happens") && text.contains("Hostile.mo:"),
                    "{what}: {text}"
                );
                assert!(!String::from_utf8_lossy(&output.stdout).contains("deed\u{0}"));
                assert_eq!(folder.names(), ["Hostile.mo", "victim"], "{command} of {what}");
                assert!(!folder.0.join("deed").exists(), "{command} of {what}");
            }
        }
    }
}

#[test]
fn a_run_stays_in_its_folder_unless_it_is_trusted() {
    let folder = Folder::new("running");
    folder.write("victim", "v");
    for (what, deed) in DEEDS.iter().filter(|(what, _)| !["removal", "a folder"].contains(what)) {
        folder.write("Hostile.mo", &hostile(deed, false));
        let output = folder.kairos(&["run", "Hostile.mo", "--output", "none", "--quiet"]);
        let allowed = *what == "a file";
        assert_eq!(output.status.success(), allowed, "{what}: {}", said(&output));
        assert!(allowed || said(&output).contains("`--trust Hostile`"), "{what}: {}", said(&output));
        assert!(!folder.0.join("deed").exists(), "{what}");
        let trusted =
            folder.kairos(&["run", "Hostile.mo", "--output", "none", "--quiet", "--external", "deny"]);
        assert!(!trusted.status.success() || allowed, "{what}");
        let _ = std::fs::remove_file(folder.work().join("deed"));
        let _ = std::fs::remove_dir(folder.work().join("deed"));
    }
}

#[test]
fn trust_is_remembered_until_a_file_changes() {
    let folder = Folder::new("remembered");
    let text = hostile(DEEDS[0].1, false);
    folder.write("Hostile.mo", &text);
    let run = |more: &[&str]| {
        let _ = std::fs::remove_file(folder.work().join("deed"));
        let output = folder.kairos(&[&["run", "Hostile.mo", "--output", "none", "--quiet"], more].concat());
        assert_eq!(output.status.success(), folder.work().join("deed").exists(), "{}", said(&output));
        output.status.success()
    };
    assert!(!run(&[]));
    assert!(!run(&["--trust", "Other"]));
    assert!(run(&["--trust", "Hostile"]));
    assert!(run(&[]));
    assert!(!run(&["--external", "deny"]));
    folder.write("Hostile.mo", &format!("{text}// changed\n"));
    assert!(!run(&[]));
    assert!(run(&["--trust", "all"]));
    assert!(!run(&[]), "all is not remembered");
    assert!(run(&["--external", "allow"]));
}

#[cfg(unix)]
#[test]
fn names_and_links_do_not_lead_out_of_a_library() {
    let folder = Folder::new("links");
    std::fs::write(folder.0.join("secret"), "s\n").expect("a file");
    std::os::unix::fs::symlink(folder.0.join("secret"), folder.work().join("link")).expect("a link");
    for name in ["modelica://Hostile/../secret", "link", "../secret", "modelica://Hostile/link"] {
        folder.write("Hostile.mo", &hostile(&format!("lines(\"{name}\")"), false));
        let output = folder.kairos(&["run", "Hostile.mo", "--output", "none", "--quiet"]);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", said(&output));
    }
    folder.write("mine", "a\nb\n");
    folder.write("Hostile.mo", &hostile("lines(\"modelica://Hostile/mine\")", true));
    assert!(folder.kairos(&["check", "Hostile.mo"]).status.success());
}

#[test]
fn mistakes_that_broke_the_compiler_down_are_told() {
    let folder = Folder::new("mistakes");
    for text in [
        "Boolean b[2] = {true, false}; Real x = if b then 1 else time;",
        "Real v[1] = cat(1, 100);",
        "Real v[2] = cat(0, {1, 2});",
        "Real y = delay(time, {0.1});",
        "Real y = delay(time, 0.1, {0.2});",
        "Real y[2] = atan2({1, 2}, {1, 2, 3});",
        "Real s[1000000000];",
        "Real s[10000, 10000, 100] = fill(1.0, 10000, 10000, 100);",
        "function f output Integer n; algorithm n := 1; while true loop n := 2; end while; end f; Real x[f()] = fill(time, f());",
        "function f output String s; algorithm s := \"ab\"; for i in 1:60 loop s := s + s; end for; end f; constant String s = f(); Real x[if s == \"\" then 1 else 2];",
        "parameter Integer n = 2147483647 + 1; Real x[n];",
        "constant Integer n = 65536*65536; Real x[n];",
    ] {
        folder.write("M.mo", &format!("model M {text} end M;"));
        let output = folder.kairos(&["check", "M.mo"]);
        assert_eq!(output.status.code(), Some(1), "{text}: {}", said(&output));
        assert!(said(&output).contains("M.mo:1:"), "{text}: {}", said(&output));
    }
}

#[test]
fn long_chains_do_not_overflow_the_stack() {
    let folder = Folder::new("chains");
    let chain: String = (1..20_000).map(|k| format!(" constant Real c{k} = c{} + 1;\n", k - 1)).collect();
    folder.write("M.mo", &format!("model M constant Real c0 = 1;\n{chain} Real x = c19999*time; end M;"));
    let output = folder.kairos(&["check", "M.mo"]);
    assert!(output.status.success(), "{}", said(&output));
    // A text that shares its parts is small as an expression and endless as text.
    let nested = format!("{}time{}", "f(".repeat(40), ")".repeat(40));
    let function = "function f input Real u; output Real y; algorithm y := u*u + sin(u); annotation(Inline=true); end f;";
    folder.write("M.mo", &format!("model M {function} Real x = {nested}; Real v = der(x); end M;"));
    assert!(folder.kairos(&["check", "M.mo"]).status.success());
    assert!(folder.kairos(&["explain", "M.mo"]).stdout.len() < 10_000_000);
}

#[test]
fn numbers_that_are_none_end_a_run() {
    let folder = Folder::new("numbers");
    for (text, code) in [
        ("parameter Real p = sqrt(-1.0); Real x = p*time;", "not"),
        (
            "Integer n(start = 1, fixed = true); equation when sample(0, 0.1) then n = 3*pre(n); end when;",
            "integer-overflow",
        ),
        (
            "Integer n(start = 1, fixed = true); Integer g(start = 0, fixed = true); equation when sample(0.1, 0.1) then g = 0; n = div(pre(n), pre(g)); end when;",
            "n",
        ),
    ] {
        folder.write("M.mo", &format!("model M {text} end M;"));
        for machine in ["interpreter", "jit"] {
            let arguments =
                ["run", "M.mo", "--machine", machine, "--stop", "10", "--output", "none", "--quiet"];
            let output = folder.kairos(&arguments);
            assert_eq!(output.status.code(), Some(1), "{text} on {machine}: {}", said(&output));
            assert!(said(&output).contains(code), "{text}: {}", said(&output));
        }
    }
}

const DECAY: &str = "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;";

#[test]
fn a_result_has_its_name_when_it_is_whole() {
    let folder = Folder::new("whole");
    folder.write("M.mo", DECAY);
    assert!(folder.kairos(&["run", "M.mo", "-o", "r.csv", "-q"]).status.success());
    let before = std::fs::read(folder.work().join("r.csv")).expect("a result");
    folder.write("M.mo", &DECAY.replace("end M;", "assert(time < 0.5, \"enough\"); end M;"));
    let output = folder.kairos(&["run", "M.mo", "-o", "r.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("r.csv.part"), "{}", said(&output));
    assert_eq!(std::fs::read(folder.work().join("r.csv")).expect("a result"), before);
    let plot = folder.kairos(&["plot", "r.csv.part", "x"]);
    assert!(plot.status.success() && said(&plot).contains("incomplete-result"), "{}", said(&plot));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_told_by_every_command() {
    let folder = Folder::new("full");
    let model = folder.write("M.mo", DECAY);
    assert!(folder.kairos(&["run", "M.mo", "-o", "r.csv", "-q"]).status.success());
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let commands: [&[&str]; 8] = [
        &["check", "M.mo"],
        &["flat", "M.mo"],
        &["explain", "M.mo"],
        &["compare", "r.csv", "r.csv"],
        &["plot", "r.csv", "x"],
        &["run", "M.mo", "-o", "none"],
        &["libraries"],
        &["completions", "bash"],
    ];
    for arguments in commands {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
        command.args(arguments).current_dir(folder.work()).env("KAIROS_CACHE", "").stdout(full());
        let output = command.output().expect("the command starts");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains("the standard output"), "{arguments:?}: {}", said(&output));
    }
    let model = model.to_string_lossy();
    for arguments in
        [["run", &model, "-q", "--stats", "/dev/full"], ["run", &model, "-q", "--events", "/dev/full"]]
    {
        let output = folder.kairos(&arguments);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains("/dev/full"), "{}", said(&output));
    }
    std::os::unix::fs::symlink("/dev/full", folder.work().join("full.csv")).expect("a link");
    let output = folder.kairos(&["run", "M.mo", "-q", "-o", "full.csv"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("full.csv") || said(&output).contains("/dev/full"), "{}", said(&output));
}

#[cfg(unix)]
#[test]
fn formatting_keeps_modes_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("formatting");
    let file = folder.write("M.mo", "model M   Real x=time;end M;\n");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("a mode");
    let victim = folder.write("victim", "v");
    symlink(&victim, folder.work().join("M.mo.new")).expect("a link");
    symlink(&file, folder.work().join("L.mo")).expect("a link");
    assert!(folder.kairos(&["fmt", "L.mo"]).status.success());
    assert_eq!(std::fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
    assert!(folder.work().join("L.mo").symlink_metadata().expect("a link").is_symlink());
    assert_eq!(std::fs::read_to_string(victim).expect("a file"), "v");
    assert!(std::fs::read_to_string(file).expect("a file").contains("Real x = time;"));
    assert_eq!(folder.names(), ["L.mo", "M.mo", "M.mo.new", "victim"]);
}

#[cfg(unix)]
#[test]
fn installing_does_not_follow_links_out_of_the_library() {
    let folder = Folder::new("installing");
    let library = folder.work().join("Lib");
    std::fs::create_dir(&library).expect("a folder");
    std::fs::write(library.join("package.mo"), "package Lib\nend Lib;\n").expect("a file");
    std::fs::write(folder.0.join("secret"), "s").expect("a file");
    std::os::unix::fs::symlink(folder.0.join("secret"), library.join("data")).expect("a link");
    let output = folder.kairos(&["install", "Lib", "--from", "."]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("leads out of the library"), "{}", said(&output));
    assert!(!Path::new(&folder.0.join("home/libraries/Lib")).exists());
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let folder = Folder::new("control");
    folder.write(
        "M.mo",
        "model M\n  Real '\u{1b}[2Jx' = y\u{1b}[31m;\n  assert(false, \"\u{7}\u{202e}\");\nend M;\n",
    );
    for format in ["text", "json"] {
        let output = folder.kairos(&["check", "M.mo", "--message-format", format]);
        assert!(!output.status.success());
        let bad = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
        assert!(!said(&output).contains(bad), "{:?}", said(&output));
    }
}
