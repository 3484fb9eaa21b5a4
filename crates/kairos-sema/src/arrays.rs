//! Array constructors and concatenation.

use crate::resolve::Scope;
use crate::{Sema, diagnostics};
use kairos_base::Span;
use kairos_expr::{Builtin, Dim, ExprId, Node, Scalar, Type};
use kairos_syntax::ast::Expr;

impl<'a> Sema<'a> {
    pub(crate) fn array(&mut self, mut items: Vec<ExprId>, span: Span) -> ExprId {
        if items.iter().any(|e| self.is_error(*e)) {
            return self.error_expr();
        }
        let Some(&first) = items.first() else { return self.store.array(items) };
        let mut ty = self.store.ty(first).clone();
        for &item in &items[1..] {
            let other = self.store.ty(item).clone();
            let compatible = self.compatible(&ty, &other);
            if !compatible {
                let (a, b) = (self.show_type(first), self.show_type(item));
                self.report(diagnostics::items_differ(&a, &b, span));
                return self.error_expr();
            }
            if other.scalar == Scalar::Real {
                ty.scalar = Scalar::Real;
            }
        }
        if let Scalar::Record(_) = ty.scalar {
            items = items.into_iter().collect();
        }
        self.store.array(items)
    }

    pub(crate) fn matrix(&mut self, scope: &mut Scope, rows: &'a [Vec<Expr>], span: Span) -> ExprId {
        let mut parts = Vec::new();
        let mut rank = 2;
        for row in rows {
            let items: Vec<ExprId> = row.iter().map(|e| self.expr(scope, e)).collect();
            if items.iter().any(|e| self.is_error(*e)) {
                return self.error_expr();
            }
            rank = items.iter().map(|e| self.store.ty(*e).dims.len()).max().unwrap_or(0).max(rank);
            parts.push(items);
        }
        let mut done = Vec::new();
        for items in parts {
            let items = items.into_iter().map(|e| self.promote(e, rank)).collect();
            done.push(self.cat(2, items, span));
        }
        self.cat(1, done, span)
    }

    fn promote(&mut self, e: ExprId, rank: usize) -> ExprId {
        let mut ty = self.store.ty(e).clone();
        if ty.dims.len() >= rank {
            return e;
        }
        ty.dims.resize(rank, Dim::Known(1));
        if self.store.ty(e).dims.is_empty() {
            let mut e = e;
            for _ in 0..rank {
                e = self.store.array(vec![e]);
            }
            return e;
        }
        let n = self.store.int(rank as i64);
        self.store.add(Node::Builtin(Builtin::Promote, [e, n].into()), ty)
    }

    pub(crate) fn cat(&mut self, along: usize, items: Vec<ExprId>, span: Span) -> ExprId {
        if items.iter().any(|e| self.is_error(*e)) {
            return self.error_expr();
        }
        if let [one] = items.as_slice()
            && (1..=self.store.ty(*one).dims.len()).contains(&along)
        {
            return *one;
        }
        let Some(&first) = items.first() else {
            self.report(diagnostics::nothing_to_join(span));
            return self.error_expr();
        };
        let mut ty = self.store.ty(first).clone();
        let mut total = Some(0usize);
        for &item in &items {
            let other = self.store.ty(item).clone();
            let shapes = ty.dims.len() == other.dims.len()
                && (0..ty.dims.len()).all(|d| d + 1 == along || ty.dims[d].fits(other.dims[d]));
            if !(1..=ty.dims.len()).contains(&along) {
                let shown = self.show_type(item);
                self.report(diagnostics::no_dimension_to_join(along, &shown, span));
                return self.error_expr();
            }
            if !shapes {
                let (a, b) = (self.show_type(first), self.show_type(item));
                self.report(diagnostics::items_differ(&a, &b, span));
                return self.error_expr();
            }
            for d in 0..ty.dims.len() {
                if ty.dims[d] == Dim::Unknown {
                    ty.dims[d] = other.dims[d];
                }
            }
            if other.scalar == Scalar::Real {
                ty.scalar = Scalar::Real;
            }
            total = total.zip(other.dims[along - 1].known()).map(|(a, b)| a + b);
        }
        ty.dims[along - 1] = total.map_or(Dim::Unknown, |n| Dim::Known(n as u32));
        // Rows of literals join into one literal matrix.
        let rows: Option<Vec<Vec<ExprId>>> = items
            .iter()
            .map(|e| match self.store.node(*e) {
                Node::Array(list) => Some(list.to_vec()),
                _ => None,
            })
            .collect();
        if let (Some(rows), 1) = (&rows, along) {
            return self.store.add(Node::Array(rows.concat().into()), ty);
        }
        if let (Some(rows), 2, true) = (rows, along, ty.dims.len() == 2)
            && rows.iter().all(|r| r.len() == 1)
        {
            let inner: Option<Vec<Vec<ExprId>>> = rows
                .iter()
                .map(|r| match self.store.node(r[0]) {
                    Node::Array(list) => Some(list.to_vec()),
                    _ => None,
                })
                .collect();
            if let Some(inner) = inner {
                let row = self.store.add(
                    Node::Array(inner.concat().into()),
                    Type { scalar: ty.scalar, dims: vec![ty.dims[1]] },
                );
                return self.store.add(Node::Array([row].into()), ty);
            }
        }
        let k = self.store.int(along as i64);
        let args: Box<[ExprId]> = std::iter::once(k).chain(items).collect();
        self.store.add(Node::Builtin(Builtin::Cat, args), ty)
    }
}
