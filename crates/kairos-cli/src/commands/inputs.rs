//! The options that give a model's inputs their values over time.

use crate::reading;
use crate::shell::ShellOptions;
use clap::Args;
use kairos::Inputs;

#[derive(Args)]
#[command(next_help_heading = "Inputs")]
pub struct InputOptions {
    /// A table with a column for each of the model's inputs, by name: .csv, .mat or .parquet.
    #[arg(long, value_name = "FILE")]
    input: Vec<String>,

    /// Inputs keep the value of a row up to the next one, instead of going there in a line.
    #[arg(long, requires = "input")]
    input_hold: bool,
}

impl InputOptions {
    /// Reads the tables; `None` if one cannot be read, which has been told.
    pub fn read(&self, shell: &ShellOptions) -> Option<Inputs> {
        self.input.iter().try_fold(Inputs::default(), |inputs, path| {
            Some(inputs.table(path, reading::read(path, shell)?, self.input_hold))
        })
    }
}
