//! Indices of Sobol: how much of the variance of an outcome each parameter explains, alone and with all others.
//!
//! Idea: two independent samples A and B of all parameters, and for each parameter the sample A with the column of that parameter
//! from B. What A and the crossed sample have in common is all but one parameter; what B and the crossed one have in common is that one.
//! Cost: N (d + 2) runs for N points and d parameters.
//! Literature: Saltelli and others, Variance based sensitivity analysis of model output, Computer Physics Communications 181 (2010):
//! first order by (b) of their table 2, total by (f), which is Jansen's.

use super::random::Random;

/// The indices of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Index {
    /// The part of the variance that the parameter explains alone.
    pub first: f64,
    /// The part that it has a share in.
    pub total: f64,
    /// Half of the widths of 95 % intervals, by resampling the points.
    pub confidence: (f64, f64),
}

/// The coordinates of all runs from those of `2 d` dimensions: for each point A, then the crossed ones by parameter, then B.
pub(super) fn crossed(parts: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let d = parts.len() / 2;
    let one = |k: usize| {
        let points = parts[k].iter().zip(&parts[d + k]);
        points.flat_map(move |(&a, &b)| {
            let middle = (0..d).map(move |crossed| if crossed == k { b } else { a });
            std::iter::once(a).chain(middle).chain(std::iter::once(b))
        })
    };
    (0..d).map(|k| one(k).collect()).collect()
}

/// How often the points are drawn again for the intervals.
const RESAMPLES: usize = 200;

/// The indices of all parameters from the outcomes of all runs, in the order of the plan; points with a run that failed (NaN) do not
/// count. The number is that of the points that do. An outcome that does not vary has the indices 0.
pub fn indices(outcomes: &[f64], parameters: usize) -> (Vec<Index>, usize) {
    let points: Vec<&[f64]> =
        outcomes.chunks_exact(parameters + 2).filter(|runs| runs.iter().all(|v| v.is_finite())).collect();
    let n = points.len();
    let mut random = Random::new(1);
    let found = estimated(&points, parameters);
    let mut again: Vec<Vec<(f64, f64)>> = Vec::new();
    if n > 1 {
        let mut drawn = points.clone();
        for _ in 0..RESAMPLES {
            drawn.iter_mut().for_each(|point| *point = points[random.below(n as u64) as usize]);
            again.push(estimated(&drawn, parameters));
        }
    }
    let spread = |of: &dyn Fn(&(f64, f64)) -> f64, k: usize| {
        let count = again.len().max(1) as f64;
        let mean = again.iter().map(|all| of(&all[k])).sum::<f64>() / count;
        1.96 * (again.iter().map(|all| (of(&all[k]) - mean).powi(2)).sum::<f64>() / count).sqrt()
    };
    let list = found.iter().enumerate().map(|(k, &(first, total))| Index {
        first,
        total,
        confidence: (spread(&|pair| pair.0, k), spread(&|pair| pair.1, k)),
    });
    (list.collect(), n)
}

/// First and total index of each parameter.
fn estimated(points: &[&[f64]], parameters: usize) -> Vec<(f64, f64)> {
    let n = points.len().max(1) as f64;
    let both = points.iter().flat_map(|runs| [runs[0], runs[parameters + 1]]);
    let mean = both.clone().sum::<f64>() / (2.0 * n);
    let variance = both.map(|v| (v - mean).powi(2)).sum::<f64>() / (2.0 * n);
    // Differences of round-off are no variance.
    if variance <= (1e-14 * mean).powi(2) {
        return vec![(0.0, 0.0); parameters];
    }
    let of = |k: usize| {
        let sums = points.iter().fold((0.0, 0.0), |(first, total), runs| {
            let (a, crossed, b) = (runs[0] - mean, runs[1 + k] - mean, runs[parameters + 1] - mean);
            (first + b * (crossed - a), total + (a - crossed).powi(2))
        });
        (sums.0 / n / variance, sums.1 / (2.0 * n) / variance)
    };
    (0..parameters).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Design, Plan, Variation};
    use super::*;

    fn of(function: impl Fn(&[f64]) -> f64, d: usize, base: u64, design: Design) -> Vec<Index> {
        let vary = |k| Variation::parse(&format!("x{k}=uniform(-3.141592653589793,3.141592653589793)"));
        let plan =
            Plan::for_indices((0..d).map(|k| vary(k).expect("ok")).collect(), base, design, 3).expect("plan");
        let point = |k| plan.point(k).iter().map(|v| v.number().expect("number")).collect::<Vec<f64>>();
        let outcomes: Vec<f64> = (0..plan.count).map(|k| function(&point(k))).collect();
        indices(&outcomes, d).0
    }

    #[test]
    fn the_function_of_ishigami_has_the_indices_of_its_closed_form() {
        let (a, b, pi) = (7.0_f64, 0.1_f64, std::f64::consts::PI);
        let ishigami = |x: &[f64]| x[0].sin() + a * x[1].sin().powi(2) + b * x[2].powi(4) * x[0].sin();
        let alone = 0.5 * (1.0 + b * pi.powi(4) / 5.0).powi(2);
        let second = a * a / 8.0;
        let joint = b * b * pi.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
        let whole = alone + second + joint;
        let wanted = [(alone, alone + joint), (second, second), (0.0, joint)];
        for (design, within) in
            [(Design::Sobol, 0.01), (Design::LatinHypercube, 0.05), (Design::Random, 0.08)]
        {
            for (index, (first, total)) in of(ishigami, 3, 4096, design).iter().zip(wanted) {
                assert!(
                    (index.first - first / whole).abs() < within,
                    "{design:?} {index:?}: {}",
                    first / whole
                );
                assert!(
                    (index.total - total / whole).abs() < within,
                    "{design:?} {index:?}: {}",
                    total / whole
                );
                assert!(index.confidence.0 < 0.15 && index.confidence.1 < 0.15);
            }
        }
    }

    #[test]
    fn what_does_not_vary_has_no_indices_and_failures_do_not_count() {
        let constant = of(|_| 5.0, 2, 64, Design::Sobol);
        assert!(constant.iter().all(|index| index.first == 0.0 && index.total == 0.0));
        let (list, points) = indices(&[1.0, 2.0, 3.0, f64::NAN, 1.0, 2.0, 0.0, 1.0, 2.0], 1);
        assert_eq!((list.len(), points), (1, 2));
    }
}
