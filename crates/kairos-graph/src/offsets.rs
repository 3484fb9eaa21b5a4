//! Differentiations as offsets: whether those found for one system serve another one.

use crate::{Incidence, Matching};

/// Variables and their derivatives, strung together.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    pub count: usize,
    /// The chain of each variable.
    pub of: Vec<u32>,
    /// How often the first variable of its chain is differentiated in each variable.
    pub order: Vec<u32>,
}

/// Numbers the chains; `derivative` maps a variable to its derivative where that is one of the variables.
pub fn chains(derivative: &[Option<u32>]) -> Chains {
    let mut is_derivative = vec![false; derivative.len()];
    derivative.iter().flatten().for_each(|&d| is_derivative[d as usize] = true);
    let mut chains = Chains { count: 0, of: vec![0; derivative.len()], order: vec![0; derivative.len()] };
    for first in (0..derivative.len()).filter(|&v| !is_derivative[v]) {
        let (mut here, mut order) = (Some(first as u32), 0);
        while let Some(at) = here {
            chains.of[at as usize] = chains.count as u32;
            chains.order[at as usize] = order;
            here = derivative[at as usize];
            order += 1;
        }
        chains.count += 1;
    }
    chains
}

/// Do the differentiations found for all of the equations' variables serve if the equations contain `some` of them?
///
/// They do if as many highest derivatives as equations can be solved for. They may be more than the smaller system needs
/// by itself. The highest derivative of a chain is the one that `all` leads to: what is integrated stays the same.
pub fn serves(
    all: &[Vec<u32>],
    some: &[Vec<u32>],
    derivative: &[Option<u32>],
    differentiations: &[u32],
) -> bool {
    let Chains { count, of, order } = chains(derivative);
    let reached = |row: usize, v: u32| order[v as usize] + differentiations[row];
    let mut highest = vec![0; count];
    for (row, variables) in all.iter().enumerate() {
        for &v in variables {
            let top = &mut highest[of[v as usize] as usize];
            *top = (*top).max(reached(row, v));
        }
    }
    let tight = some.iter().enumerate().map(|(row, variables)| {
        let mut columns: Vec<u32> = (variables.iter())
            .filter(|&&v| reached(row, v) == highest[of[v as usize] as usize])
            .map(|&v| of[v as usize])
            .collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    });
    let graph = Incidence::from_rows(count, tight);
    let matching = Matching::maximum(&graph);
    (0..some.len() as u32).all(|row| matching.column_of(row).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_follow_derivatives_in_any_order() {
        let found = chains(&[Some(2), None, None, Some(0)]);
        assert_eq!((found.count, found.of), (2, vec![1, 0, 1, 1]));
        assert_eq!(found.order, [1, 0, 2, 0]);
    }

    // Variables x, der(x), y.
    const DERIVATIVE: [Option<u32>; 3] = [Some(1), None, None];

    #[test]
    fn a_constraint_in_one_mode_is_not_served() {
        // if bound then x = f(t) else der(x) = g; y = x.
        let (all, bound, free) = ([vec![0, 1], vec![0, 2]], [vec![0], vec![0, 2]], [vec![1], vec![0, 2]]);
        assert!(serves(&all, &free, &DERIVATIVE, &[0, 0]));
        assert!(!serves(&all, &bound, &DERIVATIVE, &[0, 0]));
    }

    #[test]
    fn a_mode_that_needs_fewer_differentiations_is_served() {
        // x = f(t); y = if damped then der(x) else 0.
        let (damped, free) = ([vec![0], vec![1, 2]], [vec![0], vec![2]]);
        assert!(serves(&damped, &damped, &DERIVATIVE, &[1, 0]));
        assert!(serves(&damped, &free, &DERIVATIVE, &[1, 0]));
    }
}
