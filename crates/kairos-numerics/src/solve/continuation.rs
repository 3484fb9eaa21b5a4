//! Continuation: a hard problem reached from an easy one in steps that adapt.

/// How far the path was followed and in how many steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Continuation {
    pub steps: usize,
    pub failures: usize,
}

/// Where the path ended and why.
#[derive(Clone, Debug, PartialEq)]
pub struct ContinuationFailure<E> {
    /// The last parameter with a solution; below zero if there is none even for the easy problem.
    pub reached: f64,
    pub cause: E,
}

/// Follows solutions from parameter 0 (easy) to 1 (actual), predicting along the secant.
///
/// `solve` improves `x` to the solution for a parameter; its last call, on success, is for exactly 1.
pub fn continuation<E>(
    x: &mut [f64],
    mut solve: impl FnMut(f64, &mut [f64]) -> Result<(), E>,
) -> Result<Continuation, ContinuationFailure<E>> {
    let mut report = Continuation { steps: 0, failures: 0 };
    let mut trial = x.to_vec();
    if let Err(cause) = solve(0.0, &mut trial) {
        return Err(ContinuationFailure { reached: -1.0, cause });
    }
    let mut before: Vec<f64> = trial.clone();
    x.copy_from_slice(&trial);
    let (mut at, mut last) = (0.0, 0.0);
    let mut step: f64 = 1.0;
    while at < 1.0 {
        let next = (at + step).min(1.0);
        for i in 0..x.len() {
            let slope = if last > 0.0 { (x[i] - before[i]) / last } else { 0.0 };
            trial[i] = x[i] + slope * (next - at);
        }
        match solve(next, &mut trial) {
            Ok(()) if trial.iter().all(|v| v.is_finite()) => {
                before.copy_from_slice(x);
                x.copy_from_slice(&trial);
                last = next - at;
                at = next;
                report.steps += 1;
                step = 2.0 * last;
            }
            Ok(()) => {
                report.failures += 1;
                step *= 0.25;
                if step < 1e-6 {
                    // The caller's own failure explains better than ours: ask again where it must fail.
                    trial.copy_from_slice(x);
                    return match solve(1.0, &mut trial) {
                        Err(cause) => Err(ContinuationFailure { reached: at, cause }),
                        Ok(()) => {
                            x.copy_from_slice(&trial);
                            Ok(report)
                        }
                    };
                }
            }
            Err(cause) => {
                report.failures += 1;
                step = 0.25 * (next - at);
                if step < 1e-6 {
                    return Err(ContinuationFailure { reached: at, cause });
                }
            }
        }
    }
    Ok(report)
}
