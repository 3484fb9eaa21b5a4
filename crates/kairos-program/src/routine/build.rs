//! Emission of numeric operations, with what is constant folded away.

use super::{Lowered, Part, Refusal, Routines};
use crate::operation;
use crate::slots::Slots;
use crate::tape::{Op, Slot};
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, IterId, Scalar, Store, UnOp};
use std::collections::BTreeMap;

/// The longest code for one function, after unrolling.
pub const LONGEST: usize = 40_000;

/// Lowers expressions and statements into `ops` over `slots`.
pub struct Builder<'a> {
    pub store: &'a Store,
    pub slots: &'a mut Slots,
    pub library: &'a mut Routines,
    pub ops: Vec<Op>,
    /// Expressions whose values stand somewhere already.
    pub given: &'a ExprMap<Part>,
    pub(super) locals: Vec<Option<Part>>,
    pub(super) iterators: Vec<(IterId, Part)>,
    /// Slots of locals that hold a constant here.
    pub(super) known: BTreeMap<Slot, f64>,
    pub(super) memo: ExprMap<Part>,
    pub(super) memo_order: Vec<ExprId>,
    pub(super) returns: Vec<usize>,
    pub(super) breaks: Vec<Vec<usize>>,
    /// How many branches and loops surround this place.
    pub(super) depth: u32,
    pub(super) limit: usize,
}

/// What a trial may have to undo.
pub(super) struct Mark {
    ops: usize,
    slots: usize,
    known: BTreeMap<Slot, f64>,
    locals: Vec<Option<Part>>,
    iterators: usize,
    returns: usize,
    breaks: Vec<usize>,
    depth: u32,
}

impl<'a> Builder<'a> {
    pub fn new(
        store: &'a Store,
        slots: &'a mut Slots,
        library: &'a mut Routines,
        given: &'a ExprMap<Part>,
    ) -> Self {
        Builder {
            store,
            slots,
            library,
            given,
            ops: Vec::new(),
            locals: Vec::new(),
            iterators: Vec::new(),
            known: BTreeMap::new(),
            memo: ExprMap::default(),
            memo_order: Vec::new(),
            returns: Vec::new(),
            breaks: Vec::new(),
            depth: 0,
            limit: LONGEST,
        }
    }

    /// Counts the limit from here.
    pub fn allow(&mut self, so_far: usize) {
        self.limit = so_far + LONGEST;
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            ops: self.ops.len(),
            slots: self.slots.len(),
            known: self.known.clone(),
            locals: self.locals.clone(),
            iterators: self.iterators.len(),
            returns: self.returns.len(),
            breaks: self.breaks.iter().map(Vec::len).collect(),
            depth: self.depth,
        }
    }

    pub(super) fn undo(&mut self, mark: Mark) {
        self.ops.truncate(mark.ops);
        self.slots.truncate(mark.slots);
        self.known = mark.known;
        self.locals = mark.locals;
        self.iterators.truncate(mark.iterators);
        self.returns.truncate(mark.returns);
        self.breaks.truncate(mark.breaks.len());
        for (list, length) in self.breaks.iter_mut().zip(mark.breaks) {
            list.truncate(length);
        }
        self.depth = mark.depth;
        self.forget(0);
    }

    pub(super) fn push(&mut self, op: Op) -> Lowered<()> {
        if self.ops.len() >= self.limit {
            return Err(Refusal::Length);
        }
        self.ops.push(op);
        Ok(())
    }

    pub(super) fn constant(&mut self, value: f64, scalar: Scalar) -> Part {
        Part::Number(self.slots.constant(value), scalar)
    }

    pub(super) fn integer(&mut self, value: usize) -> Part {
        self.constant(value as f64, Scalar::Int)
    }

    pub(super) fn binary(&mut self, op: BinOp, a: Slot, b: Slot) -> Lowered<Slot> {
        let op = op.scalar();
        match (self.slots.value(a), self.slots.value(b)) {
            (Some(x), Some(y)) => return Ok(self.slots.constant(operation::binary(op, x, y))),
            (Some(0.0), None) if op == BinOp::Add => return Ok(b),
            (None, Some(0.0)) if matches!(op, BinOp::Add | BinOp::Sub) => return Ok(a),
            (Some(1.0), None) if op == BinOp::Mul => return Ok(b),
            (None, Some(1.0)) if matches!(op, BinOp::Mul | BinOp::Div | BinOp::Pow) => return Ok(a),
            (Some(x), None) if matches!(op, BinOp::And | BinOp::Or) => {
                return Ok(if (x != 0.0) == (op == BinOp::And) { b } else { a });
            }
            (None, Some(y)) if matches!(op, BinOp::And | BinOp::Or) => {
                return Ok(if (y != 0.0) == (op == BinOp::And) { a } else { b });
            }
            _ => {}
        }
        let to = self.slots.scratch();
        self.push(Op::Binary { op, to, a, b })?;
        Ok(to)
    }

    pub(super) fn unary(&mut self, op: UnOp, a: Slot) -> Lowered<Slot> {
        if let Some(x) = self.slots.value(a) {
            return Ok(self.slots.constant(operation::unary(op, x)));
        }
        let to = self.slots.scratch();
        self.push(Op::Unary { op, to, a })?;
        Ok(to)
    }

    pub(super) fn function(&mut self, f: Builtin, args: &[Slot]) -> Lowered<Slot> {
        let values = args.iter().map(|&a| self.slots.value(a)).collect::<Option<Vec<_>>>();
        if let (Some(values), Some(eval)) = (values, f.row().eval) {
            return Ok(self.slots.constant(eval(&values)));
        }
        let to = self.slots.scratch();
        match *args {
            [a] => self.push(Op::Function1 { f, to, a })?,
            [a, b] => self.push(Op::Function2 { f, to, a, b })?,
            [x, up, down] if f == Builtin::SemiLinear => {
                let zero = self.slots.constant(0.0);
                let test = self.binary(BinOp::Ge, x, zero)?;
                let otherwise = self.jump_unless(test)?;
                self.push(Op::Binary { op: BinOp::Mul, to, a: up, b: x })?;
                let end = self.jump()?;
                self.land(otherwise);
                self.push(Op::Binary { op: BinOp::Mul, to, a: down, b: x })?;
                self.land(end);
            }
            _ => return Err(Refusal::Foreign),
        }
        Ok(to)
    }

    /// Writes a local or the result of a branch.
    pub(super) fn copy(&mut self, to: Slot, a: Slot) -> Lowered<()> {
        match self.slots.value(a) {
            Some(value) => self.known.insert(to, value),
            None => self.known.remove(&to),
        };
        if to != a {
            self.push(Op::Copy { to, a })?;
        }
        Ok(())
    }

    /// Jumps whose targets `land` fills in.
    pub(super) fn jump(&mut self) -> Lowered<usize> {
        self.push(Op::Jump { target: 0 })?;
        Ok(self.ops.len() - 1)
    }

    pub(super) fn jump_unless(&mut self, condition: Slot) -> Lowered<usize> {
        self.push(Op::JumpUnless { condition, target: 0 })?;
        Ok(self.ops.len() - 1)
    }

    pub(super) fn land(&mut self, jump: usize) {
        let here = self.ops.len() as u32;
        if let Op::Jump { target } | Op::JumpUnless { target, .. } = &mut self.ops[jump] {
            *target = here;
        }
    }

    pub(super) fn number(&self, part: &Part) -> Lowered<Slot> {
        match part {
            Part::Number(slot, _) => Ok(*slot),
            Part::Array(_, items) if items.len() == 1 => self.number(&items[0]),
            _ => Err(Refusal::Foreign),
        }
    }

    /// The value of a number that must be known here.
    pub(super) fn whole(&self, part: &Part) -> Lowered<i64> {
        match self.slots.value(self.number(part)?) {
            Some(x) if x.fract() == 0.0 && x.abs() < 1e9 => Ok(x as i64),
            _ => Err(Refusal::Size),
        }
    }

    pub(super) fn size(&self, part: &Part) -> Lowered<usize> {
        usize::try_from(self.whole(part)?).map_err(|_| Refusal::Size)
    }

    /// A local as it is read: constants instead of the slots that hold them.
    pub(super) fn read(&mut self, part: &Part) -> Part {
        if self.known.is_empty() {
            return part.clone();
        }
        let (known, slots) = (&self.known, &mut *self.slots);
        part.map(&mut |slot, _| match known.get(&slot) {
            Some(&value) => slots.constant(value),
            None => slot,
        })
    }

    /// Fresh slots for a value of this structure.
    pub(super) fn fresh(&mut self, like: &Part) -> Part {
        let count = like.slots().len();
        let mut next = match like {
            Part::Number(..) => self.slots.scratch(),
            _ => self.slots.block(count),
        };
        like.map(&mut |_, _| {
            next += 1;
            next - 1
        })
    }

    /// Copies all numbers; both have the same structure.
    pub(super) fn assign(&mut self, to: &Part, from: &Part) -> Lowered<()> {
        let (to, from) = (to.slots(), from.slots());
        if to.len() != from.len() {
            return Err(Refusal::Size);
        }
        // What is read after it was overwritten goes through a copy.
        let places: BTreeMap<Slot, usize> = to.iter().enumerate().map(|(k, &slot)| (slot, k)).collect();
        let mut values = from.clone();
        for (k, value) in values.iter_mut().enumerate() {
            if places.get(value).is_some_and(|&at| at < k) {
                let kept = self.slots.scratch();
                self.push(Op::Copy { to: kept, a: *value })?;
                *value = kept;
            }
        }
        for (&to, value) in to.iter().zip(values) {
            self.copy(to, value)?;
        }
        Ok(())
    }
}
