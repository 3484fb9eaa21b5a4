//! Chains of `semiLinear` through points where nothing is added: they have one upstream and one downstream value.

use crate::alias;
use kairos_expr::{BinOp, Builtin, ExprId, Node, Scalar, Type, UnOp, VarId};
use kairos_model::{EquationKind, ScalarModel, Variability};
use std::collections::{BTreeMap, BTreeSet};

/// MLS 3.7.4.5: `y = semiLinear(x, a, s1)`, `y = semiLinear(x, s1, s2)`, …, `y = semiLinear(x, sn, b)` leave the values
/// between undetermined where `x` is zero, and may be replaced by `s1 = if x >= 0 then a else b`, `s2 = s1`, …,
/// `y = semiLinear(x, a, b)`.
pub fn join_chains(model: &mut ScalarModel) {
    let links: Vec<(Key, Link)> = (0..model.equations.len()).filter_map(|at| link(model, at)).collect();
    let flows: BTreeSet<VarId> = links.iter().map(|(key, _)| key.y).collect();
    let same = identified(model, &flows);
    let mut groups: BTreeMap<Key, Vec<Link>> = BTreeMap::new();
    for (key, link) in links {
        let (y, negated) = same.get(&key.y).copied().unwrap_or((key.y, false));
        groups.entry(Key { y, negated: key.negated ^ negated, ..key }).or_default().push(link);
    }
    for (key, links) in groups {
        for chain in chains(model, &links) {
            replace(model, &key, &chain);
        }
    }
}

/// What the equations of a chain have in common: `x`, `y`, and whether `y` is negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    x: ExprId,
    y: VarId,
    negated: bool,
}

/// Flows that an equation makes equal or opposite, as where a balance has no further term: by which one they are known.
fn identified(model: &ScalarModel, flows: &BTreeSet<VarId>) -> BTreeMap<VarId, (VarId, bool)> {
    let mut beside: BTreeMap<VarId, Vec<(VarId, bool)>> = BTreeMap::new();
    for equation in &model.equations {
        if let EquationKind::Equal(l, r) = equation.kind
            && let Some(alias::Link::Pair(a, b, negated)) = alias::link(&model.store, l, r)
            && flows.contains(&a)
            && flows.contains(&b)
        {
            beside.entry(a).or_default().push((b, negated));
            beside.entry(b).or_default().push((a, negated));
        }
    }
    let mut known = BTreeMap::new();
    for &first in beside.keys() {
        let mut stack = vec![(first, false)];
        while let Some((v, negated)) = stack.pop() {
            if known.contains_key(&v) {
                continue;
            }
            known.insert(v, (first, negated));
            stack.extend(beside[&v].iter().map(|&(w, opposite)| (w, negated ^ opposite)));
        }
    }
    known
}

/// An equation `y = semiLinear(x, from, to)`.
#[derive(Clone, Copy)]
struct Link {
    equation: usize,
    from: ExprId,
    to: ExprId,
}

/// The equation turned so that `x` is not negated.
fn link(model: &ScalarModel, at: usize) -> Option<(Key, Link)> {
    let (store, equation) = (&model.store, &model.equations[at]);
    let EquationKind::Equal(l, r) = equation.kind else { return None };
    if equation.clock.is_some() {
        return None;
    }
    let signed = |e: ExprId| match *store.node(e) {
        Node::Unary(UnOp::Neg, a) => (a, true),
        _ => (e, false),
    };
    let sides = [(l, r), (r, l)];
    let (y, arguments, outer) = sides.into_iter().find_map(|(y, call)| match store.node(signed(call).0) {
        Node::Builtin(Builtin::SemiLinear, args) => Some((y, [args[0], args[1], args[2]], signed(call).1)),
        _ => None,
    })?;
    let (y, minus) = signed(y);
    let (x, turned) = signed(arguments[0]);
    let (&Node::Var(y), Node::Var(_)) = (store.node(y), store.node(x)) else { return None };
    // semiLinear(-x, a, b) = -semiLinear(x, b, a)
    let (from, to) = if turned { (arguments[2], arguments[1]) } else { (arguments[1], arguments[2]) };
    Some((Key { x, y, negated: minus ^ outer ^ turned }, Link { equation: at, from, to }))
}

/// Links in a row whose values between are unknowns that nothing branches off from.
fn chains(model: &ScalarModel, links: &[Link]) -> Vec<Vec<Link>> {
    let (mut starting, mut ending): (BTreeMap<ExprId, Vec<usize>>, BTreeMap<ExprId, Vec<usize>>) =
        Default::default();
    for (at, link) in links.iter().enumerate() {
        starting.entry(link.from).or_default().push(at);
        ending.entry(link.to).or_default().push(at);
    }
    let between = |s: ExprId| match *model.store.node(s) {
        Node::Var(v) => {
            let var = &model.vars[v.index()];
            let unknown = var.ty == Scalar::Real && var.variability == Variability::Continuous;
            let single = |map: &BTreeMap<ExprId, Vec<usize>>| map.get(&s).is_some_and(|list| list.len() == 1);
            unknown && single(&starting) && single(&ending)
        }
        _ => false,
    };
    let mut out = Vec::new();
    for &first in links.iter().filter(|link| !between(link.from)) {
        let mut chain = vec![first];
        while let Some(last) = chain.last().filter(|last| between(last.to))
            && let Some(&next) = starting.get(&last.to).and_then(|list| list.first())
        {
            chain.push(links[next]);
        }
        if chain.len() > 1 {
            out.push(chain);
        }
    }
    out
}

fn replace(model: &mut ScalarModel, key: &Key, chain: &[Link]) {
    let (Some(first), Some(last)) = (chain.first(), chain.last()) else { return };
    let (store, x) = (&mut model.store, key.x);
    let zero = store.int(0);
    let forward = store.scalar_binary(BinOp::Ge, x, zero);
    let value = store.choose(forward, first.from, last.to);
    let whole = store.scalar_builtin(Builtin::SemiLinear, &[x, first.from, last.to]);
    let y = store.var(key.y, Type::scalar(Scalar::Real));
    let y = if key.negated { store.negate(y) } else { y };
    model.equations[first.equation].kind = EquationKind::Equal(y, whole);
    for (at, link) in chain.iter().enumerate().skip(1) {
        let same = if at == 1 { value } else { chain[1].from };
        model.equations[link.equation].kind = EquationKind::Equal(link.from, same);
    }
}
