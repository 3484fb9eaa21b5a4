//! Functions that are ready to become machine code, and the threads that make it of them.

use crate::objects::Objects;
use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::TargetIsa;
use std::sync::{Mutex, PoisonError};

/// So many instructions are kept until their functions are compiled: what waits takes memory.
const MOST: usize = 50_000;
/// A further thread has at least so many to compile, or it takes longer to begin than to do it.
const LEAST: usize = 1_000;

pub struct Batch {
    waiting: Vec<(u32, Context)>,
    instructions: usize,
    threads: usize,
    /// What is compiled.
    pub objects: Objects,
}

impl Batch {
    pub fn new(threads: usize) -> Self {
        Batch { waiting: Vec::new(), instructions: 0, threads, objects: Objects::default() }
    }

    /// Takes the function with this number; it is compiled with others, with the next call of `compile` at the latest.
    pub fn add(&mut self, number: u32, context: Context, isa: &dyn TargetIsa) -> Result<(), String> {
        self.instructions += context.func.dfg.num_insts();
        self.waiting.push((number, context));
        if self.instructions > MOST { self.compile(isa) } else { Ok(()) }
    }

    /// Compiles what waits. The code lies in the order in which functions were added, whoever compiled them.
    pub fn compile(&mut self, isa: &dyn TargetIsa) -> Result<(), String> {
        let threads = self.threads.min(self.waiting.len()).min(self.instructions / LEAST).max(1);
        translate(&mut self.waiting, isa, threads)?;
        self.instructions = 0;
        let Batch { waiting, objects, .. } = self;
        waiting.drain(..).try_for_each(|(number, context)| objects.add(number, &context, isa))
    }
}

/// Makes machine code in each context, the longest functions first.
fn translate(functions: &mut [(u32, Context)], isa: &dyn TargetIsa, threads: usize) -> Result<(), String> {
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
        // Whoever there is does all of it.
        let begun = (1..threads).map(|_| std::thread::Builder::new().spawn_scoped(scope, work));
        let others: Vec<_> = begun.flatten().collect();
        let own = work();
        let failed = |_| Err("a thread that compiled native code has failed".to_string());
        others.into_iter().map(|other| other.join().unwrap_or_else(failed)).fold(own, Result::and)
    })
}
