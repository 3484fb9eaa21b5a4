//! Tables of the compiler: one fast hash without random state. Their order is never looked at.

use std::hash::BuildHasherDefault;

pub type HashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Fx>>;
pub type HashSet<T> = std::collections::HashSet<T, BuildHasherDefault<Fx>>;
/// A table keyed by ids of one arena, of which neighbours are looked up together.
pub type IdMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Neighbours>>;

/// Multiplies and rotates, word by word.
#[derive(Default, Clone)]
pub struct Fx(u64);

impl std::hash::Hasher for Fx {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }
    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

/// Keeps neighbouring ids in neighbouring places, so that a pass over an arena stays within the cache.
#[derive(Default, Clone)]
pub struct Neighbours(u64);

/// Ids that stay together.
const PAGE: u32 = 6;
/// Tables take the place of an entry from the low bits of its hash, and a tag to tell entries apart from the others.
const PLACE: u64 = (1 << 57) - 1;

impl std::hash::Hasher for Neighbours {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        let mut whole = Fx(self.0);
        whole.write(bytes);
        self.0 = whole.finish();
    }
    fn write_u32(&mut self, id: u32) {
        let mut page = Fx::default();
        page.write_u32(id >> PAGE);
        let place = (page.finish() << PAGE) | u64::from(id & ((1 << PAGE) - 1));
        let tag = u64::from(id).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = (place & PLACE) | (tag & !PLACE);
    }
}
