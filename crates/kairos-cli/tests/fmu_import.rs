//! FMUs run here: what Kairos exports comes back with the numbers of `kairos run`, and broken FMUs are told apart.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("kairos-import-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What the command says: whether it went well, and its words.
fn kairos(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
    let done = command.current_dir(folder).args(arguments).output().expect("the command starts");
    let text = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (done.status.success(), text)
}

fn done(folder: &Path, arguments: &[&str]) -> String {
    let (fine, text) = kairos(folder, arguments);
    assert!(fine, "{arguments:?}: {text}");
    text
}

/// The columns of a result.
fn last(path: &Path) -> Vec<(String, f64)> {
    let text = std::fs::read_to_string(path).expect("a result");
    let names: Vec<&str> = text.lines().next().expect("names").split(',').collect();
    let row: Vec<&str> = text.lines().last().expect("rows").split(',').collect();
    let number = |word: &str| match word {
        "true" => Some(1.0),
        "false" => Some(0.0),
        word => word.parse().ok(),
    };
    names.iter().zip(row).filter_map(|(name, word)| Some(((*name).to_string(), number(word)?))).collect()
}

/// States, events of both kinds, a jump, discrete variables, an input that moves, a text, an enumeration and an array.
const MODEL: &str = "model M
  type Mood = enumeration(calm, wild);
  input Real u(start = 0.5);
  input Boolean on(start = false);
  parameter Real k(unit = \"1/s\") = 2;
  parameter String title = \"a\";
  output Real y;
  Real x[2](start = {1, 0}, each fixed = true);
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  Mood mood = if x[1] < 0.3 then Mood.calm else Mood.wild;
equation
  der(x[1]) = -k*x[1] + u;
  der(x[2]) = x[1] - x[2] + (if on then 1 else 0);
  y = 3*x[1] + u;
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.8*pre(v));
  end when;
  when sample(0.25, 0.25) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1.1));
end M;
";

#[test]
fn exported_models_come_back_alike() {
    let folder = Folder::new("alike");
    let at = |name: &str| folder.0.join(name);
    std::fs::write(at("M.mo"), MODEL).expect("a model");
    std::fs::write(at("in.csv"), "time,u,on\n0,0.5,false\n0.4,2,true\n0.7,0,true\n").expect("inputs");
    let run = |model: &str, more: &[&str]| {
        let usual =
            ["run", model, "-q", "-o", "r.csv", "--tolerance", "1e-9", "--set", "k=3", "--set", "h=0.9"];
        done(&folder.0, &[&usual, more].concat());
        last(&at("r.csv"))
    };
    for more in [&[][..], &["--input", "in.csv"]] {
        let expected = run("M.mo", more);
        for version in ["2", "3"] {
            done(&folder.0, &["fmu", "export", "M.mo", "--fmi", version, "-q"]);
            for kind in ["me", "cs"] {
                let found = run("M.fmu", &[more, &["--kind", kind, "--step", "0.002"]].concat());
                // Between communication points co-simulation holds its inputs.
                let most = if kind == "cs" && !more.is_empty() { 6e-3 } else { 2e-6 };
                for (name, value) in &expected {
                    let (_, other) =
                        found.iter().find(|(other, _)| other == name).expect("the same variables");
                    let gap = (value - other).abs() / value.abs().max(1.0);
                    assert!(gap <= most, "FMI {version} {kind} {more:?}: {name} is {other}, not {value}");
                }
            }
        }
    }
}

#[test]
fn events_of_an_fmu_are_told() {
    let folder = Folder::new("events");
    std::fs::write(folder.0.join("M.mo"), MODEL).expect("a model");
    done(&folder.0, &["fmu", "export", "M.mo", "-q"]);
    let said = done(&folder.0, &["run", "M.fmu", "--kind", "me", "-o", "none", "--log", "events"]);
    assert!(said.contains("v jumped") && said.contains("n: 0 -> 1"), "{said}");
    let said = done(&folder.0, &["fmu", "info", "M.fmu"]);
    assert!(said.contains("M: FMI 2.0") && said.contains("model exchange: 4 states"), "{said}");
    // A run of an FMU is saved and goes on.
    done(
        &folder.0,
        &["run", "M.fmu", "--kind", "me", "-q", "-o", "a.csv", "--save-at", "0.5", "--save", "s"],
    );
    done(&folder.0, &["run", "M.fmu", "--kind", "me", "-q", "-o", "b.csv", "--resume", "s"]);
    assert_eq!(last(&folder.0.join("a.csv")), last(&folder.0.join("b.csv")));
}

fn zip(path: &Path, files: &[(&str, &str)]) {
    let mut writer = zip::ZipWriter::new(std::fs::File::create(path).expect("a file"));
    for (name, content) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).expect("an entry");
        writer.write_all(content.as_bytes()).expect("bytes");
    }
    writer.finish().expect("an archive");
}

#[test]
fn broken_fmus_are_told_apart() {
    let folder = Folder::new("broken");
    let path = folder.0.join("X.fmu");
    let said = || {
        let (fine, text) = kairos(&folder.0, &["run", "X.fmu", "-o", "none", "-q"]);
        assert!(!fine, "{text}");
        text
    };
    assert!(said().starts_with("error[cannot-read]"));
    std::fs::write(&path, "no zip").expect("a file");
    assert!(said().starts_with("error[not-an-fmu]"), "{}", said());
    zip(&path, &[("a.txt", "")]);
    assert!(said().starts_with("error[not-an-fmu]"), "{}", said());
    for (text, expected) in [
        ("<fmiModelDescription", "it is not XML"),
        ("<fmiModelDescription fmiVersion=\"1.0\"/>", "FMI 1.0; 2.0 and 3.0 are known"),
        ("<other/>", "its root is `other`"),
        ("<fmiModelDescription fmiVersion=\"2.0\" guid=\"\"/>", "ModelVariables"),
    ] {
        zip(&path, &[("modelDescription.xml", text)]);
        assert!(said().starts_with("error[bad-fmu-description]") && said().contains(expected), "{}", said());
    }
    let whole = |more: &str| {
        format!(
            "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"X\" guid=\"a\">{more}<ModelVariables/></fmiModelDescription>"
        )
    };
    zip(&path, &[("modelDescription.xml", &whole(""))]);
    assert!(said().starts_with("error[fmu-kind-missing]"), "{}", said());
    let offer = whole("<CoSimulation modelIdentifier=\"X\"/>");
    zip(&path, &[("modelDescription.xml", &offer), ("binaries/vax/X.so", "")]);
    assert!(said().starts_with("error[fmu-binary-missing]") && said().contains("vax"), "{}", said());
    let library = |platform: &str| format!("binaries/{platform}/X{}", std::env::consts::DLL_SUFFIX);
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let place = library(&format!("{}-{system}", std::env::consts::ARCH));
    zip(&path, &[("modelDescription.xml", &offer), (&place, "no code")]);
    assert!(said().starts_with("error[fmu-not-loaded]"), "{}", said());
    assert!(kairos(&folder.0, &["check", "X.fmu"]).1.starts_with("error[not-in-fmu]"));
    let denied = kairos(&folder.0, &["run", "X.fmu", "--external", "deny"]).1;
    assert!(denied.starts_with("error[fmu-denied]"), "{denied}");
}

/// A call that fails says so with the FMU's own words.
#[test]
fn an_fmu_says_why_it_fails() {
    let folder = Folder::new("fails");
    let text =
        "model M Real x(start = 1, fixed = true); equation der(x) = -x; assert(x > 0.5, \"too low\"); end M;";
    std::fs::write(folder.0.join("M.mo"), text).expect("a model");
    for version in ["2", "3"] {
        done(&folder.0, &["fmu", "export", "M.mo", "--fmi", version, "-q"]);
        let (fine, said) = kairos(&folder.0, &["run", "M.fmu", "--kind", "cs", "-o", "none", "-q"]);
        assert!(!fine && said.contains("too low") && said.contains("fmu-failed"), "FMI {version}: {said}");
    }
}

/// A controller with an event and a truth value, and what it controls.
const PARTS: &str = "model Plant
  input Real u(start = 0);
  parameter Real T(unit = \"s\") = 0.5;
  output Real y(unit = \"m\");
  Real x(start = 0.2, fixed = true);
equation
  T*der(x) = u - x;
  y = x;
end Plant;
model Control
  input Real w(start = 1);
  input Real m(start = 0);
  parameter Real k = 2;
  output Real u;
  output Boolean high;
  Real i(start = 0, fixed = true);
equation
  der(i) = w - m;
  u = k*(w - m) + i;
  high = m > 0.8;
end Control;
";

/// Both in a loop.
fn looped(name: &str, plant: &str, control: &str) -> String {
    format!(
        "model {name} {plant} p(T = 0.4); {control} c; equation
           c.w = if time < 1 then 1 else 2; c.m = p.y; p.u = c.u;
         annotation(experiment(StopTime = 3)); end {name};"
    )
}

#[test]
fn two_fmus_are_components_of_a_model() {
    let folder = Folder::new("components");
    let at = |name: &str| folder.0.join(name);
    std::fs::write(at("Parts.mo"), PARTS).expect("a model");
    let whole = format!("{PARTS}{}", looped("Whole", "Plant", "Control"));
    std::fs::write(at("Whole.mo"), whole).expect("a model");
    let run = |file: &str, more: &[&str]| {
        done(
            &folder.0,
            &[&["run", file, "-q", "-o", "r.csv", "--tolerance", "1e-8", "--lib", "."], more].concat(),
        );
        last(&at("r.csv"))
    };
    let expected = run("Whole.mo", &[]);
    let value =
        |list: &[(String, f64)], name: &str| list.iter().find(|(n, _)| n == name).expect("a column").1;
    for (model, version) in [("Plant", "2"), ("Control", "3")] {
        let file = format!("{model}F.fmu");
        done(
            &folder.0,
            &["fmu", "export", "Parts.mo", "--model", model, "--fmi", version, "-o", &file, "-q"],
        );
    }
    std::fs::write(at("Loop.mo"), looped("Loop", "PlantF", "ControlF")).expect("a model");
    for (kind, most) in [("me", 1e-5), ("cs", 5e-3)] {
        for file in ["PlantF.fmu", "ControlF.fmu"] {
            done(&folder.0, &["fmu", "import", file, "--kind", kind, "-q"]);
        }
        done(&folder.0, &["check", "Loop.mo", "--lib", "."]);
        // Code of others needs trust.
        let (fine, said) = kairos(&folder.0, &["run", "Loop.mo", "--lib", ".", "-q", "-o", "none"]);
        assert!(!fine && said.contains("--trust"), "{said}");
        let found = run("Loop.mo", &["--trust", "all"]);
        for name in ["p.y", "c.u", "c.high"] {
            let (value, other) = (value(&expected, name), value(&found, name));
            assert!((value - other).abs() <= most, "{kind}: {name} is {other}, not {value}");
        }
    }
}

/// A system in a system, with parameters in a file and in place, a transformation and a unit that differs.
const SYSTEM: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription version="1.0" name="Loop" xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
  <ssd:System name="root">
    <ssd:Connectors>
      <ssd:Connector name="w" kind="input"><ssc:Real/></ssd:Connector>
      <ssd:Connector name="y" kind="output"><ssc:Real/></ssd:Connector>
    </ssd:Connectors>
    <ssd:ParameterBindings><ssd:ParameterBinding source="resources/values.ssv"/></ssd:ParameterBindings>
    <ssd:Elements>
      <ssd:Component name="c" source="resources/Control.fmu" type="application/x-fmu-sharedlibrary" implementation="CoSimulation"/>
      <ssd:System name="s">
        <ssd:Connectors><ssd:Connector name="u" kind="input"/><ssd:Connector name="y" kind="output"/></ssd:Connectors>
        <ssd:Elements>
          <ssd:Component name="p" source="resources/Plant.fmu" implementation="ModelExchange">
            <ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>
              <ssv:ParameterSet version="1.0" name="x"><ssv:Parameters>
                <ssv:Parameter name="T"><ssv:Real value="400" unit="ms"/></ssv:Parameter>
              </ssv:Parameters></ssv:ParameterSet>
            </ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>
          </ssd:Component>
        </ssd:Elements>
        <ssd:Connections>
          <ssd:Connection startConnector="u" endElement="p" endConnector="u"/>
          <ssd:Connection startElement="p" startConnector="y" endConnector="y"/>
        </ssd:Connections>
      </ssd:System>
    </ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startConnector="w" endElement="c" endConnector="w">
        <ssc:LinearTransformation factor="0.5" offset="0.5"/>
      </ssd:Connection>
      <ssd:Connection startElement="c" startConnector="u" endElement="s" endConnector="u"/>
      <ssd:Connection startElement="s" startConnector="y" endElement="c" endConnector="m"/>
      <ssd:Connection startElement="s" startConnector="y" endConnector="y"/>
    </ssd:Connections>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="3"/>
</ssd:SystemStructureDescription>
"#;

const VALUES: &str = r#"<ssv:ParameterSet version="1.0" name="v" xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues">
  <ssv:Parameters><ssv:Parameter name="c.k"><ssv:Real value="2.5"/></ssv:Parameter></ssv:Parameters>
</ssv:ParameterSet>
"#;

#[test]
fn a_system_of_fmus_runs() {
    let folder = Folder::new("system");
    let at = |name: &str| folder.0.join(name);
    std::fs::write(at("Parts.mo"), PARTS).expect("a model");
    let whole = format!("{PARTS}{}", looped("Whole", "Plant", "Control"));
    std::fs::write(at("Whole.mo"), whole).expect("a model");
    done(&folder.0, &["run", "Whole.mo", "-q", "-o", "a.csv", "--set", "c.k=2.5", "--tolerance", "1e-8"]);
    let mut writer = zip::ZipWriter::new(std::fs::File::create(at("Loop.ssp")).expect("a file"));
    for (model, version) in [("Plant", "2"), ("Control", "3")] {
        let file = format!("{model}.fmu");
        done(
            &folder.0,
            &["fmu", "export", "Parts.mo", "--model", model, "--fmi", version, "-o", &file, "-q"],
        );
        writer
            .start_file(format!("resources/{file}"), zip::write::SimpleFileOptions::default())
            .expect("an entry");
        writer.write_all(&std::fs::read(at(&file)).expect("an FMU")).expect("bytes");
    }
    for (name, text) in [("SystemStructure.ssd", SYSTEM), ("resources/values.ssv", VALUES)] {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("an entry");
        writer.write_all(text.as_bytes()).expect("bytes");
    }
    writer.finish().expect("an archive");
    // The transformation makes 1 of 1 and 2 of 3.
    std::fs::write(at("w.csv"), "time,w\n0,1\n1,1\n1,3\n3,3\n").expect("inputs");
    let mut gaps = Vec::new();
    for step in ["0.004", "0.002"] {
        done(
            &folder.0,
            &["run", "Loop.ssp", "--input", "w.csv", "-q", "-o", "b.csv", "--step", step, "--intervals", "3"],
        );
        let (a, b) = (last(&at("a.csv")), last(&at("b.csv")));
        let value =
            |list: &[(String, f64)], name: &str| list.iter().find(|(n, _)| n == name).expect("a column").1;
        assert_eq!(value(&b, "y"), value(&b, "s.p.y"));
        assert_eq!(value(&b, "c.u"), value(&b, "s.p.u"));
        gaps.push((value(&a, "p.y") - value(&b, "y")).abs());
    }
    // The error of exchanging values at points goes with their distance.
    assert!(gaps[0] < 2e-3 && gaps[1] < 0.6 * gaps[0], "{gaps:?}");
}

/// A pulse and a limit switch move two integrators that also stop by themselves: all instants are told by closed forms.
const JUMPS: &str = r#"
model Pulse output Real y; Boolean on = time > 0.337 and time < 1.2; equation y = if on then 2 else 1; end Pulse;
model Sum input Real u(start = 1); output Real x(start = 0, fixed = true); output Boolean full = x > 0.9; equation der(x) = u; end Sum;
model Last input Boolean full(start = false); output Real z(start = 0, fixed = true); equation der(z) = if full then 1 else 0; end Last;
"#;
const JUMPING: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription version="1.0" name="Jumps" xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription">
  <ssd:System name="root">
    <ssd:Elements>
      <ssd:Component name="c" source="resources/Last.fmu" implementation="KIND"/>
      <ssd:Component name="b" source="resources/Sum.fmu" implementation="KIND"/>
      <ssd:Component name="a" source="resources/Pulse.fmu" implementation="CoSimulation"/>
    </ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startElement="a" startConnector="y" endElement="b" endConnector="u"/>
      <ssd:Connection startElement="b" startConnector="full" endElement="c" endConnector="full"/>
    </ssd:Connections>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="2"/>
</ssd:SystemStructureDescription>
"#;

#[test]
fn events_in_a_system_are_points_of_their_own() {
    let folder = Folder::new("jumps");
    let at = |name: &str| folder.0.join(name);
    std::fs::write(at("Jumps.mo"), JUMPS).expect("a model");
    for model in ["Pulse", "Sum", "Last"] {
        let file = format!("{model}.fmu");
        done(&folder.0, &["fmu", "export", "Jumps.mo", "--model", model, "--fmi", "3", "-o", &file, "-q"]);
    }
    for kind in ["CoSimulation", "ModelExchange"] {
        let mut writer = zip::ZipWriter::new(std::fs::File::create(at("Jumps.ssp")).expect("a file"));
        for model in ["Pulse", "Sum", "Last"] {
            let name = format!("resources/{model}.fmu");
            writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("an entry");
            writer.write_all(&std::fs::read(at(&format!("{model}.fmu"))).expect("an FMU")).expect("bytes");
        }
        writer.start_file("SystemStructure.ssd", zip::write::SimpleFileOptions::default()).expect("an entry");
        writer.write_all(JUMPING.replace("KIND", kind).as_bytes()).expect("bytes");
        writer.finish().expect("an archive");
        // Steps that are far too long for the instants: x = 0.9 at 0.337 + (0.9 - 0.337)/2.
        done(&folder.0, &["run", "Jumps.ssp", "-q", "-o", "r.csv", "--step", "0.5", "--intervals", "4"]);
        let found = last(&at("r.csv"));
        let value = |name: &str| found.iter().find(|(n, _)| n == name).expect("a column").1;
        let full = 0.337 + 0.563 / 2.0;
        let x = 0.337 + 2.0 * (1.2 - 0.337) + 0.8;
        assert!((value("b.x") - x).abs() < 1e-6, "{kind}: {} instead of {x}", value("b.x"));
        assert!(
            (value("c.z") - (2.0 - full)).abs() < 1e-6,
            "{kind}: {} instead of {}",
            value("c.z"),
            2.0 - full
        );
    }
}

/// What a killed run has unpacked goes with the next one.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_leaves_nothing_for_long() {
    let folder = Folder::new("killed");
    std::fs::write(folder.0.join("M.mo"), MODEL).expect("a model");
    done(&folder.0, &["fmu", "export", "M.mo", "-q"]);
    let temporary = folder.0.join("temporary");
    std::fs::create_dir(&temporary).expect("a folder");
    let run = |stop: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
        command.current_dir(&folder.0).env("TMPDIR", &temporary);
        command.args(["run", "M.fmu", "-q", "-o", "none", "--stop", stop]);
        command
    };
    let unpacked = || std::fs::read_dir(&temporary).expect("a folder").count();
    let mut long = run("1e9").spawn().expect("the command starts");
    let begun = std::time::Instant::now();
    while unpacked() == 0 && begun.elapsed().as_secs() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    long.kill().expect("it can be killed");
    long.wait().expect("it ends");
    assert_eq!(unpacked(), 1);
    assert!(run("1").status().expect("the command starts").success());
    assert_eq!(unpacked(), 0);
}

#[test]
fn arrays_are_variables_of_their_own() {
    let folder = Folder::new("arrays");
    let at = |name: &str| folder.0.join(name);
    // Closed form: x[i] = exp(-k[i] t) + f[i] (1 - exp(-k[i] t))/k[i].
    let model = "model Many parameter Real k[3] = {1, 2, 3}; input Real f[3]; output Real y[3] = x; Real x[3](each start = 1, each fixed = true); \
                 Real m[2, 2] = {{x[1], x[2]}, {x[3], time}}; equation der(x) = f - k.*x; end Many;\n";
    std::fs::write(at("Many.mo"), model).expect("a model");
    done(&folder.0, &["fmu", "export", "Many.mo", "--fmi", "3", "-q"]);
    let said = done(&folder.0, &["fmu", "info", "Many.fmu"]);
    assert!(said.contains("model exchange: 3 states"), "{said}");
    for kind in ["me", "cs"] {
        let usual =
            ["run", "Many.fmu", "-q", "-o", "r.csv", "--stop", "1", "--tolerance", "1e-9", "--kind", kind];
        done(&folder.0, &[&usual[..], &["--set", "k[2]=4", "--set", "f[3]=6"]].concat());
        let found = last(&at("r.csv"));
        for (name, expected) in [
            ("y[1]", (-1.0_f64).exp()),
            ("y[2]", (-4.0_f64).exp()),
            ("y[3]", (-3.0_f64).exp() + 2.0 * (1.0 - (-3.0_f64).exp())),
        ] {
            let value = found.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            assert!(
                value.is_some_and(|value| (value - expected).abs() < 1e-6),
                "{kind}: {name} is {value:?}"
            );
        }
    }
}

#[test]
fn tunable_parameters_are_told_and_set() {
    let folder = Folder::new("tunable");
    let model = "model Charge parameter Real R = 1, C = 1; final parameter Real tau = R*C; \
                 Real v(start = 0.5, fixed = true); equation tau*der(v) = 1 - v; end Charge;\n";
    std::fs::write(folder.0.join("Charge.mo"), model).expect("a model");
    done(&folder.0, &["fmu", "export", "Charge.mo", "--tunable", "R", "-q"]);
    let said = done(&folder.0, &["fmu", "info", "Charge.fmu"]);
    assert!(said.contains("tunable parameter"), "{said}");
    for kind in ["me", "cs"] {
        let set = ["--stop", "2", "--tolerance", "1e-9", "--set", "R=2", "--kind", kind];
        done(&folder.0, &[&["run", "Charge.fmu", "-q", "-o", "r.csv"][..], &set].concat());
        let found = last(&folder.0.join("r.csv"));
        let value = found.iter().find(|(name, _)| name == "v").map_or(f64::NAN, |(_, value)| *value);
        assert!((value - (1.0 - 0.5 * (-1.0_f64).exp())).abs() < 1e-6, "{kind}: {value}");
    }
}
