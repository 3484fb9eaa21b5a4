//! Declarations and statements of functions to operations.

use super::build::{Builder, LONGEST};
use super::part::of_shape;
use super::{Lowered, Part, Refusal, Routines, Shape, of_type};
use crate::slots::Slots;
use crate::tape::{Op, Tape};
use kairos_base::limits;
use kairos_expr::{
    BinOp, Body, Dim, ExprId, ExprMap, FunctionId, IterId, LValue, LocalId, Node, Scalar, Step, Stmt, Store,
    Target, Type,
};
use std::collections::BTreeSet;

/// Loops of at most so many rounds, and operations, are unrolled.
const ROUNDS: usize = 64;
const UNROLLED: usize = 600;

/// Fills the reserved routine `id` with code for arguments of these shapes.
pub(super) fn build(
    store: &Store,
    library: &mut Routines,
    f: FunctionId,
    shapes: &[Shape],
    id: u32,
) -> Lowered<()> {
    let function = store.function(f);
    let Body::Statements(statements) = &function.body else { return Err(Refusal::Foreign) };
    // Effects have no numeric code: an impure function gives up before the first, and is called through values then.
    if function.inputs.len() != shapes.len() {
        return Err(Refusal::Foreign);
    }
    let mut slots = Slots::default();
    let given = ExprMap::default();
    let mut work = Builder::new(store, &mut slots, library, &given);
    work.locals = vec![None; function.locals.len()];
    for (&input, shape) in function.inputs.iter().zip(shapes) {
        let real = store.get_type(function.locals[input.index()].ty).scalar == Scalar::Real;
        let part = work.input(shape, real);
        work.locals[input.index()] = Some(part);
    }
    let arguments: Vec<Part> =
        function.inputs.iter().filter_map(|i| work.locals[i.index()].clone()).collect();
    work.library.list[id as usize].inputs = arguments.iter().flat_map(Part::slots).collect();
    work.library.list[id as usize].arguments = arguments;
    for i in store.declaration_order(f) {
        work.declare(f, i)?;
    }
    // Calls of itself need the structure of the result before the body is done.
    work.library.list[id as usize].result = work.result(&function.outputs);
    work.block(statements)?;
    let result = work.result(&function.outputs).ok_or(Refusal::Size)?;
    for jump in std::mem::take(&mut work.returns) {
        work.land(jump);
    }
    let ops = std::mem::take(&mut work.ops);
    let early = work.library.list[id as usize].result.take();
    if early.is_some_and(|early| early.slots().len() != result.slots().len()) {
        return Err(Refusal::Size);
    }
    let routine = &mut library.list[id as usize];
    routine.tape = Tape::new(ops);
    routine.outputs = result.slots();
    routine.result = Some(result);
    routine.slots = slots;
    Ok(())
}

impl Builder<'_> {
    /// Slots for an argument, one after the other.
    fn input(&mut self, shape: &Shape, real: bool) -> Part {
        let mut count = 0;
        of_shape(shape, real, &mut |_, _| {
            count += 1;
            0
        });
        let mut next = self.slots.block(count);
        let known = &mut self.known;
        of_shape(shape, real, &mut |_, value| {
            if let Some(value) = value {
                known.insert(next, value);
            }
            next += 1;
            next - 1
        })
    }

    fn result(&self, outputs: &[LocalId]) -> Option<Part> {
        let mut parts = outputs.iter().map(|o| self.locals[o.index()].clone()).collect::<Option<Vec<_>>>()?;
        Some(match parts.len() {
            1 => parts.swap_remove(0),
            _ => Part::Tuple(parts),
        })
    }

    fn declare(&mut self, f: FunctionId, i: usize) -> Lowered<()> {
        let store = self.store;
        let local = &store.function(f).locals[i];
        let ty = store.get_type(local.ty).clone();
        if matches!(ty.scalar, Scalar::Str | Scalar::Object(_) | Scalar::Function) {
            // Texts matter only where something is computed from them.
            self.locals[i] = (ty.scalar == Scalar::Str && ty.dims.is_empty()).then_some(Part::Text(None));
            return Ok(());
        }
        self.forget(0);
        if let Some(value) = local.value {
            let value = self.expression(value)?;
            return self.bind(LocalId::new(i), &value, ty.scalar);
        }
        let mut dims = Vec::new();
        for dim in &local.dims {
            let Some(e) = dim else {
                // The first assignment gives the size.
                self.locals[i] = None;
                return Ok(());
            };
            let n = self.expression(*e)?;
            dims.push(Dim::Known(self.whole(&n)?.max(0) as u32));
        }
        dims.extend(ty.dims.iter().skip(local.dims.len()).copied());
        let ty = Type { scalar: ty.scalar, dims };
        let mut zero = Vec::new();
        let like = of_type(store, &ty, &mut |scalar| {
            zero.push(if matches!(scalar, Scalar::Enum(_)) { 1.0 } else { 0.0 });
            0
        });
        let like = like.ok_or(Refusal::Size)?;
        if zero.len() > LONGEST / 4 {
            return Err(Refusal::Length);
        }
        let part = self.fresh(&like);
        for (to, value) in part.slots().into_iter().zip(zero) {
            let a = self.slots.constant(value);
            self.copy(to, a)?;
        }
        self.locals[i] = Some(part);
        Ok(())
    }

    /// Gives a local the structure and the value of `value`.
    fn bind(&mut self, local: LocalId, value: &Part, scalar: Scalar) -> Lowered<()> {
        let typed = match scalar {
            Scalar::Real => real(value),
            _ => value.clone(),
        };
        let part = self.fresh(&typed);
        self.assign(&part, value)?;
        self.locals[local.index()] = Some(part);
        Ok(())
    }

    pub(super) fn block(&mut self, statements: &[Stmt]) -> Lowered<()> {
        for statement in statements {
            self.forget(0);
            self.statement(statement)?;
            if matches!(statement, Stmt::Return | Stmt::Break) {
                break;
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Stmt) -> Lowered<()> {
        match statement {
            Stmt::Assign(target, e, _) => {
                let value = self.expression(*e)?;
                self.store_value(target, &value)
            }
            Stmt::AssignTuple(targets, e, _) => {
                let value = self.expression(*e)?;
                let items = match value {
                    Part::Tuple(items) => items,
                    one => vec![one],
                };
                for (target, item) in targets.iter().zip(&items) {
                    if let Some(target) = target {
                        self.store_value(target, item)?;
                    }
                }
                Ok(())
            }
            Stmt::If(branches, otherwise) => self.branches(branches, otherwise),
            Stmt::For(iter, range, body, _) => self.for_loop(*iter, *range, body),
            Stmt::While(condition, body, _) => self.while_loop(*condition, body),
            Stmt::Assert { condition, warning, .. } => {
                let level = self.scalar(*warning)?;
                match self.slots.value(level) {
                    Some(0.0) => {}
                    Some(_) => return Ok(()),
                    None => return Err(Refusal::Foreign),
                }
                let condition = self.scalar(*condition)?;
                match self.slots.value(condition) {
                    Some(0.0) => self.push(Op::GiveUp),
                    Some(_) => Ok(()),
                    None => self.push(Op::Require { condition }),
                }
            }
            Stmt::Return => {
                let jump = self.jump()?;
                self.returns.push(jump);
                Ok(())
            }
            Stmt::Break => {
                let jump = self.jump()?;
                self.breaks.last_mut().ok_or(Refusal::Foreign)?.push(jump);
                Ok(())
            }
            Stmt::Call(..) | Stmt::Terminate(..) | Stmt::Reinit(..) | Stmt::When(..) => Err(Refusal::Foreign),
        }
    }

    fn store_value(&mut self, target: &LValue, value: &Part) -> Lowered<()> {
        let Target::Local(local) = target.target else { return Err(Refusal::Foreign) };
        if let [Step::Index(subs)] = &target.path[..]
            && let Some(part) = self.element(local, subs)?
            && super::expression::alike(&part, value)
        {
            return self.assign(&part, value);
        }
        let Some(root) = self.locals[local.index()].clone() else {
            // Its size is that of the value, if every way leads here.
            if !target.path.is_empty() || self.depth > 0 {
                return Err(Refusal::Size);
            }
            return self.bind(local, value, Scalar::Tuple);
        };
        if let (Part::Text(_), [], Part::Text(_)) = (&root, &target.path[..], value) {
            let text = if self.depth == 0 { value.clone() } else { Part::Text(None) };
            self.locals[local.index()] = Some(text);
            return Ok(());
        }
        if target.path.is_empty() {
            if !super::expression::alike(&root, value) {
                if self.depth > 0 {
                    return Err(Refusal::Size);
                }
                return self.bind(local, value, Scalar::Tuple);
            }
            if root.texts() != value.texts() {
                self.locals[local.index()] = Some(root.without_texts());
            }
            return self.assign(&root, value);
        }
        let places = self.place(&root, &target.path)?;
        match &places[..] {
            [one] if one.part.slots().len() == value.slots().len() => self.store_at(one, value),
            _ => {
                let items = value.elements();
                if items.len() != places.len() {
                    return Err(Refusal::Size);
                }
                // All values first: they may read what is written.
                let mut kept = Vec::with_capacity(items.len());
                for item in items {
                    let copy = self.fresh(item);
                    self.assign(&copy, item)?;
                    kept.push(copy);
                }
                for (place, item) in places.iter().zip(&kept) {
                    self.store_at(place, item)?;
                }
                Ok(())
            }
        }
    }

    /// A branch that has no numeric code gives up when it is reached.
    fn branch_body(&mut self, body: &[Stmt]) -> Lowered<()> {
        let mark = self.mark();
        match self.in_branch(|work| work.block(body)) {
            Err(Refusal::Foreign) => {
                self.undo(mark);
                self.push(Op::GiveUp)
            }
            other => other,
        }
    }

    fn branches(&mut self, branches: &[(ExprId, Vec<Stmt>)], otherwise: &[Stmt]) -> Lowered<()> {
        let Some(((condition, body), rest)) = branches.split_first() else { return self.block(otherwise) };
        let condition = self.scalar(*condition)?;
        match self.slots.value(condition) {
            Some(0.0) => return self.branches(rest, otherwise),
            Some(_) => return self.block(body),
            None => {}
        }
        let before = self.known.clone();
        let skip = self.jump_unless(condition)?;
        self.branch_body(body)?;
        let after_body = std::mem::replace(&mut self.known, before);
        let end = self.jump()?;
        self.land(skip);
        match rest.is_empty() {
            true => self.branch_body(otherwise)?,
            false => self.in_branch(|work| work.branches(rest, otherwise))?,
        }
        self.land(end);
        self.known.retain(|slot, value| {
            after_body.get(slot).is_some_and(|other| other.to_bits() == value.to_bits())
        });
        Ok(())
    }

    fn for_loop(&mut self, iter: IterId, range: ExprId, body: &[Stmt]) -> Lowered<()> {
        let mark = self.mark();
        let limit = self.limit;
        let known = self.expression(range);
        if let Ok(values) = &known
            && values.dims().first().is_none_or(|&n| n <= ROUNDS)
        {
            self.limit = limit.min(self.ops.len() + UNROLLED);
            let outcome = self.unroll(iter, values, body);
            self.limit = limit;
            match outcome {
                Err(Refusal::Length | Refusal::Size) => {}
                other => return other,
            }
        }
        self.undo(mark);
        let mark = self.mark();
        match (self.counted(iter, range, body), known) {
            (Err(Refusal::Size), Ok(_)) => {
                self.undo(mark);
                let values = self.expression(range)?;
                self.unroll(iter, &values, body)
            }
            (other, _) => other,
        }
    }

    fn unroll(&mut self, iter: IterId, values: &Part, body: &[Stmt]) -> Lowered<()> {
        let count = values.dims().first().copied().unwrap_or(1);
        self.breaks.push(Vec::new());
        let depth = self.depth;
        for k in 0..count {
            let value = values.row(k).unwrap_or_else(|| values.clone());
            self.iterators.push((iter, value));
            let outcome = self.block(body);
            self.iterators.pop();
            outcome?;
            // After a possible exit, what follows is a branch.
            if self.breaks.last().is_some_and(|list| !list.is_empty()) {
                self.depth = depth + 1;
            }
        }
        self.depth = depth;
        let exits = self.breaks.pop().unwrap_or_default();
        if !exits.is_empty() {
            self.drop_assigned(body);
        }
        for jump in exits {
            self.land(jump);
        }
        Ok(())
    }

    /// A loop that counts.
    fn counted(&mut self, iter: IterId, range: ExprId, body: &[Stmt]) -> Lowered<()> {
        let Node::Range(first, step, last) = *self.store.node(range) else { return Err(Refusal::Size) };
        let (first, last) = (self.expression(first)?, self.expression(last)?);
        let step = match step {
            Some(step) => self.expression(step)?,
            None => self.integer(1),
        };
        let whole = |part: &Part| matches!(part, Part::Number(_, Scalar::Int));
        if !whole(&first) || !whole(&last) || !whole(&step) {
            return Err(Refusal::Size);
        }
        let (first, last, step) = (self.number(&first)?, self.number(&last)?, self.number(&step)?);
        let test = match self.slots.value(step).ok_or(Refusal::Size)? {
            up if up > 0.0 => BinOp::Le,
            down if down < 0.0 => BinOp::Ge,
            _ => return Err(Refusal::Size),
        };
        // The bound is that of the start, whatever the body assigns.
        let (counter, bound) = (self.slots.scratch(), self.slots.scratch());
        self.push(Op::Copy { to: counter, a: first })?;
        self.push(Op::Copy { to: bound, a: last })?;
        self.drop_assigned(body);
        let known = self.known.clone();
        let start = self.ops.len() as u32;
        let go = self.slots.scratch();
        self.push(Op::Binary { op: test, to: go, a: counter, b: bound })?;
        let end = self.jump_unless(go)?;
        self.breaks.push(Vec::new());
        self.iterators.push((iter, Part::Number(counter, Scalar::Int)));
        let outcome = self.in_branch(|work| work.block(body));
        self.iterators.pop();
        let exits = self.breaks.pop().unwrap_or_default();
        outcome?;
        self.push(Op::Binary { op: BinOp::Add, to: counter, a: counter, b: step })?;
        self.push(Op::Jump { target: start })?;
        self.land(end);
        exits.into_iter().for_each(|jump| self.land(jump));
        self.known = known;
        Ok(())
    }

    /// The rounds are counted: a loop without end gives up, and the call through values says so.
    fn while_loop(&mut self, condition: ExprId, body: &[Stmt]) -> Lowered<()> {
        let [zero, one, most] = [0.0, 1.0, f64::from(limits::ROUNDS)].map(|x| self.slots.constant(x));
        let (rounds, within) = (self.slots.scratch(), self.slots.scratch());
        self.push(Op::Copy { to: rounds, a: zero })?;
        self.drop_assigned(body);
        let known = self.known.clone();
        let start = self.ops.len() as u32;
        self.forget(0);
        let go = self.in_branch(|work| work.scalar(condition))?;
        let end = self.jump_unless(go)?;
        self.push(Op::Binary { op: BinOp::Add, to: rounds, a: rounds, b: one })?;
        self.push(Op::Binary { op: BinOp::Le, to: within, a: rounds, b: most })?;
        self.push(Op::Require { condition: within })?;
        self.breaks.push(Vec::new());
        let outcome = self.in_branch(|work| work.block(body));
        let exits = self.breaks.pop().unwrap_or_default();
        outcome?;
        self.push(Op::Jump { target: start })?;
        self.land(end);
        exits.into_iter().for_each(|jump| self.land(jump));
        self.known = known;
        Ok(())
    }

    /// Nothing is known of what these statements assign.
    fn drop_assigned(&mut self, body: &[Stmt]) {
        let mut locals = BTreeSet::new();
        assigned(body, &mut locals);
        for local in locals {
            if let Some(part) = &self.locals[local.index()] {
                part.slots().iter().for_each(|slot| {
                    self.known.remove(slot);
                });
            }
        }
    }
}

fn assigned(body: &[Stmt], out: &mut BTreeSet<LocalId>) {
    let mut note = |target: &LValue| {
        if let Target::Local(local) = target.target {
            out.insert(local);
        }
    };
    for statement in body {
        match statement {
            Stmt::Assign(target, ..) => note(target),
            Stmt::AssignTuple(targets, ..) => targets.iter().flatten().for_each(&mut note),
            _ => {}
        }
    }
    for statement in body {
        match statement {
            Stmt::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| assigned(body, out));
                assigned(otherwise, out);
            }
            Stmt::For(_, _, body, _) | Stmt::While(_, body, _) => assigned(body, out),
            _ => {}
        }
    }
}

/// Integers that a Real variable holds are Reals.
fn real(part: &Part) -> Part {
    match part {
        Part::Number(slot, Scalar::Int) => Part::Number(*slot, Scalar::Real),
        Part::Array(dims, items) => Part::Array(dims.clone(), items.iter().map(real).collect()),
        other => other.clone(),
    }
}
