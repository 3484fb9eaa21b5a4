//! A run in the middle of its way as bytes, and back.
//!
//! The way on follows in the same bits from everything that a clone of a run has, so that is what is saved: the machine's
//! state by `Machine::save`, the machines beside it (`Side`), and all else by its derived form, integrators with their
//! histories and factors included. The machine's program is not saved, nor is the sink. A new field of a run, or of
//! anything within, is written by being there; one of `Run` itself does not compile until it stands in the list below.

use super::Run;
use crate::side::Side;
use crate::sink::Output;
use crate::{BUILD, Sink};
use kairos_base::keyed::Keyed;
use kairos_base::stored::{self, Kind};
use kairos_machine::Machine;
use kairos_machine::saved::{get, misfit, put};

/// The head of a stored run.
const KIND: Kind = Kind { name: "run", build: BUILD };

/// Writes the fields of a run one by one, and reads them in the same order; machine and sink are others then.
macro_rules! fields {
    ($($field:ident)*) => {
        impl<'a> Run<'a> {
            fn write(&self, to: &mut Vec<u8>) -> Result<(), String> {
                let Run { $($field,)* machine: _, sink: _, rows: _, log: _ } = self;
                $(put(to, $field)?;)*
                Ok(())
            }

            fn read(
                from: &mut &[u8],
                machine: Box<dyn Machine>,
                sink: Box<dyn Sink + 'a>,
            ) -> Result<Self, String> {
                let (rows, log) = (sink.wants_rows(), sink.wants_events());
                $(let $field = get(from)?;)*
                Ok(Run { $($field,)* machine, sink: Output(sink), rows, log })
            }
        }
    };
}

fields! {
    options t x slope moved wanted brought around fresh restarted solver memory surface round parked layout ahead slid carried closer
    history watch lookouts whole_hit searched held sources given_now has_past told comes_out entangled edge asked corrected focused
    iteration outcome schedule numbers integers continuous summary
}

impl<'a> Run<'a> {
    /// All of the run but its sink, and whether it is over.
    pub fn save(&mut self, finished: bool) -> Result<Vec<u8>, String> {
        let mut body = Vec::new();
        put(&mut body, &fingerprint(&*self.machine))?;
        put(&mut body, &bytes_of(&*self.machine)?)?;
        self.write(&mut body)?;
        let mut sides: Vec<Result<Vec<u8>, String>> = Vec::new();
        self.visit_sides(&mut |side| sides.push(bytes_of(&**side)));
        let sides = sides.into_iter().collect::<Result<Vec<_>, _>>()?;
        put(&mut body, &(sides, finished))?;
        Ok(stored::seal(&KIND, &body))
    }

    /// The run whose bytes these are, with a machine of the same model.
    pub fn restore(
        mut machine: Box<dyn Machine>,
        bytes: &[u8],
        sink: Box<dyn Sink + 'a>,
    ) -> Result<(Self, bool), String> {
        let mut from = stored::open(&KIND, bytes).map_err(|why| format!("it cannot be read: {why}"))?;
        if get::<[u8; 16]>(&mut from)? != fingerprint(&*machine) {
            return Err(misfit());
        }
        let state: Vec<u8> = get(&mut from)?;
        machine.restore(&state)?;
        let mut run = Run::read(&mut from, machine, sink)?;
        let (sides, finished): (Vec<Vec<u8>>, bool) = get(&mut from)?;
        let mut left = sides.iter();
        let mut wrong = None;
        let like = run.machine.clone_machine();
        run.visit_sides(&mut |side| {
            let mut machine = like.clone_machine();
            let restored = left.next().map_or_else(|| Err(misfit()), |bytes| machine.restore(bytes));
            wrong = wrong.take().or(restored.err());
            *side.machine_mut() = Some(machine);
        });
        if let Some(why) = wrong {
            return Err(why);
        }
        run.sink.begin(&*run.machine)?;
        Ok((run, finished))
    }

    /// Every machine beside the run's own, always in the same order.
    fn visit_sides(&mut self, visit: &mut dyn FnMut(&mut Side)) {
        self.surface.iter_mut().for_each(|surface| surface.visit_sides(visit));
        self.round.iter_mut().for_each(|past| visit(past.side_mut()));
    }
}

fn bytes_of(machine: &dyn Machine) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    machine.save(&mut bytes)?;
    Ok(bytes)
}

/// The same for machines of the same equations only: what their variables are called and where they stand.
fn fingerprint(machine: &dyn Machine) -> [u8; 16] {
    let info = machine.info();
    let mut digest = Keyed::new(b"kairos: same one");
    for var in &info.vars {
        digest.write_whole(var.name.as_bytes());
        digest.write(&var.slot.to_le_bytes());
    }
    for relation in &info.relations {
        digest.write_whole(relation.text.as_bytes());
    }
    digest.write(&(machine.values().len() as u64).to_le_bytes());
    digest.finish()
}
