//! The rules of a conversion: what classes, elements and modifiers are called now (MLS 18.8.2.1).
//!
//! Rules name classes by their old names. Where several fit a name, the one that matches most of its parts decides, so that
//! `A.B -> D` goes before `A -> C` whatever order they stand in.

use kairos_base::hash::HashMap;

/// A new name for the first parts of a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Renamed {
    /// So many parts of the old name are replaced.
    pub matched: usize,
    pub text: String,
}

/// `convertClassIf`: the class depends on the literal value of a modifier.
#[derive(Clone, Debug)]
pub(super) struct ClassIf {
    pub element: String,
    pub value: String,
    pub class: String,
}

/// `convertModifiers`: some modifiers become others.
#[derive(Clone, Debug)]
pub(super) struct ModifierRule {
    /// Names with their default values.
    pub old: Vec<(String, Option<String>)>,
    /// Connectors of the component with the number of inside connections: none (`false`) or any.
    pub connected: Vec<(String, bool)>,
    /// Names with texts in which `%name%` stands for an old value.
    pub new: Vec<(String, String)>,
    pub simplify: bool,
}

/// All rules of a step from one version to another.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub(super) classes: HashMap<String, String>,
    pub(super) choices: HashMap<String, Vec<ClassIf>>,
    /// Of a class: old names, by their parts, and new ones.
    pub(super) elements: HashMap<String, Vec<(Vec<String>, String)>>,
    pub(super) modifiers: HashMap<String, Vec<ModifierRule>>,
    /// Of a class: an element, or the class itself, and what to tell of it.
    pub(super) messages: HashMap<String, Vec<(Option<String>, String)>>,
}

impl Rules {
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many rules there are.
    pub fn len(&self) -> usize {
        let lists = self.elements.values().map(Vec::len).sum::<usize>()
            + self.modifiers.values().map(Vec::len).sum::<usize>()
            + self.choices.values().map(Vec::len).sum::<usize>()
            + self.messages.values().map(Vec::len).sum::<usize>();
        self.classes.len() + lists
    }

    /// The new name of a class or of an element in one, named from the top.
    pub(super) fn rename(&self, full: &[String]) -> Option<Renamed> {
        let mut best: Option<Renamed> = None;
        for length in (1..=full.len()).rev() {
            let prefix = full[..length].join(".");
            let found = match self.element(&prefix, &full[length..]) {
                Some((parts, new)) => {
                    let class = self.class(&full[..length]).unwrap_or(prefix);
                    Some(Renamed { matched: length + parts, text: format!("{class}.{new}") })
                }
                None => self.classes.get(&prefix).map(|new| Renamed { matched: length, text: new.clone() }),
            };
            if let Some(found) = found
                && best.as_ref().is_none_or(|b| found.matched > b.matched)
            {
                best = Some(found);
            }
        }
        best
    }

    /// The whole new name of what is named from the top; `None` if it stays.
    pub(super) fn class(&self, full: &[String]) -> Option<String> {
        let longest = (1..=full.len()).rev().find(|&n| self.classes.contains_key(&full[..n].join(".")))?;
        let mut name = self.classes[&full[..longest].join(".")].clone();
        full[longest..].iter().for_each(|part| name.extend([".", part]));
        Some(name)
    }

    /// The new name of an element of a class: how many parts it replaces, and the text.
    pub(super) fn element(&self, class: &str, parts: &[String]) -> Option<(usize, &str)> {
        let list = self.elements.get(class)?;
        let fitting = list.iter().filter(|(old, _)| parts.starts_with(old));
        fitting.max_by_key(|(old, _)| old.len()).map(|(old, new)| (old.len(), new.as_str()))
    }

    /// What there is to tell of a class, or of its element.
    pub(super) fn message(&self, class: &str, element: Option<&str>) -> Option<&str> {
        let list = self.messages.get(class)?;
        list.iter().find(|(of, _)| of.as_deref() == element).map(|(_, text)| text.as_str())
    }

    /// Is there a rule for this class, or for one inside of it?
    pub(super) fn knows(&self, class: &str) -> bool {
        let inside = |name: &String| {
            name.strip_prefix(class).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.classes.keys().any(inside)
            || self.elements.keys().any(inside)
            || self.modifiers.keys().any(inside)
            || self.choices.keys().any(inside)
            || self.messages.keys().any(inside)
    }
}
