//! Expressions to tapes: shared nodes once, branches lazily.

mod past;

use crate::guards::{ALWAYS, Guard, Guards};
use crate::program::Memory;
use crate::routine::{Builder, Fallback, Invocation, Lowered, Part, Refusal, of_type};
use crate::tape::{Argument, CallSite, Destination, Evaluation, Op, Slot, Step, Tape};
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, FunctionId, Node, Scalar, Shape, Store, Sub};

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

    /// The operands that the tape needs before a node; composite arguments of calls are looked through.
    fn operands(&self, e: ExprId, out: &mut Vec<ExprId>) {
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
    fn composite_operands(&self, a: ExprId, looped: bool, out: &mut Vec<ExprId>) {
        match self.store.node(a) {
            _ if looped && self.reads_iterator(a) => self.parts_operands(a, looped, out),
            Node::Call(..) => out.push(a),
            _ if self.is_number(a) => out.push(a),
            _ => self.parts_operands(a, looped, out),
        }
    }

    fn parts_operands(&self, e: ExprId, looped: bool, out: &mut Vec<ExprId>) {
        match *self.store.node(e) {
            // Branches are lowered where they are taken.
            Node::If(c, ..) => self.composite_operands(c, looped, out),
            Node::Comprehension(..) | Node::Reduce(..) => {
                self.store.children(e, |c| self.composite_operands(c, true, out));
            }
            _ => self.store.children(e, |c| self.composite_operands(c, looped, out)),
        }
    }

    fn reads_iterator(&self, e: ExprId) -> bool {
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

    fn is_number(&self, e: ExprId) -> bool {
        let ty = self.store.ty(e);
        ty.is_scalar() && matches!(ty.scalar, Scalar::Real | Scalar::Int | Scalar::Bool | Scalar::Enum(_))
    }

    /// Nothing that the tape can do.
    fn is_opaque(&self, e: ExprId) -> bool {
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
    fn pick(&self, e: ExprId) -> Option<(ExprId, Vec<Step>)> {
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
    fn order(&self, targets: &[Target]) -> Vec<Entry> {
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

    fn post_order(&self, targets: &[Target], first: &ExprMap<()>) -> Vec<Entry> {
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
    fn is_call(&self, e: ExprId) -> bool {
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

    fn plan(&mut self, targets: &[Target]) {
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

    fn place(&self, e: ExprId) -> Place {
        self.places.get(&e).copied().unwrap_or(OUTSIDE)
    }

    fn branch(&mut self, parent: Place, condition: ExprId, holds: bool) -> Place {
        let depth = self.contexts[parent.context as usize].depth + 1;
        let guard = self.guards.extend(parent.guard, condition, holds);
        self.contexts.push(Context { parent: parent.context, depth, guard, entries: Vec::new() });
        Place { context: self.contexts.len() as u32 - 1, guard }
    }

    fn used(&mut self, e: ExprId, place: Place) {
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

    fn common(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            let (left, right) = (&self.contexts[a as usize], &self.contexts[b as usize]);
            match left.depth >= right.depth {
                true => a = left.parent,
                false => b = right.parent,
            }
        }
        a
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

    /// Lowers composite values; leaves no trace if that fails.
    fn build<T>(
        &mut self,
        given: &ExprMap<Part>,
        body: impl FnOnce(&mut Builder) -> Lowered<T>,
    ) -> Lowered<T> {
        let (ops, slots) = (self.ops.len(), self.memory.slots.len());
        let mut builder = Builder::new(self.store, &mut self.memory.slots, &mut self.memory.routines, given);
        builder.ops = std::mem::take(&mut self.ops);
        builder.allow(ops);
        let outcome = body(&mut builder);
        self.ops = builder.ops;
        if outcome.is_err() {
            self.ops.truncate(ops);
            self.memory.slots.truncate(slots);
        }
        outcome
    }

    /// The numbers that the composite values of `e` are made of.
    fn given(&mut self, e: ExprId) -> ExprMap<Part> {
        let mut given: ExprMap<Part> = ExprMap::default();
        let mut operands = Vec::new();
        self.operands(e, &mut operands);
        for operand in operands {
            let scalar = self.store.ty(operand).scalar;
            match self.parts.get(&operand) {
                Some(part) => given.insert(operand, part.clone()),
                None if self.is_number(operand) => {
                    given.insert(operand, Part::Number(self.slot(operand), scalar))
                }
                None => None,
            };
        }
        self.leaves(e, &mut given);
        given
    }

    /// Variables that stand in branches, which are no operands.
    fn leaves(&mut self, e: ExprId, given: &mut ExprMap<Part>) {
        for leaf in self.store.post_order(&[e], |_| false) {
            let scalar = self.store.ty(leaf).scalar;
            match self.store.node(leaf) {
                Node::Var(v) => match (self.memory.other_of[v.index()], scalar) {
                    (Some(_), Scalar::Str) => {
                        given.insert(leaf, Part::Text(None));
                    }
                    (Some(_), _) => {}
                    (None, _) => {
                        given.insert(leaf, Part::Number(self.slot(leaf), scalar));
                    }
                },
                Node::Time | Node::Relation(_) => {
                    given.insert(leaf, Part::Number(self.slot(leaf), scalar));
                }
                _ => {}
            }
        }
    }

    fn call(&mut self, e: ExprId, function: FunctionId, args: &[ExprId]) {
        let given = self.given(e);
        let parts = args.iter().map(|&a| self.build(&given, |builder| builder.expression(a)));
        let parts: Vec<Lowered> = parts.collect();
        let arguments = args.iter().zip(&parts).map(|(&a, part)| self.argument(a, part)).collect();
        let result = self.memory.results;
        self.memory.results += 1;
        self.results.insert(e, result);
        let mut site = CallSite { function, arguments, outputs: Vec::new(), result: Some(result) };
        let all = parts.into_iter().collect::<Lowered<Vec<Part>>>();
        if let Ok(parts) = all
            && let Ok(part) = self.routine_call(&given, &mut site, parts)
        {
            self.picked(e, part);
            return;
        }
        if let Some(part) = self.whole_result(function) {
            site.outputs = part.paths();
            self.picked(e, part);
        } else {
            if self.is_number(e) {
                site.outputs.push((Vec::new(), self.slot(e)));
            }
            for (steps, node) in self.picks.get(&e).cloned().unwrap_or_default() {
                let slot = self.slot(node);
                site.outputs.push((steps, slot));
            }
        }
        let at = self.memory.calls.len() as u32;
        self.memory.calls.push(site);
        self.ops.push(Op::Call { site: at });
    }

    /// The call as numeric code; `site` is the same call through values, for where that gives up.
    fn routine_call(&mut self, given: &ExprMap<Part>, site: &mut CallSite, parts: Vec<Part>) -> Lowered {
        let fallback = self.memory.calls.len() as u32;
        let (function, store) = (site.function, self.store);
        let part = self.build(given, |builder| {
            let id = builder.library.compile(store, function, &parts, builder.slots)?;
            let arguments: Vec<Slot> = parts.iter().flat_map(Part::slots).collect();
            if let Some(part) = builder.splice(id, &arguments, Op::Call { site: fallback })? {
                return Ok(part);
            }
            let (outputs, part) = builder.results_of(id)?;
            let fallback = Some(Fallback { call: fallback, tangent: None });
            let invocation = Invocation { routine: id, arguments, outputs, fallback };
            let site = builder.library.invocation(invocation);
            builder.ops.push(Op::Invoke { site });
            Ok(part)
        })?;
        let mut site = site.clone();
        site.outputs = part.paths();
        self.memory.calls.push(site);
        Ok(part)
    }

    /// Notes where the numbers of a call's result stand.
    fn picked(&mut self, e: ExprId, part: Part) {
        if let Part::Number(slot, _) = part {
            self.settle(e, slot);
        }
        for (steps, node) in self.picks.get(&e).cloned().unwrap_or_default() {
            if let Some(Part::Number(slot, _)) = part.follow(&steps) {
                self.settle(node, *slot);
            }
        }
        self.parts.insert(e, part);
    }

    fn settle(&mut self, e: ExprId, slot: Slot) {
        match self.slots.get(&e) {
            Some(&to) if to != slot => self.ops.push(Op::Copy { to, a: slot }),
            Some(_) => {}
            None => {
                self.slots.insert(e, slot);
            }
        }
    }

    /// Slots for all numbers that a function returns, if they are few and their structure is declared.
    fn whole_result(&mut self, function: FunctionId) -> Option<Part> {
        let function = self.store.function(function);
        let mut count = 0;
        let parts = function.outputs.iter().map(|o| {
            let ty = self.store.get_type(function.locals[o.index()].ty);
            of_type(self.store, ty, &mut |_| {
                count += 1;
                0
            })
        });
        let mut parts = parts.collect::<Option<Vec<Part>>>()?;
        if count > 64 || parts.iter().any(|p| !p.texts().is_empty()) {
            return None;
        }
        let part = match parts.len() {
            1 => parts.swap_remove(0),
            _ => Part::Tuple(parts),
        };
        Some(part.map(&mut |_, _| self.memory.slots.scratch()))
    }

    fn argument(&mut self, a: ExprId, part: &Lowered) -> Argument {
        if let Some(argument) = part.as_ref().ok().and_then(Argument::of) {
            return argument;
        }
        match self.store.node(a).clone() {
            Node::Array(items) if !items.is_empty() && self.store.ty(a).sizes().is_some() => {
                let sizes = self.store.ty(a).sizes().unwrap_or_default();
                Argument::Array(sizes, items.iter().map(|&i| self.inner_argument(i)).collect())
            }
            Node::Record(r, items) => {
                Argument::Record(r, items.iter().map(|&i| self.inner_argument(i)).collect())
            }
            Node::Call(..) => match self.results.get(&a) {
                Some(&result) if !self.parts.contains_key(&a) => Argument::Result(result),
                _ => Argument::Expression(a),
            },
            Node::Var(v) => match self.memory.other_of[v.index()] {
                Some(other) => Argument::Other(other),
                None => Argument::Expression(a),
            },
            _ => Argument::Expression(a),
        }
    }

    fn inner_argument(&mut self, a: ExprId) -> Argument {
        let part = match self.is_number(a) {
            true => Ok(Part::Number(self.slot(a), self.store.ty(a).scalar)),
            false => self.parts.get(&a).cloned().ok_or(Refusal::Foreign),
        };
        self.argument(a, &part)
    }
}
