//! Libraries on disk: which file a top-level name or a package member lives in, read on demand.

use crate::diagnostics;
use crate::versions::{self, Candidate};
use kairos_base::hash::HashMap;
use kairos_base::{Diagnostic, Name, SourceMap, Span, World};
use kairos_expr::{Permissions, Resources};
use kairos_syntax::ast::{Class, ClassKind, ElementKind, Path, SourceTree};
use std::cell::RefCell;
use typed_arena::Arena;

/// The file in a folder that makes it a package.
const PACKAGE: &str = "package.mo";

/// What a file given by the user defines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenFile {
    /// The qualified names of its classes.
    pub classes: Vec<String>,
    /// What to work on unless told otherwise: the last complete model, else the last class.
    pub main: Option<String>,
}

/// Owns the trees of all files that were read.
#[derive(Default)]
pub struct Trees(Arena<SourceTree>);

/// Where the members of a folder package are.
#[derive(Default, Clone)]
struct Folder {
    path: String,
    /// Member name to file (`A.mo`) or folder (`A/`).
    members: HashMap<Name, String>,
    order: Vec<Name>,
}

pub struct Library<'a> {
    trees: &'a Trees,
    world: &'a dyn World,
    roots: Vec<String>,
    /// Where `modelica://` names lead.
    resources: Resources,
    /// What functions may do while they are evaluated.
    permissions: Permissions,
    /// Folders that are searched for what the roots do not have.
    fallback: Vec<String>,
    state: RefCell<State<'a>>,
}

#[derive(Default)]
struct State<'a> {
    sources: SourceMap,
    /// Classes of files named by the user, which come before libraries.
    given: Vec<(Name, &'a Class)>,
    top: HashMap<Name, Option<&'a Class>>,
    folders: HashMap<*const Class, Folder>,
    members: HashMap<(*const Class, Name), Option<&'a Class>>,
    diagnostics: Vec<Diagnostic>,
    /// Versions asked for by `uses` annotations, and where.
    wanted: HashMap<Name, (String, Span)>,
    /// Files that were parsed to learn a library's version.
    heads: HashMap<String, &'a SourceTree>,
    files_read: Vec<String>,
    /// Bytes of text that were read.
    text: usize,
}

impl<'a> Library<'a> {
    /// `roots` are folders that hold libraries, or library folders themselves.
    pub fn new(trees: &'a Trees, world: &'a dyn World, roots: Vec<String>) -> Self {
        let (resources, fallback) = (Resources::default(), Vec::new());
        let permissions = Permissions::looking(resources.clone());
        Self { trees, world, roots, resources, permissions, fallback, state: RefCell::default() }
    }

    /// Functions may read where a run of this model may, while they are evaluated; nothing else happens.
    pub fn permit(&mut self, permissions: Permissions) {
        self.permissions = permissions.compiling();
    }

    pub(crate) fn permissions(&self) -> Permissions {
        self.permissions.clone()
    }

    /// One more folder of libraries, which any other overrides.
    pub fn with_fallback(mut self, root: &str) -> Self {
        self.fallback.push(root.to_string());
        self
    }

    /// Reads a file given by the user; its classes become top-level names. A file that belongs to a package in folders is
    /// seen as a part of it.
    pub fn add_file(&self, path: &str) -> std::io::Result<GivenFile> {
        let text = self.world.read(path)?;
        let tree = self.parse(path, text);
        let owner = tree.within.as_ref().and_then(|within| self.owner(path, within));
        let prefix = match (&owner, &tree.within) {
            (Some(_), Some(within)) => within.parts.iter().map(|part| format!("{}.", part.name)).collect(),
            _ => String::new(),
        };
        match owner {
            Some((top, file)) => self.give(top, &file),
            None => tree.classes.iter().for_each(|class| self.give(class, path)),
        }
        let complete = |class: &&Class| {
            matches!(class.kind, ClassKind::Model | ClassKind::Block | ClassKind::Class) && !class.partial
        };
        let main = tree.classes.iter().rev().find(complete).or(tree.classes.last());
        let named = |class: &Class| format!("{prefix}{}", class.name.name);
        Ok(GivenFile { classes: tree.classes.iter().map(named).collect(), main: main.map(named) })
    }

    /// Makes a class of a file a top-level name.
    fn give(&self, class: &'a Class, path: &str) {
        self.state.borrow_mut().given.push((class.name.name, class));
        self.settle(class.name.name, path);
        if path == PACKAGE || path.ends_with("/package.mo") {
            self.enter_folder(class, folder_of(path));
        }
    }

    /// Notes where a library is whose file is this.
    fn settle(&self, name: Name, path: &str) {
        match path == PACKAGE || path.ends_with("/package.mo") {
            true => self.resources.add(name.as_str(), folder_of(path)),
            false => self.resources.add_file(name.as_str(), folder_of(path), path),
        }
    }

    /// The outermost package that a file is part of, and its file; `None` if the folders are not those of the packages that
    /// the file names.
    fn owner(&self, path: &str, within: &Path) -> Option<(&'a Class, String)> {
        let mut folder = folder_of(path).to_string();
        if path == PACKAGE || path.ends_with("/package.mo") {
            folder = above(&folder);
        }
        let mut found = None;
        for part in within.parts.iter().rev() {
            let file = format!("{folder}/{PACKAGE}");
            let class = self.tree(&file)?.classes.iter().find(|class| class.name.name == part.name)?;
            found = Some((class, file));
            folder = above(&folder);
        }
        found
    }

    /// Classes from text that is not a file.
    pub fn add_text(&self, path: &str, text: &str) -> Vec<Name> {
        let tree = self.parse(path, text.to_string());
        let mut state = self.state.borrow_mut();
        tree.classes.iter().for_each(|class| state.given.push((class.name.name, class)));
        tree.classes.iter().map(|class| class.name.name).collect()
    }

    pub fn sources(&self) -> std::cell::Ref<'_, SourceMap> {
        std::cell::Ref::map(self.state.borrow(), |s| &s.sources)
    }

    pub fn into_sources(self) -> SourceMap {
        self.state.into_inner().sources
    }

    /// Syntax errors and the like in what was read since the last call.
    pub fn take_diagnostics(&self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.state.borrow_mut().diagnostics)
    }

    pub fn files_read(&self) -> Vec<String> {
        self.state.borrow().files_read.clone()
    }

    /// The names that can be found at the top without searching further, for suggestions.
    pub fn known_top(&self) -> Vec<Name> {
        self.state.borrow().given.iter().map(|(n, _)| *n).collect()
    }

    /// The folders of the libraries read so far.
    pub fn resources(&self) -> Resources {
        self.resources.clone()
    }

    /// Asks for a version of a library, as a `uses` annotation at `place` does. The first one to ask decides.
    pub fn want_version(&self, library: Name, version: &str, place: Span) {
        let mut state = self.state.borrow_mut();
        let (first, asked) =
            state.wanted.entry(library).or_insert_with(|| (version.to_string(), place)).clone();
        let loaded = state.top.get(&library).copied().flatten();
        let served = loaded.is_some_and(|class| versions::serves(class, version));
        if first != version && !served && asked != place {
            state.diagnostics.push(diagnostics::version_conflict(library, &first, version, place, asked));
        }
    }

    pub fn top(&self, name: Name) -> Option<&'a Class> {
        let given = self.state.borrow().given.iter().find(|(n, _)| *n == name).map(|(_, c)| *c);
        if given.is_some() {
            return given;
        }
        if let Some(found) = self.state.borrow().top.get(&name) {
            return *found;
        }
        let found = self.find_top(name);
        self.state.borrow_mut().top.insert(name, found);
        found
    }

    /// A member of a folder package that stands in a file of its own.
    pub fn member(&self, package: &'a Class, name: Name) -> Option<&'a Class> {
        let key = (package as *const Class, name);
        if let Some(found) = self.state.borrow().members.get(&key) {
            return *found;
        }
        let place = {
            let state = self.state.borrow();
            let folder = state.folders.get(&key.0)?;
            folder.members.get(&name).map(|entry| format!("{}/{entry}", folder.path))
        };
        let found = place.and_then(|place| self.load_entry(&place, name));
        self.state.borrow_mut().members.insert(key, found);
        found
    }

    /// Names of members in files of their own, in package order.
    pub fn member_names(&self, package: &'a Class) -> Vec<Name> {
        let state = self.state.borrow();
        state.folders.get(&(package as *const Class)).map_or(Vec::new(), |f| f.order.clone())
    }

    /// A class by its dotted name, as far as packages contain it by their text or folder.
    pub fn class(&self, dotted: &str) -> Option<&'a Class> {
        let mut parts = dotted.split('.').map(Name::new);
        let mut class = self.top(parts.next()?)?;
        for part in parts {
            let nested = nested_classes(class).find(|c| c.name.name == part);
            class = nested.or_else(|| self.member(class, part))?;
        }
        Some(class)
    }

    fn find_top(&self, name: Name) -> Option<&'a Class> {
        self.find_under(&self.roots, name).or_else(|| self.find_under(&self.fallback, name))
    }

    fn find_under(&self, roots: &[String], name: Name) -> Option<&'a Class> {
        let mut found = Vec::new();
        for root in roots {
            let root = root.trim_end_matches('/');
            let Ok(entries) = self.world.list(root) else { continue };
            let own = root.rsplit('/').next().unwrap_or(root);
            if entries.iter().any(|e| e == "package.mo")
                && let Some(version) = versions::split(own, name.as_str())
            {
                found.push(Candidate { version, place: format!("{root}/") });
            }
            for entry in &entries {
                let stem = entry.strip_suffix('/').or_else(|| entry.strip_suffix(".mo"));
                let Some(version) = stem.and_then(|s| versions::split(s, name.as_str())) else { continue };
                let place = format!("{root}/{entry}");
                let holds = !entry.ends_with('/') || self.world.list(&place).is_ok_and(has_package);
                if holds {
                    found.push(Candidate { version, place });
                }
            }
        }
        let wanted = self.state.borrow().wanted.get(&name).cloned();
        let version = wanted.as_ref().map(|(version, _)| version.as_str());
        // The files of the candidates tell more than their names, but are read only where there is a choice.
        let open = found.len() > 1 && version.is_some();
        let classes: Vec<Option<&'a Class>> = match open {
            true => found.iter().map(|c| self.head(&c.place, name)).collect(),
            false => vec![None; found.len()],
        };
        let best = versions::choose(&found, &classes, version)?;
        let class = self.load_entry(&found[best].place, name)?;
        if let Some((version, place)) = wanted
            && !versions::serves(class, &version)
            && let Some(have) = versions::version_of(class)
        {
            let file = found[best]
                .place
                .strip_suffix('/')
                .map_or(found[best].place.clone(), |f| format!("{f}/{PACKAGE}"));
            let head = self.world.read(&file).ok().and_then(|text| versions::head(&text));
            let converts = head.is_some_and(|head| head.way(&version).is_some());
            let named = |class: &Option<&'a Class>| class.and_then(versions::version_of).map(String::from);
            let others: Vec<String> = match found.len() {
                1 => Vec::new(),
                _ => classes.iter().filter_map(named).collect(),
            };
            let d = diagnostics::version_not_found(name, &version, have, place, converts, &others);
            self.state.borrow_mut().diagnostics.push(d);
        }
        let place = &found[best].place;
        match place.strip_suffix('/') {
            Some(folder) => self.resources.add(name.as_str(), folder),
            None => self.settle(name, place),
        }
        Some(class)
    }

    /// The class of a candidate, without its members.
    fn head(&self, place: &str, name: Name) -> Option<&'a Class> {
        let file = place.strip_suffix('/').map_or(place.to_string(), |f| format!("{f}/package.mo"));
        let tree = self.tree(&file)?;
        tree.classes.iter().find(|c| c.name.name == name)
    }

    fn tree(&self, file: &str) -> Option<&'a SourceTree> {
        if let Some(tree) = self.state.borrow().heads.get(file) {
            return Some(tree);
        }
        let text = self.world.read(file).ok()?;
        let tree = self.parse(file, text);
        self.state.borrow_mut().heads.insert(file.to_string(), tree);
        Some(tree)
    }

    /// Loads `dir/` (its `package.mo`) or `file.mo`.
    fn load_entry(&self, place: &str, name: Name) -> Option<&'a Class> {
        let folder = place.strip_suffix('/');
        let file = folder.map_or(place.to_string(), |f| format!("{f}/package.mo"));
        let tree = self.tree(&file)?;
        let class = tree.classes.iter().find(|c| c.name.name == name);
        let Some(class) = class else {
            if let Some(first) = tree.classes.first() {
                let d = diagnostics::wrong_file_name(name, first.name.name, first.name.span);
                self.state.borrow_mut().diagnostics.push(d);
            }
            return None;
        };
        if let Some(folder) = folder {
            self.enter_folder(class, folder);
        }
        Some(class)
    }

    fn enter_folder(&self, class: &'a Class, path: &str) {
        let mut folder = Folder { path: path.to_string(), ..Folder::default() };
        let entries = self.world.list(path).unwrap_or_default();
        for entry in entries {
            let member = match entry.strip_suffix('/') {
                Some(sub) => {
                    Some(sub).filter(|_| self.world.list(&format!("{path}/{entry}")).is_ok_and(has_package))
                }
                None => entry.strip_suffix(".mo").filter(|stem| *stem != "package"),
            };
            if let Some(member) = member {
                let member = Name::new(member);
                folder.members.insert(member, entry.clone());
                folder.order.push(member);
            }
        }
        if let Ok(order) = self.world.read(&format!("{path}/package.order")) {
            let rank: HashMap<Name, usize> =
                order.lines().enumerate().map(|(i, l)| (Name::new(l.trim()), i)).collect();
            folder.order.sort_by_key(|n| rank.get(n).copied().unwrap_or(usize::MAX));
        }
        self.state.borrow_mut().folders.insert(class, folder);
    }

    fn parse(&self, path: &str, text: String) -> &'a SourceTree {
        let mut state = self.state.borrow_mut();
        state.files_read.push(path.to_string());
        state.text += text.len();
        let text = if state.text > kairos_base::limits::TEXT {
            let d = diagnostics::too_much_text(path, state.text);
            if !state.diagnostics.iter().any(|known| known.code == d.code) {
                state.diagnostics.push(d);
            }
            String::new()
        } else {
            text
        };
        let file = state.sources.add(path, text);
        let text = state.sources.text(file);
        let (tree, found) = kairos_syntax::parse(file, &text);
        state.diagnostics.extend(found);
        self.trees.0.alloc(tree)
    }
}

fn has_package(entries: Vec<String>) -> bool {
    entries.iter().any(|e| e == "package.mo")
}

/// The folder that holds a file.
fn folder_of(file: &str) -> &str {
    file.rsplit_once('/').map_or(".", |(folder, _)| folder)
}

/// The folder that holds a folder.
fn above(folder: &str) -> String {
    match folder.rsplit('/').next() {
        Some(".") if folder == "." => "..".into(),
        Some("..") => format!("{folder}/.."),
        _ => folder_of(folder).to_string(),
    }
}

/// The nested classes of a long class, for callers that walk packages.
pub fn nested_classes(class: &Class) -> impl Iterator<Item = &Class> {
    let elements = match &class.body {
        kairos_syntax::ast::ClassBody::Long(c) => c.elements.as_slice(),
        _ => &[],
    };
    elements.iter().filter_map(|e| match &e.kind {
        ElementKind::Class(c) => Some(&c.class),
        _ => None,
    })
}

/// Does a class say how to run it?
pub fn has_experiment(class: &Class) -> bool {
    let kairos_syntax::ast::ClassBody::Long(body) = &class.body else { return false };
    let annotation = body.annotation.as_ref();
    annotation.is_some_and(|a| crate::annotations::find(&a.args, "experiment").is_some())
}

/// The place of a class's name.
pub fn name_span(class: &Class) -> Span {
    class.name.span
}
