//! Icons and diagrams of Modelica classes, from their graphical annotations (MLS 18.6) to SVG.
//!
//! `scene` collects what a class shows: its own and inherited shapes, its parts with their icons and connectors, its
//! connection lines. `svg` draws a scene. Nothing here simulates; what cannot be known without a simulation has the value
//! that the annotation gives for an editor.

mod geometry;
mod graphics;
mod metrics;
mod read;
mod scene;
mod svg;
mod texts;

pub use geometry::{Extent, Matrix, Point};
pub use graphics::{
    Alignment, Arrow, Border, Closure, Color, CoordinateSystem, Fill, Form, Pattern, Shape, Stroke, TextForm,
};
pub use scene::{Part, Scene, View, Wire, scene};
pub use svg::{Picture, base64, svg};
