//! Clocked partitions.

use crate::common::{error, expect, flat, flatten, text};
use kairos_model::{ClockKind, ScalarModel};

const FILE: &str = "clocks.mo";

/// The clock of a variable: base clock, factor and shift as fractions, solver.
fn clock(flat: &ScalarModel, name: &str) -> String {
    let var = flat.vars.iter().find(|v| v.name == name).unwrap_or_else(|| panic!("no `{name}`"));
    let Some(k) = var.clock else { return "none".into() };
    let c = &flat.clocks[k as usize];
    let base = match &c.kind {
        ClockKind::Periodic { interval } => text(flat, *interval),
        ClockKind::Rational { counter, resolution } => {
            format!("{}/{}", text(flat, *counter), text(flat, *resolution))
        }
        ClockKind::Event { condition, .. } => text(flat, *condition),
    };
    let part = |(n, d): (i64, i64)| if d == 1 { n.to_string() } else { format!("{n}/{d}") };
    let solver = c.solver.as_ref().map_or(String::new(), |s| format!(" {s}"));
    format!("{base} x{} +{}{solver}", part(c.factor), part(c.shift))
}

#[test]
fn sample_and_hold_separate_a_partition() {
    let model = flat(FILE, "Clocks.SampleHold");
    assert_eq!(model.clocks.len(), 1);
    assert_eq!(clock(&model, "u"), "1/10 x1 +0");
    assert_eq!(clock(&model, "y"), "1/10 x1 +0");
    assert_eq!(clock(&model, "x"), "none");
    expect(&model, &["y = sample(x)", "u = previous(u) + interval()*y", "z = hold(u)"]);
}

#[test]
fn factors_and_shifts_are_exact() {
    let model = flat(FILE, "Clocks.Rates");
    assert_eq!(clock(&model, "y"), "1/20 x6 +0");
    assert_eq!(clock(&model, "slow"), "1/20 x24 +0");
    assert_eq!(clock(&model, "fast"), "1/20 x3 +0");
    assert_eq!(clock(&model, "late"), "1/20 x6 +8");
    assert_eq!(clock(&model, "early"), "1/20 x6 +6");
    expect(&model, &["slow = y", "early = late"]);
}

#[test]
fn an_omitted_factor_is_inferred() {
    let model = flat(FILE, "Clocks.InferredFactor");
    assert_eq!(clock(&model, "a"), "1/100 x1 +0");
    assert_eq!(clock(&model, "b"), "1/100 x5 +0");
}

#[test]
fn clock_variables_vanish() {
    let model = flat(FILE, "Clocks.ClockVariables");
    assert!(!model.vars.iter().any(|v| v.name == "c" || v.name == "slow"));
    assert_eq!(clock(&model, "x"), "0.5 x1 +0 ExplicitEuler");
    assert_eq!(clock(&model, "y"), "0.5 x3 +0");
    assert_eq!(clock(&model, "extra"), "0.5 x3 +0");
}

#[test]
fn event_clocks_tick_at_conditions() {
    let model = flat(FILE, "Clocks.Events");
    assert_eq!(clock(&model, "n"), "sin(x) > 0.5 x1 +0");
    assert_eq!(clock(&model, "half"), "sin(x) > 0.5 x2 +0");
}

#[test]
fn expressions_are_converted_by_a_variable_of_their_own() {
    let model = flat(FILE, "Clocks.Expression");
    let made = model.vars.iter().find(|v| v.name.starts_with('$')).expect("a variable stands in");
    assert_eq!(clock(&model, &made.name), clock(&model, "a"));
    assert_eq!(clock(&model, "b"), "1/30 x1 +0");
}

#[test]
fn a_partition_without_a_clock_gets_a_default() {
    let (model, diagnostics) = flatten(FILE, "Clocks.Default");
    let model = model.expect("a model");
    assert_eq!(clock(&model, "n"), "1.0 x1 +0");
    assert!(diagnostics.iter().any(|d| d.code == "clock-default" && !d.is_error()));
}

#[test]
fn contradictions_are_errors() {
    assert_eq!(error(FILE, "Clocks.Mixed"), "clock-conflict");
    assert_eq!(error(FILE, "Clocks.Contradiction"), "clock-conflict");
    assert_eq!(error(FILE, "Clocks.TwoClocks"), "clock-conflict");
    assert_eq!(error(FILE, "Clocks.EventSuper"), "clock-conflict");
    assert_eq!(error(FILE, "Clocks.NoSolver"), "no-solver-method");
    assert_eq!(error(FILE, "Clocks.HoldContinuous"), "unclocked");
}
