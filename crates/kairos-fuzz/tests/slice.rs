//! A slice of the fuzzing that takes seconds; the campaigns are `cargo run --release -p kairos-fuzz -- --count 1000000`.

use std::process::Command;

#[test]
fn a_slice_of_every_kind_finds_nothing() {
    let folder = std::env::temp_dir().join(format!("kairos-fuzz-slice-{}", std::process::id()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_kairos-fuzz"));
    let done =
        command.args(["--count", "400", "--seed", "1", "--folder"]).arg(&folder).output().expect("it starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    std::fs::remove_dir_all(folder).expect("a folder");
}
