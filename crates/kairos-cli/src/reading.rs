//! Results read back by commands.

use crate::output::UNFINISHED;
use crate::shell::ShellOptions;
use kairos::results::{METADATA_ENDING, ReadError, Table, apply_metadata, read_csv, read_mat, read_parquet};
use std::fs::File;
use std::io::BufReader;

/// Reads a result; says why not.
pub fn read(path: &str, shell: &ShellOptions) -> Option<Table> {
    read_signals(path, None, shell)
}

/// Reads a result, where the format allows only the wanted signals of it; says why not.
pub fn read_signals(path: &str, wanted: Option<&[String]>, shell: &ShellOptions) -> Option<Table> {
    // What a run has not finished can be read, but that is said.
    let whole = path.strip_suffix(UNFINISHED);
    if whole.is_some() {
        let text = format!("`{path}` is not complete: its run was ended, or is still going on");
        let remark =
            kairos::Diagnostic::warning("incomplete-result", text).help("run the model again for the rest");
        shell.show(&[remark], &kairos::SourceMap::default());
    }
    let read = match whole.unwrap_or(path).rsplit('.').next() {
        Some("mat") => std::fs::read(path).map_err(ReadError::Io).and_then(|bytes| read_mat(&bytes)),
        Some("csv") => {
            let read = File::open(path).map_err(ReadError::Io);
            read.and_then(|f| read_csv(BufReader::new(f), wanted)).map(|mut table| {
                let beside = format!("{}{METADATA_ENDING}", whole.unwrap_or(path));
                if let Ok(text) = std::fs::read_to_string(beside) {
                    apply_metadata(&mut table, &text);
                }
                table
            })
        }
        Some("parquet") => File::open(path).map_err(ReadError::Io).and_then(read_parquet),
        _ => {
            shell.complain(
                "unknown-format",
                format!("`{path}` is neither .csv nor .mat nor .parquet"),
                "name a result file",
            );
            return None;
        }
    };
    read.map_err(|e| shell.complain("cannot-read", format!("`{path}` cannot be read: {e}"), "check the path"))
        .ok()
}
