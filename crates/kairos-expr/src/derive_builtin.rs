//! Derivatives of builtin functions and operators.

use crate::differentiate::{Derivative, Undifferentiable};
use crate::{BinOp, Builtin, ExprId, Node, Scalar, Store, Type};

impl Store {
    pub(crate) fn derive_builtin(
        &mut self,
        builtin: Builtin,
        e: ExprId,
        args: &[ExprId],
        ds: &[Derivative],
    ) -> Derivative {
        let d0 = || ds.first().copied().unwrap_or(Ok(None));
        let ty = self.ty(e).clone();
        match builtin {
            // Piecewise constant, or constant between events.
            Builtin::Sign | Builtin::Floor | Builtin::Ceil | Builtin::Integer | Builtin::Div => Ok(None),
            Builtin::Pre | Builtin::Previous | Builtin::Hold | Builtin::ClockedSample => Ok(None),
            Builtin::Mod | Builtin::Rem => {
                let (da, db) = (d0()?, ds[1]?);
                let quotient = self.over(args[0], args[1]);
                let whole = match builtin {
                    Builtin::Mod => self.apply(Builtin::Floor, &[quotient]),
                    _ => self.apply(Builtin::Div, &[args[0], args[1]]),
                };
                let right = db.map(|db| self.times(whole, db));
                match (da, right) {
                    (None, None) => Ok(None),
                    (da, right) => {
                        let da = self.or_zero(da, args[0]);
                        let right = self.or_zero(right, args[0]);
                        Ok(Some(self.minus(da, right)))
                    }
                }
            }
            Builtin::NoEvent | Builtin::ToReal => Ok(d0()?.map(|d| {
                let node = Node::Builtin(builtin, [d].into());
                self.add(node, ty)
            })),
            Builtin::Smooth => Ok(ds[1]?.map(|d| {
                // The derivative of a p times smooth function is one order rougher; below zero it is plain.
                match self.number(args[0]) {
                    Some(p) if p >= 1.0 => {
                        let order = self.int(p as i64 - 1);
                        self.add(Node::Builtin(Builtin::Smooth, [order, d].into()), ty)
                    }
                    _ => d,
                }
            })),
            Builtin::Homotopy => match (ds[0]?, ds[1]?) {
                (None, None) => Ok(None),
                (da, db) => {
                    let da = self.or_zero(da, args[0]);
                    let db = self.or_zero(db, args[1]);
                    Ok(Some(self.add(Node::Builtin(Builtin::Homotopy, [da, db].into()), ty)))
                }
            },
            Builtin::Min2 | Builtin::Max2 => match (ds[0]?, ds[1]?) {
                (None, None) => Ok(None),
                (da, db) => {
                    let op = if builtin == Builtin::Min2 { BinOp::Lt } else { BinOp::Gt };
                    let second = self.compare(op, args[1], args[0]);
                    let second = self
                        .add(Node::Builtin(Builtin::NoEvent, [second].into()), Type::scalar(Scalar::Bool));
                    let da = self.or_zero(da, args[0]);
                    let db = self.or_zero(db, args[1]);
                    Ok(Some(self.choose(second, db, da)))
                }
            },
            Builtin::SemiLinear => {
                let zero = self.int(0);
                let up = self.compare(BinOp::Ge, args[0], zero);
                let up = self.add(Node::Builtin(Builtin::NoEvent, [up].into()), Type::scalar(Scalar::Bool));
                let slope = self.choose(up, args[1], args[2]);
                let mut total = None;
                let mut push = |store: &mut Store, term: ExprId| {
                    total = Some(match total {
                        None => term,
                        Some(sum) => store.plus(sum, term),
                    });
                };
                if let Some(d) = d0()? {
                    let term = self.times(slope, d);
                    push(self, term);
                }
                let (d1, d2) = (ds[1]?, ds[2]?);
                if d1.is_some() || d2.is_some() {
                    let d1 = self.or_zero(d1, args[1]);
                    let d2 = self.or_zero(d2, args[2]);
                    let slope = self.choose(up, d1, d2);
                    let term = self.times(slope, args[0]);
                    push(self, term);
                }
                Ok(total)
            }
            Builtin::Atan2 => match (ds[0]?, ds[1]?) {
                (None, None) => Ok(None),
                (da, db) => {
                    let (da, db) = (self.or_zero(da, args[0]), self.or_zero(db, args[1]));
                    let (left, right) = (self.times(args[1], da), self.times(args[0], db));
                    let top = self.minus(left, right);
                    let (x2, y2) = (self.times(args[0], args[0]), self.times(args[1], args[1]));
                    let bottom = self.plus(x2, y2);
                    Ok(Some(self.over(top, bottom)))
                }
            },
            _ if ty.is_scalar() && args.len() == 1 && builtin.is_numeric() => match d0()? {
                None => Ok(None),
                Some(d) => {
                    let slope =
                        self.slope(builtin, args[0], e).ok_or(Undifferentiable::Operation(builtin.name()))?;
                    Ok(Some(self.times(slope, d)))
                }
            },
            // Linear in their array arguments; sizes have no derivative.
            Builtin::Sum
            | Builtin::Transpose
            | Builtin::Symmetric
            | Builtin::Skew
            | Builtin::Diagonal
            | Builtin::Scalar
            | Builtin::Vector
            | Builtin::Matrix
            | Builtin::Promote
            | Builtin::Fill
            | Builtin::Cat
            | Builtin::Linspace => self.derive_linear(builtin, e, args, ds),
            Builtin::Cross | Builtin::OuterProduct => {
                let (da, db) = (ds[0]?, ds[1]?);
                let left = da.map(|d| self.add(Node::Builtin(builtin, [d, args[1]].into()), ty.clone()));
                let right = db.map(|d| self.add(Node::Builtin(builtin, [args[0], d].into()), ty.clone()));
                match (left, right) {
                    (Some(x), Some(y)) => Ok(Some(self.op(BinOp::Add, x, y, &ty))),
                    (x, y) => Ok(x.or(y)),
                }
            }
            _ => {
                for d in ds {
                    if (*d)?.is_some() {
                        return Err(Undifferentiable::Operation(builtin.name()));
                    }
                }
                match builtin {
                    Builtin::Der => Err(Undifferentiable::Variable),
                    Builtin::Delay => Err(Undifferentiable::Operation("delay")),
                    Builtin::SpatialDistribution => Err(Undifferentiable::Operation("spatialDistribution")),
                    _ => Ok(None),
                }
            }
        }
    }

    fn derive_linear(
        &mut self,
        builtin: Builtin,
        e: ExprId,
        args: &[ExprId],
        ds: &[Derivative],
    ) -> Derivative {
        let ds = ds.iter().copied().collect::<Result<Vec<_>, _>>()?;
        if ds.iter().all(Option::is_none) {
            return Ok(None);
        }
        let parts: Box<[ExprId]> = args
            .iter()
            .zip(ds)
            .map(|(&a, d)| if self.ty(a).scalar == Scalar::Real { self.or_zero(d, a) } else { a })
            .collect();
        let ty = self.ty(e).clone();
        Ok(Some(self.add(Node::Builtin(builtin, parts), ty)))
    }

    /// The slope of a function of one number; `value` is the function's own expression.
    fn slope(&mut self, builtin: Builtin, a: ExprId, value: ExprId) -> Option<ExprId> {
        let one = self.real(1.0);
        Some(match builtin {
            Builtin::Sin => self.apply(Builtin::Cos, &[a]),
            Builtin::Cos => {
                let sin = self.apply(Builtin::Sin, &[a]);
                self.negate(sin)
            }
            Builtin::Tan => {
                let square = self.times(value, value);
                self.plus(one, square)
            }
            Builtin::Tanh => {
                let square = self.times(value, value);
                self.minus(one, square)
            }
            Builtin::Asin | Builtin::Acos => {
                let square = self.times(a, a);
                let rest = self.minus(one, square);
                let root = self.apply(Builtin::Sqrt, &[rest]);
                let slope = self.over(one, root);
                if builtin == Builtin::Asin { slope } else { self.negate(slope) }
            }
            Builtin::Atan => {
                let square = self.times(a, a);
                let sum = self.plus(one, square);
                self.over(one, sum)
            }
            Builtin::Sinh => self.apply(Builtin::Cosh, &[a]),
            Builtin::Cosh => self.apply(Builtin::Sinh, &[a]),
            Builtin::Exp => value,
            Builtin::Log => self.over(one, a),
            Builtin::Log10 => {
                let ten = self.real(std::f64::consts::LN_10);
                let bottom = self.times(ten, a);
                self.over(one, bottom)
            }
            Builtin::Sqrt => {
                let two = self.real(2.0);
                let bottom = self.times(two, value);
                self.over(one, bottom)
            }
            Builtin::Abs => {
                let zero = self.int(0);
                let up = self.compare(BinOp::Ge, a, zero);
                let up = self.add(Node::Builtin(Builtin::NoEvent, [up].into()), Type::scalar(Scalar::Bool));
                let less = self.real(-1.0);
                self.choose(up, one, less)
            }
            _ => return None,
        })
    }
}
