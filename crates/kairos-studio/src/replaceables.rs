//! What may take the place of replaceable elements of a part: the choices that annotations write down, and all classes that fit.

use kairos_base::Name;
use kairos_sema::{CompId, InstId, Layer, Library, Sema, annotations, kind_word};
use kairos_syntax::ast::{
    Annotation, Argument, ArgumentKind, Class, ClassBody, Constraining, ElementKind, Path,
};
use kairos_syntax::path_to_string;
use serde_json::{Value, json};

/// So many choices are enough for a list.
const MOST: usize = 200;

/// A replaceable element, as it is declared.
struct Place<'a> {
    name: Name,
    /// `model M = ` for a class, nothing for a component, whose name comes behind the type.
    class: Option<&'static str>,
    declared: Option<&'a Path>,
    constraining: Option<&'a Constraining>,
    description: String,
    annotations: Vec<&'a Annotation>,
}

/// The replaceable elements of a part for which there is something to choose.
pub fn replaceables<'a>(library: &Library<'a>, sema: &mut Sema<'a>, comp: CompId) -> Vec<Value> {
    let Some(class) = sema.class_of(comp) else { return Vec::new() };
    let mut list = Vec::new();
    for layer in sema.layers(class) {
        for place in places(&layer) {
            let mut choices: Vec<Value> = Vec::new();
            for annotation in &place.annotations {
                choices.extend(written(library, annotation));
            }
            let all = |a: &&Annotation| annotations::find(&a.args, "choicesAllMatching").is_some();
            if place.annotations.iter().any(all) {
                choices.extend(matching(sema, &layer, &place));
            }
            if !choices.is_empty() {
                let declared = place.declared.map(path_to_string);
                list.push(json!({ "name": place.name.as_str(), "description": place.description, "type": declared, "choices": choices }));
            }
        }
    }
    list
}

/// The public replaceable elements that a class writes down.
fn places<'a>(layer: &Layer<'a>) -> Vec<Place<'a>> {
    let ClassBody::Long(body) = &layer.class.body else { return Vec::new() };
    let mut found = Vec::new();
    for element in body.elements.iter().filter(|element| !element.protected) {
        match &element.kind {
            ElementKind::Components(clause) if clause.prefix.replaceable => {
                let outer = clause.constraining.as_deref();
                for component in &clause.components {
                    let comments = [Some(&component.comment), outer.map(|c| &c.comment)];
                    found.push(Place {
                        name: component.name.name,
                        class: None,
                        declared: Some(&clause.type_name),
                        constraining: outer,
                        description: component.comment.description.text.as_deref().unwrap_or("").into(),
                        annotations: comments
                            .into_iter()
                            .flatten()
                            .filter_map(|c| c.annotation.as_ref())
                            .collect(),
                    });
                }
            }
            ElementKind::Class(inner) if inner.prefix.replaceable => {
                let outer = inner.constraining.as_deref();
                let short = match &inner.class.body {
                    ClassBody::Short(short) => Some(short),
                    _ => None,
                };
                let comments = [short.map(|s| &s.comment), outer.map(|c| &c.comment)];
                found.push(Place {
                    name: inner.class.name.name,
                    class: Some(kind_word(inner.class.kind)),
                    declared: short.map(|s| &s.base),
                    constraining: outer,
                    description: kairos_sema::class_description(&inner.class).to_string(),
                    annotations: comments
                        .into_iter()
                        .flatten()
                        .filter_map(|c| c.annotation.as_ref())
                        .collect(),
                });
            }
            _ => {}
        }
    }
    found
}

/// `choices(choice(redeclare …), …)`, each as its text.
fn written(library: &Library<'_>, annotation: &Annotation) -> Vec<Value> {
    let Some((args, _)) = annotations::find(&annotation.args, "choices") else { return Vec::new() };
    let sources = library.sources();
    let one = |argument: &Argument| match &argument.kind {
        ArgumentKind::Modify { path, modification: Some(m), .. }
            if path.first().is_some_and(|p| p.name.as_str() == "choice") =>
        {
            let redeclared = |a: &&Argument| !matches!(a.kind, ArgumentKind::Modify { .. });
            let text = sources.slice(m.args.iter().find(redeclared)?.span).to_string();
            Some(json!({ "label": text.trim_start_matches("redeclare "), "text": text }))
        }
        _ => None,
    };
    args.iter().filter_map(one).collect()
}

/// All classes beside the constraining one, or below, that are made from it.
fn matching<'a>(sema: &mut Sema<'a>, layer: &Layer<'a>, place: &Place<'_>) -> Vec<Value> {
    let Some(path) = place.constraining.map(|c| &c.base).or(place.declared) else { return Vec::new() };
    let Some(base) = found(sema, layer.scope, &path_to_string(path)) else { return Vec::new() };
    let (name, text) = (sema.class_name(base), own_text(sema, base));
    let Some(text) = text else { return Vec::new() };
    // Beside the constraining class, or, where that stands among interfaces, one package further out; a whole library is too much.
    let mut around = name.as_str();
    while let Some((package, _)) = around.rsplit_once('.') {
        let list = inside(sema, package, text, place);
        if !list.is_empty() || !package.contains('.') || around != name {
            return list;
        }
        around = package;
    }
    Vec::new()
}

/// The classes below a package that are made from a class, and not partial.
fn inside<'a>(sema: &mut Sema<'a>, package: &str, text: &Class, place: &Place<'_>) -> Vec<Value> {
    let mut list = Vec::new();
    let Some(package) = sema.find_class(package) else { return list };
    sema.walk_classes(package, &mut |sema, class| {
        if list.len() >= MOST {
            return;
        }
        let root = sema.look_at(class);
        let layers = sema.class_of(root).map(|class| sema.layers(class)).unwrap_or_default();
        let partial = layers.last().is_none_or(|own| own.class.partial);
        if !partial && layers.iter().any(|layer| std::ptr::eq(layer.class, text)) {
            let name = sema.class_name(class);
            let text = match place.class {
                Some(kind) => format!("redeclare {kind} {} = {name}", place.name),
                None => format!("redeclare {name} {}", place.name),
            };
            list.push(json!({ "label": name, "text": text }));
        }
    });
    list
}

fn own_text<'a>(sema: &mut Sema<'a>, class: InstId) -> Option<&'a Class> {
    let root = sema.look_at(class);
    let class = sema.class_of(root)?;
    sema.layers(class).last().map(|layer| layer.class)
}

/// A class by its name, seen from inside another one: in the classes around it, from inside to outside.
fn found(sema: &mut Sema<'_>, scope: InstId, path: &str) -> Option<InstId> {
    let mut around = sema.class_name(scope);
    loop {
        if let Some(class) = sema.find_class(&format!("{around}.{path}")) {
            return Some(class);
        }
        match around.rfind('.') {
            Some(dot) => around.truncate(dot),
            None => return sema.find_class(path.trim_start_matches('.')),
        }
    }
}
