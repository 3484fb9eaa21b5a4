//! Replacing calls of simple functions by their bodies.

use crate::unfold::{Calls, Unfold};
use crate::{Body, ExprId, ExprMap, FunctionId, Inline, Node, Scalar, Stmt, Store};

/// When calls are replaced: annotations of functions differ in how long a call must stay one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Before anything else.
    Early,
    /// Before an equation is differentiated: what has no derivative of its own.
    Derivative,
    /// After index reduction.
    Late,
}

/// Replaces calls in many expressions of one store.
pub struct Inliner {
    stage: Stage,
    memo: ExprMap<ExprId>,
    calls: Calls,
}

impl Inliner {
    pub fn new(stage: Stage) -> Self {
        Inliner { stage, memo: ExprMap::default(), calls: Calls::default() }
    }

    /// The same value with fewer calls; arrays inside scalar expressions are written out.
    pub fn apply(&mut self, store: &mut Store, root: ExprId) -> ExprId {
        if store.is_settled(root) {
            return root;
        }
        let (stage, calls) = (self.stage, &mut self.calls);
        store.rewrite(root, &mut self.memo, &mut |store, e| {
            if !store.is_plain(e) {
                return e;
            }
            let composite = match store.node(e) {
                Node::Call(..) | Node::Item(..) | Node::Reduce(..) => true,
                Node::Var(_) | Node::Relation(_) | Node::Local(_) | Node::Iter(_) => false,
                _ => {
                    let mut any = false;
                    store.children(e, |c| any |= !store.is_plain(c));
                    any
                }
            };
            let written = composite.then(|| Unfold::new(store, stage, calls).take(e)?.one()).flatten();
            match written {
                Some(new) => new,
                None => store.simplify_node(e),
            }
        })
    }
}

impl Store {
    /// A scalar that is a number, a truth value or a literal of an enumeration.
    pub(crate) fn is_plain(&self, e: ExprId) -> bool {
        let ty = self.ty(e);
        ty.is_scalar() && matches!(ty.scalar, Scalar::Real | Scalar::Int | Scalar::Bool | Scalar::Enum(_))
    }

    /// Is there a call of a function with an `inverse` annotation in it?
    pub fn has_inverse(&self, e: ExprId) -> bool {
        self.any(e, |node| matches!(node, Node::Call(f, _) if !self.function(*f).inverses.is_empty()))
    }

    pub(crate) fn wants_inline(&self, f: FunctionId, stage: Stage) -> bool {
        let function = self.function(f);
        let Body::Statements(body) = &function.body else {
            return matches!(function.body, Body::RecordConstructor);
        };
        // Two or three assignments are cheaper in place than as a call.
        let small = || body.len() <= 8 && body.iter().all(|s| matches!(s, Stmt::Assign(..)));
        match (function.inline, stage) {
            (_, Stage::Derivative) => function.derivatives.is_empty(),
            (Inline::Always, Stage::Early) => function.derivatives.is_empty(),
            (Inline::Always, _) => true,
            (Inline::Late | Inline::AfterIndexReduction, Stage::Late) => true,
            (Inline::Unspecified, _) => {
                function.derivatives.is_empty() && function.inverses.is_empty() && small()
            }
            _ => false,
        }
    }
}
