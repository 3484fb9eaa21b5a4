//! Which equations, variables and clocks tick together, and how their clocks relate (MLS 16.7.3, 16.7.4).

use crate::diagnostics;
use crate::expand::{Expander, SCALARS};
use crate::rates::{Definition, Link, Relation};
use crate::rational::Rational;
use kairos_base::Span;
use kairos_base::hash::{HashMap, HashSet};
use kairos_expr::{Builtin, ExprId, Node, Scalar, Type, Value, VarId};
use kairos_model::{Equation, EquationKind, Origin, Variability, Variable};

/// How the names of variables begin that stand for operands of conversion operators.
pub const CONVERTED: &str = "$converted";

/// Disjoint sets; the oldest member represents a set.
#[derive(Clone, Default)]
pub struct Sets {
    parent: Vec<usize>,
}

impl Sets {
    pub fn add(&mut self) -> usize {
        self.parent.push(self.parent.len());
        self.parent.len() - 1
    }

    pub fn find(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }
}

/// What is collected from all equations. Nodes stand for variables, equations and clock expressions.
pub struct Incidence<'x, 's, 'a> {
    pub x: &'x mut Expander<'s, 'a>,
    pub sets: Sets,
    pub links: Vec<Link>,
    pub definitions: Vec<(usize, Definition, Span)>,
    pub solvers: Vec<(usize, String, Span)>,
    /// Nodes with a clocked operator, and nodes that must have no clock.
    pub clocked: Vec<(usize, Span)>,
    pub unclocked: Vec<(usize, Span)>,
    /// Arguments of operators that need a clock, to be checked at the end.
    pub wanted: Vec<(usize, &'static str, Span)>,
    pub differential: Vec<(usize, Span)>,
    pub var_nodes: Vec<usize>,
    pub vars: &'x mut Vec<Variable>,
    /// Equations of variables that stand for the arguments of conversion operators.
    added: Vec<Equation>,
    /// What conversion operators of an equation become.
    pub stand_ins: HashMap<(usize, ExprId), ExprId>,
    seen: HashSet<(usize, ExprId)>,
}

impl<'x, 's, 'a> Incidence<'x, 's, 'a> {
    pub fn new(x: &'x mut Expander<'s, 'a>, vars: &'x mut Vec<Variable>) -> Self {
        let mut sets = Sets::default();
        let var_nodes = vars.iter().map(|_| sets.add()).collect();
        Self {
            x,
            sets,
            links: Vec::new(),
            definitions: Vec::new(),
            solvers: Vec::new(),
            clocked: Vec::new(),
            unclocked: Vec::new(),
            wanted: Vec::new(),
            differential: Vec::new(),
            var_nodes,
            vars,
            added: Vec::new(),
            stand_ins: HashMap::default(),
            seen: HashSet::default(),
        }
    }

    /// Collects every equation; gives their nodes. Equations between clocks vanish, stand-ins are added.
    pub fn equations(&mut self, equations: &mut Vec<Equation>) -> Vec<usize> {
        let clocks: Vec<usize> = self
            .x
            .when_clocks
            .clone()
            .into_iter()
            .map(|(e, span)| {
                let node = self.clock(e, span);
                self.clocked.push((node, span));
                node
            })
            .collect();
        let mut todo: std::collections::VecDeque<Equation> = std::mem::take(equations).into();
        let mut nodes = Vec::with_capacity(todo.len());
        while let Some(mut eq) = todo.pop_front() {
            let span = eq.origin.span;
            if let EquationKind::Equal(a, b) = eq.kind
                && self.x.sema.store.ty(a).scalar == Scalar::Clock
            {
                let (a, b) = (self.clock(a, span), self.clock(b, span));
                self.sets.join(a, b);
                continue;
            }
            let node = self.sets.add();
            if let Some(&clock) = eq.clock.and_then(|k| clocks.get(k as usize)) {
                self.sets.join(node, clock);
            }
            let mut exprs = Vec::new();
            eq.visit_exprs_mut(&mut |e| exprs.push(*e));
            eq.visit_vars_mut(&mut |v| {
                if let Some(&var) = self.var_nodes.get((v.0 - SCALARS) as usize) {
                    self.sets.join(node, var);
                }
            });
            exprs.into_iter().for_each(|e| self.walk(e, node, eq.origin));
            nodes.push(node);
            equations.push(eq);
            todo.extend(self.added.drain(..));
        }
        nodes
    }

    fn unknown(&self, v: VarId) -> Option<usize> {
        let k = v.0.checked_sub(SCALARS)? as usize;
        (self.vars.get(k)?.variability > Variability::Parameter).then(|| self.var_nodes[k])
    }

    /// Joins what an expression mentions to a node, conversion operators excepted.
    fn walk(&mut self, e: ExprId, node: usize, origin: Origin) {
        if !self.seen.insert((node, e)) {
            return;
        }
        let span = origin.span;
        let store = &self.x.sema.store;
        match store.node(e).clone() {
            Node::Var(v) => {
                if let Some(var) = self.unknown(v) {
                    self.sets.join(node, var);
                }
            }
            Node::Builtin(Builtin::Clock, _) => {
                let clock = self.clock(e, span);
                self.sets.join(node, clock);
            }
            Node::Builtin(f, args) => match f {
                Builtin::ClockedSample => {
                    self.clocked.push((node, span));
                    let holds = |n: &Node| matches!(n, Node::Builtin(Builtin::Hold, _));
                    if self.x.sema.store.any(args[0], holds) {
                        // What looks back into clocked partitions is an equation of its own.
                        let (made, _) = self.argument(args[0], origin);
                        let sampled = self.x.sema.store.scalar_builtin(f, &[made]);
                        self.stand_ins.insert((node, e), sampled);
                    } else {
                        self.continuous(args[0], origin);
                    }
                    if let Some(&clock) = args.get(1) {
                        let clock = self.clock(clock, span);
                        self.sets.join(node, clock);
                    }
                }
                Builtin::Hold => {
                    self.unclocked.push((node, span));
                    let (arg, var) = self.argument(args[0], origin);
                    let made = match var {
                        Some(_) => self.x.sema.store.scalar_builtin(f, &[arg]),
                        None => arg,
                    };
                    self.stand_ins.insert((node, e), made);
                    self.wanted.extend(var.map(|v| (v, f.name(), span)));
                }
                Builtin::SubSample
                | Builtin::SuperSample
                | Builtin::ShiftSample
                | Builtin::BackSample
                | Builtin::NoClock => {
                    self.clocked.push((node, span));
                    let relation = self.relation(f, &args, span);
                    let (made, from) = self.argument(args[0], origin);
                    self.stand_ins.insert((node, e), made);
                    if let Some(from) = from {
                        self.wanted.push((from, f.name(), span));
                        self.links.push(Link { from, to: node, relation, span });
                    }
                }
                Builtin::Previous if !self.mentions_unknown(args[0]) => {
                    self.stand_ins.insert((node, e), args[0]);
                }
                Builtin::Previous | Builtin::Interval | Builtin::FirstTick => {
                    self.clocked.push((node, span));
                    args.iter().for_each(|a| self.walk(*a, node, origin));
                }
                _ => {
                    if f == Builtin::Der {
                        self.differential.push((node, span));
                    }
                    args.iter().for_each(|a| self.walk(*a, node, origin));
                }
            },
            _ => {
                let mut children = Vec::new();
                store.children(e, |c| children.push(c));
                children.into_iter().for_each(|c| self.walk(c, node, origin));
            }
        }
    }

    /// An expression that belongs to the unclocked system.
    fn continuous(&mut self, e: ExprId, origin: Origin) {
        let node = self.sets.add();
        self.unclocked.push((node, origin.span));
        self.walk(e, node, origin);
    }

    /// An operator's argument as a variable and its node; an expression gets a variable of its own (MLS 16.7.1).
    fn argument(&mut self, e: ExprId, origin: Origin) -> (ExprId, Option<usize>) {
        if let Node::Var(v) = self.x.sema.store.node(e) {
            let v = *v;
            return (e, self.unknown(v));
        }
        if !self.mentions_unknown(e) {
            return (e, None);
        }
        let ty = self.x.sema.store.ty(e).scalar;
        let var = VarId(SCALARS + self.vars.len() as u32);
        let made = self.x.sema.store.var(var, Type::scalar(ty));
        let name = format!("{CONVERTED}{}", self.vars.len());
        self.vars.push(Variable::made(&name, ty, origin.span));
        self.x.types.push(ty);
        let node = self.sets.add();
        self.var_nodes.push(node);
        self.added.push(Equation { kind: EquationKind::Equal(made, e), origin, clock: None });
        (made, Some(node))
    }

    fn mentions_unknown(&self, e: ExprId) -> bool {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            match self.x.sema.store.node(e) {
                Node::Var(v) if self.unknown(*v).is_some() => return true,
                Node::Time => return true,
                _ => self.x.sema.store.children(e, |c| todo.push(c)),
            }
        }
        false
    }

    /// The node of a clock expression.
    fn clock(&mut self, e: ExprId, span: Span) -> usize {
        let store = &self.x.sema.store;
        match store.node(e).clone() {
            Node::Var(v) => {
                if let Some(&node) = v.0.checked_sub(SCALARS).and_then(|k| self.var_nodes.get(k as usize)) {
                    return node;
                }
            }
            Node::If(c, a, b) => {
                if let Ok(Value::Bool(c)) = self.x.sema.constant(c) {
                    return self.clock(if c { a } else { b }, span);
                }
            }
            Node::Builtin(Builtin::Clock, args) => return self.constructed(&args, span),
            Node::Builtin(
                f @ (Builtin::SubSample | Builtin::SuperSample | Builtin::ShiftSample | Builtin::BackSample),
                args,
            ) => {
                let relation = self.relation(f, &args, span);
                let (from, to) = (self.clock(args[0], span), self.sets.add());
                self.links.push(Link { from, to, relation, span });
                return to;
            }
            _ => {}
        }
        self.x.diagnostics.push(diagnostics::clock_expression(span));
        self.sets.add()
    }

    /// `Clock(…)` in its five forms (MLS 16.3).
    fn constructed(&mut self, args: &[ExprId], span: Span) -> usize {
        let node = self.sets.add();
        let Some(&first) = args.first() else { return node };
        let origin = Origin { span, path: kairos_base::Name::EMPTY };
        let second = args.get(1).copied();
        let definition = match self.x.sema.store.ty(first).scalar {
            Scalar::Clock => {
                let from = self.clock(first, span);
                self.links.push(Link { from, to: node, relation: Relation::Same, span });
                match second.map(|e| self.x.sema.constant(e)) {
                    Some(Ok(Value::Str(method))) if !method.is_empty() => {
                        self.solvers.push((node, method.to_string(), span));
                    }
                    Some(Ok(Value::Str(_))) | None => {}
                    _ => self.x.diagnostics.push(diagnostics::clock_argument("Clock", span)),
                }
                return node;
            }
            Scalar::Bool => {
                self.continuous(first, origin);
                Definition::Event { condition: first, start_interval: second }
            }
            Scalar::Int => {
                let resolution = match second {
                    Some(e) => self.x.sema.constant(e).ok().and_then(|v| v.as_index()).filter(|n| *n > 0),
                    None => Some(1),
                };
                let Some(resolution) = resolution else {
                    self.x.diagnostics.push(diagnostics::clock_argument("Clock", span));
                    return node;
                };
                match self.x.sema.constant(first).ok().and_then(|v| v.as_index()) {
                    Some(0) => return node,
                    Some(n) => match Rational::new(n, resolution).filter(|r| !r.is_negative()) {
                        Some(interval) => Definition::Exact(interval),
                        None => {
                            self.x.diagnostics.push(diagnostics::clock_argument("Clock", span));
                            return node;
                        }
                    },
                    None => {
                        self.walk(first, node, origin);
                        Definition::Counted { counter: first, resolution }
                    }
                }
            }
            _ => {
                self.walk(first, node, origin);
                Definition::Interval(first)
            }
        };
        self.definitions.push((node, definition, span));
        node
    }

    fn relation(&mut self, f: Builtin, args: &[ExprId], span: Span) -> Relation {
        let number = |me: &mut Self, k: usize, default: i64, least: i64| {
            let Some(&e) = args.get(k) else { return default };
            match me.x.sema.constant(e).ok().and_then(|v| v.as_index()) {
                Some(n) if n >= least => n,
                _ => {
                    me.x.diagnostics.push(diagnostics::clock_argument(f.name(), span));
                    default
                }
            }
        };
        match f {
            Builtin::SubSample | Builtin::SuperSample => {
                let factor = Some(number(self, 1, 0, 0)).filter(|n| *n > 0);
                if f == Builtin::SubSample { Relation::Sub(factor) } else { Relation::Super(factor) }
            }
            Builtin::ShiftSample | Builtin::BackSample => {
                let (count, resolution) = (number(self, 1, 0, 0), number(self, 2, 1, 1));
                let sign = if f == Builtin::BackSample { -1 } else { 1 };
                Relation::Shift(Rational::new(sign * count, resolution).unwrap_or(Rational::ZERO))
            }
            _ => Relation::NoClock,
        }
    }
}
