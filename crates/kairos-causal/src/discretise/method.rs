//! The solver methods of discretised partitions (MLS 16.8.2) as tables of stages and weights.

/// What a state moves along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slope {
    /// The derivative at the last tick.
    Before,
    /// The derivative in a stage between the ticks.
    Stage(usize),
    /// The derivative at this tick, which makes the method implicit.
    Now,
}

/// A sum of slopes.
pub type Weights = Vec<(Slope, f64)>;

/// An evaluation of the equations between the last tick and this one.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Its place as a share of the interval.
    pub at: f64,
    pub weights: Weights,
}

/// A step from tick to tick; states at this tick are those at the last one plus the interval times the weights.
#[derive(Clone, Debug)]
pub struct Method {
    pub stages: Vec<Stage>,
    pub weights: Weights,
}

/// The names that `solverMethod` may have.
pub const NAMES: [&str; 6] = [
    "External",
    "ExplicitEuler",
    "ExplicitMidPoint2",
    "ExplicitRungeKutta4",
    "ImplicitEuler",
    "ImplicitTrapezoid",
];

impl Method {
    pub fn named(name: &str) -> Option<Method> {
        use Slope::{Before, Now};
        let (first, second, third) = (Slope::Stage(0), Slope::Stage(1), Slope::Stage(2));
        let stage = |at: f64, weights: &[(Slope, f64)]| Stage { at, weights: weights.to_vec() };
        let (stages, weights) = match name {
            "ExplicitEuler" => (vec![], vec![(Before, 1.0)]),
            "ExplicitMidPoint2" => (vec![stage(0.5, &[(Before, 0.5)])], vec![(first, 1.0)]),
            "ExplicitRungeKutta4" => (
                vec![stage(0.5, &[(Before, 0.5)]), stage(0.5, &[(first, 0.5)]), stage(1.0, &[(second, 1.0)])],
                vec![(Before, 1.0 / 6.0), (first, 1.0 / 3.0), (second, 1.0 / 3.0), (third, 1.0 / 6.0)],
            ),
            "ImplicitEuler" => (vec![], vec![(Now, 1.0)]),
            "ImplicitTrapezoid" => (vec![], vec![(Before, 0.5), (Now, 0.5)]),
            // The method of the environment is Radau IIA with three stages: order five, and what decays faster than the
            // clock ticks is gone after a step. Its last stage is the tick itself.
            "External" => {
                let root = 6f64.sqrt();
                let row = |a: f64, b: f64, c: f64| vec![(first, a), (second, b), (Now, c)];
                let stages = vec![
                    Stage {
                        at: (4.0 - root) / 10.0,
                        weights: row(
                            (88.0 - 7.0 * root) / 360.0,
                            (296.0 - 169.0 * root) / 1800.0,
                            (-2.0 + 3.0 * root) / 225.0,
                        ),
                    },
                    Stage {
                        at: (4.0 + root) / 10.0,
                        weights: row(
                            (296.0 + 169.0 * root) / 1800.0,
                            (88.0 + 7.0 * root) / 360.0,
                            (-2.0 - 3.0 * root) / 225.0,
                        ),
                    },
                ];
                (stages, row((16.0 - root) / 36.0, (16.0 + root) / 36.0, 1.0 / 9.0))
            }
            _ => return None,
        };
        Some(Method { stages, weights })
    }
}

#[cfg(test)]
mod tests {
    use super::{Method, NAMES, Slope};

    /// Each row of weights integrates a constant over its share of the interval exactly, and the last row of a method
    /// of second order or more also what grows linearly: the sum of weights times places is one half.
    #[test]
    fn tables_are_consistent() {
        for name in NAMES {
            let method = Method::named(name).expect("every listed name is known");
            let at = |slope: Slope| match slope {
                Slope::Before => 0.0,
                Slope::Stage(k) => method.stages[k].at,
                Slope::Now => 1.0,
            };
            let total = |weights: &[(Slope, f64)]| weights.iter().map(|(_, w)| w).sum::<f64>();
            for stage in &method.stages {
                assert!((total(&stage.weights) - stage.at).abs() < 1e-15, "{name}");
            }
            assert!((total(&method.weights) - 1.0).abs() < 1e-15, "{name}");
            let first_moment: f64 = method.weights.iter().map(|&(slope, w)| w * at(slope)).sum();
            assert!(name.ends_with("Euler") || (first_moment - 0.5).abs() < 1e-15, "{name}");
        }
    }
}
