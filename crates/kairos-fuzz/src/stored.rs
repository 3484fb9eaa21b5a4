//! Compiled models and saved runs with damage.

use crate::dice::Dice;
use crate::results::damaged;
use kairos::{Error, Model, Options};

const TEXT: &str = "model Stored parameter Integer n = 3; Real x[n](each start = 1, each fixed = true); Boolean up(start = true, fixed = true);
equation for i in 1:n loop der(x[i]) = (if up then 1 else -1)*i - x[i]; end for; up = sample(0, 0.1) and x[1] < 2; end Stored;";

/// A compiled model and a run of it in the middle, as bytes.
pub struct Kept {
    model: Model,
    compiled: Vec<u8>,
    run: Vec<u8>,
}

impl Kept {
    pub fn new() -> Result<Self, Error> {
        let model = Model::from_text(TEXT)?;
        let mut run = model.start(&Options::default())?;
        run.run_to(0.45)?;
        Ok(Kept { compiled: model.to_bytes()?, run: run.save()?, model })
    }

    /// Opens a damaged one, and goes on with it if it opens: what is wrong with it may be told, and nothing else.
    pub fn open(&self, dice: &mut Dice) -> Result<(), Error> {
        if dice.one_in(2) {
            Model::from_bytes(&damaged(dice, &self.compiled))?.simulate(&Options::default()).map(drop)
        } else {
            let mut run = self.model.start(&Options::default())?;
            run.restore(&damaged(dice, &self.run))?;
            run.run_to(0.9).map(drop)
        }
    }
}
