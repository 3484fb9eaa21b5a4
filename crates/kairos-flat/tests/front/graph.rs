//! Overconstrained connection graphs.

use crate::common::{equations, error, expect, flat};

const FILE: &str = "graph.mo";

fn residues(model: &kairos_model::ScalarModel) -> usize {
    equations(model).iter().filter(|e| e.contains("equalityConstraint")).count()
}

#[test]
fn a_tree_keeps_all_its_connections() {
    let model = flat(FILE, "Graph.Chain");
    expect(
        &model,
        &["first.fromA = false", "second.fromA = true", "load.root = false", "load.connections = 1"],
    );
    assert_eq!(residues(&model), 0);
}

#[test]
fn a_loop_is_cut_once() {
    let model = flat(FILE, "Graph.Loop");
    expect(&model, &["first.fromA = true", "second.fromA = true", "load.connections = 2"]);
    assert_eq!(residues(&model), 1);
}

#[test]
fn the_lowest_priority_number_is_root() {
    let model = flat(FILE, "Graph.Priorities");
    expect(
        &model,
        &["heavy.root = false", "light.root = true", "rigid.fromA = false", "light.f.R.c = cos(time)"],
    );
}

#[test]
fn repeated_connections_count_once() {
    let model = flat(FILE, "Graph.Redundant");
    assert_eq!(residues(&model), 0);
}

#[test]
fn an_empty_residue_is_still_called() {
    let model = flat(FILE, "Graph.Bridge");
    let calls = equations(&model).into_iter().filter(|e| e.starts_with("call ")).count();
    assert_eq!(calls, 1);
}

#[test]
fn graphs_without_a_tree_are_errors() {
    assert_eq!(error(FILE, "Graph.NoRoot"), "no-root");
    assert_eq!(error(FILE, "Graph.TwoRoots"), "two-roots");
}
