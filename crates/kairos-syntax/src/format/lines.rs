//! The logical lines of a file: one element, equation or header each, with its indentation.

use super::lexeme::Lexeme;
use crate::token::TokenKind as T;

pub struct Line<'l, 'a> {
    pub lexemes: &'l [Lexeme<'a>],
    /// In levels.
    pub indent: usize,
    /// Of comments above the line.
    pub comment_indent: usize,
    pub blank_before: bool,
    /// Opens a block: its last word stays with it.
    pub is_header: bool,
}

/// Splits the tokens of a correct file; the end of the text is the last line.
pub fn split<'l, 'a>(lexemes: &'l [Lexeme<'a>]) -> Vec<Line<'l, 'a>> {
    let mut lines = Vec::new();
    let mut level = 0_usize;
    let mut at = 0;
    while at < lexemes.len() {
        let rest = &lexemes[at..];
        let shape = shape(rest);
        let indent = level.saturating_sub(usize::from(shape.outdent));
        // Comments before `end` and `else` belong to the block above, those before sections to the section.
        let comment_indent =
            if matches!(rest[0].kind, T::End | T::Else | T::Elseif | T::Elsewhen) { level } else { indent };
        lines.push(Line {
            lexemes: &rest[..shape.length],
            indent,
            comment_indent,
            blank_before: rest[0].blank_above,
            is_header: shape.opens,
        });
        level = match (shape.opens, rest[0].kind) {
            (true, _) => indent + 1,
            (false, T::End) => indent,
            (false, _) => level,
        };
        at += shape.length;
    }
    lines
}

struct Shape {
    length: usize,
    /// One level further out than what it stands among.
    outdent: bool,
    opens: bool,
}

fn shape(lexemes: &[Lexeme<'_>]) -> Shape {
    let kind = |at: usize| lexemes.get(at).map_or(T::Eof, |l| l.kind);
    let line = |length: usize, outdent, opens| Shape { length, outdent, opens };
    match kind(0) {
        T::Eof => line(1, false, false),
        T::Public | T::Protected | T::Equation | T::Algorithm => line(1, true, true),
        T::Initial if matches!(kind(1), T::Equation | T::Algorithm) => line(2, true, true),
        T::End => line(through(lexemes, T::Semicolon), true, false),
        T::Else => line(1, true, true),
        T::Elseif | T::Elsewhen => line(through(lexemes, T::Then), true, true),
        T::If | T::When => line(through(lexemes, T::Then), false, true),
        T::For | T::While => line(through(lexemes, T::Loop), false, true),
        _ => match class_header(lexemes) {
            Some(length) => line(length, false, true),
            None => line(through(lexemes, T::Semicolon), false, false),
        },
    }
}

/// The number of lexemes up to the first `last` that stands in no bracket and no inner `if`.
fn through(lexemes: &[Lexeme<'_>], last: T) -> usize {
    let mut depth = 0_usize;
    let mut inner_ifs = 0_usize;
    for (at, lexeme) in lexemes.iter().enumerate() {
        match lexeme.kind {
            T::LeftParen | T::LeftBracket | T::LeftBrace => depth += 1,
            T::RightParen | T::RightBracket | T::RightBrace => depth = depth.saturating_sub(1),
            T::Eof => return at.max(1),
            T::If | T::Elseif if at > 0 && depth == 0 => inner_ifs += 1,
            T::Then if depth == 0 && inner_ifs > 0 => {
                inner_ifs -= 1;
                continue;
            }
            _ => {}
        }
        if lexeme.kind == last && depth == 0 {
            return at + 1;
        }
    }
    lexemes.len()
}

/// The length of `partial model A "text"` or `model extends A(x=1) "text"`, if that stands here.
fn class_header(lexemes: &[Lexeme<'_>]) -> Option<usize> {
    let kind = |at: usize| lexemes.get(at).map_or(T::Eof, |l| l.kind);
    let mut at = 0;
    let mut is_class = false;
    loop {
        match kind(at) {
            T::Redeclare | T::Final | T::Inner | T::Outer | T::Replaceable => {}
            T::Encapsulated | T::Partial | T::Expandable | T::Pure | T::Impure => {}
            T::Class | T::Model | T::Record | T::Block | T::Connector => is_class = true,
            T::Type | T::Package | T::Function | T::Operator => is_class = true,
            _ => break,
        }
        at += 1;
    }
    if !is_class {
        return None;
    }
    if kind(at) == T::Extends {
        at += 1;
    } else if kind(at + 1) == T::Equal {
        return None;
    }
    at += 1;
    if kind(at) == T::LeftParen {
        at += through(&lexemes[at..], T::RightParen);
    }
    while kind(at) == T::String || (kind(at) == T::Plus && kind(at + 1) == T::String) {
        at += 1;
    }
    Some(at)
}
