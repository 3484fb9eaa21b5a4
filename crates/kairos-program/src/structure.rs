//! Which blocks each use of the model needs, and the sparsity of the state Jacobian.

use kairos_causal::{Block, CausalModel, Role};
use kairos_expr::{ExprId, Node, VarId};
use std::collections::BTreeSet;

/// Who reads a discrete value between events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Seen {
    #[default]
    Nobody,
    /// Variables that are computed for results only.
    Results,
    /// Derivatives, or what crossing functions need.
    Motion,
}

/// Positions in `CausalModel::blocks`, in order.
#[derive(Default)]
pub struct Needs {
    pub derivatives: Vec<usize>,
    /// Besides those for the derivatives.
    pub crossings: Vec<usize>,
    /// All that the relations need.
    pub watched: Vec<usize>,
    /// Besides both.
    pub outputs: Vec<usize>,
    /// Which equations between events read each variable and each relation.
    vars: Vec<Seen>,
    pub relations: Vec<Seen>,
    /// For each state the states whose derivative depends on it.
    pub jacobian: Vec<Vec<u32>>,
}

impl Needs {
    /// Who sees a variable change; one whose left limit is read is seen as well.
    pub fn seen(&self, model: &CausalModel, v: VarId) -> Seen {
        let before = model.pre[v.index()].map_or(Seen::Nobody, |pre| self.vars[pre.index()]);
        self.vars[v.index()].max(before)
    }
}

/// Variables that a block determines between events, and the expressions it evaluates for that.
fn parts(block: &Block, defines: &mut Vec<VarId>, reads: &mut Vec<ExprId>) {
    match block {
        Block::Assign(assign) => {
            defines.push(assign.var);
            reads.push(assign.value);
        }
        Block::Relation(_) => {}
        Block::Torn(torn) => {
            defines.extend(&torn.iteration);
            defines.extend(torn.inner.iter().map(|a| a.var));
            reads.extend(torn.inner.iter().map(|a| a.value));
            reads.extend(torn.residuals.iter().map(|r| r.0));
        }
        Block::Mixed(mixed) => mixed.continuous.iter().for_each(|b| parts(b, defines, reads)),
    }
}

pub fn needs(model: &CausalModel) -> Needs {
    let mut needs = Needs {
        vars: vec![Seen::Nobody; model.vars.len()],
        relations: vec![Seen::Nobody; model.relations.len()],
        ..Needs::default()
    };
    let mut block_of = vec![usize::MAX; model.vars.len()];
    let mut reads: Vec<Vec<VarId>> = Vec::with_capacity(model.blocks.len());
    let mut reads_relations: Vec<Vec<usize>> = Vec::with_capacity(model.blocks.len());
    let mut continuous = vec![false; model.blocks.len()];
    let (mut defines, mut exprs) = (Vec::new(), Vec::new());
    for (b, block) in model.blocks.iter().enumerate() {
        defines.clear();
        exprs.clear();
        parts(block, &mut defines, &mut exprs);
        let is_discrete = |v: &VarId| matches!(model.roles[v.index()], Role::Discrete | Role::Helper);
        defines.retain(|v| !is_discrete(v));
        let (mut used, mut relations) = (Vec::new(), Vec::new());
        if !defines.is_empty() {
            continuous[b] = true;
            for e in model.store.post_order(&exprs, |_| false) {
                match model.store.node(e) {
                    Node::Var(v) => used.push(*v),
                    Node::Relation(r) => relations.push(r.index()),
                    _ => {}
                }
            }
        }
        defines.iter().for_each(|v| block_of[v.index()] = b);
        reads.push(used);
        reads_relations.push(relations);
    }
    let reach = |roots: &[VarId]| {
        let mut seen = vec![false; model.blocks.len()];
        let mut stack: Vec<usize> =
            roots.iter().map(|v| block_of[v.index()]).filter(|&b| b != usize::MAX).collect();
        while let Some(b) = stack.pop() {
            if std::mem::replace(&mut seen[b], true) {
                continue;
            }
            stack.extend(reads[b].iter().map(|v| block_of[v.index()]).filter(|&c| c != usize::MAX && c != b));
        }
        seen
    };
    let roots: Vec<VarId> = model.states.iter().map(|s| s.derivative).collect();
    let for_derivatives = reach(&roots);
    let mut roots = Vec::new();
    for relation in model.relations.iter().filter(|r| r.time.is_none()) {
        roots.extend(model.store.variables(&[relation.lhs, relation.rhs]));
    }
    let for_crossings = reach(&roots);
    for b in 0..model.blocks.len() {
        match (for_derivatives[b], for_crossings[b]) {
            _ if !continuous[b] => {}
            (true, _) => needs.derivatives.push(b),
            (_, true) => needs.crossings.push(b),
            _ => needs.outputs.push(b),
        }
        if continuous[b] && for_crossings[b] {
            needs.watched.push(b);
        }
        let seen = if for_derivatives[b] || for_crossings[b] { Seen::Motion } else { Seen::Results };
        for v in &reads[b] {
            needs.vars[v.index()] = needs.vars[v.index()].max(seen);
        }
        for &r in &reads_relations[b] {
            needs.relations[r] = needs.relations[r].max(seen);
        }
    }
    // What wakes a relation is as good as read by its crossing function.
    let demands: Vec<ExprId> = model.relations.iter().filter_map(|r| r.demand).collect();
    for e in model.store.post_order(&demands, |_| false) {
        match *model.store.node(e) {
            Node::Var(v) => needs.vars[v.index()] = Seen::Motion,
            Node::Relation(r) => needs.relations[r.index()] = Seen::Motion,
            _ => {}
        }
    }
    for state in &model.states {
        needs.vars[state.var.index()] = Seen::Motion;
    }
    needs.jacobian = sparsity(model, &needs.derivatives, &block_of, &reads);
    needs
}

/// Forward through the blocks: the set of states that each depends on.
fn sparsity(model: &CausalModel, order: &[usize], block_of: &[usize], reads: &[Vec<VarId>]) -> Vec<Vec<u32>> {
    let mut number = vec![u32::MAX; model.vars.len()];
    for (k, state) in model.states.iter().enumerate() {
        number[state.var.index()] = k as u32;
    }
    let mut depends: Vec<Vec<u32>> = vec![Vec::new(); model.blocks.len()];
    for &b in order {
        let mut set = BTreeSet::new();
        for v in &reads[b] {
            if number[v.index()] != u32::MAX {
                set.insert(number[v.index()]);
            }
            let from = block_of[v.index()];
            if from != usize::MAX && from != b {
                set.extend(&depends[from]);
            }
        }
        depends[b] = set.into_iter().collect();
    }
    let mut columns = vec![Vec::new(); model.states.len()];
    for (row, state) in model.states.iter().enumerate() {
        let derivative = state.derivative;
        let own = number[derivative.index()];
        if own != u32::MAX {
            columns[own as usize].push(row as u32);
        } else if let Some(list) = depends.get(block_of[derivative.index()]) {
            list.iter().for_each(|&k| columns[k as usize].push(row as u32));
        }
    }
    columns
}
