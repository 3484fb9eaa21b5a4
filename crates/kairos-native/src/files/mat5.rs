//! MAT files of versions 6 and 7: nested tagged elements, in version 7 compressed with zlib.

use std::borrow::Cow;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::{Matrix, column_major, not_found, transposed};

const INT8: u32 = 1;
const INT32: u32 = 5;
const UINT32: u32 = 6;
const DOUBLE: u32 = 9;
const MATRIX: u32 = 14;
const COMPRESSED: u32 = 15;
const STRUCT_CLASS: u32 = 2;
const DOUBLE_CLASS: u32 = 6;
const HEADER: usize = 128;

pub(super) fn is_mat5(bytes: &[u8]) -> bool {
    // Version 4 begins with a small integer, which has a zero byte.
    bytes.len() >= HEADER && !bytes[..4].contains(&0) && matches!(&bytes[126..128], b"IM" | b"MI")
}

/// Reads the real matrix called `name`, or a field of nested structures when the name has dots.
pub(super) fn read(bytes: &[u8], name: &str) -> Result<Matrix, String> {
    let big_endian = &bytes[126..128] == b"MI";
    let path: Vec<&str> = name.split('.').collect();
    let mut present = Vec::new();
    for element in (Elements { rest: &bytes[HEADER..], big_endian }) {
        let element = expanded(element?)?;
        let Some(array) = element_array(&element, big_endian)? else { continue };
        if array.name == path[0] {
            return array.field(&path[1..], name)?.matrix();
        }
        present.push(array.name);
    }
    Err(not_found(name, &present))
}

/// The file `old` with the matrix appended and an older one of the same name left out.
pub(super) fn write(old: &[u8], name: &str, matrix: &Matrix, compressed: bool) -> Result<Vec<u8>, String> {
    let mut file = Vec::new();
    if old.is_empty() {
        let mut text = b"MATLAB 5.0 MAT-file, written by Kairos".to_vec();
        text.resize(124, b' ');
        file.extend(text);
        file.extend([0x00, 0x01, b'I', b'M']);
    } else {
        if &old[126..128] == b"MI" {
            return Err("the file is big endian, which can only be read".to_string());
        }
        file.extend_from_slice(&old[..HEADER]);
        for element in (Elements { rest: &old[HEADER..], big_endian: false }) {
            let element = element?;
            let whole = element.whole;
            let element = expanded(element)?;
            if element_array(&element, false)?.is_none_or(|array| array.name != name) {
                file.extend_from_slice(whole);
            }
        }
    }
    let size = |n: usize| i32::try_from(n).map_err(|_| "it is too large".to_string());
    let mut body = Vec::new();
    push(&mut body, UINT32, &[DOUBLE_CLASS.to_le_bytes(), [0; 4]].concat())?;
    push(
        &mut body,
        INT32,
        &[size(matrix.rows)?.to_le_bytes(), size(matrix.columns)?.to_le_bytes()].concat(),
    )?;
    push(&mut body, INT8, name.as_bytes())?;
    push(&mut body, DOUBLE, &column_major(matrix).flat_map(f64::to_le_bytes).collect::<Vec<u8>>())?;
    let mut element = Vec::new();
    push(&mut element, MATRIX, &body)?;
    if compressed {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        let packed =
            encoder.write_all(&element).and_then(|()| encoder.finish()).map_err(|error| error.to_string())?;
        let length = u32::try_from(packed.len()).map_err(|_| "it is too large".to_string())?;
        file.extend(COMPRESSED.to_le_bytes());
        file.extend(length.to_le_bytes());
        file.extend(packed);
    } else {
        file.extend(element);
    }
    Ok(file)
}

fn push(out: &mut Vec<u8>, kind: u32, data: &[u8]) -> Result<(), String> {
    let length = u32::try_from(data.len()).map_err(|_| "it is too large".to_string())?;
    out.extend(kind.to_le_bytes());
    out.extend(length.to_le_bytes());
    out.extend_from_slice(data);
    out.resize(out.len().next_multiple_of(8), 0);
    Ok(())
}

struct Elements<'a> {
    rest: &'a [u8],
    big_endian: bool,
}

struct Element<'a> {
    kind: u32,
    data: Cow<'a, [u8]>,
    whole: &'a [u8],
}

impl<'a> Iterator for Elements<'a> {
    type Item = Result<Element<'a>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.len() < 8 {
            return None;
        }
        let parsed = self.parse();
        if parsed.is_err() {
            self.rest = &[];
        }
        Some(parsed)
    }
}

impl<'a> Elements<'a> {
    fn parse(&mut self) -> Result<Element<'a>, String> {
        let rest = self.rest;
        let tag = word(rest, 0, self.big_endian)?;
        let (kind, start, length, end) = if tag >> 16 != 0 {
            // The small form packs up to four bytes of data beside the tag.
            (tag & 0xffff, 4, (tag >> 16) as usize, 8)
        } else {
            let length = word(rest, 4, self.big_endian)? as usize;
            let end = 8usize.checked_add(length).ok_or_else(damaged)?;
            // Compressed elements are the only ones without padding.
            (tag, 8, length, if tag == COMPRESSED { end } else { end.next_multiple_of(8) })
        };
        let data = rest.get(start..start + length).ok_or_else(damaged)?;
        let whole = &rest[..end.min(rest.len())];
        self.rest = &rest[whole.len()..];
        Ok(Element { kind, data: Cow::Borrowed(data), whole })
    }
}

fn expanded(element: Element<'_>) -> Result<Element<'_>, String> {
    if element.kind != COMPRESSED {
        return Ok(element);
    }
    let mut plain = Vec::new();
    ZlibDecoder::new(&*element.data)
        .read_to_end(&mut plain)
        .map_err(|error| format!("decompression failed: {error}"))?;
    // The expanded bytes are one element; its tag tells the kind, its body follows.
    let kind = word(&plain, 0, false)?;
    let kind = if kind > 0xffff { kind.swap_bytes() } else { kind };
    plain.drain(..8.min(plain.len()));
    Ok(Element { kind, data: Cow::Owned(plain), whole: element.whole })
}

/// A matrix element, opened up to its data.
struct Array<'a> {
    name: String,
    class: u32,
    complex: bool,
    dims: Vec<usize>,
    /// What follows the name: numbers, or the fields of a structure.
    rest: &'a [u8],
    big_endian: bool,
}

fn element_array<'a>(element: &'a Element<'_>, big_endian: bool) -> Result<Option<Array<'a>>, String> {
    if element.kind == MATRIX { open(&element.data, big_endian).map(Some) } else { Ok(None) }
}

fn open(body: &[u8], big_endian: bool) -> Result<Array<'_>, String> {
    let mut parts = Elements { rest: body, big_endian };
    let mut part = || parts.next().ok_or_else(damaged).and_then(|part| part);
    let flags = word(&part()?.data, 0, big_endian)?;
    let dims = part()?;
    let dims = (0..dims.data.len() / 4).map(|i| word(&dims.data, 4 * i, big_endian).map(|n| n as usize));
    let dims = dims.collect::<Result<Vec<usize>, String>>()?;
    let name = part()?;
    let name = String::from_utf8_lossy(&name.data).trim_end_matches('\0').to_string();
    Ok(Array { name, class: flags & 0xff, complex: flags & 0x800 != 0, dims, rest: parts.rest, big_endian })
}

impl<'a> Array<'a> {
    fn field(self, path: &[&str], full_name: &str) -> Result<Array<'a>, String> {
        let Some((&wanted, path)) = path.split_first() else { return Ok(self) };
        if self.class != STRUCT_CLASS || self.dims != [1, 1] {
            return Err(format!("\"{}\" is not a single structure with a field \"{wanted}\"", self.name));
        }
        let mut parts = Elements { rest: self.rest, big_endian: self.big_endian };
        let mut part = || parts.next().ok_or_else(damaged).and_then(|part| part);
        let width = (word(&part()?.data, 0, self.big_endian)? as usize).max(1);
        let names = part()?;
        let clean =
            |raw: &[u8]| String::from_utf8_lossy(raw.split(|&b| b == 0).next().unwrap_or(&[])).into_owned();
        let names: Vec<String> = names.data.chunks(width).map(clean).collect();
        let Some(at) = names.iter().position(|name| name == wanted) else {
            return Err(not_found(full_name, &names));
        };
        let element = parts.nth(at).ok_or_else(damaged)??;
        let Cow::Borrowed(body) = element.data else { return Err(damaged()) };
        let mut array = open(body, self.big_endian)?;
        array.name = wanted.to_string();
        array.field(path, full_name)
    }

    fn matrix(&self) -> Result<Matrix, String> {
        let &[rows, columns] = self.dims.as_slice() else {
            return Err(format!("it has {} dimensions, expected 2", self.dims.len()));
        };
        if !(DOUBLE_CLASS..=15).contains(&self.class) {
            return Err("it is not a full numeric array".to_string());
        }
        if self.complex {
            return Err("it is complex, expected real numbers".to_string());
        }
        let element = Elements { rest: self.rest, big_endian: self.big_endian }.next();
        let data = match element {
            Some(element) => numbers(&element?, self.big_endian)?,
            None => Vec::new(),
        };
        if rows.checked_mul(columns) != Some(data.len()) {
            return Err(damaged());
        }
        Ok(transposed(rows, columns, &data))
    }
}

fn numbers(element: &Element<'_>, big_endian: bool) -> Result<Vec<f64>, String> {
    let width = match element.kind {
        1 | 2 => 1,
        3 | 4 => 2,
        5..=7 => 4,
        9 | 12 | 13 => 8,
        kind => return Err(format!("it stores numbers of the unknown type {kind}")),
    };
    let number = |cell: &[u8]| {
        let mut raw = [0; 8];
        raw[..width].copy_from_slice(cell);
        if big_endian {
            raw[..width].reverse();
        }
        let [b0, b1, b2, b3, ..] = raw;
        match element.kind {
            1 => f64::from(b0 as i8),
            2 => f64::from(b0),
            3 => f64::from(i16::from_le_bytes([b0, b1])),
            4 => f64::from(u16::from_le_bytes([b0, b1])),
            5 => f64::from(i32::from_le_bytes([b0, b1, b2, b3])),
            6 => f64::from(u32::from_le_bytes([b0, b1, b2, b3])),
            7 => f64::from(f32::from_le_bytes([b0, b1, b2, b3])),
            12 => i64::from_le_bytes(raw) as f64,
            13 => u64::from_le_bytes(raw) as f64,
            _ => f64::from_le_bytes(raw),
        }
    };
    Ok(element.data.chunks_exact(width).map(number).collect())
}

fn word(bytes: &[u8], at: usize, big_endian: bool) -> Result<u32, String> {
    let raw: [u8; 4] = bytes.get(at..at + 4).and_then(|raw| raw.try_into().ok()).ok_or_else(damaged)?;
    Ok(if big_endian { u32::from_be_bytes(raw) } else { u32::from_le_bytes(raw) })
}

fn damaged() -> String {
    "the file is damaged or not a MAT file".to_string()
}
