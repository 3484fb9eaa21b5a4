//! Text to tokens; comments go aside.

use crate::diagnostics as say;
use crate::scan::find_either;
use crate::token::{Token, TokenKind};
use kairos_base::{Diagnostic, FileId, Span};

/// The tokens of a text, ended by `Eof`.
pub struct Tokens {
    pub tokens: Vec<Token>,
    pub comments: Vec<Span>,
    pub diagnostics: Vec<Diagnostic>,
    /// Where a string or comment starts that swallows the rest of the text.
    pub swallowed_from: Option<u32>,
}

/// Splits a text into tokens; characters that belong to no token are reported and passed over.
pub fn lex(file: FileId, text: &str) -> Tokens {
    let guess = text.len() / 6 + 16;
    let mut lexer = Lexer {
        file,
        text,
        bytes: text.as_bytes(),
        at: 0,
        out: Tokens {
            tokens: Vec::with_capacity(guess),
            comments: Vec::new(),
            diagnostics: Vec::new(),
            swallowed_from: None,
        },
    };
    // Offsets are 32 bits wide.
    if u32::try_from(text.len()).is_err() {
        lexer.out.diagnostics.push(say::file_too_large(file));
        lexer.out.tokens.push(Token { kind: TokenKind::Eof, start: 0, end: 0 });
        return lexer.out;
    }
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    lexer.run();
    lexer.out
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    out: Tokens,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(&first) = self.bytes.get(self.at) {
            match first {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
                b'0'..=b'9' => self.number(),
                b'"' => self.string(),
                b'\'' => self.quoted(),
                b'/' if self.peek(1) == b'/' => self.line_comment(),
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                b'.' if self.peek(1).is_ascii_digit() => self.number(),
                _ => self.punctuation(first),
            }
        }
        self.push(TokenKind::Eof, self.at, self.at);
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.out.tokens.push(Token { kind, start: start as u32, end: end as u32 });
        self.at = end;
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.out.diagnostics.push(diagnostic);
    }

    fn word(&mut self) {
        let start = self.at;
        let mut end = start + 1;
        let lower = self.bytes[start];
        while self.bytes.get(end).is_some_and(|&c| is_word(c)) {
            end += 1;
        }
        // All keywords are lower case and at most `constrainedby` long.
        let kind = match lower & 0x20 != 0 && (2..=13).contains(&(end - start)) {
            true => TokenKind::of_word(&self.text[start..end]),
            false => TokenKind::Ident,
        };
        if self.bytes.get(end).is_some_and(|c| !c.is_ascii()) {
            return self.foreign_word(start);
        }
        self.push(kind, start, end);
    }

    /// A name with letters beyond ASCII, which MLS 2.1 excludes: reported and taken as one name.
    fn foreign_word(&mut self, start: usize) {
        let rest = &self.text[start..];
        let length = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
        if length == 0 {
            let c = rest.chars().next().unwrap_or(' ');
            let end = start + c.len_utf8();
            self.report(say::unexpected_character(c, self.span(start, end)));
            self.at = end;
            return;
        }
        let span = self.span(start, start + length);
        self.report(say::foreign_name(&rest[..length], span));
        self.push(TokenKind::Ident, start, start + length);
    }

    fn digits(&self, mut at: usize) -> usize {
        while self.bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    }

    fn number(&mut self) {
        let start = self.at;
        let mut end = self.digits(start);
        let mut kind = TokenKind::Integer;
        if self.bytes.get(end) == Some(&b'.') {
            kind = TokenKind::Real;
            end = self.digits(end + 1);
        }
        if matches!(self.bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = end + 1 + sign;
            let last = self.digits(exponent);
            if last > exponent {
                kind = TokenKind::Real;
                end = last;
            }
        }
        let mut tail = end;
        while self.bytes.get(tail).is_some_and(|&c| is_word(c)) {
            tail += 1;
        }
        if tail > end && TokenKind::of_word(&self.text[end..tail]) == TokenKind::Ident {
            self.report(say::number_with_letters(&self.text[start..tail], self.span(start, tail)));
            self.push(kind, start, end);
            self.at = tail;
            return;
        }
        self.push(kind, start, end);
    }

    fn string(&mut self) {
        let start = self.at;
        let mut at = start + 1;
        loop {
            at = find_either(self.bytes, at, b'"', b'\\');
            match self.bytes.get(at) {
                Some(b'"') => return self.push(TokenKind::String, start, at + 1),
                Some(_) => at += 2,
                None => break,
            }
        }
        let line = find_either(self.bytes, start, b'\n', b'\r');
        self.report(say::unclosed_string(self.span(start, line)));
        self.out.swallowed_from = Some(start as u32);
        self.push(TokenKind::String, start, self.bytes.len());
    }

    fn quoted(&mut self) {
        let start = self.at;
        let mut at = start + 1;
        loop {
            match self.bytes.get(at) {
                Some(b'\'') => return self.push(TokenKind::Ident, start, at + 1),
                Some(b'\n' | b'\r') | None => break,
                Some(b'\\') if !matches!(self.bytes.get(at + 1), Some(b'\n' | b'\r') | None) => at += 2,
                Some(_) => at += 1,
            }
        }
        // A prime behind a name is a derivative in books.
        if start > 0 && is_word(self.bytes[start - 1]) {
            self.report(say::primed(self.span(start, start + 1)));
            self.at = start + 1;
            return;
        }
        // Most likely the quote alone is wrong: go on behind the word.
        let mut end = start + 1;
        while self.bytes.get(end).is_some_and(|&c| is_word(c)) {
            end += 1;
        }
        self.report(say::unclosed_quote(self.span(start, at)));
        self.push(TokenKind::Ident, start, end);
    }

    fn line_comment(&mut self) {
        let end = find_either(self.bytes, self.at, b'\n', b'\r');
        self.out.comments.push(self.span(self.at, end));
        self.at = end;
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let mut at = start + 2;
        loop {
            at = find_either(self.bytes, at, b'*', b'*');
            if at >= self.bytes.len() {
                self.report(say::unclosed_comment(self.span(start, start + 2)));
                self.out.swallowed_from = Some(start as u32);
                self.out.comments.push(self.span(start, at));
                self.at = at;
                return;
            }
            at += 1;
            if self.bytes.get(at) == Some(&b'/') {
                self.out.comments.push(self.span(start, at + 1));
                self.at = at + 1;
                return;
            }
        }
    }

    fn punctuation(&mut self, first: u8) {
        use TokenKind::*;
        let start = self.at;
        let (kind, length) = match (first, self.peek(1)) {
            (b'(', _) => (LeftParen, 1),
            (b')', _) => (RightParen, 1),
            (b'[', _) => (LeftBracket, 1),
            (b']', _) => (RightBracket, 1),
            (b'{', _) => (LeftBrace, 1),
            (b'}', _) => (RightBrace, 1),
            (b',', _) => (Comma, 1),
            (b';', _) => (Semicolon, 1),
            (b':', b'=') => (Assign, 2),
            (b':', _) => (Colon, 1),
            (b'=', b'=') => (EqualEqual, 2),
            (b'=', _) => (Equal, 1),
            (b'<', b'=') => (LessEqual, 2),
            (b'<', b'>') => (NotEqual, 2),
            (b'<', _) => (Less, 1),
            (b'>', b'=') => (GreaterEqual, 2),
            (b'>', _) => (Greater, 1),
            (b'+', _) => (Plus, 1),
            (b'-', _) => (Minus, 1),
            (b'*', b'*') => return self.borrowed(2, Caret, "^"),
            (b'*', _) => (Star, 1),
            (b'/', _) => (Slash, 1),
            (b'^', _) => (Caret, 1),
            (b'.', b'+') => (DotPlus, 2),
            (b'.', b'-') => (DotMinus, 2),
            (b'.', b'*') => (DotStar, 2),
            (b'.', b'/') => (DotSlash, 2),
            (b'.', b'^') => (DotCaret, 2),
            (b'.', _) => (Dot, 1),
            (b'!', b'=') => return self.borrowed(2, NotEqual, "<>"),
            (b'!', _) => return self.borrowed(1, Not, "not"),
            (b'&', b'&') => return self.borrowed(2, And, "and"),
            (b'&', _) => return self.borrowed(1, And, "and"),
            (b'|', b'|') => return self.borrowed(2, Or, "or"),
            (b'|', _) => return self.borrowed(1, Or, "or"),
            (b'#' | b'%', _) => return self.borrowed_comment(),
            _ => return self.typographic(start),
        };
        self.push(kind, start, start + length);
    }

    /// `#` and `%` begin comments in other languages: reported once, and the line is passed over.
    fn borrowed_comment(&mut self) {
        let (start, end) = (self.at, find_either(self.bytes, self.at, b'\n', b'\r'));
        let span = self.span(start, start + 1);
        self.report(say::borrowed_comment(&self.text[start..start + 1], span));
        self.out.comments.push(self.span(start, end));
        self.at = end;
    }

    /// Signs that word processors put in place of plain ones, taken as those.
    fn typographic(&mut self, start: usize) {
        use TokenKind::*;
        let Some(c) = self.text[start..].chars().next() else { return self.foreign_word(start) };
        let (kind, instead) = match c {
            '\u{2212}' | '\u{2013}' | '\u{2014}' => (Minus, "-"),
            '×' | '·' | '\u{22c5}' | '\u{2217}' => (Star, "*"),
            '÷' | '\u{2215}' => (Slash, "/"),
            '≤' => (LessEqual, "<="),
            '≥' => (GreaterEqual, ">="),
            '≠' => (NotEqual, "<>"),
            '“' | '”' | '„' | '«' | '»' => return self.curly_string(start, c),
            _ => return self.foreign_word(start),
        };
        self.borrowed(c.len_utf8(), kind, instead);
    }

    /// A text between typographic quotes on one line, taken as a string.
    fn curly_string(&mut self, start: usize, opening: char) {
        let inside = start + opening.len_utf8();
        let rest = &self.text[inside..];
        let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        let closing = line.char_indices().find(|(_, c)| matches!(c, '“' | '”' | '«' | '»' | '"'));
        let end = closing.map_or(inside, |(at, c)| inside + at + c.len_utf8());
        let first = self.span(start, inside);
        self.report(say::typographic_quote(opening, first));
        match closing {
            Some(_) => self.push(TokenKind::String, start, end),
            None => self.at = inside,
        }
    }

    /// An operator of other languages, taken as the Modelica one.
    fn borrowed(&mut self, length: usize, kind: TokenKind, instead: &str) {
        let (start, end) = (self.at, self.at + length);
        let span = self.span(start, end);
        self.report(say::borrowed_operator(&self.text[start..end], instead, span));
        self.push(kind, start, end);
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}
