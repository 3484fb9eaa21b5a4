//! Which components of an unbalanced model have the wrong number of equations themselves.

use crate::flatten::count;
use kairos_base::Span;
use kairos_base::hash::HashMap;
use kairos_model::{Equation, Variability, Variable};
use kairos_sema::{CompId, Sema, What};
use kairos_syntax::ast::Direction;

/// A component that is not balanced (MLS 4.8).
pub struct Suspect {
    pub path: String,
    pub class: String,
    pub span: Span,
    pub unknowns: usize,
    pub equations: usize,
}

/// Components without components inside: what connections add to them comes from outside, so the counts are exact. Connectors
/// with records may say more than they count, and are left out.
pub fn suspects(sema: &mut Sema, root: CompId, vars: &[Variable], equations: &[Equation]) -> Vec<Suspect> {
    let mut found = Vec::new();
    for part in models_in(sema, root) {
        visit(sema, part, &mut found);
    }
    let places: HashMap<String, usize> = found.iter().enumerate().map(|(k, s)| (s.path.clone(), k)).collect();
    let place = |name: &str| {
        let ends = name.char_indices().filter(|(_, c)| *c == '.').map(|(k, _)| k).chain([name.len()]);
        ends.map(|end| &name[..end]).find_map(|prefix| places.get(prefix).copied())
    };
    for var in vars.iter().filter(|var| var.variability > Variability::Parameter) {
        if let Some(k) = place(&var.name) {
            found[k].unknowns += 1;
        }
    }
    for equation in equations {
        if let Some(k) = place(equation.origin.path.as_str()) {
            found[k].equations += count(&equation.kind);
        }
    }
    found.retain(|suspect| suspect.unknowns != suspect.equations);
    found
}

/// The components with equations directly in one, elements of arrays one by one.
fn models_in(sema: &mut Sema, comp: CompId) -> Vec<CompId> {
    let mut found = Vec::new();
    for part in sema.parts(comp).to_vec() {
        let list = match sema.comp(part).what {
            What::Array => sema.comp(part).elements.clone(),
            _ => vec![part],
        };
        let known = |part: &CompId| {
            let c = sema.comp(*part);
            c.what == What::Parts && c.outer.is_none() && !c.disabled && sema.is_model(*part)
        };
        found.extend(list.into_iter().filter(known));
    }
    found
}

fn visit(sema: &mut Sema, comp: CompId, found: &mut Vec<Suspect>) {
    let inner = models_in(sema, comp);
    if !inner.is_empty() {
        inner.into_iter().for_each(|part| visit(sema, part, found));
        return;
    }
    // What the outside determines: a value for each flow and each input that the component leaves open.
    let mut outside = 0;
    for part in sema.parts(comp).to_vec() {
        let list = match sema.comp(part).what {
            What::Array => sema.comp(part).elements.clone(),
            _ => vec![part],
        };
        for part in list {
            let Some(given) = from_outside(sema, part) else { return };
            outside += given;
        }
    }
    found.push(Suspect {
        path: sema.comp_path(comp),
        class: sema.root_class_name(comp),
        span: sema.comp(comp).span,
        unknowns: 0,
        equations: outside,
    });
}

/// How many values connections give to a part of a component; `None`: that cannot be said.
fn from_outside(sema: &mut Sema, part: CompId) -> Option<usize> {
    let c = sema.comp(part);
    let scalars: usize = c.dims.iter().map(|d| d.known().unwrap_or(0)).product();
    match c.what {
        What::Variable(_) if c.disabled => Some(0),
        What::Variable(_) if c.flow => Some(scalars),
        What::Variable(_) if c.direction == Some(Direction::Input) => {
            Some(if sema.binding(part).is_some() { 0 } else { scalars })
        }
        What::Parts if sema.is_connector(part) => {
            let mut given = 0;
            for inner in sema.parts(part).to_vec() {
                if !matches!(sema.comp(inner).what, What::Variable(_)) {
                    return None;
                }
                given += from_outside(sema, inner)?;
            }
            Some(given)
        }
        _ => Some(0),
    }
}
