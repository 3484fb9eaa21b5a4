//! Variables that the model names for a derivative: `v = der(x)` makes `v` the derivative of `x`.

use crate::model::{Effect, Role};
use crate::work::{Kind, Work};
use kairos_expr::{ExprId, ExprMap, Node, Store, VarId};
use kairos_model::{Action, Variable};

/// Replaces `der(x)` by the variable that equals it, so that both are one unknown.
pub fn merge(work: &mut Work) {
    let mut base: Vec<Option<VarId>> = vec![None; work.vars.len()];
    for (x, d) in work.der.iter().enumerate() {
        if let Some(d) = d {
            base[d.index()] = Some(VarId::new(x));
        }
    }
    let mut new: Vec<Option<VarId>> = vec![None; work.vars.len()];
    let mut gone = vec![false; work.rows.len()];
    for (r, row) in work.rows.iter().enumerate() {
        if row.kind != Kind::Continuous || row.initial.is_some() {
            continue;
        }
        let (Node::Var(a), Node::Var(b)) = (work.store.node(row.lhs), work.store.node(row.rhs)) else {
            continue;
        };
        for (v, d) in [(*a, *b), (*b, *a)] {
            let Some(x) = base[d.index()] else { continue };
            let plain = work.roles[v.index()] == Role::Algebraic && base[v.index()].is_none();
            if !plain
                || d.index() < work.declared
                || new[d.index()].is_some()
                || reaches(work, v, x)
                || work.pre[d.index()].is_some()
            {
                continue;
            }
            new[d.index()] = Some(v);
            base[v.index()] = Some(x);
            work.der[x.index()] = Some(v);
            gone[r] = true;
            break;
        }
    }
    if !gone.contains(&true) {
        return;
    }
    let mut keep = gone.iter().map(|gone| !gone);
    work.rows.retain(|_| keep.next().unwrap_or(true));
    // A chain `d` of `d` ends at a variable of the model.
    let zero = work.store.zero();
    for (d, v) in new.iter().enumerate() {
        if v.is_some() {
            work.roles[d] = Role::Parameter;
            work.vars[d].binding = Some(zero);
            work.der[d].take().inspect(|further| {
                if let Some(v) = v {
                    work.der[v.index()].get_or_insert(*further);
                }
            });
        }
    }
    let mut memo = ExprMap::default();
    work.rewrite(&mut |store, vars, e| {
        store.substitute(e, &mut memo, &mut |store, d| {
            let v = new.get(d.index()).copied().flatten()?;
            Some(store.var(v, kairos_expr::Type::scalar(vars[v.index()].ty)))
        })
    });
}

impl Work {
    /// Replaces every expression of rows, relations and effects.
    fn rewrite(&mut self, new: &mut dyn FnMut(&mut Store, &[Variable], ExprId) -> ExprId) {
        let (store, vars) = (&mut self.store, &self.vars);
        let mut set = |e: &mut ExprId| *e = new(store, vars, *e);
        for row in self.rows.iter_mut().chain(&mut self.initial_rows) {
            set(&mut row.lhs);
            set(&mut row.rhs);
            if let Some((lhs, rhs)) = &mut row.initial {
                set(lhs);
                set(rhs);
            }
        }
        for relation in &mut self.relations {
            set(&mut relation.lhs);
            set(&mut relation.rhs);
        }
        for effect in &mut self.effects {
            match effect {
                Effect::Assert { condition, message, .. } => {
                    set(condition);
                    set(message);
                }
                Effect::Call(e, _) => set(e),
                Effect::When { branches, .. } => {
                    for action in branches.iter_mut().flat_map(|(_, actions)| actions) {
                        match action {
                            Action::Reinit(_, e) | Action::Call(e) => set(e),
                            Action::Terminate(condition, message) => {
                                set(condition);
                                set(message);
                            }
                            Action::Assert { condition, message, .. } => {
                                set(condition);
                                set(message);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Is `x` a derivative, of any order, of `v`?
fn reaches(work: &Work, v: VarId, x: VarId) -> bool {
    let mut here = Some(v);
    while let Some(at) = here {
        if at == x {
            return true;
        }
        here = work.der[at.index()];
    }
    false
}
