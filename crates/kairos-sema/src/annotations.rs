//! Reading the annotations that have meaning for translation.

use kairos_base::Name;
use kairos_syntax::ast::{Annotation, Argument, ArgumentKind, Expr, ExprKind, ModValue, UnaryOp};

/// The argument called `name`: its nested arguments and its value.
pub fn find<'a>(args: &'a [Argument], name: &str) -> Option<(&'a [Argument], Option<&'a Expr>)> {
    args.iter().find_map(|arg| match &arg.kind {
        ArgumentKind::Modify { path, modification, .. } if path.len() == 1 && path[0].name == *name => {
            let value = modification.as_ref().and_then(|m| m.value.as_ref()).and_then(|v| match v {
                ModValue::Expr(e) => Some(&**e),
                ModValue::Break(_) => None,
            });
            Some((modification.as_ref().map_or(&[][..], |m| m.args.as_slice()), value))
        }
        _ => None,
    })
}

pub fn value<'a>(annotation: Option<&'a Annotation>, name: &str) -> Option<&'a Expr> {
    find(&annotation?.args, name)?.1
}

/// A literal Boolean annotation such as `Evaluate=true`.
pub fn flag(annotation: Option<&Annotation>, name: &str) -> Option<bool> {
    match value(annotation, name)?.kind {
        ExprKind::Bool(b) => Some(b),
        _ => None,
    }
}

pub fn number(e: &Expr) -> Option<f64> {
    match &e.kind {
        ExprKind::Real(x) => Some(*x),
        ExprKind::Integer(i) => Some(*i as f64),
        ExprKind::Unary(UnaryOp::Minus, a) => number(a).map(|x| -x),
        _ => None,
    }
}

pub fn text(e: &Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::String(s) => Some(s),
        _ => None,
    }
}

/// `uses(Modelica(version="4.1.0"))`
pub fn uses(args: &[Argument]) -> Vec<(Name, String)> {
    let Some((list, _)) = find(args, "uses") else { return Vec::new() };
    let one = |arg: &Argument| match &arg.kind {
        ArgumentKind::Modify { path, modification: Some(m), .. } => {
            let version = find(&m.args, "version").and_then(|(_, v)| v).and_then(text)?;
            Some((path.first()?.name, version.to_string()))
        }
        _ => None,
    };
    list.iter().filter_map(one).collect()
}
