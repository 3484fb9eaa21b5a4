//! Functions as arguments of functions (MLS 12.4.2): what is passed, what it must take, and how it is called.

use crate::inst::Decl;
use crate::resolve::Scope;
use crate::{InstId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::{ExprId, FunctionId, LocalId, Node, Scalar, Type};
use kairos_syntax::ast::{Args, Expr, ExprKind, NamedArg, Path};

impl<'a> Sema<'a> {
    pub(crate) fn argument(
        &mut self,
        scope: &mut Scope,
        f: FunctionId,
        input: LocalId,
        arg: &'a Expr,
    ) -> ExprId {
        let ty = self.store.function(f).locals[input.index()].ty;
        if self.store.get_type(ty).scalar == Scalar::Function
            && let ExprKind::Ref(r) = &arg.kind
        {
            let is_local = scope.locals.as_ref().is_some_and(|l| l.contains_key(&r.parts[0].name.name));
            if !is_local && let Some(class) = self.quiet_class(scope.inst, r) {
                let g = self.function(class);
                let whole = self.store.add(Node::Partial(g, [].into()), Type::scalar(Scalar::Function));
                return self.fit_function(whole, f, input, arg.span);
            }
        }
        let given = self.expr(scope, arg);
        self.fit_function(given, f, input, arg.span)
    }

    /// A function as the argument of another has the inputs that are asked for; further ones keep their declared values
    /// (MLS 6.6).
    fn fit_function(&mut self, given: ExprId, f: FunctionId, input: LocalId, span: Span) -> ExprId {
        let Node::Partial(g, bound) = self.store.node(given).clone() else { return given };
        let (name, function) =
            (self.store.function(f).locals[input.index()].name, self.store.function(f).name);
        let Some(wanted) = self.functional_type(self.function_insts[f.index()], name) else { return given };
        let wanted = self.store.function(wanted).inputs.len();
        let inputs = self.store.function(g).inputs.clone();
        let open: Vec<usize> =
            (0..inputs.len()).filter(|k| bound.iter().all(|(bound, _)| *bound as usize != *k)).collect();
        if open.len() < wanted {
            let inputs = |n: usize| format!("a function of {n} input{}", if n == 1 { "" } else { "s" });
            self.report(diagnostics::argument_type(
                name,
                function,
                &inputs(wanted),
                &inputs(open.len()),
                span,
            ));
            return self.error_expr();
        }
        let mut bound = bound.to_vec();
        for &k in &open[wanted..] {
            let local = &self.store.function(g).locals[inputs[k].index()];
            let (missing, value) = (local.name, local.value);
            // A declared value may speak of other inputs, if these have values, too.
            let given: Vec<Option<ExprId>> = (0..inputs.len())
                .map(|i| bound.iter().find(|(b, _)| *b as usize == i).map(|(_, value)| *value))
                .collect();
            let open = |node: &Node| match node {
                Node::Local(l) => inputs.iter().position(|i| i == l).is_none_or(|i| given[i].is_none()),
                _ => false,
            };
            match value.filter(|value| !self.store.any(*value, open)) {
                Some(value) => bound.push((k as u32, self.substitute_locals(value, &given, &inputs))),
                None => {
                    self.report(diagnostics::missing_argument(missing, self.store.function(g).name, span));
                    return self.error_expr();
                }
            }
        }
        self.store.add(Node::Partial(g, bound.into()), Type::scalar(Scalar::Function))
    }

    pub(crate) fn call_value(
        &mut self,
        scope: &mut Scope,
        f: ExprId,
        name: Name,
        args: &'a Args,
        span: Span,
    ) -> ExprId {
        if !args.named.is_empty() {
            self.report(diagnostics::named_functional(name, span));
        }
        let args: Vec<ExprId> = args.positional.iter().map(|a| self.expr(scope, a)).collect();
        if args.iter().any(|a| self.is_error(*a)) {
            return self.error_expr();
        }
        let ty = self.functional_result(scope, name);
        self.store.add(Node::CallValue(f, args.into()), ty)
    }

    /// The result type of a functional argument, from its declared function type.
    fn functional_result(&mut self, scope: &Scope, name: Name) -> Type {
        if let Some(f) = self.functional_type(scope.inst, name) {
            let function = self.store.function(f);
            if let [one] = function.outputs.as_slice() {
                return self.store.get_type(function.locals[one.index()].ty).clone();
            }
        }
        Type::scalar(Scalar::Real)
    }

    /// The declared function type of a functional argument.
    fn functional_type(&mut self, inst: InstId, name: Name) -> Option<FunctionId> {
        let &e = self.inst(inst).table.get(&name)?;
        let elem = self.elem(e).clone();
        let Decl::Component(clause, _) = elem.decl else { return None };
        let class = self.lookup_class(elem.scope, &clause.type_name)?;
        Some(self.function(class))
    }

    /// `function f(a = 1)` as an argument (MLS 12.4.2.1).
    pub(crate) fn partial(
        &mut self,
        scope: &mut Scope,
        path: &'a Path,
        args: &'a [NamedArg],
        span: Span,
    ) -> ExprId {
        let Some(class) = self.lookup_class(scope.inst, path) else { return self.error_expr() };
        let f = self.function(class);
        let mut bound = Vec::new();
        for NamedArg { name, value } in args {
            let function = self.store.function(f);
            let found = function.inputs.iter().position(|i| function.locals[i.index()].name == name.name);
            let Some(k) = found else {
                let known: Vec<Name> =
                    function.inputs.iter().map(|i| function.locals[i.index()].name).collect();
                let shown = function.name;
                self.report(diagnostics::unknown_argument(name.name, shown, name.span, &known));
                return self.error_expr();
            };
            let e = self.expr(scope, value);
            if self.is_error(e) {
                return e;
            }
            bound.push((k as u32, e));
        }
        let _ = span;
        self.store.add(Node::Partial(f, bound.into()), Type::scalar(Scalar::Function))
    }
}
