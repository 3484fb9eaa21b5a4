//! Rows that are formatted and written by a thread of their own while the run goes on.

use crate::Writer;
use crate::writer::wrong_row;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

/// A block of so many numbers is handed over; results that are no longer need no thread.
const BLOCK: usize = 1 << 12;
/// So many blocks may wait: a run that is faster than the disk waits for it.
const WAITING: usize = 8;

/// Another writer's work, done elsewhere. What goes wrong there is told with a later row, or at the end.
pub struct Background {
    place: Place,
    block: Block,
}

enum Place {
    Here(Box<dyn Writer + Send>),
    Elsewhere(Worker),
    /// It has ended.
    Nowhere,
}

struct Worker {
    orders: SyncSender<Order>,
    /// Blocks that have been written, to be filled again.
    empty: Receiver<Block>,
    thread: JoinHandle<io::Result<()>>,
}

enum Order {
    Rows(Block),
    /// Tells when everything so far is readable.
    Flush(SyncSender<()>),
}

/// Some rows: each its time, its numbers and its texts.
#[derive(Default)]
struct Block {
    rows: usize,
    numbers: Vec<f64>,
    texts: Vec<String>,
}

impl Background {
    pub fn new(writer: Box<dyn Writer + Send>) -> Self {
        Self { place: Place::Here(writer), block: Block::default() }
    }

    /// Passes on the rows that were gathered.
    fn hand_over(&mut self) -> io::Result<()> {
        if let Place::Here(_) = self.place {
            let Place::Here(writer) = std::mem::replace(&mut self.place, Place::Nowhere) else {
                return Ok(());
            };
            self.place = Place::Elsewhere(Worker::new(writer)?);
        }
        if let Place::Elsewhere(worker) = &mut self.place {
            let next = worker.empty.try_recv().unwrap_or_default();
            let block = std::mem::replace(&mut self.block, next);
            if worker.orders.send(Order::Rows(block)).is_err() {
                return self.end();
            }
        }
        Ok(())
    }

    /// Waits for the thread, and tells what it came to.
    fn end(&mut self) -> io::Result<()> {
        let Place::Elsewhere(worker) = std::mem::replace(&mut self.place, Place::Nowhere) else {
            return Ok(());
        };
        drop(worker.orders);
        match worker.thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

impl Writer for Background {
    fn push(&mut self, time: f64, numbers: &[f64], texts: &[&str]) -> io::Result<()> {
        self.block.push(time, numbers, texts)?;
        if self.block.numbers.len() < BLOCK {
            return Ok(());
        }
        // Some targets have no threads.
        if cfg!(target_family = "wasm") { self.flush() } else { self.hand_over() }
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Place::Here(writer) = &mut self.place {
            self.block.write(writer.as_mut())?;
            return writer.flush();
        }
        self.hand_over()?;
        let Place::Elsewhere(worker) = &mut self.place else { return Ok(()) };
        let (done, wait) = sync_channel(1);
        // Whatever has gone wrong there, its end will tell.
        let sent = worker.orders.send(Order::Flush(done)).is_ok();
        if sent && wait.recv().is_ok() { Ok(()) } else { self.end() }
    }

    fn finish(&mut self) -> io::Result<()> {
        if let Place::Here(writer) = &mut self.place {
            self.block.write(writer.as_mut())?;
            return writer.finish();
        }
        self.hand_over()?;
        self.end()
    }
}

impl Worker {
    fn new(mut writer: Box<dyn Writer + Send>) -> io::Result<Self> {
        let (orders, received) = sync_channel(WAITING);
        let (emptied, empty) = channel();
        let work = move || {
            for order in received {
                match order {
                    Order::Rows(mut block) => {
                        block.write(writer.as_mut())?;
                        // Nobody may want it any more.
                        let _ = emptied.send(block);
                    }
                    Order::Flush(done) => {
                        writer.flush()?;
                        let _ = done.send(());
                    }
                }
            }
            writer.finish()
        };
        let thread = std::thread::Builder::new().name("results".into()).spawn(work)?;
        Ok(Self { orders, empty, thread })
    }
}

impl Block {
    fn push(&mut self, time: f64, numbers: &[f64], texts: &[&str]) -> io::Result<()> {
        let (before, width) = (self.rows, numbers.len() + 1);
        if self.numbers.len() != before * width || self.texts.len() != before * texts.len() {
            return Err(wrong_row());
        }
        self.rows += 1;
        self.numbers.push(time);
        self.numbers.extend_from_slice(numbers);
        self.texts.extend(texts.iter().map(|text| text.to_string()));
        Ok(())
    }

    /// Hands all rows to a writer, and is empty afterwards.
    fn write(&mut self, writer: &mut dyn Writer) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let width = self.numbers.len().checked_div(rows).unwrap_or(1);
        let count = self.texts.len().checked_div(rows).unwrap_or(0);
        for (k, row) in self.numbers.chunks_exact(width).enumerate() {
            let texts = &self.texts[k * count..(k + 1) * count];
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            writer.push(row[0], &row[1..], &texts)?;
        }
        self.numbers.clear();
        self.texts.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    /// Keeps what it gets; the row with this number fails.
    struct Told {
        rows: Arc<Mutex<Vec<(f64, Vec<f64>, Vec<String>)>>>,
        fails: usize,
    }

    impl Writer for Told {
        fn push(&mut self, time: f64, numbers: &[f64], texts: &[&str]) -> io::Result<()> {
            let mut rows = self.rows.lock().expect("no writer panics");
            if rows.len() == self.fails {
                return Err(io::Error::other("the disk is full"));
            }
            rows.push((time, numbers.to_vec(), texts.iter().map(|text| text.to_string()).collect()));
            Ok(())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn finish(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn write(count: usize, fails: usize) -> (io::Result<()>, usize) {
        let rows = Arc::new(Mutex::new(Vec::new()));
        let mut writer = Background::new(Box::new(Told { rows: rows.clone(), fails }));
        let row = |k: usize| (k as f64, [2.0 * k as f64, 3.0], k.to_string());
        let mut done = Ok(());
        for (time, numbers, text) in (0..count).map(row) {
            done = done.and_then(|()| writer.push(time, &numbers, &[&text, "x"]));
            if time == 5000.0 {
                done = done.and_then(|()| writer.flush());
                assert!(fails < count || rows.lock().expect("no writer panics").len() == 5001);
            }
        }
        let done = done.and_then(|()| writer.finish());
        let rows = rows.lock().expect("no writer panics");
        for (k, told) in rows.iter().enumerate() {
            let (time, numbers, text) = row(k);
            assert_eq!(*told, (time, numbers.to_vec(), vec![text, "x".to_string()]));
        }
        (done, rows.len())
    }

    #[test]
    fn all_rows_arrive_in_order() {
        for count in [0, 1, 7, 1365, 1366, 100_000] {
            let (done, rows) = write(count, usize::MAX);
            assert!(done.is_ok() && rows == count, "{count} rows");
        }
    }

    #[test]
    fn a_failure_is_told() {
        for fails in [0, 3, 2000, 99_999] {
            let (done, rows) = write(100_000, fails);
            assert_eq!(done.map_err(|e| e.to_string()), Err("the disk is full".to_string()));
            assert_eq!(rows, fails);
        }
    }

    #[test]
    fn rows_have_one_width() {
        let told = Told { rows: Arc::default(), fails: usize::MAX };
        let mut writer = Background::new(Box::new(told));
        assert!(writer.push(0.0, &[1.0], &[]).is_ok());
        assert!(writer.push(1.0, &[1.0, 2.0], &[]).is_err());
    }
}
