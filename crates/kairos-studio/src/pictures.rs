//! Diagrams and icons with what an editor needs to know of them.

use kairos_draw::{Form, Lookup, Part, Picture, Scene, Shape, View, Wire};
use kairos_sema::{InstId, Library, Sema};
use serde_json::{Value, json};

/// Fetches the file of a bitmap, by its path.
pub type Read<'r> = &'r dyn Fn(&std::path::Path) -> Option<Vec<u8>>;

/// A layer of a class: the picture, and its parts and wires by numbers.
pub fn picture<'a>(
    library: &Library<'a>,
    sema: &mut Sema<'a>,
    class: InstId,
    view: View,
    read: Read<'_>,
    values: Option<Lookup<'_>>,
) -> Value {
    let scene = kairos_draw::scene_at(sema, class, view, values);
    json!({
        "class": scene.class,
        "svg": svg(library, &scene, view == View::Diagram, read),
        "extent": scene.system.extent,
        "grid": scene.system.grid,
        "parts": scene.parts.iter().map(part).collect::<Vec<Value>>(),
        "wires": scene.wires.iter().map(wire).collect::<Vec<Value>>(),
    })
}

/// The icon of a class.
pub fn icon<'a>(library: &Library<'a>, sema: &mut Sema<'a>, class: InstId, read: Read<'_>) -> String {
    let scene = kairos_draw::scene(sema, class, View::Icon);
    svg(library, &scene, false, read)
}

fn svg(library: &Library<'_>, scene: &Scene, frame: bool, read: Read<'_>) -> String {
    let resources = library.resources();
    let file = |name: &str| resources.resolve(name).and_then(|path| read(&path));
    kairos_draw::svg(scene, &Picture { file: Some(&file), width: None, frame })
}

fn part(part: &Part) -> Value {
    let connectors: Vec<Value> = part
        .connectors
        .iter()
        .map(|connector| {
            json!({
                "name": connector.name,
                "class": connector.class,
                "at": part.matrix.apply(connector.middle()),
                "lengths": connector.lengths,
                "color": color(&connector.shapes),
            })
        })
        .collect();
    json!({
        "name": part.name,
        "class": part.class,
        "matrix": part.matrix.0,
        "extent": part.extent,
        "connector": part.is_connector,
        "lengths": part.lengths,
        "at": part.middle(),
        "color": color(&part.shapes),
        "inherited": part.inherited,
        "disabled": part.disabled,
        "connectors": connectors,
    })
}

/// The colour of lines from a connector: that of its first shape.
fn color(shapes: &[Shape]) -> [u8; 3] {
    shapes.first().map_or([0, 0, 255], |shape| shape.stroke.color.0)
}

fn wire(wire: &Wire) -> Value {
    let points = wire.shapes.iter().find_map(|shape| match &shape.form {
        Form::Line { points, .. } => {
            Some(points.iter().map(|p| shape.matrix().apply(*p)).collect::<Vec<_>>())
        }
        _ => None,
    });
    json!({
        "from": wire.from,
        "to": wire.to,
        "points": points.unwrap_or_default(),
        "inherited": wire.inherited,
    })
}
