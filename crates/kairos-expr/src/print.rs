//! Expressions as Modelica text.

use crate::{
    BinOp, Builtin, EnumId, ExprId, FunctionId, IterId, LocalId, Node, RecordId, ReduceOp, RelationId,
    Scalar, Store, Sub, UnOp, VarId,
};
use kairos_base::string_literal;
use std::cell::Cell;

/// Names of what an expression leaves open.
pub trait Names {
    fn var(&self, var: VarId) -> String;
    /// The text of a held relation.
    fn relation(&self, relation: RelationId) -> String {
        format!("relation{}", relation.0)
    }
    fn local(&self, local: LocalId) -> String {
        format!("local{}", local.0)
    }
    fn iterator(&self, store: &Store, iterator: IterId) -> String {
        store.iterator_name(iterator).to_string()
    }
    fn function(&self, store: &Store, function: FunctionId) -> String {
        store.function(function).name.to_string()
    }
    /// One output of several, as a call of this name.
    fn item(&self, _: &Store, _: FunctionId, _: u32) -> Option<String> {
        None
    }
    fn record(&self, store: &Store, record: RecordId) -> String {
        store.record(record).name.to_string()
    }
    fn enumeration(&self, store: &Store, ty: EnumId) -> String {
        let name = store.enumeration(ty).name.as_str();
        name.rsplit('.').next().unwrap_or("").to_string()
    }
    /// Deeper than this nobody reads; it also bounds the recursion.
    fn depth(&self) -> usize {
        120
    }
    /// More terms nobody reads: what shares its parts many times over is small in memory but endless as text.
    fn terms(&self) -> usize {
        5_000
    }
}

impl<F: Fn(VarId) -> String> Names for F {
    fn var(&self, var: VarId) -> String {
        self(var)
    }
}

/// The expression as a user would write it.
pub fn print(store: &Store, e: ExprId, names: &dyn Names) -> String {
    Printer { store, names, left: Cell::new(names.terms()) }.text(e, 0, 0)
}

/// The expression as a message quotes it: at most so many terms, then `…`.
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
        if depth > self.names.depth() || left == 0 {
            return "…".into();
        }
        self.left.set(left - 1);
        let list =
            |args: &[ExprId]| args.iter().map(|&a| self.text(a, 0, depth + 1)).collect::<Vec<_>>().join(", ");
        let wrap = |own: u8, text: String| if own < outer { format!("({text})") } else { text };
        match self.store.node(e) {
            // A sign binds like a subtraction.
            Node::Real(x) => wrap(if x.get() < 0.0 { 5 } else { 9 }, number(x.get())),
            Node::Int(i) => wrap(if *i < 0 { 5 } else { 9 }, i.to_string()),
            Node::Bool(b) => b.to_string(),
            Node::Str(s) => string_literal(s.as_str()),
            Node::Enum(id, ordinal) => {
                let ty = self.store.enumeration(*id);
                let literal = ty.literals.get(*ordinal as usize - 1).map_or("?", |l| l.as_str());
                format!("{}.{literal}", self.names.enumeration(self.store, *id))
            }
            Node::Time => "time".into(),
            Node::Var(v) => self.names.var(*v),
            Node::Local(l) => self.names.local(*l),
            Node::Iter(i) => self.names.iterator(self.store, *i),
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
            Node::Builtin(Builtin::ToReal, args) => self.text(args[0], outer, depth + 1),
            Node::Builtin(Builtin::EnumOf, args) => match self.store.ty(e).scalar {
                Scalar::Enum(ty) => format!("{}({})", self.names.enumeration(self.store, ty), list(args)),
                _ => list(args),
            },
            // One end of it, with the initial places and values one by one.
            Node::Builtin(f @ Builtin::SpatialDistribution, args) if args.len() > 6 => {
                let (places, values) = args[5..].split_at((args.len() - 5) / 2);
                let (places, values) = (list(places), list(values));
                format!("{}({}, {{{places}}}, {{{values}}})", f.name(), list(&args[..4]))
            }
            Node::Builtin(f, args) => format!("{}({})", f.name(), list(args)),
            Node::Call(f, args) => format!("{}({})", self.names.function(self.store, *f), list(args)),
            Node::CallValue(f, args) => format!("{}({})", self.text(*f, 8, depth + 1), list(args)),
            Node::Partial(f, bound) => {
                let function = self.store.function(*f);
                let name = |k: u32| function.inputs.get(k as usize).map(|l| function.locals[l.index()].name);
                let args = bound
                    .iter()
                    .filter_map(|(k, a)| Some(format!("{} = {}", name(*k)?, self.text(*a, 0, depth + 1))));
                let args = args.collect::<Vec<_>>().join(", ");
                format!("function {}({args})", self.names.function(self.store, *f))
            }
            Node::Item(a, i) => match self.store.node(*a) {
                Node::Call(f, args) if self.names.item(self.store, *f, *i).is_some() => {
                    let name = self.names.item(self.store, *f, *i).unwrap_or_default();
                    format!("{name}({})", list(args))
                }
                _ => format!("{}[output {}]", self.text(*a, 8, depth + 1), i + 1),
            },
            Node::Field(a, i) => {
                let name = match self.store.ty(*a).scalar {
                    crate::Scalar::Record(r) => self.store.record(r).fields[*i as usize].0.to_string(),
                    _ => format!("field{i}"),
                };
                format!("{}.{name}", self.selected(*a, depth, false))
            }
            Node::Record(r, args) => format!("{}({})", self.names.record(self.store, *r), list(args)),
            Node::Array(args) if args.is_empty() => self.empty(e),
            Node::Array(args) => format!("{{{}}}", list(args)),
            Node::Range(a, step, b) => {
                let step = step.map_or(String::new(), |s| format!("{}:", self.text(s, 5, depth + 1)));
                let text = format!("{}:{step}{}", self.text(*a, 5, depth + 1), self.text(*b, 5, depth + 1));
                if outer > 0 { format!("({text})") } else { text }
            }
            // MLS 10.4.1.2: the iterator of the outermost dimension is written last.
            Node::Comprehension(body, iters) => {
                let iters: Vec<_> = iters.iter().rev().copied().collect();
                format!("{{{} for {}}}", self.text(*body, 0, depth + 1), self.iterators(&iters, depth))
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
                format!("{}[{subs}]", self.selected(*a, depth, true))
            }
            Node::Relation(r) => {
                let text = self.names.relation(*r);
                if outer > 3 { format!("({text})") } else { text }
            }
        }
    }

    /// What a subscript or a field is taken from: names as they are, values in parentheses.
    fn selected(&self, e: ExprId, depth: usize, by_index: bool) -> String {
        let text = self.text(e, 8, depth + 1);
        let by_index = by_index && matches!(self.store.node(e), Node::Index(..));
        if self.is_name(e) && !by_index { text } else { format!("({text})") }
    }

    /// A name with subscripts and fields, rather than the value of an expression.
    fn is_name(&self, e: ExprId) -> bool {
        match self.store.node(e) {
            Node::Var(_) | Node::Local(_) | Node::Iter(_) => true,
            Node::Field(a, _) => self.is_name(*a),
            Node::Index(a, _) => !matches!(self.store.node(*a), Node::Index(..)) && self.is_name(*a),
            _ => false,
        }
    }

    /// An array without elements keeps its type.
    fn empty(&self, e: ExprId) -> String {
        let ty = self.store.ty(e);
        let value = match ty.scalar {
            Scalar::Int => "0",
            Scalar::Bool => "false",
            Scalar::Str => "\"\"",
            _ => "0.0",
        };
        let sizes: Vec<String> = ty.dims.iter().map(|d| d.known().unwrap_or(0).to_string()).collect();
        format!("fill({value}, {})", sizes.join(", "))
    }

    fn iterators(&self, iters: &[(crate::IterId, ExprId)], depth: usize) -> String {
        let each = iters.iter().map(|(i, range)| {
            format!("{} in {}", self.names.iterator(self.store, *i), self.text(*range, 0, depth + 1))
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
