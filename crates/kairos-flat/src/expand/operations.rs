//! Operators and builtins on trees of scalars.

use super::Expander;
use crate::tree::Tree;
use kairos_base::limits;
use kairos_expr::{BinOp, Builtin, Dim, ExprId, Node, ReduceOp, Scalar, Type};

impl Expander<'_, '_> {
    pub(super) fn binary(&mut self, op: BinOp, a: &Tree, b: &Tree) -> Tree {
        match (op, a.dims().len(), b.dims().len()) {
            (BinOp::Mul, 1.., 1..) => self.product(a, b),
            (BinOp::Pow, 2, _) => {
                let n = b.leaf().and_then(|e| self.sema.store.number(e)).unwrap_or(1.0);
                let size = a.dims()[0];
                let (one, zero) = (self.store().real(1.0), self.store().real(0.0));
                let items =
                    (0..size * size).map(|k| Tree::Leaf(if k / size == k % size { one } else { zero }));
                let one = Tree::array(vec![size, size], items.collect());
                kairos_expr::arith::raise(one, a.clone(), n as u64, &mut |x, y| Some(self.product(x, y)))
                    .unwrap_or_else(|| self.too_large())
            }
            (BinOp::Mul, ..) => self.times(a, b),
            _ => self.zip(a, b, &mut |store, x, y| store.operate(op, x, y)),
        }
    }

    /// The product of elements. Where clocks are to be inferred, that with zero stands until they are.
    fn times(&mut self, a: &Tree, b: &Tree) -> Tree {
        let clocked = self.clocked;
        self.zip(a, b, &mut |store, x, y| match (store.number(x), store.number(y)) {
            (Some(0.0), None) | (None, Some(0.0)) if clocked => store.scalar_binary(BinOp::Mul, x, y),
            _ => store.operate(BinOp::Mul, x, y),
        })
    }

    pub(super) fn product(&mut self, a: &Tree, b: &Tree) -> Tree {
        let (rows, inner) = if a.dims().len() == 2 { (a.dims()[0], a.dims()[1]) } else { (1, a.dims()[0]) };
        let columns = b.dims().get(1).copied().unwrap_or(1);
        if b.dims()[0] != inner {
            return self.fail(
                "operand-types",
                format!("arrays of sizes {:?} and {:?} cannot be multiplied", a.dims(), b.dims()),
                "make the inner sizes equal",
            );
        }
        if rows.saturating_mul(columns).saturating_mul(inner) > limits::ELEMENTS {
            return self.too_large();
        }
        let (x, y) = (a.items().to_vec(), b.items().to_vec());
        let mut items = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            for j in 0..columns {
                let mut terms = Vec::with_capacity(inner);
                for k in 0..inner {
                    let (p, q) = (&x[i * inner + k], &y[k * columns + j]);
                    terms.push(self.times(p, q));
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

    pub(super) fn sum(&mut self, terms: Vec<Tree>) -> Tree {
        let mut terms = terms.into_iter();
        let Some(first) = terms.next() else {
            let zero = self.store().real(0.0);
            return Tree::Leaf(zero);
        };
        terms.fold(first, |sum, t| self.zip(&sum, &t, &mut |s, x, y| s.operate(BinOp::Add, x, y)))
    }

    pub(super) fn reduce(&mut self, op: ReduceOp, items: Vec<Tree>, e: ExprId) -> Tree {
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

    pub(super) fn builtin(&mut self, f: Builtin, args: &[ExprId], e: ExprId) -> Tree {
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
                // A default value is typed where its sizes are open; the arguments know them by now.
                let inner = trees[0].dims().len();
                let outer: Option<Vec<usize>> = trees[1..].iter().map(|t| self.size_of(t)).collect();
                let dims = match outer {
                    Some(mut dims) if inner > 0 || dims.len() == self.sema.store.ty(e).dims.len() => {
                        dims.extend(trees[0].dims());
                        dims
                    }
                    _ => match self.sizes(e) {
                        Some(dims) => dims,
                        None => return self.open_size(),
                    },
                };
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
                let Some(dims) = self.sizes(e) else { return self.open_size() };
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
                        data.push(self.times(p, q));
                    }
                }
                Tree::array(vec![x.len(), y.len()], data)
            }
            Builtin::Cross | Builtin::Skew => self.cross(f, &trees),
            Builtin::Cat => {
                let along = self.sema.constant(args[0]).ok().and_then(|v| v.as_index()).unwrap_or(1) as usize;
                // What has failed before has no dimensions.
                if trees[1..].iter().any(|part| part.dims().len() < along.max(1)) || along == 0 {
                    return self.fail(
                        "rank-expected",
                        format!("`cat({along}, …)` needs arrays with {along} dimensions"),
                        "check the arguments",
                    );
                }
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

    /// The arguments of a `spatialDistribution` whose ends are selected from it.
    pub(super) fn distribution(&self, call: ExprId) -> Option<Vec<ExprId>> {
        match self.sema.store.node(call) {
            Node::Builtin(Builtin::SpatialDistribution, args) if args.len() == 6 => Some(args.to_vec()),
            _ => None,
        }
    }

    /// One end of a `spatialDistribution` as a number: its arguments with the end behind the first four, and the initial
    /// places and values one by one.
    pub(super) fn end_of(&mut self, call: ExprId, end: u32) -> Tree {
        let args = self.distribution(call).unwrap_or_default();
        let initial: Vec<Tree> = args[4..].iter().map(|e| self.expand(*e)).collect();
        let [places, values] = [0, 1].map(|k| initial[k].items().to_vec());
        if places.len() != values.len() || places.len() < 2 {
            let text = "the initial places and values of a distribution do not fit together";
            return self.fail(
                "array-items-differ",
                text.into(),
                "give as many values as places, at least two",
            );
        }
        let mut list = args[..4].to_vec();
        list.push(self.store().int(i64::from(end)));
        list.extend(places.iter().chain(&values).filter_map(Tree::leaf));
        let real = Type::scalar(Scalar::Real);
        Tree::Leaf(self.store().add(Node::Builtin(Builtin::SpatialDistribution, list.into()), real))
    }

    /// An operator applied to every scalar of a tree.
    pub(super) fn wrap(&mut self, f: Builtin, others: &[ExprId], tree: &Tree, last: bool) -> Tree {
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

    pub(super) fn elementwise(&mut self, f: Builtin, trees: &[Tree], e: ExprId) -> Tree {
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

    pub(super) fn size(&mut self, f: Builtin, args: &[ExprId], e: ExprId) -> Tree {
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

    /// The value of a size that is a literal.
    fn size_of(&self, tree: &Tree) -> Option<usize> {
        let n = self.sema.store.number(tree.leaf()?)?;
        (n >= 0.0 && n.fract() == 0.0).then_some(n as usize)
    }

    /// An array whose size nobody knows.
    pub(super) fn open_size(&mut self) -> Tree {
        self.fail(
            "unknown-array-size",
            "the size of this array is not known before the simulation".into(),
            "give the size by constants and parameters",
        )
    }

    pub(super) fn made_array(&mut self, f: Builtin, args: &[ExprId], e: ExprId) -> Tree {
        let known = !self.sema.store.ty(e).dims.contains(&Dim::Unknown);
        if f == Builtin::Linspace && known {
            // The ends may be parameters that a run can change.
            let (a, b) = (self.scalar(args[0]), self.scalar(args[1]));
            let Some(&[n]) = self.sizes(e).as_deref() else { return self.open_size() };
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

    pub(super) fn cross(&mut self, f: Builtin, trees: &[Tree]) -> Tree {
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
