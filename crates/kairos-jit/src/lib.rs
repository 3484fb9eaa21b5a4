//! Programs as native code: every repeated tape and every routine through Cranelift, with the results of the
//! interpreter bit for bit.

mod batch;
mod chunk;
mod emit;
#[allow(unsafe_code)]
mod foreign;
mod halves;
mod key;
mod math;
mod module;
#[allow(unsafe_code)]
mod native;
mod objects;
mod outside;
mod rolling;
mod shelf;
mod sites;
mod tiers;
mod trigonometry;
mod truths;
mod wholes;

pub use foreign::SharedLibraries;
pub use module::{Means, compile};
pub use shelf::{Shelf, put_away};
pub use tiers::{Tier, attach};

/// Does something beside the run, if the system has a thread for it: nothing depends on it.
fn aside(work: impl FnOnce() + Send + 'static) {
    let _ = std::thread::Builder::new().spawn(work);
}
