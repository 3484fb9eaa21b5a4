//! What is said about units that do not agree.

use super::term::{Agreement, Term};
use super::{Checker, U};
use kairos_base::{Diagnostic, Name, Span};
use kairos_expr::{BinOp, Builtin, ExprId, LValue, LocalId, Names, Node, Step, Store, Target, VarId, quote};
use kairos_sema::{CompId, Connect, DeclaredUnit, Sema};
use kairos_units::{UnitError, name_of};

/// Longer expressions are quoted in part.
const QUOTED_TERMS: usize = 14;

struct Speaker<'s, 'a> {
    sema: &'s Sema<'a>,
    locals: Vec<Name>,
}

impl Names for Speaker<'_, '_> {
    fn var(&self, var: VarId) -> String {
        self.sema.comp_path(CompId::new(var.index()))
    }
    fn local(&self, local: LocalId) -> String {
        self.locals.get(local.index()).map_or_else(String::new, ToString::to_string)
    }
    fn function(&self, store: &Store, function: kairos_expr::FunctionId) -> String {
        let name = store.function(function).name.as_str();
        name.rsplit('.').next().unwrap_or(name).to_string()
    }
}

pub(super) fn unknown_unit(text: Name, error: &UnitError, span: Span) -> Diagnostic {
    let (why, help) = match error {
        UnitError::Symbol(symbol, meant) => (
            if symbol == text.as_str() { String::new() } else { format!(": there is no `{symbol}`") },
            match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "write SI units, as `N.m`, `kg.m2`, `1/s`".to_string(),
            },
        ),
        UnitError::Syntax(rest) => (
            match rest.is_empty() {
                true => ": it ends too early".to_string(),
                false => format!(": `{rest}` does not fit here"),
            },
            "write products with `.`, exponents without sign, and one divisor: `kg.m2/s2`, `J/(kg.K)`".into(),
        ),
        UnitError::Logarithmic => (String::new(), String::new()),
    };
    Diagnostic::warning("unknown-unit", format!("`{text}` is no unit{why}")).at(span).help(help)
}

impl Checker<'_, '_, '_> {
    fn quoted(&self, e: ExprId) -> String {
        let locals = self.frame.as_ref().map_or_else(Vec::new, |f| {
            self.x.sema.store.function(f.function).locals.iter().map(|l| l.name).collect()
        });
        quote(&self.x.sema.store, e, &Speaker { sema: self.x.sema, locals }, QUOTED_TERMS)
    }

    /// The unit in words: as declared where the expression is one variable, else as SI unit.
    fn unit_name(&mut self, e: Option<ExprId>, term: &Term, agreement: Agreement) -> String {
        if let Some(Node::Var(v)) = e.map(|e| self.x.sema.store.node(e))
            && let DeclaredUnit::Text(text, _) = self.x.sema.comp_unit(CompId::new(v.index()))
        {
            return format!("`{text}`");
        }
        let term = self.closed(term).unwrap_or_else(|| term.clone());
        match agreement {
            Agreement::Scale if term.factor != 1.0 => {
                format!("`{}` times {}", name_of(&term.dimension), term.factor)
            }
            _ => format!("`{}`", name_of(&term.dimension)),
        }
    }

    /// Labels where the units of an expression come from: declarations first, then what followed from other equations.
    fn sources(&mut self, mut d: Diagnostic, sides: &[ExprId]) -> Diagnostic {
        let mut seen = Vec::new();
        for &side in sides {
            let mut todo = vec![side];
            let mut left = 3;
            while let Some(e) = todo.pop() {
                match *self.x.sema.store.node(e) {
                    Node::Var(v) if left > 0 && !seen.contains(&v) => {
                        seen.push(v);
                        left -= 1;
                        d = self.source(d, CompId::new(v.index()));
                    }
                    _ => self.x.sema.store.children(e, |c| todo.push(c)),
                }
            }
        }
        d
    }

    fn source(&mut self, d: Diagnostic, comp: CompId) -> Diagnostic {
        let (name, span) = (self.x.sema.comp(comp).name, self.x.sema.comp(comp).span);
        if let DeclaredUnit::Text(text, _) = self.x.sema.comp_unit(comp) {
            return d.label(span, format!("`{name}` has the unit `{text}`"));
        }
        let Some(U::Term(term)) = self.comps.get(&comp).cloned() else { return d };
        let place = match term.unknowns[..] {
            [(unknown, _)] => self.solver.place(unknown),
            _ => None,
        };
        match (self.closed(&term), place) {
            (Some(closed), Some(place)) if closed.unknowns.is_empty() && place != self.span => d.label(
                place,
                format!("`{name}` has the unit `{}` because of this", name_of(&closed.dimension)),
            ),
            _ => d,
        }
    }

    fn mismatch(&self, text: String) -> Diagnostic {
        Diagnostic::warning("unit-mismatch", text).at(self.span)
    }

    fn finish(&mut self, d: Diagnostic, agreement: Agreement) {
        let help = match agreement {
            Agreement::Scale => "convert one of them with its factor",
            _ => "correct the formula, or the declared unit that is wrong",
        };
        self.tell(d.help(help));
    }

    /// Operands inside of an expression.
    pub(super) fn agree_inside(&mut self, e: ExprId, a: (ExprId, &Term), b: (ExprId, &Term)) -> bool {
        let agreement = self.solver.unify(a.1, b.1, self.span);
        if agreement == Agreement::Same {
            return true;
        }
        let verb = match self.x.sema.store.node(e) {
            Node::Binary(op, ..) => match op.scalar() {
                BinOp::Add => "adds",
                BinOp::Sub => "subtracts",
                _ => "compares",
            },
            Node::Builtin(Builtin::Min2 | Builtin::Max2, _) => "compares",
            Node::If(..) => "chooses between",
            _ => "mixes",
        };
        let (p, q) = (self.unit_name(Some(a.0), a.1, agreement), self.unit_name(Some(b.0), b.1, agreement));
        let d = self.mismatch(format!("`{}` {verb} {p} and {q}", self.quoted(e)));
        let d = self.sources(d, &[a.0, b.0]);
        self.finish(d, agreement);
        false
    }

    /// An argument of a function that takes plain numbers only; the result is one.
    pub(super) fn pure(&mut self, e: ExprId, arg: ExprId, term: &Term) -> U {
        let agreement =
            self.solver.unify(term, &Term { factor: f64::NAN, declared: true, ..Term::ONE }, self.span);
        if agreement == Agreement::Dimension {
            let unit = self.unit_name(Some(arg), term, agreement);
            let d = self.mismatch(format!("`{}` takes a number without unit, not {unit}", self.quoted(e)));
            let d = self.sources(d, &[arg]);
            self.finish(d, agreement);
            return U::Unknown;
        }
        U::Number
    }

    pub(super) fn agree_sides(&mut self, a: (ExprId, &U), b: (ExprId, &U)) {
        let Some(agreement) = self.compare(a.1, b.1) else { return };
        let (p, q) = (self.side(a, agreement), self.side(b, agreement));
        let text = format!(
            "in `{} = {}` the left side is in {p}, the right side in {q}",
            self.quoted(a.0),
            self.quoted(b.0)
        );
        let d = self.mismatch(text);
        let d = self.sources(d, &[a.0, b.0]);
        self.finish(d, agreement);
    }

    fn side(&mut self, (e, unit): (ExprId, &U), agreement: Agreement) -> String {
        match unit {
            U::Term(term) => self.unit_name(Some(e), term, agreement),
            _ => "`s`".into(),
        }
    }

    pub(super) fn agree_binding(&mut self, comp: CompId, unit: &U, value: ExprId, given: &U) {
        let Some(agreement) = self.compare(unit, given) else { return };
        let wanted = match self.x.sema.comp_unit(comp) {
            DeclaredUnit::Text(text, _) => format!("`{text}`"),
            _ => match unit {
                U::Term(term) => self.unit_name(None, term, agreement),
                _ => "`s`".into(),
            },
        };
        let found = self.side((value, given), agreement);
        let path = self.x.sema.comp_path(comp);
        let d =
            self.mismatch(format!("`{path}` is in {wanted}, its value `{}` in {found}", self.quoted(value)));
        let d = self.sources(d, &[value]);
        self.finish(d, agreement);
    }

    pub(super) fn agree_assigned(&mut self, target: &LValue, unit: &U, value: ExprId, given: &U) {
        let Some(agreement) = self.compare(unit, given) else { return };
        let U::Term(term) = unit else { return };
        let wanted = self.unit_name(None, term, agreement);
        let found = self.side((value, given), agreement);
        let mut name = match target.target {
            Target::Var(v) => self.x.sema.comp_path(CompId::new(v.index())),
            Target::Local(l) => {
                let frame = self.frame.as_ref().map(|f| self.x.sema.store.function(f.function));
                frame.map_or_else(String::new, |f| f.locals[l.index()].name.to_string())
            }
        };
        if target.path.iter().any(|step| matches!(step, Step::Field(_))) {
            name += ".…";
        }
        let d = self.mismatch(format!(
            "`{name}` is in {wanted}, what is assigned, `{}`, in {found}",
            self.quoted(value)
        ));
        let d = match target.target {
            Target::Var(v) => self.source(d, CompId::new(v.index())),
            Target::Local(_) => d,
        };
        let d = self.sources(d, &[value]);
        self.finish(d, agreement);
    }

    pub(super) fn agree_default(&mut self, name: Name, unit: &U, value: ExprId, given: &U) {
        let Some(agreement) = self.compare(unit, given) else { return };
        let U::Term(term) = unit else { return };
        let (wanted, found) = (self.unit_name(None, term, agreement), self.side((value, given), agreement));
        let d =
            self.mismatch(format!("`{name}` is in {wanted}, its value `{}` in {found}", self.quoted(value)));
        self.finish(d, agreement);
    }

    /// An argument of a function, or a field of a record where there is no function.
    pub(super) fn agree_argument(
        &mut self,
        arg: ExprId,
        given: &Term,
        wanted: &Term,
        name: Name,
        function: Name,
    ) {
        let agreement = self.solver.unify(given, wanted, self.span);
        if agreement == Agreement::Same || self.is_literal(arg) {
            return;
        }
        let (found, wanted) =
            (self.unit_name(Some(arg), given, agreement), self.unit_name(None, wanted, agreement));
        let of = match function.as_str() {
            "" => String::new(),
            text => format!(" of `{text}`"),
        };
        let d = self.mismatch(format!("`{name}`{of} is in {wanted}, `{}` in {found}", self.quoted(arg)));
        let d = self.sources(d, &[arg]);
        self.finish(d, agreement);
    }

    pub(super) fn tell_connected(
        &mut self,
        c: &Connect,
        a: (CompId, &Term),
        b: (CompId, &Term),
        agreement: Agreement,
    ) {
        let unit = |me: &mut Self, (comp, term): (CompId, &Term)| match me.x.sema.comp_unit(comp) {
            DeclaredUnit::Text(text, _) => format!("`{text}`"),
            _ => me.unit_name(None, term, agreement),
        };
        let (p, q) = (unit(self, a), unit(self, b));
        let (left, right) = (self.x.sema.comp_path(a.0), self.x.sema.comp_path(b.0));
        let d = Diagnostic::warning(
            "unit-mismatch",
            format!("`{left}` is in {p}, `{right}` in {q}, but they are connected"),
        );
        let d = self.source(d.at(c.span), a.0);
        let d = self.source(d, b.0);
        self.finish(d, agreement);
    }
}
