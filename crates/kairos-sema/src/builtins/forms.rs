//! Builtins whose calls have a form of their own: reductions, `String`, `sample` and `Clock`.

use crate::resolve::Scope;
use crate::{Sema, diagnostics};
use kairos_base::Span;
use kairos_expr::{Builtin, ExprId, Node, ReduceOp, Scalar, Type};
use kairos_syntax::ast::{Args, Expr};

impl<'a> Sema<'a> {
    pub(super) fn reduction(&mut self, scope: &mut Scope, name: &str, args: &'a Args, span: Span) -> ExprId {
        if !args.iterators.is_empty() {
            let Some(body) = args.positional.first() else { return self.error_expr() };
            let (mut inner, iters) = match name {
                "array" => self.iterators(scope, args.iterators.iter().rev(), body),
                _ => self.iterators(scope, args.iterators.iter(), body),
            };
            let body = self.expr(&mut inner, body);
            if self.is_error(body) || iters.iter().any(|(_, r)| self.is_error(*r)) {
                return self.error_expr();
            }
            let op = match name {
                "sum" => ReduceOp::Sum,
                "product" => ReduceOp::Product,
                "min" => ReduceOp::Min,
                "max" => ReduceOp::Max,
                _ => return self.comprehension(body, iters),
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

    /// All arguments as they stand, positional ones first; none if one is in error.
    fn in_order(&mut self, scope: &mut Scope, args: &'a Args) -> Option<Vec<ExprId>> {
        let mut list = self.positional(scope, &args.positional);
        for arg in &args.named {
            let e = self.expr(scope, &arg.value);
            list.push(e);
        }
        (!list.iter().any(|e| self.is_error(*e))).then_some(list)
    }

    pub(super) fn sample_call(&mut self, scope: &mut Scope, args: &'a Args, span: Span) -> ExprId {
        let Some(list) = self.in_order(scope, args) else { return self.error_expr() };
        let clocked = match list.as_slice() {
            [_] => true,
            [_, second] => self.store.ty(*second).scalar == Scalar::Clock,
            _ => {
                self.report(diagnostics::argument_count("sample", list.len(), 1, 2, span));
                return self.error_expr();
            }
        };
        if !clocked && list.iter().any(|e| self.varies_in_simulation(*e)) {
            self.report(diagnostics::not_constant("start and interval of `sample`", span));
            return self.error_expr();
        }
        let f = if clocked { Builtin::ClockedSample } else { Builtin::Sample };
        let ty = if clocked { self.store.ty(list[0]).clone() } else { Type::scalar(Scalar::Bool) };
        self.store.add(Node::Builtin(f, list.into()), ty)
    }

    pub(crate) fn clock_call(&mut self, scope: &mut Scope, args: &'a Args, span: Span) -> ExprId {
        let Some(list) = self.in_order(scope, args) else { return self.error_expr() };
        if list.len() > 2 {
            self.report(diagnostics::argument_count("Clock", list.len(), 0, 2, span));
        }
        self.store.add(Node::Builtin(Builtin::Clock, list.into()), Type::scalar(Scalar::Clock))
    }
}
