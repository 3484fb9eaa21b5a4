//! Functions: their inputs and outputs on first call, their bodies on first need.

use crate::inst::{Basic, Decl};
use crate::local_values::Fields;
use crate::resolve::Scope;
use crate::{InstId, Sema, annotations, diagnostics};
use kairos_base::Name;
use kairos_base::hash::HashMap;
use kairos_expr::{
    Body, DerivativeAnnotation, Dim, ExprId, Function, FunctionId, Inline, InverseAnnotation, Local, LocalId,
    LocalKind, Node, Scalar, Type, TypeId,
};
use kairos_syntax::ast::{self, ClassBody, ClassKind, Direction, ExprKind, Subscript};
use std::rc::Rc;

impl<'a> Sema<'a> {
    /// The function of a class instance; record classes give their constructor.
    pub(crate) fn function(&mut self, inst: InstId) -> FunctionId {
        if let Some(&f) = self.functions.get(&inst) {
            return f;
        }
        self.expand(inst);
        let id = FunctionId::new(self.store.functions.len());
        self.functions.insert(inst, id);
        self.function_insts.push(inst);
        let span = self.inst(inst).span.unwrap_or(self.no_span);
        self.store.functions.push(Function {
            name: Name::new(&self.inst_path(inst)),
            locals: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            body: Body::Pending,
            pure: self.is_pure(inst),
            inline: Inline::Unspecified,
            smooth_order: None,
            generate_events: false,
            derivatives: Vec::new(),
            inverses: Vec::new(),
            span,
        });
        match self.is_record(inst) {
            true => self.declare_constructor(id, inst),
            false if self.declare_partial_derivative(id, inst) => {}
            false => self.declare_locals(id, inst),
        }
        self.read_annotations(id, inst);
        id
    }

    /// Takes in a function that stands in no text.
    pub fn add_function(&mut self, function: Function) -> FunctionId {
        let id = FunctionId::new(self.store.functions.len());
        self.store.functions.push(function);
        self.function_insts.resize(self.store.functions.len(), self.root);
        id
    }

    fn is_pure(&self, inst: InstId) -> bool {
        let own = self.inst(inst).class.and_then(|c| c.pure);
        own.unwrap_or_else(|| self.inst(inst).bases.iter().all(|b| self.is_pure(*b)))
    }

    /// `function g = der(f, x, y)`: the derivative of `f` for its inputs x and y, one after the other (MLS 12.7.2).
    fn declare_partial_derivative(&mut self, id: FunctionId, inst: InstId) -> bool {
        let Some(ast::Class { body: ClassBody::Derivative(path, vars, _), .. }) = self.inst(inst).class
        else {
            return false;
        };
        let parent = self.inst(inst).parent.unwrap_or(self.root);
        let Some(base) = self.lookup_class(parent, path) else { return true };
        let mut current = self.function(base);
        for var in vars {
            self.need_function(current);
            let f = self.store.function(current).clone();
            let Some(input) = f.inputs.iter().find(|l| f.locals[l.index()].name == var.name) else {
                let known: Vec<Name> = f.inputs.iter().map(|l| f.locals[l.index()].name).collect();
                self.report(diagnostics::unknown_argument(var.name, f.name, var.span, &known));
                return self.stand_in(id, f);
            };
            let derivative = self.store.build_derivative(current).ok().filter(|_| !f.outputs.is_empty());
            self.function_insts.resize(self.store.functions.len(), inst);
            let Some(derivative) = derivative else {
                self.report(diagnostics::not_differentiable(f.name, path.span));
                return self.stand_in(id, f);
            };
            let made = self.directional(&f, derivative, *input);
            current = FunctionId::new(self.store.functions.len());
            self.store.functions.push(made);
            self.function_insts.push(inst);
        }
        let made = self.store.function(current).clone();
        self.stand_in(id, made)
    }

    /// Gives a function the inputs, outputs and body of another.
    fn stand_in(&mut self, id: FunctionId, other: Function) -> bool {
        let own = &mut self.store.functions[id.index()];
        *own = Function { name: own.name, span: own.span, ..other };
        true
    }

    /// `f'(inputs, seed)` with one for `input` and zero for the others, as a function of the inputs.
    fn directional(&mut self, f: &Function, derivative: FunctionId, input: LocalId) -> Function {
        let local = |me: &mut Self, l: LocalId| me.store.local(l, f.locals[l.index()].ty);
        let mut args: Vec<ExprId> = f.inputs.iter().map(|l| local(self, *l)).collect();
        let primes = self.store.function(derivative).inputs.len() - f.inputs.len();
        let real = |me: &Self, l: &LocalId| me.store.get_type(f.locals[l.index()].ty).scalar == Scalar::Real;
        let seeds: Vec<LocalId> = f.inputs.iter().copied().filter(|l| real(self, l)).collect();
        for l in seeds.into_iter().take(primes) {
            args.push(self.store.real(if l == input { 1.0 } else { 0.0 }));
        }
        let output = f.outputs[0];
        let ty = self.store.get_type(f.locals[output.index()].ty).clone();
        let call = self.store.add(Node::Call(derivative, args.into()), ty);
        let target = kairos_expr::LValue { target: kairos_expr::Target::Local(output), path: Vec::new() };
        let body = Body::Statements(vec![kairos_expr::Stmt::Assign(target, call, f.span)]);
        Function { outputs: vec![output], body, derivatives: Vec::new(), inverses: Vec::new(), ..f.clone() }
    }

    /// The one output is the record, the inputs are its fields with their declared values as defaults.
    fn declare_constructor(&mut self, id: FunctionId, inst: InstId) {
        let Some(record) = self.open_record_of(inst) else { return };
        self.in_function += 1;
        let fields = self.store.record(record).fields.clone();
        let mut names = HashMap::default();
        for (k, (name, ty)) in fields.iter().enumerate() {
            let ty = self.store.intern_type(ty.clone());
            names.insert(*name, (LocalId::new(k), ty));
        }
        let names = Rc::new(names);
        let mut locals = Vec::new();
        for (name, ty) in &fields {
            let e = self.inst(inst).table.get(name).copied();
            let value = e.and_then(|e| self.local_default(e, &names, Fields::All));
            let dims = e.map_or_else(Vec::new, |e| self.field_dims(e, ty, &names));
            let ty = self.store.intern_type(ty.clone());
            let span = e.map_or(self.no_span, |e| self.elem(e).span);
            locals.push(Local { name: *name, kind: LocalKind::Input, ty, dims, value, span });
        }
        self.in_function -= 1;
        let out = self.store.intern_type(Type::scalar(Scalar::Record(record)));
        let f = &mut self.store.functions[id.index()];
        f.inputs = (0..locals.len()).map(LocalId::new).collect();
        f.outputs = vec![LocalId::new(locals.len())];
        let (name, span) = (Name::new("result"), f.span);
        locals.push(Local { name, kind: LocalKind::Output, ty: out, dims: Vec::new(), value: None, span });
        f.locals = locals;
        f.body = Body::RecordConstructor;
    }

    /// The sizes of a field in terms of the others, where they are open.
    fn field_dims(
        &mut self,
        e: crate::ElemId,
        ty: &Type,
        names: &Rc<HashMap<Name, (LocalId, TypeId)>>,
    ) -> Vec<Option<ExprId>> {
        let elem = self.elem(e).clone();
        let Decl::Component(clause, component) = elem.decl else { return Vec::new() };
        if !ty.dims.contains(&Dim::Unknown) {
            return Vec::new();
        }
        let subs = component.dims.iter().chain(&clause.dims);
        subs.map(|sub| self.local_dim(sub, elem.scope, names).0).collect()
    }

    fn declare_locals(&mut self, id: FunctionId, inst: InstId) {
        self.in_function += 1;
        let elements: Vec<crate::ElemId> =
            self.inst(inst).elements.iter().copied().filter(|e| !self.elem(*e).is_class()).collect();
        // Types first, so that sizes and defaults may refer to any local.
        let mut locals: Vec<Local> = Vec::new();
        let mut names = HashMap::default();
        let mut kept = Vec::new();
        for &e in &elements {
            let elem = self.elem(e).clone();
            let Decl::Component(clause, component) = elem.decl else { continue };
            if clause.type_prefix.variability == Some(ast::Variability::Constant) {
                continue;
            }
            let (scalar, class_dims) = self.local_scalar(elem.scope, clause);
            let rank = component.dims.len() + clause.dims.len();
            let mut dims = vec![Dim::Unknown; rank];
            dims.extend(class_dims);
            let prefix = self.declared_prefix(&elem, clause);
            let class = self.quiet_path(elem.scope, &clause.type_name);
            let class = class.and_then(|c| self.inst(c).prefix.direction);
            let direction = prefix.direction.or(class);
            if direction.is_none() && !elem.protected && prefix.variability.is_none() {
                self.report(diagnostics::undirected_public(elem.name, elem.span));
            }
            let kind = match direction {
                Some(Direction::Input) => LocalKind::Input,
                Some(Direction::Output) => LocalKind::Output,
                None => LocalKind::Protected,
            };
            let ty = self.store.intern_type(Type { scalar, dims });
            names.insert(elem.name, (LocalId::new(locals.len()), ty));
            locals.push(Local { name: elem.name, kind, ty, dims: Vec::new(), value: None, span: elem.span });
            kept.push(e);
        }
        // Sizes that do not depend on the arguments are part of the type.
        let table = Rc::new(names.clone());
        for (k, &e) in kept.iter().enumerate() {
            let elem = self.elem(e).clone();
            let Decl::Component(clause, component) = elem.decl else { continue };
            let mut dims = Vec::new();
            let mut known = Vec::new();
            for sub in component.dims.iter().chain(&clause.dims) {
                let (expr, dim) = self.local_dim(sub, elem.scope, &table);
                dims.push(expr);
                known.push(dim);
            }
            let mut ty = self.store.get_type(locals[k].ty).clone();
            let rest = ty.dims.split_off(known.len());
            ty.dims = known;
            ty.dims.extend(rest);
            locals[k].ty = self.store.intern_type(ty);
            locals[k].dims = dims;
            names.insert(elem.name, (LocalId::new(k), locals[k].ty));
        }
        let table = Rc::new(names);
        let f = &mut self.store.functions[id.index()];
        f.inputs =
            (0..locals.len()).filter(|i| locals[*i].kind == LocalKind::Input).map(LocalId::new).collect();
        f.outputs =
            (0..locals.len()).filter(|i| locals[*i].kind == LocalKind::Output).map(LocalId::new).collect();
        f.locals = locals;
        for (k, &e) in kept.iter().enumerate() {
            let fields = match self.store.functions[id.index()].locals[k].kind {
                LocalKind::Input => Fields::All,
                _ => Fields::Some,
            };
            let value = self.local_default(e, &table, fields);
            self.store.functions[id.index()].locals[k].value = value;
        }
        self.function_scopes.insert(id, table);
        self.in_function -= 1;
    }

    fn local_scalar(&mut self, scope: InstId, clause: &'a ast::ComponentClause) -> (Scalar, Vec<Dim>) {
        let Some(ty) = self.lookup_class(scope, &clause.type_name) else {
            return (Scalar::Error, Vec::new());
        };
        self.expand(ty);
        let mut dims = Vec::new();
        for (sub, scope) in self.inst(ty).dims.clone() {
            dims.push(match sub {
                Subscript::Expr(e) => self.dimension(e, scope).map_or(Dim::Unknown, Dim::Known),
                Subscript::All(_) => Dim::Unknown,
            });
        }
        let kind = self.inst(ty).kind;
        let scalar = match self.inst(ty).basic {
            Some(basic) => match basic {
                Basic::ExternalObject => Scalar::Object(Name::new(&self.inst_path(ty))),
                basic => basic.scalar(self.inst(ty).name),
            },
            None if matches!(kind, ClassKind::Function | ClassKind::OperatorFunction) => Scalar::Function,
            None if self.is_external_object(ty) => Scalar::Object(Name::new(&self.inst_path(ty))),
            None => match self.open_record_of(ty) {
                Some(record) => Scalar::Record(record),
                None => {
                    self.report(diagnostics::function_component(clause.type_name.span));
                    Scalar::Error
                }
            },
        };
        (scalar, dims)
    }

    pub(crate) fn local_dim(
        &mut self,
        sub: &'a Subscript,
        scope: InstId,
        names: &Rc<HashMap<Name, (LocalId, TypeId)>>,
    ) -> (Option<ExprId>, Dim) {
        let Subscript::Expr(e) = sub else { return (None, Dim::Unknown) };
        let mut at = Scope::new(scope);
        at.locals = Some(names.clone());
        if let ExprKind::Ref(r) = &e.kind
            && let Some(class) = self.quiet_class(scope, r)
        {
            let n = match self.inst(class).basic {
                Some(Basic::Enumeration(t)) => self.store.enumeration(t).literals.len(),
                Some(Basic::Boolean) => 2,
                _ => 0,
            };
            let size = self.store.int(n as i64);
            return (Some(size), Dim::Known(n as u32));
        }
        let size = self.expr(&mut at, e);
        if self.is_error(size) {
            return (None, Dim::Unknown);
        }
        if self.depends_on_simulation(size) {
            return (Some(size), Dim::Unknown);
        }
        match self.constant(size).ok().and_then(|v| v.as_index()) {
            Some(n) if n >= 0 => (Some(size), Dim::Known(n as u32)),
            _ => (Some(size), Dim::Unknown),
        }
    }

    /// Resolves the body of a function that is to be run or shown.
    pub fn need_function(&mut self, id: FunctionId) {
        if !matches!(self.store.function(id).body, Body::Pending) {
            return;
        }
        let inst = self.function_insts[id.index()];
        self.store.functions[id.index()].body = Body::Statements(Vec::new());
        let mut scope = Scope::new(inst);
        scope.locals = self.function_scopes.get(&id).cloned();
        self.in_function += 1;
        let body = self.function_body(inst, &scope);
        self.in_function -= 1;
        match body {
            Some(body) => {
                self.store.functions[id.index()].body = body;
                self.store.functions[id.index()].pure &= !self.acts(id, inst);
                self.check_outputs_assigned(id);
            }
            // A function type of a functional argument is never run itself.
            None if self.inst(inst).partial => {}
            None => {
                let (name, span) = (self.inst_path(inst), self.inst(inst).span.unwrap_or(self.no_span));
                self.report(diagnostics::no_body(&name, span));
            }
        }
    }

    /// A function that calls an impure one is impure (MLS 12.3), also where its declaration does not say so.
    fn acts(&mut self, id: FunctionId, inst: InstId) -> bool {
        if self.inst(inst).class.is_some_and(|c| c.pure == Some(true)) {
            return false;
        }
        let mut roots = Vec::new();
        self.store.function(id).clone().visit_exprs_mut(&mut |e| roots.push(*e));
        let impure = |e: &ExprId| match self.store.node(*e) {
            Node::Call(f, _) => !self.store.function(*f).pure && !self.calls_as_pure.contains(e),
            _ => false,
        };
        self.store.post_order(&roots, |_| false).iter().any(impure)
    }

    /// Has it no effects beside its results?
    pub fn is_pure_function(&mut self, id: FunctionId) -> bool {
        if self.store.function(id).pure {
            self.need_function(id);
        }
        self.store.function(id).pure
    }

    /// The algorithm or external call of a function, its own or inherited.
    fn function_body(&mut self, inst: InstId, scope: &Scope) -> Option<Body> {
        let bases = self.inst(inst).bases.clone();
        let mut inherited = None;
        for base in bases {
            let inner = Scope { inst: base, ..scope.clone() };
            inherited = self.function_body(base, &inner).or(inherited);
        }
        let Some(ast::Class { body: ClassBody::Long(body), .. }) = self.inst(inst).class else {
            return inherited;
        };
        if let Some(external) = &body.external {
            return Some(self.external_body(external, scope));
        }
        let mut statements = Vec::new();
        for section in &body.algorithms {
            statements.extend(self.statements(&mut scope.clone(), &section.statements));
        }
        match body.algorithms.is_empty() {
            true => inherited,
            false => Some(Body::Statements(statements)),
        }
    }

    pub(crate) fn function_of_scope(&self, scope: &Scope) -> Option<FunctionId> {
        let locals = scope.locals.as_ref()?;
        self.function_scopes.iter().find(|(_, table)| Rc::ptr_eq(table, locals)).map(|(f, _)| *f)
    }

    fn read_annotations(&mut self, id: FunctionId, inst: InstId) {
        let bases = self.inst(inst).bases.clone();
        for base in bases {
            self.read_own_annotations(id, base, inst);
        }
        self.read_own_annotations(id, inst, inst);
    }

    fn read_own_annotations(&mut self, id: FunctionId, inst: InstId, scope: InstId) {
        let bases = self.inst(inst).bases.clone();
        if inst != scope {
            bases.into_iter().for_each(|base| self.read_own_annotations(id, base, scope));
        }
        let Some(class) = self.inst(inst).class else { return };
        let (annotation, external) = match &class.body {
            ClassBody::Long(body) => (body.annotation.as_ref(), body.external.as_ref()),
            ClassBody::Short(short) => (short.comment.annotation.as_ref(), None),
            _ => (None, None),
        };
        for annotation in [annotation, external.and_then(|e| e.annotation.as_ref())].into_iter().flatten() {
            let some = Some(annotation);
            let f = &mut self.store.functions[id.index()];
            if annotations::flag(some, "InlineAfterIndexReduction") == Some(true) {
                f.inline = Inline::AfterIndexReduction;
            } else if annotations::flag(some, "LateInline") == Some(true) {
                f.inline = Inline::Late;
            } else if let Some(flag) = annotations::flag(some, "Inline") {
                f.inline = if flag { Inline::Always } else { Inline::Never };
            }
            if let Some(order) = annotations::value(some, "smoothOrder").and_then(annotations::number) {
                f.smooth_order = Some(order as u32);
            }
            f.generate_events |= annotations::flag(some, "GenerateEvents") == Some(true);
            self.read_derivatives(id, scope, annotation);
            self.read_inverse(id, scope, annotation);
        }
    }

    fn read_derivatives(&mut self, id: FunctionId, inst: InstId, annotation: &'a ast::Annotation) {
        for arg in &annotation.args {
            let ast::ArgumentKind::Modify { path, modification: Some(m), .. } = &arg.kind else { continue };
            if path.len() != 1 || path[0].name != "derivative" {
                continue;
            }
            let Some(ast::ModValue::Expr(value)) = &m.value else { continue };
            let ExprKind::Ref(r) = &value.kind else { continue };
            let Some(class) = self.quiet_class(inst, r) else { continue };
            let function = self.function(class);
            let order =
                annotations::find(&m.args, "order").and_then(|(_, v)| v).and_then(annotations::number);
            let mut derivative = DerivativeAnnotation {
                function,
                order: order.unwrap_or(1.0) as u32,
                no_derivative: Vec::new(),
                zero_derivative: Vec::new(),
                vanishes: Default::default(),
            };
            for arg in &m.args {
                let ast::ArgumentKind::Modify { path, modification: Some(m), .. } = &arg.kind else {
                    continue;
                };
                let Some(ast::ModValue::Expr(e)) = &m.value else { continue };
                let ExprKind::Ref(r) = &e.kind else { continue };
                let name = r.parts[0].name.name;
                let local =
                    self.store.function(id).locals.iter().position(|l| l.name == name).map(LocalId::new);
                match path[0].name.as_str() {
                    "noDerivative" => derivative.no_derivative.extend(local),
                    "zeroDerivative" => derivative.zero_derivative.extend(local),
                    _ => {}
                }
            }
            self.store.functions[id.index()].derivatives.push(derivative);
        }
    }

    fn read_inverse(&mut self, id: FunctionId, inst: InstId, annotation: &'a ast::Annotation) {
        let Some((args, _)) = annotations::find(&annotation.args, "inverse") else { return };
        let mut scope = Scope::new(inst);
        scope.locals = self.function_scopes.get(&id).cloned();
        for arg in args {
            let ast::ArgumentKind::Modify { path, modification: Some(m), .. } = &arg.kind else { continue };
            let Some(ast::ModValue::Expr(e)) = &m.value else { continue };
            let input = self.store.function(id).locals.iter().position(|l| l.name == path[0].name);
            let Some(input) = input else { continue };
            self.in_function += 1;
            let call = self.expr(&mut scope, e);
            self.in_function -= 1;
            if !self.is_error(call) {
                let inverse = InverseAnnotation { input: LocalId::new(input), call };
                self.store.functions[id.index()].inverses.push(inverse);
            }
        }
    }

    /// Replaces locals by expressions: defaults in terms of other arguments.
    pub(crate) fn substitute_locals(
        &mut self,
        e: ExprId,
        args: &[Option<ExprId>],
        inputs: &[LocalId],
    ) -> ExprId {
        if let Node::Local(l) = self.store.node(e) {
            let k = inputs.iter().position(|i| i == l);
            return k.and_then(|k| args[k]).unwrap_or(e);
        }
        let mut children = Vec::new();
        self.store.children(e, |c| children.push(c));
        let new: HashMap<ExprId, ExprId> =
            children.into_iter().map(|c| (c, self.substitute_locals(c, args, inputs))).collect();
        self.store.map_children(e, |_, c| new.get(&c).copied().unwrap_or(c))
    }
}
