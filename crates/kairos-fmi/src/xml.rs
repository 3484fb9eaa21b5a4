//! XML as it is written here: elements with attributes, one to a line.

use std::fmt::Write;

/// A growing document.
#[derive(Default)]
pub struct Xml {
    text: String,
    open: Vec<&'static str>,
}

/// The attributes of an element, in their order.
#[derive(Default, Clone)]
pub struct Attributes(String);

impl Attributes {
    /// One more attribute.
    pub fn with(mut self, name: &str, value: impl std::fmt::Display) -> Self {
        let _ = write!(self.0, " {name}=\"{}\"", escaped(&value.to_string()));
        self
    }

    /// One more attribute, if there is a value.
    pub fn maybe(self, name: &str, value: Option<impl std::fmt::Display>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// One more attribute, unless the text is empty.
    pub fn text(self, name: &str, value: &str) -> Self {
        if value.is_empty() { self } else { self.with(name, value) }
    }
}

impl Xml {
    /// A document with its first line.
    pub fn new() -> Self {
        Self { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".into(), open: Vec::new() }
    }

    /// An element without content.
    pub fn leaf(&mut self, name: &str, attributes: &Attributes) {
        let indent = "  ".repeat(self.open.len());
        let _ = writeln!(self.text, "{indent}<{name}{}/>", attributes.0);
    }

    /// Begins an element.
    pub fn begin(&mut self, name: &'static str, attributes: &Attributes) {
        let indent = "  ".repeat(self.open.len());
        let _ = writeln!(self.text, "{indent}<{name}{}>", attributes.0);
        self.open.push(name);
    }

    /// Ends the element that was begun last.
    pub fn end(&mut self) {
        if let Some(name) = self.open.pop() {
            let indent = "  ".repeat(self.open.len());
            let _ = writeln!(self.text, "{indent}</{name}>");
        }
    }

    /// The text of the document.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.text
    }
}

/// No attributes.
pub fn none() -> Attributes {
    Attributes::default()
}

/// A text as attributes have it, of XML and of HTML; what XML cannot hold is left out.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#xA;"),
            '\t' => out.push_str("&#x9;"),
            '\r' => out.push_str("&#xD;"),
            c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_hold_any_text() {
        let mut xml = Xml::new();
        xml.begin("A", &none());
        xml.leaf("B", &none().with("t", "a<b & \"c\"\n\u{1}ü").maybe("n", Some(1.5)).text("empty", ""));
        let text = xml.finish();
        assert!(
            text.ends_with("<A>\n  <B t=\"a&lt;b &amp; &quot;c&quot;&#xA;ü\" n=\"1.5\"/>\n</A>\n"),
            "{text}"
        );
    }
}
