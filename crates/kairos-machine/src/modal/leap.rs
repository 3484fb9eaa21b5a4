//! The way into a mode: the values after its jump, and the areas of the pulses in it.

use super::Maker;
use super::region::{Copies, Part, copy, refusal};
use crate::interpreter::Interpreter;
use crate::machine::{Eval, EvalError, Machine};
use kairos_causal::{JumpVars, Region};
use kairos_expr::VarId;

/// Jumps below this, beside the size of the differentiated variables, are what the location of an event leaves over.
const RESIDUE: f64 = 1e-10;
/// Positions that violate a constraint by more than this, beside their size, have not come to it by themselves.
const DISPLACED: f64 = 1e-8;
/// Values that differ by no more than a few bits are the same.
const SAME: f64 = 8.0 * f64::EPSILON;
/// Pulses below this beside the largest are round-off.
const NOTHING: f64 = 1e-12;

/// The way into a mode in numbers, by slots of the base.
#[derive(Default)]
pub(crate) struct Leap {
    pub states: Vec<(u32, f64)>,
    pub impulses: Vec<(String, u32, f64)>,
    /// Constraints on what no impulse moves are violated: positions will have to move.
    pub displaces: bool,
}

/// The system of a jump as a machine, and what goes in and out of it.
pub(super) struct JumpMachine {
    machine: Box<Interpreter>,
    vars: JumpVars,
    known: Copies,
    states: Copies,
}

impl Part {
    /// Values after the jump into a mode; `given` are slots in the base with the values of explicit jumps.
    /// The machine's values stay as they are.
    pub fn leap(
        &mut self,
        region: &Region,
        values: &[bool],
        given: &[(u32, f64)],
        time: f64,
        base: &Interpreter,
        make: &Maker,
    ) -> Eval<Leap> {
        let states = self.states.clone();
        let Some(kept) = self.machines(values) else { return Ok(Leap::default()) };
        let place = |slot: u32| states.iter().position(|&s| s == slot).map(|k| region.states[k]);
        let named: Vec<VarId> = given.iter().filter_map(|&(slot, _)| place(slot)).collect();
        if !kept.jumps.contains_key(&named) {
            let mut checked = region.jump(values, &named);
            if checked.value.is_none() && !named.is_empty() {
                // The mode itself determines what is set: then the explicit jump comes first, the mode's after it.
                checked = region.jump(values, &[]);
            }
            let Some(jump) = checked.value else { return Err(refusal(region, values, &checked.diagnostics)) };
            let machine = make(jump.model);
            let outer = |v: VarId| base.info().slots[region.outer[v.index()].index()];
            let link = |list: &[VarId]| -> Copies {
                list.iter().map(|&v| (outer(v), machine.info().slots[v.index()])).collect()
            };
            let mut known = link(&region.known);
            known.extend(link(&region.owned));
            let states = link(&region.states);
            kept.jumps.insert(named.clone(), JumpMachine { known, states, vars: jump.vars, machine });
        }
        let Some(jump) = kept.jumps.get_mut(&named) else { return Ok(Leap::default()) };
        let slots = jump.machine.info().slots.clone();
        copy(&jump.known, base.values(), jump.machine.values_mut());
        let machine = &mut jump.machine;
        // What the system of the jump does not take as given is set before it: variables of lower levels, which it
        // leaves alone, and those that the mode determines.
        let direct = |slot: u32| !jump.vars.given.iter().any(|&(x, _)| place(slot) == Some(x));
        let direct: Vec<(u32, f64)> = given.iter().copied().filter(|&(slot, _)| direct(slot)).collect();
        for &(slot, value) in &direct {
            if let Some(&(_, inner)) = jump.states.iter().find(|&&(outer, _)| outer == slot) {
                machine.values_mut()[inner as usize] = value;
            }
        }
        for &(x, before) in &jump.vars.before {
            let value = machine.values()[slots[x.index()] as usize];
            machine.values_mut()[slots[before.index()] as usize] = value;
        }
        for &(x, value) in &jump.vars.given {
            let to = given.iter().find(|&&(slot, _)| place(slot) == Some(x)).map_or(0.0, |g| g.1);
            machine.values_mut()[slots[value.index()] as usize] = to;
        }
        machine.set_time(time);
        machine.outputs().map_err(|error| contradiction(region, values, error))?;
        let after = machine.values();
        let mut leap = Leap::default();
        let (mut size, mut scale) = (0.0f64, 1.0f64);
        for &(outer, inner) in &jump.states {
            let (from, mut to) = (base.values()[outer as usize], after[inner as usize]);
            // What is computed as `m*v/m` has not moved; two velocities that were equal must not differ by a bit.
            if (to - from).abs() <= SAME * from.abs() {
                to = from;
            }
            size = size.max((to - from).abs());
            scale = scale.max(from.abs());
            leap.states.push((outer, to));
        }
        let mut impulses: Vec<(String, u32, f64)> = Vec::new();
        let value = |v: VarId| after[slots[v.index()] as usize];
        leap.displaces = jump.vars.violations.iter().any(|&v| value(v).abs() > DISPLACED * scale);
        let mut push = |w: VarId, area: f64| {
            let outer = base.info().slots[region.outer[w.index()].index()];
            impulses.push((region.name(w).to_string(), outer, area));
        };
        jump.vars.impulses.iter().for_each(|&(w, impulse)| push(w, value(impulse)));
        for &(rate, x, external) in &jump.vars.rates {
            let before = jump.vars.before.iter().find(|(of, _)| *of == x).map_or(0.0, |&(_, b)| value(b));
            push(rate, value(x) - before - external.map_or(0.0, value));
        }
        let largest = impulses.iter().fold(0.0f64, |m, (_, _, area)| m.max(area.abs()));
        impulses.retain(|(_, _, area)| size > RESIDUE * scale && area.abs() > NOTHING * largest);
        leap.impulses = impulses;
        Ok(leap)
    }
}

/// A jump that no values satisfy.
fn contradiction(region: &Region, values: &[bool], error: EvalError) -> EvalError {
    let (EvalError::Recoverable(mut fault) | EvalError::Fatal(mut fault)) = error;
    let mode = region.describe(values);
    fault.message = format!("no values are consistent with the mode `{mode}`: {}", fault.message);
    fault.code = "no-consistent-restart";
    EvalError::Fatal(fault)
}
