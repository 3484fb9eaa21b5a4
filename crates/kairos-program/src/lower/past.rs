//! Operators with a past: `delay` and `spatialDistribution` ask what was recorded at the accepted points.

use super::Lowering;
use crate::tape::{DelaySite, Op, TransportSite};
use kairos_expr::{BinOp, ExprId, Node};

impl Lowering<'_> {
    pub(super) fn delay(&mut self, args: &[ExprId], e: ExprId) {
        let (value, time, to) = (self.slot(args[0]), self.slot(args[1]), self.slot(e));
        let known = self.memory.delays.iter().position(|d| d.expr == args[0] && d.by == args[1]);
        let delay = known.unwrap_or_else(|| {
            let (value, time) = (self.memory.temporary(), self.memory.temporary());
            self.memory.delays.push(DelaySite { expr: args[0], value, by: args[1], time });
            self.memory.delays.len() - 1
        }) as u32;
        self.ops.push(Op::Delay { to, delay, value, time });
    }

    /// One end of a `spatialDistribution`: what enters there, or what comes out.
    pub(super) fn transport(&mut self, args: &[ExprId], e: ExprId) {
        let site = self.transport_site(args);
        let second = self.is_second(args);
        let entering = self.slot(args[usize::from(second)]);
        let opposite = self.slot(args[usize::from(!second)]);
        let (x, forward, initial, to) =
            (self.slot(args[2]), self.slot(args[3]), self.slot(self.at_outlet(args)), self.slot(e));
        let known = self.memory.slots.scratch();
        let start = self.ops.len() as u32;
        // The flow is from the end 0 to the end 1 where the jump is not taken.
        let leave = [
            Op::Transport { to, site: 2 * site + u32::from(second), value: opposite, x },
            Op::Binary { op: BinOp::Eq, to: known, a: to, b: to },
        ];
        let enter = Op::Copy { to, a: entering };
        self.ops.push(Op::JumpUnless { condition: forward, target: start + if second { 7 } else { 3 } });
        let leaves = |ops: &mut Vec<Op>, end: u32| {
            ops.extend(leave);
            let missing = ops.len() as u32 + 2;
            ops.push(Op::JumpUnless { condition: known, target: missing });
            ops.push(Op::Jump { target: end });
            ops.push(Op::Copy { to, a: initial });
        };
        let end = start + 8;
        if second {
            leaves(&mut self.ops, end);
            self.ops.push(Op::Jump { target: end });
            self.ops.push(enter);
        } else {
            self.ops.push(enter);
            self.ops.push(Op::Jump { target: end });
            leaves(&mut self.ops, end);
        }
        debug_assert_eq!(self.ops.len() as u32, end);
    }

    /// What a `spatialDistribution` has at its outlet in the beginning.
    pub(super) fn at_outlet(&self, args: &[ExprId]) -> ExprId {
        let contents = &args[5 + (args.len() - 5) / 2..];
        contents[if self.is_second(args) { contents.len() - 1 } else { 0 }]
    }

    /// Is this the end 1?
    fn is_second(&self, args: &[ExprId]) -> bool {
        matches!(self.store.node(args[4]), Node::Int(1))
    }

    fn transport_site(&mut self, args: &[ExprId]) -> u32 {
        let recorded: Vec<ExprId> = args[..4].iter().chain(&args[5..]).copied().collect();
        let known = self.memory.transports.iter().position(|site| site.args == recorded);
        known.unwrap_or_else(|| {
            let values = recorded.iter().map(|_| self.memory.temporary()).collect();
            self.memory.transports.push(TransportSite { args: recorded, values });
            self.memory.transports.len() - 1
        }) as u32
    }
}
