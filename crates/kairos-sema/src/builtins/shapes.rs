//! The types of builtins whose rule is their own: of arrays, and of what takes several kinds of arguments.

use crate::{Sema, diagnostics};
use kairos_base::Span;
use kairos_expr::{Builtin, Dim, ExprId, Node, Scalar, Type};

impl<'a> Sema<'a> {
    pub(super) fn special_type(
        &mut self,
        f: Builtin,
        args: &[ExprId],
        types: &[Type],
        span: Span,
    ) -> Option<Type> {
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
                    // A class of records leaves open what each of them has.
                    if self.in_function == 0 && !self.reads_class_fields(arg) {
                        self.report_stop(stop, span, "an array size");
                    }
                    dims.push(Dim::Unknown);
                }
            }
        }
        dims
    }
}

impl Sema<'_> {
    /// Does it read components of a class as such, not of one that is there?
    fn reads_class_fields(&self, e: ExprId) -> bool {
        self.store.any(e, |node| match node {
            Node::Var(v) => self.stands_for_class(crate::CompId::new(v.index())),
            _ => false,
        })
    }
}

fn join(a: Scalar, b: Scalar) -> Scalar {
    if a == Scalar::Real || b == Scalar::Real { Scalar::Real } else { a }
}
