//! The library that the program carries, seen as a folder beside those of the real world.

use kairos_base::World;
use std::io;

include!(concat!(env!("OUT_DIR"), "/carried.rs"));

/// The folder that holds the carried libraries; no file system has a folder of this name.
pub const ROOT: &str = "kairos:";

/// A world with one more folder, `ROOT`.
pub struct WithCarried<'w>(pub &'w dyn World);

impl World for WithCarried<'_> {
    fn read(&self, path: &str) -> io::Result<String> {
        let Some(inside) = inside(path) else { return self.0.read(path) };
        let found = FILES.iter().find(|(name, _)| *name == inside);
        found.map(|(_, text)| text.to_string()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn read_bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        match inside(path) {
            Some(_) => self.read(path).map(String::into_bytes),
            None => self.0.read_bytes(path),
        }
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let Some(inside) = inside(path) else { return self.0.list(path) };
        let folder = match inside.trim_end_matches('/') {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        let entry = |name: &str| {
            let rest = name.strip_prefix(&folder)?;
            Some(rest.split_once('/').map_or(rest.to_string(), |(first, _)| format!("{first}/")))
        };
        let mut entries: Vec<String> = FILES.iter().filter_map(|(name, _)| entry(name)).collect();
        entries.sort();
        entries.dedup();
        if entries.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(entries) }
    }
}

fn inside(path: &str) -> Option<&str> {
    path.strip_prefix(ROOT).map(|rest| rest.trim_start_matches('/'))
}
