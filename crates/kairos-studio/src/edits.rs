//! Edits by mouse and dialog, as patches of the text.

use crate::answer::{Asked, Refusal};
use kairos_edit::{Document, Line, NewComponent, Patch, Placement};
use serde_json::Value;

/// The patches of one operation on a class of a text.
pub fn patches(text: &str, class: &str, operation: &Value) -> Result<Vec<Patch>, Refusal> {
    let document = Document::parse(text);
    let asked = Asked(operation);
    Ok(match asked.text("op")? {
        "add" => {
            let new = NewComponent {
                type_name: asked.text("type")?.to_string(),
                name: asked.text("name")?.to_string(),
                modifiers: asked.optional("modifiers").unwrap_or("").to_string(),
                placement: placement(asked),
            };
            document.add_component(class, &new)?
        }
        "place" => {
            let to =
                placement(asked).ok_or_else(|| Refusal::new("bad-call", "a placement needs an `extent`"))?;
            document.place(class, asked.text("name")?, &to)?
        }
        "remove" => document.remove_component(class, asked.text("name")?)?,
        "rename" => document.rename_component(class, asked.text("name")?, asked.text("to")?)?,
        "modify" => {
            let path = asked.optional("path").unwrap_or("");
            document.modify(class, asked.text("name")?, path, asked.optional("value"))?
        }
        "redeclare" => {
            document.redeclare(class, asked.text("name")?, asked.text("element")?, asked.optional("text"))?
        }
        "connect" => document.connect(class, asked.text("from")?, asked.text("to")?, line(asked).as_ref())?,
        "route" => {
            let line = line(asked).ok_or_else(|| Refusal::new("bad-call", "a route needs `points`"))?;
            document.route(class, asked.text("from")?, asked.text("to")?, &line)?
        }
        "disconnect" => document.disconnect(class, asked.text("from")?, asked.text("to")?)?,
        other => return Err(Refusal::new("bad-call", format!("there is no operation `{other}`"))),
    })
}

fn placement(asked: Asked<'_>) -> Option<Placement> {
    Some(Placement {
        extent: asked.extent("extent")?,
        origin: asked.point("origin").unwrap_or_default(),
        rotation: asked.number("rotation").unwrap_or(0.0),
    })
}

fn line(asked: Asked<'_>) -> Option<Line> {
    let points = asked.points("points").filter(|points| points.len() > 1)?;
    let part = |k: usize| asked.list("color").get(k).and_then(Value::as_u64).unwrap_or(0).min(255) as u8;
    Some(Line { points, color: [part(0), part(1), part(2)] })
}
