//! Results in memory: which variables there are, and their curves as many points as a pane can show.

use kairos::Table;
use kairos_results::{Column, Kind, Role, Value as Constant};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// The result of a run.
#[derive(Default)]
pub struct Kept {
    columns: Vec<Column>,
    /// Where each varying column stands among the numbers or the texts.
    places: Vec<Option<usize>>,
    by_name: HashMap<String, usize>,
    pub time: Vec<f64>,
    numbers: Vec<Vec<f64>>,
    pub events: Vec<Value>,
}

/// Takes the rows of a run.
pub struct Taking<'k> {
    kept: &'k mut Kept,
    stop: &'k AtomicBool,
}

impl Kept {
    /// A table that fills this result until it is told to stop.
    pub fn table<'k>(&'k mut self, stop: &'k AtomicBool) -> Taking<'k> {
        Taking { kept: self, stop }
    }

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
        let after = self.time.partition_point(|t| *t <= time);
        let value = |name: &&str| {
            let series = self.series(name)?;
            let k = after.checked_sub(1)?;
            let (t, v) = (self.time.get(k)?, *series.get(k)?);
            let column = self.by_name.get(*name).and_then(|k| self.columns.get(*k));
            let held = column.is_some_and(|c| c.kind != Kind::Real);
            match (self.time.get(k + 1), series.get(k + 1)) {
                (Some(next), Some(w)) if !held && next > t => Some(v + (w - v) * (time - t) / (next - t)),
                _ => Some(v),
            }
        };
        Value::Array(names.iter().map(|name| json!({ "name": name, "value": value(name) })).collect())
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

impl Table for Taking<'_> {
    fn begin(&mut self, columns: &[Column]) -> Result<(), String> {
        let (mut numbers, mut texts) = (0, 0);
        for (k, column) in columns.iter().enumerate() {
            let place = match (&column.role, column.kind) {
                (Role::Varying, Kind::String) => {
                    texts += 1;
                    None
                }
                (Role::Varying, _) => {
                    numbers += 1;
                    Some(numbers - 1)
                }
                _ => None,
            };
            self.kept.places.push(place);
            self.kept.by_name.insert(column.name.clone(), k);
        }
        let _ = texts;
        self.kept.columns = columns.to_vec();
        self.kept.numbers = vec![Vec::new(); numbers];
        Ok(())
    }

    fn row(&mut self, time: f64, numbers: &[f64], _texts: &[&str]) -> Result<(), String> {
        if self.stop.load(Ordering::Relaxed) {
            return Err("stopped by the user".into());
        }
        self.kept.time.push(time);
        for (column, value) in self.kept.numbers.iter_mut().zip(numbers) {
            column.push(*value);
        }
        Ok(())
    }
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
