//! Finds the expression that a node already is: tables of ids beside the arena that holds the nodes.

use crate::{ExprId, Node, Sub, TypeId, VarId};
use hashbrown::HashTable;
use kairos_base::hash::{Fx, HashMap};
use std::hash::{Hash, Hasher};

/// An operation is found among the users of its youngest operand: what is made together stands together in memory, and
/// a pass over equations stays within the cache however many there are. Operands with many users, literals and rare
/// kinds of nodes are hashed; the hash is kept beside the id, so that the table grows, and most lookups miss, without
/// touching a node. Variables and natural numbers have tables without a hash, since they are dense.
#[derive(Default, Clone)]
pub struct Interner {
    users: Vec<Users>,
    hashed: HashTable<(u32, ExprId)>,
    variables: Numbered,
    naturals: Numbered,
}

/// The operations of which an expression is the youngest operand, as a list through the operations themselves.
#[derive(Default, Clone, Copy)]
struct Users {
    last: Option<ExprId>,
    /// For an operation that is on such a list: the one before.
    before: Option<ExprId>,
}

/// Where a node belongs that is not there yet.
#[derive(Clone, Copy)]
pub enum Place {
    Variable(VarId),
    Natural(u32),
    UserOf(ExprId),
    Hashed(u32),
}

/// Users of an operand on its list; further ones are hashed.
const LISTED: usize = 8;

/// Ids by numbers that come in long rows, in pages.
#[derive(Default, Clone)]
struct Numbered(HashMap<u32, Box<[Option<ExprId>; PAGE]>>);

/// Numbers to a page.
const PAGE: usize = 256;

impl Numbered {
    fn get(&self, number: u32) -> Option<ExprId> {
        self.0.get(&(number / PAGE as u32)).and_then(|page| page[number as usize % PAGE])
    }

    fn slot(&mut self, number: u32) -> &mut Option<ExprId> {
        let page = self.0.entry(number / PAGE as u32).or_insert_with(|| Box::new([None; PAGE]));
        &mut page[number as usize % PAGE]
    }
}

impl Interner {
    pub fn variable(&self, var: VarId) -> Option<ExprId> {
        self.variables.get(var.0)
    }

    /// Makes room for so many operations.
    pub fn reserve(&mut self, count: usize) {
        self.users.reserve(count);
    }

    /// The expression that a node is, or else where to insert it.
    pub fn find(&self, node: &Node, ty: TypeId, is_same: impl Fn(ExprId) -> bool) -> Result<ExprId, Place> {
        let numbered = match *node {
            Node::Var(var) => Some((self.variables.get(var.0), Place::Variable(var))),
            Node::Int(i) => u32::try_from(i).ok().map(|n| (self.naturals.get(n), Place::Natural(n))),
            _ => None,
        };
        match numbered {
            Some((None, place)) => return Err(place),
            Some((Some(known), _)) if is_same(known) => return Ok(known),
            // The same under another type is rare enough to be hashed.
            _ => {}
        }
        if let Some(operand) = youngest(node) {
            let mut next = self.users.get(operand.index()).and_then(|users| users.last);
            for _ in 0..LISTED {
                match next {
                    None => return Err(Place::UserOf(operand)),
                    Some(user) if is_same(user) => return Ok(user),
                    Some(user) => next = self.users[user.index()].before,
                }
            }
        }
        let hash = hash(node, ty);
        let known = self.hashed.find(spread(hash), |&(h, id)| h == hash && is_same(id));
        known.map(|&(_, id)| id).ok_or(Place::Hashed(hash))
    }

    /// Adds an id where `find` has not found it.
    pub fn insert(&mut self, place: Place, id: ExprId) {
        match place {
            Place::Variable(var) => *self.variables.slot(var.0) = Some(id),
            Place::Natural(number) => *self.naturals.slot(number) = Some(id),
            Place::UserOf(operand) => {
                if self.users.len() <= id.index() {
                    self.users.resize(id.index() + 1, Users::default());
                }
                self.users[id.index()].before = self.users[operand.index()].last.replace(id);
            }
            Place::Hashed(hash) => {
                self.hashed.insert_unique(spread(hash), (hash, id), |&(h, _)| spread(h));
            }
        }
    }
}

/// The operand with the highest id, for kinds of nodes that there may be many of.
fn youngest(node: &Node) -> Option<ExprId> {
    match node {
        Node::Unary(_, a) | Node::Item(a, _) | Node::Field(a, _) => Some(*a),
        Node::Binary(_, a, b) => Some(*a.max(b)),
        Node::If(a, b, c) => Some(*a.max(b).max(c)),
        Node::Builtin(_, args) | Node::Call(_, args) | Node::Record(_, args) => args.iter().max().copied(),
        Node::Index(a, subs) => {
            let at = subs.iter().filter_map(|sub| if let Sub::At(i) = sub { Some(*i) } else { None });
            at.max().max(Some(*a))
        }
        _ => None,
    }
}

/// Bits of a hash that tell the nodes of one neighbourhood apart.
const TAG: u32 = 10;
/// Bits of a place in the table within its neighbourhood.
const WITHIN: u32 = 6;
/// Operands that differ in this many low bits only are neighbours.
const NEAR: u32 = 5;

/// Above `TAG` bits for where a node belongs, below for the node itself.
fn hash(node: &Node, ty: TypeId) -> u32 {
    let mut state = Fx::default();
    node.hash(&mut state);
    ty.hash(&mut state);
    let own = state.finish() >> 32;
    let place = neighbourhood(node).unwrap_or(own);
    ((place << TAG) | (own & ((1 << TAG) - 1))) as u32
}

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
    state.write_u64(u64::from(first.number() >> NEAR) << 32 | u64::from(last.number() >> NEAR));
    Some(state.finish() >> 32)
}

/// The table takes its buckets from the low bits and its tags from the high ones.
fn spread(hash: u32) -> u64 {
    let hash = u64::from(hash);
    let bucket = (hash >> TAG) << WITHIN | hash & ((1 << WITHIN) - 1);
    bucket | (hash << (64 - TAG))
}
