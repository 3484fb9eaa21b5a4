//! The initial problem: one sorted system for everything that holds at the start.

use crate::diagnostics::{self, Imbalance};
use crate::model::{EquationInfo, Initial, Role, State, StateSet, nowhere};
use crate::sort::{Columns, sort};
use crate::work::{Kind, Row, Work};
use kairos_expr::{ExprId, ExprMap, Node, Scalar, Store, VarId};
use kairos_graph::{Incidence, Matching, dulmage_mendelsohn};
use kairos_model::Origin;
use std::collections::BTreeMap;

/// Builds and sorts it; `None` after an error.
pub fn initial(
    work: &mut Work,
    states: &[State],
    sets: &[StateSet],
    dependent: &[(VarId, ExprId)],
) -> Option<Initial> {
    let mut rows = model_rows(work);
    let in_model = rows.len();
    let mut report = Vec::new();
    for &(v, value) in dependent {
        // The condition may be given for a parameter that depends on the one to be found.
        let target = (work.vars[v.index()].ty != Scalar::Real).then_some(v);
        rows.push(Row { target, ..row(work, v, value, None) });
    }
    let literal = literals(work, &rows);
    let mut memo = ExprMap::default();
    for r in work.initial_rows.clone() {
        let sides = r.initial.unwrap_or((r.lhs, r.rhs));
        let [lhs, rhs] = [sides.0, sides.1].map(|e| match literal.is_empty() {
            true => e,
            false => work.store.substitute(e, &mut memo, &mut |_, v| literal.get(&v).copied()),
        });
        rows.push(Row { lhs, rhs, ..r });
    }
    let starts = rows.len();
    for v in fixed(work, sets) {
        fixed_start(work, v, &mut rows);
    }
    let columns = Columns::new(work, |v| is_unknown(work, v));
    let mut parts: Vec<(Vec<u32>, Vec<u32>)> = rows.iter().map(|r| both(work, &columns, r)).collect();
    let wide = discrete_first(work, &columns, &rows[..starts], in_model, &mut parts);

    // In stages, so that an equation of the model never gives way to an initial condition.
    let count = columns.unknown.len();
    let mut matching = Matching::default();
    let model = Incidence::from_rows(count, parts[..in_model].iter().map(|p| &p.1));
    matching.extend(&model);
    if (0..in_model as u32).any(|r| matching.column_of(r).is_none()) {
        let over = dulmage_mendelsohn(&model, &matching).over;
        let part = Imbalance::of(
            work,
            over.rows.iter().map(|&r| &rows[r as usize]),
            over.columns.iter().filter_map(|&c| columns.var(c)),
        );
        work.diagnostics.push(diagnostics::over_determined(&part));
        return None;
    }
    let hard = Incidence::from_rows(count, parts.iter().map(|p| &p.1));
    let before = matching.clone();
    matching.extend(&hard);
    if !sets.is_empty() && (starts..rows.len()).any(|r| matching.column_of(r as u32).is_none()) {
        // Too many: one by one, so that the last give way.
        matching = before;
        matching.extend(&Incidence::from_rows(count, parts[..starts].iter().map(|p| &p.1)));
        let edges: Vec<Vec<u32>> = parts.iter().map(|p| p.1.clone()).collect();
        for r in starts..rows.len() {
            let _ = matching.augment(r as u32, &edges, |_, _| true);
        }
    }
    widen(&mut matching, &mut parts, wide);
    let redundant: Vec<u32> = (0..rows.len() as u32).filter(|&r| matching.column_of(r).is_none()).collect();
    for &r in &redundant {
        let row = &rows[r as usize];
        let text = work.row_text(row);
        let moves =
            row.target.filter(|v| work.roles[v.index()] == Role::Algebraic && work.der[v.index()].is_none());
        let idle = moves.map(|v| work.vars[v.index()].name.as_str());
        let told = diagnostics::initial_over_determined(&text, idle, row.origin.span);
        work.diagnostics.push(told);
    }

    let free = |matching: &Matching| {
        (0..count as u32).filter(|&c| columns.unknown[c as usize] && matching.row_of(c).is_none()).count()
    };
    let mut missing = free(&matching);
    let mut edges: Vec<Vec<u32>> = parts.iter().map(|p| p.1.clone()).collect();
    for (v, value, said) in assumptions(work, states, sets) {
        if missing == 0 {
            break;
        }
        let soft = row(work, v, value, None);
        let part = both(work, &columns, &soft);
        edges.push(part.1.clone());
        let number = rows.len() as u32;
        if matching.augment(number, &edges, |_, _| true).is_ok() {
            missing -= 1;
            if said {
                report.push(format!("assumed {}", work.row_text(&soft)));
            }
            rows.push(soft);
            parts.push(part);
        } else {
            edges.pop();
        }
    }

    // Rows that determine nothing are left out of the order.
    let kept: Vec<usize> = (0..rows.len()).filter(|&r| matching.column_of(r as u32).is_some()).collect();
    let mut graph = Incidence::new(count);
    let mut order = Matching::default();
    let mut final_rows = Vec::with_capacity(kept.len());
    for (at, &r) in kept.iter().enumerate() {
        graph.push_row(&parts[r].0);
        if let Some(c) = matching.column_of(r as u32) {
            order.set(at as u32, c);
        }
        final_rows.push(rows[r].clone());
    }
    let blocks = sort(work, &final_rows, &columns, &graph, &order)?;
    let lambda = work.lambda;
    let has_homotopy = final_rows
        .iter()
        .any(|r| [r.lhs, r.rhs].iter().any(|&e| work.store.any(e, |n| *n == Node::Var(lambda))));
    Some(Initial {
        equations: final_rows.iter().map(info).collect(),
        blocks,
        redundant: redundant.iter().map(|&r| info(&rows[r as usize])).collect(),
        report,
        has_homotopy,
    })
}

/// Variables that an equation gives a literal, or one that has it. A condition that multiplies an unknown with zero does not
/// determine it: steady states in a frame that does not rotate.
fn literals(work: &Work, rows: &[Row]) -> BTreeMap<VarId, ExprId> {
    let mut found: BTreeMap<VarId, ExprId> = BTreeMap::new();
    // Of each variable the rows that give its value to another one.
    let mut waiting: BTreeMap<VarId, Vec<VarId>> = BTreeMap::new();
    let mut todo: Vec<(VarId, ExprId)> = Vec::new();
    for row in rows.iter().filter(|row| row.kind == Kind::Continuous) {
        for (to, from) in [(row.lhs, row.rhs), (row.rhs, row.lhs)] {
            let Node::Var(v) = *work.store.node(to) else { continue };
            match *work.store.node(from) {
                Node::Var(u) => waiting.entry(u).or_default().push(v),
                _ if work.store.number(from).is_some() => todo.push((v, from)),
                _ => {}
            }
        }
    }
    while let Some((v, literal)) = todo.pop() {
        if work.roles[v.index()] == Role::Algebraic && found.insert(v, literal).is_none() {
            todo.extend(waiting.remove(&v).into_iter().flatten().map(|u| (u, literal)));
        }
    }
    found
}

pub fn info(row: &Row) -> EquationInfo {
    EquationInfo {
        lhs: row.lhs,
        rhs: row.rhs,
        origin: row.origin,
        differentiated: row.differentiated,
        discrete: row.kind != Kind::Continuous,
    }
}

/// The simulation's equations with `initial()` true: when-clauses act only where `initial()` is a condition.
fn model_rows(work: &mut Work) -> Vec<Row> {
    let mut constant: Vec<Option<ExprId>> = vec![None; work.vars.len()];
    constant[work.initial_flag.index()] = Some(work.store.bool(true));
    constant[work.terminal_flag.index()] = Some(work.store.bool(false));
    let no = work.store.bool(false);
    for (slot, role) in constant.iter_mut().zip(&work.roles) {
        if matches!(role, Role::Sampler(_)) {
            *slot = Some(no);
        }
    }
    for row in &work.rows {
        if let (Some(v), Some((_, value))) = (row.target, row.initial)
            && work.roles[v.index()] == Role::Helper
        {
            constant[v.index()] = Some(value);
        }
    }
    let mut memo = ExprMap::default();
    let any = (0..).map(VarId).zip(&constant).any(|(v, value)| value.is_some() && work.store.mentions(v));
    let mut at_start = |store: &mut Store, e: ExprId| match any {
        true => store.substitute(e, &mut memo, &mut |_, v| constant[v.index()]),
        false => store.simplify(e, &mut memo),
    };
    let mut rows = Vec::with_capacity(work.rows.len());
    // Before its first tick a clocked variable has its start value.
    for v in 0..work.vars.len() {
        if work.vars[v].clock.is_some() && work.roles[v] == Role::Discrete {
            let v = VarId::new(v);
            let before = work.pre_expr(v);
            rows.push(row(work, v, before, None));
        }
    }
    for row in work.rows.clone() {
        if matches!(row.kind, Kind::Clocked(_)) {
            continue;
        }
        let (lhs, rhs) = row.initial.unwrap_or((row.lhs, row.rhs));
        let fire = row.target.is_some_and(|v| constant[v.index()].is_some());
        let lhs = if fire { lhs } else { at_start(&mut work.store, lhs) };
        let rhs = at_start(&mut work.store, rhs);
        // `v = pre(v)` may be solved for either.
        let target = match *work.store.node(rhs) {
            Node::Var(v) if matches!(work.roles[v.index()], Role::Pre(_)) => None,
            _ => row.target,
        };
        rows.push(Row { lhs, rhs, target, ..row });
    }
    rows
}

fn is_unknown(work: &Work, v: VarId) -> bool {
    matches!(
        work.roles[v.index()],
        Role::State | Role::Algebraic | Role::Discrete | Role::Helper | Role::FreeParameter | Role::Pre(_)
    )
}

fn row(work: &mut Work, v: VarId, value: ExprId, origin: Option<Origin>) -> Row {
    let lhs = work.var_expr(v);
    let span = work.vars[v.index()].span;
    let kind = if work.vars[v.index()].ty == Scalar::Real { Kind::Continuous } else { Kind::Discrete };
    let origin = origin.unwrap_or(Origin { span, ..nowhere() });
    Row { target: Some(v), ..Row::new(lhs, value, kind, origin) }
}

/// Variables with fixed starts. If there are too many of them, the last ones give way: those that a constraint tells best
/// from the others, as it stands at the start.
fn fixed(work: &Work, sets: &[StateSet]) -> Vec<VarId> {
    let mut weights: BTreeMap<VarId, f64> = BTreeMap::new();
    for set in sets {
        for &(column, factor) in set.jacobian.iter().flatten() {
            let Some(candidate) = column.checked_sub(set.others) else { continue };
            let weight = weights.entry(set.candidates[candidate as usize]).or_default();
            *weight = work.start_value(factor).map_or(*weight, |factor| weight.max(factor.abs()));
        }
    }
    let weight = |v: &VarId| weights.get(v).copied().unwrap_or(0.0);
    let mut list: Vec<VarId> =
        (0..work.vars.len()).map(VarId::new).filter(|v| work.vars[v.index()].fixed == Some(true)).collect();
    list.sort_by(|a, b| weight(a).total_cmp(&weight(b)));
    list
}

/// `x = start`, or `pre(d) = start` for a discrete variable.
fn fixed_start(work: &mut Work, v: VarId, rows: &mut Vec<Row>) {
    let target = match work.roles[v.index()] {
        Role::State | Role::Algebraic => v,
        Role::Discrete => work.pre_var(v),
        _ => return,
    };
    let start = work.start_expr(v);
    rows.push(row(work, target, start, None));
}

/// An initial equation `d = ...` of a discrete Real is meant to give `d` (MLS 8.6), however many states it reads. Such rows
/// become candidates for their `d` alone; what else they could determine is returned, for the case that `d` is given twice.
fn discrete_first(
    work: &Work,
    columns: &Columns,
    rows: &[Row],
    in_model: usize,
    parts: &mut [(Vec<u32>, Vec<u32>)],
) -> Vec<(u32, Vec<u32>)> {
    let mut wide = Vec::new();
    for (r, row) in rows.iter().enumerate().skip(in_model) {
        if row.kind != Kind::Continuous || row.target.is_some() {
            continue;
        }
        let discrete = |c: u32| {
            let var = columns.var(c).filter(|v| work.vars[v.index()].ty == Scalar::Real);
            var.is_some_and(|v| match work.roles[v.index()] {
                Role::Pre(of) => work.is_discrete(of),
                _ => work.is_discrete(v),
            })
        };
        let (incidence, candidates) = &mut parts[r];
        let all: Vec<u32> = incidence.iter().copied().filter(|c| discrete(*c)).collect();
        if all.is_empty() {
            continue;
        }
        let mut others = std::mem::take(candidates);
        others.retain(|c| !all.contains(c));
        let alone =
            |c: &u32| [row.lhs, row.rhs].iter().any(|&side| *work.store.node(side) == Node::Var(VarId(*c)));
        let (first, rest): (Vec<u32>, Vec<u32>) = all.into_iter().partition(alone);
        others.extend(rest);
        *candidates = if first.is_empty() { std::mem::take(&mut others) } else { first };
        if !others.is_empty() {
            wide.push((r as u32, others));
        }
    }
    wide
}

/// Lets rows determine what else they could, where a row is left without an unknown otherwise.
fn widen(matching: &mut Matching, parts: &mut [(Vec<u32>, Vec<u32>)], wide: Vec<(u32, Vec<u32>)>) {
    let left: Vec<u32> = (0..parts.len() as u32).filter(|&r| matching.column_of(r).is_none()).collect();
    if left.is_empty() || wide.is_empty() {
        return;
    }
    let mut edges: Vec<Vec<u32>> = parts.iter().map(|p| p.1.clone()).collect();
    for (r, others) in &wide {
        edges[*r as usize].extend(others);
    }
    for r in left {
        let _ = matching.augment(r, &edges, |_, _| true);
    }
    for (r, others) in wide {
        if matching.column_of(r).is_some_and(|c| others.contains(&c)) {
            parts[r as usize].1.extend(others);
        }
    }
}

/// The incidence and the candidates of a row.
fn both(work: &Work, columns: &Columns, row: &Row) -> (Vec<u32>, Vec<u32>) {
    let incidence = columns.incidence(work, row);
    let candidates = columns.candidates(work, row, &incidence);
    (incidence, candidates)
}

/// What is assumed where conditions are missing, in this order; the flag tells what is worth reporting.
fn assumptions(work: &mut Work, states: &[State], sets: &[StateSet]) -> Vec<(VarId, ExprId, bool)> {
    let mut list = Vec::new();
    for v in 0..work.vars.len() {
        if let Role::Pre(of) = work.roles[v] {
            let real = matches!(work.roles[of.index()], Role::State | Role::Algebraic | Role::Input);
            let value = if real { work.var_expr(of) } else { work.start_expr(of) };
            list.push((VarId::new(v), value, false));
        }
    }
    // The candidates of a set stand for its states.
    let mut likely: Vec<VarId> = Vec::new();
    for state in states.iter().filter(|s| s.var.index() < work.declared) {
        likely.push(state.var);
    }
    for set in sets {
        let first = set.chosen.iter().map(|&k| set.candidates[k as usize]);
        likely.extend(first);
        likely.extend(&set.candidates);
    }
    likely.extend(states.iter().map(|s| s.var));
    for declared in [true, false] {
        for &v in &likely {
            if work.vars[v.index()].start.is_some() == declared {
                list.push((v, work.start_expr(v), true));
            }
        }
    }
    for declared in [true, false] {
        for v in 0..work.vars.len() {
            let v = VarId::new(v);
            if work.roles[v.index()] == Role::FreeParameter
                && work.vars[v.index()].start.is_some() == declared
            {
                list.push((v, work.start_expr(v), true));
            }
        }
    }
    for declared in [true, false] {
        for v in 0..work.vars.len() {
            let v = VarId::new(v);
            let free = matches!(work.roles[v.index()], Role::Algebraic | Role::Discrete | Role::Helper);
            if free && work.vars[v.index()].start.is_some() == declared {
                list.push((v, work.start_expr(v), true));
            }
        }
    }
    list
}
