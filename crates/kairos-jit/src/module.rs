//! A program to native code: routines first, then the pieces of every repeated tape.

use crate::batch::Batch;
use crate::chunk::{Piece, pieces};
use crate::emit::{Emitter, Rounds, Scope};
use crate::key::key;
use crate::native::Code;
use crate::objects::Objects;
use crate::outside::Outside;
use crate::rolling::{Motion, Repetition};
use crate::shelf::Shelf;
use crate::sites::touched;
use crate::sites::traffic;
use crate::trigonometry;
use cranelift_codegen::Context;
use cranelift_codegen::ir::{
    AbiParam, ExtFuncData, ExternalName, FuncRef, InstBuilder, MemFlagsData, Signature, StackSlotData,
    StackSlotKind, Type, Value, types,
};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use kairos_base::hash::HashMap;
use kairos_expr::Builtin;
use kairos_program::tape::{Op, Slot, Tape};
use kairos_program::{Field, Program};
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

/// What code is made with.
#[derive(Clone, Debug, Default)]
pub struct Means {
    /// How many threads make it; by default one for each core.
    pub threads: Option<usize>,
    /// Where code from earlier runs is.
    pub shelf: Option<Shelf>,
}

impl Means {
    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(cores)
    }
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Compiles what runs again and again.
pub fn compile(program: &Arc<Program>, means: &Means) -> Result<Code, String> {
    compile_tapes(program, program.repeated_tapes(), program.fields().collect(), means)
}

/// The same from an earlier run, if there is any.
pub fn compile_again(program: &Arc<Program>, means: &Means) -> Option<Code> {
    kept(program, program.repeated_tapes(), program.fields().collect(), means.shelf.as_ref()?)
}

/// Compiles only the tapes that go round by themselves.
pub fn compile_loops(program: &Arc<Program>, means: &Means) -> Result<Code, String> {
    compile_tapes(program, program.looping_tapes(), Vec::new(), means)
}

/// Compiles only the tapes of systems before tearing.
pub fn compile_wholes(program: &Arc<Program>, means: &Means) -> Result<Code, String> {
    compile_tapes(program, program.whole_tapes(), Vec::new(), means)
}

/// Compiles these tapes and fields, or takes the code that an earlier run made of the same.
pub fn compile_tapes(
    program: &Arc<Program>,
    tapes: Vec<&Tape>,
    fields: Vec<&Field>,
    means: &Means,
) -> Result<Code, String> {
    let order = Order::new(program, tapes, fields)?;
    let key = means.shelf.as_ref().and_then(|shelf| Some((shelf, order.key(program)?)));
    if let Some(code) = key.as_ref().and_then(|(shelf, key)| order.kept(program, shelf, key)) {
        return Ok(code);
    }
    let objects = order.make(program, means)?;
    if let Some((shelf, key)) = key
        && let Some(bytes) = objects.write()
    {
        shelf.put_aside(key, bytes);
    }
    objects.link(program, order.fields, order.isa)
}

/// Code from an earlier run, if there is any.
pub fn kept(program: &Arc<Program>, tapes: Vec<&Tape>, fields: Vec<&Field>, shelf: &Shelf) -> Option<Code> {
    let order = Order::new(program, tapes, fields).ok()?;
    order.kept(program, shelf, &order.key(program)?)
}

/// What is to be compiled, and for which processor.
struct Order<'a> {
    tapes: Vec<&'a Tape>,
    fields: Vec<&'a Field>,
    routines: BTreeSet<u32>,
    isa: OwnedTargetIsa,
}

impl<'a> Order<'a> {
    fn new(
        program: &'a Program,
        mut tapes: Vec<&'a Tape>,
        fields: Vec<&'a Field>,
    ) -> Result<Order<'a>, String> {
        tapes.retain(|tape| !is_wide(program, tape));
        let operations: usize = tapes.iter().map(|tape| tape.ops.len()).sum();
        let mut flags = settings::builder();
        let level = if OPTIMISED.contains(&operations) { "speed" } else { "none" };
        let set = [("use_colocated_libcalls", "false"), ("is_pic", "false"), ("opt_level", level)];
        for (name, value) in set.into_iter().chain([("enable_verifier", "false")]) {
            flags.set(name, value).map_err(|error| error.to_string())?;
        }
        let isa = cranelift_native::builder()?.finish(settings::Flags::new(flags));
        let isa = isa.map_err(|error| error.to_string())?;
        let routines = reachable(program, &tapes);
        Ok(Order { tapes, fields, routines, isa })
    }

    fn key(&self, program: &Program) -> Option<Vec<u8>> {
        key(program, &self.tapes, &self.routines, &self.fields, self.isa.as_ref())
    }

    fn kept(&self, program: &Arc<Program>, shelf: &Shelf, key: &[u8]) -> Option<Code> {
        Objects::read(&shelf.take(key)?)?.link(program, self.fields.clone(), self.isa.clone()).ok()
    }

    fn make(&self, program: &Program, means: &Means) -> Result<Objects, String> {
        let mut compiler = Compiler::new(program, self.isa.clone(), means.threads());
        let bodies =
            self.routines.iter().map(|&routine| &program.memory.routines.list[routine as usize].tape);
        let fielded = self.fields.iter().map(|field| &field.tape);
        for op in self.tapes.iter().copied().chain(bodies).chain(fielded).flat_map(|tape| &tape.ops) {
            if let Op::Function1 { f, .. } = *op {
                compiler.detour(f)?;
            }
        }
        self.routines.iter().for_each(|&routine| compiler.declare_routine(routine));
        for &routine in &self.routines {
            compiler.routine(routine)?;
        }
        for tape in &self.tapes {
            let pieces = compiler.tape(tape)?;
            compiler.batch.objects.tapes.push((tape.id, pieces));
        }
        for field in &self.fields {
            let function = compiler.field(field)?;
            compiler.batch.objects.fields.push(function);
        }
        compiler.batch.compile(self.isa.as_ref())?;
        Ok(compiler.batch.objects)
    }
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
    isa: OwnedTargetIsa,
    /// The function that is being made.
    context: Context,
    /// How many functions there are.
    functions: u32,
    batch: Batch,
    frontend: FunctionBuilderContext,
    routines: BTreeMap<u32, u32>,
    /// The ways to functions for arguments that are not dealt with in place.
    detours: HashMap<Builtin, u32>,
    sharing: Sharing,
}

impl<'a> Compiler<'a> {
    fn new(program: &'a Program, isa: OwnedTargetIsa, threads: usize) -> Self {
        Compiler {
            program,
            isa,
            context: Context::new(),
            functions: 0,
            batch: Batch::new(threads),
            frontend: FunctionBuilderContext::new(),
            routines: BTreeMap::new(),
            detours: HashMap::default(),
            sharing: Sharing::new(program.memory.slots.len()),
        }
    }

    fn signature(&self, params: &[Type]) -> Signature {
        let mut signature = Signature::new(self.isa.default_call_conv());
        signature.params.extend(params.iter().map(|&p| AbiParam::new(p)));
        signature.returns.push(AbiParam::new(types::I32));
        signature
    }

    /// A number for a function.
    fn declare(&mut self) -> u32 {
        self.functions += 1;
        self.functions - 1
    }

    fn routine_signature(&self) -> Signature {
        self.signature(&[types::I64, types::I64, types::I64, types::I32])
    }

    fn declare_routine(&mut self, id: u32) {
        let routine = &self.program.memory.routines.list[id as usize];
        let arrays: u32 =
            indexed(&routine.tape, &routine.slots).values().filter(|b| !b.constant).map(|b| b.length).sum();
        if routine.tape.ops.len() > LONGEST || arrays > LARGEST {
            return;
        }
        let function = self.declare();
        self.routines.insert(id, function);
    }

    fn define(&mut self, function: u32) -> Result<(), String> {
        let done = std::mem::replace(&mut self.context, Context::new());
        self.batch.add(function, done, self.isa.as_ref())
    }

    /// Compiles the way to a function that is called seldom: it keeps all registers, so that code around the call need not
    /// make room for it. Such functions return nothing, but write where they are told.
    fn detour(&mut self, f: Builtin) -> Result<(), String> {
        if !trigonometry::has_detour(f) || self.detours.contains_key(&f) {
            return Ok(());
        }
        let id = self.declare();
        self.context.func.signature = trigonometry::detour_signature();
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.frontend);
        trigonometry::detour(builder, f, self.isa.frontend_config());
        self.define(id)?;
        self.detours.insert(f, id);
        Ok(())
    }

    fn routine(&mut self, id: u32) -> Result<(), String> {
        let Some(&function) = self.routines.get(&id) else { return Ok(()) };
        let routine = &self.program.memory.routines.list[id as usize];
        let signature = self.routine_signature();
        self.context.func.signature = signature.clone();
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
                true => Outside::Constants { routine: id, first }.emit(&mut builder),
                false => {
                    let data = StackSlotData::new(StackSlotKind::ExplicitSlot, block.length * 8, 3);
                    let slot = builder.create_sized_stack_slot(data);
                    builder.ins().stack_addr(types::I64, slot, 0)
                }
            };
            blocks.insert(first, start);
        }
        let calls = declare_calls(&signature, &self.routines, self.program, &routine.tape.ops, &mut builder);
        let detours = declare_detours(&self.detours, &routine.tape.ops, &mut builder);
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
        emitter.finish(self.isa.frontend_config());
        self.define(function)
    }

    fn tape(&mut self, tape: &Tape) -> Result<Vec<u32>, String> {
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
        let tables = &mut self.batch.objects.tables;
        rounds.table = tables.len() as u32;
        tables.push(table);
        rounds
    }

    /// A field reads and writes what it is given beside the memory.
    fn field(&mut self, field: &Field) -> Result<u32, String> {
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
    ) -> Result<u32, String> {
        let signature = self.signature(parameters);
        let called = self.routine_signature();
        let function = self.declare();
        let convention = signature.call_conv;
        self.context.func.signature = signature;
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.frontend);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let params = builder.block_params(entry).to_vec();
        let own = &ops[range.clone()];
        let calls = declare_calls(&called, &self.routines, self.program, own, &mut builder);
        let detours = declare_detours(&self.detours, own, &mut builder);
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
        emitter.finish(self.isa.frontend_config());
        self.define(function)?;
        Ok(function)
    }
}

fn declare_calls(
    signature: &Signature,
    routines: &BTreeMap<u32, u32>,
    program: &Program,
    ops: &[Op],
    builder: &mut FunctionBuilder,
) -> HashMap<u32, FuncRef> {
    let mut out = HashMap::default();
    for op in ops {
        if let Op::Invoke { site } = op {
            let routine = program.memory.routines.invocations[*site as usize].routine;
            if let Some(&function) = routines.get(&routine) {
                out.entry(routine).or_insert_with(|| import(function, signature.clone(), builder));
            }
        }
    }
    out
}

fn declare_detours(
    detours: &HashMap<Builtin, u32>,
    ops: &[Op],
    builder: &mut FunctionBuilder,
) -> HashMap<Builtin, FuncRef> {
    let mut out = HashMap::default();
    for op in ops {
        if let Op::Function1 { f, .. } = op
            && let Some(&function) = detours.get(f)
        {
            out.entry(*f).or_insert_with(|| import(function, trigonometry::detour_signature(), builder));
        }
    }
    out
}

/// Another function of the same code, for one that calls it.
fn import(function: u32, signature: Signature, builder: &mut FunctionBuilder) -> FuncRef {
    let signature = builder.import_signature(signature);
    let name = builder.func.declare_imported_user_function(Outside::Function(function).name());
    let data = ExtFuncData { name: ExternalName::user(name), signature, colocated: true, patchable: false };
    builder.import_function(data)
}

struct Indexed {
    length: u32,
    constant: bool,
}

/// The blocks that a tape indexes.
fn indexed(tape: &Tape, slots: &kairos_program::slots::Slots) -> BTreeMap<Slot, Indexed> {
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
