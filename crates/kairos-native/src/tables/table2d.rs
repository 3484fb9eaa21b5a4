//! Interpolation of a table over two arguments, as a product of two one-dimensional interpolations.

use super::curve::{Order, akima_weights, divided_differences, extended, interval, wrap};
use super::grid::Grid;
use super::kinds::{Extrapolation, Smoothness};

/// `Modelica.Blocks.Types.ExternalCombiTable2D`.
#[derive(Clone, Debug)]
pub struct CombiTable2D {
    rows: Vec<f64>,
    columns: Vec<f64>,
    nodes: Vec<Node>,
    smoothness: Smoothness,
    extrapolation: Extrapolation,
}

/// What the surface is at a grid point: its value, its partial derivatives, its mixed derivative.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    value: f64,
    by_row: f64,
    by_column: f64,
    mixed: f64,
}

/// One direction of an evaluation: two neighbouring grid lines with the weights of their values and slopes.
struct Direction {
    first: usize,
    second: usize,
    value: [f64; 2],
    slope: [f64; 2],
}

/// An argument relative to its axis.
#[derive(Clone, Copy)]
struct Position {
    u: f64,
    /// Beyond an end: the end.
    border: Option<f64>,
    interval: usize,
}

impl CombiTable2D {
    /// The grid's first column holds the abscissae of `u1`, its first row those of `u2`.
    pub fn new(
        grid: &Grid,
        smoothness: Smoothness,
        extrapolation: Extrapolation,
    ) -> Result<CombiTable2D, String> {
        grid.require_size(2, 2, "interpolation in two dimensions")?;
        let rows = grid.column(0, 1);
        let columns: Vec<f64> = (1..grid.columns).map(|column| grid.at(0, column)).collect();
        grid.require_increasing(&rows, "first column", true)?;
        grid.require_increasing(&columns, "first row", true)?;
        let smoothness = match smoothness {
            Smoothness::Akima if rows.len() <= 2 && columns.len() <= 2 => Smoothness::Linear,
            Smoothness::Linear | Smoothness::Akima | Smoothness::Constant => smoothness,
            _ => {
                return Err(format!(
                    "table \"{}\": interpolation in two dimensions knows LinearSegments, ConstantSegments \
                     and ContinuousDerivative; choose one of them as smoothness",
                    grid.name
                ));
            }
        };
        let values: Vec<Vec<f64>> = (1..grid.rows)
            .map(|row| (1..grid.columns).map(|column| grid.at(row, column)).collect())
            .collect();
        let nodes = match smoothness {
            Smoothness::Akima => akima_nodes(&rows, &columns, &values),
            _ => values.iter().flatten().map(|&value| Node { value, ..Node::default() }).collect(),
        };
        Ok(CombiTable2D { rows, columns, nodes, smoothness, extrapolation })
    }

    pub fn value(&self, u1: f64, u2: f64) -> Result<f64, String> {
        let places = self.locate(u1, u2, 0.0, 0.0)?;
        Ok(self.combine(places, Order::Value, Order::Value))
    }

    /// The derivative along arguments that move with `der_u1` and `der_u2`.
    pub fn derivative(&self, u1: f64, u2: f64, der_u1: f64, der_u2: f64) -> Result<f64, String> {
        let places = self.locate(u1, u2, der_u1, der_u2)?;
        let along_rows = self.combine(places, Order::First, Order::Value);
        let along_columns = self.combine(places, Order::Value, Order::First);
        Ok(along_rows * der_u1 + along_columns * der_u2)
    }

    pub fn second_derivative(
        &self,
        u1: f64,
        u2: f64,
        der_u1: f64,
        der_u2: f64,
        der2_u1: f64,
        der2_u2: f64,
    ) -> Result<f64, String> {
        let places = self.locate(u1, u2, der_u1, der_u2)?;
        let part = |order1, order2| self.combine(places, order1, order2);
        Ok(part(Order::First, Order::Value) * der2_u1
            + part(Order::Value, Order::First) * der2_u2
            + part(Order::Second, Order::Value) * der_u1 * der_u1
            + part(Order::First, Order::First) * 2.0 * der_u1 * der_u2
            + part(Order::Value, Order::Second) * der_u2 * der_u2)
    }

    pub fn minimum_abscissae(&self) -> [f64; 2] {
        [self.rows[0], self.columns[0]]
    }

    pub fn maximum_abscissae(&self) -> [f64; 2] {
        [self.rows[self.rows.len() - 1], self.columns[self.columns.len() - 1]]
    }

    fn locate(&self, u1: f64, u2: f64, der_u1: f64, der_u2: f64) -> Result<(Position, Position), String> {
        let p1 = self.position(&self.rows, u1, der_u1);
        let p2 = self.position(&self.columns, u2, der_u2);
        if self.extrapolation == Extrapolation::Forbidden {
            for (position, name, axis) in [(p1, "u1", &self.rows), (p2, "u2", &self.columns)] {
                if position.border.is_some_and(|border| border != position.u) {
                    return Err(format!(
                        "table argument {name} = {} is outside of the table's range {} to {}: \
                         extend the table or choose another extrapolation than NoExtrapolation",
                        position.u,
                        axis[0],
                        axis[axis.len() - 1]
                    ));
                }
            }
        }
        Ok((p1, p2))
    }

    /// An argument at a grid line that moves down belongs to the interval below it.
    fn position(&self, axis: &[f64], u: f64, der_u: f64) -> Position {
        let (low, high) = (axis[0], axis[axis.len() - 1]);
        let periodic = self.extrapolation == Extrapolation::Periodic && axis.len() > 1;
        let u = if periodic { wrap(u, low, high) } else { u };
        let mut at = interval(axis, u);
        if der_u < 0.0 && u == axis[at] {
            at = at.saturating_sub(1);
        }
        // A single grid line is a constant in its direction: nothing lies beyond it.
        let border = if periodic || axis.len() == 1 {
            None
        } else if u < low || (u == low && der_u < 0.0) {
            Some(low)
        } else if u > high || (u == high && der_u > 0.0) {
            Some(high)
        } else {
            None
        };
        Position { u, border, interval: at }
    }

    fn combine(&self, (p1, p2): (Position, Position), order1: Order, order2: Order) -> f64 {
        let outside = p1.border.is_some() || p2.border.is_some();
        // A table of constant patches is continued as if it were linear.
        let smoothness = match self.smoothness {
            Smoothness::Constant if outside && self.extrapolation == Extrapolation::LastTwoPoints => {
                Smoothness::Linear
            }
            other => other,
        };
        let d1 = direction(&self.rows, p1, smoothness, self.extrapolation, order1);
        let d2 = direction(&self.columns, p2, smoothness, self.extrapolation, order2);
        let mut sum = 0.0;
        for (a, row) in [d1.first, d1.second].into_iter().enumerate() {
            for (b, column) in [d2.first, d2.second].into_iter().enumerate() {
                let node = self.nodes[row * self.columns.len() + column];
                sum += d1.value[a] * (d2.value[b] * node.value + d2.slope[b] * node.by_column)
                    + d1.slope[a] * (d2.value[b] * node.by_row + d2.slope[b] * node.mixed);
            }
        }
        sum
    }
}

fn direction(
    axis: &[f64],
    position: Position,
    smoothness: Smoothness,
    extrapolation: Extrapolation,
    order: Order,
) -> Direction {
    let unit = if order == Order::Value { 1.0 } else { 0.0 };
    if axis.len() == 1 {
        return Direction { first: 0, second: 0, value: [unit, 0.0], slope: [0.0; 2] };
    }
    let (first, second) = (position.interval, position.interval + 1);
    let width = axis[second] - axis[first];
    let at = |u: f64, order: Order| weights((u - axis[first]) / width, width, smoothness, order);
    let (value, slope) = match position.border {
        None => at(position.u, order),
        Some(_) if extrapolation == Extrapolation::LastTwoPoints && smoothness == Smoothness::Linear => {
            at(position.u, order)
        }
        Some(border) if extrapolation == Extrapolation::LastTwoPoints => {
            let (value, slope) = at(border, Order::Value);
            let (value1, slope1) = at(border, Order::First);
            let step = position.u - border;
            let line = |base: [f64; 2], rise: [f64; 2]| match order {
                Order::Value => [base[0] + rise[0] * step, base[1] + rise[1] * step],
                Order::First => rise,
                Order::Second => [0.0; 2],
            };
            (line(value, value1), line(slope, slope1))
        }
        Some(border) if order == Order::Value => at(border, order),
        Some(_) => ([0.0; 2], [0.0; 2]),
    };
    Direction { first, second, value, slope }
}

/// Weights of the values and slopes at both ends of an interval, at the share `s` of its width.
fn weights(s: f64, width: f64, smoothness: Smoothness, order: Order) -> ([f64; 2], [f64; 2]) {
    match (smoothness, order) {
        (Smoothness::Akima, Order::Value) => {
            let r = 1.0 - s;
            ([r * r * (1.0 + 2.0 * s), s * s * (1.0 + 2.0 * r)], [s * r * r * width, -s * s * r * width])
        }
        (Smoothness::Akima, Order::First) => {
            let bend = 6.0 * s * (1.0 - s) / width;
            ([-bend, bend], [1.0 - s * (4.0 - 3.0 * s), s * (3.0 * s - 2.0)])
        }
        (Smoothness::Akima, Order::Second) => {
            let bend = (6.0 - 12.0 * s) / (width * width);
            ([-bend, bend], [(6.0 * s - 4.0) / width, (6.0 * s - 2.0) / width])
        }
        (Smoothness::Constant, Order::Value) => (if s >= 1.0 { [0.0, 1.0] } else { [1.0, 0.0] }, [0.0; 2]),
        (Smoothness::Linear, Order::Value) => ([1.0 - s, s], [0.0; 2]),
        (Smoothness::Linear, Order::First) => ([-1.0 / width, 1.0 / width], [0.0; 2]),
        _ => ([0.0; 2], [0.0; 2]),
    }
}

/// Slopes at the grid points after Akima 1974.
fn akima_nodes(rows: &[f64], columns: &[f64], values: &[Vec<f64>]) -> Vec<Node> {
    let (n, m) = (rows.len(), columns.len());
    let column = |j: usize| -> Vec<f64> { values.iter().map(|row| row[j]).collect() };
    let row_slopes: Vec<Vec<f64>> = (0..m).map(|j| side_slopes(rows, &column(j))).collect();
    let column_slopes: Vec<Vec<f64>> = values.iter().map(|row| side_slopes(columns, row)).collect();
    // Mixed differences of all patches, the invented ones around the table included: the row slopes
    // of a line, differenced along the columns. Both continuations are linear, so their order is free.
    let patches: Vec<Vec<f64>> = if n > 1 && m > 1 {
        (0..n + 3)
            .map(|i| {
                let along: Vec<f64> = (0..m).map(|j| row_slopes[j][i]).collect();
                extended(&divided_differences(columns, &along))
            })
            .collect()
    } else {
        vec![vec![0.0; m + 3]; n + 3]
    };
    let mut nodes = Vec::with_capacity(n * m);
    for i in 0..n {
        for j in 0..m {
            let (wr0, wr1, by_row) = weighted(&row_slopes[j][i..i + 4]);
            let (wc0, wc1, by_column) = weighted(&column_slopes[i][j..j + 4]);
            let e = |a: usize, b: usize| patches[i + 1 + a][j + 1 + b];
            let mixed = (wr0 * (wc0 * e(0, 0) + wc1 * e(0, 1)) + wr1 * (wc0 * e(1, 0) + wc1 * e(1, 1)))
                / ((wr0 + wr1) * (wc0 + wc1));
            nodes.push(Node { value: values[i][j], by_row, by_column, mixed });
        }
    }
    nodes
}

/// Slopes between the points of a line with two invented ones on either side; a single point has none.
fn side_slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    if x.len() > 1 { extended(&divided_differences(x, y)) } else { vec![0.0; 4] }
}

/// Akima's weights, made equal where they decide nothing, and the slope they give.
fn weighted(d: &[f64]) -> (f64, f64, f64) {
    let (before, after) = match akima_weights(d) {
        (0.0, 0.0) => (1.0, 1.0),
        weights => weights,
    };
    (before, after, (before * d[1] + after * d[2]) / (before + after))
}
