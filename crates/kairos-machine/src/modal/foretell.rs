//! Modes that a complementarity problem foretells, tried before others are searched for.

use super::ModalMachine;
use super::decide::{STAYS, assume};
use super::predict::Prediction;
use crate::machine::{Effects, Eval, Machine};
use crate::shortcuts::Sides;

impl ModalMachine {
    /// The modes that a complementarity problem foretells, one region after the other: as they are, or with conditions at
    /// zero as the mode wants them (`tied`).
    pub(super) fn try_predicted(
        &mut self,
        assumed: &mut [bool],
        samples: &[bool],
        terminal: bool,
        tied: bool,
    ) -> Eval<Option<Effects>> {
        let start = assumed.to_vec();
        for r in self.concerned() {
            let own = self.parts[r].place.clone();
            for Prediction { mode, ties } in self.predictions(r, &start[own.clone()]) {
                if tied && ties.is_empty() {
                    continue;
                }
                if tied {
                    self.tie(self.tied(r, &mode, &ties));
                }
                assume(assumed, &start, &own, &mode);
                let (done, _) = self.trial(r, assumed, samples, terminal, None)?;
                if let Some(effects) = done.filter(|_| self.rests()) {
                    return Ok(Some(effects));
                }
                self.tie(Vec::new());
            }
        }
        assumed.copy_from_slice(&start);
        Ok(None)
    }

    /// Where something jumps into the modes that were found, several may confirm themselves: pulses in one part switch another
    /// while they last. The modes of the complementarity problem have all pulses of the instant together.
    pub(super) fn foretold(
        &mut self,
        assumed: &mut [bool],
        samples: &[bool],
        terminal: bool,
    ) -> Eval<Option<Effects>> {
        let start = assumed.to_vec();
        let mut tried = false;
        for r in self.concerned() {
            let own = self.parts[r].place.clone();
            let values = &start[own.clone()];
            if !self.may_jump(r, values) || !self.is_violated(r, values).unwrap_or(false) {
                continue;
            }
            tried = true;
            for Prediction { mode, .. } in self.predictions(r, values) {
                if mode == *values {
                    break;
                }
                assume(assumed, &start, &own, &mode);
                if let (Some(effects), _) = self.trial(r, assumed, samples, terminal, None)? {
                    return Ok(Some(effects));
                }
            }
        }
        assumed.copy_from_slice(&start);
        match tried {
            true => self.pass(&start, samples, terminal, None).map(Some),
            false => Ok(None),
        }
    }

    /// Relations that are to have these values beside those that others decide.
    pub(super) fn tie(&mut self, ties: Vec<(u32, bool)>) {
        if ties.is_empty() && self.ties.is_empty() {
            return;
        }
        self.ties = ties;
        let all: Vec<(u32, bool)> = self.pins.iter().chain(&self.ties).copied().collect();
        self.base.pin(&all);
    }

    /// The relations of conditions at zero, as a mode wants them.
    fn tied(&self, r: usize, mode: &[bool], ties: &[usize]) -> Vec<(u32, bool)> {
        let region = &self.modes.regions[r];
        let value =
            |&k: &usize| region.relation(k).map(|(relation, inverted)| (relation, mode[k] != inverted));
        ties.iter().filter_map(value).collect()
    }

    /// Are the relations that are tied at zero indeed?
    fn rests(&mut self) -> bool {
        if self.ties.is_empty() {
            return true;
        }
        let mut z = vec![0.0; self.base.info().relations.len()];
        self.base.crossings(&mut z).is_ok() && self.ties.iter().all(|&(r, _)| z[r as usize].abs() < STAYS)
    }

    /// Modes of a region that are likely right after the instant, for the differentiated variables as they stand.
    pub(super) fn predictions(&mut self, r: usize, values: &[bool]) -> Vec<Prediction> {
        let Self { base, modes, make, parts, now, .. } = self;
        parts[r].predict(&modes.regions[r], values, now.time, base.as_ref(), make)
    }
}
