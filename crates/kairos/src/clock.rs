//! How long something takes, on targets that can tell.

use std::time::Duration;
#[cfg(not(target_family = "wasm"))]
use std::time::Instant;

/// A moment to measure from.
#[derive(Clone, Copy)]
pub(crate) struct Begun {
    #[cfg(not(target_family = "wasm"))]
    at: Instant,
}

impl Begun {
    /// The present.
    pub fn now() -> Self {
        Self {
            #[cfg(not(target_family = "wasm"))]
            at: Instant::now(),
        }
    }

    /// The time since then; none where there is no clock.
    pub fn elapsed(&self) -> Duration {
        #[cfg(not(target_family = "wasm"))]
        return self.at.elapsed();
        #[cfg(target_family = "wasm")]
        return Duration::ZERO;
    }
}
