//! Drawings of variables over time or each other: for a page, for a paper, for the terminal.
//!
//! A `Drawing` says what to show; `lay_out` decides where everything goes, once for SVG, PNG and PDF alike. The HTML page
//! carries the numbers and lays itself out in the reader's browser.

mod axis;
mod drawing;
mod html;
mod layout;
mod pdf;
mod png;
mod svg;
mod terminal;

pub use drawing::{Display, Drawing, Lane, Marker, Pane, Series};

/// The forms a drawing can take in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Svg,
    Png,
    Pdf,
    /// A page that needs no network: zoom, pan, values under the pointer, lines that can be hidden.
    Html,
}

impl Form {
    /// By the end of a file's name.
    pub fn of(path: &str) -> Option<Form> {
        match path.rsplit('.').next()?.to_ascii_lowercase().as_str() {
            "svg" => Some(Form::Svg),
            "png" => Some(Form::Png),
            "pdf" => Some(Form::Pdf),
            "html" | "htm" => Some(Form::Html),
            _ => None,
        }
    }
}

/// The content of a file that shows a drawing.
pub fn render(drawing: &Drawing, form: Form) -> Vec<u8> {
    match form {
        Form::Svg => svg::write(&layout::lay_out(drawing)).into_bytes(),
        Form::Png => png::paint(&layout::lay_out(drawing)),
        Form::Pdf => pdf::print(&layout::lay_out(drawing)),
        Form::Html => html::page(drawing).into_bytes(),
    }
}

/// A quick drawing in Braille dots, with the colours of a terminal if it has them.
pub fn render_text(drawing: &Drawing, colours: bool) -> String {
    terminal::draw(drawing, colours)
}
