//! A parsed text, and the places in it that edits ask for.

use crate::patch::Patch;
use kairos_base::{FileId, Span};
use kairos_syntax::ast::{
    Class, ClassBody, Component, ComponentClause, Composition, Element, ElementKind, SourceTree,
};
use kairos_syntax::{Token, TokenKind};

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The text has no class of this name.
    NoClass(String),
    /// The class is written in a form that has no parts.
    NoBody(String),
    /// The class declares no such part itself.
    NoComponent(String),
    /// The name is taken, or is none.
    BadName(String),
    /// The class has no such connection itself.
    NoConnection(String, String),
    /// The text of a value cannot be read.
    BadValue(String),
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unfit::NoClass(name) => write!(f, "the text has no class `{name}`"),
            Unfit::NoBody(name) => write!(f, "`{name}` is a short class: there is no place for parts in it"),
            Unfit::NoComponent(name) => {
                write!(
                    f,
                    "`{name}` is not declared in this class; what is inherited is edited in its own class"
                )
            }
            Unfit::BadName(name) => write!(f, "`{name}` cannot be used as a name here"),
            Unfit::NoConnection(a, b) => write!(f, "this class has no connection between `{a}` and `{b}`"),
            Unfit::BadValue(text) => write!(f, "`{text}` is no expression"),
        }
    }
}

impl std::error::Error for Unfit {}

/// What an edit yields.
pub type Edit = Result<Vec<Patch>, Unfit>;

/// A text with its tree and its tokens.
pub struct Document<'t> {
    pub(crate) text: &'t str,
    tree: SourceTree,
    tokens: Vec<Token>,
    /// Mistakes in the syntax; edits are made all the same where their places are found.
    pub errors: usize,
}

impl<'t> Document<'t> {
    /// Reads a text.
    pub fn parse(text: &'t str) -> Self {
        let file = FileId(0);
        let (tree, diagnostics) = kairos_syntax::parse(file, text);
        let tokens = kairos_syntax::lex(file, text).tokens;
        Document { text, tree, tokens, errors: diagnostics.iter().filter(|d| d.is_error()).count() }
    }

    /// The class of a dotted name: from the top of the text, or with the packages that `within` names.
    pub fn class(&self, dotted: &str) -> Result<&Class, Unfit> {
        let within: Vec<&str> = match &self.tree.within {
            Some(path) => path.parts.iter().map(|part| part.name.as_str()).collect(),
            None => Vec::new(),
        };
        let parts: Vec<&str> = dotted.split('.').collect();
        let inside = parts.strip_prefix(within.as_slice()).unwrap_or(&parts);
        let missing = || Unfit::NoClass(dotted.to_string());
        let (first, rest) = inside.split_first().ok_or_else(missing)?;
        let mut class = self.tree.classes.iter().find(|c| c.name.name == **first).ok_or_else(missing)?;
        for part in rest {
            let ClassBody::Long(body) = &class.body else { return Err(missing()) };
            let nested =
                |e: &&Element| matches!(&e.kind, ElementKind::Class(c) if c.class.name.name == **part);
            let found = body.elements.iter().find(nested).ok_or_else(missing)?;
            let ElementKind::Class(c) = &found.kind else { return Err(missing()) };
            class = &c.class;
        }
        Ok(class)
    }

    /// The qualified names of all classes in the text, outer ones first.
    pub fn classes(&self) -> Vec<String> {
        let prefix: String = match &self.tree.within {
            Some(path) => path.parts.iter().map(|part| format!("{}.", part.name)).collect(),
            None => String::new(),
        };
        let mut names = Vec::new();
        self.tree.classes.iter().for_each(|class| collect(class, &prefix, &mut names));
        names
    }

    pub(crate) fn body(&self, dotted: &str) -> Result<(&Class, &Composition), Unfit> {
        let class = self.class(dotted)?;
        match &class.body {
            ClassBody::Long(body) => Ok((class, body)),
            _ => Err(Unfit::NoBody(dotted.to_string())),
        }
    }

    /// The declaration of a part that the class itself has.
    pub(crate) fn component(&self, dotted: &str, name: &str) -> Result<Declared<'_>, Unfit> {
        let (_, body) = self.body(dotted)?;
        for element in &body.elements {
            if let ElementKind::Components(clause) = &element.kind
                && let Some(at) = clause.components.iter().position(|c| c.name.name == *name)
            {
                return Ok(Declared { element, clause, component: &clause.components[at], at });
            }
        }
        Err(Unfit::NoComponent(name.to_string()))
    }

    /// The first token at or after an offset, by its number.
    pub(crate) fn token_at(&self, offset: u32) -> usize {
        self.tokens.partition_point(|token| token.start < offset)
    }

    pub(crate) fn token(&self, k: usize) -> Option<Token> {
        self.tokens.get(k).copied()
    }

    /// The end of a declarator: before the comma or semicolon that ends it.
    pub(crate) fn declarator_end(&self, component: &Component) -> usize {
        let mut k = self.token_at(component.name.span.start);
        let (mut depth, mut end) = (0usize, component.name.span.end as usize);
        while let Some(token) = self.token(k) {
            match token.kind {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Comma | TokenKind::Semicolon if depth == 0 => break,
                TokenKind::Eof => break,
                _ => {}
            }
            end = token.end as usize;
            k += 1;
        }
        end
    }

    /// The end of an element or equation, with its description and annotation: before its semicolon and behind it.
    fn ends(&self, span: Span) -> (usize, usize) {
        let mut k = self.token_at(span.end);
        let (mut depth, mut end) = (0usize, span.end as usize);
        while let Some(token) = self.token(k) {
            match token.kind {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Semicolon if depth == 0 => return (end, token.end as usize),
                TokenKind::Eof => break,
                _ => {}
            }
            end = token.end as usize;
            k += 1;
        }
        // A text that is wrong has no semicolon there.
        (span.end as usize, span.end as usize)
    }

    /// The end of an element or equation with its semicolon.
    pub(crate) fn end_with_semicolon(&self, span: Span) -> usize {
        self.ends(span).1
    }

    /// The end of an element or equation before its semicolon.
    pub(crate) fn end_of_tokens(&self, span: Span) -> usize {
        self.ends(span).0
    }

    /// The whole lines of a range where nothing else stands in them, else the range with the blanks before it.
    pub(crate) fn lines_of(&self, start: usize, end: usize) -> (usize, usize) {
        let before = &self.text[..start];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let after = &self.text[end..];
        let rest = after.find('\n').map_or(after, |at| &after[..at]);
        let alone = before[line..].trim().is_empty();
        match (alone, rest.trim().is_empty()) {
            (true, true) => (line, (end + rest.len() + 1).min(self.text.len())),
            (true, false) => (start, end + (rest.len() - rest.trim_start().len())),
            _ => (line + before[line..].trim_end().len(), end),
        }
    }

    /// The blanks at the start of the line that holds an offset.
    pub(crate) fn indent_at(&self, offset: usize) -> &'t str {
        let line = self.text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let rest = &self.text[line..];
        &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
    }

    /// How lines of this text end.
    pub(crate) fn newline(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }
}

fn collect(class: &Class, prefix: &str, names: &mut Vec<String>) {
    let name = format!("{prefix}{}", class.name.name);
    names.push(name.clone());
    if let ClassBody::Long(body) = &class.body {
        for element in &body.elements {
            if let ElementKind::Class(inner) = &element.kind {
                collect(&inner.class, &format!("{name}."), names);
            }
        }
    }
}

/// A part with the clause that declares it.
#[derive(Clone, Copy)]
pub(crate) struct Declared<'d> {
    pub element: &'d Element,
    pub clause: &'d ComponentClause,
    pub component: &'d Component,
    /// Its place among the parts of the clause.
    pub at: usize,
}
