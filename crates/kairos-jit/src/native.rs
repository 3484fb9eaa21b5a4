//! The border to native code: the only place where its functions are called and where they call back.

use cranelift_jit::JITModule;
use kairos_machine::machine::{Eval, EvalError};
use kairos_machine::routines::Stopped;
use kairos_machine::run::Frame;
use kairos_machine::{Native, Ran};
use kairos_program::{Field, Program};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// A piece of a tape: the memory of the machine, and what callbacks need; zero means done.
type Piece = extern "C" fn(*mut f64, *mut Context) -> i32;

/// A field: the memory of the machine, time, states and where the results go; zero means done.
type FieldCall = extern "C" fn(*mut f64, f64, *const f64, *mut f64) -> i32;

/// The native code of a field, and how many states it reads and results it writes.
struct FieldCode {
    call: FieldCall,
    states: usize,
    results: usize,
}

/// What native code hands back to its callbacks.
pub struct Context {
    frame: *mut Frame,
    program: *const Program,
    error: Option<Box<EvalError>>,
    panic: Option<Box<dyn std::any::Any + Send>>,
}

impl Context {
    /// What native code has come to that did not go through.
    #[cold]
    fn fail(mut self) -> Ran {
        if let Some(panic) = self.panic.take() {
            resume_unwind(panic);
        }
        self.error.take().map_or(Ran::Not, Ran::Failed)
    }
}

/// Native code of one program. It refers to the constants of the program, which it keeps alive.
pub struct Code {
    /// Of each tape, by its number: the first piece, and the others.
    pieces: Vec<(Option<Piece>, Box<[Piece]>)>,
    /// Of each field, by the number of its tape.
    fields: Vec<Option<FieldCode>>,
    /// The length of the memory that all of it addresses without checks.
    size: usize,
    module: Option<JITModule>,
    /// What loops read of where their slots are.
    _tables: Vec<Box<[i64]>>,
    _program: Arc<Program>,
}

// SAFETY: after its making the code is only run; `module` is touched again only when the code is dropped.
unsafe impl Sync for Code {}

impl Code {
    /// Takes the finished functions; `addresses[id]` are the pieces of the tape with that number, in order, and
    /// `fields` has that of each field.
    pub fn new(
        module: JITModule,
        addresses: Vec<Vec<*const u8>>,
        fields: Vec<(&Field, *const u8)>,
        tables: Vec<Box<[i64]>>,
        program: Arc<Program>,
    ) -> Code {
        // SAFETY: the addresses are those of functions that `module` made with the signature of `Piece`.
        let piece = |address: *const u8| unsafe { std::mem::transmute::<*const u8, Piece>(address) };
        let pieces = addresses.into_iter().map(|list| {
            let mut list = list.into_iter().map(piece);
            (list.next(), list.collect())
        });
        let pieces = pieces.collect();
        let mut codes = Vec::new();
        codes.resize_with(program.memory.tapes as usize + 1, || None);
        for (field, address) in fields {
            // SAFETY: as above, with the signature of `FieldCall`.
            let call = unsafe { std::mem::transmute::<*const u8, FieldCall>(address) };
            let last = field.results.iter().map(|(_, place)| *place as usize + 1).max();
            let (states, results) = (field.states.len(), last.unwrap_or(0));
            codes[field.tape.id as usize] = Some(FieldCode { call, states, results });
        }
        let size = program.memory.slots.len();
        Code { pieces, fields: codes, size, module: Some(module), _tables: tables, _program: program }
    }
}

impl Code {
    /// Is there code of the tape with this number?
    #[inline]
    pub fn has(&self, id: u32) -> bool {
        matches!(self.pieces.get(id as usize), Some((Some(_), _)))
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: nothing runs the code any more: its owner is being dropped.
            unsafe { module.free_memory() };
        }
    }
}

impl Native for Code {
    fn run(&self, id: u32, program: &Program, frame: &mut Frame) -> Ran {
        let Some((Some(first), others)) = self.pieces.get(id as usize) else { return Ran::Not };
        // The code addresses the memory without checks; it was made for one of this size.
        if frame.values.len() != self.size {
            return Ran::Not;
        }
        let values = frame.values.as_mut_ptr();
        let mut context = Context { frame, program, error: None, panic: None };
        let mut status = first(values, &mut context);
        for piece in others {
            if status != 0 || context.panic.is_some() {
                break;
            }
            status = piece(values, &mut context);
        }
        if status != 0 || context.panic.is_some() {
            return context.fail();
        }
        // Nothing is in it: to see that costs more than many a tape.
        std::mem::forget(context);
        Ran::Done
    }

    fn run_field(
        &self,
        id: u32,
        memory: &mut [f64],
        time: f64,
        states: &[f64],
        results: &mut [f64],
    ) -> Option<bool> {
        let code = self.fields.get(id as usize)?.as_ref()?;
        // The code addresses all three without checks.
        if memory.len() != self.size || states.len() < code.states || results.len() < code.results {
            return None;
        }
        let (memory, states, results) = (memory.as_mut_ptr(), states.as_ptr(), results.as_mut_ptr());
        Some((code.call)(memory, time, states, results) == 0)
    }
}

/// Runs a callback; a panic must not cross native code.
fn guarded(context: *mut Context, body: impl FnOnce(&mut Frame, &Program) -> Eval) -> i32 {
    // SAFETY: `context` is the one that `run` made and that is alive while native code runs. `run` and the code do not
    // use the frame while a callback does, and callbacks never move `values`.
    let (context, frame, program) = unsafe {
        let (frame, program) = ((*context).frame, (*context).program);
        (&mut *context, &mut *frame, &*program)
    };
    match catch_unwind(AssertUnwindSafe(|| body(frame, program))) {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => {
            context.error = Some(Box::new(error));
            1
        }
        Err(panic) => {
            context.panic = Some(panic);
            1
        }
    }
}

pub extern "C" fn call(context: *mut Context, site: u32) -> i32 {
    guarded(context, |frame, program| frame.call(program, &program.memory.calls[site as usize]))
}

pub extern "C" fn call_tangent(context: *mut Context, site: u32) -> i32 {
    guarded(context, |frame, program| frame.call_tangent(program, &program.memory.tangents[site as usize]))
}

pub extern "C" fn evaluate(context: *mut Context, site: u32) -> i32 {
    guarded(context, |frame, program| frame.evaluate(program, program.memory.evaluations[site as usize]))
}

/// A routine at a site of a tape gave no numbers.
pub extern "C" fn make_up(context: *mut Context, site: u32, status: i32) -> i32 {
    let stopped = if status == GAVE_UP { Stopped::GaveUp } else { Stopped::Endless };
    guarded(context, |frame, program| frame.make_up(program, site, stopped))
}

pub extern "C" fn outside(context: *mut Context, index: f64, size: u32) -> i32 {
    guarded(context, |_, _| Err(EvalError::Recoverable(kairos_machine::subscript_outside(index, size))))
}

pub extern "C" fn delay(context: *mut Context, delay: u32, value: f64, time: f64) -> f64 {
    let mut past = f64::NAN;
    guarded(context, |frame, program| {
        let now = frame.get(program.memory.time);
        past = frame.history[delay as usize].at(now - time, now, value);
        Ok(())
    });
    past
}

pub extern "C" fn transport(context: *mut Context, site: u32, value: f64, x: f64) -> f64 {
    let mut out = f64::NAN;
    guarded(context, |frame, _| {
        out = frame.transport(site, value, x);
        Ok(())
    });
    out
}

pub const GAVE_UP: i32 = 1;
pub const ENDLESS: i32 = 2;

/// A routine without native code.
pub extern "C" fn interpret(
    context: *mut Context,
    routine: u32,
    arguments: *const f64,
    outputs: *mut f64,
    depth: u32,
) -> i32 {
    let mut status = 0;
    let failed = guarded(context, |frame, program| {
        let shape = &program.memory.routines.list[routine as usize];
        // SAFETY: native code passes its own arrays, made with the lengths of this routine.
        let (arguments, outputs) = unsafe {
            (
                std::slice::from_raw_parts(arguments, shape.inputs.len()),
                std::slice::from_raw_parts_mut(outputs, shape.outputs.len()),
            )
        };
        status = match frame.interpret(program, routine, arguments, outputs, depth as usize) {
            Ok(()) => 0,
            Err(Stopped::GaveUp) => GAVE_UP,
            Err(Stopped::Endless) => ENDLESS,
        };
        Ok(())
    });
    if failed != 0 { GAVE_UP } else { status }
}
