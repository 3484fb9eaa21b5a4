//! Icons and diagrams of Modelica classes, from their graphical annotations (MLS 18.6) to SVG.
//!
//! `scene` collects what a class shows: its own and inherited shapes, its parts with their icons and connectors, its
//! connection lines. `svg` draws a scene. Nothing here simulates; attributes that follow a simulation have the value that the
//! annotation gives for an editor, or that of an instant whose values the caller knows (`scene_at`).

mod geometry;
mod graphics;
mod metrics;
mod now;
mod read;
mod scene;
mod svg;
mod texts;

pub use geometry::{Extent, Matrix, Point};
pub use graphics::{
    Alignment, Arrow, Border, Closure, Color, CoordinateSystem, Fill, Form, Pattern, Shape, Stroke, TextForm,
};
pub use now::Lookup;
pub use scene::{Part, Scene, View, Wire, scene, scene_at};
pub use svg::{Picture, base64, svg};
