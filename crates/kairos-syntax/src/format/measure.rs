//! How much room a part of a line takes, and whether it can stand on one line at all.

use super::lexeme::Lexeme;

/// The room of some lexemes written on one line.
#[derive(Clone, Copy, Default)]
pub struct Measure {
    /// Columns, up to the first line end inside a string.
    pub width: usize,
    /// A string ends the line, so what follows does not matter.
    pub stops: bool,
    /// A comment inside ends a line.
    pub forced: bool,
    /// A comment stands on the line above.
    pub above: bool,
    /// A comment ends the line after.
    pub after: bool,
}

impl Measure {
    pub fn of(lexeme: &Lexeme<'_>) -> Self {
        let mut measure = Measure {
            above: !lexeme.above.is_empty(),
            after: !lexeme.after.is_empty(),
            ..Measure::default()
        };
        for comment in &lexeme.before {
            measure.text(comment);
            measure.text(" ");
        }
        measure.text(lexeme.text);
        measure
    }

    fn text(&mut self, text: &str) {
        if self.stops {
            return;
        }
        let line = text.split(['\n', '\r']).next().unwrap_or("");
        self.width += line.chars().count();
        self.stops = line.len() < text.len();
    }

    /// The room of `self` and then `next`.
    pub fn then(self, next: Measure, space: bool) -> Measure {
        Measure {
            width: match self.stops {
                true => self.width,
                false => self.width + usize::from(space) + next.width,
            },
            stops: self.stops | next.stops,
            forced: self.forced | next.forced | self.after | next.above,
            above: self.above,
            after: next.after,
        }
    }

    /// Whether it fits into the columns from `column` on, with `tail` more behind it.
    pub fn fits(self, column: usize, tail: usize, limit: usize) -> bool {
        !self.forced && column + self.width + if self.stops { 0 } else { tail } <= limit
    }
}
