//! The finished runs of a sweep on disk, so that an interrupted sweep goes on where it was.
//!
//! The file begins with a line that says which sweep it belongs to. Each run follows as one record with its length and a
//! checksum; a record that was cut off by the interruption is dropped.

use kairos::sweep::SweptRun;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

pub struct Journal {
    file: File,
    /// Where the records of the runs are.
    places: BTreeMap<u64, u64>,
    end: u64,
}

impl Journal {
    /// Opens the journal of a sweep. A journal of another sweep is replaced.
    pub fn open(path: &str, sweep: &str) -> io::Result<Journal> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut journal = Journal { file, places: BTreeMap::new(), end: 0 };
        let title = format!("kairos sweep {:016x}\n", checksum(sweep.as_bytes()));
        let mut input = BufReader::new(&journal.file);
        let mut found = vec![0; title.len()];
        let same = input.read_exact(&mut found).is_ok() && found == title.as_bytes();
        let mut end = title.len() as u64;
        if same {
            let mut record = Vec::new();
            while read_record(&mut input, &mut record)? {
                if let Some(run) = decode(&record) {
                    journal.places.insert(run.index, end);
                }
                end += record.len() as u64 + FRAME;
            }
        }
        drop(input);
        journal.end = end;
        if !same {
            journal.file.seek(SeekFrom::Start(0))?;
            journal.file.write_all(title.as_bytes())?;
        }
        journal.file.set_len(end)?;
        journal.file.seek(SeekFrom::Start(end))?;
        Ok(journal)
    }

    pub fn has(&self, index: u64) -> bool {
        self.places.contains_key(&index)
    }

    pub fn len(&self) -> u64 {
        self.places.len() as u64
    }

    /// Adds runs, in one piece.
    pub fn add(&mut self, runs: &[SweptRun]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for run in runs {
            self.places.insert(run.index, self.end + bytes.len() as u64);
            encode(run, &mut bytes);
        }
        self.end += bytes.len() as u64;
        self.file.write_all(&bytes)
    }

    /// All runs in the order of their numbers.
    pub fn read(self, mut each: impl FnMut(SweptRun) -> io::Result<()>) -> io::Result<()> {
        let mut input = BufReader::with_capacity(1 << 16, &self.file);
        let mut at = input.seek(SeekFrom::Start(0))? as i64;
        let mut record = Vec::new();
        for &place in self.places.values() {
            // Most runs are near each other, in what is read already.
            input.seek_relative(place as i64 - at)?;
            at = place as i64;
            let whole = read_record(&mut input, &mut record)?;
            let Some(run) = decode(&record).filter(|_| whole) else {
                return Err(io::Error::other("the runs finished so far were changed meanwhile"));
            };
            at += (record.len() as u64 + FRAME) as i64;
            each(run)?;
        }
        Ok(())
    }
}

/// Bytes around a record: its length and its checksum.
const FRAME: u64 = 16;

/// Reads the next record; there is none at the end or where one is cut off.
fn read_record(input: &mut impl Read, record: &mut Vec<u8>) -> io::Result<bool> {
    record.clear();
    let mut number = [0; 8];
    if !filled(input.read_exact(&mut number))? {
        return Ok(false);
    }
    let length = u64::from_le_bytes(number);
    input.take(length).read_to_end(record)?;
    if record.len() as u64 != length || !filled(input.read_exact(&mut number))? {
        return Ok(false);
    }
    Ok(checksum(record) == u64::from_le_bytes(number))
}

fn filled(read: io::Result<()>) -> io::Result<bool> {
    match read {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Appends the record of a run within its frame.
fn encode(run: &SweptRun, bytes: &mut Vec<u8>) {
    let (code, message) = run.failure.as_ref().map_or(("", ""), |(code, message)| (code, message));
    let length = 8 * (3 + run.rows.len()) + code.len() + message.len();
    bytes.reserve(length + FRAME as usize);
    bytes.extend_from_slice(&(length as u64).to_le_bytes());
    let begin = bytes.len();
    bytes.extend_from_slice(&run.index.to_le_bytes());
    for text in [code, message] {
        bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    run.rows.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
    let sum = checksum(&bytes[begin..]);
    bytes.extend_from_slice(&sum.to_le_bytes());
}

fn decode(record: &[u8]) -> Option<SweptRun> {
    let (index, rest) = record.split_first_chunk::<8>()?;
    let text = |bytes: &mut &[u8]| -> Option<String> {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let (text, rest) = rest.split_at_checked(u64::from_le_bytes(*length) as usize)?;
        *bytes = rest;
        Some(String::from_utf8_lossy(text).into_owned())
    };
    let mut rest = rest;
    let (code, message) = (text(&mut rest)?, text(&mut rest)?);
    let (numbers, _) = rest.as_chunks::<8>();
    Some(SweptRun {
        index: u64::from_le_bytes(*index),
        rows: numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect(),
        failure: (!code.is_empty()).then_some((code, message)),
    })
}

/// FNV-1a.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cut_off_is_dropped_and_what_was_whole_is_kept() {
        let path = std::env::temp_dir().join(format!("kairos-journal-{}", std::process::id()));
        let path = path.to_string_lossy();
        let run = |index: u64| SweptRun {
            index,
            rows: vec![index as f64, f64::INFINITY],
            failure: (index == 2).then(|| ("code".to_string(), "why".to_string())),
        };
        let mut journal = Journal::open(&path, "one").expect("a journal");
        journal.add(&[2, 0].map(run)).expect("added");
        journal.add(&[run(1)]).expect("added");
        drop(journal);
        let whole = std::fs::read(&*path).expect("written");
        for cut in 0..whole.len() {
            std::fs::write(&*path, &whole[..cut]).expect("cut");
            let mut journal = Journal::open(&path, "one").expect("a journal");
            let kept = journal.len();
            journal.add(&[run(7)]).expect("added");
            let mut seen = Vec::new();
            let keep = |run| {
                seen.push(run);
                Ok(())
            };
            journal.read(keep).expect("read");
            assert_eq!(seen.len() as u64, kept + 1, "cut at {cut}");
            assert!(seen.iter().all(|r| *r == run(r.index)));
        }
        std::fs::write(&*path, &whole).expect("restored");
        assert_eq!(Journal::open(&path, "one").expect("a journal").len(), 3);
        assert_eq!(Journal::open(&path, "other").expect("a journal").len(), 0);
        let _ = std::fs::remove_file(&*path);
    }
}
