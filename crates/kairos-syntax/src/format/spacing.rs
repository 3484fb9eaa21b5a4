//! Where one space separates two tokens of a line, and where none does.

use super::lexeme::Lexeme;
use crate::token::TokenKind as T;

/// Sets `space` and `unary` of all lexemes.
pub fn decide_spaces(lexemes: &mut [Lexeme<'_>]) {
    let mut context = Context { brackets: Vec::new(), in_import: false, for_depth: None };
    let mut before = T::Semicolon;
    let mut before_unary = false;
    for lexeme in lexemes {
        let kind = lexeme.kind;
        lexeme.unary = is_sign(kind) && !ends_operand(before, &context);
        // A comment glued to an operator could change it: `a//* c */b`.
        lexeme.space = !lexeme.before.is_empty()
            || match before_unary {
                true => false,
                false => space_between(before, kind, lexeme.unary, &context),
            };
        context.step(before, kind);
        before_unary = lexeme.unary;
        before = kind;
    }
}

struct Context {
    /// Open brackets; true for subscripts, which are set tight.
    brackets: Vec<bool>,
    in_import: bool,
    /// Between `for` and `loop`, or `for` and the closing bracket: the number of brackets open there.
    for_depth: Option<usize>,
}

impl Context {
    fn tight(&self) -> bool {
        self.for_depth == Some(self.brackets.len()) || self.brackets.last() == Some(&true)
    }

    fn step(&mut self, before: T, kind: T) {
        match kind {
            T::LeftParen | T::LeftBrace => self.brackets.push(false),
            T::LeftBracket => self.brackets.push(ends_operand(before, self)),
            T::RightParen | T::RightBrace | T::RightBracket => {
                self.brackets.pop();
                if self.for_depth.is_some_and(|depth| depth > self.brackets.len()) {
                    self.for_depth = None;
                }
            }
            T::Import => self.in_import = true,
            T::Semicolon if self.brackets.is_empty() => self.in_import = false,
            T::For if before != T::End => self.for_depth = Some(self.brackets.len()),
            T::Loop => self.for_depth = None,
            _ => {}
        }
    }
}

fn space_between(before: T, kind: T, unary: bool, context: &Context) -> bool {
    match (before, kind) {
        (_, T::Comma | T::Semicolon | T::RightParen | T::RightBracket | T::RightBrace | T::Eof) => false,
        // `.` and `*` apart must not become `.*`.
        (T::Dot, T::Star) => true,
        (T::LeftParen | T::LeftBracket | T::LeftBrace | T::Dot, _) => false,
        (_, T::DotStar) if context.in_import => false,
        (T::Caret | T::Colon, _) | (_, T::Caret | T::Colon) => false,
        (T::Star | T::Slash, _) | (_, T::Star | T::Slash) => false,
        (_, T::Dot) => !ends_operand(before, context),
        (_, T::LeftParen) => !opens_arguments(before),
        (_, T::LeftBracket) => !matches!(before, T::Ident | T::RightParen),
        (T::Equal, _) | (_, T::Equal) => context.brackets.is_empty(),
        (T::Plus | T::Minus, _) if context.tight() => false,
        (_, T::Plus | T::Minus) if context.tight() => unary && !matches!(before, T::Colon),
        _ => true,
    }
}

fn opens_arguments(before: T) -> bool {
    matches!(
        before,
        T::Ident
            | T::Der
            | T::Initial
            | T::Pure
            | T::Impure
            | T::Connect
            | T::Enumeration
            | T::Annotation
            | T::RightBracket
    )
}

pub fn is_sign(kind: T) -> bool {
    matches!(kind, T::Plus | T::Minus | T::DotPlus | T::DotMinus)
}

/// Whether an operand may end with this token, so that a following sign is an operation.
fn ends_operand(kind: T, context: &Context) -> bool {
    match kind {
        T::End => !context.brackets.is_empty(),
        _ => ends_operand_for_sure(kind),
    }
}

pub fn ends_operand_for_sure(kind: T) -> bool {
    matches!(
        kind,
        T::Ident
            | T::Integer
            | T::Real
            | T::String
            | T::True
            | T::False
            | T::Time
            | T::RightParen
            | T::RightBracket
            | T::RightBrace
    )
}
