//! The causal model: the product of this crate, everything sorted and solved for its unknown.

use kairos_base::{Name, Span};
use kairos_expr::{BinOp, ExprId, Names, RelationId, Store, VarId};
use kairos_model::{Experiment, Origin, Variable};
use serde::{Deserialize, Serialize};

/// What a variable is to the simulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Role {
    /// Constant over a run, given by its binding.
    Parameter,
    /// Constant over a run, found by the initial system.
    FreeParameter,
    /// A top-level input that moves, set from outside.
    Input,
    /// The value of a discrete top-level input, set from outside at events; the input itself is `Discrete` and follows.
    Given,
    State,
    /// Any other Real unknown of the continuous part, derivatives included.
    Algebraic,
    /// Changes at events only.
    Discrete,
    /// As `Discrete`, made by the compiler: conditions of when-clauses and whether they act.
    Helper,
    /// The left limit of another variable.
    Pre(VarId),
    /// Tells whether a sampler ticks.
    Sampler(u32),
    /// `initial()`
    InitialFlag,
    /// `terminal()`
    TerminalFlag,
    /// The homotopy parameter: 1 is the actual problem.
    Lambda,
    /// Picks one of the candidates of a state set: zero or one, set between steps.
    Selector,
    /// Given by another variable, see `CausalModel::aliases`.
    Alias,
}

/// Where the value of an eliminated variable comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Alias {
    Of {
        var: VarId,
        negated: bool,
    },
    /// A literal.
    Constant(ExprId),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    pub var: VarId,
    pub derivative: VarId,
    /// Why it was chosen, for people.
    pub reason: String,
}

/// Variables of which some are states: which ones is decided while the simulation runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StateSet {
    pub candidates: Vec<VarId>,
    /// Each equals the candidate that its selectors pick.
    pub states: Vec<VarId>,
    /// By state and candidate.
    pub selectors: Vec<Vec<VarId>>,
    /// The candidate of each state to begin with.
    pub chosen: Vec<u32>,
    /// The first columns of the Jacobian belong to variables that are never states.
    pub others: u32,
    /// The constraints: factors of `others` and candidates by row. Candidates that are no states must have
    /// independent columns.
    pub jacobian: Vec<Vec<(u32, ExprId)>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Relation {
    pub op: BinOp,
    pub lhs: ExprId,
    pub rhs: ExprId,
    pub origin: Origin,
    /// `lhs - rhs = slope * time + rest` with discrete slope and rest.
    pub time: Option<(ExprId, ExprId)>,
    /// Something reads the relation only where this is true, which events alone change.
    pub demand: Option<ExprId>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sampler {
    pub start: ExprId,
    pub interval: ExprId,
    pub flag: VarId,
    pub origin: Origin,
}

/// An equation of the final system, as explained to people and named in messages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EquationInfo {
    pub lhs: ExprId,
    pub rhs: ExprId,
    pub origin: Origin,
    /// How often the equation in the source was differentiated to give this one.
    pub differentiated: u32,
    /// Only evaluated at events.
    pub discrete: bool,
}

/// `var := value`, which solves `equation`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Assign {
    pub var: VarId,
    pub value: ExprId,
    pub equation: u32,
}

/// Equations that must be solved together, reduced to few iteration variables.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Torn {
    /// The residuals are linear in the iteration variables.
    pub linear: bool,
    pub iteration: Vec<VarId>,
    /// Given the iteration variables, in order.
    pub inner: Vec<Assign>,
    /// Zero at the solution.
    pub residuals: Vec<(ExprId, u32)>,
}

/// Real and discrete unknowns that depend on each other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mixed {
    /// The Real part, given the discrete part.
    pub continuous: Vec<Block>,
    /// The discrete part, given the Real part.
    pub discrete: Vec<Block>,
    pub relations: Vec<RelationId>,
    pub unknowns: Vec<VarId>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Block {
    Assign(Assign),
    /// Decided literally at events, held between.
    Relation(RelationId),
    Torn(Torn),
    Mixed(Mixed),
}

impl Block {
    fn visit_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        match self {
            Block::Assign(assign) => visit(&mut assign.value),
            Block::Relation(_) => {}
            Block::Torn(torn) => {
                torn.inner.iter_mut().for_each(|assign| visit(&mut assign.value));
                torn.residuals.iter_mut().for_each(|(e, _)| visit(e));
            }
            Block::Mixed(mixed) => {
                let blocks = mixed.continuous.iter_mut().chain(&mut mixed.discrete);
                blocks.for_each(|block| block.visit_exprs_mut(visit));
            }
        }
    }
}

/// What happens at an event beyond values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Effect {
    /// Every action whose branch fires first.
    When {
        branches: Vec<(VarId, Vec<kairos_model::Action>)>,
        origin: Origin,
    },
    Assert {
        condition: ExprId,
        message: ExprId,
        warning: bool,
        origin: Origin,
    },
    Call(ExprId, Origin),
}

impl Effect {
    fn visit_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        match self {
            Effect::When { branches, .. } => {
                branches.iter_mut().flat_map(|(_, actions)| actions).for_each(|a| a.visit_exprs_mut(visit));
            }
            Effect::Assert { condition, message, .. } => {
                visit(condition);
                visit(message);
            }
            Effect::Call(e, _) => visit(e),
        }
    }
}

/// The initial problem, sorted by itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Initial {
    pub equations: Vec<EquationInfo>,
    pub blocks: Vec<Block>,
    /// Left out because the others determine everything: checked after the solution.
    pub redundant: Vec<EquationInfo>,
    /// What had to be assumed, in words.
    pub report: Vec<String>,
    pub has_homotopy: bool,
}

#[derive(Serialize, Deserialize)]
pub struct CausalModel {
    pub name: String,
    pub store: Store,
    pub vars: Vec<Variable>,
    pub roles: Vec<Role>,
    /// The number of variables that the model declares; the compiler's own follow.
    pub declared: usize,
    /// For variables of role `Alias`.
    pub aliases: Vec<Option<Alias>>,
    pub states: Vec<State>,
    /// Their states are among `states`.
    pub state_sets: Vec<StateSet>,
    /// Bindings of parameters, each after those it uses.
    pub parameters: Vec<(VarId, ExprId)>,
    pub relations: Vec<Relation>,
    pub samplers: Vec<Sampler>,
    pub equations: Vec<EquationInfo>,
    /// Everything, sorted; see `Role` and `EquationInfo::discrete` for what runs between events.
    pub blocks: Vec<Block>,
    pub effects: Vec<Effect>,
    pub initial: Initial,
    /// The variable that holds the left limit.
    pub pre: Vec<Option<VarId>>,
    pub initial_flag: VarId,
    pub terminal_flag: VarId,
    pub lambda: VarId,
    /// Free starts: variables with a guess for iterations.
    pub experiment: Experiment,
    /// Index reduction and other choices, in words.
    pub report: Vec<String>,
    /// Parts whose structure changes; their variables are inputs here.
    pub modes: Option<std::sync::Arc<crate::Modes>>,
    /// Variables that tell how far the equations are from being satisfied, each with its equation as its name.
    pub residuals: Vec<VarId>,
}

impl Names for CausalModel {
    fn var(&self, var: VarId) -> String {
        self.vars[var.index()].name.clone()
    }
    fn relation(&self, relation: RelationId) -> String {
        self.relation_text(relation)
    }
}

/// How many terms of an expression an explanation quotes, and how many a message, whose place shows the equation as it is written.
const QUOTED: usize = 1000;
const BRIEF: usize = 60;

/// The names inside a relation that stands in another expression: relations in it are not spelled out again.
struct Inner<'a>(&'a CausalModel);

impl Names for Inner<'_> {
    fn var(&self, var: VarId) -> String {
        self.0.var(var)
    }
    fn relation(&self, relation: RelationId) -> String {
        let r = &self.0.relations[relation.index()];
        format!("… {} …", r.op.symbol())
    }
}

impl Relation {
    /// What an event must see to find the relation: its sides, and whether it is wanted.
    pub fn reads(&self) -> impl Iterator<Item = ExprId> {
        [self.lhs, self.rhs].into_iter().chain(self.demand)
    }
}

impl CausalModel {
    /// Keeps the expressions of the model only, in the order in which code is made of them.
    pub(crate) fn compact(&mut self) {
        let mut roots = Vec::new();
        self.visit_exprs_mut(&mut |e| roots.push(*e));
        let (store, moved) = self.store.extract(&roots, |v| v);
        self.store = store;
        self.visit_exprs_mut(&mut |e| *e = moved.at(*e));
    }

    /// The places in the sources that the model speaks of.
    pub fn visit_spans(&self, visit: &mut dyn FnMut(Span)) {
        self.vars.iter().for_each(|var| visit(var.span));
        let equations = self.equations.iter().chain(&self.initial.equations).chain(&self.initial.redundant);
        equations.for_each(|equation| visit(equation.origin.span));
        self.relations.iter().for_each(|relation| visit(relation.origin.span));
        self.samplers.iter().for_each(|sampler| visit(sampler.origin.span));
        for effect in &self.effects {
            match effect {
                Effect::When { origin, .. } | Effect::Assert { origin, .. } | Effect::Call(_, origin) => {
                    visit(origin.span);
                }
            }
        }
        // A function stands in one file, with all its statements.
        self.store.functions.iter().for_each(|function| visit(function.span));
        self.modes.iter().for_each(|modes| modes.visit_spans(visit));
    }

    /// Every expression of the model; those of equations are for messages, and come last.
    fn visit_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        self.parameters.iter_mut().for_each(|(_, e)| visit(e));
        self.blocks.iter_mut().for_each(|block| block.visit_exprs_mut(visit));
        for relation in &mut self.relations {
            visit(&mut relation.lhs);
            visit(&mut relation.rhs);
            relation
                .time
                .iter_mut()
                .for_each(|(slope, rest)| [slope, rest].into_iter().for_each(&mut *visit));
            relation.demand.iter_mut().for_each(&mut *visit);
        }
        self.samplers
            .iter_mut()
            .for_each(|s| [&mut s.start, &mut s.interval].into_iter().for_each(&mut *visit));
        self.effects.iter_mut().for_each(|effect| effect.visit_exprs_mut(visit));
        self.state_sets.iter_mut().flat_map(|set| &mut set.jacobian).flatten().for_each(|(_, e)| visit(e));
        self.initial.blocks.iter_mut().for_each(|block| block.visit_exprs_mut(visit));
        self.vars.iter_mut().for_each(|var| var.visit_exprs_mut(visit));
        for alias in self.aliases.iter_mut().flatten() {
            if let Alias::Constant(value) = alias {
                visit(value);
            }
        }
        let equations = self.equations.iter_mut().chain(&mut self.initial.equations);
        for equation in equations.chain(&mut self.initial.redundant) {
            visit(&mut equation.lhs);
            visit(&mut equation.rhs);
        }
    }

    pub fn text(&self, e: ExprId) -> String {
        kairos_expr::quote(&self.store, e, self, QUOTED)
    }

    pub fn equation_text(&self, equation: &EquationInfo) -> String {
        format!("{} = {}", self.text(equation.lhs), self.text(equation.rhs))
    }

    /// The equation as a message quotes it.
    pub fn equation_brief(&self, equation: &EquationInfo) -> String {
        let text = |e| kairos_expr::quote(&self.store, e, self, BRIEF);
        format!("{} = {}", text(equation.lhs), text(equation.rhs))
    }

    pub fn relation_text(&self, relation: RelationId) -> String {
        let r = &self.relations[relation.index()];
        let text = |e| kairos_expr::quote(&self.store, e, &Inner(self), QUOTED / 10);
        format!("{} {} {}", text(r.lhs), r.op.symbol(), text(r.rhs))
    }
}

/// The place of something the compiler made itself.
pub fn nowhere() -> Origin {
    Origin { span: Span { file: kairos_base::FileId(0), start: 0, end: 0 }, path: Name::EMPTY }
}
