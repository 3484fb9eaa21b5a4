//! Tells the command its git revision (without git the version stands alone) and how to link it.

use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|o| o.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let revision = git(&["rev-parse", "--short=10", "HEAD"]).map_or(String::new(), |r| format!(" ({r})"));
    println!("cargo:rustc-env=KAIROS_REVISION={revision}");
    println!("cargo:rerun-if-changed=build.rs");
    // At its own address the program has nothing to relocate when it starts.
    if std::env::var("TARGET").is_ok_and(|target| target.ends_with("linux-gnu")) {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
    carry_runtime();
    // Every commit and checkout adds a line there.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && std::path::Path::new(&log).exists()
    {
        println!("cargo:rerun-if-changed={log}");
    }
}

/// Says where the library of this package will be when the program is compiled: beside its other crates, since a program
/// is compiled after the library of its package. Where it is only checked there is none, and an empty file takes its place.
fn carry_runtime() {
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let suffix = match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("windows") => "kairos_fmu.dll",
        Ok("macos") => "libkairos_fmu.dylib",
        _ => "libkairos_fmu.so",
    };
    let Some(profile) = out.ancestors().nth(3) else { return };
    let library = profile.join("deps").join(suffix);
    if !library.exists() {
        let _ = std::fs::write(&library, []);
    }
    println!("cargo:rustc-env=KAIROS_FMI_RUNTIME={}", library.display());
}
