//! What calls give: their outputs one by one, with the sizes that the arguments and declarations tell.

use crate::{Sema, diagnostics};
use kairos_base::Span;
use kairos_expr::{Builtin, Dim, ExprId, FunctionId, LocalId, Node, RecordId, Scalar, Type, Value};

impl Sema<'_> {
    /// Does a call give so many values?
    pub(crate) fn check_results(&mut self, call: ExprId, asked: usize, span: Span) -> bool {
        let given = match self.store.node(call) {
            Node::Call(f, _) => self.store.function(*f).outputs.len(),
            Node::Builtin(Builtin::SpatialDistribution, _) => 2,
            _ => 1,
        };
        if asked > given {
            self.report(diagnostics::too_many_results(asked, given, span));
        }
        asked <= given
    }

    /// One output of a call with several.
    pub(crate) fn item_of(&mut self, call: ExprId, k: usize) -> ExprId {
        if let Node::Builtin(Builtin::SpatialDistribution, _) = self.store.node(call) {
            return match k {
                0 | 1 => self.store.add(Node::Item(call, k as u32), Type::scalar(Scalar::Real)),
                _ => self.error_expr(),
            };
        }
        let Node::Call(f, args) = self.store.node(call).clone() else { return call };
        let function = self.store.function(f).clone();
        if function.outputs.len() == 1 {
            return call;
        }
        let Some(&output) = function.outputs.get(k) else { return self.error_expr() };
        let ty = self.output_type(&function, output, f, &args);
        self.store.add(Node::Item(call, k as u32), ty)
    }

    pub(crate) fn output_type(
        &mut self,
        function: &kairos_expr::Function,
        output: kairos_expr::LocalId,
        f: FunctionId,
        args: &[ExprId],
    ) -> Type {
        let local = &function.locals[output.index()];
        let mut ty = self.store.get_type(local.ty).clone();
        let given: Vec<Option<ExprId>> = args.iter().map(|a| Some(*a)).collect();
        if let (Scalar::Record(record), Some(value)) = (ty.scalar, local.value) {
            ty.scalar = Scalar::Record(self.sized_record(record, value, &given, &function.inputs));
        }
        if let Scalar::Record(record) = ty.scalar
            && ty.dims.is_empty()
            && function.outputs.len() == 1
            && self.has_open_fields(record)
        {
            ty.scalar = Scalar::Record(self.record_by_running(record, f, args, &ty));
        }
        if !ty.dims.contains(&Dim::Unknown) {
            return ty;
        }
        for (k, dim) in local.dims.iter().enumerate() {
            if ty.dims[k] != Dim::Unknown {
                continue;
            }
            if let Some(size) = dim {
                let size = self.substitute_locals(*size, &given, &function.inputs);
                let has_locals = self.in_function > 0 && self.depends_on_simulation(size);
                if !has_locals && let Some(n) = self.try_structural(size).and_then(|v| v.as_index()) {
                    ty.dims[k] = Dim::Known(n.max(0) as u32);
                }
            }
        }
        if ty.dims.contains(&Dim::Unknown) && self.in_function == 0 && function.outputs.len() == 1 {
            // A size that only the body knows: run it, if the arguments are known.
            let probe = self.store.add(Node::Call(f, args.into()), ty.clone());
            if !self.depends_on_simulation(probe)
                && let Ok(value) = self.constant(probe)
            {
                ty.dims = value.dims().iter().map(|d| Dim::Known(*d as u32)).collect();
            }
        }
        ty
    }

    fn has_open_fields(&self, record: RecordId) -> bool {
        self.store.record(record).fields.iter().any(|(_, ty)| {
            ty.dims.contains(&Dim::Unknown)
                || matches!(ty.scalar, Scalar::Record(inner) if inner != record && self.has_open_fields(inner))
        })
    }

    /// The type of a record whose sizes only the body of the function knows: it is run, if the arguments are known.
    fn record_by_running(&mut self, record: RecordId, f: FunctionId, args: &[ExprId], ty: &Type) -> RecordId {
        if self.in_function > 0 {
            return record;
        }
        let probe = self.store.add(Node::Call(f, args.into()), ty.clone());
        if self.depends_on_simulation(probe) {
            return record;
        }
        let mark = self.diagnostics.len();
        let value = self.constant(probe);
        self.forget(mark);
        match value {
            Ok(value) => self.record_like(record, &value),
            Err(_) => record,
        }
    }

    /// The type of a record with the sizes that a value has.
    fn record_like(&mut self, record: RecordId, value: &Value) -> RecordId {
        let Value::Record(_, items) = value else { return record };
        let mut fields = self.store.record(record).fields.clone();
        for ((_, ty), item) in fields.iter_mut().zip(items.iter()) {
            if let (Scalar::Record(inner), true) = (ty.scalar, ty.dims.is_empty()) {
                ty.scalar = Scalar::Record(self.record_like(inner, item));
            }
            for (dim, size) in ty.dims.iter_mut().zip(item.dims()) {
                *dim = Dim::Known(*size as u32);
            }
        }
        match fields == self.store.record(record).fields {
            true => record,
            false => self.same_record_with(record, fields),
        }
    }

    /// The type of a record that a call gives, with the sizes that its declaration gives to open fields:
    /// `output R r(x = zeros(3), y = u)` (MLS 12.2).
    fn sized_record(
        &mut self,
        record: RecordId,
        value: ExprId,
        given: &[Option<ExprId>],
        inputs: &[LocalId],
    ) -> RecordId {
        let Node::Record(_, items) = self.store.node(value).clone() else { return record };
        let mut fields = self.store.record(record).fields.clone();
        for ((_, ty), item) in fields.iter_mut().zip(&items) {
            if let (Scalar::Record(inner), true) = (ty.scalar, ty.dims.is_empty()) {
                ty.scalar = Scalar::Record(self.sized_record(inner, *item, given, inputs));
            }
            for k in 0..ty.dims.len() {
                if ty.dims[k] == Dim::Unknown {
                    let item = self.substitute_locals(*item, given, inputs);
                    let at = self.store.int(k as i64 + 1);
                    let size = Node::Builtin(Builtin::Size, [item, at].into());
                    let size = self.store.add(size, Type::scalar(Scalar::Int));
                    let locals =
                        self.in_function > 0 && self.store.any(item, |n| matches!(n, Node::Local(_)));
                    let known = if locals { None } else { self.try_structural(size) };
                    ty.dims[k] =
                        known.and_then(|n| n.as_index()).map_or(Dim::Unknown, |n| Dim::Known(n as u32));
                }
            }
        }
        match fields == self.store.record(record).fields {
            true => record,
            false => self.same_record_with(record, fields),
        }
    }

    /// The value of a size, if it is known at translation.
    fn try_structural(&mut self, e: ExprId) -> Option<kairos_expr::Value> {
        if self.depends_on_simulation(e) {
            return None;
        }
        let mark = self.diagnostics.len();
        let value = self.constant(e).ok();
        self.forget(mark);
        value
    }
}
