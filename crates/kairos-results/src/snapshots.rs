//! Snapshots of a run: rows of numbers of varying length behind a text that says what they belong to.
//!
//! Rows are appended one by one, so that what is left of a run that was killed can be read up to its last whole row.

use std::io::{self, Read, Write};

const MAGIC: &[u8] = b"kairos states 1\n";

/// Writes snapshots as they arise.
pub struct SnapshotWriter<W> {
    out: W,
}

impl<W: Write> SnapshotWriter<W> {
    pub fn new(mut out: W, header: &str) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        out.write_all(&(header.len() as u64).to_le_bytes())?;
        out.write_all(header.as_bytes())?;
        Ok(Self { out })
    }

    pub fn push(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        self.out.write_all(&(values.len() as u64).to_le_bytes())?;
        self.out.write_all(&time.to_le_bytes())?;
        values.iter().try_for_each(|value| self.out.write_all(&value.to_le_bytes()))
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Reads snapshots one after the other.
pub struct SnapshotReader<R> {
    input: R,
    pub header: String,
    values: Vec<f64>,
}

impl<R: Read> SnapshotReader<R> {
    pub fn new(mut input: R) -> io::Result<Self> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "it holds no states of a run");
        let mut magic = [0; MAGIC.len()];
        input.read_exact(&mut magic).map_err(|_| wrong())?;
        if magic != MAGIC {
            return Err(wrong());
        }
        let length = u64::from_le_bytes(word(&mut input)?.ok_or_else(wrong)?);
        let mut header = String::new();
        input.by_ref().take(length).read_to_string(&mut header)?;
        if header.len() as u64 != length {
            return Err(wrong());
        }
        Ok(Self { input, header, values: Vec::new() })
    }

    /// The next row; `None` after the last whole one.
    pub fn next_row(&mut self) -> io::Result<Option<(f64, &[f64])>> {
        let Some(count) = word(&mut self.input)?.map(u64::from_le_bytes) else { return Ok(None) };
        let Some(time) = word(&mut self.input)?.map(f64::from_le_bytes) else { return Ok(None) };
        self.values.clear();
        for _ in 0..count {
            let Some(value) = word(&mut self.input)? else { return Ok(None) };
            self.values.push(f64::from_le_bytes(value));
        }
        Ok(Some((time, &self.values)))
    }
}

/// Eight bytes; `None` at the end, also in the middle of them.
fn word(input: &mut impl Read) -> io::Result<Option<[u8; 8]>> {
    let mut bytes = [0; 8];
    match input.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = SnapshotWriter::new(&mut bytes, "who").expect("memory");
        writer.push(0.5, &[1.0, -2.0]).expect("memory");
        writer.push(0.75, &[f64::MAX]).expect("memory");
        writer.finish().expect("memory");
        bytes
    }

    #[test]
    fn rows_come_back() {
        let bytes = written();
        let mut reader = SnapshotReader::new(&bytes[..]).expect("whole");
        assert_eq!(reader.header, "who");
        assert_eq!(reader.next_row().expect("whole"), Some((0.5, &[1.0, -2.0][..])));
        assert_eq!(reader.next_row().expect("whole"), Some((0.75, &[f64::MAX][..])));
        assert_eq!(reader.next_row().expect("whole"), None);
    }

    #[test]
    fn a_file_cut_anywhere_reads_up_to_its_last_whole_row() {
        let bytes = written();
        for end in 0..bytes.len() {
            let Ok(mut reader) = SnapshotReader::new(&bytes[..end]) else { continue };
            let mut rows = 0;
            while reader.next_row().expect("no other failure").is_some() {
                rows += 1;
            }
            assert!(rows < 2);
        }
    }
}
