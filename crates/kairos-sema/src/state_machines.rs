//! State machines (MLS 17): their transitions and operators, typed.

use crate::comps::What;
use crate::inst::Decl;
use crate::resolve::Scope;
use crate::{CompId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::{Builtin, ExprId, Node, Scalar, Type};
use kairos_syntax::ast::{Args, Direction, Expr, ExprKind};

/// `transition(from, to, condition, …)` between two states.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    pub from: CompId,
    pub to: CompId,
    pub condition: ExprId,
    /// Arguments of parameter variability, where they are given.
    pub immediate: Option<ExprId>,
    pub reset: Option<ExprId>,
    pub synchronize: Option<ExprId>,
    pub priority: Option<ExprId>,
    pub span: Span,
}

/// What a model says of its state machines.
#[derive(Clone, Debug, Default)]
pub struct StateMachines {
    pub transitions: Vec<Transition>,
    pub initial: Vec<(CompId, Span)>,
}

impl<'a> Sema<'a> {
    /// `transition(from, to, condition, immediate, reset, synchronize, priority)`
    pub(crate) fn transition(&mut self, scope: &mut Scope, args: &'a Args, span: Span) {
        let inputs: [(&str, Scalar); 5] = [
            ("condition", Scalar::Bool),
            ("immediate", Scalar::Bool),
            ("reset", Scalar::Bool),
            ("synchronize", Scalar::Bool),
            ("priority", Scalar::Int),
        ];
        if args.positional.len() < 2 || args.positional.len() > 2 + inputs.len() {
            self.report(diagnostics::argument_count("transition", args.positional.len(), 3, 7, span));
            return;
        }
        let ends = [self.state(scope, &args.positional[0]), self.state(scope, &args.positional[1])];
        let mut given: [Option<ExprId>; 5] = [None; 5];
        for (k, arg) in args.positional[2..].iter().enumerate() {
            given[k] = Some(self.transition_input(scope, arg, inputs[k]));
        }
        for arg in &args.named {
            let Some(k) = inputs.iter().position(|(name, _)| arg.name.name == **name) else {
                let known: Vec<Name> = inputs.iter().map(|(name, _)| Name::new(name)).collect();
                let shown = Name::new("transition");
                self.report(diagnostics::unknown_argument(arg.name.name, shown, arg.name.span, &known));
                continue;
            };
            if given[k].is_some() {
                self.report(diagnostics::argument_twice(arg.name.name, arg.name.span));
            }
            given[k] = Some(self.transition_input(scope, &arg.value, inputs[k]));
        }
        let [condition, immediate, reset, synchronize, priority] = given;
        let Some(condition) = condition else {
            self.report(diagnostics::missing_argument(Name::new("condition"), Name::new("transition"), span));
            return;
        };
        if let [Some(from), Some(to)] = ends {
            let transition =
                Transition { from, to, condition, immediate, reset, synchronize, priority, span };
            self.state_machines.transitions.push(transition);
        }
    }

    fn transition_input(&mut self, scope: &mut Scope, e: &'a Expr, (name, wanted): (&str, Scalar)) -> ExprId {
        let value = self.expr(scope, e);
        let ty = self.store.ty(value).clone();
        if !self.is_error(value) && ty != Type::scalar(wanted) {
            let (want, have) = (self.type_text(&Type::scalar(wanted)), self.type_text(&ty));
            let (name, shown) = (Name::new(name), Name::new("transition"));
            self.report(diagnostics::argument_type(name, shown, &want, &have, e.span));
        }
        value
    }

    /// `initialState(state)`
    pub(crate) fn initial_state(&mut self, scope: &mut Scope, args: &'a Args, span: Span) {
        match args.positional.as_slice() {
            [state] if args.named.is_empty() => {
                if let Some(state) = self.state(scope, state) {
                    self.state_machines.initial.push((state, span));
                }
            }
            list => self.report(diagnostics::argument_count("initialState", list.len(), 1, 1, span)),
        }
    }

    /// `activeState(state)`
    pub(crate) fn active_state(&mut self, scope: &mut Scope, args: &'a Args, span: Span) -> ExprId {
        let [state] = args.positional.as_slice() else {
            self.report(diagnostics::argument_count("activeState", args.positional.len(), 1, 1, span));
            return self.error_expr();
        };
        let Some(comp) = self.state(scope, state) else { return self.error_expr() };
        let path = self.comp_path(comp);
        let name = self.store.str(&path);
        self.store.add(Node::Builtin(Builtin::ActiveState, [name].into()), Type::scalar(Scalar::Bool))
    }

    /// Does the declaration itself say `output`? An outer component has the facts of its inner one otherwise.
    pub fn is_declared_output(&self, comp: CompId) -> bool {
        let Some(elem) = self.comp(comp).elem.map(|e| self.elem(e)) else { return false };
        let Decl::Component(clause, _) = elem.decl else { return false };
        self.declared_prefix(elem, clause).direction == Some(Direction::Output)
    }

    /// Does each of two components lie in a state, one that the other does not lie in?
    pub fn in_different_states(&self, a: CompId, b: CompId) -> bool {
        let said = &self.state_machines;
        let is_state = |c: &CompId| {
            said.initial.iter().any(|(s, _)| s == c)
                || said.transitions.iter().any(|t| t.from == *c || t.to == *c)
        };
        let state = |c| std::iter::successors(Some(c), |c| self.comp(*c).parent).find(is_state);
        matches!((state(a), state(b)), (Some(a), Some(b)) if a != b)
    }

    /// A state is a component that is a block or model.
    fn state(&mut self, scope: &mut Scope, e: &'a Expr) -> Option<CompId> {
        let ExprKind::Ref(r) = &e.kind else {
            self.report(diagnostics::not_a_state(e.span));
            return None;
        };
        let comp = self.select(scope, r)?.single()?;
        let class = self.comp(comp).class;
        let is_state = self.comp(comp).what == What::Parts && class.is_some_and(|c| !self.is_record(c));
        if !is_state {
            self.report(diagnostics::not_a_state(e.span));
            return None;
        }
        Some(comp)
    }
}
