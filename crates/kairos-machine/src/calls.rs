//! Calls of functions through values: arguments gathered from the memory, results scattered into it.

use crate::diagnostics;
use crate::machine::{EvalError, Fault};
use crate::run::Frame;
use crate::texts::Texts;
use kairos_expr::{Answer, Env, ExternalCall, RelationId, Scalar, Stop, Value, VarId};
use kairos_program::program::{Memory, Program};
use kairos_program::tape::{Argument, CallSite, Destination, Evaluation, Step, TangentSite};
use std::cell::Cell;

/// External functions, as the shell provides them.
pub trait External: Send + Sync {
    /// Arguments in the order of the external call; outputs are overwritten in place.
    fn call(&self, call: &ExternalCall, args: &mut [Value]) -> Result<Option<Value>, Stop>;

    /// What functions remember between calls, as bytes.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// They remember what these bytes say.
    fn restore(&self, _from: &[u8]) -> Result<(), String> {
        Ok(())
    }
}

/// There are none.
pub struct NoExternals;

impl External for NoExternals {
    fn call(&self, call: &ExternalCall, _args: &mut [Value]) -> Result<Option<Value>, Stop> {
        Err(Stop::error(format!("the external function `{}` is not available", call.symbol)))
    }
}

impl External for kairos_expr::Natives {
    fn call(&self, call: &ExternalCall, args: &mut [Value]) -> Result<Option<Value>, Stop> {
        kairos_expr::Natives::call(self, call, args)
    }

    fn save(&self) -> Vec<u8> {
        kairos_expr::Natives::save(self)
    }

    fn restore(&self, from: &[u8]) -> Result<(), String> {
        kairos_expr::Natives::restore(self, from)
    }
}

/// The memory as the interpreter of expressions sees it.
struct Surroundings<'a> {
    program: &'a Program,
    values: &'a [f64],
    others: &'a [Value],
    texts: &'a Texts,
    external: &'a dyn External,
    /// Steps that may be taken, where nothing depends on the answer but a message.
    budget: Option<Cell<u64>>,
}

/// Steps of looking for the statement that is to blame: an expression whose parts are shared may be a large tree.
const BLAME_STEPS: u64 = 1_000_000;

impl Env for Surroundings<'_> {
    fn budget(&self) -> Option<&Cell<u64>> {
        self.budget.as_ref()
    }

    fn var(&self, var: VarId) -> Answer {
        let memory = &self.program.memory;
        let x = self.values[memory.slot_of[var.index()] as usize];
        if let Some(other) = memory.other_of[var.index()] {
            return Ok(self.texts.of(x).unwrap_or(&self.others[other as usize]).clone());
        }
        Ok(number(x, self.program.types[var.index()]))
    }

    fn time(&self) -> Answer {
        Ok(Value::Real(self.values[self.program.memory.time as usize]))
    }

    fn relation(&self, relation: RelationId) -> Answer {
        let slot = self.program.memory.relations + relation.0;
        Ok(Value::Bool(self.values[slot as usize] != 0.0))
    }

    fn external(&self, call: &ExternalCall, args: &mut [Value]) -> Result<Option<Value>, Stop> {
        self.external.call(call, args)
    }
}

fn number(x: f64, ty: Scalar) -> Value {
    match ty {
        Scalar::Int => Value::Int(x as i64),
        Scalar::Bool => Value::Bool(x != 0.0),
        Scalar::Enum(e) => Value::Enum(e, x as u32),
        _ => Value::Real(x),
    }
}

fn failure(program: &Program, stop: Stop) -> EvalError {
    EvalError::Recoverable(match stop {
        Stop::Error { message, span } => diagnostics::function_failed(message, span),
        Stop::NeedVar(_) | Stop::NotConstant => {
            diagnostics::function_failed("an expression cannot be evaluated here".into(), None)
        }
        Stop::NeedFunction(f) => {
            let name = program.store.function(f).name;
            diagnostics::function_failed(format!("the function `{name}` has no body"), None)
        }
    })
}

impl Frame {
    fn surroundings<'a>(&'a self, program: &'a Program) -> Surroundings<'a> {
        let Frame { values, others, texts, external, .. } = self;
        Surroundings { program, values, others, texts, external: &**external, budget: None }
    }

    fn gather(&self, program: &Program, argument: &Argument) -> Answer {
        Ok(match argument {
            Argument::Number(slot, ty) => number(self.values[*slot as usize], *ty),
            Argument::Array(dims, items) => {
                let mut data = Vec::with_capacity(dims.iter().product());
                for item in items {
                    match self.gather(program, item)? {
                        Value::Array(inner) => data.extend(inner.data.iter().cloned()),
                        value => data.push(value),
                    }
                }
                Value::array(dims.clone(), data)
            }
            Argument::Record(r, items) => {
                let fields = items.iter().map(|i| self.gather(program, i)).collect::<Result<Vec<_>, _>>()?;
                Value::Record(*r, fields.into())
            }
            Argument::Text(text) => Value::str(text.as_str()),
            Argument::Other(other) => {
                let number = self.values[program.memory.other_slots[*other as usize] as usize];
                self.texts.of(number).unwrap_or(&self.others[*other as usize]).clone()
            }
            Argument::Result(result) => match &self.results[*result as usize] {
                Some(value) => value.clone(),
                None => return Err(Stop::NotConstant),
            },
            Argument::Expression(e) => {
                kairos_expr::evaluate(&program.store, &self.surroundings(program), *e)?
            }
        })
    }

    fn invoke(&self, program: &Program, site: &CallSite) -> Answer {
        let args = site.arguments.iter().map(|a| self.gather(program, a)).collect::<Result<Vec<_>, _>>()?;
        kairos_expr::call(&program.store, &self.surroundings(program), site.function, args)
    }

    pub fn call(&mut self, program: &Program, site: &CallSite) -> Result<(), EvalError> {
        let value = self.invoke(program, site).map_err(|stop| failure(program, stop))?;
        for (steps, slot) in &site.outputs {
            self.values[*slot as usize] = follow(&value, steps).ok_or_else(|| missing(program, site))?;
        }
        if let Some(result) = site.result {
            self.results[result as usize] = Some(value);
        }
        Ok(())
    }

    /// A difference quotient along the tangent of the arguments.
    pub fn call_tangent(&mut self, program: &Program, site: &TangentSite) -> Result<(), EvalError> {
        let call = &program.memory.calls[site.call as usize];
        let saved: Vec<f64> = site.inputs.iter().map(|(slot, _)| self.values[*slot as usize]).collect();
        let direction: Vec<f64> = site.inputs.iter().map(|(_, t)| self.values[*t as usize]).collect();
        let mut ratio = 0.0f64;
        for (x, d) in saved.iter().zip(&direction) {
            ratio = ratio.max(d.abs() / (x.abs() + 1.0));
        }
        let before: Vec<f64> = call.outputs.iter().map(|(_, slot)| self.values[*slot as usize]).collect();
        let mut tangents = vec![0.0; before.len()];
        if ratio > 0.0 && ratio.is_finite() {
            let step = 6e-6 / ratio;
            let mut sides = [Vec::new(), Vec::new()];
            for (side, sign) in sides.iter_mut().zip([1.0, -1.0]) {
                for (k, (slot, _)) in site.inputs.iter().enumerate() {
                    self.values[*slot as usize] = saved[k] + sign * step * direction[k];
                }
                if let Ok(value) = self.invoke(program, call) {
                    side.extend(call.outputs.iter().filter_map(|(steps, _)| follow(&value, steps)));
                }
            }
            for (k, (slot, _)) in site.inputs.iter().enumerate() {
                self.values[*slot as usize] = saved[k];
            }
            let [up, down] = &sides;
            let n = before.len();
            for k in 0..n {
                tangents[k] = match (up.len() == n, down.len() == n) {
                    (true, true) => (up[k] - down[k]) / (2.0 * step),
                    (true, false) => (up[k] - before[k]) / step,
                    (false, true) => (before[k] - down[k]) / step,
                    _ => return Err(EvalError::Recoverable(no_slope(program, call))),
                };
            }
        }
        for ((&to, (_, value)), tangent) in site.outputs.iter().zip(&call.outputs).zip(tangents) {
            if to != *value {
                self.values[to as usize] = tangent;
            }
        }
        Ok(())
    }

    pub fn evaluate(&mut self, program: &Program, site: Evaluation) -> Result<(), EvalError> {
        let value = kairos_expr::evaluate(&program.store, &self.surroundings(program), site.expr)
            .map_err(|stop| failure(program, stop))?;
        match site.to {
            Destination::Other(other) => self.put(program, other, value),
            Destination::Number(slot) => match value.as_f64().or(value.as_bool().map(f64::from)) {
                Some(x) => self.values[slot as usize] = x,
                None => return Err(failure(program, Stop::NotConstant)),
            },
        }
        Ok(())
    }

    /// Gives a text or an external object to a variable.
    pub fn put(&mut self, program: &Program, other: u32, value: Value) {
        if let Value::Str(_) = value {
            let slot = program.memory.other_slots[other as usize];
            self.values[slot as usize] = self.texts.number(&value);
        }
        self.others[other as usize] = value;
    }

    /// Why an expression has no value, if a statement of a function is to blame.
    pub fn reason(&self, program: &Program, e: kairos_expr::ExprId) -> Option<Fault> {
        let briefly = Surroundings { budget: Some(BLAME_STEPS.into()), ..self.surroundings(program) };
        match kairos_expr::evaluate(&program.store, &briefly, e) {
            Err(Stop::Error { message, span: Some(span) }) => {
                Some(diagnostics::function_failed(message, Some(span)))
            }
            _ => None,
        }
    }

    /// The text of a message, or a stand-in if it cannot be evaluated.
    pub fn text(&self, program: &Program, e: kairos_expr::ExprId) -> String {
        match kairos_expr::evaluate(&program.store, &self.surroundings(program), e) {
            Ok(Value::Str(text)) => text.to_string(),
            _ => "(the message cannot be evaluated)".into(),
        }
    }
}

fn follow(value: &Value, steps: &[Step]) -> Option<f64> {
    let mut here = value;
    for step in steps {
        here = match (step, here) {
            (Step::Item(k), Value::Tuple(items)) => items.get(*k as usize)?,
            (Step::Item(0), other) => other,
            (Step::Field(k), Value::Record(_, fields)) => fields.get(*k as usize)?,
            (Step::Element(k), Value::Array(array)) => array.data.get(*k as usize)?,
            _ => return None,
        };
    }
    here.as_f64().or(here.as_bool().map(f64::from))
}

fn missing(program: &Program, site: &CallSite) -> EvalError {
    let name = program.store.function(site.function).name;
    EvalError::Fatal(diagnostics::function_failed(
        format!("`{name}` did not return the expected outputs"),
        None,
    ))
}

fn no_slope(program: &Program, site: &CallSite) -> Fault {
    let name = program.store.function(site.function).name;
    diagnostics::function_failed(format!("`{name}` cannot be evaluated around this point"), None)
}

/// A work space for one memory.
pub fn image(memory: &Memory) -> (Vec<f64>, Vec<Value>, Vec<Option<Value>>) {
    (memory.slots.image.clone(), memory.others.clone(), vec![None; memory.results as usize])
}
