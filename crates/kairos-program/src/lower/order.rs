//! Where each node is computed: the order of nodes, and the innermost branch that contains all uses of one.

use super::{Context, Entry, Lowering, OUTSIDE, Place, Target};
use crate::guards::ALWAYS;
use crate::tape::{Destination, Step};
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, Node, Scalar, Shape, Sub};

impl Lowering<'_> {
    /// The operands that the tape needs before a node; composite arguments of calls are looked through.
    pub(super) fn operands(&self, e: ExprId, out: &mut Vec<ExprId>) {
        match self.store.node(e) {
            _ if self.known.contains_key(&e) => {}
            Node::Call(_, args) => args.iter().for_each(|&a| self.composite_operands(a, false, out)),
            Node::Item(..) | Node::Field(..) | Node::Index(..) => match self.pick(e) {
                Some((call, _)) => out.push(call),
                None => self.parts_operands(e, false, out),
            },
            _ if self.is_opaque(e) => self.parts_operands(e, false, out),
            Node::Builtin(Builtin::ToReal | Builtin::Ordinal | Builtin::EnumOf | Builtin::NoEvent, args) => {
                out.push(args[0])
            }
            Node::Builtin(Builtin::Smooth, args) => out.push(args[1]),
            Node::Builtin(Builtin::Delay, args) => out.extend(&args[..2]),
            Node::Builtin(Builtin::SpatialDistribution, args) => {
                out.extend(&args[..4]);
                out.push(self.at_outlet(args));
            }
            _ => self.store.children(e, |c| out.push(c)),
        }
    }

    /// The numbers and calls that a composite value is made of; in a loop over iterators those that do not read them.
    pub(super) fn composite_operands(&self, a: ExprId, looped: bool, out: &mut Vec<ExprId>) {
        match self.store.node(a) {
            _ if looped && self.reads_iterator(a) => self.parts_operands(a, looped, out),
            Node::Call(..) => out.push(a),
            _ if self.is_number(a) => out.push(a),
            _ => self.parts_operands(a, looped, out),
        }
    }

    pub(super) fn parts_operands(&self, e: ExprId, looped: bool, out: &mut Vec<ExprId>) {
        match *self.store.node(e) {
            // Branches are lowered where they are taken.
            Node::If(c, ..) => self.composite_operands(c, looped, out),
            Node::Comprehension(..) | Node::Reduce(..) => {
                self.store.children(e, |c| self.composite_operands(c, true, out));
            }
            _ => self.store.children(e, |c| self.composite_operands(c, looped, out)),
        }
    }

    pub(super) fn reads_iterator(&self, e: ExprId) -> bool {
        match self.store.node(e) {
            Node::Iter(_) => true,
            Node::Comprehension(..) | Node::Reduce(..) => false,
            _ => {
                let mut found = false;
                self.store.children(e, |c| found |= self.reads_iterator(c));
                found
            }
        }
    }

    pub(super) fn is_number(&self, e: ExprId) -> bool {
        let ty = self.store.ty(e);
        ty.is_scalar() && matches!(ty.scalar, Scalar::Real | Scalar::Int | Scalar::Bool | Scalar::Enum(_))
    }

    /// Nothing that the tape can do.
    pub(super) fn is_opaque(&self, e: ExprId) -> bool {
        match self.store.node(e) {
            Node::Binary(_, a, b) => !self.is_number(*a) || !self.is_number(*b),
            Node::Builtin(f, args) => match f {
                _ if f.is_transparent() => false,
                Builtin::Delay | Builtin::SpatialDistribution | Builtin::SemiLinear => false,
                _ => !f.is_numeric() || args.len() > 2 || !args.iter().all(|&a| self.is_number(a)),
            },
            Node::Item(..) | Node::Field(..) | Node::Index(..) => self.pick(e).is_none(),
            Node::Reduce(..) | Node::CallValue(..) => true,
            Node::If(c, a, b) => !self.is_number(*c) || !self.is_number(*a) || !self.is_number(*b),
            _ => false,
        }
    }

    /// The call that a selection starts from and the way to the number.
    pub(super) fn pick(&self, e: ExprId) -> Option<(ExprId, Vec<Step>)> {
        let mut steps = Vec::new();
        let mut here = e;
        loop {
            match self.store.node(here) {
                Node::Call(..) => {
                    steps.reverse();
                    return Some((here, steps));
                }
                Node::Item(a, k) => {
                    steps.push(Step::Item(*k));
                    here = *a;
                }
                Node::Field(a, k) => {
                    steps.push(Step::Field(*k));
                    here = *a;
                }
                Node::Index(a, subs) => {
                    let sizes = self.store.ty(*a).dims.iter().map(|d| d.known()).collect::<Vec<_>>();
                    let mut flat = 0i64;
                    if subs.len() != sizes.len() {
                        return None;
                    }
                    for (k, sub) in subs.iter().enumerate() {
                        let Sub::At(i) = sub else { return None };
                        let Node::Int(i) = *self.store.node(*i) else { return None };
                        // The first dimension does not enter the position of an element.
                        let size = if k == 0 { 0 } else { sizes[k]? as i64 };
                        flat = flat * size + i - 1;
                    }
                    steps.push(Step::Element(u32::try_from(flat).ok()?));
                    here = *a;
                }
                _ => return None,
            }
        }
    }

    /// All nodes of the targets, operands first, each target's nodes after those of the targets before.
    pub(super) fn order(&self, targets: &[Target]) -> Vec<Entry> {
        let plain = self.post_order(targets, &ExprMap::default());
        // A call leaves nothing in the registers: operands that need one come before the others.
        let mut calling: ExprMap<()> = ExprMap::default();
        let mut operands = Vec::new();
        for entry in &plain {
            if let Entry::Node(e) = *entry {
                operands.clear();
                self.operands(e, &mut operands);
                if self.is_call(e) || !calling.is_empty() && operands.iter().any(|c| calling.contains_key(c))
                {
                    calling.insert(e, ());
                }
            }
        }
        if calling.is_empty() { plain } else { self.post_order(targets, &calling) }
    }

    pub(super) fn post_order(&self, targets: &[Target], first: &ExprMap<()>) -> Vec<Entry> {
        let mut order = Vec::new();
        let mut state: ExprMap<bool> = ExprMap::default();
        let mut operands = Vec::new();
        for (at, target) in targets.iter().enumerate() {
            if let Destination::Number(_) = target.to {
                let mut stack = vec![target.value];
                while let Some(&e) = stack.last() {
                    match state.get(&e) {
                        Some(done) => {
                            if !done {
                                order.push(Entry::Node(e));
                                state.insert(e, true);
                            }
                            stack.pop();
                        }
                        None => {
                            state.insert(e, false);
                            operands.clear();
                            self.operands(e, &mut operands);
                            // A condition stays before what depends on it.
                            if !first.is_empty() && !matches!(self.store.node(e), Node::If(..)) {
                                operands.sort_by_key(|c| !first.contains_key(c));
                            }
                            stack.extend(operands.iter().rev().filter(|c| !state.contains_key(c)));
                        }
                    }
                }
            }
            order.push(Entry::Target(at as u32));
        }
        order
    }

    /// Does the node become a call of a function in native code?
    pub(super) fn is_call(&self, e: ExprId) -> bool {
        match self.store.node(e) {
            Node::Call(..) => true,
            Node::Binary(BinOp::Pow | BinOp::ElementPow, _, b) => {
                self.store.number(*b).is_none_or(|b| b.fract() != 0.0)
            }
            // Whole and absolute values, `min` and `max` have instructions, as the square root has.
            Node::Builtin(f, _) => {
                let row = f.row();
                f.is_numeric() && row.shape == Shape::Real && !row.event && *f != Builtin::Sqrt
            }
            _ => false,
        }
    }

    pub(super) fn plan(&mut self, targets: &[Target]) {
        let order = self.order(targets);
        let mut operands = Vec::new();
        for entry in order.iter().rev() {
            match *entry {
                Entry::Target(at) => {
                    if let Destination::Number(_) = targets[at as usize].to {
                        self.used(targets[at as usize].value, OUTSIDE);
                    }
                }
                Entry::Node(e) => {
                    let here = self.place(e);
                    if let Node::If(c, a, b) = *self.store.node(e)
                        && !self.is_opaque(e)
                        && !self.known.contains_key(&e)
                    {
                        let (yes, no) = (self.branch(here, c, true), self.branch(here, c, false));
                        self.branches.insert(e, (yes.context, no.context));
                        self.used(c, here);
                        self.used(a, yes);
                        self.used(b, no);
                        continue;
                    }
                    if let Some((call, steps)) = self.pick(e)
                        && call != e
                    {
                        self.picks.or_insert_with(call, Vec::new).push((steps, e));
                    }
                    operands.clear();
                    self.operands(e, &mut operands);
                    for &c in &operands {
                        self.used(c, here);
                    }
                }
            }
        }
        // A call may be dear, or fail: it is made only where its value is needed, though choices between other values
        // under the same conditions share it. All else is computed as soon as two branches need it.
        let mut calls: ExprMap<()> = ExprMap::default();
        for entry in order {
            let Entry::Node(e) = entry else {
                self.contexts[0].entries.push((ALWAYS, entry));
                continue;
            };
            operands.clear();
            self.operands(e, &mut operands);
            let careful = matches!(self.store.node(e), Node::Call(..))
                || self.is_opaque(e)
                || !calls.is_empty() && operands.iter().any(|c| calls.contains_key(c));
            if careful {
                calls.insert(e, ());
            }
            let place = self.place(e);
            let context = &mut self.contexts[place.context as usize];
            context.entries.push((if careful { place.guard } else { context.guard }, entry));
        }
    }

    pub(super) fn place(&self, e: ExprId) -> Place {
        self.places.get(&e).copied().unwrap_or(OUTSIDE)
    }

    pub(super) fn branch(&mut self, parent: Place, condition: ExprId, holds: bool) -> Place {
        let depth = self.contexts[parent.context as usize].depth + 1;
        let guard = self.guards.extend(parent.guard, condition, holds);
        self.contexts.push(Context { parent: parent.context, depth, guard, entries: Vec::new() });
        Place { context: self.contexts.len() as u32 - 1, guard }
    }

    pub(super) fn used(&mut self, e: ExprId, place: Place) {
        let new = match self.places.get(&e) {
            None => place,
            Some(&old) if old == place => return,
            Some(&old) => Place {
                context: self.common(old.context, place.context),
                guard: self.guards.common(old.guard, place.guard),
            },
        };
        self.places.insert(e, new);
    }

    pub(super) fn common(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            let (left, right) = (&self.contexts[a as usize], &self.contexts[b as usize]);
            match left.depth >= right.depth {
                true => a = left.parent,
                false => b = right.parent,
            }
        }
        a
    }
}
