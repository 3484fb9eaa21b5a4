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
mod saved;
mod shortcuts;
mod start;

use crate::interpreter::Interpreter;
use crate::machine::{
    Changes, Effects, Eval, EvalError, Fault, Given, Machine, MachineInfo, PartInfo, Plan, Source, Start,
};
use crate::shortcuts::{LocalEvents, Replay, Shortcuts};
use focus::Scopes;
use kairos_causal::{CausalModel, Modes};
use region::{Now, Part};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Makes a machine of a model: how is a matter of the caller.
pub type Maker = Arc<dyn Fn(CausalModel) -> Box<Interpreter> + Send + Sync>;

/// The code of a mode whose equations cannot be sorted.
const UNSOLVABLE: &str = "mode-not-solvable";

pub struct ModalMachine {
    base: Box<Interpreter>,
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
    /// Modes are searched for that nothing but the search proposes.
    cautious: bool,
}

/// Variables of the regions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Extent {
    Nothing,
    /// Those that the base reads.
    Read,
    Everything,
}

impl ModalMachine {
    /// `base` was made from the model that `modes` came with.
    pub fn new(base: Box<Interpreter>, modes: Arc<Modes>, make: Maker, projection: bool) -> Self {
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
            cautious: false,
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
        // Parts that may choose other states move together, and those that read inputs, which are set at the whole.
        let driven = self.known.iter().any(|slot| info.given.binary_search(slot).is_ok());
        if alone && self.parts.len() > 1 && info.state_sets == 0 && !driven {
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

    fn string(&self, slot: u32) -> &str {
        self.base.string(slot)
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

    fn crossings(&mut self, z: &mut [f64]) -> Eval {
        self.bring(Extent::Read)?;
        self.base.crossings(z)
    }

    fn relations(&self) -> &[bool] {
        self.base.relations()
    }

    fn clone_machine(&self) -> Box<dyn Machine> {
        Box::new(Self {
            base: self.base.clone(),
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
            cautious: self.cautious,
        })
    }

    fn set(&mut self, slot: u32, given: Given<'_>) {
        if let Given::Number(_) = given {
            self.moved();
            self.informed();
            self.parts.iter_mut().for_each(Part::unshow);
        }
        self.base.set(slot, given);
    }

    fn initialise(&mut self) -> Eval<Start> {
        self.prepare_replay()?;
        (&*self.base as &dyn Machine).check_parameters()?;
        let assumptions = self.begin()?;
        Ok(Start { assumptions, terminated: self.base.act_at_start()? })
    }

    fn event(&mut self, samples: &[bool], terminal: bool, effects: &mut Effects) -> Eval {
        *effects = self.decide(samples, terminal)?;
        Ok(())
    }

    fn advance_pre(&mut self, changes: &mut Changes) {
        self.base.advance_pre(changes);
        // Regions are looked at again whatever it is.
        changes.again = !(changes.discrete.is_empty() && changes.relations.is_empty());
        changes.continuous_affected |= std::mem::take(&mut self.affected);
    }

    fn plan(&mut self, source: Source) -> Eval<Plan> {
        self.base.plan(source)
    }

    fn save(&self, to: &mut Vec<u8>) -> Result<(), String> {
        self.save_state(to)
    }

    fn restore(&mut self, mut from: &[u8]) -> Result<(), String> {
        self.restore_state(&mut from)
    }

    fn shortcuts(&self) -> Option<&dyn Shortcuts> {
        Some(self)
    }

    fn shortcuts_mut(&mut self) -> Option<&mut dyn Shortcuts> {
        Some(self)
    }
}
