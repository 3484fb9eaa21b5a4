//! The zip file of an FMU: what is in it, and its unpacking into a folder that does not outlive its use.

use crate::description::Description;
use crate::diagnostics;
use kairos_base::{Diagnostic, private};
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use zip::ZipArchive;

/// The description in every FMU.
const DESCRIPTION: &str = "modelDescription.xml";
/// What a description or all unpacked files may be long.
const LONGEST_DESCRIPTION: u64 = 512 << 20;
const LONGEST: u64 = 8 << 30;
/// Folders of unpacked FMUs begin with this, followed by the number of the process.
const PREFIX: &str = "kairos-fmu-";

/// An FMU as a file.
pub struct Archive {
    path: String,
    zip: ZipArchive<Source>,
    pub description: Description,
}

/// Where the bytes of an archive are.
enum Source {
    File(File),
    Bytes(Cursor<Vec<u8>>),
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::File(file) => file.read(buffer),
            Source::Bytes(bytes) => bytes.read(buffer),
        }
    }
}

impl io::Seek for Source {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        match self {
            Source::File(file) => file.seek(to),
            Source::Bytes(bytes) => bytes.seek(to),
        }
    }
}

impl Archive {
    /// Opens the file of an FMU and reads its description.
    pub fn open(path: &str) -> Result<Archive, Diagnostic> {
        let file = File::open(path).map_err(|error| diagnostics::unreadable(path, &error.to_string()))?;
        Archive::read(path, Source::File(file))
    }

    /// The same for bytes, which messages call `path`.
    pub fn of_bytes(path: &str, bytes: Vec<u8>) -> Result<Archive, Diagnostic> {
        Archive::read(path, Source::Bytes(Cursor::new(bytes)))
    }

    fn read(path: &str, source: Source) -> Result<Archive, Diagnostic> {
        let mut zip =
            ZipArchive::new(source).map_err(|error| diagnostics::no_zip(path, &error.to_string()))?;
        let Ok(entry) = zip.by_name(DESCRIPTION) else {
            return Err(diagnostics::no_description(path));
        };
        let mut text = Vec::new();
        let read = entry.take(LONGEST_DESCRIPTION).read_to_end(&mut text);
        read.map_err(|error| diagnostics::no_zip(path, &error.to_string()))?;
        let text = String::from_utf8(text)
            .map_err(|_| diagnostics::bad_description(path, "it is not a text in UTF-8"))?;
        let description = Description::read(&text).map_err(|why| diagnostics::bad_description(path, &why))?;
        Ok(Archive { path: path.into(), zip, description })
    }

    /// What messages call the FMU.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The names of all files in it.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.zip.file_names().filter_map(|name| name.ok().map(String::from)).collect();
        names.retain(|name| !name.ends_with('/'));
        names.sort();
        names
    }

    /// The platforms that it has binaries for.
    pub fn platforms(&self) -> Vec<String> {
        let names = self.names();
        let platforms = names.iter().filter_map(|name| name.strip_prefix("binaries/")?.split_once('/'));
        let mut platforms: Vec<String> = platforms.map(|(platform, _)| platform.to_string()).collect();
        platforms.dedup();
        platforms
    }

    /// One file of it.
    pub fn file(&mut self, name: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.zip.by_name(name).ok()?.take(LONGEST_DESCRIPTION).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Unpacks the library for this platform and the resources.
    pub fn unpack(&mut self, identifier: &str) -> Result<Unpacked, Diagnostic> {
        let names = self.names();
        let file = format!("{identifier}{}", std::env::consts::DLL_SUFFIX);
        let wanted = platforms();
        let place = wanted.iter().map(|platform| format!("binaries/{platform}/{file}"));
        let Some(library) = place.into_iter().find(|place| names.contains(place)) else {
            return Err(diagnostics::no_binary(&self.path, &wanted, &self.platforms(), &file));
        };
        let folder = fresh_folder().map_err(|error| diagnostics::not_unpacked(&self.path, &error))?;
        let mut unpacked = Unpacked { folder, library: PathBuf::new() };
        let beside = library.rsplit_once('/').map_or("", |(folder, _)| folder).to_string() + "/";
        let mut room = LONGEST;
        for name in names.iter().filter(|name| name.starts_with(&beside) || name.starts_with("resources/")) {
            self.extract(name, &unpacked.folder, &mut room)
                .map_err(|error| diagnostics::not_unpacked(&self.path, &error))?;
        }
        let resources = unpacked.folder.join("resources");
        std::fs::create_dir_all(resources).map_err(|error| diagnostics::not_unpacked(&self.path, &error))?;
        unpacked.library = unpacked.folder.join(library);
        Ok(unpacked)
    }

    fn extract(&mut self, name: &str, folder: &Path, room: &mut u64) -> io::Result<()> {
        let entry = self.zip.by_name(name).map_err(io::Error::other)?;
        // A name that leads out of the folder is nobody's mistake.
        let place =
            entry.enclosed_name().ok_or_else(|| io::Error::other(format!("`{name}` leads out of it")))?;
        let target = folder.join(place);
        if let Some(above) = target.parent() {
            std::fs::create_dir_all(above)?;
        }
        let written = io::copy(&mut entry.take(*room), &mut File::create(target)?)?;
        *room -= written;
        if *room == 0 {
            return Err(io::Error::other("its files are too long"));
        }
        Ok(())
    }
}

/// The files of an FMU in a folder that goes with this value.
#[derive(Default)]
pub struct Unpacked {
    folder: PathBuf,
    /// The shared library.
    pub library: PathBuf,
}

impl Unpacked {
    /// Where the FMU finds its files.
    pub fn resources(&self) -> PathBuf {
        self.folder.join("resources")
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        if !self.folder.as_os_str().is_empty() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// What this platform is called in FMUs: by FMI 3.0, and by FMI 2.0.
fn platforms() -> [String; 2] {
    let bits = if cfg!(target_pointer_width = "64") { "64" } else { "32" };
    let (system, short) = match std::env::consts::OS {
        "windows" => ("windows", "win"),
        "macos" => ("darwin", "darwin"),
        other => (other, other),
    };
    [format!("{}-{system}", std::env::consts::ARCH), format!("{short}{bits}")]
}

/// A folder of our own. Those of processes that were killed go on this occasion.
fn fresh_folder() -> io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let temporary = std::env::temp_dir();
    sweep(&temporary);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = temporary.join(format!("{PREFIX}{}-{count}", std::process::id()));
        if !folder.exists() {
            private::make_folder(&folder)?;
            private::check_folder(&folder)?;
            return Ok(folder);
        }
    }
}

/// Removes the folders of processes that are no more.
fn sweep(temporary: &Path) {
    // Where there is no list of processes, nobody knows who is gone.
    if !Path::new("/proc/self").exists() {
        return;
    }
    for entry in std::fs::read_dir(temporary).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'));
        let Some(process) = owner.and_then(|(process, _)| process.parse::<u32>().ok()) else { continue };
        let ours = private::check_folder(&entry.path()).is_ok();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if ours && is_folder && !Path::new(&format!("/proc/{process}")).exists() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
