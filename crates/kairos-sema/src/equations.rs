//! The walk over an instance that collects its equations, algorithms and connections.

use crate::comps::What;
use crate::ranges::Loop;
use crate::resolve::Scope;
use crate::selection::Selection;
use crate::{CompId, InstId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::{Builtin, ExprId, Node, Scalar, Stmt, Value};
use kairos_syntax::ast::{self, ClassBody, EquationKind, ExprKind};

/// An equation with the instance it belongs to.
#[derive(Clone, Debug)]
pub struct Eq {
    pub kind: EqKind,
    pub span: Span,
    pub owner: CompId,
}

#[derive(Clone, Debug)]
pub enum EqKind {
    Equal(ExprId, ExprId),
    If(Vec<(ExprId, Vec<Eq>)>, Vec<Eq>),
    When(Vec<(ExprId, Vec<Eq>)>),
    Algorithm(Vec<Stmt>),
    Assert { condition: ExprId, message: ExprId, level: ExprId },
    Terminate(ExprId),
    Reinit(ExprId, ExprId),
    Call(ExprId),
}

/// One side of a connection: a connector, or an element of a connector that is an array of variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Endpoint {
    pub comp: CompId,
    /// Row-major position, for an element of an array variable.
    pub element: Option<u32>,
}

/// `connect(a, b)` between single connectors, seen from `owner`.
#[derive(Clone, Debug)]
pub struct Connect {
    pub a: Endpoint,
    pub b: Endpoint,
    /// Is the connector one of the owner itself, rather than of a part?
    pub a_outside: bool,
    pub b_outside: bool,
    pub owner: CompId,
    pub span: Span,
}

/// `Connections.branch`, `root` and `potentialRoot` (MLS 9.4).
#[derive(Clone, Debug)]
pub enum GraphFact {
    Branch(CompId, CompId),
    Root(CompId),
    PotentialRoot(CompId, i64),
}

/// An if-equation that has to wait until all connections are known.
pub(crate) struct Deferred<'a> {
    equation: &'a ast::Equation,
    scope: Scope,
    owner: CompId,
    initial: bool,
}

impl<'a> Sema<'a> {
    /// Collects everything below a component.
    pub(crate) fn walk(&mut self, comp: CompId) {
        let c = self.comp(comp);
        if c.disabled || c.outer.is_some() {
            return;
        }
        match c.what {
            What::Array => {
                for element in self.comp(comp).elements.clone() {
                    self.walk(element);
                }
            }
            What::Parts => {
                let Some(class) = self.comp(comp).class else { return };
                // Parts deep inside may ask for an inner one that is missing, which is added at the end of the list.
                let mut next = 0;
                while let Some(&part) = self.parts(comp).get(next) {
                    self.walk(part);
                    next += 1;
                }
                self.check_block(comp, class);
                self.sections(class, comp);
            }
            What::Variable(_) => self.check_binding(comp),
            What::Package | What::Broken => {}
        }
    }

    /// The sections of a class, inherited ones first.
    fn sections(&mut self, inst: InstId, owner: CompId) {
        for base in self.inst(inst).bases.clone() {
            self.sections(base, owner);
        }
        let Some(ast::Class { body: ClassBody::Long(body), .. }) = self.inst(inst).class else { return };
        let scope = Scope::new(inst);
        for section in &body.equations {
            self.broken_connects = self.inst(inst).broken.clone();
            let list = self.equations(&scope, &section.equations, owner, section.initial);
            let into = if section.initial { &mut self.initial_equations } else { &mut self.equations };
            into.extend(list);
        }
        for section in &body.algorithms {
            self.in_section = true;
            let statements = self.statements(&mut scope.clone(), &section.statements);
            self.in_section = false;
            if statements.is_empty() {
                continue;
            }
            let eq = Eq { kind: EqKind::Algorithm(statements), span: section.span, owner };
            let into = if section.initial { &mut self.initial_equations } else { &mut self.equations };
            into.push(eq);
        }
    }

    /// Resolves the equations that had to wait for the connection graph.
    pub(crate) fn resolve_deferred(&mut self) {
        for d in std::mem::take(&mut self.deferred) {
            self.final_conditions = true;
            let list = self.equation(&d.scope, d.equation, d.owner, d.initial);
            let into = if d.initial { &mut self.initial_equations } else { &mut self.equations };
            into.extend(list);
        }
    }

    fn equations(
        &mut self,
        scope: &Scope,
        list: &'a [ast::Equation],
        owner: CompId,
        initial: bool,
    ) -> Vec<Eq> {
        list.iter().flat_map(|e| self.equation(scope, e, owner, initial)).collect()
    }

    fn equation(&mut self, scope: &Scope, e: &'a ast::Equation, owner: CompId, initial: bool) -> Vec<Eq> {
        let mut at = scope.clone();
        let one = |kind| vec![Eq { kind, span: e.span, owner }];
        match &e.kind {
            EquationKind::Equal(lhs, rhs) => self.equal(&mut at, lhs, rhs, e.span, owner),
            EquationKind::For { indices, body } => self.for_equation(&at, indices, body, owner, initial),
            EquationKind::If { branches, otherwise } => {
                self.if_equation(&at, e, branches, otherwise, owner, initial)
            }
            EquationKind::When { branches } => {
                let mut list = Vec::with_capacity(branches.len());
                for (condition, body) in branches {
                    self.forbid_connections(body, "a when-equation");
                    let c = self.expr(&mut at, condition);
                    if self.store.ty(c).scalar != Scalar::Clock {
                        self.want_boolean(c, condition.span);
                    }
                    list.push((c, self.equations(&at, body, owner, initial)));
                }
                if initial {
                    self.report(diagnostics::when_in_initial(e.span));
                }
                one(EqKind::When(list))
            }
            EquationKind::Connect(a, b) => {
                self.connect(&mut at, a, b, e.span, owner);
                Vec::new()
            }
            EquationKind::Call(call) => self.call_equation(&mut at, call, e.span, owner),
        }
    }

    fn equal(
        &mut self,
        scope: &mut Scope,
        lhs: &'a ast::Expr,
        rhs: &'a ast::Expr,
        span: Span,
        owner: CompId,
    ) -> Vec<Eq> {
        if let ExprKind::Tuple(items) = &lhs.kind
            && !matches!(items.as_slice(), [Some(_)])
        {
            let call = self.results(scope, rhs);
            if self.is_error(call) {
                return Vec::new();
            }
            if !self.check_results(call, items.len(), span) {
                return Vec::new();
            }
            let mut list = Vec::new();
            for (k, item) in items.iter().enumerate() {
                let Some(item) = item else { continue };
                let target = self.expr(scope, item);
                let value = self.item_of(call, k);
                self.check_equal(target, value, span);
                list.push(Eq { kind: EqKind::Equal(target, value), span, owner });
            }
            return list;
        }
        let a = self.expr(scope, lhs);
        let b = self.expr(scope, rhs);
        if !self.check_equal(a, b, span) {
            if self.diagnostics.is_empty() {
                self.report(diagnostics::not_a_value(span));
            }
            return Vec::new();
        }
        vec![Eq { kind: EqKind::Equal(a, b), span, owner }]
    }

    fn check_equal(&mut self, a: ExprId, b: ExprId, span: Span) -> bool {
        let (x, y) = (self.store.ty(a).clone(), self.store.ty(b).clone());
        if x.scalar == Scalar::Error || y.scalar == Scalar::Error {
            return false;
        }
        let fits = self.assignable(&x, &y) || self.assignable(&y, &x);
        if !fits {
            let (s, t) = (self.type_text(&x), self.type_text(&y));
            self.report(diagnostics::equation_types(&s, &t, span));
        }
        fits
    }

    fn for_equation(
        &mut self,
        scope: &Scope,
        indices: &'a [ast::ForIndex],
        body: &'a [ast::Equation],
        owner: CompId,
        initial: bool,
    ) -> Vec<Eq> {
        let Some((index, rest)) = indices.split_first() else {
            return self.equations(scope, body, owner, initial);
        };
        let e = self.loop_range(&mut scope.clone(), index, Loop::Equations(body));
        let place = index.range.as_ref().map_or(index.name.span, |range| range.span);
        if self.is_error(e) {
            return Vec::new();
        }
        if self.store.ty(e).dims.is_empty() {
            self.report(diagnostics::not_a_vector(place));
            return Vec::new();
        }
        let values = match self.constant(e) {
            Ok(values) => values,
            Err(stop) => {
                self.report_stop(stop, place, "the range of a for-equation");
                return Vec::new();
            }
        };
        let mut list = Vec::new();
        for value in values.elements() {
            let literal = self.value_expr(value);
            let inner = scope.with_iterator(index.name.name, literal);
            list.extend(self.for_equation(&inner, rest, body, owner, initial));
        }
        list
    }

    fn if_equation(
        &mut self,
        scope: &Scope,
        e: &'a ast::Equation,
        branches: &'a [(ast::Expr, Vec<ast::Equation>)],
        otherwise: &'a [ast::Equation],
        owner: CompId,
        initial: bool,
    ) -> Vec<Eq> {
        let alike = self.same_targets(branches, otherwise);
        let mut kept = Vec::new();
        let waiting = self.deferred.len();
        let mut chosen = otherwise;
        for (condition, body) in branches {
            let c = self.expr(&mut scope.clone(), condition);
            self.want_boolean(c, condition.span);
            if self.is_error(c) {
                continue;
            }
            if self.reads_graph(c) && !self.final_conditions {
                self.deferred.push(Deferred { equation: e, scope: scope.clone(), owner, initial });
                return Vec::new();
            }
            let fixed = match self.settled_condition(c) {
                Some(value) => Some(value),
                None if !alike && !self.depends_on_simulation(c) => match self.constant(c) {
                    Ok(value) => Some(value),
                    Err(kairos_expr::Stop::NotConstant) => None,
                    Err(stop) => {
                        self.report_stop(stop, condition.span, "the condition of an if-equation");
                        return Vec::new();
                    }
                },
                None => None,
            };
            match fixed {
                Some(Value::Bool(true)) => {
                    chosen = body;
                    break;
                }
                Some(_) => {}
                None => {
                    self.forbid_connections(body, "an if-equation whose condition changes");
                    let body = self.equations(scope, body, owner, initial);
                    kept.push((c, body));
                }
            }
        }
        if !kept.is_empty() {
            self.forbid_connections(chosen, "an if-equation whose condition changes");
        }
        let last = self.equations(scope, chosen, owner, initial);
        if !kept.is_empty() && self.deferred.len() > waiting {
            // What waits inside stays under this condition, so the whole equation waits.
            self.deferred.truncate(waiting);
            self.deferred.push(Deferred { equation: e, scope: scope.clone(), owner, initial });
            return Vec::new();
        }
        joined(kept, last, e.span, owner)
    }

    /// Do all branches define the same variables? Then a parameter in the condition can stay one.
    fn same_targets(
        &self,
        branches: &[(ast::Expr, Vec<ast::Equation>)],
        otherwise: &[ast::Equation],
    ) -> bool {
        let sources = self.lib.sources();
        let targets = |list: &[ast::Equation]| {
            let lhs = |e: &ast::Equation| match &e.kind {
                EquationKind::Equal(lhs, _) if matches!(lhs.kind, ExprKind::Ref(_)) => {
                    Some(sources.slice(lhs.span).to_string())
                }
                _ => None,
            };
            let mut names = list.iter().map(lhs).collect::<Option<Vec<String>>>()?;
            names.sort();
            Some(names)
        };
        let Some(first) = targets(otherwise) else { return false };
        branches.iter().all(|(_, b)| targets(b).as_ref() == Some(&first))
    }

    /// Connections and graph operators stand only where their number is fixed (MLS 9.3).
    fn forbid_connections(&mut self, body: &'a [ast::Equation], place: &str) {
        for e in body {
            let structural = match &e.kind {
                EquationKind::Connect(..) => true,
                EquationKind::Call(call) => match &call.kind {
                    ExprKind::Call { function, .. } => {
                        function.parts.len() == 2 && function.parts[0].name.name == *"Connections"
                    }
                    _ => false,
                },
                _ => false,
            };
            if structural {
                self.report(diagnostics::misplaced_connection(place, e.span));
            }
        }
    }

    fn reads_graph(&self, e: ExprId) -> bool {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            if let Node::Builtin(Builtin::Cardinality | Builtin::IsRoot | Builtin::Rooted, _) =
                self.store.node(e)
            {
                return true;
            }
            self.store.children(e, |c| todo.push(c));
        }
        false
    }

    fn call_equation(
        &mut self,
        scope: &mut Scope,
        call: &'a ast::Expr,
        span: Span,
        owner: CompId,
    ) -> Vec<Eq> {
        let ExprKind::Call { function, args } = &call.kind else {
            self.report(diagnostics::not_a_call(span));
            return Vec::new();
        };
        let dotted: Vec<&str> = function.parts.iter().map(|p| p.name.name.as_str()).collect();
        let one = |kind| vec![Eq { kind, span, owner }];
        match dotted.join(".").as_str() {
            "assert" => match self.assert_args(scope, args, span) {
                Some((condition, message, level)) => one(EqKind::Assert { condition, message, level }),
                None => Vec::new(),
            },
            "terminate" => match self.positional(scope, &args.positional).as_slice() {
                [message] => one(EqKind::Terminate(*message)),
                list => {
                    self.report(diagnostics::argument_count("terminate", list.len(), 1, 1, span));
                    Vec::new()
                }
            },
            "reinit" => match self.positional(scope, &args.positional).as_slice() {
                &[x, value] => {
                    if !self.check_equal(x, value, span) {
                        return Vec::new();
                    }
                    self.check_reinit(x, span);
                    one(EqKind::Reinit(x, value))
                }
                list => {
                    self.report(diagnostics::argument_count("reinit", list.len(), 2, 2, span));
                    Vec::new()
                }
            },
            "Connections.branch" | "Connections.root" | "Connections.potentialRoot" => {
                self.graph_call(scope, dotted[1], args, span);
                Vec::new()
            }
            "transition" => {
                self.transition(scope, args, span);
                Vec::new()
            }
            "initialState" => {
                self.initial_state(scope, args, span);
                Vec::new()
            }
            _ => {
                let e = self.results(scope, call);
                if self.is_error(e) { Vec::new() } else { one(EqKind::Call(e)) }
            }
        }
    }

    pub(crate) fn assert_args(
        &mut self,
        scope: &mut Scope,
        args: &'a ast::Args,
        span: Span,
    ) -> Option<(ExprId, ExprId, ExprId)> {
        let named = |n: &str| args.named.iter().find(|a| a.name.name == *n).map(|a| &a.value);
        let condition = args.positional.first().or_else(|| named("condition"));
        let message = args.positional.get(1).or_else(|| named("message"));
        let level = args.positional.get(2).or_else(|| named("level"));
        let (Some(condition), Some(message)) = (condition, message) else {
            self.report(diagnostics::argument_count("assert", args.positional.len(), 2, 3, span));
            return None;
        };
        let c = self.expr(scope, condition);
        self.want_boolean(c, condition.span);
        let m = self.expr(scope, message);
        let level = match level {
            Some(e) => {
                let e = self.expr(scope, e);
                let warning = self.store.literal(self.assertion_level, 1);
                let ty = kairos_expr::Type::scalar(Scalar::Bool);
                self.store.add(Node::Binary(kairos_expr::BinOp::Eq, e, warning), ty)
            }
            None => self.store.bool(false),
        };
        let wrong = self.is_error(c) || self.is_error(m);
        (!wrong).then_some((c, m, level))
    }

    fn graph_call(&mut self, scope: &mut Scope, what: &str, args: &'a ast::Args, span: Span) {
        let mut nodes = Vec::new();
        for arg in &args.positional {
            if let ExprKind::Ref(r) = &arg.kind
                && nodes.len() < if what == "branch" { 2 } else { 1 }
            {
                match self.select(scope, r).as_deref_single() {
                    Some(comp) => nodes.push(comp),
                    None => return,
                }
            }
        }
        let priority = args.positional.get(1).or_else(|| args.named.first().map(|a| &a.value));
        match (what, nodes.as_slice()) {
            ("branch", &[a, b]) => self.graph.push((GraphFact::Branch(a, b), span)),
            ("root", &[a]) => self.graph.push((GraphFact::Root(a), span)),
            ("potentialRoot", &[a]) => {
                let priority = match priority {
                    Some(e) => {
                        let e = self.expr(scope, e);
                        self.constant(e).ok().and_then(|v| v.as_index()).unwrap_or(0)
                    }
                    None => 0,
                };
                self.graph.push((GraphFact::PotentialRoot(a, priority), span));
            }
            _ => self.report(diagnostics::argument_count(what, nodes.len(), 1, 2, span)),
        }
    }

    fn connect(&mut self, scope: &mut Scope, a: &'a ast::Expr, b: &'a ast::Expr, span: Span, owner: CompId) {
        let (ExprKind::Ref(r), ExprKind::Ref(s)) = (&a.kind, &b.kind) else {
            self.report(diagnostics::connect_arguments(span));
            return;
        };
        if self.is_broken_connect(r, s) {
            return;
        }
        let (Some(x), Some(y)) = (self.connector(scope, r), self.connector(scope, s)) else {
            self.connect_bus(scope, r, s, span, owner);
            return;
        };
        if self.check_connector_reference(&x, r) && self.check_connector_reference(&y, s) {
            self.connect_selected(x, y, (r, s), span, owner, scope.inst);
        }
    }

    pub(crate) fn connect_selected(
        &mut self,
        x: Selection,
        y: Selection,
        refs: (&'a ast::ComponentRef, &'a ast::ComponentRef),
        span: Span,
        owner: CompId,
        scope: InstId,
    ) {
        let disabled = |me: &Self, s: &Selection| s.comps.iter().any(|c| me.is_disabled(*c));
        if disabled(self, &x) || disabled(self, &y) {
            return;
        }
        let (Some((x, s)), Some((y, t))) = (self.endpoints(&x, span), self.endpoints(&y, span)) else {
            return;
        };
        if s != t || x.len() != y.len() {
            self.report(diagnostics::connect_sizes(&format!("{s:?}"), &format!("{t:?}"), span));
            return;
        }
        let a_outside = self.is_outside(scope, refs.0);
        let b_outside = self.is_outside(scope, refs.1);
        for (a, b) in x.into_iter().zip(y) {
            self.connects.push(Connect { a, b, a_outside, b_outside, owner, span });
        }
    }

    /// The single connectors of a selection in row-major order, and their dimensions.
    pub(crate) fn endpoints(&mut self, s: &Selection, span: Span) -> Option<(Vec<Endpoint>, Vec<usize>)> {
        let Some(&first) = s.comps.first() else { return Some((Vec::new(), s.dims.clone())) };
        if !matches!(self.comp(first).what, What::Variable(_)) || self.comp(first).dims.is_empty() {
            let list = s.comps.iter().map(|c| Endpoint { comp: *c, element: None }).collect();
            return Some((list, s.dims.clone()));
        }
        let sizes: Vec<usize> = self.comp(first).dims.iter().map(|d| d.known().unwrap_or(0)).collect();
        let count: usize = sizes.iter().product();
        let all = Value::array(sizes, (0..count).map(|k| Value::Int(k as i64)).collect());
        let mut subs = Vec::new();
        for sub in s.subs.iter().skip(s.dims.len()) {
            subs.push(match sub {
                kairos_expr::Sub::All => None,
                kairos_expr::Sub::At(e) => match self.constant(*e) {
                    Ok(value) => Some(value),
                    Err(stop) => {
                        self.report_stop(stop, span, "the subscript of a connector");
                        return None;
                    }
                },
            });
        }
        let chosen = match kairos_expr::index(&all, &subs) {
            Ok(chosen) => chosen,
            Err(message) => {
                self.report(diagnostics::bad_subscript(&message, span));
                return None;
            }
        };
        let mut dims = s.dims.clone();
        dims.extend(chosen.dims());
        let mut list = Vec::new();
        for &comp in &s.comps {
            let picks = chosen.elements().iter().filter_map(|v| v.as_index());
            list.extend(picks.map(|k| Endpoint { comp, element: Some(k as u32) }));
        }
        Some((list, dims))
    }

    pub(crate) fn is_disabled(&self, comp: CompId) -> bool {
        let mut current = Some(comp);
        while let Some(c) = current {
            if self.comp(c).disabled {
                return true;
            }
            current = self.comp(c).parent;
        }
        false
    }

    /// A connector of the class itself, not of one of its parts (MLS 9.1.2).
    fn is_outside(&mut self, scope: InstId, r: &ast::ComponentRef) -> bool {
        if r.parts.len() > 1 {
            let first = r.parts[0].name.name;
            // `a.b` with `a` a connector of this class: its parts are outside as well.
            return self.is_connector_element(scope, first);
        }
        self.is_connector_element(scope, r.parts[0].name.name)
            && !self.is_outer_element(scope, r.parts[0].name.name)
    }

    fn is_outer_element(&self, scope: InstId, name: Name) -> bool {
        self.inst(scope).table.get(&name).is_some_and(|e| self.elem(*e).prefix.outer)
    }

    fn is_connector_element(&mut self, scope: InstId, name: Name) -> bool {
        let Some(comp) = self.inst(scope).comp else { return false };
        let Some(child) = self.child(comp, name) else { return false };
        self.is_connector(child) && !self.is_outer_element(scope, name)
    }

    /// Is a component part of an expandable connector?
    pub fn in_bus(&self, comp: CompId) -> bool {
        if !self.buses {
            return false;
        }
        let mut current = self.comp(comp).parent;
        while let Some(c) = current {
            if self.is_expandable(c) {
                return true;
            }
            current = self.comp(c).parent;
        }
        false
    }

    /// Is a component a connector, or a variable of connector type?
    pub fn is_connector(&self, comp: CompId) -> bool {
        use kairos_syntax::ast::ClassKind;
        let Some(class) = self.comp(comp).class else { return false };
        self.class_is(class, &[ClassKind::Connector, ClassKind::ExpandableConnector])
    }

    /// Can a component have equations of its own?
    pub fn is_model(&self, comp: CompId) -> bool {
        use kairos_syntax::ast::ClassKind;
        let Some(class) = self.comp(comp).class else { return false };
        self.class_is(class, &[ClassKind::Model, ClassKind::Block, ClassKind::Class])
    }

    pub(crate) fn class_is(&self, class: InstId, kinds: &[ast::ClassKind]) -> bool {
        kinds.contains(&self.inst(class).kind)
            || self.inst(class).bases.iter().any(|b| self.class_is(*b, kinds))
    }

    fn is_broken_connect(&self, r: &ast::ComponentRef, s: &ast::ComponentRef) -> bool {
        let text = |r: &ast::ComponentRef| {
            let parts: Vec<&str> = r.parts.iter().map(|p| p.name.name.as_str()).collect();
            parts.join(".")
        };
        self.broken_connects.iter().any(|b| match b {
            ast::Break::Connect(x, y, _) => match (&x.kind, &y.kind) {
                (ExprKind::Ref(x), ExprKind::Ref(y)) => {
                    let (x, y, r, s) = (text(x), text(y), text(r), text(s));
                    (x == r && y == s) || (x == s && y == r)
                }
                _ => false,
            },
            ast::Break::Component(_) => false,
        })
    }
}

/// The one component of a selection without open subscripts.
pub(crate) trait Single {
    fn as_deref_single(&self) -> Option<CompId>;
}

impl Single for Option<Selection> {
    fn as_deref_single(&self) -> Option<CompId> {
        match self {
            Some(s) if s.comps.len() == 1 => Some(s.comps[0]),
            _ => None,
        }
    }
}

fn joined(kept: Vec<(ExprId, Vec<Eq>)>, last: Vec<Eq>, span: Span, owner: CompId) -> Vec<Eq> {
    match kept.is_empty() {
        true => last,
        false => vec![Eq { kind: EqKind::If(kept, last), span, owner }],
    }
}
