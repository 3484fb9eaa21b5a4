//! Libraries as a tree, found classes, and their documentation.

use crate::answer::{Answer, Refusal};
use crate::pictures::Read;
use kairos_base::{Name, World};
use kairos_sema::library::{has_experiment, nested_classes};
use kairos_sema::{Library, Trees, annotations, class_annotation, class_description, kind_word};
use kairos_syntax::ast::Class;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What libraries there are at the top: their names, sorted.
pub fn tops(world: &dyn World, roots: &[String]) -> Vec<String> {
    let mut names = BTreeSet::new();
    for root in roots {
        for entry in world.list(root).unwrap_or_default() {
            let folder = entry.strip_suffix('/');
            let is_package = |f: &str| {
                world.list(&format!("{root}/{f}")).is_ok_and(|list| list.iter().any(|e| e == "package.mo"))
            };
            let name = match folder {
                Some(folder) if is_package(folder) => folder,
                Some(_) => continue,
                None => match entry.strip_suffix(".mo") {
                    Some(stem) if stem != "package" => stem,
                    _ => continue,
                },
            };
            // `Modelica 4.1.0` is a folder of the library `Modelica`.
            names.insert(name.split(' ').next().unwrap_or(name).to_string());
        }
    }
    names.into_iter().collect()
}

/// The classes inside a class.
pub fn children<'a>(library: &Library<'a>, name: &str) -> Answer {
    let class = library.class(name).ok_or_else(|| unknown(name))?;
    let list: Vec<Value> =
        inner(library, class).into_iter().map(|(child, class)| entry(library, name, child, class)).collect();
    Ok(json!({ "class": name, "children": list }))
}

/// A class as a line of the tree.
pub fn line<'a>(library: &Library<'a>, name: &str) -> Option<Value> {
    let class = library.class(name)?;
    let (outer, short) = name.rsplit_once('.').unwrap_or(("", name));
    Some(entry(library, outer, Name::new(short), class))
}

fn entry<'a>(library: &Library<'a>, outer: &str, name: Name, class: &'a Class) -> Value {
    let full = if outer.is_empty() { name.to_string() } else { format!("{outer}.{name}") };
    let has_children = nested_classes(class).next().is_some() || !library.member_names(class).is_empty();
    json!({
        "name": name.as_str(),
        "class": full,
        "kind": kind_word(class.kind),
        "partial": class.partial,
        "description": class_description(class),
        "children": has_children,
        "runs": has_experiment(class),
    })
}

/// Nested classes in the order of the text, then members in files of their own in the order of the package.
fn inner<'a>(library: &Library<'a>, class: &'a Class) -> Vec<(Name, &'a Class)> {
    let mut list: Vec<(Name, &'a Class)> = nested_classes(class).map(|c| (c.name.name, c)).collect();
    for member in library.member_names(class) {
        if let Some(found) = library.member(class, member) {
            list.push((member, found));
        }
    }
    list
}

/// A line of the index that searches go through.
pub struct Indexed {
    pub class: String,
    pub description: String,
    pub kind: &'static str,
}

/// All classes of some libraries.
pub fn index(world: &dyn World, roots: &[String], names: &[String]) -> Vec<Indexed> {
    let trees = Trees::default();
    let library = Library::new(&trees, world, roots.to_vec());
    let mut found = Vec::new();
    for name in names {
        if let Some(class) = library.class(name) {
            walk(&library, name, class, &mut found);
        }
    }
    found
}

fn walk<'a>(library: &Library<'a>, name: &str, class: &'a Class, found: &mut Vec<Indexed>) {
    let description = class_description(class).to_string();
    found.push(Indexed { class: name.to_string(), description, kind: kind_word(class.kind) });
    for (inner_name, class) in inner(library, class) {
        walk(library, &format!("{name}.{inner_name}"), class, found);
    }
}

/// The classes that a text may mean: by their names first, then by what they are for.
pub fn search(index: &[Indexed], text: &str) -> Vec<Value> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let rank = |entry: &Indexed| {
        let name = entry.class.rsplit('.').next().unwrap_or(&entry.class).to_lowercase();
        let (path, about) = (entry.class.to_lowercase(), entry.description.to_lowercase());
        let each = |word: &String| match () {
            () if name == *word => Some(0),
            () if name.starts_with(word.as_str()) => Some(1),
            () if name.contains(word.as_str()) => Some(2),
            () if path.contains(word.as_str()) => Some(3),
            () if about.contains(word.as_str()) => Some(4),
            () => None,
        };
        words.iter().map(each).sum::<Option<i32>>()
    };
    let mut hits: Vec<(i32, usize, &Indexed)> =
        index.iter().filter_map(|entry| Some((rank(entry)?, entry.class.len(), entry))).collect();
    hits.sort_by_key(|(rank, length, entry)| (*rank, *length, entry.class.as_str()));
    let line = |(_, _, e): &(i32, usize, &Indexed)| json!({ "class": e.class, "description": e.description, "kind": e.kind });
    hits.iter().take(100).map(line).collect()
}

/// The documentation of a class as HTML that can do nothing: no scripts, no addresses but links and the library's images,
/// which are written into it.
pub fn documentation<'a>(library: &Library<'a>, name: &str, read: Read<'_>) -> Answer {
    let class = library.class(name).ok_or_else(|| unknown(name))?;
    let text = |what: &str| {
        let annotation = class_annotation(class)?;
        let (args, _) = annotations::find(&annotation.args, "Documentation")?;
        annotations::find(args, what)?.1.and_then(annotations::text).map(str::to_string)
    };
    let info = text("info").unwrap_or_default();
    let revisions = text("revisions").unwrap_or_default();
    Ok(json!({
        "class": name,
        "kind": kind_word(class.kind),
        "description": class_description(class),
        "info": with_images(library, &safe(&info), read),
        "revisions": with_images(library, &safe(&revisions), read),
    }))
}

/// Puts the images that a library holds into the text, because the page could not fetch them. The text has been made safe:
/// `<` opens a tag, and quotes inside the values of attributes are escaped.
fn with_images(library: &Library<'_>, html: &str, read: Read<'_>) -> String {
    const SOURCE: &str = " src=\"";
    let resources = library.resources();
    let mut pieces = html.split("<img");
    let mut text = pieces.next().unwrap_or("").to_string();
    for piece in pieces {
        let mut quoted = false;
        let end = piece.find(|c: char| {
            quoted ^= c == '"';
            c == '>' && !quoted
        });
        let (tag, rest) = piece.split_at(end.unwrap_or(piece.len()));
        let (before, address, after) = match tag.split_once(SOURCE) {
            Some((before, tail)) => {
                let (address, after) = tail.split_once('"').unwrap_or((tail, ""));
                (before, address, after)
            }
            None => (tag, "", ""),
        };
        let bytes = resources.resolve(address).and_then(|path| read(&path));
        let data = bytes.and_then(|bytes| Some((image_type(address)?, kairos_draw::base64(&bytes))));
        let source = data.map_or(String::new(), |(kind, data)| format!("data:{kind};base64,{data}"));
        text += &format!("<img{before}{SOURCE}{source}\"{after}{rest}");
    }
    text
}

fn image_type(address: &str) -> Option<&'static str> {
    match address.rsplit('.').next()?.to_ascii_lowercase().as_str() {
        "png" => Some("image/png"),
        "jpg" | "jpeg" => Some("image/jpeg"),
        "gif" => Some("image/gif"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}

fn safe(html: &str) -> String {
    ammonia::Builder::default()
        .add_url_schemes(["modelica", "Modelica"])
        .add_generic_attributes(["align", "width", "height", "border", "cellspacing", "cellpadding"])
        .link_rel(Some("noopener noreferrer"))
        .clean(html)
        .to_string()
}

/// The refusal for a class that is not there.
pub fn unknown(name: &str) -> Refusal {
    Refusal::new("no-such-class", format!("there is no class `{name}` in the project and its libraries"))
}
