//! Macros in texts of icons: `%name`, `%class`, `%par`, `%{a.b}` and `%%` (MLS 18.6.5.5).

use kairos_sema::{CompId, Sema};
use kairos_syntax::ast::{Expr, ExprKind};
use kairos_syntax::expr_to_string;

/// Who a text is about.
#[derive(Clone, Copy)]
pub struct Subject<'t> {
    /// The component whose icon it is, or the class itself as a component without a name.
    pub comp: CompId,
    pub name: &'t str,
    pub class: &'t str,
}

/// The text with its macros replaced; what a macro names that is not there stays as it is written.
pub fn fill(sema: &mut Sema<'_>, subject: Subject<'_>, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let (name, after) = match rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some((name, after)) => (name, after),
            None => rest.split_at(identifier(rest)),
        };
        match replaced(sema, subject, name) {
            Some(value) => out.push_str(&value),
            None => {
                out.push('%');
                out.push_str(name);
            }
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// How many bytes at the start of a text are a name, dots between its parts included.
fn identifier(text: &str) -> usize {
    let mut end = 0;
    let mut begins = true;
    for (at, c) in text.char_indices() {
        match c {
            '.' if !begins => begins = true,
            _ if c == '_' || c.is_ascii_alphabetic() || (!begins && c.is_ascii_digit()) => {
                begins = false;
                end = at + c.len_utf8();
            }
            _ => break,
        }
    }
    end
}

fn replaced(sema: &mut Sema<'_>, subject: Subject<'_>, name: &str) -> Option<String> {
    match name {
        "name" => return Some(subject.name.to_string()),
        "class" => return Some(subject.class.rsplit('.').next().unwrap_or(subject.class).to_string()),
        "" => return None,
        _ => {}
    }
    let mut comp = subject.comp;
    for part in name.split('.') {
        comp = sema.part(comp, part)?;
    }
    match sema.given_value(comp) {
        Some(value) => Some(shown(value)),
        // The class itself shows the names of what its users will give.
        None if sema.comp(subject.comp).parent.is_none() => Some(name.to_string()),
        None => Some(String::new()),
    }
}

/// A value as it was written; of a literal of an enumeration its own name.
pub fn shown(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Ref(r) if r.parts.len() > 1 && r.parts.iter().all(|part| part.subscripts.is_empty()) => {
            let first = r.parts[0].name.name;
            let is_class = first.as_str().starts_with(|c: char| c.is_uppercase()) || r.global;
            match r.parts.last() {
                Some(last) if is_class => last.name.name.to_string(),
                _ => expr_to_string(e),
            }
        }
        ExprKind::String(text) => text.to_string(),
        _ => expr_to_string(e),
    }
}
