//! Short routines in place of their calls.

use super::build::Builder;
use super::{Lowered, Part, Refusal};
use crate::tape::{Op, Slot, Tape};
use kairos_base::hash::HashMap;

/// Routines up to this length are copied to where they are called.
const SHORT: usize = 48;

impl Builder<'_> {
    /// Copies the routine's operations here if it is short; `failure` is what to do where it gives up.
    pub fn splice(&mut self, id: u32, arguments: &[Slot], failure: Op) -> Lowered<Option<Part>> {
        let routine = &self.library.list[id as usize];
        let Some(result) = routine.result.clone() else { return Err(Refusal::Size) };
        let nested = failure != Op::GiveUp;
        let refused = |op: &Op| match op {
            Op::Check { .. } | Op::Load { .. } | Op::Store { .. } => true,
            // Where a nested call gives up, only a routine knows how to go on.
            Op::Invoke { .. } => nested,
            _ => false,
        };
        // While it is being built its tape is empty.
        if routine.tape.ops.len() > SHORT
            || routine.outputs.is_empty()
            || routine.tape.ops.iter().any(refused)
        {
            return Ok(None);
        }
        let ops = routine.tape.ops.clone();
        let slots = routine.slots.clone();
        let mut map: HashMap<Slot, Slot> =
            routine.inputs.iter().copied().zip(arguments.iter().copied()).collect();
        let mut place = |work: &mut Self, slot: Slot| match map.get(&slot) {
            Some(&here) => here,
            None => {
                let here = match slots.value(slot) {
                    Some(value) => work.slots.constant(value),
                    None => work.slots.scratch(),
                };
                map.insert(slot, here);
                here
            }
        };
        let start = self.ops.len() as u32;
        let mut gives_up = Vec::new();
        for op in &ops {
            let mut op = *op;
            Tape::rename(&mut op, &mut |slot| place(self, slot));
            match op {
                Op::Jump { target } => op = Op::Jump { target: target + start },
                Op::JumpUnless { condition, target } => {
                    op = Op::JumpUnless { condition, target: target + start };
                }
                Op::Require { condition } => {
                    gives_up.push(self.ops.len());
                    op = Op::JumpUnless { condition, target: 0 };
                }
                Op::GiveUp => {
                    gives_up.push(self.ops.len());
                    op = Op::Jump { target: 0 };
                }
                Op::Invoke { site } => {
                    let mut invocation = self.library.invocations[site as usize].clone();
                    invocation.arguments.iter_mut().for_each(|slot| *slot = place(self, *slot));
                    invocation.outputs.iter_mut().for_each(|slot| *slot = place(self, *slot));
                    op = Op::Invoke { site: self.library.invocation(invocation) };
                }
                _ => {}
            }
            self.push(op)?;
        }
        let part = result.map(&mut |slot, _| place(self, slot));
        if !gives_up.is_empty() {
            let end = self.jump()?;
            for jump in gives_up {
                self.land(jump);
            }
            self.push(failure)?;
            self.land(end);
        }
        Ok(Some(part))
    }
}
