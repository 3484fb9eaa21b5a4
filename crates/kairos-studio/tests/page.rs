//! The carried page is the one that `web/` builds.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// FNV-1a over names and contents of the sources, in the order of their names; `web/bundle.mjs` computes the same.
fn digest() -> String {
    let web = root().join("web");
    let mut files: Vec<PathBuf> = std::fs::read_dir(web.join("src"))
        .expect("the sources of the page are there")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    files.push(web.join("package-lock.json"));
    files.sort_by_key(|path| path.file_name().map(std::ffi::OsStr::to_os_string));
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut mix = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for path in files {
        mix(path.file_name().expect("a file has a name").as_encoded_bytes());
        mix(&std::fs::read(&path).expect("the file can be read"));
    }
    format!("{hash:016x}")
}

#[test]
fn the_page_was_built_from_these_sources() {
    let html = include_str!("../assets/index.html");
    let built = html.split("built-from\" content=\"").nth(1).and_then(|rest| rest.get(..16));
    assert_eq!(
        built,
        Some(digest().as_str()),
        "run web/build.sh: the carried page is older than its sources"
    );
}

#[test]
fn a_fresh_build_gives_the_same_files_where_node_is_installed() {
    let web = root().join("web");
    if !web.join("node_modules").is_dir() || Command::new("node").arg("--version").output().is_err() {
        return;
    }
    let fresh = std::env::temp_dir().join(format!("kairos-page-{}", std::process::id()));
    std::fs::create_dir_all(&fresh).expect("a folder for the fresh build");
    let built = Command::new("node").arg("bundle.mjs").arg(&fresh).current_dir(&web).output();
    let built = built.expect("node runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    for (name, carried) in kairos_studio::FILES {
        let bytes = std::fs::read(fresh.join(name)).expect("the build writes every file");
        assert!(bytes == *carried, "run web/build.sh: `{name}` differs from a fresh build");
    }
    let _ = std::fs::remove_dir_all(&fresh);
}
