//! Operators and builtins on composite values (MLS 10.3, 10.6), element by element.

use super::build::Builder;
use super::{Lowered, Part, Refusal};
use crate::tape::{Op, Slot};
use kairos_expr::{BinOp, Builtin, ExprId, ReduceOp, Scalar, UnOp};

impl Builder<'_> {
    pub(super) fn each(
        &mut self,
        part: &Part,
        mut change: impl FnMut(&mut Self, Slot) -> Lowered<Slot>,
    ) -> Lowered {
        match part {
            Part::Number(slot, scalar) => Ok(Part::Number(change(self, *slot)?, *scalar)),
            Part::Array(dims, items) => {
                let mut out = Vec::with_capacity(items.len());
                for item in items {
                    let Part::Number(slot, scalar) = item else { return Err(Refusal::Foreign) };
                    out.push(Part::Number(change(self, *slot)?, *scalar));
                }
                Ok(Part::Array(dims.clone(), out))
            }
            _ => Err(Refusal::Foreign),
        }
    }

    pub(super) fn operator(&mut self, op: BinOp, a: &Part, b: &Part) -> Lowered {
        match (op, a, b) {
            (BinOp::Mul, Part::Array(..), Part::Array(..)) => self.product(a, b),
            (BinOp::Pow, Part::Array(dims, _), _) => {
                let ([n, m], exponent) = (&dims[..], self.size(b)?) else { return Err(Refusal::Foreign) };
                if n != m {
                    return Err(Refusal::Foreign);
                }
                let one = self.identity(*n);
                let mut refusal = Refusal::Length;
                let power = kairos_expr::arith::raise(one, a.clone(), exponent as u64, &mut |x, y| {
                    self.product(x, y).map_err(|why| refusal = why).ok()
                });
                power.ok_or(refusal)
            }
            (_, Part::Array(d, x), Part::Array(e, y)) => {
                if d != e {
                    return Err(Refusal::Size);
                }
                let items = x.iter().zip(y).map(|(a, b)| self.operator(op, a, b));
                Ok(Part::Array(d.clone(), items.collect::<Lowered<_>>()?))
            }
            (_, Part::Array(d, x), _) => {
                let items = x.iter().map(|a| self.operator(op, a, b));
                Ok(Part::Array(d.clone(), items.collect::<Lowered<_>>()?))
            }
            (_, _, Part::Array(e, y)) => {
                let items = y.iter().map(|b| self.operator(op, a, b));
                Ok(Part::Array(e.clone(), items.collect::<Lowered<_>>()?))
            }
            (_, Part::Text(x), Part::Text(y)) => match (op.scalar(), x, y) {
                (BinOp::Add, ..) => Ok(Part::Text(None)),
                (BinOp::Eq, Some(x), Some(y)) => Ok(self.constant(f64::from(u8::from(x == y)), Scalar::Bool)),
                (BinOp::Ne, Some(x), Some(y)) => Ok(self.constant(f64::from(u8::from(x != y)), Scalar::Bool)),
                _ => Err(Refusal::Foreign),
            },
            (_, Part::Number(x, s), Part::Number(y, t)) => {
                let scalar = match op.scalar() {
                    BinOp::Add | BinOp::Sub | BinOp::Mul if (*s, *t) == (Scalar::Int, Scalar::Int) => {
                        Scalar::Int
                    }
                    BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Pow => Scalar::Real,
                    _ => Scalar::Bool,
                };
                let value = self.binary(op, *x, *y)?;
                if scalar == Scalar::Int && op.scalar() == BinOp::Mul && self.slots.value(value).is_none() {
                    self.require_exact(value)?;
                }
                Ok(Part::Number(value, scalar))
            }
            _ => Err(Refusal::Foreign),
        }
    }

    /// Larger products of Integers are left to the interpreter of values, which has 64 bits for them.
    fn require_exact(&mut self, product: Slot) -> Lowered<()> {
        let size = self.function(Builtin::Abs, &[product])?;
        let limit = self.slots.constant(9_007_199_254_740_992.0);
        let condition = self.binary(BinOp::Le, size, limit)?;
        self.push(Op::Require { condition })
    }

    /// Scalar, matrix-vector and matrix products (MLS 10.6.5).
    fn product(&mut self, a: &Part, b: &Part) -> Lowered {
        let (rows, inner, columns) = match (a.dims(), b.dims()) {
            ([n], [m]) if n == m => (1, *n, 1),
            ([r, n], [m]) if n == m => (*r, *n, 1),
            ([n], [m, c]) if n == m => (1, *n, *c),
            ([r, n], [m, c]) if n == m => (*r, *n, *c),
            _ => return Err(Refusal::Size),
        };
        let (p, q) = (a.elements(), b.elements());
        let mut data = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            for j in 0..columns {
                let mut terms = Vec::with_capacity(inner);
                for k in 0..inner {
                    terms.push(self.operator(BinOp::Mul, &p[i * inner + k], &q[k * columns + j])?);
                }
                data.push(self.reduce(ReduceOp::Sum, &terms, Scalar::Real)?);
            }
        }
        Ok(match (a.dims().len(), b.dims().len()) {
            (1, 1) => data.swap_remove(0),
            (2, 1) => Part::Array(vec![rows], data),
            (1, 2) => Part::Array(vec![columns], data),
            _ => Part::Array(vec![rows, columns], data),
        })
    }

    fn identity(&mut self, n: usize) -> Part {
        let items = (0..n * n).map(|k| self.constant(f64::from(u8::from(k / n == k % n)), Scalar::Int));
        Part::Array(vec![n, n], items.collect())
    }

    fn fill(&mut self, item: Part, sizes: &[Part]) -> Lowered {
        let mut dims = sizes.iter().map(|s| self.size(s)).collect::<Lowered<Vec<_>>>()?;
        let count: usize = dims.iter().product();
        if count > 20_000 {
            return Err(Refusal::Length);
        }
        dims.extend(item.dims());
        let data = (0..count).flat_map(|_| item.elements().iter().cloned()).collect();
        Ok(Part::Array(dims, data))
    }

    pub(super) fn builtin(&mut self, e: ExprId, f: Builtin, args: &[ExprId]) -> Lowered {
        let ty = self.store.ty(e).scalar;
        match f {
            Builtin::NoEvent | Builtin::Homotopy => return self.expression(args[0]),
            Builtin::Smooth => return self.expression(args[1]),
            Builtin::String => return Ok(Part::Text(None)),
            Builtin::Size => {
                let dims = match self.store.ty(args[0]).sizes() {
                    Some(dims) if !dims.is_empty() => dims,
                    _ => self.expression(args[0])?.dims().to_vec(),
                };
                return match args.get(1) {
                    None => {
                        let items = dims.iter().map(|&d| self.integer(d)).collect();
                        Ok(Part::Array(vec![dims.len()], items))
                    }
                    Some(&k) => {
                        let k = self.expression(k)?;
                        let k = self.size(&k)?;
                        let d = k.checked_sub(1).and_then(|k| dims.get(k)).ok_or(Refusal::Foreign)?;
                        Ok(self.integer(*d))
                    }
                };
            }
            _ => {}
        }
        let parts = self.list(args)?;
        match f {
            Builtin::ToReal | Builtin::Ordinal | Builtin::EnumOf => Ok(retype(&parts[0], ty)),
            _ if f.is_numeric() => self.elementwise(f, &parts, ty),
            _ => self.array_builtin(f, &parts, ty),
        }
    }

    /// A scalar builtin, vectorised over array arguments.
    fn elementwise(&mut self, f: Builtin, parts: &[Part], ty: Scalar) -> Lowered {
        let Some(Part::Array(dims, items)) = parts.iter().find(|p| matches!(p, Part::Array(..))) else {
            let slots = parts.iter().map(|p| self.number(p)).collect::<Lowered<Vec<_>>>()?;
            return Ok(Part::Number(self.function(f, &slots)?, ty));
        };
        let mut out = Vec::with_capacity(items.len());
        for k in 0..items.len() {
            let mut slots = Vec::with_capacity(parts.len());
            for part in parts {
                slots.push(match part {
                    Part::Array(_, list) => self.number(list.get(k).ok_or(Refusal::Size)?)?,
                    one => self.number(one)?,
                });
            }
            out.push(Part::Number(self.function(f, &slots)?, ty));
        }
        Ok(Part::Array(dims.clone(), out))
    }

    fn array_builtin(&mut self, f: Builtin, parts: &[Part], ty: Scalar) -> Lowered {
        let first = &parts[0];
        let items = first.elements();
        Ok(match f {
            Builtin::Sum => self.reduce(ReduceOp::Sum, items, ty)?,
            Builtin::Product => self.reduce(ReduceOp::Product, items, ty)?,
            Builtin::MinOf => self.reduce(ReduceOp::Min, items, ty)?,
            Builtin::MaxOf => self.reduce(ReduceOp::Max, items, ty)?,
            Builtin::Ndims => self.integer(first.dims().len()),
            Builtin::Zeros | Builtin::Ones => {
                let item = self.constant(if f == Builtin::Ones { 1.0 } else { 0.0 }, ty);
                self.fill(item, parts)?
            }
            Builtin::Fill => self.fill(first.clone(), &parts[1..])?,
            Builtin::Linspace => {
                let (a, b, n) = (&parts[0], &parts[1], self.size(&parts[2])?);
                if n < 2 {
                    return Err(Refusal::Foreign);
                }
                let width = self.operator(BinOp::Sub, b, a)?;
                let last = self.constant((n - 1) as f64, Scalar::Real);
                let mut out = Vec::with_capacity(n);
                for k in 0..n {
                    let k = self.constant(k as f64, Scalar::Real);
                    let way = self.operator(BinOp::Mul, &width, &k)?;
                    let way = self.operator(BinOp::Div, &way, &last)?;
                    out.push(self.operator(BinOp::Add, a, &way)?);
                }
                Part::Array(vec![n], out)
            }
            Builtin::Identity => {
                let n = self.size(first)?;
                self.identity(n)
            }
            Builtin::Diagonal => {
                let (n, zero) = (items.len(), self.constant(0.0, ty));
                let at = |k: usize| if k / n == k % n { items[k / n].clone() } else { zero.clone() };
                Part::Array(vec![n, n], (0..n * n).map(at).collect())
            }
            Builtin::Transpose => {
                let &[rows, columns, ref rest @ ..] = first.dims() else { return Err(Refusal::Foreign) };
                let size: usize = rest.iter().product();
                let at = |k: usize| &items[k * size..(k + 1) * size];
                let order = (0..columns).flat_map(|j| (0..rows).map(move |i| i * columns + j));
                let data = order.flat_map(|k| at(k).to_vec()).collect();
                Part::Array([&[columns, rows], rest].concat(), data)
            }
            Builtin::OuterProduct => {
                let (a, b) = (items, parts[1].elements());
                let mut data = Vec::with_capacity(a.len() * b.len());
                for x in a {
                    for y in b {
                        data.push(self.operator(BinOp::Mul, x, y)?);
                    }
                }
                Part::Array(vec![a.len(), b.len()], data)
            }
            Builtin::Symmetric => {
                let &[n, _] = first.dims() else { return Err(Refusal::Foreign) };
                let at = |k: usize| items[(k / n).min(k % n) * n + (k / n).max(k % n)].clone();
                Part::Array(vec![n, n], (0..n * n).map(at).collect())
            }
            Builtin::Cross => {
                let ([a, b, c], [x, y, z]) = (items, parts[1].elements()) else {
                    return Err(Refusal::Foreign);
                };
                let mut minor = |p: &Part, q: &Part, r: &Part, s: &Part| {
                    let (left, right) = (self.operator(BinOp::Mul, p, q)?, self.operator(BinOp::Mul, r, s)?);
                    self.operator(BinOp::Sub, &left, &right)
                };
                Part::Array(vec![3], vec![minor(b, z, c, y)?, minor(c, x, a, z)?, minor(a, y, b, x)?])
            }
            Builtin::Skew => {
                let [x, y, z] = items else { return Err(Refusal::Foreign) };
                let zero = self.constant(0.0, Scalar::Real);
                let mut minus = |p: &Part| self.each(p, |work, slot| work.unary(UnOp::Neg, slot));
                let (nx, ny, nz) = (minus(x)?, minus(y)?, minus(z)?);
                let rows = [&zero, &nz, y, z, &zero, &nx, &ny, x, &zero];
                Part::Array(vec![3, 3], rows.into_iter().cloned().collect())
            }
            Builtin::Cat => {
                let k = self.size(first)?.wrapping_sub(1);
                let parts = &parts[1..];
                let dims = parts.first().map_or(&[][..], |p| p.dims());
                let fits = |p: &Part| {
                    p.dims().len() == dims.len() && (0..dims.len()).all(|d| d == k || p.dims()[d] == dims[d])
                };
                if k >= dims.len() || !parts.iter().all(fits) {
                    return Err(Refusal::Size);
                }
                let mut total = dims.to_vec();
                total[k] = parts.iter().map(|p| p.dims()[k]).sum();
                let mut data = Vec::new();
                for row in 0..dims[..k].iter().product::<usize>() {
                    for p in parts {
                        let run: usize = p.dims()[k..].iter().product();
                        data.extend_from_slice(&p.elements()[row * run..(row + 1) * run]);
                    }
                }
                Part::Array(total, data)
            }
            Builtin::Scalar => match items {
                [one] => one.clone(),
                _ => return Err(Refusal::Foreign),
            },
            Builtin::Vector => Part::Array(vec![items.len()], items.to_vec()),
            Builtin::Matrix => {
                let dims = first.dims();
                let size = |k: usize| dims.get(k).copied().unwrap_or(1);
                if size(0) * size(1) != items.len() {
                    return Err(Refusal::Foreign);
                }
                Part::Array(vec![size(0), size(1)], items.to_vec())
            }
            Builtin::Promote => {
                let n = self.size(&parts[1])?;
                let mut dims = first.dims().to_vec();
                if dims.len() < n {
                    dims.resize(n, 1);
                }
                if dims.is_empty() { first.clone() } else { Part::Array(dims, items.to_vec()) }
            }
            _ => return Err(Refusal::Foreign),
        })
    }
}

fn retype(part: &Part, ty: Scalar) -> Part {
    match part {
        Part::Number(slot, _) => Part::Number(*slot, ty),
        Part::Array(dims, items) => {
            Part::Array(dims.clone(), items.iter().map(|item| retype(item, ty)).collect())
        }
        other => other.clone(),
    }
}
