//! A machine that offers the plain interface, and of what another one can do beyond it only what its model cannot do
//! without: histories of delays, and states that are chosen as the run goes.

use kairos_base::Span;
use kairos_machine::shortcuts::{Delays, Shortcuts, StateSets};
use kairos_machine::{Changes, Effects, Eval, Given, Machine, MachineInfo, Plan, Source, Start};

pub struct Plain(Box<dyn Machine>);

impl Plain {
    pub fn around(inner: Box<dyn Machine>) -> Box<dyn Machine> {
        Box::new(Self(inner))
    }
}

impl Machine for Plain {
    fn info(&self) -> &MachineInfo {
        self.0.info()
    }
    fn values(&self) -> &[f64] {
        self.0.values()
    }
    fn string(&self, slot: u32) -> &str {
        self.0.string(slot)
    }
    fn set(&mut self, slot: u32, given: Given<'_>) {
        self.0.set(slot, given);
    }
    fn set_time(&mut self, time: f64) {
        self.0.set_time(time);
    }
    fn set_states(&mut self, x: &[f64]) {
        self.0.set_states(x);
    }
    fn initialise(&mut self) -> Eval<Start> {
        self.0.initialise()
    }
    fn derivatives(&mut self, dx: &mut [f64]) -> Eval {
        self.0.derivatives(dx)
    }
    fn crossings(&mut self, z: &mut [f64]) -> Eval {
        self.0.crossings(z)
    }
    fn outputs(&mut self) -> Eval {
        self.0.outputs()
    }
    fn warnings(&mut self, warnings: &mut Vec<(String, Span)>) {
        self.0.warnings(warnings);
    }
    fn event(&mut self, samples: &[bool], terminal: bool, effects: &mut Effects) -> Eval {
        self.0.event(samples, terminal, effects)
    }
    fn advance_pre(&mut self, changes: &mut Changes) {
        self.0.advance_pre(changes);
    }
    fn relations(&self) -> &[bool] {
        self.0.relations()
    }
    fn plan(&mut self, source: Source) -> Eval<Plan> {
        self.0.plan(source)
    }
    fn clone_machine(&self) -> Box<dyn Machine> {
        Plain::around(self.0.clone_machine())
    }
    fn shortcuts(&self) -> Option<&dyn Shortcuts> {
        Some(self)
    }
    fn shortcuts_mut(&mut self) -> Option<&mut dyn Shortcuts> {
        Some(self)
    }
}

impl Shortcuts for Plain {
    fn delays(&self) -> Option<&dyn Delays> {
        self.0.shortcuts().filter(|_| self.info().needs_history)?.delays()
    }
    fn delays_mut(&mut self) -> Option<&mut dyn Delays> {
        let needed = self.info().needs_history;
        self.0.shortcuts_mut().filter(|_| needed)?.delays_mut()
    }
    fn state_sets_mut(&mut self) -> Option<&mut dyn StateSets> {
        let needed = self.info().state_sets > 0;
        self.0.shortcuts_mut().filter(|_| needed)?.state_sets_mut()
    }
}
