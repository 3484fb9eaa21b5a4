//! Expressions taken apart into scalars.

use kairos_expr::{Dim, ExprId, Node, RecordId, Scalar, Store, Type};
use std::rc::Rc;

/// An array or record of scalar expressions.
#[derive(Clone, Debug)]
pub enum Tree {
    Leaf(ExprId),
    Array(Rc<Vec<usize>>, Rc<Vec<Tree>>),
    Record(RecordId, Rc<Vec<Tree>>),
}

impl Tree {
    pub fn array(dims: Vec<usize>, items: Vec<Tree>) -> Tree {
        debug_assert_eq!(dims.iter().product::<usize>(), items.len());
        Tree::Array(Rc::new(dims), Rc::new(items))
    }

    pub fn dims(&self) -> &[usize] {
        match self {
            Tree::Array(dims, _) => dims,
            _ => &[],
        }
    }

    /// The elements in row-major order; anything else is its own one element.
    pub fn items(&self) -> &[Tree] {
        match self {
            Tree::Array(_, items) => items,
            other => std::slice::from_ref(other),
        }
    }

    pub fn leaf(&self) -> Option<ExprId> {
        match self {
            Tree::Leaf(e) => Some(*e),
            _ => None,
        }
    }

    /// All scalars in order.
    pub fn leaves(&self, out: &mut Vec<ExprId>) {
        match self {
            Tree::Leaf(e) => out.push(*e),
            Tree::Array(_, items) | Tree::Record(_, items) => items.iter().for_each(|t| t.leaves(out)),
        }
    }

    /// The part with the given first index, from 0.
    pub fn part(&self, i: usize) -> Tree {
        let Tree::Array(dims, items) = self else { return self.clone() };
        if dims.len() == 1 {
            return items[i].clone();
        }
        let size: usize = dims[1..].iter().product();
        Tree::array(dims[1..].to_vec(), items[i * size..(i + 1) * size].to_vec())
    }

    /// Joins equally shaped parts along a new first dimension.
    pub fn stack(parts: Vec<Tree>) -> Tree {
        let mut dims = vec![parts.len()];
        if let Some(Tree::Array(inner, _)) = parts.first() {
            dims.extend(inner.iter());
            let items = parts.iter().flat_map(|p| p.items().to_vec()).collect();
            return Tree::array(dims, items);
        }
        Tree::array(dims, parts)
    }

    pub fn map(&self, f: &mut dyn FnMut(ExprId) -> ExprId) -> Tree {
        match self {
            Tree::Leaf(e) => Tree::Leaf(f(*e)),
            Tree::Array(dims, items) => {
                Tree::Array(dims.clone(), Rc::new(items.iter().map(|t| t.map(f)).collect()))
            }
            Tree::Record(r, items) => Tree::Record(*r, Rc::new(items.iter().map(|t| t.map(f)).collect())),
        }
    }

    /// One expression again, with array and record constructors.
    pub fn rebuild(&self, store: &mut Store) -> ExprId {
        match self {
            Tree::Leaf(e) => *e,
            Tree::Record(r, items) => {
                let items: Vec<ExprId> = items.iter().map(|t| t.rebuild(store)).collect();
                store.add(Node::Record(*r, items.into()), Type::scalar(Scalar::Record(*r)))
            }
            Tree::Array(dims, items) => {
                if items.is_empty() {
                    let dims: Vec<Dim> = dims.iter().map(|d| Dim::Known(*d as u32)).collect();
                    return store.add(Node::Array([].into()), Type::array(Scalar::Real, dims));
                }
                let parts: Vec<ExprId> = (0..dims[0]).map(|i| self.part(i).rebuild(store)).collect();
                store.array(parts)
            }
        }
    }
}
