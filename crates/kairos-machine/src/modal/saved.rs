//! The state of a machine with modes as bytes: the base, and of each region the modes that it has been in.
//!
//! The systems of a mode follow from the model; they are made again where they are not there, and then get their state.

use super::ModalMachine;
use crate::machine::Machine;
use crate::saved::{get, get_list, put};

impl ModalMachine {
    /// Appends what the run has made of the machine.
    pub(super) fn save_state(&self, to: &mut Vec<u8>) -> Result<(), String> {
        let Self {
            base,
            modes: _,
            make: _,
            parts,
            // Follows from the modes entered.
            info: _,
            now,
            shown,
            entered,
            conditions: _,
            known: _,
            last_known,
            known_before,
            pins,
            ties,
            showing: _,
            places: _,
            scopes: _,
            focus,
            affected,
            projection: _,
            // Only within an event.
            cautious: _,
        } = self;
        base.save_state(to)?;
        parts.iter().try_for_each(|part| part.save_state(to))?;
        put(to, entered)?;
        put(to, &(now, shown, last_known, known_before, pins, ties, focus, affected))
    }

    /// Takes from the front what `save_state` has appended.
    pub(super) fn restore_state(&mut self, from: &mut &[u8]) -> Result<(), String> {
        self.base.restore_state(from)?;
        let Self { parts, modes, base, make, .. } = self;
        for (part, region) in parts.iter_mut().zip(&modes.regions) {
            part.restore_state(from, region, base.info(), make)?;
        }
        get_list(from, &mut self.entered)?;
        (
            self.now,
            self.shown,
            self.last_known,
            self.known_before,
            self.pins,
            self.ties,
            self.focus,
            self.affected,
        ) = get(from)?;
        self.describe();
        Ok(())
    }
}
