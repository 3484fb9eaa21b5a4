//! Chains of decisions under which a value is needed.

use kairos_base::hash::HashMap;
use kairos_expr::ExprId;

/// A chain: the decisions of another one, then one more. The first is empty.
pub type Guard = u32;

pub const ALWAYS: Guard = 0;

#[derive(Clone, Copy)]
struct Link {
    before: Guard,
    depth: u32,
    condition: ExprId,
    holds: bool,
}

/// All chains of a tape, equal ones once: branches of different choices under the same conditions have the same guard.
#[derive(Default)]
pub struct Guards {
    links: Vec<Link>,
    known: HashMap<(Guard, ExprId, bool), Guard>,
}

impl Guards {
    pub fn extend(&mut self, before: Guard, condition: ExprId, holds: bool) -> Guard {
        let depth = self.depth(before) + 1;
        let links = &mut self.links;
        *self.known.entry((before, condition, holds)).or_insert_with(|| {
            links.push(Link { before, depth, condition, holds });
            links.len() as Guard
        })
    }

    /// The decisions that two chains share.
    pub fn common(&self, mut a: Guard, mut b: Guard) -> Guard {
        while a != b {
            match self.depth(a) >= self.depth(b) {
                true => a = self.link(a).before,
                false => b = self.link(b).before,
            }
        }
        a
    }

    /// The decisions of `guard` after those of `outer`, with which it begins.
    pub fn beyond(&self, outer: Guard, mut guard: Guard) -> Vec<(ExprId, bool)> {
        let mut list = Vec::new();
        while self.depth(guard) > self.depth(outer) {
            let link = self.link(guard);
            list.push((link.condition, link.holds));
            guard = link.before;
        }
        list.reverse();
        list
    }

    fn link(&self, guard: Guard) -> Link {
        self.links[guard as usize - 1]
    }

    fn depth(&self, guard: Guard) -> u32 {
        if guard == ALWAYS { 0 } else { self.link(guard).depth }
    }
}
