//! Icons and diagrams of classes, for commands and editors.

use crate::carried::{ROOT, WithCarried};
use crate::pipeline::{nearby, spelled_out};
use crate::request::Request;
use kairos_base::{Diagnostic, SourceMap, World};
use kairos_draw::{Picture, View};
use kairos_sema::library::GivenFile;
use kairos_sema::{InstId, Library, MadeRefs, Sema, Trees};

/// The picture of a class, as far as it could be made.
#[derive(Default)]
pub struct Drawn {
    pub sources: SourceMap,
    pub diagnostics: Vec<Diagnostic>,
    /// The qualified name of the class.
    pub name: String,
    pub svg: Option<String>,
}

/// Draws a layer of the class that a request names. `read` fetches the files of bitmaps, by their paths.
pub fn draw(world: &dyn World, request: &Request, view: View, read: &Read) -> Drawn {
    let mut svg = None;
    let mut drawn = look(world, request, |library, sema, class| {
        svg = Some(picture(library, sema, class, view, read));
    });
    drawn.svg = svg;
    drawn
}

/// Draws a layer of the class that a request names and of all classes below it, each told with its qualified name.
pub fn draw_each(
    world: &dyn World,
    request: &Request,
    view: View,
    read: &Read,
    tell: &mut dyn FnMut(&str, String),
) -> Drawn {
    look(world, request, |library, sema, class| {
        sema.walk_classes(class, &mut |sema, class| {
            let svg = picture(library, sema, class, view, read);
            tell(&sema.class_name(class), svg);
        });
    })
}

/// Fetches a file.
pub type Read = dyn Fn(&std::path::Path) -> Option<Vec<u8>>;

fn picture<'a>(library: &Library<'a>, sema: &mut Sema<'a>, class: InstId, view: View, read: &Read) -> String {
    let scene = kairos_draw::scene(sema, class, view);
    let resources = library.resources();
    let file = |name: &str| resources.resolve(name).and_then(|path| read(&path));
    kairos_draw::svg(&scene, &Picture { file: Some(&file), width: Some(800.0), frame: true })
}

/// Finds the class of a request and hands it over.
fn look(
    world: &dyn World,
    request: &Request,
    seen: impl for<'a> FnOnce(&Library<'a>, &mut Sema<'a>, InstId),
) -> Drawn {
    let (trees, made, world) = (Trees::default(), MadeRefs::default(), WithCarried(world));
    let library = Library::new(&trees, &world, request.libraries.clone()).with_fallback(ROOT);
    let mut drawn = Drawn::default();
    let mut given = GivenFile::default();
    if let Some(file) = &request.file {
        match library.add_file(file) {
            Ok(read) => given = read,
            Err(error) => {
                let message = format!("`{file}` cannot be read: {error}");
                let wrong = Diagnostic::error("cannot-read", message);
                drawn.diagnostics.push(wrong.help(nearby(&world, file)));
                return drawn;
            }
        }
    }
    let wanted = request.model.as_ref().map(|name| spelled_out(name, &given.classes));
    drawn.name = wanted.or(given.main).unwrap_or_default();
    let mut sema = Sema::new(&library, &made);
    match sema.find_class(&drawn.name) {
        Some(class) => seen(&library, &mut sema, class),
        None => {
            let message = format!("there is no class `{}`", drawn.name);
            let help = "give its whole name, such as `Library.Package.Class`, and its library with `--lib`";
            drawn.diagnostics.push(Diagnostic::error("no-such-model", message).help(help));
        }
    }
    drawn.diagnostics.extend(library.take_diagnostics());
    drawn.sources = library.sources().clone();
    drawn
}
