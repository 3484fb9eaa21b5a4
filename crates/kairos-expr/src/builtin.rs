//! The one table of builtin functions and operators: a row gives name, arity, typing, events and numeric value.

/// How a builtin is typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Real result; scalar arguments, vectorised element by element (MLS 12.4.6).
    Real,
    /// Integer result, vectorised.
    Int,
    /// Integer if all arguments are, else Real; vectorised.
    Same,
    /// The type of the first argument, of any kind and shape (`pre`, `noEvent`, `hold`, …).
    First,
    /// The type of the last argument (`smooth(p, e)`).
    Last,
    /// Boolean scalar.
    Bool,
    /// A clock.
    Clock,
    /// Typed by a rule of its own (`size`, `fill`, `cat`, …).
    Special,
}

/// One row of the table.
#[derive(Clone, Copy)]
pub struct Row {
    pub builtin: Builtin,
    /// The name in Modelica source.
    pub name: &'static str,
    pub min_args: usize,
    pub max_args: usize,
    pub shape: Shape,
    /// Raises an event when its value jumps (MLS 3.7.2); `abs`, `sign`, `min` and `max` do not (MLS 3.7.1).
    pub event: bool,
    /// The value for scalar numbers.
    pub eval: Option<fn(&[f64]) -> f64>,
}

macro_rules! builtins {
    ($($variant:ident $name:literal $min:literal..$max:tt $shape:ident $event:literal $eval:expr;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
        pub enum Builtin { $($variant),* }

        static ROWS: &[Row] = &[$(Row {
            builtin: Builtin::$variant,
            name: $name,
            min_args: $min,
            max_args: $max,
            shape: Shape::$shape,
            event: $event,
            eval: $eval,
        }),*];
    };
}

builtins! {
    Sin "sin" 1..1 Real false Some(|a| crate::trigonometry::sin(a[0]));
    Cos "cos" 1..1 Real false Some(|a| crate::trigonometry::cos(a[0]));
    Tan "tan" 1..1 Real false Some(|a| a[0].tan());
    Asin "asin" 1..1 Real false Some(|a| a[0].asin());
    Acos "acos" 1..1 Real false Some(|a| a[0].acos());
    Atan "atan" 1..1 Real false Some(|a| a[0].atan());
    Atan2 "atan2" 2..2 Real false Some(|a| a[0].atan2(a[1]));
    Sinh "sinh" 1..1 Real false Some(|a| a[0].sinh());
    Cosh "cosh" 1..1 Real false Some(|a| a[0].cosh());
    Tanh "tanh" 1..1 Real false Some(|a| a[0].tanh());
    Exp "exp" 1..1 Real false Some(|a| a[0].exp());
    Log "log" 1..1 Real false Some(|a| a[0].ln());
    Log10 "log10" 1..1 Real false Some(|a| a[0].log10());
    Sqrt "sqrt" 1..1 Real false Some(|a| a[0].sqrt());
    Abs "abs" 1..1 Same false Some(|a| a[0].abs());
    Sign "sign" 1..1 Int false Some(|a| if a[0] > 0.0 { 1.0 } else if a[0] < 0.0 { -1.0 } else { 0.0 });
    Floor "floor" 1..1 Real true Some(|a| a[0].floor());
    Ceil "ceil" 1..1 Real true Some(|a| a[0].ceil());
    Integer "integer" 1..1 Int true Some(|a| a[0].floor());
    Div "div" 2..2 Same true Some(|a| (a[0] / a[1]).trunc());
    Mod "mod" 2..2 Same true Some(|a| a[0] - (a[0] / a[1]).floor() * a[1]);
    Rem "rem" 2..2 Same true Some(|a| a[0] - (a[0] / a[1]).trunc() * a[1]);
    Min2 "min" 2..2 Same false Some(|a| if a[1] < a[0] { a[1] } else { a[0] });
    Max2 "max" 2..2 Same false Some(|a| if a[1] > a[0] { a[1] } else { a[0] });
    // Integer(e) of an enumeration, and its inverse E(i); the value is the ordinal.
    Ordinal "Integer" 1..1 Int false Some(|a| a[0]);
    EnumOf "<enumeration>" 1..1 Special false Some(|a| a[0]);
    // The same value seen as Real: marks where an Integer array meets a Real one.
    ToReal "<Real>" 1..1 Real false Some(|a| a[0]);
    String "String" 1..4 Special false None;

    MinOf "min" 1..1 Special false None;
    MaxOf "max" 1..1 Special false None;
    Sum "sum" 1..1 Special false None;
    Product "product" 1..1 Special false None;
    Size "size" 1..2 Special false None;
    Ndims "ndims" 1..1 Special false None;
    Zeros "zeros" 1..MANY_ARGS Special false None;
    Ones "ones" 1..MANY_ARGS Special false None;
    Fill "fill" 2..MANY_ARGS Special false None;
    Linspace "linspace" 3..3 Special false None;
    Identity "identity" 1..1 Special false None;
    Diagonal "diagonal" 1..1 Special false None;
    Transpose "transpose" 1..1 Special false None;
    OuterProduct "outerProduct" 2..2 Special false None;
    Symmetric "symmetric" 1..1 Special false None;
    Cross "cross" 2..2 Special false None;
    Skew "skew" 1..1 Special false None;
    Cat "cat" 2..MANY_ARGS Special false None;
    Scalar "scalar" 1..1 Special false None;
    Vector "vector" 1..1 Special false None;
    Matrix "matrix" 1..1 Special false None;
    // `array(a, b)` is an array node; promote(x, n) adds trailing dimensions of one.
    Promote "promote" 2..2 Special false None;

    Der "der" 1..1 First false None;
    Pre "pre" 1..1 First false None;
    Edge "edge" 1..1 Bool false None;
    Change "change" 1..1 Bool false None;
    Initial "initial" 0..0 Bool false None;
    Terminal "terminal" 0..0 Bool false None;
    // sample(start, interval)
    Sample "sample" 2..2 Bool false None;
    NoEvent "noEvent" 1..1 First false None;
    Smooth "smooth" 2..2 Last false None;
    Delay "delay" 2..3 First false None;
    Homotopy "homotopy" 2..2 First false None;
    SemiLinear "semiLinear" 3..3 Special true Some(|a| if a[0] >= 0.0 { a[1] * a[0] } else { a[2] * a[0] });
    SpatialDistribution "spatialDistribution" 4..6 Special false None;
    InStream "inStream" 1..1 First false None;
    ActualStream "actualStream" 1..1 First false None;
    Cardinality "cardinality" 1..1 Special false None;
    IsRoot "Connections.isRoot" 1..1 Bool false None;
    Rooted "Connections.rooted" 1..1 Bool false None;

    Clock "Clock" 0..2 Clock false None;
    // sample(u) and sample(u, clock)
    ClockedSample "sample" 1..2 First false None;
    Hold "hold" 1..1 First false None;
    Previous "previous" 1..1 First false None;
    SubSample "subSample" 1..2 First false None;
    SuperSample "superSample" 1..2 First false None;
    ShiftSample "shiftSample" 2..3 First false None;
    BackSample "backSample" 2..3 First false None;
    NoClock "noClock" 1..1 First false None;
    Interval "interval" 0..1 Special false None;
    FirstTick "firstTick" 0..1 Bool false None;
    ActiveState "activeState" 1..1 Bool false None;
    TicksInState "ticksInState" 0..0 Special false None;
    TimeInState "timeInState" 0..0 Special false None;
}

/// The arity bound of builtins that take any number of arguments.
const MANY_ARGS: usize = usize::MAX;

impl Builtin {
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The rows of a source name; `min`, `max` and `sample` have two.
    pub fn by_name(name: &str) -> impl Iterator<Item = &'static Row> {
        ROWS.iter().filter(move |row| row.name == name)
    }

    /// Every row, for name suggestions and documentation.
    pub fn all() -> &'static [Row] {
        ROWS
    }

    /// A total numeric function of scalars.
    pub fn is_numeric(self) -> bool {
        self.row().eval.is_some()
    }

    /// It speaks of time, events, clocks or connections, which functions know nothing of (MLS 12.2).
    pub fn needs_model(self) -> bool {
        use Builtin::*;
        matches!(self, Der | Pre | Edge | Change | Initial | Terminal | Sample | Delay | SpatialDistribution)
            || matches!(self, InStream | ActualStream | Cardinality | IsRoot | Rooted)
            || matches!(self, Clock | ClockedSample | Hold | Previous | SubSample | SuperSample | ShiftSample)
            || matches!(
                self,
                BackSample | NoClock | Interval | FirstTick | ActiveState | TicksInState | TimeInState
            )
    }

    /// Its value is that of an argument.
    pub fn is_transparent(self) -> bool {
        use Builtin::{EnumOf, NoEvent, Ordinal, Smooth, ToReal};
        matches!(self, ToReal | Ordinal | EnumOf | NoEvent | Smooth)
    }
}
