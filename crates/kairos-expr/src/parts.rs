//! Array and record values taken apart into scalar expressions.

use crate::{BinOp, Dim, ExprId, Node, RecordId, Scalar, Store, Type};
use std::rc::Rc;

/// A value whose shape is known and whose scalars are expressions.
#[derive(Clone, Debug)]
pub(crate) enum Parts {
    One(ExprId),
    /// Elements in row-major order.
    Array(Rc<Vec<usize>>, Rc<Vec<Parts>>),
    Record(RecordId, Rc<Vec<Parts>>),
    /// Outputs of a call with several.
    Tuple(Rc<Vec<Parts>>),
    /// Declared, but not assigned yet.
    Nothing,
}

impl Parts {
    pub fn array(dims: Vec<usize>, items: Vec<Parts>) -> Option<Parts> {
        (dims.iter().product::<usize>() == items.len()).then(|| Parts::Array(Rc::new(dims), Rc::new(items)))
    }

    pub fn vector(items: Vec<Parts>) -> Parts {
        Parts::Array(Rc::new(vec![items.len()]), Rc::new(items))
    }

    pub fn one(&self) -> Option<ExprId> {
        match self {
            Parts::One(e) => Some(*e),
            _ => None,
        }
    }

    pub fn dims(&self) -> &[usize] {
        match self {
            Parts::Array(dims, _) => dims,
            _ => &[],
        }
    }

    /// Is everything assigned?
    pub fn is_complete(&self) -> bool {
        match self {
            Parts::One(_) => true,
            Parts::Array(_, items) | Parts::Record(_, items) | Parts::Tuple(items) => {
                items.iter().all(Parts::is_complete)
            }
            Parts::Nothing => false,
        }
    }

    /// The elements; anything else is its own one element.
    pub fn items(&self) -> &[Parts] {
        match self {
            Parts::Array(_, items) => items,
            other => std::slice::from_ref(other),
        }
    }

    /// Joins equally shaped parts along a new first dimension.
    pub fn stack(parts: Vec<Parts>) -> Option<Parts> {
        let inner = parts.first()?.dims().to_vec();
        if parts.iter().any(|p| p.dims() != inner) {
            return None;
        }
        let mut dims = vec![parts.len()];
        dims.extend(inner);
        Parts::array(dims, parts.iter().flat_map(|p| p.items().to_vec()).collect())
    }

    /// The part with the given first index, from 0.
    pub fn part(&self, at: usize) -> Option<Parts> {
        let Parts::Array(dims, items) = self else { return None };
        if at >= dims[0] {
            return None;
        }
        if dims.len() == 1 {
            return Some(items[at].clone());
        }
        let size: usize = dims[1..].iter().product();
        Parts::array(dims[1..].to_vec(), items[at * size..(at + 1) * size].to_vec())
    }

    /// A field of a record, or of every record of an array.
    pub fn field(&self, at: usize) -> Option<Parts> {
        match self {
            Parts::Record(_, fields) | Parts::Tuple(fields) => fields.get(at).cloned(),
            Parts::Array(dims, items) => {
                let fields = items.iter().map(|p| p.field(at)).collect::<Option<Vec<_>>>()?;
                let inner = fields.first()?.dims().to_vec();
                let all = fields.iter().flat_map(|p| p.items().to_vec()).collect();
                Parts::array(dims.iter().copied().chain(inner).collect(), all)
            }
            _ => None,
        }
    }

    pub fn map(&self, f: &mut dyn FnMut(ExprId) -> ExprId) -> Option<Parts> {
        Some(match self {
            Parts::One(e) => Parts::One(f(*e)),
            Parts::Array(dims, items) => {
                let items = items.iter().map(|p| p.map(f)).collect::<Option<Vec<_>>>()?;
                Parts::Array(dims.clone(), Rc::new(items))
            }
            Parts::Record(r, items) => {
                Parts::Record(*r, Rc::new(items.iter().map(|p| p.map(f)).collect::<Option<Vec<_>>>()?))
            }
            Parts::Tuple(_) | Parts::Nothing => return None,
        })
    }

    /// Combines equal shapes; a scalar goes with every element.
    pub fn zip(&self, other: &Parts, f: &mut dyn FnMut(ExprId, ExprId) -> ExprId) -> Option<Parts> {
        Some(match (self, other) {
            (Parts::One(a), Parts::One(b)) => Parts::One(f(*a, *b)),
            (Parts::Array(m, a), Parts::Array(n, b)) => {
                if m != n {
                    return None;
                }
                let items = a.iter().zip(b.iter()).map(|(a, b)| a.zip(b, f)).collect::<Option<Vec<_>>>()?;
                Parts::Array(m.clone(), Rc::new(items))
            }
            (Parts::Array(m, a), b @ Parts::One(_)) => {
                let items = a.iter().map(|a| a.zip(b, f)).collect::<Option<Vec<_>>>()?;
                Parts::Array(m.clone(), Rc::new(items))
            }
            (a @ Parts::One(_), Parts::Array(m, b)) => {
                let items = b.iter().map(|b| a.zip(b, f)).collect::<Option<Vec<_>>>()?;
                Parts::Array(m.clone(), Rc::new(items))
            }
            (Parts::Record(r, a), Parts::Record(s, b)) if r == s => {
                let items = a.iter().zip(b.iter()).map(|(a, b)| a.zip(b, f)).collect::<Option<Vec<_>>>()?;
                Parts::Record(*r, Rc::new(items))
            }
            _ => return None,
        })
    }

    /// One expression again, with constructors of arrays and records.
    pub fn rebuild(&self, store: &mut Store) -> Option<ExprId> {
        Some(match self {
            Parts::One(e) => *e,
            Parts::Record(r, items) => {
                let items = items.iter().map(|p| p.rebuild(store)).collect::<Option<Box<[_]>>>()?;
                store.add(Node::Record(*r, items), Type::scalar(Scalar::Record(*r)))
            }
            Parts::Array(dims, items) if items.is_empty() => {
                let dims: Vec<Dim> = dims.iter().map(|d| Dim::Known(*d as u32)).collect();
                store.add(Node::Array([].into()), Type::array(Scalar::Real, dims))
            }
            Parts::Array(dims, _) => {
                let parts = (0..dims[0]).map(|i| self.part(i)?.rebuild(store)).collect::<Option<Vec<_>>>()?;
                store.array(parts)
            }
            Parts::Tuple(_) | Parts::Nothing => return None,
        })
    }
}

impl Store {
    /// An operator between scalars, simplified.
    pub(crate) fn scalar_op(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let e = self.scalar_binary(op, a, b);
        self.simplify_node(e)
    }

    /// A unary operator on every scalar, or a binary one with matrix products and broadcast scalars.
    pub(crate) fn parts_op(&mut self, op: BinOp, a: &Parts, b: &Parts) -> Option<Parts> {
        if op == BinOp::Mul && !a.dims().is_empty() && !b.dims().is_empty() {
            return self.parts_product(a, b);
        }
        if op == BinOp::Pow && !(a.dims().is_empty() && b.dims().is_empty()) {
            return None;
        }
        a.zip(b, &mut |x, y| self.scalar_op(op, x, y))
    }

    fn parts_product(&mut self, a: &Parts, b: &Parts) -> Option<Parts> {
        let (m, n) = (a.dims().to_vec(), b.dims().to_vec());
        let inner = *m.last()?;
        if inner != n[0] || m.len() > 2 || n.len() > 2 {
            return None;
        }
        let (rows, columns) = (if m.len() == 2 { m[0] } else { 1 }, n.get(1).copied().unwrap_or(1));
        let (left, right) = (a.items(), b.items());
        let mut items = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            for j in 0..columns {
                let mut sum = self.zero();
                for k in 0..inner {
                    let (x, y) = (left[i * inner + k].one()?, right[k * columns + j].one()?);
                    let term = self.scalar_op(BinOp::Mul, x, y);
                    sum = self.scalar_op(BinOp::Add, sum, term);
                }
                items.push(Parts::One(sum));
            }
        }
        let mut dims = m[..m.len() - 1].to_vec();
        dims.extend(&n[1..]);
        match dims.is_empty() {
            true => items.pop(),
            false => Parts::array(dims, items),
        }
    }

    /// Every scalar of a value that is computed as a whole, as a selection from it.
    pub(crate) fn select_parts(&mut self, e: ExprId, ty: &Type) -> Option<Parts> {
        let dims = ty.sizes()?;
        if dims.is_empty() {
            return Some(match ty.scalar {
                Scalar::Record(r) => {
                    let fields = self.record(r).fields.clone();
                    let mut parts = Vec::with_capacity(fields.len());
                    for (k, (_, ty)) in fields.iter().enumerate() {
                        let field = self.add(Node::Field(e, k as u32), ty.clone());
                        parts.push(self.select_parts(field, ty)?);
                    }
                    Parts::Record(r, Rc::new(parts))
                }
                Scalar::Tuple => return None,
                _ => Parts::One(e),
            });
        }
        let count: usize = dims.iter().product();
        let element = Type::scalar(ty.scalar);
        let mut items = Vec::with_capacity(count);
        for k in 0..count {
            let mut rest = k;
            let mut subs = Vec::with_capacity(dims.len());
            for &size in dims.iter().rev() {
                let at = self.int((rest % size + 1) as i64);
                subs.push(crate::Sub::At(at));
                rest /= size;
            }
            subs.reverse();
            let item = self.add(Node::Index(e, subs.into()), element.clone());
            items.push(self.select_parts(item, &element)?);
        }
        Parts::array(dims, items)
    }
}
