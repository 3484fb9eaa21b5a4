//! Choices that parameters have made: the branch they exclude is no part of the equation.

use crate::model::Role;
use crate::work::{Kind, Work};
use kairos_expr::{Builtin, ExprId, ExprMap, Node, VarId};

/// Takes the branch that parameters choose where the other has other unknowns, and tells whether there was one. Variables
/// that were found to be parameters choose as well: which of a vessel's openings are below its level at all.
pub fn choose(work: &mut Work) -> bool {
    let mut any = false;
    for r in 0..work.rows.len() {
        if work.rows[r].kind != Kind::Continuous {
            continue;
        }
        let (lhs, rhs, initial) = (work.rows[r].lhs, work.rows[r].rhs, work.rows[r].initial);
        let mut take = |e: ExprId| match work.decide(e, true) {
            Some(decided) => {
                any = true;
                decided
            }
            None => e,
        };
        let (lhs, rhs) = (take(lhs), take(rhs));
        let initial = initial.map(|(lhs, rhs)| (take(lhs), take(rhs)));
        let row = &mut work.rows[r];
        (row.lhs, row.rhs, row.initial) = (lhs, rhs, initial);
    }
    any
}

impl Work {
    /// The expression with every choice that parameters make replaced by its branch; these parameters are structural
    /// from then on. `None` where there is no such choice.
    ///
    /// A branch may be one that cannot be differentiated (a table of steps beside its interpolation). Where index
    /// reduction gets stuck at it, what the parameters exclude must not stop it.
    pub fn decided(&mut self, root: ExprId) -> Option<ExprId> {
        self.decide(root, false)
    }

    fn decide(&mut self, root: ExprId, only_structural: bool) -> Option<ExprId> {
        if !self.store.any(root, |node| matches!(node, Node::If(..))) {
            return None;
        }
        let mut memo: ExprMap<ExprId> = ExprMap::default();
        let mut used: Vec<VarId> = Vec::new();
        for e in self.store.post_order(&[root], |_| false) {
            let mut new = self.store.map_children(e, |_, c| memo.get(&c).copied().unwrap_or(c));
            if let Node::If(condition, a, b) = *self.store.node(new)
                && !matches!(self.store.node(condition), Node::Bool(_))
                && let condition = self.opened(condition)
                && self.is_of_parameters(condition)
                && !(only_structural && self.unknowns_of(a) == self.unknowns_of(b))
                && let Some(value) = self.parameter_value(condition)
            {
                used.extend(self.store.variables(&[condition]));
                new = if value != 0.0 { a } else { b };
            }
            let new = self.store.simplify_node(new);
            memo.insert(e, new);
        }
        let decided = memo[&root];
        if used.is_empty() {
            return None;
        }
        self.freeze(used);
        Some(decided)
    }

    /// A condition with its relations written out: what they compare may have turned out to be parameters.
    fn opened(&mut self, condition: ExprId) -> ExprId {
        if !self.store.any(condition, |node| matches!(node, Node::Relation(_))) {
            return condition;
        }
        let mut memo: ExprMap<ExprId> = ExprMap::default();
        for e in self.store.post_order(&[condition], |_| false) {
            let new = match *self.store.node(e) {
                Node::Relation(r) => {
                    let relation = &self.relations[r.index()];
                    let node = Node::Binary(relation.op, relation.lhs, relation.rhs);
                    self.store.add(node, kairos_expr::Type::scalar(kairos_expr::Scalar::Bool))
                }
                _ => self.store.map_children(e, |_, c| memo.get(&c).copied().unwrap_or(c)),
            };
            memo.insert(e, new);
        }
        memo[&condition]
    }

    fn unknowns_of(&self, e: ExprId) -> Vec<VarId> {
        let mut list = self.store.variables(&[e]);
        list.retain(|v| self.roles[v.index()] != Role::Parameter);
        list.sort_unstable();
        list
    }

    fn is_of_parameters(&self, e: ExprId) -> bool {
        self.store.post_order(&[e], |_| false).into_iter().all(|e| match self.store.node(e) {
            Node::Var(v) => self.roles[v.index()] == Role::Parameter,
            Node::Time | Node::Relation(_) => false,
            Node::Call(f, _) => self.store.function(*f).pure,
            Node::Builtin(Builtin::Delay | Builtin::SpatialDistribution, _) => false,
            _ => true,
        })
    }
}
