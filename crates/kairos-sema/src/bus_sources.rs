//! Members of buses that only inputs are connected to: nobody gives them a value (MLS 9.1.3).

use crate::comps::{Comp, What};
use crate::{CompId, Sema, diagnostics};
use kairos_base::Severity;
use kairos_syntax::ast::Direction;
use std::collections::BTreeMap;

/// What is known of the variables that connections make one.
#[derive(Default)]
struct Member {
    /// A member that a connection added to a bus.
    added: Option<CompId>,
    /// Something gives the value, or may: an output, a declared member, a bus of the whole model.
    given: bool,
}

impl Sema<'_> {
    pub(crate) fn check_bus_sources(&mut self) {
        if self.diagnostics.iter().any(|d| d.severity == Severity::Error) {
            return;
        }
        let mut sets = Sets::default();
        let mut given = Vec::new();
        for c in self.connects.clone() {
            self.join(&mut sets, c.a.comp, c.b.comp);
            for (end, outside) in [(c.a.comp, c.a_outside), (c.b.comp, c.b_outside)] {
                let takes = match self.comp(end).direction {
                    Some(Direction::Input) => !outside,
                    Some(Direction::Output) => outside,
                    None => self.comp(end).virtual_member,
                };
                if !takes {
                    given.push(end);
                }
            }
        }
        let mut members: BTreeMap<CompId, Member> = BTreeMap::new();
        for comp in sets.all() {
            let set = members.entry(sets.root(comp)).or_default();
            let c: &Comp = self.comp(comp);
            let of_model = c.parent.and_then(|bus| self.comp(bus).parent) == self.model_root;
            set.given |= !c.virtual_member && c.direction.is_none() || c.virtual_member && of_model;
            if c.virtual_member && set.added.is_none() {
                set.added = Some(comp);
            }
        }
        for comp in given {
            members.entry(sets.root(comp)).or_default().given = true;
        }
        for member in members.values() {
            if let (Some(added), false) = (member.added, member.given) {
                let (name, span) = (self.comp(added).name, self.comp(added).span);
                self.report(diagnostics::bus_without_source(name, span));
            }
        }
    }

    /// Two ends become one: variables themselves, of two buses their members.
    fn join(&mut self, sets: &mut Sets, a: CompId, b: CompId) {
        if self.is_expandable(a) && self.is_expandable(b) {
            for &part in self.parts(a).iter() {
                if let Some(other) = self.child(b, self.comp(part).name) {
                    self.join(sets, part, other);
                }
            }
            return;
        }
        let variable = |comp: CompId| matches!(self.comp(comp).what, What::Variable(_));
        if variable(a) && variable(b) {
            sets.join(a, b);
        }
    }
}

/// Disjoint sets of components.
#[derive(Default)]
struct Sets(BTreeMap<CompId, CompId>);

impl Sets {
    fn root(&self, mut comp: CompId) -> CompId {
        while let Some(&up) = self.0.get(&comp).filter(|up| **up != comp) {
            comp = up;
        }
        comp
    }

    fn join(&mut self, a: CompId, b: CompId) {
        let (a_root, b_root) = (self.root(a), self.root(b));
        self.0.insert(a, a_root);
        self.0.insert(b, b_root);
        self.0.insert(a_root, b_root);
        self.0.insert(b_root, b_root);
    }

    fn all(&self) -> Vec<CompId> {
        self.0.keys().copied().collect()
    }
}
