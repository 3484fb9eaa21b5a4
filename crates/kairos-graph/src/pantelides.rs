//! Pantelides' algorithm: how often each equation must be differentiated to reach index one.

use crate::{Incidence, Matching, Singular};

/// The outcome: original equations and variables keep their numbers, derivatives are appended.
#[derive(Clone, Debug, Default)]
pub struct IndexReduction {
    /// How often each original equation is differentiated.
    pub differentiations: Vec<u32>,
    /// The derivative of each equation, for original and appended ones.
    pub equation_derivative: Vec<Option<u32>>,
    /// The derivative of each variable, for original and appended ones.
    pub variable_derivative: Vec<Option<u32>>,
    /// Structural incidence of all equations, the appended ones included.
    pub incidence: Vec<Vec<u32>>,
    /// The highest derivative that each most differentiated equation is matched to.
    pub assignment: Vec<Option<u32>>,
}

/// Differentiates minimal singular subsets until the highest derivatives can all be matched.
///
/// `incidence` lists for each equation the variables in it, derivatives being variables of their own;
/// `derivative` maps a variable to its derivative where that is one of the variables.
/// It fails when no differentiation can help: then the set has more equations than unknowns (counted as the
/// undifferentiated variable of each chain).
pub fn pantelides(incidence: &[Vec<u32>], derivative: &[Option<u32>]) -> Result<IndexReduction, Singular> {
    check_solvable(incidence, derivative)?;
    let mut reduction = IndexReduction {
        differentiations: vec![0; incidence.len()],
        equation_derivative: vec![None; incidence.len()],
        variable_derivative: derivative.to_vec(),
        incidence: incidence.to_vec(),
        assignment: Vec::new(),
    };
    let needed = incidence.iter().flatten().map(|&v| v as usize + 1).max().unwrap_or(0);
    if reduction.variable_derivative.len() < needed {
        reduction.variable_derivative.resize(needed, None);
    }

    let mut matching = match_highest(&reduction);
    for original in 0..incidence.len() as u32 {
        let mut equation = original;
        if matching.column_of(equation).is_some()
            || reduction.equation_derivative[equation as usize].is_some()
        {
            continue;
        }
        while let Err(singular) = {
            let highest = &reduction.variable_derivative;
            matching.augment(equation, &reduction.incidence, |_, v| highest[v as usize].is_none())
        } {
            reduction.differentiate(&singular, &mut matching);
            match reduction.equation_derivative[equation as usize] {
                Some(next) => equation = next,
                None => break,
            }
        }
    }
    reduction.finish(&matching, incidence.len());
    Ok(reduction)
}

/// The reduction ends if and only if the equations can be matched to whole derivative chains.
fn check_solvable(incidence: &[Vec<u32>], derivative: &[Option<u32>]) -> Result<(), Singular> {
    let count = incidence.iter().flatten().map(|&v| v as usize + 1).max().unwrap_or(0).max(derivative.len());
    let mut base: Vec<u32> = (0..count as u32).collect();
    // A derivative may have a smaller number than its variable, so walk each chain from its start.
    let mut is_derivative = vec![false; count];
    derivative.iter().flatten().for_each(|&d| is_derivative[d as usize] = true);
    for start in (0..derivative.len()).filter(|&v| !is_derivative[v]) {
        let mut here = start;
        while let Some(Some(next)) = derivative.get(here) {
            base[*next as usize] = start as u32;
            here = *next as usize;
        }
    }
    let rows: Vec<Vec<u32>> = incidence
        .iter()
        .map(|row| {
            let mut row: Vec<u32> = row.iter().map(|&v| base[v as usize]).collect();
            row.sort_unstable();
            row.dedup();
            row
        })
        .collect();
    let graph = Incidence::from_rows(count, &rows);
    let mut matching = Matching::maximum(&graph);
    match (0..rows.len() as u32).find(|&row| matching.column_of(row).is_none()) {
        Some(row) => matching.augment(row, &rows, |_, _| true),
        None => Ok(()),
    }
}

/// A maximum matching of the given equations to variables without derivative, to start from.
fn match_highest(reduction: &IndexReduction) -> Matching {
    let highest = &reduction.variable_derivative;
    let mut graph = Incidence::new(highest.len());
    let mut kept = Vec::new();
    for row in &reduction.incidence {
        kept.clear();
        kept.extend(row.iter().copied().filter(|&v| highest[v as usize].is_none()));
        graph.push_row(&kept);
    }
    Matching::maximum(&graph)
}

impl IndexReduction {
    fn differentiate(&mut self, singular: &Singular, matching: &mut Matching) {
        for &variable in &singular.columns {
            let derivative = self.variable_derivative.len() as u32;
            self.variable_derivative.push(None);
            self.variable_derivative[variable as usize] = Some(derivative);
        }
        for &equation in &singular.rows {
            let derivative = self.incidence.len() as u32;
            let mut row = self.incidence[equation as usize].clone();
            row.extend(
                self.incidence[equation as usize]
                    .iter()
                    .filter_map(|&v| self.variable_derivative[v as usize]),
            );
            row.sort_unstable();
            row.dedup();
            self.incidence.push(row);
            self.equation_derivative.push(None);
            self.equation_derivative[equation as usize] = Some(derivative);
            if let Some(variable) = matching.column_of(equation) {
                matching.clear(equation);
                if let Some(next) = self.variable_derivative[variable as usize] {
                    matching.set(derivative, next);
                }
            }
        }
    }

    fn finish(&mut self, matching: &Matching, originals: usize) {
        for equation in 0..originals {
            let mut here = equation;
            while let Some(next) = self.equation_derivative[here] {
                self.differentiations[equation] += 1;
                here = next as usize;
            }
        }
        self.assignment = (0..self.incidence.len() as u32).map(|row| matching.column_of(row)).collect();
    }
}
