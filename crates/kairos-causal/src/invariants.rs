//! What holds for every causal model. Debug builds ask after causalising; a broken invariant is a bug of the compiler.
//!
//! Invariants: ids resolve; every equation has an origin; every block is square; each unknown is determined by one block and
//! each equation belongs to one; an assignment reads only what stands before it in the order, what its block determines, and what
//! is given (parameters, states, left limits, inputs). Cost: one walk over the expressions.

use crate::model::{Assign, Block, CausalModel, Role};
use kairos_expr::{ExprId, Node, VarId};

/// The first invariant that does not hold, in words.
pub(crate) fn broken(model: &CausalModel) -> Option<String> {
    let count = model.vars.len();
    let lengths = [model.roles.len(), model.aliases.len(), model.pre.len()];
    if lengths.iter().any(|&n| n != count) {
        return Some(format!("{count} variables, but roles, aliases and left limits for {lengths:?}"));
    }
    let origin = model.equations.iter().find(|e| e.origin.span.end <= e.origin.span.start);
    if let Some(equation) = origin {
        let vars = model.store.variables(&[equation.lhs, equation.rhs]);
        let names: Vec<&str> = vars.iter().map(|v| model.vars[v.index()].name.as_str()).collect();
        let among = names.join("`, `");
        return Some(format!(
            "an equation of `{}` among `{among}` has no place in the text",
            equation.origin.path
        ));
    }
    let mut order = Order { model, known: vec![false; count], equations: vec![0; model.equations.len()] };
    for v in 0..count {
        order.known[v] = model.aliases[v].is_some() || is_given(model.roles[v]);
    }
    for block in &model.blocks {
        if let Some(fault) = order.block(block) {
            return Some(fault);
        }
    }
    if let Some(v) = (0..count).find(|&v| !order.known[v]) {
        return Some(format!("nothing determines `{}`", model.vars[v].name));
    }
    let twice = order.equations.iter().position(|&n| n > 1)?;
    Some(format!("equation {twice} is in {} blocks", order.equations[twice]))
}

/// Is the value there before anything is evaluated?
fn is_given(role: Role) -> bool {
    !matches!(role, Role::Algebraic | Role::Discrete | Role::Helper)
}

struct Order<'m> {
    model: &'m CausalModel,
    known: Vec<bool>,
    /// How many blocks use each equation.
    equations: Vec<u32>,
}

impl Order<'_> {
    fn block(&mut self, block: &Block) -> Option<String> {
        match block {
            Block::Relation(relation) => {
                (relation.index() >= self.model.relations.len()).then(|| "a relation does not exist".into())
            }
            Block::Assign(assign) => self.assign(assign),
            Block::Torn(torn) => {
                if torn.iteration.len() != torn.residuals.len() {
                    let (n, m) = (torn.iteration.len(), torn.residuals.len());
                    return Some(format!("a system has {n} unknowns and {m} residuals"));
                }
                let first = torn.iteration.iter().find_map(|v| self.determine(*v));
                let inner = || torn.inner.iter().find_map(|assign| self.assign(assign));
                first.or_else(inner).or_else(|| {
                    torn.residuals.iter().find_map(|(e, equation)| {
                        self.count(*equation).or_else(|| self.reads(*e, "a residual"))
                    })
                })
            }
            Block::Mixed(mixed) => {
                // Both parts see the unknowns of the other; who determines what is for the two of them to say.
                let twice = mixed.unknowns.iter().find_map(|v| self.determine(*v));
                let blocks = || mixed.continuous.iter().chain(&mixed.discrete);
                twice.or_else(|| blocks().find_map(|block| self.inside(block)))
            }
        }
    }

    /// A block within a mixed one, whose unknowns are all known here.
    fn inside(&mut self, block: &Block) -> Option<String> {
        let unknowns: Vec<VarId> = match block {
            Block::Assign(assign) => vec![assign.var],
            Block::Torn(torn) => {
                torn.iteration.iter().copied().chain(torn.inner.iter().map(|a| a.var)).collect()
            }
            Block::Mixed(mixed) => mixed.unknowns.clone(),
            Block::Relation(_) => Vec::new(),
        };
        unknowns.iter().for_each(|v| self.known[v.index()] = false);
        let fault = match block {
            // It may read itself through the other part.
            Block::Assign(assign) => self.count(assign.equation).or_else(|| self.determine(assign.var)),
            _ => self.block(block),
        };
        unknowns.iter().for_each(|v| self.known[v.index()] = true);
        fault
    }

    fn assign(&mut self, assign: &Assign) -> Option<String> {
        let name = self.model.vars.get(assign.var.index()).map_or("?", |var| &var.name);
        let name = format!("`{name}`");
        self.count(assign.equation)
            .or_else(|| self.reads(assign.value, &name))
            .or_else(|| self.determine(assign.var))
    }

    fn count(&mut self, equation: u32) -> Option<String> {
        let uses = self.equations.get_mut(equation as usize);
        let Some(uses) = uses else { return Some(format!("equation {equation} does not exist")) };
        *uses += 1;
        None
    }

    fn determine(&mut self, var: VarId) -> Option<String> {
        let known = self.known.get_mut(var.index());
        let Some(known) = known else { return Some(format!("variable {} does not exist", var.index())) };
        if std::mem::replace(known, true) {
            return Some(format!("`{}` is determined twice", self.model.vars[var.index()].name));
        }
        None
    }

    /// Does an expression read only what is known?
    fn reads(&self, e: ExprId, who: &str) -> Option<String> {
        if e.index() >= self.model.store.len() {
            return Some(format!("the expression of {who} does not exist"));
        }
        let early = |e: &ExprId| match self.model.store.node(*e) {
            Node::Var(v) => !self.known.get(v.index()).copied().unwrap_or(false),
            _ => false,
        };
        let all = self.model.store.post_order(&[e], |_| false);
        let Node::Var(v) = self.model.store.node(all.into_iter().find(early)?) else { return None };
        let name = self.model.vars.get(v.index()).map_or("what does not exist", |var| &var.name);
        Some(format!("{who} reads `{name}` before it is determined"))
    }
}
