//! Reading and writing matrices in files.

mod csv;
mod mat4;
mod mat5;
mod text;

use crate::outside::{Readable, Writable};

/// A row-major matrix from a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub data: Vec<f64>,
}

/// The versions of MAT files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatVersion {
    V4,
    V6,
    V7,
}

/// Reads a table; the file's ending says how: `.csv`, `.mat`, anything else is text.
pub(crate) fn read_table(
    place: &Readable,
    name: &str,
    delimiter: &str,
    header_lines: usize,
) -> Result<Matrix, String> {
    let path = place.path();
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_ascii_lowercase();
    if ending == "mat" {
        return read_mat(place, name);
    }
    let bytes = read_bytes(place, name)?;
    let content = String::from_utf8_lossy(&bytes);
    let content = content.strip_prefix('\u{feff}').unwrap_or(&content);
    let located =
        |reason: String| format!("table \"{name}\" cannot be read from \"{}\": {reason}", path.display());
    match ending.as_str() {
        "csv" => csv::parse(content, delimiter, header_lines).map_err(located),
        _ => text::parse(content, name).map_err(located),
    }
}

/// Reads a real matrix from a MAT file of version 4, 6 or 7; a dotted name selects fields of structures.
pub(crate) fn read_mat(place: &Readable, name: &str) -> Result<Matrix, String> {
    let bytes = read_bytes(place, name)?;
    let shown = place.path().display();
    let located = |reason: String| format!("matrix \"{name}\" cannot be read from \"{shown}\": {reason}");
    if bytes.starts_with(b"\x89HDF") || bytes.get(512..516) == Some(b"\x89HDF") {
        return Err(located(
            "MAT files of version 7.3 are not supported, save it as version 7 or older".to_string(),
        ));
    }
    if mat5::is_mat5(&bytes) { mat5::read(&bytes, name) } else { mat4::read(&bytes, name) }.map_err(located)
}

/// Writes a matrix as the only variable of a new file, or appends it, replacing one of the same name.
pub(crate) fn write_mat(
    place: &Writable,
    name: &str,
    matrix: &Matrix,
    before: Option<&Readable>,
    version: MatVersion,
) -> Result<(), String> {
    let shown = place.path().display();
    let located = |reason: String| format!("matrix \"{name}\" cannot be written to \"{shown}\": {reason}");
    let old = match before {
        Some(before) => before.read().map_err(|error| located(error.to_string()))?,
        None => Vec::new(),
    };
    let append = before.is_some();
    let bytes = match version {
        MatVersion::V4 => {
            if append && mat5::is_mat5(&old) {
                return Err(located(
                    "the file has another version, append with format \"6\" or \"7\"".to_string(),
                ));
            }
            mat4::write(&old, name, matrix)
        }
        MatVersion::V6 | MatVersion::V7 => {
            if append && !mat5::is_mat5(&old) {
                return Err(located("the file has another version, append with format \"4\"".to_string()));
            }
            mat5::write(&old, name, matrix, version == MatVersion::V7)
        }
    }
    .map_err(located)?;
    place.write(&bytes).map_err(|error| located(error.to_string()))
}

fn read_bytes(place: &Readable, name: &str) -> Result<Vec<u8>, String> {
    place.read().map_err(|error| {
        format!(
            "file \"{}\" with table \"{name}\" cannot be opened ({error}): expected a text file that begins \
             with #1, a .csv file or a .mat file; check fileName, or wrap it in loadResource(\"modelica://...\")",
            place.path().display()
        )
    })
}

fn not_found(name: &str, present: &[String]) -> String {
    if present.is_empty() {
        return format!("the file has no matrix, expected one called \"{name}\"");
    }
    format!("the file has no matrix \"{name}\" but {}", present.join(", "))
}

/// Turns column-major data into a row-major matrix.
fn transposed(rows: usize, columns: usize, data: &[f64]) -> Matrix {
    let at = |k: usize| data[k % columns * rows + k / columns];
    Matrix { rows, columns, data: (0..rows * columns).map(at).collect() }
}

fn column_major(matrix: &Matrix) -> impl Iterator<Item = f64> + '_ {
    (0..matrix.columns)
        .flat_map(move |column| (0..matrix.rows).map(move |row| matrix.data[row * matrix.columns + column]))
}
