//! The zip file of an FMU, and what the platforms are called in it.

use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// This platform in FMI 2.0.
pub fn platform_2() -> String {
    let bits = if cfg!(target_pointer_width = "64") { "64" } else { "32" };
    let system = match std::env::consts::OS {
        "windows" => "win",
        "macos" => "darwin",
        other => other,
    };
    format!("{system}{bits}")
}

/// This platform in FMI 3.0.
pub fn platform_3() -> String {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    format!("{}-{system}", std::env::consts::ARCH)
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
