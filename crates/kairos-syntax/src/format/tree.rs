//! A logical line as a tree of brackets, with the places where it may be broken.

use super::lexeme::Lexeme;
use super::measure::Measure;
use super::spacing::ends_operand_for_sure;
use crate::token::TokenKind as T;

pub enum Node<'l, 'a> {
    Atom {
        lexeme: &'l Lexeme<'a>,
        measure: Measure,
        /// The line may be broken before it.
        soft: bool,
    },
    Group(Group<'l, 'a>),
}

/// A bracket; each item ends with its separator.
pub struct Group<'l, 'a> {
    pub open: &'l Lexeme<'a>,
    pub items: Vec<Vec<Node<'l, 'a>>>,
    pub close: Option<&'l Lexeme<'a>>,
    pub measure: Measure,
    /// Without comments above the bracket and after it.
    pub inner: Measure,
}

impl<'l, 'a> Node<'l, 'a> {
    pub fn measure(&self) -> Measure {
        match self {
            Node::Atom { measure, .. } => *measure,
            Node::Group(group) => group.measure,
        }
    }

    pub fn first(&self) -> &'l Lexeme<'a> {
        match self {
            Node::Atom { lexeme, .. } => lexeme,
            Node::Group(group) => group.open,
        }
    }

    pub fn is_soft(&self) -> bool {
        matches!(self, Node::Atom { soft: true, .. })
    }
}

/// The tree of a line; the last word of a header does not leave its line.
pub fn build<'l, 'a>(lexemes: &'l [Lexeme<'a>], is_header: bool) -> Vec<Node<'l, 'a>> {
    let mut builder = Builder { lexemes, at: 0, is_header };
    builder.sequence()
}

/// The room of nodes written one after another.
pub fn measure(nodes: &[Node<'_, '_>]) -> Measure {
    let mut nodes = nodes.iter();
    let Some(first) = nodes.next() else {
        return Measure::default();
    };
    nodes.fold(first.measure(), |all, node| all.then(node.measure(), node.first().space))
}

struct Builder<'l, 'a> {
    lexemes: &'l [Lexeme<'a>],
    at: usize,
    is_header: bool,
}

impl<'l, 'a> Builder<'l, 'a> {
    /// Nodes up to a closing bracket or the end.
    fn sequence(&mut self) -> Vec<Node<'l, 'a>> {
        let mut nodes = Vec::new();
        while let Some(lexeme) = self.lexemes.get(self.at) {
            match lexeme.kind {
                T::LeftParen | T::LeftBracket | T::LeftBrace => nodes.push(self.group()),
                T::RightParen | T::RightBracket | T::RightBrace => break,
                _ => nodes.push(self.atom()),
            }
        }
        nodes
    }

    fn atom(&mut self) -> Node<'l, 'a> {
        let lexeme = &self.lexemes[self.at];
        let soft = self.is_soft();
        self.at += 1;
        Node::Atom { lexeme, measure: Measure::of(lexeme), soft }
    }

    fn is_soft(&self) -> bool {
        let Some(before) = self.at.checked_sub(1).map(|at| self.lexemes[at].kind) else {
            return false;
        };
        let lexeme = &self.lexemes[self.at];
        match lexeme.kind {
            // A description, not an operand; after `end if` too.
            T::String => ends_operand_for_sure(before) || matches!(before, T::End | T::If | T::For | T::When),
            // The condition of a component, the iterators of an array.
            T::If => ends_operand_for_sure(before),
            T::For => before != T::End,
            T::Annotation | T::Constrainedby | T::And | T::Or => true,
            T::Plus | T::Minus => lexeme.space && !lexeme.unary,
            T::Then => !(self.is_header && self.at + 1 == self.lexemes.len()),
            T::Else | T::Elseif => true,
            _ => false,
        }
    }

    fn group(&mut self) -> Node<'l, 'a> {
        let open = &self.lexemes[self.at];
        self.at += 1;
        let mut items = Vec::new();
        let mut item = Vec::new();
        while let Some(lexeme) = self.lexemes.get(self.at) {
            match lexeme.kind {
                T::LeftParen | T::LeftBracket | T::LeftBrace => item.push(self.group()),
                T::RightParen | T::RightBracket | T::RightBrace => break,
                T::Comma | T::Semicolon => {
                    item.push(self.atom());
                    items.push(std::mem::take(&mut item));
                }
                _ => item.push(self.atom()),
            }
        }
        if !item.is_empty() {
            items.push(item);
        }
        let close = self.lexemes.get(self.at);
        self.at += 1;
        Node::Group(Group::new(open, items, close))
    }
}

impl<'l, 'a> Group<'l, 'a> {
    fn new(open: &'l Lexeme<'a>, items: Vec<Vec<Node<'l, 'a>>>, close: Option<&'l Lexeme<'a>>) -> Self {
        let mut all = Measure::of(open);
        for item in &items {
            let space = item.first().is_some_and(|node| node.first().space);
            // What follows a text of several lines would be hard to find behind it.
            all.forced |= all.stops;
            all = all.then(measure(item), space);
        }
        if let Some(close) = close {
            all = all.then(Measure::of(close), false);
        }
        let inner = Measure { above: false, after: false, ..all };
        Group { open, items, close, measure: all, inner }
    }
}
