//! Results as comma-separated values, written and read.

use std::io::{self, BufRead, Write};

use crate::table::key;
use crate::writer::{Slot, resolve, wrong_row};
use crate::{Column, Kind, ReadError, Role, Signal, Source, Table, Value, Writer};

const BUFFER: usize = 1 << 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvOptions {
    /// Repeat parameters and constants in every row.
    pub constants: bool,
}

/// Writes rows as text: shortest numbers that read back exactly, Booleans as 0 and 1.
pub struct CsvWriter<W: Write> {
    out: W,
    buffer: Vec<u8>,
    cells: Vec<Cell>,
    /// The texts of the numbers as last written, as Reals and as Integers: many stay from row to row, or are in
    /// several columns.
    shown: Vec<[Shown; 2]>,
    numbers: usize,
    texts: usize,
}

/// The longest text of a positive number.
const WIDTH: usize = 24;

/// A number without its sign.
#[derive(Clone, Copy)]
struct Shown {
    magnitude: f64,
    text: [u8; WIDTH],
    length: usize,
}

enum Cell {
    Number { at: usize, negated: bool, integer: bool },
    Text(usize),
    Fixed(Vec<u8>),
}

impl<W: Write> CsvWriter<W> {
    /// Writes the header line.
    pub fn new(out: W, columns: &[Column], options: CsvOptions) -> io::Result<Self> {
        let mut writer = CsvWriter {
            out,
            buffer: Vec::with_capacity(BUFFER + 4096),
            cells: Vec::new(),
            shown: Vec::new(),
            numbers: 0,
            texts: 0,
        };
        writer.buffer.extend_from_slice(b"time");
        for (column, (target, negated, slot)) in columns.iter().zip(resolve(columns)?) {
            let cell = match slot {
                Slot::Number(at) => Cell::Number {
                    at,
                    negated,
                    integer: matches!(column.kind, Kind::Integer | Kind::Boolean),
                },
                Slot::Text(at) => Cell::Text(at),
                Slot::Constant if options.constants => Cell::Fixed(constant(&columns[target].role, negated)),
                Slot::Constant => continue,
            };
            writer.buffer.push(b',');
            quote(&column.name, &mut writer.buffer);
            writer.cells.push(cell);
        }
        for column in columns.iter().filter(|column| column.role == Role::Varying) {
            *(if column.kind == Kind::String { &mut writer.texts } else { &mut writer.numbers }) += 1;
        }
        let nothing = Shown { magnitude: f64::NAN, text: [0; WIDTH], length: 0 };
        writer.shown = vec![[nothing; 2]; writer.numbers];
        writer.buffer.push(b'\n');
        Ok(writer)
    }

    pub fn into_inner(self) -> W {
        self.out
    }
}

impl<W: Write> Writer for CsvWriter<W> {
    fn push(&mut self, time: f64, numbers: &[f64], texts: &[&str]) -> io::Result<()> {
        if numbers.len() != self.numbers || texts.len() != self.texts {
            return Err(wrong_row());
        }
        number(time, false, &mut self.buffer);
        for cell in &self.cells {
            self.buffer.push(b',');
            match cell {
                Cell::Number { at, negated, integer } => {
                    let value = if *negated { -numbers[*at] } else { numbers[*at] };
                    self.shown[*at][usize::from(*integer)].write(value, *integer, &mut self.buffer);
                }
                Cell::Text(at) => quote(texts[*at], &mut self.buffer),
                Cell::Fixed(text) => self.buffer.extend_from_slice(text),
            }
        }
        self.buffer.push(b'\n');
        if self.buffer.len() >= BUFFER {
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        self.out.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
}

impl Shown {
    /// As `number`, which it remembers the last result of.
    fn write(&mut self, value: f64, integer: bool, out: &mut Vec<u8>) {
        let magnitude = value.abs();
        if magnitude != self.magnitude {
            let from = out.len();
            number(value, integer, out);
            let text = out[from..].strip_prefix(b"-").unwrap_or(&out[from..]);
            if text.len() <= WIDTH {
                *self = Self { magnitude, length: text.len(), ..*self };
                self.text[..text.len()].copy_from_slice(text);
            }
            return;
        }
        if value.is_sign_negative() && !(integer && value == 0.0) {
            out.push(b'-');
        }
        let end = out.len() + self.length;
        // All of it at once is faster than only what counts.
        out.extend_from_slice(&self.text);
        out.truncate(end);
    }
}

fn constant(role: &Role, negated: bool) -> Vec<u8> {
    let mut text = Vec::new();
    if let Role::Constant(value) = role {
        match (value, value.number()) {
            (Value::Text(value), _) => quote(value, &mut text),
            (_, Some(value)) => number(if negated { -value } else { value }, false, &mut text),
            _ => {}
        }
    }
    text
}

/// The shortest text that reads back as the same number.
fn number(value: f64, integer: bool, out: &mut Vec<u8>) {
    let small = 9_007_199_254_740_992.0;
    let whole = value as i64;
    if whole as f64 == value && value.abs() < small && (integer || value.abs() < 1e6) {
        if value < 0.0 || value == 0.0 && value.is_sign_negative() && !integer {
            out.push(b'-');
        }
        digits(whole.unsigned_abs(), out);
    } else {
        out.extend_from_slice(zmij::Buffer::new().format(value).as_bytes());
    }
}

fn digits(mut value: u64, out: &mut Vec<u8>) {
    let mut text = [0; 20];
    let mut first = text.len();
    loop {
        first -= 1;
        text[first] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&text[first..]);
}

fn quote(text: &str, out: &mut Vec<u8>) {
    if !text.contains([',', '"', '\n', '\r']) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    for byte in text.bytes() {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// Reads numbers by column; of the columns besides time only those in `wanted`, if given.
///
/// A last line that was cut off, as a killed run may leave it, is ignored.
pub fn read_csv(mut input: impl BufRead, wanted: Option<&[String]>) -> Result<Table, ReadError> {
    let wanted: Option<Vec<String>> = wanted.map(|names| names.iter().map(|name| key(name)).collect());
    let mut header = Vec::new();
    input.read_until(b'\n', &mut header)?;
    let header =
        String::from_utf8_lossy(header.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&header)).into_owned();
    let names: Vec<String> = fields(header.trim_end()).iter().map(|name| key(name)).collect();
    if names.first().is_none_or(|name| !name.eq_ignore_ascii_case("time")) {
        return Err(ReadError::Format("the first column is not time".into()));
    }
    let mut table = Table::default();
    // For each column of the file the series it goes to.
    let mut targets: Vec<Option<usize>> = vec![None];
    let mut seen = std::collections::BTreeSet::new();
    for name in &names[1..] {
        let take = seen.insert(name) && wanted.as_ref().is_none_or(|wanted| wanted.contains(name));
        targets.push(take.then_some(table.series.len()));
        if take {
            let source = Source::Series { index: table.series.len(), negated: false };
            table.signals.push(Signal::new(name.clone(), source));
            table.series.push(Vec::new());
        }
    }
    let mut line = Vec::new();
    for number in 2.. {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        if text.trim_end().is_empty() {
            continue;
        }
        let rows = table.time.len();
        if rows == 0 {
            leave_out_texts(text.trim_end(), &names, &mut targets, &mut table);
        }
        if let Err(message) = read_row(text.trim_end(), names.len(), &targets, &mut table) {
            if line.ends_with(b"\n") || rows == 0 {
                return Err(ReadError::Format(format!("line {number}: {message}")));
            }
            table.time.truncate(rows);
            table.series.iter_mut().for_each(|series| series.truncate(rows));
        }
    }
    if table.time.is_empty() {
        return Err(ReadError::Format("no rows".into()));
    }
    table.sort();
    Ok(table)
}

/// Columns that begin with a text hold no numbers; if nothing else is left, the text is a mistake.
fn leave_out_texts(line: &str, names: &[String], targets: &mut [Option<usize>], table: &mut Table) {
    let cells = fields(line);
    let is_text = |at: usize| cells.get(at).is_some_and(|cell| parse(cell).is_none());
    let kept: Vec<usize> = (1..targets.len()).filter(|&at| targets[at].is_some() && !is_text(at)).collect();
    if kept.is_empty() {
        return;
    }
    targets[1..].fill(None);
    kept.iter().enumerate().for_each(|(index, &at)| targets[at] = Some(index));
    table.signals.retain(|signal| kept.iter().any(|&at| names[at] == signal.name));
    for (index, signal) in table.signals.iter_mut().enumerate() {
        signal.source = Source::Series { index, negated: false };
    }
    table.series.truncate(kept.len());
}

/// Appends one line's numbers to the table.
fn read_row(line: &str, count: usize, targets: &[Option<usize>], table: &mut Table) -> Result<(), String> {
    let mut seen = 0;
    let mut cell = |at: usize, text: &str| {
        let target = targets.get(at).ok_or("more fields than columns")?;
        let series = match (at, *target) {
            (0, _) => &mut table.time,
            (_, Some(index)) => &mut table.series[index],
            (_, None) => {
                seen = at + 1;
                return Ok(());
            }
        };
        series.push(parse(text).ok_or_else(|| format!("`{text}` is not a number"))?);
        seen = at + 1;
        Ok::<(), String>(())
    };
    if line.contains('"') {
        fields(line).iter().enumerate().try_for_each(|(at, text)| cell(at, text))?;
    } else {
        line.split(',').enumerate().try_for_each(|(at, text)| cell(at, text))?;
    }
    if seen == count { Ok(()) } else { Err("fewer fields than columns".to_string()) }
}

fn parse(text: &str) -> Option<f64> {
    let text = text.trim();
    match text.parse() {
        Ok(value) => Some(value),
        Err(_) if text.eq_ignore_ascii_case("true") => Some(1.0),
        Err(_) if text.eq_ignore_ascii_case("false") => Some(0.0),
        Err(_) => None,
    }
}

/// The fields of a line, quotes resolved.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let last = fields.len() - 1;
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                fields[last].push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields[last].push(c),
        }
    }
    fields
}
