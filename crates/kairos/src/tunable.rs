//! Parameters that can be changed while a run goes on: they become inputs before the equations are sorted.
//!
//! An input that changes is an event, which the whole chain behind knows how to treat. Parameters that follow from a tunable one
//! become discrete variables with an equation. What only has a meaning before the run cannot change in it: structural parameters, and
//! those that start values, clocks, samplers or delays are computed from; a warning tells them.

use kairos_base::Diagnostic;
use kairos_expr::{Builtin, ExprId, Node, Scalar, Store, VarId, Variability};
use kairos_model::{Causality, Equation, EquationKind, Origin, ScalarModel};
use std::collections::BTreeSet;

/// Makes inputs of the named parameters, and tells which cannot be.
pub fn open(model: &mut ScalarModel, names: &[String]) -> Vec<Diagnostic> {
    let mut told = Vec::new();
    for name in names {
        let found = (0..model.vars.len()).find(|&v| model.vars[v].name == *name);
        let Some(v) = found.filter(|&v| model.vars[v].variability == Variability::Parameter) else {
            // A real input needs nothing; for an unknown name the run itself has words.
            continue;
        };
        match followers(model, VarId::new(v)) {
            Ok(followers) => turn(model, VarId::new(v), &followers),
            Err(why) => {
                let text = format!("`{name}` cannot be changed while the model runs: {why}");
                let help = "change it before the run";
                told.push(Diagnostic::warning("not-tunable", text).at(model.vars[v].span).help(help));
            }
        }
    }
    told
}

/// The parameters that follow from one, in an order of the model; an error says why it has to stay as it is.
fn followers(model: &mut ScalarModel, first: VarId) -> Result<Vec<VarId>, String> {
    let mut set = BTreeSet::from([first]);
    loop {
        let store = &model.store;
        let next = (0..model.vars.len()).map(VarId::new).find(|v| {
            let var = &model.vars[v.index()];
            let reads = |e: ExprId| reads(store, e, &set);
            var.variability <= Variability::Parameter && !set.contains(v) && var.binding.is_some_and(reads)
        });
        match next {
            Some(v) => set.insert(v),
            None => break,
        };
    }
    for &v in &set {
        let var = &model.vars[v.index()];
        let number = matches!(var.ty, Scalar::Real | Scalar::Int | Scalar::Bool | Scalar::Enum(_));
        if var.structural || !number || var.binding.is_none() || var.variability < Variability::Parameter {
            return Err(format!("the equations are built with `{}`", var.name));
        }
    }
    let store = &model.store;
    for var in &model.vars {
        let attributes = [var.start, var.nominal, var.min, var.max];
        if attributes.into_iter().flatten().any(|e| reads(store, e, &set)) {
            return Err(format!("attributes of `{}` are computed from it", var.name));
        }
    }
    let mut roots = Vec::new();
    model.clocks.iter_mut().for_each(|clock| clock.visit_exprs_mut(&mut |e| roots.push(*e)));
    if roots.iter().any(|e| reads(&model.store, *e, &set)) {
        return Err("a clock is computed from it".into());
    }
    roots.clear();
    model.equations.iter_mut().for_each(|equation| equation.visit_exprs_mut(&mut |e| roots.push(*e)));
    if roots.iter().any(|e| planned(&model.store, *e, &set)) {
        return Err("instants or delays are computed from it".into());
    }
    set.remove(&first);
    Ok(set.into_iter().collect())
}

fn turn(model: &mut ScalarModel, first: VarId, followers: &[VarId]) {
    let var = &mut model.vars[first.index()];
    (var.variability, var.causality) = (Variability::Discrete, Causality::Input);
    (var.start, var.binding, var.fixed) = (var.binding, None, None);
    for &v in followers {
        let var = &mut model.vars[v.index()];
        (var.variability, var.fixed) = (Variability::Discrete, None);
        let Some(value) = var.binding.take() else { continue };
        let ty = kairos_expr::Type::scalar(var.ty);
        let origin = Origin { span: var.span, path: kairos_base::Name::EMPTY };
        let name = model.store.var(v, ty);
        model.equations.push(Equation { kind: EquationKind::Equal(name, value), origin, clock: None });
    }
}

/// Does an expression read one of these variables?
fn reads(store: &Store, e: ExprId, set: &BTreeSet<VarId>) -> bool {
    if let Node::Var(v) = store.node(e) {
        return set.contains(v);
    }
    let mut found = false;
    store.children(e, |child| found = found || reads(store, child, set));
    found
}

/// Does something whose instants are planned read one of these variables?
fn planned(store: &Store, e: ExprId, set: &BTreeSet<VarId>) -> bool {
    let plans = match store.node(e) {
        Node::Builtin(Builtin::Sample, args) => args.iter().any(|a| reads(store, *a, set)),
        Node::Builtin(Builtin::Delay, args) => args.iter().skip(1).any(|a| reads(store, *a, set)),
        Node::Builtin(Builtin::SpatialDistribution, args) => args.iter().any(|a| reads(store, *a, set)),
        _ => false,
    };
    let mut found = plans;
    store.children(e, |child| found = found || planned(store, child, set));
    found
}
