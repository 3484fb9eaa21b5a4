//! Solvers for nonlinear and complementarity problems.
