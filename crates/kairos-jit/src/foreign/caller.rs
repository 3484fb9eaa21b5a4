//! Callers for C functions of every signature: each takes the arguments from a row of words, so no C compiler is needed.

use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use std::sync::Mutex;

/// Which arguments are floating-point numbers, and what comes back.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    pub floats: Vec<bool>,
    pub result: Word,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Word {
    Nothing,
    Float,
    Integer,
    Pointer,
}

type Entry = extern "C" fn(*const u8, *const u64, *mut u64);

pub struct Caller {
    pub entry: Entry,
    /// Keeps the code.
    _module: Mutex<JITModule>,
}

impl Caller {
    pub fn new(shape: &Shape) -> Result<Self, String> {
        let fault = |error: &dyn std::fmt::Display| format!("no caller can be compiled: {error}");
        let mut flags = settings::builder();
        flags.set("is_pic", "false").map_err(|e| fault(&e))?;
        let isa = cranelift_native::builder()
            .map_err(|e| fault(&e))?
            .finish(settings::Flags::new(flags))
            .map_err(|e| fault(&e))?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let pointer = module.target_config().pointer_type();
        let mut target = Signature::new(module.target_config().default_call_conv);
        let kind = |float: bool| if float { types::F64 } else { types::I64 };
        target.params.extend(shape.floats.iter().map(|&float| AbiParam::new(kind(float))));
        match shape.result {
            Word::Nothing => {}
            Word::Float => target.returns.push(AbiParam::new(types::F64)),
            Word::Integer => target.returns.push(AbiParam::new(types::I32)),
            Word::Pointer => target.returns.push(AbiParam::new(types::I64)),
        }
        let mut context = module.make_context();
        context.func.signature.params.extend([AbiParam::new(pointer); 3]);
        let mut shared = FunctionBuilderContext::new();
        let mut code = FunctionBuilder::new(&mut context.func, &mut shared);
        let block = code.create_block();
        code.append_block_params_for_function_params(block);
        code.switch_to_block(block);
        code.seal_block(block);
        let [function, words, result] = [0, 1, 2].map(|k| code.block_params(block)[k]);
        let mut given = Vec::new();
        for (k, &float) in shape.floats.iter().enumerate() {
            given.push(code.ins().load(kind(float), MemFlagsData::trusted(), words, 8 * k as i32));
        }
        let signature = code.import_signature(target);
        let call = code.ins().call_indirect(signature, function, &given);
        if let Some(&value) = code.inst_results(call).first() {
            code.ins().store(MemFlagsData::trusted(), value, result, 0);
        }
        code.ins().return_(&[]);
        code.finalize(module.target_config());
        let id = module
            .declare_function("call", Linkage::Export, &context.func.signature)
            .map_err(|e| fault(&e))?;
        module.define_function(id, &mut context).map_err(|e| fault(&e))?;
        module.finalize_definitions().map_err(|e| fault(&e))?;
        let address = module.get_finalized_function(id);
        // SAFETY: the function was made with the signature of `Entry`.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        Ok(Caller { entry, _module: Mutex::new(module) })
    }
}
