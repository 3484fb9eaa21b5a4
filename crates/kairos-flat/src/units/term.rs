//! Units with unknowns, and the unifier that makes two of them equal.
//!
//! A term is a known unit times powers of unknown ones: `m/s * u1 * u2^-1`. Making two terms equal is a linear equation in
//! exponents; it is solved for one unknown, which from then on stands for the rest (Kennedy's dimension types, 1996). No unknown
//! is ever solved for twice, so a solved unknown is replaced until none is left, and terms stay short.

use kairos_base::Span;
use kairos_units::{DENOMINATOR, Dimension};

/// A term with more unknowns than this is given up: nobody could follow a message about it.
const MAX_UNKNOWNS: usize = 12;

#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    pub dimension: Dimension,
    /// How many SI units one of it is; not a number where literals may have changed it.
    pub factor: f64,
    /// Unknowns with exponents in sixtieths, ascending.
    pub unknowns: Vec<(u32, i32)>,
    /// A declared unit is part of it. Where there is none, units are nobody's concern: `der(x) = -x` is no mistake.
    pub declared: bool,
}

impl Term {
    pub const ONE: Term =
        Term { dimension: Dimension::NONE, factor: 1.0, unknowns: Vec::new(), declared: false };

    /// The unit of a declaration.
    pub fn declared(dimension: Dimension, factor: f64) -> Term {
        Term { dimension, factor, unknowns: Vec::new(), declared: true }
    }

    /// The unit of time, which nobody declared.
    pub fn second() -> Term {
        Term { dimension: Dimension::SECOND, ..Term::ONE }
    }

    pub fn is_one(&self) -> bool {
        self.dimension.is_none() && self.unknowns.is_empty()
    }

    /// `self * other^(exponent / 60)`, where exponents stay multiples of a sixtieth.
    pub fn times(&self, other: &Term, exponent: i32) -> Option<Term> {
        let dimension = self.dimension.times(&other.dimension, exponent)?;
        let factor = self.factor * other.factor.powf(f64::from(exponent) / f64::from(DENOMINATOR));
        let declared = self.declared || other.declared;
        if other.unknowns.is_empty() {
            return Some(Term { dimension, factor, unknowns: self.unknowns.clone(), declared });
        }
        let mut unknowns = self.unknowns.clone();
        for &(u, e) in &other.unknowns {
            let part = e.checked_mul(exponent).filter(|p| p % DENOMINATOR == 0)? / DENOMINATOR;
            match unknowns.binary_search_by_key(&u, |(v, _)| *v) {
                Ok(at) => {
                    unknowns[at].1 += part;
                    if unknowns[at].1 == 0 {
                        unknowns.remove(at);
                    }
                }
                Err(at) => unknowns.insert(at, (u, part)),
            }
        }
        (unknowns.len() <= MAX_UNKNOWNS).then_some(Term { dimension, factor, unknowns, declared })
    }

    pub fn power(&self, exponent: i32) -> Option<Term> {
        Term::ONE.times(self, exponent)
    }
}

/// How a comparison of two terms ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    Same,
    /// Other dimensions.
    Dimension,
    /// The same dimension, but another scale, as `bar` and `Pa`.
    Scale,
}

#[derive(Default)]
pub struct Solver {
    solved: Vec<Option<Term>>,
    /// Where an unknown was solved.
    places: Vec<Option<Span>>,
    /// What was there before each change since inference became tentative.
    trail: Vec<(u32, Option<Term>)>,
    tentative: usize,
}

impl Solver {
    pub fn fresh(&mut self) -> Term {
        self.solved.push(None);
        self.places.push(None);
        Term { unknowns: vec![(self.solved.len() as u32 - 1, DENOMINATOR)], ..Term::ONE }
    }

    pub fn place(&self, unknown: u32) -> Option<Span> {
        self.places[unknown as usize]
    }

    /// What is solved from now on holds until `end_tentative`.
    pub fn begin_tentative(&mut self) -> usize {
        self.tentative += 1;
        self.trail.len()
    }

    pub fn end_tentative(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some((unknown, before)) = self.trail.pop() else { break };
            self.solved[unknown as usize] = before;
        }
        self.tentative -= 1;
    }

    fn set(&mut self, unknown: u32, value: Term) {
        let before = self.solved[unknown as usize].replace(value);
        if self.tentative > 0 {
            self.trail.push((unknown, before));
        }
    }

    /// The term without solved unknowns.
    pub fn resolve(&mut self, term: &Term) -> Option<Term> {
        let mut term = term.clone();
        while let Some(&(u, e)) = term.unknowns.iter().find(|(u, _)| self.solved[*u as usize].is_some()) {
            let value = self.solved[u as usize].clone()?;
            let value = self.resolve(&value)?;
            self.set(u, value.clone());
            term.unknowns.retain(|(v, _)| *v != u);
            term = term.times(&value, e)?;
        }
        Some(term)
    }

    /// Makes two terms equal, solving for an unknown where there is one. A comparison that cannot be made agrees.
    pub fn unify(&mut self, a: &Term, b: &Term, span: Span) -> Agreement {
        let (Some(a), Some(b)) = (self.resolve(a), self.resolve(b)) else { return Agreement::Same };
        let Some(ratio) = a.times(&b, -DENOMINATOR) else { return Agreement::Same };
        if ratio.unknowns.is_empty() {
            return match (ratio.dimension.is_none(), ratio.factor) {
                _ if !(a.declared && b.declared) => Agreement::Same,
                (false, _) => Agreement::Dimension,
                // A factor that is not a number is not known.
                (true, f) if (f - 1.0).abs() > 1e-6 => Agreement::Scale,
                _ => Agreement::Same,
            };
        }
        // The youngest unknown, so that the names of declarations outlive those of calls.
        for at in (0..ratio.unknowns.len()).rev() {
            let (u, e) = ratio.unknowns[at];
            if (DENOMINATOR * DENOMINATOR) % e != 0 {
                continue;
            }
            let mut rest = ratio.clone();
            rest.unknowns.remove(at);
            if let Some(value) = rest.power(-DENOMINATOR * DENOMINATOR / e) {
                self.set(u, value);
                self.places[u as usize] = Some(span);
                break;
            }
        }
        Agreement::Same
    }
}
