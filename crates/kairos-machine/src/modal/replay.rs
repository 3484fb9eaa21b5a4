//! Instants of a run with modes, kept and gone back to.

use super::ModalMachine;
use crate::machine::{Eval, Machine};
use crate::shortcuts::Replay;

impl ModalMachine {
    /// The base's own snapshot behind its length, the conditions of all regions, and the variables of each.
    pub(super) fn keep(&self, values: &mut Vec<f64>) -> bool {
        let at = values.len();
        values.push(0.0);
        if !self.base.snapshot(values) {
            return false;
        }
        values[at] = (values.len() - at - 1) as f64;
        values.extend(self.entered.iter().map(|&holds| f64::from(u8::from(holds))));
        for part in &self.parts {
            values.extend(part.save(self.base.as_ref()));
        }
        true
    }

    /// Takes such numbers back; `false` if they do not fit.
    pub(super) fn return_to(&mut self, values: &[f64]) -> Eval<bool> {
        let Some((&length, rest)) = values.split_first() else { return Ok(false) };
        let Some((own, rest)) = rest.split_at_checked(length as usize) else { return Ok(false) };
        let Some((conditions, mut rest)) = rest.split_at_checked(self.entered.len()) else {
            return Ok(false);
        };
        if !self.base.go_back(own) {
            return Ok(false);
        }
        self.entered = conditions.iter().map(|&holds| holds != 0.0).collect();
        for part in &mut self.parts {
            let count = part.save(self.base.as_ref()).len();
            let Some((here, after)) = rest.split_at_checked(count) else { return Ok(false) };
            part.restore(here, self.base.as_mut());
            rest = after;
        }
        self.moved();
        self.informed();
        for r in 0..self.parts.len() {
            let Self { base, modes, make, parts, now, entered, .. } = self;
            let mode = &entered[parts[r].place.clone()];
            parts[r].prepare(&modes.regions[r], mode, base.info(), make)?;
            parts[r].enter(mode, *now, base.as_mut())?;
        }
        self.describe();
        Ok(rest.is_empty())
    }
}
