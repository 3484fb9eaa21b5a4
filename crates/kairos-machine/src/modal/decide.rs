//! An event of a machine with modes: regions and discrete equations are evaluated until they agree, then the regions
//! whose conditions have changed restart.

use super::leap::Leap;
use super::region::{Part, numbered};
use super::{Extent, ModalMachine, UNSOLVABLE, fatal};
use crate::interpreter::Interpreter;
use crate::machine::{Effects, Eval, EvalError, Fault, Machine};
use crate::shortcuts::LocalEvents;
use std::collections::BTreeSet;
use std::ops::Range;

/// Conditions of one region beyond this number are not searched in all combinations.
const SEARCHED: usize = 8;
/// So many modes are tried at most in one search.
const TRIED: usize = 600;
/// Passes that nearly all events need at most; more are a circle.
const PASSES: usize = 12;
/// How far to look ahead for the side on which a relation at zero falls, in parts of the present time.
const AHEAD: [f64; 5] = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4];
/// What moves by less does not jump.
pub(super) const STAYS: f64 = 1e-10;
/// Variables that move by less, as their round-off has them, have no pulses.
const ROUND_OFF: f64 = 1e-15;
/// Stands for infinity where a pulse is compared with finite values.
const INFINITE: f64 = 1e20;

/// One region is looked at a little later.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    region: usize,
    by: f64,
    /// Also after jumps; modes into which something jumps are looked at as things stand otherwise.
    jumps: bool,
}

impl ModalMachine {
    pub(super) fn decide(&mut self, samples: &[bool], terminal: bool) -> Eval<Effects> {
        self.catch_up()?;
        self.tie(Vec::new());
        // Nearly always the modes stay, and nothing that a region reads has changed.
        let mut before = std::mem::take(&mut self.last_known);
        if !self.is_known(&before) {
            before = self.signature();
        }
        self.known_before.clone_from(&before);
        let first = match self.pass(&self.entered.clone(), samples, terminal, None) {
            Ok(effects) if self.confirms(&self.entered) && self.is_known(&before) => {
                self.last_known = before;
                return self.apply(effects, None, &[], &[]);
            }
            first => first,
        };
        let mut first = Some(first);
        let mut assumed = self.entered.clone();
        let mut seen: Vec<(Vec<bool>, Vec<u64>)> = Vec::new();
        let (mut settled, mut refused) = (None, None);
        let mut known = before.clone();
        for _ in 0..PASSES + 2 * self.parts.len() {
            if seen.iter().any(|(modes, values)| *modes == assumed && *values == known) {
                break;
            }
            let pass = first.take().unwrap_or_else(|| self.pass(&assumed, samples, terminal, None));
            let effects = match pass {
                Ok(effects) => effects,
                // Not every mode that shows up on the way has a solution.
                Err(EvalError::Fatal(fault)) if assumed != self.entered && fault.code == UNSOLVABLE => {
                    refused = Some(fault);
                    break;
                }
                Err(EvalError::Recoverable(_)) if assumed != self.entered => break,
                Err(error) => return Err(error),
            };
            if self.confirms(&assumed) && self.is_known(&known) {
                settled = Some(effects);
                break;
            }
            let (wanted, found) = (self.wanted(), self.signature());
            seen.push((std::mem::replace(&mut assumed, wanted), std::mem::replace(&mut known, found)));
        }
        let effects = match settled {
            Some(effects) => match self.foretold(&mut assumed, samples, terminal)? {
                Some(better) => {
                    known = self.signature();
                    better
                }
                None => effects,
            },
            None => {
                assumed.clone_from(&self.entered);
                self.cautious = true;
                let searched = self.search(&mut assumed, samples, terminal);
                self.cautious = false;
                let found = match searched {
                    Err(EvalError::Fatal(fault)) => {
                        self.go_on(&mut assumed, samples, terminal, refused.unwrap_or(fault))
                    }
                    found => found,
                };
                known = self.signature();
                found?
            }
        };
        let mut stirred = Vec::new();
        if known != before {
            self.affected = true;
            self.now.news += 1;
            self.shown = Extent::Nothing;
            let mut at = 0;
            for (r, part) in self.parts.iter_mut().enumerate() {
                let own = at..at + part.known.len();
                at = own.end;
                if known[own.clone()] != before[own.clone()] {
                    part.revision += 1;
                    stirred.extend(part.is_stirred(&before[own], self.base.as_ref()).then_some(r));
                }
            }
        }
        self.last_known = known;
        self.apply(effects, Some(&assumed), &seen, &stirred)
    }

    /// Brings differentiated variables that are no states in the modes entered to the present point.
    fn catch_up(&mut self) -> Eval {
        if !self.parts.iter().any(Part::has_followers) {
            return Ok(());
        }
        for r in self.concerned() {
            let Self { base, parts, now, .. } = self;
            if parts[r].has_followers() {
                parts[r].run(*now, base.as_mut())?;
            }
        }
        Ok(())
    }

    /// Carries out what the evaluation asks of the regions: modes, if they are others than before, variables to be set, and
    /// constraints with other discrete values in them (`stirred` lists their regions).
    fn apply(
        &mut self,
        mut effects: Effects,
        assumed: Option<&[bool]>,
        seen: &[(Vec<bool>, Vec<u64>)],
        stirred: &[usize],
    ) -> Eval<Effects> {
        let own = self.base.info().states.len();
        let outside = effects.reinits.iter().filter(|(state, _)| *state as usize >= own);
        let given: Vec<(u32, f64)> =
            outside.map(|&(state, value)| (self.base.info().inputs[state as usize - own], value)).collect();
        effects.reinits.retain(|(state, _)| (*state as usize) < own);
        let assumed = assumed.filter(|assumed| **assumed != *self.entered);
        if assumed.is_some() || !given.is_empty() || !stirred.is_empty() {
            let modes = assumed.map_or_else(|| self.entered.clone(), <[bool]>::to_vec);
            self.restart_all(&modes, &given, seen, stirred, &mut effects)?;
        }
        Ok(effects)
    }

    /// Restarts the regions whose conditions have changed, whose variables are set, or whose constraints are violated since
    /// discrete values in them have changed.
    fn restart_all(
        &mut self,
        assumed: &[bool],
        given: &[(u32, f64)],
        seen: &[(Vec<bool>, Vec<u64>)],
        stirred: &[usize],
        effects: &mut Effects,
    ) -> Eval {
        self.moved();
        for r in 0..self.parts.len() {
            let part = &self.parts[r];
            let (entered, values) = (&self.entered[part.place.clone()], &assumed[part.place.clone()]);
            let mine: Vec<(u32, f64)> =
                given.iter().copied().filter(|(slot, _)| part.states.contains(slot)).collect();
            if entered == values
                && mine.is_empty()
                && !(stirred.contains(&r) && self.is_violated(r, values)?)
            {
                continue;
            }
            let part = &self.parts[r];
            let entered = &self.entered[part.place.clone()];
            let considered: BTreeSet<&[bool]> =
                seen.iter().map(|(modes, _)| &modes[part.place.clone()]).collect();
            let region = &self.modes.regions[r];
            let mythical = considered.into_iter().filter(|m| *m != entered && *m != values);
            let mythical = mythical.map(|m| region.describe(m)).collect();
            self.restart(r, values, &mine, mythical, effects)?;
        }
        self.affected = true;
        // Where states are chosen as the run goes, a region may go on in the same mode with other states.
        if *assumed != *self.entered || self.info.state_sets > 0 {
            self.entered.copy_from_slice(assumed);
            self.describe();
        }
        Ok(())
    }

    /// Do the differentiated variables of a region as they stand violate the constraints of a mode?
    pub(super) fn is_violated(&mut self, r: usize, values: &[bool]) -> Eval<bool> {
        let Self { base, modes, make, parts, now, .. } = self;
        let (part, region) = (&mut parts[r], &modes.regions[r]);
        part.look(values, *now, base.as_mut())?;
        let leap = part.leap(region, values, &[], now.time, base.as_ref(), make)?;
        Ok(moves(&leap.states, base.values(), STAYS))
    }

    /// Moves a region into a mode: jump, then the mode's own equations.
    fn restart(
        &mut self,
        r: usize,
        values: &[bool],
        given: &[(u32, f64)],
        mythical: Vec<String>,
        effects: &mut Effects,
    ) -> Eval {
        let Self { base, modes, make, parts, now, .. } = self;
        let (part, region) = (&mut parts[r], &modes.regions[r]);
        // Finite values again, where pulses stood for the decision.
        part.look(values, *now, base.as_mut())?;
        let mut story = part.story(region, values);
        story.mythical = mythical;
        let leap = part.leap(region, values, given, now.time, base.as_ref(), make)?;
        let old: Vec<f64> = leap.states.iter().map(|&(slot, _)| base.values()[slot as usize]).collect();
        let (slots, after): (Vec<u32>, Vec<f64>) = leap.states.iter().copied().unzip();
        base.set_inputs(&numbered(&slots), &after);
        part.enter(values, *now, base.as_mut())?;
        for (&(slot, _), from) in leap.states.iter().zip(old) {
            let to = base.values()[slot as usize];
            if to != from {
                story.jumps.push((part.name(region, slot), from, to));
            }
        }
        story.impulses = leap.impulses.into_iter().map(|(name, _, area)| (name, area)).collect();
        effects.restarts.push(story);
        Ok(())
    }

    /// What the regions read: an evaluation is over when it stays the same.
    fn signature(&self) -> Vec<u64> {
        let values = self.base.values();
        self.known.iter().map(|&slot| values[slot as usize].to_bits()).collect()
    }

    fn is_known(&self, signature: &[u64]) -> bool {
        let values = self.base.values();
        let same = |(&slot, &bits): (&u32, &u64)| values[slot as usize].to_bits() == bits;
        signature.len() == self.known.len() && self.known.iter().zip(signature).all(same)
    }

    /// Does the base say of all conditions what was assumed?
    fn confirms(&self, assumed: &[bool]) -> bool {
        let values = self.base.values();
        self.conditions.iter().zip(assumed).all(|(&slot, &value)| (values[slot as usize] != 0.0) == value)
    }

    /// What the base says of all conditions.
    pub(super) fn wanted(&self) -> Vec<bool> {
        let values = self.base.values();
        self.conditions.iter().map(|&slot| values[slot as usize] != 0.0).collect()
    }

    /// Regions show their variables under assumed modes, then everything discrete is evaluated. With `ahead`, one
    /// region shows itself a little later instead.
    pub(super) fn pass(
        &mut self,
        assumed: &[bool],
        samples: &[bool],
        terminal: bool,
        ahead: Option<Ahead>,
    ) -> Eval<Effects> {
        // Where the modes stay, only those have something to show that are asked for more than states.
        let all = ahead.is_some() || *assumed != *self.entered;
        let list = if all { self.concerned() } else { self.showing() };
        for r in list {
            let part = &self.parts[r];
            let (values, current) = (&assumed[part.place.clone()], &self.entered[part.place.clone()]);
            match ahead {
                Some(ahead) if ahead.region == r => self.show_later(r, values, ahead)?,
                // The differentiated variables stand there, and nothing else is asked for.
                _ if values == current && !part.shows_rates => {}
                _ => self.show_now(r, values)?,
            }
        }
        let mut effects = Effects::default();
        self.base.event(samples, terminal, &mut effects)?;
        self.shown = Extent::Nothing;
        if let (Some(fault), true) = (&effects.contradiction, all) {
            return Err(EvalError::Recoverable(Fault::clone(fault)));
        }
        Ok(effects)
    }

    /// Is there a restart on the way into a mode: because it is another one, or because its constraints have changed?
    pub(super) fn may_jump(&self, r: usize, values: &[bool]) -> bool {
        let part = &self.parts[r];
        let first: usize = self.parts[..r].iter().map(|part| part.known.len()).sum();
        let before = self.known_before.get(first..first + part.known.len());
        *values != self.entered[part.place.clone()]
            || before.is_some_and(|before| part.is_stirred(before, self.base.as_ref()))
    }

    /// Shows a region at the instant under an assumed mode.
    fn show_now(&mut self, r: usize, values: &[bool]) -> Eval {
        let jumps = self.may_jump(r, values);
        let Self { base, modes, make, parts, now, cautious, .. } = self;
        let (part, region) = (&mut parts[r], &modes.regions[r]);
        part.prepare(region, values, base.info(), make)?;
        part.look(values, *now, base.as_mut())?;
        if jumps {
            let leap = part.leap(region, values, &[], now.time, base.as_ref(), make);
            if *cautious && leap.as_ref().is_ok_and(|leap| leap.displaces) {
                return Err(displaced());
            }
            let leap = leap.ok().filter(|leap| moves(&leap.states, base.values(), ROUND_OFF));
            outweigh(part, base.as_mut(), leap);
        }
        Ok(())
    }

    /// Shows a region as it is a little later, after the jump into an assumed mode.
    fn show_later(&mut self, r: usize, values: &[bool], ahead: Ahead) -> Eval {
        let jumps = self.may_jump(r, values);
        let Self { base, modes, make, parts, now, cautious, .. } = self;
        let (part, region, by) = (&mut parts[r], &modes.regions[r], ahead.by);
        part.prepare(region, values, base.info(), make)?;
        let mut x: Vec<f64> = part.states.iter().map(|&s| base.values()[s as usize]).collect();
        let mut jump = None;
        if jumps && let Ok(leap) = part.leap(region, values, &[], now.time, base.as_ref(), make) {
            if *cautious && leap.displaces {
                return Err(displaced());
            }
            if !ahead.jumps && moves(&leap.states, base.values(), STAYS) {
                return self.show_now(r, values);
            }
            x = leap.states.iter().map(|&(_, to)| to).collect();
            jump = Some(leap).filter(|leap| moves(&leap.states, base.values(), ROUND_OFF));
        }
        let mut show = |part: &mut Part, from: &[f64], t: f64, rates: &[f64], by: f64| {
            part.unshow();
            let moved = part.states.iter().zip(from).zip(rates);
            let (slots, moved): (Vec<u32>, Vec<f64>) =
                moved.map(|((&slot, x), rate)| (slot, x + by * rate)).unzip();
            base.set_inputs(&numbered(&slots), &moved);
            part.look_at(values, t, base.as_mut())
        };
        // The classical method: what begins with a jerk alone, as a body whose contact has just ceased to be pressed, shows in
        // the third power of the time.
        let mut rates = vec![0.0; x.len()];
        let mut sum = rates.clone();
        for (place, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            show(part, &x, now.time + place * by, &rates, place * by)?;
            rates = part.rates(region, values);
            sum.iter_mut().zip(&rates).for_each(|(sum, rate)| *sum += weight * rate);
        }
        show(part, &x, now.time + by, &sum, by / 6.0)?;
        // What the mode makes equal is so to the last bit: round-off of the look must not decide.
        part.follow_at(values, now.time + by, base.as_mut())?;
        part.look_at(values, now.time + by, base.as_mut())?;
        part.unshow();
        outweigh(part, base.as_mut(), jump);
        Ok(())
    }

    /// Looks for modes that confirm themselves: as things stand, then a little later, where relations that are just
    /// at zero show on which side they fall.
    pub(super) fn search(&mut self, assumed: &mut [bool], samples: &[bool], terminal: bool) -> Eval<Effects> {
        let start = assumed.to_vec();
        if let Some(effects) = self.try_predicted(assumed, samples, terminal, false)? {
            return Ok(effects);
        }
        let scale = self.now.time.abs().max(1e-3);
        let moments: Vec<f64> = std::iter::once(0.0).chain(AHEAD.iter().map(|by| by * scale)).collect();
        let mut budget = TRIED;
        // Few steps first, later only where nothing jumps; then everything.
        for thorough in [false, true] {
            for &by in &moments {
                for r in self.concerned() {
                    let ahead = (by > 0.0).then_some(Ahead { region: r, by, jumps: thorough });
                    let own = self.parts[r].place.clone();
                    let mut seen: Vec<Vec<bool>> = Vec::new();
                    if !(thorough && by == 0.0) {
                        // One condition at a time, the first that disagrees: this ends for every complementarity
                        // problem with a unique solution (Murty).
                        let mut values = start[own.clone()].to_vec();
                        while !seen.contains(&values) && budget > 0 {
                            budget -= 1;
                            assume(assumed, &start, &own, &values);
                            let (done, wanted) = self.trial(r, assumed, samples, terminal, ahead)?;
                            if let Some(effects) = done {
                                return Ok(effects);
                            }
                            seen.push(values.clone());
                            let differs = |k: &usize| wanted.as_ref().is_some_and(|w| w[*k] != values[*k]);
                            let Some(first) = (0..values.len()).find(differs) else { break };
                            values[first] = !values[first];
                        }
                    }
                    if !thorough {
                        continue;
                    }
                    for candidate in candidates(&start[own.clone()]).filter(|c| !seen.contains(c)) {
                        if budget == 0 {
                            break;
                        }
                        budget -= 1;
                        assume(assumed, &start, &own, &candidate);
                        let (done, _) = self.trial(r, assumed, samples, terminal, ahead)?;
                        if let Some(effects) = done {
                            return Ok(effects);
                        }
                    }
                }
            }
            assumed.copy_from_slice(&start);
            if !thorough && let Some(effects) = self.try_predicted(assumed, samples, terminal, true)? {
                return Ok(effects);
            }
        }
        let conditions: Vec<String> = (self.modes.regions.iter())
            .flat_map(|region| region.conditions.iter().map(|c| format!("`{}`", c.text)))
            .collect();
        Err(fatal(
            "no-consistent-mode",
            format!(
                "no values of the conditions {} agree with the equations they select",
                conditions.join(", ")
            ),
            "let the conditions exclude each other and cover every case, or use `pre` so that one decides before the other",
        ))
    }

    /// Where the modes contradict themselves with the left limits as they are, the mode that the present one leads to is
    /// entered all the same, if nothing jumps on the way: conditions with `pre` may be meant to settle step by step. Discrete
    /// variables have the values that the present mode gives them: a contact whose force pulls is left for that reason,
    /// although there is no force once it is left. The event must not end so.
    fn go_on(
        &mut self,
        assumed: &mut [bool],
        samples: &[bool],
        terminal: bool,
        fault: Fault,
    ) -> Eval<Effects> {
        let entered = self.entered.clone();
        let refuse = || EvalError::Fatal(fault.clone());
        self.pass(&entered, samples, terminal, None).map_err(|_| refuse())?;
        let next = self.wanted();
        if next == *entered {
            return Err(refuse());
        }
        self.pass(&next, samples, terminal, None).map_err(|_| refuse())?;
        let Self { base, modes, make, parts, now, .. } = self;
        for (part, region) in parts.iter_mut().zip(&modes.regions) {
            let values = &next[part.place.clone()];
            if *values != entered[part.place.clone()] {
                let leap =
                    part.leap(region, values, &[], now.time, base.as_ref(), make).map_err(|_| refuse())?;
                if moves(&leap.states, base.values(), STAYS) {
                    return Err(refuse());
                }
            }
        }
        let mut effects = self.pass(&entered, samples, terminal, None)?;
        effects.contradiction = Some(Box::new(fault));
        assumed.copy_from_slice(&next);
        Ok(effects)
    }

    /// Evaluates with one region in an assumed mode, until discrete values and other regions rest. Gives the effects
    /// if the mode is confirmed, and what the evaluation wants of the region.
    pub(super) fn trial(
        &mut self,
        r: usize,
        assumed: &mut [bool],
        samples: &[bool],
        terminal: bool,
        ahead: Option<Ahead>,
    ) -> Eval<(Option<Effects>, Option<Vec<bool>>)> {
        let saved: Vec<Vec<f64>> = self.parts.iter().map(|part| part.save(self.base.as_ref())).collect();
        let own = self.parts[r].place.clone();
        let (mut done, mut wanted) = (None, None);
        for _ in 0..4 {
            let known = self.signature();
            let effects = match self.pass(assumed, samples, terminal, ahead) {
                Ok(effects) => effects,
                Err(EvalError::Recoverable(_)) => break,
                Err(EvalError::Fatal(fault)) if fault.code == UNSOLVABLE => break,
                Err(fatal) => return Err(fatal),
            };
            let agree = self.confirms(assumed) && self.is_known(&known);
            let all = self.wanted();
            assumed[..own.start].copy_from_slice(&all[..own.start]);
            assumed[own.end..].copy_from_slice(&all[own.end..]);
            wanted = Some(all[own.clone()].to_vec());
            for (part, saved) in self.parts.iter_mut().zip(&saved) {
                part.restore(saved, self.base.as_mut());
            }
            if agree
                && ahead.is_some_and(|ahead| !self.agrees_later(assumed, samples, terminal, ahead, &saved))
            {
                break;
            }
            if agree {
                done = Some(effects);
                break;
            }
        }
        for (part, saved) in self.parts.iter_mut().zip(&saved) {
            part.restore(saved, self.base.as_mut());
        }
        if done.is_some() {
            self.show(assumed)?;
        }
        Ok((done, wanted))
    }

    /// Is a mode that one region confirms a little later confirmed where the rest of the model is seen at that time, too? What a region and the
    /// rest both compute from time must not differ by the look.
    fn agrees_later(
        &mut self,
        assumed: &[bool],
        samples: &[bool],
        terminal: bool,
        ahead: Ahead,
        saved: &[Vec<f64>],
    ) -> bool {
        let mut agrees = true;
        for time in [self.now.time + ahead.by, self.now.time] {
            self.base.set_time(time);
            let passed = self.pass(assumed, samples, terminal, Some(ahead));
            agrees &= passed.is_ok() && self.confirms(assumed);
            for (part, saved) in self.parts.iter_mut().zip(saved) {
                part.restore(saved, self.base.as_mut());
            }
        }
        agrees
    }

    /// The regions' variables as they are now, in the modes found.
    fn show(&mut self, assumed: &[bool]) -> Eval {
        for r in self.concerned() {
            let part = &mut self.parts[r];
            part.look(&assumed[part.place.clone()], self.now, self.base.as_mut())?;
        }
        Ok(())
    }
}

/// A mode that nothing but the search proposes is not entered where its constraint would move a body from one place to another: a contact
/// whose gap is open is not closed.
fn displaced() -> EvalError {
    EvalError::Recoverable(Fault {
        code: "no-consistent-restart",
        message: "the constraints of the mode are violated by positions".into(),
        span: None,
        values: Vec::new(),
        help: Vec::new(),
    })
}

/// A pulse outweighs every finite value.
fn outweigh(part: &mut Part, base: &mut Interpreter, leap: Option<Leap>) {
    for (_, slot, area) in leap.map(|leap| leap.impulses).unwrap_or_default() {
        base.set_inputs(&[(0, slot)], &[area * INFINITE]);
        part.unshow();
    }
}

/// Do these variables get other values, but for what is called small?
fn moves(states: &[(u32, f64)], values: &[f64], small: f64) -> bool {
    states.iter().any(|&(slot, to)| {
        let from = values[slot as usize];
        (to - from).abs() > small * from.abs().max(1.0)
    })
}

/// The valuation itself, those that differ in one condition, then all others.
pub(super) fn candidates(start: &[bool]) -> impl Iterator<Item = Vec<bool>> {
    let n = start.len();
    let start = start.to_vec();
    let (itself, single, many) = (start.clone(), start.clone(), start);
    let flips = (0..n).map(move |k| {
        let mut list = single.clone();
        list[k] = !list[k];
        list
    });
    let rest = (1..1usize << n.min(SEARCHED)).filter(|code| code.count_ones() > 1).map(move |code| {
        let list = many.iter().enumerate();
        list.map(|(k, &value)| if k < SEARCHED { value ^ (code >> k & 1 == 1) } else { value }).collect()
    });
    std::iter::once(itself).chain(flips).chain(rest)
}

/// All conditions as they were, but for those of one region.
pub(super) fn assume(assumed: &mut [bool], start: &[bool], own: &Range<usize>, values: &[bool]) {
    assumed.copy_from_slice(start);
    assumed[own.clone()].copy_from_slice(values);
}
