//! Results in memory: which variables there are, and their curves as many points as a pane can show.

use kairos::Table;
use kairos_results::{Column, Kind, Role, Value as Constant};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The result of a run.
#[derive(Default)]
pub struct Kept {
    columns: Vec<Column>,
    /// Where each varying number stands among the numbers.
    places: Vec<Option<usize>>,
    by_name: HashMap<String, usize>,
    pub time: Vec<f64>,
    numbers: Vec<Vec<f64>>,
    pub events: Vec<Value>,
}

/// Takes the rows of a run into a result that others look at meanwhile.
pub struct Taking(pub Arc<Mutex<Kept>>);

impl Kept {
    /// All variables, with what is known of them.
    pub fn variables(&self) -> Value {
        let one = |column: &Column| {
            let value = match &column.role {
                Role::Constant(Constant::Real(x)) => json!(x),
                Role::Constant(Constant::Integer(i)) => json!(i),
                Role::Constant(Constant::Boolean(b)) => json!(b),
                Role::Constant(Constant::Text(t)) => json!(t),
                Role::Varying | Role::Alias { .. } => Value::Null,
            };
            json!({
                "name": column.name,
                "unit": column.unit,
                "displayUnit": column.display_unit,
                "description": column.description,
                "kind": match column.kind {
                    Kind::Real => "real",
                    Kind::Integer => "integer",
                    Kind::Boolean => "boolean",
                    Kind::String => "string",
                },
                "value": value,
            })
        };
        Value::Array(self.columns.iter().map(one).collect())
    }

    /// The values of a variable in every row.
    pub fn series(&self, name: &str) -> Option<Vec<f64>> {
        if name == "time" {
            return Some(self.time.clone());
        }
        self.values(*self.by_name.get(name)?, 0)
    }

    fn values(&self, column: usize, depth: usize) -> Option<Vec<f64>> {
        match &self.columns.get(column)?.role {
            Role::Constant(value) => Some(vec![value.number()?; self.time.len()]),
            Role::Varying => self.numbers.get((*self.places.get(column)?)?).cloned(),
            Role::Alias { of, negated } if depth < 8 => {
                let mut values = self.values(*of, depth + 1)?;
                if *negated {
                    values.iter_mut().for_each(|x| *x = -*x);
                }
                Some(values)
            }
            Role::Alias { .. } => None,
        }
    }

    /// Curves between two times with about `points` points each: where there are more rows, the least and the greatest value
    /// of each piece are kept, so that nothing that stands out is lost.
    pub fn curves(&self, names: &[&str], from: f64, to: f64, points: usize) -> Value {
        let first = self.time.partition_point(|t| *t < from).saturating_sub(1);
        let end = (self.time.partition_point(|t| *t <= to) + 1).min(self.time.len());
        let rows = &self.time[first.min(end)..end];
        let curve = |name: &&str| {
            let Some(values) = self.series(name) else { return json!({ "name": name, "missing": true }) };
            let values = &values[first.min(end)..end];
            let (t, v) = thinned(rows, values, points.max(4));
            let column = self.by_name.get(*name).and_then(|k| self.columns.get(*k));
            json!({
                "name": name,
                "unit": column.map_or("", |c| &c.unit),
                "description": column.map_or("", |c| &c.description),
                "discrete": column.is_some_and(|c| c.kind != Kind::Real),
                "t": t,
                "v": v,
            })
        };
        Value::Array(names.iter().map(curve).collect())
    }

    /// The values of variables at a time, their right limits.
    pub fn at(&self, names: &[&str], time: f64) -> Value {
        let one = |name: &&str| json!({ "name": name, "value": self.number_at(name, time) });
        Value::Array(names.iter().map(one).collect())
    }

    fn number_at(&self, name: &str, time: f64) -> Option<f64> {
        if name == "time" {
            return Some(time);
        }
        let mut column = *self.by_name.get(name)?;
        let (held, mut sign) = (self.columns.get(column)?.kind != Kind::Real, 1.0);
        let values = loop {
            match &self.columns.get(column)?.role {
                Role::Constant(value) => return Some(sign * value.number()?),
                Role::Varying => break self.numbers.get((*self.places.get(column)?)?)?,
                Role::Alias { of, negated } => {
                    sign *= if *negated { -1.0 } else { 1.0 };
                    column = *of;
                }
            }
        };
        let k = self.time.partition_point(|t| *t <= time).checked_sub(1)?;
        let (t, v) = (self.time.get(k)?, *values.get(k)?);
        Some(
            sign * match (self.time.get(k + 1), values.get(k + 1)) {
                (Some(next), Some(w)) if !held && next > t => v + (w - v) * (time - t) / (next - t),
                _ => v,
            },
        )
    }

    /// The value of a variable at a time with its type.
    pub fn value_at(&self, name: &str, time: f64) -> Option<kairos_expr::Value> {
        use kairos_expr::Value as Typed;
        let kind = self.by_name.get(name).and_then(|k| self.columns.get(*k)).map(|column| column.kind);
        if kind == Some(Kind::String) {
            return self.text(name).map(Typed::str);
        }
        let number = self.number_at(name, time)?;
        Some(match kind {
            Some(Kind::Boolean) => Typed::Bool(number != 0.0),
            Some(Kind::Integer) => Typed::Int(number as i64),
            _ => Typed::Real(number),
        })
    }

    /// The names of all columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The text of a constant.
    pub fn text(&self, name: &str) -> Option<&str> {
        match &self.columns.get(*self.by_name.get(name)?)?.role {
            Role::Constant(Constant::Text(text)) => Some(text),
            _ => None,
        }
    }
}

impl Table for Taking {
    fn begin(&mut self, columns: &[Column]) -> Result<(), String> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut numbers = 0;
        for (k, column) in columns.iter().enumerate() {
            let number = matches!(column.role, Role::Varying) && column.kind != Kind::String;
            kept.places.push(number.then_some(numbers));
            numbers += usize::from(number);
            kept.by_name.insert(column.name.clone(), k);
        }
        kept.columns = columns.to_vec();
        kept.numbers = vec![Vec::new(); numbers];
        Ok(())
    }

    fn row(&mut self, time: f64, numbers: &[f64], _texts: &[&str]) -> Result<(), String> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.time.push(time);
        for (column, value) in kept.numbers.iter_mut().zip(numbers) {
            column.push(*value);
        }
        Ok(())
    }
}

/// Units that people read values in, and that a unit may be shown in.
const COMMON: [&str; 44] = [
    "deg", "rad", "rev/min", "Hz", "degC", "K", "degF", "bar", "kPa", "MPa", "Pa", "mm", "cm", "m", "km",
    "ms", "s", "min", "h", "d", "km/h", "m/s", "mV", "V", "kV", "mA", "A", "kA", "W", "kW", "MW", "J", "kJ",
    "MJ", "kW.h", "N", "kN", "g", "kg", "t", "l", "l/min", "kg/h", "uF",
];

/// The units that values in a unit can be shown in: `shown = factor*value + offset`.
pub fn units(unit: &str) -> Value {
    let Ok(own) = kairos_units::parse(unit) else { return json!([]) };
    let other = |name: &&str| {
        let other = kairos_units::parse(name).ok()?;
        let (zero, one) =
            (kairos_units::convert(0.0, &own, &other)?, kairos_units::convert(1.0, &own, &other)?);
        Some(json!({ "unit": name, "factor": one - zero, "offset": zero }))
    };
    Value::Array(COMMON.iter().filter(|name| **name != unit).filter_map(other).collect())
}

fn thinned(time: &[f64], values: &[f64], points: usize) -> (Vec<f64>, Vec<f64>) {
    if time.len() <= points {
        return (time.to_vec(), values.to_vec());
    }
    let pieces = points / 2;
    let (mut t, mut v) = (Vec::with_capacity(points + 2), Vec::with_capacity(points + 2));
    let mut take = |k: usize| {
        t.push(time[k]);
        v.push(values[k]);
    };
    take(0);
    for piece in 0..pieces {
        let (from, to) = (piece * time.len() / pieces, (piece + 1) * time.len() / pieces);
        let order = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
        let (Some(low), Some(high)) = ((from..to).min_by(order), (from..to).max_by(order)) else { continue };
        let (first, second) = (low.min(high), low.max(high));
        take(first);
        if second != first {
            take(second);
        }
    }
    take(time.len() - 1);
    (t, v)
}
