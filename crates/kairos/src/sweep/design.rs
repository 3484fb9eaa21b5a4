//! Designs of samples: how points fill the unit cube.

use super::random::Random;
use super::sobol::Sobol;

/// How points are spread over the ranges of the parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Design {
    /// Each parameter meets each of as many equally likely slices of its spread as there are points once.
    #[default]
    LatinHypercube,
    /// A Sobol sequence, shifted at random digit by digit: even in few dimensions at once, too.
    Sobol,
    /// Independent points (Monte Carlo).
    Random,
}

impl Design {
    /// The names on the command line.
    pub const NAMES: [(&str, Design); 3] =
        [("lhs", Design::LatinHypercube), ("sobol", Design::Sobol), ("random", Design::Random)];

    /// The design of a name.
    pub fn from_name(name: &str) -> Result<Design, String> {
        let found = Design::NAMES.iter().find(|(known, _)| *known == name);
        found
            .map(|(_, design)| *design)
            .ok_or_else(|| format!("there is no design `{name}`: write lhs, sobol or random"))
    }

    /// For each dimension the coordinates of all points, between 0 and 1.
    pub fn parts(self, dimensions: usize, count: usize, seed: u64) -> Result<Vec<Vec<f64>>, String> {
        let mut random = Random::new(seed);
        match self {
            Design::LatinHypercube => {
                let one = |_| {
                    let mut slices: Vec<u64> = (0..count as u64).collect();
                    for at in (1..slices.len()).rev() {
                        slices.swap(at, random.below(at as u64 + 1) as usize);
                    }
                    slices.into_iter().map(|slice| (slice as f64 + random.unit()) / count as f64).collect()
                };
                Ok((0..dimensions).map(one).collect())
            }
            Design::Random => {
                // Point by point, so that a longer sample begins with a shorter one.
                let mut parts = vec![Vec::with_capacity(count); dimensions];
                for _ in 0..count {
                    parts.iter_mut().for_each(|part| part.push(random.unit()));
                }
                Ok(parts)
            }
            Design::Sobol => {
                let mut parts = Vec::with_capacity(dimensions);
                for dimension in 0..dimensions {
                    let sequence = Sobol::new(dimension, &mut random).ok_or_else(|| {
                        let most = Sobol::DIMENSIONS;
                        format!("a Sobol sequence has at most {most} dimensions here, not {dimensions}: use the design lhs")
                    })?;
                    parts.push(sequence.take(count).collect());
                }
                Ok(parts)
            }
        }
    }
}
