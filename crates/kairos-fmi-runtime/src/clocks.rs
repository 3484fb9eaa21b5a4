//! Clocks of FMI 3.0: which have ticked at an event, and the activation of those that an importer makes tick.
//!
//! Every clock has a variable that counts its ticks. A clock is active if it has counted since clocks were last inactive: at the
//! beginning of a step, and whenever discrete states have been updated. A clock that is activated from outside ticks because an input
//! becomes true, which is false again afterwards.

use crate::description::CLOCKS;
use crate::instance::{Crossing, Done, Instance};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A clock, by references.
pub struct Clock {
    count: u32,
    trigger: Option<u32>,
    interval: Option<u32>,
    shift: Option<u32>,
}

/// How far the clocks of an instance have come.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Ticking {
    /// The counts when no clock was active.
    counts: Vec<f64>,
    /// Places of the clocks that the importer has activated.
    activated: Vec<usize>,
}

/// The clocks that the resources of an FMU tell of.
pub fn read(resources: &Path) -> Vec<Clock> {
    let text = std::fs::read_to_string(resources.join(CLOCKS)).unwrap_or_default();
    let line = |line: &str| -> Option<Clock> {
        let mut words = line.split(' ').map(|word| word.parse().ok());
        let count = words.next()??;
        let [trigger, interval, shift] = [words.next()?, words.next()?, words.next()?];
        Some(Clock { count, trigger, interval, shift })
    };
    text.lines().filter_map(line).collect()
}

impl Instance {
    fn clock(&mut self, reference: u32) -> Done<usize> {
        match self.clocks.iter().position(|clock| clock.count == reference) {
            Some(k) => Ok(k),
            None => self.fail(&format!("there is no clock with the reference {reference}")),
        }
    }

    fn number(&mut self, reference: u32) -> Done<f64> {
        match self.get(reference)? {
            Crossing::Number(number) => Ok(number),
            Crossing::Text(_) => self.fail("a text is no number"),
        }
    }

    /// Is a clock active?
    pub fn is_active(&mut self, reference: u32) -> Done<bool> {
        let k = self.clock(reference)?;
        if self.clocks[k].trigger.is_some() {
            return Ok(self.now.ticking.activated.contains(&k));
        }
        let count = self.number(reference)?;
        // Counts begin with zero.
        Ok(count != self.now.ticking.counts.get(k).copied().unwrap_or(0.0))
    }

    /// Activates a clock: it ticks at the present instant.
    pub fn activate(&mut self, reference: u32, active: bool) -> Done {
        let k = self.clock(reference)?;
        let is_active = self.now.ticking.activated.contains(&k);
        match self.clocks[k].trigger {
            None => self.fail("this clock ticks by itself: ask whether it is active"),
            Some(_) if is_active && !active => self
                .fail("a clock that has been activated is inactive when discrete states have been updated"),
            Some(trigger) if active && !is_active => {
                self.set(trigger, Crossing::Number(1.0))?;
                self.now.ticking.activated.push(k);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The time between the ticks of a clock whose instants are planned, and that of the first one.
    pub fn planned(&mut self, reference: u32, first: bool) -> Done<f64> {
        let k = self.clock(reference)?;
        let (interval, shift) = (self.clocks[k].interval, self.clocks[k].shift);
        match if first { shift } else { interval } {
            Some(reference) => self.number(reference),
            None => self.fail("the ticks of this clock are not planned"),
        }
    }

    /// Takes back what has made clocks tick; was there anything?
    pub fn release(&mut self) -> Done<bool> {
        let activated = std::mem::take(&mut self.now.ticking.activated);
        for &k in &activated {
            if let Some(trigger) = self.clocks[k].trigger {
                self.set(trigger, Crossing::Number(0.0))?;
            }
        }
        Ok(!activated.is_empty())
    }

    /// No clock is active from here on.
    pub fn deactivate(&mut self) -> Done {
        let references: Vec<u32> = self.clocks.iter().map(|clock| clock.count).collect();
        let counts: Done<Vec<f64>> = references.into_iter().map(|reference| self.number(reference)).collect();
        self.now.ticking.counts = counts?;
        Ok(())
    }
}
