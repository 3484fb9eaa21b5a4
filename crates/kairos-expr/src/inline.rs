//! Replacing calls of simple functions by their bodies.

use crate::{Body, ExprId, ExprMap, FunctionId, Inline, LocalKind, Node, Stmt, Store, Target};

impl Store {
    /// Inlines calls whose function asks for it at this stage and is a sequence of plain assignments.
    pub fn inline_calls(&mut self, root: ExprId, memo: &mut ExprMap<ExprId>, late: bool) -> ExprId {
        self.rewrite(root, memo, &mut |store, e| match store.node(e).clone() {
            Node::Call(f, args) if store.wants_inline(f, late) => store.inline_call(f, &args).unwrap_or(e),
            Node::Item(call, k) => match store.node(call).clone() {
                Node::Call(f, args) if store.wants_inline(f, late) => {
                    store.inline_outputs(f, &args).and_then(|o| o.get(k as usize).copied()).unwrap_or(e)
                }
                _ => store.simplify_node(e),
            },
            _ => store.simplify_node(e),
        })
    }

    fn wants_inline(&self, f: FunctionId, late: bool) -> bool {
        match self.function(f).inline {
            Inline::Always => true,
            Inline::Late | Inline::AfterIndexReduction => late,
            // A body without arrays, loops and branches is cheaper in place than as a call.
            Inline::Unspecified => {
                self.function(f).derivatives.is_empty() && self.function(f).inverses.is_empty()
            }
            Inline::Never => false,
        }
    }

    fn inline_call(&mut self, f: FunctionId, args: &[ExprId]) -> Option<ExprId> {
        let outputs = self.inline_outputs(f, args)?;
        match outputs[..] {
            [value] => Some(value),
            _ => None,
        }
    }

    /// The values of the outputs, if every statement assigns a whole local once.
    fn inline_outputs(&mut self, f: FunctionId, args: &[ExprId]) -> Option<Vec<ExprId>> {
        let function = self.function(f).clone();
        if !function.pure {
            return None;
        }
        let Body::Statements(statements) = &function.body else { return None };
        let mut values: Vec<Option<ExprId>> = vec![None; function.locals.len()];
        for (&input, &arg) in function.inputs.iter().zip(args) {
            values[input.index()] = Some(arg);
        }
        // A value is bound where it is assigned, so a later change of a local it reads does no harm.
        let bind = |store: &mut Store, values: &[Option<ExprId>], e: ExprId| {
            let mut complete = true;
            let mut memo = ExprMap::default();
            let bound = store.rewrite(e, &mut memo, &mut |store, e| match *store.node(e) {
                Node::Local(l) => values[l.index()].unwrap_or_else(|| {
                    complete = false;
                    e
                }),
                _ => store.simplify_node(e),
            });
            complete.then_some(bound)
        };
        for (at, local) in function.locals.iter().enumerate() {
            if let (Some(value), true) = (local.value, local.kind != LocalKind::Input) {
                values[at] = bind(self, &values, value);
            }
        }
        for statement in statements {
            match statement {
                Stmt::Assign(place, value, _) if place.path.is_empty() => {
                    let Target::Local(local) = place.target else { return None };
                    values[local.index()] = Some(bind(self, &values, *value)?);
                }
                _ => return None,
            }
        }
        function.outputs.iter().map(|o| values[o.index()]).collect()
    }
}
