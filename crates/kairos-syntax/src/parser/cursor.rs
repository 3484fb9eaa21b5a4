//! The parser's place in the tokens: looking, taking, recovering, counting depth.

use super::{Fault, Parsed};
use crate::ast::{Argument, Expr, Ident, NamedArg, Path, RefPart, Subscript};
use crate::diagnostics as say;
use crate::lexer::Tokens;
use crate::names::NameCache;
use crate::suggest::nearest_keyword;
use crate::token::{Token, TokenKind as T};
use kairos_base::{Diagnostic, FileId, Name, Span};
use std::sync::Arc;

/// Levels of brackets, classes and blocks; a parse of that depth fits a 2 MB stack.
pub const MAX_DEPTH: usize = 256;
/// Levels of the operator tree of one expression: chains such as `a + b + …` are as deep as long.
pub const MAX_HEIGHT: usize = 1024;
const MAX_ERRORS: usize = 100;

pub struct Parser<'a> {
    pub file: FileId,
    pub text: &'a str,
    tokens: &'a [Token],
    at: usize,
    names: NameCache<'a>,
    pub diagnostics: Vec<Diagnostic>,
    /// From here on the text is in a string or comment that does not end.
    swallowed_from: u32,
    /// Token at which the last error was given: a second one there is a consequence.
    last_error: Option<usize>,
    depth: usize,
    /// Height of the highest expression read since the enclosing bracket opened.
    pub height: usize,
    /// Open subscripts, where `end` is a number.
    pub subscripts: usize,
    /// Names of the open classes, innermost last.
    pub open_classes: Vec<Name>,
    /// Inside of an annotation.
    pub in_annotation: bool,
    /// Shared by all parts of references without subscripts.
    pub no_subscripts: Arc<[Subscript]>,
    pub lists: OpenLists,
}

/// Lists while they are read, inner ones on top of outer ones: the tree gets them in their exact size.
/// What a faulty list leaves behind is never looked at again.
#[derive(Default)]
pub struct OpenLists {
    pub exprs: Vec<Expr>,
    pub named: Vec<NamedArg>,
    pub arguments: Vec<Argument>,
    pub parts: Vec<RefPart>,
}

impl<'a> Parser<'a> {
    pub fn new(file: FileId, text: &'a str, lexed: &'a mut Tokens) -> Self {
        Self {
            file,
            text,
            tokens: &lexed.tokens,
            at: 0,
            names: NameCache::new(),
            diagnostics: std::mem::take(&mut lexed.diagnostics),
            swallowed_from: lexed.swallowed_from.unwrap_or(u32::MAX),
            last_error: None,
            depth: 0,
            height: 0,
            subscripts: 0,
            open_classes: Vec::new(),
            in_annotation: false,
            no_subscripts: Arc::new([]),
            lists: OpenLists::default(),
        }
    }

    /// All diagnostics in source order, at most `MAX_ERRORS`.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let place = |d: &Diagnostic| d.labels.first().map_or(0, |l| l.span.start);
        self.diagnostics.sort_by_key(place);
        if self.diagnostics.len() > MAX_ERRORS {
            let rest = self.diagnostics[MAX_ERRORS].labels.first().map(|l| l.span);
            self.diagnostics.truncate(MAX_ERRORS);
            let span = rest.unwrap_or(Span::new(self.file, 0, 0));
            self.diagnostics.push(say::too_many_errors(MAX_ERRORS, span));
        }
        self.diagnostics
    }

    pub fn peek(&self) -> T {
        self.tokens[self.at].kind
    }

    /// The kind of the token `ahead` places on.
    pub fn peek_at(&self, ahead: usize) -> T {
        self.tokens.get(self.at + ahead).map_or(T::Eof, |t| t.kind)
    }

    pub fn at(&self, kind: T) -> bool {
        self.peek() == kind
    }

    /// The index of the current token, to see whether a loop gets on.
    pub fn position(&self) -> usize {
        self.at
    }

    pub fn span(&self) -> Span {
        self.span_of(self.tokens[self.at])
    }

    /// The span of the last token taken.
    pub fn last_span(&self) -> Span {
        self.span_of(self.tokens[self.at.saturating_sub(1)])
    }

    /// From `start` to the last token taken.
    pub fn since(&self, start: Span) -> Span {
        Span { end: self.tokens[self.at.saturating_sub(1)].end.max(start.start), ..start }
    }

    fn span_of(&self, token: Token) -> Span {
        Span { file: self.file, start: token.start, end: token.end }
    }

    pub fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The text `ahead` tokens on.
    pub fn text_at(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.at + ahead).map_or("", |&t| self.slice(self.span_of(t)))
    }

    /// The current token as messages name it.
    pub fn found(&self) -> String {
        match self.peek() {
            T::Ident | T::Integer | T::Real => format!("`{}`", self.text_at(0)),
            kind => kind.describe().to_string(),
        }
    }

    /// Takes the current token; the end of the text stays.
    pub fn bump(&mut self) -> Span {
        let span = self.span();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        span
    }

    pub fn eat(&mut self, kind: T) -> bool {
        let here = self.at(kind);
        if here {
            self.bump();
        }
        here
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        if !diagnostic.is_error() {
            self.diagnostics.push(diagnostic);
            return;
        }
        let place = diagnostic.labels.first().map_or(0, |label| label.span.end);
        if self.last_error != Some(self.at) && place <= self.swallowed_from {
            self.diagnostics.push(diagnostic);
        }
        self.last_error = Some(self.at);
    }

    /// Reports that something else stands here.
    pub fn unexpected<X>(&mut self, expected: &str) -> Parsed<X> {
        let mut diagnostic = say::unexpected_token(expected, &self.found(), self.span());
        // Beyond the limit nobody sees it.
        if self.diagnostics.len() < MAX_ERRORS
            && let Some((word, keyword)) = self.misspelt_keyword()
        {
            diagnostic = diagnostic.help(say::did_you_mean(word, keyword));
        }
        self.report(diagnostic);
        Err(Fault)
    }

    /// A name among the last tokens that is nearly a keyword: `paramter Real x` fails at `x` only.
    pub fn misspelt_keyword(&self) -> Option<(&'a str, &'static str)> {
        let recent = &self.tokens[self.at.saturating_sub(3)..=self.at];
        recent.iter().rev().filter(|token| token.kind == T::Ident).find_map(|&token| {
            let word = self.slice(self.span_of(token));
            nearest_keyword(word).map(|keyword| (word, keyword))
        })
    }

    pub fn expect(&mut self, kind: T) -> Parsed<Span> {
        match self.at(kind) {
            true => Ok(self.bump()),
            false => self.unexpected(kind.describe()),
        }
    }

    /// Takes the bracket that closes the one at `opened`.
    pub fn close(&mut self, open: T, close: T, opened: Span) -> Parsed<Span> {
        if self.at(close) {
            return Ok(self.bump());
        }
        let found = self.found();
        self.report(say::unclosed_bracket(open.text(), close.text(), &found, self.span(), opened));
        Err(Fault)
    }

    pub fn ident(&mut self, expected: &str) -> Parsed<Ident> {
        if self.at(T::Ident) {
            let text = self.text_at(0);
            let span = self.bump();
            return Ok(Ident { name: self.names.intern(text), span });
        }
        if self.peek().is_keyword() {
            self.report(say::keyword_as_name(expected, self.text_at(0), self.span()));
            return Err(Fault);
        }
        self.unexpected(expected)
    }

    /// The current token, a keyword, as a name: `der`, `time`, ….
    pub fn keyword_ident(&mut self) -> Ident {
        let text = self.text_at(0);
        let span = self.bump();
        Ident { name: self.names.intern(text), span }
    }

    /// `[.] a.b.c`
    pub fn path(&mut self, expected: &str) -> Parsed<Path> {
        let start = self.span();
        let global = self.eat(T::Dot);
        let mut parts = vec![self.ident(expected)?];
        while self.at(T::Dot) && self.peek_at(1) == T::Ident {
            self.bump();
            parts.push(self.ident("a name")?);
        }
        Ok(Path { global, parts, span: self.since(start) })
    }

    /// Runs `inner` one level deeper, unless that is too deep.
    // Inlined, as it would stand on the stack once for every level.
    #[inline(always)]
    pub fn nested<X>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<X>) -> Parsed<X> {
        let outer = self.enter()?;
        let result = inner(self);
        self.height = outer.max(self.height + 1);
        self.depth -= 1;
        result
    }

    /// One level deeper; gives the height of what was read before.
    fn enter(&mut self) -> Parsed<usize> {
        if self.depth == MAX_DEPTH {
            self.report(say::nesting_too_deep(MAX_DEPTH, self.span()));
            return Err(Fault);
        }
        self.depth += 1;
        Ok(std::mem::take(&mut self.height))
    }

    /// Whether nothing more than `;` is missing: the next token starts a line and could start an item.
    fn starts_item_on_new_line(&self) -> bool {
        let here = self.tokens[self.at];
        let before = self.tokens[self.at.saturating_sub(1)];
        let gap = self.text.as_bytes().get(before.end as usize..here.start as usize).unwrap_or(&[]);
        let item = here.kind.is_keyword() || matches!(here.kind, T::Ident | T::LeftParen | T::Eof);
        item && (gap.contains(&b'\n') || ends_section(here.kind))
    }

    /// Takes the `;` after an item; without one, skips to where the next item may start.
    pub fn end_of_item(&mut self) {
        if self.eat(T::Semicolon) {
            return;
        }
        if self.starts_item_on_new_line() {
            let last = self.last_span();
            let start = self.text.floor_char_boundary((last.end as usize).saturating_sub(1));
            let place = Span { start: last.start.max(start as u32), ..last };
            self.report(say::missing_semicolon(place, &self.found()));
            self.last_error = None;
            return;
        }
        let number = |kind| matches!(kind, T::Integer | T::Real);
        let before = self.at.checked_sub(1).map_or(T::Eof, |at| self.tokens[at].kind);
        if self.at(T::Comma) && number(before) && number(self.peek_at(1)) {
            self.report(say::decimal_comma(self.span()));
        } else {
            let _ = self.unexpected::<()>("`;`");
        }
        self.recover();
    }

    /// Skips past the next `;`, or up to a word that starts a section or ends a class or block.
    pub fn recover(&mut self) {
        let mut open = 0_usize;
        loop {
            match self.peek() {
                T::Eof => return,
                T::Semicolon => {
                    self.bump();
                    return;
                }
                T::LeftParen | T::LeftBracket | T::LeftBrace => open += 1,
                T::RightParen | T::RightBracket | T::RightBrace => open = open.saturating_sub(1),
                T::Annotation => {}
                // `end` inside brackets is a subscript; before a word it closes something.
                T::End if open == 0 || closes(self.peek_at(1)) => return,
                T::End => {}
                kind if ends_section(kind) => return,
                T::Initial if matches!(self.peek_at(1), T::Equation | T::Algorithm) => return,
                _ => {}
            }
            self.bump();
        }
    }
}

/// What follows an `end` that is not a subscript.
fn closes(kind: T) -> bool {
    matches!(kind, T::Ident | T::If | T::For | T::When | T::While)
}

/// Words that end a list of elements, equations or statements.
pub fn ends_section(kind: T) -> bool {
    matches!(kind, T::Equation | T::Algorithm | T::Public | T::Protected | T::External | T::End | T::Eof)
}

/// Words that can only start a declaration.
pub fn starts_declaration(kind: T) -> bool {
    starts_class(kind)
        || matches!(
            kind,
            T::Import
                | T::Extends
                | T::Redeclare
                | T::Final
                | T::Inner
                | T::Outer
                | T::Replaceable
                | T::Flow
                | T::Stream
                | T::Discrete
                | T::Parameter
                | T::Constant
                | T::Input
                | T::Output
        )
}

pub fn starts_class(kind: T) -> bool {
    matches!(
        kind,
        T::Encapsulated
            | T::Partial
            | T::Class
            | T::Model
            | T::Operator
            | T::Record
            | T::Block
            | T::Expandable
            | T::Connector
            | T::Type
            | T::Package
            | T::Pure
            | T::Impure
            | T::Function
    )
}
