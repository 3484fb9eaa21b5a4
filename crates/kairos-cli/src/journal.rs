//! The finished runs of a sweep on disk, so that an interrupted sweep goes on where it was.
//!
//! The file begins with a line that says which sweep it belongs to. Each run follows as one record with its length and a
//! checksum; a record that was cut off by the interruption is dropped. Before the first run with other quantities stands a
//! record that names them.
//!
//! Runs are written a tenth of a second late at most: a sweep that takes no longer has no such file, and its runs are never put
//! into records.

use kairos::sweep::{Quantity, SweptRun};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long finished runs may be in memory only, and how many bytes of them.
pub const LATENCY: Duration = Duration::from_millis(100);
const MOST_WAITING: usize = 1 << 20;

pub struct Journal {
    path: String,
    title: String,
    file: Option<File>,
    /// What is not in the file yet, and about how many bytes that will be.
    waiting: Vec<SweptRun>,
    size: usize,
    written: Instant,
    /// Where the records of the runs in the file are.
    places: BTreeMap<u64, Place>,
    /// What runs in the file may have in their rows.
    layouts: Vec<Arc<[Quantity]>>,
    end: u64,
}

struct Place {
    at: u64,
    /// Its number among the layouts.
    layout: usize,
}

impl Journal {
    /// Opens the journal of a sweep. A journal of another sweep is removed.
    pub fn open(path: &str, sweep: &str) -> io::Result<Journal> {
        let title = format!("kairos sweep {:016x}\n", checksum(sweep.as_bytes()));
        let mut journal = Journal {
            path: path.to_string(),
            file: None,
            end: title.len() as u64,
            title,
            waiting: Vec::new(),
            size: 0,
            written: Instant::now(),
            places: BTreeMap::new(),
            layouts: Vec::new(),
        };
        match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => journal.take_up(file)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(journal)
    }

    /// Goes on with a file from before, if it is of this sweep.
    fn take_up(&mut self, mut file: File) -> io::Result<()> {
        let mut input = BufReader::new(&file);
        let mut found = vec![0; self.title.len()];
        if input.read_exact(&mut found).is_err() || found != self.title.as_bytes() {
            return std::fs::remove_file(&self.path);
        }
        let mut record = Vec::new();
        while read_record(&mut input, &mut record)? {
            match decode(&record, &self.layouts) {
                Some(Record::Run { run, layout }) => {
                    self.places.insert(run.index, Place { at: self.end, layout });
                }
                Some(Record::Layout(layout)) => self.layouts.push(layout),
                None => {}
            }
            self.end += record.len() as u64 + FRAME;
        }
        file.set_len(self.end)?;
        file.seek(SeekFrom::Start(self.end))?;
        self.file = Some(file);
        Ok(())
    }

    /// Is this run in the file?
    pub fn has(&self, index: u64) -> bool {
        self.places.contains_key(&index)
    }

    pub fn len(&self) -> u64 {
        (self.places.len() + self.waiting.len()) as u64
    }

    /// Adds runs, and writes what has waited long enough.
    pub fn add(&mut self, mut runs: Vec<SweptRun>) -> io::Result<()> {
        self.size += runs.iter().map(|run| 8 * (8 + run.rows.len())).sum::<usize>();
        self.waiting.append(&mut runs);
        if self.written.elapsed() >= LATENCY || self.size > MOST_WAITING { self.write() } else { Ok(()) }
    }

    /// Writes what waits, in one piece.
    pub fn write(&mut self) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(self.size);
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                bytes.extend_from_slice(self.title.as_bytes());
                let mut new = OpenOptions::new();
                self.file.insert(new.read(true).write(true).create(true).truncate(true).open(&self.path)?)
            }
        };
        let begin = self.end - bytes.len() as u64;
        for run in self.waiting.drain(..) {
            let known = self
                .layouts
                .iter()
                .rposition(|layout| Arc::ptr_eq(layout, &run.quantities) || *layout == run.quantities);
            let layout = known.unwrap_or_else(|| {
                encode_layout(&run.quantities, &mut bytes);
                self.layouts.push(run.quantities.clone());
                self.layouts.len() - 1
            });
            self.places.insert(run.index, Place { at: begin + bytes.len() as u64, layout });
            encode_run(&run, layout, &mut bytes);
        }
        self.end = begin + bytes.len() as u64;
        self.size = 0;
        file.write_all(&bytes)?;
        self.written = Instant::now();
        Ok(())
    }

    /// Removes the file, if there is one.
    pub fn remove(path: &str) -> io::Result<()> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// There will be no more runs: these are their quantities, in the order of the runs that have them first.
    pub fn close(&mut self) -> io::Result<Vec<Quantity>> {
        if self.file.is_some() {
            self.write()?;
        }
        self.waiting.sort_unstable_by_key(|run| run.index);
        let written = self.places.values().map(|place| &self.layouts[place.layout]);
        let (mut names, mut quantities, mut last) = (BTreeSet::new(), Vec::new(), None);
        for layout in written.chain(self.waiting.iter().map(|run| &run.quantities)) {
            if last.replace(layout).is_none_or(|last| !Arc::ptr_eq(last, layout)) {
                let new = layout.iter().filter(|quantity| names.insert(quantity.name.as_str()));
                quantities.extend(new.cloned());
            }
        }
        Ok(quantities)
    }

    /// All runs in the order of their numbers, after `close`.
    pub fn read(mut self, mut each: impl FnMut(SweptRun) -> io::Result<()>) -> io::Result<()> {
        match &self.file {
            Some(file) => self.read_from(file, each),
            None => std::mem::take(&mut self.waiting).into_iter().try_for_each(&mut each),
        }
    }

    fn read_from(
        &self,
        from: impl Read + Seek,
        mut each: impl FnMut(SweptRun) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut input = BufReader::with_capacity(1 << 16, from);
        let mut at = input.seek(SeekFrom::Start(0))? as i64;
        let mut record = Vec::new();
        for place in self.places.values() {
            // Most runs are near each other, in what is read already.
            input.seek_relative(place.at as i64 - at)?;
            at = place.at as i64;
            let whole = read_record(&mut input, &mut record)?;
            let Some(Record::Run { run, .. }) = decode(&record, &self.layouts).filter(|_| whole) else {
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

enum Record {
    Run { run: SweptRun, layout: usize },
    Layout(Arc<[Quantity]>),
}

/// Stands where a run has its layout.
const LAYOUT: u64 = u64::MAX;

fn encode_layout(quantities: &[Quantity], bytes: &mut Vec<u8>) {
    framed(bytes, |bytes| {
        bytes.extend_from_slice(&LAYOUT.to_le_bytes());
        for quantity in quantities {
            put_text(&quantity.name, bytes);
            put_text(&quantity.unit, bytes);
        }
    });
}

fn encode_run(run: &SweptRun, layout: usize, bytes: &mut Vec<u8>) {
    let (code, message) = run.failure.as_ref().map_or(("", ""), |(code, message)| (code, message));
    framed(bytes, |bytes| {
        bytes.extend_from_slice(&(layout as u64).to_le_bytes());
        bytes.extend_from_slice(&run.index.to_le_bytes());
        put_text(code, bytes);
        put_text(message, bytes);
        run.rows.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
    });
}

/// Appends a record between its length and its checksum.
fn framed(bytes: &mut Vec<u8>, put: impl FnOnce(&mut Vec<u8>)) {
    let at = bytes.len();
    bytes.extend_from_slice(&[0; 8]);
    let begin = bytes.len();
    put(bytes);
    let length = (bytes.len() - begin) as u64;
    bytes[at..begin].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&bytes[begin..]);
    bytes.extend_from_slice(&sum.to_le_bytes());
}

fn put_text(text: &str, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
}

fn decode(record: &[u8], layouts: &[Arc<[Quantity]>]) -> Option<Record> {
    let mut rest = record;
    let layout = take_number(&mut rest)?;
    if layout == LAYOUT {
        let mut quantities = Vec::new();
        while !rest.is_empty() {
            quantities.push(Quantity { name: take_text(&mut rest)?, unit: take_text(&mut rest)? });
        }
        return Some(Record::Layout(quantities.into()));
    }
    let layout = usize::try_from(layout).ok()?;
    let quantities = layouts.get(layout)?.clone();
    let index = take_number(&mut rest)?;
    let (code, message) = (take_text(&mut rest)?, take_text(&mut rest)?);
    let (numbers, _) = rest.as_chunks::<8>();
    let rows = numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    let failure = (!code.is_empty()).then_some((code, message));
    Some(Record::Run { run: SweptRun { index, quantities, rows, failure }, layout })
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk::<8>()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}

fn take_text(bytes: &mut &[u8]) -> Option<String> {
    let length = take_number(bytes)?;
    let (text, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
    *bytes = rest;
    Some(String::from_utf8_lossy(text).into_owned())
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(mut journal: Journal) -> Vec<u64> {
        let mut order = Vec::new();
        let keep = |run: SweptRun| {
            order.push(run.index);
            Ok(())
        };
        let names: Vec<String> =
            journal.close().expect("closed").into_iter().map(|quantity| quantity.name).collect();
        assert_eq!(names, ["q0", "q1"]);
        journal.read(keep).expect("read");
        order
    }

    #[test]
    fn what_was_cut_off_is_dropped_and_what_was_whole_is_kept() {
        let path = std::env::temp_dir().join(format!("kairos-journal-{}", std::process::id()));
        let path = path.to_string_lossy();
        let run = |index: u64| SweptRun {
            index,
            quantities: vec![Quantity { name: format!("q{}", index % 2), unit: "m".into() }].into(),
            rows: vec![index as f64, f64::INFINITY],
            failure: (index == 2).then(|| ("code".to_string(), "why".to_string())),
        };
        let mut journal = Journal::open(&path, "one").expect("a journal");
        journal.add([2, 0].map(run).to_vec()).expect("added");
        journal.add(vec![run(1)]).expect("added");
        assert!(!std::fs::exists(&*path).expect("asked"), "what took no time is in memory only");
        assert_eq!(order(journal), [0, 1, 2]);
        let mut journal = Journal::open(&path, "one").expect("a journal");
        journal.add([2, 0].map(run).to_vec()).expect("added");
        journal.write().expect("written");
        journal.add(vec![run(1)]).expect("added");
        journal.write().expect("written");
        drop(journal);
        let whole = std::fs::read(&*path).expect("written");
        for cut in 0..whole.len() {
            std::fs::write(&*path, &whole[..cut]).expect("cut");
            let mut journal = Journal::open(&path, "one").expect("a journal");
            let kept = journal.len();
            journal.add(vec![run(7)]).expect("added");
            if cut % 2 == 0 {
                journal.write().expect("written");
            }
            journal.close().expect("closed");
            let mut seen = Vec::new();
            let keep = |run| {
                seen.push(run);
                Ok(())
            };
            journal.read(keep).expect("read");
            assert_eq!(seen.len() as u64, kept + 1, "cut at {cut}");
            assert!(seen.iter().all(|r| *r == run(r.index)));
        }
        // Whatever happened to the disk: what is read back is what was written, run by run.
        for at in 0..whole.len() {
            for damage in [0x01, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= damage;
                std::fs::write(&*path, &bytes).expect("damaged");
                let mut journal = Journal::open(&path, "one").expect("a journal");
                let mut seen = Vec::new();
                journal.close().expect("closed");
                let read = journal.read(|run| {
                    seen.push(run);
                    Ok(())
                });
                read.expect("read");
                assert!(seen.iter().all(|r| *r == run(r.index)), "byte {at} by {damage:#x}");
            }
        }
        std::fs::write(&*path, &whole).expect("restored");
        assert_eq!(Journal::open(&path, "one").expect("a journal").len(), 3);
        assert_eq!(Journal::open(&path, "other").expect("a journal").len(), 0);
        let _ = std::fs::remove_file(&*path);
    }
}
