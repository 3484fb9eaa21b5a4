//! Lists the files of the library that the program carries, each with its text.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let manifest = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = manifest.join("../../library").canonicalize()?;
    let mut table = String::from("pub const FILES: &[(&str, &str)] = &[\n");
    list(&root, &root, &mut table)?;
    table.push_str("];\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    std::fs::write(out.join("carried.rs"), table)
}

/// Adds the Modelica files under `folder` in the order of their names.
fn list(root: &Path, folder: &Path, table: &mut String) -> std::io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            list(root, &path, table)?;
        } else if path.extension().is_some_and(|e| e == "mo" || e == "order") {
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            println!("cargo::rerun-if-changed={}", path.display());
            let _ = writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string());
        }
    }
    Ok(())
}
