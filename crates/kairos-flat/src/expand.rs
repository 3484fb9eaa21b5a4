//! Takes typed array and record expressions apart into scalar ones.

mod calls;
mod index;
mod operations;

use crate::clocks;
use crate::tree::Tree;
use kairos_base::hash::HashMap;
use kairos_base::{Diagnostic, Name, Span, limits};
use kairos_expr::{ExprId, ExprMap, IterId, LocalId, Node, Scalar, Type, Value, VarId};
use kairos_model::Variable;
pub use kairos_sema::subscripts_of as subscripts;
use kairos_sema::{CompId, Sema, Variability, What};
use std::rc::Rc;

/// Scalar variables are numbered from here while the components they come from are still spoken of.
pub const SCALARS: u32 = 1 << 30;

/// The state of scalarisation: which scalar variables a component became, and what is expanded already.
pub struct Expander<'s, 'a> {
    pub sema: &'s mut Sema<'a>,
    /// First scalar variable of each variable component, by the number of the component.
    first: Vec<Option<VarId>>,
    /// Types of the scalar variables.
    pub types: Vec<Scalar>,
    memo: ExprMap<Tree>,
    iterators: Vec<(IterId, Tree)>,
    /// The iterators of loops in statements that the run turns.
    pub loops: Vec<IterId>,
    locals: Vec<HashMap<LocalId, Tree>>,
    pub diagnostics: Vec<Diagnostic>,
    /// Breaches of the rules for connectors, which are warnings where the model as a whole is balanced.
    pub doubtful: Vec<Diagnostic>,
    /// The clocks of clocked when-equations; until partitioning `Equation::clock` counts them.
    pub when_clocks: Vec<(ExprId, Span)>,
    /// The equation being expanded, for messages.
    pub span: Span,
    /// The component asked for last, and its path.
    path: Option<(CompId, Name)>,
    /// Variables made on the way, to be appended to those of the model.
    pub made: Vec<Variable>,
    /// Bodies of iterators that may still be written out.
    visits: u64,
    /// There are clocks to be inferred: what a factor of zero hides ticks with its equation all the same.
    clocked: bool,
}

impl<'s, 'a> Expander<'s, 'a> {
    pub fn new(sema: &'s mut Sema<'a>, span: Span) -> Self {
        let clocked = clocks::mentioned(&sema.store);
        Self {
            clocked,
            sema,
            first: Vec::new(),
            types: Vec::new(),
            memo: ExprMap::default(),
            iterators: Vec::new(),
            loops: Vec::new(),
            locals: Vec::new(),
            diagnostics: Vec::new(),
            doubtful: Vec::new(),
            when_clocks: Vec::new(),
            span,
            path: None,
            made: Vec::new(),
            visits: limits::BODIES,
        }
    }

    /// Takes note of the first scalar variable of each variable component.
    pub fn number(&mut self, list: &[(CompId, VarId)]) {
        let count = list.iter().map(|(comp, _)| comp.index() + 1).max().unwrap_or(0);
        self.first = vec![None; count];
        list.iter().for_each(|(comp, first)| self.first[comp.index()] = Some(*first));
    }

    /// The first scalar variable of a variable component that is part of the model.
    pub fn first(&self, comp: CompId) -> Option<VarId> {
        self.first.get(comp.index()).copied().flatten()
    }

    /// The path of a component; equations of one component come one after the other.
    pub fn path(&mut self, comp: CompId) -> Name {
        match self.path {
            Some((last, path)) if last == comp => path,
            _ => {
                let path = Name::new(&self.sema.comp_path(comp));
                self.path = Some((comp, path));
                path
            }
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
        let before = self.diagnostics.len();
        let tree = self.expand_node(e);
        // What is in error is told of wherever it stands.
        if free && self.diagnostics.len() == before {
            self.memo.insert(e, tree.clone());
        }
        tree
    }

    /// Has an expression more elements than an array may have?
    fn is_too_large(&self, e: ExprId) -> bool {
        let dims = &self.sema.store.ty(e).dims;
        let count = dims.iter().try_fold(1usize, |n, d| n.checked_mul(d.known().unwrap_or(1)));
        count.is_none_or(|count| count > limits::ELEMENTS)
    }

    /// Tells that the model has too many scalar variables.
    pub fn refuse_size(&mut self, root: CompId, most: usize) {
        self.span = self.sema.comp(root).span;
        let message = format!("the model has more than {most} scalar variables");
        self.fail("too-large", message, "check the sizes; a model of this size cannot be compiled");
    }

    pub(crate) fn too_large(&mut self) -> Tree {
        let message = format!("an array has more than {} elements", limits::ELEMENTS);
        self.fail("too-large", message, "check the sizes; a model of this size cannot be compiled")
    }

    fn expand_node(&mut self, e: ExprId) -> Tree {
        if self.is_too_large(e) {
            return self.too_large();
        }
        let node = self.sema.store.node(e).clone();
        match node {
            Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Str(_) | Node::Enum(..) | Node::Time => {
                Tree::Leaf(e)
            }
            Node::Relation(_) => Tree::Leaf(e),
            Node::Var(v) if v.0 >= SCALARS => Tree::Leaf(e),
            Node::Var(v) => self.component(CompId::new(v.index())),
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
                    _ => self.choice(c, a, b),
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
                    Tree::Leaf(call) if self.distribution(call).is_some() => self.end_of(call, k),
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
                    // Without elements, a size that is open is zero.
                    let dims = self.sema.store.ty(e).dims.iter().map(|d| d.known().unwrap_or(0)).collect();
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
                // Where too many bodies were refused, some are missing.
                if self.visits == 0 {
                    return Tree::Leaf(self.store().real(0.0));
                }
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

    /// Both branches. One that is in error does not count where the parameters exclude it: `if i == n then 0 else x[i+1]`.
    fn choice(&mut self, c: ExprId, a: ExprId, b: ExprId) -> Tree {
        let before = self.diagnostics.len();
        let a = self.expand(a);
        let between = self.diagnostics.len();
        let b = self.expand(b);
        let wrong = [between > before, self.diagnostics.len() > between];
        if wrong.contains(&true)
            && let Some(holds) = self.decided(c)
            && !wrong[usize::from(!holds)]
        {
            self.diagnostics.truncate(before);
            return if holds { a } else { b };
        }
        self.zip(&a, &b, &mut |store, x, y| store.choose(c, x, y))
    }

    /// The value of a condition that the parameters decide; they cannot be changed for a run from now on.
    pub fn decided(&mut self, c: ExprId) -> Option<bool> {
        match self.sema.constant(c) {
            Ok(Value::Bool(holds)) => Some(holds),
            _ => None,
        }
    }

    fn is_tuple(&self, e: ExprId) -> bool {
        self.sema.store.ty(e).scalar == Scalar::Tuple
    }

    /// The sizes that the type of an expression has, if they are known.
    fn sizes(&self, e: ExprId) -> Option<Vec<usize>> {
        self.sema.store.ty(e).sizes()
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
                if let Some(first) = self.first(comp) {
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

    fn iterate(
        &mut self,
        iters: &[(IterId, ExprId)],
        dims: &mut Vec<usize>,
        visit: &mut dyn FnMut(&mut Self),
    ) {
        if dims.is_empty() && self.rounds(iters) > limits::ELEMENTS {
            self.too_large();
            return;
        }
        let Some((&(iter, range), rest)) = iters.split_first() else {
            match self.visits {
                0 => {}
                1 => {
                    self.visits = 0;
                    let message = format!("iterators write out more than {} bodies", limits::BODIES);
                    self.fail(
                        "too-large",
                        message,
                        "check the ranges; a model of this size cannot be compiled",
                    );
                }
                _ => {
                    self.visits -= 1;
                    visit(self);
                }
            }
            return;
        };
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

    /// How often the body of these iterators is visited; ranges that other iterators decide count once.
    fn rounds(&mut self, iters: &[(IterId, ExprId)]) -> usize {
        iters.iter().fold(1, |n: usize, (_, range)| {
            let count = self.sema.store.ty(*range).dims.first().and_then(|d| d.known());
            n.saturating_mul(count.unwrap_or(1))
        })
    }

    /// The type of a scalar variable.
    pub fn var_type(&self, var: VarId) -> Scalar {
        self.types.get((var.0 - SCALARS) as usize).copied().unwrap_or(Scalar::Real)
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
