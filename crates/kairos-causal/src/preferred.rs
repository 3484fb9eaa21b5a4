//! Variables that the model prefers as states though their derivatives do not occur in it.

use crate::index::{self, Structure};
use crate::model::Role;
use crate::work::Work;
use kairos_expr::{
    Derivative, ExprId, ExprMap, Inliner, Node, Scalar, Stage, Store, Undifferentiable, VarId,
};
use kairos_graph::{Incidence, Matching, dulmage_mendelsohn};
use kairos_model::StateSelect;
use std::collections::BTreeSet;

/// Gives derivatives to variables that can take the place of states (MLS 4.9.7.1: `always` and `prefer` speak of
/// variables that do not appear differentiated, too).
pub fn offer(work: &mut Work) {
    let mut wished = Vec::new();
    for v in (0..work.declared).map(VarId::new) {
        match work.vars[v.index()].state_select {
            _ if work.roles[v.index()] != Role::Algebraic => {}
            StateSelect::Always => {
                work.der_var(v);
            }
            StateSelect::Prefer if work.der[v.index()].is_none() => wished.push(v),
            _ => {}
        }
    }
    if wished.is_empty() {
        return;
    }
    let structure = index::structure(work);
    let mut ancestry = Ancestry::new(&structure);
    let accepted: Vec<VarId> =
        wished.into_iter().filter(|&v| ancestry.follows_from_states(work, &structure, v)).collect();
    for v in accepted {
        work.der_var(v);
    }
}

/// What the equations without derivatives say of the other variables, given the differentiated ones.
struct Ancestry {
    matching: Matching,
    undetermined: Vec<bool>,
    /// By row of the structure: can it be differentiated, once it was asked for?
    lasting: Vec<Option<bool>>,
    /// Rows whose ancestors are all fine.
    fine: Vec<bool>,
    memo: ExprMap<Derivative>,
    inliner: Inliner,
}

impl Ancestry {
    fn new(structure: &Structure) -> Self {
        let columns = structure.vars.len();
        let mut is_derivative = vec![false; columns];
        structure.derivative.iter().flatten().for_each(|&d| is_derivative[d as usize] = true);
        let mut graph = Incidence::new(columns);
        for row in &structure.incidence {
            let free = |c: &&u32| structure.derivative[**c as usize].is_none();
            let moving = row.iter().any(|&c| is_derivative[c as usize]);
            let unknown: Vec<u32> =
                if moving { Vec::new() } else { row.iter().filter(free).copied().collect() };
            graph.push_row(&unknown);
        }
        let matching = Matching::maximum(&graph);
        let mut undetermined = vec![false; columns];
        let under = dulmage_mendelsohn(&graph, &matching).under;
        under.columns.iter().for_each(|&c| undetermined[c as usize] = true);
        let rows = structure.rows.len();
        Ancestry {
            matching,
            undetermined,
            lasting: vec![None; rows],
            fine: vec![false; rows],
            memo: ExprMap::default(),
            inliner: Inliner::new(Stage::Derivative),
        }
    }

    /// Do states determine the variable, by equations whose derivatives can be written?
    fn follows_from_states(&mut self, work: &mut Work, structure: &Structure, v: VarId) -> bool {
        let Some(column) = structure.number(v).filter(|&c| !self.undetermined[c as usize]) else {
            return false;
        };
        let (mut stack, mut seen) = (vec![column], BTreeSet::new());
        let mut found = false;
        while let Some(column) = stack.pop() {
            let Some(row) = self.matching.row_of(column) else { return false };
            if self.fine[row as usize] {
                found = true;
                continue;
            }
            if !seen.insert(row) {
                continue;
            }
            if !self.is_lasting(work, structure, row as usize) {
                return false;
            }
            for &c in &structure.incidence[row as usize] {
                match structure.derivative[c as usize] {
                    Some(_) => found = true,
                    None => stack.push(c),
                }
            }
        }
        if found {
            seen.into_iter().for_each(|row| self.fine[row as usize] = true);
        }
        found
    }

    /// Can the equation be differentiated, and does it hold through events?
    fn is_lasting(&mut self, work: &mut Work, structure: &Structure, row: usize) -> bool {
        if let Some(known) = self.lasting[row] {
            return known;
        }
        let source = &work.rows[structure.rows[row]];
        let sides = [source.lhs, source.rhs].map(|e| self.inliner.apply(&mut work.store, e));
        let one = work.store.real(1.0);
        let Work { store, roles, .. } = work;
        let memo = &mut self.memo;
        let lasting = !switches(store, roles, &sides)
            && sides.iter().all(|&side| {
                let rate = store.differentiate(side, memo, &mut |store, leaf| match *store.node(leaf) {
                    Node::Var(v) => match roles[v.index()] {
                        Role::Algebraic | Role::State => Ok(Some(one)),
                        Role::Input => Err(Undifferentiable::Variable),
                        _ => Ok(None),
                    },
                    Node::Time => Ok(Some(one)),
                    _ => Ok(None),
                });
                rate.is_ok()
            });
        self.lasting[row] = Some(lasting);
        lasting
    }
}

/// Does an event give the expressions other values? Then the differentiated variables are those that go on as they
/// were, and no other may replace them. A whole number that a function takes, be it a variable or an expression of relations,
/// says which of its formulas is good here.
fn switches(store: &Store, roles: &[Role], sides: &[ExprId]) -> bool {
    let discrete = |e: ExprId| matches!(*store.node(e), Node::Var(v) if roles[v.index()] == Role::Discrete);
    let whole = |e: ExprId| store.ty(e).is_scalar() && store.ty(e).scalar == Scalar::Int;
    let mut chosen = BTreeSet::new();
    for e in store.post_order(sides, |_| false) {
        if let Node::Call(_, args) = store.node(e) {
            args.iter().filter(|&&arg| whole(arg)).for_each(|&arg| {
                chosen.insert(arg);
            });
        }
    }
    store.post_order(sides, |e| chosen.contains(&e)).into_iter().any(|e| match *store.node(e) {
        Node::Relation(_) => true,
        Node::Var(_) => discrete(e) && store.ty(e).scalar == Scalar::Real,
        Node::If(condition, ..) => store.post_order(&[condition], |_| false).into_iter().any(discrete),
        _ => false,
    })
}
