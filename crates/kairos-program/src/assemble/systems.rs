//! Blocks that are solved numerically, the Jacobian of the motion, and sets of states to choose from.

use super::{Assembler, QUOTED, Use};
use crate::closed;
use crate::lower::Target;
use crate::program::{Code, DEEP, JacobianCode, JacobianPlan, MixedCode, NO_LIMITS, Solve};
use crate::sparsity::sparsity;
use crate::state_set::SetCode;
use crate::tangent::{self, Tangents};
use crate::tape::{Destination, Slot};
use kairos_base::Span;
use kairos_causal::{EquationInfo, Torn};
use kairos_expr::{ExprId, Node, Scalar, Type, VarId};
use kairos_numerics::linear::Colouring;
use std::sync::Arc;

/// From so many eliminated unknowns on a system is also there as a whole, if it is none that a formula solves.
const SEVERAL: usize = 4;

impl Assembler {
    pub(super) fn torn(&mut self, torn: &Torn, equations: &[EquationInfo], mode: Use) -> Solve {
        let mut targets: Vec<Target> = torn.inner.iter().map(|a| self.assign(a.var, a.value)).collect();
        let mut residuals = Vec::new();
        for &(e, _) in &torn.residuals {
            let to = self.memory.temporary();
            residuals.push(to);
            targets.push(Target { to: Destination::Number(to), value: e });
        }
        let unknowns: Vec<Slot> = torn.iteration.iter().map(|&v| self.slot(v)).collect();
        let tape = self.lower_for(&targets, mode);
        let whole = self.whole(torn, mode);
        let mut given = residuals.clone();
        if whole.is_some() {
            given.extend(torn.inner.iter().map(|a| self.slot(a.var)));
        }
        let mut tangent =
            tangent::differentiate(&self.model.store, &mut self.memory, &tape, &unknowns, &given);
        let spread = tangent.outputs.split_off(residuals.len());
        let nominal = torn.iteration.iter().map(|&v| self.nominal(v)).collect();
        let id = self.memory.solves.len() as u32;
        self.memory.solves.push(unknowns.len() as u32);
        let conditions = self.conditions(torn);
        let texts = torn.inner.iter().take(QUOTED).map(|a| &equations[a.equation as usize]);
        let mut solve = Solve {
            eliminated: texts.map(|q| self.model.equation_brief(q)).collect(),
            conditions,
            id,
            whole,
            spread,
            is_whole: false,
            sparsity: sparsity(&self.memory.routines, &tape, &unknowns, &residuals),
            closed: None,
            linear: torn.linear,
            names: torn.iteration.iter().map(|v| self.model.vars[v.index()].name.clone()).collect(),
            unknowns,
            nominal,
            limits: torn.iteration.iter().map(|&v| self.limits(v)).collect(),
            residuals,
            tape,
            tangent: tangent.tape,
            seeds: tangent.seeds,
            columns: tangent.outputs,
            matrix_inputs: None,
            equations: torn
                .residuals
                .iter()
                .map(|&(_, q)| &equations[q as usize])
                .map(|q| (self.model.equation_brief(q), q.origin.span))
                .collect(),
        };
        solve.closed = closed::single(&mut self.memory, &solve);
        solve
    }

    /// A system before tearing, if that eliminates several unknowns.
    fn whole(&mut self, torn: &Torn, mode: Use) -> Option<Arc<Solve>> {
        let is_real = |v: VarId| self.model.vars[v.index()].ty == Scalar::Real;
        // What a formula solves is left to it as long as few are eliminated.
        let by_formula = torn.linear && torn.iteration.len() <= closed::UNKNOWNS;
        let least = if by_formula { DEEP } else { SEVERAL };
        if torn.inner.len() < least || !torn.inner.iter().all(|a| is_real(a.var)) {
            return None;
        }
        let mut values = Vec::with_capacity(torn.inner.len() + torn.residuals.len());
        for inner in &torn.inner {
            let var = self.model.store.var(inner.var, Type::scalar(Scalar::Real));
            values.push(self.model.store.minus(var, inner.value));
        }
        values.extend(torn.residuals.iter().map(|r| r.0));
        let vars: Vec<VarId> =
            torn.inner.iter().map(|a| a.var).chain(torn.iteration.iter().copied()).collect();
        let residuals: Vec<Slot> = values.iter().map(|_| self.memory.temporary()).collect();
        let targets = values.iter().zip(&residuals);
        let targets = targets.map(|(&value, &to)| Target { to: Destination::Number(to), value });
        let tape = self.lower_for(&targets.collect::<Vec<_>>(), mode);
        let unknowns: Vec<Slot> = vars.iter().map(|&v| self.slot(v)).collect();
        let tangent =
            tangent::differentiate(&self.model.store, &mut self.memory, &tape, &unknowns, &residuals);
        let sparsity = sparsity(&self.memory.routines, &tape, &unknowns, &residuals)?;
        let id = self.memory.solves.len() as u32;
        self.memory.solves.push(unknowns.len() as u32);
        Some(Arc::new(Solve {
            id,
            linear: torn.linear,
            nominal: vars.iter().map(|&v| self.nominal(v)).collect(),
            limits: vars.iter().map(|&v| self.limits(v)).collect(),
            names: vars.iter().map(|v| self.model.vars[v.index()].name.clone()).collect(),
            equations: Vec::new(),
            eliminated: Vec::new(),
            conditions: Vec::new(),
            unknowns,
            residuals,
            tape,
            tangent: tangent.tape,
            seeds: tangent.seeds,
            columns: tangent.outputs,
            whole: None,
            spread: Vec::new(),
            is_whole: true,
            sparsity: Some(sparsity),
            closed: None,
            matrix_inputs: None,
        }))
    }

    /// What decides between branches in a block.
    pub(super) fn conditions(&self, torn: &Torn) -> Vec<(String, Slot)> {
        let store = &self.model.store;
        let values = torn.inner.iter().map(|a| a.value).chain(torn.residuals.iter().map(|r| r.0));
        let values: Vec<ExprId> = values.collect();
        let choices = store.post_order(&values, |_| false).into_iter().filter_map(|e| match *store.node(e) {
            Node::If(condition, ..) => Some(condition),
            _ => None,
        });
        let choices: Vec<ExprId> = choices.collect();
        let mut found: Vec<(String, Slot)> = Vec::new();
        for e in store.post_order(&choices, |_| false) {
            let one = match *store.node(e) {
                Node::Relation(r) => (self.model.relation_text(r), self.memory.relations + r.0),
                Node::Var(v) if self.is_discrete(v) => {
                    (self.model.vars[v.index()].name.clone(), self.memory.slot_of[v.index()])
                }
                _ => continue,
            };
            if found.len() < QUOTED && !found.contains(&one) {
                found.push(one);
            }
        }
        found
    }

    /// The slot of a nominal value that is a literal or a parameter, else of one.
    pub(super) fn nominal(&mut self, v: VarId) -> Slot {
        let Some(e) = self.model.vars[v.index()].nominal else { return self.memory.constant(1.0) };
        match *self.model.store.node(e) {
            Node::Var(p) => self.slot(p),
            _ => match self.model.store.number(e) {
                Some(x) => self.memory.constant(x.abs()),
                None => self.memory.constant(1.0),
            },
        }
    }

    /// Limits that are literals.
    pub(super) fn limits(&self, v: VarId) -> (f64, f64) {
        let var = &self.model.vars[v.index()];
        let number = |e: Option<ExprId>| e.and_then(|e| self.model.store.number(e));
        (number(var.min).unwrap_or(NO_LIMITS.0), number(var.max).unwrap_or(NO_LIMITS.1))
    }

    pub(super) fn mixed(
        &mut self,
        mixed: &kairos_causal::Mixed,
        continuous: Vec<Code>,
        discrete: Vec<Code>,
    ) -> MixedCode {
        let mut targets = Vec::new();
        let (mut decided, mut sides) = (Vec::new(), Vec::new());
        for &r in &mixed.relations {
            let (value, to) = (self.literal(r), self.memory.temporary());
            let (left, right) = (self.memory.temporary(), self.memory.temporary());
            let relation = &self.model.relations[r.index()];
            decided.push(to);
            sides.push((left, right));
            targets.push(Target { to: Destination::Number(left), value: relation.lhs });
            targets.push(Target { to: Destination::Number(right), value: relation.rhs });
            targets.push(Target { to: Destination::Number(to), value });
        }
        let decide = self.lower(&targets);
        let variables = mixed.unknowns.iter().filter(|&&v| self.is_discrete(v));
        let variables = variables.filter(|v| self.memory.other_of[v.index()].is_none());
        let first = mixed.relations.first().map(|r| self.model.relations[r.index()].origin.span);
        // A loop of discrete equations may have no relations: then its unknowns say where it is.
        let first = first.or(mixed.unknowns.first().map(|v| self.model.vars[v.index()].span));
        let names = match mixed.relations.is_empty() {
            true => mixed.unknowns.iter().map(|v| self.model.vars[v.index()].name.clone()).collect(),
            false => mixed.relations.iter().map(|&r| self.model.relation_text(r)).collect(),
        };
        MixedCode {
            continuous,
            discrete,
            decide,
            relations: mixed.relations.iter().map(|r| self.memory.relations + r.0).collect(),
            decided,
            sides,
            variables: variables.map(|&v| self.slot(v)).collect(),
            texts: names,
            span: first.unwrap_or(Span { file: kairos_base::FileId(0), start: 0, end: 0 }),
        }
    }

    /// The derivatives' codes with tangents for the states.
    pub(super) fn jacobian(&mut self, codes: &[Code], columns: &[Vec<u32>]) -> JacobianPlan {
        let mut tangents = Tangents::default();
        let states: Vec<Slot> = self.model.states.iter().map(|s| self.slot(s.var)).collect();
        let seeds = states.iter().map(|&s| tangents.seed(&mut self.memory.slots, s)).collect();
        let mut plan = Vec::new();
        for (at, code) in codes.iter().enumerate() {
            match code {
                Code::Tape(tape) => {
                    plan.push(JacobianCode::Tape(tangents.differentiate(
                        &self.model.store,
                        &mut self.memory,
                        tape,
                    )));
                }
                Code::Solve(solve) => {
                    let unknowns =
                        solve.unknowns.iter().map(|&u| tangents.seed(&mut self.memory.slots, u)).collect();
                    let tape = tangents.differentiate(&self.model.store, &mut self.memory, &solve.tape);
                    let residuals =
                        solve.residuals.iter().map(|&r| tangents.of(&mut self.memory.slots, r)).collect();
                    plan.push(JacobianCode::Solve { code: at as u32, tape, unknowns, residuals });
                }
                // Between events a mixed block is its continuous part.
                Code::Mixed(_) => {}
            }
        }
        let derivatives: Vec<Slot> = self.model.states.iter().map(|s| self.slot(s.derivative)).collect();
        let derivatives = derivatives.iter().map(|&d| tangents.of(&mut self.memory.slots, d)).collect();
        let groups = Colouring::new(columns.iter().map(Vec::as_slice));
        JacobianPlan { codes: plan, seeds, derivatives, groups }
    }

    pub(super) fn state_sets(&mut self) -> Vec<SetCode> {
        let sets = std::mem::take(&mut self.model.state_sets);
        let codes = sets.iter().map(|set| {
            let (mut targets, mut entries) = (Vec::new(), Vec::new());
            for (row, list) in set.jacobian.iter().enumerate() {
                for &(column, value) in list {
                    let to = self.memory.temporary();
                    targets.push(Target { to: Destination::Number(to), value });
                    entries.push((row as u32, column, to));
                }
            }
            SetCode {
                tape: self.lower(&targets),
                entries,
                rows: set.jacobian.len(),
                others: set.others as usize,
                nominal: set.candidates.iter().map(|&v| self.nominal(v)).collect(),
                candidates: set.candidates.iter().map(|&v| self.slot(v)).collect(),
                states: set.states.iter().map(|&v| self.slot(v)).collect(),
                selectors: set.selectors.iter().map(|r| r.iter().map(|&v| self.slot(v)).collect()).collect(),
                chosen: set.chosen.clone(),
            }
        });
        let codes = codes.collect();
        self.model.state_sets = sets;
        codes
    }
}
