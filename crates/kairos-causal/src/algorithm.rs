//! Algorithm sections as equations: statements are executed on expressions.

use crate::work::{When, Work};
use kairos_base::Span;
use kairos_expr::{
    Builtin, ExprId, ExprMap, FunctionId, IterId, LValue, Node, Outlined, Stmt, Store, Target, VarId,
};
use kairos_model::{Action, Origin};
use std::collections::{BTreeMap, BTreeSet};

/// More statements than this after unrolling are not expanded.
const LIMIT: usize = 200_000;

/// Why a section cannot become equations.
pub enum Refusal {
    /// A loop whose number of turns is known only in a run.
    Loop(Span),
    /// An assignment to something other than a scalar variable.
    Target(Span),
}

/// The value of each output and what the section does besides.
pub struct Executed {
    pub values: Vec<(VarId, ExprId)>,
}

/// Executes a section; each output starts from `pre` if discrete and from its start value otherwise (MLS 11.1.2).
pub fn execute(
    work: &mut Work,
    statements: &[Stmt],
    outputs: &[VarId],
    origin: Origin,
    initial: bool,
) -> Result<Executed, Refusal> {
    let mut values = BTreeMap::new();
    for &v in outputs {
        let start = match work.is_discrete(v) {
            true if !initial => work.pre_expr(v),
            _ => work.start_expr(v),
        };
        values.insert(v, start);
    }
    let yes = work.store.bool(true);
    let mut run = Run { work, origin, initial, count: 0, iterators: Vec::new() };
    let mut values = Frame { values, live: yes };
    run.block(statements, &mut values, yes)?;
    let outputs: BTreeSet<VarId> = outputs.iter().copied().collect();
    Ok(Executed { values: values.values.into_iter().filter(|(v, _)| outputs.contains(v)).collect() })
}

#[derive(Clone)]
struct Frame {
    values: BTreeMap<VarId, ExprId>,
    /// False after `return` or `break`.
    live: ExprId,
}

struct Run<'a> {
    work: &'a mut Work,
    origin: Origin,
    /// Does it run at the start only?
    initial: bool,
    count: usize,
    iterators: Vec<(IterId, ExprId)>,
}

impl Run<'_> {
    fn store(&mut self) -> &mut Store {
        &mut self.work.store
    }

    /// The expression with the current values in place of the variables assigned so far.
    fn now(&mut self, e: ExprId, frame: &Frame) -> ExprId {
        let iterators = &self.iterators;
        let mut memo = ExprMap::default();
        // `pre(v)`, `previous(v)` and `der(v)` speak of the variable, not of its value at this line.
        for node in self.work.store.post_order(&[e], |_| false) {
            use Builtin::{Change, Der, Edge, Pre, Previous};
            if let Node::Builtin(Pre | Previous | Der | Edge | Change, _) = self.work.store.node(node) {
                memo.insert(node, node);
            }
        }
        self.work.store.rewrite(e, &mut memo, &mut |store, e| match store.node(e) {
            Node::Var(v) => frame.values.get(v).copied().unwrap_or(e),
            Node::Iter(i) => iterators.iter().rev().find(|(k, _)| k == i).map_or(e, |(_, value)| *value),
            _ => store.simplify_node(e),
        })
    }

    fn assign(
        &mut self,
        place: &LValue,
        value: ExprId,
        frame: &mut Frame,
        span: Span,
    ) -> Result<(), Refusal> {
        let (Target::Var(v), true) = (place.target, place.path.is_empty()) else {
            return Err(Refusal::Target(span));
        };
        let old = frame.values.get(&v).copied();
        let value = match old {
            Some(old) => {
                let live = frame.live;
                self.store().choose(live, value, old)
            }
            None => value,
        };
        frame.values.insert(v, value);
        Ok(())
    }

    fn block(&mut self, statements: &[Stmt], frame: &mut Frame, path: ExprId) -> Result<(), Refusal> {
        for statement in statements {
            self.count += 1;
            match statement {
                Stmt::Assign(place, value, span) => {
                    let value = self.now(*value, frame);
                    self.assign(place, value, frame, *span)?;
                }
                Stmt::AssignTuple(places, call, span) => {
                    let call = self.now(*call, frame);
                    for (k, place) in places.iter().enumerate() {
                        let Some(place) = place else { continue };
                        let item = self.item(call, k as u32);
                        self.assign(place, item, frame, *span)?;
                    }
                }
                Stmt::If(branches, otherwise) => self.choose(branches, otherwise, frame, path)?,
                Stmt::For(iter, range, body, span) => {
                    let range = self.now(*range, frame);
                    let left = LIMIT.saturating_sub(self.count);
                    let few = |items: &Vec<ExprId>| items.len().saturating_mul(body.len()) <= left;
                    let Some(items) = self.items(range).filter(few) else {
                        self.turn(statement, *span, frame)?;
                        continue;
                    };
                    let live = frame.live;
                    for item in items {
                        self.iterators.push((*iter, item));
                        let done = self.block(body, frame, path);
                        self.iterators.pop();
                        done?;
                    }
                    frame.live = live;
                }
                Stmt::While(_, _, span) => self.turn(statement, *span, frame)?,
                Stmt::When(branches, span) => self.when(branches, *span, frame, path)?,
                Stmt::Assert { condition, message, warning, span } => {
                    let condition = self.now(*condition, frame);
                    let message = self.now(*message, frame);
                    // A choice, not an `or`: what is not reached is not evaluated.
                    let holds = self.store().bool(true);
                    let condition = self.store().choose(path, condition, holds);
                    let warning = matches!(self.store().node(*warning), Node::Bool(true));
                    let origin = Origin { span: *span, ..self.origin };
                    match self.initial {
                        true => {
                            self.work.act_at_start(Action::Assert { condition, message, warning }, origin);
                        }
                        false => self.work.assert(condition, message, warning, origin),
                    }
                }
                Stmt::Break | Stmt::Return => frame.live = self.store().bool(false),
                Stmt::Call(call, span) => {
                    let call = self.now(*call, frame);
                    self.act(Action::Call(call), path, *span);
                }
                Stmt::Terminate(message, span) => {
                    let message = self.now(*message, frame);
                    let always = self.store().bool(true);
                    self.act(Action::Terminate(always, message), path, *span);
                }
                Stmt::Reinit(v, value, span) => {
                    let value = self.now(*value, frame);
                    self.act(Action::Reinit(*v, value), path, *span);
                }
            }
        }
        Ok(())
    }

    /// A loop whose turns are counted in a run: a call of a function made of it.
    fn turn(&mut self, statement: &Stmt, span: Span, frame: &mut Frame) -> Result<(), Refusal> {
        let refuse = || Refusal::Loop(span);
        let list = statement.assigned().ok_or_else(refuse)?;
        let outputs: Vec<ExprId> = list.iter().map(|&v| self.work.var_expr(v)).collect();
        let outer: Vec<IterId> = self.iterators.iter().map(|(iterator, _)| *iterator).collect();
        let outlined = Outlined::of_statement(self.store(), statement, &outputs, &outer, span);
        let Outlined { function, args } = outlined.ok_or_else(refuse)?;
        let args: Vec<ExprId> = args.into_iter().map(|e| self.now(e, frame)).collect();
        let Some(&first) = outputs.first() else { return Ok(()) };
        let made = FunctionId::new(self.store().functions.len());
        self.store().functions.push(function);
        let ty = self.store().type_id(first);
        let call = self.store().add_typed(Node::Call(made, args.into()), ty);
        for (k, v) in list.into_iter().enumerate() {
            let item = self.item(call, k as u32);
            self.assign(&LValue { target: Target::Var(v), path: Vec::new() }, item, frame, span)?;
        }
        Ok(())
    }

    /// An action for the events at which the statement is reached.
    fn act(&mut self, action: Action, path: ExprId, span: Span) {
        let origin = Origin { span, ..self.origin };
        match (self.work.store.node(path), action) {
            (Node::Bool(true), action) if self.initial => self.work.act_at_start(action, origin),
            (Node::Bool(true), Action::Call(call)) => self.work.call(call, origin),
            // Outside of any condition the others have no meaning.
            (Node::Bool(_), _) => {}
            (_, action) => {
                let mut value = self.work.lower(path, false);
                if self.initial {
                    let initial = self.work.var_expr(self.work.initial_flag);
                    value = self.store().and(value, initial);
                }
                self.work.reach(action, value, origin);
            }
        }
    }

    fn item(&mut self, call: ExprId, k: u32) -> ExprId {
        let store = self.store();
        let ty = match store.node(call) {
            Node::Call(f, _) => {
                let function = store.function(*f);
                match function.outputs.get(k as usize) {
                    Some(output) if function.outputs.len() > 1 => function.locals[output.index()].ty,
                    _ => return call,
                }
            }
            _ => return call,
        };
        store.add_typed(Node::Item(call, k), ty)
    }

    fn items(&mut self, range: ExprId) -> Option<Vec<ExprId>> {
        let store = self.store();
        match store.node(range).clone() {
            Node::Array(items) => Some(items.to_vec()),
            Node::Range(a, step, b) => {
                let (a, b) = (store.number(a)?, store.number(b)?);
                let step = step.map_or(Some(1.0), |s| store.number(s))?;
                let n = ((b - a) / step + 1e-9).floor() as i64;
                let whole = a.fract() == 0.0 && step.fract() == 0.0;
                let item = |store: &mut Store, k: i64| {
                    let x = a + k as f64 * step;
                    if whole { store.int(x as i64) } else { store.real(x) }
                };
                Some((0..=n).map(|k| item(store, k)).collect())
            }
            _ => None,
        }
    }

    fn choose(
        &mut self,
        branches: &[(ExprId, Vec<Stmt>)],
        otherwise: &[Stmt],
        frame: &mut Frame,
        path: ExprId,
    ) -> Result<(), Refusal> {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return self.block(otherwise, frame, path);
        };
        let condition = self.now(*condition, frame);
        let (mut yes, mut no) = (frame.clone(), frame.clone());
        let inside = self.store().and(path, condition);
        let not = self.store().not(condition);
        let outside = self.store().and(path, not);
        if !matches!(self.store().node(condition), Node::Bool(false)) {
            self.block(body, &mut yes, inside)?;
        }
        if !matches!(self.store().node(condition), Node::Bool(true)) {
            self.choose(rest, otherwise, &mut no, outside)?;
        }
        self.join(condition, yes, no, frame);
        Ok(())
    }

    fn join(&mut self, condition: ExprId, yes: Frame, no: Frame, frame: &mut Frame) {
        frame.live = self.store().choose(condition, yes.live, no.live);
        let mut keys: Vec<VarId> = yes.values.keys().chain(no.values.keys()).copied().collect();
        keys.sort_unstable();
        keys.dedup();
        for v in keys {
            let value = match (yes.values.get(&v).copied(), no.values.get(&v).copied()) {
                (Some(a), Some(b)) => self.store().choose(condition, a, b),
                (a, b) => a.or(b).unwrap_or(condition),
            };
            frame.values.insert(v, value);
        }
    }

    /// Each branch acts on the edge of its condition; the fire flags are the same as those of when-equations.
    fn when(
        &mut self,
        branches: &[(ExprId, Vec<Stmt>)],
        span: Span,
        frame: &mut Frame,
        path: ExprId,
    ) -> Result<(), Refusal> {
        let origin = Origin { span, ..self.origin };
        let mut conditions = Vec::new();
        for (condition, _) in branches {
            let list = match self.work.store.node(*condition).clone() {
                Node::Array(items) => items.to_vec(),
                _ => vec![*condition],
            };
            conditions.push(list.into_iter().map(|c| self.now(c, frame)).collect::<Vec<_>>());
        }
        let fires = self.work.fire_flags(&conditions, origin);
        let mut actions: When = When { branches: Vec::new(), origin };
        let mut frames = Vec::new();
        for ((_, body), &fire) in branches.iter().zip(&fires) {
            let mut inner = frame.clone();
            let fires = self.work.var_expr(fire);
            let path = self.store().and(path, fires);
            let mut plain = Vec::new();
            let mut acts = Vec::new();
            for statement in body {
                let ready = &mut inner;
                match statement {
                    Stmt::Reinit(v, e, _) => {
                        self.block(&plain, ready, path)?;
                        plain.clear();
                        let value = self.now(*e, ready);
                        acts.push(Action::Reinit(*v, value));
                    }
                    Stmt::Terminate(e, _) => {
                        self.block(&plain, ready, path)?;
                        plain.clear();
                        let message = self.now(*e, ready);
                        let always = self.store().bool(true);
                        acts.push(Action::Terminate(always, message));
                    }
                    Stmt::Assert { condition, message, warning, .. } => {
                        self.block(&plain, ready, path)?;
                        plain.clear();
                        let condition = self.now(*condition, ready);
                        let message = self.now(*message, ready);
                        let warning = matches!(self.work.store.node(*warning), Node::Bool(true));
                        acts.push(Action::Assert { condition, message, warning });
                    }
                    Stmt::Call(e, _) => {
                        self.block(&plain, ready, path)?;
                        plain.clear();
                        let call = self.now(*e, ready);
                        acts.push(Action::Call(call));
                    }
                    other => plain.push(other.clone()),
                }
            }
            self.block(&plain, &mut inner, path)?;
            actions.branches.push((fire, acts));
            frames.push((fire, inner));
        }
        if actions.branches.iter().any(|(_, acts)| !acts.is_empty()) {
            self.work.whens.push(actions);
        }
        // Earlier branches win.
        let mut result = frame.clone();
        for (fire, inner) in frames.into_iter().rev() {
            let condition = self.work.var_expr(fire);
            let mut joined = result.clone();
            self.join(condition, inner, result, &mut joined);
            result = joined;
        }
        *frame = result;
        Ok(())
    }
}
