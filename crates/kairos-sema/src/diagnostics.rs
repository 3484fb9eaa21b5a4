//! The wording of the front end's messages.

use kairos_base::spelling::slips;
use kairos_base::{Diagnostic, Name, Span};

/// The candidate closest to a misspelt name, if one is close.
pub fn closest(name: &str, candidates: impl IntoIterator<Item = impl AsRef<str>>) -> Option<String> {
    let candidates: Vec<_> = candidates.into_iter().collect();
    let few = candidates.len() <= 3;
    let limit = (name.chars().count() / 3).max(1);
    let mut best: Option<(usize, String)> = None;
    for candidate in &candidates {
        let candidate = candidate.as_ref();
        let mut distance = slips(name, candidate);
        if name.eq_ignore_ascii_case(candidate) {
            distance = distance.min(1);
        }
        let better = best
            .as_ref()
            .is_none_or(|(d, text)| distance < *d || (distance == *d && candidate < text.as_str()));
        // A word in which every letter is another one is no misspelling, unless there is hardly a choice.
        let alike = few || distance < name.chars().count().max(candidate.chars().count());
        if candidate != name && distance <= limit && alike && better {
            best = Some((distance, candidate.to_string()));
        }
    }
    best.map(|(_, text)| text)
}

fn suggest(d: Diagnostic, name: Name, known: &[Name]) -> Diagnostic {
    match closest(name.as_str(), known.iter().map(|n| n.as_str())) {
        Some(best) => d.help(format!("did you mean `{best}`?")),
        None => d,
    }
}

/// Could one of the known names have been meant?
pub fn resembles(name: Name, known: &[Name]) -> bool {
    closest(name.as_str(), known.iter().map(|n| n.as_str())).is_some()
}

pub fn wrong_file_name(expected: Name, found: Name, span: Span) -> Diagnostic {
    Diagnostic::error(
        "file-name-mismatch",
        format!("this file must define `{expected}`, but defines `{found}`"),
    )
    .at(span)
    .help(format!("rename the class to `{expected}` or the file to `{found}.mo`"))
}

/// A mistake of ours: something was not understood, and nobody said why.
pub fn unexplained(span: Span) -> Diagnostic {
    Diagnostic::error("not-understood", "Kairos does not understand this, and cannot say why")
        .at(span)
        .help("this is a mistake in Kairos; please report it with the model")
}

pub fn version_not_found(
    library: Name,
    wanted: &str,
    have: &str,
    place: Span,
    converts: bool,
    others: &[String],
) -> Diagnostic {
    let text = format!("version {wanted} of `{library}` is asked for; version {have} is used");
    let install = format!("install {wanted} with `kairos install {library}@{wanted}`");
    let d = Diagnostic::warning("library-version", text).at(place);
    let d = match others {
        [] => d,
        list => d.note(format!("versions that are there: {}", list.join(", "))),
    };
    match converts {
        true => d.help(format!("`kairos convert` brings models from {wanted} to {have}; or {install}")),
        false => d.help(format!("{install}, or change the `uses` annotation")),
    }
}

pub fn version_conflict(library: Name, first: &str, second: &str, place: Span, earlier: Span) -> Diagnostic {
    let text = format!("versions {first} and {second} of `{library}` are asked for; {first} is used");
    Diagnostic::warning("library-version", text)
        .label(place, format!("asks for {second}"))
        .label(earlier, format!("asks for {first}"))
        .help("only one version of a library can be in use: change one of the `uses` annotations")
}

pub fn unknown_class(name: Name, span: Span, known: &[Name]) -> Diagnostic {
    let d = Diagnostic::error("unknown-class", format!("no class `{name}` can be found from here")).at(span);
    let d = suggest(d, name, known);
    if d.help.is_empty() {
        d.help("check the spelling, import it, or give its library with `--lib`")
    } else {
        d
    }
}

/// The code of a library that no folder has.
pub const MISSING_LIBRARY: &str = "missing-library";

/// The first name of a dotted one is that of no library.
pub fn missing_library(name: Name, span: Span) -> Diagnostic {
    Diagnostic::error(MISSING_LIBRARY, format!("there is no library `{name}`"))
        .at(span)
        .help(format!(
            "give the folder that holds it with `--lib DIR`, or install it once with `kairos install {name}`"
        ))
        .help(format!("a short name of a package is imported: `import {name} = Library.Package;`"))
}

/// What the names that other languages and libraries have built in are in Modelica.
fn elsewhere(name: &str) -> Option<&'static str> {
    Some(match name {
        "pi" | "PI" => {
            "declare it: `constant Real pi = 2*asin(1);`, or import it from a library of constants"
        }
        "e" => "write `exp(1)`",
        "eps" | "inf" | "small" => "it is not built in: declare it, or import it from a library of constants",
        "t" => "the time is called `time`",
        "ln" => "the natural logarithm is called `log`, the decimal one `log10`",
        "pow" | "power" => "write `x^y`",
        "sqr" | "square" => "write `x^2`",
        "fabs" => "write `abs(x)`",
        "arcsin" | "arccos" | "arctan" => "the inverse functions are called `asin`, `acos`, `atan`",
        "arctan2" => "it is called `atan2`",
        "sgn" | "signum" => "it is called `sign`",
        "mean" | "average" => "write `sum(x)/size(x, 1)`",
        "length" | "len" | "numel" => "write `size(x, 1)`",
        "round" => "write `integer(x + 0.5)`",
        "dot" => "the scalar product of two vectors is `a*b`",
        "diff" | "ddt" | "dt" => "the derivative by time is `der(x)`",
        "true_" | "True" | "TRUE" => "write `true`",
        "False" | "FALSE" => "write `false`",
        _ => return None,
    })
}

pub fn unknown_member(name: Name, inside: &str, span: Span, known: &[Name]) -> Diagnostic {
    let d = Diagnostic::error("unknown-member", format!("`{inside}` has no element `{name}`")).at(span);
    let d = suggest(d, name, known);
    if d.help.is_empty() { d.help(format!("see what `{inside}` declares")) } else { d }
}

pub fn unknown_name(name: Name, span: Span, known: &[Name]) -> Diagnostic {
    let d =
        Diagnostic::error("unknown-name", format!("no variable `{name}` can be found from here")).at(span);
    let d = suggest(d, name, known);
    let d = elsewhere(name.as_str()).into_iter().fold(d, Diagnostic::help);
    if d.help.is_empty() { d.help(format!("declare `{name}` or correct the name")) } else { d }
}

pub fn unknown_function(name: &str, span: Span, known: &[Name]) -> Diagnostic {
    let d = Diagnostic::error("unknown-function", format!("no function `{name}` can be found from here"))
        .at(span);
    let d = suggest(d, Name::new(name), known);
    let d = elsewhere(name).into_iter().fold(d, Diagnostic::help);
    if d.help.is_empty() { d.help("check the spelling, or import the function") } else { d }
}

pub fn missing_each(span: Span) -> Diagnostic {
    Diagnostic::warning("missing-each", "this value is one, and the components are several: all get the same")
        .at(span)
        .help("write `each` before it, or give an array with a value for every component")
}

pub fn shadowed_name(name: Name, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::warning("shadowed-name", format!("the iterator `{name}` hides the component `{name}`"))
        .label(span, format!("`{name}` is the iterator from here to the end of the loop"))
        .label(declared, "the component")
        .help("give one of them another name")
}

pub fn not_a_class(name: Name, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::error("not-a-class", format!("`{name}` is a component, where a class is needed"))
        .label(span, "used as a class")
        .label(declared, "declared here")
        .help("name a class instead")
}

/// The code of a cycle of extends clauses.
pub const CYCLIC: &str = "cyclic-inheritance";

pub fn cyclic_inheritance(name: Name, span: Span) -> Diagnostic {
    Diagnostic::error(CYCLIC, format!("`{name}` inherits from itself"))
        .at(span)
        .help("remove one of the extends clauses in the cycle")
}

pub fn cyclic_components(name: Name, span: Span) -> Diagnostic {
    Diagnostic::error("cyclic-components", format!("`{name}` contains itself as a component"))
        .at(span)
        .help("a component's class may not contain a component of the same class")
}

/// Too many levels of something, none of which is the same as another.
pub fn too_deep(what: &str, limit: usize, span: Span) -> Diagnostic {
    Diagnostic::error("nesting-too-deep", format!("{what} more than {limit} levels deep"))
        .at(span)
        .help("leave levels out that add nothing")
}

pub fn implied_ranges_differ(name: Name, first: Span, second: Span) -> Diagnostic {
    Diagnostic::error("implicit-range", format!("`{name}` subscripts dimensions of different sizes"))
        .label(second, "one size here")
        .label(first, "another here")
        .help(format!("write the range: `{name} in 1:n`"))
}

fn two_places(
    code: &'static str,
    text: String,
    here: (Span, &str),
    there: (Span, &str),
    help: &str,
) -> Diagnostic {
    Diagnostic::error(code, text).label(here.0, here.1).label(there.0, there.1).help(help)
}

pub fn prefix_conflict(word: &str, name: Name, span: Span, whole: Span) -> Diagnostic {
    let text = format!("`{name}` has the prefix {word}, and so has the component around it");
    let help = "remove one of the prefixes";
    two_places(
        "prefix-conflict",
        text,
        (span, "part with the prefix"),
        (whole, "whole with the prefix"),
        help,
    )
}

pub fn outer_type(name: Name, span: Span, inner: Span) -> Diagnostic {
    let text = format!("the outer `{name}` and the inner one differ in type or size");
    let help = "give both the same type";
    two_places("outer-type", text, (span, "outer"), (inner, "inner"), help)
}

pub fn constant_redeclared(name: Name, span: Span, declared: Span) -> Diagnostic {
    let text = format!("the constant `{name}` cannot be redeclared");
    two_places(
        "constant-redeclared",
        text,
        (span, "redeclared here"),
        (declared, "declared here"),
        "modify its value",
    )
}

pub fn visibility_changed(name: Name, word: &str, span: Span, declared: Span) -> Diagnostic {
    let text = format!("`{name}` is {word} and must stay so when it is redeclared");
    let help = format!("move the redeclaration to a {word} section");
    two_places("visibility-changed", text, (span, "redeclared here"), (declared, "declared here"), &help)
}

pub fn bus_without_source(name: Name, span: Span) -> Diagnostic {
    Diagnostic::error(
        "bus-without-source",
        format!("only inputs are connected to the member `{name}` of an expandable connector: nothing gives its value"),
    )
    .at(span)
    .help("connect an output to the member as well")
}

pub fn when_in_part(part: Name, class: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "when-left-side",
        format!("a when-equation cannot determine a variable inside of `{part}`: `{class}` does so itself"),
    )
    .at(span)
    .help("assign a variable here, and connect it or bind an input of the component to it")
}

pub fn not_a_subtype(name: Name, path: &str, wanted: &str, missing: Name, span: Span) -> Diagnostic {
    Diagnostic::error(
        "not-a-subtype",
        format!("`{name}` must be a `{wanted}`, but `{path}` has no fitting `{missing}`"),
    )
    .at(span)
    .help(format!("use a class that has everything that `{wanted}` has, or change the constraining class"))
}

pub fn inherited_base(name: Name, span: Span, place: Span) -> Diagnostic {
    let text = format!("`{name}` is itself inherited, so it cannot be a base class here");
    let help = "name the base class by its full name";
    two_places("inherited-base", text, (span, "used as a base class"), (place, "inherited from here"), help)
}

pub fn replaceable_base(name: Name, span: Span, place: Span) -> Diagnostic {
    let text = format!("`{name}` is replaceable, so it cannot be a base class");
    two_places(
        "replaceable-base",
        text,
        (span, "used as a base class"),
        (place, "declared here"),
        "remove `replaceable`",
    )
}

pub fn ambiguous_import(name: Name, span: Span, first: Span) -> Diagnostic {
    let text = format!("two imports give a meaning to `{name}`");
    two_places(
        "ambiguous-import",
        text,
        (span, "imported from here"),
        (first, "and from here"),
        "import the one that is meant by its name",
    )
}

pub fn input_assigned(name: Name, span: Span, declared: Span) -> Diagnostic {
    let text = format!("the input `{name}` cannot be assigned");
    two_places(
        "input-assigned",
        text,
        (span, "assigned here"),
        (declared, "declared here"),
        "assign a protected copy",
    )
}

pub fn duplicate_element(name: Name, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-element", format!("`{name}` is declared twice"))
        .label(span, "declared again")
        .label(first, "first declared here")
        .help("rename or remove one of the two")
}

pub fn final_modified(new: Span, old: Span) -> Diagnostic {
    Diagnostic::error("final-modified", "a final element cannot be modified")
        .label(new, "modified here")
        .label(old, "made final here")
        .help("remove the modification, or the prefix `final`")
}

pub fn modified_twice(name: Name, new: Span, old: Span) -> Diagnostic {
    Diagnostic::error("modified-twice", format!("`{name}` is modified twice in the same argument list"))
        .label(new, "second modification")
        .label(old, "first modification")
        .help("join the two modifications")
}

pub fn nothing_to_redeclare(name: Name, span: Span) -> Diagnostic {
    Diagnostic::error("nothing-to-redeclare", format!("there is no inherited element `{name}` to redeclare"))
        .at(span)
        .help("remove `redeclare`, or inherit the element first")
}

pub fn constraint_rank(name: Name, wanted: &str, span: Span) -> Diagnostic {
    let text = format!("`{name}` must be a `{wanted}`, but has another number of dimensions");
    Diagnostic::error("not-a-subtype", text)
        .at(span)
        .help("dimensions written with the element are added to those of the constraining type: leave them out there")
}

pub fn bus_value(name: Name, span: Span) -> Diagnostic {
    let text = format!(
        "`{name}` of an expandable connector is there only if it is connected, and gets no value here"
    );
    Diagnostic::error("bus-value", text).at(span).help("connect a source to it instead")
}

pub fn kept_replaceable(name: Name, span: Span, declared: Span) -> Diagnostic {
    let text = format!("`{name}` is redeclared, but an earlier redeclaration left out `replaceable`");
    Diagnostic::warning("not-replaceable", text)
        .label(span, "redeclared here")
        .label(declared, "no longer replaceable from here on (MLS 7.3)")
        .help("write `redeclare replaceable` in the earlier redeclaration")
}

pub fn not_replaceable(name: Name, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::error("not-replaceable", format!("`{name}` is redeclared, but is not replaceable"))
        .label(span, "redeclared here")
        .label(declared, "declared here without `replaceable`")
        .help("declare it `replaceable`, or modify it instead")
}

pub fn protected_access(name: Name, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::error("protected-access", format!("`{name}` is protected"))
        .label(span, "used from outside")
        .label(declared, "declared here")
        .help("make it public, or use a public element")
}

pub fn no_such_model(dotted: &str, known: &[String]) -> Diagnostic {
    let d = Diagnostic::error("no-such-model", format!("there is no class `{dotted}`"));
    match closest(dotted, known) {
        Some(best) => d.help(format!("did you mean `{best}`?")),
        None => d.help("check the name, or give the library's folder with `--lib`"),
    }
}

pub fn not_a_model(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("not-a-model", format!("`{name}` is neither a model nor a block"))
        .at(span)
        .help("name a model or block")
}

pub fn partial_model(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("partial-class", format!("`{name}` is partial and cannot be simulated"))
        .at(span)
        .help("extend it in a model that completes it")
}

pub fn partial_package(name: Name, class: &str, span: Span) -> Diagnostic {
    Diagnostic::error("partial-class", format!("`{name}` is an element of the partial package `{class}`"))
        .at(span)
        .help("use a package that extends the partial one (MLS 5.3.2)")
}

pub fn partial_component(name: Name, class: &str, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::error("partial-class", format!("component `{name}` is of the partial class `{class}`"))
        .label(span, "used for a component")
        .label(declared, "declared partial")
        .help("use a class that extends it, or redeclare the component")
}

pub fn component_of_package(name: Name, class: &str, span: Span) -> Diagnostic {
    Diagnostic::error("wrong-class-kind", format!("component `{name}` cannot be of `{class}`"))
        .at(span)
        .help("only models, blocks, connectors, records and types have components")
}

macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty),*) $code:literal $text:expr, $help:expr;)*) => {
        $($(#[$doc])*
        pub fn $name($($arg: $ty,)* span: Span) -> Diagnostic {
            Diagnostic::error($code, format!($text)).at(span).help(format!($help))
        })*
    };
}

messages! {
    bad_size(found: &str) "bad-array-size" "{found} is not an array size", "give a whole number of zero or more";
    unknown_size(name: Name) "unknown-array-size" "the size of `{name}` is given neither by a number nor by a value",
        "write the size instead of `:`, or bind `{name}` to an array";
    sample_as_condition() "not-boolean" "`sample` with one argument samples a value, and is no condition",
        "an event at regular times is `sample(start, interval)`, for example `sample(0, 0.1)`";
    not_boolean() "not-boolean" "a condition must be Boolean", "compare with a relation such as `> 0`";
    evaluation_failed(what: &str, message: &str) "evaluation-failed" "{what} cannot be computed: {message}",
        "correct the expression or the parameters that it uses";
    not_constant(what: &str) "not-constant" "{what} must be known before the simulation starts",
        "use only constants and parameters here";
    tuple_here() "tuple-not-allowed" "several values in parentheses are allowed only on the left of `=` or `:=`",
        "take one value";
    end_outside() "end-outside-subscript" "`end` has a meaning only inside subscripts", "write the index";
    implicit_range(name: Name) "implicit-range" "nothing in this loop tells the range of `{name}`",
        "write `{name} in 1:n`, or use `{name}` itself as the subscript of an array";
    array_expected(name: &str, ty: &str) "array-expected" "`{name}` needs an array, not {ty}", "check the argument";
    dimension_expected(ty: &str) "dimension-expected" "the dimension in `size` must be an Integer, not {ty}",
        "count the dimensions from 1";
    no_such_dimension(rank: usize) "no-such-dimension" "the array has dimensions 1 to {rank} only", "correct the dimension";
    not_a_vector() "not-a-vector" "a loop runs over a vector", "write a range such as `1:n`";
    no_parts(name: Name) "no-parts" "there is no part `{name}`: this is not a record", "remove the part";
    class_as_value(name: Name) "class-as-value" "`{name}` is a class, where a value is needed",
        "name a variable or call the class";
    disabled_use(path: &str) "disabled-component" "`{path}` is conditional, and absent here",
        "use it only in connect, or make its condition true";
    too_many_subscripts(found: usize, rank: usize) "too-many-subscripts"
        "{found} subscripts on something with {rank} dimensions", "remove subscripts";
    bad_subscript(message: &str) "bad-subscript" "{message}", "correct the subscript or the size";
    subscript_type() "subscript-type" "a subscript must be an Integer, Boolean or enumeration", "convert it with `integer`";
    operator_type(op: &str, ty: &str) "operator-type" "`{op}` cannot be applied to {ty}", "check the operand";
    range_type() "range-type" "a range needs numbers, or two literals of one enumeration", "check start, step and stop";
    no_dimension_to_join(along: usize, ty: &str) "array-items-differ" "`cat({along}, …)` joins arrays along dimension {along}, and this is {ty}",
        "the first argument is the dimension; single values are joined by `{{a, b}}`";
    nothing_to_join() "empty-array" "there is nothing to join", "give at least one array, or write `fill(0.0, 0)`";
    items_differ(a: &str, b: &str) "array-items-differ" "the items of an array must have one type, not {a} and {b}",
        "make their types and sizes equal";
    branches_differ(a: &str, b: &str) "branches-differ" "the branches have types {a} and {b}",
        "make both branches the same type and size";
    real_equality(op: &str) "real-equality" "`{op}` is not allowed between Real values",
        "compare with a tolerance, for example `abs(a - b) < eps`";
    no_overload(op: &str, types: &str) "no-overload" "no operator {op} is defined for {types}",
        "define the operator in the record, or convert the operands";
    function_component() "function-component" "a function can have only variables and records",
        "use a type, a record or a function type";
    no_body(name: &str) "function-without-body" "the function `{name}` has neither an algorithm nor an external call",
        "add an algorithm section, or redeclare the partial function";
    not_a_function(name: &str) "not-a-function" "`{name}` is not a function", "an element of an array is written with square brackets, `{name}[2]`; a product with `*`";
    partial_function(name: &str) "partial-function" "`{name}` is partial and cannot be called",
        "redeclare it as a complete function";
    iterated_call() "iterated-call" "only `sum`, `product`, `min`, `max` and `array` take an iterator", "use `{{f(i) for i in 1:n}}`";
    too_many_arguments(name: Name, found: usize, wanted: usize) "too-many-arguments"
        "`{name}` takes {wanted} arguments, not {found}", "remove arguments";
    argument_twice(name: Name) "argument-twice" "the argument `{name}` is given twice", "remove one";
    argument_type(name: Name, function: Name, want: &str, have: &str) "argument-type"
        "the argument `{name}` of `{function}` must be {want}, not {have}", "check type and size";
    too_many_results(found: usize, wanted: usize) "too-many-results" "{found} values are asked for, and the call gives {wanted}",
        "leave out what it does not give";
    operator_in_algorithm(name: &str) "operator-in-algorithm" "`{name}` cannot stand in an algorithm", "write an equation";
    missing_argument(name: Name, function: Name) "missing-argument" "`{function}` needs a value for `{name}`",
        "add the argument";
    named_functional(name: Name) "named-functional-argument" "`{name}` is called by position only", "drop the names";
    number_expected(name: &str, ty: &str) "number-expected" "`{name}` needs numbers, not {ty}", "check the argument";
    rank_expected(name: &str, rank: usize, ty: &str) "rank-expected" "`{name}` needs an array with {rank} dimensions, not {ty}",
        "check the argument";
    empty_record_sum() "empty-record-sum" "a sum of no records has no value", "make the range non-empty";
    when_in_initial() "when-in-initial" "a when-equation cannot be initial", "write the equations without `when`";
    when_in_function() "when-in-function" "a function cannot contain `when`", "move it to an algorithm section of a model";
    equation_types(a: &str, b: &str) "equation-types" "the two sides of this equation are {a} and {b}",
        "make the sides the same type and size";
    assignment_types(a: &str, b: &str) "assignment-types" "a value of type {b} cannot be assigned to {a}", "convert the value";
    not_a_call() "not-a-call" "only a call can stand alone here", "write an equation `a = b`";
    base_kind(name: Name, own: &str, base: &str, from: &str) "base-kind"
        "the {own} `{name}` cannot inherit from the {from} `{base}`", "inherit from a {own}";
    misplaced_section(what: &str, word: &str) "class-restriction" "a {word} cannot contain {what}",
        "move them to another kind of class";
    reserved_name(name: Name) "reserved-name" "`{name}` is a predefined type and cannot be declared", "choose another name";
    binding_type(path: &str, want: &str, have: &str) "binding-type" "the value of `{path}` must be {want}, not {have}",
        "convert the value, or change the type";
    too_variable(path: &str, word: &str, name: &str) "too-variable"
        "the value of the {word} `{path}` depends on `{name}`, which varies more", "remove `{word}`, or use another value";
    ambiguous_constructor(path: &str) "ambiguous-constructor" "several constructors of `{path}` match these arguments",
        "give the constructors inputs of different types or names";
    constructor_outputs(name: Name, count: usize) "constructor-outputs" "the constructor `{name}` has {count} outputs",
        "declare one output, the record";
    conditional_use(path: &str) "conditional-use" "`{path}` is conditional and can be used only in connect",
        "make it unconditional, or connect it";
    not_a_value() "not-a-value" "an equation holds between values, not between whole components",
        "refer to variables of the components, or use `connect`";
    constant_assigned(name: &str) "not-assignable" "`{name}` is a constant, whose value cannot be assigned",
        "remove `constant`, or assign another variable";
    not_assignable() "not-assignable" "this cannot be assigned", "assign a variable";
    prefix_on_model(path: &str) "prefix-on-model" "`{path}` is a model or block, which takes no type prefix",
        "remove the prefix, or use a type, record or connector";
    flow_type(name: Name) "flow-type" "the flow variable `{name}` must be Real", "make it Real, or remove `flow`";
    flow_operator(path: &str, operator: &str) "flow-type" "flows of `{path}` cannot be added up: it has no operator {operator}",
        "define the operators '+', '-' and '0' in the record";
    outer_modified(name: Name) "outer-modified" "the outer component `{name}` cannot be modified",
        "modify the inner component instead";
    undirected(path: &str) "class-restriction" "`{path}` is part of a connector of a block, and neither input nor output",
        "give it a direction, or make the block a model";
    attribute_as_literal(name: Name) "reserved-name" "`{name}` is an attribute of enumerations and cannot be a literal",
        "choose another name";
    simple_base(name: Name) "simple-base" "`{name}` inherits an array or a class with a type prefix, and more besides",
        "inherit the array or prefixed class alone, or declare a component of it";
    inside_of_class(name: Name, path: &str) "inside-of-class" "`{name}` is part of `{path}`, which is not a package",
        "make `{name}` encapsulated, or move it to a package";
    operator_record_extended(path: &str) "operator-record-extended" "the operator record `{path}` cannot be extended",
        "derive from it with a short definition: `operator record A = B(…)`";
    undirected_public(name: Name) "class-restriction" "`{name}` is a public component of a function, and neither input nor output",
        "make it input, output or protected";
    not_differentiable(name: Name) "not-differentiable" "`{name}` cannot be differentiated", "use a function of assignments";
    reinit_parameter(path: &str) "reinit-target" "`{path}` does not change in a simulation and cannot be reinitialised",
        "name a state";
    constant_without_value(path: &str) "constant-without-value" "the constant `{path}` has no value", "give it a value";
    discrete_bound(path: &str) "discrete-binding" "the discrete variable `{path}` can be determined only in `when`",
        "move the equation into a when-equation, or remove `discrete`";
    import_from_non_package(path: &str) "import-from-non-package" "`{path}` is not a package, so nothing can be imported from it",
        "import from a package";
    time_outside_model() "time-outside-model" "`time` is known in models and blocks only", "pass it as an argument or modifier";
    operator_in_function(name: &str) "operator-in-function" "`{name}` cannot be used in a function, which knows no time and no events",
        "use it in the model, and pass its value to the function as an argument";
    delay_too_long(time: &str, most: &str) "delay-too-long" "a delay of {time} is longer than the longest one, {most}",
        "raise the third argument";
    derivative_of_discrete(path: &str) "derivative-of-discrete" "the discrete variable `{path}` has no derivative",
        "remove `discrete`";
    call_through(path: &str) "function-via-component" "no function can be called through `{path}`",
        "call it by the name of its class; the component must be single and unconditional";
    index_type() "subscript-type" "this dimension is declared with an enumeration or Boolean", "use one of its values as subscript";
    nested_when() "nested-when" "`when` cannot stand inside `when`", "join the conditions";
    break_outside() "break-outside-loop" "`break` ends a loop, and there is none around it", "remove it";
    return_outside() "return-outside-function" "`return` ends a function, and this is none", "use `if` instead";
    not_a_state() "not-a-state" "a state of a state machine is a block or model component", "name such a component";
    connect_arguments() "connect-arguments" "connect needs two connectors by name", "write `connect(a.p, b.n)`";
    connect_sizes(a: &str, b: &str) "connect-sizes" "connect of arrays of sizes {a} and {b}", "make the sizes equal";
    bus_member_unknown() "bus-member-unknown" "nothing tells the type of this member of an expandable connector",
        "connect it to a declared connector somewhere";
    bus_array_member() "bus-array-member" "an array member of an expandable connector must be declared",
        "declare the array in the expandable connector";
}

pub fn enclosing_variable(name: Name, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::error("enclosing-variable", format!("`{name}` of an enclosing class is not a constant"))
        .label(span, "used here")
        .label(declared, "declared here")
        .help("make it a constant, or pass it as a parameter")
}

pub fn not_a_package_constant(name: Name, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::error("not-a-constant", format!("`{name}` is used through its class, but is not a constant"))
        .label(span, "used here")
        .label(declared, "declared here")
        .help("declare it `constant`, or refer to a component")
}

pub fn unknown_argument(name: Name, function: Name, span: Span, known: &[Name]) -> Diagnostic {
    let d = Diagnostic::error("unknown-argument", format!("`{function}` has no input `{name}`")).at(span);
    let d = suggest(d, name, known);
    if d.help.is_empty() { d.help("check the names of the inputs") } else { d }
}

pub fn unknown_modified(name: Name, class: &str, span: Span, known: &[Name]) -> Diagnostic {
    let d = Diagnostic::error("unknown-modified", format!("`{class}` has no element `{name}` to modify"))
        .at(span);
    let d = suggest(d, name, known);
    if d.help.is_empty() { d.help(format!("see what `{class}` declares")) } else { d }
}

pub fn output_without_value(output: Name, function: Name, span: Span) -> Diagnostic {
    let text = format!("the output `{output}` of `{function}` never gets a value");
    Diagnostic::warning("unassigned-output", text)
        .at(span)
        .help(format!("assign it in the algorithm: `{output} := …;`"))
}

pub fn unknown_setting(name: Name, span: Span, known: &[Name]) -> Diagnostic {
    let text = format!("`experiment` has no setting `{name}`; it has no effect");
    let d = suggest(Diagnostic::warning("unknown-setting", text).at(span), name, known);
    if d.help.is_empty() { d.help("it knows `StartTime`, `StopTime`, `Interval` and `Tolerance`") } else { d }
}

pub fn missing_inner(name: Name, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "missing-inner",
        format!("there is no inner `{name}`; a default one is added at the top"),
    )
    .at(span)
    .help(format!("add `inner … {name};` to the model"))
}

pub fn graph_argument(operator: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "graph-argument",
        format!("the argument of `{operator}` must name one connector or part of one"),
    )
    .at(span)
    .help("give a component reference such as `frame_a.R`")
}

pub fn branch_cycle(span: Span) -> Diagnostic {
    Diagnostic::error("branch-cycle", "this branch closes a loop of branches in a connection graph")
        .at(span)
        .help("remove one `Connections.branch`, or replace it by `connect`")
}

pub fn two_roots(path: &str, span: Span) -> Diagnostic {
    Diagnostic::error("two-roots", format!("`{path}` is joined to another definite root by branches alone"))
        .at(span)
        .help("make one of them a potential root, or join them by `connect`")
}

pub fn root_not_unique(first: &str, second: &str, span: Span) -> Diagnostic {
    let text = format!("this connection joins the trees of the definite roots `{first}` and `{second}`");
    Diagnostic::error("root-not-unique", text)
        .at(span)
        .help("remove the connection: `Connections.uniqueRoot` says that a root is the only one of its graph")
}

pub fn no_root(path: &str, span: Span) -> Diagnostic {
    Diagnostic::error("no-root", format!("the connection graph with `{path}` has no root"))
        .at(span)
        .help("connect it to a component that declares `Connections.root` or `Connections.potentialRoot`")
}

pub fn residue_size(span: Span) -> Diagnostic {
    Diagnostic::error("residue-size", "`equalityConstraint` must have one output, a vector of known size")
        .at(span)
        .help("declare `output Real residue[n]` with a constant `n`")
}

pub fn misplaced_connection(place: &str, span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-connection", format!("a connection cannot stand in {place}"))
        .at(span)
        .help("move it out, or make the condition depend on constants and parameters only")
}

pub fn not_a_connector(path: &str, span: Span) -> Diagnostic {
    Diagnostic::error("not-a-connector", format!("`{path}` is not a connector"))
        .at(span)
        .help("connect connectors of this class, or of its direct components")
}

pub fn operands(op: &str, a: &str, b: &str, span: Span) -> Diagnostic {
    let boolean = [a, b].iter().any(|ty| ty.starts_with("Boolean"));
    let help = match boolean {
        true => "a Boolean is no number: write `if b then 1 else 0`",
        false => "check types and sizes; `.*`, `./` and `.+` act element by element",
    };
    Diagnostic::error("operand-types", format!("`{op}` cannot combine {a} and {b}")).at(span).help(help)
}

pub fn argument_count(name: &str, found: usize, min: usize, max: usize, span: Span) -> Diagnostic {
    let range = match max {
        usize::MAX => format!("at least {min}"),
        max if max == min => min.to_string(),
        max => format!("{min} to {max}"),
    };
    let noun = if max == 1 { "argument" } else { "arguments" };
    let help = match found > max {
        true => "remove what is too much, or call another function",
        false => "give the missing arguments in brackets after the name",
    };
    Diagnostic::error("argument-count", format!("`{name}` takes {range} {noun}, not {found}"))
        .at(span)
        .help(help)
}

pub fn too_large(what: &str, most: usize, of: &str, span: Span) -> Diagnostic {
    Diagnostic::error("too-large", format!("{what} has more than {most} {of}"))
        .at(span)
        .help("check the sizes; a model of this size cannot be compiled")
}

pub fn too_much_text(path: &str, bytes: usize) -> Diagnostic {
    let (have, most) = (bytes >> 20, kairos_base::limits::TEXT >> 20);
    Diagnostic::error("too-large", format!("with `{path}` there are {have} MB of text, more than {most} MB"))
        .help("put data into files that functions read (`Modelica.Utilities.Streams.readRealMatrix`, tables)")
}
