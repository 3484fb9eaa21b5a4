//! A machine that offers the plain interface, and of what another one can do beyond it only what its model cannot do
//! without: histories of delays, states that are chosen as the run goes, both sides of a switching surface.

use kairos_base::Span;
use kairos_machine::shortcuts::{Delays, Shortcuts, Sides, StateSets};
use kairos_machine::{Changes, Effects, Eval, Given, Machine, MachineInfo, Plan, Source, Start};

pub struct Plain {
    inner: Box<dyn Machine>,
    /// The model slides along switching surfaces.
    slides: bool,
}

impl Plain {
    pub fn bare(inner: Box<dyn Machine>) -> Box<dyn Machine> {
        Box::new(Self { inner, slides: false })
    }

    pub fn sliding(inner: Box<dyn Machine>) -> Box<dyn Machine> {
        Box::new(Self { inner, slides: true })
    }
}

impl Machine for Plain {
    fn info(&self) -> &MachineInfo {
        self.inner.info()
    }
    fn values(&self) -> &[f64] {
        self.inner.values()
    }
    fn string(&self, slot: u32) -> &str {
        self.inner.string(slot)
    }
    fn set(&mut self, slot: u32, given: Given<'_>) {
        self.inner.set(slot, given);
    }
    fn set_time(&mut self, time: f64) {
        self.inner.set_time(time);
    }
    fn set_states(&mut self, x: &[f64]) {
        self.inner.set_states(x);
    }
    fn initialise(&mut self) -> Eval<Start> {
        self.inner.initialise()
    }
    fn derivatives(&mut self, dx: &mut [f64]) -> Eval {
        self.inner.derivatives(dx)
    }
    fn crossings(&mut self, z: &mut [f64]) -> Eval {
        self.inner.crossings(z)
    }
    fn outputs(&mut self) -> Eval {
        self.inner.outputs()
    }
    fn warnings(&mut self, warnings: &mut Vec<(String, Span)>) {
        self.inner.warnings(warnings);
    }
    fn event(&mut self, samples: &[bool], terminal: bool, effects: &mut Effects) -> Eval {
        self.inner.event(samples, terminal, effects)
    }
    fn advance_pre(&mut self, changes: &mut Changes) {
        self.inner.advance_pre(changes);
    }
    fn relations(&self) -> &[bool] {
        self.inner.relations()
    }
    fn plan(&mut self, source: Source) -> Eval<Plan> {
        self.inner.plan(source)
    }
    fn clone_machine(&self) -> Box<dyn Machine> {
        Box::new(Plain { inner: self.inner.clone_machine(), slides: self.slides })
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
        self.inner.shortcuts().filter(|_| self.info().needs_history)?.delays()
    }
    fn delays_mut(&mut self) -> Option<&mut dyn Delays> {
        let needed = self.info().needs_history;
        self.inner.shortcuts_mut().filter(|_| needed)?.delays_mut()
    }
    fn state_sets_mut(&mut self) -> Option<&mut dyn StateSets> {
        let needed = self.info().state_sets > 0;
        self.inner.shortcuts_mut().filter(|_| needed)?.state_sets_mut()
    }
    fn sides_mut(&mut self) -> Option<&mut dyn Sides> {
        let needed = self.slides;
        self.inner.shortcuts_mut().filter(|_| needed)?.sides_mut()
    }
}
