//! A causal model to a program: the memory laid out, blocks lowered for each of their uses.

mod body;
mod effects;
mod glances;
mod islands;
mod parameters;
mod systems;

use crate::constancy;
use crate::describe::describe;
use crate::field;
use crate::leap;
use crate::lower::{Target, lower};
use crate::program::{Check, Code, Definition, Memory, Program, Solve};
use crate::reach::{Ledger, Reach, Work};
use crate::settled::Settled;
use crate::structure;
use crate::tape::{Destination, Slot, Tape};
use crate::through::Through;
use kairos_causal::{Alias, Block, CausalModel, EquationInfo, Role};
use kairos_expr::{ExprId, ExprMap, RelationId, Scalar, Type, Value, VarId};
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
    let program = work.program();
    if cfg!(debug_assertions)
        && let Some(fault) = crate::invariants::broken(&program)
    {
        panic!("after assembling: {fault}");
    }
    program
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
            memory.other_slots.push(memory.slot_of[v]);
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
        let parameters = self.parameters();
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
                Role::State
                    | Role::Algebraic
                    | Role::Discrete
                    | Role::FreeParameter
                    | Role::Input
                    | Role::Given
            );
            let start =
                self.model.vars[v].start.or(self.model.vars[v].binding.filter(|&e| self.is_guess(v, e)));
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

    /// Can the binding of a parameter that the initial problem finds be computed before? External objects are not made of
    /// guesses (MLS 12.9.7).
    fn is_guess(&self, v: usize, binding: ExprId) -> bool {
        let is_object = |v: VarId| matches!(self.model.vars[v.index()].ty, Scalar::Object(_));
        let reads = || self.model.store.variables(&[binding]).into_iter().any(is_object);
        self.model.roles[v] == Role::FreeParameter && !is_object(VarId::new(v)) && !reads()
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

    fn carried(&self) -> Vec<Slot> {
        let kept = |v: &usize| match self.model.roles[*v] {
            Role::Parameter | Role::Algebraic | Role::Alias => false,
            Role::FreeParameter
            | Role::Input
            | Role::Given
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
}
