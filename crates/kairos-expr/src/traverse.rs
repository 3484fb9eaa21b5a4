//! Walks over expressions as graphs: each distinct node is visited once, without recursion.

use crate::marks::{Mark, Marks};
use crate::{ExprId, ExprMap, Node, Store, VarId};

/// Nodes below a root: most equations are small.
const USUAL: usize = 16;

impl Store {
    /// The nodes below the roots, operands first; `skip` cuts nodes that need no visit.
    pub fn post_order(&self, roots: &[ExprId], mut skip: impl FnMut(ExprId) -> bool) -> Vec<ExprId> {
        let mut order = Vec::with_capacity(USUAL);
        let mut marks = Marks::borrow(self.len());
        let mut stack = Vec::with_capacity(USUAL);
        stack.extend(roots.iter().rev());
        while let Some(&e) = stack.last() {
            match marks.get(e) {
                Mark::Done => {
                    stack.pop();
                }
                Mark::Entered => {
                    stack.pop();
                    marks.set(e, Mark::Done);
                    order.push(e);
                }
                Mark::New if skip(e) => {
                    marks.set(e, Mark::Done);
                    stack.pop();
                }
                Mark::New => {
                    marks.set(e, Mark::Entered);
                    let from = stack.len();
                    self.children(e, |c| {
                        if marks.get(c) == Mark::New {
                            stack.push(c);
                        }
                    });
                    stack[from..].reverse();
                }
            }
        }
        order
    }

    /// Rebuilds an expression from its leaves up; `rule` sees each node after its operands were replaced.
    ///
    /// Entries that `memo` already holds stand; so one table serves many expressions.
    pub fn rewrite(
        &mut self,
        root: ExprId,
        memo: &mut ExprMap<ExprId>,
        rule: &mut dyn FnMut(&mut Store, ExprId) -> ExprId,
    ) -> ExprId {
        if let Some(&done) = memo.get(&root) {
            return done;
        }
        if self.node(root).is_leaf() {
            let new = rule(self, root);
            memo.insert(root, new);
            return new;
        }
        for e in self.post_order(&[root], |e| memo.contains_key(&e)) {
            // Most rewriting leaves most nodes as they are.
            let mut changed = false;
            self.children(e, |child| changed |= memo.get(&child).is_some_and(|new| *new != child));
            let built = match changed {
                true => self.map_children(e, |_, child| memo.get(&child).copied().unwrap_or(child)),
                false => e,
            };
            let new = rule(self, built);
            memo.insert(e, new);
        }
        memo[&root]
    }

    /// Replaces variables and simplifies what that allows.
    pub fn substitute(
        &mut self,
        root: ExprId,
        memo: &mut ExprMap<ExprId>,
        replace: &mut dyn FnMut(&mut Store, VarId) -> Option<ExprId>,
    ) -> ExprId {
        self.rewrite(root, memo, &mut |store, e| match store.node(e) {
            Node::Var(v) => {
                let v = *v;
                replace(store, v).unwrap_or(e)
            }
            _ => store.simplify_node(e),
        })
    }

    /// The variables below the roots in order of first occurrence.
    pub fn variables(&self, roots: &[ExprId]) -> Vec<VarId> {
        let order = self.post_order(roots, |_| false);
        order
            .into_iter()
            .filter_map(|e| match self.node(e) {
                Node::Var(v) => Some(*v),
                _ => None,
            })
            .collect()
    }

    /// Does any node below satisfy the test?
    pub fn any(&self, root: ExprId, mut test: impl FnMut(&Node) -> bool) -> bool {
        if self.node(root).is_leaf() {
            return test(self.node(root));
        }
        let mut marks = Marks::borrow(self.len());
        marks.set(root, Mark::Done);
        let mut stack = Vec::with_capacity(USUAL);
        stack.push(root);
        while let Some(e) = stack.pop() {
            if test(self.node(e)) {
                return true;
            }
            self.children(e, |c| {
                if marks.get(c) == Mark::New {
                    marks.set(c, Mark::Done);
                    stack.push(c);
                }
            });
        }
        false
    }
}
