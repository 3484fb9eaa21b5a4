//! Constant evaluation of parameters, sizes and conditions, on demand.

use crate::comps::{Lazy, Variability, What};
use crate::{CompId, Sema, diagnostics};
use kairos_base::hash::HashMap;
use kairos_base::{Name, Span, limits};
use kairos_expr::{
    Answer, Builtin, Env, ExprId, ExternalCall, Scalar, Stop, Value, VarId, evaluate, to_real,
};
use std::sync::Arc;

/// Values that are known so far.
struct Known<'k> {
    values: &'k HashMap<VarId, Value>,
    natives: &'k kairos_expr::Natives,
    store: &'k kairos_expr::Store,
    forest: &'k crate::Forest,
    budget: &'k std::cell::Cell<u64>,
}

impl Env for Known<'_> {
    fn var(&self, var: VarId) -> Answer {
        self.values.get(&var).cloned().ok_or(Stop::NeedVar(var))
    }

    fn operator(&self, builtin: Builtin, args: &[ExprId]) -> Answer {
        self.forest.answer(self.store, builtin, args)
    }

    fn external(&self, call: &ExternalCall, args: &mut [Value]) -> Result<Option<Value>, Stop> {
        self.natives.call(call, args)
    }

    fn budget(&self) -> Option<&std::cell::Cell<u64>> {
        Some(self.budget)
    }
}

impl<'a> Sema<'a> {
    /// The value of an expression that must not depend on the simulation.
    pub fn constant(&mut self, e: ExprId) -> Answer {
        let mut rounds = 0;
        loop {
            let known = Known {
                values: &self.values,
                natives: &self.natives,
                store: &self.store,
                forest: &self.forest,
                budget: &self.budget,
            };
            match evaluate(&self.store, &known, e) {
                Err(Stop::NeedVar(var)) => {
                    let value = self.var_value(var)?;
                    self.values.insert(var, value);
                }
                Err(Stop::NeedFunction(f)) => self.need_function(f),
                answer => return answer,
            }
            rounds += 1;
            if rounds > 1_000_000 {
                return Err(Stop::error("the evaluation does not end"));
            }
        }
    }

    /// The value of a component, or of one scalar of it.
    fn var_value(&mut self, var: VarId) -> Answer {
        match self.scalars.first() {
            Some((first, _)) if var >= *first => {
                let at = self.scalars.partition_point(|(v, _)| *v <= var) - 1;
                let (first, comp) = self.scalars[at];
                let whole = self.comp_value(comp)?;
                let k = (var.0 - first.0) as usize;
                whole.elements().get(k).cloned().ok_or(Stop::NotConstant)
            }
            _ => self.comp_value(CompId::new(var.index())),
        }
    }

    /// Like `constant`, without a message and without making parameters structural.
    pub fn try_constant(&mut self, e: ExprId) -> Option<Value> {
        let mark = self.diagnostics.len();
        let was = std::mem::replace(&mut self.marking, false);
        let answer = self.constant(e).ok();
        self.marking = was;
        self.forget(mark);
        answer
    }

    /// The value of a constant or parameter; it becomes structural.
    pub fn comp_value(&mut self, id: CompId) -> Answer {
        if let Some(inner) = self.comp(id).outer {
            return self.comp_value(inner);
        }
        if self.marking {
            self.comps[id.index()].structural = true;
        }
        match &self.comp(id).value {
            Lazy::Known(value) => return (**value).clone(),
            Lazy::Busy => {
                let name = self.comp_path(id);
                let span = self.comp(id).span;
                let message = format!("the value of `{name}` depends on itself");
                return Err(Stop::Error { message, span: Some(span) });
            }
            Lazy::Unknown => {}
        }
        if self.chain >= limits::CHAIN {
            let (name, span) = (self.comp_path(id), self.comp(id).span);
            let message = format!(
                "more than {} values are each needed for the one before, the last is `{name}`",
                limits::CHAIN
            );
            return Err(Stop::Error { message, span: Some(span) });
        }
        self.comps[id.index()].value = Lazy::Busy;
        self.chain += 1;
        let value = self.compute_value(id);
        self.chain -= 1;
        // A failure may be due to a cycle that another start does not have, so only values are kept.
        self.comps[id.index()].value = match &value {
            Ok(_) => Lazy::Known(Box::new(value.clone())),
            Err(_) => Lazy::Unknown,
        };
        value
    }

    fn compute_value(&mut self, id: CompId) -> Answer {
        match self.comp(id).what {
            What::Variable(scalar) => self.variable_value(id, scalar),
            What::Array => {
                let elements = self.comp(id).elements.clone();
                let dims = self.comp(id).dims.iter().map(|d| d.known().unwrap_or(0)).collect();
                let data = elements.into_iter().map(|e| self.comp_value(e)).collect::<Result<Vec<_>, _>>()?;
                Ok(Value::array(dims, data))
            }
            What::Parts => {
                let Scalar::Record(record) = self.comp_type(id).scalar else { return Err(Stop::NotConstant) };
                let names: Vec<Name> = self.store.record(record).fields.iter().map(|(n, _)| *n).collect();
                let mut fields = Vec::with_capacity(names.len());
                for name in names {
                    let Some(child) = self.child(id, name) else { return Err(Stop::NotConstant) };
                    fields.push(self.comp_value(child)?);
                }
                Ok(Value::Record(record, Arc::new(fields)))
            }
            What::Package | What::Broken => Err(Stop::NotConstant),
        }
    }

    fn variable_value(&mut self, id: CompId, scalar: Scalar) -> Answer {
        if self.comp(id).variability > Variability::Parameter {
            return Err(Stop::NotConstant);
        }
        if self.fixed_false(id) {
            return Err(Stop::NotConstant);
        }
        let source = match self.binding(id) {
            Some(e) => Some(e),
            None => self.attribute(id, Name::START),
        };
        let Some(e) = source else {
            let (name, span) = (self.comp_path(id), self.comp(id).span);
            return Err(Stop::Error { message: format!("`{name}` has no value"), span: Some(span) });
        };
        let mut value = self.constant(e)?;
        if scalar == Scalar::Real {
            to_real(&mut value);
        }
        let dims: Vec<usize> = self.comp(id).dims.iter().map(|d| d.known().unwrap_or(0)).collect();
        if value.dims().is_empty() && !dims.is_empty() {
            let count = dims.iter().product();
            value = Value::array(dims, vec![value; count]);
        }
        Ok(value)
    }

    pub(crate) fn fixed_false(&mut self, id: CompId) -> bool {
        let name = Name::FIXED;
        if self.comp(id).mods.sub(name).is_none() && self.comp(id).class.is_none() {
            return false;
        }
        let Some(e) = self.attribute(id, name) else { return false };
        matches!(self.try_constant(e), Some(Value::Bool(false)))
    }

    /// Says why something that must be constant is not.
    pub(crate) fn report_stop(&mut self, stop: Stop, span: Span, what: &str) {
        match stop {
            Stop::Error { message, span: Some(inner) } if inner != span => {
                self.report(diagnostics::evaluation_failed(what, &message, span).label(inner, "here"));
            }
            Stop::Error { message, .. } => self.report(diagnostics::evaluation_failed(what, &message, span)),
            Stop::NotConstant | Stop::NeedVar(_) | Stop::NeedFunction(_) => {
                self.report(diagnostics::not_constant(what, span));
            }
        }
    }
}
