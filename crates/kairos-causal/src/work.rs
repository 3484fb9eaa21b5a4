//! The system while it is being worked on: rows over variables, events made explicit.

use crate::algorithm::{self, Refusal};
use crate::diagnostics;
use crate::model::{Effect, Relation, Role, Sampler, nowhere};
use crate::variables::role;
use kairos_base::{Diagnostic, Span};
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, Node, RelationId, Scalar, Store, Type, Value, VarId};
use kairos_flat::{Action, Equation, EquationKind, Origin, ScalarModel, Variable};
use std::collections::BTreeMap;

/// What an equation can determine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A continuous Real unknown.
    Continuous,
    /// A discrete variable; evaluated at events.
    Discrete,
    /// A held relation.
    Relation(RelationId),
    /// A variable of a clocked partition; evaluated when the flag is true.
    Clocked(VarId),
}

#[derive(Clone, Debug)]
pub struct Row {
    pub lhs: ExprId,
    pub rhs: ExprId,
    /// Both sides in the initial system, where they differ.
    pub initial: Option<(ExprId, ExprId)>,
    pub kind: Kind,
    /// The variable it assigns, where there is no choice.
    pub target: Option<VarId>,
    pub origin: Origin,
    pub differentiated: u32,
}

/// Actions of one when-clause by fire flag.
#[derive(Clone)]
pub struct When {
    pub branches: Vec<(VarId, Vec<Action>)>,
    pub origin: Origin,
}

/// Values of parameters, found once; a copy has a memory of its own.
#[derive(Default)]
pub(crate) struct ParameterValues(std::sync::Mutex<BTreeMap<VarId, Value>>);

impl ParameterValues {
    pub fn get(&self, v: VarId) -> Option<Value> {
        self.0.lock().ok()?.get(&v).cloned()
    }

    pub fn insert(&self, v: VarId, value: Value) {
        if let Ok(mut known) = self.0.lock() {
            known.insert(v, value);
        }
    }
}

impl Clone for ParameterValues {
    fn clone(&self) -> Self {
        Self::default()
    }
}

#[derive(Clone)]
pub struct Work {
    pub store: Store,
    pub vars: Vec<Variable>,
    pub roles: Vec<Role>,
    pub pre: Vec<Option<VarId>>,
    pub der: Vec<Option<VarId>>,
    pub relations: Vec<Relation>,
    pub samplers: Vec<Sampler>,
    pub rows: Vec<Row>,
    pub initial_rows: Vec<Row>,
    pub whens: Vec<When>,
    pub effects: Vec<Effect>,
    pub diagnostics: Vec<Diagnostic>,
    pub report: Vec<String>,
    pub reinit: Vec<VarId>,
    /// How many variables the model declares; the compiler's own follow.
    pub declared: usize,
    /// Variables that a when-clause, an algorithm or a clocked partition determines.
    pub(crate) assigned: std::collections::BTreeSet<VarId>,
    /// Variables in initial equations.
    pub initial_targets: std::collections::BTreeSet<VarId>,
    pub initial_flag: VarId,
    pub terminal_flag: VarId,
    pub lambda: VarId,
    pub(crate) relation_ids: BTreeMap<(u8, ExprId, ExprId), RelationId>,
    pub(crate) sampler_ids: BTreeMap<(ExprId, ExprId), u32>,
    pub(crate) held: BTreeMap<ExprId, VarId>,
    fires: BTreeMap<Vec<Vec<ExprId>>, Vec<VarId>>,
    pub(crate) with_events: ExprMap<ExprId>,
    pub(crate) without_events: ExprMap<ExprId>,
    pub(crate) varying: ExprMap<bool>,
    /// Values of parameters that were needed so far.
    pub(crate) parameter_values: ParameterValues,
    pub(crate) here: Origin,
    pub(crate) clocks: Vec<kairos_flat::ClockPartition>,
    /// The flag that tells when each partition ticks, once it is needed.
    pub(crate) ticks: Vec<Option<crate::clocks::Tick>>,
    /// Ticks of base clocks without a constant interval.
    pub(crate) base_ticks: BTreeMap<u32, crate::clocks::Tick>,
    pub(crate) ticked: BTreeMap<VarId, VarId>,
    pub(crate) start_time: f64,
}

impl Work {
    /// Translates the equations; relations, samplers and when-clauses become unknowns and rows of their own.
    pub fn new(model: ScalarModel, eliminated: &[bool]) -> Work {
        let ScalarModel { store, vars, equations, initial_equations, clocks, experiment, .. } = model;
        let count = vars.len();
        let mut work = Work {
            roles: vars.iter().zip(eliminated).map(|(v, &gone)| role(v, gone)).collect(),
            vars,
            pre: vec![None; count],
            der: vec![None; count],
            declared: count,
            ticks: vec![None; clocks.len()],
            clocks,
            start_time: experiment.start.unwrap_or(0.0),
            ..Work::bare(store, nowhere())
        };
        work.add_flags();
        work.mark_discrete(&equations);
        for equation in &equations {
            work.here = equation.origin;
            if !equation.clock.is_some_and(|clock| work.is_discretised(clock)) {
                work.equation(equation);
            }
        }
        work.discretise(&equations, &initial_equations);
        for equation in &initial_equations {
            work.here = equation.origin;
            if work.discretised_condition(equation).is_none() {
                work.initial_equation(equation);
            }
        }
        for row in &work.initial_rows {
            work.initial_targets.extend(work.store.variables(&[row.lhs, row.rhs]));
        }
        work.lower_actions();
        for k in 0..work.vars.len() {
            work.attributes(k);
        }
        work.split_homotopy();
        work
    }

    /// A system without variables and equations.
    pub fn bare(store: Store, here: Origin) -> Work {
        Work {
            store,
            roles: Vec::new(),
            vars: Vec::new(),
            pre: Vec::new(),
            der: Vec::new(),
            relations: Vec::new(),
            samplers: Vec::new(),
            rows: Vec::new(),
            initial_rows: Vec::new(),
            whens: Vec::new(),
            effects: Vec::new(),
            diagnostics: Vec::new(),
            report: Vec::new(),
            reinit: Vec::new(),
            declared: 0,
            assigned: Default::default(),
            initial_targets: Default::default(),
            initial_flag: VarId(0),
            terminal_flag: VarId(0),
            lambda: VarId(0),
            relation_ids: BTreeMap::new(),
            sampler_ids: BTreeMap::new(),
            held: BTreeMap::new(),
            fires: BTreeMap::new(),
            with_events: ExprMap::default(),
            without_events: ExprMap::default(),
            varying: ExprMap::default(),
            parameter_values: ParameterValues::default(),
            here,
            ticked: BTreeMap::new(),
            ticks: Vec::new(),
            base_ticks: BTreeMap::new(),
            clocks: Vec::new(),
            start_time: 0.0,
        }
    }

    /// The variables that the run itself sets.
    pub fn add_flags(&mut self) {
        self.initial_flag = self.new_var("initial()", Scalar::Bool, Role::InitialFlag);
        self.terminal_flag = self.new_var("terminal()", Scalar::Bool, Role::TerminalFlag);
        self.lambda = self.new_var("homotopy parameter", Scalar::Real, Role::Lambda);
    }

    /// What is assigned in a when-clause changes at events only.
    fn mark_discrete(&mut self, equations: &[Equation]) {
        let mut owner: BTreeMap<VarId, Span> = BTreeMap::new();
        let clocked = (0..self.vars.len()).filter(|&v| self.vars[v].clock.is_some());
        self.assigned.extend(clocked.map(VarId::new));
        for equation in equations {
            let mark = |work: &mut Work, v: VarId| {
                if work.roles[v.index()] == Role::Algebraic {
                    work.roles[v.index()] = Role::Discrete;
                }
            };
            match &equation.kind {
                EquationKind::WhenAssign { var, .. } => {
                    mark(self, *var);
                    self.assigned.insert(*var);
                    if let Some(first) = owner.insert(*var, equation.origin.span) {
                        let name = self.vars[var.index()].name.clone();
                        self.diagnostics.push(diagnostics::when_conflict(&name, first, equation.origin.span));
                    }
                }
                EquationKind::WhenDo(branches) => {
                    let actions = branches.iter().flat_map(|(_, actions)| actions);
                    self.reinit.extend(actions.filter_map(|a| match a {
                        Action::Reinit(v, _) => Some(*v),
                        _ => None,
                    }));
                }
                EquationKind::Algorithm { statements, outputs } => {
                    self.assigned.extend(outputs);
                    let mut targets = Vec::new();
                    when_targets(statements, false, &mut targets, &mut self.reinit);
                    targets.into_iter().for_each(|v| mark(self, v));
                }
                _ => {}
            }
        }
    }

    fn equation(&mut self, equation: &Equation) {
        let origin = equation.origin;
        if let Some(clock) = equation.clock {
            self.clocked(equation, clock);
            return;
        }
        match &equation.kind {
            EquationKind::Equal(l, r) => {
                let lhs = self.lower(*l, true);
                let rhs = self.lower(*r, true);
                self.equal(lhs, rhs, origin);
            }
            EquationKind::WhenAssign { var, branches } => {
                let conditions: Vec<Vec<ExprId>> = branches.iter().map(|(c, _)| c.clone()).collect();
                let fires = self.fire_flags(&conditions, origin);
                let mut value = self.pre_expr(*var);
                for ((_, e), &fire) in branches.iter().zip(&fires).rev() {
                    let e = self.lower(*e, false);
                    let fire = self.var_expr(fire);
                    value = self.store.choose(fire, e, value);
                }
                self.assign(*var, value, origin);
            }
            EquationKind::WhenDo(branches) => {
                let conditions: Vec<Vec<ExprId>> = branches.iter().map(|(c, _)| c.clone()).collect();
                let fires = self.fire_flags(&conditions, origin);
                let at_start = conditions.iter().position(|c| c.iter().any(|&c| self.is_initial(c)));
                for action in at_start.map_or(&[][..], |k| &branches[k].1) {
                    self.reinit_at_start(action, origin);
                }
                let branches = fires.into_iter().zip(branches).map(|(f, (_, a))| (f, a.clone())).collect();
                self.whens.push(When { branches, origin });
            }
            EquationKind::Algorithm { statements, outputs } => {
                match algorithm::execute(self, statements, outputs, origin, false) {
                    Ok(done) => {
                        for (v, value) in done.values {
                            let value = self.lower(value, true);
                            match self.is_discrete(v) {
                                true => self.assign(v, value, origin),
                                false => {
                                    let lhs = self.var_expr(v);
                                    self.equal(lhs, value, origin);
                                }
                            }
                        }
                    }
                    Err(refusal) => self.refuse(refusal),
                }
            }
            EquationKind::Assert { condition, message, warning } => {
                self.assert(*condition, *message, *warning, origin);
            }
            EquationKind::Call(e) => self.call(*e, origin),
        }
    }

    fn is_initial(&mut self, condition: ExprId) -> bool {
        let condition = self.lower(condition, true);
        matches!(*self.store.node(condition), Node::Var(v) if v == self.initial_flag)
    }

    /// MLS 8.6: a `reinit(x, e)` that acts at the start is the initial equation `x = e`.
    fn reinit_at_start(&mut self, action: &Action, origin: Origin) {
        let Action::Reinit(v, value) = action else { return };
        let before = self.pre_expr(*v);
        let (lhs, rhs) = (self.var_expr(*v), self.lower(*value, false));
        // Behind a condition that does not hold nothing is set.
        if rhs != before {
            let kind = Kind::Continuous;
            self.initial_rows.push(Row {
                lhs,
                rhs,
                initial: None,
                kind,
                target: None,
                origin,
                differentiated: 0,
            });
        }
    }

    pub(crate) fn refuse(&mut self, refusal: Refusal) {
        self.diagnostics.push(match refusal {
            Refusal::Loop(span) => diagnostics::loop_in_algorithm(span),
            Refusal::Target(span) => diagnostics::target_in_algorithm(span),
        });
    }

    fn equal(&mut self, lhs: ExprId, rhs: ExprId, origin: Origin) {
        let lone = |work: &Work, e: ExprId| match *work.store.node(e) {
            Node::Var(v) => {
                let free = work.is_discrete(v) && !work.assigned.contains(&v);
                (free && work.vars[v.index()].ty == Scalar::Real).then_some(v)
            }
            _ => None,
        };
        let mut row =
            Row { lhs, rhs, initial: None, kind: Kind::Continuous, target: None, origin, differentiated: 0 };
        let (left, right) = (self.store.ty(lhs).scalar, self.store.ty(rhs).scalar);
        let logical = |s: Scalar| s.is_discrete() && s != Scalar::Int;
        if logical(left) || logical(right) || left.is_discrete() && right.is_discrete() {
            row.kind = Kind::Discrete;
        } else if let Some(v) = lone(self, lhs).or(lone(self, rhs)) {
            if lone(self, lhs).is_none() {
                (row.lhs, row.rhs) = (rhs, lhs);
            }
            row.kind = Kind::Discrete;
            row.target = Some(v);
        }
        self.rows.push(row);
    }

    /// A discrete equation of the compiler's own.
    pub fn define(&mut self, var: VarId, value: ExprId) {
        self.assign(var, value, self.here);
    }

    pub fn assign(&mut self, var: VarId, value: ExprId, origin: Origin) {
        let lhs = self.var_expr(var);
        let row = Row {
            lhs,
            rhs: value,
            initial: None,
            kind: Kind::Discrete,
            target: Some(var),
            origin,
            differentiated: 0,
        };
        self.rows.push(row);
    }

    fn initial_equation(&mut self, equation: &Equation) {
        let origin = equation.origin;
        let push = |work: &mut Work, lhs, rhs| {
            // The zero of `0 = x - y` is an Integer, the equation is not.
            let real = [lhs, rhs].iter().any(|&e| !work.store.ty(e).scalar.is_discrete());
            let kind = if real { Kind::Continuous } else { Kind::Discrete };
            let row = Row { lhs, rhs, initial: None, kind, target: None, origin, differentiated: 0 };
            work.initial_rows.push(row);
        };
        match &equation.kind {
            EquationKind::Equal(l, r) => {
                let lhs = self.lower(*l, false);
                let rhs = self.lower(*r, false);
                push(self, lhs, rhs);
            }
            EquationKind::Algorithm { statements, outputs } => {
                match algorithm::execute(self, statements, outputs, origin, true) {
                    Ok(done) => {
                        for (v, value) in done.values {
                            let value = self.lower(value, false);
                            let lhs = self.var_expr(v);
                            push(self, lhs, value);
                        }
                    }
                    Err(refusal) => self.refuse(refusal),
                }
            }
            EquationKind::Assert { condition, message, warning } => {
                let (condition, message, warning) = (*condition, *message, *warning);
                self.act_at_start(Action::Assert { condition, message, warning }, origin);
            }
            EquationKind::Call(e) => self.act_at_start(Action::Call(*e), origin),
            _ => {}
        }
    }

    /// What initial sections ask for or call is a matter of the start alone.
    pub fn act_at_start(&mut self, action: Action, origin: Origin) {
        let initial = self.var_expr(self.initial_flag);
        let fires = self.fire_flags(&[vec![initial]], origin);
        let branches = fires.into_iter().map(|fire| (fire, vec![action.clone()])).collect();
        self.whens.push(When { branches, origin });
    }

    pub fn assert(&mut self, condition: ExprId, message: ExprId, warning: bool, origin: Origin) {
        let condition = self.lower(condition, false);
        let message = self.lower(message, false);
        if !matches!(self.store.node(condition), Node::Bool(true)) {
            self.effects.push(Effect::Assert { condition, message, warning, origin });
        }
    }

    pub fn call(&mut self, call: ExprId, origin: Origin) {
        let call = self.lower(call, false);
        self.effects.push(Effect::Call(call, origin));
    }

    /// One flag for each branch of a when-clause: true at the event where the branch acts.
    pub fn fire_flags(&mut self, branches: &[Vec<ExprId>], origin: Origin) -> Vec<VarId> {
        if let Some(known) = self.fires.get(branches) {
            return known.clone();
        }
        let mut flags = Vec::new();
        let mut earlier = self.store.bool(false);
        let mut earlier_initial = false;
        for conditions in branches {
            let mut fire = self.store.bool(false);
            let mut initial = false;
            for &condition in conditions {
                let condition = self.lower(condition, true);
                let edge = match *self.store.node(condition) {
                    Node::Var(v) if v == self.initial_flag => {
                        initial = true;
                        continue;
                    }
                    Node::Bool(_) => continue,
                    Node::Var(v) if matches!(self.roles[v.index()], Role::Sampler(_)) => condition,
                    Node::Var(v) if self.is_discrete(v) || v == self.terminal_flag => self.edge(v),
                    _ => {
                        let name = format!("when condition {}", self.fires.len() + 1);
                        let v = self.new_var(&name, Scalar::Bool, Role::Helper);
                        self.assign(v, condition, origin);
                        self.edge(v)
                    }
                };
                fire = self.store.or(fire, edge);
            }
            let free = self.store.not(earlier);
            let value = self.store.and(fire, free);
            let flag = self.new_var("when clause acts", Scalar::Bool, Role::Helper);
            self.assign(flag, value, origin);
            let start = self.store.bool(initial && !earlier_initial);
            let e = self.var_expr(flag);
            if let Some(row) = self.rows.last_mut() {
                row.initial = Some((e, start));
            }
            earlier_initial |= initial;
            earlier = self.store.or(earlier, e);
            flags.push(flag);
        }
        self.fires.insert(branches.to_vec(), flags.clone());
        flags
    }

    /// The actions of when-clauses become effects.
    fn lower_actions(&mut self) {
        for when in std::mem::take(&mut self.whens) {
            self.here = when.origin;
            let mut branches = Vec::new();
            for (fire, actions) in when.branches {
                let actions = actions.into_iter().map(|action| match action {
                    Action::Reinit(v, e) => Action::Reinit(v, self.lower(e, false)),
                    Action::Assert { condition, message, warning } => Action::Assert {
                        condition: self.lower(condition, false),
                        message: self.lower(message, false),
                        warning,
                    },
                    Action::Terminate(e) => Action::Terminate(self.lower(e, false)),
                    Action::Call(e) => Action::Call(self.lower(e, false)),
                });
                branches.push((fire, actions.collect()));
            }
            self.effects.push(Effect::When { branches, origin: when.origin });
        }
    }

    fn attributes(&mut self, k: usize) {
        let var = &self.vars[k];
        let old = [var.binding, var.start, var.nominal];
        let new = old.map(|e| e.map(|e| self.lower(e, false)));
        let var = &mut self.vars[k];
        [var.binding, var.start, var.nominal] = new;
    }

    /// Between events `homotopy` is its first argument; while initialising it blends both.
    fn split_homotopy(&mut self) {
        let lambda = self.var_expr(self.lambda);
        let one = self.store.real(1.0);
        let actual = self.store.compare(BinOp::Ge, lambda, one);
        let rest = self.store.minus(one, lambda);
        let (mut plain, mut blend) = (ExprMap::default(), ExprMap::default());
        let mut strip = |store: &mut Store, e: ExprId| {
            store.rewrite(e, &mut plain, &mut |store, e| match store.node(e) {
                Node::Builtin(Builtin::Homotopy, args) => args[0],
                _ => store.simplify_node(e),
            })
        };
        let mut mix = |store: &mut Store, e: ExprId| {
            store.rewrite(e, &mut blend, &mut |store, e| match store.node(e).clone() {
                Node::Builtin(Builtin::Homotopy, args) => {
                    let (a, b) = (store.times(lambda, args[0]), store.times(rest, args[1]));
                    let both = store.plus(a, b);
                    store.choose(actual, args[0], both)
                }
                _ => store.simplify_node(e),
            })
        };
        for row in self.rows.iter_mut().chain(&mut self.initial_rows) {
            let (lhs, rhs) = (strip(&mut self.store, row.lhs), strip(&mut self.store, row.rhs));
            if (lhs, rhs) != (row.lhs, row.rhs) {
                row.initial = Some((mix(&mut self.store, row.lhs), mix(&mut self.store, row.rhs)));
                (row.lhs, row.rhs) = (lhs, rhs);
            }
        }
        for relation in &mut self.relations {
            relation.lhs = strip(&mut self.store, relation.lhs);
            relation.rhs = strip(&mut self.store, relation.rhs);
        }
    }

    pub fn relation_expr(&mut self, relation: RelationId) -> ExprId {
        self.store.add(Node::Relation(relation), Type::scalar(Scalar::Bool))
    }

    /// The held value of `lhs op rhs`.
    pub fn relation(&mut self, op: BinOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        let key = (op as u8, lhs, rhs);
        if let Some(&known) = self.relation_ids.get(&key) {
            return self.relation_expr(known);
        }
        let id = RelationId::new(self.relations.len());
        let difference = self.store.minus(lhs, rhs);
        let time = self.store.affine(difference, &Node::Time).and_then(|split| {
            let slope = split.slope?;
            (!self.varies(slope) && !self.varies(split.rest)).then_some((slope, split.rest))
        });
        self.relations.push(Relation { op, lhs, rhs, origin: self.here, time, demand: None });
        self.relation_ids.insert(key, id);
        let e = self.relation_expr(id);
        self.rows.push(Row {
            lhs: e,
            rhs: self.store.scalar_binary(op, lhs, rhs),
            initial: None,
            kind: Kind::Relation(id),
            target: None,
            origin: self.here,
            differentiated: 0,
        });
        e
    }
}

fn when_targets(
    statements: &[kairos_expr::Stmt],
    inside: bool,
    targets: &mut Vec<VarId>,
    reinit: &mut Vec<VarId>,
) {
    use kairos_expr::{Stmt, Target};
    let note = |lvalue: &kairos_expr::LValue| match lvalue.target {
        Target::Var(v) if inside => Some(v),
        _ => None,
    };
    for statement in statements {
        match statement {
            Stmt::Assign(lvalue, ..) => targets.extend(note(lvalue)),
            Stmt::AssignTuple(lvalues, ..) => targets.extend(lvalues.iter().flatten().filter_map(note)),
            Stmt::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| when_targets(body, inside, targets, reinit));
                when_targets(otherwise, inside, targets, reinit);
            }
            Stmt::For(_, _, body, _) | Stmt::While(_, body, _) => when_targets(body, inside, targets, reinit),
            Stmt::When(branches, _) => {
                branches.iter().for_each(|(_, body)| when_targets(body, true, targets, reinit));
            }
            Stmt::Reinit(v, ..) => reinit.push(*v),
            _ => {}
        }
    }
}
