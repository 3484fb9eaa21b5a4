//! Disks that fail: wherever a write goes wrong, the writer says so, and no half result passes for a whole one.

use kairos_results::{
    Column, CsvOptions, CsvWriter, Kind, MatWriter, ParquetWriter, Writer, read_csv, read_mat,
};
use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex};

/// A disk on which the write with this number fails, and all after it.
#[derive(Clone)]
struct Failing {
    content: Arc<Mutex<Cursor<Vec<u8>>>>,
    writes: Arc<Mutex<usize>>,
    fails: usize,
}

impl Failing {
    fn new(fails: usize) -> Self {
        Failing { content: Arc::default(), writes: Arc::default(), fails }
    }
}

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut writes = self.writes.lock().expect("one thread");
        *writes += 1;
        if *writes > self.fails {
            return Err(io::Error::other("the disk is full"));
        }
        self.content.lock().expect("one thread").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Failing {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.content.lock().expect("one thread").seek(to)
    }
}

fn write(disk: Failing, format: usize) -> io::Result<()> {
    let columns = [Column::varying("x", Kind::Real), Column::varying("s", Kind::String)];
    let mut writer: Box<dyn Writer> = match format {
        0 => Box::new(CsvWriter::new(disk, &columns, CsvOptions::default())?),
        1 => Box::new(MatWriter::new(disk, &columns)?),
        _ => Box::new(ParquetWriter::new(disk, &columns)?),
    };
    for k in 0..3000 {
        writer.push(f64::from(k), &[0.1 * f64::from(k)], &["text"])?;
        if k % 500 == 0 {
            writer.flush()?;
        }
    }
    writer.finish()
}

#[test]
fn every_write_that_fails_is_told() {
    for format in 0..3 {
        let whole = Failing::new(usize::MAX);
        write(whole.clone(), format).expect("a disk with room");
        let writes = *whole.writes.lock().expect("one thread");
        assert!(writes > 3, "{format}");
        for fails in 0..writes {
            let disk = Failing::new(fails);
            assert!(write(disk.clone(), format).is_err(), "format {format}, write {fails} of {writes}");
            // What is there reads, or is refused; it never has rows that were not written.
            let bytes = disk.content.lock().expect("one thread").get_ref().clone();
            let read = match format {
                0 => read_csv(Cursor::new(bytes), None).ok(),
                1 => read_mat(&bytes).ok(),
                _ => None,
            };
            for (k, time) in read.map(|table| table.time).unwrap_or_default().iter().enumerate() {
                assert_eq!(*time, k as f64, "format {format}, write {fails}");
            }
        }
    }
}
