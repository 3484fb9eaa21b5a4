//! Flat Modelica text reads back as the same model: every fixture without mistakes goes around.

mod common;

use common::{Text, models_below, suite};
use kairos::{Disk, Goal, Request, World};

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
    let request = Request { file: Some(Text::NAME.into()), ..Request::default() };
    flat(&Text(text.to_string()), &request)
}

/// The lines of a flat text without its records: one of open sizes has a variant for each size and name it is used under.
fn length(text: &str) -> usize {
    let mut inside = false;
    let own = |line: &&str| {
        let begins = line.starts_with("  record ");
        let ends = inside && line.starts_with("  end ");
        let counts = !(inside || begins);
        inside = (inside || begins) && !ends;
        counts
    };
    text.lines().filter(own).count()
}

#[test]
fn flat_text_reads_back() {
    let (mut count, mut faults) = (0, String::new());
    for path in models_below(&suite()) {
        let path = path.to_string_lossy().into_owned();
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
                if length(&first) != length(&second) {
                    faults.push_str(&format!("{path}: the text changes in length\n{first}\n---\n{second}\n"));
                } else if second != third && !second.contains("[:];") {
                    // Variants of records of open sizes are numbered anew each time.
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
