//! Modes of different structure: parts of a model whose equations are solved differently from mode to mode.
//!
//! A *region* is a part of the continuous system that depends on nothing else and whose structure (which equations
//! are constraints, which variables are states) is decided by conditions. The rest of the model sees its variables as
//! inputs. Every valuation of a region's conditions is a mode with systems of its own, built when it is first entered.

mod conditions;
mod extract;
mod independent;
mod instant;
mod jump;
mod levels;
mod predict;
mod regions;
mod regular;
mod repeated;
mod staged;
mod stepping;

pub use conditions::Condition;
pub use jump::JumpVars;
pub use predict::Residuals;

use crate::model::{Block, CausalModel, Effect, Initial, Role, State};
use crate::parameters::Bindings;
use crate::work::{Row, Work};
use crate::{index, initial};
use extract::Extract;
use kairos_base::{Checked, Diagnostic};
use kairos_expr::{ExprId, Node, VarId};
use kairos_model::{Action, Experiment, ScalarModel};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What the modes of a model are made from.
#[derive(Serialize, Deserialize)]
pub struct Modes {
    pub regions: Vec<Region>,
    /// The whole system, for the initial problem.
    whole: Work,
    parameters: Bindings,
    dependent: Bindings,
    name: String,
}

/// A part of the model with modes of its own. Its variables have numbers of their own.
#[derive(Serialize, Deserialize)]
pub struct Region {
    pub conditions: Vec<Condition>,
    /// The number in the model of each variable of the region.
    pub outer: Vec<VarId>,
    /// Variables that the region determines, and nothing else.
    pub owned: Vec<VarId>,
    /// Variables that it reads and something else determines.
    pub known: Vec<VarId>,
    /// Differentiated variables: what is known of the past at an instant.
    pub states: Vec<VarId>,
    /// Of its own variables those that something else reads: at events nobody asks for the others.
    pub read: Vec<VarId>,
    /// Relations of the model that compare its variables with nothing but discrete values and time. Its modes have
    /// them, too, in this order.
    pub relations: Vec<u32>,
    /// The values that `--init projection` starts from.
    pub starts: Vec<(VarId, VarId)>,
    extract: Extract,
    conditional: Vec<bool>,
    /// Conditions that compare variables of the region.
    comparisons: Vec<predict::Comparison>,
    numeric: bool,
}

/// One mode: how it runs, and how it looks at an instant.
pub struct Mode {
    pub run: CausalModel,
    pub instant: CausalModel,
    /// Its constraints contain discrete values: where those change, its variables jump although the mode stays.
    pub stirred: bool,
}

/// The way into a mode.
pub struct Jump {
    pub model: CausalModel,
    pub vars: JumpVars,
}

/// Finds the regions of a model and takes them out of it. `None` if its structure never changes.
pub(crate) fn separate(
    work: &mut Work,
    parameters: &mut Bindings,
    dependent: &Bindings,
    name: &str,
    all: bool,
) -> Option<Modes> {
    // Constraints that several equations hide are constraints like others.
    crate::dependent::expose(work);
    let (found, of_row) = conditions::find(work);
    let stepping = stepping::find(work);
    if found.is_empty() && !all && !stepping.some_step() {
        return None;
    }
    let mut trial = work.clone();
    let named = conditions::name(&mut trial, &found, &of_row);
    let mut parts = regions::find(&mut trial, &of_row, &stepping, all);
    parts.retain_mut(|part| {
        let (rows, unknown) = (part.rows.clone(), unknown(&trial, part));
        let alone = extract::extract(&trial, parameters, &rows, &[], &unknown);
        let inner = |v: VarId| alone.outer.iter().position(|&o| o == v).map(VarId::new);
        let list: Vec<VarId> = part.conditions.iter().filter_map(|&c| inner(named[c].var)).collect();
        let constrained = all && has_constraints(&alone.work);
        let steps = rows.iter().any(|&r| stepping.steps(r))
            && stepping::conserves(&alone.work)
            && !stepping.tie(&trial, &rows, &part.owned);
        constrained || steps || !list.is_empty() && regions::changes(&alone.work, &list, &mut part.numeric)
    });
    if parts.is_empty() {
        return None;
    }
    let rows: BTreeSet<usize> = parts.iter().flat_map(|p| p.rows.iter().copied()).collect();
    let rows: Vec<usize> = rows.into_iter().collect();
    conditions::name_relations(&mut trial, &rows);
    let zero = trial.store.zero();
    let mut regions = Vec::new();
    for part in &parts {
        let states: Vec<VarId> =
            part.owned.iter().copied().filter(|v| trial.der[v.index()].is_some()).collect();
        let mut starts = Vec::new();
        for &x in states.iter().filter(|_| all) {
            let value = trial.vars[x.index()].start.unwrap_or(zero);
            let name = format!("start of {}", trial.vars[x.index()].name);
            let v = trial.new_var(&name, kairos_expr::Scalar::Real, Role::Parameter);
            trial.vars[v.index()].binding = Some(value);
            parameters.push((v, value));
            trial.vars[x.index()].fixed = None;
            starts.push((x, v));
        }
        let unknown = unknown(&trial, part);
        let relations = own_relations(&trial, &unknown);
        let extract = extract::extract(&trial, parameters, &part.rows, &relations, &unknown);
        if part.numeric {
            trial.freeze(regular::parameters(&extract.work).iter().map(|v| extract.outer[v.index()]));
        }
        let inner = |v: VarId| extract.outer.iter().position(|&o| o == v).map(VarId::new);
        let known = (0..extract.outer.len()).map(VarId::new);
        let known = known.filter(|v| extract.work.roles[v.index()] != Role::Algebraic).collect();
        regions.push(Region {
            conditions: part.conditions.iter().map(|&c| named[c].clone()).collect(),
            owned: part.owned.iter().filter_map(|&v| inner(v)).collect(),
            states: states.iter().filter_map(|&v| inner(v)).collect(),
            read: Vec::new(),
            relations: relations.iter().map(|&r| r as u32).collect(),
            known,
            starts,
            comparisons: part
                .conditions
                .iter()
                .map(|&c| predict::comparison(&trial, named[c].var, &relations))
                .collect(),
            conditional: part
                .rows
                .iter()
                .map(|&r| of_row.get(r).is_some_and(|list| !list.is_empty()))
                .collect(),
            outer: extract.outer.clone(),
            extract,
            numeric: part.numeric,
        });
    }
    let whole = trial.clone();
    // Nobody else determines what a region owns; what is shared, the rest computes for itself as well.
    let own: BTreeSet<VarId> = parts.iter().flat_map(|p| p.owned.iter().copied()).collect();
    let shared: BTreeSet<VarId> = parts.iter().flat_map(|p| p.shared.iter().copied()).collect();
    let mut at = 0;
    let taken: BTreeSet<usize> = rows.into_iter().collect();
    let shared_rows: BTreeSet<usize> = taken
        .iter()
        .copied()
        .filter(|&r| {
            let used = trial.store.variables(&[trial.rows[r].lhs, trial.rows[r].rhs]);
            used.iter().all(|v| !own.contains(v)) && used.iter().any(|v| shared.contains(v))
        })
        .collect();
    trial.rows.retain(|_| {
        at += 1;
        !taken.contains(&(at - 1)) || shared_rows.contains(&(at - 1))
    });
    for v in &own {
        trial.roles[v.index()] = Role::Input;
    }
    let read = read_outside(&trial);
    for region in &mut regions {
        let Region { read: list, owned, outer, .. } = region;
        list.extend(owned.iter().copied().filter(|v| read[outer[v.index()].index()]));
    }
    trial.varying.clear();
    *work = trial;
    let dependent = dependent.clone();
    Some(Modes { regions, whole, parameters: parameters.clone(), dependent, name: name.into() })
}

/// Relations that are found by search on the given unknowns alone.
fn own_relations(work: &Work, unknown: &[bool]) -> Vec<usize> {
    let is_relation = |node: &Node| matches!(node, Node::Relation(_));
    let own = |r: &usize| {
        let relation = &work.relations[*r];
        let used = work.store.variables(&[relation.lhs, relation.rhs]);
        let continuous = |v: &&VarId| matches!(work.roles[v.index()], Role::Algebraic | Role::Input);
        let mut read = used.iter().filter(continuous).peekable();
        // Relations within it have other numbers there.
        let simple = !work.store.any(relation.lhs, is_relation) && !work.store.any(relation.rhs, is_relation);
        simple && relation.time.is_none() && read.peek().is_some() && read.all(|v| unknown[v.index()])
    };
    (0..work.relations.len()).filter(own).collect()
}

/// The variables that the equations, conditions, left limits and actions of the rest speak of.
fn read_outside(rest: &Work) -> Vec<bool> {
    let rows = rest.rows.iter().flat_map(|row| [row.lhs, row.rhs]);
    let relations = rest.relations.iter().flat_map(|relation| [relation.lhs, relation.rhs]);
    let mut exprs: Vec<ExprId> = rows.chain(relations).collect();
    for effect in &rest.effects {
        match effect {
            Effect::When { branches, .. } => {
                for action in branches.iter().flat_map(|(_, actions)| actions) {
                    match *action {
                        Action::Reinit(_, e) | Action::Call(e) => exprs.push(e),
                        Action::Terminate(condition, message) => exprs.extend([condition, message]),
                        Action::Assert { condition, message, .. } => exprs.extend([condition, message]),
                    }
                }
            }
            Effect::Assert { condition, message, .. } => exprs.extend([*condition, *message]),
            Effect::Call(e, _) => exprs.push(*e),
        }
    }
    let mut read: Vec<bool> = rest.pre.iter().map(Option::is_some).collect();
    read.resize(rest.vars.len(), false);
    rest.store.variables(&exprs).iter().for_each(|v| read[v.index()] = true);
    // Constraints between what is differentiated in the rest and in regions are differentiated in the rest.
    for row in &rest.rows {
        let used = rest.store.variables(&[row.lhs, row.rhs]);
        let moves = |v: &&VarId| rest.der[v.index()].is_some();
        let (given, own): (Vec<VarId>, Vec<VarId>) =
            used.iter().filter(moves).partition(|v| rest.roles[v.index()] == Role::Input);
        if !own.is_empty() {
            given.iter().filter_map(|v| rest.der[v.index()]).for_each(|d| read[d.index()] = true);
        }
    }
    read
}

fn unknown(work: &Work, part: &regions::Part) -> Vec<bool> {
    let mut list = vec![false; work.vars.len()];
    part.owned.iter().chain(&part.shared).for_each(|v| list[v.index()] = true);
    list
}

fn has_constraints(work: &Work) -> bool {
    let mut trial = work.clone();
    let index::Structure { incidence, derivative, .. } = index::structure(&mut trial);
    kairos_graph::pantelides(&incidence, &derivative).is_ok_and(|r| r.differentiations.iter().any(|&d| d > 0))
}

impl Modes {
    /// Variables with a number of their own, the compiler's included.
    pub fn variables(&self) -> impl Iterator<Item = VarId> + '_ {
        let own = |v: &VarId| !matches!(self.whole.roles[v.index()], Role::Alias | Role::Parameter);
        (0..self.whole.vars.len()).map(VarId::new).filter(own)
    }

    /// The places in the sources that the modes speak of.
    pub fn visit_spans(&self, visit: &mut dyn FnMut(kairos_base::Span)) {
        let rows = self.whole.rows.iter().chain(&self.whole.initial_rows);
        rows.for_each(|row| visit(row.origin.span));
        self.whole.vars.iter().for_each(|var| visit(var.span));
        self.regions.iter().flat_map(|region| &region.conditions).for_each(|c| visit(c.origin.span));
    }

    pub fn parameters(&self) -> impl Iterator<Item = VarId> + '_ {
        self.parameters.iter().map(|(v, _)| *v)
    }

    /// Variables that are texts.
    pub fn texts(&self) -> impl Iterator<Item = VarId> + '_ {
        self.variables().filter(|v| self.whole.vars[v.index()].ty == kairos_expr::Scalar::Str)
    }

    /// The initial problem under the given values of all regions' conditions.
    pub fn initial(&self, values: &[Vec<bool>]) -> Checked<CausalModel> {
        let mut work = self.whole.clone();
        let value = |v: VarId| {
            let lists = self.regions.iter().zip(values);
            let mut pairs = lists.flat_map(|(region, list)| region.conditions.iter().zip(list));
            pairs.find(|(condition, _)| condition.var == v).map(|(_, &value)| value)
        };
        let mut rows = std::mem::take(&mut work.rows);
        let continuous = |row: &Row| row.kind == crate::work::Kind::Continuous;
        let (mut chosen, rest): (Vec<Row>, Vec<Row>) = rows.drain(..).partition(continuous);
        conditions::fix(&mut work.store, &mut chosen, value);
        work.rows = chosen;
        repeated::close(&mut work);
        regular::regularise(&mut work, self.regions.iter().any(|region| region.numeric));
        work.rows.extend(rest);
        work.diagnostics.clear();
        let made = index::reduce(&mut work).and_then(|(states, sets)| {
            let initial = initial::initial(&mut work, &states, &sets, &self.dependent)?;
            Some((states, sets, initial))
        });
        let diagnostics = std::mem::take(&mut work.diagnostics);
        let fine = !diagnostics.iter().any(Diagnostic::is_error);
        let Some((states, sets, initial)) = made.filter(|_| fine) else {
            return Checked::failed(diagnostics);
        };
        let mut model = model(work, &self.name, states, self.parameters.clone(), Vec::new(), Vec::new());
        (model.initial, model.state_sets) = (initial, sets);
        Checked { value: Some(model), diagnostics }
    }
}

impl Region {
    /// The systems of the mode with these values of the conditions.
    pub fn mode(&self, values: &[bool]) -> Checked<Mode> {
        let name = self.describe(values);
        let mut work = self.fixed(values);
        let mut at_instant = work.clone();
        let run = index::reduce(&mut work)
            .and_then(|(states, sets)| Some((states, sets, crate::simulation(&mut work)?)));
        let Some((states, sets, blocks)) = run else { return Checked::failed(work.diagnostics) };
        let rows = work.rows.clone();
        let mut run = model(work, &name, states, self.extract.parameters.clone(), rows, blocks);
        run.relations.clone_from(&self.extract.relations);
        run.state_sets = sets;
        let mut stirred = false;
        let instant = levels::level(&mut at_instant).and_then(|levels| {
            stirred = stepping::stirred(&at_instant, &levels);
            instant::instant(&mut at_instant, &levels, &self.states, &self.conditional, self.numeric)
        });
        let Some((rows, blocks)) = instant else { return Checked::failed(at_instant.diagnostics) };
        let parameters = self.extract.parameters.clone();
        let instant = model(at_instant, &name, Vec::new(), parameters, rows, blocks);
        Checked { value: Some(Mode { run, instant, stirred }), diagnostics: Vec::new() }
    }

    /// The restart in the mode with these values, where some variables are set explicitly.
    pub fn jump(&self, values: &[bool], given: &[VarId]) -> Checked<Jump> {
        let mut work = self.fixed(values);
        let made = levels::level(&mut work)
            .and_then(|levels| jump::jump(&mut work, &levels, &self.states, given, self.numeric));
        let Some((rows, blocks, vars)) = made else { return Checked::failed(work.diagnostics) };
        let parameters = self.extract.parameters.clone();
        let model = model(work, &self.describe(values), Vec::new(), parameters, rows, blocks);
        Checked { value: Some(Jump { model, vars }), diagnostics: Vec::new() }
    }

    pub fn name(&self, v: VarId) -> &str {
        &self.extract.work.vars[v.index()].name
    }

    pub fn is_parameter(&self, v: VarId) -> bool {
        self.extract.work.roles[v.index()] == Role::Parameter
    }

    /// The variable that holds the derivative.
    pub fn derivative(&self, v: VarId) -> Option<VarId> {
        self.extract.work.der[v.index()]
    }

    /// The mode in words: its conditions with their values.
    pub fn describe(&self, values: &[bool]) -> String {
        let list: Vec<String> = self
            .conditions
            .iter()
            .zip(values)
            .map(
                |(condition, &value)| {
                    if value { condition.text.clone() } else { format!("not {}", condition.text) }
                },
            )
            .collect();
        list.join(", ")
    }

    fn fixed(&self, values: &[bool]) -> Work {
        let mut work = self.extract.work.clone();
        let value = |v: VarId| {
            let outer = self.outer.get(v.index())?;
            let at = self.conditions.iter().position(|c| c.var == *outer)?;
            values.get(at).copied()
        };
        conditions::fix(&mut work.store, &mut work.rows, value);
        repeated::close(&mut work);
        regular::regularise(&mut work, self.numeric);
        work
    }
}

fn model(
    work: Work,
    name: &str,
    states: Vec<State>,
    parameters: Vec<(VarId, ExprId)>,
    rows: Vec<Row>,
    blocks: Vec<Block>,
) -> CausalModel {
    CausalModel {
        name: name.into(),
        equations: rows.iter().map(initial::info).collect(),
        aliases: vec![None; work.vars.len()],
        store: work.store,
        vars: work.vars,
        roles: work.roles,
        declared: 0,
        states,
        state_sets: Vec::new(),
        parameters,
        relations: work.relations,
        samplers: work.samplers,
        blocks,
        effects: Vec::new(),
        initial: Initial::default(),
        pre: work.pre,
        initial_flag: work.initial_flag,
        terminal_flag: work.terminal_flag,
        lambda: work.lambda,
        experiment: Experiment::default(),
        report: work.report,
        modes: None,
        residuals: Vec::new(),
    }
}

/// Differentiated variables that an equation makes equal stay apart where their start values are to be reconciled.
pub(crate) fn differentiated(model: &ScalarModel) -> Vec<bool> {
    let mut list = vec![false; model.vars.len()];
    for equation in &model.equations {
        if let kairos_model::EquationKind::Equal(l, r) = equation.kind {
            for e in model.store.post_order(&[l, r], |_| false) {
                if let kairos_expr::Node::Builtin(kairos_expr::Builtin::Der, args) = model.store.node(e) {
                    model.store.variables(args).iter().for_each(|v| list[v.index()] = true);
                }
            }
        }
    }
    list
}
