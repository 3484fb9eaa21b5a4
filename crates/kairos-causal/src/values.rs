//! Values that are known at compile time, and texts of rows.

use crate::model::Role;
use crate::work::{Row, Work};
use kairos_expr::{
    Answer, BinOp, Env, ExprId, ExprMap, Names, Node, RelationId, Scalar, Stop, Type, UnOp, Value, VarId,
    arith, evaluate,
};

/// Parameters at their declared values, and unknowns as they are wanted.
struct Known<'a> {
    work: &'a Work,
    unknowns: Unknowns,
    depth: std::cell::Cell<u32>,
    steps: std::cell::Cell<u64>,
}

impl<'a> Known<'a> {
    fn new(work: &'a Work, unknowns: Unknowns) -> Self {
        Known { work, unknowns, depth: 0.into(), steps: work.budget.left().into() }
    }
}

impl Drop for Known<'_> {
    fn drop(&mut self) {
        self.work.budget.leave(self.steps.get());
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unknowns {
    Refused,
    Generic,
    /// At their start values.
    AtStart,
}

/// Terms of one side of an equation that a message shows.
const QUOTED_TERMS: usize = 30;

impl Env for Known<'_> {
    fn budget(&self) -> Option<&std::cell::Cell<u64>> {
        Some(&self.steps)
    }

    fn var(&self, v: VarId) -> Answer {
        let var = &self.work.vars[v.index()];
        if matches!(self.work.roles[v.index()], Role::Parameter) {
            let Some(binding) = var.binding.or(var.start) else { return Err(Stop::NotConstant) };
            if let Some(x) = self.work.store.number(binding) {
                return Ok(Value::Real(x));
            }
            if let Some(known) = self.work.parameter_values.get(v) {
                return Ok(known);
            }
            if self.depth.get() > 50 {
                return Err(Stop::NotConstant);
            }
            self.depth.set(self.depth.get() + 1);
            let value = evaluate(&self.work.store, self, binding);
            self.depth.set(self.depth.get() - 1);
            // Bindings of parameters do not change; what they read may become a parameter later.
            if let Ok(value) = &value {
                self.work.parameter_values.insert(v, value.clone());
            }
            return value;
        }
        match self.unknowns {
            Unknowns::Refused => Err(Stop::NotConstant),
            Unknowns::Generic => Ok(generic(v, var.ty)),
            Unknowns::AtStart => match var.start.and_then(|start| self.work.parameter_value(start)) {
                Some(start) => Ok(Value::Real(start)),
                None => Ok(generic(v, var.ty)),
            },
        }
    }

    fn time(&self) -> Answer {
        match self.unknowns {
            Unknowns::Refused => Err(Stop::NotConstant),
            Unknowns::Generic | Unknowns::AtStart => Ok(Value::Real(0.737)),
        }
    }
}

/// Between 0.5 and 1.5, different for each variable, the same in every run.
fn generic(v: VarId, ty: kairos_expr::Scalar) -> Value {
    let mixed = (u64::from(v.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = 0.5 + (mixed >> 11) as f64 / (1u64 << 53) as f64;
    match ty {
        kairos_expr::Scalar::Bool => Value::Bool(x > 1.0),
        kairos_expr::Scalar::Int => Value::Int(1),
        kairos_expr::Scalar::Enum(e) => Value::Enum(e, 1),
        _ => Value::Real(x),
    }
}

impl Work {
    /// The value of an expression in parameters at their declared values.
    pub fn parameter_value(&self, e: ExprId) -> Option<f64> {
        if let Some(x) = self.store.number(e) {
            return Some(x);
        }
        self.value(&Known::new(self, Unknowns::Refused), e)
    }

    /// A constant that takes half of all steps alone, if there were too few: every run would compute it again, if it has an
    /// end at all.
    pub fn endless_constant(&self) -> Option<VarId> {
        if self.budget.left() > 0 {
            return None;
        }
        let constant = |v: &usize| {
            let is_constant = self.vars[*v].variability == kairos_expr::Variability::Constant;
            let Some(binding) = self.vars[*v].binding.filter(|_| is_constant) else { return false };
            self.budget.leave(kairos_base::limits::STEPS / 2);
            self.parameter_value(binding).is_none() && self.budget.left() == 0
        };
        (0..self.vars.len()).find(constant).map(VarId::new)
    }

    fn value(&self, known: &Known, e: ExprId) -> Option<f64> {
        match self.is_small(e) {
            true => evaluate(&self.store, known, e).ok()?.as_f64(),
            false => self.shared_value(known, e)?.as_f64(),
        }
    }

    /// Has the expression few parts, those counted again that it has several times?
    fn is_small(&self, e: ExprId) -> bool {
        const FEW: usize = 64;
        let (mut seen, mut todo) = (0, vec![e]);
        while let Some(e) = todo.pop() {
            seen += 1;
            if seen > FEW {
                return false;
            }
            self.store.children(e, |c| todo.push(c));
        }
        true
    }

    /// The same for an expression whose parts share much: each is evaluated once.
    fn shared_value(&self, known: &Known, root: ExprId) -> Option<Value> {
        let mut memo: ExprMap<Option<Value>> = ExprMap::default();
        for e in self.store.post_order(&[root], |_| false) {
            let of = |a: &ExprId| memo.get(a).and_then(Option::as_ref);
            let value = match self.store.node(e) {
                Node::Unary(op, a) => of(a).and_then(|x| arith::unary(*op, x).ok()),
                Node::Binary(op, a, b) => of(a).zip(of(b)).and_then(|(x, y)| arith::binary(*op, x, y).ok()),
                Node::If(condition, a, b) => match of(condition) {
                    Some(Value::Bool(true)) => of(a).cloned(),
                    Some(Value::Bool(false)) => of(b).cloned(),
                    _ => None,
                },
                Node::Builtin(f, args) if *self.store.ty(e) == Type::scalar(Scalar::Real) => {
                    let numbers = args.iter().map(|a| of(a)?.as_f64()).collect::<Option<Vec<_>>>();
                    match (f.row().eval, numbers) {
                        (Some(eval), Some(numbers)) => Some(Value::Real(eval(&numbers))),
                        (Some(_), None) => None,
                        (None, _) => evaluate(&self.store, known, e).ok(),
                    }
                }
                _ => evaluate(&self.store, known, e).ok(),
            };
            memo.insert(e, value);
        }
        memo.remove(&root).flatten()
    }

    /// The value of an expression where the unknowns have their start values, or generic ones if they have none.
    pub fn start_value(&self, e: ExprId) -> Option<f64> {
        self.value(&Known::new(self, Unknowns::AtStart), e)
    }

    /// A value that is zero only if the expression is zero always, up to bad luck; `memo` keeps what was computed.
    pub fn sample(&self, root: ExprId, memo: &mut ExprMap<f64>) -> f64 {
        let known = Known::new(self, Unknowns::Generic);
        let plain = |e: ExprId| {
            let ty = self.store.ty(e);
            ty.is_scalar() && !matches!(ty.scalar, Scalar::Record(_) | Scalar::Tuple | Scalar::Str)
        };
        let order = self.store.post_order(&[root], |e| memo.contains_key(&e) || !plain(e));
        for e in order {
            let of = |a: &ExprId| memo.get(a).copied().filter(|_| plain(*a));
            let value = match self.store.node(e) {
                Node::Unary(UnOp::Neg, a) => of(a).map(|x| -x),
                Node::Binary(op, a, b) => match (of(a), of(b)) {
                    (Some(x), Some(y)) => match op.scalar() {
                        BinOp::Add => Some(x + y),
                        BinOp::Sub => Some(x - y),
                        BinOp::Mul => Some(x * y),
                        BinOp::Div => Some(x / y),
                        BinOp::Pow => Some(kairos_expr::arith::power(x, y)),
                        _ => None,
                    },
                    _ => None,
                },
                Node::Builtin(f, args) => f.row().eval.and_then(|eval| {
                    let args = args.iter().map(of).collect::<Option<Vec<_>>>()?;
                    Some(eval(&args))
                }),
                _ => None,
            };
            let value = value.or_else(|| evaluate(&self.store, &known, e).ok().and_then(|v| v.as_f64()));
            let value = value.filter(|x| x.is_finite()).unwrap_or(1.0 + f64::from(e.number() % 101) / 211.0);
            memo.insert(e, value);
        }
        memo.get(&root).copied().unwrap_or(1.0)
    }

    /// Can one divide by it whatever the state?
    pub fn is_safe_divisor(&self, e: ExprId) -> bool {
        if let Some(x) = self.store.number(e) {
            return x != 0.0;
        }
        let fixed = self.store.post_order(&[e], |_| false).into_iter().all(|e| match self.store.node(e) {
            Node::Var(v) => matches!(self.roles[v.index()], Role::Parameter),
            Node::Time | Node::Relation(_) => false,
            _ => true,
        });
        fixed && self.parameter_value(e).is_some_and(|x| x != 0.0 && x.is_finite())
    }

    /// The equation as a message quotes it.
    pub fn row_text(&self, row: &Row) -> String {
        let side = |e| kairos_expr::quote(&self.store, e, self, QUOTED_TERMS);
        format!("{} = {}", side(row.lhs), side(row.rhs))
    }

    pub fn text(&self, e: ExprId) -> String {
        kairos_expr::print(&self.store, e, self)
    }
}

impl Names for Work {
    fn var(&self, var: VarId) -> String {
        self.vars[var.index()].name.clone()
    }
    fn relation(&self, relation: RelationId) -> String {
        let Some(r) = self.relations.get(relation.index()) else { return format!("relation{}", relation.0) };
        format!("{} {} {}", self.text(r.lhs), r.op.symbol(), self.text(r.rhs))
    }
}
