//! The state of an interpreter as bytes.

use super::Interpreter;
use crate::run::Frame;
use crate::saved::{get, get_list, misfit, portable, put};
use kairos_expr::Value;
use kairos_program::tape::Destination;

impl Interpreter {
    /// Appends what the run has made of the machine.
    pub(crate) fn save_state(&self, to: &mut Vec<u8>) -> Result<(), String> {
        let Interpreter {
            program: _,
            frame,
            fresh,
            settled,
            decided,
            wave,
            planned,
            verify: _,
            relations,
            pins,
            relations_before,
            computed,
            overridden,
            guessed: _,
            violated,
            told,
            inputs,
            // Made again when it is asked for.
            slope: _,
            broken,
            // Only a start looks at it, and then it is made again.
            computed_at: _,
            // Nobody looks while a run is saved.
            stood: _,
        } = self;
        let Frame {
            values,
            others,
            texts,
            results,
            external,
            history,
            transports,
            spaces,
            native: _,
            frames,
            last_calls,
            // At rest nothing is pinned, tried or in doubt within a frame.
            pins: _,
            singular,
            free: _,
            brief: _,
            lenient: _,
            contradiction: _,
            looks: _,
            // Told at the start.
            open: _,
        } = frame;
        let others = others.iter().map(portable).collect::<Result<Vec<_>, _>>()?;
        let of_result = |result: &Option<Value>| match result {
            Some(value) => portable(value).map(|value| (true, value.cloned())),
            None => Ok((false, None)),
        };
        let results = results.iter().map(of_result).collect::<Result<Vec<_>, _>>()?;
        put(to, &(computed, overridden, values))?;
        put(to, texts)?;
        put(to, &(others, results))?;
        put(to, &(history, transports, spaces, frames, last_calls, singular))?;
        put(to, &external.save())?;
        put(to, &(fresh, settled, decided, planned, wave))?;
        put(to, &(relations, relations_before, pins, violated, told, inputs, broken))
    }

    /// Takes from the front what `save_state` has appended.
    pub(crate) fn restore_state(&mut self, from: &mut &[u8]) -> Result<(), String> {
        let (computed, overridden, values): (Vec<f64>, Vec<bool>, Vec<f64>) = get(from)?;
        let fits = (computed.len(), overridden.len(), values.len())
            == (self.computed.len(), self.overridden.len(), self.frame.values.len());
        if !fits {
            return Err(misfit());
        }
        // Objects stand if what they were made from is the same; then the files they read need not be read again.
        let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
        let mut stands = self.broken.is_none() && same(&computed, &self.computed);
        (self.computed, self.overridden) = (computed, overridden);
        self.frame.values.copy_from_slice(&values);
        self.frame.texts = get(from)?;
        let (others, results): (Vec<Option<Value>>, Vec<(bool, Option<Value>)>) = get(from)?;
        if (others.len(), results.len()) != (self.frame.others.len(), self.frame.results.len()) {
            return Err(misfit());
        }
        let missing: Vec<usize> = (0..others.len()).filter(|&k| others[k].is_none()).collect();
        for (other, read) in self.frame.others.iter_mut().zip(others) {
            if let Some(value) = read {
                stands &= *other == value;
                *other = value;
            }
        }
        stands &= missing.iter().all(|&k| matches!(self.frame.others[k], Value::Object(_)));
        if !stands {
            self.make_objects(&missing)?;
            self.frame.values.copy_from_slice(&values);
        }
        for (result, (there, read)) in self.frame.results.iter_mut().zip(results) {
            match (there, read) {
                (false, _) => *result = None,
                (true, None) => {}
                (true, read) => *result = read,
            }
        }
        let frame = &mut self.frame;
        get_list(from, &mut frame.history)?;
        get_list(from, &mut frame.transports)?;
        get_list(from, &mut frame.spaces)?;
        (frame.frames, frame.last_calls, frame.singular) = get(from)?;
        frame.external.restore(get(from)?)?;
        let cells = self.wave.cells();
        (self.fresh, self.settled, self.decided, self.planned, self.wave) = get(from)?;
        get_list(from, &mut self.relations)?;
        get_list(from, &mut self.relations_before)?;
        (self.pins, self.violated, self.told, self.inputs, self.broken) = get(from)?;
        self.computed_at = None;
        if self.wave.cells() == cells { Ok(()) } else { Err(misfit()) }
    }

    /// Constructs external objects from the parameters as they stand, in the order in which they were.
    fn make_objects(&mut self, missing: &[usize]) -> Result<(), String> {
        let program = self.program.clone();
        let makes =
            |to: &Destination| matches!(to, Destination::Other(k) if missing.contains(&(*k as usize)));
        for &site in program.memory.evaluations.iter().filter(|site| makes(&site.to)) {
            self.frame.evaluate(&program, site).map_err(|error| error.fault().message.clone())?;
        }
        Ok(())
    }
}
