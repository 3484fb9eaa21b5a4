//! Expressions to tapes: shared nodes once, branches lazily.

mod calls;
mod order;
mod past;

use crate::guards::{ALWAYS, Guard, Guards};
use crate::program::Memory;
use crate::routine::Part;
use crate::tape::{Destination, Evaluation, Op, Slot, Step, Tape};
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, Node, Store};

/// An assignment of a tape.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub to: Destination,
    pub value: ExprId,
}

/// Emits the assignments in order. Values that are known to stand somewhere are read from there.
pub fn lower(store: &Store, memory: &mut Memory, known: &ExprMap<Slot>, targets: &[Target]) -> Tape {
    let mut lowering = Lowering::new(store, memory, known);
    lowering.plan(targets);
    lowering.emit(targets);
    let ops = lowering.ops;
    memory.tape(ops)
}

/// What stands in a context, in order.
#[derive(Clone, Copy)]
enum Entry {
    Node(ExprId),
    Target(u32),
}

/// Where a node is computed, and the decisions that all its uses have in common.
#[derive(Clone, Copy, PartialEq)]
struct Place {
    context: u32,
    guard: Guard,
}

const OUTSIDE: Place = Place { context: 0, guard: ALWAYS };

/// A branch of a choice, or the tape itself.
struct Context {
    parent: u32,
    depth: u32,
    guard: Guard,
    entries: Vec<(Guard, Entry)>,
}

/// The target of a jump that is not known yet.
const UNKNOWN: u32 = u32::MAX;

struct Lowering<'a> {
    store: &'a Store,
    memory: &'a mut Memory,
    known: &'a ExprMap<Slot>,
    /// The innermost branch that contains all uses of a node.
    places: ExprMap<Place>,
    /// The first is the tape itself.
    contexts: Vec<Context>,
    guards: Guards,
    branches: ExprMap<(u32, u32)>,
    slots: ExprMap<Slot>,
    /// Numbers that are picked from the result of a call.
    picks: ExprMap<Vec<(Vec<Step>, ExprId)>>,
    results: ExprMap<u32>,
    /// Results of calls whose numbers all stand in slots.
    parts: ExprMap<Part>,
    ops: Vec<Op>,
}

impl<'a> Lowering<'a> {
    fn new(store: &'a Store, memory: &'a mut Memory, known: &'a ExprMap<Slot>) -> Self {
        Lowering {
            store,
            memory,
            known,
            places: ExprMap::default(),
            contexts: vec![Context { parent: 0, depth: 0, guard: ALWAYS, entries: Vec::new() }],
            guards: Guards::default(),
            branches: ExprMap::default(),
            slots: ExprMap::default(),
            picks: ExprMap::default(),
            results: ExprMap::default(),
            parts: ExprMap::default(),
            ops: Vec::new(),
        }
    }

    fn emit(&mut self, targets: &[Target]) {
        // The value of an assignment is computed in place where nothing else claims it.
        for target in targets {
            if let Destination::Number(to) = target.to
                && self.is_operation(target.value)
                && self.places.get(&target.value) == Some(&OUTSIDE)
                && !self.slots.contains_key(&target.value)
                && !self.known.contains_key(&target.value)
            {
                self.slots.insert(target.value, to);
            }
        }
        self.context_body(0, targets);
    }

    /// Does the node write a slot of its own?
    fn is_operation(&self, e: ExprId) -> bool {
        match self.store.node(e) {
            Node::Unary(..) | Node::If(..) | Node::Binary(..) => true,
            Node::Builtin(f, _) => !f.is_transparent(),
            _ => false,
        }
    }

    fn context_body(&mut self, context: u32, targets: &[Target]) {
        let outer = self.contexts[context as usize].guard;
        let entries = std::mem::take(&mut self.contexts[context as usize].entries);
        let mut at = 0;
        while let Some(&(guard, _)) = entries.get(at) {
            let alike = entries[at..].iter().take_while(|(g, _)| *g == guard).count();
            let open = self.open(outer, guard);
            for &(_, entry) in &entries[at..at + alike] {
                self.entry(entry, targets);
            }
            self.close(open);
            at += alike;
        }
    }

    fn entry(&mut self, entry: Entry, targets: &[Target]) {
        match entry {
            Entry::Node(e) => self.node(e, targets),
            Entry::Target(at) => {
                let target = targets[at as usize];
                match target.to {
                    Destination::Number(to) => self.copy(to, target.value),
                    Destination::Other(_) => self.evaluate(target.value, target.to),
                }
            }
        }
    }

    /// Jumps past what follows unless the decisions fall as the guard says; where the jumps begin and end.
    fn open(&mut self, outer: Guard, guard: Guard) -> std::ops::Range<usize> {
        let start = self.ops.len();
        for (condition, holds) in self.guards.beyond(outer, guard) {
            let condition = self.slot(condition);
            let past = self.ops.len() as u32 + 2;
            match holds {
                true => self.ops.push(Op::JumpUnless { condition, target: UNKNOWN }),
                false => {
                    self.ops.push(Op::JumpUnless { condition, target: past });
                    self.ops.push(Op::Jump { target: UNKNOWN });
                }
            }
        }
        start..self.ops.len()
    }

    fn close(&mut self, open: std::ops::Range<usize>) {
        if self.ops.len() == open.end {
            self.ops.truncate(open.start);
        }
        let end = self.ops.len();
        for op in self.ops[open.start.min(end)..open.end.min(end)].iter_mut() {
            if let Op::Jump { target } | Op::JumpUnless { target, .. } = op
                && *target == UNKNOWN
            {
                *target = end as u32;
            }
        }
    }

    fn evaluate(&mut self, expr: ExprId, to: Destination) {
        let site = self.memory.evaluations.len() as u32;
        self.memory.evaluations.push(Evaluation { expr, to });
        self.ops.push(Op::Evaluate { site });
    }

    /// The slot that holds, or is to hold, the value of a node.
    fn slot(&mut self, e: ExprId) -> Slot {
        if let Some(&slot) = self.slots.get(&e).or_else(|| self.known.get(&e)) {
            return slot;
        }
        let slot = match self.store.node(e) {
            Node::Var(v) => self.memory.slot_of[v.index()],
            Node::Time => self.memory.time,
            Node::Relation(r) => self.memory.relations + r.0,
            _ => match self.store.number(e) {
                Some(x) => self.memory.constant(x),
                None => self.memory.slots.scratch(),
            },
        };
        self.slots.insert(e, slot);
        slot
    }

    fn node(&mut self, e: ExprId, targets: &[Target]) {
        if self.known.contains_key(&e) {
            return;
        }
        if self.is_opaque(e) {
            let given = self.given(e);
            let built = self.build(&given, |builder| builder.scalar(e));
            match (built, self.slots.get(&e)) {
                (Ok(slot), None) => {
                    self.slots.insert(e, slot);
                }
                (Ok(a), Some(&to)) => self.ops.push(Op::Copy { to, a }),
                (Err(_), _) => {
                    let to = self.slot(e);
                    self.evaluate(e, Destination::Number(to));
                }
            }
            return;
        }
        match self.store.node(e) {
            Node::Unary(op, a) => {
                let (a, to) = (self.slot(*a), self.slot(e));
                self.ops.push(Op::Unary { op: *op, to, a });
            }
            Node::Binary(op, a, b) => {
                let (a, b, to) = (self.slot(*a), self.slot(*b), self.slot(e));
                self.ops.push(Op::Binary { op: op.scalar(), to, a, b });
            }
            &Node::If(c, a, b) => {
                let Some(&(yes, no)) = self.branches.get(&e) else { return };
                let (condition, to) = (self.slot(c), self.slot(e));
                let start = self.ops.len();
                self.ops.push(Op::JumpUnless { condition, target: 0 });
                self.context_body(yes, targets);
                self.copy(to, a);
                let middle = self.ops.len();
                self.ops.push(Op::Jump { target: 0 });
                self.ops[start] = Op::JumpUnless { condition, target: middle as u32 + 1 };
                self.context_body(no, targets);
                self.copy(to, b);
                self.ops[middle] = Op::Jump { target: self.ops.len() as u32 };
            }
            Node::Builtin(f, args) => self.builtin(e, *f, &args.clone()),
            Node::Call(f, args) => self.call(e, *f, &args.clone()),
            _ => {}
        }
    }

    fn copy(&mut self, to: Slot, e: ExprId) {
        let a = self.slot(e);
        if a != to {
            self.ops.push(Op::Copy { to, a });
        }
    }

    fn builtin(&mut self, e: ExprId, f: Builtin, args: &[ExprId]) {
        match (f, args) {
            (Builtin::ToReal | Builtin::Ordinal | Builtin::EnumOf | Builtin::NoEvent, &[a]) => {
                let a = self.slot(a);
                self.slots.insert(e, a);
            }
            (Builtin::Smooth, &[_, a]) => {
                let a = self.slot(a);
                self.slots.insert(e, a);
            }
            (Builtin::SemiLinear, &[x, up, down]) => {
                let (x, up, down) = (self.slot(x), self.slot(up), self.slot(down));
                let (zero, test, to) = (self.memory.constant(0.0), self.memory.slots.scratch(), self.slot(e));
                self.ops.push(Op::Binary { op: BinOp::Ge, to: test, a: x, b: zero });
                let at = self.ops.len() as u32;
                self.ops.push(Op::JumpUnless { condition: test, target: at + 3 });
                self.ops.push(Op::Binary { op: BinOp::Mul, to, a: up, b: x });
                self.ops.push(Op::Jump { target: at + 4 });
                self.ops.push(Op::Binary { op: BinOp::Mul, to, a: down, b: x });
            }
            (Builtin::Delay, _) => self.delay(args, e),
            (Builtin::SpatialDistribution, _) => self.transport(args, e),
            (f, &[a]) => {
                let (a, to) = (self.slot(a), self.slot(e));
                self.ops.push(Op::Function1 { f, to, a });
            }
            (f, &[a, b]) => {
                let (a, b, to) = (self.slot(a), self.slot(b), self.slot(e));
                self.ops.push(Op::Function2 { f, to, a, b });
            }
            _ => {}
        }
    }
}
