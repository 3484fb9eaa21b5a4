//! Sorting: matched rows become blocks in order of evaluation, each solved for its unknowns.

use crate::diagnostics;
use crate::explicit;
use crate::model::{Assign, Block, Mixed, Torn};
use crate::work::{Kind, Row, Work};
use kairos_expr::{Builtin, ExprId, Inliner, Node, RelationId, Solution, Stage, UnOp, VarId};
use kairos_graph::{Edge, Incidence, Matching, block_triangular, tear};

/// Columns: variables by their id, then relations.
pub struct Columns {
    vars: usize,
    pub unknown: Vec<bool>,
}

impl Columns {
    pub fn new(work: &Work, unknown: impl Fn(VarId) -> bool) -> Columns {
        let vars = work.vars.len();
        let mut list: Vec<bool> = (0..vars).map(|v| unknown(VarId::new(v))).collect();
        list.resize(vars + work.relations.len(), true);
        Columns { vars, unknown: list }
    }

    pub fn of_var(&self, v: VarId) -> u32 {
        v.0
    }

    fn of_relation(&self, r: RelationId) -> u32 {
        self.vars as u32 + r.0
    }

    pub fn var(&self, column: u32) -> Option<VarId> {
        ((column as usize) < self.vars).then_some(VarId(column))
    }

    /// All unknowns in a row.
    pub fn incidence(&self, work: &Work, row: &Row) -> Vec<u32> {
        let mut found = Vec::new();
        let roots: &[ExprId] = match row.kind {
            Kind::Relation(_) => &[row.rhs],
            _ => &[row.lhs, row.rhs],
        };
        if let Kind::Relation(r) = row.kind {
            found.push(self.of_relation(r));
        }
        if let Kind::Clocked(tick) = row.kind
            && self.unknown[tick.index()]
        {
            found.push(self.of_var(tick));
        }
        for e in work.store.post_order(roots, |_| false) {
            match work.store.node(e) {
                Node::Var(v) if self.unknown[v.index()] => found.push(self.of_var(*v)),
                Node::Relation(r) if self.unknown[self.vars + r.index()] => found.push(self.of_relation(*r)),
                _ => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The unknowns that the row could determine.
    pub fn candidates(&self, work: &Work, row: &Row, incidence: &[u32]) -> Vec<u32> {
        if let Kind::Relation(r) = row.kind {
            return vec![self.of_relation(r)];
        }
        if let Some(v) = row.target {
            return vec![self.of_var(v)];
        }
        if let Kind::Clocked(tick) = row.kind {
            return self.clocked_candidates(work, row, tick, incidence);
        }
        if row.kind == Kind::Continuous {
            let real = |c: &u32| {
                self.var(*c).is_some_and(|v| {
                    work.vars[v.index()].ty == kairos_expr::Scalar::Real && !work.is_discrete(v)
                })
            };
            let list: Vec<u32> = incidence.iter().copied().filter(real).collect();
            if !list.is_empty() {
                return list;
            }
        }
        let mut list = Vec::new();
        for side in [row.lhs, row.rhs] {
            let inner = match *work.store.node(side) {
                Node::Unary(UnOp::Not | UnOp::Neg, a) => a,
                _ => side,
            };
            if let Node::Var(v) = *work.store.node(inner)
                && self.unknown[v.index()]
            {
                list.push(self.of_var(v));
            }
        }
        list
    }
}

impl Columns {
    /// Variables of the row's own partition, the one that stands alone first.
    fn clocked_candidates(&self, work: &Work, row: &Row, tick: VarId, incidence: &[u32]) -> Vec<u32> {
        let own = |v: VarId| {
            work.vars[v.index()].clock.is_some_and(|c| work.ticks[c as usize].is_some_and(|t| t.flag == tick))
        };
        let mut list = Vec::new();
        for side in [row.lhs, row.rhs] {
            if let Node::Var(v) = *work.store.node(side)
                && self.unknown[v.index()]
                && own(v)
            {
                list.push(self.of_var(v));
            }
        }
        for &c in incidence {
            let real = |v: &VarId| work.vars[v.index()].ty == kairos_expr::Scalar::Real && own(*v);
            if self.var(c).filter(real).is_some() && !list.contains(&c) {
                list.push(c);
            }
        }
        list
    }
}

/// Blocks of all rows in order; `None` after an error. Equation numbers are the positions in `rows`.
pub fn sort(
    work: &mut Work,
    rows: &[Row],
    columns: &Columns,
    graph: &Incidence,
    matching: &Matching,
) -> Option<Vec<Block>> {
    let triangular = block_triangular(graph, matching);
    let mut blocks = Vec::with_capacity(triangular.len());
    let mut fine = true;
    for members in triangular.iter() {
        let pairs: Vec<Pair> =
            members.iter().filter_map(|&row| Some(Pair { row, column: matching.column_of(row)? })).collect();
        fine &= Builder { work, rows, columns, graph }.block(&pairs, &mut blocks).is_some();
    }
    fine.then_some(blocks)
}

#[derive(Clone, Copy)]
struct Pair {
    row: u32,
    column: u32,
}

struct Builder<'a> {
    work: &'a mut Work,
    rows: &'a [Row],
    columns: &'a Columns,
    graph: &'a Incidence,
}

impl Builder<'_> {
    fn block(&mut self, pairs: &[Pair], out: &mut Vec<Block>) -> Option<()> {
        let kind = |p: &Pair| self.rows[p.row as usize].kind;
        if let [pair] = pairs {
            let alone = !self.reads_itself(*pair);
            return match kind(pair) {
                Kind::Relation(r) => {
                    out.push(Block::Relation(r));
                    Some(())
                }
                Kind::Discrete | Kind::Clocked(_) if alone => self.discrete(*pair, out),
                Kind::Clocked(_) if self.is_real(pair) => self.torn(pairs, out),
                Kind::Discrete if self.is_real(pair) && self.determines(*pair) => self.torn(pairs, out),
                Kind::Discrete | Kind::Clocked(_) => self.discrete_loop(pairs),
                Kind::Continuous => match self.columns.var(pair.column) {
                    // An equation without Real unknowns that determines a discrete one.
                    Some(v) if self.work.is_discrete(v) => self.discrete(*pair, out),
                    _ => self.torn(pairs, out),
                },
            };
        }
        let (mut real, mut discrete, mut relations) = (Vec::new(), Vec::new(), Vec::new());
        for pair in pairs {
            match kind(pair) {
                Kind::Relation(r) => relations.push(r),
                Kind::Discrete | Kind::Clocked(_) => discrete.push(*pair),
                Kind::Continuous => real.push(*pair),
            }
        }
        if discrete.is_empty() && relations.is_empty() {
            return self.torn(&real, out);
        }
        // Discrete equations between Real numbers are a system as others are (MLS 8.6: solved simultaneously at events).
        if pairs.iter().all(|p| matches!(kind(p), Kind::Discrete | Kind::Clocked(_)) && self.is_real(p)) {
            return self.torn(pairs, out);
        }
        if real.is_empty() && relations.is_empty() {
            // The only part of a loop is the loop again.
            let whole = self.components(&discrete).len() == 1;
            if whole || discrete.iter().all(|p| !self.is_held(*p)) {
                return self.discrete_loop(pairs);
            }
        }
        let continuous = self.part(&real)?;
        let discrete_blocks = self.part(&discrete)?;
        let unknowns = pairs.iter().filter_map(|p| self.columns.var(p.column)).collect();
        out.push(Block::Mixed(Mixed { continuous, discrete: discrete_blocks, relations, unknowns }));
        Some(())
    }

    /// Sorts some rows of a component by themselves.
    fn part(&mut self, pairs: &[Pair]) -> Option<Vec<Block>> {
        let mut out = Vec::new();
        for pairs in self.components(pairs) {
            self.block(&pairs, &mut out)?;
        }
        Some(out)
    }

    /// Rows that depend on each other in both directions, by themselves and in the order of their dependence.
    fn components(&self, pairs: &[Pair]) -> Vec<Vec<Pair>> {
        let mut local = std::collections::BTreeMap::new();
        pairs.iter().enumerate().for_each(|(at, p)| {
            local.insert(p.column, at as u32);
        });
        let mut graph = Incidence::new(pairs.len());
        let mut matching = Matching::default();
        for (at, pair) in pairs.iter().enumerate() {
            let row: Vec<u32> =
                self.graph.row(pair.row).iter().filter_map(|c| local.get(c).copied()).collect();
            graph.push_row(&row);
            matching.set(at as u32, at as u32);
        }
        let blocks = block_triangular(&graph, &matching);
        blocks.iter().map(|members| members.iter().map(|&m| pairs[m as usize]).collect()).collect()
    }

    fn is_real(&self, pair: &Pair) -> bool {
        self.columns
            .var(pair.column)
            .is_some_and(|v| self.work.vars[v.index()].ty == kairos_expr::Scalar::Real)
    }

    /// The row as a system solves it: one of a clocked partition keeps its variable where its clock does not tick.
    fn acting(&mut self, pair: Pair) -> Row {
        let mut row = self.rows[pair.row as usize].clone();
        if let (Kind::Clocked(tick), Some(v)) = (row.kind, self.columns.var(pair.column)) {
            let (now, var, before) = (self.work.var_expr(tick), self.work.var_expr(v), self.work.pre_expr(v));
            row.lhs = self.work.store.choose(now, row.lhs, var);
            row.rhs = self.work.store.choose(now, row.rhs, before);
        }
        row
    }

    /// Is the expression the literal zero in one of its branches?
    fn vanishes(&self, e: ExprId) -> bool {
        let store = &self.work.store;
        store.any(e, |node| match *node {
            Node::If(_, a, b) => store.is_number(a, 0.0) || store.is_number(b, 0.0),
            _ => false,
        })
    }

    fn is_held(&self, pair: Pair) -> bool {
        matches!(
            self.work.store.node(self.rows[pair.row as usize].rhs),
            Node::Builtin(Builtin::Floor | Builtin::Ceil, _)
        )
    }

    fn reads_itself(&self, pair: Pair) -> bool {
        let row = &self.rows[pair.row as usize];
        let Some(v) = self.columns.var(pair.column) else { return false };
        let count =
            [row.lhs, row.rhs].iter().filter(|&&e| self.work.store.any(e, |n| *n == Node::Var(v))).count();
        count > 1
    }

    /// Does the row say anything about its variable in every branch? `x = x + 1` does not.
    fn determines(&mut self, pair: Pair) -> bool {
        let row = self.rows[pair.row as usize].clone();
        let Some(var) = self.columns.var(pair.column) else { return false };
        let factors = self.work.factors(&row, &|v| v == var);
        let Some(&factor) = factors.of.get(&var) else { return !factors.linear };
        !self.work.store.is_number(factor, 0.0) && !self.vanishes(factor)
    }

    fn discrete(&mut self, pair: Pair, out: &mut Vec<Block>) -> Option<()> {
        let row = &self.rows[pair.row as usize];
        let var = self.columns.var(pair.column)?;
        let store = &mut self.work.store;
        let value = match (store.node(row.lhs).clone(), store.node(row.rhs).clone()) {
            (Node::Var(v), _) if v == var => Some(row.rhs),
            (_, Node::Var(v)) if v == var => Some(row.lhs),
            (Node::Unary(UnOp::Not, a), _) if *store.node(a) == Node::Var(var) => Some(store.not(row.rhs)),
            (_, Node::Unary(UnOp::Not, a)) if *store.node(a) == Node::Var(var) => Some(store.not(row.lhs)),
            (Node::Unary(UnOp::Neg, a), _) if *store.node(a) == Node::Var(var) => Some(store.negate(row.rhs)),
            (_, Node::Unary(UnOp::Neg, a)) if *store.node(a) == Node::Var(var) => Some(store.negate(row.lhs)),
            _ if matches!(row.kind, Kind::Clocked(_)) => {
                store.solve(row.lhs, row.rhs, var).map(|solution| solution.value)
            }
            _ => None,
        };
        if value.is_none() && row.kind != Kind::Discrete && self.is_real(&pair) {
            return self.torn(&[pair], out);
        }
        let value = match (value, row.kind) {
            (Some(value), Kind::Clocked(tick)) => {
                let (now, before) = (self.work.var_expr(tick), self.work.pre_expr(var));
                Some(self.work.store.choose(now, value, before))
            }
            (value, _) => value,
        };
        let Some(value) = value else {
            let text = self.work.row_text(row);
            self.work.diagnostics.push(diagnostics::not_discrete(&text, row.origin.span));
            return None;
        };
        out.push(Block::Assign(Assign { var, value, equation: pair.row }));
        Some(())
    }

    fn discrete_loop(&mut self, pairs: &[Pair]) -> Option<()> {
        let equations: Vec<_> = pairs
            .iter()
            .map(|p| &self.rows[p.row as usize])
            .map(|row| (self.work.row_text(row), row.origin.span))
            .collect();
        let names: Vec<String> = pairs
            .iter()
            .filter_map(|p| self.columns.var(p.column))
            .map(|v| self.work.vars[v.index()].name.clone())
            .collect();
        self.work.diagnostics.push(diagnostics::discrete_loop(&equations, &names));
        None
    }

    /// Real equations that are solved together, or one of them alone.
    fn torn(&mut self, pairs: &[Pair], out: &mut Vec<Block>) -> Option<()> {
        if let [pair] = pairs {
            let row = self.acting(*pair);
            let var = self.columns.var(pair.column)?;
            let solution = self.work.store.solve(row.lhs, row.rhs, var);
            let solution = solution.or_else(|| self.work.by_inverse(&row, var));
            // A factor that a mode makes zero leaves the unknown free, which a linear system can say.
            if let Some(solution) = solution.filter(|s| !s.divisor.is_some_and(|d| self.vanishes(d))) {
                out.push(Block::Assign(Assign { var, value: solution.value, equation: pair.row }));
                return Some(());
            }
        }
        let vars: Vec<VarId> = pairs.iter().filter_map(|p| self.columns.var(p.column)).collect();
        let local: std::collections::BTreeMap<u32, u32> =
            vars.iter().enumerate().map(|(at, v)| (v.0, at as u32)).collect();
        let rows: Vec<Row> = pairs.iter().map(|pair| self.acting(*pair)).collect();
        let mut edges = Vec::with_capacity(pairs.len());
        let mut linear = true;
        for (pair, row) in pairs.iter().zip(&rows) {
            let factors = self.work.factors(row, &|v| local.contains_key(&v.0));
            linear &= factors.linear;
            let mut list = Vec::new();
            for c in self.graph.row(pair.row) {
                if let Some(&at) = local.get(c) {
                    let solvable = factors.of.get(&VarId(*c)).is_some_and(|&s| self.work.is_safe_divisor(s));
                    list.push(Edge { column: at, solvable });
                }
            }
            edges.push(list);
        }
        // What no equation can be solved for is iterated on in any case; knowing it first helps the others.
        let mut preference = vec![3; vars.len()];
        for edge in edges.iter().flatten().filter(|e| e.solvable) {
            preference[edge.column as usize] = 0;
        }
        if !linear {
            let guessed = vars.iter().map(|v| match self.work.vars[v.index()].start {
                Some(start) if self.work.store.number(start).is_none() => 2,
                Some(_) => 1,
                None => 0,
            });
            preference.iter_mut().zip(guessed).for_each(|(p, guess)| *p += guess);
        }
        let tearing = tear(vars.len(), &edges, &preference);
        let assign = |work: &mut Work, &(row, column): &(u32, u32)| {
            let pair = pairs[row as usize];
            let (row, var) = (&rows[row as usize], vars[column as usize]);
            let value = work.store.solve(row.lhs, row.rhs, var)?.value;
            Some(Assign { var, value, equation: pair.row })
        };
        let inner = tearing.causal.iter().map(|step| assign(self.work, step)).collect::<Option<Vec<_>>>()?;
        let after =
            tearing.afterwards.iter().map(|step| assign(self.work, step)).collect::<Option<Vec<_>>>()?;
        let mut residuals = Vec::new();
        for &r in &tearing.residuals {
            let (pair, row) = (pairs[r as usize], &rows[r as usize]);
            residuals.push((self.work.store.minus(row.lhs, row.rhs), pair.row));
        }
        let iteration = tearing.iteration.iter().map(|&c| vars[c as usize]).collect();
        let torn = Torn { linear, iteration, inner, residuals };
        match explicit::solve(self.work, &torn) {
            Some(assigns) => out.extend(assigns.into_iter().map(Block::Assign)),
            None => out.push(Block::Torn(torn)),
        }
        out.extend(after.into_iter().map(Block::Assign));
        Some(())
    }
}

impl Work {
    /// The solution by an inverse function that was written out.
    fn by_inverse(&mut self, row: &Row, v: VarId) -> Option<Solution> {
        let before = |e: ExprId| self.invertible.get(&e).copied();
        let (lhs, rhs) = match (before(row.lhs), before(row.rhs)) {
            (None, None) => return None,
            (lhs, rhs) => (lhs.unwrap_or(row.lhs), rhs.unwrap_or(row.rhs)),
        };
        let mut found = self.store.solve(lhs, rhs, v)?;
        found.value = Inliner::new(Stage::Late).apply(&mut self.store, found.value);
        Some(found)
    }
}
