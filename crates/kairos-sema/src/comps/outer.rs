//! Outer components and the inner ones they stand for (MLS 5.4).

use crate::inst::Elem;
use crate::{CompId, ElemId, Sema, diagnostics};
use kairos_syntax::ast;

impl<'a> Sema<'a> {
    /// `inner outer` makes two components of one name: the inner one for the parts below, with the modifications, and
    /// the outer one for this class (MLS 5.5).
    pub(super) fn make_inner_outer(&mut self, parent: CompId, e: ElemId) -> CompId {
        let elem = self.elem(e).clone();
        let prefix = ast::ElementPrefix { outer: false, ..elem.prefix };
        self.elems.push(Elem { prefix, ..elem.clone() });
        let inner = self.make_comp(parent, ElemId::new(self.elems.len() - 1));
        let mut comp = self.blank(elem.name, Some(parent), elem.span);
        comp.elem = Some(e);
        let outer = self.push_comp(comp);
        if !self.find_inner(outer, self.comp(parent).parent, &elem) {
            return inner;
        }
        self.set_child(parent, elem.name, outer);
        self.comps[parent.index()].inner_sides.get_or_insert_default().insert(elem.name, inner);
        outer
    }

    /// Links an outer component to the inner one of its name, seen upwards from `from`.
    fn find_inner(&mut self, id: CompId, from: Option<CompId>, elem: &Elem<'a>) -> bool {
        let mut up = from;
        while let Some(at) = up {
            if let Some(class) = self.comp(at).class
                && let Some(&e) = self.inst(class).table.get(&elem.name)
                && self.elem(e).prefix.inner
                && let Some(found) = self.child(at, elem.name)
                && found != id
            {
                let found = self
                    .comp(at)
                    .inner_sides
                    .as_ref()
                    .and_then(|sides| sides.get(&elem.name))
                    .copied()
                    .unwrap_or(found);
                self.comps[id.index()].outer = Some(found);
                self.copy_facts(id, found);
                self.check_outer(id, found, elem);
                return true;
            }
            up = self.comp(at).parent;
        }
        false
    }

    /// Finds the inner component of an outer one (MLS 5.4); a missing one is made at the top.
    pub(super) fn link_outer(&mut self, id: CompId, parent: CompId, elem: &Elem<'a>) -> bool {
        if self.find_inner(id, Some(parent), elem) {
            return true;
        }
        let Some(top) = self.model_root else { return false };
        let name = elem.name;
        // A class that is only looked into, as that of a component which is switched off, sees what the model has.
        if !self.is_within(parent, top) {
            return self.find_inner(id, Some(top), elem);
        }
        if let Some(&known) = self.missing_inner.get(&name) {
            self.comps[id.index()].outer = Some(known);
            self.copy_facts(id, known);
            return true;
        }
        self.report(diagnostics::missing_inner(name, elem.span));
        let plain = Elem { prefix: ast::ElementPrefix { inner: true, ..Default::default() }, ..elem.clone() };
        self.elems.push(plain);
        let e = ElemId::new(self.elems.len() - 1);
        let made = self.make_comp(top, e);
        self.comps[made.index()].virtual_member = true;
        self.comps[top.index()].parts = None;
        self.missing_inner.insert(name, made);
        self.comps[id.index()].outer = Some(made);
        self.copy_facts(id, made);
        true
    }

    fn is_within(&self, comp: CompId, whole: CompId) -> bool {
        std::iter::successors(Some(comp), |c| self.comp(*c).parent).any(|c| c == whole)
    }

    fn copy_facts(&mut self, id: CompId, from: CompId) {
        let f = self.comp(from);
        let (what, dims, class, variability) = (f.what, f.dims.clone(), f.class, f.variability);
        let elements = f.elements.clone();
        let me = &mut self.comps[id.index()];
        me.what = what;
        me.dims = dims;
        me.class = class;
        me.variability = variability;
        me.elements = elements;
    }
}
