//! The allocator of the command.

use std::ffi::{c_int, c_long};

/// Trees of models are many small pieces, and sweeps make them in several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay`: after how many milliseconds free pages go back to the system, never if negative.
const PURGE_DELAY: c_int = 15;

/// Every pass over a large model makes tables and frees them. Pages that go back to the system between two passes must be
/// fetched and cleared again for the next one.
pub fn keep_pages() {
    // SAFETY: the allocator defines this function, and it may be called at any time.
    #[allow(unsafe_code)]
    unsafe {
        mi_option_set(PURGE_DELAY, -1);
    }
}

#[allow(unsafe_code)]
unsafe extern "C" {
    fn mi_option_set(option: c_int, value: c_long);
}
