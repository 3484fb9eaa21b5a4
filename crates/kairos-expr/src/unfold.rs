//! Bodies of functions run on scalar expressions: what a call computes, written out.

mod body;
mod builtins;

use crate::inline::Stage;
use crate::parts::Parts;
use crate::{Builtin, ExprId, ExprMap, IterId, Node, ReduceOp, Store, Sub, UnOp};
use std::rc::Rc;

/// Beyond this many nodes a call is cheaper than its body.
const LIMIT: usize = 20_000;

/// One function being run: its locals and iterators.
#[derive(Default)]
struct Frame {
    locals: Vec<Parts>,
    iters: Vec<(IterId, Parts)>,
}

/// Where a list of statements ended.
#[derive(PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Return,
}

/// What is known of calls outside of functions, so that a call of which many numbers are taken is looked at once.
#[derive(Default)]
pub(crate) struct Calls {
    /// Results of calls and their items; absent where a call has to stay.
    results: ExprMap<Option<Parts>>,
    /// Calls that stay, with their arguments written out.
    whole: ExprMap<Option<ExprId>>,
}

pub(crate) struct Unfold<'a> {
    store: &'a mut Store,
    stage: Stage,
    calls: &'a mut Calls,
    frames: Vec<Frame>,
    left: usize,
}

impl<'a> Unfold<'a> {
    pub fn new(store: &'a mut Store, stage: Stage, calls: &'a mut Calls) -> Self {
        Unfold { store, stage, calls, frames: Vec::new(), left: LIMIT }
    }

    /// The scalars of an expression; `None` where the shape is not known or a statement cannot be written out.
    pub fn take(&mut self, e: ExprId) -> Option<Parts> {
        self.left = self.left.checked_sub(1)?;
        match self.store.node(e).clone() {
            Node::Local(l) => match self.frames.last()?.locals.get(l.index())? {
                Parts::Nothing => None,
                parts => Some(parts.clone()),
            },
            Node::Iter(i) => {
                let iters = &self.frames.last()?.iters;
                iters.iter().rev().find(|(known, _)| *known == i).map(|(_, value)| value.clone())
            }
            Node::Unary(op, a) => {
                let a = self.take(a)?;
                let store = &mut *self.store;
                a.map(&mut |x| match op {
                    UnOp::Neg => store.negate(x),
                    UnOp::Not => store.not(x),
                })
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.take(a)?, self.take(b)?);
                let result = self.store.parts_op(op, &a, &b)?;
                match op.is_relation() {
                    true => self.quiet(result),
                    false => Some(result),
                }
            }
            Node::If(c, a, b) => {
                let c = self.take(c)?.one()?;
                match *self.store.node(c) {
                    Node::Bool(true) => self.take(a),
                    Node::Bool(false) => self.take(b),
                    _ => {
                        let (a, b) = (self.take(a)?, self.take(b)?);
                        a.zip(&b, &mut |x, y| self.store.choose(c, x, y))
                    }
                }
            }
            Node::Builtin(f, args) => self.builtin(f, &args, e),
            Node::Call(f, args) => self.call(f, &args, e),
            Node::Item(call, k) => self.item(call, k, e),
            Node::Field(a, k) => self.take(a)?.field(k as usize),
            Node::Record(r, args) => {
                let items = args.iter().map(|&a| self.take(a)).collect::<Option<Vec<_>>>()?;
                Some(Parts::Record(r, Rc::new(items)))
            }
            Node::Array(items) => {
                if items.is_empty() {
                    return Parts::array(self.store.ty(e).sizes()?, Vec::new());
                }
                let parts = items.iter().map(|&a| self.take(a)).collect::<Option<Vec<_>>>()?;
                Parts::stack(parts)
            }
            Node::Range(from, step, to) => self.range(from, step, to),
            Node::Comprehension(body, iters) => {
                let (mut dims, mut items) = (Vec::new(), Vec::new());
                self.iterate(&iters, &mut dims, &mut |me| {
                    items.push(me.take(body)?);
                    Some(())
                })?;
                let inner = items.first()?.dims().to_vec();
                dims.extend(inner);
                Parts::array(dims, items.iter().flat_map(|p| p.items().to_vec()).collect())
            }
            Node::Reduce(op, body, iters) => {
                let mut items = Vec::new();
                self.iterate(&iters, &mut Vec::new(), &mut |me| {
                    items.push(me.take(body)?);
                    Some(())
                })?;
                self.reduce(op, &items)
            }
            Node::Index(a, subs) => {
                let a = self.take(a)?;
                let subs = self.positions(&subs, a.dims())?;
                pick(&a, &subs)
            }
            Node::CallValue(..) | Node::Partial(..) => self.closed(e),
            Node::Var(_) | Node::Time | Node::Relation(_) => Some(Parts::One(e)),
            Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Str(_) | Node::Enum(..) => {
                Some(Parts::One(e))
            }
        }
    }

    fn item(&mut self, call: ExprId, k: u32, e: ExprId) -> Option<Parts> {
        let outside = self.frames.is_empty();
        if outside && let Some(known) = self.calls.results.get(&e) {
            return known.clone();
        }
        let result = match self.take(call) {
            Some(parts) => parts.field(k as usize),
            None => self.whole(call).and_then(|call| {
                let ty = self.store.ty(e).clone();
                let item = self.store.add(Node::Item(call, k), ty.clone());
                self.store.select_parts(item, &ty)
            }),
        };
        if outside {
            self.calls.results.insert(e, result.clone());
        }
        result
    }

    /// MLS 12.8: what was a function raises no events.
    fn quiet(&mut self, parts: Parts) -> Option<Parts> {
        if self.stage != Stage::Early || self.frames.is_empty() {
            return Some(parts);
        }
        let store = &mut *self.store;
        parts.map(&mut |x| store.apply(Builtin::NoEvent, &[x]))
    }

    /// An expression that stays as it is, if it reads nothing of a function.
    fn closed(&mut self, e: ExprId) -> Option<Parts> {
        let open = self.store.any(e, |n| matches!(n, Node::Local(_) | Node::Iter(_)));
        (!open || self.frames.is_empty()).then_some(Parts::One(e))
    }

    fn number(&mut self, e: ExprId) -> Option<i64> {
        let one = self.take(e)?.one()?;
        let x = self.store.number(one)?;
        (x.fract() == 0.0).then_some(x as i64)
    }

    fn range(&mut self, from: ExprId, step: Option<ExprId>, to: ExprId) -> Option<Parts> {
        let (from, to) = (self.number(from)?, self.number(to)?);
        let step = step.map_or(Some(1), |s| self.number(s)).filter(|&s| s != 0)?;
        let count = ((to - from) / step + 1).max(0);
        if count as usize > LIMIT || (to - from).signum() * step.signum() < 0 {
            return (count as usize <= LIMIT).then(|| Parts::vector(Vec::new()));
        }
        Some(Parts::vector((0..count).map(|k| Parts::One(self.store.int(from + k * step))).collect()))
    }

    fn iterate(
        &mut self,
        iters: &[(IterId, ExprId)],
        dims: &mut Vec<usize>,
        body: &mut dyn FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let base = self.frames.is_empty();
        if base {
            self.frames.push(Frame::default());
        }
        let done = self.nest(iters, dims, body);
        if base {
            self.frames.pop();
        }
        done
    }

    fn nest(
        &mut self,
        iters: &[(IterId, ExprId)],
        dims: &mut Vec<usize>,
        body: &mut dyn FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let Some(((iter, range), rest)) = iters.split_first() else { return body(self) };
        let range = self.take(*range)?;
        let values = range.items().to_vec();
        dims.push(values.len());
        let depth = dims.len();
        for value in values {
            dims.truncate(depth);
            self.frames.last_mut()?.iters.push((*iter, value));
            let done = self.nest(rest, dims, body);
            self.frames.last_mut()?.iters.pop();
            done?;
        }
        Some(())
    }

    fn reduce(&mut self, op: ReduceOp, items: &[Parts]) -> Option<Parts> {
        let Some((first, rest)) = items.split_first() else {
            let e = match op {
                ReduceOp::Sum => self.store.zero(),
                ReduceOp::Product => self.store.real(1.0),
                _ => return None,
            };
            return Some(Parts::One(e));
        };
        let mut all = first.clone();
        for item in rest {
            let store = &mut *self.store;
            all = all.zip(item, &mut |x, y| match op {
                ReduceOp::Sum => store.plus(x, y),
                ReduceOp::Product => store.times(x, y),
                ReduceOp::Min => store.apply(Builtin::Min2, &[x, y]),
                ReduceOp::Max => store.apply(Builtin::Max2, &[x, y]),
            })?;
        }
        match op {
            ReduceOp::Sum | ReduceOp::Product => Some(all),
            _ => self.quiet(all),
        }
    }

    /// Literal subscripts by dimension; whether the dimension stays.
    fn positions(&mut self, subs: &[Sub], dims: &[usize]) -> Option<Vec<(Vec<usize>, bool)>> {
        let mut out = Vec::with_capacity(subs.len());
        for (sub, &size) in subs.iter().zip(dims) {
            out.push(match sub {
                Sub::All => ((0..size).collect(), true),
                Sub::At(i) => {
                    let at = self.take(*i)?;
                    let keep = !at.dims().is_empty();
                    let mut list = Vec::new();
                    for item in at.items() {
                        let k = self.store.number(item.one()?)? as i64 - 1;
                        list.push(usize::try_from(k).ok().filter(|&k| k < size)?);
                    }
                    (list, keep)
                }
            });
        }
        (subs.len() <= dims.len()).then_some(out)
    }
}

/// Row-major positions of the chosen elements.
fn flat(subs: &[(Vec<usize>, bool)], dims: &[usize]) -> Vec<usize> {
    let mut places = vec![0];
    for ((list, _), &size) in subs.iter().zip(dims) {
        places = places.iter().flat_map(|&at| list.iter().map(move |&k| at * size + k)).collect();
    }
    places
}

fn pick(a: &Parts, subs: &[(Vec<usize>, bool)]) -> Option<Parts> {
    let dims = a.dims();
    let mut subs = subs.to_vec();
    while subs.len() < dims.len() {
        subs.push(((0..dims[subs.len()]).collect(), true));
    }
    let items: Vec<Parts> = flat(&subs, dims).into_iter().map(|at| a.items()[at].clone()).collect();
    let kept: Vec<usize> = subs.iter().filter(|(_, keep)| *keep).map(|(list, _)| list.len()).collect();
    match kept.is_empty() {
        true => items.into_iter().next().filter(|p| !matches!(p, Parts::Nothing)),
        false => Parts::array(kept, items),
    }
}
