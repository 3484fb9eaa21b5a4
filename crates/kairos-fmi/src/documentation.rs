//! The page of documentation in an FMU: what the model is, its pictures, and the variables that somebody connects or sets.

use crate::variables::{Causality, Exposed, Start};
use crate::xml::escaped;
use crate::{Description, Pictures};
use std::fmt::Write;

/// `documentation/index.html`.
pub fn page(d: &Description, pictures: &Pictures) -> String {
    let name = escaped(d.name);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{name}</title>\n<style>body {{ font-family: \
         sans-serif; max-width: 60em; margin: 2em auto; }} table {{ border-collapse: collapse; }} td, th {{ border: 1px solid #ccc; \
         padding: 0.2em 0.6em; text-align: left; }} img {{ max-width: 100%; }}</style></head>\n<body><h1>{name}</h1>\n"
    );
    if !pictures.icon.is_empty() {
        out.push_str("<p><img src=\"icon.svg\" alt=\"icon\" width=\"120\"></p>\n");
    }
    if !pictures.diagram.is_empty() {
        out.push_str("<h2>Diagram</h2>\n<p><img src=\"diagram.svg\" alt=\"diagram\"></p>\n");
    }
    for (title, causality) in
        [("Inputs", Causality::Input), ("Outputs", Causality::Output), ("Parameters", Causality::Parameter)]
    {
        let rows: Vec<&Exposed> = d.variables.iter().filter(|var| var.causality == causality).collect();
        if !rows.is_empty() {
            let _ = writeln!(
                out,
                "<h2>{title}</h2>\n<table><tr><th>name</th><th>value</th><th>unit</th><th>description</th></tr>"
            );
            rows.iter().for_each(|var| row(&mut out, var));
            out.push_str("</table>\n");
        }
    }
    out.push_str("</body></html>\n");
    out
}

fn row(out: &mut String, var: &Exposed) {
    let one = |start: &Start| match start {
        Start::Number(number) => number.to_string(),
        Start::Text(text) => escaped(text),
    };
    let value = match var.starts.is_empty() {
        true => var.start.as_ref().map_or(String::new(), one),
        false => var.starts.iter().map(one).collect::<Vec<_>>().join(", "),
    };
    let sizes: Vec<String> = var.dimensions.iter().map(usize::to_string).collect();
    let name = match sizes.is_empty() {
        true => escaped(&var.name),
        false => format!("{}[{}]", escaped(&var.name), sizes.join(", ")),
    };
    let _ = writeln!(
        out,
        "<tr><td>{name}</td><td>{value}</td><td>{}</td><td>{}</td></tr>",
        escaped(&var.unit),
        escaped(&var.description)
    );
}
