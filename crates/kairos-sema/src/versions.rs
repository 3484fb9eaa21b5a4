//! Which of several versions of a library is meant (MLS 18.8).

use crate::annotations;
use kairos_syntax::ast::{ArgumentKind, Class, ClassBody, Expr, ExprKind, ModValue};

/// A place where a library of the wanted name is: `folder/` or `file.mo`.
pub(crate) struct Candidate {
    /// The version in the name of the folder or file.
    pub version: Option<String>,
    pub place: String,
}

/// `Some(version)` if a file name stem is `name` or `name version`.
pub(crate) fn split(stem: &str, name: &str) -> Option<Option<String>> {
    let rest = stem.strip_prefix(name)?;
    match rest.strip_prefix(' ') {
        None if rest.is_empty() => Some(None),
        Some(version) if version.starts_with(|c: char| c.is_ascii_digit()) => Some(Some(version.to_string())),
        _ => None,
    }
}

/// The best candidate: the wanted version, else one that needs no conversion from it, else the first place; there a
/// folder without a version, else the highest version. `classes` are those of the candidates, where they were read.
pub(crate) fn choose(found: &[Candidate], classes: &[Option<&Class>], wanted: Option<&str>) -> Option<usize> {
    let version = |k: usize| {
        let declared = classes[k].and_then(version_of).map(String::from);
        declared.or_else(|| found[k].version.clone())
    };
    let all = 0..found.len();
    if let Some(wanted) = wanted {
        if let Some(exact) = all.clone().find(|&k| version(k).as_deref() == Some(wanted)) {
            return Some(exact);
        }
        let serving = all.clone().filter(|&k| classes[k].is_some_and(|class| serves(class, wanted)));
        if let Some(best) = serving.max_by_key(|&k| (numbers(&version(k)), std::cmp::Reverse(k))) {
            return Some(best);
        }
    }
    let folder = |k: usize| {
        let place = found[k].place.trim_end_matches('/');
        place.rsplit_once('/').map_or("", |(folder, _)| folder)
    };
    let first = folder(all.clone().next()?);
    let here = all.filter(|&k| folder(k) == first);
    here.clone()
        .find(|&k| found[k].version.is_none())
        .or_else(|| here.max_by_key(|&k| (numbers(&found[k].version), std::cmp::Reverse(k))))
}

/// The version that a library says it has.
pub fn version_of(class: &Class) -> Option<&str> {
    let ClassBody::Long(body) = &class.body else { return None };
    annotations::find(&body.annotation.as_ref()?.args, "version")?.1.and_then(annotations::text)
}

/// Can models made for `wanted` use this library as it is: same version, or `conversion(noneFromVersion = wanted)`?
/// A library without a version serves everyone.
pub(crate) fn serves(class: &Class, wanted: &str) -> bool {
    let Some(version) = version_of(class) else { return true };
    version == wanted || unconverted(class).contains(&wanted)
}

/// The versions from which nothing has to be converted.
fn unconverted(class: &Class) -> Vec<&str> {
    let ClassBody::Long(body) = &class.body else { return Vec::new() };
    let Some(annotation) = &body.annotation else { return Vec::new() };
    let Some((args, _)) = annotations::find(&annotation.args, "conversion") else { return Vec::new() };
    let mut list = Vec::new();
    for arg in args {
        if let ArgumentKind::Modify { path, modification: Some(m), .. } = &arg.kind
            && path.len() == 1
            && path[0].name == *"noneFromVersion"
            && let Some(ModValue::Expr(value)) = &m.value
        {
            texts(value, &mut list);
        }
    }
    list
}

fn texts<'e>(e: &'e Expr, list: &mut Vec<&'e str>) {
    match &e.kind {
        ExprKind::Array(items) => items.iter().for_each(|item| texts(item, list)),
        _ => list.extend(annotations::text(e)),
    }
}

fn numbers(version: &Option<String>) -> Vec<u64> {
    let text = version.as_deref().unwrap_or("");
    text.split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0)).collect()
}

/// What the file of a top-level package says about the library.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    pub name: String,
    pub version: Option<String>,
    /// Other libraries with the versions asked for.
    pub uses: Vec<(String, String)>,
    /// The versions from which nothing has to be converted.
    pub unconverted: Vec<String>,
    pub conversions: Vec<Conversion>,
}

/// `conversion(from(version = …, to = …, script = …))`: how what uses old versions comes to use a newer one (MLS 18.8.2).
#[derive(Clone, Debug, PartialEq)]
pub struct Conversion {
    pub from: Vec<String>,
    /// Absent for the version of the library itself.
    pub to: Option<String>,
    pub rules: ConversionRules,
}

/// Where the rules of a conversion stand.
#[derive(Clone, Debug, PartialEq)]
pub enum ConversionRules {
    /// The address of a script.
    Script(String),
    /// The text of rules in the annotation itself.
    Text(String),
}

impl Head {
    /// Can what was made for a version use this library as it is?
    pub fn serves(&self, version: &str) -> bool {
        self.version.as_deref().is_none_or(|own| own == version)
            || self.unconverted.iter().any(|v| v == version)
    }

    /// The conversions that lead from a version to that of the library, in order; `None` if there is no way.
    pub fn way(&self, version: &str) -> Option<Vec<&Conversion>> {
        let (mut at, mut steps) = (version, Vec::new());
        while !self.serves(at) {
            let step = self.conversions.iter().find(|c| c.from.iter().any(|v| v == at))?;
            steps.push(step);
            match &step.to {
                Some(to) if steps.len() <= self.conversions.len() => at = to,
                Some(_) => return None,
                None => break,
            }
        }
        Some(steps)
    }
}

/// Reads the head of a library from the text of its `package.mo` or single file.
pub fn head(text: &str) -> Option<Head> {
    let file = kairos_base::SourceMap::default().add("library", text);
    let (tree, _) = kairos_syntax::parse(file, text);
    if tree.within.is_some_and(|path| !path.parts.is_empty()) {
        return None;
    }
    let class = tree.classes.into_iter().next()?;
    let uses = match &class.body {
        ClassBody::Long(body) => body.annotation.as_ref().map_or(Vec::new(), |a| annotations::uses(&a.args)),
        _ => Vec::new(),
    };
    Some(Head {
        name: class.name.name.to_string(),
        version: version_of(&class).map(String::from),
        uses: uses.into_iter().map(|(name, version)| (name.to_string(), version)).collect(),
        unconverted: unconverted(&class).into_iter().map(String::from).collect(),
        conversions: conversions(&class, text),
    })
}

/// The conversions that a library declares; `text` is the text of its file.
fn conversions(class: &Class, text: &str) -> Vec<Conversion> {
    let ClassBody::Long(body) = &class.body else { return Vec::new() };
    let Some(annotation) = &body.annotation else { return Vec::new() };
    let Some((args, _)) = annotations::find(&annotation.args, "conversion") else { return Vec::new() };
    let one = |arg: &kairos_syntax::ast::Argument| {
        let ArgumentKind::Modify { path, modification: Some(m), .. } = &arg.kind else { return None };
        if path.len() != 1 || path[0].name != *"from" {
            return None;
        }
        let mut from = Vec::new();
        texts(annotations::find(&m.args, "version")?.1?, &mut from);
        let to = annotations::find(&m.args, "to").and_then(|(_, e)| e).and_then(annotations::text);
        let script = annotations::find(&m.args, "script").and_then(|(_, e)| e).and_then(annotations::text);
        let rules = match script {
            Some(script) => ConversionRules::Script(script.to_string()),
            None => ConversionRules::Text(changes(&m.args, text)?),
        };
        let from = from.into_iter().map(String::from).collect();
        Some(Conversion { from, to: to.map(String::from), rules })
    };
    args.iter().filter_map(one).collect()
}

/// The rules in `change(…)` or `change = {…}` as the text of a script.
fn changes(args: &[kairos_syntax::ast::Argument], text: &str) -> Option<String> {
    let (list, value) = annotations::find(args, "change")?;
    let mut spans: Vec<kairos_base::Span> = list.iter().map(|arg| arg.span).collect();
    if let Some(ExprKind::Array(items)) = value.map(|e| &e.kind) {
        spans.extend(items.iter().map(|item| item.span));
    }
    let piece = |span: kairos_base::Span| text.get(span.start as usize..span.end as usize).unwrap_or("");
    Some(spans.into_iter().map(piece).collect::<Vec<_>>().join(";\n"))
}
