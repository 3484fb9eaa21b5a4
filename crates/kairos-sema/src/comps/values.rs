//! What components are bound to, and their attributes.

use super::{Lazy, Variability, What};
use crate::inst::Decl;
use crate::mods::{Bind, BindExpr};
use crate::resolve::Scope;
use crate::{CompId, InstId, Sema, diagnostics};
use kairos_base::Name;
use kairos_expr::{ExprId, Node, Scalar};
use kairos_syntax::ast;

impl<'a> Sema<'a> {
    /// The value given to a variable or whole record, resolved on first use.
    pub fn binding(&mut self, id: CompId) -> Option<ExprId> {
        match &self.comp(id).binding {
            Lazy::Known(e) => return *e,
            Lazy::Busy => return None,
            Lazy::Unknown => {}
        }
        self.comps[id.index()].binding = Lazy::Busy;
        let mods = self.comp(id).mods.clone();
        // A record that is given as a whole decides over the values that its class declares; over that of a constant
        // only by another constant.
        let constant = self.declared_constant(id) && mods.value().is_some();
        let whole = self.binding_from_parent(id).filter(|e| !constant || self.is_of_constants(*e));
        let found = match whole {
            Some(e) => Some(e),
            None => mods.value().and_then(|bind| self.bound(bind)),
        };
        self.comps[id.index()].binding = Lazy::Known(found);
        found
    }

    /// Does it read nothing but constants?
    fn is_of_constants(&self, e: ExprId) -> bool {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            match self.store.node(e) {
                Node::Local(_) | Node::Iter(_) | Node::Time | Node::Call(..) => return false,
                Node::Var(v) if self.comp(CompId::new(v.index())).variability > Variability::Constant => {
                    return false;
                }
                _ => self.store.children(e, |c| todo.push(c)),
            }
        }
        true
    }

    /// Does its own declaration, not only that of the record around it, make it a constant?
    fn declared_constant(&self, id: CompId) -> bool {
        match self.comp(id).elem.map(|e| &self.elem(e).decl) {
            Some(Decl::Component(clause, _)) => {
                clause.type_prefix.variability == Some(ast::Variability::Constant)
            }
            _ => self.comp(id).variability == Variability::Constant,
        }
    }

    /// A part of a record that is bound as a whole takes its field.
    fn binding_from_parent(&mut self, id: CompId) -> Option<ExprId> {
        let parent = self.comp(id).parent?;
        let class = self.comp(parent).class?;
        if self.comp(parent).what != What::Parts || !self.is_record(class) {
            return None;
        }
        let whole = self.binding(parent)?;
        let Scalar::Record(record) = self.store.ty(whole).scalar else { return None };
        let field = self.store.record(record).field(self.comp(id).name)?;
        let mut e = self.field_of(whole, field);
        if self.comp(id).what == What::Parts && !self.comp(id).subscripts.is_empty() {
            let index = self.comp(id).subscripts.clone();
            e = self.index_constant(e, &index);
        }
        Some(e)
    }

    /// The expression of a bound value, in its own scope and for its own element.
    pub(crate) fn bound(&mut self, bind: &Bind<'a>) -> Option<ExprId> {
        let e = match bind.what {
            BindExpr::Source(e) => self.expr(&mut Scope::new(bind.scope), e),
            BindExpr::Made(e) => e,
            BindExpr::None => return None,
        };
        if self.is_error(e) {
            return None;
        }
        // A function without results gives none.
        let e = if self.store.ty(e).scalar == Scalar::Tuple { self.item_of(e, 0) } else { e };
        // A value with fewer dimensions than the array of components is the same for every element.
        let depth = self.store.ty(e).dims.len().min(bind.index.len());
        if depth < bind.index.len() && matches!(bind.what, BindExpr::Source(_)) {
            self.report_missing_each(bind.span);
        }
        let index = &bind.index[..depth];
        Some(if index.is_empty() { e } else { self.index_constant(e, index) })
    }

    /// MLS 7.2.5: a value for all elements of an array of components has the prefix `each`.
    fn report_missing_each(&mut self, span: kairos_base::Span) {
        let told = diagnostics::missing_each(span);
        if !self.diagnostics.contains(&told) {
            self.report(told);
        }
    }

    /// An attribute such as `start`, from the component's modification or its type.
    pub fn attribute(&mut self, id: CompId, name: Name) -> Option<ExprId> {
        let own = self.comp(id).mods.sub(name);
        let bind = match own.value() {
            Some(bind) => bind.clone(),
            None => {
                let class = self.comp(id).class?;
                self.basic_attribute(class, name)?
            }
        };
        self.bound(&bind)
    }

    pub(crate) fn basic_attribute(&self, class: InstId, name: Name) -> Option<Bind<'a>> {
        let inst = self.inst(class);
        inst.mods
            .sub(name)
            .value()
            .cloned()
            .or_else(|| inst.bases.iter().find_map(|b| self.basic_attribute(*b, name)))
    }
}
