//! What a page asks of a studio, without a page.

use kairos_base::World;
use kairos_studio::{Setup, SharedWorld, Store, Studio};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Files in memory, which outlive a studio.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<BTreeMap<String, String>>>);

impl Memory {
    fn files(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl World for Memory {
    fn read(&self, path: &str) -> io::Result<String> {
        self.files().get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let prefix = format!("{path}/");
        let files = self.files();
        let inside = files.keys().filter_map(|name| name.strip_prefix(&prefix));
        Ok(inside.filter(|name| !name.contains('/')).map(str::to_string).collect())
    }
}

impl Store for Memory {
    fn write(&self, path: &str, text: &str) -> io::Result<()> {
        self.files().insert(path.to_string(), text.to_string());
        Ok(())
    }
    fn remove(&self, path: &str) -> io::Result<()> {
        self.files().remove(path);
        Ok(())
    }
    fn shared(&self) -> SharedWorld {
        Arc::new(self.clone())
    }
}

const FILE: &str = "project/Circuit.mo";
const TEXT: &str = "model Circuit // mine
  Kairos.Electrical.Sources.ConstantVoltage source(V=10) annotation (Placement(transformation(extent={{-60,-10},{-40,10}})));
end Circuit;
";

fn studio(files: &Memory) -> Studio {
    let setup = Setup {
        store: Box::new(files.clone()),
        folder: "project".into(),
        files: vec![FILE.into()],
        libraries: Vec::new(),
        shelf: None,
        clock: kairos_studio::clock,
        spawn: kairos_studio::spawn,
    };
    Studio::new(setup).expect("the project opens")
}

fn files() -> Memory {
    let files = Memory::default();
    files.write(FILE, TEXT).expect("memory can be written");
    files
}

fn ask(studio: &mut Studio, method: &str, parameters: Value) -> Value {
    studio.call(method, &parameters).unwrap_or_else(|refusal| panic!("{method}: {}", refusal.message))
}

#[test]
fn the_tree_has_the_project_and_the_carried_library() {
    let mut studio = studio(&files());
    let tree = ask(&mut studio, "tree", json!({}));
    assert_eq!(tree["project"][0]["class"], "Circuit");
    let libraries: Vec<&Value> = tree["libraries"].as_array().expect("a list").iter().collect();
    assert!(libraries.iter().any(|l| l["class"] == "Kairos"));
    let children = ask(&mut studio, "tree", json!({ "class": "Kairos.Electrical" }));
    assert!(children["children"].as_array().is_some_and(|list| list.iter().any(|c| c["name"] == "Basic")));
    let found = ask(&mut studio, "search", json!({ "text": "bouncing" }));
    assert_eq!(found[0]["class"], "Kairos.Examples.BouncingBall");
}

#[test]
fn edits_are_one_step_each_and_files_change_on_save_only() {
    let files = files();
    let mut studio = studio(&files);
    let operations = json!([
        { "op": "add", "type": "Kairos.Electrical.Basic.Ground", "name": "ground", "extent": [[-10, -10], [10, 10]], "origin": [0, -40] },
        { "op": "connect", "from": "source.n", "to": "ground.p", "points": [[-40, 0], [0, -30]], "color": [0, 0, 255] },
    ]);
    let edited = ask(&mut studio, "edit", json!({ "class": "Circuit", "operations": operations }));
    let text = edited["text"].as_str().expect("the text");
    assert!(text.contains("connect(source.n, ground.p)") && text.starts_with("model Circuit // mine\n"));
    assert_eq!(files.read(FILE).expect("it is there"), TEXT, "the file is as it was");
    let diagram = ask(&mut studio, "diagram", json!({ "class": "Circuit" }));
    assert_eq!(diagram["parts"].as_array().map(Vec::len), Some(2));
    assert_eq!(diagram["wires"][0]["from"], "source.n");
    let undone = ask(&mut studio, "undo", json!({ "file": FILE }));
    assert_eq!(undone["text"], TEXT, "both operations were one step");
    let again = ask(&mut studio, "redo", json!({ "file": FILE }));
    assert_eq!(again["text"], text);
    ask(&mut studio, "save", json!({ "file": FILE }));
    assert_eq!(files.read(FILE).expect("it is there"), text);
}

#[test]
fn an_operation_that_cannot_be_made_takes_the_others_back() {
    let mut studio = studio(&files());
    let operations =
        json!([{ "op": "rename", "name": "source", "to": "s" }, { "op": "remove", "name": "nobody" }]);
    let refused = studio.call("edit", &json!({ "class": "Circuit", "operations": operations }));
    assert_eq!(refused.map_err(|r| r.code), Err("cannot-edit"));
    assert_eq!(ask(&mut studio, "text", json!({ "file": FILE }))["text"], TEXT);
    let library = json!({ "class": "Kairos.Examples.BouncingBall", "operations": [] });
    assert_eq!(studio.call("edit", &library).map_err(|r| r.code), Err("read-only"));
}

#[test]
fn a_crash_loses_nothing_and_a_change_outside_is_noticed() {
    let files = files();
    let mut first = studio(&files);
    ask(&mut first, "set_text", json!({ "file": FILE, "text": TEXT.replace("10)", "12)") }));
    drop(first);
    let mut second = studio(&files);
    let text = ask(&mut second, "text", json!({ "file": FILE }));
    assert!(text["text"].as_str().is_some_and(|t| t.contains("V=12")), "taken from the journal");
    assert_eq!(ask(&mut second, "project", json!({}))["texts"][0]["recovered"], true);
    // Somebody else writes the file while it has changes of its own.
    files.write(FILE, &TEXT.replace("mine", "theirs")).expect("memory can be written");
    let status = ask(&mut second, "status", json!({}));
    assert_eq!(status["texts"][0]["conflict"], true);
    let refused = second.call("save", &json!({ "file": FILE }));
    assert_eq!(refused.map_err(|r| r.code), Err("changed-outside"));
    ask(&mut second, "save", json!({ "file": FILE, "anyway": true }));
    assert!(files.read(FILE).is_ok_and(|t| t.contains("V=12") && t.contains("mine")));
    // Without changes of its own a text follows its file.
    files.write(FILE, TEXT).expect("memory can be written");
    ask(&mut second, "status", json!({}));
    assert_eq!(ask(&mut second, "text", json!({ "file": FILE }))["text"], TEXT);
}

#[test]
fn texts_that_were_read_before_a_change_are_refused() {
    let mut studio = studio(&files());
    let version = ask(&mut studio, "text", json!({ "file": FILE }))["version"].clone();
    ask(
        &mut studio,
        "set_text",
        json!({ "file": FILE, "text": "model Circuit end Circuit;\n", "version": version }),
    );
    let stale = studio.call("set_text", &json!({ "file": FILE, "text": "", "version": version }));
    assert_eq!(stale.map_err(|r| r.code), Err("stale-text"));
}

#[test]
fn parameters_have_values_units_and_choices() {
    let mut studio = studio(&files());
    let asked = ask(&mut studio, "parameters", json!({ "class": "Circuit", "component": "source" }));
    let list = asked["parameters"].as_array().expect("a list");
    let voltage = list.iter().find(|p| p["name"] == "V").expect("the voltage");
    assert_eq!((&voltage["value"], &voltage["unit"]), (&json!("10"), &json!("V")));
    assert_eq!(voltage["known"].as_f64(), Some(10.0));
}

#[test]
fn runs_are_told_and_their_curves_keep_what_stands_out() {
    let mut studio = studio(&files());
    let begun = ask(
        &mut studio,
        "run",
        json!({ "class": "Kairos.Examples.BouncingBall", "stop": 2.0, "intervals": 5000 }),
    );
    let id = begun["run"].clone();
    let mut status = begun;
    for _ in 0..3000 {
        if status["finished"] == true {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
        status = ask(&mut studio, "progress", json!({ "run": id }));
    }
    assert_eq!((&status["finished"], &status["failed"]), (&json!(true), &json!(false)), "{status}");
    let variables = ask(&mut studio, "variables", json!({ "run": id }));
    let names: Vec<&str> = variables["variables"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|v| v["name"].as_str())
        .collect();
    let height = names.iter().find(|name| name.ends_with('h') || name.ends_with("height")).expect("a height");
    let all = ask(&mut studio, "curves", json!({ "run": id, "names": [height], "points": 200000 }));
    let few = ask(&mut studio, "curves", json!({ "run": id, "names": [height], "points": 100 }));
    let values = |curve: &Value| -> Vec<f64> {
        curve[0]["v"].as_array().expect("values").iter().filter_map(Value::as_f64).collect()
    };
    let (all, few) = (values(&all), values(&few));
    assert!(few.len() <= 104 && all.len() > 4000, "{} of {}", few.len(), all.len());
    let least = |list: &[f64]| list.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(least(&all), least(&few), "the lowest point is kept");
    let events = ask(&mut studio, "events", json!({ "run": id }));
    assert!(events.as_array().is_some_and(|list| list.iter().any(|e| e["kind"] == "state")));
    assert!(studio.call("curves", &json!({ "run": 99 })).is_err());
}

#[test]
fn documentation_can_do_nothing() {
    let files = files();
    let html = "<p onclick='x()'>ok<script>alert(1)</script><a href='javascript:x'>a</a><a href='modelica://Kairos'>b</a></p>";
    files
        .write(FILE, &format!("model M annotation(Documentation(info=\"{html}\")); end M;"))
        .expect("written");
    let mut studio = studio(&files);
    let page = ask(&mut studio, "documentation", json!({ "class": "M" }));
    let info = page["info"].as_str().expect("a text");
    assert!(info.contains("ok") && info.contains("modelica://Kairos"));
    assert!(!info.contains("script") && !info.contains("onclick"), "{info}");
}

#[test]
fn documentation_fetches_no_images_from_elsewhere() {
    let files = files();
    let html = "<p>write <code>src=&quot;x&quot;</code></p><img alt='a > b' src='http://elsewhere/x.png' width='3'><p>end</p>";
    files
        .write(FILE, &format!("model M annotation(Documentation(info=\"{html}\")); end M;"))
        .expect("written");
    let mut studio = studio(&files);
    let page = ask(&mut studio, "documentation", json!({ "class": "M" }));
    let info = page["info"].as_str().expect("a text");
    assert!(
        !info.contains("elsewhere") && info.contains("src=\"\"") && info.contains("width=\"3\""),
        "{info}"
    );
    assert!(info.contains("<code>src=\"x\"</code>") && info.ends_with("<p>end</p>"), "{info}");
}
