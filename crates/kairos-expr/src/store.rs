//! The arena of interned expressions, types and functions.

use crate::interner::{Interner, Place};
use crate::{
    BinOp, Builtin, Dim, EnumId, EnumType, ExprId, F64, Function, FunctionId, IterId, LocalId, Node,
    RecordId, RecordType, Scalar, Sub, Type, TypeId, UnOp, VarId,
};
use kairos_base::Name;
use kairos_base::hash::HashMap;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Owns everything that an `ExprId`, `TypeId`, `FunctionId`, `RecordId` or `EnumId` refers to.
#[derive(Default, Clone)]
pub struct Store {
    nodes: Vec<Node>,
    node_types: Vec<TypeId>,
    interned: Interner,
    /// Simplifying it alone has made nothing else of a node.
    simple: Bits,
    /// The same of everything below, and there is no call and no array in it.
    settled: Bits,
    types: Vec<Type>,
    interned_types: HashMap<Type, TypeId>,
    /// The ids of plain Real, Integer and Boolean, which nearly all expressions have.
    plain_types: [Option<TypeId>; 3],
    pub records: Vec<RecordType>,
    pub enums: Vec<EnumType>,
    pub functions: Vec<Function>,
    iterators: Vec<Name>,
}

/// One bit an expression.
#[derive(Default, Clone, Serialize, Deserialize)]
struct Bits(Vec<u64>);

impl Bits {
    fn has(&self, e: ExprId) -> bool {
        self.0.get(e.index() / 64).is_some_and(|word| word >> (e.index() % 64) & 1 == 1)
    }

    fn set(&mut self, e: ExprId) {
        let word = e.index() / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (e.index() % 64);
    }
}

/// What a store is written as: its tables of what is already there are made again when it is read.
#[derive(Serialize, Deserialize)]
struct Written<N, T, Y, R, E, F, I, B> {
    nodes: N,
    node_types: T,
    types: Y,
    records: R,
    enums: E,
    functions: F,
    iterators: I,
    simple: B,
    settled: B,
}

impl Serialize for Store {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Written {
            nodes: &self.nodes,
            node_types: &self.node_types,
            types: &self.types,
            records: &self.records,
            enums: &self.enums,
            functions: &self.functions,
            iterators: &self.iterators,
            simple: &self.simple,
            settled: &self.settled,
        }
        .serialize(to)
    }
}

type Read = Written<
    Vec<Node>,
    Vec<TypeId>,
    Vec<Type>,
    Vec<RecordType>,
    Vec<EnumType>,
    Vec<Function>,
    Vec<Name>,
    Bits,
>;

impl<'de> Deserialize<'de> for Store {
    /// Every expression gets the id that it had: they come in the order in which they were made.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut read = Read::deserialize(from)?;
        let mut store = Store { records: read.records, enums: read.enums, ..Store::default() };
        for ty in read.types {
            store.intern_type(ty);
        }
        if read.nodes.len() != read.node_types.len() {
            return Err(D::Error::custom("expressions without types"));
        }
        store.nodes.reserve(read.nodes.len());
        store.node_types.reserve(read.nodes.len());
        store.interned.reserve(read.nodes.len());
        for (at, (mut node, ty)) in read.nodes.into_iter().zip(read.node_types).enumerate() {
            let mut known = ty.index() < store.types.len();
            node.visit_operands_mut(&mut |e| known &= e.index() < at);
            if !known || store.add_typed(node, ty).index() != at {
                return Err(D::Error::custom("an expression that is not where it belongs"));
            }
        }
        let count = store.nodes.len();
        let mut known = true;
        read.functions.iter_mut().for_each(|f| f.visit_exprs_mut(&mut |e| known &= e.index() < count));
        if !known {
            return Err(D::Error::custom("a function with an expression that does not exist"));
        }
        store.functions = read.functions;
        store.iterators = read.iterators;
        (store.simple, store.settled) = (read.simple, read.settled);
        Ok(store)
    }
}

/// Where the expressions of one store are in another one, except for what stayed behind.
pub struct Moved(Vec<Option<ExprId>>);

impl Moved {
    pub fn at(&self, e: ExprId) -> ExprId {
        self.0[e.index()].expect("an expression below the roots")
    }
}

impl Store {
    pub fn node(&self, e: ExprId) -> &Node {
        &self.nodes[e.index()]
    }

    pub fn ty(&self, e: ExprId) -> &Type {
        &self.types[self.node_types[e.index()].index()]
    }

    pub fn type_id(&self, e: ExprId) -> TypeId {
        self.node_types[e.index()]
    }

    pub fn get_type(&self, t: TypeId) -> &Type {
        &self.types[t.index()]
    }

    /// The number of distinct expressions so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Is there an expression that is this variable?
    pub fn mentions(&self, var: VarId) -> bool {
        self.interned.variable(var).is_some()
    }

    pub fn intern_type(&mut self, ty: Type) -> TypeId {
        let plain = match ty.scalar {
            Scalar::Real if ty.is_scalar() => Some(0),
            Scalar::Int if ty.is_scalar() => Some(1),
            Scalar::Bool if ty.is_scalar() => Some(2),
            _ => None,
        };
        if let Some(known) = plain.and_then(|at| self.plain_types[at]) {
            return known;
        }
        let id = self.intern_any_type(ty);
        if let Some(at) = plain {
            self.plain_types[at] = Some(id);
        }
        id
    }

    fn intern_any_type(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.interned_types.get(&ty) {
            return id;
        }
        let id = TypeId::new(self.types.len());
        self.types.push(ty.clone());
        self.interned_types.insert(ty, id);
        id
    }

    /// The expression with this node and type.
    pub fn add(&mut self, node: Node, ty: Type) -> ExprId {
        let ty = self.intern_type(ty);
        self.add_typed(node, ty)
    }

    pub fn add_typed(&mut self, node: Node, ty: TypeId) -> ExprId {
        self.find(&node, ty).unwrap_or_else(|place| {
            let id = self.push(node, ty);
            self.interned.insert(place, id);
            id
        })
    }

    fn push(&mut self, node: Node, ty: TypeId) -> ExprId {
        self.nodes.push(node);
        self.node_types.push(ty);
        ExprId::new(self.nodes.len() - 1)
    }

    fn find(&self, node: &Node, ty: TypeId) -> Result<ExprId, Place> {
        self.interned
            .find(node, ty, |id| self.node_types[id.index()] == ty && self.nodes[id.index()] == *node)
    }

    pub(crate) fn is_simple(&self, e: ExprId) -> bool {
        self.simple.has(e)
    }

    pub(crate) fn mark_simple(&mut self, e: ExprId) {
        self.simple.set(e);
        let mut settled =
            self.is_plain(e) && !matches!(self.node(e), Node::Call(..) | Node::Item(..) | Node::Reduce(..));
        self.children(e, |c| settled &= self.settled.has(c));
        if settled {
            self.settled.set(e);
        }
    }

    /// Is this a scalar in which nothing is left to simplify or to write out?
    pub(crate) fn is_settled(&self, e: ExprId) -> bool {
        self.settled.has(e)
    }

    pub fn real(&mut self, value: f64) -> ExprId {
        self.add(Node::Real(F64::new(value)), Type::scalar(Scalar::Real))
    }

    pub fn int(&mut self, value: i64) -> ExprId {
        self.add(Node::Int(value), Type::scalar(Scalar::Int))
    }

    pub fn bool(&mut self, value: bool) -> ExprId {
        self.add(Node::Bool(value), Type::scalar(Scalar::Bool))
    }

    pub fn str(&mut self, value: &str) -> ExprId {
        self.add(Node::Str(Name::new(value)), Type::scalar(Scalar::Str))
    }

    pub fn literal(&mut self, ty: EnumId, ordinal: u32) -> ExprId {
        self.add(Node::Enum(ty, ordinal), Type::scalar(Scalar::Enum(ty)))
    }

    pub fn time(&mut self) -> ExprId {
        self.add(Node::Time, Type::scalar(Scalar::Real))
    }

    pub fn var(&mut self, var: VarId, ty: Type) -> ExprId {
        self.add(Node::Var(var), ty)
    }

    pub fn local(&mut self, local: LocalId, ty: TypeId) -> ExprId {
        self.add_typed(Node::Local(local), ty)
    }

    /// A fresh iterator; `name` is for display.
    pub fn new_iterator(&mut self, name: Name) -> IterId {
        self.iterators.push(name);
        IterId::new(self.iterators.len() - 1)
    }

    pub fn iterator_name(&self, iter: IterId) -> Name {
        self.iterators[iter.index()]
    }

    pub fn function(&self, f: FunctionId) -> &Function {
        &self.functions[f.index()]
    }

    pub fn record(&self, r: RecordId) -> &RecordType {
        &self.records[r.index()]
    }

    pub fn enumeration(&self, e: EnumId) -> &EnumType {
        &self.enums[e.index()]
    }

    /// A unary operation; the type is the operand's.
    pub fn unary(&mut self, op: UnOp, a: ExprId) -> ExprId {
        let ty = self.type_id(a);
        self.add_typed(Node::Unary(op, a), ty)
    }

    /// A binary operation between scalars.
    pub fn scalar_binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let scalar = match op.scalar() {
            BinOp::Add | BinOp::Sub | BinOp::Mul => match (self.ty(a).scalar, self.ty(b).scalar) {
                (Scalar::Int, Scalar::Int) => Scalar::Int,
                (Scalar::Str, _) => Scalar::Str,
                _ => Scalar::Real,
            },
            BinOp::Div | BinOp::Pow => Scalar::Real,
            _ => Scalar::Bool,
        };
        self.add(Node::Binary(op.scalar(), a, b), Type::scalar(scalar))
    }

    /// A builtin applied to scalar arguments, typed by its row.
    pub fn scalar_builtin(&mut self, builtin: Builtin, args: &[ExprId]) -> ExprId {
        use crate::Shape;
        let all_int = args.iter().all(|&a| self.ty(a).scalar == Scalar::Int);
        let ty = match builtin.row().shape {
            Shape::Int => Type::scalar(Scalar::Int),
            Shape::Same if all_int => Type::scalar(Scalar::Int),
            Shape::Bool => Type::scalar(Scalar::Bool),
            Shape::First => self.ty(args[0]).clone(),
            Shape::Last => self.ty(args[args.len() - 1]).clone(),
            Shape::Clock => Type::scalar(Scalar::Clock),
            _ => Type::scalar(Scalar::Real),
        };
        self.add(Node::Builtin(builtin, args.into()), ty)
    }

    pub fn if_else(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        let real = self.ty(then).scalar == Scalar::Int && self.ty(otherwise).scalar == Scalar::Real;
        let ty = self.type_id(if real { otherwise } else { then });
        self.add_typed(Node::If(condition, then, otherwise), ty)
    }

    /// An array of equally typed items; an Integer among Reals counts as Real.
    pub fn array(&mut self, items: Vec<ExprId>) -> ExprId {
        let mut ty = items.first().map_or(Type::scalar(Scalar::Real), |&e| self.ty(e).clone());
        if items.iter().any(|&e| self.ty(e).scalar == Scalar::Real) {
            ty.scalar = Scalar::Real;
        }
        ty.dims.insert(0, Dim::Known(items.len() as u32));
        self.add(Node::Array(items.into()), ty)
    }

    /// A store of the given expressions and of the functions only, in other variables, and where each of them went.
    ///
    /// The expressions stand in the order in which the roots reach them: a pass over the roots goes through memory.
    pub fn extract(&self, roots: &[ExprId], var: impl Fn(VarId) -> VarId) -> (Store, Moved) {
        let mut functions = self.functions.clone();
        let mut all = roots.to_vec();
        functions.iter_mut().for_each(|f| f.visit_exprs_mut(&mut |e| all.push(*e)));
        let mut store = Store {
            nodes: Vec::new(),
            node_types: Vec::new(),
            interned: Interner::default(),
            simple: Bits::default(),
            settled: Bits::default(),
            types: self.types.clone(),
            interned_types: self.interned_types.clone(),
            plain_types: self.plain_types,
            records: self.records.clone(),
            enums: self.enums.clone(),
            functions: Vec::new(),
            iterators: self.iterators.clone(),
        };
        let mut moved = Moved(vec![None; self.len()]);
        let order = self.post_order(&all, |_| false);
        // The stage to come adds some; room that it leaves costs nothing, but moving all expressions does.
        let room = 2 * order.len();
        store.nodes.reserve(room);
        store.node_types.reserve(room);
        store.interned.reserve(room);
        for e in order {
            let mut node = self.node(e).clone();
            match &mut node {
                Node::Var(v) => *v = var(*v),
                other => other.visit_operands_mut(&mut |c| *c = moved.at(*c)),
            }
            let new = store.add_typed(node, self.type_id(e));
            moved.0[e.index()] = Some(new);
        }
        functions.iter_mut().for_each(|f| f.visit_exprs_mut(&mut |e| *e = moved.at(*e)));
        store.functions = functions;
        (store, moved)
    }

    /// The direct operands of an expression, in order.
    pub fn children(&self, e: ExprId, mut visit: impl FnMut(ExprId)) {
        match self.node(e) {
            Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Str(_) | Node::Enum(..) | Node::Time => {}
            Node::Var(_) | Node::Local(_) | Node::Iter(_) | Node::Relation(_) => {}
            Node::Unary(_, a) | Node::Item(a, _) | Node::Field(a, _) => visit(*a),
            Node::Binary(_, a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::If(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            Node::Builtin(_, args) | Node::Call(_, args) | Node::Record(_, args) | Node::Array(args) => {
                args.iter().for_each(|&a| visit(a));
            }
            Node::CallValue(f, args) => {
                visit(*f);
                args.iter().for_each(|&a| visit(a));
            }
            Node::Partial(_, args) => args.iter().for_each(|&(_, a)| visit(a)),
            Node::Range(a, step, b) => {
                visit(*a);
                step.iter().for_each(|&s| visit(s));
                visit(*b);
            }
            Node::Comprehension(body, iters) | Node::Reduce(_, body, iters) => {
                iters.iter().for_each(|&(_, r)| visit(r));
                visit(*body);
            }
            Node::Index(a, subs) => {
                visit(*a);
                for sub in subs {
                    if let Sub::At(i) = sub {
                        visit(*i);
                    }
                }
            }
        }
    }

    /// The same node with its operands replaced; type kept.
    pub fn map_children(&mut self, e: ExprId, mut map: impl FnMut(&mut Self, ExprId) -> ExprId) -> ExprId {
        let ty = self.type_id(e);
        let node = self.node(e).clone();
        let mut changed = false;
        let mut map = |s: &mut Self, child: ExprId| {
            let new = map(s, child);
            changed |= new != child;
            new
        };
        let mut list =
            |s: &mut Self, args: &[ExprId]| args.iter().map(|&a| map(s, a)).collect::<Box<[ExprId]>>();
        let new = match node {
            Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Str(_) | Node::Enum(..) | Node::Time => {
                return e;
            }
            Node::Var(_) | Node::Local(_) | Node::Iter(_) | Node::Relation(_) => return e,
            Node::Unary(op, a) => Node::Unary(op, map(self, a)),
            Node::Item(a, i) => Node::Item(map(self, a), i),
            Node::Field(a, i) => Node::Field(map(self, a), i),
            Node::Binary(op, a, b) => Node::Binary(op, map(self, a), map(self, b)),
            Node::If(a, b, c) => Node::If(map(self, a), map(self, b), map(self, c)),
            Node::Builtin(f, args) => Node::Builtin(f, list(self, &args)),
            Node::Call(f, args) => Node::Call(f, list(self, &args)),
            Node::Record(r, args) => Node::Record(r, list(self, &args)),
            Node::Array(args) => Node::Array(list(self, &args)),
            Node::CallValue(f, args) => {
                Node::CallValue(map(self, f), args.iter().map(|&a| map(self, a)).collect())
            }
            Node::Partial(f, args) => {
                Node::Partial(f, args.iter().map(|&(i, a)| (i, map(self, a))).collect())
            }
            Node::Range(a, step, b) => Node::Range(map(self, a), step.map(|s| map(self, s)), map(self, b)),
            Node::Comprehension(body, iters) => {
                let iters = iters.iter().map(|&(i, r)| (i, map(self, r))).collect();
                Node::Comprehension(map(self, body), iters)
            }
            Node::Reduce(op, body, iters) => {
                let iters = iters.iter().map(|&(i, r)| (i, map(self, r))).collect();
                Node::Reduce(op, map(self, body), iters)
            }
            Node::Index(a, subs) => {
                let subs = subs.iter().map(|sub| match sub {
                    Sub::At(i) => Sub::At(map(self, *i)),
                    Sub::All => Sub::All,
                });
                let subs = subs.collect();
                Node::Index(map(self, a), subs)
            }
        };
        // Most rewriting leaves most nodes as they are.
        if changed { self.add_typed(new, ty) } else { e }
    }
}
