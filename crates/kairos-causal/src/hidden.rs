//! Results of functions that are zero whatever their unknown arguments are: capacitances that a device does not have.

use crate::model::Role;
use crate::work::{Kind, Work};
use kairos_expr::{Answer, Builtin, Env, ExprId, Node, Sub, Value, VarId, evaluate, field, index};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Gives such results the value zero, so that products with them vanish before states are chosen. The parameters that
/// make them zero are structural from then on.
pub fn fold_zero_results(work: &mut Work) {
    let mut zeros: Vec<(usize, VarId)> = Vec::new();
    {
        let steps = work.budget.left().into();
        let known = Known { work, values: RefCell::default(), results: RefCell::default(), steps };
        for (r, row) in work.rows.iter().enumerate() {
            let candidate = match (work.store.node(row.lhs), work.store.node(row.rhs)) {
                (Node::Var(v), _) if known.is_result(row.rhs) => Some((*v, row.rhs)),
                (_, Node::Var(v)) if known.is_result(row.lhs) => Some((*v, row.lhs)),
                _ => None,
            };
            if let Some((v, result)) = candidate
                && row.kind == Kind::Continuous
                && row.initial.is_none()
                && work.is_plain(v)
                && known.reads_numbers(result)
                && known.result(result).is_ok_and(|value| value.as_f64() == Some(0.0))
            {
                zeros.push((r, v));
            }
        }
        work.budget.leave(known.steps.get());
    }
    let mut reasons: BTreeSet<VarId> = BTreeSet::new();
    for &(r, v) in &zeros {
        let row = &work.rows[r];
        reasons.extend(work.store.variables(&[row.lhs, row.rhs]));
        work.roles[v.index()] = Role::Parameter;
        work.vars[v.index()].binding = Some(work.store.zero());
    }
    reasons.retain(|v| work.roles[v.index()] == Role::Parameter);
    work.freeze(reasons);
    for (r, _) in zeros.into_iter().rev() {
        work.rows.remove(r);
    }
    work.varying.clear();
}

/// Parameters at their declared values, everything else unknown; each value and each call is computed once.
struct Known<'a> {
    work: &'a Work,
    values: RefCell<BTreeMap<VarId, Value>>,
    results: RefCell<BTreeMap<ExprId, Value>>,
    /// That evaluations may still take.
    steps: Cell<u64>,
}

impl Known<'_> {
    /// A selection from the result of a pure function that is not inlined.
    fn is_result(&self, e: ExprId) -> bool {
        match self.work.store.node(e) {
            Node::Call(f, _) => {
                let function = self.work.store.function(*f);
                // MLS 12.7.1: its derivative may have a value all the same, where it leaves arguments out.
                let own = function.derivatives.iter().any(|d| !d.no_derivative.is_empty());
                function.pure && !own
            }
            Node::Field(of, _) | Node::Item(of, _) | Node::Index(of, _) => self.is_result(*of),
            _ => false,
        }
    }

    /// Is some argument known? Without one there is no reason for a zero, and a function of unknowns alone is dear to evaluate:
    /// it takes all its branches.
    fn reads_numbers(&self, e: ExprId) -> bool {
        let Work { store, roles, .. } = self.work;
        store.post_order(&[e], |_| false).into_iter().any(|e| match *store.node(e) {
            Node::Real(_) => true,
            Node::Var(v) => roles[v.index()] == Role::Parameter,
            _ => false,
        })
    }

    fn result(&self, e: ExprId) -> Answer {
        let store = &self.work.store;
        match store.node(e) {
            Node::Call(..) => {
                if let Some(value) = self.results.borrow().get(&e) {
                    return Ok(value.clone());
                }
                let value = evaluate(store, self, e).unwrap_or(Value::Unknown);
                self.results.borrow_mut().insert(e, value.clone());
                Ok(value)
            }
            Node::Field(of, k) => field(&self.result(*of)?, *k),
            Node::Item(of, k) => Ok(match self.result(*of)? {
                Value::Tuple(items) => items.get(*k as usize).cloned().unwrap_or(Value::Unknown),
                other => other,
            }),
            Node::Index(of, subs) => {
                let subs = subs.iter().map(|sub| match sub {
                    Sub::All => Ok(None),
                    Sub::At(e) => self.result(*e).map(Some),
                });
                Ok(index(&self.result(*of)?, &subs.collect::<Result<Vec<_>, _>>()?)?)
            }
            _ => evaluate(store, self, e),
        }
    }
}

impl Env for Known<'_> {
    fn budget(&self) -> Option<&Cell<u64>> {
        Some(&self.steps)
    }

    fn var(&self, v: VarId) -> Answer {
        if self.work.roles[v.index()] != Role::Parameter {
            return Ok(Value::Unknown);
        }
        if let Some(value) = self.values.borrow().get(&v) {
            return Ok(value.clone());
        }
        // Unknown meanwhile, in case a binding leads back here.
        self.values.borrow_mut().insert(v, Value::Unknown);
        let var = &self.work.vars[v.index()];
        let value = match var.binding.or(var.start) {
            Some(binding) => self.result(binding).unwrap_or(Value::Unknown),
            None => Value::Unknown,
        };
        self.values.borrow_mut().insert(v, value.clone());
        Ok(value)
    }

    fn time(&self) -> Answer {
        Ok(Value::Unknown)
    }

    fn operator(&self, _: Builtin, _: &[ExprId]) -> Answer {
        Ok(Value::Unknown)
    }
}
