//! A table that grows without moving what it holds.

use std::ops::{Index, IndexMut};

/// Values in blocks of equal size: a large table takes no second copy of itself while it grows, and no more room than
/// it needs.
pub struct Arena<T> {
    blocks: Vec<Vec<T>>,
}

/// Values to a block, as a power of two.
const BLOCK: u32 = 10;
const WITHIN: usize = (1 << BLOCK) - 1;

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { blocks: Vec::new() }
    }
}

impl<T> Arena<T> {
    pub fn len(&self) -> usize {
        self.blocks.last().map_or(0, |last| (self.blocks.len() - 1) * (WITHIN + 1) + last.len())
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub fn push(&mut self, value: T) {
        match self.blocks.last_mut() {
            Some(last) if last.len() <= WITHIN => last.push(value),
            _ => {
                // The first block serves small tables, and grows as they need.
                let room = if self.blocks.is_empty() { 1 } else { WITHIN + 1 };
                let mut block = Vec::with_capacity(room);
                block.push(value);
                self.blocks.push(block);
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flatten()
    }
}

impl<T> Index<usize> for Arena<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        &self.blocks[at >> BLOCK][at & WITHIN]
    }
}

impl<T> IndexMut<usize> for Arena<T> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut self.blocks[at >> BLOCK][at & WITHIN]
    }
}
