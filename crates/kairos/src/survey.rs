//! All models below a package, for commands that work on a whole library.

use crate::carried::{ROOT, WithCarried};
use crate::pipeline::{Compilation, compile};
use crate::request::{Goal, Request};
use kairos_base::World;
use kairos_sema::library::{has_experiment, nested_classes};
use kairos_sema::{Library, Trees};
use kairos_syntax::ast::{Class, ClassKind};

/// A class that can be compiled by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    /// It says how to run it; a part without an experiment may leave its connectors to its user.
    pub runs: bool,
}

/// The models and blocks in the package that a request names, in package order; `None` if it names no package.
pub fn survey(world: &dyn World, request: &Request) -> Option<Vec<Entry>> {
    if crate::compiled::is_stored(request) {
        return None;
    }
    let (trees, world) = (Trees::default(), WithCarried(world));
    let library = Library::new(&trees, &world, request.libraries.clone()).with_fallback(ROOT);
    let mut last = None;
    if let Some(file) = &request.file {
        last = library.add_file(file).ok()?.main;
    }
    let name = request.model.clone().or(last)?;
    let class = library.class(&name)?;
    (class.kind == ClassKind::Package).then(|| {
        let mut entries = Vec::new();
        visit(&library, class, &name, &mut entries);
        entries
    })
}

fn visit<'a>(library: &Library<'a>, class: &'a Class, name: &str, entries: &mut Vec<Entry>) {
    match class.kind {
        ClassKind::Package => {
            for inner in nested_classes(class) {
                visit(library, inner, &format!("{name}.{}", inner.name.name), entries);
            }
            for member in library.member_names(class) {
                if let Some(inner) = library.member(class, member) {
                    visit(library, inner, &format!("{name}.{member}"), entries);
                }
            }
        }
        ClassKind::Model | ClassKind::Block if !class.partial => {
            entries.push(Entry { name: name.to_string(), runs: has_experiment(class) });
        }
        _ => {}
    }
}

/// Compiles every entry of a survey as far as it can be compiled by itself.
pub fn check_each(
    world: &dyn World,
    request: &Request,
    entries: &[Entry],
    mut done: impl FnMut(&Entry, Compilation),
) {
    for entry in entries {
        let one = Request { model: Some(entry.name.clone()), ..request.clone() };
        let goal = if entry.runs { Goal::Program } else { Goal::Flat };
        done(entry, compile(world, &one, goal));
    }
}

/// The first class at the top of a file, by its qualified name.
pub fn top_class(world: &dyn World, file: &str) -> Option<String> {
    let trees = kairos_sema::Trees::default();
    let library = kairos_sema::Library::new(&trees, world, Vec::new());
    let given = library.add_file(file).ok()?;
    given.classes.into_iter().next()
}
