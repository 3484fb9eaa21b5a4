//! Functions that are ready to become machine code, and the threads that make it of them.

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::TargetIsa;
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module, ModuleReloc};
use std::sync::{Mutex, PoisonError};

/// So many instructions are kept until their functions are compiled: what waits takes memory.
const MOST: usize = 50_000;
/// A further thread has at least so many to compile, or it takes longer to begin than to do it.
const LEAST: usize = 1_000;

#[derive(Default)]
pub struct Batch {
    waiting: Vec<(FuncId, Context)>,
    instructions: usize,
}

impl Batch {
    /// Takes a function; it is compiled with others, with the next call of `compile` at the latest.
    pub fn add(
        &mut self,
        id: FuncId,
        context: Context,
        module: &mut JITModule,
        threads: usize,
    ) -> Result<(), String> {
        self.instructions += context.func.dfg.num_insts();
        self.waiting.push((id, context));
        if self.instructions > MOST { self.compile(module, threads) } else { Ok(()) }
    }

    /// Compiles what waits. The code lies in the order in which functions were added, whoever compiled them.
    pub fn compile(&mut self, module: &mut JITModule, threads: usize) -> Result<(), String> {
        let threads = threads.min(self.waiting.len()).min(self.instructions / LEAST).max(1);
        translate(&mut self.waiting, module.isa(), threads)?;
        self.instructions = 0;
        for (id, context) in self.waiting.drain(..) {
            let code = context.compiled_code().ok_or("a function was left out")?;
            let isa = module.isa();
            let alignment = u64::from(code.buffer.alignment)
                .max(u64::from(isa.function_alignment().minimum))
                .max(isa.symbol_alignment());
            let relocations = code.buffer.relocs().iter();
            let relocations: Vec<ModuleReloc> =
                relocations.map(|reloc| ModuleReloc::from_mach_reloc(reloc, &context.func, id)).collect();
            module
                .define_function_bytes(id, alignment, code.code_buffer(), &relocations)
                .map_err(|error| format!("{error:?}"))?;
        }
        Ok(())
    }
}

/// Makes machine code in each context, the longest functions first.
fn translate(functions: &mut [(FuncId, Context)], isa: &dyn TargetIsa, threads: usize) -> Result<(), String> {
    let mut order: Vec<&mut Context> = functions.iter_mut().map(|(_, context)| context).collect();
    order.sort_by_key(|context| std::cmp::Reverse(context.func.dfg.num_insts()));
    let queue = Mutex::new(order.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || -> Result<(), String> {
        while let Some(context) = next() {
            let done = context.compile(isa, &mut ControlPlane::default());
            done.map_err(|error| format!("{:?}", error.inner))?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let failed = |_| Err("a thread that compiled native code has failed".to_string());
        others.into_iter().map(|other| other.join().unwrap_or_else(failed)).fold(own, Result::and)
    })
}
