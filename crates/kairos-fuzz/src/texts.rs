//! Modelica texts that are almost right: bytes, tokens and lines of models changed, and models made by a grammar.

use crate::dice::Dice;

/// Some bytes changed, taken out or repeated.
pub fn bytes(dice: &mut Dice, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + dice.below(8) {
        let at = dice.below(bytes.len().max(1));
        match dice.below(4) {
            _ if bytes.is_empty() => bytes.push(dice.next() as u8),
            0 => bytes[at] = dice.next() as u8,
            1 => {
                bytes.remove(at);
            }
            2 => {
                let end = (at + 1 + dice.below(40)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                let to = dice.below(bytes.len());
                bytes.splice(to..to, part);
            }
            _ => bytes.insert(at, *dice.pick(b"(){}[];,.:=+-*/^\"'<>0123456789e \n")),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

const WORDS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ".",
    ":",
    "=",
    ":=",
    "+",
    "-",
    "*",
    "/",
    "^",
    "<",
    ">",
    "==",
    "<>",
    "0",
    "1",
    "-1",
    "2147483647",
    "1e308",
    "1e-308",
    "true",
    "false",
    "time",
    "der",
    "pre",
    "if",
    "then",
    "else",
    "end",
    "when",
    "for",
    "loop",
    "in",
    "while",
    "equation",
    "algorithm",
    "initial",
    "parameter",
    "constant",
    "Real",
    "Integer",
    "Boolean",
    "String",
    "model",
    "function",
    "record",
    "connect",
    "extends",
    "redeclare",
    "replaceable",
    "flow",
    "stream",
    "each",
    "final",
    "outer",
    "inner",
    "\"x\"",
    "size",
    "fill",
    "sum",
    "delay",
    "sample",
    "edge",
    "reinit",
    "assert",
    "noEvent",
    "smooth",
    "homotopy",
    "cat",
];

/// Words of a text changed, taken out, repeated or moved.
pub fn tokens(dice: &mut Dice, text: &str) -> String {
    let mut words: Vec<String> = split(text);
    for _ in 0..1 + dice.below(5) {
        if words.is_empty() {
            break;
        }
        let (at, other) = (dice.below(words.len()), dice.below(words.len()));
        match dice.below(4) {
            0 => words[at] = dice.pick(WORDS).to_string(),
            1 => {
                words.remove(at);
            }
            2 => words.insert(at, dice.pick(WORDS).to_string()),
            _ => words.swap(at, other),
        }
    }
    words.join(" ")
}

fn split(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in text.chars() {
        let joined = c.is_alphanumeric() || c == '_';
        match words.last_mut() {
            Some(word) if joined && (before.is_alphanumeric() || before == '_') => word.push(c),
            _ if c.is_whitespace() => {}
            _ => words.push(c.to_string()),
        }
        before = c;
    }
    words
}

/// The lines of one text with some of another between them.
pub fn splice(dice: &mut Dice, text: &str, other: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let donors: Vec<&str> = other.lines().collect();
    for _ in 0..1 + dice.below(4) {
        if donors.is_empty() {
            break;
        }
        let from = dice.below(donors.len());
        let until = (from + 1 + dice.below(6)).min(donors.len());
        let at = dice.below(lines.len() + 1);
        lines.splice(at..at, donors[from..until].iter().copied());
    }
    lines.join("\n")
}

/// What an expression of the grammar is to be.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Number,
    Boolean,
    Vector,
}

/// A model whose names and types are mostly right.
pub fn grammar(dice: &mut Dice) -> String {
    let mut out = String::from("model M\n");
    out.push_str("  function f input Real u; input Real w = 1; output Real y; algorithm y := ");
    out.push_str(&expression(dice, 3, Sort::Number, &["u", "w"]));
    out.push_str("; end f;\n");
    out.push_str(&format!("  parameter Real p = {};\n", expression(dice, 2, Sort::Number, &["2.5"])));
    out.push_str(&format!(
        "  parameter Integer n = {};\n",
        dice.pick(&["3", "2", "0", "-1", "div(7, 2)", "1000000"])
    ));
    let names = ["x", "y", "p", "n", "time", "v[1]", "k", "z"];
    out.push_str(&format!(
        "  Real x(start = 1, fixed = {});\n  Real y = {};\n",
        dice.pick(&["true", "false"]),
        expression(dice, 4, Sort::Number, &names)
    ));
    out.push_str(&format!(
        "  Real v[{}] = {};\n",
        dice.pick(&["3", "n", "2", "size(v, 1)"]),
        expression(dice, 3, Sort::Vector, &names)
    ));
    out.push_str(&format!("  discrete Real z(start = 0, fixed = true);\n  Integer k(start = 0, fixed = true);\n  Boolean b = {};\n", expression(dice, 3, Sort::Boolean, &names)));
    out.push_str(&format!("equation\n  der(x) = {};\n", expression(dice, 4, Sort::Number, &names)));
    out.push_str(&format!(
        "  when {} then\n    z = {};\n    k = {};\n  end when;\n",
        expression(dice, 2, Sort::Boolean, &names),
        expression(dice, 3, Sort::Number, &names),
        dice.pick(&[
            "pre(k) + 1",
            "2*pre(k) + 1",
            "div(pre(k), 0)",
            "integer(x)",
            "mod(pre(k), 3)",
            "pre(k)*pre(k) + 3"
        ])
    ));
    if dice.one_in(3) {
        out.push_str(&format!(
            "  when {} then reinit(x, {}); end when;\n",
            expression(dice, 2, Sort::Boolean, &names),
            expression(dice, 2, Sort::Number, &names)
        ));
    }
    out.push_str("end M;\n");
    out
}

fn expression(dice: &mut Dice, depth: usize, sort: Sort, names: &[&str]) -> String {
    // Now and then something of another sort: that is what type checks are for.
    let sort = if dice.one_in(25) { *dice.pick(&[Sort::Number, Sort::Boolean, Sort::Vector]) } else { sort };
    let one = |dice: &mut Dice, sort: Sort| expression(dice, depth.saturating_sub(1), sort, names);
    if depth == 0 || dice.one_in(6) {
        return match sort {
            Sort::Number if dice.one_in(3) => dice.pick(&["0", "1", "-2.5", "1e10", "3", "0.1"]).to_string(),
            Sort::Number => dice.pick(names).to_string(),
            Sort::Boolean => {
                dice.pick(&["true", "false", "initial()", "sample(0, 0.1)", "time > 0.5"]).to_string()
            }
            Sort::Vector => {
                dice.pick(&["{1, 2, 3}", "fill(1.0, 3)", "zeros(3)", "1:3", "{time, 1, 2}", "v"]).to_string()
            }
        };
    }
    match sort {
        Sort::Number => {
            let (a, b) = (one(dice, Sort::Number), one(dice, Sort::Number));
            match dice.below(14) {
                0..4 => format!("({a} {} {b})", dice.pick(&["+", "-", "*", "/", "^"])),
                4..7 => format!(
                    "{}({a})",
                    dice.pick(&[
                        "sin", "exp", "sqrt", "abs", "log", "noEvent", "floor", "integer", "sign", "der",
                        "pre", "f"
                    ])
                ),
                7 => format!(
                    "{}({a}, {b})",
                    dice.pick(&[
                        "min",
                        "max",
                        "mod",
                        "div",
                        "atan2",
                        "smooth",
                        "delay",
                        "homotopy",
                        "rem",
                        "f",
                        "semiLinear"
                    ])
                ),
                8 => format!("(if {} then {a} else {b})", one(dice, Sort::Boolean)),
                9 => format!(
                    "{}({})",
                    dice.pick(&["sum", "max", "min", "product", "ndims", "scalar"]),
                    one(dice, Sort::Vector)
                ),
                10 => format!(
                    "{}[{}]",
                    dice.pick(&["v", "{1.0, 2.0}"]),
                    dice.pick(&["1", "2", "n", "end", "0", "k"])
                ),
                11 => format!("({} * {})", one(dice, Sort::Vector), one(dice, Sort::Vector)),
                12 => format!("size({}, {})", one(dice, Sort::Vector), dice.pick(&["1", "2", "0"])),
                _ => format!("sum({a} for i in {})", dice.pick(&["1:3", "v", "1:n", "{1.5}"])),
            }
        }
        Sort::Boolean => {
            let (a, b) = (one(dice, Sort::Number), one(dice, Sort::Number));
            match dice.below(5) {
                0..2 => format!("({a} {} {b})", dice.pick(&["<", ">", "<=", ">="])),
                2 => format!("(not {})", one(dice, Sort::Boolean)),
                3 => format!(
                    "{}({})",
                    dice.pick(&["edge", "change", "pre", "noEvent"]),
                    dice.pick(&["b", "k", "z"])
                ),
                _ => format!(
                    "({} {} {})",
                    one(dice, Sort::Boolean),
                    dice.pick(&["and", "or"]),
                    one(dice, Sort::Boolean)
                ),
            }
        }
        Sort::Vector => {
            let (a, b) = (one(dice, Sort::Vector), one(dice, Sort::Vector));
            match dice.below(7) {
                0 => format!("({a} {} {b})", dice.pick(&["+", "-", ".*", "./", "*"])),
                1 => format!("({} * {a})", one(dice, Sort::Number)),
                2 => format!(
                    "{}({a})",
                    dice.pick(&[
                        "sin",
                        "abs",
                        "transpose",
                        "vector",
                        "diagonal",
                        "skew",
                        "matrix",
                        "identity"
                    ])
                ),
                3 => format!("{}({a}, {b})", dice.pick(&["cross", "outerProduct", "cat", "min", "atan2"])),
                4 => format!(
                    "{{{}, {}, {}}}",
                    one(dice, Sort::Number),
                    one(dice, Sort::Number),
                    one(dice, Sort::Number)
                ),
                5 => format!("cat(1, {a}, {b})"),
                _ => format!("{{{} for i in 1:3}}", one(dice, Sort::Number)),
            }
        }
    }
}
