//! The one interpreter of expressions: constants, sizes, conditions, bindings and function calls.

use crate::RelationId;
use crate::execute::Frame;
use crate::{
    BinOp, Builtin, Dim, ExprId, FunctionId, IterId, Node, ReduceOp, Scalar, Store, Sub, Value, VarId, arith,
    arrays, strings,
};
use kairos_base::hash::HashMap;
use kairos_base::{Span, limits};
use std::sync::Arc;

/// Why an evaluation has no value.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The value of this variable is needed first.
    NeedVar(VarId),
    /// The body of this function is needed first.
    NeedFunction(FunctionId),
    /// It depends on something that is known only in a simulation.
    NotConstant,
    Error {
        message: String,
        span: Option<Span>,
    },
}

impl Stop {
    pub fn error(message: impl Into<String>) -> Stop {
        Stop::Error { message: message.into(), span: None }
    }
}

impl From<String> for Stop {
    fn from(message: String) -> Stop {
        Stop::error(message)
    }
}

pub type Answer = Result<Value, Stop>;

/// What surrounds an evaluation.
pub trait Env {
    fn var(&self, var: VarId) -> Answer;

    /// `time`, `initial()`, `pre(x)` and other operators of a running simulation.
    fn operator(&self, _builtin: Builtin, _args: &[ExprId]) -> Answer {
        Err(Stop::NotConstant)
    }

    fn time(&self) -> Answer {
        Err(Stop::NotConstant)
    }

    /// A relation as it is held between events.
    fn relation(&self, _relation: RelationId) -> Answer {
        Err(Stop::NotConstant)
    }

    /// Calls an external function: arguments in the order of the external call, outputs as placeholders that are
    /// overwritten in place; gives the return value.
    fn external(&self, call: &crate::ExternalCall, _args: &mut [Value]) -> Result<Option<Value>, Stop> {
        Err(Stop::error(format!("the external function `{}` is not available", call.symbol)))
    }

    /// A failed assert of level warning.
    fn warn(&self, _message: &str) {}

    /// Steps that may still be taken, where an evaluation has to end; `Evaluator` takes its own from it.
    fn budget(&self) -> Option<&std::cell::Cell<u64>> {
        None
    }
}

/// An environment in which no variable has a value.
pub struct Nothing;

impl Env for Nothing {
    fn var(&self, var: VarId) -> Answer {
        Err(Stop::NeedVar(var))
    }
}

/// Evaluates an expression outside any function.
pub fn evaluate(store: &Store, env: &dyn Env, e: ExprId) -> Answer {
    Evaluator::new(store, env).eval(e, &mut Frame::default())
}

/// Calls a function with values.
pub fn call(store: &Store, env: &dyn Env, function: FunctionId, args: Vec<Value>) -> Answer {
    Evaluator::new(store, env).call(function, args)
}

pub struct Evaluator<'s> {
    pub(crate) store: &'s Store,
    pub(crate) env: &'s dyn Env,
    pub(crate) depth: usize,
    /// Functions that run now, the innermost last.
    pub(crate) running: Vec<FunctionId>,
    /// Conditions around that are not known, so that both ways are taken.
    pub(crate) undecided: usize,
    budget: Option<&'s std::cell::Cell<u64>>,
    /// Values of arrays and records that are written out, and of which other ones it is known that they are not.
    literals: HashMap<ExprId, Option<Value>>,
}

/// Shorter arrays are as quickly made as they are found.
const LONG: usize = 8;

const MAX_DEPTH: usize = 400;

impl<'s> Evaluator<'s> {
    pub fn new(store: &'s Store, env: &'s dyn Env) -> Self {
        Self {
            store,
            env,
            depth: 0,
            running: Vec::new(),
            undecided: 0,
            budget: env.budget(),
            literals: HashMap::default(),
        }
    }

    /// Takes steps from what there is.
    pub(crate) fn spend(&self, steps: usize) -> Result<(), Stop> {
        let Some(budget) = self.budget else { return Ok(()) };
        match budget.get().checked_sub(steps as u64) {
            Some(left) => {
                budget.set(left);
                Ok(())
            }
            None => {
                budget.set(0);
                Err(Stop::error(format!("the evaluation does not end within {} steps", limits::STEPS)))
            }
        }
    }

    pub(crate) fn eval(&mut self, e: ExprId, frame: &mut Frame) -> Answer {
        let store = self.store;
        self.spend(1)?;
        match store.node(e) {
            Node::Real(x) => Ok(Value::Real(x.get())),
            Node::Int(i) => Ok(Value::Int(*i)),
            Node::Bool(b) => Ok(Value::Bool(*b)),
            Node::Str(s) => Ok(Value::str(s.as_str())),
            Node::Enum(t, i) => Ok(Value::Enum(*t, *i)),
            Node::Time => self.env.time(),
            Node::Var(v) => self.env.var(*v),
            Node::Local(l) => frame.local(*l),
            Node::Iter(i) => frame.iterator(*i),
            Node::Unary(op, a) => Ok(arith::unary(*op, &self.eval(*a, frame)?)?),
            Node::Binary(op, a, b) => self.binary(*op, *a, *b, frame),
            Node::If(c, a, b) => {
                let chosen = match self.eval(*c, frame)? {
                    Value::Bool(true) => *a,
                    Value::Bool(false) => *b,
                    Value::Unknown => {
                        self.undecided += 1;
                        let both = self.eval(*a, frame).and_then(|a| Ok(a.join(&self.eval(*b, frame)?)));
                        self.undecided -= 1;
                        return both;
                    }
                    _ => return Err(Stop::error("a condition is not Boolean")),
                };
                self.eval(chosen, frame)
            }
            Node::Builtin(f, args) => self.builtin(*f, args, e, frame),
            Node::Call(f, args) => {
                let args = self.list(args, frame)?;
                self.call(*f, args)
            }
            Node::CallValue(f, args) => {
                let Value::Function(function, bound) = self.eval(*f, frame)? else {
                    return Err(Stop::error("a call of something that is not a function"));
                };
                let mut rest = self.list(args, frame)?.into_iter();
                let arity = store.function(function).inputs.len() as u32;
                let args = (0..arity).map(|i| match bound.iter().find(|(k, _)| *k == i) {
                    Some((_, v)) => Ok(v.clone()),
                    None => {
                        rest.next().ok_or_else(|| Stop::error("too few arguments for a functional argument"))
                    }
                });
                let args = args.collect::<Result<Vec<_>, _>>()?;
                self.call(function, args)
            }
            Node::Partial(f, args) => {
                let bound = args.iter().map(|&(i, a)| Ok((i, self.eval(a, frame)?)));
                Ok(Value::Function(*f, Arc::new(bound.collect::<Result<_, Stop>>()?)))
            }
            Node::Item(a, i) => match self.eval(*a, frame)? {
                Value::Tuple(items) => Ok(items[*i as usize].clone()),
                Value::Unknown => Ok(Value::Unknown),
                other if *i == 0 => Ok(other),
                _ => Err(Stop::error("a function has fewer outputs than are used")),
            },
            Node::Field(a, i) => field(&self.eval(*a, frame)?, *i),
            Node::Record(r, args) => match self.literal(e, frame)? {
                Some(known) => Ok(known),
                None => Ok(Value::Record(*r, Arc::new(self.list(args, frame)?))),
            },
            Node::Array(items) => {
                if items.len() >= LONG
                    && let Some(known) = self.literal(e, frame)?
                {
                    return Ok(known);
                }
                self.array(e, items, frame)
            }
            Node::Range(a, step, b) => {
                let a = self.eval(*a, frame)?;
                let step = step.map(|s| self.eval(s, frame)).transpose()?;
                let b = self.eval(*b, frame)?;
                Ok(range(&a, step.as_ref(), &b)?)
            }
            Node::Comprehension(body, iters) => {
                let mut sizes = Vec::new();
                let mut items = Vec::new();
                self.iterate(iters, frame, &mut sizes, &mut |me, frame| {
                    items.push(me.eval(*body, frame)?);
                    Ok(())
                })?;
                let inner = match items.first() {
                    Some(first) => first.dims().to_vec(),
                    None => store.ty(*body).dims.iter().map(|d| d.known().unwrap_or(0)).collect(),
                };
                let data: Vec<Value> = items.iter().flat_map(|v| v.elements().to_vec()).collect();
                let dims: Vec<usize> = sizes.into_iter().chain(inner).collect();
                if dims.iter().product::<usize>() != data.len() {
                    return Err(Stop::error("the items of an array differ in size"));
                }
                Ok(Value::array(dims, data))
            }
            Node::Reduce(op, body, iters) => {
                let mut items = Vec::new();
                self.iterate(iters, frame, &mut Vec::new(), &mut |me, frame| {
                    items.push(me.eval(*body, frame)?);
                    Ok(())
                })?;
                if items.is_empty() && *op == ReduceOp::Sum && store.ty(e).scalar == Scalar::Real {
                    return Ok(Value::Real(0.0));
                }
                if items.iter().any(Value::has_unknown) {
                    return Ok(Value::Unknown);
                }
                Ok(arrays::reduce(*op, &items)?)
            }
            Node::Index(a, subs) => {
                let value = self.eval(*a, frame)?;
                let subs = self.subscripts(subs, frame)?;
                Ok(index(&value, &subs)?)
            }
            Node::Relation(r) => self.env.relation(*r),
        }
    }

    fn array(&mut self, e: ExprId, items: &[ExprId], frame: &mut Frame) -> Answer {
        let store = self.store;
        if items.is_empty() {
            let dims = store.ty(e).dims.iter().map(|d| d.known().unwrap_or(0)).collect();
            return Ok(Value::array(dims, Vec::new()));
        }
        let mut parts = self.list(items, frame)?;
        if store.ty(e).dims.len() > 1 && parts.iter().any(|p| matches!(p, Value::Unknown)) {
            return Ok(Value::Unknown);
        }
        if store.ty(e).scalar == Scalar::Real && parts.iter().any(|p| matches!(p, Value::Int(_))) {
            parts.iter_mut().for_each(to_real);
        }
        Ok(Value::stack(parts))
    }

    /// The value of an array or record that is written out: it is made once in an evaluation, not in every round of a loop.
    fn literal(&mut self, e: ExprId, frame: &mut Frame) -> Result<Option<Value>, Stop> {
        if let Some(known) = self.literals.get(&e) {
            return Ok(known.clone());
        }
        let moving = |node: &Node| {
            !matches!(
                node,
                Node::Real(_)
                    | Node::Int(_)
                    | Node::Bool(_)
                    | Node::Str(_)
                    | Node::Enum(..)
                    | Node::Unary(..)
                    | Node::Array(_)
                    | Node::Record(..)
            )
        };
        let value = match (self.store.any(e, moving), self.store.node(e)) {
            (false, Node::Array(items)) => Some(self.array(e, items, frame)?),
            (false, Node::Record(r, args)) => Some(Value::Record(*r, Arc::new(self.list(args, frame)?))),
            _ => None,
        };
        self.literals.insert(e, value.clone());
        Ok(value)
    }

    pub(crate) fn condition(&mut self, e: ExprId, frame: &mut Frame) -> Result<bool, Stop> {
        match self.eval(e, frame)? {
            Value::Bool(b) => Ok(b),
            Value::Unknown => Err(Stop::NotConstant),
            _ => Err(Stop::error("a condition is not Boolean")),
        }
    }

    pub(crate) fn list(&mut self, args: &[ExprId], frame: &mut Frame) -> Result<Vec<Value>, Stop> {
        args.iter().map(|&a| self.eval(a, frame)).collect()
    }

    pub(crate) fn subscripts(&mut self, subs: &[Sub], frame: &mut Frame) -> Result<Vec<Option<Value>>, Stop> {
        let one = |sub: &Sub| match sub {
            Sub::All => Ok(None),
            Sub::At(i) => self.eval(*i, frame).map(Some),
        };
        subs.iter().map(one).collect()
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, frame: &mut Frame) -> Answer {
        let x = self.eval(a, frame)?;
        match (op, &x) {
            (BinOp::And, Value::Bool(false)) | (BinOp::Or, Value::Bool(true)) => Ok(x),
            _ => {
                let y = self.eval(b, frame)?;
                self.spend(work_of(op, &x, &y))?;
                Ok(arith::binary(op, &x, &y)?)
            }
        }
    }

    fn iterate(
        &mut self,
        iters: &[(IterId, ExprId)],
        frame: &mut Frame,
        sizes: &mut Vec<usize>,
        visit: &mut dyn FnMut(&mut Self, &mut Frame) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Some((&(iter, range), rest)) = iters.split_first() else { return visit(self, frame) };
        let values = self.eval(range, frame)?;
        if values.has_unknown() {
            return Err(Stop::NotConstant);
        }
        let count = values.dims().first().copied().unwrap_or(1);
        let depth = sizes.len();
        sizes.push(count);
        for k in 0..count {
            frame.set_iterator(iter, values.part(k).unwrap_or_else(|| values.clone()));
            let mut inner = Vec::new();
            self.iterate(rest, frame, &mut inner, visit)?;
            sizes.truncate(depth + 1);
            sizes.extend(inner);
        }
        if count == 0 {
            sizes.extend(rest.iter().map(|_| 0));
        }
        Ok(())
    }

    fn builtin(&mut self, f: Builtin, args: &[ExprId], e: ExprId, frame: &mut Frame) -> Answer {
        match f {
            Builtin::NoEvent => return self.eval(args[0], frame),
            Builtin::Smooth => return self.eval(args[1], frame),
            Builtin::Homotopy => match self.env.operator(f, args) {
                Err(Stop::NotConstant) => return self.eval(args[0], frame),
                other => return other,
            },
            Builtin::Size => {
                if let [_, k] = args {
                    // The size is often part of the type, so that the array itself need not be known.
                    let k = self.eval(*k, frame)?.as_index().unwrap_or(0);
                    if let Some(Dim::Known(n)) = self.store.ty(args[0]).dims.get((k - 1) as usize) {
                        return Ok(Value::Int(i64::from(*n)));
                    }
                } else if let Some(dims) = self.store.ty(args[0]).sizes()
                    && !dims.is_empty()
                {
                    return Ok(Value::vector(dims.iter().map(|&d| Value::Int(d as i64)).collect()));
                }
            }
            _ => {}
        }
        let operator = f.row().eval.is_none()
            && matches!(
                f,
                Builtin::Der
                    | Builtin::Pre
                    | Builtin::Edge
                    | Builtin::Change
                    | Builtin::Initial
                    | Builtin::Terminal
                    | Builtin::Sample
                    | Builtin::Delay
                    | Builtin::Previous
                    | Builtin::Hold
                    | Builtin::ClockedSample
            );
        if operator {
            return self.env.operator(f, args);
        }
        let values = self.list(args, frame)?;
        let partly = values.iter().any(Value::has_unknown);
        if partly && f.row().eval.is_none() {
            return Ok(Value::Unknown);
        }
        if let Some(answer) = arrays::array_builtin(f, &values) {
            let mut value = answer?;
            if self.store.ty(e).scalar == Scalar::Real {
                to_real(&mut value);
            }
            return Ok(value);
        }
        if f == Builtin::String {
            return Ok(strings::string_of(self.store, &values)?);
        }
        if let Some(eval) = f.row().eval {
            return elementwise(f, eval, &values, self.store.ty(e).scalar);
        }
        self.env.operator(f, args)
    }
}

/// Applies a scalar builtin, vectorised over array arguments.
fn elementwise(f: Builtin, eval: fn(&[f64]) -> f64, args: &[Value], ty: Scalar) -> Answer {
    if let Some(Value::Array(shape)) = args.iter().find(|a| matches!(a, Value::Array(_))) {
        let items = (0..shape.data.len()).map(|k| {
            let at: Vec<Value> = args
                .iter()
                .map(|a| match a {
                    Value::Array(v) => v.data.get(k).cloned().unwrap_or(Value::Int(0)),
                    one => one.clone(),
                })
                .collect();
            elementwise(f, eval, &at, ty)
        });
        return Ok(Value::array(shape.dims.clone(), items.collect::<Result<_, _>>()?));
    }
    if args.iter().any(Value::has_unknown) {
        return Ok(Value::Unknown);
    }
    let numbers: Option<Vec<f64>> = args.iter().map(Value::as_f64).collect();
    let Some(numbers) = numbers else { return Err(Stop::error(format!("{} of {args:?}", f.name()))) };
    let by_zero = matches!(f, Builtin::Div | Builtin::Mod | Builtin::Rem) && numbers[1] == 0.0;
    let x = eval(&numbers);
    if by_zero || (x.is_nan() && numbers.iter().all(|n| !n.is_nan())) {
        let shown: Vec<String> = numbers.iter().map(|n| n.to_string()).collect();
        return Err(Stop::error(format!("{}({}) is not defined", f.name(), shown.join(", "))));
    }
    Ok(match ty {
        Scalar::Int if !limits::INTEGER.contains(&(x as i64)) => {
            return Err(Stop::error(format!("the Integer {} is too large: {x}", f.name())));
        }
        Scalar::Int => Value::Int(x as i64),
        Scalar::Enum(t) => Value::Enum(t, x as u32),
        Scalar::Bool => Value::Bool(x != 0.0),
        _ => Value::Real(x),
    })
}

/// Turns Integers into Reals, in arrays too.
pub fn to_real(value: &mut Value) {
    match value {
        Value::Int(i) => *value = Value::Real(*i as f64),
        Value::Array(a) if a.data.iter().any(|v| matches!(v, Value::Int(_))) => {
            Arc::make_mut(a).data.iter_mut().for_each(to_real);
        }
        _ => {}
    }
}

/// A field of a record, or of each record of an array.
pub fn field(value: &Value, i: u32) -> Answer {
    match value {
        Value::Unknown => Ok(Value::Unknown),
        Value::Record(_, fields) => fields
            .get(i as usize)
            .cloned()
            .ok_or_else(|| Stop::error("a record has fewer fields than are used")),
        Value::Array(a) => {
            let parts = a.data.iter().map(|v| field(v, i)).collect::<Result<Vec<_>, _>>()?;
            let Value::Array(flat) = Value::stack(parts) else {
                return Err(Stop::error("a field of nothing"));
            };
            let dims = a.dims.iter().chain(flat.dims.get(1..).unwrap_or(&[])).copied().collect();
            Ok(Value::array(dims, flat.data.clone()))
        }
        other => Err(Stop::error(format!("{other:?} is not a record"))),
    }
}

fn range(a: &Value, step: Option<&Value>, b: &Value) -> Result<Value, String> {
    match (a, step, b) {
        (Value::Enum(t, x), None, Value::Enum(_, y)) => {
            Ok(Value::vector((*x..=*y).map(|i| Value::Enum(*t, i)).collect()))
        }
        (Value::Bool(x), None, Value::Bool(y)) => {
            let all = [false, true].into_iter().filter(|v| v >= x && v <= y);
            Ok(Value::vector(all.map(Value::Bool).collect()))
        }
        (Value::Int(x), None | Some(Value::Int(_)), Value::Int(y)) => {
            let step = step.and_then(Value::as_index).unwrap_or(1);
            if step == 0 {
                return Err("a range with step zero".into());
            }
            let count = y.saturating_sub(*x).checked_div(step).unwrap_or(0).saturating_add(1).max(0);
            let empty = (step > 0 && x > y) || (step < 0 && x < y);
            if count > limits::ELEMENTS as i64 {
                return Err(format!("a range of {count} elements is too large"));
            }
            Ok(Value::vector((0..if empty { 0 } else { count }).map(|k| Value::Int(x + k * step)).collect()))
        }
        _ => {
            let step = step.map_or(Some(1.0), Value::as_f64);
            let (Some(x), Some(s), Some(y)) = (a.as_f64(), step, b.as_f64()) else {
                return Err(format!("a range from {a:?} to {b:?}"));
            };
            if s == 0.0 {
                return Err("a range with step zero".into());
            }
            let count = ((y - x) / s * (1.0 + f64::EPSILON)).floor() + 1.0;
            if count > limits::ELEMENTS as f64 {
                return Err(format!("a range of {count} elements is too large"));
            }
            Ok(Value::reals((0..count.max(0.0) as usize).map(|k| x + k as f64 * s)))
        }
    }
}

/// `value[subs]`; `None` is `:`. Fewer subscripts than dimensions leave the rest whole.
pub fn index(value: &Value, subs: &[Option<Value>]) -> Result<Value, String> {
    if matches!(value, Value::Unknown) || subs.iter().flatten().any(Value::has_unknown) {
        return Ok(Value::Unknown);
    }
    let Value::Array(a) = value else {
        return if subs.is_empty() { Ok(value.clone()) } else { Err("a subscript on a scalar".into()) };
    };
    if subs.len() > a.dims.len() {
        return Err(format!("{} subscripts on an array with {} dimensions", subs.len(), a.dims.len()));
    }
    let (picks, dims) = selection(&a.dims, subs)?;
    let data: Vec<Value> = picks.iter().map(|&k| a.data[k].clone()).collect();
    match dims.is_empty() {
        true => Ok(data.into_iter().next().unwrap_or(Value::Int(0))),
        false => Ok(Value::array(dims, data)),
    }
}

/// Offsets of the selected elements, and the dimensions of the selection.
pub(crate) fn selection(dims: &[usize], subs: &[Option<Value>]) -> Result<(Vec<usize>, Vec<usize>), String> {
    let mut picks = vec![0];
    let mut kept = Vec::new();
    for (k, &size) in dims.iter().enumerate() {
        let mut along: Vec<usize> = Vec::new();
        match subs.get(k) {
            None | Some(None) => {
                along.extend(0..size);
                kept.push(size);
            }
            Some(Some(sub)) => {
                for item in sub.elements() {
                    let i = item.as_index().ok_or_else(|| format!("{item:?} is not a subscript"))?;
                    if i < 1 || i as usize > size {
                        return Err(format!("subscript {i} is outside 1:{size}"));
                    }
                    along.push(i as usize - 1);
                }
                if !sub.dims().is_empty() {
                    kept.push(along.len());
                }
            }
        }
        picks = picks.iter().flat_map(|p| along.iter().map(move |a| p * size + a)).collect();
    }
    Ok((picks, kept))
}

pub(crate) fn too_deep(depth: usize) -> bool {
    depth > MAX_DEPTH
}

/// Elementary operations of an operator on arrays; none for numbers.
fn work_of(op: BinOp, a: &Value, b: &Value) -> usize {
    match (op, a.dims(), b.dims()) {
        (_, [], []) => 0,
        // A product for each digit of the exponent, twice.
        (BinOp::Pow, [n, ..], _) => n * n * n * 2 * (64 - b.as_index().unwrap_or(0).leading_zeros() as usize),
        (BinOp::Mul, [.., inner], [_, ..]) => {
            a.elements().len().saturating_mul(b.elements().len()) / inner.max(&1)
        }
        (_, [], _) => b.elements().len(),
        _ => a.elements().len(),
    }
}
