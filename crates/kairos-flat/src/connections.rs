//! Connection sets and their equations (MLS 9.2).

use crate::diagnostics;
use crate::expand::{Expander, SCALARS};
use crate::streams::{End, Pair};
use kairos_base::hash::{HashMap, HashSet};
use kairos_base::{Diagnostic, Name, Span};
use kairos_expr::{BinOp, ExprId, Scalar, Type, VarId};
use kairos_model::{Equation, EquationKind, Origin};
use kairos_sema::{CompId, Connect, Endpoint, Variability, What};

/// A scalar variable seen from inside or outside its component.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    var: VarId,
    outside: bool,
}

#[derive(Default)]
struct Sets {
    nodes: Vec<Node>,
    /// Where a variable is in `nodes`, seen from inside and from outside; variables are numbered densely.
    index: Vec<[u32; 2]>,
    parent: Vec<u32>,
    flow: Vec<bool>,
    span: Vec<Span>,
    streams: Vec<Pair>,
    /// Joined inputs and outputs, each seen from inside or outside.
    signals: Vec<(Node, Node, Span)>,
    asserts: Vec<Equation>,
}

/// The place of a variable that is in no set.
const NOWHERE: u32 = u32::MAX;

impl Sets {
    fn node(&mut self, node: Node, flow: bool, span: Span) -> usize {
        let var = (node.var.0 - SCALARS) as usize;
        if self.index.len() <= var {
            self.index.resize(var + 1, [NOWHERE; 2]);
        }
        let place = &mut self.index[var][usize::from(node.outside)];
        if *place == NOWHERE {
            *place = self.nodes.len() as u32;
            self.parent.push(*place);
            self.nodes.push(node);
            self.flow.push(flow);
            self.span.push(span);
        }
        *place as usize
    }

    fn find(&mut self, mut i: usize) -> usize {
        while self.parent[i] as usize != i {
            self.parent[i] = self.parent[self.parent[i] as usize];
            i = self.parent[i] as usize;
        }
        i
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        // The older one stays the root, so that sets keep the order of the source.
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low as u32;
    }
}

/// The equations of all connections, with zero for flows that nothing is connected to; joined streams separately.
pub fn connection_equations(
    x: &mut Expander,
    connects: &[Connect],
    root: CompId,
) -> (Vec<Equation>, Vec<Pair>) {
    let mut sets = Sets::default();
    for c in connects {
        x.span = c.span;
        join(x, &mut sets, c, c.a, c.b);
    }
    unconnected_flows(x, &mut sets, root, false);
    let in_bus = bus_variables(x, &mut sets);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut place = vec![0; sets.nodes.len()];
    for i in 0..sets.nodes.len() {
        // The root of a set is its oldest node.
        let r = sets.find(i);
        if r == i {
            place[r] = groups.len();
            groups.push(Vec::new());
        }
        groups[place[r]].push(i);
    }
    let signals = std::mem::take(&mut sets.signals);
    one_source(x, &signals);
    let mut out = std::mem::take(&mut sets.asserts);
    for group in groups {
        let origin = Origin { span: sets.span[group[0]], path: Name::EMPTY };
        if sets.flow[group[0]] {
            let sum = sum(x, &sets, &group);
            let zero = x.sema.store.real(0.0);
            out.push(Equation { kind: EquationKind::Equal(sum, zero), origin, clock: None });
            continue;
        }
        let first = leaf(x, sets.nodes[group[0]].var);
        if group.iter().all(|i| in_bus.contains(&sets.nodes[*i].var)) {
            // MLS 9.1.3: members of a bus that nothing drives are not defined; they rest at a neutral value.
            let rest = neutral(x, first);
            out.push(Equation { kind: EquationKind::Equal(first, rest), origin, clock: None });
        }
        for &i in &group[1..] {
            if sets.nodes[i].var == sets.nodes[group[0]].var {
                continue;
            }
            let other = leaf(x, sets.nodes[i].var);
            let origin = Origin { span: sets.span[i], path: Name::EMPTY };
            out.push(Equation { kind: EquationKind::Equal(first, other), origin, clock: None });
        }
    }
    (out, sets.streams)
}

/// The variables of expandable connectors, each in a set at least of its own.
fn bus_variables(x: &mut Expander, sets: &mut Sets) -> HashSet<VarId> {
    let mut found = HashSet::default();
    for at in 0..x.sema.scalars.len() {
        let (first, comp) = x.sema.scalars[at];
        let c = x.sema.comp(comp);
        if c.variability <= Variability::Parameter || c.flow || !x.sema.in_bus(comp) {
            continue;
        }
        let count: usize = c.dims.iter().map(|d| d.known().unwrap_or(0)).product();
        let span = c.span;
        for k in 0..count as u32 {
            let var = VarId(first.0 + k);
            found.insert(var);
            sets.node(Node { var, outside: false }, false, span);
        }
    }
    found
}

fn neutral(x: &mut Expander, like: ExprId) -> ExprId {
    let store = &mut x.sema.store;
    match store.ty(like).scalar {
        Scalar::Bool => store.bool(false),
        Scalar::Int => store.int(0),
        Scalar::Str => store.str(""),
        Scalar::Enum(t) => store.literal(t, 1),
        _ => store.real(0.0),
    }
}

fn leaf(x: &mut Expander, var: VarId) -> ExprId {
    let ty = x.var_type(var);
    x.sema.store.var(var, Type::scalar(ty))
}

fn sum(x: &mut Expander, sets: &Sets, group: &[usize]) -> ExprId {
    let mut total: Option<ExprId> = None;
    for &i in group {
        let e = leaf(x, sets.nodes[i].var);
        let store = &mut x.sema.store;
        total = Some(match (total, sets.nodes[i].outside) {
            (None, false) => e,
            (None, true) => store.negate(e),
            (Some(t), false) => store.operate(BinOp::Add, t, e),
            (Some(t), true) => store.operate(BinOp::Sub, t, e),
        });
    }
    total.unwrap_or_else(|| x.sema.store.real(0.0))
}

/// Joins two connectors variable by variable.
fn join(x: &mut Expander, sets: &mut Sets, c: &Connect, a: Endpoint, b: Endpoint) {
    let (p, q) = (x.sema.comp(a.comp).outer.unwrap_or(a.comp), x.sema.comp(b.comp).outer.unwrap_or(b.comp));
    if x.sema.forest.is_cut(p, q) {
        return;
    }
    let (what, other) = (x.sema.comp(p).what, x.sema.comp(q).what);
    match (what, other) {
        (What::Variable(s), What::Variable(t)) => {
            if s != t {
                return mismatch(x, c, "have different types");
            }
            let (Some(first), Some(second)) = (x.first(p), x.first(q)) else {
                return;
            };
            let flow = x.sema.comp(p).flow;
            if flow != x.sema.comp(q).flow {
                return mismatch(x, c, "differ in `flow`");
            }
            let stream = x.sema.comp(p).stream;
            if stream != x.sema.comp(q).stream {
                return mismatch(x, c, "differ in `stream`");
            }
            let fixed = |x: &Expander, comp: CompId| match x.sema.comp(comp).variability {
                v @ (Variability::Constant | Variability::Parameter) => Some(v),
                _ => None,
            };
            let constant = fixed(x, p).is_some();
            if fixed(x, p) != fixed(x, q) {
                return mismatch(x, c, "differ in `parameter` or `constant`");
            }
            let causal = [p, q].map(|comp| x.sema.comp(comp).direction.is_some());
            if causal[0] != causal[1] && !constant && !in_bus(x, p) && !in_bus(x, q) {
                return mismatch(x, c, "differ in `input` or `output`");
            }
            let picks = |x: &Expander, comp: CompId, element: Option<u32>| match element {
                Some(k) => vec![k],
                None => {
                    let count: usize =
                        x.sema.comp(comp).dims.iter().map(|d| d.known().unwrap_or(0)).product();
                    (0..count as u32).collect()
                }
            };
            let (i, j) = (picks(x, p, a.element), picks(x, q, b.element));
            if i.len() != j.len() {
                return mismatch(x, c, "have different sizes");
            }
            for (i, j) in i.into_iter().zip(j) {
                if constant {
                    same_value(x, sets, c, VarId(first.0 + i), VarId(second.0 + j));
                    continue;
                }
                if causal == [true, true] {
                    let a = Node { var: VarId(first.0 + i), outside: c.a_outside };
                    let b = Node { var: VarId(second.0 + j), outside: c.b_outside };
                    sets.signals.push((a, b, c.span));
                }
                if stream {
                    let a = End { var: VarId(first.0 + i), outside: c.a_outside };
                    let b = End { var: VarId(second.0 + j), outside: c.b_outside };
                    sets.streams.push(Pair { a, b, span: c.span });
                    continue;
                }
                let m =
                    sets.node(Node { var: VarId(first.0 + i), outside: c.a_outside && flow }, flow, c.span);
                let n =
                    sets.node(Node { var: VarId(second.0 + j), outside: c.b_outside && flow }, flow, c.span);
                sets.join(m, n);
            }
        }
        (What::Parts, What::Parts) => {
            for &part in x.sema.parts(p).iter() {
                let name = x.sema.comp(part).name;
                if x.sema.comp(part).disabled {
                    continue;
                }
                match x.sema.child(q, name) {
                    Some(other) => {
                        let (a, b) =
                            (Endpoint { comp: part, element: None }, Endpoint { comp: other, element: None });
                        join(x, sets, c, a, b);
                    }
                    None => return mismatch(x, c, &format!("do not both have `{name}`")),
                }
            }
        }
        (What::Array, What::Array) => {
            let (i, j) = (x.sema.comp(p).elements.clone(), x.sema.comp(q).elements.clone());
            if i.len() != j.len() {
                return mismatch(x, c, "have different sizes");
            }
            for (m, n) in i.into_iter().zip(j) {
                join(x, sets, c, Endpoint { comp: m, element: None }, Endpoint { comp: n, element: None });
            }
        }
        (What::Broken, _) | (_, What::Broken) => {}
        _ => mismatch(x, c, "are of different kinds"),
    }
}

/// MLS 9.3: parameters of connected connectors must agree.
fn same_value(x: &mut Expander, sets: &mut Sets, c: &Connect, a: VarId, b: VarId) {
    let (p, q) = (leaf(x, a), leaf(x, b));
    let values = (x.sema.try_constant(p), x.sema.try_constant(q));
    if let (Some(v), Some(w)) = values
        && format!("{v:?}") != format!("{w:?}")
    {
        let (a, b) = (x.sema.comp_path(c.a.comp), x.sema.comp_path(c.b.comp));
        x.diagnostics.push(diagnostics::parameters_differ(&a, &b, c.span));
        return;
    }
    let store = &mut x.sema.store;
    let condition = store.scalar_binary(BinOp::Eq, p, q);
    let message = store.str("parameters of connected connectors differ");
    let origin = Origin { span: c.span, path: Name::EMPTY };
    let kind = EquationKind::Assert { condition, message, warning: false };
    sets.asserts.push(Equation { kind, origin, clock: None });
}

fn in_bus(x: &Expander, comp: CompId) -> bool {
    x.sema.is_expandable(comp) || x.sema.in_bus(comp)
}

/// A connection set has at most one source of a signal (MLS 9.3).
fn one_source(x: &mut Expander, signals: &[(Node, Node, Span)]) {
    let mut sets = Sets::default();
    for (a, b, span) in signals {
        let (a, b) = (sets.node(*a, false, *span), sets.node(*b, false, *span));
        sets.join(a, b);
    }
    let mut sources: HashMap<usize, VarId> = HashMap::default();
    for k in 0..sets.nodes.len() {
        let Node { var, outside } = sets.nodes[k];
        let comp = comp_of(x, var);
        let c = x.sema.comp(comp);
        let output = c.direction == Some(kairos_syntax::ast::Direction::Output);
        if output == outside || (outside && c.protected) || in_bus(x, comp) {
            continue;
        }
        let root = sets.find(k);
        match sources.get(&root) {
            // MLS 17.3.6: outputs of several states are one source.
            Some(&first) if x.sema.in_different_states(comp_of(x, first), comp) => {}
            Some(&first) if first != var => {
                let first = x.sema.comp_path(comp_of(x, first));
                let second = x.sema.comp_path(comp);
                let d = diagnostics::two_sources(&first, &second, sets.span[k]);
                // Physical connectors of some libraries carry facts as outputs, which only one end knows.
                let whole = x.sema.comp(comp).parent.filter(|p| x.sema.is_connector(*p));
                let physical =
                    whole.is_some_and(|p| x.sema.parts(p).iter().any(|part| x.sema.comp(*part).flow));
                if physical { x.doubtful.push(d) } else { x.diagnostics.push(d) }
            }
            _ => {
                sources.insert(root, var);
            }
        }
    }
}

fn comp_of(x: &Expander, var: VarId) -> CompId {
    let at = x.sema.scalars.partition_point(|(v, _)| *v <= var);
    x.sema.scalars[at.saturating_sub(1)].1
}

fn mismatch(x: &mut Expander, c: &Connect, why: &str) {
    let (a, b) = (x.sema.comp_path(c.a.comp), x.sema.comp_path(c.b.comp));
    let d = Diagnostic::error("connect-mismatch", format!("`{a}` and `{b}` {why}"));
    x.diagnostics.push(d.at(c.span).help("connect connectors of the same class"));
}

/// Every flow has an implicit set of its own as seen from around its component (MLS 9.2); nothing is around the
/// whole model, so that its own connectors carry no flow.
fn unconnected_flows(x: &mut Expander, sets: &mut Sets, comp: CompId, inside: bool) {
    let c = x.sema.comp(comp);
    if c.disabled || c.outer.is_some() {
        return;
    }
    match c.what {
        What::Array => c.elements.clone().into_iter().for_each(|e| unconnected_flows(x, sets, e, inside)),
        What::Parts => {
            let inside = inside || x.sema.is_connector(comp);
            x.sema.parts(comp).iter().for_each(|p| unconnected_flows(x, sets, *p, inside));
        }
        // The prefix means nothing outside of connectors.
        What::Variable(_) if c.flow && (inside || x.sema.is_connector(comp)) => {
            let count: usize = c.dims.iter().map(|d| d.known().unwrap_or(0)).product();
            let span = c.span;
            // MLS 9.1.3: a bus has the members of the buses connected to it, also where its own component uses none.
            let both = x.sema.in_bus(comp);
            if let Some(first) = x.first(comp) {
                for k in 0..count as u32 {
                    let var = VarId(first.0 + k);
                    sets.node(Node { var, outside: false }, true, span);
                    if both {
                        sets.node(Node { var, outside: true }, true, span);
                    }
                }
            }
        }
        _ => {}
    }
}
