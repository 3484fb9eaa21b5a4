//! Scalar operations with the obvious simplifications, so that expanded matrix products stay small.

use kairos_expr::{BinOp, Builtin, ExprId, Node, Scalar, Store, UnOp, arith};

pub fn number(store: &Store, e: ExprId) -> Option<f64> {
    match store.node(e) {
        Node::Real(x) => Some(x.get()),
        Node::Int(i) => Some(*i as f64),
        _ => None,
    }
}

pub fn binary(store: &mut Store, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
    let op = op.scalar();
    let (x, y) = (number(store, a), number(store, b));
    let int = store.ty(a).scalar == Scalar::Int && store.ty(b).scalar == Scalar::Int;
    let literal =
        |store: &mut Store, v: f64, int: bool| if int { store.int(v as i64) } else { store.real(v) };
    match (op, x, y) {
        (BinOp::Add, Some(x), Some(y)) if (x + y).abs() < 9e15 => return literal(store, x + y, int),
        (BinOp::Sub, Some(x), Some(y)) if (x - y).abs() < 9e15 => return literal(store, x - y, int),
        (BinOp::Mul, Some(x), Some(y)) if (x * y).abs() < 9e15 => return literal(store, x * y, int),
        (BinOp::Div, Some(x), Some(y)) if y != 0.0 => return store.real(x / y),
        (BinOp::Pow, Some(x), Some(y)) if arith::power(x, y).is_finite() => {
            return store.real(arith::power(x, y));
        }
        (BinOp::Add, Some(0.0), _) => return b,
        (BinOp::Add | BinOp::Sub, _, Some(0.0)) => return a,
        (BinOp::Sub, Some(0.0), _) => return negate(store, b),
        (BinOp::Mul, Some(0.0), _) | (BinOp::Mul, _, Some(0.0)) => return literal(store, 0.0, int),
        (BinOp::Mul, Some(1.0), _) => return b,
        (BinOp::Mul, Some(-1.0), _) => return negate(store, b),
        (BinOp::Mul | BinOp::Div, _, Some(1.0)) => return a,
        (BinOp::Mul, _, Some(-1.0)) => return negate(store, a),
        _ => {}
    }
    match (op, store.node(a), store.node(b)) {
        (BinOp::And, Node::Bool(true), _) | (BinOp::Or, Node::Bool(false), _) => b,
        (BinOp::And, _, Node::Bool(true)) | (BinOp::Or, _, Node::Bool(false)) => a,
        (BinOp::And, Node::Bool(false), _) | (BinOp::And, _, Node::Bool(false)) => store.bool(false),
        (BinOp::Or, Node::Bool(true), _) | (BinOp::Or, _, Node::Bool(true)) => store.bool(true),
        _ => store.scalar_binary(op, a, b),
    }
}

pub fn negate(store: &mut Store, a: ExprId) -> ExprId {
    match *store.node(a) {
        Node::Int(i) => store.int(-i),
        Node::Real(x) => store.real(-x.get()),
        Node::Unary(UnOp::Neg, inner) => inner,
        _ => store.unary(UnOp::Neg, a),
    }
}

pub fn unary(store: &mut Store, op: UnOp, a: ExprId) -> ExprId {
    match (op, store.node(a)) {
        (UnOp::Neg, _) => negate(store, a),
        (UnOp::Not, Node::Bool(b)) => {
            let b = !*b;
            store.bool(b)
        }
        (UnOp::Not, _) => store.unary(UnOp::Not, a),
    }
}

pub fn choose(store: &mut Store, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
    match store.node(c) {
        Node::Bool(true) => a,
        Node::Bool(false) => b,
        _ if a == b => a,
        _ => store.if_else(c, a, b),
    }
}

/// A numeric builtin of scalars.
pub fn builtin(store: &mut Store, f: Builtin, args: &[ExprId]) -> ExprId {
    if let Some(eval) = f.row().eval
        && let Some(numbers) = args.iter().map(|a| number(store, *a)).collect::<Option<Vec<f64>>>()
    {
        let value = eval(&numbers);
        let e = store.scalar_builtin(f, args);
        if value.is_finite() && !matches!(f, Builtin::EnumOf) {
            return match store.ty(e).scalar {
                Scalar::Int => store.int(value as i64),
                _ => store.real(value),
            };
        }
        return e;
    }
    store.scalar_builtin(f, args)
}
