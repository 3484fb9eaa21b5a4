//! What the initial conditions say of variables before they are identified with each other.

use kairos_expr::{Builtin, ExprId, Node};
use kairos_model::{EquationKind, ScalarModel};

/// Which variables have initial conditions.
pub struct Conditions {
    /// For discrete ones: the value before the start is given. A fixed start is `pre(v) = start`, or `pre(v)` stands in an
    /// initial equation.
    pub before: Vec<bool>,
    /// It has a fixed start, or stands in an initial equation.
    pub any: Vec<bool>,
}

impl Conditions {
    pub fn of(model: &mut ScalarModel) -> Conditions {
        let count = model.vars.len();
        let mut found = Conditions { before: vec![false; count], any: vec![false; count] };
        for (v, var) in model.vars.iter().enumerate() {
            found.any[v] = var.fixed == Some(true);
            found.before[v] = found.any[v];
        }
        let mut roots: Vec<ExprId> = Vec::new();
        for equation in &mut model.initial_equations {
            equation.visit_exprs_mut(&mut |e| roots.push(*e));
            if let EquationKind::Algorithm { outputs, .. } = &equation.kind {
                outputs.iter().for_each(|v| found.any[v.index()] = true);
            }
        }
        for e in model.store.post_order(&roots, |_| false) {
            match model.store.node(e) {
                Node::Var(v) => found.any[v.index()] = true,
                Node::Builtin(Builtin::Pre, args) => {
                    if let Some(&Node::Var(v)) = args.first().map(|a| model.store.node(*a)) {
                        found.before[v.index()] = true;
                    }
                }
                _ => {}
            }
        }
        found
    }
}
