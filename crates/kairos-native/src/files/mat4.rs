//! MAT files of version 4: a plain sequence of headers and column-major data.

use super::{Matrix, column_major, not_found, transposed};

/// Reads the full real matrix called `name`.
pub(super) fn read(bytes: &[u8], name: &str) -> Result<Matrix, String> {
    let mut present = Vec::new();
    for variable in (Variables { rest: bytes }) {
        let variable = variable?;
        if variable.name != name {
            present.push(variable.name);
            continue;
        }
        if variable.kind != 0 {
            return Err("it is a text or sparse matrix, expected a full numeric one".to_string());
        }
        if variable.complex {
            return Err("it is complex, expected real numbers".to_string());
        }
        let data: Vec<f64> =
            variable.data.chunks_exact(variable.width).map(|cell| variable.number(cell)).collect();
        return Ok(transposed(variable.rows, variable.columns, &data));
    }
    Err(not_found(name, &present))
}

/// The file `old` with the matrix appended and an older one of the same name left out.
pub(super) fn write(old: &[u8], name: &str, matrix: &Matrix) -> Result<Vec<u8>, String> {
    let mut file = Vec::new();
    for variable in (Variables { rest: old }) {
        let variable = variable?;
        if variable.name != name {
            file.extend_from_slice(variable.all);
        }
    }
    let size = |n: usize| u32::try_from(n).map_err(|_| "it is too large".to_string());
    // Type 0000: little endian, double precision, full numeric.
    for word in [0, size(matrix.rows)?, size(matrix.columns)?, 0, size(name.len() + 1)?] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    file.extend_from_slice(name.as_bytes());
    file.push(0);
    for value in column_major(matrix) {
        file.extend_from_slice(&value.to_le_bytes());
    }
    Ok(file)
}

struct Variables<'a> {
    rest: &'a [u8],
}

struct Variable<'a> {
    name: String,
    rows: usize,
    columns: usize,
    complex: bool,
    big_endian: bool,
    precision: u32,
    width: usize,
    /// 0 full, 1 text, 2 sparse.
    kind: u32,
    data: &'a [u8],
    all: &'a [u8],
}

impl<'a> Iterator for Variables<'a> {
    type Item = Result<Variable<'a>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let parsed = parse(self.rest);
        self.rest = match &parsed {
            Ok(variable) => &self.rest[variable.all.len()..],
            Err(_) => &[],
        };
        Some(parsed)
    }
}

fn parse(bytes: &[u8]) -> Result<Variable<'_>, String> {
    let damaged = || "the file is damaged or not a MAT file".to_string();
    let word = |at: usize, big_endian: bool| -> Result<u32, String> {
        let raw: [u8; 4] =
            bytes.get(4 * at..4 * at + 4).and_then(|raw| raw.try_into().ok()).ok_or_else(damaged)?;
        Ok(if big_endian { u32::from_be_bytes(raw) } else { u32::from_le_bytes(raw) })
    };
    // The type code MOPT is below 5000 in the right byte order.
    let big_endian = word(0, false)? >= 5000;
    let code = word(0, big_endian)?;
    let (precision, kind) = (code / 10 % 10, code % 10);
    let width = match precision {
        0 => 8,
        1 | 2 => 4,
        3 | 4 => 2,
        5 => 1,
        _ => return Err(damaged()),
    };
    if code >= 5000 || kind > 2 {
        return Err(damaged());
    }
    let size = |at: usize| word(at, big_endian).map(|value| value as usize);
    let (rows, columns, complex, name_length) = (size(1)?, size(2)?, size(3)? != 0, size(4)?);
    let start = 20usize.checked_add(name_length).ok_or_else(damaged)?;
    let real = rows.checked_mul(columns).and_then(|n| n.checked_mul(width)).ok_or_else(damaged)?;
    let total = real
        .checked_mul(if complex { 2 } else { 1 })
        .and_then(|n| n.checked_add(start))
        .ok_or_else(damaged)?;
    let raw_name = bytes.get(20..start).ok_or_else(damaged)?;
    let name = raw_name.split(|&byte| byte == 0).next().unwrap_or(&[]);
    Ok(Variable {
        name: String::from_utf8_lossy(name).into_owned(),
        rows,
        columns,
        complex,
        big_endian,
        precision,
        width,
        kind,
        data: bytes.get(start..start + real).ok_or_else(damaged)?,
        all: bytes.get(..total).ok_or_else(damaged)?,
    })
}

impl Variable<'_> {
    fn number(&self, cell: &[u8]) -> f64 {
        let mut raw = [0; 8];
        raw[..cell.len()].copy_from_slice(cell);
        if self.big_endian {
            raw[..cell.len()].reverse();
        }
        let [b0, b1, b2, b3, ..] = raw;
        match self.precision {
            0 => f64::from_le_bytes(raw),
            1 => f64::from(f32::from_le_bytes([b0, b1, b2, b3])),
            2 => f64::from(i32::from_le_bytes([b0, b1, b2, b3])),
            3 => f64::from(i16::from_le_bytes([b0, b1])),
            4 => f64::from(u16::from_le_bytes([b0, b1])),
            _ => f64::from(b0),
        }
    }
}
