//! The zip file of an FMU, and what the platforms are called in it.

use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// This platform as FMI 3.0 names it.
pub fn platform() -> String {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    format!("{}-{system}", std::env::consts::ARCH)
}

/// A platform of FMI 3.0 as FMI 2.0 names it, which knows only the width of processors.
pub fn in_version_2(platform: &str) -> String {
    let (processor, system) = platform.split_once('-').unwrap_or(("x86_64", platform));
    let bits = if ["x86_64", "aarch64", "riscv64"].contains(&processor) { "64" } else { "32" };
    format!("{}{bits}", if system == "windows" { "win" } else { system })
}

/// How files of shared libraries end on a platform.
pub fn library_end(platform: &str) -> &'static str {
    match platform.split_once('-').map_or(platform, |(_, system)| system) {
        "windows" => ".dll",
        "darwin" => ".dylib",
        _ => ".so",
    }
}

/// A zip file of these files, the same for the same content: no file has a date.
pub fn write(files: &[(String, &[u8])]) -> zip::result::ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        // The runtime is most of it: another level would take ten times as long for a sixth of the size.
        .compression_level(Some(1))
        .last_modified_time(zip::DateTime::default());
    for (name, content) in files {
        writer.start_file(name.as_str(), options)?;
        writer.write_all(content)?;
    }
    Ok(writer.finish()?.into_inner())
}
