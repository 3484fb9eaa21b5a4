//! Exact derivatives of expressions, with respect to whatever a rule for the leaves says.

use crate::{
    BinOp, Body, Builtin, Dim, ExprId, ExprMap, FunctionId, Node, ReduceOp, Scalar, Store, Type, UnOp,
};
use kairos_base::Name;

/// Why there is no derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undifferentiable {
    /// An external function, or one whose body cannot be differentiated, without a `derivative` annotation.
    Function(Name),
    /// An operation without a derivative.
    Operation(&'static str),
    /// A variable whose derivative is not known.
    Variable,
}

/// A derivative; `None` is identically zero.
pub type Derivative = Result<Option<ExprId>, Undifferentiable>;

/// A rule for `Var`, `Local` and `Time` nodes.
pub type Leaves<'a> = dyn FnMut(&mut Store, ExprId) -> Derivative + 'a;

impl Store {
    /// The derivative of `root`; one `memo` serves all expressions differentiated by one rule.
    pub fn differentiate(
        &mut self,
        root: ExprId,
        memo: &mut ExprMap<Derivative>,
        leaves: &mut Leaves<'_>,
    ) -> Derivative {
        for e in self.post_order(&[root], |e| memo.contains_key(&e)) {
            let derivative = self.derive_node(e, memo, leaves);
            memo.insert(e, derivative);
        }
        memo[&root]
    }

    fn derive_node(&mut self, e: ExprId, memo: &ExprMap<Derivative>, leaves: &mut Leaves<'_>) -> Derivative {
        let of = |a: ExprId| memo.get(&a).copied().unwrap_or(Ok(None));
        let ty = self.ty(e).clone();
        if !self.has_real(&ty) {
            return Ok(None);
        }
        match self.node(e).clone() {
            Node::Var(_) | Node::Local(_) | Node::Time => leaves(self, e),
            Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Str(_) | Node::Enum(..) => Ok(None),
            Node::Iter(_) | Node::Relation(_) | Node::Range(..) => Ok(None),
            Node::Unary(UnOp::Neg, a) => {
                Ok(of(a)?.map(|d| if ty.is_scalar() { self.negate(d) } else { self.unary(UnOp::Neg, d) }))
            }
            Node::Unary(UnOp::Not, _) => Ok(None),
            Node::Binary(op, a, b) => {
                let (da, db) = (of(a)?, of(b)?);
                self.derive_binary(op, e, (a, da), (b, db), &ty)
            }
            Node::If(c, a, b) => match (of(a)?, of(b)?) {
                (None, None) => Ok(None),
                (da, db) => {
                    let da = self.or_zero(da, a);
                    let db = self.or_zero(db, b);
                    Ok(Some(self.choose(c, da, db)))
                }
            },
            Node::Builtin(builtin, args) => {
                let ds = args.iter().map(|&a| of(a)).collect::<Vec<_>>();
                self.derive_builtin(builtin, e, &args, &ds)
            }
            Node::Call(f, args) => {
                let ds = args.iter().map(|&a| of(a)).collect::<Result<Vec<_>, _>>()?;
                self.derive_call(f, &args, &ds)
            }
            Node::Item(call, k) => match of(call)? {
                None => Ok(None),
                Some(d) => Ok(Some(self.derivative_item(call, d, k))),
            },
            Node::Field(a, i) => Ok(of(a)?.map(|d| {
                let field = self.add(Node::Field(d, i), ty);
                self.simplify_node(field)
            })),
            Node::Record(_, args) | Node::Array(args) => {
                let ds = args.iter().map(|&a| of(a)).collect::<Result<Vec<_>, _>>()?;
                if ds.iter().all(Option::is_none) {
                    return Ok(None);
                }
                let parts: Box<[ExprId]> = args.iter().zip(ds).map(|(&a, d)| self.or_zero(d, a)).collect();
                let node = match self.node(e) {
                    Node::Record(r, _) => Node::Record(*r, parts),
                    _ => Node::Array(parts),
                };
                Ok(Some(self.add(node, ty)))
            }
            Node::Comprehension(body, iters) => {
                Ok(of(body)?.map(|d| self.add(Node::Comprehension(d, iters), ty)))
            }
            Node::Reduce(ReduceOp::Sum, body, iters) => {
                Ok(of(body)?.map(|d| self.add(Node::Reduce(ReduceOp::Sum, d, iters), ty)))
            }
            Node::Reduce(_, body, _) => match of(body)? {
                None => Ok(None),
                Some(_) => Err(Undifferentiable::Operation("a product, min or max reduction")),
            },
            Node::Index(a, subs) => Ok(of(a)?.map(|d| {
                let index = self.add(Node::Index(d, subs), ty);
                self.simplify_node(index)
            })),
            Node::CallValue(..) | Node::Partial(..) => {
                Err(Undifferentiable::Operation("a call of a function argument"))
            }
        }
    }

    /// Can a value of this type depend continuously on anything?
    pub fn has_real(&self, ty: &Type) -> bool {
        match ty.scalar {
            Scalar::Real | Scalar::Tuple => true,
            Scalar::Record(r) => self.record(r).fields.iter().any(|(_, t)| self.has_real(t)),
            _ => false,
        }
    }

    /// The zero tangent of a value: its own shape, discrete fields kept.
    pub fn zero_like(&mut self, e: ExprId) -> ExprId {
        let ty = self.ty(e).clone();
        match ty.scalar {
            Scalar::Record(r) if ty.is_scalar() => {
                let fields = self.record(r).fields.clone();
                let parts = fields.iter().enumerate().map(|(i, (_, t))| {
                    let field = self.add(Node::Field(e, i as u32), t.clone());
                    if self.has_real(t) { self.zero_like(field) } else { field }
                });
                let parts: Box<[ExprId]> = parts.collect();
                self.add(Node::Record(r, parts), ty)
            }
            // Whole numbers may stand where others are asked for, as in `{0, 1, 0}`.
            Scalar::Real | Scalar::Int if ty.is_scalar() => self.zero(),
            Scalar::Real | Scalar::Int => {
                let real = Type { scalar: Scalar::Real, ..ty.clone() };
                match ty.sizes() {
                    Some(sizes) => {
                        let mut args = vec![self.zero()];
                        args.extend(sizes.iter().map(|&n| self.int(n as i64)).collect::<Vec<_>>());
                        self.add(Node::Builtin(Builtin::Fill, args.into()), real)
                    }
                    None => {
                        let zero = self.zero();
                        self.add(Node::Binary(BinOp::ElementMul, e, zero), real)
                    }
                }
            }
            _ => e,
        }
    }

    pub(crate) fn or_zero(&mut self, d: Option<ExprId>, like: ExprId) -> ExprId {
        let d = match d {
            Some(d) => d,
            None => self.zero_like(like),
        };
        if self.ty(like).is_scalar() && self.is_number(d, 0.0) { self.zero() } else { d }
    }

    pub(crate) fn op(&mut self, op: BinOp, a: ExprId, b: ExprId, ty: &Type) -> ExprId {
        if ty.is_scalar() && self.ty(a).is_scalar() && self.ty(b).is_scalar() {
            return match op.scalar() {
                BinOp::Add => self.plus(a, b),
                BinOp::Sub => self.minus(a, b),
                BinOp::Mul => self.times(a, b),
                BinOp::Div => self.over(a, b),
                _ => self.power(a, b),
            };
        }
        self.add(Node::Binary(op, a, b), ty.clone())
    }

    fn derive_binary(
        &mut self,
        op: BinOp,
        e: ExprId,
        (a, da): (ExprId, Option<ExprId>),
        (b, db): (ExprId, Option<ExprId>),
        ty: &Type,
    ) -> Derivative {
        if da.is_none() && db.is_none() {
            return Ok(None);
        }
        let sum = |store: &mut Store, x: Option<ExprId>, y: Option<ExprId>| match (x, y) {
            (Some(x), Some(y)) => Some(store.op(BinOp::Add, x, y, ty)),
            (x, y) => x.or(y),
        };
        match op {
            BinOp::Add | BinOp::Sub | BinOp::ElementAdd | BinOp::ElementSub => {
                let minus = matches!(op, BinOp::Sub | BinOp::ElementSub);
                match (da, db) {
                    (Some(da), None) if self.ty(a).dims == ty.dims => Ok(Some(da)),
                    (None, Some(db)) if self.ty(b).dims == ty.dims && !minus => Ok(Some(db)),
                    (None, Some(db)) if ty.is_scalar() => Ok(Some(self.negate(db))),
                    _ => {
                        let da = self.or_zero(da, a);
                        let db = self.or_zero(db, b);
                        Ok(Some(self.op(op, da, db, ty)))
                    }
                }
            }
            BinOp::Mul | BinOp::ElementMul => {
                let left = da.map(|da| self.op(op, da, b, ty));
                let right = db.map(|db| self.op(op, a, db, ty));
                Ok(sum(self, left, right))
            }
            BinOp::Div | BinOp::ElementDiv => {
                let left = da.map(|da| self.op(op, da, b, ty));
                let right = db.map(|db| {
                    let part = self.op(BinOp::ElementMul, e, db, ty);
                    let part = self.op(BinOp::ElementDiv, part, b, ty);
                    if ty.is_scalar() { self.negate(part) } else { self.unary(UnOp::Neg, part) }
                });
                Ok(sum(self, left, right))
            }
            BinOp::Pow | BinOp::ElementPow if ty.is_scalar() => {
                let left = da.map(|da| {
                    let one = self.int(1);
                    let less = self.minus(b, one);
                    let power = self.power(a, less);
                    let slope = self.times(b, power);
                    self.times(slope, da)
                });
                let right = db.map(|db| {
                    let log = self.apply(Builtin::Log, &[a]);
                    let slope = self.times(e, log);
                    self.times(slope, db)
                });
                Ok(sum(self, left, right))
            }
            BinOp::ElementPow if db.is_none() && self.ty(b).is_scalar() => Ok(da.map(|da| {
                let one = self.int(1);
                let less = self.minus(b, one);
                let power = self.op(BinOp::ElementPow, a, less, ty);
                let slope = self.op(BinOp::ElementMul, b, power, ty);
                self.op(BinOp::ElementMul, slope, da, ty)
            })),
            BinOp::Pow | BinOp::ElementPow => Err(Undifferentiable::Operation("a power of arrays")),
            _ => Ok(None),
        }
    }

    fn derive_call(&mut self, f: FunctionId, args: &[ExprId], ds: &[Option<ExprId>]) -> Derivative {
        if ds.iter().all(Option::is_none) {
            return Ok(None);
        }
        if matches!(self.function(f).body, Body::RecordConstructor) {
            let parts: Box<[ExprId]> = args.iter().zip(ds).map(|(&a, &d)| self.or_zero(d, a)).collect();
            return Ok(Some(self.call(f, parts)));
        }
        let (function, extra) = self.derivative_of(f, ds)?;
        let mut all = args.to_vec();
        for position in extra {
            let d = ds.get(position).copied().flatten();
            all.push(self.or_zero(d, args[position]));
        }
        Ok(Some(self.call(function, all.into())))
    }

    /// The derivative function to use, and the positions of the inputs whose derivatives it takes.
    fn derivative_of(
        &mut self,
        f: FunctionId,
        ds: &[Option<ExprId>],
    ) -> Result<(FunctionId, Vec<usize>), Undifferentiable> {
        let mut built = false;
        loop {
            let function = self.function(f);
            for annotation in &function.derivatives {
                let position = |local| function.inputs.iter().position(|&input| input == local);
                let zero = |local| position(local).is_none_or(|at| ds.get(at).copied().flatten().is_none());
                let applies = annotation.zero_derivative.iter().all(|&local| zero(local));
                // What has no derivative of its own may change all the same, and then the whole does not vanish.
                let whole = annotation.no_derivative.is_empty();
                if !applies || (whole && !self.is_derivative(function, annotation)) {
                    continue;
                }
                let skip = |at: &usize| {
                    let local = function.inputs[*at];
                    annotation.no_derivative.contains(&local) || annotation.zero_derivative.contains(&local)
                };
                let real = |at: &usize| {
                    let ty = function.locals[function.inputs[*at].index()].ty;
                    self.has_real(self.get_type(ty))
                };
                let mut extra: Vec<usize> =
                    (0..function.inputs.len()).filter(real).filter(|at| !skip(at)).collect();
                let taken = self.function(annotation.function).inputs.len();
                let wanted = taken.saturating_sub(function.inputs.len());
                if annotation.order > 1 && extra.len() > wanted {
                    extra.drain(..extra.len() - wanted);
                }
                if extra.len() == wanted {
                    return Ok((annotation.function, extra));
                }
            }
            if built {
                return Err(Undifferentiable::Function(self.function(f).name));
            }
            self.build_derivative(f)?;
            built = true;
        }
    }

    /// A call typed by the function's outputs.
    pub fn call(&mut self, f: FunctionId, args: Box<[ExprId]>) -> ExprId {
        let function = self.function(f);
        let ty = match function.outputs[..] {
            [output] => {
                let local = &function.locals[output.index()];
                let mut ty = self.get_type(local.ty).clone();
                // A size that is given by a literal is known at every call.
                for (dim, size) in ty.dims.iter_mut().zip(&local.dims) {
                    if let (Dim::Unknown, Some(size)) = (*dim, *size)
                        && let Node::Int(n) = *self.node(size)
                    {
                        *dim = Dim::Known(n.max(0) as u32);
                    }
                }
                ty
            }
            _ => Type::scalar(Scalar::Tuple),
        };
        self.add(Node::Call(f, args), ty)
    }

    fn derivative_item(&mut self, call: ExprId, derivative: ExprId, item: u32) -> ExprId {
        let (Node::Call(f, _), Node::Call(df, _)) = (self.node(call), self.node(derivative)) else {
            return derivative;
        };
        let (f, df) = (*f, *df);
        let real = |store: &Store, k: usize| {
            let function = store.function(f);
            store.has_real(store.get_type(function.locals[function.outputs[k].index()].ty))
        };
        let at = (0..item as usize).filter(|&k| real(self, k)).count() as u32;
        let outputs = &self.function(df).outputs;
        if outputs.len() == 1 {
            return derivative;
        }
        let Some(&output) = outputs.get(at as usize) else { return derivative };
        let ty = self.function(df).locals[output.index()].ty;
        self.add_typed(Node::Item(derivative, at), ty)
    }
}
