//! Clock partitioning: gives clocked equations and variables their partition and exact clock (MLS 16.7).

use crate::diagnostics;
use crate::expand::{Expander, SCALARS};
use crate::incidence::{CONVERTED, Incidence, Sets};
use crate::rates::{self, Definition, Link, Rate, Relation};
use crate::states::States;
use kairos_base::Span;
use kairos_base::hash::HashMap;
use kairos_expr::{BinOp, Builtin, ExprId, Node, Scalar, Store, Type, VarId};
use kairos_model::{
    Causality, ClockKind, ClockPartition, Equation, EquationKind, Origin, Variability, Variable,
};

/// Partitions the equations, removes equations between clocks, and takes clock arguments out of operators.
pub fn partition(
    x: &mut Expander,
    vars: &mut Vec<Variable>,
    equations: &mut Vec<Equation>,
    initial: &mut [Equation],
    states: &States,
) -> Vec<ClockPartition> {
    if !vars.iter().any(|v| v.ty == Scalar::Clock) && !mentioned(&x.sema.store) {
        return Vec::new();
    }
    open_inputs(x, vars, equations);
    let mut all = Incidence::new(x, vars);
    let nodes = all.equations(equations);
    with_machines(&mut all, equations, &nodes, states);
    let mut clocks = assign(&mut all, equations, &nodes);
    by_state(&mut all, equations, &mut clocks, states);
    let stand_ins = std::mem::take(&mut all.stand_ins);
    let store = &mut x.sema.store;
    let unknown = std::iter::repeat(&usize::MAX);
    for (eq, node) in equations.iter_mut().zip(&nodes).chain(initial.iter_mut().zip(unknown)) {
        let mut plain = Plain { store, node: *node, stand_ins: &stand_ins, memo: HashMap::default() };
        eq.visit_exprs_mut(&mut |e| *e = plain.rewrite(*e));
    }
    clocks
}

/// A clock that is an input of the whole model ticks where a Boolean input of the same name becomes true. That input is protected, which
/// tells it from inputs that a user has declared.
fn open_inputs(x: &mut Expander, vars: &mut Vec<Variable>, equations: &mut Vec<Equation>) {
    for k in 0..vars.len() {
        if vars[k].ty != Scalar::Clock || vars[k].causality != Causality::Input {
            continue;
        }
        let clock = x.sema.store.var(VarId(SCALARS + k as u32), Type::scalar(Scalar::Clock));
        let given = |eq: &Equation| matches!(eq.kind, EquationKind::Equal(a, b) if a == clock || b == clock);
        if equations.iter().any(given) {
            continue;
        }
        let (name, span) = (vars[k].name.clone(), vars[k].span);
        let ticks = VarId(SCALARS + vars.len() as u32);
        vars.push(Variable {
            causality: Causality::Input,
            start: Some(x.sema.store.bool(false)),
            description: vars[k].description,
            ..Variable::made(&name, Scalar::Bool, span)
        });
        let store = &mut x.sema.store;
        let condition = store.var(ticks, Type::scalar(Scalar::Bool));
        let event =
            store.add(Node::Builtin(Builtin::Clock, vec![condition].into()), Type::scalar(Scalar::Clock));
        let origin = Origin { span, path: kairos_base::Name::EMPTY };
        equations.push(Equation { kind: EquationKind::Equal(clock, event), origin, clock: None });
    }
}

/// MLS 17.1: all parts of a state machine have the same clock.
fn with_machines(all: &mut Incidence, equations: &[Equation], nodes: &[usize], states: &States) {
    if states.is_empty() {
        return;
    }
    for (equation, node) in equations.iter().zip(nodes) {
        if let Some(state) = state_of(all, equation, states) {
            let leader = all.var_nodes[(states.leader(state).0 - SCALARS) as usize];
            all.sets.join(*node, leader);
        }
    }
}

/// The state that contains an equation of the model; what stands for an operand has the clock of that operand.
fn state_of(all: &Incidence, equation: &Equation, states: &States) -> Option<usize> {
    if let EquationKind::Equal(lhs, _) = equation.kind
        && let Node::Var(v) = all.x.sema.store.node(lhs)
        && all.vars[(v.0 - SCALARS) as usize].name.starts_with(CONVERTED)
    {
        return None;
    }
    states.around(equation.origin.path.as_str())
}

/// Equations and variables of a state get a partition that acts while the state is active.
fn by_state(
    all: &mut Incidence,
    equations: &mut [Equation],
    clocks: &mut Vec<ClockPartition>,
    states: &States,
) {
    if states.is_empty() {
        return;
    }
    let mut made: HashMap<(u32, usize), u32> = HashMap::default();
    let mut acting = |all: &mut Incidence, clock: Option<u32>, state: Option<usize>| {
        let (Some(clock), Some(state)) = (clock, state) else { return clock };
        Some(*made.entry((clock, state)).or_insert_with(|| {
            let state = Some(states.activity(all.x, state));
            let partition = ClockPartition { state, ..clocks[clock as usize].clone() };
            clocks.push(partition);
            clocks.len() as u32 - 1
        }))
    };
    for equation in equations {
        let state = state_of(all, equation, states);
        equation.clock = acting(all, equation.clock, state);
    }
    for k in 0..all.vars.len() {
        let state = states.of_variable(&all.vars[k].name);
        all.vars[k].clock = acting(all, all.vars[k].clock, state);
    }
}

/// Does any expression depend on clocks?
pub fn mentioned(store: &Store) -> bool {
    let clocked = |e: usize| match store.node(ExprId::new(e)) {
        Node::Builtin(f, _) => is_clocked(*f),
        _ => false,
    };
    (0..store.len()).any(clocked)
}

fn is_clocked(f: Builtin) -> bool {
    use Builtin::*;
    matches!(
        f,
        Clock
            | ClockedSample
            | Hold
            | Previous
            | SubSample
            | SuperSample
            | ShiftSample
            | BackSample
            | NoClock
            | Interval
            | FirstTick
    )
}

/// One sub-partition while its clock is sought.
struct Sub {
    base: usize,
    place: Span,
    solver: Option<(String, Span)>,
    differential: Option<Span>,
}

fn assign(all: &mut Incidence, equations: &mut [Equation], nodes: &[usize]) -> Vec<ClockPartition> {
    let mut bases = all.sets.clone();
    for link in &all.links {
        bases.join(link.from, link.to);
    }
    let clocked = roots(&mut bases, &all.clocked);
    let unclocked = roots(&mut bases, &all.unclocked);
    let mut conflicts: Vec<(usize, Span)> = clocked.iter().map(|(root, span)| (*root, *span)).collect();
    conflicts.sort_by_key(|(root, _)| *root);
    for (root, span) in conflicts {
        if let Some(other) = unclocked.get(&root) {
            all.x.diagnostics.push(diagnostics::clock_conflict(span, *other));
        }
    }
    for (node, operator, span) in &all.wanted {
        if !clocked.contains_key(&bases.find(*node)) {
            all.x.diagnostics.push(diagnostics::unclocked_operator(operator, *span));
        }
    }
    // Sub-partitions in the order of their first equation.
    let mut order: Vec<usize> = Vec::new();
    let mut subs: HashMap<usize, Sub> = HashMap::default();
    let mut visit = |node: usize, span: Span, sets: &mut Sets, bases: &mut Sets| {
        let (sub, base) = (sets.find(node), bases.find(node));
        if clocked.contains_key(&base) && !subs.contains_key(&sub) {
            order.push(sub);
            subs.insert(sub, Sub { base, place: span, solver: None, differential: None });
        }
    };
    for (eq, node) in equations.iter().zip(nodes) {
        visit(*node, eq.origin.span, &mut all.sets, &mut bases);
    }
    for (k, var) in all.vars.iter().enumerate() {
        if var.ty != Scalar::Clock {
            visit(all.var_nodes[k], var.span, &mut all.sets, &mut bases);
        }
    }
    for (node, span) in std::mem::take(&mut all.differential) {
        if let Some(sub) = subs.get_mut(&all.sets.find(node)) {
            sub.differential.get_or_insert(span);
        }
    }
    solver_methods(all, &mut subs, &order);
    let rates = clock_rates(all, &subs, &order, &mut bases);
    let index: HashMap<usize, u32> = order.iter().enumerate().map(|(k, sub)| (*sub, k as u32)).collect();
    for (eq, node) in equations.iter_mut().zip(nodes) {
        eq.clock = index.get(&all.sets.find(*node)).copied();
    }
    for k in 0..all.vars.len() {
        let sub = all.sets.find(all.var_nodes[k]);
        all.vars[k].clock = index.get(&sub).copied();
        if subs.contains_key(&sub) {
            all.vars[k].variability = all.vars[k].variability.min(Variability::Discrete);
        }
    }
    let mut numbers: HashMap<usize, u32> = HashMap::default();
    let mut out = Vec::with_capacity(order.len());
    for sub in &order {
        let entry = &subs[sub];
        let next = numbers.len() as u32;
        let base = *numbers.entry(entry.base).or_insert(next);
        let (kind, rate) = rates.get(sub).cloned().unwrap_or_else(|| default_clock(all));
        out.push(ClockPartition {
            base,
            kind,
            factor: rate.period.parts(),
            shift: rate.phase.parts(),
            solver: entry.solver.as_ref().map(|(method, _)| method.clone()),
            state: None,
        });
    }
    out
}

fn roots(sets: &mut Sets, list: &[(usize, Span)]) -> HashMap<usize, Span> {
    let mut found = HashMap::default();
    for (node, span) in list {
        found.entry(sets.find(*node)).or_insert(*span);
    }
    found
}

/// Links between representatives of sub-partitions.
fn between(all: &mut Incidence) -> Vec<Link> {
    let links = all.links.clone();
    links.into_iter().map(|l| Link { from: all.sets.find(l.from), to: all.sets.find(l.to), ..l }).collect()
}

/// The solver of a sub-partition is its own, or inferred across conversions (MLS 16.8.4).
fn solver_methods(all: &mut Incidence, subs: &mut HashMap<usize, Sub>, order: &[usize]) {
    for (node, method, span) in std::mem::take(&mut all.solvers) {
        let Some(sub) = subs.get_mut(&all.sets.find(node)) else { continue };
        match &sub.solver {
            Some((other, place)) if *other != method => {
                all.x.diagnostics.push(diagnostics::solver_conflict(span, *place));
            }
            _ => sub.solver = Some((method, span)),
        }
    }
    let links = between(all);
    let own: HashMap<usize, (String, Span)> =
        order.iter().filter_map(|s| subs[s].solver.clone().map(|m| (*s, m))).collect();
    for sub in order {
        if own.contains_key(sub) {
            continue;
        }
        // Everything reachable through partitions without a method of their own.
        let mut seen = vec![*sub];
        let mut at = 0;
        let mut found: Option<(String, Span)> = None;
        while let Some(&here) = seen.get(at) {
            at += 1;
            if let Some((method, span)) = own.get(&here) {
                match &found {
                    Some((other, place)) if other != method && subs[sub].differential.is_some() => {
                        all.x.diagnostics.push(diagnostics::solver_conflict(*span, *place));
                    }
                    _ => found = Some((method.clone(), *span)),
                }
                continue;
            }
            for link in links.iter().filter(|l| l.relation != Relation::Same) {
                for (a, b) in [(link.from, link.to), (link.to, link.from)] {
                    if a == here && !seen.contains(&b) {
                        seen.push(b);
                    }
                }
            }
        }
        if let Some(entry) = subs.get_mut(sub) {
            entry.solver = found;
        }
    }
    for sub in order {
        let entry = &mut subs.get_mut(sub).expect("every sub-partition in order is known");
        match (entry.differential, &entry.solver) {
            (Some(span), None) => all.x.diagnostics.push(diagnostics::no_solver(span)),
            (None, _) => entry.solver = None,
            _ => {}
        }
    }
}

/// The clock of every sub-partition, base by base.
fn clock_rates(
    all: &mut Incidence,
    subs: &HashMap<usize, Sub>,
    order: &[usize],
    bases: &mut Sets,
) -> HashMap<usize, (ClockKind, Rate)> {
    let links = between(all);
    let definitions: Vec<(usize, Definition, Span)> =
        all.definitions.clone().into_iter().map(|(n, d, s)| (all.sets.find(n), d, s)).collect();
    let mut out = HashMap::default();
    let mut done: Vec<usize> = Vec::new();
    for sub in order {
        let base = subs[sub].base;
        if done.contains(&base) {
            continue;
        }
        done.push(base);
        let mine = |node: usize, bases: &mut Sets| bases.find(node) == base;
        let list: Vec<usize> = order.iter().copied().filter(|s| subs[s].base == base).collect();
        let inner: Vec<Link> = links.iter().filter(|l| mine(l.from, bases)).cloned().collect();
        let given: Vec<_> = definitions.iter().filter(|d| mine(d.0, bases)).copied().collect();
        match rates::infer(&list, &inner, &given, subs[sub].place) {
            Ok(found) => {
                let kind = match found.base {
                    Some(definition) => base_clock(&mut all.x.sema.store, definition),
                    None => {
                        all.x.diagnostics.push(diagnostics::clock_default(subs[sub].place));
                        default_clock(all).0
                    }
                };
                for s in list {
                    if let Some(rate) = found.rates.get(&s) {
                        out.insert(s, (kind.clone(), *rate));
                    } else {
                        all.x.diagnostics.push(diagnostics::clock_undetermined(subs[&s].place));
                    }
                }
            }
            Err(d) => all.x.diagnostics.push(d),
        }
    }
    out
}

fn base_clock(store: &mut Store, definition: Definition) -> ClockKind {
    match definition {
        Definition::Exact(interval) => {
            let (num, den) = interval.parts();
            ClockKind::Rational { counter: store.int(num), resolution: store.int(den) }
        }
        Definition::Counted { counter, resolution } => {
            ClockKind::Rational { counter, resolution: store.int(resolution) }
        }
        Definition::Interval(interval) => ClockKind::Periodic { interval },
        Definition::Event { condition, start_interval } => ClockKind::Event { condition, start_interval },
    }
}

fn default_clock(all: &mut Incidence) -> (ClockKind, Rate) {
    use crate::rational::Rational;
    let interval = all.x.sema.store.real(1.0);
    (ClockKind::Periodic { interval }, Rate { period: Rational::ONE, phase: Rational::ZERO })
}

/// Rewrites the expressions of one equation to what later stages see.
struct Plain<'p> {
    store: &'p mut Store,
    node: usize,
    stand_ins: &'p HashMap<(usize, ExprId), ExprId>,
    memo: HashMap<ExprId, ExprId>,
}

impl Plain<'_> {
    fn rewrite(&mut self, e: ExprId) -> ExprId {
        if let Some(&done) = self.memo.get(&e) {
            return done;
        }
        let new = match (self.stand_ins.get(&(self.node, e)), self.store.node(e).clone()) {
            (Some(&made), _) => made,
            (None, Node::Builtin(Builtin::ClockedSample, args)) => {
                let u = self.rewrite(args[0]);
                self.store.scalar_builtin(Builtin::ClockedSample, &[u])
            }
            (None, Node::Builtin(f @ (Builtin::Interval | Builtin::FirstTick), _)) => {
                let ty = self.store.ty(e).clone();
                self.store.add(Node::Builtin(f, [].into()), ty)
            }
            _ => {
                let mut children = Vec::new();
                self.store.children(e, |c| children.push(c));
                children.into_iter().for_each(|c| {
                    self.rewrite(c);
                });
                let memo = &self.memo;
                let new = self.store.map_children(e, |_, c| memo.get(&c).copied().unwrap_or(c));
                match self.store.node(new) {
                    Node::Binary(BinOp::Mul | BinOp::Add | BinOp::Sub, ..) => self.store.simplify_node(new),
                    _ => new,
                }
            }
        };
        self.memo.insert(e, new);
        new
    }
}
