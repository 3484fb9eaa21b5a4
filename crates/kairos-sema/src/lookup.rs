//! Name lookup (MLS chapter 5).

use crate::inst::{Basic, Decl};
use crate::{ElemId, InstId, Sema, diagnostics};
use kairos_base::Name;
use kairos_expr::EnumId;
use kairos_syntax::ast::{self, ClassKind, Ident, ImportKind, Path};

/// What a simple name means.
#[derive(Clone, Copy)]
pub(crate) enum Found {
    /// An element of the given instance, and whether that is an enclosing one.
    Element(InstId, ElemId, bool),
    /// A class, by import or predefined.
    Class(InstId),
}

impl<'a> Sema<'a> {
    /// Looks a simple name up through the enclosing scopes (MLS 5.3.1).
    pub(crate) fn lookup_first(&mut self, scope: InstId, name: Name) -> Option<Found> {
        let mut current = Some(scope);
        while let Some(id) = current {
            if id == self.root {
                break;
            }
            self.expand(id);
            if let Some(&e) = self.inst(id).table.get(&name) {
                return Some(Found::Element(id, e, id != scope));
            }
            if let Some(found) = self.lookup_import(id, name) {
                return Some(found);
            }
            let inst = self.inst(id);
            current = match inst.class {
                // MLS 5.3.1: an encapsulated class sees nothing around it but predefined names.
                Some(class) if class.encapsulated => return self.basics.get(&name).map(|i| Found::Class(*i)),
                _ => inst.parent,
            };
        }
        self.lookup_top(name)
    }

    /// A top-level class or a predefined one.
    pub(crate) fn lookup_top(&mut self, name: Name) -> Option<Found> {
        if let Some(&basic) = self.basics.get(&name) {
            return Some(Found::Class(basic));
        }
        self.top_class(name).map(Found::Class)
    }

    pub(crate) fn top_class(&mut self, name: Name) -> Option<InstId> {
        if let Some(found) = self.tops.get(&name) {
            return *found;
        }
        let class = self.lib.top(name);
        let inst = class.map(|class| self.new_inst(Some(class), Some(self.root), Default::default(), None));
        self.tops.insert(name, inst);
        if let (Some(class), Some(inst)) = (class, inst) {
            self.note_uses(class);
            self.expand(inst);
        }
        inst
    }

    /// Records the versions that a library's `uses` annotation asks for.
    fn note_uses(&mut self, class: &'a ast::Class) {
        let ast::ClassBody::Long(body) = &class.body else { return };
        let Some(annotation) = &body.annotation else { return };
        for (library, version) in crate::annotations::uses(&annotation.args) {
            self.lib.want_version(library, &version, annotation.span);
        }
    }

    fn lookup_import(&mut self, id: InstId, name: Name) -> Option<Found> {
        let imports = self.inst(id).imports.clone();
        for import in &imports {
            let last = import.path.parts.last().map(|p| p.name);
            let hit = match &import.kind {
                ImportKind::Qualified => last == Some(name),
                ImportKind::Renamed(alias) => alias.name == name,
                ImportKind::List(names) => names.iter().any(|n| n.name == name),
                ImportKind::All => false,
            };
            if !hit {
                continue;
            }
            let mut parts: Vec<Ident> = import.path.parts.clone();
            if let ImportKind::List(names) = &import.kind {
                parts.extend(names.iter().find(|n| n.name == name).copied());
            }
            let found = self.lookup_global(&parts);
            if found.is_none() {
                // The reason is the import, not the name that it would have given.
                let span = import.path.span;
                self.lookup_class(id, &Path { global: true, parts, span });
            }
            self.check_imported(found, import);
            return found;
        }
        let mut first: Option<(Found, &'a ast::Import)> = None;
        for import in imports.iter().filter(|i| matches!(i.kind, ImportKind::All)) {
            let Some(Found::Class(package)) =
                self.lookup_global(&import.path.parts.clone()).and_then(|f| self.as_class(f))
            else {
                continue;
            };
            self.expand(package);
            if let Some(&e) = self.inst(package).table.get(&name)
                && !self.elem(e).protected
            {
                let found = Found::Element(package, e, true);
                match first {
                    Some((Found::Element(_, other, _), earlier)) if other != e => {
                        // MLS 13.2.1: a name that two unqualified imports give is ambiguous.
                        let (a, b) = (import.path.span, earlier.path.span);
                        self.report(diagnostics::ambiguous_import(name, a, b));
                    }
                    Some(_) => {}
                    None => first = Some((found, import)),
                }
                self.check_imported(Some(found), import);
            }
        }
        first.map(|(found, _)| found)
    }

    /// The enumeration and the position of a literal that an import visible from `scope` gives a name.
    pub(crate) fn imported_literal(&mut self, scope: InstId, name: Name) -> Option<(EnumId, usize)> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let imports = self.inst(id).imports.clone();
            for import in &imports {
                let parts = &import.path.parts;
                let (head, literal) = match (&import.kind, parts.split_last()) {
                    (ImportKind::Qualified, Some((last, head))) if last.name == name => (head, name),
                    (ImportKind::Renamed(alias), Some((last, head))) if alias.name == name => {
                        (head, last.name)
                    }
                    (ImportKind::List(names), Some(_)) if names.iter().any(|n| n.name == name) => {
                        (&parts[..], name)
                    }
                    _ => continue,
                };
                let found = self.lookup_global(head).and_then(|f| self.as_class(f));
                let Some(Found::Class(class)) = found else { return None };
                let Some(Basic::Enumeration(t)) = self.inst(class).basic else { return None };
                let position = self.store.enumeration(t).literals.iter().position(|l| *l == literal);
                return position.map(|p| (t, p));
            }
            let inst = self.inst(id);
            if inst.table.contains_key(&name) || inst.class.is_some_and(|class| class.encapsulated) {
                return None;
            }
            at = inst.parent;
        }
        None
    }

    /// What is imported is a public element of a package (MLS 13.2.1).
    fn check_imported(&mut self, found: Option<Found>, import: &ast::Import) {
        let Some(Found::Element(from, e, _)) = found else { return };
        let span = import.path.span;
        if self.elem(e).protected {
            let (name, place) = (self.elem(e).name, self.elem(e).span);
            self.report(diagnostics::protected_access(name, span, place));
        }
        let all = matches!(import.kind, ImportKind::All);
        let model = matches!(self.inst(from).kind, ClassKind::Model | ClassKind::Block);
        if !self.is_package_like(from) || (all && model) {
            let path = self.inst_path(from);
            self.report(diagnostics::import_from_non_package(&path, span));
        }
    }

    /// A package, or a class that could be one: without variables and equations (MLS 5.3.2).
    pub(crate) fn is_package_like(&self, inst: InstId) -> bool {
        use ast::ClassKind::{Operator, OperatorRecord, Package};
        let i = self.inst(inst);
        if matches!(i.kind, Package | Operator | OperatorRecord) || i.basic.is_some() {
            return true;
        }
        let constant = |e: &ElemId| match self.elem(*e).decl {
            Decl::Component(clause, _) => clause.type_prefix.variability == Some(ast::Variability::Constant),
            _ => true,
        };
        let silent = match i.class.map(|c| &c.body) {
            Some(ast::ClassBody::Long(body)) => {
                body.equations.iter().all(|s| s.equations.is_empty())
                    && body.algorithms.iter().all(|s| s.statements.is_empty())
            }
            _ => true,
        };
        silent && i.elements.iter().all(constant)
    }

    fn as_class(&mut self, found: Found) -> Option<Found> {
        match found {
            Found::Class(_) => Some(found),
            Found::Element(_, e, _) => self.elem_class(e).map(Found::Class),
        }
    }

    /// A fully qualified name from the top.
    pub(crate) fn lookup_global(&mut self, parts: &[Ident]) -> Option<Found> {
        let (first, rest) = parts.split_first()?;
        let mut found = self.lookup_top(first.name)?;
        for part in rest {
            let Found::Class(package) = self.as_class(found)? else { return None };
            self.expand(package);
            let &e = self.inst(package).table.get(&part.name)?;
            found = Found::Element(package, e, true);
        }
        Some(found)
    }

    /// The class that a type name means, reported if there is none.
    pub(crate) fn lookup_class(&mut self, scope: InstId, path: &Path) -> Option<InstId> {
        let first = path.parts.first()?;
        let found = match path.global {
            true => self.lookup_top(first.name),
            false => self.lookup_first(scope, first.name),
        };
        let Some(found) = found else {
            let known = self.visible_names(scope);
            // A dotted name that resembles nothing begins with a library; one message for each is enough.
            match path.parts.len() > 1 && !diagnostics::resembles(first.name, &known) {
                true => self.report_missing_library(first),
                false => self.report(diagnostics::unknown_class(first.name, first.span, &known)),
            }
            return None;
        };
        let mut current = match found {
            Found::Class(inst) => inst,
            Found::Element(_, e, _) => match self.elem_class(e) {
                Some(inst) => inst,
                None => {
                    let place = self.elem(e).span;
                    if matches!(self.elem(e).decl, Decl::Component(..)) {
                        self.report(diagnostics::not_a_class(first.name, first.span, place));
                    } else {
                        self.report(diagnostics::unknown_class(first.name, first.span, &[]));
                    }
                    return None;
                }
            },
        };
        for part in &path.parts[1..] {
            self.expand(current);
            let Some(&e) = self.inst(current).table.get(&part.name) else {
                let known: Vec<Name> =
                    self.inst(current).elements.iter().map(|e| self.elem(*e).name).collect();
                let inside = self.inst_path(current);
                self.report(diagnostics::unknown_member(part.name, &inside, part.span, &known));
                return None;
            };
            if self.elem(e).protected && !self.encloses(current, scope) {
                let place = self.elem(e).span;
                self.report(diagnostics::protected_access(part.name, part.span, place));
            }
            // Inside of the class its simple name means the same.
            if path.global || !self.encloses(current, scope) {
                self.check_inside(current, e, part.span);
            }
            match self.elem_class(e) {
                Some(inst) => current = inst,
                None => {
                    let place = self.elem(e).span;
                    self.report(diagnostics::not_a_class(part.name, part.span, place));
                    return None;
                }
            }
        }
        Some(current)
    }

    fn report_missing_library(&mut self, name: &Ident) {
        let missing = diagnostics::missing_library(name.name, name.span);
        if !self.diagnostics.iter().any(|d| d.code == missing.code && d.message == missing.message) {
            self.report(missing);
        }
    }

    /// Like `lookup_class`, without a message.
    pub(crate) fn quiet_path(&mut self, scope: InstId, path: &Path) -> Option<InstId> {
        let mark = self.diagnostics.len();
        let found = self.lookup_class(scope, path);
        self.forget(mark);
        found
    }

    /// The class of an extends clause or short class definition.
    pub(crate) fn lookup_base(
        &mut self,
        scope: InstId,
        path: &Path,
        derived: Option<InstId>,
    ) -> Option<InstId> {
        let found = self.lookup_class(scope, path)?;
        if derived == Some(found) {
            self.report(diagnostics::cyclic_inheritance(self.inst(found).name, path.span));
            return None;
        }
        Some(found)
    }

    /// Is `inner` lexically inside `outer`?
    pub(crate) fn encloses(&self, outer: InstId, inner: InstId) -> bool {
        let class = self.inst(outer).class;
        let mut current = Some(inner);
        while let Some(id) = current {
            let own = self.inst(id).class;
            let same = class.zip(own).is_some_and(|(a, b)| std::ptr::eq(a, b));
            if id == outer || same {
                return true;
            }
            current = self.inst(id).parent;
        }
        false
    }

    /// Names that could have been meant, for suggestions.
    pub(crate) fn visible_names(&self, scope: InstId) -> Vec<Name> {
        let mut names = Vec::new();
        let mut current = Some(scope);
        while let Some(id) = current {
            let inst = self.inst(id);
            names.extend(inst.elements.iter().map(|e| self.elem(*e).name));
            for import in &inst.imports {
                names.extend(import.path.parts.last().map(|p| p.name));
            }
            current = inst.parent;
        }
        names.extend(self.lib.known_top());
        names.extend(["Real", "Integer", "Boolean", "String"].map(Name::new));
        names
    }

    /// Finds a class by its dotted name, for the command line.
    pub fn find_class(&mut self, dotted: &str) -> Option<InstId> {
        let mut parts = split_dotted(dotted).into_iter();
        let mut current = self.top_class(Name::new(parts.next()?))?;
        for part in parts {
            self.expand(current);
            let &e = self.inst(current).table.get(&Name::new(part))?;
            current = self.elem_class(e)?;
        }
        Some(current)
    }

    /// All classes below a package that satisfy `wanted`, by dotted name.
    pub fn walk_classes(&mut self, inst: InstId, visit: &mut dyn FnMut(&mut Self, InstId)) {
        visit(self, inst);
        self.expand(inst);
        if self.inst(inst).kind != ClassKind::Package {
            return;
        }
        let own: Vec<ElemId> = self
            .inst(inst)
            .elements
            .iter()
            .copied()
            .filter(|e| self.elem(*e).scope == inst && self.elem(*e).is_class())
            .collect();
        for e in own {
            if let Some(child) = self.elem_class(e)
                && self.inst(child).parent == Some(inst)
            {
                self.walk_classes(child, visit);
            }
        }
    }
}

/// The identifiers of a dotted name; dots inside quotes belong to them.
fn split_dotted(name: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    for (at, c) in name.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '\'' => quoted = !quoted,
            '.' if !quoted => {
                parts.push(&name[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&name[start..]);
    parts
}
