//! Expressions to operations: composite values element by element, branches lazily.

use super::build::Builder;
use super::{Invocation, Lowered, Part, Refusal};
use crate::tape::Op;
use kairos_expr::{BinOp, Body, Builtin, ExprId, FunctionId, IterId, Node, ReduceOp, Scalar, UnOp};

impl Builder<'_> {
    pub fn expression(&mut self, e: ExprId) -> Lowered {
        if let Some(part) = self.given.get(&e).or_else(|| self.memo.get(&e)) {
            return Ok(part.clone());
        }
        let part = self.node(e)?;
        self.memo.insert(e, part.clone());
        self.memo_order.push(e);
        Ok(part)
    }

    fn node(&mut self, e: ExprId) -> Lowered {
        let store = self.store;
        match store.node(e) {
            Node::Real(x) => Ok(self.constant(x.get(), Scalar::Real)),
            Node::Int(i) => Ok(self.constant(*i as f64, Scalar::Int)),
            Node::Bool(b) => Ok(self.constant(f64::from(u8::from(*b)), Scalar::Bool)),
            Node::Enum(ty, ordinal) => Ok(self.constant(f64::from(*ordinal), Scalar::Enum(*ty))),
            Node::Str(text) => Ok(Part::Text(Some(*text))),
            Node::Local(l) => {
                let part = self.locals.get(l.index()).cloned().flatten().ok_or(Refusal::Size)?;
                Ok(self.read(&part))
            }
            Node::Iter(i) => {
                let found = self.iterators.iter().rev().find(|(k, _)| k == i);
                found.map(|(_, part)| part.clone()).ok_or(Refusal::Foreign)
            }
            Node::Unary(op, a) => {
                let a = self.expression(*a)?;
                self.each(&a, |work, slot| work.unary(*op, slot))
            }
            Node::Binary(op @ (BinOp::And | BinOp::Or), a, b) => self.logic(*op, *a, *b),
            Node::Binary(op, a, b) => {
                let (a, b) = (self.expression(*a)?, self.expression(*b)?);
                self.operator(*op, &a, &b)
            }
            Node::If(c, a, b) => {
                let condition = self.scalar(*c)?;
                match self.slots.value(condition) {
                    Some(0.0) => self.expression(*b),
                    Some(_) => self.expression(*a),
                    None => self.choice(condition, *a, *b),
                }
            }
            Node::Builtin(f, args) => self.builtin(e, *f, args),
            Node::Call(f, args) => {
                let args = self.list(args)?;
                self.call(*f, args)
            }
            Node::CallValue(f, args) => {
                let Part::Function(function, bound) = self.expression(*f)? else {
                    return Err(Refusal::Foreign);
                };
                let mut rest = self.list(args)?.into_iter();
                let arity = store.function(function).inputs.len() as u32;
                let args = (0..arity).map(|i| match bound.iter().find(|(k, _)| *k == i) {
                    Some((_, part)) => Some(part.clone()),
                    None => rest.next(),
                });
                let args = args.collect::<Option<Vec<_>>>().ok_or(Refusal::Foreign)?;
                self.call(function, args)
            }
            Node::Partial(f, args) => {
                let mut bound = Vec::with_capacity(args.len());
                for &(k, a) in args {
                    bound.push((k, self.expression(a)?));
                }
                Ok(Part::Function(*f, bound))
            }
            Node::Item(a, k) => match self.expression(*a)? {
                Part::Tuple(items) => items.get(*k as usize).cloned().ok_or(Refusal::Foreign),
                other if *k == 0 => Ok(other),
                _ => Err(Refusal::Foreign),
            },
            Node::Field(a, k) => self.expression(*a)?.field(*k).ok_or(Refusal::Foreign),
            Node::Record(r, items) => Ok(Part::Record(*r, self.list(items)?)),
            Node::Array(items) => {
                if items.is_empty() {
                    let dims = store.ty(e).dims.iter().map(|d| d.known().unwrap_or(0)).collect();
                    return Ok(Part::Array(dims, Vec::new()));
                }
                Part::stack(self.list(items)?).ok_or(Refusal::Size)
            }
            Node::Range(a, step, b) => self.range(*a, *step, *b),
            Node::Comprehension(body, iters) => {
                let mut items = Vec::new();
                let mut sizes = Vec::new();
                self.iterate(iters, 0, &mut sizes, &mut |work| {
                    items.push(work.expression(*body)?);
                    Ok(())
                })?;
                let inner = items.first().map_or(Vec::new(), |first| first.dims().to_vec());
                if items.iter().any(|item| item.dims() != inner) {
                    return Err(Refusal::Size);
                }
                let data: Vec<Part> = items.iter().flat_map(|item| item.elements().to_vec()).collect();
                let dims: Vec<usize> = sizes.into_iter().chain(inner).collect();
                match dims.iter().product::<usize>() == data.len() {
                    true => Ok(Part::Array(dims, data)),
                    false => Err(Refusal::Size),
                }
            }
            Node::Reduce(op, body, iters) => {
                let mut items = Vec::new();
                self.iterate(iters, 0, &mut Vec::new(), &mut |work| {
                    items.push(work.expression(*body)?);
                    Ok(())
                })?;
                self.reduce(*op, &items, store.ty(e).scalar)
            }
            Node::Index(a, subs) => {
                if let Node::Local(l) = store.node(*a)
                    && let Some(part) = self.element(*l, subs)?
                {
                    return Ok(self.read(&part));
                }
                let whole = self.expression(*a)?;
                self.index(&whole, subs)
            }
            Node::Var(_) | Node::Time | Node::Relation(_) => Err(Refusal::Foreign),
        }
    }

    pub fn scalar(&mut self, e: ExprId) -> Lowered<u32> {
        let part = self.expression(e)?;
        self.number(&part)
    }

    pub fn list(&mut self, list: &[ExprId]) -> Lowered<Vec<Part>> {
        list.iter().map(|&e| self.expression(e)).collect()
    }

    /// The right operand only if it counts: it may hold where the left one does.
    fn logic(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Lowered {
        let left = self.expression(a)?;
        if matches!(left, Part::Array(..)) {
            let right = self.expression(b)?;
            return self.operator(op, &left, &right);
        }
        let left = self.number(&left)?;
        match self.slots.value(left) {
            Some(x) if (x != 0.0) == (op == BinOp::And) => return self.expression(b),
            Some(_) => return Ok(Part::Number(left, Scalar::Bool)),
            None => {}
        }
        if self.is_safe(b) {
            let right = self.scalar(b)?;
            return Ok(Part::Number(self.binary(op, left, right)?, Scalar::Bool));
        }
        let to = self.slots.scratch();
        self.push(Op::Copy { to, a: left })?;
        let test = match op {
            BinOp::And => left,
            _ => self.unary(UnOp::Not, left)?,
        };
        let skip = self.jump_unless(test)?;
        let right = self.in_branch(|work| work.scalar(b))?;
        self.push(Op::Copy { to, a: right })?;
        self.land(skip);
        Ok(Part::Number(to, Scalar::Bool))
    }

    /// Cheap, and without a way to fail.
    fn is_safe(&self, e: ExprId) -> bool {
        match self.store.node(e) {
            Node::Call(..) | Node::CallValue(..) | Node::Index(..) | Node::Reduce(..) => false,
            Node::If(..) | Node::Comprehension(..) => false,
            _ => {
                let mut safe = true;
                self.store.children(e, |c| safe &= self.is_safe(c));
                safe
            }
        }
    }

    /// What is computed in a branch is not there after it.
    pub(super) fn in_branch<T>(&mut self, body: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let before = self.memo_order.len();
        self.depth += 1;
        let outcome = body(self);
        self.depth -= 1;
        self.forget(before);
        outcome
    }

    /// Drops the values of expressions that were computed since.
    pub(super) fn forget(&mut self, before: usize) {
        for e in self.memo_order.drain(before.min(self.memo_order.len())..) {
            self.memo.remove(&e);
        }
    }

    fn choice(&mut self, condition: u32, a: ExprId, b: ExprId) -> Lowered {
        let otherwise = self.jump_unless(condition)?;
        let (value, yes) = self.in_branch(|work| {
            let part = work.expression(a)?;
            let value = work.fresh(&part);
            work.assign_plain(&value, &part)?;
            Ok((value, part))
        })?;
        let end = self.jump()?;
        self.land(otherwise);
        let texts = self.in_branch(|work| {
            let part = work.expression(b)?;
            if !alike(&part, &yes) {
                return Err(Refusal::Size);
            }
            work.assign_plain(&value, &part)?;
            Ok(part.texts() == yes.texts())
        })?;
        self.land(end);
        Ok(if texts { value } else { value.without_texts() })
    }

    /// Writes fresh slots, of which nothing is known afterwards.
    fn assign_plain(&mut self, to: &Part, from: &Part) -> Lowered<()> {
        for (to, a) in to.slots().into_iter().zip(from.slots()) {
            self.push(Op::Copy { to, a })?;
        }
        Ok(())
    }

    fn range(&mut self, a: ExprId, step: Option<ExprId>, b: ExprId) -> Lowered {
        let (first, last) = (self.expression(a)?, self.expression(b)?);
        let step = step.map(|s| self.expression(s)).transpose()?;
        let value = |work: &Self, part: &Part| -> Lowered<f64> {
            work.slots.value(work.number(part)?).ok_or(Refusal::Size)
        };
        let Part::Number(_, scalar) = first else { return Err(Refusal::Foreign) };
        let (x, y) = (value(self, &first)?, value(self, &last)?);
        let s = step.as_ref().map_or(Ok(1.0), |s| value(self, s))?;
        let is_real = [Some(&first), step.as_ref(), Some(&last)]
            .into_iter()
            .flatten()
            .any(|p| matches!(p, Part::Number(_, Scalar::Real)));
        let count = ((y - x) / s * (1.0 + f64::EPSILON)).floor() + 1.0;
        if s == 0.0 || !count.is_finite() || count > 1e5 {
            return Err(Refusal::Length);
        }
        let scalar = if is_real { Scalar::Real } else { scalar };
        let items: Vec<Part> =
            (0..count.max(0.0) as usize).map(|k| self.constant(x + k as f64 * s, scalar)).collect();
        Ok(Part::Array(vec![items.len()], items))
    }

    fn iterate(
        &mut self,
        iters: &[(IterId, ExprId)],
        depth: usize,
        sizes: &mut Vec<usize>,
        visit: &mut dyn FnMut(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let Some((&(iter, range), rest)) = iters.split_first() else { return visit(self) };
        let values = self.expression(range)?;
        let count = values.dims().first().copied().unwrap_or(1);
        sizes.truncate(depth);
        sizes.push(count);
        for k in 0..count {
            let value = values.row(k).unwrap_or_else(|| values.clone());
            self.iterators.push((iter, value));
            // What reads the iterator has another value now.
            let before = self.memo_order.len();
            let outcome = self.iterate(rest, depth + 1, sizes, visit);
            self.forget(before);
            self.iterators.pop();
            outcome?;
        }
        if count == 0 {
            sizes.extend(rest.iter().map(|_| 0));
        }
        Ok(())
    }

    pub(super) fn reduce(&mut self, op: ReduceOp, items: &[Part], ty: Scalar) -> Lowered {
        let Some(first) = items.first() else {
            return Ok(match op {
                ReduceOp::Sum => self.constant(0.0, ty),
                ReduceOp::Product => self.constant(1.0, ty),
                ReduceOp::Min => self.constant(f64::MAX, ty),
                ReduceOp::Max => self.constant(-f64::MAX, ty),
            });
        };
        let mut sum = first.clone();
        for item in &items[1..] {
            sum = match op {
                ReduceOp::Sum => self.operator(BinOp::Add, &sum, item)?,
                ReduceOp::Product => self.operator(BinOp::Mul, &sum, item)?,
                ReduceOp::Min | ReduceOp::Max => {
                    let f = if op == ReduceOp::Min { Builtin::Min2 } else { Builtin::Max2 };
                    let (a, b) = (self.number(&sum)?, self.number(item)?);
                    Part::Number(self.function(f, &[a, b])?, ty)
                }
            };
        }
        Ok(sum)
    }

    /// A call of another routine, in place if that is short.
    pub(super) fn call(&mut self, f: FunctionId, args: Vec<Part>) -> Lowered {
        let function = self.store.function(f);
        if let Body::RecordConstructor = function.body {
            let output = &function.locals[function.outputs[0].index()];
            let Scalar::Record(r) = self.store.get_type(output.ty).scalar else {
                return Err(Refusal::Foreign);
            };
            return Ok(Part::Record(r, args));
        }
        let id = self.library.compile(self.store, f, &args, self.slots)?;
        let mut arguments = Vec::new();
        args.iter().for_each(|a| a.leaves(&mut arguments));
        if let Some(part) = self.splice(id, &arguments, Op::GiveUp)? {
            return Ok(part);
        }
        let (outputs, part) = self.results_of(id)?;
        let site = self.library.invocation(Invocation { routine: id, arguments, outputs, fallback: None });
        self.push(Op::Invoke { site })?;
        Ok(part)
    }

    /// Fresh slots for the outputs of a routine.
    pub fn results_of(&mut self, id: u32) -> Lowered<(Vec<u32>, Part)> {
        let result = self.library.list[id as usize].result.clone().ok_or(Refusal::Size)?;
        let part = self.fresh(&result);
        Ok((part.slots(), part))
    }
}

/// The same structure, whatever the numbers and texts.
pub fn alike(a: &Part, b: &Part) -> bool {
    let all = |x: &[Part], y: &[Part]| x.len() == y.len() && x.iter().zip(y).all(|(a, b)| alike(a, b));
    match (a, b) {
        (Part::Number(..), Part::Number(..)) => true,
        (Part::Text(_), Part::Text(_)) => true,
        (Part::Array(d, x), Part::Array(e, y)) => d == e && all(x, y),
        (Part::Record(_, x), Part::Record(_, y)) | (Part::Tuple(x), Part::Tuple(y)) => all(x, y),
        (Part::Function(f, x), Part::Function(g, y)) => {
            f == g && x.len() == y.len() && x.iter().zip(y).all(|(a, b)| a.0 == b.0 && alike(&a.1, &b.1))
        }
        _ => false,
    }
}
