//! Sine and cosine in native code: the polynomials in place, the C library for large angles.

use crate::emit::Emitter;
use crate::outside::{Callee, Outside};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, Value, types};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::FunctionBuilder;
use kairos_expr::Builtin;
use kairos_expr::trigonometry::{Arithmetic, SMALL, small_cosine, small_sine};

const BITS: MemFlagsData = MemFlagsData::new();

/// The polynomials for small angles, and beside them the way to others.
pub fn emit(emitter: &mut Emitter, f: Builtin, x: Value) -> Value {
    let bits = emitter.builder.ins().bitcast(types::I64, BITS, x);
    let upper = emitter.builder.ins().ushr_imm_u(bits, 32);
    let upper = emitter.builder.ins().ireduce(types::I32, upper);
    let size = emitter.builder.ins().band_imm_u(upper, 0x7fff_ffff);
    let is_small = emitter.builder.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, size, i64::from(SMALL));
    let [small, large, after] = [(); 3].map(|()| emitter.builder.create_block());
    let result = emitter.builder.append_block_param(after, types::F64);
    emitter.builder.set_cold_block(large);
    emitter.builder.ins().brif(is_small, small, &[], large, &[]);
    emitter.builder.switch_to_block(large);
    let place = emitter.detour_result();
    let address = emitter.builder.ins().stack_addr(types::I64, place, 0);
    let detour = emitter.detours[&f];
    emitter.builder.ins().call(detour, &[x, address]);
    let value = emitter.builder.ins().stack_load(types::I64, types::F64, place, 0);
    emitter.builder.ins().jump(after, &[value.into()]);
    emitter.builder.switch_to_block(small);
    let mut instructions = Instructions { builder: &mut emitter.builder };
    let value = match f {
        Builtin::Cos => small_cosine(&mut instructions, x),
        _ => small_sine(&mut instructions, x),
    };
    emitter.builder.ins().jump(after, &[value.into()]);
    // Both ways come from here, and neither writes memory that others know of: what is known stays so.
    emitter.builder.switch_to_block(after);
    result
}

/// Is there another function for what is not dealt with in place?
pub fn has_detour(f: Builtin) -> bool {
    matches!(f, Builtin::Sin | Builtin::Cos)
}

/// An argument, and where the result belongs.
pub fn detour_signature() -> Signature {
    let mut signature = Signature::new(CallConv::PreserveAll);
    signature.params.extend([types::F64, types::I64].map(AbiParam::new));
    signature
}

/// The body of a detour: calls the function and stores what it gives.
pub fn detour(mut builder: FunctionBuilder, function: Builtin, config: TargetFrontendConfig) {
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let (x, place) = (builder.block_params(entry)[0], builder.block_params(entry)[1]);
    let mut signature = Signature::new(config.default_call_conv);
    signature.params.push(AbiParam::new(types::F64));
    signature.returns.push(AbiParam::new(types::F64));
    let signature = builder.import_signature(signature);
    let callee = Outside::Rust(Callee::Function(function)).emit(&mut builder);
    let call = builder.ins().call_indirect(signature, callee, &[x]);
    let value = builder.inst_results(call)[0];
    builder.ins().store(MemFlagsData::trusted(), value, place, 0);
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
    builder.finalize(config);
}

struct Instructions<'a, 'f> {
    builder: &'a mut FunctionBuilder<'f>,
}

impl Arithmetic for Instructions<'_, '_> {
    type Number = Value;

    fn constant(&mut self, value: f64) -> Value {
        self.builder.ins().f64const(value)
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
        // By shifts, since a mask would take more bytes.
        let bits = self.builder.ins().bitcast(types::I64, BITS, b);
        let sign = self.builder.ins().ushr_imm_u(bits, 63);
        let sign = self.builder.ins().ishl_imm_u(sign, 63);
        let sign = self.builder.ins().bitcast(types::F64, BITS, sign);
        self.builder.ins().bor(a, sign)
    }
}
