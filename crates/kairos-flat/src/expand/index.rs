//! Subscripts: those that are known pick, others become a choice between the elements.

use super::Expander;
use crate::tree::Tree;
use kairos_expr::{BinOp, ExprId, Scalar, Sub};

impl Expander<'_, '_> {
    /// Subscripts that are known pick; others become a choice between the elements.
    pub(super) fn index(&mut self, a: ExprId, subs: &[Sub]) -> Tree {
        let tree = self.expand(a);
        self.index_from(&tree, subs)
    }

    pub fn index_tree(&mut self, tree: &Tree, subs: &[Sub]) -> Tree {
        self.index_from(tree, subs)
    }

    pub(super) fn index_from(&mut self, tree: &Tree, subs: &[Sub]) -> Tree {
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

    pub(super) fn pick(&mut self, tree: &Tree, i: ExprId, rest: &[Sub]) -> Tree {
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
}
