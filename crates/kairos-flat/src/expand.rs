//! Takes typed array and record expressions apart into scalar ones.

use crate::scalar::Variable;
use crate::tree::Tree;
use kairos_base::{Diagnostic, Span};
use kairos_expr::{
    BinOp, Body, Builtin, Dim, ExprId, FunctionId, Inline, IterId, LocalId, Node, ReduceOp, Scalar, Step,
    Stmt, Sub, Target, Type, Value, VarId,
};
pub use kairos_sema::subscripts_of as subscripts;
use kairos_sema::{CompId, Sema, Variability, What};
use std::collections::HashMap;
use std::rc::Rc;

/// Scalar variables are numbered from here while the components they come from are still spoken of.
pub const SCALARS: u32 = 1 << 30;

/// The state of scalarisation: which scalar variables a component became, and what is expanded already.
pub struct Expander<'s, 'a> {
    pub sema: &'s mut Sema<'a>,
    /// First scalar variable of each variable component.
    pub first: HashMap<CompId, VarId>,
    /// Types of the scalar variables.
    pub types: Vec<Scalar>,
    memo: HashMap<ExprId, Tree>,
    iterators: Vec<(IterId, Tree)>,
    locals: Vec<HashMap<LocalId, Tree>>,
    pub diagnostics: Vec<Diagnostic>,
    /// The clocks of clocked when-equations; until partitioning `Equation::clock` counts them.
    pub when_clocks: Vec<(ExprId, Span)>,
    /// The equation being expanded, for messages.
    pub span: Span,
    /// Variables made on the way, to be appended to those of the model.
    pub made: Vec<Variable>,
}

impl<'s, 'a> Expander<'s, 'a> {
    pub fn new(sema: &'s mut Sema<'a>, span: Span) -> Self {
        Self {
            sema,
            first: HashMap::new(),
            types: Vec::new(),
            memo: HashMap::new(),
            iterators: Vec::new(),
            locals: Vec::new(),
            diagnostics: Vec::new(),
            when_clocks: Vec::new(),
            span,
            made: Vec::new(),
        }
    }

    /// A variable for a value that has to wait.
    pub fn make_var(&mut self, ty: Scalar, span: Span) -> VarId {
        let var = VarId(SCALARS + self.types.len() as u32);
        self.types.push(ty);
        self.made.push(Variable::made(&format!("$kept{}", self.types.len()), ty, span));
        var
    }

    fn store(&mut self) -> &mut kairos_expr::Store {
        &mut self.sema.store
    }

    fn fail(&mut self, code: &'static str, message: String, help: &str) -> Tree {
        self.diagnostics.push(Diagnostic::error(code, message).at(self.span).help(help));
        let zero = self.store().real(0.0);
        Tree::Leaf(zero)
    }

    /// The one scalar of an expression.
    pub fn scalar(&mut self, e: ExprId) -> ExprId {
        match self.expand(e) {
            Tree::Leaf(e) => e,
            Tree::Array(_, items) if items.len() == 1 => match items[0] {
                Tree::Leaf(e) => e,
                _ => e,
            },
            _ => e,
        }
    }

    /// A call made for its effect, whatever its result.
    pub fn effect(&mut self, e: ExprId) -> ExprId {
        let Node::Call(f, args) = self.sema.store.node(e).clone() else { return self.scalar(e) };
        let args: Vec<ExprId> = args
            .iter()
            .map(|a| {
                let tree = self.expand(*a);
                tree.rebuild(self.store())
            })
            .collect();
        let ty = self.sema.store.type_id(e);
        self.store().add_typed(Node::Call(f, args.into()), ty)
    }

    pub fn expand(&mut self, e: ExprId) -> Tree {
        let free = self.iterators.is_empty() && self.locals.is_empty();
        if free && let Some(tree) = self.memo.get(&e) {
            return tree.clone();
        }
        let tree = self.expand_node(e);
        if free {
            self.memo.insert(e, tree.clone());
        }
        tree
    }

    fn expand_node(&mut self, e: ExprId) -> Tree {
        let node = self.sema.store.node(e).clone();
        match node {
            Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Str(_) | Node::Enum(..) | Node::Time => {
                Tree::Leaf(e)
            }
            Node::Relation(_) => Tree::Leaf(e),
            Node::Var(v) if v.0 >= SCALARS => Tree::Leaf(e),
            Node::Var(v) => self.component(CompId(v.0)),
            Node::Local(l) => match self.locals.last().and_then(|m| m.get(&l)) {
                Some(tree) => tree.clone(),
                None => Tree::Leaf(e),
            },
            Node::Iter(i) => match self.iterators.iter().rev().find(|(k, _)| *k == i) {
                Some((_, tree)) => tree.clone(),
                None => Tree::Leaf(e),
            },
            Node::Unary(op, a) => {
                let a = self.expand(a);
                let store = self.store();
                a.map(&mut |x| store.operate_on(op, x))
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.expand(a), self.expand(b));
                self.binary(op, &a, &b)
            }
            Node::If(c, a, b) => {
                let c = self.scalar(c);
                match self.sema.store.node(c) {
                    Node::Bool(true) => self.expand(a),
                    Node::Bool(false) => self.expand(b),
                    _ => {
                        let (a, b) = (self.expand(a), self.expand(b));
                        self.zip(&a, &b, &mut |store, x, y| store.choose(c, x, y))
                    }
                }
            }
            Node::Builtin(f, args) => self.builtin(f, &args, e),
            Node::Call(f, args) => self.call(f, &args, e),
            Node::CallValue(..) => Tree::Leaf(e),
            Node::Partial(f, bound) => {
                let mut args = Vec::with_capacity(bound.len());
                for (k, a) in bound {
                    let tree = self.expand(a);
                    args.push((k, tree.rebuild(self.store())));
                }
                let ty = self.sema.store.ty(e).clone();
                Tree::Leaf(self.store().add(Node::Partial(f, args.into()), ty))
            }
            Node::Item(call, k) => {
                let ty = self.sema.store.ty(e).clone();
                match self.expand(call) {
                    Tree::Record(_, items) if self.is_tuple(call) => items[k as usize].clone(),
                    Tree::Leaf(call) => {
                        let item = self.store().add(Node::Item(call, k), ty.clone());
                        self.select_all(item, &ty)
                    }
                    other => other,
                }
            }
            Node::Field(a, k) => {
                let a = self.expand(a);
                field(&a, k as usize)
            }
            Node::Record(r, args) => Tree::Record(r, Rc::new(args.iter().map(|a| self.expand(*a)).collect())),
            Node::Array(items) => {
                if items.is_empty() {
                    let dims = self.sizes(e);
                    return Tree::array(dims, Vec::new());
                }
                let parts = items.iter().map(|a| self.expand(*a)).collect();
                Tree::stack(parts)
            }
            Node::Range(..) => self.constant(e),
            Node::Comprehension(body, iters) => {
                let mut dims = Vec::new();
                let mut items = Vec::new();
                self.iterate(&iters, &mut dims, &mut |me| items.push(me.expand(body)));
                match items.first().map(|t| t.dims().to_vec()) {
                    Some(inner) => dims.extend(inner),
                    None => {
                        let known = self.sema.store.ty(body).dims.clone();
                        dims.extend(known.iter().map(|d| d.known().unwrap_or(0)));
                    }
                }
                let items: Vec<Tree> = items.iter().flat_map(|t| t.items().to_vec()).collect();
                if dims.iter().product::<usize>() != items.len() {
                    return self.fail(
                        "array-items-differ",
                        "the items of an array differ in size".into(),
                        "make every item the same size",
                    );
                }
                Tree::array(dims, items)
            }
            Node::Reduce(op, body, iters) => {
                let mut items = Vec::new();
                self.iterate(&iters, &mut Vec::new(), &mut |me| items.push(me.expand(body)));
                self.reduce(op, items, e)
            }
            Node::Index(a, subs) => self.index(a, &subs),
        }
    }

    fn is_tuple(&self, e: ExprId) -> bool {
        self.sema.store.ty(e).scalar == Scalar::Tuple
    }

    fn sizes(&self, e: ExprId) -> Vec<usize> {
        self.sema.store.ty(e).dims.iter().map(|d| d.known().unwrap_or(0)).collect()
    }

    /// The value of an expression that has to be known now.
    fn constant(&mut self, e: ExprId) -> Tree {
        let e = self.close(e);
        match self.sema.constant(e) {
            Ok(value) => self.value(&value),
            Err(_) => self.fail(
                "not-constant",
                "the bounds of a range must be known before the simulation starts".into(),
                "use only constants and parameters here",
            ),
        }
    }

    /// An expression with the current iterators and locals put in.
    fn close(&mut self, e: ExprId) -> ExprId {
        if self.iterators.is_empty() && self.locals.is_empty() {
            return e;
        }
        match self.sema.store.node(e) {
            Node::Iter(_) | Node::Local(_) => {
                let tree = self.expand_node(e);
                tree.rebuild(self.store())
            }
            _ => {
                let mut children = Vec::new();
                self.sema.store.children(e, |c| children.push(c));
                let new: HashMap<ExprId, ExprId> = children.into_iter().map(|c| (c, self.close(c))).collect();
                self.store().map_children(e, |_, c| new.get(&c).copied().unwrap_or(c))
            }
        }
    }

    pub fn value(&mut self, value: &Value) -> Tree {
        match value {
            Value::Array(a) => Tree::array(a.dims.clone(), a.data.iter().map(|v| self.value(v)).collect()),
            Value::Record(r, fields) => {
                Tree::Record(*r, Rc::new(fields.iter().map(|v| self.value(v)).collect()))
            }
            other => Tree::Leaf(self.sema.value_expr(other)),
        }
    }

    /// A component as its scalar variables; constants of packages as their values.
    fn component(&mut self, comp: CompId) -> Tree {
        let comp = self.sema.comp(comp).outer.unwrap_or(comp);
        let c = self.sema.comp(comp);
        match c.what {
            What::Variable(scalar) => {
                if let Some(&first) = self.first.get(&comp) {
                    let dims: Vec<usize> = c.dims.iter().map(|d| d.known().unwrap_or(0)).collect();
                    let count: usize = dims.iter().product();
                    let leaf = |me: &mut Self, k: usize| {
                        Tree::Leaf(me.store().var(VarId(first.0 + k as u32), Type::scalar(scalar)))
                    };
                    if dims.is_empty() {
                        return leaf(self, 0);
                    }
                    let items = (0..count).map(|k| leaf(self, k)).collect();
                    return Tree::array(dims, items);
                }
                let path = self.sema.comp_path(comp);
                if c.variability > Variability::Parameter {
                    return self.fail(
                        "not-in-model",
                        format!("`{path}` is not part of the model"),
                        "refer to a component",
                    );
                }
                match self.sema.comp_value(comp) {
                    Ok(value) => self.value(&value),
                    Err(stop) => {
                        let why = match stop {
                            kairos_expr::Stop::Error { message, .. } => message,
                            _ => "it is not constant".to_string(),
                        };
                        self.fail(
                            "evaluation-failed",
                            format!("`{path}` has no value: {why}"),
                            "give it a value",
                        )
                    }
                }
            }
            What::Array => {
                let dims: Vec<usize> = c.dims.iter().map(|d| d.known().unwrap_or(0)).collect();
                let elements = c.elements.clone();
                let items = elements.into_iter().map(|x| self.component(x)).collect();
                Tree::array(dims, items)
            }
            What::Parts => {
                let Scalar::Record(record) = self.sema.comp_type(comp).scalar else {
                    let path = self.sema.comp_path(comp);
                    return self.fail(
                        "not-a-value",
                        format!("`{path}` is not a value"),
                        "refer to one of its variables",
                    );
                };
                let names: Vec<_> = self.sema.store.record(record).fields.iter().map(|(n, _)| *n).collect();
                let mut items = Vec::with_capacity(names.len());
                for name in names {
                    match self.sema.child(comp, name) {
                        Some(child) => items.push(self.component(child)),
                        None => {
                            return self.fail("not-a-value", format!("`{name}` is missing"), "declare it");
                        }
                    }
                }
                Tree::Record(record, Rc::new(items))
            }
            What::Package | What::Broken => {
                let zero = self.store().real(0.0);
                Tree::Leaf(zero)
            }
        }
    }

    fn zip(
        &mut self,
        a: &Tree,
        b: &Tree,
        f: &mut dyn FnMut(&mut kairos_expr::Store, ExprId, ExprId) -> ExprId,
    ) -> Tree {
        match (a, b) {
            (Tree::Leaf(x), Tree::Leaf(y)) => Tree::Leaf(f(&mut self.sema.store, *x, *y)),
            (Tree::Record(r, x), Tree::Record(_, y)) if x.len() == y.len() => {
                Tree::Record(*r, Rc::new(x.iter().zip(y.iter()).map(|(x, y)| self.zip(x, y, f)).collect()))
            }
            (Tree::Array(dims, x), Tree::Array(_, y)) if x.len() == y.len() => Tree::Array(
                dims.clone(),
                Rc::new(x.iter().zip(y.iter()).map(|(x, y)| self.zip(x, y, f)).collect()),
            ),
            (Tree::Array(dims, x), y) if !matches!(y, Tree::Array(..)) => {
                Tree::Array(dims.clone(), Rc::new(x.iter().map(|x| self.zip(x, y, f)).collect()))
            }
            (x, Tree::Array(dims, y)) if !matches!(x, Tree::Array(..)) => {
                Tree::Array(dims.clone(), Rc::new(y.iter().map(|y| self.zip(x, y, f)).collect()))
            }
            _ => self.fail(
                "operand-types",
                format!("arrays of sizes {:?} and {:?} do not fit", a.dims(), b.dims()),
                "make the sizes equal",
            ),
        }
    }

    fn binary(&mut self, op: BinOp, a: &Tree, b: &Tree) -> Tree {
        match (op, a.dims().len(), b.dims().len()) {
            (BinOp::Mul, 1.., 1..) => self.product(a, b),
            (BinOp::Pow, 2, _) => {
                let n = b.leaf().and_then(|e| self.sema.store.number(e)).unwrap_or(1.0);
                let size = a.dims()[0];
                let (one, zero) = (self.store().real(1.0), self.store().real(0.0));
                let items =
                    (0..size * size).map(|k| Tree::Leaf(if k / size == k % size { one } else { zero }));
                let mut result = Tree::array(vec![size, size], items.collect());
                for _ in 0..n as usize {
                    result = self.product(&result, a);
                }
                result
            }
            _ => self.zip(a, b, &mut |store, x, y| store.operate(op, x, y)),
        }
    }

    fn product(&mut self, a: &Tree, b: &Tree) -> Tree {
        let (rows, inner) = if a.dims().len() == 2 { (a.dims()[0], a.dims()[1]) } else { (1, a.dims()[0]) };
        let columns = b.dims().get(1).copied().unwrap_or(1);
        if b.dims()[0] != inner {
            return self.fail(
                "operand-types",
                format!("arrays of sizes {:?} and {:?} cannot be multiplied", a.dims(), b.dims()),
                "make the inner sizes equal",
            );
        }
        let (x, y) = (a.items().to_vec(), b.items().to_vec());
        let mut items = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            for j in 0..columns {
                let mut terms = Vec::with_capacity(inner);
                for k in 0..inner {
                    let (p, q) = (&x[i * inner + k], &y[k * columns + j]);
                    terms.push(self.zip(p, q, &mut |s, p, q| s.operate(BinOp::Mul, p, q)));
                }
                items.push(self.sum(terms));
            }
        }
        match (a.dims().len(), b.dims().len()) {
            (1, 1) => items.swap_remove(0),
            (2, 1) => Tree::array(vec![rows], items),
            (1, _) => Tree::array(vec![columns], items),
            _ => Tree::array(vec![rows, columns], items),
        }
    }

    fn sum(&mut self, terms: Vec<Tree>) -> Tree {
        let mut terms = terms.into_iter();
        let Some(first) = terms.next() else {
            let zero = self.store().real(0.0);
            return Tree::Leaf(zero);
        };
        terms.fold(first, |sum, t| self.zip(&sum, &t, &mut |s, x, y| s.operate(BinOp::Add, x, y)))
    }

    fn reduce(&mut self, op: ReduceOp, items: Vec<Tree>, e: ExprId) -> Tree {
        let int = self.sema.store.ty(e).scalar == Scalar::Int;
        if items.is_empty() {
            let value = match op {
                ReduceOp::Sum => 0.0,
                ReduceOp::Product => 1.0,
                ReduceOp::Min => f64::MAX,
                ReduceOp::Max => -f64::MAX,
            };
            let e = if int { self.store().int(value as i64) } else { self.store().real(value) };
            return Tree::Leaf(e);
        }
        let mut items = items.into_iter();
        let first = items.next().expect("not empty");
        match op {
            ReduceOp::Sum => {
                let mut all = vec![first];
                all.extend(items);
                self.sum(all)
            }
            ReduceOp::Product => {
                items.fold(first, |p, t| self.zip(&p, &t, &mut |s, x, y| s.operate(BinOp::Mul, x, y)))
            }
            ReduceOp::Min => {
                items.fold(first, |p, t| self.zip(&p, &t, &mut |s, x, y| s.apply(Builtin::Min2, &[x, y])))
            }
            ReduceOp::Max => {
                items.fold(first, |p, t| self.zip(&p, &t, &mut |s, x, y| s.apply(Builtin::Max2, &[x, y])))
            }
        }
    }

    fn iterate(
        &mut self,
        iters: &[(IterId, ExprId)],
        dims: &mut Vec<usize>,
        visit: &mut dyn FnMut(&mut Self),
    ) {
        let Some((&(iter, range), rest)) = iters.split_first() else { return visit(self) };
        let values = self.expand(range);
        let count = values.dims().first().copied().unwrap_or(1);
        let depth = dims.len();
        dims.push(count);
        for k in 0..count {
            self.iterators.push((iter, values.part(k)));
            let mut inner = Vec::new();
            self.iterate(rest, &mut inner, visit);
            self.iterators.pop();
            dims.truncate(depth + 1);
            dims.extend(inner);
        }
        if count == 0 {
            dims.extend(rest.iter().map(|_| 0));
        }
    }

    /// Subscripts that are known pick; others become a choice between the elements.
    fn index(&mut self, a: ExprId, subs: &[Sub]) -> Tree {
        let tree = self.expand(a);
        self.index_from(&tree, subs)
    }

    pub fn index_tree(&mut self, tree: &Tree, subs: &[Sub]) -> Tree {
        self.index_from(tree, subs)
    }

    /// The type of a scalar variable.
    pub fn var_type(&self, var: VarId) -> Scalar {
        self.types.get((var.0 - SCALARS) as usize).copied().unwrap_or(Scalar::Real)
    }

    fn index_from(&mut self, tree: &Tree, subs: &[Sub]) -> Tree {
        let Some((sub, rest)) = subs.split_first() else { return tree.clone() };
        let Tree::Array(dims, _) = tree else { return tree.clone() };
        let count = dims[0];
        match sub {
            Sub::All => {
                let parts: Vec<Tree> =
                    (0..count).map(|i| tree.part(i)).map(|p| self.index_from(&p, rest)).collect();
                match parts.is_empty() {
                    true => {
                        let kept = rest
                            .iter()
                            .enumerate()
                            .filter(|(_, s)| matches!(s, Sub::All))
                            .map(|(k, _)| dims[k + 1]);
                        let mut all = vec![0];
                        all.extend(kept);
                        all.extend(dims.iter().skip(1 + rest.len()));
                        Tree::array(all, Vec::new())
                    }
                    false => Tree::stack(parts),
                }
            }
            Sub::At(i) => match self.expand(*i) {
                Tree::Leaf(i) => self.pick(tree, i, rest),
                Tree::Array(_, list) => {
                    let list: Vec<Tree> = list.to_vec();
                    let parts: Vec<Tree> =
                        list.iter().filter_map(|t| t.leaf()).map(|i| self.pick(tree, i, rest)).collect();
                    if parts.is_empty() {
                        let mut all = vec![0];
                        all.extend(dims.iter().skip(1 + rest.len()));
                        return Tree::array(all, Vec::new());
                    }
                    Tree::stack(parts)
                }
                Tree::Record(..) => tree.clone(),
            },
        }
    }

    fn pick(&mut self, tree: &Tree, i: ExprId, rest: &[Sub]) -> Tree {
        let count = tree.dims()[0];
        let known = self.sema.constant(i).ok().and_then(|v| v.as_index());
        if let Some(k) = known {
            if k < 1 || k as usize > count {
                return self.fail(
                    "bad-subscript",
                    format!("subscript {k} is outside 1:{count}"),
                    "correct the subscript or the size",
                );
            }
            let part = tree.part(k as usize - 1);
            return self.index_from(&part, rest);
        }
        if count == 0 {
            return self.fail("bad-subscript", "a subscript on an empty array".into(), "correct the size");
        }
        let last = tree.part(count - 1);
        let mut result = self.index_from(&last, rest);
        for k in (1..count).rev() {
            let at = self.position(i, k);
            let part = tree.part(k - 1);
            let part = self.index_from(&part, rest);
            result = self.zip(&part, &result, &mut |s, x, y| s.choose(at, x, y));
        }
        result
    }

    /// `i == k` for an index of any kind.
    pub fn position(&mut self, i: ExprId, k: usize) -> ExprId {
        let store = self.store();
        match store.ty(i).scalar {
            Scalar::Enum(t) => {
                let literal = store.literal(t, k as u32);
                store.scalar_binary(BinOp::Eq, i, literal)
            }
            Scalar::Bool if k == 2 => i,
            Scalar::Bool => store.unary(kairos_expr::UnOp::Not, i),
            _ => {
                let literal = store.int(k as i64);
                store.scalar_binary(BinOp::Eq, i, literal)
            }
        }
    }

    fn builtin(&mut self, f: Builtin, args: &[ExprId], e: ExprId) -> Tree {
        match f {
            Builtin::Size | Builtin::Ndims => return self.size(f, args, e),
            Builtin::Zeros | Builtin::Ones | Builtin::Identity | Builtin::Linspace => {
                return self.made_array(f, args, e);
            }
            Builtin::Cardinality | Builtin::IsRoot | Builtin::Rooted => return self.constant(e),
            Builtin::Smooth => {
                let p = self.scalar(args[0]);
                let tree = self.expand(args[1]);
                return self.wrap(Builtin::Smooth, &[p], &tree, true);
            }
            _ => {}
        }
        let trees: Vec<Tree> = args.iter().map(|a| self.expand(*a)).collect();
        match f {
            Builtin::Fill => {
                let dims = self.sizes(e);
                let count: usize = dims.iter().product();
                let items = trees[0].items();
                let data = (0..count).map(|k| items[k % items.len().max(1)].clone()).collect();
                Tree::array(dims, data)
            }
            Builtin::Sum => self.reduce(ReduceOp::Sum, trees[0].items().to_vec(), e),
            Builtin::Product => self.reduce(ReduceOp::Product, trees[0].items().to_vec(), e),
            Builtin::MinOf => self.reduce(ReduceOp::Min, trees[0].items().to_vec(), e),
            Builtin::MaxOf => self.reduce(ReduceOp::Max, trees[0].items().to_vec(), e),
            Builtin::Scalar => trees[0].items().first().cloned().unwrap_or_else(|| trees[0].clone()),
            Builtin::Vector => {
                let items = trees[0].items().to_vec();
                Tree::array(vec![items.len()], items)
            }
            Builtin::Matrix | Builtin::Promote => {
                let dims = self.sizes(e);
                Tree::array(dims, trees[0].items().to_vec())
            }
            Builtin::Transpose => {
                let (rows, columns) = (trees[0].dims()[0], trees[0].dims()[1]);
                let size: usize = trees[0].dims()[2..].iter().product();
                let items = trees[0].items();
                let mut data = Vec::with_capacity(items.len());
                for j in 0..columns {
                    for i in 0..rows {
                        data.extend_from_slice(
                            &items[(i * columns + j) * size..(i * columns + j + 1) * size],
                        );
                    }
                }
                let mut dims = trees[0].dims().to_vec();
                dims.swap(0, 1);
                Tree::array(dims, data)
            }
            Builtin::Diagonal => {
                let items = trees[0].items().to_vec();
                let n = items.len();
                let zero = self.store().real(0.0);
                let data =
                    (0..n * n).map(|k| if k / n == k % n { items[k / n].clone() } else { Tree::Leaf(zero) });
                Tree::array(vec![n, n], data.collect())
            }
            Builtin::Symmetric => {
                let n = trees[0].dims()[0];
                let items = trees[0].items();
                let data =
                    (0..n * n).map(|k| items[(k / n).min(k % n) * n + (k / n).max(k % n)].clone()).collect();
                Tree::array(vec![n, n], data)
            }
            Builtin::OuterProduct => {
                let (x, y) = (trees[0].items().to_vec(), trees[1].items().to_vec());
                let mut data = Vec::new();
                for p in &x {
                    for q in &y {
                        data.push(self.zip(p, q, &mut |s, a, b| s.operate(BinOp::Mul, a, b)));
                    }
                }
                Tree::array(vec![x.len(), y.len()], data)
            }
            Builtin::Cross | Builtin::Skew => self.cross(f, &trees),
            Builtin::Cat => {
                let along = self.sema.constant(args[0]).ok().and_then(|v| v.as_index()).unwrap_or(1) as usize;
                cat(along, &trees[1..])
            }
            Builtin::Der | Builtin::Pre | Builtin::NoEvent | Builtin::Previous | Builtin::Hold => {
                self.wrap(f, &[], &trees[0], false)
            }
            Builtin::InStream | Builtin::ActualStream | Builtin::NoClock => {
                self.wrap(f, &[], &trees[0], false)
            }
            Builtin::Edge | Builtin::Change => self.wrap(f, &[], &trees[0], false),
            Builtin::Delay
            | Builtin::ClockedSample
            | Builtin::SubSample
            | Builtin::SuperSample
            | Builtin::ShiftSample
            | Builtin::BackSample => {
                let rest: Vec<ExprId> = trees[1..].iter().filter_map(|t| t.leaf()).collect();
                self.wrap(f, &rest, &trees[0], false)
            }
            Builtin::Homotopy => self.zip(&trees[0], &trees[1], &mut |s, x, y| {
                let ty = s.ty(x).clone();
                s.add(Node::Builtin(Builtin::Homotopy, [x, y].into()), ty)
            }),
            _ if f.is_numeric() => self.elementwise(f, &trees, e),
            _ => {
                let args: Vec<ExprId> = trees.iter().map(|t| t.rebuild(&mut self.sema.store)).collect();
                let ty = self.sema.store.ty(e).clone();
                let leaf = self.store().add(Node::Builtin(f, args.into()), ty);
                Tree::Leaf(leaf)
            }
        }
    }

    /// An operator applied to every scalar of a tree.
    fn wrap(&mut self, f: Builtin, others: &[ExprId], tree: &Tree, last: bool) -> Tree {
        let store = &mut self.sema.store;
        tree.map(&mut |x| {
            if matches!(f, Builtin::NoEvent | Builtin::Smooth | Builtin::Hold) && store.number(x).is_some() {
                return x;
            }
            let mut args = others.to_vec();
            if last {
                args.push(x);
            } else {
                args.insert(0, x);
            }
            store.scalar_builtin(f, &args)
        })
    }

    fn elementwise(&mut self, f: Builtin, trees: &[Tree], e: ExprId) -> Tree {
        if let Some(Tree::Array(dims, items)) = trees.iter().find(|t| matches!(t, Tree::Array(..))) {
            let data = (0..items.len())
                .map(|k| {
                    let at: Vec<Tree> = trees
                        .iter()
                        .map(|t| match t {
                            Tree::Array(_, items) => items[k].clone(),
                            other => other.clone(),
                        })
                        .collect();
                    self.elementwise(f, &at, e)
                })
                .collect();
            return Tree::array(dims.to_vec(), data);
        }
        let args: Vec<ExprId> = trees.iter().filter_map(|t| t.leaf()).collect();
        if f == Builtin::EnumOf {
            let ty = self.sema.store.ty(e).clone();
            return Tree::Leaf(self.store().add(Node::Builtin(f, args.into()), ty));
        }
        Tree::Leaf(self.store().apply(f, &args))
    }

    fn size(&mut self, f: Builtin, args: &[ExprId], e: ExprId) -> Tree {
        let closed = self.close(e);
        if let Ok(value) = self.sema.constant(closed) {
            return self.value(&value);
        }
        let dims = self.expand(args[0]).dims().to_vec();
        let store = self.store();
        let literal = |store: &mut kairos_expr::Store, d: usize| Tree::Leaf(store.int(d as i64));
        if f == Builtin::Ndims {
            return literal(store, dims.len());
        }
        match args.get(1) {
            None => {
                let items: Vec<Tree> = dims.iter().map(|d| literal(store, *d)).collect();
                Tree::array(vec![items.len()], items)
            }
            Some(k) => {
                let k = self.scalar(*k);
                let k = self.sema.store.number(k).unwrap_or(1.0) as usize;
                let d = dims.get(k.wrapping_sub(1)).copied().unwrap_or(0);
                literal(self.store(), d)
            }
        }
    }

    fn made_array(&mut self, f: Builtin, args: &[ExprId], e: ExprId) -> Tree {
        let known = !self.sema.store.ty(e).dims.contains(&Dim::Unknown);
        if f == Builtin::Linspace && known {
            // The ends may be parameters that a run can change.
            let (a, b) = (self.scalar(args[0]), self.scalar(args[1]));
            let n = self.sizes(e)[0];
            let items = (0..n)
                .map(|i| {
                    let store = &mut self.sema.store;
                    let share = store.real(i as f64 / (n - 1) as f64);
                    let width = store.operate(BinOp::Sub, b, a);
                    let step = store.operate(BinOp::Mul, width, share);
                    Tree::Leaf(store.operate(BinOp::Add, a, step))
                })
                .collect();
            return Tree::array(vec![n], items);
        }
        self.constant(e)
    }

    fn cross(&mut self, f: Builtin, trees: &[Tree]) -> Tree {
        let store = &mut self.sema.store;
        let leaf = |t: &Tree, i: usize| t.items().get(i).and_then(|t| t.leaf());
        let three = |t: &Tree| Some([leaf(t, 0)?, leaf(t, 1)?, leaf(t, 2)?]);
        let Some(a) = three(&trees[0]) else {
            return self.fail(
                "rank-expected",
                format!("`{}` needs vectors of three", f.name()),
                "check the sizes",
            );
        };
        if f == Builtin::Skew {
            let zero = store.real(0.0);
            let n: Vec<ExprId> = a.iter().map(|x| store.negate(*x)).collect();
            let rows = [zero, n[2], a[1], a[2], zero, n[0], n[1], a[0], zero];
            return Tree::array(vec![3, 3], rows.into_iter().map(Tree::Leaf).collect());
        }
        let Some(b) = three(&trees[1]) else {
            return self.fail("rank-expected", "`cross` needs vectors of three".into(), "check the sizes");
        };
        let mut items = Vec::with_capacity(3);
        for (i, j) in [(1, 2), (2, 0), (0, 1)] {
            let p = store.operate(BinOp::Mul, a[i], b[j]);
            let q = store.operate(BinOp::Mul, a[j], b[i]);
            items.push(Tree::Leaf(store.operate(BinOp::Sub, p, q)));
        }
        Tree::array(vec![3], items)
    }

    fn call(&mut self, f: FunctionId, args: &[ExprId], e: ExprId) -> Tree {
        let trees: Vec<Tree> = args.iter().map(|a| self.expand(*a)).collect();
        if let Some(result) = self.inline(f, &trees) {
            return result;
        }
        let args: Vec<ExprId> = trees.iter().map(|t| t.rebuild(&mut self.sema.store)).collect();
        let ty = self.sema.store.ty(e).clone();
        let call = self.store().add(Node::Call(f, args.into()), ty.clone());
        if ty.scalar == Scalar::Tuple {
            return Tree::Leaf(call);
        }
        // Calls with known arguments are made now: their size may be known in no other way.
        if (ty.dims.contains(&Dim::Unknown) || trees.iter().all(|t| self.is_literal(t)))
            && self.sema.store.function(f).pure
            && let Ok(value) = self.sema.constant(call)
            && !matches!(value, Value::Object(_))
        {
            return self.value(&value);
        }
        self.select_all(call, &ty)
    }

    fn is_literal(&self, tree: &Tree) -> bool {
        match tree {
            Tree::Leaf(e) => {
                matches!(
                    self.sema.store.node(*e),
                    Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Str(_) | Node::Enum(..)
                )
            }
            Tree::Array(_, items) | Tree::Record(_, items) => items.iter().all(|t| self.is_literal(t)),
        }
    }

    /// All scalars of a value that is computed as a whole.
    fn select_all(&mut self, e: ExprId, ty: &Type) -> Tree {
        let Some(dims) = ty.sizes() else {
            return self.fail(
                "unknown-array-size",
                "the size of the result of this call is not known before the simulation".into(),
                "declare the size of the function's output in terms of its inputs",
            );
        };
        if dims.is_empty() {
            return match ty.scalar {
                Scalar::Record(r) => {
                    let fields = self.sema.store.record(r).fields.clone();
                    let items = fields
                        .iter()
                        .enumerate()
                        .map(|(k, (_, t))| {
                            let part = self.store().add(Node::Field(e, k as u32), t.clone());
                            self.select_all(part, t)
                        })
                        .collect();
                    Tree::Record(r, Rc::new(items))
                }
                _ => Tree::Leaf(e),
            };
        }
        let count: usize = dims.iter().product();
        let sizes: Vec<u32> = dims.iter().map(|d| *d as u32).collect();
        let element = Type::scalar(ty.scalar);
        let items = (0..count)
            .map(|k| {
                let subs = subscripts(k, &sizes)
                    .into_iter()
                    .map(|i| Sub::At(self.store().int(i64::from(i))))
                    .collect();
                let part = self.store().add(Node::Index(e, subs), element.clone());
                self.select_all(part, &element)
            })
            .collect();
        Tree::array(dims, items)
    }

    /// Runs a function on expressions if it asks to be inlined and is a plain sequence of assignments.
    fn inline(&mut self, f: FunctionId, args: &[Tree]) -> Option<Tree> {
        let function = self.sema.store.function(f);
        let wanted = function.inline == Inline::Always && function.derivatives.is_empty();
        if !wanted || self.locals.len() > 20 {
            return None;
        }
        let Body::Statements(body) = &function.body else { return None };
        let plain = |s: &Stmt| matches!(s, Stmt::Assign(t, _, _) if matches!(t.target, Target::Local(_)));
        if !body.iter().all(plain) {
            return None;
        }
        let function = function.clone();
        let Body::Statements(body) = &function.body else { return None };
        let mut locals: HashMap<LocalId, Tree> =
            function.inputs.iter().copied().zip(args.iter().cloned()).collect();
        let outer = std::mem::take(&mut self.iterators);
        for (k, local) in function.locals.iter().enumerate() {
            let id = LocalId::new(k);
            if let (false, Some(value)) = (locals.contains_key(&id), local.value) {
                self.locals.push(locals);
                let tree = self.expand(value);
                locals = self.locals.pop().unwrap_or_default();
                locals.insert(id, tree);
            }
        }
        let mut done = true;
        for statement in body {
            let Stmt::Assign(target, value, _) = statement else { continue };
            let Target::Local(local) = target.target else { continue };
            self.locals.push(locals);
            let tree = self.expand(*value);
            locals = self.locals.pop().unwrap_or_default();
            match target.path.as_slice() {
                [] => {
                    locals.insert(local, tree);
                }
                [Step::Field(k)] => {
                    let ty = self.sema.store.get_type(function.locals[local.index()].ty).clone();
                    let Scalar::Record(r) = ty.scalar else { return None };
                    let count = self.sema.store.record(r).fields.len();
                    let zero = self.store().real(0.0);
                    let old = locals.remove(&local);
                    let mut items = match old {
                        Some(Tree::Record(_, items)) => items.to_vec(),
                        _ => vec![Tree::Leaf(zero); count],
                    };
                    items[*k as usize] = tree;
                    locals.insert(local, Tree::Record(r, Rc::new(items)));
                }
                _ => {
                    done = false;
                    break;
                }
            }
        }
        self.iterators = outer;
        if !done {
            return None;
        }
        let outputs: Option<Vec<Tree>> = function.outputs.iter().map(|o| locals.get(o).cloned()).collect();
        let mut outputs = outputs?;
        match outputs.len() {
            1 => outputs.pop(),
            _ => None,
        }
    }
}

/// A field of a record, or of every record of an array.
pub fn field(tree: &Tree, k: usize) -> Tree {
    match tree {
        Tree::Record(_, items) => items[k].clone(),
        Tree::Array(dims, items) => {
            let parts: Vec<Tree> = items.iter().map(|t| field(t, k)).collect();
            match parts.first() {
                Some(Tree::Array(inner, _)) => {
                    let dims = dims.iter().chain(inner.iter()).copied().collect();
                    Tree::array(dims, parts.iter().flat_map(|p| p.items().to_vec()).collect())
                }
                _ => Tree::array(dims.to_vec(), parts),
            }
        }
        leaf => leaf.clone(),
    }
}

fn cat(along: usize, parts: &[Tree]) -> Tree {
    let k = along - 1;
    let mut dims = parts[0].dims().to_vec();
    dims[k] = parts.iter().map(|p| p.dims()[k]).sum();
    let before: usize = dims[..k].iter().product();
    let mut data = Vec::new();
    for row in 0..before {
        for p in parts {
            let run: usize = p.dims()[k..].iter().product();
            data.extend_from_slice(&p.items()[row * run..(row + 1) * run]);
        }
    }
    Tree::array(dims, data)
}
