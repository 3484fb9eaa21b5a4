//! Flat Modelica text reads back as the same model: every fixture without mistakes goes around.

mod common;

use common::suite;
use kairos::{Disk, Goal, Request, World};
use std::path::Path;

/// A world of one file.
struct Text(String);

impl World for Text {
    fn read(&self, path: &str) -> std::io::Result<String> {
        match path {
            "flat.mo" => Ok(self.0.clone()),
            _ => Err(std::io::ErrorKind::NotFound.into()),
        }
    }

    fn list(&self, _: &str) -> std::io::Result<Vec<String>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

fn flat(world: &dyn World, request: &Request) -> Result<String, String> {
    let compiled = kairos::compile(world, request, Goal::Flat);
    let errors: Vec<String> =
        compiled.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.message.clone()).collect();
    match compiled.flat {
        Some(text) if errors.is_empty() => Ok(text),
        _ => Err(errors.join("; ")),
    }
}

fn again(text: &str) -> Result<String, String> {
    let request = Request { file: Some("flat.mo".into()), ..Request::default() };
    flat(&Text(text.to_string()), &request)
}

#[test]
fn flat_text_reads_back() {
    let mut files = Vec::new();
    collect(&suite(), &mut files);
    let (mut count, mut faults) = (0, String::new());
    for path in files {
        let text = std::fs::read_to_string(&path).expect("fixture");
        let directive = text.lines().next().unwrap_or("");
        // A name of a file leads nowhere in a text that belongs to no folder.
        if text.contains("//~ error") || text.contains("modelica://") {
            continue;
        }
        let model = directive.split_whitespace().find_map(|w| w.strip_prefix("model=")).map(String::from);
        let request = Request { file: Some(path.clone()), model, ..Request::default() };
        let Ok(first) = flat(&Disk, &request) else { continue };
        count += 1;
        match again(&first).and_then(|second| again(&second).map(|third| (second, third))) {
            Ok((second, third)) => {
                if first.lines().count() != second.lines().count() {
                    faults.push_str(&format!("{path}: the text changes in length\n{first}\n---\n{second}\n"));
                } else if second != third {
                    faults.push_str(&format!("{path}: the text does not settle\n{second}\n---\n{third}\n"));
                }
            }
            Err(error) => faults.push_str(&format!("{path}: {error}\n{first}\n")),
        }
    }
    println!("{count} models");
    assert!(count > 15, "only {count} models went around");
    assert!(faults.is_empty(), "{faults}");
}

fn collect(folder: &Path, files: &mut Vec<String>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).expect("folder").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "mo") {
            files.push(path.to_string_lossy().into_owned());
        }
    }
}
