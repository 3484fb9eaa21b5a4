//! Values that stay as they are between events: computed once after each, read wherever the motion needs them.

use crate::lower::Target;
use crate::program::Memory;
use crate::tape::{Destination, Slot};
use kairos_causal::{Alias, Block, CausalModel, Role};
use kairos_expr::{Builtin, ExprId, ExprMap, Node, Scalar, VarId};

/// Expressions of parameters and discrete values, with the places of their values.
#[derive(Default)]
pub struct Settled {
    pub slots: ExprMap<Slot>,
    list: Vec<Target>,
}

impl Settled {
    /// The largest ones in the blocks that the motion needs, and in the sides of its relations.
    pub fn find(model: &CausalModel, memory: &mut Memory, blocks: &[usize]) -> Settled {
        let moving = moving(model);
        let mut roots = Vec::new();
        blocks.iter().for_each(|&b| values(&model.blocks[b], &mut roots));
        for relation in model.relations.iter().filter(|relation| relation.time.is_none()) {
            roots.extend([relation.lhs, relation.rhs]);
        }
        let order = model.store.post_order(&roots, |_| false);
        let mut stays: ExprMap<bool> = ExprMap::default();
        for &e in &order {
            if let Node::Builtin(Builtin::Delay | Builtin::SpatialDistribution, _) = model.store.node(e) {
                // What a delay records is computed at events, too.
                return Settled::default();
            }
            let mut same = is_numeric(model, e) && !is_moving(model, &moving, e);
            model.store.children(e, |child| same &= stays.get(&child).copied().unwrap_or(false));
            stays.insert(e, same);
        }
        let mut settled = Settled::default();
        let stays = |e: &ExprId| stays.get(e).copied().unwrap_or(false);
        let mut take = |e: ExprId| {
            if stays(&e) && is_operation(model, e) && !settled.slots.contains_key(&e) {
                let slot = memory.temporary();
                settled.slots.insert(e, slot);
                settled.list.push(Target { to: Destination::Number(slot), value: e });
            }
        };
        for &e in order.iter().filter(|e| !stays(e)) {
            model.store.children(e, &mut take);
        }
        roots.into_iter().for_each(take);
        settled
    }

    /// What to compute after an event.
    pub fn targets(&self) -> &[Target] {
        &self.list
    }
}

/// The expressions of a block between events.
fn values(block: &Block, out: &mut Vec<ExprId>) {
    match block {
        Block::Assign(assign) => out.push(assign.value),
        Block::Relation(_) => {}
        Block::Torn(torn) => {
            out.extend(torn.inner.iter().map(|assign| assign.value));
            out.extend(torn.residuals.iter().map(|residual| residual.0));
        }
        Block::Mixed(mixed) => mixed.continuous.iter().for_each(|block| values(block, out)),
    }
}

/// Variables that some block computes between events.
fn moving(model: &CausalModel) -> Vec<bool> {
    fn mark(block: &Block, moving: &mut [bool]) {
        let mut see = |v: VarId| moving[v.index()] = true;
        match block {
            Block::Assign(assign) => see(assign.var),
            Block::Relation(_) => {}
            Block::Torn(torn) => {
                torn.iteration.iter().copied().chain(torn.inner.iter().map(|a| a.var)).for_each(see)
            }
            Block::Mixed(mixed) => mixed.continuous.iter().for_each(|block| mark(block, moving)),
        }
    }
    let mut moving = vec![false; model.vars.len()];
    for block in &model.blocks {
        let held = matches!(block, Block::Assign(a) if model.equations[a.equation as usize].discrete);
        if !held {
            mark(block, &mut moving);
        }
    }
    moving
}

fn is_moving(model: &CausalModel, moving: &[bool], e: ExprId) -> bool {
    match *model.store.node(e) {
        Node::Time => true,
        Node::Var(v) => {
            let v = match model.aliases[v.index()] {
                Some(Alias::Constant(_)) => return false,
                Some(Alias::Of { var, .. }) => var,
                None => v,
            };
            let held = match model.roles[v.index()] {
                Role::Parameter | Role::FreeParameter | Role::Given => true,
                Role::Discrete | Role::Helper | Role::Pre(_) => true,
                Role::Input | Role::State | Role::Algebraic | Role::Alias => false,
                Role::Sampler(_) | Role::InitialFlag | Role::TerminalFlag => false,
                Role::Lambda | Role::Selector => false,
            };
            !held || moving[v.index()]
        }
        _ => false,
    }
}

/// A number by plain arithmetic, which cannot fail where nobody asks for it.
fn is_numeric(model: &CausalModel, e: ExprId) -> bool {
    let ty = model.store.ty(e);
    let number =
        ty.is_scalar() && matches!(ty.scalar, Scalar::Real | Scalar::Int | Scalar::Bool | Scalar::Enum(_));
    number
        && match model.store.node(e) {
            Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Enum(..) => true,
            Node::Time | Node::Var(_) | Node::Relation(_) => true,
            Node::Unary(..) | Node::Binary(..) | Node::If(..) => true,
            Node::Builtin(f, args) => f.is_numeric() && args.len() <= 2,
            _ => false,
        }
}

/// Is there anything to compute?
fn is_operation(model: &CausalModel, e: ExprId) -> bool {
    match model.store.node(e) {
        Node::Unary(..) | Node::Binary(..) | Node::If(..) => model.store.number(e).is_none(),
        Node::Builtin(f, _) => !f.is_transparent(),
        _ => false,
    }
}
