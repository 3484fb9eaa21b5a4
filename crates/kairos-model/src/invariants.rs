//! What holds for every scalar model. Debug builds ask after flattening; a broken invariant is a bug of the compiler.

use crate::{Equation, EquationKind, ScalarModel};
use kairos_expr::{ExprId, Node, Scalar};

impl ScalarModel {
    /// The first invariant that does not hold, in words: ids resolve, sides of equations are scalars of one kind, every
    /// equation has an origin.
    pub fn broken_invariant(&self) -> Option<String> {
        self.broken_id().or_else(|| {
            let mut all = self.equations.iter().chain(&self.initial_equations);
            all.find_map(|equation| self.broken_equation(equation))
        })
    }

    fn broken_id(&self) -> Option<String> {
        let mut roots = Vec::new();
        let mut keep = |e: &mut ExprId| roots.push(*e);
        let equations = self.equations.iter().chain(&self.initial_equations);
        equations.for_each(|e| e.clone().visit_exprs_mut(&mut keep));
        self.vars.iter().for_each(|v| v.clone().visit_exprs_mut(&mut keep));
        self.clocks.iter().for_each(|c| c.clone().visit_exprs_mut(&mut keep));
        if let Some(lost) = roots.iter().find(|e| e.index() >= self.store.len()) {
            return Some(format!("expression {} does not exist", lost.index()));
        }
        let reached = self.store.post_order(&roots, |_| false);
        reached.into_iter().find_map(|e| match self.store.node(e) {
            Node::Var(v) if v.index() >= self.vars.len() => {
                Some(format!("variable {} does not exist", v.index()))
            }
            _ => None,
        })
    }

    fn broken_equation(&self, equation: &Equation) -> Option<String> {
        let span = equation.origin.span;
        if span.end <= span.start {
            return Some(format!("an equation of `{}` has no place in the text", equation.origin.path));
        }
        if equation.clock.is_some_and(|clock| clock as usize >= self.clocks.len()) {
            return Some(format!(
                "an equation of `{}` has a clock that does not exist",
                equation.origin.path
            ));
        }
        match &equation.kind {
            EquationKind::Equal(a, b) => {
                let (a, b) = (self.store.ty(*a), self.store.ty(*b));
                let number = |scalar: &Scalar| matches!(scalar, Scalar::Real | Scalar::Int);
                let alike = a.scalar == b.scalar || number(&a.scalar) && number(&b.scalar);
                let scalars = a.dims.is_empty() && b.dims.is_empty();
                (!scalars || !alike).then(|| {
                    format!(
                        "an equation of `{}` is not between scalars of one kind: {a:?}, {b:?}",
                        equation.origin.path
                    )
                })
            }
            EquationKind::WhenAssign { var, .. } => self.lost(var.index()),
            EquationKind::Algorithm { outputs, .. } => outputs.iter().find_map(|v| self.lost(v.index())),
            _ => None,
        }
    }

    fn lost(&self, var: usize) -> Option<String> {
        (var >= self.vars.len()).then(|| format!("variable {var} does not exist"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Origin, Variable};
    use kairos_base::{FileId, Name, Span};
    use kairos_expr::{Store, Type, VarId};

    fn model(span: Span, var: usize) -> ScalarModel {
        let mut store = Store::default();
        let (x, one) = (store.var(VarId::new(var), Type::scalar(Scalar::Real)), store.real(1.0));
        let origin = Origin { span, path: Name::EMPTY };
        let equation = Equation { kind: EquationKind::Equal(x, one), origin, clock: None };
        ScalarModel {
            name: "M".into(),
            store,
            vars: vec![Variable::made("x", Scalar::Real, span)],
            equations: vec![equation],
            initial_equations: Vec::new(),
            experiment: Default::default(),
            clocks: Vec::new(),
        }
    }

    #[test]
    fn lost_variables_and_origins_are_found() {
        let (here, nowhere) = (Span::new(FileId::new(0), 3, 8), Span::new(FileId::new(0), 0, 0));
        assert_eq!(model(here, 0).broken_invariant(), None);
        assert!(model(here, 7).broken_invariant().is_some_and(|fault| fault.contains("variable 7")));
        assert!(model(nowhere, 0).broken_invariant().is_some_and(|fault| fault.contains("no place")));
    }
}
