//! Calls of functions: inlined, made at once where their arguments are known, or taken apart.

use super::{Expander, subscripts};
use crate::tree::Tree;
use kairos_base::hash::HashMap;
use kairos_expr::{
    Body, Dim, ExprId, FunctionId, Inline, LocalId, Node, Scalar, Step, Stmt, Sub, Target, Type, Value,
};
use std::rc::Rc;

impl Expander<'_, '_> {
    pub(super) fn call(&mut self, f: FunctionId, args: &[ExprId], e: ExprId) -> Tree {
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
            && self.sema.is_pure_function(f)
            && let Ok(value) = self.sema.constant(call)
            && !matches!(value, Value::Object(_))
        {
            return self.value(&value);
        }
        self.select_all(call, &ty)
    }

    pub(super) fn is_literal(&self, tree: &Tree) -> bool {
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
    pub(super) fn select_all(&mut self, e: ExprId, ty: &Type) -> Tree {
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

    /// Runs a function on expressions if it asks to be inlined and is a plain sequence of assignments. What only the run can do,
    /// such as a range up to a variable, stays a call.
    pub(super) fn inline(&mut self, f: FunctionId, args: &[Tree]) -> Option<Tree> {
        let told = self.diagnostics.len();
        let tree = self.inlined(f, args);
        let failed = self.diagnostics.len() > told;
        self.diagnostics.truncate(told);
        tree.filter(|_| !failed)
    }

    fn inlined(&mut self, f: FunctionId, args: &[Tree]) -> Option<Tree> {
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
