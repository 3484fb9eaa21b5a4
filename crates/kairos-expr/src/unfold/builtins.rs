//! Builtin functions of arrays as functions of their scalars.

use super::{LIMIT, Unfold};
use crate::parts::Parts;
use crate::{BinOp, Builtin, ExprId, Node, ReduceOp, Type};

impl Unfold<'_> {
    pub(super) fn builtin(&mut self, f: Builtin, args: &[ExprId], e: ExprId) -> Option<Parts> {
        let literals = |me: &mut Self, list: &[ExprId]| {
            list.iter()
                .map(|&a| me.number(a).and_then(|n| usize::try_from(n).ok()))
                .collect::<Option<Vec<_>>>()
        };
        match f {
            Builtin::Zeros | Builtin::Ones => {
                let dims = literals(self, args)?;
                let value = self.store.real(if f == Builtin::Zeros { 0.0 } else { 1.0 });
                let count: usize = dims.iter().product();
                return Parts::array(dims, vec![Parts::One(value); count.min(LIMIT)]);
            }
            Builtin::Identity => {
                let n = *literals(self, args)?.first()?;
                let (zero, one) = (self.store.zero(), self.store.real(1.0));
                let items = (0..n * n).map(|k| Parts::One(if k / n == k % n { one } else { zero }));
                return Parts::array(vec![n, n], items.collect());
            }
            Builtin::Fill => {
                let value = self.take(args[0])?;
                let mut dims = literals(self, &args[1..])?;
                let count: usize = dims.iter().product();
                dims.extend(value.dims());
                let items = (0..count.min(LIMIT)).flat_map(|_| value.items().to_vec()).collect();
                return Parts::array(dims, items);
            }
            Builtin::Cat => {
                let along = self.number(args[0])?;
                let parts = args[1..].iter().map(|&a| self.take(a)).collect::<Option<Vec<_>>>()?;
                return cat(usize::try_from(along - 1).ok()?, &parts);
            }
            Builtin::Smooth | Builtin::NoEvent => {
                let (order, inner) = args.split_at(args.len() - 1);
                let parts = self.take(inner[0])?;
                if !self.frames.is_empty() {
                    return Some(parts);
                }
                // An argument keeps what its place in the model says of events.
                let store = &mut *self.store;
                return parts.map(&mut |x| store.apply(f, &[order, &[x]].concat()));
            }
            _ => {}
        }
        let parts = args.iter().map(|&a| self.take(a)).collect::<Option<Vec<_>>>()?;
        let (first, dims) = (parts.first()?, parts.first()?.dims().to_vec());
        match f {
            Builtin::Size => match args.len() {
                1 => {
                    Some(Parts::vector(dims.iter().map(|&d| Parts::One(self.store.int(d as i64))).collect()))
                }
                _ => {
                    let k = self.store.number(parts[1].one()?)? as usize;
                    Some(Parts::One(self.store.int(*dims.get(k.checked_sub(1)?)? as i64)))
                }
            },
            Builtin::Ndims => Some(Parts::One(self.store.int(dims.len() as i64))),
            Builtin::Sum => self.reduce(ReduceOp::Sum, first.items()),
            Builtin::Product => self.reduce(ReduceOp::Product, first.items()),
            Builtin::MinOf => self.reduce(ReduceOp::Min, first.items()),
            Builtin::MaxOf => self.reduce(ReduceOp::Max, first.items()),
            Builtin::Scalar => first.items().first().cloned(),
            Builtin::Vector => Some(Parts::vector(first.items().to_vec())),
            Builtin::Transpose => {
                let &[rows, columns] = &dims[..] else { return None };
                let items = first.items();
                let all = (0..rows * columns).map(|k| items[k % rows * columns + k / rows].clone()).collect();
                Parts::array(vec![columns, rows], all)
            }
            Builtin::Diagonal => {
                let (n, zero) = (*dims.first()?, self.store.zero());
                let at =
                    |k: usize| if k / n == k % n { first.items()[k / n].clone() } else { Parts::One(zero) };
                Parts::array(vec![n, n], (0..n * n).map(at).collect())
            }
            Builtin::Symmetric => {
                let n = *dims.first()?;
                let at = |k: usize| first.items()[(k / n).min(k % n) * n + (k / n).max(k % n)].clone();
                Parts::array(vec![n, n], (0..n * n).map(at).collect())
            }
            Builtin::OuterProduct => {
                let mut items = Vec::new();
                for a in first.items() {
                    for b in parts[1].items() {
                        items.push(self.store.parts_op(BinOp::Mul, a, b)?);
                    }
                }
                Parts::array(vec![first.items().len(), parts[1].items().len()], items)
            }
            Builtin::Cross | Builtin::Skew => self.cross(f, &parts),
            _ if f.is_numeric() => self.elementwise(f, &parts, e),
            _ => self.closed(e),
        }
    }

    fn cross(&mut self, f: Builtin, parts: &[Parts]) -> Option<Parts> {
        let three = |p: &Parts| match p.items() {
            [x, y, z] => Some([x.one()?, y.one()?, z.one()?]),
            _ => None,
        };
        let a = three(&parts[0])?;
        if f == Builtin::Skew {
            let zero = self.store.zero();
            let n = a.map(|x| self.store.negate(x));
            let all = [zero, n[2], a[1], a[2], zero, n[0], n[1], a[0], zero];
            return Parts::array(vec![3, 3], all.into_iter().map(Parts::One).collect());
        }
        let b = three(&parts[1])?;
        let items = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
            let (p, q) = (self.store.times(a[i], b[j]), self.store.times(a[j], b[i]));
            Parts::One(self.store.minus(p, q))
        });
        Some(Parts::vector(items.to_vec()))
    }

    fn elementwise(&mut self, f: Builtin, parts: &[Parts], e: ExprId) -> Option<Parts> {
        if let Some(Parts::Array(dims, items)) = parts.iter().find(|p| matches!(p, Parts::Array(..))) {
            let mut out = Vec::with_capacity(items.len());
            for k in 0..items.len() {
                let at = |p: &Parts| match p {
                    Parts::Array(_, items) => items.get(k).cloned(),
                    other => Some(other.clone()),
                };
                let args = parts.iter().map(at).collect::<Option<Vec<_>>>()?;
                out.push(self.elementwise(f, &args, e)?);
            }
            return Parts::array(dims.to_vec(), out);
        }
        let args = parts.iter().map(Parts::one).collect::<Option<Vec<_>>>()?;
        if f == Builtin::EnumOf {
            let ty = Type::scalar(self.store.ty(e).scalar);
            return Some(Parts::One(self.store.add(Node::Builtin(f, args.into()), ty)));
        }
        let result = Parts::One(self.store.apply(f, &args));
        match f.row().event {
            true => self.quiet(result),
            false => Some(result),
        }
    }
}

fn cat(along: usize, parts: &[Parts]) -> Option<Parts> {
    let first = parts.first()?.dims().to_vec();
    if along >= first.len() || parts.iter().any(|p| p.dims().len() != first.len()) {
        return None;
    }
    let outer: usize = first[..along].iter().product();
    let mut items = Vec::new();
    for k in 0..outer {
        for part in parts {
            let size: usize = part.dims()[along..].iter().product();
            items.extend_from_slice(part.items().get(k * size..(k + 1) * size)?);
        }
    }
    let mut dims = first;
    dims[along] = parts.iter().map(|p| p.dims()[along]).sum();
    Parts::array(dims, items)
}
