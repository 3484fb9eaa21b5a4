//! Marks the sources that decide how models and runs are laid out as bytes, so that only the same ones read them again.

use std::io;
use std::path::{Path, PathBuf};

/// The crates whose types are stored; nearly all of them are among what this crate is made of.
const CRATES: [&str; 11] =
    ["base", "expr", "native", "graph", "numerics", "model", "causal", "program", "machine", "sim", "stored"];

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = Vec::new();
    for name in CRATES {
        let folder = manifest.join(format!("../kairos-{name}/src"));
        // A crate that was published stands alone: there the version says enough.
        if folder.is_dir() {
            println!("cargo::rerun-if-changed={}", folder.display());
            list(&folder, &mut files)?;
        }
    }
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for file in &files {
        for byte in std::fs::read(file)? {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    println!("cargo::rustc-env=KAIROS_SOURCES={hash:016x}");
    Ok(())
}

/// Adds the Rust files below a folder.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
