//! The changing part of an evaluation by cells: which of them have to run.

use serde::{Deserialize, Serialize};

/// Cells that wait, and what is known about the others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Wave {
    /// Cells that have to run, a bit for each.
    waiting: Vec<u64>,
    /// No word before this one has a bit.
    low: usize,
    /// Waits because something that it reads has changed.
    pushed: Vec<bool>,
    /// The point at which a cell last gave numbers that move.
    stamps: Vec<u32>,
    pub point: u32,
    /// Numbers of the writes that have changed since left limits were taken; states follow them.
    pub touched: Vec<u32>,
    /// Cells that have run since then. Another evaluation of the same left limits runs them again: what they ask for
    /// beyond values is told anew.
    pub ran: Vec<u32>,
    pub old: Vec<f64>,
    pub stack: Vec<u32>,
    pub pulled: Vec<u32>,
    /// Evaluations follow what the present event reaches.
    pub focused: bool,
    /// Values were set from outside: only an evaluation of everything makes them consistent.
    pub lost: bool,
    /// Everything was evaluated since the instants of time relations were last asked for.
    pub whole: bool,
    /// Events that islands have had.
    pub looped: u32,
    /// Samplers that tick at this event.
    pub samplers: Vec<u32>,
}

impl Wave {
    pub fn new(cells: usize) -> Self {
        Self {
            waiting: vec![0; cells.div_ceil(64)],
            pushed: vec![false; cells],
            stamps: vec![0; cells],
            point: 1,
            lost: true,
            whole: true,
            ..Self::default()
        }
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.pushed.len()
    }

    pub fn push(&mut self, cells: &[u32]) {
        for &cell in cells {
            let word = cell as usize / 64;
            self.waiting[word] |= 1 << (cell % 64);
            self.low = self.low.min(word);
            self.pushed[cell as usize] = true;
        }
    }

    /// The first cell that waits.
    pub fn first(&mut self) -> Option<u32> {
        while let Some(&word) = self.waiting.get(self.low) {
            if word != 0 {
                return Some(self.low as u32 * 64 + word.trailing_zeros());
            }
            self.low += 1;
        }
        None
    }

    /// Takes a cell out; had something that it reads changed?
    pub fn take(&mut self, cell: u32) -> bool {
        self.waiting[cell as usize / 64] &= !(1 << (cell % 64));
        std::mem::take(&mut self.pushed[cell as usize])
    }

    /// Takes out the cells from `start` on, in order.
    pub fn drain_from(&mut self, start: u32, mut visit: impl FnMut(u32)) {
        if self.first().is_none() {
            return;
        }
        for word in start as usize / 64..self.waiting.len() {
            let mut bits = self.waiting[word];
            if word == start as usize / 64 {
                bits &= u64::MAX << (start % 64);
            }
            self.waiting[word] &= !bits;
            while bits != 0 {
                let cell = word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                self.pushed[cell as usize] = false;
                visit(cell);
            }
        }
    }

    /// Nothing waits.
    pub fn clear(&mut self) {
        if self.first().is_some() {
            self.drain_from(0, |_| ());
        }
        self.touched.clear();
        self.low = self.waiting.len();
    }

    /// Everything is evaluated: nothing waits, and any instant of a time relation may be another.
    pub fn begin_whole(&mut self) {
        self.clear();
        (self.lost, self.whole) = (false, true);
    }

    /// Time or states are others: what moves has to be computed again.
    pub fn moved(&mut self) {
        self.point = self.point.wrapping_add(1);
    }

    pub fn is_present(&self, cell: u32) -> bool {
        self.stamps[cell as usize] == self.point
    }

    pub fn set_present(&mut self, cell: u32) {
        self.stamps[cell as usize] = self.point;
    }
}
