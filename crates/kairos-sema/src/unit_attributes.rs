//! The `unit` attributes of components, of the locals of functions and of the fields of records.

use crate::inst::Decl;
use crate::mods::{Bind, BindExpr, Mods};
use crate::{CompId, ElemId, InstId, Sema};
use kairos_base::{Name, Span};
use kairos_expr::{FunctionId, RecordId, Value};
use kairos_syntax::ast::ExprKind;

/// What a declaration says about the unit of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclaredUnit {
    /// Nothing, or the empty text: it follows from the equations.
    Open,
    /// This text, given here.
    Text(Name, Span),
    /// One for each element of an array, or not known before a run.
    Several,
}

impl<'a> Sema<'a> {
    /// The unit of a variable.
    pub fn comp_unit(&mut self, id: CompId) -> DeclaredUnit {
        let own = self.comp(id).mods.sub(Name::UNIT).value().cloned();
        let bind = own.or_else(|| self.comp(id).class.and_then(|c| self.basic_attribute(c, Name::UNIT)));
        self.unit_text(bind)
    }

    /// Where the value of a variable is given: in its declaration or in a modification around it.
    pub fn binding_span(&self, id: CompId) -> Span {
        let comp = self.comp(id);
        comp.mods.value().map_or(comp.span, |bind| bind.span)
    }

    /// The units of the locals of a function, in order.
    pub fn local_units(&mut self, function: FunctionId) -> Vec<DeclaredUnit> {
        let names: Vec<Name> = self.store.function(function).locals.iter().map(|l| l.name).collect();
        let Some(&inst) = self.function_insts.get(function.index()) else {
            return vec![DeclaredUnit::Open; names.len()];
        };
        names.into_iter().map(|name| self.element_unit(inst, name)).collect()
    }

    /// The unit of a field of a record.
    pub fn field_unit(&mut self, record: RecordId, field: usize) -> DeclaredUnit {
        let name = self.store.record(record).fields[field].0;
        match self.record_classes.get(&record) {
            Some(&class) => self.element_unit(class, name),
            None => DeclaredUnit::Open,
        }
    }

    fn element_unit(&mut self, inst: InstId, name: Name) -> DeclaredUnit {
        let Some(&e) = self.inst(inst).table.get(&name) else { return DeclaredUnit::Open };
        let bind = self.element_bind(e);
        self.unit_text(bind)
    }

    fn element_bind(&mut self, e: ElemId) -> Option<Bind<'a>> {
        let elem = self.elem(e).clone();
        let Decl::Component(clause, component) = elem.decl else { return None };
        let mark = self.diagnostics.len();
        let declared = self.modification(component.modification.as_ref(), elem.scope);
        let own: Option<Bind<'a>> = [&elem.mods, &declared]
            .into_iter()
            .find_map(|mods: &Mods<'a>| mods.sub(Name::UNIT).value().cloned());
        self.forget(mark);
        own.or_else(|| {
            let class = self.quiet_path(elem.scope, &clause.type_name)?;
            self.expand(class);
            self.basic_attribute(class, Name::UNIT)
        })
    }

    fn unit_text(&mut self, bind: Option<Bind<'a>>) -> DeclaredUnit {
        let Some(bind) = bind else { return DeclaredUnit::Open };
        if let BindExpr::Source(e) = bind.what
            && let ExprKind::String(text) = &e.kind
        {
            return text_unit(text, bind.span);
        }
        let Some(e) = self.bound(&bind) else { return DeclaredUnit::Open };
        match self.try_constant(e) {
            Some(Value::Str(text)) => text_unit(&text, bind.span),
            _ => DeclaredUnit::Several,
        }
    }
}

fn text_unit(text: &str, span: Span) -> DeclaredUnit {
    if text.is_empty() { DeclaredUnit::Open } else { DeclaredUnit::Text(Name::new(text), span) }
}
