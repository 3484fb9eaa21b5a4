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

/// What knows the equations: it is told of each differentiation and says which variables the result contains.
pub trait Differentiate {
    type Error;
    /// `new` is the derivative of the variable `of`.
    fn variable(&mut self, of: u32, new: u32);
    /// `new` is the derivative of the equation `of`; the answer is its incidence, derivatives included.
    ///
    /// It may name a variable that has no number yet: then `fresh(v)` gives the number of the derivative of `v`.
    fn equation(
        &mut self,
        of: u32,
        new: u32,
        fresh: &mut dyn FnMut(u32) -> u32,
    ) -> Result<Vec<u32>, Self::Error>;
}

/// Why there is no reduction.
#[derive(Clone, Debug)]
pub enum Failure<E> {
    /// More equations than unknowns, counted as the undifferentiated variable of each chain.
    Singular(Singular),
    Equation(E),
}

/// An equation that is differentiated more often than this never gains the unknown it waits for.
const MOST: u32 = 20;

/// As `reduce_index` where the derivative of an equation contains all variables and their derivatives.
pub fn pantelides(incidence: &[Vec<u32>], derivative: &[Option<u32>]) -> Result<IndexReduction, Singular> {
    let mut plain = Plain { incidence: incidence.to_vec(), derivative: derivative.to_vec() };
    reduce_index(incidence, derivative, &mut plain).map_err(|failure| match failure {
        Failure::Singular(singular) => singular,
        Failure::Equation(never) => match never {},
    })
}

struct Plain {
    incidence: Vec<Vec<u32>>,
    derivative: Vec<Option<u32>>,
}

impl Differentiate for Plain {
    type Error = std::convert::Infallible;

    fn variable(&mut self, of: u32, new: u32) {
        self.derivative.resize(self.derivative.len().max(new as usize + 1), None);
        self.derivative[of as usize] = Some(new);
    }

    fn equation(&mut self, of: u32, _: u32, _: &mut dyn FnMut(u32) -> u32) -> Result<Vec<u32>, Self::Error> {
        let mut row = self.incidence[of as usize].clone();
        let derivative = |v: &u32| self.derivative.get(*v as usize).copied().flatten();
        row.extend(self.incidence[of as usize].iter().filter_map(derivative));
        row.sort_unstable();
        row.dedup();
        self.incidence.push(row.clone());
        Ok(row)
    }
}

/// Differentiates minimal singular subsets until the highest derivatives can all be matched.
///
/// `incidence` lists for each equation the variables in it, derivatives being variables of their own;
/// `derivative` maps a variable to its derivative where that is one of the variables.
/// It fails when no differentiation can help: then the set has more equations than unknowns.
pub fn reduce_index<D: Differentiate>(
    incidence: &[Vec<u32>],
    derivative: &[Option<u32>],
    rules: &mut D,
) -> Result<IndexReduction, Failure<D::Error>> {
    check_solvable(incidence, derivative).map_err(Failure::Singular)?;
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
    let mut order: Vec<u32> = vec![0; incidence.len()];
    // Last in, first out; equations that lose their unknown come back.
    let mut open: Vec<u32> =
        (0..incidence.len() as u32).rev().filter(|&e| matching.column_of(e).is_none()).collect();
    while let Some(mut equation) = open.pop() {
        while let Some(next) = reduction.equation_derivative[equation as usize] {
            equation = next;
        }
        if matching.column_of(equation).is_some() {
            continue;
        }
        loop {
            let highest = &reduction.variable_derivative;
            let found =
                matching.augment(equation, &reduction.incidence, |_, v| highest[v as usize].is_none());
            let Err(singular) = found else { break };
            if order[equation as usize] >= MOST {
                return Err(Failure::Singular(singular));
            }
            let robbed = reduction.differentiate(&singular, &mut matching, rules)?;
            open.extend(robbed);
            order.resize(reduction.incidence.len(), 0);
            for &row in &singular.rows {
                if let Some(next) = reduction.equation_derivative[row as usize] {
                    order[next as usize] = order[row as usize] + 1;
                }
            }
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
    /// Differentiates a set; returns equations whose unknown is no highest derivative any more.
    fn differentiate<D: Differentiate>(
        &mut self,
        singular: &Singular,
        matching: &mut Matching,
        rules: &mut D,
    ) -> Result<Vec<u32>, Failure<D::Error>> {
        for &variable in &singular.columns {
            let derivative = self.variable_derivative.len() as u32;
            self.variable_derivative.push(None);
            self.variable_derivative[variable as usize] = Some(derivative);
            rules.variable(variable, derivative);
        }
        let mut robbed = Vec::new();
        for &equation in &singular.rows {
            let derivative = self.incidence.len() as u32;
            let variables = &mut self.variable_derivative;
            let row = rules
                .equation(equation, derivative, &mut |v| {
                    if let Some(known) = variables[v as usize] {
                        return known;
                    }
                    let new = variables.len() as u32;
                    variables.push(None);
                    variables[v as usize] = Some(new);
                    robbed.extend(matching.row_of(v));
                    if let Some(row) = matching.row_of(v) {
                        matching.clear(row);
                    }
                    new
                })
                .map_err(Failure::Equation)?;
            self.incidence.push(row);
            self.equation_derivative.push(None);
            self.equation_derivative[equation as usize] = Some(derivative);
        }
        for &equation in &singular.rows {
            let Some(derivative) = self.equation_derivative[equation as usize] else { continue };
            if let Some(variable) = matching.column_of(equation) {
                matching.clear(equation);
                // An annotation may have left the derivative out.
                match self.variable_derivative[variable as usize] {
                    Some(next)
                        if self.incidence[derivative as usize].contains(&next)
                            && matching.row_of(next).is_none() =>
                    {
                        matching.set(derivative, next);
                    }
                    _ => robbed.push(derivative),
                }
            }
        }
        Ok(robbed)
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
