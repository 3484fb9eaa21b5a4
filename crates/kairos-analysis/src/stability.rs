//! How long the steps of an explicit method with fixed steps may be.
//!
//! Along an eigenvalue `l` of the state matrix a step of length `h` multiplies by the method's polynomial at `h*l`: one that decays in
//! the model must not grow in the steps, so the magnitude of the polynomial is at most one.

use crate::modes::modes;
use kairos::{Machine, Method};

/// More states than this are not asked: eigenvalues of large matrices cost more than the warning is worth.
const MOST: usize = 300;
/// What grows by less than this part in a step is round-off.
const SLACK: f64 = 1e-9;

/// A motion that a method's steps are too long for.
#[derive(Clone, Debug, PartialEq)]
pub struct TooLong {
    /// How fast the motion dies out: the magnitude of its eigenvalue, in 1/s.
    pub rate: f64,
    /// The state that takes part in it most.
    pub state: String,
    /// The longest step with which it does not grow.
    pub longest: f64,
}

/// Asks at the start of a run whether steps of a fixed length make something grow that dies out in the model. `None`: they do not,
/// the method is no explicit one with fixed steps, or it cannot be told.
pub fn too_long(machine: &dyn Machine, method: Method, step: f64, start: f64) -> Option<TooLong> {
    let order = match method {
        Method::Euler => 1,
        Method::Rk2 => 2,
        Method::Rk4 => 4,
        _ => return None,
    };
    let states = machine.info().states.clone();
    let n = states.len();
    if n == 0 || n > MOST {
        return None;
    }
    let mut machine = machine.clone_machine();
    machine.set_time(start);
    machine.initialise().ok()?;
    let derivatives = machine.info().derivatives.clone();
    let mut rows = vec![0.0; n * n];
    machine.partials(&states, &derivatives, &mut rows).ok()?;
    let a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| rows[j * n + i]).collect()).collect();
    if a.iter().flatten().any(|entry| !entry.is_finite()) {
        return None;
    }
    let worst = modes(&a)
        .into_iter()
        .filter(|mode| mode.real < 0.0 && growth(order, step, (mode.real, mode.imaginary)) > 1.0 + SLACK)
        .max_by(|x, y| x.frequency.total_cmp(&y.frequency))?;
    let value = (worst.real, worst.imaginary);
    let (mut stable, mut unstable) = (0.0, step);
    for _ in 0..60 {
        let middle = 0.5 * (stable + unstable);
        if growth(order, middle, value) > 1.0 { unstable = middle } else { stable = middle }
    }
    let strongest = worst.participation.iter().enumerate().max_by(|x, y| x.1.total_cmp(y.1));
    Some(TooLong {
        rate: worst.real.hypot(worst.imaginary),
        state: strongest.map_or(String::new(), |(k, _)| machine.info().state_names[k].clone()),
        longest: stable,
    })
}

/// The magnitude of `1 + z + z²/2 + … + zᵏ/k!` at `z = h*l`.
fn growth(order: u32, h: f64, (real, imaginary): (f64, f64)) -> f64 {
    let z = (h * real, h * imaginary);
    let (mut term, mut sum) = ((1.0, 0.0), (1.0, 0.0));
    for k in 1..=order {
        let by = f64::from(k);
        term = ((term.0 * z.0 - term.1 * z.1) / by, (term.0 * z.1 + term.1 * z.0) / by);
        sum = (sum.0 + term.0, sum.1 + term.1);
    }
    f64::hypot(sum.0, sum.1)
}

#[cfg(test)]
mod tests {
    use super::growth;

    #[test]
    fn the_limits_are_those_of_the_textbooks() {
        // On the negative real axis: 2 for Euler and midpoint, 2.785293563405282 for the classical method.
        for (order, limit) in [(1, 2.0), (2, 2.0), (4, 2.785_293_563_405_282)] {
            assert!(growth(order, limit * 0.999_99, (-1.0, 0.0)) < 1.0);
            assert!(growth(order, limit * 1.000_01, (-1.0, 0.0)) > 1.0);
        }
        // On the imaginary axis: never for the first two, up to 2.828 for the last.
        assert!(growth(1, 0.01, (0.0, 1.0)) > 1.0 && growth(2, 0.1, (0.0, 1.0)) > 1.0);
        assert!(growth(4, 2.828, (0.0, 1.0)) < 1.0 && growth(4, 2.829, (0.0, 1.0)) > 1.0);
    }
}
