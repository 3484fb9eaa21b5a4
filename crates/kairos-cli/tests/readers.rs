//! Results are read by the programs of others.

/// Where there are Python and a network: DyMat, sdf and buildingspy read MAT files, pyarrow Parquet.
#[test]
fn other_programs_read_results() {
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/readers.sh");
    let venv = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("readers");
    let done = std::process::Command::new("sh")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_kairos"))
        .arg(venv)
        .env("KAIROS_CACHE", "")
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&done.stdout);
    println!("{said}");
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
}
