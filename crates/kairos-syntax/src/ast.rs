//! The tree of a Modelica source file, as the grammar of MLS appendix A has it.
//!
//! The tree is complete in meaning; comments between tokens are kept beside it (`SourceTree::comments`).

use kairos_base::{Name, Span};

/// One parsed file.
#[derive(Debug)]
pub struct SourceTree {
    /// `within A.B;` (empty path for `within;`), absent without the clause.
    pub within: Option<Path>,
    pub classes: Vec<Class>,
    /// `//` and `/* */` comments in source order, delimiters included.
    pub comments: Vec<Span>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    pub name: Name,
    pub span: Span,
}

/// A type name or class name: `.A.B`.
#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    /// Leading dot.
    pub global: bool,
    pub parts: Vec<Ident>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClassKind {
    Class,
    Model,
    Record,
    OperatorRecord,
    Block,
    Connector,
    ExpandableConnector,
    Type,
    Package,
    Function,
    OperatorFunction,
    Operator,
}

#[derive(Debug)]
pub struct Class {
    pub span: Span,
    pub name: Ident,
    pub kind: ClassKind,
    pub encapsulated: bool,
    pub partial: bool,
    /// `pure` (Some(true)), `impure` (Some(false)) function.
    pub pure: Option<bool>,
    pub body: ClassBody,
}

#[derive(Debug)]
pub enum ClassBody {
    /// `model A … end A;` and `model extends A(mods) … end A;`
    Long(Box<Composition>),
    /// `type A = prefix B[dims](mods) "comment";`
    Short(Box<ShortClass>),
    /// `type A = enumeration(a, b);` — `None` for `enumeration(:)`.
    Enumeration(Option<Vec<EnumLiteral>>, Comment),
    /// `function f = der(g, x, y);`
    Derivative(Path, Vec<Ident>, Comment),
}

#[derive(Debug)]
pub struct Composition {
    /// `class extends Name(mods)`: the inherited class of the same name is the base.
    pub extends_modifier: Option<Vec<Argument>>,
    pub is_class_extends: bool,
    pub description: Description,
    pub elements: Vec<Element>,
    pub equations: Vec<EquationSection>,
    pub algorithms: Vec<AlgorithmSection>,
    pub external: Option<External>,
    /// The class annotation.
    pub annotation: Option<Annotation>,
}

#[derive(Debug)]
pub struct ShortClass {
    pub prefix: TypePrefix,
    pub base: Path,
    pub dims: Vec<Subscript>,
    pub mods: Vec<Argument>,
    pub comment: Comment,
}

/// `flow`/`stream`, `discrete`/`parameter`/`constant`, `input`/`output`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct TypePrefix {
    pub flow: bool,
    pub stream: bool,
    pub variability: Option<Variability>,
    pub direction: Option<Direction>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variability {
    Discrete,
    Parameter,
    Constant,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Input,
    Output,
}

#[derive(Debug)]
pub struct EnumLiteral {
    pub name: Ident,
    pub comment: Comment,
}

/// The concatenated description strings, if any.
#[derive(Clone, Default, Debug)]
pub struct Description {
    pub text: Option<Box<str>>,
    pub span: Option<Span>,
}

/// A description and an annotation.
#[derive(Default, Debug)]
pub struct Comment {
    pub description: Description,
    pub annotation: Option<Annotation>,
}

#[derive(Debug)]
pub struct Annotation {
    pub args: Vec<Argument>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Element {
    pub span: Span,
    /// In a `protected` section.
    pub protected: bool,
    pub kind: ElementKind,
}

#[derive(Debug)]
pub enum ElementKind {
    Import(Import),
    Extends(Extends),
    Class(ClassElement),
    Components(ComponentClause),
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ElementPrefix {
    pub redeclare: bool,
    pub is_final: bool,
    pub inner: bool,
    pub outer: bool,
    pub replaceable: bool,
}

#[derive(Debug)]
pub struct Import {
    pub path: Path,
    pub kind: ImportKind,
    pub comment: Comment,
}

#[derive(Debug)]
pub enum ImportKind {
    /// `import A.B.C;`
    Qualified,
    /// `import D = A.B.C;`
    Renamed(Ident),
    /// `import A.B.{C, D};`
    List(Vec<Ident>),
    /// `import A.B.*;`
    All,
}

#[derive(Debug)]
pub struct Extends {
    pub base: Path,
    pub mods: Vec<Argument>,
    /// `break` arguments of selective extension (MLS 7.4).
    pub breaks: Vec<Break>,
    pub annotation: Option<Annotation>,
}

#[derive(Debug)]
pub enum Break {
    Component(Ident),
    Connect(Box<Expr>, Box<Expr>, Span),
}

#[derive(Debug)]
pub struct Constraining {
    pub base: Path,
    pub mods: Vec<Argument>,
    pub comment: Comment,
}

/// A nested class definition.
#[derive(Debug)]
pub struct ClassElement {
    pub prefix: ElementPrefix,
    pub class: Class,
    pub constraining: Option<Box<Constraining>>,
}

/// `prefix Type[dims] a(mods) = x if c "comment", b;`
#[derive(Debug)]
pub struct ComponentClause {
    pub prefix: ElementPrefix,
    pub type_prefix: TypePrefix,
    pub type_name: Path,
    pub dims: Vec<Subscript>,
    pub components: Vec<Component>,
    pub constraining: Option<Box<Constraining>>,
}

#[derive(Debug)]
pub struct Component {
    pub name: Ident,
    pub dims: Vec<Subscript>,
    pub modification: Option<Modification>,
    pub condition: Option<Box<Expr>>,
    pub comment: Comment,
}

/// `(args) = value`, each part optional.
#[derive(Debug)]
pub struct Modification {
    pub args: Vec<Argument>,
    pub value: Option<ModValue>,
    pub span: Span,
}

#[derive(Debug)]
pub enum ModValue {
    Expr(Box<Expr>),
    /// `x = break` (MLS 7.2.7): remove an inherited value.
    Break(Span),
}

#[derive(Debug)]
pub struct Argument {
    pub span: Span,
    pub each: bool,
    pub is_final: bool,
    pub kind: ArgumentKind,
}

#[derive(Debug)]
pub enum ArgumentKind {
    /// `a.b(mods) = x "comment"`; several names are a short form of nesting.
    Modify { path: Vec<Ident>, modification: Option<Modification>, description: Description },
    /// `redeclare … class` or `replaceable … class`.
    Class { redeclare: bool, replaceable: bool, class: Box<Class>, constraining: Option<Box<Constraining>> },
    /// `redeclare … component` or `replaceable … component`; the clause has one component.
    Component { redeclare: bool, replaceable: bool, clause: Box<ComponentClause> },
}

#[derive(Debug)]
pub struct EquationSection {
    pub initial: bool,
    pub equations: Vec<Equation>,
    pub span: Span,
}

#[derive(Debug)]
pub struct AlgorithmSection {
    pub initial: bool,
    pub statements: Vec<Statement>,
    pub span: Span,
}

#[derive(Debug)]
pub struct External {
    pub language: Option<Box<str>>,
    /// `output = name(args)`
    pub output: Option<ComponentRef>,
    pub function: Option<Ident>,
    pub args: Vec<Expr>,
    pub annotation: Option<Annotation>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Equation {
    pub span: Span,
    pub kind: EquationKind,
    pub comment: Comment,
}

#[derive(Debug)]
pub enum EquationKind {
    /// `lhs = rhs`
    Equal(Box<Expr>, Box<Expr>),
    If {
        branches: Vec<(Expr, Vec<Equation>)>,
        otherwise: Vec<Equation>,
    },
    For {
        indices: Vec<ForIndex>,
        body: Vec<Equation>,
    },
    When {
        branches: Vec<(Expr, Vec<Equation>)>,
    },
    Connect(Box<Expr>, Box<Expr>),
    /// `f(args);` — `assert`, `reinit`, `terminate`, `Connections.root`, `transition`, … included.
    Call(Box<Expr>),
}

#[derive(Debug)]
pub struct ForIndex {
    pub name: Ident,
    /// Absent for an implicit range.
    pub range: Option<Expr>,
}

#[derive(Debug)]
pub struct Statement {
    pub span: Span,
    pub kind: StatementKind,
    pub comment: Comment,
}

#[derive(Debug)]
pub enum StatementKind {
    /// `lhs := rhs`
    Assign(Box<ComponentRef>, Box<Expr>),
    /// `(a, , b) := f(x)`; the left side is a tuple with gaps.
    AssignTuple(Vec<Option<Expr>>, Box<Expr>),
    Call(Box<Expr>),
    If {
        branches: Vec<(Expr, Vec<Statement>)>,
        otherwise: Vec<Statement>,
    },
    For {
        indices: Vec<ForIndex>,
        body: Vec<Statement>,
    },
    While(Box<Expr>, Vec<Statement>),
    When {
        branches: Vec<(Expr, Vec<Statement>)>,
    },
    Break,
    Return,
}

#[derive(Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Debug)]
pub enum ExprKind {
    Real(f64),
    Integer(i64),
    String(Box<str>),
    Bool(bool),
    /// A name, `time` included.
    Ref(ComponentRef),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if a then b elseif c then d else e`
    If {
        branches: Vec<(Expr, Expr)>,
        otherwise: Box<Expr>,
    },
    /// `a:b` or `a:step:b`
    Range {
        start: Box<Expr>,
        step: Option<Box<Expr>>,
        stop: Box<Expr>,
    },
    /// `f(a, b, x=c)`; `der`, `initial` and `pure` are ordinary names here.
    Call {
        function: ComponentRef,
        args: Args,
    },
    /// `{a, b}`
    Array(Vec<Expr>),
    /// `{e for i in r}`
    ArrayComprehension(Box<Expr>, Vec<ForIndex>),
    /// `[a, b; c, d]`
    Matrix(Vec<Vec<Expr>>),
    /// `(a, b)` with gaps; `(a)` is kept as a tuple of one.
    Tuple(Vec<Option<Expr>>),
    /// `(a)[1]` of 3.7: subscripts on a parenthesised expression.
    Index(Box<Expr>, Vec<Subscript>),
    /// `(f(x)).y` of 3.7: a field of a parenthesised expression.
    Field(Box<Expr>, Ident),
    /// `end` inside subscripts.
    End,
    /// `function f(x=1)`: partial application, only as an argument.
    Partial {
        function: Path,
        args: Vec<NamedArg>,
    },
    /// What stands where no expression could be read; a diagnostic was given.
    Error,
}

/// `.a[1].b`
#[derive(Clone, Debug)]
pub struct ComponentRef {
    pub global: bool,
    pub parts: Vec<RefPart>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct RefPart {
    pub name: Ident,
    pub subscripts: std::sync::Arc<[Subscript]>,
}

#[derive(Debug)]
pub enum Subscript {
    /// `:`
    All(Span),
    Expr(Expr),
}

#[derive(Debug)]
pub struct Args {
    pub positional: Vec<Expr>,
    pub named: Vec<NamedArg>,
    /// `sum(e for i in r)`: the one positional argument is iterated.
    pub iterators: Vec<ForIndex>,
}

#[derive(Debug)]
pub struct NamedArg {
    pub name: Ident,
    pub value: Expr,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    ElementPlus,
    ElementMinus,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    ElementAdd,
    ElementSub,
    ElementMul,
    ElementDiv,
    ElementPow,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}
