//! Linear models as files: JSON, and MATLAB version 4 with the matrices by their usual names.

use crate::linear::{Linear, Signal};
use crate::response::Complex;
use kairos_base::json::{number, quote};

impl Linear {
    /// One JSON object.
    pub fn json(&self) -> String {
        let list = |items: Vec<String>| format!("[{}]", items.join(","));
        let row = |row: &Vec<f64>| list(row.iter().map(|&value| number(value)).collect());
        let matrix = |rows: &[Vec<f64>]| list(rows.iter().map(row).collect());
        let signal = |s: &Signal| {
            format!(r#"{{"name":{},"unit":{},"value":{}}}"#, quote(&s.name), quote(&s.unit), number(s.value))
        };
        let signals = |list_of: &[Signal]| list(list_of.iter().map(signal).collect());
        let modes = self.modes.iter().map(|mode| {
            let fields = [
                ("real", mode.real),
                ("imaginary", mode.imaginary),
                ("frequency", mode.frequency),
                ("damping", mode.damping),
            ];
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("\"{name}\":{}", number(*value))).collect();
            format!("{{{},\"participation\":{}}}", fields.join(","), row(&mode.participation))
        });
        let roots = |roots: &[Complex]| list(roots.iter().map(|z| row(&vec![z.re, z.im])).collect());
        let transfers = self.transfers();
        let transfers = transfers.iter().map(|t| {
            format!(
                r#"{{"input":{},"output":{},"gain":{},"zeros":{},"poles":{},"numerator":{},"denominator":{}}}"#,
                quote(&self.inputs[t.input].name),
                quote(&self.outputs[t.output].name),
                number(t.gain),
                roots(&t.zeros),
                roots(&t.poles),
                row(&t.numerator()),
                row(&t.denominator())
            )
        });
        format!(
            "{{\"model\":{},\"time\":{},\"exact\":{},\"states\":{},\"inputs\":{},\"outputs\":{},\"A\":{},\"B\":{},\"C\":{},\"D\":{},\"modes\":{},\"transfers\":{}}}\n",
            quote(&self.model),
            number(self.time),
            self.is_exact,
            signals(&self.states),
            signals(&self.inputs),
            signals(&self.outputs),
            matrix(&self.a),
            matrix(&self.b),
            matrix(&self.c),
            matrix(&self.d),
            list(modes.collect()),
            list(transfers.collect())
        )
    }

    /// A MATLAB file with `A`, `B`, `C`, `D`, the values `x0`, `u0`, `y0`, and the names as rows of text.
    pub fn mat(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (name, rows, columns) in [
            ("A", &self.a, self.states.len()),
            ("B", &self.b, self.inputs.len()),
            ("C", &self.c, self.states.len()),
            ("D", &self.d, self.inputs.len()),
        ] {
            matrix(&mut out, name, rows.len(), columns, 0, |i, j| rows[i][j]);
        }
        for (values, names, list) in [
            ("x0", "xuyName_x", &self.states),
            ("u0", "xuyName_u", &self.inputs),
            ("y0", "xuyName_y", &self.outputs),
        ] {
            matrix(&mut out, values, list.len(), 1, 0, |i, _| list[i].value);
            let width = list.iter().map(|signal| signal.name.chars().count()).max().unwrap_or(0);
            let texts: Vec<Vec<char>> = list.iter().map(|signal| signal.name.chars().collect()).collect();
            matrix(&mut out, names, list.len(), width, 1, |i, j| {
                f64::from(u32::from(*texts[i].get(j).unwrap_or(&' ')))
            });
        }
        out
    }
}

/// One matrix of doubles, column by column; a text has the mark 1.
fn matrix(
    out: &mut Vec<u8>,
    name: &str,
    rows: usize,
    columns: usize,
    mark: u32,
    at: impl Fn(usize, usize) -> f64,
) {
    for word in [mark, rows as u32, columns as u32, 0, name.len() as u32 + 1] {
        out.extend(word.to_le_bytes());
    }
    out.extend(name.as_bytes());
    out.push(0);
    for column in 0..columns {
        (0..rows).for_each(|row| out.extend(at(row, column).to_le_bytes()));
    }
}
