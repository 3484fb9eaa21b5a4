//! The clocks of a model as variables of FMI 3.0.
//!
//! A clock that ticks by itself is an output clock, or a local one if no output belongs to it: importers ask which have ticked at an
//! event. A clock that an importer activates is an input clock, time-based where its instants are planned. Its reference is that
//! of the variable that counts its ticks.

use crate::variables::{Causality, Exposed, Interval, Type};
use kairos::CountedClock;
use kairos_machine::Machine;

/// A clock with the references of the variables behind it.
pub struct Clock {
    pub counted: CountedClock,
    pub counter: u32,
    pub trigger: Option<u32>,
    /// The time between ticks and the time of the first one.
    planned: Option<(u32, u32)>,
}

/// The clocks of a model whose variables its machine has.
pub fn find(machine: &dyn Machine, counted: &[CountedClock]) -> Vec<Clock> {
    let place =
        |name: &String| machine.info().vars.iter().position(|var| var.name == *name).map(|k| k as u32);
    let clock = |counted: &CountedClock| {
        let planned = counted.planned.as_ref();
        Some(Clock {
            counter: place(&counted.counter)?,
            trigger: counted.trigger.as_ref().and_then(place),
            planned: planned.and_then(|(interval, shift, _)| place(interval).zip(place(shift))),
            counted: counted.clone(),
        })
    };
    counted.iter().filter_map(clock).collect()
}

impl Clock {
    /// Variables that are only there for the clock.
    pub fn inner(&self) -> Vec<u32> {
        let planned = self.planned.iter().flat_map(|(interval, shift)| [*interval, *shift]);
        [self.counter].into_iter().chain(self.trigger).chain(planned).collect()
    }

    /// The clock as a variable beside those that may belong to it.
    pub fn exposed(&self, machine: &dyn Machine, others: &[Exposed]) -> Exposed {
        let mut members = others.iter().filter(|var| var.clock == Some(self.counter));
        let causality = match self.trigger {
            Some(_) => Causality::Input,
            None if members.any(|var| var.causality == Causality::Output) => Causality::Output,
            None => Causality::Local,
        };
        let value = |reference: u32| machine.values()[machine.info().vars[reference as usize].slot as usize];
        let constant = self.counted.planned.as_ref().is_some_and(|(_, _, constant)| *constant);
        let interval = match self.planned {
            None => Interval::Triggered,
            Some((interval, shift)) if constant => Interval::Constant(value(interval), value(shift)),
            Some(_) => Interval::Fixed,
        };
        Exposed {
            reference: self.counter,
            name: self.counted.name.clone(),
            description: self.counted.words.clone(),
            causality,
            variability: "discrete",
            initial: None,
            ty: Type::Clock(interval),
            start: None,
            unit: String::new(),
            display_unit: String::new(),
            min: None,
            max: None,
            nominal: None,
            derivative_of: None,
            dimensions: Vec::new(),
            elements: Vec::new(),
            starts: Vec::new(),
            clock: None,
        }
    }

    /// What the runtime reads: the references of the clock, of what makes it tick, of its interval and of its first tick.
    fn line(&self) -> String {
        let word = |reference: Option<u32>| reference.map_or("-".to_string(), |k| k.to_string());
        let (interval, shift) = self.planned.unzip();
        format!("{} {} {} {}\n", self.counter, word(self.trigger), word(interval), word(shift))
    }
}

/// The file that tells the runtime of clocks.
pub fn lines(clocks: &[Clock]) -> String {
    clocks.iter().map(Clock::line).collect()
}
