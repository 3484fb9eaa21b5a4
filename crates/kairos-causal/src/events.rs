//! Operators of the hybrid part made explicit: derivatives, left limits, samplers, event-raising relations.

use crate::diagnostics;
use crate::model::{Role, Sampler};
use crate::work::Work;
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, Node, Scalar, VarId};

impl Work {
    /// Rewrites an expression of the source; relations become held ones if `events`.
    pub fn lower(&mut self, root: ExprId, events: bool) -> ExprId {
        let memo = if events { &self.with_events } else { &self.without_events };
        if let Some(&done) = memo.get(&root) {
            return done;
        }
        let mut memo = std::mem::take(if events { &mut self.with_events } else { &mut self.without_events });
        let order = self.store.post_order(&[root], |e| memo.contains_key(&e) || events && self.is_quiet(e));
        // `order` stops at quiet nodes; they are lowered without events when their parent asks for them.
        for e in order {
            let mut quiet = Vec::new();
            if events {
                self.store.children(e, |c| {
                    if !memo.contains_key(&c) {
                        quiet.push(c);
                    }
                });
            }
            for c in quiet {
                let plain = self.lower(c, false);
                memo.insert(c, plain);
            }
            let built = self.store.map_children(e, |_, c| memo.get(&c).copied().unwrap_or(c));
            let new = self.lower_node(built, events);
            memo.insert(e, new);
        }
        if !memo.contains_key(&root) {
            // The root itself is quiet.
            let plain = self.lower(root, false);
            memo.insert(root, plain);
        }
        let result = memo[&root];
        *(if events { &mut self.with_events } else { &mut self.without_events }) = memo;
        result
    }

    /// Inside of this nothing raises events. MLS 3.7.5: what `smooth` calls continuous needs none; a flow that settles at
    /// the kink would be stopped there by its round-off again and again.
    fn is_quiet(&self, e: ExprId) -> bool {
        match self.store.node(e) {
            Node::Builtin(Builtin::NoEvent, _) => true,
            Node::Builtin(Builtin::Smooth, args) => self.store.number(args[0]).is_some_and(|p| p >= 0.0),
            _ => false,
        }
    }

    fn lower_node(&mut self, e: ExprId, events: bool) -> ExprId {
        match self.store.node(e).clone() {
            Node::Builtin(builtin, args) => self.lower_builtin(e, builtin, &args, events),
            Node::Binary(op, a, b) if op.is_relation() && events => {
                let plain = self.store.simplify_node(e);
                let numeric = |s: Scalar| matches!(s, Scalar::Real | Scalar::Int);
                let both = numeric(self.store.ty(a).scalar) && numeric(self.store.ty(b).scalar);
                match both && (self.varies(a) || self.varies(b)) && self.store.number(plain).is_none() {
                    true => self.relation(op, a, b),
                    false => plain,
                }
            }
            Node::If(c, a, b) => match self.structural_choice(c, a, b) {
                Some(chosen) => chosen,
                None => self.store.simplify_node(e),
            },
            _ => self.store.simplify_node(e),
        }
    }

    /// A branch that parameters decide is taken at compile time if the other has other unknowns.
    fn structural_choice(&mut self, condition: ExprId, a: ExprId, b: ExprId) -> Option<ExprId> {
        if matches!(self.store.node(condition), Node::Bool(_)) {
            return None;
        }
        let used = self.store.variables(&[condition]);
        if used.is_empty() || self.varies(condition) {
            return None;
        }
        if !used.iter().all(|v| self.roles[v.index()] == Role::Parameter) {
            return None;
        }
        let unknowns = |work: &Work, e: ExprId| {
            let mut list = work.store.variables(&[e]);
            list.retain(|v| work.roles[v.index()] != Role::Parameter);
            list.sort_unstable();
            list
        };
        if unknowns(self, a) == unknowns(self, b) {
            return None;
        }
        let chosen = if self.parameter_value(condition)? != 0.0 { a } else { b };
        let mut stack = used;
        while let Some(v) = stack.pop() {
            let var = &mut self.vars[v.index()];
            if !std::mem::replace(&mut var.structural, true)
                && let Some(binding) = var.binding
            {
                stack.extend(self.store.variables(&[binding]));
            }
        }
        Some(chosen)
    }

    fn lower_builtin(&mut self, e: ExprId, builtin: Builtin, args: &[ExprId], events: bool) -> ExprId {
        match builtin {
            Builtin::NoEvent => args[0],
            Builtin::Smooth => args[1],
            Builtin::Hold => self.held_value(args[0]),
            Builtin::Pre => self.left_limit(args[0]),
            Builtin::Edge => {
                let before = self.left_limit(args[0]);
                let before = self.store.not(before);
                self.store.and(args[0], before)
            }
            Builtin::Change => {
                let before = self.left_limit(args[0]);
                self.store.compare(BinOp::Ne, args[0], before)
            }
            Builtin::Der => self.time_derivative(args[0]),
            Builtin::Initial => self.var_expr(self.initial_flag),
            Builtin::Terminal => self.var_expr(self.terminal_flag),
            Builtin::Sample => self.sampler(args[0], args[1]),
            _ if events && builtin.row().event && args.iter().any(|&a| self.varies(a)) => {
                self.event_function(builtin, args).unwrap_or(e)
            }
            _ => self.store.simplify_node(e),
        }
    }

    pub fn left_limit(&mut self, e: ExprId) -> ExprId {
        let mut memo = ExprMap::default();
        let vars = self.store.variables(&[e]);
        let pre: Vec<(VarId, ExprId)> = vars.into_iter().map(|v| (v, self.pre_expr(v))).collect();
        self.store.substitute(e, &mut memo, &mut |_, v| pre.iter().find(|(w, _)| *w == v).map(|(_, p)| *p))
    }

    fn time_derivative(&mut self, e: ExprId) -> ExprId {
        let vars = self.store.variables(&[e]);
        let mut known: Vec<(VarId, ExprId)> = Vec::new();
        for v in vars {
            if matches!(self.roles[v.index()], Role::Algebraic | Role::State) {
                let der = self.der_var(v);
                known.push((v, self.var_expr(der)));
            }
        }
        let mut memo = ExprMap::default();
        let derivative = self.store.differentiate(e, &mut memo, &mut |store, leaf| match *store.node(leaf) {
            Node::Var(v) => Ok(known.iter().find(|(w, _)| *w == v).map(|(_, d)| *d)),
            Node::Time => Ok(Some(store.real(1.0))),
            _ => Ok(None),
        });
        match derivative {
            Ok(Some(d)) => d,
            Ok(None) => self.store.zero(),
            Err(why) => {
                self.diagnostics.push(diagnostics::not_differentiable(self.here.span, &why, "der"));
                self.store.zero()
            }
        }
    }

    pub fn sampler(&mut self, start: ExprId, interval: ExprId) -> ExprId {
        let next = self.samplers.len() as u32;
        let index = *self.sampler_ids.entry((start, interval)).or_insert(next);
        if index == next {
            let flag = self.new_var("sample", Scalar::Bool, Role::Sampler(index));
            self.samplers.push(Sampler { start, interval, flag, origin: self.here });
        }
        let flag = self.samplers[index as usize].flag;
        self.var_expr(flag)
    }

    /// Does the expression change between events?
    pub fn varies(&mut self, root: ExprId) -> bool {
        if let Some(&known) = self.varying.get(&root) {
            return known;
        }
        for e in self.store.post_order(&[root], |e| self.varying.contains_key(&e)) {
            let answer = match self.store.node(e) {
                Node::Time => true,
                Node::Var(v) => !self.is_known_between_events(*v),
                Node::Builtin(Builtin::SpatialDistribution, _) => true,
                _ => {
                    let mut any = false;
                    self.store.children(e, |c| any |= self.varying.get(&c).copied().unwrap_or(false));
                    any
                }
            };
            self.varying.insert(e, answer);
        }
        self.varying[&root]
    }

    /// Functions that raise events (MLS 3.7.2): branches on relations, or values held between events.
    fn event_function(&mut self, builtin: Builtin, args: &[ExprId]) -> Option<ExprId> {
        let zero = self.store.int(0);
        Some(match builtin {
            Builtin::SemiLinear => {
                // MLS 3.7.4.5: `smooth(0, …)`.
                let up = self.store.compare(BinOp::Ge, args[0], zero);
                let slope = self.store.choose(up, args[1], args[2]);
                self.store.times(slope, args[0])
            }
            Builtin::Floor => self.hold(Builtin::Floor, args[0], Scalar::Real),
            Builtin::Integer => self.hold(Builtin::Floor, args[0], Scalar::Int),
            Builtin::Ceil => self.hold(Builtin::Ceil, args[0], Scalar::Real),
            Builtin::Div | Builtin::Rem => {
                let quotient = self.store.over(args[0], args[1]);
                let up = self.relation(BinOp::Ge, quotient, zero);
                let low = self.hold(Builtin::Floor, quotient, Scalar::Real);
                let high = self.hold(Builtin::Ceil, quotient, Scalar::Real);
                let whole = self.store.choose(up, low, high);
                if builtin == Builtin::Div {
                    return Some(whole);
                }
                let part = self.store.times(whole, args[1]);
                self.store.minus(args[0], part)
            }
            Builtin::Mod => {
                let quotient = self.store.over(args[0], args[1]);
                let whole = self.hold(Builtin::Floor, quotient, Scalar::Real);
                let part = self.store.times(whole, args[1]);
                self.store.minus(args[0], part)
            }
            _ => return None,
        })
    }

    /// A whole number that is kept between events, and the two relations that say when it is left.
    fn hold(&mut self, builtin: Builtin, e: ExprId, ty: Scalar) -> ExprId {
        let value = self.store.scalar_builtin(builtin, &[e]);
        // A whole number of one type is not one of the other: equations are sorted by their types.
        let key = if ty == Scalar::Int { self.store.scalar_builtin(Builtin::Integer, &[e]) } else { value };
        if let Some(&known) = self.held.get(&key) {
            return self.var_expr(known);
        }
        let name = format!("held {}", builtin.name());
        let v = self.new_var(&name, ty, Role::Discrete);
        self.held.insert(key, v);
        self.assigned.insert(v);
        let held = self.var_expr(v);
        self.define(v, value);
        let one = self.store.int(1);
        if builtin == Builtin::Floor {
            let next = self.store.plus(held, one);
            self.relation(BinOp::Ge, e, next);
            self.relation(BinOp::Lt, e, held);
        } else {
            let next = self.store.minus(held, one);
            self.relation(BinOp::Le, e, next);
            self.relation(BinOp::Gt, e, held);
        }
        held
    }
}
