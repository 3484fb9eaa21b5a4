//! State machines (MLS 17): their transitions and operators are typed; nothing executes them yet.

use crate::comps::What;
use crate::equations::Single;
use crate::resolve::Scope;
use crate::{CompId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::{Builtin, ExprId, Node, Scalar, Type};
use kairos_syntax::ast::{Args, Expr, ExprKind};

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
        for state in &args.positional[..2] {
            self.state(scope, state);
        }
        let mut given = vec![false; inputs.len()];
        for (k, arg) in args.positional[2..].iter().enumerate() {
            given[k] = true;
            self.transition_input(scope, arg, inputs[k]);
        }
        for arg in &args.named {
            let Some(k) = inputs.iter().position(|(name, _)| arg.name.name == **name) else {
                let known: Vec<Name> = inputs.iter().map(|(name, _)| Name::new(name)).collect();
                let shown = Name::new("transition");
                self.report(diagnostics::unknown_argument(arg.name.name, shown, arg.name.span, &known));
                continue;
            };
            if std::mem::replace(&mut given[k], true) {
                self.report(diagnostics::argument_twice(arg.name.name, arg.name.span));
            }
            self.transition_input(scope, &arg.value, inputs[k]);
        }
        if !given[0] {
            self.report(diagnostics::missing_argument(Name::new("condition"), Name::new("transition"), span));
        }
        self.state_machine.get_or_insert(span);
    }

    fn transition_input(&mut self, scope: &mut Scope, e: &'a Expr, (name, wanted): (&str, Scalar)) {
        let value = self.expr(scope, e);
        let ty = self.store.ty(value).clone();
        if !self.is_error(value) && ty != Type::scalar(wanted) {
            let (want, have) = (self.type_text(&Type::scalar(wanted)), self.type_text(&ty));
            let (name, shown) = (Name::new(name), Name::new("transition"));
            self.report(diagnostics::argument_type(name, shown, &want, &have, e.span));
        }
    }

    /// `initialState(state)`
    pub(crate) fn initial_state(&mut self, scope: &mut Scope, args: &'a Args, span: Span) {
        match args.positional.as_slice() {
            [state] if args.named.is_empty() => {
                self.state(scope, state);
                self.state_machine.get_or_insert(span);
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
        self.state_machine.get_or_insert(span);
        let path = self.comp_path(comp);
        let name = self.store.str(&path);
        self.store.add(Node::Builtin(Builtin::ActiveState, [name].into()), Type::scalar(Scalar::Bool))
    }

    /// A state is a component that is a block or model.
    fn state(&mut self, scope: &mut Scope, e: &'a Expr) -> Option<CompId> {
        let ExprKind::Ref(r) = &e.kind else {
            self.report(diagnostics::not_a_state(e.span));
            return None;
        };
        let comp = self.select(scope, r).as_deref_single()?;
        let class = self.comp(comp).class;
        let is_state = self.comp(comp).what == What::Parts && class.is_some_and(|c| !self.is_record(c));
        if !is_state {
            self.report(diagnostics::not_a_state(e.span));
            return None;
        }
        Some(comp)
    }
}
