//! Sine and cosine in native code: the polynomials in place, the C library for large angles.

use crate::emit::Emitter;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::FunctionBuilder;
use kairos_expr::Builtin;
use kairos_expr::trigonometry::{Arithmetic, COEFFICIENTS, SMALL, small_cosine, small_sine};

/// A call would cost every value in a register its place. `call` makes one for angles that are not small.
pub fn emit(emitter: &mut Emitter, f: Builtin, x: Value, far: usize) -> Value {
    let size = emitter.builder.ins().fabs(x);
    let limit = emitter.builder.ins().f64const(SMALL);
    let is_small = emitter.builder.ins().fcmp(FloatCC::LessThanOrEqual, size, limit);
    let [small, large, after] = [(); 3].map(|()| emitter.builder.create_block());
    let result = emitter.builder.append_block_param(after, types::F64);
    emitter.builder.set_cold_block(large);
    emitter.builder.ins().brif(is_small, small, &[], large, &[]);
    emitter.builder.switch_to_block(large);
    let value = emitter.call(far, &[types::F64], Some(types::F64), &[x]);
    emitter.builder.ins().jump(after, &[value.into()]);
    emitter.builder.switch_to_block(small);
    let table = emitter.builder.ins().iconst(types::I64, &raw const COEFFICIENTS as i64);
    let mut instructions = Instructions { builder: &mut emitter.builder, table };
    let value = match f {
        Builtin::Cos => small_cosine(&mut instructions, x),
        _ => small_sine(&mut instructions, x),
    };
    emitter.builder.ins().jump(after, &[value.into()]);
    // Both ways come from here, and neither writes memory: what is known stays so.
    emitter.builder.switch_to_block(after);
    result
}

struct Instructions<'a, 'f> {
    builder: &'a mut FunctionBuilder<'f>,
    table: Value,
}

impl Arithmetic for Instructions<'_, '_> {
    type Number = Value;

    fn coefficient(&mut self, k: usize) -> Value {
        self.builder.ins().load(types::F64, MemFlagsData::trusted(), self.table, k as i32 * 8)
    }
    fn add(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().fadd(a, b)
    }
    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().fsub(a, b)
    }
    fn mul(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().fmul(a, b)
    }
    fn signed(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().fcopysign(a, b)
    }
}
