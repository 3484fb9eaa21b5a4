//! Calls of functions, record constructors and functional arguments.

use crate::inst::Basic;
use crate::lookup::Found;
use crate::resolve::Scope;
use crate::{InstId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::{Body, Builtin, Dim, ExprId, FunctionId, Node, Scalar, Type};
use kairos_syntax::ast::{self, Args, ClassKind, ComponentRef, Expr, NamedArg};

impl<'a> Sema<'a> {
    pub(crate) fn call(
        &mut self,
        scope: &mut Scope,
        function: &'a ComponentRef,
        args: &'a Args,
        span: Span,
    ) -> ExprId {
        let first = function.parts[0].name.name;
        if let Some(locals) = scope.locals.clone()
            && let Some(&(local, ty)) = locals.get(&first)
            && self.store.get_type(ty).scalar == Scalar::Function
        {
            let f = self.store.local(local, ty);
            return self.call_value(scope, f, first, args, span);
        }
        let mut hidden = false;
        match self.function_class(scope, function, &mut hidden) {
            None if hidden => {
                let path: Vec<&str> = function.parts.iter().map(|part| part.name.name.as_str()).collect();
                self.report(diagnostics::not_a_function(&path.join("."), span));
                self.error_expr()
            }
            Some(class) => self.call_class(scope, class, args, span),
            None => self.call_builtin(scope, function, args, span),
        }
    }

    /// The class that a call names: by lookup, or through a component (MLS 5.3.2). A component itself hides functions of its name:
    /// `Integer(x)` converts, `n(x)` with a variable `n` does not.
    fn function_class(&mut self, scope: &Scope, r: &ComponentRef, hidden: &mut bool) -> Option<InstId> {
        let first = r.parts[0].name.name;
        if r.parts.len() == 1 && !r.global && self.names.operators.contains(&first) {
            return None;
        }
        if r.parts.len() == 1 && r.global && Builtin::by_name(first.as_str()).next().is_some() {
            return None;
        }
        let found = if r.global { self.lookup_top(first) } else { self.lookup_first(scope.inst, first) };
        let mut through = None;
        let mut class = match found? {
            Found::Class(class) => class,
            Found::Element(_, e, _) if self.elem(e).is_class() => self.elem_class(e)?,
            Found::Element(inst, _, _) => {
                let owner = match self.inst(inst).comp {
                    Some(comp) => comp,
                    None => self.package_comp(inst),
                };
                let comp = self.child(owner, first)?;
                let comp = self.comp(comp).outer.unwrap_or(comp);
                through = Some(comp);
                *hidden = true;
                self.comp(comp).class?
            }
        };
        for part in &r.parts[1..] {
            self.expand(class);
            let &e = self.inst(class).table.get(&part.name.name)?;
            if let Some(comp) = through {
                self.check_call_through(comp, e, part.name.span);
            }
            *hidden = !self.elem(e).is_class();
            class = match self.elem(e).is_class() {
                true => self.elem_class(e)?,
                false => {
                    let owner = self.inst(class).comp?;
                    let comp = self.child(owner, part.name.name)?;
                    let comp = self.comp(comp).outer.unwrap_or(comp);
                    self.comp(comp).class?
                }
            };
        }
        (!*hidden).then_some(class)
    }

    /// Public functions of single, unconditional components can be called by name (MLS 5.3.2).
    fn check_call_through(&mut self, comp: crate::CompId, e: crate::ElemId, span: Span) {
        let c = self.comp(comp);
        let path = self.comp_path(comp);
        let elem = self.elem(e);
        let operator = match elem.decl {
            crate::inst::Decl::Class(class) => {
                matches!(class.kind, ClassKind::Operator | ClassKind::OperatorFunction)
            }
            _ => false,
        };
        if elem.protected {
            let (name, place) = (elem.name, elem.span);
            self.report(diagnostics::protected_access(name, span, place));
        } else if c.conditional || !c.dims.is_empty() || operator {
            self.report(diagnostics::call_through(&path, span));
        }
    }

    fn call_class(&mut self, scope: &mut Scope, class: InstId, args: &'a Args, span: Span) -> ExprId {
        self.expand(class);
        match self.inst(class).basic {
            Some(Basic::ExternalObject) => {}
            Some(Basic::Integer) => return self.builtin_args(scope, Builtin::Ordinal, args, span),
            Some(Basic::String) => return self.string_call(scope, args, span),
            Some(Basic::Enumeration(t)) => {
                let Some(arg) = args.positional.first() else { return self.error_expr() };
                let e = self.expr(scope, arg);
                return self
                    .store
                    .add(Node::Builtin(Builtin::EnumOf, [e].into()), Type::scalar(Scalar::Enum(t)));
            }
            Some(Basic::Clock) => return self.clock_call(scope, args, span),
            Some(_) => {
                self.report(diagnostics::not_a_function(&self.inst_path(class), span));
                return self.error_expr();
            }
            None => {}
        }
        let kind = self.inst(class).kind;
        if self.is_external_object(class) {
            let Some(&e) = self.inst(class).table.get(&Name::new("constructor")) else {
                return self.error_expr();
            };
            let Some(constructor) = self.elem_class(e) else { return self.error_expr() };
            let f = self.function(constructor);
            let call = self.call_function(scope, f, args, span);
            let ty = Type::scalar(Scalar::Object(Name::new(&self.inst_path(class))));
            let node = self.store.node(call).clone();
            return if self.is_error(call) { call } else { self.store.add(node, ty) };
        }
        if self.is_record(class) {
            let constructors = self.operator_functions(class, Name::new("'constructor'"));
            // MLS 14.3: named arguments take part in the choice. A constructor that names its own record means the
            // components of the record, as it would call itself without end otherwise.
            if !constructors.is_empty()
                && !constructors.contains(&scope.inst)
                && let Some(call) = self.constructed(scope, class, &constructors, args, span)
            {
                return call;
            }
            let f = self.function(class);
            return self.call_function(scope, f, args, span);
        }
        if !matches!(kind, ClassKind::Function | ClassKind::OperatorFunction) {
            self.report(diagnostics::not_a_function(&self.inst_path(class), span));
            return self.error_expr();
        }
        if self.inst(class).partial && self.inst(class).class.is_some_and(|c| c.partial) {
            self.report(diagnostics::partial_function(&self.inst_path(class), span));
            return self.error_expr();
        }
        let f = self.function(class);
        self.call_function(scope, f, args, span)
    }

    /// The call of the one constructor that the arguments match (MLS 14.3).
    fn constructed(
        &mut self,
        scope: &mut Scope,
        class: InstId,
        constructors: &[InstId],
        args: &'a Args,
        span: Span,
    ) -> Option<ExprId> {
        self.record_of(class);
        let mut matches: Vec<(ExprId, FunctionId)> = Vec::new();
        for constructor in constructors {
            let f = self.function(*constructor);
            let (outputs, place) = (self.store.function(f).outputs.len(), self.store.function(f).span);
            if outputs > 1 {
                let name = self.store.function(f).name;
                self.report(diagnostics::constructor_outputs(name, outputs, place));
                return Some(self.error_expr());
            }
            let mark = self.diagnostics.len();
            let call = self.call_function(scope, f, args, span);
            match self.diagnostics.len() == mark {
                true => matches.push((call, f)),
                false => self.forget(mark),
            }
        }
        if let [(_, f), (_, g), ..] = matches[..]
            && self.same_inputs(f, g)
        {
            let path = self.inst_path(class);
            self.report(diagnostics::ambiguous_constructor(&path, span));
        }
        matches.first().map(|(call, _)| *call)
    }

    /// Do two functions have inputs of the same types? No arguments tell them apart then.
    fn same_inputs(&self, f: FunctionId, g: FunctionId) -> bool {
        let types = |f: FunctionId| {
            let f = self.store.function(f);
            f.inputs.iter().map(|i| f.locals[i.index()].ty).collect::<Vec<_>>()
        };
        types(f) == types(g)
    }

    fn call_function(&mut self, scope: &mut Scope, f: FunctionId, args: &'a Args, span: Span) -> ExprId {
        if !args.iterators.is_empty() {
            self.report(diagnostics::iterated_call(span));
            return self.error_expr();
        }
        let (inputs, name) = {
            let f = self.store.function(f);
            (f.inputs.clone(), f.name)
        };
        if args.positional.len() > inputs.len() {
            self.report(diagnostics::too_many_arguments(name, args.positional.len(), inputs.len(), span));
            return self.error_expr();
        }
        let mut given: Vec<Option<(&'a Expr, ExprId)>> = vec![None; inputs.len()];
        let mut wrong = false;
        for (k, arg) in args.positional.iter().enumerate() {
            let e = self.argument(scope, f, inputs[k], arg);
            wrong |= self.is_error(e);
            given[k] = Some((arg, e));
        }
        for NamedArg { name: arg_name, value } in &args.named {
            let found =
                inputs.iter().position(|i| self.store.function(f).locals[i.index()].name == arg_name.name);
            let Some(k) = found else {
                let known: Vec<Name> =
                    inputs.iter().map(|i| self.store.function(f).locals[i.index()].name).collect();
                self.report(diagnostics::unknown_argument(arg_name.name, name, arg_name.span, &known));
                return self.error_expr();
            };
            if given[k].is_some() {
                self.report(diagnostics::argument_twice(arg_name.name, arg_name.span));
                return self.error_expr();
            }
            let e = self.argument(scope, f, inputs[k], value);
            wrong |= self.is_error(e);
            given[k] = Some((value, e));
        }
        if wrong {
            return self.error_expr();
        }
        // Arguments with more dimensions than their input: the call is made for each element (MLS 12.4.6).
        let mut over: Option<Vec<Dim>> = None;
        for (k, item) in given.iter().enumerate() {
            let Some((arg, e)) = item else { continue };
            let to = self.store.get_type(self.store.function(f).locals[inputs[k].index()].ty).clone();
            let from = self.store.ty(*e).clone();
            if from.dims.len() > to.dims.len() && from.scalar != Scalar::Function {
                let extra = from.dims[..from.dims.len() - to.dims.len()].to_vec();
                let element = Type { scalar: from.scalar, dims: from.dims[extra.len()..].to_vec() };
                // Of no elements none can be of another type.
                let none = extra.iter().any(|d| d.known() == Some(0));
                let fits = none || self.assignable(&to, &element);
                if fits && over.as_ref().is_none_or(|o| o.len() == extra.len()) {
                    over = Some(extra);
                    continue;
                }
            }
            // An array without elements has no element that could be of another type.
            let empty = from.dims.len() == to.dims.len() && from.dims.iter().any(|d| d.known() == Some(0));
            if !self.assignable(&to, &from) && !empty {
                let local = self.store.function(f).locals[inputs[k].index()].name;
                let (want, have) = (self.type_text(&to), self.type_text(&from));
                self.report(diagnostics::argument_type(local, name, &want, &have, arg.span));
                return self.error_expr();
            }
        }
        let exprs: Vec<Option<ExprId>> = given.iter().map(|g| g.map(|(_, e)| e)).collect();
        match over {
            Some(dims) => self.vectorised(f, exprs, &dims, span),
            None => match self.complete_args(f, exprs, span) {
                Some(args) => self.finish_call(f, args),
                None => self.error_expr(),
            },
        }
    }

    fn vectorised(&mut self, f: FunctionId, args: Vec<Option<ExprId>>, dims: &[Dim], span: Span) -> ExprId {
        let Some((first, rest)) = dims.split_first() else {
            return match self.complete_args(f, args, span) {
                Some(args) => self.finish_call(f, args),
                None => self.error_expr(),
            };
        };
        let inputs = self.store.function(f).inputs.clone();
        let Some(n) = first.known() else { return self.vectorised_loop(f, args, &inputs, rest, span) };
        let mut items = Vec::with_capacity(n);
        for i in 1..=n as u32 {
            let mut at = Vec::with_capacity(args.len());
            for (k, arg) in args.iter().enumerate() {
                let rank =
                    self.store.get_type(self.store.function(f).locals[inputs[k].index()].ty).dims.len();
                at.push(arg.map(|e| match self.store.ty(e).dims.len() > rank {
                    true => self.index_constant(e, &[i]),
                    false => e,
                }));
            }
            items.push(self.vectorised(f, at, rest, span));
        }
        if items.is_empty() {
            return self.no_results(f, dims);
        }
        self.array(items, span)
    }

    /// The results of no calls: an array without elements has a type and inner sizes all the same (MLS 10.7).
    fn no_results(&mut self, f: FunctionId, over: &[Dim]) -> ExprId {
        let function = self.store.function(f);
        let Some(output) = function.outputs.first() else { return self.error_expr() };
        let mut ty = self.store.get_type(function.locals[output.index()].ty).clone();
        ty.dims.splice(0..0, over.iter().copied());
        self.store.add(Node::Array([].into()), ty)
    }

    /// A call for each element of arrays whose size is known only when the function runs.
    fn vectorised_loop(
        &mut self,
        f: FunctionId,
        args: Vec<Option<ExprId>>,
        inputs: &[kairos_expr::LocalId],
        rest: &[Dim],
        span: Span,
    ) -> ExprId {
        let int = Type::scalar(Scalar::Int);
        let iter = self.store.new_iterator(Name::new("i"));
        let i = self.store.add(Node::Iter(iter), int.clone());
        let mut range = None;
        let mut at = Vec::with_capacity(args.len());
        for (k, arg) in args.iter().enumerate() {
            let rank = self.store.get_type(self.store.function(f).locals[inputs[k].index()].ty).dims.len();
            at.push(arg.map(|e| match self.store.ty(e).dims.len() > rank {
                true => {
                    range.get_or_insert(e);
                    self.index_typed(e, vec![kairos_expr::Sub::At(i)])
                }
                false => e,
            }));
        }
        let Some(array) = range else { return self.error_expr() };
        let one = self.store.int(1);
        let size = self.store.add(Node::Builtin(Builtin::Size, [array, one].into()), int);
        let range =
            self.store.add(Node::Range(one, None, size), Type::array(Scalar::Int, vec![Dim::Unknown]));
        let body = self.vectorised(f, at, rest, span);
        let mut ty = self.store.ty(body).clone();
        ty.dims.insert(0, Dim::Unknown);
        self.store.add(Node::Comprehension(body, [(iter, range)].into()), ty)
    }

    /// Fills in defaults; reports inputs without a value.
    fn complete_args(
        &mut self,
        f: FunctionId,
        mut args: Vec<Option<ExprId>>,
        span: Span,
    ) -> Option<Vec<ExprId>> {
        let mut open = vec![true; args.len()];
        for k in 0..args.len() {
            self.complete_arg(f, k, &mut args, &mut open, span)?;
        }
        args.into_iter().collect()
    }

    /// Gives one argument its default, after those of other inputs that it speaks of. Only the default is rewritten: the
    /// locals of a caller look like those of the function that it calls.
    fn complete_arg(
        &mut self,
        f: FunctionId,
        k: usize,
        args: &mut Vec<Option<ExprId>>,
        open: &mut [bool],
        span: Span,
    ) -> Option<()> {
        let first = std::mem::replace(&mut open[k], false);
        if args[k].is_some() {
            return Some(());
        }
        let inputs = self.store.function(f).inputs.clone();
        let local = self.store.function(f).locals[inputs[k].index()].clone();
        let (Some(value), true) = (local.value, first) else {
            let name = self.store.function(f).name;
            self.report(diagnostics::missing_argument(local.name, name, span));
            return None;
        };
        for e in self.store.post_order(&[value], |_| false) {
            if let Node::Local(l) = *self.store.node(e)
                && let Some(other) = inputs.iter().position(|i| *i == l)
            {
                self.complete_arg(f, other, args, open, span)?;
            }
        }
        args[k] = Some(self.substitute_locals(value, args, &inputs));
        Some(())
    }

    /// A call with all its arguments, typed by the outputs.
    pub(crate) fn finish_call(&mut self, f: FunctionId, args: Vec<ExprId>) -> ExprId {
        let function = self.store.function(f).clone();
        let mut args = args;
        for (arg, input) in args.iter_mut().zip(&function.inputs) {
            if let Scalar::Record(_) = self.store.ty(*arg).scalar {
                let to = self.store.get_type(function.locals[input.index()].ty).clone();
                *arg = self.arranged(&to, *arg);
            }
        }
        if let Body::RecordConstructor = function.body {
            let Scalar::Record(r) =
                self.store.get_type(function.locals[function.outputs[0].index()].ty).scalar
            else {
                return self.error_expr();
            };
            return self.store.add(Node::Record(r, args.into()), Type::scalar(Scalar::Record(r)));
        }
        let ty = match function.outputs.as_slice() {
            [one] => self.output_type(&function, *one, f, &args),
            _ => Type::scalar(Scalar::Tuple),
        };
        self.store.add(Node::Call(f, args.into()), ty)
    }

    /// The expressions of positional arguments.
    pub(crate) fn positional(&mut self, scope: &mut Scope, args: &'a [ast::Expr]) -> Vec<ExprId> {
        args.iter().map(|a| self.expr(scope, a)).collect()
    }
}
