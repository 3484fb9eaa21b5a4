//! Virtual connection graphs: which connections of overdetermined parts are cut and where the roots are (MLS 9.4).

use crate::comps::What;
use crate::equations::{Endpoint, Eq, EqKind, GraphFact};
use crate::resolve::Scope;
use crate::{CompId, InstId, Sema, diagnostics};
use kairos_base::hash::{HashMap, HashSet};
use kairos_base::{Name, Span};
use kairos_expr::{Answer, Builtin, ExprId, Node, Scalar, Stop, Store, Type, Value};
use kairos_syntax::ast::{Args, ExprKind};
use std::cell::OnceCell;
use std::collections::VecDeque;

/// What is known of connections once all of them are collected.
#[derive(Default)]
pub struct Forest {
    resolved: bool,
    roots: HashSet<CompId>,
    /// First nodes of branches, and whether they are closer to the root than the second.
    rooted: HashMap<CompId, bool>,
    /// Both ends of every connect; few models ask for their numbers.
    ends: Vec<Endpoint>,
    occurrences: OnceCell<HashMap<Endpoint, i64>>,
    /// Pairs of overdetermined parts whose connection gives no equality.
    cut: HashSet<(CompId, CompId)>,
}

impl Forest {
    pub fn is_cut(&self, a: CompId, b: CompId) -> bool {
        self.cut.contains(&(a, b))
    }

    pub(crate) fn is_resolved(&self) -> bool {
        self.resolved
    }

    /// The value of an operator that asks about connections.
    pub(crate) fn answer(&self, store: &Store, f: Builtin, args: &[ExprId]) -> Answer {
        let number = |k: usize| match args.get(k).map(|e| store.node(*e)) {
            Some(Node::Int(i)) => Some(*i as u32),
            _ => None,
        };
        let (true, Some(comp)) = (self.resolved, number(0).map(|at| CompId::new(at as usize))) else {
            return Err(Stop::NotConstant);
        };
        match f {
            Builtin::Cardinality => {
                let at = Endpoint { comp, element: number(1) };
                let occurrences = self.occurrences.get_or_init(|| {
                    let mut counts = HashMap::default();
                    self.ends.iter().for_each(|end| *counts.entry(*end).or_default() += 1);
                    counts
                });
                Ok(Value::Int(occurrences.get(&at).copied().unwrap_or(0)))
            }
            Builtin::IsRoot => Ok(Value::Bool(self.roots.contains(&comp))),
            Builtin::Rooted => self.rooted.get(&comp).map(|r| Value::Bool(*r)).ok_or_else(|| {
                Stop::error("`rooted` needs one `Connections.branch` that starts at its argument")
            }),
            _ => Err(Stop::NotConstant),
        }
    }
}

/// Disjoint sets of nodes; the oldest node of a set represents it.
#[derive(Default)]
struct Sets {
    parent: Vec<usize>,
}

impl Sets {
    fn of(count: usize) -> Self {
        Self { parent: (0..count).collect() }
    }

    fn find(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    /// Joins two sets; false if they were one already.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
        a != b
    }
}

#[derive(Default)]
struct Nodes {
    comps: Vec<CompId>,
    index: HashMap<CompId, usize>,
}

impl Nodes {
    fn of(&mut self, comp: CompId) -> usize {
        *self.index.entry(comp).or_insert_with(|| {
            self.comps.push(comp);
            self.comps.len() - 1
        })
    }
}

struct Edge {
    a: usize,
    b: usize,
    span: Span,
    owner: CompId,
}

impl<'a> Sema<'a> {
    /// `Connections.isRoot(a.R)`, `Connections.rooted(a.R)` and `cardinality(c)` with the connector by its number.
    pub(crate) fn graph_query(
        &mut self,
        scope: &mut Scope,
        f: Builtin,
        args: &'a Args,
        span: Span,
    ) -> ExprId {
        let [argument] = args.positional.as_slice() else {
            self.report(diagnostics::argument_count(f.name(), args.positional.len(), 1, 1, span));
            return self.error_expr();
        };
        let ExprKind::Ref(r) = &argument.kind else {
            self.report(diagnostics::graph_argument(f.name(), argument.span));
            return self.error_expr();
        };
        let Some(selection) = self.select(scope, r) else { return self.error_expr() };
        let found = match f {
            Builtin::Cardinality => self.endpoints(&selection, argument.span).map(|(list, _)| list),
            // An overdetermined type may be an array, which is one node of the graph (MLS 9.4.1).
            _ => Some(selection.comps.iter().map(|&comp| Endpoint { comp, element: None }).collect()),
        };
        let Some(list) = found else { return self.error_expr() };
        let [at] = list.as_slice() else {
            self.report(diagnostics::graph_argument(f.name(), argument.span));
            return self.error_expr();
        };
        let comp = self.comp(at.comp).outer.unwrap_or(at.comp);
        if f == Builtin::Cardinality && !self.is_connector(comp) && !self.is_disabled(comp) {
            self.report(diagnostics::graph_argument(f.name(), argument.span));
            return self.error_expr();
        }
        let mut numbers = vec![self.store.int(i64::from(comp.number()))];
        numbers.extend(at.element.map(|k| self.store.int(i64::from(k))));
        let scalar = if f == Builtin::Cardinality { Scalar::Int } else { Scalar::Bool };
        self.store.add(Node::Builtin(f, numbers.into()), Type::scalar(scalar))
    }

    /// Decides the roots of overconstrained connection graphs and cuts their loops.
    pub(crate) fn resolve_graph(&mut self) {
        self.collect_ends();
        let mut nodes = Nodes::default();
        let facts = std::mem::take(&mut self.graph);
        let facts: Vec<(GraphFact, Span)> = facts.into_iter().filter(|(f, _)| self.is_enabled(f)).collect();
        for (fact, _) in &facts {
            match *fact {
                GraphFact::Branch(a, b) => {
                    nodes.of(a);
                    nodes.of(b);
                }
                GraphFact::Root(a) | GraphFact::UniqueRoot(a) | GraphFact::PotentialRoot(a, _) => {
                    nodes.of(a);
                }
            }
        }
        let edges = self.optional_edges(&mut nodes);
        self.forest.resolved = true;
        if nodes.comps.is_empty() {
            return;
        }
        let count = nodes.comps.len();
        let mut tree: Vec<Vec<usize>> = vec![Vec::new(); count];
        // One more node joins all definite roots, so that a connection between their trees is cut.
        let mut sets = Sets::of(count + 1);
        let mut branches = Vec::new();
        for (fact, span) in &facts {
            let GraphFact::Branch(a, b) = *fact else { continue };
            let (a, b) = (nodes.of(a), nodes.of(b));
            branches.push((a, b));
            if !sets.join(a, b) {
                self.report(diagnostics::branch_cycle(*span));
            }
            tree[a].push(b);
            tree[b].push(a);
        }
        let mut roots = Vec::new();
        let mut unique = HashSet::default();
        for (fact, span) in &facts {
            let (GraphFact::Root(a) | GraphFact::UniqueRoot(a)) = *fact else { continue };
            let a = nodes.of(a);
            if matches!(fact, GraphFact::UniqueRoot(_)) {
                unique.insert(a);
            }
            if roots.contains(&a) {
                continue;
            }
            if !sets.join(a, count) {
                let path = self.comp_path(nodes.comps[a]);
                self.report(diagnostics::two_roots(&path, *span));
            }
            roots.push(a);
        }
        let mut broken = Vec::new();
        for edge in edges {
            if sets.join(edge.a, edge.b) {
                tree[edge.a].push(edge.b);
                tree[edge.b].push(edge.a);
            } else {
                broken.push(edge);
            }
        }
        self.choose_roots(&facts, &mut nodes, &mut sets, &mut roots);
        let depth = depths(&tree, &roots);
        for (a, b) in branches {
            let closer = depth[a] < depth[b];
            self.forest.rooted.insert(nodes.comps[a], closer);
        }
        self.forest.roots = roots.iter().map(|r| nodes.comps[*r]).collect();
        if !unique.is_empty() {
            let trees = trees(&tree, &roots);
            let apart = |edge: &&Edge| {
                let ends = (trees[edge.a], trees[edge.b]);
                matches!(ends, (Some(a), Some(b)) if a != b && (unique.contains(&a) || unique.contains(&b)))
            };
            if let Some(edge) = broken.iter().find(apart) {
                let [a, b] = [edge.a, edge.b].map(|k| trees[k].map_or(k, |root| root));
                let (a, b) = (self.comp_path(nodes.comps[a]), self.comp_path(nodes.comps[b]));
                self.report(diagnostics::root_not_unique(&a, &b, edge.span));
            }
        }
        for edge in broken {
            self.break_connection(nodes.comps[edge.a], nodes.comps[edge.b], edge.span, edge.owner);
        }
    }

    fn is_enabled(&self, fact: &GraphFact) -> bool {
        match *fact {
            GraphFact::Branch(a, b) => !self.is_disabled(a) && !self.is_disabled(b),
            GraphFact::Root(a) | GraphFact::UniqueRoot(a) | GraphFact::PotentialRoot(a, _) => {
                !self.is_disabled(a)
            }
        }
    }

    /// `cardinality` counts connects as written, inside and outside (MLS 3.7.4.2).
    fn collect_ends(&mut self) {
        let ends = self.connects.iter().flat_map(|connect| [connect.a, connect.b]);
        let inner = |end: Endpoint| self.comp(end.comp).outer.unwrap_or(end.comp);
        self.forest.ends = ends.map(|end| Endpoint { comp: inner(end), ..end }).collect();
    }

    /// One edge per connection of overdetermined parts; those that only repeat others are cut at once.
    fn optional_edges(&mut self, nodes: &mut Nodes) -> Vec<Edge> {
        let mut pairs = Vec::new();
        let any = if self.overdetermined { self.connects.len() } else { 0 };
        for k in 0..any {
            let c = self.connects[k].clone();
            let mut found = Vec::new();
            self.overdetermined_parts(c.a.comp, c.b.comp, &mut found);
            pairs.extend(found.into_iter().map(|(a, b)| (a, b, c.span, c.owner)));
        }
        let list: Vec<Edge> = pairs
            .into_iter()
            .map(|(a, b, span, owner)| Edge { a: nodes.of(a), b: nodes.of(b), span, owner })
            .collect();
        let mut sets = Sets::of(nodes.comps.len());
        let mut edges = Vec::new();
        for edge in list {
            if sets.join(edge.a, edge.b) {
                edges.push(edge);
            } else {
                self.forest.cut.insert((nodes.comps[edge.a], nodes.comps[edge.b]));
            }
        }
        edges
    }

    fn overdetermined_parts(&mut self, a: CompId, b: CompId, found: &mut Vec<(CompId, CompId)>) {
        let (a, b) = (self.comp(a).outer.unwrap_or(a), self.comp(b).outer.unwrap_or(b));
        if self.comp(a).disabled || self.comp(b).disabled {
            return;
        }
        match (self.comp(a).what, self.comp(b).what) {
            (What::Parts | What::Variable(_), What::Parts | What::Variable(_))
                if self.equality_constraint(a).is_some() && self.equality_constraint(b).is_some() =>
            {
                found.push((a, b));
            }
            (What::Parts, What::Parts) => {
                for &part in self.parts(a).iter() {
                    let name = self.comp(part).name;
                    if let Some(other) = self.child(b, name) {
                        self.overdetermined_parts(part, other, found);
                    }
                }
            }
            (What::Array, What::Array) => {
                let (x, y) = (self.comp(a).elements.clone(), self.comp(b).elements.clone());
                for (m, n) in x.into_iter().zip(y) {
                    self.overdetermined_parts(m, n, found);
                }
            }
            _ => {}
        }
    }

    /// The function `equalityConstraint` of an overdetermined type or record.
    fn equality_constraint(&mut self, comp: CompId) -> Option<InstId> {
        let class = self.comp(comp).class?;
        self.expand(class);
        let &e = self.inst(class).table.get(&Name::EQUALITY_CONSTRAINT)?;
        if self.elem(e).is_class() { self.elem_class(e) } else { None }
    }

    /// The number of independent equations of an overdetermined part.
    pub fn residue_size(&mut self, comp: CompId) -> Option<usize> {
        let class = self.equality_constraint(comp)?;
        let f = self.function(class);
        let function = self.store.function(f);
        let [output] = function.outputs.as_slice() else { return None };
        self.store.get_type(function.locals[output.index()].ty).count()
    }

    /// Every tree without a definite root gets the potential root of the lowest priority number.
    fn choose_roots(
        &mut self,
        facts: &[(GraphFact, Span)],
        nodes: &mut Nodes,
        sets: &mut Sets,
        roots: &mut Vec<usize>,
    ) {
        let mut best: HashMap<usize, (i64, usize)> = HashMap::default();
        for (fact, _) in facts {
            let GraphFact::PotentialRoot(a, priority) = *fact else { continue };
            let a = nodes.of(a);
            let here = best.entry(sets.find(a)).or_insert((priority, a));
            if priority < here.0 {
                *here = (priority, a);
            }
        }
        let count = nodes.comps.len();
        let with_root = sets.find(count);
        let mut done = HashSet::from_iter([with_root]);
        for k in 0..count {
            let set = sets.find(k);
            if !done.insert(set) {
                continue;
            }
            match best.get(&set) {
                Some((_, root)) => roots.push(*root),
                None => {
                    let (path, span) = (self.comp_path(nodes.comps[k]), self.comp(nodes.comps[k]).span);
                    self.report(diagnostics::no_root(&path, span));
                }
            }
        }
    }

    /// `0 = equalityConstraint(a, b)` in place of `a = b`; an empty residue is still computed for its assert.
    fn break_connection(&mut self, a: CompId, b: CompId, span: Span, owner: CompId) {
        self.forest.cut.insert((a, b));
        let Some(class) = self.equality_constraint(a) else { return };
        let f = self.function(class);
        let (x, y) = (self.var(a), self.var(b));
        let call = self.finish_call(f, vec![x, y]);
        if self.is_error(call) {
            return;
        }
        let kind = match self.store.ty(call).sizes().as_deref() {
            Some([0]) => EqKind::Call(call),
            Some([n]) => {
                let zero = self.store.real(0.0);
                let zeros = self.store.array(vec![zero; *n]);
                EqKind::Equal(zeros, call)
            }
            _ => return self.report(diagnostics::residue_size(span)),
        };
        self.equations.push(Eq { kind, span, owner });
    }
}

/// The root of the tree that every node belongs to.
fn trees(tree: &[Vec<usize>], roots: &[usize]) -> Vec<Option<usize>> {
    let mut found = vec![None; tree.len()];
    roots.iter().for_each(|r| found[*r] = Some(*r));
    let mut todo = roots.to_vec();
    while let Some(node) = todo.pop() {
        for &next in &tree[node] {
            if found[next].is_none() {
                found[next] = found[node];
                todo.push(next);
            }
        }
    }
    found
}

/// The distance of every node from the nearest root.
fn depths(tree: &[Vec<usize>], roots: &[usize]) -> Vec<usize> {
    let mut depth = vec![usize::MAX; tree.len()];
    let mut queue: VecDeque<usize> = roots.iter().copied().collect();
    roots.iter().for_each(|r| depth[*r] = 0);
    while let Some(node) = queue.pop_front() {
        for &next in &tree[node] {
            if depth[next] == usize::MAX {
                depth[next] = depth[node] + 1;
                queue.push_back(next);
            }
        }
    }
    depth
}
