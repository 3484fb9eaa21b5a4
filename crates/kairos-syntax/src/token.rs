//! The tokens of Modelica (MLS 2 and appendix A.1).

macro_rules! tokens {
    ($($name:ident $text:literal)* ; $($keyword:ident $word:literal)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum TokenKind {
            Ident,
            Integer,
            Real,
            String,
            Eof,
            $($name,)*
            $($keyword,)*
        }

        pub const KEYWORDS: &[&str] = &[$($word),*];

        impl TokenKind {
            /// How the token is called in messages.
            pub fn describe(self) -> &'static str {
                match self {
                    Self::Ident => "a name",
                    Self::Integer | Self::Real => "a number",
                    Self::String => "a string",
                    Self::Eof => "the end of the text",
                    $(Self::$name => concat!("`", $text, "`"),)*
                    $(Self::$keyword => concat!("`", $word, "`"),)*
                }
            }

            /// The text of a token that has only one.
            pub fn text(self) -> &'static str {
                match self {
                    Self::Ident | Self::Integer | Self::Real | Self::String | Self::Eof => "",
                    $(Self::$name => $text,)*
                    $(Self::$keyword => $word,)*
                }
            }

            pub fn is_keyword(self) -> bool {
                matches!(self, $(Self::$keyword)|*)
            }

            /// The keyword that `word` is, or `Ident`.
            pub fn of_word(word: &str) -> Self {
                match word {
                    $($word => Self::$keyword,)*
                    _ => Self::Ident,
                }
            }
        }
    };
}

tokens! {
    LeftParen "("
    RightParen ")"
    LeftBracket "["
    RightBracket "]"
    LeftBrace "{"
    RightBrace "}"
    Comma ","
    Semicolon ";"
    Colon ":"
    Dot "."
    Equal "="
    Assign ":="
    Plus "+"
    Minus "-"
    Star "*"
    Slash "/"
    Caret "^"
    DotPlus ".+"
    DotMinus ".-"
    DotStar ".*"
    DotSlash "./"
    DotCaret ".^"
    Less "<"
    LessEqual "<="
    Greater ">"
    GreaterEqual ">="
    EqualEqual "=="
    NotEqual "<>"
    ;
    Algorithm "algorithm"
    And "and"
    Annotation "annotation"
    Block "block"
    Break "break"
    Class "class"
    Connect "connect"
    Connector "connector"
    Constant "constant"
    Constrainedby "constrainedby"
    Der "der"
    Discrete "discrete"
    Each "each"
    Else "else"
    Elseif "elseif"
    Elsewhen "elsewhen"
    Encapsulated "encapsulated"
    End "end"
    Enumeration "enumeration"
    Equation "equation"
    Expandable "expandable"
    Extends "extends"
    External "external"
    False "false"
    Final "final"
    Flow "flow"
    For "for"
    Function "function"
    If "if"
    Import "import"
    Impure "impure"
    In "in"
    Initial "initial"
    Inner "inner"
    Input "input"
    Loop "loop"
    Model "model"
    Not "not"
    Operator "operator"
    Or "or"
    Outer "outer"
    Output "output"
    Package "package"
    Parameter "parameter"
    Partial "partial"
    Protected "protected"
    Public "public"
    Pure "pure"
    Record "record"
    Redeclare "redeclare"
    Replaceable "replaceable"
    Return "return"
    Stream "stream"
    Then "then"
    Time "time"
    True "true"
    Type "type"
    When "when"
    While "while"
    Within "within"
}

/// A token and its byte range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}
