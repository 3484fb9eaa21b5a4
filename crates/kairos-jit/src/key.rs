//! What native code is made from, as bytes: where these are equal, so is the code.

use crate::sites::traffic;
use cranelift_codegen::isa::TargetIsa;
use kairos_program::tape::{Op, Tape};
use kairos_program::{Field, Program};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

/// All that `module` and `emit` look at: whatever they read beside it belongs here, too.
pub fn key(
    program: &Program,
    tapes: &[&Tape],
    routines: &BTreeSet<u32>,
    fields: &[&Field],
    isa: &dyn TargetIsa,
) -> Option<Vec<u8>> {
    let mut record = Record(Vec::new());
    this_program()?.hash(&mut record);
    (isa.triple().to_string(), isa.flags().to_string()).hash(&mut record);
    isa.isa_flags().iter().for_each(|flag| flag.to_string().hash(&mut record));
    program.memory.tapes.hash(&mut record);
    program.memory.slots.hash(&mut record);
    record.list(tapes.len());
    tapes.iter().for_each(|tape| record.tape(program, tape));
    record.list(fields.len());
    for field in fields {
        (field.time, &field.states, &field.results).hash(&mut record);
        record.tape(program, &field.tape);
    }
    record.list(routines.len());
    for &number in routines {
        let routine = &program.memory.routines.list[number as usize];
        (number, &routine.slots, &routine.inputs, &routine.outputs).hash(&mut record);
        record.tape(program, &routine.tape);
    }
    Some(record.0)
}

/// Which build of Kairos this is. Its file changes with every build, its version does not; where all files have the same time,
/// different builds have different places.
fn this_program() -> Option<(PathBuf, u64, u128)> {
    let path = std::env::current_exe().ok()?;
    let file = path.metadata().ok()?;
    let since = file.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some((path, file.len(), since.as_nanos()))
}

/// Takes down what would be hashed.
struct Record(Vec<u8>);

impl Hasher for Record {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

impl Record {
    fn list(&mut self, length: usize) {
        length.hash(self);
    }

    /// A tape, and what its calls read and write.
    fn tape(&mut self, program: &Program, tape: &Tape) {
        (tape.id, &tape.ops).hash(self);
        for &op in &tape.ops {
            if let Op::Invoke { .. } | Op::Call { .. } | Op::CallTangent { .. } | Op::Evaluate { .. } = op {
                let traffic = traffic(program, op);
                (traffic.reads, traffic.writes).hash(self);
            }
            if let Op::Invoke { site } = op {
                let invocation = &program.memory.routines.invocations[site as usize];
                (invocation.routine, &invocation.arguments, &invocation.outputs).hash(self);
            }
        }
    }
}
