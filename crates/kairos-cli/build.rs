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
    // Every commit and checkout adds a line there.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && std::path::Path::new(&log).exists()
    {
        println!("cargo:rerun-if-changed={log}");
    }
}
