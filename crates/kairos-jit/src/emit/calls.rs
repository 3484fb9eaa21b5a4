//! Calls of routines and of Rust, and what keeps them within bounds.

use super::{Emitter, FLAGS, Home};
use crate::native;
use crate::outside::{Callee, Outside};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, InstBuilder, Signature, StackSlot, StackSlotData, StackSlotKind, Type, Value, types,
};
use kairos_program::tape::{Op, Slot};

/// Calls of routines deeper than this are left to the interpreter of values, so that the stack holds them.
const DEEPEST: i64 = 40;

impl Emitter<'_, '_> {
    /// Asks an operator with a past.
    pub(super) fn recall(&mut self, callee: Callee, to: Slot, site: u32, a: Slot, b: Slot) {
        let (a, b) = (self.read(a), self.read(b));
        let site = self.builder.ins().iconst(types::I32, i64::from(site));
        let params = [types::I64, types::I32, types::F64, types::F64];
        let answer = self.call(callee, &params, Some(types::F64), &[self.context, site, a, b]);
        self.write(to, answer);
    }

    /// Calls a Rust function.
    pub fn call(&mut self, callee: Callee, params: &[Type], returns: Option<Type>, args: &[Value]) -> Value {
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
        let callee = Outside::Rust(callee).emit(&mut self.builder);
        let call = self.builder.ins().call_indirect(signature, callee, args);
        self.builder.inst_results(call)[0]
    }

    pub(super) fn count_round(&mut self) {
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
        let limit = kairos_machine::routines::ROUNDS as i64;
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

    pub(super) fn prepare_arrays(&mut self, ops: &[Op]) {
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

    pub(super) fn invoke(&mut self, site: u32) {
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
                self.call(Callee::Interpret, &params, Some(types::I32), &args)
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
        let params = [types::I64, types::I32, types::I32];
        self.exchange(Op::Invoke { site }, Callee::MakeUp, &params, &[self.context, number, status]);
        self.builder.ins().jump(next, &[]);
        self.builder.switch_to_block(good);
        (self.cache, self.conditions) = (cache, conditions);
        self.take(taken, &invocation.outputs);
        self.builder.ins().jump(next, &[]);
        self.switch(next);
    }

    pub(super) fn take(&mut self, array: StackSlot, outputs: &[Slot]) {
        for (k, &slot) in outputs.iter().enumerate() {
            let value = self.builder.ins().stack_load(types::I64, types::F64, array, k as i32 * 8);
            self.write(slot, value);
        }
    }

    pub fn call_out(&mut self, op: Op, callee: Callee, site: u32) {
        let number = self.builder.ins().iconst(types::I32, i64::from(site));
        self.exchange(op, callee, &[types::I64, types::I32], &[self.context, number]);
        self.forget();
    }

    /// Puts what Rust reads into the memory, calls it, and takes what it wrote.
    pub(super) fn exchange(&mut self, op: Op, callee: Callee, params: &[Type], args: &[Value]) {
        let Some(memory) = self.memory else { return };
        let traffic = crate::sites::traffic(self.program, op);
        for &slot in &traffic.reads {
            if let Home::Register = self.home(slot) {
                let value = self.read(slot);
                self.builder.ins().store(FLAGS, value, memory, slot as i32 * 8);
            }
        }
        let status = self.call(callee, params, Some(types::I32), args);
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
}
