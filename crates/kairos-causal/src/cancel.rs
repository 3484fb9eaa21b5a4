//! Terms that cancel: `v + w = w + v` determines neither `v` nor `w`.
//!
//! An unknown whose terms add up to nothing does not occur in its equation, and what does not occur there cannot be
//! determined by it. Sorting believes in what is written, so such an equation would be matched with an unknown that
//! any value satisfies. Each equation between Reals is read as a sum of terms with literal factors; where the factors of a
//! term add up to zero it is written without it. The cost is linear in the size of the equations.

use kairos_base::hash::HashMap;
use kairos_expr::{BinOp, ExprId, Node, Scalar, Store, UnOp};
use kairos_model::{EquationKind, ScalarModel};

/// Rewrites equations in which terms cancel.
pub fn cancel(model: &mut ScalarModel) {
    for equation in &mut model.equations {
        let EquationKind::Equal(l, r) = &mut equation.kind else { continue };
        if model.store.ty(*l).scalar != Scalar::Real || model.store.ty(*r).scalar != Scalar::Real {
            continue;
        }
        if let Some(rest) = without_cancelled(&mut model.store, *l, *r) {
            (*l, *r) = (model.store.zero(), rest);
        }
    }
}

/// The right side minus the left one, if a term that is no number cancels between them.
fn without_cancelled(store: &mut Store, l: ExprId, r: ExprId) -> Option<ExprId> {
    let mut sum = Sum::default();
    sum.add(store, r, 1.0);
    sum.add(store, l, -1.0);
    if !sum.factors.contains(&0.0) {
        return None;
    }
    let mut rest = store.zero();
    for (&term, &factor) in sum.terms.iter().zip(&sum.factors) {
        if factor != 0.0 {
            let factor = store.real(factor);
            let part = store.times(factor, term);
            rest = store.plus(rest, part);
        }
    }
    let number = store.real(sum.number);
    Some(store.plus(rest, number))
}

/// A sum of different terms with literal factors, and a number.
#[derive(Default)]
struct Sum {
    terms: Vec<ExprId>,
    factors: Vec<f64>,
    place: HashMap<ExprId, usize>,
    number: f64,
}

impl Sum {
    fn add(&mut self, store: &mut Store, root: ExprId, factor: f64) {
        let mut open = vec![(root, factor)];
        while let Some((e, factor)) = open.pop() {
            if let Some(number) = store.number(e) {
                self.number += factor * number;
                continue;
            }
            match *store.node(e) {
                Node::Unary(UnOp::Neg, a) => open.push((a, -factor)),
                Node::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                    open.push((b, if op == BinOp::Add { factor } else { -factor }));
                    open.push((a, factor));
                }
                Node::Binary(BinOp::Mul, a, b) => match (store.number(a), store.number(b)) {
                    (Some(number), _) => open.push((b, factor * number)),
                    (_, Some(number)) => open.push((a, factor * number)),
                    _ => {
                        // Products are the same whatever their order.
                        let turned = store.times(b, a);
                        let known = self.place.contains_key(&turned);
                        self.term(if known { turned } else { e }, factor);
                    }
                },
                Node::Binary(BinOp::Div, a, b) => match store.number(b) {
                    Some(number) if number != 0.0 => open.push((a, factor / number)),
                    _ => self.term(e, factor),
                },
                _ => self.term(e, factor),
            }
        }
    }

    fn term(&mut self, term: ExprId, factor: f64) {
        match self.place.get(&term) {
            Some(&at) => self.factors[at] += factor,
            None => {
                self.place.insert(term, self.terms.len());
                self.terms.push(term);
                self.factors.push(factor);
            }
        }
    }
}
