//! One linear equation solved within a tape, so that native code need not come back for it.

use crate::program::Memory;
use crate::tangent::Tangent;
use crate::tape::{Op, Slot, Tape};
use kairos_expr::{BinOp, UnOp};

/// Longer equations are not written out several times.
const LONGEST: usize = 200;

/// The tape that solves for `x` as `Frame::solve` does, from zero and with one refinement, and the slot that tells
/// whether there is a solution. Where there is none, `x` is as it was.
pub fn closed(
    memory: &mut Memory,
    x: Slot,
    residual: Slot,
    tape: &Tape,
    tangent: &Tangent,
) -> Option<(Tape, Slot)> {
    let (&[seed], &[factor]) = (tangent.seeds.as_slice(), tangent.outputs.as_slice()) else { return None };
    if tape.ops.len() + tangent.tape.ops.len() > LONGEST {
        return None;
    }
    let (zero, one) = (memory.constant(0.0), memory.constant(1.0));
    let [start, step, test] = [(); 3].map(|()| memory.slots.scratch());
    let solved = memory.temporary();
    let mut ops =
        vec![Op::Copy { to: start, a: x }, Op::Copy { to: x, a: zero }, Op::Copy { to: seed, a: one }];
    tangent.tape.append(&mut ops, &mut |slot| slot);
    tape.append(&mut ops, &mut |slot| slot);
    ops.extend([
        Op::Copy { to: seed, a: zero },
        Op::Binary { op: BinOp::Div, to: step, a: residual, b: factor },
        Op::Unary { op: UnOp::Neg, to: x, a: step },
    ]);
    tape.append(&mut ops, &mut |slot| slot);
    ops.extend([
        Op::Binary { op: BinOp::Div, to: step, a: residual, b: factor },
        Op::Binary { op: BinOp::Sub, to: x, a: x, b: step },
    ]);
    tape.append(&mut ops, &mut |slot| slot);
    // Anything that is not finite differs from itself when taken from itself. The residual alone does not tell: a branch
    // may leave the unknown out.
    ops.extend([
        Op::Binary { op: BinOp::Sub, to: test, a: residual, b: residual },
        Op::Binary { op: BinOp::Sub, to: step, a: x, b: x },
        Op::Binary { op: BinOp::Add, to: test, a: test, b: step },
        Op::Binary { op: BinOp::Eq, to: solved, a: test, b: zero },
        Op::Unary { op: UnOp::Not, to: test, a: solved },
    ]);
    let end = ops.len() as u32 + 2;
    ops.extend([Op::JumpUnless { condition: test, target: end }, Op::Copy { to: x, a: start }]);
    Some((memory.tape(ops), solved))
}
