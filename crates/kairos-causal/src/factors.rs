//! How the unknowns of a block stand in its equations: their factors, and whether they all occur linearly.

use crate::work::{Row, Work};
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, Node, Store, UnOp, VarId};
use std::collections::BTreeMap;

pub struct Factors {
    /// Of the unknowns that occur in linear places only.
    pub of: BTreeMap<VarId, ExprId>,
    /// Is the row linear in all unknowns of the block together?
    pub linear: bool,
}

impl Work {
    /// Looks at each node of the row twice: upwards for what depends on unknowns, downwards for the factors.
    pub fn factors(&mut self, row: &Row, is_unknown: &dyn Fn(VarId) -> bool) -> Factors {
        let order = self.store.post_order(&[row.lhs, row.rhs], |_| false);
        let mut degrees = Degrees::default();
        for &e in &order {
            let degree = degrees.of_node(&self.store, e, is_unknown);
            degrees.0.insert(e, degree);
        }
        let linear = degrees.of(row.lhs).max(degrees.of(row.rhs)) < 2;
        let mut downward = Downward { store: &mut self.store, degrees, factor: ExprMap::default() };
        let one = downward.store.real(1.0);
        let minus = downward.store.real(-1.0);
        downward.add(row.lhs, one);
        downward.add(row.rhs, minus);
        let mut of = BTreeMap::new();
        for e in order.into_iter().rev() {
            if let Some(&factor) = downward.factor.get(&e) {
                if let (&Node::Var(v), Some(factor)) = (downward.store.node(e), factor) {
                    of.insert(v, factor);
                }
                downward.operands(e, factor);
            }
        }
        Factors { of, linear }
    }
}

/// 0: independent of the unknowns, 1: linear, 2: anything else.
#[derive(Default)]
struct Degrees(ExprMap<u8>);

impl Degrees {
    fn of(&self, e: ExprId) -> u8 {
        self.0.get(&e).copied().unwrap_or(0)
    }

    fn of_node(&self, store: &Store, e: ExprId, is_unknown: &dyn Fn(VarId) -> bool) -> u8 {
        let of = |a: &ExprId| self.of(*a);
        match store.node(e) {
            Node::Var(v) => u8::from(is_unknown(*v)),
            Node::Unary(UnOp::Neg, a) => of(a),
            Node::Binary(BinOp::Add | BinOp::Sub, a, b) => of(a).max(of(b)),
            Node::Binary(BinOp::Mul, a, b) => match (of(a), of(b)) {
                (0, d) | (d, 0) => d,
                _ => 2,
            },
            Node::Binary(BinOp::Div, a, b) if of(b) == 0 => of(a),
            Node::If(c, a, b) if of(c) == 0 => of(a).max(of(b)),
            Node::Builtin(Builtin::NoEvent | Builtin::ToReal, args) => of(&args[0]),
            Node::Builtin(Builtin::Smooth, args) => of(&args[1]),
            _ => {
                let mut any = false;
                store.children(e, |c| any |= self.of(c) > 0);
                if any { 2 } else { 0 }
            }
        }
    }
}

struct Downward<'a> {
    store: &'a mut Store,
    degrees: Degrees,
    /// What the row changes by when a node grows by one; `None` where it changes otherwise than linearly.
    factor: ExprMap<Option<ExprId>>,
}

impl Downward<'_> {
    fn add(&mut self, e: ExprId, factor: ExprId) {
        if self.degrees.of(e) == 0 {
            return;
        }
        let sum = match self.factor.get(&e) {
            Some(None) => return,
            Some(&Some(before)) => self.store.plus(before, factor),
            None => factor,
        };
        self.factor.insert(e, Some(sum));
    }

    fn operands(&mut self, e: ExprId, factor: Option<ExprId>) {
        let of = |me: &Self, a: ExprId| me.degrees.of(a);
        match (self.store.node(e).clone(), factor) {
            (Node::Unary(UnOp::Neg, a), Some(factor)) => {
                let minus = self.store.negate(factor);
                self.add(a, minus);
            }
            (Node::Binary(op @ (BinOp::Add | BinOp::Sub), a, b), Some(factor)) => {
                self.add(a, factor);
                let second = if op == BinOp::Sub { self.store.negate(factor) } else { factor };
                self.add(b, second);
            }
            (Node::Binary(BinOp::Mul, a, b), Some(factor)) if of(self, b) == 0 => {
                let product = self.store.times(factor, b);
                self.add(a, product);
            }
            (Node::Binary(BinOp::Mul, a, b), Some(factor)) if of(self, a) == 0 => {
                let product = self.store.times(factor, a);
                self.add(b, product);
            }
            (Node::Binary(BinOp::Div, a, b), Some(factor)) if of(self, b) == 0 => {
                let quotient = self.store.over(factor, b);
                self.add(a, quotient);
            }
            (Node::If(c, a, b), Some(factor)) if of(self, c) == 0 => {
                let zero = self.store.zero();
                let (first, second) =
                    (self.store.choose(c, factor, zero), self.store.choose(c, zero, factor));
                self.add(a, first);
                self.add(b, second);
            }
            (Node::Builtin(Builtin::NoEvent | Builtin::ToReal, args), Some(factor)) => {
                self.add(args[0], factor)
            }
            (Node::Builtin(Builtin::Smooth, args), Some(factor)) => self.add(args[1], factor),
            _ => {
                let mut operands = Vec::new();
                self.store.children(e, |c| operands.push(c));
                operands.retain(|&c| self.degrees.of(c) > 0);
                for c in operands {
                    self.factor.insert(c, None);
                }
            }
        }
    }
}
