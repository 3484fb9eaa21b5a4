//! The documentation of a library as a folder of pages: a page for each class, an index with search, icons and diagrams as files.
//!
//! Pages refer to each other by relative addresses and need no server. Texts of the library are made safe as in the studio; a link to a
//! class leads to its page where that belongs to the library, and is plain text otherwise.

use crate::classes;
use crate::parameters;
use crate::pictures::Read;
use kairos::{CARRIED, View, WithCarried};
use kairos_base::World;
use kairos_draw::Picture;
use kairos_sema::{InstId, Library, MadeRefs, Sema, Trees};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::io;

/// What is to be documented.
pub struct Pages<'p> {
    /// Folders that hold libraries.
    pub libraries: Vec<String>,
    /// A file whose classes are known at the top.
    pub file: Option<String>,
    /// The class whose pages, and those of the classes below it, are made.
    pub class: String,
    /// Fetches the files of images.
    pub read: Read<'p>,
}

/// Why there are no pages.
#[derive(Debug)]
pub enum PagesError {
    /// There is no class of this name.
    NoClass(String),
    /// A file could not be written.
    Unwritten(String, io::Error),
}

impl Pages<'_> {
    /// Makes the pages, each handed over with the name of its file; gives their number.
    pub fn make(
        &self,
        world: &dyn World,
        write: &mut dyn FnMut(&str, &str) -> io::Result<()>,
    ) -> Result<usize, PagesError> {
        let (trees, made, world) = (Trees::default(), MadeRefs::default(), WithCarried(world));
        let library = Library::new(&trees, &world, self.libraries.clone()).with_fallback(CARRIED);
        if let Some(file) = &self.file {
            // What is wrong with the file is that it lacks the class.
            let _ = library.add_file(file);
        }
        let mut sema = Sema::new(&library, &made);
        let Some(top) = sema.find_class(&self.class) else {
            return Err(PagesError::NoClass(self.class.clone()));
        };
        let mut all: Vec<(String, InstId)> = Vec::new();
        sema.walk_classes(top, &mut |sema, class| all.push((sema.class_name(class), class)));
        let known: BTreeSet<String> = all.iter().map(|(name, _)| name.clone()).collect();
        let mut put =
            |file: String, text: &str| write(&file, text).map_err(|error| PagesError::Unwritten(file, error));
        let mut search = String::from("const CLASSES = [\n");
        for (name, class) in &all {
            for view in [View::Icon, View::Diagram] {
                let scene = kairos_draw::scene(&mut sema, *class, view);
                let resources = library.resources();
                let file = |name: &str| resources.resolve(name).and_then(|path| (self.read)(&path));
                let width = if matches!(view, View::Icon) { 160.0 } else { 800.0 };
                let svg =
                    kairos_draw::svg(&scene, &Picture { file: Some(&file), width: Some(width), frame: true });
                put(picture_of(name, &view), &svg)?;
            }
            let line = classes::line(&library, name).unwrap_or_default();
            let about = text(&line, "description");
            let _ =
                writeln!(search, "{},", serde_json::json!([name, about, text(&line, "kind"), page_of(name)]));
            let page = self.page(&library, &mut sema, name, *class, &known);
            put(page_of(name), &page)?;
        }
        search.push_str("];\n");
        put("classes.js".into(), &search)?;
        put("style.css".into(), STYLE)?;
        put("index.html".into(), &index(&self.class))?;
        Ok(all.len())
    }

    fn page<'a>(
        &self,
        library: &Library<'a>,
        sema: &mut Sema<'a>,
        name: &str,
        class: InstId,
        known: &BTreeSet<String>,
    ) -> String {
        let told = classes::documentation(library, name, self.read).unwrap_or_default();
        let kind = text(&told, "kind");
        let mut body = String::new();
        let short = name.rsplit('.').next().unwrap_or(name);
        let _ = write!(
            body,
            "<p class=\"path\">{}</p>\n<h1><img class=\"icon\" alt=\"\" src=\"{}\">{} <small>{}</small></h1>\n<p class=\"lead\">{}</p>\n",
            path(name, known),
            picture_of(name, &View::Icon),
            escaped(short),
            escaped(&kind),
            escaped(&text(&told, "description")),
        );
        body.push_str(&linked(&text(&told, "info"), known));
        let has_parts = library.class(name).is_some_and(has_components);
        if has_parts && kind != "package" && kind != "function" && kind != "record" {
            let diagram = picture_of(name, &View::Diagram);
            let _ = writeln!(
                body,
                "<h2>Diagram</h2>\n<img class=\"diagram\" alt=\"Diagram of {}\" src=\"{diagram}\">",
                escaped(short)
            );
        }
        if kind != "package" {
            let comp = sema.look_at(class);
            body.push_str(&parameter_table(&parameters::parameters(sema, comp)));
        }
        let children = classes::children(library, name).ok();
        let list = children.as_ref().and_then(|c| c["children"].as_array()).cloned().unwrap_or_default();
        if !list.is_empty() {
            body.push_str("<h2>Contents</h2>\n<table>\n");
            for child in &list {
                let full = text(child, "class");
                let _ = writeln!(
                    body,
                    "<tr><td><img class=\"small\" alt=\"\" loading=\"lazy\" src=\"{}\"></td><td><a href=\"{}\">{}</a></td><td>{}</td><td>{}</td></tr>",
                    picture_of(&full, &View::Icon),
                    page_of(&full),
                    escaped(&text(child, "name")),
                    escaped(&text(child, "kind")),
                    escaped(&text(child, "description")),
                );
            }
            body.push_str("</table>\n");
        }
        if kind != "package"
            && let Some(found) = library.class(name)
        {
            let source = library.sources().slice(found.span).to_string();
            let _ = writeln!(
                body,
                "<details><summary>Modelica text</summary><pre>{}</pre></details>",
                escaped(&source)
            );
        }
        let revisions = text(&told, "revisions");
        if !revisions.trim().is_empty() {
            let _ = writeln!(
                body,
                "<details><summary>Revisions</summary>{}</details>",
                linked(&revisions, known)
            );
        }
        whole(name, &body)
    }
}

fn has_components(class: &kairos_syntax::ast::Class) -> bool {
    match &class.body {
        kairos_syntax::ast::ClassBody::Long(body) => !body.elements.is_empty(),
        _ => false,
    }
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_string()
}

fn whole(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{}</title><link rel=\"stylesheet\" href=\"style.css\"></head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}

/// The page of a class: what addresses cannot hold is written in hexadecimal digits.
fn page_of(name: &str) -> String {
    format!("{}.html", file_name(name))
}

fn picture_of(name: &str, view: &View) -> String {
    let folder = if matches!(view, View::Icon) { "icons" } else { "diagrams" };
    format!("{folder}/{}.svg", file_name(name))
}

fn file_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' => out.push(c),
            c => {
                let _ = write!(out, "-{:x}", c as u32);
            }
        }
    }
    out
}

/// The packages around a class, each a link.
fn path(name: &str, known: &BTreeSet<String>) -> String {
    let mut out = String::from("<a href=\"index.html\">Index</a>");
    let ends = name.char_indices().filter(|(_, c)| *c == '.').map(|(at, _)| at);
    for end in ends {
        let outer = &name[..end];
        let short = outer.rsplit('.').next().unwrap_or(outer);
        let _ = match known.contains(outer) {
            true => write!(out, " / <a href=\"{}\">{}</a>", page_of(outer), escaped(short)),
            false => write!(out, " / {}", escaped(short)),
        };
    }
    out
}

fn parameter_table(list: &[Value]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<h2>Parameters</h2>\n<table>\n<tr><th>Name</th><th>Type</th><th>Value</th><th>Unit</th><th>Description</th></tr>\n",
    );
    let mut group = String::new();
    for parameter in list {
        let own = match (text(parameter, "tab").as_str(), text(parameter, "group")) {
            ("General", group) => group,
            (tab, group) => format!("{tab}: {group}"),
        };
        if own != group {
            group = own;
            if group != "Parameters" {
                let _ = writeln!(out, "<tr><th colspan=\"5\" class=\"group\">{}</th></tr>", escaped(&group));
            }
        }
        let value = match text(parameter, "value") {
            value if value.is_empty() => text(parameter, "default"),
            value => value,
        };
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
            escaped(&text(parameter, "name")),
            escaped(&text(parameter, "type")),
            escaped(&value),
            escaped(&text(parameter, "unit")),
            escaped(&text(parameter, "description")),
        );
    }
    out.push_str("</table>\n");
    out
}

/// Links between classes become links between pages.
fn linked(html: &str, known: &BTreeSet<String>) -> String {
    const LINK: &str = "href=\"";
    let mut pieces = html.split(LINK);
    let mut out = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (address, rest) = piece.split_once('"').unwrap_or((piece, ""));
        let class = address
            .get(..11)
            .filter(|scheme| scheme.eq_ignore_ascii_case("modelica://"))
            .map(|_| &address[11..]);
        let target = match class {
            None => address.to_string(),
            Some(class) => {
                let (class, mark) = class.split_once('#').map_or((class, ""), |(c, m)| (c, m));
                let mark = if mark.is_empty() { String::new() } else { format!("#{mark}") };
                match known.contains(class) {
                    true => format!("{}{mark}", page_of(class)),
                    false => "#".to_string(),
                }
            }
        };
        let _ = write!(out, "{LINK}{target}\"{rest}");
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn index(top: &str) -> String {
    let body = format!(
        "<h1>{0}</h1>\n<p><a href=\"{1}\">Begin with {0}</a>, or search:</p>\n<input id=\"word\" type=\"search\" autofocus \
         aria-label=\"Search classes\" placeholder=\"Name or description\">\n<table id=\"found\"></table>\n<script src=\"classes.js\"></script>\n\
         <script>\n{SEARCH}</script>\n",
        escaped(top),
        page_of(top)
    );
    whole(top, &body)
}

const SEARCH: &str = r#"const word = document.getElementById("word"), found = document.getElementById("found");
function show() {
  const words = word.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ([name, about]) => {
    const last = name.slice(name.lastIndexOf(".") + 1).toLowerCase(), all = (name + " " + about).toLowerCase();
    if (!words.every((w) => all.includes(w))) return -1;
    return words.some((w) => last === w) ? 0 : words.some((w) => last.includes(w)) ? 1 : 2;
  };
  const hits = CLASSES.map((c) => [rank(c), c]).filter(([r]) => r >= 0).sort((a, b) => a[0] - b[0]).slice(0, 200);
  found.replaceChildren(...hits.map(([, [name, about, kind, page]]) => {
    const row = document.createElement("tr"), link = document.createElement("a");
    link.href = page; link.textContent = name;
    for (const part of [link, kind, about]) { const cell = document.createElement("td"); cell.append(part); row.append(cell); }
    return row;
  }));
}
word.addEventListener("input", show);
show();
"#;

const STYLE: &str = r#":root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 1rem auto; padding: 0 1rem; }
h1 { display: flex; align-items: center; gap: .7rem; } h1 small { font-weight: normal; opacity: .6; font-size: 60%; }
.path { opacity: .8; font-size: 90%; } .lead { font-size: 110%; }
img { background: white; } img.icon { width: 64px; } img.small { width: 28px; } img.diagram { max-width: 100%; max-height: 30rem; }
table { border-collapse: collapse; margin: .5rem 0; } td, th { padding: .15rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
th.group { padding-top: .8rem; } pre { overflow-x: auto; background: #8881; padding: .6rem; } input { font: inherit; width: 24rem; max-width: 100%; padding: .3rem; }
details { margin: 1rem 0; } summary { cursor: pointer; }
"#;
