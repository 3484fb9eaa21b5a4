//! The border to C: handles, texts, lists and the one place where a panic ends.
#![allow(unsafe_code, reason = "C functions take and give pointers")]

use crate::instance::{Instance, Kind};
use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// The status of a call, with the same numbers in both versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    Ok = 0,
    Discard = 2,
    Error = 3,
    Fatal = 4,
}

/// Whom messages go to: the status and a text.
pub type Logger = Box<dyn Fn(i32, &str)>;

/// An instance as a handle stands for it.
pub struct Handle {
    pub instance: Instance,
    logger: Logger,
}

impl Handle {
    /// A handle for the importer; null with a message where there is no instance.
    pub fn make(kind: Kind, token: &str, resources: Result<PathBuf, String>, logger: Logger) -> *mut c_void {
        let made = catch_unwind(|| resources.and_then(|path| Instance::new(kind, &path, token)));
        match made.unwrap_or_else(|_| Err("the model could not be read, which is a bug of Kairos".into())) {
            Ok(instance) => Box::into_raw(Box::new(Handle { instance, logger })).cast(),
            Err(why) => {
                logger(Status::Error as i32, &why);
                std::ptr::null_mut()
            }
        }
    }

    /// Passes on what there is to tell.
    fn tell(&mut self) {
        for said in std::mem::take(&mut self.instance.said) {
            (self.logger)(if said.warning { 1 } else { Status::Error as i32 }, &said.text);
        }
    }
}

/// Does something with the instance of a handle. Errors become a status, and so does a panic.
///
/// # Safety
/// The handle is one that `Handle::make` has given and `free` has not ended; no other thread uses it.
pub unsafe fn with<E>(handle: *mut c_void, work: impl FnOnce(&mut Instance) -> Result<Status, E>) -> i32 {
    // SAFETY: the caller's promise.
    let Some(handle) = (unsafe { handle.cast::<Handle>().as_mut() }) else { return Status::Error as i32 };
    let done = catch_unwind(AssertUnwindSafe(|| work(&mut handle.instance)));
    let status = match done {
        Ok(Ok(status)) => status,
        Ok(Err(_)) => Status::Error,
        Err(_) => {
            let _ = handle.instance.fail::<()>("a bug of Kairos has ended this instance");
            Status::Fatal
        }
    };
    handle.tell();
    status as i32
}

/// Ends an instance.
///
/// # Safety
/// As for `with`; the handle is of no use afterwards.
pub unsafe fn free(handle: *mut c_void) {
    if !handle.is_null() {
        // SAFETY: the handle was made by `Handle::make`, by the caller's promise.
        drop(unsafe { Box::from_raw(handle.cast::<Handle>()) });
    }
}

/// A text from outside.
///
/// # Safety
/// The pointer is null or leads to a text that ends with a zero and stays as it is during the call.
pub unsafe fn text<'a>(pointer: *const c_char) -> &'a str {
    if pointer.is_null() {
        return "";
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(pointer) }.to_str().unwrap_or("")
}

/// A list from outside.
///
/// # Safety
/// The pointer leads to so many things that stay as they are during the call, or there is none of them.
pub unsafe fn list<'a, T>(pointer: *const T, count: usize) -> &'a [T] {
    if pointer.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(pointer, count) }
}

/// A list to be filled.
///
/// # Safety
/// As for `list`, and nobody else uses it during the call.
pub unsafe fn list_mut<'a, T>(pointer: *mut T, count: usize) -> &'a mut [T] {
    if pointer.is_null() || count == 0 {
        return &mut [];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts_mut(pointer, count) }
}

/// Puts a value where a pointer leads, if it leads anywhere.
///
/// # Safety
/// The pointer is null or leads to a place for such a value.
pub unsafe fn put<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: the caller's promise.
        unsafe { pointer.write(value) };
    }
}

/// A text for C: zeros in it end it.
pub fn c_text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// The folder that a `file:` URI means.
pub fn folder_of(uri: &str) -> Result<PathBuf, String> {
    let rest = uri.strip_prefix("file:").ok_or_else(|| format!("`{uri}` is no place of files"))?;
    let rest = rest.strip_prefix("//localhost").or_else(|| rest.strip_prefix("//")).unwrap_or(rest);
    let mut bytes = Vec::new();
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        let digit = |byte: Option<u8>| byte.and_then(|b| (b as char).to_digit(16));
        match byte {
            b'%' => match (digit(left.next()), digit(left.next())) {
                (Some(high), Some(low)) => bytes.push((high * 16 + low) as u8),
                _ => return Err(format!("`{uri}` is no place of files")),
            },
            byte => bytes.push(byte),
        }
    }
    Ok(PathBuf::from(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_files_are_read_in_all_their_forms() {
        for uri in ["file:///tmp/a%20b/r", "file:/tmp/a%20b/r", "file://localhost/tmp/a%20b/r"] {
            assert_eq!(folder_of(uri), Ok(PathBuf::from("/tmp/a b/r")), "{uri}");
        }
        assert!(folder_of("http://x").is_err() && folder_of("file:///%z").is_err());
    }
}
