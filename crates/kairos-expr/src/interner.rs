//! Finds the expression that a node already is: a table of ids beside the arena that holds the nodes.

use crate::hash::Fx;
use crate::{ExprId, Node, TypeId};
use hashbrown::HashTable;
use std::hash::{Hash, Hasher};

/// Ids by the hash of what they stand for. The hash is kept beside the id, so that the table grows, and most lookups
/// miss, without touching a node.
#[derive(Default, Clone)]
pub struct Interner(HashTable<(u32, ExprId)>);

impl Interner {
    pub fn hash(node: &Node, ty: TypeId) -> u32 {
        let mut state = Fx::default();
        node.hash(&mut state);
        ty.hash(&mut state);
        (state.finish() >> 32) as u32
    }

    pub fn find(&self, hash: u32, is_same: impl Fn(ExprId) -> bool) -> Option<ExprId> {
        self.0.find(spread(hash), |&(h, id)| h == hash && is_same(id)).map(|&(_, id)| id)
    }

    /// Adds an id that `find` does not yield.
    pub fn insert(&mut self, hash: u32, id: ExprId) {
        self.0.insert_unique(spread(hash), (hash, id), |&(h, _)| spread(h));
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// The table takes its buckets from the low bits and its tags from the high ones.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
