//! The `kairos` command: reads options, runs a command, turns its end into an exit status.

mod commands;
mod gathering;
mod interrupt;
mod journal;
mod memory;
mod output;
mod pace;
mod reading;
mod shell;
mod store;
mod trust;
mod watch;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

/// Compiles and simulates Modelica models.
#[derive(Parser)]
#[command(name = "kairos", version = shell::VERSION, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    shell: shell::ShellOptions,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate a model.
    Run(Box<commands::run::Run>),
    /// Run a model many times with different values.
    Sweep(Box<commands::sweep::Sweep>),
    /// Look for mistakes in a model without simulating it.
    Check(commands::check::Check),
    /// Print the flat equations of a model.
    Flat(commands::flat::Flat),
    /// Find the linear model around a point of a run: matrices, eigenvalues, damping.
    Linearize(commands::linearize::Linearize),
    /// Find values of parameters with which a model comes closest to measurements.
    Fit(Box<commands::fit::Fit>),
    /// Find how variables change with parameters and start values.
    Sensitivity(Box<commands::sensitivity::Sensitivity>),
    /// Find values at which a model rests.
    Steady(commands::steady::Steady),
    /// Say how a model is solved: states, blocks, events.
    Explain(commands::explain::Explain),
    /// Compile a model into a file that runs without the sources.
    Compile(commands::compile::Compile),
    /// Models as FMUs, for other tools.
    Fmu(commands::fmu::Fmu),
    /// Format Modelica files.
    Fmt(commands::fmt::Fmt),
    /// Convert models to another version of a library they use.
    Convert(commands::convert::Convert),
    /// Install a library from a git repository or a folder.
    Install(commands::install::Install),
    /// List the installed libraries.
    Libraries(commands::libraries::Libraries),
    /// Compare a result with a reference.
    Compare(commands::compare::Compare),
    /// List and search the variables of a result.
    Results(commands::results::Results),
    /// Draw variables of a result.
    Plot(commands::plot::Plot),
    /// Open models in a browser: draw, run, look inside.
    Studio(commands::studio::Studio),
    /// Write the documentation of a library as pages.
    Doc(commands::doc::Doc),
    /// Draw the icon or the diagram of a class.
    Draw(commands::draw::Draw),
    /// Compute variables that a run left out.
    Recompute(commands::recompute::Recompute),
    /// Begin a model or a library.
    New(commands::new::New),
    /// Print what makes a shell complete commands and options.
    Completions(commands::completions::Completions),
}

fn main() -> ExitCode {
    memory::keep_pages();
    let cli = Cli::parse();
    // What a model nests decides how deep the compiler goes: that must not meet the end of a small stack.
    let thread =
        std::thread::Builder::new().name("kairos".into()).stack_size(STACK).spawn(move || work(&cli));
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        Ok(Err(_)) => ExitCode::from(shell::BUG),
        Err(_) => work(&Cli::parse()),
    }
}

/// Only what is used of it takes memory.
const STACK: usize = 1 << 30;

fn work(cli: &Cli) -> ExitCode {
    let status = shell::guard(|| {
        let shell = &cli.shell;
        match &cli.command {
            Command::Run(command) => command.execute(shell),
            Command::Sweep(command) => command.execute(shell),
            Command::Check(command) => command.execute(shell),
            Command::Flat(command) => command.execute(shell),
            Command::Linearize(command) => command.execute(shell),
            Command::Fit(command) => command.execute(shell),
            Command::Sensitivity(command) => command.execute(shell),
            Command::Steady(command) => command.execute(shell),
            Command::Explain(command) => command.execute(shell),
            Command::Compile(command) => command.execute(shell),
            Command::Fmu(command) => command.execute(shell),
            Command::Fmt(command) => command.execute(shell),
            Command::Convert(command) => command.execute(shell),
            Command::Install(command) => command.execute(shell),
            Command::Libraries(command) => command.execute(shell),
            Command::Compare(command) => command.execute(shell),
            Command::Results(command) => command.execute(shell),
            Command::Plot(command) => command.execute(shell),
            Command::Studio(command) => command.execute(shell),
            Command::Doc(command) => command.execute(shell),
            Command::Draw(command) => command.execute(shell),
            Command::Recompute(command) => command.execute(shell),
            Command::New(command) => command.execute(shell),
            Command::Completions(command) => command.execute(shell, Cli::command()),
        }
    });
    kairos::put_away();
    status
}
