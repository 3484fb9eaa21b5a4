//! Finds the expression that a node already is: tables of ids beside the arena that holds the nodes.

use crate::{ExprId, Node, Sub, TypeId, VarId};
use hashbrown::HashTable;
use kairos_base::hash::{Fx, HashMap};
use std::hash::{Hash, Hasher};

/// Ids by the hash of what they stand for. The hash is kept beside the id, so that the table grows, and most lookups
/// miss, without touching a node. Variables have tables without a hash, since their ids are dense.
#[derive(Default, Clone)]
pub struct Interner {
    operations: HashTable<(u32, ExprId)>,
    variables: HashMap<u32, Box<[Option<ExprId>; VARS]>>,
}

/// Variables to a table.
const VARS: usize = 256;

impl Interner {
    pub fn variable(&self, var: VarId) -> Option<ExprId> {
        self.variables.get(&(var.0 / VARS as u32)).and_then(|page| page[var.index() % VARS])
    }

    pub fn insert_variable(&mut self, var: VarId, id: ExprId) {
        let page = self.variables.entry(var.0 / VARS as u32).or_insert_with(|| Box::new([None; VARS]));
        page[var.index() % VARS] = Some(id);
    }

    /// Above `TAG` bits for where a node belongs, below for the node itself.
    pub fn hash(node: &Node, ty: TypeId) -> u32 {
        let mut state = Fx::default();
        node.hash(&mut state);
        ty.hash(&mut state);
        let own = state.finish() >> 32;
        let place = neighbourhood(node).unwrap_or(own);
        ((place << TAG) | (own & ((1 << TAG) - 1))) as u32
    }

    pub fn find(&self, hash: u32, is_same: impl Fn(ExprId) -> bool) -> Option<ExprId> {
        self.operations.find(spread(hash), |&(h, id)| h == hash && is_same(id)).map(|&(_, id)| id)
    }

    /// Adds an id that `find` does not yield.
    pub fn insert(&mut self, hash: u32, id: ExprId) {
        self.operations.insert_unique(spread(hash), (hash, id), |&(h, _)| spread(h));
    }
}

/// Bits of a hash that tell the nodes of one neighbourhood apart.
const TAG: u32 = 10;
/// Bits of a place in the table within its neighbourhood.
const WITHIN: u32 = 6;
/// Operands that differ in this many low bits only are neighbours.
const NEAR: u32 = 5;

/// Equal for operations on neighbouring operands: a pass over equations makes and meets these one after the other, and
/// finds them in the same lines of the cache.
///
/// Two operands count where there are several, so that those of a popular one are still spread.
fn neighbourhood(node: &Node) -> Option<u64> {
    let (kind, first, last) = match node {
        Node::Unary(_, a) => (1, a, a),
        Node::Binary(_, a, b) => (2, a, b),
        Node::If(_, a, b) => (3, a, b),
        Node::Builtin(_, args) => (4, args.first()?, args.last()?),
        Node::Index(a, subs) => match subs.last()? {
            Sub::At(i) => (5, a, i),
            Sub::All => return None,
        },
        Node::Call(_, args) => (6, args.first()?, args.last()?),
        _ => return None,
    };
    let mut state = Fx::default();
    state.write_u32(kind);
    state.write_u64(u64::from(first.0 >> NEAR) << 32 | u64::from(last.0 >> NEAR));
    Some(state.finish() >> 32)
}

/// The table takes its buckets from the low bits and its tags from the high ones.
fn spread(hash: u32) -> u64 {
    let hash = u64::from(hash);
    let bucket = (hash >> TAG) << WITHIN | hash & ((1 << WITHIN) - 1);
    bucket | (hash << (64 - TAG))
}
