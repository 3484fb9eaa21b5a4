//! Result files with damage.

use crate::dice::Dice;
use kairos::results::{
    Column, CsvOptions, CsvWriter, Kind, MatWriter, ParquetWriter, Writer, read_csv, read_mat, read_parquet,
};
use std::fs::File;
use std::io::Cursor;
use std::path::Path;

/// A copy of bytes with some damage.
pub fn damaged(dice: &mut Dice, whole: &[u8]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..1 + dice.below(6) {
        let at = dice.below(bytes.len());
        match dice.below(4) {
            0 => bytes.truncate(at + 1),
            1 => bytes[at] ^= 1 << dice.below(8),
            2 => bytes[at] = *dice.pick(&[0, 0xff, 0x80, 0x7f]),
            _ => bytes.insert(at, dice.next() as u8),
        }
    }
    bytes
}

/// A small whole result in each format.
pub struct Wholes {
    csv: Vec<u8>,
    mat: Vec<u8>,
    parquet: Vec<u8>,
}

fn fill(writer: &mut dyn Writer) -> std::io::Result<()> {
    for k in 0..40 {
        let t = f64::from(k) * 0.1;
        writer.push(t, &[t.sin(), f64::from(k % 3)], &["text"])?;
    }
    writer.finish()
}

impl Wholes {
    pub fn new(folder: &Path) -> std::io::Result<Self> {
        let columns = [
            Column::varying("x", Kind::Real),
            Column::varying("n", Kind::Integer),
            Column::varying("s", Kind::String),
        ];
        let path = folder.join("whole");
        let mut made = Vec::new();
        for format in 0..3 {
            let file = File::create(&path)?;
            let mut writer: Box<dyn Writer> = match format {
                0 => Box::new(CsvWriter::new(file, &columns, CsvOptions::default())?),
                1 => Box::new(MatWriter::new(file, &columns)?),
                _ => Box::new(ParquetWriter::new(file, &columns)?),
            };
            fill(writer.as_mut())?;
            drop(writer);
            made.push(std::fs::read(&path)?);
        }
        let [csv, mat, parquet] = made.try_into().unwrap_or_default();
        Ok(Wholes { csv, mat, parquet })
    }

    /// Reads a damaged file; whether that is an error is no matter.
    pub fn read(&self, dice: &mut Dice, folder: &Path) -> std::io::Result<Vec<u8>> {
        let format = dice.below(3);
        let whole = [&self.csv, &self.mat, &self.parquet][format];
        let bytes = damaged(dice, whole);
        match format {
            0 => drop(read_csv(Cursor::new(&bytes), None)),
            1 => drop(read_mat(&bytes)),
            _ => {
                let path = folder.join("damaged");
                std::fs::write(&path, &bytes)?;
                drop(read_parquet(File::open(&path)?));
            }
        }
        Ok(bytes)
    }
}
