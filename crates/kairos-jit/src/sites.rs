//! What the calls out of native code read and write in the memory.

use kairos_program::Program;
use kairos_program::tape::{Argument, Destination, Op, Slot};

/// Slots that an operation reads through the memory, and those that it writes there.
#[derive(Default)]
pub struct Traffic {
    pub reads: Vec<Slot>,
    pub writes: Vec<Slot>,
}

/// The traffic of an operation that is done by Rust.
pub fn traffic(program: &Program, op: Op) -> Traffic {
    let memory = &program.memory;
    let mut traffic = Traffic::default();
    match op {
        Op::Call { site } => call(program, site, &mut traffic),
        Op::CallTangent { site } => tangent(program, site, &mut traffic),
        Op::Evaluate { site } => {
            if let Destination::Number(slot) = memory.evaluations[site as usize].to {
                traffic.writes.push(slot);
            }
        }
        Op::Invoke { site } => {
            let invocation = &memory.routines.invocations[site as usize];
            if let Some(fallback) = invocation.fallback {
                call(program, fallback.call, &mut traffic);
                if let Some(site) = fallback.tangent {
                    tangent(program, site, &mut traffic);
                }
            }
        }
        _ => {}
    }
    traffic
}

fn call(program: &Program, site: u32, traffic: &mut Traffic) {
    let site = &program.memory.calls[site as usize];
    site.arguments.iter().for_each(|a| numbers(a, &mut traffic.reads));
    traffic.writes.extend(site.outputs.iter().map(|(_, slot)| *slot));
}

fn tangent(program: &Program, site: u32, traffic: &mut Traffic) {
    let site = &program.memory.tangents[site as usize];
    let call = &program.memory.calls[site.call as usize];
    call.arguments.iter().for_each(|a| numbers(a, &mut traffic.reads));
    traffic.reads.extend(call.outputs.iter().map(|(_, slot)| *slot));
    traffic.reads.extend(site.inputs.iter().flat_map(|&(slot, tangent)| [slot, tangent]));
    traffic.writes.extend(&site.outputs);
}

fn numbers(argument: &Argument, out: &mut Vec<Slot>) {
    match argument {
        Argument::Number(slot, _) => out.push(*slot),
        Argument::Array(_, items) | Argument::Record(_, items) => {
            items.iter().for_each(|item| numbers(item, out));
        }
        Argument::Text(_) | Argument::Other(_) | Argument::Result(_) | Argument::Expression(_) => {}
    }
}

/// Every slot that an operation touches.
pub fn touched(program: &Program, op: Op, visit: &mut dyn FnMut(Slot)) {
    let mut copy = op;
    kairos_program::tape::Tape::rename(&mut copy, &mut |slot| {
        visit(slot);
        slot
    });
    let traffic = traffic(program, op);
    traffic.reads.into_iter().chain(traffic.writes).for_each(&mut *visit);
    if let Op::Invoke { site } = op {
        let invocation = &program.memory.routines.invocations[site as usize];
        invocation.arguments.iter().chain(&invocation.outputs).for_each(|&slot| visit(slot));
    }
}
