//! Kairos for Python: models, runs and results as Python objects.
//!
//! Everything that takes time happens without the interpreter lock, so that threads simulate at once; results reach
//! numpy without being copied. What is easier said in Python (data frames, executors) is in `python/kairos`.

mod errors;
mod fmu;
mod model;
mod options;
mod picture;
mod result;
mod simulation;
mod studies;
mod sweep;
mod values;

use pyo3::prelude::*;

#[pymodule]
fn _kairos(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Error", module.py().get_type::<errors::Error>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Model>()?;
    module.add_class::<model::Variable>()?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<result::Result>()?;
    module.add_class::<picture::Around>()?;
    module.add_class::<picture::Picture>()
}
