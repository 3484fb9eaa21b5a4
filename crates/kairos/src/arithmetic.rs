//! Values that are given as formulas: `2*pi*50`, `sqrt(2)/3`.

use kairos_base::FileId;
use kairos_syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

/// What a text in place of a number means.
pub(crate) enum Formula {
    /// A formula of numbers alone, with its value.
    Number(f64),
    /// A formula with names in it, for the model to evaluate.
    Open,
}

/// Reads a text as a formula; `None` if it is none.
pub(crate) fn formula(text: &str) -> Option<Formula> {
    let (expr, mistakes) = kairos_syntax::parse_expression(FileId(0), text);
    if mistakes.iter().any(kairos_base::Diagnostic::is_error) || !computes(&expr) {
        return None;
    }
    Some(match value(&expr) {
        Some(number) if number.is_finite() => Formula::Number(number),
        Some(_) => return None,
        None => Formula::Open,
    })
}

/// A name alone is rather a misspelt value than a formula, except for that of a number.
fn computes(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Unary(_, inner) => computes(inner),
        ExprKind::Tuple(items) => matches!(items.as_slice(), [Some(inner)] if computes(inner)),
        ExprKind::Ref(_) => value(expr).is_some(),
        kind => matches!(
            kind,
            ExprKind::Real(_)
                | ExprKind::Integer(_)
                | ExprKind::Binary(..)
                | ExprKind::Call { .. }
                | ExprKind::If { .. }
        ),
    }
}

fn value(expr: &Expr) -> Option<f64> {
    Some(match &expr.kind {
        ExprKind::Real(number) => *number,
        ExprKind::Integer(number) => *number as f64,
        ExprKind::Tuple(items) => match items.as_slice() {
            [Some(inner)] => value(inner)?,
            _ => return None,
        },
        ExprKind::Unary(UnaryOp::Minus, inner) => -value(inner)?,
        ExprKind::Unary(UnaryOp::Plus, inner) => value(inner)?,
        ExprKind::Binary(op, left, right) => {
            let (a, b) = (value(left)?, value(right)?);
            match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                BinaryOp::Pow => a.powf(b),
                _ => return None,
            }
        }
        ExprKind::Ref(name) => match name.parts.as_slice() {
            [part] if part.subscripts.is_empty() && part.name.name.as_str() == "pi" => std::f64::consts::PI,
            _ => return None,
        },
        ExprKind::Call { function, args } if args.named.is_empty() && args.iterators.is_empty() => {
            let [part] = function.parts.as_slice() else { return None };
            let values = args.positional.iter().map(value).collect::<Option<Vec<f64>>>()?;
            apply(part.name.name.as_str(), &values)?
        }
        _ => return None,
    })
}

fn apply(function: &str, values: &[f64]) -> Option<f64> {
    Some(match (function, values) {
        ("sqrt", [x]) => x.sqrt(),
        ("abs", [x]) => x.abs(),
        ("exp", [x]) => x.exp(),
        ("log", [x]) => x.ln(),
        ("log10", [x]) => x.log10(),
        ("sin", [x]) => x.sin(),
        ("cos", [x]) => x.cos(),
        ("tan", [x]) => x.tan(),
        ("asin", [x]) => x.asin(),
        ("acos", [x]) => x.acos(),
        ("atan", [x]) => x.atan(),
        ("atan2", [y, x]) => y.atan2(*x),
        ("min", [a, b]) => a.min(*b),
        ("max", [a, b]) => a.max(*b),
        _ => return None,
    })
}
