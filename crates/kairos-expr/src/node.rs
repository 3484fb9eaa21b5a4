//! The node of an expression.

use crate::{Builtin, EnumId, ExprId, FunctionId, IterId, LocalId, RecordId, RelationId, VarId};
use kairos_base::Name;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A float that is compared by its bits, so that nodes can be interned.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct F64(u64);

impl F64 {
    pub fn new(value: f64) -> Self {
        Self(value.to_bits())
    }
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl Serialize for F64 {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.get())
    }
}

impl<'de> Deserialize<'de> for F64 {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        f64::deserialize(from).map(F64::new)
    }
}

impl std::fmt::Debug for F64 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.get())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnOp {
    Neg,
    Not,
}

/// Binary operators. `Mul` of arrays is the matrix product, `Div` by a scalar is element-wise,
/// `Pow` of a matrix is its power; `Element…` act element by element with scalars broadcast.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BinOp {
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
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
}

impl BinOp {
    pub fn is_relation(self) -> bool {
        matches!(self, BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne)
    }

    /// The operator between scalars.
    pub fn scalar(self) -> BinOp {
        match self {
            BinOp::ElementAdd => BinOp::Add,
            BinOp::ElementSub => BinOp::Sub,
            BinOp::ElementMul => BinOp::Mul,
            BinOp::ElementDiv => BinOp::Div,
            BinOp::ElementPow => BinOp::Pow,
            other => other,
        }
    }

    pub fn symbol(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Pow => "^",
            BinOp::ElementAdd => ".+",
            BinOp::ElementSub => ".-",
            BinOp::ElementMul => ".*",
            BinOp::ElementDiv => "./",
            BinOp::ElementPow => ".^",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::Eq => "==",
            BinOp::Ne => "<>",
            BinOp::And => "and",
            BinOp::Or => "or",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ReduceOp {
    Sum,
    Product,
    Min,
    Max,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Sub {
    /// A scalar index (drops the dimension) or a vector of indices (keeps it).
    At(ExprId),
    /// `:`
    All,
}

/// One operation on interned operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Node {
    Real(F64),
    Int(i64),
    Bool(bool),
    Str(Name),
    /// A literal by its ordinal, from 1.
    Enum(EnumId, u32),
    Time,
    Var(VarId),
    /// A local variable of the function that the expression stands in.
    Local(LocalId),
    Iter(IterId),
    Unary(UnOp, ExprId),
    Binary(BinOp, ExprId, ExprId),
    If(ExprId, ExprId, ExprId),
    Builtin(Builtin, Box<[ExprId]>),
    /// All inputs of the function in order, defaults filled in.
    Call(FunctionId, Box<[ExprId]>),
    /// A call of a functional argument, positional.
    CallValue(ExprId, Box<[ExprId]>),
    /// A function value with some inputs (by position) bound.
    Partial(FunctionId, Box<[(u32, ExprId)]>),
    /// One output of a call with several.
    Item(ExprId, u32),
    Field(ExprId, u32),
    Record(RecordId, Box<[ExprId]>),
    Array(Box<[ExprId]>),
    /// start, step, stop
    Range(ExprId, Option<ExprId>, ExprId),
    Comprehension(ExprId, Box<[(IterId, ExprId)]>),
    Reduce(ReduceOp, ExprId, Box<[(IterId, ExprId)]>),
    Index(ExprId, Box<[Sub]>),
    /// The held value of an event-raising relation.
    Relation(RelationId),
}

impl Node {
    /// A literal, a name or the time: it has no operands.
    pub fn is_leaf(&self) -> bool {
        let literal =
            matches!(self, Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Str(_) | Node::Enum(..));
        let name = matches!(self, Node::Var(_) | Node::Local(_) | Node::Iter(_) | Node::Relation(_));
        literal || name || matches!(self, Node::Time)
    }

    /// The direct operands, to be replaced.
    pub fn visit_operands_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        match self {
            Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Str(_) | Node::Enum(..) | Node::Time => {}
            Node::Var(_) | Node::Local(_) | Node::Iter(_) | Node::Relation(_) => {}
            Node::Unary(_, a) | Node::Item(a, _) | Node::Field(a, _) => visit(a),
            Node::Binary(_, a, b) => [a, b].into_iter().for_each(visit),
            Node::If(a, b, c) => [a, b, c].into_iter().for_each(visit),
            Node::Builtin(_, args) | Node::Call(_, args) | Node::Record(_, args) | Node::Array(args) => {
                args.iter_mut().for_each(visit);
            }
            Node::CallValue(f, args) => {
                visit(f);
                args.iter_mut().for_each(visit);
            }
            Node::Partial(_, args) => args.iter_mut().for_each(|(_, a)| visit(a)),
            Node::Range(a, step, b) => {
                visit(a);
                step.iter_mut().for_each(&mut *visit);
                visit(b);
            }
            Node::Comprehension(body, iters) | Node::Reduce(_, body, iters) => {
                iters.iter_mut().for_each(|(_, range)| visit(range));
                visit(body);
            }
            Node::Index(a, subs) => {
                visit(a);
                for sub in subs.iter_mut() {
                    if let Sub::At(i) = sub {
                        visit(i);
                    }
                }
            }
        }
    }
}
