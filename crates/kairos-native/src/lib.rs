//! Native implementations of the external functions that Modelica libraries declare, found by their C or Fortran name.

mod context;
mod fft;
mod file_system;
mod files;
mod lapack;
mod mathematics;
mod matrix_io;
mod messages;
mod outside;
mod permissions;
mod random;
mod registry;
mod resources;
mod streams;
mod strings;
mod system;
mod tables;
mod value;

pub use context::{Channel, Context};
pub use lapack::{EigenPair, eigen};
pub use permissions::{Asked, Effect, Permissions, Trust};
pub use registry::{Kind, NativeFn, functions, lookup};
pub use resources::Resources;
pub use tables::{
    Column, CombiTable1D, CombiTable2D, CombiTimeTable, Extrapolation, FromCode, Grid, Smoothness,
    TimeEvents, TimeOptions,
};
pub use value::{Arg, Args, Object};
