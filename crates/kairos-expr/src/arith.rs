//! Operators on values, arrays included.

use crate::{BinOp, UnOp, Value};
use kairos_base::limits;

type Answer = Result<Value, String>;

/// `a op b`, with the array meaning of MLS 10.6.
pub fn binary(op: BinOp, a: &Value, b: &Value) -> Answer {
    // The unknown factor may be a matrix, whose product mixes the elements of the known one.
    if matches!((a, b), (Value::Unknown, Value::Array(_)) | (Value::Array(_), Value::Unknown))
        && matches!(op, BinOp::Mul | BinOp::Pow)
    {
        return Ok(Value::Unknown);
    }
    match (op, a, b) {
        (BinOp::Mul, Value::Array(_), Value::Array(_)) => product(a, b),
        (BinOp::Pow, Value::Array(_), _) => matrix_power(a, b),
        (BinOp::Add | BinOp::Sub, Value::Array(x), Value::Array(y)) if x.dims != y.dims => {
            Err(format!("cannot combine arrays of sizes {:?} and {:?}", x.dims, y.dims))
        }
        (_, Value::Array(x), Value::Array(y)) if x.dims != y.dims => {
            Err(format!("cannot combine arrays of sizes {:?} and {:?}", x.dims, y.dims))
        }
        (_, Value::Array(x), Value::Array(y)) => {
            let data = x.data.iter().zip(&y.data).map(|(a, b)| scalar(op, a, b));
            Ok(Value::array(x.dims.clone(), data.collect::<Result<_, _>>()?))
        }
        (_, Value::Array(x), _) => {
            let data = x.data.iter().map(|a| scalar(op, a, b));
            Ok(Value::array(x.dims.clone(), data.collect::<Result<_, _>>()?))
        }
        (_, _, Value::Array(y)) => {
            let data = y.data.iter().map(|b| scalar(op, a, b));
            Ok(Value::array(y.dims.clone(), data.collect::<Result<_, _>>()?))
        }
        _ => scalar(op, a, b),
    }
}

pub fn unary(op: UnOp, a: &Value) -> Answer {
    match (op, a) {
        (_, Value::Array(x)) => {
            let data = x.data.iter().map(|a| unary(op, a)).collect::<Result<_, _>>()?;
            Ok(Value::array(x.dims.clone(), data))
        }
        (_, Value::Unknown) => Ok(Value::Unknown),
        (UnOp::Neg, Value::Int(i)) => Ok(Value::Int(i.wrapping_neg())),
        (UnOp::Neg, Value::Real(x)) => Ok(Value::Real(-x)),
        (UnOp::Not, Value::Bool(b)) => Ok(Value::Bool(!b)),
        _ => Err(format!("cannot apply {op:?} to {a:?}")),
    }
}

fn scalar(op: BinOp, a: &Value, b: &Value) -> Answer {
    use BinOp::*;
    let op = op.scalar();
    match (a, b) {
        (Value::Unknown, known) | (known, Value::Unknown) => Ok(match (op, known) {
            (Mul, Value::Real(0.0) | Value::Int(0)) | (And, Value::Bool(false)) | (Or, Value::Bool(true)) => {
                known.clone()
            }
            _ => Value::Unknown,
        }),
        (Value::Str(x), Value::Str(y)) => match op {
            Add if x.len() + y.len() > limits::STRING => Err("a text of more than 16 MB".to_string()),
            Add => Ok(Value::str(&format!("{x}{y}"))),
            _ => Ok(Value::Bool(ordered(op, x.cmp(y)))),
        },
        (Value::Bool(x), Value::Bool(y)) => match op {
            And => Ok(Value::Bool(*x && *y)),
            Or => Ok(Value::Bool(*x || *y)),
            _ => Ok(Value::Bool(ordered(op, x.cmp(y)))),
        },
        (Value::Enum(_, x), Value::Enum(_, y)) => Ok(Value::Bool(ordered(op, x.cmp(y)))),
        (Value::Int(x), Value::Int(y)) if !matches!(op, Div | Pow) => match op {
            Add => integer(x.checked_add(*y), a, op, b),
            Sub => integer(x.checked_sub(*y), a, op, b),
            Mul => integer(x.checked_mul(*y), a, op, b),
            _ => Ok(Value::Bool(ordered(op, x.cmp(y)))),
        },
        _ => {
            let (Some(x), Some(y)) = (a.as_f64(), b.as_f64()) else {
                return Err(format!("cannot compute {a:?} {} {b:?}", op.symbol()));
            };
            Ok(match op {
                Add => Value::Real(x + y),
                Sub => Value::Real(x - y),
                Mul => Value::Real(x * y),
                Div if y == 0.0 => return Err(format!("division by zero: {x} / 0")),
                Div => Value::Real(x / y),
                Pow => Value::Real(power(x, y)),
                Lt => Value::Bool(x < y),
                Le => Value::Bool(x <= y),
                Gt => Value::Bool(x > y),
                Ge => Value::Bool(x >= y),
                Eq => Value::Bool(x == y),
                Ne => Value::Bool(x != y),
                _ => return Err(format!("cannot compute {a:?} {} {b:?}", op.symbol())),
            })
        }
    }
}

/// A result in the range of Integers.
fn integer(exact: Option<i64>, a: &Value, op: BinOp, b: &Value) -> Answer {
    match exact.filter(|i| limits::INTEGER.contains(i)) {
        Some(i) => Ok(Value::Int(i)),
        None => Err(format!("Integer overflow: {} {} {}", shown(a), op.symbol(), shown(b))),
    }
}

fn shown(value: &Value) -> String {
    value.as_index().map_or_else(|| format!("{value:?}"), |i| i.to_string())
}

/// `x ^ y`, exact for small whole exponents.
pub fn power(x: f64, y: f64) -> f64 {
    if y == y.trunc() && y.abs() <= 64.0 { x.powi(y as i32) } else { x.powf(y) }
}

fn ordered(op: BinOp, order: std::cmp::Ordering) -> bool {
    match op {
        BinOp::Lt => order.is_lt(),
        BinOp::Le => order.is_le(),
        BinOp::Gt => order.is_gt(),
        BinOp::Ge => order.is_ge(),
        BinOp::Eq => order.is_eq(),
        BinOp::Ne => order.is_ne(),
        _ => false,
    }
}

/// Scalar, matrix-vector and matrix products (MLS 10.6.5).
fn product(a: &Value, b: &Value) -> Answer {
    let (x, y) = (a.dims(), b.dims());
    let mismatch = || Err(format!("cannot multiply arrays of sizes {x:?} and {y:?}"));
    let (rows, inner, columns) = match (x, y) {
        ([n], [m]) if n == m => (1, *n, 1),
        ([r, n], [m]) if n == m => (*r, *n, 1),
        ([n], [m, c]) if n == m => (1, *n, *c),
        ([r, n], [m, c]) if n == m => (*r, *n, *c),
        _ => return mismatch(),
    };
    let (p, q) = (a.elements(), b.elements());
    let zero = || {
        if p.iter().chain(q).all(|v| matches!(v, Value::Int(_))) { Value::Int(0) } else { Value::Real(0.0) }
    };
    let mut data = Vec::with_capacity(rows * columns);
    for i in 0..rows {
        for j in 0..columns {
            let mut sum: Option<Value> = None;
            for k in 0..inner {
                let term = scalar(BinOp::Mul, &p[i * inner + k], &q[k * columns + j])?;
                sum = Some(match sum {
                    Some(s) => scalar(BinOp::Add, &s, &term)?,
                    None => term,
                });
            }
            data.push(sum.unwrap_or_else(zero));
        }
    }
    match (x.len(), y.len()) {
        (1, 1) => Ok(data.swap_remove(0)),
        (2, 1) => Ok(Value::array(vec![rows], data)),
        (1, 2) => Ok(Value::array(vec![columns], data)),
        _ => Ok(Value::array(vec![rows, columns], data)),
    }
}

fn matrix_power(a: &Value, b: &Value) -> Answer {
    let (Some(exponent), [n, m]) = (b.as_index(), a.dims()) else {
        return Err("only a square matrix has a power".to_string());
    };
    if n != m || exponent < 0 {
        return Err("only a square matrix has a power, with an exponent of zero or more".to_string());
    }
    let one = (0..n * n).map(|i| Value::Real(if i / n == i % n { 1.0 } else { 0.0 })).collect();
    let one = Value::array(vec![*n, *n], one);
    let mut wrong = None;
    let power =
        raise(one, a.clone(), exponent as u64, &mut |x, y| product(x, y).map_err(|e| wrong = Some(e)).ok());
    power.ok_or_else(|| wrong.unwrap_or_default())
}

/// `base` to a power, by squares: values, trees of expressions or parts of routines alike. None where a product is none.
pub fn raise<T: Clone>(
    one: T,
    mut base: T,
    mut exponent: u64,
    product: &mut dyn FnMut(&T, &T) -> Option<T>,
) -> Option<T> {
    let mut result: Option<T> = None;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = Some(match &result {
                Some(so_far) => product(so_far, &base)?,
                None => base.clone(),
            });
        }
        exponent >>= 1;
        if exponent > 0 {
            base = product(&base, &base)?;
        }
    }
    Some(result.unwrap_or(one))
}
