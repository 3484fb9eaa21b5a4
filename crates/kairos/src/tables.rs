//! Result files: rows of a run in one of the formats.

use crate::sink::Table;
use kairos_results::{Background, Column, CsvOptions, CsvWriter, MatWriter, Writer};
use std::io::{Seek, Write};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Csv,
    /// MATLAB version 4, as Dymola and OpenModelica write it.
    Mat,
    Parquet,
}

impl Format {
    /// By the end of a file's name.
    pub fn of(path: &str) -> Option<Format> {
        match path.rsplit('.').next()?.to_ascii_lowercase().as_str() {
            "csv" => Some(Format::Csv),
            "mat" => Some(Format::Mat),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }
}

/// A table that is written as it arises, by a thread of its own once it proves long.
pub struct ResultFile<W> {
    format: Format,
    out: Option<W>,
    writer: Option<Background>,
}

impl<W: Write + Seek + Send + 'static> ResultFile<W> {
    pub fn new(format: Format, out: W) -> Self {
        Self { format, out: Some(out), writer: None }
    }

    /// Makes the rows so far readable, where the format has rows.
    pub fn flush(&mut self) -> Result<(), String> {
        match &mut self.writer {
            Some(writer) if self.format == Format::Csv => writer.flush().map_err(|e| e.to_string()),
            _ => Ok(()),
        }
    }

    /// Completes the file; to be called after a failed run, too.
    pub fn finish(mut self) -> std::io::Result<()> {
        match &mut self.writer {
            Some(writer) => writer.finish(),
            None => Ok(()),
        }
    }
}

impl<W: Write + Seek + Send + 'static> Table for ResultFile<W> {
    fn begin(&mut self, columns: &[Column]) -> Result<(), String> {
        let Some(out) = self.out.take() else { return Err("the table has begun before".into()) };
        let writer: std::io::Result<Box<dyn Writer + Send>> = match self.format {
            Format::Csv => CsvWriter::new(out, columns, CsvOptions::default()).map(|w| Box::new(w) as _),
            Format::Mat => MatWriter::new(out, columns).map(|w| Box::new(w) as _),
            #[cfg(feature = "parquet")]
            Format::Parquet => kairos_results::ParquetWriter::new(out, columns).map(|w| Box::new(w) as _),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(std::io::Error::other("this build writes no Parquet files")),
        };
        self.writer = Some(Background::new(writer.map_err(|e| e.to_string())?));
        Ok(())
    }

    fn row(&mut self, time: f64, numbers: &[f64], texts: &[&str]) -> Result<(), String> {
        match &mut self.writer {
            Some(writer) => writer.push(time, numbers, texts).map_err(|e| e.to_string()),
            None => Ok(()),
        }
    }
}
