//! Writes logical lines, breaking those that are too long.

use super::lexeme::Lexeme;
use super::measure::Measure;
use super::tree::{Group, Node, measure};
use crate::token::TokenKind as T;

const WIDTH: usize = 100;
const INDENT: usize = 2;
/// Items of lists up to this width share lines.
const SMALL: usize = 40;

pub struct Printer {
    out: String,
    newline: &'static str,
    column: usize,
    /// Indentation of the current line.
    line_indent: usize,
    at_line_start: bool,
    /// A comment ends the current line.
    must_break: bool,
}

impl Printer {
    pub fn new(newline: &'static str) -> Self {
        Printer {
            out: String::new(),
            newline,
            column: 0,
            line_indent: 0,
            at_line_start: true,
            must_break: false,
        }
    }

    pub fn finish(self) -> String {
        self.out
    }

    /// Writes a line with the comments above it; indentations are in levels.
    pub fn logical_line(&mut self, nodes: &[Node<'_, '_>], indent: usize, above: usize, blank: bool) {
        let Some(first) = nodes.first().map(Node::first) else {
            return;
        };
        for line in &first.above {
            self.blank_line(line.blank_above);
            self.start_line(above * INDENT);
            self.comments(&line.comments);
            self.end_line();
        }
        if first.kind == T::Eof {
            return;
        }
        self.blank_line(blank);
        self.start_line(indent * INDENT);
        self.sequence(nodes, 0);
        self.end_line();
    }

    fn blank_line(&mut self, wanted: bool) {
        if wanted && !self.out.is_empty() {
            self.out.push_str(self.newline);
        }
    }

    fn start_line(&mut self, indent: usize) {
        self.column = indent;
        self.line_indent = indent;
        self.at_line_start = true;
        self.must_break = false;
    }

    fn end_line(&mut self) {
        if !self.at_line_start {
            self.out.push_str(self.newline);
        }
        self.at_line_start = true;
    }

    /// Goes on in a new line, unless one was just started.
    fn break_line(&mut self, indent: usize) {
        self.end_line();
        self.start_line(indent);
    }

    fn text(&mut self, text: &str) {
        if self.at_line_start {
            self.out.extend(std::iter::repeat_n(' ', self.column));
            self.at_line_start = false;
        }
        self.out.push_str(text);
        self.column = match text.rfind('\n') {
            Some(at) => text[at + 1..].chars().count(),
            None => self.column + text.chars().count(),
        };
    }

    fn comments(&mut self, comments: &[&str]) {
        for (at, comment) in comments.iter().enumerate() {
            if at > 0 {
                self.text(" ");
            }
            self.text(comment);
        }
    }

    /// Writes a lexeme; where its comments end lines, the text goes on at `indent`.
    fn lexeme(&mut self, lexeme: &Lexeme<'_>, indent: usize) {
        self.comments_above(lexeme, indent);
        self.lexeme_proper(lexeme, indent);
    }

    fn comments_above(&mut self, lexeme: &Lexeme<'_>, indent: usize) {
        for line in &lexeme.above {
            self.break_line(indent);
            self.comments(&line.comments);
            self.must_break = true;
        }
    }

    fn lexeme_proper(&mut self, lexeme: &Lexeme<'_>, indent: usize) {
        if self.must_break {
            self.break_line(indent);
        }
        if lexeme.space && !self.at_line_start {
            self.text(" ");
        }
        for comment in &lexeme.before {
            self.text(comment);
            self.text(" ");
        }
        self.text(lexeme.text);
        if !lexeme.after.is_empty() {
            self.text(" ");
            self.comments(&lexeme.after);
            self.must_break = true;
        }
    }

    /// Writes nodes, breaking at the soft places where the next part does not fit. The comments above
    /// the first lexeme are written already.
    fn sequence(&mut self, nodes: &[Node<'_, '_>], tail: usize) {
        let indent = self.line_indent + INDENT;
        let mut from = 0;
        while from < nodes.len() {
            let to = (from + 1..nodes.len()).find(|&at| nodes[at].is_soft()).unwrap_or(nodes.len());
            let part = &nodes[from..to];
            let part_tail = if to == nodes.len() { tail } else { 0 };
            if from > 0 {
                let space = usize::from(part[0].first().space);
                if !measure(part).fits(self.column + space, part_tail, WIDTH) {
                    self.break_line(indent);
                }
            }
            for (at, node) in part.iter().enumerate() {
                if from + at > 0 {
                    self.comments_above(node.first(), indent);
                }
                match node {
                    Node::Atom { lexeme, .. } => self.lexeme_proper(lexeme, indent),
                    Node::Group(group) => {
                        self.group(group, indent, columns_to_next_bracket(&part[at + 1..], part_tail));
                    }
                }
            }
            from = to;
        }
    }

    fn group(&mut self, group: &Group<'_, '_>, indent: usize, tail: usize) {
        let space = usize::from(group.open.space && !self.at_line_start);
        let flat = !self.must_break && group.inner.fits(self.column + space, tail, WIDTH);
        self.lexeme_proper(group.open, indent);
        let outer = self.line_indent;
        let style = if flat { Style::Flat } else { Style::of(group, outer + INDENT, tail + 1) };
        let count = group.items.len();
        for (at, item) in group.items.iter().enumerate() {
            let tail = if at + 1 == count { tail + 1 } else { 0 };
            let wants_line = match style {
                Style::Flat => false,
                Style::OnePerLine => true,
                Style::Rows if at == 0 || ends_row(&group.items[at - 1]) => true,
                Style::Rows | Style::Fill => {
                    let space = usize::from(at > 0);
                    !measure(item).fits(self.column + space, tail, WIDTH)
                }
            };
            if wants_line || self.must_break {
                self.break_line(outer + INDENT);
            }
            if let Some(first) = item.first().map(Node::first) {
                self.comments_above(first, outer + INDENT);
                if self.must_break {
                    self.break_line(outer + INDENT);
                }
            }
            self.sequence(item, tail);
        }
        if let Some(close) = group.close {
            self.lexeme(close, outer);
        }
    }
}

enum Style {
    Flat,
    Fill,
    Rows,
    OnePerLine,
}

impl Style {
    /// How a bracket is broken that does not fit, with its items at `indent`.
    fn of(group: &Group<'_, '_>, indent: usize, tail: usize) -> Self {
        match &group.items[..] {
            [] => Style::Flat,
            [_] if group.open.kind == T::LeftBracket => Style::Flat,
            // A single item stays at its bracket, where it can be broken further in.
            [item] => match item.iter().any(can_break) || !measure(item).fits(indent, tail, WIDTH) {
                true => Style::Flat,
                false => Style::OnePerLine,
            },
            _ if group.open.kind == T::LeftBracket && group.items.iter().any(|i| ends_row(i)) => Style::Rows,
            _ if group.items.iter().all(|item| is_small(item)) => Style::Fill,
            _ => Style::OnePerLine,
        }
    }
}

/// The columns behind a group that cannot be moved to another line.
fn columns_to_next_bracket(nodes: &[Node<'_, '_>], tail: usize) -> usize {
    let mut all = Measure::default();
    for node in nodes {
        if let Node::Group(group) = node {
            return all.width + usize::from(group.open.space) + 1;
        }
        all = all.then(node.measure(), node.first().space);
    }
    all.width + if all.stops { 0 } else { tail }
}

fn can_break(node: &Node<'_, '_>) -> bool {
    node.is_soft() || matches!(node, Node::Group(group) if !group.items.is_empty())
}

fn ends_row(item: &[Node<'_, '_>]) -> bool {
    item.last().is_some_and(|node| node.first().kind == T::Semicolon)
}

/// Short and without a name of its own: a number, a point, a positional argument.
fn is_small(item: &[Node<'_, '_>]) -> bool {
    let room = measure(item);
    let plain = |node: &Node<'_, '_>| {
        let described = node.is_soft() && node.first().kind == T::String;
        node.first().kind != T::Equal && !described
    };
    room.width <= SMALL && !room.stops && !room.forced && item.iter().all(plain)
}
