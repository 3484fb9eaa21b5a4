//! Array and conditional equations to scalar ones.

use crate::expand::Expander;
use crate::statements::{assigned, statements_of};
use crate::tree::Tree;
use kairos_base::Diagnostic;
use kairos_expr::{BinOp, Builtin, ExprId, Node, Scalar, Type, UnOp, Value, VarId};
use kairos_model::{Action, Equation, EquationKind, GuardedAction, Origin};
use kairos_sema::{Eq, EqKind};

/// The scalar equations of a list.
pub fn scalarise(x: &mut Expander, list: &[Eq]) -> Vec<Equation> {
    let mut out = Vec::new();
    for eq in list {
        one(x, eq, &mut out);
    }
    out
}

fn origin(x: &mut Expander, eq: &Eq) -> Origin {
    Origin { span: eq.span, path: x.path(eq.owner) }
}

fn one(x: &mut Expander, eq: &Eq, out: &mut Vec<Equation>) {
    x.span = eq.span;
    let origin = origin(x, eq);
    let mut push = |kind| out.push(Equation { kind, origin, clock: None });
    match &eq.kind {
        EqKind::Equal(a, b) => {
            for (l, r) in pairs(x, *a, *b) {
                push(EquationKind::Equal(l, r));
            }
        }
        EqKind::If(branches, otherwise) => if_equation(x, branches, otherwise, origin, out),
        EqKind::When(branches) => when(x, branches, origin, out),
        EqKind::Algorithm(statements) => {
            let statements = statements_of(x, statements);
            let mut outputs = Vec::new();
            assigned(&statements, &mut outputs);
            push(EquationKind::Algorithm { statements, outputs });
        }
        EqKind::Assert { condition, message, level } => {
            let (condition, message) = (x.scalar(*condition), x.scalar(*message));
            let warning = matches!(x.sema.try_constant(*level), Some(Value::Bool(true)));
            if !matches!(x.sema.store.node(condition), Node::Bool(true)) {
                push(EquationKind::Assert { condition, message, warning });
            }
        }
        EqKind::Terminate(_) | EqKind::Reinit(..) => {
            let d = Diagnostic::error("outside-when", "`reinit` and `terminate` act only inside `when`");
            x.diagnostics.push(d.at(eq.span).help("put it into a when-equation"));
        }
        EqKind::Call(e) => {
            let e = x.effect(*e);
            push(EquationKind::Call(e));
        }
    }
}

/// Scalar sides of an equation; records by the names of their fields.
pub fn pairs(x: &mut Expander, a: ExprId, b: ExprId) -> Vec<(ExprId, ExprId)> {
    let (s, t) = (x.expand(a), x.expand(b));
    let mut out = Vec::new();
    zip(x, &s, &t, &mut out);
    out
}

fn zip(x: &mut Expander, a: &Tree, b: &Tree, out: &mut Vec<(ExprId, ExprId)>) {
    match (a, b) {
        (Tree::Leaf(p), Tree::Leaf(q)) => out.push((*p, *q)),
        (Tree::Record(r, p), Tree::Record(s, q)) => {
            let (left, right) = (x.sema.store.record(*r).clone(), x.sema.store.record(*s).clone());
            for (k, (name, _)) in left.fields.iter().enumerate() {
                if let Some(j) = right.field(*name) {
                    zip(x, &p[k], &q[j], out);
                }
            }
        }
        (Tree::Array(_, p), Tree::Array(_, q)) if p.len() == q.len() => {
            for (p, q) in p.iter().zip(q.iter()) {
                zip(x, p, q, out);
            }
        }
        _ => {
            let text = format!("the two sides of this equation have sizes {:?} and {:?}", a.dims(), b.dims());
            x.diagnostics
                .push(Diagnostic::error("equation-types", text).at(x.span).help("make the sizes equal"));
        }
    }
}

/// `if` with the same number of equations in every branch: equation by equation.
fn if_equation(
    x: &mut Expander,
    branches: &[(ExprId, Vec<Eq>)],
    otherwise: &[Eq],
    origin: Origin,
    out: &mut Vec<Equation>,
) {
    let conditions: Vec<ExprId> = branches.iter().map(|(c, _)| x.scalar(*c)).collect();
    let mut bodies: Vec<Vec<Equation>> = branches.iter().map(|(_, b)| scalarise(x, b)).collect();
    bodies.push(scalarise(x, otherwise));
    // Asserts of a branch hold only where it is active.
    for (k, body) in bodies.iter_mut().enumerate() {
        let mut kept = Vec::new();
        for eq in body.drain(..) {
            match eq.kind {
                EquationKind::Assert { condition, message, warning } => {
                    let active = active(x, &conditions, k);
                    let store = &mut x.sema.store;
                    let inactive = store.operate_on(UnOp::Not, active);
                    let condition = store.operate(BinOp::Or, inactive, condition);
                    let kind = EquationKind::Assert { condition, message, warning };
                    out.push(Equation { kind, ..eq });
                }
                EquationKind::Equal(..) => kept.push(eq),
                _ => {
                    let d = Diagnostic::error(
                        "if-equation-content",
                        "this cannot stand in an if-equation whose condition changes",
                    );
                    x.diagnostics.push(d.at(eq.origin.span).help("move it out of the if-equation"));
                }
            }
        }
        *body = kept;
    }
    let count = bodies[0].len();
    if bodies.iter().any(|b| b.len() != count) {
        let counts: Vec<String> = bodies.iter().map(|b| b.len().to_string()).collect();
        let text = format!("the branches of this if-equation have {} equations", counts.join(" and "));
        let d = Diagnostic::error("if-equation-count", text).at(origin.span);
        x.diagnostics.push(d.help("give every branch, and the else branch, the same number of equations"));
        return;
    }
    let bodies = align(x, bodies);
    for k in 0..count {
        let sides: Vec<(ExprId, ExprId)> = bodies
            .iter()
            .map(|b| match b[k].kind {
                EquationKind::Equal(l, r) => (l, r),
                _ => unreachable!("only equations are kept"),
            })
            .collect();
        let first = sides[0].0;
        let same = sides.iter().all(|(l, _)| *l == first);
        let store = &mut x.sema.store;
        let values: Vec<ExprId> =
            sides.iter().map(|(l, r)| if same { *r } else { store.operate(BinOp::Sub, *l, *r) }).collect();
        let mut value = values[values.len() - 1];
        for (c, v) in conditions.iter().zip(&values).rev() {
            value = store.choose(*c, *v, value);
        }
        let lhs = if same { first } else { store.real(0.0) };
        let here = if branches.is_empty() { origin } else { bodies[0][k].origin };
        out.push(Equation { kind: EquationKind::Equal(lhs, value), origin: here, clock: None });
    }
}

/// Orders the equations of later branches so that equal left sides meet.
fn align(x: &Expander, mut bodies: Vec<Vec<Equation>>) -> Vec<Vec<Equation>> {
    let is_var = |e: ExprId| matches!(x.sema.store.node(e), Node::Var(_));
    let lhs = |eq: &Equation| match eq.kind {
        EquationKind::Equal(l, _) if is_var(l) => Some(l),
        _ => None,
    };
    let Some((first, rest)) = bodies.split_first_mut() else { return bodies };
    for body in rest {
        for (k, eq) in first.iter().enumerate() {
            let Some(want) = lhs(eq) else { continue };
            if let Some(j) = (k..body.len()).find(|j| lhs(&body[*j]) == Some(want)) {
                body.swap(k, j);
            }
        }
    }
    bodies
}

fn active(x: &mut Expander, conditions: &[ExprId], k: usize) -> ExprId {
    let store = &mut x.sema.store;
    let mut e = if k < conditions.len() { conditions[k] } else { store.bool(true) };
    for c in conditions[..k.min(conditions.len())].iter().rev() {
        let no = store.operate_on(UnOp::Not, *c);
        e = store.operate(BinOp::And, no, e);
    }
    e
}

/// Splits a when-equation into one equation per variable and one for its other actions.
fn when(x: &mut Expander, branches: &[(ExprId, Vec<Eq>)], origin: Origin, out: &mut Vec<Equation>) {
    if let [(condition, body)] = branches
        && x.sema.store.ty(*condition).scalar == Scalar::Clock
    {
        return clocked_when(x, *condition, body, origin, out);
    }
    let mut values: Vec<(VarId, Vec<Option<ExprId>>, Origin)> = Vec::new();
    let mut actions: Vec<(Vec<ExprId>, Vec<GuardedAction>)> = Vec::new();
    let count = branches.len();
    for (k, (condition, body)) in branches.iter().enumerate() {
        let mut conditions = Vec::new();
        x.expand(*condition).leaves(&mut conditions);
        let mut acts = Vec::new();
        for eq in body {
            when_body(x, eq, k, count, &mut values, &mut acts);
        }
        actions.push((conditions, acts));
    }
    for (var, list, origin) in values {
        let ty = x.var_type(var);
        let mut branches = Vec::with_capacity(count);
        for (k, value) in list.iter().enumerate() {
            let value = match value {
                Some(value) => *value,
                None => {
                    let this = x.sema.store.var(var, Type::scalar(ty));
                    x.sema.store.scalar_builtin(Builtin::Pre, &[this])
                }
            };
            branches.push((actions[k].0.clone(), value));
        }
        out.push(Equation { kind: EquationKind::WhenAssign { var, branches }, origin, clock: None });
    }
    if actions.iter().any(|(_, a)| !a.is_empty()) {
        out.push(Equation { kind: EquationKind::WhenDo(actions), origin, clock: None });
    }
}

/// General equations, all on one clock (MLS 16.6).
fn clocked_when(x: &mut Expander, condition: ExprId, body: &[Eq], origin: Origin, out: &mut Vec<Equation>) {
    let condition = x.scalar(condition);
    let clock = x.when_clocks.len() as u32;
    x.when_clocks.push((condition, origin.span));
    out.extend(scalarise(x, body).into_iter().map(|eq| Equation { clock: Some(clock), ..eq }));
}

fn when_body(
    x: &mut Expander,
    eq: &Eq,
    branch: usize,
    count: usize,
    values: &mut Vec<(VarId, Vec<Option<ExprId>>, Origin)>,
    acts: &mut Vec<GuardedAction>,
) {
    x.span = eq.span;
    let origin = origin(x, eq);
    let always = |action| GuardedAction { guard: None, action, span: eq.span };
    match &eq.kind {
        EqKind::Equal(a, b) => {
            for (l, r) in pairs(x, *a, *b) {
                let (var, value) = match (x.sema.store.node(l), x.sema.store.node(r)) {
                    (Node::Var(v), _) => (*v, r),
                    (_, Node::Var(v)) => (*v, l),
                    _ => {
                        let d = Diagnostic::error(
                            "when-left-side",
                            "an equation in `when` must have a variable on its left side",
                        );
                        x.diagnostics.push(d.at(eq.span).help("write `v = expression`"));
                        continue;
                    }
                };
                match values.iter_mut().find(|(v, ..)| *v == var) {
                    Some((_, list, _)) if list[branch].is_none() => list[branch] = Some(value),
                    Some((_, _, first)) => {
                        let d = Diagnostic::error(
                            "when-conflict",
                            "a variable is defined twice in one branch of `when`",
                        );
                        x.diagnostics
                            .push(d.at(eq.span).label(first.span, "first definition").help("remove one"));
                    }
                    None => {
                        let mut list = vec![None; count];
                        list[branch] = Some(value);
                        values.push((var, list, origin));
                    }
                }
            }
        }
        EqKind::If(branches, otherwise) => when_if(x, branches, otherwise, branch, count, values, acts),
        EqKind::Reinit(target, value) => {
            for (l, r) in pairs(x, *target, *value) {
                match x.sema.store.node(l) {
                    Node::Var(v) => acts.push(always(Action::Reinit(*v, r))),
                    _ => {
                        let d = Diagnostic::error("reinit-target", "only a variable can be reinitialised");
                        x.diagnostics.push(d.at(eq.span).help("name a state"));
                    }
                }
            }
        }
        EqKind::Assert { condition, message, level } => {
            let (condition, message) = (x.scalar(*condition), x.scalar(*message));
            let warning = matches!(x.sema.try_constant(*level), Some(Value::Bool(true)));
            acts.push(always(Action::Assert { condition, message, warning }));
        }
        EqKind::Terminate(message) => {
            let message = x.scalar(*message);
            let holds = x.sema.store.bool(true);
            acts.push(always(Action::Terminate(holds, message)));
        }
        EqKind::Call(e) => {
            let e = x.effect(*e);
            acts.push(always(Action::Call(e)));
        }
        EqKind::When(_) | EqKind::Algorithm(_) => {
            let d = Diagnostic::error("nested-when", "`when` cannot stand inside `when`");
            x.diagnostics.push(d.at(eq.span).help("join the conditions"));
        }
    }
}

/// An if-equation inside `when`: `v = if c then a else b`, missing branches keep `pre(v)`.
fn when_if(
    x: &mut Expander,
    branches: &[(ExprId, Vec<Eq>)],
    otherwise: &[Eq],
    branch: usize,
    count: usize,
    values: &mut Vec<(VarId, Vec<Option<ExprId>>, Origin)>,
    acts: &mut Vec<GuardedAction>,
) {
    let conditions: Vec<ExprId> = branches.iter().map(|(c, _)| x.scalar(*c)).collect();
    let total = branches.len() + 1;
    let mut inner: Vec<(VarId, Vec<Option<ExprId>>, Origin)> = Vec::new();
    let bodies = branches.iter().map(|(_, b)| b.as_slice()).chain(std::iter::once(otherwise));
    for (k, body) in bodies.enumerate() {
        let mut own = Vec::new();
        for eq in body {
            when_body(x, eq, k, total, &mut inner, &mut own);
        }
        let here = active(x, &conditions, k);
        for GuardedAction { guard, action, span } in own {
            let guard = guard.map_or(here, |inner| x.sema.store.operate(BinOp::And, here, inner));
            acts.push(GuardedAction { guard: Some(guard), action, span });
        }
    }
    for (var, list, origin) in inner {
        let ty = x.var_type(var);
        let this = x.sema.store.var(var, Type::scalar(ty));
        let store = &mut x.sema.store;
        let keep = store.scalar_builtin(Builtin::Pre, &[this]);
        let mut value = list[total - 1].unwrap_or(keep);
        for (c, v) in conditions.iter().zip(&list).rev() {
            value = store.choose(*c, v.unwrap_or(keep), value);
        }
        let mut all = vec![None; count];
        all[branch] = Some(value);
        match values.iter_mut().find(|(v, ..)| *v == var) {
            Some((_, list, _)) => list[branch] = Some(value),
            None => values.push((var, all, origin)),
        }
    }
}
