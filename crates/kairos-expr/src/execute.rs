//! Execution of functions: their locals and statements.

use crate::evaluate::{Answer, Evaluator, Stop, selection, to_real, too_deep};
use crate::{
    Body, ExprId, FunctionId, IterId, LValue, LocalId, LocalKind, Scalar, Step, Stmt, Target, Type, Value,
};
use kairos_base::{Span, limits};
use std::sync::Arc;

/// The values of locals and iterators while a function runs.
#[derive(Clone, Default)]
pub struct Frame {
    locals: Vec<Option<Value>>,
    iterators: Vec<(IterId, Value)>,
}

impl Frame {
    pub(crate) fn local(&self, local: LocalId) -> Answer {
        match self.locals.get(local.index()) {
            Some(Some(value)) => Ok(value.clone()),
            _ => Err(Stop::error("a local variable is used before it has a value")),
        }
    }

    /// What is known after one of two ways was taken.
    fn join(&mut self, other: Frame) {
        for (mine, other) in self.locals.iter_mut().zip(other.locals) {
            *mine = match (mine.take(), other) {
                (Some(a), Some(b)) => Some(a.join(&b)),
                (None, None) => None,
                _ => Some(Value::Unknown),
            };
        }
    }

    pub(crate) fn iterator(&self, iter: IterId) -> Answer {
        let found = self.iterators.iter().rev().find(|(i, _)| *i == iter);
        found.map(|(_, v)| v.clone()).ok_or(Stop::NotConstant)
    }

    pub(crate) fn set_iterator(&mut self, iter: IterId, value: Value) {
        match self.iterators.iter_mut().find(|(i, _)| *i == iter) {
            Some(slot) => slot.1 = value,
            None => self.iterators.push((iter, value)),
        }
    }
}

enum Flow {
    Next,
    Break,
    Return,
}

impl Evaluator<'_> {
    pub(crate) fn call(&mut self, function: FunctionId, args: Vec<Value>) -> Answer {
        let store = self.store;
        let f = store.function(function);
        if matches!(f.body, Body::Pending) {
            return Err(Stop::NeedFunction(function));
        }
        if too_deep(self.depth) {
            return Err(Stop::Error {
                message: format!("`{}` calls itself without end", f.name),
                span: Some(f.span),
            });
        }
        // A recursion that both ways are taken of has no end.
        if self.undecided > 0 && self.running.contains(&function) {
            return Ok(Value::Unknown);
        }
        if let Body::RecordConstructor = f.body {
            let Scalar::Record(r) = store.get_type(f.locals[f.outputs[0].index()].ty).scalar else {
                return Err(Stop::error("a record constructor without a record"));
            };
            return Ok(Value::Record(r, Arc::new(args)));
        }
        if let Some(answer) = self.straight(f, &args) {
            return answer;
        }
        let mut frame = Frame { locals: vec![None; f.locals.len()], iterators: Vec::new() };
        for (&input, mut value) in f.inputs.iter().zip(args) {
            if store.get_type(f.locals[input.index()].ty).scalar == Scalar::Real {
                to_real(&mut value);
            }
            frame.locals[input.index()] = Some(value);
        }
        self.depth += 1;
        let partly = frame.locals.iter().flatten().any(Value::has_unknown);
        self.running.push(function);
        let outcome = self.run(function, &mut frame);
        self.running.pop();
        self.depth -= 1;
        match outcome {
            // The way through the function depends on what is unknown.
            Err(Stop::NotConstant | Stop::Error { .. }) if partly => return Ok(Value::Unknown),
            other => other?,
        }
        let mut outputs = f.outputs.iter().map(|o| frame.local(*o)).collect::<Result<Vec<_>, _>>()?;
        match outputs.len() {
            1 => Ok(outputs.swap_remove(0)),
            _ => Ok(Value::Tuple(Arc::new(outputs))),
        }
    }

    /// The call of an external function that has inputs and what the code returns, nothing else: tables, mostly.
    fn straight(&mut self, f: &crate::Function, args: &[Value]) -> Option<Answer> {
        let Body::External(call) = &f.body else { return None };
        if f.locals.len() != f.inputs.len() + 1 || f.outputs.len() != 1 || call.output != Some(f.outputs[0]) {
            return None;
        }
        let mut given = Vec::with_capacity(call.args.len());
        for &arg in &call.args {
            let crate::Node::Local(local) = *self.store.node(arg) else { return None };
            let at = f.inputs.iter().position(|i| *i == local)?;
            let mut value = args.get(at)?.clone();
            if value.has_unknown() {
                return None;
            }
            if self.store.get_type(f.locals[local.index()].ty).scalar == Scalar::Real {
                to_real(&mut value);
            }
            given.push(value);
        }
        let nothing = || Stop::error(format!("the external function `{}` returned nothing", call.symbol));
        Some(self.env.external(call, &mut given).and_then(|value| value.ok_or_else(nothing)))
    }

    fn run(&mut self, function: FunctionId, frame: &mut Frame) -> Result<(), Stop> {
        let f = self.store.function(function);
        for i in self.store.declaration_order(function) {
            self.declare(function, i, frame)?;
        }
        match &f.body {
            Body::Statements(statements) => self.block(statements, frame).map(|_| ()),
            Body::External(call) => {
                let mut args =
                    call.args.iter().map(|&a| self.eval(a, frame)).collect::<Result<Vec<_>, _>>()?;
                if args.iter().any(Value::has_unknown) {
                    return Err(Stop::NotConstant);
                }
                let result = self.env.external(call, &mut args)?;
                for (&e, value) in call.args.iter().zip(args) {
                    if let crate::Node::Local(l) = self.store.node(e)
                        && f.locals[l.index()].kind == LocalKind::Output
                    {
                        frame.locals[l.index()] = Some(value);
                    }
                }
                if let (Some(out), Some(value)) = (call.output, result) {
                    frame.locals[out.index()] = Some(value);
                }
                Ok(())
            }
            Body::Pending | Body::RecordConstructor => Ok(()),
        }
    }

    fn declare(&mut self, function: FunctionId, i: usize, frame: &mut Frame) -> Result<(), Stop> {
        let local = &self.store.function(function).locals[i];
        if let Some(value) = local.value {
            let mut value = self.eval(value, frame)?;
            if self.store.get_type(local.ty).scalar == Scalar::Real {
                to_real(&mut value);
            }
            frame.locals[i] = Some(value);
            return Ok(());
        }
        let ty = self.store.get_type(local.ty).clone();
        let own = local.dims.len();
        let mut dims = Vec::new();
        for dim in &local.dims {
            let n = match dim {
                Some(e) => self.eval(*e, frame)?.as_index().unwrap_or(0).max(0),
                None => 0,
            };
            let n = u32::try_from(n).map_err(|_| Stop::error(format!("{n} is no size of an array")))?;
            dims.push(crate::Dim::Known(n));
        }
        dims.extend(ty.dims.iter().skip(own).copied());
        let count = dims.iter().try_fold(1usize, |n, d: &crate::Dim| n.checked_mul(d.known().unwrap_or(0)));
        match count {
            Some(count) if count <= limits::ELEMENTS => self.spend(count)?,
            _ => {
                let message =
                    format!("the array `{}` has more than {} elements", local.name, limits::ELEMENTS);
                return Err(Stop::error(message));
            }
        }
        frame.locals[i] = Some(Value::default(self.store, &Type { scalar: ty.scalar, dims }));
        Ok(())
    }

    fn block(&mut self, statements: &[Stmt], frame: &mut Frame) -> Result<Flow, Stop> {
        for statement in statements {
            match self.statement(statement, frame)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Stmt, frame: &mut Frame) -> Result<Flow, Stop> {
        match statement {
            Stmt::Assign(target, e, span) => {
                let value = self.eval(*e, frame).map_err(|s| at(s, *span))?;
                self.assign(target, value, frame).map_err(|s| at(s, *span))?;
            }
            Stmt::AssignTuple(targets, e, span) => {
                let value = self.eval(*e, frame).map_err(|s| at(s, *span))?;
                let items = match value {
                    Value::Tuple(items) => items,
                    Value::Unknown => Arc::new(vec![Value::Unknown; targets.len()]),
                    one => Arc::new(vec![one]),
                };
                for (target, item) in targets.iter().zip(items.iter()) {
                    if let Some(target) = target {
                        self.assign(target, item.clone(), frame).map_err(|s| at(s, *span))?;
                    }
                }
            }
            Stmt::Call(e, span) => {
                self.eval(*e, frame).map_err(|s| at(s, *span))?;
            }
            Stmt::If(branches, otherwise) => {
                return self.choose(branches, otherwise, frame);
            }
            Stmt::For(iter, range, body, span) => {
                let values = self.eval(*range, frame).map_err(|s| at(s, *span))?;
                if values.has_unknown() {
                    return Err(Stop::NotConstant);
                }
                let count = values.dims().first().copied().unwrap_or(1);
                for k in 0..count {
                    frame.set_iterator(*iter, values.part(k).unwrap_or_else(|| values.clone()));
                    match self.block(body, frame)? {
                        Flow::Next => {}
                        Flow::Break => break,
                        Flow::Return => return Ok(Flow::Return),
                    }
                }
            }
            Stmt::While(condition, body, span) => {
                let mut rounds = 0u32;
                while self.condition(*condition, frame).map_err(|s| at(s, *span))? {
                    match self.block(body, frame)? {
                        Flow::Next => {}
                        Flow::Break => break,
                        Flow::Return => return Ok(Flow::Return),
                    }
                    rounds += 1;
                    if rounds > limits::ROUNDS {
                        // Nothing else is tried with the steps that are left.
                        self.spend(usize::MAX)?;
                        let message = format!("a while loop did not end within {} rounds", limits::ROUNDS);
                        return Err(at(Stop::error(message), *span));
                    }
                }
            }
            Stmt::Assert { condition, message, warning, span } => {
                if let Value::Unknown = self.eval(*condition, frame)? {
                    return Ok(Flow::Next);
                }
                if !self.condition(*condition, frame).map_err(|s| at(s, *span))? {
                    let text = self.eval(*message, frame)?;
                    let text = text.as_str().unwrap_or("assertion failed").to_string();
                    match self.eval(*warning, frame)?.as_bool() {
                        Some(true) => self.env.warn(&text),
                        _ => return Err(Stop::Error { message: text, span: Some(*span) }),
                    }
                }
            }
            Stmt::Terminate(_, span) | Stmt::Reinit(_, _, span) | Stmt::When(_, span) => {
                return Err(at(Stop::error("not allowed in a function"), *span));
            }
            Stmt::Break => return Ok(Flow::Break),
            Stmt::Return => return Ok(Flow::Return),
        }
        Ok(Flow::Next)
    }

    fn choose(
        &mut self,
        branches: &[(ExprId, Vec<Stmt>)],
        otherwise: &[Stmt],
        frame: &mut Frame,
    ) -> Result<Flow, Stop> {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return self.block(otherwise, frame);
        };
        match self.eval(*condition, frame)? {
            Value::Bool(true) => self.block(body, frame),
            Value::Bool(false) => self.choose(rest, otherwise, frame),
            Value::Unknown => {
                let mut other = frame.clone();
                self.undecided += 1;
                let ways = self
                    .block(body, frame)
                    .and_then(|taken| Ok((taken, self.choose(rest, otherwise, &mut other)?)));
                self.undecided -= 1;
                let ways = ways?;
                frame.join(other);
                match ways {
                    (Flow::Next, Flow::Next) => Ok(Flow::Next),
                    _ => Err(Stop::NotConstant),
                }
            }
            _ => Err(Stop::error("a condition is not Boolean")),
        }
    }

    fn assign(&mut self, target: &LValue, mut value: Value, frame: &mut Frame) -> Result<(), Stop> {
        let Target::Local(local) = target.target else {
            return Err(Stop::error("a function can assign only its own variables"));
        };
        let mut path = Vec::with_capacity(target.path.len());
        for step in &target.path {
            path.push(match step {
                Step::Field(i) => Place::Field(*i),
                Step::Index(subs) => Place::Index(self.subscripts(subs, frame)?),
            });
        }
        let Some(slot) = frame.locals.get_mut(local.index()) else {
            return Err(Stop::error("no such local"));
        };
        let root = slot.get_or_insert(Value::Int(0));
        store_at(root, &path, &mut value)
    }
}

enum Place {
    Field(u32),
    Index(Vec<Option<Value>>),
}

fn store_at(root: &mut Value, path: &[Place], value: &mut Value) -> Result<(), Stop> {
    let unknown =
        |place: &Place| matches!(place, Place::Index(subs) if subs.iter().flatten().any(Value::has_unknown));
    if !path.is_empty() && (matches!(root, Value::Unknown) || path.first().is_some_and(unknown)) {
        *root = Value::Unknown;
        return Ok(());
    }
    let Some((first, rest)) = path.split_first() else {
        let real = match &*root {
            Value::Real(_) => true,
            Value::Array(a) => matches!(a.data.first(), Some(Value::Real(_))),
            _ => false,
        };
        if real {
            to_real(value);
        }
        *root = std::mem::replace(value, Value::Int(0));
        return Ok(());
    };
    match (first, root) {
        (Place::Field(i), Value::Record(_, fields)) => match Arc::make_mut(fields).get_mut(*i as usize) {
            Some(slot) => store_at(slot, rest, value),
            None => Err(Stop::error("a record has fewer fields than are assigned")),
        },
        (Place::Index(subs), Value::Array(a)) => {
            let (picks, dims) = selection(&a.dims, subs)?;
            let a = Arc::make_mut(a);
            if dims.is_empty() && picks.len() == 1 {
                return store_at(&mut a.data[picks[0]], rest, value);
            }
            let items = spread(value, picks.len());
            if items.len() != picks.len() {
                return Err(Stop::error(format!("{} values for {} elements", items.len(), picks.len())));
            }
            for (k, mut item) in picks.into_iter().zip(items) {
                store_at(&mut a.data[k], rest, &mut item)?;
            }
            Ok(())
        }
        (Place::Field(i), Value::Array(a)) => {
            let items = spread(value, a.data.len());
            let a = Arc::make_mut(a);
            for (slot, mut item) in a.data.iter_mut().zip(items) {
                store_at(slot, &[Place::Field(*i)], &mut item)?;
            }
            Ok(())
        }
        _ => Err(Stop::error("an assignment to a part that does not exist")),
    }
}

/// The elements of a value for `count` places.
fn spread(value: &Value, count: usize) -> Vec<Value> {
    match value {
        Value::Unknown => vec![Value::Unknown; count],
        known => known.elements().to_vec(),
    }
}

fn at(stop: Stop, place: Span) -> Stop {
    match stop {
        Stop::Error { message, span: None } => Stop::Error { message, span: Some(place) },
        other => other,
    }
}
