//! Nonlinear and complementarity problems with known solutions.

use kairos_numerics::Eval;
use kairos_numerics::linear::{Dense, Pattern};
use kairos_numerics::solve::*;

struct Plain<F>(usize, F);

impl<F: FnMut(&[f64], &mut [f64]) -> Result<(), Eval>> Nonlinear for Plain<F> {
    fn dimension(&self) -> usize {
        self.0
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), Eval> {
        (self.1)(x, residual)
    }
}

fn solve(
    n: usize,
    x: &mut [f64],
    f: impl FnMut(&[f64], &mut [f64]) -> Result<(), Eval>,
) -> Result<NewtonReport, NewtonFailure> {
    let mut system = Plain(n, f);
    Newton::new(&system, NewtonOptions::default()).unwrap().solve(&mut system, x)
}

#[test]
fn newton_finds_classical_zeros() {
    let mut x = [-1.2, 1.0];
    let report = solve(2, &mut x, |x, r| {
        (r[0], r[1]) = (10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]);
        Ok(())
    })
    .unwrap();
    assert!((x[0] - 1.0).abs() < 1e-12 && (x[1] - 1.0).abs() < 1e-12 && report.iterations < 30, "{report:?}");
    // Damping: plain Newton diverges from here.
    let mut x = [5.0];
    solve(1, &mut x, |x, r| {
        r[0] = x[0].atan();
        Ok(())
    })
    .unwrap();
    assert!(x[0].abs() < 1e-10);
    // Powell's badly scaled function.
    let mut x = [0.0, 1.0];
    solve(2, &mut x, |x, r| {
        r[0] = 1e4 * x[0] * x[1] - 1.0;
        r[1] = (-x[0]).exp() + (-x[1]).exp() - 1.0001;
        Ok(())
    })
    .unwrap();
    assert!((x[1] - 9.106146739866453).abs() < 1e-7, "{x:?}");
}

#[test]
fn newton_retreats_from_where_it_cannot_evaluate() {
    let mut x = [100.0];
    solve(1, &mut x, |x, r| {
        if x[0] <= 0.0 {
            return Err(Eval::Recoverable(1));
        }
        r[0] = x[0].ln();
        Ok(())
    })
    .unwrap();
    assert!((x[0] - 1.0).abs() < 1e-12);
    let mut x = [1.0];
    let failure = solve(1, &mut x, |_, _| Err(Eval::Fatal(5))).unwrap_err();
    assert_eq!(failure, NewtonFailure::Fatal(5));
    let failure = solve(1, &mut x, |x, r| {
        r[0] = x[0] * x[0] + 1.0;
        Ok(())
    })
    .unwrap_err();
    match failure {
        NewtonFailure::Stalled(report) | NewtonFailure::TooManyIterations(report) => {
            assert_eq!(report.worst[0].0, 0)
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        solve(1, &mut x, |_, r| {
            r[0] = f64::NAN;
            Ok(())
        }),
        Err(NewtonFailure::NotFinite { equation: 0, .. })
    ));
}

#[test]
fn newton_accepts_consistent_redundancy_and_refuses_contradictions() {
    let mut x = [0.0, 0.0];
    let report = solve(2, &mut x, |x, r| {
        (r[0], r[1]) = (x[0] + x[1] - 2.0, 2.0 * (x[0] + x[1]) - 4.0);
        Ok(())
    })
    .unwrap();
    assert!(report.rank_deficient && (x[0] - 1.0).abs() < 1e-9 && (x[1] - 1.0).abs() < 1e-9, "{x:?}");
    let failed = solve(2, &mut x, |x, r| {
        (r[0], r[1]) = (x[0] + x[1] - 2.0, 2.0 * (x[0] + x[1]) - 5.0);
        Ok(())
    });
    assert!(failed.is_err());
}

#[test]
fn newton_stays_inside_bounds_and_uses_nominals() {
    let mut system = Plain(1, |x: &[f64], r: &mut [f64]| {
        assert!((0.0..=3.0).contains(&x[0]));
        r[0] = x[0].powi(3) - 8.0;
        Ok(())
    });
    let mut newton = Newton::new(&system, NewtonOptions::default()).unwrap();
    newton.set_bounds(&[0.0], &[3.0]);
    let mut x = [0.1];
    newton.solve(&mut system, &mut x).unwrap();
    assert!((x[0] - 2.0).abs() < 1e-12);
    let mut tiny = Plain(1, |x: &[f64], r: &mut [f64]| {
        r[0] = x[0] * x[0] - 1e-30;
        Ok(())
    });
    let mut newton = Newton::new(&tiny, NewtonOptions::default()).unwrap();
    newton.set_nominal(&[1e-15]);
    let mut x = [3e-14];
    newton.solve(&mut tiny, &mut x).unwrap();
    assert!((x[0] - 1e-15).abs() < 1e-24, "{x:?}");
}

#[test]
fn newton_tells_bad_scaling_from_singularity() {
    let mut system = Plain(2, |x: &[f64], r: &mut [f64]| {
        (r[0], r[1]) = (x[0] + 1e15 * x[1] - 2.0, x[0] - 1e15 * x[1]);
        Ok(())
    });
    let mut newton = Newton::new(&system, NewtonOptions::default()).unwrap();
    newton.set_nominal(&[1.0, 1e-15]);
    let mut x = [0.0, 0.0];
    let report = newton.solve(&mut system, &mut x).unwrap();
    assert!(
        !report.rank_deficient && (x[0] - 1.0).abs() < 1e-12 && (x[1] * 1e15 - 1.0).abs() < 1e-12,
        "{x:?}"
    );
}

#[test]
fn continuation_reaches_what_newton_cannot() {
    // A steep diode in series with a resistor, from a linear one.
    let f = |x: f64, s: f64| (x - 10.0) / 10.0 + (1.0 - s) * x + s * 1e-12 * ((x / 0.025).exp() - 1.0);
    let mut x = [0.0];
    let path = continuation(&mut x, |s, x: &mut [f64]| {
        solve(1, x, |x, r| {
            r[0] = f(x[0], s);
            if r[0].is_finite() { Ok(()) } else { Err(Eval::Recoverable(0)) }
        })
        .map(|_| ())
    })
    .unwrap();
    assert!(f(x[0], 1.0).abs() < 1e-9 && path.steps >= 1);
    let stuck = continuation(&mut [0.0], |s, _: &mut [f64]| if s > 0.5 { Err("too far") } else { Ok(()) })
        .unwrap_err();
    assert!(stuck.cause == "too far" && (0.49..=0.5).contains(&stuck.reached));
}

struct Random(u64);

impl Random {
    fn draw(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }
}

#[test]
fn lemke_solves_positive_definite_and_degenerate_problems() {
    let mut random = Random(77);
    for round in 0..300 {
        let n = 1 + round % 9;
        let mut root = Dense::new(n, n);
        root.data_mut().iter_mut().for_each(|v| *v = random.draw());
        let mut m = Dense::new(n, n);
        for i in 0..n {
            for j in 0..n {
                // Positive definite plus a skew part: not symmetric, still one solution.
                m[(i, j)] = (0..n).map(|k| root[(k, i)] * root[(k, j)]).sum::<f64>();
                m[(i, j)] += match i.cmp(&j) {
                    std::cmp::Ordering::Equal => 0.1,
                    std::cmp::Ordering::Less => 0.5,
                    std::cmp::Ordering::Greater => -0.5,
                };
            }
        }
        // Small integers make ties.
        let q: Vec<f64> = (0..n).map(|_| (3.0 * random.draw()).round()).collect();
        let found = solve_complementarity(&m, &q).unwrap();
        for i in 0..n {
            let w: f64 = q[i] + m.row(i).iter().zip(&found.z).map(|(m, z)| m * z).sum::<f64>();
            assert!(found.z[i] >= 0.0 && w > -1e-9 && (w * found.z[i]).abs() < 1e-8, "{q:?} {found:?}");
            assert!((w - found.w[i]).abs() < 1e-9);
        }
    }
    let none = solve_complementarity(&Dense::from_rows(&[[0.0]]), &[-1.0]);
    assert_eq!(none, Err(NoSolution::Ray));
    assert!(solve_complementarity(&Dense::from_rows(&[[f64::NAN]]), &[-1.0]).is_err());
}

#[test]
fn a_diode_bridge_is_a_mixed_problem() {
    // Source 5 V, resistor 2 Ω, diode in series: current x, diode voltage w = 2 x - 5 + ... with z = x.
    // 0 = x - z; w = 2 x - 5: conducts with 2.5 A.
    let one = Dense::from_rows(&[[1.0]]);
    let (x, found) = solve_mixed(
        &one,
        &Dense::from_rows(&[[-1.0]]),
        &Dense::from_rows(&[[2.0]]),
        &Dense::from_rows(&[[0.0]]),
        &[0.0],
        &[-5.0],
    )
    .unwrap();
    assert!((x[0] - 2.5).abs() < 1e-14 && found.w[0] == 0.0);
}

#[test]
fn modes_are_searched_nearest_first() {
    let target = [true, false, true, true, false];
    let mut modes = [true, true, true, false, false];
    let mut seen = Vec::new();
    let found = search_modes::<()>(&mut modes, 1000, |m| {
        seen.push(m.to_vec());
        Ok(m == target)
    });
    assert!(matches!(found, Ok(ModeSearch::Found { flips: 2, .. })) && modes == target);
    assert_eq!(seen[0], [true, true, true, false, false]);
    let mut count = 0;
    let mut modes = [false; 6];
    let mut all = std::collections::BTreeSet::new();
    let none = search_modes::<()>(&mut modes, 1000, |m| {
        count += 1;
        all.insert(m.to_vec());
        Ok(false)
    });
    assert_eq!(none, Ok(ModeSearch::None { tried: 64 }));
    assert_eq!((count, all.len(), modes), (64, 64, [false; 6]));
    assert_eq!(search_modes::<()>(&mut modes, 5, |_| Ok(false)), Ok(ModeSearch::Exhausted { tried: 5 }));
}

/// Broyden's tridiagonal function, with its pattern.
struct Broyden(Pattern);

impl Nonlinear for Broyden {
    fn dimension(&self) -> usize {
        self.0.columns()
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), Eval> {
        let at = |i: usize| if i < x.len() { x[i] } else { 0.0 };
        for i in 0..x.len() {
            residual[i] = (3.0 - 2.0 * x[i]) * x[i] - at(i.wrapping_sub(1)) - 2.0 * at(i + 1) + 1.0;
        }
        Ok(())
    }

    fn pattern(&self) -> Option<&Pattern> {
        Some(&self.0)
    }
}

#[test]
fn newton_uses_sparsity_and_keeps_factors() {
    let n = 2000u32;
    let entries: Vec<(u32, u32)> =
        (0..n).flat_map(|i| (i.saturating_sub(1)..(i + 2).min(n)).map(move |j| (i, j))).collect();
    let mut system = Broyden(Pattern::from_entries(n as usize, &entries));
    let options = NewtonOptions { keep_factorisation: true, ..NewtonOptions::default() };
    let mut newton = Newton::new(&system, options).unwrap();
    let mut x = vec![-1.0; n as usize];
    let report = newton.solve(&mut system, &mut x).unwrap();
    // Three colours: a Jacobian costs three evaluations, not two thousand.
    assert!(report.jacobians <= 5 && report.evaluations < 30, "{report:?}");
    let mut residual = vec![0.0; n as usize];
    system.residual(&x, &mut residual).unwrap();
    assert!(residual.iter().all(|r| r.abs() < 1e-9));
    x.iter_mut().for_each(|v| *v += 1e-5);
    assert_eq!(newton.solve(&mut system, &mut x).unwrap().jacobians, 0);
}
