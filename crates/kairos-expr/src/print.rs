//! Expressions as Modelica text.

use crate::{BinOp, ExprId, Node, ReduceOp, RelationId, Store, Sub, UnOp, VarId};
use std::cell::Cell;

/// Deeper than this nobody reads; it also bounds the recursion.
const DEPTH: usize = 120;

/// Names of what an expression leaves open.
pub trait Names {
    fn var(&self, var: VarId) -> String;
    /// The text of a held relation.
    fn relation(&self, relation: RelationId) -> String {
        format!("relation{}", relation.0)
    }
}

impl<F: Fn(VarId) -> String> Names for F {
    fn var(&self, var: VarId) -> String {
        self(var)
    }
}

/// The expression as a user would write it.
pub fn print(store: &Store, e: ExprId, names: &dyn Names) -> String {
    Printer { store, names, left: Cell::new(usize::MAX) }.text(e, 0, 0)
}

/// The expression as a message quotes it: at most so many terms, then `…`. What shares its parts many times over is
/// small in memory but endless as text.
pub fn quote(store: &Store, e: ExprId, names: &dyn Names, terms: usize) -> String {
    Printer { store, names, left: Cell::new(terms) }.text(e, 0, 0)
}

struct Printer<'a> {
    store: &'a Store,
    names: &'a dyn Names,
    /// How many more terms may be written.
    left: Cell<usize>,
}

fn precedence(op: BinOp) -> u8 {
    match op {
        BinOp::Or => 1,
        BinOp::And => 2,
        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne => 4,
        BinOp::Add | BinOp::Sub | BinOp::ElementAdd | BinOp::ElementSub => 5,
        BinOp::Mul | BinOp::Div | BinOp::ElementMul | BinOp::ElementDiv => 6,
        BinOp::Pow | BinOp::ElementPow => 7,
    }
}

impl Printer<'_> {
    fn text(&self, e: ExprId, outer: u8, depth: usize) -> String {
        let left = self.left.get();
        if depth > DEPTH || left == 0 {
            return "…".into();
        }
        self.left.set(left - 1);
        let list =
            |args: &[ExprId]| args.iter().map(|&a| self.text(a, 0, depth + 1)).collect::<Vec<_>>().join(", ");
        let wrap = |own: u8, text: String| if own < outer { format!("({text})") } else { text };
        match self.store.node(e) {
            Node::Real(x) => number(x.get()),
            Node::Int(i) => i.to_string(),
            Node::Bool(b) => b.to_string(),
            Node::Str(s) => format!("{:?}", s.as_str()),
            Node::Enum(ty, ordinal) => {
                let ty = self.store.enumeration(*ty);
                let short = ty.name.as_str().rsplit('.').next().unwrap_or("");
                let literal = ty.literals.get(*ordinal as usize - 1).map_or("?", |l| l.as_str());
                format!("{short}.{literal}")
            }
            Node::Time => "time".into(),
            Node::Var(v) => self.names.var(*v),
            Node::Local(l) => format!("local{}", l.0),
            Node::Iter(i) => self.store.iterator_name(*i).to_string(),
            Node::Unary(UnOp::Neg, a) => wrap(5, format!("-{}", self.text(*a, 6, depth + 1))),
            Node::Unary(UnOp::Not, a) => wrap(3, format!("not {}", self.text(*a, 4, depth + 1))),
            Node::Binary(op, a, b) => {
                let own = precedence(*op);
                // Left-associative; powers and relations do not associate at all.
                let left = if own == 7 || own == 4 { own + 1 } else { own };
                let (a, b) = (self.text(*a, left, depth + 1), self.text(*b, own + 1, depth + 1));
                let tight = matches!(op, BinOp::Mul | BinOp::Div | BinOp::Pow);
                let symbol = op.symbol();
                wrap(own, if tight { format!("{a}{symbol}{b}") } else { format!("{a} {symbol} {b}") })
            }
            Node::If(c, a, b) => {
                let (c, a) = (self.text(*c, 0, depth + 1), self.text(*a, 1, depth + 1));
                let b = self.text(*b, 0, depth + 1);
                let text = format!("if {c} then {a} else {b}");
                if outer > 0 { format!("({text})") } else { text }
            }
            Node::Builtin(f, args) => format!("{}({})", f.name(), list(args)),
            Node::Call(f, args) => format!("{}({})", self.store.function(*f).name, list(args)),
            Node::CallValue(f, args) => format!("{}({})", self.text(*f, 8, depth + 1), list(args)),
            Node::Partial(f, _) => format!("function {}(…)", self.store.function(*f).name),
            Node::Item(a, i) => format!("{}[output {}]", self.text(*a, 8, depth + 1), i + 1),
            Node::Field(a, i) => {
                let name = match self.store.ty(*a).scalar {
                    crate::Scalar::Record(r) => self.store.record(r).fields[*i as usize].0.to_string(),
                    _ => format!("field{i}"),
                };
                format!("{}.{name}", self.text(*a, 8, depth + 1))
            }
            Node::Record(r, args) => format!("{}({})", self.store.record(*r).name, list(args)),
            Node::Array(args) => format!("{{{}}}", list(args)),
            Node::Range(a, step, b) => {
                let step = step.map_or(String::new(), |s| format!("{}:", self.text(s, 5, depth + 1)));
                format!("{}:{step}{}", self.text(*a, 5, depth + 1), self.text(*b, 5, depth + 1))
            }
            Node::Comprehension(body, iters) => {
                format!("{{{} for {}}}", self.text(*body, 0, depth + 1), self.iterators(iters, depth))
            }
            Node::Reduce(op, body, iters) => {
                let name = match op {
                    ReduceOp::Sum => "sum",
                    ReduceOp::Product => "product",
                    ReduceOp::Min => "min",
                    ReduceOp::Max => "max",
                };
                format!("{name}({} for {})", self.text(*body, 0, depth + 1), self.iterators(iters, depth))
            }
            Node::Index(a, subs) => {
                let subs = subs.iter().map(|sub| match sub {
                    Sub::At(i) => self.text(*i, 0, depth + 1),
                    Sub::All => ":".into(),
                });
                let subs = subs.collect::<Vec<_>>().join(",");
                format!("{}[{subs}]", self.text(*a, 8, depth + 1))
            }
            Node::Relation(r) => {
                let text = self.names.relation(*r);
                if outer > 3 { format!("({text})") } else { text }
            }
        }
    }

    fn iterators(&self, iters: &[(crate::IterId, ExprId)], depth: usize) -> String {
        let each = iters.iter().map(|(i, range)| {
            format!("{} in {}", self.store.iterator_name(*i), self.text(*range, 0, depth + 1))
        });
        each.collect::<Vec<_>>().join(", ")
    }
}

/// The shortest text that reads back as the same number.
fn number(x: f64) -> String {
    let size = x.abs();
    match size != 0.0 && !(1e-4..1e9).contains(&size) {
        true => format!("{x:e}"),
        false if x.fract() == 0.0 => format!("{x:.1}"),
        false => x.to_string(),
    }
}
