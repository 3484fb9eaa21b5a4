//! Running code in order, neighbouring pieces of it as one tape.

use crate::machine::Eval;
use crate::run::Frame;
use kairos_program::Program;
use kairos_program::sequence::{Joint, Sequence};

impl Frame {
    #[inline(always)]
    pub fn run_sequence(&mut self, program: &Program, sequence: &Sequence) -> Eval {
        if let [joint] = sequence.joints.as_slice()
            && joint.end - joint.first == sequence.codes.len()
        {
            self.run(program, &joint.tape)?;
            if self.get(joint.done) == joint.all {
                return Ok(());
            }
            return self.run_rest(program, sequence, joint);
        }
        self.run_joints(program, sequence)
    }

    fn run_joints(&mut self, program: &Program, sequence: &Sequence) -> Eval {
        let mut at = 0;
        for joint in &sequence.joints {
            self.run_all(program, &sequence.codes[at..joint.first])?;
            self.run(program, &joint.tape)?;
            self.run_rest(program, sequence, joint)?;
            at = joint.end;
        }
        self.run_all(program, &sequence.codes[at..])
    }

    /// What the tape of some codes has left.
    fn run_rest(&mut self, program: &Program, sequence: &Sequence, joint: &Joint) -> Eval {
        let rest = joint.first + self.get(joint.done) as usize;
        self.run_all(program, &sequence.codes[rest..joint.end])
    }
}
