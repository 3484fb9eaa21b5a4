//! Flattens models and prints their counts: `balance [--again] [--lib DIR]… [--file F.mo]… MODEL…`.
//!
//! With `--again` the flat text of each model is read back, and must flatten to the same counts.

use kairos_base::{Disk, render_text};
use kairos_sema::{Library, MadeRefs, Trees, instantiate};

fn main() {
    let mut libs = Vec::new();
    let mut files = Vec::new();
    let mut models = Vec::new();
    let mut again = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--lib" => libs.extend(args.next()),
            "--again" => again = true,
            "--file" => files.extend(args.next()),
            _ => models.push(arg),
        }
    }
    let mut good = 0;
    for model in &models {
        let began = std::time::Instant::now();
        let (trees, made) = (Trees::default(), MadeRefs::default());
        let lib = Library::new(&trees, &Disk, libs.clone());
        for file in &files {
            if let Err(e) = lib.add_file(file) {
                eprintln!("{file}: {e}");
            }
        }
        let (sema, root, mut diagnostics) = instantiate(&lib, &made, model);
        let mut counts = String::new();
        let mut same = true;
        if let Some(root) = root {
            let checked = kairos_flat::flatten(sema, root);
            if let Some(flat) = &checked.value {
                counts = format!("{:?}", kairos_flat::balance(flat));
                same = !again || reads_back(flat);
            }
            diagnostics.extend(checked.diagnostics);
        }
        let errors: Vec<_> = diagnostics.into_iter().filter(|d| d.is_error()).collect();
        good += usize::from(errors.is_empty() && root.is_some() && same);
        let verdict = if errors.is_empty() && same { "ok" } else { "FAIL" };
        println!(
            "{verdict} {model} {counts} {:.0} ms, {} files",
            began.elapsed().as_secs_f64() * 1e3,
            lib.files_read().len()
        );
        let shown = &errors[..errors.len().min(3)];
        print!("{}", render_text(shown, &lib.sources(), false));
    }
    println!("{good} of {} good", models.len());
}

/// Does the flat text flatten to the same counts?
fn reads_back(flat: &kairos_model::ScalarModel) -> bool {
    let text = kairos_flat::print(flat);
    let (trees, made) = (Trees::default(), MadeRefs::default());
    let lib = Library::new(&trees, &Disk, Vec::new());
    let names = lib.add_text("flat", &text);
    let Some(name) = names.first() else { return false };
    let (sema, root, mut diagnostics) = instantiate(&lib, &made, name.as_str());
    let mut same = false;
    if let Some(root) = root {
        let checked = kairos_flat::flatten(sema, root);
        if let Some(second) = &checked.value {
            let shape = |m: &kairos_model::ScalarModel| {
                (kairos_flat::balance(m), m.vars.len(), m.equations.len(), m.initial_equations.len())
            };
            same = shape(flat) == shape(second);
            if !same {
                println!("differs: {:?} {:?}", shape(flat), shape(second));
            }
        }
        diagnostics.extend(checked.diagnostics);
    }
    let errors: Vec<_> = diagnostics.into_iter().filter(|d| d.is_error()).collect();
    let shown = &errors[..errors.len().min(2)];
    print!("{}", render_text(shown, &lib.sources(), false));
    same && errors.is_empty()
}
