//! A causal model to a program: the memory laid out, blocks lowered for each of their uses.

mod body;
mod glances;
mod islands;

use crate::closed;
use crate::constancy;
use crate::describe::{describe, inputs};
use crate::field;
use crate::leap;
use crate::lower::{Target, lower};
use crate::program::{
    ActionCode, AssertCode, Check, Code, Definition, JacobianCode, JacobianPlan, Memory, MixedCode,
    NO_LIMITS, Program, RelationCode, Solve, WhenCode,
};
use crate::reach::{Ledger, Reach, Work};
use crate::settled::Settled;
use crate::state_sets::SetCode;
use crate::structure;
use crate::tangent::{self, Tangents};
use crate::tape::{Destination, Slot, Tape};
use crate::through::Through;
use kairos_base::Span;
use kairos_causal::{Alias, Block, CausalModel, Effect, EquationInfo, Role, Torn};
use kairos_expr::{ExprId, ExprMap, Node, RelationId, Scalar, Type, Value, VarId};
use kairos_flat::Action;
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many equations and conditions of a block a message may quote.
const QUOTED: usize = 8;

/// Compiles a model for the machines.
pub fn assemble(mut model: CausalModel) -> Program {
    let memory = lay_out(&mut model);
    let mut work = Assembler {
        memory,
        model,
        settled: Settled::default(),
        nothing: ExprMap::default(),
        solved: BTreeMap::new(),
    };
    work.program()
}

fn lay_out(model: &mut CausalModel) -> Memory {
    let mut memory = Memory::default();
    memory.time = memory.temporary();
    let count = model.vars.len();
    memory.slot_of = vec![0; count];
    memory.other_of = vec![None; count];
    for v in 0..count {
        if model.aliases[v].is_some() {
            continue;
        }
        memory.slot_of[v] = memory.temporary();
        if matches!(model.vars[v].ty, Scalar::Str | Scalar::Object(_) | Scalar::Function) {
            memory.other_of[v] = Some(memory.others.len() as u32);
            memory.others.push(Value::str(""));
        }
    }
    memory.relations = memory.slots.len() as Slot;
    for _ in &model.relations {
        memory.temporary();
    }
    for v in 0..count {
        match model.aliases[v] {
            Some(Alias::Of { var, .. }) => {
                memory.slot_of[v] = memory.slot_of[var.index()];
                memory.other_of[v] = memory.other_of[var.index()];
            }
            Some(Alias::Constant(value)) => {
                let value = model.store.number(value).unwrap_or(0.0);
                memory.slot_of[v] = memory.constant(value);
            }
            None => {}
        }
    }
    memory
}

struct Assembler {
    memory: Memory,
    model: CausalModel,
    settled: Settled,
    nothing: ExprMap<Slot>,
    /// The systems of the motion by their first unknown: each is made once.
    solved: BTreeMap<Slot, Solve>,
}

/// For which use blocks are lowered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Between events: relations and discrete variables are held.
    Motion,
    /// The same for a moment, while relations are sought that agree with what follows from them.
    Trial,
    /// Everything.
    Event,
}

impl Assembler {
    fn program(&mut self) -> Program {
        let needs = structure::needs(&self.model);
        let mut parameters = Vec::with_capacity(self.model.parameters.len());
        let mut parameter_places = Vec::with_capacity(self.model.parameters.len());
        for (v, e) in self.model.parameters.clone() {
            let target = self.assign(v, e);
            parameters.push((target.to, self.lower(&[target])));
            parameter_places.push((self.model.vars[v.index()].name.clone(), self.model.vars[v.index()].span));
        }
        let starts = self.starts();
        let initial_blocks = self.model.initial.blocks.clone();
        let initial_equations = self.model.initial.equations.clone();
        let initial = self.code(&initial_blocks, Use::Event, &initial_equations);
        let checks = self.checks();
        let equations = self.model.equations.clone();
        let pick = |work: &mut Self, list: &[usize]| {
            let blocks: Vec<Block> = list.iter().map(|&b| work.model.blocks[b].clone()).collect();
            work.code(&blocks, Use::Motion, &equations)
        };
        let motion: Vec<usize> = needs.derivatives.iter().chain(&needs.crossings).copied().collect();
        self.settled = Settled::find(&self.model, &mut self.memory, &motion);
        let settled = self.settled.targets().to_vec();
        let settled = self.lower(&settled);
        let derivatives = pick(self, &needs.derivatives);
        let jacobian = self.jacobian(&derivatives, &needs.jacobian);
        let crossings = pick(self, &needs.crossings);
        let outputs = pick(self, &needs.outputs);
        let blocks = self.model.blocks.clone();
        let event = self.code(&blocks, Use::Event, &equations);
        let (crossing_tape, relations) = self.relations();
        let demands = self.demands();
        let mut watched = pick(self, &needs.watched);
        watched.push(Code::Tape(crossing_tape.clone()));
        let samplers = self.samplers();
        let (whens, asserts, calls) = self.effects();
        let (pre, discrete, discrete_vars) = self.left_limits();
        let glances = self.glances();
        let discrete_read = discrete_vars.iter().map(|v| glances.limits[v.index()]).collect();
        let discrete_seen = discrete_vars.iter().map(|&v| needs.seen(&self.model, v)).collect();
        let (definitions, definition_of) = self.definitions();
        let ledger = Ledger::new(&self.model, &self.memory, &needs, &glances.limits, &discrete, &pre);
        let (mut reach, reached) = Reach::new(&self.model, &self.memory, &ledger, &definition_of);
        for (cell, &block) in reached.iter().enumerate() {
            let block = std::slice::from_ref(&blocks[block]);
            reach.cells[cell].work = Work::Code(self.code(block, Use::Event, &equations).into());
        }
        self.islands(&mut reach, &reached, &relations);
        let sampler_flags = self.model.samplers.iter().map(|s| self.memory.slot_of[s.flag.index()]).collect();
        let state_sets = self.state_sets();
        let history = self.history();
        let info = describe(&self.model, &self.memory, &needs);
        let carried = self.carried();
        let mut program = Program {
            store: Arc::new(std::mem::take(&mut self.model.store)),
            info,
            types: self.model.vars.iter().map(|v| v.ty).collect(),
            parameters,
            parameter_places,
            history,
            definitions,
            names: self.model.vars.iter().map(|v| v.name.clone()).collect(),
            starts,
            initial,
            checks,
            report: self.model.initial.report.clone(),
            has_homotopy: self.model.initial.has_homotopy,
            settled,
            derivatives: derivatives.into(),
            jacobian,
            crossings: crossings.into(),
            outputs: outputs.into(),
            motion: None,
            watched: None,
            leap: None,
            crossing_tape,
            demands,
            event: event.into(),
            through: None,
            whens,
            asserts,
            calls,
            relations,
            samplers,
            sampler_flags,
            pre,
            discrete,
            discrete_read,
            discrete_seen,
            relation_seen: needs.relations.clone(),
            reach,
            initial_flag: self.memory.slot_of[self.model.initial_flag.index()],
            terminal_flag: self.memory.slot_of[self.model.terminal_flag.index()],
            lambda: self.memory.slot_of[self.model.lambda.index()],
            state_sets,
            carried,
            vars: self.model.states.iter().map(|s| s.var).collect(),
            memory: std::mem::take(&mut self.memory),
        };
        constancy::find(&mut program);
        let (sequences, memory) = program.sequences_mut();
        sequences.for_each(|(sequence, _)| sequence.join(memory));
        field::find(&mut program, watched);
        leap::find(&mut program);
        program.through = Through::new(&mut program, glances.momentary.as_deref());
        program
    }

    fn slot(&self, v: VarId) -> Slot {
        self.memory.slot_of[v.index()]
    }

    fn assign(&self, v: VarId, value: ExprId) -> Target {
        let to = match self.memory.other_of[v.index()] {
            Some(other) => Destination::Other(other),
            None => Destination::Number(self.slot(v)),
        };
        Target { to, value }
    }

    fn lower(&mut self, targets: &[Target]) -> Tape {
        self.lower_for(targets, Use::Event)
    }

    fn lower_for(&mut self, targets: &[Target], mode: Use) -> Tape {
        let known = if mode == Use::Motion { &self.settled.slots } else { &self.nothing };
        lower(&self.model.store, &mut self.memory, known, targets)
    }

    /// A tape for one expression and the slot of its value.
    fn value(&mut self, e: ExprId) -> (Tape, Slot) {
        let to = self.memory.temporary();
        let tape = self.lower(&[Target { to: Destination::Number(to), value: e }]);
        (tape, to)
    }

    /// Start values of everything that has one, as guesses.
    fn starts(&mut self) -> Tape {
        let mut targets = Vec::new();
        for v in 0..self.model.vars.len() {
            let unknown = matches!(
                self.model.roles[v],
                Role::State | Role::Algebraic | Role::Discrete | Role::FreeParameter | Role::Input
            );
            let start = self.model.vars[v]
                .start
                .or(self.model.vars[v].binding.filter(|_| self.model.roles[v] == Role::FreeParameter));
            let start = match (unknown, start, self.model.vars[v].ty) {
                (false, ..) => continue,
                (_, Some(start), _) => start,
                (_, None, Scalar::Enum(ty)) => self.model.store.literal(ty, 1),
                _ => continue,
            };
            targets.push(self.assign(VarId::new(v), start));
            if let Some(pre) = self.model.pre[v] {
                targets.push(self.assign(pre, start));
            }
        }
        self.lower(&targets)
    }

    fn checks(&mut self) -> Vec<Check> {
        let redundant = self.model.initial.redundant.clone();
        let mut checks = Vec::new();
        for equation in redundant {
            let numeric = |ty: &Type| matches!(ty.scalar, Scalar::Real | Scalar::Int | Scalar::Bool);
            if !numeric(self.model.store.ty(equation.lhs)) || !numeric(self.model.store.ty(equation.rhs)) {
                continue;
            }
            let (left, right) = (self.memory.temporary(), self.memory.temporary());
            let tape = self.lower(&[
                Target { to: Destination::Number(left), value: equation.lhs },
                Target { to: Destination::Number(right), value: equation.rhs },
            ]);
            let text = self.model.equation_brief(&equation);
            checks.push(Check { tape, left, right, text, span: equation.origin.span });
        }
        checks
    }

    /// Neighbouring assignments share a tape.
    fn code(&mut self, blocks: &[Block], mode: Use, equations: &[EquationInfo]) -> Vec<Code> {
        let mut out = Vec::new();
        let mut targets: Vec<Target> = Vec::new();
        for block in blocks {
            match block {
                Block::Assign(assign) => {
                    let held = equations[assign.equation as usize].discrete && self.is_discrete(assign.var);
                    if mode == Use::Event || !held {
                        targets.push(self.assign(assign.var, assign.value));
                    }
                }
                Block::Relation(r) => {
                    if mode == Use::Event {
                        let value = self.literal(*r);
                        let to = self.memory.relations + r.0;
                        targets.push(Target { to: Destination::Number(to), value });
                    }
                }
                Block::Torn(torn) => {
                    self.flush(&mut targets, &mut out, mode);
                    let known = torn.iteration.first().map(|&v| self.slot(v)).filter(|_| mode == Use::Motion);
                    let solve = match known.and_then(|first| self.solved.get(&first)) {
                        Some(solve) => solve.clone(),
                        None => self.torn(torn, equations, mode),
                    };
                    self.solved.extend(known.map(|first| (first, solve.clone())));
                    out.push(Code::Solve(Box::new(solve)));
                }
                Block::Mixed(mixed) => {
                    self.flush(&mut targets, &mut out, mode);
                    let held = if mode == Use::Event { Use::Trial } else { mode };
                    let continuous = self.code(&mixed.continuous, held, equations);
                    if mode != Use::Event {
                        out.extend(continuous);
                        continue;
                    }
                    let discrete = self.code(&mixed.discrete, Use::Event, equations);
                    let code = self.mixed(mixed, continuous, discrete);
                    out.push(Code::Mixed(Box::new(code)));
                }
            }
        }
        self.flush(&mut targets, &mut out, mode);
        out
    }

    fn is_discrete(&self, v: VarId) -> bool {
        matches!(self.model.roles[v.index()], Role::Discrete | Role::Helper)
    }

    fn flush(&mut self, targets: &mut Vec<Target>, out: &mut Vec<Code>, mode: Use) {
        if !targets.is_empty() {
            out.push(Code::Tape(self.lower_for(targets, mode)));
            targets.clear();
        }
    }

    /// The relation as an ordinary comparison.
    fn literal(&mut self, r: RelationId) -> ExprId {
        let relation = self.model.relations[r.index()].clone();
        self.model.store.scalar_binary(relation.op, relation.lhs, relation.rhs)
    }

    fn torn(&mut self, torn: &Torn, equations: &[EquationInfo], mode: Use) -> Solve {
        let mut targets: Vec<Target> = torn.inner.iter().map(|a| self.assign(a.var, a.value)).collect();
        let mut residuals = Vec::new();
        for &(e, _) in &torn.residuals {
            let to = self.memory.temporary();
            residuals.push(to);
            targets.push(Target { to: Destination::Number(to), value: e });
        }
        let unknowns: Vec<Slot> = torn.iteration.iter().map(|&v| self.slot(v)).collect();
        let tape = self.lower_for(&targets, mode);
        let tangent =
            tangent::differentiate(&self.model.store, &mut self.memory, &tape, &unknowns, &residuals);
        let nominal = torn.iteration.iter().map(|&v| self.nominal(v)).collect();
        let id = self.memory.solves.len() as u32;
        self.memory.solves.push(unknowns.len() as u32);
        let conditions = self.conditions(torn);
        let texts = torn.inner.iter().take(QUOTED).map(|a| &equations[a.equation as usize]);
        let mut solve = Solve {
            eliminated: texts.map(|q| self.model.equation_brief(q)).collect(),
            conditions,
            id,
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

    /// What decides between branches in a block.
    fn conditions(&self, torn: &Torn) -> Vec<(String, Slot)> {
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
    fn nominal(&mut self, v: VarId) -> Slot {
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
    fn limits(&self, v: VarId) -> (f64, f64) {
        let var = &self.model.vars[v.index()];
        let number = |e: Option<ExprId>| e.and_then(|e| self.model.store.number(e));
        (number(var.min).unwrap_or(NO_LIMITS.0), number(var.max).unwrap_or(NO_LIMITS.1))
    }

    fn mixed(
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
        MixedCode {
            continuous,
            discrete,
            decide,
            relations: mixed.relations.iter().map(|r| self.memory.relations + r.0).collect(),
            decided,
            sides,
            variables: variables.map(|&v| self.slot(v)).collect(),
            texts: mixed.relations.iter().map(|&r| self.model.relation_text(r)).collect(),
            span: first.unwrap_or(Span { file: kairos_base::FileId(0), start: 0, end: 0 }),
        }
    }

    /// The derivatives' codes with tangents for the states.
    fn jacobian(&mut self, codes: &[Code], columns: &[Vec<u32>]) -> JacobianPlan {
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
        JacobianPlan { codes: plan, seeds, derivatives, groups: structure::colour(columns) }
    }

    fn relations(&mut self) -> (Tape, Vec<RelationCode>) {
        let mut targets = Vec::new();
        let mut codes = Vec::new();
        for r in 0..self.model.relations.len() {
            let relation = self.model.relations[r].clone();
            let (left, right) = (self.memory.temporary(), self.memory.temporary());
            let time = relation.time.map(|(slope, rest)| {
                let slots = [self.memory.temporary(), self.memory.temporary(), self.memory.temporary()];
                let literal = self.literal(RelationId::new(r));
                let list = [slope, rest, literal];
                let list: Vec<Target> = slots
                    .iter()
                    .zip(list)
                    .map(|(&to, value)| Target { to: Destination::Number(to), value })
                    .collect();
                (self.lower(&list), slots[0], slots[1], slots[2])
            });
            if time.is_none() {
                targets.push(Target { to: Destination::Number(left), value: relation.lhs });
                targets.push(Target { to: Destination::Number(right), value: relation.rhs });
            }
            codes.push(RelationCode { op: relation.op, left, right, time });
        }
        (self.lower_for(&targets, Use::Motion), codes)
    }

    /// What tells whether relations are wanted, with a slot for each that may not be.
    fn demands(&mut self) -> (Tape, Vec<(u32, Slot)>) {
        let (mut targets, mut slots) = (Vec::new(), Vec::new());
        for r in 0..self.model.relations.len() {
            if let Some(value) = self.model.relations[r].demand {
                let to = self.memory.temporary();
                targets.push(Target { to: Destination::Number(to), value });
                slots.push((r as u32, to));
            }
        }
        (self.lower(&targets), slots)
    }

    fn samplers(&mut self) -> Vec<(Tape, Slot, Slot)> {
        let list: Vec<(ExprId, ExprId)> = self.model.samplers.iter().map(|s| (s.start, s.interval)).collect();
        list.into_iter()
            .map(|(start, interval)| {
                let (a, b) = (self.memory.temporary(), self.memory.temporary());
                let tape = self.lower(&[
                    Target { to: Destination::Number(a), value: start },
                    Target { to: Destination::Number(b), value: interval },
                ]);
                (tape, a, b)
            })
            .collect()
    }

    fn carried(&self) -> Vec<Slot> {
        let kept = |v: &usize| match self.model.roles[*v] {
            Role::Parameter | Role::Algebraic | Role::Alias => false,
            Role::FreeParameter
            | Role::Input
            | Role::State
            | Role::Discrete
            | Role::Helper
            | Role::Pre(_)
            | Role::Sampler(_)
            | Role::InitialFlag
            | Role::TerminalFlag
            | Role::Lambda
            | Role::Selector => true,
        };
        let variables = (0..self.model.vars.len()).filter(kept).map(|v| self.memory.slot_of[v]);
        let relations = (0..self.model.relations.len() as Slot).map(|r| self.memory.relations + r);
        variables.chain(relations).collect()
    }

    fn state_sets(&mut self) -> Vec<SetCode> {
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

    /// Unknowns that are assigned between events, and the place of each block's own among them.
    fn definitions(&self) -> (Vec<Definition>, Vec<Option<u32>>) {
        let mut list = Vec::new();
        let add = |list: &mut Vec<Definition>, block: &Block| {
            if let Block::Assign(assign) = block
                && self.model.roles[assign.var.index()] == Role::Algebraic
            {
                let span = self.model.equations[assign.equation as usize].origin.span;
                list.push(Definition {
                    var: assign.var,
                    slot: self.slot(assign.var),
                    value: assign.value,
                    span,
                });
            }
        };
        let mut places = Vec::with_capacity(self.model.blocks.len());
        for block in &self.model.blocks {
            let before = list.len();
            match block {
                Block::Mixed(mixed) => mixed.continuous.iter().for_each(|block| add(&mut list, block)),
                other => add(&mut list, other),
            }
            let own = matches!(block, Block::Assign(_)) && list.len() > before;
            places.push(own.then_some(before as u32));
        }
        (list, places)
    }

    /// Arguments of operators with a past may contain such operators.
    fn history(&mut self) -> Tape {
        loop {
            let (delays, transports) = (self.memory.delays.clone(), self.memory.transports.clone());
            let delayed = delays.iter().flat_map(|d| [(d.value, d.expr), (d.time, d.by)]);
            let sent = transports.iter().flat_map(|t| t.values.iter().copied().zip(t.args.iter().copied()));
            let target = |(to, value)| Target { to: Destination::Number(to), value };
            let targets: Vec<Target> = delayed.chain(sent).map(target).collect();
            let tape = self.lower(&targets);
            if (self.memory.delays.len(), self.memory.transports.len()) == (delays.len(), transports.len()) {
                return tape;
            }
        }
    }

    fn effects(&mut self) -> (Vec<WhenCode>, Vec<AssertCode>, Vec<Tape>) {
        let (mut whens, mut asserts, mut calls) = (Vec::new(), Vec::new(), Vec::new());
        for effect in self.model.effects.clone() {
            match effect {
                Effect::When { branches, origin } => {
                    for (fire, actions) in branches {
                        let actions =
                            actions.into_iter().filter_map(|a| self.action(a, origin.span)).collect();
                        whens.push(WhenCode { fire: self.slot(fire), actions, span: origin.span });
                    }
                }
                Effect::Assert { condition, message, warning, origin } => {
                    let (tape, slot) = self.value(condition);
                    let vars = self.model.store.variables(&[condition]);
                    let values = vars
                        .into_iter()
                        .filter(|v| self.memory.other_of[v.index()].is_none())
                        .map(|v| (self.model.vars[v.index()].name.clone(), self.slot(v)))
                        .collect();
                    asserts.push(AssertCode {
                        condition: slot,
                        tape,
                        message,
                        warning,
                        span: origin.span,
                        values,
                    });
                }
                Effect::Call(e, _) => calls.push(self.value(e).0),
            }
        }
        (whens, asserts, calls)
    }

    fn action(&mut self, action: Action, span: Span) -> Option<ActionCode> {
        Some(match action {
            Action::Reinit(v, e) => {
                let states = &self.model.states;
                let input = || Some(states.len() + inputs(&self.model).position(|i| i == v)?);
                let state = states.iter().position(|s| s.var == v).or_else(input)? as u32;
                let (tape, value) = self.value(e);
                ActionCode::Reinit { state, value, tape }
            }
            Action::Assert { condition, message, warning } => {
                let (tape, condition) = self.value(condition);
                ActionCode::Assert { condition, tape, message, warning, span }
            }
            Action::Terminate(message) => ActionCode::Terminate { message },
            Action::Call(e) => ActionCode::Call { tape: self.value(e).0 },
        })
    }

    /// Copies for left limits; and the pairs to compare, with a left limit for every discrete variable.
    fn left_limits(&mut self) -> (Vec<(Slot, Slot)>, Vec<(Slot, Slot)>, Vec<VarId>) {
        let (mut pre, mut discrete, mut vars) = (Vec::new(), Vec::new(), Vec::new());
        for v in 0..self.model.vars.len() {
            if self.memory.other_of[v].is_some() || self.model.aliases[v].is_some() {
                continue;
            }
            let watched = self.model.roles[v] == Role::Discrete;
            let copy = match self.model.pre[v] {
                Some(p) => self.slot(p),
                None if watched => self.memory.temporary(),
                None => continue,
            };
            let from = self.memory.slot_of[v];
            match watched {
                true => {
                    discrete.push((from, copy));
                    vars.push(VarId::new(v));
                }
                false => pre.push((from, copy)),
            }
        }
        (pre, discrete, vars)
    }
}
