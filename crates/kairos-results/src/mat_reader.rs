//! Reading of MAT v4 results, stored by row (binNormal) or by column (binTrans).

use std::collections::BTreeMap;

use crate::table::key;
use crate::{ReadError, Signal, Source, Table};

/// Reads a whole file; what follows the last complete matrix is ignored.
pub fn read_mat(bytes: &[u8]) -> Result<Table, ReadError> {
    let mut matrices = BTreeMap::new();
    let mut rest = bytes;
    // The rows come last; a killed run may have written more of them than it has counted.
    while !matrices.contains_key("data_2")
        && let Some((matrix, after)) = Matrix::parse(rest)?
    {
        matrices.entry(matrix.name.to_string()).or_insert(matrix);
        rest = after;
    }
    let get = |name: &str| matrices.get(name).ok_or_else(|| bad(&format!("there is no matrix `{name}`")));
    let class = get("Aclass")?.words(false);
    let transposed = class.get(3).is_some_and(|word| word == "binTrans");
    let names = get("name")?.words(transposed);
    let descriptions = get("description").map(|matrix| matrix.words(transposed)).unwrap_or_default();
    let info = get("dataInfo")?;
    let data = [get("data_1")?, get("data_2")?];
    // `data[m]` as signal × point, whichever way it is stored.
    let shape =
        |m: usize| if transposed { (data[m].rows, data[m].columns) } else { (data[m].columns, data[m].rows) };
    let at = |m: usize, signal: usize, point: usize| {
        if transposed { data[m].number(signal, point) } else { data[m].number(point, signal) }
    };
    let (signals, points) = shape(1);
    if signals == 0 {
        return Err(bad("`data_2` is empty"));
    }
    let mut table = Table { time: (0..points).map(|point| at(1, 0, point)).collect(), ..Table::default() };
    let mut place = vec![None; signals];
    for (index, name) in names.iter().enumerate() {
        let entry = |field: usize| {
            if transposed { info.number(field, index) } else { info.number(index, field) }
        };
        let (matrix, row) = (entry(0), entry(1));
        let (signal, negated) = (row.abs() as usize, row < 0.0);
        let name = key(name);
        if signal == 0 || matrix == 0.0 || name == "time" || name == "Time" {
            continue;
        }
        let m = if matrix == 1.0 { 0 } else { 1 };
        if signal > shape(m).0 {
            return Err(bad(&format!("`{name}` is in row {signal} of a matrix with {} rows", shape(m).0)));
        }
        let source = if m == 0 {
            let value = at(0, signal - 1, 0);
            Source::Constant(if negated { -value } else { value })
        } else {
            let index = *place[signal - 1].get_or_insert_with(|| {
                table.series.push((0..points).map(|point| at(1, signal - 1, point)).collect());
                table.series.len() - 1
            });
            Source::Series { index, negated }
        };
        let text = descriptions.get(index).map_or("", String::as_str);
        let (description, unit, display_unit) = split_unit(text);
        let is_boolean = text.ends_with(":#(type=Boolean)]");
        let literals = text.strip_suffix(")]").and_then(|text| text.split_once(":#(type=Integer,literals="));
        let literals =
            literals.map_or(Vec::new(), |(_, names)| names.split('|').map(str::to_string).collect());
        table.signals.push(Signal { name, description, unit, display_unit, is_boolean, literals, source });
    }
    table.sort();
    Ok(table)
}

/// The tools write the unit behind the description: `Voltage [V]`, with `|`, display unit and more in Dymola's files.
fn split_unit(text: &str) -> (String, String, String) {
    match text.trim_end().strip_suffix(']').and_then(|text| text.rsplit_once('[')) {
        Some((description, unit)) => {
            let both = unit.split([':', '#']).next().unwrap_or_default();
            let (unit, display) = both.split_once('|').unwrap_or((both, ""));
            (description.trim_end().to_string(), unit.trim().to_string(), display.trim().to_string())
        }
        None => (text.to_string(), String::new(), String::new()),
    }
}

fn bad(message: &str) -> ReadError {
    ReadError::Format(message.to_string())
}

struct Matrix<'a> {
    name: &'a str,
    rows: usize,
    columns: usize,
    format: Format,
    data: &'a [u8],
}

#[derive(Clone, Copy)]
enum Format {
    Double,
    Single,
    Int32,
    Int16,
    Word16,
    Byte,
}

impl Format {
    fn size(self) -> usize {
        match self {
            Format::Double => 8,
            Format::Single | Format::Int32 => 4,
            Format::Int16 | Format::Word16 => 2,
            Format::Byte => 1,
        }
    }
}

impl<'a> Matrix<'a> {
    /// The next matrix and what follows it; none at the end or where a matrix is cut off.
    fn parse(bytes: &'a [u8]) -> Result<Option<(Self, &'a [u8])>, ReadError> {
        let field =
            |at: usize| bytes.get(4 * at..4 * at + 4).and_then(|b| b.try_into().ok()).map(i32::from_le_bytes);
        let (Some(kind), Some(rows), Some(columns), Some(imaginary), Some(length)) =
            (field(0), field(1), field(2), field(3), field(4))
        else {
            return Ok(None);
        };
        if !(0..=51).contains(&kind)
            || rows < 0
            || columns < 0
            || imaginary != 0
            || !(1..=256).contains(&length)
        {
            return if bytes.len() < 64 { Ok(None) } else { Err(bad("not a little-endian MAT v4 matrix")) };
        }
        let format = match kind / 10 {
            0 => Format::Double,
            1 => Format::Single,
            2 => Format::Int32,
            3 => Format::Int16,
            4 => Format::Word16,
            5 => Format::Byte,
            _ => return Err(bad("an unknown number format")),
        };
        let (rows, columns, length) = (rows as usize, columns as usize, length as usize);
        let size = rows.checked_mul(columns).and_then(|count| count.checked_mul(format.size()));
        let Some(end) = size.and_then(|size| size.checked_add(20 + length)) else { return Ok(None) };
        let (Some(name), Some(data)) = (bytes.get(20..19 + length), bytes.get(20 + length..end)) else {
            return Ok(None);
        };
        let name = std::str::from_utf8(name).map_err(|_| bad("a matrix name is not text"))?;
        Ok(Some((Matrix { name, rows, columns, format, data }, &bytes[end..])))
    }

    fn number(&self, row: usize, column: usize) -> f64 {
        let size = self.format.size();
        let at = (column * self.rows + row) * size;
        let Some(bytes) = (row < self.rows).then(|| self.data.get(at..at + size)).flatten() else {
            return f64::NAN;
        };
        match (self.format, bytes) {
            (Format::Double, &[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
            (Format::Single, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
            (Format::Int32, &[a, b, c, d]) => f64::from(i32::from_le_bytes([a, b, c, d])),
            (Format::Int16, &[a, b]) => f64::from(i16::from_le_bytes([a, b])),
            (Format::Word16, &[a, b]) => f64::from(u16::from_le_bytes([a, b])),
            (Format::Byte, &[a]) => f64::from(a),
            _ => f64::NAN,
        }
    }

    /// Words that stand in the rows, or in the columns.
    fn words(&self, in_columns: bool) -> Vec<String> {
        let (count, length) = if in_columns { (self.columns, self.rows) } else { (self.rows, self.columns) };
        (0..count)
            .map(|word| {
                let byte = |at: usize| {
                    let value = if in_columns { self.number(at, word) } else { self.number(word, at) };
                    value as u8
                };
                let bytes: Vec<u8> = (0..length).map(byte).collect();
                String::from_utf8_lossy(&bytes).trim_end_matches([' ', '\0']).to_string()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::split_unit;

    #[test]
    fn units_stand_behind_descriptions() {
        let split = |text| {
            let (description, unit, display_unit) = split_unit(text);
            format!("{description};{unit};{display_unit}")
        };
        assert_eq!(split("Voltage [V]"), "Voltage;V;");
        assert_eq!(split("Angle [rad|deg]"), "Angle;rad;deg");
        assert_eq!(split("Switch [:#(type=Boolean)]"), "Switch;;");
        assert_eq!(split("plain"), "plain;;");
    }
}
