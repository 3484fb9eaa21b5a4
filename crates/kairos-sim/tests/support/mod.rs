//! A machine made of closures, for tests of the supervisor alone.

use kairos_base::{FileId, Span};
use kairos_expr::Scalar;
use kairos_machine::shortcuts::{Shortcuts, Sides};
use kairos_machine::{Changes, Effects, Eval, Given, Machine, Plan, Source, Start};
use kairos_program::{Causality, MachineInfo, RelationInfo, VarInfo, Variability};
use std::sync::Arc;

pub struct Instant<'a> {
    pub pre_x: &'a [f64],
    pub d: &'a mut [f64],
    pub pre_d: &'a [f64],
    /// State relations, then time relations.
    pub relations: &'a [bool],
    pub pre_relations: &'a [bool],
    pub samples: &'a [bool],
    pub effects: &'a mut Effects,
    states: usize,
}

impl Instant<'_> {
    /// Has the time relation just become true?
    #[allow(dead_code)]
    pub fn time_relation(&self, k: usize) -> bool {
        self.relations[self.states + k] && !self.pre_relations[self.states + k]
    }
}

type Function<T> = fn(f64, &[f64], &[f64], &mut [T]);

#[derive(Clone)]
pub struct Hand {
    pub states: Vec<(&'static str, f64)>,
    pub discrete: Vec<(&'static str, f64)>,
    pub relations: Vec<&'static str>,
    /// Text, and the instant from the discrete variables.
    pub time_relations: Vec<(&'static str, fn(&[f64]) -> f64)>,
    pub samplers: Vec<(f64, f64)>,
    pub derivatives: Function<f64>,
    pub crossings: Function<f64>,
    pub decide: Function<bool>,
    pub event: Arc<dyn Fn(&mut Instant) + Send + Sync>,
    /// Do derivatives read the discrete variables?
    pub discrete_matters: bool,
}

impl Default for Hand {
    fn default() -> Self {
        Self {
            states: vec![],
            discrete: vec![],
            relations: vec![],
            time_relations: vec![],
            samplers: vec![],
            derivatives: |_, _, _, _| {},
            crossings: |_, _, _, _| {},
            decide: |_, _, _, _| {},
            event: Arc::new(|_| {}),
            discrete_matters: false,
        }
    }
}

#[derive(Clone)]
pub struct HandMachine {
    hand: Hand,
    info: MachineInfo,
    time: f64,
    values: Vec<f64>,
    pre: Vec<f64>,
    held: Vec<bool>,
    pre_held: Vec<bool>,
    pins: Vec<(u32, bool)>,
}

pub fn machine(hand: Hand) -> HandMachine {
    let span = Span::new(FileId(0), 0, 0);
    let n = hand.states.len();
    let var = |slot: usize, name: &str| VarInfo {
        name: name.into(),
        ty: Scalar::Real,
        unit: String::new(),
        display_unit: String::new(),
        description: String::new(),
        protected: false,
        causality: Causality::Local,
        variability: Variability::Continuous,
        start: None,
        min: None,
        max: None,
        nominal: None,
        span,
        is_found: false,
        is_final: false,
        is_discrete: slot >= n,
        settable: false,
        given: None,
        slot: slot as u32,
        negated: false,
        literals: vec![],
        enumeration: String::new(),
    };
    let all = || hand.states.iter().chain(&hand.discrete);
    let relation = |text: &str, by_time| {
        let true_side = i8::from(text.contains('>')) - i8::from(text.contains('<'));
        RelationInfo { text: text.into(), span, by_time, true_side, at_zero: false }
    };
    let info = MachineInfo {
        name: "Hand".into(),
        states: (0..n as u32).collect(),
        derivatives: vec![],
        state_names: hand.states.iter().map(|(name, _)| name.to_string()).collect(),
        nominal: vec![1.0; n],
        vars: all().enumerate().map(|(slot, (name, _))| var(slot, name)).collect(),
        relations: (hand.relations.iter().map(|text| relation(text, false)))
            .chain(hand.time_relations.iter().map(|(text, _)| relation(text, true)))
            .collect(),
        samplers: hand.samplers.iter().map(|s| (format!("sample{s:?}"), span)).collect(),
        ..MachineInfo::default()
    };
    let values: Vec<f64> = all().map(|(_, start)| *start).collect();
    let held = vec![false; info.relations.len()];
    let pins = Vec::new();
    HandMachine { time: 0.0, pre: values.clone(), values, pre_held: held.clone(), held, info, hand, pins }
}

impl HandMachine {
    fn n(&self) -> usize {
        self.hand.states.len()
    }

    fn decide(&mut self) {
        let n = self.n();
        let state_relations = self.hand.relations.len();
        let (x, d) = self.values.split_at(n);
        (self.hand.decide)(self.time, x, d, &mut self.held[..state_relations]);
        for (k, (_, instant)) in self.hand.time_relations.iter().enumerate() {
            self.held[state_relations + k] = self.time >= instant(&self.pre[n..]);
        }
        self.pins.iter().for_each(|&(relation, value)| self.held[relation as usize] = value);
    }
}

impl Machine for HandMachine {
    fn info(&self) -> &MachineInfo {
        &self.info
    }
    fn values(&self) -> &[f64] {
        &self.values
    }
    fn string(&self, _slot: u32) -> &str {
        ""
    }
    fn set(&mut self, slot: u32, given: Given<'_>) {
        if let Given::Number(value) = given {
            self.values[slot as usize] = value;
        }
    }
    fn set_time(&mut self, time: f64) {
        self.time = time;
    }
    fn set_states(&mut self, x: &[f64]) {
        self.values[..x.len()].copy_from_slice(x);
    }
    fn initialise(&mut self) -> Eval<Start> {
        self.decide();
        self.pre_held.clone_from(&self.held);
        self.pre.clone_from(&self.values);
        Ok(Start::default())
    }
    fn derivatives(&mut self, dx: &mut [f64]) -> Eval {
        let (x, d) = self.values.split_at(self.n());
        (self.hand.derivatives)(self.time, x, d, dx);
        Ok(())
    }
    fn outputs(&mut self) -> Eval {
        Ok(())
    }
    fn crossings(&mut self, z: &mut [f64]) -> Eval {
        let (x, d) = self.values.split_at(self.n());
        (self.hand.crossings)(self.time, x, d, &mut z[..self.hand.relations.len()]);
        Ok(())
    }
    fn event(&mut self, samples: &[bool], _terminal: bool, effects: &mut Effects) -> Eval {
        effects.clear();
        self.decide();
        let n = self.n();
        let (_, d) = self.values.split_at_mut(n);
        (self.hand.event)(&mut Instant {
            pre_x: &self.pre[..n],
            d,
            pre_d: &self.pre[n..],
            relations: &self.held,
            pre_relations: &self.pre_held,
            samples,
            effects,
            states: self.hand.relations.len(),
        });
        Ok(())
    }
    fn advance_pre(&mut self, changes: &mut Changes) {
        changes.clear();
        let n = self.n();
        for slot in n..self.values.len() {
            if self.values[slot] != self.pre[slot] {
                changes.discrete.push(slot as u32);
            }
        }
        for relation in 0..self.held.len() {
            if self.held[relation] != self.pre_held[relation] {
                changes.relations.push(relation as u32);
            }
        }
        changes.continuous_affected = self.hand.discrete_matters && !changes.discrete.is_empty();
        self.pre.copy_from_slice(&self.values);
        self.pre_held.copy_from_slice(&self.held);
        changes.again = !changes.discrete.is_empty() || !changes.relations.is_empty();
    }
    fn relations(&self) -> &[bool] {
        &self.held
    }
    fn plan(&mut self, source: Source) -> Eval<Plan> {
        Ok(match source {
            Source::Relation(relation) => {
                let at = relation as usize - self.hand.relations.len();
                let instant = (self.hand.time_relations[at].1)(&self.pre[self.n()..]);
                let first = if instant > self.time { instant } else { f64::INFINITY };
                Plan { first, interval: f64::INFINITY }
            }
            Source::Sampler(index) => {
                let (first, interval) = self.hand.samplers[index as usize];
                Plan { first, interval }
            }
        })
    }
    fn clone_machine(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
    fn shortcuts_mut(&mut self) -> Option<&mut dyn Shortcuts> {
        Some(self)
    }
}

impl Shortcuts for HandMachine {
    fn sides_mut(&mut self) -> Option<&mut dyn Sides> {
        Some(self)
    }
}

impl Sides for HandMachine {
    fn pin(&mut self, relations: &[(u32, bool)]) {
        self.pins = relations.to_vec();
    }
}
