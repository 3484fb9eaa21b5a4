//! A program to native code: routines first, then the pieces of every repeated tape.

use crate::batch::Batch;
use crate::chunk::{Piece, pieces};
use crate::emit::{Emitter, Rounds, Scope};
use crate::native::Code;
use crate::rolling::{Motion, Repetition};
use crate::sites::touched;
use crate::sites::traffic;
use crate::trigonometry;
use cranelift_codegen::Context;
use cranelift_codegen::ir::{
    AbiParam, InstBuilder, MemFlagsData, Signature, StackSlotData, StackSlotKind, Type, Value, types,
};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use kairos_base::hash::HashMap;
use kairos_code::tape::{Op, Slot, Tape};
use kairos_code::{Field, Program};
use kairos_expr::Builtin;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Longer routines, or such with larger arrays, stay interpreted.
const LONGEST: usize = 12_000;
const LARGEST: u32 = 2_000;
/// Calls that hand over more values than this at once are made by the interpreter.
const WIDEST: usize = 1_000;
/// Programs of so many operations are optimised. Expressions are shared long before, so that there is little to find: some
/// percent of the time of an evaluation, for a third of the time of compiling. The code of a small program has to pay for
/// itself within milliseconds, that of a large one takes seconds.
const OPTIMISED: Range<usize> = 2_000..250_000;

/// Compiles what runs again and again.
pub fn compile(program: &Arc<Program>, threads: usize) -> Result<Code, String> {
    compile_tapes(program, program.repeated_tapes(), program.fields().collect(), threads)
}

/// Compiles only the tapes that go round by themselves.
pub fn compile_loops(program: &Arc<Program>, threads: usize) -> Result<Code, String> {
    compile_tapes(program, program.looping_tapes(), Vec::new(), threads)
}

/// Compiles only the tapes of systems before tearing.
pub fn compile_wholes(program: &Arc<Program>, threads: usize) -> Result<Code, String> {
    compile_tapes(program, program.whole_tapes(), Vec::new(), threads)
}

/// Compiles these tapes and fields.
pub fn compile_tapes(
    program: &Arc<Program>,
    mut tapes: Vec<&Tape>,
    fields: Vec<&Field>,
    threads: usize,
) -> Result<Code, String> {
    tapes.retain(|tape| !is_wide(program, tape));
    let total: usize = tapes.iter().map(|tape| tape.ops.len()).sum();
    let mut compiler = Compiler::new(program, total, threads)?;
    let routines = reachable(program, &tapes);
    let bodies = routines.iter().map(|&routine| &program.memory.routines.list[routine as usize].tape);
    let fielded = fields.iter().map(|field| &field.tape);
    for op in tapes.iter().copied().chain(bodies).chain(fielded).flat_map(|tape| &tape.ops) {
        if let Op::Function1 { f, .. } = *op {
            compiler.detour(f)?;
        }
    }
    for &routine in &routines {
        compiler.declare_routine(routine)?;
    }
    for &routine in &routines {
        compiler.routine(routine)?;
    }
    let mut pieces: Vec<Vec<FuncId>> = vec![Vec::new(); program.memory.tapes as usize + 1];
    for tape in tapes {
        pieces[tape.id as usize] = compiler.tape(tape)?;
    }
    let fields = fields.into_iter().map(|field| Ok((field, compiler.field(field)?)));
    let fields = fields.collect::<Result<Vec<_>, String>>()?;
    compiler.batch.compile(&mut compiler.module, threads)?;
    let (mut module, tables) = (compiler.module, compiler.tables);
    module.finalize_definitions().map_err(|error| error.to_string())?;
    let finished = |list: Vec<FuncId>| list.into_iter().map(|id| module.get_finalized_function(id)).collect();
    let addresses = pieces.into_iter().map(finished).collect();
    let fields = fields.into_iter().map(|(field, id)| (field, module.get_finalized_function(id))).collect();
    Ok(Code::new(module, addresses, fields, tables, program.clone()))
}

/// Does a call hand over so many values at once that it is better made by the interpreter? All of them would be alive
/// together, which takes the allocation of registers time and memory without measure.
fn is_wide(program: &Program, tape: &Tape) -> bool {
    tape.ops.iter().any(|&op| {
        let handed = match op {
            Op::Invoke { site } => {
                let invocation = &program.memory.routines.invocations[site as usize];
                invocation.arguments.len() + invocation.outputs.len()
            }
            Op::Call { .. } | Op::CallTangent { .. } => {
                let traffic = traffic(program, op);
                traffic.reads.len() + traffic.writes.len()
            }
            _ => 0,
        };
        handed > WIDEST
    })
}

/// The routines that tapes call, directly or not.
fn reachable(program: &Program, tapes: &[&Tape]) -> BTreeSet<u32> {
    let routines = &program.memory.routines;
    let called = |tape: &Tape| -> Vec<u32> {
        let sites = tape.ops.iter().filter_map(|op| match op {
            Op::Invoke { site } => Some(routines.invocations[*site as usize].routine),
            _ => None,
        });
        sites.collect()
    };
    let mut found = BTreeSet::new();
    let mut stack: Vec<u32> = tapes.iter().flat_map(|tape| called(tape)).collect();
    while let Some(routine) = stack.pop() {
        if found.insert(routine) {
            stack.extend(called(&routines.list[routine as usize].tape));
        }
    }
    found
}

struct Compiler<'a> {
    program: &'a Program,
    module: JITModule,
    /// The function that is being made.
    context: Context,
    batch: Batch,
    threads: usize,
    frontend: FunctionBuilderContext,
    routines: BTreeMap<u32, FuncId>,
    /// The ways to functions for arguments that are not dealt with in place.
    detours: HashMap<Builtin, FuncId>,
    sharing: Sharing,
    /// Where slots are in the rounds of loops.
    tables: Vec<Box<[i64]>>,
}

impl<'a> Compiler<'a> {
    fn new(program: &'a Program, operations: usize, threads: usize) -> Result<Self, String> {
        let mut flags = settings::builder();
        let level = if OPTIMISED.contains(&operations) { "speed" } else { "none" };
        let set = [("use_colocated_libcalls", "false"), ("is_pic", "false"), ("opt_level", level)];
        for (name, value) in set.into_iter().chain([("enable_verifier", "false")]) {
            flags.set(name, value).map_err(|error| error.to_string())?;
        }
        let isa = cranelift_native::builder()?
            .finish(settings::Flags::new(flags))
            .map_err(|error| error.to_string())?;
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let context = module.make_context();
        Ok(Compiler {
            program,
            module,
            context,
            batch: Batch::default(),
            threads,
            frontend: FunctionBuilderContext::new(),
            routines: BTreeMap::new(),
            detours: HashMap::default(),
            sharing: Sharing::new(program.memory.slots.len()),
            tables: Vec::new(),
        })
    }

    fn signature(&self, params: &[Type]) -> Signature {
        let mut signature = self.module.make_signature();
        signature.params.extend(params.iter().map(|&p| AbiParam::new(p)));
        signature.returns.push(AbiParam::new(types::I32));
        signature
    }

    fn routine_signature(&self) -> Signature {
        self.signature(&[types::I64, types::I64, types::I64, types::I32])
    }

    fn declare_routine(&mut self, id: u32) -> Result<(), String> {
        let routine = &self.program.memory.routines.list[id as usize];
        let arrays: u32 =
            indexed(&routine.tape, &routine.slots).values().filter(|b| !b.constant).map(|b| b.length).sum();
        if routine.tape.ops.len() > LONGEST || arrays > LARGEST {
            return Ok(());
        }
        let signature = self.routine_signature();
        let function =
            self.module.declare_anonymous_function(&signature).map_err(|error| error.to_string())?;
        self.routines.insert(id, function);
        Ok(())
    }

    fn define(&mut self, function: FuncId) -> Result<(), String> {
        let done = std::mem::replace(&mut self.context, self.module.make_context());
        self.batch.add(function, done, &mut self.module, self.threads)
    }

    /// Compiles the way to a function that is called seldom: it keeps all registers, so that code around the call need not
    /// make room for it. Such functions return nothing, but write where they are told.
    fn detour(&mut self, f: Builtin) -> Result<(), String> {
        let Some(function) = trigonometry::beyond(f).filter(|_| !self.detours.contains_key(&f)) else {
            return Ok(());
        };
        let signature = trigonometry::detour_signature();
        let id = self.module.declare_anonymous_function(&signature).map_err(|error| error.to_string())?;
        self.context.func.signature = signature;
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.frontend);
        trigonometry::detour(builder, function, self.module.target_config());
        self.define(id)?;
        self.detours.insert(f, id);
        Ok(())
    }

    fn routine(&mut self, id: u32) -> Result<(), String> {
        let Some(&function) = self.routines.get(&id) else { return Ok(()) };
        let routine = &self.program.memory.routines.list[id as usize];
        self.context.func.signature = self.routine_signature();
        let convention = self.context.func.signature.call_conv;
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.frontend);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let params = builder.block_params(entry).to_vec();
        let (context, arguments, outputs, depth) = (params[0], params[1], params[2], params[3]);
        let mut blocks = HashMap::default();
        for (first, block) in indexed(&routine.tape, &routine.slots) {
            let start = match block.constant {
                // The program, and its constants, live as long as the code.
                true => {
                    let address = &raw const routine.slots.image[first as usize] as usize;
                    builder.ins().iconst(types::I64, address as i64)
                }
                false => {
                    let data = StackSlotData::new(StackSlotKind::ExplicitSlot, block.length * 8, 3);
                    let slot = builder.create_sized_stack_slot(data);
                    builder.ins().stack_addr(types::I64, slot, 0)
                }
            };
            blocks.insert(first, start);
        }
        let calls =
            declare_calls(&mut self.module, &self.routines, self.program, &routine.tape.ops, &mut builder);
        let detours = declare_detours(&mut self.module, &self.detours, &routine.tape.ops, &mut builder);
        let mut emitter =
            Emitter::new(self.program, &routine.slots, Scope::Routine, builder, context, convention);
        emitter.blocks = blocks;
        emitter.depth = Some(depth);
        let has_calls = routine.tape.ops.iter().any(|op| matches!(op, Op::Invoke { .. }));
        emitter.routines = calls;
        emitter.detours = detours;
        if has_calls {
            emitter.limit_depth();
        }
        let flags = MemFlagsData::trusted();
        for (k, &slot) in routine.inputs.iter().enumerate() {
            let value = emitter.builder.ins().load(types::F64, flags, arguments, k as i32 * 8);
            emitter.write(slot, value);
        }
        emitter.operations(&routine.tape.ops, 0..routine.tape.ops.len());
        for (k, &slot) in routine.outputs.iter().enumerate() {
            let value = emitter.read(slot);
            emitter.builder.ins().store(flags, value, outputs, k as i32 * 8);
        }
        emitter.finish(self.module.target_config());
        self.define(function)
    }

    fn tape(&mut self, tape: &Tape) -> Result<Vec<FuncId>, String> {
        let pieces = pieces(&tape.ops, &self.program.memory.slots);
        let mut ranges = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            match piece {
                Piece::Straight(range) => ranges.push(range.clone()),
                Piece::Loop(repetition) => ranges.extend(repetition.rounds()),
            }
        }
        let mut sharing = std::mem::take(&mut self.sharing);
        sharing.find(self.program, tape, &ranges);
        let indexed = indexed(tape, &self.program.memory.slots);
        let parameters = [types::I64, types::I64];
        let shared = |slot| sharing.is_shared(slot);
        let pieces = pieces.into_iter().map(|piece| match piece {
            Piece::Straight(range) => {
                self.piece(&tape.ops, range, &shared, &indexed, &parameters, &mut |_, _| (), None)
            }
            Piece::Loop(repetition) => {
                let rounds = self.rounds(&tape.ops, &repetition, &shared);
                let first = repetition.first;
                self.piece(&tape.ops, first, &shared, &indexed, &parameters, &mut |_, _| (), Some(rounds))
            }
        });
        let pieces = pieces.collect();
        self.sharing = sharing;
        pieces
    }

    /// How the slots of a repetition move from round to round.
    fn rounds(&mut self, ops: &[Op], repetition: &Repetition, shared: &dyn Fn(Slot) -> bool) -> Rounds {
        let slots = &self.program.memory.slots;
        let is_register = |slot| slots.is_scratch(slot) && !shared(slot) && slots.block_of(slot).is_none();
        let mut rounds =
            Rounds { count: repetition.count, even: BTreeMap::new(), listed: Vec::new(), table: 0 };
        let mut lists = Vec::new();
        for moving in repetition.moving(ops, slots, is_register) {
            match moving.motion {
                Motion::Even(stride) => rounds.even.entry(stride).or_default().push(moving.slot),
                Motion::Listed(list) => {
                    rounds.listed.push(moving.slot);
                    lists.push(list);
                }
            }
        }
        let row = |k: usize| lists.iter().map(move |list: &Vec<Slot>| i64::from(list[k]) * 8);
        let table: Box<[i64]> = (0..repetition.count).flat_map(row).collect();
        rounds.table = table.as_ptr() as usize;
        self.tables.push(table);
        rounds
    }

    /// A field reads and writes what it is given beside the memory.
    fn field(&mut self, field: &Field) -> Result<FuncId, String> {
        let parameters = [types::I64, types::F64, types::I64, types::I64];
        let indexed = indexed(&field.tape, &self.program.memory.slots);
        let ops = &field.tape.ops;
        let begin = &mut |emitter: &mut Emitter, given: &[Value]| {
            let states = field.states.iter().zip(0..).map(|(&slot, k)| (slot, (given[2], k * 8)));
            let results = field.results.iter().map(|&(slot, k)| (slot, (given[3], k as i32 * 8)));
            emitter.places = states.chain(results).collect();
            emitter.write(field.time, given[1]);
        };
        self.piece(ops, 0..ops.len(), &|_| false, &indexed, &parameters, begin, None)
    }

    /// A part of a tape as a function, whose first parameter is the memory and whose second one callbacks get; `begin`
    /// makes something of the others. With `rounds` it is a loop.
    fn piece(
        &mut self,
        ops: &[Op],
        range: Range<usize>,
        shared: &dyn Fn(Slot) -> bool,
        indexed: &BTreeMap<Slot, Indexed>,
        parameters: &[Type],
        begin: &mut dyn FnMut(&mut Emitter, &[Value]),
        rounds: Option<Rounds>,
    ) -> Result<FuncId, String> {
        let signature = self.signature(parameters);
        let function =
            self.module.declare_anonymous_function(&signature).map_err(|error| error.to_string())?;
        let convention = signature.call_conv;
        self.context.func.signature = signature;
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.frontend);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let params = builder.block_params(entry).to_vec();
        let own = &ops[range.clone()];
        let calls = declare_calls(&mut self.module, &self.routines, self.program, own, &mut builder);
        let detours = declare_detours(&mut self.module, &self.detours, own, &mut builder);
        let slots = &self.program.memory.slots;
        let scope = Scope::Tape { shared };
        let mut emitter = Emitter::new(self.program, slots, scope, builder, params[1], convention);
        emitter.memory = Some(params[0]);
        emitter.routines = calls;
        emitter.detours = detours;
        emitter.blocks = indexed.keys().map(|&first| (first, params[0])).collect();
        begin(&mut emitter, &params);
        match rounds {
            Some(rounds) => emitter.rounds(ops, range, &rounds),
            None => emitter.operations(ops, range),
        }
        emitter.finish(self.module.target_config());
        self.define(function)?;
        Ok(function)
    }
}

fn declare_calls(
    module: &mut JITModule,
    routines: &BTreeMap<u32, FuncId>,
    program: &Program,
    ops: &[Op],
    builder: &mut FunctionBuilder,
) -> HashMap<u32, cranelift_codegen::ir::FuncRef> {
    let mut out = HashMap::default();
    for op in ops {
        if let Op::Invoke { site } = op {
            let routine = program.memory.routines.invocations[*site as usize].routine;
            if let Some(&function) = routines.get(&routine) {
                out.entry(routine).or_insert_with(|| module.declare_func_in_func(function, builder.func));
            }
        }
    }
    out
}

fn declare_detours(
    module: &mut JITModule,
    detours: &HashMap<Builtin, FuncId>,
    ops: &[Op],
    builder: &mut FunctionBuilder,
) -> HashMap<Builtin, cranelift_codegen::ir::FuncRef> {
    let mut out = HashMap::default();
    for op in ops {
        if let Op::Function1 { f, .. } = op
            && let Some(&function) = detours.get(f)
        {
            out.entry(*f).or_insert_with(|| module.declare_func_in_func(function, builder.func));
        }
    }
    out
}

struct Indexed {
    length: u32,
    constant: bool,
}

/// The blocks that a tape indexes.
fn indexed(tape: &Tape, slots: &kairos_code::slots::Slots) -> BTreeMap<Slot, Indexed> {
    let mut out = BTreeMap::new();
    for op in &tape.ops {
        if let Op::Load { base, .. } | Op::Store { base, .. } = op
            && let Some((first, length)) = slots.block_of(*base)
        {
            out.entry(first).or_insert_with(|| Indexed { length, constant: slots.value(first).is_some() });
        }
    }
    out
}

/// Which slots more than one piece of a tape uses. The tables are as long as the memory and serve one tape after the
/// other; pieces are numbered through, so that nothing has to be cleared.
#[derive(Default)]
struct Sharing {
    /// The first piece of the present tape, and of the next.
    pieces: Range<u32>,
    /// The last piece that was the first of its tape to use a slot.
    first: Vec<u32>,
    /// The last piece that found a slot in use by another one.
    found: Vec<u32>,
}

impl Sharing {
    fn new(slots: usize) -> Self {
        Sharing { pieces: 1..1, first: vec![0; slots], found: vec![0; slots] }
    }

    fn find(&mut self, program: &Program, tape: &Tape, ranges: &[Range<usize>]) {
        let begin = self.pieces.end;
        self.pieces = begin..begin + ranges.len() as u32;
        if ranges.len() < 2 {
            return;
        }
        for (piece, range) in self.pieces.clone().zip(ranges) {
            for op in &tape.ops[range.clone()] {
                touched(program, *op, &mut |slot| {
                    let first = &mut self.first[slot as usize];
                    if *first < begin {
                        *first = piece;
                    } else if *first != piece {
                        self.found[slot as usize] = piece;
                    }
                });
            }
        }
    }

    fn is_shared(&self, slot: Slot) -> bool {
        self.found[slot as usize] >= self.pieces.start
    }
}
