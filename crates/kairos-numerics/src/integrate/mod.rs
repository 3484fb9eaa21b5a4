//! Integrators.
