//! Open texts: their versions, undo and redo, the journal that survives a crash, and what happens to the files meanwhile.
//!
//! A file on disk changes only when its text is saved. Until then every change goes to a journal beside the project, so that a
//! crash loses nothing: an entry holds the text and a digest of the file that it was made from, and is taken up again when
//! the project opens if that file is still the same.

use crate::answer::Refusal;
use crate::runs::SharedWorld;
use kairos_base::World;
use kairos_edit::{Patch, apply, invert};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;
use std::sync::Arc;

/// Reads and writes the files of a project; a page without a server keeps them itself.
pub trait Store: World {
    /// Puts a whole text in the place of a file, or makes the file.
    fn write(&self, path: &str, text: &str) -> io::Result<()>;
    /// Removes a file, if it is there.
    fn remove(&self, path: &str) -> io::Result<()>;
    /// The same files for a run that goes on beside the page.
    fn shared(&self) -> SharedWorld;
}

/// One step that can be undone: patches that lead back.
struct Step {
    back: Vec<Patch>,
}

/// A text that is edited.
struct Text {
    text: String,
    /// As on disk.
    saved: String,
    undo: Vec<Step>,
    redo: Vec<Step>,
    version: u64,
    /// The file was changed by somebody else while the text had changes of its own.
    conflict: bool,
}

/// All texts that were opened.
pub struct Project {
    store: Box<dyn Store>,
    /// The folder of the project, or the folder of its file.
    pub folder: String,
    texts: Rc<RefCell<BTreeMap<String, Text>>>,
    version: u64,
}

impl Project {
    pub fn new(store: Box<dyn Store>, folder: &str) -> Self {
        Project { store, folder: folder.to_string(), texts: Rc::default(), version: 0 }
    }

    /// The world as a run keeps it: the open texts of this moment before files.
    pub fn snapshot(&self) -> SharedWorld {
        let texts = self.texts.borrow();
        let texts = texts.iter().map(|(path, text)| (path.clone(), text.text.clone())).collect();
        Arc::new(Snapshot { texts, base: self.store.shared() })
    }

    /// The world as the project sees it: open texts before files.
    pub fn world(&self) -> ProjectWorld<'_> {
        ProjectWorld { store: &*self.store, texts: self.texts.clone() }
    }

    /// Opens a text; a journal entry that fits its file is taken up. True if there was one.
    pub fn open(&mut self, path: &str) -> Result<bool, Refusal> {
        if self.texts.borrow().contains_key(path) {
            return Ok(false);
        }
        let saved = self.store.read(path).map_err(|e| unreadable(path, &e))?;
        let kept = self.store.read(&self.journal(path)).ok();
        let kept = kept.and_then(|entry| {
            let (head, text) = entry.split_once('\n')?;
            (head == digest(&saved) && text != saved).then(|| text.to_string())
        });
        let recovered = kept.is_some();
        let mut text = Text {
            text: saved.clone(),
            saved: saved.clone(),
            undo: Vec::new(),
            redo: Vec::new(),
            version: self.next_version(),
            conflict: false,
        };
        if let Some(kept) = kept {
            let patches = [difference(&saved, &kept)];
            text.undo.push(Step { back: invert(&saved, &patches) });
            text.text = kept;
        }
        self.texts.borrow_mut().insert(path.to_string(), text);
        Ok(recovered)
    }

    /// Makes a new file, with this text, on disk.
    pub fn create(&mut self, path: &str, text: &str) -> Result<(), Refusal> {
        if self.store.read(path).is_ok() {
            return Err(Refusal::new("file-exists", format!("there is a file `{path}` already")));
        }
        self.store.write(path, text).map_err(|e| unwritable(path, &e))?;
        self.open(path).map(|_| ())
    }

    /// Takes a file out of the project, and away.
    pub fn remove(&mut self, path: &str) -> Result<(), Refusal> {
        self.texts.borrow_mut().remove(path).ok_or_else(|| not_open(path))?;
        let _ = self.store.remove(&self.journal(path));
        self.store.remove(path).map_err(|e| unwritable(path, &e))
    }

    /// The present text and its version.
    pub fn text(&self, path: &str) -> Option<(String, u64)> {
        self.texts.borrow().get(path).map(|t| (t.text.clone(), t.version))
    }

    /// Replaces a text by another; only where they differ counts.
    pub fn set_text(&mut self, path: &str, new: &str, version: Option<u64>) -> Result<(), Refusal> {
        let old = {
            let texts = self.texts.borrow();
            let text = texts.get(path).ok_or_else(|| not_open(path))?;
            if version.is_some_and(|version| version != text.version) {
                let message = format!("`{path}` has been changed meanwhile: read it again");
                return Err(Refusal::new("stale-text", message));
            }
            text.text.clone()
        };
        if old == new {
            return Ok(());
        }
        let patch = difference(&old, new);
        self.patch(path, &[patch])
    }

    /// Applies an edit as one step.
    pub fn patch(&mut self, path: &str, patches: &[Patch]) -> Result<(), Refusal> {
        if patches.is_empty() {
            return Ok(());
        }
        let version = self.next_version();
        {
            let mut texts = self.texts.borrow_mut();
            let text = texts.get_mut(path).ok_or_else(|| not_open(path))?;
            text.undo.push(Step { back: invert(&text.text, patches) });
            text.redo.clear();
            text.text = apply(&text.text, patches);
            text.version = version;
        }
        self.keep(path)
    }

    /// Joins the last `count` steps into one.
    pub fn join(&mut self, path: &str, count: usize) {
        let mut texts = self.texts.borrow_mut();
        let Some(text) = texts.get_mut(path) else { return };
        if count < 2 || text.undo.len() < count {
            return;
        }
        let last = text.undo.split_off(text.undo.len() - count);
        let before = last.iter().rev().fold(text.text.clone(), |t, step| apply(&t, &step.back));
        text.undo.push(Step { back: vec![difference(&text.text, &before)] });
    }

    /// Takes the last step back; false if there is none.
    pub fn undo(&mut self, path: &str) -> Result<bool, Refusal> {
        self.turn(path, true)
    }

    /// Makes the last undone step again; false if there is none.
    pub fn redo(&mut self, path: &str) -> Result<bool, Refusal> {
        self.turn(path, false)
    }

    fn turn(&mut self, path: &str, back: bool) -> Result<bool, Refusal> {
        let version = self.next_version();
        {
            let mut texts = self.texts.borrow_mut();
            let text = texts.get_mut(path).ok_or_else(|| not_open(path))?;
            let step = if back { text.undo.pop() } else { text.redo.pop() };
            let Some(step) = step else { return Ok(false) };
            let again = Step { back: invert(&text.text, &step.back) };
            text.text = apply(&text.text, &step.back);
            text.version = version;
            if back { text.redo.push(again) } else { text.undo.push(again) }
        }
        self.keep(path)?;
        Ok(true)
    }

    /// Writes a text to its file.
    pub fn save(&mut self, path: &str, anyway: bool) -> Result<(), Refusal> {
        let text = {
            let texts = self.texts.borrow();
            texts.get(path).ok_or_else(|| not_open(path))?.text.clone()
        };
        self.look_outside(path);
        if self.texts.borrow().get(path).is_some_and(|t| t.conflict) && !anyway {
            let message = format!("another program has changed `{path}`: save anyway, or take its text");
            return Err(Refusal::new("changed-outside", message));
        }
        self.store.write(path, &text).map_err(|e| unwritable(path, &e))?;
        if let Some(known) = self.texts.borrow_mut().get_mut(path) {
            known.saved = text;
            known.conflict = false;
        }
        let _ = self.store.remove(&self.journal(path));
        Ok(())
    }

    /// Forgets the changes of a text and reads its file again.
    pub fn revert(&mut self, path: &str) -> Result<(), Refusal> {
        let saved = self.store.read(path).map_err(|e| unreadable(path, &e))?;
        self.set_text(path, &saved, None)?;
        if let Some(known) = self.texts.borrow_mut().get_mut(path) {
            known.saved = saved;
            known.conflict = false;
        }
        let _ = self.store.remove(&self.journal(path));
        Ok(())
    }

    /// Notices what other programs did to the file of a text: one without changes of its own follows it.
    pub fn look_outside(&mut self, path: &str) {
        let Ok(now) = self.store.read(path) else { return };
        let version = self.version + 1;
        let mut texts = self.texts.borrow_mut();
        let Some(text) = texts.get_mut(path) else { return };
        if now == text.saved {
            return;
        }
        if text.text == text.saved {
            let patches = [difference(&text.text, &now)];
            text.undo.push(Step { back: invert(&text.text, &patches) });
            text.text = now.clone();
            text.saved = now;
            text.version = version;
            drop(texts);
            self.version = version;
        } else {
            text.conflict = now != text.text;
        }
    }

    /// Every open text: its path, version, whether it differs from its file, whether that was changed outside, and
    /// whether there are steps to undo and to redo.
    pub fn states(&self) -> Vec<(String, u64, bool, bool, bool, bool)> {
        let texts = self.texts.borrow();
        let state = |(path, t): (&String, &Text)| {
            let dirty = t.text != t.saved;
            (path.clone(), t.version, dirty, t.conflict, !t.undo.is_empty(), !t.redo.is_empty())
        };
        texts.iter().map(state).collect()
    }

    /// Grows with every change of any text.
    pub fn version(&self) -> u64 {
        self.version
    }

    fn next_version(&mut self) -> u64 {
        self.version += 1;
        self.version
    }

    fn journal(&self, path: &str) -> String {
        let name: String =
            path.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { '_' }).collect();
        format!("{}/.kairos-journal/{name}-{}", self.folder, &digest(path)[..8])
    }

    /// Keeps a text that is not saved.
    fn keep(&self, path: &str) -> Result<(), Refusal> {
        let (entry, dirty) = {
            let texts = self.texts.borrow();
            let text = texts.get(path).ok_or_else(|| not_open(path))?;
            (format!("{}\n{}", digest(&text.saved), text.text), text.text != text.saved)
        };
        let journal = self.journal(path);
        let done = if dirty { self.store.write(&journal, &entry) } else { self.store.remove(&journal) };
        // A folder that cannot be written has no journal; the text itself is still here.
        let _ = done;
        Ok(())
    }
}

/// Open texts before files.
#[derive(Clone)]
pub struct ProjectWorld<'p> {
    store: &'p dyn Store,
    texts: Rc<RefCell<BTreeMap<String, Text>>>,
}

impl World for ProjectWorld<'_> {
    fn read(&self, path: &str) -> io::Result<String> {
        match self.texts.borrow().get(path) {
            Some(text) => Ok(text.text.clone()),
            None => self.store.read(path),
        }
    }

    fn read_bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.texts.borrow().get(path) {
            Some(text) => Ok(text.text.clone().into_bytes()),
            None => self.store.read_bytes(path),
        }
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        self.store.list(path)
    }
}

/// Open texts of a moment before files.
struct Snapshot {
    texts: BTreeMap<String, String>,
    base: SharedWorld,
}

impl World for Snapshot {
    fn read(&self, path: &str) -> io::Result<String> {
        self.texts.get(path).map_or_else(|| self.base.read(path), |text| Ok(text.clone()))
    }

    fn read_bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        let open = |text: &String| Ok(text.clone().into_bytes());
        self.texts.get(path).map_or_else(|| self.base.read_bytes(path), open)
    }

    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        self.base.list(path)
    }
}

/// The one patch between two texts: from where they first differ to where they last do.
fn difference(old: &str, new: &str) -> Patch {
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let mut start = same;
    while !old.is_char_boundary(start) || !new.is_char_boundary(start) {
        start -= 1;
    }
    let most = old.len().min(new.len()) - start;
    let rest = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
    let (mut end, mut end_new) = (old.len() - rest, new.len() - rest);
    while !old.is_char_boundary(end) || !new.is_char_boundary(end_new) {
        end += 1;
        end_new += 1;
    }
    Patch::replace(start, end, &new[start..end_new])
}

/// A fingerprint of a text (FNV-1a), to tell whether a file is the one that a journal entry was made from.
fn digest(text: &str) -> String {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
}

fn not_open(path: &str) -> Refusal {
    Refusal::new("not-open", format!("`{path}` is not open"))
}

fn unreadable(path: &str, error: &io::Error) -> Refusal {
    Refusal::new("cannot-read", format!("`{path}` cannot be read: {error}"))
}

fn unwritable(path: &str, error: &io::Error) -> Refusal {
    Refusal::new("file-not-written", format!("`{path}` cannot be written: {error}"))
}
