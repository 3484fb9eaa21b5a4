//! Parameters that follow from others, in the order of their dependence; what is picked from one call is computed by it once.

use super::Assembler;
use crate::lower::Target;
use crate::program::ParameterCode;
use crate::tape::Destination;
use kairos_expr::{ExprId, Node, Store, Sub};

impl Assembler {
    pub(super) fn parameters(&mut self) -> Vec<ParameterCode> {
        let list = self.model.parameters.clone();
        let mut codes = Vec::new();
        let mut at = 0;
        while at < list.len() {
            let call = self.number_from(list[at]);
            let more =
                list[at + 1..].iter().take_while(|next| call.is_some() && self.number_from(**next) == call);
            let end = at + 1 + more.count();
            let targets: Vec<Target> = list[at..end].iter().map(|&(v, e)| self.assign(v, e)).collect();
            let named = list[at..end].iter().map(|(v, _)| &self.model.vars[v.index()]);
            let places = named.map(|var| (var.name.clone(), var.span)).collect();
            let tape = self.lower(&targets);
            codes.push(ParameterCode { to: targets.iter().map(|target| target.to).collect(), tape, places });
            at = end;
        }
        codes
    }

    /// The call from whose result a numeric parameter is picked.
    fn number_from(&self, (v, e): (kairos_expr::VarId, ExprId)) -> Option<ExprId> {
        matches!(self.assign(v, e).to, Destination::Number(_)).then(|| picked_from(&self.model.store, e))?
    }
}

fn picked_from(store: &Store, mut e: ExprId) -> Option<ExprId> {
    let is_fixed = |sub: &Sub| matches!(sub, Sub::At(i) if matches!(store.node(*i), Node::Int(_)));
    loop {
        match store.node(e) {
            Node::Call(..) => return Some(e),
            Node::Item(a, _) | Node::Field(a, _) => e = *a,
            Node::Index(a, subs) if subs.iter().all(is_fixed) => e = *a,
            _ => return None,
        }
    }
}
