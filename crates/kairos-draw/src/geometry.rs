//! Points, boxes and the maps between coordinate systems.

/// A point of a coordinate system, x to the right and y upwards.
pub type Point = [f64; 2];

/// A box by two opposite corners; which of them comes first says how it is flipped.
pub type Extent = [Point; 2];

/// An affine map: `x' = a x + c y + e`, `y' = b x + d y + f`, as SVG writes it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Matrix(pub [f64; 6]);

impl Matrix {
    /// The map that changes nothing.
    pub const IDENTITY: Matrix = Matrix([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// The map from the coordinates of a page, whose y axis points downwards.
    pub const PAGE: Matrix = Matrix([1.0, 0.0, 0.0, -1.0, 0.0, 0.0]);

    /// A shift.
    pub fn shift(by: Point) -> Self {
        Matrix([1.0, 0.0, 0.0, 1.0, by[0], by[1]])
    }

    /// A rotation by degrees, counterclockwise.
    pub fn rotation(degrees: f64) -> Self {
        // Quarter turns are exact.
        let (sin, cos) = match degrees.rem_euclid(360.0) {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            other => other.to_radians().sin_cos(),
        };
        Matrix([cos, sin, -sin, cos, 0.0, 0.0])
    }

    /// The map that takes one box to another, flipped as they are.
    pub fn between(from: Extent, to: Extent) -> Self {
        let scale = |k: usize| {
            let width = from[1][k] - from[0][k];
            if width == 0.0 { 1.0 } else { (to[1][k] - to[0][k]) / width }
        };
        let (sx, sy) = (scale(0), scale(1));
        Matrix([sx, 0.0, 0.0, sy, to[0][0] - sx * from[0][0], to[0][1] - sy * from[0][1]])
    }

    /// This map after `first`.
    pub fn after(&self, first: &Matrix) -> Self {
        let (m, n) = (&self.0, &first.0);
        Matrix([
            m[0] * n[0] + m[2] * n[1],
            m[1] * n[0] + m[3] * n[1],
            m[0] * n[2] + m[2] * n[3],
            m[1] * n[2] + m[3] * n[3],
            m[0] * n[4] + m[2] * n[5] + m[4],
            m[1] * n[4] + m[3] * n[5] + m[5],
        ])
    }

    /// The image of a point.
    pub fn apply(&self, p: Point) -> Point {
        let m = &self.0;
        [m[0] * p[0] + m[2] * p[1] + m[4], m[1] * p[0] + m[3] * p[1] + m[5]]
    }

    /// How much lengths grow, on the average of all directions; never zero.
    pub fn scale(&self) -> f64 {
        let m = &self.0;
        (m[0] * m[3] - m[1] * m[2]).abs().sqrt().max(1e-6)
    }

    /// The image of a direction.
    pub fn turn(&self, d: Point) -> Point {
        let m = &self.0;
        [m[0] * d[0] + m[2] * d[1], m[1] * d[0] + m[3] * d[1]]
    }
}

/// The middle of a box.
pub fn middle(extent: Extent) -> Point {
    [(extent[0][0] + extent[1][0]) / 2.0, (extent[0][1] + extent[1][1]) / 2.0]
}

/// Least x and y, width and height of a box.
pub fn sorted(extent: Extent) -> [f64; 4] {
    let (x, y) = (extent[0][0].min(extent[1][0]), extent[0][1].min(extent[1][1]));
    [x, y, (extent[1][0] - extent[0][0]).abs(), (extent[1][1] - extent[0][1]).abs()]
}
