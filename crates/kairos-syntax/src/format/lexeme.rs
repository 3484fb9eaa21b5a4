//! Tokens with the comments that belong to them.

use crate::lexer::Tokens;
use crate::token::TokenKind as T;

/// A token, the comments before it and the comments after it on its line.
pub struct Lexeme<'a> {
    pub kind: T,
    pub text: &'a str,
    /// Comments on lines of their own before the token.
    pub above: Vec<CommentLine<'a>>,
    /// Comments between the line's start, or the token before, and the token.
    pub before: Vec<&'a str>,
    /// Comments after which the line ends.
    pub after: Vec<&'a str>,
    /// An empty line stands directly above the token.
    pub blank_above: bool,
    /// One space separates the token from the one before, where both are on one line.
    pub space: bool,
    /// A sign, not an operation.
    pub unary: bool,
}

pub struct CommentLine<'a> {
    pub comments: Vec<&'a str>,
    pub blank_above: bool,
}

/// The tokens of a text, the end included, with their comments.
pub fn attach_comments<'a>(text: &'a str, tokens: &Tokens) -> Vec<Lexeme<'a>> {
    let mut out: Vec<Lexeme<'a>> = Vec::with_capacity(tokens.tokens.len());
    let mut comments = tokens.comments.iter().peekable();
    let mut end = 0;
    for token in &tokens.tokens {
        let mut gap = Gap::new(out.is_empty());
        while let Some(comment) = comments.next_if(|c| c.start < token.start || token.kind == T::Eof) {
            gap.white(&text[end..comment.start as usize]);
            gap.line.push(text[comment.start as usize..comment.end as usize].trim_end());
            end = comment.end as usize;
        }
        gap.white(&text[end..token.start as usize]);
        end = token.end as usize;
        if token.kind == T::Eof && !gap.line.is_empty() {
            gap.end_line();
        }
        if let Some(last) = out.last_mut() {
            last.after = gap.after;
        }
        out.push(Lexeme {
            kind: token.kind,
            text: &text[token.start as usize..token.end as usize],
            above: gap.above,
            before: gap.line,
            after: Vec::new(),
            blank_above: gap.blank,
            space: false,
            unary: false,
        });
    }
    out
}

/// What stands between two tokens.
struct Gap<'a> {
    /// Still on the line of the token before.
    first_line: bool,
    after: Vec<&'a str>,
    above: Vec<CommentLine<'a>>,
    line: Vec<&'a str>,
    blank: bool,
}

impl Gap<'_> {
    fn new(at_start: bool) -> Self {
        Gap { first_line: !at_start, after: Vec::new(), above: Vec::new(), line: Vec::new(), blank: false }
    }

    fn white(&mut self, white: &str) {
        let newlines = white.bytes().filter(|&b| b == b'\n').count();
        // A file may use lone carriage returns.
        let newlines = if newlines == 0 { white.bytes().filter(|&b| b == b'\r').count() } else { newlines };
        if newlines > 0 {
            self.end_line();
        }
        self.blank |= newlines > 1;
    }

    fn end_line(&mut self) {
        let comments = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.first_line) {
            self.after = comments;
        } else if !comments.is_empty() {
            self.above.push(CommentLine { comments, blank_above: std::mem::take(&mut self.blank) });
        }
    }
}
