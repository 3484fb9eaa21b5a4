//! A memory of numbers while it is laid out: constants once, scratch values marked, blocks that are indexed.

use crate::tape::Slot;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    /// Others than the tape that writes it may read it.
    Named,
    /// Of no interest outside the tape that writes it.
    Scratch,
    Constant,
}

/// The numbers of a program, or of one run of a routine.
#[derive(Clone, Default, Debug)]
pub struct Slots {
    /// What to start from, constants in place.
    pub image: Vec<f64>,
    kinds: Vec<Kind>,
    constants: BTreeMap<u64, Slot>,
    /// First slot and length of what `Load` and `Store` may address, ascending.
    blocks: Vec<(Slot, u32)>,
}

impl Hash for Slots {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.image.iter().for_each(|number| number.to_bits().hash(state));
        // The table of constants says nothing else.
        (&self.kinds, &self.blocks).hash(state);
    }
}

impl Slots {
    fn push(&mut self, value: f64, kind: Kind) -> Slot {
        self.image.push(value);
        self.kinds.push(kind);
        self.image.len() as Slot - 1
    }

    pub fn temporary(&mut self) -> Slot {
        self.push(0.0, Kind::Named)
    }

    pub fn scratch(&mut self) -> Slot {
        self.push(0.0, Kind::Scratch)
    }

    pub fn constant(&mut self, value: f64) -> Slot {
        let key = value.to_bits();
        if let Some(&slot) = self.constants.get(&key) {
            return slot;
        }
        let slot = self.push(value, Kind::Constant);
        self.constants.insert(key, slot);
        slot
    }

    /// Slots in a row that can be indexed.
    pub fn block(&mut self, length: usize) -> Slot {
        let first = self.image.len() as Slot;
        for _ in 0..length {
            self.scratch();
        }
        self.blocks.push((first, length as u32));
        first
    }

    /// Constants in a row that can be indexed.
    pub fn constant_block(&mut self, values: &[f64]) -> Slot {
        let first = self.image.len() as Slot;
        for &value in values {
            self.push(value, Kind::Constant);
        }
        self.blocks.push((first, values.len() as u32));
        first
    }

    /// The block that a slot lies in.
    pub fn block_of(&self, slot: Slot) -> Option<(Slot, u32)> {
        let after = self.blocks.partition_point(|b| b.0 <= slot);
        let (first, length) = *self.blocks.get(after.checked_sub(1)?)?;
        (slot < first + length).then_some((first, length))
    }

    pub fn value(&self, slot: Slot) -> Option<f64> {
        (self.kinds[slot as usize] == Kind::Constant).then(|| self.image[slot as usize])
    }

    pub fn is_scratch(&self, slot: Slot) -> bool {
        self.kinds[slot as usize] == Kind::Scratch
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.image.len()
    }

    pub fn is_empty(&self) -> bool {
        self.image.is_empty()
    }

    /// Forgets what was added since there were `length` slots.
    pub fn truncate(&mut self, length: usize) {
        if length >= self.len() {
            return;
        }
        self.image.truncate(length);
        self.kinds.truncate(length);
        self.constants.retain(|_, slot| (*slot as usize) < length);
        self.blocks.retain(|b| (b.0 as usize) < length);
    }
}
