//! The converter of `bench/buck` with its modes written by hand: what its switchings cost the integrator alone.

mod roots;

use kairos_numerics::Eval;
use kairos_numerics::integrate::{DormandPrince, Integrator, Ode, Options, Tolerance};
use roots::RootFinder;

const SUPPLY: f64 = 24.0;
const INDUCTANCE: f64 = 5e-4;
const CAPACITANCE: f64 = 1e-4;
const LOAD: f64 = 5.0;
const PERIOD: f64 = 1e-4;
const DUTY: f64 = 0.5;
const ON: f64 = 1e-5;
const OFF: f64 = 1e-5;

/// The switch is closed, or the diode conducts.
struct Buck {
    closed: bool,
}

impl Buck {
    fn node(&self, i: f64) -> f64 {
        match self.closed {
            true => (SUPPLY / ON - i) / (1.0 / ON + OFF),
            false => (OFF * SUPPLY - i) / (1.0 / ON + OFF),
        }
    }

    /// Where the diode is on its curve.
    fn diode(&self, i: f64) -> f64 {
        if self.closed { -self.node(i) } else { -self.node(i) / ON }
    }
}

impl Ode for Buck {
    fn dimension(&self) -> usize {
        2
    }

    fn rhs(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Eval> {
        dx[0] = (self.node(x[0]) - x[1]) / INDUCTANCE;
        dx[1] = (x[0] - x[1] / LOAD) / CAPACITANCE;
        Ok(())
    }
}

fn main() {
    let periods: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let mut buck = Buck { closed: true };
    let tolerance = Tolerance::nominal(1e-6, &[1.0, 1.0]);
    let mut method = DormandPrince::new(&buck, tolerance, Options::default()).expect("an ordinary system");
    let mut roots = RootFinder::new(1);
    let (mut x, mut at) = ([1.8, 12.0], [0.0; 2]);
    let mut switchings = 0u64;
    for half in 0..2 * periods {
        let from = (half / 2) as f64 * PERIOD + (half % 2) as f64 * DUTY * PERIOD;
        let to = match half % 2 {
            0 => from + DUTY * PERIOD,
            _ => (half / 2 + 1) as f64 * PERIOD,
        };
        buck.closed = half % 2 == 0;
        switchings += 1;
        method.restart(from, &x, half > 0);
        roots.reset(from, &[buck.diode(x[0])]);
        while method.time() < to {
            let step = method.step(&mut buck, to).expect("a step");
            let mut watch = |t: f64, z: &mut [f64]| {
                method.interpolate(t, &mut at);
                z[0] = buck.diode(at[0]);
                Ok(())
            };
            let hit = roots.search(step.to, &mut watch).expect("a value");
            assert!(hit.is_none(), "the inductor never runs empty");
        }
        x.copy_from_slice(method.state());
    }
    println!("{switchings} {:.12} {:.12}", x[0], x[1]);
}
