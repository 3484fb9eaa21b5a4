//! Typed, interned expressions, functions and their one table of builtins.

pub mod arith;
mod arrays;
mod builtin;
mod derive_builtin;
mod derive_function;
mod differentiate;
mod evaluate;
mod execute;
mod expr_map;
mod function;
mod inline;
mod interner;
mod marks;
mod native;
mod node;
mod outline;
mod parts;
mod print;
mod simplify;
mod solve;
mod store;
pub mod strings;
mod traverse;
pub mod trigonometry;
mod types;
mod unfold;
mod value;
mod vanishing;

pub use builtin::{Builtin, Shape};
pub use differentiate::{Derivative, Leaves, Undifferentiable};
pub use evaluate::{Answer, Env, Nothing, Stop, call, evaluate, field, index, to_real};
pub use expr_map::ExprMap;
pub use function::{
    Body, Carrier, DerivativeAnnotation, ExternalCall, ForeignCode, Function, Inline, InverseAnnotation,
    LValue, Local, LocalKind, Passing, Step, Stmt, Target,
};
pub use inline::{Inliner, Stage};
pub use native::{Channel, Foreign, Natives, Permissions, Resources, Trust, UserTable, is_native};
pub use node::{BinOp, F64, Node, ReduceOp, Sub, UnOp};
pub use outline::Outlined;
pub use print::{Names, print, quote};
pub use solve::{Affine, Solution};
pub use store::{Moved, Store};
pub use types::{Dim, EnumType, RecordType, Scalar, Type, Variability};
pub use value::{Array, Value};

kairos_base::compact_id! {
    /// An interned expression in a `Store`.
    ExprId
}
kairos_base::id! {
    /// A type in a `Store`.
    TypeId
}
kairos_base::id! {
    /// A variable of the model that the expressions speak of; the table belongs to the stage.
    VarId
}
kairos_base::id! {
    /// A function in a `Store`.
    FunctionId
}
kairos_base::id! {
    /// A local variable of a function.
    LocalId
}
kairos_base::id! {
    /// An iterator of a comprehension, reduction or for-loop, unique in its store.
    IterId
}
kairos_base::id! {
    /// A record type in a `Store`.
    RecordId
}
kairos_base::id! {
    /// An enumeration type in a `Store`.
    EnumId
}
kairos_base::id! {
    /// A relation that can raise an event (made by causalisation).
    RelationId
}
