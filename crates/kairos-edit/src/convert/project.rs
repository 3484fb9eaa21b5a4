//! The classes that are to be converted, and what names in them mean without the library they use.
//!
//! A conversion does not need the old library: what is not a class, a component or an import of the user's own text is taken
//! as a name in a library, from the top. Inheritance is followed among the user's classes only (MLS 18.8.2.1); of a base class
//! in a library just its name is known, and an element is found there if a rule speaks of it.

use super::rules::Rules;
use kairos_base::hash::HashMap;
use kairos_base::{FileId, SourceMap};
use kairos_syntax::Token;
use kairos_syntax::ast::{
    Class, ClassBody, Component, ComponentClause, Composition, ElementKind, Ident, ImportKind, Path,
    SourceTree,
};
use std::cell::RefCell;

/// What a name of a class means.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    /// A class of the user's, by its whole name.
    User(String),
    /// A class of a library, by the parts of its whole old name.
    Library(Vec<String>),
    Unknown,
}

/// What a path means; of the parts of a library's class, those from `anchor` on are written in the path itself, and the ones
/// before it stand for an import or a class of the user's.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub meaning: Meaning,
    pub anchor: usize,
}

/// What the first part of a name in a class means.
pub(super) enum Local<'t> {
    Class(Meaning),
    Component(Part<'t>),
    /// An element of a base class in a library.
    Inherited(Vec<String>),
}

/// A component with the class that declares it.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    pub owner: &'t str,
    pub clause: &'t ComponentClause,
}

/// A parsed file.
pub struct Source {
    pub file: FileId,
    pub(super) text: std::sync::Arc<str>,
    pub(super) tree: SourceTree,
    pub(super) tokens: Vec<Token>,
}

impl Source {
    /// Parses a file that is in the map; `None` if it has mistakes in its syntax, which are added to `messages`.
    pub fn parse(
        file: FileId,
        sources: &SourceMap,
        messages: &mut Vec<kairos_base::Diagnostic>,
    ) -> Option<Source> {
        let text = sources.text(file);
        let (tree, found) = kairos_syntax::parse(file, &text);
        let wrong = found.iter().any(|d| d.is_error());
        messages.extend(found.into_iter().filter(|d| d.is_error()));
        let tokens = kairos_syntax::lex(file, &text).tokens;
        (!wrong).then_some(Source { file, text, tree, tokens })
    }
}

struct Entry<'t> {
    name: String,
    class: &'t Class,
    /// The class around it; empty at the top.
    parent: String,
}

pub(super) struct Project<'t> {
    pub rules: &'t Rules,
    classes: HashMap<String, Entry<'t>>,
    /// Base classes, once they are known; empty while they are looked for.
    bases: RefCell<HashMap<String, Vec<Meaning>>>,
}

impl<'t> Project<'t> {
    pub fn new(sources: &'t [Source], rules: &'t Rules) -> Self {
        let mut project = Project { rules, classes: HashMap::default(), bases: RefCell::default() };
        for source in sources {
            let within = source.tree.within.as_ref();
            let parent = within.map_or(String::new(), |path| names(&path.parts).join("."));
            source.tree.classes.iter().for_each(|class| project.enter(class, &parent));
        }
        project
    }

    fn enter(&mut self, class: &'t Class, parent: &str) {
        let name = join(parent, class.name.name.as_str());
        if let Some(body) = body(class) {
            for element in &body.elements {
                if let ElementKind::Class(inner) = &element.kind {
                    self.enter(&inner.class, &name);
                }
            }
        }
        let entry = Entry { name: name.clone(), class, parent: parent.to_string() };
        self.classes.insert(name, entry);
    }

    /// The class of a path that is written in `scope`.
    pub fn path(&self, scope: &str, path: &Path) -> Found {
        self.resolve(scope, &names(&path.parts), path.global, true)
    }

    pub fn resolve(&self, scope: &str, parts: &[String], global: bool, inherited: bool) -> Found {
        let first = if global { None } else { self.lookup(scope, &parts[0], inherited) };
        let mut meaning = match first {
            Some(Local::Class(Meaning::Library(mut full))) => {
                full.extend_from_slice(&parts[1..]);
                return Found { meaning: Meaning::Library(full), anchor: 1 };
            }
            Some(Local::Class(meaning)) => meaning,
            Some(_) => Meaning::Unknown,
            None if self.classes.contains_key(&parts[0]) => Meaning::User(parts[0].clone()),
            None => return Found { meaning: Meaning::Library(parts.to_vec()), anchor: 0 },
        };
        for (k, part) in parts.iter().enumerate().skip(1) {
            let Meaning::User(class) = &meaning else { break };
            meaning = match self.member(class, part, 0) {
                Some(Meaning::Library(mut full)) => {
                    full.extend_from_slice(&parts[k + 1..]);
                    return Found { meaning: Meaning::Library(full), anchor: k };
                }
                Some(found) => found,
                None => Meaning::Unknown,
            };
        }
        Found { meaning, anchor: parts.len() }
    }

    /// The first part of a name, looked for in a class and those around it.
    pub fn lookup(&self, scope: &str, name: &str, inherited: bool) -> Option<Local<'_>> {
        let (mut at, mut inherited) = (scope, inherited);
        while let Some(entry) = self.classes.get(at) {
            if let Some(found) = self.own(entry, name).or_else(|| self.imported(entry, name)) {
                return Some(found);
            }
            if inherited && let Some(found) = self.inherited(&entry.name, name, 0) {
                return Some(found);
            }
            if entry.class.encapsulated {
                return None;
            }
            (at, inherited) = (&entry.parent, true);
        }
        // The packages around a file that was given alone are known by name only.
        None
    }

    fn own(&self, entry: &Entry<'t>, name: &str) -> Option<Local<'t>> {
        let inner = join(&entry.name, name);
        if self.classes.contains_key(&inner) {
            return Some(Local::Class(Meaning::User(inner)));
        }
        let clause = component(entry.class, name)?;
        let owner = kairos_base::Name::new(&entry.name).as_str();
        Some(Local::Component(Part { owner, clause }))
    }

    fn imported(&self, entry: &Entry<'t>, name: &str) -> Option<Local<'t>> {
        for element in &body(entry.class)?.elements {
            let ElementKind::Import(import) = &element.kind else { continue };
            let mut full = names(&import.path.parts);
            let found = match &import.kind {
                ImportKind::Qualified => full.last().is_some_and(|last| last == name),
                ImportKind::Renamed(alias) => alias.name == *name,
                ImportKind::List(list) => {
                    let listed = list.iter().any(|item| item.name == *name);
                    full.push(name.to_string());
                    listed
                }
                ImportKind::All => {
                    full.push(name.to_string());
                    let whole = full.join(".");
                    self.classes.contains_key(&whole) || self.rules.knows(&whole)
                }
            };
            if found {
                return Some(Local::Class(self.named_from_top(full)));
            }
        }
        None
    }

    /// What a name from the top means, as imports have it.
    pub fn named_from_top(&self, full: Vec<String>) -> Meaning {
        match self.classes.contains_key(&full[0]) {
            true => self.resolve("", &full, true, true).meaning,
            false => Meaning::Library(full),
        }
    }

    /// A class inside of one of the user's.
    fn member(&self, class: &str, name: &str, depth: usize) -> Option<Meaning> {
        let inner = join(class, name);
        if self.classes.contains_key(&inner) {
            return Some(Meaning::User(inner));
        }
        if depth > 20 {
            return None;
        }
        let short = matches!(self.classes.get(class)?.class.body, ClassBody::Short(_));
        self.bases(class).into_iter().find_map(|base| match base {
            Meaning::User(base) => self.member(&base, name, depth + 1),
            Meaning::Library(mut full) => {
                full.push(name.to_string());
                (short || self.rules.knows(&full.join("."))).then_some(Meaning::Library(full))
            }
            Meaning::Unknown => None,
        })
    }

    fn inherited(&self, class: &str, name: &str, depth: usize) -> Option<Local<'t>> {
        if depth > 20 {
            return None;
        }
        self.bases(class).into_iter().find_map(|base| match base {
            Meaning::User(base) => {
                let found = self.classes.get(&base).and_then(|entry| match entry.class.name.name == *name {
                    true => None,
                    false => self.own(entry, name),
                });
                found.or_else(|| self.inherited(&base, name, depth + 1))
            }
            Meaning::Library(mut full) => {
                let whole = full.join(".");
                let element = self.rules.element(&whole, &[name.to_string()]).is_some()
                    || self
                        .rules
                        .elements
                        .get(&whole)
                        .is_some_and(|list| list.iter().any(|(old, _)| old[0] == name))
                    || self.rules.message(&whole, Some(name)).is_some();
                if element {
                    return Some(Local::Inherited(full));
                }
                full.push(name.to_string());
                let known = self.rules.knows(&full.join("."));
                known.then_some(Local::Class(Meaning::Library(full)))
            }
            Meaning::Unknown => None,
        })
    }

    /// The base classes of a class of the user's.
    pub fn bases(&self, class: &str) -> Vec<Meaning> {
        if let Some(known) = self.bases.borrow().get(class) {
            return known.clone();
        }
        self.bases.borrow_mut().insert(class.to_string(), Vec::new());
        let Some(entry) = self.classes.get(class) else { return Vec::new() };
        let of = |scope: &str, path: &Path, inherited: bool| {
            self.resolve(scope, &names(&path.parts), path.global, inherited).meaning
        };
        let list: Vec<Meaning> = match &entry.class.body {
            ClassBody::Long(body) => body
                .elements
                .iter()
                .filter_map(|element| match &element.kind {
                    ElementKind::Extends(extends) => Some(of(&entry.name, &extends.base, false)),
                    _ => None,
                })
                .collect(),
            ClassBody::Short(short) => vec![of(&entry.parent, &short.base, true)],
            _ => Vec::new(),
        };
        self.bases.borrow_mut().insert(class.to_string(), list.clone());
        list
    }

    /// A component that a class of the user's has, its own or inherited.
    pub fn component(&self, class: &str, name: &str) -> Option<Part<'t>> {
        let entry = self.classes.get(class)?;
        if let Some(clause) = component(entry.class, name) {
            return Some(Part { owner: kairos_base::Name::new(&entry.name).as_str(), clause });
        }
        match self.inherited(class, name, 0)? {
            Local::Component(part) => Some(part),
            _ => None,
        }
    }

    /// The type of a component.
    pub fn type_of(&self, part: Part) -> Meaning {
        self.resolve(part.owner, &names(&part.clause.type_name.parts), part.clause.type_name.global, true)
            .meaning
    }

    /// The classes of libraries that a class is or inherits from, by their whole names.
    pub fn ancestors(&self, of: &Meaning) -> Vec<String> {
        let mut list = Vec::new();
        self.collect(of, &mut list, 0);
        list
    }

    fn collect(&self, of: &Meaning, list: &mut Vec<String>, depth: usize) {
        match of {
            Meaning::Library(full) => list.push(full.join(".")),
            Meaning::User(class) if depth < 20 => {
                self.bases(class).iter().for_each(|base| self.collect(base, list, depth + 1));
            }
            _ => {}
        }
    }
}

pub(super) fn names(parts: &[Ident]) -> Vec<String> {
    parts.iter().map(|part| part.name.to_string()).collect()
}

pub(super) fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_string() } else { format!("{parent}.{name}") }
}

pub(super) fn body(class: &Class) -> Option<&Composition> {
    match &class.body {
        ClassBody::Long(body) => Some(body),
        _ => None,
    }
}

fn component<'t>(class: &'t Class, name: &str) -> Option<&'t ComponentClause> {
    body(class)?.elements.iter().find_map(|element| match &element.kind {
        ElementKind::Components(clause) => {
            let named = |c: &Component| c.name.name == *name;
            clause.components.iter().any(named).then_some(clause)
        }
        _ => None,
    })
}
