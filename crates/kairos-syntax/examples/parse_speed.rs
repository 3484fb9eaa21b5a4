//! Parses all Modelica files below a directory and prints the best speed and the number of diagnostics.

use kairos_base::{SourceMap, render_text};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// As in the program that users have.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let mut args = std::env::args().skip(1);
    let Some(root) = args.next() else {
        eprintln!("usage: parse_speed <directory or file> [repetitions] [--show]");
        return;
    };
    let rest: Vec<String> = args.collect();
    let show = rest.iter().any(|a| a == "--show");
    let repetitions: u32 = rest.iter().find_map(|a| a.parse().ok()).unwrap_or(1);
    let mut paths = Vec::new();
    collect(Path::new(&root), &mut paths);
    let mut sources = SourceMap::default();
    let files: Vec<_> = paths
        .iter()
        .filter_map(|path| {
            let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
            Some(sources.add(path.display().to_string(), text))
        })
        .collect();
    let bytes: usize = files.iter().map(|&file| sources.text(file).len()).sum();
    let mut diagnostics = Vec::new();
    let mut seconds = f64::INFINITY;
    for _ in 0..repetitions.max(1) {
        diagnostics.clear();
        let start = Instant::now();
        for &file in &files {
            let text = sources.text(file);
            diagnostics.extend(kairos_syntax::parse(file, &text).1);
        }
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    if show {
        print!("{}", render_text(&diagnostics, &sources, false));
    }
    let megabytes = bytes as f64 / 1e6;
    println!(
        "{} files, {megabytes:.2} MB in {seconds:.3} s: {:.1} MB/s, {} diagnostics",
        files.len(),
        megabytes / seconds,
        diagnostics.len()
    );
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut entries: Vec<_> =
            std::fs::read_dir(path).into_iter().flatten().flatten().map(|e| e.path()).collect();
        entries.sort();
        for entry in entries {
            collect(&entry, out);
        }
    } else if path.extension().is_some_and(|e| e == "mo") {
        out.push(path.to_path_buf());
    }
}
