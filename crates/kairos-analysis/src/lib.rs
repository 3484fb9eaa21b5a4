//! Studies of models: linear models around a point, their modes, steady states.
//!
//! Everything stands on `kairos::Model` and on the derivatives that machines tell (`dyn Machine::partials`).
#![deny(missing_docs)]

mod files;
mod linear;
mod modes;
mod stability;
mod steady;

pub use linear::{Linear, LinearRequest, Signal, linearise};
pub use modes::Mode;
pub use stability::{TooLong, too_long};
pub use steady::{Steady, steady_state};
