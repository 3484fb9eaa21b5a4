//! Files that commands write: beside their place until they are whole, then renamed, so that what stands there is never half.

use crate::shell::{ShellOptions, Status};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What a file is called until it is whole.
pub const UNFINISHED: &str = ".part";

/// A file on its way to its place.
pub struct Output {
    place: PathBuf,
    /// Where it is written; `None` for pipes and devices, which are written in place.
    beside: Option<PathBuf>,
}

/// Why a file could not be written.
pub type Unwritten = (String, io::Error);

impl Output {
    /// Begins a file: the path may be a link, whose target is meant.
    pub fn create(path: &str) -> Result<(Output, BufWriter<File>), Unwritten> {
        let failed = |error| (path.to_string(), error);
        let place = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
        let odd = fs::metadata(&place).is_ok_and(|data| !data.is_file());
        let beside = (!odd).then(|| {
            let mut name = place.as_os_str().to_os_string();
            name.push(UNFINISHED);
            PathBuf::from(name)
        });
        let file = File::create(beside.as_deref().unwrap_or(&place)).map_err(failed)?;
        Ok((Output { place, beside }, BufWriter::with_capacity(1 << 16, file)))
    }

    /// The standard output as a file.
    pub fn standard() -> Result<(Output, BufWriter<File>), Unwritten> {
        #[cfg(unix)]
        let owned = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
        #[cfg(windows)]
        let owned = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
        let file = File::from(owned.map_err(|error| ("the standard output".to_string(), error))?);
        Ok((Output { place: PathBuf::from("-"), beside: None }, BufWriter::with_capacity(1 << 16, file)))
    }

    /// The file is whole: it goes to its place.
    pub fn settle(self) -> Result<(), Unwritten> {
        let failed = |error| (self.place.display().to_string(), error);
        match &self.beside {
            Some(beside) => fs::rename(beside, &self.place).map_err(failed),
            None => Ok(()),
        }
    }

    /// The file stays unfinished: where it is, unless there is nothing in it.
    pub fn left(&self) -> Option<String> {
        let beside = self.beside.as_ref()?;
        if fs::metadata(beside).is_ok_and(|data| data.len() == 0) {
            let _ = fs::remove_file(beside);
            return None;
        }
        Some(beside.display().to_string())
    }
}

/// Writes a whole file at once.
pub fn write(path: &str, content: impl AsRef<[u8]>) -> Result<(), Unwritten> {
    let (output, mut file) = Output::create(path)?;
    let written = file.write_all(content.as_ref()).and_then(|()| file.flush());
    written.map_err(|error| (path.to_string(), error))?;
    output.settle()
}

/// Puts new text into a file: its mode stays, and a link stays one.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let place = fs::canonicalize(path)?;
    let folder = place.parent().unwrap_or(Path::new("."));
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // A name that nobody has planted, made new: another program may work in the same folder.
    let (beside, mut file) = (0..1000)
        .find_map(|k| {
            let beside = folder.join(format!(".{name}.{}-{k}{UNFINISHED}", std::process::id()));
            match File::options().write(true).create_new(true).open(&beside) {
                Ok(file) => Some(Ok((beside, file))),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
                Err(error) => Some(Err(error)),
            }
        })
        .unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))?;
    let written = fs::metadata(&place)
        .and_then(|data| file.set_permissions(data.permissions()))
        .and_then(|()| file.write_all(text.as_bytes()))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, &place));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Says that a file could not be written.
pub fn complain((path, error): &Unwritten, shell: &ShellOptions) -> Status {
    let text = format!("cannot write {path}: {error}");
    shell.complain("file-not-written", text, "check the folder, its permissions and the space on the disk");
    Status::ModelFailed
}

/// Prints to the standard output. A reader that has gone away is no failure; a full disk is one.
pub fn print(text: &str, shell: &ShellOptions) -> Status {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&("the standard output".into(), error), shell)
        }
        _ => Status::Success,
    }
}
