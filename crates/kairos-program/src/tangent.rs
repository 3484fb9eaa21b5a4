//! Forward differentiation of a tape: the same operations with the tangents beside.

use crate::program::Memory;
use crate::routine::{Fallback, Invocation, Routines};
use crate::slots::Slots;
use crate::tape::{Argument, CallSite, Op, Slot, TangentSite, Tape};
use kairos_expr::{BinOp, Builtin, Store, UnOp};
use std::collections::{BTreeMap, BTreeSet};

/// A tape with tangents and the slots of the tangents asked for; zero tangents share a constant.
pub struct Tangent {
    pub tape: Tape,
    pub seeds: Vec<Slot>,
    pub outputs: Vec<Slot>,
}

/// Differentiates `tape` along seeds for `inputs`.
pub fn differentiate(
    store: &Store,
    memory: &mut Memory,
    tape: &Tape,
    inputs: &[Slot],
    outputs: &[Slot],
) -> Tangent {
    let mut known = Tangents::default();
    let seeds = inputs.iter().map(|&slot| known.seed(&mut memory.slots, slot)).collect();
    let tape = known.differentiate(store, memory, tape);
    let outputs = outputs.iter().map(|&slot| known.of(&mut memory.slots, slot)).collect();
    Tangent { tape, seeds, outputs }
}

/// The slots with a tangent so far; one table serves tapes that run one after the other.
#[derive(Default)]
pub struct Tangents {
    table: BTreeMap<Slot, Slot>,
    /// Blocks that are indexed: their tangents stand in a row too.
    indexed: BTreeSet<Slot>,
}

/// What tangents of calls are made of.
pub struct Surroundings<'a> {
    pub store: &'a Store,
    pub slots: &'a mut Slots,
    pub library: &'a mut Routines,
    pub calls: &'a mut Vec<CallSite>,
    pub tangents: &'a mut Vec<TangentSite>,
}

impl Tangents {
    /// The tangent of a slot that is given.
    pub fn seed(&mut self, slots: &mut Slots, slot: Slot) -> Slot {
        if let Some(&tangent) = self.table.get(&slot) {
            return tangent;
        }
        if let Some((first, length)) = slots.block_of(slot)
            && self.indexed.contains(&first)
        {
            let tangents = slots.block(length as usize);
            for k in 0..length {
                self.table.insert(first + k, tangents + k);
            }
            return tangents + (slot - first);
        }
        let tangent = match slots.is_scratch(slot) {
            true => slots.scratch(),
            false => slots.temporary(),
        };
        self.table.insert(slot, tangent);
        tangent
    }

    /// Has the slot a tangent?
    pub fn has(&self, slot: Slot) -> bool {
        self.table.contains_key(&slot)
    }

    /// The tangent of a slot, if it has one.
    pub fn get(&self, slot: Slot) -> Option<Slot> {
        self.table.get(&slot).copied()
    }

    /// The tangent of a slot, the constant zero if it has none.
    pub fn of(&self, slots: &mut Slots, slot: Slot) -> Slot {
        match self.table.get(&slot) {
            Some(&tangent) => tangent,
            None => slots.constant(0.0),
        }
    }

    pub fn differentiate(&mut self, store: &Store, memory: &mut Memory, tape: &Tape) -> Tape {
        self.note_indexed(&memory.slots, tape);
        let around = Surroundings {
            store,
            slots: &mut memory.slots,
            library: &mut memory.routines,
            calls: &mut memory.calls,
            tangents: &mut memory.tangents,
        };
        let tape = self.tape(around, tape);
        memory.tape(tape.ops)
    }

    /// Must come before seeds that lie in such blocks.
    pub fn note_indexed(&mut self, slots: &Slots, tape: &Tape) {
        for op in &tape.ops {
            if let Op::Load { base, .. } | Op::Store { base, .. } = op
                && let Some((first, _)) = slots.block_of(*base)
            {
                self.indexed.insert(first);
            }
        }
    }

    pub fn tape(&mut self, around: Surroundings, tape: &Tape) -> Tape {
        let known = std::mem::take(self);
        let ops = Vec::with_capacity(tape.ops.len() * 3);
        let mut work = Work { around, known, ops };
        // A loop may carry a tangent backwards.
        while work.find_active(tape) {}
        let tape = work.tape(tape);
        *self = work.known;
        tape
    }
}

/// Marks a jump target that is a position in the new tape already.
const OWN: u32 = 1 << 31;

struct Work<'a> {
    around: Surroundings<'a>,
    /// The tangent of each active slot.
    known: Tangents,
    ops: Vec<Op>,
}

impl Work<'_> {
    fn tape(&mut self, tape: &Tape) -> Tape {
        let mut start = Vec::with_capacity(tape.ops.len() + 1);
        for op in &tape.ops {
            start.push(self.ops.len() as u32);
            self.op(*op);
        }
        start.push(self.ops.len() as u32);
        let mut ops = std::mem::take(&mut self.ops);
        for op in &mut ops {
            // Jumps still carry the old targets; own small jumps are marked.
            if let Op::Jump { target } | Op::JumpUnless { target, .. } = op {
                *target = match *target {
                    own if own >= OWN => own - OWN,
                    old => start[old as usize],
                };
            }
        }
        Tape::new(ops)
    }

    /// Slots that depend on the inputs; a slot that any branch makes active is active. Were there new ones?
    fn find_active(&mut self, tape: &Tape) -> bool {
        let mut found = false;
        for op in &tape.ops {
            let is = |slot: &Slot| self.known.table.contains_key(slot);
            let targets: Vec<Slot> = match op {
                Op::Copy { to, a } if is(a) => vec![*to],
                Op::Unary { op: UnOp::Neg, to, a } if is(a) => vec![*to],
                Op::Binary {
                    op: BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Pow,
                    to,
                    a,
                    b,
                } if is(a) || is(b) => {
                    vec![*to]
                }
                Op::Function1 { f, to, a } if is(a) && smooth(*f) => vec![*to],
                Op::Function2 { f, to, a, b } if (is(a) || is(b)) && smooth(*f) => vec![*to],
                Op::Load { to, base, .. } if is(base) => vec![*to],
                Op::Store { base, a, .. } if is(a) => vec![*base],
                Op::Invoke { site } => {
                    let invocation = &self.around.library.invocations[*site as usize];
                    match invocation.arguments.iter().any(is) {
                        true => invocation.outputs.clone(),
                        false => Vec::new(),
                    }
                }
                Op::Call { site } => {
                    let call = &self.around.calls[*site as usize];
                    let mut slots = Vec::new();
                    call.arguments.iter().for_each(|a| numbers(a, &mut slots));
                    match slots.iter().any(is) {
                        true => call.outputs.iter().map(|(_, slot)| *slot).collect(),
                        false => Vec::new(),
                    }
                }
                _ => Vec::new(),
            };
            for slot in targets {
                if !self.known.table.contains_key(&slot) {
                    self.known.seed(self.around.slots, slot);
                    found = true;
                }
            }
        }
        // Without a jump backwards one pass finds all.
        let back = |(at, op): (usize, &Op)| matches!(op, Op::Jump { target } if *target as usize <= at);
        found && tape.ops.iter().enumerate().any(back)
    }

    fn constant(&mut self, value: f64) -> Slot {
        self.around.slots.constant(value)
    }

    fn of(&self, slot: Slot) -> Option<Slot> {
        self.known.table.get(&slot).copied()
    }

    fn fresh(&mut self) -> Slot {
        self.around.slots.scratch()
    }

    fn binary(&mut self, op: BinOp, a: Slot, b: Slot) -> Slot {
        let to = self.fresh();
        self.ops.push(Op::Binary { op, to, a, b });
        to
    }

    fn function(&mut self, f: Builtin, a: Slot) -> Slot {
        let to = self.fresh();
        self.ops.push(Op::Function1 { f, to, a });
        to
    }

    fn set(&mut self, to: Slot, from: Option<Slot>) {
        let Some(target) = self.of(to) else { return };
        let a = match from {
            Some(a) => a,
            None => self.constant(0.0),
        };
        self.ops.push(Op::Copy { to: target, a });
    }

    /// The tangent first: an operation may overwrite one of its operands.
    fn op(&mut self, op: Op) {
        match op {
            Op::Copy { to, a } => {
                let da = self.of(a);
                self.set(to, da);
            }
            Op::Unary { op: UnOp::Neg, to, a } => {
                if let Some(target) = self.of(to) {
                    match self.of(a) {
                        Some(da) => self.ops.push(Op::Unary { op: UnOp::Neg, to: target, a: da }),
                        None => self.set(to, None),
                    }
                }
            }
            Op::Binary { op: kind, to, a, b } => self.binary_tangent(kind, to, a, b),
            Op::Function1 { f, to, a } if self.of(to).is_some() => {
                let tangent = self.of(a).and_then(|da| {
                    let slope = self.slope(f, a)?;
                    Some(self.binary(BinOp::Mul, slope, da))
                });
                self.set(to, tangent);
            }
            Op::Function2 { f, to, a, b } if self.of(to).is_some() => {
                let tangent = self.function2(f, a, b);
                self.set(to, tangent);
            }
            Op::Call { site } => {
                self.ops.push(op);
                self.call(site);
                return;
            }
            Op::Load { to, base, index } => {
                if let Some(target) = self.of(to) {
                    match self.of(base) {
                        Some(base) => self.ops.push(Op::Load { to: target, base, index }),
                        None => self.set(to, None),
                    }
                }
            }
            Op::Store { base, index, a } => {
                if let Some(base) = self.of(base) {
                    let a = self.of(a).unwrap_or_else(|| self.constant(0.0));
                    self.ops.push(Op::Store { base, index, a });
                }
            }
            Op::Invoke { site } => return self.invoke(site),
            Op::Delay { to, .. } | Op::Transport { to, .. } => self.set(to, None),
            _ => {}
        }
        self.ops.push(op);
    }

    fn binary_tangent(&mut self, kind: BinOp, to: Slot, a: Slot, b: Slot) {
        if self.of(to).is_none() {
            return;
        }
        let (da, db) = (self.of(a), self.of(b));
        let tangent = match kind {
            BinOp::Add | BinOp::Sub => match (da, db) {
                (Some(da), Some(db)) => Some(self.binary(kind, da, db)),
                (None, Some(db)) if kind == BinOp::Sub => {
                    let zero = self.constant(0.0);
                    Some(self.binary(BinOp::Sub, zero, db))
                }
                (da, db) => da.or(db),
            },
            BinOp::Mul => {
                let left = da.map(|da| self.binary(BinOp::Mul, da, b));
                let right = db.map(|db| self.binary(BinOp::Mul, a, db));
                self.sum(left, right)
            }
            BinOp::Div => {
                // (da - a/b db) / b
                let right = db.map(|db| {
                    let quotient = self.binary(BinOp::Div, a, b);
                    self.binary(BinOp::Mul, quotient, db)
                });
                let top = match (da, right) {
                    (Some(da), Some(right)) => Some(self.binary(BinOp::Sub, da, right)),
                    (None, Some(right)) => {
                        let zero = self.constant(0.0);
                        Some(self.binary(BinOp::Sub, zero, right))
                    }
                    (da, None) => da,
                };
                top.map(|top| self.binary(BinOp::Div, top, b))
            }
            BinOp::Pow => {
                let left = da.map(|da| {
                    let one = self.constant(1.0);
                    let less = self.binary(BinOp::Sub, b, one);
                    let power = self.binary(BinOp::Pow, a, less);
                    let slope = self.binary(BinOp::Mul, b, power);
                    self.binary(BinOp::Mul, slope, da)
                });
                let right = db.map(|db| {
                    let power = self.binary(BinOp::Pow, a, b);
                    let log = self.function(Builtin::Log, a);
                    let slope = self.binary(BinOp::Mul, power, log);
                    self.binary(BinOp::Mul, slope, db)
                });
                self.sum(left, right)
            }
            _ => None,
        };
        self.set(to, tangent);
    }

    fn sum(&mut self, a: Option<Slot>, b: Option<Slot>) -> Option<Slot> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.binary(BinOp::Add, a, b)),
            (a, b) => a.or(b),
        }
    }

    fn slope(&mut self, f: Builtin, a: Slot) -> Option<Slot> {
        let one = self.constant(1.0);
        let zero = self.constant(0.0);
        Some(match f {
            Builtin::Sin => self.function(Builtin::Cos, a),
            Builtin::Cos => {
                let sin = self.function(Builtin::Sin, a);
                self.binary(BinOp::Sub, zero, sin)
            }
            Builtin::Tan | Builtin::Tanh => {
                let value = self.function(f, a);
                let square = self.binary(BinOp::Mul, value, value);
                let op = if f == Builtin::Tan { BinOp::Add } else { BinOp::Sub };
                self.binary(op, one, square)
            }
            Builtin::Asin | Builtin::Acos => {
                let square = self.binary(BinOp::Mul, a, a);
                let rest = self.binary(BinOp::Sub, one, square);
                let root = self.function(Builtin::Sqrt, rest);
                let top = if f == Builtin::Asin { one } else { self.constant(-1.0) };
                self.binary(BinOp::Div, top, root)
            }
            Builtin::Atan => {
                let square = self.binary(BinOp::Mul, a, a);
                let sum = self.binary(BinOp::Add, one, square);
                self.binary(BinOp::Div, one, sum)
            }
            Builtin::Sinh => self.function(Builtin::Cosh, a),
            Builtin::Cosh => self.function(Builtin::Sinh, a),
            Builtin::Exp => self.function(Builtin::Exp, a),
            Builtin::Log => self.binary(BinOp::Div, one, a),
            Builtin::Log10 => {
                let ten = self.constant(std::f64::consts::LN_10);
                let bottom = self.binary(BinOp::Mul, ten, a);
                self.binary(BinOp::Div, one, bottom)
            }
            Builtin::Sqrt => {
                let root = self.function(Builtin::Sqrt, a);
                let half = self.constant(0.5);
                self.binary(BinOp::Div, half, root)
            }
            Builtin::Abs => {
                // 2 (a >= 0) - 1
                let up = self.binary(BinOp::Ge, a, zero);
                let two = self.constant(2.0);
                let twice = self.binary(BinOp::Mul, two, up);
                self.binary(BinOp::Sub, twice, one)
            }
            _ => return None,
        })
    }

    fn function2(&mut self, f: Builtin, a: Slot, b: Slot) -> Option<Slot> {
        let zero = self.constant(0.0);
        let (da, db) = (self.of(a).unwrap_or(zero), self.of(b).unwrap_or(zero));
        match f {
            Builtin::Atan2 => {
                let (left, right) = (self.binary(BinOp::Mul, b, da), self.binary(BinOp::Mul, a, db));
                let top = self.binary(BinOp::Sub, left, right);
                let (x, y) = (self.binary(BinOp::Mul, a, a), self.binary(BinOp::Mul, b, b));
                let bottom = self.binary(BinOp::Add, x, y);
                Some(self.binary(BinOp::Div, top, bottom))
            }
            Builtin::Min2 | Builtin::Max2 => {
                let op = if f == Builtin::Min2 { BinOp::Lt } else { BinOp::Gt };
                let second = self.binary(op, b, a);
                let to = self.fresh();
                let at = self.ops.len() as u32;
                self.ops.push(Op::JumpUnless { condition: second, target: OWN + at + 3 });
                self.ops.push(Op::Copy { to, a: db });
                self.ops.push(Op::Jump { target: OWN + at + 4 });
                self.ops.push(Op::Copy { to, a: da });
                Some(to)
            }
            Builtin::Mod | Builtin::Rem => {
                let quotient = self.binary(BinOp::Div, a, b);
                let whole = match f {
                    Builtin::Mod => self.function(Builtin::Floor, quotient),
                    _ => {
                        let to = self.fresh();
                        self.ops.push(Op::Function2 { f: Builtin::Div, to, a, b });
                        to
                    }
                };
                let part = self.binary(BinOp::Mul, whole, db);
                Some(self.binary(BinOp::Sub, da, part))
            }
            _ => None,
        }
    }

    fn call(&mut self, site: u32) {
        let call = &self.around.calls[site as usize];
        let mut slots = Vec::new();
        call.arguments.iter().for_each(|a| numbers(a, &mut slots));
        if !slots.iter().any(|&s| self.of(s).is_some()) {
            let outputs: Vec<Slot> = call.outputs.iter().map(|(_, slot)| *slot).collect();
            outputs.into_iter().for_each(|slot| self.set(slot, None));
            return;
        }
        if let Some(derivative) = self.derivative_site(site) {
            self.around.calls.push(derivative);
            self.ops.push(Op::Call { site: self.around.calls.len() as u32 - 1 });
            return;
        }
        let tangent = self.tangent_site(site);
        self.ops.push(Op::CallTangent { site: tangent });
    }

    /// The call of the derivative function that the function names (MLS 12.7.1), where it applies.
    fn derivative_site(&mut self, site: u32) -> Option<CallSite> {
        let (call, store) = (self.around.calls[site as usize].clone(), self.around.store);
        let function = store.function(call.function);
        let [_] = function.outputs[..] else { return None };
        let outputs: Vec<_> =
            call.outputs.iter().filter_map(|(steps, slot)| Some((steps.clone(), self.of(*slot)?))).collect();
        let first = function.derivatives.iter().filter(|a| a.order == 1);
        'next: for annotation in first.filter(|a| store.is_derivative(function, a)) {
            let mut arguments = call.arguments.clone();
            for (input, argument) in function.inputs.iter().zip(&call.arguments) {
                let mut slots = Vec::new();
                numbers(argument, &mut slots);
                let is_zero = annotation.zero_derivative.contains(input);
                if is_zero && slots.iter().any(|&slot| self.of(slot).is_some()) {
                    continue 'next;
                }
                let ty = store.get_type(function.locals[input.index()].ty);
                if is_zero || annotation.no_derivative.contains(input) || !store.has_real(ty) {
                    continue;
                }
                let Some(prime) = self.prime(argument) else { continue 'next };
                arguments.push(prime);
            }
            return Some(CallSite { function: annotation.function, arguments, outputs, result: None });
        }
        None
    }

    /// The tangent of an argument; what is not Real is passed as it is.
    fn prime(&mut self, argument: &Argument) -> Option<Argument> {
        Some(match argument {
            Argument::Number(slot, kairos_expr::Scalar::Real) => {
                let tangent = self.of(*slot).unwrap_or_else(|| self.constant(0.0));
                Argument::Number(tangent, kairos_expr::Scalar::Real)
            }
            Argument::Array(dims, items) => {
                let items = items.iter().map(|item| self.prime(item)).collect::<Option<_>>()?;
                Argument::Array(dims.clone(), items)
            }
            Argument::Record(r, items) => {
                Argument::Record(*r, items.iter().map(|item| self.prime(item)).collect::<Option<_>>()?)
            }
            Argument::Number(..) | Argument::Text(_) | Argument::Other(_) => argument.clone(),
            Argument::Result(_) | Argument::Expression(_) => return None,
        })
    }

    fn tangent_site(&mut self, call: u32) -> u32 {
        let site = &self.around.calls[call as usize];
        let mut slots = Vec::new();
        site.arguments.iter().for_each(|a| numbers(a, &mut slots));
        let inputs = slots.iter().filter_map(|&s| Some((s, self.of(s)?))).collect();
        let outputs = site.outputs.iter().map(|(_, slot)| self.of(*slot).unwrap_or(*slot)).collect();
        self.around.tangents.push(TangentSite { call, inputs, outputs });
        self.around.tangents.len() as u32 - 1
    }

    /// The routine with tangents computes the values too.
    fn invoke(&mut self, site: u32) {
        let invocation = self.around.library.invocations[site as usize].clone();
        let active: Vec<bool> = invocation.arguments.iter().map(|&a| self.of(a).is_some()).collect();
        if !active.contains(&true) {
            self.ops.push(Op::Invoke { site });
            invocation.outputs.into_iter().for_each(|slot| self.set(slot, None));
            return;
        }
        let routine = self.around.library.tangent(self.around.store, invocation.routine, active);
        let mut arguments = invocation.arguments.clone();
        arguments.extend(invocation.arguments.iter().filter_map(|&a| self.of(a)));
        let mut outputs = invocation.outputs.clone();
        for &slot in &invocation.outputs {
            let tangent = self.of(slot).unwrap_or_else(|| self.fresh());
            outputs.push(tangent);
        }
        let fallback = invocation.fallback.map(|fallback| {
            let tangent = Some(self.tangent_site(fallback.call));
            Fallback { tangent, ..fallback }
        });
        let dual = Invocation { routine, arguments, outputs, fallback };
        let site = self.around.library.invocation(dual);
        self.ops.push(Op::Invoke { site });
    }
}

fn smooth(f: Builtin) -> bool {
    !matches!(f, Builtin::Sign | Builtin::Floor | Builtin::Ceil | Builtin::Integer | Builtin::Div)
}

/// The Real numbers in an argument.
fn numbers(argument: &Argument, out: &mut Vec<Slot>) {
    match argument {
        Argument::Number(slot, kairos_expr::Scalar::Real) => out.push(*slot),
        Argument::Array(_, items) | Argument::Record(_, items) => {
            items.iter().for_each(|item| numbers(item, out));
        }
        _ => {}
    }
}
