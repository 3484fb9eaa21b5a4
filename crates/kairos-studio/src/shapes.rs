//! Bodies that move: the shapes of visualisers among the variables of a result.
//!
//! A visualiser is known by its variables (`shapeType`, `R.T`, `r`, `r_shape`, `length`, …), as the animation interface of the
//! multibody libraries declares them, whatever its own name is.

use crate::results::Kept;
use serde_json::{Value, json};

/// What a shape has, each constant or moving.
const NUMBERS: [&str; 4] = ["length", "width", "height", "extra"];
const VECTORS: [&str; 5] = ["r", "r_shape", "lengthDirection", "widthDirection", "color"];

/// All shapes of a result with the names of their variables; the page asks for the values.
pub fn shapes(kept: &Kept) -> Value {
    let mut found = Vec::new();
    for name in kept.names() {
        let Some(prefix) = name.strip_suffix(".shapeType") else { continue };
        let Some(kind) = kept.text(name) else { continue };
        let has = |inner: &str| kept.series(&format!("{prefix}.{inner}")).is_some();
        if !(has("length") && has("r[1]") && has("R.T[1,1]")) {
            continue;
        }
        let mut shape = json!({ "name": prefix, "kind": kind });
        for number in NUMBERS {
            shape[number] = compact(kept, &format!("{prefix}.{number}"));
        }
        for vector in VECTORS {
            let list = (1..=3).map(|k| compact(kept, &format!("{prefix}.{vector}[{k}]")));
            shape[vector] = Value::Array(list.collect());
        }
        let rows = (1..=3).flat_map(|i| (1..=3).map(move |j| (i, j)));
        let matrix = rows.map(|(i, j)| compact(kept, &format!("{prefix}.R.T[{i},{j}]")));
        shape["T"] = Value::Array(matrix.collect());
        found.push(shape);
    }
    json!({ "time": kept.time, "shapes": found })
}

/// The values of a variable: one number where it does not change.
fn compact(kept: &Kept, name: &str) -> Value {
    match kept.series(name) {
        Some(values) if values.windows(2).all(|pair| pair[0] == pair[1]) => json!(values.first()),
        Some(values) => json!(values),
        None => Value::Null,
    }
}
