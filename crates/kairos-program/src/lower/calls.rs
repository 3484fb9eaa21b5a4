//! Calls of functions: as routines where they are numeric, otherwise handed to the interpreter of values.

use super::Lowering;
use crate::routine::{Builder, Fallback, Invocation, Lowered, Part, Refusal, of_type};
use crate::tape::{Argument, CallSite, Op, Slot};
use kairos_expr::{ExprId, ExprMap, FunctionId, Node, Scalar};

impl Lowering<'_> {
    /// Lowers composite values; leaves no trace if that fails.
    pub(super) fn build<T>(
        &mut self,
        given: &ExprMap<Part>,
        body: impl FnOnce(&mut Builder) -> Lowered<T>,
    ) -> Lowered<T> {
        let (ops, slots) = (self.ops.len(), self.memory.slots.len());
        let mut builder = Builder::new(self.store, &mut self.memory.slots, &mut self.memory.routines, given);
        builder.ops = std::mem::take(&mut self.ops);
        builder.allow(ops);
        let outcome = body(&mut builder);
        self.ops = builder.ops;
        if outcome.is_err() {
            self.ops.truncate(ops);
            self.memory.slots.truncate(slots);
        }
        outcome
    }

    /// The numbers that the composite values of `e` are made of.
    pub(super) fn given(&mut self, e: ExprId) -> ExprMap<Part> {
        let mut given: ExprMap<Part> = ExprMap::default();
        let mut operands = Vec::new();
        self.operands(e, &mut operands);
        for operand in operands {
            let scalar = self.store.ty(operand).scalar;
            match self.parts.get(&operand) {
                Some(part) => given.insert(operand, part.clone()),
                None if self.is_number(operand) => {
                    given.insert(operand, Part::Number(self.slot(operand), scalar))
                }
                None => None,
            };
        }
        self.leaves(e, &mut given);
        given
    }

    /// Variables that stand in branches, which are no operands.
    pub(super) fn leaves(&mut self, e: ExprId, given: &mut ExprMap<Part>) {
        for leaf in self.store.post_order(&[e], |_| false) {
            let scalar = self.store.ty(leaf).scalar;
            match self.store.node(leaf) {
                Node::Var(v) => match (self.memory.other_of[v.index()], scalar) {
                    (Some(_), Scalar::Str) => {
                        given.insert(leaf, Part::Text(None));
                    }
                    (Some(_), _) => {}
                    (None, _) => {
                        given.insert(leaf, Part::Number(self.slot(leaf), scalar));
                    }
                },
                Node::Time | Node::Relation(_) => {
                    given.insert(leaf, Part::Number(self.slot(leaf), scalar));
                }
                _ => {}
            }
        }
    }

    pub(super) fn call(&mut self, e: ExprId, function: FunctionId, args: &[ExprId]) {
        let given = self.given(e);
        let parts = args.iter().map(|&a| self.build(&given, |builder| builder.expression(a)));
        let parts: Vec<Lowered> = parts.collect();
        let arguments = args.iter().zip(&parts).map(|(&a, part)| self.argument(a, part)).collect();
        let result = self.memory.results;
        self.memory.results += 1;
        self.results.insert(e, result);
        let mut site = CallSite { function, arguments, outputs: Vec::new(), result: Some(result) };
        let all = parts.into_iter().collect::<Lowered<Vec<Part>>>();
        if let Ok(parts) = all
            && let Ok(part) = self.routine_call(&given, &mut site, parts)
        {
            self.picked(e, part);
            return;
        }
        if let Some(part) = self.whole_result(function) {
            site.outputs = part.paths();
            self.picked(e, part);
        } else {
            if self.is_number(e) {
                site.outputs.push((Vec::new(), self.slot(e)));
            }
            for (steps, node) in self.picks.get(&e).cloned().unwrap_or_default() {
                let slot = self.slot(node);
                site.outputs.push((steps, slot));
            }
        }
        let at = self.memory.calls.len() as u32;
        self.memory.calls.push(site);
        self.ops.push(Op::Call { site: at });
    }

    /// The call as numeric code; `site` is the same call through values, for where that gives up.
    pub(super) fn routine_call(
        &mut self,
        given: &ExprMap<Part>,
        site: &mut CallSite,
        parts: Vec<Part>,
    ) -> Lowered {
        let fallback = self.memory.calls.len() as u32;
        let (function, store) = (site.function, self.store);
        let part = self.build(given, |builder| {
            let id = builder.library.compile(store, function, &parts, builder.slots)?;
            let arguments: Vec<Slot> = parts.iter().flat_map(Part::slots).collect();
            if let Some(part) = builder.splice(id, &arguments, Op::Call { site: fallback })? {
                return Ok(part);
            }
            let (outputs, part) = builder.results_of(id)?;
            let fallback = Some(Fallback { call: fallback, tangent: None });
            let invocation = Invocation { routine: id, arguments, outputs, fallback };
            let site = builder.library.invocation(invocation);
            builder.ops.push(Op::Invoke { site });
            Ok(part)
        })?;
        let mut site = site.clone();
        site.outputs = part.paths();
        self.memory.calls.push(site);
        Ok(part)
    }

    /// Notes where the numbers of a call's result stand.
    pub(super) fn picked(&mut self, e: ExprId, part: Part) {
        if let Part::Number(slot, _) = part {
            self.settle(e, slot);
        }
        for (steps, node) in self.picks.get(&e).cloned().unwrap_or_default() {
            if let Some(Part::Number(slot, _)) = part.follow(&steps) {
                self.settle(node, *slot);
            }
        }
        self.parts.insert(e, part);
    }

    pub(super) fn settle(&mut self, e: ExprId, slot: Slot) {
        match self.slots.get(&e) {
            Some(&to) if to != slot => self.ops.push(Op::Copy { to, a: slot }),
            Some(_) => {}
            None => {
                self.slots.insert(e, slot);
            }
        }
    }

    /// Slots for all numbers that a function returns, if they are few and their structure is declared.
    pub(super) fn whole_result(&mut self, function: FunctionId) -> Option<Part> {
        let function = self.store.function(function);
        let mut count = 0;
        let parts = function.outputs.iter().map(|o| {
            let ty = self.store.get_type(function.locals[o.index()].ty);
            of_type(self.store, ty, &mut |_| {
                count += 1;
                0
            })
        });
        let mut parts = parts.collect::<Option<Vec<Part>>>()?;
        if count > 64 || parts.iter().any(|p| !p.texts().is_empty()) {
            return None;
        }
        let part = match parts.len() {
            1 => parts.swap_remove(0),
            _ => Part::Tuple(parts),
        };
        Some(part.map(&mut |_, _| self.memory.slots.scratch()))
    }

    pub(super) fn argument(&mut self, a: ExprId, part: &Lowered) -> Argument {
        if let Some(argument) = part.as_ref().ok().and_then(Argument::of) {
            return argument;
        }
        match self.store.node(a).clone() {
            Node::Array(items) if !items.is_empty() && self.store.ty(a).sizes().is_some() => {
                let sizes = self.store.ty(a).sizes().unwrap_or_default();
                Argument::Array(sizes, items.iter().map(|&i| self.inner_argument(i)).collect())
            }
            Node::Record(r, items) => {
                Argument::Record(r, items.iter().map(|&i| self.inner_argument(i)).collect())
            }
            Node::Call(..) => match self.results.get(&a) {
                Some(&result) if !self.parts.contains_key(&a) => Argument::Result(result),
                _ => Argument::Expression(a),
            },
            Node::Var(v) => match self.memory.other_of[v.index()] {
                Some(other) => Argument::Other(other),
                None => Argument::Expression(a),
            },
            _ => Argument::Expression(a),
        }
    }

    pub(super) fn inner_argument(&mut self, a: ExprId) -> Argument {
        let part = match self.is_number(a) {
            true => Ok(Part::Number(self.slot(a), self.store.ty(a).scalar)),
            false => self.parts.get(&a).cloned().ok_or(Refusal::Foreign),
        };
        self.argument(a, &part)
    }
}
