//! Obvious simplifications of converted values: choices that literals decide, products with zero and one.

use kairos_base::FileId;
use kairos_syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

/// A text with the same meaning; what cannot be read stays as it is.
pub(super) fn simplified(text: &str) -> String {
    let (mut e, wrong) = kairos_syntax::parse_expression(FileId(0), text);
    if !wrong.is_empty() {
        return text.to_string();
    }
    match fold(&mut e) {
        true => kairos_syntax::expr_to_string(&e),
        false => text.to_string(),
    }
}

/// Simplifies in place; true if something changed.
fn fold(e: &mut Expr) -> bool {
    let mut changed = match &mut e.kind {
        ExprKind::Unary(_, a) => fold(a),
        ExprKind::Binary(_, a, b) => fold(a) | fold(b),
        ExprKind::If { branches, otherwise } => {
            branches.iter_mut().fold(false, |seen, (c, v)| seen | fold(c) | fold(v)) | fold(otherwise)
        }
        ExprKind::Tuple(items) => items.iter_mut().flatten().fold(false, |seen, item| seen | fold(item)),
        ExprKind::Array(items) => items.iter_mut().fold(false, |seen, item| seen | fold(item)),
        _ => false,
    };
    while let Some(kind) = step(&mut e.kind) {
        e.kind = kind;
        changed = true;
    }
    changed
}

fn taken(e: &mut Expr) -> ExprKind {
    std::mem::replace(&mut e.kind, ExprKind::Error)
}

/// One step at the top of an expression.
fn step(kind: &mut ExprKind) -> Option<ExprKind> {
    match kind {
        // `(a)` of something that needs no brackets.
        ExprKind::Tuple(items) => match items.as_mut_slice() {
            [Some(one)] if literal(&one.kind) || matches!(one.kind, ExprKind::Ref(_)) => Some(taken(one)),
            _ => None,
        },
        ExprKind::Unary(UnaryOp::Not, a) => match a.kind {
            ExprKind::Bool(value) => Some(ExprKind::Bool(!value)),
            _ => None,
        },
        ExprKind::If { branches, otherwise } => match branches.first().map(|(c, _)| &c.kind) {
            Some(ExprKind::Bool(true)) => Some(taken(&mut branches[0].1)),
            Some(ExprKind::Bool(false)) if branches.len() == 1 => Some(taken(otherwise)),
            Some(ExprKind::Bool(false)) => {
                let rest = branches.drain(1..).collect();
                let end = Expr { span: otherwise.span, kind: taken(otherwise) };
                Some(ExprKind::If { branches: rest, otherwise: Box::new(end) })
            }
            _ => None,
        },
        ExprKind::Binary(op, a, b) => binary(*op, a, b),
        _ => None,
    }
}

fn binary(op: BinaryOp, a: &mut Expr, b: &mut Expr) -> Option<ExprKind> {
    use BinaryOp::{Add, And, Div, Equal, Mul, NotEqual, Or, Sub};
    if let (ExprKind::Integer(x), ExprKind::Integer(y)) = (&a.kind, &b.kind) {
        let exact = match op {
            Add => x.checked_add(*y),
            Sub => x.checked_sub(*y),
            Mul => x.checked_mul(*y),
            _ => None,
        };
        if let Some(value) = exact.filter(|v| *v >= 0) {
            return Some(ExprKind::Integer(value));
        }
    }
    match (op, &a.kind, &b.kind) {
        (Mul, ExprKind::Integer(0), _) | (Mul, _, ExprKind::Integer(0)) => Some(ExprKind::Integer(0)),
        (Mul, ExprKind::Integer(1), _) | (Add, ExprKind::Integer(0), _) => Some(taken(b)),
        (Mul | Div, _, ExprKind::Integer(1)) | (Add | Sub, _, ExprKind::Integer(0)) => Some(taken(a)),
        (And, ExprKind::Bool(true), _) | (Or, ExprKind::Bool(false), _) => Some(taken(b)),
        (And, _, ExprKind::Bool(true)) | (Or, _, ExprKind::Bool(false)) => Some(taken(a)),
        (And, ExprKind::Bool(false), _) | (And, _, ExprKind::Bool(false)) => Some(ExprKind::Bool(false)),
        (Or, ExprKind::Bool(true), _) | (Or, _, ExprKind::Bool(true)) => Some(ExprKind::Bool(true)),
        (Equal | NotEqual, x, y) => same(x, y).map(|same| ExprKind::Bool(same == (op == Equal))),
        _ => None,
    }
}

fn literal(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Integer(_) | ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::String(_))
}

/// Are two literals the same? Of enumerations only literals of one type are compared.
fn same(a: &ExprKind, b: &ExprKind) -> Option<bool> {
    match (a, b) {
        (ExprKind::Integer(x), ExprKind::Integer(y)) => Some(x == y),
        (ExprKind::Bool(x), ExprKind::Bool(y)) => Some(x == y),
        (ExprKind::String(x), ExprKind::String(y)) => Some(x == y),
        (ExprKind::Ref(x), ExprKind::Ref(y)) => {
            let dotted = |r: &kairos_syntax::ast::ComponentRef| -> Option<Vec<kairos_base::Name>> {
                let plain = r.parts.len() > 1 && r.parts.iter().all(|part| part.subscripts.is_empty());
                plain.then(|| r.parts.iter().map(|part| part.name.name).collect())
            };
            let (x, y) = (dotted(x)?, dotted(y)?);
            (x[..x.len() - 1] == y[..y.len() - 1]).then(|| x == y)
        }
        _ => None,
    }
}
