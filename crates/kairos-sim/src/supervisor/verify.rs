//! A run that checks itself: the residuals of all equations right after an event.
//!
//! The equations are those of the model before they were sorted, differentiated or given another structure, so that what
//! solving and restarting made of them is checked by what they say. Relations are as they are held. Along a switching surface the
//! motion is a mixture that no single branch describes; there nothing is checked.

use super::Run;
use crate::options::LargestResidual;
use crate::{SimError, SlidingAction};

impl Run<'_> {
    /// Evaluates all residuals at the present time and keeps the largest.
    #[cold]
    pub(super) fn verify(&mut self) -> Result<(), SimError> {
        if self.surface.is_some() && self.options.sliding != SlidingAction::Off {
            return Ok(());
        }
        self.machine.look(true);
        let evaluated = self.machine.outputs().map_err(|error| SimError::evaluation(self.t, error));
        let values = self.machine.values();
        let sizes =
            self.machine.info().residuals.iter().map(|(slot, text)| (values[*slot as usize].abs(), text));
        let worst = sizes.max_by(|a, b| a.0.total_cmp(&b.0));
        let known = self.summary.residual.get_or_insert_with(LargestResidual::default);
        known.events += 1;
        if let Some((size, text)) = worst.filter(|(size, _)| *size > known.size || known.equation.is_empty())
        {
            (known.size, known.time) = (size, self.t);
            known.equation.clone_from(text);
        }
        self.machine.look(false);
        evaluated
    }
}
