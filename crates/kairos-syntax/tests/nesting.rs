//! Deep and long inputs end in a diagnostic, not in a stack overflow; test threads have 2 MB.

use kairos_base::{Diagnostic, FileId};
use kairos_syntax::{expr_to_string, format, parse, parse_expression};

fn codes(diagnostics: &[Diagnostic]) -> Vec<&str> {
    diagnostics.iter().map(|d| d.code).collect()
}

fn wrap(open: &str, inner: &str, close: &str, levels: usize) -> String {
    format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
}

#[test]
fn deep_expressions_are_refused() {
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("[", "]"),
        ("f(", ")"),
        ("f(x=", ")"),
        ("a[", "]"),
        ("-(", ")"),
        ("if a then 1 else ", ""),
        ("if ", " then 1 else 2"),
        ("f(function g(x=", "))"),
        ("(a + ", ")[1]"),
        ("{1 for i in ", "}"),
    ] {
        for levels in [2000, 50_000] {
            let (_, diagnostics) = parse_expression(FileId::new(0), &wrap(open, "1", close, levels));
            assert!(codes(&diagnostics).contains(&"nesting-too-deep"), "{open}: {diagnostics:?}");
        }
    }
}

#[test]
fn deep_classes_and_blocks_are_refused() {
    let model = |body: String| format!("model M\nequation\n{body}\nend M;");
    for text in [
        wrap("model M ", "", " end M;", 20_000),
        format!("model M Real x{};", wrap("(x", "", ")", 20_000)),
        format!("model M Real x(y={});", wrap("f(y=", "1", ")", 20_000)),
        format!("model M extends A({});", wrap("redeclare model B = C(", "", ")", 20_000)),
        model(wrap("if a then ", "x = 1;", " end if;", 20_000)),
        model(wrap("for i in 1:2 loop ", "x = 1;", " end for;", 20_000)),
        model(wrap("when a then ", "x = 1;", " end when;", 20_000)).replace("equation", "algorithm"),
    ] {
        let (_, diagnostics) = parse(FileId::new(0), &text);
        assert!(codes(&diagnostics).contains(&"nesting-too-deep"), "{}", &text[..60]);
        assert!(format(&text).is_err());
    }
}

#[test]
fn allowed_depth_is_allowed_everywhere() {
    let (expr, diagnostics) = parse_expression(FileId::new(0), &wrap("f((", "1", "))", 120));
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(expr_to_string(&expr), wrap("f((", "1", "))", 120));
    let text = format!("model M\n  Real x = {};\nend M;\n", wrap("{", "1", "}", 200));
    assert!(parse(FileId::new(0), &text).1.is_empty());
    assert!(format(&text).is_ok());
}

#[test]
fn long_chains_of_operators_are_bounded() {
    let sum = |terms: usize| format!("1{}", " + a".repeat(terms));
    let (expr, diagnostics) = parse_expression(FileId::new(0), &sum(1000));
    assert!(diagnostics.is_empty());
    assert_eq!(expr_to_string(&expr), sum(1000));
    let (_, diagnostics) = parse_expression(FileId::new(0), &sum(100_000));
    assert_eq!(codes(&diagnostics)[0], "nesting-too-deep");
    for piece in ["- ", "not ", "a^", "a < ", "a and ", "1:", "a.", "- not "] {
        let (_, diagnostics) = parse_expression(FileId::new(0), &piece.repeat(100_000));
        assert!(!diagnostics.is_empty());
    }
    // Chains inside chains: the sum of both counts.
    let nested = wrap("(", &sum(600), &format!("{})", " + a".repeat(600)), 100);
    let (_, diagnostics) = parse_expression(FileId::new(0), &nested);
    assert!(codes(&diagnostics).contains(&"nesting-too-deep"));
}

#[test]
fn long_lists_are_fine() {
    let text = format!("model M\n  Real x[:] = {{{}}};\nend M;\n", "1 + 2, ".repeat(20_000) + "3");
    assert!(parse(FileId::new(0), &text).1.is_empty());
    let formatted = format(&text).unwrap_or_default();
    assert!(formatted.lines().all(|line| line.len() <= 100));
}
