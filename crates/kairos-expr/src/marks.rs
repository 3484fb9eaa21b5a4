//! Which expressions a walk has seen, in memory that walks hand on to each other.

use crate::ExprId;
use std::cell::RefCell;

/// How far a walk has come with a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    New,
    Entered,
    Done,
}

/// One stamp a node; a new walk takes a new stamp, so that a walk over few nodes of a large store costs only those.
#[derive(Default)]
struct Stamps {
    last: u32,
    of: Vec<u32>,
}

thread_local! {
    /// Walks within walks each have their own.
    static IDLE: RefCell<Vec<Stamps>> = const { RefCell::new(Vec::new()) };
}

/// The marks of one walk.
pub struct Marks(Stamps);

impl Marks {
    /// Marks for the expressions with ids below `count`, all new.
    pub fn borrow(count: usize) -> Marks {
        let mut stamps = IDLE.with_borrow_mut(Vec::pop).unwrap_or_default();
        if stamps.last > u32::MAX - 4 {
            stamps = Stamps::default();
        }
        stamps.last += 2;
        if stamps.of.len() < count {
            stamps.of.resize(count.next_power_of_two(), 0);
        }
        Marks(stamps)
    }

    pub fn get(&self, e: ExprId) -> Mark {
        match self.0.of[e.index()].checked_sub(self.0.last) {
            None => Mark::New,
            Some(0) => Mark::Entered,
            Some(_) => Mark::Done,
        }
    }

    pub fn set(&mut self, e: ExprId, mark: Mark) {
        self.0.of[e.index()] = match mark {
            Mark::New => 0,
            Mark::Entered => self.0.last,
            Mark::Done => self.0.last + 1,
        };
    }
}

impl Drop for Marks {
    fn drop(&mut self) {
        IDLE.with_borrow_mut(|idle| idle.push(std::mem::take(&mut self.0)));
    }
}
