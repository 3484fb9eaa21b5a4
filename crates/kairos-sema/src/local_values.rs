//! The declared values of the locals of functions and of the fields of records.

use crate::inst::Decl;
use crate::mods::{Bind, BindExpr, Declared, Mods};
use crate::resolve::Scope;
use crate::{ElemId, InstId, Sema};
use kairos_base::Name;
use kairos_base::hash::HashMap;
use kairos_expr::{Builtin, Dim, ExprId, LocalId, Node, Scalar, Type, TypeId, Value};
use kairos_syntax::ast::{ClassKind, Path};
use std::rc::Rc;

type Names = Rc<HashMap<Name, (LocalId, TypeId)>>;

/// Which fields must have a value so that their record has one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fields {
    All,
    /// Any; the others hold what a variable holds before something is assigned to it.
    Some,
}

impl<'a> Sema<'a> {
    /// The declared value of a local or field, with the modifications of the class it is used in.
    pub(crate) fn local_default(&mut self, e: ElemId, names: &Names, fields: Fields) -> Option<ExprId> {
        let (mods, scope, class) = self.declared(e)?;
        let name = self.elem(e).name;
        let ty = self.store.get_type(names.get(&name)?.1).clone();
        if let Some(bind) = mods.value() {
            let value = self.local_value(&bind.clone(), names)?;
            return Some(self.arranged(&ty, value));
        }
        let class = self.quiet_path(scope, class)?;
        self.record_default(class, &ty, &mods, names, fields)
    }

    /// The modifications of a component, where its class is looked up, and the name of that.
    fn declared(&mut self, e: ElemId) -> Option<(Mods<'a>, InstId, &'a Path)> {
        let elem = self.elem(e).clone();
        let Decl::Component(clause, component) = elem.decl else { return None };
        let declared = self.declared_mods(&elem, component);
        Some((self.merge(&elem.mods, &declared), elem.scope, &clause.type_name))
    }

    fn local_value(&mut self, bind: &Bind<'a>, names: &Names) -> Option<ExprId> {
        let BindExpr::Source(source) = bind.what else { return None };
        let mut scope = Scope::new(bind.scope);
        // MLS 7.2: a name in a modifier is looked up where the modifier stands, which may be a model.
        let kind = self.inst(bind.scope).kind;
        if matches!(kind, ClassKind::Function | ClassKind::OperatorFunction) || self.is_record(bind.scope) {
            scope.locals = Some(names.clone());
        }
        let e = self.expr(&mut scope, source);
        (!self.is_error(e)).then_some(e)
    }

    /// `output R r(a = x)`: a record whose fields have values where it is used or where they are declared.
    fn record_default(
        &mut self,
        class: InstId,
        ty: &Type,
        mods: &Mods<'a>,
        names: &Names,
        required: Fields,
    ) -> Option<ExprId> {
        let Scalar::Record(record) = ty.scalar else { return None };
        let fields = self.store.record(record).fields.clone();
        let constructor = self.function(class);
        let mut items: Vec<Option<ExprId>> = vec![None; fields.len()];
        for (k, (field, ty)) in fields.iter().enumerate() {
            let inner = mods.sub(*field);
            if let Some(bind) = inner.value().cloned() {
                items[k] = Some(self.local_value(&bind, names)?);
            } else if let Some(made) = self.resized(&inner, ty, names) {
                items[k] = Some(made);
            } else if !inner.subs().is_empty() {
                items[k] = self.nested_default(class, *field, ty, mods, names, required);
            }
        }
        let given = items.iter().any(Option::is_some);
        if required == Fields::All && !given {
            return None;
        }
        let function = self.store.function(constructor).clone();
        if function.inputs.len() == fields.len() {
            // A declared value may speak of other fields, whatever their order.
            for _ in 0..fields.len() {
                for k in 0..fields.len() {
                    let declared = function.locals[function.inputs[k].index()].value;
                    if let (None, Some(value)) = (items[k], declared)
                        && self.locals_are_known(value, &items, &function.inputs)
                    {
                        items[k] = Some(self.substitute_locals(value, &items, &function.inputs));
                    }
                }
            }
        }
        if required == Fields::Some {
            for (k, (field, ty)) in fields.iter().enumerate() {
                if items[k].is_none() {
                    items[k] = self.nested_default(class, *field, ty, mods, names, required);
                }
            }
        }
        if items.iter().all(Option::is_none) || required == Fields::All && items.contains(&None) {
            return None;
        }
        for (k, (_, ty)) in fields.iter().enumerate() {
            if items[k].is_none() {
                let dims = function.inputs.get(k).map(|input| &function.locals[input.index()].dims);
                let sizes = dims.filter(|_| ty.dims.contains(&Dim::Unknown)).cloned().unwrap_or_default();
                let sizes = sizes.into_iter().flatten();
                let sizes: Vec<ExprId> =
                    sizes.map(|size| self.substitute_locals(size, &items, &function.inputs)).collect();
                items[k] = Some(match sizes.len() == ty.dims.len() && !sizes.is_empty() {
                    true => self.filled(ty, &sizes),
                    false => self.value_expr(&Value::default(&self.store, ty)),
                });
            }
        }
        let items: Option<Vec<ExprId>> = items.into_iter().collect();
        let one = self.store.add(Node::Record(record, items?.into()), Type::scalar(ty.scalar));
        self.repeated(one, ty)
    }

    /// `output R r(redeclare Real A[n, n])`: a field that is declared again with sizes holds so many elements.
    fn resized(&mut self, mods: &Mods<'a>, ty: &Type, names: &Names) -> Option<ExprId> {
        if !ty.dims.contains(&Dim::Unknown) {
            return None;
        }
        let redeclare = mods.redeclares().first()?;
        let Declared::Component { clause, component, scope, .. } = redeclare.what else { return None };
        let subs = component.dims.iter().chain(&clause.dims);
        let sizes: Option<Vec<ExprId>> = subs.map(|sub| self.local_dim(sub, scope, names).0).collect();
        let sizes = sizes.filter(|sizes| sizes.len() == ty.dims.len())?;
        Some(self.filled(ty, &sizes))
    }

    /// A field that is itself a record with values of its own.
    fn nested_default(
        &mut self,
        class: InstId,
        field: Name,
        ty: &Type,
        mods: &Mods<'a>,
        names: &Names,
        required: Fields,
    ) -> Option<ExprId> {
        let e = self.inst(class).table.get(&field).copied()?;
        let (inner, scope, class) = self.declared(e)?;
        let mods = self.merge(&mods.sub(field), &inner);
        let class = self.quiet_path(scope, class)?;
        self.record_default(class, ty, &mods, names, required)
    }

    fn locals_are_known(&self, e: ExprId, items: &[Option<ExprId>], inputs: &[LocalId]) -> bool {
        if let Node::Local(l) = self.store.node(e) {
            return inputs.iter().position(|i| i == l).is_some_and(|k| items[k].is_some());
        }
        let mut known = true;
        self.store.children(e, |c| known = known && self.locals_are_known(c, items, inputs));
        known
    }

    /// What an array of these sizes holds before something is assigned to it.
    fn filled(&mut self, ty: &Type, sizes: &[ExprId]) -> ExprId {
        let one = self.value_expr(&Value::default(&self.store, &Type::scalar(ty.scalar)));
        let arguments = std::iter::once(one).chain(sizes.iter().copied()).collect();
        self.store.add(Node::Builtin(Builtin::Fill, arguments), ty.clone())
    }

    /// An array of equal records, if its sizes are known.
    fn repeated(&mut self, one: ExprId, ty: &Type) -> Option<ExprId> {
        let mut all = one;
        for k in (0..ty.dims.len()).rev() {
            let Dim::Known(n) = ty.dims[k] else { return None };
            let dims = ty.dims[k..].to_vec();
            all = self.store.add(Node::Array(vec![all; n as usize].into()), Type { scalar: ty.scalar, dims });
        }
        Some(all)
    }
}
