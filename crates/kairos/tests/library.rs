//! The library that the program carries: every part against values that no simulator produced.

mod common;

use kairos::{Disk, Request};
use std::path::{Path, PathBuf};

#[test]
fn every_class_is_well_formed() {
    let request = Request { model: Some("Kairos".into()), ..Request::default() };
    let entries = kairos::survey(&Disk, &request).expect("Kairos is a package");
    let mut said = String::new();
    kairos::check_each(&Disk, &request, &entries, |_, compiled| {
        said.push_str(&kairos::render_text(&compiled.diagnostics, &compiled.sources, false));
    });
    assert!(entries.len() > 100, "only {} models", entries.len());
    assert!(said.is_empty(), "{said}");
}

/// Where there are Python and a network: the library is plain Modelica for another tool too.
#[test]
fn another_tool_parses_it() {
    let script = common::suite().join("../../scripts/pymoca.sh");
    let venv = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pymoca");
    let done = std::process::Command::new("sh").arg(script).arg(venv).output().expect("a shell");
    let said = String::from_utf8_lossy(&done.stdout);
    println!("{said}");
    assert!(done.status.success(), "{said}");
}

/// Every class that users see has an icon and a documentation; every variable and parameter a description.
#[test]
fn every_class_is_documented() {
    let mut faults = String::new();
    for file in files(&library()) {
        let text = std::fs::read_to_string(&file).expect("file of the library");
        let name = file.strip_prefix(library()).unwrap_or(&file).display().to_string();
        if kairos::format(&text).ok().as_deref() != Some(text.as_str()) {
            faults.push_str(&format!("{name} is not formatted; run `kairos fmt library`\n"));
        }
        for class in classes(&text) {
            let shown = class.matches("Icon(").count();
            let told = class.matches("Documentation(").count();
            if shown == 0 || told == 0 {
                let first = class.lines().next().unwrap_or_default();
                faults.push_str(&format!("{name}: no icon or documentation: {first}\n"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// Every part is used in a case or in an example.
#[test]
fn every_part_is_tested() {
    let request = Request { model: Some("Kairos".into()), ..Request::default() };
    let entries = kairos::survey(&Disk, &request).expect("Kairos is a package");
    let mut texts = String::new();
    for file in files(&common::suite().join("library")) {
        texts.push_str(&std::fs::read_to_string(file).expect("case"));
    }
    let cases: Vec<_> = common::cases::cases(&common::suite().join("library"));
    let tested = |name: &str| {
        if name.starts_with("Kairos.Examples.") {
            return cases.iter().any(|(_, case)| case["model"] == name) || is_part_of_example(name);
        }
        let short = name.rsplit('.').next().unwrap_or(name);
        let package = name.rsplit('.').nth(1).unwrap_or_default();
        let named = |text: &str| {
            text.match_indices(short).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let after = text[at + short.len()..].chars().next();
                before == Some('.') && after.is_some_and(|c| !c.is_alphanumeric() && c != '_')
                    || after.is_some_and(|c| c == ' ' || c == '(') && text[..at].ends_with("    ")
            })
        };
        package == "Interfaces" || named(&texts)
    };
    let missing: Vec<&str> = entries.iter().map(|e| e.name.as_str()).filter(|name| !tested(name)).collect();
    assert!(missing.is_empty(), "in no case: {}", missing.join(", "));
}

/// The gallery shows every example: a section, a picture, and a line for the script that draws it.
#[test]
fn the_gallery_is_complete() {
    let root = common::suite().join("../..");
    let page = std::fs::read_to_string(root.join("docs/gallery.md")).expect("gallery");
    let list = std::fs::read_to_string(root.join("docs/gallery.txt")).expect("list of the gallery");
    let request = Request { model: Some("Kairos.Examples".into()), ..Request::default() };
    let entries = kairos::survey(&Disk, &request).expect("package of examples");
    let mut faults = String::new();
    for entry in entries.iter().filter(|e| e.runs && !is_part_of_example(&e.name)) {
        let name = entry.name.trim_start_matches("Kairos.Examples.");
        let listed = list.lines().any(|line| line.split(' ').next() == Some(name));
        let drawn = root.join(format!("docs/images/gallery/{name}.svg")).exists();
        let shown = page.contains(&format!("(images/gallery/{name}.svg)"));
        if !(listed && drawn && shown) {
            faults.push_str(&format!("{name}: listed {listed}, drawn {drawn}, shown {shown}\n"));
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// Models among the examples that other examples are made of.
fn is_part_of_example(name: &str) -> bool {
    let parts = ["Press", "Vehicle", "Lift", "Chart", "Actuator"];
    name.rsplit('.').next().is_some_and(|short| parts.contains(&short))
}

fn library() -> PathBuf {
    common::suite().join("../../library")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            all.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "mo") {
            all.push(path);
        }
    }
    all.sort();
    all
}

/// The text of each class of a file, nested classes apart.
fn classes(text: &str) -> Vec<String> {
    let opens = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().filter(|w| *w != "partial").collect();
        let kinds = ["model", "block", "connector", "function", "type", "package", "record"];
        words.first().is_some_and(|word| kinds.contains(word))
    };
    let (mut done, mut open): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let word = line.trim_start();
        if opens(word) {
            open.push(String::new());
        }
        if let Some(class) = open.last_mut() {
            class.push_str(line);
            class.push('\n');
            let is_short =
                opens(class.trim_start()) && class.lines().next().is_some_and(|l| l.contains(" = "));
            if word.starts_with("end ")
                && !word.starts_with("end if")
                && !word.starts_with("end for")
                && !word.starts_with("end when")
                && !word.starts_with("end while")
                || is_short && line.ends_with(';')
            {
                done.extend(open.pop());
            }
        }
    }
    done
}
