//! Types of operators, and the record and enumeration types of classes.

use crate::{InstId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::{BinOp, Dim, EnumId, EnumType, ExprId, Node, RecordId, Scalar, Type};
use kairos_syntax::ast::{Class, ClassKind, UnaryOp};

impl<'a> Sema<'a> {
    /// `a op b`, typed by MLS 10.6; operator records by their overloaded operators.
    pub(crate) fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let (x, y) = (self.store.ty(a).clone(), self.store.ty(b).clone());
        if x.scalar == Scalar::Error || y.scalar == Scalar::Error {
            return self.error_expr();
        }
        if matches!(x.scalar, Scalar::Record(_)) || matches!(y.scalar, Scalar::Record(_)) {
            return self.overloaded_binary(op, a, b, span);
        }
        match self.binary_type(op, &x, &y) {
            Some(ty) => {
                let real = |t: &Type| t.scalar == Scalar::Real;
                // MLS 3.5: no event can be found where Reals become equal; values that stay need none.
                let equality = matches!(op, BinOp::Eq | BinOp::Ne) && (real(&x) || real(&y));
                let varies = |me: &Self| me.depends_on_simulation(a) || me.depends_on_simulation(b);
                if equality && self.in_function == 0 && varies(self) {
                    self.report(diagnostics::real_equality(op.symbol(), span));
                }
                self.store.add(Node::Binary(op, a, b), ty)
            }
            None => {
                let (s, t) = (self.show_type(a), self.show_type(b));
                self.report(diagnostics::operands(op.symbol(), &s, &t, span));
                self.error_expr()
            }
        }
    }

    fn binary_type(&self, op: BinOp, x: &Type, y: &Type) -> Option<Type> {
        let numeric = x.scalar.is_numeric() && y.scalar.is_numeric();
        let both_int = x.scalar == Scalar::Int && y.scalar == Scalar::Int;
        let number = if both_int { Scalar::Int } else { Scalar::Real };
        let same_shape = || {
            let fits = x.dims.len() == y.dims.len() && x.dims.iter().zip(&y.dims).all(|(a, b)| a.fits(*b));
            let known = |(a, b): (&Dim, &Dim)| if *a == Dim::Unknown { *b } else { *a };
            fits.then(|| x.dims.iter().zip(&y.dims).map(known).collect::<Vec<_>>())
        };
        let broadcast = || match (x.dims.is_empty(), y.dims.is_empty()) {
            (true, _) => Some(y.dims.clone()),
            (_, true) => Some(x.dims.clone()),
            _ => same_shape(),
        };
        match op {
            BinOp::Add if x.scalar == Scalar::Str && y.scalar == Scalar::Str => {
                Some(Type { scalar: Scalar::Str, dims: same_shape()? })
            }
            BinOp::Add | BinOp::Sub => numeric.then(same_shape)?.map(|dims| Type { scalar: number, dims }),
            BinOp::ElementAdd | BinOp::ElementSub | BinOp::ElementMul => {
                numeric.then(broadcast)?.map(|dims| Type { scalar: number, dims })
            }
            BinOp::ElementDiv | BinOp::ElementPow => {
                numeric.then(broadcast)?.map(|dims| Type { scalar: Scalar::Real, dims })
            }
            BinOp::Mul if numeric => {
                let dims = match (x.dims.as_slice(), y.dims.as_slice()) {
                    ([], _) => y.dims.clone(),
                    (_, []) => x.dims.clone(),
                    ([n], [m]) if n.fits(*m) => vec![],
                    ([r, n], [m]) if n.fits(*m) => vec![*r],
                    ([n], [m, c]) if n.fits(*m) => vec![*c],
                    ([r, n], [m, c]) if n.fits(*m) => vec![*r, *c],
                    _ => return None,
                };
                Some(Type { scalar: number, dims })
            }
            BinOp::Div if numeric && y.dims.is_empty() => {
                Some(Type { scalar: Scalar::Real, dims: x.dims.clone() })
            }
            BinOp::Pow if numeric && y.dims.is_empty() => match x.dims.as_slice() {
                [] => Some(Type::scalar(Scalar::Real)),
                [n, m] if n.fits(*m) && y.scalar == Scalar::Int => {
                    Some(Type { scalar: number, dims: x.dims.clone() })
                }
                _ => None,
            },
            BinOp::And | BinOp::Or if x.scalar == Scalar::Bool && y.scalar == Scalar::Bool => {
                same_shape().map(|dims| Type { scalar: Scalar::Bool, dims })
            }
            _ if op.is_relation() && x.dims.is_empty() && y.dims.is_empty() => {
                let comparable = numeric
                    || (self.common_scalar(x.scalar, y.scalar).is_some()
                        && matches!(x.scalar, Scalar::Bool | Scalar::Str | Scalar::Enum(_)));
                comparable.then(|| Type::scalar(Scalar::Bool))
            }
            _ => None,
        }
    }

    /// The type that both branches of an if-expression have.
    pub(crate) fn common_type(&self, a: ExprId, b: ExprId) -> Option<Type> {
        let (x, y) = (self.store.ty(a), self.store.ty(b));
        if x.dims.len() != y.dims.len() {
            return None;
        }
        let scalar = self.common_scalar(x.scalar, y.scalar)?;
        let dims = x.dims.iter().zip(&y.dims).map(|(a, b)| if a == b { *a } else { Dim::Unknown }).collect();
        // Branches of different known size are allowed in functions only.
        if self.in_function == 0 && x.dims.iter().zip(&y.dims).any(|(a, b)| !a.fits(*b)) {
            return None;
        }
        Some(Type { scalar, dims })
    }

    fn common_scalar(&self, a: Scalar, b: Scalar) -> Option<Scalar> {
        match (a, b) {
            (Scalar::Int, Scalar::Real) | (Scalar::Real, Scalar::Int) => Some(Scalar::Real),
            (Scalar::Record(r), Scalar::Record(s)) if self.same_record(r, s) => Some(a),
            (Scalar::Enum(e), Scalar::Enum(f)) if self.same_enumeration(e, f) => Some(a),
            _ if a == b => Some(a),
            _ => None,
        }
    }

    /// Enumerations are the same type when they have the same literals in the same order (MLS 6.4, 6.7).
    fn same_enumeration(&self, a: EnumId, b: EnumId) -> bool {
        a == b || self.store.enumeration(a).literals == self.store.enumeration(b).literals
    }

    /// Records are the same type when their fields agree by name (MLS 6.4).
    pub(crate) fn same_record(&self, r: RecordId, s: RecordId) -> bool {
        let (a, b) = (self.store.record(r), self.store.record(s));
        r == s
            || (a.fields.len() == b.fields.len()
                && a.fields.iter().zip(&b.fields).all(|((n, _), (m, _))| n == m))
    }

    pub(crate) fn compatible(&self, a: &Type, b: &Type) -> bool {
        a.dims.len() == b.dims.len()
            && a.dims.iter().zip(&b.dims).all(|(x, y)| x.fits(*y))
            && self.common_scalar(a.scalar, b.scalar).is_some()
    }

    /// Can a value of type `from` be given to a variable of type `to`?
    pub(crate) fn assignable(&self, to: &Type, from: &Type) -> bool {
        let scalar = match (to.scalar, from.scalar) {
            (Scalar::Error, _) | (_, Scalar::Error) => return true,
            (Scalar::Real, Scalar::Int) => true,
            (Scalar::Record(r), Scalar::Record(s)) => {
                let (a, b) = (self.store.record(r), self.store.record(s));
                a.fields.iter().all(|(n, _)| b.field(*n).is_some())
            }
            (Scalar::Object(_), Scalar::Object(_)) => true,
            (Scalar::Enum(a), Scalar::Enum(b)) => self.same_enumeration(a, b),
            (a, b) => a == b,
        };
        scalar && to.dims.len() == from.dims.len() && to.dims.iter().zip(&from.dims).all(|(x, y)| x.fits(*y))
    }

    pub(crate) fn show_type(&self, e: ExprId) -> String {
        self.type_text(self.store.ty(e))
    }

    pub(crate) fn type_text(&self, ty: &Type) -> String {
        let mut text = match ty.scalar {
            Scalar::Real => "Real".to_string(),
            Scalar::Int => "Integer".to_string(),
            Scalar::Bool => "Boolean".to_string(),
            Scalar::Str => "String".to_string(),
            Scalar::Enum(e) => self.store.enumeration(e).name.to_string(),
            Scalar::Record(r) => self.store.record(r).name.to_string(),
            Scalar::Clock => "Clock".to_string(),
            Scalar::Object(name) => name.to_string(),
            Scalar::Function => "function".to_string(),
            Scalar::Tuple => "several values".to_string(),
            Scalar::Error => "?".to_string(),
        };
        if !ty.dims.is_empty() {
            let dims: Vec<String> =
                ty.dims.iter().map(|d| d.known().map_or(":".into(), |n| n.to_string())).collect();
            text.push_str(&format!("[{}]", dims.join(", ")));
        }
        text
    }

    /// The enumeration type of a definition; the same definition is the same type.
    pub(crate) fn enumeration(&mut self, inst: InstId, class: &'a Class, literals: Vec<Name>) -> EnumId {
        let key = class as *const Class;
        if let Some(&id) = self.enums.get(&key) {
            return id;
        }
        let name = Name::new(&self.inst_path(inst));
        self.store.enums.push(EnumType { name, literals });
        let id = EnumId::new(self.store.enums.len() - 1);
        self.enums.insert(key, id);
        id
    }

    pub(crate) fn overloaded_unary(&mut self, op: UnaryOp, a: ExprId, span: Span) -> ExprId {
        let symbol = match op {
            UnaryOp::Plus | UnaryOp::ElementPlus => return a,
            UnaryOp::Minus | UnaryOp::ElementMinus => "'-'",
            UnaryOp::Not => "'not'",
        };
        self.overload(symbol, vec![a], span)
    }

    fn overloaded_binary(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let (x, y) = (self.store.ty(a).clone(), self.store.ty(b).clone());
        if !x.dims.is_empty() || !y.dims.is_empty() {
            return self.overloaded_arrays(op, a, b, &x, &y, span);
        }
        let symbol = format!("'{}'", op.scalar().symbol());
        self.overload(&symbol, vec![a, b], span)
    }

    /// Element-wise and product operators on arrays of operator records (MLS 14.4).
    fn overloaded_arrays(
        &mut self,
        op: BinOp,
        a: ExprId,
        b: ExprId,
        x: &Type,
        y: &Type,
        span: Span,
    ) -> ExprId {
        let product = op == BinOp::Mul && !x.dims.is_empty() && !y.dims.is_empty();
        let count = |t: &Type| t.dims.first().and_then(|d| d.known());
        if product && x.dims.len() == 1 && y.dims.len() == 1 {
            let terms: Vec<ExprId> = (1..=count(x).unwrap_or(0) as u32)
                .map(|i| {
                    let (p, q) = (self.index_constant(a, &[i]), self.index_constant(b, &[i]));
                    self.binary(BinOp::Mul, p, q, span)
                })
                .collect();
            let mut terms = terms.into_iter();
            let Some(first) = terms.next() else { return self.error_expr() };
            return terms.fold(first, |sum, t| self.binary(BinOp::Add, sum, t, span));
        }
        if product && x.dims.len() == 2 {
            let rows = (1..=count(x).unwrap_or(0) as u32)
                .map(|i| {
                    let row = self.index_constant(a, &[i]);
                    self.binary(BinOp::Mul, row, b, span)
                })
                .collect();
            return self.array(rows, span);
        }
        let n = if x.dims.is_empty() { count(y) } else { count(x) };
        let Some(n) = n else {
            let (s, t) = (self.show_type(a), self.show_type(b));
            self.report(diagnostics::operands(op.symbol(), &s, &t, span));
            return self.error_expr();
        };
        let items = (1..=n as u32)
            .map(|i| {
                let p = if x.dims.is_empty() { a } else { self.index_constant(a, &[i]) };
                let q = if y.dims.is_empty() { b } else { self.index_constant(b, &[i]) };
                self.binary(op, p, q, span)
            })
            .collect();
        self.array(items, span)
    }

    /// The overloaded operator function whose inputs fit the arguments, with implicit conversions (MLS 14.4).
    pub(crate) fn overload(&mut self, symbol: &str, args: Vec<ExprId>, span: Span) -> ExprId {
        let name = Name::new(symbol);
        let mut owners = Vec::new();
        for &arg in &args {
            if let Scalar::Record(r) = self.store.ty(arg).scalar
                && let Some(&class) = self.record_classes.get(&r)
            {
                owners.push((r, class));
            }
        }
        for &(_, class) in &owners {
            for function in self.operator_functions(class, name) {
                let f = self.function(function);
                if let Some(call) = self.fitting_call(f, &args, None) {
                    return call;
                }
            }
        }
        for &(record, class) in &owners {
            for function in self.operator_functions(class, name) {
                let f = self.function(function);
                if let Some(call) = self.fitting_call(f, &args, Some(record)) {
                    return call;
                }
            }
        }
        let shown: Vec<String> = args.iter().map(|a| self.show_type(*a)).collect();
        self.report(diagnostics::no_overload(symbol, &shown.join(", "), span));
        self.error_expr()
    }

    /// The functions of an operator: the operator itself if it is a function, else its members.
    pub(crate) fn operator_functions(&mut self, class: InstId, name: Name) -> Vec<InstId> {
        self.expand(class);
        let Some(&e) = self.inst(class).table.get(&name) else { return Vec::new() };
        let Some(operator) = self.elem_class(e) else { return Vec::new() };
        if matches!(self.inst(operator).kind, ClassKind::Function | ClassKind::OperatorFunction) {
            return vec![operator];
        }
        let members = self.inst(operator).elements.clone();
        members.into_iter().filter_map(|m| self.elem_class(m)).collect()
    }

    /// A call if the arguments fit the inputs exactly, or after conversion by a constructor of `convert`.
    fn fitting_call(
        &mut self,
        f: kairos_expr::FunctionId,
        args: &[ExprId],
        convert: Option<RecordId>,
    ) -> Option<ExprId> {
        let inputs = self.store.function(f).inputs.clone();
        if inputs.len() < args.len() {
            return None;
        }
        let mut fitted = Vec::with_capacity(inputs.len());
        for (k, input) in inputs.iter().enumerate() {
            let local = self.store.function(f).locals[input.index()].clone();
            let Some(&arg) = args.get(k) else {
                fitted.push(local.value?);
                continue;
            };
            let to = self.store.get_type(local.ty).clone();
            let from = self.store.ty(arg).clone();
            let exact = self.assignable(&to, &from)
                && matches!(to.scalar, Scalar::Record(_)) == matches!(from.scalar, Scalar::Record(_));
            if exact {
                fitted.push(arg);
                continue;
            }
            let record = convert?;
            let fits_record = matches!(to.scalar, Scalar::Record(r) if self.same_record(r, record));
            if !fits_record || matches!(from.scalar, Scalar::Record(_)) {
                return None;
            }
            fitted.push(self.convert(record, arg)?);
        }
        Some(self.finish_call(f, fitted))
    }

    /// `R.'constructor'(value)` with one argument.
    fn convert(&mut self, record: RecordId, value: ExprId) -> Option<ExprId> {
        let class = *self.record_classes.get(&record)?;
        for constructor in self.operator_functions(class, Name::new("'constructor'")) {
            let f = self.function(constructor);
            if let Some(call) = self.fitting_call(f, &[value], None) {
                return Some(call);
            }
        }
        None
    }
}
