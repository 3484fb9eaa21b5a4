//! A region in a run: the mode it is in, and the machines of the modes it has been in.

mod saved;

use super::leap::JumpMachine;
use super::predict::Predictor;
use super::{Maker, UNSOLVABLE, fatal};
use crate::interpreter::Interpreter;
use crate::machine::{Eval, EvalError, Machine, MachineInfo, Restart};
use crate::shortcuts::{LocalEvents, StateSets};
use kairos_base::Diagnostic;
use kairos_causal::Region;
use kairos_expr::VarId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// So many modes of one region are kept at most.
const KEPT: usize = 64;
/// Pairs of slots: from here, to there.
pub(super) type Copies = Vec<(u32, u32)>;

/// How far the machine has come: a part compares it with what it has taken note of.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Now {
    pub time: f64,
    /// Grows when time or states may be others.
    pub point: u64,
    /// Grows when discrete values may be others.
    pub news: u64,
}

pub(crate) struct Part {
    /// Values of the conditions in the mode that was entered, and its machines.
    pub entered: Option<Vec<bool>>,
    current: Option<Kept>,
    /// Other modes.
    kept: BTreeMap<Vec<bool>, Kept>,
    /// Modes whose equations cannot be sorted.
    refused: BTreeMap<Vec<bool>, EvalError>,
    clock: u64,
    /// Where its states stand in the state vector.
    pub first: usize,
    pub count: usize,
    /// Where its conditions stand among those of all regions.
    pub place: Range<usize>,
    /// What it knows of the machine's present, and the mode's states there.
    noticed: Now,
    x: Vec<f64>,
    /// The mode's machine has the present states and time; it has discrete values at all.
    placed: bool,
    informed: bool,
    pub revision: u64,
    /// What stands in the base belongs to the present point: to the mode that runs, or to one that was looked at.
    shown: Shown,
    looked: Vec<bool>,
    /// Discrete values that the mode's machine knows, and those of the last look.
    heard: Vec<u64>,
    looked_at: Vec<u64>,
    /// Slots in the base: of what is read, of the differentiated variables.
    pub known: Vec<u32>,
    pub states: Vec<u32>,
    owned: Vec<u32>,
    /// Of its own variables those that the base reads; are some of them not differentiated?
    read: Vec<u32>,
    pub shows_rates: bool,
    /// What foretells modes, made when it is first asked; `None` in it: nothing can.
    pub(super) predictor: Option<Option<Predictor>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Shown {
    Nothing,
    Running,
    Looked,
}

pub(super) struct Kept {
    mode: ModeMachines,
    pub jumps: BTreeMap<Vec<VarId>, JumpMachine>,
    used: u64,
}

pub(crate) struct ModeMachines {
    pub run: Box<Interpreter>,
    instant: Box<Interpreter>,
    /// Slots in the base of the mode's states and their derivatives.
    pub states: Vec<u32>,
    pub derivatives: Vec<u32>,
    /// From the slots of its variables, and those of their derivatives in the base, to the slots in the base.
    outer: BTreeMap<u32, u32>,
    rates: BTreeMap<u32, u32>,
    /// The base reads, or a restart needs, more than the states.
    is_read: bool,
    /// Differentiated variables follow from the states.
    has_followers: bool,
    /// Its constraints contain discrete values.
    stirred: bool,
    run_in: Copies,
    run_out: Copies,
    instant_in: Copies,
    instant_out: Copies,
}

impl Clone for Part {
    fn clone(&self) -> Self {
        let kept = self.kept.iter().map(|(key, kept)| (key.clone(), kept.clone())).collect();
        Self {
            entered: self.entered.clone(),
            current: self.current.clone(),
            refused: self.refused.clone(),
            kept,
            predictor: None,
            place: self.place.clone(),
            x: self.x.clone(),
            read: self.read.clone(),
            looked: self.looked.clone(),
            heard: self.heard.clone(),
            looked_at: self.looked_at.clone(),
            known: self.known.clone(),
            states: self.states.clone(),
            owned: self.owned.clone(),
            ..*self
        }
    }
}

impl Clone for Kept {
    fn clone(&self) -> Self {
        let mode = ModeMachines {
            run: self.mode.run.clone(),
            instant: self.mode.instant.clone(),
            states: self.mode.states.clone(),
            derivatives: self.mode.derivatives.clone(),
            outer: self.mode.outer.clone(),
            rates: self.mode.rates.clone(),
            is_read: self.mode.is_read,
            has_followers: self.mode.has_followers,
            stirred: self.mode.stirred,
            run_in: self.mode.run_in.clone(),
            run_out: self.mode.run_out.clone(),
            instant_in: self.mode.instant_in.clone(),
            instant_out: self.mode.instant_out.clone(),
        };
        // Ways into modes are found again where they are needed.
        Self { mode, jumps: BTreeMap::new(), used: self.used }
    }
}

impl Part {
    /// `at` is the place of its first condition among those of all regions.
    pub fn new(region: &Region, base: &MachineInfo, at: usize) -> Self {
        let slots = |list: &[VarId]| -> Vec<u32> {
            list.iter().map(|v| base.slots[region.outer[v.index()].index()]).collect()
        };
        let varying: Vec<VarId> = region.known.iter().copied().filter(|&v| !region.is_parameter(v)).collect();
        Self {
            entered: None,
            current: None,
            kept: BTreeMap::new(),
            refused: BTreeMap::new(),
            clock: 0,
            first: 0,
            count: 0,
            place: at..at + region.conditions.len(),
            noticed: Now::default(),
            x: Vec::new(),
            placed: false,
            informed: false,
            revision: 0,
            shown: Shown::Nothing,
            looked: Vec::new(),
            heard: Vec::new(),
            looked_at: Vec::new(),
            known: slots(&varying),
            states: slots(&region.states),
            owned: slots(&region.owned),
            read: slots(&region.read),
            shows_rates: region.read.iter().any(|v| !region.states.contains(v)),
            predictor: None,
        }
    }

    /// Drops what was computed from parameters.
    pub fn forget(&mut self) {
        self.kept.clear();
        self.refused.clear();
        self.predictor = None;
        (self.entered, self.current) = (None, None);
        (self.placed, self.informed) = (false, false);
        self.unshow();
    }

    /// What stands in the base does not belong to the present point any more.
    pub fn unshow(&mut self) {
        self.shown = Shown::Nothing;
    }

    /// Does the base read anything of it that is no state of its mode?
    pub fn is_read(&self) -> bool {
        self.current.as_ref().is_some_and(|kept| kept.mode.is_read)
    }

    /// Are there differentiated variables that are no states of its mode?
    pub fn has_followers(&self) -> bool {
        self.current.as_ref().is_some_and(|kept| kept.mode.has_followers)
    }

    /// Do the constraints of its mode contain discrete values, and have these changed?
    pub fn is_stirred(&self, before: &[u64], base: &Interpreter) -> bool {
        let stirred = self.current.as_ref().is_some_and(|kept| kept.mode.stirred);
        stirred && before.len() == self.known.len() && !Self::hears(&self.known, base, before)
    }

    /// Finds out whether the present point is another one.
    fn notice(&mut self, now: Now, base: &Interpreter) {
        if self.noticed.point == now.point {
            return;
        }
        let (values, mode) = (base.values(), self.current.as_ref().map(|kept| &kept.mode));
        let states = mode.map_or(&[][..], |mode| &mode.states);
        let same = self.noticed.time.to_bits() == now.time.to_bits()
            && self.x.len() == states.len()
            && states.iter().zip(&self.x).all(|(&slot, x)| values[slot as usize].to_bits() == x.to_bits());
        if !same {
            self.x.clear();
            self.x.extend(states.iter().map(|&slot| values[slot as usize]));
            self.placed = false;
            self.unshow();
        }
        (self.noticed.point, self.noticed.time) = (now.point, now.time);
    }

    /// Brings the mode's machine to the present point.
    pub fn arrive(&mut self, now: Now, base: &Interpreter) {
        self.notice(now, base);
        self.inform(now, base);
        if !std::mem::replace(&mut self.placed, true)
            && let Some(kept) = &mut self.current
        {
            kept.mode.run.set_time(now.time);
            kept.mode.run.set_states(&self.x);
        }
    }

    /// The mode's machine for others to move.
    pub fn lend(&mut self, now: Now, base: &Interpreter) -> Option<&mut dyn Machine> {
        self.notice(now, base);
        self.inform(now, base);
        self.placed = false;
        match self.mode() {
            Some(mode) => Some(mode.run.as_mut()),
            None => None,
        }
    }

    /// Hands the present discrete values to the mode's machine.
    fn inform(&mut self, now: Now, base: &Interpreter) {
        if self.informed && self.noticed.news == now.news {
            return;
        }
        self.noticed.news = now.news;
        if std::mem::replace(&mut self.informed, true) && Self::hears(&self.known, base, &self.heard) {
            return;
        }
        Self::read(&self.known, base, &mut self.heard);
        if self.shown == Shown::Running {
            self.unshow();
        }
        if let Some(mode) = self.mode() {
            copy(&mode.run_in, base.values(), mode.run.values_mut());
        }
    }

    fn read(known: &[u32], base: &Interpreter, into: &mut Vec<u64>) {
        let values = base.values();
        into.clear();
        into.extend(known.iter().map(|&slot| values[slot as usize].to_bits()));
    }

    fn hears(known: &[u32], base: &Interpreter, heard: &[u64]) -> bool {
        let values = base.values();
        known.len() == heard.len()
            && known.iter().zip(heard).all(|(&k, &h)| values[k as usize].to_bits() == h)
    }

    pub fn mode(&mut self) -> Option<&mut ModeMachines> {
        self.current.as_mut().map(|kept| &mut kept.mode)
    }

    pub fn entered(&self) -> Option<&ModeMachines> {
        self.current.as_ref().map(|kept| &kept.mode)
    }

    /// The machines of a mode, entered or not.
    pub(super) fn machines(&mut self, values: &[bool]) -> Option<&mut Kept> {
        match self.entered.as_deref() == Some(values) {
            true => self.current.as_mut(),
            false => self.kept.get_mut(values),
        }
    }

    /// Evaluates the mode between events and shows its variables.
    pub fn run(&mut self, now: Now, base: &mut Interpreter) -> Eval {
        self.arrive(now, base);
        if self.shown == Shown::Running {
            return Ok(());
        }
        self.unshow();
        if let Some(mode) = self.mode() {
            mode.run.outputs()?;
            show(&mode.run_out, mode.run.as_ref(), base);
            self.shown = Shown::Running;
        }
        Ok(())
    }

    /// Makes the machines of a mode, unless they are there.
    pub fn prepare(&mut self, region: &Region, values: &[bool], base: &MachineInfo, make: &Maker) -> Eval {
        self.clock += 1;
        let clock = self.clock;
        if let Some(kept) = self.machines(values) {
            kept.used = clock;
            return Ok(());
        }
        if let Some(known) = self.refused.get(values) {
            return Err(known.clone());
        }
        if self.kept.len() >= KEPT {
            let oldest = self.kept.iter().min_by_key(|(_, kept)| kept.used).map(|(key, _)| key.clone());
            oldest.map(|key| self.kept.remove(&key));
        }
        let checked = region.mode(values);
        let Some(models) = checked.value else {
            let error = refusal(region, values, &checked.diagnostics);
            self.refused.insert(values.to_vec(), error.clone());
            return Err(error);
        };
        let (run, instant) = (make(models.run), make(models.instant));
        let outer = |v: VarId| base.slots[region.outer[v.index()].index()];
        let link = |machine: &Interpreter, list: &[VarId]| -> Copies {
            list.iter().map(|&v| (outer(v), machine.info().slots[v.index()])).collect()
        };
        let back = |list: Copies| -> Copies { list.into_iter().map(|(a, b)| (b, a)).collect() };
        let rate = |&v: &VarId| region.derivative(v).map(|d| (outer(v), outer(d)));
        let free: Vec<VarId> = region.owned.iter().copied().filter(|v| !region.states.contains(v)).collect();
        let mut instant_in = link(instant.as_ref(), &region.known);
        instant_in.extend(link(instant.as_ref(), &region.states));
        let mut mode = ModeMachines {
            has_followers: false,
            stirred: models.stirred,
            is_read: false,
            states: Vec::new(),
            derivatives: Vec::new(),
            outer: back(link(run.as_ref(), &region.owned)).into_iter().collect(),
            rates: region.owned.iter().filter_map(rate).collect(),
            run_in: link(run.as_ref(), &region.known),
            run_out: back(link(run.as_ref(), &region.owned)),
            instant_out: back(link(instant.as_ref(), &free)),
            instant_in,
            run,
            instant,
        };
        if !mode.locate(&self.states, &self.read) {
            let mode = region.describe(values);
            let text = format!(
                "in the mode `{mode}` a derivative would have to be a state that the model does not name"
            );
            return Err(fatal(UNSOLVABLE, text, "give this derivative a name: `v = der(x)`"));
        }
        self.kept.insert(values.to_vec(), Kept { mode, jumps: BTreeMap::new(), used: self.clock });
        Ok(())
    }

    /// Evaluates a mode at an instant, for the differentiated variables as they stand, and shows its variables.
    pub fn look(&mut self, values: &[bool], now: Now, base: &mut Interpreter) -> Eval {
        self.notice(now, base);
        self.look_at(values, now.time, base)
    }

    /// As `look`, at another time.
    pub fn look_at(&mut self, values: &[bool], time: f64, base: &mut Interpreter) -> Eval {
        let here = self.noticed.time == time
            && match self.shown {
                Shown::Nothing => false,
                Shown::Running => {
                    self.entered.as_deref() == Some(values) && Self::hears(&self.known, base, &self.heard)
                }
                Shown::Looked => self.looked == values && Self::hears(&self.known, base, &self.looked_at),
            };
        if here {
            return Ok(());
        }
        self.unshow();
        let present = self.noticed.time == time;
        let Some(kept) = self.machines(values) else { return Ok(()) };
        let mode = &mut kept.mode;
        copy(&mode.instant_in, base.values(), mode.instant.values_mut());
        mode.instant.set_time(time);
        mode.instant.outputs()?;
        show(&mode.instant_out, mode.instant.as_ref(), base);
        if present {
            self.shown = Shown::Looked;
            self.looked.clear();
            self.looked.extend(values);
            Self::read(&self.known, base, &mut self.looked_at);
        }
        Ok(())
    }

    /// The rates of the differentiated variables, as the last look at a mode found them.
    pub fn rates(&mut self, region: &Region, values: &[bool]) -> Vec<f64> {
        let Some(kept) = self.machines(values) else { return vec![0.0; region.states.len()] };
        let instant = &kept.mode.instant;
        let rate = |&x: &VarId| {
            region.derivative(x).map_or(0.0, |d| instant.values()[instant.info().slots[d.index()] as usize])
        };
        region.states.iter().map(rate).collect()
    }

    /// Differentiated variables that follow from others in a mode do so to the last bit, at another time than the present one.
    pub fn follow_at(&mut self, values: &[bool], time: f64, base: &mut Interpreter) -> Eval {
        if self.entered.as_deref() == Some(values) {
            (self.placed, self.informed) = (false, false);
            self.noticed.point = 0;
        }
        let own = self.states.clone();
        let Some(Kept { mode, .. }) = self.machines(values) else { return Ok(()) };
        if !mode.has_followers || mode.run.info().state_sets > 0 {
            return Ok(());
        }
        copy(&mode.run_in, base.values(), mode.run.values_mut());
        let x: Vec<f64> = mode.states.iter().map(|&slot| base.values()[slot as usize]).collect();
        mode.run.set_time(time);
        mode.run.set_states(&x);
        mode.run.outputs()?;
        let list: Copies = mode.run_out.iter().copied().filter(|(_, outer)| own.contains(outer)).collect();
        show(&list, mode.run.as_ref(), base);
        Ok(())
    }

    /// Goes over to a mode, with the differentiated variables as the base has them.
    pub fn enter(&mut self, values: &[bool], now: Now, base: &mut Interpreter) -> Eval {
        if self.entered.as_deref() != Some(values) {
            let next = self.kept.remove(values);
            if let (Some(left), Some(kept)) = (self.entered.replace(values.to_vec()), self.current.take()) {
                self.kept.insert(left, kept);
            }
            self.current = next;
            self.informed = false;
            self.revision += 1;
        }
        // States are chosen by the discrete values of now, which factors of constraints may contain.
        self.inform(now, base);
        // Guesses for what is iterated on, and what states are chosen by.
        if let Some(Kept { mode, .. }) = &mut self.current {
            for &(inner, outer) in &mode.run_out {
                mode.run.values_mut()[inner as usize] = base.values()[outer as usize];
            }
            mode.run.set_time(now.time);
            mode.run.select()?;
            let before = std::mem::take(&mut mode.states);
            mode.locate(&self.states, &self.read);
            // The same mode may go on with other states, which whoever integrates them must learn.
            self.revision += u64::from(mode.states != before);
        }
        self.noticed.point = 0;
        self.notice(now, base);
        (self.placed, self.shown) = (true, Shown::Nothing);
        let Some(Kept { mode, .. }) = &mut self.current else { return Ok(()) };
        mode.run.set_time(now.time);
        mode.run.set_states(&self.x);
        mode.run.outputs()?;
        show(&mode.run_out, mode.run.as_ref(), base);
        Ok(())
    }

    /// Other variables become states where they serve better; says whether any did.
    pub fn reselect(&mut self, now: Now, base: &mut Interpreter) -> Eval<bool> {
        self.arrive(now, base);
        let Some(Kept { mode, .. }) = &mut self.current else { return Ok(false) };
        let changed = mode.run.reselect()?;
        if changed {
            mode.locate(&self.states, &self.read);
            self.noticed.point = 0;
            self.revision += 1;
        }
        Ok(changed)
    }

    /// The values of the region's own variables, to be put back.
    pub fn save(&self, base: &Interpreter) -> Vec<f64> {
        self.owned.iter().map(|&slot| base.values()[slot as usize]).collect()
    }

    pub fn restore(&mut self, saved: &[f64], base: &mut Interpreter) {
        self.shown = Shown::Nothing;
        base.set_inputs(&numbered(&self.owned), saved);
    }

    pub fn story(&self, region: &Region, to: &[bool]) -> Restart {
        let left = self.entered.as_ref().map(|from| region.describe(from)).unwrap_or_default();
        Restart { mode: region.describe(to), left, ..Restart::default() }
    }

    /// The name of a differentiated variable by its slot.
    pub fn name(&self, region: &Region, slot: u32) -> String {
        let at = self.states.iter().position(|&s| s == slot);
        at.map(|k| region.name(region.states[k]).to_string()).unwrap_or_default()
    }
}

impl ModeMachines {
    /// Finds the mode's present states in the base, whose differentiated and read variables are given; false if the base
    /// does not have them.
    fn locate(&mut self, differentiated: &[u32], read: &[u32]) -> bool {
        let places = self.run.selected().iter().map(|slot| self.outer.get(slot).copied()).collect();
        let Some(states): Option<Vec<u32>> = places else { return false };
        self.derivatives = states.iter().map(|slot| self.rates.get(slot).copied().unwrap_or(0)).collect();
        self.has_followers = differentiated.iter().any(|slot| !states.contains(slot));
        self.is_read = self.has_followers || read.iter().any(|slot| !states.contains(slot));
        self.states = states;
        true
    }
}

/// Places of values that stand in the order of their slots.
pub(super) fn numbered(slots: &[u32]) -> Copies {
    (0..).zip(slots.iter().copied()).collect()
}

/// Shows variables of a mode in the base.
fn show(list: &[(u32, u32)], from: &Interpreter, base: &mut Interpreter) {
    base.set_inputs(list, from.values());
}

pub(super) fn copy(list: &[(u32, u32)], from: &[f64], to: &mut [f64]) {
    for &(a, b) in list {
        to[b as usize] = from[a as usize];
    }
}

/// A mode whose equations cannot be sorted.
pub(super) fn refusal(region: &Region, values: &[bool], diagnostics: &[Diagnostic]) -> EvalError {
    let first = diagnostics.iter().find(|d| d.is_error());
    let why = first.map_or("its equations cannot be sorted".to_string(), |d| {
        let places: Vec<&str> = d.labels.iter().map(|label| label.text.as_str()).collect();
        format!("{} ({})", d.message, places.join(", "))
    });
    let mode = region.describe(values);
    let mut error = fatal(
        UNSOLVABLE,
        format!("the mode `{mode}` cannot be entered: {why}"),
        "in this mode equations contradict each other or leave something open: see which of them its conditions select",
    );
    if let EvalError::Fatal(fault) = &mut error {
        fault.span = first.and_then(|d| d.labels.first()).map(|label| label.span);
        if let Some(d) = first {
            fault.help.extend(d.notes.iter().cloned());
        }
    }
    error
}
