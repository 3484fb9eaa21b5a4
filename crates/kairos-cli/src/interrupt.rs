//! Ctrl-C during a run: the rows so far are kept, and the run ends in order.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the shell sees of a command that Ctrl-C ended.
pub const STATUS: u8 = 130;

/// The signal of Ctrl-C, on all systems.
const INTERRUPT: c_int = 2;

static ASKED: AtomicBool = AtomicBool::new(false);

/// The signal of `alarm`.
#[cfg(unix)]
const ALARM: c_int = 14;

/// So many seconds a run has to end in order.
#[cfg(unix)]
const PATIENCE: u32 = 2;

/// From now on Ctrl-C is noted, so that a run ends in order; if it does not do so soon, or at a second one, the process ends.
pub fn note() {
    // SAFETY: the handlers touch nothing but a flag and the clock of the process, or end it.
    #[allow(unsafe_code)]
    unsafe {
        signal(INTERRUPT, on_interrupt);
        #[cfg(unix)]
        signal(ALARM, on_alarm);
    }
}

#[cfg(unix)]
extern "C" fn on_alarm(_: c_int) {
    // SAFETY: ends the process without running anything else.
    #[allow(unsafe_code)]
    unsafe {
        _exit(c_int::from(STATUS))
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
    // SAFETY: may be called in a handler.
    #[cfg(unix)]
    #[allow(unsafe_code)]
    unsafe {
        alarm(PATIENCE);
    }
}

#[allow(unsafe_code)]
unsafe extern "C" {
    fn signal(number: c_int, handler: extern "C" fn(c_int)) -> usize;
    fn _exit(status: c_int) -> !;
    #[cfg(unix)]
    fn alarm(seconds: u32) -> u32;
}
