//! Expressions back to Modelica text, with parentheses where the tree needs them.

use crate::ast::*;
use kairos_base::string_literal;
use std::fmt::Write;

/// The text of an expression; reading it again gives the same tree, up to needed parentheses.
pub fn expr_to_string(expr: &Expr) -> String {
    let mut out = String::new();
    write_expr(&mut out, expr, strength::ANY);
    out
}

/// The text of a reference such as `.a[1].b`.
pub fn reference_to_string(reference: &ComponentRef) -> String {
    let mut out = String::new();
    write_reference(&mut out, reference);
    out
}

/// The text of a path such as `.A.B`.
pub fn path_to_string(path: &Path) -> String {
    let mut out = String::new();
    write_path(&mut out, path);
    out
}

/// How strongly an expression holds together; weaker ones get parentheses.
mod strength {
    pub const ANY: u8 = 0;
    pub const RANGE: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const NOT: u8 = 4;
    pub const RELATION: u8 = 5;
    pub const SUM: u8 = 6;
    pub const PRODUCT: u8 = 7;
    pub const POWER: u8 = 8;
    pub const OPERAND: u8 = 9;
}

fn strength_of(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::If { .. } => strength::ANY,
        ExprKind::Range { .. } => strength::RANGE,
        ExprKind::Binary(op, ..) => binary(*op).1,
        ExprKind::Unary(UnaryOp::Not, _) => strength::NOT,
        ExprKind::Unary(..) => strength::SUM,
        // A negative number is written as a signed one.
        ExprKind::Real(value) if value.is_sign_negative() => strength::SUM,
        ExprKind::Integer(value) if *value < 0 => strength::SUM,
        _ => strength::OPERAND,
    }
}

fn write_expr(out: &mut String, expr: &Expr, least: u8) {
    let parentheses = strength_of(expr) < least;
    if parentheses {
        out.push('(');
    }
    write_bare(out, expr);
    if parentheses {
        out.push(')');
    }
}

fn write_bare(out: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::Real(value) => write_real(out, *value),
        ExprKind::Integer(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::String(text) => out.push_str(&string_literal(text)),
        ExprKind::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::Ref(reference) => write_reference(out, reference),
        ExprKind::Unary(op, operand) => {
            let (sign, inner) = match op {
                UnaryOp::Plus => ("+", strength::PRODUCT),
                UnaryOp::Minus => ("-", strength::PRODUCT),
                UnaryOp::ElementPlus => (".+", strength::PRODUCT),
                UnaryOp::ElementMinus => (".-", strength::PRODUCT),
                UnaryOp::Not => ("not ", strength::RELATION),
            };
            out.push_str(sign);
            write_expr(out, operand, inner);
        }
        ExprKind::Binary(op, left, right) => {
            let (text, own) = binary(*op);
            // Relations and powers do not chain; the others do to the left.
            let left_least = if matches!(own, strength::RELATION | strength::POWER) { own + 1 } else { own };
            write_expr(out, left, left_least);
            out.push_str(text);
            write_expr(out, right, own + 1);
        }
        ExprKind::If { branches, otherwise } => {
            for (at, (condition, value)) in branches.iter().enumerate() {
                out.push_str(if at == 0 { "if " } else { " elseif " });
                write_expr(out, condition, strength::ANY);
                out.push_str(" then ");
                write_expr(out, value, strength::ANY);
            }
            out.push_str(" else ");
            write_expr(out, otherwise, strength::ANY);
        }
        ExprKind::Range { start, step, stop } => {
            write_expr(out, start, strength::OR);
            if let Some(step) = step {
                out.push(':');
                write_expr(out, step, strength::OR);
            }
            out.push(':');
            write_expr(out, stop, strength::OR);
        }
        ExprKind::Call { function, args } => {
            write_reference(out, function);
            write_args(out, args);
        }
        ExprKind::Array(items) => {
            out.push('{');
            write_list(out, items, ", ");
            out.push('}');
        }
        ExprKind::ArrayComprehension(item, indices) => {
            out.push('{');
            write_expr(out, item, strength::ANY);
            write_indices(out, indices);
            out.push('}');
        }
        ExprKind::Matrix(rows) => {
            out.push('[');
            for (at, row) in rows.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "; " });
                write_list(out, row, ", ");
            }
            out.push(']');
        }
        ExprKind::Tuple(items) => {
            out.push('(');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                if let Some(item) = item {
                    write_expr(out, item, strength::ANY);
                }
            }
            out.push(')');
        }
        ExprKind::Index(operand, subscripts) => {
            write_parenthesised(out, operand);
            write_subscripts(out, subscripts);
        }
        ExprKind::Field(operand, name) => {
            write_parenthesised(out, operand);
            out.push('.');
            out.push_str(name.name.as_str());
        }
        ExprKind::End => out.push_str("end"),
        ExprKind::Partial { function, args } => {
            out.push_str("function ");
            write_path(out, function);
            out.push('(');
            write_named(out, args, false);
            out.push(')');
        }
        ExprKind::Error => out.push('?'),
    }
}

fn write_parenthesised(out: &mut String, expr: &Expr) {
    match expr.kind {
        ExprKind::Tuple(_) => write_bare(out, expr),
        _ => {
            out.push('(');
            write_bare(out, expr);
            out.push(')');
        }
    }
}

fn write_real(out: &mut String, value: f64) {
    // The shortest text that reads back as the same number; `1e300` is a Real already, `1` is not.
    let magnitude = value.abs();
    let start = out.len();
    let _ = match magnitude == 0.0 || (1e-4..1e15).contains(&magnitude) {
        true => write!(out, "{value}"),
        false => write!(out, "{value:e}"),
    };
    if !out[start..].contains(['.', 'e', 'n']) {
        out.push_str(".0");
    }
}

fn write_reference(out: &mut String, reference: &ComponentRef) {
    if reference.global {
        out.push('.');
    }
    for (at, part) in reference.parts.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "." });
        out.push_str(part.name.name.as_str());
        if !part.subscripts.is_empty() {
            write_subscripts(out, &part.subscripts);
        }
    }
}

fn write_path(out: &mut String, path: &Path) {
    if path.global {
        out.push('.');
    }
    for (at, part) in path.parts.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "." });
        out.push_str(part.name.as_str());
    }
}

fn write_subscripts(out: &mut String, subscripts: &[Subscript]) {
    out.push('[');
    for (at, subscript) in subscripts.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        match subscript {
            Subscript::All(_) => out.push(':'),
            Subscript::Expr(expr) => write_expr(out, expr, strength::ANY),
        }
    }
    out.push(']');
}

fn write_args(out: &mut String, args: &Args) {
    out.push('(');
    write_list(out, &args.positional, ", ");
    write_named(out, &args.named, !args.positional.is_empty());
    if !args.iterators.is_empty() {
        write_indices(out, &args.iterators);
    }
    out.push(')');
}

fn write_named(out: &mut String, args: &[NamedArg], mut comma: bool) {
    for arg in args {
        out.push_str(if comma { ", " } else { "" });
        out.push_str(arg.name.name.as_str());
        out.push_str(" = ");
        write_expr(out, &arg.value, strength::ANY);
        comma = true;
    }
}

fn write_indices(out: &mut String, indices: &[ForIndex]) {
    for (at, index) in indices.iter().enumerate() {
        out.push_str(if at == 0 { " for " } else { ", " });
        out.push_str(index.name.name.as_str());
        if let Some(range) = &index.range {
            out.push_str(" in ");
            write_expr(out, range, strength::ANY);
        }
    }
}

fn write_list(out: &mut String, items: &[Expr], separator: &str) {
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { separator });
        write_expr(out, item, strength::ANY);
    }
}

fn binary(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Or => (" or ", strength::OR),
        BinaryOp::And => (" and ", strength::AND),
        BinaryOp::Less => (" < ", strength::RELATION),
        BinaryOp::LessEqual => (" <= ", strength::RELATION),
        BinaryOp::Greater => (" > ", strength::RELATION),
        BinaryOp::GreaterEqual => (" >= ", strength::RELATION),
        BinaryOp::Equal => (" == ", strength::RELATION),
        BinaryOp::NotEqual => (" <> ", strength::RELATION),
        BinaryOp::Add => (" + ", strength::SUM),
        BinaryOp::Sub => (" - ", strength::SUM),
        BinaryOp::ElementAdd => (" .+ ", strength::SUM),
        BinaryOp::ElementSub => (" .- ", strength::SUM),
        BinaryOp::Mul => ("*", strength::PRODUCT),
        BinaryOp::Div => ("/", strength::PRODUCT),
        BinaryOp::ElementMul => (" .* ", strength::PRODUCT),
        BinaryOp::ElementDiv => (" ./ ", strength::PRODUCT),
        BinaryOp::Pow => ("^", strength::POWER),
        BinaryOp::ElementPow => (" .^ ", strength::POWER),
    }
}
