//! Habits that are allowed but seldom meant: looked for in the file that the user gave, never in libraries.
//!
//! An element counts as unused if nothing in the flat model reads it and its name stands nowhere else in the file: a condition that
//! parameters decide may leave out the equation that reads it, and then the model is still right.

use kairos_base::hash::{HashMap, HashSet};
use kairos_base::{Diagnostic, FileId, SourceMap, Span};
use kairos_expr::{Builtin, Node, Scalar, VarId};
use kairos_model::{Equation, EquationKind, ScalarModel, Variability};

/// Looks through a flat model for elements of `file` that nothing uses.
pub fn habits(model: &ScalarModel, sources: &SourceMap, file: FileId) -> Vec<Diagnostic> {
    let used = read_somewhere(model);
    let mut places: Vec<(Span, &str, bool)> = Vec::new();
    let mut known: HashMap<Span, usize> = HashMap::default();
    for (k, var) in model.vars.iter().enumerate() {
        let parameter = var.variability == Variability::Parameter;
        if var.span.file != file || !(parameter || var.protected) {
            continue;
        }
        let is_used = used.contains(&VarId::new(k)) || parameter && (var.structural || var.is_final);
        let at = *known.entry(var.span).or_insert_with(|| {
            places.push((var.span, if parameter { "parameter" } else { "protected variable" }, false));
            places.len() - 1
        });
        places[at].2 |= is_used;
    }
    if places.iter().all(|place| place.2) {
        return Vec::new();
    }
    let text = sources.text(file);
    let words = count_words(&text);
    let idle = |(span, _, used): &&(Span, &str, bool)| {
        !used && words.get(sources.slice(*span)).is_some_and(|count| *count == 1)
    };
    let told = |(span, what, _): &(Span, &str, bool)| {
        let name = sources.slice(*span);
        Diagnostic::warning("unused-element", format!("nothing uses the {what} `{name}`"))
            .at(*span)
            .help("remove it, or use it where it was meant to stand")
    };
    places.iter().filter(idle).map(told).collect()
}

/// How often each word stands in a text, comments and strings left out.
fn count_words(text: &str) -> HashMap<&str, u32> {
    let bytes = text.as_bytes();
    let mut words = HashMap::default();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let skipped = match bytes[at] {
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'"' => string_length(rest),
            c if c.is_ascii_alphabetic() || c == b'_' => {
                let word = |c: &u8| !(c.is_ascii_alphanumeric() || *c == b'_');
                let length = bytes[at..].iter().position(word).unwrap_or(rest.len());
                *words.entry(&rest[..length]).or_insert(0) += 1;
                length
            }
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        at += skipped;
    }
    words
}

fn string_length(text: &str) -> usize {
    let mut escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Variables in any expression of the model, other than as the left side that defines them.
fn read_somewhere(model: &ScalarModel) -> HashSet<VarId> {
    let mut roots = Vec::new();
    let own = |e: kairos_expr::ExprId| match model.store.node(e) {
        Node::Var(v) => Some(*v),
        _ => None,
    };
    for equation in model.equations.iter().chain(&model.initial_equations) {
        match &equation.kind {
            // A declaration's own value: `protected Real z = time`.
            EquationKind::Equal(l, r)
                if own(*l).is_some_and(|v| model.vars[v.index()].span == equation.origin.span) =>
            {
                roots.push(*r);
            }
            _ => {
                let mut copy: Equation = equation.clone();
                copy.visit_exprs_mut(&mut |e| roots.push(*e));
            }
        }
    }
    for var in &model.vars {
        let mut copy = var.clone();
        copy.visit_exprs_mut(&mut |e| roots.push(*e));
    }
    for clock in &model.clocks {
        let mut copy = clock.clone();
        copy.visit_exprs_mut(&mut |e| roots.push(*e));
    }
    model.store.variables(&roots).into_iter().collect()
}

/// Variables that a when-equation sets although their derivatives say how they move: `reinit` was meant.
pub(crate) fn states_in_when(model: &ScalarModel) -> Vec<Diagnostic> {
    let set: HashMap<VarId, Span> = (model.equations.iter())
        .filter_map(|equation| match &equation.kind {
            EquationKind::WhenAssign { var, .. } => Some((*var, equation.origin.span)),
            _ => None,
        })
        .collect();
    let mut found: HashMap<VarId, Diagnostic> = HashMap::default();
    if set.is_empty() {
        return Vec::new();
    }
    let mut seen = vec![false; model.store.len()];
    for equation in model.equations.iter().filter(|equation| equation.clock.is_none()) {
        let EquationKind::Equal(l, r) = &equation.kind else { continue };
        let mut todo = vec![*l, *r];
        while let Some(e) = todo.pop() {
            if std::mem::replace(&mut seen[e.index()], true) {
                continue;
            }
            if let Node::Builtin(Builtin::Der, arguments) = model.store.node(e)
                && let Some(&argument) = arguments.first()
                && let Node::Var(v) = model.store.node(argument)
                && let Some(&place) = set.get(v)
            {
                let name = &model.vars[v.index()].name;
                let told = crate::diagnostics::state_in_when(name, place, equation.origin.span);
                found.entry(*v).or_insert(told);
            }
            model.store.children(e, |c| todo.push(c));
        }
    }
    let mut found: Vec<(VarId, Diagnostic)> = found.into_iter().collect();
    found.sort_by_key(|(v, _)| *v);
    found.into_iter().map(|(_, told)| told).collect()
}

/// MLS 3.7.5: outside of when-clauses `pre` takes variables that change at events only.
pub(crate) fn pre_of_continuous(model: &ScalarModel) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut seen = vec![false; model.store.len()];
    for equation in model.equations.iter().filter(|equation| equation.clock.is_none()) {
        let EquationKind::Equal(l, r) = &equation.kind else { continue };
        let mut todo = vec![*l, *r];
        while let Some(e) = todo.pop() {
            if std::mem::replace(&mut seen[e.index()], true) {
                continue;
            }
            if let Node::Builtin(Builtin::Pre, arguments) = model.store.node(e)
                && let Some(&argument) = arguments.first()
                && let Node::Var(v) = model.store.node(argument)
            {
                let var = &model.vars[v.index()];
                let varies = var.variability == Variability::Continuous && var.ty == Scalar::Real;
                if varies && var.clock.is_none() {
                    found.push(crate::diagnostics::pre_of_continuous(
                        &var.name,
                        equation.origin.span,
                        var.span,
                    ));
                }
            }
            model.store.children(e, |c| todo.push(c));
        }
    }
    found
}
