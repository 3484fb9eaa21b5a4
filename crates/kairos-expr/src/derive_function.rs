//! The derivative of a function by forward differentiation of its statements.

use crate::differentiate::{Derivative, Undifferentiable};
use crate::{
    Body, Builtin, DerivativeAnnotation, ExprId, ExprMap, Function, FunctionId, LValue, Local, LocalId,
    LocalKind, Node, Step, Stmt, Store, Target,
};
use kairos_base::Name;

impl Store {
    /// Adds the function `f'(inputs, inputs') = outputs'` to the store and notes it as the derivative of `f`.
    ///
    /// Primes stand for the Real inputs and outputs only.
    pub fn build_derivative(&mut self, f: FunctionId) -> Result<FunctionId, Undifferentiable> {
        let original = self.function(f).clone();
        let refuse = Err(Undifferentiable::Function(original.name));
        let Body::Statements(statements) = &original.body else { return refuse };
        let mut locals = original.locals.clone();
        let mut prime: Vec<Option<LocalId>> = vec![None; locals.len()];
        for (at, local) in original.locals.iter().enumerate() {
            if !self.has_real(self.get_type(local.ty)) {
                continue;
            }
            prime[at] = Some(LocalId::new(locals.len()));
            locals.push(Local {
                name: Name::new(&format!("der_{}", local.name)),
                value: None,
                ..local.clone()
            });
        }
        let mut work = Forward { store: self, prime: &prime, memo: ExprMap::default() };
        for (at, local) in original.locals.iter().enumerate() {
            if local.kind == LocalKind::Output {
                locals[at].kind = LocalKind::Protected;
            }
            let Some(d) = prime[at] else { continue };
            if local.kind != LocalKind::Input {
                locals[d.index()].value = work.start(local)?;
            }
        }
        let Some(body) = work.block(statements) else { return refuse };
        let pick = |list: &[LocalId]| list.iter().filter_map(|l| prime[l.index()]).collect::<Vec<_>>();
        let derivative = Function {
            name: Name::new(&format!("der({})", original.name)),
            inputs: original.inputs.iter().copied().chain(pick(&original.inputs)).collect(),
            outputs: pick(&original.outputs),
            locals,
            body: Body::Statements(body),
            derivatives: Vec::new(),
            inverses: Vec::new(),
            smooth_order: original.smooth_order.map(|n| n.saturating_sub(1)),
            ..original
        };
        let id = FunctionId::new(self.functions.len());
        self.functions.push(derivative);
        let note = DerivativeAnnotation {
            function: id,
            order: 1,
            no_derivative: Vec::new(),
            zero_derivative: Vec::new(),
            vanishes: true.into(),
        };
        self.functions[f.index()].derivatives.push(note);
        Ok(id)
    }
}

struct Forward<'a> {
    store: &'a mut Store,
    /// The local that holds the derivative of each local.
    prime: &'a [Option<LocalId>],
    memo: ExprMap<Derivative>,
}

impl Forward<'_> {
    fn derivative(&mut self, e: ExprId) -> Derivative {
        let prime = self.prime;
        self.store.differentiate(e, &mut self.memo, &mut |store, leaf| match *store.node(leaf) {
            Node::Local(l) => {
                let ty = store.type_id(leaf);
                Ok(prime[l.index()].map(|d| store.local(d, ty)))
            }
            _ => Ok(None),
        })
    }

    /// The value a derivative starts from: that of the initial value, or zeros where the size is declared.
    fn start(&mut self, local: &Local) -> Result<Option<ExprId>, Undifferentiable> {
        if let Some(value) = local.value {
            let d = self.derivative(value)?;
            return Ok(Some(self.store.or_zero(d, value)));
        }
        let ty = self.store.get_type(local.ty).clone();
        if ty.scalar != crate::Scalar::Real {
            return Ok(None);
        }
        let zero = self.store.zero();
        if ty.is_scalar() {
            return Ok(Some(zero));
        }
        let Some(dims) = local.dims.iter().copied().collect::<Option<Vec<_>>>() else { return Ok(None) };
        let args: Box<[ExprId]> = std::iter::once(zero).chain(dims).collect();
        Ok(Some(self.store.add(Node::Builtin(Builtin::Fill, args), ty)))
    }

    fn lvalue(&self, place: &LValue) -> Option<LValue> {
        let Target::Local(local) = place.target else { return None };
        let d = self.prime[local.index()]?;
        Some(LValue { target: Target::Local(d), path: place.path.clone() })
    }

    fn block(&mut self, statements: &[Stmt]) -> Option<Vec<Stmt>> {
        let mut out = Vec::new();
        for statement in statements {
            match statement {
                Stmt::Assign(place, value, span) => {
                    if let Some(d) = self.lvalue(place)
                        && self.store.has_real(self.store.ty(*value))
                    {
                        let derivative = self.derivative(*value).ok()?;
                        let derivative = self.store.or_zero(derivative, *value);
                        out.push(Stmt::Assign(d, derivative, *span));
                    } else if let Some(d) = self.lvalue(place)
                        && self.store.ty(*value).scalar == crate::Scalar::Int
                    {
                        // An Integer value assigned to a Real.
                        let zero = self.store.zero();
                        let ty = self.store.ty(*value).clone();
                        let zero = match ty.is_scalar() {
                            true => zero,
                            false => self.store.add(
                                Node::Binary(crate::BinOp::ElementMul, *value, zero),
                                crate::Type { scalar: crate::Scalar::Real, ..ty },
                            ),
                        };
                        // A field may be an Integer one itself; its derivative is never read.
                        if !place.path.iter().any(|step| matches!(step, Step::Field(_))) {
                            out.push(Stmt::Assign(d, zero, *span));
                        }
                    }
                    out.push(statement.clone());
                }
                Stmt::AssignTuple(places, call, span) => {
                    self.tuple(places, *call, *span, &mut out)?;
                    out.push(statement.clone());
                }
                Stmt::If(branches, otherwise) => {
                    let branches = branches
                        .iter()
                        .map(|(c, body)| Some((*c, self.block(body)?)))
                        .collect::<Option<Vec<_>>>()?;
                    out.push(Stmt::If(branches, self.block(otherwise)?));
                }
                Stmt::For(iter, range, body, span) => {
                    out.push(Stmt::For(*iter, *range, self.block(body)?, *span));
                }
                Stmt::While(condition, body, span) => {
                    out.push(Stmt::While(*condition, self.block(body)?, *span));
                }
                Stmt::Break | Stmt::Return => out.push(statement.clone()),
                // The function itself is called as well and gives the message.
                Stmt::Assert { .. } | Stmt::Terminate(..) | Stmt::Call(..) => {}
                Stmt::When(..) | Stmt::Reinit(..) => return None,
            }
        }
        Some(out)
    }

    fn tuple(
        &mut self,
        places: &[Option<LValue>],
        call: ExprId,
        span: kairos_base::Span,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let Node::Call(f, _) = *self.store.node(call) else { return None };
        let outputs = self.store.function(f).outputs.clone();
        let reals: Vec<usize> = (0..outputs.len())
            .filter(|&k| {
                let ty = self.store.function(f).locals[outputs[k].index()].ty;
                self.store.has_real(self.store.get_type(ty))
            })
            .collect();
        let derivative = self.derivative(call).ok()?;
        let targets: Vec<Option<LValue>> = reals
            .iter()
            .map(|&k| places.get(k).and_then(|p| p.as_ref()).and_then(|p| self.lvalue(p)))
            .collect();
        match derivative {
            Some(d) if reals.len() == 1 => {
                if let Some(target) = targets.into_iter().next().flatten() {
                    out.push(Stmt::Assign(target, d, span));
                }
            }
            Some(d) => out.push(Stmt::AssignTuple(targets, d, span)),
            None => {
                for (&k, target) in reals.iter().zip(targets) {
                    let Some(target) = target else { continue };
                    let ty = self.store.function(f).locals[outputs[k].index()].ty;
                    let item = self.store.add_typed(Node::Item(call, k as u32), ty);
                    let zero = self.store.zero_like(item);
                    out.push(Stmt::Assign(target, zero, span));
                }
            }
        }
        Some(())
    }
}
