//! The studio in a browser: the same calls as those of the local server, answered inside a worker of the page.
//!
//! The worker (`web/src/worker.ts`) and this module exchange texts as bytes in the memory of the module: `room` makes room for a
//! text, the other functions take the texts that were put there, and leave their answer where `answer` says. Runs go on when
//! the worker calls `step`, between which it hears what the page wants. Nothing here has a clock or files: the page gives the
//! time, the project's files and libraries, and keeps what `changes` hands out.

mod archive;
mod store;
mod zip;

use archive::Archive;
use kairos_studio::{Setup, Studio, Work};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use store::Files;

/// The folder of the project in the browser.
const FOLDER: &str = "project";

#[derive(Default)]
struct Page {
    studio: Option<Studio>,
    files: Files,
    work: VecDeque<Work>,
    /// Texts on their way in.
    given: Vec<Vec<u8>>,
    answer: Vec<u8>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
    /// Runs that were started by the call that is being answered.
    static STARTED: RefCell<Vec<Work>> = RefCell::default();
}

#[cfg(target_family = "wasm")]
mod outside {
    unsafe extern "C" {
        /// Milliseconds since some moment.
        pub safe fn now() -> f64;
        /// Tells a text that the page may show to those who look for bugs.
        pub safe fn tell(text: *const u8, length: usize);
    }
}

#[cfg(target_family = "wasm")]
fn now() -> f64 {
    outside::now()
}

/// Tests have no page that could say the time.
#[cfg(not(target_family = "wasm"))]
fn now() -> f64 {
    0.0
}

fn with<T>(f: impl FnOnce(&mut Page) -> T) -> T {
    PAGE.with_borrow_mut(f)
}

/// Makes room for a text of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    with(|page| {
        page.given.push(vec![0; length]);
        page.given.last_mut().map_or(std::ptr::null_mut(), |text| text.as_mut_ptr())
    })
}

/// Where the last answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    with(|page| page.answer.as_ptr())
}

/// Opens the project with these files: a JSON object of texts by their paths. The answer is empty, or a refusal.
#[unsafe(no_mangle)]
pub extern "C" fn begin() -> usize {
    #[cfg(target_family = "wasm")]
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        outside::tell(text.as_ptr(), text.len());
    }));
    with(|page| {
        page.files.put(texts(page.given.pop()));
        let setup = Setup {
            store: Box::new(page.files.clone()),
            folder: FOLDER.into(),
            files: page.files.models(FOLDER),
            libraries: Vec::new(),
            shelf: None,
            clock: now,
            spawn: |work| STARTED.with_borrow_mut(|started| started.push(work)),
        };
        match Studio::new(setup) {
            Ok(studio) => {
                page.studio = Some(studio);
                page.say(json!({}))
            }
            Err(refusal) => page.say(json!({ "error": refusal.json() })),
        }
    })
}

/// Takes the files as the page has kept them: another page may have changed them.
#[unsafe(no_mangle)]
pub extern "C" fn put() {
    with(|page| page.files.put(texts(page.given.pop())));
}

/// Adds libraries: the name of a zip, and then its bytes, were put in.
#[unsafe(no_mangle)]
pub extern "C" fn library() -> usize {
    with(|page| {
        let bytes = page.given.pop().unwrap_or_default();
        let name = String::from_utf8(page.given.pop().unwrap_or_default()).unwrap_or_default();
        match Archive::new(&name, bytes) {
            Ok(archive) => {
                let roots = page.files.add(archive);
                if let Some(studio) = &mut page.studio {
                    studio.add_libraries(&roots);
                }
                page.say(json!({ "result": roots }))
            }
            Err(message) => page.say(json!({ "error": { "code": "no-library", "message": message } })),
        }
    })
}

/// Answers a call: `[method, parameters]`.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    with(|page| {
        let asked: Value = page.given.pop().and_then(|t| serde_json::from_slice(&t).ok()).unwrap_or_default();
        let method = asked[0].as_str().unwrap_or("").to_string();
        let answer = match &mut page.studio {
            Some(studio) => studio.answer(&method, &asked[1]),
            None => {
                let message = "the project is not open";
                json!({ "error": { "code": "not-open", "message": message } }).to_string()
            }
        };
        page.work.extend(STARTED.take());
        page.answer = answer.into_bytes();
        page.answer.len()
    })
}

/// Goes on with the runs for a moment; how many milliseconds later there is more to do, or a negative number if nothing is left.
#[unsafe(no_mangle)]
pub extern "C" fn step() -> f64 {
    let Some(mut work) = with(|page| page.work.pop_front()) else { return -1.0 };
    let wait = work.step();
    with(|page| {
        if wait.is_some() {
            page.work.push_back(work);
        }
        match (wait, page.work.is_empty()) {
            (_, true) => -1.0,
            (Some(wait), false) if page.work.len() == 1 => wait,
            _ => 0.0,
        }
    })
}

/// The files that have changed since this was last asked, by their paths; none for those that are gone.
#[unsafe(no_mangle)]
pub extern "C" fn changes() -> usize {
    with(|page| {
        let changes = page.files.take_changes();
        if changes.is_empty() { 0 } else { page.say(json!(changes)) }
    })
}

impl Page {
    fn say(&mut self, value: Value) -> usize {
        self.answer = value.to_string().into_bytes();
        self.answer.len()
    }
}

fn texts(given: Option<Vec<u8>>) -> BTreeMap<String, String> {
    given.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}
