//! Operations to Cranelift's instructions: scratch values stay in registers, what others may read goes to memory.

mod arithmetic;
mod calls;
mod whole;

use crate::native;
use crate::outside::{Callee, Outside};
use crate::sites::touched;
use crate::truths::truths;
use crate::wholes::{Span, wholes};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{
    Block, FuncRef, InstBuilder, MemFlagsData, SigRef, StackSlot, Type, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};
use kairos_base::hash::HashMap;
use kairos_expr::{Builtin, UnOp};
use kairos_program::Program;
use kairos_program::slots::Slots;
use kairos_program::tape::{Op, Slot};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What kind of function is made.
pub enum Scope<'a> {
    /// A piece of a tape over the memory of the machine; slots in `shared` live in more than one piece.
    Tape { shared: &'a dyn Fn(Slot) -> bool },
    /// A routine with a frame of its own.
    Routine,
}

/// After so many operations a value that also stands in memory is read again: as an operand of the next instruction
/// that costs nothing, while a register held for it would cost another value its place.
const WINDOW: usize = 24;

/// Where the value of a slot is.
#[derive(Clone, Copy)]
enum Home {
    Constant(f64),
    /// A constant that is read from memory wherever it is used.
    Operand(Value, i32),
    Register,
    Memory(Value, i32),
}

/// A loop over operations whose slots move from round to round.
pub struct Rounds {
    pub count: usize,
    /// Slots that move by the same number of slots each round.
    pub even: BTreeMap<i64, Vec<Slot>>,
    /// Slots that are listed, and where the list is: for each round their places in bytes.
    pub listed: Vec<Slot>,
    pub table: u32,
}

pub struct Emitter<'a, 'f> {
    pub program: &'a Program,
    pub slots: &'a Slots,
    pub scope: Scope<'a>,
    pub builder: FunctionBuilder<'f>,
    /// The native function of a routine, if it has one.
    pub routines: HashMap<u32, FuncRef>,
    /// The way to a function for arguments that are not dealt with in place.
    pub detours: HashMap<Builtin, FuncRef>,
    pub context: Value,
    /// The memory of the machine.
    pub memory: Option<Value>,
    /// Slots that stand elsewhere than in the memory.
    pub places: HashMap<Slot, (Value, i32)>,
    /// Blocks that are indexed: where they start.
    pub blocks: HashMap<Slot, Value>,
    /// How deep calls are nested, in routines.
    pub depth: Option<Value>,
    pub call_convention: CallConv,
    variables: HashMap<Slot, Variable>,
    /// Registers that hold nothing but true and false: integers, which cost comparisons and jumps no conversion.
    truths: BTreeSet<Slot>,
    /// Registers that hold nothing but small whole numbers: integers, too.
    wholes: BTreeMap<Slot, Span>,
    /// Memory that was read or written in this basic block, and at which operation last.
    cache: HashMap<Slot, (Value, usize)>,
    /// The operation that is emitted.
    at: usize,
    /// Comparisons in this basic block, as conditions.
    conditions: HashMap<Slot, Value>,
    rounds: Option<Variable>,
    signatures: HashMap<(Vec<Type>, Option<Type>), SigRef>,
    arrays: Option<(StackSlot, StackSlot)>,
    /// Where a detour leaves its result.
    detoured: Option<StackSlot>,
    failure: Option<Block>,
}

const FLAGS: MemFlagsData = MemFlagsData::trusted();
/// The same for what nothing ever writes.
const STEADY: MemFlagsData = FLAGS.with_readonly().with_can_move();

impl<'a, 'f> Emitter<'a, 'f> {
    pub fn new(
        program: &'a Program,
        slots: &'a Slots,
        scope: Scope<'a>,
        builder: FunctionBuilder<'f>,
        context: Value,
        call_convention: CallConv,
    ) -> Self {
        Emitter {
            program,
            slots,
            scope,
            builder,
            routines: HashMap::default(),
            detours: HashMap::default(),
            context,
            memory: None,
            places: HashMap::default(),
            blocks: HashMap::default(),
            depth: None,
            call_convention,
            variables: HashMap::default(),
            truths: BTreeSet::new(),
            wholes: BTreeMap::new(),
            cache: HashMap::default(),
            at: 0,
            conditions: HashMap::default(),
            rounds: None,
            signatures: HashMap::default(),
            arrays: None,
            detoured: None,
            failure: None,
        }
    }

    fn is_tape(&self) -> bool {
        matches!(self.scope, Scope::Tape { .. })
    }

    fn home(&self, slot: Slot) -> Home {
        if let Some(&(base, offset)) = self.places.get(&slot) {
            return Home::Memory(base, offset);
        }
        if let Some(value) = self.slots.value(slot) {
            return match self.memory {
                // As an operand; in place it would take two more instructions.
                Some(memory) if value != 0.0 => Home::Operand(memory, slot as i32 * 8),
                _ => Home::Constant(value),
            };
        }
        match (&self.scope, self.memory) {
            (Scope::Tape { shared }, Some(memory)) => {
                let indexed = || self.slots.block_of(slot).is_some_and(|b| self.blocks.contains_key(&b.0));
                let indexed = !self.blocks.is_empty() && indexed();
                match self.slots.is_scratch(slot) && !indexed && !shared(slot) {
                    true => Home::Register,
                    false => Home::Memory(memory, slot as i32 * 8),
                }
            }
            _ => match self.slots.block_of(slot) {
                Some((first, _)) if self.blocks.contains_key(&first) => {
                    Home::Memory(self.blocks[&first], (slot - first) as i32 * 8)
                }
                _ => Home::Register,
            },
        }
    }

    fn variable(&mut self, slot: Slot) -> Variable {
        match self.variables.get(&slot) {
            Some(&variable) => variable,
            None => {
                let kind = match () {
                    () if self.truths.contains(&slot) => types::I8,
                    () if self.wholes.contains_key(&slot) => types::I64,
                    () => types::F64,
                };
                let variable = self.builder.declare_var(kind);
                self.variables.insert(slot, variable);
                variable
            }
        }
    }

    pub fn read(&mut self, slot: Slot) -> Value {
        match self.home(slot) {
            Home::Constant(value) => self.builder.ins().f64const(value),
            Home::Register => {
                let variable = self.variable(slot);
                let value = self.builder.use_var(variable);
                match () {
                    () if self.truths.contains(&slot) => self.number(value),
                    () if self.wholes.contains_key(&slot) => {
                        self.builder.ins().fcvt_from_sint(types::F64, value)
                    }
                    () => value,
                }
            }
            Home::Operand(base, offset) => self.builder.ins().load(types::F64, STEADY, base, offset),
            Home::Memory(base, offset) => {
                let value = match self.cache.get(&slot) {
                    Some(&(value, last)) if self.at <= last + WINDOW => value,
                    _ => self.builder.ins().load(types::F64, FLAGS, base, offset),
                };
                self.cache.insert(slot, (value, self.at));
                value
            }
        }
    }

    /// Would reading the slot be a load of its own?
    fn is_loaded(&self, slot: Slot) -> bool {
        match self.home(slot) {
            Home::Constant(_) | Home::Operand(..) => true,
            Home::Register => false,
            Home::Memory(..) => self.cache.get(&slot).is_none_or(|(_, last)| self.at > last + WINDOW),
        }
    }

    pub fn write(&mut self, slot: Slot, value: Value) {
        self.conditions.remove(&slot);
        match self.home(slot) {
            Home::Constant(_) | Home::Operand(..) => {}
            Home::Register => {
                let variable = self.variable(slot);
                self.builder.def_var(variable, value);
            }
            Home::Memory(base, offset) => {
                self.builder.ins().store(FLAGS, value, base, offset);
                self.cache.insert(slot, (value, self.at));
            }
        }
    }

    fn forget(&mut self) {
        self.cache.clear();
        self.conditions.clear();
    }

    fn switch(&mut self, block: Block) {
        self.builder.switch_to_block(block);
        self.forget();
    }

    /// Emits the operations; leaves the builder where they end.
    pub fn operations(&mut self, ops: &[Op], range: Range<usize>) {
        self.prepare_arrays(&ops[range.clone()]);
        self.find_kinds(&ops[range.clone()], range.start);
        let mut labels: BTreeMap<usize, Block> = BTreeMap::new();
        for op in &ops[range.clone()] {
            if let Op::Jump { target } | Op::JumpUnless { target, .. } = op {
                labels.entry(*target as usize).or_insert_with(|| self.builder.create_block());
            }
        }
        let mut open = true;
        for at in range.clone() {
            if let Some(&label) = labels.get(&at) {
                if open {
                    self.builder.ins().jump(label, &[]);
                }
                self.switch(label);
                open = true;
            }
            if open {
                self.at = at;
                open = self.operation(ops[at], at, &labels);
            }
        }
        match labels.get(&range.end) {
            Some(&label) => {
                if open {
                    self.builder.ins().jump(label, &[]);
                }
                self.switch(label);
            }
            None if open => {}
            None => {
                let end = self.builder.create_block();
                self.switch(end);
            }
        }
    }

    /// Emits the operations once, for all rounds of a loop.
    pub fn rounds(&mut self, ops: &[Op], range: Range<usize>, rounds: &Rounds) {
        let Some(memory) = self.memory else { return };
        let table = Outside::Table(rounds.table).emit(&mut self.builder);
        let count = self.builder.ins().iconst(types::I64, rounds.count as i64);
        let mut variable = |first: Value| {
            let variable = self.builder.declare_var(types::I64);
            self.builder.def_var(variable, first);
            variable
        };
        let even: Vec<(i64, Variable)> =
            rounds.even.keys().map(|&stride| (stride, variable(memory))).collect();
        let (table, count) = (variable(table), variable(count));
        let (round, end) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().jump(round, &[]);
        self.switch(round);
        for ((_, slots), (_, variable)) in rounds.even.iter().zip(&even) {
            let base = self.builder.use_var(*variable);
            self.places.extend(slots.iter().map(|&slot| (slot, (base, slot as i32 * 8))));
        }
        let row = self.builder.use_var(table);
        for (k, &slot) in rounds.listed.iter().enumerate() {
            let distance = self.builder.ins().load(types::I64, FLAGS, row, k as i32 * 8);
            let place = self.builder.ins().iadd(memory, distance);
            self.places.insert(slot, (place, 0));
        }
        self.operations(ops, range);
        let bytes = 8 * rounds.listed.len() as i64;
        let steps = even.iter().map(|&(stride, variable)| (8 * stride, variable));
        for (step, variable) in steps.chain([(bytes, table), (-1, count)]) {
            let value = self.builder.use_var(variable);
            let value = self.builder.ins().iadd_imm_s(value, step);
            self.builder.def_var(variable, value);
        }
        let left = self.builder.use_var(count);
        self.builder.ins().brif(left, round, &[], end, &[]);
        self.switch(end);
    }

    /// Finds out which registers are no floating-point numbers.
    fn find_kinds(&mut self, ops: &[Op], first: usize) {
        // What has been written so far are arguments.
        let mut others: BTreeSet<Slot> = self.variables.keys().copied().collect();
        for op in ops {
            if let Op::Invoke { .. } | Op::Call { .. } | Op::CallTangent { .. } | Op::Evaluate { .. } = op {
                touched(self.program, *op, &mut |slot| {
                    others.insert(slot);
                });
            }
        }
        let is_register = |slot| !others.contains(&slot) && matches!(self.home(slot), Home::Register);
        let truths = truths(ops, self.slots, is_register);
        let is_number = |slot| is_register(slot) && !truths.contains(&slot);
        self.wholes = wholes(ops, first, self.slots, is_number);
        self.truths = truths;
    }

    /// One operation; does the next follow?
    fn operation(&mut self, op: Op, at: usize, labels: &BTreeMap<usize, Block>) -> bool {
        match op {
            _ if op.target().is_some_and(|to| self.wholes.contains_key(&to)) => self.whole(op),
            Op::Copy { to, a } if self.truths.contains(&to) => {
                let condition = self.condition(a);
                self.write_condition(to, condition);
            }
            Op::Copy { to, a } => {
                let value = self.read(a);
                let condition = self.conditions.get(&a).copied();
                self.write(to, value);
                condition.into_iter().for_each(|c| {
                    self.conditions.insert(to, c);
                });
            }
            Op::Unary { op: UnOp::Neg, to, a } => {
                let a = self.read(a);
                let value = self.builder.ins().fneg(a);
                self.write(to, value);
            }
            Op::Unary { op: UnOp::Not, to, a } => {
                let holds = self.condition(a);
                let not = self.builder.ins().bxor_imm_s(holds, 1);
                self.write_condition(to, not);
            }
            Op::Binary { op, to, a, b } => self.binary(op, to, a, b),
            Op::Function1 { f, to, a } => {
                let a = self.read(a);
                let value = self.function1(f, a);
                self.write(to, value);
            }
            Op::Function2 { f, to, a, b } => {
                let constant = self.slots.value(b);
                let (a, b) = (self.read(a), self.read(b));
                let value = self.function2(f, a, b, constant);
                self.write(to, value);
            }
            Op::Jump { target } => {
                if target as usize <= at && !self.is_tape() {
                    self.count_round();
                }
                self.builder.ins().jump(labels[&(target as usize)], &[]);
                return false;
            }
            Op::JumpUnless { condition, target } => {
                let holds = self.condition(condition);
                let next = self.builder.create_block();
                self.builder.ins().brif(holds, next, &[], labels[&(target as usize)], &[]);
                // One way leads here: what is known stays so.
                self.builder.switch_to_block(next);
            }
            Op::Load { to, base, index } => {
                let address = self.address(base, index);
                let value = self.builder.ins().load(types::F64, FLAGS, address, 0);
                self.write(to, value);
            }
            Op::Store { base, index, a } => {
                let (value, address) = (self.read(a), self.address(base, index));
                self.builder.ins().store(FLAGS, value, address, 0);
                self.forget();
            }
            Op::Check { index, size } => self.check(index, size),
            Op::Require { condition } => {
                let holds = self.condition(condition);
                let (next, stop) = (self.builder.create_block(), self.failure());
                self.builder.ins().brif(holds, next, &[], stop, &[]);
                self.builder.switch_to_block(next);
            }
            Op::GiveUp => {
                let stop = self.failure();
                self.builder.ins().jump(stop, &[]);
                return false;
            }
            Op::Invoke { site } => self.invoke(site),
            Op::Call { site } => self.call_out(op, Callee::Call, site),
            Op::CallTangent { site } => self.call_out(op, Callee::CallTangent, site),
            Op::Evaluate { site } => self.call_out(op, Callee::Evaluate, site),
            Op::Delay { to, delay, value, time } => {
                self.recall(Callee::Delay, to, delay, value, time);
            }
            Op::Transport { to, site, value, x } => {
                self.recall(Callee::Transport, to, site, value, x);
            }
        }
        true
    }

    fn address(&mut self, base: Slot, index: Slot) -> Value {
        let index = self.read(index);
        let index = self.builder.ins().fcvt_to_sint_sat(types::I64, index);
        let bytes = self.builder.ins().ishl_imm_u(index, 3);
        let block = self.slots.block_of(base).map_or(base, |b| b.0);
        let (start, offset) = match (self.blocks.get(&block), self.memory) {
            (Some(&start), None) => (start, (base - block) as i64 * 8),
            (_, Some(memory)) => (memory, i64::from(base) * 8),
            (None, None) => (self.context, 0),
        };
        let start = self.builder.ins().iadd_imm_s(start, offset);
        self.builder.ins().iadd(start, bytes)
    }

    fn check(&mut self, index: Slot, size: u32) {
        let value = self.read(index);
        let (zero, end) = (self.builder.ins().f64const(0.0), self.builder.ins().f64const(f64::from(size)));
        let whole = self.builder.ins().trunc(value);
        let above = self.builder.ins().fcmp(FloatCC::GreaterThanOrEqual, value, zero);
        let below = self.builder.ins().fcmp(FloatCC::LessThan, value, end);
        let is_whole = self.builder.ins().fcmp(FloatCC::Equal, whole, value);
        let inside = self.builder.ins().band(above, below);
        let fits = self.builder.ins().band(inside, is_whole);
        let next = self.builder.create_block();
        if !self.is_tape() {
            let stop = self.failure();
            self.builder.ins().brif(fits, next, &[], stop, &[]);
            self.builder.switch_to_block(next);
            return;
        }
        let stop = self.builder.create_block();
        self.builder.set_cold_block(stop);
        self.builder.ins().brif(fits, next, &[], stop, &[]);
        self.builder.switch_to_block(stop);
        let size = self.builder.ins().iconst(types::I32, i64::from(size));
        let (params, args) = ([types::I64, types::F64, types::I32], [self.context, value, size]);
        let status = self.call(Callee::Outside, &params, Some(types::I32), &args);
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(next);
    }

    /// Where a routine gives up.
    fn failure(&mut self) -> Block {
        if let Some(block) = self.failure {
            return block;
        }
        let block = self.builder.create_block();
        self.builder.set_cold_block(block);
        self.failure = Some(block);
        block
    }

    /// Ends the function well.
    pub fn finish(mut self, config: cranelift_codegen::isa::TargetFrontendConfig) {
        let done = self.builder.ins().iconst(types::I32, 0);
        self.builder.ins().return_(&[done]);
        if let Some(block) = self.failure {
            self.builder.switch_to_block(block);
            let status = self.builder.ins().iconst(types::I32, i64::from(native::GAVE_UP));
            self.builder.ins().return_(&[status]);
        }
        self.builder.seal_all_blocks();
        self.builder.finalize(config);
    }
}
