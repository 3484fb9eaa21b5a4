//! From a flat hybrid model to a sorted, index-reduced and torn one.

mod algorithm;
mod alias;
mod cancel;
mod clocks;
mod conditions;
mod decided;
mod demand;
mod dependent;
mod diagnostics;
mod discretise;
mod events;
mod explain;
mod explain_json;
mod explain_variable;
mod explicit;
mod factors;
mod hidden;
mod index;
mod initial;
mod invariants;
mod literals;
mod model;
mod modes;
mod parameters;
mod preferred;
mod rates;
mod semilinear;
mod sort;
mod states;
mod unheld;
mod values;
mod variables;
mod verify;
mod work;
mod zeros;

pub use explain::explain;
pub use explain_json::explain_json;
pub use explain_variable::explain_variable;
pub use model::{
    Alias, Assign, Block, CausalModel, Effect, EquationInfo, Initial, Mixed, Relation, Role, Sampler, State,
    StateSet, Torn,
};

pub use modes::{Condition, Jump, JumpVars, Mode, Modes, Region, Residuals};

use diagnostics::Imbalance;
use kairos_base::Checked;
use kairos_expr::{Inliner, Stage, VarId};
use kairos_graph::{Incidence, Matching, dulmage_mendelsohn};
use kairos_model::ScalarModel;
use sort::Columns;
use work::Work;

/// What the caller may choose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Start values that contradict the constraints between states are reconciled by conservation.
    pub projection: bool,
    /// The equations get residuals, by which a run checks itself at events.
    pub verify: bool,
}

/// Sorts a model: aliases out, index reduced, every unknown with its equation, the initial system beside.
pub fn causalise(mut model: ScalarModel, options: &Options) -> Checked<CausalModel> {
    let mut diagnostics = Vec::new();
    inline(&mut model);
    literals::fold_literals(&mut model);
    let apart = match options.projection {
        true => modes::differentiated(&model),
        false => vec![false; model.vars.len()],
    };
    let mut aliases = alias::eliminate(&mut model, &apart, &mut diagnostics);
    cancel::cancel(&mut model);
    semilinear::join_chains(&mut model);
    let (name, experiment, declared) = (model.name.clone(), model.experiment.clone(), model.vars.len());
    let eliminated: Vec<bool> = aliases.iter().map(Option::is_some).collect();
    let mut work = Work::new(model, &eliminated);
    work.diagnostics.splice(0..0, diagnostics);
    let causal = finish(&mut work, &name, options);
    let mut diagnostics = std::mem::take(&mut work.diagnostics);
    diagnostics.sort_by_key(|d| !d.is_error());
    let Some(Parts { states, state_sets, parameters, blocks, initial, modes, residuals }) = causal else {
        return Checked::failed(diagnostics);
    };
    aliases.resize(work.vars.len(), None);
    let mut value = CausalModel {
        name,
        equations: work.rows.iter().map(initial::info).collect(),
        store: work.store,
        vars: work.vars,
        roles: work.roles,
        declared,
        aliases,
        states,
        state_sets,
        parameters,
        relations: work.relations,
        samplers: work.samplers,
        blocks,
        effects: work.effects,
        initial,
        pre: work.pre,
        initial_flag: work.initial_flag,
        terminal_flag: work.terminal_flag,
        lambda: work.lambda,
        experiment,
        report: work.report,
        modes: modes.map(std::sync::Arc::new),
        residuals,
    };
    demand::find(&mut value);
    value.compact();
    if cfg!(debug_assertions)
        && let Some(fault) = invariants::broken(&value)
    {
        panic!("after causalising `{}`: {fault}", value.name);
    }
    Checked { value: Some(value), diagnostics }
}

/// Functions that ask to be inlined first.
fn inline(model: &mut ScalarModel) {
    let mut early = Inliner::new(Stage::Early);
    for equation in model.equations.iter_mut().chain(&mut model.initial_equations) {
        if let kairos_model::EquationKind::Equal(l, r) = &mut equation.kind {
            *l = early.apply(&mut model.store, *l);
            *r = early.apply(&mut model.store, *r);
        }
    }
}

/// Functions whose annotations index reduction needed.
fn inline_late(work: &mut Work) {
    let mut late = Inliner::new(Stage::Late);
    let Work { rows, initial_rows, store, invertible, .. } = work;
    for row in rows.iter_mut().chain(initial_rows) {
        for side in [&mut row.lhs, &mut row.rhs] {
            let new = late.apply(store, *side);
            // MLS 12.8: written out, a function no longer says what its inverse is.
            if new != *side && store.has_inverse(*side) {
                invertible.insert(new, *side);
            }
            *side = new;
        }
        if let Some((lhs, rhs)) = &mut row.initial {
            *lhs = late.apply(store, *lhs);
            *rhs = late.apply(store, *rhs);
        }
    }
}

struct Parts {
    states: Vec<State>,
    state_sets: Vec<StateSet>,
    parameters: Vec<(VarId, kairos_expr::ExprId)>,
    blocks: Vec<Block>,
    initial: Initial,
    modes: Option<Modes>,
    residuals: Vec<kairos_expr::VarId>,
}

fn finish(work: &mut Work, name: &str, options: &Options) -> Option<Parts> {
    if work.diagnostics.iter().any(|d| d.is_error()) {
        return None;
    }
    rates::merge(work);
    parameters::fold(work);
    for _ in 0..8 {
        if !decided::choose(work) {
            break;
        }
        parameters::fold(work);
    }
    hidden::fold_zero_results(work);
    // A factor that is zero can take an unknown out of an equation, and so decide what others determine; but where
    // that leaves equations over, the zeros are better kept as numbers.
    let given = work.vars.iter().map(|var| (var.binding, var.structural)).collect::<Vec<_>>();
    let before = (work.rows.clone(), work.roles.clone(), given);
    let mut dropped = false;
    for _ in 0..8 {
        if !zeros::drop_zeros(work) {
            break;
        }
        dropped = true;
        parameters::fold(work);
    }
    if dropped && !index::is_solvable(work) {
        let given;
        (work.rows, work.roles, given) = before;
        let vars = work.vars.iter_mut().zip(given);
        vars.for_each(|(var, before)| (var.binding, var.structural) = before);
        work.varying.clear();
    }
    zeros::drop_derivatives(work);
    if let Some(v) = work.endless_constant() {
        let var = &work.vars[v.index()];
        let told = diagnostics::constant_without_end(&var.name, var.span);
        work.diagnostics.push(told);
        return None;
    }
    let (mut parameters, dependent) = parameters::sort(work)?;
    let given = if options.verify { verify::given(work) } else { Vec::new() };
    let modes = modes::separate(work, &mut parameters, &dependent, name, options.projection);
    let (states, state_sets) = index::reduce(work)?;
    let mut blocks = simulation(work)?;
    if modes.is_none() && state_sets.is_empty() {
        check_reinit(work, &states);
    }
    let initial = match &modes {
        // Each mode has its own.
        Some(_) => Initial::default(),
        None => initial::initial(work, &states, &state_sets, &dependent)?,
    };
    if work.diagnostics.iter().any(|d| d.is_error()) {
        return None;
    }
    // Last, so that nothing else sees them.
    let residuals = verify::add(work, given, &mut blocks);
    Some(Parts { states, state_sets, parameters, blocks, initial, modes, residuals })
}

/// MLS 8.3.6: the variable of a `reinit` is a state. Where it cannot be one, the jump would be lost.
fn check_reinit(work: &mut Work, states: &[State]) {
    let mut lost = Vec::new();
    for effect in &work.effects {
        let Effect::When { branches, origin } = effect else { continue };
        for action in branches.iter().flat_map(|(_, actions)| actions) {
            if let kairos_model::Action::Reinit(v, _) = action
                && !states.iter().any(|state| state.var == *v)
                && work.roles[v.index()] != Role::Input
            {
                let var = &work.vars[v.index()];
                lost.push(diagnostics::reinit_of_no_state(&var.name, origin.span, var.span));
            }
        }
    }
    work.diagnostics.extend(lost);
}

/// Matches and sorts everything together, under the assumption that every equation is active.
fn simulation(work: &mut Work) -> Option<Vec<Block>> {
    unheld::release(work);
    let columns = Columns::new(work, |v| {
        matches!(work.roles[v.index()], Role::Algebraic | Role::Discrete | Role::Helper)
    });
    let rows = work.rows.clone();
    let mut graph = Incidence::new(columns.unknown.len());
    let mut edges = Incidence::new(columns.unknown.len());
    for row in &rows {
        let incidence = columns.incidence(work, row);
        edges.push_row(&columns.candidates(work, row, &incidence));
        graph.push_row(&incidence);
    }
    let matching = Matching::maximum(&edges);
    let loose_rows: Vec<u32> = (0..rows.len() as u32).filter(|&r| matching.column_of(r).is_none()).collect();
    let loose = (0..columns.unknown.len() as u32)
        .any(|c| columns.unknown[c as usize] && matching.row_of(c).is_none());
    if !loose_rows.is_empty() || loose {
        report_singular(work, &rows, &columns, &edges, &matching, &loose_rows);
        return None;
    }
    sort::sort(work, &rows, &columns, &graph, &matching)
}

fn report_singular(
    work: &mut Work,
    rows: &[work::Row],
    columns: &Columns,
    edges: &Incidence,
    matching: &Matching,
    loose_rows: &[u32],
) {
    // Two equations for one discrete variable deserve their own words.
    let mut found = false;
    for &r in loose_rows {
        let row = &rows[r as usize];
        if row.kind == work::Kind::Discrete
            && let [column] = edges.row(r)
            && let (Some(v), Some(other)) = (columns.var(*column), matching.row_of(*column))
        {
            let name = work.vars[v.index()].name.clone();
            let first = rows[other as usize].origin.span;
            work.diagnostics.push(diagnostics::discrete_conflict(&name, first, row.origin.span));
            found = true;
        }
    }
    if found {
        return;
    }
    let parts = dulmage_mendelsohn(edges, matching);
    let part = |rows_of: &[u32], columns_of: &[u32]| {
        let unknown = columns_of.iter().filter(|&&c| columns.unknown[c as usize]);
        let equations = rows_of.iter().map(|&r| &rows[r as usize]);
        Imbalance::of(work, equations, unknown.filter_map(|&c| columns.var(c)))
    };
    let over = (!loose_rows.is_empty()).then(|| part(&parts.over.rows, &parts.over.columns));
    let under =
        Some(part(&parts.under.rows, &parts.under.columns)).filter(|under| !under.unknowns.is_empty());
    work.diagnostics.extend(diagnostics::imbalance(over, under));
}
