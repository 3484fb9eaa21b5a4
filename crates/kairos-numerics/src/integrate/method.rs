//! The choice of an integrator.

use super::{
    Bdf, DormandPrince, Esdirk, Failure, FixedMethod, FixedStep, Integrator, Ode, Options, Radau, Tolerance,
};

/// An integrator to be made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// Variable-order, for stiff and for large systems.
    #[default]
    Bdf,
    /// Implicit, order four, cheap to restart: for stiff systems with many events.
    Esdirk,
    /// Implicit, order five: for stiff systems and high accuracy.
    Radau,
    /// Explicit, order five: for systems that are not stiff.
    DormandPrince,
    /// Explicit with a fixed step.
    Fixed { method: FixedMethod, step: f64 },
}

impl Method {
    /// Makes the integrator; it still needs a `restart` before its first step.
    pub fn integrator(
        self,
        system: &dyn Ode,
        tolerance: Tolerance,
        options: Options,
    ) -> Result<Box<dyn Integrator>, Failure> {
        Ok(match self {
            Method::Bdf => Box::new(Bdf::new(system, tolerance, options)?),
            Method::Esdirk => Box::new(Esdirk::new(system, tolerance, options)?),
            Method::Radau => Box::new(Radau::new(system, tolerance, options)?),
            Method::DormandPrince => Box::new(DormandPrince::new(system, tolerance, options)?),
            Method::Fixed { method, step } => Box::new(FixedStep::new(system, method, step)?),
        })
    }
}
