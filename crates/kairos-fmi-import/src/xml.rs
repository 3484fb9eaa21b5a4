//! Attributes of XML elements, read as what they are meant to be.

use roxmltree::Node;

/// Numbers that messages name by their element and attribute.
pub trait Read {
    /// An attribute that has to be there.
    fn needed(&self, name: &str) -> Result<String, String>;
    /// A text that may be missing.
    fn maybe(&self, name: &str) -> String;
    /// A number that may be missing.
    fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, String>;
    /// A truth value; false where it is missing.
    fn truth(&self, name: &str) -> Result<bool, String>;
    /// Numbers with spaces between them.
    fn numbers<T: std::str::FromStr>(&self, name: &str) -> Result<Option<Vec<T>>, String>;
    /// The first child of this name.
    fn child(&self, name: &str) -> Option<Self>
    where
        Self: Sized;
    /// Line and name of an element, for messages.
    fn place(&self) -> String;
}

impl Read for Node<'_, '_> {
    fn needed(&self, name: &str) -> Result<String, String> {
        self.attribute(name)
            .map(String::from)
            .ok_or_else(|| format!("{} has no attribute `{name}`", self.place()))
    }

    fn maybe(&self, name: &str) -> String {
        self.attribute(name).unwrap_or_default().to_string()
    }

    fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, String> {
        let Some(text) = self.attribute(name) else { return Ok(None) };
        let wrong = |_| format!("`{name}=\"{text}\"` of {} is no such number", self.place());
        text.trim().parse().map(Some).map_err(wrong)
    }

    fn truth(&self, name: &str) -> Result<bool, String> {
        match self.attribute(name).map(str::trim) {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(text) => Err(format!("`{name}=\"{text}\"` of {} is neither true nor false", self.place())),
        }
    }

    fn numbers<T: std::str::FromStr>(&self, name: &str) -> Result<Option<Vec<T>>, String> {
        let Some(text) = self.attribute(name) else { return Ok(None) };
        let wrong = |_| format!("`{name}=\"{text}\"` of {} is no list of such numbers", self.place());
        text.split_whitespace().map(|word| word.parse().map_err(wrong)).collect::<Result<_, _>>().map(Some)
    }

    fn child(&self, name: &str) -> Option<Self> {
        self.children().find(|child| child.has_tag_name(name))
    }

    fn place(&self) -> String {
        let line = self.document().text_pos_at(self.range().start).row;
        format!("`{}` in line {line}", self.tag_name().name())
    }
}
