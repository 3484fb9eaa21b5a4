//! Units of functions: inferred once from the body, with unknowns that every call has anew.

use super::term::Term;
use super::{Checker, U};
use kairos_base::Name;
use kairos_base::hash::{HashMap, HashSet};
use kairos_expr::{
    Body, Builtin, ExprId, Function, FunctionId, LocalId, LocalKind, Node, Scalar, Stmt, Sub, Target, TypeId,
};
use kairos_sema::DeclaredUnit;

/// The function whose body is being looked at.
pub struct Frame {
    pub function: FunctionId,
    pub locals: Vec<U>,
}

/// Inputs and outputs in terms of common unknowns.
#[derive(Clone)]
pub struct Signature {
    inputs: Vec<U>,
    outputs: Vec<U>,
}

impl Checker<'_, '_, '_> {
    /// The unit of one output of a call.
    pub(super) fn call(&mut self, f: FunctionId, args: &[ExprId], output: usize) -> U {
        let given: Vec<U> = args.iter().map(|a| self.unit(*a)).collect();
        let Some(signature) = self.signature(f) else { return U::Unknown };
        let mut fresh = HashMap::default();
        let inputs = self.x.sema.store.function(f).inputs.clone();
        for (k, unit) in given.iter().enumerate() {
            let Some(wanted) = signature.inputs.get(k) else { break };
            // Within functions only declared units are certain enough.
            let loose = self.frame.is_some() && matches!(wanted, U::Term(t) if !t.unknowns.is_empty());
            let wanted = self.renewed(wanted, &mut fresh);
            let number = *unit == U::Number
                && inputs.get(k).is_some_and(|l| {
                    let ty = self.x.sema.store.function(f).locals[l.index()].ty;
                    self.is_operator(ty)
                });
            let unit = if number { &U::Term(Term { factor: f64::NAN, ..Term::ONE }) } else { unit };
            if let (U::Term(given), U::Term(wanted)) = (unit, wanted) {
                if loose {
                    self.solver.unify(given, &wanted, self.span);
                    continue;
                }
                let function = self.x.sema.store.function(f);
                let (name, local) = (function.name, inputs.get(k).map(|l| function.locals[l.index()].name));
                self.agree_argument(args[k], given, &wanted, local.unwrap_or(Name::EMPTY), name);
            }
        }
        let unit = signature.outputs.get(output).cloned().unwrap_or(U::Unknown);
        self.renewed(&unit, &mut fresh)
    }

    /// The unit with the unknowns of this call instead of the function's.
    fn renewed(&mut self, unit: &U, fresh: &mut HashMap<u32, Term>) -> U {
        let U::Term(term) = unit else { return unit.clone() };
        let mut result = Term { unknowns: Vec::new(), ..term.clone() };
        for (unknown, exponent) in &term.unknowns {
            let new = fresh.entry(*unknown).or_insert_with(|| self.solver.fresh()).clone();
            match result.times(&new, *exponent) {
                Some(next) => result = next,
                None => return U::Unknown,
            }
        }
        U::Term(result)
    }

    fn signature(&mut self, f: FunctionId) -> Option<Signature> {
        if let Some(known) = self.signatures.get(&f) {
            return known.clone();
        }
        // A function that calls itself finds nothing known of it.
        self.signatures.insert(f, None);
        self.x.sema.need_function(f);
        let function = self.x.sema.store.function(f).clone();
        let declared = self.x.sema.local_units(f);
        let mut assignments = vec![0; function.locals.len()];
        if let Body::Statements(list) = &function.body {
            count_assignments(list, &mut assignments);
        }
        let named_elements = self.named_elements(&function);
        let mut locals: Vec<U> = Vec::with_capacity(function.locals.len());
        for (k, local) in function.locals.iter().enumerate() {
            let ty = self.x.sema.store.get_type(local.ty).clone();
            let unit = match ty.scalar {
                Scalar::Real => match self.declared(declared.get(k).copied().unwrap_or(DeclaredUnit::Open)) {
                    Some(unit) => unit,
                    // What is assigned here and there may hold this and that.
                    None if local.kind == LocalKind::Protected && assignments[k] > 1 => U::Unknown,
                    None if ty.dims.is_empty() => U::Term(self.solver.fresh()),
                    // The elements of a vector have one unit, unless the function tells them apart.
                    None if ty.dims.len() == 1 && !named_elements.contains(&k) => {
                        U::Term(self.solver.fresh())
                    }
                    None => U::Unknown,
                },
                Scalar::Int => U::Number,
                Scalar::Record(record) if self.x.sema.store.record(record).is_operator => {
                    let declared = self.x.sema.field_unit(record, 0);
                    self.declared(declared).unwrap_or_else(|| U::Term(self.solver.fresh()))
                }
                _ => U::Unknown,
            };
            locals.push(unit);
        }
        let (outer, span) = (self.frame.take(), self.span);
        let memo = std::mem::take(&mut self.memo);
        self.frame = Some(Frame { function: f, locals });
        for (k, local) in function.locals.iter().enumerate() {
            let Some(value) = local.value else { continue };
            self.span = local.span;
            let given = self.unit(value);
            let own = self.frame.as_ref().map_or(U::Unknown, |f| f.locals[k].clone());
            self.agree_default(local.name, &own, value, &given);
        }
        match &function.body {
            Body::Statements(list) => self.statements(list),
            Body::RecordConstructor | Body::External(_) | Body::Pending => {}
        }
        let frame = std::mem::replace(&mut self.frame, outer);
        self.memo = memo;
        self.span = span;
        let locals = frame.map_or_else(Vec::new, |f| f.locals);
        let takes_numbers = function.inputs.iter().any(|l| self.is_operator(function.locals[l.index()].ty));
        let mut side = |list: &[LocalId], output: bool| -> Vec<U> {
            let unit = |l: &LocalId| {
                let open = declared.get(l.index()).is_none_or(|d| *d == DeclaredUnit::Open);
                let U::Term(term) = &locals[l.index()] else { return locals[l.index()].clone() };
                let Some(term) = self.closed(term) else { return U::Unknown };
                let operator = self.is_operator(function.locals[l.index()].ty);
                // What is left open counts as a relation of inputs and outputs only: a function that wants a certain
                // unit says so, and one that gives its argument another unit is written like that.
                let settled = open && !operator && term.unknowns.is_empty();
                // The parts and the size of a complex number are taken for other quantities, too.
                let part = open && output && takes_numbers && !operator;
                if settled || part { U::Unknown } else { U::Term(term) }
            };
            list.iter().map(unit).collect()
        };
        let inputs = side(&function.inputs, false);
        let mut outputs = side(&function.outputs, true);
        // An output that no input decides about has whatever unit its literals are meant in.
        let known = |unknown: u32| {
            inputs.iter().any(|u| matches!(u, U::Term(t) if t.unknowns.iter().any(|(k, _)| *k == unknown)))
        };
        for unit in &mut outputs {
            if matches!(unit, U::Term(t) if t.unknowns.iter().any(|(k, _)| !known(*k))) {
                *unit = U::Unknown;
            }
        }
        let signature = Signature { inputs, outputs };
        self.signatures.insert(f, Some(signature.clone()));
        Some(signature)
    }

    /// The operator that a function of a library stands for: `external "builtin" y = log(u)`.
    pub(super) fn operator_of(&mut self, f: FunctionId) -> Option<Builtin> {
        self.x.sema.need_function(f);
        let function = self.x.sema.store.function(f);
        let Body::Statements(list) = &function.body else { return None };
        let [Stmt::Assign(_, value, _)] = list.as_slice() else { return None };
        let Node::Builtin(builtin, args) = self.x.sema.store.node(*value) else { return None };
        let plain = |(arg, input): (&ExprId, &LocalId)| matches!(self.x.sema.store.node(*arg), Node::Local(l) if l == input);
        let same = args.len() == function.inputs.len() && args.iter().zip(&function.inputs).all(plain);
        same.then_some(*builtin)
    }

    /// Locals of which a literal subscript takes an element.
    fn named_elements(&self, function: &Function) -> HashSet<usize> {
        let store = &self.x.sema.store;
        let mut todo = Vec::new();
        let mut copy = function.clone();
        copy.visit_exprs_mut(&mut |e| todo.push(*e));
        let mut found = HashSet::default();
        for e in store.post_order(&todo, |_| false) {
            if let Node::Index(of, subs) = store.node(e)
                && let Node::Local(l) = store.node(*of)
                && subs.iter().any(|sub| matches!(sub, Sub::At(i) if matches!(store.node(*i), Node::Int(_))))
            {
                found.insert(l.index());
            }
        }
        found
    }

    fn is_operator(&self, ty: TypeId) -> bool {
        match self.x.sema.store.get_type(ty).scalar {
            Scalar::Record(record) => self.x.sema.store.record(record).is_operator,
            _ => false,
        }
    }

    pub(super) fn local_scalar(&self, local: LocalId) -> Scalar {
        let Some(frame) = &self.frame else { return Scalar::Error };
        let function = self.x.sema.store.function(frame.function);
        self.x.sema.store.get_type(function.locals[local.index()].ty).scalar
    }

    /// Does an expression name nothing?
    pub(super) fn is_literal(&self, e: ExprId) -> bool {
        matches!(self.x.sema.store.node(e), Node::Real(_) | Node::Int(_))
    }
}

fn count_assignments(list: &[Stmt], counts: &mut [usize]) {
    for statement in list {
        let targets: Vec<Target> = match statement {
            Stmt::Assign(target, ..) => vec![target.target],
            Stmt::AssignTuple(targets, ..) => targets.iter().flatten().map(|t| t.target).collect(),
            _ => Vec::new(),
        };
        for target in targets {
            if let Target::Local(l) = target {
                counts[l.index()] += 1;
            }
        }
        statement.bodies().into_iter().for_each(|body| count_assignments(body, counts));
    }
}
