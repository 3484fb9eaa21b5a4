//! Elimination of variables that equal another one, its negative, or a literal.

use crate::conditions::Conditions;
use crate::diagnostics;
use crate::model::Alias;
use kairos_base::Diagnostic;
use kairos_expr::{BinOp, ExprId, ExprMap, LValue, Node, Scalar, Stmt, Store, Target, Type, UnOp, VarId};
use kairos_model::{
    Action, Causality, Equation, EquationKind, GuardedAction, ScalarModel, StateSelect, Variability,
};

/// Rewrites the model in its representatives and tells where each eliminated variable went.
///
/// Variables in `apart` are not identified with each other.
pub fn eliminate(
    model: &mut ScalarModel,
    apart: &[bool],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Option<Alias>> {
    let count = model.vars.len();
    let classes = classify(model);
    let conditions = Conditions::of(model);
    let pinned = assigned_by_algorithms(model);
    let mut sets = Sets::new(count, conditions);
    let mut apart = apart.to_vec();
    let mut constants: Vec<Option<ExprId>> = vec![None; count];
    for (v, slot) in constants.iter_mut().enumerate() {
        let var = &model.vars[v];
        if let (Variability::Constant, Some(binding)) = (var.variability, var.binding)
            && model.store.number(binding).is_some()
        {
            *slot = Some(binding);
        }
    }
    let fold: Vec<Option<ExprId>> = constants.clone();
    let any_constant = fold.iter().any(Option::is_some);
    let mut memo = ExprMap::default();
    let mut keep = Vec::with_capacity(model.equations.len());
    for equation in &mut model.equations {
        let mut taken = false;
        if let EquationKind::Equal(l, r) = &mut equation.kind {
            for side in [&mut *l, &mut *r] {
                *side = match any_constant {
                    true => model.store.substitute(*side, &mut memo, &mut |_, v| fold[v.index()]),
                    false => model.store.simplify(*side, &mut memo),
                };
            }
            if equation.clock.is_none() {
                taken = match link(&model.store, *l, *r) {
                    Some(Link::Pair(a, b, negated)) => {
                        let (a, b) = (a.index(), b.index());
                        let roots = [a, b].map(|v| sets.find(v).0);
                        // Also where others stand between them.
                        let both = roots.map(|root| apart[root]);
                        let joined = classes[a] == classes[b]
                            && both != [true; 2]
                            && classes[a] != Class::Fixed
                            && !(negated && classes[a] != Class::Real)
                            && (classes[a] == Class::Real || !sets.begin_apart(a, b))
                            && sets.join(a, b, negated, &pinned, &constants);
                        if joined {
                            apart[sets.find(a).0] = both != [false; 2];
                        }
                        joined
                    }
                    Some(Link::Constant(v, value)) => {
                        let v = v.index();
                        let plain = model.vars[v].fixed != Some(true)
                            && model.vars[v].state_select < StateSelect::Prefer;
                        classes[v] == Class::Real
                            && plain
                            && sets.constant(v, value, &pinned, &mut constants, &mut model.store)
                    }
                    None => false,
                };
            }
        }
        keep.push(!taken);
    }
    let mut keep = keep.into_iter();
    model.equations.retain(|_| keep.next().unwrap_or(true));
    let aliases = choose(model, &mut sets, &pinned, &constants, &fold, diagnostics);
    rewrite(model, &aliases);
    aliases
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Parameters, inputs: never merged.
    Fixed,
    Real,
    DiscreteReal,
    Other(Scalar),
}

fn classify(model: &ScalarModel) -> Vec<Class> {
    let mut classes: Vec<Class> = model
        .vars
        .iter()
        .map(|v| match v.ty {
            _ if v.variability <= Variability::Parameter => Class::Fixed,
            _ if v.causality == Causality::Input => Class::Fixed,
            Scalar::Real if v.variability == Variability::Discrete => Class::DiscreteReal,
            Scalar::Real => Class::Real,
            Scalar::Str | Scalar::Object(_) | Scalar::Clock => Class::Fixed,
            other => Class::Other(other),
        })
        .collect();
    for equation in &model.equations {
        if let EquationKind::WhenAssign { var, .. } = equation.kind
            && classes[var.index()] == Class::Real
        {
            classes[var.index()] = Class::DiscreteReal;
        }
    }
    classes
}

fn assigned_by_algorithms(model: &ScalarModel) -> Vec<bool> {
    let mut pinned = vec![false; model.vars.len()];
    for equation in model.equations.iter().chain(&model.initial_equations) {
        if let EquationKind::Algorithm { outputs, .. } = &equation.kind {
            outputs.iter().for_each(|v| pinned[v.index()] = true);
        }
    }
    pinned
}

pub enum Link {
    /// `a = b`, or `a = -b` if negated.
    Pair(VarId, VarId, bool),
    Constant(VarId, ExprId),
}

/// The two variables, or the variable and the literal, that an equation identifies.
pub fn link(store: &Store, l: ExprId, r: ExprId) -> Option<Link> {
    let signed = |e: ExprId| match *store.node(e) {
        Node::Var(v) => Some((v, false)),
        Node::Unary(UnOp::Neg, a) => match *store.node(a) {
            Node::Var(v) => Some((v, true)),
            _ => None,
        },
        _ => None,
    };
    let zero_sum = |e: ExprId| match *store.node(e) {
        Node::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
            let ((a, na), (b, nb)) = (signed(a)?, signed(b)?);
            (a != b).then_some(Link::Pair(a, b, (na == nb) == (op == BinOp::Add)))
        }
        _ => None,
    };
    if let (Some((a, na)), Some((b, nb))) = (signed(l), signed(r)) {
        return (a != b).then_some(Link::Pair(a, b, na != nb));
    }
    if store.is_number(l, 0.0)
        && let Some(found) = zero_sum(r)
    {
        return Some(found);
    }
    if store.is_number(r, 0.0)
        && let Some(found) = zero_sum(l)
    {
        return Some(found);
    }
    match (store.node(l), store.node(r)) {
        (Node::Var(v), _) if store.number(r).is_some() => Some(Link::Constant(*v, r)),
        (_, Node::Var(v)) if store.number(l).is_some() => Some(Link::Constant(*v, l)),
        _ => None,
    }
}

/// Disjoint sets with a sign towards the parent; one pinned member and one constant at most in each.
struct Sets {
    parent: Vec<u32>,
    negated: Vec<bool>,
    pinned: Vec<Option<u32>>,
    constant: Vec<bool>,
    conditions: Conditions,
}

impl Sets {
    fn new(count: usize, conditions: Conditions) -> Self {
        Sets {
            parent: (0..count as u32).collect(),
            negated: vec![false; count],
            pinned: vec![None; count],
            constant: vec![false; count],
            conditions,
        }
    }

    /// May discrete variables that are equal from the start on differ before it? `pre(u)` is an unknown of the initial
    /// problem of its own where `u = y` and conditions are given for both (MLS 8.6).
    fn begin_apart(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a).0, self.find(b).0);
        let Conditions { before, any } = &self.conditions;
        before[a] && any[b] || before[b] && any[a]
    }

    /// The root and the sign relative to it.
    fn find(&mut self, v: usize) -> (usize, bool) {
        let (mut root, mut sign) = (v, false);
        while self.parent[root] as usize != root {
            sign ^= self.negated[root];
            root = self.parent[root] as usize;
        }
        let (mut here, mut left) = (v, sign);
        while self.parent[here] as usize != root && here != root {
            let next = self.parent[here] as usize;
            let step = self.negated[here];
            self.parent[here] = root as u32;
            self.negated[here] = left;
            left ^= step;
            here = next;
        }
        (root, sign)
    }

    fn pin(&self, root: usize, v: usize, pinned: &[bool]) -> Option<u32> {
        self.pinned[root].or(pinned[v].then_some(v as u32))
    }

    fn join(
        &mut self,
        a: usize,
        b: usize,
        negated: bool,
        pinned: &[bool],
        constants: &[Option<ExprId>],
    ) -> bool {
        let ((ra, na), (rb, nb)) = (self.find(a), self.find(b));
        let (pa, pb) = (self.pin(ra, a, pinned), self.pin(rb, b, pinned));
        let fixed = |s: &Self, root: usize, v: usize| s.constant[root] || constants[v].is_some();
        if ra == rb || pa.is_some() && pb.is_some() || fixed(self, ra, a) && fixed(self, rb, b) {
            return false;
        }
        // What an algorithm assigns must stand for itself and cannot be a constant.
        if pa.or(pb).is_some() && (fixed(self, ra, a) || fixed(self, rb, b)) {
            return false;
        }
        self.constant[ra] = fixed(self, ra, a) || fixed(self, rb, b);
        self.parent[rb] = ra as u32;
        self.negated[rb] = na ^ nb ^ negated;
        self.pinned[ra] = pa.or(pb);
        self.conditions.before[ra] |= self.conditions.before[rb];
        self.conditions.any[ra] |= self.conditions.any[rb];
        true
    }

    fn constant(
        &mut self,
        v: usize,
        value: ExprId,
        pinned: &[bool],
        constants: &mut [Option<ExprId>],
        store: &mut Store,
    ) -> bool {
        let (root, negated) = self.find(v);
        if self.constant[root] || constants[root].is_some() || self.pin(root, v, pinned).is_some() {
            return false;
        }
        self.constant[root] = true;
        constants[root] = Some(if negated { store.negate(value) } else { value });
        true
    }
}

/// Picks the representative of each set and gives it what the others declare.
fn choose(
    model: &mut ScalarModel,
    sets: &mut Sets,
    pinned: &[bool],
    constants: &[Option<ExprId>],
    fold: &[Option<ExprId>],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Option<Alias>> {
    let count = model.vars.len();
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    for v in 0..count {
        let (root, _) = sets.find(v);
        members[root].push(v as u32);
    }
    let mut aliases = vec![None; count];
    for (v, value) in fold.iter().enumerate() {
        aliases[v] = value.map(Alias::Constant);
    }
    for set in &members {
        let constant = set.iter().find_map(|&v| {
            let (_, negated) = sets.find(v as usize);
            constants[v as usize].filter(|_| fold[v as usize].is_none()).map(|c| (c, negated))
        });
        if let Some((value, negated)) = constant {
            let value = if negated { model.store.negate(value) } else { value };
            for &v in set {
                let (_, sign) = sets.find(v as usize);
                let value = if sign { model.store.negate(value) } else { value };
                aliases[v as usize] = Some(Alias::Constant(value));
            }
            continue;
        }
        if set.len() < 2 {
            continue;
        }
        let rank = |v: u32| {
            let var = &model.vars[v as usize];
            let depth = var.name.matches('.').count();
            let select = match var.state_select {
                StateSelect::Always => 4,
                StateSelect::Prefer => 3,
                StateSelect::Default => 2,
                _ => 1,
            };
            (
                pinned[v as usize],
                select,
                var.fixed == Some(true),
                var.start.is_some(),
                std::cmp::Reverse(depth),
                std::cmp::Reverse(v),
            )
        };
        let Some(best) = set.iter().copied().max_by_key(|&v| rank(v)) else { continue };
        let (_, base) = sets.find(best as usize);
        let mut others = Vec::new();
        for &v in set {
            if v != best {
                let (_, sign) = sets.find(v as usize);
                let negated = sign != base;
                aliases[v as usize] = Some(Alias::Of { var: VarId(best), negated });
                others.push((v as usize, negated));
            }
        }
        merge(model, best as usize, &others, diagnostics);
    }
    aliases
}

fn merge(model: &mut ScalarModel, best: usize, others: &[(usize, bool)], diagnostics: &mut Vec<Diagnostic>) {
    for &(other, negated) in others {
        let source = model.vars[other].clone();
        let start = source.start.map(|s| if negated { model.store.negate(s) } else { s });
        let target = &model.vars[best];
        if source.fixed == Some(true) {
            if target.fixed == Some(true) {
                let zero = model.store.zero();
                let (a, b) = (target.start.unwrap_or(zero), start.unwrap_or(zero));
                if a != b && model.store.number(a).is_some() && model.store.number(b).is_some() {
                    let text = [a, b].map(|e| kairos_expr::print(&model.store, e, &|_: VarId| String::new()));
                    diagnostics.push(diagnostics::conflicting_starts(target, &source, &text));
                }
            } else {
                let target = &mut model.vars[best];
                target.fixed = Some(true);
                target.start = start.or(target.start);
            }
        }
        let target = &mut model.vars[best];
        if target.start.is_none() {
            target.start = start;
        }
        if target.nominal.is_none() {
            target.nominal = source.nominal;
        }
        if target.state_select == StateSelect::Default && source.state_select < StateSelect::Default {
            target.state_select = source.state_select;
        }
    }
}

/// Replaces eliminated variables everywhere.
fn rewrite(model: &mut ScalarModel, aliases: &[Option<Alias>]) {
    let store = &mut model.store;
    let types: Vec<Scalar> = model.vars.iter().map(|v| v.ty).collect();
    let mut memo = ExprMap::default();
    let mut new = |store: &mut Store, e: ExprId| {
        store.substitute(e, &mut memo, &mut |store, v| match aliases[v.index()]? {
            Alias::Constant(value) => Some(value),
            Alias::Of { var, negated } => {
                let e = store.var(var, Type::scalar(types[var.index()]));
                Some(if negated { store.negate(e) } else { e })
            }
        })
    };
    let equations = model.equations.iter_mut().chain(model.initial_equations.iter_mut());
    for equation in equations {
        map_equation(store, equation, aliases, &mut new);
    }
    for clock in &mut model.clocks {
        clock.visit_exprs_mut(&mut |e| *e = new(store, *e));
    }
    for var in &mut model.vars {
        var.visit_exprs_mut(&mut |e| *e = new(store, *e));
    }
}

fn map_equation(
    store: &mut Store,
    equation: &mut Equation,
    aliases: &[Option<Alias>],
    new: &mut impl FnMut(&mut Store, ExprId) -> ExprId,
) {
    let place = |v: VarId| match aliases[v.index()] {
        Some(Alias::Of { var, negated }) => (var, negated),
        _ => (v, false),
    };
    match &mut equation.kind {
        EquationKind::Equal(l, r) => {
            *l = new(store, *l);
            *r = new(store, *r);
        }
        EquationKind::WhenAssign { var, branches } => {
            let (target, negated) = place(*var);
            *var = target;
            for (conditions, value) in branches {
                conditions.iter_mut().for_each(|c| *c = new(store, *c));
                *value = new(store, *value);
                if negated {
                    *value = store.negate(*value);
                }
            }
        }
        EquationKind::WhenDo(branches) => {
            for (conditions, actions) in branches {
                conditions.iter_mut().for_each(|c| *c = new(store, *c));
                for GuardedAction { guard, action, .. } in actions {
                    guard.iter_mut().for_each(|g| *g = new(store, *g));
                    match action {
                        Action::Reinit(v, e) => {
                            let (target, negated) = place(*v);
                            *v = target;
                            *e = new(store, *e);
                            if negated {
                                *e = store.negate(*e);
                            }
                        }
                        Action::Assert { condition, message, .. } => {
                            *condition = new(store, *condition);
                            *message = new(store, *message);
                        }
                        Action::Call(e) => *e = new(store, *e),
                        Action::Terminate(condition, message) => {
                            *condition = new(store, *condition);
                            *message = new(store, *message);
                        }
                    }
                }
            }
        }
        EquationKind::Algorithm { statements, .. } => map_statements(store, statements, &place, new),
        EquationKind::Assert { condition, message, .. } => {
            *condition = new(store, *condition);
            *message = new(store, *message);
        }
        EquationKind::Call(e) => *e = new(store, *e),
    }
}

fn map_statements(
    store: &mut Store,
    statements: &mut [Stmt],
    place: &impl Fn(VarId) -> (VarId, bool),
    new: &mut impl FnMut(&mut Store, ExprId) -> ExprId,
) {
    let target = |lvalue: &mut LValue| {
        if let Target::Var(v) = &mut lvalue.target {
            *v = place(*v).0;
        }
    };
    for statement in statements {
        match statement {
            Stmt::Assign(lvalue, e, _) => {
                target(lvalue);
                *e = new(store, *e);
            }
            Stmt::AssignTuple(lvalues, e, _) => {
                lvalues.iter_mut().flatten().for_each(target);
                *e = new(store, *e);
            }
            Stmt::Call(e, _) | Stmt::Terminate(e, _) => *e = new(store, *e),
            Stmt::If(branches, otherwise) => {
                for (c, body) in branches {
                    *c = new(store, *c);
                    map_statements(store, body, place, new);
                }
                map_statements(store, otherwise, place, new);
            }
            Stmt::For(_, e, body, _) | Stmt::While(e, body, _) => {
                *e = new(store, *e);
                map_statements(store, body, place, new);
            }
            Stmt::When(branches, _) => {
                for (c, body) in branches {
                    *c = new(store, *c);
                    map_statements(store, body, place, new);
                }
            }
            Stmt::Assert { condition, message, .. } => {
                *condition = new(store, *condition);
                *message = new(store, *message);
            }
            Stmt::Reinit(v, e, _) => {
                let (target, negated) = place(*v);
                *v = target;
                *e = new(store, *e);
                if negated {
                    *e = store.negate(*e);
                }
            }
            Stmt::Break | Stmt::Return => {}
        }
    }
}
