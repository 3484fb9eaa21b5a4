//! Checks units before arrays are taken apart: every equation, binding, connection and function body once (MLS 19).
//!
//! Declared units are known, all others are unknowns that follow from the equations. Each place where two units must
//! agree is an equation between terms (`term.rs`); one that cannot be solved is a mistake, told where it was met,
//! with both sides' units and the declarations they come from.

mod functions;
mod infer;
mod report;
mod term;
mod walk;

use crate::expand::Expander;
use functions::{Frame, Signature};
use kairos_base::hash::{HashMap, HashSet};
use kairos_base::{Diagnostic, Name, Span};
use kairos_expr::{ExprId, FunctionId, Scalar, Value};
use kairos_sema::{CompId, Connect, DeclaredUnit, Eq, Variability, What};
use kairos_units::UnitError;
use term::{Solver, Term};

/// What is known of the unit of an expression.
#[derive(Clone, PartialEq, Debug)]
enum U {
    /// Nothing, and nothing is asked of it.
    Unknown,
    /// A plain number: two, a half, a count.
    Number,
    /// Made of numbers that may have units or convert them.
    Literal,
    /// The time: seconds, but a product with a literal may be anything.
    Time,
    Term(Term),
}

/// A variable with what its declaration gives it.
#[derive(Clone, Copy)]
pub struct Declared {
    pub comp: CompId,
    pub binding: Option<ExprId>,
    pub start: Option<ExprId>,
}

pub struct Checker<'c, 's, 'a> {
    x: &'c mut Expander<'s, 'a>,
    solver: Solver,
    comps: HashMap<CompId, U>,
    /// The variable that an unknown belongs to.
    owners: HashMap<u32, CompId>,
    /// Of the equation being looked at: what a call leaves open is another unit in every equation.
    memo: HashMap<ExprId, U>,
    /// Elements of arrays without a unit.
    elements: HashMap<ExprId, Term>,
    texts: HashMap<Name, U>,
    signatures: HashMap<FunctionId, Option<Signature>>,
    frame: Option<Frame>,
    span: Span,
    depth: usize,
    found: Vec<Diagnostic>,
    places: HashSet<(u32, u32, u32)>,
}

/// Compares the units of all that is given.
pub fn check(x: &mut Expander, declared: &[Declared], equations: [&[Eq]; 2], connects: &[Connect]) {
    let span = x.span;
    let mut checker = Checker {
        x,
        solver: Solver::default(),
        comps: HashMap::default(),
        owners: HashMap::default(),
        memo: HashMap::default(),
        elements: HashMap::default(),
        texts: HashMap::default(),
        signatures: HashMap::default(),
        frame: None,
        span,
        depth: 0,
        found: Vec::new(),
        places: HashSet::default(),
    };
    declared.iter().for_each(|d| checker.declaration(d));
    equations.into_iter().flatten().for_each(|eq| checker.equation(eq));
    connects.iter().for_each(|c| checker.connection(c));
    let found = checker.found;
    x.diagnostics.extend(found);
    x.span = span;
}

impl Checker<'_, '_, '_> {
    /// The unit of a variable, or of an operator record, which has one for all its numbers.
    fn comp(&mut self, comp: CompId) -> U {
        if let Some(known) = self.comps.get(&comp) {
            return known.clone();
        }
        let unit = self.find_comp(comp);
        if let U::Term(term) = &unit
            && let [(unknown, _)] = term.unknowns[..]
        {
            self.owners.entry(unknown).or_insert(comp);
        }
        self.comps.insert(comp, unit.clone());
        unit
    }

    fn find_comp(&mut self, comp: CompId) -> U {
        let c = self.x.sema.comp(comp);
        if let Some(inner) = c.outer {
            return self.comp(inner);
        }
        let (variability, array) = (c.variability, !c.dims.is_empty());
        match c.what {
            What::Variable(Scalar::Real) => {
                let declared = self.x.sema.comp_unit(comp);
                match self.declared(declared) {
                    Some(U::Term(term)) if term.is_one() && variability == Variability::Constant => {
                        self.constant(comp)
                    }
                    Some(unit) => unit,
                    None if variability == Variability::Constant => self.constant(comp),
                    None if array => U::Unknown,
                    None => U::Term(self.solver.fresh()),
                }
            }
            What::Variable(Scalar::Int) => U::Number,
            What::Parts => {
                let ty = self.x.sema.comp_type(comp);
                let Scalar::Record(record) = ty.scalar else { return U::Unknown };
                if !self.x.sema.store.record(record).is_operator {
                    return U::Unknown;
                }
                let parts = self.x.sema.parts(comp);
                let units: Vec<U> = parts.iter().map(|p| self.comp(*p)).collect();
                match &units[..] {
                    [first @ U::Term(a), rest @ ..] => {
                        for other in rest {
                            let U::Term(b) = other else { return U::Unknown };
                            self.solver.unify(a, b, self.span);
                        }
                        first.clone()
                    }
                    [_, ..] if units.iter().all(|u| *u == U::Number) => U::Number,
                    _ => U::Unknown,
                }
            }
            _ => U::Unknown,
        }
    }

    /// A constant without a unit, or with the unit `1`, is a number with a name.
    fn constant(&mut self, comp: CompId) -> U {
        match self.x.sema.comp_value(comp) {
            Ok(Value::Real(x)) if infer::is_plain_number(x) => U::Number,
            _ => U::Literal,
        }
    }

    fn is_open_array(&mut self, comp: CompId) -> bool {
        let c = self.x.sema.comp(comp);
        let real = c.what == What::Variable(Scalar::Real) && c.variability != Variability::Constant;
        real && !c.dims.is_empty() && self.x.sema.comp_unit(comp) == DeclaredUnit::Open
    }

    /// The unit that a declaration gives, if any; one that cannot be read is told and not known.
    fn declared(&mut self, declared: DeclaredUnit) -> Option<U> {
        let (text, span) = match declared {
            DeclaredUnit::Open => return None,
            DeclaredUnit::Several => return Some(U::Unknown),
            DeclaredUnit::Text(text, span) => (text, span),
        };
        if let Some(known) = self.texts.get(&text) {
            return Some(known.clone());
        }
        let unit = match kairos_units::parse(text.as_str()) {
            Ok(unit) => U::Term(Term::declared(unit.dimension, unit.factor)),
            Err(UnitError::Logarithmic) => U::Unknown,
            Err(error) => {
                self.tell(report::unknown_unit(text, &error, span));
                U::Unknown
            }
        };
        self.texts.insert(text, unit.clone());
        Some(unit)
    }

    /// The term with all that is solved.
    fn closed(&mut self, term: &Term) -> Option<Term> {
        self.solver.resolve(term)
    }

    /// One message for one place, however many instances of the class there are.
    fn tell(&mut self, d: Diagnostic) {
        let place = d.labels.first().map_or((0, 0, 0), |l| (l.span.file.0, l.span.start, l.span.end));
        if self.places.insert(place) {
            self.found.push(d);
        }
    }
}
