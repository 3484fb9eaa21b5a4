//! Operations to Cranelift's instructions: scratch values stay in registers, what others may read goes to memory.

use crate::native;
use crate::sites::touched;
use crate::truths::truths;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, Block, FuncRef, InstBuilder, MemFlagsData, SigRef, Signature, StackSlot, StackSlotData,
    StackSlotKind, Type, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};
use kairos_base::hash::HashMap;
use kairos_code::Program;
use kairos_code::slots::Slots;
use kairos_code::tape::{Op, Slot};
use kairos_expr::{BinOp, Builtin, UnOp};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Calls of routines deeper than this are left to the interpreter of values, so that the stack holds them.
const DEEPEST: i64 = 40;

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
    pub table: usize,
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
                let kind = if self.truths.contains(&slot) { types::I8 } else { types::F64 };
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
                if self.truths.contains(&slot) { self.number(value) } else { value }
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
        self.find_truths(&ops[range.clone()]);
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
        let table = self.builder.ins().iconst(types::I64, rounds.table as i64);
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

    fn find_truths(&mut self, ops: &[Op]) {
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
        self.truths = truths(ops, self.slots, is_register);
    }

    /// One operation; does the next follow?
    fn operation(&mut self, op: Op, at: usize, labels: &BTreeMap<usize, Block>) -> bool {
        match op {
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
            Op::Call { site } => self.call_out(op, native::call as *const () as usize, site),
            Op::CallTangent { site } => self.call_out(op, native::call_tangent as *const () as usize, site),
            Op::Evaluate { site } => self.call_out(op, native::evaluate as *const () as usize, site),
            Op::Delay { to, delay, value, time } => {
                self.recall(native::delay as *const () as usize, to, delay, value, time);
            }
            Op::Transport { to, site, value, x } => {
                self.recall(native::transport as *const () as usize, to, site, value, x);
            }
        }
        true
    }

    /// Asks an operator with a past.
    fn recall(&mut self, address: usize, to: Slot, site: u32, a: Slot, b: Slot) {
        let (a, b) = (self.read(a), self.read(b));
        let site = self.builder.ins().iconst(types::I32, i64::from(site));
        let params = [types::I64, types::I32, types::F64, types::F64];
        let answer = self.call(address, &params, Some(types::F64), &[self.context, site, a, b]);
        self.write(to, answer);
    }

    /// Calls a Rust function by its address.
    pub fn call(&mut self, address: usize, params: &[Type], returns: Option<Type>, args: &[Value]) -> Value {
        let key = (params.to_vec(), returns);
        let signature = match self.signatures.get(&key) {
            Some(&signature) => signature,
            None => {
                let mut signature = Signature::new(self.call_convention);
                signature.params.extend(params.iter().map(|&p| AbiParam::new(p)));
                signature.returns.extend(returns.map(AbiParam::new));
                let signature = self.builder.import_signature(signature);
                self.signatures.insert(key, signature);
                signature
            }
        };
        let callee = self.builder.ins().iconst(types::I64, address as i64);
        let call = self.builder.ins().call_indirect(signature, callee, args);
        self.builder.inst_results(call)[0]
    }

    fn condition(&mut self, slot: Slot) -> Value {
        if let Some(&condition) = self.conditions.get(&slot) {
            return condition;
        }
        if let Some(value) = self.slots.value(slot) {
            return self.builder.ins().iconst(types::I8, i64::from(value != 0.0));
        }
        if self.truths.contains(&slot) {
            let variable = self.variable(slot);
            return self.builder.use_var(variable);
        }
        if let Home::Memory(base, offset) = self.home(slot)
            && self.is_loaded(slot)
        {
            // A number is zero if nothing but its sign is set.
            let bits = self.builder.ins().load(types::I64, FLAGS, base, offset);
            let size = self.builder.ins().iadd(bits, bits);
            return self.builder.ins().icmp_imm_u(IntCC::NotEqual, size, 0);
        }
        let value = self.read(slot);
        let zero = self.builder.ins().f64const(0.0);
        self.builder.ins().fcmp(FloatCC::NotEqual, value, zero)
    }

    fn write_condition(&mut self, to: Slot, condition: Value) {
        if self.truths.contains(&to) {
            let variable = self.variable(to);
            return self.builder.def_var(variable, condition);
        }
        let value = self.number(condition);
        self.write(to, value);
        self.conditions.insert(to, condition);
    }

    fn is_truth(&self, slot: Slot) -> bool {
        self.truths.contains(&slot)
            || self.slots.value(slot).is_some_and(|value| value == 0.0 || value == 1.0)
    }

    /// A condition as a number.
    fn number(&mut self, condition: Value) -> Value {
        let (one, zero) = (self.builder.ins().f64const(1.0), self.builder.ins().f64const(0.0));
        self.builder.ins().select(condition, one, zero)
    }

    fn binary(&mut self, op: BinOp, to: Slot, a: Slot, b: Slot) {
        let op = op.scalar();
        if let BinOp::And | BinOp::Or = op {
            let (a, b) = (self.condition(a), self.condition(b));
            let both = match op {
                BinOp::And => self.builder.ins().band(a, b),
                _ => self.builder.ins().bor(a, b),
            };
            return self.write_condition(to, both);
        }
        if let BinOp::Eq | BinOp::Ne = op
            && self.is_truth(a)
            && self.is_truth(b)
        {
            let (a, b) = (self.condition(a), self.condition(b));
            let code = if op == BinOp::Eq { IntCC::Equal } else { IntCC::NotEqual };
            let holds = self.builder.ins().icmp(code, a, b);
            return self.write_condition(to, holds);
        }
        if op == BinOp::Pow {
            return self.power(to, a, b);
        }
        let constant = self.slots.value(b);
        // What comes from memory can be the second operand of an instruction, not the first.
        let turned = matches!(op, BinOp::Add | BinOp::Mul) && self.is_loaded(a) && !self.is_loaded(b);
        let (a, b) = if turned { (b, a) } else { (a, b) };
        let (a, b) = (self.read(a), self.read(b));
        let code = match op {
            BinOp::Lt => FloatCC::LessThan,
            BinOp::Le => FloatCC::LessThanOrEqual,
            BinOp::Gt => FloatCC::GreaterThan,
            BinOp::Ge => FloatCC::GreaterThanOrEqual,
            BinOp::Eq => FloatCC::Equal,
            BinOp::Ne => FloatCC::NotEqual,
            _ => {
                let value = match op {
                    BinOp::Add => self.builder.ins().fadd(a, b),
                    BinOp::Sub => self.builder.ins().fsub(a, b),
                    BinOp::Mul => self.builder.ins().fmul(a, b),
                    _ => self.divide(a, b, constant),
                };
                return self.write(to, value);
            }
        };
        let holds = self.builder.ins().fcmp(code, a, b);
        self.write_condition(to, holds);
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
        let status = self.call(native::outside as *const () as usize, &params, Some(types::I32), &args);
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

    fn count_round(&mut self) {
        let rounds = match self.rounds {
            Some(rounds) => rounds,
            None => {
                let rounds = self.builder.declare_var(types::I64);
                self.rounds = Some(rounds);
                rounds
            }
        };
        let so_far = self.builder.use_var(rounds);
        let count = self.builder.ins().iadd_imm_s(so_far, 1);
        self.builder.def_var(rounds, count);
        let limit = kairos_code::routine::execute::ROUNDS as i64;
        let endless = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, count, limit);
        let (next, stop) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(stop);
        self.builder.ins().brif(endless, stop, &[], next, &[]);
        self.builder.switch_to_block(stop);
        let status = self.builder.ins().iconst(types::I32, i64::from(native::ENDLESS));
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(next);
    }

    /// Gives up at once where calls are nested too deep.
    pub fn limit_depth(&mut self) {
        let Some(depth) = self.depth else { return };
        let deep = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, depth, DEEPEST);
        let (next, stop) = (self.builder.create_block(), self.failure());
        self.builder.ins().brif(deep, stop, &[], next, &[]);
        self.builder.switch_to_block(next);
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

    fn prepare_arrays(&mut self, ops: &[Op]) {
        let (mut arguments, mut outputs) = (0, 0);
        for op in ops {
            if let Op::Invoke { site } = op {
                let invocation = &self.program.memory.routines.invocations[*site as usize];
                arguments = invocation.arguments.len().max(arguments);
                outputs = invocation.outputs.len().max(outputs);
            }
        }
        if arguments + outputs > 0 {
            let mut array = |count: usize| {
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, count.max(1) as u32 * 8, 3);
                self.builder.create_sized_stack_slot(data)
            };
            self.arrays = Some((array(arguments), array(outputs)));
        }
    }

    pub fn detour_result(&mut self) -> StackSlot {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3);
        *self.detoured.get_or_insert_with(|| self.builder.create_sized_stack_slot(data))
    }

    fn invoke(&mut self, site: u32) {
        let Some((given, taken)) = self.arrays else { return };
        let invocation = &self.program.memory.routines.invocations[site as usize];
        for (k, &slot) in invocation.arguments.iter().enumerate() {
            let value = self.read(slot);
            self.builder.ins().stack_store(types::I64, value, given, k as i32 * 8);
        }
        let arguments = self.builder.ins().stack_addr(types::I64, given, 0);
        let outputs = self.builder.ins().stack_addr(types::I64, taken, 0);
        let depth = match self.depth {
            Some(depth) => self.builder.ins().iadd_imm_s(depth, 1),
            None => self.builder.ins().iconst(types::I32, 1),
        };
        let status = match self.routines.get(&invocation.routine) {
            Some(&function) => {
                let call = self.builder.ins().call(function, &[self.context, arguments, outputs, depth]);
                self.builder.inst_results(call)[0]
            }
            None => {
                let routine = self.builder.ins().iconst(types::I32, i64::from(invocation.routine));
                let params = [types::I64, types::I32, types::I64, types::I64, types::I32];
                let args = [self.context, routine, arguments, outputs, depth];
                self.call(native::interpret as *const () as usize, &params, Some(types::I32), &args)
            }
        };
        let (good, bad) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(bad);
        self.builder.ins().brif(status, bad, &[], good, &[]);
        if !self.is_tape() {
            self.builder.switch_to_block(bad);
            self.builder.ins().return_(&[status]);
            self.builder.switch_to_block(good);
            self.take(taken, &invocation.outputs);
            return;
        }
        let next = self.builder.create_block();
        self.builder.switch_to_block(bad);
        let (cache, conditions) = (self.cache.clone(), self.conditions.clone());
        let number = self.builder.ins().iconst(types::I32, i64::from(site));
        let address = native::make_up as *const () as usize;
        let params = [types::I64, types::I32, types::I32];
        self.exchange(Op::Invoke { site }, address, &params, &[self.context, number, status]);
        self.builder.ins().jump(next, &[]);
        self.builder.switch_to_block(good);
        (self.cache, self.conditions) = (cache, conditions);
        self.take(taken, &invocation.outputs);
        self.builder.ins().jump(next, &[]);
        self.switch(next);
    }

    fn take(&mut self, array: StackSlot, outputs: &[Slot]) {
        for (k, &slot) in outputs.iter().enumerate() {
            let value = self.builder.ins().stack_load(types::I64, types::F64, array, k as i32 * 8);
            self.write(slot, value);
        }
    }

    fn call_out(&mut self, op: Op, address: usize, site: u32) {
        let number = self.builder.ins().iconst(types::I32, i64::from(site));
        self.exchange(op, address, &[types::I64, types::I32], &[self.context, number]);
        self.forget();
    }

    /// Puts what Rust reads into the memory, calls it, and takes what it wrote.
    fn exchange(&mut self, op: Op, address: usize, params: &[Type], args: &[Value]) {
        let Some(memory) = self.memory else { return };
        let traffic = crate::sites::traffic(self.program, op);
        for &slot in &traffic.reads {
            if let Home::Register = self.home(slot) {
                let value = self.read(slot);
                self.builder.ins().store(FLAGS, value, memory, slot as i32 * 8);
            }
        }
        let status = self.call(address, params, Some(types::I32), args);
        let (next, stop) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(stop);
        self.builder.ins().brif(status, stop, &[], next, &[]);
        self.builder.switch_to_block(stop);
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(next);
        for &slot in &traffic.writes {
            if let Home::Register = self.home(slot) {
                let value = self.builder.ins().load(types::F64, FLAGS, memory, slot as i32 * 8);
                let variable = self.variable(slot);
                self.builder.def_var(variable, value);
                self.conditions.remove(&slot);
            }
        }
    }

    fn function1(&mut self, f: Builtin, a: Value) -> Value {
        match f {
            Builtin::Sqrt => self.builder.ins().sqrt(a),
            Builtin::Abs => self.builder.ins().fabs(a),
            Builtin::Floor | Builtin::Integer => self.builder.ins().floor(a),
            Builtin::Ceil => self.builder.ins().ceil(a),
            Builtin::Sin | Builtin::Cos => crate::trigonometry::emit(self, f, a),
            _ => match crate::math::function1(f) {
                Some(function) => self.call(function as usize, &[types::F64], Some(types::F64), &[a]),
                None => self.builder.ins().f64const(f64::NAN),
            },
        }
    }

    fn function2(&mut self, f: Builtin, a: Value, b: Value, constant: Option<f64>) -> Value {
        match f {
            Builtin::Min2 => {
                let second = self.builder.ins().fcmp(FloatCC::LessThan, b, a);
                self.builder.ins().select(second, b, a)
            }
            Builtin::Max2 => {
                let second = self.builder.ins().fcmp(FloatCC::GreaterThan, b, a);
                self.builder.ins().select(second, b, a)
            }
            Builtin::Div | Builtin::Rem | Builtin::Mod => {
                let quotient = self.divide(a, b, constant);
                let whole = match f {
                    Builtin::Mod => self.builder.ins().floor(quotient),
                    _ => self.builder.ins().trunc(quotient),
                };
                if f == Builtin::Div {
                    return whole;
                }
                let part = self.builder.ins().fmul(whole, b);
                self.builder.ins().fsub(a, part)
            }
            Builtin::Atan2 => {
                let address = crate::math::atan2 as *const () as usize;
                self.call(address, &[types::F64, types::F64], Some(types::F64), &[a, b])
            }
            _ => self.builder.ins().f64const(f64::NAN),
        }
    }

    /// A power of two has an exact inverse, and to multiply is faster.
    fn divide(&mut self, a: Value, b: Value, constant: Option<f64>) -> Value {
        if constant == Some(1.0) {
            return a;
        }
        let inverse = constant.filter(|c| c.is_normal() && c.to_bits() << 12 == 0).map(f64::recip);
        match inverse.filter(|inverse| inverse.is_normal()) {
            Some(inverse) => {
                let inverse = self.builder.ins().f64const(inverse);
                self.builder.ins().fmul(a, inverse)
            }
            None => self.builder.ins().fdiv(a, b),
        }
    }

    /// Whole exponents by the multiplications that `powi` does.
    fn power(&mut self, to: Slot, a: Slot, b: Slot) {
        let base = self.read(a);
        let Some(n) = self.slots.value(b).filter(|n| n.fract() == 0.0 && n.abs() < 64.0) else {
            let address = crate::math::power as *const () as usize;
            let exponent = self.read(b);
            let value = self.call(address, &[types::F64, types::F64], Some(types::F64), &[base, exponent]);
            return self.write(to, value);
        };
        let mut left = n.abs() as u32;
        let (mut square, mut product) = (base, None);
        loop {
            if left & 1 == 1 {
                product = Some(match product {
                    Some(product) => self.builder.ins().fmul(product, square),
                    None => square,
                });
            }
            left >>= 1;
            if left == 0 {
                break;
            }
            square = self.builder.ins().fmul(square, square);
        }
        let one = self.builder.ins().f64const(1.0);
        let value = match (product, n < 0.0) {
            (None, _) => one,
            (Some(product), false) => product,
            (Some(product), true) => self.builder.ins().fdiv(one, product),
        };
        self.write(to, value);
    }
}
