//! Graphical items as plain data (MLS 18.6.5), with the defaults of the specification.

use crate::geometry::{Extent, Matrix, Point};

/// Red, green and blue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Color(pub [u8; 3]);

/// How a line is broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pattern {
    None,
    #[default]
    Solid,
    Dash,
    Dot,
    DashDot,
    DashDotDot,
}

/// How an area is filled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Fill {
    #[default]
    None,
    Solid,
    Horizontal,
    Vertical,
    Cross,
    Forward,
    Backward,
    CrossDiag,
    HorizontalCylinder,
    VerticalCylinder,
    Sphere,
}

/// The head of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arrow {
    #[default]
    None,
    Open,
    Filled,
    Half,
}

/// The frame of a rectangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Border {
    #[default]
    None,
    Raised,
    Sunken,
    Engraved,
}

/// How a part of an ellipse is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closure {
    None,
    Chord,
    Radial,
}

/// Where a text stands in its box.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Alignment {
    Left,
    #[default]
    Center,
    Right,
}

/// The line around or along a shape.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stroke {
    pub color: Color,
    pub pattern: Pattern,
    /// In millimetres of a printed page; it does not grow with the icon.
    pub thickness: f64,
}

impl Default for Stroke {
    fn default() -> Self {
        Stroke { color: Color::default(), pattern: Pattern::Solid, thickness: 0.25 }
    }
}

/// A text and how it is set.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TextForm {
    pub extent: Extent,
    /// Macros such as `%name` are replaced.
    pub text: String,
    /// In points; zero: as large as fits.
    pub size: f64,
    pub font: String,
    pub bold: bool,
    pub italic: bool,
    pub underline: bool,
    pub alignment: Alignment,
    pub color: Color,
}

/// What a shape is.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    Line {
        points: Vec<Point>,
        arrows: [Arrow; 2],
        arrow_size: f64,
        smooth: bool,
    },
    Polygon {
        points: Vec<Point>,
        smooth: bool,
    },
    Rectangle {
        extent: Extent,
        radius: f64,
        border: Border,
    },
    Ellipse {
        extent: Extent,
        start: f64,
        end: f64,
        closure: Closure,
    },
    Text(TextForm),
    /// A picture: a `modelica://` name or the name of a file, or the picture itself as base64.
    Bitmap {
        extent: Extent,
        file: String,
        data: String,
    },
}

/// One graphical item.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    pub origin: Point,
    pub rotation: f64,
    pub stroke: Stroke,
    pub fill: Fill,
    pub fill_color: Color,
    pub form: Form,
    /// Attributes that follow the simulation (`DynamicSelect`): their names, and the expressions as written.
    pub dynamic: Vec<(String, String)>,
}

impl Shape {
    /// From the item's own coordinates to those of its layer.
    pub fn matrix(&self) -> Matrix {
        Matrix::shift(self.origin).after(&Matrix::rotation(self.rotation))
    }
}

/// The coordinates of a layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CoordinateSystem {
    pub extent: Extent,
    pub preserve_aspect_ratio: bool,
    /// Size of a new part of this class, relative to its icon.
    pub initial_scale: f64,
    pub grid: Point,
}

impl Default for CoordinateSystem {
    fn default() -> Self {
        CoordinateSystem {
            extent: [[-100.0, -100.0], [100.0, 100.0]],
            preserve_aspect_ratio: true,
            initial_scale: 0.1,
            grid: [2.0, 2.0],
        }
    }
}
