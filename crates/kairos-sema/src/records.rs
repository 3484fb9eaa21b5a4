//! The types of records: as a model has them, with all sizes, and as functions take them, with sizes open.

use crate::inst::Decl;
use crate::resolve::Scope;
use crate::{CompId, InstId, Sema, Variability};
use kairos_base::Name;
use kairos_expr::{Dim, Node, RecordId, RecordType, Scalar, Type};
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

    fn is_operator_record(&self, class: InstId) -> bool {
        let inst = self.inst(class);
        inst.kind == ClassKind::OperatorRecord || inst.bases.iter().any(|b| self.is_operator_record(*b))
    }
}
