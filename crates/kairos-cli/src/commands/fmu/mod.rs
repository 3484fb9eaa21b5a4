//! `kairos fmu`: models as FMUs, and FMUs as models.

mod export;
mod import;
mod info;

use crate::shell::{ShellOptions, Status};
use clap::{Args, Subcommand};

#[derive(Args)]
pub struct Fmu {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Make an FMU of a model.
    Export(Box<export::Export>),
    /// Write a component that stands for an FMU in models.
    Import(import::Import),
    /// Show what an FMU is and can do.
    Info(info::Info),
}

impl Fmu {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        match &self.action {
            Action::Export(export) => export.execute(shell),
            Action::Import(import) => import.execute(shell),
            Action::Info(info) => info.execute(shell),
        }
    }
}
