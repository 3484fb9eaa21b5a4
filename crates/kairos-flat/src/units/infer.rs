//! The unit of an expression.
//!
//! Literals have no unit: beside a sum, comparison or branch they take that of the other side, in a product they count as
//! plain numbers. A literal that is no plain number (`9.81`, `1e5`) may well have a unit or convert one, and so may
//! everything that is made of literals and the time alone: nothing is known about a product with these.

use super::term::Term;
use super::{Checker, U};
use kairos_base::Name;
use kairos_expr::{BinOp, Builtin, ExprId, Node, ReduceOp, Scalar, Sub, UnOp};
use kairos_sema::{CompId, DeclaredUnit};
use kairos_units::DENOMINATOR;

/// Expressions deeper than this are left alone.
const MAX_DEPTH: usize = 3000;

impl Checker<'_, '_, '_> {
    pub(super) fn unit(&mut self, e: ExprId) -> U {
        if let Some(known) = self.memo.get(&e) {
            return known.clone();
        }
        if self.depth > MAX_DEPTH {
            return U::Unknown;
        }
        self.depth += 1;
        let unit = self.find(e);
        self.depth -= 1;
        self.memo.insert(e, unit.clone());
        unit
    }

    fn find(&mut self, e: ExprId) -> U {
        match self.x.sema.store.node(e).clone() {
            Node::Real(x) => {
                if is_plain_number(x.get()) {
                    U::Number
                } else {
                    U::Literal
                }
            }
            Node::Int(i) => {
                if is_plain_number(i as f64) {
                    U::Number
                } else {
                    U::Literal
                }
            }
            Node::Iter(_) => U::Number,
            Node::Bool(_) | Node::Str(_) | Node::Enum(..) | Node::Relation(_) => U::Unknown,
            Node::Time => U::Time,
            Node::Var(v) => self.comp(CompId::new(v.index())),
            Node::Local(l) => {
                let known = self.frame.as_ref().and_then(|f| f.locals.get(l.index()).cloned());
                known.unwrap_or(U::Unknown)
            }
            Node::Unary(UnOp::Neg, a) => self.unit(a),
            Node::Unary(UnOp::Not, a) => {
                self.unit(a);
                U::Unknown
            }
            Node::Binary(op, a, b) => self.binary(e, op, a, b),
            Node::If(condition, a, b) => {
                self.unit(condition);
                self.branches(e, a, b)
            }
            Node::Builtin(builtin, args) => self.builtin(e, builtin, &args),
            Node::Call(f, args) => match self.operator_of(f) {
                Some(builtin) => self.builtin(e, builtin, &args),
                None => self.call(f, &args, 0),
            },
            Node::Item(call, k) => match self.x.sema.store.node(call).clone() {
                Node::Call(f, args) => self.call(f, &args, k as usize),
                _ => U::Unknown,
            },
            Node::Field(of, k) => self.field(of, k as usize),
            Node::Record(record, fields) => self.record(e, record, &fields),
            Node::Array(items) => self.array(&items),
            Node::Range(a, step, b) => {
                let parts: Vec<ExprId> = [Some(a), step, Some(b)].into_iter().flatten().collect();
                self.alike(e, &parts)
            }
            Node::Comprehension(body, iters) => {
                iters.iter().for_each(|(_, range)| drop(self.unit(*range)));
                self.unit(body)
            }
            Node::Reduce(op, body, iters) => {
                iters.iter().for_each(|(_, range)| drop(self.unit(*range)));
                let unit = self.unit(body);
                if op == ReduceOp::Product { U::Unknown } else { unit }
            }
            Node::Index(of, subs) => self.index(e, of, &subs),
            Node::CallValue(f, args) => {
                self.unit(f);
                args.iter().for_each(|a| drop(self.unit(*a)));
                U::Unknown
            }
            Node::Partial(_, args) => {
                args.iter().for_each(|(_, a)| drop(self.unit(*a)));
                U::Unknown
            }
        }
    }

    fn binary(&mut self, e: ExprId, op: BinOp, a: ExprId, b: ExprId) -> U {
        match op.scalar() {
            BinOp::Add | BinOp::Sub => self.alike(e, &[a, b]),
            BinOp::Mul => {
                let (a, b) = (self.unit(a), self.unit(b));
                product(a, b, DENOMINATOR)
            }
            BinOp::Div => {
                // Only a one above the line is sure to be no quantity: `1.5/(2*pi*f)` is an inductance.
                let below = self.unit(b);
                let quantity = self.unit(a) == U::Number
                    && below != U::Number
                    && (self.is_open(&below) || self.fraction(a).is_none_or(|x| x.abs() != 1.0));
                let (a, b) = (if quantity { U::Literal } else { self.unit(a) }, below);
                product(a, b, -DENOMINATOR)
            }
            BinOp::Pow => self.power(e, a, b),
            // Functions compare with tolerances and limits of their iterations, whose units nobody cares about.
            op if op.is_relation() && self.frame.is_none() => {
                self.alike(e, &[a, b]);
                U::Unknown
            }
            _ => {
                self.unit(a);
                self.unit(b);
                U::Unknown
            }
        }
    }

    fn power(&mut self, e: ExprId, a: ExprId, b: ExprId) -> U {
        let base = self.unit(a);
        self.unit(b);
        let exponent = match self.x.sema.store.node(b) {
            Node::Real(x) => Some(x.get()),
            Node::Int(i) => Some(*i as f64),
            _ => self.fraction(b),
        };
        match (base, exponent) {
            (U::Term(term), Some(exponent)) => {
                let sixtieths = exponent * f64::from(DENOMINATOR);
                let whole = sixtieths.round();
                if (sixtieths - whole).abs() > 1e-9 || whole.abs() > 1e4 {
                    return if self.closed(&term).is_some_and(|t| t.is_one()) {
                        U::Term(term)
                    } else {
                        U::Unknown
                    };
                }
                term.power(whole as i32).map_or(U::Unknown, U::Term)
            }
            (U::Term(term), None) if self.closed(&term).is_some_and(|t| t.is_one()) => U::Term(Term::ONE),
            // A quantity to the power of a variable has no unit; functions have correlations.
            (U::Term(term), None)
                if self.frame.is_none() && self.is_variable(b) && self.is_settled(&term) =>
            {
                self.pure(e, a, &term)
            }
            (U::Number | U::Literal, _) => U::Literal,
            _ => U::Unknown,
        }
    }

    /// `1/3`, as an exponent.
    fn fraction(&self, e: ExprId) -> Option<f64> {
        let store = &self.x.sema.store;
        let number = |e: ExprId| match store.node(e) {
            Node::Real(x) => Some(x.get()),
            Node::Int(i) => Some(*i as f64),
            Node::Builtin(Builtin::ToReal, args) => match store.node(args[0]) {
                Node::Int(i) => Some(*i as f64),
                _ => None,
            },
            _ => None,
        };
        match store.node(e) {
            Node::Binary(BinOp::Div, a, b) => Some(number(*a)? / number(*b)?),
            Node::Unary(UnOp::Neg, a) => number(*a).map(|x| -x),
            _ => number(e),
        }
    }

    /// Operands that must have the same unit; the result has it, too.
    fn alike(&mut self, e: ExprId, operands: &[ExprId]) -> U {
        let mut known: Option<(ExprId, U)> = None;
        for &operand in operands {
            // `log(p) - log(p0)` is the logarithm of a ratio.
            if let Some(arg) = self.logarithm_of(operand) {
                self.unit(arg);
                self.memo.insert(operand, U::Literal);
            }
            let unit = self.unit(operand);
            known = match known {
                None => Some((operand, unit)),
                Some((first, so_far)) => match (so_far, unit) {
                    (U::Time, U::Time | U::Number | U::Literal) => Some((first, U::Time)),
                    (U::Number | U::Literal, U::Time) => Some((operand, U::Time)),
                    (U::Time, U::Term(b)) => {
                        if !self.agree_inside(e, (first, &Term::second()), (operand, &b)) {
                            return U::Unknown;
                        }
                        Some((first, U::Term(b)))
                    }
                    (U::Term(a), U::Time) => {
                        if !self.agree_inside(e, (first, &a), (operand, &Term::second())) {
                            return U::Unknown;
                        }
                        Some((first, U::Term(a)))
                    }
                    (U::Term(a), U::Term(b)) => {
                        if !self.agree_inside(e, (first, &a), (operand, &b)) {
                            return U::Unknown;
                        }
                        Some((first, U::Term(a)))
                    }
                    // What a known unit is added to has it, too; in functions literals may have changed it.
                    (U::Term(a), U::Unknown) if self.frame.is_none() => Some((first, U::Term(a))),
                    (U::Unknown, U::Term(b)) if self.frame.is_none() => Some((operand, U::Term(b))),
                    (U::Unknown, _) | (_, U::Unknown) => Some((first, U::Unknown)),
                    // Functions add numbers to quantities as their correlations have them.
                    (U::Term(_), _) | (_, U::Term(_)) if self.frame.is_some() => Some((first, U::Unknown)),
                    (U::Term(a), _) => {
                        self.agree_with_one(e, (first, &a), operand);
                        Some((first, U::Term(a)))
                    }
                    (_, U::Term(b)) => {
                        self.agree_with_one(e, (operand, &b), first);
                        Some((operand, U::Term(b)))
                    }
                    (U::Literal, _) | (_, U::Literal) => Some((first, U::Literal)),
                    (U::Number, U::Number) => Some((first, U::Literal)),
                },
            };
        }
        known.map_or(U::Unknown, |(_, unit)| unit)
    }

    /// `x + 1` and `1 - x`: other literals are quantities in the unit of `x`, but a one stands for the whole of something,
    /// which has no unit.
    fn agree_with_one(&mut self, e: ExprId, of: (ExprId, &Term), literal: ExprId) {
        let sum = matches!(self.x.sema.store.node(e), Node::Binary(op, ..) if matches!(op.scalar(), BinOp::Add | BinOp::Sub));
        if sum && self.fraction(literal) == Some(1.0) && self.is_settled(of.1) {
            self.agree_inside(e, of, (literal, &Term { factor: f64::NAN, declared: true, ..Term::ONE }));
        }
    }

    /// Does a unit follow from declarations alone? Where none is declared, units are nobody's concern.
    fn is_settled(&mut self, term: &Term) -> bool {
        self.closed(term).is_some_and(|t| t.declared && t.unknowns.is_empty())
    }

    fn is_variable(&self, e: ExprId) -> bool {
        match self.x.sema.store.node(e) {
            Node::Var(_) => true,
            Node::Unary(UnOp::Neg, a) => self.is_variable(*a),
            _ => false,
        }
    }

    /// The argument, if an expression is a logarithm.
    fn logarithm_of(&mut self, e: ExprId) -> Option<ExprId> {
        let (builtin, arg) = match self.x.sema.store.node(e) {
            Node::Builtin(builtin, args) => (*builtin, *args.first()?),
            Node::Call(f, args) => {
                let (f, arg) = (*f, *args.first()?);
                (self.operator_of(f)?, arg)
            }
            _ => return None,
        };
        matches!(builtin, Builtin::Log | Builtin::Log10).then_some(arg)
    }

    /// The branches of a conditional expression. They say nothing about a unit that is still open: variables that run
    /// along a curve are a voltage in one branch and a current in the other.
    fn branches(&mut self, e: ExprId, a: ExprId, b: ExprId) -> U {
        let (p, q) = (self.unit(a), self.unit(b));
        match (self.is_open(&p), self.is_open(&q)) {
            (false, false) => self.alike(e, &[a, b]),
            (true, false) if matches!(q, U::Term(_)) => q,
            (false, true) if matches!(p, U::Term(_)) => p,
            _ => U::Unknown,
        }
    }

    /// Does a unit still depend on unknown ones?
    fn is_open(&mut self, unit: &U) -> bool {
        match unit {
            U::Term(term) => self.closed(term).is_none_or(|t| !t.unknowns.is_empty()),
            _ => false,
        }
    }

    fn builtin(&mut self, e: ExprId, builtin: Builtin, args: &[ExprId]) -> U {
        use Builtin as B;
        match builtin {
            B::Sin | B::Cos | B::Tan | B::Sinh | B::Cosh | B::Tanh | B::Exp | B::Asin | B::Acos | B::Atan => {
                match self.unit(args[0]) {
                    U::Term(term) => self.pure(e, args[0], &term),
                    _ => U::Literal,
                }
            }
            // Correlations take logarithms of quantities: `log(p) - log(p0)`.
            B::Log | B::Log10 => match self.unit(args[0]) {
                // Elsewhere equations of a model take them of ratios.
                U::Term(term) if self.frame.is_none() => self.pure(e, args[0], &term),
                U::Term(term) if self.closed(&term).is_some_and(|t| t.is_one()) => U::Number,
                _ => U::Literal,
            },
            B::Atan2 => match self.alike(e, args) {
                U::Term(_) => U::Term(Term::ONE),
                U::Unknown => U::Unknown,
                _ => U::Literal,
            },
            B::Sqrt => match self.unit(args[0]) {
                U::Term(term) => term.power(DENOMINATOR / 2).map_or(U::Unknown, U::Term),
                U::Unknown => U::Unknown,
                _ => U::Literal,
            },
            B::Sign => {
                self.unit(args[0]);
                U::Number
            }
            B::Min2 | B::Max2 | B::Rem | B::Mod | B::Homotopy | B::Linspace => self.alike(e, &args[..2]),
            B::Div => {
                self.alike(e, args);
                U::Number
            }
            B::Der => match self.unit(args[0]) {
                U::Term(term) => term.times(&Term::second(), -DENOMINATOR).map_or(U::Unknown, U::Term),
                _ => U::Unknown,
            },
            B::SemiLinear => {
                let slope = self.alike(e, &args[1..]);
                let x = self.unit(args[0]);
                product(x, slope, DENOMINATOR)
            }
            B::Cross | B::OuterProduct => {
                let (a, b) = (self.unit(args[0]), self.unit(args[1]));
                product(a, b, DENOMINATOR)
            }
            B::Smooth => self.unit(args[1]),
            B::Abs
            | B::Pre
            | B::NoEvent
            | B::Delay
            | B::InStream
            | B::ActualStream
            | B::ClockedSample
            | B::Hold
            | B::Previous
            | B::SubSample
            | B::SuperSample
            | B::ShiftSample
            | B::BackSample
            | B::NoClock
            | B::Sum
            | B::MinOf
            | B::MaxOf
            | B::Transpose
            | B::Symmetric
            | B::Skew
            | B::Diagonal
            | B::Scalar
            | B::Vector
            | B::Matrix
            | B::Promote
            | B::Fill
            | B::ToReal
            | B::Floor
            | B::Ceil => {
                args.iter().skip(1).for_each(|a| drop(self.unit(*a)));
                self.unit(args[0])
            }
            B::Zeros
            | B::Ones
            | B::Identity
            | B::Size
            | B::Ndims
            | B::Cardinality
            | B::Ordinal
            | B::Integer => {
                args.iter().for_each(|a| drop(self.unit(*a)));
                U::Number
            }
            B::Cat => self.array(&args[1..]),
            B::Interval | B::TimeInState => U::Term(Term::second()),
            _ => {
                args.iter().for_each(|a| drop(self.unit(*a)));
                U::Unknown
            }
        }
    }

    /// An array has a unit if all its elements have the same.
    fn array(&mut self, items: &[ExprId]) -> U {
        let mut common: Option<U> = None;
        for &item in items {
            let unit = match self.unit(item) {
                U::Term(term) => self.closed(&term).map_or(U::Unknown, U::Term),
                other => other,
            };
            common = match (common, unit) {
                (None, unit) => Some(unit),
                (Some(U::Number | U::Literal), unit) | (Some(unit), U::Number | U::Literal) => Some(unit),
                (Some(U::Term(a)), U::Term(b)) if a.dimension == b.dimension && a.unknowns == b.unknowns => {
                    Some(U::Term(a))
                }
                _ => Some(U::Unknown),
            };
        }
        common.unwrap_or(U::Unknown)
    }

    /// An element of an array without a unit of its own has one for itself.
    fn index(&mut self, e: ExprId, of: ExprId, subs: &[Sub]) -> U {
        let literal = |sub: &Sub| match sub {
            Sub::At(i) => matches!(self.x.sema.store.node(*i), Node::Int(_)),
            Sub::All => false,
        };
        let (fixed, open) = (subs.iter().all(literal), matches!(self.x.sema.store.node(of), Node::Var(_)));
        for sub in subs {
            if let Sub::At(i) = sub {
                self.unit(*i);
            }
        }
        match (self.unit(of), self.x.sema.store.node(of)) {
            (U::Unknown, Node::Var(v)) if fixed && open => {
                let comp = CompId::new(v.index());
                if !self.is_open_array(comp) {
                    return U::Unknown;
                }
                U::Term(self.elements.entry(e).or_insert_with(|| self.solver.fresh()).clone())
            }
            (U::Unknown, Node::Array(items)) if fixed && subs.len() == 1 => {
                let items = items.clone();
                let Sub::At(i) = subs[0] else { return U::Unknown };
                match self.x.sema.store.node(i) {
                    Node::Int(k) => {
                        let item = usize::try_from(*k - 1).ok().and_then(|k| items.get(k).copied());
                        item.map_or(U::Unknown, |item| self.unit(item))
                    }
                    _ => U::Unknown,
                }
            }
            (unit, _) => unit,
        }
    }

    fn field(&mut self, of: ExprId, k: usize) -> U {
        let whole = self.unit(of);
        let Scalar::Record(record) = self.x.sema.store.ty(of).scalar else { return U::Unknown };
        if let U::Term(_) = whole {
            // Operator records have one unit for all their numbers.
            return whole;
        }
        if let Node::Var(v) = self.x.sema.store.node(of) {
            let comp = CompId::new(v.index());
            let name = self.x.sema.store.record(record).fields[k].0;
            return match self.x.sema.child(comp, name) {
                Some(child) => self.comp(child),
                None => U::Unknown,
            };
        }
        let declared = self.x.sema.field_unit(record, k);
        // What the declaration of a local says about the fields of its record is not known here. But in a record whose other
        // members have units, one without is a number: the matrix of a rotation beside its angular velocity.
        if self.frame.is_some() {
            let count = self.x.sema.store.record(record).fields.len();
            let real = self.x.sema.store.record(record).fields[k].1.scalar == Scalar::Real;
            let number = real
                && declared == DeclaredUnit::Open
                && (0..count).any(|k| matches!(self.x.sema.field_unit(record, k), DeclaredUnit::Text(..)));
            return if number { U::Number } else { U::Unknown };
        }
        self.declared(declared).unwrap_or(U::Unknown)
    }

    fn record(&mut self, e: ExprId, record: kairos_expr::RecordId, fields: &[ExprId]) -> U {
        if self.x.sema.store.record(record).is_operator {
            // The imaginary unit is a number with a name.
            let number = fields.iter().all(|field| self.unit(*field) == U::Number);
            return if number { U::Number } else { self.alike(e, fields) };
        }
        for (k, &field) in fields.iter().enumerate() {
            let unit = self.unit(field);
            let declared = self.x.sema.field_unit(record, k);
            if let (U::Term(given), Some(U::Term(wanted))) = (unit, self.declared(declared)) {
                let name = self.x.sema.store.record(record).fields[k].0;
                self.agree_argument(field, &given, &wanted, name, Name::EMPTY);
            }
        }
        U::Unknown
    }
}

/// The unit of `a * b^(exponent / 60)`.
pub(super) fn product(a: U, b: U, exponent: i32) -> U {
    match (a, b) {
        (U::Time, U::Number | U::Literal | U::Time) | (U::Number | U::Literal, U::Time) => U::Literal,
        (U::Time, b @ U::Term(_)) => product(U::Term(Term::second()), b, exponent),
        (a @ U::Term(_), U::Time) => product(a, U::Term(Term::second()), exponent),
        (U::Term(a), U::Term(b)) => a.times(&b, exponent).map_or(U::Unknown, U::Term),
        (U::Term(a), U::Number) => U::Term(Term { factor: f64::NAN, ..a }),
        (U::Number, U::Term(b)) => {
            b.power(exponent).map_or(U::Unknown, |b| U::Term(Term { factor: f64::NAN, ..b }))
        }
        (U::Number, U::Number) => U::Number,
        (U::Number | U::Literal, U::Number | U::Literal) => U::Literal,
        _ => U::Unknown,
    }
}

/// Does a number count something, or divide it in a few parts, or come from a circle, rather than measure?
pub(super) fn is_plain_number(x: f64) -> bool {
    let few = |x: f64| {
        let parts = x * 12.0;
        x.abs() < 10.0 && (x == 0.0 || parts.abs() > 0.5) && (parts - parts.round()).abs() < 1e-9
    };
    few(x) || few(x / std::f64::consts::PI) || few(x * x)
}
