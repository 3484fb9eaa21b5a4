//! A machine whose equations change their structure: one machine for what never changes, and one for each mode of
//! each region that was entered.
//!
//! The base machine owns the memory that everybody sees; regions write their variables into it as inputs. At an event
//! the regions show their variables *at the instant*, for the differentiated variables as they stand, and the base
//! decides; when both agree, regions whose conditions have changed restart in their new modes.

mod decide;
mod focus;
mod foretell;
mod leap;
mod predict;
mod region;
mod replay;
mod start;

use crate::machine::{
    Changes, Effects, Eval, EvalError, Fault, Machine, MachineInfo, PartInfo, Reached, Source, Trigger,
};
use focus::Scopes;
use kairos_causal::{CausalModel, Modes};
use region::{Now, Part};
use std::sync::Arc;

/// Makes a machine of a model: how is a matter of the caller.
pub type Maker = Arc<dyn Fn(CausalModel) -> Box<dyn Machine> + Send + Sync>;

/// The code of a mode whose equations cannot be sorted.
const UNSOLVABLE: &str = "mode-not-solvable";

pub struct ModalMachine {
    base: Box<dyn Machine>,
    modes: Arc<Modes>,
    make: Maker,
    parts: Vec<Part>,
    info: MachineInfo,
    now: Now,
    /// Which variables of the regions stand in the base as they are now.
    shown: Extent,
    /// Conditions of all regions, one region after the other, in the modes entered.
    entered: Vec<bool>,
    /// Slots of the conditions, in the same order, and of all that regions read.
    conditions: Vec<u32>,
    known: Vec<u32>,
    /// What regions read at the end of the last event, and before the present evaluation.
    last_known: Vec<u64>,
    known_before: Vec<u64>,
    /// Relations that others decide, and those at zero that the modes entered decide.
    pins: Vec<(u32, bool)>,
    ties: Vec<(u32, bool)>,
    /// Regions of which the base reads more than differentiated variables.
    showing: Vec<usize>,
    /// The states of the regions: number and slot.
    places: Vec<(u32, u32)>,
    scopes: Scopes,
    /// The regions that the present event can reach; `None`: all.
    focus: Option<Vec<usize>>,
    /// A region has seen a discrete value change since the last `advance_pre`.
    affected: bool,
    /// Start values are reconciled by conservation.
    projection: bool,
}

/// Variables of the regions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    Nothing,
    /// Those that the base reads.
    Read,
    Everything,
}

impl ModalMachine {
    /// `base` was made from the model that `modes` came with.
    pub fn new(base: Box<dyn Machine>, modes: Arc<Modes>, make: Maker, projection: bool) -> Self {
        let info = base.info().clone();
        let mut parts: Vec<Part> = Vec::new();
        let (mut conditions, mut known, mut showing) = (Vec::new(), Vec::new(), Vec::new());
        for (r, region) in modes.regions.iter().enumerate() {
            let part = Part::new(region, base.info(), conditions.len());
            conditions.extend(region.conditions.iter().map(|c| base.info().slots[c.var.index()]));
            known.extend(&part.known);
            showing.extend(part.shows_rates.then_some(r));
            parts.push(part);
        }
        let scopes = Scopes::new(base.as_ref());
        let entered = vec![false; conditions.len()];
        let (now, shown) = (Now { point: 1, ..Now::default() }, Extent::Nothing);
        Self {
            base,
            modes,
            make,
            parts,
            info,
            now,
            shown,
            entered,
            conditions,
            known,
            last_known: Vec::new(),
            known_before: Vec::new(),
            pins: Vec::new(),
            ties: Vec::new(),
            showing,
            places: Vec::new(),
            scopes,
            focus: None,
            affected: true,
            projection,
        }
    }

    /// Tells states and sparsity of the modes as they are now.
    fn describe(&mut self) {
        let base = self.base.info();
        let info = &mut self.info;
        info.states.clone_from(&base.states);
        info.derivatives.clone_from(&base.derivatives);
        info.state_names.clone_from(&base.state_names);
        info.nominal.clone_from(&base.nominal);
        info.jacobian_columns.clone_from(&base.jacobian_columns);
        info.state_sets = base.state_sets;
        let alone = base.states.is_empty();
        for part in &mut self.parts {
            let first = info.states.len();
            let Some(mode) = part.mode() else { continue };
            let run = mode.run.info();
            info.states.extend(&mode.states);
            info.derivatives.extend(&mode.derivatives);
            info.state_names.extend(run.state_names.iter().cloned());
            info.nominal.extend(&run.nominal);
            let shift = |column: &Vec<u32>| column.iter().map(|row| row + first as u32).collect();
            info.jacobian_columns.extend(run.jacobian_columns.iter().map(shift));
            info.state_sets += run.state_sets;
            let count = run.states.len();
            (part.first, part.count) = (first, count);
        }
        info.parts.clear();
        // Parts that may choose other states move together.
        if alone && self.parts.len() > 1 && info.state_sets == 0 {
            let regions = self.parts.iter().zip(&self.modes.regions);
            info.parts.extend(regions.map(|(part, region)| PartInfo {
                states: part.first..part.first + part.count,
                relations: region.relations.clone(),
            }));
        }
        let places = info.states.iter().enumerate().skip(base.states.len());
        self.places = places.map(|(k, &slot)| (k as u32, slot)).collect();
        self.scopes.locate(&self.parts);
        if !alone {
            // The rest may read the regions' states in ways that nobody has written down.
            info.jacobian_columns.clear();
        }
    }

    /// Brings variables of the regions into the base, between events.
    fn bring(&mut self, wanted: Extent) -> Eval {
        if self.shown >= wanted {
            return Ok(());
        }
        for part in &mut self.parts {
            if wanted == Extent::Everything || part.is_read() {
                part.run(self.now, self.base.as_mut())?;
            }
        }
        self.shown = wanted;
        Ok(())
    }

    /// Time or states are others now.
    fn moved(&mut self) {
        self.now.point += 1;
        self.shown = Extent::Nothing;
    }

    /// Discrete values may be others now.
    fn informed(&mut self) {
        self.now.news += 1;
        self.shown = Extent::Nothing;
        self.parts.iter_mut().for_each(|part| part.revision += 1);
    }
}

pub(crate) fn fatal(code: &'static str, message: String, help: &str) -> EvalError {
    let help = if help.is_empty() { Vec::new() } else { vec![help.to_string()] };
    EvalError::Fatal(Fault { code, message, span: None, values: Vec::new(), help })
}

impl Machine for ModalMachine {
    fn info(&self) -> &MachineInfo {
        &self.info
    }

    fn values(&self) -> &[f64] {
        self.base.values()
    }

    fn values_mut(&mut self) -> &mut [f64] {
        self.moved();
        self.informed();
        self.parts.iter_mut().for_each(Part::unshow);
        self.base.values_mut()
    }

    fn string(&self, slot: u32) -> &str {
        self.base.string(slot)
    }

    fn set_string(&mut self, slot: u32, text: &str) {
        self.base.set_string(slot, text);
    }

    fn set_time(&mut self, time: f64) {
        self.now.time = time;
        self.base.set_time(time);
        self.moved();
    }

    fn set_states(&mut self, x: &[f64]) {
        let own = self.base.info().states.len().min(x.len());
        self.base.set_states(&x[..own]);
        let given = self.places.len().min(x.len() - own);
        self.base.set_inputs(&self.places[..given], x);
        self.moved();
    }

    fn set_state(&mut self, state: u32, value: f64) {
        match (state as usize) < self.base.info().states.len() {
            true => self.base.set_state(state, value),
            false => self.base.set_inputs(&[(0, self.info.states[state as usize])], &[value]),
        }
        self.moved();
    }

    fn set_inputs(&mut self, list: &[(u32, u32)], given: &[f64]) {
        self.base.set_inputs(list, given);
        self.moved();
    }

    fn get_states(&self, x: &mut [f64]) {
        let values = self.base.values();
        for (&slot, value) in self.info.states.iter().zip(x) {
            *value = values[slot as usize];
        }
    }

    fn update_parameters(&mut self) -> Eval {
        self.informed();
        self.parts.iter_mut().for_each(Part::forget);
        self.base.update_parameters()
    }

    fn initialise(&mut self) -> Eval<Vec<String>> {
        self.begin()
    }

    fn act_at_start(&mut self) -> Eval<Option<String>> {
        self.base.act_at_start()
    }

    fn derivatives(&mut self, dx: &mut [f64]) -> Eval {
        let own = self.base.info().states.len();
        for part in &mut self.parts {
            part.arrive(self.now, self.base.as_ref());
            let range = part.first..part.first + part.count;
            if let (Some(mode), Some(dx)) = (part.mode(), dx.get_mut(range)) {
                mode.run.derivatives(dx)?;
            }
        }
        if own > 0 {
            self.bring(Extent::Read)?;
            self.base.derivatives(&mut dx[..own])?;
        }
        Ok(())
    }

    fn outputs(&mut self) -> Eval {
        self.bring(Extent::Everything)?;
        self.base.outputs()
    }

    fn warnings(&mut self, warnings: &mut Vec<(String, kairos_base::Span)>) {
        self.base.warnings(warnings);
    }

    fn left_limit(&mut self) -> Eval {
        self.bring(Extent::Read)?;
        self.base.left_limit()
    }

    fn part(&mut self, index: usize) -> Option<&mut dyn Machine> {
        self.parts[index].lend(self.now, self.base.as_ref())
    }

    fn revision(&self, part: usize) -> u64 {
        self.parts[part].revision
    }

    fn crossings(&mut self, z: &mut [f64]) -> Eval {
        self.bring(Extent::Read)?;
        self.base.crossings(z)
    }

    fn event(&mut self, samples: &[bool], terminal: bool) -> Eval<Effects> {
        self.decide(samples, terminal)
    }

    fn advance_pre(&mut self) -> Changes {
        let mut changes = Changes::default();
        self.advance_pre_into(&mut changes);
        changes
    }

    fn advance_pre_into(&mut self, changes: &mut Changes) {
        self.base.advance_pre_into(changes);
        // Regions are looked at again whatever it is.
        changes.again = !(changes.discrete.is_empty() && changes.relations.is_empty());
        changes.continuous_affected |= std::mem::take(&mut self.affected);
    }

    fn focus(&mut self, trigger: Option<&Trigger>) -> Eval<bool> {
        self.follow(trigger)
    }

    fn reached(&self, source: Source) -> Reached<'_> {
        self.scopes.reached(source, self.base.as_ref())
    }

    fn replanned(&mut self, relations: &mut Vec<u32>) -> bool {
        self.base.replanned(relations)
    }

    fn pin(&mut self, relations: &[(u32, bool)]) -> bool {
        self.pins.clear();
        self.pins.extend(relations);
        self.ties.clear();
        self.base.pin(relations)
    }

    fn relations(&self) -> &[bool] {
        self.base.relations()
    }

    fn time_event(&mut self, relation: usize) -> Eval<f64> {
        self.base.time_event(relation)
    }

    fn sampler(&mut self, index: usize) -> Eval<(f64, f64)> {
        self.base.sampler(index)
    }

    fn jacobian(&mut self, values: &mut [Vec<f64>]) -> Eval<bool> {
        if !self.base.info().states.is_empty() {
            return Ok(false);
        }
        for part in &mut self.parts {
            part.arrive(self.now, self.base.as_ref());
            let range = part.first..part.first + part.count;
            if let (Some(mode), Some(values)) = (part.mode(), values.get_mut(range))
                && !mode.run.jacobian(values)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn reselect(&mut self) -> Eval<bool> {
        if self.info.state_sets == 0 {
            return Ok(false);
        }
        self.bring(Extent::Everything)?;
        let mut changed = self.base.reselect()?;
        for part in &mut self.parts {
            changed |= part.reselect(self.now, self.base.as_mut())?;
        }
        if changed {
            self.moved();
            self.describe();
        }
        Ok(changed)
    }

    fn guesses(&self, guesses: &mut Vec<f64>) {
        self.base.guesses(guesses);
        self.parts.iter().filter_map(Part::entered).for_each(|mode| mode.run.guesses(guesses));
    }

    fn set_guesses(&mut self, guesses: &[f64]) {
        let (mut own, mut rest) = (Vec::new(), guesses);
        self.base.guesses(&mut own);
        let Some((here, after)) = rest.split_at_checked(own.len()) else { return };
        self.base.set_guesses(here);
        rest = after;
        for mode in self.parts.iter_mut().filter_map(Part::mode) {
            own.clear();
            mode.run.guesses(&mut own);
            let Some((here, after)) = rest.split_at_checked(own.len()) else { return };
            mode.run.set_guesses(here);
            rest = after;
        }
        self.shown = Extent::Nothing;
        self.parts.iter_mut().for_each(Part::unshow);
    }

    fn accept(&mut self, continues: bool) -> bool {
        let mut released = false;
        if self.bring(Extent::Everything).is_ok() {
            for part in &mut self.parts {
                part.arrive(self.now, self.base.as_ref());
                if let Some(mode) = part.mode() {
                    released |= mode.run.accept(continues);
                }
            }
            released |= self.base.accept(continues);
        }
        released
    }

    fn distance_of_jumps(&mut self) -> Eval<f64> {
        self.bring(Extent::Everything)?;
        self.base.distance_of_jumps()
    }

    fn shortest_delay(&self) -> f64 {
        self.base.shortest_delay()
    }

    fn snapshot(&self, values: &mut Vec<f64>) -> bool {
        self.keep(values)
    }

    fn restore(&mut self, values: &[f64]) -> bool {
        self.go_back(values).unwrap_or(false)
    }

    fn clone_machine(&self) -> Box<dyn Machine> {
        Box::new(Self {
            base: self.base.clone_machine(),
            modes: self.modes.clone(),
            make: self.make.clone(),
            parts: self.parts.clone(),
            info: self.info.clone(),
            now: self.now,
            shown: self.shown,
            entered: self.entered.clone(),
            conditions: self.conditions.clone(),
            known: self.known.clone(),
            last_known: self.last_known.clone(),
            known_before: self.known_before.clone(),
            pins: self.pins.clone(),
            ties: self.ties.clone(),
            showing: self.showing.clone(),
            places: self.places.clone(),
            scopes: self.scopes.clone(),
            focus: self.focus.clone(),
            affected: self.affected,
            projection: self.projection,
        })
    }
}
