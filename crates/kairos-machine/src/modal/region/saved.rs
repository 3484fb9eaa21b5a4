//! The state of a region in a run as bytes.

use super::{Kept, Maker, Part};
use crate::machine::MachineInfo;
use crate::saved::{get, misfit, put};
use kairos_causal::Region;

/// How a mode is saved: the values of its conditions, when it was used last, and the states of its machines.
type SavedMode = (Vec<bool>, u64, Vec<u8>, Vec<u8>);

impl Part {
    /// Appends what the run has made of the part.
    pub(in crate::modal) fn save_state(&self, to: &mut Vec<u8>) -> Result<(), String> {
        let Self {
            entered,
            current,
            kept,
            refused,
            clock,
            first: _,
            count: _,
            place: _,
            noticed,
            x,
            placed,
            informed,
            revision,
            shown,
            looked,
            heard,
            looked_at,
            known: _,
            states: _,
            owned: _,
            read: _,
            shows_rates: _,
            // What foretells modes is made again, and so are the ways into modes.
            predictor: _,
        } = self;
        let saved = |(key, kept): (&Vec<bool>, &Kept)| -> Result<SavedMode, String> {
            let Kept { mode, jumps: _, used } = kept;
            let (mut run, mut instant) = (Vec::new(), Vec::new());
            mode.run.save_state(&mut run)?;
            mode.instant.save_state(&mut instant)?;
            Ok((key.clone(), *used, run, instant))
        };
        let entered_mode = entered.iter().zip(current);
        let modes = entered_mode.chain(kept).map(saved).collect::<Result<Vec<_>, _>>()?;
        put(to, &(entered, modes, refused, clock))?;
        put(to, &(noticed, x, placed, informed, revision, shown, looked, heard, looked_at))
    }

    /// Takes from the front what `save_state` has appended; modes that are not there are made.
    pub(in crate::modal) fn restore_state(
        &mut self,
        from: &mut &[u8],
        region: &Region,
        base: &MachineInfo,
        make: &Maker,
    ) -> Result<(), String> {
        let (entered, modes, refused, clock): (Option<Vec<bool>>, Vec<SavedMode>, _, u64) = get(from)?;
        let mut before = std::mem::take(&mut self.kept);
        if let (Some(key), Some(kept)) = (self.entered.take(), self.current.take()) {
            before.insert(key, kept);
        }
        self.refused.clear();
        self.predictor = None;
        for (key, used, run, instant) in modes {
            if key.len() != region.conditions.len() {
                return Err(misfit());
            }
            match before.remove(&key) {
                Some(kept) => _ = self.kept.insert(key.clone(), kept),
                None => {
                    let made = self.prepare(region, &key, base, make);
                    made.map_err(|error| error.fault().message.clone())?;
                }
            }
            let Some(kept) = self.kept.get_mut(&key) else { return Err(misfit()) };
            kept.used = used;
            kept.jumps.clear();
            kept.mode.run.restore_state(&mut &run[..])?;
            kept.mode.instant.restore_state(&mut &instant[..])?;
            kept.mode.locate(&self.states, &self.read);
            if entered.as_ref() == Some(&key) {
                self.current = self.kept.remove(&key);
            }
        }
        (self.entered, self.refused, self.clock) = (entered, refused, clock);
        (
            self.noticed,
            self.x,
            self.placed,
            self.informed,
            self.revision,
            self.shown,
            self.looked,
            self.heard,
            self.looked_at,
        ) = get(from)?;
        Ok(())
    }
}
