//! Ctrl-C during a run: the rows so far are kept, and the run ends in order.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the shell sees of a command that Ctrl-C ended.
pub const STATUS: u8 = 130;

/// The signal of Ctrl-C, on all systems.
const INTERRUPT: c_int = 2;

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C is only noted; if nobody cares, a second one ends the process.
pub fn note() {
    // SAFETY: the handler touches nothing but a flag.
    #[allow(unsafe_code)]
    unsafe {
        signal(INTERRUPT, on_interrupt);
    }
}

/// Was Ctrl-C pressed?
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

extern "C" fn on_interrupt(_: c_int) {
    if ASKED.swap(true, Ordering::Relaxed) {
        // SAFETY: ends the process without running anything else.
        #[allow(unsafe_code)]
        unsafe {
            _exit(c_int::from(STATUS))
        }
    }
}

#[allow(unsafe_code)]
unsafe extern "C" {
    fn signal(number: c_int, handler: extern "C" fn(c_int)) -> usize;
    fn _exit(status: c_int) -> !;
}
