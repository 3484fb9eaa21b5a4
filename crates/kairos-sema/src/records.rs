//! The types of records: as a model has them, with all sizes, and as functions take them, with sizes open.

use crate::inst::Decl;
use crate::resolve::Scope;
use crate::{CompId, InstId, Sema, Variability};
use kairos_base::Name;
use kairos_expr::{Builtin, Dim, ExprId, Node, RecordId, RecordType, Scalar, Type};
use kairos_syntax::ast::{ClassKind, Subscript};

impl<'a> Sema<'a> {
    /// The record type of a class instance, if it is a record (or a connector used as one value).
    pub(crate) fn record_of(&mut self, class: InstId) -> Option<RecordId> {
        if let Some(&known) = self.records.get(&class) {
            return Some(known);
        }
        if !self.is_record(class) {
            return None;
        }
        let owner = match self.inst(class).comp {
            Some(comp) => comp,
            None => self.package_comp(class),
        };
        let parts = self.parts(owner);
        let mut fields = Vec::new();
        for &part in parts.iter() {
            let ty = self.comp_type(part);
            fields.push((self.comp(part).name, ty));
        }
        let id = self.intern_record(class, fields);
        self.records.insert(class, id);
        Some(id)
    }

    fn intern_record(&mut self, class: InstId, fields: Vec<(Name, Type)>) -> RecordId {
        let name = Name::new(&self.inst_path(class));
        let is_operator = self.is_operator_record(class);
        let same = |r: &RecordType| r.name == name && r.fields == fields;
        let id = match self.store.records.iter().position(same) {
            Some(i) => RecordId::new(i),
            None => {
                self.store.records.push(RecordType { name, fields, is_operator });
                RecordId::new(self.store.records.len() - 1)
            }
        };
        self.record_classes.entry(id).or_insert(class);
        id
    }

    /// The type of the same record class with other sizes.
    pub(crate) fn same_record_with(&mut self, record: RecordId, fields: Vec<(Name, Type)>) -> RecordId {
        match self.record_classes.get(&record).copied() {
            Some(class) => self.intern_record(class, fields),
            None => record,
        }
    }

    /// The record type of a class for functions, whose arguments are any records of it: where an array has its size from
    /// its value or from another field, the size is open.
    pub(crate) fn open_record_of(&mut self, class: InstId) -> Option<RecordId> {
        if let Some(&known) = self.open_records.get(&class) {
            return Some(known);
        }
        let plain = self.record_of(class)?;
        // For a record within itself.
        self.open_records.insert(class, plain);
        let mut fields = self.store.record(plain).fields.clone();
        for (name, ty) in &mut fields {
            let Some(&e) = self.inst(class).table.get(name) else { continue };
            let elem = self.elem(e).clone();
            let Decl::Component(clause, component) = elem.decl else { continue };
            for (dim, sub) in ty.dims.iter_mut().zip(component.dims.iter().chain(&clause.dims)) {
                if self.is_open(sub, elem.scope) {
                    *dim = Dim::Unknown;
                }
            }
            if let (Scalar::Record(_), Some(inner)) =
                (ty.scalar, self.quiet_path(elem.scope, &clause.type_name))
                && let Some(inner) = self.open_record_of(inner)
            {
                ty.scalar = Scalar::Record(inner);
            }
        }
        let open = match fields == self.store.record(plain).fields {
            true => plain,
            false => self.intern_record(class, fields),
        };
        self.open_records.insert(class, open);
        Some(open)
    }

    /// May each record have its own size here?
    fn is_open(&mut self, sub: &'a Subscript, scope: InstId) -> bool {
        let Subscript::Expr(e) = sub else { return true };
        let size = self.expr(&mut Scope::new(scope), e);
        let mut todo = vec![size];
        while let Some(e) = todo.pop() {
            match self.store.node(e) {
                Node::Var(v) if self.comp(CompId::new(v.index())).variability > Variability::Constant => {
                    return true;
                }
                _ => self.store.children(e, |c| todo.push(c)),
            }
        }
        false
    }

    /// The value with the fields in the order of the record that is to hold it: records fit by the names of their fields
    /// (MLS 6.4), values are kept in order.
    pub(crate) fn arranged(&mut self, to: &Type, e: ExprId) -> ExprId {
        let from = self.store.ty(e).clone();
        let (Scalar::Record(r), Scalar::Record(s)) = (to.scalar, from.scalar) else { return e };
        if self.is_arranged(r, s) {
            return e;
        }
        let Some((first, rest)) = from.dims.split_first() else {
            let fields = self.store.record(r).fields.clone();
            let mut items = Vec::with_capacity(fields.len());
            for (name, ty) in &fields {
                let Some(field) = self.store.record(s).field(*name) else { return e };
                let value = self.field_of(e, field);
                items.push(self.arranged(ty, value));
            }
            return self.store.add(Node::Record(r, items.into()), Type::scalar(to.scalar));
        };
        let to = Type { scalar: to.scalar, dims: rest.to_vec() };
        let dims = from.dims.clone();
        let Some(n) = first.known() else {
            let int = Type::scalar(Scalar::Int);
            let iter = self.store.new_iterator(Name::new("i"));
            let i = self.store.add(Node::Iter(iter), int.clone());
            let one = self.store.int(1);
            let size = self.store.add(Node::Builtin(Builtin::Size, [e, one].into()), int);
            let every = Type::array(Scalar::Int, vec![Dim::Unknown]);
            let range = self.store.add(Node::Range(one, None, size), every);
            let element = self.index_typed(e, vec![kairos_expr::Sub::At(i)]);
            let body = self.arranged(&to, element);
            let ty = Type { scalar: to.scalar, dims };
            return self.store.add(Node::Comprehension(body, [(iter, range)].into()), ty);
        };
        let items: Vec<ExprId> = (1..=n as u32)
            .map(|i| {
                let element = self.index_constant(e, &[i]);
                self.arranged(&to, element)
            })
            .collect();
        self.store.add(Node::Array(items.into()), Type { scalar: to.scalar, dims })
    }

    /// Does a value of the record `s` have every field of `r` where `r` has it?
    fn is_arranged(&self, r: RecordId, s: RecordId) -> bool {
        let (a, b) = (&self.store.record(r).fields, &self.store.record(s).fields);
        let same = |((n, x), (m, y)): (&(Name, Type), &(Name, Type))| {
            n == m
                && match (x.scalar, y.scalar) {
                    (Scalar::Record(x), Scalar::Record(y)) => x == y || self.is_arranged(x, y),
                    _ => true,
                }
        };
        r == s || a.len() <= b.len() && a.iter().zip(b).all(same)
    }

    fn is_operator_record(&self, class: InstId) -> bool {
        let inst = self.inst(class);
        inst.kind == ClassKind::OperatorRecord || inst.bases.iter().any(|b| self.is_operator_record(*b))
    }
}
