//! Values at an instant of a run, for attributes that follow the simulation.

use kairos_expr::Value;
use kairos_syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use kairos_syntax::expr_to_string;

/// Looks up the value of a variable by its whole name.
pub type Lookup<'n> = &'n dyn Fn(&str) -> Option<Value>;

/// An instant, seen from a part of the model.
#[derive(Clone)]
pub struct Now<'n> {
    pub lookup: Lookup<'n>,
    /// The path of the part, with a dot at its end; empty for the model itself.
    pub prefix: String,
}

impl Now<'_> {
    /// The value of an expression over variables and literals; what is more than arithmetic has none.
    pub fn value(&self, e: &Expr) -> Option<Value> {
        Some(match &e.kind {
            ExprKind::Real(x) => Value::Real(*x),
            ExprKind::Integer(i) => Value::Int(*i),
            ExprKind::Bool(b) => Value::Bool(*b),
            ExprKind::String(text) => Value::str(text),
            ExprKind::Tuple(list) if list.len() == 1 => self.value(list[0].as_ref()?)?,
            ExprKind::Ref(_) if expr_to_string(e) == "time" => (self.lookup)("time")?,
            ExprKind::Ref(_) => (self.lookup)(&format!("{}{}", self.prefix, expr_to_string(e)))?,
            ExprKind::Unary(op, inner) => unary(*op, &self.value(inner)?)?,
            ExprKind::Binary(op, a, b) => binary(*op, &self.value(a)?, &self.value(b)?)?,
            ExprKind::If { .. } => self.value(self.branch(e)?)?,
            ExprKind::Call { function, args } => {
                let name = function.parts.last()?.name.name;
                let values: Option<Vec<Value>> = args.positional.iter().map(|a| self.value(a)).collect();
                let digits = args.named.iter().find(|a| a.name.name.as_str() == "significantDigits");
                let digits = digits.and_then(|a| number(&self.value(&a.value)?)).unwrap_or(6.0);
                call(name.as_str(), &values?, digits as usize)?
            }
            _ => return None,
        })
    }

    /// The branch of a conditional expression that holds now.
    pub fn branch<'e>(&self, e: &'e Expr) -> Option<&'e Expr> {
        let (branches, otherwise) = match &e.kind {
            ExprKind::If { branches, otherwise } => (branches, otherwise),
            ExprKind::Tuple(list) if list.len() == 1 => return self.branch(list[0].as_ref()?),
            _ => return Some(e),
        };
        for (condition, then) in branches {
            if let Value::Bool(true) = self.value(condition)? {
                return self.branch(then);
            }
        }
        self.branch(otherwise)
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Real(x) => Some(*x),
        Value::Int(i) => Some(*i as f64),
        _ => None,
    }
}

fn unary(op: UnaryOp, a: &Value) -> Option<Value> {
    Some(match (op, a) {
        (UnaryOp::Not, Value::Bool(b)) => Value::Bool(!b),
        (UnaryOp::Not, _) => return None,
        (UnaryOp::Minus | UnaryOp::ElementMinus, a) => Value::Real(-number(a)?),
        (_, a) => Value::Real(number(a)?),
    })
}

fn binary(op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
    if let (Value::Bool(a), Value::Bool(b)) = (a, b) {
        return match op {
            BinaryOp::And => Some(Value::Bool(*a && *b)),
            BinaryOp::Or => Some(Value::Bool(*a || *b)),
            BinaryOp::Equal => Some(Value::Bool(a == b)),
            BinaryOp::NotEqual => Some(Value::Bool(a != b)),
            _ => None,
        };
    }
    if let (BinaryOp::Add, Value::Str(a), Value::Str(b)) = (op, a, b) {
        return Some(Value::str(&format!("{a}{b}")));
    }
    let (a, b) = (number(a)?, number(b)?);
    Some(match op {
        BinaryOp::Add | BinaryOp::ElementAdd => Value::Real(a + b),
        BinaryOp::Sub | BinaryOp::ElementSub => Value::Real(a - b),
        BinaryOp::Mul | BinaryOp::ElementMul => Value::Real(a * b),
        BinaryOp::Div | BinaryOp::ElementDiv => Value::Real(a / b),
        BinaryOp::Pow | BinaryOp::ElementPow => Value::Real(a.powf(b)),
        BinaryOp::Less => Value::Bool(a < b),
        BinaryOp::LessEqual => Value::Bool(a <= b),
        BinaryOp::Greater => Value::Bool(a > b),
        BinaryOp::GreaterEqual => Value::Bool(a >= b),
        BinaryOp::Equal => Value::Bool(a == b),
        BinaryOp::NotEqual => Value::Bool(a != b),
        _ => return None,
    })
}

fn call(name: &str, args: &[Value], digits: usize) -> Option<Value> {
    if name == "String" {
        return match args {
            [Value::Str(text), ..] => Some(Value::str(text)),
            [Value::Bool(b), ..] => Some(Value::str(&b.to_string())),
            [value, ..] => Some(Value::str(&shown(number(value)?, digits))),
            [] => None,
        };
    }
    let numbers: Option<Vec<f64>> = args.iter().map(number).collect();
    Some(match (name, numbers?.as_slice()) {
        ("abs", [x]) => Value::Real(x.abs()),
        ("sqrt", [x]) => Value::Real(x.sqrt()),
        ("sin", [x]) => Value::Real(x.sin()),
        ("cos", [x]) => Value::Real(x.cos()),
        ("floor", [x]) => Value::Real(x.floor()),
        ("integer", [x]) => Value::Int(x.floor() as i64),
        ("min", [x, y]) => Value::Real(x.min(*y)),
        ("max", [x, y]) => Value::Real(x.max(*y)),
        _ => return None,
    })
}

/// A number with so many digits that count.
fn shown(x: f64, digits: usize) -> String {
    let rounded: f64 = format!("{x:.*e}", digits.clamp(1, 17) - 1).parse().unwrap_or(x);
    if rounded != 0.0 && !(1e-5..1e15).contains(&rounded.abs()) {
        format!("{rounded:e}")
    } else {
        rounded.to_string()
    }
}
