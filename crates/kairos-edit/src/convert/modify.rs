//! Modifiers that become others, and classes that depend on modifiers (`convertModifiers`, `convertClassIf`).
//!
//! The old modifiers of a rule are taken out of the list and the new ones put in the place of the first of them; modifiers that
//! are there already go before new ones of the same name.

use super::project::{Meaning, names};
use super::rules::ModifierRule;
use super::simplify::simplified;
use super::walk::{Walk, by_hand};
use crate::patch::{Patch, apply};
use kairos_base::Span;
use kairos_syntax::ast::{Argument, ArgumentKind, Component, Expr, ExprKind, ModValue, Subscript};

/// Where modifiers stand, or would stand.
#[derive(Clone, Copy)]
pub(super) struct Site<'t> {
    /// New brackets go behind this offset.
    at: Option<usize>,
    /// The component that is modified.
    component: Option<&'t str>,
}

impl<'t> Site<'t> {
    /// A place that no rule concerns.
    pub fn nowhere() -> Self {
        Site { at: None, component: None }
    }

    /// Behind the name of a class; not where subscripts follow it, whose end is not known.
    pub fn behind(end: u32, dims: &[Subscript]) -> Self {
        Site { at: dims.is_empty().then_some(end as usize), component: None }
    }

    pub fn component(component: &'t Component) -> Self {
        let at = match component.dims.last() {
            None => Some(component.name.span.end as usize),
            Some(_) => None,
        };
        Site { at, component: Some(component.name.name.as_str()) }
    }
}

impl<'t> Walk<'_, 't> {
    /// The modifiers of something of the type `of`.
    pub fn arguments(&mut self, of: &Meaning, args: &'t [Argument], site: Site<'t>) {
        for arg in args {
            match &arg.kind {
                ArgumentKind::Modify { path, modification, .. } => {
                    let inner = self.elements(of, path, &[]);
                    if let Some(m) = modification {
                        self.arguments(&inner, &m.args, Site::nowhere());
                        if let Some(ModValue::Expr(value)) = &m.value {
                            self.expr(value);
                        }
                    }
                }
                kind => self.redeclaration(of, kind),
            }
        }
        self.replace(of, args, site);
    }

    /// Applies the rules for modifiers of the classes that `of` is.
    fn replace(&mut self, of: &Meaning, args: &'t [Argument], site: Site<'t>) {
        let direct = matches!(of, Meaning::Library(_));
        let (mut removed, mut added) = (vec![false; args.len()], Vec::new());
        let rules = self.project.rules;
        for class in self.project.ancestors(of) {
            for rule in rules.modifiers.get(&class).into_iter().flatten() {
                self.apply_rule(rule, args, site, direct, &mut removed, &mut added);
            }
            if direct && let Some(choice) = self.choice(&class, args) {
                removed[choice.1] = true;
            }
        }
        self.edit(args, &removed, added, site);
    }

    fn apply_rule(
        &mut self,
        rule: &ModifierRule,
        args: &'t [Argument],
        site: Site<'t>,
        direct: bool,
        removed: &mut [bool],
        added: &mut Vec<String>,
    ) {
        let found: Vec<Option<usize>> = rule.old.iter().map(|(name, _)| position(args, name)).collect();
        let present = found.iter().any(Option::is_some);
        let for_all = rule.old.is_empty();
        let fits = rule.connected.iter().all(|(connector, any)| {
            site.component.is_some_and(|component| {
                let name = format!("{component}.{connector}");
                self.connected.contains(&name) == *any
            })
        });
        // What is added to every use is added where the class itself is named: classes that inherit from it have it.
        if !fits || (!present && !for_all) || (for_all && !direct) {
            return;
        }
        let mut texts = Vec::new();
        for (name, template) in &rule.new {
            let there = position(args, name).filter(|k| !found.contains(&Some(*k)));
            if let Some(k) = there {
                if !for_all {
                    let text =
                        format!("`{name}` is set already, and a converted modifier is left out for it");
                    self.messages.push(by_hand(&text).at(args[k].span));
                }
                continue;
            }
            match self.filled(template, rule, args, &found) {
                Some(value) => {
                    let value = if rule.simplify { simplified(&value) } else { value };
                    texts.push(format!("{}{name}={value}", prefix(args, &found)));
                }
                None => {
                    let place = found.iter().flatten().next().map(|&k| args[k].span);
                    let text = format!("`{name}={template}` needs a value that is not written here");
                    let message = by_hand(&text);
                    self.messages.push(match place {
                        Some(span) => message.at(span),
                        None => message,
                    });
                    return;
                }
            }
        }
        found.iter().flatten().for_each(|&k| removed[k] = true);
        texts.retain(|text| !added.contains(text));
        added.append(&mut texts);
    }

    /// The text of a new value, with the old values in their places.
    fn filled(
        &self,
        template: &str,
        rule: &ModifierRule,
        args: &[Argument],
        found: &[Option<usize>],
    ) -> Option<String> {
        let mut text = template.to_string();
        for ((name, default), at) in rule.old.iter().zip(found) {
            let mark = format!("%{name}%");
            if !text.contains(&mark) {
                continue;
            }
            let (value, atomic) = match at.and_then(|k| value_of(&args[k])) {
                Some(e) => (self.converted(e.span), is_atomic(e)),
                None if at.is_some() => return None,
                None => {
                    let default = default.clone()?;
                    let atomic = default.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '_');
                    (default, atomic)
                }
            };
            let whole = text.trim() == mark;
            let value = if atomic || whole { value } else { format!("({value})") };
            text = text.replace(&mark, &value);
        }
        Some(text)
    }

    /// A piece of text with the patches that were made in it.
    fn converted(&self, span: Span) -> String {
        let (start, end) = (span.start as usize, span.end as usize);
        let inside = self.patches.iter().filter(|p| p.start >= start && p.end <= end);
        let moved = |p: &Patch| Patch::replace(p.start - start, p.end - start, p.text.clone());
        apply(&self.text[start..end], &inside.map(moved).collect::<Vec<_>>())
    }

    /// Takes modifiers out of a list, and puts new ones in.
    fn edit(&mut self, args: &[Argument], removed: &[bool], added: Vec<String>, site: Site) {
        let range = |k: usize| (args[k].span.start as usize, args[k].span.end as usize);
        let gone: Vec<usize> = (0..args.len()).filter(|&k| removed[k]).collect();
        if gone.is_empty() && added.is_empty() {
            return;
        }
        for &k in &gone {
            let (start, end) = range(k);
            self.patches.retain(|p| !(p.start >= start && p.end <= end));
        }
        let new = added.join(", ");
        match (gone.first().copied(), args.len()) {
            (None, 0) => match site.at {
                Some(at) => self.patches.push(Patch::insert(at, format!("({new})"))),
                None => {
                    let text =
                        format!("`{new}` is to be set for `{}`", site.component.unwrap_or("the class"));
                    self.messages.push(by_hand(&text));
                }
            },
            (None, n) => self.patches.push(Patch::insert(range(n - 1).1, format!(", {new}"))),
            (Some(first), n) if new.is_empty() && gone.len() == n => {
                // Nothing is left: the brackets go, too.
                let start = self.text[..range(first).0].rfind('(');
                let end = range(n - 1).1 + self.text[range(n - 1).1..].find(')').map_or(0, |at| at + 1);
                if let Some(start) = start {
                    self.patches.push(Patch::remove(start, end));
                }
            }
            (Some(first), n) => {
                let keeps_first = !new.is_empty();
                if keeps_first {
                    self.patches.push(Patch::replace(range(first).0, range(first).1, new));
                }
                for &k in gone.iter().filter(|&&k| !(keeps_first && k == first)) {
                    let stays = |j: &usize| !removed[*j] || (keeps_first && *j == first);
                    match (k + 1..n).find(|j| stays(j)) {
                        Some(_) => self.patches.push(Patch::remove(range(k).0, range(k + 1).0)),
                        None => {
                            let before = (0..k).rev().find(|j| stays(j)).map_or(range(k).0, |j| range(j).1);
                            let from = if removed[k - 1] && k - 1 != first { range(k - 1).1 } else { before };
                            self.patches.push(Patch::remove(from, range(k).1));
                        }
                    }
                }
            }
        }
    }

    /// The class that the literal modifiers choose, if a rule says so, and the modifier that chose it.
    fn choice(&self, class: &str, args: &[Argument]) -> Option<(String, usize)> {
        let list = self.project.rules.choices.get(class)?;
        list.iter().find_map(|rule| {
            let at = position(args, &rule.element)?;
            let value = value_of(&args[at])?;
            let given = self.text[value.span.start as usize..value.span.end as usize].trim();
            let same = match &value.kind {
                ExprKind::Ref(r) => {
                    let literal = r.parts.last().map_or("", |part| part.name.name.as_str());
                    Some(literal) == rule.value.rsplit('.').next()
                }
                _ => given == rule.value.trim(),
            };
            same.then(|| (rule.class.clone(), at))
        })
    }

    /// The name that a class gets because of its modifiers.
    pub fn chosen(
        &mut self,
        full: &[String],
        mods: &[Argument],
        each: &[&[Argument]],
        place: Span,
    ) -> Option<String> {
        let class = full.join(".");
        let found = self.choice(&class, mods).map(|(name, _)| name);
        let differs = each.iter().any(|args| self.choice(&class, args).map(|(name, _)| name) != found);
        if differs {
            let text = format!(
                "the components here become classes of their own: `{class}` depends on their modifiers"
            );
            self.messages.push(by_hand(&text).at(place));
            return None;
        }
        found
    }
}

/// The modifier of a name, as `a.b = …` or `a(b = …)` where that is all it has.
fn position(args: &[Argument], name: &str) -> Option<usize> {
    args.iter().position(|arg| spelled(arg).is_some_and(|path| path == name))
}

fn spelled(arg: &Argument) -> Option<String> {
    let ArgumentKind::Modify { path, modification, .. } = &arg.kind else { return None };
    let here = names(path).join(".");
    match modification {
        Some(m) if m.value.is_none() => match m.args.as_slice() {
            [only] => Some(format!("{here}.{}", spelled(only)?)),
            _ => Some(here),
        },
        _ => Some(here),
    }
}

fn value_of(arg: &Argument) -> Option<&Expr> {
    let ArgumentKind::Modify { modification: Some(m), .. } = &arg.kind else { return None };
    match (&m.value, m.args.as_slice()) {
        (Some(ModValue::Expr(e)), _) => Some(e),
        (None, [only]) => value_of(only),
        _ => None,
    }
}

/// The prefixes of the old modifiers, which the new ones get.
fn prefix(args: &[Argument], found: &[Option<usize>]) -> String {
    let has = |flag: fn(&Argument) -> bool| found.iter().flatten().any(|&k| flag(&args[k]));
    let each = if has(|arg| arg.each) { "each " } else { "" };
    let last = if has(|arg| arg.is_final) { "final " } else { "" };
    format!("{each}{last}")
}

fn is_atomic(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Real(_)
            | ExprKind::Integer(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::Ref(_)
            | ExprKind::Call { .. }
            | ExprKind::Array(_)
            | ExprKind::Matrix(_)
            | ExprKind::Tuple(_)
    )
}
