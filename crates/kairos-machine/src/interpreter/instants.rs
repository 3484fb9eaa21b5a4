//! When relations between time and what stays between events change.

use super::Interpreter;
use crate::machine::Eval;
use kairos_expr::BinOp;
use kairos_program::program::RelationCode;

impl Interpreter {
    /// The first instant at which a relation between time and what stays between events has its other value.
    pub(super) fn next_instant(&mut self, relation: usize) -> Eval<f64> {
        let program = self.program.clone();
        let RelationCode { op, time: Some((tape, slope, rest, literal)), .. } = &program.relations[relation]
        else {
            return Ok(f64::INFINITY);
        };
        let time = program.memory.time;
        let now = self.frame.get(time);
        self.frame.run(&program, tape)?;
        let (slope, rest) = (self.frame.get(*slope), self.frame.get(*rest));
        let held = self.relations[relation];
        let next = -rest / slope;
        // What it comes to in the end it keeps.
        let last = match op {
            BinOp::Lt | BinOp::Le => slope < 0.0,
            BinOp::Gt | BinOp::Ge => slope > 0.0,
            _ => !held,
        };
        if !next.is_finite() || held == last || next < now - 1e-9 * (1.0 + now.abs()) {
            return Ok(f64::INFINITY);
        }
        // The first instant at which the relation, as computed, has its other value.
        let mut found = f64::INFINITY;
        let mut candidate = next.max(now);
        for round in 0..60 {
            if candidate > now {
                self.frame.set(time, candidate);
                self.frame.run(&program, tape)?;
                if (self.frame.get(*literal) != 0.0) != held {
                    found = candidate;
                    break;
                }
            }
            candidate = match round {
                0..8 => candidate.next_up(),
                _ => candidate + candidate.abs().max(1e-300) * f64::EPSILON * f64::from(1u32 << (round / 3)),
            };
        }
        self.frame.set(time, now);
        Ok(found)
    }
}
