//! The acceptance cases of hybrid modelling, cases of models whose structure changes, of what events reach, and of the parts
//! of the library that the program carries: a test each, by name, as `cargo test -p kairos --test hybrid -- bouncing_ball`.
//!
//! Every case is run by the interpreter and in native code. Those of the engine are also run behind the plain interface of a
//! machine, without its shortcuts: that simulates right, only slower.

mod common;

use common::cases::{plain_trials, trials};

fn main() {
    let engine = ["hybrid", "modes", "reach"];
    let mut all = trials("library");
    for folder in engine {
        all.extend(trials(folder));
        all.extend(plain_trials(folder));
    }
    assert!(all.len() > 300, "only {} cases were found", all.len());
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), all).exit();
}
