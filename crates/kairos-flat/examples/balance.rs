//! Flattens models and prints their counts: `balance [--lib DIR]… [--file F.mo]… MODEL…`.

use kairos_base::{Disk, render_text};
use kairos_sema::{Library, MadeRefs, Trees, instantiate};

fn main() {
    let mut libs = Vec::new();
    let mut files = Vec::new();
    let mut models = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--lib" => libs.extend(args.next()),
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
        if let Some(root) = root {
            let checked = kairos_flat::flatten(sema, root);
            if let Some(flat) = &checked.value {
                counts = format!("{:?}", kairos_flat::balance(flat));
            }
            diagnostics.extend(checked.diagnostics);
        }
        let errors: Vec<_> = diagnostics.into_iter().filter(|d| d.is_error()).collect();
        good += usize::from(errors.is_empty() && root.is_some());
        let verdict = if errors.is_empty() { "ok" } else { "FAIL" };
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
