//! Constructors of scalar expressions that fold constants and drop neutral elements.

use crate::{BinOp, Builtin, ExprId, ExprMap, F64, Node, Scalar, Store, UnOp};

impl Store {
    /// The number, if the expression is a numeric, Boolean or enumeration literal.
    pub fn number(&self, e: ExprId) -> Option<f64> {
        match *self.node(e) {
            Node::Real(x) => Some(x.get()),
            Node::Int(i) => Some(i as f64),
            Node::Bool(b) => Some(f64::from(u8::from(b))),
            Node::Enum(_, ordinal) => Some(f64::from(ordinal)),
            _ => None,
        }
    }

    pub fn is_number(&self, e: ExprId, value: f64) -> bool {
        self.number(e) == Some(value)
    }

    /// A literal of a scalar kind from its numeric value.
    pub fn literal_of(&mut self, scalar: Scalar, value: f64) -> ExprId {
        match scalar {
            Scalar::Int if value.fract() == 0.0 && value.abs() < 9e15 => self.int(value as i64),
            Scalar::Bool => self.bool(value != 0.0),
            Scalar::Enum(ty) => self.literal(ty, value as u32),
            _ => self.real(value),
        }
    }

    pub fn negate(&mut self, a: ExprId) -> ExprId {
        match *self.node(a) {
            Node::Real(x) => self.real(-x.get()),
            Node::Int(i) => self.int(-i),
            Node::Unary(UnOp::Neg, inner) => inner,
            Node::Binary(BinOp::Sub, x, y) if self.ty(a).is_scalar() => self.minus(y, x),
            Node::Binary(BinOp::Mul, x, y) if self.number(x).is_some() => {
                let x = self.negate(x);
                self.times(x, y)
            }
            Node::Binary(BinOp::Div, x, y) if self.number(x).is_some() => {
                let x = self.negate(x);
                self.over(x, y)
            }
            _ => self.unary(UnOp::Neg, a),
        }
    }

    fn fold(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        if let (&Node::Int(x), &Node::Int(y)) = (self.node(a), self.node(b)) {
            let exact = match op {
                BinOp::Add => x.checked_add(y),
                BinOp::Sub => x.checked_sub(y),
                BinOp::Mul => x.checked_mul(y),
                _ => None,
            };
            if let Some(value) = exact {
                return Some(self.int(value));
            }
        }
        let (x, y) = (self.number(a)?, self.number(b)?);
        if !self.ty(a).scalar.is_numeric() || !self.ty(b).scalar.is_numeric() {
            return None;
        }
        let value = match op {
            BinOp::Add => x + y,
            BinOp::Sub => x - y,
            BinOp::Mul => x * y,
            BinOp::Div if y != 0.0 => x / y,
            BinOp::Pow => x.powf(y),
            _ => return None,
        };
        value.is_finite().then(|| self.real(value))
    }

    pub fn plus(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(e) = self.fold(BinOp::Add, a, b) {
            return e;
        }
        if self.is_number(a, 0.0) {
            return b;
        }
        if self.is_number(b, 0.0) {
            return a;
        }
        if let Node::Unary(UnOp::Neg, inner) = *self.node(b) {
            return self.minus(a, inner);
        }
        if let Node::Unary(UnOp::Neg, inner) = *self.node(a) {
            return self.minus(b, inner);
        }
        self.scalar_binary(BinOp::Add, a, b)
    }

    pub fn minus(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(e) = self.fold(BinOp::Sub, a, b) {
            return e;
        }
        if a == b && self.ty(a).scalar.is_numeric() {
            return self.literal_of(self.ty(a).scalar, 0.0);
        }
        if self.is_number(b, 0.0) {
            return a;
        }
        if self.is_number(a, 0.0) {
            return self.negate(b);
        }
        if let Node::Unary(UnOp::Neg, inner) = *self.node(b) {
            return self.plus(a, inner);
        }
        self.scalar_binary(BinOp::Sub, a, b)
    }

    pub fn times(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(e) = self.fold(BinOp::Mul, a, b) {
            return e;
        }
        if self.is_number(a, 0.0) || self.is_number(b, 0.0) {
            return self.real(0.0);
        }
        if self.is_number(a, 1.0) {
            return b;
        }
        if self.is_number(b, 1.0) {
            return a;
        }
        if self.is_number(a, -1.0) {
            return self.negate(b);
        }
        if self.is_number(b, -1.0) {
            return self.negate(a);
        }
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Unary(UnOp::Neg, x), Node::Unary(UnOp::Neg, y)) => self.times(x, y),
            (Node::Unary(UnOp::Neg, x), _) => {
                let product = self.times(x, b);
                self.negate(product)
            }
            (_, Node::Unary(UnOp::Neg, y)) => {
                let product = self.times(a, y);
                self.negate(product)
            }
            _ => self.scalar_binary(BinOp::Mul, a, b),
        }
    }

    pub fn over(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(e) = self.fold(BinOp::Div, a, b) {
            return e;
        }
        if self.is_number(a, 0.0) && !self.is_number(b, 0.0) {
            return self.real(0.0);
        }
        if self.is_number(b, 1.0) {
            return a;
        }
        if self.is_number(b, -1.0) {
            return self.negate(a);
        }
        if let Node::Unary(UnOp::Neg, y) = *self.node(b) {
            let a = self.negate(a);
            return self.over(a, y);
        }
        if let Node::Unary(UnOp::Neg, x) = *self.node(a) {
            let quotient = self.over(x, b);
            return self.negate(quotient);
        }
        self.scalar_binary(BinOp::Div, a, b)
    }

    pub fn power(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(e) = self.fold(BinOp::Pow, a, b) {
            return e;
        }
        if self.is_number(b, 1.0) {
            return a;
        }
        if self.is_number(b, 0.0) {
            return self.real(1.0);
        }
        self.scalar_binary(BinOp::Pow, a, b)
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        match *self.node(a) {
            Node::Bool(b) => self.bool(!b),
            Node::Unary(UnOp::Not, inner) => inner,
            _ => self.unary(UnOp::Not, a),
        }
    }

    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.node(a), self.node(b)) {
            (Node::Bool(true), _) => b,
            (_, Node::Bool(true)) => a,
            (Node::Bool(false), _) | (_, Node::Bool(false)) => self.bool(false),
            _ if a == b => a,
            _ => self.scalar_binary(BinOp::And, a, b),
        }
    }

    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.node(a), self.node(b)) {
            (Node::Bool(false), _) => b,
            (_, Node::Bool(false)) => a,
            (Node::Bool(true), _) | (_, Node::Bool(true)) => self.bool(true),
            _ if a == b => a,
            _ => self.scalar_binary(BinOp::Or, a, b),
        }
    }

    pub fn compare(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        if let (Some(x), Some(y)) = (self.number(a), self.number(b)) {
            let value = match op {
                BinOp::Lt => x < y,
                BinOp::Le => x <= y,
                BinOp::Gt => x > y,
                BinOp::Ge => x >= y,
                BinOp::Eq => x == y,
                _ => x != y,
            };
            return self.bool(value);
        }
        self.scalar_binary(op, a, b)
    }

    /// `if c then a else b`
    pub fn choose(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        match *self.node(c) {
            Node::Bool(true) => a,
            Node::Bool(false) => b,
            _ if a == b => a,
            Node::Unary(UnOp::Not, inner) => self.if_else(inner, b, a),
            _ => self.if_else(c, a, b),
        }
    }

    /// A builtin of scalar arguments, folded where its value is a plain number.
    pub fn apply(&mut self, builtin: Builtin, args: &[ExprId]) -> ExprId {
        match (builtin, args) {
            (Builtin::Pre | Builtin::Der | Builtin::NoEvent | Builtin::Previous, &[a])
                if self.ty(a).is_scalar() =>
            {
                match *self.node(a) {
                    Node::Unary(op, inner) => {
                        let inner = self.apply(builtin, &[inner]);
                        return match op {
                            UnOp::Neg => self.negate(inner),
                            UnOp::Not => self.not(inner),
                        };
                    }
                    _ if self.number(a).is_some() => {
                        return if builtin == Builtin::Der { self.real(0.0) } else { a };
                    }
                    _ => {}
                }
            }
            (Builtin::Edge | Builtin::Change, &[a]) if self.number(a).is_some() => return self.bool(false),
            (Builtin::Homotopy, &[a, b]) if a == b => return a,
            (Builtin::Smooth, &[_, a]) if self.number(a).is_some() => return a,
            _ => {}
        }
        if let Some(eval) = builtin.row().eval
            && builtin != Builtin::EnumOf
            && let Some(values) = args.iter().map(|&a| self.number(a)).collect::<Option<Vec<f64>>>()
        {
            let value = eval(&values);
            if value.is_finite() {
                let plain = self.scalar_builtin(builtin, args);
                let scalar = self.ty(plain).scalar;
                return self.literal_of(scalar, value);
            }
        }
        self.scalar_builtin(builtin, args)
    }

    /// A binary operation on scalars.
    pub fn operate(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let plain = |s: Scalar| matches!(s, Scalar::Real | Scalar::Int | Scalar::Bool | Scalar::Enum(_));
        if !plain(self.ty(a).scalar) || !plain(self.ty(b).scalar) {
            return self.scalar_binary(op.scalar(), a, b);
        }
        match op.scalar() {
            BinOp::Add => self.plus(a, b),
            BinOp::Sub => self.minus(a, b),
            BinOp::Mul => self.times(a, b),
            BinOp::Div => self.over(a, b),
            BinOp::Pow => self.power(a, b),
            BinOp::And => self.and(a, b),
            BinOp::Or => self.or(a, b),
            relation => self.compare(relation, a, b),
        }
    }

    /// A unary operation on a scalar.
    pub fn operate_on(&mut self, op: UnOp, a: ExprId) -> ExprId {
        match op {
            UnOp::Neg => self.negate(a),
            UnOp::Not => self.not(a),
        }
    }

    /// One node whose operands are simple already.
    pub fn simplify_node(&mut self, e: ExprId) -> ExprId {
        if self.is_simple(e) {
            return e;
        }
        let simple = self.simplify_operation(e);
        if simple == e {
            self.mark_simple(e);
        }
        simple
    }

    fn simplify_operation(&mut self, e: ExprId) -> ExprId {
        let ty = self.ty(e);
        if !ty.is_scalar()
            || !matches!(ty.scalar, Scalar::Real | Scalar::Int | Scalar::Bool | Scalar::Enum(_))
        {
            return e;
        }
        match self.node(e).clone() {
            Node::Unary(UnOp::Neg, a) => self.negate(a),
            Node::Unary(UnOp::Not, a) => self.not(a),
            Node::Binary(op, a, b) if self.ty(a).is_scalar() && self.ty(b).is_scalar() => {
                self.operate(op, a, b)
            }
            Node::If(c, a, b) => self.choose(c, a, b),
            Node::Builtin(Builtin::EnumOf, _) => e,
            Node::Builtin(f, args) if args.iter().all(|&a| self.ty(a).is_scalar()) => self.apply(f, &args),
            Node::Item(a, i) => match self.node(a) {
                Node::Record(_, fields) | Node::Array(fields) => fields.get(i as usize).copied().unwrap_or(e),
                _ => e,
            },
            Node::Field(a, i) => match self.node(a) {
                Node::Record(_, fields) => fields.get(i as usize).copied().unwrap_or(e),
                _ => e,
            },
            Node::Index(a, subs) => self.element(a, &subs).unwrap_or(e),
            _ => e,
        }
    }

    /// The element of an array constructor at literal subscripts.
    fn element(&self, mut array: ExprId, subs: &[crate::Sub]) -> Option<ExprId> {
        for sub in subs {
            let crate::Sub::At(i) = sub else { return None };
            let Node::Int(i) = *self.node(*i) else { return None };
            let Node::Array(items) = self.node(array) else { return None };
            array = *items.get(usize::try_from(i - 1).ok()?)?;
        }
        Some(array)
    }

    pub fn simplify(&mut self, e: ExprId, memo: &mut ExprMap<ExprId>) -> ExprId {
        if self.is_settled(e) {
            return e;
        }
        self.rewrite(e, memo, &mut |store, e| store.simplify_node(e))
    }

    /// The literal zero of Real type; common enough to have a name.
    pub fn zero(&mut self) -> ExprId {
        self.add(Node::Real(F64::new(0.0)), crate::Type::scalar(Scalar::Real))
    }
}
