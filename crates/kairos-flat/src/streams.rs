//! Stream connectors: `inStream`, `actualStream` and the equations of outside connectors (MLS 15).

use crate::diagnostics;
use crate::expand::{Expander, SCALARS};
use kairos_base::hash::HashMap;
use kairos_base::{Name, Span};
use kairos_expr::{BinOp, Builtin, ExprId, Node, Scalar, Type, VarId};
use kairos_model::{Equation, EquationKind, Origin, Variable};
use kairos_sema::{CompId, What};

/// A scalar stream variable seen from inside or outside its component.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct End {
    pub var: VarId,
    pub outside: bool,
}

/// Two stream variables that a connection joins.
pub struct Pair {
    pub a: End,
    pub b: End,
    pub span: Span,
}

/// Flows below this share of the nominal flow count as small in mixing (MLS 15.2).
const SMALL_FLOW: f64 = 1e-7;

/// Puts values for stream operators into all equations, and adds those of outside connectors.
pub fn resolve(
    x: &mut Expander,
    pairs: &[Pair],
    vars: &[Variable],
    equations: &mut Vec<Equation>,
    initial: &mut [Equation],
) {
    let store = &x.sema.store;
    let is_stream = |e: usize| {
        matches!(store.node(ExprId::new(e)), Node::Builtin(Builtin::InStream | Builtin::ActualStream, _))
    };
    if pairs.is_empty() && !(0..store.len()).any(is_stream) {
        return;
    }
    let mut streams = Streams::new(x, vars, pairs);
    let mut added = Vec::new();
    for k in 0..streams.groups.len() {
        let (group, span) = streams.groups[k].clone();
        for end in group.iter().filter(|e| e.outside) {
            let others: Vec<End> = group.iter().copied().filter(|o| o != end).collect();
            let value = streams.mixed(&others);
            let value = value.unwrap_or_else(|| streams.x.sema.store.real(0.0));
            let lhs = streams.leaf(end.var);
            let origin = Origin { span, path: Name::EMPTY };
            added.push(Equation { kind: EquationKind::Equal(lhs, value), origin, clock: None });
        }
    }
    equations.extend(added);
    let mut memo = HashMap::default();
    for eq in equations.iter_mut().chain(initial) {
        let span = eq.origin.span;
        eq.visit_exprs_mut(&mut |e| *e = streams.rewrite(*e, span, &mut memo));
    }
}

struct Streams<'x, 's, 'a> {
    x: &'x mut Expander<'s, 'a>,
    vars: &'x [Variable],
    /// Connection sets in the order of their first connection.
    groups: Vec<(Vec<End>, Span)>,
    place: HashMap<End, usize>,
    values: HashMap<VarId, ExprId>,
    flows: HashMap<VarId, Option<VarId>>,
}

impl<'x, 's, 'a> Streams<'x, 's, 'a> {
    fn new(x: &'x mut Expander<'s, 'a>, vars: &'x [Variable], pairs: &[Pair]) -> Self {
        let mut groups: Vec<(Vec<End>, Span)> = Vec::new();
        let mut place: HashMap<End, usize> = HashMap::default();
        for pair in pairs {
            let known = [place.get(&pair.a).copied(), place.get(&pair.b).copied()];
            let into = known.into_iter().flatten().min().unwrap_or_else(|| {
                groups.push((Vec::new(), pair.span));
                groups.len() - 1
            });
            for (end, was) in [(pair.a, known[0]), (pair.b, known[1])] {
                match was {
                    Some(other) if other != into => {
                        for moved in std::mem::take(&mut groups[other].0) {
                            place.insert(moved, into);
                            groups[into].0.push(moved);
                        }
                    }
                    None if !place.contains_key(&end) => {
                        place.insert(end, into);
                        groups[into].0.push(end);
                    }
                    _ => {}
                }
            }
        }
        Self { x, vars, groups, place, values: HashMap::default(), flows: HashMap::default() }
    }

    fn leaf(&mut self, var: VarId) -> ExprId {
        let ty = self.x.var_type(var);
        self.x.sema.store.var(var, Type::scalar(ty))
    }

    /// `inStream(v)`: what flows into the component of `v` from its surroundings.
    fn in_stream(&mut self, var: VarId) -> ExprId {
        if let Some(&value) = self.values.get(&var) {
            return value;
        }
        let own = self.leaf(var);
        // Ends a connection that leads back to itself.
        self.values.insert(var, own);
        let here = End { var, outside: false };
        let others: Vec<End> = match self.place.get(&here) {
            Some(&k) => self.groups[k].0.iter().copied().filter(|o| *o != here).collect(),
            None => Vec::new(),
        };
        let value = self.mixed(&others).unwrap_or(own);
        self.values.insert(var, value);
        value
    }

    /// The mixture of what comes out of other connectors; `None` if nothing can.
    fn mixed(&mut self, others: &[End]) -> Option<ExprId> {
        if let [one] = others {
            return Some(self.source(*one));
        }
        let mut terms = Vec::new();
        for end in others {
            let flow = self.flow(end.var)?;
            if self.never_leaves(flow, end.outside) {
                continue;
            }
            terms.push((*end, flow));
        }
        match terms.as_slice() {
            [] => None,
            [(one, _)] => Some(self.source(*one)),
            _ => Some(self.regularised(&terms)),
        }
    }

    fn source(&mut self, end: End) -> ExprId {
        // An outside connector brings what its own surroundings supply, one level up.
        if end.outside { self.in_stream(end.var) } else { self.leaf(end.var) }
    }

    /// Do the flow's bounds keep it from ever leaving this connector towards the connection?
    fn never_leaves(&mut self, flow: VarId, outside: bool) -> bool {
        let var = &self.vars[(flow.0 - SCALARS) as usize];
        let bound = if outside { var.max } else { var.min };
        let Some(bound) = bound else { return false };
        let value = self.x.sema.try_constant(bound).and_then(|v| v.as_f64());
        let never = value.is_some_and(|v| if outside { v <= 0.0 } else { v >= 0.0 });
        // The equations now rest on the bound, so what it depends on is structural.
        never && self.x.sema.constant(bound).is_ok()
    }

    /// Weighted by the flows, by equal small weights when all of them are small (MLS 15.2).
    fn regularised(&mut self, terms: &[(End, VarId)]) -> ExprId {
        let nominal = terms.iter().map(|(_, flow)| self.nominal(*flow)).fold(f64::INFINITY, f64::min);
        let eps = SMALL_FLOW * nominal;
        let mut weights = Vec::with_capacity(terms.len());
        for (end, flow) in terms {
            let flow = self.leaf(*flow);
            let store = &mut self.x.sema.store;
            let out = if end.outside { flow } else { store.negate(flow) };
            let zero = store.real(0.0);
            let positive = store.scalar_builtin(Builtin::Max2, &[out, zero]);
            weights.push(store.scalar_builtin(Builtin::NoEvent, &[positive]));
        }
        let values: Vec<ExprId> = terms.iter().map(|(end, _)| self.source(*end)).collect();
        let store = &mut self.x.sema.store;
        let (zero, one, small) = (store.real(0.0), store.real(1.0), store.real(eps));
        let sum = weights.iter().fold(zero, |s, w| store.operate(BinOp::Add, s, *w));
        // alpha = (s/eps)^2 * (3 - 2 s/eps) between 0 and eps.
        let share = store.operate(BinOp::Div, sum, small);
        let (two, three) = (store.real(2.0), store.real(3.0));
        let twice = store.operate(BinOp::Mul, two, share);
        let rest = store.operate(BinOp::Sub, three, twice);
        let square = store.operate(BinOp::Mul, share, share);
        let curve = store.operate(BinOp::Mul, square, rest);
        let above = store.scalar_binary(BinOp::Gt, sum, small);
        let alpha = store.choose(above, one, curve);
        let alpha = store.scalar_builtin(Builtin::NoEvent, &[alpha]);
        let smooth = store.int(1);
        let alpha = store.scalar_builtin(Builtin::Smooth, &[smooth, alpha]);
        let beta = store.operate(BinOp::Sub, one, alpha);
        let floor = store.operate(BinOp::Mul, beta, small);
        let (mut top, mut bottom) = (zero, zero);
        for (w, v) in weights.iter().zip(values) {
            let scaled = store.operate(BinOp::Mul, alpha, *w);
            let weight = store.operate(BinOp::Add, scaled, floor);
            let part = store.operate(BinOp::Mul, weight, v);
            top = store.operate(BinOp::Add, top, part);
            bottom = store.operate(BinOp::Add, bottom, weight);
        }
        store.operate(BinOp::Div, top, bottom)
    }

    fn nominal(&mut self, flow: VarId) -> f64 {
        let e = self.vars[(flow.0 - SCALARS) as usize].nominal;
        let value = e.and_then(|e| self.x.sema.try_constant(e)).and_then(|v| v.as_f64());
        value.map(f64::abs).filter(|v| *v > 0.0).unwrap_or(1.0)
    }

    /// The one flow variable of the stream variable's connector.
    fn flow(&mut self, var: VarId) -> Option<VarId> {
        if let Some(&known) = self.flows.get(&var) {
            return known;
        }
        let list = &self.x.sema.scalars;
        let at = list.partition_point(|(v, _)| *v <= var).checked_sub(1)?;
        let mut comp = Some(list[at].1);
        let mut found = None;
        while let (Some(c), None) = (comp, found) {
            comp = self.x.sema.comp(c).parent;
            found = comp.and_then(|c| self.flow_part(c));
        }
        self.flows.insert(var, found);
        found
    }

    fn flow_part(&mut self, comp: CompId) -> Option<VarId> {
        let parts = self.x.sema.parts(comp);
        parts.iter().find_map(|&p| {
            let c = self.x.sema.comp(p);
            let is_flow =
                c.flow && c.what == What::Variable(Scalar::Real) && c.dims.is_empty() && !c.disabled;
            if is_flow { self.x.first(p) } else { None }
        })
    }

    fn rewrite(&mut self, e: ExprId, span: Span, memo: &mut HashMap<ExprId, ExprId>) -> ExprId {
        if let Some(&done) = memo.get(&e) {
            return done;
        }
        let new = match *self.x.sema.store.node(e) {
            Node::Binary(BinOp::Mul, a, b) => self.product(a, b, span, memo),
            _ => None,
        };
        let new = new.unwrap_or_else(|| match self.x.sema.store.node(e).clone() {
            Node::Builtin(f @ (Builtin::InStream | Builtin::ActualStream), args) => {
                self.operator(f, args[0], span).unwrap_or(args[0])
            }
            _ => {
                let mut children = Vec::new();
                self.x.sema.store.children(e, |c| children.push(c));
                children.into_iter().for_each(|c| {
                    self.rewrite(c, span, memo);
                });
                self.x.sema.store.map_children(e, |_, c| memo.get(&c).copied().unwrap_or(c))
            }
        });
        memo.insert(e, new);
        new
    }

    fn operator(&mut self, f: Builtin, argument: ExprId, span: Span) -> Option<ExprId> {
        let var = match self.x.sema.store.node(argument) {
            Node::Var(v) if v.0 >= SCALARS => Some(*v),
            _ => None,
        };
        let Some((var, flow)) = var.and_then(|v| Some((v, self.flow(v)?))) else {
            self.x.diagnostics.push(diagnostics::not_a_stream(f.name(), span));
            return None;
        };
        let inflow = self.in_stream(var);
        if f == Builtin::InStream {
            return Some(inflow);
        }
        let flow = self.leaf(flow);
        let store = &mut self.x.sema.store;
        let zero = store.real(0.0);
        let enters = store.scalar_binary(BinOp::Gt, flow, zero);
        Some(store.choose(enters, inflow, argument))
    }

    /// `m_flow * actualStream(h)` is continuous, so it needs no event (MLS 15.3).
    fn product(
        &mut self,
        a: ExprId,
        b: ExprId,
        span: Span,
        memo: &mut HashMap<ExprId, ExprId>,
    ) -> Option<ExprId> {
        for (flow, stream) in [(a, b), (b, a)] {
            let Node::Builtin(Builtin::ActualStream, args) = self.x.sema.store.node(stream).clone() else {
                continue;
            };
            let Node::Var(var) = *self.x.sema.store.node(args[0]) else { continue };
            let Some(own) = self.flow(var) else { continue };
            if *self.x.sema.store.node(flow) != Node::Var(own) {
                continue;
            }
            let value = self.operator(Builtin::ActualStream, args[0], span)?;
            let flow = self.rewrite(flow, span, memo);
            let store = &mut self.x.sema.store;
            let value = store.scalar_builtin(Builtin::NoEvent, &[value]);
            let product = store.operate(BinOp::Mul, flow, value);
            let order = store.int(0);
            return Some(store.scalar_builtin(Builtin::Smooth, &[order, product]));
        }
        None
    }
}
