//! Machine code before it has a place: functions as bytes, what they refer to, and the tapes that they belong to.

use crate::native::Code;
use crate::outside::Outside;
use cranelift_codegen::Context;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::UserExternalName;
use cranelift_codegen::isa::{OwnedTargetIsa, TargetIsa};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleReloc, ModuleRelocTarget, default_libcall_names};
use kairos_program::{Field, Program};
use std::ops::Range;
use std::sync::Arc;

#[derive(Default)]
pub struct Objects {
    /// The bytes of all functions.
    text: Vec<u8>,
    functions: Vec<Object>,
    /// The functions that are the pieces of a tape, by the number of the tape.
    pub tapes: Vec<(u32, Vec<u32>)>,
    /// The functions of the fields, in their order.
    pub fields: Vec<u32>,
    /// What loops read of where their slots are.
    pub tables: Vec<Box<[i64]>>,
}

struct Object {
    /// Others refer to it by this number.
    number: u32,
    range: Range<usize>,
    alignment: u64,
    references: Vec<ModuleReloc>,
}

/// Bytes of the smallest and the largest pages of the processors that there is native code for.
const PAGE: usize = 4096;
const LARGEST_PAGE: usize = 16384;
/// Bytes that a function leaves free in its pages: twice the largest alignment.
const SLACK: usize = 128;
/// Bytes that calls reach, with a margin.
const LARGEST: usize = 0x7000_0000;

/// The kinds of references that can be written down.
const KINDS: [Reloc; 4] = [Reloc::Abs8, Reloc::X86CallPCRel4, Reloc::X86PCRel4, Reloc::Arm64Call];

impl Objects {
    /// Takes a compiled function.
    pub fn add(&mut self, number: u32, context: &Context, isa: &dyn TargetIsa) -> Result<(), String> {
        let code = context.compiled_code().ok_or("a function was left out")?;
        let alignment = u64::from(code.buffer.alignment)
            .max(u64::from(isa.function_alignment().minimum))
            .max(isa.symbol_alignment());
        let id = FuncId::from_u32(number);
        let references = code.buffer.relocs().iter();
        let references = references.map(|reloc| ModuleReloc::from_mach_reloc(reloc, &context.func, id));
        let begin = self.text.len();
        self.text.extend_from_slice(code.code_buffer());
        let (range, references) = (begin..self.text.len(), references.collect());
        self.functions.push(Object { number, range, alignment, references });
        Ok(())
    }

    /// Gives the code its place, and the references theirs.
    pub fn link(
        mut self,
        program: &Arc<Program>,
        fields: Vec<&Field>,
        isa: OwnedTargetIsa,
    ) -> Result<Code, String> {
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        builder.memory_provider(Box::new(self.room()?));
        let mut module = JITModule::new(builder);
        let signature = module.make_signature();
        let wrong = |error| format!("{error:?}");
        let mut ids = Vec::with_capacity(self.functions.len());
        for _ in &self.functions {
            ids.push(module.declare_anonymous_function(&signature).map_err(wrong)?);
        }
        for object in &mut self.functions {
            let bytes = &mut self.text[object.range.clone()];
            let mut unknown = false;
            object.references.retain(|reference| {
                let Some(outside) = named(&reference.name) else { return true };
                let address = outside.address(program, &self.tables);
                let place = reference.offset as usize..reference.offset as usize + 8;
                match (address, bytes.get_mut(place)) {
                    (Some(address), Some(place)) if reference.kind == Reloc::Abs8 => {
                        let address = (address as i64).wrapping_add(reference.addend);
                        place.copy_from_slice(&address.to_ne_bytes());
                        false
                    }
                    (None, _) if matches!(outside, Outside::Function(n) if (n as usize) < ids.len()) => true,
                    _ => {
                        unknown = true;
                        false
                    }
                }
            });
            let id = ids.get(object.number as usize).filter(|_| !unknown);
            let id = *id.ok_or("native code refers to what is not there")?;
            // The arena grows by whole pages and counts no bytes for the alignment, so a function may not fill its pages.
            let mut padded = Vec::new();
            let room = bytes.len().next_multiple_of(PAGE) - bytes.len();
            let bytes = match room < SLACK {
                true => {
                    padded.extend_from_slice(bytes);
                    padded.resize(padded.len() + SLACK, 0);
                    &padded[..]
                }
                false => &*bytes,
            };
            let done = module.define_function_bytes(id, object.alignment, bytes, &object.references);
            done.map_err(wrong)?;
        }
        module.finalize_definitions().map_err(wrong)?;
        let mut pieces = vec![Vec::new(); program.memory.tapes as usize + 1];
        let found = |number: &u32| ids.get(*number as usize).map(|&id| module.get_finalized_function(id));
        let all = |list: &[u32]| list.iter().map(found).collect::<Option<Vec<_>>>();
        for (tape, list) in &self.tapes {
            let (Some(place), Some(list)) = (pieces.get_mut(*tape as usize), all(list)) else {
                return Err("native code is of another program".into());
            };
            *place = list;
        }
        let starts = all(&self.fields).filter(|starts| starts.len() == fields.len());
        let starts = starts.ok_or("native code has other fields")?;
        let fields = fields.into_iter().zip(starts).collect();
        Ok(Code::new(module, pieces, fields, self.tables, program.clone()))
    }

    /// Memory for all functions in one piece: they call each other by distances of 32 bits, which pages that the system gives
    /// one by one, as it happens to have them, can exceed.
    fn room(&self) -> Result<ArenaMemoryProvider, String> {
        let pages = |object: &Object| (object.range.len() + 2 * SLACK).next_multiple_of(LARGEST_PAGE);
        let size = self.functions.iter().map(pages).sum::<usize>() + LARGEST_PAGE;
        if size > LARGEST {
            return Err(format!("it has {} MB of code, more than functions can call across", size >> 20));
        }
        ArenaMemoryProvider::new_with_size(size).map_err(|error| error.to_string())
    }

    /// As bytes, unless it refers to something that has no name of ours.
    pub fn write(&self) -> Option<Vec<u8>> {
        let mut out = Writer::default();
        out.number(self.functions.len());
        for object in &self.functions {
            out.number(object.number as usize);
            out.number(object.range.len());
            out.number(object.alignment as usize);
            out.number(object.references.len());
            for reference in &object.references {
                let ModuleRelocTarget::User { namespace, index } = reference.name else { return None };
                let kind = KINDS.iter().position(|kind| *kind == reference.kind)?;
                out.number(reference.offset as usize);
                out.number(kind);
                out.number(namespace as usize);
                out.number(index as usize);
                out.0.extend(reference.addend.to_le_bytes());
            }
        }
        out.number(self.tapes.len());
        for (tape, list) in &self.tapes {
            out.number(*tape as usize);
            out.numbers(list);
        }
        out.numbers(&self.fields);
        out.number(self.tables.len());
        for table in &self.tables {
            out.number(table.len());
            table.iter().for_each(|place| out.0.extend(place.to_le_bytes()));
        }
        out.0.extend(&self.text);
        Some(out.0)
    }

    /// The reverse; `None` where these are no such bytes.
    pub fn read(bytes: &[u8]) -> Option<Objects> {
        let mut from = Reader(bytes);
        let (mut objects, mut end) = (Objects::default(), 0);
        for _ in 0..from.number()? {
            let (number, length, alignment) = (from.number()?, from.number()? as usize, from.number()?);
            let mut references = Vec::new();
            for _ in 0..from.number()? {
                let (offset, kind) = (from.number()?, *KINDS.get(from.number()? as usize)?);
                let name = ModuleRelocTarget::User { namespace: from.number()?, index: from.number()? };
                references.push(ModuleReloc { offset, kind, name, addend: from.long()? });
            }
            let range = end..end + length;
            end = range.end;
            objects.functions.push(Object { number, range, alignment: u64::from(alignment), references });
        }
        for _ in 0..from.number()? {
            objects.tapes.push((from.number()?, from.numbers()?));
        }
        objects.fields = from.numbers()?;
        for _ in 0..from.number()? {
            let table = (0..from.number()?).map(|_| from.long()).collect::<Option<_>>()?;
            objects.tables.push(table);
        }
        objects.text = from.0.to_vec();
        (objects.text.len() == end).then_some(objects)
    }
}

/// What one of our names stands for.
fn named(name: &ModuleRelocTarget) -> Option<Outside> {
    match *name {
        ModuleRelocTarget::User { namespace, index } => Outside::of(&UserExternalName { namespace, index }),
        _ => None,
    }
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: usize) {
        self.0.extend((number as u32).to_le_bytes());
    }

    fn numbers(&mut self, list: &[u32]) {
        self.number(list.len());
        list.iter().for_each(|&number| self.number(number as usize));
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn long(&mut self) -> Option<i64> {
        self.bytes().map(i64::from_le_bytes)
    }

    fn numbers(&mut self) -> Option<Vec<u32>> {
        (0..self.number()?).map(|_| self.number()).collect()
    }
}
