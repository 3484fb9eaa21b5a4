//! Calls of predefined functions and operators (MLS 3.7, 10.3, 16).

use crate::resolve::Scope;
use crate::{Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::{Builtin, Dim, ExprId, Node, ReduceOp, Scalar, Shape, Type};
use kairos_syntax::ast::{Args, ComponentRef, Expr};

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
                    return self.expr(scope, arg);
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
            | "backSample"
            | "size" => {}
            _ => {}
        }
        let row = Builtin::by_name(&name).next();
        let Some(row) = row else {
            let known = self.visible_names(scope.inst);
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
        let Some(list) = self.ordered(scope, f, args, span) else { return self.error_expr() };
        let row = f.row();
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
                let all_int = types.iter().all(|t| t.scalar == Scalar::Int);
                let scalar = match f.row().shape {
                    Shape::Int => Scalar::Int,
                    Shape::Same if all_int => Scalar::Int,
                    _ => Scalar::Real,
                };
                Type { scalar, dims }
            }
            Shape::First => {
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
            Shape::Bool => Type::scalar(Scalar::Bool),
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

    fn special_type(&mut self, f: Builtin, args: &[ExprId], types: &[Type], span: Span) -> Option<Type> {
        let first = types.first().cloned().unwrap_or(Type::scalar(Scalar::Real));
        let dim = |k: usize| first.dims.get(k).copied().unwrap_or(Dim::Known(1));
        let rank_is = |me: &mut Self, n: usize| {
            if first.dims.len() != n {
                let shown = me.type_text(&first);
                me.report(diagnostics::rank_expected(f.name(), n, &shown, span));
                return false;
            }
            true
        };
        Some(match f {
            Builtin::Size => match args.len() {
                // MLS 10.3.1: the dimension of an array, counted from 1.
                2 if first.dims.is_empty() => {
                    let shown = self.type_text(&first);
                    self.report(diagnostics::array_expected(f.name(), &shown, span));
                    return None;
                }
                2 if types[1].scalar != Scalar::Int || !types[1].dims.is_empty() => {
                    let shown = self.type_text(&types[1]);
                    self.report(diagnostics::dimension_expected(&shown, span));
                    return None;
                }
                2 if matches!(*self.store.node(args[1]), Node::Int(i) if i < 1 || i as usize > first.dims.len()) =>
                {
                    let rank = first.dims.len();
                    self.report(diagnostics::no_such_dimension(rank, span));
                    return None;
                }
                1 => Type::array(Scalar::Int, vec![Dim::Known(first.dims.len() as u32)]),
                _ => Type::scalar(Scalar::Int),
            },
            Builtin::Ndims | Builtin::Cardinality => Type::scalar(Scalar::Int),
            Builtin::TicksInState => Type::scalar(Scalar::Int),
            Builtin::TimeInState | Builtin::Interval => Type::scalar(Scalar::Real),
            Builtin::Zeros | Builtin::Ones => Type { scalar: Scalar::Int, dims: self.sizes(args, span) },
            Builtin::Fill => {
                let mut dims = self.sizes(&args[1..], span);
                dims.extend(first.dims.clone());
                Type { scalar: first.scalar, dims }
            }
            Builtin::Linspace => Type { scalar: Scalar::Real, dims: self.sizes(&args[2..], span) },
            Builtin::Identity => {
                let n = self.sizes(args, span)[0];
                Type { scalar: Scalar::Int, dims: vec![n, n] }
            }
            Builtin::Diagonal => {
                if !rank_is(self, 1) {
                    return None;
                }
                Type { scalar: first.scalar, dims: vec![dim(0), dim(0)] }
            }
            Builtin::Transpose => {
                if first.dims.len() < 2 {
                    rank_is(self, 2);
                    return None;
                }
                let mut dims = first.dims.clone();
                dims.swap(0, 1);
                Type { scalar: first.scalar, dims }
            }
            Builtin::Symmetric => {
                if !rank_is(self, 2) {
                    return None;
                }
                first
            }
            Builtin::OuterProduct => {
                if !rank_is(self, 1) {
                    return None;
                }
                if types[1].dims.len() != 1 {
                    let shown = self.type_text(&types[1]);
                    self.report(diagnostics::rank_expected(f.name(), 1, &shown, span));
                    return None;
                }
                Type { scalar: join(first.scalar, types[1].scalar), dims: vec![dim(0), types[1].dims[0]] }
            }
            Builtin::Cross => {
                if !rank_is(self, 1) {
                    return None;
                }
                Type { scalar: join(first.scalar, types[1].scalar), dims: vec![Dim::Known(3)] }
            }
            Builtin::Skew => {
                if !rank_is(self, 1) {
                    return None;
                }
                Type { scalar: first.scalar, dims: vec![Dim::Known(3), Dim::Known(3)] }
            }
            Builtin::Scalar => Type::scalar(first.scalar),
            Builtin::Vector => {
                let count = first.count().map_or(Dim::Unknown, |n| Dim::Known(n as u32));
                Type { scalar: first.scalar, dims: vec![count] }
            }
            Builtin::Matrix => Type { scalar: first.scalar, dims: vec![dim(0), dim(1)] },
            Builtin::Promote => {
                let n = self.constant(args[1]).ok()?.as_index()?;
                let mut dims = first.dims.clone();
                dims.resize(n as usize, Dim::Known(1));
                Type { scalar: first.scalar, dims }
            }
            Builtin::Cat => {
                let along = match self.constant(args[0]) {
                    Ok(v) => v.as_index().unwrap_or(1) as usize,
                    Err(stop) => {
                        self.report_stop(stop, span, "the dimension of cat");
                        return None;
                    }
                };
                let joined = self.cat(along, args[1..].to_vec(), span);
                return (!self.is_error(joined)).then(|| self.store.ty(joined).clone());
            }
            Builtin::SemiLinear => {
                let dims = types.iter().map(|t| &t.dims).find(|d| !d.is_empty()).cloned().unwrap_or_default();
                Type { scalar: Scalar::Real, dims }
            }
            Builtin::SpatialDistribution => {
                return self.check_distribution(types, span).then(|| Type::scalar(Scalar::Tuple));
            }
            _ => Type::scalar(Scalar::Real),
        })
    }

    fn sizes(&mut self, args: &[ExprId], span: Span) -> Vec<Dim> {
        let mut dims = Vec::with_capacity(args.len());
        for &arg in args {
            if self.depends_on_simulation(arg) {
                if self.in_function == 0 && !self.in_section {
                    self.report(diagnostics::not_constant("an array size", span));
                }
                dims.push(Dim::Unknown);
                continue;
            }
            match self.constant(arg) {
                Ok(value) => match value.as_index() {
                    Some(n) if n >= 0 => dims.push(Dim::Known(n as u32)),
                    _ => {
                        self.report(diagnostics::bad_size(&format!("{value:?}"), span));
                        dims.push(Dim::Unknown);
                    }
                },
                Err(stop) => {
                    if self.in_function == 0 {
                        self.report_stop(stop, span, "an array size");
                    }
                    dims.push(Dim::Unknown);
                }
            }
        }
        dims
    }

    fn reduction(&mut self, scope: &mut Scope, name: &str, args: &'a Args, span: Span) -> ExprId {
        if !args.iterators.is_empty() {
            let Some(body) = args.positional.first() else { return self.error_expr() };
            let (mut inner, iters) = self.iterators(scope, &args.iterators, body);
            let body = self.expr(&mut inner, body);
            if self.is_error(body) || iters.iter().any(|(_, r)| self.is_error(*r)) {
                return self.error_expr();
            }
            let op = match name {
                "sum" => ReduceOp::Sum,
                "product" => ReduceOp::Product,
                "min" => ReduceOp::Min,
                "max" => ReduceOp::Max,
                _ => {
                    let mut dims: Vec<Dim> = iters
                        .iter()
                        .map(|(_, r)| self.store.ty(*r).dims.first().copied().unwrap_or(Dim::Known(1)))
                        .collect();
                    let ty = self.store.ty(body).clone();
                    dims.extend(ty.dims);
                    return self
                        .store
                        .add(Node::Comprehension(body, iters.into()), Type { scalar: ty.scalar, dims });
                }
            };
            if let Scalar::Record(_) = self.store.ty(body).scalar {
                return self.record_sum(body, &iters, span);
            }
            let ty = self.store.ty(body).clone();
            return self.store.add(Node::Reduce(op, body, iters.into()), ty);
        }
        let list = self.positional(scope, &args.positional);
        if list.iter().any(|e| self.is_error(*e)) {
            return self.error_expr();
        }
        match (name, list.as_slice()) {
            ("array", _) => self.array(list, span),
            ("min", [_, _]) => self.builtin(Builtin::Min2, list, span),
            ("max", [_, _]) => self.builtin(Builtin::Max2, list, span),
            (_, &[one]) => {
                let ty = self.store.ty(one).clone();
                if let (Scalar::Record(_), "sum") = (ty.scalar, name) {
                    let n = ty.dims.first().and_then(|d| d.known()).unwrap_or(0) as u32;
                    let items: Vec<ExprId> = (1..=n).map(|i| self.index_constant(one, &[i])).collect();
                    return self.fold_records(items, span);
                }
                if ty.dims.is_empty() && matches!(name, "min" | "max") {
                    let shown = self.type_text(&ty);
                    self.report(diagnostics::rank_expected(name, 1, &shown, span));
                    return self.error_expr();
                }
                let f = match name {
                    "sum" => Builtin::Sum,
                    "product" => Builtin::Product,
                    "min" => Builtin::MinOf,
                    _ => Builtin::MaxOf,
                };
                self.store.add(Node::Builtin(f, [one].into()), Type::scalar(ty.scalar))
            }
            _ => {
                self.report(diagnostics::argument_count(name, list.len(), 1, 2, span));
                self.error_expr()
            }
        }
    }

    fn record_sum(&mut self, body: ExprId, iters: &[(kairos_expr::IterId, ExprId)], span: Span) -> ExprId {
        let mut items = vec![body];
        for (iter, range) in iters {
            let Ok(values) = self.constant(*range) else {
                self.report(diagnostics::not_constant("the range of a sum of records", span));
                return self.error_expr();
            };
            let mut next = Vec::new();
            for e in &items {
                for v in values.elements() {
                    let v = self.value_expr(v);
                    next.push(self.replace_iterator(*e, *iter, v));
                }
            }
            items = next;
        }
        self.fold_records(items, span)
    }

    fn fold_records(&mut self, items: Vec<ExprId>, span: Span) -> ExprId {
        let mut items = items.into_iter();
        let Some(first) = items.next() else {
            self.report(diagnostics::empty_record_sum(span));
            return self.error_expr();
        };
        items.fold(first, |sum, e| self.binary(kairos_expr::BinOp::Add, sum, e, span))
    }

    pub(crate) fn string_call(&mut self, scope: &mut Scope, args: &'a Args, span: Span) -> ExprId {
        let Some(first) = args.positional.first() else {
            self.report(diagnostics::argument_count("String", 0, 1, 4, span));
            return self.error_expr();
        };
        let value = self.expr(scope, first);
        if self.is_error(value) {
            return value;
        }
        if let Scalar::Record(_) = self.store.ty(value).scalar {
            return self.overload("'String'", vec![value], span);
        }
        let mut list = vec![value];
        let named = |n: &str| args.named.iter().find(|a| a.name.name == *n).map(|a| &a.value);
        if let Some(format) = named("format") {
            let e = self.expr(scope, format);
            list.push(e);
        } else {
            let integer = self.store.ty(value).scalar == Scalar::Int;
            let significant = if integer { None } else { args.positional.get(1) };
            let defaults: [(&str, Option<&'a Expr>); 3] = [
                ("minimumLength", if integer { args.positional.get(1) } else { args.positional.get(2) }),
                ("leftJustified", if integer { args.positional.get(2) } else { args.positional.get(3) }),
                ("significantDigits", significant),
            ];
            for (k, (name, positional)) in defaults.into_iter().enumerate() {
                let e = match named(name).or(positional) {
                    Some(e) => self.expr(scope, e),
                    None => match k {
                        0 => self.store.int(0),
                        1 => self.store.bool(true),
                        _ => self.store.int(6),
                    },
                };
                list.push(e);
            }
            // `String(x, "8.3f")` gives the format by position.
            if significant.is_some() && self.store.ty(list[3]).scalar == Scalar::Str {
                list = vec![list[0], list[3]];
            }
        }
        if list.iter().any(|e| self.is_error(*e)) {
            return self.error_expr();
        }
        self.store.add(Node::Builtin(Builtin::String, list.into()), Type::scalar(Scalar::Str))
    }

    fn sample_call(&mut self, scope: &mut Scope, args: &'a Args, span: Span) -> ExprId {
        let mut list = self.positional(scope, &args.positional);
        for arg in &args.named {
            let e = self.expr(scope, &arg.value);
            list.push(e);
        }
        if list.iter().any(|e| self.is_error(*e)) {
            return self.error_expr();
        }
        let clocked = match list.as_slice() {
            [_] => true,
            [_, second] => self.store.ty(*second).scalar == Scalar::Clock,
            _ => {
                self.report(diagnostics::argument_count("sample", list.len(), 1, 2, span));
                return self.error_expr();
            }
        };
        if !clocked && list.iter().any(|e| self.depends_on_simulation(*e)) {
            self.report(diagnostics::not_constant("start and interval of `sample`", span));
            return self.error_expr();
        }
        let f = if clocked { Builtin::ClockedSample } else { Builtin::Sample };
        let ty = if clocked { self.store.ty(list[0]).clone() } else { Type::scalar(Scalar::Bool) };
        self.store.add(Node::Builtin(f, list.into()), ty)
    }

    pub(crate) fn clock_call(&mut self, scope: &mut Scope, args: &'a Args, span: Span) -> ExprId {
        let mut list = self.positional(scope, &args.positional);
        for arg in &args.named {
            let e = self.expr(scope, &arg.value);
            list.push(e);
        }
        if list.iter().any(|e| self.is_error(*e)) {
            return self.error_expr();
        }
        if list.len() > 2 {
            self.report(diagnostics::argument_count("Clock", list.len(), 0, 2, span));
        }
        self.store.add(Node::Builtin(Builtin::Clock, list.into()), Type::scalar(Scalar::Clock))
    }
}

fn join(a: Scalar, b: Scalar) -> Scalar {
    if a == Scalar::Real || b == Scalar::Real { Scalar::Real } else { a }
}
