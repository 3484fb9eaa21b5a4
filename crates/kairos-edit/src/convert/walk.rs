//! The walk over everything in a source that names something, with a patch wherever a rule names it anew.

use super::modify::Site;
use super::project::{Found, Local, Meaning, Project, Source, join, names};
use crate::patch::Patch;
use kairos_base::{Diagnostic, Name, Span};
use kairos_syntax::ast::{
    Annotation, Args, Argument, ArgumentKind, Class, ClassBody, Comment, ComponentClause, ComponentRef,
    Composition, Constraining, Element, ElementKind, Equation, EquationKind, Expr, ExprKind, ForIndex, Ident,
    Import, ImportKind, ModValue, Path, Statement, StatementKind, Subscript,
};

pub(super) struct Walk<'p, 't> {
    pub project: &'p Project<'t>,
    pub text: &'t str,
    source: &'t Source,
    pub patches: Vec<Patch>,
    pub messages: Vec<Diagnostic>,
    /// The class that is walked through.
    pub scope: String,
    /// Names of iterators that hide others.
    iterators: Vec<Name>,
    /// What the class connects: names without subscripts.
    pub connected: Vec<String>,
}

impl<'p, 't> Walk<'p, 't> {
    pub fn new(project: &'p Project<'t>, source: &'t Source) -> Self {
        let (text, scope) = (&*source.text, String::new());
        let (patches, messages, iterators, connected) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Walk { project, text, source, patches, messages, scope, iterators, connected }
    }

    pub fn source(&mut self) {
        let source = self.source;
        let within = source.tree.within.as_ref();
        self.scope = within.map_or(String::new(), |path| names(&path.parts).join("."));
        source.tree.classes.iter().for_each(|class| self.class(class));
    }

    /// A class in the present scope.
    fn class(&mut self, class: &'t Class) {
        let outer = self.scope.clone();
        match &class.body {
            ClassBody::Long(long) => {
                self.scope = join(&outer, class.name.name.as_str());
                let connected = std::mem::take(&mut self.connected);
                self.composition(long);
                self.connected = connected;
                self.scope = outer;
            }
            ClassBody::Short(short) => {
                short.dims.iter().for_each(|sub| self.subscript(sub));
                let of = self.path(&short.base, &short.mods, &[]);
                self.arguments(&of, &short.mods, Site::behind(short.base.span.end, &short.dims));
                self.comment(&short.comment);
            }
            ClassBody::Enumeration(literals, comment) => {
                literals.iter().flatten().for_each(|literal| self.comment(&literal.comment));
                self.comment(comment);
            }
            ClassBody::Derivative(path, _, comment) => {
                self.path(path, &[], &[]);
                self.comment(comment);
            }
        }
    }

    fn composition(&mut self, long: &'t Composition) {
        for section in &long.equations {
            connections(&section.equations, &mut self.connected);
        }
        if let Some(mods) = &long.extends_modifier {
            self.arguments(&Meaning::Unknown, mods, Site::nowhere());
        }
        long.elements.iter().for_each(|element| self.element(element));
        long.equations.iter().for_each(|section| self.equations(&section.equations));
        long.algorithms.iter().for_each(|section| self.statements(&section.statements));
        if let Some(external) = &long.external {
            external.output.iter().for_each(|r| self.reference(r));
            external.args.iter().for_each(|e| self.expr(e));
        }
        self.annotation(long.annotation.as_ref());
    }

    fn element(&mut self, element: &'t Element) {
        match &element.kind {
            ElementKind::Import(import) => self.import(import),
            ElementKind::Extends(extends) => {
                let of = self.path(&extends.base, &extends.mods, &[]);
                self.arguments(&of, &extends.mods, Site::behind(extends.base.span.end, &[]));
                self.annotation(extends.annotation.as_ref());
            }
            ElementKind::Class(inner) => {
                self.class(&inner.class);
                self.constraining(inner.constraining.as_deref());
            }
            ElementKind::Components(clause) => self.clause(clause),
        }
    }

    fn clause(&mut self, clause: &'t ComponentClause) {
        let mods: Vec<&[Argument]> = clause
            .components
            .iter()
            .map(|c| c.modification.as_ref().map_or(&[][..], |m| m.args.as_slice()))
            .collect();
        let of = self.path(&clause.type_name, mods.first().copied().unwrap_or(&[]), &mods);
        clause.dims.iter().for_each(|sub| self.subscript(sub));
        for component in &clause.components {
            component.dims.iter().for_each(|sub| self.subscript(sub));
            let site = Site::component(component);
            let args = component.modification.as_ref().map_or(&[][..], |m| m.args.as_slice());
            self.arguments(&of, args, site);
            if let Some(ModValue::Expr(value)) =
                component.modification.as_ref().and_then(|m| m.value.as_ref())
            {
                self.expr(value);
            }
            component.condition.iter().for_each(|e| self.expr(e));
            self.comment(&component.comment);
        }
        self.constraining(clause.constraining.as_deref());
    }

    fn constraining(&mut self, constraining: Option<&'t Constraining>) {
        let Some(constraining) = constraining else { return };
        let of = self.path(&constraining.base, &constraining.mods, &[]);
        self.arguments(&of, &constraining.mods, Site::behind(constraining.base.span.end, &[]));
        self.comment(&constraining.comment);
    }

    /// A redeclaration in modifiers of something of the type `of`.
    pub fn redeclaration(&mut self, of: &Meaning, kind: &'t ArgumentKind) {
        match kind {
            ArgumentKind::Class { class, constraining, .. } => {
                self.elements(of, &[class.name], &[]);
                self.class(class);
                self.constraining(constraining.as_deref());
            }
            ArgumentKind::Component { clause, .. } => {
                for component in &clause.components {
                    self.elements(of, &[component.name], &[]);
                }
                self.clause(clause);
            }
            ArgumentKind::Modify { .. } => {}
        }
    }

    /// A class that is named, with the modifiers that it gets: the name may depend on them. `each` are the modifiers of the
    /// several components of a clause.
    fn path(&mut self, path: &'t Path, mods: &[Argument], each: &[&[Argument]]) -> Meaning {
        let found = self.project.path(&self.scope, path);
        if let Meaning::Library(full) = &found.meaning {
            let spans: Vec<Span> = path.parts.iter().map(|part| part.span).collect();
            if let Some(new) = self.chosen(full, mods, each, path.span) {
                self.write(&spans, 0, spans.len(), new);
            } else {
                self.rename(&found, full, &spans, path.span);
            }
        }
        found.meaning
    }

    /// Names a library's class anew where it is written.
    fn rename(&mut self, found: &Found, full: &[String], spans: &[Span], place: Span) {
        let rules = self.project.rules;
        let base = full.len() - (spans.len() - found.anchor);
        match rules.rename(full) {
            Some(new) if new.matched > base => {
                let until = found.anchor + new.matched - base;
                let before = match base {
                    0 => String::new(),
                    _ => {
                        rules.rename(&full[..base]).map_or(full[..base].join("."), |r| {
                            full[r.matched..base].iter().fold(r.text, |name, part| join(&name, part))
                        }) + "."
                    }
                };
                match new.text.strip_prefix(&before) {
                    Some(rest) => self.write(spans, found.anchor, until, rest.to_string()),
                    None => self.write(spans, 0, until, new.text),
                }
            }
            Some(_) => {}
            None => self.tell(full, place),
        }
    }

    /// What there is to tell of a class, or of one that it is in.
    fn tell(&mut self, full: &[String], place: Span) {
        for length in (1..=full.len()).rev() {
            let class = full[..length].join(".");
            let element = full.get(length).and_then(|part| self.project.rules.message(&class, Some(part)));
            if let Some(text) = element.or_else(|| self.project.rules.message(&class, None)) {
                let message = by_hand(&format!("`{}` is not converted: {text}", full.join("."))).at(place);
                return self.messages.push(message);
            }
        }
    }

    /// Other text for the parts of a name from `from` to `until`.
    fn write(&mut self, spans: &[Span], from: usize, until: usize, text: String) {
        let (start, end) = (spans[from].start as usize, spans[until - 1].end as usize);
        if self.text[start..end] != text {
            self.patches.push(Patch::replace(start, end, text));
        }
    }

    /// Elements of something of the type `of`, as `a.b`; the `gaps` are parts that are followed by subscripts. Yields the type
    /// of the last one, where it is known.
    pub fn elements(&mut self, of: &Meaning, idents: &[Ident], gaps: &[bool]) -> Meaning {
        let (mut of, parts) = (of.clone(), names(idents));
        for k in 0..parts.len() {
            if let Meaning::User(class) = &of
                && let Some(part) = self.project.component(class, &parts[k])
            {
                of = self.project.type_of(part);
                continue;
            }
            for class in self.project.ancestors(&of) {
                if let Some((count, new)) = self.project.rules.element(&class, &parts[k..]) {
                    let place = idents[k].span.to(idents[k + count - 1].span);
                    if (k..k + count - 1).any(|at| gaps.get(at) == Some(&true)) {
                        let text = format!("`{}` of `{class}` is `{new}` now", parts[k..k + count].join("."));
                        self.messages.push(by_hand(&text).at(place));
                    } else {
                        let (start, end) = (place.start as usize, place.end as usize);
                        self.patches.push(Patch::replace(start, end, new));
                    }
                    return Meaning::Unknown;
                }
                if let Some(text) = self.project.rules.message(&class, Some(&parts[k])) {
                    let text = format!("`{}` of `{class}` is not converted: {text}", parts[k]);
                    self.messages.push(by_hand(&text).at(idents[k].span));
                    return Meaning::Unknown;
                }
            }
            return Meaning::Unknown;
        }
        of
    }

    fn import(&mut self, import: &'t Import) {
        let full = names(&import.path.parts);
        let start = import.path.span.start as usize;
        let end = import.path.span.end as usize;
        self.comment(&import.comment);
        if let ImportKind::List(list) = &import.kind {
            return self.import_list(&full, list, start);
        }
        let Meaning::Library(full) = self.project.named_from_top(full) else { return };
        let Some(new) = self.renamed(&full) else { return self.tell(&full, import.path.span) };
        let last = |name: &str| name.rsplit('.').next().unwrap_or("").to_string();
        let text = match &import.kind {
            // What the class was called here it goes on being called here.
            ImportKind::Qualified if last(&new) != full[full.len() - 1] => {
                format!("{} = {new}", full[full.len() - 1])
            }
            _ => new,
        };
        if self.text[start..end] != text {
            self.patches.push(Patch::replace(start, end, text));
        }
    }

    /// `import A.{B, C};`, which may have to become several.
    fn import_list(&mut self, package: &[String], list: &[Ident], start: usize) {
        let whole = |item: &Ident| [package, &[item.name.to_string()]].concat();
        let fulls: Vec<Vec<String>> = list.iter().map(whole).collect();
        if fulls.iter().all(|full| self.renamed(full).is_none()) {
            fulls.iter().zip(list).for_each(|(full, item)| self.tell(full, item.span));
            return;
        }
        let Some(last) = list.last() else { return };
        let end = last.span.end as usize;
        let end = end + self.text[end..].find('}').map_or(0, |at| at + 1);
        let items = fulls.iter().map(|full| {
            let new = self.renamed(full).unwrap_or_else(|| full.join("."));
            let (old, tail) = (&full[full.len() - 1], new.rsplit('.').next().unwrap_or(""));
            if old == tail { new.clone() } else { format!("{old} = {new}") }
        });
        let text = items.collect::<Vec<_>>().join("; import ");
        self.patches.push(Patch::replace(start, end, text));
    }

    /// The whole new name of what is named from the top.
    fn renamed(&self, full: &[String]) -> Option<String> {
        let new = self.project.rules.rename(full)?;
        Some(full[new.matched..].iter().fold(new.text, |name, part| join(&name, part)))
    }

    fn comment(&mut self, comment: &'t Comment) {
        self.annotation(comment.annotation.as_ref());
    }

    /// Annotations name classes in choices and in relations between functions.
    fn annotation(&mut self, annotation: Option<&'t Annotation>) {
        if let Some(annotation) = annotation {
            self.arguments(&Meaning::Unknown, &annotation.args, Site::nowhere());
        }
    }

    fn equations(&mut self, list: &'t [Equation]) {
        for equation in list {
            match &equation.kind {
                EquationKind::Equal(a, b) | EquationKind::Connect(a, b) => {
                    self.expr(a);
                    self.expr(b);
                }
                EquationKind::If { branches, otherwise } => {
                    for (condition, body) in branches {
                        self.expr(condition);
                        self.equations(body);
                    }
                    self.equations(otherwise);
                }
                EquationKind::When { branches } => {
                    for (condition, body) in branches {
                        self.expr(condition);
                        self.equations(body);
                    }
                }
                EquationKind::For { indices, body } => self.within(indices, |walk| walk.equations(body)),
                EquationKind::Call(call) => self.expr(call),
            }
            self.comment(&equation.comment);
        }
    }

    fn statements(&mut self, list: &'t [Statement]) {
        for statement in list {
            match &statement.kind {
                StatementKind::Assign(target, value) => {
                    self.reference(target);
                    self.expr(value);
                }
                StatementKind::AssignTuple(targets, call) => {
                    targets.iter().flatten().for_each(|e| self.expr(e));
                    self.expr(call);
                }
                StatementKind::Call(call) => self.expr(call),
                StatementKind::If { branches, otherwise } => {
                    for (condition, body) in branches {
                        self.expr(condition);
                        self.statements(body);
                    }
                    self.statements(otherwise);
                }
                StatementKind::When { branches } => {
                    for (condition, body) in branches {
                        self.expr(condition);
                        self.statements(body);
                    }
                }
                StatementKind::For { indices, body } => self.within(indices, |walk| walk.statements(body)),
                StatementKind::While(condition, body) => {
                    self.expr(condition);
                    self.statements(body);
                }
                StatementKind::Break | StatementKind::Return => {}
            }
            self.comment(&statement.comment);
        }
    }

    /// What stands behind iterators, whose names hide others.
    fn within(&mut self, indices: &'t [ForIndex], inside: impl FnOnce(&mut Self)) {
        let count = self.iterators.len();
        for index in indices {
            index.range.iter().for_each(|range| self.expr(range));
            self.iterators.push(index.name.name);
        }
        inside(self);
        self.iterators.truncate(count);
    }

    pub fn expr(&mut self, e: &'t Expr) {
        match &e.kind {
            ExprKind::Ref(r) => self.reference(r),
            ExprKind::Unary(_, a) | ExprKind::Field(a, _) => self.expr(a),
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::If { branches, otherwise } => {
                for (condition, value) in branches {
                    self.expr(condition);
                    self.expr(value);
                }
                self.expr(otherwise);
            }
            ExprKind::Range { start, step, stop } => {
                self.expr(start);
                step.iter().for_each(|e| self.expr(e));
                self.expr(stop);
            }
            ExprKind::Call { function, args } => {
                let of = self.called(function);
                self.args(&of, args);
            }
            ExprKind::Array(items) => items.iter().for_each(|e| self.expr(e)),
            ExprKind::ArrayComprehension(body, indices) => self.within(indices, |walk| walk.expr(body)),
            ExprKind::Matrix(rows) => rows.iter().flatten().for_each(|e| self.expr(e)),
            ExprKind::Tuple(items) => items.iter().flatten().for_each(|e| self.expr(e)),
            ExprKind::Index(a, subs) => {
                self.expr(a);
                subs.iter().for_each(|sub| self.subscript(sub));
            }
            ExprKind::Partial { function, args } => {
                let of = self.path(function, &[], &[]);
                for arg in args {
                    self.elements(&of, &[arg.name], &[]);
                    self.expr(&arg.value);
                }
            }
            ExprKind::Real(_)
            | ExprKind::Integer(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::End
            | ExprKind::Error => {}
        }
    }

    fn args(&mut self, of: &Meaning, args: &'t Args) {
        self.within(&args.iterators, |walk| {
            args.positional.iter().for_each(|e| walk.expr(e));
            for arg in &args.named {
                walk.elements(of, &[arg.name], &[]);
                walk.expr(&arg.value);
            }
        });
    }

    /// The function of a call: the class that its name means.
    fn called(&mut self, r: &'t ComponentRef) -> Meaning {
        let parts: Vec<String> = r.parts.iter().map(|part| part.name.name.to_string()).collect();
        self.reference(r);
        let class = match r.global {
            true => true,
            false => !matches!(
                self.project.lookup(&self.scope, &parts[0], true),
                Some(Local::Component(_) | Local::Inherited(_))
            ),
        };
        match class {
            true => self.project.resolve(&self.scope, &parts, r.global, true).meaning,
            false => Meaning::Unknown,
        }
    }

    fn reference(&mut self, r: &'t ComponentRef) {
        for part in &r.parts {
            part.subscripts.iter().for_each(|sub| self.subscript(sub));
        }
        let Some(first) = r.parts.first() else { return };
        if !r.global && self.iterators.contains(&first.name.name) {
            return;
        }
        let idents: Vec<Ident> = r.parts.iter().map(|part| part.name).collect();
        let gaps: Vec<bool> = r.parts.iter().map(|part| !part.subscripts.is_empty()).collect();
        let local = match r.global {
            true => None,
            false => self.project.lookup(&self.scope, first.name.name.as_str(), true),
        };
        match local {
            Some(Local::Component(part)) => {
                let of = self.project.type_of(part);
                self.elements(&of, &idents[1..], &gaps[1..]);
            }
            Some(Local::Inherited(base)) => {
                self.elements(&Meaning::Library(base), &idents, &gaps);
            }
            Some(Local::Class(_)) | None => {
                let parts = names(&idents);
                let found = self.project.resolve(&self.scope, &parts, r.global, true);
                if let Meaning::Library(full) = &found.meaning {
                    let spans: Vec<Span> = idents.iter().map(|ident| ident.span).collect();
                    self.rename(&found, full, &spans, r.span);
                }
            }
        }
    }

    fn subscript(&mut self, sub: &'t Subscript) {
        if let Subscript::Expr(e) = sub {
            self.expr(e);
        }
    }
}

/// A message about what has to be done by hand.
pub(super) fn by_hand(text: &str) -> Diagnostic {
    Diagnostic::warning("conversion-by-hand", text).help("change this place by hand; the rest was converted")
}

/// The names in connections, without subscripts.
fn connections(list: &[Equation], names: &mut Vec<String>) {
    for equation in list {
        match &equation.kind {
            EquationKind::Connect(a, b) => {
                for e in [a, b] {
                    if let ExprKind::Ref(r) = &e.kind {
                        let parts: Vec<&str> = r.parts.iter().map(|part| part.name.name.as_str()).collect();
                        names.push(parts.join("."));
                    }
                }
            }
            EquationKind::If { branches, otherwise } => {
                branches.iter().for_each(|(_, body)| connections(body, names));
                connections(otherwise, names);
            }
            EquationKind::For { body, .. } => connections(body, names),
            _ => {}
        }
    }
}
