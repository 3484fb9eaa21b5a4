//! Conditions, arithmetic and built-in functions.

use super::{Emitter, FLAGS, Home};
use crate::outside::Callee;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use kairos_expr::{BinOp, Builtin};
use kairos_program::tape::Slot;

impl Emitter<'_, '_> {
    pub(super) fn condition(&mut self, slot: Slot) -> Value {
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

    pub(super) fn write_condition(&mut self, to: Slot, condition: Value) {
        if self.truths.contains(&to) {
            let variable = self.variable(to);
            return self.builder.def_var(variable, condition);
        }
        let value = self.number(condition);
        self.write(to, value);
        self.conditions.insert(to, condition);
    }

    pub(super) fn is_truth(&self, slot: Slot) -> bool {
        self.truths.contains(&slot)
            || self.slots.value(slot).is_some_and(|value| value == 0.0 || value == 1.0)
    }

    /// A condition as a number.
    pub(super) fn number(&mut self, condition: Value) -> Value {
        let (one, zero) = (self.builder.ins().f64const(1.0), self.builder.ins().f64const(0.0));
        self.builder.ins().select(condition, one, zero)
    }

    pub(super) fn binary(&mut self, op: BinOp, to: Slot, a: Slot, b: Slot) {
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

    pub(super) fn function1(&mut self, f: Builtin, a: Value) -> Value {
        match f {
            Builtin::Sqrt => self.builder.ins().sqrt(a),
            Builtin::Abs => self.builder.ins().fabs(a),
            Builtin::Floor | Builtin::Integer => self.builder.ins().floor(a),
            Builtin::Ceil => self.builder.ins().ceil(a),
            Builtin::Sin | Builtin::Cos => crate::trigonometry::emit(self, f, a),
            _ => match crate::math::function1(f) {
                Some(_) => self.call(Callee::Function(f), &[types::F64], Some(types::F64), &[a]),
                None => self.builder.ins().f64const(f64::NAN),
            },
        }
    }

    pub(super) fn function2(&mut self, f: Builtin, a: Value, b: Value, constant: Option<f64>) -> Value {
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
            Builtin::Atan2 => self.call(Callee::Atan2, &[types::F64, types::F64], Some(types::F64), &[a, b]),
            _ => self.builder.ins().f64const(f64::NAN),
        }
    }

    /// A power of two has an exact inverse, and to multiply is faster.
    pub(super) fn divide(&mut self, a: Value, b: Value, constant: Option<f64>) -> Value {
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
    pub(super) fn power(&mut self, to: Slot, a: Slot, b: Slot) {
        let base = self.read(a);
        let Some(n) = self.slots.value(b).filter(|n| n.fract() == 0.0 && n.abs() < 64.0) else {
            let exponent = self.read(b);
            let params = [types::F64, types::F64];
            let value = self.call(Callee::Power, &params, Some(types::F64), &[base, exponent]);
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
