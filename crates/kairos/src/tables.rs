//! Tables that a run can be written to.

use crate::sink::Table;
use kairos_code::{Machine, MachineInfo};
use std::io::Write;

/// Comma-separated values: a header with the names, a line for every row.
pub struct CsvTable<W: Write> {
    out: W,
    line: Vec<u8>,
}

impl<W: Write> CsvTable<W> {
    pub fn new(out: W) -> Self {
        Self { out, line: Vec::new() }
    }

    pub fn finish(mut self) -> std::io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn flush_line(&mut self) -> Result<(), String> {
        self.line.push(b'\n');
        self.out.write_all(&self.line).map_err(|e| e.to_string())
    }
}

impl<W: Write> Table for CsvTable<W> {
    fn begin(&mut self, info: &MachineInfo, columns: &[usize], _machine: &dyn Machine) -> Result<(), String> {
        self.line.clear();
        self.line.extend_from_slice(b"time");
        for &k in columns {
            let name = &info.vars[k].name;
            self.line.push(b',');
            if name.contains([',', '"', '\n']) {
                self.line.extend_from_slice(format!("\"{}\"", name.replace('"', "\"\"")).as_bytes());
            } else {
                self.line.extend_from_slice(name.as_bytes());
            }
        }
        self.flush_line()
    }

    fn row(&mut self, values: &[f64]) -> Result<(), String> {
        self.line.clear();
        for (k, value) in values.iter().enumerate() {
            if k > 0 {
                self.line.push(b',');
            }
            // Whole numbers as such; all others with as many digits as it takes to read them back.
            let whole = *value == value.trunc() && value.abs() < 1e15;
            let written = match whole {
                true => write!(self.line, "{}", *value as i64),
                false => write!(self.line, "{value:?}"),
            };
            written.map_err(|e| e.to_string())?;
        }
        self.flush_line()
    }
}
