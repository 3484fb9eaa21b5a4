//! Studies of models: linear models around a point, their modes, steady states and trimming, sensitivities, estimation.
//!
//! Everything stands on `kairos::Model` and on the derivatives that machines tell (`dyn Machine::partials`).
#![deny(missing_docs)]

mod drawings;
mod files;
mod fit;
mod linear;
mod modes;
mod response;
mod sensitivity;
mod stability;
mod steady;
mod trim;

pub use fit::{Experiment as FitExperiment, Fit, FitRequest, Free, fit};
pub use linear::{Linear, LinearRequest, Signal, linearise};
pub use modes::Mode;
pub use response::{Complex, Response, Transfer};
pub use sensitivity::{Sensitivities, SensitivityRequest, sensitivities};
pub use stability::{TooLong, too_long};
pub use steady::{Steady, steady_state};
pub use trim::{TrimRequest, Trimmed, trim};
