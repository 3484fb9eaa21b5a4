//! Precedence, literals and the text of expressions.

mod common;

use common::Random;
use kairos_base::FileId;
use kairos_syntax::ast::{Expr, ExprKind};
use kairos_syntax::{expr_to_string, parse_expression};

fn read(text: &str) -> Expr {
    let (expr, diagnostics) = parse_expression(FileId::new(0), text);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    expr
}

/// The expression with every operation in parentheses.
fn shape(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Unary(op, a) => format!("({op:?} {})", shape(a)),
        ExprKind::Binary(op, a, b) => format!("({op:?} {} {})", shape(a), shape(b)),
        ExprKind::If { branches, otherwise } => {
            let branches: Vec<String> =
                branches.iter().map(|(c, v)| format!("{} {}", shape(c), shape(v))).collect();
            format!("(If {} {})", branches.join(" "), shape(otherwise))
        }
        ExprKind::Range { start, step: Some(step), stop } => {
            format!("(Range {} {} {})", shape(start), shape(step), shape(stop))
        }
        ExprKind::Range { start, step: None, stop } => format!("(Range {} {})", shape(start), shape(stop)),
        ExprKind::Tuple(items) if items.len() == 1 => items[0].as_ref().map_or("()".to_string(), shape),
        _ => expr_to_string(expr),
    }
}

#[test]
fn operators_bind_as_specified() {
    for (text, expected) in [
        ("-a^2", "(Minus (Pow a 2))"),
        ("-a*b", "(Minus (Mul a b))"),
        ("-a + b", "(Add (Minus a) b)"),
        ("a - b - c", "(Sub (Sub a b) c)"),
        ("a/b*c", "(Mul (Div a b) c)"),
        ("a + b*c^d", "(Add a (Mul b (Pow c d)))"),
        ("not a and b or c", "(Or (And (Not a) b) c)"),
        ("not a == b", "(Not (Equal a b))"),
        ("a + 1 < b or c", "(Or (Less (Add a 1) b) c)"),
        ("-a < +b", "(Less (Minus a) (Plus b))"),
        (
            "a .+ b .* c .^ d ./ e .- f",
            "(ElementSub (ElementAdd a (ElementDiv (ElementMul b (ElementPow c d)) e)) f)",
        ),
        ("1:n + 1", "(Range 1 (Add n 1))"),
        ("1:2:a and b", "(Range 1 2 (And a b))"),
        ("if a then b elseif c then d else e + f", "(If a b c d (Add e f))"),
        ("(a - b) - (c)", "(Sub (Sub a b) c)"),
        ("2.*x", "(Mul 2.0 x)"),
        ("a <> b", "(NotEqual a b)"),
    ] {
        assert_eq!(shape(&read(text)), expected, "{text}");
    }
}

#[test]
fn expressions_are_written_as_read() {
    for text in [
        "f(a, b, x = 1, y = function g(z = 2))",
        "sum(a[i] for i in 1:n, j)",
        "{1, 2.5, \"a\\n\\\"b\\\\\", true}",
        "{i^2 for i in 1:n}",
        "[1, 2; 3, 4]",
        "(a, , b)",
        ".A.b[1, :, end].'c d'",
        "(f(x)).re",
        "(a)[2]",
        "der(x) + time",
        "if a then b elseif c then d else e",
        "1e300*1.0 - 1e-7",
        "initial() and pure(f())",
        "-(-a)",
        "a^(b^c)",
        "(a < b) == (c < d)",
    ] {
        assert_eq!(expr_to_string(&read(text)), text);
    }
}

#[test]
fn literals_have_their_values() {
    let real = |text: &str| match read(text).kind {
        ExprKind::Real(value) => value,
        other => panic!("{text}: {other:?}"),
    };
    for text in ["13.", "13E0", "1.3e1", "0.13E2", ".13E2"] {
        assert_eq!(real(text), 13.0);
    }
    assert!(matches!(read("9223372036854775807").kind, ExprKind::Integer(i64::MAX)));
    let ExprKind::String(text) = read(r#""\a\b\f\n\r\t\v\\\"\'\? é""#).kind else { panic!() };
    assert_eq!(&*text, "\x07\x08\x0c\n\r\t\x0b\\\"'? é");
}

#[test]
fn a_lone_expression_ends_with_the_text() {
    for text in ["", "1 2", "a = b", "a;", "f(", "1 +"] {
        assert!(!parse_expression(FileId::new(0), text).1.is_empty(), "{text}");
    }
}

/// Random operations, fully parenthesised, lose their parentheses and are written and read again.
#[test]
fn parentheses_are_written_where_needed() {
    let mut random = Random::new(7);
    for _ in 0..3000 {
        let expr = without_parentheses(read(&operation(&mut random, 5)));
        let text = expr_to_string(&expr);
        assert_eq!(shape(&read(&text)), shape(&expr), "{text}");
    }
}

fn operation(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(6) == 0 {
        return ["a", "b[1]", "2", "1.5", "f(x)", "true"][random.below(6)].to_string();
    }
    let mut inner = || format!("({})", operation(random, depth - 1));
    let (a, b, c) = (inner(), inner(), inner());
    let operators = [
        "+", "-", "*", "/", "^", ".+", ".-", ".*", "./", ".^", "<", "<=", ">", ">=", "==", "<>", "and", "or",
    ];
    match random.below(operators.len() + 5) {
        0 => format!("-{a}"),
        1 => format!("+{a}"),
        2 => format!("not {a}"),
        3 => format!("if {a} then {b} else {c}"),
        4 => format!("{a}:{b}:{c}"),
        at => format!("{a} {} {b}", operators[at - 5]),
    }
}

fn without_parentheses(expr: Expr) -> Expr {
    let inner = |e: Box<Expr>| Box::new(without_parentheses(*e));
    let kind = match expr.kind {
        ExprKind::Tuple(mut items) if items.len() == 1 && items[0].is_some() => {
            return without_parentheses(items.remove(0).expect("checked"));
        }
        ExprKind::Unary(op, a) => ExprKind::Unary(op, inner(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(op, inner(a), inner(b)),
        ExprKind::If { branches, otherwise } => ExprKind::If {
            branches: branches
                .into_iter()
                .map(|(c, v)| (without_parentheses(c), without_parentheses(v)))
                .collect(),
            otherwise: inner(otherwise),
        },
        ExprKind::Range { start, step, stop } => {
            ExprKind::Range { start: inner(start), step: step.map(inner), stop: inner(stop) }
        }
        other => other,
    };
    Expr { span: expr.span, kind }
}
