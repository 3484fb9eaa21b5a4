//! Whether a derivative function that a library names is one: it must give zero where nothing changes.
//!
//! A derivative (MLS 12.7.1) is linear in the derivatives that it takes. Functions exist in libraries that forget a factor
//! (`dy := slope` instead of `dy := slope*dx`); a Jacobian made with them lets implicit methods accept steps that are wrong.
//! The test follows which locals are zero through the statements when all derivatives are zero. It errs to one side only: what
//! it cannot follow counts as not zero, and the function's own statements are differentiated instead.

use crate::{
    BinOp, Body, Builtin, DerivativeAnnotation, ExprId, Function, FunctionId, LValue, LocalKind, Node, Stmt,
    Store, Target, UnOp,
};
use std::collections::HashMap;

impl Store {
    /// Is the function that the annotation names a derivative of `function`, as far as can be seen? Where `function` has no
    /// statements there is nothing else to go by, so it counts as one.
    pub fn is_derivative(&self, function: &Function, annotation: &DerivativeAnnotation) -> bool {
        if !matches!(function.body, Body::Statements(_)) {
            return true;
        }
        *annotation.vanishes.get_or_init(|| {
            let taken = self.function(annotation.function).inputs.len();
            let given = function.inputs.len();
            let zero = (0..taken).map(|at| at >= given).collect();
            let mut work = Vanishing { store: self, known: HashMap::new() };
            work.outputs(annotation.function, zero).iter().all(|&zero| zero)
        })
    }
}

struct Vanishing<'a> {
    store: &'a Store,
    /// Which outputs are zero for which inputs being zero; a call that is under way counts as zero, as by induction.
    known: HashMap<(FunctionId, Vec<bool>), Vec<bool>>,
}

/// Which locals are zero at a statement.
#[derive(Clone, PartialEq)]
struct Zeros(Vec<bool>);

impl Zeros {
    fn join(&mut self, other: &Zeros) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own &= other);
    }
}

/// The ways out of a block before its end.
#[derive(Default)]
struct Exits {
    breaks: Vec<Zeros>,
    returns: Vec<Zeros>,
}

impl Vanishing<'_> {
    fn outputs(&mut self, id: FunctionId, zero: Vec<bool>) -> Vec<bool> {
        let key = (id, zero);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let function = self.store.function(id);
        self.known.insert(key.clone(), vec![true; function.outputs.len()]);
        let outputs = match &function.body {
            Body::Statements(statements) => self.body(id, &key.1, statements),
            // Of what is not written in Modelica nothing can be seen.
            Body::External(_) | Body::Pending => vec![key.1.contains(&true); function.outputs.len()],
            Body::RecordConstructor => {
                let inputs = function.inputs.iter().zip(&key.1);
                let all =
                    inputs.filter(|(local, _)| self.is_real(function, local.index())).all(|(_, &zero)| zero);
                vec![all; function.outputs.len()]
            }
        };
        self.known.insert(key, outputs.clone());
        outputs
    }

    fn is_real(&self, function: &Function, local: usize) -> bool {
        self.store.has_real(self.store.get_type(function.locals[local].ty))
    }

    fn body(&mut self, id: FunctionId, inputs: &[bool], statements: &[Stmt]) -> Vec<bool> {
        let function = self.store.function(id);
        // What has no value yet is zero as far as it is read at all.
        let mut zeros = Zeros(vec![true; function.locals.len()]);
        for (local, &zero) in function.inputs.iter().zip(inputs) {
            zeros.0[local.index()] = zero;
        }
        for at in self.store.declaration_order(id) {
            if let Some(value) = function.locals[at].value {
                zeros.0[at] = function.locals[at].kind != LocalKind::Input && self.zero(value, &zeros);
            }
        }
        let mut exits = Exits::default();
        self.block(statements, &mut zeros, &mut exits);
        exits.returns.iter().for_each(|way| zeros.join(way));
        let real = |local: &crate::LocalId| !self.is_real(function, local.index());
        function.outputs.iter().map(|local| real(local) || zeros.0[local.index()]).collect()
    }

    fn block(&mut self, statements: &[Stmt], zeros: &mut Zeros, exits: &mut Exits) {
        for statement in statements {
            match statement {
                Stmt::Assign(place, value, _) => {
                    let zero = self.zero(*value, zeros);
                    assign(place, zero, zeros);
                }
                Stmt::AssignTuple(places, call, _) => {
                    let zero = self.items(*call, zeros);
                    for (at, place) in places.iter().enumerate() {
                        let zero = zero.get(at).copied().unwrap_or(false);
                        place.iter().for_each(|place| assign(place, zero, zeros));
                    }
                }
                Stmt::If(branches, otherwise) => {
                    let before = zeros.clone();
                    self.block(otherwise, zeros, exits);
                    for (_, body) in branches {
                        let mut way = before.clone();
                        self.block(body, &mut way, exits);
                        zeros.join(&way);
                    }
                }
                Stmt::For(_, _, body, _) | Stmt::While(_, body, _) => loop {
                    let before = zeros.clone();
                    let mut inside = Exits::default();
                    let mut way = before.clone();
                    self.block(body, &mut way, &mut inside);
                    zeros.join(&way);
                    inside.breaks.iter().for_each(|way| zeros.join(way));
                    exits.returns.append(&mut inside.returns);
                    if *zeros == before {
                        break;
                    }
                },
                Stmt::Break => exits.breaks.push(zeros.clone()),
                Stmt::Return => exits.returns.push(zeros.clone()),
                Stmt::Call(..)
                | Stmt::When(..)
                | Stmt::Assert { .. }
                | Stmt::Terminate(..)
                | Stmt::Reinit(..) => {}
            }
        }
    }

    /// Which results of a call with several are zero.
    fn items(&mut self, call: ExprId, zeros: &Zeros) -> Vec<bool> {
        match self.store.node(call) {
            Node::Call(function, args) => {
                let zero = args.iter().map(|&a| self.zero(a, zeros)).collect();
                self.outputs(*function, zero)
            }
            _ => Vec::new(),
        }
    }

    fn zero(&mut self, e: ExprId, zeros: &Zeros) -> bool {
        let store = self.store;
        match store.node(e) {
            Node::Real(x) => x.get() == 0.0,
            Node::Int(n) => *n == 0,
            Node::Local(local) => zeros.0[local.index()],
            Node::Unary(UnOp::Neg, a) | Node::Field(a, _) | Node::Index(a, _) => self.zero(*a, zeros),
            Node::Binary(op, a, b) => match op {
                BinOp::Add | BinOp::Sub | BinOp::ElementAdd | BinOp::ElementSub => {
                    self.zero(*a, zeros) && self.zero(*b, zeros)
                }
                BinOp::Mul | BinOp::ElementMul => self.zero(*a, zeros) || self.zero(*b, zeros),
                BinOp::Div | BinOp::ElementDiv => self.zero(*a, zeros),
                BinOp::Pow | BinOp::ElementPow => self.zero(*a, zeros) && !self.zero(*b, zeros),
                _ => false,
            },
            Node::If(_, a, b) => self.zero(*a, zeros) && self.zero(*b, zeros),
            Node::Array(items) => items.iter().all(|&item| self.zero(item, zeros)),
            Node::Record(_, fields) => {
                let mut real = fields.iter().filter(|&&field| store.has_real(store.ty(field)));
                real.all(|&field| self.zero(field, zeros))
            }
            Node::Comprehension(body, _) => self.zero(*body, zeros),
            Node::Reduce(_, body, _) => self.zero(*body, zeros),
            Node::Call(..) => self.items(e, zeros).first().copied().unwrap_or(false),
            Node::Item(call, at) => self.items(*call, zeros).get(*at as usize).copied().unwrap_or(false),
            Node::Builtin(builtin, args) => self.builtin(*builtin, args, zeros),
            _ => false,
        }
    }

    fn builtin(&mut self, builtin: Builtin, args: &[ExprId], zeros: &Zeros) -> bool {
        match builtin {
            Builtin::Zeros => true,
            Builtin::Sin
            | Builtin::Tan
            | Builtin::Asin
            | Builtin::Atan
            | Builtin::Sinh
            | Builtin::Tanh
            | Builtin::Sqrt
            | Builtin::Abs
            | Builtin::Sign
            | Builtin::ToReal
            | Builtin::MinOf
            | Builtin::MaxOf
            | Builtin::Sum
            | Builtin::Diagonal
            | Builtin::Transpose
            | Builtin::Symmetric
            | Builtin::Skew
            | Builtin::Scalar
            | Builtin::Vector
            | Builtin::Matrix
            | Builtin::Promote
            | Builtin::NoEvent
            | Builtin::Fill
            | Builtin::SemiLinear => self.zero(args[0], zeros),
            Builtin::Smooth => self.zero(args[1], zeros),
            Builtin::Cat => args[1..].iter().all(|&a| self.zero(a, zeros)),
            Builtin::Min2 | Builtin::Max2 | Builtin::Homotopy => args.iter().all(|&a| self.zero(a, zeros)),
            Builtin::Cross | Builtin::OuterProduct => args.iter().any(|&a| self.zero(a, zeros)),
            _ => false,
        }
    }
}

/// An element or a field that is not zero makes the whole not zero.
fn assign(place: &LValue, zero: bool, zeros: &mut Zeros) {
    let Target::Local(local) = place.target else { return };
    let known = &mut zeros.0[local.index()];
    *known = zero && (place.path.is_empty() || *known);
}
