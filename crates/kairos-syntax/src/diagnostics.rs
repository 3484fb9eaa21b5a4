//! The wording of everything the lexer and the parser have to say.

use kairos_base::{Diagnostic, FileId, Span};

pub fn file_too_large(file: FileId) -> Diagnostic {
    Diagnostic::error("file-too-large", "the file has more than 4 GiB of text")
        .at(Span::new(file, 0, 0))
        .help("split the library into one file per class (MLS 13.4)")
}

pub fn unexpected_character(c: char, span: Span) -> Diagnostic {
    let found = match c.is_control() {
        true => format!("the control character U+{:04X}", c as u32),
        false => format!("`{c}`"),
    };
    Diagnostic::error("unexpected-character", format!("{found} does not belong to Modelica"))
        .at(span)
        .help("remove it; inside strings, comments and quoted names ('…') any character may stand")
}

pub fn foreign_name(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("unexpected-character", format!("the name `{name}` has letters beyond ASCII"))
        .at(span)
        .help("names are made of a-z, A-Z, 0-9 and `_`")
}

pub fn borrowed_operator(found: &str, instead: &str, span: Span) -> Diagnostic {
    Diagnostic::error("unexpected-character", format!("`{found}` is not an operator of Modelica"))
        .at(span)
        .help(format!("write `{instead}`"))
}

pub fn borrowed_comment(found: &str, span: Span) -> Diagnostic {
    Diagnostic::error("unexpected-character", format!("`{found}` does not begin a comment in Modelica"))
        .at(span)
        .help("write `//`, or put the text between `/*` and `*/`")
}

pub fn typographic_quote(found: char, span: Span) -> Diagnostic {
    Diagnostic::error("unexpected-character", format!("`{found}` does not begin a string"))
        .at(span)
        .help("write straight quotes: `\"text\"`")
}

pub fn number_with_letters(text: &str, span: Span) -> Diagnostic {
    Diagnostic::error("invalid-number", format!("`{text}` is neither a number nor a name"))
        .at(span)
        .help("names start with a letter; multiply with `*`; an exponent has digits, as in `1e-3`")
}

pub fn integer_too_large(text: &str, span: Span) -> Diagnostic {
    Diagnostic::error("invalid-number", format!("the Integer literal `{text}` does not fit 64 bits"))
        .at(span)
        .help(format!("write `{text}.0` if a Real is meant"))
}

pub fn real_too_large(text: &str, span: Span) -> Diagnostic {
    Diagnostic::error("invalid-number", format!("the Real literal `{text}` is beyond the largest Real"))
        .at(span)
        .help("the largest Real is about 1.8e308; Modelica.Constants.inf stands for a large number")
}

pub fn invalid_escape(text: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("invalid-escape", format!("`{text}` is not an escape sequence; it is kept as it is"))
        .at(span)
        .help("write `\\\\` for a backslash; known are \\' \\\" \\? \\\\ \\a \\b \\f \\n \\r \\t \\v")
}

pub fn unclosed_string(span: Span) -> Diagnostic {
    Diagnostic::error("unclosed-string", "this string has no closing `\"`")
        .at(span)
        .help("close it with `\"`; a quote inside a string is written `\\\"`")
}

pub fn unclosed_quote(span: Span) -> Diagnostic {
    Diagnostic::error("unclosed-quoted-name", "this quoted name has no closing `'` on its line")
        .at(span)
        .help("close it with `'`; text stands between `\"` in Modelica")
}

pub fn primed(span: Span) -> Diagnostic {
    Diagnostic::error("unexpected-character", "a prime behind a name has no meaning in Modelica")
        .at(span)
        .help("the derivative of `x` by time is written `der(x)`")
}

pub fn unclosed_comment(span: Span) -> Diagnostic {
    Diagnostic::error("unclosed-comment", "this comment has no closing `*/`")
        .at(span)
        .help("close it with `*/`; comments do not nest")
}

/// `expected` and `found` come with their backquotes.
pub fn unexpected_token(expected: &str, found: &str, span: Span) -> Diagnostic {
    Diagnostic::error("unexpected-token", format!("expected {expected}, found {found}")).at(span)
}

/// What stands in place of a word that an `if` in an expression needs.
pub fn if_needs(word: &str, found: &str, span: Span) -> Diagnostic {
    unexpected_token(&format!("`{word}`"), found, span).help(match word {
        "then" => "a condition is followed by `then`, not by brackets: `if a > b then x else y`",
        _ => "an `if` that gives a value has it in every case: `if a > b then x else y`",
    })
}

pub fn missing_then(found: &str, span: Span) -> Diagnostic {
    unexpected_token("`then`", found, span)
        .help("a condition is followed by `then`: `if a > b then …`, `when a > b then …`")
}

pub fn iterator_without_in(found: &str, span: Span) -> Diagnostic {
    unexpected_token("`in`", found, span).help("a loop runs over values: `for i in 1:3 loop`")
}

pub fn while_in_equation(span: Span) -> Diagnostic {
    unexpected_token("an equation", "`while`", span)
        .help("a `while` loop stands in an `algorithm` section or a function; equations repeat by `for`")
}

pub fn second_equal(span: Span) -> Diagnostic {
    unexpected_token("`;`", "`=`", span).help("an equation has one `=`; two values are compared by `==`")
}

pub fn initial_alone(span: Span) -> Diagnostic {
    Diagnostic::error("unexpected-token", "expected `equation` or `algorithm` after `initial`")
        .at(span)
        .help("a section for the start begins with `initial equation`")
}

pub fn did_you_mean(word: &str, keyword: &str) -> String {
    format!("did you mean `{keyword}` by `{word}`?")
}

pub fn keyword_as_name(expected: &str, word: &str, span: Span) -> Diagnostic {
    Diagnostic::error("unexpected-token", format!("expected {expected}, found the keyword `{word}`"))
        .at(span)
        .help(format!("keywords cannot be names; choose another one, or quote it: `'{word}'`"))
}

pub fn missing_semicolon(after: Span, found: &str) -> Diagnostic {
    Diagnostic::error("missing-semicolon", format!("expected `;` before {found}"))
        .at(after)
        .help("end the line with `;`")
}

pub fn decimal_comma(span: Span) -> Diagnostic {
    unexpected_token("`;`", "`,`", span).help("numbers have a decimal point, as in `1.5`")
}

pub fn comma_in_declaration(span: Span) -> Diagnostic {
    unexpected_token("the name of a further component", "a number", span)
        .help("numbers have a decimal point, as in `3.5`; an array is written `{3, 5}`")
}

pub fn unclosed_bracket(open: &str, close: &str, found: &str, place: Span, opened: Span) -> Diagnostic {
    Diagnostic::error("unclosed-bracket", format!("expected `{close}`, found {found}"))
        .at(place)
        .label(opened, format!("this `{open}` is open"))
        .help(format!("close it with `{close}`, or separate the parts with `,`"))
}

pub fn end_name_mismatch(class: &str, found: &str, place: Span, opened: Span) -> Diagnostic {
    Diagnostic::error("end-name-mismatch", format!("`{class}` is closed by `end {found}`"))
        .at(place)
        .label(opened, format!("`{class}` starts here"))
        .help(format!("write `end {class};`"))
}

pub fn unclosed_class(class: &str, found: &str, place: Span, opened: Span) -> Diagnostic {
    Diagnostic::error("unclosed-class", format!("expected `end {class};`, found {found}"))
        .at(place)
        .label(opened, format!("`{class}` starts here"))
        .help(format!("close the class with `end {class};`"))
}

pub fn stray_end(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error("unexpected-token", format!("`end {word}` closes nothing: no `{word}` is open"))
        .at(span)
        .help("remove it, or look for an `end` too many above")
}

/// `else_if`: the block has an `else` with an `if` directly behind it.
pub fn unclosed_block(word: &str, found: &str, else_if: bool, place: Span, opened: Span) -> Diagnostic {
    let help = match else_if {
        true => "`else if` opens a second `if` with its own `end if`; write `elseif`".to_string(),
        false => format!("close it with `end {word};`"),
    };
    Diagnostic::error("unclosed-block", format!("expected `end {word}`, found {found}"))
        .at(place)
        .label(opened, format!("this `{word}` is open"))
        .help(help)
}

pub fn nesting_too_deep(limit: usize, span: Span) -> Diagnostic {
    Diagnostic::error("nesting-too-deep", format!("this is nested more than {limit} levels deep"))
        .at(span)
        .help("name inner parts: give subexpressions their own variables, classes their own files")
}

pub fn chain_too_long(limit: usize, span: Span) -> Diagnostic {
    Diagnostic::error(
        "nesting-too-deep",
        format!("this expression has more than {limit} levels of operators"),
    )
    .at(span)
    .help("split it, or write a long sum as `sum({…})`")
}

pub fn needs_parentheses(what: &str, instead: &str, span: Span) -> Diagnostic {
    Diagnostic::error("needs-parentheses", format!("{what} needs parentheses here"))
        .at(span)
        .help(format!("write {instead}"))
}

pub const ELEMENT_PREFIXES: &str = "redeclare final inner outer replaceable";
pub const TYPE_PREFIXES: &str = "flow|stream discrete|parameter|constant input|output";
pub const CLASS_PREFIXES: &str = "encapsulated partial";
pub const MODIFIER_PREFIXES: &str = "redeclare each final";

pub fn misplaced_prefix(word: &str, before: &str, order: &str, span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-prefix", format!("`{word}` cannot follow `{before}`"))
        .at(span)
        .help(format!("these prefixes come once, in this order: {order}"))
}

pub fn import_with_dot(span: Span) -> Diagnostic {
    unexpected_token("the name to import", "`.`", span)
        .help("remove the dot: imported names are always looked up from the top")
}

pub fn constrained_not_replaceable(span: Span) -> Diagnostic {
    unexpected_token("`;`", "`constrainedby`", span)
        .help("declare the element `replaceable`, or remove the constraint")
}

pub fn misplaced_element(span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-element", "a declaration cannot stand in an equation or algorithm section")
        .at(span)
        .help("move it before the section, or start a new list of declarations with `public` or `protected`")
}

pub fn annotation_not_last(span: Span) -> Diagnostic {
    Diagnostic::warning("annotation-not-last", "the class annotation is not the last part of its class")
        .at(span)
        .help("move it before `end`; a class has one annotation")
}

pub fn assignment_in_equation(span: Span) -> Diagnostic {
    Diagnostic::error("assignment-in-equation", "`:=` assigns in algorithms; equations use `=`")
        .at(span)
        .help("write `=`, or move the assignment to an `algorithm` section")
}

pub fn comparison_as_equation(span: Span) -> Diagnostic {
    Diagnostic::error("comparison-as-equation", "`==` compares; equations use `=`").at(span).help("write `=`")
}

pub fn equation_in_algorithm(span: Span) -> Diagnostic {
    Diagnostic::error("equation-in-algorithm", "`=` states an equation; algorithms assign with `:=`")
        .at(span)
        .help("write `:=`, or move the equation to an `equation` section")
}

pub fn assignment_in_declaration(span: Span) -> Diagnostic {
    Diagnostic::error("assignment-in-declaration", "a declaration gives its value with `=`, not `:=`")
        .at(span)
        .help("write `=`")
}

pub fn not_a_statement(what: &str, way_out: &str, span: Span) -> Diagnostic {
    Diagnostic::error("no-effect", format!("an expression alone is not {what}")).at(span).help(way_out)
}

pub fn assigned_not_call(span: Span) -> Diagnostic {
    Diagnostic::error("tuple-without-call", "several variables can be assigned only from a function call")
        .at(span)
        .help("assign them one by one, or call a function with several outputs")
}

pub fn positional_after_named(span: Span) -> Diagnostic {
    Diagnostic::error("positional-after-named", "a positional argument cannot follow a named one")
        .at(span)
        .help("give it its name, as in `f(x, tol = 1)`, or move it forward")
}

pub fn empty_brackets(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("empty-array", format!("{what} has no elements, so no type"))
        .at(span)
        .help("an empty array is written `fill(0.0, 0)` or `zeros(0)`")
}

pub fn end_outside_subscript(span: Span) -> Diagnostic {
    Diagnostic::error("end-outside-subscript", "`end` as a number stands only inside subscripts")
        .at(span)
        .help("`size(a, 1)` is the length of `a` elsewhere")
}

pub fn call_postfix(found: &str, span: Span) -> Diagnostic {
    Diagnostic::error("needs-parentheses", format!("a call cannot be followed by {found} directly"))
        .at(span)
        .help("put the call in parentheses, as in `(f(x)).y`, or give its result a name")
}

pub fn text_after_expression(found: &str, span: Span) -> Diagnostic {
    Diagnostic::error("unexpected-token", format!("the expression ends before {found}"))
        .at(span)
        .help("one expression is expected here")
}

pub fn break_outside_extends(span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-break", "`break` deselects elements in the modifier of an `extends` only")
        .at(span)
        .help("to remove an inherited value write `name = break` (MLS 7.2.7)")
}

pub fn too_many_errors(limit: usize, span: Span) -> Diagnostic {
    Diagnostic::error("too-many-errors", format!("more than {limit} errors; the rest is not shown"))
        .at(span)
        .help("repair the first ones and try again")
}
