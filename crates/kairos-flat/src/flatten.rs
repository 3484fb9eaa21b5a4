//! The passes from an instance to a scalar model, in order.

use crate::clocks;
use crate::connections::connection_equations;
use crate::equations::scalarise;
use crate::expand::{Expander, SCALARS};
use crate::statements::assigned;
use crate::suspects::{Suspect, suspects};
use crate::{connectors, habits, states, streams, units, variables};
use kairos_base::hash::HashMap;
use kairos_base::{Checked, Diagnostic, Severity, Span};
use kairos_expr::{ExprId, Node, Scalar, Stmt, VarId};
use kairos_model::{Causality, Equation, EquationKind, Experiment, ScalarModel, Variability, Variable};
use kairos_sema::{CompId, Sema};

/// What is looked for beside what flattening must know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    pub units: bool,
}

/// Flattens an instantiated model.
pub fn flatten(sema: Sema, root: CompId) -> Checked<ScalarModel> {
    flatten_with(sema, root, Checks::default())
}

/// Flattens an instantiated model and looks for what is probably not meant.
pub fn flatten_with(mut sema: Sema, root: CompId, checks: Checks) -> Checked<ScalarModel> {
    let name = sema.root_class_name(root);
    let experiment = experiment(&mut sema, root);
    let span = sema.comp(root).span;
    let mut x = Expander::new(&mut sema, span);
    let numbered = variables::number(&mut x, root);
    let (mut vars, mut equations, declared) = variables::variables(&mut x, &numbered, root);
    let list = std::mem::take(&mut x.sema.equations);
    if checks.units {
        let (initial, connects) = (x.sema.initial_equations.clone(), x.sema.connects.clone());
        units::check(&mut x, &declared, [&list, &initial], &connects);
    }
    equations.extend(scalarise(&mut x, &list));
    vars.append(&mut x.made);
    let list = std::mem::take(&mut x.sema.initial_equations);
    let mut initial_equations = scalarise(&mut x, &list);
    // What an initial algorithm keeps is known once and for all.
    vars.extend(std::mem::take(&mut x.made).into_iter().map(|v| Variable {
        variability: Variability::Parameter,
        fixed: Some(false),
        ..v
    }));
    connectors::check(&mut x, root);
    let connects = std::mem::take(&mut x.sema.connects);
    let (joined, streams) = connection_equations(&mut x, &connects, root);
    equations.extend(joined);
    streams::resolve(&mut x, &streams, &vars, &mut equations, &mut initial_equations);
    let states = states::lower(&mut x, &mut vars, &mut equations);
    let clocks = clocks::partition(&mut x, &mut vars, &mut equations, &mut initial_equations, &states);
    x.sema.complete_functions();
    close_functions(&mut x);
    let mut diagnostics = std::mem::take(&mut x.diagnostics);
    let doubtful = std::mem::take(&mut x.doubtful);
    drop(x);
    diagnostics.extend(sema.take_diagnostics());
    diagnostics.extend(sema.unexplained(&diagnostics));
    let store = std::mem::take(&mut sema.store);
    let suspects = match count_all(&vars, &equations) {
        Balance { unknowns, equations } if unknowns == equations => Vec::new(),
        _ => suspects(&mut sema, root, &vars, &equations),
    };
    // Most of what there is belongs to the instance, and what follows needs room.
    drop(sema);
    let mut model = ScalarModel { name, store, vars, equations, initial_equations, experiment, clocks };
    renumber(&mut model);
    mark_discrete(&mut model);
    diagnostics.extend(habits::pre_of_continuous(&model));
    diagnostics.extend(habits::states_in_when(&model));
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let unbalanced = check_balance(&model, suspects, span);
        // Every equation of a connection is there, so a balanced model has the meaning that its author saw.
        let severity = if unbalanced.is_some() { Severity::Error } else { Severity::Warning };
        diagnostics.extend(doubtful.into_iter().map(|d| Diagnostic { severity, ..d }));
        diagnostics.extend(unbalanced);
    } else {
        diagnostics.extend(doubtful);
    }
    if cfg!(debug_assertions)
        && !diagnostics.iter().any(Diagnostic::is_error)
        && let Some(fault) = model.broken_invariant()
    {
        panic!("after flattening `{}`: {fault}", model.name);
    }
    Checked { value: Some(model), diagnostics }
}

/// Puts the values of package constants into the bodies of functions, which see nothing of the model.
fn close_functions(x: &mut Expander) {
    for f in 0..x.sema.store.functions.len() {
        let mut function = x.sema.store.functions[f].clone();
        let mut memo = HashMap::default();
        function.visit_exprs_mut(&mut |e| *e = close(x, *e, &mut memo));
        x.sema.store.functions[f] = function;
    }
}

fn close(x: &mut Expander, e: ExprId, memo: &mut HashMap<ExprId, ExprId>) -> ExprId {
    if let Some(&done) = memo.get(&e) {
        return done;
    }
    let new = match x.sema.store.node(e) {
        // A constant of a component is a variable elsewhere, but not in a function.
        Node::Var(v) => match x.sema.comp_value(CompId::new(v.index())) {
            Ok(value) => x.value(&value).rebuild(&mut x.sema.store),
            Err(_) => x.expand(e).rebuild(&mut x.sema.store),
        },
        _ => {
            let mut children = Vec::new();
            x.sema.store.children(e, |c| children.push(c));
            children.into_iter().for_each(|c| {
                close(x, c, memo);
            });
            let new = x.sema.store.map_children(e, |_, c| memo.get(&c).copied().unwrap_or(c));
            looked_up(x, new).unwrap_or(new)
        }
    };
    memo.insert(e, new);
    new
}

/// The value of a call with a text among arguments that are all literals, such as the place of a name in a list: native code
/// computes nothing from texts, and need not where this is done once.
fn looked_up(x: &mut Expander, e: ExprId) -> Option<ExprId> {
    let store = &x.sema.store;
    let Node::Call(f, args) = store.node(e) else { return None };
    let literal = |a: &ExprId| {
        matches!(store.node(*a), Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Str(_) | Node::Enum(..))
    };
    let text = args.iter().any(|a| matches!(store.node(*a), Node::Str(_)));
    let scalar = store.ty(e).dims.is_empty()
        && matches!(store.ty(e).scalar, Scalar::Real | Scalar::Int | Scalar::Bool | Scalar::Enum(_));
    let f = *f;
    if !text || !scalar || !args.iter().all(literal) || !x.sema.is_pure_function(f) {
        return None;
    }
    let value = x.sema.constant(e).ok()?;
    Some(x.value(&value).rebuild(&mut x.sema.store))
}

/// Scalar variables become the only ones, numbered from zero; clock variables are gone, and so are the expressions that
/// the front end alone had to do with.
fn renumber(model: &mut ScalarModel) {
    let mut next = 0;
    let mut places = Vec::with_capacity(model.vars.len());
    for v in &model.vars {
        let gone = v.ty == Scalar::Clock;
        places.push(if gone { u32::MAX } else { next });
        next += u32::from(!gone);
    }
    model.vars.retain(|v| v.ty != Scalar::Clock);
    let scalar = |v: VarId| match v.0.checked_sub(SCALARS) {
        Some(k) => VarId(places[k as usize]),
        None => VarId(v.0 + SCALARS),
    };
    let mut roots = Vec::new();
    model.visit_exprs_mut(&mut |e| roots.push(*e));
    let (store, moved) = model.store.extract(&roots, scalar);
    model.store = store;
    model.visit_exprs_mut(&mut |e| *e = moved.at(*e));
    for eq in model.equations.iter_mut().chain(&mut model.initial_equations) {
        eq.visit_vars_mut(&mut |v| *v = scalar(*v));
    }
}

/// A variable that only when-clauses assign changes at events, whatever its declaration says (MLS 3.8.3).
fn mark_discrete(model: &mut ScalarModel) {
    let mut list = Vec::new();
    for eq in &model.equations {
        match &eq.kind {
            EquationKind::WhenAssign { var, .. } => list.push(*var),
            EquationKind::Algorithm { statements, .. } => {
                let (mut inside, mut outside) = (Vec::new(), Vec::new());
                for s in statements {
                    let one = std::slice::from_ref(s);
                    assigned(one, if matches!(s, Stmt::When(..)) { &mut inside } else { &mut outside });
                }
                list.extend(inside.into_iter().filter(|v| !outside.contains(v)));
            }
            _ => {}
        }
    }
    for var in list {
        let variability = &mut model.vars[var.index()].variability;
        *variability = Variability::Discrete.min(*variability);
    }
}

fn experiment(sema: &mut Sema, root: CompId) -> Experiment {
    sema.check_settings(root);
    let sema = &*sema;
    let read = |name: &str| sema.experiment(root, name);
    Experiment {
        start: read("StartTime"),
        stop: read("StopTime"),
        interval: read("Interval"),
        tolerance: read("Tolerance"),
    }
}

/// The one count of equations and unknowns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Balance {
    pub unknowns: usize,
    pub equations: usize,
}

pub fn balance(model: &ScalarModel) -> Balance {
    count_all(&model.vars, &model.equations)
}

fn count_all(vars: &[Variable], equations: &[Equation]) -> Balance {
    let unknown = |v: &&Variable| {
        v.variability > Variability::Parameter && v.causality != Causality::Input && v.ty != Scalar::Clock
    };
    let unknowns = vars.iter().filter(unknown).count();
    Balance { unknowns, equations: equations.iter().map(|e| count(&e.kind)).sum() }
}

/// For how many unknowns an equation counts.
pub(crate) fn count(kind: &EquationKind) -> usize {
    match kind {
        EquationKind::Equal(..) | EquationKind::WhenAssign { .. } => 1,
        EquationKind::Algorithm { outputs, .. } => outputs.len(),
        EquationKind::WhenDo(_) | EquationKind::Assert { .. } | EquationKind::Call(_) => 0,
    }
}

fn check_balance(model: &ScalarModel, mut suspects: Vec<Suspect>, span: Span) -> Option<Diagnostic> {
    let Balance { unknowns, equations } = balance(model);
    if unknowns == equations {
        return None;
    }
    let plural = |n: usize, word: &str| if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") };
    let mut text =
        format!("`{}` has {} for {}", model.name, plural(equations, "equation"), plural(unknowns, "unknown"));
    suspects.truncate(3);
    for Suspect { path, unknowns, equations, .. } in &suspects {
        let word = if equations < unknowns { "few" } else { "many" };
        text += &format!("; `{path}` has {} too {word}", plural(equations.abs_diff(*unknowns), "equation"));
    }
    let d = Diagnostic::error("unbalanced-model", text).at(span);
    let help = match equations < unknowns {
        true => "give every variable an equation or a binding, connect every connector, or declare inputs",
        false => "remove an equation, or declare another variable",
    };
    let d = idle_variables(model).into_iter().fold(d, |d, v| {
        let v = &model.vars[v.index()];
        d.label(v.span, format!("`{}` occurs in no equation", v.name))
    });
    let d = suspects
        .into_iter()
        .fold(d, |d, suspect| d.label(suspect.span, format!("`{}` is a `{}`", suspect.path, suspect.class)));
    Some(d.help(help))
}

/// The first few unknowns that no equation mentions.
fn idle_variables(model: &ScalarModel) -> Vec<VarId> {
    let mut used = vec![false; model.vars.len()];
    let mut seen = vec![false; model.store.len()];
    let mut todo = Vec::new();
    for eq in &model.equations {
        let mut copy = eq.clone();
        copy.visit_vars_mut(&mut |v| used[v.index()] = true);
        copy.visit_exprs_mut(&mut |e| todo.push(*e));
    }
    while let Some(e) = todo.pop() {
        if std::mem::replace(&mut seen[e.index()], true) {
            continue;
        }
        if let Node::Var(v) = model.store.node(e)
            && let Some(slot) = used.get_mut(v.index())
        {
            *slot = true;
        }
        model.store.children(e, |c| todo.push(c));
    }
    let unknown = |v: &kairos_model::Variable| {
        v.variability > Variability::Parameter && v.causality != Causality::Input
    };
    let idle = (0..model.vars.len()).filter(|i| !used[*i] && unknown(&model.vars[*i]));
    idle.take(4).map(VarId::new).collect()
}
