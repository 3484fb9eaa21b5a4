//! Solving an equation for one variable.

use crate::{BinOp, Builtin, ExprId, ExprMap, Node, Store, UnOp, VarId};

/// `slope * v + rest`; no slope where the variable does not occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affine {
    pub slope: Option<ExprId>,
    pub rest: ExprId,
}

/// An explicit value of the unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    pub value: ExprId,
    /// What the value divides by, if that is not a literal.
    pub divisor: Option<ExprId>,
}

impl Store {
    /// Splits an expression that is affine in a leaf, `Var(v)` or `Time`.
    pub fn affine(&mut self, root: ExprId, leaf: &Node) -> Option<Affine> {
        let mut memo: ExprMap<Option<Affine>> = ExprMap::default();
        if self.node(root).is_leaf() {
            return self.affine_node(root, leaf, &memo);
        }
        for e in self.post_order(&[root], |_| false) {
            let split = self.affine_node(e, leaf, &memo);
            memo.insert(e, split);
        }
        memo[&root]
    }

    fn affine_node(&mut self, e: ExprId, leaf: &Node, memo: &ExprMap<Option<Affine>>) -> Option<Affine> {
        if self.node(e) == leaf {
            let (slope, rest) = (self.real(1.0), self.zero());
            return Some(Affine { slope: Some(slope), rest });
        }
        let constant = Some(Affine { slope: None, rest: e });
        let mut depends = false;
        self.children(e, |c| depends |= !matches!(memo.get(&c), Some(Some(Affine { slope: None, .. }))));
        if !depends {
            return constant;
        }
        let of = |a: ExprId| memo.get(&a).copied().flatten();
        match self.node(e).clone() {
            Node::Unary(UnOp::Neg, a) => {
                let a = of(a)?;
                let slope = a.slope.map(|s| self.negate(s));
                Some(Affine { slope, rest: self.negate(a.rest) })
            }
            Node::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                let minus = op == BinOp::Sub;
                let join = |store: &mut Store, x, y| if minus { store.minus(x, y) } else { store.plus(x, y) };
                let slope = match (a.slope, b.slope) {
                    (Some(x), Some(y)) => Some(join(self, x, y)),
                    (None, Some(y)) if minus => Some(self.negate(y)),
                    (x, y) => x.or(y),
                };
                Some(Affine { slope, rest: join(self, a.rest, b.rest) })
            }
            Node::Binary(BinOp::Mul, a, b) => {
                let (x, y) = (of(a)?, of(b)?);
                let (linear, factor) = match (x.slope, y.slope) {
                    (_, None) => (x, b),
                    (None, _) => (y, a),
                    _ => return None,
                };
                let slope = linear.slope.map(|s| self.times(s, factor));
                Some(Affine { slope, rest: self.times(linear.rest, factor) })
            }
            Node::Binary(BinOp::Div, a, b) => {
                let x = of(a)?;
                if of(b)?.slope.is_some() {
                    return None;
                }
                let slope = x.slope.map(|s| self.over(s, b));
                Some(Affine { slope, rest: self.over(x.rest, b) })
            }
            Node::If(c, a, b) => {
                let (x, y) = (of(a)?, of(b)?);
                if of(c)?.slope.is_some() {
                    return None;
                }
                let zero = self.zero();
                let slope = self.choose(c, x.slope.unwrap_or(zero), y.slope.unwrap_or(zero));
                Some(Affine { slope: Some(slope), rest: self.choose(c, x.rest, y.rest) })
            }
            Node::Builtin(Builtin::NoEvent | Builtin::ToReal, args) => of(args[0]),
            Node::Builtin(Builtin::Smooth, args) => of(args[1]),
            _ => None,
        }
    }

    /// Solves `lhs = rhs` for `v`, linearly or through invertible functions.
    pub fn solve(&mut self, lhs: ExprId, rhs: ExprId, v: VarId) -> Option<Solution> {
        let with_v = |store: &Store, e| store.any(e, |node| *node == Node::Var(v));
        if *self.node(lhs) == Node::Var(v) && !with_v(self, rhs) {
            return Some(Solution { value: rhs, divisor: None });
        }
        if *self.node(rhs) == Node::Var(v) && !with_v(self, lhs) {
            return Some(Solution { value: lhs, divisor: None });
        }
        if let (Some(l), Some(r)) = (self.affine(lhs, &Node::Var(v)), self.affine(rhs, &Node::Var(v))) {
            let zero = self.zero();
            let slope = self.minus(l.slope.unwrap_or(zero), r.slope.unwrap_or(zero));
            if self.is_number(slope, 0.0) {
                return None;
            }
            let rest = self.minus(r.rest, l.rest);
            let divisor = self.number(slope).is_none().then_some(slope);
            return Some(Solution { value: self.over(rest, slope), divisor });
        }
        match (with_v(self, lhs), with_v(self, rhs)) {
            (true, false) => self.invert(lhs, rhs, v),
            (false, true) => self.invert(rhs, lhs, v),
            _ => None,
        }
    }

    /// Peels functions with a unique inverse off `e = value` until the variable stands alone.
    fn invert(&mut self, mut e: ExprId, mut value: ExprId, v: VarId) -> Option<Solution> {
        loop {
            if let Some(Affine { slope: Some(slope), rest }) = self.affine(e, &Node::Var(v)) {
                let top = self.minus(value, rest);
                let divisor = self.number(slope).is_none().then_some(slope);
                return Some(Solution { value: self.over(top, slope), divisor });
            }
            let with_v = |store: &Store, e| store.any(e, |node| *node == Node::Var(v));
            match self.node(e).clone() {
                Node::Unary(UnOp::Neg, a) => {
                    value = self.negate(value);
                    e = a;
                }
                Node::Binary(BinOp::Add, a, b) => match (with_v(self, a), with_v(self, b)) {
                    (true, false) => (e, value) = (a, self.minus(value, b)),
                    (false, true) => (e, value) = (b, self.minus(value, a)),
                    _ => return None,
                },
                Node::Binary(BinOp::Sub, a, b) => match (with_v(self, a), with_v(self, b)) {
                    (true, false) => (e, value) = (a, self.plus(value, b)),
                    (false, true) => (e, value) = (b, self.minus(a, value)),
                    _ => return None,
                },
                Node::Binary(BinOp::Mul, a, b) => {
                    let (inner, factor) = if with_v(self, a) { (a, b) } else { (b, a) };
                    if with_v(self, factor) || self.number(factor).is_none() {
                        return None;
                    }
                    (e, value) = (inner, self.over(value, factor));
                }
                Node::Binary(BinOp::Div, a, b) => match (with_v(self, a), with_v(self, b)) {
                    (true, false) => (e, value) = (a, self.times(value, b)),
                    (false, true) => (e, value) = (b, self.over(a, value)),
                    _ => return None,
                },
                Node::Builtin(builtin, args) if args.len() == 1 => {
                    value = match builtin {
                        Builtin::Exp => self.apply(Builtin::Log, &[value]),
                        Builtin::Log => self.apply(Builtin::Exp, &[value]),
                        Builtin::Log10 => {
                            let ten = self.real(10.0);
                            self.power(ten, value)
                        }
                        Builtin::Sqrt => self.times(value, value),
                        Builtin::Atan => self.apply(Builtin::Tan, &[value]),
                        _ => return None,
                    };
                    e = args[0];
                }
                _ => return self.invert_call(e, value, v),
            }
        }
    }

    /// Uses an `inverse` annotation (MLS 12.8).
    fn invert_call(&mut self, e: ExprId, value: ExprId, v: VarId) -> Option<Solution> {
        let Node::Call(f, args) = self.node(e).clone() else { return None };
        let mut holders = (0..args.len()).filter(|&k| self.any(args[k], |node| *node == Node::Var(v)));
        let (position, None) = (holders.next()?, holders.next()) else { return None };
        let function = self.function(f);
        let [output] = function.outputs[..] else { return None };
        let input = function.inputs[position];
        let call = function.inverses.iter().find(|inverse| inverse.input == input)?.call;
        let inputs = function.inputs.clone();
        let mut memo = ExprMap::default();
        let inverse = self.rewrite(call, &mut memo, &mut |store, e| match *store.node(e) {
            Node::Local(l) if l == output => value,
            Node::Local(l) => inputs.iter().position(|&i| i == l).map_or(e, |at| args[at]),
            _ => e,
        });
        self.invert(args[position], inverse, v)
    }
}
