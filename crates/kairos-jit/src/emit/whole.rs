//! Operations on registers that are integers.

use super::Emitter;
use crate::wholes::{constant, mask};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use kairos_expr::BinOp;
use kairos_program::tape::{Op, Slot};

impl Emitter<'_, '_> {
    /// An operation that writes one of them.
    pub(super) fn whole(&mut self, op: Op) {
        let Some(to) = op.target() else { return };
        let value = match op {
            Op::Copy { a, .. } => self.integer(a).unwrap_or_else(|| self.fitting(a, to)),
            Op::Binary { op, a, b, .. } => {
                let (Some(a), Some(b)) = (self.integer(a), self.integer(b)) else { return };
                match op.scalar() {
                    BinOp::Add => self.builder.ins().iadd(a, b),
                    BinOp::Sub => self.builder.ins().isub(a, b),
                    _ => self.builder.ins().imul(a, b),
                }
            }
            Op::Function2 { a, b, .. } => {
                let (Some(a), Some(mask)) = (self.integer(a), mask(self.slots, b)) else { return };
                self.builder.ins().band_imm_s(a, mask)
            }
            _ => return,
        };
        let variable = self.variable(to);
        self.builder.def_var(variable, value);
    }

    fn integer(&mut self, slot: Slot) -> Option<Value> {
        if let Some(whole) = constant(self.slots, slot) {
            return Some(self.builder.ins().iconst(types::I64, whole));
        }
        if !self.wholes.contains_key(&slot) {
            return None;
        }
        let variable = self.variable(slot);
        Some(self.builder.use_var(variable))
    }

    /// A number from memory as what `to` can hold. Where it is none of that, the tape is left to the interpreter: nothing has
    /// been written yet.
    fn fitting(&mut self, from: Slot, to: Slot) -> Value {
        let (least, most) = self.wholes[&to];
        let number = self.read(from);
        let whole = self.builder.ins().fcvt_to_sint_sat(types::I64, number);
        let again = self.builder.ins().fcvt_from_sint(types::F64, whole);
        let [given, again] =
            [number, again].map(|n| self.builder.ins().bitcast(types::I64, MemFlagsData::new(), n));
        let same = self.builder.ins().icmp(IntCC::Equal, given, again);
        let above = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, whole, least);
        let below = self.builder.ins().icmp_imm_s(IntCC::SignedLessThanOrEqual, whole, most);
        let inside = self.builder.ins().band(above, below);
        let fits = self.builder.ins().band(same, inside);
        let (next, stop) = (self.builder.create_block(), self.failure());
        self.builder.ins().brif(fits, next, &[], stop, &[]);
        self.builder.switch_to_block(next);
        whole
    }
}
