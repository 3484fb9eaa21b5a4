//! The clocks of a scalar model as Modelica text.

use super::names::Flat;
use super::text;
use crate::rational::gcd;
use kairos_base::string_literal;
use kairos_expr::ExprId;
use kairos_model::{ClockKind, ClockPartition, Equation};
use std::collections::BTreeMap;
use std::fmt::Write;

pub(super) fn name(clock: u32) -> String {
    format!("'clock {clock}'")
}

/// One clock for each partition, derived from its base clock exactly.
pub(super) fn declare(flat: &Flat, out: &mut String) {
    let mut bases = BTreeMap::new();
    for (k, partition) in flat.model.clocks.iter().enumerate().filter(|(_, p)| p.state.is_none()) {
        let base = bases.entry(partition.base).or_insert_with(|| {
            let name = format!("'base clock {}'", partition.base);
            let _ = writeln!(out, "  Clock {name} = {};", base(flat, &partition.kind));
            name
        });
        let _ = writeln!(out, "  Clock {} = {};", name(k as u32), derived(base, partition));
    }
}

fn base(flat: &Flat, kind: &ClockKind) -> String {
    match kind {
        ClockKind::Periodic { interval } => format!("Clock({})", text(flat, *interval)),
        ClockKind::Rational { counter, resolution } => {
            format!("Clock({}, {})", text(flat, *counter), text(flat, *resolution))
        }
        ClockKind::Event { condition, start_interval: None } => format!("Clock({})", text(flat, *condition)),
        ClockKind::Event { condition, start_interval: Some(interval) } => {
            format!("Clock({}, {})", text(flat, *condition), text(flat, *interval))
        }
    }
}

fn derived(base: &str, partition: &ClockPartition) -> String {
    let ((n, d), (p, q)) = (partition.factor, partition.shift);
    let mut clock = base.to_string();
    if n != 1 {
        clock = format!("subSample({clock}, {n})");
    }
    if d != 1 {
        clock = format!("superSample({clock}, {d})");
    }
    if p != 0 {
        // The shift counts intervals of the base clock, the operator those of its argument.
        let (counter, resolution) = (p * d, q * n);
        let common =
            gcd(u128::from(counter.unsigned_abs()), u128::from(resolution.unsigned_abs())).max(1) as i64;
        clock = format!("shiftSample({clock}, {}, {})", counter / common, resolution / common);
    }
    match &partition.solver {
        Some(solver) => format!("Clock({clock}, {})", string_literal(solver)),
        None => clock,
    }
}

/// The clock that a partition ticks with, whatever states are active.
pub(super) fn around(flat: &Flat, clock: u32) -> u32 {
    if flat.model.clocks[clock as usize].state.is_none() {
        return clock;
    }
    let mine = &flat.model.clocks[clock as usize];
    let same = |p: &ClockPartition| {
        let alike =
            (p.base, p.factor, p.shift, &p.solver) == (mine.base, mine.factor, mine.shift, &mine.solver);
        p.state.is_none() && alike
    };
    flat.model.clocks.iter().position(same).map_or(clock, |k| k as u32)
}

/// What says that the state of an equation is active.
pub(super) fn state(flat: &Flat, equation: &Equation) -> Option<ExprId> {
    flat.model.clocks[equation.clock? as usize].state.map(|state| state.active)
}

/// Visits runs of equations of one clock.
pub(super) fn group<'e>(
    flat: &Flat,
    equations: &[&'e Equation],
    mut visit: impl FnMut(Option<u32>, &[&'e Equation]),
) {
    let clock = |e: &Equation| e.clock.map(|clock| around(flat, clock));
    let mut rest = equations;
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|e| clock(e) == clock(first)).count();
        visit(clock(first), &rest[..count]);
        rest = &rest[count..];
    }
}
