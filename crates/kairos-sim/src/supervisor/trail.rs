//! Following nonlinear systems along a step, so that those with several solutions stay with theirs.

use kairos_machine::Eval;

/// A stretch is divided into at most so many strides.
const STRIDES: u32 = 64;
/// Unknowns that differ by less, relatively, are the same.
const SAME: f64 = 1e-6;

/// Points of a step with the unknowns of the nonlinear systems there.
#[derive(Clone)]
pub(super) struct Trail {
    points: Vec<(f64, Vec<f64>)>,
}

impl Trail {
    pub fn new(time: f64, guesses: &[f64]) -> Self {
        Self { points: vec![(time, guesses.to_vec())] }
    }

    /// Goes to a point from the nearest known one before it, in ever shorter strides until they make no difference.
    /// `evaluate` takes a time and guesses, and gives what it found.
    pub fn follow(
        &mut self,
        time: f64,
        evaluate: &mut dyn FnMut(f64, &[f64], &mut Vec<f64>) -> Eval,
    ) -> Eval {
        let before = self.points.iter().filter(|(at, _)| *at <= time);
        let Some((from, start)) = before.max_by(|a, b| a.0.total_cmp(&b.0)) else { return Ok(()) };
        let mut last: Option<Vec<f64>> = None;
        let mut strides = 1;
        loop {
            let (mut guesses, mut found) = (start.clone(), Vec::new());
            for k in 1..=strides {
                let part = f64::from(k) / f64::from(strides);
                let at = if k == strides { time } else { from + (time - from) * part };
                evaluate(at, &guesses, &mut found)?;
                std::mem::swap(&mut guesses, &mut found);
            }
            let settled = last.is_some_and(|last| same(&last, &guesses)) || *from == time;
            if settled || strides == STRIDES {
                self.points.push((time, guesses));
                return Ok(());
            }
            last = Some(guesses);
            strides *= 2;
        }
    }
}

fn same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME * a.abs().max(b.abs()).max(1e-12))
}
