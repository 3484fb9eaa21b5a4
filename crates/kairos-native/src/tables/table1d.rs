//! Interpolation of table columns over one argument.

use super::curve::{Curve, End, Order, interval, wrap};
use super::grid::Grid;
use super::kinds::{Extrapolation, Smoothness};

/// A 1-based index into the `columns` that a table was made with, as external calls pass it.
pub type Column = usize;

/// `Modelica.Blocks.Types.ExternalCombiTable1D`.
#[derive(Clone, Debug)]
pub struct CombiTable1D {
    x: Vec<f64>,
    curves: Vec<Curve>,
    extrapolation: Extrapolation,
}

impl CombiTable1D {
    /// `columns` are 1-based column numbers of the grid; its first column holds the abscissae.
    pub fn new(
        grid: &Grid,
        columns: &[i64],
        smoothness: Smoothness,
        extrapolation: Extrapolation,
    ) -> Result<CombiTable1D, String> {
        grid.require_size(1, 2, "interpolation in one dimension")?;
        let columns = grid.checked_columns(columns)?;
        let x = grid.column(0, 0);
        grid.require_increasing(&x, "first column", true)?;
        let curves = columns.iter().map(|&c| Curve::new(&x, grid.column(c, 0), smoothness)).collect();
        Ok(CombiTable1D { x, curves, extrapolation })
    }

    pub fn value(&self, column: Column, u: f64) -> Result<f64, String> {
        self.evaluate(column, u, Order::Value)
    }

    /// The derivative along an argument that moves with `der_u`.
    pub fn derivative(&self, column: Column, u: f64, der_u: f64) -> Result<f64, String> {
        Ok(self.evaluate(column, u, Order::First)? * der_u)
    }

    pub fn second_derivative(&self, column: Column, u: f64, der_u: f64, der2_u: f64) -> Result<f64, String> {
        let first = self.evaluate(column, u, Order::First)?;
        let second = self.evaluate(column, u, Order::Second)?;
        Ok(second * der_u * der_u + first * der2_u)
    }

    pub fn minimum_abscissa(&self) -> f64 {
        self.x[0]
    }

    pub fn maximum_abscissa(&self) -> f64 {
        self.x[self.x.len() - 1]
    }

    fn evaluate(&self, column: Column, u: f64, order: Order) -> Result<f64, String> {
        let curve = curve(&self.curves, column)?;
        let (low, high) = (self.minimum_abscissa(), self.maximum_abscissa());
        if self.x.len() == 1 {
            // A single row is a constant for every argument.
            return Ok(if order == Order::Value { curve.value_at_node(0) } else { 0.0 });
        }
        if self.extrapolation == Extrapolation::Periodic {
            let u = wrap(u, low, high);
            return Ok(curve.at(&self.x, interval(&self.x, u), u, order));
        }
        let end = if u < low {
            End::Left
        } else if u > high {
            End::Right
        } else {
            return Ok(curve.at(&self.x, interval(&self.x, u), u, order));
        };
        if self.extrapolation == Extrapolation::Forbidden {
            return Err(format!(
                "table argument u = {u} is outside of the table's range {low} to {high}: \
                 extend the table or choose another extrapolation than NoExtrapolation"
            ));
        }
        Ok(curve.beyond(&self.x, end, u, self.extrapolation, order))
    }
}

pub(super) fn curve(curves: &[Curve], column: Column) -> Result<&Curve, String> {
    curves.get(column.wrapping_sub(1)).ok_or_else(|| {
        format!("output {column} of a table with {} interpolated column(s) does not exist", curves.len())
    })
}
