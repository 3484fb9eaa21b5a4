//! Statements of algorithm sections to statements over scalar targets.

use crate::expand::Expander;
use crate::outline::outline;
use crate::tree::Tree;
use kairos_base::Span;
use kairos_base::hash::HashSet;
use kairos_expr::{BinOp, ExprId, LValue, Node, Step, Stmt, Sub, Target, Type, Value, VarId};
use kairos_sema::CompId;

/// Statements over scalar targets.
pub fn statements_of(x: &mut Expander, list: &[Stmt]) -> Vec<Stmt> {
    let mut out = Vec::new();
    for s in list {
        statement(x, s, &mut out);
    }
    out
}

fn statement(x: &mut Expander, s: &Stmt, out: &mut Vec<Stmt>) {
    let outlined = outline(x, s);
    match outlined.as_ref().unwrap_or(s) {
        Stmt::Assign(target, value, span) => {
            x.span = *span;
            let value = x.expand(*value);
            let mut pairs = Vec::new();
            assign(x, target, &value, &mut pairs);
            assign_together(x, pairs, *span, out);
        }
        Stmt::AssignTuple(targets, call, span) => {
            x.span = *span;
            let Node::Call(f, _) = x.sema.store.node(*call).clone() else { return };
            let function = x.sema.store.function(f).clone();
            let call = x.scalar(*call);
            let mut pairs = Vec::new();
            for (k, target) in targets.iter().enumerate() {
                let (Some(target), Some(output)) = (target, function.outputs.get(k)) else { continue };
                let ty = x.sema.store.get_type(function.locals[output.index()].ty).clone();
                let target_type = target_type(x, target);
                let ty = Type { scalar: ty.scalar, dims: target_type.map_or(ty.dims, |t| t.dims) };
                let item = match function.outputs.len() {
                    1 => call,
                    _ => x.sema.store.add(Node::Item(call, k as u32), ty),
                };
                let value = x.expand(item);
                assign(x, target, &value, &mut pairs);
            }
            assign_together(x, pairs, *span, out);
        }
        Stmt::Call(e, span) => {
            let e = x.scalar(*e);
            out.push(Stmt::Call(e, *span));
        }
        Stmt::If(branches, otherwise) => {
            let mut list = Vec::with_capacity(branches.len());
            let mut certain = false;
            for (c, body) in branches {
                let c = x.scalar(*c);
                let before = x.diagnostics.len();
                let body = statements_of(x, body);
                // A branch in error does not count where the parameters exclude it.
                if x.diagnostics.len() > before && (certain || x.decided(c) == Some(false)) {
                    x.diagnostics.truncate(before);
                    continue;
                }
                list.push((c, body));
                certain |= matches!(x.sema.store.node(c), Node::Bool(true));
            }
            let before = x.diagnostics.len();
            let mut otherwise = statements_of(x, otherwise);
            if x.diagnostics.len() > before && list.iter().any(|(c, _)| x.decided(*c) == Some(true)) {
                x.diagnostics.truncate(before);
                otherwise = Vec::new();
            }
            match list.is_empty() {
                true => out.extend(otherwise),
                false => out.push(Stmt::If(list, otherwise)),
            }
        }
        Stmt::For(iter, range, body, span) => {
            let range = range_of(x, *range);
            x.loops.push(*iter);
            let body = statements_of(x, body);
            x.loops.pop();
            out.push(Stmt::For(*iter, range, body, *span));
        }
        Stmt::While(c, body, span) => {
            let c = x.scalar(*c);
            let body = statements_of(x, body);
            out.push(Stmt::While(c, body, *span));
        }
        Stmt::When(branches, span) => {
            let mut list = Vec::new();
            for (c, body) in branches {
                let tree = x.expand(*c);
                let c = tree.rebuild(&mut x.sema.store);
                list.push((c, statements_of(x, body)));
            }
            out.push(Stmt::When(list, *span));
        }
        Stmt::Assert { condition, message, warning, span } => {
            let (condition, message) = (x.scalar(*condition), x.scalar(*message));
            let warning = matches!(x.sema.try_constant(*warning), Some(Value::Bool(true)));
            let warning = x.sema.store.bool(warning);
            out.push(Stmt::Assert { condition, message, warning, span: *span });
        }
        Stmt::Terminate(e, span) => {
            let e = x.scalar(*e);
            out.push(Stmt::Terminate(e, *span));
        }
        Stmt::Reinit(v, e, span) => {
            let e = x.scalar(*e);
            if let Some(first) = x.first(CompId::new(v.index())) {
                out.push(Stmt::Reinit(first, e, *span));
            }
        }
        Stmt::Break => out.push(Stmt::Break),
        Stmt::Return => out.push(Stmt::Return),
    }
}

/// What a loop runs through. Bounds that only a run knows stay as they are.
fn range_of(x: &mut Expander, range: ExprId) -> ExprId {
    if let Node::Range(first, step, last) = *x.sema.store.node(range)
        && [Some(first), step, Some(last)].into_iter().flatten().any(|e| x.sema.try_constant(e).is_none())
    {
        let ty = x.sema.store.type_id(range);
        let step = step.map(|step| x.scalar(step));
        let node = Node::Range(x.scalar(first), step, x.scalar(last));
        return x.sema.store.add_typed(node, ty);
    }
    x.expand(range).rebuild(&mut x.sema.store)
}

fn target_type(x: &mut Expander, target: &LValue) -> Option<Type> {
    let Target::Var(v) = target.target else { return None };
    Some(x.sema.comp_type(CompId::new(v.index())))
}

/// The scalar assignments of one to a variable, an array of them, or elements whose positions are known only at run
/// time.
fn assign(x: &mut Expander, target: &LValue, value: &Tree, out: &mut Vec<(VarId, ExprId)>) {
    let Target::Var(v) = target.target else { return };
    let ty = x.sema.comp_type(CompId::new(v.index()));
    let whole = x.sema.store.var(v, ty);
    let tree = x.expand(whole);
    assign_below(x, &tree, &target.path, value, None, out);
}

/// Assigns where the condition holds, if there is one: `a[i] := v` is `a[k] := if i == k then v else a[k]` for every k.
fn assign_below(
    x: &mut Expander,
    tree: &Tree,
    path: &[Step],
    value: &Tree,
    here: Option<ExprId>,
    out: &mut Vec<(VarId, ExprId)>,
) {
    match path.split_first() {
        None => assign_leaves(x, tree, value, here, out),
        Some((Step::Field(k), rest)) => {
            assign_below(x, &crate::expand::field(tree, *k as usize), rest, value, here, out);
        }
        Some((Step::Index(subs), rest)) if is_known(x, subs) => {
            let tree = x.index_tree(tree, subs);
            assign_below(x, &tree, rest, value, here, out);
        }
        Some((Step::Index(subs), rest)) => {
            let sizes: Vec<u32> = tree.dims().iter().take(subs.len()).map(|d| *d as u32).collect();
            let places: Vec<Option<Tree>> = subs
                .iter()
                .map(|sub| match sub {
                    Sub::All => None,
                    Sub::At(e) => Some(x.expand(*e)),
                })
                .collect();
            let always = here.unwrap_or_else(|| x.sema.store.bool(true));
            for k in 0..sizes.iter().product::<u32>() as usize {
                let index = crate::expand::subscripts(k, &sizes);
                // Under which conditions the element is meant, and which part of the value it gets then.
                let mut cases = vec![(always, value.clone())];
                for (place, &i) in places.iter().zip(&index) {
                    cases = match place {
                        None => cases.iter().map(|(c, v)| (*c, v.part(i as usize - 1))).collect(),
                        Some(place) => cases.iter().flat_map(|case| meant(x, case, place, i)).collect(),
                    };
                }
                let element = index.iter().fold(tree.clone(), |t, i| t.part(*i as usize - 1));
                for (condition, value) in cases {
                    assign_below(x, &element, rest, &value, Some(condition), out);
                }
            }
        }
    }
}

/// The cases in which a subscript, a number or a vector of them, means the position `i`.
fn meant(x: &mut Expander, case: &(ExprId, Tree), place: &Tree, i: u32) -> Vec<(ExprId, Tree)> {
    let mut numbers = Vec::new();
    place.leaves(&mut numbers);
    let mut cases = Vec::new();
    for (j, e) in numbers.into_iter().enumerate() {
        let hit = x.position(e, i as usize);
        let both = x.sema.store.operate(BinOp::And, case.0, hit);
        if *x.sema.store.node(both) != Node::Bool(false) {
            let value = if place.dims().is_empty() { case.1.clone() } else { case.1.part(j) };
            cases.push((both, value));
        }
    }
    cases
}

fn is_known(x: &mut Expander, subs: &[Sub]) -> bool {
    subs.iter().all(|s| match s {
        Sub::All => true,
        Sub::At(e) => {
            let mut leaves = Vec::new();
            x.expand(*e).leaves(&mut leaves);
            leaves.iter().all(|e| x.sema.constant(*e).is_ok())
        }
    })
}

fn assign_leaves(
    x: &mut Expander,
    tree: &Tree,
    value: &Tree,
    here: Option<ExprId>,
    out: &mut Vec<(VarId, ExprId)>,
) {
    let (mut targets, mut values) = (Vec::new(), Vec::new());
    tree.leaves(&mut targets);
    value.leaves(&mut values);
    if values.len() == 1 && targets.len() > 1 {
        values = vec![values[0]; targets.len()];
    }
    for (t, v) in targets.into_iter().zip(values) {
        let Node::Var(target) = *x.sema.store.node(t) else { continue };
        let Some(condition) = here else {
            out.push((target, v));
            continue;
        };
        let known = out.iter().position(|(other, _)| *other == target);
        let old = known.map_or(t, |k| out[k].1);
        let new = x.sema.store.choose(condition, v, old);
        match known {
            Some(k) => out[k].1 = new,
            None => out.push((target, new)),
        }
    }
}

/// Assigns scalars of one statement: every right side sees the values from before it, so a value whose target is
/// read by a later right side waits in a variable of its own.
fn assign_together(x: &mut Expander, pairs: Vec<(VarId, ExprId)>, span: Span, out: &mut Vec<Stmt>) {
    let reads: Vec<HashSet<VarId>> = match pairs.len() {
        0 | 1 => Vec::new(),
        _ => pairs.iter().map(|(_, value)| x.sema.store.variables(&[*value]).into_iter().collect()).collect(),
    };
    let plain = |v: VarId| LValue { target: Target::Var(v), path: Vec::new() };
    let mut late = Vec::new();
    for (k, (target, value)) in pairs.into_iter().enumerate() {
        let waits = reads.iter().skip(k + 1).any(|later| later.contains(&target));
        if !waits {
            out.push(Stmt::Assign(plain(target), value, span));
            continue;
        }
        let ty = x.var_type(target);
        let keeper = x.make_var(ty, span);
        out.push(Stmt::Assign(plain(keeper), value, span));
        let kept = x.sema.store.var(keeper, Type::scalar(ty));
        late.push(Stmt::Assign(plain(target), kept, span));
    }
    out.extend(late);
}

/// The variables that statements assign, in order of first assignment.
pub fn assigned(list: &[Stmt], out: &mut Vec<VarId>) {
    let add = |place: &LValue, out: &mut Vec<VarId>| {
        if let Target::Var(v) = place.target
            && !out.contains(&v)
        {
            out.push(v);
        }
    };
    for s in list {
        match s {
            Stmt::Assign(place, ..) => add(place, out),
            Stmt::AssignTuple(places, ..) => places.iter().flatten().for_each(|place| add(place, out)),
            _ => {
                for body in s.bodies() {
                    assigned(body, out);
                }
            }
        }
    }
}
