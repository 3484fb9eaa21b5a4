//! Calls of predefined functions and operators (MLS 3.7, 10.3, 16).

mod forms;
mod shapes;

use crate::comps::What;
use crate::resolve::Scope;
use crate::{Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::{Builtin, Dim, ExprId, Node, Scalar, Shape, Sub, Type};
use kairos_syntax::ast::{Args, ClassKind, ComponentRef, ExprKind};

impl<'a> Sema<'a> {
    pub(crate) fn call_builtin(
        &mut self,
        scope: &mut Scope,
        r: &'a ComponentRef,
        args: &'a Args,
        span: Span,
    ) -> ExprId {
        let dotted: Vec<&str> = r.parts.iter().map(|p| p.name.name.as_str()).collect();
        let name = dotted.join(".");
        match name.as_str() {
            "min" | "max" | "sum" | "product" | "array" => return self.reduction(scope, &name, args, span),
            "String" => return self.string_call(scope, args, span),
            "Clock" => return self.clock_call(scope, args, span),
            "sample" => return self.sample_call(scope, args, span),
            "activeState" => return self.active_state(scope, args, span),
            "cardinality" => return self.graph_query(scope, Builtin::Cardinality, args, span),
            "Connections.isRoot" => return self.graph_query(scope, Builtin::IsRoot, args, span),
            "Connections.rooted" | "rooted" => return self.graph_query(scope, Builtin::Rooted, args, span),
            "getInstanceName" => {
                let path = self.instance_name(scope.inst);
                return self.store.str(&path);
            }
            "pure" => {
                if let Some(arg) = args.positional.first() {
                    let call = self.expr(scope, arg);
                    self.calls_as_pure.insert(call);
                    return call;
                }
            }
            "smooth"
            | "delay"
            | "homotopy"
            | "semiLinear"
            | "spatialDistribution"
            | "subSample"
            | "superSample"
            | "shiftSample"
            | "backSample" => {}
            "size" => {
                if let Some(size) = self.size_of_parts(scope, args) {
                    return size;
                }
            }
            _ => {}
        }
        let row = Builtin::by_name(&name).next();
        let Some(row) = row else {
            let mut known = self.visible_names(scope.inst);
            let own = Builtin::all().iter().map(|row| row.name);
            known.extend(own.filter(|name| name.starts_with(char::is_lowercase)).map(Name::new));
            self.report(diagnostics::unknown_function(&name, span, &known));
            return self.error_expr();
        };
        self.builtin_args(scope, row.builtin, args, span)
    }

    pub(crate) fn builtin_args(
        &mut self,
        scope: &mut Scope,
        f: Builtin,
        args: &'a Args,
        span: Span,
    ) -> ExprId {
        let row = f.row();
        let kind = self.inst(scope.inst).kind;
        if f.needs_model() && matches!(kind, ClassKind::Function | ClassKind::OperatorFunction) {
            self.report(diagnostics::operator_in_function(row.name, span));
            return self.error_expr();
        }
        let Some(list) = self.ordered(scope, f, args, span) else { return self.error_expr() };
        if list.len() < row.min_args || list.len() > row.max_args {
            self.report(diagnostics::argument_count(row.name, list.len(), row.min_args, row.max_args, span));
            return self.error_expr();
        }
        if list.iter().any(|a| self.is_error(*a)) {
            return self.error_expr();
        }
        self.builtin(f, list, span)
    }

    /// Positional and named arguments in the order of the builtin's own parameters.
    fn ordered(&mut self, scope: &mut Scope, f: Builtin, args: &'a Args, span: Span) -> Option<Vec<ExprId>> {
        let mut list = self.positional(scope, &args.positional);
        let names: &[&str] = match f {
            Builtin::Homotopy => &["actual", "simplified"],
            Builtin::Smooth => &["p", "expr"],
            Builtin::Delay => &["expr", "delayTime", "delayMax"],
            Builtin::SemiLinear => &["x", "positiveSlope", "negativeSlope"],
            Builtin::SpatialDistribution => {
                &["in0", "in1", "x", "positiveVelocity", "initialPoints", "initialValues"]
            }
            Builtin::SubSample | Builtin::SuperSample => &["u", "factor"],
            Builtin::ShiftSample => &["u", "shiftCounter", "resolution"],
            Builtin::BackSample => &["u", "backCounter", "resolution"],
            Builtin::Hold | Builtin::Previous | Builtin::NoClock => &["u"],
            _ => &[],
        };
        for arg in &args.named {
            let position = names.iter().position(|n| arg.name.name == **n);
            match position {
                Some(k) if k == list.len() => {
                    let e = self.expr(scope, &arg.value);
                    list.push(e);
                }
                Some(k) if k < list.len() => {
                    self.report(diagnostics::argument_twice(arg.name.name, arg.name.span));
                    return None;
                }
                _ => {
                    // Out of order: collect by position.
                    let Some(k) = position else {
                        let known: Vec<Name> = names.iter().map(|n| Name::new(n)).collect();
                        let shown = Name::new(f.name());
                        self.report(diagnostics::unknown_argument(
                            arg.name.name,
                            shown,
                            arg.name.span,
                            &known,
                        ));
                        return None;
                    };
                    let later = args.named.iter().filter(|a| a.name.name != arg.name.name);
                    let mut slots: Vec<Option<ExprId>> = list.iter().map(|e| Some(*e)).collect();
                    slots.resize(names.len(), None);
                    slots[k] = Some(self.expr(scope, &arg.value));
                    for other in later {
                        if let Some(j) = names.iter().position(|n| other.name.name == **n)
                            && slots[j].is_none()
                        {
                            slots[j] = Some(self.expr(scope, &other.value));
                        }
                    }
                    while slots.last() == Some(&None) {
                        slots.pop();
                    }
                    if let (Builtin::SpatialDistribution, Some(places @ None)) = (f, slots.get_mut(4)) {
                        *places = Some(self.even_profile()[0]);
                    }
                    let all: Option<Vec<ExprId>> = slots.into_iter().collect();
                    if all.is_none() {
                        self.report(diagnostics::argument_count(
                            f.name(),
                            list.len(),
                            f.row().min_args,
                            names.len(),
                            span,
                        ));
                    }
                    return all;
                }
            }
        }
        Some(list)
    }

    fn builtin(&mut self, f: Builtin, mut args: Vec<ExprId>, span: Span) -> ExprId {
        let types: Vec<Type> = args.iter().map(|a| self.store.ty(*a).clone()).collect();
        let ty = match f.row().shape {
            Shape::Real | Shape::Int | Shape::Same => {
                let enums = f == Builtin::Ordinal;
                if let Some(bad) = types
                    .iter()
                    .find(|t| !(t.scalar.is_numeric() || enums && matches!(t.scalar, Scalar::Enum(_))))
                {
                    let shown = self.type_text(bad);
                    self.report(diagnostics::number_expected(f.name(), &shown, span));
                    return self.error_expr();
                }
                let dims = types.iter().map(|t| &t.dims).find(|d| !d.is_empty()).cloned().unwrap_or_default();
                // MLS 12.4.6: all arrays that a function of scalars is applied to have the same sizes.
                let fits = |t: &Type| {
                    t.dims.is_empty()
                        || t.dims.len() == dims.len() && t.dims.iter().zip(&dims).all(|(a, b)| a.fits(*b))
                };
                if let Some(other) = types.iter().find(|t| !fits(t)) {
                    let (a, b) = (self.type_text(&types[0]), self.type_text(other));
                    self.report(diagnostics::items_differ(&a, &b, span));
                    return self.error_expr();
                }
                let all_int = types.iter().all(|t| t.scalar == Scalar::Int);
                let scalar = match f.row().shape {
                    Shape::Int => Scalar::Int,
                    Shape::Same if all_int => Scalar::Int,
                    _ => Scalar::Real,
                };
                Type { scalar, dims }
            }
            Shape::First => {
                // What comes after the first argument says how long, how often or when: one value.
                let shapes = !matches!(f, Builtin::Homotopy | Builtin::ClockedSample);
                if let Some(wrong) = types[1..].iter().find(|t| shapes && !t.dims.is_empty()) {
                    let shown = self.type_text(wrong);
                    self.report(diagnostics::rank_expected(f.name(), 0, &shown, span));
                    return self.error_expr();
                }
                if f == Builtin::Delay
                    && let Some(wrong) = types.iter().find(|t| !t.scalar.is_numeric())
                {
                    let shown = self.type_text(wrong);
                    self.report(diagnostics::number_expected(f.name(), &shown, span));
                    return self.error_expr();
                }
                self.check_operator_args(f, &args, span);
                if f == Builtin::Der && types[0].scalar != Scalar::Real {
                    let shown = self.type_text(&types[0]);
                    self.report(diagnostics::number_expected("der", &shown, span));
                    return self.error_expr();
                }
                let mut ty = types[0].clone();
                if matches!(f, Builtin::Der | Builtin::Delay) {
                    ty.scalar = Scalar::Real;
                }
                if f == Builtin::Homotopy && types[1].scalar == Scalar::Real {
                    ty.scalar = Scalar::Real;
                }
                ty
            }
            Shape::Last => types[types.len() - 1].clone(),
            Shape::Bool => {
                if f == Builtin::Edge && types[0].scalar != Scalar::Bool {
                    let (argument, function) = (Name::new("b"), Name::new("edge"));
                    let shown = self.type_text(&types[0]);
                    self.report(diagnostics::argument_type(argument, function, "Boolean", &shown, span));
                    return self.error_expr();
                }
                Type::scalar(Scalar::Bool)
            }
            Shape::Clock => Type::scalar(Scalar::Clock),
            Shape::Special => match self.special_type(f, &args, &types, span) {
                Some(ty) => ty,
                None => return self.error_expr(),
            },
        };
        if f == Builtin::Size {
            return self.size_call(args, ty);
        }
        if f == Builtin::SpatialDistribution {
            args.extend(self.even_profile().into_iter().skip(args.len() - 4));
        }
        self.store.add(Node::Builtin(f, args.into()), ty)
    }

    /// What a `spatialDistribution` begins with unless something else is said: the ends 0 and 1, and zeros there.
    fn even_profile(&mut self) -> [ExprId; 2] {
        let [zero, one] = [0.0, 1.0].map(|number| self.store.real(number));
        let ty = Type { scalar: Scalar::Real, dims: [Dim::Known(2)].into() };
        [[zero, one], [zero, zero]].map(|two| self.store.add(Node::Array(two.into()), ty.clone()))
    }

    /// Numbers, the direction as a Boolean, and two vectors.
    fn check_distribution(&mut self, types: &[Type], span: Span) -> bool {
        let name = Builtin::SpatialDistribution.name();
        for (k, ty) in types.iter().enumerate() {
            let shown = self.type_text(ty);
            let rank = usize::from(k > 3);
            if k == 3 && !(ty.scalar == Scalar::Bool && ty.is_scalar()) {
                let (argument, function) = (Name::new("positiveVelocity"), Name::new(name));
                self.report(diagnostics::argument_type(argument, function, "Boolean", &shown, span));
            } else if k != 3 && !ty.scalar.is_numeric() {
                self.report(diagnostics::number_expected(name, &shown, span));
            } else if ty.dims.len() != rank {
                self.report(diagnostics::rank_expected(name, rank, &shown, span));
            } else {
                continue;
            }
            return false;
        }
        true
    }

    /// Arguments that must be known before the simulation, and continuous ones (MLS 3.7.4).
    fn check_operator_args(&mut self, f: Builtin, args: &[ExprId], span: Span) {
        if f == Builtin::Delay {
            let bound = if args.len() == 3 { args[2] } else { args[1] };
            if self.depends_on_simulation(bound) {
                self.report(diagnostics::not_constant("the longest delay", span));
            } else if args.len() == 3
                && let (Some(time), Some(most)) = (self.literal(args[1]), self.literal(args[2]))
                && time > most
            {
                self.report(diagnostics::delay_too_long(&time.to_string(), &most.to_string(), span));
            }
        }
        if f == Builtin::Der
            && let Node::Var(v) = *self.store.node(args[0])
            && self.comp(crate::CompId::new(v.index())).variability == crate::Variability::Discrete
        {
            let path = self.comp_path(crate::CompId::new(v.index()));
            self.report(diagnostics::derivative_of_discrete(&path, span));
        }
    }

    fn literal(&self, e: ExprId) -> Option<f64> {
        match *self.store.node(e) {
            Node::Real(x) => Some(x.get()),
            Node::Int(i) => Some(i as f64),
            _ => None,
        }
    }

    /// The size of an array of models, blocks or connectors, which have no value (MLS 10.3.1).
    fn size_of_parts(&mut self, scope: &mut Scope, args: &'a Args) -> Option<ExprId> {
        let ExprKind::Ref(r) = &args.positional.first()?.kind else { return None };
        let first = &r.parts[0].name.name;
        let local = scope.locals.as_ref().is_some_and(|l| l.contains_key(first));
        if local || scope.iterators.iter().any(|(n, _)| n == first) {
            return None;
        }
        let mark = self.diagnostics.len();
        let Some(selection) = self.select(scope, r) else {
            self.forget(mark);
            return None;
        };
        let mut dims = selection.dims.clone();
        let mut parts = true;
        if let Some(sample) = selection.comps.first().copied().or(selection.stand_in) {
            let comp = self.comp(sample);
            if comp.what == What::Array {
                dims.extend(comp.dims.iter().filter_map(|d| d.known()));
            }
            // A package stands for the class of an array that has no elements.
            parts = matches!(comp.what, What::Parts | What::Array | What::Package)
                && !comp.class.is_some_and(|class| self.is_record(class));
        }
        if !parts || dims.is_empty() || selection.subs.iter().any(|s| *s != Sub::All) {
            return None;
        }
        let sizes: Vec<ExprId> = dims.iter().map(|n| self.store.int(*n as i64)).collect();
        match args.positional.get(1) {
            None => Some(self.store.array(sizes)),
            Some(k) => {
                let k = self.expr(scope, k);
                let k = self.constant(k).ok()?.as_index()?;
                sizes.get(usize::try_from(k - 1).ok()?).copied()
            }
        }
    }

    /// `size(A, i)` is a literal where the type knows it.
    fn size_call(&mut self, args: Vec<ExprId>, ty: Type) -> ExprId {
        let dims = self.store.ty(args[0]).dims.clone();
        if let Some(&k) = args.get(1)
            && let Node::Int(i) = *self.store.node(k)
            && let Some(Dim::Known(n)) = dims.get((i - 1) as usize)
        {
            return self.store.int(i64::from(*n));
        }
        if args.len() == 1
            && let Some(sizes) = dims.iter().map(|d| d.known()).collect::<Option<Vec<_>>>()
        {
            let items = sizes.iter().map(|n| self.store.int(*n as i64)).collect::<Vec<_>>();
            if !items.is_empty() {
                return self.store.array(items);
            }
        }
        self.store.add(Node::Builtin(Builtin::Size, args.into()), ty)
    }
}
