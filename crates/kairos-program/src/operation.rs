//! The meaning of a numeric operation: what every machine computes for it, to the last bit.

use crate::tape::{Op, Slot};
use kairos_expr::{BinOp, Builtin, UnOp, trigonometry};

/// Does one numeric operation and says which is next; `None` where it gives up.
#[inline(always)]
pub fn step(op: Op, values: &mut [f64], next: usize) -> Option<usize> {
    let get = |values: &[f64], slot: Slot| values[slot as usize];
    match op {
        Op::Copy { to, a } => values[to as usize] = get(values, a),
        Op::Unary { op, to, a } => values[to as usize] = unary(op, get(values, a)),
        Op::Binary { op, to, a, b } => values[to as usize] = binary(op, get(values, a), get(values, b)),
        Op::Function1 { f, to, a } => values[to as usize] = function1(f, get(values, a)),
        Op::Function2 { f, to, a, b } => {
            let args = [get(values, a), get(values, b)];
            values[to as usize] = f.row().eval.map_or(f64::NAN, |eval| eval(&args));
        }
        Op::Jump { target } => return Some(target as usize),
        Op::JumpUnless { condition, target } => {
            if get(values, condition) == 0.0 {
                return Some(target as usize);
            }
        }
        Op::Load { to, base, index } => {
            values[to as usize] = values[base as usize + get(values, index) as usize];
        }
        Op::Store { base, index, a } => {
            values[base as usize + get(values, index) as usize] = get(values, a);
        }
        Op::Check { index, size } => {
            let k = get(values, index);
            if !(k >= 0.0 && k < f64::from(size) && k.fract() == 0.0) {
                return None;
            }
        }
        Op::Require { condition } if get(values, condition) != 0.0 => {}
        Op::Require { .. } | Op::GiveUp => return None,
        Op::Invoke { .. } | Op::Call { .. } | Op::CallTangent { .. } => return None,
        Op::Evaluate { .. } | Op::Delay { .. } | Op::Transport { .. } => return None,
    }
    Some(next)
}

pub fn unary(op: UnOp, a: f64) -> f64 {
    match op {
        UnOp::Neg => -a,
        UnOp::Not => f64::from(a == 0.0),
    }
}

pub fn binary(op: BinOp, a: f64, b: f64) -> f64 {
    match op {
        BinOp::Add | BinOp::ElementAdd => a + b,
        BinOp::Sub | BinOp::ElementSub => a - b,
        BinOp::Mul | BinOp::ElementMul => a * b,
        BinOp::Div | BinOp::ElementDiv => a / b,
        BinOp::Pow | BinOp::ElementPow => power(a, b),
        BinOp::Lt => f64::from(a < b),
        BinOp::Le => f64::from(a <= b),
        BinOp::Gt => f64::from(a > b),
        BinOp::Ge => f64::from(a >= b),
        BinOp::Eq => f64::from(a == b),
        BinOp::Ne => f64::from(a != b),
        BinOp::And => f64::from(a != 0.0 && b != 0.0),
        BinOp::Or => f64::from(a != 0.0 || b != 0.0),
    }
}

#[inline]
pub fn power(a: f64, b: f64) -> f64 {
    if b == 2.0 {
        a * a
    } else if b.fract() == 0.0 && b.abs() < 64.0 {
        a.powi(b as i32)
    } else {
        a.powf(b)
    }
}

#[inline]
pub fn function1(f: Builtin, a: f64) -> f64 {
    match f {
        Builtin::Sin => trigonometry::sin(a),
        Builtin::Cos => trigonometry::cos(a),
        Builtin::Exp => a.exp(),
        Builtin::Sqrt => a.sqrt(),
        _ => f.row().eval.map_or(f64::NAN, |eval| eval(&[a])),
    }
}
