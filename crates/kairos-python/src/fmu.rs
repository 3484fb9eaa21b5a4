//! FMUs as models that travel: their bytes with the values that were set.
//!
//! A compiled model is bytes of its own; an FMU is code of another tool, so what travels is the archive. Where it arrives it lies in a file
//! for temporary files as long as a model needs it.

use crate::errors::raise;
use kairos::Setting;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the bytes of an FMU begin with.
const MARK: &[u8] = b"kairos fmu 1\n";

/// An archive, and the file that was made for it.
pub struct Archive {
    bytes: Vec<u8>,
    file: Option<PathBuf>,
}

impl Drop for Archive {
    fn drop(&mut self) {
        // A file that somebody has removed before needs no removing.
        let _ = self.file.as_ref().map(std::fs::remove_file);
    }
}

impl Archive {
    /// The archive behind a path, if it is one.
    pub fn read(path: &std::path::Path) -> Option<Self> {
        let is_fmu = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("fmu"));
        let bytes = is_fmu.then(|| std::fs::read(path).ok())??;
        Some(Self { bytes, file: None })
    }

    /// The archive with the values that a model has.
    pub fn packed(&self, settings: &[(String, String)]) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        let mut put = |text: &[u8]| {
            bytes.extend((text.len() as u64).to_le_bytes());
            bytes.extend(text);
        };
        put(&(settings.len() as u64).to_le_bytes());
        for (name, value) in settings {
            put(name.as_bytes());
            put(value.as_bytes());
        }
        put(&self.bytes);
        bytes
    }

    /// The archive that bytes hold, in a file, and its values; nothing if the bytes are no archive.
    pub fn unpacked(data: &[u8]) -> PyResult<Option<(Self, PathBuf, Vec<(String, Setting)>)>> {
        let Some(rest) = data.strip_prefix(MARK) else { return Ok(None) };
        let damaged =
            || crate::errors::misuse("these bytes are not those of a model, or a part of them is missing");
        let mut rest = rest;
        let mut take = || -> Option<&[u8]> {
            let (length, after) = rest.split_first_chunk::<8>()?;
            let (text, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
            rest = after;
            Some(text)
        };
        let count =
            take().and_then(|bytes| Some(u64::from_le_bytes(bytes.try_into().ok()?))).ok_or_else(damaged)?;
        let mut settings = Vec::new();
        for _ in 0..count {
            let mut text = || take().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
            let (name, value) = text().zip(text()).ok_or_else(damaged)?;
            settings.push((name, Setting::from(value)));
        }
        let bytes = take().ok_or_else(damaged)?.to_vec();
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("kairos-{}-{number}.fmu", std::process::id()));
        // Nobody else's file or link is written through.
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(&path)?;
        std::io::Write::write_all(&mut file, &bytes)?;
        Ok(Some((Self { bytes, file: Some(path.clone()) }, path, settings)))
    }
}

/// The values of an FMU that came from elsewhere are set again.
pub fn set(model: &kairos::Model, settings: Vec<(String, Setting)>) -> PyResult<kairos::Model> {
    model.set_all(settings).map_err(|error| raise(&error))
}
